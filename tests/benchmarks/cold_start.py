"""Measure whole processes: `ragduck --help` and a first keyword search.

Usage: cold_start.py STORE [--repeat 10]

Modules are compiled, as those of an installed ragduck are.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path
from time import perf_counter


def seconds_of(command: list[str], repeat: int) -> list[float]:
    """Return the wall seconds of each run."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    times = []
    for _ in range(repeat):
        start = perf_counter()
        subprocess.run(command, env=environment, check=True, capture_output=True)
        times.append(perf_counter() - start)
    return times


def main() -> None:
    """Print medians and minima."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--repeat", type=int, default=10)
    arguments = parser.parse_args()
    ragduck = str(Path(sys.executable).with_name("ragduck"))
    search = [ragduck, "search", str(arguments.store), "user permission check", "--mode", "bm25"]
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "--help": [ragduck, "--help"],
        "search --mode bm25": search,
    }
    for name, command in commands.items():
        times = seconds_of(command, arguments.repeat)
        print(f"{name:<22} median {statistics.median(times):.3f} s   min {min(times):.3f} s")


if __name__ == "__main__":
    main()
