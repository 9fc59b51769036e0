"""Strings tie code to tables, views and procedures, where they are SQL and only there."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts, ObjectFact, ObjectName
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.migrations.reading import read_migrations
from ragduck.graph.types.catalog import Catalog
from ragduck.model import Edge

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Rows = list[tuple[str, str, str, int, str, float]]
EdgesOf = Callable[..., Rows]

KNOWN = (
    "dbo.Order|TABLE",
    "dbo.Customer|TABLE",
    "dbo.OrderView|VIEW",
    "dbo.Order_Read|PROC",
    "dbo.fn_Price|FUNC",
)
READ = ("Orders.Read|METHOD", "ReadsFrom", "dbo.Order|TABLE")
EXECUTES = ("Orders.Read|METHOD", "Executes", "dbo.Order_Read|PROC")


def defined(key: str) -> ObjectFact:
    name, _, kind = key.rpartition("|")
    schema, _, simple = name.rpartition(".")
    return ObjectFact(key, kind, ObjectName(simple, schema), 1, 1)


def row(edge: Edge) -> tuple[str, str, str, int, str, float]:
    source = edge.from_key.partition(":")[2]
    return source, edge.relation, edge.to_key, edge.line, edge.rule, edge.confidence


@pytest.fixture
def edges_of(facts_of: FactsOf) -> EdgesOf:
    """Return the edges of C# code: from, relation, to, line, rule, confidence."""

    def edges(code: str, *, path: str = "Shop/Orders.cs") -> Rows:
        facts = facts_of({path: code})
        catalog, database = Catalog(facts), DatabaseCatalog(facts, created=[defined(key) for key in KNOWN])
        migrations = tuple(read_migrations(catalog))
        graph = inline_sql_graph(catalog, database, migrations=migrations)
        return sorted(row(edge) for edge in graph.edges)

    return edges


@pytest.fixture
def read_edges(edges_of: EdgesOf) -> EdgesOf:
    """Return the edges of statements on line 3, in a method of a class."""

    def edges(statements: str, *, members: str = "") -> Rows:
        return edges_of(
            f"class Orders {{\n void Read(IDbConnection db, int id, string text) {{\n{statements}\n}}\n{members}\n}}"
        )

    return edges


@pytest.mark.parametrize(
    "statements",
    [
        'db.Query("SELECT Id FROM dbo.Order");',
        'db.Query("select Id from [dbo].[Order]");',
        'await db.QueryAsync<int>(sql: "SELECT Id FROM dbo.Order");',
        'var sql = "SELECT Id FROM dbo.Order"; db.Query(sql);',
        'var sql = @"SELECT Id FROM dbo.Order"; Run(sql);',
        'using var command = new SqlCommand("SELECT Id FROM dbo.Order", connection);',
        'command.CommandText = "SELECT Id FROM dbo.Order";',
        'var command = new SqlCommand { CommandText = "SELECT Id FROM dbo.Order" };',
        'new SqlDataAdapter("SELECT Id FROM dbo.Order", connection).Fill(table);',
        'context.Orders.FromSqlRaw("SELECT * FROM dbo.Order WHERE Id = {0}", id);',
        'context.Orders.FromSqlInterpolated($"SELECT * FROM dbo.Order WHERE Id = {id}");',
        'context.Database.SqlQuery<int>($"SELECT Id FROM dbo.Order WHERE Name = {text}");',
        'db.Query("SELECT Id " + "FROM dbo.Order");',
        'db.Query($"SELECT Id FROM dbo.Order WHERE Id = {3}");',
    ],
)
def test_a_query_reads_its_table(read_edges: EdgesOf, statements: str) -> None:
    found = read_edges(statements)

    assert [edge[:4] for edge in found] == [(*READ, 3)]
    assert {edge[4] for edge in found} == {"inline sql"}


@pytest.mark.parametrize(
    ("sql", "relation", "target"),
    [
        ("INSERT INTO dbo.Order (Id) VALUES (@id)", "WritesTo", "dbo.Order|TABLE"),
        ("UPDATE dbo.Order SET Total = 0 WHERE Id = @id", "WritesTo", "dbo.Order|TABLE"),
        ("DELETE FROM dbo.Order WHERE Id = @id", "WritesTo", "dbo.Order|TABLE"),
        ("TRUNCATE TABLE dbo.Order", "WritesTo", "dbo.Order|TABLE"),
        ("SELECT * FROM dbo.OrderView", "ReadsFrom", "dbo.OrderView|VIEW"),
        ("EXEC dbo.Order_Read @id", "Executes", "dbo.Order_Read|PROC"),
        ("SELECT dbo.fn_Price(@id)", "Calls", "dbo.fn_Price|FUNC"),
    ],
)
def test_the_statement_tells_the_relation(read_edges: EdgesOf, sql: str, relation: str, target: str) -> None:
    found = read_edges(f'db.Execute("{sql}");')

    assert found == [("Orders.Read|METHOD", relation, target, 3, "inline sql", 1.0)]


