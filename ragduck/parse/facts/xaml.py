"""Read what XAML names: the class behind it, handlers of events, types by their namespaces, bound members."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from ragduck.facts import FileFacts, ViewFact
from ragduck.model import Document
from ragduck.parse.tagged_text import Element, TaggedText

EXTENSIONS = (".xaml", ".axaml")
LANGUAGE = "xaml"
NAMED = ("x:datatype", "d:datacontext", "datatype")  # attributes that say what type is shown
NO_HANDLERS = ("name", "x:name", "x:key", "x:class", "automationid")
MAX_FACTS = 5_000  # of one file

_NAMESPACE = re.compile(r"(?:clr-namespace|using):(?P<name>[\w.]++)")
_CLASS = re.compile(r"[A-Za-z_][\w.]*+")
_HANDLER = re.compile(r"[A-Za-z_]\w*+")
_TYPE = re.compile(r"(?<![\w:])(?P<prefix>[A-Za-z_]\w*+):(?P<name>[A-Z]\w*+)")
_BINDING = re.compile(
    r"\{(?P<kind>x:Bind|Binding|CompiledBinding)\s++(?:Path\s*+=\s*+)?(?P<path>[A-Za-z_]\w*+)(?!\s*+=)"
)
_ELSEWHERE = re.compile(r"\b(?:ElementName|Source|RelativeSource)\s*+=")  # not bound to what the view shows
_TEMPLATE = re.compile(r"<(?P<end>/)?(?:\w++:)?(?:\w*DataTemplate|ControlTemplate)\b(?P<rest>[^<>]*+)")


def facts_of_xaml(document: Document) -> FileFacts | None:
    """Return what a file of XAML names as views; None for other files, and where it names nothing."""
    if PurePosixPath(document.path).suffix.lower() not in EXTENSIONS:
        return None
    found: list[ViewFact] = []
    namespaces: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    text = TaggedText(document.text)
    inside = _lines_of_templates(text)
    for number, tag in enumerate(text.tags()):
        namespaces.update(_namespaces(tag))
        for fact in _facts(tag, namespaces, is_root=number == 0):
            is_of_item = fact.how == "binding" and fact.line in inside
            if (fact.name, fact.how) not in seen and not is_of_item:
                seen.add((fact.name, fact.how))
                found.append(fact)
        if len(found) >= MAX_FACTS:
            break
    if not found:
        return None
    lines = document.last_line
    return FileFacts(
        document.path, LANGUAGE, document.file_class, document.project, lines, views=tuple(found)
    )


def _namespaces(tag: Element) -> Iterator[tuple[str, str]]:
    for name, attribute in tag.attributes.items():
        match = _NAMESPACE.match(attribute.value.strip()) if name.startswith("xmlns:") else None
        if match is not None:
            yield name.removeprefix("xmlns:"), match["name"]


def _lines_of_templates(text: TaggedText) -> set[int]:
    """Return the lines within templates, where bindings are to one of many items."""
    lines: set[int] = set()
    opened: list[int] = []
    for match in _TEMPLATE.finditer(text.text):
        if match["end"] and opened:
            start = opened.pop()
            if not opened:
                lines.update(range(start, text.line(match.start()) + 1))
        elif not match["end"] and not match["rest"].endswith("/"):
            opened.append(text.line(match.start()))
    return lines


def _facts(tag: Element, namespaces: Mapping[str, str], *, is_root: bool) -> Iterator[ViewFact]:
    behind = _CLASS.fullmatch(tag.get("x:class"))
    if behind is not None:
        yield ViewFact(behind[0], "inherits", tag.line)
    prefix, _, name = tag.name.rpartition(":")
    if prefix.lower() in namespaces:
        yield ViewFact(f"{namespaces[prefix.lower()]}.{name.partition('.')[0]}", "names", tag.line)
    for key, attribute in tag.attributes.items():
        value, line = attribute.value.strip(), attribute.line
        if key.startswith("xmlns"):
            continue
        how = "shows" if key in NAMED and is_root else "names"
        for match in _TYPE.finditer(value) if value.startswith("{") or key in NAMED else ():
            if match["prefix"].lower() in namespaces:
                yield ViewFact(f"{namespaces[match['prefix'].lower()]}.{match['name']}", how, line)
        bound = _BINDING.match(value)
        if bound is not None and not _ELSEWHERE.search(value):
            yield ViewFact(bound["path"], "own binding" if bound["kind"] == "x:Bind" else "binding", line)
        elif key not in NO_HANDLERS and _HANDLER.fullmatch(value):
            yield ViewFact(value, "event", line)
