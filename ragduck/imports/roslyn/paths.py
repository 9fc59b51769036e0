"""Turn the paths of a bundle into paths below the repository's root, with forward slashes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

MAX_PATH = 500  # characters
_DRIVE = re.compile(r"[A-Za-z]:")
_UNFIT = re.compile(r"[\0-\x1f]")


class CleanPath(NamedTuple):
    """A path that stays below the root, and what had to be done to it."""

    path: str
    repair: str = ""


class Roots:
    """The folders that absolute paths of a bundle may begin with, the repository's first."""

    def __init__(self, roots: Iterable[str], *, scripts: str = "") -> None:
        self._scripts = scripts.rstrip("/\\")
        self._roots = [root for each in roots if (root := each.replace("\\", "/").rstrip("/"))]
        self._last = ("", CleanPath(""))  # the members of a file follow each other

    def clean(self, raw: str) -> CleanPath:
        """Return the path below the first root that fits; empty for what names no file."""
        if raw != self._last[0]:
            self._last = (raw, self._cleaned(raw))
        return self._last[1]

    def file_of(self, raw: str, *, known: KnownPaths) -> str:
        """Return the file that a row of the graph means: those of scripts are below the folder of all scripts."""
        plain = self.clean(raw).path
        is_script = plain.lower().endswith(".sql") and not _is_absolute(raw)
        below = self.clean(f"{self._scripts}/{raw}").path if is_script and self._scripts else plain
        return known.exact(below) or known.find(plain) or below

    def _cleaned(self, raw: str) -> CleanPath:
        path = _UNFIT.sub("", raw.replace("\\", "/")).strip()
        repair = "backslash path" if "\\" in raw else ""
        if _is_absolute(path):
            shorter = self._below_root(path)
            repair = repair if shorter != path else "path outside of the repository"
            path = _DRIVE.sub("", shorter, count=1) if _DRIVE.match(shorter) else shorter
        parts = [part for part in path.split("/") if part not in ("", ".")]
        kept = [part for part in parts if part != ".."]
        if len(kept) < len(parts):
            repair = "path outside of the repository"
        clean = "/".join(kept)
        if len(clean) > MAX_PATH:
            clean, repair = clean[-MAX_PATH:].lstrip("/"), "long path"
        return CleanPath(clean, repair)

    def _below_root(self, path: str) -> str:
        for root in self._roots:
            if path[: len(root) + 1].casefold() == f"{root}/".casefold():
                return path[len(root) + 1 :]
        return path


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "\\")) or _DRIVE.match(path) is not None


class KnownPaths:
    """Finds a document by a path that may have been written from another root."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_path: dict[str, str] = {}
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            self.add(path)

    def add(self, path: str) -> None:
        """Make a path known."""
        folded = path.casefold()
        if folded not in self._by_path:
            self._by_path[folded] = path
            self._by_name.setdefault(folded.rpartition("/")[2], []).append(path)

    def exact(self, path: str) -> str | None:
        """Return the known path that is this one, however it is spelled."""
        return self._by_path.get(path.casefold())

    def find(self, path: str) -> str | None:
        """Return the known path that is this one, or ends with it, or that it ends with; None where several do."""
        folded = path.casefold()
        if folded in self._by_path:
            return self._by_path[folded]
        candidates = [
            known
            for known in self._by_name.get(folded.rpartition("/")[2], ())[:100]
            if folded.endswith("/" + known.casefold()) or known.casefold().endswith("/" + folded)
        ]
        if len(candidates) > 1:
            longest = max(map(len, candidates))
            inside = [known for known in candidates if len(known) == longest]
            candidates = inside if folded.endswith("/" + inside[0].casefold()) else candidates
        return candidates[0] if len(candidates) == 1 else None
