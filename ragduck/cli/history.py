"""`ragduck history`: the conversations that were held about a store."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragduck.cli.amounts import age_text, counted
from ragduck.cli.arguments import json_option, store_argument, wait_option
from ragduck.cli.exit_codes import ExitCode
from ragduck.cli.output import say, visible_line, write, write_json, write_styled
from ragduck.cli.tables import table_lines
from ragduck.errors import UsageError

if TYPE_CHECKING:
    from ragduck.conversation import Conversation, Turn
    from ragduck.store.history import SessionFacts, StoreHistory


@click.group(short_help="List, show and delete the conversations about a system.")
def history() -> None:
    """List, show, export, delete and purge the conversations about a system.

    They are kept in the store, in the tables conversations, turns and history_summaries. While others read the
    store they wait in a journal beside it, STORE.ragduck-journal; nothing is lost.

    \b
    Example:
      ragduck history list shop.duckdb
      ragduck history export shop.duckdb --format markdown
    """


@history.command("list")
@store_argument
@json_option
def list_sessions(store: Path, *, as_json: bool) -> None:
    """List the conversations, the newest first.

    \b
    Example:
      ragduck history list shop.duckdb
      ragduck history list shop.duckdb --json
    """
    kept = _history(store)
    sessions = kept.sessions()
    if as_json:
        write_json([session.to_dict() for session in sessions])
    else:
        columns = ("session", "turns", "last", "first question")
        for line in table_lines(columns, map(_session_row, sessions)):
            write_styled(line)
    say(counted(len(sessions), "conversation"))
    _say_waiting(kept)


@history.command()
@store_argument
@click.argument("session")
@json_option
def show(store: Path, session: str, *, as_json: bool) -> None:
    """Show a conversation: its questions and answers, and its summary.

    SESSION is an id of `ragduck history list`, or its beginning.

    \b
    Example:
      ragduck history show shop.duckdb 4f2a
    """
    kept = _history(store)
    conversation = kept.load(kept.find_session(session))
    if as_json:
        write_json(_to_dict(conversation))
    else:
        for line in _conversation_lines(conversation):
            write_styled(line)
    _say_waiting(kept)


@history.command()
@store_argument
@click.argument("session", required=False)
@click.option("--format", "output", type=click.Choice(["json", "markdown"]), default="json", show_default=True,
              help="JSON holds all that is known; Markdown is for people.")  # fmt: skip
@json_option
def export(store: Path, session: str | None, *, output: str, as_json: bool) -> None:
    """Write one conversation, or all of them, to stdout.

    \b
    Example:
      ragduck history export shop.duckdb
      ragduck history export shop.duckdb --format markdown
    """
    kept = _history(store)
    conversations = kept.export(kept.find_session(session) if session is not None else None)
    if as_json or output == "json":
        write_json(conversations)
    else:
        write("\n".join(line for each in conversations for line in _markdown_lines(each)))
    _say_waiting(kept)


@history.command(short_help="Delete a conversation, its summaries and its traces.")
@store_argument
@click.argument("session")
@click.option("--yes", is_flag=True, help="Delete without asking.")
@json_option
def delete(store: Path, session: str, *, yes: bool, as_json: bool) -> None:
    """Delete a conversation with its summaries and the traces of its runs.

    Nothing finds it any more; its text is in unused parts of the file until `ragduck history purge`.

    \b
    Example:
      ragduck history delete shop.duckdb 4f2a --yes
    """
    kept = _history(store)
    session_id = kept.find_session(session)
    turns = len(kept.load(session_id).turns)
    if not (yes or _is_wanted(f"delete session {visible_line(session_id)} with {counted(turns, 'turn')}?")):
        say("nothing was deleted")
        click.get_current_context().exit(ExitCode.FAILED)
    kept.delete(session_id)
    kept.fold()
    if as_json:
        write_json({"session_id": session_id, "turns": turns})
    say(visible_line(f"deleted session {session_id}: {counted(turns, 'turn')}"))
    _say_waiting(kept)
    again = shlex.join(["ragduck", "history", "purge", str(store)])
    say(visible_line(f"unused parts of the file still hold its text; to remove that: {again}"))


@history.command(short_help="Remove what deleted conversations left in the file.")
@store_argument
@wait_option
@json_option
def purge(store: Path, *, wait: float, as_json: bool) -> None:
    """Remove what is left in the file of conversations that were deleted, and of text that a refresh replaced.

    The store is written anew, which takes seconds for 10,000 chunks; all else stays as it is, but for a map that was
    drawn, which has to be drawn again. Readers are not disturbed.

    \b
    Example:
      ragduck history purge shop.duckdb
    """
    from ragduck.store.removal import purge as run

    report = run(store, wait=wait)
    if as_json:
        write_json(report.to_dict())
    say("the file was written anew; nothing is left of what was deleted or replaced")


def _is_wanted(question: str) -> bool:
    try:
        return click.confirm(question, err=True)
    except click.Abort as error:
        if isinstance(error.__context__, KeyboardInterrupt):
            raise
        say("")
        raise UsageError("nobody is there to answer, and nothing was deleted", hint="add --yes") from error


def _history(store: Path) -> StoreHistory:
    """Open the history, and put what waits into the store if nobody reads it."""
    from ragduck.store.history import StoreHistory

    kept = StoreHistory(store)
    kept.fold()
    return kept


def _say_waiting(kept: StoreHistory) -> None:
    waiting = kept.pending()
    if waiting.records:
        verb = "waits" if waiting.records == 1 else "wait"
        reason = f": {waiting.reason}" if waiting.reason else ""
        say(
            visible_line(
                f"{counted(waiting.records, 'record')} {verb} in the journal beside the store{reason}"
            )
        )
    if waiting.foreign:
        say(f"{counted(waiting.foreign, 'line')} of the journal cannot be read and count for nothing")


def _session_row(session: SessionFacts) -> tuple[object, ...]:
    age = (datetime.now(UTC) - session.last_at).total_seconds()
    return session.session_id, session.turns, age_text(age), session.title


def _to_dict(conversation: Conversation) -> dict[str, Any]:
    from ragduck.store.history_records import to_data

    return {
        "session_id": conversation.session_id,
        "turns": [to_data(turn) for turn in conversation.turns],
        "summary": to_data(conversation.summary) if conversation.summary else None,
    }


def _conversation_lines(conversation: Conversation) -> Iterator[str]:
    turns = conversation.turns
    yield visible_line(f"session {conversation.session_id}, {counted(len(turns), 'turn')}")
    if conversation.summary:
        yield ""
        yield f"summary, version {conversation.summary.version}"
        yield from _indented(conversation.summary.text)
    for number, turn in enumerate(turns, start=1):
        yield ""
        yield from _turn_lines(number, turn)


def _turn_lines(number: int, turn: Turn) -> Iterator[str]:
    made_by = f", {turn.pipeline}" if turn.pipeline else ""
    yield visible_line(f"{number}. {turn.created_at:%Y-%m-%d %H:%M} UTC, {turn.status}{made_by}")
    yield from _indented(f"> {turn.question}")
    yield from _indented(turn.answer)


def _indented(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield visible_line(f"   {line}").rstrip()


def _markdown_lines(conversation: Mapping[str, Any]) -> Iterator[str]:
    yield f"# {' '.join(conversation['title'].split())}"
    yield ""
    yield f"Session `{conversation['session_id']}`, {counted(len(conversation['turns']), 'turn')}."
    for turn in conversation["turns"]:
        yield ""
        yield f"## {' '.join(turn['question'].split())}"
        yield ""
        yield f"*{turn['created_at'][:16].replace('T', ' ')} UTC, {turn['status']}*"
        yield ""
        yield turn["answer"]
    yield ""
