"""Evaluate string expressions: through constants, properties, constructors, base classes, `typeof(T).Name`.

A string may mean something else in each class that inherits it. So it is evaluated in the name of one concrete
class, the ``binding``: its type arguments, overriding properties and what its constructors hand to `base(…)` count.
`GetTableName<Order>()` is the table of the entity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from weakref import proxy

from ragduck.facts import (
    Argument,
    Awaited,
    Call,
    Choice,
    Element,
    Expression,
    FileFacts,
    Joined,
    Member,
    MemberFact,
    Name,
    NameOf,
    New,
    ObjectName,
    Text,
    Typed,
    TypeOf,
    Unknown,
)
from ragduck.graph.inline_sql.constructors import Bound, Constructions, Place, Values, bind_arguments
from ragduck.graph.inline_sql.objects import Objects
from ragduck.graph.inline_sql.resources import ResourceTexts
from ragduck.graph.inline_sql.same_texts import SPELLING, spelled_by
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import function_name, receiver_of
from ragduck.graph.types.inheritance import binding_of
from ragduck.graph.types.literals import dotted
from ragduck.graph.types.roots import BASE_NAMES, SELF_NAMES, find_root
from ragduck.sqlreader.recognition import UNKNOWN_PIECE, begins_like_sql

MAX_VALUES = 16
MAX_LENGTH = 20_000
MAX_DEPTH = 20
MAX_NESTING = 3  # constructors that need constructors
MAX_STEPS = 3_000  # of one evaluation: constants made of constants may double at each level

TablesOfEntities = Callable[[], Mapping[str, ObjectName]]
NULL = None
_UNKNOWN: Values = (UNKNOWN_PIECE,)
_CONSTANT = frozenset({"const", "static"})
_VIRTUAL = frozenset({"virtual", "abstract", "override"})
# Methods that return the table of the entity in their type argument.
_NAMES_TABLE = re.compile(r"(?:get)?tablename(?:of|for)?", re.IGNORECASE)


class Evaluated(NamedTuple):
    """The texts that an expression may stand for; ``is_bound`` when they depend on the concrete class."""

    texts: tuple[str, ...]
    is_bound: bool


class Frame(NamedTuple):
    """Where an expression stands, in whose name it is evaluated, and what its parameters are."""

    file: FileFacts
    source: str
    owner: TypeInfo | None
    binding: TypeInfo | None
    parameters: Bound


class StringEvaluator:
    """Evaluate the strings of one catalog, keeping what members stand for."""

    def __init__(self, catalog: Catalog, *, tables: TablesOfEntities = dict) -> None:
        self._catalog = catalog
        self._tables = tables
        self._kept: dict[tuple[int, str], tuple[Values, bool]] = {}
        this = proxy(self)  # a circle would keep the catalog, with all its facts, until garbage is collected
        self._constructions = Constructions(catalog, evaluate=lambda one, place: this._in(one, place))
        self._objects = Objects(catalog)
        self._resources = ResourceTexts(catalog)
        self._steps, self._nesting, self._is_bound = 0, 0, False
        self.looked = 0  # how often something mattered that is declared, here or elsewhere

    def evaluate(
        self,
        expression: Expression,
        *,
        file: FileFacts,
        source: str,
        binding: TypeInfo | None = None,
        given: Bound | None = None,
    ) -> Evaluated:
        """Return the possible values of an expression that stands in ``source``; unknown pieces are U+FFFC.

        ``given`` is what the parameters of a method stand for.
        """
        if isinstance(expression, Text):
            return Evaluated((expression.value[:MAX_LENGTH],), is_bound=False)
        self._steps, self._nesting, self._is_bound = 0, 0, False
        owner = self._catalog.owner_of(source)
        captured = self._constructions.captured(owner, binding or owner, source)
        frame = Frame(file, source, owner, binding or owner, {**captured, **(given or {})})
        texts = tuple(value for value in self._values(expression, frame, MAX_DEPTH) if value is not None)
        return Evaluated(texts, self._is_bound)

    def forget(self) -> None:
        """Find out anew what members stand for, so that it does not matter what was asked before."""
        self._kept.clear()
        self._constructions.forget()

    @property
    def told(self) -> object:
        """What strings stand for beside what is declared."""
        return self._resources.told

    def member_of(self, expression: Expression, *, file: FileFacts, source: str) -> MemberFact | None:
        """Return the member that a name or a dotted chain means where it stands."""
        if not isinstance(expression, (Name, Member)):
            return None
        frame = Frame(file, source, self._catalog.owner_of(source), None, {})
        return next(iter(self._members_of(expression, frame)), None)

    def _values(self, expression: Expression, frame: Frame, depth: int) -> Values:
        self._steps += 1
        if depth <= 0 or self._steps > MAX_STEPS:
            return _UNKNOWN
        if isinstance(expression, Text):
            return (expression.value,)
        if isinstance(expression, Joined):
            return self._joined(expression.parts, frame, depth)
        if isinstance(expression, Choice):
            return self._choice(expression, frame, depth)
        if isinstance(expression, NameOf):
            return (expression.name.rpartition(".")[2],)
        self.looked += not isinstance(expression, (Typed, Unknown))
        if isinstance(expression, (Name, Member)):
            return self._member(expression, frame, depth)
        if isinstance(expression, Typed):
            return self._parameter(expression, frame)
        if isinstance(expression, Call):
            return self._call(expression, frame, depth)
        if isinstance(expression, Awaited):
            return self._values(expression.task, frame, depth - 1)
        if isinstance(expression, Element) and isinstance(expression.collection, New):
            return self._elements(expression.collection, frame, depth)
        return _UNKNOWN

    def _elements(self, made: New, frame: Frame, depth: int) -> Values:
        """Return what an array holds that is looped over where it is made."""
        if not made.type.endswith("[]") or len(made.arguments) > MAX_VALUES:
            return _UNKNOWN
        return distinct(
            value for one in made.arguments for value in self._values(one.value, frame, depth - 1)
        )

    def _joined(self, parts: Sequence[Expression], frame: Frame, depth: int) -> Values:
        texts: list[str] = [""]
        for part in parts:
            values = distinct(value or "" for value in self._values(part, frame, depth - 1)) or _UNKNOWN
            if len(texts) * len(values) > MAX_VALUES:
                values = _UNKNOWN
            texts = [f"{text}{value}"[:MAX_LENGTH] for text in texts for value in values]
        return distinct(texts)

    def _choice(self, choice: Choice, frame: Frame, depth: int) -> Values:
        found: list[str | None] = []
        for option in choice.options[:MAX_VALUES]:
            values = self._values(option, frame, depth - 1)
            found.extend(values)
            if choice.is_fallback:
                if NULL not in values:
                    break
                found = [value for value in found if value is not NULL]
        return distinct(found)[:MAX_VALUES]

    def _parameter(self, typed: Typed, frame: Frame) -> Values:
        values = frame.parameters.get(typed.name)
        if values is None:
            return _UNKNOWN
        self._is_bound = True
        self.looked += 1
        return values

    def _call(self, call: Call, frame: Frame, depth: int) -> Values:
        name, receiver = function_name(call), receiver_of(call)
        if receiver is not None and name in SPELLING and not call.arguments:
            return distinct(spelled_by(name, value) for value in self._values(receiver, frame, depth - 1))
        members = self._meant(call.function, frame) if isinstance(call.function, (Name, Member)) else []
        for member in (self._overriding(one, frame) for one in members):
            if not isinstance(member.value, Unknown) and len(call.arguments) <= len(member.parameters):
                return self._returned(member, call.arguments, frame, depth)
        if len(call.type_arguments) == 1 and not call.arguments and _NAMES_TABLE.fullmatch(name):
            return self._table_of(call.type_arguments[0], frame)
        return self._still_sql(receiver, frame, depth) if isinstance(receiver, (Name, Member)) else _UNKNOWN

    def _overriding(self, member: MemberFact, frame: Frame) -> MemberFact:
        """Return the method that runs in the name of the binding where one of a base class is called."""
        binding = self._binding_for(self._catalog.owner_of(member.key), frame)
        if binding is None or not member.modifiers & _VIRTUAL:
            return member
        self._is_bound = self._is_bound or binding is frame.binding
        members = self._catalog.members(binding, member.name)
        return next((one for one in members if len(one.parameters) == len(member.parameters)), member)

    def _still_sql(self, receiver: Expression, frame: Frame, depth: int) -> Values:
        """Return the statements that a method changes in a way that is not known: `Queries.ById.FormatWith(id)`."""
        was_bound = self._is_bound
        values = self._values(receiver, frame, depth - 1)
        changed = tuple(f"{one} {UNKNOWN_PIECE}" for one in values if one and begins_like_sql(one))
        if not changed:
            self._is_bound = was_bound  # what is no statement says nothing of the class
        return changed or _UNKNOWN

    def _table_of(self, entity: str, frame: Frame) -> Values:
        """Return the table of an entity that is named by its type."""
        info = self._catalog.resolve(entity, file=frame.file, owner=frame.owner).info
        table = self._tables().get(info.key) if info is not None else None
        return (table.name,) if table is not None else _UNKNOWN

    def _returned(
        self, member: MemberFact, arguments: Sequence[Argument], frame: Frame, depth: int
    ) -> Values:
        """Evaluate what a method returns, its parameters bound to the arguments of a call."""
        given = [(one.name, self._values(one.value, frame, depth - 1)) for one in arguments]
        owner = self._catalog.owner_of(member.key)
        binding = self._binding_for(owner, frame)
        inner = Frame(self._catalog.home_of(member), member.key, owner, binding, {})
        defaults = {
            one.name: self._values(one.default, inner, depth - 1)
            for one in member.parameters
            if not isinstance(one.default, Unknown)
        }
        captured = self._constructions.captured(owner, binding, member.key)
        parameters = {**captured, **bind_arguments(member.parameters, given, defaults=defaults)}
        was_bound = self._is_bound
        values = self._values(member.value, inner._replace(parameters=parameters), depth - 1)
        self._is_bound = was_bound or (self._is_bound and binding is frame.binding)
        return values

    def _member(self, expression: Name | Member, frame: Frame, depth: int) -> Values:
        if isinstance(expression, Member) and expression.name in ("Name", "__name__"):
            named = self._type_name(expression.receiver, frame)
            if named is not None:
                return named
        members = self._meant(expression, frame)
        if not members:
            return _UNKNOWN
        return self._member_values(members[0], frame, depth)

    def _meant(self, expression: Name | Member, frame: Frame) -> Sequence[MemberFact]:
        """Find what a name or a dotted chain means, else a member of the object before the dot."""
        found = self._members_of(expression, frame)
        return found or self._objects.members_of(expression, file=frame.file, source=frame.source)

    def _members_of(self, expression: Name | Member, frame: Frame) -> Sequence[MemberFact]:
        """Find what a name or a dotted chain means: a member of an own or outer type, of another type, a global."""
        if isinstance(expression, Name):
            return self._named(expression.name, frame)
        receiver = dotted(expression.receiver)
        if receiver in SELF_NAMES | BASE_NAMES:
            return self._catalog.members(frame.owner, expression.name) if frame.owner is not None else ()
        if not receiver:
            return ()
        info = self._catalog.resolve(receiver, file=frame.file, owner=frame.owner).info
        if info is not None:
            return self._catalog.members(info, expression.name)
        return self._named(f"{receiver}.{expression.name}", frame)

    def _named(self, name: str, frame: Frame) -> Sequence[MemberFact]:
        found = find_root(self._catalog, name, file=frame.file, owner=frame.owner).found
        return found.members if found is not None else ()

    def _type_name(self, receiver: Expression, frame: Frame) -> Values | None:
        """Return the name of the type that `typeof(T)` or `GetType()` stands for; None for anything else."""
        if isinstance(receiver, Call) and function_name(receiver) == "GetType" and not receiver.arguments:
            self._is_bound = True
            own = receiver_of(receiver) is None or dotted(receiver_of(receiver) or receiver) in (
                "this",
                "base",
            )
            return (frame.binding.name,) if own and frame.binding is not None else _UNKNOWN
        if not isinstance(receiver, TypeOf):
            return None
        written = receiver.type.partition("<")[0].strip("?[] ")
        argument = self._type_argument(written, frame)
        return (written.rpartition(".")[2],) if argument is None else argument

    def _type_argument(self, written: str, frame: Frame) -> Values | None:
        """Return what the binding puts in for a type parameter; None for what is no parameter."""
        if frame.owner is None or written not in frame.owner.type_parameters:
            method = [one for one in self._own_members(frame) if written in one.type_parameters]
            return _UNKNOWN if method else None
        self._is_bound = True
        if frame.binding is None:
            return _UNKNOWN
        for ref in self._catalog.ancestors(frame.binding):
            if ref.info is frame.owner:
                argument = binding_of(ref).get(written)
                is_open = argument is None or argument.name in frame.binding.type_parameters
                return _UNKNOWN if argument is None or is_open else (argument.name.rpartition(".")[2],)
        return _UNKNOWN

    def _own_members(self, frame: Frame) -> Iterator[MemberFact]:
        if frame.owner is not None:
            for members in frame.owner.members.values():
                yield from (one for one in members if one.key == frame.source)

    def _member_values(self, member: MemberFact, frame: Frame, depth: int) -> Values:
        """Return what a member may hold, in the name of the binding if it belongs to it."""
        owner = self._catalog.owner_of(member.key)
        if owner is not None and owner.declarations[0].element_type == "enum":
            return (member.name,)
        binding = self._binding_for(owner, frame)
        key = (id(member), binding.key if binding is not None else "")
        kept = self._kept.get(key)
        if kept is None:
            was_bound, self._is_bound = self._is_bound, False
            self._kept[key] = (_UNKNOWN, False)  # a cycle ends here
            values = self._look(member, owner, binding, depth - 1)
            kept = (values, self._is_bound)
            self._is_bound = was_bound
            if self._steps <= MAX_STEPS and depth > 1:
                self._kept[key] = kept
            else:
                del self._kept[key]
        self._is_bound = self._is_bound or (kept[1] and binding is frame.binding)
        return kept[0]

    def _binding_for(self, owner: TypeInfo | None, frame: Frame) -> TypeInfo | None:
        """Keep the binding for members that it has itself or inherits; others are evaluated for their own type."""
        if owner is None or frame.binding is None or owner is frame.binding:
            return owner
        inherits = any(ref.info is owner for ref in self._catalog.ancestors(frame.binding))
        return frame.binding if inherits else owner

    def _look(
        self, member: MemberFact, owner: TypeInfo | None, binding: TypeInfo | None, depth: int
    ) -> Values:
        if owner is None or binding is None or member.modifiers & _CONSTANT:
            return self._initial(member, owner, binding, depth)
        self._is_bound = self._is_bound or bool(member.modifiers & _VIRTUAL)
        if member.modifiers & _VIRTUAL and binding is not owner:
            overriding = next(iter(self._catalog.members(binding, member.name)), member)
            if overriding is not member:
                member, owner = overriding, self._catalog.owner_of(overriding.key) or owner
        assigned = self._assigned(member.name, owner, binding, depth)
        if assigned and NULL not in assigned:
            return assigned
        known = tuple(value for value in assigned if value is not NULL)
        values = distinct((*known, *self._initial(member, owner, binding, depth)))[:MAX_VALUES]
        self._is_bound = self._is_bound or (values == _UNKNOWN and member.visibility != "private")
        return values

    def _initial(
        self, member: MemberFact, owner: TypeInfo | None, binding: TypeInfo | None, depth: int
    ) -> Values:
        if isinstance(member.value, Unknown):
            text = self._resources.text_of(member)
            return _UNKNOWN if text is None else (text,)
        captured = self._constructions.captured(owner, binding, member.key)
        frame = Frame(self._catalog.home_of(member), member.key, owner, binding, captured)
        return self._values(member.value, frame, depth)

    def _assigned(self, name: str, owner: TypeInfo, binding: TypeInfo, depth: int) -> Values:
        """Return what constructors put into a member: that of the most derived class runs last and counts."""
        found: list[str | None] = []
        for level in self._constructions.levels(binding, owner):
            for constructor, parameters in self._constructions.of(level, binding).of_constructors:
                for one in constructor.assignments:
                    if one.member == name:
                        home = self._catalog.home_of(constructor)
                        frame = Frame(home, constructor.key, level, binding, parameters)
                        found.extend(self._values(one.value, frame, depth))
            if found and NULL not in found:
                break
        self._is_bound = self._is_bound or (bool(found) and binding is not owner)
        return distinct(found)[:MAX_VALUES]

    def _in(self, value: Expression, place: Place) -> Values:
        """Evaluate an argument or a default of a constructor."""
        if self._nesting >= MAX_NESTING:
            return _UNKNOWN
        self._nesting += 1
        frame = Frame(place.level.files[0], place.source, place.level, place.binding, place.parameters)
        values = self._values(value, frame, MAX_DEPTH // 2)
        self._nesting -= 1
        return values


def distinct(values: Iterable[str | None]) -> Values:
    """Return values in order, each once."""
    return tuple(dict.fromkeys(values))
