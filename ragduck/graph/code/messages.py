"""Find the methods that handle messages: commands, events and requests, whose senders name no handler."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ragduck.facts import Call, MemberFact
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.senders import Senders
from ragduck.graph.types.arities import declared_members
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.findings import Found
from ragduck.graph.types.inheritance import spelled

RULE = "message handler"
SENT = 0.8
OWN_ENVELOPES = ("Context", "Envelope")
ENVELOPES = (*OWN_ENVELOPES, "Message", "Notification")
MAX_HANDLERS = 20  # of one message; more handle all of a kind

_HANDLES = re.compile(r"^I?\w*(Handler|Handles?|HandleMessages|Consumer|Subscriber)(Async)?$")
_PLAIN_HANDLING = re.compile(r"^(Handle|Consume)(Event|Message)?(Async)?$")
_HANDLING = re.compile(r"^(Handle|Consume)\w*$")
_DOING = re.compile(r"^(Consume|Execute|Handle|Process|Receive)(Async)?$")


class Handler(NamedTuple):
    """A method with the message that it takes, type arguments included."""

    member: MemberFact
    message: TypeRef


class MessageHandlers:
    """The handlers of a snapshot: methods of types that derive from a handler of a message, and take that message."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self.of: Mapping[str, Sequence[Handler]] = self._read()

    def add_edges(self, edges: EdgeCollector) -> None:
        """Add Handles edges from messages to the methods that handle them."""
        for key, handlers in self.of.items():
            for one in handlers:
                site = Site(self._catalog.home_of(one.member).path, one.member.line)
                edges.add(key, one.member.key, relation="Handles", rule=RULE, at=site)

    def told(self) -> Mapping[str, frozenset[str]]:
        """Return the handlers of each message in words that are the same in every process, by the message's key."""
        return {key: frozenset(_in_words(one) for one in handlers) for key, handlers in self.of.items()}

    @cached_property
    def senders(self) -> Senders:
        """The methods that send what they are given; looked for when it is first asked."""
        return Senders(self._catalog, self.of.keys())

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
            handlers = self.of.get(message.info.key, ()) if message.info is not None else ()
            if not 0 < len(handlers) <= MAX_HANDLERS:
                continue
            if any(self._takes_first(one, message) for one in self._named(name, called)):
                continue
            for one in self._fitting(handlers, message, is_test=evaluator.file.file_class == "test"):
                if one.key not in seen:
                    seen.add(one.key)
                    yield one

    def _fitting(
        self, handlers: Sequence[Handler], message: TypeRef, *, is_test: bool
    ) -> Iterator[MemberFact]:
        for one in handlers:
            if _fits(one.message, message) and (is_test or not self._catalog.types[one.member.owner].is_test):
                yield one.member

    def _named(self, name: str, keys: Collection[str]) -> Iterator[MemberFact]:
        for key in keys:
            owner = self._catalog.owner_of(key)
            yield from owner.members.get(name, ()) if owner is not None else ()

    def _takes_first(self, member: MemberFact, message: TypeRef) -> bool:
        taken = self._taken(member)
        return taken is not None and _takes(taken, message)

    def _taken(self, member: MemberFact) -> TypeRef | None:
        """Return the type of a method's first parameter."""
        if not member.parameters:
            return None
        file, owner = self._catalog.home_of(member), self._catalog.types.get(member.owner)
        return self._catalog.resolve(member.parameters[0].type, file=file, owner=owner)

    def _read(self) -> dict[str, list[Handler]]:
        found: defaultdict[str, list[Handler]] = defaultdict(list)
        for info in self._catalog.types.values():
            if info.is_interface or family_of(info.language) != "csharp":
                continue
            for ref in self._catalog.ancestors(info):
                for handler in self._by_base(info, ref):
                    if handler.message.info is not None and handler.message.info is not info:
                        found[handler.message.info.key].append(handler)
        return dict(found)

    def _by_base(self, info: TypeInfo, base: TypeRef) -> Iterator[Handler]:
        """Yield what a type handles as one of its bases says."""
        if _HANDLES.match(base.name if base.info is None else base.info.name):
            handlers = self._marked(info) if self._is_marker(base) else self._of_base(info, base, _HANDLING)
            yield from handlers
        elif base.arguments and (verb := _verb_of(base.info)):
            yield from self._of_base(info, base, re.compile(verb))

    def _of_base(self, info: TypeInfo, base: TypeRef, handling: re.Pattern[str]) -> Iterator[Handler]:
        for message in base.arguments[:1]:
            yield from (Handler(member, message) for member in self._taking(info, message, handling))

    def _is_marker(self, ref: TypeRef) -> bool:
        """Say whether an interface declares nothing, so that methods are found by their names and parameters.

        A generic interface of that name may declare what it likes.
        """
        if ref.info is None or ref.arguments or not ref.info.is_interface:
            return False
        is_plain = any(not one.type_parameters for one in ref.info.declarations)
        return is_plain and not declared_members(self._catalog, [ref])

    def _marked(self, info: TypeInfo) -> Iterator[Handler]:
        """Yield what a class handles of which a base only says that it handles something."""
        for name, members in info.members.items():
            for member in members if _PLAIN_HANDLING.match(name) else ():
                taken = self._taken(member)
                if taken is not None and member.kind == "METHOD" and "static" not in member.modifiers:
                    yield Handler(member, _opened(taken))

    def _taking(self, info: TypeInfo, message: TypeRef, handling: re.Pattern[str]) -> Iterator[MemberFact]:
        """Yield the type's own methods of such names that take a message, or something around it."""
        for name, members in info.members.items():
            if not handling.fullmatch(name.rpartition(".")[2]):
                continue
            for member in members:
                if member.kind == "METHOD" and self._takes_first(member, message):
                    yield member


def _verb_of(info: TypeInfo | None) -> str:
    """Return the name of the only method of `IExecute<T>`, if it is `Execute` and takes that T; "" for others."""
    verb = info.name.removeprefix("I") if info is not None and info.is_interface else ""
    if info is None or not _DOING.match(verb) or list(info.members) != [verb]:
        return ""
    taken = info.members[verb][0].parameters[:1]
    return verb if [one.type for one in taken] == list(info.type_parameters[:1]) else ""


def _in_words(handler: Handler) -> str:
    parameters = (one.type for one in handler.member.parameters)
    return " ".join((handler.member.key, *parameters, spelled(handler.message)))


def _opened(taken: TypeRef) -> TypeRef:
    """Look into `ConsumeContext<T>`."""
    is_envelope = len(taken.arguments) == 1 and taken.name.endswith(
        ENVELOPES if taken.info is None else OWN_ENVELOPES
    )
    return taken.arguments[0] if is_envelope else taken


def _takes(taken: TypeRef, message: TypeRef) -> bool:
    """Say whether a parameter is a message, or `ConsumeContext<T>` of it."""
    taken = _opened(taken)
    return taken.info is message.info and _fits(message, taken)


def _fits(wanted: TypeRef, given: TypeRef) -> bool:
    """Compare the type arguments of two messages: what a handler wants to know must be known."""
    pairs = zip(wanted.arguments, given.arguments, strict=False)
    return all(one.info is None or one.info is other.info for one, other in pairs)
