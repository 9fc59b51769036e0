"""`ragduck info`: what a store is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragduck.cli.amounts import age_text, size_text
from ragduck.cli.arguments import json_option, store_argument
from ragduck.cli.output import visible_line, write_json, write_styled
from ragduck.cli.tables import table_lines

if TYPE_CHECKING:
    from ragduck.store.facts import SnapshotFacts, StoreFacts


@click.command()
@store_argument
@json_option
def info(store: Path, *, as_json: bool) -> None:
    """Tell what a store is and holds.

    \b
    Example:
      ragduck info shop.duckdb
      ragduck info shop.duckdb --json
    """
    from ragduck.library import open_store

    with open_store(store) as opened:
        facts = opened.info()
    if as_json:
        write_json(facts.to_dict())
        return
    for line in _lines(facts):
        write_styled(line)


def _lines(facts: StoreFacts) -> Iterator[str]:
    yield visible_line(f"{facts.path}, {size_text(facts.size_bytes)}")
    yield from _section("made", facts.made)
    yield from _section("model", facts.model)
    yield from _section("search", facts.search)
    yield from _section("holds", facts.totals)
    yield ""
    columns = (
        "repo",
        "branch",
        "commit",
        "prepared",
        "files",
        "chunks",
        "nodes",
        "edges",
        "skipped",
        "problems",
    )
    yield from table_lines(columns, [_snapshot_row(snapshot) for snapshot in facts.snapshots])
    for field, counts in facts.chunks_by.items():
        yield ""
        yield from table_lines((field, "chunks"), list(counts.items()))
    yield ""
    names = ("field", "weight", "b", "avg_length", "description")
    yield from table_lines(names, [[row[name] for name in names] for row in facts.fts_fields])


def _section(title: str, entries: Mapping[str, Any]) -> Iterator[str]:
    """Yield a title with its entries below; entries without a value say nothing."""
    yield ""
    yield title
    for name, value in entries.items():
        if value not in ("", None):
            shown = f"{value:,}" if isinstance(value, int) else value
            yield visible_line(f"  {name.replace('_', ' '):<20} {shown}")


def _snapshot_row(snapshot: SnapshotFacts) -> tuple[Any, ...]:
    return (
        snapshot.repo,
        snapshot.branch,
        (snapshot.commit_sha or "")[:10],
        age_text(snapshot.age_seconds),
        snapshot.files,
        snapshot.chunks,
        snapshot.nodes,
        snapshot.edges,
        snapshot.skipped,
        snapshot.problems,
    )
