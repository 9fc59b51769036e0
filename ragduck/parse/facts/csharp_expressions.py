"""Read the other expressions of C#: assignments, casts, conditions, tuples, and what only holds others."""

from __future__ import annotations

import re

from tree_sitter import Node

from ragduck.facts import (
    SET_ITEM,
    UNKNOWN,
    Argument,
    Assignment,
    Call,
    Element,
    Expression,
    Member,
    Name,
    Text,
    Typed,
    TypeOf,
)
from ragduck.parse.facts.csharp_chains import CAST, CHAINS, ELEMENT, MEMBER, write_chain
from ragduck.parse.facts.csharp_commands import assign_command
from ragduck.parse.facts.csharp_generic_calls import may_hold_calls, read_generic_calls, read_generic_name
from ragduck.parse.facts.csharp_lambdas import LAMBDAS, NEW, read_lambda
from ragduck.parse.facts.csharp_lines import on_own_line
from ragduck.parse.facts.csharp_locals import assign_local, declare_local, set_of_request
from ragduck.parse.facts.csharp_objects import IMPLICIT_NEW, OBJECTS, tuple_elements, value_for
from ragduck.parse.facts.csharp_out_arguments import DECLARATION
from ragduck.parse.facts.csharp_patterns import PATTERNS, part_of, read_pattern
from ragduck.parse.facts.csharp_queries import QUERIES
from ragduck.parse.facts.csharp_reader import Local, Reader, ReadExpression
from ragduck.parse.facts.csharp_texts import (
    BOOL,
    COMMAND_TEXT,
    TEXTS,
    is_certain_in,
    is_command_text,
    note_string,
    read_row,
    row_of,
)
from ragduck.parse.facts.csharp_values import as_cast, as_member_value, awaited, bounded, choice, is_string

TUPLE = "tuple_expression"
_VALUELESS = frozenset(("throw_expression", "null_literal", "default_expression", "comment"))
_LITERALS = {
    "integer_literal": Typed("int"),
    "real_literal": Typed("double"),
    "character_literal": Typed("char"),
    "boolean_literal": BOOL,
}
_KEPT_ITEMS = frozenset(("DataTokens",))  # of which it is of interest what is put into them
_KEY = re.compile(r"\[\s*+\"(?P<key>\w{1,100})\"\s*+\]")
_WRITTEN = frozenset((MEMBER, ELEMENT, "identifier", "conditional_access_expression"))
_HANDLERS = frozenset(
    ("identifier", "generic_name", MEMBER, NEW, IMPLICIT_NEW, CAST, "parenthesized_expression")
)


def read_assignment(reader: Reader, node: Node) -> Expression:
    """Read `left = right`, `left += right` and the like."""
    children = node.children
    left, right = children[0], children[-1]
    if left.type == TUPLE:
        return _read_deconstruction(reader, left, right)
    operator = children[-2].type if len(children) > 2 else "="
    name = reader.name(left) if left.type == "identifier" else ""
    local = reader.locals.get(name) if name else None
    if local is not None:
        value = _read_right(reader, right, target=name, operator=operator, holder=local.value)
        assign_local(reader, name, value=value, operator=operator, node=right)
        return value
    return _assign_member(reader, left, right, operator=operator)


def _assign_member(reader: Reader, left: Node, right: Node, *, operator: str) -> Expression:
    member = _read_target(reader, left)
    name = member.name if isinstance(member, Member | Name) else ""
    value = _read_right(reader, right, target=name, operator=operator, holder=member)
    if is_command_text(value, name=name):
        if name == COMMAND_TEXT and left.type == MEMBER and left.children[0].type == "identifier":
            return assign_command(reader, member, value=value, operator=operator, nodes=(left, right))
        note_string(reader, value, node=right, assigned_to=name, is_certain=is_certain_in(name))
    if operator == "=" and left.type == MEMBER and isinstance(member, Member):
        set_of_request(reader, left.children[0], name=name, value=value)
    if isinstance(member, Element) and left.type == ELEMENT:
        _note_item(reader, member.collection, left, value=value)
    _keep_assignment(reader, member, value)
    return value


def _read_right(reader: Reader, right: Node, *, target: str, operator: str, holder: Expression) -> Expression:
    """Read what is assigned; a handler that is taken off an event is named without being handed on."""
    first = len(reader.accesses)
    value = value_for(reader, right, target=target, holder=holder)
    if operator == "-=" and right.type in _HANDLERS:
        reader.accesses[first:] = [one._replace(is_detached=True) for one in reader.accesses[first:]]
    return value


