"""Parquet files hold the tables of the store, and engines read them as they are."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import ragduck
from ragduck.errors import ForeignFileError, SourceError, UsageError
from ragduck.exports import ParquetReport, export_parquet, open_parquet, parquet_files
from ragduck.exports.parquet import folder_name
from ragduck.exports.tables import PRIVATE_TABLES
from ragduck.progress import NO_PROGRESS

STORED = "select table_name from duckdb_tables() where schema_name = 'main' order by 1"
ROWS = "select * exclude (embedding, sign_0, metadata_) from documents order by chunk_no"


@pytest.fixture(scope="module")
def shop(shop_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of the sample shop, which has vectors; not to be changed."""
    folder = tmp_path_factory.mktemp("parquet") / "shop"
    export_parquet(shop_store, folder)
    return folder


@pytest.fixture(scope="module")
def teams_report(teams_store: Path, tmp_path_factory: pytest.TempPathFactory) -> ParquetReport:
    """What was told of an export of two repositories with awkward branches, conversations too."""
    return export_parquet(teams_store, tmp_path_factory.mktemp("parquet") / "teams", history=True)


@pytest.fixture(scope="module")
def teams(teams_report: ParquetReport) -> Path:
    """The folder of that export; not to be changed."""
    return teams_report.folder


@pytest.fixture(scope="module")
def part(teams_store: Path, tmp_path_factory: pytest.TempPathFactory) -> ParquetReport:
    """An export of one branch of one repository."""
    folder = tmp_path_factory.mktemp("parquet") / "part"
    return export_parquet(teams_store, folder, repos="shop", branches="2024")


def rows_of(store: Path, sql: str) -> list[dict[str, Any]]:
    with ragduck.open(store) as opened:
        return opened.sql(sql)


def pairs_of(rows: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(row["repo"], row["branch"]) for row in rows}


def test_there_is_a_folder_for_each_table(teams: Path, teams_store: Path) -> None:
    tables = {row["table_name"] for row in rows_of(teams_store, STORED)}

    assert {path.name for path in teams.iterdir()} == tables | {"manifest.json"}


def test_conversations_are_left_out_unless_asked_for(shop: Path) -> None:
    assert not PRIVATE_TABLES & {path.name for path in shop.iterdir()}


@pytest.mark.parametrize("table", ["nodes", "edges", "links", "source_documents", "fts_terms"])
def test_rows_are_those_of_the_store(shop: Path, shop_store: Path, table: str) -> None:
    stored = rows_of(shop_store, f"select * from {table}")

    read = open_parquet(shop, table).to_table().to_pylist()
    assert len(read) == len(stored)
    by_text = {str(sorted(row.items())) for row in read}
    assert by_text == {str(sorted((k, v) for k, v in row.items() if k != "metadata_")) for row in stored}


def test_duckdb_reads_chunks_in_the_order_of_the_store(shop: Path, shop_store: Path) -> None:
    with duckdb.connect() as connection:
        read = connection.sql(f"select * from '{shop}/documents/**/*.parquet'")
        names = [name for name in read.columns if name not in ("embedding", "sign_0")]
        rows = [dict(zip(names, row, strict=True)) for row in read.select(*names).fetchall()]

    assert rows == [{name: row[name] for name in names} for row in rows_of(shop_store, ROWS)]


def test_vectors_are_lists_of_fixed_size(shop: Path, shop_store: Path) -> None:
    table = open_parquet(shop, "documents").to_table(columns=["embedding"])

    stored = rows_of(shop_store, "select embedding from documents order by chunk_no")
    assert table.schema.field("embedding").type == pa.list_(pa.float32(), 64)
    assert [row and tuple(row) for row in table["embedding"].to_pylist()] == [r["embedding"] for r in stored]


def test_signs_are_the_bits_of_the_vectors(shop: Path) -> None:
    rows = open_parquet(shop, "documents").to_table(columns=["embedding", "sign_0"]).to_pylist()

    row = next(row for row in rows if row["embedding"])
    bits = "".join("1" if value > 0 else "0" for value in row["embedding"])
    assert row["sign_0"] == int(bits, 2).to_bytes(16, "big")


def test_branches_are_read_back_by_duckdb(teams: Path, teams_store: Path) -> None:
    with duckdb.connect() as connection:
        read = connection.sql(
            f"select distinct repo, branch from read_parquet('{teams}/nodes/**/*.parquet', hive_types_autocast = 0)"
        ).fetchall()

    assert set(read) == pairs_of(rows_of(teams_store, "select distinct repo, branch from nodes"))


def test_branches_are_read_back_by_pyarrow(teams: Path, teams_store: Path) -> None:
    read = open_parquet(teams, "documents").to_table(columns=["repo", "branch", "node_id"]).to_pylist()

    assert {row["node_id"]: row for row in read} == {
        row["node_id"]: row for row in rows_of(teams_store, "select repo, branch, node_id from documents")
    }


def test_a_branch_that_looks_like_a_number_is_told(teams_report: ParquetReport) -> None:
    told = "tell readers that repo and branch are text, or they make something else of 2024"

    assert told in teams_report.notes


def test_an_empty_table_tells_its_columns(teams: Path) -> None:
    table = open_parquet(teams, "turns").to_table()

    assert table.num_rows == 0
    assert {"turn_id", "question", "answer", "metadata"} <= set(table.column_names)


def test_files_are_compressed_with_zstd(shop: Path) -> None:
    (path,) = (shop / "source_documents").rglob("*.parquet")

    group = pq.ParquetFile(path).metadata.row_group(0)
    assert {group.column(place).compression for place in range(group.num_columns)} == {"ZSTD"}


