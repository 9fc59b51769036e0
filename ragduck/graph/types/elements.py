"""Tell what a loop or an indexer takes out of something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragduck.facts import Element, Expression, Member
from ragduck.graph.types import externals
from ragduck.graph.types.declarations import TypeRef
from ragduck.graph.types.methods import find_member

if TYPE_CHECKING:
    from ragduck.graph.types.expressions import Evaluator


def picked(
    ref: TypeRef | None, step: Element, *, following: Expression | None, evaluator: Evaluator
) -> TypeRef | None:
    """Return what a loop over a collection gives, or its indexer, which some foreign types have for other things.

    `localizer["Title"]` of an `IStringLocalizer<Page>` is no page.
    """
    if not step.is_picked:
        return _pair(ref, following, evaluator=evaluator) or evaluator.element_of(ref)
    ref = evaluator.bound(ref)
    is_other = ref is not None and ref.info is None and not externals.is_indexed(ref)
    return None if is_other else evaluator.element_of(ref)


def _pair(ref: TypeRef | None, following: Expression | None, *, evaluator: Evaluator) -> TypeRef | None:
    """Return the pair that a loop over a dictionary gives, which shows in the member that is asked of it."""
    if ref is None or not isinstance(following, Member) or following.name not in externals.PAIRED:
        return None
    held = externals.element(ref)
    if held is None or find_member(evaluator.catalog, held, following.name, file=evaluator.file) is not None:
        return None
    return externals.handed_out(ref)
