"""Say what Go's statements do: short declarations, assignments, ranges, type switches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tree_sitter import Node

from ragduck.facts import UNKNOWN, AccessFact, Element, Expression, Joined, Name, Text, Typed
from ragduck.parse.facts.bodies import Handler, first_child
from ragduck.parse.facts.body import Body
from ragduck.parse.facts.go_expressions import GoExpressions

BLANK = "_"


class GoStatements(GoExpressions):
    """Collect facts from Go's statements."""

    def short_declaration(self, node: Node, body: Body) -> Expression:
        """Read `a, err := f()`."""
        self._assign(node, body, is_new=True)
        return UNKNOWN

    def assignment(self, node: Node, body: Body) -> Expression:
        """Read `a.b = c` and `sql += "…"`."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if self.operator(node) != "+=" or left is None or right is None:
            self._assign(node, body, is_new=False)
            return UNKNOWN
        target, value_node = first_child(left), first_child(right)
        value = self.visit(value_node, body) if value_node is not None else UNKNOWN
        if target is not None and target.type == "identifier":
            self.append(self.text(target), value, node=node, body=body)
        elif target is not None:
            self.access(self.unnoticed_chain(target, body), target, body=body, is_write=True)
        return UNKNOWN

    def _assign(self, node: Node, body: Body, *, is_new: bool) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        values = right.named_children if right is not None else []
        self.give(left.named_children if left is not None else [], values, body=body, is_new=is_new)

    def give(self, targets: Sequence[Node], values: Sequence[Node], *, body: Body, is_new: bool) -> None:
        """Give each target its value; of several results only the first one has the type of the call."""
        read = [self.visit(value, body) for value in values]
        for number, target in enumerate(targets):
            value = read[number] if number < len(read) else UNKNOWN
            name = self.text(target.child_by_field_name("field") or target)
            if number < len(values) and values[number].type not in self.taken:
                self.take_string(value, values[number], body=body, assigned_to=name)
            if target.type != "identifier":
                self.access(self.unnoticed_chain(target, body), target, body=body, is_write=True)
            elif is_new and name != BLANK:
                self.declare(name, value, body=body)
            elif body.find(name) is not None:
                self.reassign(name, value, body=body)
            elif name != BLANK:
                line = target.start_point.row + 1
                self.accesses.append(AccessFact(body.source, Name(name), line, is_write=True))

    def variables(self, node: Node, body: Body) -> Expression:
        """Read `var a, b T = c, d` inside of a function."""
        type_node, listed = node.child_by_field_name("type"), node.child_by_field_name("value")
        names = node.children_by_field_name("name")
        self.use_type(type_node, body, how="holds")
        self.give(names, listed.named_children if listed is not None else [], body=body, is_new=True)
        for name in names if type_node is not None else ():
            if not isinstance(body.locals.get(self.text(name)), Text | Joined):
                self.declare(self.text(name), Typed(self.written(type_node), self.text(name)), body=body)
        return UNKNOWN

    def range_clause(self, node: Node, body: Body) -> Expression:
        """Bind the key and the element of `for k, v := range xs`."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        value = self.visit(right, body) if right is not None else UNKNOWN
        for number, target in enumerate(left.named_children if left is not None else ()):
            if target.type == "identifier":
                self.declare(
                    self.text(target), Element(value) if value and number == 1 else UNKNOWN, body=body
                )
        return UNKNOWN

    def type_switch(self, node: Node, body: Body) -> Expression:
        """Bind `switch v := x.(type)` anew in each case."""
        alias, value = node.child_by_field_name("alias"), node.child_by_field_name("value")
        if value is not None:
            self.visit(value, body)
        target = first_child(alias) if alias is not None else None
        name = self.text(target) if target is not None else ""
        for child in node.named_children:
            if child.type not in ("type_case", "default_case"):
                continue
            inner = body.block()
            types = child.children_by_field_name("type")
            for one in types:
                self.use_type(one, body, how="cast")
            if name:
                inner.locals[name] = Typed(self.written(types[0]), name) if len(types) == 1 else UNKNOWN
            self.later([one for one in child.named_children if one not in types], inner)
        return UNKNOWN

    def returned(self, node: Node, body: Body) -> Expression:
        """Keep the first value that a function returns."""
        listed = first_child(node)
        for number, child in enumerate(listed.named_children if listed is not None else ()):
            value = self.visit(child, body)
            if number == 0:
                self.keep_result(value, child, body=body)
            elif child.type not in self.taken:
                self.take_string(value, child, body=body)
        return UNKNOWN

    def block(self, node: Node, body: Body) -> Expression:
        """Walk a block with locals of its own."""
        self.later(node.named_children, body.block())
        return UNKNOWN

    def nothing(self, _node: Node, _body: Body) -> Expression:
        """Skip what names nothing, or what is read elsewhere."""
        return UNKNOWN

    statements: ClassVar[Mapping[str, Handler]] = {
        **GoExpressions.expressions,
        "short_var_declaration": short_declaration,
        "assignment_statement": assignment,
        "var_spec": variables,
        "const_spec": variables,
        "range_clause": range_clause,
        "type_switch_statement": type_switch,
        "return_statement": returned,
        **dict.fromkeys(
            (
                "block",
                "if_statement",
                "for_statement",
                "expression_switch_statement",
                "expression_case",
                "default_case",
                "communication_case",
            ),
            block,
        ),
        **dict.fromkeys(
            (
                "comment",
                "package_clause",
                "int_literal",
                "float_literal",
                "nil",
                "true",
                "false",
                "label_name",
                "parameter_list",
                "type_parameter_list",
            ),
            nothing,
        ),
    }
