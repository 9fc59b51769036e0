"""`ragduck export`: copies of what a store holds, in formats of other tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from ragduck.cli.amounts import counted, size_text
from ragduck.cli.arguments import json_option, store_argument
from ragduck.cli.output import progress_on_terminal, say, visible_line, write_json
from ragduck.errors import UsageError

if TYPE_CHECKING:
    from ragduck.mirror.export import MirrorReport

INDEXES = ("auto", "flat", "hnsw", "ivf", "pq")

out_argument = click.argument("out", type=click.Path(path_type=Path), required=False)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")


@click.group()
def export() -> None:
    """Write copies of a store for faster searches and for other tools.

    \b
    Example:
      ragduck export faiss shop.duckdb
      ragduck export unified shop.duckdb shop-index
    """


@export.command("faiss")
@store_argument
@out_argument
@click.option("--index", type=click.Choice(INDEXES), default="auto", show_default=True,
              help="Kind of index; auto chooses by the number of vectors.")  # fmt: skip
@click.option("--set", "changes", multiple=True, metavar="NAME=NUMBER",
              help="Parameter of the index: m, ef_construction, lists, code_bytes; of its search: ef_search, "
              "nprobe, candidates.")  # fmt: skip
@quiet_option
@json_option
def export_faiss_command(
    store: Path, out: Path | None, *, index: str, changes: tuple[str, ...], quiet: bool, as_json: bool
) -> None:
    """Write a FAISS index of the vectors: searches by meaning become faster.

    The folder OUT is STORE.faiss unless it is given; searches look for it there. It holds index, chunk numbers and a
    manifest, and is used as long as the store's vectors are those it was made from: export again after a prepare that
    changed them. Its recall is measured on the store's own vectors; where it stays below 0.99, a flat index, which
    misses nothing, is written instead.

    \b
    Example:
      ragduck export faiss shop.duckdb
      ragduck export faiss shop.duckdb --index hnsw --set m=32
    """
    from ragduck.mirror.export import export_faiss

    report = export_faiss(
        store, out, index=index, parameters=_numbers_of(changes), progress=progress_on_terminal(quiet=quiet)
    )
    if as_json:
        write_json(report.to_dict())
    if not quiet:
        for line in _summary(report):
            say(visible_line(line))


@export.command("unified")
@store_argument
@click.argument("out", type=click.Path(path_type=Path))
@quiet_option
@json_option
def export_unified_command(store: Path, out: Path, *, quiet: bool, as_json: bool) -> None:
    """Write the historic unified index: one flat FAISS index, its metadata as JSON, and term counts.

    Row n of the index is entry n of unified_metadata.json and document n of the tf_ arrays.

    \b
    Example:
      ragduck export unified shop.duckdb shop-index
    """
    from ragduck.mirror.unified import export_unified

    report = export_unified(store, out, progress=progress_on_terminal(quiet=quiet))
    if as_json:
        write_json(report.to_dict())
    if not quiet:
        say(
            visible_line(
                f"{report.folder}: {counted(report.rows, 'chunk')}, {counted(report.terms, 'term')}, "
                f"{size_text(report.size)}"
            )
        )


def _numbers_of(pairs: tuple[str, ...]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for pair in pairs:
        name, _, text = pair.partition("=")
        if not (text.isascii() and text.strip().isdigit()) or len(text) > 9:
            raise UsageError(f"parameter {pair!r} is not name=number", hint="write --set ef_search=128")
        numbers[name.strip()] = int(text)
    return numbers


def _summary(report: MirrorReport) -> Iterator[str]:
    made = report.manifest
    yield (
        f"{report.folder}: {made.kind}, {counted(made.rows, 'vector')}, {size_text(report.size)}, "
        f"recall@10 {made.recall_at_10:.3f} in {made.latency_ms['p50']:.2f} ms"
    )
    if report.note:
        yield report.note
    yield "took " + ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in report.seconds.items())
    yield f"{quote(str(report.folder))} is used while the store's vectors stay as they are"
