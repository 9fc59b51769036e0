"""Open files of an untrusted tree without following links or waiting on pipes."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

# O_NONBLOCK keeps a named pipe from blocking the open; Windows has neither flag but needs O_BINARY.
_OPEN_FLAGS = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
    _OPEN_FLAGS |= getattr(os, _flag, 0)


@dataclass(frozen=True, slots=True)
class FileContent:
    """The bytes of a regular file, at most as many as were asked for, and its time stamp."""

    data: bytes
    mtime_ns: int


def read_regular_file(path: str | os.PathLike[str], *, limit: int) -> FileContent:
    """Read up to ``limit`` bytes of a regular file; raise `OSError` for anything else, links included."""
    descriptor = os.open(path, _OPEN_FLAGS)
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError("not a regular file")
        return FileContent(data=stream.read(limit), mtime_ns=status.st_mtime_ns)


def read_small_text(path: str | os.PathLike[str], *, limit: int = 262_144) -> str | None:
    """Return a settings file as text, or None when it cannot be read or is longer than ``limit`` bytes."""
    try:
        content = read_regular_file(path, limit=limit + 1)
    except (OSError, ValueError):
        return None
    if len(content.data) > limit:
        return None
    return content.data.decode("utf-8-sig", errors="replace")
