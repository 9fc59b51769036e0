"""Find the type that a name means where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ragduck.facts import FileFacts
from ragduck.graph.types.declarations import (
    MAX_NESTING,
    Declarations,
    TypeInfo,
    TypeRef,
    family_of,
    outward,
)
from ragduck.graph.types.framework_types import is_opened
from ragduck.graph.types.imports import Imports, nearest
from ragduck.graph.types.project_references import ProjectReferences
from ragduck.graph.types.visibility import Sight, Visibility

INNER = 0.5  # opened within the own namespace: between that and those around it
OPENED = 1_000  # further away than any namespace around
ELSEWHERE = OPENED + 1
UNSEEN = ELSEWHERE + 1
FRAMEWORK = "System."  # namespaces of which some system may have the source
MANY = 50  # types of one name, from which on it is quicker to ask each namespace

Ancestors = Callable[[TypeInfo], Iterable[TypeRef]]


class Place(NamedTuple):
    """Where a name stands: in a file, in a type unless at the top, in a namespace, package or module."""

    file: FileFacts
    owner: TypeInfo | None
    namespace: str


class Names:
    """Look names up as the languages do: nested types, namespaces outward, aliases, opened namespaces."""

    def __init__(self, declarations: Declarations, visibility: Visibility) -> None:
        self._declarations = declarations
        self._visibility = visibility
        self._references = ProjectReferences(declarations, visibility)
        self.imports = Imports(declarations, visibility)
        self._taken_in: dict[str, tuple[TypeInfo, ...]] = {}  # by paths

    def find(self, name: str, *, place: Place, ancestors: Ancestors | None = None) -> TypeInfo | None:
        """Return the type of a dotted name; with ``ancestors``, inherited nested types are seen too."""
        head, _, rest = name.partition(".")
        first = self._simple(head, place=place, ancestors=ancestors)
        if not rest:
            return first
        found = self.nested(first, rest, ancestors=ancestors) if first is not None else None
        if found is not None or (first is not None and family_of(place.file.language) != "csharp"):
            return found
        return self._qualified(name, place)

    def place_of(self, *, file: FileFacts, owner: TypeInfo | None) -> Place:
        """Return the place within a type, or at the top of a file."""
        sight = self._visibility.of(file)
        inside = owner is not None and owner.language != "razor"
        return Place(file, owner, owner.namespace if owner is not None and inside else sight.namespace)

    def outer_types(self, info: TypeInfo | None) -> Iterator[TypeInfo]:
        """Yield a type and the types around it, innermost first."""
        for _ in range(MAX_NESTING):
            if info is None:
                return
            yield info
            info = self._declarations.types.get(info.declarations[0].owner)

    def is_visible(self, info: TypeInfo, *, file: FileFacts, owner: TypeInfo | None) -> bool:
        """Say whether a file can name a top-level type without qualifying it, from within a type if one is given."""
        sight = self._visibility.of(file)
        if _is_global_elsewhere(info, file):
            is_public = any("public" in one.modifiers for one in info.declarations)
            return is_public and self._is_referred(info, file)
        if family_of(file.language) == "csharp":
            around = self._around(self.place_of(file=file, owner=owner))
            return info.namespace in sight.opened or info.namespace in around
        if info.namespace == sight.namespace or info.namespace in sight.opened:
            return True
        alias = sight.aliases.get(info.name)
        return alias is not None and self.imports.type_named(alias, file=file) is info

    def nearest_type(
        self, name: str, *, file: FileFacts, among: Callable[[TypeInfo], bool]
    ) -> TypeInfo | None:
        """Return the top-level type of a name that lies closest to a file."""
        named = self._declarations.top_level[family_of(file.language)].get(name, ())
        return nearest([one for one in named if among(one)], file=file)

    def _simple(self, name: str, *, place: Place, ancestors: Ancestors | None) -> TypeInfo | None:
        for outer in self.outer_types(place.owner):
            nested = self.nested(outer, name, ancestors=ancestors)
            if nested is not None or outer.name == name:
                return nested or outer
        alias = self._visibility.of(place.file).aliases.get(name)
        if alias is not None:
            return self.imports.type_named(alias, file=place.file)
        candidates = self._declarations.top_level[family_of(place.file.language)].get(name)
        found = self._closest(candidates, place) if candidates else None
        return found or self._nested_in_taken_in(name, place.file)

    def _nested_in_taken_in(self, name: str, file: FileFacts) -> TypeInfo | None:
        """Return the only type of this name within the types whose members a file takes in (`using static`)."""
        if name not in self._declarations.nested_names[family_of(file.language)]:
            return None
        taken_in = self._taken_in.get(file.path)
        if taken_in is None:
            self._taken_in[file.path] = ()  # what is taken in is not named by what is within it
            taken_in = self._taken_in[file.path] = tuple(self._types_taken_in(file))
        found = {nested for outer in taken_in if (nested := self.nested(outer, name, ancestors=None))}
        return found.pop() if len(found) == 1 else None

    def _types_taken_in(self, file: FileFacts) -> Iterator[TypeInfo]:
        place = self.place_of(file=file, owner=None)
        for written in self._visibility.of(file).statics:
            info = self.find(written, place=place)
            if info is not None:
                yield info

    def _closest(self, candidates: list[TypeInfo], place: Place) -> TypeInfo | None:
        """Choose the candidate in the innermost namespace around, else the only opened one.

        What another project declares outside of namespaces comes last, if the file's project refers to that one.
        A type of a framework is none of the candidates, but those that are as far away or further are not meant: what
        stands outside of namespaces is nearer than what a file opens.
        """
        around = self._around(place)
        sight = self._visibility.of(place.file)
        foreign = _distance_of_foreign(candidates[0].name, place.file, sight=sight)
        if len(candidates) > MANY:
            by_name = self._declarations.by_name[family_of(place.file.language)]
            full = (f"{scope}.{candidates[0].name}".lstrip(".") for scope in (*around, *sight.opened))
            candidates = [by_name[one] for one in dict.fromkeys(full) if one in by_name]
        best: list[TypeInfo] = []
        distance: float = UNSEEN
        for candidate in candidates:
            found = _distance(candidate, place.file, around=around, sight=sight)
            if found is None or (found == ELSEWHERE and not self._is_referred(candidate, place.file)):
                continue
            is_seen_first = found < foreign or (found, foreign) == (ELSEWHERE, OPENED)
            if not (is_seen_first or candidate.type_parameters or candidate.namespace.startswith(FRAMEWORK)):
                continue
            if found < distance:
                best, distance = [candidate], found
            elif found == distance:
                best.append(candidate)
        return best[0] if len(best) == 1 else _of_project(best, place.file.project)

    def _is_referred(self, candidate: TypeInfo, file: FileFacts) -> bool:
        return self._references.may_refer(file.project, {one.project for one in candidate.files})

    def _around(self, place: Place) -> tuple[str, ...]:
        """Return the namespaces whose types need no import; only C# looks outward."""
        if family_of(place.file.language) == "csharp":
            return (*outward(place.namespace), "")
        return (place.namespace,)

    def nested(self, outer: TypeInfo, name: str, *, ancestors: Ancestors | None) -> TypeInfo | None:
        """Return a type that is declared inside a type, or with ``ancestors`` inside one of those."""
        family = family_of(outer.language)
        if name.rpartition(".")[2] not in self._declarations.nested_names[family]:
            return None
        by_name = self._declarations.by_name[family]
        found = by_name.get(f"{outer.qualified_name}.{name}")
        if found is not None or ancestors is None:
            return found
        refs = (ref.info for ref in ancestors(outer) if ref.info is not None)
        inherited = (by_name.get(f"{info.qualified_name}.{name}") for info in refs)
        return next((info for info in inherited if info is not None), None)

    def _qualified(self, name: str, place: Place) -> TypeInfo | None:
        by_name = self._declarations.by_name[family_of(place.file.language)]
        for scope in outward(place.namespace):
            found = by_name.get(f"{scope}.{name}")
            if found is not None:
                return found
        head, _, rest = name.partition(".")
        alias = self._visibility.of(place.file).aliases.get(head)
        return self.imports.type_named(f"{alias}.{rest}" if alias is not None else name, file=place.file)


