"""Say what Python's statements do: assignments to locals, fields and constants, loops, `with`, `except`, `return`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from tree_sitter import Node

from ragduck.facts import UNKNOWN, Expression, Joined, Member, Text, Typed
from ragduck.parse.facts.bodies import Handler, first_child
from ragduck.parse.facts.body import Body
from ragduck.parse.facts.declared import Declared
from ragduck.parse.facts.python_expressions import PythonExpressions
from ragduck.parse.facts.values import THIS, type_told

PATTERNS = frozenset({"pattern_list", "tuple_pattern", "list_pattern"})
SEVERAL = frozenset({"expression_list", "tuple", "list"})
STRING_NODES = frozenset({"string", "concatenated_string"})


class PythonStatements(PythonExpressions):
    """Collect facts from Python's statements."""

    taken = frozenset({"identifier", "assignment", "named_expression"})

    def expression_statement(self, node: Node, body: Body) -> Expression:
        """Read an assignment that is a symbol, skip doc strings, visit anything else."""
        declared = self.declared.get(node.id)
        children = node.named_children
        if declared is not None and children and children[0].type == "assignment":
            self._declare(declared, children[0], body=body)
        elif len(children) == 1 and children[0].type in STRING_NODES:
            return UNKNOWN
        else:
            self.later(children, body)
        return UNKNOWN

    def _declare(self, declared: Declared, node: Node, *, body: Body) -> None:
        """Read a field of a class or a constant of the module."""
        inner = Body.of(declared, body)
        annotation, right = node.child_by_field_name("type"), node.child_by_field_name("right")
        written = self.written(annotation)
        self.use_annotation(annotation, inner, how="holds")
        value = self.visit(right, inner) if right is not None else UNKNOWN
        if right is not None:
            self.take_string(value, right, body=inner, assigned_to=declared.name)
        self.add_member(declared, type=written or type_told(value), value=value)

    def assignment(self, node: Node, body: Body) -> Expression:
        """Read `a = b`, `a: T = b` and each part of `a, b = c, d`."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        annotation = node.child_by_field_name("type")
        if left is None:
            return UNKNOWN
        if right is not None and left.type in PATTERNS and right.type in SEVERAL:
            return self._assign_each(left, right, body=body)
        value = self.visit(right, body) if right is not None else UNKNOWN
        written = self.written(annotation)
        self.use_annotation(annotation, body, how="holds")
        self._give(left, Typed(written) if written else value, body=body, value_node=right, value=value)
        return value

    def _assign_each(self, left: Node, right: Node, *, body: Body) -> Expression:
        targets, values = left.named_children, right.named_children
        read = [self.visit(value, body) for value in values]
        if len(targets) != len(values):
            self.assign(left, UNKNOWN, body=body)
            return UNKNOWN
        for target, value, node in zip(targets, read, values, strict=True):
            self._give(target, value, body=body, value_node=node, value=value)
        return UNKNOWN

    def _give(
        self, target: Node, told: Expression, *, body: Body, value_node: Node | None, value: Expression
    ) -> None:
        """Give a target what its annotation or its value tells, and take down a string that it gets."""
        self.assign(target, told, body=body)
        if value_node is not None and value_node.type != "identifier" and isinstance(value, Text | Joined):
            name = target if target.type == "identifier" else target.child_by_field_name("attribute")
            self.take_string(
                value, value_node, body=body, assigned_to=self.text(name) if name is not None else ""
            )

    def assign(self, target: Node, value: Expression, *, body: Body) -> None:
        """Give a value to what stands on the left."""
        kind = target.type
        if kind == "identifier":
            name = self.text(target)
            if isinstance(value, Typed):
                value = Typed(value.type, name)
            self.bind(name, value, body=body)
            self.module_value(name, value, node=target, body=body)
        elif kind == "attribute":
            member = self.unnoticed_chain(target, body)
            self.access(member, target, body=body, is_write=True)
            if isinstance(member, Member) and member.receiver is THIS:
                self.own_field(member.name, value, node=target, body=body)
        elif kind in PATTERNS:
            for child in target.named_children:
                self.assign(child, UNKNOWN, body=body)
        else:
            self.later([target], body)

    def augmented(self, node: Node, body: Body) -> Expression:
        """Read `sql += "…"`."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        value = self.visit(right, body) if right is not None else UNKNOWN
        if left is None or right is None:
            return UNKNOWN
        if left.type != "identifier":
            self.assign(left, UNKNOWN, body=body)
        else:
            self.append(self.text(left), value, node=node, body=body)
        return UNKNOWN

    def named(self, node: Node, body: Body) -> Expression:
        """Read `name := value`."""
        right, name = node.child_by_field_name("value"), node.child_by_field_name("name")
        value = self.visit(right, body) if right is not None else UNKNOWN
        if name is not None:
            self.bind(self.text(name), value, body=body)
        return value

    def returned(self, node: Node, body: Body) -> Expression:
        """Keep what a function returns."""
        for child in node.named_children:
            self.keep_result(self.visit(child, body), child, body=body)
        return UNKNOWN

    def for_statement(self, node: Node, body: Body) -> Expression:
        """Bind the variable of a loop, then go through its body."""
        self.loop(node, body)
        parts = (node.child_by_field_name("body"), node.child_by_field_name("alternative"))
        self.later([part for part in parts if part is not None], body)
        return UNKNOWN

    def except_clause(self, node: Node, body: Body) -> Expression:
        """Read the types that are caught, and bind the exception."""
        for child in node.named_children:
            if child.type == "block":
                self.later([child], body)
                continue
            pattern, alias = child, child.child_by_field_name("alias")
            caught = first_child(pattern) if child.type == "as_pattern" else pattern
            types = caught.named_children if caught is not None and caught.type == "tuple" else [caught]
            names = [self.written(one) for one in types if one is not None and one.type != "comment"]
            for name in names:
                self.use(name, child, body=body, how="catch")
            target = first_child(alias) if alias is not None else None
            if target is not None and names:
                self.assign(target, Typed(names[0]), body=body)
        return UNKNOWN

    def nothing(self, _node: Node, _body: Body) -> Expression:
        """Skip what names nothing."""
        return UNKNOWN

    handlers: ClassVar[Mapping[str, Handler]] = {
        **PythonExpressions.expressions,
        "expression_statement": expression_statement,
        "assignment": assignment,
        "augmented_assignment": augmented,
        "named_expression": named,
        "return_statement": returned,
        "for_statement": for_statement,
        "except_clause": except_clause,
        "except_group_clause": except_clause,
        "comment": nothing,
        "integer": nothing,
        "float": nothing,
        "none": nothing,
        "true": nothing,
        "false": nothing,
        "global_statement": nothing,
        "nonlocal_statement": nothing,
        "type": nothing,
    }


def visibility(name: str) -> str:
    """Read a name's leading underscore; double ones on both sides are Python's own and public."""
    return "private" if name.startswith("_") and not name.endswith("__") else "public"
