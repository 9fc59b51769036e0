"""Which strings of a C# file are facts, with what value, and where."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ragduck.facts import (
    UNKNOWN,
    Argument,
    Call,
    Choice,
    Expression,
    FileFacts,
    Joined,
    Member,
    Name,
    New,
    StringFact,
    Text,
    Typed,
)
from ragduck.model import Document
from ragduck.parse.csharp import outline

M = "csharp:A.M|METHOD"
CONN = Typed("IConn", "conn")


def facts_of(source: str) -> FileFacts:
    text = dedent(source).lstrip("\n")
    facts = outline(Document("A.cs", text, "csharp", "cs", "source", len(text), 0)).facts

    assert facts is not None
    return facts


def strings_in(body: str) -> tuple[StringFact, ...]:
    return facts_of(f"class A {{ string M(IConn conn, string part) {{\n{dedent(body)}\n}} }}").strings


def rows_in(body: str) -> list[tuple[Expression, int, int, str]]:
    """Return value, lines (from 1 within the body) and target of each string."""
    found = strings_in(dedent(body).lstrip("\n"))
    return [(fact.value, fact.line - 1, fact.end_line - 1, fact.assigned_to) for fact in found]


def value_in(body: str) -> Expression:
    return strings_in(body)[-1].value


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        (r'"select \"a\"\t\n\\ \u0041\x42 \U00000043 \0 \e"', 'select "a"\t\n\\ AB C \0 \x1b'),
        ('@"select ""a"" \\n"', 'select "a" \\n'),
        ('"select a"u8', "select a"),
        ('"""select "a" \\n"""', 'select "a" \\n'),
        ('""""select """ a""""', 'select """ a'),
        ('"""\n    select\n      a\n\n    """', "\nselect\n  a\n\n"),
        ('@"select\n  a"', "select\n  a"),
        ('$"select {{a}}"', "select {a}"),
        ('$@"select ""a"" {{}}\n"', 'select "a" {}\n'),
        ('@$"select \\n"', "select \\n"),
        ('$"""select "a" {"x"}"""', 'select "a" x'),
        ('$$"""\n  select {a} {{"x"}}\n  """', "\nselect {a} x\n"),
        (r'"select \uD800"', "select \ufffd"),
    ],
)
def test_literals_of_every_kind_are_decoded(literal: str, text: str) -> None:
    assert value_in(f"Query({literal});") == Text(text)


PART = Typed("string", "part")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (
            '$"select {part} from {Schema}.T"',
            Joined((Text("select "), Typed("string", "part"), Text(" from "), Name("Schema"), Text(".T"))),
        ),
        ('$"select {x.Y,-5:N2}"', Joined((Text("select "), Member(Name("x"), "Y")))),
        ('$@"select {(a ? b : c)}"', Joined((Text("select "), Choice((Name("b"), Name("c")))))),
        ('"select " + part + " from " + typeof(T).Name', None),
        ('"select " + 1 + Names.X', Joined((Text("select "), Typed("int"), Member(Name("Names"), "X")))),
        ('"select " + "a" + $" from {"b"}"', Text("select a from b")),
        (
            'string.Format("select {0} {1:N2} {{}}", part, 1)',
            Joined((Text("select "), Typed("string", "part"), Text(" "), Typed("int"), Text(" {}"))),
        ),
        ('String.Format(culture, "select {0}", "a")', Text("select a")),
        ('string.Format("select {7}", part)', Joined((Text("select "), UNKNOWN))),
        ('string.Concat("select ", part)', Joined((Text("select "), Typed("string", "part")))),
        ('string.Join(", ", "select a", "b")', Text("select a, b")),
        ('"select " + string.Join(", ", new[] { "a", "b" })', Text("select a, b")),
        ('"select a".Trim().ToString()', Text("select a")),
        ('"select a".Replace("a", "b")', Text("select b")),
        ('"select a, a".Replace("a", part)', Joined((Text("select "), PART, Text(", "), PART))),
        ('("select a" + part).Replace("a", "b")', Joined((Text("select b"), PART))),
        (
            '(x ? "select a" : "select b").Replace("a", part)',
            Choice((Joined((Text("select "), PART)), Text("select b"))),
        ),
        ('"select a".Replace("\\n", " ").PadRight(1)', Text("select a")),
        ('"select a".ToUpperInvariant()', Text("SELECT A")),
        (
            '"select {0} from T".FormatWith(part)',
            Joined((Text("select "), PART, Text(" from T "), UNKNOWN)),
        ),
        ('x ? "select a" : "select b"', Choice((Text("select a"), Text("select b")))),
        ('x switch { 1 => "select a", _ => throw y }', Text("select a")),
        ('part ?? "select a"', Choice((Typed("string", "part"), Text("select a")), is_fallback=True)),
        ('(string)("select a")', Text("select a")),
        (
            'new StringBuilder("select ").Append(part).AppendLine(" x").ToString()',
            Joined((Text("select "), Typed("string", "part"), Text(" x\n"))),
        ),
    ],
)
def test_strings_are_put_together(expression: str, value: Expression | None) -> None:
    found = strings_in(f"Query({expression});")

    assert len(found) == 1
    assert value is None or repr(found[0].value) == repr(value)


