"""Know what constructors put into the members of an object, also what a derived class hands on to its base."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ragduck.facts import Argument, Assignment, Expression, Parameter, Typed
from ragduck.graph.types.catalog import Catalog, TypeInfo

_MOST_LEVELS = 12  # of bases
_MOST = 8  # values of a member


class Placed(NamedTuple):
    """An expression, and the key of the constructor or type that it stands in."""

    value: Expression
    source: str


class _Maker(NamedTuple):
    """A constructor, a primary one among them: what it takes, puts into members and hands on to its base."""

    key: str
    parameters: Sequence[Parameter]
    assignments: Sequence[Assignment] = ()
    handed_on: Sequence[Argument] = ()


def constructed(catalog: Catalog, made: TypeInfo, name: str) -> Iterator[Placed]:
    """Yield what constructors put into a member of an object of a class, those of the class itself first."""
    for level in _levels(catalog, made):
        for maker in _makers(level):
            for one in maker.assignments:
                if one.member == name:
                    yield Placed(one.value, maker.key)


def handed(catalog: Catalog, made: TypeInfo, *, parameter: Typed, source: str) -> Sequence[Placed]:
    """Return what a parameter of the constructor ``source`` is given when an object of a derived class is made."""
    levels = _levels(catalog, made)
    for child, level in pairwise(levels):
        for maker in _makers(level):
            if maker.key == source:
                return tuple(_given(child, maker, parameter.name))[:_MOST]
    return ()


def _given(child: TypeInfo, maker: _Maker, name: str) -> Iterator[Placed]:
    place = next((at for at, one in enumerate(maker.parameters) if one.name == name), None)
    needed = sum(1 for one in maker.parameters if not (one.is_optional or one.is_rest))
    for one in _makers(child):
        fits = needed <= len(one.handed_on) <= len(maker.parameters)
        told = next((given.value for given in one.handed_on if given.name == name), None)
        if told is not None:
            yield Placed(told, one.key)
        elif fits and place is not None and place < len(one.handed_on) and not one.handed_on[place].name:
            yield Placed(one.handed_on[place].value, one.key)


def _levels(catalog: Catalog, made: TypeInfo) -> list[TypeInfo]:
    above = (ref.info for ref in catalog.inherited(made))
    return [made, *(one for one in above if one is not None and not one.is_interface)][:_MOST_LEVELS]


def _makers(level: TypeInfo) -> list[_Maker]:
    found = [
        _Maker(level.key, one.parameters, handed_on=one.base_arguments)
        for one in level.declarations
        if one.parameters or one.base_arguments
    ]
    for name in (level.name, "constructor"):
        for one in level.members.get(name, ()):
            if one.element_type == "constructor" and "static" not in one.modifiers:
                handed_on = one.handed_on if one.hands_to != "this" else ()
                found.append(_Maker(one.key, one.parameters, one.assignments, handed_on))
    return found
