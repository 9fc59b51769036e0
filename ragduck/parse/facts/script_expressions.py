"""Say what expressions of TypeScript and JavaScript are."""

from __future__ import annotations

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
    Lambda,
    LambdaParameter,
    Member,
    Name,
    New,
    Parameter,
    Text,
    Typed,
    UseFact,
)
from ragduck.parse.facts.bodies import MAX_ARGUMENTS, Handler, LinkHandler, first_child
from ragduck.parse.facts.body import Arguments, Body
from ragduck.parse.facts.escapes import joined, unescape
from ragduck.parse.facts.script_names import BUILT_IN_METHODS, GLOBALS, REQUESTS
from ragduck.parse.facts.script_types import ScriptTypes
from ragduck.parse.facts.values import BASE, choice, kept

CLOSURES = frozenset({"arrow_function", "function_expression", "generator_function"})
STRINGS = frozenset({"string", "template_string"})
_SENDERS = {
    **dict.fromkeys(REQUESTS, (Name("$"), Name("jQuery"))),
    "fetch": (Name("window"), Name("globalThis")),
}


class ScriptExpressions(ScriptTypes, ABC):
    """Collect facts from expressions."""

    boring_methods = BUILT_IN_METHODS
    requests = frozenset(("get", "delete"))

    # bare names

    def identifier(self, node: Node, body: Body) -> Expression:
        """Take down a name of the module or of an import that stands alone."""
        name = self.text(node)
        value = self.name(name, body)
        if not isinstance(value, Name) or value.name not in self.known:
            return value
        line = node.start_point.row + 1
        if name in self.classes or (name in self.imported and name[:1].isupper() and not name.isupper()):
            self.uses.append(UseFact(body.source, name, line, "argument"))
        else:
            self.accesses.append(AccessFact(body.source, value, line))
        return value

    def this(self, _node: Node, body: Body) -> Expression:
        """Return the own object, which functions inside of methods have not."""
        return self.name("this", body)

    def base(self, _node: Node, _body: Body) -> Expression:
        """Return `super`."""
        return BASE

    # links of chains

    def member(self, node: Node, value: Expression, _body: Body) -> Expression:
        """Add `.name`."""
        return Member(value, self.field_text(node, "property"))

    def subscript(self, node: Node, value: Expression, body: Body) -> Expression:
        """Add `[…]`, which names a member if it is a string."""
        index = node.child_by_field_name("index")
        if index is None or not value:
            return UNKNOWN
        if index.type == "string":
            named = self.string(index, body)
            return Member(value, named.value) if isinstance(named, Text) else UNKNOWN
        self.later([index], body)
        return Element(value)

    def same(self, _node: Node, value: Expression, _body: Body) -> Expression:
        """Look through parentheses, `!` and `satisfies`."""
        return value

    def awaited(self, _node: Node, value: Expression, _body: Body) -> Expression:
        """Add `await`."""
        return Awaited(value) if value else UNKNOWN

    def cast(self, node: Node, value: Expression, body: Body) -> Expression:
        """Add `as T`."""
        children = node.named_children
        if len(children) < 2 or self.text(children[-1]) in ("any", "unknown"):
            return value
        self.access(value, node, body=body)
        self.use_type(children[-1], body, how="cast")
        return Typed(self.written(children[-1]))

    def assertion(self, node: Node, body: Body) -> Expression:
        """Read `<T>value`."""
        children = node.named_children
        value = self.visit(children[-1], body)
        kinds = children[0].named_children if len(children) > 1 else []
        return Typed(self.written(kinds[0])) if kinds else value

    def call_of(self, node: Node, function: Expression, body: Body) -> Expression:
        """Add `(…)`."""
        arguments = node.child_by_field_name("arguments")
        if isinstance(function, Awaited):  # `await f<T>()` is read as `(await f)<T>()`
            return Awaited(self._call(node, function.task, body=body, arguments=arguments))
        return self._call(node, function, body=body, arguments=arguments)

    def _call(self, node: Node, function: Expression, *, body: Body, arguments: Node | None) -> Expression:
        given = self._arguments(node, arguments, function=function, body=body)
        if function is BASE:
            body.frame.handed_on, body.frame.hands_to = given.values, "base"
            return UNKNOWN
        if self._is_global(function):
            self.take_strings(given, Call(function, given.values), body=body)
            return UNKNOWN
        name_node = node.child_by_field_name("function") or node
        return self.call(function, name_node, body=body, arguments=given)

    def _is_global(self, function: Expression) -> bool:
        """Say whether a call is one of what every file can use, but no request."""
        if isinstance(function, Member) and function.receiver in _SENDERS.get(function.name, ()):
            return False
        while isinstance(function, Member):
            function = function.receiver
        return isinstance(function, Name) and function.name in GLOBALS and function.name not in self.known

    def _arguments(self, call: Node, node: Node | None, *, function: Expression, body: Body) -> Arguments:
        if node is None:
            return Arguments()
        children = [node] if node.type == "template_string" else node.named_children
        self.later(children[MAX_ARGUMENTS:], body)
        types = self.type_arguments(call.child_by_field_name("type_arguments"))
        values: list[Argument] = []
        nodes: list[Node] = []
        for child in children[:MAX_ARGUMENTS]:
            if child.type == "comment":
                continue
            if child.type in CLOSURES:
                value = self.closure(child, body, given_to=Call(function, tuple(values), types))
            else:
                value = self.visit(child, body)
            values.append(Argument(kept(value)))
            nodes.append(child)
        return Arguments(tuple(values), tuple(nodes), types)

    def new(self, node: Node, body: Body) -> Expression:
        """Read `new T(…)`."""
        constructor = node.child_by_field_name("constructor")
        if constructor is None:
            return UNKNOWN
        given = self._arguments(node, node.child_by_field_name("arguments"), function=UNKNOWN, body=body)
        if constructor.type not in ("identifier", "member_expression"):
            self.later([constructor], body)
            return UNKNOWN
        types = node.child_by_field_name("type_arguments")
        written = self.written(constructor) + (self.written(types) if types is not None else "")
        self.use(written, constructor, body=body, how="new")
        self.take_strings(given, Call(New(written), given.values), body=body)
        return New(written, given.values)

    # functions as values

    def closure(self, node: Node, body: Body, *, given_to: Call | None = None) -> Expression:
        """Walk a function that is no declaration; its parameters are those of the call that it is given to."""
        inner = body.inner()
        if node.type not in ("arrow_function",):
            inner.locals["this"] = UNKNOWN
        self.function_parts(node, inner, given_to=given_to)
        return Lambda()

    def closure_value(self, node: Node, body: Body) -> Expression:
        """Read a function that stands anywhere."""
        return self.closure(node, body)

    def function_parts(
        self, node: Node, body: Body, *, given_to: Call | None = None
    ) -> list[tuple[Parameter, Node]]:
        """Bind the parameters of a function, put its body off and return the parameters with their nodes."""
        parameters = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
        listed = parameters.named_children if parameters is not None else []
        if parameters is not None and parameters.type != "formal_parameters":
            listed = [parameters]
        found: list[tuple[Parameter, Node]] = []
        for position, child in enumerate(one for one in listed if one.type != "comment"):
            value = kept(LambdaParameter(given_to, position)) if given_to is not None else UNKNOWN
            parameter = self.parameter(child, value, body=body)
            if parameter is not None:
                found.append((parameter, child))
        self.use_type(node.child_by_field_name("return_type"), body, how="returns")
        block = node.child_by_field_name("body")
        if block is not None and block.type != "statement_block":
            self.keep_result(self.visit(block, body), block, body=body)
        elif block is not None:
            self.later([block], body)
        return found

    @abstractmethod
    def parameter(self, node: Node, value: Expression, *, body: Body) -> Parameter | None:
        """Make a local of a parameter; said by the module on statements."""

    # other values

    def ternary(self, node: Node, body: Body) -> Expression:
        """Return both values of `a ? b : c`."""
        parts = [node.child_by_field_name(name) for name in ("condition", "consequence", "alternative")]
        values = [self.visit(part, body) for part in parts if part is not None]
        return choice(values[1:])

    def binary(self, node: Node, body: Body) -> Expression:
        """Put together what `+` joins, and return both values of `a ?? b`."""
        operator = self.operator(node)
        if operator == "+":
            return self.added(node, body)
        values = [self.visit(child, body) for child in node.named_children]
        return choice(values, is_fallback=True) if operator in ("??", "||") else UNKNOWN

    def literal(self, node: Node, body: Body) -> Expression:
        """Return an object by its members."""
        children = node.named_children
        self.later(children[MAX_ARGUMENTS:], body)
        members = [self._pair(child, body) for child in children[:MAX_ARGUMENTS]]
        return New("", tuple(member for member in members if member is not None))

    def _pair(self, node: Node, body: Body) -> Argument | None:
        if node.type == "shorthand_property_identifier":
            return Argument(kept(self.identifier(node, body)), self.text(node))
        key, value_node = node.child_by_field_name("key"), node.child_by_field_name("value")
        if node.type != "pair" or key is None or value_node is None or node.id in self.declared:
            self.later([node], body)
            return None
        name = self.text(key).strip("\"'")
        value = self.visit(value_node, body)
        if value_node.type not in self.taken:
            self.take_string(value, value_node, body=body, assigned_to=name)
        return Argument(kept(value), name)

    def string(self, node: Node, _body: Body) -> Expression:
        """Return a literal."""
        return Text(unescape(self._source_text(node.start_byte + 1, node.end_byte - 1)))

    def template(self, node: Node, body: Body) -> Expression:
        """Return the parts of a template string."""
        parts: list[Expression] = []
        position = node.start_byte + 1
        for child in node.named_children:
            if child.type != "template_substitution":
                continue
            parts.append(Text(unescape(self._source_text(position, child.start_byte))))
            inside = first_child(child)
            parts.append(kept(self.visit(inside, body)) if inside is not None else UNKNOWN)
            position = child.end_byte
        return joined((*parts, Text(unescape(self._source_text(position, node.end_byte - 1)))))

    def _source_text(self, start: int, end: int) -> str:
        return self.source[start:end].decode("utf-8", "replace")

    def element(self, node: Node, body: Body) -> Expression:
        """Take a JSX element that is a component for a call of it."""
        name = node.child_by_field_name("name")
        if name is not None and (name.type != "identifier" or self.text(name)[:1].isupper()):
            value = self.unnoticed_chain(name, body)
            self.call(value, name, body=body, arguments=Arguments())
        self.later(node.children_by_field_name("attribute"), body)
        return UNKNOWN

    links: ClassVar[Mapping[str, tuple[str, LinkHandler]]] = {
        "member_expression": ("object", member),
        "subscript_expression": ("object", subscript),
        "call_expression": ("function", call_of),
        "await_expression": ("", awaited),
        "parenthesized_expression": ("", same),
        "non_null_expression": ("", same),
        "satisfies_expression": ("", same),
        "as_expression": ("", cast),
    }
    expressions: ClassVar[Mapping[str, Handler]] = {
        "identifier": identifier,
        "shorthand_property_identifier": identifier,
        "this": this,
        "super": base,
        "type_assertion": assertion,
        "new_expression": new,
        "arrow_function": closure_value,
        "function_expression": closure_value,
        "generator_function": closure_value,
        "ternary_expression": ternary,
        "binary_expression": binary,
        "object": literal,
        "string": string,
        "template_string": template,
        "jsx_opening_element": element,
        "jsx_self_closing_element": element,
    }
