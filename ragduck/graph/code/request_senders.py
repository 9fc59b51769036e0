"""Find the methods that send requests to the address that they are given: `client.GetAsync(uri)`, wrapped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any, NamedTuple, cast

from ragduck.facts import (
    Awaited,
    Call,
    CallFact,
    Choice,
    Expression,
    FileFacts,
    Joined,
    Member,
    MemberFact,
    Name,
    New,
    Parameter,
    Typed,
)
from ragduck.graph.code.addresses import HOLE, parts_of_uri, path_in, written_address
from ragduck.graph.code.request_clients import (
    OPEN,
    Sending,
    is_double,
    verb_of,
)
from ragduck.graph.code.routes import Scene
from ragduck.graph.code.senders import arguments_for, called
from ragduck.graph.code.served_paths import BASE
from ragduck.graph.file_rows import VALUES, FileRows, FileRule, Reach, ReadAnew, ReadOff, Row
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import function_name, unwound
from ragduck.graph.types.expressions import Evaluator, Evaluators
from ragduck.graph.types.methods import MAX_OVERLOADS, alike

_ANEW = ReadAnew()
MAX_ROUNDS = 4  # a method that hands its address to a method that hands it on
_MAX_DEPTH = 6
_TEXTS = frozenset(("string", "string?", "String", "Uri", "Uri?"))
_ADDRESS = re.compile(
    r"(?!\w*(?:file|folder|dir|local|disk))\w*(?:url|uri|path|address|endpoint|route|resource)", re.I
)
_BY_NAME = re.compile(r"(Get|Post|Put|Patch|Delete)(?![a-z])")


class Passed(NamedTuple):
    """What a method makes a request of: its parameter at a ``place``, after what it puts ``before`` that.

    The ``verb`` is that of the parameter at ``verb_place`` where there is one.
    """

    place: int
    before: str = ""
    verb: str = ""
    verb_place: int = -1


class Asked(NamedTuple):
    """A request that a call makes another method send.

    The ``address`` has holes for what is not known of it; it is empty where nothing is.
    """

    fact: CallFact
    verb: str
    address: str


class _Overload(NamedTuple):
    key: str
    parameters: tuple[str, ...]


class RequestSenders:
    """The methods of a snapshot that send requests to addresses of their callers."""

    def __init__(self, catalog: Catalog, passed: Iterable[Row], rows: FileRows = _ANEW) -> None:
        """Begin with what is `passed_on` to requests that are sent without the help of such methods.

        Who hands something on to them is found round by round.
        """
        self._catalog = catalog
        self._of: dict[_Overload, Passed] = {}
        self._names: set[str] = set()
        fresh = self._take(passed)
        for number in range(MAX_ROUNDS):
            self._names |= fresh
            rule = FileRule(f"requests handed on {number}", Reach.VALUES, [sorted(fresh), self.told])
            files = catalog.files_calling(fresh) if fresh else ()
            read = list(rows.read(rule, files, partial(self._read, names=frozenset(fresh))))
            fresh = self._take(row for _, found in read for row in found)

    @property
    def told(self) -> Sequence[object]:
        """Which methods send what of that which they are given, in words."""
        return [[list(one.parameters), one.key, *passed] for one, passed in sorted(self._of.items())]

    def files(self) -> Iterator[FileFacts]:
        """Yield the files that call something that is called like such a method."""
        return self._catalog.files_calling(self._names) if self._names else iter(())

    def asked(self, file: FileFacts) -> Iterator[Asked]:
        """Yield the requests that a file makes such methods send."""
        for fact, evaluator in self._calling(file, self._names):
            for passed, given, verb in self._handed(fact.call, evaluator):
                address = path_in(written_address(given, Scene(self._catalog, file, fact.source)))
                whole = passed.before + address if any(map(str.isalpha, address)) else ""
                yield Asked(fact, verb, path_in(whole) if "://" in passed.before else whole)

    def _calling(self, file: FileFacts, names: AbstractSet[str]) -> Iterator[tuple[CallFact, Evaluator]]:
        evaluators = Evaluators(self._catalog, file)
        for fact in file.calls:
            if function_name(fact.call) in names:
                yield fact, evaluators.within(fact.source)

    def _handed(self, call: Call, evaluator: Evaluator) -> Iterator[tuple[Passed, Expression, str]]:
        """Yield what a call gives a method that sends it for an address, with the verb."""
        found = called(call, evaluator)
        if found is None or is_double(call, evaluator):
            return
        for method in alike(found, count=len(call.arguments), generic=len(call.type_arguments)):
            passed = self._of.get(_overload(method))
            if passed is None:
                continue
            verb = passed.verb
            if passed.verb_place >= 0:
                told = arguments_for(call, method, place=passed.verb_place, is_extension=found.is_extension)
                verb = next((verb_of(one) or "" for one in told), "")
            for given in arguments_for(call, method, place=passed.place, is_extension=found.is_extension):
                yield passed, given, verb
            return

    def _read(self, file: FileFacts, names: AbstractSet[str]) -> ReadOff:
        """Read which methods of a file hand on what their callers give them."""
        rows: list[Row] = []
        is_leaning = False
        for fact, evaluator in self._calling(file, names):
            for passed, given, verb in self._handed(fact.call, evaluator):
                rows += passed_on(Sending(fact, verb, given, OPEN), evaluator, before=passed.before)
                is_leaning = True
        return ReadOff(rows, leans=(VALUES,) if is_leaning else ())

    def _take(self, rows: Iterable[Row]) -> set[str]:
        """Note which methods send what their callers give them; return the names of those of which that is new."""
        fresh: set[str] = set()
        for row in rows:
            key, name, place, before, verb, verb_place, *types = cast(tuple[Any, ...], row)
            method = _Overload(key, tuple(types))
            if method in self._of:
                continue
            passed = self._of[method] = Passed(place, before, verb, verb_place)
            fresh.add(name)
            owner = self._catalog.owner_of(key)
            for base in self._catalog.ancestors(owner) if owner is not None else ():
                alike_named = base.info.members.get(name, ()) if base.info is not None else ()
                for declared in alike_named[:MAX_OVERLOADS]:
                    if len(declared.parameters) == len(types):
                        self._of.setdefault(_overload(declared), passed)
        return fresh


def passed_on(sent: Sending, evaluator: Evaluator, *, before: str = "") -> Iterator[Row]:
    """Yield what the method around a request makes of what its callers give it for an address, if it does.

    That is its key, its name, what `Passed` has, and the types of its parameters.
    """
    member = _around(sent.fact, evaluator)
    if member is None:
        return
    held = _held(sent.address, member.parameters, Scene(evaluator.catalog, evaluator.file, member.key))
    if held is not None:
        passed = _with_verb(Passed(held[0], before + held[1], sent.verb), member)
        yield member.key, member.name, *passed, *_overload(member).parameters


def _around(fact: CallFact, evaluator: Evaluator) -> MemberFact | None:
    name, owner = fact.source.rpartition("|")[0].rpartition(".")[2], evaluator.owner
    for member in owner.members.get(name, ()) if owner is not None else ():
        is_around = member.key == fact.source and member.line <= fact.line <= member.end_line
        if is_around and evaluator.catalog.home_of(member) is evaluator.file:
            return member
    return None


def _overload(member: MemberFact) -> _Overload:
    return _Overload(member.key, tuple(one.type for one in member.parameters))


def _with_verb(passed: Passed, member: MemberFact) -> Passed:
    if passed.verb:
        return passed
    methods = [place for place, one in enumerate(member.parameters) if one.type.rstrip("?") == "HttpMethod"]
    if len(methods) == 1:
        return passed._replace(verb_place=methods[0])
    named = _BY_NAME.match(member.name)
    return passed._replace(verb=named[1].lower() if named is not None else "")


def _held(
    address: Expression, parameters: Sequence[Parameter], scene: Scene, depth: int = _MAX_DEPTH
) -> tuple[int, str] | None:
    """Return the place of the parameter that an address is, or ends with, and what stands before it.

    What says more than a base, as `"api/orders/" + id`, is an address of its own.
    """
    if isinstance(address, Awaited | Choice) and depth:
        inner = address.options if isinstance(address, Choice) else (address.task,)
        return next(filter(None, (_held(one, parameters, scene, depth - 1) for one in inner)), None)
    if isinstance(address, New) and address.type.rpartition(".")[2] == "Uri" and address.arguments and depth:
        parts = parts_of_uri(address)
        if not parts:
            return None
        held = _held(parts[-1], parameters, scene, depth - 1)
        return (held[0], HOLE) if held is not None and len(parts) > 1 else held
    texts = {one.name: place for place, one in enumerate(parameters) if one.type in _TEXTS}
    if isinstance(address, Typed) and address.type in _TEXTS:
        return (texts[address.name], "") if address.name in texts else None
    if isinstance(address, Joined):
        last = address.parts[-1]
        before = "".join(written_address(one, scene) for one in address.parts[:-1])
        is_base = all(BASE.fullmatch(one) for one in re.findall(r"\w+", path_in(before).lower()))
        if not is_base or not isinstance(last, Typed) or last.name not in texts:
            return None
        return (texts[last.name], before) if not before.strip("/") or _is_address(last.name) else None
    if isinstance(address, Name) or (isinstance(address, Member) and isinstance(unwound(address)[0], Name)):
        return None  # a field or a constant, which no caller gives
    given = _named(address) if isinstance(address, Call) else frozenset(texts)
    likely = [place for name, place in texts.items() if name in given and _is_address(name)]
    return (likely[0], HOLE) if len(likely) == 1 else None


def _is_address(name: str) -> bool:
    return _ADDRESS.fullmatch(name) is not None


def _named(call: Call) -> frozenset[str]:
    """Return the names of locals and parameters that a call is given."""
    return frozenset(one.value.name for one in call.arguments if isinstance(one.value, Typed))
