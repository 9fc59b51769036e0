"""Requests lead to the methods that answer them: HttpClient, Refit, fetch, axios, Angular, jQuery."""

from __future__ import annotations

from time import process_time

import pytest

from ragduck.graph.code.served_paths import Path, Served, ServedPaths
from tests.graph.conftest import ORDERS, Answering


@pytest.mark.parametrize(
    ("statement", "method"),
    [
        ("http.get('/api/orders')", "All"),
        ("this.http.get<Order>(`/api/orders/${id}`)", "One"),
        ("this.http.post('/api/orders', order)", "Create"),
        ("axios.put(`/api/Orders/${id}/state/paid?now=1`)", "State"),
        ("axios.put(`/api/orders/${id}/state`)", "State"),
        ("axios({ url: '/api/orders', method: 'post' })", "Create"),
        ("fetch('/api/orders')", "All"),
        ("fetch(`/api/orders/`, { method: 'POST' })", "Create"),
        ("fetch('http://localhost:5000/api/orders/7')", "One"),
        ("$.getJSON('/api/orders', show)", "All"),
        ("$.post('/api/orders', order)", "Create"),
        ("$.ajax({ url: '/api/orders', type: 'POST' })", "Create"),
        ("axios.get('/health')", "Health"),
        ("http.get(`/api/orders${query}`)", "All"),
        ("http.request('POST', '/api/orders')", "Create"),
        ("fetch('/api/orders', { headers: all })", "All"),
        ("$.ajax({ url: '/api/orders', success: show })", "All"),
        ("axios.get('http://orders-api/api/orders')", "All"),
        ("axios.get('../api/orders')", "All"),
        ("window.fetch('/api/orders')", "All"),
        ("request({ url: '/api/orders', method: 'post', data: order })", "Create"),
        ("this.request({ path: `/api/orders/${id}`, method: 'GET', ...params })", "One"),
        ("this.instance.request({ url: '/api/orders', method: 'POST' })", "Create"),
    ],
)
def test_scripts_ask_for_what_controllers_serve(answering: Answering, statement: str, method: str) -> None:
    found = answering(f"export function run(id: number, order: any) {{ return {statement}; }}")

    assert found == {(f"OrdersController.{method}", 0.8)}


@pytest.mark.parametrize(
    "sent",
    [
        "let options_: RequestInit = { method: 'POST', headers: {} }; return this.http.fetch(url_, options_);",
        "let options_ : any = { observe: 'response' }; return this.http.request('post', url_, options_);",
        "let options_: AxiosRequestConfig = { method: 'POST', url: url_ }; return this.axios.request(options_);",
    ],
)
def test_generated_clients_put_the_address_together_in_steps(answering: Answering, sent: str) -> None:
    code = f"""
        export class OrdersClient {{
            constructor(private http: any, baseUrl?: string) {{ this.baseUrl = baseUrl ?? ""; }}
            create(order: any) {{
                let url_ = this.baseUrl + "/api/orders";
                url_ = url_.replace(/[?&]$/, "");
                {sent}
            }}
        }}
        """

    assert answering(code) == {("OrdersController.Create", 0.6)}


@pytest.mark.parametrize(
    "statement",
    [
        "http.get('https://api.example.com/api/orders')",
        "cache.get('/api/orders')",
        "http.get('/api/invoices')",
        "http.delete('/api/orders')",
        "http.get('/orders')",
        "http.get(`/api/${kind}`)",
        "http.get('orders')",
        "http.get(url)",
        "$.addClass('/api/orders')",
        "http.get('//api.example.com/api/orders')",
        "http.get('https://localhost.example.com/api/orders')",
        "http.get('/api/orders/latest')",
        "http.put('/api/orders/x/state/a/b')",
        "fetch('/api/orders', { method: 'OPTIONS' })",
        "orderApi.get('/api/orders', (request, response) => response.send(1))",
        "mockApi.get('/api/orders')",
        "http.get(`${base}/state`)",
        "request({ url: '/api/orders' })",
        "server.request({ url: '/api/orders', method: 'get', handler: answer })",
    ],
)
def test_other_addresses_and_calls_ask_for_nothing(answering: Answering, statement: str) -> None:
    assert answering(f"export function run(url: string) {{ return {statement}; }}") == set()


