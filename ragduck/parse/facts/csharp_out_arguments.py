"""Read the locals that arguments declare: `_orders.TryGetValue(id, out var order)`."""

from __future__ import annotations

from tree_sitter import Node

from ragduck.facts import Call, OutArgument
from ragduck.parse.facts.csharp_reader import Reader
from ragduck.parse.facts.csharp_values import bounded

DECLARATION = "declaration_expression"


def untyped_name(reader: Reader, node: Node) -> str:
    """Return the local that `var order` declares, "" where its type is written or a tuple is taken apart."""
    type_, name = node.child_by_field_name("type"), node.child_by_field_name("name")
    if type_ is None or type_.type != "implicit_type" or name is None or name.type != "identifier":
        return ""
    return reader.name(name)


def hand_out(reader: Reader, handed_out: list[tuple[str, int]], *, call: Call) -> None:
    """Let the locals that a call's arguments declare hold what the call puts into them."""
    for name, position in handed_out:
        local = reader.locals.get(name)
        if local is not None:
            reader.locals[name] = local._replace(value=bounded(OutArgument(call, position)))