def test_a_selection_takes_only_what_belongs_to_it(part: ParquetReport) -> None:
    for table in ("documents", "source_documents", "nodes", "edges", "snapshots"):
        read = open_parquet(part.folder, table).to_table(columns=["repo", "branch"]).to_pylist()
        assert pairs_of(read) == {("shop", "2024")}
    chunks = open_parquet(part.folder, "documents").to_table()["chunk_no"].to_pylist()
    for table in ("fts_postings", "fts_lengths", "chunk_signals"):
        numbers = open_parquet(part.folder, table).to_table()["chunk_no"].to_pylist()
        assert set(numbers) == set(chunks)


def test_a_selection_does_not_tell_the_words_of_others(teams: Path, part: ParquetReport) -> None:
    terms = open_parquet(part.folder, "fts_terms").to_table()["term"].to_pylist()

    assert "secretword" in open_parquet(teams, "fts_terms").to_table()["term"].to_pylist()
    assert "secretword" not in terms
    assert "invoice" in terms


def test_links_of_a_selection_stay_inside_it(part: ParquetReport) -> None:
    nodes = set(open_parquet(part.folder, "nodes").to_table()["node_id"].to_pylist())
    links = open_parquet(part.folder, "links").to_table().to_pylist()

    assert links
    assert {link["node_id"] for link in links} | {link["neighbour_id"] for link in links} <= nodes


def test_what_is_not_filtered_is_told(part: ParquetReport) -> None:
    (note,) = [note for note in part.notes if "not filtered" in note]

    assert "ragduck_meta" in note
    assert "documents" not in note


def test_an_unknown_branch_is_refused_before_anything_is_written(teams_store: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no branch 'mian'"):
        export_parquet(teams_store, tmp_path / "out", branches="mian")

    assert not list(tmp_path.iterdir())


def test_the_manifest_counts_and_describes(teams: Path) -> None:
    manifest = json.loads((teams / "manifest.json").read_text(encoding="utf-8"))
    documents = manifest["tables"]["documents"]

    assert documents["partitioned_by"] == ["repo", "branch"]
    assert documents["computed_columns_left_out"] == ["metadata_"]
    assert sum(file["rows"] for file in documents["files"]) == documents["rows"] == 9
    assert all((teams / file["path"]).stat().st_size == file["size"] for file in documents["files"])
    assert {file["branch"] for file in documents["files"]} == {"main", "Main", "2024", "feature/x=1 żółw.."}
    assert documents["columns"][0]["comment"].startswith("Stable hash")


def test_an_earlier_export_is_replaced_whole(teams_store: Path, tmp_path: Path) -> None:
    export_parquet(teams_store, tmp_path / "out", repos="shop", branches="main")
    export_parquet(teams_store, tmp_path / "out", repos="billing")

    found = [path.name for path in (tmp_path / "out" / "documents").iterdir()]
    assert found == ["repo=billing"]


def test_other_files_are_not_replaced(teams_store: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")

    with pytest.raises(ForeignFileError):
        export_parquet(teams_store, tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_failure_leaves_the_earlier_export(
    teams_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_parquet(teams_store, tmp_path / "out", repos="billing")
    monkeypatch.setattr(parquet_files, "COMPRESSION", "none such")

    with pytest.raises(pa.ArrowException, match="none such"):
        export_parquet(teams_store, tmp_path / "out")

    assert open_parquet(tmp_path / "out", "nodes").count_rows() == 2
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_rows_are_written_in_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_files, "GROUP_ROWS", 4)
    rows = pa.record_batch({"number": [1, 2, 3]})

    with NO_PROGRESS.stage("rows", total=None) as stage:
        written = parquet_files.write_rows(tmp_path / "a.parquet", rows.schema, [rows] * 3, stage=stage)

    file = pq.ParquetFile(tmp_path / "a.parquet")
    assert (written, file.metadata.num_row_groups) == (9, 2)
    assert file.read()["number"].to_pylist() == [1, 2, 3] * 3


def test_tables_with_awkward_names_and_types_stay_in_the_folder(teams_store: Path, tmp_path: Path) -> None:
    store = Path(shutil.copy(teams_store, tmp_path / "own.duckdb"))
    with duckdb.connect(str(store)) as connection:
        connection.execute(
            'create table "../my "" table" (repo varchar, branch varchar, "a b" enum (\'x\'), u uuid, h uhugeint)'
        )
        connection.execute(
            "insert into \"../my \"\" table\" values (null, 'main', 'x', '00000000-0000-0000-0000-000000000001', 7)"
        )

    export_parquet(store, tmp_path / "out", repos="billing")

    assert folder_name('../my " table') == "%2E%2E%2Fmy%20%22%20table"
    (row,) = open_parquet(tmp_path / "out", '../my " table').to_table().to_pylist()
    assert (row["repo"], row["branch"], row["a b"], row["h"]) == (None, "main", "x", (7).to_bytes(16, "big"))
    assert row["u"] == "00000000-0000-0000-0000-000000000001"
    assert {path.name for path in tmp_path.iterdir()} == {"own.duckdb", "out"}


def test_a_folder_that_is_no_export_is_not_opened(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is no export of a store"):
        open_parquet(tmp_path, "documents")


def test_a_table_that_is_not_there_is_told(shop: Path) -> None:
    with pytest.raises(UsageError, match="holds no table 'turns'"):
        open_parquet(shop, "turns")


def test_batches_are_read_as_they_are_needed(shop_store: Path) -> None:
    with ragduck.open(shop_store) as store:
        sizes = [batch.num_rows for batch in store.arrow_batches("fts_postings")]

    assert max(sizes) <= 2_048
    assert len(sizes) > 1


def test_a_dataset_can_be_filtered_by_branch(teams: Path) -> None:
    found = open_parquet(teams, "nodes").count_rows(filter=ds.field("branch") == "feature/x=1 żółw..")

    assert found == 9
