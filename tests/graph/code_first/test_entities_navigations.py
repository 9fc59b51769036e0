"""Who reads and writes tables through navigations: chains in queries, collections that are added to."""

from __future__ import annotations

import pytest

MODEL = """
    namespace Shop;

    [Table("Order")]
    public class Order
    {
        private readonly List<Note> _notes = new();
        private readonly List<Line> _open = new();
        public int Total { get; set; }
        public Customer Customer { get; set; }
        public ICollection<Line> Lines { get; set; }
        public ICollection<Tag> Tags { get; set; }
        public IReadOnlyCollection<Note> Notes => _notes;
        [NotMapped] public List<Line> Chosen { get; set; }
        public void Write(Note note) { _notes.Add(note); }
        public void Open(Line line) { _open.Add(line); }
        public void Empty() { Lines.Clear(); }
    }

    [Table("Customer")]
    public class Customer
    {
        public int Id { get; set; }
        public string Name { get; set; }
        public Region Region { get; set; }
    }

    [Table("Region")] public class Region { public string Name { get; set; } }
    [Table("Line")] public class Line { public int OrderId { get; set; } public Product Product { get; set; } }
    [Table("Product")] public class Product { public int Price { get; set; } }
    [Table("Note")] public class Note { }
    [Table("Tag")] public class Tag { public ICollection<Order> Orders { get; set; } }

    public class OrderModel { public Customer Customer { get; set; } public List<Line> Lines { get; set; } }

    public class ShopContext : DbContext { public DbSet<Order> Orders { get; set; } }

    public interface IStore<T>
    {
        IQueryable<T> Table { get; }
        List<T> All();
        T One(Expression<Func<T, bool>> condition);
        T Other(Func<T, bool> condition);
        void Update(T entity);
    }
"""
METHOD = "Shop.Service.Run|METHOD"
TAGS = 'builder.HasMany(o => o.Tags).WithMany(t => t.Orders).UsingEntity("Order_Tag");'


def service(body: str, *, configured: str = TAGS, path: str = "Shop/Service.cs") -> dict[str, str]:
    return {
        "Shop/Model.cs": MODEL,
        "Shop/Map.cs": f"""
            namespace Shop;
            public class OrderMap : IEntityTypeConfiguration<Order>
            {{
                public void Configure(EntityTypeBuilder<Order> builder) {{ {configured} }}
            }}
        """,
        path: f"""
            namespace Shop;
            public class Service
            {{
                private readonly ShopContext _db;
                private readonly IStore<Order> _store;
                private readonly IStore<Line> _lines;
                public void Run(Order order, List<Order> orders, OrderModel model, Line line, Tag tag, string name)
                {{
                    {body}
                }}
            }}
        """,
    }


def tables(graph, relation: str, *, rule: str = "navigation") -> set[str]:
    found = graph.pairs(relation, rule=rule)
    return {table.removeprefix("dbo.").removesuffix("|TABLE") for source, table in found if source == METHOD}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("_db.Orders.Where(o => o.Lines.Any()).ToList();", {"Line"}),
        ("_db.Orders.Select(o => o.Customer.Name).ToList();", {"Customer"}),
        ("_db.Orders.OrderBy(o => o.Customer.Region.Name).First();", {"Customer", "Region"}),
        ("_db.Orders.Where(o => o.Customer.Name.Contains(name)).Count();", {"Customer"}),
        ("_db.Orders.Select(o => new OrderModel { Customer = o.Customer }).ToList();", {"Customer"}),
        ("_db.Orders.Sum(o => o.Lines.Sum(l => l.Product.Price));", {"Line", "Product"}),
        ("_db.Orders.Select(o => o.Lines.First().Product.Price).ToList();", {"Line", "Product"}),
        ("_db.Orders.SelectMany(o => o.Lines).Where(l => l.Product.Price > 0).ToList();", {"Line", "Product"}),
        ("_db.Orders.GroupBy(o => o.Customer.Name).Select(g => g.Key).ToList();", {"Customer"}),
        ("_db.Orders.GroupBy(o => o.Total).Select(g => g.First().Customer.Name).ToList();", {"Customer"}),
        ("var q = from o in _db.Orders from l in o.Lines select l.Product.Price;", {"Line", "Product"}),
        ("var q = from o in _db.Orders where o.Customer.Name == name select o;", {"Customer"}),
        ("var q = from o in _db.Set<Order>() from l in o.Lines.Where(l => l.Product.Price > 0) select o;",
         {"Line", "Product"}),
        ("var q = _store.Table; if (name != null) q = q.Where(o => o.Lines.Any()); Show(q.ToList());", {"Line"}),
        ("var q = _store.Table; q = from o in q from l in o.Lines select o;", {"Line"}),
        ("_store.One(o => o.Customer.Name == name);", {"Customer"}),
        ("_db.Orders.Where(o => o.Tags.Any()).ToList();", {"Order_Tag", "Tag"}),
    ],
)  # fmt: skip
def test_navigations_in_queries_read_the_tables_that_they_lead_to(graph_of, body, expected):
    assert tables(graph_of(service(body)), "ReadsFrom") == expected


