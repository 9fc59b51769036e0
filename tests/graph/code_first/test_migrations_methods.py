"""The methods that a migration runs: inherited ones, own ones with what they are given, extensions."""

from __future__ import annotations

import pytest

from ragduck.graph.migrations import reading
from ragduck.graph.migrations.raw_sql import read_script
from ragduck.graph.migrations.reading import read_migrations
from ragduck.graph.types.catalog import Catalog

ORDER, LINE = "dbo.Order|TABLE", "dbo.Line|TABLE"
BASE = """
    public abstract class StepBase : FluentMigrator.Migration
    {
        protected virtual void Apply() { Delete.Table("Unused"); }
        public override void Up() { Prepare(); Apply(); }
        private void Prepare() { Delete.Table("Line"); }
        public override void Down() { Delete.Table("Down"); }
    }
"""


def migration(body: str, *, base: str = "Migration", **files: str) -> dict[str, str]:
    text = f"namespace Shop;\n[Migration(7)] public class Change : {base} {{ {body} }}"
    return {"Shop/Change.cs": text} | {
        f"Shop/{name}.cs": f"namespace Shop; {code}" for name, code in files.items()
    }


def test_an_inherited_up_runs_what_the_migration_overrides(graph_of):
    body = 'protected override void Apply() { Delete.Table("Order"); Execute.Sql("DELETE FROM dbo.Log"); }'
    graph = graph_of(migration(body, base="StepBase", StepBase=BASE))

    assert {(edge.from_key, edge.to_key, edge.source_file) for edge in graph.edges} == {
        ("csharp:Shop.Change|MIGRATION", ORDER, "Shop/Change.cs"),
        ("csharp:Shop.Change|MIGRATION", "dbo.Log|TABLE", "Shop/Change.cs"),
        ("csharp:Shop.Change|MIGRATION", LINE, "Shop/StepBase.cs"),
    }


def test_a_migration_may_run_the_up_and_other_methods_of_its_base(graph_of):
    body = 'public override void Up() { base.Up(); Delete.Table("Order"); }'
    graph = graph_of(migration(body, base="StepBase", StepBase=BASE))

    assert {table for _, table, _ in graph.changes()} == {ORDER, LINE, "dbo.Unused|TABLE"}


@pytest.mark.parametrize(
    ("helper", "call", "change"),
    [
        (
            "void Flag(string table) { AddColumn(table, ColumnName, c => c.Int()); }",
            'Flag("dbo.Order");',
            ("add column", ORDER, "Flag"),
        ),
        (
            'void Flag(string table, string name = "Flag") { AddColumn("dbo." + table, name, c => c.Int()); }',
            'Flag(table: "Order");',
            ("add column", ORDER, "Flag"),
        ),
        (
            "void Flag(string column, string table) { Inner(table, column); }"
            " void Inner(string a, string b) { DropColumn(a, b); }",
            'Flag("Total", "Order");',
            ("drop column", ORDER, "Total"),
        ),
        (
            'void Flag(string table) { Sql($"ALTER TABLE dbo.[{table}] DROP COLUMN Total"); }',
            'Flag("Order");',
            ("drop column", ORDER, "Total"),
        ),
        (
            'void Flag() { DropTable("Other"); }\nvoid Flag(string table) { DropTable(table); }',
            'Flag("Order");',
            ("drop table", ORDER, ""),
        ),
    ],
)
def test_a_method_does_what_it_is_given(graph_of, helper, call, change):
    body = f'const string ColumnName = "Flag"; public override void Up() {{ {call} }} {helper}'

    assert graph_of(migration(body, base="DbMigration")).changes() == [change]


def test_a_method_that_is_given_what_nobody_knows_changes_nothing(graph_of):
    body = """
        public override void Up() { foreach (var name in Names()) { Drop(name); } }
        private void Drop(string table = "Order") { DropTable(table); }
    """

    assert graph_of(migration(body, base="DbMigration")).edges == ()


