"""Outline TypeScript, TSX and JavaScript: the file's path qualifies names, `export` makes them public."""

from __future__ import annotations

from dataclasses import replace

import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language, Node

from ragduck.model import Document, Outline
from ragduck.parse.facts.declared import read_outline
from ragduck.parse.facts.script_components import COMPONENT, is_computed, is_group, options_of
from ragduck.parse.facts.typescript import facts_of
from ragduck.parse.grammar import Declaration, Grammar, Place, Scope
from ragduck.parse.outliner import qualify_path

STATEMENTS = {
    "function_declaration": "function",
    "generator_function_declaration": "function",
    "function_signature": "function",
    "class_declaration": "class",
    "abstract_class_declaration": "class",
    "interface_declaration": "interface",
    "type_alias_declaration": "type_alias",
    "enum_declaration": "enum",
    "lexical_declaration": "constant",
    "variable_declaration": "constant",
}
VALUES = {
    "arrow_function": "function",
    "function_expression": "function",
    "generator_function": "function",
    "class": "class",
    "object": "constant",
}
MEMBERS = {
    "method_definition": "method",
    "method_signature": "method",
    "abstract_method_signature": "method",
    "public_field_definition": "field",
    "field_definition": "field",
    "property_signature": "property",
    "enum_assignment": "enum_member",
}
TYPES = frozenset({"class", "interface", "enum"})
MODULES = frozenset({"internal_module", "module"})
NOT_IN_HEAD = frozenset({"decorator", "comment"})


def outline(document: Document) -> Outline:
    """Outline a TypeScript or JavaScript file with the grammar that its extension asks for."""
    name = qualify_path(document.path, roots=("src",), index="index")
    return read_outline(
        document, grammar_of(document.path.rpartition(".")[2].lower()), scope=name, facts_of=facts_of
    )


def grammar_of(extension: str) -> Grammar:
    """Return the grammar of files with an extension."""
    if extension == "tsx":
        return TSX
    return TYPESCRIPT if extension in ("ts", "mts", "cts") else JAVASCRIPT


def scope(node: Node, place: Place) -> Scope | None:
    """Enter `namespace X {}`, `declare …`, `module.exports = {}`, and `methods: {}` of a component."""
    if place.container == COMPONENT:
        return Scope("", node.child_by_field_name("value")) if is_group(node, place.source) else None
    if node.type == "ambient_declaration":
        return Scope("", node) if _is_look_through(node) else None
    inner = _unwrap(node)
    if inner.type in MODULES:
        name = inner.child_by_field_name("name")
        body = inner.child_by_field_name("body")
        return Scope(_plain(name, place), body) if body is not None else None
    if inner.type == "assignment_expression" and _exported_name(inner, place) == "exports":
        right = inner.child_by_field_name("right")
        return Scope("", right) if right is not None and right.type == "object" else None
    return None


def _is_look_through(node: Node) -> bool:
    return any(child.type in MODULES or child.type == "statement_block" for child in node.children)


def _unwrap(node: Node) -> Node:
    """Return what an expression statement or an export holds."""
    while node.type in ("expression_statement", "export_statement", "ambient_declaration"):
        inner = node.child_by_field_name("declaration") or node.child_by_field_name("value")
        inner = inner or next((child for child in node.named_children if child.type not in NOT_IN_HEAD), None)
        if inner is None:
            break
        node = inner
    return node


def declare(node: Node, place: Place) -> Declaration | None:
    """Read a top-level statement or a member off its node."""
    if place.container:
        return _member(node, place)
    node_type = node.type
    if node_type in ("pair", "method_definition", "shorthand_property_identifier"):
        return _exported_entry(node, place)
    inner = _unwrap(node)
    if inner.type == "assignment_expression":
        return _assigned(node, inner, place)
    element_type = STATEMENTS.get(inner.type)
    options = options_of(inner, place.source) if node_type == "export_statement" else None
    if options is not None:
        head = (_head_start(node), options.start_byte)
        return Declaration("default", COMPONENT, "public", head, options)
    if node_type == "export_statement" and inner.type in VALUES:
        return _declaration(node, inner, name="default", visibility="public")
    if element_type is None:
        return None
    visibility = "public" if node_type == "export_statement" else "internal"
    if element_type == "constant":
        return _variable(node, inner, place, visibility=visibility)
    default = "default" if node_type == "export_statement" else ""
    name = _plain(inner.child_by_field_name("name"), place) or default
    return _declaration(node, inner, name=name, visibility=visibility, element_type=element_type)


def _declaration(
    node: Node, inner: Node, *, name: str, visibility: str, element_type: str | None = None
) -> Declaration:
    """Describe a statement whose body, if any, is that of the declaration inside it."""
    body = inner.child_by_field_name("body")
    chosen = element_type or VALUES.get(inner.type, "constant")
    head = (_head_start(node), node.end_byte if body is None else body.start_byte)
    return Declaration(name, chosen, visibility, head, body if chosen in TYPES else None)


