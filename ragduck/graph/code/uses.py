"""Relate methods to what their bodies call and use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from ragduck.edge_table import EdgeTable
from ragduck.facts import MADE, CallFact, FileFacts, Member, UseFact
from ragduck.graph.code.accesses import Used, used_in, uses_of
from ragduck.graph.code.calls import CallResolver, constructor_targets
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.file_uses import FileUses, PostponedCall
from ragduck.graph.code.implementations import Implementations
from ragduck.graph.code.open_calls import ONLY_NAME, ONLY_NAME_RULE, only_visible, open_call
from ragduck.graph.code.raised_events import RULE, Raising, subscriptions
from ragduck.graph.rule_memory import SHARED, RuleMemory, Terms
from ragduck.graph.told import in_graph
from ragduck.graph.types.attributes import attribute_type
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.declarations import family_of, named_types
from ragduck.graph.types.expressions import Evaluator, Evaluators
from ragduck.graph.types.framework_names import FRAMEWORK_NAMES
from ragduck.graph.types.looks import Looks

NAMES = "names"  # the rule that says under which keys declarations are in the graph
TYPE_KEY = "|TYPE"  # how the key of a type ends
LOGGERS = frozenset(("ILogger", "Logger"))  # of Foo, which only names the category of their messages


class Users:
    """Read the statements of files of a catalog; ``renamed`` as for `EdgeCollector`."""

    def __init__(
        self,
        catalog: Catalog,
        memory: RuleMemory | None = None,
        *,
        implementations: Implementations,
        renamed: Mapping[str, str],
    ) -> None:
        self.files = catalog.files
        self._catalog = catalog
        self._memory = memory or RuleMemory()
        self._implementations = implementations
        self._resolver = CallResolver(catalog, implementations, self._memory)
        self._renamed = renamed

    @property
    def told(self) -> Mapping[str, str]:
        """All that uses depend on beside declarations, by what can be asked for."""
        terms = Terms(after=(NAMES, SHARED, *self._resolver.RULES), is_sharing=True)
        self._resolver.read()
        return self._memory.words("told", self._told, terms)

    def _told(self) -> Mapping[str, str]:
        renamed = {in_graph(key): other for key, other in self._renamed.items()}
        return {**self._resolver.told, **renamed}

    def calling(self, names: AbstractSet[str]) -> frozenset[str]:
        """Return the paths of the files that call something of one of these names."""
        return frozenset(file.path for file in self._catalog.files_calling(names))

    def read(self, files: Iterable[FileFacts]) -> FileUses:
        """Return what the statements of files call and use."""
        self._resolver.read()  # which asks for nothing that is told
        found = _Found(self._catalog, self._resolver, EdgeCollector(self._renamed))
        for file in files:
            found.read(file)
        return found.uses()

    def settled(self, uses: FileUses) -> EdgeTable:
        """Link calls of which only the name is known, unless it is one that foreign types have as well."""
        foreign = FRAMEWORK_NAMES.union(*uses.foreign.values())
        edges = EdgeCollector(self._renamed)
        for opened, path, source, line in uses.postponed:
            if opened.name in (FRAMEWORK_NAMES if opened.receiver else foreign):
                continue
            evaluator = Evaluator(self._catalog, file=self._catalog.files[path], source=source)
            member = only_visible(opened, catalog=self._catalog, evaluator=evaluator)
            if member is not None:
                used = Used(member.key, "Calls", ONLY_NAME_RULE, ONLY_NAME)
                _add(edges, source, used, at=Site(path, line), catalog=self._catalog)
        return edges.edges()


class _Found:
    """Collect what statements call and use, file by file."""

    def __init__(self, catalog: Catalog, resolver: CallResolver, edges: EdgeCollector) -> None:
        self._catalog = catalog
        self._resolver = resolver
        self._edges = edges
        self._postponed: list[PostponedCall] = []
        self._foreign: defaultdict[str, set[str]] = defaultdict(set)
        self._asked: dict[str, frozenset[str]] = {}

    def uses(self) -> FileUses:
        """Return what was read."""
        foreign = {path: frozenset(names) for path, names in self._foreign.items()}
        return FileUses(self._edges.apart(), tuple(self._postponed), foreign, self._asked)

    def read(self, file: FileFacts) -> None:
        """Read a file, and note what is asked for of what is told of all files."""
        looks = Looks()
        with self._catalog.watch.noting(looks):
            self._read(file)
        if looks.told:
            self._asked[file.path] = frozenset(looks.told)

    def _read(self, file: FileFacts) -> None:
        """Resolve the calls, accesses and uses of a file, one declaration after the other."""
        within = Evaluators(self._catalog, file).within
        statements = file.statements.unpacked()
        raising = Raising(self._catalog, statements.calls)
        for call in statements.calls:
            self._read_call(call, within(call.source), raising)
        for access in statements.accesses:
            evaluator = within(access.source)
            site = Site(file.path, access.line)
            for used in used_in(
                access.expression,
                evaluator,
                resolver=self._resolver,
                is_write=access.is_write,
                is_detached=access.is_detached,
            ):
                self._add(access.source, raising.told(access.source, used), at=site)
        for event, handler, line in subscriptions(statements.accesses, within):
            self._edges.add(event, handler, relation="Handles", rule=RULE, at=Site(file.path, line))
        for use in statements.uses:
            self._read_use(use, file)

    def _read_call(self, fact: CallFact, evaluator: Evaluator, raising: Raising) -> None:
        file, function = evaluator.file, fact.call.function
        site = Site(file.path, fact.line)
        if isinstance(function, Member):
            for used in used_in(function.receiver, evaluator, resolver=self._resolver, called=function.name):
                self._add(fact.source, raising.told(fact.source, used), at=site)
        resolution = self._resolver.resolve(fact.call, evaluator)
        for used in uses_of(resolution, evaluator):
            self._add(fact.source, used, at=site)
        if not isinstance(function, Member) or function.name in FRAMEWORK_NAMES:
            return
        if resolution.is_open and self._catalog.methods_named(function.name, language=file.language):
            opened = open_call(fact.call, function, resolution, evaluator)
            self._postponed.append(PostponedCall(opened, file.path, fact.source, fact.line))
        if resolution.is_foreign:
            self._foreign[file.path].add(function.name)

    def _read_use(self, fact: UseFact, file: FileFacts) -> None:
        if fact.how == MADE:
            return
        owner = self._catalog.owner_of(fact.source)
        if fact.how == "attribute" and family_of(file.language) == "csharp":
            ref = attribute_type(self._catalog, fact.type, file=file, owner=owner)
        else:
            ref = self._catalog.resolve(fact.type, file=file, owner=owner)
        if ref.info is None and not ref.arguments:
            return
        site = Site(file.path, fact.line)
        for info in named_types(ref, apart=LOGGERS):
            self._add(fact.source, Used(info.key, "Uses", fact.how, 1.0), at=site)
        if fact.how == "new" and ref.info is not None:
            for target in constructor_targets(ref.info):
                self._add(fact.source, Used(target.key, "Calls", target.rule, target.confidence), at=site)

    def _add(self, source: str, used: Used, *, at: Site) -> None:
        _add(self._edges, source, used, at=at, catalog=self._catalog)


def _add(edges: EdgeCollector, source: str, used: Used, *, at: Site, catalog: Catalog) -> None:
    owner = catalog.owner_of(used.key) if source.endswith(TYPE_KEY) else None
    if owner is not None and owner.key == source:
        return  # that a type has its members is said by Contains
    edges.add(source, used.key, relation=used.relation, rule=used.rule, at=at, confidence=used.confidence)
