"""`ragduck history` and `ragduck pipeline trace`: what is printed, and where."""

from __future__ import annotations

import json
import shlex
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner, Result

import ragduck
from ragduck.cli.history import history as command
from ragduck.cli.trace import trace
from ragduck.conversation import HistorySummary, RunRecord, StepRecord, Turn
from ragduck.errors import StoreError, UsageError
from ragduck.store.history import StoreHistory

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def turn_of(number: int, session: str, question: str) -> Turn:
    at = NOON + timedelta(minutes=number)
    return Turn(f"t{number}", session, at, question, question, f"Answer {number}", f"Odpowiedź {number}")


@pytest.fixture
def store(shop_store: Path, tmp_path: Path) -> Path:
    """The sample shop with two conversations and a run."""
    path = Path(shutil.copy(shop_store, tmp_path / "shop.duckdb"))
    history = StoreHistory(path)
    history.save_turn(turn_of(1, "abc1", "Where are invoices\x1b[31m?"))
    history.save_turn(turn_of(2, "abc1", "And then?"))
    history.save_turn(turn_of(3, "xyz2", "What is an order?"))
    history.save_summary(HistorySummary("abc1", 1, "t1", "Invoices.", "And then?", NOON))
    step = StepRecord(
        1, "guard", "loop_guard", 0, 1.5, {}, {"a": 1}, "on_allow", "search", 7, 5, ("first of 4",)
    )
    last = StepRecord(2, "finish", "finalize", 1, 2.5, {}, {}, None, None)
    history.save_run(RunRecord("run77", "abc1", "base", "And then?", NOON, 12.5, "answered", (step, last)))
    return path


def run(*arguments: object, **settings: object) -> Result:
    return CliRunner().invoke(command, [str(each) for each in arguments], catch_exceptions=False, **settings)


def test_conversations_are_listed_newest_first(store: Path) -> None:
    result = run("list", store)

    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["xyz2", "abc1"]
    assert "2 conversations" in result.stderr


def test_a_list_as_json_holds_all_fields(store: Path) -> None:
    rows = json.loads(run("list", store, "--json").stdout)

    assert rows[1]["title"] == "Where are invoices\x1b[31m?"
    assert rows[1]["turns"] == 2


def test_listing_folds_what_waits(store: Path) -> None:
    run("list", store)

    assert StoreHistory(store).pending().records == 0


def test_what_waits_is_said(store: Path) -> None:
    import ragduck

    with ragduck.open(store):
        result = run("list", store)

    assert "5 records wait in the journal" in result.stderr
    assert len(result.stdout.splitlines()) == 4


def test_a_conversation_is_shown_by_the_beginning_of_its_id(store: Path) -> None:
    result = run("show", store, "ab")

    assert "   > And then?" in result.stdout
    assert "   Odpowiedź 2" in result.stdout
    assert "summary, version 1" in result.stdout


def test_control_characters_are_only_seen(store: Path) -> None:
    assert "\x1b" not in run("show", store, "abc1").stdout + run("list", store).stdout


def test_a_conversation_is_shown_as_json(store: Path) -> None:
    shown = json.loads(run("show", store, "abc1", "--json").stdout)

    assert [turn["turn_id"] for turn in shown["turns"]] == ["t1", "t2"]
    assert shown["summary"]["version"] == 1


def test_an_unknown_conversation_is_named(store: Path) -> None:
    with pytest.raises(UsageError, match="no session 'nothing'"):
        run("show", store, "nothing")


def test_all_conversations_are_exported_as_json(store: Path) -> None:
    exported = json.loads(run("export", store).stdout)

    assert [each["session_id"] for each in exported] == ["abc1", "xyz2"]


def test_one_conversation_is_exported_as_markdown(store: Path) -> None:
    result = run("export", store, "xyz2", "--format", "markdown")

    assert result.stdout.startswith("# What is an order?\n")
    assert "Odpowiedź 3" in result.stdout
    assert "Odpowiedź 1" not in result.stdout


def test_deleting_asks_first(store: Path) -> None:
    result = run("delete", store, "abc1", input="n\n")

    assert result.exit_code == 1
    assert result.stderr.endswith("nothing was deleted\n")
    assert len(StoreHistory(store).load("abc1").turns) == 2


def test_deleting_without_anybody_to_ask_needs_a_yes(store: Path) -> None:
    with pytest.raises(UsageError, match="nothing was deleted") as refused:
        run("delete", store, "abc1", input="")

    assert refused.value.hint == "add --yes"
    assert len(StoreHistory(store).load("abc1").turns) == 2


