"""Write a file of Visual Basic as one of C#, line by line."""

from __future__ import annotations

from dataclasses import dataclass

from ragduck.parse.vb.blocks import DECLARING, LAMBDA, MAX_OPEN, Blocks
from ragduck.parse.vb.declarations import Declarations
from ragduck.parse.vb.heads import MODIFIERS
from ragduck.parse.vb.lines import LogicalLine, logical_lines
from ragduck.parse.vb.names import Names, partners_of, split_at
from ragduck.parse.vb.statements import Statements
from ragduck.parse.vb.tokens import Token, tokens_of
from ragduck.parse.vb.writer import Writer

_NOT_IN_MEMBERS = frozenset(MODIFIERS) - {"dim", "const", "static", "async", "iterator", "custom", "default"}
_DECLARE = frozenset(
    (
        "sub",
        "function",
        "property",
        "class",
        "module",
        "structure",
        "interface",
        "enum",
        "namespace",
        "operator",
    )
)
_TYPE_WORDS = frozenset(
    ("class", "module", "structure", "interface", "enum", "namespace", "inherits", "event")
)


@dataclass(frozen=True, slots=True)
class Translation:
    """The C# of a file, the names of its modules, and the methods that its clauses make handlers of events.

    ``heads`` are the first and last lines of what declares. ``namespaces`` are the outermost ones as they are
    written.
    """

    text: str
    heads: tuple[tuple[int, int], ...]
    namespaces: tuple[str, ...]
    modules: tuple[str, ...]
    handled: tuple[tuple[str, int, tuple[str, ...]], ...]


def translated(text: str) -> Translation:
    """Return a file of Visual Basic as C#; what is not understood is left out or written as it comes."""
    lines = list(logical_lines(tokens_of(text)))
    names = Names()
    for line in lines:
        _know(line.tokens, names)
    translator = _Translator(names)
    for line, following in zip(lines, _followed(lines), strict=True):
        translator.read(line, following)
    return translator.end(last=text.count("\n") + 1)


def _followed(lines: list[LogicalLine]) -> list[list[Token]]:
    """Return for each line the tokens of the next one that has any."""
    found: list[list[Token]] = []
    following: list[Token] = []
    for line in reversed(lines):
        found.append(following)
        following = line.tokens or following
    return found[::-1]


def _know(tokens: list[Token], names: Names) -> None:
    """Know the methods and fields that a line declares, before anything is read that may name them."""
    at = 0
    while at < len(tokens) and tokens[at].word in MODIFIERS:
        at += 1
    if at + 1 >= len(tokens) or (at and tokens[0].word == "dim"):
        return
    word = tokens[at].word
    if word in ("sub", "function") and tokens[at + 1].word != "new":
        names.functions.setdefault(tokens[at + 1].text.lower(), tokens[at + 1].text)
    elif word == "property":
        names.fields.setdefault(tokens[at + 1].text.lower(), tokens[at + 1].text)
    elif at and tokens[at + 1].word in ("as", "(", ",") and word not in _DECLARE and word != "event":
        names.declare_field(tokens[at].text, "")


