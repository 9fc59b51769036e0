"""Cut SQL into tokens: one pass, linear in the length of the text, for any text at all.

White space is left out; every other character is in exactly one token. A string, quoted name or comment that
is never closed ends before the next ``GO`` line, or with the text, and is listed in ``Lexed.unclosed``.

Installers put owner and prefix of objects where scripts say ``{databaseOwner}{objectQualifier}Orders``. Such
placeholders are no part of names: that is read as the name ``[Orders]``, one that is all placeholders as ``[]``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ragduck.sqlreader.dialect import Dialect

COMMENT = "comment"
STRING = "string"
NAME = "name"  # quoted: [a], "a", `a`
WORD = "word"
VARIABLE = "variable"
TEMP = "temp"  # #local, ##global
NUMBER = "number"
PUNCTUATION = "punctuation"
GO = "go"
DELIMITER = "delimiter"  # MySQL, Firebird: the directive and the mark that it declares

_MAX_DELIMITERS = 4


class Token(NamedTuple):
    """A stretch of SQL; ``end`` is exclusive, ``line`` is the line of its first character."""

    kind: str
    text: str
    start: int
    end: int
    line: int

    @property
    def end_line(self) -> int:
        """Return the line of the last character."""
        return self.line + self.text.count("\n")


@dataclass(frozen=True, slots=True)
class Lexed:
    """All tokens of a text in order, and those among them that lack their closing mark."""

    tokens: list[Token]
    unclosed: list[Token]


# Possessive repeats (`*+`) never give back what they took, so no input makes a match more than linear.
_GO_LINE = r"^[ \t]*+[gG][oO](?:[ \t]++\d{1,9})?+(?=[ \t]*+;?[ \t]*+(?:--[^\n]*+)?$)"
_PLAIN = "{0}[^{0}]*+(?:{0}{0}[^{0}]*+)*+{0}?+"
_ESCAPED = r"{0}(?:[^{0}\\]++|{0}{0}|\\[\s\S]?+)*+{0}?+"
_BRACKETED = r"\[(?!\](?!\]))[^\]\n]{0,128}+(?:\]\][^\]\n]{0,128}+){0,20}+\]"  # names have 128 characters
_SIMPLE_COMMENT = r"/\*[^*/]*+(?:\*(?!/)[^*/]*+|/(?!\*)[^*/]*+)*+\*/"  # without another `/*` in it
_DIRECTIVES = {"mysql": r"^[ \t]*+(?i:delimiter)[ \t]++", "firebird": r"^[ \t]*+(?i:set[ \t]++term)[ \t]++"}
_NUMBER = r"0[xX][0-9a-fA-F]*+|(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][+-]?\d++)?+"

_PLACEHOLDER = r"\{[^\W\d]\w{0,63}+\}"
_PLACEHOLDERS = re.compile(_PLACEHOLDER)
_TEMPLATED = (
    rf"(?:{_PLACEHOLDER})++[\w$#@]++(?:{_PLACEHOLDER}|[\w$#@]++)*+"
    rf"|[^\W\d][\w$#@]*+(?:{_PLACEHOLDER}[\w$#@]*+)++"
    rf"|(?:{_PLACEHOLDER})++(?![\[\"`])"
)

_GO_SEARCH = re.compile(_GO_LINE, re.MULTILINE)
_COMMENT_MARK = re.compile(r"/\*|\*/")
_ESCAPE = re.compile(r"\\[\s\S]?")
_GIVEN_BACK = re.compile(r"\s*+(?:delimiter|set\s++term)\s++;(?!;)", re.IGNORECASE)
_DECLARED = {  # `DELIMITER //`; `SET TERM ^ ;` ends with the mark that is given up
    "mysql": re.compile(_DIRECTIVES["mysql"] + r"(\S{1,8})[ \t]*+$", re.MULTILINE),
    "firebird": re.compile(_DIRECTIVES["firebird"] + r"([^\w\s]{1,4}?)[ \t]*+;[ \t]*+$", re.MULTILINE),
}


def tokenize(text: str, *, dialect: Dialect = "tsql") -> Lexed:
    """Return the tokens of ``text``; never raises."""
    lexer = _Lexer(text, dialect)
    position = 0
    while position < len(text):
        position = lexer.run(position)
    return Lexed(lexer.tokens, lexer.unclosed)


@lru_cache(maxsize=64)
def _pattern(dialect: Dialect, delimiters: tuple[str, ...], *, is_template: bool) -> re.Pattern[str]:
    """Build the one pattern of a dialect; the first alternative that matches wins."""
    mysql = dialect == "mysql"
    directive = _DIRECTIVES.get(dialect)
    quoted = (_ESCAPED if mysql else _PLAIN).format
    hash_comment = r"|\#[^\n]*+" if mysql else ""
    marks = "".join(f"|{re.escape(mark)}" for mark in delimiters)
    parts = [
        f"(?P<go>{_GO_LINE})",
        f"(?P<delimiter>{directive}[^\\n]*+{marks})" if directive else "",
        rf"(?P<dollar>\$(?:[^\W\d]\w{{0,62}})?+\$)|(?P<escaped>[eE]{_ESCAPED.format(chr(39))})"
        if dialect == "postgresql"
        else "",
        f"(?P<string>[nNxXbB]?+{quoted(chr(39))})",
        rf"(?P<templated>{_TEMPLATED})|(?P<filler>(?:{_PLACEHOLDER})++)" if is_template else "",
        r"(?P<word>[^\W\d]%s|\$\(\w{1,128}\))" % (r"\w*+" if mysql else r"[\w$#@]*+"),
        f"(?P<name>{_BRACKETED}|{quoted(chr(34))}|{_PLAIN.format('`')})",
        f"(?P<comment>--[^\\n]*+|{_SIMPLE_COMMENT}{hash_comment})",
        r"(?P<opening>/\*)",
        r"(?P<variable>@[\w$#@]++)",
        r"(?P<temp>\#[\w$#@]++)",
        f"(?P<number>{_NUMBER})",
        r"(?P<punctuation>\S)",
    ]
    return re.compile("|".join(part for part in parts if part), re.MULTILINE)


def declares_mark(directive: Token) -> bool:
    """Say whether statements end with a mark of their own from a directive on, instead of with ``;``."""
    return _GIVEN_BACK.match(directive.text) is None


def is_templated(token: Token) -> bool:
    """Tell whether a name is written with placeholders."""
    return token.kind == NAME and token.end - token.start > len(token.text)


def _without_placeholders(text: str) -> str:
    """Return a quoted name without its placeholders; a name without quotes gets brackets."""
    name = _PLACEHOLDERS.sub("", text)
    return name if name[:1] in ('"', "`", "[") else f"[{name}]"


class _Lexer:
    """The state of one pass: where it is, and what it has learnt not to look for again."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self.text = text
        self.tokens: list[Token] = []
        self.unclosed: list[Token] = []
        self.line = 1
        self.counted = 0  # offset up to which `line` has counted line ends
        self.nests = dialect in ("tsql", "postgresql")
        self.comment_closes = True
        self.backslashes = dialect == "mysql"
        declared = _DECLARED[dialect].findall(text) if dialect in _DECLARED else []
        found = sorted(set(declared) - {";"}, key=len)
        self.is_template = "{" in text and _PLACEHOLDERS.search(text) is not None
        self.pattern = _pattern(
            dialect, tuple(reversed(found[:_MAX_DELIMITERS])), is_template=self.is_template
        )

    def run(self, position: int) -> int:
        """Take tokens until one needs a look beyond the pattern; return where to go on."""
        text, size = self.text, len(self.text)
        add = self.tokens.append
        line, counted, is_template = self.line, self.counted, self.is_template
        for match in self.pattern.finditer(text, position):
            start, end = match.span()
            line += text.count("\n", counted, start)
            counted = start
            kind = match.lastgroup or PUNCTUATION
            if kind in ("opening", "dollar") or (end == size and self.is_open(match)):
                self.line, self.counted = line, counted
                return self.take_long(match)
            if is_template and kind in ("templated", "filler", NAME):
                if kind != "filler":
                    add(Token(NAME, _without_placeholders(match[0]), start, end, line))
                continue
            add(Token(STRING if kind == "escaped" else kind, match[0], start, end, line))
        return size

    def take_long(self, match: re.Match[str]) -> int:
        """Add the token that ``match`` opens, closed or not; return its end."""
        kind = match.lastgroup
        if kind == "opening":
            end, kind = self.comment_end(match.start()), COMMENT
        elif kind == "dollar":
            end, kind = self.dollar_end(match), STRING
        else:
            end, kind = None, NAME if kind == NAME else STRING
        token = self.token(kind, match.start(), self.batch_end(match.start()) if end is None else end)
        if end is None:
            self.unclosed.append(token)
        return token.end

    def token(self, kind: str, start: int, end: int) -> Token:
        token = Token(kind, self.text[start:end], start, end, self.line)
        self.tokens.append(token)
        return token

    def batch_end(self, start: int) -> int:
        """Return where the next GO line begins, else the end of the text."""
        found = _GO_SEARCH.search(self.text, start)
        return found.start() if found else len(self.text)

    def dollar_end(self, match: re.Match[str]) -> int | None:
        found = self.text.find(match[0], match.end())
        return found + len(match[0]) if found >= 0 else None

    def comment_end(self, start: int) -> int | None:
        """Find the end of a nested comment; in a text where nesting does not work out, the first end mark."""
        if self.nests:
            depth = 0
            for mark in _COMMENT_MARK.finditer(self.text, start):
                depth += 1 if mark[0] == "/*" else -1
                if depth == 0:
                    return mark.end()
            self.nests = False  # not to be tried again: once per comment would be quadratic
        found = self.text.find("*/", start + 2) if self.comment_closes else -1
        self.comment_closes = found >= 0
        return found + 2 if found >= 0 else None

    def is_open(self, match: re.Match[str]) -> bool:
        """Tell whether a quoted token that reaches the end of the text lacks its closing mark."""
        kind, text = match.lastgroup, match[0]
        quote = "'" if kind in (STRING, "escaped") else text[0]
        if quote not in "'\"`" or (kind == PUNCTUATION):
            return False
        if kind == "escaped" or (self.backslashes and quote != "`"):
            text = _ESCAPE.sub("", text)
        return text.count(quote) % 2 == 1
