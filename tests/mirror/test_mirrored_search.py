"""With a mirror, searches answer what the exact scan of the store answers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ragduck
from ragduck.library import Store, open_store
from ragduck.mirror import export_faiss
from ragduck.search import SearchAnswer

KINDS = ("flat", "hnsw", "ivf", "pq")
TIE = 1e-6  # engines add in different order

filters = st.fixed_dictionaries(
    {},
    optional={
        "file_class": st.sampled_from(["source", "test", ["source", "test"], "docs"]),
        "path_glob": st.sampled_from(["src/**", "tests/part_3/**", "**/module_1*.py", "none/**"]),
        "name_prefix": st.sampled_from(["load", "order_1", "user_8", "always"]),
        "branch": st.sampled_from(["main", "other"]),
    },
)
questions = st.text(alphabet="abcdefghij ", min_size=3, max_size=20).filter(lambda text: text.strip())


@pytest.fixture(scope="module")
def stores(
    scattered_store: Path, tmp_path_factory: pytest.TempPathFactory, embedder: Any
) -> Iterator[Mapping[str, Store]]:
    """The store opened without a mirror, as `exact`, and with one of each kind."""
    folder = tmp_path_factory.mktemp("mirrors")
    opened = {"exact": open_store(scattered_store, embed_model=embedder, faiss="off")}
    for kind in KINDS:
        export_faiss(scattered_store, folder / kind, index=kind)
        opened[kind] = open_store(scattered_store, embed_model=embedder, faiss=folder / kind)
    yield opened
    for store in opened.values():
        store.close()


def same(found: SearchAnswer, exact: SearchAnswer) -> bool:
    """Whether two answers have the same results in the same order, but for ties that rounding breaks."""
    pairs = list(zip(found.results, exact.results, strict=True))
    close = all(abs(a["score"] - b["score"]) < TIE and a.keys() == b.keys() for a, b in pairs)
    scores = [b["score"] for _, b in pairs]
    apart = [
        place
        for place, score in enumerate(scores)
        if all(abs(score - other) > 2 * TIE for n, other in enumerate(scores) if n != place)
    ]
    return close and all(
        pairs[n][0]["node_id"] == pairs[n][1]["node_id"] for n in apart if n + 1 < len(pairs)
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=questions, chosen=filters, top_k=st.integers(1, 60))
def test_a_flat_mirror_answers_what_the_exact_scan_answers(
    stores: Mapping[str, Store], text: str, chosen: dict[str, Any], top_k: int
) -> None:
    exact = stores["exact"].search(text, mode="semantic", filters=chosen, top_k=top_k)

    found = stores["flat"].search(text, mode="semantic", filters=chosen, top_k=top_k)

    assert same(found, exact)
    assert found.status.returned == exact.status.returned
    assert found.status.qualifying == exact.status.qualifying


@pytest.mark.parametrize("kind", ["hnsw", "ivf", "pq"])
@pytest.mark.parametrize("chosen", [{}, {"file_class": "source"}, {"path_glob": "tests/part_3/**"}])
def test_other_mirrors_find_at_least_99_percent_of_the_exact_ten(
    stores: Mapping[str, Store], kind: str, chosen: dict[str, Any]
) -> None:
    shares = []
    for number in range(12):
        exact = stores["exact"].search(f"question {number}", mode="semantic", filters=chosen)
        found = stores[kind].search(f"question {number}", mode="semantic", filters=chosen)
        least = exact.results[-1]["score"] - TIE
        shares.append(sum(result["score"] >= least for result in found.results) / len(exact.results))

    assert np.mean(shares) >= 0.99


@pytest.mark.parametrize("mode", ["hybrid", "semantic", "semantic_rerank"])
def test_every_mode_that_uses_vectors_answers_as_without_a_mirror(
    stores: Mapping[str, Store], mode: Any
) -> None:
    exact = stores["exact"].search("load an order", mode=mode)

    found = stores["flat"].search("load an order", mode=mode)

    assert same(found, exact)


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_found_in_a_mirror_has_the_form_and_the_score_of_any_other(
    stores: Mapping[str, Store], kind: str
) -> None:
    exact = stores["exact"].search("load an order", top_k=60)

    found = stores[kind].search("load an order", top_k=60)

    known = {result["node_id"]: result for result in exact.results}
    both = [(result, known[result["node_id"]]) for result in found.results if result["node_id"] in known]
    assert len(both) > 30
    assert all(
        a.keys() == b.keys() and a["vector_score"] == pytest.approx(b["vector_score"], abs=TIE)
        for a, b in both
        if a["vector_score"] and b["vector_score"]
    )
    assert found.status.notes == ()


@pytest.mark.parametrize("kind", KINDS)
def test_top_k_is_filled_under_a_selective_filter(stores: Mapping[str, Store], kind: str) -> None:
    found = stores[kind].search("cache", mode="semantic", top_k=12, filters={"name_prefix": "cache"})

    assert found.status.returned == 12
    assert all(result["name"].startswith("cache") for result in found.results)


@pytest.mark.parametrize("kind", KINDS)
def test_equal_vectors_come_in_the_order_of_the_store(stores: Mapping[str, Store], kind: str) -> None:
    chosen = {"name_prefix": "always", "file_class": "source"}
    exact = stores["exact"].search("anything", mode="semantic", top_k=20, filters=chosen)

    found = stores[kind].search("anything", mode="semantic", top_k=20, filters=chosen)

    assert [result["node_id"] for result in found.results] == [result["node_id"] for result in exact.results]


def test_a_filter_that_leaves_nothing_finds_nothing(stores: Mapping[str, Store]) -> None:
    found = stores["flat"].search("cache", mode="semantic", filters={"branch": "other"})

    assert found.results == ()
    assert found.status.qualifying == 0


def test_relaxed_filters_are_searched_in_the_mirror_again(stores: Mapping[str, Store]) -> None:
    asked = {"mode": "semantic", "filters": {"branch": "other"}, "relax": ["branch"]}

    found = stores["hnsw"].search("cache", **asked)

    assert found.status.relaxed == ("branch",)
    assert found.status.returned == 10


def test_an_expression_that_fails_is_refused_as_without_a_mirror(stores: Mapping[str, Store]) -> None:
    where = "cast(text as integer) > 3"

    with pytest.raises(ragduck.UsageError) as exact:
        stores["exact"].search("cache", mode="semantic", where=where)
    with pytest.raises(ragduck.UsageError) as found:
        stores["flat"].search("cache", mode="semantic", where=where)

    assert found.value.message.startswith("where 'cast(text as integer) > 3' cannot be answered")
    assert exact.value.hint == found.value.hint


def test_a_keyword_search_loads_neither_faiss_nor_numpy(scattered_store: Path, tmp_path: Path) -> None:
    export_faiss(scattered_store, tmp_path / "mirror", index="flat")
    program = (
        "import sys, ragduck\n"
        f"with ragduck.open({str(scattered_store)!r}, faiss={str(tmp_path / 'mirror')!r}) as store:\n"
        "    assert store.search('load', mode='bm25').results\n"
        "print([name for name in ('faiss', 'numpy') if name in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert done.stdout.strip() == "[]", done.stderr
