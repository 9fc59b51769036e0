"""`ragduck upgrade`: make a store of what sqlrooms-rag wrote."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragduck.cli.arguments import PlacePath, json_option
from ragduck.cli.output import progress_on_terminal, say, visible_line, write_json

if TYPE_CHECKING:
    from ragduck.upgrading import UpgradeReport


@click.command(short_help="Make a store of a sqlrooms-rag file, vectors included.")
@click.argument("old", type=click.Path(path_type=Path))
@click.option("-o", "--output", "new", type=PlacePath(), metavar="NEW",
              help="The store to make; by default it takes the place of OLD, which is kept as OLD.bak.")  # fmt: skip
@click.option("--repo", help="Name of the repository; by default that of the file.")
@click.option("--branch", help="Name of the branch; main by default.")
@click.option("--overwrite", is_flag=True, help="Replace NEW, or OLD.bak, if it is there.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@json_option
def upgrade(
    old: Path,
    new: Path | None,
    *,
    repo: str | None,
    branch: str | None,
    overwrite: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Make a store of a sqlrooms-rag file, without embedding its texts again.

    Files, chunks, vectors and the name of their model are taken over; chunks become whole lines of their files. What
    was repaired or left out is told, by table, row and column. Queries of sqlrooms-rag run on the store as before.

    \b
    Example:
      ragduck upgrade knowledge_base.duckdb -o knowledge.duckdb
    """
    from ragduck.upgrading import upgrade as run

    report = run(
        old, new, repo=repo, branch=branch, overwrite=overwrite, progress=progress_on_terminal(quiet=quiet)
    )
    if as_json:
        write_json(report.to_dict())
    if not quiet:
        for line in _lines(report):
            say(visible_line(line))


def _lines(report: UpgradeReport) -> Iterator[str]:
    from ragduck.cli.prepare import summary_of

    yield from summary_of(report.prepared)
    if report.backup:
        yield f"the old file is kept as {report.backup}"
