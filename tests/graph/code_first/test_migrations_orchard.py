"""Migrations of Orchard and Orchard Core: what Create and the updates do through the builder of the schema."""

from __future__ import annotations

import pytest

ORDER, LINE = "dbo.Order|TABLE", "dbo.Line|TABLE"
HEAD = "using Orchard.Data.Migration;\nnamespace Shop;\n"


def migration(body: str, *, base: str = "DataMigrationImpl", head: str = HEAD) -> dict[str, str]:
    return {"Shop/Migrations.cs": f"{head}public class Migrations : {base} {{ {body} }}"}


@pytest.mark.parametrize(
    ("statement", "change"),
    [
        ('SchemaBuilder.CreateTable("Order", t => t.Column<int>("Id"));', ("create table", ORDER, "")),
        ('this.SchemaBuilder.DropTable("Order");', ("drop table", ORDER, "")),
        (
            'SchemaBuilder.AlterTable("Order", t => t.AddColumn<string>("Note"));',
            ("add column", ORDER, "Note"),
        ),
        (
            'SchemaBuilder.AlterTable("Order", t => { t.DropColumn("Note"); });',
            ("drop column", ORDER, "Note"),
        ),
        (
            'SchemaBuilder.AlterTable("Order", t => t.CreateIndex("IX", "A", "B"));',
            ("create index", ORDER, "IX"),
        ),
        (
            'SchemaBuilder.CreateForeignKey("FK", "Order", new[] { "A" }, "Line", new[] { "Id" });',
            ("add foreign key", ORDER, "FK"),
        ),
        (
            'SchemaBuilder.CreateForeignKey("FK", "Own", "Order", new[] { "A" }, "Other", "Line", new[] { "Id" });',
            ("add foreign key", ORDER, "FK"),
        ),
        ('SchemaBuilder.DropForeignKey("Order", "FK");', ("drop foreign key", ORDER, "FK")),
        ('SchemaBuilder.ExecuteSql("ALTER TABLE [Order] ADD A INT");', ("add column", ORDER, "A")),
    ],
)
def test_each_call_of_the_builder_is_a_change(graph_of, statement, change):
    graph = graph_of(migration(f"public int Create() {{ {statement} return 1; }}"))

    assert graph.changes() == [change]
    assert graph.only("SchemaChange").from_key == "csharp:Shop.Migrations|MIGRATION"


def test_a_table_has_its_columns_and_those_of_parts(graph_of):
    create = 'SchemaBuilder.CreateTable("Order", t => t.ContentPartRecord().Column<int>("Total", c => c.NotNull()))'
    key = '.CreateForeignKey("FK", "Order", new[] { "A" }, "Line", new[] { "Id" })'
    graph = graph_of(migration(f"public int Create() {{ {create}{key}; return 1; }}"))

    assert [(fact.key, fact.columns) for fact in graph.created] == [(ORDER, ("Id", "Total"))]
    assert graph.pairs("ForeignKey") == {(ORDER, LINE)}


def test_updates_follow_creation_in_the_order_of_their_numbers(graph_of):
    body = """
        public int UpdateFrom10() { SchemaBuilder.DropTable("Line"); return 11; }
        public int UpdateFrom2() { SchemaBuilder.CreateTable("Line", t => t.Column<int>("Id")); return 3; }
        public int Create() { SchemaBuilder.CreateTable("Order", t => t.Column<int>("Id")); return 1; }
        public int Other() { SchemaBuilder.DropTable("Order"); return 1; }
    """

    assert {fact.key for fact in graph_of(migration(body)).created} == {ORDER}


def test_orchard_core_creates_tables_of_indexes_by_their_classes(graph_of):
    body = """
        public async Task<int> CreateAsync()
        {
            await SchemaBuilder.CreateMapIndexTableAsync<OrderIndex>(t => t.Column<string>("Number"));
            await SchemaBuilder.AlterIndexTableAsync<OrderIndex>(t => t.CreateIndex("IX", "Number"));
            return 1;
        }
    """
    head = "using OrchardCore.Data.Migration;\nnamespace Shop;\npublic class OrderIndex : MapIndex { }\n"
    graph = graph_of(migration(body, base="DataMigration", head=head))

    assert graph.changes() == [
        ("create table", "dbo.OrderIndex|TABLE", ""),
        ("create index", "dbo.OrderIndex|TABLE", "IX"),
    ]
    assert graph.created[0].columns == ("Id", "DocumentId", "Number")


def test_the_systems_own_base_is_known_by_its_builder(graph_of):
    own = "namespace Shop; public abstract class DataMigrationImpl { {0} }"
    body = 'public int Create() { SchemaBuilder.DropTable("Order"); return 1; }'
    files = migration(body, head="namespace Shop;\n")
    builder = "public virtual SchemaBuilder SchemaBuilder { get; set; }"

    assert graph_of(files | {"Shop/Base.cs": own.replace("{0}", builder)}).changes() == [
        ("drop table", ORDER, "")
    ]
    assert graph_of(files | {"Shop/Base.cs": own.replace("{0}", "")}).edges == ()
