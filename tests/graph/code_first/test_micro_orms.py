"""Micro-ORMs: who reads and writes the table of a class that a connection or a database is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

GraphOf = Callable[[Mapping[str, str]], Any]

TABLES = (
    "create table dbo.Orders (Id int); create table dbo.Customers (Id int); create table dbo.Lines (Id int);"
)
ORDERS, CUSTOMERS = "dbo.Orders|TABLE", "dbo.Customers|TABLE"
CONTRIB = "using Dapper.Contrib.Extensions;"
ORDER = '[Table("Orders")] public class Order { public int Id { get; set; } }'


def uses(
    graph_of: GraphOf, body: str, *, using: str, order: str = ORDER, field: str = "IDbConnection"
) -> set[str]:
    """What a method with this body does: `reads dbo.Orders|TABLE`."""
    store = f"class Store {{ {field} _it; void Run(Order order) {{ {body} }} }}"
    code = f"{using}\n{order}\nclass Customer {{ }}\n{store}"
    graph = graph_of({"db.sql": TABLES, "Store.cs": code})
    return {
        f"{'reads' if edge.relation == 'ReadsFrom' else 'writes'} {edge.to_key}"
        for edge in graph.edges
        if edge.relation in ("ReadsFrom", "WritesTo") and edge.from_key == "csharp:Store.Run|METHOD"
    }


@pytest.mark.parametrize(
    "call", ["_it.Get<Order>(1)", "_it.GetAllAsync<Order>()", "_it.GetList<Order>(new { Id = 1 })"]
)
def test_a_connection_reads_the_table_of_a_class(graph_of: GraphOf, call: str) -> None:
    assert uses(graph_of, f"var found = {call};", using=CONTRIB) == {f"reads {ORDERS}"}


@pytest.mark.parametrize("name", ["Insert", "Update", "Delete", "InsertAsync", "Save", "Upsert"])
def test_a_connection_writes_what_it_is_given(graph_of: GraphOf, name: str) -> None:
    assert uses(graph_of, f"_it.{name}(order);", using=CONTRIB) == {f"writes {ORDERS}"}


def test_a_list_of_objects_is_written(graph_of: GraphOf) -> None:
    body = "var all = new List<Order>(); _it.InsertAsync(all, transaction);"

    assert uses(graph_of, body, using=CONTRIB) == {f"writes {ORDERS}"}


def test_what_a_lambda_makes_is_written(graph_of: GraphOf) -> None:
    body = "db.UpdateOnly(() => new Order { Id = 2 }, where: o => o.Id == 1);"

    assert uses(graph_of, body, using="using ServiceStack.OrmLite;") == {f"writes {ORDERS}"}


def test_a_class_without_an_attribute_has_the_table_of_its_name(graph_of: GraphOf) -> None:
    found = uses(graph_of, "_it.Get<Order>(1);", using=CONTRIB, order="public class Order { }")

    assert found == {f"reads {ORDERS}"}


def test_files_that_open_no_micro_orm_are_left_alone(graph_of: GraphOf) -> None:
    assert uses(graph_of, "_it.Insert(order);", using="using Shop.Data;") == set()


def test_other_objects_are_no_databases(graph_of: GraphOf) -> None:
    body = "_cache.Insert(order); _it.Get<Order>(1);"

    assert uses(graph_of, body, using=CONTRIB, field="Cache _cache; ICache") == set()


@pytest.mark.parametrize("name", ["db", "_connection", "Db", "conn"])
def test_what_is_called_a_database_may_be_one(graph_of: GraphOf, name: str) -> None:
    using = "using ServiceStack.OrmLite;"

    assert uses(graph_of, f"{name}.SingleById<Order>(1);", using=using) == {f"reads {ORDERS}"}


def test_an_extension_method_of_ones_own_tells_by_itself(graph_of: GraphOf) -> None:
    using = (
        f"{CONTRIB} static class Own {{ public static T Get<T>(this IDbConnection c, int id) => default; }}"
    )

    assert uses(graph_of, "_it.Get<Order>(1);", using=using) == set()


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('Fetch<Order>("select * from Customers")', set()),
        ('Fetch<Order>("where Id = @0", 1)', {f"reads {ORDERS}"}),
        ("Fetch<Order>()", {f"reads {ORDERS}"}),
        ("Fetch<Order>(sql)", set()),
        ("Single<Order>(o => o.Id == 1)", {f"reads {ORDERS}"}),
        ("Query<Order>(text)", set()),
    ],
)
def test_what_may_be_given_sql_reads_by_class_where_it_is_not(
    graph_of: GraphOf, call: str, expected: set[str]
) -> None:
    body = f'var sql = Sql.Builder.Where("x"); string text = Other(); _it.{call};'

    assert uses(graph_of, body, using="using NPoco;", field="IDatabase") == expected


@pytest.mark.parametrize(
    "call",
    [
        'Query<Order>("GetOrders", new { id = 1 }, commandType: CommandType.StoredProcedure)',
        'QueryAsync<Order>("[dbo].[GetOrders]", args)',
        'Query<Order>("dbo.GetOrders @id", args)',
        'Query<Order>(new CommandDefinition("select * from Customers"))',
        "Query<Order>(command)",
        "Select<Order>(expression)",
    ],
)
def test_procedures_and_commands_tell_by_themselves(graph_of: GraphOf, call: str) -> None:
    body = f"CommandDefinition command = default; SqlExpression<Customer> expression = null; _it.{call};"

    assert uses(graph_of, body, using="using Dapper;") == set()


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('Page<Order>(page, 20, "select * from Customers")', set()),
        ('SkipTake<Order>(1, 20, "where Id = 1")', {f"reads {ORDERS}"}),
        ('Fetch<Order>(1, 10, "select * from Customers")', set()),
        ("Page<Order>(page, 20, Sql.Builder.Select())", set()),
    ],
)
def test_numbers_of_a_page_come_before_what_is_asked(
    graph_of: GraphOf, call: str, expected: set[str]
) -> None:
    body = f"long page = 1; _it.{call};"

    assert uses(graph_of, body, using="using NPoco;", field="IDatabase") == expected


def test_a_write_that_is_told_the_table_is_none_of_the_class(graph_of: GraphOf) -> None:
    assert uses(graph_of, '_it.Insert("Customers", order);', using="using RepoDb;") == set()


@pytest.mark.parametrize(
    ("using", "field"),
    [
        ("using Dapper; using StackExchange.Redis;", "IDatabase"),
        ("using Dapper;", "HubConnection"),
        ("using Dapper;", "IRedisConnection"),
    ],
)
def test_databases_of_others_are_none(graph_of: GraphOf, using: str, field: str) -> None:
    assert uses(graph_of, "_it.Insert(order); redisDb.Insert(order);", using=using, field=field) == set()


@pytest.mark.parametrize(
    "opened",
    [
        "using var db = dbFactory.Open();",
        "var db = await connectionFactory.CreateAsync();",
        "using var db = await factory.OpenDbConnectionAsync();",
    ],
)
def test_what_a_factory_opens_is_a_database(graph_of: GraphOf, opened: str) -> None:
    body = f"{opened} db.Insert(order);"

    assert uses(graph_of, body, using="using ServiceStack.OrmLite;") == {f"writes {ORDERS}"}


def test_what_is_only_handed_over_has_no_table_of_its_own(graph_of: GraphOf) -> None:
    code = f"{CONTRIB} class OrderVm {{ }} class S {{ IDbConnection _it; void Run(OrderVm o) => _it.Update(o); }}"

    assert graph_of({"db.sql": TABLES, "A.cs": code}).edges == ()
    assert graph_of({"A.cs": code}).pairs("WritesTo") == {("S.Run|METHOD", "dbo.OrderVm|TABLE")}


def test_doubles_in_tests_read_nothing(graph_of: GraphOf) -> None:
    code = f"{CONTRIB} {ORDER} class T {{ void Run(IDbConnection it) => it.Get<Order>(1); }}"

    assert graph_of({"db.sql": TABLES, "Shop.Tests/T.cs": code}).pairs("ReadsFrom") == set()


def test_a_generic_store_works_for_the_parameter_that_it_reads(graph_of: GraphOf) -> None:
    code = f"""
        {CONTRIB}
        public class Order {{ }}
        public class Line {{ }}
        public class Store<TEntity, TDto> {{ IDbConnection _db; public TEntity Find() => _db.Get<TEntity>(1); }}
        public class Orders : Store<Order, Line> {{ }}
    """

    assert graph_of({"db.sql": TABLES, "A.cs": code}).pairs("MapsTo") == {("Order|TYPE", ORDERS)}


def test_a_class_that_rows_of_sql_become_is_no_entity(graph_of: GraphOf) -> None:
    code = 'using NPoco; class Row { } class S { IDatabase _db; void Run() => _db.Fetch<Row>("select 1"); }'

    assert graph_of({"S.cs": code}).pairs("MapsTo") == set()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("_it.Queryable<Order>().Where(o => o.Id == 1).ToList();", {f"reads {ORDERS}"}),
        (
            "_it.Queryable<Order>().LeftJoin<Customer>((o, c) => true);",
            {f"reads {ORDERS}", f"reads {CUSTOMERS}"},
        ),
        ("_it.Insertable(order).ExecuteCommand();", {f"writes {ORDERS}"}),
        ("_it.Updateable<Order>().SetColumns(o => o.Id == 1);", {f"writes {ORDERS}"}),
        ("_it.Deleteable<Order>().In(1).ExecuteCommand();", {f"writes {ORDERS}"}),
    ],
)
def test_sqlsugar_reads_and_writes(graph_of: GraphOf, body: str, expected: set[str]) -> None:
    order = '[SugarTable("Orders", "all of them")] public class Order { public int Id { get; set; } }'

    assert uses(graph_of, body, using="using SqlSugar;", order=order, field="ISqlSugarClient") == expected


@pytest.mark.parametrize(
    ("using", "attribute", "table"),
    [
        ("using SqlSugar;", 'SugarTable("Lines_{year}{month}")', "dbo.Lines|TABLE"),
        ("using ServiceStack.DataAnnotations;", 'Alias("Customers")', CUSTOMERS),
        ("using RepoDb.Attributes;", 'Map("[dbo].[Customers]")', CUSTOMERS),
        ("using NPoco;", 'TableName("Customers")', CUSTOMERS),
    ],
)
def test_attributes_name_the_table(graph_of: GraphOf, using: str, attribute: str, table: str) -> None:
    graph = graph_of({"db.sql": TABLES, "A.cs": f"{using} [{attribute}] public class Thing {{ }}"})

    assert graph.pairs("MapsTo") == {("Thing|TYPE", table)}


@pytest.mark.parametrize("attribute", ['Alias("Customers")', 'Map("Customers")'])
def test_attributes_of_others_name_no_table(graph_of: GraphOf, attribute: str) -> None:
    code = f"using System.Management.Automation; [{attribute}] public class Thing {{ }}"

    assert graph_of({"db.sql": TABLES, "A.cs": code}).pairs("MapsTo") == set()


def test_a_generic_store_of_ones_own_works_for_each_class(graph_of: GraphOf) -> None:
    code = f"""
        {CONTRIB}
        public class Order {{ }}
        public class Customer {{ }}
        public class Store<T> {{
            IDbConnection _db;
            public T Find(int id) => _db.Get<T>(id);
        }}
        public class Orders : Store<Order> {{ }}
        public class Service(Store<Customer> customers, Orders orders) {{
            void One() {{ customers.Find(1); }}
            void Two() {{ orders.Find(1); }}
        }}
    """
    found = graph_of({"db.sql": TABLES, "A.cs": code}).pairs("ReadsFrom")

    assert ("Service.One|METHOD", CUSTOMERS) in found
    assert ("Service.Two|METHOD", ORDERS) in found


@pytest.mark.parametrize(
    ("body", "relation", "table"),
    [
        ("_orders.Select.Where(o => o.Id == 1).ToList();", "ReadsFrom", ORDERS),
        ("_orders.Select.AnyAsync(o => o.Id == 1);", "ReadsFrom", ORDERS),
        ("_orders.Select.LeftJoin<Customer>((o, c) => true);", "ReadsFrom", CUSTOMERS),
        ("_orders.InsertAsync(new Order());", "WritesTo", ORDERS),
        ("_orders.UpdateDiy.Set(o => o.Id, 2).ExecuteAffrowsAsync();", "WritesTo", ORDERS),
    ],
)
def test_repositories_of_freesql_begin_queries_with_a_property(
    graph_of: GraphOf, body: str, relation: str, table: str
) -> None:
    code = f"""
        using FreeSql;
        [Table(Name = "Orders")] public class Order {{ public int Id {{ get; set; }} }}
        [Table(Name = "Customers")] public class Customer {{ }}
        class Service(IBaseRepository<Order> orders) {{
            readonly IBaseRepository<Order> _orders = orders;
            void Run() {{ {body} }}
        }}
    """

    assert ("Service.Run|METHOD", table) in graph_of({"db.sql": TABLES, "A.cs": code}).pairs(relation)


def test_bare_calls_in_a_repository_are_those_of_the_package(graph_of: GraphOf) -> None:
    code = """
        using SqlSugar;
        [SugarTable("Orders")] public class Order { }
        public class Store<T> : SimpleClient<T> { }
        public class Orders : Store<Order> {
            void Read() { var found = GetFirst(o => o.Id == 1); }
            void Write() { Insert(new Order()); }
            void Own() { this.Select.Where(o => o.Id == 1); }
            void Neither() { GetHashCode(); Log("x"); }
        }
    """
    graph = graph_of({"db.sql": TABLES, "A.cs": code})

    assert graph.pairs("ReadsFrom") == {("Orders.Read|METHOD", ORDERS), ("Orders.Own|METHOD", ORDERS)}
    assert graph.pairs("WritesTo") == {("Orders.Write|METHOD", ORDERS)}


@pytest.mark.parametrize(
    "code",
    [
        "class S : RepositoryBase<Order> { void Run() { GetCommand(1); GetCurrentUserId(); AddErrors(2); } }",
        "class S : Base, IRepository<Order> { void Run() { Get(1); Add(2); } }",
    ],
)
def test_helpers_of_a_base_class_read_and_write_nothing(graph_of: GraphOf, code: str) -> None:
    graph = graph_of({"db.sql": TABLES, "A.cs": f"using SqlSugar; {ORDER} {code}"})

    assert graph.pairs("ReadsFrom") | graph.pairs("WritesTo") == set()


def test_a_class_derived_from_a_repository_is_one(graph_of: GraphOf) -> None:
    code = f"""
        using SqlSugar;
        {ORDER}
        public class OrderDao : SimpleClient<Order> {{ }}
        public class S(OrderDao dao) {{
            readonly OrderDao _dao = dao;
            void Run() {{ _dao.GetList(); dao.AsUpdateable(); }}
        }}
    """
    graph = graph_of({"db.sql": TABLES, "A.cs": code})

    assert graph.pairs("ReadsFrom") == {("S.Run|METHOD", ORDERS)}
    assert graph.pairs("WritesTo") == {("S.Run|METHOD", ORDERS)}


@pytest.mark.parametrize(
    "statement",
    [
        'string.Join("Orders", a);',
        'Path.Join("Orders", "a");',
        'bus.From("Orders");',
        'connection.Query("Orders");',
    ],
)
def test_others_that_are_called_so_name_no_table(graph_of: GraphOf, statement: str) -> None:
    assert uses(graph_of, statement, using="using SqlKata;") == set()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('_it.Query("Orders AS o").Increment("Id", 1);', {f"writes {ORDERS}"}),
        ('_it.Query("Orders as o").Where("Id", 1).Get();', {f"reads {ORDERS}"}),
        ('_it.Query("Orders").LeftJoin("Customers", "a", "b");', {f"reads {ORDERS}", f"reads {CUSTOMERS}"}),
        ('_it.Query("Orders").Where("Id", 1).Update(new { Id = 2 });', {f"writes {ORDERS}"}),
        ('var q = _it.Query("Orders"); q.DeleteAsync();', {f"writes {ORDERS}"}),
    ],
)
def test_sqlkata_names_its_tables(graph_of: GraphOf, body: str, expected: set[str]) -> None:
    assert uses(graph_of, body, using="using SqlKata.Execution;", field="QueryFactory") == expected
