"""Run an entry of the roster: its environment, its build and its questions, each in a process of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from environments import Unavailable, last_line, python_of
from queries import Query
from results import Exact, Measured, compared
from roster import ENVIRONMENTS, Entry

HARNESS = Path(__file__).with_name("harness.py")
STAGE_SECONDS = 3600
MEGABYTE = 1024**2


@dataclass(frozen=True, slots=True)
class Stages:
    """Where the rows, the environments and the files of the peers are, and how they are asked."""

    corpus: Path
    environments: Path
    files: Path
    options: Sequence[str]
    _built: dict[str, dict[str, Any]] = field(default_factory=dict)

    def measure(self, entry: Entry, *, queries: Sequence[Query], exact: Exact) -> Measured:
        """Build and ask an entry; what goes wrong becomes the reason why there are no figures."""
        try:
            python = self._python(entry)
            built = self._build(entry, python)
            asked = self._run("ask", entry, python)
        except Unavailable as reason:
            return Measured(entry.name, entry.note, problem=str(reason))
        return Measured(
            entry.name,
            entry.note,
            build_seconds=built["seconds"],
            build_cpu_seconds=built["cpu_seconds"],
            build_mb=built["peak_mb"],
            size_mb=_size(self._folder(entry)) / MEGABYTE,
            open_seconds=asked["open_seconds"],
            ask_mb=asked["peak_mb"],
            searches={
                kind: compared(kind, figures, queries, exact) for kind, figures in asked["searches"].items()
            },
            versions=asked["versions"],
        )

    def _python(self, entry: Entry) -> Path:
        if entry.environment is None:
            return Path(sys.executable)
        return python_of(self.environments / entry.environment, ENVIRONMENTS[entry.environment])

    def _folder(self, entry: Entry) -> Path:
        plain = (entry.files or entry.name).lower()
        return self.files / "".join(letter if letter.isalnum() else "-" for letter in plain)

    def _build(self, entry: Entry, python: Path) -> dict[str, Any]:
        """Build the files of an entry anew, once for all entries that share them."""
        folder = self._folder(entry)
        if folder.name not in self._built:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            self._built[folder.name] = self._run("build", entry, python)
        return self._built[folder.name]

    def _run(self, stage: str, entry: Entry, python: Path) -> dict[str, Any]:
        """Return what the harness found; Unavailable with its last words when it fails."""
        folder = self._folder(entry)
        result = folder.with_suffix(f".{stage}.json")
        command = [python, HARNESS, stage, entry.engine, folder, result, "--corpus", self.corpus]
        command += ["--settings", json.dumps(dict(entry.settings)), *self.options]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=STAGE_SECONDS, check=False)
        except subprocess.TimeoutExpired as error:
            raise Unavailable(f"to {stage} took more than {STAGE_SECONDS} s") from error
        if done.returncode:
            raise Unavailable(f"to {stage} failed: {last_line(done.stderr)}")
        return dict(json.loads(result.read_text(encoding="utf-8")))


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
