"""Find the text that a procedure of the server is given to run: sp_executesql, steps of jobs, queries of scripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragduck.facts import ObjectName
from ragduck.sqlreader.concatenation import unquoted
from ragduck.sqlreader.definitions import bare, word
from ragduck.sqlreader.names import HOLE
from ragduck.sqlreader.tokens import NAME, STRING, VARIABLE, WORD, Token

_NOWHERE = ObjectName("")
_ARGUMENTS = {
    "sp_add_jobstep": "@command",
    "sp_update_jobstep": "@command",
    "sp_send_dbmail": "@query",
    "sp_execute_external_script": "@input_data_1",
    "sp_msforeachdb": "@command1",
    "sp_msforeachtable": "@command1",
}
_STEPS = frozenset({"sp_add_jobstep", "sp_update_jobstep"})
_FIRST = frozenset(
    {"sp_executesql", "sp_msforeachdb", "sp_msforeachtable"}
)  # the text may come first, unnamed
_SQL_STEP = "tsql"
_COMMANDS = {
    "cmdexec": "batch",
    "powershell": "powershell",
}  # steps of jobs by the language of their commands
_SHELL = "xp_cmdshell"
_MAX_TEXT = 200  # tokens of a concatenation that are looked through for its end
_MAX_CALL = 500  # tokens of a call that are looked through for an argument


class Executed(NamedTuple):
    """Where an expression begins that is run as SQL.

    ``home`` has the server and database where it is, if written. ``is_repeated`` tells that it is run for each
    database or table, whose name takes the place of `?`; ``is_target`` that what it reads is written to.
    ``language`` is that of a command that may run SQL, where it is no SQL itself. ``is_step`` holds for a step of a
    job, which the agent runs.
    """

    at: int
    home: ObjectName = _NOWHERE
    is_repeated: bool = False
    is_target: bool = False
    language: str = ""
    is_step: bool = False


def run_at(tokens: Sequence[Token], at: int, end: int) -> Executed:
    """Return what EXEC runs that stands in a parenthesis or a literal: `EXEC ('…') AS USER = 'a' AT server`."""
    depth = 0
    for position in range(at, min(end, at + _MAX_TEXT)):
        text = tokens[position].text
        depth += (text == "(") - (text == ")")
        if not depth:
            behind = position + (5 if word(tokens, position + 1) == "AS" else 1)
            if word(tokens, behind) != "AT" or behind + 1 >= end:
                break
            return Executed(at, ObjectName("", server=_server(tokens[behind + 1])))
    return Executed(at)


def queried_at(tokens: Sequence[Token], at: int, end: int, *, is_target: bool = False) -> Executed | None:
    """Return the query in the parenthesis of `OPENQUERY (server, 'SELECT …')` at a position."""
    if at + 3 >= end or tokens[at + 2].text != "," or tokens[at + 3].kind != STRING:
        return None
    return Executed(at + 3, ObjectName("", server=_server(tokens[at + 1])), is_target=is_target)


def _server(token: Token) -> str:
    """Return the name of a server; ``HOLE`` where it is put in."""
    name = bare(token) if token.kind in (WORD, NAME) else HOLE
    return HOLE if HOLE in name or name.startswith("$(") else name


def text_given_to(called: ObjectName, tokens: Sequence[Token], at: int, end: int) -> Executed | None:
    """Return the text among the arguments of a call, which begin at a position; None where there is none.

    The database that a step of a job names is left out: scripts of jobs name it as it is called on one server.
    """
    name = called.name.casefold()
    if name == _SHELL:
        return Executed(at, language="batch")
    argument = _value_of(_ARGUMENTS[name], tokens, at, end) if name in _ARGUMENTS else None
    if argument is None and name in _FIRST:
        return Executed(at, called) if name == "sp_executesql" else Executed(at, is_repeated=True)
    kind = _kind_of_step(tokens, at, end)
    if argument is None or (kind != _SQL_STEP and kind not in _COMMANDS):
        return None
    language = _COMMANDS.get(kind, "")
    return Executed(argument, is_repeated=name in _FIRST, language=language, is_step=name in _STEPS)


def _kind_of_step(tokens: Sequence[Token], at: int, end: int) -> str:
    """Return what a step of a job is in, SQL if nothing else is said; "" where that is put in."""
    kind = _value_of("@subsystem", tokens, at, end)
    if kind is None:
        return _SQL_STEP
    return unquoted(tokens[kind].text).casefold() if tokens[kind].kind == STRING else ""


def _value_of(argument: str, tokens: Sequence[Token], at: int, end: int) -> int | None:
    for position in range(at, min(end - 2, at + _MAX_CALL)):
        token = tokens[position]
        if token.kind == VARIABLE and tokens[position + 1].text == "=" and token.text.casefold() == argument:
            return position + 2
    return None
