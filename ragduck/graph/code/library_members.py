"""Tell what is a member of something of a library's type: it is of a library, too, whatever type it is of."""

from __future__ import annotations

import re

from ragduck.facts import Expression, Member
from ragduck.graph.types.declarations import TypeRef, family_of
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.methods import PLAIN

UNTYPED = frozenset(
    ("", "dynamic", "object", "Object")
)  # Visual Basic finds members of an `Object` as it runs
MAX_MEMBERS = 20

_TYPE_PARAMETER = re.compile(r"T(?:[A-Z]\w*)?")  # by convention; what is closed with it may be declared here


def is_member_of_library(expression: Expression, evaluator: Evaluator) -> bool:
    """Say whether a chain of members begins with something of a type that is known to be declared elsewhere.

    So it is for `((IObjectContextAdapter)this).ObjectContext`. What is closed with other types than those of the
    language may hand these out, and languages other than those of .NET can add members to a type of others.
    """
    if family_of(evaluator.file.language) != "csharp":
        return False
    for _ in range(MAX_MEMBERS):
        if not isinstance(expression, Member):
            return False
        expression = expression.receiver
        ref = evaluator.bound(evaluator.type_of(expression))
        if ref is not None:
            return _is_of_library(ref)
    return False


def _is_of_library(ref: TypeRef) -> bool:
    if ref.info is not None or ref.name in UNTYPED or _TYPE_PARAMETER.fullmatch(ref.name):
        return False
    return all(one.info is None and one.name in PLAIN for one in ref.arguments)