def test_a_changed_string_is_unknown_and_its_literal_a_fact_no_more() -> None:
    assert strings_in('Query("select a".Replace(part, "a")); Query("select a".Substring(1));') == ()


def test_a_string_tells_the_call_it_is_given_to_and_all_its_lines() -> None:
    found = strings_in('conn.Query<Order>(\n  "select a " +\n  "from b", part);')

    call = Call(
        Member(CONN, "Query"),
        (Argument(Text("select a \nfrom b")), Argument(Typed("string", "part"))),
        ("Order",),
    )
    assert found == (StringFact(M, Text("select a \nfrom b"), 3, 4, call),)


def test_the_constructor_that_a_string_is_given_to_is_a_call_with_all_settings() -> None:
    found = strings_in('var c = new SqlCommand("dbo.P", conn) { CommandType = CommandType.StoredProcedure };')

    call = Call(
        New("SqlCommand"),
        (
            Argument(Text("dbo.P")),
            Argument(CONN),
            Argument(Member(Name("CommandType"), "StoredProcedure"), "CommandType"),
        ),
    )
    assert found == (StringFact(M, Text("dbo.P"), 2, 2, call),)


def test_the_name_that_a_command_is_made_with_is_a_fact_as_no_call_tells_it() -> None:
    found = strings_in(
        "Run(new SqlCommand(Names.P, conn)); c.CommandText = _sql; c = new Command { CommandText = part };"
    )

    assert [(fact.value, fact.assigned_to) for fact in found] == [
        (Member(Name("Names"), "P"), ""),
        (Name("_sql"), "CommandText"),
        (Typed("string", "part"), "CommandText"),
    ]


@pytest.mark.parametrize(
    ("statement", "target"),
    [
        ('c.CommandText = "select a";', "CommandText"),
        ('_sql = "select a";', "_sql"),
        ('this._sql = "select a";', "_sql"),
        ('x.Y ??= "select a";', "Y"),
        ('var c = new Command { CommandText = "select a" };', "CommandText"),
        ('var c = new { Sql = "select a" };', "Sql"),
        ('var c = d with { Sql = "select a" };', "Sql"),
        ('var sql = "select a";', "sql"),
        ('const string sql = "select a";', "sql"),
        ('return "select a";', ""),
        ('yield return "select a";', ""),
        ('var c = new List<string> { "select a" };', ""),
        ('string[] c = { "select a" };', ""),
        ('Func<string> f = () => "select a";', ""),
        ('d["x"] = "select a";', ""),
    ],
)
def test_a_string_tells_what_it_is_put_into(statement: str, target: str) -> None:
    assert rows_in(statement) == [(Text("select a"), 1, 1, target)]


