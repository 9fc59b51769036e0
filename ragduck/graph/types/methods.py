"""Find the methods that a call can mean on a type: own, inherited, extensions; and what they return."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ragduck.facts import EXTENSION, FileFacts, MemberFact
from ragduck.graph.types.arity import meant_first
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.declarations import TypeInfo, TypeRef
from ragduck.graph.types.externals import CLOSED, supertypes
from ragduck.graph.types.findings import METHOD, Found
from ragduck.graph.types.inheritance import binding_of, substitute

MAX_UNIFY_DEPTH = 3
MAX_NAMESAKES = 500  # methods of one name; beyond, going through them for each call costs more than it tells
MAX_OVERLOADS = 100  # of one type, of which the one that a call means is looked for among the first
BOUND_WORDS = frozenset(("class", "class?", "struct", "new()", "notnull", "unmanaged", "default"))
ANYTHING = frozenset(("object", "object?", "Object"))
PLAIN = CLOSED - {"object", "Object", "dynamic"}
DELEGATES = frozenset(("Func", "Action", "Predicate", "Expression", "Comparison"))
VALUE_BASES: Mapping[str, Sequence[str]] = {
    "enum": ("Enum", "ValueType", "IComparable", "IFormattable", "IConvertible"),
    "struct": ("ValueType",),
}
NO_VALUES = PLAIN | DELEGATES  # of a type that is declared here

_WORD = re.compile(r"\w+")


def find_member(catalog: Catalog, ref: TypeRef, name: str, *, file: FileFacts | None = None) -> Found | None:
    """Find what a name means on a type: its own member, else that of the nearest ancestor.

    Of types of one key that several projects declare, a ``file`` sees that of its own.
    """
    if ref.info is None:
        return None
    key = (ref.info.key, name)
    known = catalog.memory.members
    if key not in known:
        known[key] = _find_member(catalog, ref.info, name=name)
    found = known[key]
    if found is not None and file is not None and _is_shared(found.declaring):
        found = _of_project(catalog, found, file=file)
    if found is None:
        return None
    if len(found.members) > 1:
        found = meant_first(catalog, found, ref)
    if not ref.arguments:
        return found
    return found._replace(declaring=substitute(found.declaring, binding_of(ref)))


def _find_member(catalog: Catalog, info: TypeInfo, *, name: str) -> Found | None:
    declaring = catalog.declaring(info, name)
    if declaring is None or declaring.info is None:
        return None
    return Found(tuple(declaring.info.members[name]), declaring)


def _is_shared(ref: TypeRef) -> bool:
    return ref.info is not None and ref.info.is_shared


def _declares(project: str | None, info: TypeInfo) -> bool:
    return any(one.project == project for one in info.files)


def _is_seen(catalog: Catalog, member: MemberFact, *, file: FileFacts) -> bool:
    """Say whether a member may be of the file's project: what lies outside of all may be a part of any."""
    project = catalog.home_of(member).project
    return project == file.project or project is None or file.project is None


def _of_project(catalog: Catalog, found: Found, *, file: FileFacts) -> Found | None:
    """Keep the members that the project of a file _declares, if it _declares the type at all."""
    if found.declaring.info is None or not _declares(file.project, found.declaring.info):
        return found
    own = tuple(one for one in found.members if _is_seen(catalog, one, file=file))
    return found._replace(members=own) if own else None


def taking(
    catalog: Catalog, found: Found, ref: TypeRef, *, takes: Callable[[MemberFact], bool]
) -> Found | None:
    """Return what is found on a type if an overload ``takes`` a call, else what the type inherits and does.

    What is no method is taken for something that can be called.
    """
    if not found.is_method or any(map(takes, found.members)):
        return found
    name = found.members[0].name
    for base in catalog.inherited(ref.info) if ref.info is not None else ():
        members = base.info.members.get(name, ()) if base.info is not None else ()
        if any(one.kind == METHOD and takes(one) for one in members):
            return Found(tuple(members), substitute(base, binding_of(ref)))
    return None


def accepts(member: MemberFact, count: int, *, is_extension: bool = False) -> bool:
    """Say whether a method can be called with so many arguments, none of which is the type that it extends."""
    is_given = is_extension or EXTENSION in member.modifiers
    parameters = member.parameters[1:] if is_given else member.parameters
    if len(parameters) == count:
        return True
    required = sum(1 for one in parameters if not (one.is_optional or one.is_rest))
    return required <= count and (count <= len(parameters) or any(one.is_rest for one in parameters))


def best_overload(found: Found, *, count: int, generic: int) -> MemberFact:
    """Return the overload that takes so many arguments and type arguments, with the fewest parameters."""
    return min(alike(found, count=count, generic=generic), key=lambda one: len(one.parameters))


def alike(found: Found, *, count: int, generic: int) -> Sequence[MemberFact]:
    """Return the overloads that take so many arguments and type arguments equally well."""
    members = found.members[:MAX_OVERLOADS]
    if len(members) == 1:
        return members

    def unfitness(member: MemberFact) -> tuple[bool, bool]:
        fits = accepts(member, count, is_extension=found.is_extension)
        return not _takes_type_arguments(member, generic), not fits

    least = min(map(unfitness, members))
    return [one for one in members if unfitness(one) == least]


def _takes_type_arguments(member: MemberFact, count: int) -> bool:
    """Say whether a method has so many type parameters, or for none given, only such that arguments tell."""
    if count or not member.type_parameters:
        return len(member.type_parameters) == count
    told = {word for one in member.parameters for word in _WORD.findall(one.type)}
    return told.issuperset(member.type_parameters)


