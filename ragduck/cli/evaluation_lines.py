"""Draw what an evaluation found for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ragduck.cli.output import visible_line
from ragduck.cli.tables import table_lines
from ragduck.evaluation.compare import Change, ModeComparison, title_of

if TYPE_CHECKING:
    from ragduck.evaluation import Comparison, Evaluation
    from ragduck.evaluation.results import Found, Group, QueryResult


def mean_lines(evaluation: Evaluation) -> Iterator[str]:
    """Yield one table: overall, categories and files, each with the modes side by side."""
    columns = ("of", "mode", "queries", *map(title_of, evaluation.metrics), "p50 ms", "p95 ms", "p99 ms")
    rows = [
        (
            "" if number else f"{group.kind} {group.name}".strip(),
            mode.mode,
            *_mean_cells(group, evaluation.metrics),
        )
        for groups in zip(*(mode.groups() for mode in evaluation.modes), strict=True)
        for number, (mode, group) in enumerate(zip(evaluation.modes, groups, strict=True))
    ]
    yield from _aligned(columns, rows, words=2)


def _mean_cells(group: Group, metrics: Sequence[str]) -> tuple[str, ...]:
    times = group.latency().values()
    return (
        f"{len(group.results):,}",
        *(f"{group.mean(metric):.3f}" for metric in metrics),
        *(f"{time:.1f}" for time in times),
    )


def query_lines(evaluation: Evaluation) -> Iterator[str]:
    """Yield one table per mode: every query, the ranks of its targets, the best hit that is none."""
    metric = evaluation.metrics[0]
    for mode in evaluation.modes:
        yield ""
        yield mode.mode
        rows = [
            (
                f"{result.scores[metric]:.3f}",
                ranks_text(result.found, len(result.targets)),
                result.query.category or "",
                result.query.text,
                _wrong_text(result),
            )
            for result in mode.results
        ]
        yield from table_lines(
            (title_of(metric), "ranks", "category", "query", "best wrong hit"), rows, max_cell=60
        )


def ranks_text(found: Sequence[Found], targets: int) -> str:
    """Return `1, 4` for two targets at these ranks, `3; 1 missing` when one is not found, `-` for none."""
    if not found:
        return "-"
    ranks = ", ".join(str(one.rank) for one in found)
    missing = targets - len(found)
    return f"{ranks}; {missing:,} missing" if missing else ranks


def _wrong_text(result: QueryResult) -> str:
    wrong = result.best_wrong
    return f"{wrong.rank}. {wrong.location}" if wrong else ""


def comparison_lines(comparison: Comparison, *, changed: int) -> Iterator[str]:
    """Yield for each pair of modes what is compared, the metrics, a verdict, and the queries that changed most."""
    for mode in comparison.modes:
        yield ""
        yield visible_line(f"first   {mode.first}")
        yield visible_line(f"second  {mode.second}")
        yield from _difference_lines(mode)
        yield mode.verdict
        shown = mode.most_changed(changed)
        if shown:
            yield ""
            yield f"the {len(shown):,} that changed most, of {len(mode.changes):,} that changed"
            yield from _change_lines(shown)


def _difference_lines(mode: ModeComparison) -> Iterator[str]:
    columns = ("metric", "first", "second", "difference", "95 % interval", "p", "better", "same", "worse")
    rows = [
        (
            title_of(metric),
            f"{found.first:.3f}",
            f"{found.second:.3f}",
            f"{found.difference:+.3f}",
            f"{found.low:+.3f} to {found.high:+.3f}",
            "<0.001" if found.p < 0.001 else f"{found.p:.3f}",
            f"{found.wins:,}",
            f"{found.ties:,}",
            f"{found.losses:,}",
        )
        for metric, found in mode.differences.items()
    ]
    yield from _aligned(columns, [*rows, _time_row(*mode.latency)], words=1)


def _time_row(first: Mapping[str, float], second: Mapping[str, float]) -> tuple[str, ...]:
    difference = second["p50"] - first["p50"]
    return ("p50 ms", f"{first['p50']:.1f}", f"{second['p50']:.1f}", f"{difference:+.1f}", *[""] * 5)


def _change_lines(changes: Iterable[Change]) -> Iterator[str]:
    rows = [
        (
            f"{change.difference:+.3f}",
            ranks_text(change.first.found, len(change.first.targets)),
            ranks_text(change.second.found, len(change.second.targets)),
            change.first.query.category or "",
            change.first.query.text,
        )
        for change in changes
    ]
    return table_lines(("difference", "ranks first", "ranks second", "category", "query"), rows)


def _aligned(columns: Sequence[str], rows: Sequence[Sequence[Any]], *, words: int) -> Iterator[str]:
    """Yield a table whose columns after the first ``words`` stand at the right."""
    widths = [max(len(line[place]) for line in [columns, *rows]) for place in range(len(columns))]

    def placed(line: Sequence[str]) -> list[str]:
        return [cell if place < words else cell.rjust(widths[place]) for place, cell in enumerate(line)]

    return table_lines(placed(columns), [placed(row) for row in rows])
