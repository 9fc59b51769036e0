"""Tell what the constructors of types ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ragduck.facts import FileFacts, MemberFact, TypeFact
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.externals import LISTS

# What containers hand services out in, besides lists; `ILogger<Foo>` is no request for a Foo
HANDED_OUT_IN = frozenset(
    (
        "Lazy",
        "Func",
        "Owned",
        "Meta",
        "IDbContextFactory",
        "Provider",
        "ObjectProvider",
        "Instance",
        "Supplier",
    )
)
OPTIONS = frozenset(("IOptions", "IOptionsSnapshot", "IOptionsMonitor"))  # hand out what is configured
CONSTRUCTORS = ("__init__", "constructor")


class Asked(NamedTuple):
    """A type that is asked for, where and how; ``by`` declares the parameter, if it is one."""

    type: str
    file: FileFacts
    line: int
    rule: str = "constructor"
    by: MemberFact | TypeFact | None = None


def service_of(ref: TypeRef) -> TypeRef:
    """Look into `IEnumerable<IFoo>`, `Lazy<IFoo>`, `Func<IFoo>`, `IOptions<FooOptions>`."""
    is_around = ref.name in LISTS or ref.name in HANDED_OUT_IN or ref.name in OPTIONS
    return ref.arguments[0] if is_around and ref.info is None and len(ref.arguments) == 1 else ref


def _primary(info: TypeInfo) -> Iterator[Asked]:
    for declared, file in zip(info.declarations, info.files, strict=True):
        yield from (Asked(one.type, file, declared.line, by=declared) for one in declared.parameters)


def _constructors(catalog: Catalog, info: TypeInfo) -> Iterator[Asked]:
    for name in (info.name, *CONSTRUCTORS):
        for member in info.members.get(name, ()):
            if member.element_type == "constructor" and "static" not in member.modifiers:
                file = catalog.home_of(member)
                yield from (Asked(one.type, file, member.line, by=member) for one in member.parameters)


def asked_for(catalog: Catalog, info: TypeInfo) -> Iterator[Asked]:
    """Yield what all constructors of a type ask for."""
    yield from _primary(info)
    yield from _constructors(catalog, info)


def decorates(catalog: Catalog, info: TypeInfo, service: TypeInfo, *, file: FileFacts) -> bool:
    """Say whether a type implements a service, and a constructor in a file asks for another implementation.

    What asks for two, or for a list, may be a node of a tree, which holds others of its own kind.
    """
    own = {len(ref.arguments) for ref in catalog.ancestors(info) if ref.info is service}
    counts: Counter[tuple[str, int]] = Counter()
    for one in asked_for(catalog, info) if own else ():
        ref = catalog.resolve(one.type, file=file, owner=info) if one.file is file else None
        if ref is not None and ref.name not in LISTS and _is_of(service_of(ref), service, own):
            counts[one.by.key if one.by is not None else "", one.line] += 1
    return bool(counts) and max(counts.values()) == 1


def _is_of(ref: TypeRef, service: TypeInfo, counts: AbstractSet[int]) -> bool:
    return ref.info is service and len(ref.arguments) in counts
