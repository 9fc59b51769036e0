"""Tell files of languages whose names no other language can see, as that of C# cannot see the functions of scripts.

Keys of what they declare begin with the language. So what such a file declares otherwise matters to statements in its
own language alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from ragduck.facts import FileFacts
from ragduck.facts.digests import NO_DECLARATIONS
from ragduck.facts.packing import declarations_of, head_of, read_head
from ragduck.graph.types.declarations import family_of

APART = frozenset(("go", "java", "python", "typescript"))  # families of languages that see each other's names


def declared_apart(
    heads: Mapping[str, bytes], facts: Mapping[str, bytes], changed: AbstractSet[str]
) -> Mapping[str, AbstractSet[str]]:
    """Return those of files that changed which are of such a language, with the families of languages, by path.

    ``heads`` has the packed declarations of files as they were, ``facts`` all packed facts as they are.
    """
    found: dict[str, AbstractSet[str]] = {}
    for path in changed:
        packed = [heads[path]] if path in heads else []
        if path in facts and declarations_of(facts[path]) != NO_DECLARATIONS:
            packed.append(head_of(facts[path]))
        families = frozenset(family_of(read_head(each).language) for each in packed)
        if families and families <= APART:
            found[path] = families
    return found


def files_of_families(families: AbstractSet[str], files: Mapping[str, FileFacts]) -> frozenset[str]:
    """Return the paths of the files in languages of some families."""
    return frozenset(path for path, file in files.items() if family_of(file.language) in families)