def test_common_tables_temporary_tables_and_aliases_are_no_tables(read_edges: EdgesOf) -> None:
    found = read_edges(
        'db.Query(@"WITH last AS (SELECT o.Id FROM dbo.Order AS o)'
        ' SELECT l.Id INTO #t FROM last AS l; SELECT * FROM #t");'
    )

    assert [edge[:3] for edge in found] == [READ]


def test_the_line_is_that_of_the_table_in_a_verbatim_string(read_edges: EdgesOf) -> None:
    found = read_edges(
        'db.Query(@"\nSELECT c.Id\nFROM dbo.Customer AS c\nJOIN dbo.Order AS o ON o.CustomerId = c.Id");'
    )

    assert [(edge[2], edge[3]) for edge in found] == [("dbo.Customer|TABLE", 5), ("dbo.Order|TABLE", 6)]


def test_the_line_is_that_of_the_table_in_a_raw_string(read_edges: EdgesOf) -> None:
    found = read_edges('db.Query("""\n    SELECT Id\n    FROM dbo.Order\n    """);')

    assert [(edge[2], edge[3]) for edge in found] == [("dbo.Order|TABLE", 5)]


@pytest.mark.parametrize(
    "statements",
    [
        """var sql = new StringBuilder();

        sql.Append("SELECT o.Id ");
        sql.Append("FROM dbo.[Order] o ");
        if (id > 0)
            sql.AppendFormat("JOIN {0} c ON c.Id = o.Id ", "dbo.Customer");
        db.Query(sql.ToString());""",
        """var sql =

            "SELECT o.Id " +
            "FROM dbo.[Order] o " +

            "JOIN dbo.Customer c ON c.Id = o.Id ";
        db.Query(sql);""",
        """

        var sql = "SELECT o.Id ";
        sql += "FROM dbo.[Order] o ";
        if (id > 0)
            sql += "JOIN dbo.Customer c ON c.Id = o.Id ";
        db.Query(sql);""",
        """

        command.CommandText = "SELECT o.Id ";
        command.CommandText += "FROM dbo.[Order] o ";
        if (id > 0)
            command.CommandText += "JOIN dbo.Customer c ON c.Id = o.Id ";
        """,
        """db.Query(

            "SELECT o.Id " +
            $"FROM dbo.[Order] o " +

            string.Format("JOIN dbo.Customer c ON c.Id = {0} ", id), id);""",
    ],
)
def test_the_line_is_that_of_the_piece_that_names_the_table(read_edges: EdgesOf, statements: str) -> None:
    found = read_edges(statements)

    assert {(key, line) for _, _, key, line, _, _ in found} == {
        ("dbo.Order|TABLE", 6),
        ("dbo.Customer|TABLE", 8),
    }


@pytest.mark.parametrize(
    ("statements", "lines"),
    [
        ('var sql = "";\n\nsql += "SELECT * ";\nsql += "FROM dbo.[Order]";\ndb.Query(sql);', {6}),
        ('var sql = string.Empty;\nif (id > 0)\n sql = @"SELECT *\n FROM dbo.[Order]";\ndb.Query(sql);', {6}),
        (
            """string sql = "";
            if (id > 0)
                sql = "UPDATE dbo.[Order] SET Id = 1";
            else
                sql = "DELETE FROM dbo.Customer ";
            sql += text;
            db.Execute(sql);""",
            {5, 7},
        ),
        (
            """var sql = "SELECT * FROM dbo.[Order] ";
            if (id > 0)
                sql = "SELECT * FROM dbo.[Order] o ";
            sql += "WHERE Id IN (SELECT Id ";
            sql += "FROM dbo.Customer)";
            db.Query(sql);""",
            {3, 5, 7},
        ),
        (
            """string sql;
            if (id > 0)
                sql = "SELECT * FROM dbo.[Order] WHERE $x";
            else
                sql = "SELECT * FROM dbo.Customer WHERE $x";
            sql = sql.Replace("$x", "1 = 1");
            sql = string.Format(sql, id);
            db.Query(sql);""",
            {5, 7},
        ),
        ('var sql = @"\nSELECT *\nFROM dbo.[Order]\nWHERE $x";\ndb.Query(sql.Replace("$x", text));', {5}),
        (
            'var sql = new StringBuilder("SELECT 1 ");\nsql.Append(@"\nFROM dbo.[Order]");\nRun(sql.ToString());',
            {5},
        ),
    ],
)
def test_what_a_local_may_hold_is_told_on_its_own_line(
    read_edges: EdgesOf, statements: str, lines: set[int]
) -> None:
    found = read_edges(statements)

    assert {line for _, _, _, line, _, _ in found} == lines


