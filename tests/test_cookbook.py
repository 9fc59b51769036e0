"""The queries of the cookbook run as they stand and answer the question in their first line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck import Store, UsageError, cookbook

QUERIES = [name.removeprefix("@") for name, _ in cookbook.questions()]
NEEDING_AN_OBJECT = [
    "endpoints_that_reach_a_table", "jobs_that_reach_a_table", "pages_that_reach_a_table", "tests_that_reach_a_node",
    "what_names_a_column", "who_writes_a_table",
]  # fmt: skip
CODE_FIRST = """using Microsoft.EntityFrameworkCore;
namespace Shop;
public class Customer { public int Id { get; set; } }
public class Order
{
    public int Id { get; set; }
    public int CustomerId { get; set; }
    public Customer Customer { get; set; }
}
public class Note { public int Id { get; set; } }
public class ShopContext : DbContext
{
    public DbSet<Customer> Customers { get; set; }
    public DbSet<Order> Orders { get; set; }
    protected override void OnModelCreating(ModelBuilder builder)
    {
        builder.Entity<Note>().ToTable("Note");
        builder.Entity<Order>().ToTable("Order").HasOne(o => o.Customer).WithMany().HasForeignKey(o => o.CustomerId);
    }
    public int Count() => Orders.Count() + Customers.Count();
}
"""
API = """using Shop;
var app = WebApplication.CreateBuilder(args).Build();
app.MapGet("/orders/{id}", (int id, ShopContext db) => db.Orders.Find(id));
app.MapGet("/orders", OrderApi.Listed);
app.Run();
namespace Shop
{
    public static class OrderApi
    {
        public static List<Order> Listed(ShopContext db) => db.Orders.ToList();
        public static void Unmapped(ShopContext db) => db.Orders.ToList();
    }
}
"""
METHODS = """using System;
namespace Shop;
public interface IClock { int Now(); int Zone(); int Offset(); }
public class Clock : IClock
{
    public Clock(int zone) { }
    public int Now() => 1;
    public int Zone() => 2;
    public int Offset() => 0;
    public override string ToString() => "";
    public static bool operator !=(Clock a, Clock b) => false;
    public static implicit operator int(Clock clock) => 0;
    public void Dispose() { }
    public int Used() => 3;
    public int Dead() => Used() + Offset();
}
public class Gate : FilterAttribute, IAuthorizationFilter
{
    public void OnAuthorization(AuthorizationContext context) { }
}
public class Startup { public void ConfigureServices(IServiceCollection services) { } }
public class TraceMiddleware { public Task InvokeAsync(HttpContext context) => null; }
public static class Program
{
    public static void Main(IClock clock) { clock.Now(); }
}
"""

Ask = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


@pytest.fixture(scope="module")
def ask(shop_store: Path) -> Ask:
    def run(name: str, **variables: str) -> list[dict[str, Any]]:
        with ragduck.open(shop_store) as opened:
            return opened.table(cookbook.query(name), variables=variables).to_dicts()

    return run


@pytest.fixture(scope="module")
def branches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of one repository at two branches."""
    folder = tmp_path_factory.mktemp("branches")
    source, store = folder / "shop", folder / "shop.duckdb"
    source.mkdir()
    (source / "kept.sql").write_text("create table dbo.Kept (Id int);\n")
    (source / "gone.sql").write_text("create table dbo.Gone (Id int);\n")
    (source / "order.sql").write_text("create table dbo.[Order] (Id int);\n")
    ragduck.prepare(source, store, repo="shop", branch="main", embed_model=None)
    (source / "gone.sql").unlink()
    (source / "new.sql").write_text("create table dbo.New (Id int);\n")
    (source / "order.sql").write_text("create table dbo.[Order] (Id int, Total int);\n")
    ragduck.prepare(source, store, repo="shop", branch="next", embed_model=None)
    return store


