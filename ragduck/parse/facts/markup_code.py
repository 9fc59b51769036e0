"""Read the C# that stands in markup: what runs as the markup is shown, and the members of its code blocks.

The file is a type. What runs is read as statements of one method, members as those of one class, each at its lines.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from tree_sitter import Node

from ragduck.facts import FileFacts, TypeFact
from ragduck.model import Document, Symbol
from ragduck.parse.csharp import GRAMMAR
from ragduck.parse.facts.csharp import csharp_facts
from ragduck.parse.facts.csharp_expressions import EXPRESSIONS
from ragduck.parse.facts.csharp_reader import Reader
from ragduck.parse.facts.csharp_statements import LOCAL_FUNCTION, STATEMENTS
from ragduck.parse.facts.declared import DeclarationOutliner, Declared, Reading
from ragduck.parse.treesitter import encode, parse

WRAPPER = "class Members{"
METHOD = "class Page{void Render(){"


class Piece(NamedTuple):
    """Code of a class that begins on a row."""

    row: int
    text: str


def markup_type(
    component: Symbol, *, key: str, bases: Iterable[str], type_parameters: Iterable[str] = ()
) -> TypeFact:
    """Return the declaration of the type that a file of markup is."""
    return TypeFact(
        key=key,
        name=component.name,
        qualified_name=component.qualified_name,
        scope=component.qualified_name.rpartition(".")[0],
        element_type=component.element_type,
        line=1,
        end_line=component.end_line,
        bases=tuple(filter(None, bases)),
        type_parameters=tuple(type_parameters),
    )


class Body:
    """The markup's own code, read as one method; ``functions`` are those that it declares for itself."""

    def __init__(self, code: str, *, key: str) -> None:
        source = encode(f"{METHOD}{code}}}}}")
        self.reader = Reader(source, expressions=EXPRESSIONS, statements=STATEMENTS)
        self.reader.begin(key, known={})
        self.functions: list[Piece] = []
        tree = parse(source, GRAMMAR.language)
        block = _first(tree.root_node, "block") if tree is not None else None
        for child in block.named_children if block is not None else ():
            if child.type == LOCAL_FUNCTION:
                text = source[child.start_byte : child.end_byte].decode("utf-8", "replace")
                self.functions.append(Piece(child.start_point.row, text))
            else:
                self.reader.run(child)


def member_facts(
    document: Document, pieces: Iterable[Piece], *, component: Symbol, key: str, language: str
) -> FileFacts:
    """Read pieces of code, in order, as one class, whose members belong to the type of ``key``."""
    pieces = list(pieces)
    empty = FileFacts(
        document.path, language, document.file_class, document.project, lines=document.last_line
    )
    code, row = [WRAPPER], 0
    for piece in pieces:
        code.append("\n" * (piece.row - row))
        code.append(piece.text)
        row = max(row, piece.row) + piece.text.count("\n")
    source = encode("".join((*code, "}")))
    tree = parse(source, GRAMMAR.language) if pieces else None
    wrapper = _first(tree.root_node, "class_declaration") if tree is not None else None
    body = wrapper.child_by_field_name("body") if wrapper is not None else None
    if tree is None or wrapper is None or body is None:
        return empty
    outliner = DeclarationOutliner(source, GRAMMAR, language=language)
    outliner.symbols(body, scope=component.qualified_name, container="class")
    owner = _declared(component, wrapper, key=key)
    declared = {
        number: one if one.owner is not None else replace(one, owner=owner)
        for number, one in outliner.declared.items()
    }
    scope = component.qualified_name
    return csharp_facts(Reading(document, source, tree, scope, language, declared))


def _first(root: Node, kind: str) -> Node | None:
    """Find the first node of a kind, outermost first."""
    pending = deque([root])
    while pending:
        node = pending.popleft()
        if node.type == kind:
            return node
        pending.extend(node.named_children)
    return None


def _declared(component: Symbol, node: Node, *, key: str) -> Declared:
    return Declared(
        node=node,
        key=key,
        name=component.name,
        qualified_name=component.qualified_name,
        scope=component.qualified_name.rpartition(".")[0],
        element_type=component.element_type,
        kind="TYPE",
        visibility="public",
    )
