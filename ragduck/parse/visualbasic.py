"""Outline Visual Basic: it is read as the C# that says the same on the same lines."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace

from ragduck.facts import MODULE, FileFacts, ViewFact
from ragduck.model import Document, Outline, ParseProblem, Symbol
from ragduck.parse import csharp
from ragduck.parse.outliner import SIGNATURE_LENGTH, join
from ragduck.parse.vb.declarations import GLOBAL
from ragduck.parse.vb.source import Translation, translated

HANDLES, HANDLES_OWN = "handles", "handles own"  # an event of a control, or of the page itself
_OWN = frozenset(("me", "mybase", "myclass", "page"))
_ATTRIBUTES = re.compile(r"^(?:<[^<>]{0,500}>\s*_?\s*)+")
_COMMENT = re.compile(r"""^((?:[^"']|"[^"]*")*)'.*$""")
_SHOWN = 60  # characters of a line that cannot be read


def outline(document: Document) -> Outline:
    """Outline a file of Visual Basic and read its facts, which are those of C#."""
    translation = translated(document.text)
    scope = _scope(document.root_namespace, translation.namespaces)
    found = csharp.outline(replace(document, text=translation.text, language="csharp"), scope=scope)
    lines = document.lines
    heads = _Heads(translation, lines)
    return Outline(
        tuple(heads.written(symbol) for symbol in found.symbols),
        tuple(_problem(problem, lines) for problem in found.problems),
        _facts(found.facts, document, translation, scope=scope) if found.facts is not None else None,
    )


def _scope(root: str, namespaces: tuple[str, ...]) -> str:
    """Return the namespace of the project, unless the file names its namespaces in full."""
    beginnings = (f"{GLOBAL}.", f"{root}.".lower())
    is_full = any(f"{name}.".lower().startswith(beginnings) for name in namespaces)
    return "" if is_full else root


def _facts(facts: FileFacts, document: Document, translation: Translation, *, scope: str) -> FileFacts:
    """Add what C# has no words for: modules, whose members are open to their namespace, and `Handles` clauses."""
    modules = {join(scope, name) for name in translation.modules}
    types = [
        one._replace(modifiers=one.modifiers | {MODULE}) if one.qualified_name in modules else one
        for one in facts.types
    ]
    views = [
        ViewFact(name, HANDLES_OWN if _is_own(event) else HANDLES, line)
        for name, line, events in translation.handled
        for event in events
    ]
    return facts._replace(types=tuple(types), views=(*facts.views, *views), lines=document.last_line)


def _is_own(event: str) -> bool:
    return event.partition(".")[0].lower() in _OWN


def _problem(problem: ParseProblem, lines: list[str]) -> ParseProblem:
    """Show the line as it is written."""
    if problem.passing or not 1 <= problem.line <= len(lines):
        return problem
    return replace(problem, message=f"cannot read: {' '.join(lines[problem.line - 1].split())[:_SHOWN]}")


class _Heads:
    """Give symbols the signatures that stand in the source."""

    def __init__(self, translation: Translation, lines: list[str]) -> None:
        self._heads = translation.heads
        self._firsts = [first for first, _ in translation.heads]
        self._lines = lines

    def written(self, symbol: Symbol) -> Symbol:
        """Return a symbol, and those within it, with what declares it."""
        at = bisect_left(self._firsts, symbol.start_line)
        children = tuple(self.written(child) for child in symbol.children)
        if at == len(self._heads) or self._firsts[at] > symbol.end_line:
            return replace(symbol, children=children)
        return replace(symbol, children=children, signature=self._signature(*self._heads[at]))

    def _signature(self, first: int, last: int) -> str:
        written = [_COMMENT.sub(r"\1", line).strip() for line in self._lines[first - 1 : last]]
        text = " ".join(" ".join(line.removesuffix(" _") for line in written).split())
        text = _ATTRIBUTES.sub("", text)
        return text if len(text) <= SIGNATURE_LENGTH else text[: SIGNATURE_LENGTH - 1] + "…"
