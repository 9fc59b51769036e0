"""Compare stores of different sizes: the file, warm searches, and a FAISS mirror; writes docs/benchmarks/scale.md.

Usage: scale.py STORE... --output FILE [--repeat 10] [--no-mirrors]

Stores are measured one after the other in one run, with their own vectors as question vectors.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
from faiss_mirror import questions_of, searches, timed
from warm_search import QUESTIONS, library_times, macro_times

import ragduck
from ragduck.mirror import export_faiss
from ragduck.mirror.searching import FaissMirror
from ragduck.mirror.state import asked_state
from ragduck.search.filters import Clause
from ragduck.store import open_database

Column = dict[str, str]  # what was measured of one store, by row

SIZES = """
select
    count(*) as chunks, count(embedding) as vectors, sum(strlen(text)) / 1e6 as chunk_text,
    (select sum(strlen(text)) / 1e6 from source_documents) as files
from documents
"""


def of_file(path: Path) -> Column:
    """Return what the store holds and how large it is."""
    with ragduck.open(path) as store:
        row, dimension = store.sql(SIZES)[0], store.model.dimension if store.model else 0
        vectors = row["vectors"] * dimension * 4 / 1e6
        size = path.stat().st_size / 1e6
        return {
            "chunks": f"{row['chunks']:,}",
            "vectors": f"{row['vectors']:,} × {dimension}",
            "MB: file": f"{size:,.0f}",
            "MB: vectors": f"{vectors:,.0f}",
            "MB: text of chunks, of whole files": f"{row['chunk_text']:,.0f}, {row['files']:,.0f}",
            "file / (vectors and both texts)": f"{size / (vectors + row['chunk_text'] + row['files']):.2f}",
            "vectors are scanned": f"{store.meta['vector_scan']} {store.meta['vector_candidates']}",
        }


def of_searches(path: Path, repeat: int) -> Column:
    """Return the milliseconds of warm searches."""
    return {
        f"ms: {name}": f"{statistics.median(times):.1f} / {np.percentile(times, 95):.1f} / {min(times):.1f}"
        for measure in (macro_times, library_times)
        for name, times in measure(path, QUESTIONS, repeat)
    }


def of_mirror(path: Path) -> Column:
    """Return what a mirror of the kind that the size chooses takes to make, and to ask."""
    with open_database(path) as database, tempfile.TemporaryDirectory() as folder:
        made = export_faiss(path, Path(folder) / "mirror")
        state = asked_state(path, database.meta, faiss=Path(folder) / "mirror")
        if state is None:
            return {}
        mirror = FaissMirror(state, database)
        questions = questions_of(database, 60)
        _, find = timed(lambda each: mirror.nearest(each.vector, depth=10, clause=Clause()), questions)
        asked = {
            f"ms: mirror, {name}": timed(call, questions)[1] for name, call in searches(database, mirror)
        }
        return {
            "mirror": f"{made.manifest.kind}, recall@10 {made.manifest.recall_at_10}",
            "mirror: seconds to make, MB": f"{sum(made.seconds.values()):.0f}, {made.size / 1e6:,.0f}",
            "ms: mirror alone": _both(find),
        } | {name: _both(times) for name, times in asked.items()}


def _both(times: str) -> str:
    return " / ".join(times.split())


def lines(columns: Sequence[Column], about: str) -> Iterator[str]:
    """Yield the document; ``about`` tells what the stores are."""
    rows = list(dict.fromkeys(name for column in columns for name in column))
    yield "# What size costs\n"
    yield (
        f"{datetime.now(UTC):%Y-%m-%d}: ragduck {ragduck.__version__}, DuckDB {duckdb.__version__}, two cores. Warm, "
        "one search after the other, ten results with all that they tell; milliseconds are median / 95th percentile "
        "/ least, with a mirror median / 95th percentile. Written by `tests/benchmarks/scale.py`; do not edit.\n"
    )
    yield f"{about}\n"
    yield f"| chunks | {' | '.join(column['chunks'] for column in columns)} |"
    yield f"|---|{'--:|' * len(columns)}"
    for name in rows[1:]:
        yield f"| {name} | {' | '.join(column.get(name, '–') for column in columns)} |"


def main() -> None:
    """Write the document."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("stores", type=Path, nargs="+")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--about", default="", help="what the stores are")
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("--no-mirrors", action="store_true")
    arguments = parser.parse_args()
    columns: list[Column] = []
    for store in arguments.stores:
        columns.append({})
        for part in (of_file, partial(of_searches, repeat=arguments.repeat), of_mirror):
            if part is of_mirror and arguments.no_mirrors:
                continue
            columns[-1] |= part(store)
            arguments.output.write_text("\n".join(lines(columns, arguments.about)) + "\n", encoding="utf-8")
        print(f"{store.name} is measured")


if __name__ == "__main__":
    main()
