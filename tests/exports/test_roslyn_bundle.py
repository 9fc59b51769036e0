"""The sample shop as a RoslynIndexer bundle: what it holds, what comes back, what is refused."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import ragduck
from ragduck.cli.commands import ragduck as ragduck_command
from ragduck.errors import ForeignFileError, UsageError
from ragduck.exports.roslyn import RoslynReport, export_roslyn

CHUNKS = "regular_code_bundle/chunks.json"
OWN = "regexp_matches(node_key, '^(csharp:|[^:]*\\|)') and kind not in ('FIELD', 'SCHEMA')"


@pytest.fixture(scope="module")
def written(shop_store: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[RoslynReport, Path]:
    """The shop as main.zip."""
    path = tmp_path_factory.mktemp("roslyn") / "main.zip"
    return export_roslyn(shop_store, path), path


@pytest.fixture(scope="module")
def again(written: tuple[RoslynReport, Path]) -> Path:
    """A store of the bundle."""
    store = written[1].with_name("again.duckdb")
    ragduck.prepare(written[1], store, embed_model=None)
    return store


def rows(store: Path, sql: str) -> set[tuple[Any, ...]]:
    with ragduck.open(store) as opened:
        return {tuple(row.values()) for row in opened.sql(sql)}


def test_bundle_has_the_files_of_roslyn_indexer(written: tuple[RoslynReport, Path]) -> None:
    with zipfile.ZipFile(written[1]) as archive:
        names = set(archive.namelist())

    assert {
        "repo_meta.json",
        CHUNKS,
        "regular_code_bundle/dependencies.json",
        "sql_code_bundle/manifest.json",
        "sql_code_bundle/docs/sql_bodies.jsonl",
        "sql_code_bundle/docs/bodies/dbo.Invoice.TABLE.sql",
        "sql_code_bundle/docs/bodies/Poco.Shop.Core.Entities.Customer.ENTITY.cs",
        "sql_code_bundle/graph/nodes.csv",
        "sql_code_bundle/graph/edges.csv",
        "sql_code_bundle/graph/graph.json",
    } <= names


def test_member_has_the_fields_of_roslyn_indexer(written: tuple[RoslynReport, Path]) -> None:
    with zipfile.ZipFile(written[1]) as archive:
        records = json.loads(archive.read(CHUNKS))
    found = next(record for record in records if record["Member"] == "RecalculateTotals")

    assert found["Class"] == "Invoice"
    assert found["Text"].startswith("// Namespace: Shop.Core.Entities // Class: Invoice // Type: Method ")
    assert found["RepoRelativePath"] == "src/Shop.Core/Entities/Invoice.Totals.cs"
    assert (found["Type"], found["ProjectName"], found["Branch"]) == ("Method", "Shop.Core", "main")


def test_nodes_of_code_and_database_come_back(shop_store: Path, again: Path) -> None:
    sql = f"select node_key from nodes where not is_external and {OWN}"
    before, after = rows(shop_store, sql), rows(again, sql)

    assert {key for (key,) in before - after} == {
        "dbo.FK_Customer_PrimaryContact|FOREIGN_KEY"  # declared by a script, which is no object
    }
    assert not after - before


def test_roles_come_back(shop_store: Path, again: Path) -> None:
    sql = "select node_key, role from nodes where role is not null and node_key like 'csharp:%'"

    before, after = rows(shop_store, sql), rows(again, sql)

    assert before - after == {
        ("csharp:ImportOrdersAsync|METHOD", "ACTION"),  # only the statement that maps a handler makes it one
        ("csharp:RunDunningAsync|METHOD", "ACTION"),
    }
    assert not after - before


def test_edges_to_the_database_come_back(shop_store: Path, again: Path) -> None:
    sql = (
        "select from_key, to_key, relation from edges where relation in ('ReadsFrom', 'WritesTo', 'Executes', "
        "'ForeignKey', 'On', 'SynonymFor', 'MapsTo', 'SchemaChange') and from_key not like 'python:%' "
        "and from_key not like 'razor:%' and from_key not like 'file:%' and from_key not like '%|FIELD'"
    )

    assert rows(shop_store, sql) <= rows(again, sql)


def test_calls_between_members_come_back(shop_store: Path, again: Path) -> None:
    sql = (
        "select from_key, to_key from edges where relation = 'Calls' and from_key like 'csharp:%' "
        "and to_key like 'csharp:%'"
    )

    assert rows(shop_store, sql) == rows(again, sql)


def test_members_with_chunks_of_their_own_come_back(shop_store: Path, again: Path) -> None:
    sql = (
        "select object_id, replace(text, chr(13), ''), signature from documents where kind = 'METHOD' "
        "and file_type in ('cs', 'ef_migration') and node_key like 'csharp:%' and chunk_total = 1"
    )

    assert rows(shop_store, sql) <= rows(again, sql)


def test_database_is_named_as_before(shop_store: Path, again: Path) -> None:
    sql = "select db_key from documents where kind = 'PROC' and db_key is not null"

    assert rows(shop_store, sql) == rows(again, sql)


def test_what_the_format_cannot_hold_is_counted(written: tuple[RoslynReport, Path]) -> None:
    left_out = written[0].left_out

    assert left_out["FIELD nodes"] > 0
    assert left_out["typescript files"] == 1
    assert left_out["Injects edges"] > 0


def test_folder_is_written_where_the_name_is_no_zip(shop_store: Path, tmp_path: Path) -> None:
    export_roslyn(shop_store, tmp_path / "main")
    report = export_roslyn(shop_store, tmp_path / "main")

    assert (tmp_path / "main" / CHUNKS).is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["main"]
    assert report.size > 0


@pytest.mark.parametrize("name", ["main.zip", "main"])
def test_what_others_wrote_is_not_replaced(shop_store: Path, tmp_path: Path, name: str) -> None:
    target = tmp_path / name
    if name == "main":
        target.mkdir()
        (target / "notes.txt").write_text("mine")
    else:
        target.write_text("mine")

    with pytest.raises(ForeignFileError, match="it is not replaced"):
        export_roslyn(shop_store, target)


def test_unknown_branch_is_refused(shop_store: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no branch 'nowhere'"):
        export_roslyn(shop_store, tmp_path / "main.zip", branch="nowhere")


def test_command_writes_the_bundle_and_tells_counts(shop_store: Path, tmp_path: Path) -> None:
    target = tmp_path / "main.zip"
    result = CliRunner().invoke(
        ragduck_command, ["export", "roslyn", str(shop_store), str(target), "--json", "--quiet"]
    )

    assert result.exit_code == 0
    assert json.loads(result.stdout)["members"] > 400
    assert target.is_file()


def test_second_round_trip_changes_no_byte(written: tuple[RoslynReport, Path], again: Path) -> None:
    path = written[1].with_name("twice.zip")
    export_roslyn(again, path)

    assert path.read_bytes() == written[1].read_bytes()


def test_statements_that_change_tables_are_counted(written: tuple[RoslynReport, Path]) -> None:
    assert written[0].left_out["ALTER TABLE statements"] > 0