def _distance(candidate: TypeInfo, file: FileFacts, *, around: tuple[str, ...], sight: Sight) -> float | None:
    """Say how far away a type is; None if it is not seen."""
    if _is_global_elsewhere(candidate, file):
        return ELSEWHERE
    if candidate.namespace == around[0]:
        return 0
    if candidate.namespace in sight.inner:
        return INNER
    if candidate.namespace in around:
        return around.index(candidate.namespace)
    return OPENED if candidate.namespace in sight.opened else None


def _distance_of_foreign(name: str, file: FileFacts, *, sight: Sight) -> float:
    """Say how far away a type of this name is that a namespace of a framework has which the file itself opens.

    Of what is opened for all files of a project it is not sure that it is.
    """
    if family_of(file.language) != "csharp":
        return UNSEEN
    if is_opened(name, sight.inner):
        return INNER
    opened = (one.name for one in file.imports if not (one.alias or one.is_static))
    return OPENED if is_opened(name, opened) else UNSEEN


def _is_global_elsewhere(candidate: TypeInfo, file: FileFacts) -> bool:
    """Say whether a type of C# stands in the global namespace, and in another project than a file."""
    if candidate.namespace or family_of(file.language) != "csharp":
        return False
    return all(one.project != file.project for one in candidate.files)


def _of_project(candidates: list[TypeInfo], project: str | None) -> TypeInfo | None:
    same = [one for one in candidates if any(file.project == project for file in one.files)]
    return same[0] if len(same) == 1 else None
