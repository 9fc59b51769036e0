"""Outline a document and keep the syntax node of every symbol, so that facts carry the keys of chunks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tree_sitter import Node, Tree

from ragduck.facts import FileFacts
from ragduck.model import Document, Outline, Symbol
from ragduck.parse.grammar import KINDS, Declaration, Grammar
from ragduck.parse.outliner import Outliner, join
from ragduck.parse.treesitter import encode, gave_up, parse, problems_of

KEY_LANGUAGES = dict.fromkeys(("tsx", "vue", "svelte"), "typescript")


@dataclass(frozen=True, slots=True)
class Declared:
    """A symbol, the node that declares it and the type around it."""

    node: Node
    key: str
    name: str
    qualified_name: str
    scope: str
    element_type: str
    kind: str
    visibility: str
    owner: Declared | None = None

    @property
    def line(self) -> int:
        """Return the line on which the declaration begins, decorators included."""
        return self.node.start_point.row + 1

    @property
    def end_line(self) -> int:
        """Return the line on which it ends."""
        return self.node.end_point.row + 1


@dataclass(frozen=True, slots=True)
class Reading:
    """A parsed document with what its outline declares, by the ids of nodes."""

    document: Document
    source: bytes
    tree: Tree
    scope: str
    language: str
    declared: dict[int, Declared]


class DeclarationOutliner(Outliner):
    """Collect the symbols of one source together with their nodes."""

    def __init__(self, source: bytes, grammar: Grammar, *, language: str) -> None:
        super().__init__(source, grammar)
        self.declared: dict[int, Declared] = {}
        self._language = language
        self._owners: list[Declared] = []

    def _symbol(self, declaration: Declaration, node: Node, *, row: int, scope: str, depth: int) -> Symbol:
        owner = self._owners[-1] if self._owners else None
        declared = declared_as(declaration, node, scope=scope, language=self._language, owner=owner)
        self.declared[node.id] = declared
        self._owners.append(declared)
        symbol = super()._symbol(declaration, node, row=row, scope=scope, depth=depth)
        self._owners.pop()
        return symbol


def declared_as(
    declaration: Declaration, node: Node, *, scope: str, language: str, owner: Declared | None
) -> Declared:
    """Name a declaration as its chunk does."""
    qualified = join(scope, declaration.owner, declaration.name)
    kind = KINDS[declaration.element_type][0]
    return Declared(
        node=node,
        key=f"{language}:{qualified}|{kind}",
        name=declaration.name,
        qualified_name=qualified,
        scope=join(scope, declaration.owner),
        element_type=declaration.element_type,
        kind=kind,
        visibility=declaration.visibility or "",
        owner=owner,
    )


def read_outline(
    document: Document, grammar: Grammar, *, scope: str, facts_of: Callable[[Reading], FileFacts]
) -> Outline:
    """Outline a document all of which is in one language, and read its facts off the same tree."""
    source = encode(document.text)
    tree = parse(source, grammar.language)
    if tree is None:
        return gave_up(document.path)
    return read_tree(tree, grammar, document=document, source=source, scope=scope, facts_of=facts_of)


def read_tree(
    tree: Tree,
    grammar: Grammar,
    *,
    document: Document,
    source: bytes,
    scope: str,
    facts_of: Callable[[Reading], FileFacts],
) -> Outline:
    """Outline a parsed document, and read its facts off the tree."""
    language = KEY_LANGUAGES.get(document.language, document.language)
    outliner = DeclarationOutliner(source, grammar, language=language)
    symbols = outliner.symbols(tree.root_node, scope=scope)
    reading = Reading(document, source, tree, scope, language, outliner.declared)
    problems = problems_of(tree.root_node, path=document.path, source=source)
    return Outline(symbols, problems, facts_of(reading))
