"""Read facts off Razor: the file is a type, code blocks give its members, markup what it calls and names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragduck.facts import FileFacts, MemberFact, TypeFact
from ragduck.model import Document, Symbol
from ragduck.parse.facts.markup_code import Body, Piece, markup_type, member_facts
from ragduck.parse.facts.razor_code import method_body
from ragduck.parse.facts.razor_markup import Markup, called_views, imports
from ragduck.parse.razor_blocks import Block

LANGUAGE = "razor"

_COMMENT = re.compile(r"@\*.*?(?:\*@|\Z)", re.DOTALL)


def razor_facts(document: Document, blocks: list[Block], *, component: Symbol) -> FileFacts:
    """Read the facts of one file, of which the outline knows the component and its code blocks."""
    markup = Markup(document.text, is_component=component.element_type == "component")
    key = f"{LANGUAGE}:{component.qualified_name}|TYPE"
    body = Body(method_body(document.text, blocks), key=key)
    pieces = sorted((*_member_blocks(document.text, blocks), *body.functions))
    members = member_facts(document, pieces, component=component, key=key, language=LANGUAGE)
    statements = members.statements.unpacked().joined(body.reader.found())
    return members._replace(
        imports=tuple(imports(markup)),
        types=(_type_fact(component, markup, key=key), *members.types),
        members=(*_injected(component, markup, key=key), *members.members),
        statements=statements,
        views=(*markup.views(), *called_views(statements.calls)),
    )


def _member_blocks(text: str, blocks: list[Block]) -> Iterator[Piece]:
    """Yield the code of `@code` and `@functions`, Razor's own comments left out."""
    for block in blocks:
        if block.holds_members:
            code = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text[block.start : block.end])
            yield Piece(text.count("\n", 0, block.start), code)


def _type_fact(component: Symbol, markup: Markup, *, key: str) -> TypeFact:
    words = list(markup.directives())
    bases = (rest for word, rest, _ in words if word in ("inherits", "implements"))
    parameters = (rest.split()[0] for word, rest, _ in words if word == "typeparam" and rest)
    return markup_type(component, key=key, bases=bases, type_parameters=parameters)


def _injected(component: Symbol, markup: Markup, *, key: str) -> Iterator[MemberFact]:
    """Make properties of what `@inject` names, so that expressions know them."""
    for word, rest, line in markup.directives():
        type_, _, name = rest.rpartition(" ")
        if word == "inject" and type_:
            yield MemberFact(
                key=f"{LANGUAGE}:{component.qualified_name}.{name}|PROPERTY",
                name=name,
                owner=key,
                kind="PROPERTY",
                element_type="property",
                line=line,
                end_line=line,
                type=type_,
                visibility="private",
            )
