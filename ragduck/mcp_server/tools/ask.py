"""Tool `ask`: from a question to a grounded answer, by a pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ragduck.asking import Answer
from ragduck.asking import ask as ask_store
from ragduck.mcp_server.answers import AskData, CitationData
from ragduck.mcp_server.arguments import AskArguments, AskInSessionArguments
from ragduck.mcp_server.interruption import current_call
from ragduck.mcp_server.live_store import OpenStore
from ragduck.mcp_server.reply import Reply, cut, in_terms_of_tools, reply_text
from ragduck.mcp_server.settings import ANSWER_LETTERS, ServerSettings
from ragduck.mcp_server.tools.search import stale_notes


def ask(opened: OpenStore, arguments: AskArguments, *, settings: ServerSettings) -> Reply:
    """Run the pipeline; the turn is kept only within a conversation that the caller names."""
    call = current_call()
    session = arguments.session if isinstance(arguments, AskInSessionArguments) else None
    answer = ask_store(
        opened.store,
        arguments.question,
        pipeline=settings.pipeline,
        model=settings.model,
        base_url=settings.base_url,
        session=session,
        language=arguments.language,
        settings=_places(arguments),
        keep=session is not None,
        cancel=call.ended,
        on_step=lambda step: call.tell(step.step_id),
    )
    text = cut(in_terms_of_tools(answer.text.strip()), letters=ANSWER_LETTERS)
    notes = [*answer.notes, *stale_notes(opened.store.branches())]
    missing = [gap for gap in answer.gaps if gap not in text]
    said = f"{answer.status} ({answer.run.pipeline}, {answer.run.model or 'no language model'})"
    told = [*notes, *(f"missing: {gap}" for gap in missing)]
    return Reply(reply_text(text, said=said, notes=told), _data(answer, text, session=session, notes=notes))


def _places(arguments: AskArguments) -> Mapping[str, Any]:
    places = {"repository": arguments.repo, "branch": arguments.branch}
    return {name: value for name, value in places.items() if value}


def _data(answer: Answer, text: str, *, session: str | None, notes: list[str]) -> AskData:
    return AskData(
        answer=text,
        status=answer.status,
        citations=[CitationData(**asdict(citation)) for citation in answer.citations],
        gaps=list(answer.gaps),
        session=session,
        pipeline=answer.run.pipeline,
        model=answer.run.model,
        notes=notes,
    )