@pytest.mark.parametrize(
    "body",
    [
        "orders.Where(o => o.Customer.Name == name).ToList();",
        "_db.Orders.ToList().Where(o => o.Customer.Name == name).Count();",
        "var l = (from o in _db.Orders from l in o.Chosen select l).ToList(); Show(l.Select(x => x.Product.Price));",
        "var loaded = _db.Orders.AsEnumerable(); Show(loaded.Select(o => o.Customer.Name));",
        "_store.All().Where(o => o.Customer.Name == name).Count();",
        "_store.Other(o => o.Customer.Name == name);",
        "Show(order.Customer.Name);",
        "new[] { model }.AsQueryable().Where(m => m.Customer.Name == name).ToList();",
        "_db.Orders.Where(o => o.Customer.Id == order.Total).ToList();",
        "_db.Orders.Select(o => o.Chosen.Count).ToList();",
        "_db.Orders.Include(o => o.Lines).ToList();",
    ],
)
def test_what_is_no_query_or_needs_no_other_table_reads_none(graph_of, body):
    assert tables(graph_of(service(body)), "ReadsFrom") == set()


def test_a_double_of_a_repository_in_a_test_reads_nothing(graph_of):
    body = "_store.Table.Where(o => o.Lines.Any()).ToList(); _db.Orders.Where(o => o.Customer.Name == name).ToList();"
    files = service(body, path="Shop.Tests/ServiceTests.cs")

    assert tables(graph_of(files), "ReadsFrom") == {"Customer"}


def test_a_navigation_in_a_query_is_nearly_as_sure_as_the_set(graph_of):
    edge = graph_of(service("_db.Orders.Where(o => o.Lines.Any()).ToList();")).only(
        "ReadsFrom", rule="navigation"
    )

    assert (edge.to_key, edge.source_file, edge.confidence) == ("dbo.Line|TABLE", "Shop/Service.cs", 0.9)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("order.Lines.Add(new Line());", {"Line"}),
        ("order.Lines.Remove(line);", {"Line"}),
        ("order.Lines.Clear();", {"Line"}),
        ("foreach (var o in _db.Orders) { o.Lines.Add(line); }", {"Line"}),
        ("_db.Orders.First().Lines.Add(line);", {"Line"}),
        ("order.Tags.Add(tag);", {"Order_Tag"}),
        ("order.Tags.Add(new Tag());", {"Order_Tag", "Tag"}),
        ("tag.Orders.Remove(order);", {"Order_Tag"}),
    ],
)
def test_collections_of_entities_are_rows_of_tables(graph_of, body, expected):
    assert tables(graph_of(service(body)), "WritesTo") == expected


@pytest.mark.parametrize(
    "body",
    [
        "model.Lines.Add(line);",
        "order.Chosen.Add(line);",
        "order.Lines.Count();",
        "order.Lines.ToList().Add(line);",
        "order.Lines.AsReadOnly();",
        "order.Lines.AddRange(connection.Query<Line>(name));",
        "connection.Query<Order, Line, Order>(name, (o, l) => { o.Lines.Add(l); return o; });",
        "using var rows = command.ExecuteReader(); while (rows.Read()) { order.Lines.Add(new Line()); }",
    ],
)
def test_other_collections_are_not(graph_of, body):
    assert tables(graph_of(service(body)), "WritesTo") == set()


@pytest.mark.parametrize(
    ("body", "confidence"),
    [
        ("order.Lines.Add(line);", 0.6),
        ("order.Lines.Add(line); orders.Add(order);", 0.6),
        ("order.Lines.Add(line); _lines.Update(line);", 0.6),
        ("order.Lines.Add(line); _db.SaveChanges();", 0.8),
        ("order.Lines.Add(line); _store.Update(order);", 0.8),
        ("order.Lines.Add(line); _db.Orders.Add(order);", 0.8),
    ],
)
def test_a_collection_is_less_sure_where_its_entity_is_not_seen_to_be_saved(graph_of, body, confidence):
    edges = graph_of(service(body)).edges
    found = [edge for edge in edges if (edge.rule, edge.from_key) == ("navigation", f"csharp:{METHOD}")]

    assert [(edge.to_key, edge.confidence) for edge in found] == [("dbo.Line|TABLE", confidence)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("_db.Add(new Order { Lines = Read(name) });", {"Line"}),
        ("var o = new Order { Tags = { tag } }; _db.Orders.Add(o);", {"Order_Tag"}),
        ("order.Lines = Read(name); _store.Update(order);", {"Line"}),
        ("order.Lines = Read(name);", set()),
        ("var o = new Order { Lines = Read(name) };", set()),
        ("model.Lines = Read(name); _store.Update(order);", set()),
    ],
)
def test_a_collection_that_is_set_is_written_where_its_entity_is_saved(graph_of, body, expected):
    assert tables(graph_of(service(body)), "WritesTo") == expected


