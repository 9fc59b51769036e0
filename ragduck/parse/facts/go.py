"""Read facts off Go: structs and interfaces with what they embed, functions, methods of types elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from tree_sitter import Node

from ragduck.facts import UNKNOWN, Expression, FileFacts, Import, Parameter, Typed
from ragduck.parse.facts.bodies import Handler
from ragduck.parse.facts.body import Body
from ragduck.parse.facts.declared import Declared, Reading
from ragduck.parse.facts.go_statements import GoStatements
from ragduck.parse.facts.values import THIS

BLOCKS = frozenset({"const_declaration", "var_declaration"})
SPECS = frozenset({"const_spec", "var_spec", "var_spec_list"})

_VERSION = re.compile(r"/v\d{1,4}$")
_VERSION_SUFFIX = re.compile(r"\.v\d{1,4}$")


def facts_of(reading: Reading) -> FileFacts:
    """Read the facts of a Go file."""
    return GoFacts(reading).facts()


class GoFacts(GoStatements):
    """Collect the facts of a file."""

    def import_spec(self, node: Node, _body: Body) -> Expression:
        """Read `name "path"`; a package goes by the last part of its path that is no version."""
        path, name = self.field_text(node, "path").strip('"`'), node.child_by_field_name("name")
        usual = _VERSION_SUFFIX.sub("", _VERSION.sub("", path).rpartition("/")[2])
        local = self.text(name) if name is not None else usual
        if local == ".":
            self.imports.append(Import(f"{path}.*"))
        else:
            self.imports.append(Import(path, "" if path.rpartition("/")[2] == local else local.strip("_")))
            self.packages[local] = path
        return UNKNOWN

    # types

    def type_spec(self, node: Node, body: Body) -> Expression:
        """Read `type T …`; one inside of a function is no symbol."""
        declared = self.declared.get(node.id) or self._around.pop(node.id, None)
        if declared is None:
            return UNKNOWN
        inner = Body.of(declared, body, owner=declared)
        definition = node.child_by_field_name("type")
        kind = definition.type if definition is not None else ""
        parts: list[Node] = []
        if definition is not None and kind == "struct_type":
            parts = [one for child in definition.named_children for one in child.named_children]
        elif definition is not None and kind == "interface_type":
            parts = definition.named_children
        else:
            self.use_type(definition, inner, how="holds")
        self.add_type(declared, bases=self._embedded(parts), type_parameters=self.type_parameters(node))
        for part in parts:
            self._member(part, inner)
        return UNKNOWN

    def type_declaration(self, node: Node, body: Body) -> Expression:
        """Read `type T …` or a group of them; for one alone the outline lists the whole statement."""
        declared = self.declared.get(node.id)
        specs = [child for child in node.named_children if child.type in ("type_spec", "type_alias")]
        if declared is not None and specs:
            self._around[specs[0].id] = declared
        self.later(specs, body)
        return UNKNOWN

    def _embedded(self, parts: list[Node]) -> list[str]:
        """Return the types whose members a struct or an interface takes over."""
        found: list[str] = []
        for part in parts:
            type_node = part.child_by_field_name("type")
            if part.type == "field_declaration" and part.child_by_field_name("name") is None:
                found.append(self.written(type_node))
            elif part.type == "type_elem" and len(part.named_children) == 1:
                found.append(self.written(part))
        return [name for name in found if not name.startswith("~")]

    def _member(self, node: Node, body: Body) -> None:
        declared = self.declared.get(node.id)
        if declared is None or declared.owner is None:
            return
        inner = Body.of(declared, body)
        type_node = node.child_by_field_name("type")
        if node.type == "field_declaration":
            self.use_type(type_node, inner, how="holds")
            names = [self.text(name) for name in node.children_by_field_name("name")] or [declared.name]
            for name in names:
                self.add_value(
                    self.key(declared.scope, name, kind="FIELD"),
                    name,
                    node=node,
                    owner=declared.owner.key,
                    type=self.written(type_node),
                    visibility=_visibility(name),
                )
        else:
            parameters = self.parameters(node.child_by_field_name("parameters"), inner)
            self.use_type(node.child_by_field_name("result"), inner, how="returns")
            self.add_member(declared, type=self.result(node), parameters=parameters)

    # functions and variables

    def function(self, node: Node, body: Body) -> Expression:
        """Read a function, or a method of a type that may be in another file."""
        declared = self.declared.get(node.id)
        inner = Body.of(declared, body) if declared is not None else body.inner()
        receiver = node.child_by_field_name("receiver")
        for parameter in self.parameters(receiver):
            inner.locals[parameter.name] = THIS
        parameters = self.parameters(node.child_by_field_name("parameters"), inner)
        result = node.child_by_field_name("result")
        self.use_type(result, inner, how="returns")
        self._bind_parameters([*parameters, *self._named_results(result)], inner)
        if declared is not None:
            owner = f"{self.language}:{declared.scope}|TYPE" if receiver is not None else ""
            self.add_member(
                declared,
                body=inner,
                owner=owner,
                type=self.result(node),
                parameters=parameters,
                type_parameters=self.type_parameters(node),
            )
        block = node.child_by_field_name("body")
        self.later([block] if block is not None else [], inner)
        return UNKNOWN

    def _named_results(self, node: Node | None) -> list[Parameter]:
        return self.parameters(node) if node is not None and node.type == "parameter_list" else []

    def _bind_parameters(self, parameters: list[Parameter], body: Body) -> None:
        for parameter in parameters:
            if parameter.name:
                body.locals[parameter.name] = Typed(parameter.type, parameter.name)

    def values(self, node: Node, body: Body) -> Expression:
        """Read constants and variables of the package; those of a function are locals."""
        declared = self.declared.get(node.id)
        specs = [child for child in node.named_children if child.type in SPECS]
        specs = [one for spec in specs for one in (spec.named_children if "list" in spec.type else [spec])]
        if declared is None:
            self.later(specs, body)
            return UNKNOWN
        inner = Body.of(declared, body)
        for spec in specs:
            self._package_values(spec, declared, body=inner)
        return UNKNOWN

    def _package_values(self, node: Node, declared: Declared, *, body: Body) -> None:
        type_node, listed = node.child_by_field_name("type"), node.child_by_field_name("value")
        self.use_type(type_node, body, how="holds")
        values = listed.named_children if listed is not None else []
        read = [self.visit(value, body) for value in values]
        for number, name_node in enumerate(node.children_by_field_name("name")):
            name = self.text(name_node)
            value = read[number] if number < len(read) else UNKNOWN
            if number < len(values) and values[number].type not in self.taken:
                self.take_string(value, values[number], body=body, assigned_to=name)
            self.add_value(
                self.key(declared.scope, name, kind="FIELD"),
                name,
                node=node,
                owner="",
                type=self.written(type_node),
                value=value,
                visibility=_visibility(name),
                element_type=declared.element_type,
            )

    handlers: ClassVar[Mapping[str, Handler]] = {
        **GoStatements.statements,
        "import_spec": import_spec,
        "type_declaration": type_declaration,
        "type_spec": type_spec,
        "type_alias": type_spec,
        "function_declaration": function,
        "method_declaration": function,
        **dict.fromkeys(BLOCKS, values),
    }

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self._around: dict[int, Declared] = {}  # statements that declare one type, by the node inside


def _visibility(name: str) -> str:
    return "public" if name[:1].isupper() else "internal"
