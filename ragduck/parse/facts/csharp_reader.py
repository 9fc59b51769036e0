"""What is known while the bodies of a C# file are read: its text, the locals in scope, the facts so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from tree_sitter import Node

from ragduck.facts import (
    UNKNOWN,
    AccessFact,
    Assignment,
    Call,
    CallFact,
    Expression,
    Name,
    StatementFacts,
    StringFact,
    Typed,
    UseFact,
)

MAX_NESTING = 60  # of expressions in expressions; what is deeper has no facts

_NUMBERS = {"byte", "sbyte", "short", "ushort", "int", "uint", "long", "ulong", "nint", "nuint"}
_FRACTIONS = {"float", "double", "decimal"}
PREDEFINED = frozenset({"bool", "char", "object", "string", "void", "dynamic", "var"} | _NUMBERS | _FRACTIONS)
UNNAMED_TYPES = frozenset(("predefined_type", "implicit_type"))

ReadExpression: TypeAlias = "Callable[[Reader, Node], Expression]"
ReadStatement: TypeAlias = "Callable[[Reader, Node], Sequence[Node | int]]"


class Local(NamedTuple):
    """A local, a parameter, or a function inside a body.

    ``value`` stands for its name. ``text`` is what a StringBuilder holds so far, ``result`` what a local function
    returns. ``facts`` are the strings put into it, on the lines from ``line`` to ``end_line``: they are facts of
    their own only as long as the local is not given to a database call. ``members`` collects the chains that
    begin with the parameter of a lambda.
    """

    value: Expression
    follows: bool = False  # whether later assignments are of interest
    is_empty: bool = False  # whether nothing has been assigned yet
    text: Expression | None = None
    result: Expression | None = None
    line: int = 0
    end_line: int = 0
    facts: tuple[int, ...] = ()
    members: dict[tuple[str, ...], None] | None = None
    scope: int = 0  # how many scopes are open where it is declared


class Frame(NamedTuple):
    """The function around an expression: what type it returns, what its result is called.

    A constructor or setter collects in ``assignments`` what it puts into members.
    """

    type: str = ""
    name: str = ""
    assignments: list[Assignment] | None = None


NO_FRAME = Frame()


def awaited_type(type_: str) -> str:
    """Return `T` for `Task<T>`, as `return new()` means it."""
    for task in ("Task<", "ValueTask<"):
        if type_.startswith(task):
            return type_[len(task) : -1]
    return type_


class Reader:
    """Read expressions and statements of one file and collect the facts; ``origin`` is where they stand."""

    def __init__(
        self,
        source: bytes,
        *,
        expressions: Mapping[str, ReadExpression],
        statements: Mapping[str, ReadStatement],
    ) -> None:
        self.source = source
        self.origin = ""
        self.calls: list[CallFact] = []
        self.accesses: list[AccessFact] = []
        self.uses: list[UseFact] = []
        self.strings: list[StringFact | None] = []
        self.locals: dict[str, Local] = {}
        self.target = ""  # what gets the value of the chain that is read next
        self.handed: Expression = UNKNOWN  # the first parameter of the lambda that is read next
        self.returned: Expression = UNKNOWN
        self.frame = NO_FRAME
        self.modifiers: dict[frozenset[str], frozenset[str]] = {}
        self._undo: list[tuple[str, Local | None]] = []
        self._scopes: list[tuple[int, Frame]] = []
        self._expressions = expressions
        self._statements = statements
        self._depth = 0
        self._texts: dict[bytes, str] = {}
        self._names: dict[str, Name] = {}

    def begin(self, origin: str, *, known: Mapping[str, Local]) -> None:
        """Start to read a declaration, in which the parameters of a primary constructor may be known."""
        self.origin = origin
        self.locals = dict(known)
        self.returned = UNKNOWN
        self.frame = NO_FRAME
        self._undo = []
        self._scopes = []
        self._depth = 0

    def found(self) -> StatementFacts:
        """Return the facts of all statements that were read."""
        strings = tuple(string for string in self.strings if string is not None)
        return StatementFacts(tuple(self.calls), tuple(self.accesses), tuple(self.uses), strings)

    def value(self, node: Node) -> Expression:
        """Read an expression of any kind."""
        if self._depth >= MAX_NESTING:
            return UNKNOWN
        self._depth += 1
        read = self._expressions.get(node.type)
        value = UNKNOWN if read is None else read(self, node)
        if read is None:
            self.parts(node)
        self._depth -= 1
        return value

    def parts(self, node: Node) -> None:
        """Read all that is inside a node of no interest itself."""
        for child in node.children:
            if child.is_named:
                self.value(child)

    def run(self, node: Node) -> None:
        """Read a statement with all statements inside it, in order."""
        pending: list[Node | int] = [node]
        while pending:
            item = pending.pop()
            if isinstance(item, int):
                self.leave(item)
                continue
            read = self._statements.get(item.type, self._statements["expression"])
            inner = read(self, item)
            if inner:
                pending.extend(reversed(inner))

    def enter(self) -> int:
        """Open a scope; what is declared in it, or set as ``frame``, lasts until ``leave``."""
        self._scopes.append((len(self._undo), self.frame))
        return len(self._undo)

    def leave(self, mark: int) -> None:
        """Close a scope."""
        _, self.frame = self._scopes.pop()
        while len(self._undo) > mark:
            name, before = self._undo.pop()
            if before is None:
                self.locals.pop(name, None)
            else:
                self.locals[name] = before

    def declare(self, name: str, local: Local) -> None:
        """Let a name stand for a local until the scope ends."""
        self._undo.append((name, self.locals.get(name)))
        self.locals[name] = local._replace(scope=len(self._scopes))

    def is_of_scope(self, name: str) -> bool:
        """Tell whether a local is declared in the innermost scope: what is put into it there has surely been put."""
        return self.locals[name].scope == len(self._scopes)

    def text(self, node: Node) -> str:
        """Return a node's text; equal texts are one object, which keeps what is sent small."""
        piece = self.source[node.start_byte : node.end_byte]
        found = self._texts.get(piece)
        if found is None:
            found = self._texts[piece] = piece.decode("utf-8", "replace")
        return found

    def literal(self, node: Node) -> str:
        """Return the text of a node that need not be kept."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def name(self, node: Node) -> str:
        """Return an identifier without the sign that lets it be a keyword."""
        return self.text(node).lstrip("@")

    def name_value(self, name: str) -> Name:
        """Return the one object for a name that is no local."""
        found = self._names.get(name)
        if found is None:
            found = self._names[name] = Name(name)
        return found

    def type_text(self, node: Node) -> str:
        """Return a type as written, on one line."""
        text = self.text(node)
        return " ".join(text.split()) if "\n" in text or "  " in text else text

    def use(self, node: Node, how: str) -> str:
        """Return a type as written, and note its use when it is none of the language's own."""
        if node.type in UNNAMED_TYPES:
            return self.text(node)
        if node.type in ("ref_type", "scoped_type"):
            inner = node.child_by_field_name("type")
            return self.use(inner, how) if inner is not None else ""
        text = self.type_text(node)
        if text.rstrip("?[],* ") not in PREDEFINED:
            self.uses.append(UseFact(self.origin, text, node.start_point.row + 1, how))
        return text

    def call(self, call: Call, *, line: int, target: str) -> None:
        """Note a call."""
        self.calls.append(CallFact(self.origin, call, line, target))

    def declare_typed(self, name: str, type_: str) -> None:
        """Declare a parameter or a local of which the type is all that is known."""
        if name:
            self.declare(name, Local(Typed(type_, name) if type_ else UNKNOWN))
