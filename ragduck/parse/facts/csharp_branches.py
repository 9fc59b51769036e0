"""Tell what a member always does from what it does in a branch."""

from __future__ import annotations

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


def is_in_branch(node: Node) -> bool:
    """Say whether an expression is only reached, or only chosen, under a condition; loops and guards are none."""
    around = node.parent
    while around is not None and around.type not in _BODIES:
        if around.type in _CONDITIONAL:
            return True
        around = around.parent
    return False
