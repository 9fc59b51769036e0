"""Say what the outliner needs to know of a language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tree_sitter import Language, Node

# element type: (kind of graph node, spelling as a member kind)
KINDS = {
    "class": ("TYPE", "Class"),
    "struct": ("TYPE", "Struct"),
    "interface": ("TYPE", "Interface"),
    "enum": ("TYPE", "Enum"),
    "record": ("TYPE", "Record"),
    "delegate": ("TYPE", "Delegate"),
    "annotation": ("TYPE", "Annotation"),
    "type_alias": ("TYPE", "TypeAlias"),
    "component": ("TYPE", "Class"),
    "page": ("TYPE", "Class"),
    "view": ("TYPE", "Class"),
    "method": ("METHOD", "Method"),
    "constructor": ("METHOD", "Constructor"),
    "destructor": ("METHOD", "Destructor"),
    "operator": ("METHOD", "Operator"),
    "function": ("METHOD", "Function"),
    "property": ("PROPERTY", "Property"),
    "indexer": ("PROPERTY", "Indexer"),
    "field": ("FIELD", "Field"),
    "event": ("FIELD", "Event"),
    "constant": ("FIELD", "Constant"),
    "variable": ("FIELD", "Variable"),
    "enum_member": ("FIELD", "EnumMember"),
}


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a grammar reads off a node.

    ``head`` is the byte range of the signature, ``body`` the node whose children are members, ``owner`` a
    type that the declaration belongs to without standing inside it.
    """

    name: str
    element_type: str
    visibility: str | None
    head: tuple[int, int]
    body: Node | None = None
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands: in which source, and inside which element type (``""`` outside of types)."""

    source: bytes
    container: str = ""

    def text(self, node: Node) -> str:
        """Return a node's text; for small nodes."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Scope:
    """A namespace: a name that qualifies what is in ``body``, or without a body, the siblings that follow."""

    name: str
    body: Node | None = None


def no_scope(_node: Node, _place: Place) -> Scope | None:
    """Say that a language has no namespaces."""
    return None


@dataclass(frozen=True, slots=True)
class Grammar:
    """What the driver needs to know of a language."""

    language: Language
    declare: Callable[[Node, Place], Declaration | None]
    scope: Callable[[Node, Place], Scope | None] = no_scope
    transparent: frozenset[str] = frozenset({"ERROR"})
    leads: frozenset[str] = frozenset({"comment"})
    hash_comments: bool = False
    aligned_leads: bool = False  # comments above belong to a declaration only at its own indentation
