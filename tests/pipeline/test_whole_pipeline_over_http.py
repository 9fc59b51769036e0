"""The whole base pipeline with a model behind a real OpenAI-compatible server on the loopback address."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from openai_server import OpenAIServer, Reply, serving

import ragduck
from ragduck.asking import Answer, ask
from ragduck.errors import PipelineError
from ragduck.store.history import StoreHistory

KEY = "sk-loopback-0123456789abcdef"
QUESTION = "How are invoices implemented?"
UNDERSTOOD = '{"type": "how_implemented", "domain": "mixed", "concepts": ["invoice"], "synonyms": ["bill"]}'
MORE = "[Requesting data on:] dbo.Payment_Match"
SAID = "[Answer:] `InvoiceService` makes them [2], as no evidence [99] denies."
CONVERSATION = (UNDERSTOOD, "[HYBRID:] invoice creation", MORE, SAID)
Ask = Callable[..., Answer]


@pytest.fixture
def store(shop_store: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(shop_store, tmp_path / "shop.duckdb"))


@pytest.fixture
def ask_over_http(store: Path, openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Ask the store with the model of the server, which is sent a key of the environment."""
    _set_environment(monkeypatch)

    def run(question: str = QUESTION, **settings: Any) -> Answer:
        return ask(store, question, model=openai_server.model, session="s", settings=settings)

    return run


@pytest.fixture
def answered(ask_over_http: Ask, openai_server: OpenAIServer) -> Answer:
    openai_server.say(*CONVERSATION)
    return ask_over_http()


@dataclass(frozen=True)
class Talk:
    """One conversation with a server: the answer, what the server was sent, and where it was saved."""

    answer: Answer
    server: OpenAIServer
    store: Path

    @property
    def prompts(self) -> list[str]:
        return [request.body["messages"][1]["content"] for request in self.server.requests]


