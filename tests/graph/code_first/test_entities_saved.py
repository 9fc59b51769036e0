"""Entities that are changed and saved, whoever loaded them: repositories, own methods, callers."""

from __future__ import annotations

import pytest

MODEL = """
    namespace Shop;

    [Table("Order")]
    public class Order
    {
        public int Total { get; set; }
        public Customer Customer { get; set; }
        public event EventHandler Paid;
        public void Cancel() { Total = 0; }
    }
    [Table("Customer")] public class Customer { public string Name { get; set; } }
    public class Draft { public int Total { get; set; } public Order Order { get; set; } }

    public class ShopContext : DbContext { public DbSet<Order> Orders { get; set; } }

    public interface IUnit { Task CommitAsync(CancellationToken token = default); void Save(Order order); }
    public class Unit : IUnit
    {
        private readonly ShopContext _db;
        public Task CommitAsync(CancellationToken token) { return _db.SaveChangesAsync(token); }
        public void Save(Order order) { _db.SaveChanges(); }
        public void Rebuild() { _db.SaveChanges(); }
        public void Complete() { Log(); }
    }

    public interface IStore<T> { IQueryable<T> Query(); void SaveChanges(); }
    public class Store<T> : IStore<T> where T : class
    {
        private readonly ShopContext _db;
        public IQueryable<T> Query() { return _db.Set<T>(); }
        public void SaveChanges() { _db.SaveChanges(); }
    }
"""
CLASS = """
    namespace Shop;
    public class Service
    {{
        private readonly ShopContext _db;
        private readonly IStore<Order> _orders;
        private readonly IUnit _unit;
        private readonly Unit _ownUnit;
        private Order Load(int id) {{ return _orders.Query().First(o => o.Id == id); }}
        private Task<List<Order>> LoadAll() {{ return Task.FromResult(new List<Order>()); }}
        private void Save() {{ _unit.CommitAsync(); }}
        {members}
        public async Task Run(Order order, List<Order> orders, Draft draft, int id)
        {{
            {body}
        }}
    }}
"""
METHOD = "Shop.Service.Run|METHOD"


def files(body: str, *, path: str = "Shop/Service.cs", members: str = "") -> dict[str, str]:
    return {"Shop/Model.cs": MODEL, path: CLASS.format(body=body, members=members)}


def written(graph, *, source: str = METHOD) -> set[tuple[str, str, float]]:
    """The tables that a method writes, by which rule and how surely."""
    return {
        (edge.to_key.removeprefix("dbo.").removesuffix("|TABLE"), edge.rule, edge.confidence)
        for edge in graph.edges
        if edge.relation == "WritesTo" and edge.from_key == f"csharp:{source}"
    }


@pytest.mark.parametrize(
    "body",
    [
        "var o = _orders.Query().FirstOrDefault(x => x.Id == id); o.Total = 1; _orders.SaveChanges();",
        "var o = await _orders.Query().FirstAsync(x => x.Id == id); o.Total = 1; await _db.SaveChangesAsync();",
        "foreach (var o in _orders.Query().Where(x => x.Total > 0)) { o.Total = 1; } _orders.SaveChanges();",
        "_orders.Query().ToList().ForEach(o => o.Total = 1); _orders.SaveChanges();",
        "var o = _orders.Query().First(); o.Cancel(); _orders.SaveChanges();",
        "var o = Load(id); o.Total = 1; _db.SaveChanges();",
        "var all = await LoadAll(); foreach (var o in all) o.Total = 1; _db.SaveChanges();",
        "Order o = Load(id); o.Total = 1; _db.SaveChanges();",
        "Order o = _db.Orders.First(); o.Total = 1; _db.SaveChanges();",
        "Order o = null; if (id > 0) o = Load(id); o.Total = 1; _db.SaveChanges();",
    ],
)
def test_what_repositories_and_own_methods_load_is_tracked(graph_of, body):
    assert written(graph_of(files(body))) == {("Order", "tracked entity", 0.6)}


@pytest.mark.parametrize(
    "body",
    [
        "order.Total = 3; await _db.SaveChangesAsync();",
        "order.Total++; _db.SaveChanges();",
        "order.Cancel(); _db.SaveChanges();",
        "foreach (var o in orders) { o.Total = 1; } _db.SaveChanges();",
        "foreach (Order o in orders) { o.Total = 1; } _db.SaveChanges();",
    ],
)
def test_what_a_caller_gives_may_be_tracked(graph_of, body):
    assert written(graph_of(files(body))) == {("Order", "tracked entity", 0.5)}


def test_an_entity_that_the_given_one_leads_to_is_changed(graph_of):
    assert written(graph_of(files('order.Customer.Name = ""; _db.SaveChanges();'))) == {
        ("Customer", "tracked entity", 0.5)
    }


