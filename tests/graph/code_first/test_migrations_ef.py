"""Migrations of Entity Framework Core and 6: what Up does to which table."""

from __future__ import annotations

import pytest

ORDER, LINE = "dbo.Order|TABLE", "dbo.Line|TABLE"


def migration(
    up: str, *, down: str = "", more: str = "", head: str = "", base: str = "Migration"
) -> dict[str, str]:
    parameter = "MigrationBuilder b" if base == "Migration" else ""
    return {
        "Shop/Migrations/20240101120000_Change.cs": f"""
            namespace Shop.Migrations;
            {head}
            public partial class Change : {base}
            {{
                protected override void Up({parameter})
                {{
                    {up}
                }}

                protected override void Down({parameter}) {{ {down} }}
                {more}
            }}
        """
    }


@pytest.mark.parametrize(
    ("up", "change"),
    [
        ('b.CreateTable(name: "Order", columns: t => new { });', ("create table", ORDER, "")),
        (
            'b.CreateTable(name: "Order", schema: "sales", columns: t => new { });',
            ("create table", "sales.Order|TABLE", ""),
        ),
        ('b.DropTable(name: "Order");', ("drop table", ORDER, "")),
        ('b.DropTable("Order", "sales");', ("drop table", "sales.Order|TABLE", "")),
        ('b.AddColumn<int>(name: "Total", table: "Order", nullable: false);', ("add column", ORDER, "Total")),
        ('b.AddColumn<int>("Total", "Order");', ("add column", ORDER, "Total")),
        (
            'b.AlterColumn<int>(name: "Total", schema: "sales", table: "Order");',
            ("alter column", "sales.Order|TABLE", "Total"),
        ),
        ('b.DropColumn(name: "Total", table: "Order");', ("drop column", ORDER, "Total")),
        (
            'b.RenameColumn(name: "Total", table: "Order", newName: "Sum");',
            ("rename column", ORDER, "Total -> Sum"),
        ),
        (
            'b.CreateIndex(name: "IX_Total", table: "Order", column: "Total");',
            ("create index", ORDER, "IX_Total"),
        ),
        (
            'b.CreateIndex("IX_Total", "Order", new[] { "Total", "Id" }, "sales");',
            ("create index", "sales.Order|TABLE", "IX_Total"),
        ),
        ('b.DropIndex(name: "IX_Total", table: "Order");', ("drop index", ORDER, "IX_Total")),
        ('b.RenameIndex(name: "A", table: "Order", newName: "B");', ("rename index", ORDER, "A -> B")),
        ('b.DropForeignKey(name: "FK_A", table: "Order");', ("drop foreign key", ORDER, "FK_A")),
        ('b.AddPrimaryKey("PK_Order", "Order", "Id");', ("add primary key", ORDER, "PK_Order")),
        ('b.UpdateData(table: "Order", keyColumn: "Id", keyValue: 1);', ("update data", ORDER, "")),
    ],
)
def test_each_operation_is_a_change_of_its_table(graph_of, up, change):
    graph = graph_of(migration(up))

    assert graph.changes() == [change]
    assert graph.only("SchemaChange").from_key == "csharp:Shop.Migrations.Change|MIGRATION"


def test_a_change_is_found_on_the_line_of_its_call(graph_of):
    edge = graph_of(migration('b.DropTable(\n                        name: "Order");')).only("SchemaChange")

    assert (edge.source_file, edge.line) == ("Shop/Migrations/20240101120000_Change.cs", 7)


def test_a_renamed_table_has_both_names(graph_of):
    graph = graph_of(migration('b.RenameTable(name: "Order", newName: "Orders", newSchema: "sales");'))

    assert graph.changes() == [
        ("rename table", ORDER, "Orders"),
        ("rename table", "sales.Orders|TABLE", "Orders"),
    ]


def test_names_in_constants_are_resolved(graph_of):
    files = migration('b.DropTable(name: Names.Order, schema: "sa" + "les"); b.DropTable(nameof(Line));')
    files["Shop/Names.cs"] = 'namespace Shop; static class Names { public const string Order = "Order"; }'

    assert graph_of(files).changes() == [
        ("drop table", "sales.Order|TABLE", ""),
        ("drop table", LINE, ""),
    ]


def test_down_is_no_change(graph_of):
    assert graph_of(migration("", down='b.DropTable("Order");')).edges == ()


def test_methods_that_up_calls_count_and_others_do_not(graph_of):
    more = """
        private void Orders(MigrationBuilder b) { b.DropTable("Order"); this.Lines(b); }
        private void Lines(MigrationBuilder b) { b.DropTable("Line"); Orders(b); }
        private void Unused(MigrationBuilder b) { b.DropTable("Customer"); }
    """

    assert [table for _, table, _ in graph_of(migration("Orders(b);", more=more)).changes()] == [ORDER, LINE]


@pytest.mark.parametrize(
    "up",
    [
        "foreach (var table in tables) { b.DropTable(table); }",
        'Schema.Table("Order").Exists();',
        'other.DropTable("Order");',
        'b.EnsureSchema(name: "sales");',
        'b.CreateSequence(name: "Numbers");',
        'b.Sql(File.ReadAllText("change.sql"));',
    ],
)
def test_what_names_no_table_is_no_change(graph_of, up):
    assert graph_of(migration(up)).edges == ()


def test_the_same_calls_outside_of_a_migration_are_none(graph_of):
    code = 'class Fixture { void Up(MigrationBuilder b) { b.DropTable("Order"); } }'

    assert graph_of({"Shop/Fixture.cs": code}).edges == ()


