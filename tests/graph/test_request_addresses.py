"""Addresses of requests are read where constants, fields and constructors hold them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import dedent

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.graph import code_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Answers = Callable[..., set[tuple[str, float]]]

ORDERS = """
using Microsoft.AspNetCore.Mvc;
[ApiController, Route("api/[controller]")]
public class OrdersController : ControllerBase {
    [HttpGet] public void All() { }
    [HttpGet("{id:int}")] public void One(int id) { }
    [HttpPost] public void Create(Order order) { }
}
"""
ENVIRONMENT = """
const HOST = 'localhost';
export const environment = { production: false, api: { root: 'http://' + HOST + ':5000/api/' } };
"""
BASE = """
export class Service {
    protected url: string;
    constructor(protected http: HttpClient, url: string) { this.url = url; }
}
"""


@pytest.fixture
def answers(facts_of: FactsOf) -> Answers:
    """Who answers the requests of `web/orders.ts` or of what is given: names of methods with the confidence."""

    def found(code: str, **more: str) -> set[tuple[str, float]]:
        files = {"api/Orders.cs": ORDERS, "web/orders.ts": dedent(code)}
        files |= {f"web/{name}.ts": text for name, text in more.items()}
        return asked(facts_of, files)

    return found


def asked(facts_of: FactsOf, files: Mapping[str, str]) -> set[tuple[str, float]]:
    """Return the methods that answer requests, with the confidence."""
    edges = code_graph(Catalog(facts_of(files))).edges
    found = [edge for edge in edges if edge.rule == "http request"]
    return {(edge.to_key.removeprefix("csharp:").removesuffix("|METHOD"), edge.confidence) for edge in found}


@pytest.mark.parametrize(
    "address",
    ["environment.api.root + 'orders'", "`${environment.api.root}orders`", "this.base + 'orders'"],
)
def test_an_address_begins_with_a_constant_that_is_imported(answers: Answers, address: str) -> None:
    code = f"""
        import {{ environment }} from './environment';
        export class Orders {{
            base = environment.api.root;
            all() {{ return this.http.get({address}); }}
        }}
        """

    assert answers(code, environment=ENVIRONMENT) == {("OrdersController.All", 0.8)}


def test_an_imported_constant_that_holds_no_such_name_tells_nothing(answers: Answers) -> None:
    code = """
        import { environment } from './environment';
        export class Orders { all() { return this.http.get(environment.web.root + 'orders'); } }
        """

    assert answers(code, environment=ENVIRONMENT) == set()


@pytest.mark.parametrize(
    "constructor",
    [
        "constructor(http: HttpClient) { this.url = '/api/orders'; }",
        "constructor(http: HttpClient) { this.root = '/api/'; this.url = this.root + 'orders'; }",
    ],
)
def test_a_constructor_sets_the_address(answers: Answers, constructor: str) -> None:
    code = f"export class Orders {{ url: string; {constructor} all() {{ return this.http.get(this.url); }} }}"

    assert answers(code) == {("OrdersController.All", 0.8)}


@pytest.mark.parametrize(
    "base",
    [
        BASE,
        "export class Service { constructor(protected http: HttpClient, protected url: string) { } }",
        """
        export class Service {
            constructor(protected http: HttpClient, protected url: string, href: string = '') {
                if (href.length > 1) { this.url = href + this.url; }
            }
        }
        """,
    ],
)
def test_a_derived_class_hands_the_address_to_its_base(answers: Answers, base: str) -> None:
    code = """
        import { Service } from './service';
        export class Orders extends Service {
            constructor(http: HttpClient) { super(http, '/api/orders'); }
            one(id: number) { return this.http.get(`${this.url}/${id}`); }
        }
        export class Others extends Service {
            constructor(http: HttpClient) { super(http, '/api/others'); }
            all() { return this.http.get(this.url); }
        }
        """

    assert answers(code, service=base) == {("OrdersController.One", 0.8)}


def test_an_address_is_handed_on_by_two_constructors(answers: Answers) -> None:
    code = """
        import { Service } from './service';
        class Named extends Service {
            constructor(http: HttpClient, name: string) { super(http, '/api/' + name); }
        }
        class Passing extends Service {
            constructor(http: HttpClient, address: string) { super(http, address); }
        }
        export class Orders extends Passing {
            constructor(http: HttpClient) { super(http, '/api/orders'); }
            all() { return this.http.get(this.url); }
        }
        """

    assert answers(code, service=BASE) == {("OrdersController.All", 0.8)}


def test_a_base_that_others_derive_from_has_no_address_of_its_own(answers: Answers) -> None:
    base = BASE.replace("this.url = url; }", "this.url = url; } all() { return this.http.get(this.url); }")
    code = """
        import { Service } from './service';
        export class Orders extends Service { constructor(http: HttpClient) { super(http, '/api/orders'); } }
        """

    assert answers(code, service=base) == set()


def test_constructors_of_csharp_hand_addresses_on(facts_of: FactsOf) -> None:
    base = """
        public abstract class Client {
            protected readonly HttpClient http;
            protected readonly string path;
            protected Client(HttpClient http, string path) { this.http = http; this.path = path; }
        }
        """
    orders = """
        public class OrdersClient : Client {
            public OrdersClient(HttpClient http) : base(http, "api/orders") { }
            public Task Place(Order order) => http.PostAsJsonAsync(path, order);
        }
        public class MoreClient(HttpClient http) : Client(http, "api/orders") {
            public Task One(int id) => http.GetAsync($"{path}/{id}");
        }
        """
    files = {"api/Orders.cs": ORDERS, "web/Client.cs": base, "web/OrdersClient.cs": orders}

    assert asked(facts_of, files) == {("OrdersController.Create", 0.8), ("OrdersController.One", 0.8)}
