"""Ask a store: a pipeline from question to grounded answer, its history and its trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ragduck.conversation import Conversation, HistorySummary, RunRecord, StepRecord, Turn
from ragduck.errors import PipelineError, UsageError
from ragduck.library import Store
from ragduck.opening import open_store
from ragduck.pipeline.checking.capability_checks import modes_of
from ragduck.pipeline.checking.validation import require_valid
from ragduck.pipeline.loading.loading import load_pipeline
from ragduck.pipeline.retrieval.branch_choice import chosen_branch, require_known
from ragduck.pipeline.running.engine import run_pipeline
from ragduck.pipeline.state import Citation, State
from ragduck.search.given import require_text
from ragduck.shell import quote
from ragduck.store.history import StoreHistory

if TYPE_CHECKING:
    from llama_index.core.llms import LLM

    from ragduck.llm.protocol import LanguageModel
    from ragduck.pipeline.context import History
    from ragduck.pipeline.definition import Pipeline

    Model = str | LanguageModel | LLM | None

NOT_KEPT = "the conversation is not kept: make a store of the file first, with ragduck upgrade"
WITH_MODEL = "base"
WITHOUT_MODEL = "extractive"
MAX_QUESTION = 10_000  # characters, as of a search


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with what it rests on.

    ``text`` is in the language of the question, Markdown. ``status`` is `answered` or `insufficient`; then ``gaps``
    say what is missing. ``run`` is the trace, ``state`` all that the run found: hits, graph, evidence. ``notes`` say
    which branch answered when the store holds several and none was named.
    """

    text: str
    status: str
    citations: tuple[Citation, ...]
    gaps: tuple[str, ...]
    session_id: str
    run: RunRecord
    state: State
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as `ask --json` prints it."""
        state = self.state
        around = state.neighbourhood
        return {
            "question": state.question,
            "question_en": state.question_en,
            "answer": self.text,
            "answer_en": state.answer_en,
            "language": state.language,
            "status": self.status,
            "citations": [asdict(citation) for citation in self.citations],
            "gaps": list(self.gaps),
            "understanding": asdict(state.understanding) if state.understanding else None,
            "searches": [asdict(plan) for plan in state.queries],
            "entry_points": list(state.entry_nodes),
            "graph": around.to_dict() if around else None,
            "evidence": [asdict(block) for block in state.evidence],
            "left_out": list(state.skipped),
            "session_id": self.session_id,
            "turn_id": state.turn_id,
            "run_id": self.run.run_id,
            "pipeline": self.run.pipeline,
            "model": self.run.model,
            "milliseconds": round(self.run.milliseconds, 1),
            "notes": list(self.notes),
        }


class NoHistory:
    """Conversations that are not kept."""

    def load(self, session_id: str) -> Conversation:
        """Return a session without turns."""
        return Conversation(session_id)

    def save_turn(self, turn: Turn) -> None:
        """Keep nothing."""

    def save_summary(self, summary: HistorySummary) -> None:
        """Keep nothing."""

    def save_run(self, run: RunRecord) -> None:
        """Keep nothing."""


def ask(
    store: str | Path | Store,
    question: str,
    *,
    pipeline: str | Path | Pipeline | None = None,
    model: Model = None,
    session: str | None = None,
    language: str = "en",
    settings: Mapping[str, Any] | None = None,
    keep: bool = True,
    base_url: str | None = None,
    cancel: Event | None = None,
    on_step: Callable[[StepRecord], None] | None = None,
) -> Answer:
    """Answer a question about the system in a store, with citations, or say what is missing.

    ``pipeline`` is a name, a file, `file#name` or a loaded pipeline; by default `base`, or `extractive` when no
    ``model`` is given: then the evidence itself is the answer. ``model`` is a name such as `openai:gpt-4o-mini`,
    `ollama:llama3.1` or a GGUF file, or any LlamaIndex LLM. ``language`` is that of the question, which the caller
    knows; ``session`` goes on with a conversation. ``settings`` replace those of the pipeline; ``keep`` saves turn
    and trace beside the store, never lost while others read it.

    Raises PipelineError, ModelError, StoreError or UsageError with a hint; the trace is saved even then.
    """
    from ragduck.llm.registry import load_model

    _require_question(question)
    language_model = load_model(model, base_url=base_url)
    loaded = _pipeline(pipeline or (WITH_MODEL if language_model else WITHOUT_MODEL), settings)
    state = State(
        question=question.strip(),
        language=language,
        is_english=language.lower().split("-")[0] == "en",
        session_id=session or new_session_id(),
        turn_id=uuid4().hex,
    )
    opened = store if isinstance(store, Store) else open_store(store)
    is_copy = _is_copy(opened, store)
    keep = keep and not is_copy
    history: History = StoreHistory(opened.path) if keep else NoHistory()
    try:
        loaded, note = _fitted(loaded, opened, has_model=language_model is not None)
        run = run_pipeline(
            loaded, state, store=opened, history=history, model=language_model, cancel=cancel, on_step=on_step
        )
    finally:
        if not isinstance(store, Store):
            opened.close()
        if isinstance(history, StoreHistory):
            history.fold()
    if run.status == "failed":
        raise _failure(run, opened.path if keep else None)
    return _answer(state, run, note, NOT_KEPT if is_copy else None)


def _answer(state: State, run: RunRecord, *notes: str | None) -> Answer:
    return Answer(
        text=state.answer,
        status=state.status,
        citations=state.citations,
        gaps=state.gaps,
        session_id=state.session_id,
        run=run,
        state=state,
        notes=tuple(filter(None, notes)),
    )


def _is_copy(opened: Store, store: str | Path | Store) -> bool:
    """Whether another system's file is read in a copy, which is no place for a conversation."""
    return not isinstance(store, Store) and opened.path.resolve() != Path(store).resolve()


