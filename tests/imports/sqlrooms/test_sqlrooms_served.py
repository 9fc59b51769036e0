"""A sqlrooms-rag file is searched as a store is: through a copy that is made once."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import ragduck
from ragduck.cli.commands import ragduck as ragduck_command
from ragduck.errors import ForeignFileError, StoreError
from ragduck.opening import ForeignFile, open_store, open_tables, store_at


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def _cached(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGDUCK_CACHE_DIR", str(cache))


@pytest.mark.usefixtures("_cached")
def test_the_copy_is_made_once_and_said(docs_file: Path, cache: Path) -> None:
    said: list[str] = []
    for _ in range(2):
        open_store(docs_file, say=said.append).close()

    assert len(said) == 1
    assert "ragduck upgrade" in said[0]
    assert len(list(cache.glob("sqlrooms-*.duckdb"))) == 1


@pytest.mark.usefixtures("_cached")
def test_one_call_searches_by_meaning_and_keyword(docs_file: Path) -> None:
    results = ragduck.hybrid_query("export of ledgers", docs_file, top_k=2, include_source_docs=True)

    assert results[0]["location"] == "guide.md:13-15"
    assert results[0]["source_doc"]["file_name"] == "guide.md"
    assert (results[0]["bm25_rank"], results[0]["vector_rank"]) == (1, 1)


@pytest.mark.usefixtures("_cached")
def test_filters_hold(docs_file: Path) -> None:
    with ragduck.open(docs_file) as store:
        answer = store.search("invoice", filters={"path_glob": "money/*"})

    assert {result["source_file"] for result in answer.results} == {"money/taxes.md"}


@pytest.mark.usefixtures("_cached")
def test_source_documents_are_found_by_the_ids_of_results(docs_file: Path) -> None:
    (result,) = ragduck.hybrid_query("rates", docs_file, top_k=1)

    (found,) = ragduck.get_source_documents([result["node_id"]], docs_file)

    assert found["file_path"] == "money/taxes.md"


@pytest.mark.usefixtures("_cached")
def test_a_changed_file_is_read_anew(docs_file: Path, tmp_path: Path, cache: Path) -> None:
    copied = Path(shutil.copy(docs_file, tmp_path / "docs.duckdb"))
    open_store(copied).close()
    before = set(cache.glob("sqlrooms-*.duckdb"))

    os.utime(copied, ns=(1, 1))
    open_store(copied).close()

    assert len(set(cache.glob("sqlrooms-*.duckdb")) - before) == 1


def test_the_copies_that_were_not_used_for_longest_are_removed(
    docs_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGDUCK_CACHE_DIR", str(tmp_path))
    for number in range(12):
        (tmp_path / f"sqlrooms-{number}.duckdb").touch()
        os.utime(tmp_path / f"sqlrooms-{number}.duckdb", ns=(number, number))
    (tmp_path / "other.duckdb").touch()

    open_store(docs_file).close()

    kept = {path.name for path in tmp_path.glob("sqlrooms-*.duckdb")}
    assert {f"sqlrooms-{number}.duckdb" for number in range(5, 12)} < kept
    assert len(kept) == 8
    assert (tmp_path / "other.duckdb").exists()


def test_without_a_cache_folder_nothing_stays(docs_file: Path) -> None:
    with open_store(docs_file) as store:
        place = store.path
        assert store.search("rates").results

    assert not place.exists()


def test_sql_runs_on_the_tables_of_the_file(docs_file: Path) -> None:
    with open_tables(docs_file) as opened:
        rows = opened.table("select count(*) as files from source_documents").to_dicts()

    assert isinstance(opened, ForeignFile)
    assert rows == [{"files": 2}]


def test_other_files_are_refused_as_before(tmp_path: Path) -> None:
    (tmp_path / "text.duckdb").write_text("no database")

    with pytest.raises(ForeignFileError):
        open_store(tmp_path / "text.duckdb")
    with pytest.raises(StoreError, match="there is no store"):
        open_store(tmp_path / "missing.duckdb")


@pytest.mark.usefixtures("_cached")
def test_check_looks_through_the_copy(docs_file: Path) -> None:
    result = CliRunner().invoke(ragduck_command, ["check", str(docs_file)])

    assert (result.exit_code, "nothing wrong" in result.stderr) == (0, True)


@pytest.mark.usefixtures("_cached")
def test_retrieval_is_measured_through_the_copy(docs_file: Path, tmp_path: Path) -> None:
    pytest.importorskip("ir_measures")
    queries = tmp_path / "queries.json"
    queries.write_text('[{"query": "rates", "relevant": ["money/taxes.md"]}]')
    result = CliRunner().invoke(
        ragduck_command, ["eval", str(docs_file), str(queries), "--mode", "bm25", "--json", "--quiet"]
    )

    assert result.exit_code == 0, result.output


@pytest.mark.usefixtures("_cached")
def test_a_file_is_served_by_its_copy_and_a_store_by_itself(docs_file: Path, shop_store: Path) -> None:
    with store_at(docs_file) as copy, store_at(shop_store) as own:
        assert copy != docs_file
        assert own == shop_store


def test_what_is_neither_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")

    with pytest.raises(StoreError), store_at(tmp_path / "notes.txt"):
        raise AssertionError
