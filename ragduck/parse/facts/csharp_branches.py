"""Tell what a member always does from what it does in a branch."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

_CONDITIONAL = frozenset(
    (
        "if_statement",
        "switch_section",
        "switch_expression_arm",
        "conditional_expression",
        "binary_expression",
        "constant_pattern",
        "parameter",
    )
)
_BODIES = frozenset(
    (
        "method_declaration",
        "constructor_declaration",
        "accessor_declaration",
        "local_function_statement",
        "lambda_expression",
        "anonymous_method_expression",
        "declaration_list",
    )
)
_BLOCKS = frozenset(("block", "switch_section"))
_STATEMENTS = frozenset(("expression_statement", "local_declaration_statement"))
_USING = "using_statement"
_MAX_STATEMENTS = 200  # of a block that are looked at
_MAX_LENGTH = 1000  # of a statement, in bytes
# A command that is given the name of what it calls: `c.CommandText = "Orders_Read"`, `new SqlCommand("Orders_Read")`
_NAMED = re.compile(
    rb"""(?:\bCommandText\s{0,9}=|\bnew\s{1,9}[\w.]{0,99}Command\s{0,9}\()\s{0,9}@?"[\w.\[\]\x80-\xff]{1,300}\s{0,9}\"""",
    re.ASCII,
)


def is_in_branch(node: Node) -> bool:
    """Say whether an expression is only reached, or only chosen, under a condition; loops and guards are none.

    Where the branch names what the command calls as well, it always holds for that.
    """
    blocks: list[Node] = []
    around = node.parent
    while around is not None and around.type not in _BODIES:
        if around.type in _BLOCKS or around.type == _USING:
            blocks.append(around)
        if around.type in _CONDITIONAL:
            return not any(map(_names_call, blocks))
        around = around.parent
    return False


def _names_call(block: Node) -> bool:
    """Say whether a statement of a block, or what a `using` opens, names what a command calls."""
    return any(
        one.end_byte - one.start_byte <= _MAX_LENGTH and _NAMED.search(one.text or b"") is not None
        for one in _statements(block)
    )


def _statements(block: Node) -> Iterator[Node]:
    is_using = block.type == _USING
    for place in range(min(block.named_child_count, _MAX_STATEMENTS)):
        one = block.named_child(place)
        if one is not None and (one.type in _STATEMENTS or (is_using and one.type not in _BLOCKS)):
            yield one