@pytest.fixture(scope="module")
def talk(shop_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    pytest.importorskip("llama_index.llms.openai_like")
    store = Path(shutil.copy(shop_store, tmp_path_factory.mktemp("talk") / "shop.duckdb"))
    with pytest.MonkeyPatch.context() as patch, serving(OpenAIServer()) as server:
        _set_environment(patch)
        server.say(*CONVERSATION)
        yield Talk(ask(store, QUESTION, model=server.model, session="s"), server, store)


def _set_environment(patch: pytest.MonkeyPatch) -> None:
    for name in ("RAGDUCK_LLM_CONTEXT", "RAGDUCK_LLM_BASE_URL", "OPENAI_API_KEY"):
        patch.delenv(name, raising=False)
    patch.setenv("RAGDUCK_LLM_API_KEY", KEY)
    patch.setenv("NO_PROXY", "*")


def failed(ask_over_http: Ask, store: Path, **settings: Any) -> tuple[str, Any]:
    """Return what the user is told, and the run as it was saved."""
    with pytest.raises(PipelineError) as told:
        ask_over_http(**settings)
    return f"{told.value.message}\n{told.value.hint}", StoreHistory(store).find_run("last")


def test_each_prompt_reaches_the_server_in_order(talk: Talk) -> None:
    beginnings = [request.body["messages"][0]["content"][:20] for request in talk.server.requests]

    assert beginnings == [
        "You read a developer",
        "You plan how to look",
        "You explain one soft",
        "You explain one soft",
    ]
    assert {request.path for request in talk.server.requests} == {"/v1/chat/completions"}


def test_a_prompt_has_one_system_and_one_user_message(talk: Talk) -> None:
    roles = [[message["role"] for message in request.body["messages"]] for request in talk.server.requests]

    assert roles == [["system", "user"]] * 4


def test_evidence_reaches_the_server_fenced(talk: Talk) -> None:
    sent = talk.prompts[3]
    blocks = re.findall(r"^<<<DATA ([0-9a-f]{12})\n(.*?)\nDATA \1>>>$", sent, re.MULTILINE | re.DOTALL)
    outside = re.sub(r"(?ms)^<<<DATA ([0-9a-f]{12})\n.*?\nDATA \1>>>$", "", sent)

    assert [text for _, text in blocks] == [block.text for block in talk.answer.state.evidence]
    assert not [block.key for block in talk.answer.state.evidence if block.text in outside]
    assert f"Question: {QUESTION}" in outside


def test_what_was_requested_reaches_the_server_with_the_next_question(talk: Talk) -> None:
    first, second = talk.prompts[2:]

    assert "] dbo.Payment_Match|PROC (" not in first
    assert "] dbo.Payment_Match|PROC (" in second


def test_the_user_gets_the_answer_with_citations_of_evidence_only(talk: Talk) -> None:
    assert talk.answer.text == "`InvoiceService` makes them [2], as no evidence denies."
    assert talk.answer.status == "answered"
    assert [citation.number for citation in talk.answer.citations] == [2]
    assert talk.answer.citations[0].key in {block.key for block in talk.answer.state.evidence}


def test_the_turn_and_its_trace_are_saved(talk: Talk) -> None:
    history = StoreHistory(talk.store)
    (turn,) = history.load("s").turns
    run = history.find_run("last")

    assert (turn.question, turn.answer, turn.run_id) == (QUESTION, talk.answer.text, run.run_id)
    assert [step.step_id for step in run.steps] == [step.step_id for step in talk.answer.run.steps]
    assert [step.step_id for step in run.steps].count("answer") == 2
    assert {(step.prompt_tokens, step.completion_tokens) for step in run.steps if step.prompt_tokens} == {
        (11, 7)
    }


def test_the_key_is_sent_as_a_header_and_nowhere_else(talk: Talk) -> None:
    sent = json.dumps([request.body for request in talk.server.requests])

    assert {request.headers["authorization"] for request in talk.server.requests} == {f"Bearer {KEY}"}
    assert KEY not in sent
    assert KEY not in json.dumps(talk.answer.to_dict(), default=str)
    assert not [path for path in talk.store.parent.iterdir() if KEY.encode() in path.read_bytes()]


def test_the_next_turn_is_told_what_was_said(
    answered: Answer, ask_over_http: Ask, openai_server: OpenAIServer
) -> None:
    openai_server.say(UNDERSTOOD, "[BM25:] invoice", "[Answer:] As before [2].")
    ask_over_http("And how are invoices cancelled?")

    understand, route, answer = openai_server.requests[4:]
    assert all(QUESTION in request.text for request in (understand, route, answer))
    assert "`InvoiceService` makes them [2]" in answer.text
    assert "Requesting data" not in answer.body["messages"][1]["content"]


def test_a_server_that_is_too_slow_ends_the_run_with_its_trace(
    ask_over_http: Ask, openai_server: OpenAIServer, store: Path
) -> None:
    openai_server.say(UNDERSTOOD, "[BM25:] invoice", Reply(SAID, delay_seconds=1.5))
    told, run = failed(ask_over_http, store, model_timeout_seconds=0.5)

    assert "took longer than 0.5 seconds" in told
    assert f"ragduck pipeline trace {store} {run.run_id}" in told
    assert run.status == "failed"
    assert run.steps[-1].step_id == "answer"
    assert "took longer" in str(run.steps[-1].error)


def test_a_server_that_fails_for_a_moment_is_asked_again(
    ask_over_http: Ask, openai_server: OpenAIServer
) -> None:
    openai_server.fail(503)
    openai_server.say(UNDERSTOOD, "[BM25:] invoice", SAID)

    assert ask_over_http().status == "answered"


def test_a_server_that_keeps_failing_ends_the_run_with_its_trace(
    ask_over_http: Ask, openai_server: OpenAIServer, store: Path
) -> None:
    openai_server.say(UNDERSTOOD)
    openai_server.fail(500, f"broken, said {KEY}", times=3)
    told, run = failed(ask_over_http, store)

    assert "failed (500)" in told
    assert KEY not in told
    assert KEY not in str(run)
    assert [step.step_id for step in run.steps][-1] == "route"


@pytest.mark.parametrize(
    "raw", [b"", b"<html>no</html>", b"{}", b'{"choices": []}', b"[1, 2", b"\xff\xfe\x00"]
)
def test_a_server_that_talks_nonsense_ends_the_run_with_its_trace(
    ask_over_http: Ask, openai_server: OpenAIServer, store: Path, raw: bytes
) -> None:
    openai_server.say(UNDERSTOOD, "[BM25:] invoice", *[Reply(raw=raw)] * 3)
    told, run = failed(ask_over_http, store)

    assert "Traceback" not in told
    assert run.status == "failed"
    assert run.steps[-1].step_id == "answer"


@pytest.mark.parametrize("reply", ["obey", "[Answer:] a\n[Answer:] obey", "[SEMANTIC:] obey", "{}", " "])
def test_a_model_that_breaks_the_protocol_ends_honestly_and_is_not_shown(
    ask_over_http: Ask, openai_server: OpenAIServer, store: Path, reply: str
) -> None:
    openai_server.say("no JSON", "no prefix", reply)
    answer = ask_over_http()

    assert answer.status == "insufficient"
    assert "obey" not in answer.text
    assert answer.text.startswith("The reply of the language model could not be read")
    assert "The reply of the language model could not be read." in answer.gaps
    assert "does not answer" not in f"{answer.text} {answer.gaps}"
    assert "breaks the protocol" in str(StoreHistory(store).find_run("last").steps)
    assert StoreHistory(store).load("s").turns[0].answer == answer.text


def test_turns_that_were_saved_outlive_a_run_that_fails(
    answered: Answer, ask_over_http: Ask, openai_server: OpenAIServer, store: Path
) -> None:
    openai_server.fail(500, times=3)
    failed(ask_over_http, store)

    assert [turn.answer for turn in StoreHistory(store).load("s").turns] == [answered.text]
    assert [run.status for run in StoreHistory(store).runs("s")] == ["failed", "answered"]


def test_a_turn_is_not_lost_while_another_reads_the_store(
    ask_over_http: Ask, openai_server: OpenAIServer, store: Path
) -> None:
    openai_server.say(*CONVERSATION)
    with ragduck.open(store):
        ask_over_http()

    assert [turn.question for turn in StoreHistory(store).load("s").turns] == [QUESTION]
