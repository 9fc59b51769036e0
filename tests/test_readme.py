"""The README's tour is run, and what it prints is what the README shows.

`python tests/test_readme.py` writes the present output into the README.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
CONSOLE = re.compile(r"^(`{3,})console\n(.*?)^\1$", re.DOTALL | re.MULTILINE)
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
# What differs from run to run or from machine to machine.
MASKS = (
    (re.compile(r"\d+(\.\d+)? s\b"), "… s"),
    (re.compile(r"\d+(\.\d+)? MB"), "… MB"),
    (re.compile(r"(?<=\[)\d+\.\d+(?=\])"), "…"),
    (re.compile(r"\b0\.\d{4,}"), "…"),
    (re.compile(r"(?m)( +\d+\.\d){3}$"), " …"),  # latencies, and the columns that hold them
    (re.compile(r" *p50 ms +p95 ms +p99 ms|─+"), "…"),
)


def commands(block: str) -> list[str]:
    return [line[2:] for line in block.split("\n") if line.startswith("$ ")]


def output_of(command: str, place: Path) -> str:
    own = {"RAGDUCK_CACHE_DIR": str(place / "cache"), "RAGDUCK_STATE_DIR": str(place / "state")}
    environment = {**os.environ, **own, "COLUMNS": "110", "PYTHONUTF8": "1", "NO_COLOR": "1"}
    words = [sys.executable, "-m", *shlex.split(command)]
    ran = subprocess.run(
        words,
        cwd=place,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert ran.returncode == 0, f"{command}\n{ran.stdout}"
    return ran.stdout


def masked(text: str) -> str:
    for pattern, replacement in MASKS:
        text = pattern.sub(replacement, text)
    return "\n".join(line.rstrip() for line in text.strip().split("\n"))


def shown(block: str, place: Path) -> str:
    return "\n".join(f"$ {command}\n{output_of(command, place).strip()}\n" for command in commands(block))


def filled(folder: Path) -> Path:
    shutil.copytree(ROOT / "tests" / "data" / "shop", folder / "shop")
    shutil.copy(ROOT / "tests" / "data" / "shop_queries.tsv", folder / "queries.tsv")
    return folder


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return filled(tmp_path)


def test_the_tour_prints_what_the_readme_shows(place: Path) -> None:
    blocks = [block for _, block in CONSOLE.findall(README.read_text(encoding="utf-8"))]

    printed = [masked(shown(block, place)) for block in blocks]

    assert printed == [masked(block) for block in blocks]


def test_the_python_of_the_readme_runs(place: Path) -> None:
    (code,) = PYTHON.findall(README.read_text(encoding="utf-8"))
    output_of("ragduck prepare shop -o shop.duckdb --embed-model none --overwrite", place)

    ran = subprocess.run([sys.executable, "-c", code], cwd=place, text=True, capture_output=True, check=False)

    assert ran.returncode == 0, ran.stderr
    assert "Stock_Reserve" in ran.stdout


def update() -> None:
    """Write what the commands print now into the README."""
    with tempfile.TemporaryDirectory() as folder:
        place = filled(Path(folder))
        text = README.read_text(encoding="utf-8")
        README.write_text(
            CONSOLE.sub(lambda found: f"{found[1]}console\n{shown(found[2], place)}{found[1]}", text),
            encoding="utf-8",
        )


if __name__ == "__main__":
    update()
