"""`ragduck embed`: give a store vectors of another model."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragduck.cli.amounts import counted, size_text
from ragduck.cli.arguments import json_option, quiet_option, store_argument, wait_option
from ragduck.cli.output import progress_on_terminal, say, visible_line, write_json

if TYPE_CHECKING:
    from ragduck.preparation.reembedding import EmbedReport


@click.command()
@store_argument
@click.option("--model", required=True, metavar="MODEL",
              help="static, minilm, none, openai:MODEL, a HuggingFace name or folder.")  # fmt: skip
@wait_option
@quiet_option
@json_option
def embed(store: Path, *, model: str, wait: float, quiet: bool, as_json: bool) -> None:
    """Give a store vectors of another model, without its sources.

    Everything else stays as it was: files, chunks, graph, conversations; only a map is left out. The file changes in
    one step at the end, so readers are never disturbed; an interrupted run is taken up by the next one. With none the
    vectors are taken away.

    \b
    Example:
      ragduck embed shop.duckdb --model minilm
    """
    from ragduck.preparation.reembedding import embed as run

    report = run(store, model, wait=wait, progress=progress_on_terminal(quiet=quiet))
    if as_json:
        write_json(report.to_dict())
    if not quiet:
        for line in summary_of(report):
            say(visible_line(line))


def summary_of(report: EmbedReport) -> Iterator[str]:
    """Yield the lines that tell what became of the vectors."""
    counts = report.counts
    vectors = (
        f"{counted(counts['vectors'], 'vector')} of {report.model}" if counts["vectors"] else "no vectors"
    )
    yield f"{report.store}: {size_text(report.store.stat().st_size)}, {counted(counts['chunks'], 'chunk')}, {vectors}"
    if report.unchanged:
        yield f"nothing to do: its model is {report.model}"
        return
    yield f"  {report.embedded:,} embedded anew in {report.seconds:.1f} s; before they were of {report.previous}"
    if report.approximate:
        yield f"  note: {counted(report.approximate, 'text')} could not be rebuilt to the letter: an import made them"
    yield f'next: ragduck search {shlex.quote(str(report.store))} "your question"'
