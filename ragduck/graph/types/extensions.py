"""Find the extension methods that a call can mean: those in sight whose first parameter the receiver fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ragduck.facts import FileFacts, MemberFact
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.declarations import TypeInfo, TypeRef
from ragduck.graph.types.externals import is_reference, is_value
from ragduck.graph.types.findings import Found
from ragduck.graph.types.methods import (
    ANYTHING,
    BOUND_WORDS,
    accepts,
    infer,
    is_a,
    is_same,
    lineage,
    member_owner,
    parameter_type,
    resolved,
    visible_extensions,
)

CLOSED, HOLDS_OPEN, OPEN = range(3)

Suits = Callable[[MemberFact], bool]


class _Candidate(NamedTuple):
    """A method and what it extends; a type parameter is what the receiver is.

    ``openness`` tells what type parameters leave open: nothing, a type argument, or all.
    """

    method: MemberFact
    wanted: TypeRef
    openness: int


def extensions_of(
    catalog: Catalog,
    ref: TypeRef,
    name: str,
    *,
    file: FileFacts,
    owner: TypeInfo | None = None,
    count: int | None = None,
    suits: Suits | None = None,
) -> Found | None:
    """Find the extension methods that a file sees, or a type of it, and whose first parameter the receiver fits.

    Where the ``count`` of arguments is given, only those that take so many: others may be those of a package. Those
    of objects come last, and of those that are left, if any of them ``suits``, such alone are meant.
    """
    candidates = visible_extensions(catalog, name, file=file, owner=owner)
    if count is not None:
        candidates = [one for one in candidates if accepts(one, count, is_extension=True)]
    fitting = [one for one in candidates if _fits(catalog, ref, member=one)]
    if not fitting and ref.name != "dynamic":
        fitting = [one for one in candidates if one.parameters[0].type in ANYTHING]
    if suits is not None:
        fitting = [one for one in fitting if suits(one)] or fitting
    owners = {member_owner(catalog, one).key for one in fitting}
    if len(owners) > 1:
        fitting = _nearest(catalog, ref, fitting)
        owners = {member_owner(catalog, one).key for one in fitting}
    if len(owners) != 1:
        return None
    declaring = member_owner(catalog, fitting[0])
    return Found(tuple(fitting), TypeRef(declaring.name, declaring), is_extension=True)


def _fits(catalog: Catalog, ref: TypeRef, *, member: MemberFact) -> bool:
    wanted = parameter_type(catalog, member, position=0)
    if wanted is None:
        return False
    if _is_parameter(wanted, member):
        return _fits_bounds(catalog, ref, member=member, parameter=wanted.name)
    return is_a(catalog, ref, wanted) and _fits_inside(catalog, ref, wanted, member=member)


def _is_parameter(wanted: TypeRef, member: MemberFact) -> bool:
    return wanted.info is None and wanted.name in member.type_parameters


def _fits_bounds(catalog: Catalog, ref: TypeRef, *, member: MemberFact, parameter: str) -> bool:
    bounds = [one.type for one in member.constraints if one.name == parameter]
    types = [resolved(catalog, member, written=bound) for bound in bounds if bound not in BOUND_WORDS]
    family = list(lineage(catalog, ref)) if types else []
    return _may_be(ref, bounds) and all(any(is_same(one, bound) for one in family) for bound in types)


def _fits_inside(catalog: Catalog, ref: TypeRef, wanted: TypeRef, *, member: MemberFact) -> bool:
    """Say whether type arguments may be what `this Holder<T> holder` asks for, as far as both are known."""
    if not (member.constraints and wanted.arguments):
        return True
    given = next((one for one in lineage(catalog, ref) if is_same(one, wanted)), None)
    binding = infer((wanted,), (given,), names=member.type_parameters)
    return all(
        _may_have_bound(catalog, binding[one.name], bound=one.type, member=member)
        for one in member.constraints
        if one.name in binding
    )


def _may_have_bound(catalog: Catalog, ref: TypeRef, *, bound: str, member: MemberFact) -> bool:
    if bound in BOUND_WORDS:
        return _may_be(ref, (bound,))
    wanted = resolved(catalog, member, written=bound)
    if ref.info is None or wanted.info is None:
        return True
    return any(is_same(one, wanted) or one.name == wanted.name for one in lineage(catalog, ref))


def _may_be(ref: TypeRef, bounds: Sequence[str]) -> bool:
    """Say whether a type may be bounded so, as far as that is told by `class` and `struct`."""
    if "struct" in bounds:
        return not is_reference(ref)
    return not (is_value(ref) and ("class" in bounds or "class?" in bounds))


def _nearest(catalog: Catalog, ref: TypeRef, methods: Sequence[MemberFact]) -> list[MemberFact]:
    """Return the methods that extend what is nearest to a receiver: the type itself before its bases."""
    groups: dict[tuple[TypeInfo | None, str, int, int], list[_Candidate]] = {}
    for method in methods:
        wanted = parameter_type(catalog, method, position=0)
        if wanted is not None:
            openness = _openness(wanted, method)
            one = _Candidate(method, ref if openness == OPEN else wanted, openness)
            key = (one.wanted.info, one.wanted.name, len(one.wanted.arguments), openness)
            groups.setdefault(key, []).append(one)
    firsts = [group[0] for group in groups.values()]
    for group in groups.values():
        if all(one is group[0] or _is_nearer(group[0], one, ref, catalog=catalog) for one in firsts):
            return [one.method for one in group]
    return []


def _openness(wanted: TypeRef, member: MemberFact) -> int:
    if _is_parameter(wanted, member):
        return OPEN
    return HOLDS_OPEN if any(_is_parameter(one, member) for one in wanted.arguments) else CLOSED


def _is_nearer(one: _Candidate, other: _Candidate, ref: TypeRef, *, catalog: Catalog) -> bool:
    """Say whether one of two methods comes first: what leaves less open, if both extend the very type."""
    if is_same(one.wanted, other.wanted):
        given = next((each for each in lineage(catalog, ref) if is_same(each, one.wanted)), ref)
        distances = [abs(len(each.wanted.arguments) - len(given.arguments)) for each in (one, other)]
        return (distances[0], one.openness) < (distances[1], other.openness)
    return any(is_same(each, other.wanted) for each in lineage(catalog, one.wanted))
