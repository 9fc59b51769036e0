"""Who reads and writes tables through sets: queries, Add and Remove, Include, saved changes."""

from __future__ import annotations

import pytest

MODEL = """
    namespace Shop;

    [Table("Order")]
    public class Order
    {
        public int Total { get; set; }
        public Customer Customer { get; set; }
        public List<Line> Lines { get; set; }
        public void Cancel() { Total = 0; }
        public int Count() { return Total; }
    }

    [Table("Customer")] public class Customer { public string Name { get; set; } }

    [Table("Line")] public class Line { public Product Product { get; set; } }

    [Table("Product")] public class Product { public List<Part> Parts { get; set; } }

    [Table("Part")] public class Part { public Customer Maker { get; set; } }

    public class ShopContext : DbContext
    {
        public DbSet<Order> Orders { get; set; }
        public DbSet<Customer> Customers => Set<Customer>();
    }
"""
METHOD = "Shop.Service.Run|METHOD"


def service(body: str, *, members: str = "") -> dict[str, str]:
    return {
        "Shop/Model.cs": MODEL,
        "Shop/Service.cs": f"""
            namespace Shop;
            public class Service
            {{
                private readonly ShopContext _db;
                {members}
                public async Task Run(Order order, List<Order> orders, int id, string name)
                {{
                    {body}
                }}
            }}
        """,
    }


def used(graph_of, body: str, **more: str) -> set[str]:
    """What the method does: `reads Order`, `writes Line`."""
    graph = graph_of(service(body, **more))
    return {
        f"{verb} {table.removeprefix('dbo.').removesuffix('|TABLE')}"
        for verb, relation in (("reads", "ReadsFrom"), ("writes", "WritesTo"))
        for source, table in graph.pairs(relation)
        if source == METHOD
    }


@pytest.mark.parametrize(
    "body",
    [
        "var found = _db.Orders.Where(o => o.Total > 0).OrderBy(o => o.Total).ToList();",
        "var found = await _db.Orders.FindAsync(id);",
        "var any = this._db.Orders.Any();",
        "foreach (var o in _db.Orders) { Show(o); }",
        "var found = await _db.FindAsync<Order>(id);",
        "var found = from o in _db.Orders where o.Total > 0 select o;",
        "var found = _db.Set<Order>().First();",
        "var found = from o in _db.Set<Order>() select o;",
        "IQueryable<Order> query = _db.Orders; query = query.Where(o => o.Total > 0); Show(query.ToList());",
        "Show(_db.Orders);",
        "var found = await _db.Orders.AsNoTracking().ToListAsync();",
        "var set = _db.Orders; Show(set.Count());",
        "using var db = new ShopContext(); var found = db.Orders.First();",
        "var found = provider.GetRequiredService<ShopContext>().Orders.First();",
    ],
)
def test_queries_read(graph_of, body):
    assert used(graph_of, body) == {"reads Order"}


@pytest.mark.parametrize(
    "body",
    [
        "_db.Orders.Add(order);",
        "await _db.Orders.AddAsync(order);",
        "_db.Orders.AddRange(orders);",
        "_db.Orders.Update(order);",
        "_db.Orders.Remove(order);",
        "_db.Orders.Attach(order);",
        "_db.Set<Order>().Add(order);",
        "var set = _db.Set<Order>(); set.Add(order);",
        "var set = _db.Orders; set.Remove(order);",
        "_db.Orders.Where(o => o.Total > 0).ExecuteDelete();",
        "await _db.Orders.ExecuteUpdateAsync(s => s.SetProperty(o => o.Total, 0));",
        "await _db.Orders.AsNoTracking().Where(o => o.Total > 0).ExecuteDeleteAsync(token);",
        "_db.Add(order);",
        "await _db.AddAsync(new Order());",
        "_db.RemoveRange(orders);",
        "_db.Update(mapper.Map<Order>(name));",
        "_db.Entry(order).State = EntityState.Modified;",
        "_db.Entry(order).CurrentValues.SetValues(name);",
        "await _db.BulkCopyAsync(options, orders);",
        "_db.AddRange(names.Select(n => new Order { Total = n.Length }).ToList());",
        "var made = names.Select(n => new Order { Customer = n.Customer }); await _db.AddRangeAsync(made);",
        "_db.BulkCopy(names.Select(mapper.Map<Order>));",
    ],
)
def test_operations_that_change_rows_write_and_do_not_read(graph_of, body):
    assert used(graph_of, body) == {"writes Order"}


def test_each_entity_that_a_context_is_given_is_written(graph_of):
    assert used(graph_of, "_db.AddRange(order, new Customer());") == {"writes Order", "writes Customer"}


