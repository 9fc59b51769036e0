"""Read query syntax: range variables are the elements of what they range over."""

from __future__ import annotations

from tree_sitter import Node

from ragduck.facts import UNKNOWN, Element, Expression, Typed
from ragduck.parse.facts.csharp_reader import Local, Reader
from ragduck.parse.facts.csharp_values import bounded, element


def read_query(reader: Reader, node: Node) -> Expression:
    """Read `from x in xs … select …`; the value is the collection whose elements are selected as they are."""
    mark = reader.enter()
    value: Expression = UNKNOWN
    for child in node.children:
        clause = child.type
        if clause == "from_clause":
            _read_from(reader, child)
        elif clause == "join_clause":
            _read_join(reader, child)
        elif clause == "let_clause":
            _read_let(reader, child)
        elif clause == "identifier":  # `into x` goes on with what was selected
            reader.declare(reader.name(child), Local(element(value)))
        elif clause == "select_clause":
            selected = reader.value(child.children[-1])
            value = selected.collection if isinstance(selected, Element) else UNKNOWN
        elif child.is_named:
            value = UNKNOWN
            reader.parts(child)
    reader.leave(mark)
    return value


def _read_from(reader: Reader, node: Node) -> None:
    collection = bounded(reader.value(node.children[-1]))
    _declare(reader, node, name=node.child_by_field_name("name"), collection=collection)


def _declare(reader: Reader, node: Node, *, name: Node | None, collection: Expression) -> None:
    type_ = node.child_by_field_name("type")
    if name is None:
        return
    if type_ is not None:
        reader.declare_typed(reader.name(name), reader.use(type_, "holds"))
    else:
        reader.declare(reader.name(name), Local(element(collection)))


def _read_join(reader: Reader, node: Node) -> None:
    """Read `join T x in xs on a equals b into g`."""
    children = [child for child in node.children if child.type != "comment"]
    words = [child.type for child in children]
    if "in" not in words[2:] or words.index("in") + 1 >= len(children):
        return
    position = words.index("in")
    collection = bounded(reader.value(children[position + 1]))
    if position > 2:
        reader.declare_typed(reader.name(children[position - 1]), reader.use(children[1], "holds"))
    else:
        reader.declare(reader.name(children[position - 1]), Local(element(collection)))
    for child in children[position + 2 :]:
        if child.type == "join_into_clause":
            reader.declare(reader.name(child.children[-1]), Local(collection))
        elif child.is_named:
            reader.value(child)


def _read_let(reader: Reader, node: Node) -> None:
    children = node.children
    value = bounded(reader.value(children[-1]))
    if len(children) > 2 and children[1].type == "identifier":
        name = reader.name(children[1])
        reader.declare(name, Local(Typed("", name) if value is UNKNOWN else value))


QUERIES = {"query_expression": read_query}
