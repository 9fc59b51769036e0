"""What the facts of a Java file say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.facts import Argument, Attribute, Expression, Import, Parameter, Text, TypeFact
from ragduck.model import Document
from ragduck.parse.java import outline

ReadFacts = Callable[..., Any]
Write = Callable[[Expression], str]


@pytest.fixture(name="facts")
def facts_fixture(read: ReadFacts) -> ReadFacts:
    def reader(source: str) -> Any:
        return read("java", source, path="src/main/java/shop/A.java")

    return reader


def test_imports_may_be_static_or_of_a_whole_package(facts: ReadFacts) -> None:
    found = facts("""
        package shop.orders;
        import java.util.List;
        import shop.model.*;
        import static shop.Util.help;
        import static shop.Names.*;
        """)

    assert found.facts.imports == (
        Import("java.util.List"),
        Import("shop.model.*"),
        Import("shop.Util.help", is_static=True),
        Import("shop.Names.*", is_static=True),
    )
    assert found.facts.module == "shop.orders"


# types


def test_a_type_has_bases_type_parameters_and_annotations(facts: ReadFacts) -> None:
    found = facts("""
        package shop;
        @Service
        @Table(name = "orders", schema = "dbo")
        public abstract class Orders<T extends Order & Line> extends Base<T> implements Shown, java.io.Closeable {
        }
        """)

    assert found.facts.types == (
        TypeFact(
            key="java:shop.Orders|TYPE",
            name="Orders",
            qualified_name="shop.Orders",
            scope="shop",
            element_type="class",
            line=2,
            end_line=5,
            bases=("Base<T>", "Shown", "java.io.Closeable"),
            type_parameters=("T",),
            attributes=(
                Attribute("Service"),
                Attribute("Table", (Argument(Text("orders"), "name"), Argument(Text("dbo"), "schema"))),
            ),
            modifiers=frozenset({"abstract"}),
            constraints=(Parameter("T", "Order"),),
        ),
    )
    assert found.uses == [("Orders", "Service", "attribute"), ("Orders", "Table", "attribute")]


def test_interfaces_enums_records_and_annotations_are_types(facts: ReadFacts) -> None:
    found = facts("""
        class A {
            interface Shown extends B, C<D> {}
            enum Status implements Shown { OPEN }
            record Pair(int a, Order b) implements Shown {}
            @interface Mark {}
        }
        """)

    assert [(one.qualified_name, one.element_type, one.bases, one.owner) for one in found.facts.types] == [
        ("A", "class", (), ""),
        ("A.Shown", "interface", ("B", "C<D>"), "java:A|TYPE"),
        ("A.Status", "enum", ("Shown",), "java:A|TYPE"),
        ("A.Pair", "record", ("Shown",), "java:A|TYPE"),
        ("A.Mark", "annotation", (), "java:A|TYPE"),
    ]
    assert found.facts.types[3].parameters == (Parameter("a", "int"), Parameter("b", "Order"))


# members


def test_members_have_types_visibility_and_modifiers(facts: ReadFacts) -> None:
    found = facts("""
        package shop;
        public class A {
            private static final String TABLE = "orders";
            @Autowired protected Repo repo, other;
            int[] numbers;
            public A(Repo repo) {}
            public static <K> List<Order> find(int id) { return null; }
            enum E { OPEN, SHUT(1) }
            record P(Order first) {}
        }
        interface I { int SIZE = 3; Order get(); default void run() {} }
        """)

    assert found.members == [
        ("shop.A.TABLE|FIELD", "String", "private", "final static"),
        ("shop.A.repo|FIELD", "Repo", "protected", ""),
        ("shop.A.other|FIELD", "Repo", "protected", ""),
        ("shop.A.numbers|FIELD", "int[]", "internal", ""),
        ("shop.A.A|METHOD", "", "public", ""),
        ("shop.A.find|METHOD", "List<Order>", "public", "static"),
        ("shop.A.E.OPEN|FIELD", "E", "public", ""),
        ("shop.A.E.SHUT|FIELD", "E", "public", ""),
        ("shop.A.P.first|PROPERTY", "Order", "public", ""),
        ("shop.I.SIZE|FIELD", "int", "public", ""),
        ("shop.I.get|METHOD", "Order", "public", ""),
        ("shop.I.run|METHOD", "void", "public", "default"),
    ]
    assert found.facts.members[5].type_parameters == ("K",)


def test_parameters_are_read(facts: ReadFacts) -> None:
    found = facts("class A { void f(final List<? extends Order> a, @Param int b, String... rest) {} }")

    assert found.facts.members[0].parameters == (
        Parameter("a", "List<? extends Order>"),
        Parameter("b", "int"),
        Parameter("rest", "String[]", is_rest=True),
    )


def test_constructors_tell_what_they_assign_and_hand_on(facts: ReadFacts, write: Write) -> None:
    found = facts("""
        class A extends Base {
            Repo repo; int size; Log log;
            A(Repo repo, Log given) { super(repo, "x"); this.repo = repo; log = given; int size = 3; }
            A() { this(null, new Log()); }
            void later(Repo x) { this.repo = x; }
        }
        """)

    first, second, later = (member for member in found.facts.members if member.kind == "METHOD")
    assert [(one.member, write(one.value)) for one in first.assignments] == [
        ("repo", "<repo: Repo>"),
        ("log", "<given: Log>"),
    ]
    assert (first.hands_to, [write(one.value) for one in first.handed_on]) == (
        "base",
        ["<repo: Repo>", "'x'"],
    )
    assert (second.hands_to, [write(one.value) for one in second.handed_on]) == ("this", ["?", "new Log()"])
    assert later.assignments == ()


def test_values_of_fields_and_results_of_methods_are_kept(facts: ReadFacts, write: Write) -> None:
    found = facts("""
        class A { String sql = "select " + TABLE; Order make() { return new Order(1); } int size() { return 3; } }
        """)

    assert {member.name: write(member.value) for member in found.facts.members} == {
        "sql": "'select ' + TABLE",
        "make": "new Order(?)",
        "size": "?",
    }


# calls


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("run();", ["run()"]),
        ("this.repo.save(order);", ["this.repo.save(<order: Order>)"]),
        ("repo.save(order);", ["repo.save(<order: Order>)"]),
        ("super.save();", ["base.save()"]),
        ("Order.find(1).total();", ["Order.find(?)", "Order.find(?).total()"]),
        ("var x = new ArrayList<Line>(); x.go();", ["<x: ArrayList<Line>>.go()"]),
        ("Line x = find(); x.go();", ["find()", "<x: Line>.go()"]),
        ("((Line) order).go();", ["<: Line>.go()"]),
        ("if (order instanceof Line line && line.ok()) {}", ["<line: Line>.ok()"]),
        ("for (Line x : all()) x.go();", ["all()", "<x: Line>.go()"]),
        ("for (var x : all()) x.go();", ["all()", "all()[].go()"]),
        ("order.lines[0].go();", ["<order: Order>.lines[].go()"]),
        (
            "try (Db x = open()) { x.go(); } catch (Bad | Worse e) { e.go(); }",
            ["open()", "<x: Db>.go()", "<e: Bad>.go()"],
        ),
        ("order.each(l -> l.go());", ["<order: Order>.each(=>)", "<order: Order>.each()=>0.go()"]),
        ("order.each(1, (Line a, b) -> { a.go(); });", ["<order: Order>.each(?, =>)", "<a: Line>.go()"]),
        ("this.<Line>make().go();", ["this.make<Line>()", "this.make<Line>().go()"]),
        ("new Thread() { void f() { inner(); this.x(); } };", ["inner()", "?.x()"]),
        ("(a ? order : other).go();", ["(<order: Order> | other).go()"]),
        ('"a".trim();', []),
    ],
)
def test_calls_know_their_receivers(facts: ReadFacts, code: str, expected: list[str]) -> None:
    found = facts(f"class A {{ void f(Order order) {{ {code} }} }}")

    assert found.called == expected


def test_calls_stand_in_the_innermost_symbol(facts: ReadFacts) -> None:
    found = facts("""
        package shop;
        class A {
            int size = measure();
            { start(); }
            static { boot(); }
            void f() {
                run(() -> {
                    go();
                });
            }
            enum E { X(make()) }
        }
        """)

    assert sorted(found.calls) == [
        ("A", "boot()", 5),
        ("A", "start()", 4),
        ("A.E.X", "make()", 11),
        ("A.f", "go()", 8),
        ("A.f", "run(=>)", 7),
        ("A.size", "measure()", 3),
    ]


def test_locals_belong_to_their_blocks(facts: ReadFacts) -> None:
    found = facts("class A { X x; void f() { { var x = new Cat(); x.go(); } x.go(); } }")

    assert found.called == ["<x: Cat>.go()", "x.go()"]


# accesses and uses


def test_accesses_are_member_chains_and_bare_names_of_fields(facts: ReadFacts) -> None:
    found = facts("""
        class A {
            void f(Order order) {
                total = order.customer.name;
                this.total += LIMIT;
                use(Status.OPEN, items[0], Order::total);
                switch (total) { case OPEN -> {} }
            }
        }
        """)

    assert found.accesses == [
        ("A.f", "<order: Order>.customer.name", "read"),
        ("A.f", "total", "set"),
        ("A.f", "LIMIT", "read"),
        ("A.f", "this.total", "set"),
        ("A.f", "Status.OPEN", "read"),
        ("A.f", "Order.total", "read"),
        ("A.f", "total", "read"),
    ]


def test_types_that_are_named_are_used(facts: ReadFacts) -> None:
    found = facts("""
        class A {
            List<Line> lines; int n; String s;
            @Marked Result f(@Given Order order, int n) throws Bad {
                Thing y = new Made<Part>(1);
                try {} catch (Worse e) {}
                return (Result) load(Other.class, Fresh::new);
            }
        }
        """)

    assert found.uses == [
        ("A.lines", "List<Line>", "holds"),
        ("A.f", "Marked", "attribute"),
        ("A.f", "Given", "attribute"),
        ("A.f", "Order", "parameter"),
        ("A.f", "Result", "returns"),
        ("A.f", "Thing", "holds"),
        ("A.f", "Made<Part>", "new"),
        ("A.f", "Worse", "catch"),
        ("A.f", "Other", "typeof"),
        ("A.f", "Fresh", "new"),
        ("A.f", "Result", "cast"),
    ]


# strings


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('String sql = "select 1";', [("'select 1'", "sql")]),
        ('var sql = "select * from " + TABLE + " x";', [("'select * from ' + TABLE + ' x'", "sql")]),
        ('String sql = """\n    select a\n      from b""";', [("'select a\n  from b'", "sql")]),
        ('String sql = String.format("select %s", TABLE);', [("'select ' + TABLE", "sql")]),
        ('String sql = "select %s".formatted(TABLE);', [("'select ' + TABLE", "sql")]),
        (
            'var b = new StringBuilder("select "); b.append(T).append(" x"); b.append(" z"); run(b.toString());',
            [("'select ' + T + ' x z'", "run()")],
        ),
        (
            'String sql = "select a"; sql += " from b"; return sql;',
            [("'select a'", "sql"), ("'select a from b'", "sql")],
        ),
        ('this.sql = "delete from x";', [("'delete from x'", "sql")]),
        ('return "select 1";', [("'select 1'", "")]),
        ('db.query("Order_Place");', [("'Order_Place'", "db.query()")]),
        ('log("hello");', []),
    ],
)
def test_strings_that_may_be_sql_are_kept(
    facts: ReadFacts, code: str, expected: list[tuple[str, str]]
) -> None:
    found = facts(f"class A {{ Object f() {{ {code} }} }}")

    assert [string[1:] for string in found.strings if string[2] != "b"] == expected


def test_strings_of_annotations_and_constants_are_kept(facts: ReadFacts) -> None:
    found = facts("""
        class A {
            static final String SQL = "select 1";
            @Query("select o " + "from Order o") void f() {}
        }
        """)

    assert found.strings == [
        ("A.SQL", "'select 1'", "SQL"),
        ("A.f", "'select o from Order o'", "Query()"),
    ]


# hostile input

SAMPLE = """
package a.b; import static c.D.*;
@T(n = "o", v = {@U("x"), @V}) public abstract class A<T extends B & C> extends D<T> implements E {
  static final String S = "select " + F; @G int[] h, i = {1};
  A(J j, final K<? super L> k, M... m) { super(j); this.h = k; { n(); } }
  <O> P<O> q(int r) throws S { for (var t : u) t.v++; try (W x = y()) {} catch (Z | A1 e) {}
    return (B1) c1.<D1>e1(f1 -> f1.g1(), H1::new).i1[j1] instanceof K1 l1 ? new M1() { void n1() {} } : \"\"\"
       text\"\"\"; }
  enum O1 implements P1 { Q1(1) { void r1() {} }, S1; int t1; } record U1(int v1) { U1 { w1(v1); } }
}
"""


@given(st.integers(0, len(SAMPLE)), st.integers(0, 40), st.text(max_size=8))
@settings(max_examples=150, deadline=None)
def test_mutilated_source_never_crashes(start: int, length: int, inserted: str) -> None:
    text = SAMPLE[:start] + inserted + SAMPLE[start + length :]

    assert outline(Document("A.java", text, "java", "java", "source", len(text), 0)).facts is not None


@pytest.mark.parametrize(
    "text",
    [
        "class A { void f() { a" + ".b()" * 5_000 + "; } }",
        "class A { void f() { x = " + '"select a" + ' * 5_000 + "c; } }",
        'class A { void f() { var s = new StringBuilder("select");' + 's.append(" x");' * 2_000 + " } }",
        "class A { void f() { x = " + "a -> " * 300 + "b; } }",
        "@A(x=" * 300 + ")" * 300 + " class B {}",
        "class A {" * 300 + "}" * 300,
    ],
)
def test_long_and_deep_input_is_read(text: str) -> None:
    assert outline(Document("A.java", text, "java", "java", "source", len(text), 0)).facts is not None
