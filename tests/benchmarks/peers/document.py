"""Write what was measured as Markdown."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from queries import Query
from results import Measured, Searched
from roster import UNIT
from rows import LABELS

TITLES: Mapping[str, str] = {
    "keyword": "keyword",
    "vector": "vector",
    "narrow": "vector, narrow filter",
    "wide": "vector, wide filter",
    "hybrid": "hybrid",
}
VECTOR_KINDS = ("vector", "narrow", "wide")
MISSING = "–"


@dataclass(frozen=True, slots=True)
class Circumstances:
    """When, where and on what was measured."""

    date: str
    machine: str
    load: float
    chunks: int
    queries: int
    top_k: int
    rounds: int
    text_mb: float
    vector_mb: float
    narrow: float
    wide: float
    busy: bool
    command: str

    @classmethod
    def of(
        cls, rows: Any, queries: Sequence[Query], arguments: argparse.Namespace, *, load: float
    ) -> Circumstances:
        """Describe a run before it starts."""
        labels = {name: np.array(rows[name].to_pylist()) for name in LABELS}
        shares = {
            name: float(np.mean([(labels[field] == value).mean() for field, value in filters]))
            for name, filters in (
                ("narrow", [query.narrow for query in queries]),
                ("wide", [query.wide for query in queries]),
            )
        }
        return cls(
            date=f"{datetime.now(UTC):%Y-%m-%d}",
            machine=_machine(arguments.cores),
            load=load,
            chunks=len(rows),
            queries=len(queries),
            top_k=arguments.top_k,
            rounds=arguments.rounds,
            text_mb=sum(len(text.encode()) for text in rows["text"].to_pylist()) / 1024**2,
            vector_mb=rows["embedding"].nbytes / 1024**2,
            narrow=shares["narrow"],
            wide=shares["wide"],
            busy=arguments.busy,
            command=_command(),
        )


def _machine(bound: int | None) -> str:
    names = [platform.processor() or platform.machine()]
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")] or names
    cores = f"{os.cpu_count()} cores" + (f", each peer bound to {bound}" if bound else "")
    return f"{names[0]}, {cores}, {platform.system()}, Python {platform.python_version()}"


def _command() -> str:
    """Return the command as it was typed, without where the files of the peers were kept."""
    words = sys.argv[1:]
    if "--work" in words:
        place = words.index("--work")
        words = words[:place] + words[place + 2 :]
    plain = [Path(word).name if Path(word).is_absolute() else word for word in words]
    return " ".join(["python tests/benchmarks/peers/run.py", *plain])


def document(circumstances: Circumstances, measured: Sequence[Measured], *, picture: str | None) -> str:
    """Return the whole document."""
    done = [entry for entry in measured if entry.problem is None]
    unit = next((entry for entry in done if entry.name == UNIT), None)
    shown = unit if circumstances.busy else None
    parts = [_head(circumstances, done)]
    if picture:
        parts.append(
            f"![Time of hybrid search and of vector search, open and with the narrow filter]({picture})"
        )
    parts += _times(circumstances, done, unit=shown)
    parts += _found(circumstances, done)
    parts += _costs(circumstances, done, unit=shown)
    parts += _problems(measured)
    parts += [*_method(circumstances, measured), f"## Run it again\n\n```\n{circumstances.command}\n```"]
    return "\n\n".join(parts) + "\n"


def _head(run: Circumstances, done: Sequence[Measured]) -> str:
    versions = {name: number for entry in done for name, number in _versions(entry)}
    text = (
        f"# ragduck and its peers\n\n{run.date}: {run.chunks:,} chunks ({run.text_mb:.0f} MB of text, "
        f"{run.vector_mb:.0f} MB of vectors), {run.queries} queries, {run.top_k} results each with their texts. "
        f"{run.machine}. {', '.join(f'{name} {number}' for name, number in versions.items())}. "
        "Written by `tests/benchmarks/peers/run.py`; do not edit."
    )
    if run.busy:
        text += (
            f"\n\n**The machine had other work to do (load average {run.load:.1f} before the first peer), so the "
            "clock tells little. Times here are processor time of all threads of a peer, as multiples of that of "
            f"{UNIT}. Who uses several cores answers sooner than that says; small differences mean nothing.**"
        )
    return text


def _versions(entry: Measured) -> Iterator[tuple[str, str]]:
    """Yield the versions; DuckDB is there twice, for ragduck and with its own extensions."""
    for name, number in entry.versions.items():
        if name == "numpy":
            continue
        own = name == "duckdb" and "ragduck" not in entry.versions
        yield ("DuckDB with its extensions" if own else name), number


def _times(run: Circumstances, done: Sequence[Measured], *, unit: Measured | None) -> Iterator[str]:
    yield "## Time of a search"
    told = f"Multiples of the median of {UNIT} for the same kind of search" if unit else "Milliseconds"
    yield (
        f"{told}: median / 95th percentile over the queries, warm, one after the other. The narrow filter lets "
        f"{run.narrow:.1%} of the rows through, the wide one {run.wide:.0%}. Read with the recall below."
    )
    yield _table(
        ("", *TITLES.values()),
        ((entry.name, *(_time(entry.searches.get(kind), unit, kind) for kind in TITLES)) for entry in done),
    )


def _time(searched: Searched | None, unit: Measured | None, kind: str) -> str:
    if searched is None:
        return MISSING
    if unit is None:
        return f"{number(searched.median)} / {number(searched.p95)}"
    own = unit.searches[kind].cpu_median
    return f"{number(searched.cpu_median / own)} / {number(searched.cpu_p95 / own)}"


def number(value: float) -> str:
    """Return a number with the digits that mean something."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2g}"


