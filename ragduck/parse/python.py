"""Outline Python: functions, classes and their members, also those defined under a condition."""

from __future__ import annotations

import tree_sitter_python
from tree_sitter import Language, Node

from ragduck.model import Document, Outline
from ragduck.parse.facts.declared import read_outline
from ragduck.parse.facts.python import facts_of
from ragduck.parse.facts.python_statements import visibility
from ragduck.parse.grammar import Declaration, Grammar, Place
from ragduck.parse.outliner import qualify_path

DEFINITIONS = frozenset({"function_definition", "class_definition"})
CONDITIONALS = frozenset(
    {
        "if_statement",
        "elif_clause",
        "else_clause",
        "try_statement",
        "except_clause",
        "except_group_clause",
        "finally_clause",
        "with_statement",
        "block",
    }
)


def outline(document: Document) -> Outline:
    """Outline a Python module, its names qualified by the module's path."""
    return read_outline(document, GRAMMAR, scope=module_name(document.path), facts_of=facts_of)


def module_name(path: str) -> str:
    """Return the dotted name under which a file is imported from its source root."""
    return qualify_path(path, roots=("src", "lib"), index="__init__")


def declare(node: Node, place: Place) -> Declaration | None:
    """Read a definition, a type alias or a constant off its node."""
    node_type = node.type
    if node_type in DEFINITIONS:
        return _definition(node, (), place)
    if node_type == "decorated_definition":
        inner = node.child_by_field_name("definition")
        decorators = tuple(place.text(child) for child in node.children if child.type == "decorator")
        return _definition(inner, decorators, place) if inner is not None else None
    if node_type == "type_alias_statement":
        return _named(node.child_by_field_name("left"), "type_alias", node, place)
    if node_type == "expression_statement":
        return _assignment(node, place)
    return None


def _definition(node: Node, decorators: tuple[str, ...], place: Place) -> Declaration | None:
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if name is None:
        return None
    end = next((child.start_byte for child in node.children if child.type == ":"), node.end_byte)
    is_class = node.type == "class_definition"
    text = place.text(name)
    element_type = "class" if is_class else _function_type(text, decorators, container=place.container)
    return Declaration(
        text, element_type, visibility(text), (node.start_byte, end), body if is_class else None
    )


def _function_type(name: str, decorators: tuple[str, ...], *, container: str) -> str:
    if not container:
        return "function"
    if any(decorator.endswith(("property", ".setter", ".deleter")) for decorator in decorators):
        return "property"
    return "constructor" if name == "__init__" else "method"


def _assignment(node: Node, place: Place) -> Declaration | None:
    """Take class attributes for fields and capitalised module variables for constants."""
    assignment = node.named_child(0)
    if assignment is None or assignment.type != "assignment":
        return None
    name = assignment.child_by_field_name("left")
    if name is None or name.type != "identifier":
        return None
    capitalised = place.text(name).isupper()
    if not capitalised and not place.container:
        return None
    return _named(name, "constant" if capitalised else "field", node, place)


def _named(name: Node | None, element_type: str, node: Node, place: Place) -> Declaration | None:
    if name is None:
        return None
    text = place.text(name).split("[")[0].strip()
    return Declaration(text, element_type, visibility(text), (node.start_byte, node.end_byte))


GRAMMAR = Grammar(
    language=Language(tree_sitter_python.language()),
    declare=declare,
    transparent=CONDITIONALS | {"ERROR"},
    hash_comments=True,
    aligned_leads=True,
)
