"""Outline C#: namespaces qualify names, types and members are symbols, ``#if`` hides nothing."""

from __future__ import annotations

import re
from dataclasses import replace

import tree_sitter_c_sharp
from tree_sitter import Language, Node, Tree

from ragduck.model import Document, Outline
from ragduck.parse.csharp_directives import readable_directives
from ragduck.parse.csharp_extensions import readable_extensions
from ragduck.parse.csharp_words import readable_marks, readable_words
from ragduck.parse.facts.csharp import csharp_facts
from ragduck.parse.facts.declared import read_tree
from ragduck.parse.grammar import Declaration, Grammar, Place, Scope
from ragduck.parse.treesitter import encode, gave_up, parse

ELEMENT_TYPES = {
    "class_declaration": "class",
    "struct_declaration": "struct",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "delegate_declaration": "delegate",
    "method_declaration": "method",
    "local_function_statement": "function",
    "constructor_declaration": "constructor",
    "destructor_declaration": "destructor",
    "operator_declaration": "operator",
    "conversion_operator_declaration": "operator",
    "indexer_declaration": "indexer",
    "property_declaration": "property",
    "field_declaration": "field",
    "event_field_declaration": "event",
    "event_declaration": "event",
    "enum_member_declaration": "enum_member",
}
MEMBER_LISTS = frozenset({"declaration_list", "enum_member_declaration_list"})
BODIES = MEMBER_LISTS | {"block", "arrow_expression_clause", "accessor_list"}
NOT_IN_HEAD = frozenset({"attribute_list", "comment"})
ACCESS = frozenset({"public", "internal", "private", "protected", "file"})
TYPES = frozenset({"class", "struct", "interface", "enum", "record", "delegate"})
OPERATOR_WORDS = frozenset({"implicit", "explicit", "operator"})

_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(if|elif|else|endif)\b[^\n]*", re.MULTILINE)


def outline(document: Document, *, scope: str = "") -> Outline:
    """Outline a C# file and read its facts, by way of what the grammar can read when that tears it apart.

    ``scope`` is the namespace around all of it.
    """
    source = readable_directives(encode(document.text))
    tree = parse(source, LANGUAGE)
    if tree is None:
        return gave_up(document.path)
    if tree.root_node.has_error:
        tree = _with_readable_words(source, tree)
    if tree.root_node.has_error:
        source, tree = _better(source, tree, readable_marks(source))
    if tree.root_node.has_error and b"extension" in source:
        source, tree = _better(source, tree, readable_extensions(source))
    if tree.root_node.has_error and _DIRECTIVE.search(source):
        source, tree = _reread(source, tree)
    return read_tree(
        tree,
        _grammar_of(tree.root_node),
        document=document,
        source=source,
        scope=scope,
        facts_of=csharp_facts,
    )


def _grammar_of(root: Node) -> Grammar:
    """Return the grammar, in a broken file without members outside of types: they are left of a type that is torn.

    Functions may be those of top-level statements unless nothing is made of the file as a whole.
    """
    if not root.has_error:
        return GRAMMAR
    outside = TYPES if root.is_error else TYPES | {"function"}

    def declare_kept(node: Node, place: Place) -> Declaration | None:
        is_kept = place.container or ELEMENT_TYPES.get(node.type) in outside
        return declare(node, place) if is_kept else None

    return replace(GRAMMAR, declare=declare_kept)


def _with_readable_words(source: bytes, tree: Tree) -> Tree:
    """Return the better tree, be it of other words: all of them lie where those of the source do.

    The grammar wants the line of a directive to end, be it the last one.
    """
    words = readable_words(source if source.endswith(b"\n") else source + b"\n")
    return _better(source, tree, words)[1] if words != source else tree


def _better(source: bytes, tree: Tree, variant: bytes) -> tuple[bytes, Tree]:
    """Return what reads best, a source or a variant of it."""
    again = parse(readable_words(variant), LANGUAGE) if variant != source else None
    if again is None or _broken_bytes(again.root_node) >= _broken_bytes(tree.root_node):
        return source, tree
    return variant, again


def _reread(source: bytes, tree: Tree) -> tuple[bytes, Tree]:
    """Parse again as if all branches were code, then with first branches only; keep what reads best."""
    best = (_broken_bytes(tree.root_node), source, tree)
    for variant in (_blank_directives(source), _first_branches(source)):
        again = parse(readable_words(variant), LANGUAGE)
        if again is not None:
            broken = _broken_bytes(again.root_node)
            best = min(best, (broken, variant, again), key=lambda choice: choice[0])
        if best[0] == 0:
            break
    return best[1], best[2]


def _broken_bytes(root: Node) -> int:
    """Measure how much of a tree is in error, a missing token counting as one."""
    total, pending = 0, [root]
    while pending:
        node = pending.pop()
        if node.is_error or node.is_missing:
            total += max(1, node.end_byte - node.start_byte)
        elif node.has_error:
            pending.extend(node.children)
    return total


