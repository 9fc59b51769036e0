"""Tell which files can reach members that are declared otherwise, by what has the types that have these members.

Statements ask for a member by its name, and many types may have one so called. Those that mean the one of a type
have something of that type, of one that derives from it, or of a base through which it is called. They name such a
type, or a member that is declared with one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet

from ragduck.facts import FileFacts, MemberFact
from ragduck.garbage import without_collection
from ragduck.graph.types.attributes import ENDING
from ragduck.graph.types.declarations import is_visual_basic
from ragduck.preparation.declared_otherwise import LANGUAGE, is_like_before, last_name
from ragduck.preparation.followed_types import MOST_NAMES, CannotTellError, FollowedTypes
from ragduck.preparation.opened_otherwise import Files, files_of

WORTH_FILES = 50  # that name a member: to follow types takes as long as to read some 40


def reached_by_members(
    heads: Mapping[str, bytes],
    facts: Mapping[str, bytes],
    changed: AbstractSet[str],
    files: Callable[[], Mapping[str, FileFacts]],
    members: Collection[MemberFact],
    naming: frozenset[str],
) -> frozenset[str]:
    """Return those of the files ``naming`` members that can reach one of them, or of which that cannot be told.

    ``heads`` has the packed declarations of files as they were, ``facts`` all packed facts as they are, ``files``
    reads these, by path. ``members`` are those that are declared otherwise, as they were and as they are.
    """
    if len(naming) < WORTH_FILES:
        return naming
    by_path = files()
    if any(map(is_visual_basic, by_path.values())):
        return naming  # that spells names as it likes
    with without_collection():
        reached = _reached(files_of(heads, facts, changed, by_path), facts, members, naming)
    others = (path for path in naming if path not in by_path or by_path[path].language != LANGUAGE)
    return naming if reached is None else frozenset({*reached, *(changed & naming), *others})


def _reached(
    files: Files, facts: Mapping[str, bytes], members: Collection[MemberFact], naming: AbstractSet[str]
) -> AbstractSet[str] | None:
    """Return the files that may have something of a type with such a member; None where that may be any."""
    are_alike = files.before.keys() == files.now.keys() and all(
        is_like_before(before, files.now[path]) for path, before in files.before.items()
    )
    if not are_alike or any(one.parameters and one.parameters[0].is_this for one in members):
        return None  # what a method extends names no type that has it
    followed = FollowedTypes(files, facts, {one.owner for one in members})
    try:
        followed.follow()
        followed.follow(_declaring(followed, {last_name(one) for one in members}))
        followed.check_values(followed.members)
    except CannotTellError:
        return None
    names = {name for one in followed.names for name in (one, one.removesuffix(ENDING)) if name}
    names |= followed.members
    if len(names) > MOST_NAMES:
        return None
    found = followed.standing_in(names, followed.methods_otherwise(), naming)
    return (followed.paths & naming).union(found)


def _declaring(followed: FollowedTypes, names: AbstractSet[str]) -> set[str]:
    """Return the bases of types that declare a member of one of some names, which may be called through them."""
    bases = followed.bases()
    declaring = {part.file.path: part.file for key in bases for part in followed.parts[key]}.values()
    members = (one for file in declaring for one in file.members if one.owner in bases)
    return {one.owner for one in members if last_name(one) in names}
