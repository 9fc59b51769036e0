"""Tell what lambdas of fluent libraries are handed: validators, mappings of entities and objects, helpers of views.

Their methods have names that say it, while the types that declare them are in no snapshot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ragduck.facts import Call, Expression, Lambda, LambdaParameter, Member, Name
from ragduck.graph.types import externals
from ragduck.graph.types.chains import MAX_LINKS, function_name, receiver_of
from ragduck.graph.types.declarations import TypeRef
from ragduck.graph.types.inheritance import binding_of, substitute

if TYPE_CHECKING:
    from ragduck.graph.types.expressions import Evaluator

HELPERS = frozenset(("HtmlHelper", "IHtmlHelper", "AjaxHelper"))
OF_MODEL = "For"  # the end of the names of helpers that are given a member of the model


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VALIDATING = _words("RuleFor RuleForEach When WhenAsync Unless UnlessAsync Custom CustomAsync Include")
_MAPPING = _words("Property HasKey HasIndex HasMany HasOptional HasRequired Ignore")
_MAPPING_BY_CODE = _words(
    "Any Array Bag Component ComponentAsId Id IdBag List ManyToOne Map OneToOne Property Set Version"
)
_MAPPING_FLUENTLY = _words(
    "Component DynamicComponent HasMany HasManyToAny HasManyToMany HasOne Id Map References ReferencesAny Version"
)
# Methods of foreign generic bases whose first argument is a lambda over the type argument
_OF_BASES = {
    "AbstractValidator": _VALIDATING,
    **dict.fromkeys(("EntityTypeConfiguration", "ComplexTypeConfiguration"), _MAPPING),
    **dict.fromkeys(
        _words("ClassMapping ComponentMapping JoinedSubclassMapping SubclassMapping UnionSubclassMapping"),
        _MAPPING_BY_CODE,
    ),
    **dict.fromkeys(("ClassMap", "ComponentMap", "SubclassMap"), _MAPPING_FLUENTLY),
}
_NAMES_OF_BASES = frozenset().union(*_OF_BASES.values())

_RULES = frozenset(("RuleFor", "RuleForEach"))
# What a rule is compared with, or depends on, is of what is validated as well
_IN_RULES = _words(
    "Equal GreaterThan GreaterThanOrEqualTo LessThan LessThanOrEqualTo NotEqual SetValidator Unless UnlessAsync When"
    " WhenAsync WithMessage WithState"
)
_MANY = "HasMany"
_RELATED = _words("HasMany HasOne HasOptional HasRequired")
_INVERSES = _words(
    "WithMany WithOne WithOptional WithOptionalDependent WithOptionalPrincipal WithRequired WithRequiredDependent"
    " WithRequiredPrincipal"
)
_OWNED = frozenset(("OwnsOne", "OwnsMany"))
_KEYS = frozenset(("HasForeignKey", "HasPrincipalKey"))

_OPTIONS = "IMemberConfigurationExpression"
_OF_TARGET = frozenset(("ForMember", "ForPath"))
_WITH_OPTIONS = _words("ForCtorParam ForMember ForPath ForSourceMember")
_ONLY_OPTIONS = frozenset(("ForAllMembers", "ForAllOtherMembers"))


class Handed(NamedTuple):
    """What a lambda is handed; ``type`` is None where it is known to be nothing that other rules can tell."""

    type: TypeRef | None


def handed_by_base(
    parameter: LambdaParameter, receiver: TypeRef | None, *, evaluator: Evaluator
) -> TypeRef | None:
    """Return the type argument of the foreign base of a receiver, or of the type around if there is none.

    `RuleFor(order => order.Total)` of an `AbstractValidator<Order>` hands an Order to its first argument.
    """
    name = function_name(parameter.call)
    if name not in _NAMES_OF_BASES or parameter.position or parameter.call.arguments:
        return None
    info = receiver.info if receiver is not None else evaluator.owner
    found = [
        one
        for one in (evaluator.catalog.ancestors(info) if info is not None else ())
        if one.info is None and len(one.arguments) == 1 and name in _OF_BASES.get(one.name, ())
    ]
    if len(found) != 1:
        return None
    return substitute(found[0].arguments[0], binding_of(receiver) if receiver is not None else {})


def handed_by_library(
    parameter: LambdaParameter, receiver: TypeRef | None, *, function: Member, evaluator: Evaluator
) -> Handed | None:
    """Return what a method hands on that is known by the type of its receiver, or by the chain that it ends."""
    if receiver is not None and receiver.info is None and receiver.arguments:
        if receiver.name in HELPERS:
            return Handed(_of_model(parameter, receiver))
        if receiver.name in (externals.MAPPER, _OPTIONS):
            return Handed(_of_mapper(parameter, receiver))
    if function.name in _OWNED and len(parameter.call.arguments) == 1:
        return Handed(_owned(parameter.call, evaluator))
    if receiver is not None or parameter.position or parameter.call.arguments:
        return None
    return _in_chain(function, evaluator)


def _of_model(parameter: LambdaParameter, helper: TypeRef) -> TypeRef | None:
    call = parameter.call
    is_of_model = function_name(call).endswith(OF_MODEL) and not (call.arguments or parameter.position)
    return helper.arguments[-1] if is_of_model else None


def _of_mapper(parameter: LambdaParameter, mapper: TypeRef) -> TypeRef | None:
    """Return source or target of a map, or the options of one of its members."""
    name, place = function_name(parameter.call), len(parameter.call.arguments)
    if mapper.name == externals.MAPPER and (name in _ONLY_OPTIONS or (place == 1 and name in _WITH_OPTIONS)):
        return mapper._replace(name=_OPTIONS)
    at = len(mapper.arguments) - 1 if name in _OF_TARGET else parameter.position
    return mapper.arguments[at] if place == 0 and at < len(mapper.arguments) else None


def _in_chain(function: Member, evaluator: Evaluator) -> Handed | None:
    """Return what is handed on in a chain of calls after its beginning: a rule, a relation, a vendor's helper."""
    if function.name in _IN_RULES:
        head = _begin(function.receiver, _RULES)
        return Handed(_first_lambda(head, evaluator)) if head is not None else None
    if function.name in _INVERSES:
        related = function.receiver
        is_relation = isinstance(related, Call) and function_name(related) in _RELATED
        return Handed(_target(related, evaluator)) if isinstance(related, Call) and is_relation else None
    if function.name in _KEYS:
        return _of_key(function, evaluator)
    if (
        function.name.endswith(OF_MODEL)
        and isinstance(function.receiver, Call)
        and not function.receiver.arguments
    ):
        owner = receiver_of(function.receiver)
        helper = evaluator.type_of(owner) if owner is not None else None
        if helper is not None and helper.info is None and helper.name in HELPERS and helper.arguments:
            return Handed(helper.arguments[-1])
    return None


