"""Several contexts keep one entity, each in a table of its own."""

from __future__ import annotations

import pytest

from ragduck.graph.entities.contexts import ContextTables
from ragduck.graph.entities.declarations import EntityDeclarations
from ragduck.graph.types.catalog import Catalog
from tests.graph.conftest import calls_made

SHARED = """
    namespace Shared;
    public class Message { public int Id { get; set; } public string Text { get; set; } }
"""
TABLES = """
    create table sales.Messages (Id int);
    go
    create table stock.Messages (Id int);
    go
    create table dbo.Archive (Id int);
"""


def context(name: str, configuration: str, *, more: str = "") -> str:
    """Return a context that holds messages, and code that uses it."""
    return f"""
        using Shared;
        namespace {name};
        public class {name}Context : DbContext
        {{
            public DbSet<Message> Messages {{ get; set; }}
            protected override void OnModelCreating(ModelBuilder modelBuilder) {{ {configuration} }}
        }}
        public class {name}Desk
        {{
            private readonly {name}Context _db;
            public void Add(Message message) {{ _db.Messages.Add(message); _db.SaveChanges(); }}
            public void AddToContext(Message message) {{ _db.Add(message); }}
            public int Count() => _db.Set<Message>().Count();
            public Message Find(int id) => _db.Find<Message>(id);
            public void Attach(Message message) {{ _db.Entry(message).State = EntityState.Modified; }}
            public void Change(int id)
            {{
                _db.Messages.First(one => one.Id == id).Text = "";
                _db.SaveChanges();
            }}
        }}
        {more}
    """


def configured(name: str, schema: str) -> str:
    return f"""
        class {name}Configuration : IEntityTypeConfiguration<Message>
        {{
            public void Configure(EntityTypeBuilder<Message> builder) {{ builder.ToTable("Messages", "{schema}"); }}
        }}
    """


BY_ASSEMBLY = "modelBuilder.ApplyConfigurationsFromAssembly(GetType().Assembly);"
INLINE = 'modelBuilder.Entity<Message>().ToTable("Messages", "{0}");'
APPLIED = "modelBuilder.ApplyConfiguration(new {0}Configuration());"


@pytest.mark.parametrize(
    "files",
    [
        {
            "Sales/A.cs": context("Sales", INLINE.format("sales")),
            "Stock/A.cs": context("Stock", INLINE.format("stock")),
        },
        {
            "Sales/A.cs": context("Sales", BY_ASSEMBLY, more=configured("Sales", "sales")),
            "Stock/A.cs": context("Stock", BY_ASSEMBLY, more=configured("Stock", "stock")),
        },
        {
            "Shop/A.cs": context("Sales", APPLIED.format("Sales"), more=configured("Sales", "sales")),
            "Shop/B.cs": context("Stock", APPLIED.format("Stock"), more=configured("Stock", "stock")),
        },
        {
            "Sales/A.cs": context("Sales", 'modelBuilder.HasDefaultSchema("sales");'),
            "Stock/A.cs": context("Stock", 'modelBuilder.HasDefaultSchema("stock");'),
        },
    ],
    ids=["in the context", "by project", "one by one", "by default schemas"],
)
def test_what_goes_through_a_context_uses_the_table_of_that_context(graph_of, files):
    graph = graph_of({"Shared/Message.cs": SHARED, "Database/Tables.sql": TABLES, **files})

    found = {
        (edge.from_key.rpartition(".")[2].removesuffix("|METHOD"), edge.relation, edge.to_key, name)
        for edge in graph.edges
        for name in ("Sales", "Stock")
        if edge.relation in ("ReadsFrom", "WritesTo") and f"{name}Desk." in edge.from_key
    }

    assert found == {
        (member, relation, f"{name.lower()}.Messages|TABLE", name)
        for name in ("Sales", "Stock")
        for member, relation in (
            ("Add", "WritesTo"),
            ("AddToContext", "WritesTo"),
            ("Count", "ReadsFrom"),
            ("Find", "ReadsFrom"),
            ("Attach", "WritesTo"),
            ("Change", "ReadsFrom"),
            ("Change", "WritesTo"),
        )
    }


