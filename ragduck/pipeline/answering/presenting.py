"""Write an answer without a model: the evidence itself, short enough for a terminal."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from ragduck.pipeline.answering.asked_numbers import MAX_NODES_OF_COMMAND, asked_answer
from ragduck.pipeline.answering.column_lines import lines_naming, told_of_column
from ragduck.pipeline.answering.evidence import block_numbers
from ragduck.pipeline.answering.names import code, plain, short_name
from ragduck.pipeline.answering.reaching_lines import told_of_endings, told_of_reached
from ragduck.pipeline.answering.way_lines import told_of_way
from ragduck.pipeline.retrieval.asked_edges import asked_edges, further_dependents
from ragduck.pipeline.retrieval.graph_lines import DATABASE_KINDS, GraphLine, graph_lines
from ragduck.pipeline.state import EvidenceBlock, State
from ragduck.search.citations import fence_of
from ragduck.search.neighbourhood import GraphNode, Neighbourhood
from ragduck.search.snippets import snippet_of
from ragduck.shell import quote
from ragduck.visible_text import visible_line

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
TITLE, TITLE_OF_REST = "How it hangs together", "What else is around it"
TITLE_OF_FURTHER = "What depends on those in turn"
NO_MODEL = "No language model is configured: this is the evidence itself, not an explanation."
GROUPS = ("Database", "Code", "Between code and database")


def extractive_answer(state: State, *, total: int | None = None) -> str:
    """Return the evidence as Markdown: what was understood, entry points, relations, texts, gaps.

    ``total`` is how many edges the graph has that are asked for, as a walk that was cut may lack some.
    """
    relations = _relations(state, total)
    sections = [
        _understood(state),
        _entry_points(state),
        _naming_column(state),
        _reaching(state),
        _way(state),
        relations,
        _endings(state),
        _texts(state),
        _gaps(state),
    ]
    return "\n\n".join(section for section in sections if section)


def _understood(state: State) -> str:
    understanding = state.understanding
    if understanding is None:
        return ""
    concepts = (
        ", ".join(
            dict.fromkeys(f"**{plain(concept.partition('|')[0])}**" for concept in understanding.concepts)
        )
        or "the question as a whole"
    )
    return f"{TYPES.get(understanding.type, 'What there is')}, {SIDES[understanding.domain]}: {concepts}."


def _entry_points(state: State) -> str:
    nodes = state.neighbourhood.nodes if state.neighbourhood else ()
    places = {node.node_key: _place_of(node) for node in nodes}
    for hit in reversed(state.hits):
        key = str(hit["id"] if hit["data_type"] == "docs" else hit["node_key"])
        places[key] = places.get(key) or str(hit["location"])
    numbers = _numbers_by_key(state.evidence)
    lines = [
        f"- {code(key)}{_cited(numbers.get(key))}\n  {visible_line(places.get(key) or '')}".rstrip()
        for key in state.entry_nodes
    ]
    return "\n".join(["## Entry points", "", *lines]) if lines else ""


def _place_of(node: GraphNode) -> str | None:
    """Return where a node is defined; of one that no file defines what maps to it, and that nothing defines it."""
    if not node.is_external:
        return node.location
    mapped = f"mapped at {node.mapping}, " if node.mapping else ""
    return f"{mapped}defined nowhere in the store"


def _naming_column(state: State) -> str:
    """Return what names the column that the question names, where it names one."""
    if state.neighbourhood is None or state.column is None:
        return ""
    lines = lines_naming(state.neighbourhood, state.column)
    parts = [*told_of_column(state.column), *_shown_groups(_by_side(lines), lines, is_cut=False)]
    return "\n\n".join([f"## What names {code(state.column.column)}", *parts])


def _reaching(state: State) -> str:
    """Return what reaches the thing that the question names, where it asks for endpoints, pages, jobs or tests."""
    told = list(told_of_reached(state))
    return "\n\n".join(["## What reaches it", *told]) if told else ""


def _endings(state: State) -> str:
    """Return where a change is noticed, where a question asks what breaks."""
    told = list(told_of_endings(state.endings)) if state.endings else []
    return "\n\n".join(["## Where it is noticed", told[0], "\n".join(told[1:])]) if told else ""


def _way(state: State) -> str:
    """Return the way between two things, where the question asks for one."""
    return "\n\n".join(["## How one leads to the other", *told_of_way(state.way)]) if state.way else ""


def _relations(state: State, total: int | None) -> str:
    """Return what the graph knows: what is asked for of a named thing first, the rest under a title of its own."""
    if state.neighbourhood is None:
        return ""
    wanted, is_cut = asked_edges(state), state.neighbourhood.is_cut
    asked = asked_answer(state.neighbourhood, wanted, total=total, most=MAX_LINES_ASKED_FOR)
    told = lines_naming(state.neighbourhood, state.column) if state.column else []
    cited = _cited(_numbers_by_key(state.evidence).get("graph"))
    if not asked.told:
        others = _others(state.neighbourhood, (*asked.lines, *told))
        groups = _by_side((*asked.lines, *others), first=asked.lines)
        parts = list(_shown_groups(groups, asked.lines, is_cut=is_cut))
        return "\n\n".join([f"## {TITLE}{cited}", *parts]) if parts else ""
    first = _by_side(asked.lines[:MAX_LINES_ASKED_FOR])
    rest = _others(state.neighbourhood, (*asked.lines, *asked.same, *told))
    further = further_dependents(state.neighbourhood, wanted, rest)
    parts = [f"## {TITLE}{cited}", *asked.told, *_shown_groups(first, asked.lines, is_cut=False)]
    for title, lines in (
        (TITLE_OF_FURTHER, further),
        (TITLE_OF_REST, [line for line in rest if line not in further]),
    ):
        around = list(_shown_groups(_by_side(lines), (), is_cut=is_cut))
        parts += [f"## {title}{cited}", *around] if around else []
    return "\n\n".join(parts)


def _shown_groups(
    groups: Mapping[str, Sequence[GraphLine]], asked: Sequence[GraphLine], *, is_cut: bool
) -> Iterator[str]:
    """Yield the groups that have lines, those with what is asked for first."""
    numbers = {name: sum(line in asked for line in lines) for name, lines in groups.items()}
    for name, lines in sorted(groups.items(), key=lambda group: not numbers[group[0]]):
        if lines:
            yield "\n".join([f"**{name}**", "", *_shown(lines, asked=numbers[name], is_cut=is_cut)])


def _shown(lines: Sequence[GraphLine], *, asked: int, is_cut: bool) -> Iterator[str]:
    """Yield the first lines of a group, and how many more there are; of a walk that was cut nobody knows that."""
    limit = min(asked, MAX_LINES_ASKED_FOR) or MAX_LINES_OF_GROUP
    yield from (f"- {_arrowed(line.text)}" for line in lines[:limit])
    left = len(lines) - limit
    if left > 0:
        is_one = left == 1 and not is_cut
        what = "more" if asked != limit else f"other relation{'' if is_one else 's'}"
        yield f"- … and {what}" if is_cut else f"- … and {left} {what}"


def _others(neighbourhood: Neighbourhood, asked: Sequence[GraphLine]) -> list[GraphLine]:
    told = {line.edge_no for line in asked}
    return [line for line in graph_lines(neighbourhood) if line.edge_no is None or line.edge_no not in told]


def _by_side(lines: Sequence[GraphLine], *, first: Collection[GraphLine] = ()) -> dict[str, list[GraphLine]]:
    """Return lines by the side of the system that both ends are on, some first, tests and small things last."""
    groups: dict[str, list[GraphLine]] = {name: [] for name in GROUPS}
    for line in lines:
        if line.is_start or line.other_kind is None:
            continue
        sides = {line.kind in DATABASE_KINDS, line.other_kind in DATABASE_KINDS}
        groups[
            "Between code and database" if len(sides) == 2 else GROUPS[0] if True in sides else GROUPS[1]
        ].append(line)
    put_first = set(first)
    return {
        name: sorted(lines, key=lambda line: (line not in put_first, line.is_test, _is_minor(line)))
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
    place = visible_line(f"{block.location} ({block.branch})" if block.branch else str(block.location))
    more = f"\n{left_out}" if left_out else ""
    if block.elsewhere:
        more += (
            f"\n(more of it at {_some(block.elsewhere)}: {code(f'ragduck show STORE {quote(block.key)}')})"
        )
    return f"[{number}] {code(block.key)} {place}\n{fence}{block.language or ''}\n{text}\n{fence}{more}"


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
    command = code(f"ragduck show STORE '{block.location}'")
    left = f"({snippet.before} lines before and {snippet.after} after these: {command})"
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
        yield NO_MODEL


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
    yield from _rest_of_graph(state)


def _rest_of_graph(state: State) -> Iterator[str]:
    """Yield how to see more of a walk that was cut; where what is asked for is counted, that says it."""
    if state.neighbourhood is None or not state.neighbourhood.is_cut or asked_edges(state).is_counted:
        return
    keys = [node.node_key for node in state.neighbourhood.nodes if node.node_key in state.entry_nodes]
    number = len(state.neighbourhood.nodes)
    nodes = f" --max-nodes {2 * number}" if number >= MAX_NODES_OF_COMMAND else ""
    more = f": {code(f'ragduck graph STORE {quote(keys[0])}{nodes}')} goes on from the first" if keys else ""
    yield f"The graph goes on beyond the {number} nodes that were looked at{more}."


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


def _some(keys: Sequence[str]) -> str:
    """Name the first of some keys, and count the others: all of them are in the trace and in the JSON."""
    named = ", ".join(code(key) for key in keys[:MAX_NAMED])
    more = len(keys) - MAX_NAMED
    return f"{named} and {more} more" if more > 0 else named