@pytest.mark.parametrize(
    "script",
    [
        "function orders($http) { return { all: () => $http.get('/api/orders') }; }",
        "angular.module('shop').factory('orders', ['$http', function ($http) { $http.get('/api/orders'); }]);",
        "(function ($) { $.getJSON('/api/orders'); })(jQuery);",
        "jQuery(document).ready(function ($) { $.get('/api/orders'); });",
        "define(['axios'], axios => { axios.get('/api/orders'); });",
    ],
)
def test_a_client_may_be_a_parameter_of_a_function(answering: Answering, script: str) -> None:
    assert answering(script) == {("OrdersController.All", 0.8)}


def test_an_address_behind_an_unknown_base_is_less_sure(answering: Answering) -> None:
    code = "export class S { one(id: number) { return this.http.get(environment.api + '/orders/' + id); } }"

    assert answering(code) == {("OrdersController.One", 0.6)}


@pytest.mark.parametrize(
    ("statement", "method"),
    [
        ('http.GetAsync("api/orders")', "All"),
        ('http.GetFromJsonAsync<Order>($"/api/orders/{id}")', "One"),
        ('http.PostAsJsonAsync("api/orders", order)', "Create"),
        ('http.GetStringAsync($"{Base}/{id}")', "One"),
    ],
)
def test_a_client_asks_for_what_controllers_serve(answering: Answering, statement: str, method: str) -> None:
    run = f"void Run(int id, Order order) => {statement};"
    code = f'class C(HttpClient http) {{ const string Base = "api/orders"; {run} }}'

    assert answering(code, path="web/C.cs") == {(f"OrdersController.{method}", 0.8)}


def test_a_store_with_methods_of_that_name_sends_no_request(answering: Answering) -> None:
    code = (
        'class C(IBlobStore store) { void Run() => store.GetAsync("api/orders"); } interface IBlobStore { }'
    )

    assert answering(code, path="web/C.cs") == set()


def test_an_interface_of_refit_asks(answering: Answering) -> None:
    code = 'using Refit; interface IOrders { [Get("/api/orders/{id}")] Task<Order> One(int id); }'

    assert answering(code, path="web/C.cs") == {("OrdersController.One", 0.8)}


@pytest.mark.parametrize(
    ("address", "method"),
    [
        ("/Order/Save", "OrderController.Save"),
        ("/Order", "OrderController.Index"),
        ("/Order/Edit/5", "OrderController.Edit"),
    ],
)
def test_controllers_without_routes_are_named_in_the_path(
    answering: Answering, address: str, method: str
) -> None:
    served = """
        using System.Web.Mvc;
        public class OrderController : Controller {
            public ActionResult Index() => View();
            [HttpPost] public ActionResult Save(Order order) => View();
            public ActionResult Edit(int id) => View();
        }
    """
    verb = "POST" if "Save" in address else "GET"
    code = f"function run() {{ $.ajax({{ url: '{address}', type: '{verb}' }}); }}"

    assert answering(code, path="web/a.js", served=served) == {(method, 0.8)}


def test_a_web_api_controller_answers_by_verb(answering: Answering) -> None:
    served = """
        using System.Web.Http;
        public class OrdersController : ApiController {
            public void Get(int id) { }
            public void Post(Order order) { }
        }
    """

    assert answering("export const f = () => axios.post('/api/orders', 1);", served=served) == {
        ("OrdersController.Post", 0.8)
    }


def test_prefixes_come_from_the_base_of_a_controller(answering: Answering) -> None:
    served = """
        using Microsoft.AspNetCore.Mvc;
        [Route("api/v{version:apiVersion}/[controller]/[action]")] public abstract class Base : ControllerBase { }
        public class OrdersController : Base { [HttpGet] public void Latest() { } }
    """

    assert answering("export const f = () => axios.get('/api/v2/orders/latest');", served=served) == {
        ("OrdersController.Latest", 0.8)
    }