def _variable(node: Node, inner: Node, place: Place, *, visibility: str) -> Declaration | None:
    """Describe functions and classes held by variables, exported variables and constants, but no imports."""
    variable = next((child for child in inner.children if child.type == "variable_declarator"), None)
    if variable is None:
        return None
    name, value = variable.child_by_field_name("name"), variable.child_by_field_name("value")
    if name is None or name.type != "identifier":
        return None
    if value is not None and value.type in VALUES:
        return _declaration(node, value, name=place.text(name), visibility=visibility)
    is_constant = inner.children[0].type == "const" and not _is_import(value, place)
    if not is_constant and visibility != "public":
        return None
    return Declaration(place.text(name), "constant", visibility, (_head_start(node), node.end_byte))


def _is_import(value: Node | None, place: Place) -> bool:
    start = value.start_byte if value is not None else 0
    return value is not None and place.source[start : start + 8] == b"require("


def _assigned(node: Node, assignment: Node, place: Place) -> Declaration | None:
    """Describe `exports.f = …`, `module.exports.f = …`, `module.exports = …` and `Type.prototype.f = …`."""
    name = _exported_name(assignment, place)
    right = assignment.child_by_field_name("right")
    if not name or right is None or right.type not in VALUES:
        return None
    return _declaration(node, right, name="default" if name == "exports" else name, visibility="public")


def _exported_name(assignment: Node, place: Place) -> str:
    left = assignment.child_by_field_name("left")
    if left is None or left.type != "member_expression" or left.end_byte - left.start_byte > 200:
        return ""
    target = place.text(left)
    if target == "module.exports":
        return "exports"
    for prefix in ("module.exports.", "exports."):
        if target.startswith(prefix):
            return target.removeprefix(prefix)
    return target.replace(".prototype.", ".") if ".prototype." in target else ""


def _exported_entry(node: Node, place: Place) -> Declaration | None:
    """Describe a function in the object that a CommonJS module exports."""
    value = node.child_by_field_name("value") if node.type == "pair" else node
    if value is None or (node.type == "pair" and value.type not in ("arrow_function", "function_expression")):
        return None
    if node.type == "shorthand_property_identifier":
        return None
    name = _plain(node.child_by_field_name("key") or node.child_by_field_name("name"), place)
    return _declaration(node, value, name=name, visibility="public", element_type="function")


def _member(node: Node, place: Place) -> Declaration | None:
    """Describe a member of a class, interface, enum or component."""
    if place.container == "enum" and node.type in ("property_identifier", "string"):
        return Declaration(_plain(node, place), "enum_member", "public", (node.start_byte, node.end_byte))
    if place.container == COMPONENT:
        entry = _exported_entry(node, place) if node.type in ("pair", "method_definition") else None
        kind = "property" if is_computed(node, place.source) else "method"
        return None if entry is None else replace(entry, element_type=kind)
    element_type = MEMBERS.get(node.type)
    if element_type is None:
        return None
    found = node.child_by_field_name("name") or node.child_by_field_name("property")
    name = _plain(found, place)
    value = node.child_by_field_name("value")
    if element_type == "method":
        element_type = _method_type(node, name)
    elif value is not None and value.type in ("arrow_function", "function_expression"):
        element_type = "method"
    body = (value if value is not None and element_type == "method" else node).child_by_field_name("body")
    end = node.end_byte if body is None else body.start_byte
    return Declaration(name, element_type, _visibility(node, name, place), (_head_start(node), end))


def _method_type(node: Node, name: str) -> str:
    if name == "constructor":
        return "constructor"
    return "property" if any(child.type in ("get", "set") for child in node.children) else "method"


def _visibility(node: Node, name: str, place: Place) -> str:
    written = next((child for child in node.children if child.type == "accessibility_modifier"), None)
    if written is not None:
        return place.text(written)
    return "private" if name.startswith("#") else "public"


def _plain(name: Node | None, place: Place) -> str:
    """Return a name without its quotes."""
    return "".join(place.text(name).split()).strip("\"'`") if name is not None else ""


def _head_start(node: Node) -> int:
    rest = (child for child in node.children if child.type not in NOT_IN_HEAD)
    return next((child.start_byte for child in rest), node.start_byte)


def _make(language: Language) -> Grammar:
    return Grammar(language=language, declare=declare, scope=scope, leads=frozenset({"comment", "decorator"}))


TYPESCRIPT = _make(Language(tree_sitter_typescript.language_typescript()))
TSX = _make(Language(tree_sitter_typescript.language_tsx()))
JAVASCRIPT = _make(Language(tree_sitter_javascript.language()))
