"""Write the sample system with two interpreters and open each file with both: all answers must be the same.

Usage: exchange.py PYTHON_A PYTHON_B, two environments with different versions of DuckDB.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

SHOP = Path(__file__).parent / "data" / "shop"
WRITE = """
import sys, ragduck
ragduck.prepare(sys.argv[1], sys.argv[2], repo="shop", branch="main", embed_model="hashing")
"""
ASK = """
import json, sys, duckdb, ragduck
answers = {}
with ragduck.open(sys.argv[1]) as store:
    for mode in ("hybrid", "semantic", "semantic_rerank", "bm25"):
        found = store.search("where are invoices created", mode=mode, filters={"repo": "shop"})
        answers[mode] = [(hit["id"], round(hit["score"], 6)) for hit in found.results]
    answers["macro"] = store.sql("select id, round(score, 4) as score from bm25('place order', top_k := 5)")
    answers["vector macro"] = store.sql(
        "select id, round(score, 4) as score "
        "from nearest((select embedding from documents where chunk_no = 7), top_k := 5)"
    )
    answers["metadata"] = store.sql("select id, metadata_->>'repo' as repo from documents order by chunk_no limit 3")
    answers["failed checks"] = [check.name for check in store.check() if not check.passed]
    answers["rows"] = store.sql("select count(*) as n, count(embedding) as v from documents")
print(json.dumps([duckdb.__version__, answers]))
"""


def run(python: str, code: str, *arguments: str) -> str:
    """Run code in an environment and return what it prints."""
    return subprocess.run([python, "-c", code, *arguments], check=True, capture_output=True, text=True).stdout


def main(pythons: list[str]) -> int:
    """Compare the answers of every file in every environment; return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        answers = {}
        for writer in pythons:
            path = str(Path(folder) / f"{pythons.index(writer)}.duckdb")
            run(writer, WRITE, str(SHOP), path)
            for reader in pythons:
                version, found = json.loads(run(reader, ASK, path))
                answers[f"written by {writer}, read by DuckDB {version}"] = found
    expected = next(iter(answers.values()))
    wrong = [name for name, found in answers.items() if found != expected]
    for name in answers:
        print(f"{'DIFFERS' if name in wrong else 'same'}: {name}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