def test_an_entity_maps_to_the_table_of_each_context(graph_of):
    graph = graph_of(
        {
            "Shared/Message.cs": SHARED,
            "Database/Tables.sql": TABLES,
            "Sales/A.cs": context("Sales", INLINE.format("sales")),
            "Stock/A.cs": context("Stock", INLINE.format("stock")),
        }
    )

    assert {
        (edge.to_key, edge.source_file)
        for edge in graph.edges
        if edge.relation == "MapsTo" and edge.rule == "ToTable"
    } == {("sales.Messages|TABLE", "Sales/A.cs"), ("stock.Messages|TABLE", "Stock/A.cs")}


def written_by_desk(graph, name: str) -> set[str]:
    """Return the tables that the desk of a context adds messages to."""
    return {
        edge.to_key
        for edge in graph.edges
        if edge.relation == "WritesTo" and edge.from_key.endswith(f"{name}Desk.Add|METHOD")
    }


def test_of_configurations_that_one_project_applies_at_once_the_first_counts(graph_of):
    files = {
        "Shop/A.cs": context("Sales", BY_ASSEMBLY, more=configured("Sales", "sales")),
        "Shop/B.cs": context("Stock", BY_ASSEMBLY, more=configured("Stock", "stock")),
    }

    graph = graph_of({"Shared/Message.cs": SHARED, "Database/Tables.sql": TABLES, **files})

    assert written_by_desk(graph, "Sales") == written_by_desk(graph, "Stock") == {"sales.Messages|TABLE"}


def test_an_interface_of_a_context_stands_for_it(graph_of):
    desk = """
        using Shared;
        public interface IStock { DbSet<Message> Messages { get; } }
        public class StockContext : DbContext, IStock
        {
            public DbSet<Message> Messages { get; set; }
            protected override void OnModelCreating(ModelBuilder modelBuilder)
            {
                modelBuilder.Entity<Message>().ToTable("Messages", "stock");
            }
        }
        public class StockDesk
        {
            private readonly IStock _stock;
            public void Add(Message message) { _stock.Messages.Add(message); }
        }
    """
    files = {"Sales/A.cs": context("Sales", INLINE.format("sales")), "Stock/A.cs": desk}

    graph = graph_of({"Shared/Message.cs": SHARED, "Database/Tables.sql": TABLES, **files})

    assert written_by_desk(graph, "Stock") == {"stock.Messages|TABLE"}


def test_a_shared_configuration_leaves_the_schema_to_each_context(graph_of):
    shared = """
        class MessageConfiguration : IEntityTypeConfiguration<Message>
        {
            public void Configure(EntityTypeBuilder<Message> builder) { builder.ToTable("Messages"); }
        }
    """
    files = {
        f"{name}/A.cs": context(
            name,
            f'modelBuilder.HasDefaultSchema("{name.lower()}");'
            "modelBuilder.ApplyConfigurationsFromAssembly(typeof(Message).Assembly);",
        )
        for name in ("Sales", "Stock")
    }

    graph = graph_of({"Shared/Message.cs": SHARED + shared, "Database/Tables.sql": TABLES, **files})

    assert written_by_desk(graph, "Sales") == {"sales.Messages|TABLE"}
    assert written_by_desk(graph, "Stock") == {"stock.Messages|TABLE"}


@pytest.mark.parametrize("said", [INLINE, APPLIED], ids=["in the context", "one by one"])
def test_many_contexts_of_one_entity_take_a_time_that_grows_with_their_number(facts_of, said):
    def steps(count: int) -> int:
        code = [
            context(f"C{one}", said.format(f"C{one}"), more=configured(f"C{one}", f"s{one}"))
            for one in range(count)
        ]
        files = {f"P/C{one}.cs": text for one, text in enumerate(code)}
        catalog = Catalog(facts_of({"Shared/Message.cs": SHARED, **files}))
        declarations = EntityDeclarations(catalog)
        return calls_made(lambda: list(ContextTables(catalog, declarations).told()))

    assert steps(100) < 3 * steps(50)
