"""Read the attributes that a tag of Razor has, with the C# in their values."""

from __future__ import annotations

import re
from collections.abc import Iterator

MAX_VALUE = 10_000  # characters of one value
MAX_FAILURES = 50  # brackets without end before no more attributes are read

_BLANK = re.compile(r"\s*+")
_NAME = re.compile(r"@?[\w-][\w:.-]*+")
_EQUALS = re.compile(r"\s*+=\s*+")
_BARE = re.compile(r"""[^\s@<>"'=]++""")
_WORD = re.compile(r"(?:\.?[^\W\d]\w*+)++")
_OPENING = "(["
_INTERPOLATED = re.compile(r'@\(\s*+\$"(?P<text>[^"\\]{0,500}+)"\s*+\)')
_HOLE = re.compile(r"\{[^{}]*+\}")
_CODE = re.compile(r"@(?:\([^()]*+\)|[^\W\d][\w.]*+)")
_ADDRESS = re.compile(r"/?[^\s/:@(){}\[\]<>\"'\\]++(?:/(?:\{\}|[^\s/:@(){}\[\]<>\"'\\])*+)*+")
_BRACKET = re.compile(
    r"""(?:@\$?|\$@)"(?:[^"]|"")*+"?+"""  # one without an end has all the rest, or is read from each quote in it
    r"""|\$?"(?:\\.|[^"\\\n])*+"?+"""
    r"""|'(?:\\[^\n][^'\n]{0,8}|[^'\\\n])'|(?P<opening>[(\[{])|(?P<closing>[)\]}])"""
)


class TagAttributes:
    """Go through the tags of a text in order; what stands in a value of one is no tag with attributes of its own."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._failures = 0

    def read(self, start: int) -> Iterator[tuple[str, int, str]]:
        """Yield names with their offsets and values, up to the end of the tag whose own name ends at ``start``.

        A value is given without its quotes. What cannot be told from code ends them.
        """
        if start < self._position or self._failures >= MAX_FAILURES:
            return
        self._position = start
        while True:
            self._skip(_BLANK)
            match = _NAME.match(self._text, self._position)
            if match is None:
                return
            self._position = match.end()
            if not self._skip(_EQUALS):
                yield match[0], match.start(), ""
                continue
            begun = self._position
            is_whole = self._value()
            value = self._text[begun : self._position].strip("\"'") if is_whole else ""
            yield match[0], match.start(), value
            if not is_whole:
                self._failures += 1
                return

    def _skip(self, pattern: re.Pattern[str]) -> bool:
        match = pattern.match(self._text, self._position)
        if match is None:
            return False
        self._position = match.end()
        return True

    def _value(self) -> bool:
        """Go to the end of a value; False where it has none."""
        quote = self._text[self._position : self._position + 1]
        if quote not in ('"', "'"):
            return self._code() if quote == "@" else self._skip(_BARE)
        self._position += 1
        limit = self._position + MAX_VALUE
        while self._position < limit:
            end = self._text.find(quote, self._position, limit)
            sign = self._text.find("@", self._position, max(end, 0))
            if end < 0:
                return False
            if sign < 0:
                self._position = end + 1
                return True
            self._position = sign
            if not self._code():
                return False
        return False

    def _code(self) -> bool:
        """Go to the end of `@name.member[…](…)` or `@(…)`; a sign before anything else is text."""
        self._position += 1
        is_code = self._text[self._position : self._position + 1] == "(" or self._skip(_WORD)
        while is_code and self._text[self._position : self._position + 1] in tuple(_OPENING):
            if not self._bracket():
                return False
            self._skip(_WORD)
        return True

    def _bracket(self) -> bool:
        depth = 0
        limit = self._position + MAX_VALUE
        for match in _BRACKET.finditer(self._text, self._position, limit):
            depth += bool(match["opening"]) - bool(match["closing"])
            if depth == 0 and match["closing"]:
                self._position = match.end()
                return True
        return False


def address_in(value: str) -> str:
    """Return the path of one's own that an address begins with, `{}` for code in it; empty where that is not told."""
    interpolated = _INTERPOLATED.fullmatch(value.strip())
    text = (
        _HOLE.sub("{}", interpolated["text"]) if interpolated is not None else _CODE.sub("{}", value.strip())
    )
    path = re.split(r"[?#]", text, maxsplit=1)[0]
    return path if _ADDRESS.fullmatch(path) else ""
