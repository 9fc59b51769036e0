"""Which extension method a call means: by what it extends, and where a method of the type itself cannot be meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

RECEIVER = "receiver type"
EXTENSION = "extension method"


def test_type_arguments_are_for_the_extension_where_no_method_of_the_type_has_any(
    code_edges: CodeEdges,
) -> None:
    edges = code_edges(
        "Calls",
        """
        interface IStore { Item Get(int id); Item Any(int id); Item Count { get; } }
        class Items { public Item Load<T>() => null; }
        class MoreItems : Items { public Item Load() => null; }
        static class Extensions {
            public static T Get<T>(this IStore store, int id) => default;
            public static T Any<T>(this IStore store, string name, int id) => default;
            public static T Count<T>(this IStore store) => default;
            public static T Load<T>(this MoreItems items) => default;
        }
        class A {
            IStore _store;
            void Generic() { _store.Get<Order>(1).Ship(); }
            void Plain() { _store.Get(1); }
            void Unfit() { _store.Any<Order>(1); }
            void Property() { _store.Count<Order>(); }
            void Inherited(MoreItems items) { items.Load<Order>(); }
        }
        class Item;
        class Order { public void Ship() {} }
        """,
    )

    assert edges == {
        ("A.Generic", "Extensions.Get", EXTENSION),
        ("A.Generic", "Order.Ship", RECEIVER),
        ("A.Plain", "IStore.Get", RECEIVER),
        ("A.Unfit", "IStore.Any", RECEIVER),
        ("A.Property", "Extensions.Count", EXTENSION),
        ("A.Inherited", "Items.Load", RECEIVER),
    }


def test_an_argument_that_no_conversion_leads_to_the_parameter_is_for_the_extension(
    code_edges: CodeEdges,
) -> None:
    edges = code_edges(
        "Calls",
        """
        enum Kind { Export }
        class Text { public static implicit operator string(Text text) => null; }
        class Line;
        class Order;
        class FastOrder : Order;
        interface IQueue {
            void Take(byte kind);
            void Where(string sql);
            void Find(string text);
            void Add(Order order);
            void Named(int first);
        }
        static class Extensions {
            public static void Take(this IQueue queue, Kind kind) { }
            public static void Where(this IQueue queue, Func<Order, bool> filter) { }
            public static void Find(this IQueue queue, Text text) { }
            public static void Add(this IQueue queue, Line line) { }
            public static void Named(this IQueue queue, int second) { }
        }
        class A {
            IQueue _queue;
            void Enum() { _queue.Take(Kind.Export); }
            void Number() { _queue.Take(1); }
            void Lambda() { _queue.Where(order => true); }
            void String() { _queue.Where("x"); }
            void Converted(Text text) { _queue.Find(text); }
            void Other(Line line) { _queue.Add(line); }
            void Derived(FastOrder order) { _queue.Add(order); }
            void Named() { _queue.Named(second: 1); }
        }
        """,
    )

    assert edges == {
        ("A.Enum", "Extensions.Take", EXTENSION),
        ("A.Number", "IQueue.Take", RECEIVER),
        ("A.Lambda", "Extensions.Where", EXTENSION),
        ("A.String", "IQueue.Where", RECEIVER),
        ("A.Converted", "IQueue.Find", RECEIVER),
        ("A.Other", "Extensions.Add", EXTENSION),
        ("A.Derived", "IQueue.Add", RECEIVER),
        ("A.Named", "Extensions.Named", EXTENSION),
    }


RESULTS = """
namespace Web {
    public static class Results {
        extension(TypedResults) { public static Order Bad(string why) => null; }
        extension(Order) { public static Order Empty(int id) => Order.Make(); public static void Own() { } }
        extension(Vendor.Rows<int> rows) { public static void Fill() { } }
        extension(string text) { public static void Blank() { } public string Up() => text; }
    }
    public class Order { public static Order Make() => null; public static void Own() { } public void Pay() { } }
}
"""


@pytest.mark.parametrize(
    ("statement", "called"),
    [
        ('TypedResults.Bad("");', ["Bad"]),
        ('Microsoft.AspNetCore.Http.TypedResults.Bad("");', ["Bad"]),
        ('Typed.Bad("");', ["Bad"]),
        ('TypedResults.Bad("").Pay();', ["Bad", "Order.Pay"]),
        ('var bad = TypedResults.Bad(""); bad.Pay();', ["Bad", "Order.Pay"]),
        ('Results.Bad("");', ["Bad"]),
        ("Order.Empty(1).Pay();", ["Empty", "Order.Pay"]),
        ("Rows<int>.Fill();", ["Fill"]),
        ("string.Blank();", ["Blank"]),
        ('"a".Up();', ["Up"]),
    ],
)
def test_a_static_member_of_an_extension_block_is_called_on_the_type_that_it_extends(
    code_edges: CodeEdges, statement: str, called: list[str]
) -> None:
    usings = "using Web; using Typed = Microsoft.AspNetCore.Http.TypedResults;"
    code = f"{usings} class A {{ void Run() {{ {statement} }} }}"

    edges = code_edges("Calls", {"Shop/A.cs": code, "Shop/Results.cs": RESULTS})

    keys = {f"Web.{one}" if "." in one else f"Web.Results.{one}" for one in called}
    assert {to for source, to, _ in edges if source == "A.Run"} == keys


@pytest.mark.parametrize(
    "statement",
    [
        'Other.Bad("");',
        'Unknown.Current.Bad("");',
        'Func<string> TypedResults; TypedResults.Bad("");',
        "TypedResults.Ok();",
        "Order.Own();",
    ],
)
def test_a_static_member_of_an_extension_block_is_not_called_on_another_type_or_before_an_own_one(
    code_edges: CodeEdges, statement: str
) -> None:
    code = f"using Web; class A {{ void Run() {{ {statement} }} }}"

    edges = code_edges("Calls", {"Shop/A.cs": code, "Shop/Results.cs": RESULTS})

    assert not [to for source, to, _ in edges if source == "A.Run" and to.startswith("Web.Results.")]


def test_a_static_member_of_an_extension_block_has_to_be_in_sight(code_edges: CodeEdges) -> None:
    code = 'class A { void Run() { TypedResults.Bad(""); Order.Empty(1); } }'

    edges = code_edges("Calls", {"Shop/A.cs": code, "Shop/Results.cs": RESULTS})

    assert not [to for source, to, _ in edges if source == "A.Run"]


def test_a_static_member_of_an_extension_block_names_the_type_that_it_extends(code_edges: CodeEdges) -> None:
    edges = code_edges("Calls", {"Shop/Results.cs": RESULTS})

    assert ("Web.Results.Empty", "Web.Order.Make", RECEIVER) in edges


def test_of_twins_the_static_one_is_meant_on_a_type_and_the_other_on_a_value(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        static class OnType { extension(Order order) { public static void Load(int id) { } } }
        static class OnValue { public static void Load(this Order order, int id) { } }
        class Order;
        class A {
            Order Order;
            void Value(Order order) { order.Load(1); }
            void Member() { Order.Load(1); }
        }
        class B { void Type() { Order.Load(1); } }
        """,
    )

    assert edges == {
        ("B.Type", "OnType.Load", EXTENSION),
        ("A.Value", "OnValue.Load", EXTENSION),
        ("A.Member", "OnValue.Load", EXTENSION),
    }


