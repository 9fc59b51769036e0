"""Draw one result of a search for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from ragduck.cli.output import visible_line
from ragduck.search.explain import Explanation, ScorePart, explain
from ragduck.search.snippets import Snippet, SnippetLine, snippet_of

if TYPE_CHECKING:
    from ragduck.search import SearchRequest


def hit_lines(
    number: int, result: Mapping[str, Any], request: SearchRequest, *, several: bool, explained: bool
) -> Iterator[str]:
    """Yield the header, the explanation if asked for, and the snippet with its matches in bold."""
    yield _header(number, result)
    if several:
        yield visible_line(f"   {result['repo']}, {result['branch']}")
    if explained:
        yield from _explanation_lines(explain(result, request))
    yield from _snippet_lines(snippet_of(result, request.text))


def _header(number: int, result: Mapping[str, Any]) -> str:
    name = click.style(visible_line(result["element_name"]), bold=True)
    kind = visible_line(result["element_type"])
    place = click.style(visible_line(result["location"]), fg="cyan")
    return f"{number}. {name} ({kind}) — {place}  [{result['score']:.4f}]"


def _explanation_lines(explanation: Explanation) -> Iterator[str]:
    width = max((len(part.side) for part in explanation.parts), default=0)
    for part in explanation.parts:
        value = f"{part.value:+9.4f}" if part.value is not None else " " * 9
        yield f"   {part.side:<{width}} {value}  {part.formula}{_place(part)}"
    yield f"   {'score':<{width}} {explanation.score:9.4f}  importance {explanation.importance:g}"


def _place(part: ScorePart) -> str:
    told = [f"rank {part.rank}"] if part.rank is not None else []
    told += [f"score {part.score:.4f}"] if part.score is not None else []
    return f" ({', '.join(told)})" if told else ""


def _snippet_lines(snippet: Snippet) -> Iterator[str]:
    width = len(str(snippet.lines[-1].number))
    if snippet.before:
        yield f"   {'⋮':>{width}}"
    for line in snippet.lines:
        yield f"   {click.style(f'{line.number:>{width}}', dim=True)}  {_highlighted(line)}".rstrip()
    if snippet.after:
        yield f"   {'⋮':>{width}}"


def _highlighted(line: SnippetLine) -> str:
    pieces: list[str] = []
    place = 0
    for start, end in line.spans:
        pieces.append(visible_line(line.text[place:start]))
        pieces.append(click.style(visible_line(line.text[start:end]), fg="yellow", bold=True))
        place = end
    return "".join(pieces) + visible_line(line.text[place:])
