"""`ragduck prepare`: put folders into a store."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragduck.cli.amounts import counted, size_text
from ragduck.cli.arguments import StorePath, byte_size, json_option, quiet_option, seconds
from ragduck.cli.output import progress_on_terminal, say, visible_line, write_json

if TYPE_CHECKING:
    from ragduck.preparation.reports import ImportReport, PrepareReport, SnapshotReport

SHOWN_PROBLEMS = 3


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("-o", "--output", "store", required=True, type=StorePath(), metavar="STORE",
              help="The file to make, or to bring up to date.")  # fmt: skip
@click.option("--repo", help="Name of the repository; by default from git, else the folder.")
@click.option("--branch", metavar="REV",
              help="Branch, tag or commit, read from git unless it is checked out; any other name is "
                   "what to call the folder.")  # fmt: skip
@click.option("--revision", metavar="REV",
              help="Read this revision from git in any case, without changes that are not committed.")  # fmt: skip
@click.option("--embed-model", default="default", metavar="MODEL",
              help="static, minilm, none, openai:MODEL, a HuggingFace name, a folder; else the store's.")  # fmt: skip
@click.option("--include", multiple=True, metavar="GLOB", help="Take only files that match; may be repeated.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out files that match; may be repeated.")
@click.option(
    "--database", help="Name of the database in keys; by default that of the only database project."
)
@click.option("--chunk-size", type=int, metavar="TOKENS", help="Most tokens of a chunk; 512 by default.")
@click.option(
    "--max-file-size",
    "max_file_bytes",
    type=byte_size,
    metavar="SIZE",
    help="Skip larger files; 2MB by default.",
)
@click.option("--code-page", metavar="NAME",
              help="Of files that are neither UTF-8 nor UTF-16: cp1250, gbk …; cp1252 by default.")  # fmt: skip
@click.option(
    "--processes", type=click.IntRange(min=1), help="Processes that parse; by default one per core."
)
@click.option("--no-cache", "cache", is_flag=True, flag_value=False, default=True,
              help="Parse all files anew, and keep nothing of it in the user's cache folder.")  # fmt: skip
@click.option("--wait", type=seconds, is_flag=False, flag_value="forever", metavar="[SECONDS]",
              help="Wait for another prepare of the same store, for ever or so long; else fail at once.")  # fmt: skip
@click.option("--watch", is_flag=True,
              help="Go on: prepare again whenever files change, until Ctrl-C.")  # fmt: skip
@click.option(
    "--overwrite",
    is_flag=True,
    help="Forget what the store held, but keep its conversations and traces where it can be read.",
)
@quiet_option
@json_option
def prepare(
    sources: tuple[str, ...],
    store: Path,
    *,
    embed_model: str,
    overwrite: bool,
    watch: bool,
    quiet: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Put folders and git checkouts into one store.

    What the store held of the same repository and branch is replaced, the rest stays. The file changes in one
    step at the end, so readers are never disturbed; an interrupted run is taken up by the next one.

    A branch that is checked out is read as it is on disk, changes included, without what git ignores. Any
    other branch, tag or commit is read from git: all its files, with no checkout, and what is checked out stays as
    it is. A bare repository or mirror is a SOURCE, too. Where no branch is checked out, as on build servers, it is
    called as the server says (GITHUB_REF_NAME, BUILD_SOURCEBRANCH, CI_COMMIT_REF_NAME, GIT_BRANCH), else HEAD.

    What other systems wrote is taken over as it is, repaired where it is known to be wrong: RoslynIndexer bundles
    (zip or folder), unified indexes, sqlrooms-rag files; their vectors are kept.

    \b
    Example:
      ragduck prepare shop -o shop.duckdb
      ragduck prepare shop -o keywords.duckdb --embed-model none --exclude "*.json" --json
      ragduck prepare shop -o branches.duckdb --branch main
    """
    given = {name: value for name, value in settings.items() if value not in (None, ())}
    if watch:
        from ragduck.cli.watching import watch_folders

        watch_folders(
            sources,
            store,
            embed_model=embed_model,
            overwrite=overwrite,
            quiet=quiet,
            as_json=as_json,
            given=given,
        )
        return
    report = _prepared(sources, store, embed_model=embed_model, overwrite=overwrite, quiet=quiet, given=given)
    if as_json:
        write_json(report.to_dict())
    for line in otherwise_lines(report) if quiet else summary_of(report):
        say(line)