@pytest.fixture
def rows_of(tmp_path: Path) -> Callable[..., list[dict[str, Any]]]:
    """Return a function that asks a query of a store that is made of these files."""

    def run(name: str, variables: dict[str, str] | None = None, /, **files: str) -> list[dict[str, Any]]:
        for file, text in files.items():
            path = tmp_path / "src" / f"{file.replace('__', '/')}.cs"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", embed_model=None)
        with ragduck.open(tmp_path / "s.duckdb") as opened:
            return opened.table(cookbook.query(name), variables=variables or {}).to_dicts()

    return run


@pytest.mark.parametrize("name", QUERIES)
def test_query_runs_and_answers_in_a_fixed_order(ask: Ask, name: str) -> None:
    needed = (each for each, is_needed in cookbook.variables(name).items() if is_needed)
    variables = {each: cookbook.EXAMPLES[each] for each in needed}

    assert ask(name, **variables) == ask(name, **variables)


@pytest.mark.parametrize("name", NEEDING_AN_OBJECT)
def test_a_query_about_an_object_answers_for_no_default(ask: Ask, name: str) -> None:
    with pytest.raises(UsageError, match=r"no node is called \(object is not set\)"):
        ask(name)


@pytest.fixture
def with_synonyms(tmp_path: Path) -> Iterator[Store]:
    """A store in which a table and a procedure are used through synonyms only."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.sql").write_text(
        "create table sales.Customer (Id int);\nGO\ncreate synonym dbo.Cust for sales.Customer;\nGO\n"
        "create procedure sales.Tidy as delete dbo.Cust\nGO\ncreate synonym dbo.Clean for sales.Tidy;\nGO\n"
        "create procedure dbo.Nightly as exec dbo.Clean\nGO\n"
    )
    ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", embed_model=None)
    with ragduck.open(tmp_path / "s.duckdb") as opened:
        yield opened


@pytest.mark.parametrize(
    ("name", "column", "expected"),
    [
        ("who_writes_a_table", "writer", ["sales.Tidy|PROC"]),
        ("crud_matrix", "table_key", ["sales.Customer|TABLE"]),
        ("tables_no_code_touches", "node_key", []),
        ("unused_procedures", "name", ["Nightly"]),
    ],
)
def test_synonyms_are_followed(with_synonyms: Store, name: str, column: str, expected: list[str]) -> None:
    variables = {"object": "sales.Customer"} if name in NEEDING_AN_OBJECT else {}

    rows = with_synonyms.table(cookbook.query(name), variables=variables).to_dicts()

    assert [row[column] for row in rows] == expected


def test_what_properties_do_is_done_by_their_type(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.sql").write_text("create table dbo.Orders (Id int);")
    (tmp_path / "src" / "Dal.cs").write_text(
        'class Dal { IDbConnection c; int Count => c.Execute("select * from dbo.Orders");\n'
        'void Clear() { c.Execute("delete dbo.Orders"); } }'
    )
    ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as store:
        rows = store.table(cookbook.query("crud_matrix")).to_dicts()

    assert [(row["accessor"], row["access"]) for row in rows] == [("Dal", "RW")]


def test_procedures_are_called_by_code_of_any_language(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.sql").write_text(
        "create procedure dbo.Load as select 1\ngo\ncreate procedure dbo.All as exec dbo.Load"
    )
    (tmp_path / "src" / "load.py").write_text('def load(c):\n    c.execute("exec dbo.Load")\n')
    (tmp_path / "src" / "Dal.cs").write_text(
        'class Dal { IDbConnection c; void Load() { c.Execute("exec dbo.Load"); } }'
    )
    ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as store:
        rows = store.table(cookbook.query("procedures_called_by_code")).to_dicts()

    assert [row["caller"] for row in rows] == ["csharp:Dal.Load|METHOD", "python:load.load|METHOD"]


def test_writers_through_views_and_synonyms_are_told_with_what_they_write(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.sql").write_text(
        "create table dbo.Orders (Id int, Total int);\nGO\ncreate table dbo.Notes (Id int);\nGO\n"
        "create view dbo.vOrders as select Id, Total from dbo.Orders;\nGO\n"
        "create view dbo.vLarge as select Id, Total from dbo.vOrders where Total > 9;\nGO\n"
        "create synonym dbo.Large for dbo.vLarge;\nGO\n"
        "create proc dbo.Direct as delete dbo.Orders\nGO\ncreate proc dbo.Other as delete dbo.Notes\nGO\n"
        "create proc dbo.ByView as update dbo.vOrders set Total = 1\nGO\n"
        "create proc dbo.ByViewOfView as update v set Total = 1 from dbo.vLarge v\nGO\n"
        "create proc dbo.BySynonym as update dbo.Large set Total = 1\nGO\n"
    )
    ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        rows = opened.table(
            cookbook.query("who_writes_a_table"), variables={"object": "dbo.Orders"}
        ).to_dicts()

    assert [(row["writer"], row["through"]) for row in rows] == [
        ("dbo.BySynonym|PROC", "dbo.Large|SYNONYM"),
        ("dbo.ByViewOfView|PROC", "dbo.vLarge|VIEW"),
        ("dbo.ByView|PROC", "dbo.vOrders|VIEW"),
        ("dbo.Direct|PROC", None),
    ]


def test_endpoints_that_write_a_table_through_a_view_write_it(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.sql").write_text(
        "create table dbo.Orders (Id int, Total int);\nGO\n"
        "create view dbo.vOrders as select Id, Total from dbo.Orders;\nGO\n"
    )
    (tmp_path / "src" / "Web.cs").write_text(
        "using Dapper; using Microsoft.AspNetCore.Mvc;\npublic class OrderController : Controller\n{\n"
        '    public void Settle(IDbConnection db) { db.Execute("update dbo.vOrders set Total = 0"); }\n'
        '    public void Show(IDbConnection db) { db.Query("select Total from dbo.vOrders"); }\n}\n'
    )
    ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        rows = opened.table(
            cookbook.query("endpoints_that_reach_a_table"), variables={"object": "dbo.Orders"}
        ).to_dicts()

    assert {row["node_key"]: row["writes"] for row in rows if row["role"] == "ACTION"} == {
        "csharp:OrderController.Settle|METHOD": True,
        "csharp:OrderController.Show|METHOD": False,
    }


@pytest.mark.parametrize("name", NEEDING_AN_OBJECT)
def test_an_unknown_object_is_an_error_also_where_no_row_could_answer(tmp_path: Path, name: str) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "notes.md").write_text("# Notes\n")
    ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", embed_model=None)

    with (
        ragduck.open(tmp_path / "s.duckdb") as opened,
        pytest.raises(UsageError, match="no node is called Nobody"),
    ):
        opened.table(cookbook.query(name), variables={"object": "Nobody"})


@pytest.mark.parametrize("name", [*NEEDING_AN_OBJECT, "migrations_of_a_table"])
@pytest.mark.parametrize("value", ["", " "])
def test_an_empty_object_is_none(name: str, value: str) -> None:
    with pytest.raises(UsageError, match=f"@{name} has to be told object"):
        cookbook.require_variables(name, {"Object": value})


def test_variables_are_those_that_a_query_reads() -> None:
    assert [name for name in QUERIES if cookbook.variables(name).get("object")] == NEEDING_AN_OBJECT
    assert cookbook.variables("migrations_of_a_table") == {"object": False}
    assert cookbook.variables("changes_between_branches") == dict.fromkeys(("repo", "old", "new"), False)


@pytest.mark.parametrize(("name", "question"), list(cookbook.questions()))
def test_query_begins_with_its_question(name: str, question: str) -> None:
    assert question[0].isupper()
    assert question.endswith((".", "?"))


def test_writers_of_a_table(ask: Ask) -> None:
    writers = [row["writer"] for row in ask("who_writes_a_table", object="dbo.Order")]

    assert writers == [
        "dbo.Customer_Merge|PROC", "dbo.Invoice_Cancel|PROC", "dbo.Invoice_Create|PROC", "dbo.Order_Place|PROC",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["who_writes_a_table", "migrations_of_a_table", "tests_that_reach_a_node"])
def test_an_unknown_object_is_an_error_and_not_nobody(ask: Ask, name: str) -> None:
    with pytest.raises(UsageError, match=r"no node is called dbo\.Nope"):
        ask(name, object="dbo.Nope")


def test_migrations_of_one_table(ask: Ask) -> None:
    rows = ask("migrations_of_a_table", object="dbo.DunningNotice")

    assert [row["operation"] for row in rows] == ["create table", "add foreign key", "create index"]


def test_endpoints_that_reach_a_procedure(ask: Ask) -> None:
    rows = ask("endpoints_that_reach_a_table", object="dbo.Order_Place")

    assert [row["node_key"] for row in rows] == [
        "csharp:ImportOrdersAsync|METHOD",
        "csharp:Shop.Web.Controllers.OrderController.Create|METHOD",
        "file:src/Shop.Web/Program.cs|FILE",
    ]
    assert {row["by"] for row in rows} == {"access"}


def test_endpoints_that_only_lead_to_what_names_the_class_of_a_table_come_last(rows_of: Any) -> None:
    endpoint = (
        "using Shop; using Microsoft.AspNetCore.Mvc;\npublic class OrderController : Controller\n{\n"
        "    public int Named() => typeof(Order).Name.Length;\n"
        "    public int Counted(ShopContext db) => db.Orders.Count();\n}\n"
    )

    rows = rows_of("endpoints_that_reach_a_table", {"object": "dbo.Order"}, Shop=CODE_FIRST, Web=endpoint)

    assert [(row["node_key"], row["by"]) for row in rows if row["role"] == "ACTION"] == [
        ("csharp:OrderController.Counted|METHOD", "access"), ("csharp:OrderController.Named|METHOD", "mention"),
    ]  # fmt: skip


def test_endpoints_that_write_a_table_are_told_from_those_that_read_it(rows_of: Any) -> None:
    endpoint = (
        "using Shop; using Microsoft.AspNetCore.Mvc;\npublic class OrderController : Controller\n{\n"
        "    public void Place(ShopContext db) { db.Orders.Add(new Order()); db.SaveChanges(); }\n"
        "    public void Repeat(ShopContext db) => Place(db);\n"
        "    public int Counted(ShopContext db) => db.Orders.Count();\n}\n"
    )

    rows = rows_of("endpoints_that_reach_a_table", {"object": "dbo.Order"}, Shop=CODE_FIRST, Web=endpoint)

    assert {row["node_key"]: row["writes"] for row in rows if row["role"] == "ACTION"} == {
        "csharp:OrderController.Counted|METHOD": False,
        "csharp:OrderController.Place|METHOD": True,
        "csharp:OrderController.Repeat|METHOD": True,
    }


def test_minimal_apis_that_reach_a_table(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "Shop.cs").write_text(CODE_FIRST)
    (tmp_path / "src" / "Api.cs").write_text(API)
    ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        rows = opened.table(
            cookbook.query("endpoints_that_reach_a_table"), variables={"object": "dbo.Order"}
        ).to_dicts()

    assert [(row["distance"], row["node_key"]) for row in rows] == [
        (1, "csharp:Shop.OrderApi.Listed|METHOD"), (1, "file:Api.cs|FILE"),
    ]  # fmt: skip


def test_foreign_key_cycles(ask: Ask) -> None:
    assert [(row["tables"], row["cycle"]) for row in ask("foreign_key_cycles")] == [
        (1, "dbo.Invoice|TABLE -> dbo.Invoice|TABLE"),
        (2, "dbo.CustomerContact|TABLE -> dbo.Customer|TABLE -> dbo.CustomerContact|TABLE"),
    ]


def test_tables_no_code_touches(ask: Ask) -> None:
    assert [row["node_key"] for row in ask("tables_no_code_touches")] == ["dbo.LegacyCustomerMap|TABLE"]


def test_parents_are_filled_before_their_children(ask: Ask) -> None:
    levels = {row["node_key"]: row["level"] for row in ask("order_to_fill_tables")}

    assert levels["dbo.TaxRate|TABLE"] < levels["dbo.Product|TABLE"] < levels["dbo.StockLevel|TABLE"]


def test_files_that_differ_between_branches(branches: Path) -> None:
    with ragduck.open(branches) as store:
        rows = store.sql(cookbook.query("changes_between_branches"))

    assert [(row["file_path"], row["change"]) for row in rows] == [
        ("gone.sql", "removed"),
        ("new.sql", "added"),
        ("order.sql", "changed"),
    ]


def test_objects_that_differ_between_branches(branches: Path) -> None:
    with ragduck.open(branches) as store:
        rows = store.sql(cookbook.query("objects_changed_between_branches"))

    assert [(row["node_key"], row["change"]) for row in rows] == [
        ("dbo.Gone|TABLE", "removed"),
        ("dbo.New|TABLE", "added"),
        ("dbo.Order|TABLE", "changed"),
    ]


@pytest.mark.parametrize("name", ["changes_between_branches", "objects_changed_between_branches"])
@pytest.mark.parametrize("variable", ["repo", "old", "new"])
def test_a_branch_that_is_not_held_is_an_error_and_not_a_difference(
    branches: Path, name: str, variable: str
) -> None:
    with ragduck.open(branches) as store, pytest.raises(UsageError) as error:
        store.table(cookbook.query(name), variables={variable: "typo"})

    assert "the store holds no " in error.value.message
    assert "typo" in error.value.message
    assert "it holds shop, main; shop, next" in error.value.message


def test_tables_that_only_entities_define_are_filled_in_order(rows_of: Any) -> None:
    rows = rows_of("order_to_fill_tables", Shop=CODE_FIRST)

    assert [(row["level"], row["node_key"]) for row in rows] == [
        (0, "dbo.Customers|TABLE"), (0, "dbo.Note|TABLE"), (1, "dbo.Order|TABLE"),
    ]  # fmt: skip


def test_a_table_that_only_its_entity_names_is_touched_by_no_code(rows_of: Any) -> None:
    rows = rows_of("tables_no_code_touches", Shop=CODE_FIRST)

    assert [row["node_key"] for row in rows] == ["dbo.Note|TABLE"]


@pytest.mark.parametrize("asked", ["dbo.Orders", "Orders", "Order", "csharp:Shop.Order|TYPE"])
def test_a_query_about_tables_takes_an_entity_for_its_table(tmp_path: Path, asked: str) -> None:
    text = CODE_FIRST.replace('.ToTable("Order")', '.ToTable("Orders")')
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "Shop.cs").write_text(
        text.replace(
            "public int Count()",
            "public void Add(Order order) { Orders.Add(order); }\n    public int Count()",
        )
    )
    ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        rows = opened.table(cookbook.query("who_writes_a_table"), variables={"object": asked}).to_dicts()

    assert [row["writer"] for row in rows] == ["csharp:Shop.ShopContext.Add|METHOD"]


def test_methods_nobody_calls_leaves_out_what_others_call(rows_of: Any) -> None:
    rows = rows_of(
        "methods_nobody_calls", Shop=METHODS, tests__ClockTests=METHODS.replace("Shop", "Shop.Tests")
    )

    assert [row["node_key"] for row in rows] == [
        "csharp:Shop.Clock.Dead|METHOD", "csharp:Shop.IClock.Zone|METHOD",
    ]  # fmt: skip


def test_methods_nobody_calls_leaves_out_constructors_and_what_markup_calls(tmp_path: Path) -> None:
    (tmp_path / "Worker.cs").write_text(
        "public class Worker { public Worker(int zone) { } public void Dead() { } }"
    )
    (tmp_path / "page.js").write_text("function shown() { return 1; }\n")
    ragduck.prepare(tmp_path, tmp_path / "s.duckdb", embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        rows = opened.sql(cookbook.query("methods_nobody_calls"))

    assert [row["node_key"] for row in rows] == ["csharp:Worker.Dead|METHOD"]


def test_an_unknown_query_names_the_closest() -> None:
    with pytest.raises(UsageError, match="did you mean @unused_procedures"):
        cookbook.query("unused_procedure")


def test_a_variable_is_a_value_and_not_sql(store: Store) -> None:
    hostile = "x'; drop table documents; --"

    rows = store.table("select getvariable('object') as object", variables={"object": hostile}).to_dicts()

    assert rows == [{"object": hostile}]


def test_a_variable_has_a_plain_name(store: Store) -> None:
    with pytest.raises(UsageError, match="no name of a variable"):
        store.table("select 1", variables={"a = 1; drop table documents; --": "x"})


def test_command_asks_the_cookbook(invoke: Any, shop_store: Path) -> None:
    result = invoke("sql", shop_store, "@who_writes_a_table", "--set", "object=dbo.StockLevel", "--json")

    assert result.exit_code == 0, result.stderr
    assert "dbo.Stock_Reserve|PROC" in {row["writer"] for row in json.loads(result.stdout)}


def test_command_lists_the_cookbook(invoke: Any, shop_store: Path) -> None:
    result = invoke("sql", shop_store, "@", "--json")

    rows = json.loads(result.stdout)
    assert [row["query"] for row in rows] == [f"@{name}" for name in QUERIES]
    assert {row["set"] for row in rows} >= {"", "object", "repo, old, new"}


def test_the_questions_of_the_cookbook_are_listed_whole(invoke: Any, shop_store: Path) -> None:
    result = invoke("sql", shop_store, "@")

    assert "…" not in result.stdout
    assert all(question in result.stdout for _, question in cookbook.questions())


def test_command_refuses_a_setting_without_a_value(invoke: Any, shop_store: Path) -> None:
    result = invoke("sql", shop_store, "@unused_procedures", "--set", "object")

    assert result.exit_code == 2
    assert "NAME=VALUE" in result.stderr


@pytest.mark.parametrize(
    ("asked", "error", "hint"),
    [
        (
            ["@who_writes_a_table", "--set", "objct=dbo.StockLevel"],
            "@who_writes_a_table reads no variable 'objct'; did you mean object?",
            "ragduck sql STORE @who_writes_a_table --set object=NAME",
        ),
        (
            ["@unused_procedures", "--set", "object=dbo.Invoice"],
            "@unused_procedures reads no variable 'object'",
            "leave it out: ragduck sql STORE @unused_procedures",
        ),
        (
            ["@who_writes_a_table"],
            "@who_writes_a_table has to be told object",
            "ragduck sql STORE @who_writes_a_table --set object=dbo.Invoice",
        ),
        (
            ["@who_writes_a_table", "--set", "object=dbo.Nope"],
            "no node is called dbo.Nope",
            "ragduck sql STORE @who_writes_a_table --set object=NAME",
        ),
        (
            ["@pages_that_reach_a_table", "--set", "object=dbo.Order", "--set", "branch=typo"],
            "no node is called dbo.Order",
            "ragduck sql STORE @pages_that_reach_a_table --set object=NAME; "
            "ragduck info STORE lists repositories and branches",
        ),
        (
            ["@objects_changed_between_branches", "--set", "new=typo"],
            "the store holds no ",
            "ragduck sql STORE @objects_changed_between_branches --set repo=NAME --set old=NAME --set new=NAME",
        ),
    ],
)  # fmt: skip
def test_command_refuses_a_wrong_setting_with_the_command_to_type(
    invoke: Any, shop_store: Path, asked: list[str], error: str, hint: str
) -> None:
    result = invoke("sql", shop_store, *asked)

    assert (result.exit_code, result.stdout) == (2, "")
    assert error in result.stderr.splitlines()[0]
    assert result.stderr.splitlines()[1] == f"hint: {hint}"


def test_command_takes_a_variable_in_any_case(invoke: Any, shop_store: Path) -> None:
    result = invoke("sql", shop_store, "@who_writes_a_table", "--set", "Object=dbo.StockLevel", "--json")

    assert len(json.loads(result.stdout)) == 4


@pytest.mark.parametrize("name", ["tables_no_code_touches", "order_to_fill_tables"])
def test_the_history_of_a_temporal_table_is_the_engine_s(tmp_path: Path, name: str) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.sql").write_text(
        "create table dbo.City (Id int, ValidFrom datetime2, ValidTo datetime2) "
        "with (system_versioning = on (history_table = dbo.City_Archive));\nGO\n"
        "create table dbo.City_Archive (Id int, ValidFrom datetime2, ValidTo datetime2);\n"
    )
    ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        assert [row["node_key"] for row in opened.sql(cookbook.query(name))] == ["dbo.City|TABLE"]