def test_a_deleted_conversation_is_gone(store: Path) -> None:
    result = run("delete", store, "abc1", "--yes", "--json")

    assert json.loads(result.stdout) == {"session_id": "abc1", "turns": 2}
    assert [each.session_id for each in StoreHistory(store).sessions()] == ["xyz2"]


def test_of_a_deleted_conversation_nothing_is_left_once_the_store_is_purged(store: Path) -> None:
    StoreHistory(store).fold()
    deleted = run("delete", store, "xyz2", "--yes")
    left = b"What is an order?" in store.read_bytes()

    result = run("purge", store)

    assert left
    assert f"to remove that: ragduck history purge {shlex.quote(str(store))}\n" in deleted.stderr
    assert result.stderr == "the file was written anew; nothing is left of what was deleted or replaced\n"
    assert b"What is an order?" not in store.read_bytes()
    assert [each.session_id for each in StoreHistory(store).sessions()] == ["abc1"]
    with ragduck.open(store) as opened:
        assert all(check.passed for check in opened.check())
        assert opened.search("invoice").results


def test_what_a_purged_store_holds_is_told_as_json(store: Path) -> None:
    result = run("purge", store, "--json")

    with ragduck.open(store) as opened:
        chunks = opened.sql("select count(*) as chunks from documents")[0]["chunks"]
    told = json.loads(result.stdout)
    assert (told["store"], told["size_bytes"]) == (str(store), store.stat().st_size)
    assert told["counts"]["chunks"] == chunks


def test_purging_changes_nothing_that_the_store_tells_of_itself(store: Path) -> None:
    with duckdb.connect(str(store)) as connection:
        for table in FACTS:
            connection.execute(f"update {table} set value = '2026-01-02 03:04:05' where key = 'created_at'")
    before = facts_of(store)

    run("purge", store)

    assert facts_of(store) == before
    assert [table.get("created_at") for table in before] == ["2026-01-02 03:04:05"] * 2


FACTS = ("ragduck_meta", "embedding_metadata")


def facts_of(store: Path) -> list[dict[str, str]]:
    with ragduck.open(store) as opened:
        return [{row["key"]: row["value"] for row in opened.sql(f"from {table}")} for table in FACTS]


def test_purging_while_the_store_is_read_leaves_nothing_either(store: Path) -> None:
    StoreHistory(store).fold()
    with ragduck.open(store):
        StoreHistory(store).save_turn(turn_of(4, "xyz2", "And another one?"))
        run("delete", store, "xyz2", "--yes")
        StoreHistory(store).save_turn(turn_of(5, "xyz2", "Once more?"))
        run("purge", store)

    texts = (b"What is an order?", b"And another one?", b"Once more?")
    assert [text in store.read_bytes() for text in texts] == [False, False, True]
    assert [len(StoreHistory(store).load(each).turns) for each in ("abc1", "xyz2")] == [2, 1]


def test_a_missing_store_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store"):
        run("list", tmp_path / "missing.duckdb")


def traced(*arguments: object) -> Result:
    return CliRunner().invoke(trace, [str(each) for each in arguments], catch_exceptions=False)


@pytest.mark.parametrize("run_id", ["run77", "run", "last"])
def test_a_trace_shows_the_steps(store: Path, run_id: str) -> None:
    lines = traced(store, run_id).stdout.splitlines()

    assert lines[0].startswith("run run77, 2026-01-01 12:00:00 UTC")
    assert "on_allow → search" in lines[-2]
    assert "first of 4" in lines[-2]
    assert lines[-1].split()[-1] == "end"


def test_a_trace_as_json_holds_inputs_and_outputs(store: Path) -> None:
    shown = json.loads(traced(store, "--json").stdout)

    assert shown["steps"][0]["outputs"] == {"a": 1}
    assert shown["run_id"] == "run77"


def test_an_unknown_run_hints_at_the_list_of_runs(store: Path) -> None:
    with pytest.raises(UsageError, match="has no run 'zzz'") as error:
        traced(store, "zzz")

    program, command, path, statement = shlex.split((error.value.hint or "").removeprefix("see: "))
    assert (program, command, path) == ("ragduck", "sql", str(store))
    with ragduck.open(store) as opened:
        assert [row["run_id"] for row in opened.sql(statement)] == ["run77"]