@pytest.mark.parametrize(
    "statement",
    [
        'db.Query("SELECT * FROM dbo.[Order] WHERE Id = {0}".FormatWith(id));',
        'var sql = "SELECT * FROM dbo.[Order] WHERE Id = 1".Cleaned();\ndb.Query(sql);',
        'db.Query("SELECT * FROM dbo.[Order] $where".Replace("$where", text));',
        "db.Query(ById.FormatWith(id));",
    ],
)
def test_a_statement_that_is_changed_where_it_stands_is_less_sure(
    read_edges: EdgesOf, statement: str
) -> None:
    members = 'const string ById = "SELECT * FROM dbo.[Order] WHERE Id = {0}";'

    found = [one for one in read_edges(statement, members=members) if one[0] == READ[0]]

    assert found == [(*READ, 3, "inline sql", 0.7)]


def test_a_call_on_a_field_that_holds_no_statement_changes_nothing(read_edges: EdgesOf) -> None:
    members = "protected Limits limits; public Orders(Limits limits) { this.limits = limits; }"

    found = read_edges('db.Query("SELECT * FROM dbo.[Order] WHERE Id < " + limits.Top());', members=members)

    assert found == [(*READ, 3, "inline sql", 0.9)]


def test_a_statement_in_a_constant_belongs_to_whoever_changes_and_runs_it(read_edges: EdgesOf) -> None:
    members = 'const string ById = "SELECT * FROM dbo.[Order] WHERE Id = {0}";'

    found = read_edges("db.Query(ById.FormatWith(id));", members=members)

    assert [source for source, _, _, _, _, _ in found] == ["Orders.Read|METHOD"]


def test_lines_are_those_of_the_file_where_a_piece_cannot_begin_one(read_edges: EdgesOf) -> None:
    found = read_edges(
        """var sql = "SELECT 1 FROM dbo.[Order] ";
        sql += "WHERE Name LIKE '%";
        sql += text;
        sql += "%'";
        db.Query(sql);"""
    )

    assert [line for _, _, _, line, _, _ in found] == [3]


def test_a_comment_between_the_pieces_of_a_text_is_none(read_edges: EdgesOf) -> None:
    found = read_edges(
        """db.Query("SELECT Id " + // the list
            "FROM dbo.[Order] " /* of all */ +
            "JOIN dbo.Customer ON 1 = 1");"""
    )

    assert {(key, line) for _, _, key, line, _, _ in found} == {
        ("dbo.Order|TABLE", 4),
        ("dbo.Customer|TABLE", 5),
    }


def test_line_ends_that_a_text_writes_are_none_of_the_file(read_edges: EdgesOf) -> None:
    found = read_edges('db.Query("SELECT * \\n\\n FROM dbo.[Order]");\n\n\n')

    assert [line for _, _, _, line, _, _ in found] == [3]


def test_text_put_together_is_less_sure(read_edges: EdgesOf) -> None:
    found = read_edges('db.Query($"SELECT Id FROM {Table}");', members='const string Table = "dbo.Order";')

    assert found == [(*READ, 3, "inline sql", 0.9)]


def test_text_with_unknown_pieces_is_still_less_sure(read_edges: EdgesOf) -> None:
    found = read_edges('db.Query($"SELECT {text} FROM dbo.Order");')

    assert found == [(*READ, 3, "inline sql", 0.7)]


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("{databaseOwner}{objectQualifier}Customer", ["dbo.Customer|TABLE"]),
        ("{owner}.[{tablePrefix}Customer]", ["dbo.Customer|TABLE"]),
        ("{table}Customer", []),
        ("{prefix}_Customer", []),
    ],
)
def test_a_prefix_of_all_tables_is_no_part_of_a_name(
    read_edges: EdgesOf, table: str, expected: list[str]
) -> None:
    found = read_edges(f'db.Query("SELECT * FROM {table} WHERE Id = @0", id);')

    assert [edge[2] for edge in found] == expected


@pytest.mark.parametrize("method", ["Join", "InnerJoin", "LeftJoin", "RightJoin"])
def test_a_builder_of_dapper_reads_what_it_joins(read_edges: EdgesOf, method: str) -> None:
    found = read_edges(
        f"""var builder = new SqlBuilder();
        builder.{method}("dbo.Customer c ON c.Id = o.CustomerId");"""
    )

    assert found == [("Orders.Read|METHOD", "ReadsFrom", "dbo.Customer|TABLE", 4, "inline sql", 0.9)]


@pytest.mark.parametrize(
    "statement",
    [
        'db.Fetch<int>(Sql.Builder.Select("*").From("dbo.Customer").Where("Id = @0", id));',
        'db.Fetch<int>(new Sql().Select("*").From("dbo.Customer c"));',
        'var sql = Sql.Builder; sql.Select("*").From("dbo.Missing m"); sql.InnerJoin("dbo.Customer").On("1 = 1");',
    ],
)
def test_a_builder_of_petapoco_reads_what_it_is_told(read_edges: EdgesOf, statement: str) -> None:
    found = read_edges(statement)

    assert ("Orders.Read|METHOD", "ReadsFrom", "dbo.Customer|TABLE", 3, "inline sql", 0.9) in found


