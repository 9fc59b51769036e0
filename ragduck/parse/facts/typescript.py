"""Read facts off TypeScript and JavaScript: classes, interfaces, functions, members, what modules pass on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tree_sitter import Node

from ragduck.facts import UNKNOWN, Attribute, Call, Expression, FileFacts, Import, New, Parameter
from ragduck.parse.facts.bodies import Handler, first_child
from ragduck.parse.facts.body import Body
from ragduck.parse.facts.declared import Declared, Reading
from ragduck.parse.facts.script_components import COMPONENT, bases_in, options_of
from ragduck.parse.facts.script_expressions import CLOSURES
from ragduck.parse.facts.script_statements import DEFAULT, ScriptStatements
from ragduck.parse.facts.values import THIS

WRAPPERS = frozenset({"export_statement", "ambient_declaration", "expression_statement"})
VARIABLES = frozenset({"lexical_declaration", "variable_declaration"})
CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "class"})
FUNCTIONS = CLOSURES | {
    "function_declaration",
    "generator_function_declaration",
    "function_signature",
    "method_definition",
    "method_signature",
    "abstract_method_signature",
}
SIGNATURES = frozenset({"interface_declaration", "enum_declaration", "type_alias_declaration"})
FIELDS = frozenset(
    {
        "public_field_definition",
        "field_definition",
        "property_signature",
        "enum_assignment",
        "pair",
        "property_identifier",
    }
)
CALLED = frozenset({"METHOD", "PROPERTY"})  # kinds of what may be a function
MODIFIERS = frozenset({"static", "abstract", "async", "readonly", "override", "declare", "get", "set"})
OWN_PARAMETER = frozenset({"accessibility_modifier", "override_modifier", "readonly"})


def facts_of(reading: Reading) -> FileFacts:
    """Read the facts of a module."""
    return ScriptFacts(reading).facts()


class ScriptFacts(ScriptStatements):
    """Collect the facts of a module."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self._types = {one.qualified_name: one for one in reading.declared.values() if one.kind == "TYPE"}
        self._decorators: dict[int, list[Node]] = {}

    def declaration(self, node: Node, body: Body) -> Expression:
        """Read what is declared, or else what stands there."""
        declared = self.declared.get(node.id)
        if node.type == "export_statement" and declared is None and self.export_names(node):
            return UNKNOWN
        inner = _unwrapped(node)
        if declared is not None and node.type == "export_statement":
            self._pass_on_default(node, declared)
        decorators = [child for child in node.named_children if child.type == "decorator"]
        if inner.id != node.id:
            decorators += [child for child in inner.named_children if child.type == "decorator"]
        decorators += self._decorators.pop(node.id, [])
        if inner.type in VARIABLES:
            self._variables(inner, body, declared=declared, decorators=decorators)
        elif declared is not None and inner.type == "assignment_expression":
            right = inner.child_by_field_name("right")
            self._declare(right or inner, body, declared=declared, decorators=decorators)
        else:
            self._declare(inner, body, declared=declared, decorators=decorators)
        return UNKNOWN

    def _pass_on_default(self, node: Node, declared: Declared) -> None:
        if declared.name != DEFAULT and any(child.type == DEFAULT for child in node.children):
            self.imports.append(Import(declared.qualified_name, DEFAULT))

    def _variables(
        self, node: Node, body: Body, *, declared: Declared | None, decorators: Sequence[Node]
    ) -> None:
        """Read `const a = …, b = …`, of which the outline lists the first one only."""
        rest = [child for child in node.named_children if child.type == "variable_declarator"]
        if declared is not None and rest:
            first, *rest = rest
            value = first.child_by_field_name("value")
            if value is not None and value.type in FUNCTIONS | CLASSES:
                self._declare(value, body, declared=declared, decorators=decorators)
            else:
                self._field(first, body, declared=declared, decorators=decorators)
        self.later(rest, body)

    def _declare(
        self, node: Node, body: Body, *, declared: Declared | None, decorators: Sequence[Node]
    ) -> None:
        kind = node.type
        if declared is not None and declared.element_type == COMPONENT:
            self._component(node, body, declared=declared)
        elif kind in CLASSES:
            self._class(node, body, declared=declared, decorators=decorators)
        elif kind in FUNCTIONS:
            self._function(node, body, declared=declared, decorators=decorators)
        elif kind in SIGNATURES:
            self._signature(node, body, declared=declared)
        elif kind in FIELDS:
            self._field(node, body, declared=declared, decorators=decorators)
        elif kind != "string":
            inner = Body.of(declared, body) if declared is not None else body
            if declared is not None:
                self.add_member(declared)
            self.later([node], inner) if node.type not in WRAPPERS else self.later(node.named_children, inner)

    def _class(
        self, node: Node, body: Body, *, declared: Declared | None, decorators: Sequence[Node]
    ) -> None:
        inner = (
            Body.of(declared, body, owner=declared) if declared is not None else Body(body.source, outer=body)
        )
        attributes = self._decorate(decorators, inner)
        if declared is not None:
            words = {"abstract"} if node.type == "abstract_class_declaration" else set()
            self.add_type(
                declared,
                bases=self._heritage(node, inner),
                type_parameters=self.type_parameters(node),
                attributes=attributes,
                modifiers=words,
            )
        self._members(node.child_by_field_name("body"), inner)

    def _component(self, node: Node, body: Body, *, declared: Declared) -> None:
        """Read an object of options as a class: methods stand in it, and in groups of it."""
        options = options_of(node, self.source)
        inner = Body.of(declared, body, owner=declared)
        inner.locals["this"] = THIS
        if options is not None:
            bases = [self.text(base) for base in bases_in(options, self.source)]
            self.add_type(declared, bases=bases)
            self.later(options.named_children, inner)

    def _members(self, block: Node | None, body: Body) -> None:
        """Put members off, each with the decorators before it."""
        if block is None:
            return
        above: list[Node] = []
        for child in block.named_children:
            if child.type == "decorator":
                above.append(child)
            elif child.type != "comment":
                if above:
                    self._decorators[child.id] = above
                above = []
        self.later(block.named_children, body)

    def _heritage(self, node: Node, body: Body) -> list[str]:
        """Return base class and interfaces; a base that is made by a call is only visited."""
        found: list[str] = []
        parts = [
            child for child in node.named_children if child.type in ("class_heritage", "extends_type_clause")
        ]
        while parts:
            part = parts.pop(0)
            if part.type == "class_heritage":
                parts = [*part.named_children, *parts]
            elif part.type == "extends_clause":
                arguments = part.child_by_field_name("type_arguments")
                bases = part.children_by_field_name("value")
                tail = self.written(arguments) if arguments is not None else ""
                found.extend(self._base(base, body) + tail for base in bases)
            elif part.type in ("implements_clause", "extends_type_clause"):
                found.extend(self.written(child) for child in part.named_children)
            else:
                found.append(self._base(part, body))
        return [base for base in found if base and not base.startswith("<")]

    def _base(self, node: Node, body: Body) -> str:
        if node.type in ("identifier", "member_expression"):
            return self.written(node)
        self.later([node], body)
        return ""

    def _signature(self, node: Node, body: Body, *, declared: Declared | None) -> None:
        """Read an interface, an enum or an alias."""
        if declared is None:
            return
        inner = Body.of(declared, body, owner=declared)
        self.add_type(declared, bases=self._heritage(node, inner), type_parameters=self.type_parameters(node))
        if node.type == "type_alias_declaration":
            self.use_type(node.child_by_field_name("value"), inner, how="holds")
        self._members(node.child_by_field_name("body"), inner)

    def _function(
        self, node: Node, body: Body, *, declared: Declared | None, decorators: Sequence[Node]
    ) -> None:
        if declared is None:
            name = node.child_by_field_name("name")
            if name is not None and node.type.endswith("function_declaration"):
                body.locals[self.text(name)] = UNKNOWN
            self.closure(node, body)
            return
        owner = self._owner_of(declared)
        inner = Body.of(declared, body, owner=owner)
        if owner is not None:
            inner.locals["this"] = THIS
        attributes = self._decorate(decorators, inner)
        self.add_member(
            declared,
            body=inner,
            owner=owner.key if owner is not None else "",
            type=self.annotation(node.child_by_field_name("return_type")),
            parameters=self._parameters(node, inner),
            type_parameters=self.type_parameters(node),
            attributes=attributes,
            modifiers=self._modifiers(node, declared),
        )

    def _owner_of(self, declared: Declared) -> Declared | None:
        """Return the type of a method, also for `Order.prototype.total = …`."""
        if declared.owner is not None or "." not in declared.name:
            return declared.owner
        return self._types.get(declared.qualified_name.rpartition(".")[0])

    def _parameters(self, node: Node, body: Body) -> list[Parameter]:
        """Read parameters; those of a constructor may be fields as well."""
        found = []
        for parameter, child in self.function_parts(node, body):
            if parameter.name == "this":
                continue
            found.append(parameter)
            if any(one.type in OWN_PARAMETER for one in child.children):
                self.own_parameter(parameter, child, body=body)
            self._decorate([one for one in child.named_children if one.type == "decorator"], body)
        return found

    def _field(
        self, node: Node, body: Body, *, declared: Declared | None, decorators: Sequence[Node]
    ) -> None:
        """Read a field, a property, a constant or a member of an enum."""
        value_node = node.child_by_field_name("value")
        if declared is None:
            self.later([value_node] if value_node is not None else [], body)
            return
        inner = Body.of(declared, body)
        if declared.owner is not None:
            inner.locals["this"] = THIS
        if value_node is not None and value_node.type in FUNCTIONS and declared.kind in CALLED:
            self._function(value_node, body, declared=declared, decorators=decorators)
            return
        attributes = self._decorate(decorators, inner)
        annotation = node.child_by_field_name("type")
        self.use_type(annotation, inner, how="holds")
        value = self.visit(value_node, inner) if value_node is not None else UNKNOWN
        if value_node is not None and value_node.type not in self.taken:
            self.take_string(value, value_node, body=inner, assigned_to=declared.name)
        written = self.annotation(annotation) or (value.type if isinstance(value, New) else "")
        self.add_member(
            declared,
            type=written,
            attributes=attributes,
            modifiers=self._modifiers(node, declared),
            value=value,
        )

    def _modifiers(self, node: Node, declared: Declared) -> set[str]:
        return {child.type for child in (*declared.node.children, *node.children)} & MODIFIERS

    def _decorate(self, decorators: Sequence[Node], body: Body) -> list[Attribute]:
        """Read decorators, which are calls of functions."""
        found = []
        for decorator in decorators:
            child = first_child(decorator)
            if child is None:
                continue
            called = child.type == "call_expression"
            name = child.child_by_field_name("function") if called else child
            value = self.visit(child, body) if called else UNKNOWN
            arguments = value.arguments if isinstance(value, Call | New) else ()
            found.append(Attribute(self.text(name) if name is not None else "", arguments))
        return found

    handlers: ClassVar[Mapping[str, Handler]] = {
        **ScriptStatements.statements,
        **dict.fromkeys(
            WRAPPERS | VARIABLES | CLASSES | (FUNCTIONS - CLOSURES) | SIGNATURES | FIELDS, declaration
        ),
    }


def _unwrapped(node: Node) -> Node:
    """Return what an expression statement or an export holds."""
    while node.type in WRAPPERS:
        inner = node.child_by_field_name("declaration") or node.child_by_field_name("value")
        inner = inner or next(
            (one for one in node.named_children if one.type not in ("decorator", "comment")), None
        )
        if inner is None:
            break
        node = inner
    return node
