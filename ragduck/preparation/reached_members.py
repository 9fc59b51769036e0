"""Tell which files can reach members that are declared otherwise, by what has the types that have these members.

Statements ask for a member by its name, and many types may have one so called. Those that mean the one of a type
have something of that type, of one that derives from it, or of a base through which it is called. They name such a
type, or a member that is declared with one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet

from ragduck.facts import FileFacts, MemberFact
from ragduck.garbage import without_collection
from ragduck.graph.types.methods import MAX_NAMESAKES
from ragduck.preparation import followed_types
from ragduck.preparation.declared_otherwise import extends, is_like_before, last_name
from ragduck.preparation.declared_parts import CannotTellError, DeclaredParts
from ragduck.preparation.followed_types import FollowedTypes
from ragduck.preparation.known_words import KnownWords
from ragduck.preparation.opened_otherwise import files_of


def reached_by_members(
    heads: Mapping[str, bytes],
    facts: Mapping[str, bytes],
    changed: AbstractSet[str],
    files: Callable[[], Mapping[str, FileFacts]],
    members: Collection[MemberFact],
    naming: frozenset[str],
    words: KnownWords | None = None,
) -> frozenset[str]:
    """Return those of the files ``naming`` members that can reach one of them, or of which that cannot be told.

    ``heads`` has the packed declarations of files as they were, ``facts`` all packed facts as they are, ``files``
    reads these, by path. ``members`` are those that are declared otherwise, as they were and as they are. ``words``
    tells where words stood in an earlier run.
    """
    if len(naming) < followed_types.WORTH_FILES:
        return naming
    with without_collection():
        reached = _reached(
            DeclaredParts(files_of(heads, facts, changed, files()), facts, words), members, naming
        )
    return naming if reached is None else frozenset(reached | (changed & naming))


def _reached(
    parts: DeclaredParts, members: Collection[MemberFact], naming: frozenset[str]
) -> frozenset[str] | None:
    """Return the files that may have something of a type with such a member; None where that may be any."""
    files = parts.files
    are_alike = files.before.keys() == files.now.keys() and all(
        is_like_before(before, files.now[path]) for path, before in files.before.items()
    )
    if not are_alike:
        return None
    followed = FollowedTypes(parts, {one.owner for one in members})
    try:
        followed.follow()
        followed.follow_declaring({last_name(one) for one in members})
        found = followed.having(naming)
    except CannotTellError:
        return None
    extending = [one for one in members if extends(one)]
    names = {last_name(one) for one in extending}
    in_sight = naming if _are_many(names, parts) else parts.seeing({one.owner for one in extending}, naming)
    found = found | set(followed.calling(names, in_sight, or_giving=True))
    return frozenset(found).union(followed.calling(parts.methods_otherwise(), naming))


def _are_many(names: AbstractSet[str], parts: DeclaredParts) -> bool:
    """Say whether so many methods of one of some names extend something that none might be looked for any more."""
    files = (parts.seen[path] for path in parts.declaring(names))
    found = Counter(one.name for file in files for one in file.members if extends(one) and one.name in names)
    return any(count > MAX_NAMESAKES // 2 for count in found.values())
