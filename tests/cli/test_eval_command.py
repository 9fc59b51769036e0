from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.cli.eval import ARGUMENTS

ONLY_ORDERS = [
    "--mode",
    "bm25",
    "--filter",
    "name=Order_Place",
]  # what is found does not depend on the ranking
QUERIES = Path(__file__).parents[1] / "data" / "shop_queries.tsv"


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    file = tmp_path / "orders.tsv"
    file.write_text("place an order\tdbo.Order_Place|PROC\nplace an order\tabsent/file.cs\n")
    return file


def test_table_has_the_modes_side_by_side(invoke: Any, shop_store: Path) -> None:
    result = invoke("eval", shop_store, QUERIES)

    lines = result.stdout.splitlines()
    assert lines[0].split()[:6] == ["of", "mode", "queries", "NDCG@10", "MRR", "recall@1"]
    assert [line.split()[:3] for line in lines[2:5]] == [
        ["overall", "hybrid", "13"],
        ["bm25", "13", lines[3].split()[2]],
        ["semantic", "13", lines[4].split()[2]],
    ]
    assert [line[:15].strip() for line in lines[5::3]] == ["category plain", "category symbol"]


def test_talk_goes_to_stderr(invoke: Any, shop_store: Path, orders: Path) -> None:
    result = invoke("eval", shop_store, orders, "--mode", "bm25")

    assert "1 target not in shop.duckdb, counted as not found: absent/file.cs" in result.stderr
    assert "1 query with 2 targets in " in result.stderr
    assert "absent" not in result.stdout


def test_json_is_what_the_library_returns(invoke: Any, shop_store: Path) -> None:
    with ragduck.open(shop_store) as store:
        expected = ragduck.evaluate(store, QUERIES, modes=["bm25"]).to_dict()

    shown = json.loads(invoke("eval", shop_store, QUERIES, "--mode", "bm25", "--json").stdout)

    assert shown["comparison"] is None
    assert shown["modes"][0]["metrics"] == expected["modes"][0]["metrics"]
    assert shown["targets"] == expected["targets"]
    assert [result["found"] for result in shown["modes"][0]["results"]] == [
        result["found"] for result in expected["modes"][0]["results"]
    ]


def test_queries_are_listed_on_request(invoke: Any, shop_store: Path, orders: Path) -> None:
    result = invoke("eval", shop_store, orders, *ONLY_ORDERS, "--queries")

    row = result.stdout.splitlines()[-1]
    assert "place an order" in row
    assert "1; 1 missing" in row


def test_question_may_be_asked_once(invoke: Any, shop_store: Path, orders: Path) -> None:
    result = invoke("eval", shop_store, orders, "--mode", "semantic", "--once", "--json")

    answered = json.loads(result.stdout)["modes"][0]["results"][0]
    assert answered["milliseconds"] == answered["first_milliseconds"]
    assert "with the embedding of a question that is new" in result.stderr


def test_category_leaves_other_queries_out(invoke: Any, shop_store: Path) -> None:
    result = invoke("eval", shop_store, QUERIES, "--mode", "bm25", "--category", "symbol", "--json")

    assert {row["category"] for row in json.loads(result.stdout)["modes"][0]["results"]} == {"symbol"}


def test_filter_and_settings_reach_the_search(invoke: Any, shop_store: Path) -> None:
    result = invoke(
        "eval", shop_store, QUERIES, "--mode", "hybrid",
        "--filter", "kind=PROC", "--set", "rrf_k=5", "--once", "--json",
    )  # fmt: skip

    assert json.loads(result.stdout)["settings"] == {"filters": {"kind": ["PROC"]}, "rrf_k": 5}


def test_other_mode_is_compared_with_a_verdict(invoke: Any, shop_store: Path) -> None:
    result = invoke("eval", shop_store, QUERIES, "--once", "--compare-mode", "bm25", "--changed", "1")

    lines = result.stdout.splitlines()
    assert "first   hybrid" in lines
    assert "second  bm25" in lines
    assert any(line.startswith(("No clear difference: ", "The ")) for line in lines)
    assert len(lines) - next(place for place, line in enumerate(lines) if "changed most" in line) in (4, 5)


