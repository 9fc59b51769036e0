"""Write literals of Visual Basic as C# has them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragduck.parse.vb.tokens import CHARACTER, DATE, INTERPOLATED, NUMBER, XML, Token

_SUFFIX = re.compile(r"[sSiI%@!#]$|[uU][sSiI]$")
_PREFIXES = {"h": "0x", "b": "0b"}
_MARKUP = re.compile(
    r"""<!\[CDATA\[(?P<data>.*?)(?:\]\]>|\Z)
      |\]\]>|<!--.*?(?:-->|\Z)|</?[A-Za-z_][\w.:-]*+[^<>]*+>
      |&(?:lt|gt|quot|apos|amp);""",
    re.DOTALL | re.VERBOSE,
)
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}


def plain_literal(token: Token) -> str:
    """Return a number, string, character or date in C#."""
    if token.kind == NUMBER:
        return _number(token.text)
    if token.kind == DATE:
        return "default(DateTime)"
    if token.kind == CHARACTER:
        inside = token.text[1:-1]
        return f"'{inside}'" if inside not in ("'", "\\", '""', "") else "'\\\"'"
    return quoted(content_of(token.text))


def content_of(text: str) -> str:
    """Return what a string literal holds; a quote may be missing at its end."""
    inside = text[1:]
    if inside[-1:] in ('"', "\u201c", "\u201d"):
        inside = inside[:-1]
    return re.sub('["\u201c\u201d]{2}', '"', inside)


def quoted(content: str) -> str:
    """Write a string of C#; one of several lines as it stands, so that all lines keep their numbers."""
    if "\n" in content:
        return '@"' + content.replace('"', '""') + '"'
    return '"' + content.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _number(text: str) -> str:
    if text[:1] == "&":
        prefix = _PREFIXES.get(text[1].lower(), "0")
        text = prefix + text[2:]
        return text.rstrip("sSiIuUlL&") or "0"
    text = _SUFFIX.sub("", text)
    if text[-1:] in ("r", "R"):
        text = text[:-1] + "d"
    if text[-1:] in ("d", "D"):
        text = text[:-1] + "m"
    return "0" + text if text.startswith(".") else text


def interpolated_pieces(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the pieces of `$"a {b:c} d"`: texts, and the holes with what they are formatted by left out."""
    inside = text[2:]
    if inside[-1:] in ('"', "\u201c", "\u201d"):
        inside = inside[:-1]
    position, written = 0, []
    while position < len(inside):
        character = inside[position]
        if inside[position : position + 2] in ("{{", "}}", '""'):
            written.append(character)
            position += 2
        elif character == "{":
            yield False, "".join(written)
            written = []
            end = _end_of_hole(inside, position + 1)
            yield True, inside[position + 1 : end]
            position = end + 1
        else:
            written.append(character)
            position += 1
    yield False, "".join(written)


def _end_of_hole(text: str, start: int) -> int:
    depth, is_quoted = 0, False
    for position in range(start, len(text)):
        character = text[position]
        if character == '"':
            is_quoted = not is_quoted
        elif is_quoted:
            continue
        elif character in "({":
            depth += 1
        elif character == "}" and not depth:
            return position
        elif character in ")}":
            depth -= 1
    return len(text)


def xml_pieces(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the text of an element, of which programs make use to write SQL, and what code puts in between."""
    position = 0
    while (start := text.find("<%=", position)) >= 0 and (end := text.find("%>", start + 3)) >= 0:
        yield False, _text_of(text[position:start])
        yield True, text[start + 3 : end]
        position = end + 2
    yield False, _text_of(text[position:])


def _text_of(text: str) -> str:
    """Leave tags and comments out, but not the ends of lines within them; CDATA is text as it stands."""
    return _MARKUP.sub(_plain, text)


def _plain(match: re.Match[str]) -> str:
    written, data = match[0], match["data"]
    return _ENTITIES.get(written, "\n" * written.count("\n")) if data is None else str(data)


def is_composed(token: Token) -> bool:
    """Say whether a literal may have code in it."""
    return token.kind in (INTERPOLATED, XML)
