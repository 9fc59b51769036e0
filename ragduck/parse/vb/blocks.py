"""Know which blocks are open, and how each ends in C#."""

from __future__ import annotations

from dataclasses import dataclass

NAMESPACE, TYPE, INTERFACE, ENUM = "namespace", "type", "interface", "enum"
PROPERTY, EVENT, ACCESSOR, METHOD, LAMBDA = "property", "event", "accessor", "method", "lambda"
DECLARING = frozenset((NAMESPACE, TYPE, INTERFACE, ENUM))
MEMBERS = frozenset((METHOD, ACCESSOR, PROPERTY, EVENT))
MAX_OPEN = 500  # blocks; only hostile code has more within each other


@dataclass(slots=True)
class Block:
    """A block that is open: ``word`` is what follows `End`, ``closing`` what ends it in C#.

    ``awaits`` says that the brace is not written yet: bases may follow. ``name`` is that of a type or function,
    ``receiver`` what members with a leading dot belonged to before it, ``after`` what the statement around a lambda
    ends with.
    """

    kind: str
    word: str
    closing: str = "}"
    awaits: bool = False
    name: str = ""
    is_shared: bool = False
    receiver: str = ""
    after: str = ""


class Blocks:
    """The blocks that are open, the innermost last."""

    def __init__(self) -> None:
        self.open: list[Block] = []

    def push(self, block: Block) -> None:
        """Open a block."""
        self.open.append(block)

    @property
    def innermost(self) -> Block | None:
        """Return the innermost block."""
        return self.open[-1] if self.open else None

    @property
    def declaring(self) -> Block | None:
        """Return the innermost type or namespace, if no member stands between."""
        block = self.innermost
        return block if block is not None and block.kind in DECLARING else None

    def is_in_member(self) -> bool:
        """Say whether statements are expected."""
        block = self.innermost
        return block is not None and block.kind not in DECLARING and block.kind not in (PROPERTY, EVENT)

    def type_around(self) -> Block | None:
        """Return the innermost type."""
        return next((block for block in reversed(self.open) if block.kind in DECLARING), None)

    def member(self) -> Block | None:
        """Return the member that is read."""
        for block in reversed(self.open):
            if block.kind == METHOD or block.kind in DECLARING:
                return block if block.kind == METHOD else None
        return None

    def close(self, *words: str) -> list[Block]:
        """Close the innermost block of a word and those within it; none where no such block is open."""
        for position in range(len(self.open) - 1, -1, -1):
            if self.open[position].word in words:
                closed = self.open[position:][::-1]
                del self.open[position:]
                return closed
            if self.open[position].kind in DECLARING and not set(words) & _OF_DECLARATIONS:
                break  # what ends in a member does not end a type
        return []

    def close_members(self) -> list[Block]:
        """Close all down to a type or namespace: a declaration begins."""
        closed = []
        while self.open and self.open[-1].kind not in DECLARING:
            closed.append(self.open.pop())
        return closed


_OF_DECLARATIONS = frozenset(("namespace", "class", "module", "structure", "interface", "enum"))
