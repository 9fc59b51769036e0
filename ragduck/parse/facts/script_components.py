"""Find the objects that components of Vue are made of: what stands in them by name are members, as of a class."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

COMPONENT = "component"
GROUPS = frozenset({"methods", "computed"})  # whose entries are members of the component
MAKERS = frozenset({b"defineComponent", b"Vue.extend"})
BASES = frozenset({"extends", "mixins"})
MAX_KEY = 30  # longer names are none of these


def options_of(node: Node, source: bytes) -> Node | None:
    """Return the object that makes a component: it has methods or computed values by name. None for any other."""
    if node.type == "call_expression":
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if (
            function is None
            or arguments is None
            or source[function.start_byte : function.end_byte] not in MAKERS
        ):
            return None
        node = next((child for child in arguments.named_children if child.type == "object"), node)
    if node.type != "object":
        return None
    is_component = any(is_group(child, source) for child in node.named_children)
    return node if is_component else None


def is_group(node: Node, source: bytes) -> bool:
    """Say whether an entry of the options holds members: `methods: {…}`."""
    value = node.child_by_field_name("value")
    return value is not None and value.type == "object" and _key(node, source) in GROUPS


def is_computed(node: Node, source: bytes) -> bool:
    """Say whether an entry stands in `computed: {…}`: it is called, but read as a property."""
    group = node.parent.parent if node.parent is not None else None
    return group is not None and _key(group, source) == "computed"


def bases_in(options: Node, source: bytes) -> Iterator[Node]:
    """Yield the names of the components that one extends and mixes in."""
    for entry in options.named_children:
        value = entry.child_by_field_name("value")
        if value is not None and _key(entry, source) in BASES:
            named = value.named_children if value.type == "array" else [value]
            yield from (one for one in named if one.type == "identifier")


def _key(node: Node, source: bytes) -> str:
    key = node.child_by_field_name("key") if node.type == "pair" else None
    if key is None or key.end_byte - key.start_byte > MAX_KEY:
        return ""
    return source[key.start_byte : key.end_byte].decode("utf-8", "replace").strip("\"'")
