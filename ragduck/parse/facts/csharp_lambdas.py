"""Read lambdas and anonymous methods: their parameters belong to the call that they are given to."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from ragduck.facts import UNKNOWN, Call, DelegateParameter, Expression, Lambda, LambdaParameter, New
from ragduck.parse.facts.csharp_reader import NO_FRAME, Local, Reader
from ragduck.parse.facts.csharp_results import result_of
from ragduck.parse.facts.csharp_texts import note_string
from ragduck.parse.facts.csharp_values import MAX_SPINE, bounded, is_string, spine

LAMBDAS = frozenset(("lambda_expression", "anonymous_method_expression"))
MAX_MEMBERS = 64  # chains of one lambda that are kept
MAX_GIVEN = 20  # arguments that are looked at
NEW = "object_creation_expression"
NOTHING = Lambda()


def read_lambda(reader: Reader, node: Node) -> Expression:
    """Read a lambda that is no argument; who asked for it may have said what it is handed."""
    parameter, reader.handed = reader.handed, UNKNOWN
    return lambda_of(reader, node, parameter=parameter)


def given_to(call: Call | None, *, argument: str) -> Expression:
    """Return the first parameter of a lambda that a call is given after its arguments, perhaps by a name."""
    if call is None or spine(call) > MAX_SPINE:
        return UNKNOWN
    return LambdaParameter(call, argument=argument)


def put_into(delegate: Expression) -> Expression:
    """Return the first parameter of a lambda that becomes a delegate."""
    held = bounded(delegate)
    return DelegateParameter(held) if held is not UNKNOWN and spine(held) <= MAX_SPINE else UNKNOWN


def lambda_of(reader: Reader, node: Node, *, parameter: Expression) -> Expression:
    """Read a lambda whose first ``parameter`` is known by what gets it."""
    mark = reader.enter()
    reader.frame = NO_FRAME
    members: dict[tuple[str, ...], None] = {}
    parameters = node.child_by_field_name("parameters")
    if parameters is not None:
        _declare(reader, parameters, first=parameter, members=members)
    body = node.children[-1]
    value: Expression = UNKNOWN
    if body.type == "block":
        reader.run(body)
    else:
        value = reader.value(body)
        if is_string(value):
            note_string(reader, value, node=body)
    reader.leave(mark)
    returned = _returned(body)
    made = _made(reader, returned) if returned is not None else ""
    if made and body.type == "block" and returned is not None and returned.type == NEW:
        value = New(made)
    given = tuple(_given(reader, returned)) if returned is not None and made else ()
    result = UNKNOWN if _is_asynchronous(reader, node) else result_of(value, parameter)
    if not members and not made and result is UNKNOWN:
        return NOTHING
    return Lambda(tuple(members)[:MAX_MEMBERS], made, given, result)


def _is_asynchronous(reader: Reader, node: Node) -> bool:
    """Say whether a lambda returns a task of what its body says."""
    return any(child.type == "modifier" and reader.text(child) == "async" for child in node.children)


def _returned(body: Node) -> Node | None:
    """Return the body, or what the last statement of a block returns."""
    if body.type != "block":
        return body
    statements = [child for child in body.named_children[-2:] if child.type != "comment"]
    last = statements[-1] if statements else None
    return (
        last.named_children[0] if last and last.type == "return_statement" and last.named_children else None
    )


def _given(reader: Reader, node: Node) -> Iterator[str]:
    """Yield the types that are made or asked for to make an object with."""
    arguments = node.child_by_field_name("arguments") if node.type == NEW else None
    for argument in arguments.named_children[:MAX_GIVEN] if arguments is not None else ():
        made = _made(reader, argument.named_children[-1]) if argument.named_children else ""
        if made:
            yield made


def _made(reader: Reader, node: Node) -> str:
    """Return the type that an expression makes or asks for."""
    if node.type == NEW:
        made = node.child_by_field_name("type")
        return reader.type_text(made) if made is not None else ""
    function = node.child_by_field_name("function") if node.type == "invocation_expression" else None
    name = function.child_by_field_name("name") if function is not None else None
    if name is None or name.type != "generic_name":
        return ""
    arguments = name.named_children[-1].named_children
    return reader.type_text(arguments[0]) if len(arguments) == 1 else ""


def _declare(reader: Reader, node: Node, *, first: Expression, members: dict[tuple[str, ...], None]) -> None:
    if node.type == "implicit_parameter":
        reader.declare(reader.name(node), Local(first, members=members))
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
            reader.declare(reader.name(name), Local(_placed(first, position), members=members))
        position += 1


def _placed(first: Expression, position: int) -> Expression:
    if isinstance(first, LambdaParameter | DelegateParameter):
        return first._replace(position=position)
    return first
