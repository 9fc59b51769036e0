"""Read statements; each reader returns what is inside, to be read next, and where scopes end."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from ragduck.facts import UNKNOWN, Expression, Typed
from ragduck.parse.facts.csharp_locals import change_address, declare_local
from ragduck.parse.facts.csharp_objects import value_for
from ragduck.parse.facts.csharp_patterns import PATTERNS, declare_names, read_pattern
from ragduck.parse.facts.csharp_reader import Local, Reader, ReadStatement, awaited_type
from ragduck.parse.facts.csharp_texts import note_string
from ragduck.parse.facts.csharp_values import bounded, element, is_string

Inner = Sequence[Node | int]

LOCAL_FUNCTION = "local_function_statement"
_FRAMES = ("expression_statement", "local_declaration_statement", "yield_statement", "throw_statement")
_BRANCHES = {"switch_statement", "switch_body", "switch_section", "when_clause"}
_LOOPS = {"for_statement", "while_statement", "do_statement"}
_GUARDS = {"try_statement", "catch_clause", "catch_filter_clause", "finally_clause", "using_statement"}
_CONTEXTS = {"lock_statement", "fixed_statement", "checked_statement", "unsafe_statement", "global_statement"}
_CONDITIONAL = {"preproc_if", "preproc_elif", "preproc_else"}
_SCOPED = _BRANCHES | _LOOPS | _GUARDS | _CONTEXTS | _CONDITIONAL


def read_expression(reader: Reader, node: Node) -> Inner:
    """Read an expression that stands in a statement."""
    value = reader.value(node)
    change_address(reader, node, value=value)
    if is_string(value):
        note_string(reader, value, node=node)
    return ()


def read_block(reader: Reader, node: Node) -> Inner:
    """Open a scope for a block; its functions are known from the beginning."""
    mark = reader.enter()
    inner: list[Node | int] = []
    for child in node.children:
        if child.is_named:
            inner.append(child)
            if child.type == LOCAL_FUNCTION:
                _declare_function(reader, child)
    inner.append(mark)
    return inner


def _declare_function(reader: Reader, node: Node) -> None:
    name = node.child_by_field_name("name")
    type_ = node.child_by_field_name("type")
    if name is not None and type_ is not None:
        result = Typed(reader.type_text(type_))
        reader.declare(reader.name(name), Local(Typed("", reader.name(name)), result=result))


def read_scoped(reader: Reader, node: Node) -> Inner:
    """Open a scope for a statement that may declare locals."""
    mark = reader.enter()
    condition = node.child_by_field_name("condition") if node.type in _CONDITIONAL else None
    return [*(child for child in node.children if child.is_named and child != condition), mark]


def read_if(reader: Reader, node: Node) -> Inner:
    """Read an `if`: what its condition declares lasts as long as what is declared before it."""
    condition = node.child_by_field_name("condition")
    if condition is not None:
        read_expression(reader, condition)
    return [*(child for child in read_scoped(reader, node) if child != condition)]


def read_inside(_reader: Reader, node: Node) -> Inner:
    """Go into a statement that is only a frame."""
    return [child for child in node.children if child.is_named]


def read_error(_reader: Reader, node: Node) -> Inner:
    """Go into broken code; single names there say nothing."""
    return [child for child in node.children if child.is_named and child.type != "identifier"]


def read_label(_reader: Reader, node: Node) -> Inner:
    """Leave the name of a label out."""
    return [node.children[-1]] if node.children else ()


def read_nothing(_reader: Reader, _node: Node) -> Inner:
    """Look over what has no facts."""
    return ()


def read_pattern_label(reader: Reader, node: Node) -> Inner:
    """Read the pattern of a `case`."""
    read_pattern(reader, node)
    return ()


def read_return(reader: Reader, node: Node) -> Inner:
    """Read `return x` and `=> x`, and remember what comes back."""
    value: Expression = UNKNOWN
    for child in node.children:
        if child.is_named and child.type != "comment":
            value = value_for(reader, child, type_=reader.frame.type)
            if is_string(value):
                note_string(reader, value, node=child, assigned_to=reader.frame.name)
    reader.returned = value
    return ()


def read_variables(reader: Reader, node: Node) -> Inner:
    """Declare the locals of `T a = x, b`."""
    type_node = node.child_by_field_name("type")
    type_ = reader.use(type_node, "holds") if type_node is not None else ""
    for child in node.children:
        if child.type == "variable_declarator":
            _read_variable(reader, child, type_=type_)
    return ()


def _read_variable(reader: Reader, node: Node, *, type_: str) -> None:
    children = node.children
    first = children[0]
    written = children[-1] if len(children) > 2 and children[-2].type == "=" else None
    if first.type == "tuple_pattern":
        value = bounded(reader.value(written)) if written is not None else UNKNOWN
        declare_names(reader, first, value=value)
        return
    name = reader.name(first)
    is_var = type_ in ("", "var")
    value = value_for(reader, written, target=name, type_="" if is_var else type_) if written else UNKNOWN
    if written is not None and written.type == "null_literal":
        written = None
    declare_local(reader, name, type_=type_, value=value, node=written)


def read_foreach(reader: Reader, node: Node) -> Inner:
    """Declare the element of `foreach (T x in xs)`."""
    mark = reader.enter()
    type_, left, right, body = (node.child_by_field_name(name) for name in ("type", "left", "right", "body"))
    collection = bounded(reader.value(right)) if right is not None else UNKNOWN
    written = reader.use(type_, "holds") if type_ is not None else ""
    if left is not None and left.type == "identifier":
        if written in ("", "var"):
            reader.declare(reader.name(left), Local(element(collection)))
        else:
            reader.declare_typed(reader.name(left), written)
    elif left is not None:
        declare_names(reader, left, value=element(collection))
    return [mark] if body is None else [body, mark]


def read_catch(reader: Reader, node: Node) -> Inner:
    """Declare what is caught."""
    type_ = node.child_by_field_name("type")
    name = node.child_by_field_name("name")
    written = reader.use(type_, "catch") if type_ is not None else ""
    if name is not None:
        reader.declare_typed(reader.name(name), written)
    return ()


def read_local_function(reader: Reader, node: Node) -> Inner:
    """Read a function inside a body: it belongs to the member around it."""
    mark = reader.enter()
    type_ = node.child_by_field_name("type")
    if type_ is not None:
        reader.frame = reader.frame._replace(type=awaited_type(reader.use(type_, "returns")))
    parameters = node.child_by_field_name("parameters")
    for child in parameters.children if parameters is not None else ():
        if child.type == "parameter":
            _declare_parameter(reader, child)
    body = node.child_by_field_name("body")
    return [mark] if body is None else [body, mark]


def _declare_parameter(reader: Reader, node: Node) -> None:
    name = node.child_by_field_name("name")
    type_ = node.child_by_field_name("type")
    if name is not None:
        reader.declare_typed(reader.name(name), reader.use(type_, "parameter") if type_ is not None else "")


STATEMENTS: dict[str, ReadStatement] = {
    **dict.fromkeys(_SCOPED, read_scoped),
    **dict.fromkeys(PATTERNS, read_pattern_label),
    **dict.fromkeys(_FRAMES, read_inside),
    **dict.fromkeys(
        ("comment", "modifier", "goto_statement", "empty_statement", "attribute_list"), read_nothing
    ),
    **dict.fromkeys(("return_statement", "arrow_expression_clause"), read_return),
    "expression": read_expression,
    "if_statement": read_if,
    "block": read_block,
    "variable_declaration": read_variables,
    "foreach_statement": read_foreach,
    "catch_declaration": read_catch,
    "labeled_statement": read_label,
    "ERROR": read_error,
    LOCAL_FUNCTION: read_local_function,
}
