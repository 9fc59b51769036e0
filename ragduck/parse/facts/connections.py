"""Read the databases that configuration names: in connection strings, and where a project is deployed to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragduck.facts import FileFacts, Import
from ragduck.model import Document

LANGUAGES = frozenset({"json", "xml", "ini"})

_SYSTEM = frozenset({"master", "tempdb", "model", "msdb"})
_QUOTED = re.compile(r"\"([^\"\n]*+)\"|'([^'\n]*+)'")
_LONGEST = 1000  # characters of a connection string
_SERVER = re.compile(r"(?:data source|server|addr|address|network address)\s?=", re.IGNORECASE)
_DATABASE = re.compile(
    r"(?:initial catalog|database)\s?=\s?([^\W\d][\w .-]{0,127}?)\s?(?:;|&quot;|$)", re.IGNORECASE
)
_DEPLOYED = re.compile(r"<(?:TargetDatabaseName|SqlTargetName)>\s*([^\W\d][\w .-]{0,127}?)\s*</")


def facts_of_connections(document: Document) -> FileFacts | None:
    """Return the databases that a file of configuration names as imports; None where it names none."""
    if document.language not in LANGUAGES or document.file_class == "test":
        return None
    names = tuple(dict.fromkeys(_names(document.text)))
    if not names:
        return None
    imports = tuple(map(Import, names))
    lines = document.last_line
    return FileFacts(
        document.path, document.language, document.file_class, document.project, lines, imports=imports
    )


def _names(text: str) -> Iterator[str]:
    for quoted in _QUOTED.finditer(text):
        string = (quoted[1] or quoted[2] or "")[:_LONGEST]
        found = _DATABASE.search(string) if _SERVER.search(string) else None
        if found and found[1].casefold() not in _SYSTEM:
            yield found[1]
    yield from _DEPLOYED.findall(text)
