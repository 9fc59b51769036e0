"""Finding database objects by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts, ObjectFact, ObjectName
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.sqlreader.references import Reference

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

SQL = """
    USE Shop
    GO
    CREATE TABLE dbo.Orders (id int)
    GO
    CREATE TABLE sales.Orders (id int)
    GO
    CREATE TABLE sales.Prices (id int)
    GO
    CREATE TABLE a.Twice (id int)
    GO
    CREATE TABLE b.Twice (id int)
    GO
    CREATE VIEW dbo.[Open Orders] AS SELECT 1 AS a
    GO
    CREATE PROCEDURE dbo.Orders_Read AS SELECT 1
    GO
    CREATE FUNCTION dbo.Amount () RETURNS int AS BEGIN RETURN 1 END
    GO
    CREATE SYNONYM dbo.Debtor FOR dbo.Customer
    GO
"""


@pytest.fixture(scope="module")
def database(facts_of: FactsOf) -> DatabaseCatalog:
    return DatabaseCatalog(facts_of({"Store.Database/all.sql": SQL}))


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        (ObjectName("orders", "DBO"), "", "dbo.Orders|TABLE"),
        (ObjectName("Orders"), "", "dbo.Orders|TABLE"),
        (ObjectName("Orders", "sales"), "TABLE", "sales.Orders|TABLE"),
        (ObjectName("Prices"), "", "sales.Prices|TABLE"),
        (ObjectName("Twice"), "", None),
        (ObjectName("Open Orders"), "TABLE", "dbo.Open Orders|VIEW"),
        (ObjectName("Debtor"), "", "dbo.Debtor|SYNONYM"),
        (ObjectName("Orders_Read"), "", None),
        (ObjectName("Orders_Read"), "PROC", "dbo.Orders_Read|PROC"),
        (ObjectName("Amount", "dbo"), "PROC", "dbo.Amount|FUNC"),
        (ObjectName("Orders", "dbo", "Shop"), "", "dbo.Orders|TABLE"),
        (ObjectName("Orders", "dbo", "store"), "", "dbo.Orders|TABLE"),
        (ObjectName("Orders", "", "$(DatabaseName)"), "", "dbo.Orders|TABLE"),
        (ObjectName("Orders", "dbo", "Archive"), "", None),
        (ObjectName("Orders", "dbo", "Shop", "Server1"), "", None),
        (ObjectName("Missing"), "", None),
    ],
)
def test_names_are_looked_up_as_the_server_would(
    database: DatabaseCatalog, name: ObjectName, kind: str, expected: str | None
) -> None:
    assert database.find(name, kind=kind) == expected


def test_the_own_schema_comes_before_the_default_one(database: DatabaseCatalog) -> None:
    assert database.find(ObjectName("Orders"), own_schema="sales") == "sales.Orders|TABLE"


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("Price", "PROC", "dbo.Price|PROC"),
        ("Total", "FUNC", "dbo.Total|FUNC"),
        ("Open", "TABLE", "sales.Open|VIEW"),
        ("Open", "", "sales.Open|VIEW"),
    ],
)
def test_a_procedure_of_the_default_schema_comes_before_a_function_of_the_own_one(
    facts_of: FactsOf, name: str, kind: str, expected: str
) -> None:
    sql = """
        CREATE FUNCTION sales.Price () RETURNS int AS BEGIN RETURN 1 END
        GO
        CREATE PROCEDURE dbo.Price AS SELECT 1
        GO
        CREATE PROCEDURE sales.Total AS SELECT 1
        GO
        CREATE FUNCTION dbo.Total () RETURNS int AS BEGIN RETURN 1 END
        GO
        CREATE VIEW sales.[Open] AS SELECT 1 AS a
        GO
        CREATE TABLE dbo.[Open] (id int)
        GO
    """
    database = DatabaseCatalog(facts_of({"Store.Database/all.sql": sql}))

    assert database.find(ObjectName(name), kind=kind, own_schema="sales") == expected


@pytest.mark.parametrize(
    ("files", "created", "expected"),
    [
        ({}, 0, "dbo"),
        ({}, 1, "dbo"),
        ({"A/a.sql": "CREATE TABLE a (id serial);"}, 0, "public"),
        ({"A/a.sql": "CREATE TABLE a (id serial);"}, 2, "public"),
        ({"A/a.sql": "CREATE TABLE a (id serial);", "B/b.sql": "CREATE TABLE dbo.b (id int)"}, 0, "dbo"),
        (
            {
                "A/a.sql": "CREATE TABLE a (id serial); CREATE TABLE c (id serial);",
                "B/b.sql": "CREATE TABLE dbo.b (id int)",
            },
            0,
            "public",
        ),
        (
            {
                "A/a.sql": "CREATE TABLE a (id serial);",
                "A/c.sql": "CREATE TABLE a (id serial);",
                "B/b.sql": "CREATE TABLE dbo.b (id int)",
            },
            0,
            "dbo",
        ),
    ],
)
def test_the_default_schema_is_that_of_most_objects_of_sql_files(
    facts_of: FactsOf, files: dict[str, str], created: int, expected: str
) -> None:
    of_code = [
        ObjectFact(f"main.M{at}|TABLE", "TABLE", ObjectName(f"M{at}"), 1, 1, default_schema="main")
        for at in range(created)
    ]

    database = DatabaseCatalog(facts_of(files), created=of_code)

    assert database.key_for(ObjectName("Missing")) == f"{expected}.Missing|TABLE"


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        (ObjectName("orders"), "", "dbo.Orders|TABLE"),
        (ObjectName("Missing"), "PROC", "dbo.Missing|PROC"),
        (ObjectName("Missing", "sales"), "", "sales.Missing|TABLE"),
        (ObjectName("Invoice", "dbo", "ShopArchive"), "", "ShopArchive.dbo.Invoice|TABLE"),
        (ObjectName("Invoice", "", "ShopArchive", "S1"), "", "S1.ShopArchive.dbo.Invoice|TABLE"),
        (ObjectName("Missing", "dbo", "Shop"), "", "dbo.Missing|TABLE"),
    ],
)
def test_what_is_not_here_gets_a_key_of_its_own(
    database: DatabaseCatalog, name: ObjectName, kind: str, expected: str
) -> None:
    assert database.key_for(name, kind=kind) == expected


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        (ObjectName("tables", "sys"), "", None),
        (ObjectName("COLUMNS", "INFORMATION_SCHEMA"), "", None),
        (ObjectName("sysobjects"), "", None),
        (ObjectName("sysmergepublications"), "", None),
        (ObjectName("spt_values", "dbo", "master"), "", None),
        (ObjectName("pg_stat_user_tables"), "", None),
        (ObjectName("SYSDUMMY1", "SYSIBM"), "", None),
        (ObjectName("sp_rename"), "PROC", None),
        (ObjectName("sp_fulltext_database", "dbo", "Shop"), "PROC", None),
        (ObjectName("sp_Check", "dbo", "Shop"), "PROC", "dbo.sp_Check|PROC"),
        (ObjectName("sp_CheckUser"), "PROC", "dbo.sp_CheckUser|PROC"),
        (ObjectName("SP_Add_Order", "dbo"), "PROC", "dbo.SP_Add_Order|PROC"),
        (ObjectName("sp_who", "tools"), "PROC", "tools.sp_who|PROC"),
        (ObjectName("sp_who", "sys"), "PROC", None),
        (ObjectName("sp_who", "dbo"), "PROC", None),
        (ObjectName("SP_HelpText"), "PROC", None),
        (ObjectName("sp_add_jobstep"), "PROC", None),
        (ObjectName("sp_add_jobstep", "dbo", "Shop"), "PROC", "dbo.sp_add_jobstep|PROC"),
        (ObjectName("sp_MSgetversion"), "PROC", None),
        (ObjectName("sp_Anything", "dbo", "master"), "PROC", None),
        (ObjectName("xp_fixeddrives"), "PROC", None),
        (ObjectName("xp_cmdshell", "dbo", "master"), "PROC", None),
        (ObjectName("sp_send_dbmail", "dbo", "msdb"), "PROC", "msdb.dbo.sp_send_dbmail|PROC"),
        (ObjectName("sysjobs", "dbo", "msdb"), "", None),
        (ObjectName("STRING_SPLIT"), "FUNC", None),
        (ObjectName("STDistance", "Location"), "FUNC", None),
        (ObjectName("fn_Missing", "dbo"), "FUNC", "dbo.fn_Missing|FUNC"),
        (ObjectName("amount"), "FUNC", "dbo.Amount|FUNC"),
        (ObjectName("MyType"), "TYPE", None),
        (ObjectName("Invoice", "dbo"), "", "dbo.Invoice|TABLE"),
    ],
)
def test_references_lead_to_objects_of_somebodys_own(
    database: DatabaseCatalog, name: ObjectName, kind: str, expected: str | None
) -> None:
    reference = Reference(name, "Calls" if kind == "FUNC" else "ReadsFrom", 1, kind)

    assert database.target_of(reference) == expected


def test_a_name_without_schema_is_less_sure_where_only_another_schema_has_it(
    database: DatabaseCatalog,
) -> None:
    prices = Reference(ObjectName("Prices"), "ReadsFrom", 1)
    orders = Reference(ObjectName("Orders"), "ReadsFrom", 1)

    assert (database.confidence_of(prices), database.confidence_of(orders)) == (0.6, 1.0)


def test_objects_that_migrations_in_code_create_are_found() -> None:
    created = ObjectFact(
        "sales.DiscountCode|TABLE", "TABLE", ObjectName("DiscountCode", "sales"), 3, 9, path="M.cs"
    )

    assert (
        DatabaseCatalog([], created=[created]).find(ObjectName("discountcode")) == "sales.DiscountCode|TABLE"
    )


def test_an_object_is_found_in_the_database_of_the_server_that_a_script_puts_it_in(facts_of: FactsOf) -> None:
    text = "USE msdb\nGO\nCREATE PROCEDURE dbo.Nightly AS SELECT 1\nGO\n"
    database = DatabaseCatalog(facts_of({"jobs/nightly.sql": text}))

    assert database.find(ObjectName("Nightly", "dbo", "msdb"), kind="PROC") == "dbo.Nightly|PROC"
    assert database.find(ObjectName("nightly", "", "MSDB"), kind="PROC") == "dbo.Nightly|PROC"
    assert database.find(ObjectName("Nightly", "dbo", "master"), kind="PROC") is None
    assert database.find(ObjectName("Nightly", "dbo", "msdb", "Server1"), kind="PROC") is None


def test_an_object_that_a_script_puts_nowhere_may_be_called_in_a_database_of_the_server(
    facts_of: FactsOf,
) -> None:
    sql = "CREATE PROCEDURE dbo.Clean AS SELECT 1\nGO\nCREATE TABLE sales.Log (id int)\nGO\n"
    shop = "USE Shop\nGO\nCREATE PROCEDURE dbo.Order_Read AS SELECT 1\nGO\n"
    database = DatabaseCatalog(facts_of({"jobs/clean.sql": sql, "shop/all.sql": shop}))
    call = Reference(ObjectName("Clean", "dbo", "master"), "Executes", 1, "PROC")

    assert (database.target_of(call), database.confidence_of(call)) == ("dbo.Clean|PROC", 0.7)
    assert database.find(ObjectName("clean", "", "MSDB"), kind="PROC") == "dbo.Clean|PROC"
    mail = Reference(ObjectName("sp_send_dbmail", "dbo", "msdb"), "Executes", 1, "PROC")
    assert (database.target_of(mail), database.confidence_of(mail)) == ("msdb.dbo.sp_send_dbmail|PROC", 1.0)
    assert database.find(ObjectName("Log", "sales", "master")) == "sales.Log|TABLE"
    assert database.find(ObjectName("Log", "", "master"), own_schema="sales") is None
    assert database.find(ObjectName("Clean", "dbo", "master", "Server1"), kind="PROC") is None
    assert database.find(ObjectName("Order_Read", "dbo", "master"), kind="PROC") is None
    assert (
        database.target_of(Reference(ObjectName("xp_cmdshell", "dbo", "master"), "Executes", 1, "PROC"))
        is None
    )


CONNECTION = '{"ConnectionStrings": {"Shop": "Server=.;Database=%s;Trusted_Connection=True"}}'
TABLE = {"db/Orders.sql": "CREATE TABLE dbo.Orders (id int)"}


@pytest.mark.parametrize(
    "files",
    [
        {"Web/appsettings.json": CONNECTION % "Sales"},
        {"Web/appsettings.json": CONNECTION % "Sales", "Web/appsettings.Dev.json": CONNECTION % "Sales_Dev"},
        {"Web/web.config": '<add connectionString="Data Source=.;Initial Catalog=Sales" name="a" />'},
        {"Web/web.config": '<add name="Shop" connectionString="Data Source=.;Initial Catalog=Sales" />'},
        {"Web/a.json": CONNECTION % "Sales", "Web/b.json": CONNECTION % "master"},
        {"db/a.publish.xml": "<Project><TargetDatabaseName>Sales</TargetDatabaseName></Project>"},
        {"db/create.sql": "CREATE DATABASE [Sales]\nGO\n"},
        {"db/deploy.sql": ':setvar DatabaseName "Sales"\nGO\n'},
        {"Sales/Customer.sql": "CREATE TABLE dbo.Customer (id int)"},
    ],
)
def test_the_own_database_is_known_by_what_names_it(facts_of: FactsOf, files: dict[str, str]) -> None:
    database = DatabaseCatalog(facts_of({**TABLE, **files}))

    assert database.find(ObjectName("Orders", "dbo", "Sales")) == "dbo.Orders|TABLE"
    assert database.find(ObjectName("Orders", "dbo", "SalesArchive")) is None


@pytest.mark.parametrize(
    "files",
    [
        {"Web/a.json": CONNECTION % "Sales", "Web/b.json": CONNECTION % "SalesArchive"},
        {"Web/a.json": CONNECTION % "Shop", "Web/b.json": CONNECTION % "Sales"},
        {"Web/a.json": CONNECTION % "Sales", "Web/b.json": CONNECTION % "SalesProducts"},
        {"Web/tests/a.json": CONNECTION % "Sales"},
        {"Web/a.json": '{"Database": "Sales", "Note": "Database=Sales;"}'},
        {"db/create.sql": "CREATE DATABASE $(Sales)"},
    ],
)
def test_one_of_several_databases_is_not_known_to_be_the_own(
    facts_of: FactsOf, files: dict[str, str]
) -> None:
    database = DatabaseCatalog(facts_of({**TABLE, **files}))

    assert database.find(ObjectName("Orders", "dbo", "Sales")) is None


def test_a_variable_stands_for_the_database_of_a_project(facts_of: FactsOf) -> None:
    database = DatabaseCatalog(facts_of({"Sales/Orders.sql": "CREATE TABLE dbo.Orders (id int)"}))

    assert database.find(ObjectName("Orders", "dbo", "$(Sales)")) == "dbo.Orders|TABLE"
    assert database.find(ObjectName("Orders", "dbo", "$(Other)")) is None