def test_strings_of_fields_and_properties_belong_to_them() -> None:
    facts = facts_of("""
        class A
        {
            const string One = "any text", Two = "2";
            string Three = "select a";
            string Four { get; } = "select b";
            string Five => "select c";
            string Six = "any text";
        }
        """)

    assert facts.strings == (
        StringFact("csharp:A.One|FIELD", Text("any text"), 3, 3, assigned_to="One"),
        StringFact("csharp:A.Three|FIELD", Text("select a"), 4, 4, assigned_to="Three"),
        StringFact("csharp:A.Four|PROPERTY", Text("select b"), 5, 5, assigned_to="Four"),
        StringFact("csharp:A.Five|PROPERTY", Text("select c"), 6, 6, assigned_to="Five"),
    )


@pytest.mark.parametrize(
    "literal",
    [
        "select a",
        "DELETE",
        "dbo.X",
        "[dbo].[X Y]",
        "Order_ReadById",
        "a..c.d",
        "`a`.`b`",
        "x join y",
        "TRUNCATE TABLE x",
    ],
)
def test_what_may_matter_is_a_fact(literal: str) -> None:
    assert strings_in(f'Log("{literal}");') != ()


@pytest.mark.parametrize(
    "literal", ["Order", "selected", "1.5", "", "{0} of {1}", "a, b. c", "It is done.", "_", "hello world"]
)
def test_what_cannot_matter_is_none(literal: str) -> None:
    assert strings_in(f'Log("{literal}");') == ()


@pytest.mark.parametrize(
    "name", ["Query", "ExecuteAsync", "FromSqlRaw", "ToTable", "ToView", "CallStoredProc"]
)
def test_a_database_call_makes_any_text_a_fact(name: str) -> None:
    assert [fact.value for fact in strings_in(f'x.{name}("Order", "1");')] == [Text("Order")]


def test_strings_that_are_compared_or_in_attributes_are_no_facts() -> None:
    source = '[Table("dbo.X")] class A { bool M(string s) => s == "select a" || s is "select b"; }'

    assert facts_of(source).strings == ()


def test_a_local_that_is_given_to_a_database_call_is_one_fact_where_it_is_written() -> None:
    found = rows_in("""
        var sql = "select a " +
            "from b";
        conn.Query(sql);
        Log(sql);
        """)

    assert found == [(Text("select a \nfrom b"), 1, 2, "")]


def test_a_local_that_no_database_call_gets_is_a_fact_of_its_own() -> None:
    assert rows_in('var sql = "select a";\nLog(sql);\nreturn sql;') == [(Text("select a"), 1, 1, "sql")]


def test_a_string_that_is_added_to_is_one_fact() -> None:
    found = rows_in("""
        var sql = "select a from b";
        if (x)
            sql += " where c = " + part;
        sql = sql + " order by d";
        c.CommandText = sql;
        """)

    value = Joined((Text("select a from b\n\n where c = "), Typed("string", "part"), Text("\n order by d")))
    assert found == [(value, 1, 4, "CommandText")]


def test_a_string_that_is_assigned_in_branches_is_a_choice() -> None:
    found = rows_in("""
        string sql;
        if (x) sql = "select a";
        else sql = "select b";
        conn.Query(sql);
        """)

    assert found == [(Choice((Text("select a"), Text("\nselect b"))), 2, 3, "")]


@pytest.mark.parametrize("nothing", ["null", '""', "string.Empty"])
def test_a_string_that_begins_with_nothing_is_what_is_added_to_it(nothing: str) -> None:
    found = strings_in(f'string sql = {nothing}; sql += "select a"; conn.Query(sql);')

    assert [fact.value for fact in found] == [Text("select a")]