@pytest.mark.parametrize(
    "body",
    [
        "await _db.SaveChangesAsync();",
        "orders.Add(order);",
        "order.Total = 3;",
        "var type = _db.Orders.GetType();",
        "var local = _db.Orders.Local;",
        "var set = orders.Where(o => o.Total > 0).ToList();",
        "_cache.Add(order);",
        "_db.Add(name);",
        "_db.AddRange(names.Select(n => Make(new Order(), new Customer())));",
        "_cache.Find<Order>(id);",
    ],
)
def test_what_touches_no_table_has_no_edge(graph_of, body):
    assert used(graph_of, body) == set()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("_db.Orders.Include(o => o.Lines).ToList();", {"Order", "Line"}),
        (
            "_db.Orders.Include(o => o.Lines).ThenInclude(l => l.Product).ToList();",
            {"Order", "Line", "Product"},
        ),
        (
            "_db.Orders.Where(o => o.Total > 0).Include(o => o.Lines).ThenInclude(l => l.Product)"
            ".Include(o => o.Customer).ToList();",
            {"Order", "Line", "Product", "Customer"},
        ),
        ('_db.Orders.Include("Lines.Product").ToList();', {"Order", "Line", "Product"}),
        ("_db.Orders.Include(o => o.Lines.Select(l => l.Product)).ToList();", {"Order", "Line", "Product"}),
        (
            "_db.Orders.Include(o => o.Lines.Select(l => l.Product.Parts.Select(p => p.Maker))).ToList();",
            {"Order", "Line", "Product", "Part", "Customer"},
        ),
        ("_db.Orders.Include(o => o.Lines).ToList().Select(o => o.Customer).ToList();", {"Order", "Line"}),
        ("_db.Orders.Include(nameof(Order.Customer)).ToList();", {"Order", "Customer"}),
        ("_db.Orders.Include(o => o.Nothing).ToList();", {"Order"}),
        ("await _db.Entry(order).Collection(o => o.Lines).LoadAsync();", {"Line"}),
    ],
)
def test_includes_read_the_tables_that_they_bring_in(graph_of, body, expected):
    assert used(graph_of, body) == {f"reads {table}" for table in expected}


@pytest.mark.parametrize(
    "body",
    [
        "var o = _db.Orders.First(); o.Total = 1; _db.SaveChanges();",
        "var o = await _db.Orders.FindAsync(id); o.Total += 1; await _db.SaveChangesAsync();",
        "foreach (var o in _db.Orders.ToList()) { o.Total = 0; } _db.SaveChanges();",
        "var o = _db.Orders.Where(x => x.Total > 0).Single(); o.Cancel(); _db.SaveChanges();",
    ],
)
def test_a_loaded_entity_that_is_changed_and_saved_is_written(graph_of, body):
    edge = graph_of(service(body)).only("WritesTo")

    assert (edge.to_key, edge.rule, edge.confidence) == ("dbo.Order|TABLE", "tracked entity", 0.6)


@pytest.mark.parametrize(
    "body",
    [
        "var o = _db.Orders.First(); o.Total = 1;",
        "var o = _db.Orders.First(); Show(o.Total); _db.SaveChanges();",
        "var o = _db.Orders.First(); Show(o.Count()); _db.SaveChanges();",
        "var o = _db.Orders.AsNoTracking().First(); o.Total = 1; _db.SaveChanges();",
        "var o = _db.Orders.Select(x => new Order { Total = x.Total }).First(); o.Total = 1; _db.SaveChanges();",
    ],
)
def test_an_entity_that_is_not_tracked_changed_and_saved_is_only_read(graph_of, body):
    assert used(graph_of, body) == {"reads Order"}


def test_the_evidence_is_the_line_of_the_call(graph_of):
    edge = graph_of(service("Show(id);\n                    _db.Orders.Add(order);")).only("WritesTo")

    assert (edge.source_file, edge.line, edge.rule, edge.confidence) == ("Shop/Service.cs", 9, "DbSet", 0.95)


def test_an_edge_is_no_more_sure_than_the_mapping(graph_of):
    files = service("var n = _db.Orders.Count();")
    files["Shop/Model.cs"] = MODEL.replace('[Table("Order")]', "")

    assert graph_of(files).only("ReadsFrom").confidence == 0.8


def test_a_context_of_unknown_type_is_recognised_by_the_only_set_of_that_name(graph_of):
    edge = graph_of(service("var n = factory.Make().Context.Orders.Count();")).only("ReadsFrom")

    assert (edge.to_key, edge.confidence) == ("dbo.Order|TABLE", 0.6)


def test_a_list_that_has_the_name_of_a_set_is_not_read(graph_of):
    assert used(graph_of, "var n = Find(name).Orders.Count();") == set()


