"""Outline Web Forms: pages, user controls, master pages and handlers; the members of server scripts are children."""

from __future__ import annotations

import re
from dataclasses import replace

from ragduck.facts import FileFacts
from ragduck.model import Document, Outline, Symbol
from ragduck.parse import csharp, visualbasic
from ragduck.parse.facts.webforms import SERVED, views, webform_facts
from ragduck.parse.outliner import qualify_path
from ragduck.parse.razor import children_of, markup_symbol
from ragduck.parse.webforms_text import WebFormText

NAMESPACE = "ASP"  # of the classes that pages are compiled to
PAGE, VIEW = "page", "view"


def outline(document: Document) -> Outline:
    """Outline a Web Form and read its facts. A handler with its code in the same file is one of C#."""
    if not document.text.strip():
        return Outline()
    form = WebFormText(document.path, document.text)
    handler = _code_of_handler(form, document.text)
    if handler is not None:
        return _outline_of_handler(document, form, handler)
    is_basic = form.is_visual_basic
    if is_basic:
        form = form.in_csharp()
    name = f"{NAMESPACE}.{qualify_path(document.path)}_{form.suffix}"
    children, problems = children_of(replace(document, text=form.text), list(form.scripts), name=name)
    if is_basic:
        children = tuple(_as_written(child, document.lines) for child in children)
    first = form.directives[0].line if form.directives else 1
    component = markup_symbol(
        document,
        children,
        name=name,
        element_type=PAGE if form.suffix == "aspx" else VIEW,
        signature=" ".join(document.lines[first - 1].split()),
    )
    return Outline((component,), problems, webform_facts(form, document, component=component))


def _as_written(symbol: Symbol, lines: list[str]) -> Symbol:
    """Return a member with the line that declares it as its signature: it was read as C#."""
    within = (" ".join(line.split()) for line in lines[symbol.start_line - 1 : symbol.end_line])
    written = next((line for line in within if re.search(rf"\b{re.escape(symbol.name)}\b", line)), "")
    return replace(symbol, signature=written or symbol.signature)


def _code_of_handler(form: WebFormText, text: str) -> str | None:
    """Return the code of a handler or web service that stands beside its directives; None where there is none."""
    if not any(one.name in SERVED for one in form.directives):
        return None
    code = form.without_directives(text)
    return code if code.strip() else None


def _outline_of_handler(document: Document, form: WebFormText, code: str) -> Outline:
    if form.is_visual_basic:
        found = visualbasic.outline(replace(document, text=code, language="visualbasic"))
    else:
        found = csharp.outline(replace(document, text=code, language="csharp"))
    facts: FileFacts | None = found.facts
    if facts is None:
        return found
    return replace(found, facts=facts._replace(views=(*facts.views, *views(form))))
