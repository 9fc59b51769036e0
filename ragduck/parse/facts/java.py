"""Read facts off Java: types, members, annotations, and what bodies do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from tree_sitter import Node

from ragduck.facts import (
    UNKNOWN,
    Argument,
    Attribute,
    Call,
    Expression,
    FileFacts,
    Import,
    Name,
    Parameter,
    Typed,
)
from ragduck.parse.facts.bodies import Handler, first_child
from ragduck.parse.facts.body import Arguments, Body
from ragduck.parse.facts.declared import Declared, Reading
from ragduck.parse.facts.java_statements import JavaStatements
from ragduck.parse.facts.values import kept

ANNOTATIONS = frozenset({"annotation", "marker_annotation"})
TYPE_NODES = frozenset(
    {
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
    }
)
METHODS = frozenset(
    {
        "method_declaration",
        "annotation_type_element_declaration",
        "constructor_declaration",
        "compact_constructor_declaration",
    }
)
FIELDS = frozenset({"field_declaration", "constant_declaration"})
BASES = frozenset({"superclass", "super_interfaces", "extends_interfaces", "type_list"})
WORDS = frozenset({"abstract", "static", "final", "default", "synchronized", "native", "sealed"})


def facts_of(reading: Reading) -> FileFacts:
    """Read the facts of a Java file."""
    return JavaFacts(reading).facts()


class JavaFacts(JavaStatements):
    """Collect the facts of a file."""

    def package(self, node: Node, _body: Body) -> Expression:
        """Remember the package."""
        self.scope = self._dotted(first_child(node))
        return UNKNOWN

    def import_of(self, node: Node, _body: Body) -> Expression:
        """Read `import static a.B.c;`."""
        name = self._dotted(first_child(node))
        is_static = any(child.type == "static" for child in node.children)
        if any(child.type == "asterisk" for child in node.named_children):
            name += ".*"
        self.imports.append(Import(name, is_static=is_static))
        return UNKNOWN

    def _dotted(self, node: Node | None) -> str:
        return "".join(self.text(node).split()) if node is not None else ""

    # declarations

    def type_declaration(self, node: Node, body: Body) -> Expression:
        """Read a type; one inside of a body is only walked."""
        declared = self.declared.get(node.id)
        block = node.child_by_field_name("body")
        if declared is None:
            self.later([block] if block is not None else [], Body(body.source, outer=body))
            return UNKNOWN
        inner = Body.of(declared, body, owner=declared)
        attributes, words = self._modifiers(node, inner)
        components = self._parameters(node.child_by_field_name("parameters"), inner)
        self.add_type(
            declared,
            bases=self._bases(node),
            type_parameters=self._type_parameters(node),
            attributes=attributes,
            modifiers=words,
            parameters=components,
        )
        inner.locals.clear()
        for component in components:
            self._component(component, node, owner=declared)
        self.later([block] if block is not None else [], inner)
        return UNKNOWN

    def _bases(self, node: Node) -> list[str]:
        """Return base class and interfaces."""
        pending = [child for child in node.named_children if child.type in BASES]
        found: list[str] = []
        while pending:
            child = pending.pop(0)
            if child.type in BASES:
                pending = [*child.named_children, *pending]
            elif "comment" not in child.type:
                found.append(self.written(child))
        return found

    def _type_parameters(self, node: Node) -> list[Parameter]:
        listed = next((child for child in node.named_children if child.type == "type_parameters"), None)
        found: list[Parameter] = []
        for child in listed.named_children if listed is not None else ():
            name = next((one for one in child.named_children if one.type == "type_identifier"), None)
            bounds = next(
                (one.named_children for one in child.named_children if one.type == "type_bound"), []
            )
            if name is not None:
                found.append(Parameter(self.text(name), self.written(bounds[0]) if bounds else ""))
        return found

    def _component(self, component: Parameter, node: Node, *, owner: Declared) -> None:
        """Make a property of a component of a record."""
        key = self.key(owner.qualified_name, component.name, kind="PROPERTY")
        self.add_value(key, component.name, node=node, owner=owner.key, type=component.type, kind="PROPERTY")

    def method_declaration(self, node: Node, body: Body) -> Expression:
        """Read a method or constructor; one of an anonymous class is only walked."""
        declared = self.declared.get(node.id)
        inner = Body.of(declared, body) if declared is not None else body.inner()
        attributes, words = self._modifiers(node, inner)
        parameters = self._parameters(node.child_by_field_name("parameters"), inner)
        returned = node.child_by_field_name("type")
        self._use(returned, inner, how="returns")
        if declared is not None:
            self.add_member(
                declared,
                body=inner,
                type=self.written(returned),
                parameters=parameters,
                type_parameters=self._type_parameters(node),
                attributes=attributes,
                modifiers=words,
            )
        parts = (node.child_by_field_name("body"), node.child_by_field_name("value"))
        self.later([part for part in parts if part is not None], inner)
        return UNKNOWN

    def field_declaration(self, node: Node, body: Body) -> Expression:
        """Read `T a = x, b;`, of which the outline lists the first one only."""
        declared = self.declared.get(node.id)
        inner = Body.of(declared, body) if declared is not None else body.inner()
        attributes, words = self._modifiers(node, inner)
        type_node = node.child_by_field_name("type")
        self._use(type_node, inner, how="holds")
        for number, declarator in enumerate(node.children_by_field_name("declarator")):
            name, value_node = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
            value = self.visit(value_node, inner) if value_node is not None else UNKNOWN
            if name is None or declared is None or declared.owner is None:
                continue
            if value_node is not None:
                self.take_string(value, value_node, body=inner, assigned_to=self.text(name))
            self.add_value(
                self.key(declared.scope, self.text(name), kind="FIELD") if number else declared.key,
                self.text(name),
                node=node,
                owner=declared.owner.key,
                type=self.written(type_node),
                value=value,
                visibility=declared.visibility,
                element_type=declared.element_type,
                attributes=attributes,
                modifiers=words,
            )
        return UNKNOWN

    def enum_constant(self, node: Node, body: Body) -> Expression:
        """Read a constant of an enum, which is a value of it."""
        declared = self.declared.get(node.id)
        inner = Body.of(declared, body) if declared is not None else body.inner()
        self.arguments(node.child_by_field_name("arguments"), _NO_CALL, body=inner)
        if declared is not None and declared.owner is not None:
            self.add_member(declared, type=declared.owner.name)
        block = node.child_by_field_name("body")
        self.later([block] if block is not None else [], inner.inner())
        return UNKNOWN

    # parts of declarations

    def _parameters(self, node: Node | None, body: Body) -> list[Parameter]:
        """Read parameters, and make locals of them."""
        found: list[Parameter] = []
        for child in node.named_children if node is not None else ():
            if child.type not in ("formal_parameter", "spread_parameter"):
                continue
            self._modifiers(child, body)
            is_rest = child.type == "spread_parameter"
            type_node, name = child.child_by_field_name("type"), child.child_by_field_name("name")
            if is_rest:
                parts = [one for one in child.named_children if one.type != "modifiers"]
                type_node = parts[0] if parts else None
                name = parts[-1].child_by_field_name("name") if parts else None
            if name is None:
                continue
            self._use(type_node, body, how="parameter")
            written = self.written(type_node) + ("[]" if is_rest else "")
            body.locals[self.text(name)] = Typed(written, self.text(name))
            found.append(Parameter(self.text(name), written, is_rest=is_rest))
        return found

    def _modifiers(self, node: Node, body: Body) -> tuple[list[Attribute], set[str]]:
        """Read annotations and the words before a declaration."""
        listed = next((child for child in node.named_children if child.type == "modifiers"), None)
        if listed is None:
            return [], set()
        attributes = [self._annotation(child, body) for child in listed.children if child.type in ANNOTATIONS]
        return attributes, {child.type for child in listed.children} & WORDS

    def _annotation(self, node: Node, body: Body) -> Attribute:
        name = self.field_text(node, "name")
        self.use(name, node, body=body, how="attribute")
        listed = node.child_by_field_name("arguments")
        values: list[Argument] = []
        nodes: list[Node] = []
        for child in listed.named_children if listed is not None else ():
            value = child.child_by_field_name("value") if child.type == "element_value_pair" else child
            if value is not None and "comment" not in child.type:
                values.append(Argument(kept(self.visit(value, body)), self.field_text(child, "key")))
                nodes.append(value)
        given = Arguments(tuple(values), tuple(nodes))
        self.take_strings(given, Call(Name(name), given.values), body=body)
        return Attribute(name, given.values)

    def nested_annotation(self, node: Node, body: Body) -> Expression:
        """Read an annotation that is an argument of another."""
        self._annotation(node, body)
        return UNKNOWN

    def _use(self, node: Node | None, body: Body, *, how: str) -> None:
        if node is not None:
            self.use(self.written(node), node, body=body, how=how)

    handlers: ClassVar[Mapping[str, Handler]] = {
        **JavaStatements.statements,
        "package_declaration": package,
        "import_declaration": import_of,
        "enum_constant": enum_constant,
        **dict.fromkeys(TYPE_NODES, type_declaration),
        **dict.fromkeys(METHODS, method_declaration),
        **dict.fromkeys(FIELDS, field_declaration),
        **dict.fromkeys(ANNOTATIONS, nested_annotation),
    }


_NO_CALL = Call(UNKNOWN)
