"""Outline components of Vue and Svelte: the script of a file is a module, and its template and styles are text."""

from __future__ import annotations

import re
from dataclasses import replace

from ragduck.model import Document, Outline
from ragduck.parse import config
from ragduck.parse.facts.declared import read_outline
from ragduck.parse.facts.typescript import facts_of
from ragduck.parse.outliner import qualify_path
from ragduck.parse.typescript import grammar_of

_SCRIPT = re.compile(
    r"^<script\b(?P<attributes>[^>\n]{0,300}+)>(?P<code>.*?)^</script\s*+>",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_LANGUAGE = re.compile(r"\blang\s*+=\s*+[\"']?(?P<extension>tsx?)\b", re.IGNORECASE)
_IN_LINE = re.compile(r"[^\n]")


def outline(document: Document) -> Outline:
    """Outline the script of a component on the lines where it stands; without one, its markup."""
    scripts = list(_SCRIPT.finditer(document.text))
    if not scripts:
        return config.outline(document)
    told = [
        found["extension"] for one in scripts if (found := _LANGUAGE.search(one["attributes"])) is not None
    ]
    name = qualify_path(document.path, roots=("src",), index="index")
    module = replace(document, text=_code_alone(document.text, scripts))
    return read_outline(module, grammar_of(max(told, default="js").lower()), scope=name, facts_of=facts_of)


def _code_alone(text: str, scripts: list[re.Match[str]]) -> str:
    """Return a text with blanks in place of all that is no script, so that lines stay what they are."""
    parts: list[str] = []
    end = 0
    for script in scripts:
        parts += (_IN_LINE.sub(" ", text[end : script.start("code")]), script["code"])
        end = script.end("code")
    return "".join((*parts, _IN_LINE.sub(" ", text[end:])))
