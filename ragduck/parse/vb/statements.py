"""Write the statements of Visual Basic as C# has them."""

from __future__ import annotations

import re
from collections.abc import Callable

from ragduck.parse.vb import conditions, loops
from ragduck.parse.vb.blocks import LAMBDA, Block, Blocks
from ragduck.parse.vb.expressions import Code, Piece
from ragduck.parse.vb.names import Names, find_word, spelled, split_at
from ragduck.parse.vb.special import assigned, called, single_statement, without_call
from ragduck.parse.vb.tokens import WORD, Token
from ragduck.parse.vb.type_names import MAX_DEPTH
from ragduck.parse.vb.variables import declared, read_variables
from ragduck.parse.vb.writer import Writer

STATEMENT = "statement"
_WHEN = frozenset(("when",))
_CHAIN = re.compile(r"[\w@.\s]+")
_IGNORED = frozenset(("on", "option", "stop", "erase", "resume"))


class Statements:
    """Write statements one after the other; what is open is kept in ``blocks``."""

    def __init__(self, writer: Writer, blocks: Blocks, names: Names) -> None:
        self.writer = writer
        self.blocks = blocks
        self.names = names
        self.receiver = "this"
        self.helpers = 0
        self._after = ";"
        self._nesting = 0

    def begin_member(self) -> None:
        """Forget what stood in the member before."""
        self.receiver = "this"

    def code(self, tokens: list[Token]) -> Code:
        """Return tokens as code that knows what its names stand for."""
        return Code(tokens, self.names, receiver=self.receiver)

    def write_line(self, tokens: list[Token], *, opens_lambda: bool = False) -> None:
        """Write all statements of a line, which may be within those of the same line."""
        if self._nesting < MAX_DEPTH:
            self._nesting += 1
            self._write_line(tokens, opens_lambda=opens_lambda)
            self._nesting -= 1

    def _write_line(self, tokens: list[Token], *, opens_lambda: bool) -> None:
        code = self.code(tokens)
        parts = split_at(tokens, code.partners, 0, len(tokens), mark=":")
        for position, (low, high) in enumerate(parts):
            is_label = not position and high == low + 1 < len(tokens) and tokens[low].word not in _WRITERS
            if low == high or is_label:
                continue
            if tokens[low].word in ("if", "elseif") and conditions.is_single_if(
                code, low, high, len(parts) - position
            ):
                conditions.single_if(self, tokens[low:])
                return
            is_last = position == len(parts) - 1
            self.write(tokens[low:high], opens_lambda=opens_lambda and is_last)

    def write(self, tokens: list[Token], *, opens_lambda: bool = False) -> None:
        """Write one statement."""
        code, token = self.code(tokens), tokens[0]
        write = _WRITERS.get(token.word) if token.kind == WORD else None
        is_name = token.word == "yield" and code.word(1) in ("=", ".", "(")
        if write is not None and not is_name and write(self, code):
            if opens_lambda:
                self.open_lambda(tokens[-1].line)
            return
        self._expression(code, 0)
        if opens_lambda:
            self.open_lambda(tokens[-1].line)

    def end_lambda(self, tokens: list[Token], *, opens_lambda: bool) -> None:
        """Write `End Sub` and `End Function` of a lambda, and what follows in the statement around it."""
        closed = self.blocks.close("lambda")
        self.close(closed, tokens[0].line)
        rest = self.code(tokens[2:])
        self._after = closed[-1].after if closed else ";"
        if rest.tokens:
            self.writer.put_all(called(assigned(rest, 0, len(rest.tokens))))
        if opens_lambda:
            self.open_lambda(tokens[-1].line)
        else:
            self.writer.put(tokens[-1].line, self._after)

    def close(self, blocks: list[Block], line: int) -> None:
        """Write the ends of blocks."""
        for block in blocks:
            self.writer.put(line, ("{ " if block.awaits else "") + block.closing)
            if block.receiver:
                self.receiver = block.receiver

    def open_lambda(self, line: int) -> None:
        """Open the block of a lambda whose head was written."""
        self.writer.put(line, "{")
        self.blocks.push(Block(LAMBDA, "lambda", after=self._after))

    def put(self, line: int, before: str, pieces: list[Piece], after: str) -> None:
        """Write a statement; what it ends with comes after the statements of a lambda, if they follow."""
        self.writer.put(line, before)
        self.writer.put_all(pieces)
        if pieces and pieces[-1][1].endswith("=>"):
            self._after = after
        else:
            self.writer.put(self.writer.line, after)

    def open(self, word: str, *, closing: str = "}", receiver: str = "") -> bool:
        """Know a block that was begun."""
        self.blocks.push(Block(STATEMENT, word, closing=closing, receiver=receiver))
        return True

    def _expression(self, code: Code, low: int) -> None:
        """Write an assignment or a call."""
        high = len(code.tokens)
        member = self.blocks.member()
        is_result = (
            member is not None
            and member.name
            and code.word(low) == member.name.lower()
            and code.word(low + 1) == "="
        )
        if is_result and not code.names.is_local(code.word(low)):
            self.put(code.line(low), "return", code.expression(low + 2, high), ";")
        else:
            self.put(code.line(low), "", single_statement(code, low, high), ";")

    # guards

    def try_(self, code: Code) -> bool:
        """Write `Try`."""
        self.writer.put(code.line(0), "try {")
        return self.open("try")

    def catch(self, code: Code) -> bool:
        """Write `Catch ex As T When x`."""
        high = len(code.tokens)
        when = find_word(code.tokens, code.partners, 1, high, _WHEN)
        name = ""
        if high > 1 and code.word(1) != "when":
            type_ = code.type_at(3, high)[0] if code.word(2) == "as" else ""
            code.names.declare(code.tokens[1].text, type_)
            name = f"({type_ or 'Exception'} {spelled(code.tokens[1].text)})"
        self.writer.put(code.line(0), f"}} catch {name}")
        if when > 0:
            self.put(code.line(when), "when (", code.expression(when + 1, high), ")")
        self.writer.put(self.writer.line, "{")
        return True

    def finally_(self, code: Code) -> bool:
        """Write `Finally`."""
        self.writer.put(code.line(0), "} finally {")
        return True

    def using(self, code: Code) -> bool:
        """Write `Using a As New T(…), b = x` or `Using x`."""
        high = len(code.tokens)
        if high > 2 and code.word(2) in ("as", "="):
            for variable in read_variables(code, 1, high):
                code.names.declare(variable.name, variable.type)
                self.put(variable.line, "using (", declared(variable), ")")
            self.writer.put(self.writer.line, "{")
        else:
            self.put(code.line(0), "using (", code.expression(1, high), ") {")
        return self.open("using")

    def sync_lock(self, code: Code) -> bool:
        """Write `SyncLock`."""
        self.put(code.line(0), "lock (", code.expression(1, len(code.tokens)), ") {")
        return self.open("synclock")

    def with_(self, code: Code) -> bool:
        """Write a block of which leading dots stand for a value, by a name of its own where it is not one."""
        value = code.expression(1, len(code.tokens))
        text = "".join(part for _, part in value)
        before = self.receiver
        if _CHAIN.fullmatch(text) and not text.startswith("new "):
            self.writer.put(code.line(0), "{")
            self.receiver = text
        else:
            self.helpers += 1
            self.receiver = f"with_{self.helpers}"
            self.put(code.line(0), f"{{ var {self.receiver} =", value, ";")
        return self.open("with", receiver=before)

    # what stands alone

    def dim(self, code: Code) -> bool:
        """Write locals and constants."""
        at = 1
        while code.word(at) in ("const", "static", "dim"):
            at += 1
        for variable in read_variables(code, at, len(code.tokens)):
            code.names.declare(variable.name, variable.type)
            prefix = "const " if code.word(0) == "const" else ""
            default = "string" if prefix and variable.value[:1] and variable.value[0][1][:1] == '"' else "var"
            self.put(variable.line, "", declared(variable, prefix=prefix, default=default), ";")
        return True

    def return_(self, code: Code) -> bool:
        """Write what begins with a word that both languages have: `Return`, `Throw`, `Yield`."""
        words = {"return": "return", "throw": "throw", "yield": "yield return"}
        self.put(code.line(0), words[code.word(0)], code.expression(1, len(code.tokens)), ";")
        return True

    def exit_(self, code: Code) -> bool:
        """Write what leaves a block."""
        is_member = code.word(1) in ("sub", "function", "property")
        word = "continue;" if code.word(0) == "continue" else "return;" if is_member else "break;"
        self.writer.put(code.line(0), word)
        return True

    def raise_event(self, code: Code) -> bool:
        """Write `RaiseEvent E(…)` as a call of what handles it."""
        self.put(code.line(0), "", single_statement(code, 1, len(code.tokens)), ";")
        return True

    def handler(self, code: Code) -> bool:
        """Write `AddHandler x.E, AddressOf M`."""
        parts = code.parts(1, len(code.tokens))
        if len(parts) != 2:
            return False
        sign = "+=" if code.word(0) == "addhandler" else "-="
        self.writer.put_all(without_call(code.expression(*parts[0])))
        self.put(self.writer.line, sign, code.expression(*parts[1]), ";")
        return True

    def redim(self, code: Code) -> bool:
        """Write `ReDim Preserve a(n)`: it gives a value to what is declared already."""
        at = 1 + (code.word(1) == "preserve")
        for low, high in code.parts(at, len(code.tokens)):
            last = high - 1 if code.word(high - 1) == ")" else high
            opening = code.openings.get(last, high)
            self.put(code.line(low), "", code.expression(low, min(opening, high)), "= null;")
        return True

    def ignored(self, code: Code) -> bool:
        """Leave a statement out."""
        self.writer.put(code.line(0), ";")
        return True

    def end(self, code: Code) -> bool:
        """Write the end of a block of statements."""
        if code.word(1):
            self.close(self.blocks.close(code.word(1)), code.line(0))
        return True

    def end_while(self, code: Code) -> bool:
        """Write the end of a loop as old code has it."""
        self.close(self.blocks.close("while"), code.line(0))
        return True

    def end_if(self, code: Code) -> bool:
        """Write the end of a condition that is one word."""
        self.close(self.blocks.close("if"), code.line(0))
        return True

    def call(self, code: Code) -> bool:
        """Write `Call M(…)`."""
        self._expression(code, 1)
        return True


_WRITERS: dict[str, Callable[[Statements, Code], bool]] = {
    "if": conditions.if_,
    "elseif": conditions.elseif,
    "else": conditions.else_,
    "select": conditions.select,
    "case": conditions.case,
    "for": loops.for_,
    "next": loops.next_,
    "while": loops.while_,
    "wend": Statements.end_while,
    "endif": Statements.end_if,
    "do": loops.do,
    "loop": loops.loop,
    "try": Statements.try_,
    "catch": Statements.catch,
    "finally": Statements.finally_,
    "using": Statements.using,
    "synclock": Statements.sync_lock,
    "with": Statements.with_,
    "dim": Statements.dim,
    "const": Statements.dim,
    "static": Statements.dim,
    "return": Statements.return_,
    "throw": Statements.return_,
    "yield": Statements.return_,
    "exit": Statements.exit_,
    "continue": Statements.exit_,
    "goto": Statements.ignored,
    "raiseevent": Statements.raise_event,
    "addhandler": Statements.handler,
    "removehandler": Statements.handler,
    "redim": Statements.redim,
    "end": Statements.end,
    "call": Statements.call,
    **dict.fromkeys(_IGNORED, Statements.ignored),
}