def visible_extensions(
    catalog: Catalog, name: str, *, file: FileFacts, owner: TypeInfo | None = None
) -> list[MemberFact]:
    """Return the extension methods of a name in namespaces that a file sees, or a type of it."""
    candidates = catalog.extensions(name, language=file.language)
    if len(candidates) > MAX_NAMESAKES:
        return []
    return [one for one in candidates if _is_visible(catalog, one, file=file, owner=owner)]


def _is_visible(catalog: Catalog, method: MemberFact, *, file: FileFacts, owner: TypeInfo | None) -> bool:
    declaring = member_owner(catalog, method)
    is_own = not declaring.is_shared or _is_seen(catalog, method, file=file)
    is_one = is_own or not _declares(file.project, declaring)
    return is_one and catalog.is_visible(declaring, file=file, owner=owner)


def member_owner(catalog: Catalog, member: MemberFact) -> TypeInfo:
    """Return the type of a member that has one."""
    return catalog.types[member.owner]


def parameter_type(catalog: Catalog, member: MemberFact, *, position: int) -> TypeRef | None:
    """Resolve what a parameter is declared as, where it is declared."""
    if position >= len(member.parameters):
        last = member.parameters[-1] if member.parameters else None
        return resolved(catalog, member, written=last.type) if last is not None and last.is_rest else None
    return resolved(catalog, member, written=member.parameters[position].type)


def resolved(catalog: Catalog, member: MemberFact, *, written: str) -> TypeRef:
    """Say what a type means that is written in the head of a member."""
    return catalog.resolve(written, file=catalog.home_of(member), owner=catalog.types.get(member.owner))


def is_a(catalog: Catalog, ref: TypeRef, wanted: TypeRef) -> bool:
    """Say whether something of a type is known to be of another as well, type arguments compared."""
    return any(
        is_same(one, wanted) and _arguments_fit(catalog, one, wanted=wanted) for one in lineage(catalog, ref)
    )


def lineage(catalog: Catalog, ref: TypeRef) -> Iterator[TypeRef]:
    """Yield a type and all that it is known to be as well."""
    yield ref
    ancestors: Iterable[TypeRef] = ()
    if ref.info is not None:
        binding = binding_of(ref)
        ancestors = [substitute(one, binding) for one in catalog.ancestors(ref.info)]
        yield from ancestors
        yield from map(TypeRef, VALUE_BASES.get(ref.info.declarations[0].element_type, ()))
    for one in (ref, *ancestors):
        if one.info is None:
            yield from (one._replace(name=name) for name in supertypes(one.name))


def is_same(one: TypeRef, other: TypeRef) -> bool:
    """Say whether two references are to the same type, whatever its type arguments."""
    return one.info is other.info and (one.info is not None or one.name == other.name)


def _arguments_fit(catalog: Catalog, given: TypeRef, *, wanted: TypeRef) -> bool:
    """Compare type arguments as far as both are known; parameters fit anything."""
    for one, other in zip(given.arguments, wanted.arguments, strict=False):
        if other.info is not None or other.name in CLOSED:
            is_known = one.info is not None or one.name in CLOSED
            if is_known and not any(is_same(member, other) for member in lineage(catalog, one)):
                return False
    return True


def clash(given: TypeRef | None, wanted: TypeRef | None) -> bool:
    """Say whether an argument cannot be meant for a parameter: an order for a string, a string for an order."""
    if given is None or wanted is None:
        return False
    return (given.info is not None and wanted.info is None and wanted.name in NO_VALUES) or (
        wanted.info is not None and given.name in PLAIN
    )


def fits_delegate(wanted: TypeRef) -> bool:
    """Say whether a parameter may take a lambda: it is a delegate, or nothing is known of it."""
    if wanted.info is not None:
        return wanted.info.declarations[0].element_type == "delegate"
    return wanted.name not in PLAIN


def infer(
    parameters: Sequence[TypeRef | None], arguments: Sequence[TypeRef | None], *, names: Iterable[str]
) -> dict[str, TypeRef]:
    """Tell type arguments from the types of arguments: `T` from an Order, `IEnumerable<T>` from a List<Order>."""
    binding: dict[str, TypeRef] = {}
    wanted = frozenset(names)
    for parameter, argument in zip(parameters, arguments, strict=False):
        if parameter is not None and argument is not None:
            _unify(parameter, argument, names=wanted, binding=binding, depth=0)
    return binding


def _unify(
    parameter: TypeRef, argument: TypeRef, *, names: frozenset[str], binding: dict[str, TypeRef], depth: int
) -> None:
    if parameter.info is None and parameter.name in names and not parameter.arguments:
        binding.setdefault(parameter.name, argument)
    elif depth < MAX_UNIFY_DEPTH and len(parameter.arguments) == len(argument.arguments):
        for one, other in zip(parameter.arguments, argument.arguments, strict=True):
            _unify(one, other, names=names, binding=binding, depth=depth + 1)


def bounds_of(
    catalog: Catalog, *, owner: TypeInfo | None, methods: Sequence[MemberFact]
) -> dict[str, tuple[str, ...]]:
    """Return the constraints of the type parameters that can be named within methods of a type."""
    bounds: dict[str, tuple[str, ...]] = {}
    constraints = [bound for one in methods for bound in one.constraints]
    for outer in catalog.outer_types(owner):
        constraints.extend(bound for one in outer.declarations for bound in one.constraints)
    for constraint in constraints:
        bounds[constraint.name] = (*bounds.get(constraint.name, ()), constraint.type)
    return bounds


def put_in(ref: TypeRef, *bindings: Mapping[str, TypeRef]) -> TypeRef:
    """Put in several bindings, the first ones first."""
    for binding in bindings:
        ref = substitute(ref, binding)
    return ref