def _fitted(pipeline: Pipeline, store: Store, *, has_model: bool) -> tuple[Pipeline, str | None]:
    """Check a pipeline against a store, and settle which branch answers; the note says so where it is not plain."""
    modes = modes_of(has_vectors=store.model is not None)
    require_valid(pipeline, store_modes=modes, has_model=has_model)
    snapshots = store.snapshots()
    require_known(pipeline.settings, snapshots)
    choice = chosen_branch(pipeline.settings, snapshots)
    if choice.branch:
        pipeline = replace(pipeline, settings={**pipeline.settings, "branch": choice.branch})
    return pipeline, choice.note


def _failure(run: RunRecord, kept_in: Path | None) -> PipelineError:
    """Return the error that ended a run with its own hint, and where its trace is kept."""
    message, _, hint = (run.error or "the run failed").partition("\nhint: ")
    trace = f"the trace: ragduck pipeline trace {quote(str(kept_in))} {run.run_id}" if kept_in else ""
    return PipelineError(message, hint="; ".join(part for part in (hint, trace) if part) or None)


def _require_question(question: str) -> None:
    require_text("the question", question, example="'How are invoices implemented?'")
    if not any(character.isalnum() for character in question):
        raise UsageError("the question has no word", hint='ragduck ask STORE "How are invoices implemented?"')
    if any("\ud800" <= character <= "\udfff" for character in question):
        raise UsageError("the question is not valid text", hint="write it in UTF-8")
    if len(question) > MAX_QUESTION:
        raise UsageError(
            f"the question is {len(question):,} characters long; {MAX_QUESTION:,} are the limit",
            hint="ask in a few sentences; what the system says need not be pasted",
        )


def new_session_id() -> str:
    """Return an id that no other session has."""
    return uuid4().hex[:12]


def newest_session(store: str | Path) -> str:
    """Return the session of the newest turn of a store. Raises UsageError when there is none yet."""
    sessions = StoreHistory(Path(store)).sessions()
    if not sessions:
        raise UsageError(
            f"{store} has no conversation yet", hint=f"begin one: ragduck ask {quote(str(store))} QUESTION"
        )
    return max(sessions, key=lambda session: session.last_at).session_id


def _pipeline(pipeline: str | Path | Pipeline, settings: Mapping[str, Any] | None) -> Pipeline:
    if isinstance(pipeline, (str, Path)):
        return load_pipeline(str(pipeline), overrides=settings)
    if settings:
        raise UsageError("settings are for pipelines given by name", hint="change the loaded pipeline itself")
    return pipeline
