"""Read a `Web.config`: what it opens for the views below its folder, their base class, handlers and modules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from ragduck.facts import HTTP_HANDLER, HTTP_MODULE, FileFacts, Import, ViewFact
from ragduck.model import Document

NAME = "web.config"
SECTIONS = {
    "handlers": HTTP_HANDLER,
    "httphandlers": HTTP_HANDLER,
    "modules": HTTP_MODULE,
    "httpmodules": HTTP_MODULE,
}

VIEWS = "system.web.webpages.razor"  # the section about Razor; in others the base is that of Web Forms

_OPENED = re.compile(r"<add\s+namespace\s*=\s*[\"']([\w.]+)[\"']\s*/?>")
_TAG = re.compile(r"<!--.*?(?:-->|\Z)|<(?P<end>/?)(?P<name>[\w.]{1,60})\b(?P<attributes>[^<>]*+)", re.DOTALL)
_ATTRIBUTE = re.compile(r"\b(\w{1,30})\s*=\s*[\"']([^\"']{0,500})[\"']")
_TYPE = re.compile(r"\s*([^\W\d][\w.+]*+)\s*(?:,|$)")


def facts_of_web_config(document: Document) -> FileFacts | None:
    """Return the opened namespaces as imports, and what is registered; None for other files, and where nothing is."""
    if PurePosixPath(document.path).name.lower() != NAME:
        return None
    imports = tuple(Import(name) for name in dict.fromkeys(_OPENED.findall(document.text)))
    views = (*_base_of_views(document.text), *_registered(document.text))
    if not imports and not views:
        return None
    return FileFacts(
        document.path, "razor", document.file_class, document.project, document.last_line,
        imports=imports, views=views,
    )  # fmt: skip


def _base_of_views(text: str) -> Iterator[ViewFact]:
    """Yield the class that views derive from unless they name another."""
    is_inside = False
    for tag in _TAG.finditer(text) if "pageBaseType" in text else ():
        name = (tag["name"] or "").lower()
        if name == VIEWS:
            is_inside = not tag["end"]
        elif is_inside and name == "pages":
            attributes = dict(_ATTRIBUTE.findall(tag["attributes"]))
            type_ = _TYPE.match(attributes.get("pageBaseType", ""))
            if type_ is not None:
                line = text.count("\n", 0, tag.start()) + 1
                yield ViewFact(type_[1].replace("+", "."), "inherits", line)


def _registered(text: str) -> Iterator[ViewFact]:
    """Yield the types of handlers, each with the path that it serves, and of modules."""
    how = ""
    line, counted = 1, 0
    for tag in _TAG.finditer(text) if "type" in text else ():
        name = (tag["name"] or "").lower()
        if name in SECTIONS:
            how = "" if tag["end"] or tag["attributes"].endswith("/") else SECTIONS[name]
        elif how and name == "add":
            attributes = {key.lower(): value for key, value in _ATTRIBUTE.findall(tag["attributes"])}
            type_ = _TYPE.match(attributes.get("type", ""))
            if type_ is not None:
                path = attributes.get("path", "").strip() if how == HTTP_HANDLER else ""
                line, counted = line + text.count("\n", counted, tag.start()), tag.start()
                yield ViewFact(f"{type_[1].replace('+', '.')} {path}".rstrip(), how, line)