def _of_key(function: Member, evaluator: Evaluator) -> Handed | None:
    """Return the end of a relation that has the key: the one that refers to one of the others."""
    inverse = _begin(function.receiver, _INVERSES)
    head = receiver_of(inverse) if inverse is not None else None
    if inverse is None or not isinstance(head, Call) or function_name(head) not in _RELATED:
        return None
    is_many, has_many = function_name(head) == _MANY, function_name(inverse) == "WithMany"
    if is_many == has_many:  # neither end has a key, or the call says which
        return None
    is_target = is_many == (function.name == "HasForeignKey")
    return Handed(_target(head, evaluator) if is_target else _first_lambda(head, evaluator))


def _begin(expression: Expression, names: frozenset[str]) -> Call | None:
    """Return the call of one of the names from which a chain of calls goes on."""
    for _ in range(MAX_LINKS):
        if not isinstance(expression, Call):
            return None
        if function_name(expression) in names:
            return expression
        receiver = receiver_of(expression)
        if receiver is None:
            return None
        expression = receiver
    return None


def _first_lambda(call: Call, evaluator: Evaluator) -> TypeRef | None:
    """Return what a call hands to a lambda that is its first argument."""
    if not isinstance(call.function, (Member, Name)):
        return None
    return evaluator.type_of(LambdaParameter(Call(call.function)))


def _target(call: Call, evaluator: Evaluator) -> TypeRef | None:
    """Return the type to which a navigation leads, an element of it if it is many."""
    if call.type_arguments:
        return evaluator.resolve(call.type_arguments[0])
    chain = call.arguments[0].value if call.arguments else None
    if not isinstance(chain, Lambda) or len(chain.members) != 1:
        return None
    ref = _first_lambda(call, evaluator)
    for name in chain.members[0]:
        ref = evaluator.member_type(ref, name)
    return externals.element(ref) if ref is not None and externals.is_collection(ref) else ref


def _owned(call: Call, evaluator: Evaluator) -> TypeRef | None:
    """Return the builder of an owned type, which is handed to the second argument."""
    target = _target(call, evaluator)
    return TypeRef("OwnedNavigationBuilder", None, (target,)) if target is not None else None
