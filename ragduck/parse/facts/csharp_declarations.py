"""Read the heads of C# declarations: attributes, modifiers, parameters, bases, constraints, usings."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from ragduck.facts import UNKNOWN, Argument, Attribute, Import, Parameter, Text, Typed
from ragduck.parse.facts.csharp_chains import read_arguments
from ragduck.parse.facts.csharp_reader import PREDEFINED, Local, Reader
from ragduck.parse.facts.csharp_values import as_member_value

_KINDS = frozenset(("class", "struct"))  # that a type parameter is bound to
_GLOBAL = "global::"
_NUMBERED = "Migration"  # of FluentMigrator: its version is a number
_NAMES = frozenset(("identifier", "qualified_name", "alias_qualified_name", "generic_name"))


def read_import(reader: Reader, node: Node, *, is_inner: bool) -> Import | None:
    """Read a using directive; ``is_inner`` says that it stands within a namespace."""
    alias = node.child_by_field_name("name")
    words = {child.type for child in node.children if not child.is_named}
    named = [child for child in node.children if child.is_named and child.type != "comment"]
    if not named or (alias is not None and len(named) < 2):
        return None
    return Import(
        reader.type_text(named[-1]).removeprefix(_GLOBAL),
        alias=reader.name(alias) if alias is not None else "",
        is_static="static" in words,
        is_global="global" in words,
        is_inner=is_inner,
    )


def read_modifiers(reader: Reader, node: Node) -> frozenset[str]:
    """Return the modifiers of a declaration; equal ones are one object."""
    found = frozenset(reader.text(child) for child in node.children if child.type == "modifier")
    return reader.modifiers.setdefault(found, found)


def read_attributes(reader: Reader, node: Node, *, target: str = "") -> tuple[Attribute, ...]:
    """Read the attributes of a declaration, or those that are meant for its ``target``."""
    found: list[Attribute] = []
    for child in node.children:
        if child.type != "attribute_list":
            continue
        targets = [reader.text(part) for part in child.children if part.type == "attribute_target_specifier"]
        if target and not any(target in written for written in targets):
            continue
        found.extend(_read_attribute(reader, part) for part in child.children if part.type == "attribute")
    return tuple(found)


def _read_attribute(reader: Reader, node: Node) -> Attribute:
    name = node.child_by_field_name("name")
    written = reader.use(name, "attribute").partition("<")[0] if name is not None else ""
    short = written.removesuffix("Attribute") or written
    arguments: list[Argument] = []
    for child in node.children:
        if child.type == "attribute_argument_list":
            with_numbers = short.endswith(_NUMBERED)
            arguments.extend(_read_attribute_arguments(reader, child, with_numbers=with_numbers))
    return Attribute(short, tuple(arguments))


def _read_attribute_arguments(reader: Reader, node: Node, *, with_numbers: bool) -> Iterator[Argument]:
    for child in node.children:
        if child.type != "attribute_argument" or not child.children:
            continue
        name, last = child.child_by_field_name("name"), child.children[-1]
        is_number = with_numbers and last.type == "integer_literal"
        value = Text(reader.text(last)) if is_number else as_member_value(reader.value(last))
        yield Argument(value, reader.name(name) if name is not None else "")


def read_parameters(reader: Reader, node: Node | None) -> tuple[Parameter, ...]:
    """Read a parameter list and declare what is in it."""
    found: list[Parameter] = []
    children = node.children if node is not None else []
    for position, child in enumerate(children):
        if child.type == "parameter":
            found.append(_read_parameter(reader, child))
        elif child.type == "params":
            found.extend(_read_rest(reader, children[position + 1 : position + 3]))
    return tuple(found)


def _read_parameter(reader: Reader, node: Node) -> Parameter:
    type_node = node.child_by_field_name("type")
    name_node = node.child_by_field_name("name")
    triggers = tuple(one for one in read_attributes(reader, node) if one.name.endswith("Trigger"))
    type_ = reader.use(type_node, "parameter") if type_node is not None else ""
    name = reader.name(name_node) if name_node is not None else ""
    children = node.children
    is_optional = len(children) > 2 and children[-2].type == "="
    default = as_member_value(reader.value(children[-1])) if is_optional else UNKNOWN
    is_this = any(child.type == "modifier" and reader.text(child) == "this" for child in children)
    reader.declare_typed(name, type_)
    default = UNKNOWN if isinstance(default, Typed) else default
    return Parameter(name, type_, is_this, default, is_optional=is_optional, triggers=triggers)


def _read_rest(reader: Reader, nodes: list[Node]) -> Iterator[Parameter]:
    """Read the type and name that follow `params`; the grammar has no node around them."""
    if len(nodes) == 2 and nodes[1].type == "identifier":
        type_, name = reader.use(nodes[0], "parameter"), reader.name(nodes[1])
        reader.declare_typed(name, type_)
        yield Parameter(name, type_, is_rest=True)


def read_type_parameters(reader: Reader, node: Node) -> tuple[str, ...]:
    """Return the names of the type parameters of a declaration."""
    found = next((child for child in node.children if child.type == "type_parameter_list"), None)
    names = [child.child_by_field_name("name") for child in found.children] if found is not None else []
    return tuple(reader.name(name) for name in names if name is not None)


def read_constraints(reader: Reader, node: Node) -> tuple[Parameter, ...]:
    """Return the types that `where` clauses ask for, and whether it has to be a class or a struct."""
    found = []
    for clause in node.children:
        if clause.type != "type_parameter_constraints_clause":
            continue
        names = [child for child in clause.children if child.type == "identifier"]
        for bound in clause.children:
            types = [
                part
                for part in bound.children
                if (part.is_named and part.type in _NAMES) or part.type in _KINDS
            ]
            if bound.type == "type_parameter_constraint" and names and types:
                found.append(Parameter(reader.name(names[0]), reader.type_text(types[0])))
    return tuple(found)


def read_bases(reader: Reader, node: Node) -> tuple[tuple[str, ...], tuple[Argument, ...]]:
    """Return the types that a type is derived from, and what its primary constructor hands on."""
    bases: list[str] = []
    handed_on: tuple[Argument, ...] = ()
    listed = next((child for child in node.children if child.type == "base_list"), None)
    for child in listed.children if listed is not None else ():
        if child.type == "argument_list":
            handed_on = read_handed_on(reader, child)
        elif child.type == "primary_constructor_base_type":
            type_ = child.child_by_field_name("type")
            bases.extend([reader.type_text(type_)] if type_ is not None else [])
            handed_on = read_handed_on(reader, child.children[-1])
        elif child.type in _NAMES:
            bases.append(reader.type_text(child))
    return tuple(base for base in bases if base not in PREDEFINED), handed_on


def read_handed_on(reader: Reader, node: Node) -> tuple[Argument, ...]:
    """Return the arguments of `base(…)` and `this(…)`."""
    arguments, _ = read_arguments(reader, node, function=UNKNOWN)
    return arguments


def parameter_locals(parameters: tuple[Parameter, ...]) -> dict[str, Local]:
    """Return what the parameters of a primary constructor stand for in the members of the type."""
    return {parameter.name: Local(Typed(parameter.type, parameter.name)) for parameter in parameters}
