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
WITH_METADATA = frozenset(("Lazy", "Meta"))
OPTIONS = frozenset(("IOptions", "IOptionsSnapshot", "IOptionsMonitor"))  # hand out what is configured
CONSTRUCTORS = ("__init__", "constructor")
MAX_AROUND = 4  # of `IEnumerable<Lazy<Meta<IFoo>>>`


class Asked(NamedTuple):
    """A type that is asked for, where and how; ``by`` declares the parameter, if it is one."""

    type: str
    file: FileFacts
    line: int
    rule: str = "constructor"
    by: MemberFact | TypeFact | None = None


class Service(NamedTuple):
    """What a container is asked for; ``is_listed`` holds where that is all it knows of it."""

    ref: TypeRef
    is_listed: bool = False


def handed_out(ref: TypeRef) -> Service:
    """Look into `IEnumerable<IFoo>`, `Lazy<IFoo>`, `Func<IFoo>`, `IOptions<FooOptions>`, one within another.

    `Lazy<IFoo, Metadata>` and `Meta<IFoo, Metadata>` say something of the service as well.
    """
    is_listed = False
    for _ in range(MAX_AROUND):
        if ref.info is not None or not _is_around(ref):
            break
        is_listed = is_listed or ref.name in LISTS
        ref = ref.arguments[0]
    return Service(ref, is_listed)


def _is_around(ref: TypeRef) -> bool:
    if len(ref.arguments) == 2:
        return ref.name in WITH_METADATA
    return len(ref.arguments) == 1 and (ref.name in LISTS or ref.name in HANDED_OUT_IN or ref.name in OPTIONS)


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
        asked = handed_out(catalog.resolve(one.type, file=file, owner=info)) if one.file is file else None
        if asked is not None and not asked.is_listed and _is_of(asked.ref, service, own):
            counts[one.by.key if one.by is not None else "", one.line] += 1
    return bool(counts) and max(counts.values()) == 1


def _is_of(ref: TypeRef, service: TypeInfo, counts: AbstractSet[int]) -> bool:
    return ref.info is service and len(ref.arguments) in counts
