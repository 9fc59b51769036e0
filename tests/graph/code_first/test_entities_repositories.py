"""Generic repositories: what `Repository<T>` does with the set of T, its closed types do with a table."""

from __future__ import annotations

import pytest

MODEL = """
    namespace Shop;

    [Table("Order")] public class Order { }
    [Table("Customer")] public class Customer { }
    public class ShopContext : DbContext { }
"""
STORE = """
    namespace Shop;

    public interface IStore<T>
    {
        T Load(int id);
        void Put(T entity);
        void Change(T entity);
        IQueryable<T> All { get; }
        string Describe();
    }

    public class Store<T> : IStore<T> where T : class
    {
        private readonly ShopContext _db;
        private DbSet<T> _rows;

        public T Load(int id) { return Rows.Find(id); }
        public void Put(T entity) { Rows.Add(entity); _db.SaveChanges(); }
        public void Change(T entity) { _db.SaveChanges(); }
        public void Replace(T old, T entity) { Rows.Remove(old); Put(entity); }
        public IQueryable<T> All { get { return Rows; } }
        public string Describe() { return "store"; }
        protected DbSet<T> Rows { get { if (_rows == null) _rows = _db.Set<T>(); return _rows; } }
    }
"""


def shop(code: str, *, store: str = STORE) -> dict[str, str]:
    return {"Shop/Model.cs": MODEL, "Shop/Store.cs": store, "Shop/Service.cs": f"namespace Shop;\n{code}"}


def service(body: str, *, field: str = "IStore<Order>") -> str:
    return f"public class Service {{ private readonly {field} _orders; public void Run(Order order) {{ {body} }} }}"


def test_calls_through_the_interface_read_and_write_the_table_of_the_closed_type(graph_of):
    graph = graph_of(shop(service("_orders.Put(order); var o = _orders.Load(1);")))

    assert graph.pairs("WritesTo") == {("Shop.Service.Run|METHOD", "dbo.Order|TABLE")}
    assert graph.pairs("ReadsFrom") == {("Shop.Service.Run|METHOD", "dbo.Order|TABLE")}
    assert (graph.only("WritesTo").rule, graph.only("WritesTo").confidence) == ("generic repository", 0.9)


def test_a_set_that_is_returned_is_read_whatever_others_of_the_file_do_with_it(graph_of):
    store = """
        namespace Shop;
        public class Store<T> where T : class
        {
            private readonly ShopContext _db;
            public IQueryable<T> GetAll() { return _db.Set<T>(); }
            public void Add(T entity) { _db.Set<T>().Add(entity); }
            public T Find(int id) { return _db.Set<T>().Find(id); }
        }
    """
    graph = graph_of(shop(service("_orders.GetAll().First();", field="Store<Order>"), store=store))

    assert graph.pairs("ReadsFrom") == {("Shop.Service.Run|METHOD", "dbo.Order|TABLE")}
    assert graph.pairs("WritesTo") == set()


def test_calls_on_the_class_itself_do_the_same(graph_of):
    graph = graph_of(shop(service("_orders.Put(order);", field="Store<Order>")))

    assert graph.pairs("WritesTo") == {("Shop.Service.Run|METHOD", "dbo.Order|TABLE")}


def test_a_property_that_hands_out_the_set_is_read(graph_of):
    graph = graph_of(shop(service("var found = from o in _orders.All select o;")))

    assert graph.pairs("ReadsFrom") == {("Shop.Service.Run|METHOD", "dbo.Order|TABLE")}
    assert graph.pairs("WritesTo") == set()


def test_a_query_over_such_a_property_is_read(graph_of):
    graph = graph_of(shop(service("var found = _orders.All.Where(o => o != null).ToList();")))

    assert graph.pairs("ReadsFrom") == {("Shop.Service.Run|METHOD", "dbo.Order|TABLE")}


def test_members_that_touch_no_set_do_nothing(graph_of):
    graph = graph_of(shop(service("var text = _orders.Describe();")))

    assert graph.pairs("ReadsFrom") | graph.pairs("WritesTo") == set()


