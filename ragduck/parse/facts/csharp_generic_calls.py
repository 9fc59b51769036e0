"""Read generic names that stand alone, and generic calls that the grammar takes for comparisons.

It takes `(T)Load<Order>(x)` for `((T)Load < Order) > (x)`. A truth value cannot be compared with `>` in C#, so that
what stands like this is a call.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tree_sitter import Node

from ragduck.facts import Expression
from ragduck.parse.facts.csharp_chains import (
    ARGUMENT,
    CAST,
    CONDITIONAL,
    MEMBER,
    PARENTHESES,
    read_generic_call,
    read_name,
    unrolled,
)
from ragduck.parse.facts.csharp_out_arguments import DECLARATION
from ragduck.parse.facts.csharp_reader import Reader
from ragduck.parse.facts.csharp_texts import BOOL, Row, row_of, sum_of
from ragduck.parse.facts.csharp_values import as_cast, awaited, element

MAX_WRAPPERS = 20  # casts around what is called
_BINARY = "binary_expression"
_AWAIT = "await_expression"
_PREFIX = "prefix_unary_expression"
_LIST = "collection_expression"
_WRAPPERS = frozenset((CAST, _AWAIT, _PREFIX))
_CALLED = frozenset(("identifier", MEMBER, CONDITIONAL))
_TYPES = frozenset(("identifier", "generic_name", "qualified_name", "predefined_type", MEMBER))
_TUPLE = "tuple_expression"
_TUPLE_PARTS = _TYPES | {DECLARATION}
_SIGNS = frozenset("+-*&")


def read_generic_name(reader: Reader, node: Node) -> Expression:
    """Read a method that is handed on, `Run(Load<Order>)`; in a pattern, `Store<Order> => …`, it is a type."""
    reader.use(node, "argument")
    return read_name(reader, node.children[0])


def may_hold_calls(row: Row) -> bool:
    """Say whether `<` and `>` follow one another in a row of operators."""
    return any(one == "<" and other == ">" for (one, _), (other, _) in pairwise(row))


def read_generic_calls(reader: Reader, row: Row) -> Expression:
    """Read a row of operators in which generic calls may be taken for comparisons."""
    return sum_of(_values(reader, _flat(row)))


def _flat(row: Row) -> Row:
    """Return a row with the operators that follow the parentheses of a call."""
    flat: Row = []
    for operator, operand in row:
        is_given = operator == ">" and flat[-1][0] == "<" and operand.type == _BINARY
        inner = row_of(operand) if is_given else [("", operand)]
        flat.append((operator, inner[0][1]))
        flat.extend(inner[1:])
    return flat


def _is_call(row: Row, at: int) -> bool:
    if len(row) < at + 3 or (row[at + 1][0], row[at + 2][0]) != ("<", ">"):
        return False
    called, _ = _unwrapped(row[at][1])
    return called.type in _CALLED and _is_type(row[at + 1][1]) and _is_given(row[at + 2][1])


def _is_type(node: Node) -> bool:
    """Say whether an operand may be a type: a name, or a tuple of types and names, `(int id, Line first)`."""
    if node.type != _TUPLE:
        return node.type in _TYPES
    elements = [child.named_children for child in node.named_children if child.type == ARGUMENT]
    return all(len(one) == 1 and one[0].type in _TUPLE_PARTS for one in elements)


def _is_given(node: Node) -> bool:
    """Say whether an operand begins with parentheses, as a cast does: `(id) + x` is taken for `(id)(+x)`."""
    if node.type == CAST:
        value = node.child_by_field_name("value")
        return value is not None and (value.type == _LIST or _sign(value) != "")
    return unrolled(node, until=PARENTHESES)[1].type in PARENTHESES


def _sign(node: Node) -> str:
    sign = node.children[0].type if node.type == _PREFIX else ""
    return sign if sign in _SIGNS else ""


def _unwrapped(node: Node) -> tuple[Node, list[Node]]:
    """Return what is called, and the casts and the like around the call, the innermost last."""
    around: list[Node] = []
    while node.type in _WRAPPERS and len(around) < MAX_WRAPPERS:
        around.append(node)
        node = node.children[-1]
    return node, around


def _values(reader: Reader, row: Row) -> Iterator[tuple[str, Expression, int]]:
    at = 0
    while at < len(row):
        operator, operand = row[at]
        line = operand.start_point.row + 1
        if not _is_call(row, at):
            yield operator, reader.value(operand), line
            at += 1
            continue
        given = row[at + 2][1]
        yield operator, _read_call(reader, operand, type_=row[at + 1][1], given=given), line
        following = given.child_by_field_name("value") if given.type == CAST else None
        at += 3
        if following is not None and _sign(following):
            at -= 1
            row[at] = (_sign(following), following.children[-1])


def _read_call(reader: Reader, node: Node, *, type_: Node, given: Node) -> Expression:
    called, around = _unwrapped(node)
    value = read_generic_call(reader, called, type_=type_, given=given)
    index = given.child_by_field_name("value") if given.type == CAST else None
    if index is not None and index.type == _LIST:
        reader.value(index)
        value = element(value, is_picked=True)
    for wrapper in reversed(around):
        if wrapper.type == CAST:
            written = wrapper.child_by_field_name("type")
            value = as_cast(value, reader.use(written, "cast") if written is not None else "")
        elif wrapper.type == _AWAIT:
            value = awaited(value)
        elif wrapper.children[0].type == "!":
            value = BOOL
    return value