def _note_item(reader: Reader, items: Expression, left: Node, *, value: Expression) -> None:
    """Note what sets an item of route data as the call that it is: `route.DataTokens["area"] = "Admin"`."""
    if isinstance(items, Member) and items.name in _KEPT_ITEMS:
        key = _KEY.fullmatch(reader.literal(left.children[-1]))
        if key is not None:
            given = (Argument(Text(key["key"])), Argument(value))
            reader.call(Call(Member(items, SET_ITEM), given), line=left.start_point.row + 1, target="")


def _read_target(reader: Reader, node: Node) -> Expression:
    return write_chain(reader, node) if node.type in _WRITTEN else reader.value(node)


def _keep_assignment(reader: Reader, member: Expression, value: Expression) -> None:
    assignments = reader.frame.assignments
    if isinstance(member, Member) and isinstance(member.receiver, Name) and member.receiver.name == "this":
        member = Name(member.name)
    if isinstance(member, Name) and assignments is not None:
        assignments.append(Assignment(member.name, as_member_value(value)))


def _read_deconstruction(reader: Reader, left: Node, right: Node) -> Expression:
    """Read `(a, b.C) = (x, y)` pair by pair, and `(var a, T b) = value` for the locals."""
    targets = [target for _, target in tuple_elements(reader, left)]
    written = [value for _, value in tuple_elements(reader, right)] if right.type == TUPLE else []
    if len(written) == len(targets):
        values = [reader.value(value) for value in written]
    else:
        whole = bounded(reader.value(right))
        values = [part_of(whole, place) for place in range(len(targets))]
        written = [right] * len(targets)
    for target, value, node in zip(targets, values, written, strict=True):
        if target.type == DECLARATION:
            _declare_target(reader, target, value=value, node=node)
        elif _is_local(reader, target):
            assign_local(reader, reader.name(target), value=value, operator="=", node=node)
        elif target.type in _WRITTEN:
            member = write_chain(reader, target)
            if is_string(value) and isinstance(member, Member | Name):
                note_string(reader, value, node=node, assigned_to=member.name)
            _keep_assignment(reader, member, value)
    return UNKNOWN


def _declare_target(reader: Reader, target: Node, *, value: Expression, node: Node) -> None:
    type_, name = target.child_by_field_name("type"), target.child_by_field_name("name")
    reader.value(target)
    if type_ is None or name is None or name.type != "identifier":
        return
    if is_string(value):
        declare_local(reader, reader.name(name), type_=reader.text(type_), value=value, node=node)
    elif type_.type == "implicit_type":
        reader.declare(reader.name(name), Local(bounded(value)))


def _is_local(reader: Reader, node: Node) -> bool:
    return node.type == "identifier" and reader.name(node) in reader.locals


def read_first(reader: Reader, node: Node) -> Expression:
    """Read what parentheses, `checked`, `ref` and `!` go around."""
    value: Expression = UNKNOWN
    for child in node.children:
        if child.is_named and child.type != "comment":
            value = reader.value(child)
    return value


def read_prefix(reader: Reader, node: Node) -> Expression:
    """Read `-x`, `!x`, `++x.Y`."""
    operand = node.children[-1]
    if node.children[0].type in ("++", "--") and operand.type in _WRITTEN:
        return _changed(reader, operand)
    value = reader.value(operand)
    return BOOL if node.children[0].type == "!" else value


def read_postfix(reader: Reader, node: Node) -> Expression:
    """Read `x!` and `x.Y++`."""
    operand = node.children[0]
    if node.children[-1].type in ("++", "--") and operand.type in _WRITTEN:
        return _changed(reader, operand)
    return reader.value(operand)


def _changed(reader: Reader, node: Node) -> Expression:
    return reader.value(node) if _is_local(reader, node) else write_chain(reader, node)


def read_await(reader: Reader, node: Node) -> Expression:
    """Read `await x`."""
    return awaited(read_first(reader, node))


def read_cast(reader: Reader, node: Node) -> Expression:
    """Read `(T)x` and `x as T`; a string stays what it is."""
    names = ("type", "value") if node.type == "cast_expression" else ("right", "left")
    type_, value = (node.child_by_field_name(name) for name in names)
    written = reader.use(type_, "cast") if type_ is not None else ""
    if value is not None and value.type == "parenthesized_expression" and value.named_child_count == 1:
        value = value.named_children[0]
    read = value_for(reader, value, type_=written) if value is not None else UNKNOWN
    return as_cast(read, written)


def read_is(reader: Reader, node: Node) -> Expression:
    """Read `x is T` and `x is pattern`."""
    children = node.children
    subject = reader.value(children[0])
    for child in children[1:]:
        if child.type in PATTERNS:
            read_pattern(reader, child, subject=subject)
        elif child.is_named and node.type == "is_expression":
            reader.use(child, "cast")
    return BOOL


