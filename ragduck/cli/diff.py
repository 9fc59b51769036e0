"""`ragduck diff`: what differs between two branches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragduck.cli.arguments import json_option, store_argument
from ragduck.cli.output import say, visible_line, write, write_json, write_styled
from ragduck.cli.tables import table_lines

if TYPE_CHECKING:
    from ragduck.search.changes import BranchDiff, ObjectChange

LONGEST_CELL = 120


@click.command(short_help="List what differs between two branches.")
@store_argument
@click.option("--from", "from_branch", required=True, metavar="BRANCH", help="Branch to begin with.")
@click.option("--to", "to_branch", required=True, metavar="BRANCH", help="Branch to compare it with.")
@click.option("--repo", help="Repository, when several have both branches.")
@click.option("--kind", "kinds", multiple=True, metavar="KIND",
              help="Only objects of this kind, such as PROC; may be repeated.")  # fmt: skip
@click.option("--text", "with_text", is_flag=True,
              help="Show how the text of changed objects differs; of the first 50.")  # fmt: skip
@json_option
def diff(
    store: Path,
    *,
    from_branch: str,
    to_branch: str,
    repo: str | None,
    kinds: tuple[str, ...],
    with_text: bool,
    as_json: bool,
) -> None:
    """List what was added, removed, changed or moved between two branches.

    Objects are compared by their key and the text of their definition: tables, procedures, types, members. A file
    is listed itself only where no object in it tells the change. The same in SQL:
    from object_changes('shop', 'main', 'next').

    \b
    Example:
      ragduck diff teams.duckdb --from main --to next
      ragduck diff teams.duckdb --from main --to next --kind PROC --kind TABLE --text
      ragduck diff teams.duckdb --from main --to next --json
    """
    from ragduck.library import open_store

    with open_store(store) as opened:
        found = opened.diff(from_branch, to_branch, repo=repo, kinds=kinds, with_text=with_text)
    if as_json:
        write_json(found.to_dict())
        return
    for line in _lines(found):
        write_styled(line)
    for change in found.changes:
        if change.diff is None:
            continue
        write(f"\n{visible_line(change.node_key)}\n{change.diff}\n")
    say(_summary(found))


def _lines(found: BranchDiff) -> Iterator[str]:
    if found.changes:
        rows = [_row(change) for change in found.changes]
        yield from table_lines(
            ("change", "kind", "object", "+", "-", "location"), rows, max_cell=LONGEST_CELL
        )


def _row(change: ObjectChange) -> tuple[object, ...]:
    location = change.new_location or change.old_location
    if change.change == "moved":
        location = f"{change.old_location} -> {change.new_location}"
    key = change.node_key.rpartition("|")[0] or change.node_key
    return (change.change, change.kind, key, change.lines_added, change.lines_removed, location)


def _summary(found: BranchDiff) -> str:
    told = ", ".join(f"{count:,} {name}" for name, count in found.counts.items() if count)
    only = f", only {', '.join(found.kinds)}" if found.kinds else ""
    between = visible_line(f"{found.repo}, from {found.from_branch} to {found.to_branch}{only}")
    return f"{between}: {told or 'no difference'}"
