"""Find what a call on something of a type means: a member of the type, or an extension method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragduck.facts import EXTENSION, Call, MemberFact
from ragduck.graph.types.declarations import TypeRef
from ragduck.graph.types.extended_types import are_static, names_type
from ragduck.graph.types.extensions import extensions_of
from ragduck.graph.types.findings import Found, Root
from ragduck.graph.types.methods import accepts, find_member, taking
from ragduck.graph.types.overloads import suits

if TYPE_CHECKING:
    from ragduck.graph.types.expressions import Evaluator

MAX_COMPARED = 100  # methods of one name; beyond, fitting each call to each of them costs more than it tells


def find_called(
    receiver: TypeRef, name: str, *, evaluator: Evaluator, count: int | None, call: Call | None
) -> Found | None:
    """Find a member on a type, or else an extension method that takes the ``count`` of arguments.

    It comes before a method that does not, and where the ``call`` is given, before one that it cannot mean.
    """
    catalog = evaluator.catalog
    member = find_member(catalog, receiver, name=name, file=evaluator.file)
    if member is None or count is None:
        return member or _extension(receiver, name, evaluator=evaluator, count=count, call=call)
    meant = _meant(member, receiver, call, evaluator=evaluator) if call is not None else None
    if meant is not None:
        return meant
    counted = taking(catalog, member, receiver, takes=lambda one: accepts(one, count))
    return counted or _extension(receiver, name, evaluator=evaluator, count=count) or member


def root_called(call: Call, evaluator: Evaluator) -> Root:
    """Say what a bare name means that is called: a method of the own type that takes the call, else an inherited one.

    Where none takes it, the nearest of the name is meant. Of very many methods the number of arguments alone tells.
    """
    root, count = evaluator.root(call.function), len(call.arguments)
    found = root.found
    inherited = _inherited_namesakes(found, evaluator) if found is not None else 0
    if found is None or not inherited or evaluator.file.language == "razor":
        return root
    is_counted_only = len(found.members) + inherited > MAX_COMPARED

    def takes(method: MemberFact) -> bool:
        return accepts(method, count) and (is_counted_only or suits(method, call, evaluator))

    meant = taking(evaluator.catalog, found, found.declaring, takes=takes) or taking(
        evaluator.catalog, found, found.declaring, takes=lambda one: accepts(one, count)
    )
    return root._replace(found=meant or found)


def _inherited_namesakes(found: Found, evaluator: Evaluator) -> int:
    """Count what the type of a method inherits of the same name."""
    info, name = found.declaring.info, found.members[0].name
    if info is None or not found.is_method:
        return 0
    bases = (base.info for base in evaluator.catalog.inherited(info))
    return sum(len(base.members.get(name, ())) for base in bases if base is not None)


def _meant(member: Found, receiver: TypeRef, call: Call, *, evaluator: Evaluator) -> Found | None:
    """Return what the type arguments and the types of arguments let a call mean, if that takes looking at them."""
    name, count = member.members[0].name, len(call.arguments)
    if not (call.type_arguments or evaluator.catalog.extensions(name, language=evaluator.file.language)):
        return None

    def takes(method: MemberFact) -> bool:
        return accepts(method, count) and suits(method, call, evaluator)

    if member.is_method or not call.type_arguments:
        found = taking(evaluator.catalog, member, receiver, takes=takes)
        if found is not None:
            return found
    found = _extension(receiver, name, evaluator=evaluator, count=count, call=call)
    if found is None:
        return None
    is_one = any(suits(one, call, evaluator, is_extension=True) for one in found.members)
    return found if is_one else None


def _extension(
    receiver: TypeRef, name: str, *, evaluator: Evaluator, count: int | None, call: Call | None = None
) -> Found | None:
    """Find an extension method; on a type one that is static, on a value one that is not, where both may be meant."""
    known = evaluator.catalog.extensions(name, language=evaluator.file.language)
    on_type = call is not None and are_static(known) and names_type(call, evaluator)

    def takes(method: MemberFact) -> bool:
        is_one = on_type == (EXTENSION in method.modifiers)
        return call is None or (is_one and suits(method, call, evaluator, is_extension=True))

    return extensions_of(
        evaluator.catalog,
        receiver,
        name,
        file=evaluator.file,
        owner=evaluator.owner,
        count=count,
        suits=takes,
    )
