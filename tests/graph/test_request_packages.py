"""Requests of RestSharp and Flurl lead to the method that answers them."""

from __future__ import annotations

import pytest

from tests.graph.conftest import Answering


@pytest.mark.parametrize(
    ("body", "method"),
    [
        ('await rest.ExecuteAsync(new RestRequest("api/orders", Method.Get));', "All"),
        (
            'var r = new RestRequest("api/orders/{id}", Method.GET); r.AddUrlSegment("id", id); rest.Execute(r);',
            "One",
        ),
        ('RestRequest r = new($"api/orders/{id}"); await rest.GetAsync<Order>(r);', "One"),
        ('var r = new RestRequest("api/orders").AddJsonBody(order); rest.Post(r);', "Create"),
        (
            'IRestRequest r = new RestRequest("/api/orders", Method.POST) { Timeout = 3 }; rest.Execute<Order>(r);',
            "Create",
        ),
        ('Execute<Order>(new RestRequest { Resource = "api/orders", Method = Method.POST });', "Create"),
        ('var r = new RestRequest("api/orders"); r.Method = Method.Post; HandleRequest<Order>(r);', "Create"),
        ('await rest.ExecutePostAsync(new RestRequest("api/orders"));', "Create"),
        ('await rest.ExecuteAsync(new RestRequest("api/orders"), Method.Post);', "Create"),
        ('await rest.ExecuteAsync(new RestRequest("api/orders", RestSharp.DataFormat.Json));', "All"),
        ('new RestClient("http://localhost:5000/api/").Get(new RestRequest("orders"));', "All"),
        (
            'var c = new RestClient(new RestClientOptions("http://a/api")); c.Get(new RestRequest("orders"));',
            "All",
        ),
        ('_own.Get(new RestRequest("orders"));', "All"),
        ('_made.Get(new RestRequest("orders"));', "All"),
        ('_made.Get(new RestRequest("http://localhost/api/orders"));', "All"),
        ('new RestClient("https://api.example.com").Get(new RestRequest("api/orders"));', ""),
        ('await rest.ExecuteAsync(new RestRequest("api/orders", Method.Options));', ""),
        ('await rest.ExecuteAsync(new RestRequest("api/orders", Method.Delete));', ""),
        ('rest.Execute(new RestRequest("api/orders/{id}", method));', "One"),
        ('LogRequest(new RestRequest("api/orders"));', ""),
        ('var r = new RestRequest("api/orders"); _cache.Get(r);', ""),
        ('var r = new RestRequest("api/orders"); kept.Get<Order>(r);', ""),
        ("await rest.ExecuteAsync(new RestRequest(address));", ""),
    ],
)
def test_a_request_of_restsharp_asks_for_its_resource(answering: Answering, body: str, method: str) -> None:
    code = f"""
        using RestSharp;
        class OrdersClient {{
            readonly RestClient _own = new RestClient("http://localhost:5000/api");
            readonly RestClient _made;
            public OrdersClient() {{ _made = new RestClient(Base + "/api"); }}
            const string Base = "http://orders:80";
            IMemoryCache kept;
            public async Task Run(IRestClient rest, int id, Method method, string address, Order order) {{ {body} }}
        }}
    """

    found = answering(code, path="client/OrdersClient.cs")

    assert found == ({(f"OrdersController.{method}", 0.8)} if method else set())


@pytest.mark.parametrize(
    "body",
    [
        'var r = new RestRequest("api/orders"); if (is) r.Method = Method.POST; rest.Execute(r);',
        """
        var r = new RestRequest("api/orders", Method.GET);
        switch (id) { case 1: r.Method = Method.POST; break; case 2: r.Method = Method.PUT; break; }
        rest.Execute(r);
        """,
        """
        var r = new HttpRequestMessage(HttpMethod.Get, "api/orders");
        if (is) { r.Method = HttpMethod.Post; } else { r.Method = HttpMethod.Put; }
        Send(r);
        """,
    ],
)
def test_a_verb_that_is_set_in_a_branch_may_be_any(answering: Answering, body: str) -> None:
    code = f"class OrdersClient {{ void Run(RestClient rest, int id, bool is) {{ {body} }} }}"

    found = answering(code, path="client/OrdersClient.cs")

    assert found == {("OrdersController.All", 0.5), ("OrdersController.Create", 0.5)}


