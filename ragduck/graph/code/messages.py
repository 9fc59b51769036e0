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
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.findings import Found

RULE = "message handler"
SENT = 0.8
ENVELOPES = ("Context", "Envelope", "Message", "Notification")
MAX_HANDLERS = 20  # of one message; more handle all of a kind

_HANDLES = re.compile(r"^I?\w*(Handler|Handles?|HandleMessages|Consumer|Subscriber)$")
_HANDLING = re.compile(r"^(Handle|Consume)\w*$")


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
        file, owner = self._catalog.home_of(member), self._catalog.types.get(member.owner)
        taken = (self._catalog.resolve(one.type, file=file, owner=owner) for one in member.parameters[:1])
        return any(_takes(one, message) for one in taken)

    def _read(self) -> dict[str, list[Handler]]:
        found: defaultdict[str, list[Handler]] = defaultdict(list)
        for info in self._catalog.types.values():
            if info.is_interface or family_of(info.language) != "csharp":
                continue
            for ref in self._catalog.ancestors(info):
                message = ref.arguments[0] if ref.arguments else None
                if message is None or message.info is None or message.info is info:
                    continue
                if _HANDLES.match(ref.name if ref.info is None else ref.info.name):
                    members = self._taking(info, message)
                    found[message.info.key].extend(Handler(member, message) for member in members)
        return dict(found)

    def _taking(self, info: TypeInfo, message: TypeRef) -> Iterator[MemberFact]:
        """Yield the type's own handling methods that take a message, or something around it."""
        for name, members in info.members.items():
            if not _HANDLING.match(name.rpartition(".")[2]):
                continue
            for member in members:
                if member.kind == "METHOD" and self._takes_first(member, message):
                    yield member


def _takes(taken: TypeRef, message: TypeRef) -> bool:
    """Say whether a parameter is a message, or `ConsumeContext<T>` of it."""
    if taken.info is None and len(taken.arguments) == 1 and taken.name.endswith(ENVELOPES):
        taken = taken.arguments[0]
    return taken.info is message.info and _fits(message, taken)


def _fits(wanted: TypeRef, given: TypeRef) -> bool:
    """Compare the type arguments of two messages: what a handler wants to know must be known."""
    pairs = zip(wanted.arguments, given.arguments, strict=False)
    return all(one.info is None or one.info is other.info for one, other in pairs)
