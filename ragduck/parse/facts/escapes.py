"""Undo what literals do to their text: escapes and placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ragduck.facts import UNKNOWN, Expression, Joined, Text

MAX_PARTS = 200  # of one string that are told apart
MAX_CODE_POINT = 0x10FFFF

_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,8})\}|U([0-9a-fA-F]{8})|([0-7]{1,3})|(\n|.))",
    re.DOTALL,
)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "s": " ", "\n": ""}
_PERCENT = re.compile(r"%(?:\([^()]{0,100}\))?[-#0 +]{0,5}(?:\d{1,9}|\*)?(?:\.(?:\d{1,9}|\*))?[a-zA-Z]|%%")
_BRACES = re.compile(r"\{\{|\}\}|\{([^{}]{0,200})\}")


def unescape(text: str) -> str:
    """Put characters for the escapes that languages with braces and Python share."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    hexadecimal = match[1] or match[2] or match[3] or match[4]
    if hexadecimal or match[5]:
        code = int(hexadecimal, 16) if hexadecimal else int(match[5], 8)
        return chr(code) if code <= MAX_CODE_POINT and not 0xD800 <= code <= 0xDFFF else "\ufffd"
    return _LETTERS.get(match[6], match[6])


def dedent(text: str) -> str:
    """Take the indentation and the first line end off a text block."""
    _, _, text = text.partition("\n")
    lines = text.split("\n")
    written = [line for line in lines[:-1] if line.strip()] + lines[-1:]
    margin = min(len(line) - len(line.lstrip()) for line in written)
    return "\n".join(line[margin:].rstrip() for line in lines)


def joined(parts: Iterable[Expression]) -> Expression:
    """Put parts together, texts that touch to one."""
    flat: list[Expression] = []
    texts: list[str] = []
    for part in _flattened(parts):
        if isinstance(part, Text):
            texts.extend([part.value] if part.value else [])
            continue
        if texts:
            flat.append(Text("".join(texts)))
            texts = []
        flat.append(part)
    if texts or not flat:
        flat.append(Text("".join(texts)))
    return flat[0] if len(flat) == 1 and isinstance(flat[0], Text) else Joined(tuple(flat))


def _flattened(parts: Iterable[Expression]) -> Iterable[Expression]:
    for part in parts:
        if isinstance(part, Joined) and len(part.parts) <= MAX_PARTS:
            yield from part.parts
        else:
            yield part


def percent_format(template: Expression, values: Sequence[Expression]) -> Expression:
    """Put values into the places of `"… %s …" % values`; named places stay unknown."""
    if not isinstance(template, Text):
        return template
    parts: list[Expression] = []
    end = 0
    given = iter(values)
    for match in _PERCENT.finditer(template.value):
        parts.append(Text(template.value[end : match.start()]))
        end = match.end()
        if match[0] == "%%":
            parts.append(Text("%"))
        else:
            parts.append(UNKNOWN if match[0][1] == "(" else next(given, UNKNOWN))
    return joined((*parts, Text(template.value[end:])))


def brace_format(
    template: Expression, values: Sequence[Expression], *, named: Mapping[str, Expression]
) -> Expression:
    """Put values into the places of `"… {} {name} …".format(values)`."""
    if not isinstance(template, Text):
        return template
    parts: list[Expression] = []
    end = count = 0
    for match in _BRACES.finditer(template.value):
        parts.append(Text(template.value[end : match.start()]))
        end = match.end()
        if match[1] is None:
            parts.append(Text(match[0][0]))
            continue
        place = match[1].partition(":")[0].partition("!")[0]
        if not place or place.isdecimal():
            number = int(place[:4]) if place else count
            count += 1
            parts.append(values[number] if number < len(values) else UNKNOWN)
        else:
            parts.append(named.get(place, UNKNOWN))
    return joined((*parts, Text(template.value[end:])))
