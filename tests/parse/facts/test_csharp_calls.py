"""Which calls the facts of a C# file hold, and what they are made on and given."""

from __future__ import annotations

import re

import pytest

from ragduck.facts import (
    HANDED,
    UNKNOWN,
    Argument,
    Awaited,
    Call,
    CallFact,
    Choice,
    Element,
    Expression,
    FileFacts,
    Joined,
    Lambda,
    LambdaParameter,
    Member,
    Name,
    NameOf,
    New,
    OutArgument,
    Text,
    Typed,
    TypeOf,
)
from ragduck.model import Document
from ragduck.parse.csharp import outline

ORDER = Typed("Order", "order")
NUMBER = Argument(Typed("int"))
NOTHING = Argument(UNKNOWN)


def facts_of(source: str) -> FileFacts:
    facts = outline(Document("A.cs", source, "csharp", "cs", "source", len(source), 0)).facts

    assert facts is not None
    return facts


def calls_in(body: str) -> list[Call]:
    facts = facts_of(f"class A {{ async Task M(Order order) {{\n{body}\n}} }}")
    return [fact.call for fact in facts.calls]


def same(found: object, expected: object) -> bool:
    """Compare with the kinds of expression: as tuples `Name("a")` and `Text("a")` are equal."""
    return repr(found) == repr(expected)


def test_a_call_tells_where_it_stands() -> None:
    facts = facts_of("namespace N;\nclass A {\n void M() {\n  Run(1);\n }\n}")

    assert facts.calls == (
        CallFact("csharp:N.A.M|METHOD", Call(Name("Run"), (Argument(Typed("int")),)), line=4),
    )


@pytest.mark.parametrize(
    ("statement", "function"),
    [
        ("Run();", Name("Run")),
        ("this.Run();", Member(Name("this"), "Run")),
        ("base.Run();", Member(Name("base"), "Run")),
        ("_db.Orders.Run();", Member(Member(Name("_db"), "Orders"), "Run")),
        ("order.Run();", Member(ORDER, "Run")),
        ("order?.Lines!.Run();", Member(Member(ORDER, "Lines"), "Run")),
        ("(order.Lines).Run();", Member(Member(ORDER, "Lines"), "Run")),
        ("order.Lines[0].Run();", Member(Element(Member(ORDER, "Lines"), is_picked=True), "Run")),
        ("order?[0]?.Run();", Member(Element(ORDER, is_picked=True), "Run")),
        ("new Order(1).Run();", Member(New("Order", (Argument(Typed("int")),)), "Run")),
        ("((IOrder)x).Run();", Member(Typed("IOrder"), "Run")),
        ("(x as IOrder)?.Run();", Member(Typed("IOrder"), "Run")),
        ("global::System.Run();", Member(Name("System"), "Run")),
        ("string.Run();", Member(Name("string"), "Run")),
        ("typeof(T).Run();", Member(TypeOf("T"), "Run")),
        ("Cache<Order>.Run();", Member(Name("Cache<Order>"), "Run")),
        ("@class.@Run();", Member(Name("class"), "Run")),
        ("(a ? b : c).Run();", Member(Choice((Name("b"), Name("c"))), "Run")),
        ("unchecked(x).Run();", Member(Name("x"), "Run")),
    ],
)
def test_the_function_of_a_call_is_a_name_or_a_member(statement: str, function: Expression) -> None:
    found = calls_in(statement)[-1].function

    assert same(found, function)


