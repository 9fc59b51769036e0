"""What is put into a queue leads to the function that the queue triggers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

RULE = "message handler"
FUNCTIONS = """
    static class Queues { public const string Paid = "orders-paid"; }
    class Functions {
        [FunctionName("Mail")] public void Mail([QueueTrigger(Queues.Paid, Connection = "Blobs")] Order order) {}
        [Function("Ship")] public void Ship([ServiceBusTrigger("shipments", "warehouse")] string message) {}
        [Function("Sweep")] public void Sweep([TimerTrigger("0 0 1 * * *")] TimerInfo timer) {}
    }
"""


def reached(code_edges: CodeEdges, statement: str) -> set[str]:
    """Return the functions that a statement triggers."""
    desk = f"class Desk {{ IQueue queue; ServiceBusClient bus; ILog log; void Run(Order order) {{ {statement} }} }}"
    edges = code_edges("Calls", {"Shop/F.cs": FUNCTIONS, "Shop/D.cs": desk})
    return {to for source, to, rule in edges if source == "Desk.Run" and rule == RULE}


@pytest.mark.parametrize(
    ("statement", "function"),
    [
        ("queue.PushAsync(Json(order), Queues.Paid);", "Functions.Mail"),
        ('queue.Send("orders-paid", order);', "Functions.Mail"),
        ('client.GetQueueReference("orders-paid").AddMessage(order);', "Functions.Mail"),
        ('bus.CreateSender("shipments").SendMessageAsync(order);', "Functions.Ship"),
    ],
)
def test_who_names_a_queue_triggers_its_function(
    code_edges: CodeEdges, statement: str, function: str
) -> None:
    assert reached(code_edges, statement) == {function}


@pytest.mark.parametrize(
    "statement",
    [
        'log.Write("orders-paid");',
        'fields.Add("orders-paid", order);',
        'state.AddModelError("orders-paid", "bad");',
        'queue.Send("warehouse", order);',
        'queue.Send("Blobs", order);',
        'queue.Send("0 0 1 * * *");',
        "queue.Send(order);",
    ],
)
def test_what_names_no_queue_triggers_nothing(code_edges: CodeEdges, statement: str) -> None:
    assert reached(code_edges, statement) == set()
