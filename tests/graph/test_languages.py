"""Two files of one language are enough for calls, inheritance and uses to lead from one to the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

RECEIVER = "receiver type"

PYTHON_MODELS = """
    TABLE = "orders"

    class Line:
        def price(self) -> int: ...

    class Order:
        lines: list[Line]

        def total(self) -> int: ...

    def find_order(number) -> Order: ...
    """
SCRIPT_MODELS = """
    export const TABLE = 'orders';
    export class Line { price(): number { return 1; } }
    export class Order { lines: Line[]; total(): number { return 1; } }
    export async function findOrder(id: number): Promise<Order> { return null; }
    """
JAVA_MODELS = """
    package shop.model;
    public class Order {
        public static final String TABLE = "orders";
        private List<Line> lines;
        public List<Line> getLines() { return lines; }
        public int total() { return 1; }
        public static Order find(int id) { return null; }
    }
    class Line { int price() { return 1; } }
    """
GO_MODELS = """
    package models
    const Table = "orders"
    type Line struct {}
    func (l Line) Price() int { return 1 }
    type Order struct { Lines []Line }
    func (o *Order) Total() int { return 1 }
    func FindOrder(id int) (*Order, error) { return nil, nil }
    """


def python(code: str) -> dict[str, str]:
    return {"src/shop/models.py": PYTHON_MODELS, "src/shop/orders.py": code}


def script(code: str) -> dict[str, str]:
    return {"src/shop/models.ts": SCRIPT_MODELS, "src/shop/orders.ts": code}


def java(code: str) -> dict[str, str]:
    return {"shop/model/Order.java": JAVA_MODELS, "shop/Orders.java": code}


def go(code: str) -> dict[str, str]:
    return {"internal/models/models.go": GO_MODELS, "internal/orders/orders.go": code}


# Python


@pytest.mark.parametrize(
    "line",
    [
        "def place(order: Order): order.total()",
        "def place(order: 'Order | None'): order.total()",
        "def place(orders: list[Order]):\n    for order in orders: order.total()",
        "def place(orders: list[Order]): return [order.total() for order in orders]",
        "def place():\n    order = Order()\n    order.total()",
        "def place():\n    with Order() as order: order.total()",
        "def place(): Order().total()",
        "def place(): models.Order().total()",
        "def place(): find_order(1).total()",
        "async def place():\n    order = await find_order(1)\n    order.total()",
        "def place(): models.find_order(1).total()",
    ],
)
def test_python_calls_follow_the_type_of_the_receiver(code_edges: CodeEdges, line: str) -> None:
    head = "from shop import models\nfrom .models import Order, find_order\n"

    edges = code_edges("Calls", python(head + line))

    assert ("shop.orders.place", "shop.models.Order.total", RECEIVER) in edges


def test_python_fields_have_the_type_that_the_constructor_gives_them(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        python("""
            from shop.models import Line, Order

            class Service:
                def __init__(self, order: Order):
                    self._order = order
                    self.line = Line()

                def place(self):
                    self._order.total()
                    self.line.price()
            """),
    )

    assert edges == {
        ("shop.orders.Service.place", "shop.models.Order.total", RECEIVER),
        ("shop.orders.Service.place", "shop.models.Line.price", RECEIVER),
    }


def test_python_functions_are_called_by_import_and_within_the_module(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        python("""
            import shop.models
            import shop.models as m
            from shop.models import find_order as find

            def one(): find(1)
            def two(): m.find_order(1)
            def three(): shop.models.find_order(1)
            def four(): one()
            def five(find): find(1)
            """),
    )

    assert {(start, end) for start, end, _ in edges} == {
        ("shop.orders.one", "shop.models.find_order"),
        ("shop.orders.two", "shop.models.find_order"),
        ("shop.orders.three", "shop.models.find_order"),
        ("shop.orders.four", "shop.orders.one"),
    }


def test_python_names_that_a_package_passes_on_lead_to_where_they_are_defined(code_edges: CodeEdges) -> None:
    files = {
        "src/shop/__init__.py": "from .models import Order, find_order\n",
        "src/shop/models.py": PYTHON_MODELS,
        "src/web/views.py": """
            from shop import Order, find_order

            class Big(Order): ...

            def show(order: Order):
                order.total()
                find_order(1)
            """,
    }

    assert code_edges("Inherits", files) == {("web.views.Big", "shop.models.Order", "base list")}
    assert {(start, end) for start, end, _ in code_edges("Calls", files)} == {
        ("web.views.show", "shop.models.Order.total"),
        ("web.views.show", "shop.models.find_order"),
    }


def test_python_classes_inherit_and_use_what_they_name(code_edges: CodeEdges) -> None:
    files = python("""
        from shop import models
        from shop.models import TABLE, Order

        class Big(models.Order):
            def again(self) -> Order:
                self.total()
                return query(TABLE, models.TABLE)
        """)

    assert code_edges("Inherits", files) == {("shop.orders.Big", "shop.models.Order", "base list")}
    assert code_edges("Calls", files) == {("shop.orders.Big.again", "shop.models.Order.total", RECEIVER)}
    assert {(start, end) for start, end, rule in code_edges("Uses", files) if rule != RECEIVER} == {
        ("shop.models.Order.lines", "shop.models.Line"),
        ("shop.models.find_order", "shop.models.Order"),
        ("shop.orders.Big.again", "shop.models.Order"),
        ("shop.orders.Big.again", "shop.models.TABLE"),
    }


def test_python_constants_of_imported_modules_are_used(code_edges: CodeEdges) -> None:
    edges = code_edges("Uses", python("import shop.models as m\ndef place(): query(m.TABLE)\n"))

    assert ("shop.orders.place", "shop.models.TABLE") in {(start, end) for start, end, _ in edges}


# TypeScript


@pytest.mark.parametrize(
    "line",
    [
        "export function place(order: Order) { order.total(); }",
        "export function place(order?: Order | null) { order?.total(); }",
        "export function place(orders: Order[]) { for (const order of orders) { order.total(); } }",
        "export function place(orders: Order[]) { orders.forEach(order => order.total()); }",
        "export function place() { const order = new Order(); order.total(); }",
        "export function place() { new models.Order().total(); }",
        "export const place = (order: any) => (order as Order).total();",
        "export async function place() { const order = await findOrder(1); order.total(); }",
        "export async function place() { (await models.findOrder(1)).total(); }",
        "export function place() { findOrder(1).then(order => order.total()); }",
        "export function place({ order }: { order: Order }, order2: Order) { order2.total(); }",
    ],
)
def test_typescript_calls_follow_the_type_of_the_receiver(code_edges: CodeEdges, line: str) -> None:
    head = "import * as models from './models';\nimport { Order, findOrder } from './models';\n"

    edges = code_edges("Calls", script(head + line))

    assert ("shop.orders.place", "shop.models.Order.total", RECEIVER) in edges


def test_typescript_fields_have_their_types(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        script("""
            import { Line, Order as Purchase } from './models';

            class Service {
                private line = new Line();
                private readonly other: Purchase;
                constructor(private order: Purchase) {}
                place() { this.order.total(); this.line.price(); this.missing.total(); }
                again = () => this.other.total();
            }
            """),
    )

    assert edges == {
        ("shop.orders.Service.place", "shop.models.Order.total", RECEIVER),
        ("shop.orders.Service.place", "shop.models.Line.price", RECEIVER),
        ("shop.orders.Service.again", "shop.models.Order.total", RECEIVER),
    }


def test_typescript_functions_are_called_by_import_and_within_the_module(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        script("""
            import * as m from './models.js';
            import { findOrder as find } from './models';

            function one() { find(1); }
            function two() { m.findOrder(1); }
            function three() { one(); }
            function four(find) { find(1); }
            """),
    )

    assert {(start, end) for start, end, _ in edges} == {
        ("shop.orders.one", "shop.models.findOrder"),
        ("shop.orders.two", "shop.models.findOrder"),
        ("shop.orders.three", "shop.orders.one"),
    }


def test_typescript_modules_pass_names_on(code_edges: CodeEdges) -> None:
    files = {
        "src/shop/models.ts": SCRIPT_MODELS,
        "src/shop/index.ts": "export * from './models';\nexport { findOrder as find } from './models';\n",
        "src/web/view.ts": """
            import { Order, find } from '../shop';
            class Big extends Order { show() { this.total(); find(1); } }
            """,
    }

    assert code_edges("Inherits", files) == {("web.view.Big", "shop.models.Order", "base list")}
    assert {(start, end) for start, end, _ in code_edges("Calls", files)} == {
        ("web.view.Big.show", "shop.models.Order.total"),
        ("web.view.Big.show", "shop.models.findOrder"),
    }


def test_an_index_that_passes_on_many_modules_passes_on_all(code_edges: CodeEdges) -> None:
    others = {f"src/shop/a{number}.ts": f"export class A{number} {{}}" for number in range(60)}
    passed_on = "".join(f"export * from './a{number}';\n" for number in range(60))
    files = others | {
        "src/shop/order.ts": "export class Order {}",
        "src/shop/index.ts": f"{passed_on}export * from './order';\n",
        "src/web/view.ts": "import { Order } from '../shop';\nclass Big extends Order {}\n",
    }

    assert code_edges("Inherits", files) == {("web.view.Big", "shop.order.Order", "base list")}


def test_typescript_default_exports_have_any_name(code_edges: CodeEdges) -> None:
    files = {
        "src/shop/repo.ts": "export default class Repo { save(): void {} }",
        "src/shop/place.ts": "function place() {}\nexport default place;\n",
        "src/shop/web.ts": """
            import Store from './repo';
            import put from './place';
            export function run(store: Store) { store.save(); put(); }
            """,
    }

    assert {(start, end) for start, end, _ in code_edges("Calls", files)} == {
        ("shop.web.run", "shop.repo.Repo.save"),
        ("shop.web.run", "shop.place.place"),
    }


def test_typescript_classes_inherit_implement_and_use(code_edges: CodeEdges) -> None:
    files = script("""
        import * as models from './models';
        import { Order, TABLE } from './models';

        interface Priced { total(): number; }
        class Big extends models.Order implements Priced { total() { return query(TABLE, models.TABLE); } }
        """)

    assert ("shop.orders.Big", "shop.models.Order", "base list") in code_edges("Inherits", files)
    assert code_edges("Implements", files) == {
        ("shop.orders.Big", "shop.orders.Priced", "base list"),
        ("shop.orders.Big.total", "shop.models.Order.total", "overrides"),
        ("shop.orders.Big.total", "shop.orders.Priced.total", "implements"),
    }
    assert ("shop.orders.Big.total", "shop.models.TABLE") in {pair[:2] for pair in code_edges("Uses", files)}


def test_javascript_modules_require_each_other(code_edges: CodeEdges) -> None:
    files = {
        "lib/models.js": "class Order { total() {} }\nfunction find(id) {}\nmodule.exports = { Order, find };\n",
        "lib/orders.js": """
            const { Order, find: findOrder } = require('./models');
            const models = require('./models');
            exports.place = function () { new Order().total(); findOrder(1); models.find(2); };
            """,
    }

    assert {(start, end) for start, end, _ in code_edges("Calls", files)} == {
        ("lib.orders.place", "lib.models.Order.total"),
        ("lib.orders.place", "lib.models.find"),
    }


# Java


@pytest.mark.parametrize(
    "line",
    [
        "void place(Order order) { order.total(); }",
        "void place(List<Order> orders) { for (Order order : orders) order.total(); }",
        "void place(List<Order> orders) { for (var order : orders) order.total(); }",
        "void place(List<Order> orders) { orders.forEach(order -> order.total()); }",
        "void place(List<Order> orders) { orders.stream().filter(o -> true).forEach(o -> o.total()); }",
        "void place() { var order = new Order(); order.total(); }",
        "void place() { new Order().total(); }",
        "void place() { Order.find(1).total(); }",
        "void place(Object o) { ((Order) o).total(); }",
        "void place(Object o) { if (o instanceof Order order) order.total(); }",
        "void place() { own.total(); }",
        "void place() { this.own.total(); }",
    ],
)
def test_java_calls_follow_the_type_of_the_receiver(code_edges: CodeEdges, line: str) -> None:
    head = "package shop;\nimport shop.model.Order;\nimport java.util.List;\n"

    edges = code_edges("Calls", java(f"{head}class Orders {{ Order own; {line} }}"))

    assert ("shop.Orders.place", "shop.model.Order.total", RECEIVER) in edges


def test_java_types_inherit_implement_and_use(code_edges: CodeEdges) -> None:
    files = java("""
        package shop;
        import shop.model.*;
        import static shop.model.Order.TABLE;

        interface Priced { int total(); }
        class Big extends Order implements Priced {
            public int total() { return query(TABLE) + super.total(); }
        }
        """)

    assert ("shop.Big", "shop.model.Order", "base list") in code_edges("Inherits", files)
    assert code_edges("Implements", files) == {
        ("shop.Big", "shop.Priced", "base list"),
        ("shop.Big.total", "shop.model.Order.total", "overrides"),
        ("shop.Big.total", "shop.Priced.total", "implements"),
    }
    assert ("shop.Big.total", "shop.model.Order.total", RECEIVER) in code_edges("Calls", files)
    assert ("shop.Big.total", "shop.model.Order.TABLE") in {pair[:2] for pair in code_edges("Uses", files)}


def test_java_interfaces_lead_to_their_only_implementation(code_edges: CodeEdges) -> None:
    files = {
        "shop/A.java": """
            package shop;
            interface Store { void save(); }
            class SqlStore implements Store { public void save() {} }
            class Service {
                private final Store store;
                Service(Store store) { this.store = store; }
                void place() { store.save(); }
            }
            """
    }

    assert {(start, end) for start, end, _ in code_edges("Calls", files)} == {
        ("shop.Service.place", "shop.Store.save"),
        ("shop.Service.place", "shop.SqlStore.save"),
    }


# Go


@pytest.mark.parametrize(
    "line",
    [
        "func Place(order *models.Order) { order.Total() }",
        "func Place(orders []*models.Order) { for _, order := range orders { order.Total() } }",
        "func Place(orders map[string]models.Order) { orders[a].Total() }",
        "func Place() { order := &models.Order{}; order.Total() }",
        "func Place() { order := new(models.Order); order.Total() }",
        "func Place() { var order models.Order; order.Total() }",
        "func Place() { order, err := models.FindOrder(1); order.Total() }",
        "func Place(x any) { x.(*models.Order).Total() }",
        "func Place(x any) { switch order := x.(type) { case *models.Order: order.Total() } }",
    ],
)
def test_go_calls_follow_the_type_of_the_receiver(code_edges: CodeEdges, line: str) -> None:
    head = 'package orders\nimport "example.com/shop/internal/models"\n'

    edges = code_edges("Calls", go(head + line))

    assert ("internal.orders.Place", "internal.models.Order.Total", RECEIVER) in edges


def test_go_methods_belong_to_their_type_and_fields_have_types(code_edges: CodeEdges) -> None:
    files = go("""
        package orders
        import m "example.com/shop/internal/models"
        type Base struct {}
        func (b *Base) Log() {}
        type Service struct {
            Base
            order *m.Order
        }
        func (s *Service) Place() {
            s.order.Total()
            s.check()
            s.Log()
            m.FindOrder(1)
        }
        func (s *Service) check() { use(m.Table) }
        """)

    assert {(start, end) for start, end, _ in code_edges("Calls", files)} == {
        ("internal.orders.Service.Place", "internal.models.Order.Total"),
        ("internal.orders.Service.Place", "internal.orders.Service.check"),
        ("internal.orders.Service.Place", "internal.orders.Base.Log"),
        ("internal.orders.Service.Place", "internal.models.FindOrder"),
    }
    assert code_edges("Inherits", files) == {("internal.orders.Service", "internal.orders.Base", "base list")}
    assert ("internal.orders.Service.check", "internal.models.Table") in {
        pair[:2] for pair in code_edges("Uses", files)
    }


def test_go_packages_span_files(code_edges: CodeEdges) -> None:
    files = {
        "internal/store/type.go": "package store\ntype Repo struct{}\n",
        "internal/store/save.go": "package store\nfunc (r *Repo) Save() { log() }\n",
        "internal/store/log.go": "package store\nfunc log() {}\n",
        "web/web.go": """
            package web
            import "x.org/shop/internal/store"
            func Run(r *store.Repo) { r.Save() }
            """,
    }

    assert {(start, end) for start, end, _ in code_edges("Calls", files)} == {
        ("internal.store.Repo.Save", "internal.store.log"),
        ("web.Run", "internal.store.Repo.Save"),
    }