def test_each_call_of_a_chain_has_a_fact_and_its_own_line() -> None:
    facts = facts_of("class A { void M() {\n  a.B(1)\n   .C<T, List<int>>();\n} }")

    first = Call(Member(Name("a"), "B"), (Argument(Typed("int")),))
    assert [(fact.call, fact.line) for fact in facts.calls] == [
        (first, 2),
        (Call(Member(first, "C"), (), ("T", "List<int>")), 3),
    ]


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ('"a"', Text("a")),
        ('$"{order}"', Joined((ORDER,))),
        ("nameof(Order.Id)", NameOf("Id")),
        ("typeof(Order)", TypeOf("Order")),
        ("Names.Place", Member(Name("Names"), "Place")),
        ("order.Total", Member(ORDER, "Total")),
        ("new Order(1, 2) { A = 1 }", New("Order")),
        ("new { A = 1 }", New("")),
        (
            'new { controller = "Order", Action = nameof(A.Edit), order.Id, area = Next() }',
            New("", (Argument(Text("Order"), "controller"), Argument(NameOf("Edit"), "Action"))),
        ),
        ('new Order { action = "Edit" }', New("Order")),
        ("new[] { A, B.C }", New("[]", (Argument(Name("A")), Argument(Member(Name("B"), "C"))))),
        ('["a", .. x]', New("[]", (Argument(Text("a")), Argument(Element(Name("x")))))),
        ("new int[] { 1 }", New("int[]", (Argument(Typed("int")),))),
        (
            "x => x.Customer.Id",
            Lambda((("Customer", "Id"),), result=Member(Member(HANDED, "Customer"), "Id")),
        ),
        ("x => new { x.A, x.B }", Lambda((("A",), ("B",)))),
        ("x => x.A.B()", Lambda((("A",),), result=Call(Member(Member(HANDED, "A"), "B")))),
        ("() => 1", Lambda(result=Typed("int"))),
        ("(object)order", Typed("object")),
        ("null", UNKNOWN),
        ("out var x", UNKNOWN),
        ("a + 1", UNKNOWN),
    ],
)
def test_arguments_are_reduced_to_what_is_of_interest(argument: str, value: Expression) -> None:
    found = calls_in(f"Run({argument});")[-1].arguments

    assert same(found, (Argument(value),))


LOAD = Call(Name("Load"), (Argument(ORDER),), ("Line",))


@pytest.mark.parametrize(
    ("expression", "calls"),
    [
        ("(A)Load<Line>(order)", [LOAD]),
        ("(A)Load<Line>(order)!", [LOAD]),
        ("(A)this.Load<Line>(order)", [LOAD._replace(function=Member(Name("this"), "Load"))]),
        ("(A)await Load<Line>(order)", [LOAD]),
        ("(A)Load<N.Line>(order)", [LOAD._replace(type_arguments=("N.Line",))]),
        ("(A)Load<List<Line>>(order)", [LOAD._replace(type_arguments=("List<Line>",))]),
        ("(A)Load<Line>(order, 1)", [LOAD._replace(arguments=(Argument(ORDER), NUMBER))]),
        ("(A)Load<Line>(order).Top(1)", [LOAD, Call(Member(LOAD, "Top"), (NUMBER,))]),
        ("Load<Line>(order) + Load<Line>(order)", [LOAD, LOAD]),
        ("1 + Load<Line>(order) - 2", [LOAD]),
        ("Load<Line>(order.Id) * 2", [LOAD._replace(arguments=(Argument(Member(ORDER, "Id")),))]),
        ("Load<Line>(order)[0]", [LOAD]),
        ("Load<(int id, Line first)>(order)", [LOAD._replace(type_arguments=("(int id, Line first)",))]),
        ("await Load<(Line, Line other)>(order)", [LOAD._replace(type_arguments=("(Line, Line other)",))]),
        ("a < b && c > (order)", []),
        ("a < b + c", []),
    ],
)
def test_a_generic_call_is_no_comparison(expression: str, calls: list[Call]) -> None:
    assert same(calls_in(f"return {expression};"), calls)


def test_a_cast_of_a_generic_call_has_its_type() -> None:
    assert calls_in("((A)Load<Line>(order)).Run();")[-1].function == Member(Typed("A"), "Run")


def test_arguments_keep_their_names() -> None:
    found = calls_in('Run(1, name: "a", ref x, out Order y);')[0].arguments

    assert same(
        found,
        (Argument(Typed("int")), Argument(Text("a"), "name"), Argument(Name("x")), Argument(UNKNOWN)),
    )


