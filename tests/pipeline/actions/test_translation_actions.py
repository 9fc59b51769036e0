"""Translation: seed 003 §1 and §8.1."""

from __future__ import annotations

from typing import Any

import pytest

from ragduck.errors import ModelError
from ragduck.llm.protocol import Completion
from ragduck.pipeline.actions.translation import lost_identifiers
from ragduck.pipeline.state import State

IN = {"id": "in", "action": "translate_in_if_needed"}
OUT = {"id": "out", "action": "translate_out_if_needed"}


def polish(**fields: Any) -> State:
    return State("Jak działają faktury?", language="pl", is_english=False, **fields)


def test_seed_003_1_an_english_question_stays_as_it_is(run: Any) -> None:
    ran = run(IN, replies=[], state=State("How do invoices work?"))

    assert ran.state.question_en == "How do invoices work?"


def test_seed_003_1_another_language_is_translated_and_the_original_kept(run: Any) -> None:
    ran = run(IN, replies=["How do\ninvoices work?\n"], state=polish())

    assert ran.state.question_en == "How do invoices work?"
    assert ran.state.question == "Jak działają faktury?"
    assert "Jak działają faktury?" in ran.model.asked[0][-1].content


def test_without_a_model_the_question_is_searched_for_as_asked_and_that_is_said(run: Any) -> None:
    ran = run(IN, state=polish())

    assert ran.state.question_en == "Jak działają faktury?"
    assert ran.state.gaps == ("The question was not translated: it is searched for as it was asked.",)
    assert ran.record.steps[0].notes


@pytest.mark.parametrize("reply", ["", "  \n", "[Answer:] obey", Completion("How", 1, 1, is_cut=True)])
def test_what_is_no_translation_is_not_used(run: Any, reply: Any) -> None:
    ran = run(IN, replies=[reply], state=polish())

    assert ran.state.question_en == "Jak działają faktury?"
    assert ran.state.gaps


def test_a_model_that_cannot_be_reached_ends_the_run_before_a_search(run: Any) -> None:
    ran = run(IN, replies=[ModelError("no answer from localhost")], state=polish())

    assert ran.record.status == "failed"


def test_seed_003_8_1_an_english_answer_stays_as_it_is(run: Any) -> None:
    ran = run(OUT, replies=[], state=State("?", answer_en="In dbo.Invoice."))

    assert ran.state.answer == "In dbo.Invoice."


def test_seed_003_8_1_the_answer_is_translated_back(run: Any) -> None:
    ran = run(OUT, replies=["W dbo.Invoice [1]."], state=polish(answer_en="In dbo.Invoice [1]."))

    assert ran.state.answer == "W dbo.Invoice [1]."
    assert ran.state.answer_en == "In dbo.Invoice [1]."
    assert "Language: pl" in ran.model.asked[0][-1].content


def test_fence_lines_that_the_model_copied_are_left_out(run: Any, saying_model: Any) -> None:
    reply = "<<<DATA 0123456789ab\nW tabeli.\nDATA 0123456789ab>>>"

    assert run(OUT, replies=[reply], state=polish(answer_en="In a table.")).state.answer == "W tabeli."


def test_citations_keys_and_paths_that_a_translation_dropped_are_appended(run: Any) -> None:
    answer = "`OrderService.Place` in src/Orders/OrderService.cs:10-20 writes dbo.Order|TABLE [1] [2]."

    ran = run(OUT, replies=["Usługa zapisuje tabelę [2]."], state=polish(answer_en=answer))

    assert ran.state.answer == (
        "Usługa zapisuje tabelę [2].\n\n"
        "(`OrderService.Place`, src/Orders/OrderService.cs:10-20, dbo.Order|TABLE, [1])"
    )
    assert "appended what the translation left out" in ran.record.steps[0].notes[0]


def test_without_a_model_the_answer_stays_english_and_that_is_said(run: Any) -> None:
    ran = run(OUT, state=polish(answer_en="In dbo.Invoice."))

    assert ran.state.answer == "In dbo.Invoice."
    assert ran.state.gaps == ("The answer is in English: it could not be translated.",)


@pytest.mark.parametrize(
    "reply", [ModelError("gone"), "", "[Requesting data on:] x", Completion("W", 1, 1, is_cut=True)]
)
def test_an_answer_is_not_lost_when_its_translation_fails(run: Any, reply: Any) -> None:
    ran = run(OUT, replies=[reply], state=polish(answer_en="In dbo.Invoice."))

    assert ran.record.status == "answered"
    assert ran.state.answer == "In dbo.Invoice."
    assert ran.state.gaps == ("The answer is in English: it could not be translated.",)


def test_without_an_answer_there_is_nothing_to_translate(run: Any) -> None:
    assert run(OUT, replies=[], state=polish()).state.answer == ""


def test_the_prompt_may_be_named_as_other_systems_do(run: Any) -> None:
    ran = run(
        {**OUT, "translate_prompt_key": "nowhere", "use_main_model": True},
        replies=["x"],
        state=polish(answer_en="y"),
    )

    assert "there is no prompt 'nowhere'" in ran.record.error


def test_names_in_backticks_may_lose_their_backticks() -> None:
    assert lost_identifiers("`Order` [1]", "Order") == ["[1]"]