def test_of_twins_that_is_meant_whose_type_parameter_is_bound_to_what_the_receiver_is(
    code_edges: CodeEdges,
) -> None:
    edges = code_edges(
        "Calls",
        """
        class Holder<T>;
        static class Classes {
            public static void Check<T>(this Holder<T> holder) where T : class { }
            public static void OrFail<T>(this T one) where T : class { }
        }
        static class Structs {
            public static void Check<T>(this Holder<T?> holder) where T : struct { }
            public static void OrFail<T>(this T? one) where T : struct { }
        }
        class A {
            void Class(Holder<Order> holder) { holder.Check(); }
            void Struct(Holder<int?> holder) { holder.Check(); }
            void OfClass(Order order) { order.OrFail(); }
            void OfStruct(int? number) { number.OrFail(); }
            void OfEnum(Kind? kind) { kind.OrFail(); }
        }
        class Order;
        enum Kind { Export }
        """,
    )

    assert edges == {
        ("A.Class", "Classes.Check", EXTENSION),
        ("A.Struct", "Structs.Check", EXTENSION),
        ("A.OfClass", "Classes.OrFail", EXTENSION),
        ("A.OfStruct", "Structs.OrFail", EXTENSION),
        ("A.OfEnum", "Structs.OrFail", EXTENSION),
    }


