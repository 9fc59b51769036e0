"""By what the files of a store are told apart: names, texts and times."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

FIRST_SECOND, LAST_SECOND = -62_135_596_800, 253_402_300_799  # of the years 1 to 9999


def text_hash(text: str) -> str:
    """Return the hash by which files are told apart, whatever their encoding and line ends on disk."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def stored_time(mtime_ns: int) -> datetime:
    """Return a file's time as the store keeps it: UTC, in microseconds; the nearest one that Python knows."""
    seconds = min(max(mtime_ns / 1e9, FIRST_SECOND), LAST_SECOND)
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
