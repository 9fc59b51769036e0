"""Measure `ragduck prepare` of a store again: nothing changed, one method body edited, one method added.

Usage: refresh_speed.py FOLDER [--repeat 3] [--embed-model default]

FOLDER, which must hold C#, is copied, prepared, and edited in the copy, another file each time; the cache is one of
its own. Prints the seconds of each run in turn and of its stages, as processes of their own take them.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

MIN_BYTES = 1_500  # of a file that is edited
SETTLED_SECONDS = 10  # before: what changed just now is read again


def body_edited(text: str, number: int) -> str:
    """Add a call to the last method that returns something."""
    before, _, after = text.rpartition("return ")
    return f"{before}System.Console.WriteLine({number}); return {after}"


def method_added(text: str, number: int) -> str:
    """Add a method to the last type."""
    before, _, after = text.rpartition("}")
    return f"{before}    public int Added{number}(int given) => given;\n}}{after}"


def run(folder: Path, store: Path, model: str) -> tuple[float, dict[str, float]]:
    """Return the seconds of one prepare, and those of its stages."""
    command = [sys.executable, "-m", "ragduck", "prepare", str(folder), "-o", str(store), "--repo", "copy"]
    given = [] if model == "default" else ["--embed-model", model]
    environment = {**os.environ, "RAGDUCK_CACHE_DIR": str(store.parent / "cache")}
    start = perf_counter()
    done = subprocess.run(
        [*command, *given, "--json", "--quiet"], capture_output=True, text=True, env=environment, check=True
    )
    return perf_counter() - start, json.loads(done.stdout)["seconds"]


def files_to_edit(folder: Path) -> Iterator[Path]:
    """Yield C# files that return something, spread over the folder."""
    files = [path for path in sorted(folder.rglob("*.cs")) if path.stat().st_size > MIN_BYTES]
    found = [path for path in files if "return " in path.read_text(encoding="utf-8-sig", errors="replace")]
    yield from found[:: max(1, len(found) // 40)]


def edit(file: Path, change: Callable[[str, int], str], number: int) -> None:
    """Change a file, with a time that lies a little back."""
    text = file.read_text(encoding="utf-8-sig", errors="replace")
    file.write_text(change(text, number), encoding="utf-8")
    at = file.stat().st_mtime - SETTLED_SECONDS
    os.utime(file, (at, at))


def report(name: str, measured: tuple[float, dict[str, float]]) -> None:
    """Print one row."""
    seconds, stages = measured
    print(f"{name:<20}{seconds:7.1f}  {'  '.join(f'{stage} {took:.1f}' for stage, took in stages.items())}")


def main() -> None:
    """Print one row per run."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--embed-model", default="default")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        copy, store = Path(place) / "copy", Path(place) / "store.duckdb"
        shutil.copytree(arguments.folder, copy, ignore=shutil.ignore_patterns(".git"), symlinks=True)
        files = files_to_edit(copy)
        report("from scratch", run(copy, store, arguments.embed_model))
        for number in range(arguments.repeat):
            report("nothing changed", run(copy, store, arguments.embed_model))
            edit(next(files), body_edited, number)
            report("one body edited", run(copy, store, arguments.embed_model))
            edit(next(files), method_added, number)
            report("one method added", run(copy, store, arguments.embed_model))


if __name__ == "__main__":
    main()
