"""Read facts off Python: classes, functions, `self.x = x`, imports made absolute, and what bodies do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from tree_sitter import Node

from ragduck.facts import (
    UNKNOWN,
    Attribute,
    Call,
    Expression,
    FileFacts,
    Import,
    Joined,
    New,
    Parameter,
    Text,
    Typed,
)
from ragduck.parse.facts.bodies import Handler, first_child
from ragduck.parse.facts.body import Arguments, Body
from ragduck.parse.facts.declared import Declared, Reading
from ragduck.parse.facts.python_expressions import BUILTINS
from ragduck.parse.facts.python_statements import PythonStatements
from ragduck.parse.facts.values import THIS

MODIFIERS = {"staticmethod": "static", "classmethod": "static", "abstractmethod": "abstract"}


def facts_of(reading: Reading) -> FileFacts:
    """Read the facts of a Python module."""
    return PythonFacts(reading).facts()


class PythonFacts(PythonStatements):
    """Collect the facts of a module."""

    # imports

    def import_names(self, node: Node, _body: Body) -> Expression:
        """Read `import a.b as c`."""
        for child in node.children_by_field_name("name"):
            name, alias = self._imported(child)
            self.imports.append(Import(name, alias))
            self.known.add(alias or name.partition(".")[0])
        return UNKNOWN

    def import_from(self, node: Node, _body: Body) -> Expression:
        """Read `from .a import b as c`, with the full name of the module."""
        module = self._absolute(node.child_by_field_name("module_name"))
        for child in node.children_by_field_name("name"):
            name, alias = self._imported(child)
            self.imports.append(Import(f"{module}.{name}" if module else name, alias))
            self.known.add(alias or name)
        if any(child.type == "wildcard_import" for child in node.named_children):
            self.imports.append(Import(f"{module}.*" if module else "*"))
        return UNKNOWN

    def _imported(self, node: Node) -> tuple[str, str]:
        if node.type != "aliased_import":
            return self._dotted(node), ""
        name = node.child_by_field_name("name")
        return self._dotted(name) if name is not None else "", self.field_text(node, "alias")

    def _dotted(self, node: Node) -> str:
        return "".join(self.text(node).split())

    def _absolute(self, node: Node | None) -> str:
        if node is None:
            return ""
        written = self._dotted(node)
        if node.type != "relative_import":
            return written
        name = written.lstrip(".")
        package = self.scope.split(".")
        is_package = self.reading.document.path.rpartition("/")[2] == "__init__.py"
        up = len(written) - len(name) - (1 if is_package else 0)
        return ".".join([*package[: max(0, len(package) - up)], *([name] if name else [])])

    # declarations

    def decorated(self, node: Node, body: Body) -> Expression:
        """Read a definition together with its decorators."""
        definition = node.child_by_field_name("definition")
        if definition is not None:
            decorators = [child for child in node.named_children if child.type == "decorator"]
            declare = self._class if definition.type == "class_definition" else self._function
            declare(definition, body, decorators=decorators, declared=self.declared.get(node.id))
        return UNKNOWN

    def class_definition(self, node: Node, body: Body) -> Expression:
        """Read a class without decorators."""
        self._class(node, body, decorators=[], declared=self.declared.get(node.id))
        return UNKNOWN

    def function_definition(self, node: Node, body: Body) -> Expression:
        """Read a function without decorators."""
        self._function(node, body, decorators=[], declared=self.declared.get(node.id))
        return UNKNOWN

    def _class(self, node: Node, body: Body, *, decorators: list[Node], declared: Declared | None) -> None:
        inner = (
            Body.of(declared, body, owner=declared) if declared is not None else Body(body.source, outer=body)
        )
        attributes = self._decorate(decorators, inner)
        superclasses = node.child_by_field_name("superclasses")
        bases = superclasses.named_children if superclasses is not None else []
        simple = [base for base in bases if base.type in ("identifier", "attribute", "subscript")]
        if declared is not None:
            self.add_type(
                declared,
                bases=[self.written(base) for base in simple],
                type_parameters=self._type_parameters(node, simple),
                attributes=attributes,
            )
            bases = [base for base in bases if base not in simple]
        block = node.child_by_field_name("body")
        self.later([*bases, *([block] if block is not None else [])], inner)

    def _type_parameters(self, node: Node, bases: list[Node]) -> list[Parameter]:
        """Read `class A[T: Bound]` and `class A(Generic[T])`."""
        written = node.child_by_field_name("type_parameters")
        names = [self.written(child) for child in written.named_children] if written is not None else []
        for base in bases:
            if base.type == "subscript" and self.field_text(base, "value").endswith("Generic"):
                names.extend(self.written(child) for child in base.children_by_field_name("subscript"))
        parts = [name.partition(":") for name in names]
        return [Parameter(name.strip(" *"), bound.strip()) for name, _, bound in parts]

    def _function(self, node: Node, body: Body, *, decorators: list[Node], declared: Declared | None) -> None:
        owner = declared.owner if declared is not None else body.owner
        inner = Body.of(declared, body) if declared is not None else body.inner()
        attributes = self._decorate(decorators, inner)
        names = {one.name.rpartition(".")[2] for one in attributes}
        words = {MODIFIERS[name] for name in names & MODIFIERS.keys()}
        if node.children and node.children[0].type == "async":
            words.add("async")
        has_self = declared is not None and owner is not None and "staticmethod" not in names
        parameters = self._parameters(node.child_by_field_name("parameters"), inner, has_self=has_self)
        returned = node.child_by_field_name("return_type")
        self.use_annotation(returned, inner, how="returns")
        if declared is not None:
            self.add_member(
                declared,
                body=inner,
                type=self.written(returned),
                parameters=parameters,
                type_parameters=self._type_parameters(node, []),
                attributes=attributes,
                modifiers=words,
            )
        block = node.child_by_field_name("body")
        self.later([block] if block is not None else [], inner)

    def _decorate(self, decorators: list[Node], body: Body) -> list[Attribute]:
        """Read decorators, and take those that are functions for called."""
        found = []
        for decorator in decorators:
            child = first_child(decorator)
            if child is None:
                continue
            called = child.type == "call"
            function = child.child_by_field_name("function") if called else child
            name = self._dotted(function) if function is not None else ""
            value = self.visit(child, body) if called else self.unnoticed_chain(child, body)
            if called:
                arguments = value.arguments if isinstance(value, Call | New) else ()
                found.append(Attribute(name, arguments))
                continue
            found.append(Attribute(name))
            if name not in BUILTINS and not name.endswith((".setter", ".deleter", ".getter")):
                self.call(value, child, body=body, arguments=_NO_ARGUMENTS)
        return found

    def _parameters(self, node: Node | None, body: Body, *, has_self: bool) -> list[Parameter]:
        """Read parameters, and make locals of them; the first one of a method is `this`."""
        found: list[Parameter] = []
        for child in node.named_children if node is not None else ():
            parameter = self._parameter(child, body)
            if parameter is None:
                continue
            if has_self:
                body.locals[parameter.name] = THIS
                has_self = False
                continue
            body.locals[parameter.name] = (
                Typed(parameter.type, parameter.name) if parameter.type and not parameter.is_rest else UNKNOWN
            )
            found.append(parameter)
        return found

    def _parameter(self, node: Node, body: Body) -> Parameter | None:
        kind = node.type
        name = node.child_by_field_name("name") or (node if kind == "identifier" else first_child(node))
        if name is None or kind in ("comment", "keyword_separator", "positional_separator"):
            return None
        is_rest = name.type.endswith("splat_pattern") or kind.endswith("splat_pattern")
        written = node.child_by_field_name("type")
        default = node.child_by_field_name("value")
        value = self.visit(default, body) if default is not None else UNKNOWN
        self.use_annotation(written, body, how="parameter")
        return Parameter(
            self.text(name).lstrip("*"),
            self.written(written),
            default=value if isinstance(value, Text | Joined) else UNKNOWN,
            is_optional=default is not None,
            is_rest=is_rest,
        )

    handlers: ClassVar[Mapping[str, Handler]] = {
        **PythonStatements.handlers,
        "import_statement": import_names,
        "import_from_statement": import_from,
        "decorated_definition": decorated,
        "class_definition": class_definition,
        "function_definition": function_definition,
    }


_NO_ARGUMENTS = Arguments()
