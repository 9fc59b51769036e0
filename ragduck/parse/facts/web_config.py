"""Read the namespaces that a `Web.config` opens for the Razor views below its folder."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from ragduck.facts import FileFacts, Import
from ragduck.model import Document

NAME = "web.config"

_OPENED = re.compile(r"<add\s+namespace\s*=\s*[\"']([\w.]+)[\"']\s*/?>")


def facts_of_web_config(document: Document) -> FileFacts | None:
    """Return the opened namespaces as imports; None for other files, and where none is opened."""
    if PurePosixPath(document.path).name.lower() != NAME:
        return None
    imports = tuple(Import(name) for name in dict.fromkeys(_OPENED.findall(document.text)))
    if not imports:
        return None
    lines = document.last_line
    return FileFacts(document.path, "razor", document.file_class, document.project, lines, imports=imports)