def test_the_extension_of_the_nearest_type_is_meant(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        interface IReg;
        interface IReg<T> : IReg;
        class Reg<T> : IReg<T>;
        class Order;
        class FastOrder : Order;
        class FastestOrder : FastOrder;
        static class Plain {
            public static void Sort(this IReg reg) { }
            public static void Ship(this Order order) { }
            public static void Pay(this Order order) { }
        }
        static class Special {
            public static void Sort<T>(this IReg<T> reg) { }
            public static void Ship(this FastOrder order) { }
            public static void Pay<T>(this T order) where T : Order { }
        }
        class A {
            void Generic(IReg<string> reg) { reg.Sort(); }
            void Class(Reg<string> reg) { reg.Sort(); }
            void Simple(IReg reg) { reg.Sort(); }
            void Nearest(FastestOrder order) { order.Ship(); }
            void Base(Order order) { order.Ship(); }
            void Itself(FastOrder order) { order.Pay(); }
            void NotGeneric(Order order) { order.Pay(); }
        }
        """,
    )

    assert edges == {
        ("A.Generic", "Special.Sort", EXTENSION),
        ("A.Class", "Special.Sort", EXTENSION),
        ("A.Simple", "Plain.Sort", EXTENSION),
        ("A.Nearest", "Special.Ship", EXTENSION),
        ("A.Base", "Plain.Ship", EXTENSION),
        ("A.Itself", "Special.Pay", EXTENSION),
        ("A.NotGeneric", "Plain.Pay", EXTENSION),
    }


def test_of_extensions_of_one_type_that_is_meant_which_takes_the_arguments(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        static class One { public static void Log(this Exception error, Order order) { } }
        static class Two { public static void Log(this Exception error, string text) { } }
        class A { void Run(Exception error) { error.Log("text"); } }
        class Order;
        """,
    )

    assert edges == {("A.Run", "Two.Log", EXTENSION)}


def test_types_of_the_framework_have_the_extensions_of_their_bases(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        static class Extensions {
            public static void Tell(this Exception error) { }
            public static T With<T>(this T error, string key) where T : Exception => error;
            public static void Read(this Stream stream) { }
            public static void Find(this XContainer node) { }
            public static void Split(this ISqlSugarClient db) { }
            public static void Other(this Order order) { }
        }
        class ShopException : InvalidOperationException;
        class A {
            void Foreign(ArgumentException error) { error.Tell(); error.Other(); }
            void Own(ShopException error) { error.Tell(); }
            void Bound(TimeoutException error) { error.With("key").Tell(); }
            void Parameter<T>(T error) where T : class, ArgumentException { error.Tell(); }
            void Memory(MemoryStream stream) { stream.Read(); }
            void Xml(XElement element) { element.Find(); }
            void Sugar(SqlSugarScope db) { db.Split(); }
        }
        class Order;
        """,
    )

    assert edges == {
        ("A.Foreign", "Extensions.Tell", EXTENSION),
        ("A.Own", "Extensions.Tell", EXTENSION),
        ("A.Bound", "Extensions.With", EXTENSION),
        ("A.Bound", "Extensions.Tell", EXTENSION),
        ("A.Parameter", "Extensions.Tell", EXTENSION),
        ("A.Memory", "Extensions.Read", EXTENSION),
        ("A.Xml", "Extensions.Find", EXTENSION),
        ("A.Sugar", "Extensions.Split", EXTENSION),
    }


def test_controls_have_the_extensions_of_all_controls(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        static class Extensions {
            public static Control FindDeep(this Control root, string id) => null;
            public static void Mark(this WebControl control) { }
            public static void Pick(this ListControl list, string value) { }
        }
        class A {
            Panel _panel;
            void Deep(Table table, Repeater items) { table.FindDeep("a"); items.Mark(); }
            void Held() { _panel.FindDeep("b").FindDeep("c"); }
            void Named(TextBox box) { box.Mark(); box.Pick("x"); }
            void Listed(DropDownList list) { list.Pick("x"); }
            void Grid(DataGridView grid) { grid.FindDeep("d"); }
            void Row(DataRow row) { row.FindDeep("e"); }
        }
        """,
    )

    assert edges == {
        ("A.Deep", "Extensions.FindDeep", EXTENSION),
        ("A.Held", "Extensions.FindDeep", EXTENSION),
        ("A.Named", "Extensions.Mark", EXTENSION),
        ("A.Listed", "Extensions.Pick", EXTENSION),
        ("A.Grid", "Extensions.FindDeep", EXTENSION),
    }


