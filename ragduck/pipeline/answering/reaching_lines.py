"""Say what reaches the thing that a question names, and which query of the cookbook shows all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ragduck.pipeline.answering.names import code, short_name
from ragduck.pipeline.question.asked_reaching import ENDINGS, Reaching, asked_reaching
from ragduck.pipeline.question.asked_relations import asked_relations
from ragduck.pipeline.retrieval.asked_edges import asked_edges
from ragduck.pipeline.state import Endings, Reached, State
from ragduck.shell import quote
from ragduck.visible_text import visible_line

MAX_REACHED = 30
WRITING = frozenset(("WritesTo",))
CLOSEST = 3  # that are named where all kinds are told
WITHIN = "in at most 12 steps"  # so far the queries of the cookbook walk


def told_of_reached(state: State) -> Iterator[str]:
    """Yield what reaches the thing that a question names, where it asks for endpoints, pages, jobs or tests."""
    question = state.question_en or state.question
    asked = asked_reaching(question)
    if asked is not None and state.reached is not None:
        is_writing = asked_relations(question).relations == WRITING
        yield from told_of_reaching(state.reached, asked, asked_edges(state).keys, is_writing=is_writing)


def told_of_reaching(
    reached: Sequence[Reached], asked: Reaching, keys: Sequence[str], *, is_writing: bool = False
) -> Iterator[str]:
    """Yield how many reach the named nodes, and the closest of them; those that write a table, if that is asked."""
    named = ", ".join(code(short_name(key)) for key in keys)
    command = _command(asked, keys[0])
    if not reached:
        yield f"No {asked.one} is known to reach {named} {WITHIN}; as asked by {command}."
        return
    sure = [one for one in reached if not one.is_mention]
    if not sure:
        yield f"No {asked.one} is known to reach {named} {WITHIN}; {_mentions(reached)}: {command}"
        return
    writing = _closest_to_writing(sure) if is_writing else []
    others, sure = (len(sure) - len(writing), writing) if writing else (0, sure)
    number = len(sure)
    reach = ("leads to what writes", "lead to what writes") if writing else ("reaches", "reach")
    what = f"1 {asked.one} {reach[0]}" if number == 1 else f"{number} {asked.many} {reach[1]}"
    more = f", the closest {MAX_REACHED}" if number > MAX_REACHED else ""
    if is_writing and asked.tells_writing and not writing:
        yield f"No {asked.one} is known to lead to what writes {named}."
    yield f"{what} {named} {WITHIN}{more}; all: {command}"
    yield "\n".join(map(_line, sure[:MAX_REACHED]))
    if others:
        yield f"{others} more reach{'es' if others == 1 else ''} it without that."
    if number + others < len(reached):
        yield f"{_mentions(reached[number + others :])}."


def _closest_to_writing(reached: Sequence[Reached]) -> list[Reached]:
    """Return what leads to a writing statement, closest to that first and with the steps to it."""
    found = [replace(one, distance=one.write_distance or one.distance) for one in reached if one.is_writing]
    return sorted(found, key=lambda one: (one.distance, one.node_key))


def told_of_endings(endings: Endings) -> Iterator[str]:
    """Yield how many endpoints, pages, jobs and tests a change reaches, with the closest and the query for all."""
    found = {
        asked: sure
        for asked in ENDINGS
        if (sure := [one for one in endings.by_query[asked.query] if not one.is_mention])
    }
    if found:
        yield f"A change of {code(short_name(endings.key))} is noticed by:"
    for asked, sure in found.items():
        number = len(sure)
        what = f"1 {asked.one}" if number == 1 else f"{number:,} {asked.many}"
        closest = ", ".join(_name(one) for one in sure[:CLOSEST])
        more = "the closest " if number > CLOSEST else ""
        yield f"- {what}: {more}{closest}; all with their steps: {_command(asked, endings.key)}"


def _command(asked: Reaching, key: str) -> str:
    return code(f"ragduck sql STORE @{asked.query} --set object={quote(key.partition('|')[0])}")


def _line(one: Reached) -> str:
    place = "" if _is_file(one) else f" ({visible_line(one.location)})"  # a file says where it is
    return f"- {_name(one)}, {one.distance} step{'' if one.distance == 1 else 's'}{place}"


def _name(one: Reached) -> str:
    name = short_name(one.node_key)
    return code(name) if _is_file(one) else name  # a path may have what Markdown takes for a link


def _is_file(one: Reached) -> bool:
    return one.node_key.startswith("file:")


def _mentions(reached: Sequence[Reached]) -> str:
    number = len(reached)
    return f"{number} only lead{'s' if number == 1 else ''} to code that names the class of it"
