"""Relate events of the system's types to the methods that are subscribed to them, and who raises them to those."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from ragduck.edge_table import EdgeTable
from ragduck.facts import AccessFact, CallFact, Expression, Member, MemberFact, Name
from ragduck.graph.code.accesses import READS, Used
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.methods import find_member
from ragduck.model import Edge

RULE = "event handler"
RAISED = 0.8
ONE_OF_SEVERAL = 0.5  # objects of the types that inherit an event have handlers of their own
MAX_DERIVED = 500
MAX_HANDLERS = 20  # of one event; more handle all of a kind
RAISES = "raises event"
_RAISING = (RAISES, "calls delegate")
_ASKING = frozenset(("Equals", "GetHashCode", "GetInvocationList", "GetType", "ToString"))
_RAISING_METHOD = re.compile(r"\.(?:On|Raise|Fire|Notify|Trigger|Emit)[A-Z]\w*\|METHOD$")


class Raising:
    """Tell reads of events that raise them from those that compare or copy them.

    Events are raised by what is called on them or given them, and where they are kept first, in methods that are
    called for it: `OnChanged`.
    """

    def __init__(self, catalog: Catalog, calls: Sequence[CallFact]) -> None:
        self._catalog = catalog
        self._calls = calls

    @cached_property
    def _given(self) -> Set[tuple[str, str]]:
        return {(fact.source, name) for fact in self._calls for name in _given_names(fact)}

    def told(self, source: str, used: Used) -> Used:
        """Return how a declaration uses something, with the rule of events if it raises one."""
        if used.rule != READS:
            return used
        owner = self._catalog.owner_of(used.key)
        name = used.key.rpartition("|")[0].rpartition(".")[2]
        members = owner.members.get(name, ()) if owner is not None else ()
        if all(member.element_type != "event" for member in members):
            return used
        is_raised = (source, name) in self._given or _RAISING_METHOD.search(source) is not None
        return used._replace(rule=RAISES) if is_raised else used


def _given_names(fact: CallFact) -> Iterator[str]:
    """Yield the last names of what a method is called on and given, but for one that only asks what an event has."""
    function = fact.call.function
    called_on = (function.receiver,) if isinstance(function, Member) else ()
    if isinstance(function, Member) and function.name in _ASKING:
        return
    for expression in (*called_on, *(argument.value for argument in fact.call.arguments)):
        if isinstance(expression, (Name, Member)):
            yield expression.name


class Subscription(NamedTuple):
    """A method that is put into an event, by keys."""

    event: str
    handler: str
    line: int


def subscriptions(
    accesses: Sequence[AccessFact], within: Callable[[str], Evaluator]
) -> Iterator[Subscription]:
    """Yield the methods of a file that are put into events, each on the line on which it names the event."""
    for target, given in pairwise(accesses):
        is_one = target.source == given.source and 0 <= given.line - target.line <= 1  # `+=` may begin a line
        if not is_one or not target.is_write or given.is_write or given.is_detached:
            continue
        evaluator = within(target.source)
        event = _member(target.expression, evaluator)
        handler = _member(given.expression, evaluator) if event is not None else None
        if event is None or handler is None or event.element_type != "event" or handler.kind != "METHOD":
            continue
        if _count(event, evaluator) in (None, len(handler.parameters)):
            yield Subscription(event.key, handler.key, target.line)


def _count(event: MemberFact, evaluator: Evaluator) -> int | None:
    """Return how many parameters the handlers of an event have, where its type tells by its name."""
    ref = evaluator.type_of_member(event)
    if ref is None or ref.info is not None:
        return None
    if ref.name == "Action":
        return len(ref.arguments)
    return 2 if ref.name.endswith("EventHandler") else None


def _member(expression: Expression, evaluator: Evaluator) -> MemberFact | None:
    if isinstance(expression, Name):
        found = evaluator.root(expression).found
    elif isinstance(expression, Member):
        receiver = evaluator.bound(evaluator.type_of(expression.receiver))
        known = receiver is not None and receiver.info is not None
        found = (
            find_member(evaluator.catalog, receiver, name=expression.name, file=evaluator.file)
            if receiver is not None and known
            else None
        )
    else:
        return None
    return found.members[0] if found is not None else None


def add_raised(catalog: Catalog, found: EdgeTable, edges: EdgeCollector) -> None:
    """Relate methods that raise an event of their own type to its handlers."""
    handlers: defaultdict[str, set[str]] = defaultdict(set)
    for edge in _where(found, relation="Handles", rules=(RULE,)):
        handlers[edge.from_key].add(edge.to_key)
    few = {key: keys for key, keys in handlers.items() if len(keys) <= MAX_HANDLERS}
    called = _called(catalog, few)
    for edge in _where(found, relation="Uses", rules=_RAISING, to=called) if called else ():
        raising, owner = catalog.owner_of(edge.from_key), catalog.owner_of(edge.to_key)
        if raising is None or owner is None or owner not in catalog.outer_types(raising):
            continue
        site = Site(edge.source_file, edge.line)
        for key, confidence in called[edge.to_key].items():
            if raising.is_test or not _is_test(catalog.owner_of(key)):
                edges.add(edge.from_key, key, relation="Calls", rule=RULE, at=site, confidence=confidence)


def _called(catalog: Catalog, handlers: Mapping[str, Set[str]]) -> Mapping[str, Mapping[str, float]]:
    """Return what is called where an event is raised, and how surely; one of an interface is raised as others."""
    called: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for event in sorted(handlers):
        owner = catalog.owner_of(event)
        raised = list(_raised_as(catalog, owner, event)) if owner is not None else []
        is_one = len(raised) == 1 and owner is not None and (owner.is_interface or not catalog.derived(owner))
        for key in raised:
            for handler in sorted(handlers[event]):
                known = called[key].get(handler, 0.0)
                called[key][handler] = max(known, RAISED if is_one else ONE_OF_SEVERAL)
    return called


def _raised_as(catalog: Catalog, owner: TypeInfo, event: str) -> Iterator[str]:
    """Yield the keys under which an event is raised: of an interface those of what implements it."""
    if not owner.is_interface:
        yield event
        return
    name = event.rpartition("|")[0].rpartition(".")[2]
    pending, seen = deque(catalog.derived(owner)), {owner.key}
    while pending and len(seen) < MAX_DERIVED:
        info = pending.popleft()
        if info.key in seen:
            continue
        seen.add(info.key)
        pending.extend(catalog.derived(info))
        for member in info.members.get(name, ()) if not info.is_interface else ():
            if member.element_type == "event":
                yield member.key


def _is_test(info: TypeInfo | None) -> bool:
    return info is not None and info.is_test


def _where(
    table: EdgeTable, *, relation: str, rules: Sequence[str], to: Mapping[str, object] | None = None
) -> Iterator[Edge]:
    """Yield the edges of a relation by some rules, to some nodes."""
    are_wanted = table.have("relation", (relation,)) & table.have("rule", rules)
    found = table.chosen(are_wanted)
    yield from found.chosen(found.have("to_key", to)) if to is not None else found
