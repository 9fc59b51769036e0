"""Keep the blocks of a store that the engine writes over, for the case that it is killed while it does.

A checkpoint of DuckDB writes what is new into free blocks, and its header last, so that a file is always as it was or
as it is to be. Not so blocks of metadata: what is free in one is used by writing all of it again, in place. A process
that is killed meanwhile, or a power cut, leaves a block of which only a part was written. Its checksum is wrong then,
and the store cannot be opened. So these blocks, a few of 256 KB, are copied to a file beside the store first.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

from ragduck.store.journal import sync_folder
from ragduck.untrusted_json import read_json

OPENING = b'{"ragduck_blocks": 1, '
HEADERS = 3 * 4096  # bytes before the first block
BLOCK_SIZES = frozenset(2**power for power in range(14, 19))  # bytes
LONGEST_LINE = 2**20
CHECKSUM_START, CHECKSUM_FACTOR = 5381, 0xBF58476D1CE4E5B9  # as in DuckDB's src/common/checksum.cpp

Blocks = dict[int, bytes]  # by their place in the file


def saved_blocks_of(store: Path) -> Path:
    """Return the file that is there while a store is written in place, and after a writer was killed."""
    return store.with_name(store.name + ".ragduck-blocks")


@contextmanager
def blocks_saved(store: Path, numbers: Iterable[int], *, size: int) -> Iterator[None]:
    """Let a store be written in place: one checkpoint, by a connection that is opened and closed inside.

    ``numbers`` are those of its blocks of metadata, of ``size`` bytes each. The lock of its journal must be held.
    """
    with store.open("rb") as file:
        offsets = (HEADERS + number * size for number in sorted(numbers))
        _save(store, {offset: _block_at(file, offset, size) for offset in offsets})
    try:
        yield
    finally:
        mend(store)


def mend(store: Path) -> None:
    """Put blocks back that a killed writer wrote in part. The lock of the journal must be held.

    All others are left alone, so that no other file that has come to this place is harmed.
    """
    place = saved_blocks_of(store)
    if not place.exists():
        return
    with store.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        torn = {
            offset: block
            for offset, block in _saved(place).items()
            if offset + len(block) <= size and not _is_whole(_block_at(file, offset, len(block)))
        }
        for offset, block in torn.items():
            file.seek(offset)
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
    place.unlink()


def _save(store: Path, blocks: Blocks) -> None:
    """Write blocks to the file beside the store; it has its name once it is on the disk."""
    told = {
        "size": len(next(iter(blocks.values()), b"")),
        "offsets": list(blocks),
        "digest": _digest(blocks),
    }
    place = saved_blocks_of(store)
    unfinished = place.with_name(place.name + "-new")
    with suppress(FileNotFoundError):
        unfinished.unlink()
    with unfinished.open("xb") as file:
        file.write(OPENING + json.dumps(told).encode()[1:] + b"\n")
        file.writelines(blocks.values())
        file.flush()
        os.fsync(file.fileno())
    shutil.copymode(store, unfinished)
    unfinished.replace(place)
    sync_folder(place.parent)


def _saved(place: Path) -> Blocks:
    """Read blocks that were saved; none where the file is not one that ragduck has written to its end."""
    if place.is_symlink() or not place.is_file():
        return {}
    with place.open("rb") as file:
        try:
            told = read_json(file.readline(LONGEST_LINE))
            size, offsets = told["size"], told["offsets"]
            if size not in BLOCK_SIZES or not all(
                type(offset) is int and offset >= HEADERS for offset in offsets
            ):
                return {}
            blocks = {offset: file.read(size) for offset in offsets}
            is_whole = all(len(block) == size for block in blocks.values())
            return blocks if is_whole and _digest(blocks) == told["digest"] else {}
        except (ValueError, TypeError, KeyError):
            return {}


def _digest(blocks: Blocks) -> str:
    digest = blake2b(digest_size=16)
    for block in blocks.values():
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
