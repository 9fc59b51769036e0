"""Read which methods handle which messages off the bases of their types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ragduck.facts import MemberFact
from ragduck.graph.types.arities import declared_members
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.declarations import family_of, is_interface_name
from ragduck.graph.types.inheritance import binding_of
from ragduck.graph.types.methods import parameter_type

OWN_ENVELOPES = ("Context", "Envelope")
ENVELOPES = (*OWN_ENVELOPES, "Message", "Notification")

_HANDLES = re.compile(
    r"^I?\w*(Handler|Handles?|HandleMessages|Consumer|Subscriber|PipelineBehaviou?r|Request(?:Pre|Post)Processor)(Async)?$"
)
_PLAIN_HANDLING = re.compile(r"^(Handle|Consume)(Event|Message)?(Async)?$")
_HANDLING = re.compile(r"^(Handle|Consume)\w*$")
_DOING = re.compile(r"^(Consume|Execute|Handle|Process|Receive)(Async)?$")
_SAYS_SO = re.compile(f"{_HANDLING.pattern}|{_DOING.pattern}")
_OVERRIDABLE = frozenset(("abstract", "virtual"))


class Handler(NamedTuple):
    """A method with the message that it takes, type arguments included."""

    member: MemberFact
    message: TypeRef


class _Declared(NamedTuple):
    """A method of a base that takes a type parameter at a ``place`` among its ``parameters``."""

    name: str
    place: int
    parameters: int


def may_handle(catalog: Catalog, member: MemberFact) -> bool:
    """Say whether it may depend on a member what types handle: rather too often than not."""
    owner = catalog.types.get(member.owner)
    for info in catalog.below([owner]) if owner is not None else ():
        for ref in (catalog.own(info), *catalog.ancestors(info)):
            names = (ref.name, ref.info.name if ref.info is not None else "")
            if any(_HANDLES.match(name) or _DOING.match(name.removeprefix("I")) for name in names):
                return True
    return owner is None


def read_handlers(catalog: Catalog) -> Iterator[Handler]:
    """Yield the handlers of a snapshot."""
    for info in catalog.types.values():
        if info.is_interface or family_of(info.language) != "csharp":
            continue
        found = [one for ref in catalog.ancestors(info) for one in _by_base(catalog, info, ref)]
        yield from _best(one for one in found if one.message.info not in (None, info))


def _best(found: Iterable[Handler]) -> Iterator[Handler]:
    """Leave out what else a type does about a message that it handles by a method that is called like it."""
    found = list(found)
    doing = {_message_key(one) for one in found if _SAYS_SO.match(_last_name(one.member))}
    for one in found:
        if _message_key(one) not in doing or _SAYS_SO.match(_last_name(one.member)):
            yield one


def _message_key(handler: Handler) -> str:
    return handler.message.info.key if handler.message.info is not None else ""


def takes(catalog: Catalog, member: MemberFact, message: TypeRef, *, place: int) -> bool:
    """Say whether a parameter of a method is a message, or `ConsumeContext<T>` of it."""
    if place >= len(member.parameters):
        return False
    taken = parameter_type(catalog, member, position=place)
    return taken is not None and _is_message(taken, message)


def takes_anywhere(catalog: Catalog, member: MemberFact, message: TypeRef) -> bool:
    """Say whether just one parameter of a method is a message."""
    places = range(len(member.parameters))
    return sum(takes(catalog, member, message, place=place) for place in places) == 1


def fits(wanted: TypeRef, given: TypeRef) -> bool:
    """Compare the type arguments of two messages: what a handler wants to know must be known."""
    pairs = zip(wanted.arguments, given.arguments, strict=False)
    return all(one.info is None or one.info is other.info for one, other in pairs)


def _by_base(catalog: Catalog, info: TypeInfo, base: TypeRef) -> Iterator[Handler]:
    """Yield what a type handles as one of its bases says."""
    if _HANDLES.match(base.name if base.info is None else base.info.name):
        if _is_marker(catalog, base):
            yield from _marked(catalog, info)
        elif base.arguments:
            yield from _as_declared(catalog, info, base) or _by_name(catalog, info, base)
    elif base.arguments and (verb := _verb_of(base.info)):
        message = base.arguments[0]
        for one in _methods(info):
            if _last_name(one) == verb and takes(catalog, one, message, place=0):
                yield Handler(one, message)


def _as_declared(catalog: Catalog, info: TypeInfo, base: TypeRef) -> list[Handler]:
    """Return the methods of a type that implement those by which a base that is declared here takes its message.

    That is what its first type parameter stands for that a method takes.
    """
    for parameter, message in binding_of(base).items():
        declared = list(_declared(catalog, base, parameter))
        doing = [one for one in declared if _DOING.match(one.name)]
        if declared:
            wanted = set(doing or declared)
            return [
                Handler(one, message)
                for one in _methods(info)
                for place in range(len(one.parameters))
                if _Declared(_last_name(one), place, len(one.parameters)) in wanted
                and takes(catalog, one, message, place=place)
            ]
    return []


def _declared(catalog: Catalog, base: TypeRef, parameter: str) -> Iterator[_Declared]:
    """Yield the methods of a base that take a type parameter; those of a class are called like handlers."""
    is_interface = base.info is not None and base.info.is_interface
    for name, members in declared_members(catalog, [base]).items():
        for one in members:
            is_handling = is_interface or (one.modifiers & _OVERRIDABLE and _SAYS_SO.match(name))
            if one.kind != "METHOD" or not is_handling:
                continue
            for place in range(len(one.parameters)):
                taken = parameter_type(catalog, one, position=place)
                opened = _opened(taken) if taken is not None else None
                if opened is not None and opened.info is None and opened.name == parameter:
                    yield _Declared(name, place, len(one.parameters))


def _by_name(catalog: Catalog, info: TypeInfo, base: TypeRef) -> Sequence[Handler]:
    """Return the methods of a type that take the message of a base of which nothing else is known.

    They are called like it, best with the message in front; of an interface the only method that takes it will do.
    """
    message = base.arguments[0]
    taking = [one for one in _methods(info) if takes_anywhere(catalog, one, message)]
    handling = [one for one in taking if _HANDLING.match(_last_name(one))]
    found = [one for one in handling if takes(catalog, one, message, place=0)] or handling
    if not found and base.info is None and is_interface_name(base.name):
        public = [one for one in taking if one.visibility == "public" and "static" not in one.modifiers]
        found = public if len(taking) == 1 else []
    return [Handler(one, message) for one in found]


def _is_marker(catalog: Catalog, ref: TypeRef) -> bool:
    """Say whether an interface declares nothing, so that methods are found by their names and parameters.

    A generic interface of that name may declare what it likes.
    """
    if ref.info is None or ref.arguments or not ref.info.is_interface:
        return False
    is_plain = any(not one.type_parameters for one in ref.info.declarations)
    return is_plain and not declared_members(catalog, [ref])


def _marked(catalog: Catalog, info: TypeInfo) -> Iterator[Handler]:
    """Yield what a class handles of which a base only says that it handles something."""
    for one in _methods(info):
        if _PLAIN_HANDLING.match(one.name) and "static" not in one.modifiers and one.parameters:
            taken = parameter_type(catalog, one, position=0)
            if taken is not None:
                yield Handler(one, _opened(taken))


def _methods(info: TypeInfo) -> Iterator[MemberFact]:
    for members in info.members.values():
        for one in members:
            if one.kind == "METHOD" and one.element_type != "constructor":
                yield one


def _last_name(member: MemberFact) -> str:
    return member.name.rpartition(".")[2]


def _verb_of(info: TypeInfo | None) -> str:
    """Return the name of the only method of `IExecute<T>`, if it is `Execute` and takes that T; "" for others."""
    verb = info.name.removeprefix("I") if info is not None and info.is_interface else ""
    if info is None or not _DOING.match(verb) or list(info.members) != [verb]:
        return ""
    taken = info.members[verb][0].parameters[:1]
    return verb if [one.type for one in taken] == list(info.type_parameters[:1]) else ""


def _opened(taken: TypeRef) -> TypeRef:
    """Look into `ConsumeContext<T>`."""
    is_envelope = len(taken.arguments) == 1 and taken.name.endswith(
        ENVELOPES if taken.info is None else OWN_ENVELOPES
    )
    return taken.arguments[0] if is_envelope else taken


def _is_message(taken: TypeRef, message: TypeRef) -> bool:
    taken = _opened(taken)
    return message.info is not None and taken.info is message.info and fits(message, taken)
