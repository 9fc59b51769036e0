"""Read which services containers look implementations up for themselves, by going through assemblies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ragduck.facts import Call, CallFact, Expression, FileFacts, Lambda, Member, New, Text, TypeOf
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import function_name, receiver_of

# Autofac, Scrutor, StructureMap and Castle Windsor
_BEGINNINGS = frozenset(("RegisterAssemblyTypes", "RegisterAssemblyOpenGenericTypes", "AddClasses"))
_SERVICES = frozenset(("As", "AsClosedTypesOf"))  # that all have which are found
_ALL_INTERFACES = frozenset(("AsImplementedInterfaces", "AsMatchingInterface"))
_OF_ONE = frozenset(("AddAllTypesOf", "ConnectImplementationsToTypesClosing"))
_MARKERS = frozenset(("AssignableTo", "BasedOn"))
_ASSIGNABLE = "IsAssignableFrom"  # of `typeof(IDependency)`, by whoever goes through types itself
_BY_REFLECTION = {"As": 1, "AddScoped": 2, "AddTransient": 2, "AddSingleton": 2}  # with so many arguments
_NAMES = _BEGINNINGS | _OF_ONE | {"BasedOn", _ASSIGNABLE}
_MAX_LINKS = 30


class Scan(NamedTuple):
    """A file in which a container finds implementations of a service; those of any where there is no key."""

    service: str
    path: str


def read_scans(catalog: Catalog) -> Iterator[Scan]:
    """Yield the services for which containers find implementations, by file; tests are left out.

    A marker stands for the interfaces that derive from it.
    """
    for file in catalog.files_calling(_NAMES, tests=False):
        for key in dict.fromkeys(_found_in(file, catalog)):
            yield Scan(key, file.path)


def _found_in(file: FileFacts, catalog: Catalog) -> Iterator[str]:
    calls = file.calls
    markers = [
        info for fact in calls if function_name(fact.call) in _MARKERS for info in _types(fact, file, catalog)
    ]
    if any(_registers_by_reflection(fact.call) for fact in calls):
        markers.extend(_assignable(calls, file, catalog))
    for marker in {one.key: one for one in markers}.values():
        yield from _services_below(marker, catalog)
    for fact in calls:
        name = function_name(fact.call)
        if name in _OF_ONE or (name in _SERVICES and _is_begun(fact.call)):
            yield from (info.key for info in _types(fact, file, catalog))
        elif name in _ALL_INTERFACES and not markers and _is_begun(fact.call):
            yield ""


def _is_begun(call: Call) -> bool:
    """Say whether a chain begins with going through assemblies."""
    inner = receiver_of(call)
    for _ in range(_MAX_LINKS):
        if not isinstance(inner, Call):
            break
        if function_name(inner) in _BEGINNINGS:
            return True
        inner = receiver_of(inner)
    return False


def _types(fact: CallFact, file: FileFacts, catalog: Catalog) -> Iterator[TypeInfo]:
    """Yield the types that a call is given."""
    given = (one.value.type for one in fact.call.arguments if isinstance(one.value, TypeOf))
    yield from _resolved((*fact.call.type_arguments, *given), fact, file, catalog)


def _assignable(calls: Iterable[CallFact], file: FileFacts, catalog: Catalog) -> Iterator[TypeInfo]:
    """Yield the interfaces without members by which code tells which types it registers."""
    for fact in calls:
        function = fact.call.function
        if isinstance(function, Member) and function.name == _ASSIGNABLE:
            written = function.receiver.type if isinstance(function.receiver, TypeOf) else ""
            for info in _resolved((written,), fact, file, catalog):
                if info.is_interface and not info.members:
                    yield info


def _resolved(
    written: Iterable[str], fact: CallFact, file: FileFacts, catalog: Catalog
) -> Iterator[TypeInfo]:
    owner = catalog.owner_of(fact.source)
    for one in written:
        info = catalog.resolve(one, file=file, owner=owner).info if one else None
        if info is not None:
            yield info


def _registers_by_reflection(call: Call) -> bool:
    """Say whether a call registers for a service that is only known when it runs."""
    least = _BY_REFLECTION.get(function_name(call))
    if least is None or call.type_arguments or len(call.arguments) < least:
        return False
    return not any(_is_written(one.value) for one in call.arguments)


def _is_written(value: Expression) -> bool:
    return isinstance(value, (TypeOf, New, Lambda, Text))


def _services_below(marker: TypeInfo, catalog: Catalog) -> Iterator[str]:
    """Yield the keys of an interface and of those that derive from it; of a class those of what it implements."""
    if not marker.is_interface:
        yield from (ref.info.key for ref in catalog.ancestors(marker) if ref.info and ref.info.is_interface)
        return
    pending, seen = [marker], {marker.key}
    while pending:
        one = pending.pop()
        yield one.key
        below = [each for each in catalog.derived(one) if each.is_interface and each.key not in seen]
        seen.update(each.key for each in below)
        pending.extend(below)
