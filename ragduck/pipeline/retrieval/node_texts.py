"""Texts of known nodes and chunks by identity, whole or not at all (seed 001, F.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, Literal

from ragduck.pipeline.answering.evidence import block_tokens
from ragduck.pipeline.prompting.tokens import Count
from ragduck.pipeline.state import EvidenceBlock
from ragduck.resources import sql_text
from ragduck.search.neighbourhood import GraphNode

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]
Order = Literal["seed_first", "graph_first", "balanced"]

SHORT_TYPE = 120  # lines of a type that is shown with its members
MOST_MEMBERS = 60  # chunks of such a type that are looked for
LARGEST_SHARE = 0.4  # of the budget that one text may take before its chunks that were hits are taken instead
LOOKED_AT = 3  # times top_n texts are fetched, as some may not fit
TYPE_KINDS = ("TYPE", "MIGRATION")
WITHOUT_TEXT = (
    "FILE",
    "INDEX",
    "FOREIGN_KEY",
    "SCHEMA",
)  # files are too long, the others stand in their table
CREATES_TABLE = re.compile(r"^\s*create\s+(?:\w+\s+)?table\b", re.IGNORECASE | re.MULTILINE)
MADE_WHOLE = ("PROC", "VIEW", "FUNC", "TRIGGER")
LANGUAGES: Mapping[str, str] = {
    "cs": "csharp",
    "py": "python",
    "ts": "typescript",
    "js": "javascript",
    "md": "markdown",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A text to fetch: by node key, or chunk id of documentation, and why."""

    key: str
    label: str
    node: GraphNode | None = None


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring lines of a file that belong to a key."""

    key: str
    repo: str
    branch: str
    source_file: str
    start_line: int
    end_line: int
    text: str
    file_type: str
    file_class: str = "source"
    elsewhere: tuple[str, ...] = ()
    is_change: bool = False

    @property
    def is_migration(self) -> bool:
        """Whether it stands in a file that changes a database from one state to the next."""
        return self.file_class == "migration"

    @property
    def comes_last(self) -> bool:
        """Whether it tells how something changed rather than what it is."""
        return self.is_migration or self.is_change

    @property
    def location(self) -> str:
        """Return `path:start-end`."""
        return f"{self.source_file}:{self.start_line}-{self.end_line}"

    def lies_in(self, other: Stretch) -> bool:
        """Whether another stretch shows all of its lines."""
        same = (self.repo, self.branch, self.source_file) == (other.repo, other.branch, other.source_file)
        return same and other.start_line <= self.start_line and self.end_line <= other.end_line


@dataclass(slots=True)
class Packed:
    """What fits a budget: blocks in order, and the keys of what does not."""

    blocks: list[EvidenceBlock] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    used: int = 0


def in_order(seeds: Sequence[Wanted], graph: Sequence[Wanted], order: Order) -> list[Wanted]:
    """Return what to fetch: entry points first, the rest of the graph first, or both by turns."""
    if order == "seed_first":
        both: Iterable[Wanted | None] = (*seeds, *graph)
    elif order == "graph_first":
        both = (*graph, *seeds)
    else:
        both = (wanted for pair in zip_longest(seeds, graph) for wanted in pair)
    kept: dict[str, Wanted] = {}
    for wanted in both:
        if wanted is not None:
            kept.setdefault(wanted.key, wanted)
    return list(kept.values())


def fetch(
    rows: Rows,
    wanted: Sequence[Wanted],
    *,
    hits: Sequence[Mapping[str, Any]],
    repo: str | None,
    branch: str | None,
) -> dict[str, list[Stretch]]:
    """Return the stretches of each key, with two statements for all; chunks that were hits are at hand."""
    by_id = {str(hit["id"]): [hit] for hit in hits}
    nodes = {one.key: one.node for one in wanted if one.key not in by_id}
    found: dict[str, list[Mapping[str, Any]]] = {one.key: list(by_id.get(one.key, [])) for one in wanted}
    parameters: dict[str, object] = {"keys": list(nodes), "repo": repo, "branch": branch}
    own = rows(sql_text("pipeline/chunks_of_nodes.sql"), parameters) if nodes else []
    ends = {key: _end_of_short_type(node) for key, node in nodes.items()}
    numbers = sorted({number for place in own for number in _numbers(place, ends[place["asked_key"]])})
    read = rows(sql_text("pipeline/chunks_by_number.sql"), {"numbers": numbers}) if numbers else []
    by_number = {row["chunk_no"]: row for row in read}
    for place in own:
        key = place["asked_key"]
        chunks = (by_number.get(number) for number in _numbers(place, ends[key]))
        found[key] += [chunk for chunk in chunks if chunk and _belongs(chunk, place, ends[key])]
    for hit in hits:
        if hit.get("holder") and hit["node_key"] in found and not found[hit["node_key"]]:
            found[hit["node_key"]] = [hit]
    return {key: list(stretches(chunks, key=key)) for key, chunks in found.items()}


def _end_of_short_type(node: GraphNode | None) -> tuple[str | None, int]:
    """Return file and last line of a type that is shown with its members; line 0 for all else."""
    if node is None or node.kind not in TYPE_KINDS or node.start_line is None or node.end_line is None:
        return None, 0
    return node.source_file, node.end_line if node.end_line - node.start_line < SHORT_TYPE else 0


def _numbers(place: Mapping[str, Any], end: tuple[str | None, int]) -> range:
    """Return the numbers of a node's chunk and of those after it that may be of its members."""
    file, last_line = end
    lines = last_line - place["start_line"] if place["source_file"] == file else 0
    return range(place["chunk_no"], place["chunk_no"] + 1 + max(0, min(lines, MOST_MEMBERS)))


