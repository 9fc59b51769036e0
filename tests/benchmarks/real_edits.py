"""Measure `ragduck prepare` of a store again after real edits: one file each time, as it was before its last commit.

Usage: python -m tests.benchmarks.real_edits REPOSITORY [--edits 40] [--seed 1] [--suffix .cs] [--commits 600]
    [--embed-model default]

REPOSITORY is a clone with its history, of which the latest commits are looked through for edits of files with a
suffix, which may be a whole path. What its HEAD has is laid out elsewhere and prepared, with a cache of its own; then
files are set back one after the other, in an order that the seed gives, and stay so. Prints the seconds of each run
and of its stages, and how they are spread in the end. Processes are their own, modules compiled as an installed
ragduck has them.
"""

from __future__ import annotations

import argparse
import io
import random
import statistics
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.refresh_speed import report, run, set_back

COMMITS = 600  # that are looked through for edits, unless more are asked for
MOST_FILES = 40  # of a commit: one with more is a formatter's, or a merge
SETTLED_SECONDS = 3  # until files are old enough to be remembered
LIMIT = 5.0  # seconds that a changed file may take


class Edit(NamedTuple):
    """A file, and the last commit that changed it."""

    path: str
    commit: str


def git(repository: Path, *arguments: str) -> bytes:
    """Return what git says."""
    return subprocess.run(
        ["git", "-C", str(repository), "-c", "core.quotepath=off", *arguments],
        capture_output=True,
        check=True,
    ).stdout


def edits_of(repository: Path, suffixes: Sequence[str], commits: int = COMMITS) -> Iterator[Edit]:
    """Yield each file of HEAD with the last of the latest commits that changed it, if that is no large one."""
    log = git(
        repository, "log", "--no-merges", "--name-status", "--no-renames", "--format=%x00%H", f"-{commits}"
    )
    seen: set[str] = set()
    for commit in log.decode().split("\0")[1:]:
        name, *lines = commit.splitlines()
        changes = [line.split("\t", 1) for line in lines if line]
        for status, path in changes:
            if (
                path not in seen
                and status == "M"
                and len(changes) < MOST_FILES
                and path.endswith(tuple(suffixes))
            ):
                yield Edit(path, name)
            seen.add(path)


def lay_out(repository: Path, folder: Path) -> None:
    """Write the files of HEAD into a folder."""
    with tarfile.open(fileobj=io.BytesIO(git(repository, "archive", "HEAD"))) as archive:
        archive.extractall(folder, filter="data")


def main() -> None:
    """Print one row per edit, and how many took how long."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("--edits", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--suffix", action="append", dest="suffixes")
    parser.add_argument("--commits", type=int, default=COMMITS)
    parser.add_argument("--embed-model", default="default")
    arguments = parser.parse_args()
    suffixes = arguments.suffixes or (".cs", ".cshtml", ".sql")
    edits = sorted(edits_of(arguments.repository, suffixes, arguments.commits))
    random.Random(arguments.seed).shuffle(edits)
    with tempfile.TemporaryDirectory() as place:
        copy, store = Path(place) / "copy", Path(place) / "store.duckdb"
        lay_out(arguments.repository, copy)
        time.sleep(SETTLED_SECONDS)
        report("from scratch", run(copy, store, arguments.embed_model))
        taken: list[float] = []
        for path, commit in edits[: arguments.edits]:
            (copy / path).write_bytes(git(arguments.repository, "show", f"{commit}~1:{path}"))
            set_back(copy / path)
            measured = run(copy, store, arguments.embed_model)
            taken.append(measured[0])
            report(f"{path.rpartition('/')[2][-60:]} {commit[:10]}", measured)
    at_most = sum(one <= LIMIT for one in taken)
    print(f"median {statistics.median(taken):.1f}, greatest {max(taken):.1f}")
    print(f"{at_most} of {len(taken)} at most {LIMIT:.0f}")


if __name__ == "__main__":
    main()
