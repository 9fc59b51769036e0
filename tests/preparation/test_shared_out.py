"""Each of the files that two processes share out is taken by one of them."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import pytest

from ragduck.preparation.shared_out import taken

PATHS = tuple("abcdefg")


@pytest.mark.parametrize("lead", range(len(PATHS) + 1))
def test_each_is_taken_once(tmp_path: Path, lead: int) -> None:
    first, last = taken(PATHS, tmp_path), taken(PATHS, tmp_path, from_end=True)

    ahead = [next(first) for _ in range(lead)]
    pairs = list(zip_longest(last, first))

    found = [*ahead, *(path for pair in pairs for path in pair if path is not None)]
    assert sorted(found) == list(PATHS)
    assert ahead == list(PATHS[:lead])


def test_one_alone_takes_all(tmp_path: Path) -> None:
    assert list(taken(PATHS, tmp_path, from_end=True)) == list(reversed(PATHS))
    assert list(taken(PATHS, tmp_path)) == []


def test_nothing_is_taken_where_that_cannot_be_marked(tmp_path: Path) -> None:
    assert list(taken(PATHS, tmp_path / "gone")) == []
