"""An export writes an index, chunk numbers and a manifest, in one step and never over foreign files."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import pytest

import ragduck
from ragduck.errors import ForeignFileError, StoreError, UsageError
from ragduck.library import open_store
from ragduck.mirror import export_faiss
from ragduck.mirror.export import MirrorReport
from ragduck.mirror.manifest import KINDS
from ragduck.mirror.plan import IndexPlan, code_bits, other_plan, plan_index
from ragduck.mirror.tuning import Measured, Truth, tune

Export = Callable[..., tuple[Path, MirrorReport]]


@pytest.mark.parametrize("kind", ["flat", "hnsw", "ivf", "pq"])
def test_a_mirror_is_an_index_that_faiss_reads_with_a_manifest(mirrored: Export, kind: str) -> None:
    store, report = mirrored(kind)

    index = faiss.read_index(str(report.folder / "index.faiss"))
    manifest = json.loads((report.folder / "manifest.json").read_text())

    with open_store(store) as opened:
        vectors = opened.sql("select count(embedding) as vectors from documents")[0]["vectors"]
        assert manifest["fingerprint"] == opened.meta["vectors_fingerprint"]
    assert report.folder == store.with_name("scattered.duckdb.faiss")
    assert (index.ntotal, index.d, manifest["rows"], manifest["dimension"]) == (vectors, 24, vectors, 24)
    assert manifest["kind"] == kind
    assert manifest["model_key"] == "scattered@1/24"
    assert manifest["recall_at_10"] >= 0.99
    assert manifest["latency_ms"]["p50"] > 0


def test_chunk_numbers_name_the_chunk_of_each_row(mirrored: Export) -> None:
    store, report = mirrored("flat")

    chunk_nos = np.load(report.folder / "chunk_nos.npy")

    with open_store(store) as opened:
        rows = opened.sql("select chunk_no from documents where embedding is not null order by chunk_no")
    assert chunk_nos.tolist() == [row["chunk_no"] for row in rows]


def test_flat_is_taken_when_the_recall_cannot_be_reached(mirrored: Export) -> None:
    _, report = mirrored("ivf", parameters={"lists": 40, "nprobe": 1})

    assert report.manifest.kind == "flat"
    assert report.manifest.recall_at_10 == 1.0
    assert report.note is not None
    assert "ivf reached recall@10" in report.note


def test_a_mirror_is_replaced_by_the_next(mirrored: Export) -> None:
    store, before = mirrored("flat")

    after = export_faiss(store, index="hnsw")

    assert after.folder == before.folder
    assert [path.name for path in store.parent.glob("*.faiss*")] == ["scattered.duckdb.faiss"]
    assert json.loads((after.folder / "manifest.json").read_text())["kind"] == "hnsw"


def test_a_folder_with_other_files_is_left_alone(scattered_store: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")

    with pytest.raises(ForeignFileError, match="they are not replaced"):
        export_faiss(scattered_store, tmp_path / "mine")

    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["letter.txt"]


def test_an_export_that_fails_leaves_the_mirror_that_is_there(mirrored: Export) -> None:
    store, report = mirrored("flat")
    before = (report.folder / "manifest.json").read_bytes()

    with pytest.raises(UsageError):
        export_faiss(store, index="hnsw", parameters={"nprobe": 3})

    assert (report.folder / "manifest.json").read_bytes() == before
    assert [path.name for path in store.parent.glob("*.faiss*")] == ["scattered.duckdb.faiss"]


def test_a_store_without_vectors_has_nothing_to_export(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "one.py").write_text("def one():\n    return 1\n")
    ragduck.prepare(tmp_path / "code", tmp_path / "one.duckdb", repo="r", branch="b", embed_model="none")

    with pytest.raises(StoreError, match="has no vectors to export") as refused:
        export_faiss(tmp_path / "one.duckdb")

    assert f"ragduck embed {tmp_path}" in (refused.value.hint or "")


@pytest.mark.parametrize(
    ("rows", "kind"),
    [(1, "flat"), (15_000, "flat"), (50_000, "hnsw"), (1_000_000, "ivf"), (5_000_000, "pq")],
)
def test_the_kind_is_chosen_by_the_number_of_vectors(rows: int, kind: str) -> None:
    assert plan_index(rows, 384).kind == kind


@pytest.mark.parametrize(
    ("milliseconds", "tried", "taken"),
    [
        ({"hnsw": 1.0}, ["hnsw"], "hnsw"),
        ({"hnsw": 3.0, "ivf": 2.5}, ["hnsw", "ivf"], "ivf"),
        ({"hnsw": 3.0, "ivf": 4.0}, ["hnsw", "ivf"], "hnsw"),
    ],
    ids=["fast", "the other is faster", "the other is slower"],
)
def test_where_the_kind_of_the_size_is_slow_another_is_tried(
    scattered_store: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    milliseconds: dict[str, float],
    tried: list[str],
    taken: str,
) -> None:
    monkeypatch.setattr("ragduck.mirror.plan.MOST_FLAT", 10)
    asked: list[str] = []

    def timed(index: Any, plan: IndexPlan, truth: Truth) -> Measured:
        asked.append(plan.kind)
        latency = {"p50": milliseconds[plan.kind], "p95": 9.0}
        return replace(tune(index, plan, truth), latency_ms=latency, deep_latency_ms=latency)

    monkeypatch.setattr("ragduck.mirror.export.tune", timed)

    report = export_faiss(scattered_store, tmp_path / "mirror")

    assert (asked, report.manifest.kind) == (tried, taken)
    assert report.note == (None if taken == tried[0] else "hnsw took 6.0 ms for two searches: took ivf")
    assert report.manifest.latency_ms["p50"] == milliseconds[taken]


def test_a_kind_that_was_asked_for_is_not_replaced_by_a_faster_one(
    scattered_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragduck.mirror.tuning.FAST_MS", 0.0)

    assert export_faiss(scattered_store, tmp_path / "mirror", index="hnsw").manifest.kind == "hnsw"


def test_a_second_kind_is_for_lists_and_graphs_that_are_made_in_a_minute() -> None:
    assert [(plan.kind if (plan := other_plan(kind, 100_000, 384)) else None) for kind in KINDS] == [
        {"hnsw": "ivf", "ivf": "hnsw"}.get(kind) for kind in KINDS
    ]
    assert other_plan("ivf", 1_000_000, 384) is None


@pytest.mark.parametrize(
    ("choice", "parameters", "message"),
    [
        ("tree", {}, "no index of kind 'tree'"),
        ("flat", {"nprobe": 3}, "kind flat has no parameter 'nprobe'"),
        ("hnsw", {"m": 0}, "m is 0"),
        ("ivf", {"lists": 2000}, "lists is 2000"),
        ("pq", {"code_bytes": 7}, "7 code bytes do not divide 384 dimensions"),
    ],
)
def test_an_unknown_kind_or_parameter_is_refused(
    choice: str, parameters: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        plan_index(1000, 384, choice=choice, parameters=parameters)


@pytest.mark.parametrize(("rows", "bits"), [(1, 1), (2, 1), (100, 6), (256, 8), (10_000, 8)])
def test_codes_have_no_more_entries_than_there_are_vectors(rows: int, bits: int) -> None:
    assert code_bits(rows) == bits


@pytest.mark.parametrize("kind", ["flat", "hnsw", "ivf", "pq"])
def test_a_store_with_one_vector_can_be_exported(tmp_path: Path, embedder: Any, kind: str) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "one.py").write_text("def one():\n    return 1\n")
    store = tmp_path / "one.duckdb"
    ragduck.prepare(tmp_path / "code", store, repo="r", branch="b", embed_model=embedder)

    report = export_faiss(store, index=kind)

    with open_store(store, embed_model=embedder) as opened:
        answer = opened.search("one", mode="semantic")
    assert report.manifest.rows == 1
    assert (len(answer.results), answer.status.notes) == (1, ())