def _prepared(
    sources: tuple[str, ...],
    store: Path,
    *,
    embed_model: str,
    overwrite: bool,
    quiet: bool,
    given: Mapping[str, Any],
) -> PrepareReport:
    """Prepare, and have another process import what it needs while this one does."""
    from ragduck.own_process import importing_for_one_thread
    from ragduck.preparation.processes import woken

    with woken(given.get("processes"), is_wanted=store.exists() and not overwrite):
        with importing_for_one_thread():
            from ragduck.preparation.prepare import prepare as run

        return run(
            sources,
            store,
            embed_model=embed_model,
            overwrite=overwrite,
            progress=progress_on_terminal(quiet=quiet),
            **given,
        )


def otherwise_lines(report: PrepareReport) -> Iterator[str]:
    """Yield what was taken otherwise than asked for, which is told even to those who want no summary."""
    for source in report.sources:
        for note in source.otherwise:
            yield visible_line(f"note: {note}")


def summary_of(report: PrepareReport) -> Iterator[str]:
    """Yield the lines that tell what a prepare did."""
    counts = report.counts
    yield (
        f"{report.store}: {size_text(report.store.stat().st_size)}, {counted(counts['files'], 'file')}, "
        f"{counted(counts['chunks'], 'chunk')}, {counted(counts['edges'], 'edge')}, {_vectors(report)}"
    )
    if report.unchanged:
        yield from otherwise_lines(report)
        yield "nothing changed since it was prepared; --overwrite prepares everything again"
        return
    for source in report.sources:
        yield from map(visible_line, _source_summary(source))
    yield "took " + ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in report.seconds.items())
    yield f'next: ragduck search {shlex.quote(str(report.store))} "your question"'


def _vectors(report: PrepareReport) -> str:
    if report.model == "none":
        return "no vectors"
    return (
        f"{counted(report.counts['vectors'], 'vector')} of {report.model}, {report.embedded:,} embedded anew"
    )


def _source_summary(source: SnapshotReport) -> Iterator[str]:
    snapshot = source.snapshot
    made = source.imported
    how = f"from a {made.kind}" if made else f"{source.parsed:,} parsed anew"
    yield (
        f"  {snapshot.repo}, {snapshot.branch}: {counted(source.files, 'file')}, "
        f"{counted(source.chunks, 'chunk')}, {how}"
    )
    if made:
        yield from _import_summary(made)
    for note in (*source.otherwise, *source.notes):
        yield f"  note: {note}"
    if source.left_out:
        told = ", ".join(f"{count:,} {reason}" for reason, count in source.left_out.most_common())
        yield f"  skipped {counted(source.left_out.total(), 'file')}: {told}; --json lists them"
    if source.problems:
        files = len({problem.path for problem in source.problems})
        yield f"  could not parse {counted(len(source.problems), 'place')} in {counted(files, 'file')}; kept as text"
    for problem in source.problems[:SHOWN_PROBLEMS]:
        yield f"    {problem.path}:{problem.line} {problem.message}"


def _import_summary(imported: ImportReport) -> Iterator[str]:
    taken = ", ".join(f"{count:,} {name}" for name, count in imported.taken.items())
    yield f"  took {taken or 'nothing'}"
    for outcome in ("repaired", "left out"):
        rules = imported.counts(outcome)
        if rules:
            told = ", ".join(f"{count:,} {rule}" for rule, count in rules.items())
            yield f"  {outcome} {sum(rules.values()):,}: {told}; --json lists them"