def test_what_a_string_builder_holds_is_one_fact() -> None:
    found = rows_in("""
        var builder = new StringBuilder();
        builder.Append("select ").Append(part)
            .AppendLine(" from a");
        if (x) builder.AppendFormat("where {0} = 1", Key);
        conn.Query(builder.ToString());
        """)

    value = Joined(
        (Text("select "), Typed("string", "part"), Text("\n from a\nwhere "), Name("Key"), Text(" = 1"))
    )
    assert found == [(value, 2, 4, "")]


@pytest.mark.parametrize(
    ("call", "written"),
    [
        ('AppendLine(CultureInfo.InvariantCulture, $"from b")', "from b\n"),
        ('Append(culture, $"from b")', "from b"),
        ('AppendFormat(CultureInfo.InvariantCulture, "from {0}", "b")', "from b"),
        ('AppendFormat(formatProvider, "from b")', "from b"),
        ('AppendFormat("from {0}", "b")', "from b"),
    ],
)
def test_the_culture_that_a_string_builder_is_given_is_not_written(call: str, written: str) -> None:
    found = strings_in(
        f'var builder = new StringBuilder(); builder.Append("select a "); builder.{call}; Query(builder.ToString());'
    )

    assert [fact.value for fact in found] == [Text(f"select a {written}")]


@pytest.mark.parametrize("call", ['AppendFormat(Template, "from b")', 'Append(chars, 0, "from b")'])
def test_what_comes_first_is_a_text_unless_it_is_called_like_a_culture(call: str) -> None:
    found = strings_in(
        f'var builder = new StringBuilder(); builder.Append("select a "); builder.{call}; Query(builder.ToString());'
    )

    assert not any("from b" in repr(fact.value) for fact in found if "select" in repr(fact.value))


@pytest.mark.parametrize(
    "use",
    [
        "return builder.ToString();",
        "order.Put(builder.ToString());",
        "Run(new Order { A = builder.ToString() });",
    ],
)
def test_what_a_string_builder_holds_is_a_fact_wherever_it_goes(use: str) -> None:
    found = strings_in(
        f'var builder = new StringBuilder(); builder.Append("select a "); builder.Append("from b"); {use}'
    )

    assert [fact.value for fact in found] == [Text("select a from b")]


def test_a_string_builder_that_is_given_to_a_database_call_is_one_fact_until_it_is_cleared() -> None:
    found = rows_in("""
        var builder = new StringBuilder("select a from b");
        Log(builder.ToString());
        builder.Clear();
        builder.Append("delete from c");
        Log(builder.ToString());
        builder.Append(" where d = 1");
        conn.Query(builder.ToString());
        """)

    assert found == [(Text("select a from b"), 1, 1, ""), (Text("delete from c\n\n where d = 1"), 4, 6, "")]


@pytest.mark.parametrize(
    ("statements", "target"),
    [
        ('return ("select a from b", order);', ""),
        ('return x ? (Sql: "select a from b", 1) : (null, 2);', "Sql"),
        ('list.Add(("select a from b", null));', ""),
        ('foreach (var one in new[] { (1, "select a from b") }) { conn.Query(one.Item2); }', ""),
        ('var (sql, n) = ("select a from b", 1); conn.Query(sql);', ""),
        ('(string sql, var n) = ("select a from b", 1); conn.Query(sql);', ""),
        ('(var sql, var n) = ("select a ", 1); sql += "from b"; conn.Query(sql);', ""),
        ('string sql; int n; (sql, n) = ("select a from b", 1); conn.Query(sql);', ""),
        ('(c.CommandText, n) = ("select a from b", 1);', "CommandText"),
        ('var sql = "select a from b"; return (sql, 1);', "sql"),
        ('var b = new StringBuilder("select a "); b.Append("from b"); return (b.ToString(), 1);', ""),
    ],
)
def test_a_string_in_a_tuple_is_a_fact(statements: str, target: str) -> None:
    assert [(fact.value, fact.assigned_to) for fact in strings_in(statements)] == [
        (Text("select a from b"), target)
    ]


