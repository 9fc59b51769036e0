"""Tell what files of C# declare otherwise than before: types that are new, gone or different, and members of others.

Where a file is what it was but for what it imports, only what names something of what is imported counts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import NamedTuple

from ragduck.facts import MODULE, Attribute, FileFacts, Import, MemberFact, TypeFact
from ragduck.facts.digests import UNASKED, declarations_digest
from ragduck.facts.files import PROJECT
from ragduck.graph.types.attributes import ENDING
from ragduck.graph.types.build_files import is_build_file
from ragduck.graph.types.declarations import is_visual_basic
from ragduck.graph.types.framework_members import VIEW
from ragduck.graph.types.framework_types import is_opened
from ragduck.graph.types.opened_for_many import RAZOR, RAZOR_IMPORTS
from ragduck.graph.types.visibility import own_namespace

LANGUAGE = "csharp"  # whose members have a written type, and whose types name their bases
TYPED = ("enum_member", "constructor", "destructor")  # whose values tell nothing of their type
# Attributes that tell compilers and tools something, and no rule
UNREAD = frozenset(
    ("Obsolete", "ExcludeFromCodeCoverage", "SuppressMessage", "DebuggerDisplay", "DebuggerStepThrough")
)
LONG_TYPE = 250  # characters; some who read types take no longer ones than 300
UNREAD_MODIFIERS = frozenset(("required",))
WEB_FORMS = "System.Web"  # what opens it has members of pages and controls

_WORD = re.compile(r"\w+")
_MAY_BE_NULL = re.compile(r"(?<=\w)\?")

Named = Callable[[str], bool]


class Otherwise(NamedTuple):
    """The keys of types that are declared otherwise, and the names of members of other types that are."""

    types: frozenset[str]
    members: frozenset[str] = frozenset()


def declared_otherwise(
    before: Mapping[str, FileFacts], now: Mapping[str, FileFacts], names_in: Mapping[str, AbstractSet[str]]
) -> Otherwise | None:
    """Compare files as they were and as they are, without statements, by path.

    ``names_in`` has the names of types by their namespaces. None where something else is different that other files
    see, or may.
    """
    types: set[str] = set()
    members: set[str] = set()
    unread = _unread(names_in)
    for path in before.keys() | now.keys():
        old, new = (_without(unread, each[path]) if path in each else None for each in (before, now))
        if old is not None and new is not None and declarations_digest(old) == declarations_digest(new):
            continue
        if old is not None and new is not None and _are_alike_in_sight(old, new, names_in):
            continue
        if not all(_is_plain(one) for one in (old, new) if one is not None):
            return None
        if old is None or new is None or _standing(old) != _standing(new):
            types.update(one.key for file in (old, new) if file is not None for one in file.types)
            continue
        found = _within(old, new, names_in)
        if found is None:
            return None
        types |= found.types
        members |= found.members
    return Otherwise(frozenset(types), frozenset(members))


def _unread(names_in: Mapping[str, AbstractSet[str]]) -> AbstractSet[str]:
    """Return the attributes that no rule reads, but for those that the code itself declares."""
    declared = frozenset[str]().union(*names_in.values())
    return {one for one in UNREAD if declared.isdisjoint((one, f"{one}{ENDING}"))}


def _without(attributes: AbstractSet[str], file: FileFacts) -> FileFacts:
    """Return a file without some attributes of its types and members."""

    def others(declared: TypeFact | MemberFact) -> tuple[Attribute, ...]:
        return tuple(one for one in declared.attributes if one.name not in attributes)

    read = as_they_are_read(file)
    return read._replace(
        types=tuple(one._replace(attributes=others(one)) for one in read.types),
        members=tuple(one._replace(attributes=others(one)) for one in read.members),
    )


def as_they_are_read(file: FileFacts) -> FileFacts:
    """Return a file with its members as statements elsewhere read them, to whom it is the same what may be null.

    Nor do they ask what has to be set where an object is made. Types that may be too long to be read stay as written.
    """
    if file.language != LANGUAGE or is_visual_basic(file):
        return file
    members = (
        one._replace(
            type=_MAY_BE_NULL.sub("", one.type) if len(one.type) < LONG_TYPE else one.type,
            modifiers=one.modifiers - UNREAD_MODIFIERS,
        )
        for one in file.members
    )
    return file._replace(members=tuple(members))


def is_like_before(old: FileFacts, new: FileFacts) -> bool:
    """Say whether two versions of a file of C# declare nothing but types with members, where these stood."""
    are_plain = old.language == new.language == LANGUAGE and _is_plain(old) and _is_plain(new)
    return are_plain and _standing(old) == _standing(new) and _are_in_order(old, new)


