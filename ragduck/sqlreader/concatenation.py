"""Read an expression that puts text together: literals, variables, CASE, and the functions that pass text on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from ragduck.sqlreader.definitions import word, words
from ragduck.sqlreader.names import HOLE
from ragduck.sqlreader.tokens import NAME, NUMBER, PUNCTUATION, STRING, VARIABLE, WORD, Token

_MAX_DEPTH = 20  # of parentheses
_MAX_CHOICES = 8
_MAX_REPLACED = 32_000  # characters in which something is replaced: each REPLACE may make many of one
_MAX_DIGITS = 6
_AFTER_TEXT = 7  # tokens of `, 1, 2, '')`
_FORMAT = re.compile(r"%[-+0# ]{0,3}\d{0,3}[sdiuxXo]")  # of FORMATMESSAGE
_CALL = re.compile(r"[\s;]*+exec", re.IGNORECASE)
_ENDS = words(
    "FROM WHERE SELECT SET EXEC EXECUTE DECLARE INSERT UPDATE DELETE IF ELSE BEGIN END PRINT AT RETURN WHEN THEN AS"
    " WHILE WITH ORDER OPTION"
)
_SPACES = {"9": " ", "10": "\n", "13": "\n", "32": " ", "39": "'"}
_PASSED_ON = {
    "CAST": 0,
    "TRY_CAST": 0,
    "CONVERT": 1,
    "TRY_CONVERT": 1,
    **dict.fromkeys(("LTRIM", "RTRIM", "TRIM", "UPPER", "LOWER"), 0),
}  # which argument is the result, as far as SQL can tell


class Piece(NamedTuple):
    """A stretch of the text; a hole where it is not known. ``choices`` are what may stand here instead.

    ``parameter`` is that of the procedure whose value is the hole.
    """

    text: str
    line: int
    choices: tuple[tuple[Piece, ...], ...] = ()
    parameter: str = ""


def read_concatenation(
    tokens: Sequence[Token], at: int, end: int, *, known: Callable[[Token], Sequence[Piece]]
) -> list[Piece]:
    """Return the pieces of the expression at a position; ``known`` tells what a variable holds, if anything."""
    return _Reader(tokens, at, end, known).read(0)


def spelled_out(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, ...]]:
    """Yield the texts that pieces may be; choices that are made at several places go along with each other."""
    for number in range(max((len(piece.choices) for piece in pieces), default=0) or 1):
        yield tuple(_chosen(pieces, number))


def unquoted(text: str) -> str:
    """Return what a string literal says."""
    if text.startswith("$"):
        mark = text[: text.index("$", 1) + 1]
        return text[len(mark) :].removesuffix(mark)
    quoted = text[text.index("'") + 1 :].removesuffix("'")
    return quoted.replace("''", "'")


def says_something(pieces: Iterable[Piece]) -> bool:
    """Tell whether any of the text is known."""
    return any(piece.choices or (piece.text != HOLE and piece.text.strip()) for piece in pieces)


def size_of(pieces: Iterable[Piece]) -> int:
    """Count pieces, those of choices too."""
    return sum(1 + sum(map(len, piece.choices)) for piece in pieces)


def _chosen(pieces: Iterable[Piece], number: int) -> Iterator[Piece]:
    for piece in pieces:
        if piece.choices:
            yield from piece.choices[min(number, len(piece.choices) - 1)]
        else:
            yield piece


class _Reader:
    """The state of one walk over an expression; it never goes back."""

    def __init__(
        self, tokens: Sequence[Token], at: int, end: int, known: Callable[[Token], Sequence[Piece]]
    ) -> None:
        self.tokens = tokens
        self.at, self.end = at, end
        self.known = known

    def read(self, depth: int) -> list[Piece]:
        """Read operands that `+` joins."""
        pieces: list[Piece] = []
        while True:
            for piece in self.operand(depth):
                if piece.text != HOLE or not pieces or pieces[-1].text != HOLE:
                    pieces.append(piece)
            if self.text() != "+":
                return pieces
            self.at += 1

    def text(self) -> str:
        return self.tokens[self.at].text.upper() if self.at < self.end else ""

    def is_end(self) -> bool:
        """Tell whether an operand cannot go on here."""
        text = self.text()
        return not text or text in ("+", ",", ")", ";") or word(self.tokens, self.at) in _ENDS

    def operand(self, depth: int) -> Sequence[Piece]:
        line = self.tokens[min(self.at, len(self.tokens) - 1)].line
        found = self.primary(depth)
        is_more = False
        self.leave_clauses()
        while not self.is_end():
            is_more = is_more or self.text() != "COLLATE"
            if self.text() == "(":
                self.leave_group()
            else:
                self.at += 2 if self.text() == "COLLATE" else 1
        return [Piece(HOLE, line)] if is_more else found

    def primary(self, depth: int) -> Sequence[Piece]:
        if self.at >= self.end:
            return []
        token = self.tokens[self.at]
        hole = [Piece(HOLE, token.line)]
        if token.kind == STRING:
            self.at += 1
            return [Piece(unquoted(token.text), token.line)]
        if token.kind == VARIABLE:
            self.at += 1
            return self.known(token) or hole
        if depth >= _MAX_DEPTH:
            self.leave_group()
            return hole
        if token.text == "(" and token.kind == PUNCTUATION:
            return self.group(depth) or hole
        if word(self.tokens, self.at) == "CASE":
            return self.case(depth)
        if token.kind in (WORD, NAME) and not self.is_end():
            self.at += 1
            return self.call(token, depth) if self.text() == "(" else hole
        self.at += not self.is_end()
        return hole

    def leave_clauses(self) -> None:
        """Go on behind `.value(…)` of a query that makes XML, and `WITHIN GROUP (…)` of STRING_AGG."""
        words = [word(self.tokens, self.at + place) for place in range(2)] if self.at < self.end else []
        is_value = self.text() == "." and words[1] == "VALUE"
        if (is_value or words == ["WITHIN", "GROUP"]) and self.tokens[self.at - 1].text == ")":
            self.at += 2
            self.leave_group()

    def group(self, depth: int) -> list[Piece] | None:
        """Read a parenthesis; None where it is no expression that puts text together."""
        self.at += 1
        if word(self.tokens, self.at) == "SELECT":
            return self.query(depth)
        found = self.read(depth + 1)
        is_whole = self.text() == ")"
        self.leave_group(is_inside=True)
        return found if is_whole else None

    def query(self, depth: int) -> list[Piece]:
        """Read what the first column of a query says for one row; `FOR XML PATH('')` puts those of all together."""
        self.at += 1
        while word(self.tokens, self.at) in ("TOP", "DISTINCT", "ALL"):
            is_top = word(self.tokens, self.at) == "TOP"
            self.at += 1
            if is_top and self.text() == "(":
                self.leave_group()
            else:
                self.at += is_top
        is_named = self.at + 1 < self.end and self.tokens[self.at + 1].text == "="
        self.at += 2 if is_named and self.tokens[self.at].kind in (WORD, NAME) else 0
        found = self.read(depth + 1)
        self.leave_group(is_inside=True)
        return _row(found)

    def leave_group(self, *, is_inside: bool = False) -> None:
        """Go on behind the parenthesis that is open, or that opens here."""
        depth = 1 if is_inside else 0
        while self.at < self.end:
            text = self.tokens[self.at].text
            depth += (text == "(") - (text == ")")
            self.at += 1
            if depth <= 0:
                return

    def arguments(self, depth: int) -> list[list[Piece]]:
        """Read the arguments of a call, from its parenthesis to behind it."""
        self.at += 1
        found: list[list[Piece]] = []
        while self.at < self.end:
            found.append(self.read(depth + 1))
            while self.text() not in ("", ",", ")"):
                if self.text() == "(":
                    self.leave_group()
                else:
                    self.at += 1
            is_last = self.text() != ","
            self.at += self.at < self.end
            if is_last:
                break
        return found

    def call(self, function: Token, depth: int) -> Sequence[Piece]:
        """Read a call of a built-in function; what others return is not known."""
        name, first, line = function.text.upper(), self.at + 1, function.line
        arguments = self.arguments(depth)
        if name in _PASSED_ON and len(arguments) > _PASSED_ON[name]:
            return arguments[_PASSED_ON[name]]
        if name == "CONCAT":
            return [piece for argument in arguments for piece in argument]
        if name == "CONCAT_WS" and arguments:
            return _joined(arguments[0], arguments[1:])
        if name == "STRING_AGG" and arguments:
            return _row(arguments[0])
        if name == "STUFF" and arguments:
            return _without_front(arguments[0], self.tokens[max(first, self.at - _AFTER_TEXT) : self.at])
        if name == "FORMATMESSAGE" and arguments:
            return [piece._replace(text=_FORMAT.sub(HOLE, piece.text)) for piece in arguments[0]]
        if name in ("IIF", "CHOOSE"):
            return _choice(arguments[1:], line)
        if name in ("ISNULL", "COALESCE"):
            return next(filter(says_something, arguments), [Piece(HOLE, line)])
        if name == "REPLACE" and len(arguments) == 3:
            return _replaced(*arguments)
        if name in ("CHAR", "NCHAR") and first < self.end and self.tokens[first].kind == NUMBER:
            return [Piece(_SPACES.get(self.tokens[first].text, HOLE), line)]
        if name == "QUOTENAME" and arguments and _is_literal(arguments[0]):
            return [Piece(f"[{arguments[0][0].text}]", line)]
        return [Piece(HOLE, line)]

    def case(self, depth: int) -> Sequence[Piece]:
        line, options = self.tokens[self.at].line, []
        self.at += 1
        while self.at < self.end and self.text() != ";":
            keyword = word(self.tokens, self.at)
            if keyword == "CASE":
                self.case(depth + 1) if depth < _MAX_DEPTH else self.leave_group()
            elif self.text() == "(":
                self.leave_group()
            else:
                self.at += 1
            if keyword == "END":
                break
            if keyword in ("THEN", "ELSE"):
                options.append(self.read(depth + 1))
        return _choice(options, line)


def _choice(options: Sequence[Sequence[Piece]], line: int) -> Sequence[Piece]:
    """Put options in one piece, none of which has choices; an empty one counts only beside parts of names."""
    texts = chain.from_iterable(map(spelled_out, options))
    telling = list(dict.fromkeys(text for text in texts if says_something(text)))
    if not telling:
        return [Piece(HOLE, line)]
    is_part = all(_is_literal(option) and option[0].text.split() == [option[0].text] for option in telling)
    if is_part and len(telling) < len(options):
        telling.append(())
    return telling[0] if len(telling) == 1 else [Piece("", line, tuple(telling[:_MAX_CHOICES]))]


def _joined(separator: Sequence[Piece], parts: Sequence[Sequence[Piece]]) -> Sequence[Piece]:
    """Put a separator between parts; one of many pieces is not known, as it would be there as often as all parts."""
    if len(separator) > 1:
        separator = [Piece(HOLE, separator[0].line)]
    return [piece for at, part in enumerate(parts) for piece in chain(separator if at else (), part)]


def _row(text: list[Piece]) -> list[Piece]:
    """Return what one row says; a text that ends with a hole has to be a call: what follows is no part of a name."""
    is_call = bool(text) and _CALL.match(text[0].text) is not None
    return text if is_call or not text or text[-1].text != HOLE else [Piece(HOLE, text[0].line)]


def _without_front(text: Sequence[Piece], rest: Sequence[Token]) -> Sequence[Piece]:
    """Take the separator before the first row off, where `, 1, 2, '')` follows a text; nothing is known otherwise."""
    marks = [token.text for token in rest[::2]]
    is_front = len(rest) == _AFTER_TEXT and marks == [",", ",", ",", ")"] and rest[1].text == "1"
    if not is_front or rest[3].kind != NUMBER or rest[5].kind != STRING or not text:
        return [Piece(HOLE, text[0].line)] if text else []
    count = int(rest[3].text) if rest[3].text.isdecimal() and len(rest[3].text) < _MAX_DIGITS else 0
    first = text[0]
    if len(first.text) < count or first.choices or first.text == HOLE:
        return [Piece(HOLE, first.line), *text[1:]]
    return [first._replace(text=unquoted(rest[5].text) + first.text[count:]), *text[1:]]


def _is_literal(pieces: Sequence[Piece]) -> bool:
    return len(pieces) == 1 and not pieces[0].choices and pieces[0].text != HOLE


def _replaced(text: Sequence[Piece], old: Sequence[Piece], new: Sequence[Piece]) -> Sequence[Piece]:
    """Replace in all pieces and choices, unless what is there before or after is too long for that."""
    if not (_is_literal(old) and old[0].text):
        return text
    before, after = old[0].text, new[0].text if _is_literal(new) else HOLE
    growth = max(len(after) - len(before), 0)
    size = 0
    for piece in chain(text, *chain.from_iterable(piece.choices for piece in text)):
        size += len(piece.text)
        if size > _MAX_REPLACED:
            break
        size += piece.text.count(before) * growth
    if size > _MAX_REPLACED:
        return [Piece(HOLE, text[0].line)]
    return [_put_in(piece, before, after) for piece in text]


def _put_in(piece: Piece, old: str, new: str) -> Piece:
    choices = tuple(tuple(_put_in(one, old, new) for one in option) for option in piece.choices)
    return piece._replace(text=piece.text.replace(old, new), choices=choices)
