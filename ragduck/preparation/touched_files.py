"""Tell whose statements can mean something else since members were added, removed or declared otherwise.

Statements ask for members by the names that stand in them. So while types, namespaces and imports are what they were,
only files with one of the names have to be read again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ragduck.facts import FileFacts
from ragduck.facts.digests import NO_DECLARATIONS, changed_members
from ragduck.facts.packing import declarations_of, head_of, parts_in_words, read_head
from ragduck.preparation.declared_otherwise import LANGUAGE, constructed_in, is_of_unknown_type
from ragduck.preparation.touched_types import OnlyMembers, touched_by_types

SEEING = (LANGUAGE, "razor", "webforms")
MOST_NAMES = 100  # that are looked for: each takes some 15 ms of 40 MB of facts


class Touched(NamedTuple):
    """The paths of files whose statements may call or use something else than before.

    ``values_may_differ`` where members that are declared otherwise may stand in values of others, or make objects;
    ``types_may_differ`` where there are other types, or types are declared otherwise.
    """

    paths: frozenset[str]
    values_may_differ: bool = False
    types_may_differ: bool = False


def touched_files(
    heads: Mapping[str, bytes], facts: Mapping[str, bytes], changed: AbstractSet[str]
) -> Touched | None:
    """Return the files whose statements may mean something else than before, those that changed among them.

    ``heads`` has the packed declarations of files as they were, ``facts`` all packed facts as they are, by path.
    None where it takes reading all files to know.
    """
    names, in_values = _changed_names(heads, facts, changed), False
    if names is None:
        found = touched_by_types(heads, facts, changed)
        if isinstance(found, OnlyMembers):
            names, in_values = found
        elif found is None:
            return None
        else:
            return Touched(found, values_may_differ=True, types_may_differ=True)
    words = sorted({name.rpartition(".")[2].encode("utf-8", errors="surrogatepass") for name in names})
    if len(words) > MOST_NAMES:
        return None
    touched = set(changed)
    in_values = in_values or any(_may_differ(heads.get(path), facts.get(path), names) for path in changed)
    for path, packed in facts.items() if words else ():
        head, statements = parts_in_words(packed)
        if _holds(head, words):
            file = read_head(head_of(packed))
            aliases = [one for one in file.imports if one.alias and any(name in one.name for name in names)]
            if _has_members_of_unknown_type(file) or any(one.is_global for one in aliases):
                return None
            if aliases and file.language != LANGUAGE:
                return None  # which files below see, too
            if aliases:  # `new` names the type of a constructor by it
                touched.add(path)
            in_values = in_values or path not in changed
        if _holds(statements, words):
            touched.add(path)
    return Touched(frozenset(touched), in_values)


def _may_differ(before: bytes | None, now: bytes | None, names: AbstractSet[str]) -> bool:
    """Say whether members of these names are constructors of a file, or stand in the values that it declares."""
    packed = (before, head_of(now) if now is not None else None)
    return any(_stand_in_values(names, read_head(one)) for one in packed if one is not None)


def _stand_in_values(names: AbstractSet[str], file: FileFacts) -> bool:
    if any(one.element_type == "constructor" and one.name in names for one in file.members):
        return True
    values = repr(
        (
            [(one.value, one.assignments, one.handed_on, one.parameters) for one in file.members],
            [(one.base_arguments, one.parameters) for one in file.types],
        )
    )
    return any(name.rpartition(".")[2] in values for name in names)


def _changed_names(
    heads: Mapping[str, bytes], facts: Mapping[str, bytes], changed: AbstractSet[str]
) -> frozenset[str] | None:
    """Return the names of members that are declared otherwise, if nothing else is."""
    names: set[str] = set()
    for path in changed:
        before, now = heads.get(path), facts.get(path)
        if now is None or declarations_of(now) == NO_DECLARATIONS:
            if before is None:
                continue
            return None
        found = _changed_in(read_head(before), read_head(head_of(now))) if before is not None else None
        if found is None:
            return None
        names |= found
    return frozenset(names)


def _changed_in(before: FileFacts, now: FileFacts) -> frozenset[str] | None:
    names = changed_members(before, now)
    if not names:
        return names
    members = [one for one in (*before.members, *now.members) if one.name in names]
    if now.language != LANGUAGE or not all(one.owner for one in members):
        return None  # a function's name is looked up with its module
    if constructed_in(before) != constructed_in(now):
        return None  # `new` may name the type by an alias
    return names if all(name.rpartition(".")[2].isidentifier() for name in names) else None


def _holds(words: bytes, names: Sequence[bytes]) -> bool:
    return any(name in words for name in names)


def _has_members_of_unknown_type(file: FileFacts) -> bool:
    """Say whether the types of members come from values, in which the names of other members may stand."""
    return file.language in SEEING and any(map(is_of_unknown_type, file.members))
