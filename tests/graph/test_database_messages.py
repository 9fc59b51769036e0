"""Who begins a dialog of Service Broker calls what the queue of the service runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog, database_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

QUEUE = "CREATE QUEUE dbo.Orders WITH STATUS = ON, ACTIVATION (PROCEDURE_NAME = dbo.Handle, EXECUTE AS SELF)\nGO\n"
SERVICE = "CREATE SERVICE [//shop/orders] AUTHORIZATION dbo ON QUEUE Orders ([//shop/contract])\nGO\n"
HANDLER = "CREATE PROCEDURE dbo.Handle AS RECEIVE TOP (1) @m = message_body FROM dbo.Orders\nGO\n"
SENDER = """CREATE PROCEDURE dbo.Place AS
BEGIN DIALOG CONVERSATION @h
    FROM SERVICE [//shop/desk]
    TO SERVICE N'//shop/orders', N'current database'
    ON CONTRACT [//shop/contract] WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [//shop/order] (@body);
GO
"""


def calls(facts_of: FactsOf, *scripts: str) -> list[tuple[str, str, int, float]]:
    files = {f"db/{number}.sql": script for number, script in enumerate(scripts)}
    edges = database_graph(DatabaseCatalog(facts_of(files))).edges
    return [
        (edge.from_key, edge.to_key, edge.line, edge.confidence)
        for edge in edges
        if edge.rule == "service broker"
    ]


def test_who_begins_a_dialog_calls_what_the_queue_of_the_service_runs(facts_of: FactsOf) -> None:
    assert calls(facts_of, SENDER, SERVICE, QUEUE, HANDLER) == [("dbo.Place|PROC", "dbo.Handle|PROC", 4, 0.8)]


@pytest.mark.parametrize(
    "scripts",
    [
        (SENDER, SERVICE, "CREATE QUEUE dbo.Orders WITH STATUS = ON\nGO\n", HANDLER),
        (SENDER, SERVICE.replace("Orders", "Returns"), QUEUE, HANDLER),
        (SENDER.replace("N'//shop/orders'", "@service"), SERVICE, QUEUE, HANDLER),
        (SENDER, SERVICE, QUEUE, QUEUE.replace("Handle", "Other"), HANDLER),
    ],
)
def test_without_a_procedure_of_the_queue_nothing_is_called(
    facts_of: FactsOf, scripts: tuple[str, ...]
) -> None:
    assert calls(facts_of, *scripts) == []
