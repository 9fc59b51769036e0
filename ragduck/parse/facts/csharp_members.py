"""Read the members of C# types with their bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from ragduck.facts import EXTENSION, UNKNOWN, Argument, Assignment, Expression, MemberFact, Parameter, Typed
from ragduck.parse.csharp_extensions import type_parameters_of
from ragduck.parse.facts.csharp_declarations import (
    read_attributes,
    read_constraints,
    read_handed_on,
    read_modifiers,
    read_parameters,
    read_type_parameters,
)
from ragduck.parse.facts.csharp_objects import value_for
from ragduck.parse.facts.csharp_reader import Frame, Local, Reader, awaited_type
from ragduck.parse.facts.csharp_texts import note_string
from ragduck.parse.facts.csharp_values import as_member_value, is_request, is_string
from ragduck.parse.facts.declared import Declared
from ragduck.parse.treesitter import last_row

VARIABLES = frozenset(("field_declaration", "event_field_declaration"))
_SETTERS = frozenset(("set", "init"))
_RECEIVERS = _SETTERS | {"add", "remove"}  # of a `value`
_RETURN = "return_statement"
_CONSTANT = frozenset(("const", "readonly"))
_UNNAMED = "_"  # what a receiver is called of which only the type is written
_HEAD = frozenset(("attribute_list", "comment"))


def head_line(node: Node) -> int:
    """Return the line on which a declaration begins, below its attributes."""
    for child in node.children:
        if child.type not in _HEAD:
            return child.start_point.row + 1
    return node.start_point.row + 1


def read_member(
    reader: Reader, declared: Declared, *, known: Mapping[str, Local], receiver: Node | None = None
) -> Iterator[MemberFact]:
    """Read a member, of which a field declaration may have several.

    ``known`` are the parameters of a primary constructor, ``receiver`` those of the extension block around it.
    """
    if declared.node.type in VARIABLES:
        yield from _read_variables(reader, declared, known=known)
    elif declared.element_type == "enum_member":
        yield _read_enum_member(reader, declared)
    else:
        yield _read_function(reader, declared, known=known, receiver=receiver)


def _read_variables(
    reader: Reader, declared: Declared, *, known: Mapping[str, Local]
) -> Iterator[MemberFact]:
    node = declared.node
    reader.begin(declared.key, known=known)
    modifiers = read_modifiers(reader, node)
    attributes = read_attributes(reader, node)
    variables = next((child for child in node.children if child.type == "variable_declaration"), None)
    type_node = variables.child_by_field_name("type") if variables is not None else None
    type_ = reader.use(type_node, "holds") if type_node is not None else ""
    for child in variables.children if variables is not None else ():
        name_node = child.child_by_field_name("name") if child.type == "variable_declarator" else None
        if name_node is None:
            continue
        name = reader.name(name_node)
        key = f"{declared.key.rpartition('|')[0].removesuffix(declared.name)}{name}|{declared.kind}"
        reader.begin(key, known=known)
        value = _initial_value(reader, child, name=name, type_=type_, is_constant=bool(modifiers & _CONSTANT))
        yield MemberFact(
            key=key,
            name=name,
            owner=declared.owner.key if declared.owner is not None else "",
            kind=declared.kind,
            element_type=declared.element_type,
            line=child.start_point.row + 1,
            end_line=last_row(child) + 1,
            type=type_,
            attributes=attributes,
            modifiers=modifiers,
            visibility=declared.visibility,
            value=value,
        )


def _initial_value(reader: Reader, node: Node, *, name: str, type_: str, is_constant: bool) -> Expression:
    children = node.children
    if len(children) < 3 or children[-2].type != "=":
        return UNKNOWN
    written = children[-1]
    value = value_for(reader, written, target=name, type_=type_)
    if is_string(value):
        note_string(reader, value, node=written, assigned_to=name, is_certain=is_constant)
    return as_member_value(value)


def _read_enum_member(reader: Reader, declared: Declared) -> MemberFact:
    node = declared.node
    reader.begin(declared.key, known={})
    return MemberFact(
        key=declared.key,
        name=declared.name,
        owner=declared.owner.key if declared.owner is not None else "",
        kind=declared.kind,
        element_type=declared.element_type,
        line=head_line(node),
        end_line=last_row(node) + 1,
        type=declared.owner.name if declared.owner is not None else "",
        attributes=read_attributes(reader, node),
        modifiers=frozenset(),
        visibility=declared.visibility,
    )


def _read_function(
    reader: Reader, declared: Declared, *, known: Mapping[str, Local], receiver: Node | None
) -> MemberFact:
    """Read a method, constructor, operator, property, indexer or event."""
    node = declared.node
    assignments: list[Assignment] = []
    reader.begin(declared.key, known=known)
    attributes = read_attributes(reader, node)
    extended = _read_receiver(reader, receiver)
    block = type_parameters_of(reader.text(receiver).encode()) if receiver is not None else {}
    type_node = node.child_by_field_name("returns") or node.child_by_field_name("type")
    is_method = declared.kind == "METHOD"
    type_ = reader.use(type_node, "returns" if is_method else "holds") if type_node is not None else ""
    parameters = extended + read_parameters(reader, node.child_by_field_name("parameters"))
    collects = declared.element_type == "constructor"
    reader.frame = Frame(
        awaited_type(type_), "" if is_method else declared.name, assignments if collects else None
    )
    hands_to, handed_on = _read_initializer(reader, node)
    modifiers = read_modifiers(reader, node)
    if extended and "static" in modifiers:
        modifiers |= {EXTENSION}
    value = _read_body(reader, node, type_=type_, name=declared.name, assignments=assignments)
    return MemberFact(
        key=declared.key,
        name=declared.name,
        owner=declared.owner.key if declared.owner is not None else "",
        kind=declared.kind,
        element_type=declared.element_type,
        line=head_line(node),
        end_line=last_row(node) + 1,
        type=type_,
        parameters=parameters,
        type_parameters=(*block, *read_type_parameters(reader, node)),
        attributes=attributes,
        modifiers=modifiers,
        visibility=declared.visibility,
        value=value,
        assignments=tuple(assignments),
        handed_on=handed_on,
        hands_to=hands_to,
        constraints=(
            *(Parameter(name, bound) for name, bounds in block.items() for bound in bounds),
            *read_constraints(reader, node),
        ),
        interface_arity=_interface_arity(node) if "." in declared.name else 0,
    )


def _interface_arity(node: Node) -> int:
    """Return the number of type arguments that the interface before the name of a member has."""
    written = next((child for child in node.children if child.type == "explicit_interface_specifier"), None)
    named = written.children[0] if written is not None and written.children else None
    if named is not None and named.type == "qualified_name":
        named = named.children[-1]
    given = named.children[-1] if named is not None and named.type == "generic_name" else None
    return sum(child.is_named for child in given.children) if given is not None else 0


def _read_receiver(reader: Reader, parameters: Node | None) -> tuple[Parameter, ...]:
    """Return what the members of an `extension(T receiver)` block extend; `extension(T)` has static ones alone.

    The grammar takes the `T` that stands alone for a name.
    """
    listed = parameters.children if parameters is not None else []
    first = next((child for child in listed if child.type == "parameter"), None)
    alone = first.child_by_field_name("name") if first is not None else None
    if first is not None and alone is not None and first.child_by_field_name("type") is None:
        return (Parameter(_UNNAMED, reader.use(alone, "parameter"), is_this=True),)
    read = read_parameters(reader, parameters)
    return tuple(parameter._replace(is_this=True) for parameter in read[:1])


def _read_initializer(reader: Reader, node: Node) -> tuple[str, tuple[Argument, ...]]:
    """Read `: base(…)` or `: this(…)`."""
    for child in node.children:
        if child.type == "constructor_initializer" and child.children:
            words = [part.type for part in child.children if part.type in ("base", "this")]
            return (words[0] if words else "base"), read_handed_on(reader, child.children[-1])
    return "", ()


def _read_body(
    reader: Reader, node: Node, *, type_: str, name: str, assignments: list[Assignment]
) -> Expression:
    """Read all code of a member; return its value when it is that simple."""
    value: Expression = UNKNOWN
    is_value = False
    for child in node.children:
        kind = child.type
        if kind in ("block", "arrow_expression_clause"):
            reader.run(child)
            value = as_member_value(reader.returned) if _tells_value(reader, child) else UNKNOWN
        elif kind == "accessor_list":
            value = _read_accessors(reader, child, type_=type_, assignments=assignments)
        elif is_value and child.is_named and kind != "comment":
            value = _read_property_value(reader, child, type_=type_, name=name)
        is_value = kind == "=" or (is_value and kind == "comment")
    return value


def _read_property_value(reader: Reader, node: Node, *, type_: str, name: str) -> Expression:
    value = value_for(reader, node, target=name, type_=type_)
    if is_string(value):
        note_string(reader, value, node=node, assigned_to=name)
    return as_member_value(value)


def _tells_value(reader: Reader, body: Node) -> bool:
    """Say whether what a body has returned last is its value: all that it does, or a request at its end."""
    return _is_single_return(body) or (is_request(reader.returned) and _statements(body)[-1:] == [_RETURN])


def _is_single_return(node: Node) -> bool:
    return node.type == "arrow_expression_clause" or _statements(node) == [_RETURN]


def _statements(node: Node) -> list[str]:
    return [child.type for child in node.children if child.is_named and child.type != "comment"]


def _read_accessors(reader: Reader, node: Node, *, type_: str, assignments: list[Assignment]) -> Expression:
    value: Expression = UNKNOWN
    for accessor in node.children:
        body = accessor.child_by_field_name("body") if accessor.type == "accessor_declaration" else None
        if body is None:
            continue
        name = accessor.child_by_field_name("name")
        word = name.type if name is not None else ""
        is_setter = word in _SETTERS
        mark = reader.enter()
        if word in _RECEIVERS:
            reader.declare("value", Local(Typed(type_, "value")))
            reader.frame = Frame(assignments=assignments if is_setter else None)
        reader.returned = UNKNOWN
        reader.run(body)
        if word not in _RECEIVERS and _is_single_return(body):
            value = as_member_value(reader.returned)
        reader.leave(mark)
    return value
