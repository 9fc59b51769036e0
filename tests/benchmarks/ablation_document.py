"""Write what `ablation.py` measured as a document."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import duckdb

import ragduck
from ragduck.evaluation.significance import Difference
from ragduck.resources import sql_text

MODES: Mapping[str, str] = {"hybrid": "hybrid", "bm25": "keyword only"}
SETS: Mapping[str, str] = {
    "C#": "the libraries that the parameters were chosen on",
    "held out": "nothing was fitted to these, but their figures were seen while the parameters were chosen",
    "unseen": "first measured when the parameters stood; seen when four were chosen later, on whole systems",
    "CoSQA": "web queries for Python functions, each a file of its own; seen while the parameters were chosen, too",
}
RANKING = ("build/09_signals.sql", "macros/04_ranking.sql", "search/ranked.sql")
NOISE = 0.01  # of NDCG@10; the labels are model-made


@dataclass(frozen=True, slots=True)
class Row:
    """One setting of the ranking, as `Store.search` takes it."""

    name: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """Pooled questions in one mode: each row compared with everything on."""

    title: str
    differences: Mapping[str, Difference]


@dataclass(frozen=True, slots=True)
class Set:
    """Some repositories: pooled columns by mode, and means by mode, repository and row."""

    title: str
    repositories: tuple[str, ...]
    questions: int
    missing: tuple[str, ...]
    pooled: Mapping[str, Column]
    means: Mapping[str, Mapping[str, Mapping[str, float]]]


@dataclass(frozen=True, slots=True)
class Fold:
    """A repository with the ranking that the others chose (None for all questions), compared with the defaults."""

    name: str
    ranking: Mapping[str, float] | None
    difference: Difference


def document(
    rows: Sequence[Row],
    sets: Sequence[Set],
    folds: Mapping[str, Sequence[Fold]],
    *,
    grid: Mapping[str, Sequence[float]],
    model: str,
    command: str,
) -> str:
    """Return the whole document in Markdown."""
    parts = [_head(model), *_data(sets), *_settings(rows), *_pooled(rows, sets), *_findings(rows, sets)]
    parts += _by_repository(rows, sets)
    if folds:
        parts += _left_out(folds, grid=grid)
    return "\n\n".join([*parts, *_again(command)]) + "\n"


def _head(model: str) -> str:
    return (
        "# What each ranking signal is worth\n\n"
        f"NDCG@10 of {datetime.now(UTC):%Y-%m-%d}: ragduck {ragduck.__version__}, DuckDB {duckdb.__version__}, "
        f"Python {platform.python_version()}, vectors of `{model}`. Written by `tests/benchmarks/ablation.py`; "
        f"do not edit. Of the ranking whose SQL (`{'`, `'.join(RANKING)}` in `sql`) has the SHA-256 "
        f"`{_ranking_hash()}`.\n\n"
        "A file counts at the rank of its first chunk, further chunks cost ranks. **The labels of the repositories "
        f"are model-made: ±{NOISE:g} is noise.**"
    )


def _ranking_hash() -> str:
    """Return the start of a hash of the ranking's SQL: when it differs from a new one, the figures are old."""
    return hashlib.sha256("".join(map(sql_text, RANKING)).encode()).hexdigest()[:12]


def _data(sets: Iterable[Set]) -> Iterator[str]:
    yield "## Data"
    yield "\n".join(_set_line(own) for own in sets)
    yield (
        "Questions and labels of the repositories are those of the public benchmark of "
        "[MinishLab/semble](https://github.com/MinishLab/semble) (MIT), at the revisions after the `@`; of some "
        "repositories only the folder that the benchmark names is prepared. Go, C#, Java, JavaScript, Python and "
        "TypeScript are parsed, files in other languages are cut by size."
    )


def _set_line(own: Set) -> str:
    names = f" to {', '.join(own.repositories)}" if own.title != "CoSQA" else ""
    missing = f" Not in the store, counted as not found: {', '.join(own.missing)}." if own.missing else ""
    return f"- **{own.title}** ({SETS[own.title]}): {own.questions} questions{names}.{missing}"


def _settings(rows: Iterable[Row]) -> Iterator[str]:
    yield "## Rows"
    yield (
        "*Signals off* is plain reciprocal rank fusion with k = 60, or plain BM25. Every other row takes one thing "
        "away from everything on; what the parameters mean stands in `sql/macros/04_ranking.sql`."
    )
    yield _table(("row", "settings"), [(row.name, _settings_text(row.settings)) for row in rows])


def _settings_text(settings: Mapping[str, Any]) -> str:
    plain = {**settings, **settings.get("ranking", {})}
    return ", ".join(f"`{name}={value}`" for name, value in plain.items() if name != "ranking") or "defaults"


