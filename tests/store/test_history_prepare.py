"""Preparing writes a new file; the conversations of the old one go with it, since they cannot be made again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

import ragduck
from ragduck.conversation import HistorySummary, Turn
from ragduck.errors import StoreError
from ragduck.store.history import StoreHistory

MakeTurn = Callable[..., Turn]


@pytest.fixture
def history(small_store: Path, make_turn: MakeTurn) -> StoreHistory:
    """A store with a turn and a summary in its tables, and another turn in its journal."""
    history = StoreHistory(small_store)
    history.save_turn(make_turn(1))
    history.save_summary(HistorySummary("s", 1, "turn1", "Summary", "Question", make_turn(1).created_at))
    history.fold()
    history.save_turn(make_turn(2))
    return history


def prepare(store: Path, **settings: object) -> None:
    source = store.parent / "changed"
    source.mkdir(exist_ok=True)
    (source / "b.py").write_text("def cancel_order():\n    pass\n", encoding="utf-8")
    ragduck.prepare(source, store, repo="changed", branch="main", embed_model=None, **settings)


def ids(history: StoreHistory) -> list[str]:
    return [turn.turn_id for turn in history.load("s").turns]


@pytest.mark.parametrize("overwrite", [False, True])
def test_history_is_carried_over(history: StoreHistory, overwrite: bool) -> None:
    before = history.load("s")

    prepare(history.path, overwrite=overwrite)

    assert history.load("s") == before


def test_what_waits_in_the_journal_is_folded_on_the_way(history: StoreHistory) -> None:
    prepare(history.path)

    assert history.pending().records == 0
    with ragduck.open(history.path) as store:
        assert store.sql("select turns from conversations") == [{"turns": 2}]
        assert [result.name for result in store.check() if not result.passed] == []


def test_history_is_carried_over_while_this_process_reads_the_old_file(history: StoreHistory) -> None:
    with ragduck.open(history.path):
        prepare(history.path)

    assert ids(history) == ["turn1", "turn2"]


def test_overwriting_a_damaged_file_keeps_what_waits_in_the_journal(history: StoreHistory) -> None:
    with duckdb.connect(str(history.path)) as connection:
        connection.execute("drop table documents")

    prepare(history.path, overwrite=True)

    assert ids(history) == ["turn2"]


def test_overwriting_a_store_of_an_older_ragduck_works(history: StoreHistory) -> None:
    with duckdb.connect(str(history.path)) as connection:
        connection.execute("update ragduck_meta set value = '3' where key = 'schema_version'")
        for table in ("conversations", "turns", "history_summaries", "pipeline_runs", "pipeline_steps"):
            connection.execute(f"drop table {table}")

    prepare(history.path, overwrite=True)

    assert ids(history) == ["turn2"]


def test_the_new_store_is_not_put_in_place_while_the_journal_cannot_be_read(history: StoreHistory) -> None:
    journal = history.path.with_name("s.duckdb.ragduck-journal")
    journal.unlink()
    journal.mkdir()
    content = history.path.read_bytes()

    with pytest.raises(StoreError, match="journal"):
        prepare(history.path)
    assert history.path.read_bytes() == content


def test_what_duckdb_left_of_the_old_file_in_its_log_is_not_applied_to_the_new_one(
    history: StoreHistory,
) -> None:
    log = history.path.with_name("s.duckdb.wal")
    with duckdb.connect(str(history.path)) as connection:
        connection.execute("pragma disable_checkpoint_on_shutdown")
        connection.execute("set checkpoint_threshold = '1GB'")
        connection.execute("update turns set answer = 'from the log'")
    assert log.exists()

    prepare(history.path)

    assert not log.exists()
    assert history.load("s").turns[0].answer == "from the log"


def test_a_new_store_leaves_nothing_beside_it(tmp_path: Path) -> None:
    prepare(tmp_path / "new.duckdb")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["changed", "new.duckdb"]