@pytest.mark.parametrize(
    ("body", "method", "confidence"),
    [
        ('await "http://localhost".AppendPathSegment("api/orders").GetJsonAsync<Order>();', "All", 0.8),
        ('await $"http://localhost:{port}/api".AppendPathSegments("orders", id).GetAsync();', "One", 0.8),
        (
            'await _root.AppendPathSegments("api", "orders").WithHeader("a", "b").PostJsonAsync(order);',
            "Create",
            0.6,
        ),
        ('await _root.AppendPathSegment("/orders").SetQueryParams(new { id }).GetStringAsync();', "All", 0.6),
        (
            'var url = new Url("http://localhost/").AppendPathSegment("api/orders"); await url.GetAsync();',
            "All",
            0.8,
        ),
        ('await new FlurlRequest("http://localhost/api/orders").SendAsync(HttpMethod.Post);', "Create", 0.8),
        ('string url = "/api/orders".SetQueryParam("page", 1); await url.GetJsonAsync<Order>();', "All", 0.8),
        (
            'await Url.Combine("http://localhost", "api", "orders", $"{id}").GetJsonAsync<Order>();',
            "One",
            0.8,
        ),
        (
            'var url = new Url("http://localhost/api"); url = url.AppendPathSegment("orders"); await url.GetAsync();',
            "All",
            0.8,
        ),
        (
            'var url = new Url("http://localhost/api"); url.AppendPathSegment("orders"); await url.GetAsync();',
            "All",
            0.8,
        ),
        (
            'var r = flurl.Request("api/orders"); r.WithTimeout(1).AppendPathSegment(id); await r.GetAsync();',
            "One",
            0.8,
        ),
        (
            'var url = new Url("http://localhost/api/orders"); if (id > 0) url.AppendPathSegment(id);'
            " await url.GetAsync();",
            "",
            0,
        ),
        ('await flurl.Request("api", "orders", id).GetJsonAsync<Order>();', "One", 0.8),
        ('await _flurl.Request("orders").GetJsonAsync<Order>();', "All", 0.8),
        (
            'await _flurl.Request().AppendPathSegment("orders").PostJsonAsync(order).ReceiveJson<Order>();',
            "Create",
            0.8,
        ),
        ('await "https://api.example.com".AppendPathSegment("api/orders").GetJsonAsync<Order>();', "", 0),
        ('await "http://localhost".AppendPathSegment("api/orders").DeleteAsync();', "", 0),
        ('await other.GetAsync("api/orders");', "", 0),
        ('await other.AppendPathSegment("orders").Get();', "", 0),
    ],
)
def test_a_chain_of_flurl_asks_for_its_address(
    answering: Answering, body: str, method: str, confidence: float
) -> None:
    code = f"""
        using Flurl;
        using Flurl.Http;
        class OrdersClient {{
            readonly string _root;
            readonly IFlurlClient _flurl;
            public OrdersClient(string root) {{ _root = root; _flurl = new FlurlClient("http://orders/api"); }}
            public async Task Run(IFlurlClient flurl, Store other, int id, int port, Order order) {{ {body} }}
        }}
    """

    found = answering(code, path="client/OrdersClient.cs")

    assert found == ({(f"OrdersController.{method}", confidence)} if method else set())


def test_a_client_of_a_base_class_has_the_address_that_this_is_handed(answering: Answering) -> None:
    code = """
        using RestSharp;
        abstract class ApiClient {
            protected static IRestClient client;
            protected ApiClient(string url) { if (client == null) client = new RestClient(url); }
        }
        class OrdersClient : ApiClient {
            const string Url = "http://localhost:5000/api/";
            public OrdersClient() : base(Url) { }
            public Order One(int id) => client.Get<Order>(new RestRequest($"orders/{id}")).Data;
        }
    """

    assert answering(code, path="client/OrdersClient.cs") == {("OrdersController.One", 0.8)}


def test_a_method_that_requests_a_resource_of_its_callers_lets_them_ask(answering: Answering) -> None:
    code = """
        using RestSharp;
        class Sender {
            readonly RestClient client = new RestClient("http://localhost:5000/api");
            public Task<T> Load<T>(string resource) {
                var request = new RestRequest(resource, Method.Get);
                return client.ExecuteAsync<T>(request);
            }
        }
        class Desk { Sender sender; Task Run(int id) => sender.Load<Order>($"orders/{id}"); }
    """

    assert answering(code, path="client/Sender.cs") == {("OrdersController.One", 0.6)}


@pytest.mark.parametrize(
    ("body", "method"),
    [
        (
            'var request = Make("api/orders", Method.Post); request.AddJsonBody(order); client.Execute(request);',
            "Create",
        ),
        ('client.Execute<Order>(Make($"api/orders/{id}").AddHeader("a", "b"));', "One"),
        ('client.Execute(Behind("orders"));', "All"),
        ("client.Execute(Make(address));", ""),
    ],
)
def test_a_request_may_be_made_by_a_method_of_one_s_own(answering: Answering, body: str, method: str) -> None:
    code = f"""
        using RestSharp;
        class OrdersClient {{
            RestRequest Make(string resource, Method method = Method.Get) {{
                var request = new RestRequest(resource, method);
                request.AddHeader("Accept", "application/json");
                return request;
            }}
            RestRequest Behind(string name) => new RestRequest("api/" + name);
            public void Run(IRestClient client, int id, string address, Order order) {{ {body} }}
        }}
    """

    found = answering(code, path="client/OrdersClient.cs")

    assert found == ({(f"OrdersController.{method}", 0.8)} if method else set())


def test_a_request_of_ones_own_is_none_of_restsharp(answering: Answering) -> None:
    code = """
        class RestRequest { public RestRequest(string address) { } }
        class Guests { void Go(Desk client) { client.Get(new RestRequest("api/orders")); } }
    """

    assert answering(code, path="client/Guests.cs") == set()


def test_what_a_mock_is_given_asks_for_nothing(answering: Answering) -> None:
    code = """
        using RestSharp;
        class OrdersTests {
            void Run(Mock<IRestClient> mock) { mock.Setup(c => c.Execute(new RestRequest("api/orders"))); }
        }
    """

    assert answering(code, path="client.Tests/OrdersTests.cs") == set()
