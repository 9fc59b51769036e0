"""Which members and types the facts of a C# file say are used."""

from __future__ import annotations

import pytest

from ragduck.facts import (
    AccessFact,
    Call,
    Element,
    Expression,
    FileFacts,
    LambdaParameter,
    Member,
    Name,
    New,
    Typed,
    UseFact,
)
from ragduck.model import Document
from ragduck.parse.csharp import outline

ORDER = Typed("Order", "order")
M = "csharp:A.M|METHOD"


def facts_of(source: str) -> FileFacts:
    facts = outline(Document("A.cs", source, "csharp", "cs", "source", len(source), 0)).facts

    assert facts is not None
    return facts


def accesses_in(body: str) -> list[tuple[Expression, bool]]:
    facts = facts_of(f"class A {{ void M(Order order) {{ {body} }} }}")
    return [(fact.expression, fact.is_write) for fact in facts.accesses]


def uses_in(source: str) -> list[tuple[str, str]]:
    return [(fact.type, fact.how) for fact in facts_of(source).uses]


def test_an_access_tells_where_it_stands() -> None:
    facts = facts_of("class A { void M() {\n  x = a\n    .B;\n} }")

    assert facts.accesses == (
        AccessFact(M, Name("x"), 2, is_write=True),
        AccessFact(M, Member(Name("a"), "B"), 3),
    )


@pytest.mark.parametrize(
    ("statement", "is_conditional"),
    [
        ("c.CommandType = CommandType.StoredProcedure;", False),
        ("using (c) { foreach (var one in all) { c.CommandType = CommandType.StoredProcedure; } }", False),
        ("if (all) Run(() => c.CommandType = CommandType.StoredProcedure);", False),
        ("if (all) c.CommandType = CommandType.StoredProcedure;", True),
        ("if (all) { } else { Prepare(c, CommandType.StoredProcedure); }", True),
        ("c.CommandType = all ? CommandType.StoredProcedure : CommandType.Text;", True),
        ("c.CommandType = type ?? CommandType.StoredProcedure;", True),
        ("c.CommandType = all switch { true => CommandType.StoredProcedure, _ => CommandType.Text };", True),
        ("Run(type == CommandType.StoredProcedure);", True),
        ("Run(type is CommandType.StoredProcedure);", True),
        ("switch (type) { case CommandType.StoredProcedure: break; }", True),
        ("switch (all) { case true: c.CommandType = CommandType.StoredProcedure; break; }", True),
        ('if (all) { c.CommandText = "SELECT 1"; c.CommandType = CommandType.StoredProcedure; }', True),
        ("if (all) { c.CommandText = name; c.CommandType = CommandType.StoredProcedure; }", True),
        ('c.CommandText = "A"; if (all) { c.CommandType = CommandType.StoredProcedure; }', True),
        ('if (all) { c.CommandType = CommandType.StoredProcedure; c.CommandText = "dbo.A"; }', False),
        ('if (all) { var c = new SqlCommand("A", d); c.CommandType = CommandType.StoredProcedure; }', False),
        (
            'if (all) { using (c = new X.SqlCommand("A")) { c.CommandType = CommandType.StoredProcedure; } }',
            False,
        ),
        (
            'switch (all) { case true: c.CommandText = "A"; c.CommandType = CommandType.StoredProcedure; break; }',
            False,
        ),
    ],
)
def test_a_stored_procedure_may_be_one_in_a_branch(statement: str, is_conditional: bool) -> None:
    facts = facts_of(f"class A {{ void M() {{ {statement} }} }}")

    found = [one for one in facts.accesses if getattr(one.expression, "name", "") == "StoredProcedure"]

    assert [one.is_conditional for one in found] == [is_conditional]


def test_a_parameter_is_a_stored_procedure_by_default_only() -> None:
    facts = facts_of("class A { void M(CommandType type = CommandType.StoredProcedure) { } }")

    assert [one.is_conditional for one in facts.accesses] == [True]


@pytest.mark.parametrize(
    ("statement", "expression"),
    [
        ("Run(order.Total);", Member(ORDER, "Total")),
        ("Run(order.Customer.Name);", Member(Member(ORDER, "Customer"), "Name")),
        ("Run(order?.Customer?.Name!);", Member(Member(ORDER, "Customer"), "Name")),
        ("Run(_db.Orders);", Member(Name("_db"), "Orders")),
        ("Run(this.Total);", Member(Name("this"), "Total")),
        ("Run(Total);", Name("Total")),
        ("Run(order.Lines[0]);", Member(ORDER, "Lines")),
        ("Run(order.Lines[0].Total);", Member(Element(Member(ORDER, "Lines"), is_picked=True), "Total")),
        ("Run(Load().Total);", Member(Call(Name("Load")), "Total")),
        ("Run(await Total);", Name("Total")),
        ("foreach (var l in order.Lines) { }", Member(ORDER, "Lines")),
        ("if (order is { Total: > 1 }) { }", Member(ORDER, "Total")),
        ("if (order is { Customer.Name: null }) { }", Member(Member(ORDER, "Customer"), "Name")),
        ("var x = from o in _db.Orders select o;", Member(Name("_db"), "Orders")),
        ("switch (1) { case Status.Open: break; }", Member(Name("Status"), "Open")),
        ('var s = $"{order.Total:N2}";', Member(ORDER, "Total")),
    ],
)
def test_what_is_read_is_an_access(statement: str, expression: Expression) -> None:
    assert accesses_in(statement) == [(expression, False)]


