"""Say what Java's expressions are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from tree_sitter import Node

from ragduck.facts import (
    UNKNOWN,
    AccessFact,
    Argument,
    Call,
    Element,
    Expression,
    Joined,
    Lambda,
    LambdaParameter,
    Member,
    Name,
    New,
    Text,
    Typed,
    TypeOf,
)
from ragduck.parse.facts.bodies import MAX_ARGUMENTS, BodyWalker, Handler, LinkHandler, first_child
from ragduck.parse.facts.body import Arguments, Body
from ragduck.parse.facts.escapes import dedent, joined, percent_format, unescape
from ragduck.parse.facts.values import BASE, THIS, choice, kept

TYPES = frozenset(
    {
        *(
            "Boolean",
            "Byte",
            "Character",
            "Double",
            "Float",
            "Integer",
            "Long",
            "Object",
            "Short",
            "String",
            "Void",
        ),
        *("boolean", "byte", "char", "double", "float", "int", "long", "short", "var", "void"),
    }
)
TEXT_BLOCK = '"""'
BUILDERS = frozenset({"StringBuilder", "StringBuffer"})
SAME_TEXT = frozenset({"toString", "trim", "strip", "stripIndent", "toLowerCase", "toUpperCase", "intern"})


class JavaExpressions(BodyWalker):
    """Collect facts from Java's expressions."""

    boring_methods = frozenset(
        {
            "add",
            "equals",
            "get",
            "getClass",
            "hashCode",
            "isEmpty",
            "length",
            "put",
            "set",
            "size",
            "toString",
        }
    )

    def is_news(self, written: str) -> bool:
        """Leave out the types of the language."""
        return written.removesuffix("[]") not in TYPES

    # bare names

    def identifier(self, node: Node, body: Body) -> Expression:
        """Take down a field of the own type that stands alone."""
        value = self.name(self.text(node), body)
        if isinstance(value, Name):
            self.accesses.append(AccessFact(body.source, value, node.start_point.row + 1))
        return value

    def this(self, _node: Node, body: Body) -> Expression:
        """Return the own object, which methods of anonymous classes have not."""
        found = body.find("this")
        return THIS if found is None else found

    def base(self, _node: Node, _body: Body) -> Expression:
        """Return `super`."""
        return BASE

    # links of chains

    def field(self, node: Node, value: Expression, _body: Body) -> Expression:
        """Add `.name`."""
        return Member(value, self.field_text(node, "field"))

    def element(self, node: Node, value: Expression, body: Body) -> Expression:
        """Add `[…]`."""
        index = node.child_by_field_name("index")
        self.later([index] if index is not None else [], body)
        return Element(value) if value else UNKNOWN

    def same(self, _node: Node, value: Expression, _body: Body) -> Expression:
        """Look through parentheses."""
        return value

    def cast(self, node: Node, value: Expression, body: Body) -> Expression:
        """Add `(T)`."""
        written = node.child_by_field_name("type")
        self.access(value, node, body=body)
        self.use(self.written(written), node, body=body, how="cast")
        return Typed(self.written(written))

    def method(self, node: Node, value: Expression, body: Body) -> Expression:
        """Add `.name(…)`, which may put a string together."""
        function = Member(value, self.field_text(node, "name"))
        given = self._given(node, function, body=body)
        values = [one.value for one in given.values]
        if isinstance(value, Text | Joined):
            return _text_method(value, function.name, values=values)
        if isinstance(value, Name) and value.name == "String" and function.name == "format":
            return percent_format(values[0], values[1:]) if values else UNKNOWN
        return self.call(function, self._name_node(node), body=body, arguments=given)

    def bare_call(self, node: Node, body: Body) -> Expression:
        """Read `name(…)`, a call of an own method."""
        function = Name(self.field_text(node, "name"))
        given = self._given(node, function, body=body)
        return self.call(function, self._name_node(node), body=body, arguments=given)

    def _name_node(self, node: Node) -> Node:
        return node.child_by_field_name("name") or node

    def _given(self, node: Node, function: Expression, *, body: Body) -> Arguments:
        types = node.child_by_field_name("type_arguments")
        written = tuple(self.written(one) for one in types.named_children) if types is not None else ()
        return self.arguments(node.child_by_field_name("arguments"), Call(function, (), written), body=body)

    def arguments(self, node: Node | None, call: Call, *, body: Body) -> Arguments:
        """Read arguments; a lambda among them has the parameters that the call gives it."""
        children = [child for child in node.named_children if "comment" not in child.type] if node else []
        self.later(children[MAX_ARGUMENTS:], body)
        values: list[Argument] = []
        for child in children[:MAX_ARGUMENTS]:
            if child.type == "lambda_expression":
                value = self._lambda(child, body, given_to=call._replace(arguments=tuple(values)))
            else:
                value = self.visit(child, body)
            values.append(Argument(kept(value)))
        return Arguments(tuple(values), tuple(children[:MAX_ARGUMENTS]), call.type_arguments)

    # values

    def new(self, node: Node, body: Body) -> Expression:
        """Read `new T(…)`, maybe with a body of its own."""
        written = self.written(node.child_by_field_name("type"))
        given = self.arguments(node.child_by_field_name("arguments"), Call(New(written)), body=body)
        self.use(written, node, body=body, how="new")
        for child in node.named_children:
            if child.type == "class_body":
                self.later([child], Body(body.source, outer=body, locals={"this": UNKNOWN}))
        if written in BUILDERS:
            return joined([one.value for one in given.values if isinstance(one.value, Text | Joined)])
        self.take_strings(given, Call(New(written), given.values), body=body)
        return New(written, given.values)

    def new_array(self, node: Node, body: Body) -> Expression:
        """Read `new T[n]` and `new T[] {…}`."""
        written = node.child_by_field_name("type")
        self.use(self.written(written), node, body=body, how="new")
        self.later([child for child in node.named_children if child != written], body)
        return Typed(f"{self.written(written)}[]")

    def type_of(self, node: Node, body: Body) -> Expression:
        """Read `T.class`."""
        written = self.written(first_child(node))
        self.use(written, node, body=body, how="typeof")
        return TypeOf(written)

    def _lambda(self, node: Node, body: Body, *, given_to: Call | None) -> Expression:
        inner = body.inner()
        parameters, result = node.child_by_field_name("parameters"), node.child_by_field_name("body")
        listed = parameters.named_children if parameters is not None else []
        if parameters is not None and parameters.type == "identifier":
            listed = [parameters]
        for position, child in enumerate(listed):
            name = self.text(child.child_by_field_name("name") or child)
            written = self.written(child.child_by_field_name("type"))
            value = kept(LambdaParameter(given_to, position)) if given_to is not None else UNKNOWN
            inner.locals[name] = Typed(written, name) if written not in ("", "var") else value
        self.later([result] if result is not None else [], inner)
        return Lambda()

    def lambda_value(self, node: Node, body: Body) -> Expression:
        """Read a lambda that is no argument."""
        return self._lambda(node, body, given_to=None)

    def reference(self, node: Node, body: Body) -> Expression:
        """Read `A::b`."""
        children = node.named_children
        value = self.root(children[0], body) if children else UNKNOWN
        line = node.start_point.row + 1
        if len(children) > 1:
            self.accesses.append(AccessFact(body.source, Member(value, self.text(children[-1])), line))
        elif isinstance(value, Name):
            self.use(value.name, node, body=body, how="new")
        return Lambda()

    def ternary(self, node: Node, body: Body) -> Expression:
        """Return both values of `a ? b : c`."""
        parts = [node.child_by_field_name(name) for name in ("condition", "consequence", "alternative")]
        values = [self.visit(part, body) for part in parts if part is not None]
        return choice(values[1:])

    def binary(self, node: Node, body: Body) -> Expression:
        """Put together what `+` joins."""
        if self.operator(node) == "+":
            return self.added(node, body)
        self.later(node.named_children, body)
        return UNKNOWN

    def instance_of(self, node: Node, body: Body) -> Expression:
        """Read `a instanceof T b`."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None:
            self.visit(left, body)
        written = self.written(right)
        self.use(written, node, body=body, how="cast")
        name = node.child_by_field_name("name")
        if name is not None:
            self.declare(self.text(name), Typed(written, self.text(name)), body=body)
        return UNKNOWN

    def string(self, node: Node, _body: Body) -> Expression:
        """Return a literal or a text block."""
        text = self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")
        if text.startswith(TEXT_BLOCK):
            return Text(unescape(dedent(text.removeprefix(TEXT_BLOCK).removesuffix(TEXT_BLOCK))))
        return Text(unescape(text[1:-1]))

    links: ClassVar[Mapping[str, tuple[str, LinkHandler]]] = {
        "field_access": ("object", field),
        "array_access": ("array", element),
        "method_invocation": ("object", method),
        "parenthesized_expression": ("", same),
        "cast_expression": ("value", cast),
    }
    expressions: ClassVar[Mapping[str, Handler]] = {
        "identifier": identifier,
        "this": this,
        "super": base,
        "method_invocation": bare_call,
        "object_creation_expression": new,
        "array_creation_expression": new_array,
        "class_literal": type_of,
        "lambda_expression": lambda_value,
        "method_reference": reference,
        "ternary_expression": ternary,
        "binary_expression": binary,
        "instanceof_expression": instance_of,
        "string_literal": string,
    }


def _text_method(text: Expression, name: str, *, values: list[Expression]) -> Expression:
    """Return what a method makes of a string, or of what a builder holds."""
    if name in SAME_TEXT:
        return text
    if name in ("append", "concat"):
        return joined([text, *values])
    return percent_format(text, values) if name == "formatted" else UNKNOWN
