"""The end of a run (seed 003, 8.2): the answer is complete, and the turn is kept."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from ragduck.errors import StoreError
from ragduck.pipeline.registry import find_action
from ragduck.pipeline.state import Citation, EvidenceBlock, State

FINISH = {"id": "finish", "action": "persist_turn_and_finalize", "end": True}
Run = Callable[..., SimpleNamespace]


def answered(**fields: Any) -> State:
    given = {
        "question": "Gdzie są faktury?",
        "question_en": "Where are invoices?",
        "language": "pl",
        "session_id": "s",
        "turn_id": "t1",
        "answer_en": "In dbo.Invoice [1].",
        "answer": "W dbo.Invoice [1].",
    }
    return State(**{**given, **fields})


def block(key: str, location: str | None) -> EvidenceBlock:
    return EvidenceBlock(key, "text", "…", 1, location, "shop", "main")


def test_the_turn_is_saved_raw_in_english_and_translated(run: Run) -> None:
    result = run(FINISH, state=answered())

    [turn] = result.history.turns
    assert (turn.question, turn.question_en) == ("Gdzie są faktury?", "Where are invoices?")
    assert (turn.answer_en, turn.answer) == ("In dbo.Invoice [1].", "W dbo.Invoice [1].")
    assert (turn.turn_id, turn.session_id, turn.language, turn.pipeline) == ("t1", "s", "pl", "test")
    assert turn.run_id == result.record.run_id


def test_a_turn_without_an_id_is_saved_under_that_of_the_run(run: Run) -> None:
    result = run(FINISH, state=answered(turn_id=None))

    assert result.history.turns[0].turn_id == result.record.run_id


def test_persist_turn_false_saves_nothing(run: Run) -> None:
    result = run({**FINISH, "persist_turn": False}, state=answered())

    assert result.history.turns == []
    assert result.state.status == "answered"


def test_finalize_is_the_name_of_the_other_system() -> None:
    assert find_action("finalize") is find_action("persist_turn_and_finalize")


def test_an_answer_that_was_not_translated_is_given_in_english(run: Run) -> None:
    result = run(FINISH, state=answered(answer=""))

    assert result.state.answer == "In dbo.Invoice [1]."


def test_the_status_of_an_answer_is_answered(run: Run) -> None:
    result = run(FINISH, state=answered())

    assert result.state.status == result.history.turns[0].status == "answered"


def test_an_insufficient_answer_stays_insufficient(run: Run) -> None:
    result = run(FINISH, state=answered(status="running", answer="", answer_en=""))

    assert result.state.status == result.history.turns[0].status == "insufficient"
    assert result.state.answer == "No answer was found."


def test_citations_are_the_evidence_that_the_answer_names_by_number(run: Run) -> None:
    evidence = (
        block("dbo.Invoice|TABLE", "db/Invoice.sql:1-9"),
        block("a", "a.py:1-2"),
        block("b", "b.py:3-4"),
    )
    state = answered(answer_en="In [3] and [1, 3], not [7] or [0].", evidence=evidence)

    result = run(FINISH, state=state)

    assert [(citation.number, citation.location) for citation in result.state.citations] == [
        (1, "db/Invoice.sql:1-9"),
        (3, "b.py:3-4"),
    ]


def test_citations_that_a_step_made_are_kept(run: Run) -> None:
    made = (Citation(1, "a", "a.py:1-2", "shop", "main"),)

    result = run(FINISH, state=answered(citations=made))

    assert result.state.citations == made


def test_citations_and_gaps_are_saved_with_the_turn(run: Run) -> None:
    state = answered(evidence=(block("a", "a.py:1-2"),), gaps=("No tests were found.",))

    result = run(FINISH, state=state)

    metadata = result.history.turns[0].metadata
    assert metadata["citations"][0]["location"] == "a.py:1-2"
    assert metadata["gaps"] == ["No tests were found."]


@pytest.mark.parametrize("error", [StoreError("the disk is full"), OSError(28, "No space left on device")])
def test_an_answer_is_not_lost_when_the_turn_cannot_be_saved(
    run: Run, memory_history: type, error: Exception
) -> None:
    history = memory_history()
    history.save_turn = _raising(error)

    result = run(FINISH, state=answered(), history=history)

    assert result.record.status == "answered"
    assert result.state.answer == "W dbo.Invoice [1]."
    assert "This turn was not saved" in result.state.gaps[0]


def _raising(error: Exception) -> Callable[[Any], None]:
    def save(turn: Any) -> None:
        raise error

    return save
