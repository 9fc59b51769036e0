"""Verbs of two words that code writes as one: who logs in is found in Login, LogOn and SignIn."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ragduck.search.snippets import fold

# "Logged in the event table" says where: what is logged stands in it.
DETERMINER = r"(?:the|an?|this|that|these|those|our|my|your|their|its|which|what|each|every|all|any)\b"
TWO_WORDS = re.compile(
    r"(?P<quoted>\"[^\"\n]{0,80}\"|`[^`\n]{0,80}`|\[[^\]\n]{0,80}\])"
    r"|\b(?P<verb>log|sign)(?:g?ed|g?ing|s)?"
    rf"(?:(?P<entry>(?:\s+|-)(?:in|on)\b(?!\s+{DETERMINER}|\s+\w*[._]\w|\s+(?-i:[a-z]+[A-Z])))"
    r"|(?P<exit>(?:\s+|-)(?:out|off|up)\b))",
    re.IGNORECASE,
)
ENTRY, EXIT = ("login", "logon", "signin", "signon"), ("logout", "logoff", "signout")
SAME = {**dict.fromkeys(ENTRY, ENTRY), **dict.fromkeys(EXIT, EXIT)}


def with_joined_verbs(text: str) -> str:
    """Return a text with verbs of two words as one: login for logs in, logged in and logging in."""
    return TWO_WORDS.sub(_joined, text)


def same_verbs(concepts: Iterable[str]) -> tuple[str, ...]:
    """Return what code may say instead of the concepts that are such verbs, without them."""
    own = frozenset(concepts)
    return tuple(dict.fromkeys(verb for concept in own for verb in SAME.get(concept, ()) if verb not in own))


def _joined(match: re.Match[str]) -> str:
    if match["quoted"]:
        return match[0]
    particle = re.sub(r"[\s-]+", "", match["entry"] or match["exit"])
    return fold(match["verb"] + particle)
