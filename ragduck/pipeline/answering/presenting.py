"""Write an answer without a model: the evidence itself, short enough for a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ragduck.pipeline.answering.evidence import block_numbers
from ragduck.pipeline.retrieval.asked_edges import AskedEdges, asked_edges, lines_asked_for
from ragduck.pipeline.retrieval.graph_lines import DATABASE_KINDS, GraphLine, graph_lines
from ragduck.pipeline.state import EvidenceBlock, State
from ragduck.search.citations import fence_of
from ragduck.search.neighbourhood import Neighbourhood
from ragduck.search.snippets import snippet_of
from ragduck.shell import quote

MAX_LINES_OF_GROUP = 8
MAX_LINES_ASKED_FOR = 30
MAX_NAMED = 3  # of the texts that were left out
WHOLE_TEXT = 25  # lines of a text that is shown whole; of longer ones
SNIPPET = 16  # lines that say most about the question
MINOR_KINDS = ("PROPERTY", "FIELD", "FILE", "MIGRATION")
KEY = re.compile(r"\S+\|[A-Z_]+")
TYPES = {
    "how_implemented": "How something is implemented",
    "where_is": "Where something is",
    "impact": "What a change would touch",
    "usage": "Who uses something",
    "bug": "Why something goes wrong",
    "compare": "How things differ",
    "list": "A list",
}
SIDES = {"code": "in the code", "db": "in the database", "mixed": "in code and database"}
NOUNS = {
    ("in", "Calls", "Executes"): "callers",
    ("in", "ReadsFrom"): "readers",
    ("in", "WritesTo"): "writers",
}
MAX_NODES_OF_COMMAND = 120  # that `ragduck graph` shows by itself
GROUPS = ("Database", "Code", "Between code and database")


def extractive_answer(state: State, *, total: int | None = None) -> str:
    """Return the evidence as Markdown: what was understood, entry points, relations, texts, gaps.

    ``total`` is how many edges the graph has that are asked for, where the walk was cut and may lack some.
    """
    relations = _relations(state, total)
    sections = [_understood(state), _entry_points(state), relations, _texts(state), _gaps(state)]
    return "\n\n".join(section for section in sections if section)


def _understood(state: State) -> str:
    understanding = state.understanding
    if understanding is None:
        return ""
    concepts = (
        ", ".join(f"**{plain(concept)}**" for concept in understanding.concepts) or "the question as a whole"
    )
    return f"{TYPES.get(understanding.type, 'What there is')}, {SIDES[understanding.domain]}: {concepts}."


def _entry_points(state: State) -> str:
    places = (
        {node.node_key: node.location for node in state.neighbourhood.nodes} if state.neighbourhood else {}
    )
    for hit in reversed(state.hits):
        key = str(hit["id"] if hit["data_type"] == "docs" else hit["node_key"])
        places[key] = places.get(key) or str(hit["location"])
    numbers = _numbers_by_key(state.evidence)
    lines = [
        f"- {_code(key)}{_cited(numbers.get(key))}\n  {places.get(key) or ''}".rstrip()
        for key in state.entry_nodes
    ]
    return "\n".join(["## Entry points", "", *lines]) if lines else ""


def _relations(state: State, total: int | None) -> str:
    if state.neighbourhood is None:
        return ""
    wanted, is_cut = asked_edges(state), state.neighbourhood.is_cut
    asked = lines_asked_for(state.neighbourhood, wanted)
    groups = grouped_lines(state.neighbourhood, asked=asked)
    numbers = {name: sum(line in asked for line in lines) for name, lines in groups.items()}
    parts = [
        "\n".join([f"**{name}**", "", *_shown(lines, asked=numbers[name], is_cut=is_cut)])
        for name, lines in sorted(groups.items(), key=lambda group: not numbers[group[0]])
        if lines
    ]
    told = _told_number(wanted, sum(min(number, MAX_LINES_ASKED_FOR) for number in numbers.values()), total)
    cited = _cited(_numbers_by_key(state.evidence).get("graph"))
    return "\n\n".join([f"## How it hangs together{cited}", *told, *parts]) if parts else ""


def _shown(lines: Sequence[GraphLine], *, asked: int, is_cut: bool) -> Iterator[str]:
    """Yield the first lines of a group, and how many more there are; of a walk that was cut nobody knows that."""
    limit = min(asked, MAX_LINES_ASKED_FOR) or MAX_LINES_OF_GROUP
    yield from (f"- {_arrowed(line.text)}" for line in lines[:limit])
    left = len(lines) - limit
    if left > 0:
        is_one = left == 1 and not is_cut
        what = "more" if asked != limit else f"other relation{'' if is_one else 's'}"
        yield f"- … and {what}" if is_cut else f"- … and {left} {what}"


def _told_number(wanted: AskedEdges, shown: int, total: int | None) -> Iterator[str]:
    """Yield how many of the edges that are asked for are shown, and how to see all, where some are not."""
    if total is None or shown >= total:
        return
    named = " ".join(map(quote, wanted.keys))
    relations, way = wanted.asked.relations, wanted.asked.direction
    if relations == {"Calls", "Executes"} and way != "both":
        asked = "--callers" if way == "in" else "--callees"
    else:
        asked = " ".join([*(f"-r {name}" for name in sorted(relations)), f"--direction {way}"])
    nodes = f" --max-nodes {total + len(wanted.keys)}" if total >= MAX_NODES_OF_COMMAND else ""
    what = NOUNS.get((way, *sorted(relations)), "relations")
    yield f"{shown} of {total} {what}; all: {_code(f'ragduck graph STORE {named} {asked} --depth 1{nodes}')}"


def grouped_lines(
    neighbourhood: Neighbourhood, *, asked: Sequence[GraphLine] = ()
) -> dict[str, list[GraphLine]]:
    """Return the lines about relations by the side of the system that both ends are on, those asked for first."""
    groups: dict[str, list[GraphLine]] = {name: [] for name in GROUPS}
    told = {line.edge_no for line in asked}
    others = [line for line in graph_lines(neighbourhood) if line.edge_no is None or line.edge_no not in told]
    for line in (*asked, *others):
        if line.is_start or line.other_kind is None:
            continue
        sides = {line.kind in DATABASE_KINDS, line.other_kind in DATABASE_KINDS}
        groups[
            "Between code and database" if len(sides) == 2 else GROUPS[0] if True in sides else GROUPS[1]
        ].append(line)
    first = set(asked)
    return {
        name: sorted(lines, key=lambda line: (line not in first, line.is_test, _is_minor(line)))
        for name, lines in groups.items()
    }


def _is_minor(line: GraphLine) -> bool:
    return line.kind in MINOR_KINDS or line.other_kind in MINOR_KINDS


def _texts(state: State) -> str:
    numbers = block_numbers(state.evidence)
    texts = [
        _text(block, number, asked=_asked(state))
        for block, number in zip(state.evidence, numbers, strict=True)
        if block.kind != "graph"
    ]
    return "\n\n".join(["## Texts", *texts]) if texts else ""


def _text(block: EvidenceBlock, number: int | None, *, asked: str) -> str:
    if number is None:
        return block.text
    text, left_out = _shown_lines(block, asked)
    fence = fence_of(text)
    place = f"{block.location} ({block.branch})" if block.branch else block.location
    more = f"\n{left_out}" if left_out else ""
    return f"[{number}] {_code(block.key)} {place}\n{fence}{block.language or ''}\n{text}\n{fence}{more}"


def _asked(state: State) -> str:
    understanding = state.understanding
    words = (*understanding.concepts, *understanding.synonyms) if understanding else ()
    return " ".join(words) or state.question_en or state.question


def _shown_lines(block: EvidenceBlock, asked: str) -> tuple[str, str]:
    """Return the text, of a long one the lines that say most about the question, and a line about the others."""
    lines = block.text.split("\n")
    if len(lines) <= WHOLE_TEXT:
        return block.text, ""
    snippet = snippet_of({"text": block.text, "start_line": 1}, asked, max_lines=SNIPPET)
    shown = lines[snippet.before : len(lines) - snippet.after]
    left = f"({snippet.before} lines before and {snippet.after} after these: `ragduck show STORE '{block.location}'`)"
    return "\n".join(shown), left


def _gaps(state: State) -> str:
    lines = [f"- {gap}" for gap in state.gaps]
    return "\n".join(["## What is missing", "", *lines]) if lines else ""


def found_gaps(state: State, *, has_model: bool) -> Iterator[str]:
    """Yield what an answer lacks: a side of the system, code that is no test, texts for want of room, a model."""
    yield from missing_sides(state)
    if state.skipped:
        yield f"Left out for want of room: {_some(state.skipped)}."
    if not has_model:
        yield "No language model is configured: this is the evidence itself, not an explanation."


def missing_sides(state: State) -> Iterator[str]:
    """Yield what the graph around the entry points lacks: a side of the system, code that is no test, its rest."""
    nodes = state.neighbourhood.nodes if state.neighbourhood else ()
    domain = state.understanding.domain if state.understanding else "mixed"
    in_database = any(node.kind in DATABASE_KINDS for node in nodes)
    in_code = any(node.kind not in DATABASE_KINDS for node in nodes)
    if not nodes and _is_documentation(state):
        yield "Only documentation was found: no code and no database object."
    elif nodes and not in_database and domain != "code":
        yield "No database object was found that belongs to it."
    elif nodes and not in_code and domain != "db":
        yield "No code was found that belongs to it."
    if nodes and all(node.role == "TEST" for node in nodes if not node.is_external):
        yield "It was found only in test code."
    if state.neighbourhood is not None and state.neighbourhood.is_cut:
        yield "The graph goes on: the walk ended at its limit of nodes."


def _is_documentation(state: State) -> bool:
    docs = {str(hit["id"]) for hit in state.hits if hit["data_type"] == "docs"}
    return all(block.key in docs for block in state.evidence)


def _numbers_by_key(evidence: Sequence[EvidenceBlock]) -> dict[str, int]:
    numbered = zip(evidence, block_numbers(evidence), strict=True)
    return {block.key: number for block, number in reversed(list(numbered)) if number is not None}


def _cited(number: int | None) -> str:
    return f" [{number}]" if number else ""


def _arrowed(text: str) -> str:
    """Return a line of the graph with short names: `InvoiceRepository.CancelAsync` says enough to find the place."""
    return KEY.sub(lambda key: short_name(key[0]), " ".join(text.split()))


def short_name(key: str) -> str:
    """Return the last two parts of a key's name, of a file its path."""
    name = key.partition("|")[0]
    if name.startswith("file:"):
        return name.removeprefix("file:")
    return ".".join(name.rpartition(":")[2].rsplit(".", 2)[-2:])


def _some(keys: Sequence[str]) -> str:
    """Name the first of some keys, and count the others: all of them are in the trace and in the JSON."""
    named = ", ".join(_code(key) for key in keys[:MAX_NAMED])
    more = len(keys) - MAX_NAMED
    return f"{named} and {more} more" if more > 0 else named


def _code(name: str) -> str:
    """Return a name as Markdown's code, whatever characters it has."""
    line = " ".join(name.split())
    return f"`{line}`" if "`" not in line else f"`` {line} ``"


def plain(text: str) -> str:
    """Return a text on one line without marks of Markdown."""
    return " ".join(text.split()).replace("*", "").replace("`", "")
