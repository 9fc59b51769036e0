"""Let the facts of many files have in common what is equal: millions of small objects are some of the memory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ragduck.facts import code, expressions

Kinds: TypeAlias = Mapping[tuple[str, str], type]  # by module and name

# Facts of texts and truth values alone: of others two may be equal, as tuples are, and yet be of different kinds
_FLAT = (
    code.Import,
    expressions.Name,
    expressions.NameOf,
    expressions.Text,
    expressions.Typed,
    expressions.TypeOf,
)
_NAME, _TYPE = map(code.MemberFact._fields.index, ("name", "type"))
_LINES = tuple(map(code.MemberFact._fields.index, ("line", "end_line")))
_DEFAULT, _TRIGGERS = map(code.Parameter._fields.index, ("default", "triggers"))


def sharing_kinds(read: Kinds) -> Kinds:
    """Return what stands for kinds of facts, and of equal ones makes but one, as far as that is easily told."""
    shared: dict[type, type] = {kind: _sharing(kind) for kind in _FLAT}
    shared |= {code.Parameter: _sharing(code.Parameter, _is_plain), code.MemberFact: _named_alike()}
    return {place: shared.get(kind, kind) for place, kind in read.items()}


def _is_plain(values: tuple[Any, ...]) -> bool:
    """Say of a parameter whether it is of texts and truth values but for what it has none of."""
    return isinstance(values[_DEFAULT], expressions.Unknown) and not values[_TRIGGERS]


def _sharing(kind: type, may_share: Callable[[tuple[Any, ...]], bool] = lambda _: True) -> type:
    """Return what stands for a kind of facts, and makes equal ones once."""
    known: dict[Any, Any] = {}

    def made(_: type, *values: Any) -> Any:
        one: Any = tuple.__new__(kind, values)
        return known.setdefault(one, one) if may_share(values) else one

    return type(kind.__name__, (kind,), {"__new__": made})


def _named_alike() -> type:
    """Return what stands for the facts of members, of which many have the same name and type, and stand on a line."""
    lines: dict[int, int] = {}

    def made(_: type, *values: Any) -> code.MemberFact:
        facts = [*values]
        facts[_NAME], facts[_TYPE] = sys.intern(values[_NAME]), sys.intern(values[_TYPE])
        for place in _LINES:
            facts[place] = lines.setdefault(values[place], values[place])
        return tuple.__new__(code.MemberFact, facts)

    return type("MemberFact", (code.MemberFact,), {"__new__": made})
