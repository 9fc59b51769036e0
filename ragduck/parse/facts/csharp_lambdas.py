"""Read lambdas and anonymous methods: their parameters belong to the call that they are given to."""

from __future__ import annotations

from tree_sitter import Node

from ragduck.facts import UNKNOWN, Call, Expression, Lambda, LambdaParameter
from ragduck.parse.facts.csharp_reader import NO_FRAME, Local, Reader
from ragduck.parse.facts.csharp_texts import note_string
from ragduck.parse.facts.csharp_values import MAX_SPINE, is_string, spine

LAMBDAS = frozenset(("lambda_expression", "anonymous_method_expression"))
MAX_MEMBERS = 64  # chains of one lambda that are kept
NOTHING = Lambda()


def read_lambda(reader: Reader, node: Node) -> Expression:
    """Read a lambda that is given to no call."""
    return lambda_of(reader, node, call=None)


def lambda_of(reader: Reader, node: Node, *, call: Call | None) -> Expression:
    """Read a lambda that is given to a call, which has the arguments before it."""
    mark = reader.enter()
    outer, reader.frame = reader.frame, NO_FRAME
    members: dict[tuple[str, ...], None] = {}
    parameters = node.child_by_field_name("parameters")
    if parameters is not None:
        _declare(reader, parameters, call=call, members=members)
    body = node.children[-1]
    if body.type == "block":
        reader.run(body)
    else:
        value = reader.value(body)
        if is_string(value):
            note_string(reader, value, node=body)
    reader.frame = outer
    reader.leave(mark)
    return Lambda(tuple(members)[:MAX_MEMBERS]) if members else NOTHING


def _declare(reader: Reader, node: Node, *, call: Call | None, members: dict[tuple[str, ...], None]) -> None:
    if call is not None and spine(call) > MAX_SPINE:
        call = None
    if node.type == "implicit_parameter":
        _declare_one(reader, reader.name(node), call=call, position=0, members=members)
        return
    position = 0
    for child in node.children:
        if child.type != "parameter":
            continue
        name = child.child_by_field_name("name")
        type_ = child.child_by_field_name("type")
        if name is not None and type_ is not None:
            reader.declare_typed(reader.name(name), reader.use(type_, "parameter"))
        elif name is not None:
            _declare_one(reader, reader.name(name), call=call, position=position, members=members)
        position += 1


def _declare_one(
    reader: Reader, name: str, *, call: Call | None, position: int, members: dict[tuple[str, ...], None]
) -> None:
    value = UNKNOWN if call is None else LambdaParameter(call, position)
    reader.declare(name, Local(value, members=members))