def test_other_setting_is_compared_on_the_same_store(invoke: Any, shop_store: Path) -> None:
    result = invoke(
        "eval", shop_store, QUERIES, "--once", "--set", "rrf_k=5", "--compare-set", "rrf_k=50", "--json"
    )

    comparison = json.loads(result.stdout)["comparison"]
    assert comparison["modes"][0]["first"] == "hybrid, rrf_k=5"
    assert comparison["modes"][0]["second"] == "hybrid, rrf_k=50"
    assert comparison["second"]["settings"] == {"rrf_k": 50}


def test_other_store_is_compared(invoke: Any, shop_store: Path, tmp_path: Path) -> None:
    other = tmp_path / "docs.duckdb"
    ragduck.prepare(QUERIES.parent / "shop" / "docs", other, embed_model="none")

    result = invoke("eval", shop_store, QUERIES, "--once", "--compare", other)

    assert "first   shop.duckdb, bm25" in result.stdout.splitlines()
    assert "second  docs.duckdb, bm25" in result.stdout.splitlines()
    assert "the leading docs/ of 2 labels was left off" in result.stderr
    assert "not in docs.duckdb, counted as not found" in result.stderr


def test_quality_below_the_least_fails(invoke: Any, shop_store: Path, orders: Path) -> None:
    passed = invoke("eval", shop_store, orders, *ONLY_ORDERS, "--min-ndcg", "0.5")
    failed = invoke("eval", shop_store, orders, *ONLY_ORDERS, "--min-ndcg", "0.9", "--json")

    assert (passed.exit_code, failed.exit_code) == (0, 1)
    assert "error: NDCG@10 is 0.613 in mode bm25, below 0.9\nhint: " in failed.stderr
    assert json.loads(failed.stdout)["queries"] == 1


def test_settings_are_arguments_of_the_search() -> None:
    taken = inspect.signature(ragduck.Store.search).parameters

    assert set(ARGUMENTS) <= set(taken)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([QUERIES, "--set", "rrf=5"], "there is no setting 'rrf'"),
        ([QUERIES, "--compare-set", "rrf_k=x"], "rrf_k cannot be 'x'"),
        ([QUERIES, "--category", "none"], "no query is of category 'none'"),
        ([QUERIES, "--recall", "11"], "recall at 11 cannot be told"),
        ([QUERIES, "--filter", "colour=red"], "unknown filter field 'colour'"),
        (["missing.tsv"], "there is no file of queries at missing.tsv"),
        ([QUERIES, "--compare", "missing.duckdb"], "there is no store at missing.duckdb"),
    ],
)
def test_mistake_is_two_lines_with_a_hint(
    invoke: Any, shop_store: Path, arguments: list[object], told: str
) -> None:
    result = invoke("eval", shop_store, *arguments)

    assert result.exit_code in (1, 2)
    assert result.stdout == ""
    assert told in result.stderr.splitlines()[0]
    assert result.stderr.splitlines()[1].startswith("hint: ")
    assert len(result.stderr.splitlines()) == 2


def test_labels_of_another_system_are_refused(invoke: Any, shop_store: Path, tmp_path: Path) -> None:
    file = tmp_path / "q.tsv"
    file.write_text("orders\tother/place.cs\n")

    result = invoke("eval", shop_store, file)

    assert result.exit_code == 2
    assert "is in" in result.stderr


def test_hostile_labels_cannot_command_the_terminal(invoke: Any, shop_store: Path, tmp_path: Path) -> None:
    file = tmp_path / "q.tsv"
    file.write_text("orders \x1b[31m\tdbo.Order_Place|PROC\torders/\x1b]0;owned\x07.cs\n")

    result = invoke("eval", shop_store, file, "--mode", "bm25", "--queries")

    assert result.exit_code == 0
    assert "\x1b" not in result.stdout + result.stderr


def test_help_loads_no_metrics(ragduck_environment: dict[str, str]) -> None:
    script = "import sys; from ragduck.cli.commands import ragduck; print(*sys.modules)"

    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=ragduck_environment
    ).stdout

    assert {"ir_measures", "numpy", "ragduck.evaluation"}.isdisjoint(loaded.split())
