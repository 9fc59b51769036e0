"""A writer that is killed while it writes a block in place leaves a store that opens, with all that was saved."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

import duckdb
import pytest

import ragduck
from ragduck.conversation import Turn
from ragduck.errors import StoreError
from ragduck.store import finish
from ragduck.store.damage import DamagedStoreError
from ragduck.store.history import StoreHistory
from ragduck.store.saved_blocks import HEADERS, OPENING, blocks_saved, saved_blocks_of

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
    offsets = range(
        HEADERS, min(len(before), len(after)) - size + 1, size
    )  # a checkpoint may cut the file off
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


def test_a_turn_that_waits_is_folded_into_a_mended_store(torn_store: Path, make_turn: MakeTurn) -> None:
    history = StoreHistory(torn_store)
    history.save_turn(make_turn(9))

    assert history.fold()
    assert turns_of(torn_store) == ["turn0", "turn1", "turn2", "turn3", "turn9"]


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


@pytest.fixture
def torn_store(told_store: Path, folded: bytes, tmp_path: Path) -> Path:
    """A store of which a killed writer left every changed block half written, with the blocks that were saved."""
    _, size = metadata_blocks(told_store)
    given = bytearray(told_store.read_bytes())
    for offset in changed_blocks(bytes(given), folded, size):
        given[offset : offset + size // 2] = folded[offset : offset + size // 2]
    return left_by_a_killed_writer(told_store, bytes(given), tmp_path / "torn.duckdb")


def test_a_link_is_not_followed(torn_store: Path, tmp_path: Path) -> None:
    elsewhere = saved_blocks_of(torn_store).rename(tmp_path / "elsewhere")
    saved_blocks_of(torn_store).symlink_to(elsewhere)

    with pytest.raises(DamagedStoreError):
        turns_of(torn_store)
    assert elsewhere.exists()


@pytest.mark.parametrize("content", [b"words\n" * 2_000_000, b"\0" * 8 + b"DUCK" + b"\0" * 9_000_000])
def test_what_is_no_store_stays_as_it_is(torn_store: Path, content: bytes) -> None:
    torn_store.write_bytes(content)

    with pytest.raises(StoreError):
        ragduck.open(torn_store)
    assert torn_store.read_bytes() == content


def test_a_file_with_other_blocks_stays_as_it_is(torn_store: Path) -> None:
    torn_store.unlink()
    with duckdb.connect(":memory:") as connection:
        connection.execute(f"attach '{torn_store}' as other (block_size 16384)")
        connection.execute(
            "create table other.numbers as select range as number, md5(range::text) from range(99999)"
        )
    before = torn_store.read_bytes()

    with pytest.raises(StoreError):
        ragduck.open(torn_store)
    assert torn_store.read_bytes() == before


def test_blocks_at_other_places_are_not_believed(torn_store: Path) -> None:
    before = torn_store.read_bytes()
    size = 16384
    block = bytes(size)
    told = {"size": size, "offsets": [HEADERS + 100], "digest": blake2b(block, digest_size=16).hexdigest()}
    saved_blocks_of(torn_store).write_bytes(OPENING + json.dumps(told).encode()[1:] + b"\n" + block)

    with pytest.raises(DamagedStoreError):
        turns_of(torn_store)
    assert torn_store.read_bytes() == before


def test_a_prepare_mends_what_was_torn_while_it_ran(
    torn_store: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = tmp_path / "other"
    source.mkdir()
    (source / "a.py").write_text("def other():\n    pass\n", encoding="utf-8")
    torn, saved = torn_store.read_bytes(), saved_blocks_of(torn_store).read_bytes()
    turns_of(torn_store)  # mends it, so that the prepare can begin
    write = finish.write_store

    def write_then_tear(*arguments: object, **named: object) -> dict[str, int]:
        counts = write(*arguments, **named)
        torn_store.write_bytes(torn)
        saved_blocks_of(torn_store).write_bytes(saved)
        return counts

    monkeypatch.setattr(finish, "write_store", write_then_tear)
    ragduck.prepare(source, torn_store, repo="other", embed_model=None, overwrite=True, processes=1)

    assert turns_of(torn_store) == ["turn0", "turn1", "turn2", "turn3"]


def test_a_store_that_is_open_here_is_left_alone(torn_store: Path, folded: bytes) -> None:
    saved = saved_blocks_of(torn_store).read_bytes()
    with ragduck.open(torn_store):
        saved_blocks_of(torn_store).write_bytes(saved)
        ragduck.open(torn_store).close()

        assert saved_blocks_of(torn_store).exists()


def test_a_fold_leaves_nothing_beside_the_store(told_store: Path) -> None:
    assert [path.name for path in told_store.parent.glob("s.duckdb*")] == ["s.duckdb"]
