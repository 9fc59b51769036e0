"""`ragduck drop`: take a repository or a branch out of a store."""

from __future__ import annotations

from pathlib import Path

import click

from ragduck.cli.amounts import counted, size_text
from ragduck.cli.arguments import json_option, quiet_option, store_argument, wait_option
from ragduck.cli.output import say, visible_line, write_json


@click.command()
@store_argument
@click.option("--repo", required=True, help="Name of the repository.")
@click.option("--branch", help="Only this branch; by default all branches of the repository.")
@wait_option
@quiet_option
@json_option
def drop(store: Path, *, repo: str, branch: str | None, wait: float, quiet: bool, as_json: bool) -> None:
    """Take a repository, or one branch of it, out of a store.

    The others stay as they were, and so does the history of conversations. The file changes in one step at the end,
    so readers are never disturbed. The last branch cannot be dropped: remove the file instead.

    \b
    Example:
      ragduck drop teams.duckdb --repo shop --branch old
    """
    from ragduck.store.removal import drop as run

    report = run(store, repo=repo, branch=branch, wait=wait)
    if as_json:
        write_json(report.to_dict())
    if not quiet:
        for dropped in report.dropped:
            say(visible_line(f"dropped {dropped.repo}, {dropped.branch}: {counted(dropped.files, 'file')}"))
        counts = report.counts
        say(
            visible_line(
                f"{report.store}: {size_text(report.store.stat().st_size)}, {counted(counts['files'], 'file')}, "
                f"{counted(counts['chunks'], 'chunk')}"
            )
        )
