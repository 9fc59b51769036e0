"""Turn a syntax tree into an outline; what differs between languages comes as a ``Grammar``.

Only declarations are visited, never the insides of a body, save to find where a long one may be cut.
Rows are tree-sitter's: counted from 0, split at ``\\n`` alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node, Tree

from ragduck.model import Document, Outline, Symbol
from ragduck.parse.grammar import KINDS, Declaration, Grammar, Place, Scope
from ragduck.parse.treesitter import encode, gave_up, last_row, parse, problems_of

LONG_ROWS = 25  # longer symbols get cuts, longer statements are entered for more of them
PART_ROWS = 8  # a long symbol's body and parameter list are entered from this length on
SIGNATURE_LENGTH = 300
HEAD_BYTES = 2_000  # of a declaration, looked at for its signature
MAX_DEPTH = 40  # of types inside types

_C_COMMENT = re.compile(r"""("(?:\\.|[^"\\])*+"?|'(?:\\.|[^'\\])*+'?)|//[^\n]*|/\*.*?(?:\*/|\Z)""", re.DOTALL)
_HASH_COMMENT = re.compile(r"""("(?:\\.|[^"\\])*+"?|'(?:\\.|[^'\\])*+'?)|\#[^\n]*""", re.DOTALL)


def outline_of(document: Document, grammar: Grammar, *, scope: str = "") -> Outline:
    """Outline a document all of which is in one language."""
    source = encode(document.text)
    tree = parse(source, grammar.language)
    if tree is None:
        return gave_up(document.path)
    return outline_tree(tree, grammar, source=source, path=document.path, scope=scope)


def outline_tree(tree: Tree, grammar: Grammar, *, source: bytes, path: str, scope: str = "") -> Outline:
    """Outline a parsed document."""
    symbols = Outliner(source, grammar).symbols(tree.root_node, scope=scope)
    return Outline(symbols, problems_of(tree.root_node, path=path, source=source))


def join(*names: str) -> str:
    """Put the parts of a qualified name together, leaving out empty ones."""
    return ".".join(name for name in names if name)


def qualify_path(path: str, *, roots: tuple[str, ...] = (), index: str = "") -> str:
    """Make a dotted name of a file's path, without extension, source root and index file."""
    parts = path.split("/")
    parts[-1] = parts[-1].rpartition(".")[0].removesuffix(".d") or parts[-1]
    if len(parts) > 1 and parts[0] in roots:
        parts = parts[1:]
    if len(parts) > 1 and parts[-1] == index:
        parts = parts[:-1]
    return ".".join(parts)


class Leads:
    """Follow siblings in order and remember the comments and decorators directly above the next one."""

    def __init__(self, grammar: Grammar) -> None:
        self._types = grammar.leads
        self._aligned = grammar.aligned_leads
        self._column = self._first = self._last = -1
        self._taken = -1

    def row_of(self, node: Node) -> int | None:
        """Return the row at which a node begins together with what is above it, None for a comment."""
        start = node.start_point
        if node.type in self._types:
            if start.row != self._taken:
                self._extend(node)
            return None
        row = start.row
        if self._first >= 0 and self._last + 1 >= row and (not self._aligned or self._column == start.column):
            row = self._first
        self._first = -1
        self._taken = last_row(node)
        return row

    def _extend(self, node: Node) -> None:
        start = node.start_point
        if self._first < 0 or start.row > self._last + 1:
            self._first, self._column = start.row, start.column
        self._last = last_row(node)


