"""Remember in which files words stand among packed facts, so that names are not looked for in all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ragduck.facts.packing import head_of, in_words, statements_in_words
from ragduck.preparation.known_facts import KnownFacts
from ragduck.preparation.packed_tables import packed_tables, unpacked_tables
from ragduck.preparation.standing_names import Known, places_of_words

KIND = "words"
MOST_OTHERWISE = 100  # files that are not as they were, and looked through for each name


class WordIndex(NamedTuple):
    """In which files words stand: ``words`` in order, and of each the places of its files among the ``paths``."""

    paths: list[str]
    words: pa.BinaryArray
    places: pa.ListArray

    def holding(self, word: bytes) -> Iterator[str]:
        """Yield the paths of the files in which a word stands, in order."""
        at = self._place_of(word)
        if at < len(self.words) and self.words[at].as_py() == word:
            yield from map(self.paths.__getitem__, self.places[at].as_py())

    def _place_of(self, word: bytes) -> int:
        first, end = 0, len(self.words)
        while first < end:
            middle = (first + end) // 2
            if self.words[middle].as_py() < word:
                first = middle + 1
            else:
                end = middle
        return first


class KnownWords(NamedTuple):
    """In which files words stood in an earlier run, among declarations and among statements."""

    heads: Known
    statements: Known


def known_words(facts: KnownFacts) -> KnownWords | None:
    """Return what is kept of an earlier run, if most files are as they were."""
    key = facts.key_of(KIND)
    data = facts.read(key)
    return unpacked_words(data, facts.digests, key=key) if data is not None else None


def words_to_keep(facts: KnownFacts) -> Mapping[bytes, bytes]:
    """Return where words stand as it is kept; nothing where what is kept will do for some time."""
    key = facts.key_of(KIND)
    data = facts.read(key)
    tables = unpacked_tables(data, key, count=1) if data is not None else None
    if tables is not None and len(_otherwise(tables[0], facts.digests)) <= MOST_OTHERWISE // 2:
        return {}
    return {key: packed_words(facts.packed, facts.digests, key=key)}


def packed_words(packed: Mapping[str, bytes], digests: Mapping[str, bytes], *, key: bytes) -> bytes:
    """Return where words stand in packed facts as bytes; the key goes into the checksum."""
    files = {
        "path": pa.array(list(packed), pa.string()),
        "facts": pa.array([digests[path] for path in packed], pa.binary()),
    }
    heads = _table(in_words(head_of(facts)) for facts in packed.values())
    statements = _table(statements_in_words(facts) for facts in packed.values())
    return packed_tables((pa.table(files), heads, statements), key)


def unpacked_words(data: bytes, digests: Mapping[str, bytes], *, key: bytes) -> KnownWords | None:
    """Read back what `packed_words` gave, for files with these hashes of facts.

    None for bytes that are not whole, and where too many files are not as they were.
    """
    tables = unpacked_tables(data, key, count=3)
    if tables is None:
        return None
    files, *indexes = tables
    otherwise = _otherwise(files, digests)
    if len(otherwise) > MOST_OTHERWISE:
        return None
    paths = files["path"].to_pylist()
    heads, statements = (
        Known(WordIndex(paths, *(index[name].combine_chunks() for name in ("word", "places"))), otherwise)
        for index in indexes
    )
    return KnownWords(heads, statements)


def _otherwise(files: pa.Table, digests: Mapping[str, bytes]) -> frozenset[str]:
    """Return the files that are not as they were, those that are gone among them."""
    before = set(zip(files["path"].to_pylist(), files["facts"].to_pylist(), strict=True))
    return frozenset(path for path, _ in before ^ set(digests.items()))


def _table(texts: Iterable[bytes]) -> pa.Table:
    found = places_of_words(texts)
    words = sorted(found)
    ends = np.cumsum([0, *(len(found[word]) for word in words)], dtype=np.int32)
    places = pa.array(chain.from_iterable(found[word] for word in words), pa.int32())
    columns = {"word": pa.array(words, pa.binary()), "places": pa.ListArray.from_arrays(ends, places)}
    return pa.table(columns)
