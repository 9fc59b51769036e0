"""Clients of WCF lead to the services that answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

Calls = Callable[..., dict[str, tuple[str, float]]]
CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

CONTRACT = """
    [ServiceContract] public interface IOrders { [OperationContract] void Place(int id); }
    public class Orders : IOrders { public void Place(int id) {} }
"""
ANSWERED = {"IOrders.Place": ("receiver type", 0.95), "Orders.Place": ("only implementation", 0.8)}


@pytest.mark.parametrize("channel", ["Channel", "base.Channel", "this.Channel"])
@pytest.mark.parametrize("base", ["ClientBase<IOrders>", "System.ServiceModel.DuplexClientBase<IOrders>"])
def test_the_channel_of_a_client_leads_to_the_service(calls: Calls, channel: str, base: str) -> None:
    client = f"class Caller : {base}, IOrders {{ public void Run() {{ {channel}.Place(1); }} }}"

    assert calls(CONTRACT, client) == ANSWERED


def test_an_own_base_of_clients_has_the_channel_of_its_contract(calls: Calls) -> None:
    client = """
        abstract class Client<T> : ClientBase<T> where T : class {}
        class Caller : Client<IOrders> { void Run() { base.Channel.Place(1); } }
    """

    assert calls(CONTRACT, client) == ANSWERED


@pytest.mark.parametrize(
    "made",
    [
        "new ChannelFactory<IOrders>(binding).CreateChannel()",
        "new DuplexChannelFactory<IOrders>(site, binding).CreateChannel()",
    ],
)
def test_a_channel_that_a_factory_makes_leads_to_the_service(calls: Calls, made: str) -> None:
    assert (
        calls(CONTRACT, f"class Caller {{ void Run() {{ var orders = {made}; orders.Place(1); }} }}")
        == ANSWERED
    )


def test_clients_do_not_answer_where_a_service_does(calls: Calls) -> None:
    client = (
        "class Client : ClientBase<IOrders>, IOrders { public void Place(int id) { Channel.Place(id); } }"
    )
    caller = "class Caller { IOrders orders; void Run() { orders.Place(1); } }"

    assert calls(CONTRACT, client, caller) == ANSWERED


def test_without_a_service_others_lead_to_the_client(code_edges: CodeEdges) -> None:
    texts = """
        interface IOrders { void Place(int id); }
        class Client : ClientBase<IOrders>, IOrders { public void Place(int id) { Channel.Place(id); } }
        class Other : ClientBase<IOrders>, IOrders { public void Place(int id) { Channel.Place(id); } }
        class Desk { IOrders orders; void Go() { orders.Place(1); } }
    """

    assert {edge[:2] for edge in code_edges("Calls", texts)} == {
        ("Client.Place", "IOrders.Place"),
        ("Other.Place", "IOrders.Place"),
        ("Desk.Go", "IOrders.Place"),
        ("Desk.Go", "Client.Place"),
        ("Desk.Go", "Other.Place"),
    }
