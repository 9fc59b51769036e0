"""Read the statements in resource files of .NET (`Queries.resx`), each as a call `resource-text(name, text)`.

A script that the file only refers to is a call `resource-script(name, path)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import PurePosixPath

from ragduck.facts import RESOURCE_SCRIPT, RESOURCE_TEXT, Argument, Call, CallFact, FileFacts, Name, Text
from ragduck.model import Document
from ragduck.parse.facts.told_by_calls import facts_of_calls
from ragduck.parse.facts.xml_comments import without_comments
from ragduck.sqlreader.recognition import begins_like_sql

EXTENSION = ".resx"

_TEXT = re.compile(r"<data\s+name\s*=\s*\"([^\"<>]{1,200})\"([^<>]*)>\s*<value>([^<]*)")
_REFERENCE = "System.Resources.ResXFileRef"
_SCRIPT = ".sql"


def facts_of_resources(document: Document) -> FileFacts | None:
    """Return the texts that may be SQL as calls; None for other files, and where there are none."""
    if PurePosixPath(document.path).suffix.lower() != EXTENSION:
        return None
    return facts_of_calls(document, _calls(document))


def _calls(document: Document) -> Iterator[CallFact]:
    text = without_comments(document.text)
    line, at = 1, 0
    for found in _TEXT.finditer(text):
        value = unescape(found[3])
        path = value.partition(";")[0].strip() if _REFERENCE in found[2] else ""
        if path.lower().endswith(_SCRIPT) or begins_like_sql(value):
            line, at = line + text.count("\n", at, found.start()), found.start()
            function, what = (RESOURCE_SCRIPT, path) if path else (RESOURCE_TEXT, value)
            arguments = (Argument(Text(unescape(found[1]))), Argument(Text(what)))
            yield CallFact(f"file:{document.path}|FILE", Call(Name(function), arguments), line)
