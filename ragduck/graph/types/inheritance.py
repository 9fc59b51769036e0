"""Follow inheritance with type arguments put in: bases, ancestors, derived types, inherited members."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple, Protocol

from ragduck.facts import FileFacts, MemberFact
from ragduck.graph.types.declarations import Declarations, TypeInfo, TypeRef
from ragduck.graph.types.method_sets import satisfied
from ragduck.graph.types.named_bases import NamedBases
from ragduck.graph.types.page_bases import PageBases

MAX_ANCESTORS = 100
MAX_REFERENCES = 60  # that one substitution goes through
MAX_SPELLED = 3  # levels of type arguments that tell two bases apart
CODE_BEHIND = ".cs"  # of `Page.razor` is `Page.razor.cs`


class PageBase(NamedTuple):
    """The base that a view does not name itself, and the place that gives it."""

    ref: TypeRef
    path: str
    line: int


class ResolveBase(Protocol):
    """Say what a written base of a type means in a file of its declarations."""

    def __call__(self, written: str, *, file: FileFacts, info: TypeInfo) -> TypeRef:
        """Return the base."""


def substitute(ref: TypeRef, binding: Mapping[str, TypeRef]) -> TypeRef:
    """Put type arguments in for type parameters."""
    return _substitute(ref, binding, budget=[MAX_REFERENCES]) if binding else ref


def _substitute(ref: TypeRef, binding: Mapping[str, TypeRef], *, budget: list[int]) -> TypeRef:
    """Count what is gone through: arguments of arguments can double at each level."""
    budget[0] -= 1
    if budget[0] < 0:
        return ref
    if ref.info is None and not ref.arguments:
        return binding.get(ref.name, ref)
    if not ref.arguments:
        return ref
    return ref._replace(arguments=tuple(_substitute(one, binding, budget=budget) for one in ref.arguments))


def binding_of(ref: TypeRef) -> dict[str, TypeRef]:
    """Return what a reference puts in for the parameters of its type."""
    if ref.info is None or not ref.arguments:
        return {}
    count = len(ref.arguments)
    parameters = next(
        (one.type_parameters for one in ref.info.declarations if len(one.type_parameters) == count), ()
    )
    return dict(zip(parameters, ref.arguments, strict=False))


def spelled(ref: TypeRef, depth: int = MAX_SPELLED) -> str:
    """Return a reference as text by which it differs from others, empty if it names nothing.

    Beyond a ``depth`` of type arguments all are alike, so that there are not ever more of them.
    """
    name = ref.info.key if ref.info is not None else ref.name
    if not name or not ref.arguments or not depth:
        return name
    return f"{name}<{','.join(spelled(one, depth - 1) for one in ref.arguments)}>"


class Inheritance:
    """The hierarchy of a snapshot's types; cycles are cut."""

    def __init__(self, declarations: Declarations, *, resolve: ResolveBase) -> None:
        self._declarations = declarations
        self._resolve = resolve
        self._pages = PageBases(declarations.files)
        self._bases: dict[str, tuple[TypeRef, ...]] = {}
        self._ancestors: dict[str, tuple[TypeRef, ...]] = {}
        self._declaring: dict[tuple[str, str], TypeRef | None] = {}
        self._derived: dict[str, tuple[TypeInfo, ...]] = {}

    def bases(self, info: TypeInfo) -> tuple[TypeRef, ...]:
        """Return base class and interfaces of all declarations."""
        found = self._bases.get(info.key)
        if found is None:
            found = self._bases[info.key] = tuple(self._read_bases(info))
        return found

    def _read_bases(self, info: TypeInfo) -> Iterator[TypeRef]:
        seen = set()
        for declared, file in zip(info.declarations, info.files, strict=True):
            for written in declared.bases:
                ref = self._resolve(written, file=file, info=info)
                text = spelled(ref)
                if ref.info is not info and text and text not in seen:
                    seen.add(text)
                    yield ref
        if info.language == "razor":
            yield from self._code_behind(info)
            given = self.page_base(info)
            yield from () if given is None else (given.ref,)
        if info.language == "go" and not info.is_interface:
            yield from (TypeRef(one.name, one) for one in satisfied(info, self._declarations))

    def _code_behind(self, info: TypeInfo) -> Iterator[TypeRef]:
        """Take the C# part of a component for its base: it is the same type in two languages."""
        half = self._declarations.half_of(info)
        if half is not None:
            yield TypeRef(half.name, half, tuple(TypeRef(name) for name in info.type_parameters))
            return
        file = self._declarations.files.get(info.files[0].path + CODE_BEHIND)
        for declared in file.types if file is not None else ():
            if declared.name == info.name:
                behind = self._declarations.types[declared.key]
                yield TypeRef(behind.name, behind)

    def page_base(self, info: TypeInfo) -> PageBase | None:
        """Return the base that a file above a view gives it, if the snapshot declares that."""
        given = self._pages.of(info.files[0]) if info.language == "razor" else None
        if given is None:
            return None
        ref = self._resolve(given.written, file=info.files[0], info=info)
        return PageBase(ref, given.path, given.line) if ref.info is not None else None

    def ancestors(self, info: TypeInfo) -> tuple[TypeRef, ...]:
        """Return all bases of bases, nearest first, in terms of the type's own parameters.

        A type that is a base with several type arguments comes with each of them.
        """
        found = self._ancestors.get(info.key)
        if found is None:
            found = self._ancestors[info.key] = tuple(self._walk(info))
        return found

    def _walk(self, info: TypeInfo) -> Iterator[TypeRef]:
        seen: set[str] = set()
        component = self._declarations.component_of(info)
        pending = deque(self.bases(info))
        if component is not None:
            arguments = tuple(TypeRef(name) for name in info.type_parameters)
            pending.appendleft(TypeRef(component.name, component, arguments))
        while pending and len(seen) < MAX_ANCESTORS:
            ref = pending.popleft()
            name = spelled(ref)
            if name in seen or ref.info is info:
                continue
            seen.add(name)
            yield ref
            if ref.info is not None:
                binding = binding_of(ref)
                pending.extend(substitute(base, binding) for base in self.bases(ref.info))

    def declaring(self, info: TypeInfo, name: str) -> TypeRef | None:
        """Return the type or its nearest ancestor that declares a member."""
        key = (info.key, name)
        if key not in self._declaring:
            own = TypeRef(info.name, info, tuple(TypeRef(one) for one in info.type_parameters))
            found = (ref for ref in (own, *self.inherited(info)) if ref.info and name in ref.info.members)
            self._declaring[key] = next(found, None)
        return self._declaring[key]

    def inherited(self, info: TypeInfo) -> Iterator[TypeRef]:
        """Yield the ancestors of which a type has the members; a class of C# has none of its interfaces."""
        hides = info.language == "csharp" and not info.is_interface
        yield from (ref for ref in self.ancestors(info) if not (hides and ref.info and ref.info.is_interface))

    def members(self, info: TypeInfo, name: str) -> list[MemberFact]:
        """Return the members of a name, own ones first, then inherited ones."""
        infos = dict.fromkeys((info, *(ref.info for ref in self.ancestors(info))))
        return [member for one in infos if one is not None for member in one.members.get(name, ())]

    def derived(self, info: TypeInfo) -> tuple[TypeInfo, ...]:
        """Return the types that name a type as their base, in the order of all types."""
        found = self._derived.get(info.key)
        if found is None:
            perhaps = self._naming.perhaps_deriving(info)
            deriving = (one for one in perhaps if any(ref.info is info for ref in self.bases(one)))
            found = self._derived[info.key] = tuple(deriving)
        return found

    @cached_property
    def _naming(self) -> NamedBases:
        return NamedBases(self._declarations, self.bases)

    def below(self, types: Iterable[TypeInfo]) -> Iterable[TypeInfo]:
        """Return types with all that have one of them among their ancestors."""
        found = dict.fromkeys(types)
        pending = deque(found)
        while pending:
            one = pending.popleft()
            half = self._declarations.half_of(one) if one.language == "razor" else None
            fresh = [each for each in (*self.derived(one), half) if each is not None and each not in found]
            found.update(dict.fromkeys(fresh))
            pending.extend(fresh)
        return found
