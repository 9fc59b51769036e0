"""A writer that is killed while it writes a block in place leaves a store that opens, with all that was saved."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

import ragduck
from ragduck.conversation import Turn
from ragduck.store.damage import DamagedStoreError
from ragduck.store.history import StoreHistory
from ragduck.store.saved_blocks import HEADERS, blocks_saved, saved_blocks_of

MakeTurn = Callable[..., Turn]
PAGE = 4096  # bytes, the least that a system writes of a block


def metadata_blocks(store: Path) -> tuple[list[int], int]:
    with duckdb.connect(str(store), read_only=True) as connection:
        numbers = connection.execute("select block_id from pragma_metadata_info()").fetchall()
        size = connection.execute("select block_size from pragma_database_size()").fetchall()[0][0]
    return [number for (number,) in numbers], int(size)


def turns_of(store: Path) -> list[str]:
    return [turn.turn_id for turn in StoreHistory(store).load("s").turns]


def changed_blocks(before: bytes, after: bytes, size: int) -> list[int]:
    offsets = range(HEADERS, len(before) - size + 1, size)
    return [offset for offset in offsets if before[offset : offset + size] != after[offset : offset + size]]


@pytest.fixture
def told_store(small_store: Path, make_turn: MakeTurn) -> Path:
    """A store with turns that were folded one after the other, as people ask."""
    history = StoreHistory(small_store)
    for number in range(4):
        history.save_turn(make_turn(number))
        assert history.fold()
    return small_store


@pytest.fixture
def folded(told_store: Path, make_turn: MakeTurn, tmp_path: Path) -> bytes:
    """What the store is after one more turn."""
    copy = Path(shutil.copy(told_store, tmp_path / "folded.duckdb"))
    StoreHistory(copy).save_turn(make_turn(9))
    assert StoreHistory(copy).fold()
    return copy.read_bytes()


def left_by_a_killed_writer(store: Path, given: bytes, target: Path) -> Path:
    """Copy a store and its saved blocks as they are when a writer has got so far."""
    numbers, size = metadata_blocks(store)
    with blocks_saved(store, numbers, size=size):
        target.write_bytes(given)
        shutil.copy(saved_blocks_of(store), saved_blocks_of(target))
    return target


@pytest.mark.parametrize("seed", range(12))
def test_a_store_whose_blocks_are_half_written_opens_as_it_was(
    told_store: Path, folded: bytes, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    before = told_store.read_bytes()
    _, size = metadata_blocks(told_store)
    given = bytearray(before)
    for offset in changed_blocks(before, folded, size):
        written = chance.choice([0, PAGE, size // 2, size - PAGE, size])
        given[offset : offset + written] = folded[offset : offset + written]
    torn = left_by_a_killed_writer(told_store, bytes(given), tmp_path / "torn.duckdb")

    assert turns_of(torn) == ["turn0", "turn1", "turn2", "turn3"]
    with ragduck.open(torn) as store:
        assert [result.name for result in store.check() if not result.passed] == []
    assert not saved_blocks_of(torn).exists()


def test_half_a_block_of_metadata_is_damage_where_nothing_was_saved(
    told_store: Path, folded: bytes, tmp_path: Path
) -> None:
    numbers, size = metadata_blocks(told_store)
    given = bytearray(told_store.read_bytes())
    in_place = [
        HEADERS + number * size
        for number in numbers
        if HEADERS + number * size in changed_blocks(bytes(given), folded, size)
    ]
    for offset in in_place:
        given[offset : offset + size // 2] = folded[offset : offset + size // 2]
    torn = tmp_path / "torn.duckdb"
    torn.write_bytes(given)

    assert in_place
    with pytest.raises(DamagedStoreError):
        turns_of(torn)


def test_a_turn_that_waits_is_folded_into_a_mended_store(
    told_store: Path, folded: bytes, make_turn: MakeTurn, tmp_path: Path
) -> None:
    _, size = metadata_blocks(told_store)
    given = bytearray(told_store.read_bytes())
    for offset in changed_blocks(bytes(given), folded, size):
        given[offset : offset + size // 2] = folded[offset : offset + size // 2]
    torn = left_by_a_killed_writer(told_store, bytes(given), tmp_path / "torn.duckdb")
    history = StoreHistory(torn)
    history.save_turn(make_turn(9))

    assert history.fold()
    assert turns_of(torn) == ["turn0", "turn1", "turn2", "turn3", "turn9"]


def test_a_finished_store_stays_as_it_is(told_store: Path, folded: bytes, tmp_path: Path) -> None:
    finished = left_by_a_killed_writer(told_store, folded, tmp_path / "finished.duckdb")

    assert turns_of(finished)[-1] == "turn9"
    assert finished.read_bytes() == folded


def test_another_store_that_was_put_there_stays_as_it_is(
    told_store: Path, shop_store: Path, tmp_path: Path
) -> None:
    other = left_by_a_killed_writer(told_store, shop_store.read_bytes(), tmp_path / "other.duckdb")

    ragduck.open(other).close()

    assert other.read_bytes() == shop_store.read_bytes()


@pytest.mark.parametrize("content", [b"", b"something else\n" * 1000, b'{"ragduck_blocks": 1, "size": -1}\n'])
def test_a_file_that_ragduck_did_not_write_is_not_believed(told_store: Path, content: bytes) -> None:
    before = told_store.read_bytes()
    saved_blocks_of(told_store).write_bytes(content)

    assert turns_of(told_store) == ["turn0", "turn1", "turn2", "turn3"]
    assert told_store.read_bytes() == before


def test_a_link_is_not_followed(told_store: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("kept", encoding="utf-8")
    saved_blocks_of(told_store).symlink_to(elsewhere)

    assert turns_of(told_store)
    assert elsewhere.read_text(encoding="utf-8") == "kept"


def test_a_fold_leaves_nothing_beside_the_store(told_store: Path) -> None:
    assert [path.name for path in told_store.parent.glob("s.duckdb*")] == ["s.duckdb"]
