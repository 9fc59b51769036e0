"""Read the manifest of a module of DotNetNuke: the controls that it registers, each under a key, and its class."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import PurePosixPath

from ragduck.facts import BUSINESS_CONTROLLER, MODULE_CONTROL, FileFacts, ViewFact
from ragduck.model import Document
from ragduck.parse.facts.xml_comments import without_comments

EXTENSION = ".dnn"

_ROOT = "<dotnetnuke"
_HEAD = 2_000  # characters, before which the root stands
_CONTROL = ".ascx"
_TAG = re.compile(
    r"<(?P<end>/?)(?P<block>moduleControl|control)\s*>"
    r"|<(?P<name>controlKey|controlSrc|key|src|businessControllerClass)\s*>(?P<text>[^<]{0,500})<",
    re.IGNORECASE,
)
_TYPE = re.compile(r"\s*([^\W\d][\w.]*+)\s*(?:,|$)")


def facts_of_module_manifest(document: Document) -> FileFacts | None:
    """Return what a manifest registers; None for other files, and where there is nothing."""
    is_manifest = PurePosixPath(document.path).suffix.lower() == EXTENSION
    if not is_manifest or _ROOT not in document.text[:_HEAD].lower():
        return None
    views = tuple(dict.fromkeys(_registered(without_comments(document.text))))
    if not views:
        return None
    return FileFacts(
        document.path, "xml", document.file_class, document.project, document.last_line, views=views
    )


def _registered(text: str) -> Iterator[ViewFact]:
    """Yield controls as `Key path`, the key in front, which is empty for the first one that a module shows."""
    key = path = ""
    line, at, path_line = 1, 0, 1
    for tag in _TAG.finditer(text):
        line, at = line + text.count("\n", at, tag.start()), tag.start()
        name, value = (tag["name"] or "").lower(), unescape(tag["text"] or "").strip()
        if name == "businesscontrollerclass":
            type_ = _TYPE.match(value)
            if type_ is not None:
                yield ViewFact(type_[1], BUSINESS_CONTROLLER, line)
        elif name.endswith("key"):
            key = value
        elif name:
            path, path_line = value, line
        else:
            if tag["end"] and path.lower().endswith(_CONTROL) and " " not in key:
                yield ViewFact(f"{key} {path}", MODULE_CONTROL, path_line)
            key = path = ""
