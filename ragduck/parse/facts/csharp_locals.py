"""Follow what locals hold, as far as strings and types are concerned."""

from __future__ import annotations

from itertools import zip_longest

from tree_sitter import Node

from ragduck.facts import UNKNOWN, Argument, Call, Choice, Expression, Member, New, Text, Typed, Unknown
from ragduck.facts.flurl import APPENDING, LEAVING_PATH
from ragduck.parse.facts.csharp_building import builder_text
from ragduck.parse.facts.csharp_chains import CALL, MEMBER
from ragduck.parse.facts.csharp_lines import is_blank, on_lines, on_own_line
from ragduck.parse.facts.csharp_reader import Local, Reader
from ragduck.parse.facts.csharp_strings import may_matter
from ragduck.parse.facts.csharp_texts import (
    MAX_FACTS,
    STRING_TYPES,
    add_string,
    changed_local,
    first_line_of,
    formatted_local,
    keeps_value,
    starts_with,
)
from ragduck.parse.facts.csharp_values import (
    VERB,
    bounded,
    choice,
    is_request,
    is_string,
    joined,
    request_parts,
)
from ragduck.parse.treesitter import last_row

_RUN_ALWAYS = frozenset(
    (
        MEMBER,
        "assignment_expression",
        "expression_statement",
        "block",
        "using_statement",
        "try_statement",
    )
)
_RUN_PERHAPS = frozenset(
    (
        *(
            "if_statement",
            "else_clause",
            "switch_section",
            "switch_statement",
            "catch_clause",
            "while_statement",
        ),
        *("do_statement", "for_statement", "foreach_statement", "conditional_expression"),
    )
)


def declare_local(reader: Reader, name: str, *, type_: str, value: Expression, node: Node | None) -> None:
    """Declare a local; without ``node`` nothing is put into it."""
    is_var, is_text = type_ in ("", "var"), type_ in STRING_TYPES
    text = builder_text(value)
    if text is not None and node is not None:
        line = node.start_point.row + 1
        builder = Typed("StringBuilder", name)
        reader.declare(name, Local(builder, text=text, line=line, end_line=last_row(node) + 1))
        return
    keeps = is_var or (is_text and keeps_value(value)) or is_request(value)
    held = bounded(value) if keeps else Typed(type_, name)
    reader.declare(name, Local(held, follows=is_var or is_text, is_empty=is_text and node is None))
    if node is not None and is_string(value):
        _put(reader, name, value=held, node=node)


def assign_local(reader: Reader, name: str, *, value: Expression, operator: str, node: Node) -> None:
    """Let a local hold what is assigned to it too; only strings are of interest, types do not change."""
    local = reader.locals[name]
    if operator == "+=":
        _append(reader, name, value=value, node=node)
        return
    if is_request(value) and _surely_happens(reader, name, node=node):
        reader.locals[name] = local._replace(value=bounded(value))
        return
    if _appends_segments(value):
        _hold_address(reader, name, value=value, node=node)
        return
    is_text = isinstance(local.value, Typed) and local.value.type in STRING_TYPES
    if not (local.follows or is_text):
        return
    if local.is_empty and not is_string(value):
        held = bounded(value) if keeps_value(value) else local.value
        reader.locals[name] = local._replace(value=held, is_empty=False)
    elif is_string(value):
        held = _held_now(reader, name, value=value, operator=operator, node=node)
        _put(reader, name, value=bounded(held), node=node)


def set_of_request(reader: Reader, target: Node, *, name: str, value: Expression) -> None:
    """Keep what `request.Method = …` and `request.RequestUri = …` set of a message that a local holds.

    A verb that is set in a branch may be another.
    """
    held = reader.locals.get(reader.name(target)) if target.type == "identifier" else None
    all_parts = request_parts(held.value) if held is not None and is_request(held.value) else ()
    is_sure = _is_always_run(target)
    if held is not None and is_request(held.value) and name in all_parts and (is_sure or name == VERB):
        places = zip_longest(held.value.arguments[: len(all_parts)], all_parts)
        known = {(one.name or part).lower(): one.value for one, part in places if one is not None}
        parts = {part: known.get(part.lower(), UNKNOWN) for part in all_parts}
        if not is_sure:
            parts[name] = Choice((parts[name], bounded(value)))
        elif not parts[name] or not _is_made_of_calls(value):
            parts[name] = bounded(value)
        made = New(held.value.type, tuple(Argument(one, part) for part, one in parts.items() if one))
        reader.locals[reader.name(target)] = held._replace(value=bounded(made))


