"""Write the extension blocks of C# 14 so that the grammar, which takes them for constructors, can read them all."""

from __future__ import annotations

import re

_HEAD = re.compile(
    rb"(?P<word>\bextension\s*)(?:(?P<types><[^(){};]{0,500}>)\s*)?"
    rb"\((?P<receiver>(?:\s{0,99}\[[^][{};]{0,200}\]){0,3}[^(){};]{1,500})\)(?P<bounds>\s*where\b[^{};]{0,500})?(?=\s*\{)"
)
_ATTRIBUTES = re.compile(rb"^(?:\s{0,99}\[[^][{};]{0,200}\]){1,3}")
_TYPE_ARGUMENTS = re.compile(rb"<[^<>]*>")
_PARAMETER = re.compile(rb"(\w+)\s*(?=[,>])")
_BOUND = re.compile(rb"\bwhere\s+(\w+)\s*:")
_UNNAMED = b" _"  # what a block of static members calls its receiver
_MARK = b"[type: "  # a target that no receiver has
_MARKED = re.compile(rb"\(\[type: ([^]]*)\] ")
_MARKED_PARAMETER = re.compile(rb"(\w+)(?:\(([^)]*)\))?")
_STRING = re.compile(rb'"([^"]*)"')


def readable_extensions(source: bytes) -> bytes:
    """Take type parameters and constraints out of the heads of extension blocks, and name unnamed receivers.

    They become attributes of the receiver, which `type_parameters_of` reads. All lines stay where they are, bytes
    do not.
    """
    return _HEAD.sub(_readable, source)


def type_parameters_of(receiver: bytes) -> dict[str, tuple[str, ...]]:
    """Return the type parameters of the block that has a readable receiver, with their constraints."""
    marked = _MARKED.match(receiver)
    if marked is None:
        return {}
    return {
        one[1].decode(): tuple(_bound(text.decode()) for text in _STRING.findall(one[2] or b""))
        for one in _MARKED_PARAMETER.finditer(marked[1])
    }


def _bound(text: str) -> str:
    return "new()" if text == "new" else text


def _readable(head: re.Match[bytes]) -> bytes:
    receiver = head["receiver"]
    name = b"" if _has_name(receiver) else _UNNAMED
    types, bounds = head["types"], head["bounds"]
    return b"".join(
        (head["word"], _lines_of(types), b"(", _marks(types, bounds), receiver, name, b")", _lines_of(bounds))
    )


def _marks(types: bytes | None, bounds: bytes | None) -> bytes:
    """Write type parameters and their constraints as attributes: `[type: T("IOrder", "class"), TKey] `."""
    names = dict.fromkeys(_PARAMETER.findall(types or b""))
    pieces = _BOUND.split(bounds or b"")[1:]
    said = dict(zip(pieces[::2], pieces[1::2], strict=True))
    marks = [name + _quoted(said[name]) if name in said else name for name in names]
    return _MARK + b", ".join(marks) + b"] " if marks else b""


def _quoted(bounds: bytes) -> bytes:
    """Write constraints as strings; commas within type arguments part none."""
    parts, depth = [b""], 0
    for byte in (bounds[at : at + 1] for at in range(len(bounds))):
        depth += (byte == b"<") - (byte == b">")
        if byte == b"," and not depth:
            parts.append(b"")
        elif byte not in b'"()[]':
            parts[-1] += byte
    return b"(" + b", ".join(b'"' + b" ".join(part.split()) + b'"' for part in parts) + b")"


def _has_name(receiver: bytes) -> bool:
    """Say whether a name follows the type of a parameter."""
    bare, count = _ATTRIBUTES.sub(b"", receiver), 1
    while count:
        bare, count = _TYPE_ARGUMENTS.subn(b"", bare)
    return len(bare.split()) > 1


def _lines_of(text: bytes | None) -> bytes:
    return b"\n" * text.count(b"\n") if text else b""
