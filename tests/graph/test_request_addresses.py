"""Addresses of requests are read where constants, fields and constructors hold them."""

from __future__ import annotations

import pytest

from tests.graph.conftest import Answering

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


@pytest.mark.parametrize(
    "address",
    ["environment.api.root + 'orders'", "`${environment.api.root}orders`", "this.base + 'orders'"],
)
def test_an_address_begins_with_a_constant_that_is_imported(answering: Answering, address: str) -> None:
    code = f"""
        import {{ environment }} from './environment';
        export class Orders {{
            base = environment.api.root;
            all() {{ return this.http.get({address}); }}
        }}
        """

    assert answering(code, environment=ENVIRONMENT) == {("OrdersController.All", 0.8)}


def test_an_imported_constant_that_holds_no_such_name_tells_nothing(answering: Answering) -> None:
    code = """
        import { environment } from './environment';
        export class Orders { all() { return this.http.get(environment.web.root + 'orders'); } }
        """

    assert answering(code, environment=ENVIRONMENT) == set()


@pytest.mark.parametrize(
    "constructor",
    [
        "constructor(http: HttpClient) { this.url = '/api/orders'; }",
        "constructor(http: HttpClient) { this.root = '/api/'; this.url = this.root + 'orders'; }",
        "constructor() { var end = '/'; if (!is(end)) end += '/'; this.at = end; this.url = this.at + 'api/orders' }",
    ],
)
def test_a_constructor_sets_the_address(answering: Answering, constructor: str) -> None:
    code = f"export class Orders {{ url: string; {constructor} all() {{ return this.http.get(this.url); }} }}"

    assert answering(code) == {("OrdersController.All", 0.8)}


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
def test_a_derived_class_hands_the_address_to_its_base(answering: Answering, base: str) -> None:
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

    assert answering(code, service=base) == {("OrdersController.One", 0.8)}


def test_an_address_is_handed_on_by_two_constructors(answering: Answering) -> None:
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

    assert answering(code, service=BASE) == {("OrdersController.All", 0.8)}


def test_a_base_that_others_derive_from_has_no_address_of_its_own(answering: Answering) -> None:
    base = BASE.replace("this.url = url; }", "this.url = url; } all() { return this.http.get(this.url); }")
    code = """
        import { Service } from './service';
        export class Orders extends Service { constructor(http: HttpClient) { super(http, '/api/orders'); } }
        """

    assert answering(code, service=base) == set()


def test_constructors_of_csharp_hand_addresses_on(answering: Answering) -> None:
    code = """
        public abstract class Client {
            protected readonly HttpClient http;
            protected readonly string path;
            protected Client(HttpClient http, string path) { this.http = http; this.path = path; }
        }
        public class OrdersClient : Client {
            public OrdersClient(HttpClient http) : base(http, "api/orders") { }
            public Task Place(Order order) => http.PostAsJsonAsync(path, order);
        }
        public class MoreClient(HttpClient http) : Client(http, "api/orders") {
            public Task One(int id) => http.GetAsync($"{path}/{id}");
        }
        """

    found = answering(code, path="web/Clients.cs")

    assert found == {("OrdersController.Create", 0.8), ("OrdersController.One", 0.8)}
