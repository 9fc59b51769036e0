"""Put tokens together to logical lines, which end where Visual Basic lets a statement end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ragduck.parse.vb.tokens import COMMENT, DIRECTIVE, END, MARK, WORD, Token

LEAST_OF_QUERY = 3  # words
MAX_BETWEEN = 200  # comments and blank lines within a statement
_GOES_ON = frozenset(
    (
        *(
            "(",
            "{",
            ",",
            ".",
            "&",
            "+",
            "-",
            "*",
            "/",
            "\\",
            "^",
            "=",
            "<",
            ">",
            "<=",
            ">=",
            "<>",
            ":=",
            "?.",
        ),
        *("+=", "-=", "*=", "/=", "\\=", "^=", "&=", "<<", ">>"),
        *("and", "andalso", "or", "orelse", "xor", "mod", "is", "isnot", "like", "not", "of", "in", "as"),
        *("with", "from", "aggregate", "addressof", "to"),
    )
)
_OPENING, _CLOSING = frozenset("({"), frozenset(")}")
_QUERY = frozenset(
    (
        "where",
        "select",
        "order",
        "group",
        "join",
        "let",
        "skip",
        "take",
        "distinct",
        "into",
        "on",
        "from",
        "aggregate",
    )
)
_FUNCTIONS = frozenset(("sub", "function"))
_BEFORE_LAMBDA = frozenset(
    (
        "=",
        "(",
        ",",
        "{",
        ":=",
        "return",
        "async",
        "iterator",
        "&",
        "+=",
        "addhandler",
        "(of",
        "then",
        "else",
        "if",
    )
)
_DECLARES = frozenset(
    ("public", "private", "protected", "friend", "overrides", "shared", "namespace", "imports")
)
_ENDED = frozenset(
    (
        "sub",
        "function",
        "class",
        "module",
        "structure",
        "property",
        "get",
        "set",
        "namespace",
        "interface",
        "enum",
    )
)


@dataclass(slots=True)
class LogicalLine:
    """The tokens of a line that may hold several statements, without comments.

    ``last`` is the line on which it ends. ``opens_lambda`` says that it ends with the head of a lambda whose
    statements follow, ``is_comment`` that there is nothing else on it.
    """

    tokens: list[Token] = field(default_factory=list)
    last: int = 0
    opens_lambda: bool = False
    is_comment: bool = False
    directive: str = ""


def logical_lines(tokens: Iterable[Token]) -> Iterator[LogicalLine]:
    """Yield the lines of a file in order."""
    return _Joiner(list(tokens)).lines()


class _Joiner:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._depths: list[int] = []  # of brackets around the lambdas that are open

    def lines(self) -> Iterator[LogicalLine]:
        line, depth, has_query, lambda_at = LogicalLine(), 0, False, -1
        lambda_depth = 0
        for position, token in enumerate(self._tokens):
            held = line.tokens
            if token.kind == COMMENT:
                line.is_comment = not held
                continue
            if token.kind == DIRECTIVE:
                if not held:
                    line.directive = token.text
                continue
            if token.kind != END:
                held.append(token)
                if token.kind == MARK and token.text in _OPENING:
                    depth += 1
                elif token.kind == MARK and token.text in _CLOSING:
                    depth = max(depth - 1, 0)
                elif token.kind == WORD and token.word in _FUNCTIONS and self._is_lambda(held):
                    lambda_at, lambda_depth = len(held) - 1, depth
                elif token.word in ("in", "as") and _begins_query(held):
                    has_query = True
                if len(held) == 2 and self._depths and held[0].word == "end" and token.word in _FUNCTIONS:
                    depth = self._depths.pop()
                continue
            opens = lambda_at >= 0 and depth == lambda_depth and _is_head(held, lambda_at)
            # `With` goes on, `End With` does not, nor does a member that is called as what goes on
            is_end = len(held) > 1 and held[-2].word in ("end", ".", "?.", "!") and held[-1].kind == WORD
            last = held[-1] if held and not is_end else token
            if held and not opens and self._goes_on(position, last, depth=depth, has_query=has_query):
                continue
            line.last, line.opens_lambda = token.line, opens
            if opens:
                self._depths.append(depth)
            if held or line.is_comment or line.directive:
                yield line
            line, depth, has_query, lambda_at = LogicalLine(), 0, False, -1
        if line.tokens:
            line.last = line.tokens[-1].line
            yield line

    @staticmethod
    def _is_lambda(held: list[Token]) -> bool:
        return len(held) > 1 and held[-2].word in _BEFORE_LAMBDA

    def _goes_on(self, position: int, last: Token, *, depth: int, has_query: bool) -> bool:
        at = self._next(position, passes_blanks=depth > 0)
        if at < 0:
            return False
        following = self._tokens[at]
        if depth:
            return not self._begins_declaration(position)
        if last.word in _GOES_ON:
            return not self._begins_declaration(position) or last.word in (">", ",")
        return (has_query and self._is_clause(at)) or following.word in (")", "}")

    def _is_clause(self, at: int) -> bool:
        """Say whether a line goes on with a query: `Select Case` and `On Error` are statements."""
        two = tuple(token.word for token in self._tokens[at : at + 2])
        return two[0] in _QUERY and two not in (("select", "case"), ("on", "error"))

    def _next(self, position: int, *, passes_blanks: bool) -> int:
        """Return where the first token on one of the next lines stands that is no comment; -1 for none."""
        tokens = self._tokens
        for at in range(position + 1, min(position + 1 + MAX_BETWEEN, len(tokens))):
            token = tokens[at]
            if token.kind == COMMENT or (
                token.kind == END and (passes_blanks or tokens[at - 1].kind == COMMENT)
            ):
                continue
            return -1 if token.kind == END else at
        return -1

    def _begins_declaration(self, position: int) -> bool:
        """Say whether what follows cannot be within brackets: one was not closed."""
        first = self._tokens[position + 1]
        second = self._tokens[position + 2] if position + 2 < len(self._tokens) else first
        if first.kind != WORD:
            return False
        return first.word in _DECLARES or (first.word == "end" and second.word in _ENDED)


def _begins_query(held: list[Token]) -> bool:
    """Say whether a query begins: with `From order In` or `Aggregate order As`."""
    if len(held) < LEAST_OF_QUERY or held[-3].word not in ("from", "aggregate"):
        return False
    return len(held) == LEAST_OF_QUERY or held[-4].word not in (".", "?.")


def _is_head(held: list[Token], start: int) -> bool:
    """Say whether nothing follows the parameters of a lambda but its type."""
    depth = 0
    for position in range(start + 1, len(held)):
        token = held[position]
        if token.kind == MARK and token.text in "({":
            depth += 1
        elif token.kind == MARK and token.text in ")}":
            depth -= 1
            if depth < 0:
                return False
        elif not depth:
            return token.word == "as"
    return depth == 0 and len(held) > start + 1
