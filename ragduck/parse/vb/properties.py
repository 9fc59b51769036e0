"""Write the properties and events of Visual Basic, with their accessors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragduck.parse.vb.blocks import ACCESSOR, DECLARING, EVENT, METHOD, PROPERTY, Block
from ragduck.parse.vb.expressions import Code
from ragduck.parse.vb.heads import Head, read_signature
from ragduck.parse.vb.names import spelled
from ragduck.parse.vb.tokens import MARK, Token

if TYPE_CHECKING:
    from ragduck.parse.vb.declarations import Declarations

NOT_ON_PROPERTIES = frozenset(("readonly", "writeonly", "default"))
ACCESSORS = {"get": "get", "set": "set", "addhandler": "add", "removehandler": "remove"}


def property_(declarations: Declarations, code: Code, head: Head, following: Sequence[Token]) -> bool:
    """Write a property: with its accessors if they follow, else with those that it has by itto."""
    declarations.close_members(code.line(0))
    declarations.names.begin()
    declarations.statements.begin_member()
    found = read_signature(code, head.at + 1)
    type_ = found.type or "object"
    declarations.names.declare_field(found.name, type_)
    declarations.writer.put_all(head.attributes)
    modifiers = head.written(
        access=declarations.access(), drop=NOT_ON_PROPERTIES, is_shared=declarations.is_shared()
    )
    declarations.writer.put(code.line(head.at), f"{modifiers}{type_}")
    if found.has_parameters and head.has("default"):
        declarations.writer.put(code.line(head.at), "this[")
        declarations.writer.put_all(found.parameters)
        declarations.writer.put(declarations.writer.line, "]")
    else:
        declarations.writer.put(code.line(head.at), spelled(found.name))
    is_abstract = declarations.is_abstract() or head.has("mustoverride")
    if not is_abstract and _begins_accessor(following):
        declarations.writer.put(declarations.writer.line, "{")
        declarations.blocks.push(Block(PROPERTY, "property", name=found.name))
        return True
    setter = "" if head.has("readonly") else " set;"
    declarations.writer.put(
        declarations.writer.line, f"{{ {'' if head.has('writeonly') else 'get;'}{setter} }}"
    )
    value = found.makes or found.value
    if value is not None:
        declarations.writer.put(declarations.writer.line, "=")
        declarations.writer.put_all(code.expression(*value))
        declarations.writer.put(declarations.writer.line, ";")
    return True


def accessor(declarations: Declarations, code: Code, head: Head, _following: Sequence[Token]) -> bool:
    """Open `Get` or `Set`, of which the value may have a name of its own."""
    declarations.statements.close(_close_accessor(declarations), code.line(0))
    block = declarations.blocks.innermost
    if block is None or block.kind not in (PROPERTY, EVENT):
        return False
    declarations.statements.begin_member()
    word = code.word(head.at)
    declarations.writer.put(code.line(0), f"{head.written(access='')}{ACCESSORS.get(word, word)} {{")
    name = ""
    if code.word(head.at + 1) == "(" and word == "set":
        at = head.at + 2
        while code.word(at) in ("byval", "byref"):
            at += 1
        name = code.tokens[at].text if at < len(code.tokens) - 1 else ""
        declarations.names.declare(name or "value", "")
    if name and name != "value":
        declarations.writer.put(code.line(0), f"var {spelled(name)} = value;")
    declarations.blocks.push(Block(ACCESSOR, word))
    if word == "get":
        declarations.blocks.push(Block(METHOD, "get", closing="", name=block.name))
    return True


def _close_accessor(declarations: Declarations) -> list[Block]:
    """Close an accessor that another one follows."""
    closed: list[Block] = []
    while declarations.blocks.open and declarations.blocks.open[-1].kind not in (PROPERTY, EVENT, *DECLARING):
        closed.append(declarations.blocks.open.pop())
    return closed


def event(declarations: Declarations, code: Code, head: Head, _following: Sequence[Token]) -> bool:
    """Write an event; one with parameters has a type of its own."""
    declarations.close_members(code.line(0))
    declarations.names.begin()
    found = read_signature(code, head.at + 1)
    declarations.writer.put_all(head.attributes)
    modifiers = head.written(access=declarations.access())
    type_ = found.type or f"{found.name}EventHandler"
    declarations.writer.put(code.line(head.at), f"{modifiers}event {type_} {spelled(found.name)}")
    if head.has("custom"):
        declarations.writer.put(code.line(head.at), "{")
        declarations.blocks.push(Block(EVENT, "event"))
    else:
        declarations.writer.put(declarations.writer.line, ";")
    return True


def raise_accessor(declarations: Declarations, code: Code, head: Head, following: Sequence[Token]) -> bool:
    """Leave `RaiseEvent` of a custom event out: C# has none."""
    block = declarations.blocks.innermost
    if block is None or block.kind not in (EVENT, ACCESSOR):
        return False
    return accessor(declarations, code, head, following)


def _begins_accessor(following: Sequence[Token]) -> bool:
    """Say whether a line begins `Get` or `Set`, with or without attributes and modifiers."""
    for token in following[:20]:
        if token.word in ("get", "set"):
            return True
        if token.kind != MARK and token.word not in ("public", "private", "protected", "friend"):
            return False
    return False