@pytest.mark.parametrize(
    "save",
    [
        "await _unit.CommitAsync();",
        "await _ownUnit.CommitAsync(default);",
        "Save();",
    ],
)
def test_a_method_that_only_passes_it_on_saves_changes(graph_of, save):
    found = written(graph_of(files(f"var o = _db.Orders.First(); o.Total = 1; {save}")))

    assert found == {("Order", "tracked entity", 0.6)}


HELPERS = """
    private readonly IMapper _mapper;
    private void Map(int id, Order order) { order.Total = id; }
    private void Clear(Order order) => Map(0, order);
    private void Show(Order order) { Show(order.Total); }
    private void Hear(Order order) { order.Paid += OnPaid; }
    private Order Copy(Order order) { var copy = new Order(); copy.Total = order.Total; return copy; }
    private void Reload(Order order) { order = Load(order.Total); order.Total = 1; }
    private void MapOther(Order order) { order = Load(order.Total); Map(1, order); }
"""
MAPPER = """
    namespace Shop;
    public interface IMapper { void Apply(Draft draft, Order order); }
    public class Mapper : IMapper { public void Apply(Draft draft, Order order) { order.Total = draft.Total; } }
    public static class Orders { public static void Close(this Order order) { order.Total = 0; } }
"""


@pytest.mark.parametrize(
    "change", ["Map(id, o);", "Map(order: o, id: 1);", "Clear(o);", "_mapper.Apply(draft, o);", "o.Close();"]
)
def test_what_a_helper_changes_is_written_where_it_is_saved(graph_of, change):
    code = files(f"var o = _db.Orders.First(); {change} _db.SaveChanges();", members=HELPERS)

    assert written(graph_of({**code, "Shop/Mapper.cs": MAPPER})) == {("Order", "tracked entity", 0.6)}


@pytest.mark.parametrize(
    "body",
    [
        "var o = _db.Orders.First(); Map(id, o);",
        "var o = _db.Orders.First(); Show(o); _db.SaveChanges();",
        "var o = _db.Orders.First(); Hear(o); _db.SaveChanges();",
        "var o = _db.Orders.First(); Copy(o); _db.SaveChanges();",
        "var o = _db.Orders.First(); Reload(o); _db.SaveChanges();",
        "var o = _db.Orders.First(); MapOther(o); _db.SaveChanges();",
        "var o = new Order(); Map(id, o); _db.SaveChanges();",
        "var o = _db.Orders.AsNoTracking().First(); Map(id, o); _db.SaveChanges();",
    ],
)
def test_what_a_helper_does_not_change_is_not_written(graph_of, body):
    code = files(body, members=HELPERS)

    assert written(graph_of({**code, "Shop/Mapper.cs": MAPPER})) == set()


@pytest.mark.parametrize(
    "body",
    [
        "var o = Load(id); o.Total = 1;",
        "var o = Load(id); Show(o.Total); _db.SaveChanges();",
        "order.Total = 1; _ownUnit.Rebuild();",
        "order.Total = 1; _ownUnit.Complete();",
        "var o = new Order(); o.Total = 1; _db.SaveChanges();",
        "Order o = new Order(); o.Total = 1; _db.SaveChanges();",
        "order = new Order(); order.Total = 1; _db.SaveChanges();",
        "order.Paid += OnPaid; order.PropertyChanged -= OnChanged; _db.SaveChanges();",
        "draft.Total = 1; draft.Order.Total = 1; _db.SaveChanges();",
        "Order o = JsonSerializer.Deserialize<Order>(id); o.Total = 1; _db.SaveChanges();",
        "Order o = _orders.Query().AsNoTracking().First(); o.Total = 1; _db.SaveChanges();",
        "var o = _orders.Query().Select(x => new Order { Total = x.Total }).First(); o.Total = 1; _db.SaveChanges();",
    ],
)
def test_what_is_made_read_only_or_not_saved_is_not_written(graph_of, body):
    assert written(graph_of(files(body))) == set()


def test_tests_change_objects_that_nobody_tracks(graph_of):
    found = graph_of(files("order.Total = 1; _db.SaveChanges();", path="tests/Shop.Tests/ServiceTests.cs"))

    assert written(found) == set()


def test_a_repository_that_saves_by_another_member_writes_what_it_is_given(graph_of):
    store = """
        namespace Shop;
        public class Rows<T> where T : class
        {
            private readonly ShopContext _db;
            public T Find(int id) { return _db.Set<T>().Find(id); }
            public void Update(T row) { Commit(); }
            private void Commit() { _db.SaveChanges(); }
        }
    """
    given = files("_rows.Update(order);", members="private readonly Rows<Order> _rows;")

    assert written(graph_of({**given, "Shop/Rows.cs": store})) == {("Order", "generic repository", 0.8)}
