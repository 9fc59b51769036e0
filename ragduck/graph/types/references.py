"""Say what a written type refers to where it stands."""

from __future__ import annotations

from ragduck.facts import FileFacts
from ragduck.graph.types.declarations import TypeInfo, TypeRef, family_of
from ragduck.graph.types.names import Ancestors, Names, Place
from ragduck.graph.types.visibility import Visibility
from ragduck.graph.types.written import Written, read_written


class WrittenTypes:
    """Resolve types as somebody wrote them.

    The hierarchy of types needs this, and a catalog needs both. It is a class of its own so that a catalog does not
    refer to itself: a million facts hang on one, and to free those of a circle takes the garbage collector a second.
    """

    def __init__(self, names: Names, visibility: Visibility) -> None:
        self._names = names
        self._visibility = visibility

    def resolve(
        self, written: str, *, file: FileFacts, owner: TypeInfo | None, ancestors: Ancestors
    ) -> TypeRef:
        """Say what a written type means in a file, or in a type of that file; inherited nested types are seen."""
        place = self._names.place_of(file=file, owner=owner)
        return self._refer(written, place, parameters=self._parameters(owner), ancestors=ancestors)

    def base(self, written: str, *, file: FileFacts, info: TypeInfo) -> TypeRef:
        """Resolve a base from outside of its type, and without inherited nested types: those come later."""
        outer = next((one for one in self._names.outer_types(info) if one is not info), None)
        place = self._names.place_of(file=file, owner=info)._replace(owner=outer)
        return self._refer(written, place, parameters=self._parameters(info), ancestors=None)

    def _parameters(self, owner: TypeInfo | None) -> frozenset[str]:
        return frozenset(name for outer in self._names.outer_types(owner) for name in outer.type_parameters)

    def _refer(
        self, written: str, place: Place, *, parameters: frozenset[str], ancestors: Ancestors | None
    ) -> TypeRef:
        alias = self._visibility.of(place.file).aliases.get(written.rstrip("?"), "")
        read = read_written(alias if "<" in alias else written, family=family_of(place.file.language))
        return self._bind(read, place, parameters=parameters, ancestors=ancestors)

    def _bind(
        self, read: Written, place: Place, *, parameters: frozenset[str], ancestors: Ancestors | None
    ) -> TypeRef:
        arguments = tuple(
            self._bind(one, place, parameters=parameters, ancestors=ancestors) for one in read.arguments
        )
        if not read.name or read.name in parameters:
            return TypeRef(read.name, None, arguments)
        info = self._names.find(read.name, place=place, ancestors=ancestors)
        name = info.name if info is not None else read.name.rpartition(".")[2]
        return TypeRef(name, info, arguments, read.labels)
