"""The state after the last migration: tables, columns and keys that are left."""

from __future__ import annotations

import pytest

from ragduck.facts import Argument, Attribute, FileFacts, Text, TypeFact
from ragduck.graph.migrations.graph import is_migration, migration_version
from ragduck.graph.types.catalog import Catalog


def migrations(*ups: str, project: str = "Shop") -> dict[str, str]:
    return {
        f"{project}/Migrations/2024010{at}000000_M{at}.cs": f"""
            namespace {project}.Migrations;
            public class M{at} : Migration
            {{
                protected override void Up(MigrationBuilder b) {{ {up} }}
            }}
        """
        for at, up in enumerate(ups, start=1)
    }


def create(name: str, *columns: str, parent: str = "") -> str:
    fields = ", ".join(f"{column} = t.Column<int>()" for column in columns)
    key = f'table.ForeignKey("FK_{name}", x => x.Id, "{parent}", "Id");' if parent else ""
    return (
        f'b.CreateTable(name: "{name}", columns: t => new {{ {fields} }}, constraints: table => {{ {key} }});'
    )


def test_a_table_that_is_dropped_later_is_not_there(graph_of):
    graph = graph_of(migrations(create("A", "Id") + create("B", "Id", parent="A"), 'b.DropTable("B");'))

    assert [fact.key for fact in graph.created] == ["dbo.A|TABLE"]
    assert graph.pairs("ForeignKey") == set()


@pytest.mark.parametrize(
    ("created", "dropped", "left"), [("20240101", "20240102", 0), ("20240103", "20240102", 1)]
)
def test_the_order_is_that_of_versions_not_of_files(graph_of, created, dropped, left):
    drop = 'b.DropTable("A");'
    head = "public class {} : Migration {{ void Up(MigrationBuilder b) {{ {} }} }}"
    files = {
        "Shop/Z.cs": f'[Migration("{created}_Z")] {head.format("Z", create("A"))}',
        "Shop/A.cs": f'[Migration("{dropped}_A")] {head.format("A", drop)}',
    }

    assert len(graph_of(files).created) == left


def test_columns_follow_what_later_migrations_do(graph_of):
    graph = graph_of(
        migrations(
            create("A", "Id", "Name", "Old"),
            'b.AddColumn<int>("Size", "A"); b.DropColumn("Old", "A");',
            'b.RenameColumn("Name", "A", "Title");',
        )
    )

    assert graph.created[0].columns == ("Id", "Title", "Size")


def test_a_renamed_table_keeps_its_columns_and_keys(graph_of):
    graph = graph_of(
        migrations(
            create("A", "Id") + create("B", "Id", parent="A"),
            'b.RenameTable("A", null, "Parent"); b.RenameTable("B", null, "Child", "sales");',
        )
    )

    assert [(fact.key, fact.columns) for fact in graph.created] == [
        ("dbo.Parent|TABLE", ("Id",)),
        ("sales.Child|TABLE", ("Id",)),
    ]
    assert graph.pairs("ForeignKey") == {("sales.Child|TABLE", "dbo.Parent|TABLE")}


def test_a_key_that_is_dropped_is_not_there(graph_of):
    graph = graph_of(migrations(create("A", "Id", parent="B"), 'b.DropForeignKey("FK_A", "A");'))

    assert graph.pairs("ForeignKey") == set()


def test_projects_have_histories_of_their_own(graph_of):
    files = migrations(create("A", "Id"), project="Postgres")
    files |= migrations(create("A", "Id"), 'b.DropTable("A");', project="Lite")

    assert [fact.key for fact in graph_of(files).created] == ["dbo.A|TABLE"]


def test_raw_sql_takes_part_in_the_history(graph_of):
    graph = graph_of(
        migrations(create("A", "Id"), 'b.Sql("DROP TABLE dbo.A; CREATE TABLE sales.B (Id INT);");')
    )

    assert [fact.key for fact in graph.created] == ["sales.B|TABLE"]


@pytest.mark.parametrize(
    ("head", "path", "version"),
    [
        ('[Migration("20240422143015_AddDunning")]', "Shop/AddDunning.cs", "20240422143015"),
        ('[NopMigration("2024/04/22 14:30:15", "Add")]', "Shop/AddDunning.cs", "20240422143015"),
        ('[NopMigration("2024-04-22 14:30:15")]', "Shop/AddDunning.cs", "20240422143015"),
        ("[Migration(202404221430)]", "Shop/AddDunning.cs", "202404221430"),
        ('[Migration(12, "Add")]', "Shop/20240422_AddDunning.cs", "12"),
        ("[TimestampedMigration(2024, 4, 22, 14, 5)]", "Shop/AddDunning.cs", "202404221405"),
        ("", "Shop/20240422143015_AddDunning.cs", "20240422143015"),
        ("", "Shop/M001_AddDunning.cs", "001"),
        ("", "Shop/AddDunning.cs", None),
    ],
)
def test_the_version_is_that_of_the_attribute_or_of_the_file(facts_of, head, path, version):
    catalog = Catalog(facts_of({path: f"{head}\npublic class AddDunning : Migration {{ }}"}))
    info = catalog.types["csharp:AddDunning|TYPE"]

    assert migration_version(info) == version
    assert is_migration(info, catalog=catalog)


@pytest.mark.parametrize(
    ("name", "arguments", "version"),
    [
        ("Migration", ("202404221430",), "202404221430"),
        ("TimestampedMigration", ("2024", "4", "22", "14", "5"), "202404221405"),
        ("Table", ("20240422",), None),
    ],
)
def test_numbers_of_an_attribute_are_put_together(name, arguments, version):
    attribute = Attribute(name, tuple(Argument(Text(one)) for one in arguments))
    declared = TypeFact(
        "csharp:A|TYPE", "A", "A", "", "class", 1, 1, bases=("Migration",), attributes=(attribute,)
    )
    catalog = Catalog([FileFacts("A.cs", "csharp", "source", None, 1, types=(declared,))])

    assert migration_version(catalog.types["csharp:A|TYPE"]) == version
