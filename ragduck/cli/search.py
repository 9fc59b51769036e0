"""`ragduck search`: find chunks for a question."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ragduck.cli.arguments import filters_of, json_option, store_argument
from ragduck.cli.output import progress_on_terminal, say, visible_line, write, write_json, write_styled
from ragduck.errors import UsageError
from ragduck.known_values import unknown_values

if TYPE_CHECKING:
    from ragduck.search import SearchAnswer

MODES = ("hybrid", "semantic", "semantic_rerank", "bm25")


@click.command()
@store_argument
@click.argument("question")
@click.option("--mode", type=click.Choice(MODES), default="hybrid", show_default=True,
              help="By keyword and meaning, by meaning, by meaning reranked by keyword, by keyword.")  # fmt: skip
@click.option("-k", "--top-k", type=int, default=10, show_default=True, help="Number of results.")
@click.option("--filter", "filters", multiple=True, metavar="FIELD=VALUE",
              help="Only chunks with this value; values of one field are alternatives.")  # fmt: skip
@click.option("--where", metavar="EXPR", help="Only chunks for which this SQL expression holds.")
@click.option("--relax", multiple=True, metavar="FIELD",
              help="Give up this filter while fewer results come back; in the order given.")  # fmt: skip
@click.option("--weighted", is_flag=True, help="Fuse by weighted scores instead of ranks.")
@click.option("--vector-weight", type=float, default=0.5, show_default=True,
              help="With --weighted: share of the meaning, 0 to 1.")  # fmt: skip
@click.option("--embed-model", metavar="MODEL", help="Where the store's model is now, if it has moved.")
@click.option("--rerank", "reranker", metavar="MODEL",
              help="Put the best chunks in order with a cross-encoder: a HuggingFace name or a folder.")  # fmt: skip
@click.option("--rerank-pool", type=int, default=50, show_default=True,
              help="With --rerank: how many chunks it reads.")  # fmt: skip
@click.option("--set", "changes", multiple=True, metavar="NAME=VALUE",
              help="Another setting of the search: signals=off, ranking.definition=0, rrf_k=60.")  # fmt: skip
@click.option("--mirror", default="off", show_default=True, metavar="auto|off|FOLDER",
              help="Mirror of the vectors to search; loading it costs more than one search gains.")  # fmt: skip
@click.option("--explain", is_flag=True, help="Show what made each score.")
@click.option("--source-docs", is_flag=True, help="With JSON: add the whole file of each result.")
@click.option("--format", "output", type=click.Choice(["text", "json", "citations"]), default="text",
              show_default=True, help="For people, for programs, for language models.")  # fmt: skip
@json_option
def search(
    store: Path,
    question: str,
    *,
    filters: tuple[str, ...],
    changes: tuple[str, ...],
    weighted: bool,
    embed_model: str | None,
    mirror: str,
    explain: bool,
    source_docs: bool,
    output: str,
    as_json: bool,
    **settings: Any,
) -> None:
    """Find the chunks that answer a question best.

    Words in double quotes are looked for literally: chunks that hold them come first. So do files that a question
    names with their ending, and the lines of a stack trace or of a compiler's message (path:line).

    Filters are applied before anything is scored. Fields are, among others, kind, schema, file_class, data_type,
    project, repo, branch, name_prefix and path_glob; an empty value finds chunks without one. The lists calls,
    called_by, reads_from, writes_to and fk_dependencies take names of nodes (dbo.Invoice).

    \b
    Example:
      ragduck search shop.duckdb "where are invoices created" -k 3
      ragduck search shop.duckdb "place order" --mode bm25 --filter kind=PROC --filter kind=VIEW
      ragduck search shop.duckdb "tax" --where "end_line - start_line > 5" --explain
      ragduck search shop.duckdb "Invoice" --set ranking.type_head=1 --explain
      ragduck search shop.duckdb "faktury" --filter data_type=docs --format citations
    """
    from ragduck.search.settings import settings_of

    output = "json" if as_json else output
    settings = {"use_rrf": not weighted, **settings, **settings_of(changes)}
    _require_company(settings)
    if source_docs and output != "json":
        raise UsageError("--source-docs adds whole files to JSON only", hint="add --json")
    from ragduck.opening import open_store

    began = perf_counter()
    progress = progress_on_terminal(quiet=False)
    with open_store(store, embed_model=embed_model, faiss=mirror, progress=progress, say=say) as opened:
        answer = opened.search(
            question,
            filters=filters_of(filters),
            include_source_docs=source_docs,
            **settings,
        )
        notes = [] if answer.results else list(unknown_values(opened, filters_of(filters)))
        several = output == "text" and len(opened.snapshots()) > 1
    seconds = perf_counter() - began
    for note in notes:
        say(visible_line(note))
    if output == "json":
        write_json(_to_dict(answer, explained=explain))
        return
    _write(answer, output, several=several, explained=explain)
    say(visible_line(status_line(answer, seconds)))


def _require_company(settings: Mapping[str, Any]) -> None:
    """Refuse options that count for nothing without another."""
    context = click.get_current_context()
    for name, other, is_used in (
        ("vector_weight", "--weighted", not settings["use_rrf"]),
        ("rerank_pool", "--rerank MODEL", settings["reranker"] is not None),
    ):
        if not is_used and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(
                f"{option} counts for nothing without {other}", hint=f"add {other}, or leave out {option}"
            )


def _write(answer: SearchAnswer, output: str, *, several: bool, explained: bool) -> None:
    if output == "citations":
        from ragduck.search.citations import citations

        write(citations(answer.request.text, answer.results))
        return
    from ragduck.cli.hits import hit_lines

    for number, result in enumerate(answer.results, start=1):
        for line in hit_lines(number, result, answer.request, several=several, explained=explained):
            write_styled(line)
        write_styled()


def _to_dict(answer: SearchAnswer, *, explained: bool) -> dict[str, Any]:
    if not explained:
        return answer.to_dict()
    from ragduck.search.explain import explain

    results = ({**result, "explain": explain(result, answer.request).to_dict()} for result in answer.results)
    return answer.with_results(results).to_dict()


def status_line(answer: SearchAnswer, seconds: float) -> str:
    """Return how many results there are, how long it took, and what a reader should know about them."""
    status = answer.status
    noun = "result" if status.returned == 1 else "results"
    parts = [f"{status.returned} {noun} in {seconds:.2f} s ({answer.mode})"]
    if status.qualifying is not None and status.qualifying < status.requested:
        chunks = "chunk qualifies" if status.qualifying < 2 else "chunks qualify"
        count = f"only {status.qualifying:,}" if status.qualifying else "no"
        parts.append(f"{count} {chunks} for these filters")
    if status.relaxed:
        parts.append(f"gave up the filter {', '.join(status.relaxed)}")
    moved = [f"{branch.repo}, {branch.branch}" for branch in status.branches if branch.checkout_moved]
    if moved:
        parts.append(f"stale, there is another commit now: {'; '.join(moved)}")
    return "; ".join([*parts, *status.notes])
