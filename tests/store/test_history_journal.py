"""The journal beside a store: torn and foreign lines, links, folders, and records that are too long."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ragduck.conversation import Turn
from ragduck.errors import StoreError
from ragduck.store import journal as module
from ragduck.store.history import StoreHistory
from ragduck.store.history_records import entry_of
from ragduck.store.journal import Journal

MakeTurn = Callable[..., Turn]
FOREIGN = [
    b"nonsense\n",
    b"\xff\xfe\x00\n",
    b'{"kind": "turn"}\n',
    b'{"ragduck_journal": 1, "kind": "turn", "data": {"turn_id": 7}}\n',
    b'{"ragduck_journal": 1, "kind": "spell", "data": {}}\n',
    b'{"ragduck_journal": 1, "kind": "turn", "data": []}\n',
    b'{"ragduck_journal": 1, "kind": [], "data": {"session_id": {}}}\n',
    b"[1, 2]\n",
]


@pytest.fixture
def history(small_store: Path) -> StoreHistory:
    return StoreHistory(small_store)


def journal_of(history: StoreHistory) -> Path:
    return history.path.with_name("s.duckdb.ragduck-journal")


def ids(history: StoreHistory) -> list[str]:
    return [turn.turn_id for turn in history.load("s").turns]


@pytest.mark.parametrize("kept", [1, 10, 40, -1])
def test_a_torn_last_line_is_not_read(history: StoreHistory, make_turn: MakeTurn, kept: int) -> None:
    history.save_turn(make_turn(1))
    first = journal_of(history).read_bytes()
    history.save_turn(make_turn(2))
    second = journal_of(history).read_bytes()[len(first) :]
    journal_of(history).write_bytes(first + second[:kept])

    assert ids(history) == ["turn1"]


@pytest.mark.parametrize("kept", [1, 10, 40])
def test_what_is_saved_after_a_torn_line_is_whole(
    history: StoreHistory, make_turn: MakeTurn, kept: int
) -> None:
    history.save_turn(make_turn(1))
    journal_of(history).write_bytes(journal_of(history).read_bytes()[:kept])
    history.save_turn(make_turn(2))

    assert ids(history) == ["turn2"]
    assert history.pending().torn == 1
    assert history.fold()
    assert ids(history) == ["turn2"]


@pytest.mark.parametrize("line", FOREIGN)
def test_foreign_lines_are_counted_and_put_aside(
    history: StoreHistory, make_turn: MakeTurn, line: bytes
) -> None:
    history.save_turn(make_turn(1))
    with journal_of(history).open("ab") as stream:
        stream.write(line)
    content = journal_of(history).read_bytes()

    assert ids(history) == ["turn1"]
    assert history.fold()
    assert ids(history) == ["turn1"]
    assert journal_of(history).with_name("s.duckdb.ragduck-journal-unread-1").read_bytes() == content


@pytest.mark.parametrize(
    "changed",
    [
        {"created_at": "yesterday"},
        {"created_at": "9999-12-31T23:59:59-12:00"},
        {"metadata": "text"},
        {"metadata": {"deep": 0}},
        {"question": 5},
        {"answer": None},
    ],
)
def test_records_of_wrong_types_do_not_hold_up_the_others(
    history: StoreHistory, make_turn: MakeTurn, changed: dict[str, object]
) -> None:
    entry = entry_of(make_turn(1))
    entry["data"] |= changed
    line = json.dumps({"ragduck_journal": 1, **entry}).replace(
        '"deep": 0', '"deep": ' + "[" * 5000 + "]" * 5000
    )
    journal_of(history).write_text(line + "\n", encoding="utf-8")
    history.save_turn(make_turn(2))

    assert history.fold()
    assert "turn2" in ids(history)


def test_a_line_that_is_too_long_is_skipped(
    history: StoreHistory, make_turn: MakeTurn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_LINE", 1000)
    journal_of(history).write_bytes(b"x" * 3500 + b"\n")
    history.save_turn(make_turn(1))

    assert ids(history) == ["turn1"]
    assert history.pending().foreign == 1


def test_a_record_that_is_too_long_is_refused(
    history: StoreHistory, make_turn: MakeTurn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_LINE", 1000)

    with pytest.raises(StoreError, match="too long"):
        history.save_turn(make_turn(1, answer="x" * 1000))


def test_a_link_is_not_followed(history: StoreHistory, make_turn: MakeTurn, tmp_path: Path) -> None:
    target = tmp_path / "precious.txt"
    target.write_text("precious", encoding="utf-8")
    journal_of(history).symlink_to(target)

    with pytest.raises(StoreError, match="it is a link"):
        history.save_turn(make_turn(1))
    with pytest.raises(StoreError, match="it is a link"):
        history.load("s")
    assert not history.fold()
    assert target.read_text(encoding="utf-8") == "precious"


def test_a_lock_file_that_is_a_link_is_not_followed(
    history: StoreHistory, make_turn: MakeTurn, tmp_path: Path
) -> None:
    (tmp_path / "s.duckdb.ragduck-journal.lock").symlink_to(tmp_path / "precious.txt")

    with pytest.raises(StoreError, match="journal"):
        history.save_turn(make_turn(1))
    assert not (tmp_path / "precious.txt").exists()


def test_a_folder_in_place_of_the_journal_is_a_clear_error(
    history: StoreHistory, make_turn: MakeTurn
) -> None:
    journal_of(history).mkdir()

    with pytest.raises(StoreError, match="cannot be used"):
        history.save_turn(make_turn(1))
    with pytest.raises(StoreError, match="cannot be used"):
        history.sessions()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_in_place_of_the_journal_blocks_nobody(
    history: StoreHistory, make_turn: MakeTurn
) -> None:
    os.mkfifo(journal_of(history))

    with pytest.raises(StoreError, match="no regular file"):
        history.save_turn(make_turn(1))
    with pytest.raises(StoreError, match="no regular file"):
        history.load("s")


def test_a_folder_that_is_gone_is_a_clear_error(make_turn: MakeTurn, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be used") as caught:
        StoreHistory(tmp_path / "nowhere" / "s.duckdb").save_turn(make_turn(1))

    assert caught.value.hint is not None


def test_a_full_disk_leaves_the_journal_as_it_was(
    history: StoreHistory, make_turn: MakeTurn, monkeypatch: pytest.MonkeyPatch
) -> None:
    history.save_turn(make_turn(1))
    content = journal_of(history).read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(StoreError, match="No space left"):
        history.save_turn(make_turn(2))
    assert journal_of(history).read_bytes() == content


def test_a_journal_that_another_process_holds_is_waited_for_and_then_named(
    history: StoreHistory, make_turn: MakeTurn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOCK_SECONDS", 0.1)
    other = Journal(history.path)

    with other.locked(), pytest.raises(StoreError, match="another process"):
        StoreHistory(history.path).save_turn(make_turn(1))


def test_the_lock_file_does_not_stay(history: StoreHistory, make_turn: MakeTurn) -> None:
    history.save_turn(make_turn(1))

    assert sorted(path.name for path in history.path.parent.iterdir()) == [
        "s.duckdb",
        journal_of(history).name,
    ]