@pytest.mark.parametrize(
    ("ending", "expected"),
    [
        ("", set()),
        ("_store.Update(order);", set()),
        ("mock.Verify(m => m.SaveChanges());", set()),
        ("_double.SaveChanges();", set()),
        ("_db.SaveChanges();", {"Line"}),
    ],
)
def test_in_tests_only_what_a_context_saves_is_written(graph_of, ending, expected):
    files = service(f"order.Lines.Add(line); {ending}", path="Shop.Tests/ServiceTests.cs")
    files["Shop/Unit.cs"] = "namespace Shop; public interface IUnit { int SaveChanges(); }"
    files["Shop.Tests/ServiceTests.cs"] = files["Shop.Tests/ServiceTests.cs"].replace(
        "private readonly ShopContext _db;",
        "private readonly ShopContext _db; private readonly IUnit _double;",
    )

    assert tables(graph_of(files), "WritesTo") == expected


def test_an_entity_changes_its_own_collections_and_the_fields_behind_them(graph_of):
    assert graph_of(service("")).pairs("WritesTo") == {
        ("Shop.Order.Write|METHOD", "dbo.Note|TABLE"),
        ("Shop.Order.Empty|METHOD", "dbo.Line|TABLE"),
    }


@pytest.mark.parametrize(
    ("configured", "code", "expected"),
    [
        (
            'builder.HasMany(o => o.Tags).WithMany(t => t.Orders).Map(m => m.ToTable("sales.Tags"));',
            "",
            {"sales.Tags"},
        ),
        ('builder.HasMany(o => o.Tags).WithMany().Map(m => m.ToTable("Tags"));', "", {"Tags"}),
        ('builder.HasMany("Tags").WithMany("Orders").UsingEntity(j => j.ToTable("Tags"));', "", {"Tags"}),
        (
            "builder.HasMany(o => o.Tags).WithMany(t => t.Orders).UsingEntity<Tagging>();",
            '[Table("Tagging")] public class Tagging { }',
            {"Tagging"},
        ),
        (
            'builder.HasMany(o => o.Tags).WithMany(t => t.Orders).UsingEntity<Dictionary<string, object>>("Tags");',
            "",
            {"Tags"},
        ),
        ("", "", set()),
    ],
)
def test_many_to_many_relations_have_a_table_of_their_own(graph_of, configured, code, expected):
    files = service("order.Tags.Add(tag);", configured=configured)
    files["Shop/More.cs"] = f"namespace Shop;\n{code}"

    assert tables(graph_of(files), "WritesTo") == expected


@pytest.mark.parametrize("column", ["", "public string OrderId { get; set; }"])
@pytest.mark.parametrize("body", ["order.Tags.Remove(tag);", "tag.Orders.Remove(order);"])
def test_by_convention_that_table_is_called_like_both_entities(graph_of, body, column):
    files = service(body, configured="")
    files["Shop/Model.cs"] = MODEL.replace("public class Tag {", f"public class Tag {{ {column}")
    files["Database/OrderTag.sql"] = "CREATE TABLE dbo.OrderTag (OrderId INT, TagId INT);"

    assert tables(graph_of(files), "WritesTo") == {"OrderTag"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("_db.Orders.Include(o => o.Tags).ToList();", {"Tag", "Order_Tag"}),
        ('_db.Orders.Include("Tags").ToList();', {"Tag", "Order_Tag"}),
        (
            "_db.Orders.Include(o => o.Tags).ThenInclude(t => t.Orders).ToList();",
            {"Tag", "Order_Tag", "Order"},
        ),
        ("_db.Orders.Include(o => o.Tags.Select(t => t.Orders)).ToList();", {"Tag", "Order_Tag", "Order"}),
        ("_db.Entry(order).Collection(o => o.Tags).Load();", {"Tag", "Order_Tag"}),
        ("_db.Orders.Include(o => o.Lines).ToList();", {"Line"}),
    ],
)
def test_what_is_included_by_many_to_many_relations_is_in_two_tables(graph_of, body, expected):
    assert tables(graph_of(service(body)), "ReadsFrom", rule="Include") == expected


