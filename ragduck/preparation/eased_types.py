"""Take types that only have other attributes, or derive from other interfaces of the system, for what they are now.

No statement elsewhere means something else by an attribute of a type. By an interface it does where a member of that
is asked for, or an overload that takes one may be meant: so of the thousand files that name a type, those count that
name such.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ragduck.facts import FileFacts, TypeFact
from ragduck.facts.packing import head_of, packed_facts, read_head
from ragduck.garbage import without_collection
from ragduck.graph.types.attributes import ENDING
from ragduck.graph.types.declarations import INTERFACES, is_visual_basic
from ragduck.preparation.declared_otherwise import LANGUAGE, last_name, words_in
from ragduck.preparation.declared_parts import CannotTellError, DeclaredParts, name_of
from ragduck.preparation.followed_types import FollowedTypes
from ragduck.preparation.known_words import KnownWords
from ragduck.preparation.opened_otherwise import files_of

MOST_NAMES = 100  # that are looked for: each takes some 15 ms of 40 MB of facts


class Eased(NamedTuple):
    """The packed declarations of files as they were, but for what eased types have now, and who may notice by it."""

    heads: Mapping[str, bytes]
    paths: frozenset[str]


def eased_types(
    heads: Mapping[str, bytes],
    facts: Mapping[str, bytes],
    changed: AbstractSet[str],
    files: Mapping[str, FileFacts],
    words: KnownWords | None = None,
) -> Eased | None:
    """Ease the types of files that ``changed``; None where there are none, or that cannot be told.

    ``heads`` has the packed declarations of files as they were, ``facts`` all packed facts as they are, ``files``
    what these are, by path; ``words`` tells where words stood in an earlier run.
    """
    eased: dict[str, bytes] = {}
    bases: set[str] = set()
    for path in changed & heads.keys() & files.keys():
        before, now = read_head(heads[path]), files[path]
        if now.language != LANGUAGE or before.language != LANGUAGE or is_visual_basic(now):
            continue
        types = tuple(_eased(one, now) for one in before.types)
        if types != before.types:
            bases.update(*(_bases_otherwise(*pair) for pair in zip(before.types, types, strict=True)))
            eased[path] = head_of(packed_facts(before._replace(types=types)))
    if not eased:
        return None
    found: frozenset[str] = frozenset()
    if bases:
        with without_collection():
            try:
                parts = DeclaredParts(files_of(heads, facts, changed, files), facts, words)
                found = _noticing(bases, parts)
            except CannotTellError:
                return None
    return Eased({**heads, **eased}, found)


def _eased(before: TypeFact, file: FileFacts) -> TypeFact:
    """Return a type with the attributes and bases that it has in a file now, if nothing else is different of it."""
    now = [one for one in file.types if one.key == before.key]
    if len(now) != 1:
        return before
    as_now = before._replace(attributes=now[0].attributes, bases=now[0].bases)
    is_alike = as_now == now[0]._replace(line=before.line, end_line=before.end_line)
    order = (
        [one for one in each if one in other]
        for each, other in ((before.bases, now[0].bases), (now[0].bases, before.bases))
    )
    return as_now if is_alike and next(order) == next(order) else before


def _bases_otherwise(before: TypeFact, now: TypeFact) -> AbstractSet[str]:
    return frozenset(before.bases) ^ frozenset(now.bases)


def _noticing(bases: AbstractSet[str], parts: DeclaredParts) -> frozenset[str]:
    """Return the files that may mean something else where a type derives from interfaces, or no longer does.

    Raises CannotTellError.
    """
    if parts.have_visual_basic:
        raise CannotTellError  # which spells names as it likes
    interfaces = _interfaces(bases, parts)
    names = _asked(interfaces, parts)
    if len(names) > MOST_NAMES:
        raise CannotTellError
    followed = FollowedTypes(parts, ())
    followed.check_values(names)
    everywhere = parts.seen.keys()
    return frozenset(followed.paths | parts.standing_in(names, everywhere) | parts.declaring(names))


def _interfaces(bases: AbstractSet[str], parts: DeclaredParts) -> AbstractSet[str]:
    """Return the keys of the interfaces that are named as bases, and of those above. Raises CannotTellError."""
    found: set[str] = set()
    pending = [name_of(written).rpartition(".")[2] for written in bases]
    aliases = {one.alias for file in parts.all_files() for one in file.imports}
    while pending:
        name = pending.pop()
        keys = parts.named.get(name, frozenset())
        named = [part for key in keys for part in parts.of[key]]
        if name in aliases or not named or any(one.declared.element_type not in INTERFACES for one in named):
            raise CannotTellError  # it may be another one, or one of which not all is known
        pending.extend(
            base for part in named if part.declared.key not in found for base in parts.base_names(part)
        )
        found |= keys
    return found


def _asked(interfaces: AbstractSet[str], parts: DeclaredParts) -> AbstractSet[str]:
    """Return the names of interfaces, of their members, and of what takes one of them. Raises CannotTellError."""
    names = {part.declared.name for key in interfaces for part in parts.of[key]}
    renamed = [one for file in parts.all_files() for one in file.imports if one.alias]
    for one in (*renamed, *renamed):  # an alias may be closed with another
        if not names.isdisjoint(words_in((one.name,))):
            names.add(one.alias)
    paths = parts.declaring(names) | parts.files.before.keys()
    holding = (file for file in parts.all_files() if file.path in paths)
    found = names | {name for file in holding for name in _taking(names, interfaces, file)}
    if not all(one.isidentifier() for one in found):
        raise CannotTellError  # an indexer, which nobody names
    return found | {one.removesuffix(ENDING) for one in found if one != ENDING}


def _taking(names: AbstractSet[str], interfaces: AbstractSet[str], file: FileFacts) -> Iterator[str]:
    """Yield the names of members of interfaces in a file, and of what takes something that is called so."""
    for declared in file.types:
        if declared.owner in interfaces or not names.isdisjoint(
            words_in(one.type for one in declared.parameters)
        ):
            yield declared.name
    for member in file.members:
        taken = (one.type for one in (*member.parameters, *member.constraints))
        if member.owner in interfaces or not names.isdisjoint(words_in(taken)):
            yield last_name(member)
