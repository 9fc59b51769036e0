"""Tell which members and types an expression or a call uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ragduck.facts import MODULE, Element, Expression, Member, MemberFact, Name
from ragduck.graph.code.calls import KNOWN_RECEIVER, CallResolver, Resolution
from ragduck.graph.types.declarations import is_visual_basic
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.findings import Found
from ragduck.graph.types.methods import find_member
from ragduck.graph.types.roots import BASE_NAMES, SELF_NAMES

READS = "reads member"
SETS = "sets member"
METHOD_GROUP = "method group"
STATIC = "static"
DELEGATES = ("Func", "Action", "Predicate", "Comparison", "Converter", "Delegate", "Handler", "Callback")
CALLING = frozenset(("apply", "apply_async", "bind", "call", "delay"))  # what has a function called


class Used(NamedTuple):
    """A member or type that is used, and in what way."""

    key: str
    relation: str
    rule: str
    confidence: float


def uses_of(resolution: Resolution, evaluator: Evaluator) -> Iterator[Used]:
    """Yield what a resolved call calls, the member that holds it, and the types that inherit it.

    In Visual Basic a member that holds no delegate is asked for an element.
    """
    for target in resolution.targets:
        yield Used(target.key, "Calls", target.rule, target.confidence)
    for held in resolution.held_by:
        is_element = is_visual_basic(evaluator.file) and not _holds_delegate(held, evaluator)
        yield Used(held.key, "Uses", READS if is_element else "calls delegate", KNOWN_RECEIVER)
    for heir in resolution.through:
        yield Used(heir.key, "Uses", heir.rule, heir.confidence)


def _holds_delegate(held: MemberFact, evaluator: Evaluator) -> bool:
    type_ = evaluator.type_of_member(held)
    if held.element_type == "event" or type_ is None:
        return True
    if type_.info is not None:
        return type_.info.declarations[0].element_type == "delegate"
    return type_.name.endswith(DELEGATES)


def used_in(
    expression: Expression,
    evaluator: Evaluator,
    *,
    resolver: CallResolver,
    is_write: bool = False,
    is_detached: bool = False,
    called: str = "",
) -> Iterator[Used]:
    """Yield what a chain of members uses, from its beginning to its end, which may be set.

    A method that stands at the end without being called is called all the same: it is handed on for that. One that
    stands before other names only has members, as functions of JavaScript do; but in Visual Basic a method that is
    named is called. What an element is taken of is only read, and so is a handler that is taken off an event
    (``is_detached``).
    ``called`` is the name of the method that is called on its end, if one is. The ``resolver`` knows what runs where
    an interface's property is read.
    """
    chain = chain_of(expression)
    is_basic = is_visual_basic(evaluator.file)
    for node in chain:
        found = _found(node, evaluator)
        if found is None:
            continue
        is_last = node is expression
        is_called = is_basic or (is_last and (not called or called in CALLING))
        if found.is_method and is_called and not (is_last and (is_write or is_detached)):
            yield Used(found.members[0].key, "Calls", METHOD_GROUP, KNOWN_RECEIVER)
        else:
            rule = SETS if is_write and is_last else READS
            yield Used(found.members[0].key, "Uses", rule, KNOWN_RECEIVER)
            for target in resolver.behind_read(found, node, evaluator):
                yield Used(target.key, "Uses", target.rule, target.confidence)
    if chain and isinstance(chain[0], Name):
        yield from _static(chain[0], chain[1] if len(chain) > 1 else None, evaluator=evaluator)


def _found(node: Expression, evaluator: Evaluator) -> Found | None:
    if isinstance(node, Name):
        return evaluator.root(node).found
    if not isinstance(node, Member):
        return None
    receiver = evaluator.bound(evaluator.type_of(node.receiver))
    if receiver is None:
        return evaluator.found_by_path(node)
    return find_member(evaluator.catalog, receiver, name=node.name, file=evaluator.file)


def _static(name: Name, following: Expression | None, *, evaluator: Evaluator) -> Iterator[Used]:
    """Yield the type with which a chain begins, unless the member that follows says as much.

    A module has no members but its own: `Windows.Forms` means another `Windows` where it has no `Forms`.
    """
    ref = evaluator.root(name).type
    if ref is None or ref.info is None or name.name in SELF_NAMES | BASE_NAMES or following is None:
        return
    found = _found(following, evaluator)
    if found is None and MODULE in ref.info.declarations[0].modifiers:
        inner = following.name if isinstance(following, Member) else ""
        if evaluator.catalog.nested(ref.info, inner) is None:
            return
    if found is None or found.declaring.info is not ref.info:
        yield Used(ref.info.key, "Uses", STATIC, KNOWN_RECEIVER)


def chain_of(expression: Expression) -> list[Expression]:
    """Return the names and members of a chain, the innermost first, up to a call, which has a fact of its own.

    Elements are passed over: `orders[0].Total` names `orders`, too.
    """
    found: list[Expression] = []
    while isinstance(expression, (Member, Element)):
        if isinstance(expression, Element):
            expression = expression.collection
            continue
        found.append(expression)
        expression = expression.receiver
    if isinstance(expression, Name):
        found.append(expression)
    return found[::-1]