@pytest.mark.parametrize(
    ("address", "method"), [("/api/orders/3", "OrdersApi.One"), ("/api/orders", "OrdersApi.Map")]
)
def test_groups_of_minimal_apis_are_put_together(answering: Answering, address: str, method: str) -> None:
    served = """
        static class OrdersApi {
            public static void Map(this IEndpointRouteBuilder app) {
                var group = app.MapGroup("api").MapGroup("orders");
                group.MapGet("{id:int}", One);
                group.MapGet("/", () => 1);
            }
            static void One(int id) { }
        }
    """

    assert answering(f"export const f = () => axios.get('{address}');", served=served) == {(method, 0.8)}


def test_a_group_that_is_given_begins_anywhere(answering: Answering) -> None:
    served = """
        static class OrdersApi {
            public static void Map(RouteGroupBuilder group) { group.MapGet("orders/{id}", One); }
            static void One(int id) { }
        }
    """

    assert answering("export const f = () => axios.get('/api/orders/3');", served=served) == {
        ("OrdersApi.One", 0.6)
    }


def test_what_several_answer_is_less_sure_and_what_many_answer_tells_nothing(answering: Answering) -> None:
    one = """
        using Microsoft.AspNetCore.Mvc;
        [Route("api/orders")] class A{0}Controller : ControllerBase {{ [HttpGet] public void Get() {{ }} }}
    """
    ask = "export const f = () => axios.get('/api/orders');"

    two = answering(ask, served=one.format(1), more=one.format(2))
    four = answering(
        ask, served="".join(one.format(n) for n in (1, 2)), more="".join(one.format(n) for n in (3, 4))
    )

    assert two == {("A1Controller.Get", 0.5), ("A2Controller.Get", 0.5)}
    assert four == set()


def test_literal_segments_come_before_parameters(answering: Answering) -> None:
    served = """
        using Microsoft.AspNetCore.Mvc;
        [Route("api/orders")] public class OrdersController : ControllerBase {
            [HttpGet("{id}")] public void One(string id) { }
            [HttpGet("latest")] public void Latest() { }
        }
    """

    assert answering("export const f = () => axios.get('/api/orders/latest');", served=served) == {
        ("OrdersController.Latest", 0.8)
    }


def test_a_constant_of_the_file_and_a_field_are_read(answering: Answering) -> None:
    code = """
        const API = '/api/orders';
        export class S {
            private url = environment.api + '/orders';
            all() { return axios.get(API); }
            one(id: number) { return this.http.get(`${this.url}/${id}`); }
        }
    """

    assert answering(code) == {("OrdersController.All", 0.8), ("OrdersController.One", 0.6)}


def test_a_word_behind_an_unknown_address_is_no_path(answering: Answering) -> None:
    code = "export class S { find() { return this.http.get(`${this.customers}/latest`); } }"
    served = ORDERS.replace('"/health"', '"latest"')

    assert answering(code, served=served) == set()


@pytest.mark.parametrize("imported", ["express", "msw", "fastify"])
def test_a_server_sends_no_requests(answering: Answering, imported: str) -> None:
    assert answering(f"import {{ http }} from '{imported}'; http.get('/api/orders', list);") == set()


def test_a_server_may_be_a_client_of_another(answering: Answering) -> None:
    code = "import express from 'express'; import axios from 'axios'; app.get('/x', () => axios.get('/api/orders'));"

    assert answering(code) == {("OrdersController.All", 0.8)}


@pytest.mark.parametrize(
    "address",
    ["/images/order", "/v1/payments/order", "/assets/order/index", "/api/order/edit/5", "/admin/order/save"],
)
def test_a_controller_without_routes_answers_at_the_root(answering: Answering, address: str) -> None:
    served = """
        using System.Web.Mvc;
        public class OrderController : Controller {
            public ActionResult Index() => View();
            public ActionResult Edit(int id) => View();
            public ActionResult Save() => View();
        }
    """

    assert answering(f"export const f = () => axios.get('{address}');", served=served) == set()