def test_calls_are_found_wherever_expressions_are() -> None:
    source = """
        if (a1()) { a2(); } else if (a3()) a4(); else { a5(); }
        for (int i = b1(); b2(); b3()) b4();
        while (c1()) { c2(); } do { c3(); } while (c4());
        switch (d1()) { case 1 when d2(): d3(); break; default: d4(); break; }
        try { e1(); } catch (X e) when (e2()) { e3(); } finally { e4(); }
        using (f1()) { f2(); } lock (f3()) { f4(); } foreach (var x in f5()) f6();
        var g = h1() ? h2() : h3() ?? h4(); g = z switch { 1 => h5(), _ => h6() };
        yield return i1(); throw i2(); checked { i3(); } unsafe { i4(); } label: i5();
        var s = $"{j1()}" + j2() + j3()[j4()]; x[k1()] = -k2(); y.Z += k3(); (q, r) = (k4(), k5());
        var l = new List<int>(l1()) { l2() }; var m = new { A = l3() }; int[] n = { l4() }; n = [l5(), .. l6()];
        Action o = () => m1(); o = delegate { m2(); }; o = async () => await m3(); var w = x with { A = m4() };
        if (x is { A: 1 } && n1() is Foo f && !n2()) { } return o1() is not null;
        """

    found = {call.function[0] for call in calls_in(source)}

    assert found == set(re.findall(r"\b[a-o]\d(?=\()", source))


def test_calls_in_initializers_and_accessors_belong_to_their_member() -> None:
    facts = facts_of("""
        class A(int n) : B(c1())
        {
            int x = c2(), y = c3();
            int P { get => c4(); set { c5(); } } = c6();
            int Q => c7();
            A() : this(c8()) => c9();
            static int operator +(A a, A b) => c10();
            event Action E { add { c11(); } remove { } }
        }
        """)

    assert [(fact.source.removeprefix("csharp:"), fact.call.function[0]) for fact in facts.calls] == [
        ("A|TYPE", "c1"),
        ("A.x|FIELD", "c2"),
        ("A.y|FIELD", "c3"),
        ("A.P|PROPERTY", "c4"),
        ("A.P|PROPERTY", "c5"),
        ("A.P|PROPERTY", "c6"),
        ("A.Q|PROPERTY", "c7"),
        ("A.A|METHOD", "c8"),
        ("A.A|METHOD", "c9"),
        ("A.operator +|METHOD", "c10"),
        ("A.E|FIELD", "c11"),
    ]


def test_what_is_no_call_has_no_fact() -> None:
    source = """
        new Order(); nameof(Run); typeof(Run); default(Run); order.Run = 1; Run += x; var y = Run;
        // Run();
        /* Run(); */ var z = "Run()";
        """

    assert calls_in(source) == []


def test_delegates_in_locals_and_parameters_are_not_called_by_name() -> None:
    facts = facts_of("class A { void M(Func<int> f) { f(N()); Action g = null; g(); } }")

    assert [fact.call for fact in facts.calls] == [Call(Name("N"))]


def test_local_functions_belong_to_the_member_around_them() -> None:
    facts = facts_of("""
        class A { void M() { Load(1).Total(); Order Load(int id) { return Find(id); } } }
        """)

    assert [(fact.source, fact.call) for fact in facts.calls] == [
        ("csharp:A.M|METHOD", Call(Member(Typed("Order"), "Total"))),
        ("csharp:A.M|METHOD", Call(Name("Find"), (Argument(Typed("int", "id")),))),
    ]


def test_top_level_statements_belong_to_the_file_and_their_functions_to_themselves() -> None:
    facts = facts_of("var a = Build();\na.Run();\nint Add(int x) => Sum(x);\n")

    build = Call(Name("Build"))
    assert {(fact.source, fact.call, fact.line) for fact in facts.calls} == {
        ("file:A.cs|FILE", build, 1),
        ("file:A.cs|FILE", Call(Member(build, "Run")), 2),
        ("csharp:Add|METHOD", Call(Name("Sum"), (Argument(Typed("int", "x")),)), 3),
    }


def test_a_lambda_parameter_knows_its_call_with_the_arguments_before_it() -> None:
    found = calls_in("_db.Join(Lines, (o, l) => o.Pick(l), 1);")

    call = Call(Member(Name("_db"), "Join"), (Argument(Name("Lines")),))
    picked = Call(Member(LambdaParameter(call, 0), "Pick"), (Argument(LambdaParameter(call, 1)),))
    assert same(found[0], picked)


def test_explicit_lambda_parameters_have_their_type() -> None:
    found = calls_in("_db.Each((Line l, int n) => l.Pick(n)); Run(delegate (Line d) { d.Drop(); });")

    functions = [call.function for call in found]
    assert functions[0] == Member(Typed("Line", "l"), "Pick")
    assert functions[2] == Member(Typed("Line", "d"), "Drop")