def _blank_directives(source: bytes) -> bytes:
    return _DIRECTIVE.sub(lambda match: b" " * len(match[0]), source)


def _first_branches(source: bytes) -> bytes:
    """Blank the directives and every branch but the first, keeping all offsets."""
    pieces, end, outer, dropping = [], 0, [], False
    for match in _DIRECTIVE.finditer(source):
        piece = source[end : match.start()]
        pieces.append(_blank(piece) if dropping else piece)
        pieces.append(b" " * len(match[0]))
        end = match.end()
        if match[1] == b"if":
            outer.append(dropping)
        elif match[1] == b"endif":
            dropping = outer.pop() if outer else False
        else:
            dropping = True
    return b"".join((*pieces, source[end:]))


def _blank(piece: bytes) -> bytes:
    return b"\n".join(b" " * len(line) for line in piece.split(b"\n"))


def scope(node: Node, place: Place) -> Scope | None:
    """Enter a namespace; a file-scoped one covers what follows. Look through `extension(…) { }`."""
    if node.type == "constructor_declaration" and _identifier(node, place) == "extension":
        body = node.child_by_field_name("body")  # the grammar takes the block of C# 14 for a constructor
        return Scope("", body) if body is not None else None
    if node.type not in ("namespace_declaration", "file_scoped_namespace_declaration"):
        return None
    name = node.child_by_field_name("name")
    text = "".join(place.text(name).split()) if name is not None else ""
    return Scope(text, node.child_by_field_name("body"))


def declare(node: Node, place: Place) -> Declaration | None:
    """Read a type or member off its node."""
    element_type = ELEMENT_TYPES.get(node.type)
    if element_type is None:
        return None
    if element_type == "function" and place.container:
        element_type = "method"  # as the grammar sees the members of an extension block
    modifiers = set()
    start, end, body = -1, node.end_byte, None
    for child in node.children:
        node_type = child.type
        if node_type in BODIES:
            end = child.start_byte
            body = child if node_type in MEMBER_LISTS else None
            break
        if start < 0 and node_type not in NOT_IN_HEAD:
            start = child.start_byte
        if node_type == "modifier":
            modifiers.add(place.text(child))
    if element_type == "field" and "const" in modifiers:
        element_type = "constant"
    visibility = _visibility(modifiers, element_type=element_type, container=place.container)
    return Declaration(_name(node, place), element_type, visibility, (max(start, node.start_byte), end), body)


def _visibility(modifiers: set[str], *, element_type: str, container: str) -> str:
    written = sorted(
        modifiers & ACCESS, reverse=True
    )  # as people write it: protected internal, private protected
    if written:
        return "private protected" if written == ["protected", "private"] else " ".join(written)
    if container in ("interface", "enum"):
        return "public"
    return "internal" if element_type in TYPES and not container else "private"


def _name(node: Node, place: Place) -> str:
    node_type = node.type
    if node_type in ("operator_declaration", "conversion_operator_declaration"):
        name = _operator_name(node, place)
    elif node_type == "indexer_declaration":
        name = "this[]"
    else:
        name = _identifier(node, place)
    if node_type == "destructor_declaration":
        return f"~{name}"
    return _with_interface(node, place, name=name) if name else ""


def _identifier(node: Node, place: Place) -> str:
    found = node.child_by_field_name("name")
    if found is None:  # fields and field-like events name their variables
        declared = next((child for child in node.children if child.type == "variable_declaration"), None)
        variables = declared.children if declared is not None else []
        first = next((child for child in variables if child.type == "variable_declarator"), None)
        found = first.child_by_field_name("name") if first is not None else None
    return place.text(found).lstrip("@") if found is not None else ""


def _with_interface(node: Node, place: Place, *, name: str) -> str:
    """Put the interface before the name of a member that implements it explicitly, as reflection does."""
    for child in node.children:
        if child.type == "explicit_interface_specifier":
            interface = "".join(place.text(child).split()).rstrip(".")
            return f"{_without_type_arguments(interface)}.{name}"
    return name


def _without_type_arguments(name: str) -> str:
    """Return `IMap.IEntry` for `IMap<string, List<int>>.IEntry`."""
    kept, depth = [], 0
    for character in name:
        depth += (character == "<") - (character == ">")
        if depth <= 0 and character != ">":
            kept.append(character)
    return "".join(kept)


def _operator_name(node: Node, place: Place) -> str:
    """Return `operator +` or `implicit operator decimal`."""
    word = next((child for child in node.children if child.type in OPERATOR_WORDS), None)
    parameters = node.child_by_field_name("parameters")
    if word is None or parameters is None:
        return ""
    return " ".join(place.source[word.start_byte : parameters.start_byte].decode("utf-8", "replace").split())


LANGUAGE = Language(tree_sitter_c_sharp.language())
GRAMMAR = Grammar(
    language=LANGUAGE,
    declare=declare,
    scope=scope,
    transparent=frozenset({"ERROR", "global_statement", "preproc_if", "preproc_elif", "preproc_else"}),
    leads=frozenset({"comment", "preproc_pragma"}),
)
