"""A lambda is handed what the delegate takes that it becomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

ORDER = """
    class Order { public void Close() { } } class Line { public void Drop() { } }
    class OrderArgs : EventArgs { public Order Order { get; } }
    delegate void Use<T>(T one);
    delegate void Show(Order order, Line line);
    """


def reached(code_edges: CodeEdges, text: str) -> set[str]:
    """Return what `A.Run` calls of an order and a line."""
    edges = code_edges("Calls", text + ORDER)
    assert all(rule in ("receiver type", "same type", "new") for _, _, rule in edges)
    return {
        target for source, target, _ in edges if source == "A.Run" and target.startswith(("Order.", "Line."))
    }


@pytest.mark.parametrize(
    "statement",
    [
        "Ask<Order>(o => o.Close());",
        "AskBoth((o, l) => o.Close());",
        "Deep(1, then: o => o.Close());",
        "Deep(1, other: l => l.Drop(), then: o => o.Close());",
        "Use<Order> use = o => o.Close();",
        "Action<Order> use = o => o.Close();",
        "Show show; show = (o, l) => o.Close();",
        "new Use<Order>(o => o.Close())(null);",
        "new Action<Order>(o => o.Close())(null);",
        "var use = (Use<Order>)(o => o.Close());",
        "var command = new Command<Order>(o => o.Close());",
        "var command = new Primary<Order>(1, o => o.Close());",
        "var command = new Command<Order>(null) { Done = o => o.Close() };",
        "held = o => o.Close();",
        "this.held = o => o.Close();",
        'byName["a"] = o => o.Close();',
        "Changed += (sender, e) => e.Order.Close();",
        "Shown += (o, l) => { o.Close(); };",
        "other.Changed += (sender, e) => e.Order.Close();",
        "other.Changed += new EventHandler<OrderArgs>((sender, e) => e.Order.Close());",
        "Use<Order> Make() { return o => o.Close(); }",
        "Use<Order> Make() => o => o.Close();",
    ],
)
def test_a_lambda_gets_what_the_delegate_takes(code_edges: CodeEdges, statement: str) -> None:
    found = reached(
        code_edges,
        f"""
        class A {{
            Use<Order> held; Dictionary<string, Use<Order>> byName; Other other;
            event EventHandler<OrderArgs> Changed; event Show Shown;
            void Run() {{ {statement} }}
            void Ask<T>(Use<T> use) {{ }}
            void AskBoth(Show show) {{ }}
            void Deep(int n, Use<Order> then = null, Use<Line> other = null) {{ }}
        }}
        class Other {{ public event EventHandler<OrderArgs> Changed; }}
        class Command<T> {{ public Command(Use<T> use) {{ }} public Use<T> Done {{ get; set; }} }}
        class Primary<T>(int n, Use<T> use);
        """,
    )

    assert found - {"Line.Drop"} == {"Order.Close"}


def test_members_and_results_tell_their_delegate(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A {
            Use<Order> one = o => o.Close();
            Use<Order> Two { get; set; } = o => o.Close();
            Use<Order> Three => o => o.Close();
            Use<Order> Four() { return o => o.Close(); }
            async Task<Use<Order>> Five() { return o => o.Close(); }
        }
        """
        + ORDER,
    )

    members = ("one", "Two", "Three", "Four", "Five")
    assert {edge[:2] for edge in edges} == {(f"A.{name}", "Order.Close") for name in members}


def test_a_function_inside_a_method_returns_its_own_delegate(code_edges: CodeEdges) -> None:
    found = reached(
        code_edges,
        """
        class A {
            Use<Line> Run() {
                Use<Order> Inner() { return o => o.Close(); }
                return l => l.Drop();
            }
        }
        """,
    )

    assert found == {"Order.Close", "Line.Drop"}


def test_the_delegate_with_as_many_type_parameters_is_meant(code_edges: CodeEdges) -> None:
    found = reached(
        code_edges,
        """
        delegate void Done(Line line); delegate void Done<T>(T one); delegate void Done<T, U>(U one, T other);
        class A { void Run() { Done a = x => x.Drop(); Done<Line, Order> b = (x, y) => x.Close(); } }
        """,
    )

    assert found == {"Line.Drop", "Order.Close"}


def test_an_own_type_of_other_type_parameters_is_not_the_delegate(code_edges: CodeEdges) -> None:
    found = reached(
        code_edges,
        """
        class Action { }
        class A { void Run() { Ask<Order>(o => o.Close()); } void Ask<T>(Action<T> use) { } }
        """,
    )

    assert found == {"Order.Close"}


def test_a_type_parameter_around_a_delegate_is_not_that_of_another_class(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class Broker<T> { public delegate void Each(T one); public void Go(Each each) { } }
        class A<T> where T : Order { Broker<int> broker; void Run() { broker.Go(x => x.Close()); } }
        """
        + ORDER,
    )

    assert {edge for edge in edges if edge[2] == "receiver type"} == {("A.Run", "Broker.Go", "receiver type")}


def test_delegates_of_visual_basic_are_read_too(code_edges: CodeEdges) -> None:
    files = {
        "Shop/A.vb": "Public Delegate Sub Use(order As Order)\nClass Order\nSub Close()\nEnd Sub\nEnd Class\n",
        "Shop/B.cs": "class B { Use use; void Run() { use = o => o.Close(); } }",
    }

    assert code_edges("Calls", files) == {("B.Run", "Order.Close", "receiver type")}
