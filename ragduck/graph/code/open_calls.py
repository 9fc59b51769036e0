"""Resolve calls on receivers of which the type does not tell, by the name of the method: it must be the only one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragduck.facts import EXTENSION, Call, Member, MemberFact
from ragduck.graph.code.calls import Resolution
from ragduck.graph.code.helper_chains import is_of_vendor
from ragduck.graph.code.library_members import is_member_of_library
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.framework_members import VIEW_HELPERS
from ragduck.graph.types.methods import (
    MAX_NAMESAKES,
    accepts,
    member_owner,
    parameter_type,
    visible_extensions,
)

ONLY_NAME = 0.6
ONLY_NAME_RULE = "only visible name"
MAX_OWNERS = 10
OF_VENDOR = "?"

_LAST_WORD = re.compile(r"[A-Z][a-z0-9]*$")


class OpenCall(NamedTuple):
    """A call that is open; of a foreign ``receiver`` only extensions can be meant.

    The receiver is `?` where it is of a foreign type of which nobody knows the name.
    """

    name: str
    arguments: int
    receiver: str = ""


def open_call(call: Call, function: Member, resolution: Resolution, evaluator: Evaluator) -> OpenCall:
    """Return what can still be told of a call of a member by the name of the method alone."""
    receiver, value = resolution.receiver, function.receiver
    is_foreign = is_member_of_library(value, evaluator) or is_of_vendor(value, function.name, evaluator)
    if not receiver and is_foreign:
        receiver = OF_VENDOR
    return OpenCall(function.name, len(call.arguments), receiver)


def only_visible(opened: OpenCall, *, catalog: Catalog, evaluator: Evaluator) -> MemberFact | None:
    """Return the method that is the only one of its name and number of arguments in sight."""
    found = [
        one
        for one in visible_extensions(catalog, opened.name, file=evaluator.file, owner=evaluator.owner)
        if EXTENSION not in one.modifiers
        and accepts(one, opened.arguments, is_extension=True)
        and _may_extend(catalog, one, receiver=opened.receiver)
    ]
    if not opened.receiver:
        found.extend(_visible_methods(opened, catalog, evaluator=evaluator))
    root = _root_of(catalog, {one.owner for one in found})
    return next((one for one in found if one.owner == root), None)


def _may_extend(catalog: Catalog, extension: MemberFact, *, receiver: str) -> bool:
    """Compare the last words of two foreign types: a `SqlConnection` may well be an `IDbConnection`.

    The helpers of a view all end alike, and none is another.
    """
    if not receiver:
        return True
    wanted = parameter_type(catalog, extension, position=0)
    if receiver == OF_VENDOR:
        return wanted is not None and wanted.info is None
    if wanted is not None and receiver in VIEW_HELPERS.values():
        return wanted.info is None and wanted.name.removeprefix("I") == receiver
    return wanted is not None and wanted.info is None and _last_word(wanted.name) == _last_word(receiver)


def _last_word(name: str) -> str:
    found = _LAST_WORD.search(name)
    return found[0] if found is not None else name


def _visible_methods(opened: OpenCall, catalog: Catalog, *, evaluator: Evaluator) -> Iterator[MemberFact]:
    own = evaluator.owner.key if evaluator.owner is not None else ""
    candidates = catalog.methods_named(opened.name, language=evaluator.file.language)
    for member in candidates if len(candidates) <= MAX_NAMESAKES else ():
        if not accepts(member, opened.arguments) or "static" in member.modifiers:
            continue
        if member.visibility == "private" and member.owner != own:
            continue
        if catalog.is_visible(member_owner(catalog, member), file=evaluator.file, owner=evaluator.owner):
            yield member


def _root_of(catalog: Catalog, owners: set[str]) -> str:
    """Return the one type from which all others inherit, so that all have the same method."""
    if len(owners) == 1:
        return next(iter(owners))
    for key in sorted(owners) if len(owners) < MAX_OWNERS else ():
        info = catalog.types[key]
        others = (catalog.types[one] for one in owners if one != key)
        if all(any(ref.info is info for ref in catalog.ancestors(one)) for one in others):
            return key
    return ""
