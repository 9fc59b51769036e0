"""Read the facts of a C# file off its syntax tree: types, members, and all that bodies name."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from ragduck.facts import FileFacts, Import, MemberFact, Parameter, Typed, TypeFact
from ragduck.parse.facts.csharp_declarations import (
    parameter_locals,
    read_attributes,
    read_bases,
    read_constraints,
    read_import,
    read_modifiers,
    read_parameters,
    read_type_parameters,
)
from ragduck.parse.facts.csharp_expressions import EXPRESSIONS
from ragduck.parse.facts.csharp_members import head_line, read_member
from ragduck.parse.facts.csharp_reader import Local, Reader
from ragduck.parse.facts.csharp_statements import STATEMENTS
from ragduck.parse.facts.declared import Declared, Reading
from ragduck.parse.treesitter import last_row

_NAMESPACES = frozenset(("namespace_declaration", "file_scoped_namespace_declaration"))
_TRANSPARENT = frozenset(
    ("namespace_declaration", "declaration_list", "preproc_if", "preproc_elif", "preproc_else", "ERROR")
)


def csharp_facts(reading: Reading) -> FileFacts:
    """Read the facts of one file."""
    reader = Reader(reading.source, expressions=EXPRESSIONS, statements=STATEMENTS)
    types: list[TypeFact] = []
    members: list[MemberFact] = []
    known: dict[int, dict[str, Local]] = {}  # what the members of a type know of its parameters
    arities: dict[int, int] = {}  # of the types, by the ids of their nodes
    receivers: dict[int, Node] = {}  # what the members of extension blocks extend
    for declared in reading.declared.values():
        if declared.kind == "TYPE":
            read = _read_type(reader, declared)
            types.append(read)
            known[declared.node.id] = _known_to_members(read)
            arities[declared.node.id] = len(read.type_parameters)
            if "static" in read.modifiers:
                receivers.update(_extension_receivers(reader, declared.node))
            members.extend(_record_properties(reader, declared, read))
        else:
            owner = declared.owner
            parameters = known.get(owner.node.id, {}) if owner is not None else {}
            receiver = receivers.get(declared.node.id)
            arity = arities.get(owner.node.id, 0) if owner is not None else 0
            found = read_member(reader, declared, known=parameters, receiver=receiver)
            members.extend(one._replace(arity=arity) for one in found)
    imports = _read_top_level(reader, reading)
    document = reading.document
    return FileFacts(
        path=document.path,
        language=reading.language,
        file_class=document.file_class,
        project=document.project,
        lines=document.last_line,
        imports=imports,
        types=tuple(types),
        members=tuple(members),
        statements=reader.found(),
    )


def _read_type(reader: Reader, declared: Declared) -> TypeFact:
    node = declared.node
    reader.begin(declared.key, known={})
    is_delegate = declared.element_type == "delegate"
    attributes = read_attributes(reader, node)
    parameters = read_parameters(reader, _parameter_list(node))
    bases, base_arguments = read_bases(reader, node)
    returned = node.child_by_field_name("type")
    if is_delegate and returned is not None:
        reader.use(returned, "returns")
    return TypeFact(
        key=declared.key,
        name=declared.name,
        qualified_name=declared.qualified_name,
        scope=declared.scope,
        element_type=declared.element_type,
        line=head_line(node),
        end_line=last_row(node) + 1,
        bases=bases,
        type_parameters=read_type_parameters(reader, node),
        attributes=attributes,
        modifiers=read_modifiers(reader, node),
        parameters=() if is_delegate else parameters,
        base_arguments=base_arguments,
        owner=declared.owner.key if declared.owner is not None else "",
        constraints=read_constraints(reader, node),
        takes=parameters if is_delegate else (),
    )


def _parameter_list(node: Node) -> Node | None:
    return next((child for child in node.children if child.type == "parameter_list"), None)


def _known_to_members(read: TypeFact) -> dict[str, Local]:
    """Return what the parameters of a primary constructor are in members; those of a record are properties."""
    return {} if read.element_type == "record" else parameter_locals(read.parameters)


def _extension_receivers(reader: Reader, node: Node) -> Iterator[tuple[int, Node]]:
    """Yield the members of extension blocks with the parameters of the block.

    Asking a member for its parent would take as long as there are members.
    """
    body = node.child_by_field_name("body")
    for block in body.children if body is not None else ():
        name = block.child_by_field_name("name") if block.type == "constructor_declaration" else None
        inside = block.child_by_field_name("body")
        parameters = block.child_by_field_name("parameters")
        if name is None or inside is None or parameters is None or reader.text(name) != "extension":
            continue
        yield from ((member.id, parameters) for member in inside.children)


def _record_properties(reader: Reader, declared: Declared, read: TypeFact) -> Iterator[MemberFact]:
    if read.element_type != "record" or not read.parameters:
        return
    nodes = _parameter_list(declared.node)
    written = [child for child in nodes.children if child.type == "parameter"] if nodes is not None else []
    for parameter, node in zip(read.parameters, written, strict=False):
        found = _record_property(reader, declared, parameter=parameter, node=node)
        yield found._replace(arity=len(read.type_parameters))


def _record_property(reader: Reader, declared: Declared, *, parameter: Parameter, node: Node) -> MemberFact:
    key = f"csharp:{declared.qualified_name}.{parameter.name}|PROPERTY"
    reader.begin(key, known={})
    type_node = node.child_by_field_name("type")
    if type_node is not None:
        reader.use(type_node, "holds")
    return MemberFact(
        key=key,
        name=parameter.name,
        owner=declared.key,
        kind="PROPERTY",
        element_type="property",
        line=node.start_point.row + 1,
        end_line=last_row(node) + 1,
        type=parameter.type,
        attributes=read_attributes(reader, node, target="property"),
        visibility="public",
        value=Typed(parameter.type, parameter.name),
    )


def _read_top_level(reader: Reader, reading: Reading) -> tuple[Import, ...]:
    """Read usings, and the statements of a file that has no `Main`."""
    imports = []
    reader.begin(f"file:{reading.document.path}|FILE", known={})
    for node, is_inner in _top_level(reading.tree.root_node):
        if node.type == "using_directive":
            found = read_import(reader, node, is_inner=is_inner)
            imports.extend([found] if found is not None else [])
        elif node.type == "global_statement":
            for child in node.children:
                if child.id not in reading.declared:
                    reader.run(child)
    return tuple(imports)


def _top_level(root: Node) -> Iterator[tuple[Node, bool]]:
    """Yield what stands outside of types, in order, and whether it stands within the only namespace of the file."""
    pending, found, namespaces = [(root, False)], [], 0
    follows = False  # a namespace that covers the rest of the file
    while pending:
        node, is_inner = pending.pop()
        follows = follows or node.type == "file_scoped_namespace_declaration"
        namespaces += node.type in _NAMESPACES
        if node is root or node.type in _TRANSPARENT:
            is_inner = is_inner or node.type == "namespace_declaration"
            pending.extend((child, is_inner) for child in reversed(node.children))
        else:
            found.append((node, is_inner or follows))
    yield from ((node, is_inner and namespaces == 1) for node, is_inner in found)
