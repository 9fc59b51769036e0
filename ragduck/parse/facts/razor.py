"""Read facts off Razor: the file is a type, code blocks give its members, markup what it calls and names."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from tree_sitter import Node

from ragduck.facts import FileFacts, MemberFact, TypeFact
from ragduck.model import Document, Symbol
from ragduck.parse.csharp import GRAMMAR
from ragduck.parse.facts.csharp import csharp_facts
from ragduck.parse.facts.csharp_expressions import EXPRESSIONS
from ragduck.parse.facts.csharp_reader import Reader
from ragduck.parse.facts.csharp_statements import LOCAL_FUNCTION, STATEMENTS
from ragduck.parse.facts.declared import DeclarationOutliner, Declared, Reading
from ragduck.parse.facts.razor_code import method_body
from ragduck.parse.facts.razor_markup import Markup, called_views, imports
from ragduck.parse.razor_blocks import Block
from ragduck.parse.treesitter import encode, parse

LANGUAGE = "razor"

WRAPPER = "class Members{"
METHOD = "class Page{void Render(){"

_COMMENT = re.compile(r"@\*.*?(?:\*@|\Z)", re.DOTALL)


class Piece(NamedTuple):
    """Code of a class that begins on a row."""

    row: int
    text: str


def razor_facts(document: Document, blocks: list[Block], *, component: Symbol) -> FileFacts:
    """Read the facts of one file, of which the outline knows the component and its code blocks."""
    markup = Markup(document.text, is_component=component.element_type == "component")
    key = f"{LANGUAGE}:{component.qualified_name}|TYPE"
    body = _Body(method_body(document.text, blocks), key=key)
    pieces = sorted((*_member_blocks(document.text, blocks), *body.functions))
    members = _member_facts(document, pieces, component=component, key=key)
    statements = members.statements.unpacked().joined(body.reader.found())
    return members._replace(
        language=LANGUAGE,
        imports=tuple(imports(markup)),
        types=(_type_fact(component, markup, key=key), *members.types),
        members=(*_injected(component, markup, key=key), *members.members),
        statements=statements,
        views=(*markup.views(), *called_views(statements.calls)),
    )


class _Body:
    """The markup's own code, read as one method; ``functions`` are those that it declares for itself."""

    def __init__(self, code: str, *, key: str) -> None:
        source = encode(f"{METHOD}{code}}}}}")
        self.reader = Reader(source, expressions=EXPRESSIONS, statements=STATEMENTS)
        self.reader.begin(key, known={})
        self.functions: list[Piece] = []
        tree = parse(source, GRAMMAR.language)
        block = _first(tree.root_node, "block") if tree is not None else None
        for child in block.named_children if block is not None else ():
            if child.type == LOCAL_FUNCTION:
                text = source[child.start_byte : child.end_byte].decode("utf-8", "replace")
                self.functions.append(Piece(child.start_point.row, text))
            else:
                self.reader.run(child)


def _first(root: Node, kind: str) -> Node | None:
    """Find the first node of a kind, outermost first."""
    pending = deque([root])
    while pending:
        node = pending.popleft()
        if node.type == kind:
            return node
        pending.extend(node.named_children)
    return None


def _member_blocks(text: str, blocks: list[Block]) -> Iterator[Piece]:
    """Yield the code of `@code` and `@functions`, Razor's own comments left out."""
    for block in blocks:
        if block.holds_members:
            code = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text[block.start : block.end])
            yield Piece(text.count("\n", 0, block.start), code)


def _member_facts(document: Document, pieces: list[Piece], *, component: Symbol, key: str) -> FileFacts:
    """Read all code blocks as one class, each at its own lines."""
    empty = FileFacts(
        document.path, LANGUAGE, document.file_class, document.project, lines=document.last_line
    )
    code, row = [WRAPPER], 0
    for piece in pieces:
        code.append("\n" * (piece.row - row))
        code.append(piece.text)
        row = max(row, piece.row) + piece.text.count("\n")
    source = encode("".join((*code, "}")))
    tree = parse(source, GRAMMAR.language) if pieces else None
    wrapper = _first(tree.root_node, "class_declaration") if tree is not None else None
    body = wrapper.child_by_field_name("body") if wrapper is not None else None
    if tree is None or wrapper is None or body is None:
        return empty
    outliner = DeclarationOutliner(source, GRAMMAR, language=LANGUAGE)
    outliner.symbols(body, scope=component.qualified_name, container="class")
    owner = _declared(component, wrapper, key=key)
    declared = {
        number: one if one.owner is not None else replace(one, owner=owner)
        for number, one in outliner.declared.items()
    }
    scope = component.qualified_name
    return csharp_facts(Reading(document, source, tree, scope, LANGUAGE, declared))


def _declared(component: Symbol, node: Node, *, key: str) -> Declared:
    return Declared(
        node=node,
        key=key,
        name=component.name,
        qualified_name=component.qualified_name,
        scope=component.qualified_name.rpartition(".")[0],
        element_type=component.element_type,
        kind="TYPE",
        visibility="public",
    )


def _type_fact(component: Symbol, markup: Markup, *, key: str) -> TypeFact:
    words = list(markup.directives())
    return TypeFact(
        key=key,
        name=component.name,
        qualified_name=component.qualified_name,
        scope=component.qualified_name.rpartition(".")[0],
        element_type=component.element_type,
        line=1,
        end_line=component.end_line,
        bases=tuple(rest for word, rest, _ in words if word in ("inherits", "implements") and rest),
        type_parameters=tuple(rest.split()[0] for word, rest, _ in words if word == "typeparam" and rest),
    )


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
