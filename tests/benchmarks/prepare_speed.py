"""Measure `ragduck prepare` without vectors: seconds per stage, and the memory of all its processes together.

Usage: prepare_speed.py FOLDER [--repeat 3] [--embed-model none]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from time import perf_counter, sleep


def resident_bytes(process: int) -> int:
    """Return the resident memory of a process and its descendants, shared pages counted once each; Linux only."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
            if _descends(int(fields["Pid"]), process):
                total += int(fields.get("RssAnon", "0 kB").split()[0]) * 1024
        except (OSError, KeyError, ValueError):
            continue
    return total


def _descends(pid: int, ancestor: int) -> bool:
    while pid > 1:
        if pid == ancestor:
            return True
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        pid = int(fields[1])
    return False


def run_once(folder: Path, model: str) -> tuple[float, int, dict[str, object]]:
    """Return wall seconds, peak bytes and the report of one prepare."""
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "ragduck", "prepare", str(folder), "-o", f"{place}/store.duckdb"]
        start = perf_counter()
        with subprocess.Popen(
            [*command, "--embed-model", model, "--json", "--quiet"], stdout=subprocess.PIPE, text=True
        ) as process:
            peak = [0]

            def watch() -> None:
                while process.poll() is None:
                    peak[0] = max(peak[0], resident_bytes(process.pid))
                    sleep(0.2)

            watcher = threading.Thread(target=watch)
            watcher.start()
            output, _ = process.communicate()
            seconds = perf_counter() - start
            watcher.join()
        size = Path(f"{place}/store.duckdb").stat().st_size
    found = json.loads(output)
    return seconds, peak[0], {"counts": found["counts"], "seconds": found["seconds"], "megabytes": size / 1e6}


def main() -> None:
    """Print one row per run."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--embed-model", default="none")
    arguments = parser.parse_args()
    for _ in range(arguments.repeat):
        seconds, peak, found = run_once(arguments.folder, arguments.embed_model)
        print(f"{seconds:6.1f} s  {peak / 2**20:7.0f} MiB  {found}")


if __name__ == "__main__":
    main()