def test_a_class_of_the_domain_stands_for_the_entity_that_is_derived_from_it(graph_of):
    files = service("_db.BulkCopy(new List<Domain.Invoice>());")
    files["Shop/Invoice.cs"] = """
        namespace Domain { public class Invoice { } }
        namespace Shop { [Table("Invoice")] public class Invoice : Domain.Invoice { } }
    """
    edge = graph_of(files).only("WritesTo")

    assert (edge.to_key, edge.confidence) == ("dbo.Invoice|TABLE", 0.6)


def test_a_set_that_a_constructor_keeps_is_not_read_there(graph_of):
    members = "private DbSet<Order> _orders; public Service(ShopContext db) { _orders = db.Set<Order>(); }"
    graph = graph_of(service("_orders.Add(order);", members=members))

    assert graph.pairs("ReadsFrom") == set()
    assert graph.pairs("WritesTo") == {(METHOD, "dbo.Order|TABLE")}


@pytest.mark.parametrize(
    "body",
    [
        "var set = _db.Set<Order>(); set.Add(order);",
        "DbSet<Order> set = _db.Set<Order>(); set.Add(order);",
        "DbSet<Order> set; set = _db.Set<Order>(); set.Add(order);",
        "var set = order == null ? _db.Set<Order>() : _db.Set<Order>(); set.Add(order);",
    ],
)
def test_a_set_that_a_local_keeps_is_read_by_what_is_done_with_it(graph_of, body):
    assert used(graph_of, body) == {"writes Order"}


def test_a_set_is_handed_out_beside_methods_that_change_it(graph_of):
    files = service(
        "_db.Set<Order>().Add(order); _db.Set<Customer>().Add(null);",
        members="""
            IQueryable<Order> All() { return _db.Set<Order>(); }
            List<Customer> Named() { return (from c in _db.Set<Customer>() where c.Name != "" select c).ToList(); }
        """,
    )

    assert graph_of(files).pairs("ReadsFrom") == {
        ("Shop.Service.All|METHOD", "dbo.Order|TABLE"),
        ("Shop.Service.Named|METHOD", "dbo.Customer|TABLE"),
    }


def test_top_level_statements_and_properties_are_readers_too(graph_of):
    files = service("", members="public int Open => _db.Orders.Count();")
    files["Shop/Program.cs"] = (
        "using Shop;\nvar db = new ShopContext();\nConsole.WriteLine(db.Orders.Count());\n"
    )

    assert {source for source, _ in graph_of(files).pairs("ReadsFrom")} == {
        "Shop.Service.Open|PROPERTY",
        "file:Shop/Program.cs|FILE",
    }


@pytest.mark.parametrize(
    "body",
    ["_db.GetTable<Order>().Insert(order);", "_db.GetTable<Order>().Where(o => o.Total > 0).Delete();"],
)
def test_linq2db_and_linq_to_sql_write_through_tables(graph_of, body):
    assert used(graph_of, body) == {"writes Order"}


def test_a_broken_body_costs_only_its_own_edges(graph_of):
    files = service("_db.Orders.Add(order);")
    files["Shop/Broken.cs"] = "namespace Shop;\npublic class Broken { void F( { _db.Orders.Where(((( ; } }"

    assert (METHOD, "dbo.Order|TABLE") in graph_of(files).pairs("WritesTo")


def test_a_chain_of_hundreds_of_calls_is_read(graph_of):
    body = "var q = _db.Orders" + ".Where(o => o.Total > 0)" * 300 + ".ToList();"

    assert used(graph_of, body) == {"reads Order"}


def test_a_factory_makes_the_context_that_it_is_of(graph_of):
    graph = graph_of(
        {
            "Shop/Shop.cs": """
                namespace Shop;
                public class Order { public int Id { get; set; } }
                public class ShopContext : DbContext { public DbSet<Order> Orders { get; set; } }
                class Page(IDbContextFactory<ShopContext> factory)
                {
                    void Read() { using var db = factory.CreateDbContext(); db.Orders.ToList(); }
                    async Task Drop()
                    {
                        await using var db = await factory.CreateDbContextAsync();
                        db.Remove(new Order());
                    }
                }
            """
        }
    )

    assert graph.pairs("ReadsFrom") == {("Shop.Page.Read|METHOD", "dbo.Orders|TABLE")}
    assert graph.pairs("WritesTo") == {("Shop.Page.Drop|METHOD", "dbo.Orders|TABLE")}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ('_db.Orders.FromSqlRaw("EXEC dbo.Order_Read {0}", id).ToList();', set()),
        ('_db.Orders.FromSql($"execute dbo.Order_Read {id}").ToList();', set()),
        ('_db.Orders.FromSqlRaw("SELECT * FROM dbo.vOrder").ToList();', {"reads Order"}),
        ('_db.Set<Order>().FromSqlRaw("EXEC dbo.Order_Read").ToList();', set()),
    ],
)
def test_a_set_that_a_procedure_fills_is_not_read(graph_of, query, found):
    assert used(graph_of, query) == found
