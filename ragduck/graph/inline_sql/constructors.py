"""Work out what constructors are given: by callers' defaults, by `this(…)`, by `base(…)` of a derived class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ragduck.facts import Argument, Expression, MemberFact, Parameter, Unknown
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.sqlreader.recognition import UNKNOWN_PIECE

Values = tuple[str | None, ...]  # None stands for null
Bound = Mapping[str, Values]
Given = Sequence[tuple[str, Values]]  # arguments: name if written, values

_MAX_VALUES = 16
_MAX_CHAIN = 8  # of constructors that call each other
_MAX_LEVELS = 20
_PRIMARY = 0


class Place(NamedTuple):
    """Where an argument or a default stands: in a constructor of ``level`` when a ``binding`` is made."""

    level: TypeInfo
    binding: TypeInfo
    parameters: Bound
    source: str


Evaluate = Callable[[Expression, Place], Values]


@dataclass(frozen=True, slots=True)
class Construction:
    """The parameters of a class's primary and other constructors."""

    of_primary: Bound = field(default_factory=dict)
    of_constructors: tuple[tuple[MemberFact, Bound], ...] = ()


class Constructions:
    """What each class on the way from a base to a binding is constructed with, worked out once."""

    def __init__(self, catalog: Catalog, *, evaluate: Evaluate) -> None:
        self._catalog = catalog
        self._evaluate = evaluate
        self._known: dict[tuple[str, str], Construction] = {}

    def forget(self) -> None:
        """Work them out anew."""
        self._known.clear()

    def of(self, level: TypeInfo, binding: TypeInfo) -> Construction:
        """Return what the constructors of a class are given when an object of the binding is made."""
        key = (level.key, binding.key)
        known = self._known.get(key)
        if known is None:
            self._known[key] = Construction()  # a cycle of bases ends here
            known = self._known[key] = self._construct(level, binding)
        return known

    def captured(self, owner: TypeInfo | None, binding: TypeInfo | None, source: str) -> Bound:
        """Return the parameters of a primary constructor that a member sees: its own ones hide them."""
        if owner is None or binding is None or not any(one.parameters for one in owner.declarations):
            return {}
        hidden = {
            parameter.name
            for members in owner.members.values()
            for member in members
            if member.key == source
            for parameter in member.parameters
        }
        primary = self.of(owner, binding).of_primary
        return {name: values for name, values in primary.items() if name not in hidden}

    def levels(self, binding: TypeInfo, owner: TypeInfo) -> list[TypeInfo]:
        """Return the classes from the binding to the owner of a member, most derived first."""
        levels = [binding]
        while levels[-1] is not owner and len(levels) < _MAX_LEVELS:
            bases = (ref.info for ref in self._catalog.bases(levels[-1]) if ref.info is not None)
            following = next((base for base in bases if self._leads_to(base, owner)), None)
            if following is None or following in levels:
                return [binding, owner]
            levels.append(following)
        return levels

    def _leads_to(self, base: TypeInfo, owner: TypeInfo) -> bool:
        return base is owner or any(ref.info is owner for ref in self._catalog.ancestors(base))

    def _construct(self, level: TypeInfo, binding: TypeInfo) -> Construction:
        calls: list[Given] | None = None
        if level is not binding:
            calls = list(self._handed_on(self.levels(binding, level)[-2], binding))
        return self._bind(level, binding, calls)

    def _handed_on(self, child: TypeInfo, binding: TypeInfo) -> Iterator[Given]:
        """Yield the arguments of each `base(…)` of a class; without any, it calls `base()`."""
        construction = self.of(child, binding)
        calls = [
            self._given(declared.base_arguments, Place(child, binding, construction.of_primary, child.key))
            for declared in child.declarations
            if declared.base_arguments
        ]
        for constructor, parameters in construction.of_constructors:
            if constructor.hands_to != "this":
                place = Place(child, binding, parameters, constructor.key)
                calls.append(self._given(constructor.handed_on, place))
        yield from calls or [()]

    def _given(self, arguments: Iterable[Argument], place: Place) -> Given:
        return [(one.name, self._evaluate(one.value, place)) for one in arguments]

    def _bind(self, level: TypeInfo, binding: TypeInfo, calls: Sequence[Given] | None) -> Construction:
        """Bind the parameters of all constructors; ``calls`` is None for an object made from outside."""
        primary = tuple(one for declared in level.declarations for one in declared.parameters)
        constructors = _constructors(level)
        received: dict[int, list[Given]] = {_PRIMARY: [], **{id(one): [] for one in constructors}}
        if calls is None:
            received = {key: [()] for key in received}
        for given in calls or ():
            received[_called(given, primary, constructors)].append(given)
        place = Place(level, binding, {}, level.key)
        bound = self._bind_chain(constructors, received, primary, place)
        return Construction(
            self._merged(primary, received[_PRIMARY], place),
            tuple((one, bound[id(one)]) for one in constructors if id(one) in bound),
        )

    def _bind_chain(
        self,
        constructors: Sequence[MemberFact],
        received: dict[int, list[Given]],
        primary: Sequence[Parameter],
        place: Place,
    ) -> dict[int, Bound]:
        """Bind constructors that are called, then those that they call with `this(…)`."""
        bound: dict[int, Bound] = {}
        for _ in range(_MAX_CHAIN):
            pending = [one for one in constructors if received[id(one)] and id(one) not in bound]
            for one in pending:
                inside = place._replace(source=one.key)
                parameters = self._merged(one.parameters, received[id(one)], inside)
                bound[id(one)] = parameters
                if one.hands_to == "this":
                    given = self._given(one.handed_on, inside._replace(parameters=parameters))
                    others = [other for other in constructors if other is not one]
                    received[_called(given, primary, others)].append(given)
        return bound

    def _merged(self, parameters: Sequence[Parameter], calls: Iterable[Given], place: Place) -> Bound:
        merged: dict[str, Values] = {}
        defaults = {
            one.name: self._evaluate(one.default, place)
            for one in parameters
            if not isinstance(one.default, Unknown)
        }
        for given in calls:
            for name, values in bind_arguments(parameters, given, defaults=defaults).items():
                merged[name] = tuple(dict.fromkeys((*merged.get(name, ()), *values)))[:_MAX_VALUES]
        return merged


