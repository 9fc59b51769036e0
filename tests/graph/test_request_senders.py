"""Methods that send requests to the address they are given let their callers ask for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.graph import code_graph
from ragduck.graph.code.sent_requests import SentRequests
from ragduck.graph.rule_memory import RuleMemory
from ragduck.graph.types.catalog import Catalog
from tests.graph.conftest import calls_made

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Asking = Callable[..., set[tuple[str, str, float]]]

ORDERS = """
using Microsoft.AspNetCore.Mvc;
[ApiController, Route("api/[controller]")]
public class OrdersController : ControllerBase {
    [HttpGet] public void All() { }
    [HttpGet("{id:int}")] public void One(int id) { }
    [HttpPost] public void Create(Order order) { }
    [HttpDelete("{id}")] public void Drop(int id) { }
}
"""


@pytest.fixture
def asking(facts_of: FactsOf) -> Asking:
    """Who asks whom for what, with the confidence."""

    def found(*code: str, folder: str = "app") -> set[tuple[str, str, float]]:
        files = {f"{folder}/F{number}.cs": text for number, text in enumerate(code)}
        return {
            (
                edge.from_key.removeprefix("csharp:").removesuffix("|METHOD"),
                edge.to_key.rpartition(".")[2].removesuffix("|METHOD"),
                edge.confidence,
            )
            for edge in code_graph(Catalog(facts_of({"api/Orders.cs": ORDERS} | files))).edges
            if edge.rule == "http request" and edge.relation == "Calls"
        }

    return found


@pytest.mark.parametrize(
    "body",
    [
        "http.GetAsync(uri)",
        "http.GetAsync(new Uri(uri))",
        "http.SendAsync(new HttpRequestMessage(HttpMethod.Get, uri))",
    ],
)
def test_who_gives_a_sender_an_address_asks_for_it(asking: Asking, body: str) -> None:
    sender = f"class Sender {{ HttpClient http; public Task<T> Load<T>(string uri) {{ {body}; }} }}"
    desk = 'class Desk { Sender sender; Task Run(int id) => sender.Load<Order>($"api/orders/{id}"); }'

    assert asking(sender, desk) == {("Desk.Run", "One", 0.6)}


@pytest.mark.parametrize(
    "body",
    [
        'http.GetAsync($"{root}/{uri}")',
        "http.GetAsync(Path.Combine(root, uri))",
        "http.GetAsync(new Uri(root, uri))",
        "var builder = new UriBuilder(root); builder.Path += uri; http.GetAsync(builder.Uri)",
    ],
)
def test_before_an_address_something_may_stand(asking: Asking, body: str) -> None:
    sender = f"class Sender {{ HttpClient http; Uri root; public Task<T> Load<T>(string uri) {{ {body}; }} }}"
    desk = 'class Desk { Sender sender; Task Run(int id) => sender.Load<Order>($"api/orders/{id}"); }'

    assert asking(sender, desk) == {("Desk.Run", "One", 0.6)}


def test_an_interface_sends_what_its_implementation_sends(asking: Asking) -> None:
    sender = """
        interface ISender { Task<T> GetAsync<T>(string uri); Task DeleteAsync(string uri); }
        class Sender : ISender {
            HttpClient http;
            public Task<T> GetAsync<T>(string uri) => Send<T>(uri, HttpMethod.Get);
            public Task DeleteAsync(string uri) => Send<object>(uri, HttpMethod.Delete);
            Task<T> Send<T>(string uri, HttpMethod method) => http.SendAsync(new HttpRequestMessage(method, uri));
        }
    """
    desk = """
        class Desk {
            ISender sender;
            Task Drop(int id) => sender.DeleteAsync("/api/orders/" + id);
            Task All() => sender.GetAsync<Order>("/api/orders");
        }
    """

    assert asking(sender, desk) == {("Desk.Drop", "Drop", 0.6), ("Desk.All", "All", 0.6)}


@pytest.mark.parametrize("kind", ["IRestHttpClient", "RestClient", "IApiClient"])
def test_a_client_of_a_package_is_known_by_its_name(asking: Asking, kind: str) -> None:
    desk = f"""
        class Desk({kind} client) {{
            Task Create(Order order) => client.PostAsJson<Order, int>("api/orders", order);
            Task All() => client.Get<Order[]>("api/orders?page=1");
        }}
    """

    assert asking(desk) == {("Desk.Create", "Create", 0.6), ("Desk.All", "All", 0.6)}


@pytest.mark.parametrize(
    "sender",
    [
        'public Task<T> Load<T>(string uri) => http.GetAsync("api/invoices/" + uri);',
        "public Task<T> Load<T>(string uri) { log.Write(uri); return http.GetAsync(address); }",
        "public Task<T> Load<T>(string filePath) => http.PostAsync(target, Read(filePath));",
        "public Task<T> Load<T>(string uri) => cache.GetAsync(uri);",
    ],
)
def test_what_goes_elsewhere_is_no_address(asking: Asking, sender: str) -> None:
    code = f'class Sender {{ HttpClient http; ICache cache; const string address = "/x"; {sender} }}'
    desk = 'class Desk { Sender sender; Task Run(int id) => sender.Load<Order>($"api/orders/{id}"); }'

    assert asking(code, desk) == set()


def test_an_address_that_says_nothing_is_none(asking: Asking) -> None:
    code = """
        class C {
            HttpClient http;
            Task Kind(string url) => http.GetAsync(new Uri(UriKind.Relative));
            Task Nothing(string url) => http.GetAsync(new Uri());
            Task All() => http.GetAsync("api/orders");
        }
    """

    assert asking(code) == {("C.All", "All", 0.8)}


def test_who_asks_for_one_thing_is_no_sender(asking: Asking) -> None:
    client = """
        class Orders { HttpClient http; public Task One(string id) => http.GetAsync("api/orders/" + id); }
        class Desk { Orders orders; Task Run() => orders.One("7/more"); }
    """

    assert asking(client) == {("Orders.One", "One", 0.8)}


@pytest.mark.parametrize(
    "statement",
    [
        'mock.Verify(one => one.Load<Order>("api/orders/1"));',
        'package.Get<Order>("api/orders/1").Returns(new Order());',
        'own.Load<Order>("api/orders/1").Returns(new Order());',
    ],
)
def test_what_stands_in_for_a_sender_asks_for_nothing(asking: Asking, statement: str) -> None:
    code = f"""
        interface ISender {{ Task<T> Load<T>(string uri); }}
        class Sender : ISender {{ HttpClient http; public Task<T> Load<T>(string uri) => http.GetAsync(uri); }}
        class DeskTests {{
            Mock<Sender> mock; IRestHttpClient package; ISender own;
            [Fact] void Run() {{ {statement} }}
        }}
    """

    assert asking(code, folder="tests/DeskTests") == set()


def test_a_test_asks_by_a_sender_of_its_own(asking: Asking) -> None:
    code = """
        class DeskTests {
            HttpClient http;
            Task<T> Load<T>(string uri) => http.GetAsync(uri);
            [Fact] Task Run() => Load<Order>("api/orders/1");
        }
    """

    assert asking(code, folder="tests/DeskTests") == {("DeskTests.Run", "One", 0.6)}


def test_many_overloads_take_a_time_that_grows_with_their_number(facts_of: FactsOf) -> None:
    def steps(count: int) -> int:
        numbers = range(count)
        loads = [f"Task Load(T{one} it, string url) {{ return _http.GetAsync(url); }}" for one in numbers]
        runs = [f'Task Run{one}(T{one} it) {{ return _c.Load(it, "/api/orders"); }}' for one in numbers]
        code = f"""
            class Client {{ HttpClient _http; public {" public ".join(loads)} }}
            class Desk {{ Client _c; public {" public ".join(runs)} }}
        """
        facts = facts_of({"api/Orders.cs": ORDERS, "app/Client.cs": code})
        return calls_made(lambda: code_graph(Catalog(facts)))

    assert steps(480) < 3 * steps(240)


def test_many_overloads_of_an_interface_take_a_time_that_grows_with_their_number(facts_of: FactsOf) -> None:
    def steps(count: int) -> int:
        lines = "\n"
        heads = [f"Task Load(T{number} it, string url)" for number in range(count)]
        loads = [f"public {head} {{ return _http.GetAsync(url); }}" for head in heads]
        code = f"""
            interface IClient {{ {"; ".join(heads)}; }}
            class Client : IClient {{ HttpClient _http; {lines.join(loads)} }}
        """
        catalog = Catalog(facts_of({"app/Client.cs": code}))
        return calls_made(lambda: SentRequests(catalog, RuleMemory()))

    assert steps(480) < 3 * steps(240)
