"""Outline Go: the folder qualifies names, and a method's receiver stands between folder and method."""

from __future__ import annotations

import tree_sitter_go
from tree_sitter import Language, Node, Tree

from ragduck.model import Document, Outline
from ragduck.parse.facts.declared import read_tree
from ragduck.parse.facts.go import facts_of
from ragduck.parse.grammar import Declaration, Grammar, Place, Scope
from ragduck.parse.treesitter import encode, gave_up, parse

TYPES_BY_NODE = {"struct_type": "struct", "interface_type": "interface"}
BLOCKS = {"const_declaration": "constant", "var_declaration": "variable"}
MEMBER_LISTS = frozenset({"field_declaration_list", "interface_type"})
NAME_TYPES = frozenset({"identifier", "field_identifier", "type_identifier"})


def outline(document: Document) -> Outline:
    """Outline a Go file."""
    source = encode(document.text)
    tree = parse(source, GRAMMAR.language)
    if tree is None:
        return gave_up(document.path)
    folder = document.path.rpartition("/")[0].replace("/", ".") or _package(tree, source)
    return read_tree(tree, GRAMMAR, document=document, source=source, scope=folder, facts_of=facts_of)


def _package(tree: Tree, source: bytes) -> str:
    """Return the package's name, for files that lie in no folder."""
    clause = next((node for node in tree.root_node.children if node.type == "package_clause"), None)
    name = clause.named_child(0) if clause is not None else None
    return Place(source).text(name) if name is not None else ""


def scope(node: Node, _place: Place) -> Scope | None:
    """Look through a parenthesised group of types, each of which is a symbol of its own."""
    if node.type == "type_declaration" and any(child.type == "(" for child in node.children):
        return Scope("", node)
    return None


def declare(node: Node, place: Place) -> Declaration | None:
    """Read a function, method, type, block of constants, field or interface method off its node."""
    node_type = node.type
    if node_type in ("function_declaration", "method_declaration"):
        return _function(node, place)
    if node_type == "type_declaration":
        spec = next((child for child in node.children if child.type in ("type_spec", "type_alias")), None)
        return _type(spec, place, start=node.start_byte) if spec is not None else None
    if node_type in ("type_spec", "type_alias"):
        return _type(node, place, start=node.start_byte)
    if node_type in BLOCKS:
        return _named(_first_name(node), BLOCKS[node_type], node, place)
    if node_type in ("method_elem", "method_spec"):
        return _named(node.child_by_field_name("name"), "method", node, place)
    if node_type == "field_declaration":
        name = node.child_by_field_name("name") or node.child_by_field_name("type")
        return _named(name, "field", node, place)
    return None


def _function(node: Node, place: Place) -> Declaration | None:
    name = node.child_by_field_name("name")
    if name is None:
        return None
    body = node.child_by_field_name("body")
    receiver = node.child_by_field_name("receiver")
    element_type = "function" if receiver is None else "method"
    owner = _receiver_type(receiver, place) if receiver is not None else ""
    head = (node.start_byte, node.end_byte if body is None else body.start_byte)
    text = place.text(name)
    return Declaration(text, element_type, visibility(text), head, owner=owner)


def _receiver_type(receiver: Node, place: Place) -> str:
    """Return the bare type of `(r *Repo[T])`."""
    inside = place.text(receiver).strip("()").split("[")[0].split()
    return inside[-1].lstrip("*") if inside else ""


def _type(spec: Node, place: Place, *, start: int) -> Declaration | None:
    name = spec.child_by_field_name("name")
    definition = spec.child_by_field_name("type")
    if name is None or definition is None:
        return None
    element_type = TYPES_BY_NODE.get(definition.type, "type_alias")
    end, body = spec.end_byte, None
    if element_type == "struct":
        body = next((child for child in definition.children if child.type in MEMBER_LISTS), None)
        end = body.start_byte if body is not None else end
    elif element_type == "interface":
        body = definition
        end = next((child.start_byte for child in definition.children if child.type == "{"), end)
    text = place.text(name)
    return Declaration(text, element_type, visibility(text), (start, end), body)


def _first_name(block: Node) -> Node | None:
    """Return the first name that a block of constants or variables declares."""
    node: Node | None = block
    while node is not None and node.type not in NAME_TYPES:
        wanted = ("const_spec", "var_spec", "var_spec_list")
        found = node.child_by_field_name("name")
        node = found or next((child for child in node.children if child.type in wanted), None)
    return node


def _named(name: Node | None, element_type: str, node: Node, place: Place) -> Declaration | None:
    if name is None:
        return None
    text = place.text(name).split("[")[0].strip("*()").rpartition(".")[2]
    return Declaration(text, element_type, visibility(text), (node.start_byte, node.end_byte))


def visibility(name: str) -> str:
    """Read the capital letter that exports a name."""
    return "public" if name[:1].isupper() else "internal"


GRAMMAR = Grammar(language=Language(tree_sitter_go.language()), declare=declare, scope=scope)