class _Translator:
    def __init__(self, names: Names) -> None:
        self._names = names
        self._writer = Writer()
        self._blocks = Blocks()
        self._statements = Statements(self._writer, self._blocks, names)
        self._declarations = Declarations(self._writer, self._blocks, names, self._statements)

    def end(self, *, last: int) -> Translation:
        """Close what is open."""
        self._declarations.open_type(last)
        self._statements.close(self._blocks.open[::-1], self._writer.line)
        declared = self._declarations
        return Translation(
            self._writer.text(last),
            heads=tuple(declared.heads),
            namespaces=tuple(declared.namespaces),
            modules=tuple(declared.modules),
            handled=tuple(declared.handled),
        )

    def read(self, line: LogicalLine, following: list[Token]) -> None:
        """Write a line."""
        if not line.tokens:
            self._without_code(line)
            return
        tokens = line.tokens
        if tokens[0].word == "imports":
            self._imports(tokens)
        elif tokens[0].word == "end" and len(tokens) > 1:
            self._end(tokens, line)
        elif len(self._blocks.open) < MAX_OPEN:
            self._declaration_or_statements(line, following)

    def _without_code(self, line: LogicalLine) -> None:
        if line.is_comment:
            block = self._blocks.innermost
            if block is None or not block.awaits:
                self._writer.put(line.last, "//")
        # both branches of a condition are code: where they open the same block twice, one is closed by the other

    def _imports(self, tokens: list[Token]) -> None:
        """Write `Imports A.B, C = D.E`; a name may be that of a type, whose members are then seen."""
        code = self._statements.code(tokens)
        for low, high in split_at(tokens, code.partners, 1, len(tokens), mark=","):
            if low >= high or tokens[low].word == "<":
                continue
            is_alias = code.word(low + 1) == "="
            name, _ = code.type_at(low + 2 * is_alias, high)
            if not name:
                continue
            if is_alias:
                self._writer.put(tokens[low].line, f"using {tokens[low].text} = {name};")
            else:
                self._writer.put(tokens[low].line, f"using {name}; using static {name};")

    def _end(self, tokens: list[Token], line: LogicalLine) -> None:
        word = tokens[1].word
        block = self._blocks.innermost
        if word in ("sub", "function") and any(one.kind == LAMBDA for one in self._blocks.open):
            self._statements.end_lambda(tokens, opens_lambda=line.opens_lambda)
            return
        if block is not None and block.kind in DECLARING:
            self._declarations.open_type(tokens[0].line)
        elif block is not None and block.awaits:
            self._declarations.hands_on(tokens)
        words = ("get", "set") if word in ("get", "set") else (word,)
        self._statements.close(self._blocks.close(*words), tokens[0].line)
        if word in ("get", "set") and self._blocks.open and self._blocks.open[-1].word in words:
            self._statements.close([self._blocks.open.pop()], tokens[0].line)
        rest = split_at(tokens, partners_of(tokens), 0, len(tokens), mark=":")
        if len(rest) > 1 and rest[1][0] < len(tokens):
            self._statements.write_line(tokens[rest[1][0] :], opens_lambda=line.opens_lambda)

    def _declaration_or_statements(self, line: LogicalLine, following: list[Token]) -> None:
        tokens = line.tokens
        if tokens[0].word not in ("inherits", "implements"):
            block = self._blocks.innermost
            if block is not None and block.kind in DECLARING:
                self._declarations.open_type(tokens[0].line)
            elif self._declarations.hands_on(tokens):
                return
        is_in_member = self._blocks.is_in_member()
        if (not is_in_member or _must_declare(tokens)) and self._declare(line, following):
            return
        if is_in_member or self._blocks.declaring is None:
            self._statements.write_line(tokens, opens_lambda=line.opens_lambda)

    def _declare(self, line: LogicalLine, following: list[Token]) -> bool:
        """Write the declarations of a line, which may be followed by others after colons."""
        tokens = line.tokens
        parts = split_at(tokens, partners_of(tokens), 0, len(tokens), mark=":")
        if len(parts) == 1 or tokens[0].word == "<":
            return self._declarations.write(tokens, following, opens_lambda=line.opens_lambda)
        rests = [tokens[low:high] for low, high in parts if low < high]
        if not rests:
            return True
        if not self._declarations.write(rests[0], rests[1] if len(rests) > 1 else following):
            return False
        for position, rest in enumerate(rests[1:], 2):
            after = rests[position] if position < len(rests) else following
            inner = LogicalLine(rest, line.last, line.opens_lambda and position == len(rests))
            self.read(inner, after)
        return True


def _must_declare(tokens: list[Token]) -> bool:
    """Say whether a line within a member cannot be a statement of it: the end of the member is missing."""
    first, second = tokens[0].word, tokens[1].word if len(tokens) > 1 else ""
    if first in _NOT_IN_MEMBERS:
        return second not in ("=", ".", "(", "")
    return first in ("get", "set", "sub", "function", "property", "class", "module") and second not in (
        "=",
        ".",
    )