def test_others_join_no_tables(read_edges: EdgesOf) -> None:
    statements = """string.Join("dbo.Customer c", text); text.Join("dbo.Customer c ON c.Id = 1");
        letter.From("dbo.Customer");"""

    assert read_edges(statements) == []


def test_a_local_that_gets_another_statement_is_told_on_the_lines_of_each(read_edges: EdgesOf) -> None:
    found = read_edges(
        """var sql = "SELECT * FROM dbo.[Order]";
        db.Query(sql);
        sql = "DELETE FROM dbo.Customer";
        db.Execute(sql);
        sql = "DELETE FROM dbo.[Order]"; db.Execute(sql);"""
    )

    assert [(relation, key, line) for _, relation, key, line, _, _ in found] == [
        ("ReadsFrom", "dbo.Order|TABLE", 3),
        ("WritesTo", "dbo.Customer|TABLE", 5),
        ("WritesTo", "dbo.Order|TABLE", 7),
    ]


@pytest.mark.parametrize(
    "change",
    [
        'if (id > 0) sql = "SELECT * FROM dbo.Customer";',
        'if (id > 0) { sql = "SELECT * FROM dbo.Customer"; }',
        'try { sql = "SELECT * FROM dbo.Customer"; } catch { }',
        'while (id-- > 0) sql = "SELECT * FROM dbo.Customer";',
        'switch (id) { case 1: sql = "SELECT * FROM dbo.Customer"; break; }',
        'Action later = () => sql = "SELECT * FROM dbo.Customer"; later();',
        'Action later = () => { sql = "SELECT * FROM dbo.Customer"; }; later();',
        'var changed = id > 0 && (sql = "SELECT * FROM dbo.Customer") != "";',
        """#if DEBUG
        sql = "SELECT * FROM dbo.Customer";
        #endif
        """,
    ],
)
def test_a_local_that_may_get_another_statement_holds_either(read_edges: EdgesOf, change: str) -> None:
    found = read_edges(f'var sql = "SELECT * FROM dbo.[Order]"; {change}\ndb.Query(sql);')

    assert {key for _, _, key, _, _, _ in found} == {"dbo.Order|TABLE", "dbo.Customer|TABLE"}


def test_an_unknown_table_name_leads_nowhere(read_edges: EdgesOf) -> None:
    assert read_edges('db.Query($"SELECT * FROM dbo.{text}; SELECT * FROM Order_{text}");') == []


@pytest.mark.parametrize(
    "statements",
    [
        'db.Query("dbo.Order_Read", new { id }, commandType: CommandType.StoredProcedure);',
        'db.Query("[dbo].[Order_Read]", null, null, true, null, CommandType.StoredProcedure);',
        'db.Query("Order_Read", commandType: CommandType.StoredProcedure);',
        'db.Query(new CommandDefinition("dbo.Order_Read", commandType: CommandType.StoredProcedure));',
        'using var c = new SqlCommand("dbo.Order_Read", connection) { CommandType = CommandType.StoredProcedure };',
        'command.CommandText = "dbo.Order_Read"; command.CommandType = CommandType.StoredProcedure;',
        'SqlHelper.ExecuteReader(connectionString, CommandType.StoredProcedure, "dbo.Order_Read");',
        'db.QueryProc<Order>("dbo.Order_Read");',
        'db.Query("dbo.Order_Read");',
        'SqlHelper.ExecuteDataset(connectionString, "Order_Read", id);',
        'SqlHelper.ExecuteReader(connectionString, Owner + Prefix + "Order_Read", id);',
        'provider.Instance().ExecuteScalar<int>("Order_Read", id);',
        'context.Database.ExecuteSqlRaw("dbo.Order_Read @p0", id);',
    ],
)
def test_a_bare_name_is_a_procedure_where_the_code_says_so(read_edges: EdgesOf, statements: str) -> None:
    assert [edge[:4] for edge in read_edges(statements)] == [(*EXECUTES, 3)]


def test_a_bare_name_is_called_as_a_stored_procedure(read_edges: EdgesOf) -> None:
    found = read_edges('db.Query("dbo.Order_Read", commandType: CommandType.StoredProcedure);')

    assert found == [(*EXECUTES, 3, "stored procedure", 1.0)]


