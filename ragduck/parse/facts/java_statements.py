"""Say what Java's statements do: locals, loops, assignments, what is caught and handed on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from tree_sitter import Node

from ragduck.facts import UNKNOWN, AccessFact, Call, Element, Expression, Joined, Member, Name, Text, Typed
from ragduck.parse.facts.bodies import Handler, first_child
from ragduck.parse.facts.body import Body
from ragduck.parse.facts.java_expressions import JavaExpressions
from ragduck.parse.facts.values import THIS, kept

INFERRED = frozenset({"", "var"})


class JavaStatements(JavaExpressions):
    """Collect facts from Java's statements."""

    taken = frozenset({"identifier", "assignment_expression"})

    def local(self, node: Node, body: Body) -> Expression:
        """Read `T a = x, b = y;`."""
        written = self._used_type(node, body)
        for declarator in node.children_by_field_name("declarator"):
            self._declare(declarator, written, body=body)
        return UNKNOWN

    def resource(self, node: Node, body: Body) -> Expression:
        """Read what `try (…)` opens."""
        if node.child_by_field_name("name") is None:
            self.later(node.named_children, body)
        else:
            self._declare(node, self._used_type(node, body), body=body)
        return UNKNOWN

    def _declare(self, node: Node, written: str, *, body: Body) -> None:
        name, value_node = node.child_by_field_name("name"), node.child_by_field_name("value")
        value = self.visit(value_node, body) if value_node is not None else UNKNOWN
        if name is None:
            return
        if value_node is not None and value_node.type not in self.taken:
            self.take_string(value, value_node, body=body, assigned_to=self.text(name))
        is_told = written in INFERRED or isinstance(value, Text | Joined)
        self.declare(self.text(name), value if is_told else Typed(written, self.text(name)), body=body)

    def _used_type(self, node: Node, body: Body) -> str:
        type_node = node.child_by_field_name("type")
        if type_node is None:
            return ""
        self.use(self.written(type_node), type_node, body=body, how="holds")
        return self.written(type_node)

    def loop(self, node: Node, body: Body) -> Expression:
        """Bind the variable of `for (T x : xs)`."""
        body = body.block()
        written = self._used_type(node, body)
        name, over = node.child_by_field_name("name"), node.child_by_field_name("value")
        value = self.visit(over, body) if over is not None else UNKNOWN
        if name is not None:
            element = Element(value) if value else UNKNOWN
            told = element if written in INFERRED else Typed(written, self.text(name))
            self.declare(self.text(name), told, body=body)
        block = node.child_by_field_name("body")
        self.later([block] if block is not None else [], body)
        return UNKNOWN

    def caught(self, node: Node, body: Body) -> Expression:
        """Read the types that are caught, and bind the exception."""
        types = next((child for child in node.named_children if child.type == "catch_type"), None)
        written = [self.written(child) for child in types.named_children] if types is not None else []
        for one in written:
            self.use(one, node, body=body, how="catch")
        name = node.child_by_field_name("name")
        if name is not None and written:
            self.declare(self.text(name), Typed(written[0], self.text(name)), body=body)
        return UNKNOWN

    def assignment(self, node: Node, body: Body) -> Expression:
        """Read `a = b` and `sql += "…"`."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return UNKNOWN
        value = self.visit(right, body)
        if left.type == "identifier" and body.find(self.text(left)) is not None:
            if self.operator(node) == "+=":
                self.append(self.text(left), value, node=node, body=body)
                return UNKNOWN
            self.reassign(self.text(left), value, body=body)
        else:
            self._assign_member(left, value, body=body)
        if right.type not in self.taken:
            name = left.child_by_field_name("field") or left
            self.take_string(value, right, body=body, assigned_to=self.text(name))
        return value

    def _assign_member(self, left: Node, value: Expression, *, body: Body) -> None:
        """Read what is put into a field, with or without `this`."""
        target = self.unnoticed_chain(left, body)
        if isinstance(target, Name):
            self.accesses.append(AccessFact(body.source, target, left.start_point.row + 1, is_write=True))
            self.note_assignment(target.name, value, body=body)
            return
        self.access(target, left, body=body, is_write=True)
        if isinstance(target, Member) and target.receiver is THIS:
            self.note_assignment(target.name, value, body=body)

    def statement(self, node: Node, body: Body) -> Expression:
        """Read a statement, which may add to a builder of strings."""
        child = first_child(node)
        if child is None:
            return UNKNOWN
        value = self.visit(child, body)
        name = self._first_name(child) if isinstance(value, Text | Joined) else ""
        if name and isinstance(body.find(name), Text | Joined):
            holder = body.holder(name) or body
            holder.locals[name] = kept(value) or holder.locals[name]
        return UNKNOWN

    def _first_name(self, node: Node) -> str:
        """Return the local that a chain of calls begins with."""
        current: Node | None = node
        while current is not None and current.type == "method_invocation":
            current = current.child_by_field_name("object")
        return self.text(current) if current is not None and current.type == "identifier" else ""

    def returned(self, node: Node, body: Body) -> Expression:
        """Keep what a method returns."""
        value_node = first_child(node)
        if value_node is not None:
            self.keep_result(self.visit(value_node, body), value_node, body=body)
        return UNKNOWN

    def handed_on(self, node: Node, body: Body) -> Expression:
        """Read `super(…)` and `this(…)`."""
        called = node.child_by_field_name("constructor")
        given = self.arguments(node.child_by_field_name("arguments"), Call(UNKNOWN), body=body)
        self.take_strings(given, None, body=body)
        body.frame.handed_on = given.values
        body.frame.hands_to = "this" if called is not None and called.type == "this" else "base"
        return UNKNOWN

    def label(self, node: Node, body: Body) -> Expression:
        """Read `case …:`, where bare names are constants of the type that is switched on."""
        self.later([child for child in node.named_children if child.type != "identifier"], body)
        return UNKNOWN

    def block(self, node: Node, body: Body) -> Expression:
        """Walk a block with locals of its own."""
        self.later(node.named_children, body.block())
        return UNKNOWN

    def nothing(self, _node: Node, _body: Body) -> Expression:
        """Skip what names nothing, or what is read elsewhere."""
        return UNKNOWN

    statements: ClassVar[Mapping[str, Handler]] = {
        **JavaExpressions.expressions,
        "local_variable_declaration": local,
        "resource": resource,
        "enhanced_for_statement": loop,
        "catch_formal_parameter": caught,
        "assignment_expression": assignment,
        "expression_statement": statement,
        "return_statement": returned,
        "explicit_constructor_invocation": handed_on,
        "switch_label": label,
        **dict.fromkeys(
            ("block", "for_statement", "catch_clause", "try_with_resources_statement", "switch_rule"), block
        ),
        **dict.fromkeys(
            (
                "line_comment",
                "block_comment",
                "modifiers",
                "type_parameters",
                "break_statement",
                "continue_statement",
                "superclass",
                "super_interfaces",
                "extends_interfaces",
                "throws",
            ),
            nothing,
        ),
    }
