"""Write the extension blocks of C# 14 so that the grammar, which takes them for constructors, can read them all."""

from __future__ import annotations

import re

_HEAD = re.compile(
    rb"(?P<word>\bextension\s*)(?:(?P<types><[^(){};]{0,500}>)\s*)?"
    rb"\((?P<receiver>(?:\s{0,99}\[[^][{};]{0,200}\]){0,3}[^(){};]{1,500})\)(?P<bounds>\s*where\b[^{};]{0,500})?(?=\s*\{)"
)
_ATTRIBUTES = re.compile(rb"^(?:\s{0,99}\[[^][{};]{0,200}\]){1,3}")
_TYPE_ARGUMENTS = re.compile(rb"<[^<>]*>")
_UNNAMED = b" _"  # what a block of static members calls its receiver


def readable_extensions(source: bytes) -> bytes:
    """Take type parameters and constraints out of the heads of extension blocks, and name unnamed receivers.

    All lines stay where they are, bytes do not.
    """
    return _HEAD.sub(_readable, source)


def _readable(head: re.Match[bytes]) -> bytes:
    receiver = head["receiver"]
    name = b"" if _has_name(receiver) else _UNNAMED
    blanked = _lines_of(head["types"]) + b"(" + receiver + name + b")" + _lines_of(head["bounds"])
    return head["word"] + blanked


def _has_name(receiver: bytes) -> bool:
    """Say whether a name follows the type of a parameter."""
    bare, count = _ATTRIBUTES.sub(b"", receiver), 1
    while count:
        bare, count = _TYPE_ARGUMENTS.subn(b"", bare)
    return len(bare.split()) > 1


def _lines_of(text: bytes | None) -> bytes:
    return b"\n" * text.count(b"\n") if text else b""