def test_members_that_call_members_do_what_these_do(graph_of):
    graph = graph_of(shop(service("_orders.Replace(order, order);", field="Store<Order>")))

    assert graph.pairs("WritesTo") == {("Shop.Service.Run|METHOD", "dbo.Order|TABLE")}


def test_a_member_that_takes_an_entity_and_saves_writes_it(graph_of):
    edge = graph_of(shop(service("_orders.Change(order);"))).only("WritesTo")

    assert (edge.to_key, edge.confidence) == ("dbo.Order|TABLE", 0.8)


def test_a_class_that_closes_the_repository_reads_and_writes_what_it_inherits(graph_of):
    graph = graph_of(shop("public class OrderStore : Store<Order> { }"))

    assert graph.pairs("WritesTo") == {("Shop.OrderStore|TYPE", "dbo.Order|TABLE")}
    assert graph.pairs("ReadsFrom") == {("Shop.OrderStore|TYPE", "dbo.Order|TABLE")}


def test_calls_through_an_interface_of_ones_own_reach_the_repository_behind_it(graph_of):
    code = (
        "public interface IOrderStore : IStore<Order> { }\n"
        "public class OrderStore : Store<Order>, IOrderStore { }\n"
        f"{service('_orders.Put(order);', field='IOrderStore')}"
    )
    graph = graph_of(shop(code))

    assert ("Shop.Service.Run|METHOD", "dbo.Order|TABLE") in graph.pairs("WritesTo")


def test_one_of_several_implementations_is_half_as_sure(graph_of):
    code = (
        "public interface IOrderStore { void Put(Order order); }\n"
        "public class OrderStore : Store<Order>, IOrderStore { }\n"
        "public class FileStore : IOrderStore { public void Put(Order order) { } }\n"
        f"{service('_orders.Put(order);', field='IOrderStore')}"
    )
    found = [edge for edge in graph_of(shop(code)).edges if edge.from_key == "csharp:Shop.Service.Run|METHOD"]

    assert [(edge.relation, edge.to_key, edge.confidence) for edge in found] == [
        ("WritesTo", "dbo.Order|TABLE", 0.5)
    ]


def test_an_override_counts_instead_of_what_it_replaces(graph_of):
    store = STORE.replace("public void Put(T entity)", "public virtual void Put(T entity)")
    code = (
        "public class OrderStore : Store<Order> { public override void Put(Order order) { } }\n"
        f"{service('_orders.Put(order);', field='OrderStore')}"
    )
    graph = graph_of(shop(code, store=store))

    assert ("Shop.Service.Run|METHOD", "dbo.Order|TABLE") not in graph.pairs("WritesTo")


def test_the_parameter_of_the_set_counts_not_the_first_one(graph_of):
    store = """
        namespace Shop;
        public abstract class Store<TModel, TRow> where TRow : class
        {
            private readonly Func<ShopContext, DbSet<TRow>> _rows;
            private readonly ShopContext _db;
            public TModel Load(int id) { var row = _rows(_db).Find(id); return Map(row); }
        }
    """
    code = (
        "public class OrderStore : Store<Customer, Order> { }\n"
        f"{service('var o = _orders.Load(1);', field='OrderStore')}"
    )

    assert graph_of(shop(code, store=store)).pairs("ReadsFrom") == {
        ("Shop.OrderStore|TYPE", "dbo.Order|TABLE"),
        ("Shop.Service.Run|METHOD", "dbo.Order|TABLE"),
    }


def test_generic_methods_are_closed_by_their_type_argument_or_by_their_argument(graph_of):
    store = """
        namespace Shop;
        public class Store
        {
            private readonly ShopContext _db;
            public T Load<T>(int id) where T : class { return _db.Set<T>().Find(id); }
            public void Put<T>(T entity) where T : class { _db.Set<T>().Add(entity); }
        }
    """
    graph = graph_of(
        shop(service("_orders.Put(order); var c = _orders.Load<Customer>(1);", field="Store"), store=store)
    )

    assert graph.pairs("WritesTo") == {("Shop.Service.Run|METHOD", "dbo.Order|TABLE")}
    assert graph.pairs("ReadsFrom") == {("Shop.Service.Run|METHOD", "dbo.Customer|TABLE")}


