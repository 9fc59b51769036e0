"""Read what containers are told: which implementation stands behind an interface."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from ragduck.facts import Call, Expression, FileFacts, Lambda, Member, Name, New, TypeOf
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import function_name, receiver_of

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


def read_registrations(catalog: Catalog) -> dict[str, frozenset[str]]:
    """Return the implementations that a container is told of, by the key of what they stand for."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for file in catalog.files_calling(_TELLING):
        if file.file_class == "test":
            continue
        for fact in file.calls:
            if function_name(fact.call) not in _TELLING or not isinstance(fact.call.function, Member):
                continue
            for service, implementation in _Place(catalog, file, fact.source).told(fact.call):
                found[service.key].add(implementation.key)
    return {key: frozenset(keys) for key, keys in found.items()}


class _Place:
    """A place where a container is told something."""

    def __init__(self, catalog: Catalog, file: FileFacts, source: str) -> None:
        self._catalog = catalog
        self._file = file
        self._owner = catalog.owner_of(source)

    def told(self, call: Call) -> Iterator[tuple[TypeInfo, TypeInfo]]:
        """Yield services with their implementations, which may be the services themselves."""
        name = function_name(call)
        if name in REGISTRATIONS:
            both = self._given(call)[:2]
            if both and both[0] is not None and both[-1] is not None:
                yield both[0], both[-1]
        made = self._inner(call, _MADE) if name in (_SERVICE, _ALL_INTERFACES) else []
        if len(made) == 1 and made[0] is not None:
            services = self._interfaces(made[0]) if name == _ALL_INTERFACES else self._given(call)
            yield from ((one, made[0]) for one in services if one is not None)
        is_told = name in _IMPLEMENTATIONS and (name != _BY_MODULES or bool(call.type_arguments))
        asked = self._inner(call, _ASKED) if is_told else []
        for implementation in self._given(call)[:1] if asked else ():
            if implementation is not None:
                yield from ((one, implementation) for one in asked if one is not None)

    def _inner(self, call: Call, names: Collection[str]) -> list[TypeInfo | None]:
        """Return the types that the call is given which begins a chain, between which and this one others may be."""
        inner = receiver_of(call)
        for _ in range(_MAX_LINKS):
            if not isinstance(inner, Call):
                break
            if function_name(inner) in names:
                return self._given(inner)
            inner = receiver_of(inner)
        return []

    def _interfaces(self, info: TypeInfo) -> list[TypeInfo | None]:
        return [ref.info for ref in self._catalog.ancestors(info) if ref.info and ref.info.is_interface]

    def _given(self, call: Call) -> list[TypeInfo | None]:
        """Return the types that a call is given, as type arguments or else as arguments."""
        written = [*call.type_arguments, *(self._type_named(one.value) for one in call.arguments)]
        return [self._resolve(one) for one in written if one]

    def _resolve(self, written: str) -> TypeInfo | None:
        return self._catalog.resolve(written, file=self._file, owner=self._owner).info

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
