"""Keep the blocks of a store that the engine writes over, for the case that it is killed while it does.

A checkpoint of DuckDB writes what is new into free blocks, and its header last, so that a file is always as it was or
as it is to be. Not so blocks of metadata: what is free in one is used by writing all of it again, in place. A process
that is killed meanwhile, or a power cut, leaves a block of which only a part was written. Its checksum is wrong then,
and the store cannot be opened. So these blocks, a few of 256 KB, are copied to a file beside the store first.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ragduck.store.journal import sync_folder
from ragduck.untrusted_json import read_json

OPENING = b'{"ragduck_blocks": 1, '
HEADERS = 3 * 4096  # bytes before the first block
MAGIC, MAGIC_AT = b"DUCK", 8
SIZE_AT = (4096 + 40, 8192 + 40)  # where both headers of a file tell the size of its blocks
BLOCK_SIZES = frozenset(2**power for power in range(14, 19))  # bytes
LONGEST_LINE = 2**20
CHECKSUM_START, CHECKSUM_FACTOR = 5381, 0xBF58476D1CE4E5B9  # as in DuckDB's src/common/checksum.cpp


def saved_blocks_of(store: Path) -> Path:
    """Return the file that is there while a store is written in place, and after a writer was killed."""
    return store.with_name(store.name + ".ragduck-blocks")


@contextmanager
def blocks_saved(store: Path, numbers: Iterable[int], *, size: int) -> Iterator[None]:
    """Let a store be written in place: one checkpoint, by a connection that is opened and closed inside.

    ``numbers`` are those of its blocks of metadata, of ``size`` bytes each. The lock of its journal must be held.
    """
    _save(store, [HEADERS + number * size for number in sorted(numbers)], size=size)
    try:
        yield
    finally:
        mend(store)


def mend(store: Path) -> None:
    """Put blocks back that a killed writer wrote in part. The lock of the journal must be held.

    Only whole blocks are put back, in place of such whose checksum is wrong, into a file of the engine that has
    blocks of that size: another one that has come to this place is left alone.
    """
    place = saved_blocks_of(store)
    if not place.exists():
        return
    if place.is_file() and not place.is_symlink() and store.is_file():
        with place.open("rb") as saved, store.open("r+b") as file:
            told = _told(saved)
            if told is not None and _has_blocks_of(file, told.size):
                _put_back(saved, file, told)
    place.unlink()


class _Told(NamedTuple):
    """What a file of saved blocks says of them; they begin at ``start`` of it."""

    size: int
    offsets: tuple[int, ...]
    start: int


def _put_back(saved: BinaryIO, file: BinaryIO, told: _Told) -> None:
    end = file.seek(0, os.SEEK_END)
    saved.seek(told.start)
    for offset in told.offsets:
        block = saved.read(told.size)
        is_inside = offset + told.size <= end
        if is_inside and not _is_whole(_block_at(file, offset, told.size)) and _is_whole(block):
            file.seek(offset)
            file.write(block)
    file.flush()
    os.fsync(file.fileno())


def _save(store: Path, offsets: Sequence[int], *, size: int) -> None:
    """Copy blocks to the file beside the store; it has its name once it is on the disk."""
    place = saved_blocks_of(store)
    unfinished = place.with_name(place.name + "-new")
    unfinished.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with (
            store.open("rb") as file,
            os.fdopen(os.open(unfinished, flags, store.stat().st_mode & 0o777), "wb") as saved,
        ):
            digest = _digest(_block_at(file, offset, size) for offset in offsets)
            told = {"size": size, "offsets": list(offsets), "digest": digest}
            saved.write(OPENING + json.dumps(told).encode()[1:] + b"\n")
            saved.writelines(_block_at(file, offset, size) for offset in offsets)
            saved.flush()
            os.fsync(saved.fileno())
        unfinished.replace(place)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    sync_folder(place.parent)


def _told(saved: BinaryIO) -> _Told | None:
    """Read what is said of saved blocks; nothing where ragduck has not written the file to its end."""
    line = saved.readline(LONGEST_LINE)
    try:
        written = read_json(line)
        size, offsets = written["size"], tuple(written["offsets"])
        if not line.startswith(OPENING) or type(size) is not int or size not in BLOCK_SIZES:
            return None
        if not all(type(one) is int and one >= HEADERS and (one - HEADERS) % size == 0 for one in offsets):
            return None
        digest = _digest(saved.read(size) for _ in offsets)
        return _Told(size, offsets, len(line)) if digest == written["digest"] and not saved.read(1) else None
    except (ValueError, TypeError, KeyError):
        return None


def _has_blocks_of(file: BinaryIO, size: int) -> bool:
    """Whether a file is one of the engine, with blocks of a size."""
    if _block_at(file, MAGIC_AT, len(MAGIC)) != MAGIC:
        return False
    return any(int.from_bytes(_block_at(file, place, 8), "little") == size for place in SIZE_AT)


def _digest(blocks: Iterable[bytes]) -> str:
    digest = blake2b(digest_size=16)
    for block in blocks:
        digest.update(block)
    return digest.hexdigest()


def _block_at(file: BinaryIO, offset: int, size: int) -> bytes:
    file.seek(offset)
    return file.read(size)


def _is_whole(block: bytes) -> bool:
    """Whether a block has the checksum that it begins with."""
    import numpy as np

    words = np.frombuffer(block, dtype="<u8")
    found = np.bitwise_xor.reduce(words[1:] * np.uint64(CHECKSUM_FACTOR)) ^ np.uint64(CHECKSUM_START)
    return bool(found == words[0])
