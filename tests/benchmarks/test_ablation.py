"""The ablation: what it takes away, what it writes, and what it leaves out when it chooses."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import pytest

import ragduck

BENCHMARKS = Path(__file__).parent
GRID = {"file_name": (0.3, 0.6, 0.9), "same_file": (0.3, 0.4)}
DEFAULTS = {"file_name": 0.6, "same_file": 0.4}


@pytest.fixture
def ablation(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("ablation")


@pytest.fixture
def leave_one_out(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("leave_one_out")


def test_the_document_has_every_row_and_no_place_of_this_machine(
    shop_store: Path, tmp_path: Path, ablation: ModuleType, ragduck_environment: dict[str, str]
) -> None:
    labels = tmp_path / "shop.tsv"
    labels.write_text(
        "where are invoices created\tdatabase/Shop.Database/dbo/Tables/Invoice.sql\n", encoding="utf-8"
    )
    output = tmp_path / "ablation.md"
    arguments = [f"shop@1.0={shop_store}:{labels}", "--output", output]
    command = [sys.executable, BENCHMARKS / "ablation.py", *arguments]

    subprocess.run(command, env=ragduck_environment, check=True, capture_output=True, timeout=300)

    text = output.read_text(encoding="utf-8")
    assert all(f"| {row} |" in text for row in ablation.settings_by_row())
    assert "ablation.py shop@1.0=shop.duckdb:shop.tsv --output ablation.md" in text.replace(" \\\n    ", " ")
    assert str(tmp_path) not in text


def test_with_all_signals_taken_away_hits_come_as_in_plain_fusion(
    shop_store: Path, ablation: ModuleType
) -> None:
    everything = {name: value for ranking in ablation.OFF.values() for name, value in ranking.items()}

    with ragduck.open(shop_store) as store:
        without = store.search("where are invoices created", ranking=everything)
        plain = store.search("where are invoices created", signals=False)

    assert [hit["node_id"] for hit in without.results] == [hit["node_id"] for hit in plain.results]


def test_what_is_chosen_are_parameters_of_the_ranking(shop_store: Path, ablation: ModuleType) -> None:
    with ragduck.open(shop_store) as store:
        known = store.sql("select ranking() as weights")[0]["weights"]

    assert set(ablation.GRID) <= set(known)
    assert all(known[name] in values for name, values in ablation.GRID.items())


def test_the_best_value_of_each_parameter_is_taken(leave_one_out: ModuleType) -> None:
    def mean(ranking: Mapping[str, float]) -> float:
        return ranking.get("file_name", 0.6) - ranking.get("same_file", 0.4)

    assert leave_one_out.climb(mean, grid=GRID, defaults=DEFAULTS) == {"file_name": 0.9, "same_file": 0.3}


def test_a_tie_leaves_the_default(leave_one_out: ModuleType) -> None:
    assert leave_one_out.climb(lambda ranking: 0.5, grid=GRID, defaults=DEFAULTS) == {}


def test_a_repository_has_no_say_in_its_own_choice(leave_one_out: ModuleType) -> None:
    likes = {"first": 0.3, "second": 0.9, "third": 0.9}

    def scores(name: str, ranking: Mapping[str, float]) -> list[float]:
        return [1 - abs(likes[name] - ranking.get("file_name", 0.6))]

    found = leave_one_out.choices(list(likes), scores, grid=GRID, defaults=DEFAULTS)

    assert found["first"] == {"file_name": 0.9}
    assert found["second"] == {}
