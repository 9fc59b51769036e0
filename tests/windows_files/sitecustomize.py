"""Refuse on Linux what Windows refuses: to replace, rename or remove a file that anybody has open.

`make test-windows-files` puts this folder on the path of every process that the tests start, which Python imports it
from by its name. Files of DuckDB may be renamed and removed while they are open, as it opens them so from 1.5 on;
no file may be replaced, and nothing be renamed to a name that is taken. A folder with an open file in it stays, too.
Lock files may go, as filelock removes them on Windows once they are closed.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from typing import Any

SWITCH = "RAGDUCK_TEST_WINDOWS_FILES"
FILE_OF_MAPPING = 5  # the column of /proc/PID/maps
REASON = "The process cannot access the file because it is being used by another process"

_replace, _rename, _unlink = os.replace, os.rename, os.unlink


def _open_files() -> Iterator[str]:
    """Yield the files that any process has open or mapped into its memory."""
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            for number in os.listdir(f"/proc/{process}/fd"):
                yield os.readlink(f"/proc/{process}/fd/{number}")
            with open(f"/proc/{process}/maps", encoding="utf-8", errors="surrogateescape") as maps:
                for line in maps:
                    columns = line.rstrip("\n").split(None, FILE_OF_MAPPING)
                    yield from columns[FILE_OF_MAPPING:]
        except OSError:  # it has ended
            continue


def _is_open(path: str) -> bool:
    real = os.path.realpath(path)
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    if stat.S_ISDIR(mode):
        return any(name.startswith(f"{real}/") for name in _open_files())
    return stat.S_ISREG(mode) and real in _open_files()


def _is_of_duckdb(path: str) -> bool:
    if not os.path.isfile(path):  # a named pipe would wait for who writes to it
        return False
    try:
        with open(path, "rb") as file:
            return file.read(12)[8:] == b"DUCK"
    except OSError:
        return False


def _require_closed(path: str) -> None:
    if _is_open(path):
        raise PermissionError(errno.EACCES, REASON, path)


def _require_movable(path: str) -> None:
    if not path.endswith("lock") and not _is_of_duckdb(path):
        _require_closed(path)


def _replace_as_windows(source: Any, target: Any, **settings: Any) -> None:
    _require_movable(os.fsdecode(source))
    _require_closed(os.fsdecode(target))
    _replace(source, target, **settings)


def _rename_as_windows(source: Any, target: Any, **settings: Any) -> None:
    _require_movable(os.fsdecode(source))
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, "Cannot create a file when that file already exists", target)
    _rename(source, target, **settings)


def _unlink_as_windows(path: Any, **settings: Any) -> None:
    _require_movable(os.fsdecode(path))
    _unlink(path, **settings)


if os.environ.get(SWITCH):
    os.replace, os.rename = _replace_as_windows, _rename_as_windows
    os.unlink = os.remove = _unlink_as_windows
    shutil._use_fd_functions = False  # which remove files by the number of their folder
