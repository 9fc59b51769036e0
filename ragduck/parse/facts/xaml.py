"""Read what XAML names: the class behind it, handlers of events, types by their namespaces, bound members."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath

from ragduck.facts import FileFacts, ViewFact
from ragduck.model import Document
from ragduck.parse.tagged_text import COMMENT, Attribute, Element, TaggedText

EXTENSIONS = (".xaml", ".axaml")
LANGUAGE = "xaml"
NAMED = ("x:datatype", "d:datacontext", "datatype")  # attributes that say what type is shown
CONTEXTS = ("datacontext", "bindingcontext")
NO_HANDLERS = ("name", "x:name", "x:key", "x:class", "automationid")
TEMPLATE = "Template"  # end of the elements that show one of many items
SETTER = "Setter"  # of a style, which mostly is that of items
CDATA = ("<![CDATA[", "]]>")
MAX_FACTS = 5_000  # of one file

_NAMESPACE = re.compile(r"(?:clr-namespace|using):(?P<name>[\w.]++)")
_CLASS = re.compile(r"[^\W\d][\w.]*+")
_HANDLER = re.compile(r"[^\W\d]\w*+")
_TYPE = re.compile(r"(?<![\w:])(?P<prefix>[^\W\d]\w*+):(?P<name>[^\W\d_]\w*+)")
_BINDING = re.compile(r"\{(?P<kind>x:Bind|Binding|CompiledBinding)\s++(?P<rest>.*)", re.DOTALL)
_PATH = re.compile(r"(?:(?:^|,\s*+)Path\s*+=\s*+|^)(?P<path>[^\W\d]\w*+)(?!\s*+=)")
_ELSEWHERE = re.compile(r"\b(?:ElementName|Source|RelativeSource)\s*+=")  # not bound to what the view shows


def facts_of_xaml(document: Document) -> FileFacts | None:
    """Return what a file of XAML names as views; None for other files, and where it names nothing."""
    if PurePosixPath(document.path).suffix.lower() not in EXTENSIONS:
        return None
    found = tuple(islice(_Reader(TaggedText(document.text, comments=(COMMENT, CDATA))).facts(), MAX_FACTS))
    if not found:
        return None
    return FileFacts(
        document.path, LANGUAGE, document.file_class, document.project, document.last_line, views=found
    )


class _Reader:
    """Go through the tags of a file; what is bound below a template or another data context is not the view's."""

    def __init__(self, text: TaggedText) -> None:
        self._text = text
        self._namespaces: dict[str, str] = {}
        self._depth = 0
        self._hidden_below: list[int] = []
        self._root = ""
        self._is_context = False  # whether the next element is what the view shows

    def facts(self) -> Iterator[ViewFact]:
        """Yield each thing that is named once, where it is named first."""
        seen: set[tuple[str, str]] = set()
        for tag in self._text.all_tags():
            if tag.is_end:
                self._leave()
                continue
            for fact in self._of_tag(tag):
                if (fact.name, fact.how) not in seen:
                    seen.add((fact.name, fact.how))
                    yield fact
            self._enter(tag)

    def _enter(self, tag: Element) -> None:
        name = tag.name.rpartition(":")[2]
        self._root = self._root or tag.name
        self._is_context = name.lower().endswith(tuple(f".{one}" for one in CONTEXTS)) and self._depth == 1
        if not tag.is_closing:
            self._depth += 1
            if name.endswith(TEMPLATE) or (self._depth > 1 and _has_context(tag)):
                self._hidden_below.append(self._depth)

    def _leave(self) -> None:
        if self._hidden_below and self._hidden_below[-1] >= self._depth:
            self._hidden_below.pop()
        self._depth = max(self._depth - 1, 0)
        self._is_context = False

    def _of_tag(self, tag: Element) -> Iterator[ViewFact]:
        self._namespaces.update(_namespaces(tag))
        is_root = self._depth == 0
        behind = _CLASS.fullmatch(tag.get("x:class"))
        if behind is not None:
            yield ViewFact(behind[0], "inherits", tag.attributes["x:class"].line)
        prefix, _, name = tag.name.rpartition(":")
        if prefix.lower() in self._namespaces:
            how = "shows" if self._is_context else "names"
            yield ViewFact(f"{self._namespaces[prefix.lower()]}.{name.partition('.')[0]}", how, tag.line)
        for key, attribute in tag.attributes.items():
            if not key.startswith("xmlns"):
                yield from self._of_attribute(tag, key, attribute, is_root=is_root)

    def _of_attribute(
        self, tag: Element, key: str, attribute: Attribute, *, is_root: bool
    ) -> Iterator[ViewFact]:
        value, line = attribute.value.strip(), attribute.line
        for match in _TYPE.finditer(value) if value.startswith("{") or key in NAMED else ():
            if match["prefix"].lower() in self._namespaces:
                how = "shows" if key in NAMED and is_root else "names"
                yield ViewFact(f"{self._namespaces[match['prefix'].lower()]}.{match['name']}", how, line)
        bound = _BINDING.match(value)
        if bound is not None:
            path = _PATH.search(bound["rest"])
            if path is not None and self._is_of_view(tag, key, value):
                yield ViewFact(path["path"], "own binding" if bound["kind"] == "x:Bind" else "binding", line)
        elif key not in NO_HANDLERS and _HANDLER.fullmatch(value):
            yield ViewFact(value, "event", line)

    def _is_of_view(self, tag: Element, key: str, value: str) -> bool:
        """Say whether a binding is to what the view shows: the bindings of columns are to its items."""
        if self._hidden_below or _ELSEWHERE.search(value) or key.endswith("binding"):
            return False
        return not tag.name.endswith(SETTER) and (
            key in CONTEXTS or self._depth == 0 or not _has_context(tag)
        )


def _has_context(tag: Element) -> bool:
    return any(name in tag.attributes for name in CONTEXTS)


def _namespaces(tag: Element) -> Iterator[tuple[str, str]]:
    for name, attribute in tag.attributes.items():
        match = _NAMESPACE.match(attribute.value.strip()) if name.startswith("xmlns:") else None
        if match is not None:
            yield name.removeprefix("xmlns:"), match["name"]
