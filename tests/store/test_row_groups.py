"""Row groups stay as small as they were written: a checkpoint would merge them to large ones."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

import ragduck
from ragduck.conversation import Turn
from ragduck.store.amendment import amended
from ragduck.store.history import StoreHistory
from ragduck.store.schema import ROW_GROUP_SIZE

WORDS = 70_000  # from three row groups on there is something to merge


def row_groups(store: Path) -> list[int]:
    """Rows of each row group of the postings."""
    with duckdb.connect(str(store), read_only=True) as connection:
        rows = connection.execute(
            "select max(count) from pragma_storage_info('fts_postings') where column_name = 'chunk_no' "
            "and segment_type <> 'VALIDITY' group by row_group_id order by row_group_id"
        ).fetchall()
    return [count for (count,) in rows]


@pytest.fixture(scope="module")
def _wordy_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wordy")
    lines = (" ".join(f"w{number:x}" for number in range(start, start + 10)) for start in range(0, WORDS, 10))
    (folder / "source").mkdir()
    (folder / "source/words.txt").write_text("\n".join(lines), encoding="utf-8")
    ragduck.prepare(folder / "source", folder / "s.duckdb", repo="r", branch="b", embed_model=None)
    return folder / "s.duckdb"


@pytest.fixture
def store(_wordy_store: Path, tmp_path: Path) -> Path:
    store = Path(shutil.copy(_wordy_store, tmp_path / "s.duckdb"))
    groups = row_groups(store)
    assert len(groups) > 4  # one is not full: the last, unless several threads wrote
    assert max(groups) == ROW_GROUP_SIZE
    return store


def save_a_turn(store: Path, turn: Turn) -> None:
    history = StoreHistory(store)
    history.save_turn(turn)
    assert history.fold()


def test_a_saved_turn_leaves_them(store: Path, make_turn: Callable[..., Turn]) -> None:
    before = row_groups(store)

    save_a_turn(store, make_turn(1))

    assert row_groups(store) == before


def test_what_is_added_to_a_copy_leaves_them(store: Path) -> None:
    before = row_groups(store)

    with amended(store, require=lambda _: None) as connection:
        connection.execute("create table added as select 1 as value")

    assert row_groups(store) == before


def test_a_store_that_is_prepared_again_with_its_conversations_has_them(
    store: Path, tmp_path: Path, make_turn: Callable[..., Turn]
) -> None:
    save_a_turn(store, make_turn(1))
    (tmp_path / "more").mkdir()
    (tmp_path / "more/a.py").write_text("def place_order():\n    pass\n", encoding="utf-8")

    ragduck.prepare(tmp_path / "more", store, repo="more", branch="b", embed_model=None)

    assert max(row_groups(store)) == ROW_GROUP_SIZE