@pytest.mark.parametrize(
    ("address", "is_answered"),
    [
        ("'/API/Shop/Order/Save'", True),
        ("'/DesktopModules/Shop/API/Order/Save?id=' + id", True),
        ("dnn.getVar('sf_siteRoot', '/') + 'API/Shop/Order/Save'", True),
        ("services.getServiceRoot('Shop') + 'Order/Save'", True),
        ("'/Order/Save'", False),
        ("'/API/Order/Save'", False),
    ],
)
def test_a_module_of_dotnetnuke_answers_below_its_folder(
    answering: Answering, address: str, is_answered: bool
) -> None:
    served = """
        public abstract class Services : DnnApiController { }
        public class OrderController : Services { public void Save(int id) { } }
    """

    found = answering(f"function run(id) {{ $.ajax({{ type: 'POST', url: {address} }}); }}", served=served)

    assert {method for method, _ in found} == ({"OrderController.Save"} if is_answered else set())


def test_an_area_stands_in_front(answering: Answering) -> None:
    served = """
        using Microsoft.AspNetCore.Mvc;
        [Area("Admin")] public class OrderController : Controller { public IActionResult Edit(int id) => View(); }
    """

    assert answering("export const f = () => axios.get('/admin/order/edit/1');", served=served) == {
        ("OrderController.Edit", 0.8)
    }
    assert answering("export const f = () => axios.get('/order/edit/1');", served=served) == set()


@pytest.mark.parametrize(
    ("request_", "methods"),
    [
        ("axios.get('/api/orders/a')", {"Both"}),
        ("axios.post('/api/orders/a')", set()),
        ("axios.post('/api/orders/b')", {"Both"}),
        ("axios.put('/api/orders/accept')", {"Accept"}),
        ("axios.delete('/api/orders/accept')", set()),
        ("axios.get('/api/orders/full')", {"Full"}),
        ("axios.get('/api/orders/report-2024.pdf')", {"Report"}),
        ("axios.get('/api/orders/report.pdf')", set()),
        ("axios.get('/api/orders/files/a/b/c')", {"Files"}),
        ("axios.get('/api/orders/lost')", set()),
        ("axios.get('/api/orders/inherited')", {"Base.Inherited"}),
    ],
)
def test_verbs_and_templates_go_together(answering: Answering, request_: str, methods: set[str]) -> None:
    served = """
        using Microsoft.AspNetCore.Mvc;
        public abstract class Base : ControllerBase { [HttpGet("inherited")] public void Inherited() { } }
        [Route("api/orders")] public class OrdersController : Base {
            [HttpGet("a"), HttpPost("b")] public void Both() { }
            [AcceptVerbs("PUT", "PATCH"), Route("accept")] public void Accept() { }
            [Microsoft.AspNetCore.Mvc.HttpGet("full")] public void Full() { }
            [HttpGet("report-{year}.pdf")] public void Report(int year) { }
            [HttpGet("files/{**path}")] public void Files(string path) { }
            [HttpGet(Missing.Lost)] public void Lost() { }
        }
    """
    found = answering(f"export const f = () => {request_};", served=served)

    assert found == {(one if "." in one else f"OrdersController.{one}", 0.8) for one in methods}


@pytest.mark.parametrize(
    ("request_", "methods"),
    [
        ("axios.get('/api/products')", {"GetAllProducts"}),
        ("axios.get('/api/products/5')", {"GetProduct"}),
        ("axios.post('/api/products/5')", {"Rename"}),
    ],
)
def test_web_api_answers_by_name_and_key(answering: Answering, request_: str, methods: set[str]) -> None:
    served = """
        using System.Web.Http;
        public class ProductsController : ApiController {
            public void GetAllProducts() { }
            public void GetProduct(int id) { }
            public void Rename(int id) { }
        }
    """
    found = answering(f"export const f = () => {request_};", served=served)

    assert found == {(f"ProductsController.{one}", 0.8) for one in methods}


