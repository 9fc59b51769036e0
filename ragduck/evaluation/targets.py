"""Find the chunks of a store that labels name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragduck.evaluation.paths import MatchedPaths, match_paths
from ragduck.evaluation.queries import Query
from ragduck.resources import sql_text

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

LINES = re.compile(r"(?P<path>.+):(?P<start>[0-9]{1,9})(?:-(?P<end>[0-9]{1,9}))?")
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Target:
    """What a label means in one store: the node ids of the chunks any of which finds it; none when it is missing."""

    label: str
    chunks: frozenset[str]


@dataclass(frozen=True, slots=True)
class Labels:
    """The targets of each query, in order, and how labels were matched with what the store holds."""

    targets: tuple[tuple[Target, ...], ...]
    how: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many targets there are, over all queries."""
        return sum(len(targets) for targets in self.targets)

    @property
    def missing(self) -> tuple[str, ...]:
        """The labels that the store does not hold, each once."""
        absent = (target.label for targets in self.targets for target in targets if not target.chunks)
        return tuple(dict.fromkeys(absent))


@dataclass(frozen=True, slots=True)
class _Chunk:
    node_id: str
    start_line: int
    end_line: int


def find_targets(rows: Rows, queries: Sequence[Query]) -> Labels:
    """Find what the labels of queries mean; files of queries may speak of different folders.

    A label is a path, `path:line`, `path:start-end`, or else a key. Labels of one query that mean the same chunks
    count once.
    """
    stored = [row["source_file"] for row in rows(sql_text("evaluation/files.sql"), {})]
    labels_of = _by_file(queries)
    matches = {file: match_paths(_paths(labels), stored) for file, labels in labels_of.items()}
    chunks = _chunks_of_files(rows, {path for match in matches.values() for path in match.stored.values()})
    found = {
        (file, label): _chunks_of_path(label, match, chunks)
        for file, match in matches.items()
        for label in labels_of[file]
    }
    keys = _chunks_of_keys(rows, {label for (_, label), node_ids in found.items() if node_ids is None})
    targets = tuple(
        _distinct(Target(label, _either(found[query.file, label], keys, label)) for label in query.targets)
        for query in queries
    )
    return Labels(targets, tuple(_notes(queries, targets, matches)))


def _by_file(queries: Sequence[Query]) -> dict[str, tuple[str, ...]]:
    labels: dict[str, dict[str, None]] = {}
    for query in queries:
        labels.setdefault(query.file, {}).update(dict.fromkeys(query.targets))
    return {file: tuple(names) for file, names in labels.items()}


def _paths(labels: Iterable[str]) -> list[str]:
    """Return what may be paths: labels, and what stands before line numbers."""
    split = [(label, LINES.fullmatch(label)) for label in labels]
    return [path for label, lines in split for path in (label, *([lines["path"]] if lines else []))]


def _chunks_of_files(rows: Rows, paths: set[str]) -> dict[str, list[_Chunk]]:
    found: dict[str, list[_Chunk]] = {}
    for row in rows(sql_text("evaluation/chunks_of_files.sql"), {"paths": sorted(paths)}):
        chunk = _Chunk(row["node_id"], row["start_line"], row["end_line"])
        found.setdefault(row["source_file"], []).append(chunk)
    return found


def _chunks_of_path(
    label: str, match: MatchedPaths, chunks: Mapping[str, list[_Chunk]]
) -> frozenset[str] | None:
    """Return the chunks of a file or of lines; None when the label is no path that the store holds."""
    if label in match.stored:
        return frozenset(chunk.node_id for chunk in chunks[match.stored[label]])
    lines = LINES.fullmatch(label)
    if lines is None or lines["path"] not in match.stored:
        return None
    start, end = int(lines["start"]), int(lines["end"] or lines["start"])
    within = chunks[match.stored[lines["path"]]]
    return frozenset(chunk.node_id for chunk in within if chunk.start_line <= end and chunk.end_line >= start)


def _chunks_of_keys(rows: Rows, keys: set[str]) -> dict[str, frozenset[str]]:
    if not keys:
        return {}
    found: dict[str, set[str]] = {}
    for row in rows(sql_text("evaluation/chunks_of_keys.sql"), {"keys": sorted(keys)}):
        found.setdefault(row["wanted_key"], set()).add(row["node_id"])
    return {key: frozenset(node_ids) for key, node_ids in found.items()}


def _either(chunks: frozenset[str] | None, keys: Mapping[str, frozenset[str]], label: str) -> frozenset[str]:
    return keys.get(label, NOTHING) if chunks is None else chunks


def _distinct(targets: Iterable[Target]) -> tuple[Target, ...]:
    return tuple({target.chunks or target.label: target for target in reversed(list(targets))}.values())[::-1]


def _notes(
    queries: Sequence[Query], targets: Sequence[tuple[Target, ...]], matches: Mapping[str, MatchedPaths]
) -> Iterator[str]:
    """Yield how labels were matched, and which files of queries are about something else altogether."""
    held = {query.file for query, own in zip(queries, targets, strict=True) if any(one.chunks for one in own)}
    for file, match in matches.items():
        place = f"{file}: " if len(matches) > 1 else ""
        yield from (f"{place}{how}" for how in match.how)
        if held and file not in held:
            yield f"{place}the store holds none of its targets"