def test_an_explicit_string_local_without_a_known_value_is_typed() -> None:
    found = strings_in('string s = Make(); conn.Query("select " + s);')

    assert found[0].value == Joined((Text("select "), Typed("string", "s")))


def test_a_parameter_that_is_replaced_may_be_both() -> None:
    found = strings_in('if (x) part = "select a"; conn.Query(part);')

    assert found[0].value == Choice((Typed("string", "part"), Text("select a")))


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('c.CommandText = "select a"; c.CommandText += " from b";', "select a from b"),
        ('c.CommandText = "select a"; if (x) { c.CommandText += " from b"; }', "select a from b"),
        ('c.CommandText = " from b"; c.CommandText = "select a" + c.CommandText;', "select a from b"),
        ('c.CommandText = "x"; c.CommandText = "select a"; c.CommandText += " from b";', "select a from b"),
        ('c.CommandText = "select a" + Environment.NewLine + "from b";', "select a\nfrom b"),
        ('c.CommandText = "from b" + ControlChars.CrLf + " where c = 1";', "from b\n where c = 1"),
    ],
)
def test_the_text_of_a_command_may_be_put_together_piece_by_piece(body: str, text: str) -> None:
    assert value_in(body) == Text(text)


def test_only_the_whole_text_of_a_command_is_a_string_of_its_own() -> None:
    found = rows_in("""
        c.CommandText = "select a";
        Prepare(c);
        c.CommandText += " from b";
    """)

    assert found == [(Text("select a\n\n from b"), 1, 3, "CommandText")]


@pytest.mark.parametrize(
    "pieces",
    [
        ['"select * from Ord" +', '"ers"'],  # within a name
        ['"select * from " + part +', '"Orders"'],  # which part may begin
        ['"Choose a name " +', '", and a place"'],  # no SQL
        ['"/api/update/" +', "part"],
    ],
)
def test_texts_get_no_line_ends_where_they_might_mean_something(pieces: list[str]) -> None:
    assert value_in(f"conn.Query({pieces[0]}\n{pieces[1]});") == value_in(f"conn.Query({''.join(pieces)});")


def test_a_text_for_another_command_begins_anew() -> None:
    found = strings_in('c.CommandText = "select a"; d.CommandText = "select b"; d.CommandText += " from d";')

    assert [one.value for one in found] == [Text("select a"), Text("select b from d")]


def test_what_others_put_between_the_pieces_of_a_text_is_not_known() -> None:
    body = 'c.CommandText = "select a from b"; Filter(c); c.CommandText += " or c = 1";'

    assert value_in(body) == Joined((Text("select a from b\nwhere "), UNKNOWN, Text(" or c = 1")))


def test_a_condition_goes_on_where_one_has_begun() -> None:
    body = 'c.CommandText = "select a from b where c = 1"; c.CommandText += " or c = 2";'

    assert value_in(body) == Text("select a from b where c = 1 or c = 2")


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        (
            'c.CommandText = "select a from "; if (x) c.CommandText += "b"; else c.CommandText += "d";',
            ["select a from b", "select a from d"],
        ),
        (
            'c.CommandText = "select a from "; if (x) { c.CommandText += "b"; } else { c.CommandText += "d"; }',
            ["select a from b", "select a from d"],
        ),
        (
            'c.CommandText = "delete from "; switch (x) { case 1: c.CommandText += "b"; break; '
            'default: c.CommandText += "d"; break; }',
            ["delete from b", "delete from d"],
        ),
        (
            'c.CommandText = "select a from b"; if (x) { c.CommandText += " join d"; } c.CommandText += " where e";',
            ["select a from b join d", "select a from b where e"],
        ),
    ],
)
def test_what_two_branches_put_behind_a_text_is_not_put_together(body: str, texts: list[str]) -> None:
    assert [found.value for found in strings_in(body)] == [Text(text) for text in texts]
