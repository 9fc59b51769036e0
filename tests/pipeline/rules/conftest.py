"""The pipelines on the sample shop with a scripted model, and what was asked, searched and said."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.asking import Answer, ask
from ragduck.conversation import StepRecord
from ragduck.library import Store
from ragduck.llm.scripted import ScriptedModel

SHOP = Path(__file__).parents[2] / "data" / "shop"
QUESTION = "How are invoices implemented?"

# What only the prompt of that name says.
PROMPTS = {
    "understand": "before anything is looked up",
    "router": "these five prefixes",
    "answer": "You explain one software system",
    "answer_directly": "No software system was looked at",
    "translate_in": "translate a developer's question into English",
    "translate_out": "translate an answer about a software system",
    "summarize_history": "You shorten a conversation",
    "summarize_evidence": "You shorten evidence",
    "reformulate": "You write one better query",
    "hypothetical_answer": "what the documentation comment of the code",
}
REPLIES = {
    "understand": "{}",
    "router": "[HYBRID:] invoices",
    "answer": "[Answer:] By InvoiceService [2].",
    "answer_directly": "[Answer:] A request for payment.",
}


@dataclass(frozen=True)
class Asked:
    """An answer, and how it came about."""

    answer: Answer
    model: ScriptedModel

    @property
    def state(self) -> Any:
        return self.answer.state

    @property
    def steps(self) -> list[str]:
        return [step.step_id for step in self.answer.run.steps]

    def step(self, step_id: str) -> StepRecord:
        return next(step for step in self.answer.run.steps if step.step_id == step_id)

    def notes(self, step_id: str) -> str:
        return "\n".join(
            note for step in self.answer.run.steps if step.step_id == step_id for note in step.notes
        )

    def told(self, prompt: str) -> list[str]:
        """Return what the model was told with a prompt, each time."""
        return [call.text for call in self.model.calls if PROMPTS[prompt] in call.text]


def made_script(*, window: int = 32_000, **replies: Any) -> ScriptedModel:
    """Return a model that answers by prompt: a text as often as asked, the texts of a list once each."""
    rules = [
        {"when": PROMPTS[name], "answers" if isinstance(reply, list) else "answer": reply}
        for name, reply in (REPLIES | replies).items()
    ]
    return ScriptedModel({"context_window": window, "rules": rules})


@pytest.fixture
def script() -> Callable[..., ScriptedModel]:
    return made_script


@pytest.fixture(scope="session")
def opened_shop(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as store:
        yield store


@pytest.fixture(scope="session")
def plain_shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The sample shop without vectors."""
    path = tmp_path_factory.mktemp("plain") / "shop.duckdb"
    ragduck.prepare(SHOP, path, repo="shop", branch="main", embed_model="none")
    with ragduck.open(path) as store:
        yield store


@pytest.fixture
def kept_shop(shop_store: Path, tmp_path: Path) -> Path:
    """A copy of the sample shop, for turns to be saved in."""
    return Path(shutil.copy(shop_store, tmp_path / "kept.duckdb"))


@pytest.fixture
def asked(opened_shop: Store) -> Callable[..., Asked]:
    """Ask the shop; replies of the model are given by prompt, settings of the pipeline as a mapping."""

    def run(
        question: str = QUESTION,
        *,
        store: Store | Path | None = None,
        pipeline: str = "base",
        settings: Mapping[str, Any] | None = None,
        language: str = "en",
        session: str | None = None,
        window: int = 32_000,
        **replies: Any,
    ) -> Asked:
        model = made_script(window=window, **replies)
        answer = ask(
            store or opened_shop,
            question,
            pipeline=pipeline,
            model=model,
            settings=settings,
            language=language,
            session=session,
            keep=isinstance(store, Path),
        )
        return Asked(answer, model)

    return run


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., str]:
    """Write a pipeline as a file and return its path."""

    def write(text: str, name: str = "mine.yaml") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write
