"""Put one file in its place in one step, replacing only what ragduck wrote before."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from ragduck.errors import ForeignFileError, StoreError
from ragduck.shell import folder_command

LOOKED_AT = 1_024  # bytes in which the mark must be


@contextmanager
def replaced_file(target: Path, *, mark: str) -> Iterator[TextIO]:
    """Give a new UTF-8 file to write to; it takes the place of ``target`` when all went well.

    A file that is there is replaced if ``mark`` is near its beginning. Raises ForeignFileError for any other, so that
    no one's files are lost.
    """
    _require_own(target, mark)
    if not target.parent.is_dir():
        raise StoreError(
            f"there is no folder {target.parent}", hint=f"make it with: {folder_command(target.parent)}"
        )
    handle, name = tempfile.mkstemp(prefix=f"{target.name}.new-", dir=target.parent)
    written = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            yield file
        written.chmod(0o644)
        _require_own(target, mark)
        written.replace(target)
    finally:
        written.unlink(missing_ok=True)


def _require_own(target: Path, mark: str) -> None:
    if not target.exists() and not target.is_symlink():
        return
    if target.is_symlink() or not target.is_file():
        raise ForeignFileError(f"{target} is no regular file", hint="name a file that is not there yet")
    with target.open("rb") as file:
        start = file.read(LOOKED_AT)
    if start and mark.encode() not in start:
        raise ForeignFileError(
            f"{target} is another file, and it is not replaced",
            hint="name a file that is not there yet, or remove it yourself",
        )
