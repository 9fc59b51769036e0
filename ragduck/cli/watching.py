"""Show on stderr what `ragduck prepare --watch` does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragduck.cli.amounts import counted
from ragduck.cli.output import say, say_failure, visible_line, write_json
from ragduck.cli.prepare import otherwise_lines, summary_of
from ragduck.cli.termination import code_of_interruption
from ragduck.errors import RagduckError

if TYPE_CHECKING:
    from ragduck.preparation.watching import Refresh

SHOWN_FILES = 5


def watch_folders(
    sources: Sequence[str],
    store: Path,
    *,
    embed_model: str,
    overwrite: bool,
    quiet: bool,
    as_json: bool,
    given: Mapping[str, Any],
) -> None:
    """Prepare, and again with every change; Ctrl-C ends it with the exit code of an interruption."""
    from ragduck.preparation.options import options_of
    from ragduck.preparation.watching import watch

    def on_start() -> None:
        if not quiet:
            say("watching for changes; Ctrl-C ends it")

    refreshes = watch(
        sources,
        store,
        embed_model=embed_model,
        overwrite=overwrite,
        options=options_of(None, dict(given)),
        on_start=on_start,
    )
    is_first = True
    try:
        for refresh in refreshes:
            _show(refresh, is_first=is_first, quiet=quiet, as_json=as_json)
            is_first = False
    except KeyboardInterrupt:
        if is_first:
            raise
        if not quiet:
            say("stopped watching")
        click.get_current_context().exit(code_of_interruption())


def _show(refresh: Refresh, *, is_first: bool, quiet: bool, as_json: bool) -> None:
    if refresh.error is not None:
        hint = refresh.error.hint if isinstance(refresh.error, RagduckError) else None
        say_failure(str(refresh.error), hint or "the store stays as it was until the next change")
    if refresh.report is None:
        return
    if as_json:
        write_json(refresh.report.to_dict())
    lines: Iterable[str]
    if quiet:
        lines = otherwise_lines(refresh.report) if is_first else ()
    else:
        lines = summary_of(refresh.report) if is_first else _lines(refresh)
    for line in lines:
        say(line)


def _lines(refresh: Refresh) -> Iterator[str]:
    kinds = {"added": refresh.added, "changed": refresh.changed, "deleted": refresh.deleted}
    told = (
        ", ".join(f"{len(files):,} {kind}" for kind, files in kinds.items() if files) or "nothing of a file"
    )
    yield f"{told}: refreshed in {refresh.seconds:.1f} s"
    files = [f"{kind} {file}" for kind, names in kinds.items() for file in names]
    for file in files[:SHOWN_FILES]:
        yield visible_line(f"  {file}")
    if len(files) > SHOWN_FILES:
        yield f"  and {counted(len(files) - SHOWN_FILES, 'other')}"
