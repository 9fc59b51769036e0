"""What is sent as an `HttpRequestMessage` leads to the method that answers it."""

from __future__ import annotations

import pytest

from tests.graph.conftest import Answering


@pytest.mark.parametrize(
    ("body", "method"),
    [
        ('await _http.SendAsync(new HttpRequestMessage(HttpMethod.Get, "/api/orders"));', "All"),
        (
            'using (var r = new HttpRequestMessage(HttpMethod.Post, $"/api/orders")) { await Post<int>(r); }',
            "Create",
        ),
        (
            'using var r = new HttpRequestMessage(HttpMethod.Get, $"/api/orders/{id}"); await RequestAsync(r);',
            "One",
        ),
        (
            'HttpRequestMessage r = new(HttpMethod.Put, $"api/orders/{id}/state"); await SendAsync(r);',
            "State",
        ),
        ('await SendAsync(new HttpRequestMessage(HttpMethod.Post, new Uri("/api/orders")));', "Create"),
        (
            'var r = new HttpRequestMessage { Method = HttpMethod.Post, RequestUri = new Uri("/api/orders") };'
            " await SendAsync(r);",
            "Create",
        ),
        (
            'await SendAsync(new HttpRequestMessage(requestUri: "/api/orders", method: HttpMethod.Post));',
            "Create",
        ),
        ('await SendAsync(new HttpRequestMessage(HttpMethod.Options, "/api/orders"));', ""),
        (
            'await SendAsync(new HttpRequestMessage(HttpMethod.Get, "https://api.example.com/api/orders"));',
            "",
        ),
        ('controller.Request = new HttpRequestMessage(HttpMethod.Get, "/api/orders");', ""),
        ('Use(CreateContext(new HttpRequestMessage(HttpMethod.Get, "/api/orders")));', ""),
        ('Use(ComputeSignature(new HttpRequestMessage(HttpMethod.Get, "/api/orders")));', ""),
        ('Use(filter.IsRequestAllowed(new HttpRequestMessage(HttpMethod.Get, "/api/orders")));', ""),
        ('var r = new HttpRequestMessage(HttpMethod.Get, "/api/orders"); target.GetClientIp(r);', ""),
        ('await SendAsync(new HttpRequestMessage(new HttpMethod("POST"), "/api/orders"));', "Create"),
        ('await SendAsync(new HttpRequestMessage { RequestUri = new Uri("/api/orders") });', "All"),
        ("await SendAsync(new HttpRequestMessage(HttpMethod.Get, address));", ""),
        (
            "var r = new HttpRequestMessage(); r.Method = HttpMethod.Post;"
            ' r.RequestUri = new Uri("/api/orders", UriKind.Relative); await SendAsync(r);',
            "Create",
        ),
        (
            'var r = new HttpRequestMessage(HttpMethod.Get, "/api/orders"); r.Method = HttpMethod.Post;'
            " await SendAsync(r);",
            "Create",
        ),
        (
            'var r = new HttpRequestMessage(HttpMethod.Options, "/"); await SendAsync(r);'
            ' r = new HttpRequestMessage(HttpMethod.Post, "/api/orders"); await SendAsync(r);',
            "Create",
        ),
        (
            'var r = new HttpRequestMessage(HttpMethod.Options, "/");'
            ' if (id > 0) r = new HttpRequestMessage(HttpMethod.Post, "/api/orders"); await SendAsync(r);',
            "",
        ),
        ("var r = new HttpRequestMessage(); r.Content = body; await SendAsync(r);", ""),
        (
            'var r = new HttpRequestMessage(HttpMethod.Get, "/api/orders");'
            ' r.RequestUri = new Uri(Helpers.WithKey(r.RequestUri.ToString(), "key")); await SendAsync(r);',
            "All",
        ),
    ],
)
def test_a_message_that_is_sent_asks_for_its_address(answering: Answering, body: str, method: str) -> None:
    code = f"""
        using System.Net.Http;
        class OrdersClient : ApiClient {{
            readonly HttpClient _http;
            public async Task Run(int id, string address) {{ {body} }}
        }}
    """

    found = answering(code, path="client/OrdersClient.cs")

    assert found == ({(f"OrdersController.{method}", 0.8)} if method else set())


def test_a_generated_client_puts_the_address_together_in_a_string_builder(answering: Answering) -> None:
    code = """
        public class OrdersClient {
            private string _baseUrl = "";
            private HttpClient _httpClient;
            public async Task<Order> GetAsync(int id, int page) {
                var client_ = _httpClient;
                using (var request_ = new System.Net.Http.HttpRequestMessage()) {
                    request_.Method = new System.Net.Http.HttpMethod("GET");
                    var urlBuilder_ = new System.Text.StringBuilder();
                    if (!string.IsNullOrEmpty(_baseUrl)) urlBuilder_.Append(_baseUrl);
                    urlBuilder_.Append("api/orders/");
                    urlBuilder_.Append(System.Uri.EscapeDataString(ConvertToString(id)));
                    urlBuilder_.Append('?');
                    urlBuilder_.Append(System.Uri.EscapeDataString("page")).Append('=').Append(page);
                    var url_ = urlBuilder_.ToString();
                    request_.RequestUri = new System.Uri(url_, System.UriKind.RelativeOrAbsolute);
                    var response_ = await client_.SendAsync(request_);
                }
            }
        }
        """

    assert answering(code, path="web/OrdersClient.cs") == {("OrdersController.One", 0.8)}
