"""Tell by names which types may derive from one: not all bases have to be resolved where few are asked for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from ragduck.facts import FileFacts
from ragduck.graph.types.declarations import Declarations, TypeInfo, TypeRef

CODE = "csharp"  # where a base is called as it is declared, unless a file calls it otherwise
_WORD = re.compile(r"\w+")


class NamedBases:
    """The types of a snapshot by the words with which their bases are written.

    ``bases_of`` resolves the bases of a type: of one of another language than C#, or with a base that some file calls
    otherwise (`using Coin = Shop.Money;`), all are, as words tell nothing of these.
    """

    def __init__(self, declarations: Declarations, bases_of: Callable[[TypeInfo], Iterable[TypeRef]]) -> None:
        self._types = tuple(declarations.types.values())
        self._by_word: defaultdict[str, list[int]] = defaultdict(list)
        self._by_base: defaultdict[str, list[int]] = defaultdict(list)
        aliases = _aliases_in(declarations.files.values())
        for place, info in enumerate(self._types):
            words = set(_words_of(info))
            if info.language == CODE and words.isdisjoint(aliases):
                for word in words:
                    self._by_word[word].append(place)
                continue
            for ref in bases_of(info):
                if ref.info is not None:
                    self._by_base[ref.info.key].append(place)

    def perhaps_deriving(self, info: TypeInfo) -> Iterator[TypeInfo]:
        """Yield the types that may have a type as a base, in order."""
        names = (info.name, info.qualified_name.rpartition(".")[2])
        places = {place for name in names for place in self._by_word.get(name, ())}
        for place in sorted(places.union(self._by_base.get(info.key, ()))):
            yield self._types[place]


def _words_of(info: TypeInfo) -> Iterator[str]:
    for declared in info.declarations:
        for written in declared.bases:
            yield from _WORD.findall(written)


def _aliases_in(files: Iterable[FileFacts]) -> set[str]:
    """Return the words that any file calls something by, for itself or for all of a project."""
    aliases = {one.alias for file in files for one in file.imports if one.alias}
    return {word for alias in aliases for word in _WORD.findall(alias)}
