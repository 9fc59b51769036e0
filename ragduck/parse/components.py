"""Outline components of Vue and Svelte: the script of a file is a module, and its template and styles are text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from ragduck.model import Document, Outline
from ragduck.parse import config
from ragduck.parse.facts.declared import read_outline
from ragduck.parse.facts.script_templates import template_events
from ragduck.parse.facts.typescript import facts_of
from ragduck.parse.outliner import qualify_path
from ragduck.parse.typescript import grammar_of

_OPENING = re.compile(
    r"^<script(?P<attributes>(?:\s(?:[^>\"']|\"[^\"]{0,300}+\"|'[^']{0,300}+'){0,300}+)?)>",
    re.MULTILINE | re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\s{0,20}+</script", re.IGNORECASE
)  # the code of `<script src="./orders.js"></script>`
_CLOSING = re.compile(r"^</script\s{0,20}+>", re.MULTILINE | re.IGNORECASE)
_LANGUAGE = re.compile(r"\blang\s*+=\s*+[\"']?(?P<extension>tsx?)\b", re.IGNORECASE)
_IN_LINE = re.compile(r"[^\n]")


class _Script(NamedTuple):
    """The attributes of a script's tag, and where its code begins and ends."""

    attributes: str
    start: int
    end: int


def outline(document: Document) -> Outline:
    """Outline the script of a component on the lines where it stands; without one, its markup."""
    scripts = list(_scripts_in(document.text))
    if not scripts:
        return config.outline(document)
    told = [found["extension"] for one in scripts if (found := _LANGUAGE.search(one.attributes)) is not None]
    name = qualify_path(document.path, roots=("src",), index="index")
    module = replace(document, text=_code_alone(document.text, scripts))
    grammar = grammar_of(max(told, default="js").lower())
    read = read_outline(module, grammar, scope=name, facts_of=facts_of)
    if read.facts is None or document.language != "vue":
        return read
    events = tuple(template_events(_markup_alone(document.text, scripts)))
    return replace(read, facts=read.facts._replace(views=(*read.facts.views, *events)))


def _scripts_in(text: str) -> Iterator[_Script]:
    """Yield the scripts of a component up to one without an end."""
    opening = _OPENING.search(text)
    while opening is not None:
        closing = _ELSEWHERE.match(text, opening.end())
        if closing is None:
            closing = _CLOSING.search(text, opening.end())
            if closing is None:
                return
            yield _Script(opening["attributes"], opening.end(), closing.start())
        opening = _OPENING.search(text, closing.end())


def _markup_alone(text: str, scripts: Iterable[_Script]) -> str:
    """Return a text with blanks in place of its scripts."""
    parts: list[str] = []
    end = 0
    for script in scripts:
        parts += (text[end : script.start], _IN_LINE.sub(" ", text[script.start : script.end]))
        end = script.end
    return "".join((*parts, text[end:]))


def _code_alone(text: str, scripts: Iterable[_Script]) -> str:
    """Return a text with blanks in place of all that is no script, so that lines stay what they are."""
    parts: list[str] = []
    end = 0
    for script in scripts:
        parts += (_IN_LINE.sub(" ", text[end : script.start]), text[script.start : script.end])
        end = script.end
    return "".join((*parts, _IN_LINE.sub(" ", text[end:])))
