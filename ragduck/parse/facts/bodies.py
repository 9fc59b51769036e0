"""Walk syntax trees once and take down calls, accesses, uses and strings, whatever the language.

Every node is looked at once: what a handler does not look into itself is put off and walked on its own. Chains
(`a.b().c`) are taken apart in a loop, and expressions inside expressions have a depth limit, so that neither
long nor deep input costs more than its length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from tree_sitter import Node

from ragduck.facts import UNKNOWN, Expression, FileFacts, Joined, Name, Text
from ragduck.parse.facts.body import Body
from ragduck.parse.facts.collected import Collector
from ragduck.parse.facts.declared import Reading
from ragduck.parse.facts.escapes import joined
from ragduck.parse.facts.sql_words import STRINGS
from ragduck.parse.facts.values import kept

MAX_DEPTH = 12  # of expressions in expressions; deeper ones are walked on their own and count as unknown
MAX_LINKS = 24  # of a chain that are kept
MAX_ARGUMENTS = 64
MAX_TYPE_LENGTH = 300
COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
INNER_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)  # between the arguments of a type
NAMES = frozenset({"identifier", "type_identifier", "package_identifier"})

Handler = Callable[[Any, Node, Body], Expression]
LinkHandler = Callable[[Any, Node, Expression, Body], Expression]


class BodyWalker(Collector):
    """Collect the facts of one file; a language says what its nodes mean.

    ``handlers`` are asked for the value of a node; ``links`` say which field of a node holds what its chain
    starts with, and what the link makes of it.
    """

    handlers: ClassVar[Mapping[str, Handler]] = {}
    links: ClassVar[Mapping[str, tuple[str, LinkHandler]]] = {}

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self.source = reading.source
        self.declared = reading.declared
        self._pending: list[tuple[Node, Body]] = []
        self._depth = 0
        self._names: dict[bytes, str] = {}

    def facts(self) -> FileFacts:
        """Walk the whole tree and return what was found."""
        self.walk(self.reading.tree.root_node, Body(f"file:{self.reading.document.path}|FILE"))
        return self.collected()

    def walk(self, root: Node, body: Body) -> None:
        """Visit a node and all that is put off on the way."""
        pending, handlers, links = self._pending, self.handlers, self.links
        pending.append((root, body))
        while pending:
            node, body = pending.pop()
            kind = node.type
            if kind not in handlers and kind not in links:
                pending.extend([(child, body) for child in reversed(node.named_children)])
                continue
            value = self.visit(node, body)
            if value and self.holds_sql and isinstance(value, STRINGS) and kind not in self.taken:
                self.take_string(value, node, body=body)

    def visit(self, node: Node, body: Body) -> Expression:
        """Return what an expression or statement is, and take down the facts in it."""
        kind = node.type
        is_link = kind in self.links
        handler = None if is_link else self.handlers.get(kind)
        if not is_link and handler is None:
            self.later(node.named_children, body)
            return UNKNOWN
        if self._depth >= MAX_DEPTH:
            return self.put_off(node, body)
        self._depth += 1
        value = self.chain(node, body) if handler is None else handler(self, node, body)
        self._depth -= 1
        return value

    def put_off(self, node: Node, body: Body) -> Expression:
        """Walk a node on its own."""
        self._pending.append((node, body))
        return UNKNOWN

    def later(self, nodes: Sequence[Node], body: Body) -> None:
        """Walk nodes in order, before what was put off earlier."""
        self._pending.extend([(node, body) for node in reversed(nodes)])

    # names and text

    def text(self, node: Node) -> str:
        """Return the text of a small node; equal texts are one object."""
        raw = self.source[node.start_byte : node.end_byte]
        name = self._names.get(raw)
        if name is None:
            name = self._names[raw] = raw.decode("utf-8", "replace")
        return name

    def field_text(self, node: Node, name: str) -> str:
        """Return the text of a field, "" when it is missing."""
        found = node.child_by_field_name(name)
        return self.text(found) if found is not None else ""

    def written(self, node: Node | None) -> str:
        """Return a type as written, on one line without comments, "" for none or for one too long to be of use."""
        if node is None or node.end_byte - node.start_byte > MAX_TYPE_LENGTH:
            return ""
        text = self.text(node)
        if "\n" in text:
            text = INNER_COMMENT.sub(" ", text)
        return " ".join(text.split()) if "\n" in text or "  " in text else text

    # chains

    def chain(self, node: Node, body: Body) -> Expression:
        """Return what a chain is, and take down its calls and the member that it ends in."""
        value = self.unnoticed_chain(node, body)
        if isinstance(value, Name):
            self._bare_name(node, body)
        self.access(value, node, body=body)
        return value

    def _bare_name(self, node: Node | None, body: Body) -> None:
        """Visit the name in `(name)` as one that stands alone."""
        while node is not None and node.type in self.links:
            node = _link_start(node, self.links[node.type][0])
        if node is not None and node.type == "identifier":
            self.visit(node, body)

    def unnoticed_chain(self, node: Node, body: Body) -> Expression:
        """Return what a chain is, without an access of its own."""
        chain: list[tuple[Node, LinkHandler]] = []
        while True:
            link = self.links.get(node.type)
            inner = _link_start(node, link[0]) if link is not None else None
            if link is None or inner is None:
                break
            chain.append((node, link[1]))
            node = inner
        value = self.root(node, body)
        for count, (outer, make) in enumerate(reversed(chain), start=1):
            value = make(self, outer, value, body)
            if count % MAX_LINKS == 0:
                value = UNKNOWN
        return value

    def root(self, node: Node, body: Body) -> Expression:
        """Return what a chain starts with."""
        kind = node.type
        if kind in NAMES:
            return self.name(self.text(node), body)
        if kind in self.links:  # without anything that it is added to: `f()` in Java, or broken syntax
            start = self.handlers.get(kind)
            if start is not None:
                return start(self, node, body)
            self.later(node.named_children, body)
            return UNKNOWN
        return self.visit(node, body)

    def name(self, name: str, body: Body) -> Expression:
        """Return what a bare name stands for."""
        found = body.find(name)
        return Name(name) if found is None else found

    # strings

    def operator(self, node: Node) -> str:
        """Return the operator between two values."""
        found = node.child_by_field_name("operator")
        return found.type if found is not None else ""

    def added(self, node: Node, body: Body) -> Expression:
        """Return what `a + b + c` puts together, however long it is, if it is a string."""
        operands: list[Node] = []
        current: Node | None = node
        while current is not None and current.type == node.type and self.operator(current) == "+":
            right = current.child_by_field_name("right")
            operands.extend([right] if right is not None else [])
            current = current.child_by_field_name("left")
        operands.extend([current] if current is not None else [])
        values = [kept(self.visit(operand, body)) for operand in reversed(operands)]
        return joined(values) if any(isinstance(value, Text | Joined) for value in values) else UNKNOWN

    def append(self, name: str, value: Expression, *, node: Node, body: Body) -> None:
        """Add to a local that holds a string."""
        holder = body.holder(name)
        known = holder.locals[name] if holder is not None else UNKNOWN
        if holder is not None and isinstance(known, Text | Joined):
            longer = kept(joined([known, value]))
            if longer:
                holder.locals[name] = longer
                self.take_string(longer, node, body=body, assigned_to=name)


def _link_start(node: Node, field_name: str) -> Node | None:
    """Return what a link is added to: a field, or the first child that is no comment."""
    if field_name:
        return node.child_by_field_name(field_name)
    return first_child(node)


def first_child(node: Node) -> Node | None:
    """Return the first child that is no comment."""
    return next((child for child in node.named_children if child.type not in COMMENTS), None)
