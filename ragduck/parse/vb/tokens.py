"""Take Visual Basic apart into words, marks, literals and ends of lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

WORD, ESCAPED, NUMBER, MARK = "word", "escaped", "number", "mark"
STRING, CHARACTER, INTERPOLATED, DATE, XML = "string", "character", "interpolated", "date", "xml"
COMMENT, DIRECTIVE, END = "comment", "directive", "end"
LITERALS = frozenset((NUMBER, STRING, CHARACTER, INTERPOLATED, DATE, XML))

MAX_FAILURES = 50  # elements without end before none is looked for any more
MAX_STRING = 100_000  # characters; a longer one is a quote that is not closed

_TOKEN = re.compile(
    r"""(?P<space>[ \t\f\v\u00a0\u3000\ufeff]++)
      |(?P<continued>_[ \t]*+(?:'[^\n]*+)?(?:\n|\Z))
      |(?P<end>\n)
      |(?P<comment>(?:['\u2018\u2019]|[Rr][Ee][Mm]\b(?=\s|\Z))[^\n]*+)
      |(?P<interpolated>\$["\u201c\u201d])
      |(?P<string>["\u201c\u201d](?:[^"\u201c\u201d\n]|["\u201c\u201d]{2})*+["\u201c\u201d])
      |(?P<quote>["\u201c\u201d])
      |(?P<date>\#[ ]?\d[\d/:\- APMapm]{0,40}\#)
      |(?P<number>&[Hh][\dA-Fa-f_]++|&[Oo][0-7_]++|&[Bb][01_]++
        |(?:\d[\d_]*+(?:\.\d++)?|\.\d++)(?:[eE][+-]?\d++)?)(?:[uU]?[sSiIlL]|[dDfFrR%@!\#])?+
      |(?P<escaped>\[[^\W\d](?:\w|[^\x00-\x7f\s\u2018\u2019\u201c\u201d])*+\])
      |(?P<word>[^\W\d](?:\w|[^\x00-\x7f\s\u2018\u2019\u201c\u201d])*+[$%]?|_\w++)
      |(?P<mark>:=|<>|<=|>=|=>|<<=|>>=|<<|[+\-*/\\^&]=|\?\.|.)""",
    re.VERBOSE,
)
_QUOTES = re.compile('["\u201c\u201d]')
_REST_OF_STRING = re.compile('(?:[^"\u201c\u201d]|["\u201c\u201d]{2})*+["\u201c\u201d]')
_TAG = re.compile(r"<([A-Za-z_][\w.:-]*+)(?=[\s>/])([^<>]*+)>|<!\[CDATA\[")
_SPECIAL = frozenset(("#", "<", "<>"))  # marks that may begin something longer
_BEFORE_XML = frozenset(("=", "(", ",", "&", "return", "in", "{", "select", ":="))


class Token(NamedTuple):
    """A piece of source: ``word`` is its text in lower case where that is a word or mark, else empty."""

    kind: str
    text: str
    line: int
    word: str = ""


def tokens_of(text: str) -> Iterator[Token]:
    """Yield the tokens of a text; ends of lines that go on are left out, comments are not."""
    return _Tokenizer(text).tokens()


class _Tokenizer:
    def __init__(self, text: str) -> None:
        self._text = text
        self._line = 1
        self._failures = 0

    def tokens(self) -> Iterator[Token]:
        """Yield them in order; each is matched where the one before ended."""
        position, before, is_first = 0, "", True
        text, match_at = self._text, _TOKEN.match
        while match := match_at(text, position):
            kind = match.lastgroup or ""
            if kind == "space":
                position = match.end()
                continue
            written = match[0]
            if kind == "word":
                word = written.rstrip("$%")
                before, is_first, position = word.lower(), False, match.end()
                yield Token(WORD, word, self._line, before)
                continue
            if kind == "mark" and written not in _SPECIAL:
                before, is_first, position = written, False, match.end()
                yield Token(MARK, written, self._line, written)
                continue
            token, position = self._token(kind, match, before=before, is_first=is_first)
            if token is not None:
                yield token
                before = token.word or token.kind
                is_first = token.kind == END
        yield Token(END, "", self._line)

    def _token(
        self, kind: str, match: re.Match[str], *, before: str, is_first: bool
    ) -> tuple[Token | None, int]:
        text, line, end = match[0], self._line, match.end()
        if kind == "end":
            self._line += 1
            return Token(END, "", line), end
        if kind == "continued":
            self._line += 1
            return None, end
        if kind in ("quote", "interpolated"):
            end = self._end_of_quote(match) if kind == "quote" else self._end_of_interpolated(end)
            return self._literal(STRING if kind == "quote" else INTERPOLATED, match.start(), end)
        if kind == "string":
            return self._literal(STRING, match.start(), end)
        if kind == "mark":
            return self._mark(match, before=before, is_first=is_first)
        if kind == "escaped":
            return Token(ESCAPED, text[1:-1], line), end
        return Token(kind, text, line), end

    def _mark(self, match: re.Match[str], *, before: str, is_first: bool) -> tuple[Token, int]:
        text, start = match[0], match.start()
        if text == "#" and is_first:
            stop = self._text.find("\n", start)
            stop = len(self._text) if stop < 0 else stop
            return Token(DIRECTIVE, self._text[start:stop], self._line), stop
        if text in ("<", "<>") and before in _BEFORE_XML and self._failures < MAX_FAILURES:
            end = self._end_of_xml(start)
            if end:
                token, end = self._literal(XML, start, end)
                return token, end
        return Token(MARK, text, self._line, text), match.end()

    def _literal(self, kind: str, start: int, end: int) -> tuple[Token, int]:
        text = self._text[start:end]
        if kind == STRING and self._text[end : end + 1] in ("c", "C"):
            after = self._text[end + 1 : end + 2]
            if not (after.isalnum() or after == "_"):
                kind, end = CHARACTER, end + 1
        token = Token(kind, text, self._line)
        self._line += text.count("\n")
        return token, end

    def _end_of_quote(self, match: re.Match[str]) -> int:
        """Find the end of a string over several lines; one that does not end stops with its line."""
        rest = _REST_OF_STRING.match(self._text, match.end(), match.end() + MAX_STRING)
        if rest is not None and self._failures < MAX_FAILURES:
            return rest.end()
        self._failures += 1
        return self._end_of_line(match.end())

    def _end_of_line(self, start: int) -> int:
        end = self._text.find("\n", start)
        return len(self._text) if end < 0 else end

    def _end_of_interpolated(self, start: int) -> int:
        """Find the end of `$"a {b("c")} d"`, whose holes may hold strings.

        Where many do not end, the others are only looked for within their lines.
        """
        depth, position, limit = 0, start, min(len(self._text), start + MAX_STRING)
        if self._failures >= MAX_FAILURES:
            limit = min(limit, self._end_of_line(start))
        while position < limit:
            character = self._text[position]
            if character in '"\u201c\u201d':
                if depth:
                    closing = _QUOTES.search(self._text, position + 1, limit)
                    position = closing.end() if closing else limit
                    continue
                if self._text[position + 1 : position + 2] not in ('"', "\u201c", "\u201d"):
                    return position + 1
                position += 1
            elif character == "{":
                if not depth and self._text[position + 1 : position + 2] == "{":
                    position += 1
                else:
                    depth += 1
            elif character == "}" and depth:
                depth -= 1
            position += 1
        self._failures += 1
        return self._end_of_line(start)

    def _end_of_xml(self, start: int) -> int:
        """Return where an element or CDATA ends that stands for a value; 0 where it is none."""
        tag = _TAG.match(self._text, start)
        if tag is None:
            return 0
        if tag[1] and tag[2].endswith("/"):
            return tag.end()
        closing = f"</{tag[1]}>" if tag[1] else "]]>"
        end = self._text.find(closing, tag.end(), tag.end() + MAX_STRING)
        if end < 0:
            self._failures += 1
            return 0
        return end + len(closing)