def test_a_route_prefix_is_for_what_has_a_route(answering: Answering) -> None:
    served = """
        using System.Web.Mvc;
        [RoutePrefix("shop")] public class CartController : Controller {
            [Route("add/{id}")] public ActionResult Add(int id) => View();
            public ActionResult Show() => View();
        }
    """

    assert answering("export const f = () => axios.get('/shop/add/1');", served=served) == {
        ("CartController.Add", 0.8)
    }
    assert answering("export const f = () => axios.get('/cart/show');", served=served) == {
        ("CartController.Show", 0.8)
    }
    assert answering("export const f = () => axios.get('/shop');", served=served) == set()


@pytest.mark.parametrize("name", ["rapidStore", "capitalize", "cacheClient", "blobClient", "_secretClient"])
def test_what_only_has_letters_of_a_client_is_none(answering: Answering, name: str) -> None:
    assert answering(f'class C {{ void Run() => {name}.GetAsync("api/orders"); }}', path="web/C.cs") == set()


@pytest.mark.parametrize(
    "name", ["_httpClient", "client", "ordersApi", "http", "anonymousClient", "factory.CreateClient()"]
)
def test_what_is_called_a_client_is_less_sure(answering: Answering, name: str) -> None:
    code = f'class C {{ void Run() => {name}.GetAsync("api/orders"); }}'

    assert answering(code, path="web/C.cs") == {("OrdersController.All", 0.6)}


def test_requests_to_many_routes_take_a_time_that_grows_with_their_number() -> None:
    def seconds(count: int) -> float:
        paths = ServedPaths(Served("get", Path(("api", f"a{n}", "{}")), f"k{n}") for n in range(count))
        began = process_time()
        for number in range(count):
            assert len(paths.answering("get", Path(("api", f"a{number}", "1")))) == 1
        return process_time() - began

    assert seconds(20_000) < 5


@pytest.mark.parametrize(
    ("request_", "method"),
    [
        ("/api/v3/series", "SeriesController.All"),
        ("/api/v3/series/5", "SeriesController.One"),
        ("/feed/tags/5", "TagController.Find"),
        ("/feed/tags", None),
        ("/api/v1/unknown", None),
        ("/unknown/all", None),
    ],
)
def test_route_attributes_of_one_s_own_say_what_their_bases_do(
    answering: Answering, request_: str, method: str | None
) -> None:
    served = """
        using System; using Microsoft.AspNetCore.Mvc; using Microsoft.AspNetCore.Mvc.Routing;
        class ApiRouteAttribute : RouteAttribute {
            public ApiRouteAttribute(string resource = "[controller]") : base("api/v3/" + resource) { }
        }
        class FeedAttribute : Attribute, IRouteTemplateProvider {
            public FeedAttribute(string area, string resource) { Template = $"{area}/{resource}"; }
            public string Template { get; }
        }
        class TagFeedAttribute : FeedAttribute {
            public TagFeedAttribute(string resource = "tags") : base("feed", resource) { }
        }
        class ByIdAttribute : Attribute, IActionHttpMethodProvider, IRouteTemplateProvider {
            public IEnumerable<string> HttpMethods => new[] { "GET" };
            public string Template => "{id:int}";
        }
        class FindAttribute : HttpGetAttribute { public FindAttribute() : base("{id:int}") { } }
        class OpenAttribute : RouteAttribute { public OpenAttribute() : base(Settings.Read()) { } }
        [ApiRoute] public class SeriesController : ControllerBase {
            [HttpGet] public void All() { }
            [ById] public void One(int id) { }
        }
        [TagFeed] public class TagController : ControllerBase { [Find] public void Find(int id) { } }
        [Open] public class UnknownController : ControllerBase { [HttpGet] public void All() { } }
    """

    found = answering(f"export const f = () => axios.get('{request_}');", served=served)

    assert found == ({(method, 0.8)} if method else set())
