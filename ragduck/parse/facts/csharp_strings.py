"""Decode the literals of C#, and tell which texts could matter to a database."""

from __future__ import annotations

import re

from ragduck.facts import Choice, Expression, Joined, Text

HOLE = "\0"  # stands for an interpolation; the parser is never given a NUL

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{1,4})|(.))", re.DOTALL)
_SIMPLE = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "e": "\x1b",
}
_FORMAT_ITEM = re.compile(r"\{\{|\}\}|\{(\d{1,3})[^{}]{0,100}\}")
_PLACEHOLDER = "x"

SQL_WORD = re.compile(
    r"\b(?:select|insert|update|delete|merge|exec|execute|create|alter|drop|truncate|from|join|into|call)\b",
    re.IGNORECASE,
)
MAX_NAME = 200
_PART = r"[\[\"`]?[\w$#@][\w$#@ ]*[\]\"`]?"
_OBJECT_NAME = re.compile(rf"\s*{_PART}(?:\.(?:{_PART})?){{0,2}}\.{_PART}\s*")
_SNAKE_NAME = re.compile(r"\s*[\[\"`]?\w+_\w*[\]\"`]?\s*")
_LETTER = re.compile(r"[^\W\d_]")
_SCRIPT = ".sql"  # the ending of the name of a file
_DATABASE_CALL = re.compile(r"query|execute|sql|command|proc|table|view", re.IGNORECASE)


def plain_string(literal: str) -> str:
    """Return the value of `"…"`, with or without the ending `u8`."""
    text = literal[1 : literal.rfind('"')]
    return unescaped(text) if "\\" in text else text


def verbatim_string(literal: str) -> str:
    """Return the value of `@"…"`."""
    return literal[2 : literal.rfind('"')].replace('""', '"')


def raw_string(literal: str) -> str:
    """Return the value of a raw string, its indentation removed as `dedented` does."""
    quotes = len(literal) - len(literal.lstrip('"'))
    return dedented(literal[quotes : literal.rfind('"') + 1 - quotes])


def dedented(text: str) -> str:
    """Undo the indentation of a raw string of several lines.

    Its first and last line end, which are not part of the text, stay: what is in it keeps its line, and to SQL they
    are white space.
    """
    first, line_end, rest = text.partition("\n")
    if not line_end or first.strip(" \t\r"):
        return text
    lines = rest.split("\n")
    indentation = lines.pop()
    if indentation.strip():
        return text
    kept = (line.removeprefix(indentation) if line.strip() else "" for line in lines)
    return "\n".join(("", *kept, ""))


def unescaped(text: str) -> str:
    """Undo the escapes of a regular string."""
    return _ESCAPE.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    digits = match[1] or match[2] or match[3]
    if digits:
        code = int(digits, 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    return _SIMPLE.get(match[4], match[4])


def interpolated_texts(text: str) -> list[str]:
    """Return the texts between the interpolations of a literal in which each is replaced by `HOLE`."""
    prefix, _, rest = text.partition('"')
    if "@" not in prefix and rest.startswith('""'):
        quotes = 1 + len(rest) - len(rest.lstrip('"'))
        body = text[len(prefix) + quotes :]
        return dedented(body[: body.rfind('"') + 1 - quotes]).split(HOLE)
    pieces = rest[: rest.rfind('"')].replace("{{", "{").replace("}}", "}").split(HOLE)
    if "@" in prefix:
        return [piece.replace('""', '"') for piece in pieces]
    return [unescaped(piece) if "\\" in piece else piece for piece in pieces]


def format_pieces(template: str) -> list[str | int]:
    """Split the template of `string.Format` into texts and the numbers of its arguments."""
    pieces: list[str | int] = []
    end = 0
    for match in _FORMAT_ITEM.finditer(template):
        pieces.append(template[end : match.start()])
        pieces.append(int(match[1]) if match[1] else match[0][0])
        end = match.end()
    pieces.append(template[end:])
    return pieces


def is_about_database(name: str) -> bool:
    """Say whether a call or type is named like those that take SQL or the name of a database object."""
    return _DATABASE_CALL.search(name) is not None


def has_letter(value: Expression) -> bool:
    """Say whether a string has a letter that the file tells."""
    if isinstance(value, Text):
        return _LETTER.search(value.value) is not None
    return any(has_letter(part) for part in _options(value))


def may_matter(value: Expression) -> bool:
    """Say whether a text has a word of SQL or looks like the name of an object; `graph` judges better."""
    if isinstance(value, Choice):
        return any(may_matter(option) for option in value.options)
    text = _sample(value) if isinstance(value, Text | Joined) else ""
    if SQL_WORD.search(text) or text[-len(_SCRIPT) :].lower() == _SCRIPT:
        return has_letter(value)
    if len(text) > MAX_NAME or not ("." in text or "_" in text):
        return False
    is_name = _OBJECT_NAME.fullmatch(text) or _SNAKE_NAME.fullmatch(text)
    return is_name is not None and has_letter(value)


def _options(value: Expression) -> tuple[Expression, ...]:
    if isinstance(value, Joined):
        return value.parts
    return value.options if isinstance(value, Choice) else ()


def _sample(value: Expression) -> str:
    """Return a text as far as the file tells it, of several all that it may be."""
    if isinstance(value, Text):
        return value.value
    if isinstance(value, Joined):
        return "".join(map(_sample, value.parts))
    return " ".join(map(_sample, value.options)) if isinstance(value, Choice) else _PLACEHOLDER


def last_name(arguments: str) -> str:
    """Return `B` for `(a.B<int>)`."""
    name = arguments.strip("()@ \t\n").rpartition(".")[2]
    return name.partition("<")[0].strip().lstrip("@")
