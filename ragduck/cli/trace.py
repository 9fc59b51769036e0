"""`ragduck pipeline trace`: what a run did, step by step."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragduck.cli.arguments import json_option, store_argument
from ragduck.cli.output import say, visible_line, write_json, write_styled
from ragduck.cli.tables import table_lines
from ragduck.errors import UsageError

if TYPE_CHECKING:
    from ragduck.conversation import RunRecord, StepRecord

MAX_NOTES = 120  # columns
RUNS = "select run_id, started_at, question from pipeline_runs order by started_at desc"


@click.command(short_help="Show what a run of a pipeline did, step by step.")
@store_argument
@click.argument("run", default="last")
@json_option
def trace(store: Path, run: str, *, as_json: bool) -> None:
    """Show what a run of a pipeline did: steps, decisions, time and tokens.

    RUN is the id of a run, its beginning, or `last`. `--json` prints inputs and outputs of each step as well.
    The same is in the tables pipeline_runs and pipeline_steps.

    \b
    Example:
      ragduck pipeline trace shop.duckdb
      ragduck pipeline trace shop.duckdb last --json
    """
    from ragduck.store.history import StoreHistory
    from ragduck.store.history_records import to_data

    kept = StoreHistory(store)
    try:
        found = kept.find_run(run)
    except UsageError as error:
        kept.fold()  # the list that is hinted at does not see what waits in the journal
        listing = shlex.join(["ragduck", "sql", str(store), RUNS])
        raise UsageError(error.message, hint=f"see: {listing}") from error
    if as_json:
        write_json(to_data(found))
        return
    for line in trace_lines(found):
        write_styled(line)
    for step in found.steps:
        if step.error:
            say(f"step {step.step_no}, {step.step_id}, failed: {step.error}")


def trace_lines(run: RunRecord) -> Iterator[str]:
    """Yield what the run was, and a table of its steps."""
    yield visible_line(f"run {run.run_id}, {run.started_at:%Y-%m-%d %H:%M:%S} UTC, session {run.session_id}")
    yield visible_line(f"  question   {run.question}")
    yield visible_line(f"  pipeline   {run.pipeline}{f' with {run.model}' if run.model else ''}")
    yield visible_line(f"  status     {run.status}{f': {run.error}' if run.error else ''}")
    yield f"  took       {run.milliseconds:,.0f} ms, {_tokens(run)}"
    yield ""
    columns = ("no", "step", "action", "ms", "tokens", "decision → next", "notes")
    yield from table_lines(columns, map(_row, run.steps), max_cell=MAX_NOTES)


def _row(step: StepRecord) -> tuple[object, ...]:
    tokens = step.prompt_tokens + step.completion_tokens
    return (
        step.step_no,
        step.step_id,
        step.action,
        round(step.milliseconds, 1),
        tokens or None,
        " → ".join(part for part in (step.decision, step.next_step_id or "end") if part),
        "; ".join([*step.notes, *([f"error: {step.error}"] if step.error else [])]),
    )


def _tokens(run: RunRecord) -> str:
    read = sum(step.prompt_tokens for step in run.steps)
    written = sum(step.completion_tokens for step in run.steps)
    return (
        f"{read:,} tokens read and {written:,} written by the model" if read or written else "no model asked"
    )