def change_address(reader: Reader, node: Node, *, value: Expression) -> None:
    """Let a local hold what `url.AppendPathSegment("orders");` makes of the address that it holds."""
    target = node
    while target.type == CALL and target.children and target.children[0].type == MEMBER:
        target = target.children[0].children[0]
    name = reader.name(target) if target is not node and target.type == "identifier" else ""
    if name in reader.locals and not is_string(reader.locals[name].value) and _appends_segments(value):
        _hold_address(reader, name, value=value, node=node)


def _appends_segments(value: Expression) -> bool:
    """Say whether a chain of Flurl puts segments behind an address."""
    appends = False
    while isinstance(value, Call) and isinstance(value.function, Member):
        name = value.function.name
        if name not in APPENDING and LEAVING_PATH.fullmatch(name) is None:
            break
        appends = appends or name in APPENDING
        value = value.function.receiver
    return appends


def _hold_address(reader: Reader, name: str, *, value: Expression, node: Node) -> None:
    local = reader.locals[name]
    either = value if _is_always_run(node) else Choice((local.value, value))
    reader.locals[name] = local._replace(value=bounded(either), is_empty=False)


def _is_always_run(node: Node) -> bool:
    """Tell whether a statement is run whenever the body around it is: no branch and no loop lies between."""
    above = node.parent
    while above is not None and above.type in _RUN_ALWAYS:
        above = above.parent
    return above is not None and above.type not in _RUN_PERHAPS


def _is_made_of_calls(value: Expression) -> bool:
    """Say whether an address comes from a call, which may only have added to what there was."""
    if isinstance(value, New) and value.arguments:
        value = value.arguments[0].value
    return isinstance(value, (Call, Unknown))


def _held_now(reader: Reader, name: str, *, value: Expression, operator: str, node: Node) -> Expression:
    """Return the string that a local holds after an assignment, or either where this may not have happened.

    Each then is on its line, as the local has only one.
    """
    local = reader.locals[name]
    if local.is_empty:
        return value
    if starts_with(reader, node, name=name):
        _forget_facts(reader, local)
        return value
    if operator == "=" and is_string(local.value) and _surely_happens(reader, name, node=node):
        if name in (changed_local(reader, node), formatted_local(reader, node)):
            _forget_facts(reader, local)
        else:
            reader.locals[name] = local._replace(line=0, facts=())
        return value
    line = first_line_of(reader, node)
    either = (local.value, on_own_line(value, line=line, first_line=local.line))
    return choice(either, is_fallback=operator == "??=")


def _surely_happens(reader: Reader, name: str, *, node: Node) -> bool:
    """Tell whether a value is put into a local wherever the local is used from here on."""
    above = node.parent.parent if node.parent is not None else None
    return above is not None and above.type == "expression_statement" and reader.is_of_scope(name)


def _append(reader: Reader, name: str, *, value: Expression, node: Node) -> None:
    local = reader.locals[name]
    if is_string(local.value) or is_string(value):
        before = Text("") if local.is_empty else local.value
        _forget_facts(reader, local)
        line = node.start_point.row + 1
        pieces = on_lines(((before, local.line or line), (bounded(value), line)))
        _put(reader, name, value=bounded(joined(pieces)), node=node)


def _forget_facts(reader: Reader, local: Local) -> None:
    """Leave the strings out that a local held, as they are the beginning of another."""
    for index in local.facts:
        reader.strings[index] = None


def _put(reader: Reader, name: str, *, value: Expression, node: Node) -> None:
    """Note the string that a local holds now, until it is given to a call; nothing written is on no line."""
    local = reader.locals[name]
    line = local.line or (0 if is_blank(value) else first_line_of(reader, node))
    end_line = last_row(node) + 1
    facts = local.facts
    if may_matter(value) and len(facts) < MAX_FACTS:
        facts = (*facts, len(reader.strings))
        add_string(reader, value, lines=(line, end_line), call=None, assigned_to=name)
    reader.locals[name] = local._replace(
        value=value, is_empty=False, line=line, end_line=end_line, facts=facts
    )