@pytest.mark.parametrize(
    "statements",
    [
        'Show("dbo.Order_Read");',
        'db.Query("Missing");',
        'db.Query("dbo.Missing");',
        'db.Update("Order_Read");',
        'table.Columns.Add("dbo.Order_Read");',
        'db.Query<A, B, C>(Sql, Map, null, splitOn: "Order_Read", commandType: CommandType.StoredProcedure);',
        'command.Parameters.Add("dbo.Order_Read", SqlDbType.Int);',
    ],
)
def test_a_bare_name_elsewhere_is_no_procedure(read_edges: EdgesOf, statements: str) -> None:
    assert read_edges(statements) == []


def test_a_missing_procedure_is_an_external_node(read_edges: EdgesOf) -> None:
    found = read_edges('db.Execute("[dbo].[Order_Archive]", commandType: CommandType.StoredProcedure);')

    assert found == [("Orders.Read|METHOD", "Executes", "dbo.Order_Archive|PROC", 3, "stored procedure", 1.0)]


def test_a_missing_table_is_an_external_node(read_edges: EdgesOf) -> None:
    found = read_edges('db.Execute("INSERT INTO dbo.ImportLog (Id) VALUES (1)");')

    assert [edge[1:3] for edge in found] == [("WritesTo", "dbo.ImportLog|TABLE")]


@pytest.mark.parametrize(
    "statements",
    [
        'Show("Select a customer from the list");',
        'Show("Update the print queue from the intranet.");',
        '_logger.LogInformation("Create invoice {InvoiceId} from order {OrderId}", id, id);',
        '_logger.LogDebug("SELECT Id FROM dbo.Order");',
        'throw new InvalidOperationException("SELECT Id FROM dbo.Order");',
        'Assert.Equal("SELECT Id FROM dbo.Order", sql);',
        'session.CreateQuery("select o from Order o where o.Id = :id");',
        'new ManagementObjectSearcher("SELECT * FROM Win32_Process");',
        'var where = "WHERE Id = @id"; var order = "ORDER BY Id";',
    ],
)
def test_other_texts_have_no_edges(read_edges: EdgesOf, statements: str) -> None:
    assert read_edges(statements) == []


def test_an_unmarked_statement_links_known_tables_only(edges_of: EdgesOf) -> None:
    code = 'class Orders { string A = Show("delete from Order1"); string B = Show("delete from Customer"); }'

    assert [edge[:3] for edge in edges_of(code)] == [("Orders.B|FIELD", "WritesTo", "dbo.Customer|TABLE")]


def test_a_statement_in_a_constant_belongs_to_the_method_that_runs_it(read_edges: EdgesOf) -> None:
    found = read_edges("db.Query(Sql);", members='const string Sql = "SELECT Id FROM dbo.Order";')

    assert found == [(*READ, 3, "constant", 1.0)]


def test_a_statement_in_a_constant_belongs_to_whoever_hands_it_on(read_edges: EdgesOf) -> None:
    found = read_edges("Run(Sql);", members='static readonly string Sql = "SELECT Id FROM dbo.Order";')

    assert found == [(*READ, 3, "constant", 1.0)]


def test_a_statement_that_nothing_uses_belongs_to_its_field(read_edges: EdgesOf) -> None:
    found = read_edges("", members='const string Sql = "SELECT Id FROM dbo.Order";')

    assert found == [("Orders.Sql|FIELD", "ReadsFrom", "dbo.Order|TABLE", 5, "inline sql", 1.0)]


def test_a_part_of_a_longer_statement_is_told_once(read_edges: EdgesOf) -> None:
    found = read_edges(
        'db.Query(Sql + " WHERE Id = @id");', members='const string Sql = "SELECT Id FROM dbo.Order";'
    )

    assert found == [(*READ, 3, "inline sql", 0.9)]


def test_a_procedure_in_a_constant_belongs_to_the_method_that_calls_it(edges_of: EdgesOf) -> None:
    code = """
        static class Names
        {
            public const string Read = "[dbo].[Order_Read]";
            public const string Unused = "[dbo].[Order_Delete]";
        }
        class Orders { void Read() => db.Query(Names.Read, commandType: CommandType.StoredProcedure); }
    """

    assert edges_of(code) == [(*EXECUTES, 6, "constant", 1.0)]


def test_a_property_has_its_statement_itself(edges_of: EdgesOf) -> None:
    code = 'class Orders { string Sql => "SELECT Id FROM dbo.Order"; }'

    assert [edge[:3] for edge in edges_of(code)] == [("Orders.Sql|PROPERTY", "ReadsFrom", "dbo.Order|TABLE")]


def test_a_choice_of_statements_gives_the_edges_of_both(read_edges: EdgesOf) -> None:
    found = read_edges('db.Query(id > 0 ? "SELECT Id FROM dbo.Order" : "SELECT Id FROM dbo.Customer");')

    assert {edge[2] for edge in found} == {"dbo.Order|TABLE", "dbo.Customer|TABLE"}


