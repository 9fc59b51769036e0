"""Read patterns: the types they test, the members and constants they name and the locals they declare."""

from __future__ import annotations

from tree_sitter import Node

from ragduck.facts import UNKNOWN, AccessFact, Expression, Member, Typed
from ragduck.parse.facts.csharp_reader import Local, Reader
from ragduck.parse.facts.csharp_values import bounded, element, root

_VALUES = frozenset(("constant_pattern", "relational_pattern"))
_TYPED = frozenset(("declaration_pattern", "recursive_pattern"))
_COMPOUND = {
    "and_pattern",
    "or_pattern",
    "negated_pattern",
    "parenthesized_pattern",
    "list_pattern",
    "tuple_pattern",
}
PATTERNS = _VALUES | _TYPED | _COMPOUND | {"type_pattern", "var_pattern", "discard"}


def read_pattern(reader: Reader, node: Node, *, subject: Expression = UNKNOWN) -> None:
    """Read a pattern with all patterns inside it, and what they ask of the ``subject``."""
    pending = [(node, bounded(subject))]
    while pending:
        part, subject = pending.pop()
        kind = part.type
        if kind in _VALUES:
            reader.parts(part)
        elif kind in _TYPED:
            subject = _read_typed(reader, part, subject=subject)
            pending.extend(
                (child, subject) for child in reversed(part.children) if child.type.endswith("_clause")
            )
        elif kind in ("type_pattern", "var_pattern"):
            _read_simple(reader, part, subject=subject)
        elif kind == "subpattern":
            subject = _read_members(reader, part, subject=subject)
            pending.extend((child, subject) for child in reversed(part.children) if child.type in PATTERNS)
        elif kind == "tuple_pattern":
            declare_names(reader, part)
        else:
            subject = element(subject) if kind == "list_pattern" else subject
            pending.extend((child, subject) for child in reversed(part.children) if child.is_named)


def _read_typed(reader: Reader, node: Node, *, subject: Expression) -> Expression:
    """Read `T { … } name`; return what the patterns inside are about."""
    type_ = node.child_by_field_name("type")
    name = node.child_by_field_name("name")
    written = "" if type_ is None else reader.use(type_, "cast")
    if written not in ("", "var"):
        subject = Typed(written, reader.name(name) if name is not None else "")
    if name is not None and name.type == "identifier":
        reader.declare(reader.name(name), Local(subject))
    return subject


def _read_members(reader: Reader, node: Node, *, subject: Expression) -> Expression:
    """Note the members of `{ A.B: pattern }`; return what the pattern is about."""
    names = node.children[0]
    if names.type not in ("identifier", "member_access_expression") or len(node.children) < 3:
        return UNKNOWN
    for name in reader.text(names).split("."):
        subject = bounded(Member(subject, name.strip().lstrip("@")))
    if root(subject) is not UNKNOWN:
        reader.accesses.append(AccessFact(reader.origin, subject, names.start_point.row + 1))
    return subject


def _read_simple(reader: Reader, node: Node, *, subject: Expression) -> None:
    for child in node.children:
        if not child.is_named:
            continue
        if node.type == "type_pattern":
            reader.use(child, "cast")
        elif child.type == "identifier":
            reader.declare(reader.name(child), Local(subject))
        else:
            declare_names(reader, child)


def declare_names(reader: Reader, node: Node, *, value: Expression = UNKNOWN) -> None:
    """Declare the locals of `(a, (b, c))`: what is taken apart has `Item1` and `Item2`, as a tuple has."""
    pending = [(node, value)]
    while pending:
        outer, whole = pending.pop()
        for place, child in enumerate(one for one in outer.children if one.is_named):
            part = part_of(whole, place)
            if child.type == "identifier":
                reader.declare(reader.name(child), Local(part))
            else:
                pending.append((child, part))


def part_of(whole: Expression, place: int) -> Expression:
    """Return what something is taken apart into at a place, from 0."""
    return bounded(Member(whole, f"Item{place + 1}")) if root(whole) is not UNKNOWN else UNKNOWN
