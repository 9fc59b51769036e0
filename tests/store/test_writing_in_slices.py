"""A store is written a slice at a time, and how large the slices are cannot be told from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.store import finish

SHOP = Path(__file__).parents[1] / "data" / "shop"


def prepared(store: Path) -> Path:
    for repo in ("one", "two"):
        ragduck.prepare(SHOP, store, repo=repo, branch="main", embed_model="hashing", processes=1)
    return store


def test_small_slices_give_the_same_rows_in_the_same_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stored_rows: Callable[[Path], dict[str, list[Any]]]
) -> None:
    whole = prepared(tmp_path / "whole.duckdb")
    monkeypatch.setattr(
        finish, "STEPS", tuple(replace(step, rows=step.rows // 2000) for step in finish.STEPS)
    )

    sliced = prepared(tmp_path / "sliced.duckdb")

    assert stored_rows(sliced) == stored_rows(whole)