def _belongs(chunk: Mapping[str, Any], place: Mapping[str, Any], end: tuple[str | None, int]) -> bool:
    if chunk["chunk_no"] == place["chunk_no"]:
        return True
    return bool(chunk["doc_id"] == place["doc_id"] and chunk["end_line"] <= end[1])


def stretches(chunks: Sequence[Mapping[str, Any]], *, key: str) -> list[Stretch]:
    """Join chunks that follow on one another in a file; between them only blank lines were left out."""
    ordered = sorted(
        {(c["repo"], c["branch"], c["source_file"], c["start_line"], c["id"]): c for c in chunks}.items(),
        key=lambda item: item[0],
    )
    joined: list[Stretch] = []
    previous = -1
    for _, chunk in ordered:
        one = _stretch(chunk, key=key)
        number = int(chunk.get("chunk_no", 0))
        last = joined[-1] if joined else None
        if (
            last is not None
            and _follows(last, one)
            and (number == previous + 1 or last.end_line + 1 == one.start_line)
        ):
            gap = "\n" * (one.start_line - last.end_line)
            joined[-1] = Stretch(
                key, one.repo, one.branch, one.source_file, last.start_line, one.end_line,
                f"{last.text}{gap}{one.text}", last.file_type, last.file_class,
            )  # fmt: skip
        else:
            joined.append(one)
        previous = number
    return joined


def _follows(last: Stretch, one: Stretch) -> bool:
    same = (last.repo, last.branch, last.source_file) == (one.repo, one.branch, one.source_file)
    return same and one.start_line > last.end_line


def _stretch(chunk: Mapping[str, Any], *, key: str) -> Stretch:
    return Stretch(
        key, chunk["repo"], chunk["branch"], chunk["source_file"], chunk["start_line"], chunk["end_line"],
        chunk["text"], chunk["file_type"], str(chunk.get("file_class") or "source"),
    )  # fmt: skip


def without_copies(found: Sequence[Stretch]) -> list[Stretch]:
    """Return the definition of an object before what migrations say of it, of a procedure without that.

    Migrations create procedures, views and functions whole, again and again: only the newest counts, and only when
    no other file defines them. Those of a table each tell one change.
    """
    own = [stretch for stretch in found if not stretch.is_migration]
    others = [stretch for stretch in found if stretch.is_migration]
    if not others or others[0].key.rpartition("|")[2] not in MADE_WHOLE:
        return [*own, *others]
    return own or [stretch for stretch in others if stretch.source_file == others[-1].source_file]


