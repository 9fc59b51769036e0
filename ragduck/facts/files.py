"""All facts of one file."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from ragduck.facts.code import (
    AccessFact,
    CallFact,
    Import,
    MemberFact,
    StringFact,
    TypeFact,
    UseFact,
    ViewFact,
)
from ragduck.facts.database import ObjectFact, ReferenceFact
from ragduck.facts.mentions import Mentions, mentions_in

PROJECT = ".csproj"  # in any spelling


class StatementFacts(NamedTuple):
    """What the statements of a file do: most of its facts, and of no interest to other files."""

    calls: tuple[CallFact, ...] = ()
    accesses: tuple[AccessFact, ...] = ()
    uses: tuple[UseFact, ...] = ()
    strings: tuple[StringFact, ...] = ()

    def unpacked(self) -> StatementFacts:
        """Return itself: it is not packed."""
        return self

    def mentions(self) -> Mentions:
        """Return what they name."""
        return mentions_in(calls=self.calls, accesses=self.accesses, uses=self.uses, strings=self.strings)

    def joined(self, other: StatementFacts) -> StatementFacts:
        """Return these facts, then those of other statements of the same file."""
        return StatementFacts(
            self.calls + other.calls,
            self.accesses + other.accesses,
            self.uses + other.uses,
            self.strings + other.strings,
        )


class HeldStatements(Protocol):
    """The facts of a file's statements, packed or not."""

    def unpacked(self) -> StatementFacts:
        """Return them; each time anew if they are packed."""

    def mentions(self) -> Mentions:
        """Return what they name, without unpacking them; each time anew."""


class FileFacts(NamedTuple):
    """All facts of one file. ``language`` is that of node keys: csharp, python, typescript, java, go, razor,
    webforms, xaml, sql. Visual Basic has that of C#, whose types it shares.

    ``module`` is the dotted module, package or folder that qualifies the names of a Python, TypeScript, Java or Go
    file, even of one that declares nothing but passes on what it imports; of a SQL file it is the default schema,
    and ``imports`` are the databases that it uses, as they are of a file of configuration. Of a project of C# it is
    the root namespace as written. What reads ``statements`` more than once unpacks them once.
    """

    path: str
    language: str
    file_class: str
    project: str | None
    lines: int
    imports: tuple[Import, ...] = ()
    types: tuple[TypeFact, ...] = ()
    members: tuple[MemberFact, ...] = ()
    statements: HeldStatements = StatementFacts()
    views: tuple[ViewFact, ...] = ()
    objects: tuple[ObjectFact, ...] = ()
    references: tuple[ReferenceFact, ...] = ()
    module: str = ""

    @property
    def calls(self) -> tuple[CallFact, ...]:
        """Return the calls of its statements."""
        return self.statements.unpacked().calls

    @property
    def accesses(self) -> tuple[AccessFact, ...]:
        """Return what its statements read and set."""
        return self.statements.unpacked().accesses

    @property
    def uses(self) -> tuple[UseFact, ...]:
        """Return the types that its statements name."""
        return self.statements.unpacked().uses

    @property
    def strings(self) -> tuple[StringFact, ...]:
        """Return the strings of its statements that may be SQL."""
        return self.statements.unpacked().strings