def _found(run: Circumstances, done: Sequence[Measured]) -> Iterator[str]:
    yield "## What was found"
    yield (
        f"Recall@{run.top_k} against the exact answer by numpy; in brackets the mean number of results where it is "
        f"below {run.top_k} (fewer rows may qualify). *Own chunk* is the share of questions whose chunk of origin is "
        "among the results: a check that every peer searches in earnest, not a measure of quality."
    )
    header = ("", *(TITLES[kind] for kind in VECTOR_KINDS), "own chunk, keyword", "own chunk, hybrid")
    yield _table(header, ((entry.name, *_found_cells(entry, run.top_k)) for entry in done))


def _found_cells(entry: Measured, top_k: int) -> Iterator[str]:
    for kind in VECTOR_KINDS:
        searched = entry.searches.get(kind)
        if searched is None:
            yield MISSING
            continue
        few = f" ({searched.returned:.1f})" if searched.returned < top_k - 0.05 else ""
        yield f"{searched.recall:.3f}{few}"
    for kind in ("keyword", "hybrid"):
        searched = entry.searches.get(kind)
        yield MISSING if searched is None else f"{searched.own:.2f}"


def _costs(run: Circumstances, done: Sequence[Measured], *, unit: Measured | None) -> Iterator[str]:
    yield "## Build, size, memory"
    times = f"multiples of the build of {UNIT}" if unit else "seconds"
    yield (
        f"Build from the Parquet file with all indexes, in {times}; size of all files; peak resident memory of the "
        "process that builds and of the one that asks, mapped pages of files included."
    )
    yield _table(
        ("", "build", "MB on disk", "MB to build", "MB to ask"),
        (
            (
                entry.name,
                number(entry.build_cpu_seconds / unit.build_cpu_seconds if unit else entry.build_seconds),
                *(f"{value:.0f}" for value in (entry.size_mb, entry.build_mb, entry.ask_mb)),
            )
            for entry in done
        ),
    )


def _problems(measured: Iterable[Measured]) -> Iterator[str]:
    failed = [entry for entry in measured if entry.problem is not None]
    if failed:
        yield "## Not measured"
        yield "\n".join(f"- {entry.name}: {entry.problem}" for entry in failed)


def _method(run: Circumstances, measured: Iterable[Measured]) -> Iterator[str]:
    yield "## How"
    rounds = f" The fastest of {run.rounds} rounds counts for each query." if run.rounds > 1 else ""
    yield (
        "Each peer builds and answers in processes of its own, in an environment of its own, and does what its "
        f"documentation recommends; threads are the peer's default.{rounds} Every answer carries the texts. Words of "
        "a question are alternatives everywhere, and every peer cuts and stems them in its own way. Where the "
        "benchmark has to fuse two lists it takes 100 of each side, as ragduck does, by reciprocal rank; LanceDB "
        "takes as many as there are results. A store of ragduck also holds the source files, which the others do not."
    )
    yield (
        "Texts are runs of 40 lines of the Python sources of the machine, none twice. Vectors are drawn around one "
        "centre per 50 chunks, with a spread that falls with the direction like that of a model: on 20,000 real "
        "MiniLM vectors of code, product quantisation with 48 bytes has a recall@10 of 0.74 and the best 200 by sign "
        "bits hold 0.995 of the exact answer; on 20,000 drawn ones it is 0.72 and 0.999. A question is four words of "
        "a chunk and a vector half-way between that chunk's and another around the same centre. The labels that are "
        "filtered by have nothing to do with the vectors, which is easier for an index than filters that cut off "
        "clusters."
    )
    yield "\n".join(f"- **{entry.name}**: {entry.note}." for entry in measured if entry.note)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---", *["--:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