def _pooled(rows: Sequence[Row], sets: Sequence[Set]) -> Iterator[str]:
    columns = [(own.title, mode, column) for own in sets for mode, column in own.pooled.items()]
    yield "## All questions of each set"
    yield (
        "The value, and the difference to everything on: **bold** where its 95 % interval (bootstrap over questions) "
        "excludes 0, `=` where no question changed."
    )
    yield _table(
        ("", *(f"{title}, {MODES[mode]}" for title, mode, _ in columns)),
        [(row.name, *(_cell(row, column.differences[row.name]) for *_, column in columns)) for row in rows],
    )


def _cell(row: Row, found: Difference) -> str:
    if not row.settings:
        return f"{found.second:.3f}"
    if not (found.wins or found.losses):
        return f"{found.second:.3f} ="
    change = f"{found.difference:+.3f}"
    return f"{found.second:.3f} {f'**{change}**' if is_clear(found) else change}"


def is_clear(found: Difference) -> bool:
    """Whether the interval of a difference excludes 0."""
    return found.low > 0 or found.high < 0


def _findings(rows: Sequence[Row], sets: Sequence[Set]) -> Iterator[str]:
    """Yield which rows lose or gain clearly, and which gain in hybrid wherever they were measured."""
    columns = {(own.title, mode): column.differences for own in sets for mode, column in own.pooled.items()}
    hybrid = [differences for (_, mode), differences in columns.items() if mode == "hybrid"]
    every = [
        row.name for row in rows[1:] if all(differences[row.name].difference > 0 for differences in hybrid)
    ]
    yield "\n".join(
        [
            f"- Loses clearly somewhere: {_clear_text(rows, columns, sign=-1)}.",
            f"- Gains clearly somewhere: {_clear_text(rows, columns, sign=1)}.",
            f"- Gains in hybrid on every set, clearly or not: {', '.join(every) or 'none'}.",
        ]
    )


def _clear_text(
    rows: Sequence[Row], columns: Mapping[tuple[str, str], Mapping[str, Difference]], *, sign: int
) -> str:
    found = []
    for row in rows[1:]:
        places = [
            f"{title}, {MODES[mode]}"
            for (title, mode), differences in columns.items()
            if is_clear(differences[row.name]) and sign * differences[row.name].difference > 0
        ]
        if places:
            found.append(f"{row.name} ({'; '.join(places)})")
    return ", ".join(found) or "none"


def _by_repository(rows: Sequence[Row], sets: Sequence[Set]) -> Iterator[str]:
    for mode, title in MODES.items():
        means = {
            name: values
            for own in sets
            if len(own.repositories) > 1
            for name, values in own.means.get(mode, {}).items()
        }
        if means:
            yield f"## Each repository, {title}"
            yield _table(
                ("", *means),
                [(row.name, *(f"{values[row.name]:.3f}" for values in means.values())) for row in rows],
            )


def _left_out(folds: Mapping[str, Sequence[Fold]], *, grid: Mapping[str, Sequence[float]]) -> Iterator[str]:
    steps = "; ".join(
        f"`{name}` {', '.join(f'{value:g}' for value in values)}" for name, values in grid.items()
    )
    yield "## Leave one repository out"
    yield (
        "The defaults were chosen by hand, in the middle of ranges where little changes, with all of these "
        "repositories in sight: their column is no prediction. That of what the others chose is: "
        f"one parameter after the other takes the best value of a coarse grid ({steps}) on all repositories but one, "
        "and is measured on the one left out, in mode hybrid. What is not named keeps its default. The "
        "difference over all questions comes with its 95 % interval."
    )
    for title, own in folds.items():
        yield f"### {title}"
        yield _table(
            ("left out", "chosen on the others", "defaults", "chosen", "difference"), map(_fold_cells, own)
        )


def _fold_cells(fold: Fold) -> tuple[str, ...]:
    found = fold.difference
    chosen = "" if fold.ranking is None else _settings_text(fold.ranking)
    interval = f" ({found.low:+.3f} to {found.high:+.3f})" if fold.ranking is None else ""
    return (
        fold.name,
        chosen,
        f"{found.first:.3f}",
        f"{found.second:.3f}",
        f"{found.difference:+.3f}{interval}",
    )


def _again(command: str) -> Iterator[str]:
    yield "## Run it again"
    yield (
        "Prepare a store of each repository with `ragduck prepare FOLDER -o NAME.duckdb`. Where the benchmark names "
        "a folder, prepare one that holds nothing else, under its path in the repository; "
        "`tests/benchmarks/cosqa_store.py` lays out CoSQA. Questions are JSON or TSV as `ragduck eval` reads them."
    )
    yield f"```\n{command.replace(' --', ' ' + chr(92) + chr(10) + '    --')}\n```"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
