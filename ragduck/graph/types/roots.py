"""Say what a bare name means: a member of the types around, of a module, an imported name, or a type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ragduck.facts import FileFacts, MemberFact
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.declarations import TypeInfo, TypeRef, family_of
from ragduck.graph.types.findings import Found, Root
from ragduck.graph.types.framework_members import (
    inherited_from_framework,
    member_of_framework,
    model_of,
)
from ragduck.graph.types.methods import find_member

SELF_NAMES = frozenset(("this", "self", "cls"))
BASE_NAMES = frozenset(("base", "super"))


def find_root(catalog: Catalog, name: str, *, file: FileFacts, owner: TypeInfo | None) -> Root:
    """Look a name up, or the dotted beginning of a longer one, from the inside outward."""
    key = (file.path, owner.key if owner is not None else "", name)
    known = catalog.memory.roots.get(key)
    if known is None:
        known = _of_foreign_base(catalog, name, owner=owner)
        known = known or _find_root(catalog, name, file=file, owner=owner)
        catalog.memory.roots[key] = known
    return known


def _of_foreign_base(catalog: Catalog, name: str, *, owner: TypeInfo | None) -> Root | None:
    """Find what `base.Channel` holds, of which no base is declared here."""
    first, _, rest = name.partition(".")
    if first not in BASE_NAMES or owner is None:
        return None
    held = inherited_from_framework(catalog, rest, owner=owner)
    return Root(type=held) if held is not None else None


def _find_root(catalog: Catalog, name: str, *, file: FileFacts, owner: TypeInfo | None) -> Root:
    if "." in name:
        return _qualified(catalog, name, file=file, owner=owner)
    special = _special(catalog, name, file=file, owner=owner)
    if special is not None:
        return Root(type=special)
    for rule, found in _places(catalog, name, file=file, owner=owner):
        if found is not None:
            return Root(found, rule=rule)
    inherited = member_of_framework(catalog, name, file=file, owner=owner)
    if inherited is not None:
        return Root(type=inherited)
    ref = catalog.resolve(name, file=file, owner=owner)
    if ref.info is not None:
        return Root(type=ref)
    return Root(path=_path(catalog, name, file=file))


def _places(
    catalog: Catalog, name: str, *, file: FileFacts, owner: TypeInfo | None
) -> Iterator[tuple[str, Found | None]]:
    yield "same type", _member_around(catalog, name, file=file, owner=owner)
    sight = catalog.sight_of(file)
    included = (catalog.own(catalog.types[key]) for key in sight.included)
    statics = (catalog.resolve(one, file=file) for one in sight.statics)
    yield "include", _member_of_any(catalog, included, name, file=file)
    yield "static import", _member_of_any(catalog, statics, name, file=file)
    yield "same module", _function(catalog, name, file=file)
    alias = sight.aliases.get(name)
    members = catalog.imported_functions(alias, file=file) if alias is not None else ()
    yield "import", _outside_of_types(members)


def _special(catalog: Catalog, name: str, *, file: FileFacts, owner: TypeInfo | None) -> TypeRef | None:
    if name in SELF_NAMES and owner is not None:
        return catalog.own(owner)
    if name in BASE_NAMES and owner is not None:
        bases = catalog.bases(owner)
        return next((one for one in bases if one.info is not None and not one.info.is_interface), None)
    if name == "Model" and file.language == "razor":
        return model_of(catalog, file)
    return None


def type_of_model(catalog: Catalog, written: str, *, file: FileFacts) -> TypeRef:
    """Say what `@model` means: not the view that says so, which may be called like its model."""
    return catalog.resolve(written, file=file)


def _member_around(catalog: Catalog, name: str, *, file: FileFacts, owner: TypeInfo | None) -> Found | None:
    outer_types = (catalog.own(outer) for outer in catalog.outer_types(owner))
    return next(filter(None, (_member_of(catalog, ref, name, file=file) for ref in outer_types)), None)


def _member_of(catalog: Catalog, ref: TypeRef, name: str, *, file: FileFacts) -> Found | None:
    """Find a member that its name alone means: a constructor is none, as the name that it has is the type's."""
    found = find_member(catalog, ref, name=name, file=file)
    is_type = found is not None and all(one.element_type == "constructor" for one in found.members)
    return None if is_type else found


def _member_of_any(catalog: Catalog, refs: Iterable[TypeRef], name: str, *, file: FileFacts) -> Found | None:
    return next(filter(None, (_member_of(catalog, ref, name, file=file) for ref in refs)), None)


def _function(catalog: Catalog, name: str, *, file: FileFacts) -> Found | None:
    """Find a function of the same module or package, in C# of the same file."""
    sight = catalog.sight_of(file)
    qualified = f"{sight.namespace}.{name}" if sight.namespace else name
    members = catalog.functions(qualified, language=file.language) or ()
    if family_of(file.language) == "csharp":
        members = [one for one in members if catalog.home_of(one) is file]
    return _outside_of_types(members)


def _outside_of_types(members: Sequence[MemberFact]) -> Found | None:
    return Found(tuple(members), TypeRef("")) if members else None


def _path(catalog: Catalog, name: str, *, file: FileFacts) -> str:
    """Return the full name of a namespace or module that a name may stand for."""
    return catalog.sight_of(file).aliases.get(name, name)


def _qualified(catalog: Catalog, path: str, *, file: FileFacts, owner: TypeInfo | None) -> Root:
    ref = catalog.resolve(path, file=file, owner=owner)
    if ref.info is not None:
        return Root(type=ref)
    found = _outside_of_types(catalog.imported_functions(path, file=file))
    return Root(found, rule="import") if found is not None else Root(path=path)
