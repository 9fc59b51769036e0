"""Tell of a file of C# that imports something else than before which of its members may be something else by that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from ragduck.facts import Attribute, FileFacts, Import
from ragduck.facts.digests import other_members
from ragduck.graph.types.attributes import ENDING
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.visibility import is_of_library
from ragduck.preparation.declared_otherwise import (
    LANGUAGE,
    declared_otherwise,
    last_name,
    meant_by,
    texts_in,
    words_in,
)
from ragduck.preparation.opened_otherwise import Files, names_by_namespace, seen_otherwise

Names = frozenset[str]


def imported_otherwise(
    before: FileFacts, now: FileFacts, others: Mapping[str, FileFacts], libraries: AbstractSet[str]
) -> Names | None:
    """Return the names of members that a file declares otherwise, or that may be of other types by what it imports.

    ``others`` are all other files, by path. None where more than members is otherwise: where a type derives from
    something else, an attribute or a value may mean something else, other projects may be referred to, or it was
    asked whether the file opens one of the ``libraries``.
    """
    opened = frozenset(before.imports) ^ frozenset(now.imports)
    if any(is_of_library(one.name, libraries) for one in opened):
        return None
    if other_members(before._replace(imports=now.imports), now) is None:
        return None
    of_language = {path: file for path, file in others.items() if family_of(file.language) == LANGUAGE}
    files = Files({before.path: before}, {now.path: now}, of_language)
    otherwise = declared_otherwise(files.before, files.now, names_by_namespace(files))
    if otherwise is None or otherwise.types or seen_otherwise(files) != frozenset():
        return None
    return otherwise.members if not is_said_otherwise(before, now, files, otherwise.members) else None


def is_said_otherwise(before: FileFacts, now: FileFacts, files: Files, members: AbstractSet[str]) -> bool:
    """Say whether values or attributes may mean something else by what a file imports, some members apart."""
    if _taken_in(before) != _taken_in(now):
        return True
    opened = frozenset(before.imports) ^ frozenset(now.imports)
    if not opened:
        return False
    is_meant = meant_by(opened, names_by_namespace(files), before, now)
    if any(is_meant(one.name.partition(".")[0]) for one in _taken_in(now)):
        return True  # `using static Names`
    return any(is_meant(word) for file in (before, now) for word in _said_beside(members, file))


def _taken_in(file: FileFacts) -> list[Import]:
    """Return the types of which a file takes in the members, in order."""
    return [one for one in file.imports if one.is_static]


def _said_beside(members: AbstractSet[str], file: FileFacts) -> Iterator[str]:
    """Yield the words of values and attributes that a file declares, but for those of some members.

    Attributes have two names.
    """
    values: list[object] = []
    marks: list[Attribute] = []
    for declared in file.types:
        values.append((declared.base_arguments, declared.parameters, declared.takes))
        marks += declared.attributes
    for member in (one for one in file.members if last_name(one) not in members):
        values.append(
            (member.value, member.assignments, member.handed_on, [one.default for one in member.parameters])
        )
        marks += member.attributes
        marks += (one for parameter in member.parameters for one in parameter.triggers)
    yield from words_in(texts_in((values, marks)))
    for mark in marks:
        yield f"{mark.name}{ENDING}"
