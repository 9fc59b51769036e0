"""Find the methods that a call of an interface's or abstract method can reach."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ragduck.facts import FileFacts, MemberFact
from ragduck.graph.code.constructors import decorates
from ragduck.graph.code.listed_services import ListedServices
from ragduck.graph.code.registrations import Registration, Registrations, agree, is_open, keys_of
from ragduck.graph.code.taken import Taken
from ragduck.graph.code.wcf import is_client
from ragduck.graph.rule_memory import RuleMemory
from ragduck.graph.told import EVERYWHERE, digest, of_implementation, of_service
from ragduck.graph.types.applications import Applications, is_sample
from ragduck.graph.types.arity import has_namesake
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.declarations import is_visual_basic

MAX_IMPLEMENTATIONS = 8
MAX_LISTED = 200  # implementations of a service that is handed out in lists
MAX_DERIVED = 500
REGISTERED = 0.95
ONLY = 0.8
ONE_OF_SEVERAL = 0.5
EACH = 0.8
EACH_RULE = "each of a collection"
HIDDEN = ("private", "protected")


class Choice(NamedTuple):
    """An implementation with how sure it is that it is the one that is meant, and why."""

    info: TypeInfo
    rule: str
    confidence: float


class _Meant(NamedTuple):
    """What may be meant somewhere; ``is_told`` holds where a container is told of it."""

    infos: Sequence[TypeInfo]
    is_told: bool = False


class Implementations:
    """Choose implementations: the registered ones if there are any, else all that are not made for tests.

    ``registrations`` has what containers are told anywhere. ``applications`` tell who knows of that, and which of
    several classes of one name may run beside a file. What its ``RULES`` say is read once.
    """

    RULES = ("registrations", "scans", "listed")

    def __init__(self, catalog: Catalog, memory: RuleMemory | None = None) -> None:
        memory = memory or RuleMemory()
        self._catalog = catalog
        self.registrations = Registrations(catalog, memory)
        self._found: dict[tuple[str, tuple[str, ...]], tuple[TypeInfo, ...]] = {}
        self._chosen: dict[tuple[str, tuple[str, ...], str, str], tuple[Choice, ...]] = {}
        self._decorators: dict[tuple[str, str, str], bool] = {}
        self._each: dict[tuple[str, tuple[str, ...], str], tuple[TypeInfo, ...]] = {}
        self._listed = ListedServices(catalog, memory, registered=self.registrations.implementations)
        self.applications = Applications(catalog)

    def read(self) -> None:
        """Read what is asked for in lists, which most answers depend on, now rather than when it is needed."""
        self._listed.read()

    @cached_property
    def told(self) -> Mapping[str, str]:
        """All that answers depend on beside declarations, by what is asked for.

        Where a container is told nothing of a service, it does not matter who makes what stands behind it.
        """
        told, listed = self.registrations, self._listed.told
        registered = {key: (told.told_of(key), sorted(self._made_of(key).items())) for key in told.services}
        services = {
            of_service(key): digest((registered.get(key), listed.get(key)))
            for key in {**registered, **listed}
        }
        of_all = sorted((key, sorted(each)) for key, each in self.applications.told_of_all.items())
        implementations = {of_implementation(key): "" for key in told.implementations}
        return {EVERYWHERE: digest(of_all), **self.applications.told_near, **services, **implementations}

    @property
    def told_of_choices(self) -> Mapping[str, frozenset[str]]:
        """All that `of` depends on, in words: not on which services are handed out in lists."""
        made = [self._made_of(service) for service in self.registrations.services]
        found = {f"new {key}": frozenset(makers) for each in made for key, makers in each.items()}
        return {**found, **self.registrations.told}

    def _made_of(self, service: str) -> Mapping[str, Sequence[str]]:
        """Return who makes what may stand behind a service, by key."""
        found = {one.key: sorted(self._makers(one)) for one in self._derived(self._catalog.types[service])}
        return {key: makers for key, makers in found.items() if makers}

    def is_registered(self, info: TypeInfo) -> bool:
        """Say whether a container is told of an implementation."""
        self._catalog.watch.asked_told(of_implementation(info.key))
        return info.key in self.registrations.implementations

    def is_handed_out(self, service: TypeInfo | None, holder: TypeInfo) -> bool:
        """Say whether a container hands a list of a service to a type, or to one that derives from it."""
        if service is not None:
            self._catalog.watch.asked_told(of_service(service.key))
        return service is not None and self._listed.is_handed_out(service, holder)

    def is_made_by_code(self, info: TypeInfo) -> bool:
        """Say whether code makes a class for itself, and no container is told of it."""
        return not self.is_registered(info) and self._listed.is_made_by_code(info)

    def behind(
        self, ref: TypeRef, *, near: FileFacts, by: TypeInfo | None = None, how: Taken = Taken.OPEN
    ) -> tuple[Choice, ...]:
        """Return what stands behind a service in a file: all that there is of one that is handed out in lists.

        There what a container is told of it leaves out nothing: others may be told elsewhere, or found by it.
        ``how`` says how what is asked for what it does is taken out of a list.
        """
        if ref.info is not None and near.file_class != "test" and self._listed.has(ref.info, how=how):
            self._catalog.watch.asked_told(of_service(ref.info.key))  # as `of` does
            self.applications.ask_near(near.path)
            each = [one for one in self._each_of(ref, ref.info, near=near) if one is not by]
            if 1 < len(each) <= MAX_LISTED:
                return tuple(Choice(one, EACH_RULE, EACH) for one in each)
        found = self.of(ref, near=near, by=by)
        if ref.info is not None and by is not None and is_client(self._catalog, by, ref.info):
            return tuple(one for one in found if not is_client(self._catalog, one.info, ref.info))
        return found

    def _each_of(self, ref: TypeRef, info: TypeInfo, *, near: FileFacts) -> tuple[TypeInfo, ...]:
        """Return what may run beside a file of all that derives from an interface; its type arguments are known."""
        arguments = keys_of(ref)
        if not all(arguments):
            return ()
        key = (info.key, arguments, near.path.rpartition("/")[0])
        if key not in self._each:
            running = [one for one in self._all_of(info, arguments) if self._may_run(one, near.path)]
            self._each[key] = tuple(self._without_copies(running, near=near))
        return self._each[key]

    def _all_of(self, info: TypeInfo, arguments: tuple[str, ...]) -> tuple[TypeInfo, ...]:
        """Return all that may be meant by an interface with some type arguments, anywhere."""
        key = (info.key, arguments)
        if key not in self._found:
            self._found[key] = tuple(self._candidates(info, arguments))
        return self._found[key]

    def of(self, ref: TypeRef, *, near: FileFacts, by: TypeInfo | None = None) -> tuple[Choice, ...]:
        """Return the types that stand behind an interface or abstract class in a file, none if there are too many.

        ``by`` is the type that asks: behind what a decorator is given stands not that decorator.
        """
        if ref.info is None:
            return ()
        self._catalog.watch.asked_told(of_service(ref.info.key))
        self.applications.ask_near(near.path)
        arguments = keys_of(ref)
        decorator = by if by is not None and self._decorates(by, ref.info, near=near) else None
        key = (ref.info.key, arguments, near.path.rpartition("/")[0], decorator.key if decorator else "")
        if key not in self._chosen:
            found, told = self._all_of(ref.info, arguments), self.registrations.of(ref.info.key, arguments)
            if decorator is not None:
                found, told = self._within(decorator, found, told)
            meant = self._meant(found, told, near=near.path)
            if meant.is_told and self._is_scanned(ref.info.key, near=near.path):
                meant = self._with_known(meant, found, near=near.path)
            chosen = self._without_copies(meant.infos, near=near)
            self._chosen[key] = tuple(_choices(chosen, is_registered=meant.is_told))
        return self._chosen[key]

    def _decorates(self, info: TypeInfo, service: TypeInfo, *, near: FileFacts) -> bool:
        key = (info.key, service.key, near.path)
        if key not in self._decorators:
            found = decorates(self._catalog, info, service, file=near)
            self._decorators[key] = found or self._is_told_around(info, service)
        return self._decorators[key]

    def _is_told_around(self, info: TypeInfo, service: TypeInfo) -> bool:
        """Say whether containers take a type that is a service, or what derives from it, for decorators alone.

        Those are given what they decorate however they like: by a property, or in another part of a class.
        """
        told = self.registrations.of(service.key, ())
        if not any(one.is_around for one in told) or not self._is_of(info, service):
            return False
        own = [one for one in told if one.implementation and self._is_kin(one.implementation, info)]
        return bool(own) and all(one.is_around for one in own)

    def _is_kin(self, key: str, info: TypeInfo) -> bool:
        return key == info.key or self._is_of(self._catalog.types[key], info)

    def _is_of(self, info: TypeInfo, base: TypeInfo) -> bool:
        return any(ref.info is base for ref in self._catalog.ancestors(info))

    def _within(
        self, decorator: TypeInfo, found: tuple[TypeInfo, ...], told: Sequence[Registration]
    ) -> tuple[tuple[TypeInfo, ...], Sequence[Registration]]:
        """Return what may stand behind what a decorator is given, and what of that a container is told.

        A base of decorators is given what they are.
        """
        others = tuple(one for one in found if one is not decorator and not self._is_of(one, decorator))
        kin = {decorator.key, *(one.key for one in found)} - {one.key for one in others}
        own = [(at, one) for at, one in enumerate(told) if one.implementation in kin]
        first = own[0][0] if own else len(told)
        inner = [
            one
            for at, one in enumerate(told)
            if one.implementation not in kin and not (one.is_around and at > first)
        ]
        if own and not told[first].is_around:
            given = [(one, each.key) for _, one in own for each in others if each.key in one.given]
            inner = [one._replace(implementation=key, is_around=False) for one, key in given] or inner
        return (others, inner) if others else (found, told)

    def _candidates(self, info: TypeInfo, arguments: tuple[str, ...]) -> Iterator[TypeInfo]:
        """Yield all that may be meant; clients of a service only where that is elsewhere."""
        found = [
            one
            for one in self._derived(info)
            if one.is_test <= info.is_test and self._fits(one, info, arguments=arguments)
        ]
        yield from [one for one in found if not is_client(self._catalog, one, info)] or found

    def _meant(self, found: Sequence[TypeInfo], told: Sequence[Registration], *, near: str) -> _Meant:
        """Return what may be meant in a file: what its project says, else those that it refers to, else others."""
        if not told or not found:
            return _Meant(found)
        knows, project = self.applications.leads_to, self.applications.project_of(near)
        own = [one for one in told if self.applications.project_of(one.path) == project]
        known = own or [one for one in told if knows(near, one.path)]
        if known:
            using = [one for one in told if knows(one.path, near) and not is_sample(one.path)]
            seen = [one for one in found if self._is_known(one, near)]
            return _registered(found, [*known, *using]) or _Meant(seen or found)
        others = [one for one in told if self.applications.may_share(one.path, near)]
        if not others:  # as in tests and plugins, to which no application refers
            running = [one for one in found if self._may_run(one, near)]
            return self._told_by_others(running or found, told, near=near, is_beside=False)
        is_beside = not any(knows(one.path, near) for one in others)
        return self._told_by_others(found, others, near=near, is_beside=is_beside)

    def _is_scanned(self, service: str, *, near: str) -> bool:
        """Say whether a container that runs a file finds implementations of a service by itself as well."""
        knows = self.applications.leads_to
        paths = self.registrations.scanned_in(service)
        return any(knows(near, path) or (knows(path, near) and not is_sample(path)) for path in paths)

    def _with_known(self, meant: _Meant, found: Sequence[TypeInfo], *, near: str) -> _Meant:
        """Return what is registered and all that the project of a file knows, else all that there is."""
        known = {one.key for one in found if self._is_known(one, near)} or {one.key for one in found}
        known.update(one.key for one in meant.infos)
        infos = [one for one in found if one.key in known]
        return _Meant(infos, is_told=len(infos) == len(meant.infos))

    def _told_by_others(
        self, found: Sequence[TypeInfo], told: Sequence[Registration], *, near: str, is_beside: bool
    ) -> _Meant:
        """Return what those register that the project of a file does not know, as an application for its libraries.

        What such a library makes itself, without a container, may be meant, too; and whatever it knows, where it does
        not know what is registered by those that do not know it, but run ``is_beside`` it. Samples decide nothing.
        """
        if not is_sample(near):
            told = [one for one in told if not is_sample(one.path)]
        registered = _registered(found, told) if told else None
        if registered is None:
            return _Meant(found)
        others = [one for one in found if one not in registered.infos and self._is_known(one, near)]
        is_strange = is_beside and not any(self._is_known(one, near) for one in registered.infos)
        made = [one for one in others if is_strange or self._is_made(one, found, near=near)]
        return _Meant([*registered.infos, *made], is_told=not made)

    def _is_made(self, one: TypeInfo, found: Sequence[TypeInfo], *, near: str) -> bool:
        """Say whether the project of a file, or one that it refers to, makes objects of a class for itself.

        What an implementation makes is what it decorates, or there once and for all.
        """
        decorators = {file.path for each in found for file in each.files}
        return any(self.applications.leads_to(near, each) for each in self._makers(one) - decorators)

    def _makers(self, one: TypeInfo) -> frozenset[str]:
        return frozenset(file.path for file in self._catalog.files_making(one.name, tests=False))

    def _is_known(self, one: TypeInfo, near: str) -> bool:
        return any(self.applications.leads_to(near, file.path) for file in one.files)

    def _may_run(self, one: TypeInfo, near: str) -> bool:
        return any(self.applications.may_share(file.path, near) for file in one.files)

    def _without_copies(self, found: Sequence[TypeInfo], *, near: FileFacts) -> Sequence[TypeInfo]:
        """Leave out what other applications beside that of a file have under the same name: their `Repository<T>`."""
        count = Counter(one.name for one in found)
        if len(count) == len(found):
            return found
        together = {one.key for one in found if count[one.name] == 1 or self._may_run(one, near.path)}
        named = {one.name for one in found if one.key in together}
        return [one for one in found if one.key in together or one.name not in named]

    def _derived(self, info: TypeInfo) -> Iterator[TypeInfo]:
        """Yield the classes that derive from a type and can be made, in the order of their keys.

        A Web Form does what the class behind it does.
        """
        seen = {info.key}
        pending = deque(self._catalog.derived(info))
        while pending and len(seen) < MAX_DERIVED:
            one = pending.popleft()
            if one.key in seen:
                continue
            seen.add(one.key)
            pending.extend(self._catalog.derived(one))
            is_form = one.language == "webforms"
            if not is_open(one) and not is_form:
                yield one

    def _fits(self, one: TypeInfo, info: TypeInfo, *, arguments: tuple[str, ...]) -> bool:
        """Compare the type arguments with which a class derives, as far as they are known."""
        refs = [ref for ref in self._catalog.ancestors(one) if ref.info is info] if any(arguments) else []
        return not refs or any(agree(arguments, keys_of(ref)) for ref in refs)


def _registered(found: Sequence[TypeInfo], told: Sequence[Registration]) -> _Meant | None:
    """Return what is registered, if all of that is known: the outermost decorator, if there are any."""
    around = [one for one in told if one.is_around]
    told = around[-1:] if len({one.path for one in around}) == 1 else around or told
    keys = {one.implementation for one in told}
    infos = [one for one in found if one.key in keys]
    return _Meant(infos, is_told=True) if infos and "" not in keys else None


def _choices(chosen: Sequence[TypeInfo], *, is_registered: bool) -> Iterator[Choice]:
    if len(chosen) == 1:
        rule, confidence = ("registration", REGISTERED) if is_registered else ("only implementation", ONLY)
        yield Choice(chosen[0], rule, confidence)
    elif len(chosen) <= MAX_IMPLEMENTATIONS:
        yield from (Choice(one, "one of several implementations", ONE_OF_SEVERAL) for one in chosen)


def to_implement(catalog: Catalog, declaring: TypeRef, *, receiver: TypeRef | None) -> TypeRef:
    """Return the type of which a call reaches implementations: that of the receiver, if it inherits what is called.

    What implements the base alone is not among them: `IReadStore` may have stores that are no `IStore`.
    """
    if receiver is None or receiver.info is None or not is_open(receiver.info):
        return declaring
    inherits = any(ref.info is declaring.info for ref in catalog.ancestors(receiver.info))
    return receiver if inherits else declaring


def implementing(catalog: Catalog, info: TypeInfo, *, member: MemberFact) -> list[MemberFact]:
    """Return the methods by which a type answers to a base's method: explicit ones, own or inherited ones.

    Those of as many parameters count, however far up they are declared, else the nearest of the name.
    """
    base = catalog.types.get(member.owner)
    explicit = _explicit(catalog, info, member=member) if base is not None else []
    if explicit:
        return explicit
    nearest: list[MemberFact] = []
    for one in (info, *(ref.info for ref in catalog.inherited(info))):
        if one is base:
            break  # what it leaves open nobody above does for it
        found = _of_name(one, member) if one is not None and not one.is_interface else []
        if base is not None and base.is_interface:
            found = _as_visible(catalog, found, member)
        exact = [each for each in found if len(each.parameters) == len(member.parameters)]
        if exact:
            return exact
        nearest = nearest or found
    return nearest


def _explicit(catalog: Catalog, info: TypeInfo, *, member: MemberFact) -> list[MemberFact]:
    """Return the members that a type declares for an interface's: a generic one may have a plain namesake."""
    base = catalog.types[member.owner]
    own = [one for one in info.explicit.get(member.name, ()) if one.name.split(".")[-2] == base.name]
    if not own or not has_namesake(catalog, base):
        return own
    return [one for one in own if one.interface_arity == member.arity]


def _of_name(info: TypeInfo, member: MemberFact) -> list[MemberFact]:
    """Return the members that a type declares under the name of another's."""
    return [
        one for one in info.members.get(member.name, ()) if one.key != member.key and one.kind == member.kind
    ]


def _as_visible(catalog: Catalog, found: list[MemberFact], member: MemberFact) -> list[MemberFact]:
    """Prefer what is as visible as an interface's method; only Visual Basic lets hidden methods implement it."""
    alike = [one for one in found if one.visibility == member.visibility]
    return alike or [
        one for one in found if not one.visibility.startswith(HIDDEN) or is_visual_basic(catalog.home_of(one))
    ]
