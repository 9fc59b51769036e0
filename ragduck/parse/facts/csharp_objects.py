"""Read objects as they are made: constructors, initializers, anonymous objects, arrays, collections."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from ragduck.facts import MADE, UNKNOWN, AccessFact, Argument, Call, Expression, Member, New, Typed, UseFact
from ragduck.parse.facts.csharp_chains import ARGUMENT, CALL, note_arguments, read_arguments
from ragduck.parse.facts.csharp_lambdas import LAMBDAS, put_into
from ragduck.parse.facts.csharp_reader import Reader
from ragduck.parse.facts.csharp_texts import is_certain_in, is_command_text, note_string
from ragduck.parse.facts.csharp_values import (
    TUPLE,
    as_argument,
    element,
    is_request,
    is_string,
    request_parts,
    root,
    spine,
)

IMPLICIT_NEW = "implicit_object_creation_expression"
MAX_INITIALIZERS = 20  # inside each other
MAX_ELEMENTS = 64  # of an array that are kept
ARRAY = "[]"
_SETTING = "assignment_expression"


def value_for(
    reader: Reader, node: Node, *, target: str = "", type_: str = "", holder: Expression = UNKNOWN
) -> Expression:
    """Read a value that is put into ``target``, of a type that `new()` takes over.

    A lambda is handed what the delegate takes that it becomes: one of the type, or what the ``holder`` holds.
    """
    if node.type == IMPLICIT_NEW:
        return _made(reader, node, type_=type_)
    if node.type in (CALL, "await_expression"):
        reader.target = target
    if node.type in LAMBDAS:
        reader.handed = put_into(Typed(type_) if type_ else holder)
    value = reader.value(node)
    reader.target, reader.handed = "", UNKNOWN
    return value


def read_new(reader: Reader, node: Node) -> Expression:
    """Read `new T(…) { … }`."""
    written = node.child_by_field_name("type")
    return _made(reader, node, type_=reader.use(written, "new") if written is not None else "")


def read_implicit_new(reader: Reader, node: Node) -> Expression:
    """Read `new(…)` where the type cannot be told."""
    return _made(reader, node, type_="")


def _made(reader: Reader, node: Node, *, type_: str) -> Expression:
    arguments: tuple[Argument, ...] = ()
    strings: list[tuple[Expression, Node]] = []
    settings: list[_Setting] = []
    made: Expression = New(type_) if type_ else UNKNOWN
    if node.type == IMPLICIT_NEW:
        reader.uses.append(UseFact(reader.origin, type_, node.start_point.row + 1, MADE))
    for child in node.children:
        if child.type == "argument_list":
            arguments, strings = read_arguments(reader, child, function=made)
        elif child.type == "initializer_expression":
            settings = read_initializer(reader, child, made=made)
    if strings or settings:
        _note(reader, made, arguments=arguments, strings=strings, settings=settings)
    if settings and is_request(made):
        arguments += tuple(_asked(made, settings))
    return New(type_, arguments) if type_ else UNKNOWN


class _Setting(NamedTuple):
    """A member that an initializer sets, the value, and where the value stands."""

    name: str
    value: Expression
    node: Node


def _asked(made: New, settings: list[_Setting]) -> Iterator[Argument]:
    """Yield what `new HttpRequestMessage { Method = …, RequestUri = … }` sets of what its constructor takes."""
    for name, value, _ in settings:
        if name in request_parts(made):
            yield Argument(as_argument(value), name)


def _note(
    reader: Reader,
    made: Expression,
    *,
    arguments: tuple[Argument, ...],
    strings: list[tuple[Expression, Node]],
    settings: list[_Setting],
) -> None:
    """Note the strings of a constructor call, each together with all that the object is given."""
    given = tuple(Argument(as_argument(value), name) for name, value, _ in settings)
    call = Call(made, arguments + given)
    note_arguments(reader, call, strings=strings)
    for name, value, node in settings:
        if is_command_text(value, name=name):
            certain = is_certain_in(name)
            note_string(reader, value, node=node, call=call, assigned_to=name, is_certain=certain)


def read_initializer(reader: Reader, node: Node, *, made: Expression) -> list[_Setting]:
    """Read `{ Member = value, … }` and `{ element, … }`; return what is set."""
    settings = []
    for child in node.children:
        if child.type == _SETTING:
            setting = _read_setting(reader, child, made=made)
            if setting is not None:
                settings.append(setting)
        elif child.is_named:
            value = reader.value(child)
            if is_string(value):
                note_string(reader, value, node=child)
    return settings


def _read_setting(reader: Reader, node: Node, *, made: Expression) -> _Setting | None:
    member, written = node.children[0], node.children[-1]
    if member.type != "identifier":
        reader.parts(member)
        value = reader.value(written)
        if is_string(value):
            note_string(reader, value, node=written)
        return None
    name = reader.name(member)
    value = set_member(reader, written, name=name, member=member, made=made)
    return _Setting(name, value, written)


def set_member(reader: Reader, node: Node, *, name: str, member: Node, made: Expression) -> Expression:
    """Note that a member of an object is set, and read its value."""
    access = Member(made, name)
    if root(made) is not UNKNOWN:
        reader.accesses.append(AccessFact(reader.origin, access, member.start_point.row + 1, is_write=True))
    if node.type == "initializer_expression":
        if spine(made) < MAX_INITIALIZERS:
            read_initializer(reader, node, made=access)
        return UNKNOWN
    return value_for(reader, node, target=name, holder=access if root(made) is not UNKNOWN else UNKNOWN)


def read_with(reader: Reader, node: Node) -> Expression:
    """Read `value with { Member = … }`."""
    made = reader.value(node.children[0])
    for child in node.children[1:]:
        if child.type == "with_initializer" and len(child.children) >= 3:
            member, written = child.children[0], child.children[-1]
            name = reader.name(member)
            value = set_member(reader, written, name=name, member=member, made=as_argument(made))
            if is_string(value):
                note_string(reader, value, node=written, assigned_to=name)
    return made


def read_anonymous(reader: Reader, node: Node) -> Expression:
    """Read `new { A = a, b.C }`."""
    arguments: list[Argument] = []
    name = ""
    children = node.children
    for child, after in zip(children, (*children[1:], None), strict=True):
        if child.type == "identifier" and after is not None and after.type == "=":
            name = reader.name(child)
        elif child.is_named and child.type != "comment":
            value = value_for(reader, child, target=name)
            if is_string(value):
                note_string(reader, value, node=child, assigned_to=name)
            arguments.append(Argument(as_argument(value), name or _implied_name(value)))
            name = ""
    return New("", tuple(arguments[:MAX_ELEMENTS]))


def _implied_name(value: Expression) -> str:
    name = getattr(value, "name", "")
    return name if isinstance(name, str) else ""


def read_tuple(reader: Reader, node: Node) -> Expression:
    """Read `(a, Name: b)`."""
    elements = []
    for name, written in tuple_elements(reader, node):
        value = value_for(reader, written, target=name)
        if is_string(value):
            note_string(reader, value, node=written, assigned_to=name)
        elements.append(Argument(as_argument(value), name or _implied_name(value)))
    return New(TUPLE, tuple(elements[:MAX_ELEMENTS]))


def tuple_elements(reader: Reader, node: Node) -> Iterator[tuple[str, Node]]:
    """Yield the elements of a tuple with the names that are written."""
    for child in node.children:
        if child.type == ARGUMENT and child.children:
            name = child.children[0] if len(child.children) > 2 and child.children[1].type == ":" else None
            yield reader.name(name) if name is not None else "", child.children[-1]


def read_array(reader: Reader, node: Node) -> Expression:
    """Read `new T[] { … }` and `new[] { … }`."""
    type_ = ARRAY
    elements: tuple[Argument, ...] = ()
    for child in node.children:
        if child.type == "array_type":
            type_ = _array_type(reader, child)
        elif child.type == "initializer_expression":
            elements = _elements(reader, [part for part in child.children if part.is_named])
    return New(type_, elements)


def _array_type(reader: Reader, node: Node) -> str:
    """Return `T[]` for `T[5]`, and read the size."""
    element = node.child_by_field_name("type")
    rank = node.child_by_field_name("rank")
    if rank is not None:
        reader.parts(rank)
    return f"{reader.use(element, 'new')}{ARRAY}" if element is not None else ARRAY


def read_collection(reader: Reader, node: Node) -> Expression:
    """Read `[a, b, .. c]`, and an array's initializer without `new`."""
    written = []
    for child in node.children:
        while child.type in ("collection_element", "expression_element") and child.named_child_count:
            child = child.named_children[0]
        if child.is_named:
            written.append(child)
    return New(ARRAY, _elements(reader, written))


def _elements(reader: Reader, nodes: list[Node]) -> tuple[Argument, ...]:
    elements = []
    for node in nodes:
        value = reader.value(node)
        if is_string(value):
            note_string(reader, value, node=node)
        elements.append(Argument(as_argument(value)))
    return tuple(elements[:MAX_ELEMENTS])


def read_spread(reader: Reader, node: Node) -> Expression:
    """Read `.. others` in a collection."""
    return element(reader.value(node.children[-1])) if node.children else UNKNOWN


OBJECTS = {
    "object_creation_expression": read_new,
    IMPLICIT_NEW: read_implicit_new,
    "anonymous_object_creation_expression": read_anonymous,
    "array_creation_expression": read_array,
    "implicit_array_creation_expression": read_array,
    "collection_expression": read_collection,
    "initializer_expression": read_collection,
    "spread_element": read_spread,
    "tuple_expression": read_tuple,
    "with_expression": read_with,
}
