"""`ragduck export`: copies of what a store holds, in formats of other tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragduck.cli.amounts import amount_of, counted, size_text
from ragduck.cli.arguments import PlacePath, json_option, store_argument
from ragduck.cli.output import progress_on_terminal, say, visible_line, write_json
from ragduck.errors import UsageError
from ragduck.shell import quote

if TYPE_CHECKING:
    from ragduck.exports import GraphReport
    from ragduck.mirror.export import MirrorReport

INDEXES = ("auto", "flat", "hnsw", "ivf", "pq")

out_argument = click.argument("out", type=PlacePath(), required=False)
required_out = click.argument("out", type=PlacePath())
repo_option = click.option("--repo", "repos", multiple=True, metavar="NAME",
                           help="Take only this repository; may be repeated.")  # fmt: skip
branch_option = click.option("--branch", "branches", multiple=True, metavar="NAME",
                             help="Take only this branch; may be repeated.")  # fmt: skip
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")


@click.group()
def export() -> None:
    """Write copies of a store for faster searches and for other tools.

    \b
    Example:
      ragduck export faiss shop.duckdb
      ragduck export unified shop.duckdb shop-index
      ragduck export parquet shop.duckdb shop-tables
      ragduck export graphml shop.duckdb shop.graphml
    """


@export.command("faiss", short_help="Write a FAISS index, for faster searches by meaning.")
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


@export.command("unified", short_help="Write the historic unified index: FAISS, JSON, counts.")
@store_argument
@required_out
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


@export.command("parquet")
@store_argument
@required_out
@repo_option
@branch_option
@click.option("--history", is_flag=True,
              help="Take conversations and traces along, which are private.")  # fmt: skip
@quiet_option
@json_option
def export_parquet_command(store: Path, out: Path, *, quiet: bool, as_json: bool, **selection: Any) -> None:
    """Write the tables as Parquet files.

    DuckDB, Polars, pandas, Spark and others read them. The folder OUT gets a folder per table, with one for each
    repository and branch where the table tells them, and manifest.json, which describes tables and columns and counts
    rows. An earlier export there is replaced in one step. What is computed from other columns, as metadata_ is, is
    left out. Tell readers that repo and branch are text: some take a branch 2024 for a number.

    \b
    Example:
      ragduck export parquet shop.duckdb shop-tables
      ragduck export parquet shop.duckdb shop-main --repo shop --branch main --json
      duckdb -c "select kind, count(*) from 'shop-tables/nodes/**/*.parquet' group by kind"
    """
    from ragduck.exports import export_parquet

    report = export_parquet(store, out, progress=progress_on_terminal(quiet=quiet), **selection)
    if as_json:
        write_json(report.to_dict())
    if not quiet:
        rows = counted(sum(report.rows.values()), "row")
        say(
            visible_line(
                f"{report.folder}: {counted(len(report.rows), 'table')}, {rows}, {size_text(report.size)}"
            )
        )
        for note in report.notes:
            say(visible_line(f"note: {note}"))


@export.command("graphml")
@store_argument
@required_out
@repo_option
@branch_option
@quiet_option
@json_option
def export_graphml_command(store: Path, out: Path, *, quiet: bool, as_json: bool, **selection: Any) -> None:
    """Write the graph as GraphML.

    Gephi, yEd, networkx, igraph and others read it. Nodes have key, kind, role, name, schema, project, file, lines,
    repo and branch; edges have relation, file, line, rule and confidence. A node has the same id in every export.

    \b
    Example:
      ragduck export graphml shop.duckdb shop.graphml
      ragduck export graphml shop.duckdb main.graphml --repo shop --branch main
    """
    from ragduck.exports import export_graphml

    report = export_graphml(store, out, progress=progress_on_terminal(quiet=quiet), **selection)
    _tell_graph(report, quiet=quiet, as_json=as_json)


@export.command("graph-csv")
@store_argument
@required_out
@repo_option
@branch_option
@quiet_option
@json_option
def export_graph_csv_command(store: Path, out: Path, *, quiet: bool, as_json: bool, **selection: Any) -> None:
    """Write the graph as RoslynIndexer's CSV files.

    They are nodes.csv and edges.csv with its columns and keys: an entity is csharp:Invoice|ENTITY, a DbSet
    csharp:ShopContext.Invoices|DBSET; kinds that it does not know, such as FILE, keep ragduck's keys. The format
    tells no branches apart: choose one when the store holds several. Values are written as they are, so load files
    of strangers into a spreadsheet as text: a cell may begin with = or @.

    \b
    Example:
      ragduck export graph-csv shop.duckdb shop-graph
      ragduck export graph-csv shop.duckdb shop-graph --repo shop --branch main --json
    """
    from ragduck.exports import export_graph_csv

    report = export_graph_csv(store, out, progress=progress_on_terminal(quiet=quiet), **selection)
    _tell_graph(report, quiet=quiet, as_json=as_json)


@export.command("roslyn", short_help="Write one branch as a RoslynIndexer bundle.")
@store_argument
@required_out
@click.option("--repo", metavar="NAME", help="Repository, where the store holds several.")
@click.option("--branch", metavar="NAME", help="Branch, where the store holds several.")
@quiet_option
@json_option
def export_roslyn_command(
    store: Path, out: Path, *, repo: str | None, branch: str | None, quiet: bool, as_json: bool
) -> None:
    """Write one branch as a RoslynIndexer bundle: members, database objects and the graph.

    OUT is a zip where it ends with .zip, else a folder; call it BRANCH.zip, since readers take the branch from the
    name. What the format has no place for, such as other languages than C# and SQL, is counted.

    \b
    Example:
      ragduck export roslyn shop.duckdb main.zip
      ragduck export roslyn shop.duckdb main.zip --repo shop --branch main --json
    """
    from ragduck.exports.roslyn import export_roslyn

    progress = progress_on_terminal(quiet=quiet)
    report = export_roslyn(store, out, repo=repo, branch=branch, progress=progress)
    if as_json:
        write_json(report.to_dict())
    if not quiet:
        counts = ", ".join(amount_of(count, name) for name, count in report.counts.items())
        say(visible_line(f"{report.path}: {counts}, {size_text(report.size)}"))
        if report.left_out:
            left_out = ", ".join(amount_of(count, name) for name, count in report.left_out.items())
            say(visible_line(f"no place in the format for {left_out}"))


def _tell_graph(report: GraphReport, *, quiet: bool, as_json: bool) -> None:
    if as_json:
        write_json(report.to_dict())
    if not quiet:
        merged = f", {report.merged:,} more merged into equal rows" if report.merged else ""
        say(
            visible_line(
                f"{report.path}: {counted(report.nodes, 'node')}, {counted(report.edges, 'edge')}{merged}, "
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
