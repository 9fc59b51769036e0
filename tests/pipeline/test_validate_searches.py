"""Filters and relations are checked before anything runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import ragduck
from ragduck.errors import PipelineError
from ragduck.pipeline.checking.search_checks import ALIASES, RELATIONS, folded, relation_names
from ragduck.pipeline.checking.validation import check_pipeline
from ragduck.pipeline.definition import Pipeline
from ragduck.pipeline.loading.loading import load_pipeline

Load = Callable[..., Pipeline]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Load a pipeline with these settings, written as YAML, and keys of a search and a walk."""

    def loaded(written: str = "", *, search: str = "", walk: str = "") -> Pipeline:
        path = tmp_path / "p.yaml"
        path.write_text(
            f"pipeline:\n  name: p\n  settings: {{entry_step_id: a, {written}}}\n  steps:\n"
            f"  - {{id: a, action: search_nodes, next: b, {search}}}\n"
            f"  - {{id: b, action: expand_dependency_tree, end: true, {walk}}}\n"
        )
        return load_pipeline(path)

    return loaded


def told(pipeline: Pipeline, **known: object) -> list[str]:
    """Return findings as `line: severity: message`."""
    found = check_pipeline(pipeline, **known)  # type: ignore[arg-type]
    return [f"{one.place.line}: {one.severity}: {one.message}" for one in found]


def test_an_unknown_field_of_a_filter_is_an_error(load: Load) -> None:
    pipeline = load("filters: {fileclass: source}")

    assert told(pipeline) == ["3: error: unknown filter field 'fileclass'"]
    assert check_pipeline(pipeline)[0].hint == "did you mean 'file_class'?"


def test_filters_of_a_step_are_checked_too(load: Load) -> None:
    pipeline = load(search="filters: {file_class: [source], where: kind = 1}")

    assert told(pipeline) == ["5: error: unknown filter field 'where'"]


@pytest.mark.parametrize("value", ["abc", "{a: 1}", "[[1]]"])
def test_a_wrong_value_of_a_filter_is_an_error(load: Load, value: str) -> None:
    assert len(told(load(f"filters: {{end_line: {value}}}"))) == 1


def test_filters_that_a_search_takes_are_fine(load: Load) -> None:
    assert told(load("filters: {repo: null, end_line: 3, file_class: [source, test], kind: table}")) == []


@pytest.mark.parametrize(
    "keys", [{"written": "graph_edge_allowlist: [Calll, FK]"}, {"walk": "edge_allowlist: Calll"}]
)
def test_an_unknown_relation_is_an_error(load: Load, keys: dict[str, str]) -> None:
    pipeline = load(keys.get("written", ""), walk=keys.get("walk", ""))

    assert [line.partition(": ")[2].partition(": ")[2] for line in told(pipeline)] == [
        f"{'graph_' if 'written' in keys else ''}edge_allowlist: unknown relation 'Calll'"
    ]
    assert check_pipeline(pipeline)[0].severity == "error"
    assert check_pipeline(pipeline)[0].hint == "did you mean 'Calls'?"


def test_relations_are_known_by_any_of_their_names(load: Load) -> None:
    assert told(load("graph_edge_allowlist: [FK, sql_ReadsFrom, writes_to, CS_DEP, Calls]")) == []


def test_a_relation_that_only_the_store_has_is_known(load: Load) -> None:
    pipeline = load("graph_edge_allowlist: [Ships]")

    assert told(pipeline, store_relations=("ships",)) == []


def test_an_unknown_relation_is_doubtful_where_the_store_may_have_it(load: Load) -> None:
    found = told(load("graph_edge_allowlist: [Ships], retrieval_modes: [bm25], default_search_method: bm25"),
                 store_modes=("bm25",))  # fmt: skip

    assert found == ["3: warning: graph_edge_allowlist: unknown relation 'Ships'"]


def test_all_mistakes_of_a_pipeline_are_told_at_once(load: Load) -> None:
    found = told(load('filters: {fileclass: x}, graph_edge_allowlist: [Calll], top_k: "abc"'))

    assert len(found) == 3


def test_the_relations_that_ragduck_knows_are_those_of_a_store(shop_store: Path) -> None:
    with ragduck.open(shop_store) as store:
        assert relation_names(store.rows) == {folded(name) for name in RELATIONS} | ALIASES


def test_a_missing_file_is_told_as_such() -> None:
    with pytest.raises(PipelineError) as refused:
        load_pipeline("nope.yaml")

    assert refused.value.message == "there is no such file: 'nope.yaml'"
