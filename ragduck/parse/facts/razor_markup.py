"""Read what Razor's directives and tags name: models, services, pages, actions, partial views, components."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from ragduck.facts import (
    ADDRESS,
    PARAMETER,
    CallFact,
    Expression,
    Import,
    Member,
    Name,
    NameOf,
    Text,
    TypeOf,
    ViewFact,
)
from ragduck.parse.facts.tag_attributes import TagAttributes, address_in

_COMMENT = re.compile(r"@\*.*?(?:\*@|\Z)", re.DOTALL)
_DIRECTIVE = re.compile(
    r"^[ \t]*+@(?P<word>model|inherits|implements|layout|using|namespace|inject|typeparam|page)(?=\s|$)"
    r"(?P<rest>[^\n]*)",
    re.MULTILINE,
)
_ALIAS = re.compile(r"(?P<static>static\s++)?(?:(?P<alias>\w++)\s*+=\s*+)?(?P<name>[^=]*)")
_LAYOUT = re.compile(r"""\bLayout\s*+=\s*+"(?P<name>[^"\n]{1,300})\"""")
_TAG = re.compile(
    r"""(?<!\w)<(?P<name>[A-Za-z][\w.:-]*+)(?P<rest>(?:[^<>"']|"[^"]{0,2000}+"|'[^']{0,2000}+')*+)"""
)
_ATTRIBUTE = re.compile(r"""(?P<name>[\w:-]++)\s*+=\s*+(?P<quote>["'])(?P<value>[^"']{0,500}+)(?P=quote)""")
_TYPE_OF = re.compile(r"\s*+@?\s*+typeof\s*+\(\s*+(?P<name>[\w.]++)")
_PARAMETER = re.compile(r"(?P<bound>@bind-)?(?P<name>[^\W\d]\w*)(?(bound)(?::get)?)")
_WORD_START = re.compile(r"(?:^|-)(\w)")

PARTIALS = frozenset({"Partial", "PartialAsync", "RenderPartial", "RenderPartialAsync"})
PAGES = frozenset({"Page", "PageLink"})


class Markup:
    """The text of a Razor file without its comments."""

    def __init__(self, text: str, *, is_component: bool) -> None:
        self._text = _COMMENT.sub(_line_ends, text)
        self._is_component = is_component
        self._attributes = TagAttributes(self._text)
        self._ends = [match.start() for match in re.finditer("\n", self._text)]

    def directives(self) -> Iterator[tuple[str, str, int]]:
        """Yield each directive with what follows it and its line."""
        for match in _DIRECTIVE.finditer(self._text):
            rest = " ".join(match["rest"].split()).rstrip("; ")
            if not (match["word"] == "using" and rest.startswith("(")):
                yield match["word"], rest, self._line(match.start("word"))

    def views(self) -> Iterator[ViewFact]:
        """Yield what directives and tags name."""
        for word, rest, line in self.directives():
            if word == "page":
                yield ViewFact(rest.strip('"'), "page", line)
            elif word == "inject" and " " in rest:
                yield ViewFact(rest.rpartition(" ")[0], "inject", line)
            elif word in ("model", "inherits", "layout", "namespace") and rest:
                yield ViewFact(rest, word, line)
        for match in _LAYOUT.finditer(self._text):
            yield ViewFact(match["name"], "layout", self._line(match.start()))
        for match in _TAG.finditer(self._text):
            yield from self._tag(match)

    def _tag(self, match: re.Match[str]) -> Iterator[ViewFact]:
        name, line = match["name"], self._line(match.start())
        if name[0].isupper() and self._is_component:
            yield ViewFact(name, "component", line)
        if (name[0].isupper() or name == "a") and self._is_component:
            yield from self._attributes_of(name, match.end("name"))
        if name.startswith("vc:"):
            yield ViewFact(_pascal(name[3:]), "view component", line)
        if name not in ("partial", "component") and "asp-" not in match["rest"]:
            return
        given = {found["name"].lower(): found["value"] for found in _ATTRIBUTE.finditer(match["rest"])}
        if name == "partial" and given.get("name"):
            yield ViewFact(given["name"], "partial", line)
        shown = _TYPE_OF.match(given.get("type", ""))
        if name == "component" and shown is not None:
            yield ViewFact(shown["name"], "component", line)
        if "asp-controller" in given or "asp-action" in given:
            area = f"{given['asp-area']}/" if "asp-area" in given else ""
            action = f"{given.get('asp-controller', '')}.{given.get('asp-action', '')}"
            yield ViewFact(f"{area}{action}", "action", line)
        if given.get("asp-route"):
            yield ViewFact(given["asp-route"], "route", line)
        if given.get("asp-page"):
            yield ViewFact(given["asp-page"], "link", line)

    def _attributes_of(self, tag: str, start: int) -> Iterator[ViewFact]:
        """Yield where a tag leads, and what it may set of a component; `@bind-Value` sets `ValueChanged`, too."""
        for written, offset, value in self._attributes.read(start):
            line = self._line(offset)
            address = address_in(value) if written.lower() == "href" else ""
            if address:
                yield ViewFact(address, ADDRESS, line)
            match = _PARAMETER.fullmatch(written) if tag != "a" else None
            if match is not None:
                yield ViewFact(f"{tag}.{match['name']}", PARAMETER, line)
            if match is not None and match["bound"]:
                yield ViewFact(f"{tag}.{match['name']}Changed", PARAMETER, line)

    def _line(self, offset: int) -> int:
        return bisect_right(self._ends, offset - 1) + 1


def imports(markup: Markup) -> Iterator[Import]:
    """Yield the namespaces that a file opens or is in."""
    for word, rest, _ in markup.directives():
        if word == "namespace" and rest:
            yield Import(rest)
        match = _ALIAS.fullmatch(rest) if word == "using" else None
        if match is not None and match["name"]:
            yield Import(match["name"].strip(), match["alias"] or "", is_static=match["static"] is not None)


def called_views(calls: Iterable[CallFact]) -> Iterator[ViewFact]:
    """Yield the partial views, components and pages that calls of HTML helpers name."""
    for fact in calls:
        function = fact.call.function
        texts = [_text(argument.value) for argument in fact.call.arguments]
        if not isinstance(function, Member) or not isinstance(function.receiver, Name) or not texts:
            continue
        receiver, name = function.receiver.name, function.name
        if receiver == "Html" and name in PARTIALS and texts[0]:
            yield ViewFact(texts[0], "partial", fact.line)
        elif receiver == "Component" and name == "InvokeAsync" and texts[0]:
            yield ViewFact(texts[0], "view component", fact.line)
        elif receiver == "Url" and name in PAGES and texts[0]:
            yield ViewFact(texts[0], "link", fact.line)


def _text(value: Expression) -> str:
    if isinstance(value, NameOf):
        return value.name.rpartition(".")[2]
    if isinstance(value, TypeOf):
        return value.type.rpartition(".")[2]
    return value.value if isinstance(value, Text) else ""


def _pascal(name: str) -> str:
    return _WORD_START.sub(lambda match: match[1].upper(), name)


def _line_ends(match: re.Match[str]) -> str:
    """Blank a comment, keeping its length and its line ends."""
    return "".join("\n" if character == "\n" else " " for character in match[0])
