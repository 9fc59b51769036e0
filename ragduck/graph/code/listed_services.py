"""Tell which services are handed out in lists, of which all implementations run and not one of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from ragduck.facts import CallFact, FileFacts, MemberFact, Name
from ragduck.graph.code.constructors import Asked, Service, asked_for, handed_out
from ragduck.graph.code.containers import shows_container, takes_container
from ragduck.graph.code.registrations import is_open
from ragduck.graph.code.taken import ASKING, ASKING_FOR_ALL, Taken
from ragduck.graph.file_rows import Reach
from ragduck.graph.rule_memory import RuleMemory, Terms, from_words, in_words
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.chains import function_name

_BY_KEY = frozenset(("GetKeyedService", "GetRequiredKeyedService", "ResolveKeyed", "ResolveNamed"))


class _Resolved(NamedTuple):
    """A service that a type asks a container for, and whether for all implementations of it."""

    service: str
    is_all: bool
    holder: str


class ListedServices:
    """The interfaces of which constructors ask for lists, and code asks a container for all that it knows.

    What code makes itself is given what it likes by that: its constructors say nothing of services, unless it is
    one of those that are ``registered``, by their keys. Where nothing tells of a container, that holds for all.
    """

    def __init__(self, catalog: Catalog, memory: RuleMemory, *, registered: Set[str]) -> None:
        self._catalog = catalog
        self._memory = memory
        self._registered = registered

    @property
    def told(self) -> Mapping[str, object]:
        """All that answers about a service depend on, the same in every process."""
        return {key: (sorted(holding), key in self._singly) for key, holding in self._holding.items()}

    def has(self, service: TypeInfo, *, how: Taken) -> bool:
        """Say whether all that stands behind a service is meant somewhere, and not one of it.

        That holds for each of a list that is handed out, but for none of another; where that is open, for a service
        that is not asked for singly as well.
        """
        if how is Taken.ONE or service.key not in self._holders:
            return False
        return how is Taken.EACH or service.key not in self._singly

    def is_handed_out(self, service: TypeInfo, holder: TypeInfo) -> bool:
        """Say whether a type, or one that derives from it, asks for a list of a service."""
        return holder.key in self._holding.get(service.key, ())

    @cached_property
    def _holding(self) -> Mapping[str, Set[str]]:
        """By service which types ask for lists of it, and what those derive from."""
        types = self._catalog.types
        return {
            service: {
                *holders,
                *(
                    ref.info.key
                    for one in holders
                    if one in types
                    for ref in self._catalog.ancestors(types[one])
                    if ref.info is not None
                ),
            }
            for service, holders in self._holders.items()
        }

    @cached_property
    def _holders(self) -> Mapping[str, Set[str]]:
        """By service the types that ask for lists of it."""
        return {service: set(holders) for service, holders in self._listed[1:]}

    @cached_property
    def _singly(self) -> frozenset[str]:
        """The services of which code asks for one, or a constructor, save that of a decorator."""
        return frozenset(self._listed[0][1])

    def read(self) -> None:
        """Read now what is asked for, rather than when it is needed."""
        self._listed  # noqa: B018

    @cached_property
    def _listed(self) -> Sequence[tuple[str, Sequence[str]]]:
        """What is asked for singly, without a name, then by service who asks for lists."""
        terms = Terms(after=("registrations",), regards=_asks, reach=Reach.OWN)
        return tuple(
            (key, names) for key, names in from_words(self._memory.words("listed", self._told, terms))
        )

    def _told(self) -> Mapping[str, str]:
        holders = self._read_holders()
        in_lists = [(service, sorted(each)) for service, each in holders.items()]
        return in_words([("", sorted(set(self._read_singly(holders)))), *in_lists])

    def _read_holders(self) -> Mapping[str, Set[str]]:
        found: defaultdict[str, set[str]] = defaultdict(set)
        for key, holder in self._asked_for():
            found[key].add(holder)
        for one in self._resolved:
            if one.is_all:
                found[one.service].add(one.holder)
        return found

    def _asked_for(self) -> Iterator[tuple[str, str]]:
        for info in self._catalog.types.values():
            written = [one for one in asked_for(self._catalog, info) if "<" in one.type or "[" in one.type]
            for asked in written if written and self._is_made_by_container(info) else ():
                service = handed_out(self._meant(asked, info))
                if service.is_listed and service.ref.info is not None and service.ref.info.is_interface:
                    yield service.ref.info.key, info.key

    @cached_property
    def _resolved(self) -> Sequence[_Resolved]:
        """What code asks a container for."""
        return tuple(
            _Resolved(
                service.ref.info.key,
                service.is_listed or function_name(fact.call) in ASKING_FOR_ALL,
                owner.key if (owner := self._catalog.owner_of(fact.source)) is not None else "",
            )
            for file in self._catalog.files_calling(ASKING_FOR_ALL | ASKING, tests=False)
            for fact in file.calls
            for service in self._resolved_by(fact, file)
            if service.ref.info is not None and service.ref.info.is_interface
        )

    def _resolved_by(self, fact: CallFact, file: FileFacts) -> Iterator[Service]:
        name, written = function_name(fact.call), fact.call.type_arguments
        is_bare = isinstance(fact.call.function, Name)
        if len(written) == 1 and (name in ASKING or (name in ASKING_FOR_ALL and not is_bare)):
            owner = self._catalog.owner_of(fact.source)
            yield handed_out(self._catalog.resolve(written[0], file=file, owner=owner))

    def _read_singly(self, listed: Iterable[str]) -> Iterator[str]:
        names = {self._catalog.types[key].name for key in listed}
        yield from (
            ref.info.key
            for info in self._catalog.types.values()
            for asked in asked_for(self._catalog, info)
            if any(name in asked.type for name in names)
            for ref in self._one_of(asked, info)
            if ref.info is not None
        )
        yield from (one.service for one in self._resolved if not one.is_all)

    def _one_of(self, asked: Asked, info: TypeInfo) -> Iterator[TypeRef]:
        service = handed_out(self._meant(asked, info))
        if service.is_listed or service.ref.info is None or not self._is_made_by_container(info):
            return
        if not any(ref.info is service.ref.info for ref in self._catalog.ancestors(info)):
            yield service.ref

    def _meant(self, asked: Asked, info: TypeInfo) -> TypeRef:
        return self._catalog.resolve(asked.type, file=asked.file, owner=info)

    def _is_made_by_container(self, info: TypeInfo) -> bool:
        """Say whether a class may be made by a container: it is told of it, or no code makes one, but for tests.

        What an abstract class is given those ask for that derive from it, or give it themselves.
        """
        is_class = info.language == "csharp" and info.declarations[0].element_type == "class"
        if info.is_test or not is_class or is_open(info):
            return False
        return info.key in self._registered or (self._has_container and not any(self._makers(info)))

    def is_made_by_code(self, info: TypeInfo) -> bool:
        """Say whether code makes a class for itself, and no container is told of it.

        Where it is made beside what a container is asked for, it may be given that.
        """
        is_class = info.language == "csharp" and info.declarations[0].element_type == "class"
        if not is_class or info.key in self._registered or is_open(info):
            return False
        makers = {file.path for file in self._makers(info)}
        return bool(makers) and makers.isdisjoint(self._asking)

    @cached_property
    def _asking(self) -> Set[str]:
        """The paths of the files that ask a container for services, but for tests."""
        calling = self._catalog.files_calling(ASKING | ASKING_FOR_ALL | _BY_KEY, tests=False)
        return {file.path for file in calling}

    def _makers(self, info: TypeInfo) -> Iterator[FileFacts]:
        making = (self._catalog.files_making, self._catalog.files_perhaps_making)
        yield from (file for files in making for file in files(info.name, tests=False))

    @cached_property
    def _has_container(self) -> bool:
        return bool(self._registered) or shows_container(self._catalog)


def _asks(member: MemberFact) -> bool:
    """Say whether a member is a constructor, or takes what shows that there is a container."""
    return member.element_type == "constructor" or takes_container(member)