def _constructors(level: TypeInfo) -> list[MemberFact]:
    return [
        member
        for members in level.members.values()
        for member in members
        if member.element_type == "constructor" and "static" not in member.modifiers
    ]


def _called(given: Given, primary: Sequence[Parameter], constructors: Sequence[MemberFact]) -> int:
    """Choose the constructor that fits arguments: the one with the fewest parameters that takes them all."""
    names = {name for name, _ in given if name}
    fitting = [(len(one.parameters), id(one)) for one in constructors if _takes(one.parameters, given, names)]
    if primary and _takes(primary, given, names):
        fitting.append((len(primary), _PRIMARY))
    return min(fitting, default=(0, _PRIMARY))[1]


def _takes(parameters: Sequence[Parameter], given: Given, names: set[str]) -> bool:
    needed = sum(1 for one in parameters if not (one.is_optional or one.is_rest))
    return needed <= len(given) <= len(parameters) and names <= {one.name for one in parameters}


def bind_arguments(parameters: Sequence[Parameter], given: Given, *, defaults: Bound) -> dict[str, Values]:
    """Give each parameter its argument, else its default; an optional string without one is null."""
    bound: dict[str, Values] = {name: values for name, values in given if name}
    positional = [values for name, values in given if not name]
    for position, one in enumerate(parameters):
        if one.name in bound:
            continue
        if position < len(positional):
            bound[one.name] = positional[position]
        elif one.name in defaults:
            bound[one.name] = defaults[one.name]
        else:
            is_null = one.is_optional and one.type.lower().startswith("string")
            bound[one.name] = (None,) if is_null else (UNKNOWN_PIECE,)
    return bound
