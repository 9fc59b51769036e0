"""What is sent may be told by a function that makes it, or by its type alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

RULE = "message handler"
MESSAGES = """
    record OrderPaid(int Id) : INotification;
    class Mailer : INotificationHandler<OrderPaid> { Task Handle(OrderPaid paid, Token t) {} }
    class Ledger : IConsumer<OrderPaid> { Task Consume(ConsumeContext<OrderPaid> context) {} }
"""


@pytest.mark.parametrize(
    "sent",
    [
        "Publish(() => new OrderPaid(1))",
        "Publish(() => Paid(1))",
        "Publish(() => { var id = 1; return new OrderPaid(id); })",
        "Publish(later)",
        "bus.Publish<OrderPaid>(new { Id = 1 })",
        "bus.Send<OrderPaid>(paid => { paid.Id = 1; })",
        "bus.PublishAsync<OrderPaid>()",
    ],
)
def test_a_message_may_be_made_by_a_function_or_by_who_sends_it(code_edges: CodeEdges, sent: str) -> None:
    sender = f"""
        class Order : Entity {{
            IBus bus;
            OrderPaid Paid(int id) => new(id);
            void Pay(Func<OrderPaid> later) {{ {sent}; }}
        }}
        class Entity {{ protected void Publish<T>(Func<T> action) {{ UnitOfWork.AddEvent(action); }} }}
    """

    edges = code_edges("Calls", {"Shop/M.cs": MESSAGES, "Shop/O.cs": sender})

    assert {edge for edge in edges if edge[2] == RULE} == {
        ("Order.Pay", "Mailer.Handle", RULE),
        ("Order.Pay", "Ledger.Consume", RULE),
    }


@pytest.mark.parametrize(
    "sent", ["context.Send(state => Show(new OrderPaid(1)))", "bus.Send<OrderPaid>(new Job())"]
)
def test_what_a_function_mentions_is_not_sent(code_edges: CodeEdges, sent: str) -> None:
    sender = f"class Job; class Desk {{ IBus bus; SynchronizationContext context; void Run() {{ {sent}; }} }}"

    edges = code_edges("Calls", {"Shop/M.cs": MESSAGES, "Shop/D.cs": sender})

    assert {edge for edge in edges if edge[2] == RULE} == set()
