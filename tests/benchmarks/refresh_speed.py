"""Measure `ragduck prepare` of a store again: nothing changed, one file edited, one added.

Usage: refresh_speed.py FOLDER [--repeat 3] [--embed-model default]

FOLDER, which must hold C#, is copied, prepared, and edited in the copy, another file each time; the cache is one of
its own. Prints the seconds of each run in turn and of its stages, as processes of their own take them, with modules
compiled as an installed ragduck has them.
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
SETTLED_SECONDS = 10


def body_edited(text: str, number: int) -> str:
    """Add a call to the last method that returns something."""
    before, _, after = text.rpartition("return ")
    return f"{before}System.Console.WriteLine({number}); return {after}"


def method_added(text: str, number: int) -> str:
    """Add a method to the last type."""
    before, _, after = text.rpartition("}")
    return f"{before}    public int Added{number}(int given) => given;\n}}{after}"


def statement_added(text: str, number: int) -> str:
    """Add a statement to a script, in a batch of its own."""
    return f"{text.rstrip()}\nGO\nSELECT {number} AS Added{number};\n"


def run(folder: Path, store: Path, model: str) -> tuple[float, dict[str, float]]:
    """Return the seconds of one prepare, and those of its stages."""
    command = [sys.executable, "-m", "ragduck", "prepare", str(folder), "-o", str(store), "--repo", "copy"]
    given = [] if model == "default" else ["--embed-model", model]
    cache = str(store.parent / "cache")
    environment = {**os.environ, "RAGDUCK_CACHE_DIR": cache, "PYTHONDONTWRITEBYTECODE": ""}
    start = perf_counter()
    done = subprocess.run(
        [*command, *given, "--json", "--quiet"], capture_output=True, text=True, env=environment, check=True
    )
    return perf_counter() - start, json.loads(done.stdout)["seconds"]


def files_to_edit(folder: Path, pattern: str, *, holding: str = "", least: int = 0) -> Iterator[Path]:
    """Yield files that hold a text, spread over the folder."""
    files = [path for path in sorted(folder.rglob(pattern)) if path.stat().st_size > least]
    found = [path for path in files if holding in path.read_text(encoding="utf-8-sig", errors="replace")]
    yield from found[:: max(1, len(found) // 40)]


def edit(file: Path, change: Callable[[str, int], str], number: int) -> None:
    """Change a file."""
    text = file.read_text(encoding="utf-8-sig", errors="replace")
    file.write_text(change(text, number), encoding="utf-8")
    set_back(file)


def add_beside(file: Path, number: int) -> None:
    """Add a file with a class of its own."""
    added = file.with_name(f"Added{number}.cs")
    code = f"namespace Added;\n\npublic class Added{number}\n{{\n    public int Given(int one) => one;\n}}\n"
    added.write_text(code, encoding="utf-8")
    set_back(added)


def set_back(file: Path) -> None:
    """Give a file a time that is past: what changed just now is read again."""
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
        code = files_to_edit(copy, "*.cs", holding="return ", least=MIN_BYTES)
        scripts = files_to_edit(copy, "*.sql")

        def measure(name: str) -> None:
            report(name, run(copy, store, arguments.embed_model))

        measure("from scratch")
        for number in range(arguments.repeat):
            measure("nothing changed")
            edit(next(code), body_edited, number)
            measure("one body edited")
            edit(next(code), method_added, number)
            measure("one method added")
            if (script := next(scripts, None)) is not None:
                edit(script, statement_added, number)
                measure("one script edited")
            add_beside(next(code), number)
            measure("one file added")


if __name__ == "__main__":
    main()
