"""Uses edges name the types and members that a body refers to, and how."""

from __future__ import annotations

from collections.abc import Callable, Mapping

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]


def test_members_that_are_read_and_set(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Uses",
        """
        class A { int count; void Run(Order order) { count = order.Total; order.Customer.Name = ""; } }
        class Order { public int Total { get; } public Customer Customer { get; } }
        class Customer { public string Name { get; set; } }
        """,
    )

    assert edges == {
        ("A.Run", "Order", "parameter"),
        ("A.Run", "A.count", "sets member"),
        ("A.Run", "Order.Total", "reads member"),
        ("A.Run", "Order.Customer", "reads member"),
        ("A.Run", "Customer.Name", "sets member"),
        ("Order.Customer", "Customer", "holds"),
    }


def test_receivers_of_calls_are_read(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Uses",
        "class A { B b; void Run() { b.Inner.Do(); } } class B { public C Inner; } class C { public void Do() {} }",
    )

    assert edges == {
        ("A.Run", "A.b", "reads member"),
        ("A.Run", "B.Inner", "reads member"),
        ("A.b", "B", "holds"),
        ("B.Inner", "C", "holds"),
    }


def test_what_an_element_is_taken_of_is_read(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Uses",
        """
        class A {
            B[] all; Dictionary<string, Action<B>> handlers;
            void One() { all[0].Do(); }
            void Two() { Run(this.all[0].Inner); }
            void Three() { all[0].Inner = 1; }
            void Four(B b) { handlers["x"](b); }
            void Five() { handlers["x"].Invoke(null); }
        }
        class B { public int Inner; public void Do() {} }
        """,
    )

    assert {edge for edge in edges if edge[2].endswith("member")} == {
        ("A.One", "A.all", "reads member"),
        ("A.Two", "A.all", "reads member"),
        ("A.Two", "B.Inner", "reads member"),
        ("A.Three", "A.all", "reads member"),
        ("A.Three", "B.Inner", "sets member"),
        ("A.Four", "A.handlers", "reads member"),
        ("A.Five", "A.handlers", "reads member"),
    }


def test_types_are_used_as_they_are_named(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Uses",
        """
        class A {
            Order Make() { try { return new Order(); } catch (Broken) { return (Order)Get(typeof(Line)); } }
            object Get(Type type) => null;
        }
        class Order; class Line; class Broken;
        """,
    )

    assert edges == {
        ("A.Make", "Order", "returns"),
        ("A.Make", "Order", "new"),
        ("A.Make", "Order", "cast"),
        ("A.Make", "Broken", "catch"),
        ("A.Make", "Line", "typeof"),
    }


def test_enum_members_are_members(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Uses", "class A { void Run(int x) { var s = State.Open; } } enum State { Open, Closed }"
    )

    assert edges == {("A.Run", "State.Open", "reads member")}


def test_the_concrete_type_is_used_when_the_method_is_inherited(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Uses",
        """
        class A { UserRepo users; void Run() { users.Read(); users.Own(); } }
        class UserRepo : Repo { public void Own() {} }
        class Repo { public void Read() {} }
        """,
    )

    assert edges == {
        ("A.users", "UserRepo", "holds"),
        ("A.Run", "A.users", "reads member"),
        ("A.Run", "UserRepo", "receiver type"),
    }


def test_a_delegate_that_is_called_is_used(code_edges: CodeEdges) -> None:
    edges = code_edges("Uses", "class A { Func<int, Order> make; void Run() { make(1); } } class Order;")

    assert edges == {("A.make", "Order", "holds"), ("A.Run", "A.make", "calls delegate")}


def test_a_static_type_is_used_where_its_members_do_not_say_so(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Uses",
        """
        class A { void Run() { var a = Names.Table; var b = Derived.Table; } }
        class Names { public const string Table = ""; }
        class Derived : Names;
        """,
    )

    assert edges == {
        ("A.Run", "Names.Table", "reads member"),
        ("A.Run", "Derived", "static"),
    }


def test_locals_and_foreign_members_are_not_used(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Uses", "class A { void Run(string text) { var n = text.Length; n = Console.Width; } }"
    )

    assert edges == set()


def test_what_is_made_is_an_opened_type_before_a_global_one_of_another_project(code_edges: CodeEdges) -> None:
    files = {
        "Plugin/Address.cs": "class Address { public Address() {} }",
        "Core/Address.cs": "namespace Core.Common; class Address { public Address() {} public void Check() {} }",
        "Data/A.cs": """
            using Core.Common;
            namespace Data;
            class A { void Run() { var one = new Address(); one.Check(); } }
        """,
    }

    assert code_edges("Calls", files) == {
        ("Data.A.Run", "Core.Common.Address.Address", "new"),
        ("Data.A.Run", "Core.Common.Address.Check", "receiver type"),
    }
    assert code_edges("Uses", files) == {("Data.A.Run", "Core.Common.Address", "new")}


def test_attributes_are_used_by_what_they_stand_on(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Uses",
        """
        [Audit] class Desk { [Audit] void Run() {} [Plain] void Stop() {} [Needs<Order>] void Ask() {} }
        [Collection("orders")] class DeskTests;
        class AuditAttribute : Attribute;
        class Audit;
        class Plain : AuditAttribute;
        class NeedsAttribute<T> : Attribute;
        class Order;
        class Collection;
        """,
    )

    assert edges == {
        ("Desk", "AuditAttribute", "attribute"),
        ("Desk.Run", "AuditAttribute", "attribute"),
        ("Desk.Stop", "Plain", "attribute"),
        ("Desk.Ask", "NeedsAttribute", "attribute"),
        ("Desk.Ask", "Order", "attribute"),
    }


def test_a_handler_that_is_taken_off_an_event_is_not_called(code_edges: CodeEdges) -> None:
    text = """
        class A {
            B b;
            void On() { b.Changed += Done; }
            void Off() { b.Changed -= Done; }
            void OffNew() { b.Changed -= new EventHandler(this.Done); }
            void OffGeneric() { b.Changed -= Any<int>; }
            void Any<T>(object sender, EventArgs e) { }
            void OffLocal(EventHandler all) { all -= Done; }
            void Less() { b.Count -= b.Sum(One); }
            void Done(object sender, EventArgs e) { }
            int One() => 1;
        }
        class B { public event EventHandler Changed; public int Count; public int Sum(Func<int> f) => f(); }
        """

    called = code_edges("Calls", text)
    used = {edge for edge in code_edges("Uses", text) if edge[1] in ("A.Done", "A.Any")}

    assert {edge for edge in called if edge[2] == "method group"} == {
        ("A.On", "A.Done", "method group"),
        ("A.Less", "A.One", "method group"),
    }
    assert used == {
        *((source, "A.Done", "reads member") for source in ("A.Off", "A.OffNew", "A.OffLocal")),
        ("A.OffGeneric", "A.Any", "reads member"),
    }


def test_the_category_of_a_logger_is_not_used(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Uses",
        """
        using Microsoft.Extensions.Logging;
        class A { ILogger<A> log; Lazy<ILogger<B>> late; A(ILogger<A> log, IOptions<C> options) { } }
        class B { }
        class C { }
        """,
    )

    assert edges == {("A.A", "C", "parameter")}


def test_an_own_logger_uses_what_it_is_given(code_edges: CodeEdges) -> None:
    edges = code_edges("Uses", "class A { Logger<B> log; } class B { } class Logger<T> { }")

    assert edges == {("A.log", "B", "holds"), ("A.log", "Logger", "holds")}
