"""Conversations and traces: saved beside the store, folded into it, and never lost or doubled."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import duckdb
import pytest

import ragduck
from ragduck.conversation import HistorySummary, RunRecord, StepRecord, Turn
from ragduck.errors import ForeignFileError, StoreError, UsageError
from ragduck.store.connection import open_database, open_for_writing
from ragduck.store.history import StoreHistory

MakeTurn = Callable[..., Turn]
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def summary(version: int, *, last: str = "turn1", session: str = "s") -> HistorySummary:
    return HistorySummary(session, version, last, f"Summary {version}", "Question", NOON, "scripted")


def run_of(number: int, *, session: str = "s") -> RunRecord:
    step = StepRecord(
        1, "search", "search_nodes", 0.5, 12.25, {"query": "invoice"}, {"hits": [1, None, "ż"]}, "on_ok", None,
        10, 20, ("one note", "and another"), None,
    )  # fmt: skip
    return RunRecord(
        run_id=f"run{number}",
        session_id=session,
        pipeline="base",
        question="Question",
        started_at=NOON + timedelta(minutes=number),
        milliseconds=20.5,
        status="answered",
        steps=(step, replace(step, step_no=2, step_id="finish", error="it failed")),
        turn_id="turn1",
        model="scripted",
        settings={"top_k": 12},
    )


@pytest.fixture
def history(small_store: Path) -> StoreHistory:
    return StoreHistory(small_store)


@pytest.fixture(params=["journal", "store"])
def settle(request: pytest.FixtureRequest) -> Callable[[StoreHistory], None]:
    """What a test says must hold both before and after folding."""
    return StoreHistory.fold if request.param == "store" else lambda history: None


def test_a_session_that_nobody_began_has_no_turns(history: StoreHistory) -> None:
    assert history.load("s").turns == ()


def test_a_turn_comes_back_as_it_was_saved(
    history: StoreHistory, make_turn: MakeTurn, settle: Callable
) -> None:
    turn = make_turn(
        1, run_id="r", pipeline="base", request_id="q", status="insufficient", language="pl",
        question="Zażółć\n\t\x1b[31m\x00 '; drop table turns; --", metadata={"citations": [{"number": 1}], "ż": None},
    )  # fmt: skip
    history.save_turn(turn)
    settle(history)

    assert history.load("s").turns == (turn,)


def test_a_run_comes_back_with_its_steps(history: StoreHistory, settle: Callable) -> None:
    history.save_run(run_of(1))
    settle(history)

    assert history.find_run("run1") == run_of(1)


def test_the_newest_summary_is_loaded(history: StoreHistory, make_turn: MakeTurn, settle: Callable) -> None:
    history.save_turn(make_turn(1))
    for version in (2, 1):
        history.save_summary(summary(version))
    settle(history)

    assert history.load("s").summary == summary(2)


def test_turns_are_ordered_by_time_then_by_id(
    history: StoreHistory, make_turn: MakeTurn, settle: Callable
) -> None:
    turns = [make_turn(3), make_turn(1), make_turn(2, created_at=make_turn(3).created_at)]
    for turn in turns:
        history.save_turn(turn)
    settle(history)

    assert [turn.turn_id for turn in history.load("s").turns] == ["turn1", "turn2", "turn3"]


def test_saving_the_same_turn_again_changes_nothing(
    history: StoreHistory, make_turn: MakeTurn, settle: Callable
) -> None:
    history.save_turn(make_turn(1))
    settle(history)
    history.save_turn(make_turn(1, answer="another"))
    settle(history)

    assert history.load("s").turns == (make_turn(1),)


def test_saving_the_same_request_again_changes_nothing(
    history: StoreHistory, make_turn: MakeTurn, settle: Callable
) -> None:
    history.save_turn(make_turn(1, request_id="q"))
    settle(history)
    history.save_turn(make_turn(2, request_id="q"))
    settle(history)

    assert [turn.turn_id for turn in history.load("s").turns] == ["turn1"]


def test_the_same_request_id_in_another_session_is_another_request(
    history: StoreHistory, make_turn: MakeTurn, settle: Callable
) -> None:
    history.save_turn(make_turn(1, request_id="q"))
    history.save_turn(make_turn(2, "other", request_id="q"))
    settle(history)

    assert len(history.load("other").turns) == 1


def test_saving_the_same_run_again_changes_nothing(history: StoreHistory, settle: Callable) -> None:
    history.save_run(run_of(1))
    settle(history)
    history.save_run(replace(run_of(1), status="failed"))
    settle(history)

    assert history.find_run("run1") == run_of(1)


def test_times_of_other_zones_are_kept_as_utc(
    history: StoreHistory, make_turn: MakeTurn, settle: Callable
) -> None:
    warsaw = timezone(timedelta(hours=1))
    history.save_turn(make_turn(1, created_at=datetime(2026, 1, 1, 13, tzinfo=warsaw)))
    settle(history)

    assert history.load("s").turns[0].created_at.isoformat() == "2026-01-01T12:00:00+00:00"


def test_what_utf8_and_json_cannot_hold_is_saved_as_near_as_can_be(
    history: StoreHistory, make_turn: MakeTurn, settle: Callable
) -> None:
    history.save_turn(
        make_turn(1, answer="\ud800!", metadata={"score": float("nan"), "at": NOON, "set": {2, 1}})
    )
    settle(history)

    turn = history.load("s").turns[0]
    assert turn.answer == "?!"
    assert turn.metadata == {"score": None, "at": "2026-01-01T12:00:00", "set": ["1", "2"]}


def test_a_record_of_wrong_types_is_refused_at_once(history: StoreHistory, make_turn: MakeTurn) -> None:
    with pytest.raises(StoreError, match="wrong type"):
        history.save_turn(make_turn(1, answer=None))


def test_a_deleted_session_is_gone_with_its_summaries_and_runs(
    history: StoreHistory, make_turn: MakeTurn, settle: Callable
) -> None:
    history.save_turn(make_turn(1))
    history.save_turn(make_turn(2, "other"))
    history.save_summary(summary(1))
    history.save_run(run_of(1))
    settle(history)
    history.delete("s")
    settle(history)

    assert history.load("s").turns == ()
    assert history.load("s").summary is None
    assert history.runs() == ()
    assert len(history.load("other").turns) == 1


def test_a_turn_that_is_saved_after_a_deletion_is_kept(
    history: StoreHistory, make_turn: MakeTurn, settle: Callable
) -> None:
    history.save_turn(make_turn(1))
    history.delete("s")
    history.save_turn(make_turn(2))
    settle(history)

    assert [turn.turn_id for turn in history.load("s").turns] == ["turn2"]


def test_a_summary_of_turns_that_were_deleted_does_not_come_back(
    history: StoreHistory, make_turn: MakeTurn, settle: Callable
) -> None:
    history.save_turn(make_turn(1))
    history.delete("s")
    history.save_summary(summary(1))
    history.save_turn(make_turn(2))
    settle(history)

    assert history.load("s").summary is None


def test_sessions_are_listed_newest_first_with_their_first_question(
    history: StoreHistory, make_turn: MakeTurn, settle: Callable
) -> None:
    for turn in (make_turn(1), make_turn(3), make_turn(2, "other")):
        history.save_turn(turn)
    settle(history)

    assert [(each.session_id, each.title, each.turns) for each in history.sessions()] == [
        ("s", "Pytanie 1", 2),
        ("other", "Pytanie 2", 1),
    ]


def test_sessions_join_what_the_store_and_the_journal_hold(
    history: StoreHistory, make_turn: MakeTurn
) -> None:
    history.save_turn(make_turn(1))
    history.fold()
    history.save_turn(make_turn(2))

    [session] = history.sessions()
    assert (session.turns, session.last_at) == (2, make_turn(2).created_at)


def test_a_run_is_found_by_the_beginning_of_its_id(history: StoreHistory, settle: Callable) -> None:
    for number in (1, 2):
        history.save_run(run_of(number))
    settle(history)

    assert history.find_run("last").run_id == "run2"
    assert history.find_run("run1").run_id == "run1"
    with pytest.raises(UsageError, match="2 of the runs begin with 'run'"):
        history.find_run("run")
    with pytest.raises(UsageError, match="no run 'other'"):
        history.find_run("other")


def test_runs_are_listed_newest_first(history: StoreHistory, settle: Callable) -> None:
    for number in (1, 3, 2):
        history.save_run(run_of(number))
    settle(history)

    assert [run.run_id for run in history.runs(newest=2)] == ["run3", "run2"]


def test_a_session_is_found_by_the_beginning_of_its_id(history: StoreHistory, make_turn: MakeTurn) -> None:
    history.save_turn(make_turn(1, "abc"))
    history.save_turn(make_turn(2, "abcd"))

    assert history.find_session("abc") == "abc"
    assert history.find_session("abcd") == "abcd"
    with pytest.raises(UsageError, match="2 of the sessions"):
        history.find_session("a")


def test_an_export_holds_turns_and_summaries_as_json(
    history: StoreHistory, make_turn: MakeTurn, settle: Callable
) -> None:
    history.save_turn(make_turn(1))
    history.save_summary(summary(1))
    settle(history)

    [exported] = json.loads(json.dumps(history.export()))
    assert exported["turns"][0]["answer_en"] == "Answer 1"
    assert exported["summaries"][0]["last_turn_id"] == "turn1"


def test_what_is_folded_can_be_asked_in_sql(history: StoreHistory, make_turn: MakeTurn) -> None:
    history.save_turn(make_turn(1, metadata={"gaps": ["none"]}))
    history.save_run(run_of(1))
    history.fold()

    with ragduck.open(history.path) as store:
        rows = store.sql(
            "select turn.question, turn.metadata ->> '$.gaps[0]' as gap, step.inputs ->> '$.query' as query "
            "from turns as turn join pipeline_runs as run using (turn_id) "
            "join pipeline_steps as step on step.run_id = run.run_id "
            "where step_no = 1"
        )
    assert rows == [{"question": "Pytanie 1", "gap": "none", "query": "invoice"}]


def test_nothing_is_wrong_with_a_store_after_folding(history: StoreHistory, make_turn: MakeTurn) -> None:
    for number in range(5):
        history.save_turn(make_turn(number, f"session{number % 2}"))
    history.save_summary(summary(1, last="turn2", session="session0"))
    history.save_run(run_of(1))
    history.fold()

    with ragduck.open(history.path) as store:
        assert [result.name for result in store.check() if not result.passed] == []


def test_folding_empties_the_journal(history: StoreHistory, make_turn: MakeTurn) -> None:
    history.save_turn(make_turn(1))
    assert history.pending().records == 1

    assert history.fold()
    assert history.pending().records == 0
    assert [path.name for path in history.path.parent.iterdir()] == ["s.duckdb"]


def test_folding_twice_changes_nothing(history: StoreHistory, make_turn: MakeTurn) -> None:
    history.save_turn(make_turn(1))
    journal = history.path.with_name("s.duckdb.ragduck-journal")
    lines = journal.read_bytes()
    history.fold()
    journal.write_bytes(lines)
    history.fold()

    assert history.load("s").turns == (make_turn(1),)


def test_the_journal_waits_while_this_process_reads_the_store(
    history: StoreHistory, make_turn: MakeTurn
) -> None:
    with ragduck.open(history.path):
        history.save_turn(make_turn(1))

        assert not history.fold()
        assert history.load("s").turns == (make_turn(1),)
        assert "open in this process" in str(history.pending().reason)
    assert history.fold()


def test_folding_keeps_the_permissions_of_the_store(history: StoreHistory, make_turn: MakeTurn) -> None:
    history.path.chmod(0o640)
    history.save_turn(make_turn(1))
    journal = history.path.with_name("s.duckdb.ragduck-journal")

    assert journal.stat().st_mode & 0o777 == 0o640
    history.fold()
    assert history.path.stat().st_mode & 0o777 == 0o640


def test_folding_keeps_the_storage_version(history: StoreHistory, make_turn: MakeTurn) -> None:
    def version() -> str:
        with open_database(history.path) as database:
            return str(database.rows("select tags from duckdb_databases() where not internal"))

    before = version()
    history.save_turn(make_turn(1))
    history.fold()

    assert version() == before


def test_a_link_to_a_store_leads_to_the_history_of_the_store(
    history: StoreHistory, make_turn: MakeTurn, tmp_path: Path
) -> None:
    (tmp_path / "link.duckdb").symlink_to(history.path)
    StoreHistory(tmp_path / "link.duckdb").save_turn(make_turn(1))

    assert len(history.load("s").turns) == 1


@pytest.mark.parametrize("content", [b"", b"not a database" * 1000])
def test_a_foreign_file_is_not_opened_for_writing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "foreign.duckdb"
    path.write_bytes(content)

    with pytest.raises(StoreError):
        open_for_writing(path)
    assert path.read_bytes() == content


def test_a_foreign_database_is_not_opened_for_writing(tmp_path: Path) -> None:
    path = tmp_path / "foreign.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table t as select 1 as one")
    content = path.read_bytes()

    with pytest.raises(ForeignFileError):
        open_for_writing(path)
    assert path.read_bytes() == content


def test_a_store_whose_tables_are_views_is_not_written(history: StoreHistory, make_turn: MakeTurn) -> None:
    with duckdb.connect(str(history.path)) as connection:
        connection.execute("drop table turns")
        connection.execute("create view turns as select * from read_text('/etc/passwd')")
    history.save_turn(make_turn(1))

    assert not history.fold()
    assert "has no tables turns" in str(history.pending().reason)


def test_a_store_does_not_grow_by_a_block_with_each_turn(history: StoreHistory, make_turn: MakeTurn) -> None:
    turns = [make_turn(number) for number in range(30)]
    sizes = []
    for turn in turns:
        history.save_turn(turn)
        history.save_run(replace(run_of(1), run_id=f"run of {turn.turn_id}", turn_id=turn.turn_id))
        history.fold()
        sizes.append(history.path.stat().st_size)

    assert sizes[-1] - sizes[11] < 2_000_000  # of 18 turns
    assert history.load("s").turns == tuple(turns)
    assert len(history.runs()) == len(turns)
    assert len(history.find_run(f"run of {turns[0].turn_id}").steps) == len(run_of(1).steps)
