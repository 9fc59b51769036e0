"""Tell where parsed files are kept, and whether that place belongs to this user alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ragduck.cache_folder import usable_cache_file

FILE_NAME = "parsed_files.sqlite3"
SWITCH = "RAGDUCK_PARSE_CACHE"


def usable_cache_path(environment: Mapping[str, str] | None = None) -> tuple[Path | None, str]:
    """Return the file, its folder made, and why there is none although nobody switched it off.

    ``RAGDUCK_PARSE_CACHE`` set to `off` switches it off, as does an empty ``RAGDUCK_CACHE_DIR``.
    """
    return usable_cache_file(FILE_NAME, switch=SWITCH, environment=environment)