def _are_in_order(old: FileFacts, new: FileFacts) -> bool:
    """Say whether the types that stayed are declared in the order in which they were."""
    before, now = _types_by_key(old), _types_by_key(new)
    return [key for key in before if key in now] == [key for key in now if key in before]


def is_of_unknown_type(member: MemberFact) -> bool:
    """Say whether the type of a member comes from its value."""
    return not member.type and member.element_type not in TYPED


def named_by_type(declared: TypeFact) -> Iterator[str]:
    """Yield the types that the declaration of a type names, as written, but for its attributes."""
    yield from declared.bases
    for parameters in (declared.parameters, declared.constraints, declared.takes):
        yield from (one.type for one in parameters)


def named_by_member(declared: MemberFact) -> Iterator[str]:
    """Yield the types that the declaration of a member names, as written."""
    yield declared.type
    for parameters in (declared.parameters, declared.constraints):
        yield from (one.type for one in parameters)


def words_in(written: Iterable[str]) -> Iterator[str]:
    """Yield the names of which written types are made."""
    return (word for one in written for word in _WORD.findall(one))


def texts_in(facts: object) -> Iterator[str]:
    """Yield all texts of which facts are made."""
    pending = [facts]
    while pending:
        one = pending.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, (tuple, list, frozenset)):
            pending.extend(one)


def last_name(member: MemberFact) -> str:
    """Return the name by which a member is asked for: that in the interface, where it implements one explicitly."""
    return member.name.rpartition(".")[2]


def extends(member: MemberFact) -> bool:
    """Say whether a method extends a type: what it extends names no type that has it."""
    return bool(member.parameters) and member.parameters[0].is_this


def _is_plain(file: FileFacts) -> bool:
    """Say whether a file declares nothing but types with members, and opens nothing for others."""
    keys = {one.key for one in file.types}
    is_view = _is_view(file)
    return (
        (file.language == LANGUAGE or is_view)
        and not is_visual_basic(file)
        and not is_build_file(file.path)
        and not file.module
        and not any(one.is_global for one in file.imports)
        and (is_view or all(view.how in UNASKED for view in file.views))
        and all((is_view or one.name.isidentifier()) and MODULE not in one.modifiers for one in file.types)
        and all(one.owner in keys and not is_of_unknown_type(one) for one in file.members)
    )


def _is_view(file: FileFacts) -> bool:
    """Say whether a file is a view of Razor, of which others see nothing but its type; components set namespaces."""
    path = file.path.lower()
    return file.language == RAZOR and path.endswith(VIEW) and not path.endswith(RAZOR_IMPORTS)


def _are_alike_in_sight(old: FileFacts, new: FileFacts, names_in: Mapping[str, AbstractSet[str]]) -> bool:
    """Say whether a file is the same but for what it imports, and declares nothing by what that brings in sight."""
    beside = (declarations_digest(one._replace(imports=())) for one in (old, new))
    is_code = new.language in (LANGUAGE, RAZOR) and not is_visual_basic(new)
    if not is_code or new.path.lower().endswith(PROJECT) or is_build_file(new.path) or len(set(beside)) > 1:
        return False
    opened = set(old.imports) ^ set(new.imports)
    if any(one.is_global or one.is_static for one in opened):
        return False
    if any(one.name.startswith(WEB_FORMS) for one in opened) or any(map(is_of_unknown_type, new.members)):
        return False
    return not _names_any(_texts_naming_others(new), meant_by(opened, names_in, old, new))


def _texts_naming_others(file: FileFacts) -> Iterator[str]:
    """Yield the texts of declarations but for what these themselves are called, and where they stand."""
    for one in file.types:
        yield from texts_in(one._replace(key="", name="", qualified_name="", scope="", owner=""))
    for member in file.members:
        interface = member.name.rpartition(".")[0]
        yield from texts_in(member._replace(key="", name=interface, owner=""))
    yield from texts_in(file.views)


def _standing(file: FileFacts) -> tuple[object, ...]:
    """Return what all names in a file depend on beside what it imports."""
    return file.file_class, file.project, own_namespace(file, frozenset())