def test_what_a_lambda_makes_of_a_type_parameter_is_closed_too(graph_of):
    store = """
        namespace Shop;
        public class Store
        {
            private readonly ShopContext _db;
            public void Copy<TFrom, TRow>(List<TFrom> rows) { _db.BulkCopy(rows.Select(r => mapper.Map<TRow>(r))); }
        }
    """
    graph = graph_of(shop(service("_orders.Copy<Customer, Order>(null);", field="Store"), store=store))

    assert graph.pairs("WritesTo") == {("Shop.Service.Run|METHOD", "dbo.Order|TABLE")}


def test_repositories_around_repositories_are_followed(graph_of):
    code = (
        "public class Cached<T> where T : class { private readonly IStore<T> _inner;"
        " public void Keep(T entity) { _inner.Put(entity); } }\n"
        f"{service('_orders.Keep(order);', field='Cached<Order>')}"
    )

    assert ("Shop.Service.Run|METHOD", "dbo.Order|TABLE") in graph_of(shop(code)).pairs("WritesTo")


def test_doubles_in_tests_are_not_the_database(graph_of):
    files = shop("")
    files["Shop.Tests/ServiceTests.cs"] = (
        "using Shop;\nnamespace Shop.Tests;\npublic class ServiceTests { [Fact] public void Puts() {"
        " IStore<Order> store = Substitute.For<IStore<Order>>(); store.Put(new Order()); } }"
    )

    assert graph_of(files).pairs("WritesTo") == set()


def test_repositories_that_hold_each_other_come_to_an_end(graph_of):
    code = (
        "public class A<T> where T : class { B<T> _b; ShopContext _db;"
        " public void Put(T x) { _db.Set<T>().Add(x); _b.Put(x); } }\n"
        "public class B<T> where T : class { A<T> _a; public void Put(T x) { _a.Put(x); } }\n"
        f"{service('_orders.Put(order);', field='B<Order>')}"
    )

    assert ("Shop.Service.Run|METHOD", "dbo.Order|TABLE") in graph_of(shop(code)).pairs("WritesTo")


@pytest.mark.parametrize("held", ["Orders", "Orders?"])
def test_a_class_derived_from_a_repository_of_a_package_may_be_null(graph_of, held):
    code = f"""
        public class Orders : SimpleClient<Order> {{ }}
        public class Desk {{ {held} Kept {{ get; set; }} void Change(Order one) {{ Kept.Update(one); }} }}
    """
    graph = graph_of(shop(code, store=""))

    assert graph.pairs("WritesTo") == {("Shop.Desk.Change|METHOD", "dbo.Order|TABLE")}


def test_a_repository_of_a_package_is_known_by_its_type_and_the_names_of_its_methods(graph_of):
    code = """
        public interface IOwnRepository<T> : IRepositoryBase<T> { }
        public class Desk(IOwnRepository<Order> orders, IRepository<Customer, Guid> customers, ICache<Order> cache)
        {
            private readonly IOwnRepository<Order> _orders = orders;

            public Task Open() => _orders.FirstOrDefaultAsync(new ById(1));
            public Task Change() => _orders.UpdateAsync(new Order());
            public Task Other() => cache.GetAsync(1);
            public Task Forget() { return customers.DeleteAsync(1); }
            public string Describe() => _orders.ToString();
            public string Name() => _orders.GetType().Name;
            public override int GetHashCode() => _orders.GetHashCode();
        }
    """
    doubles = "namespace Shop; class DeskTests { IOwnRepository<Order> o; void A() { o.ListAsync(); } }"
    graph = graph_of(shop(code, store="") | {"Shop.Tests/DeskTests.cs": doubles})

    assert graph.pairs("ReadsFrom") == {("Shop.Desk.Open|METHOD", "dbo.Order|TABLE")}
    assert graph.pairs("WritesTo") == {
        ("Shop.Desk.Change|METHOD", "dbo.Order|TABLE"),
        ("Shop.Desk.Forget|METHOD", "dbo.Customer|TABLE"),
    }


