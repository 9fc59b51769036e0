"""The comparison with peers: what every peer is given, what counts as found, and that failures are told."""

from __future__ import annotations

import asyncio
import email
import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.slow

PEERS = Path(__file__).parent / "peers"
SOURCES = [Path(package.__file__).parent for package in (asyncio, email)]
CHUNKS, QUERIES, TOP_K = 300, 8, 10


@pytest.fixture(scope="module", autouse=True)
def _importable() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(PEERS)
        yield


def module(name: str) -> Any:
    return importlib.import_module(name)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory, _importable: None) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    module("corpus").write_corpus(folder, chunks=CHUNKS, queries=QUERIES, sources=SOURCES)
    return folder


@pytest.fixture(scope="module")
def queries(corpus: Path) -> list[Any]:
    return list(module("queries").read_queries(corpus / "queries.json"))


@pytest.fixture(scope="module")
def exact(corpus: Path, queries: list[Any]) -> Any:
    rows = module("rows").read_rows(corpus / "rows.parquet")
    return module("results").exact_answers(rows, queries, top_k=TOP_K)


@pytest.fixture(scope="module")
def store(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    module("engines.ragduck_store").build(corpus / "rows.parquet", folder, interface="library")
    return folder


def test_the_same_sources_and_seed_give_the_same_rows_and_questions(corpus: Path, tmp_path: Path) -> None:
    module("corpus").write_corpus(tmp_path, chunks=CHUNKS, queries=QUERIES, sources=SOURCES)

    for name in ("rows.parquet", "queries.json"):
        assert (tmp_path / name).read_bytes() == (corpus / name).read_bytes()


def test_no_two_rows_have_the_same_text(corpus: Path) -> None:
    rows = module("rows").read_rows(corpus / "rows.parquet")

    assert len(set(rows["text"].to_pylist())) == CHUNKS


def test_too_few_sources_are_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="only 0 chunks of source here"):
        module("corpus").write_corpus(tmp_path, chunks=1, queries=1, sources=[tmp_path])


@pytest.fixture(params=["macros", "library"])
def peer(request: pytest.FixtureRequest, store: Path) -> Iterator[Any]:
    with closing(module("engines.ragduck_store").open_peer(store, interface=request.param)) as opened:
        yield opened


def test_ragduck_finds_what_numpy_finds(peer: Any, queries: list[Any], exact: dict[str, Any]) -> None:
    for place, query in enumerate(queries):
        vector = np.array(query.vector, dtype=np.float32)
        assert {row for row, _ in peer.vector(vector, TOP_K)} == exact["vector"][place]
        for kind in ("narrow", "wide"):
            found = peer.filtered(vector, getattr(query, kind), TOP_K)
            assert {row for row, _ in found} == exact[kind][place]


def test_ragduck_finds_the_chunk_that_a_question_comes_from(peer: Any, queries: list[Any]) -> None:
    found = [
        query.row in dict(peer.hybrid(query.text, np.array(query.vector, dtype=np.float32), TOP_K))
        for query in queries
    ]

    assert np.mean(found) > 0.9


def test_results_carry_the_text_of_their_row(corpus: Path, peer: Any, queries: list[Any]) -> None:
    texts = module("rows").read_rows(corpus / "rows.parquet")["text"].to_pylist()

    hits = peer.keyword(queries[0].text, TOP_K)

    assert len(hits) == TOP_K
    assert all(text == texts[row] for row, text in hits)


def test_recall_is_the_share_of_the_exact_answer(queries: list[Any]) -> None:
    figures = {"milliseconds": [1.0, 3.0], "cpu_milliseconds": [2.0, 6.0], "rows": [[1, 2], [3, 9]]}

    searched = module("results").compared("vector", figures, queries[:2], {"vector": [{1, 2}, {3, 4}]})

    assert (searched.recall, searched.median, searched.cpu_median, searched.returned) == (0.75, 2.0, 4.0, 2.0)


def test_fusion_prefers_what_both_sides_found() -> None:
    assert module("contract").fused([[1, 2], [3, 2]], 2) == [2, 1]


def test_of_several_rounds_the_fastest_counts() -> None:
    answers = iter([[(1, "warm")], [(1, "first")], [(1, "second")]])

    figures = module("harness").measure([lambda: next(answers)], rounds=2)

    assert figures["rows"] == [[1]]
    assert len(figures["milliseconds"]) == 1


def test_what_fails_is_reported_with_its_reason(corpus: Path, tmp_path: Path, queries: list[Any]) -> None:
    stages = module("stages").Stages(corpus, tmp_path / "environments", tmp_path / "files", [])
    entry = module("roster").Entry("nobody", "nobody", "no_such_engine", None)

    measured = stages.measure(entry, queries=queries, exact={})

    assert measured.problem is not None
    assert "No module named 'engines.no_such_engine'" in measured.problem


def test_a_run_writes_document_chart_and_figures(tmp_path: Path, ragduck_environment: dict[str, str]) -> None:
    output = tmp_path / "peers.md"
    arguments = ["--chunks", CHUNKS, "--queries", QUERIES, "--peers", "numpy", "--source", *SOURCES]
    arguments += ["--work", tmp_path / "work", "--output", output]
    command = [sys.executable, PEERS / "run.py", *map(str, arguments)]

    subprocess.run(command, env=ragduck_environment, check=True, capture_output=True, timeout=300)

    text = output.read_text(encoding="utf-8")
    figures = json.loads((tmp_path / f"work/{CHUNKS}-{QUERIES}-0/results.json").read_text(encoding="utf-8"))
    assert "| exact numpy | 1.000 |" in text
    assert str(tmp_path) not in text
    assert str(PEERS) not in text
    assert output.with_suffix(".png").stat().st_size > 0
    assert figures["entries"][0]["searches"]["vector"]["recall"] == 1.0
