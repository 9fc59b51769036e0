"""The types of a snapshot: what is declared, what a written type means where it stands, who inherits what."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, TypeVar

from ragduck.facts import FileFacts, MemberFact
from ragduck.graph.types.called import Called
from ragduck.graph.types.declarations import Declarations, TypeInfo, TypeRef, family_of
from ragduck.graph.types.findings import Memory
from ragduck.graph.types.inheritance import Inheritance, PageBase
from ragduck.graph.types.libraries import Libraries
from ragduck.graph.types.looks import Looks, Watch
from ragduck.graph.types.names import Names
from ragduck.graph.types.references import WrittenTypes
from ragduck.graph.types.visibility import Sight, Visibility, is_of_library

__all__ = ["Catalog", "TypeInfo", "TypeRef"]

Found = TypeVar("Found")


class Catalog:
    """Answer questions about types; answers are kept, as the same ones are asked a hundred thousand times.

    They depend on declarations alone. What is looked at of statements, the ``watch`` is told, once or several times.
    """

    def __init__(self, files: Sequence[FileFacts], watch: Watch | None = None) -> None:
        self.watch = watch or Watch()
        self._declarations = Declarations(files)
        self._visibility = Visibility(self._declarations)
        self._names = Names(self._declarations, self._visibility)
        self._written = WrittenTypes(self._names, self._visibility)
        self._inheritance = Inheritance(self._declarations, resolve=self._written.base)
        self.memory = Memory()
        self._once: dict[object, tuple[Looks, tuple[Any, ...]]] = {}
        self._told_of: dict[tuple[str, ...], dict[str, bool]] = {}  # namespaces, by libraries
        self.files: Mapping[str, FileFacts] = self._declarations.files
        self.component_namespaces: Mapping[str, str] = self._declarations.component_namespaces
        self._called = Called(self.files.values(), self.watch)
        self.files_calling = self._called.files_calling
        self.files_making = self._called.files_making
        self.files_perhaps_making = self._called.files_perhaps_making
        self.makes = self._called.makes
        self.mentions_of = self._called.mentions_of
        self.types: Mapping[str, TypeInfo] = self._declarations.types

    @property
    def acting_properties(self) -> Set[str]:
        """The keys of the properties that call something, or read a member of something."""
        return self._called.acting_properties

    def resolve(self, written: str, *, file: FileFacts, owner: TypeInfo | None = None) -> TypeRef:
        """Say what a written type means in a file, or in a type of that file.

        An array is called `[]`, a tuple `()`. A type parameter has no info, nor has what is not declared, of
        which only the last name is given.
        """
        key = (file.path, owner.key if owner is not None else "", written)
        ref = self.memory.resolved.get(key)
        if ref is None:
            ancestors = self._inheritance.ancestors
            ref = self._written.resolve(written, file=file, owner=owner, ancestors=ancestors)
            self.memory.resolved[key] = ref
        return ref

    def own(self, info: TypeInfo) -> TypeRef:
        """Return a type as it sees itself, its parameters standing for its arguments."""
        return TypeRef(info.name, info, tuple(TypeRef(name) for name in info.type_parameters))

    def owner_of(self, source: str) -> TypeInfo | None:
        """Return the type that a fact's source is or stands in."""
        return self._declarations.owner_of(source)

    def home_of(self, member: MemberFact) -> FileFacts:
        """Return the file that declares a member of this catalog."""
        return self._declarations.home_of(member)

    def outer_types(self, info: TypeInfo | None) -> Iterator[TypeInfo]:
        """Yield a type and the types around it, innermost first."""
        return self._names.outer_types(info)

    def sight_of(self, file: FileFacts) -> Sight:
        """Return what a file sees without qualifying it."""
        return self._visibility.of(file)

    def opens(self, file: FileFacts, libraries: Libraries) -> bool:
        """Say whether a file opens a namespace of one of these libraries, or one below it."""
        self.watch.asked_opened(file.path, libraries)
        told = self._told_of.setdefault(libraries, {})
        for name in self.sight_of(file).opened:  # of which files have the same in common
            is_one = told.get(name)
            if is_one is None:
                is_one = told[name] = is_of_library(name, libraries)
            if is_one:
                return True
        return False

    def imports(self, file: FileFacts, libraries: Collection[str]) -> bool:
        """Say whether a file itself opens a namespace of one of these libraries."""
        self.watch.asked_opened(file.path, tuple(libraries))
        return any(is_of_library(one.name, libraries) for one in file.imports)

    def once(self, read: Callable[[Catalog], Iterable[Found]]) -> tuple[Found, ...]:
        """Return what a function reads off the catalog, which several rules ask for."""
        if read not in self._once:
            looks = Looks()
            with self.watch.noting(looks):
                found = tuple(read(self))
            self._once[read] = looks, found
        looks, known = self._once[read]
        self.watch.saw(looks)
        return known

    def is_visible(self, info: TypeInfo, *, file: FileFacts, owner: TypeInfo | None = None) -> bool:
        """Say whether a file can name a top-level type without qualifying it.

        A file may have several namespaces, of which the ``owner`` tells in which one a name stands.
        """
        return self._names.is_visible(info, file=file, owner=owner)

    def functions(self, qualified_name: str, *, language: str) -> Sequence[MemberFact]:
        """Return the functions or values outside of types that have a name."""
        return self._declarations.functions[family_of(language)].get(qualified_name, ())

    def imported_functions(self, name: str, *, file: FileFacts) -> Sequence[MemberFact]:
        """Return the functions or values outside of types that a file imports under a full name."""
        return self._names.imports.functions_named(name, file=file)

    def nested(self, info: TypeInfo, name: str) -> TypeInfo | None:
        """Return a type that is declared inside a type or one of its ancestors."""
        return self._names.nested(info, name, ancestors=self._inheritance.ancestors)

    def nearest_type(
        self, name: str, *, file: FileFacts, among: Callable[[TypeInfo], bool] = lambda _: True
    ) -> TypeInfo | None:
        """Return the top-level type of a name that lies closest to a file, whether the file sees it or not."""
        return self._names.nearest_type(name, file=file, among=among)

    def extensions(self, name: str, *, language: str) -> Sequence[MemberFact]:
        """Return the extension methods of a name, wherever they are declared."""
        return self._declarations.extensions[family_of(language)].get(name, ())

    def methods_named(self, name: str, *, language: str) -> Sequence[MemberFact]:
        """Return the methods of a name of all types."""
        return self._declarations.methods[family_of(language)].get(name, ())

    def members(self, info: TypeInfo, name: str) -> list[MemberFact]:
        """Return the members of a name, own ones first, then inherited ones."""
        return self._inheritance.members(info, name)

    def declaring(self, info: TypeInfo, name: str) -> TypeRef | None:
        """Return the type itself or its nearest ancestor that declares a member, type arguments put in."""
        return self._inheritance.declaring(info, name)

    def inherited(self, info: TypeInfo) -> Iterator[TypeRef]:
        """Yield the ancestors of which a type has the members, nearest first, type arguments put in."""
        return self._inheritance.inherited(info)

    def bases(self, info: TypeInfo) -> tuple[TypeRef, ...]:
        """Return the base class and the interfaces that a type's declarations name."""
        return self._inheritance.bases(info)

    def page_base(self, info: TypeInfo) -> PageBase | None:
        """Return what gives a Razor view the base that it does not name itself."""
        return self._inheritance.page_base(info)

    def ancestors(self, info: TypeInfo) -> Iterator[TypeRef]:
        """Yield bases of bases, nearest first, each once, type arguments put in."""
        return iter(self._inheritance.ancestors(info))

    def derived(self, info: TypeInfo) -> tuple[TypeInfo, ...]:
        """Return the direct subclasses and implementations of a type."""
        return self._inheritance.derived(info)

    def below(self, types: Iterable[TypeInfo]) -> Iterable[TypeInfo]:
        """Return types with all that have one of them among their ancestors."""
        return self._inheritance.below(types)
