"""Migrations that hand their builder to objects of their own, which know the table."""

from __future__ import annotations

import pytest

ORDER = "dbo.Order|TABLE"
BASE = """
    public abstract class TableBase
    {
        private readonly MigrationBuilder _builder;
        protected TableBase(MigrationBuilder builder) { _builder = builder; }
        protected string TableName { get; init; }
        public void Create() { _builder.CreateTable(TableName, Build); }
        public void Flag(string name) { Add(name); }
        public void Index(string name, string column) { this._builder.CreateIndex(name, TableName, column); }
        public void Index(string name, string[] columns) { this._builder.CreateIndex(name, TableName, columns); }
        public void Clear() { _builder.Sql($"DELETE FROM [{TableName}]"); }
        private void Add(string name) { _builder.AddColumn<bool>(Rewrite(name), RewriteName(TableName)); }
        private string RewriteName(string name) { return _server.RewriteName(name); }
        private string Rewrite(string name) { return "x" + name; }
    }
"""
ORDERS = """
    public class OrderTable : TableBase
    {
        private const string Name = "Order";
        public OrderTable(MigrationBuilder builder) : base(builder) { TableName = Name; }
    }
"""


def migration(up: str, *classes: str) -> dict[str, str]:
    change = (
        f"public class Change : Migration {{ protected override void Up(MigrationBuilder b) {{\n{up} }} }}"
    )
    texts = enumerate((f"[Migration(7)] {change}", *(classes or (BASE, ORDERS))))
    return {f"Shop/{at}.cs": f"namespace Shop;\n{text}" for at, text in texts}


@pytest.mark.parametrize(
    ("up", "change"),
    [
        ("new OrderTable(b).Create();", ("create table", ORDER, "")),
        ("var orders = new OrderTable(b); orders.Create();", ("create table", ORDER, "")),
        ('new OrderTable(b).Index("IX", "Id");', ("create index", ORDER, "IX")),
    ],
)
def test_an_object_does_what_its_methods_say_to_its_table(graph_of, up, change):
    assert graph_of(migration(up)).changes() == [change]


def test_builder_and_texts_may_be_null(graph_of):
    base = BASE.replace("MigrationBuilder ", "MigrationBuilder? ").replace(
        "string RewriteName", "string? RewriteName"
    )

    graph = graph_of(migration("new OrderTable(b).Flag(name);", base, ORDERS))

    assert graph.changes() == graph_of(migration("new OrderTable(b).Flag(name);")).changes() != []


def test_it_is_told_where_the_object_is_called(graph_of):
    graph = graph_of(migration('var orders = new OrderTable(b);\norders.Index("IX", "Id");\norders.Clear();'))

    places = {(edge.relation, edge.source_file, edge.line) for edge in graph.edges}
    assert places == {
        ("SchemaChange", "Shop/0.cs", 4), ("SchemaChange", "Shop/0.cs", 5), ("WritesTo", "Shop/0.cs", 5),
    }  # fmt: skip


@pytest.mark.parametrize(
    "table",
    [
        """
        public class T : TableBase
        {
            public T(MigrationBuilder b) : base(b) { }
            protected override string TableName => "Order";
        }
        """,
        """
        public class T : TableBase { public T(MigrationBuilder b, int x) : base(b) { TableName = "Order"; } }
        """,
        """
        public class T : Named { public T(MigrationBuilder b) : base(b, "Order") { } }
        public class Named : TableBase
        {
            public Named(MigrationBuilder b, string of) : base(b) { TableName = of; }
        }
        """,
    ],
    ids=["property", "assignment", "handed to the base"],
)
def test_the_table_is_the_one_that_the_class_names(graph_of, table):
    assert graph_of(migration("new T(b).Create();", BASE, table)).changes() == [("create table", ORDER, "")]


def test_a_name_that_is_spelled_for_a_server_is_less_sure(graph_of):
    [edge] = graph_of(migration('new OrderTable(b).Flag("Paid");')).edges

    assert (edge.rule, edge.to_key, edge.confidence, edge.detail) == ("add column", ORDER, 0.7, "")


@pytest.mark.parametrize(
    "up", ["new OrderTable(b, Table()).Unknown();", "new Other(1).Create();", "_orders.Create();"]
)
def test_what_has_no_builder_or_names_nothing_changes_nothing(graph_of, up):
    other = 'public class Other : TableBase { public Other(int x) : base(null) { TableName = "Order"; } }'

    assert graph_of(migration(up, BASE, ORDERS, other)).changes() == []
