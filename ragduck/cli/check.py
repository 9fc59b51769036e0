"""`ragduck check`: look for what is wrong with a store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragduck.cli.amounts import counted
from ragduck.cli.arguments import json_option, store_argument
from ragduck.cli.exit_codes import ExitCode
from ragduck.cli.output import say, say_failure, visible_line, write_json, write_styled
from ragduck.cli.sql import plain
from ragduck.cli.tables import table_lines

if TYPE_CHECKING:
    from ragduck.store.checks import CheckResult


@click.command()
@store_argument
@json_option
@click.pass_context
def check(ctx: click.Context, store: Path, *, as_json: bool) -> None:
    """Look for what is wrong with a store.

    Runs the queries that ship in `sql/checks`: chunks without a file, line ranges that do not match the stored
    text, vectors of another length, keyword counts that do not add up, and so on.
    Exit code 1 when something is wrong.

    \b
    Example:
      ragduck check shop.duckdb
      ragduck check shop.duckdb --json
    """
    from ragduck.opening import open_store

    with open_store(store, say=say) as opened:
        results = opened.check()
    found = [result for result in results if not result.passed]
    if as_json:
        write_json([_to_dict(result) for result in results])
    else:
        for result in found:
            if result.unread is None:
                _write_finding(result)
    _say_damage(found)
    say(f"{counted(len(results), 'check')}, {counted(len(found), 'finding') if found else 'nothing wrong'}")
    ctx.exit(ExitCode.FAILED if found else ExitCode.DONE)


def _say_damage(found: Sequence[CheckResult]) -> None:
    """Say once that the file is damaged, though each check that reads the place comes upon it."""
    unread = [result for result in found if result.unread is not None]
    if not unread or unread[0].unread is None:
        return
    say_failure(unread[0].unread.message, unread[0].unread.hint or "")
    say(visible_line(f"so these could not look: {', '.join(result.name for result in unread)}"))


def _to_dict(result: CheckResult) -> dict[str, object]:
    return {
        "name": result.name,
        "description": result.description,
        "passed": result.passed,
        "count": result.count,
        "rows": [plain(row) for row in result.rows],
    }


def _write_finding(result: CheckResult) -> None:
    write_styled(visible_line(f"{result.name}: {counted(result.count, 'row')}. {result.description}"))
    columns = list(result.rows[0])
    for line in table_lines(columns, [list(row.values()) for row in result.rows]):
        write_styled(f"  {line}")
    write_styled()
