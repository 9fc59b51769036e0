"""Say what statements of TypeScript and JavaScript do: imports, locals, patterns, loops, assignments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from tree_sitter import Node

from ragduck.facts import (
    UNKNOWN,
    Element,
    Expression,
    Import,
    Joined,
    LambdaParameter,
    Member,
    New,
    Parameter,
    Text,
    Typed,
)
from ragduck.parse.facts.bodies import Handler, first_child
from ragduck.parse.facts.body import Body
from ragduck.parse.facts.script_expressions import CLOSURES, ScriptExpressions
from ragduck.parse.facts.script_modules import module_of
from ragduck.parse.facts.values import THIS, kept

PARAMETERS = frozenset({"required_parameter", "optional_parameter"})
PARAMETER_NAMES = frozenset({"identifier", "rest_pattern", "this"})
DEFAULTS = frozenset({"assignment_pattern", "object_assignment_pattern"})
PATTERNS = frozenset({"object_pattern", "array_pattern"})
LOCAL_NAMES = frozenset({"identifier", "shorthand_property_identifier_pattern"})
DEFAULT = "default"
EXPORTS = ("module.exports", "exports.")
MAX_TARGET = 200
REQUEST_OPTIONS = frozenset({"RequestInit", "AxiosRequestConfig"})  # of which method and address matter


class ScriptStatements(ScriptExpressions):
    """Collect facts from statements."""

    taken = frozenset({"identifier", "shorthand_property_identifier", "assignment_expression"})

    # imports

    def import_statement(self, node: Node, _body: Body) -> Expression:
        """Read `import A, {B as C} from './x'` with the full names of what is imported."""
        clause = first_child(node)
        source = node.child_by_field_name("source")
        if clause is not None and source is None:
            source = clause.child_by_field_name("source")
        if clause is None or source is None:
            return UNKNOWN
        module = self._module(source)
        parts = [clause] if clause.type == "import_require_clause" else clause.named_children
        for part in parts if clause.type != "string" else ():
            self._import_part(part, module)
        return UNKNOWN

    def _import_part(self, node: Node, module: str) -> None:
        if node.type == "identifier":
            self._import(f"{module}.{DEFAULT}", self.text(node))
        elif node.type == "named_imports":
            for child in node.named_children:
                name = self.field_text(child, "name").strip("\"'")
                self._import(f"{module}.{name}", self.field_text(child, "alias") or name)
        elif node.type in ("namespace_import", "import_require_clause"):
            name_node = first_child(node)
            self._import(module, self.text(name_node) if name_node is not None else "")

    def _import(self, name: str, local: str) -> None:
        self.imports.append(Import(name, "" if name.endswith(f".{local}") else local))
        self.imported.add(local)
        self.known.add(local)

    def _module(self, source: Node) -> str:
        return module_of(self.text(source).strip("\"'`"), path=self.path)

    def export_names(self, node: Node) -> bool:
        """Read what an export passes on under another name; false if it declares something."""
        source, value = node.child_by_field_name("source"), node.child_by_field_name("value")
        module = self._module(source) if source is not None else self.scope
        named = first_child(node)
        if named is not None and named.type == "export_clause":
            for child in named.named_children:
                name, alias = self.field_text(child, "name"), self.field_text(child, "alias")
                if source is not None or alias:
                    self.imports.append(Import(f"{module}.{name}", alias))
        elif named is not None and named.type == "namespace_export":
            self.imports.append(Import(module, self.text(named).removeprefix("*").split()[-1]))
        elif source is not None:
            self.imports.append(Import(f"{module}.*"))
        elif value is not None and value.type == "identifier":
            self.imports.append(Import(f"{module}.{self.text(value)}", DEFAULT))
        else:
            return False
        return True

    def _required(self, target: Node, call: Node | None) -> bool:
        """Read `const {a, b: c} = require('./x')`; false if it is something else."""
        if call is None or call.type != "call_expression" or self.field_text(call, "function") != "require":
            return False
        arguments = call.child_by_field_name("arguments")
        source = first_child(arguments) if arguments is not None else None
        if source is None or source.type != "string":
            return False
        module = self._module(source)
        if target.type == "identifier":
            self._import(module, self.text(target))
        for child in target.named_children if target.type == "object_pattern" else ():
            local = child.child_by_field_name("value") or child
            key = child.child_by_field_name("key") or child
            if local.type in LOCAL_NAMES:
                self._import(f"{module}.{self.text(key)}", self.text(local))
        return True

    # locals

    def variable(self, node: Node, body: Body) -> Expression:
        """Read one `name: T = value`."""
        target, value_node = node.child_by_field_name("name"), node.child_by_field_name("value")
        annotation = node.child_by_field_name("type")
        if target is None or self._required(target, value_node):
            return UNKNOWN
        value: Expression = UNKNOWN
        if value_node is not None:
            value = self.visit(value_node, body)
            if value_node.type in CLOSURES:
                value = UNKNOWN
            elif value_node.type not in self.taken:
                self.take_string(value, value_node, body=body, assigned_to=self._plain(target))
        self.use_type(annotation, body, how="holds")
        written = self.annotation(annotation)
        is_told = isinstance(value, New) and written.partition("<")[0] in REQUEST_OPTIONS
        self.destructure(target, Typed(written) if written and not is_told else value, body=body)
        return UNKNOWN

    def _plain(self, target: Node) -> str:
        return self.text(target) if target.type == "identifier" else ""

    def destructure(self, pattern: Node, value: Expression, *, body: Body, is_new: bool = True) -> None:
        """Give the names in a pattern, new locals as a rule, each its part of the value."""
        pending: list[tuple[Node, Expression]] = [(pattern, value)]
        while pending:
            node, value = pending.pop()
            kind = node.type
            if kind in LOCAL_NAMES:
                name = self.text(node)
                if kind != "identifier":
                    value = Member(value, name) if value else UNKNOWN
                value = Typed(value.type, name) if isinstance(value, Typed) else value
                give = self.declare if is_new else self.reassign
                give(name, value, body=body)
                self.module_value(name, value, node=node, body=body)
            elif kind == "pair_pattern":
                key, inner = node.child_by_field_name("key"), node.child_by_field_name("value")
                part: Expression = Member(value, self.text(key)) if key is not None and value else UNKNOWN
                pending.extend([(inner, kept(part))] if inner is not None else [])
            elif kind in DEFAULTS:
                left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
                self.later([right] if right is not None else [], body)
                pending.extend([(left, value)] if left is not None else [])
            elif kind in PATTERNS or kind == "rest_pattern":
                parts: dict[str, Expression] = {
                    "object_pattern": value,
                    "array_pattern": Element(value) if value else UNKNOWN,
                }
                pending.extend((child, kept(parts.get(kind, UNKNOWN))) for child in node.named_children)
            else:
                self.later([node], body)

    def parameter(self, node: Node, value: Expression, *, body: Body) -> Parameter | None:
        """Make a local of a parameter, and a field if it says so."""
        pattern = node.child_by_field_name("pattern") if node.type in PARAMETERS else node
        if pattern is None:
            return None
        default = node.child_by_field_name("value")
        is_rest = pattern.type == "rest_pattern"
        if pattern.type == "assignment_pattern":
            default = pattern.child_by_field_name("right")
            pattern = pattern.child_by_field_name("left") or pattern
        annotation = node.child_by_field_name("type")
        written = self.annotation(annotation)
        self.use_type(annotation, body, how="parameter")
        given = self.visit(default, body) if default is not None else UNKNOWN
        name = self.text(pattern).removeprefix("...") if pattern.type in PARAMETER_NAMES else ""
        self.destructure(pattern, Typed(written) if written else _named(value, name), body=body)
        if pattern.type == "this":
            body.locals[name] = Typed(written, name)
        return Parameter(
            name,
            written,
            default=given if isinstance(given, Text | Joined) else UNKNOWN,
            is_optional=default is not None or node.type == "optional_parameter",
            is_rest=is_rest,
        )

    def assignment(self, node: Node, body: Body) -> Expression:
        """Read `a = b`."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or self._exported(left, right, body=body):
            return UNKNOWN
        value = self.visit(right, body)
        if right.type not in self.taken:
            name = left.child_by_field_name("property") or left
            self.take_string(value, right, body=body, assigned_to=self.text(name))
        if left.type == "member_expression":
            self._assign_member(left, value, body=body)
        else:
            self.destructure(left, UNKNOWN if right.type in CLOSURES else value, body=body, is_new=False)
        return value

    def _exported(self, left: Node, right: Node, *, body: Body) -> bool:
        """Read `module.exports = A`, `module.exports = {a, b: c}` and `exports.a = b`; false for anything else."""
        target = self.text(left) if left.end_byte - left.start_byte < MAX_TARGET else ""
        if target == "module.exports" and right.type == "object":
            for child in right.named_children:
                value = child.child_by_field_name("value")
                if child.type == "pair" and value is not None and value.type == "identifier":
                    self._pass_on(value, self.field_text(child, "key").strip("\"'"))
                elif child.type != "shorthand_property_identifier":
                    self.later([child], body)
            return True
        if target.startswith(EXPORTS) and right.type == "identifier":
            self._pass_on(right, DEFAULT if target == "module.exports" else target.rpartition(".")[2])
            return True
        return False

    def _pass_on(self, value: Node, name: str) -> None:
        if self.text(value) != name:
            self.imports.append(Import(f"{self.scope}.{self.text(value)}", name))

    def _assign_member(self, left: Node, value: Expression, *, body: Body) -> None:
        member = self.unnoticed_chain(left, body)
        self.access(member, left, body=body, is_write=True)
        if isinstance(member, Member) and member.receiver is THIS:
            self.own_field(member.name, value, node=left, body=body)

    def own_parameter(self, parameter: Parameter, node: Node, *, body: Body) -> None:
        """Make a field of a constructor's parameter that has an access modifier."""
        value = Typed(parameter.type, parameter.name) if parameter.type else UNKNOWN
        access = next((one for one in node.children if one.type == "accessibility_modifier"), None)
        visibility = self.text(access) if access is not None else "public"
        self.own_field(parameter.name, value, node=node, body=body, visibility=visibility)

    def augmented(self, node: Node, body: Body) -> Expression:
        """Read `sql += '…'`."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return UNKNOWN
        value = self.visit(right, body)
        if left.type != "identifier":
            self.access(self.unnoticed_chain(left, body), left, body=body, is_write=True)
            return UNKNOWN
        self.append(self.text(left), value, node=node, body=body)
        return UNKNOWN

    # control flow

    def loop(self, node: Node, body: Body) -> Expression:
        """Bind the variable of `for (… of …)`."""
        body = body.block()
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        value = self.visit(right, body) if right is not None else UNKNOWN
        if left is not None:
            is_of = self.operator(node) == "of"
            self.destructure(left, Element(value) if value and is_of else UNKNOWN, body=body)
        block = node.child_by_field_name("body")
        self.later([block] if block is not None else [], body)
        return UNKNOWN

    def returned(self, node: Node, body: Body) -> Expression:
        """Keep what a function returns."""
        value_node = first_child(node)
        if value_node is not None:
            self.keep_result(self.visit(value_node, body), value_node, body=body)
        return UNKNOWN

    def caught(self, node: Node, body: Body) -> Expression:
        """Bind what is caught."""
        body = body.block()
        parameter, block = node.child_by_field_name("parameter"), node.child_by_field_name("body")
        if parameter is not None:
            self.destructure(parameter, UNKNOWN, body=body)
        self.later([block] if block is not None else [], body)
        return UNKNOWN

    def block(self, node: Node, body: Body) -> Expression:
        """Walk a block with locals of its own."""
        self.later(node.named_children, body.block())
        return UNKNOWN

    def nothing(self, _node: Node, _body: Body) -> Expression:
        """Skip what names nothing, or what is read elsewhere."""
        return UNKNOWN

    statements: ClassVar[Mapping[str, Handler]] = {
        **ScriptExpressions.expressions,
        "import_statement": import_statement,
        "variable_declarator": variable,
        "assignment_expression": assignment,
        "augmented_assignment_expression": augmented,
        "for_in_statement": loop,
        "return_statement": returned,
        "catch_clause": caught,
        "for_statement": block,
        "statement_block": block,
        "switch_body": block,
        **dict.fromkeys(
            (
                "comment",
                "number",
                "regex",
                "true",
                "false",
                "null",
                "undefined",
                "decorator",
                "type_annotation",
                "type_arguments",
                "type_parameters",
                "property_identifier",
                "jsx_closing_element",
                "jsx_text",
            ),
            nothing,
        ),
    }


def _named(value: Expression, name: str) -> Expression:
    """Return what is known of a parameter without a type, and its name."""
    if isinstance(value, LambdaParameter):
        return value._replace(name=name)
    return value or (Typed("", name) if name else UNKNOWN)
