"""Put values together, never larger than bounds that hostile input would otherwise pass."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from ragduck.facts import (
    REQUEST_MESSAGE,
    REST_REQUEST,
    UNKNOWN,
    Argument,
    Awaited,
    Call,
    Choice,
    DelegateParameter,
    Element,
    Expression,
    Joined,
    Lambda,
    LambdaParameter,
    Member,
    Name,
    NameOf,
    New,
    OutArgument,
    Text,
    Typed,
    TypeOf,
    Unknown,
)

TUPLE = "()"  # the type of what is made of `(a, b)`
MAX_PARTS = 200  # of a string that is put together
MAX_JOINED = 100_000  # characters of such a string
MAX_OPTIONS = 20
MAX_NODES = 300  # of a value that a local holds or a string is made of
MAX_DEPTH = 40
SMALL_NODES = 24  # of a call or object that is kept as an argument
MAX_SPINE = 120  # levels of `a.B().C()`, two for each call
_TELLING = {
    REQUEST_MESSAGE: 2,
    REST_REQUEST: 2,
    "Uri": 2,
    **dict.fromkeys(
        ("HttpMethod", "RestClient", "RestClientOptions", "Url", "FlurlRequest", "FlurlClient"), 1
    ),
}  # objects of which the first arguments tell who is asked
VERB = "Method"  # of a request
REQUEST_PARTS = {  # of a request, in the order of its constructor, that are set after it is made
    REQUEST_MESSAGE: (VERB, "RequestUri"),
    REST_REQUEST: ("Resource", VERB),
}
ROUTE_VALUES = frozenset(("controller", "action", "area"))  # that an anonymous object names

LEAVES = frozenset((Unknown, Name, Text, TypeOf, NameOf, Typed, Lambda))
STRINGS = frozenset((Text, Joined))
_PASSING = (Call, Awaited, Lambda, LambdaParameter, DelegateParameter, OutArgument, Element)  # of no member


def joined(parts: Iterable[Expression]) -> Expression:
    """Return one string of its parts, neighbouring texts as one; what goes beyond the bounds is unknown."""
    flat: list[Expression] = []
    texts: list[Text] = []
    length = 0
    for part in _flat(parts):
        if isinstance(part, Text):
            if not part.value:
                continue
            length += len(part.value)
            texts.append(part)
        else:
            flat.extend(_merged(texts))
            texts = []
            flat.append(part)
        if length > MAX_JOINED or len(flat) >= MAX_PARTS:
            texts = texts if len(texts) <= 1 else texts[:-1]
            flat.extend((*_merged(texts), UNKNOWN))
            return Joined(tuple(flat))
    flat.extend(_merged(texts))
    if len(flat) == 1 and isinstance(flat[0], Text):
        return flat[0]
    return Joined(tuple(flat)) if flat else Text("")


def _flat(parts: Iterable[Expression]) -> Iterable[Expression]:
    for part in parts:
        if isinstance(part, Joined):
            yield from part.parts
        else:
            yield part


def _merged(texts: list[Text]) -> tuple[Text, ...]:
    if len(texts) <= 1:
        return tuple(texts)
    return (Text("".join(text.value for text in texts)),)


def choice(options: Iterable[Expression], *, is_fallback: bool = False) -> Expression:
    """Return the one known value, or several to choose from."""
    flat: list[Expression] = []
    for option in options:
        if isinstance(option, Choice) and option.is_fallback == is_fallback:
            flat.extend(option.options)
        elif option is not UNKNOWN:
            flat.append(option)
    distinct = {id(option): option for option in flat}
    kept = tuple(distinct.values())[:MAX_OPTIONS]
    if not kept:
        return UNKNOWN
    return kept[0] if len(kept) == 1 else Choice(kept, is_fallback)


def element(collection: Expression, *, is_picked: bool = False) -> Expression:
    """Return an element of a collection."""
    return UNKNOWN if collection is UNKNOWN else Element(collection, is_picked)


def as_cast(value: Expression, written: str) -> Expression:
    """Return a value that is seen as one of a type; a string stays what it is."""
    return value if is_string(value) or not written else Typed(written)


def awaited(task: Expression) -> Expression:
    """Return the result of a task; that it goes on in any context changes nothing."""
    if (
        isinstance(task, Call)
        and isinstance(task.function, Member)
        and task.function.name == "ConfigureAwait"
    ):
        task = task.function.receiver
    return UNKNOWN if task is UNKNOWN else Awaited(task)


def is_string(value: Expression) -> bool:
    """Say whether a value has text that the file tells."""
    if type(value) in STRINGS:
        return True
    return isinstance(value, Choice) and any(is_string(option) for option in value.options)


def bounded(value: Expression) -> Expression:
    """Return what a local may hold: the value, or unknown when it is too large to be handed around."""
    if type(value) in LEAVES:
        return value
    if _is_object(value):
        return New(value.type, _telling(value)) if value.arguments else value
    return value if _fits(value, nodes=MAX_NODES) else UNKNOWN


def as_argument(value: Expression) -> Expression:
    """Return what is kept of an argument: strings and names whole, calls only when small, of objects the type.

    Of an anonymous one the names of a controller and its action are kept: `new { controller = "Order", id }`,
    of a request its verb and address.
    """
    if _is_plain(value):
        return value
    if _is_object(value):
        kept = _telling(value) if value.type else _route_values(value)
        return New(value.type, kept) if value.arguments else value
    return value if _fits(value, nodes=MAX_NODES if is_string(value) else SMALL_NODES) else UNKNOWN


def _is_object(value: Expression) -> TypeGuard[New]:
    """Say whether something is made that is no array, list or tuple."""
    return isinstance(value, New) and value.type != TUPLE and not value.type.endswith("[]")


def _is_plain(value: Expression) -> bool:
    return type(value) in LEAVES or (isinstance(value, Member) and type(value.receiver) in LEAVES)


def _route_values(made: New) -> tuple[Argument, ...]:
    return tuple(one for one in made.arguments if one.name.lower() in ROUTE_VALUES and _is_plain(one.value))


def is_request(value: Expression) -> TypeGuard[New]:
    """Say whether what a client sends is made: a message of HttpClient, a request of RestSharp."""
    return isinstance(value, New) and bool(request_parts(value))


def request_parts(made: New) -> tuple[str, ...]:
    """Return the members of a request that tell the verb and the address, none for another object."""
    return REQUEST_PARTS.get(made.type.rpartition(".")[2], ())


def _telling(made: New) -> tuple[Argument, ...]:
    kept = made.arguments[: _TELLING.get(made.type.rpartition(".")[2], 0)]
    return kept if all(_fits(one.value, nodes=MAX_NODES) for one in kept) else ()


def as_member_value(value: Expression) -> Expression:
    """Return what is kept of an initializer or result: strings, names, parameters, types, objects."""
    if isinstance(value, _PASSING):
        return UNKNOWN
    if isinstance(value, Typed) and not value.name:
        return UNKNOWN
    return value if type(value) in LEAVES or _fits(value, nodes=MAX_NODES) else UNKNOWN


def spine(value: Expression) -> int:
    """Count the levels of the chain that a value is the end of."""
    levels = 0
    while True:
        inner = _receiver(value)
        if inner is None:
            return levels
        value = inner
        levels += 1


def root(value: Expression) -> Expression:
    """Return what a chain begins with."""
    while True:
        inner = _receiver(value)
        if inner is None:
            return value
        value = inner


def _receiver(value: Expression) -> Expression | None:
    if isinstance(value, Member):
        return value.receiver
    if isinstance(value, Call):
        return value.function
    if isinstance(value, Element):
        return value.collection
    if isinstance(value, Awaited):
        return value.task
    if isinstance(value, LambdaParameter | OutArgument):
        return value.call
    if isinstance(value, DelegateParameter):
        return value.delegate
    return None


def _fits(value: Expression, *, nodes: int) -> bool:
    pending = [(value, 0)]
    while pending:
        part, depth = pending.pop()
        nodes -= 1
        if nodes < 0 or depth > MAX_DEPTH:
            return False
        if type(part) not in LEAVES:
            pending.extend((inner, depth + 1) for inner in _insides(part))
    return True


def _insides(value: Expression) -> Iterable[Expression]:
    if isinstance(value, Joined):
        return value.parts
    if isinstance(value, Choice):
        return value.options
    if isinstance(value, Call):
        return (value.function, *_values(value.arguments))
    if isinstance(value, New):
        return _values(value.arguments)
    inner = _receiver(value)
    return () if inner is None else (inner,)


def _values(arguments: tuple[Argument, ...]) -> tuple[Expression, ...]:
    return tuple(argument.value for argument in arguments)