def test_a_method_that_runs_its_parameter_is_known(edges_of: EdgesOf) -> None:
    code = """
        class Base
        {
            protected void Call(string procedure, object p) => Run(procedure, p);
            void Run(string name, object p) => db.Query(name, p, commandType: CommandType.StoredProcedure);
        }
        class Orders : Base
        {
            void Read() { Call("dbo.Order_Read", null); Show("dbo.Customer_Read"); }
            void Show(string s) { }
        }
    """

    assert [edge[:3] for edge in edges_of(code)] == [EXECUTES]


@pytest.mark.parametrize(
    "helper",
    [
        """
        class Helper
        {
            public static void Run(string name)
            {
                var command = new SqlCommand();
                command.CommandText = name;
                command.CommandType = CommandType.StoredProcedure;
            }
        }
        """,
        """
        class Helper
        {
            public static void Run(string name)
            {
                var command = new SqlCommand(name, connection);
                command.CommandType = CommandType.StoredProcedure;
            }
        }
        """,
        """
        class Helper
        {
            public static void Run(string name) =>
                SqlHelper.ExecuteReader(connection, CommandType.StoredProcedure, Owner + Prefix + name);
        }
        """,
        """
        class Helper { public static void Run(string name) => SqlHelper.ExecuteNonQuery(connection, "dbo." + name); }
        """,
    ],
)
def test_a_helper_calls_the_procedure_that_it_is_given(edges_of: EdgesOf, helper: str) -> None:
    code = 'class Orders { void Read() { Helper.Run("Order_Read"); Helper.Run("Missing"); } }'

    found = [edge[:3] for edge in edges_of(code + helper) if "Missing" not in edge[2]]

    assert found == [EXECUTES]


def test_an_object_is_made_with_the_procedure_that_it_calls(edges_of: EdgesOf) -> None:
    code = """
        class Helper
        {
            public Helper(string connection, string command) =>
                Initialize(connection, command, CommandType.StoredProcedure);
            public Helper(string connection, string command, CommandType type, int count) { }
        }
        class Orders { void Read() { var helper = new Helper(Connection, "Order_Read"); } }
    """

    assert [edge[:3] for edge in edges_of(code)] == [EXECUTES]


@pytest.mark.parametrize(
    ("name", "procedures"),
    [
        ('Prefix + "Order_Read"', {"dbo.Shop_Order_Read|PROC"}),
        ('Owner + Prefix + "ReadOrder"', {"dbo.Shop_ReadOrder|PROC"}),
        ('Prefix + "Read"', set()),
        ('$"{Table}_Order_Read"', set()),
        ('$"{Table}_Shop_Order_Read"', set()),
        ('Prefix + "Order_List"', set()),
        ('Table + "Order_Read;"', set()),
        ('$"{schema}.Order_Read"', set()),
        ('$"{schema}.Shop_ReadOrder"', {"dbo.Shop_ReadOrder|PROC"}),
    ],
)
def test_a_prefix_may_be_unknown_where_one_procedure_ends_so(
    facts_of: FactsOf, name: str, procedures: set[str]
) -> None:
    code = f"class Orders {{ void Read() => SqlHelper.ExecuteReader(connection, {name}, id); }}"
    names = ("Shop_Order_Read", "Shop_ReadOrder", "A_Order_List", "B_Order_List")
    created = [defined(f"dbo.{one}|PROC") for one in names]

    facts = facts_of({"Shop/Orders.cs": code})
    edges = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts, created=created)).edges

    assert {edge.to_key for edge in edges} == procedures
    assert all(edge.confidence == 0.7 for edge in edges)


def test_a_method_that_runs_its_parameter_is_known_by_its_interface(edges_of: EdgesOf) -> None:
    code = """
        interface IAccess { void Load(string sp); }
        class Access : IAccess
        {
            public void Load(string sp) => db.Query(sp, commandType: CommandType.StoredProcedure);
        }
        class Other { public void Load(string file) { } }
        class Orders(IAccess access, Other other)
        {
            void Read() { access.Load("Order_Read"); other.Load("Customer_Read"); }
        }
    """

    assert [edge[:3] for edge in edges_of(code)] == [EXECUTES]


def test_a_bulk_copy_writes_its_destination(read_edges: EdgesOf) -> None:
    found = read_edges('bulk.DestinationTableName = "[dbo].[Order]"; other.DestinationTableName = "#Order";')

    assert found == [("Orders.Read|METHOD", "WritesTo", "dbo.Order|TABLE", 3, "bulk copy", 1.0)]


def test_a_procedure_is_named_by_nameof(edges_of: EdgesOf) -> None:
    code = """
        enum Procedures { Order_Read }
        class Orders
        {
            void Read() => db.Query(nameof(Procedures.Order_Read), commandType: CommandType.StoredProcedure);
        }
    """

    assert [edge[:3] for edge in edges_of(code)] == [EXECUTES]