def _within(old: FileFacts, new: FileFacts, names_in: Mapping[str, AbstractSet[str]]) -> Otherwise | None:
    """Compare two versions of a file in which names mean the same, but for what it imports."""
    if not _are_in_order(old, new):
        return None
    if _is_view(new):
        return Otherwise(_of_view(old, new, names_in))
    before, now = _types_by_key(old), _types_by_key(new)
    types = {key for key in before.keys() | now.keys() if before.get(key) != now.get(key)}
    members: set[str] = set()
    opened = set(old.imports) ^ set(new.imports)
    if opened:
        is_meant = meant_by(opened, names_in, old, new)
        types |= {one.key for one in (*old.types, *new.types) if _names_any(named_by_type(one), is_meant)}
        if any(one.name.startswith(WEB_FORMS) for one in opened):
            types |= before.keys() | now.keys()
        for member in (*old.members, *new.members):
            if _names_any(named_by_member(member), is_meant):
                _add(member, types, members)
    for member in _changed_members(old, new, types):
        _add(member, types, members)
    constructed = constructed_in(old) ^ constructed_in(new)  # `new` may name the type by an alias
    return Otherwise(frozenset(types | constructed), frozenset(members))


def _of_view(old: FileFacts, new: FileFacts, names_in: Mapping[str, AbstractSet[str]]) -> frozenset[str]:
    """Return the keys of the types in a view, where it derives from something else, or what may be called differs.

    Nobody names the type of a view, but others call what it overrides, and name what is nested in it.
    """
    opened = set(old.imports) ^ set(new.imports)
    has_nested = any(one.owner for file in (old, new) for one in file.types)
    bases = (words_in(named_by_type(one)) for file in (old, new) for one in file.types)
    given = (words_in((one.name,)) for file in (old, new) for one in file.views if one.how == "inherits")
    is_meant = meant_by(opened, names_in, old, new)
    is_alike = _derived(old) == _derived(new) and not any(map(is_meant, chain(*bases, *given)))
    if is_alike and not has_nested:
        return frozenset()
    return frozenset(one.key for one in (*old.types, *new.types))


def _derived(file: FileFacts) -> tuple[object, ...]:
    """Return what a view derives from, and what others may call, by its name alone or for what it overrides."""
    given = [one.name for one in file.views if one.how == "inherits"]
    injected = sum(one.how == "inject" for one in file.views)  # members that stand before those in code
    called = ("METHOD", "PROPERTY")
    members = [one._replace(line=0, end_line=0) for one in file.members[injected:] if one.kind in called]
    return _types_by_key(file), given, members


def _names_any(written: Iterable[str], is_meant: Named) -> bool:
    return any(map(is_meant, words_in(written)))


def _add(member: MemberFact, types: set[str], members: set[str]) -> None:
    """Take a member by its name, or with its type where no name asks for it, as for an indexer."""
    name = last_name(member)
    if name.isidentifier():
        members.add(name)
    else:
        types.add(member.owner)


def _types_by_key(file: FileFacts) -> dict[str, list[TypeFact]]:
    found: defaultdict[str, list[TypeFact]] = defaultdict(list)
    for one in file.types:
        found[one.key].append(one._replace(line=0, end_line=0))
    return dict(found)


def _changed_members(old: FileFacts, new: FileFacts, types: AbstractSet[str]) -> Iterator[MemberFact]:
    """Yield the members of a name that are not what they were, in their order, but for those of some types."""
    before, now = (_members_by_name(file, types) for file in (old, new))
    for name in before.keys() | now.keys():
        if before.get(name) != now.get(name):
            yield from (*before.get(name, ()), *now.get(name, ()))


def _members_by_name(file: FileFacts, types: AbstractSet[str]) -> dict[str, list[MemberFact]]:
    found: defaultdict[str, list[MemberFact]] = defaultdict(list)
    for one in file.members:
        if one.owner not in types:
            found[one.name].append(one._replace(line=0, end_line=0))
    return dict(found)


def constructed_in(file: FileFacts) -> frozenset[str]:
    """Return the keys of the types that have a constructor of their own."""
    return frozenset(one.owner for one in file.members if one.element_type == "constructor")


def meant_by(
    opened: AbstractSet[Import], names_in: Mapping[str, AbstractSet[str]], *files: FileFacts
) -> Named:
    """Return what says of a name in files whether it may mean something that imports bring in sight.

    So does another name for a type that is closed with such: `using Rows = List<Order>`.
    """
    spaces = [one.name for one in opened if not one.alias and not one.is_static]
    names = {one.alias for one in opened if one.alias}
    for namespace, found in names_in.items():
        if any(namespace == one or namespace.endswith(f".{one}") for one in spaces):
            names |= found

    def is_meant(word: str) -> bool:
        return word in names or is_opened(word, spaces)

    closed = [one for file in files for one in file.imports if one.alias and "<" in one.name]
    aliases = {one.alias for one in closed if _names_any((one.name,), is_meant)}
    return lambda word: word in aliases or is_meant(word)
