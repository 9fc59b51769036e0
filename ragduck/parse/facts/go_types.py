"""Read the types that Go writes, parameters among them."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from ragduck.facts import Parameter
from ragduck.parse.facts.bodies import BodyWalker
from ragduck.parse.facts.body import Body

NAMED = frozenset({"type_identifier", "qualified_type", "generic_type"})
BUILT_IN = frozenset(
    {
        *(
            "any",
            "bool",
            "byte",
            "comparable",
            "complex128",
            "complex64",
            "error",
            "float32",
            "float64",
            "int",
        ),
        *("int16", "int32", "int64", "int8", "rune", "string", "uint", "uint16", "uint32", "uint64", "uint8"),
        "uintptr",
    }
)
MAX_TYPES = 40  # nodes of one written type that are looked at


class GoTypes(BodyWalker):
    """Take down the types that are named."""

    def is_news(self, written: str) -> bool:
        """Leave out the types of the language."""
        return written not in BUILT_IN

    def use_type(self, node: Node | None, body: Body, *, how: str) -> None:
        """Take down the types that are named in a written one."""
        for named in _named(node) if node is not None else ():
            self.use(self.written(named), named, body=body, how=how)

    def result(self, node: Node) -> str:
        """Return the type of the first result of a function."""
        found = node.child_by_field_name("result")
        if found is not None and found.type == "parameter_list":
            first = next(iter(found.named_children), None)
            found = first.child_by_field_name("type") if first is not None else None
        return self.written(found)

    def parameters(self, node: Node | None, body: Body | None = None) -> list[Parameter]:
        """Read parameters, and take down their types for a body; `a, b T` are two."""
        found: list[Parameter] = []
        for child in node.named_children if node is not None else ():
            type_node = child.child_by_field_name("type")
            if type_node is None:
                continue
            if body is not None:
                self.use_type(type_node, body, how="parameter")
            is_rest = child.type == "variadic_parameter_declaration"
            written = ("[]" if is_rest else "") + self.written(type_node)
            names = child.children_by_field_name("name") or [child]
            for name in names:
                text = self.text(name) if name is not child else ""
                found.append(Parameter(text, written, is_rest=is_rest))
        return found

    def type_parameters(self, node: Node) -> list[Parameter]:
        """Read `[T any, K comparable]`."""
        listed = node.child_by_field_name("type_parameters")
        found: list[Parameter] = []
        for child in listed.named_children if listed is not None else ():
            bound = self.written(child.child_by_field_name("type"))
            bound = "" if bound in BUILT_IN else bound
            found.extend(Parameter(self.text(name), bound) for name in child.children_by_field_name("name"))
        return found


def _named(node: Node) -> Iterator[Node]:
    pending = [node]
    for _ in range(MAX_TYPES):
        if not pending:
            return
        current = pending.pop()
        if current.type in NAMED:
            yield current
        else:
            pending.extend(reversed(current.named_children))
