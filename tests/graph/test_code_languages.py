"""Python, TypeScript, Java and Go are resolved by the same rules, with what each of them sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

PYTHON = {
    "shop/prices.py": """
        class PriceList:
            def price_of(self, sku): return lookup(sku)
        def lookup(sku): return 1
    """,
    "shop/__init__.py": "from shop.prices import PriceList\n",
    "shop/orders.py": """
        from shop import PriceList
        from .prices import lookup as find
        import shop.prices
        class Line:
            def total(self) -> float: return 1
        class Order:
            def __init__(self, prices: PriceList):
                self.prices = prices
                self.lines: list[Line] = []
            def sum(self):
                return sum(line.total() for line in self.lines)
        class BigOrder(Order):
            def sum(self):
                self.prices.price_of("x")
                return super().sum()
        def place():
            order = BigOrder(PriceList())
            order.sum()
            find("x")
            shop.prices.lookup("y")
            unknown().price_of("z")
    """,
}


def test_python(code_edges: CodeEdges) -> None:
    edges = code_edges("Calls", PYTHON)

    assert edges == {
        ("shop.prices.PriceList.price_of", "shop.prices.lookup", "same module"),
        ("shop.orders.Order.sum", "shop.orders.Line.total", "receiver type"),
        ("shop.orders.BigOrder.sum", "shop.prices.PriceList.price_of", "receiver type"),
        ("shop.orders.BigOrder.sum", "shop.orders.Order.sum", "receiver type"),
        ("shop.orders.place", "shop.orders.BigOrder.sum", "receiver type"),
        ("shop.orders.place", "shop.prices.lookup", "import"),
        ("shop.orders.place", "shop.prices.PriceList.price_of", "only visible name"),
    }


def test_typescript(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        {
            "src/models/order.ts": """
                export class Order { lines: Line[] = []; add(line: Line) { return this; } total() { return 1; } }
                export class Line { tax() { return 1; } }
                export const make = () => new Order();
            """,
            "src/models/index.ts": "export * from './order';",
            "src/models/journal.ts": "export default class Journal { write() {} }",
            "src/place.ts": """
                import { make, Line, Order } from './models';
                import * as models from './models/order';
                import Journal from './models/journal';
                export class PlaceService {
                    private journal = new Journal();
                    constructor(private order: Order) {}
                    place() {
                        this.order.add(new Line()).total();
                        this.order.lines.forEach(line => line.tax());
                        this.journal.write();
                        models.make();
                        make();
                        local();
                    }
                }
                function local() {}
            """,
        },
    )

    assert edges == {
        ("place.PlaceService.place", "models.order.Order.add", "receiver type"),
        ("place.PlaceService.place", "models.order.Order.total", "receiver type"),
        ("place.PlaceService.place", "models.order.Line.tax", "receiver type"),
        ("place.PlaceService.place", "models.journal.Journal.write", "receiver type"),
        ("place.PlaceService.place", "models.order.make", "import"),
        ("place.PlaceService.place", "place.local", "same module"),
    }


def test_java(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        {
            "src/shop/core/OrderService.java": """
                package shop.core;
                import shop.data.Orders;
                import static shop.data.Names.upper;
                class OrderService {
                    private final Orders orders;
                    void place(Order order) {
                        orders.save(order);
                        order.lines().forEach(line -> line.tax());
                        upper("x");
                    }
                }
                class Order { List<Line> lines() { return null; } }
                class Line { int tax() { return 1; } }
            """,
            "src/shop/data/Orders.java": """
                package shop.data;
                import shop.core.*;
                public class Orders extends Base<Order> { public void save(Order order) { read(1).lines(); } }
                class Base<T> { T read(int id) { return null; } }
                class Names { static String upper(String text) { return text; } }
            """,
        },
    )

    assert edges == {
        ("shop.core.OrderService.place", "shop.data.Orders.save", "receiver type"),
        ("shop.core.OrderService.place", "shop.core.Order.lines", "receiver type"),
        ("shop.core.OrderService.place", "shop.core.Line.tax", "receiver type"),
        ("shop.core.OrderService.place", "shop.data.Names.upper", "static import"),
        ("shop.data.Orders.save", "shop.data.Base.read", "same type"),
        ("shop.data.Orders.save", "shop.core.Order.lines", "receiver type"),
    }


GO = {
    "internal/orders/orders.go": """
        package orders

        type Store interface { Save(o *Order) error }
        type Order struct { Lines []Line; store Store }
        type Line struct { Price int }

        func (l Line) Tax() int { return l.Price }
        func (o *Order) Total() int {
            for _, line := range o.Lines { line.Tax() }
            o.store.Save(o)
            return helper()
        }
        func New(s Store) *Order { return &Order{store: s} }
    """,
    "internal/orders/disk.go": """
        package orders

        func helper() int { return 1 }

        type disk struct{}
        func (d disk) Save(o *Order) error { return nil }
        type other struct{}
        func (d other) Save(o string) error { return nil }
    """,
    "cmd/main.go": """
        package main

        import "github.com/acme/shop/internal/orders"

        func main() { orders.New(nil).Total() }
    """,
}


def test_go(code_edges: CodeEdges) -> None:
    edges = code_edges("Calls", GO)

    assert edges == {
        ("internal.orders.Order.Total", "internal.orders.Line.Tax", "receiver type"),
        ("internal.orders.Order.Total", "internal.orders.Store.Save", "receiver type"),
        ("internal.orders.Order.Total", "internal.orders.disk.Save", "only implementation"),
        ("internal.orders.Order.Total", "internal.orders.helper", "same module"),
        ("cmd.main", "internal.orders.New", "import"),
        ("cmd.main", "internal.orders.Order.Total", "receiver type"),
    }


def test_go_types_implement_interfaces_by_their_methods(code_edges: CodeEdges) -> None:
    edges = code_edges("Implements", GO)

    assert edges == {
        ("internal.orders.disk", "internal.orders.Store", "method set"),
        ("internal.orders.disk.Save", "internal.orders.Store.Save", "implements"),
    }


def test_a_module_of_the_standard_library_is_not_a_function_of_the_project(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        {
            "rich/__init__.py": "def inspect(): pass\n",
            "rich/pages.py": """
                class Console:
                    def pager(self, text): pass
            """,
            "rich/console.py": """
                from .pages import Console
                def show(text):
                    import inspect
                    import pydoc
                    use(inspect)
                    inspect.pager(text)
                    pydoc.pager(text)
            """,
        },
    )

    assert edges == set()


def test_imports_count_from_a_source_root_further_up(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        {
            "backend/app/prices.py": "def lookup(): pass\n",
            "backend/app/orders.py": """
                from app.prices import lookup
                def place(): lookup()
            """,
            "tools/other.py": """
                from prices import lookup
                def run(): lookup()
            """,
        },
    )

    assert edges == {("backend.app.orders.place", "backend.app.prices.lookup", "import")}


def test_a_function_whose_members_are_named_is_used_not_called(code_edges: CodeEdges) -> None:
    files = {
        "web/paths.js": """
            function Paths() {}
            Paths.root = "/";
            function join() { return Paths.fix(Paths.root); }
            function onLoad() { later(join); join.call(null); }
        """,
    }

    assert code_edges("Calls", files) == {("web.paths.onLoad", "web.paths.join", "method group")}
    assert ("web.paths.join", "web.paths.Paths", "reads member") in code_edges("Uses", files)
