"""Know the objects that a migration hands its `MigrationBuilder` to, and the texts in their members.

new OrderTable(migrationBuilder).Create();
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ragduck.facts import Call, MemberFact, Name
from ragduck.graph.migrations.changes import Place, is_builder_type
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.literals import text_of

PlaceOf = Callable[[MemberFact, Mapping[str, str]], Place]


def taking_builder(info: TypeInfo) -> MemberFact | None:
    """Return the constructor of a class that takes a `MigrationBuilder`."""
    for member in info.members.get(info.name, ()):
        is_maker = member.element_type == "constructor"
        if is_maker and any(is_builder_type(one.type) for one in member.parameters):
            return member
    return None


def texts_in(info: TypeInfo, catalog: Catalog, place_of: PlaceOf) -> dict[str, str]:
    """Return the texts that an object's members hold: of each class before its base, what constructors set first."""
    found: dict[str, str | None] = {}
    given: Mapping[str, str] = {}
    above = [
        ref.info for ref in catalog.inherited(info) if ref.info is not None and not ref.info.is_interface
    ]
    for declared, base in zip([info, *above], [*above, None], strict=True):
        maker = taking_builder(declared)
        if maker is not None:
            place = place_of(maker, given)
            for one in maker.assignments:
                found.setdefault(one.member, place.text(one.value))
            given = _handed_on(maker, base, place)
        for member in (member for members in declared.members.values() for member in members):
            file = catalog.home_of(member)
            text = text_of(member.value, catalog=catalog, file=file, source=member.key)
            if text is not None:
                found.setdefault(member.name, text)
    return {name: text for name, text in found.items() if text is not None}


def _handed_on(maker: MemberFact, base: TypeInfo | None, place: Place) -> Mapping[str, str]:
    """Return the texts that a constructor gives to `base(…)`."""
    taking = taking_builder(base) if base is not None else None
    if taking is None or maker.hands_to != "base":
        return {}
    return place.bound(Call(Name("base"), maker.handed_on), taking, offset=0)
