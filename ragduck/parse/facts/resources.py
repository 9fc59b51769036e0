"""Read the statements in resource files of .NET (`Queries.resx`), each as a call `resource-text(name, text)`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import PurePosixPath

from ragduck.facts import RESOURCE_TEXT, Argument, Call, CallFact, FileFacts, Name, Text
from ragduck.model import Document
from ragduck.parse.facts.told_by_calls import facts_of_calls
from ragduck.parse.facts.xml_comments import without_comments
from ragduck.sqlreader.recognition import begins_like_sql

EXTENSION = ".resx"

_TEXT = re.compile(r"<data\s+name\s*=\s*\"([^\"<>]{1,200})\"[^<>]*>\s*<value>([^<]*)")


def facts_of_resources(document: Document) -> FileFacts | None:
    """Return the texts that may be SQL as calls; None for other files, and where there are none."""
    if PurePosixPath(document.path).suffix.lower() != EXTENSION:
        return None
    return facts_of_calls(document, _calls(document))


def _calls(document: Document) -> Iterator[CallFact]:
    text = without_comments(document.text)
    line, at = 1, 0
    for found in _TEXT.finditer(text):
        value = unescape(found[2])
        if begins_like_sql(value):
            line, at = line + text.count("\n", at, found.start()), found.start()
            arguments = (Argument(Text(unescape(found[1]))), Argument(Text(value)))
            yield CallFact(f"file:{document.path}|FILE", Call(Name(RESOURCE_TEXT), arguments), line)
