"""Say what Python's expressions are."""

from __future__ import annotations

import builtins
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from tree_sitter import Node

from ragduck.facts import (
    UNKNOWN,
    AccessFact,
    Argument,
    Awaited,
    Call,
    Element,
    Expression,
    Joined,
    Lambda,
    Member,
    Name,
    New,
    Text,
    Typed,
    UseFact,
)
from ragduck.parse.facts.bodies import MAX_ARGUMENTS, BodyWalker, Handler, LinkHandler, first_child
from ragduck.parse.facts.body import Arguments, Body
from ragduck.parse.facts.declared import Reading
from ragduck.parse.facts.escapes import brace_format, joined, percent_format, unescape
from ragduck.parse.facts.values import BASE, THIS, choice, kept

BUILTINS = frozenset(dir(builtins))
PRIMITIVES = BUILTINS | {"Any", "None"}
CONSTRUCTOR = "__init__"
_TYPES = (str, bytes, list, dict, set, frozenset, tuple, int, float)


class PythonExpressions(BodyWalker, ABC):
    """Collect facts from Python's expressions."""

    boring_methods = frozenset(name for kind in _TYPES for name in dir(kind))

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        top = [one for one in reading.declared.values() if one.owner is None]
        self.known = {one.name for one in top}  # and imported names, as they come
        self._no_classes = {one.name for one in top if one.kind != "TYPE"}
        self._classes = self.known - self._no_classes

    def is_news(self, written: str) -> bool:
        """Leave out Python's own types."""
        return written not in PRIMITIVES

    def written(self, node: Node | None) -> str:
        """Return a type as written, a quoted one without its quotes."""
        text = super().written(node)
        return text if "Literal" in text else text.replace('"', "").replace("'", "")

    def use_annotation(self, node: Node | None, body: Body, *, how: str) -> None:
        """Take down the type of an annotation, or those of `A | B`."""
        written = self.written(node)
        if node is not None and written:
            for one in [written] if "[" in written else written.split("|"):
                self.use(one.strip(), node, body=body, how=how)

    def is_class(self, name: str) -> bool:
        """Say whether a name is that of a class, which Python spells with a capital."""
        return name in self._classes or (name not in self._no_classes and name.lstrip("_")[:1].isupper())

    # bare names

    def identifier(self, node: Node, body: Body) -> Expression:
        """Take down a name of the module or of an import that stands alone."""
        name = self.text(node)
        value = self.name(name, body)
        if not isinstance(value, Name) or value is THIS or value.name not in self.known:
            return value
        line = node.start_point.row + 1
        if self.is_class(name) and not (name.isupper() and len(name) > 1):
            self.uses.append(UseFact(body.source, name, line, "argument"))
        else:
            self.accesses.append(AccessFact(body.source, value, line))
        return value

    # links of chains

    def attribute(self, node: Node, value: Expression, _body: Body) -> Expression:
        """Add `.name`."""
        return Member(value, self.field_text(node, "attribute"))

    def subscript(self, node: Node, value: Expression, body: Body) -> Expression:
        """Add `[…]`."""
        self.later(node.children_by_field_name("subscript"), body)
        return Element(value) if value and not isinstance(value, Text | Joined) else UNKNOWN

    def awaited(self, _node: Node, value: Expression, _body: Body) -> Expression:
        """Add `await`."""
        return Awaited(value) if value else UNKNOWN

    def same(self, _node: Node, value: Expression, _body: Body) -> Expression:
        """Look through parentheses."""
        return value

    def call_of(self, node: Node, function: Expression, body: Body) -> Expression:
        """Add `(…)`: an object where a class is called, a string where one is formatted."""
        if isinstance(function, Name) and function.name == "super":
            return BASE
        given = self._arguments(node.child_by_field_name("arguments"), body)
        if isinstance(function, Member) and isinstance(function.receiver, Text | Joined):
            return _text_method(function, given)
        name_node = node.child_by_field_name("function") or node
        if function is THIS:
            return Typed(body.owner.name) if body.owner is not None else UNKNOWN
        written = self._class_name(function)
        if written:
            return self._new(written, given, node=name_node, body=body)
        if isinstance(function, Name | Member) and function.name == "cast" and len(given.nodes) > 1:
            return Typed(self.written(given.nodes[0]))
        if isinstance(function, Name) and function.name in BUILTINS and function.name not in self.known:
            self.take_strings(given, Call(function, given.values), body=body)
            return UNKNOWN
        self._hand_on(function, given, body=body)
        return self.call(function, name_node, body=body, arguments=given)

    def _new(self, written: str, given: Arguments, *, node: Node, body: Body) -> New:
        made = New(written, given.values)
        self.use(written, node, body=body, how="new")
        self.take_strings(given, Call(New(written), given.values), body=body)
        return made

    def _class_name(self, function: Expression) -> str:
        """Return the dotted name of a class that is called."""
        names: list[str] = []
        while isinstance(function, Member):
            names.append(function.name)
            function = function.receiver
        if not isinstance(function, Name) or function in (THIS, BASE):
            return ""
        names.append(function.name)
        if not self.is_class(names[0]) or (len(names) == 1 and names[0] in BUILTINS):
            return ""
        return ".".join(reversed(names))

    def _hand_on(self, function: Expression, given: Arguments, *, body: Body) -> None:
        """Keep what a constructor gives to that of its base class."""
        if isinstance(function, Member) and function.name == CONSTRUCTOR and function.receiver is BASE:
            body.frame.handed_on, body.frame.hands_to = given.values, "base"

    def _arguments(self, node: Node | None, body: Body) -> Arguments:
        if node is None or node.type != "argument_list":
            self.later([node] if node is not None else [], body)
            return Arguments()
        values: list[Argument] = []
        nodes: list[Node] = []
        children = node.named_children
        self.later(children[MAX_ARGUMENTS:], body)
        for child in children[:MAX_ARGUMENTS]:
            kind = child.type
            name, value = "", child
            if kind == "comment":
                continue
            if kind == "keyword_argument":
                name = self.field_text(child, "name")
                value = child.child_by_field_name("value") or child
            values.append(Argument(kept(self.visit(value, body)), name))
            nodes.append(value)
        return Arguments(tuple(values), tuple(nodes))

    # values

    def lambda_of(self, node: Node, body: Body) -> Expression:
        """Walk a lambda with parameters of its own."""
        inner = body.inner()
        parameters = node.child_by_field_name("parameters")
        for parameter in parameters.named_children if parameters is not None else ():
            name = parameter.child_by_field_name("name") or parameter
            inner.locals[self.text(name)] = UNKNOWN
            default = parameter.child_by_field_name("value")
            self.later([default] if default is not None else [], body)
        result = node.child_by_field_name("body")
        self.later([result] if result is not None else [], inner)
        return Lambda()

    def conditional(self, node: Node, body: Body) -> Expression:
        """Return both values of `a if b else c`."""
        parts = [child for child in node.named_children if child.type != "comment"]
        values = [self.visit(part, body) for part in parts]
        return choice(values[::2]) if len(values) == 3 else UNKNOWN

    def boolean(self, node: Node, body: Body) -> Expression:
        """Return both values of `a or b`."""
        values = [self.visit(child, body) for child in node.named_children]
        return choice(values, is_fallback=True) if self.operator(node) == "or" else UNKNOWN

    def comprehension(self, node: Node, body: Body) -> Expression:
        """Bind the variables of a comprehension before what they are used in is walked."""
        inner = body.inner()
        rest = []
        for child in node.named_children:
            if child.type == "for_in_clause":
                self.loop(child, inner)
            else:
                rest.append(child)
        self.later(rest, inner)
        return UNKNOWN

    def loop(self, node: Node, body: Body) -> None:
        """Bind what `for … in …` goes through."""
        right, left = node.child_by_field_name("right"), node.child_by_field_name("left")
        value = self.visit(right, body) if right is not None else UNKNOWN
        if left is not None:
            self.assign(left, Element(value) if value else UNKNOWN, body=body)

    @abstractmethod
    def assign(self, target: Node, value: Expression, *, body: Body) -> None:
        """Give a value to what stands on the left; said by the module on statements."""

    def as_pattern(self, node: Node, body: Body) -> Expression:
        """Bind the name in `with x as y`."""
        first = first_child(node)
        value = self.visit(first, body) if first is not None else UNKNOWN
        alias = node.child_by_field_name("alias")
        target = first_child(alias) if alias is not None else None
        if target is not None:
            self.assign(target, value, body=body)
        return value

    # strings

    def string(self, node: Node, body: Body) -> Expression:
        """Return a literal, or the parts of an f-string."""
        children = node.named_children
        prefix = self.text(children[0]).rstrip("\"'").lower() if children else "b"
        if "b" in prefix:
            return UNKNOWN
        parts: list[Expression] = []
        for child in children:
            if child.type == "string_content":
                parts.append(Text(self._content(child, prefix)))
            elif child.type == "interpolation":
                parts.append(self._interpolated(child, body))
        return joined(parts)

    def _content(self, node: Node, prefix: str) -> str:
        text = self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")
        if "r" not in prefix:
            text = unescape(text)
        return text.replace("{{", "{").replace("}}", "}") if "f" in prefix else text

    def _interpolated(self, node: Node, body: Body) -> Expression:
        expression = node.child_by_field_name("expression")
        self.later([child for child in node.named_children if child.type == "format_specifier"], body)
        return kept(self.visit(expression, body)) if expression is not None else UNKNOWN

    def concatenated(self, node: Node, body: Body) -> Expression:
        """Put literals that stand side by side together."""
        return joined([self.visit(child, body) for child in node.named_children])

    def binary(self, node: Node, body: Body) -> Expression:
        """Put together what `+` joins and `%` fills in, if it is a string."""
        operator = self.operator(node)
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if operator == "%" and left is not None and right is not None and left.type in _LITERALS:
            template = self.visit(left, body)
            values = right.named_children if right.type == "tuple" else [right]
            return percent_format(template, [kept(self.visit(one, body)) for one in values])
        if operator != "+":
            self.later(node.named_children, body)
            return UNKNOWN
        return self.added(node, body)

    links: ClassVar[Mapping[str, tuple[str, LinkHandler]]] = {
        "attribute": ("object", attribute),
        "subscript": ("value", subscript),
        "call": ("function", call_of),
        "await": ("", awaited),
        "parenthesized_expression": ("", same),
    }
    expressions: ClassVar[Mapping[str, Handler]] = {
        "identifier": identifier,
        "lambda": lambda_of,
        "conditional_expression": conditional,
        "boolean_operator": boolean,
        "list_comprehension": comprehension,
        "set_comprehension": comprehension,
        "dictionary_comprehension": comprehension,
        "generator_expression": comprehension,
        "as_pattern": as_pattern,
        "string": string,
        "concatenated_string": concatenated,
        "binary_operator": binary,
    }


_LITERALS = frozenset({"string", "concatenated_string", "parenthesized_expression", "identifier"})


def _text_method(function: Member, given: Arguments) -> Expression:
    """Return what a method of a literal makes of it."""
    if function.name == "format":
        named = {one.name: one.value for one in given.values if one.name}
        return brace_format(
            function.receiver, [one.value for one in given.values if not one.name], named=named
        )
    return function.receiver if function.name in ("strip", "lstrip", "rstrip", "lower", "upper") else UNKNOWN