def test_a_collection_that_has_a_key_is_not_many_to_many(graph_of):
    files = service("order.Tags.Remove(tag);", configured="")
    files["Shop/Model.cs"] = MODEL.replace(
        "public class Tag {", "public class Tag { public int OrderId { get; set; }"
    )

    assert tables(graph_of(files), "WritesTo") == {"Tag"}


LAZY = MODEL.replace("public ICollection<Line>", "public virtual ICollection<Line>")
LAZY_REFERENCES = MODEL.replace("public Customer C", "public virtual Customer C", 1).replace(
    "public Region R", "public virtual Region R"
)
OF_SIX = "using System.Data.Entity;\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("foreach (var l in order.Lines) { Show(l); }", {"Line"}),
        ("Show(_store.One(o => o.Total > 0).Lines.Count());", {"Line"}),
        ("Show(orders.Where(o => o.Lines.Any()).Sum(o => o.Total));", {"Line"}),
        ("Show(_db.Orders.ToList().Select(o => o.Lines.Count));", {"Line"}),
        ("var o = new Order(); Show(o.Lines.Count());", set()),
        ("builder.HasMany(o => o.Lines).WithOne();", set()),
        ("Show(order.Tags.Count());", set()),
        ("Show(order.Customer.Name);", set()),
        ("order.Lines.Add(line);", set()),
        ("_db.Orders.Include(o => o.Lines).ToList();", set()),
    ],
)
def test_a_collection_that_is_loaded_lazily_is_read_where_somebody_looks_at_it(graph_of, body, expected):
    files = service(f"EntityTypeBuilder<Order> builder = Make(); {body}")
    files["Shop/Model.cs"] = OF_SIX + LAZY

    assert tables(graph_of(files), "ReadsFrom", rule="lazy loading") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Show(order.Customer.Name);", {"Customer"}),
        ("Show(order.Customer.Id);", {"Customer"}),
        ("var c = order.Customer; Show(c.Region.Name);", {"Customer", "Region"}),
        ("if (order.Customer == null) { return; }", {"Customer"}),
        ("Show(orders.Select(o => o.Customer.Name));", {"Customer"}),
        ("order.Customer = null;", set()),
        ("Show(model.Customer.Name);", set()),
        ("Show(line.Product.Price);", set()),
        ("var o = new Order(); Show(o.Customer.Name);", set()),
        ("builder.HasOne(o => o.Customer).WithMany();", set()),
        ("_db.Orders.Include(o => o.Customer).ToList();", set()),
        ("_db.Orders.Select(o => o.Customer.Id).ToList();", set()),
    ],
)
def test_a_reference_that_is_loaded_lazily_is_read_where_somebody_looks_at_it(graph_of, body, expected):
    files = service(f"EntityTypeBuilder<Order> builder = Make(); {body}")
    files["Shop/Model.cs"] = OF_SIX + LAZY_REFERENCES

    assert tables(graph_of(files), "ReadsFrom", rule="lazy loading") == expected


@pytest.mark.parametrize(
    ("model", "code", "expected"),
    [
        (LAZY, "", set()),
        (LAZY, "options.UseLazyLoadingProxies();", {"Line"}),
        (OF_SIX + LAZY, "", {"Line"}),
        (OF_SIX + LAZY.replace("Orders { get; set; } }", "Orders { get; set; } {0} }"), "", set()),
        (MODEL, "options.UseLazyLoadingProxies();", set()),
    ],
)
def test_lazy_loading_is_told_by_the_framework_and_what_switches_it(graph_of, model, code, expected):
    off = "public ShopContext() { Configuration.LazyLoadingEnabled = false; }"
    files = service("Show(order.Lines.Count());", configured=code)
    files["Shop/Model.cs"] = model.replace("{0}", off)

    assert tables(graph_of(files), "ReadsFrom", rule="lazy loading") == expected


def test_a_property_that_loads_itself_needs_no_proxy(graph_of):
    loads = "get => _{0} ?? LazyLoader.Load(this, ref _{0}); set => _{0} = value;"
    files = service("Show(order.Lines.Count()); Show(order.Customer.Name); Show(order.Customer.Region);")
    files["Shop/Model.cs"] = MODEL.replace(
        "Lines { get; set; }", f"Lines {{ {loads.format('lines')} }}", 1
    ).replace("Customer { get; set; }", f"Customer {{ {loads.format('customer')} }}", 1)

    assert tables(graph_of(files), "ReadsFrom", rule="lazy loading") == {"Line", "Customer"}


def test_tests_load_nothing_lazily(graph_of):
    files = service("Show(order.Lines.Count());", path="Shop.Tests/ServiceTests.cs")
    files["Shop/Model.cs"] = OF_SIX + LAZY

    assert graph_of(files).pairs("ReadsFrom", rule="lazy loading") == set()