QUERIES = """
    class Db { public DbSet<User> Users; public DbSet<Rule> Rules; public DbSet<Line> Lines; }
    class User { public void Close() { } }
    class Rule : IRule { public void Apply() { } }
    class Line;
    interface IRule;
    static class UserQueries { public static IQueryable<User> ById(this IQueryable<User> q, int id) => null; }
    """


def test_an_extension_is_not_meant_whose_constraint_a_type_argument_does_not_meet(
    code_edges: CodeEdges,
) -> None:
    edges = code_edges(
        "Calls",
        QUERIES
        + """
        static class RuleQueries {
            public static IQueryable<T> ById<T>(this IQueryable<T> q, int id) where T : class, IRule => null;
        }
        class A {
            Db db;
            void Own() { var user = db.Users.ById(1).First(); user.Close(); }
            void Constrained() { db.Rules.ById(1).First().Apply(); }
            void Neither() { db.Lines.ById(1); }
        }
        """,
    )

    assert {edge for edge in edges if edge[0].startswith("A.")} == {
        ("A.Own", "UserQueries.ById", EXTENSION),
        ("A.Own", "User.Close", RECEIVER),
        ("A.Constrained", "RuleQueries.ById", EXTENSION),
        ("A.Constrained", "Rule.Apply", RECEIVER),
    }


def test_an_extension_of_a_type_argument_comes_before_one_of_any(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        QUERIES
        + """
        static class AnyQueries { public static IQueryable<T> ById<T>(this IQueryable<T> q, int id) => null; }
        class A {
            Db db;
            void Own() { db.Users.ById(1); }
            void Any() { db.Lines.ById(1); }
        }
        """,
    )

    assert edges == {("A.Own", "UserQueries.ById", EXTENSION), ("A.Any", "AnyQueries.ById", EXTENSION)}


def test_a_type_parameter_may_meet_a_constraint(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        QUERIES
        + """
        static class RuleQueries { public static int Count<T>(this IQueryable<T> q, int n) where T : IRule => 1; }
        class A<T> where T : IRule { IQueryable<T> all; void Run() { all.Count(1); } }
        """,
    )

    assert edges == {("A.Run", "RuleQueries.Count", EXTENSION)}


def test_an_enumeration_is_what_all_of_them_are(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        using System;
        enum Tier { Low }
        struct Point { }
        class Other { }
        static class Extensions {
            public static string Named(this System.Enum it) => "";
            public static string Valued(this ValueType it) => "";
            public static string Compared(this IComparable it) => "";
            public static string Bound<T>(this T it) where T : struct, Enum => "";
        }
        class A {
            Tier _tier; Point _point; Other _other;
            void Enumeration() { _tier.Named(); Tier.Low.Valued(); _tier.Compared(); _tier.Bound(); }
            void Structure() { _point.Named(); _point.Valued(); _point.Compared(); _point.Bound(); }
            void Class() { _other.Named(); _other.Valued(); _other.Bound(); }
        }
        """,
    )

    assert edges == {
        ("A.Enumeration", "Extensions.Named", EXTENSION),
        ("A.Enumeration", "Extensions.Valued", EXTENSION),
        ("A.Enumeration", "Extensions.Compared", EXTENSION),
        ("A.Enumeration", "Extensions.Bound", EXTENSION),
        ("A.Structure", "Extensions.Valued", EXTENSION),
    }
