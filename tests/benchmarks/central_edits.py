"""Measure `ragduck prepare` of a store again after edits that hundreds of files may notice, each forth and back.

Usage: python -m tests.benchmarks.central_edits REPOSITORY --edit FILE OLD NEW [--edit …] [--embed-model default]

What the HEAD of a clone has is laid out elsewhere and prepared, with a cache of its own; then in one file after the
other the first OLD becomes NEW, and is taken back, as in
--edit Directory.Build.props '</Project>' '<ItemGroup><Using Include="Xunit" /></ItemGroup></Project>'
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.real_edits import SETTLED_SECONDS, lay_out
from tests.benchmarks.refresh_speed import report, run, set_back


def main() -> None:
    """Print one row per run."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("--edit", action="append", nargs=3, dest="edits", required=True)
    parser.add_argument("--embed-model", default="default")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        copy, store = Path(place) / "copy", Path(place) / "store.duckdb"
        lay_out(arguments.repository, copy)
        time.sleep(SETTLED_SECONDS)
        report("from scratch", run(copy, store, arguments.embed_model))
        for path, old, new in arguments.edits:
            before = (copy / path).read_bytes()
            after = before.replace(old.encode(), new.encode(), 1)
            if after == before:
                sys.exit(f"{path} does not hold {old}")
            for name, content in (("forth", after), ("back", before)):
                (copy / path).write_bytes(content)
                set_back(copy / path)
                report(
                    f"{name} {path.rpartition('/')[2]} {new[-50:]}", run(copy, store, arguments.embed_model)
                )


if __name__ == "__main__":
    main()
