"""Make the virtual environment of a peer, once, with the versions that the roster names."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

INSTALL_SECONDS = 900


class Unavailable(Exception):  # noqa: N818 - a finding of the benchmark, not an error of its own
    """A peer that cannot be had here, and why."""


def python_of(folder: Path, requirements: Sequence[str]) -> Path:
    """Return the Python of an environment with the requirements; Unavailable when they cannot be installed."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = folder / "requirements.txt"
    wanted = "\n".join(requirements)
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return python
    _run([sys.executable, "-m", "venv", "--clear", folder])
    _run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements])
    stamp.write_text(wanted, encoding="utf-8")
    return python


def _run(command: Sequence[str | Path]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"the installation took more than {INSTALL_SECONDS} s") from error
    if done.returncode:
        raise Unavailable(last_line(done.stderr))


def last_line(text: str) -> str:
    """Return what a failed process said last."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it failed without a word"
