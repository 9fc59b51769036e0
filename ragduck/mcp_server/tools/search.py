"""Tool `search`: the chunks that answer a question best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragduck.known_values import unknown_values
from ragduck.mcp_server.answers import Hit, SearchData
from ragduck.mcp_server.arguments import SearchArguments
from ragduck.mcp_server.live_store import OpenStore
from ragduck.mcp_server.reply import Reply, cut, fitting, reply_text
from ragduck.mcp_server.settings import ANSWER_LETTERS
from ragduck.search import SearchAnswer, SearchRequest
from ragduck.search.explain import Explanation, explain
from ragduck.search.request import BranchStatus
from ragduck.search.snippets import snippet_of
from ragduck.visible_text import visible_line

SNIPPET_LINES = 6
LONGEST_TEXT = ANSWER_LETTERS // 2


def search(opened: OpenStore, arguments: SearchArguments) -> Reply:
    """Answer a question with as many results as fit."""
    answer = opened.store.search(
        arguments.query,
        mode=arguments.mode,
        top_k=arguments.top_k,
        filters=arguments.filters,
        where=arguments.where,
        relax=tuple(arguments.relax),
    )
    several = len(answer.status.branches) > 1
    hits = [
        _hit(result, rank=rank, request=answer.request, arguments=arguments, several=several)
        for rank, result in enumerate(answer.results, start=1)
    ]
    entries = ["\n".join(_lines(hit)) for hit in hits]
    shown = fitting(entries, letters=ANSWER_LETTERS)
    unknown = () if hits else unknown_values(opened.store, arguments.filters)
    notes = [*unknown, *_notes(answer)]
    if shown < len(hits):
        notes.append(
            f"{len(hits) - shown} more results do not fit: ask without full, or show them one by one"
        )
    said = f"{shown} result{'' if shown == 1 else 's'} ({answer.mode})"
    data = SearchData(mode=answer.mode, results=hits[:shown], notes=notes)
    return Reply(reply_text("\n".join(entries[:shown]), said=said, notes=notes), data)


def _hit(
    result: Mapping[str, Any],
    *,
    rank: int,
    request: SearchRequest,
    arguments: SearchArguments,
    several: bool,
) -> Hit:
    return Hit(
        rank=rank,
        id=result["id"],
        score=round(float(result["score"]), 4),
        location=result["location"],
        name=result["element_name"],
        type=result["element_type"],
        node_key=result["node_key"],
        repo=result["repo"] if several else None,
        branch=result["branch"] if several else None,
        snippet=None if arguments.full else _snippet(result, request.text),
        text=cut(result["text"], letters=LONGEST_TEXT) if arguments.full else None,
        explain=list(_parts(explain(result, request))) if arguments.explain else None,
    )


def _snippet(result: Mapping[str, Any], query: str) -> str:
    snippet = snippet_of(result, query, max_lines=SNIPPET_LINES)
    lines = [f"{line.number}: {line.text}".rstrip() for line in snippet.lines]
    return "\n".join([*(["…"] if snippet.before else []), *lines, *(["…"] if snippet.after else [])])


def _parts(explanation: Explanation) -> Iterator[str]:
    for part in explanation.parts:
        value = f" {part.value:+.4f}" if part.value is not None else ""
        rank = f", rank {part.rank}" if part.rank is not None else ""
        yield f"{part.side}{value} ({part.formula}{rank})"
    yield f"importance {explanation.importance:g}"


def _lines(hit: Hit) -> Iterator[str]:
    place = f" [{hit.repo}, {hit.branch}]" if hit.repo else ""
    yield visible_line(f"{hit.rank}. {hit.name} ({hit.type}) — {hit.location}{place}  score {hit.score:g}")
    yield visible_line(f"   key {hit.node_key}  id {hit.id}")
    yield from (f"   {part}" for part in hit.explain or ())
    yield from (f"   {line}" for line in (hit.text or hit.snippet or "").split("\n"))


def _notes(answer: SearchAnswer) -> Iterator[str]:
    status = answer.status
    if status.qualifying is not None and status.qualifying < status.requested:
        yield f"only {status.qualifying:,} chunks qualify for these filters"
    if status.relaxed:
        yield f"gave up the filter {', '.join(status.relaxed)}"
    if not answer.results:
        yield "nothing was found: try other words, mode bm25 with an identifier, or fewer filters"
    yield from status.notes
    yield from stale_notes(status.branches)


def stale_notes(branches: tuple[BranchStatus, ...]) -> Iterator[str]:
    """Yield what to know of branches whose checkout has another commit than the store."""
    for branch in branches:
        if branch.checkout_moved:
            yield f"stale: {branch.repo}, {branch.branch} has another commit now; files on disk may differ"
