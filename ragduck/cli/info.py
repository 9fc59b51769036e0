"""`ragduck info`: what a store is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragduck.cli.amounts import age_text, size_text
from ragduck.cli.arguments import json_option, store_argument
from ragduck.cli.output import say, visible_line, write_json, write_styled
from ragduck.cli.tables import table_lines
from ragduck.shell import quote

if TYPE_CHECKING:
    from ragduck.freshness import Freshness
    from ragduck.mirror.state import MirrorState
    from ragduck.store.facts import SnapshotFacts, StoreFacts


@click.command()
@store_argument
@click.option("--root", "roots", multiple=True, type=click.Path(path_type=Path), metavar="FOLDER",
              help="Compare with this folder, instead of where the store was made from.")  # fmt: skip
@json_option
def info(store: Path, *, roots: tuple[Path, ...], as_json: bool) -> None:
    """Tell what a store is and holds, and how fresh it is.

    A branch is fresh when its files, or the git revision that was read, are as they were prepared. It is stale when a
    file was changed, added or deleted since, or a commit was made; --json names the files. It is unknown when the
    place that it was read from is not known on this machine, or cannot be reached: --root names it.

    \b
    Example:
      ragduck info shop.duckdb
      ragduck info shop.duckdb --root shop --json
    """
    from ragduck.mirror.state import mirror_state
    from ragduck.opening import ForeignFile, open_tables

    with open_tables(store) as opened:
        if isinstance(opened, ForeignFile):
            _write_foreign(opened.info(), as_json=as_json)
            return
        facts, freshness = opened.info(), opened.freshness(roots)
        mirror = mirror_state(store, opened.meta, thorough=True)
    if as_json:
        write_json(_to_dict(facts, freshness, mirror=mirror))
        return
    for line in _lines(facts, freshness, mirror=mirror):
        write_styled(line)
    if any(fresh.needs_root for fresh in freshness):
        say(visible_line(f"name the folder to compare with: ragduck info {quote(str(store))} --root FOLDER"))


def _write_foreign(facts: dict[str, Any], *, as_json: bool) -> None:
    """Write what a file of sqlrooms-rag is; there is nothing to compare it with."""
    if as_json:
        write_json(facts)
        return
    write_styled(visible_line(f"{facts['path']}, {size_text(facts['size_bytes'])}, {facts['kind']}"))
    for title, entries in (("metadata", facts["metadata"]), ("rows", facts["tables"])):
        for line in _section(title, entries):
            write_styled(line)
    say(visible_line(f"make a store of it with: ragduck upgrade {quote(facts['path'])}"))


def _to_dict(facts: StoreFacts, freshness: Sequence[Freshness], *, mirror: MirrorState) -> dict[str, Any]:
    snapshots = [
        {**snapshot.to_dict(), "freshness": fresh.to_dict()}
        for snapshot, fresh in zip(facts.snapshots, freshness, strict=True)
    ]
    return {**facts.to_dict(), "snapshots": snapshots, "mirror": mirror.to_dict()}


def _lines(facts: StoreFacts, freshness: Sequence[Freshness], *, mirror: MirrorState) -> Iterator[str]:
    yield visible_line(f"{facts.path}, {size_text(facts.size_bytes)}")
    yield from _section("made", facts.made)
    yield from _section("model", facts.model)
    yield from _section("search", {**facts.search, "mirror": mirror})
    yield from _section("holds", facts.totals)
    yield ""
    columns = (
        "repo",
        "branch",
        "commit",
        "prepared",
        "state",
        "files",
        "chunks",
        "nodes",
        "edges",
        "skipped",
        "problems",
    )
    rows = [_snapshot_row(*pair) for pair in zip(facts.snapshots, freshness, strict=True)]
    yield from table_lines(columns, rows, thousands=True)
    for field, counts in facts.chunks_by.items():
        yield ""
        yield from table_lines((field, "chunks"), list(counts.items()), thousands=True)
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


def _snapshot_row(snapshot: SnapshotFacts, freshness: Freshness) -> tuple[Any, ...]:
    return (
        snapshot.repo,
        snapshot.branch,
        (snapshot.commit_sha or "")[:10],
        age_text(snapshot.age_seconds),
        freshness.text,
        snapshot.files,
        snapshot.chunks,
        snapshot.nodes,
        snapshot.edges,
        snapshot.skipped,
        snapshot.problems,
    )