def test_what_is_done_is_replayed_in_the_order_in_which_methods_are_called(graph_of):
    body = """
        private void Rename(string table, string to) { RenameTable(table, to); }
        public override void Up()
        {
            Rename("Order", "Archive");
            CreateTable("Order", c => new { Id = c.Int() });
            Drop("Line");
            CreateTable("Line", c => new { Id = c.Int() });
        }
        private void Drop(string table) { DropTable(table); }
    """
    graph = graph_of(migration(body, base="DbMigration"))

    assert {fact.key for fact in graph.created} == {ORDER, LINE}


def test_a_method_that_is_handed_on_is_run(graph_of):
    body = (
        'public override void Up() { Execute.WithConnection(Fill); } void Fill(C c) { Delete.Table("Line"); }'
    )

    assert graph_of(migration(body)).changes() == [("drop table", LINE, "")]


def test_an_extension_of_the_builder_does_what_it_is_given(graph_of):
    extensions = """
        static class Extensions
        {
            public static void Forget(this MigrationBuilder b, string name) { b.DropTable(name); }
            public static void Forget(this Cache cache, string name) { cache.DropTable("Cache"); }
        }
    """
    body = 'protected override void Up(MigrationBuilder b) { b.Forget("Order"); b.Forget(name: "Line"); }'

    assert {table for _, table, _ in graph_of(migration(body, Extensions=extensions)).changes()} == {
        ORDER,
        LINE,
    }


def test_an_extension_within_a_sentence_stands_for_its_links(graph_of):
    extensions = """
        static class Extensions
        {
            public static ISyntax TableWithId(this ICreateExpressionRoot root, string name)
            {
                return root.Table(name).WithColumn("Id").AsInt32();
            }
        }
    """
    body = 'public override void Up() { Create.TableWithId("Order").WithColumn("Total").AsInt32(); }'
    [fact] = graph_of(migration(body, Extensions=extensions)).created

    assert (fact.key, fact.columns) == (ORDER, ("Id", "Total"))


def test_texts_of_methods_that_call_themselves_do_not_grow_for_ever(facts_of):
    calls = " ".join(f'A($"{{s}}{{s}}{number}");' for number in range(3))
    body = f"""
        public override void Up() {{ A("{"x" * 40}"); }}
        void A(string s) {{ {calls} Execute.Sql($"UPDATE dbo.Log SET a = '{{s}}'"); }}
    """
    [found] = read_migrations(Catalog(facts_of(migration(body))))

    assert 0 < max(map(len, found.texts)) < 4_000


def test_a_long_text_is_handed_on_as_it_is(graph_of):
    long = f"{'-' * 3_000}\\nDELETE FROM dbo.Log"
    body = f"""
        public override void Up() {{ Run("{long}"); }}
        void Run(string sql) {{ Inner(sql); }}
        void Inner(string sql) {{ Execute.Sql(sql); }}
    """

    assert {edge.to_key for edge in graph_of(migration(body)).edges} == {"dbo.Log|TABLE"}


def test_an_up_that_many_migrations_inherit_is_read_once(facts_of, monkeypatch):
    read: list[str] = []

    def counted(text, *, path, line):
        read.append(text)
        return read_script(text, path=path, line=line)

    monkeypatch.setattr(reading, "read_script", counted)
    base = (
        'abstract class StepBase : DbMigration { public override void Up() { Sql("DELETE FROM dbo.Log"); } }'
    )
    heirs = " ".join(f"class Heir{at} : StepBase {{ }}" for at in range(5))
    found = read_migrations(Catalog(facts_of({"Shop/All.cs": f"namespace Shop; {base} {heirs}"})))

    writing = {one.key for one in found for step in one.steps if step.references}
    assert {f"csharp:Shop.Heir{at}|MIGRATION" for at in range(5)} <= writing
    assert read == ["DELETE FROM dbo.Log"]