@pytest.mark.parametrize("made", ["context.GetRepository<Order>()", "unit.Repository<Order>()"])
def test_a_repository_that_a_package_hands_out_is_of_the_type_that_it_is_asked_for(graph_of, made):
    code = f"""
        public class Desk
        {{
            public void Put(Order order)
            {{
                using (IDataContext context = DataContext.Instance())
                {{
                    var orders = {made};
                    orders.Insert(order);
                }}
            }}
            public object Load(IUnit unit) {{ return {made}.Find("WHERE Id = @0", 1); }}
            public object Other(IUnit unit) {{ return unit.GetHandler<Order>().Find(1); }}
            public object Name(IUnit unit) {{ return {made}.ToString(); }}
        }}
    """
    graph = graph_of(shop(code, store=""))

    assert graph.pairs("WritesTo") == {("Shop.Desk.Put|METHOD", "dbo.Order|TABLE")}
    assert graph.pairs("ReadsFrom") == {("Shop.Desk.Load|METHOD", "dbo.Order|TABLE")}


def test_generic_code_that_attaches_to_load_writes_nothing(graph_of):
    code = """
        public static class Loading
        {
            public static void LoadAll<T>(this ShopContext db, T entity)
            {
                db.Attach(entity);
                db.Set<T>().Attach(entity);
                db.Entry(entity).Collection("Lines").CurrentValue = null;
            }
            public static void Put<T>(this ShopContext db, T entity) { db.Attach(entity); db.SaveChanges(); }
            public static void Keep<T>(this ShopContext db, T it) { db.Set<T>().Attach(it); db.SaveChanges(); }
        }
        public class Desk(ShopContext db)
        {
            public void Look(Order order) { db.LoadAll(order); }
            public void Change(Order order) { db.Put(order); }
            public void Place(Order order) { db.Keep(order); }
        }
    """

    assert graph_of(shop(code, store="")).pairs("WritesTo") == {
        ("Shop.Desk.Change|METHOD", "dbo.Order|TABLE"),
        ("Shop.Desk.Place|METHOD", "dbo.Order|TABLE"),
    }


def test_what_implements_only_the_declaring_interface_is_not_behind_a_derived_one(graph_of):
    interfaces = "public interface IReads<T> { T Load(int id); } public interface IRows<T> : IReads<T>;"
    other = "public class Reads<T> : IReads<T> { ShopContext _db; public T Load(int id) => _db.Set<T>().Find(id); }"
    rows = "public class Rows<T> : IRows<T> { public T Load(int id) => default; }"

    graph = graph_of(
        shop(interfaces + other + rows + service("_orders.Load(1);", field="IRows<Order>"), store="")
    )

    assert not graph.pairs("ReadsFrom")


def test_a_service_of_abp_has_the_repository_of_its_entity(graph_of):
    code = """
        public class OrderAppService : CrudAppService<
            Order, // what is kept
            OrderDto, /* what is told */
            Guid>
        {
            public Task<Order> First() => Repository.FirstOrDefaultAsync();
            public Task Drop() => this.Repository.DeleteAsync(1);
        }
        public class Other : Job<Order> { public Task Run() => Repository.DeleteAsync(1); }
    """
    graph = graph_of(shop(code, store=""))

    assert graph.pairs("ReadsFrom") == {("Shop.OrderAppService.First|METHOD", "dbo.Order|TABLE")}
    assert graph.pairs("WritesTo") == {("Shop.OrderAppService.Drop|METHOD", "dbo.Order|TABLE")}
