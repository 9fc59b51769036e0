"""Follow the text of a command that is put together piece by piece: `command.CommandText += " where …"`."""

from __future__ import annotations

import re

from tree_sitter import Node

from ragduck.facts import UNKNOWN, Expression, Joined, Text
from ragduck.parse.facts.csharp_lines import on_lines
from ragduck.parse.facts.csharp_reader import Local, Reader
from ragduck.parse.facts.csharp_texts import COMMAND_TEXT, note_string
from ragduck.parse.facts.csharp_values import bounded, joined
from ragduck.parse.treesitter import last_row

MAX_BLOCKS = 20  # that a statement is looked for in
_BLOCKS = frozenset(("block", "switch_section"))
_ENDS_NOWHERE = re.compile(r"\s*(?:and|or)\b", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:where|on|having)\b", re.IGNORECASE)


def assign_command(
    reader: Reader, member: Expression, *, value: Expression, operator: str, nodes: tuple[Node, Node]
) -> Expression:
    """Note the whole text that a command has after an assignment, in the place of the part that it had before.

    What it holds is kept as that of a local called `command.CommandText`, which no name of C# can be, for the block
    of the assignment: what stands in two branches goes on with what stood before both.
    """
    left, right = nodes
    name = f"{reader.name(left.children[0])}.{COMMAND_TEXT}"
    keys = [f"{name} {block}" for block in _blocks_around(left)]
    key = keys[0]
    before = next((reader.locals[one] for one in keys if one in reader.locals), None)
    whole = value
    if before is not None:
        if operator == "+=":
            pieces = on_lines(((before.value, before.line), (value, right.start_point.row + 1)))
            whole = _appended(joined(pieces[:-1]), value)
        else:
            whole = _put_in(value, member, before.value)
    continues = before is not None and whole is not value
    if before is not None and continues:
        for index in before.facts:
            reader.strings[index] = None
    start = len(reader.strings)
    note_string(reader, whole, node=right, assigned_to=COMMAND_TEXT, is_certain=True)
    first_line = before.line if before is not None and continues else right.start_point.row + 1
    for index in range(start, len(reader.strings)):
        noted = reader.strings[index]
        if noted is not None and continues:
            reader.strings[index] = noted._replace(line=first_line)
    held = Local(
        bounded(whole),
        line=first_line,
        end_line=last_row(right) + 1,
        facts=tuple(range(start, len(reader.strings))),
    )
    if key in reader.locals:
        reader.locals[key] = held
    else:
        reader.declare(key, held)
    return value


def _blocks_around(node: Node) -> list[int]:
    """Return the blocks around a statement, the innermost first; one alone in a branch is its own."""
    found: list[int] = []
    above: Node | None = node
    while above is not None and len(found) < MAX_BLOCKS:
        around = above.parent
        is_alone = above.type == "expression_statement" and around is not None and around.type not in _BLOCKS
        if above.type in _BLOCKS or is_alone:
            found.append(above.id)
        above = around
    return found or [node.id]


def _appended(before: Expression, value: Expression) -> Expression:
    """Return a text with what is put behind it: a condition without a beginning goes on with what others began."""
    is_open = _ENDS_NOWHERE.match(_first_text(value)) is not None and not _has_condition(before)
    between = (Text("\nwhere "), UNKNOWN) if is_open else ()
    return joined((before, *between, bounded(value)))


def _first_text(value: Expression) -> str:
    first = value.parts[0] if isinstance(value, Joined) and value.parts else value
    return first.value if isinstance(first, Text) else ""


def _has_condition(value: Expression) -> bool:
    parts = value.parts if isinstance(value, Joined) else (value,)
    return any(isinstance(part, Text) and _CONDITION.search(part.value) for part in parts)


def _put_in(value: Expression, member: Expression, before: Expression) -> Expression:
    """Return `"select …" + command.CommandText` with what the command held."""
    if not isinstance(value, Joined) or member not in value.parts:
        return value
    return joined(before if part == member else part for part in value.parts)
