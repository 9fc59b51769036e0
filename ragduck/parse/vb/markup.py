"""Write the Visual Basic of markup as C#: blocks that belong together, though text stands between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragduck.parse.vb.blocks import LAMBDA, METHOD, Block, Blocks
from ragduck.parse.vb.lines import LogicalLine, logical_lines
from ragduck.parse.vb.names import Names
from ragduck.parse.vb.statements import Statements
from ragduck.parse.vb.tokens import COMMENT, END, tokens_of
from ragduck.parse.vb.writer import Writer


def blocks_in_csharp(blocks: Iterable[tuple[bool, str]]) -> Iterator[str]:
    """Yield each block in C#, of as many lines; with a block goes whether it is a value that is shown."""
    opened = Blocks()
    opened.push(Block(METHOD, "sub"))
    statements = Statements(Writer(), opened, Names())
    for is_shown, text in blocks:
        statements.writer = Writer()
        if is_shown:
            tokens = [token for token in tokens_of(text) if token.kind not in (COMMENT, END)]
            statements.writer.put_all(statements.code(tokens).expression(0, len(tokens)))
        else:
            for line in logical_lines(tokens_of(text)):
                _write(line, statements, opened)
        yield statements.writer.text(text.count("\n") + 1)


def _write(line: LogicalLine, statements: Statements, opened: Blocks) -> None:
    tokens = line.tokens
    words = [token.word for token in tokens[:2]]
    ends_lambda = words[:1] == ["end"] and words[-1] in ("sub", "function")
    if ends_lambda and any(block.kind == LAMBDA for block in opened.open):
        statements.end_lambda(tokens, opens_lambda=line.opens_lambda)
    elif tokens:
        statements.write_line(tokens, opens_lambda=line.opens_lambda)