def test_a_name_means_the_lambda_parameter_only_inside_the_lambda() -> None:
    found = calls_in("Run(x => x.A()); x.B();")

    assert found[-1] == Call(Member(Name("x"), "B"))


def test_lambda_chains_end_at_calls_and_indexers_and_do_not_repeat() -> None:
    found = calls_in("Run(x => x.A == 1 && x.A.B > x.C[0].D || x.E.F().G || y.H);")[-1].arguments

    chains = (("A",), ("A", "B"), ("C",), ("E",))
    assert found == (Argument(Lambda(chains, result=Typed("bool"))),)


def test_what_gets_the_result_is_told_for_the_whole_chain() -> None:
    facts = facts_of("""
        class A { int f = F1(); void M() {
            var x = await F2().F3(); var c = new { Id = t.F4().F5(F6()) }; y.Z = F7(); var w = F8() + 1;
        } }
        """)

    assert [(fact.call.function[-1], fact.assigned_to) for fact in facts.calls] == [
        ("F1", "f"),
        ("F2", "x"),
        ("F3", "x"),
        ("F4", "Id"),
        ("F6", ""),
        ("F5", "Id"),
        ("F7", "Z"),
        ("F8", ""),
    ]


def test_range_variables_of_queries_are_elements() -> None:
    found = calls_in("""
        var q = from o in _db.Orders
                join l in _db.Lines on o.Key() equals l.Key() into g
                from h in g.DefaultIfEmpty()
                let w = o.Sum()
                where w.Ok()
                orderby h.Rank()
                select o;
        q.Run();
        """)

    orders, lines = Member(Name("_db"), "Orders"), Member(Name("_db"), "Lines")
    default = Call(Member(lines, "DefaultIfEmpty"))
    total = Call(Member(Element(orders), "Sum"))
    assert [call.function for call in found] == [
        Member(Element(orders), "Key"),
        Member(Element(lines), "Key"),
        Member(lines, "DefaultIfEmpty"),
        total.function,
        Member(total, "Ok"),
        Member(Element(default), "Rank"),
        Member(orders, "Run"),
    ]


def test_a_query_of_something_new_is_unknown() -> None:
    found = calls_in("var q = from Order o in x where o.Ok() select new { o.Id }; q.Run();")

    assert [call.function for call in found] == [Member(Typed("Order", "o"), "Ok"), Member(UNKNOWN, "Run")]


@pytest.mark.parametrize(
    ("statement", "receiver"),
    [
        ("Line x = Make(); x.Run();", Typed("Line", "x")),
        ("Line x = new(); x.Run();", Typed("Line", "x")),
        ("var x = new Line(1); x.Run();", New("Line")),
        ("var x = order; x.Run();", ORDER),
        ("var x = order.Lines; x.Run();", Member(ORDER, "Lines")),
        ("var x = Make<Line>(); x.Run();", Call(Name("Make"), (), ("Line",))),
        ("var x = await Make(); x.Run();", Awaited(Call(Name("Make")))),
        ("await using var x = await Make().ConfigureAwait(false); x.Run();", Awaited(Call(Name("Make")))),
        ("using (var x = new Line()) { x.Run(); }", New("Line")),
        ("foreach (var x in order.Lines) x.Run();", Element(Member(ORDER, "Lines"))),
        ("foreach (Line x in order.Lines) x.Run();", Typed("Line", "x")),
        ("await foreach (var x in Make()) { x.Run(); }", Element(Call(Name("Make")))),
        ("if (y is Line x) x.Run();", Typed("Line", "x")),
        ("if (order is { Id: 1 } x) x.Run();", ORDER),
        ("if (y is { Line: Line x }) x.Run();", Typed("Line", "x")),
        ("switch (y) { case Line x: x.Run(); break; }", Typed("Line", "x")),
        ("var z = y switch { Line x => x.Run() };", Typed("Line", "x")),
        ("Try(out Line x); x.Run();", Typed("Line", "x")),
        ("Try(1, out var x); x.Run();", OutArgument(Call(Name("Try"), (NUMBER, NOTHING)), 1)),
        ("new Line(out var x); x.Run();", UNKNOWN),
        ("if (!(y is Line x)) return; x.Run();", Typed("Line", "x")),
        ("if (y is not Line x) { throw new Oops(); } x.Run();", Typed("Line", "x")),
        ("if (a) { } else if (y is Line x) { } x.Run();", Name("x")),
        ("if (a) Try(out Line x); x.Run();", Name("x")),
        ("while (y is Line x) { } x.Run();", Name("x")),
        ("var (x, z) = y; x.Run();", Member(Name("y"), "Item1")),
        ("(Line x, var z) = y; x.Run();", Typed("Line", "x")),
        ("(Line z, var x) = y; x.Run();", Member(Name("y"), "Item2")),
        ("(var x, var z) = (order, 1); x.Run();", ORDER),
        (
            "var x = (order, Sum: 1); x.Run();",
            New("()", (Argument(ORDER, "order"), NUMBER._replace(name="Sum"))),
        ),
        ("try { } catch (Oops x) { x.Run(); }", Typed("Oops", "x")),
        ("var x = a ?? order; x.Run();", Choice((Name("a"), ORDER), is_fallback=True)),
        ("var x = order ?? throw new Oops(); x.Run();", ORDER),
        ("var x = order; x = other; x.Run();", ORDER),
        ("var x = 1; x.Run();", Typed("int")),
        ("var x = a == b; x.Run();", Typed("bool")),
        ("{ var x = order; } x.Run();", Name("x")),
    ],
)
def test_locals_stand_for_what_they_hold(statement: str, receiver: Expression) -> None:
    found = calls_in(statement)[-1].function

    assert same(found, Member(receiver, "Run"))