CREATE_LINE = """
    b.CreateTable(
        name: "Line",
        columns: table => new
        {
            Id = table.Column<int>(nullable: false).Annotation("SqlServer:Identity", "1, 1"),
            OrderId = table.Column<int>(name: "Order_Id", nullable: false)
        },
        constraints: table =>
        {
            table.PrimaryKey("PK_Line", x => x.Id);
            table.ForeignKey(
                name: "FK_Line_Order", column: x => x.OrderId, principalTable: "Order", principalColumn: "Id");
        });
"""


def test_a_created_table_has_its_columns_place_and_keys(graph_of):
    graph = graph_of(migration(CREATE_LINE))
    [fact] = graph.created

    assert (fact.key, fact.kind, fact.columns) == (LINE, "TABLE", ("Id", "Order_Id"))
    assert (fact.path, fact.line) == ("Shop/Migrations/20240101120000_Change.cs", 8)
    assert graph.only("ForeignKey", rule="migration").detail == "FK_Line_Order"
    assert graph.pairs("ForeignKey") == {(LINE, ORDER)}


def test_a_table_that_a_script_defines_is_not_created_again(graph_of):
    script = {"Database/Line.sql": "CREATE TABLE dbo.Line (Id INT);\n"}

    assert graph_of(migration(CREATE_LINE) | script).created == ()


def test_a_table_without_schema_is_the_one_of_that_name_in_another_schema(graph_of):
    script = {"Database/Line.sql": "CREATE TABLE sales.Line (Id INT);\n"}
    graph = graph_of(migration(CREATE_LINE) | script)

    assert graph.created == ()
    assert ("create table", "sales.Line|TABLE", "") in graph.changes()


def test_a_migration_for_another_server_changes_the_table_of_the_other_number(graph_of):
    script = {"Database/Line.sql": "CREATE TABLE dbo.Lines (Id INT);\n"}
    graph = graph_of(migration(CREATE_LINE) | script)

    assert graph.created == ()
    assert ("create table", "dbo.Lines|TABLE", "") in graph.changes()


def test_a_key_that_is_added_later_is_a_key(graph_of):
    up = """
        b.AddForeignKey(
            name: "FK_Line_Order", schema: "sales", table: "Line", column: "OrderId",
            principalSchema: "dbo", principalTable: "Order", principalColumn: "Id");
    """
    graph = graph_of(migration(up))

    assert graph.pairs("ForeignKey") == {("sales.Line|TABLE", ORDER)}
    assert graph.changes() == [("add foreign key", "sales.Line|TABLE", "FK_Line_Order")]


SIX_LINE = """
    CreateTable(
        "sales.Line",
        c => new { Id = c.Int(nullable: false, identity: true), OrderId = c.Int() })
        .PrimaryKey(t => t.Id)
        .ForeignKey("dbo.Order", t => t.OrderId, cascadeDelete: true)
        .Index(t => t.OrderId);
"""


def test_entity_framework_6_creates_tables_with_keys_and_indexes(graph_of):
    graph = graph_of(migration(SIX_LINE, base="DbMigration"))

    assert set(graph.changes()) == {
        ("create table", "sales.Line|TABLE", ""),
        ("add foreign key", "sales.Line|TABLE", "FK_sales.Line_dbo.Order_OrderId"),
        ("create index", "sales.Line|TABLE", "IX_OrderId"),
    }
    assert graph.pairs("ForeignKey") == {("sales.Line|TABLE", ORDER)}
    assert graph.created[0].columns == ("Id", "OrderId")


@pytest.mark.parametrize(
    ("up", "change"),
    [
        ('DropTable("dbo.Order");', ("drop table", ORDER, "")),
        ('DropTable("Order");', ("drop table", ORDER, "")),
        ('AddColumn("dbo.Order", "Total", c => c.Int());', ("add column", ORDER, "Total")),
        ('AlterColumn("dbo.Order", "Total", c => c.Long());', ("alter column", ORDER, "Total")),
        ('DropColumn("dbo.Order", "Total");', ("drop column", ORDER, "Total")),
        (
            'RenameColumn(table: "dbo.Order", name: "Total", newName: "Sum");',
            ("rename column", ORDER, "Total -> Sum"),
        ),
        ('CreateIndex("dbo.Order", "Total");', ("create index", ORDER, "IX_Total")),
        ('CreateIndex("dbo.Order", "Total", unique: true, name: "UX");', ("create index", ORDER, "UX")),
        ('DropIndex("dbo.Order", "UX");', ("drop index", ORDER, "UX")),
        ('DropForeignKey("dbo.Order", "FK_A");', ("drop foreign key", ORDER, "FK_A")),
        (
            'this.AddForeignKey("dbo.Order", "BuyerId", "dbo.Buyer", "Id");',
            ("add foreign key", ORDER, "FK_dbo.Order_dbo.Buyer_BuyerId"),
        ),
    ],
)
def test_each_operation_of_entity_framework_6_is_a_change(graph_of, up, change):
    assert graph_of(migration(up, base="DbMigration")).changes() == [change]


def test_entity_framework_6_renames_and_moves_tables(graph_of):
    up = 'RenameTable(name: "dbo.Order", newName: "Orders"); MoveTable("dbo.Line", "sales");'

    assert [
        (table, detail) for _, table, detail in graph_of(migration(up, base="DbMigration")).changes()
    ] == [
        (ORDER, "Orders"),
        ("dbo.Orders|TABLE", "Orders"),
        (LINE, "sales"),
        ("sales.Line|TABLE", "sales"),
    ]


def test_a_key_without_a_name_is_dropped_by_its_columns(graph_of):
    up = f'{SIX_LINE} DropForeignKey("sales.Line", "OrderId", "dbo.Order");'

    assert graph_of(migration(up, base="DbMigration")).pairs("ForeignKey") == set()
