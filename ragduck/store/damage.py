"""Tell a file that is damaged, or was not copied to its end, from whatever else the engine may complain about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote

import duckdb

from ragduck.errors import StoreError

TORN = (duckdb.FatalException, duckdb.InternalException, duckdb.SerializationException)
CUT_OFF = "could not read enough bytes"
CORRUPT = "corrupt"


class DamagedStoreError(StoreError):
    """Say that a store cannot be read to its end, so that it has to be copied or made again."""


def damage_of(error: duckdb.Error, path: Path) -> DamagedStoreError | None:
    """Return what to tell when a failure is the file's; None when it is not."""
    reason = first_line(error)
    hint = f"copy it again, or make it anew with: ragduck prepare FOLDER -o {quote(str(path))} --overwrite"
    if CUT_OFF in reason.lower() and _may_be_of_file(error):
        return DamagedStoreError(
            f"{path} is incomplete: the file ends before all that it should hold", hint=hint
        )
    if isinstance(error, TORN) or (CORRUPT in reason.lower() and _may_be_of_file(error)):
        return DamagedStoreError(f"{path} is damaged: {reason}", hint=hint)
    return None


@contextmanager
def told_damage(path: Path) -> Iterator[None]:
    """Raise DamagedStoreError in place of a failure that is the file's."""
    try:
        yield
    except duckdb.Error as error:
        if damaged := damage_of(error, path):
            raise damaged from error
        raise


def first_line(error: BaseException) -> str:
    """Return the part of an engine's message that says what happened."""
    return str(error).strip().split("\n", 1)[0]


def _may_be_of_file(error: duckdb.Error) -> bool:
    """Whether a file may be what failed: a wrong checksum is an error of no kind, and SQL may quote all words."""
    return type(error) is duckdb.Error or isinstance(error, duckdb.IOException)
