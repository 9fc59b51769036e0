"""Relate methods to what their bodies call and use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragduck.edge_table import EdgeTable
from ragduck.facts import CallFact, FileFacts, Member, UseFact
from ragduck.graph.code.accesses import Used, used_in, uses_of
from ragduck.graph.code.calls import CallResolver, constructor_targets
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.implementations import Implementations
from ragduck.graph.code.open_calls import ONLY_NAME, ONLY_NAME_RULE, OpenCall, only_visible, open_call
from ragduck.graph.code.roles import renamed_keys
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.declarations import named_types
from ragduck.graph.types.expressions import Evaluator, Evaluators
from ragduck.graph.types.framework_names import FRAMEWORK_NAMES


class PostponedCall(NamedTuple):
    """A call that can only be judged when all names of foreign methods are known."""

    opened: OpenCall
    path: str
    source: str
    line: int


class FileUses(NamedTuple):
    """What the statements of some files call and use, and the names of the foreign methods that they call."""

    edges: EdgeTable
    postponed: tuple[PostponedCall, ...]
    foreign: frozenset[str]


def uses_of_files(catalog: Catalog, files: Sequence[FileFacts]) -> FileUses:
    """Return what the statements of some files of a catalog call and use."""
    users = Users(catalog, Implementations(catalog), EdgeCollector(renamed_keys(catalog)))
    for file in files:
        users.read(file)
    return users.found()


class Users:
    """Collect what statements call and use, file by file."""

    def __init__(self, catalog: Catalog, implementations: Implementations, edges: EdgeCollector) -> None:
        self._catalog = catalog
        self._resolver = CallResolver(catalog, implementations)
        self._edges = edges
        self._postponed: list[PostponedCall] = []
        self._foreign: set[str] = set(FRAMEWORK_NAMES)

    def read(self, file: FileFacts) -> None:
        """Resolve the calls, accesses and uses of a file, one declaration after the other."""
        within = Evaluators(self._catalog, file).within
        statements = file.statements.unpacked()
        for call in statements.calls:
            self._read_call(call, within(call.source))
        for access in statements.accesses:
            evaluator = within(access.source)
            for used in used_in(access.expression, evaluator, is_write=access.is_write):
                self._add(access.source, used, at=Site(file.path, access.line))
        for use in statements.uses:
            self._read_use(use, file)

    def _read_call(self, fact: CallFact, evaluator: Evaluator) -> None:
        site = Site(evaluator.file.path, fact.line)
        function = fact.call.function
        if isinstance(function, Member):
            for used in used_in(function.receiver, evaluator):
                self._add(fact.source, used, at=site)
        resolution = self._resolver.resolve(fact.call, evaluator)
        for used in uses_of(resolution):
            self._add(fact.source, used, at=site)
        opened = open_call(fact.call, resolution)
        if opened is not None and self._catalog.methods_named(opened.name, language=evaluator.file.language):
            self._postponed.append(PostponedCall(opened, evaluator.file.path, fact.source, fact.line))
        if resolution.is_foreign and isinstance(function, Member):
            self._foreign.add(function.name)

    def _read_use(self, fact: UseFact, file: FileFacts) -> None:
        owner = self._catalog.owner_of(fact.source)
        ref = self._catalog.resolve(fact.type, file=file, owner=owner)
        if ref.info is None and not ref.arguments:
            return
        site = Site(file.path, fact.line)
        for info in named_types(ref):
            self._add(fact.source, Used(info.key, "Uses", fact.how, 1.0), at=site)
        if fact.how == "new" and ref.info is not None:
            for target in constructor_targets(ref.info):
                self._add(fact.source, Used(target.key, "Calls", target.rule, target.confidence), at=site)

    def found(self) -> FileUses:
        """Return what was read so far, for another to take."""
        return FileUses(self._edges.edges(), tuple(self._postponed), frozenset(self._foreign))

    def take(self, uses: FileUses) -> None:
        """Take over what was read elsewhere."""
        self._edges.take(uses.edges)
        self._postponed += uses.postponed
        self._foreign |= uses.foreign

    def settle(self) -> None:
        """Link calls of which only the name is known, unless it is one that foreign types have as well."""
        for opened, path, source, line in self._postponed:
            if opened.name in (FRAMEWORK_NAMES if opened.receiver else self._foreign):
                continue
            evaluator = Evaluator(self._catalog, file=self._catalog.files[path], source=source)
            member = only_visible(opened, catalog=self._catalog, evaluator=evaluator)
            if member is not None:
                used = Used(member.key, "Calls", ONLY_NAME_RULE, ONLY_NAME)
                self._add(source, used, at=Site(path, line))

    def _add(self, source: str, used: Used, *, at: Site) -> None:
        owner = self._catalog.owner_of(used.key)
        if owner is not None and owner.key == source:
            return  # that a type has its members is said by Contains
        self._edges.add(
            source, used.key, relation=used.relation, rule=used.rule, at=at, confidence=used.confidence
        )
