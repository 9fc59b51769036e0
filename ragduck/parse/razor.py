"""Outline Razor pages and components: the file is a type, the members of its C# blocks are children."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace

from ragduck.facts import MemberFact
from ragduck.model import Document, Outline, ParseProblem, Symbol
from ragduck.parse.csharp import GRAMMAR
from ragduck.parse.facts.razor import razor_facts
from ragduck.parse.grammar import KINDS
from ragduck.parse.outliner import LONG_ROWS, SIGNATURE_LENGTH, Outliner, qualify_path
from ragduck.parse.razor_blocks import Block, find_blocks
from ragduck.parse.treesitter import beyond_reading, encode, parse, problems_of

CUT_DISTANCE = 20  # lines between the cuts of markup, about

_DIRECTIVE = re.compile(r"^@(?:page|model|inherits|layout)\b[^\n]*", re.MULTILINE)
_PAGE = re.compile(r"^@page\b", re.MULTILINE)
_MARKUP = re.compile(r"^[ \t]*+[<@]|@<", re.MULTILINE)
_COMMENT = re.compile(r"@\*.*?(?:\*@|\Z)", re.DOTALL)
_WRAPPER = "Members"


def outline(document: Document) -> Outline:
    """Outline a Razor file and read its facts; code that cannot be told from markup stays markup."""
    text = document.text
    blocks, unclosed = find_blocks(text)
    name = qualify_path(document.path)
    children, problems = children_of(document, blocks, name=name)
    if unclosed is not None:
        line = text.count("\n", 0, unclosed) + 1
        problems = (ParseProblem(document.path, line, "code block without closing brace"), *problems)[:1]
    signature = " ".join(" ".join(match[0].split()) for match in _DIRECTIVE.finditer(text))
    element_type = _element_type(document)
    component = markup_symbol(document, children, name=name, element_type=element_type, signature=signature)
    facts = razor_facts(document, blocks, component=component)
    return Outline((_with_helpers(component, facts.members, document.lines),), problems, facts)


def markup_symbol(
    document: Document, children: tuple[Symbol, ...], *, name: str, element_type: str, signature: str
) -> Symbol:
    """Return the type that a file of markup is, with the members of its code."""
    kind, member_kind = KINDS[element_type]
    lines = document.lines
    last = len(lines) - 1 if len(lines) > 1 and not lines[-1] else len(lines)
    return Symbol(
        name=name.rpartition(".")[2],
        qualified_name=name,
        element_type=element_type,
        start_line=1,
        end_line=last,
        signature=signature[:SIGNATURE_LENGTH],
        visibility="public",
        member_kind=member_kind,
        kind=kind,
        cuts=markup_cuts(lines, children) if last > LONG_ROWS else (),
        children=children,
    )


def _element_type(document: Document) -> str:
    if document.path.lower().endswith(".razor"):
        return "component"
    return "page" if _PAGE.search(document.text) else "view"


def children_of(
    document: Document, blocks: list[Block], *, name: str
) -> tuple[tuple[Symbol, ...], tuple[ParseProblem, ...]]:
    """Read members and local functions in order; only pure C# can be blamed for not being C#."""
    found: list[Symbol] = []
    problems: list[ParseProblem] = []
    for block, line in zip(blocks, _lines_of(document.text, blocks), strict=True):
        symbols, problem = _read_block(document, block, line=line, scope=name)
        found.extend(symbols)
        problems.extend(problem)
    return tuple(found), tuple(problems[:1])


def _lines_of(text: str, blocks: list[Block]) -> list[int]:
    """Return how many line ends precede each block."""
    ends = [match.start() for match in re.finditer("\n", text)] if blocks else []
    return [bisect_right(ends, block.start - 1) for block in blocks]


def _read_block(
    document: Document, block: Block, *, line: int, scope: str
) -> tuple[tuple[Symbol, ...], tuple[ParseProblem, ...]]:
    """Parse a block, for members with a class around them; what is found is moved to the lines of the file."""
    inside = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), document.text[block.start : block.end])
    opening, closing = (f"class {_WRAPPER}{{", "}") if block.holds_members else ("", "")
    source = encode(opening + inside + closing)
    tree = parse(source, GRAMMAR.language)
    if tree is None:
        return (), (beyond_reading(document.path, line + 1),)
    root = tree.root_node
    body = root
    if block.holds_members:
        wrapper = next((child for child in root.children if child.type == "class_declaration"), None)
        body = (wrapper.child_by_field_name("body") if wrapper is not None else None) or root
    container = "class" if block.holds_members else ""
    symbols = Outliner(source, GRAMMAR).symbols(body, scope=scope, container=container)
    is_plain = block.holds_members and not _MARKUP.search(inside)
    problems = problems_of(root, path=document.path, source=source) if is_plain else ()
    return (
        tuple(_moved(one, by=line) for one in symbols),
        tuple(replace(one, line=one.line + line) for one in problems),
    )


def _moved(symbol: Symbol, *, by: int) -> Symbol:
    return replace(
        symbol,
        start_line=symbol.start_line + by,
        end_line=symbol.end_line + by,
        cuts=tuple(cut + by for cut in symbol.cuts),
        children=tuple(_moved(child, by=by) for child in symbol.children),
    )


def _with_helpers(component: Symbol, members: tuple[MemberFact, ...], lines: list[str]) -> Symbol:
    """Add the functions that are made of markup, as helpers are: only who reads that knows where they end."""
    known = {child.qualified_name for child in component.children}
    helpers = [
        _helper(member, component, lines)
        for member in members
        if member.element_type == "method" and f"{component.qualified_name}.{member.name}" not in known
    ]
    if not helpers:
        return component
    kept: list[Symbol] = []
    for one in sorted((*component.children, *helpers), key=lambda one: (one.start_line, -one.end_line)):
        if not kept or one.start_line >= kept[-1].end_line:
            kept.append(one)
    return replace(component, children=tuple(kept))


def _helper(member: MemberFact, component: Symbol, lines: list[str]) -> Symbol:
    kind, member_kind = KINDS["function"]
    parameters = ", ".join(f"{one.type} {one.name}" for one in member.parameters)
    is_long = member.end_line - member.line > LONG_ROWS
    cuts = markup_cuts(lines[: member.end_line], ()) if is_long else ()
    return Symbol(
        name=member.name,
        qualified_name=f"{component.qualified_name}.{member.name}",
        element_type="function",
        start_line=member.line,
        end_line=member.end_line,
        signature=f"{member.name}({parameters})"[:SIGNATURE_LENGTH],
        visibility=member.visibility,
        member_kind=member_kind,
        kind=kind,
        cuts=tuple(cut for cut in cuts if member.line < cut < member.end_line),
    )


def markup_cuts(lines: list[str], children: tuple[Symbol, ...]) -> tuple[int, ...]:
    """Cut markup about every 20 lines: after a blank line or before what stands at the margin."""
    inside = {line for child in children for line in range(child.start_line + 1, child.end_line + 1)}
    cuts: list[int] = []
    last = 1
    for number, line in enumerate(lines[1:], start=2):
        if number - last < CUT_DISTANCE or not line.strip() or number in inside:
            continue
        overdue = number - last >= 2 * CUT_DISTANCE and line.lstrip()[0] in "<@"
        if overdue or not lines[number - 2].strip() or (line[0] in "<@" and not line.startswith("</")):
            cuts.append(number)
            last = number
    return tuple(cuts)
