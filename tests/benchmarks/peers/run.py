"""Measure ragduck and its peers on the same rows and queries, each in an environment of its own.

Usage: run.py [--chunks 10000] [--queries 100] [--peers ragduck,lancedb] [--output docs/benchmarks/peers.md]

Prints the tables; with --output it writes them as a document, and a chart beside it. The figures also go to
results.json in the work folder, where environments, rows and the files of the peers stay for the next run.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus import write_corpus
from document import Circumstances, document
from queries import Query, read_queries
from results import exact_answers
from roster import entries_of
from rows import read_rows
from stages import Stages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from results import Measured


def main() -> None:
    """Run the benchmark."""
    arguments = _arguments()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    run = arguments.work.resolve() / f"{arguments.chunks}-{arguments.queries}-{arguments.seed}"
    rows, queries = _corpus(run / "corpus", arguments)
    exact = exact_answers(rows, queries, top_k=arguments.top_k)
    circumstances = Circumstances.of(rows, queries, arguments, load=load)
    del rows  # the memory is the peers'
    stages = Stages(run / "corpus", run.parent / "environments", run / "files", _options(arguments))
    measured = []
    for entry in entries_of(tuple(filter(None, arguments.peers.split(",")))):
        print(f"{entry.name} …", file=sys.stderr, flush=True)
        measured.append(stages.measure(entry, queries=queries, exact=exact))
        figures = {"circumstances": asdict(circumstances), "entries": [asdict(entry) for entry in measured]}
        (run / "results.json").write_text(json.dumps(figures, indent=1), encoding="utf-8")
    _show(circumstances, measured, output=arguments.output)


def _corpus(folder: Path, arguments: argparse.Namespace) -> tuple[Any, list[Query]]:
    """Return rows and questions; those of an earlier run of the same size when there are any."""
    if not (folder / "queries.json").exists():
        write_corpus(
            folder,
            chunks=arguments.chunks,
            queries=arguments.queries,
            sources=arguments.source,
            seed=arguments.seed,
        )
    return read_rows(folder / "rows.parquet"), read_queries(folder / "queries.json")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--chunks", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--peers", default="", help="names with commas between them; all without")
    parser.add_argument("--top-k", type=int, default=10)
    parser.add_argument(
        "--rounds", type=int, default=1, help="the fastest of so many counts, for a busy machine"
    )
    parser.add_argument("--cores", type=int, help="bind every peer to so many cores")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--source", type=Path, nargs="*", default=[], help="folders of Python files")
    parser.add_argument("--work", type=Path, default=Path(".venv-peers"), help="for environments and files")
    parser.add_argument("--output", type=Path, help="the document to write")
    parser.add_argument("--busy", action="store_true", help="tell processor time, as multiples of ragduck's")
    return parser.parse_args()


def _options(arguments: argparse.Namespace) -> list[str]:
    options = ["--top-k", str(arguments.top_k), "--rounds", str(arguments.rounds)]
    return options + (["--cores", str(arguments.cores)] if arguments.cores else [])


def _show(circumstances: Circumstances, measured: Sequence[Measured], *, output: Path | None) -> None:
    """Print the tables, or write them with a chart."""
    picture = output.with_suffix(".png").name if output else None
    text = document(circumstances, measured, picture=picture)
    if output is None:
        print(text)
        return
    from chart import draw

    draw(circumstances, measured, output.with_suffix(".png"))
    output.write_text(text, encoding="utf-8")
    print(f"written: {output}", file=sys.stderr)


if __name__ == "__main__":
    main()
