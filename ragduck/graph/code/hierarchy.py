"""Relate types to their bases, and methods and properties to what they implement, override or hand on to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ragduck.facts import FileFacts, MemberFact
from ragduck.graph.code.calls import constructor_targets
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.implementations import implementing
from ragduck.graph.types.arities import declared_members
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.declarations import family_of

OVERRIDABLE = ("METHOD", "PROPERTY")


def add_hierarchy(catalog: Catalog, edges: EdgeCollector, types: Iterable[TypeInfo]) -> None:
    """Add Inherits and Implements edges of types, their methods and their properties."""
    for info in types:
        _add_bases(catalog, info, edges=edges)
        if not info.is_interface:
            _add_implementations(catalog, info, edges=edges)
            _add_overrides(catalog, info, edges=edges)
            _add_base_constructors(catalog, info, edges=edges)


def given_bases_in(catalog: Catalog, files: Collection[FileFacts]) -> Iterable[TypeInfo]:
    """Yield the Razor views of which the bases stand in some files above them."""
    paths = {file.path for file in files if any(view.how == "inherits" for view in file.views)}
    for info in catalog.types.values() if paths else ():
        given = catalog.page_base(info)
        if given is not None and given.path in paths:
            yield info


def _add_bases(catalog: Catalog, info: TypeInfo, *, edges: EdgeCollector) -> None:
    given = catalog.page_base(info)
    for ref in catalog.bases(info):
        if given is not None and ref.info is not None and ref.info is given.ref.info:
            at = Site(given.path, given.line)
            edges.add(info.key, ref.info.key, relation="Inherits", rule="page base", at=at)
        elif ref.info is not None:
            implements = ref.info.is_interface and not info.is_interface
            relation = "Implements" if implements else "Inherits"
            rule = "method set" if implements and info.language == "go" else "base list"
            edges.add(info.key, ref.info.key, relation=relation, rule=rule, at=_site(info))


def _site(info: TypeInfo) -> Site:
    return Site(info.files[0].path, info.declarations[0].line)


def _add_implementations(catalog: Catalog, info: TypeInfo, *, edges: EdgeCollector) -> None:
    interfaces: dict[TypeInfo, list[TypeRef]] = {}
    for ref in catalog.ancestors(info):
        if ref.info is not None and ref.info.is_interface:
            interfaces.setdefault(ref.info, []).append(ref)
    for interface, refs in interfaces.items():
        for members in declared_members(catalog, refs).values():
            for declared in _each_arity(members):
                if declared.kind in OVERRIDABLE:
                    _add_implementation(catalog, info, interface=interface, declared=declared, edges=edges)


def _each_arity(members: Sequence[MemberFact]) -> Iterable[MemberFact]:
    """Return the first member of a generic interface and of its plain namesake."""
    return {one.arity: one for one in reversed(members)}.values()


def _add_implementation(
    catalog: Catalog, info: TypeInfo, *, interface: TypeInfo, declared: MemberFact, edges: EdgeCollector
) -> None:
    for member in implementing(catalog, info, member=declared):
        rule = "explicit implementation" if "." in member.name else "implements"
        site = Site(catalog.home_of(member).path, member.line)
        if member.owner != info.key:
            base = catalog.types[member.owner]
            if any(ref.info is interface for ref in catalog.ancestors(base)):
                continue  # said of the base already
            rule, site = "inherited implementation", _site(info)
        edges.add(member.key, declared.key, relation="Implements", rule=rule, at=site)


def _add_overrides(catalog: Catalog, info: TypeInfo, *, edges: EdgeCollector) -> None:
    """Relate members to those of the nearest base class; C# says `override`, other languages say nothing."""
    says_so = family_of(info.language) == "csharp"
    bases = [
        ref.info for ref in catalog.ancestors(info) if ref.info is not None and not ref.info.is_interface
    ]
    for name, members in info.members.items() if bases else ():
        member = members[0]
        if member.element_type != "method" and not (says_so and member.kind == "PROPERTY"):
            continue
        if says_so and "override" not in member.modifiers:
            continue
        declared = next((base.members[name][0] for base in bases if name in base.members), None)
        if declared is not None and declared.kind == member.kind:
            site = Site(catalog.home_of(member).path, member.line)
            edges.add(member.key, declared.key, relation="Implements", rule="overrides", at=site)


def _add_base_constructors(catalog: Catalog, info: TypeInfo, *, edges: EdgeCollector) -> None:
    for members in info.members.values():
        for member in members:
            if member.hands_to != "base":
                continue
            site = Site(catalog.home_of(member).path, member.line)
            for ref in catalog.bases(info):
                for target in constructor_targets(ref.info) if ref.info is not None else ():
                    edges.add(member.key, target.key, relation="Calls", rule="base constructor", at=site)