@pytest.mark.parametrize(
    ("statement", "expression"),
    [
        ("order.Total = 1;", Member(ORDER, "Total")),
        ("order.Total += 1;", Member(ORDER, "Total")),
        ("order.Total ??= 1;", Member(ORDER, "Total")),
        ("order.Total++;", Member(ORDER, "Total")),
        ("--order.Total;", Member(ORDER, "Total")),
        ("Total = 1;", Name("Total")),
        ("this.Total = 1;", Member(Name("this"), "Total")),
        ("(order.Total, var x) = (1, 2);", Member(ORDER, "Total")),
        ("Try(out order.Total);", Member(ORDER, "Total")),
        ("Try(ref order.Total);", Member(ORDER, "Total")),
        ("var x = new Order { Total = 1 };", Member(New("Order"), "Total")),
        ("Order x = new() { Total = 1 };", Member(New("Order"), "Total")),
        ("var x = order with { Total = 1 };", Member(ORDER, "Total")),
    ],
)
def test_what_is_set_is_a_write(statement: str, expression: Expression) -> None:
    assert accesses_in(statement) == [(expression, True)]


def test_members_of_members_are_set_through_nested_initializers() -> None:
    inner = Member(New("Order"), "Customer")

    assert accesses_in("var x = new Order { Customer = { Name = 1 } };") == [
        (inner, True),
        (Member(inner, "Name"), True),
    ]


def test_an_element_that_is_set_only_reads_the_member() -> None:
    assert accesses_in("order.Lines[0] = 1;") == [(Member(ORDER, "Lines"), False)]


def test_members_of_lambda_parameters_are_accesses() -> None:
    found = accesses_in("_db.Where(o => o.Total);")

    assert found == [(Member(LambdaParameter(Call(Member(Name("_db"), "Where"))), "Total"), False)]


@pytest.mark.parametrize(
    "statement",
    [
        "Run(order);",
        "order.Run();",
        "order.Lines.Run();",
        "this.Run();",
        "Run(this);",
        "Run(nameof(order.Total));",
        "Run(typeof(Order));",
        "Run(string.Empty);",
        'Run("a".Length);',
        "Run(typeof(Order).Name);",
        "int x = 1; x++; Run(x);",
        "string s = null; Run(s.Length);",
        "Try(out _); _ = 1;",
        "goto end; end: ;",
        "Order local = null; local = null;",
        "void Local() { } Local();",
    ],
)
def test_what_is_no_member_is_no_access(statement: str) -> None:
    assert accesses_in(statement) == []


@pytest.mark.parametrize(
    ("source", "use"),
    [
        ("void M(Order o) { }", ("Order", "parameter")),
        ("void M(params Order[] o) { }", ("Order[]", "parameter")),
        ("Task<Order> M() { }", ("Task<Order>", "returns")),
        ("Order f;", ("Order", "holds")),
        ("Order P { get; }", ("Order", "holds")),
        ("event Changed E;", ("Changed", "holds")),
        ("void M() { Order o; }", ("Order", "holds")),
        ("void M() { foreach (Order o in os) { } }", ("Order", "holds")),
        ("void M() { Try(out Order o); }", ("Order", "holds")),
        ("void M() { Run(new Order()); }", ("Order", "new")),
        ("void M() { Run(new Order[1]); }", ("Order", "new")),
        ("void M() { Run(typeof(Order)); }", ("Order", "typeof")),
        ("void M() { Run(default(Order)); }", ("Order", "typeof")),
        ("void M() { Run((Order)x); }", ("Order", "cast")),
        ("void M() { Run(x as Order); }", ("Order", "cast")),
        ("void M() { Run(x is Order o); }", ("Order", "cast")),
        ("void M() { Run(x is not Order { A: 1 }); }", ("Order", "cast")),
        ("void M() { Run<Order>(); }", ("Order", "argument")),
        ("void M() { x.Run<Shop.Order>(); }", ("Shop.Order", "argument")),
        ("void M() { Run((Order o) => 1); }", ("Order", "parameter")),
        ("void M() { int F(Order o) => 1; }", ("Order", "parameter")),
        ("void M() { try { } catch (Oops e) { } }", ("Oops", "catch")),
        ("void M() { try { } catch (Oops) { } }", ("Oops", "catch")),
        ("[Key] int f;", ("Key", "attribute")),
        ("void M([Key] int f) { }", ("Key", "attribute")),
    ],
)
def test_a_named_type_is_a_use(source: str, use: tuple[str, str]) -> None:
    assert uses_in(f"class A {{ {source} }}") == [use]


@pytest.mark.parametrize(
    ("source", "type_"),
    [
        ("Order f = new();", "Order"),
        ("void M() { Order o = new(1); }", "Order"),
        ("void M() { o = new(1); }", ""),
        ("void M() { Run(new(1)); }", ""),
    ],
)
def test_a_type_that_is_made_need_not_be_named(source: str, type_: str) -> None:
    assert [one for one in uses_in(f"class A {{ {source} }}") if one[1] != "holds"] == [(type_, "made")]


def test_a_use_tells_where_it_stands() -> None:
    assert facts_of("class A {\n  void M(\n    Order o) { }\n}").uses == (
        UseFact(M, "Order", 3, "parameter"),
    )


@pytest.mark.parametrize(
    "source",
    [
        "class A : Base<Order>, IThing { }",
        "class A { int f; string? g; object[] h; }",
        "class A { void M(int x, dynamic y) { var z = 1; long w = (long)z; Run<string>(); Run(typeof(int?)); } }",
        "using Order;",
    ],
)
def test_base_types_and_predefined_types_are_no_uses(source: str) -> None:
    assert uses_in(source) == []
