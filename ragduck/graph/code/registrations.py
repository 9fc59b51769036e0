"""Read what containers are told: which implementation stands behind a service."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ragduck.facts import Call, Expression, FileFacts, Lambda, Member, Name, New, TypeOf
from ragduck.graph.code.scans import read_scans
from ragduck.graph.file_rows import Reach
from ragduck.graph.rule_memory import RuleMemory, Terms, from_words, in_words, is_nothing
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
_DECORATIONS = frozenset(("Decorate", "TryDecorate", "RegisterDecorator", "RegisterGenericDecorator"))
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
_TELLING = REGISTRATIONS | _DECORATIONS | _IMPLEMENTATIONS | {_SERVICE, _ALL_INTERFACES}
_MAX_LINKS = 30


class Registration(NamedTuple):
    """What a file tells a container: what stands behind a service, by keys; nothing where that cannot be read.

    ``arguments`` are those of the service, empty where they are open. ``is_around`` holds for a decorator of what is
    told before. ``given`` are the classes that the implementation is made with.
    """

    service: str
    arguments: tuple[str, ...]
    implementation: str
    path: str
    is_around: bool = False
    given: tuple[str, ...] = ()


class Registrations:
    """What containers are told in the files of a snapshot, but for its tests."""

    def __init__(self, catalog: Catalog, memory: RuleMemory) -> None:
        found: defaultdict[str, dict[Registration, None]] = defaultdict(dict)
        terms = Terms(finds=lambda file, _: _read_off(file, catalog), regards=is_nothing, reach=Reach.NAMES)
        registered = memory.words("registrations", lambda: in_words(_read(catalog)), terms)
        for service, arguments, implementation, path, is_around, given in from_words(registered):
            one = Registration(service, tuple(arguments), implementation, path, is_around, tuple(given))
            found[service][one] = None
        self._by_service: Mapping[str, Sequence[Registration]] = {
            key: tuple(each) for key, each in found.items()
        }
        self.implementations = frozenset(one.implementation for each in found.values() for one in each)
        self._scans: defaultdict[str, list[str]] = defaultdict(list)
        for service, path in from_words(memory.words("scans", lambda: in_words(read_scans(catalog)))):
            self._scans[service].append(path)

    @property
    def told(self) -> Mapping[str, frozenset[str]]:
        """All that answers depend on, in words."""
        scans = {f"scan {key}": frozenset(paths) for key, paths in self._scans.items()}
        return scans | {
            key: frozenset(f"{place} {one[1:]}" for place, one in enumerate(each))
            for key, each in self._by_service.items()
        }

    def told_of(self, service: str) -> object:
        """All that answers about a service depend on, the same in every process."""
        told = [tuple(one) for one in self._by_service.get(service, ())]
        return told, self._scans.get(service, ()), self._scans.get("", ())

    @property
    def services(self) -> Iterable[str]:
        """The keys of the services of which containers are told."""
        return self._by_service.keys()

    def scanned_in(self, service: str) -> Iterator[str]:
        """Yield the files in which a container finds implementations of a service by itself.

        What such a file says of the service itself is said by who knows what else is found.
        """
        telling = {one.path for one in self._by_service.get(service, ())}
        for path in (*self._scans.get(service, ()), *self._scans.get("", ())):
            if path not in telling:
                yield path

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
    for file in catalog.files_calling(_TELLING, tests=False):
        yield from catalog.watch.all_in(file, partial(_read_off, file, catalog))


def _read_off(file: FileFacts, catalog: Catalog) -> Iterator[Registration]:
    for fact in file.calls:
        if function_name(fact.call) not in _TELLING or not isinstance(fact.call.function, Member):
            continue
        place = _Place(catalog, file, fact.source)
        for service, made in place.told(fact.call):
            if service.info is not None:
                yield Registration(
                    service.info.key,
                    keys_of(service),
                    _class_key(made),
                    file.path,
                    is_around=function_name(fact.call) in _DECORATIONS,
                    given=tuple(place.given(fact.call)),
                )


def _class_key(ref: TypeRef | None) -> str:
    return ref.info.key if ref is not None and ref.info is not None and not is_open(ref.info) else ""


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
        if name in _DECORATIONS:
            yield from self._decorated(self._given(call)[:2])
        begun = self._begun(call, _MADE) if name in (_SERVICE, _ALL_INTERFACES) else None
        if begun is not None:
            made = self._given(begun)
            implementation = made[-1] if made else None
            services = self._given(call) if name == _SERVICE else self._interfaces(implementation)
            yield from ((one, implementation) for one in services)
        is_told = name in _IMPLEMENTATIONS and (name != _BY_MODULES or bool(call.type_arguments))
        asking = self._begun(call, _ASKED) if is_told else None
        if asking is not None:
            implementation = next(iter(self._given(call)), None)
            yield from ((one, implementation) for one in self._given(asking))

    def given(self, call: Call) -> Iterator[str]:
        """Yield the keys of classes that a lambda makes an implementation with."""
        telling = self._begun(call, _MADE) if function_name(call) in (_SERVICE, _ALL_INTERFACES) else None
        for one in (telling or call).arguments:
            for written in one.value.given if isinstance(one.value, Lambda) else ():
                key = _class_key(self._resolve(written))
                if key:
                    yield key

    def _decorated(self, given: list[TypeRef]) -> Iterator[tuple[TypeRef, TypeRef]]:
        """Yield a service with its decorator, of which Autofac is told first."""
        if len(given) == 2:
            service, decorator = given if _is_abstract(given[0]) else reversed(given)
            yield service, decorator

    def _begun(self, call: Call, names: Collection[str]) -> Call | None:
        """Return the call that begins a chain, between which and this one others may be."""
        inner = receiver_of(call)
        for _ in range(_MAX_LINKS):
            if not isinstance(inner, Call):
                break
            if function_name(inner) in names:
                return inner
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
        return [self._resolve(one) for one in written if one]

    def _resolve(self, written: str) -> TypeRef:
        return self._catalog.resolve(written, file=self._file, owner=self._owner)

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
