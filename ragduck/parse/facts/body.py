"""Where a statement stands, and which locals are known there."""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node

from ragduck.facts import UNKNOWN, Argument, Assignment, Expression
from ragduck.parse.facts.declared import Declared

MAX_OUTER = 64  # blocks and functions around a statement that are searched for a local


@dataclass(slots=True)
class Body:
    """Where a statement stands: in which declaration, with which locals.

    ``function`` is the body of the function around a block. What is known of a function at its end
    (``assignments``, ``handed_on``, ``hands_to``, ``result``) is kept there.
    """

    source: str
    owner: Declared | None = None
    locals: dict[str, Expression] = field(default_factory=dict)
    outer: Body | None = None
    assignments: list[Assignment] = field(default_factory=list)
    handed_on: tuple[Argument, ...] = ()
    hands_to: str = ""
    result: Expression = UNKNOWN
    is_constructor: bool = False
    function: Body | None = None

    @property
    def frame(self) -> Body:
        """Return the body of the function itself."""
        return self.function or self

    @property
    def is_module(self) -> bool:
        """Say whether this is the top of a file."""
        return self.outer is None

    @classmethod
    def of(cls, declared: Declared, outer: Body, *, owner: Declared | None = None) -> Body:
        """Return the body of a declaration; its owner is the type that `this` is."""
        is_constructor = declared.element_type == "constructor"
        return cls(declared.key, owner or declared.owner, outer=outer, is_constructor=is_constructor)

    def inner(self) -> Body:
        """Return the body of a function or a comprehension inside this one."""
        return Body(self.source, self.owner, outer=self)

    def block(self) -> Body:
        """Return a block of the same function, with locals of its own."""
        return Body(self.source, self.owner, outer=self, function=self.frame)

    def holder(self, name: str) -> Body | None:
        """Return the block that a local belongs to."""
        body: Body | None = self
        for _ in range(MAX_OUTER):
            if body is None or name in body.locals:
                return body
            body = body.outer
        return None

    def find(self, name: str) -> Expression | None:
        """Return what a local stands for, None for what is no local."""
        body: Body | None = self
        for _ in range(MAX_OUTER):
            if body is None:
                return None
            found = body.locals.get(name)
            if found is not None:
                return found
            body = body.outer
        return UNKNOWN


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a call, the nodes that they stand at, and the type arguments."""

    values: tuple[Argument, ...] = ()
    nodes: tuple[Node, ...] = ()
    type_arguments: tuple[str, ...] = ()
