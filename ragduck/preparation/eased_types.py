"""Take types that only have other attributes, or derive from other interfaces of the system, for what they are now.

No statement elsewhere means something else by an attribute of a type. By an interface it does where a member of that
is asked for, or an overload that takes one may be meant: so of the thousand files that name a type, those count that
name such.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ragduck.facts import FileFacts, Import, TypeFact
from ragduck.facts.packing import head_of, packed_facts, read_head
from ragduck.garbage import without_collection
from ragduck.graph.types.attributes import ENDING
from ragduck.graph.types.declarations import INTERFACES, is_visual_basic, outward
from ragduck.graph.types.framework_types import is_opened
from ragduck.graph.types.opened_for_many import OpenedForMany
from ragduck.preparation.declared_otherwise import LANGUAGE, last_name, words_in
from ragduck.preparation.declared_parts import CannotTellError, DeclaredParts, Part, name_of
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
    bases: list[_Base] = []
    for path in changed & heads.keys() & files.keys():
        before, now = read_head(heads[path]), files[path]
        if now.language != LANGUAGE or before.language != LANGUAGE or is_visual_basic(now):
            continue
        types = tuple(_eased(one, now) for one in before.types)
        if types != before.types:
            for one, other in zip(before.types, types, strict=True):
                bases += [_Base(base, one, before) for base in one.bases if base not in other.bases]
                bases += [_Base(base, other, now) for base in other.bases if base not in one.bases]
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


class _Base(NamedTuple):
    """What a type derives from, as it is written in a file."""

    written: str
    declared: TypeFact
    file: FileFacts


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


def _noticing(bases: Sequence[_Base], parts: DeclaredParts) -> frozenset[str]:
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


def _interfaces(bases: Sequence[_Base], parts: DeclaredParts) -> AbstractSet[str]:
    """Return the keys of the interfaces that bases mean, and of those above. Raises CannotTellError."""
    found: set[str] = set()
    aliases = {one.alias for file in parts.all_files() for one in file.imports}
    before, now = (OpenedForMany({**parts.files.others, **each}) for each in parts.files[:2])
    pending = list(bases)
    while pending:
        base = pending.pop()
        was = parts.files.before.get(base.file.path)
        opened = (before if base.file is was else now).by(base.file)
        name = name_of(base.written)
        (key, *others) = parts.named.get(name, ("",))
        if name in aliases or others or not _are_meant(parts.of.get(key, ()), base, opened):
            raise CannotTellError  # it may be another one, or one of which not all is known
        if key not in found:
            found.add(key)
            pending += [
                _Base(one, part.declared, part.file) for part in parts.of[key] for one in part.declared.bases
            ]
    return found


def _are_meant(parts: Sequence[Part], base: _Base, opened: Iterable[Import]) -> bool:
    """Say whether an interface is what a base means: it is in sight, and no type of a framework is as near.

    One that makes attributes of what derives from it is none that others cannot notice.
    """
    imports = [one.name for one in (*base.file.imports, *opened) if not (one.alias or one.is_static)]
    around = outward(base.declared.scope)
    return bool(parts) and all(
        one.element_type in INTERFACES
        and one.scope
        and not one.owner
        and not one.name.endswith(ENDING)
        and (one.scope in around or (one.scope in imports and not is_opened(one.name, imports)))
        for one, _ in parts
    )


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
    """Yield the names of members of interfaces in a file, and of what takes something that is called so.

    Raises CannotTellError where they have types within, which others may name by what derives from them, and where
    what handles them is called without being named.
    """
    for declared in file.types:
        arguments = (base.partition("<")[2] for base in declared.bases)
        if declared.owner in interfaces or not names.isdisjoint(words_in(arguments)):
            raise CannotTellError
        if not names.isdisjoint(words_in(one.type for one in declared.parameters)):
            yield declared.name
    for member in file.members:
        taken = (one.type for one in (*member.parameters, *member.constraints))
        if member.owner in interfaces or not names.isdisjoint(words_in(taken)):
            yield last_name(member)
