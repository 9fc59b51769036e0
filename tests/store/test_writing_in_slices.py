"""A store is written a slice at a time, and how large the slices are cannot be told from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ragduck
from ragduck.store import finish, known_words
from ragduck.store.schema import slices

SHOP = Path(__file__).parents[1] / "data" / "shop"


def prepared(store: Path) -> Path:
    for repo in ("one", "two"):
        ragduck.prepare(SHOP, store, repo=repo, branch="main", embed_model="hashing", processes=1)
    return store


@pytest.mark.slow
def test_small_slices_give_the_same_rows_in_the_same_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stored_rows: Callable[[Path], dict[str, list[Any]]]
) -> None:
    whole = prepared(tmp_path / "whole.duckdb")
    for module, name in ((finish, "STEPS"), (finish, "WORD_STEPS"), (known_words, "STEPS")):
        steps = tuple(replace(step, rows=step.rows // 2000) for step in getattr(module, name))
        monkeypatch.setattr(module, name, steps)

    sliced = prepared(tmp_path / "sliced.duckdb")

    assert stored_rows(sliced) == stored_rows(whole)


@given(st.integers(0, 500), st.integers(1, 60))
def test_slices_hold_every_number_once_and_the_last_is_no_small_rest(last: int, size: int) -> None:
    found = list(slices(last, size=size))

    assert [number for low, high in found for number in range(low, high)] == list(range(last + 1))
    assert all(high - low == size for low, high in found[:-1])
    assert last + 1 < size or size / 2 <= found[-1][1] - found[-1][0] <= 1.5 * size
