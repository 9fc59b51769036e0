"""Say what Go's expressions are."""

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
    Lambda,
    Member,
    Name,
    New,
    Text,
    Typed,
)
from ragduck.parse.facts.bodies import MAX_ARGUMENTS, Handler, LinkHandler, first_child
from ragduck.parse.facts.body import Arguments, Body
from ragduck.parse.facts.declared import Reading
from ragduck.parse.facts.escapes import percent_format, unescape
from ragduck.parse.facts.go_types import BUILT_IN, GoTypes
from ragduck.parse.facts.values import kept

FUNCTIONS = frozenset(
    {
        *(
            "append",
            "cap",
            "clear",
            "close",
            "complex",
            "copy",
            "delete",
            "imag",
            "len",
            "make",
            "max",
            "min",
            "new",
        ),
        *("panic", "print", "println", "real", "recover"),
    }
)
WITHOUT_NEWS = frozenset(
    {"bytes", "errors", "fmt", "log", "math", "os", "sort", "strconv", "strings", "sync", "time", "testing"}
)
FORMATS = frozenset({"Sprintf", "Errorf"})


class GoExpressions(GoTypes):
    """Collect facts from Go's expressions."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self.packages: dict[str, str] = {}  # imported ones, by their local name
        self.own_types = {one.name for one in reading.declared.values() if one.kind == "TYPE"}

    # bare names

    def identifier(self, node: Node, body: Body) -> Expression:
        """Take down a name of the package that stands alone."""
        name = self.text(node)
        value = self.name(name, body)
        if isinstance(value, Name) and name not in FUNCTIONS and name not in BUILT_IN and name != "_":
            self.accesses.append(AccessFact(body.source, value, node.start_point.row + 1))
        return value

    # links of chains

    def selector(self, node: Node, value: Expression, _body: Body) -> Expression:
        """Add `.name`."""
        return Member(value, self.field_text(node, "field"))

    def index(self, node: Node, value: Expression, body: Body) -> Expression:
        """Add `[…]`, which may give type arguments to a function."""
        index = node.child_by_field_name("index")
        self.later([index] if index is not None else [], body)
        if isinstance(value, Name) or not value:
            return value
        return Element(value)

    def same(self, _node: Node, value: Expression, _body: Body) -> Expression:
        """Look through parentheses and slices."""
        return value

    def unary(self, node: Node, value: Expression, body: Body) -> Expression:
        """Look through `&` and `*`."""
        if self.operator(node) in ("&", "*"):
            return value
        self.access(value, node, body=body)
        return UNKNOWN

    def assertion(self, node: Node, value: Expression, body: Body) -> Expression:
        """Add `.(T)`."""
        type_node = node.child_by_field_name("type")
        self.access(value, node, body=body)
        self.use_type(type_node, body, how="cast")
        return Typed(self.written(type_node))

    def call_of(self, node: Node, function: Expression, body: Body) -> Expression:
        """Add `(…)`, maybe to a function with type arguments."""
        function = function.collection if isinstance(function, Element) else function
        arguments = node.child_by_field_name("arguments")
        if isinstance(function, Name) and function.name in FUNCTIONS:
            return self._built_in(function.name, arguments, body=body)
        given = self.arguments(arguments, body)
        if isinstance(function, Name) and function.name in self.own_types | BUILT_IN:
            return Typed(function.name) if function.name in self.own_types else UNKNOWN
        if isinstance(function, Member) and self._package_of(function) in WITHOUT_NEWS:
            return self._formatted(function, given, body=body)
        name_node = node.child_by_field_name("function") or node
        return self.call(function, name_node, body=body, arguments=given)

    def _package_of(self, function: Member) -> str:
        receiver = function.receiver
        return self.packages.get(receiver.name, "") if isinstance(receiver, Name) else ""

    def _built_in(self, name: str, node: Node | None, *, body: Body) -> Expression:
        """Read a call of what the language brings; `new(T)` and `make(T)` tell a type."""
        children = node.named_children if node is not None else []
        if name in ("new", "make") and children:
            self.use_type(children[0], body, how="new")
            self.later(children[1:], body)
            return Typed(self.written(children[0]))
        given = self.arguments(node, body)
        return given.values[0].value if name == "append" and given.values else UNKNOWN

    def _formatted(self, function: Member, given: Arguments, *, body: Body) -> Expression:
        values = [one.value for one in given.values]
        if function.name in FORMATS and values and isinstance(values[0], Text):
            return percent_format(values[0], values[1:])
        self.take_strings(given, Call(function, given.values), body=body)
        return UNKNOWN

    def arguments(self, node: Node | None, body: Body) -> Arguments:
        """Read the arguments of a call."""
        children = [child for child in node.named_children if child.type != "comment"] if node else []
        self.later(children[MAX_ARGUMENTS:], body)
        children = children[:MAX_ARGUMENTS]
        values = [Argument(kept(self.visit(child, body))) for child in children]
        return Arguments(tuple(values), tuple(children))

    # values

    def composite(self, node: Node, body: Body) -> Expression:
        """Read `T{a: b}`."""
        type_node, block = node.child_by_field_name("type"), node.child_by_field_name("body")
        self.use_type(type_node, body, how="new")
        return New(self.written(type_node), tuple(self._elements(block, body)))

    def _elements(self, block: Node | None, body: Body) -> list[Argument]:
        children = [child for child in block.named_children if child.type != "comment"] if block else []
        self.later(children[MAX_ARGUMENTS:], body)
        found: list[Argument] = []
        for child in children[:MAX_ARGUMENTS]:
            key, value_node = child.child_by_field_name("key"), child.child_by_field_name("value")
            key = first_child(key) if key is not None else None
            inner = first_child(value_node) if value_node is not None else first_child(child)
            name = self.text(key) if key is not None and key.type == "identifier" else ""
            value = self.visit(inner, body) if inner is not None else UNKNOWN
            if inner is not None and inner.type not in self.taken:
                self.take_string(value, inner, body=body, assigned_to=name)
            found.append(Argument(kept(value), name))
        return found

    def untyped(self, node: Node, body: Body) -> Expression:
        """Read `{a: b}` inside of another literal."""
        self._elements(node, body)
        return UNKNOWN

    def conversion(self, node: Node, body: Body) -> Expression:
        """Read `[]T(x)`, and `f[T](x)`, which looks alike."""
        operand, type_node = node.child_by_field_name("operand"), node.child_by_field_name("type")
        value = self.visit(operand, body) if operand is not None else UNKNOWN
        name = self.field_text(type_node, "type") if type_node is not None else ""
        if type_node is not None and type_node.type == "generic_type" and name not in self.own_types:
            given = Arguments((Argument(kept(value)),), (operand or node,))
            self.use_type(type_node.child_by_field_name("type_arguments"), body, how="argument")
            return self.call(Name(name), type_node, body=body, arguments=given)
        self.use_type(type_node, body, how="cast")
        return Typed(self.written(type_node))

    def closure(self, node: Node, body: Body) -> Expression:
        """Walk a function that is no declaration."""
        inner = body.inner()
        for parameter in self.parameters(node.child_by_field_name("parameters"), inner):
            inner.locals[parameter.name] = Typed(parameter.type, parameter.name)
        block = node.child_by_field_name("body")
        self.later([block] if block is not None else [], inner)
        return Lambda()

    def binary(self, node: Node, body: Body) -> Expression:
        """Put together what `+` joins."""
        if self.operator(node) == "+":
            return self.added(node, body)
        self.later(node.named_children, body)
        return UNKNOWN

    def string(self, node: Node, _body: Body) -> Expression:
        """Return a literal in double quotes or between backticks."""
        text = self.source[node.start_byte + 1 : node.end_byte - 1].decode("utf-8", "replace")
        return Text(text if node.type == "raw_string_literal" else unescape(text))

    links: ClassVar[Mapping[str, tuple[str, LinkHandler]]] = {
        "selector_expression": ("operand", selector),
        "call_expression": ("function", call_of),
        "index_expression": ("operand", index),
        "slice_expression": ("operand", same),
        "parenthesized_expression": ("", same),
        "unary_expression": ("operand", unary),
        "type_assertion_expression": ("operand", assertion),
    }
    expressions: ClassVar[Mapping[str, Handler]] = {
        "identifier": identifier,
        "composite_literal": composite,
        "literal_value": untyped,
        "type_conversion_expression": conversion,
        "func_literal": closure,
        "binary_expression": binary,
        "interpreted_string_literal": string,
        "raw_string_literal": string,
    }
