"""A store that is amended has the rows of one written whole, and believes nobody, in corners easily overlooked."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Mapping
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import duckdb
import pytest

import ragduck
from ragduck.model import Snapshot, SourceFile
from ragduck.parse_cache.seen import SeenFiles
from ragduck.preparation import collecting, workers
from ragduck.preparation.branch_record import BranchRecord, BranchRecords
from ragduck.store.connection import open_database

pytestmark = pytest.mark.skipif(duckdb.__version__.startswith("1."), reason="amends nothing")
SETTLED = 2.1  # seconds, after which files are remembered as they looked
FREE = (  # what a store that is amended may tell otherwise
    "created_at", "amended_chunks", "vector_scan", "vector_candidates", "vector_recall_at_10",
)  # fmt: skip
TABLE = "create table dbo.{0} (Id int primary key, Name nvarchar(20));\n"
TYPE = """namespace Shop;
public class {0}
{{
    public int Go(int a) => a;
    public int Run(int a) => Go(a);
}}
"""
StoredRows = Callable[[Path], dict[str, list[Any]]]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAGDUCK_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache/parsed_files.sqlite3"


@pytest.fixture(autouse=True)
def _small_ones_too(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragduck.store.amendable.SMALLEST", 0)
    monkeypatch.setattr("ragduck.store.amendable.SHARE", 1_000)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "source"


def put(source: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        file = source / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        at = time.time() - 1000 - len(text)
        os.utime(file, (at, at))


def prepared(source: Path, store: Path) -> Path:
    ragduck.prepare(source, store, repo="r", branch="b", embed_model="hashing", processes=1)
    return store


def was_amended(store: Path) -> bool:
    with open_database(store) as database:
        return "amended_chunks" in database.meta


@pytest.fixture
def require_same(
    source: Path, tmp_path: Path, stored_rows: StoredRows, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Path], None]:
    """Require that a store has the rows of one made anew."""

    def rows(store: Path) -> dict[str, list[Any]]:
        found = stored_rows(store)
        return {
            table: sorted((row for row in some if row[0] not in FREE), key=repr)
            for table, some in found.items()
        }

    def required(store: Path) -> None:
        monkeypatch.setattr("ragduck.store.amendable.SMALLEST", 10**9)
        left, right = rows(store), rows(prepared(source, tmp_path / "fresh.duckdb"))
        assert [table for table in right if left[table] != right[table]] == []

    return required


def lose_parsed_files(store: Path, source: Path, cache: Path) -> None:
    """Do what becomes of entries of single files in a full cache, once a file beside them changed."""
    stay = [
        BranchRecords(store, cache=cache, made_by=())._key(Snapshot("r", "b", None, source)),
        SeenFiles(cache, root=source)._key,
    ]
    with sqlite3.connect(cache) as database:
        database.execute("delete from parsed where key not in (?, ?)", stay)


Same = Callable[[Path], None]


def test_files_that_the_cache_lost_are_added_once_where_all_is_written(
    source: Path, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, require_same: Same
) -> None:
    put(source, {f"{name}.sql": TABLE.format(name) for name in "ABCD"})
    time.sleep(SETTLED)
    store = prepared(source, tmp_path / "s.duckdb")
    lose_parsed_files(store, source, cache)
    (source / "D.sql").unlink()
    put(source, {"E.sql": TABLE.format("E")})
    monkeypatch.setattr("ragduck.store.amendable.SHARE", 0)

    prepared(source, store)

    assert not was_amended(store)
    require_same(store)


@pytest.mark.parametrize("few", [1, 0])
def test_few_files_are_amended_where_for_many_all_would_be_written(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, require_same: Same, few: int
) -> None:
    put(source, {f"Table{number}.sql": TABLE.format(f"Table{number}") for number in range(20)})
    store = prepared(source, tmp_path / "s.duckdb")
    put(source, {"Table7.sql": TABLE.format("Seventh")})
    monkeypatch.setattr("ragduck.store.amendable.SHARE", 0.05)
    monkeypatch.setattr("ragduck.store.amendable.FEW_FILES", few)

    prepared(source, store)

    assert was_amended(store) is (few == 1)
    require_same(store)


def test_a_file_whose_parser_crashed_is_as_it_is_parsed_later(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, require_same: Same
) -> None:
    put(source, {"A.cs": TYPE.format("A"), "B.cs": TYPE.format("B")})

    class Ended:
        def result(self, timeout: float | None = None) -> None:
            raise BrokenProcessPool("killed for want of memory")

    def alone(file: SourceFile, task: workers.ParseTask, _: int) -> workers.ParsedBatch:
        reason = "the parser crashed on it" if file.path == "A.cs" else None
        return workers.parse_batch([file], task, plainly=reason)

    with monkeypatch.context() as patch:
        patch.setattr(workers, "_submit", lambda *_: Ended())
        patch.setattr(workers, "_alone", alone)
        store = prepared(source, tmp_path / "s.duckdb")
    put(source, {"B.cs": TYPE.format("B") + "// later\n"})

    prepared(source, store)

    assert was_amended(store)
    require_same(store)


def test_a_script_whose_table_is_dropped_no_more_stands_for_it(
    source: Path, tmp_path: Path, require_same: Same
) -> None:
    drop, make = "drop table dbo.Foo\nGO\n", "create table dbo.Baz (Id int)\nGO\n"
    put(
        source,
        {
            "m/001.sql": "create table dbo.Foo (Id int)\nGO\ncreate table dbo.Bar (Id int)\nGO\n",
            "m/002.sql": "alter table dbo.Bar add X int\nGO\n",
            "m/003.sql": drop + make,
            "m/004.sql": "alter table dbo.Baz add Y int\nGO\n",
        },
    )
    store = prepared(source, tmp_path / "s.duckdb")
    put(source, {"m/003.sql": make})

    prepared(source, store)

    require_same(store)


def test_members_called_as_a_type_that_became_a_migration(
    source: Path, tmp_path: Path, require_same: Same
) -> None:
    put(
        source,
        {
            "Init.cs": "namespace Shop;\npublic class Init\n{\n    public int Up(int b) => b;\n}\n",
            "Holder.cs": "namespace Shop;\npublic class Holder\n{\n    public int Init { get; set; }\n}\n",
        },
    )
    store = prepared(source, tmp_path / "s.duckdb")
    migration = (
        "using Microsoft.EntityFrameworkCore.Migrations;\nnamespace Shop;\npublic class Init : Migration\n{\n"
        '    protected override void Up(MigrationBuilder b) { b.Sql("select 1"); }\n}\n'
    )
    put(source, {"Init.cs": migration})

    prepared(source, store)

    assert was_amended(store)
    require_same(store)


def cs(*types: str) -> str:
    return "namespace Shop;\n" + "\n".join(f"public {one}" for one in types)


@pytest.mark.parametrize(
    "edits",
    [
        {"Middle.cs": cs("class Middle : Base, ISaved { public int Save() => 1; }")},
        {"Middle.cs": cs("class Middle : Base, ISaved { public int Load() => 1; }")},
        {"Base.cs": cs("class Base { public int Load() => 1; public int Save(int a) => a; }")},
        {"Base.cs": cs("class Base { public int Load() => 1; public int Stored() => 2; }")},
        {"Base.cs": cs("class Base { public int Save() => 2; }")},
        {"ISaved.cs": cs("interface ISaved { int Save(); int Load(); }")},
        {"ISaved.cs": cs("interface ISaved { }")},
        {"Leaf.cs": cs("class Leaf : Middle { public int Load() => 3; public int Save() => 4; }")},
        {"Leaf.cs": cs("class Leaf { }")},
        {"Middle.cs": cs("class Middle : ISaved { }")},
        {"Middle.cs": cs("class Medium : Base, ISaved { }")},
        {"Middle.cs": cs("class Alone { }")},
        {"Base.cs": cs("class Base : Apart { public int Load() => 1; }")},
        {"Apart.cs": cs("class Apart : Leaf { }")},
        {"Other.cs": cs("class Other : Leaf { public int Leaf() => 5; }")},
        {"Base.cs": cs("class Base { class Save { public int Load() => 1; } }")},
    ],
)
def test_members_are_named_by_the_types_that_inherit_them(
    source: Path, tmp_path: Path, require_same: Same, edits: Mapping[str, str]
) -> None:
    put(
        source,
        {
            "Base.cs": cs("class Base { public int Load() => 1; public int Save() => 2; }"),
            "ISaved.cs": cs("interface ISaved { int Save(); }"),
            "Middle.cs": cs("class Middle : Base, ISaved { }"),
            "Leaf.cs": cs("class Leaf : Middle { }"),
            "Apart.cs": cs("class Apart { public int Save() => 7; }"),
        },
    )
    store = prepared(source, tmp_path / "s.duckdb")
    put(source, edits)

    prepared(source, store)

    assert was_amended(store)
    require_same(store)


MIGRATION = """namespace Shop;
public class Init{0}
{{
    protected override void Up(MigrationBuilder builder)
    {{
        builder.CreateTable(name: "Orders", columns: table => new {{ Id = table.Column<int>(nullable: false) }});
    }}
}}
"""


@pytest.mark.parametrize(
    "edits",
    [
        {"Base.cs": cs("abstract class Base : Migration { void Load() { } void Store() { } }")},
        {"Base.cs": cs("abstract class Base : Migration { void Store() { } }")},
        {"Init.cs": MIGRATION.format(" : Other")},
        {"Init.cs": MIGRATION.format(" : Migration")},
    ],
)
def test_members_are_named_by_the_migrations_that_inherit_them(
    source: Path, tmp_path: Path, require_same: Same, edits: Mapping[str, str]
) -> None:
    put(
        source,
        {
            "Base.cs": cs("abstract class Base : Migration { void Load() { } }"),
            "Other.cs": cs("abstract class Other : Migration { void Save() { } }"),
            "Init.cs": MIGRATION.format(" : Base"),
        },
    )
    store = prepared(source, tmp_path / "s.duckdb")
    put(source, edits)

    prepared(source, store)

    assert was_amended(store)
    require_same(store)


def forge(store: Path) -> None:
    with duckdb.connect(str(store)) as other:
        other.execute("update documents set signature = 'forged' where source_file = 'A.sql'")


def forge_as_soon_as_it_is_free(store: Path) -> None:
    """Forge a store that this process may have open for a moment."""
    for _ in range(600):
        try:
            return forge(store)
        except duckdb.Error:
            time.sleep(0.1)
    raise TimeoutError(store)


def test_what_somebody_writes_while_files_are_read_is_not_believed(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, require_same: Same
) -> None:
    put(source, {f"{name}.sql": TABLE.format(name) for name in "ABCD"})
    store = prepared(source, tmp_path / "s.duckdb")
    put(source, {"D.sql": TABLE.format("D") + "-- later\n"})
    tie = collecting.tie

    def meanwhile(*arguments: Any, **named: Any) -> Any:
        forge_as_soon_as_it_is_free(store)
        return tie(*arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(collecting, "tie", meanwhile)
        prepared(source, store)

    require_same(store)


def test_what_somebody_writes_before_the_seal_is_not_sealed(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, require_same: Same
) -> None:
    put(source, {f"{name}.sql": TABLE.format(name) for name in "ABCD"})
    store, keep = tmp_path / "s.duckdb", BranchRecords.keep

    def meanwhile(self: BranchRecords, snapshot: Snapshot, record: BranchRecord) -> None:
        forge(store)
        keep(self, snapshot, record)

    with monkeypatch.context() as patch:
        patch.setattr(BranchRecords, "keep", meanwhile)
        prepared(source, store)
    put(source, {"D.sql": TABLE.format("D") + "-- later\n"})

    prepared(source, store)

    require_same(store)


def test_a_file_that_could_not_be_read_for_a_moment_comes_back(
    source: Path, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, require_same: Same
) -> None:
    put(source, {f"{name}.sql": TABLE.format(name) for name in "ABCD"})
    time.sleep(SETTLED)
    store = prepared(source, tmp_path / "s.duckdb")
    lose_parsed_files(store, source, cache)
    put(source, {"D.sql": TABLE.format("D") + "-- later\n"})
    find = SeenFiles.find

    def meanwhile(self: SeenFiles) -> Any:
        (source / "A.sql").rename(source / "A.away")  # as a share that is gone for a moment
        return find(self)

    with monkeypatch.context() as patch:
        patch.setattr(SeenFiles, "find", meanwhile)
        prepared(source, store)
    (source / "A.away").rename(source / "A.sql")
    put(source, {"D.sql": TABLE.format("D") + "-- later still\n"})

    prepared(source, store)

    require_same(store)
