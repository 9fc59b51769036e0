"""`ragduck eval`: measure how well a store answers."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from ragduck.cli.amounts import counted
from ragduck.cli.arguments import filters_of, json_option, store_argument
from ragduck.cli.output import progress_on_terminal, say, visible_line, write_json, write_styled
from ragduck.cli.search import MODES
from ragduck.errors import RagduckError, UsageError

if TYPE_CHECKING:
    from ragduck.evaluation import Comparison, Evaluation, Query
    from ragduck.search import Mode

SHOWN_MISSING = 5
ARGUMENTS = {
    "reranker": str | None,
    "rerank_pool": int,
}  # of Store.search, beside the fields of SearchRequest


@click.command("eval", short_help="Measure how well a store answers known queries.")
@store_argument
@click.argument("queries", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="QUERIES...")
@click.option("--mode", "modes", multiple=True, type=click.Choice(MODES),
              help="Ask in this mode; by default in all that the store can serve.  [repeatable]")  # fmt: skip
@click.option("-k", "--top-k", type=int, default=10, show_default=True, help="Results that count.")
@click.option("--recall", "recall_at", multiple=True, type=int, metavar="K",
              help="Tell the recall of the first K results; 1, 5 and 10 by default.  [repeatable]")  # fmt: skip
@click.option("--filter", "filters", multiple=True, metavar="FIELD=VALUE",
              help="Search only chunks with this value, as `ragduck search` does.  [repeatable]")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="Search with this field of ragduck.SearchRequest, or reranker=MODEL.  [repeatable]")  # fmt: skip
@click.option(
    "--category", "categories", multiple=True, help="Ask only queries of this category.  [repeatable]"
)
@click.option("--embed-model", metavar="MODEL", help="Where the store's model is now, if it has moved.")
@click.option("--compare", "other", type=click.Path(path_type=Path), metavar="STORE",
              help="Compare with another store.")  # fmt: skip
@click.option("--compare-mode", type=click.Choice(MODES), help="Compare with another mode.")
@click.option("--compare-set", "other_settings", multiple=True, metavar="NAME=VALUE",
              help="Compare with another setting.  [repeatable]")  # fmt: skip
@click.option("--changed", type=click.IntRange(min=0), default=5, show_default=True, metavar="N",
              help="With a comparison: list N queries that gained most and N that lost most.")  # fmt: skip
@click.option("--queries", "--verbose", "each", is_flag=True, help="Show how every query fared.")
@click.option("--min-ndcg", type=click.FloatRange(0, 1), metavar="X",
              help="Fail when NDCG in the first mode is below X.")  # fmt: skip
@click.option("--once", is_flag=True,
              help="Ask each question once: faster, but times may hold the embedding of the question.")  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@json_option
def evaluate(
    store: Path,
    queries: tuple[Path, ...],
    *,
    categories: tuple[str, ...],
    changed: int,
    each: bool,
    min_ndcg: float | None,
    once: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Measure how well a store answers queries whose right answers are known.

    QUERIES are files or folders of files. TSV has rows of query, tab, target; further rows or tabs give further
    targets. A target is a path, path:start-end, a chunk id, an object id or a node key. A header
    `query<TAB>target<TAB>category` lets the third column name a category. JSON is a list of
    {"query": …, "relevant": [path, …], "secondary": [path, …], "category": …}.

    NDCG, MRR and recall count a target at the rank of the first chunk that finds it; targets that the store lacks
    count as not found. Times are those of whole searches, without the embedding of the question. A comparison tests
    whether the difference could be chance (paired randomisation test).

    \b
    Example:
      ragduck eval shop.duckdb queries.tsv
      ragduck eval shop.duckdb queries.tsv --mode bm25 --queries --min-ndcg 0.5
      ragduck eval shop.duckdb queries.tsv --mode hybrid --compare-mode bm25
      ragduck eval shop.duckdb queries.tsv --compare-set rrf_k=10 --json
    """
    from ragduck.evaluation import read_queries

    began = perf_counter()
    asked = _of_categories(read_queries(queries), categories)
    first, comparison = _measure(store, asked, once=once, **options)
    if as_json:
        write_json({**first.to_dict(), "comparison": _to_dict(comparison)})
    else:
        _write(first, comparison, each=each, changed=changed)
    _say_notes(first)
    if comparison is not None and comparison.second.stores != first.stores:
        _say_notes(comparison.second)
    _say_summary(first, perf_counter() - began, once=once)
    if min_ndcg is not None:
        _require_ndcg(first, min_ndcg)


