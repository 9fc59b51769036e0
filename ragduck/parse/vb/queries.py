"""Write queries: `From x In xs Where … Select …`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragduck.parse.vb.names import begins_query, find_word, spelled

if TYPE_CHECKING:
    from ragduck.parse.vb.expressions import Code, Piece

_CLAUSES = frozenset(
    (
        "from",
        "where",
        "select",
        "order",
        "group",
        "join",
        "let",
        "skip",
        "take",
        "distinct",
        "aggregate",
        "into",
    )
)
_DIRECTIONS = frozenset(("ascending", "descending"))
_ON, _EQUALS, _BY, _IN = (frozenset((word,)) for word in ("on", "equals", "by", "in"))


def query(code: Code, at: int, high: int, out: list[Piece], depth: int) -> int:
    """Write a query up to the end of the brackets around it."""
    if not begins_query(code.tokens, at):
        return at
    _Query(code, depth=depth + 1).write(at, high, out)
    return high


class _Query:
    def __init__(self, code: Code, *, depth: int) -> None:
        self._code = code
        self._depth = depth
        self._range = ""
        self._is_selected = False

    def write(self, low: int, high: int, out: list[Piece]) -> None:
        """Write the clauses in order; those after the first `Select` are left out."""
        starts = self._starts(low, high)
        for start, end in zip(starts, [*starts[1:], high], strict=True):
            if self._is_selected:
                break
            self._clause(start, end, out)
        if not self._is_selected:
            out.append((self._code.line(high - 1), f"select {self._range}"))

    def _starts(self, low: int, high: int) -> list[int]:
        """Return where clauses begin; `Group Join` is one, as is `Group … By … Into`."""
        starts: list[int] = []
        at = low
        while 0 <= at < high:
            at = find_word(self._code.tokens, self._code.partners, at, high, _CLAUSES)
            if at < 0:
                break
            word = self._code.word(at)
            follows = starts and self._code.word(starts[-1]) == "group"
            if word != "into" and not (follows and word == "join" and starts[-1] == at - 1):
                starts.append(at)
            at += 1 if word != "into" else 2 + (self._code.word(at + 2) == "=") * 2
        return starts or [low]

    def _clause(self, start: int, end: int, out: list[Piece]) -> None:
        code, word = self._code, self._code.word(start)
        line = code.line(start)
        if word in ("from", "aggregate"):
            self._sources(start + 1, end, out)
        elif word == "where":
            out.extend(((line, "where"), *self._value(start + 1, end)))
        elif word == "order":
            self._order(start + 1, end, out)
        elif word == "select":
            self._select(start, end, out)
        elif word == "let":
            for first, last in code.parts(start + 1, end):
                name = spelled(code.tokens[first].text)
                code.names.declare(code.tokens[first].text, "")
                out.extend(((code.line(first), f"let {name} ="), *self._value(first + 2, last)))
        elif word == "join" or (word == "group" and code.word(start + 1) == "join"):
            self._join(start + 1 + (word == "group"), end, out)
        elif word == "group":
            self._group(start, end, out)

    def _value(self, low: int, high: int) -> list[Piece]:
        return self._code.expression(low, high, depth=self._depth) or [(self._code.line(low), "null")]

    def _sources(self, low: int, high: int, out: list[Piece]) -> None:
        code = self._code
        for first, last in code.parts(low, high):
            inside = find_word(code.tokens, code.partners, first, last, _IN)
            if inside < 0:
                continue
            name = code.tokens[first].text
            code.names.declare(name, "")
            self._range = self._range or spelled(name)
            typed = code.type_at(first + 2, inside)[0] + " " if code.word(first + 1) == "as" else ""
            out.append((code.line(first), f"from {typed}{spelled(name)} in"))
            out.extend(self._value(inside + 1, last))

    def _order(self, low: int, high: int, out: list[Piece]) -> None:
        code = self._code
        out.append((code.line(low), "orderby"))
        low += code.word(low) == "by"
        for position, (first, last) in enumerate(code.parts(low, high)):
            direction = code.word(last - 1) if code.word(last - 1) in _DIRECTIONS else ""
            if position:
                out.append((code.line(first), ","))
            out.extend(self._value(first, last - bool(direction)))
            if direction:
                out.append((code.line(last - 1), direction))

    def _select(self, start: int, end: int, out: list[Piece]) -> None:
        code = self._code
        parts = code.parts(start + 1, end)
        self._is_selected = True
        is_one = len(parts) == 1 and code.word(parts[0][0] + 1) != "="
        if not parts:
            out.append((code.line(start), f"select {self._range}"))
        elif is_one:
            out.extend(((code.line(start), "select"), *self._value(start + 1, end)))
        else:
            out.append((code.line(start), "select new {"))
            for position, (first, last) in enumerate(parts):
                if position:
                    out.append((code.line(first), ","))
                if code.word(first + 1) == "=":
                    out.append((code.line(first), f"{spelled(code.tokens[first].text)} ="))
                    first += 2
                out.extend(self._value(first, last))
            out.append((code.line(end - 1), "}"))

    def _join(self, low: int, high: int, out: list[Piece]) -> None:
        code = self._code
        inside = find_word(code.tokens, code.partners, low, high, _IN)
        on = find_word(code.tokens, code.partners, low, high, _ON)
        equals = find_word(code.tokens, code.partners, low, high, _EQUALS)
        if not low < inside < on < equals:
            return
        end = find_word(code.tokens, code.partners, equals, high, frozenset(("and", "into")))
        name = code.tokens[low].text
        code.names.declare(name, "")
        out.append((code.line(low), f"join {spelled(name)} in"))
        out.extend(self._value(inside + 1, on))
        out.extend(((code.line(on), "on"), *self._value(on + 1, equals)))
        out.extend(((code.line(equals), "equals"), *self._value(equals + 1, end if end > 0 else high)))
        into = find_word(code.tokens, code.partners, equals, high, frozenset(("into",)))
        if into > 0 and into + 1 < high:
            name = code.tokens[into + 1].text
            code.names.declare(name, "")
            out.append((code.line(into), f"into {spelled(name)}"))

    def _group(self, start: int, end: int, out: list[Piece]) -> None:
        code = self._code
        by = find_word(code.tokens, code.partners, start, end, _BY)
        into = find_word(code.tokens, code.partners, start, end, frozenset(("into",)))
        if by < 0 or into < 0:
            return
        grouped = self._value(start + 1, by) if by > start + 1 else [(code.line(start), self._range)]
        key = code.parts(by + 1, into)[0] if by + 1 < into else (by, by)
        named = code.word(key[0] + 1) == "="
        name = spelled(code.tokens[into + 1].text) if into + 1 < end else "grouped"
        out.extend(((code.line(start), "group"), *grouped, (code.line(by), "by")))
        out.extend(self._value(key[0] + 2 * named, key[1]))
        out.append((code.line(into), f"into {name}"))
        code.names.declare(name.lstrip("@"), "")
        if named:
            label = code.tokens[key[0]].text
            code.names.declare(label, "")
            out.append((code.line(into), f"let {spelled(label)} = {name}.Key"))
        self._range = name