def read_typeof(reader: Reader, node: Node) -> Expression:
    """Read `typeof(T)`."""
    type_ = node.child_by_field_name("type")
    return TypeOf(reader.use(type_, "typeof")) if type_ is not None else UNKNOWN


def read_default(reader: Reader, node: Node) -> Expression:
    """Read `default(T)` and `sizeof(T)`."""
    type_ = node.child_by_field_name("type")
    return Typed(reader.use(type_, "typeof")) if type_ is not None else UNKNOWN


def read_conditional(reader: Reader, node: Node) -> Expression:
    """Read `a ? b : c`."""
    values = []
    for position, child in enumerate(part for part in node.children if part.is_named):
        value = reader.value(child)
        if position and child.type not in _VALUELESS:
            values.append(_on_its_line(value, child, node))
    return choice(values)


def _on_its_line(value: Expression, part: Node, whole: Node) -> Expression:
    return on_own_line(value, line=part.start_point.row + 1, first_line=whole.start_point.row + 1)


def read_switch(reader: Reader, node: Node) -> Expression:
    """Read a `switch` expression."""
    values = []
    subject: Expression = UNKNOWN
    for child in node.children:
        if child.type == "switch_expression_arm":
            value = _read_arm(reader, child, subject=subject)
            if value is not None:
                values.append(_on_its_line(value, child, node))
        elif child.is_named:
            subject = reader.value(child)
    return choice(values)


def _read_arm(reader: Reader, node: Node, *, subject: Expression) -> Expression | None:
    mark = reader.enter()
    value: Expression | None = None
    for child in node.children:
        if child.type in PATTERNS:
            read_pattern(reader, child, subject=subject)
        elif child.is_named:
            read = reader.value(child)
            value = None if child.type in _VALUELESS else read
    reader.leave(mark)
    return value


def read_fallback(reader: Reader, node: Node) -> Expression:
    """Read `a ?? b`."""
    values = []
    for child in (node.children[0], node.children[-1]):
        value = reader.value(child)
        if child.type not in _VALUELESS:
            values.append(value)
    return choice(values, is_fallback=True)


def read_operators(reader: Reader, node: Node) -> Expression:
    """Read a row of binary operators; `??` is one in this grammar."""
    if len(node.children) == 3 and node.children[1].type == "??":
        return read_fallback(reader, node)
    row = row_of(node)
    return read_generic_calls(reader, row) if may_hold_calls(row) else read_row(reader, row)


def read_declaration(reader: Reader, node: Node) -> Expression:
    """Read `out T x` and `var x` where an expression may stand."""
    type_ = node.child_by_field_name("type")
    name = node.child_by_field_name("name")
    written = reader.use(type_, "holds") if type_ is not None else ""
    if name is not None and name.type == "identifier":
        reader.declare_typed(reader.name(name), "" if written == "var" else written)
    elif name is not None:
        for inner in name.children_by_field_name("name"):
            reader.declare(reader.name(inner), Local(UNKNOWN))
    return UNKNOWN


def read_literal(_reader: Reader, node: Node) -> Expression:
    """Tell the type of a number, a character or a truth value."""
    return _LITERALS[node.type]


def read_nothing(_reader: Reader, _node: Node) -> Expression:
    """Look over what has no facts."""
    return UNKNOWN


def read_error(reader: Reader, node: Node) -> Expression:
    """Read what can be read of broken code; single names there say nothing."""
    for child in node.children:
        if child.is_named and child.type != "identifier":
            reader.value(child)
    return UNKNOWN


EXPRESSIONS: dict[str, ReadExpression] = {
    **CHAINS,
    **TEXTS,
    **OBJECTS,
    **QUERIES,
    **dict.fromkeys(LAMBDAS, read_lambda),
    **dict.fromkeys(_LITERALS, read_literal),
    **dict.fromkeys(
        ("parenthesized_expression", "checked_expression", "ref_expression", "refvalue_expression"),
        read_first,
    ),
    **dict.fromkeys(
        ("comment", "null_literal", "predefined_type", "implicit_type", "preproc_arg"), read_nothing
    ),
    "generic_name": read_generic_name,
    "assignment_expression": read_assignment,
    "binary_expression": read_operators,
    "prefix_unary_expression": read_prefix,
    "postfix_unary_expression": read_postfix,
    "await_expression": read_await,
    "cast_expression": read_cast,
    "as_expression": read_cast,
    "is_expression": read_is,
    "is_pattern_expression": read_is,
    "typeof_expression": read_typeof,
    "default_expression": read_default,
    "sizeof_expression": read_default,
    "conditional_expression": read_conditional,
    "switch_expression": read_switch,
    "declaration_expression": read_declaration,
    "ERROR": read_error,
}
