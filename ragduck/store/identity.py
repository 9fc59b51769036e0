"""By what the files of a store are told apart: names, texts and times."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime


def text_hash(text: str) -> str:
    """Return the hash by which files are told apart, whatever their encoding and line ends on disk."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def stored_time(mtime_ns: int) -> datetime:
    """Return a file's time as the store keeps it: UTC, in microseconds."""
    return datetime.fromtimestamp(mtime_ns / 1e9, UTC).replace(tzinfo=None)
