"""Turn paths that another system kept into paths of a store: relative, with forward slashes, each once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from posixpath import commonprefix

MAX_PATH = 1_000  # characters
UNNAMED = "unnamed"


def relative_paths(paths: Iterable[str], *, extension: str = "") -> Mapping[str, str]:
    """Return the path in the store of each path given: without the folders that all absolute ones share.

    Nothing leaves the root: drives, `..` and control characters are dropped. Paths that become equal are numbered.
    """
    cleaned = {path: _parts(path) for path in dict.fromkeys(paths)}
    absolute = [parts for path, parts in cleaned.items() if _is_absolute(path)]
    shared = len(commonprefix([parts[:-1] for parts in absolute])) if absolute else 0
    taken: Counter[str] = Counter()
    found: dict[str, str] = {}
    for path, parts in cleaned.items():
        name = "/".join(parts[shared:] if _is_absolute(path) else parts) or UNNAMED + extension
        found[path] = _numbered(name, taken) if taken[name] else name
        taken[name] += 1
    return found


def _parts(path: str) -> list[str]:
    shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in path[-MAX_PATH:])
    parts = [part.strip() for part in shown.replace("\\", "/").split("/")]
    if parts and len(parts[0]) == 2 and parts[0][1] == ":":
        parts = parts[1:]
    return [part for part in parts if part not in ("", ".", "..")]


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "\\")) or path[1:3] in (":\\", ":/")


def _numbered(name: str, taken: Counter[str]) -> str:
    """Return a name that is free; the count of the one that is not goes on from there, so that it ends soon."""
    stem, dot, extension = name.rpartition(".")
    while True:
        number = taken[name] + 1
        other = f"{stem} ({number}).{extension}" if dot and "/" not in extension else f"{name} ({number})"
        if not taken[other]:
            taken[other] += 1
            return other
        taken[name] += 1