def test_a_bulk_copy_writes_what_a_constant_names(edges_of: EdgesOf) -> None:
    code = """
        class Orders
        {
            const string Target = "dbo.Order";
            void Read() { var bulk = new SqlBulkCopy(c) { DestinationTableName = Target }; }
            void Write() { copy.DestinationTableName = Target; }
        }
    """

    assert {edge[:3] for edge in edges_of(code)} == {
        ("Orders.Read|METHOD", "WritesTo", "dbo.Order|TABLE"),
        ("Orders.Write|METHOD", "WritesTo", "dbo.Order|TABLE"),
    }


def test_a_bulk_copy_writes_what_its_method_is_given(edges_of: EdgesOf) -> None:
    code = """
        class Loader { public void Load(DataTable rows, string table) { copy.DestinationTableName = table; } }
        class Orders(Loader loader) { void Read() { loader.Load(rows, "dbo.Order"); } }
    """

    assert [edge[:3] for edge in edges_of(code)] == [("Orders.Read|METHOD", "WritesTo", "dbo.Order|TABLE")]


@pytest.mark.parametrize(
    "statement",
    [
        'p.TypeName = "dbo.Ids";',
        'var p = new SqlParameter { TypeName = "dbo.Ids" };',
        'rows.AsTableValuedParameter("dbo.Ids");',
        "p.TypeName = Names.Ids;",
        "rows.AsTableValuedParameter(Names.Ids);",
        'p.TypeName = "Ids";',
        'rows.SetTypeName("[dbo].[Ids]");',
    ],
)
def test_a_parameter_that_holds_a_table_uses_its_type(facts_of: FactsOf, statement: str) -> None:
    script = "create type dbo.Ids as table (Id int);"
    names = 'static class Names { public const string Ids = "dbo.Ids"; }'
    facts = facts_of({"a.sql": script, "A.cs": f"class Orders {{ void Read() {{ {statement} }} }} {names}"})
    (edge,) = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts)).edges

    assert (edge.from_key, edge.relation, edge.to_key, edge.rule) == (
        "csharp:Orders.Read|METHOD", "Uses", "dbo.Ids|TYPE", "table type",
    )  # fmt: skip


def test_a_type_name_that_no_script_defines_is_none(edges_of: EdgesOf) -> None:
    assert (
        edges_of('class Orders { void Read() { p.TypeName = "Shop.Order"; p.TypeName = "dbo.Order_Read"; } }')
        == []
    )


def test_code_that_creates_its_tables_changes_the_schema(read_edges: EdgesOf) -> None:
    found = read_edges('db.Execute("CREATE TABLE dbo.Order (Id int)");')

    assert [edge[:3] for edge in found] == [("Orders.Read|METHOD", "SchemaChange", "dbo.Order|TABLE")]


def test_the_body_of_a_procedure_is_not_what_the_method_does(read_edges: EdgesOf) -> None:
    found = read_edges('db.Execute("CREATE PROCEDURE dbo.X AS SELECT Id FROM dbo.Order");')

    assert found == []


@pytest.mark.parametrize(
    "body",
    [
        'void Up(MigrationBuilder b) { b.Sql("UPDATE dbo.Order SET Total = 0"); }',
        'const string Text = "UPDATE dbo.Order SET Total = 0"; void Up(MigrationBuilder b) { b.Sql(Text); }',
        'void Up() { var text = @"UPDATE dbo.Order\n SET Total = 0"; Execute.Sql(text); }',
        'void Down(MigrationBuilder b) { b.Sql("UPDATE dbo.Order SET Total = 0"); }',
    ],
)
def test_what_migrations_hand_to_their_framework_is_read_elsewhere(edges_of: EdgesOf, body: str) -> None:
    assert edges_of(f"class AddOrder : Migration {{ {body} }}") == []


@pytest.mark.parametrize(
    ("body", "member"),
    [
        (
            "void Up() { Execute.WithConnection((c, t) =>"
            ' { c.CommandText = "DELETE FROM dbo.Order WHERE Id = 1"; }); }',
            "Up",
        ),
        (
            "void Up() { Execute.WithConnection(Fill); }"
            ' void Fill(IDbConnection c) { c.Execute("DELETE FROM dbo.Order WHERE Id = 1"); }',
            "Fill",
        ),
        (
            'void Up() { Copy(); } void Copy() { new SqlCommand("DELETE FROM dbo.Order WHERE Id = 1", c); }',
            "Copy",
        ),
        ('void Seed(Db db) { db.ExecuteSqlCommand("DELETE FROM dbo.Order WHERE Id = 1"); }', "Seed"),
    ],
)
def test_what_a_migration_runs_by_other_means_is_of_its_method(
    edges_of: EdgesOf, body: str, member: str
) -> None:
    found = [edge[:3] for edge in edges_of(f"class AddOrder : Migration {{ {body} }}")]

    assert found == [(f"AddOrder.{member}|METHOD", "WritesTo", "dbo.Order|TABLE")]