def _of_categories(queries: tuple[Query, ...], categories: tuple[str, ...]) -> tuple[Query, ...]:
    if not categories:
        return queries
    known = sorted({query.category or "" for query in queries} - {""})
    for category in categories:
        if category not in known:
            raise UsageError(
                f"no query is of category {category!r}",
                hint=f"categories: {', '.join(known)}" if known else "the queries have no categories",
            )
    return tuple(query for query in queries if query.category in categories)


def _measure(
    store: Path,
    queries: tuple[Query, ...],
    *,
    modes: tuple[Mode, ...],
    settings: tuple[str, ...],
    embed_model: str | None,
    other: Path | None,
    compare_mode: Mode | None,
    other_settings: tuple[str, ...],
    **options: Any,
) -> tuple[Evaluation, Comparison | None]:
    """Evaluate the store, and what it is to be compared with: the same but for what the options name."""
    from ragduck.evaluation import compare, evaluate
    from ragduck.opening import open_store
    from ragduck.search.settings import settings_of

    fixed = _arguments(**options)
    chosen = settings_of(settings, others=ARGUMENTS)
    changed = settings_of((*settings, *other_settings), others=ARGUMENTS)
    with ExitStack() as stack:
        opened = stack.enter_context(open_store(store, embed_model=embed_model, say=say))
        if not (other or compare_mode or other_settings):
            return evaluate(opened, queries, modes=modes or None, **fixed, **chosen), None
        opened_other = opened
        if other:
            opened_other = stack.enter_context(open_store(other, embed_model=embed_model, say=say))
        if not modes:
            has_vectors = bool(opened.model and opened_other.model)
            modes = ("hybrid",) if has_vectors and compare_mode != "hybrid" else ("bm25",)
        first = evaluate(opened, queries, modes=modes, **fixed, **chosen)
        second = evaluate(opened_other, queries, modes=compare_mode or modes, **fixed, **changed)
    return first, compare(first, second)


def _arguments(
    *, top_k: int, recall_at: tuple[int, ...], filters: tuple[str, ...], once: bool, quiet: bool
) -> dict[str, Any]:
    """Return the arguments of `evaluate` that are the same on both sides of a comparison."""
    arguments = {
        "top_k": top_k,
        "recall_at": recall_at or None,
        "once": once,
        "progress": progress_on_terminal(quiet=quiet),
    }
    return {**arguments, "filters": filters_of(filters)} if filters else arguments


def _to_dict(comparison: Comparison | None) -> dict[str, Any] | None:
    if comparison is None:
        return None
    return {**comparison.to_dict(), "second": comparison.second.to_dict()}


def _write(first: Evaluation, comparison: Comparison | None, *, each: bool, changed: int) -> None:
    from ragduck.cli.evaluation_lines import comparison_lines, mean_lines, query_lines

    for line in mean_lines(first):
        write_styled(line)
    if each:
        for line in query_lines(first):
            write_styled(line)
    if comparison is not None:
        for line in comparison_lines(comparison, changed=changed):
            write_styled(line)


def _say_notes(evaluation: Evaluation) -> None:
    """Tell what a reader of the figures should know: how labels were matched, what is missing."""
    labels = evaluation.labels
    for note in labels.how:
        say(visible_line(note))
    for mode in evaluation.modes:
        for note in mode.notes:
            say(visible_line(f"{mode.mode}: {note}"))
    if labels.missing:
        say(visible_line(_missing_text(labels.missing, store=evaluation.stores[0])))


def _missing_text(missing: tuple[str, ...], *, store: Path) -> str:
    rest = len(missing) - SHOWN_MISSING
    more = f" and {rest:,} more, which --json lists" if rest > 0 else ""
    return (
        f"{counted(len(missing), 'target')} not in {store.name}, counted as not found: "
        f"{', '.join(missing[:SHOWN_MISSING])}{more}"
    )


def _say_summary(evaluation: Evaluation, seconds: float, *, once: bool) -> None:
    embedding = (
        "with the embedding of a question that is new" if once else "without the embedding of the question"
    )
    asked = len(evaluation.queries)
    say(
        f"{asked:,} {'query' if asked == 1 else 'queries'} with {counted(evaluation.labels.count, 'target')} in "
        f"{seconds:.1f} s; times are those of whole searches, {embedding}"
    )


def _require_ndcg(evaluation: Evaluation, least: float) -> None:
    metric, mode = evaluation.metrics[0], evaluation.modes[0]
    reached = mode.mean(metric)
    if reached < least:
        raise RagduckError(
            f"{metric.upper()} is {reached:.3f} in mode {mode.mode}, below {least:g}",
            hint="see which queries are to blame: add --queries",
        )