class Outliner:
    """Collect the symbols of one source."""

    def __init__(self, source: bytes, grammar: Grammar) -> None:
        self._source = source
        self._grammar = grammar
        self._comment = _HASH_COMMENT if grammar.hash_comments else _C_COMMENT

    def symbols(self, node: Node, *, scope: str, container: str = "", depth: int = 0) -> tuple[Symbol, ...]:
        """Return the symbols directly inside a node, each with its members."""
        place = Place(self._source, container)
        leads = Leads(self._grammar)
        found = []
        for child, child_scope in self._flatten(node, scope=scope, place=place):
            row = leads.row_of(child)
            if row is None or not child.is_named:
                continue
            declaration = self._grammar.declare(child, place)
            if declaration is not None and declaration.name:
                found.append(self._symbol(declaration, child, row=row, scope=child_scope, depth=depth))
        return tuple(found)

    def _flatten(self, node: Node, *, scope: str, place: Place) -> Iterator[tuple[Node, str]]:
        """Yield children in order with the namespace they are in, looking through what is transparent."""
        frames = [(iter(node.children), scope)]
        while frames:
            children, scope = frames.pop()
            for child in children:
                inner = self._inner_scope(child, place)
                if inner is None:
                    yield child, scope
                elif inner.body is None:
                    scope = join(scope, inner.name)
                else:
                    frames.append((children, scope))
                    frames.append((iter(inner.body.children), join(scope, inner.name)))
                    break

    def _inner_scope(self, node: Node, place: Place) -> Scope | None:
        if not node.is_named:
            return None
        if node.type in self._grammar.transparent:
            return Scope("", node)
        return self._grammar.scope(node, place)

    def _symbol(self, declaration: Declaration, node: Node, *, row: int, scope: str, depth: int) -> Symbol:
        name, element_type, body = declaration.name, declaration.element_type, declaration.body
        qualified = join(scope, declaration.owner, name)
        kind, member_kind = KINDS[element_type]
        children: tuple[Symbol, ...] = ()
        if body is not None and depth < MAX_DEPTH:
            children = self.symbols(body, scope=qualified, container=element_type, depth=depth + 1)
        start_line, end_line = row + 1, last_row(node) + 1
        cuts: tuple[int, ...] = ()
        if end_line - start_line > LONG_ROWS:
            rows = {child.start_line for child in children} or self._cut_lines(
                node, head_end=declaration.head[1]
            )
            cuts = tuple(sorted(line for line in rows if start_line < line <= end_line))
        return Symbol(
            name=name,
            qualified_name=qualified,
            element_type=element_type,
            start_line=start_line,
            end_line=end_line,
            signature=self._signature(declaration.head),
            visibility=declaration.visibility,
            member_kind=member_kind,
            kind=kind,
            cuts=cuts,
            children=children,
        )

    def _signature(self, head: tuple[int, int]) -> str:
        start, end = head
        text = self._source[start : min(end, start + HEAD_BYTES)].decode("utf-8", "ignore")
        if "//" in text or "/*" in text or "#" in text:
            text = self._comment.sub(lambda match: match[1] or " ", text)
        text = " ".join(text.split()).removesuffix("=>").rstrip(" ;{,:")
        return text if len(text) <= SIGNATURE_LENGTH else text[: SIGNATURE_LENGTH - 1] + "…"

    def _cut_lines(self, declaration: Node, *, head_end: int) -> set[int]:
        """Find the lines on which a statement or element of a long declaration begins.

        Whatever stands first on a line inside a long node qualifies: no table of node types is needed. The
        head of a declaration (attributes, parameters) is kept in one piece unless it is long itself.
        """
        lines: set[int] = set()
        start, end = declaration.start_byte, declaration.end_byte
        has_long_head = self._source.count(b"\n", start, head_end) > LONG_ROWS
        whole_head = head_end if head_end < end and not has_long_head else start
        pending = [declaration]
        while pending:
            node = pending.pop()
            children = node.children
            if node is not declaration or has_long_head:
                self._cut_between(children, node.start_point.row, lines=lines, whole_head=whole_head)
            enough = PART_ROWS if node is declaration else LONG_ROWS
            pending.extend(child for child in children if spans_rows(child, enough))
        return lines

    def _cut_between(self, siblings: list[Node], above: int, *, lines: set[int], whole_head: int) -> None:
        """Add the lines on which a sibling is first, counting in the comments above it."""
        leads = Leads(self._grammar)
        previous = ""
        for node in siblings:
            row = leads.row_of(node)
            is_first = row is not None and node.start_point.row > above and node.start_byte >= whole_head
            if row is not None and is_first and self._may_begin(node, previous):
                lines.add(row + 1)
            above, previous = node.end_point.row, node.type

    def _may_begin(self, node: Node, previous: str) -> bool:
        """Say whether a part may begin before a node: not at the bracket that opens a statement's body."""
        first = self._source[node.start_byte : node.start_byte + 1]
        if node.is_named:
            opens = node.type != "attribute_list" and first in (b"", b"{", b"[", b"(")
            return not opens or previous in (",", "{", "[")
        return node.type in ("else", "finally") or not (first.isalpha() or first in b"{}[]();,")


def spans_rows(node: Node, rows: int) -> bool:
    """Say whether a node is longer than so many rows."""
    return node.end_point.row - node.start_point.row > rows
