"""The type of an expression is told where the files tell it, and nothing breaks where they do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.facts import (
    HANDED,
    UNKNOWN,
    Argument,
    Awaited,
    Call,
    Choice,
    DelegateParameter,
    Element,
    Expression,
    FileFacts,
    Lambda,
    LambdaParameter,
    Member,
    Name,
    New,
    OutArgument,
    Text,
    Typed,
    TypeOf,
)
from ragduck.graph.types.catalog import Catalog, TypeRef
from ragduck.graph.types.expressions import type_of

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

SHOP = """
    namespace Shop;
    public class Ctx : DbContext { public DbSet<Order> Orders { get; set; } }
    public class Order
    {
        public Customer Customer { get; set; }
        public List<Line> Lines { get; set; }
        public Dictionary<string, Line> BySku { get; set; }
        public State State { get; set; }
        public Money? Price { get; set; }
        public Task<Order> Reload() => null;
        public T As<T>() => default;
    }
    public class Customer { public string Name; public Order Last; }
    public class Line { public Order Order; public Product Product { get; } }
    public record Product(string Sku, Customer Maker);
    public struct Money { public Customer Payer; }
    public enum State { Open }
    public class Lines : List<Line> { }
    public class Grid { public Line this[int index] => null; }
    public class A
    {
        private readonly Ctx _db;
        private readonly IOptions<Order> _options;
        public void Run() { }
    }
