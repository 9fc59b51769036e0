"""Know a store again that ragduck wrote on this machine, so that what it tells needs no second look.

A store may come from anyone, and tell anything. Of one that was written here, and that nobody changed since, all rows
are those that ragduck made. How its file looked then is kept in the user's cache folder, which nobody else may write:
size, times, and a hash of the headers, which the engine changes with each checkpoint. Nothing of this ever fails a
command: a store that is not known again is written whole the next time.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ragduck.cache_folder import usable_cache_file
from ragduck.untrusted_json import read_json

HEADERS = 12_288  # bytes in which the engine says where everything lies, and how often that was written
SWITCH = "RAGDUCK_PARSE_CACHE"


class Looks(NamedTuple):
    """How a file looks: what the system tells, and a hash of the headers."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    headers: str


@dataclass(frozen=True, slots=True)
class Seal:
    """What wrote a store, and by repository and branch what names the record of what it was made of."""

    made_by: str
    branches: Mapping[tuple[str, str], str]


def seal_of(store: Path) -> Seal | None:
    """Return the seal of a store that is as it was when it was sealed."""
    path = _file_of(store)
    if path is None:
        return None
    try:
        told = read_json(path.read_text(encoding="utf-8"))
        if Looks(*told["state"]) != _state_of(store):
            return None
        branches = {(repo, branch): name for repo, branch, name in told["branches"]}
        return Seal(told["made_by"], branches)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def looks_of(new: Path) -> Looks:
    """Return how a finished store looks before it has its name."""
    return _state_of(new)


def put_seal(store: Path, seal: Seal, *, looked: Looks | None = None) -> None:
    """Remember how a store looks that was just written, unless it ``looked`` otherwise before it had its name.

    The time of the last change of anything is another since.
    """
    path = _file_of(store)
    if path is None:
        return
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        state = _state_of(store)
        if looked is not None and state._replace(ctime_ns=0) != looked._replace(ctime_ns=0):
            return
        branches = [[*key, name] for key, name in sorted(seal.branches.items())]
        told = {"state": state, "made_by": seal.made_by, "branches": branches}
        unfinished.write_text(json.dumps(told), encoding="utf-8")
        unfinished.replace(path)
    except (OSError, ValueError):
        with suppress(OSError):
            path.unlink()


@contextmanager
def kept_seal(store: Path) -> Iterator[None]:
    """Seal a store again after a change of what no branch is made of; not where that fails."""
    seal = seal_of(store)
    yield
    if seal is not None:
        put_seal(store, seal)


def _file_of(store: Path) -> Path | None:
    try:
        name = hashlib.sha256(os.fsencode(store.resolve())).hexdigest()[:32]
    except (OSError, RuntimeError):
        return None
    return usable_cache_file(f"sealed-{name}.json", switch=SWITCH)[0]


def _state_of(store: Path) -> Looks:
    """Return how a file looks; raises OSError where it is not all of the store."""
    if store.with_name(f"{store.name}.wal").exists():
        raise OSError("the engine keeps a part of it in its log")
    with store.open("rb") as file:
        status = os.fstat(file.fileno())
        headers = hashlib.sha256(file.read(HEADERS)).hexdigest()
    return Looks(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, headers)
