"""Read the types that TypeScript writes beside names."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from ragduck.facts import Parameter
from ragduck.parse.facts.bodies import BodyWalker, first_child
from ragduck.parse.facts.body import Body
from ragduck.parse.facts.declared import Reading
from ragduck.parse.facts.script_names import TYPES

NAMED = frozenset({"type_identifier", "nested_type_identifier", "generic_type", "array_type"})
MAX_TYPES = 40  # nodes of one written type that are looked at


class ScriptTypes(BodyWalker):
    """Take down the types that are named."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self.path = reading.document.path
        top = [one for one in reading.declared.values() if one.owner is None]
        self.classes = {one.name for one in top if one.kind == "TYPE"}
        self.imported: set[str] = set()
        self.known = {one.name for one in top}  # and imported names, as they come

    def is_news(self, written: str) -> bool:
        """Leave out the types of the language."""
        return written.removesuffix("[]") not in TYPES

    def annotation(self, node: Node | None) -> str:
        """Return the type of `: T`."""
        if node is None or node.type != "type_annotation":
            return ""
        return self.written(first_child(node))

    def use_type(self, node: Node | None, body: Body, *, how: str) -> None:
        """Take down the types that are named in a written one."""
        for named in _named(node) if node is not None else ():
            self.use(self.written(named), named, body=body, how=how)

    def type_arguments(self, node: Node | None) -> tuple[str, ...]:
        """Return what stands in angle brackets."""
        return tuple(self.written(child) for child in node.named_children) if node is not None else ()

    def type_parameters(self, node: Node) -> list[Parameter]:
        """Read `<T extends Bound>`."""
        listed = node.child_by_field_name("type_parameters")
        found = []
        for child in listed.named_children if listed is not None else ():
            constraint = child.child_by_field_name("constraint")
            bound = first_child(constraint) if constraint is not None else None
            found.append(Parameter(self.field_text(child, "name"), self.written(bound)))
        return [one for one in found if one.name]


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