@pytest.mark.parametrize(
    "code",
    ["", "class {", 'class A { string s = "SELECT', 'class A { void M() { db.Query($"SELECT * FROM {'],
)
def test_broken_code_costs_its_edges_only(edges_of: EdgesOf, code: str) -> None:
    assert edges_of(code) == []


@pytest.mark.parametrize(
    "query",
    ["SELECT Id FROM c", "SELECT Id FROM c WHERE c.Id = 1", "INSERT INTO dbo.Customer SELECT * FROM c"],
)
def test_a_common_table_expression_may_be_called_c(read_edges: EdgesOf, query: str) -> None:
    found = read_edges(f'db.Query("WITH c AS (SELECT Id FROM dbo.Order) {query}");')

    writes = [("Orders.Read|METHOD", "WritesTo", "dbo.Customer|TABLE")] if "INSERT" in query else []
    assert [edge[:3] for edge in found] == [READ, *writes]


def test_a_container_of_cosmos_db_is_no_table(read_edges: EdgesOf) -> None:
    assert read_edges('db.Query("SELECT * FROM c WHERE c.id = @id"); db.Query("SELECT c.id FROM c");') == []


def test_a_procedure_is_found_through_methods_that_hand_its_name_on_in_any_order_of_files(
    facts_of: FactsOf,
) -> None:
    """Each of seven methods gives its parameter to the next; all but the first are learnt in one round."""
    shape = "public class C{0} {{ public void M{0}(System.Data.IDbConnection c, string q) {{ {1} }} }}"
    files = {
        "S/y.cs": 'public class User { public void Run(IDbConnection c) { new C6().M6(c, "dbo.Order_Read"); } }'
    }
    files["S/z.cs"] = shape.format(0, "c.Execute(q, null, null, null, CommandType.StoredProcedure);")
    for number, name in enumerate("abcdef", start=1):
        files[f"S/{name}.cs"] = shape.format(number, f"new C{number - 1}().M{number - 1}(c, q);")
    facts = facts_of(files)

    edges = inline_sql_graph(
        Catalog(facts), DatabaseCatalog(facts, created=[defined("dbo.Order_Read|PROC")])
    ).edges

    assert ("csharp:User.Run|METHOD", "Executes", "dbo.Order_Read|PROC") in {
        (edge.from_key, edge.relation, edge.to_key) for edge in edges
    }


@pytest.mark.parametrize(
    "statements",
    [
        'db.ExecuteSqlCommand(String.Format("TRUNCATE TABLE [{0}]", context.GetTableName<Booking>()));',
        'string name = context.GetTableName<Booking>(); db.Execute(string.Format("TRUNCATE TABLE {0}", name));',
        'var name = context.TableNameOf<Booking>(); db.Execute($"TRUNCATE TABLE [dbo].[{name}]");',
    ],
)
def test_the_table_of_an_entity_is_named_by_its_type(edges_of: EdgesOf, statements: str) -> None:
    entity = '[Table("Bookings")] class Booking { public int Id { get; set; } }'
    others = f"void Clear<T>() {{ {statements.replace('Booking', 'T')} }}"

    found = edges_of(f"class Orders {{ void Read() {{ {statements} }} {others} }} {entity}")

    assert [edge[:3] for edge in found] == [("Orders.Read|METHOD", "WritesTo", "dbo.Bookings|TABLE")]


def test_a_method_of_the_code_itself_says_what_a_table_is_called(edges_of: EdgesOf) -> None:
    code = """
        class Orders
        {
            static string GetTableName<T>() => "Archive";
            void Read() { db.Execute($"TRUNCATE TABLE dbo.{GetTableName<Booking>()}"); }
        }
        [Table("Bookings")] class Booking { public int Id { get; set; } }
    """

    assert [edge[:3] for edge in edges_of(code)] == [("Orders.Read|METHOD", "WritesTo", "dbo.Archive|TABLE")]


@pytest.mark.parametrize(
    "call",
    ["context.QueryString", "scheduler.ExecuteJob", "policy.ExecuteWithRetry", "view.ExecuteScriptAsync"],
)
def test_what_runs_no_sql_calls_no_procedure_by_its_name(edges_of: EdgesOf, call: str) -> None:
    assert edges_of(f'class Orders {{ void Read() {{ {call}("Order_Read"); }} }}') == []


def test_a_class_in_a_query_is_no_table(edges_of: EdgesOf) -> None:
    query = 's.CreateSQLQuery("SELECT o.Id FROM Shop.Domain.Order o JOIN dbo.Line l ON l.Id = o.Id")'
    code = f"namespace Shop.Domain; class Order; class Orders {{ void Read() => {query}; }}"

    assert [edge[:3] for edge in edges_of(code)] == [
        ("Shop.Domain.Orders.Read|METHOD", "ReadsFrom", "dbo.Line|TABLE")
    ]
