"""Find the classes that generic types are closed with: `Order` of `class Orders : Store<Order>`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from ragduck.facts import FileFacts
from ragduck.graph.types.catalog import Catalog, TypeInfo

_CLASSES = frozenset(("class", "record"))


def arguments_of(generic: Mapping[str, Set[str]], catalog: Catalog) -> Iterator[TypeInfo]:
    """Yield `Order` of `class Orders : Store<Order>` and of members `IStore<Order>`, where stores are generic."""
    known = {key: places for key, names in generic.items() if (places := _places(catalog.types[key], names))}
    for key, names in generic.items() if known else ():
        for ref in catalog.ancestors(catalog.types[key]):
            if ref.info is not None and (places := _places(ref.info, names)):
                known.setdefault(ref.info.key, places)
    if not known:
        return
    written = re.compile(rf"\b(?:{'|'.join(sorted({re.escape(catalog.types[key].name) for key in known}))})<")
    for info in catalog.types.values():
        refs = list(catalog.ancestors(info)) if info.declarations[0].bases else []
        for type_, file in _written_types(info, catalog):
            if "<" in type_ and written.search(type_):
                refs.append(catalog.resolve(type_, file=file, owner=info))
        for ref in refs:
            for place in known.get(ref.info.key, ()) if ref.info is not None else ():
                given = ref.arguments[place].info if place < len(ref.arguments) else None
                if given is not None and may_be_entity(given):
                    yield given


def _places(info: TypeInfo, names: Set[str]) -> Sequence[int]:
    """Return where the type parameters of these names stand; interfaces of one parameter may call it otherwise."""
    if info.is_interface and len(info.type_parameters) == 1:
        return (0,)
    return [place for place, name in enumerate(info.type_parameters) if name in names]


def _written_types(info: TypeInfo, catalog: Catalog) -> Iterator[tuple[str, FileFacts]]:
    """Yield the types of what a class has, takes and gives, and the files that name them."""
    for declared, file in zip(info.declarations, info.files, strict=True):
        yield from ((parameter.type, file) for parameter in declared.parameters)
    for members in info.members.values():
        for member in members:
            file = catalog.home_of(member)
            yield member.type, file
            yield from ((parameter.type, file) for parameter in member.parameters)


def may_be_entity(info: TypeInfo) -> bool:
    """Say whether a type is a class that tables may hold."""
    return info.declarations[0].element_type in _CLASSES and not info.type_parameters
