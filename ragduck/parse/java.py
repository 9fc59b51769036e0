"""Outline Java: the package qualifies names, types and members are symbols."""

from __future__ import annotations

import tree_sitter_java
from tree_sitter import Language, Node

from ragduck.model import Document, Outline
from ragduck.parse.facts.declared import read_outline
from ragduck.parse.facts.java import facts_of
from ragduck.parse.grammar import Declaration, Grammar, Place, Scope

ELEMENT_TYPES = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "annotation",
    "method_declaration": "method",
    "annotation_type_element_declaration": "method",
    "constructor_declaration": "constructor",
    "compact_constructor_declaration": "constructor",
    "field_declaration": "field",
    "constant_declaration": "constant",
    "enum_constant": "enum_member",
}
TYPES = frozenset({"class", "interface", "enum", "record", "annotation"})
ANNOTATIONS = frozenset({"annotation", "marker_annotation"})
COMMENTS = frozenset({"line_comment", "block_comment"})
ACCESS = frozenset({"public", "protected", "private"})


def outline(document: Document) -> Outline:
    """Outline a Java file."""
    return read_outline(document, GRAMMAR, scope="", facts_of=facts_of)


def scope(node: Node, place: Place) -> Scope | None:
    """Let the package qualify what follows, and look through what comes after an enum's constants."""
    if node.type != "package_declaration":
        return None
    parts = (child for child in node.children if child.type in ("scoped_identifier", "identifier"))
    return Scope("".join(place.text(next(parts)).split()) if node.named_child_count else "")


def declare(node: Node, place: Place) -> Declaration | None:
    """Read a type or member off its node."""
    element_type = ELEMENT_TYPES.get(node.type)
    if element_type is None:
        return None
    name = node.child_by_field_name("name")
    if name is None:
        declarator = node.child_by_field_name("declarator")
        name = declarator.child_by_field_name("name") if declarator is not None else None
    if name is None:
        return None
    words = _modifiers(node, place)
    if element_type == "field" and {"static", "final"} <= words.keys():
        element_type = "constant"
    body = node.child_by_field_name("body")
    head = (_head_start(node, words), node.end_byte if body is None else body.start_byte)
    visibility = next((word for word in words if word in ACCESS), None) or _default(element_type, place)
    members = body if element_type in TYPES else None
    return Declaration(place.text(name), element_type, visibility, head, members)


def _default(element_type: str, place: Place) -> str:
    """Return `internal` for what Java shows to its package only."""
    public = element_type == "enum_member" or place.container in ("interface", "annotation")
    return "public" if public else "internal"


def _modifiers(node: Node, place: Place) -> dict[str, int]:
    """Return the words before a declaration with their offsets, without annotations."""
    modifiers = node.children[0] if node.children and node.children[0].type == "modifiers" else None
    if modifiers is None:
        return {}
    skipped = ANNOTATIONS | COMMENTS
    return {place.text(child): child.start_byte for child in modifiers.children if child.type not in skipped}


def _head_start(node: Node, words: dict[str, int]) -> int:
    if words:
        return min(words.values())
    rest = (child for child in node.children if child.type != "modifiers" and child.type not in COMMENTS)
    return next((child.start_byte for child in rest), node.start_byte)


GRAMMAR = Grammar(
    language=Language(tree_sitter_java.language()),
    declare=declare,
    scope=scope,
    transparent=frozenset({"ERROR", "enum_body_declarations"}),
    leads=COMMENTS,
)
