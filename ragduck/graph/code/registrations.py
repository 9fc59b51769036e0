"""Read what containers are told: which implementation stands behind a service."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from ragduck.facts import Call, Expression, FileFacts, Lambda, Member, Name, New, TypeOf
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.chains import function_name, receiver_of
from ragduck.graph.types.inheritance import binding_of, substitute

REGISTRATIONS = frozenset(
    (
        "AddScoped",
        "AddTransient",
        "AddSingleton",
        "TryAddScoped",
        "TryAddTransient",
        "TryAddSingleton",
        "AddKeyedScoped",
        "AddKeyedTransient",
        "AddKeyedSingleton",
        "AddHttpClient",
        "Replace",
        "Scoped",  # of `ServiceDescriptor.Scoped<IFoo, Foo>()`
        "Transient",
        "Singleton",
        "RegisterType",
        "RegisterInstance",
        "RegisterSingleton",
        "Register",
    )
)
# Autofac, Ninject, StructureMap and Castle Windsor say it in two calls, with others between them
_SERVICE = "As"  # of `RegisterType<Foo>().As<IFoo>()`; what has a name is only for those who ask for that
_ALL_INTERFACES = "AsImplementedInterfaces"
_MADE = frozenset(("RegisterType", "Register", "RegisterInstance", "RegisterGeneric"))
_IMPLEMENTATIONS = frozenset(  # of `Bind<IFoo>().To<Foo>()`
    ("To", "ToMethod", "Use", "UseIfNone", "TheDefaultIsConcreteType", "ImplementedBy", "UsingFactoryMethod")
)
_BY_MODULES = (
    "ImplementedBy"  # with `typeof(Repository<>)` one of several libraries says so for those who have it
)
_ASKED = frozenset(("Bind", "Rebind", "For", "ForRequestedType", "ForSingletonOf"))
_TELLING = REGISTRATIONS | _IMPLEMENTATIONS | {_SERVICE, _ALL_INTERFACES}
_MAX_LINKS = 30


class Registration(NamedTuple):
    """What a file tells a container: what stands behind a service, by keys; nothing where that cannot be read.

    ``arguments`` are those of the service, empty where they are open.
    """

    service: str
    arguments: tuple[str, ...]
    implementation: str
    path: str


class Registrations:
    """What containers are told in the files of a snapshot, but for its tests."""

    def __init__(self, catalog: Catalog) -> None:
        found: defaultdict[str, dict[Registration, None]] = defaultdict(dict)
        for one in _read(catalog):
            found[one.service][one] = None
        self._by_service: Mapping[str, Sequence[Registration]] = {
            key: tuple(each) for key, each in found.items()
        }
        self.implementations = frozenset(one.implementation for each in found.values() for one in each)

    @property
    def told(self) -> Mapping[str, frozenset[str]]:
        """All that answers depend on, in words."""
        return {
            key: frozenset(" ".join((*one.arguments, one.implementation, one.path)) for one in each)
            for key, each in self._by_service.items()
        }

    def of(self, service: str, arguments: tuple[str, ...]) -> Sequence[Registration]:
        """Return what is told of a service with these type arguments, else what is told of it with open ones."""
        told = self._by_service.get(service, ())
        if not any(arguments):
            return told
        closed = [one for one in told if any(one.arguments) and agree(one.arguments, arguments)]
        return closed or [one for one in told if not any(one.arguments)]


def keys_of(ref: TypeRef) -> tuple[str, ...]:
    """Return the keys of type arguments, empty where they are not known."""
    return tuple(one.info.key if one.info is not None else "" for one in ref.arguments)


def agree(some: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Say whether type arguments are the same as far as they are known."""
    return all(not one or not other or one == other for one, other in zip(some, others, strict=False))


def is_open(info: TypeInfo) -> bool:
    """Say whether nothing is of a type but what is of one that derives from it."""
    return info.is_interface or "abstract" in info.declarations[0].modifiers


def _read(catalog: Catalog) -> Iterator[Registration]:
    for file in catalog.files_calling(_TELLING):
        if file.file_class == "test":
            continue
        for fact in file.calls:
            if function_name(fact.call) not in _TELLING or not isinstance(fact.call.function, Member):
                continue
            for service, made in _Place(catalog, file, fact.source).told(fact.call):
                if service.info is not None:
                    info = made.info if made is not None else None
                    implementation = info.key if info is not None and not is_open(info) else ""
                    yield Registration(service.info.key, keys_of(service), implementation, file.path)


class _Place:
    """A place where a container is told something."""

    def __init__(self, catalog: Catalog, file: FileFacts, source: str) -> None:
        self._catalog = catalog
        self._file = file
        self._owner = catalog.owner_of(source)

    def told(self, call: Call) -> Iterator[tuple[TypeRef, TypeRef | None]]:
        """Yield services with what implements them, which may be the services themselves."""
        name = function_name(call)
        if name in REGISTRATIONS:
            given = self._given(call)[:2]
            if given and (len(given) > 1 or call.arguments or not _is_abstract(given[0])):
                yield given[0], given[-1]
        made = self._inner(call, _MADE) if name in (_SERVICE, _ALL_INTERFACES) else None
        if made is not None:
            implementation = made[-1] if made else None
            services = self._given(call) if name == _SERVICE else self._interfaces(implementation)
            yield from ((one, implementation) for one in services)
        is_told = name in _IMPLEMENTATIONS and (name != _BY_MODULES or bool(call.type_arguments))
        asked = self._inner(call, _ASKED) if is_told else None
        if asked:
            implementation = next(iter(self._given(call)), None)
            yield from ((one, implementation) for one in asked)

    def _inner(self, call: Call, names: Collection[str]) -> list[TypeRef] | None:
        """Return the types that the call is given which begins a chain, between which and this one others may be."""
        inner = receiver_of(call)
        for _ in range(_MAX_LINKS):
            if not isinstance(inner, Call):
                break
            if function_name(inner) in names:
                return self._given(inner)
            inner = receiver_of(inner)
        return None

    def _interfaces(self, ref: TypeRef | None) -> list[TypeRef]:
        if ref is None or ref.info is None:
            return []
        interfaces = [one for one in self._catalog.ancestors(ref.info) if one.info and one.info.is_interface]
        return [substitute(one, binding_of(ref)) for one in interfaces]

    def _given(self, call: Call) -> list[TypeRef]:
        """Return the types that a call is given, as type arguments or else as arguments."""
        written = [*call.type_arguments, *(self._type_named(one.value) for one in call.arguments)]
        return [self._catalog.resolve(one, file=self._file, owner=self._owner) for one in written if one]

    def _type_named(self, value: Expression) -> str:
        if isinstance(value, Lambda):
            return value.made
        if isinstance(value, Name):
            return self._made_by(value.name)
        return value.type if isinstance(value, (TypeOf, New)) else ""

    def _made_by(self, name: str) -> str:
        """Return what a method makes that is named for it: `AddScoped<IStore>(CreateStore)`."""
        members = self._owner.members.get(name, ()) if self._owner is not None else ()
        for member in members:
            if member.kind == "METHOD":
                return member.value.type if isinstance(member.value, New) else member.type
        return ""


def _is_abstract(ref: TypeRef) -> bool:
    return ref.info is not None and is_open(ref.info)
