"""Tell which types are named before static members of blocks that extend them: `TypedResults.Bad()`, C# 14."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ragduck.facts import EXTENSION, Call, Expression, Member, MemberFact, Name
from ragduck.graph.types.declarations import TypeRef
from ragduck.graph.types.methods import is_a, parameter_type, visible_extensions
from ragduck.graph.types.roots import BASE_NAMES, SELF_NAMES

if TYPE_CHECKING:
    from ragduck.graph.types.expressions import Evaluator

MAX_NAMES = 12  # of a path to a type


def are_static(methods: Iterable[MemberFact]) -> bool:
    """Say whether some of what extends types is called on these themselves."""
    return any(EXTENSION in one.modifiers for one in methods)


def extended_type(call: Call | None, evaluator: Evaluator) -> TypeRef | None:
    """Return the type of a library on which a method is called that extends it here.

    A type that is declared here is known without that.
    """
    function = call.function if call is not None else None
    if not isinstance(function, Member):
        return None
    catalog, file, owner = evaluator.catalog, evaluator.file, evaluator.owner
    if not are_static(catalog.extensions(function.name, language=file.language)):
        return None
    names = _path(function.receiver)
    root = evaluator.root(Name(names[0])) if names else None
    if root is None or root.is_known:
        return None
    ref = evaluator.resolve(".".join((root.path, *names[1:])))
    seen = visible_extensions(catalog, function.name, file=file, owner=owner)
    extended = (parameter_type(catalog, one, position=0) for one in seen if EXTENSION in one.modifiers)
    return ref if any(one is not None and is_a(catalog, ref, one) for one in extended) else None


def names_type(call: Call, evaluator: Evaluator) -> bool:
    """Say whether a type is named before the method that is called, rather than something of it."""
    names = _path(call.function.receiver) if isinstance(call.function, Member) else ()
    if not names or names[0] in SELF_NAMES | BASE_NAMES:
        return False
    root = evaluator.root(Name(names[0]))
    if root.found is not None:
        return False
    return not root.is_known or evaluator.resolve(".".join(names)).info is not None


def _path(expression: Expression) -> tuple[str, ...]:
    """Return the names of a path, outermost first; none of what is no path."""
    names: list[str] = []
    while isinstance(expression, Member) and len(names) < MAX_NAMES:
        names.append(expression.name)
        expression = expression.receiver
    return (expression.name, *reversed(names)) if isinstance(expression, Name) else ()