"""
ORDERS = Member(Name("_db"), "Orders")
ORDER = Typed("Order", "order")


@pytest.fixture(scope="module")
def catalog(facts_of: FactsOf) -> Catalog:
    return Catalog(facts_of({"Shop/A.cs": SHOP}))


def shown(ref: TypeRef | None) -> str:
    if ref is None:
        return ""
    inside = ", ".join(shown(one) for one in ref.arguments)
    return f"{ref.name}<{inside}>" if inside else ref.name


def told(catalog: Catalog, expression: Expression) -> str:
    file = catalog.files["Shop/A.cs"]
    return shown(type_of(expression, catalog=catalog, file=file, source="csharp:Shop.A.Run|METHOD"))


def call(receiver: Expression, name: str, *arguments: Expression, types: tuple[str, ...] = ()) -> Call:
    return Call(Member(receiver, name), tuple(Argument(one) for one in arguments), types)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (ORDER, "Order"),
        (New("Order"), "Order"),
        (New("[]", (Argument(ORDER),)), "[]<Order>"),
        (Text("x"), "string"),
        (TypeOf("Order"), "Type"),
        (Name("_db"), "Ctx"),
        (Name("this"), "A"),
        (Name("Order"), "Order"),
        (Name("nothing"), ""),
        (UNKNOWN, ""),
        (Member(ORDER, "Customer"), "Customer"),
        (Member(Member(ORDER, "Customer"), "Last"), "Order"),
        (Member(ORDER, "Missing"), ""),
        (Member(Name("State"), "Open"), "State"),
        (Member(Member(ORDER, "Price"), "Value"), "Money"),
        (Member(Member(Typed("Product"), "Maker"), "Last"), "Order"),
        (Member(Member(Name("Shop"), "State"), "Open"), "State"),
        (Member(Name("_options"), "Value"), "Order"),
        (Awaited(call(ORDER, "Reload")), "Order"),
        (Member(call(ORDER, "Reload"), "Result"), "Order"),
        (call(ORDER, "As", types=("Customer",)), "Customer"),
        (call(ORDER, "ToString"), "string"),
        (Element(Member(ORDER, "Lines")), "Line"),
        (Element(Typed("Order[]")), "Order"),
        (Element(Typed("Lines")), "Line"),
        (Element(Typed("Grid")), "Line"),
        (Element(Member(ORDER, "BySku")), "Line"),
        (Member(Element(Member(ORDER, "BySku")), "Value"), "Line"),
        (Choice((UNKNOWN, ORDER)), "Order"),
        (ORDERS, "DbSet<Order>"),
        (call(Name("_db"), "Set", types=("Line",)), "DbSet<Line>"),
        (call(ORDERS, "Where", Lambda()), "DbSet<Order>"),
        (call(call(ORDERS, "OrderBy", Lambda()), "First"), "Order"),
        (Awaited(call(ORDERS, "SingleOrDefaultAsync")), "Order"),
        (Awaited(call(ORDERS, "ToListAsync")), "List<Order>"),
        (call(ORDERS, "Select", Lambda(result=Member(HANDED, "Customer"))), "DbSet<Customer>"),
        (call(ORDERS, "SelectMany", Lambda(result=Member(HANDED, "Lines"))), "List<Line>"),
        (Element(Element(call(ORDERS, "GroupBy", Lambda()))), "Order"),
        (Member(call(ORDERS, "Add", ORDER), "Entity"), "Order"),
        (Awaited(call(Name("connection"), "QueryAsync", types=("Order",))), "IEnumerable<Order>"),
        (call(Name("provider"), "GetRequiredService", types=("Ctx",)), "Ctx"),
        (Member(Name("Guid"), "Empty"), "Guid"),
        (LambdaParameter(call(ORDERS, "Where")), "Order"),
        (LambdaParameter(call(Typed("Dictionary<string, Order>"), "Where")), "KeyValuePair<string, Order>"),
        (LambdaParameter(call(ORDERS, "Select"), 1), ""),
        (LambdaParameter(call(Name("services"), "Configure", types=("Order",))), "Order"),
        (LambdaParameter(call(Name("builder"), "Entity", types=("Order",))), "EntityTypeBuilder<Order>"),
        (LambdaParameter(call(Name("Assert"), "All", Member(ORDER, "Lines"))), "Line"),
        (LambdaParameter(call(ORDERS, "Join", Member(ORDER, "Lines"), UNKNOWN)), "Line"),
        (OutArgument(call(Member(ORDER, "BySku"), "TryGetValue", UNKNOWN, UNKNOWN), 1), "Line"),
        (OutArgument(call(Typed("Lines"), "TryTake", UNKNOWN)), "Line"),
        (OutArgument(call(Member(ORDER, "BySku"), "Search", UNKNOWN)), ""),
        (OutArgument(call(Name("cache"), "TryGetValue", UNKNOWN, UNKNOWN, types=("Order",)), 1), "Order"),
    ],
)
def test_types_of_expressions(catalog: Catalog, expression: Expression, expected: str) -> None:
    assert told(catalog, expression) == expected


def test_then_include_goes_on_from_what_was_included(catalog: Catalog) -> None:
    included = call(call(ORDERS, "Include", Lambda((("Customer",),))), "Include", Lambda((("Lines",),)))
    deeper = call(included, "ThenInclude", Lambda((("Product",),)))

    assert told(catalog, LambdaParameter(Call(Member(included, "ThenInclude")))) == "Line"
    assert told(catalog, LambdaParameter(Call(Member(deeper, "ThenInclude")))) == "Product"


def test_a_chain_of_any_length_ends(catalog: Catalog) -> None:
    expression: Expression = ORDER
    for _ in range(100_000):
        expression = Member(expression, "Customer")

    assert told(catalog, expression) == ""


def test_nested_lambdas_of_any_depth_end(catalog: Catalog) -> None:
    expression: Expression = ORDERS
    for _ in range(5_000):
        expression = LambdaParameter(Call(Member(expression, "Where")))

    assert told(catalog, expression) == ""


def expressions() -> st.SearchStrategy[Expression]:
    names = st.sampled_from(
        ("Order", "_db", "Orders", "this", "base", "Customer", "Where", "Include", "As", "x", "")
    )
    leaves = (
        st.just(UNKNOWN)
        | names.map(Name)
        | st.builds(Typed, st.sampled_from(("Order", "List<Order>", "T", "Lines", "", "<<>")))
        | st.builds(Lambda, st.just((("Customer", "Last"),)))
    )

    def inner(children: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        arguments = st.lists(children.map(Argument), max_size=3).map(tuple)
        called = st.builds(Call, st.builds(Member, children, names) | names.map(Name) | children, arguments)
        return (
            st.builds(Member, children, names)
            | called
            | st.builds(Awaited, children)
            | st.builds(Element, children)
            | st.builds(New, names, arguments)
            | st.lists(children, max_size=3).map(tuple).map(Choice)
            | st.builds(LambdaParameter, called, st.integers(0, 2))
            | st.builds(OutArgument, called, st.integers(0, 2))
            | st.builds(DelegateParameter, children, st.integers(0, 2))
        )

    return st.recursive(leaves, inner, max_leaves=12)


@given(expressions())
def test_no_expression_breaks_the_rules(catalog: Catalog, expression: Expression) -> None:
    assert isinstance(told(catalog, expression), str)