def test_a_locals_value_may_be_an_argument_when_it_is_small() -> None:
    found = calls_in("var x = await _db.Orders.FirstAsync(); _db.Remove(x); _db.Add(x.Lines);")

    first = Awaited(Call(Member(Member(Name("_db"), "Orders"), "FirstAsync")))
    assert [call.arguments for call in found[1:]] == [(Argument(first),), (Argument(Member(first, "Lines")),)]


def test_parameters_of_a_primary_constructor_are_known_in_all_members() -> None:
    facts = facts_of(
        "class A(IDb db) { int x = db.F(); void M() => db.G(); class B { void N() => db.H(); } }"
    )

    assert [fact.call.function[0] for fact in facts.calls] == [
        Typed("IDb", "db"),
        Typed("IDb", "db"),
        Name("db"),
    ]


def test_a_migration_reads_as_it_is_written() -> None:
    facts = facts_of("""
        class AddOrders : Migration { protected override void Up(MigrationBuilder m) {
            m.CreateTable(
                name: "Order",
                columns: t => new { Id = t.Column<int>(type: "int").Annotation("a", "b") },
                constraints: t => { t.PrimaryKey("PK_Order", x => x.Id); });
            m.CreateIndex("IX", "Order", new[] { "A", "B" });
        } }
        """)

    builder = Typed("MigrationBuilder", "m")
    create = Member(builder, "CreateTable")
    name = Argument(Text("Order"), "name")
    columns = LambdaParameter(Call(create, (name,)), argument="columns")
    column = Call(Member(columns, "Column"), (Argument(Text("int"), "type"),), ("int",))
    constraints = LambdaParameter(Call(create, (name, Argument(Lambda(), "columns"))), argument="constraints")
    assert [(fact.call, fact.assigned_to) for fact in facts.calls] == [
        (column, "Id"),
        (Call(Member(column, "Annotation"), (Argument(Text("a")), Argument(Text("b")))), "Id"),
        (
            Call(
                Member(constraints, "PrimaryKey"),
                (Argument(Text("PK_Order")), Argument(Lambda((("Id",),), result=Member(HANDED, "Id")))),
            ),
            "",
        ),
        (
            Call(create, (name, Argument(Lambda(), "columns"), Argument(Lambda(), "constraints"))),
            "",
        ),
        (
            Call(
                Member(builder, "CreateIndex"),
                (
                    Argument(Text("IX")),
                    Argument(Text("Order")),
                    Argument(New("[]", (Argument(Text("A")), Argument(Text("B"))))),
                ),
            ),
            "",
        ),
    ]