def definitions_first(
    texts: Mapping[str, Sequence[Stretch]], *, whole: Collection[str]
) -> dict[str, list[Stretch]]:
    """Return texts in which scripts' further lines about a table, as those that add a column, are but places.

    Those of the ``whole`` keys are kept, after all else.
    """
    return {key: _definition_first(found, is_whole=key in whole) for key, found in texts.items()}


def _definition_first(found: Sequence[Stretch], *, is_whole: bool) -> list[Stretch]:
    own = [stretch for stretch in found if not stretch.is_migration and stretch.key.endswith("|TABLE")]
    definitions: dict[tuple[str, str], Stretch] = {}  # each branch has its own
    for stretch in own:
        if CREATES_TABLE.search(stretch.text):
            definitions.setdefault((stretch.repo, stretch.branch), stretch)
    if not definitions:
        return list(found)
    others = [stretch for stretch in own if stretch not in definitions.values()]
    changes = [stretch for stretch in found if stretch not in own]
    if is_whole:
        return [*definitions.values(), *(replace(stretch, is_change=True) for stretch in others), *changes]
    places = {
        place: tuple(other.location for other in others if (other.repo, other.branch) == place)
        for place in definitions
    }
    undefined = [other for other in others if (other.repo, other.branch) not in definitions]
    defined = (replace(stretch, elsewhere=places[place]) for place, stretch in definitions.items())
    return [*defined, *undefined, *changes]


def pack(
    wanted: Sequence[Wanted],
    texts: Mapping[str, Sequence[Stretch]],
    *,
    hits: Sequence[Mapping[str, Any]],
    count: Count,
    budget: int,
    top_n: int,
) -> Packed:
    """Take texts in order while they fit: none is ever cut, and what does not fit is named.

    Of a text that would take too much of the budget the chunks that were hits are taken. Lines that are shown
    already, as those of a method of a type, are not shown again.
    """
    packed = Packed()
    shown: list[Stretch] = []
    taken: set[str] = set()
    chosen = [
        (
            one,
            _not_too_long(
                one.key, texts.get(one.key, ()), hits, count=count, limit=int(budget * LARGEST_SHARE)
            ),
        )
        for one in wanted
    ]
    changes = [(one, [s for s in found if s.comes_last]) for one, found in chosen]
    own = [(one, [s for s in found if not s.comes_last] or found) for one, found in chosen]
    for one, found in (*own, *changes):
        if len(taken) >= top_n:
            break
        for stretch in found:
            if any(stretch.lies_in(other) for other in shown) or _is_shown_elsewhere(stretch, shown):
                continue
            tokens = block_tokens(stretch.text, key=stretch.key, location=stretch.location, count=count)
            if packed.used + tokens > budget:
                packed.skipped.append(one.key)
                continue
            packed.used += tokens
            shown.append(stretch)
            taken.add(one.key)
            packed.blocks.append(_block(stretch, tokens, label=one.label))
    packed.skipped = [key for key in dict.fromkeys(packed.skipped) if key not in taken]
    return packed


def _not_too_long(
    key: str, found: Sequence[Stretch], hits: Sequence[Mapping[str, Any]], *, count: Count, limit: int
) -> Sequence[Stretch]:
    if all(count(stretch.text) <= limit for stretch in found):
        return found
    own = stretches([hit for hit in hits if hit["node_key"] == key], key=key)
    return own or found


def _is_shown_elsewhere(stretch: Stretch, shown: Sequence[Stretch]) -> bool:
    """Whether another branch showed the very same text of the same key."""
    return any(other.key == stretch.key and other.text == stretch.text for other in shown)


def _block(stretch: Stretch, tokens: int, *, label: str) -> EvidenceBlock:
    return EvidenceBlock(
        key=stretch.key,
        kind="text",
        text=stretch.text,
        tokens=tokens,
        location=stretch.location,
        repo=stretch.repo,
        branch=stretch.branch,
        language=LANGUAGES.get(stretch.file_type, stretch.file_type),
        label=label,
        elsewhere=stretch.elsewhere,
    )
