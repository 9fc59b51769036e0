"""Signals of all chunks, held in memory while many questions are asked: reading them for each plans two joins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any, TypeAlias

from ragduck.resources import sql_text
from ragduck.search.kept_filters import Columns

Array: TypeAlias = Any  # of numpy, which a keyword search does not otherwise import

NAMES = ("file_share", "folder_share", "rarity")  # what named_files.sql tells


@dataclass(frozen=True)
class LoadedSignals:
    """The tables `chunk_signals` and `file_terms` as arrays by column, some 40 bytes a chunk.

    ``chunks`` are in order of `chunk_no`, ``files`` of `file_no`, ``names`` of `stem_key` and `file_no`.
    """

    chunks: Mapping[str, Array]
    files: Mapping[str, Array]
    names: Mapping[str, Array]

    @classmethod
    def read(cls, columns: Columns) -> LoadedSignals:
        """Read all with ``columns``, which runs a statement: 15 ms of 100,000 chunks."""
        return cls(*(columns(sql_text(f"search/loaded_{name}.sql")) for name in ("chunks", "files", "names")))

    @cached_property
    def is_plain(self) -> bool:
        """Whether the ranking may compute with them: they are there, and finite."""
        import numpy as np

        numbers = (
            self.files["centrality"],
            self.files["loose_chunks"],
            *(self.names[name] for name in NAMES),
        )
        return all(not np.ma.is_masked(each) and bool(np.isfinite(each).all()) for each in numbers)

    def of_chunks(self, hits: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
        """Return the columns of hits with those of `chunk_signals`; without chunks that it lacks, as a join does."""
        rows = _found(self.chunks["chunk_no"], hits["chunk_no"])
        if None in rows:
            known = [row is not None for row in rows]
            return self.of_chunks({name: [*compress(column, known)] for name, column in hits.items()})
        own = {name: column[rows].tolist() for name, column in self.chunks.items()}
        own["member_keys"] = [keys if keys is None else keys.tolist() for keys in own["member_keys"]]
        files = self.files["file_no"].searchsorted(own["file_no"])
        return {**hits, **own, **{name: column[files].tolist() for name, column in self.files.items()}}

    def names_of(self, stem_keys: Sequence[int], file_nos: Sequence[int]) -> dict[str, list[float | None]]:
        """Return how each file is named by a question, as columns; None where it is not."""
        wanted = sorted(set(file_nos))
        sums: dict[int, list[float]] = {}
        for stem in sorted(set(stem_keys)):
            low, high = (self.names["stem_key"].searchsorted(stem, side) for side in ("left", "right"))
            told = [self.names[name][low:high] for name in NAMES]
            places = _found(self.names["file_no"][low:high], wanted)
            for file_no, place in zip(wanted, places, strict=True):
                if place is not None:
                    file, folder, rarity = (float(column[place]) for column in told)
                    before = sums.get(file_no, (0.0, 0.0, 0.0))
                    shares = file, folder, rarity if file > 0 else 0.0
                    sums[file_no] = [total + share for total, share in zip(before, shares, strict=True)]
        found = [sums.get(file_no, (None, None, None)) for file_no in file_nos]
        return {name: [row[place] for row in found] for place, name in enumerate(NAMES)}


def _found(values: Array, wanted: Sequence[int]) -> list[int | None]:
    """Return where each number stands in an array that rises; None where it is not."""
    if not len(values):
        return [None] * len(wanted)
    places = values.searchsorted(wanted)
    places[places == len(values)] = 0
    same = (values[places] == wanted).tolist()
    return [place if found else None for place, found in zip(places.tolist(), same, strict=True)]
