"""Find the methods that handle messages: commands, events and requests, whose senders name no handler."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from ragduck.facts import Call, FileFacts, MemberFact
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.message_handlers import Handler, fits, may_handle, read_handlers, takes
from ragduck.graph.code.senders import ASKING, Senders
from ragduck.graph.file_rows import Reach
from ragduck.graph.rule_memory import RuleMemory, Terms
from ragduck.graph.told import digest, of_message
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.findings import Found
from ragduck.graph.types.inheritance import spelled
from ragduck.graph.types.methods import parameter_type

RULE = "message handler"
SENT = 0.8
AUTHORIZE = (
    "Authorize"  # some resource by a requirement; the framework asks the handlers of that kind of resource
)
MAX_HANDLERS = 20  # of one message; more handle all of a kind


class MessageHandlers:
    """The handlers of a snapshot: methods of types that derive from a handler of a message, and take that message."""

    def __init__(self, catalog: Catalog, memory: RuleMemory | None = None) -> None:
        self._catalog = catalog
        self._memory = memory or RuleMemory()
        found: defaultdict[str, list[Handler]] = defaultdict(list)
        for one in catalog.once(read_handlers):
            if one.message.info is not None:
                found[one.message.info.key].append(one)
        self.of: Mapping[str, Sequence[Handler]] = dict(found)

    def add_edges(self, edges: EdgeCollector) -> None:
        """Add Handles edges from messages to the methods that handle them."""
        for key, handlers in self.of.items():
            for one in handlers:
                site = Site(self._catalog.home_of(one.member).path, one.member.line)
                edges.add(key, one.member.key, relation="Handles", rule=RULE, at=site)

    def told(self) -> Mapping[str, str]:
        """Return what is told of the handlers of each message, the same in every process."""
        return {
            of_message(key): digest(sorted(map(self._in_words, handlers)))
            for key, handlers in self.of.items()
        }

    def _in_words(self, handler: Handler) -> str:
        """Say what a handler takes, and whether it is one of tests: who sends something names the message alone."""
        member = handler.member
        places = range(len(member.parameters))
        taken = (parameter_type(self._catalog, member, position=place) for place in places)
        parameters = (spelled(one) if one is not None else "" for one in taken)
        is_test = self._catalog.types[member.owner].is_test
        return " ".join((member.key, *parameters, spelled(handler.message), str(is_test)))

    def _may_handle(self, member: MemberFact) -> bool:
        return may_handle(self._catalog, member)

    @cached_property
    def senders(self) -> Senders:
        """The methods that send what they are given; looked for when it is first asked."""
        found: list[Senders] = []

        def telling() -> dict[str, str]:
            found[:] = [Senders(self._catalog, self.of.keys())]
            return dict.fromkeys(sorted(found[0].telling), digest(sorted(found[0].told.items())))

        def known_of(paths: Collection[str]) -> Senders:
            if not found:
                found.append(Senders(self._catalog, self.of.keys(), telling=paths))
            return found[0]

        def finds(file: FileFacts, known: Mapping[str, str]) -> Iterable[object]:
            return known_of(known).told_by(file)

        terms = Terms(finds=finds, is_by_file=True, regards=self._may_handle, reach=Reach.NAMES)
        return known_of(self._memory.words("senders", telling, terms))

    def reached(
        self, call: Call, evaluator: Evaluator, *, called: Collection[str], found: Found | None = None
    ) -> Iterator[MemberFact]:
        """Yield the methods that handle the messages that a call sends.

        ``called`` are the keys of what the call means, and ``found`` is what that is declared as: a method that takes
        just this message handles it itself.
        """
        name = function_name(call)
        if not self.of or not self.senders.may_send(name):
            return
        seen: set[str] = set()
        for message in self.senders.sent_by(call, evaluator, found=found):
            handlers = self._of(message.info) if message.info is not None else ()
            if not 0 < len(handlers) <= MAX_HANDLERS:
                continue
            if any(self._takes(one, message) for one in self._named(name, called)):
                continue
            for one in self._fitting(handlers, message, evaluator=evaluator, name=name):
                if one.key not in seen and (
                    not name.startswith(AUTHORIZE)
                    or self._judges(one, call, evaluator, is_only=len(handlers) == 1)
                ):
                    seen.add(one.key)
                    yield one

    def _of(self, info: TypeInfo) -> Sequence[Handler]:
        """Return the handlers of a message, none of what is none."""
        self._catalog.watch.asked_told(of_message(info.key))
        return self.of.get(info.key, ())

    def _fitting(
        self, handlers: Sequence[Handler], message: TypeRef, *, evaluator: Evaluator, name: str
    ) -> Iterator[MemberFact]:
        """Yield the handlers of a message; what a handler executes with its own message is something else."""
        is_test = evaluator.file.file_class == "test"
        own = evaluator.owner.key if evaluator.owner is not None and name in ASKING else ""
        for one in handlers:
            is_known = is_test or not self._catalog.types[one.member.owner].is_test
            if is_known and one.member.owner != own and fits(one.message, message):
                yield one.member

    def _judges(self, handler: MemberFact, call: Call, evaluator: Evaluator, *, is_only: bool) -> bool:
        """Say whether what is authorized is what a handler takes beside the requirement, or none else handles it."""
        places = range(len(handler.parameters))
        wanted = self._resources(parameter_type(self._catalog, handler, position=place) for place in places)
        given = self._resources(evaluator.bound(evaluator.type_of(one.value)) for one in call.arguments)
        if not wanted or not given:
            return is_only or not wanted
        bases = (ref.info for info in given.values() for ref in self._catalog.ancestors(info))
        return not wanted.keys().isdisjoint({*given, *(base.key for base in bases if base is not None)})

    def _resources(self, refs: Iterable[TypeRef | None]) -> Mapping[str, TypeInfo]:
        """Return the types among some that are declared here and no messages, by key."""
        infos = (ref.info for ref in refs if ref is not None)
        return {info.key: info for info in infos if info is not None and not self._of(info)}

    def _named(self, name: str, keys: Collection[str]) -> Iterator[MemberFact]:
        for key in keys:
            owner = self._catalog.owner_of(key)
            yield from owner.members.get(name, ()) if owner is not None else ()

    def _takes(self, member: MemberFact, message: TypeRef) -> bool:
        places = range(len(member.parameters))
        return any(takes(self._catalog, member, message, place=place) for place in places)
