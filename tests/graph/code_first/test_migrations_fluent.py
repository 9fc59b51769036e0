"""Migrations of FluentMigrator: sentences that change tables, and others that only ask."""

from __future__ import annotations

import pytest

ORDER, LINE = "dbo.Order|TABLE", "dbo.Line|TABLE"


def migration(up: str, **files: str) -> dict[str, str]:
    return {
        "Shop/Migrations/Change.cs": f"""
            namespace Shop.Migrations;

            [Migration(202401011200)]
            public class Change : FluentMigrator.Migration
            {{
                public override void Up()
                {{
                    {up}
                }}

                public override void Down() {{ Delete.Table("Down"); }}
            }}
        """
    } | {f"Shop/{name}.cs": text for name, text in files.items()}


@pytest.mark.parametrize(
    ("up", "changes"),
    [
        ('Create.Table("Order").WithColumn("Id").AsInt32().PrimaryKey();', [("create table", ORDER, "")]),
        (
            'Create.Table("Order").InSchema("sales").WithColumn("Id").AsInt32();',
            [("create table", "sales.Order|TABLE", "")],
        ),
        ('this.Create.Table("Order").WithColumn("Id").AsInt32();', [("create table", ORDER, "")]),
        (
            'IfDatabase("sqlserver").Create.Table("Order").WithColumn("Id").AsInt32();',
            [("create table", ORDER, "")],
        ),
        ('Delete.Table("Order").InSchema("sales");', [("drop table", "sales.Order|TABLE", "")]),
        (
            'Rename.Table("Order").InSchema("sales").To("Orders");',
            [
                ("rename table", "sales.Order|TABLE", "Orders"),
                ("rename table", "sales.Orders|TABLE", "Orders"),
            ],
        ),
        (
            'Alter.Table("Order").InSchema("sales").AddColumn("A").AsInt32().AlterColumn("B").AsInt64();',
            [("add column", "sales.Order|TABLE", "A"), ("alter column", "sales.Order|TABLE", "B")],
        ),
        (
            'Create.Column("A").OnTable("Order").InSchema("sales").AsInt32();',
            [("add column", "sales.Order|TABLE", "A")],
        ),
        ('Alter.Column("A").OnTable("Order").AsInt32();', [("alter column", ORDER, "A")]),
        (
            'Delete.Column("A").Column("B").FromTable("Order");',
            [("drop column", ORDER, "A"), ("drop column", ORDER, "B")],
        ),
        ('Rename.Column("A").OnTable("Order").To("B");', [("rename column", ORDER, "A -> B")]),
        ('Create.Index("IX").OnTable("Order").OnColumn("A").Ascending();', [("create index", ORDER, "IX")]),
        (
            'Create.Index().OnTable("Order").InSchema("sales").OnColumn("A");',
            [("create index", "sales.Order|TABLE", "A")],
        ),
        ('Delete.Index("IX").OnTable("Order");', [("drop index", ORDER, "IX")]),
        ('Delete.ForeignKey("FK").OnTable("Order");', [("drop foreign key", ORDER, "FK")]),
        ('Create.PrimaryKey("PK").OnTable("Order").Column("Id");', [("add primary key", ORDER, "PK")]),
        ('Insert.IntoTable("Order").Row(new { Id = 1 });', [("insert data", ORDER, "")]),
        ('Delete.FromTable("Order").AllRows();', [("delete data", ORDER, "")]),
        ('Execute.Sql("UPDATE dbo.[Order] SET A = 1");', [("raw sql", ORDER, "")]),
    ],
)
def test_each_sentence_is_a_change_of_its_table(graph_of, up, changes):
    assert graph_of(migration(up)).changes() == changes


@pytest.mark.parametrize(
    "up",
    [
        'if (Schema.Table("Order").Column("A").Exists()) { }',
        'Schema.Schema("sales").Table("Order").Exists();',
        'Create.Schema("sales");',
        'Create.Table(name).WithColumn("Id").AsInt32();',
        'Execute.Script("change.sql");',
        'Create.ForeignKey("FK").FromTable("Order");',
    ],
)
def test_what_only_asks_or_names_no_table_is_no_change(graph_of, up):
    assert graph_of(migration(up)).edges == ()


@pytest.mark.parametrize(
    ("up", "parent", "name"),
    [
        (
            'Create.ForeignKey("FK").FromTable("Line").ForeignColumn("A").ToTable("Order").PrimaryColumn("Id");',
            ORDER,
            "FK",
        ),
        (
            'Create.ForeignKey().FromTable("Line").ForeignColumn("A").ToTable("Order").PrimaryColumn("Id");',
            ORDER,
            "A",
        ),
        (
            'Create.ForeignKey("FK").FromTable("Line").ForeignColumn("A")'
            '.ToTable("Order").InSchema("sales").PrimaryColumn("Id");',
            "sales.Order|TABLE",
            "FK",
        ),
        ('Create.Table("Line").WithColumn("A").AsInt32().ForeignKey("Order", "Id");', ORDER, ""),
        ('Create.Table("Line").WithColumn("A").AsInt32().ForeignKey("FK", "Order", "Id");', ORDER, "FK"),
        (
            'Create.Table("Line").WithColumn("A").AsInt32().ForeignKey("FK", "sales", "Order", "Id");',
            "sales.Order|TABLE",
            "FK",
        ),
        ('Alter.Table("Line").AddColumn("A").AsInt32().ForeignKey("FK", "Order", "Id");', ORDER, "FK"),
    ],
)
def test_foreign_keys_lead_from_child_to_parent(graph_of, up, parent, name):
    edge = graph_of(migration(up)).only("ForeignKey")

    assert (edge.from_key, edge.to_key, edge.detail) == (LINE, parent, name)


def test_the_columns_of_a_new_table_are_known(graph_of):
    up = 'Create.Table("Order").WithColumn("Id").AsInt32().PrimaryKey().WithColumn("Total").AsDecimal().Nullable();'

    assert graph_of(migration(up)).created[0].columns == ("Id", "Total")


def test_a_table_of_very_many_columns_is_one_table(graph_of):
    columns = "".join(f'.WithColumn("C{at}").AsInt32().NotNullable()' for at in range(100))
    [fact] = graph_of(migration(f'Create.Table("Order"){columns};')).created

    assert fact.columns == tuple(f"C{at}" for at in range(100))


def test_tables_of_entity_types_are_those_of_their_mapping(graph_of):
    entity = (
        'namespace Shop;\n[Table("Orders", Schema = "sales")] public class Order { }\npublic class Line { }'
    )
    up = 'Create.TableFor<Order>(); Delete.Column("A").FromTable(Names.TableOf(typeof(Line)));'

    assert graph_of(migration(up, Order=entity)).changes() == [
        ("create table", "sales.Orders|TABLE", ""),
        ("drop column", LINE, "A"),
    ]
