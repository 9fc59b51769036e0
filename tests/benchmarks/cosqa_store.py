"""Lay out CoSQA as files and queries that `ragduck prepare` and `ragduck eval` take.

Usage: cosqa_store.py COSQA OUT

COSQA holds `code.json`, functions by text with their numbers, and `queries-*.json`. Then:

    ragduck prepare OUT/code -o cosqa.duckdb
    ragduck eval cosqa.duckdb OUT/queries.tsv
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path


def write_functions(functions: dict[str, int], folder: Path) -> None:
    """Write each function as a file named by its number."""
    folder.mkdir(parents=True, exist_ok=True)
    for text, number in functions.items():
        (folder / f"{number:04}.py").write_text(text + "\n", encoding="utf-8")


def query_rows(queries: list[dict[str, object]]) -> list[str]:
    """Return a row of the query and the file of its function for each query."""
    return [f"{' '.join(str(query['doc']).split())}\t{query['retrieval_idx']:04}.py" for query in queries]


def main() -> None:
    """Write the files and print what to run."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("cosqa", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    functions = json.loads((arguments.cosqa / "code.json").read_text(encoding="utf-8"))
    write_functions(functions, arguments.out / "code")
    rows = ["query\ttarget"]
    for file in sorted(arguments.cosqa.glob("queries-*.json")):
        rows += query_rows(json.loads(file.read_text(encoding="utf-8")))
    (arguments.out / "queries.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{len(functions):,} functions, {len(rows) - 1:,} queries")
    print(f"ragduck prepare {arguments.out / 'code'} -o cosqa.duckdb")
    print(f"ragduck eval cosqa.duckdb {arguments.out / 'queries.tsv'}")


if __name__ == "__main__":
    main()
