"""`ragduck ask`: from a question to a grounded answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragduck.cli.arguments import json_option, store_argument
from ragduck.cli.output import say, visible_line, write, write_json
from ragduck.shell import quote

if TYPE_CHECKING:
    from ragduck.asking import Answer
    from ragduck.conversation import StepRecord


@click.command(short_help="Answer a question about the system, with citations.")
@store_argument
@click.argument("question")
@click.option("--pipeline", metavar="NAME|FILE",
              help="Pipeline to run: a name, a YAML file or file#name; see `ragduck pipeline list`.")  # fmt: skip
@click.option("--model", metavar="MODEL", envvar="RAGDUCK_MODEL",
              help="Language model: openai:NAME, ollama:NAME, a .gguf file, scripted:FILE; without one the evidence "
                   "itself is the answer.")  # fmt: skip
@click.option("--base-url", metavar="URL", help="Where the OpenAI-compatible server is; its key comes from the "
              "environment only.")  # fmt: skip
@click.option("--session", metavar="ID", help="Go on with this conversation, or name a new one.")
@click.option("--continue", "is_continued", is_flag=True, help="Go on with the newest conversation.")
@click.option("--language", default="en", show_default=True, help="Language of the question, such as pl.")
@click.option("--repo", metavar="REPO", help="Search only this repository.")
@click.option(
    "--branch",
    metavar="BRANCH",
    help="Search only this branch; without it all; where a repository has several, the one prepared last.",
)
@click.option("--set", "changes", multiple=True, metavar="NAME=VALUE",
              help="Another setting of the pipeline: top_k=20, filters.file_class=source.")  # fmt: skip
@click.option("--trace", "is_traced", is_flag=True, help="Tell each step while it runs.")
@click.option("--forget", is_flag=True, help="Do not save the turn and its trace.")
@json_option
def ask(
    store: Path,
    question: str,
    *,
    is_continued: bool,
    session: str | None,
    repo: str | None,
    branch: str | None,
    changes: tuple[str, ...],
    is_traced: bool,
    forget: bool,
    as_json: bool,
    **choices: Any,
) -> None:
    """Answer a question about the system, with citations, or say what is missing.

    With a language model the answer is prose that cites its evidence; without one it is the evidence: entry points,
    the graph around them, texts. Turn and trace are saved in the store.

    \b
    Example:
      ragduck ask shop.duckdb "How are invoices implemented?"
      ragduck ask shop.duckdb "Where is the tax computed?" --set top_k=20 --trace
      ragduck ask shop.duckdb "What about returns?" --continue
      ragduck ask shop.duckdb "How are invoices implemented?" --model ollama:llama3.1
    """
    from ragduck.asking import ask as ask_store
    from ragduck.asking import newest_session
    from ragduck.pipeline.loading.overrides import overrides_of

    places = {"repository": repo, "branch": branch}
    settings = overrides_of(changes) | {name: value for name, value in places.items() if value}
    answer = ask_store(
        store,
        question,
        session=newest_session(store) if is_continued and not session else session,
        settings=settings,
        keep=not forget,
        on_step=_teller() if is_traced else None,
        **choices,
    )
    if as_json:
        write_json(answer.to_dict())
        return
    write(answer.text.rstrip() + "\n")
    for line in _closing_lines(answer, store, is_kept=not forget):
        say(visible_line(line))


def _teller() -> Callable[[StepRecord], None]:
    def tell(step: StepRecord) -> None:
        line = f"{step.step_no:>3} {step.step_id:<20} {step.milliseconds:8.1f} ms  {_result(step)}"
        with suppress(BrokenPipeError):  # the run is not to fail because nobody reads along any more
            say(visible_line(line))

    return tell


def _result(step: StepRecord) -> str:
    decision = f"{step.decision} → {step.next_step_id}" if step.decision else ""
    return "; ".join(part for part in (decision, *step.notes, step.error or "") if part)


def _closing_lines(answer: Answer, store: Path, *, is_kept: bool) -> Iterator[str]:
    from ragduck.asking import NOT_KEPT
    from ragduck.pipeline.actions.finishing import NOT_SAVED
    from ragduck.pipeline.answering.presenting import NO_MODEL

    seconds = answer.run.milliseconds / 1000
    model = answer.run.model or ("" if NO_MODEL in answer.text else "no language model")
    yield f"{answer.status} in {seconds:.2f} s ({', '.join(filter(None, (answer.run.pipeline, model)))})"
    yield from answer.notes
    yield from (gap for gap in answer.gaps if gap not in answer.text)
    is_lost = NOT_KEPT in answer.notes or any(gap.startswith(NOT_SAVED) for gap in answer.gaps)
    if is_kept and not is_lost:
        yield f"go on: ragduck ask {quote(str(store))} QUESTION --session {quote(answer.session_id)}"
