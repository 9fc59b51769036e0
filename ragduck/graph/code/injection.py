"""Relate types to the services that their constructors ask for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ragduck.facts import FileFacts
from ragduck.graph.code.constructors import OPTIONS, Asked, asked_for, handed_out
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.implementations import ONLY, Implementations
from ragduck.graph.code.taken import Taken
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.looks import Watch

SERVICE_ROLES = frozenset(("SERVICE", "REPOSITORY", "DBCONTEXT", "JOB"))
PLAIN = frozenset(("record", "struct", "enum", "delegate", "interface"))
VALUES = ("Exception", "EventArgs")
PLAIN_ROLES = frozenset(("ENTITY", "TEST"))


class ParameterLines:
    """Tell the lines of parameters; the statements of a file, which know them, are read once and when needed."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._read: dict[str, Mapping[tuple[str, str], Sequence[int]]] = {}

    def line_of(self, asked: Asked) -> int:
        """Return the line of a parameter of the type within its declaration, else that of the declaration."""
        by = asked.by
        if by is None or by.line == by.end_line:
            return asked.line
        if asked.file.path not in self._read:
            with self._watch.noting():  # for nobody: it tells only where what is found stands
                self._read[asked.file.path] = _parameters_of(asked.file)
        lines = self._read[asked.file.path].get((by.key, asked.type), ())
        return next((line for line in lines if by.line <= line <= by.end_line), asked.line)


def _parameters_of(file: FileFacts) -> Mapping[tuple[str, str], Sequence[int]]:
    """Return the lines on which declarations name a type as that of a parameter."""
    found: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for use in file.uses:
        if use.how == "parameter":
            found[use.source, use.type].append(use.line)
    return found


def add_injections(
    catalog: Catalog,
    edges: EdgeCollector,
    types: Iterable[TypeInfo],
    *,
    implementations: Implementations,
    roles: Mapping[str, str],
) -> None:
    """Add Injects edges to services that types ask for, and to what stands behind an interface.

    Statements of a file with a type say no more than the lines on which its edges stand.
    """
    lines = ParameterLines(catalog.watch)
    for info in types:
        is_plain = info.declarations[0].element_type in PLAIN or roles.get(info.key) in PLAIN_ROLES
        if is_plain or _is_thrown_or_raised(catalog, info):
            continue
        for asked in (*asked_for(catalog, info), *_directives(info)):
            written = catalog.resolve(asked.type, file=asked.file, owner=info)
            ref, is_listed = handed_out(written)
            is_configured = ref is not written and written.name in OPTIONS
            if ref.info is None or not (is_configured or _is_service(ref.info, implementations, roles=roles)):
                continue
            site = Site(asked.file.path, lines.line_of(asked))
            edges.add(info.key, ref.info.key, relation="Injects", rule=asked.rule, at=site)
            if not ref.info.is_interface:
                continue
            is_each = asked.by is None or implementations.is_handed_out(ref.info, info)
            how = Taken.EACH if is_listed and is_each else Taken.ONE
            for one, rule, confidence in implementations.behind(ref, near=asked.file, by=info, how=how):
                if one is info or (confidence < ONLY and implementations.is_made_by_code(info)):
                    continue  # a decorator asks for what it decorates, and code gives something of its own
                edges.add(info.key, one.key, relation="Injects", rule=rule, at=site, confidence=confidence)


def _is_thrown_or_raised(catalog: Catalog, info: TypeInfo) -> bool:
    """Say whether a type is an exception or what an event tells: those are given values."""
    return any(ref.info is None and ref.name.endswith(VALUES) for ref in catalog.ancestors(info))


def _directives(info: TypeInfo) -> Iterator[Asked]:
    """Yield what a Razor page or component injects."""
    for file in info.files if info.language == "razor" else ():
        for view in file.views:
            if view.how == "inject":
                yield Asked(view.name, file, view.line, "@inject")


def _is_service(info: TypeInfo, implementations: Implementations, *, roles: Mapping[str, str]) -> bool:
    """Say whether a container would be asked for a type: interfaces, what is registered, what is a service."""
    if info.is_interface:
        return True
    if info.declarations[0].element_type in PLAIN:
        return False
    return implementations.is_registered(info) or roles.get(info.key) in SERVICE_ROLES
