"""Choose the overload that a call means, by its arguments as far as their types are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragduck.facts import Argument, Call, Expression, Lambda, Member, MemberFact, Name, OutArgument, Parameter
from ragduck.graph.types.declarations import TypeRef, is_visual_basic
from ragduck.graph.types.findings import Found
from ragduck.graph.types.methods import alike, clash, fits_delegate, infer, is_a, lineage, parameter_type

if TYPE_CHECKING:
    from ragduck.graph.types.expressions import Evaluator

EXACT, KNOWN, UNKNOWN, UNFIT = range(4)


def overload_of(found: Found, call: Call, evaluator: Evaluator) -> MemberFact:
    """Return the overload that takes the arguments best: by their number, then their types, with least left over."""
    candidates = alike(found, count=len(call.arguments), generic=len(call.type_arguments))
    if len(candidates) == 1:
        return candidates[0]
    first = int(found.is_extension)

    def unfitness(method: MemberFact) -> tuple[int, int, int]:
        steps = (_distance(one, at, method, evaluator) for at, one in enumerate(call.arguments, first))
        return sum(steps), len(method.parameters), len(method.type_parameters)

    return min(candidates, key=unfitness)


def suits(method: MemberFact, call: Call, evaluator: Evaluator, *, is_extension: bool = False) -> bool:
    """Say whether a method may be meant: it has the type parameters that are given, and no argument misfits."""
    if evaluator.file.language != "csharp" or is_visual_basic(evaluator.file):
        return True
    if call.type_arguments and len(call.type_arguments) != len(method.type_parameters):
        return False
    arguments = enumerate(call.arguments, int(is_extension))
    return not any(_misfits(one, at, method, evaluator) for at, one in arguments)


def place_of(argument: Argument, position: int, parameters: Sequence[Parameter]) -> int | None:
    """Return which parameter an argument is for; None for a name that no parameter has."""
    if not argument.name:
        return position
    return next((at for at, one in enumerate(parameters) if one.name == argument.name), None)


def _misfits(argument: Argument, position: int, method: MemberFact, evaluator: Evaluator) -> bool:
    """Say whether no conversion leads from an argument to the parameter that gets it."""
    place = place_of(argument, position, method.parameters)
    if place is None:
        return True
    wanted = parameter_type(evaluator.catalog, method, position=place)
    if wanted is None:
        return False
    if isinstance(argument.value, Lambda):
        return not fits_delegate(wanted)
    if isinstance(argument.value, OutArgument):  # whose type the method tells
        return False
    given = evaluator.type_of(argument.value)
    if given is None or names_method(argument.value, evaluator):
        return False
    if given.info is not None and wanted.info is not None:
        kin = lineage(evaluator.catalog, given)
        is_other = not any(one.info is wanted.info or one.name == wanted.name for one in kin)
        return is_other and not (_converts(given) or _converts(wanted))
    return clash(given, wanted) and not (_converts(given) or _converts(wanted))


def _converts(ref: TypeRef) -> bool:
    """Say whether a type declares conversions that need not be written."""
    names = ref.info.members if ref.info is not None else ()
    return any(name.startswith("implicit ") for name in names)


def type_arguments(
    method: MemberFact, call: Call, evaluator: Evaluator, *, found: Found, receiver: TypeRef | None
) -> dict[str, TypeRef]:
    """Return what stands for the type parameters of a method, as written or as the arguments tell."""
    if not method.type_parameters:
        return {}
    if len(call.type_arguments) == len(method.type_parameters):
        written = (evaluator.resolve(one) for one in call.type_arguments)
        return dict(zip(method.type_parameters, written, strict=True))
    places = range(len(method.parameters))
    wanted = [parameter_type(evaluator.catalog, method, position=at) for at in places]
    given = [None if one.name else evaluator.type_of(one.value) for one in call.arguments]
    if found.is_extension:
        given.insert(0, receiver)
    return infer(wanted, given, names=method.type_parameters)


def names_method(value: Expression, evaluator: Evaluator) -> bool:
    """Say whether a method is handed on, rather than what it returns."""
    if isinstance(value, Name):
        found = evaluator.root(value).found
    elif isinstance(value, Member):
        found = evaluator.find(evaluator.type_of(value.receiver), value.name)
    else:
        return False
    return found is not None and found.is_method


def _distance(argument: Argument, position: int, method: MemberFact, evaluator: Evaluator) -> int:
    """Say how far an argument is from the parameter that gets it."""
    place = place_of(argument, position, method.parameters)
    if place is None:
        return UNFIT
    wanted = parameter_type(evaluator.catalog, method, position=place)
    if wanted is None:
        return UNKNOWN
    if isinstance(argument.value, Lambda) or names_method(argument.value, evaluator):
        return KNOWN if fits_delegate(wanted) else UNFIT
    return _between(evaluator.type_of(argument.value), wanted, method=method, evaluator=evaluator)


def _between(given: TypeRef | None, wanted: TypeRef, *, method: MemberFact, evaluator: Evaluator) -> int:
    if given is None or not given.name:
        return UNKNOWN
    if wanted.info is None and wanted.name in method.type_parameters:
        return KNOWN
    if is_a(evaluator.catalog, given, wanted):
        same = given.info is wanted.info and given.name == wanted.name
        return EXACT if same else KNOWN
    both_declared = given.info is not None and wanted.info is not None
    return UNFIT if both_declared or clash(given, wanted) else UNKNOWN
