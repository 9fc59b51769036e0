"""Which of several contexts says where an entity is kept, and in which schema."""

from __future__ import annotations

import pytest

CONTEXT = """
    namespace Shop;
    public class Order { public int Id { get; set; } }
    public class ShopContext : DbContext, IShopContext
    {
        public DbSet<Order> Orders { get; set; }
        protected override void OnModelCreating(ModelBuilder builder) { builder.HasDefaultSchema("sales"); }
    }
"""
INTERFACE = """
    namespace Shop;
    public interface IShopContext { DbSet<Order> Orders { get; } }
"""
FAKE = """
    namespace Shop.A.Tests;
    class FakeContext : DbContext, IShopContext
    {
        public DbSet<Order> Fakes { get; set; }
        public DbSet<Order> Orders { get; set; }
    }
"""


@pytest.mark.parametrize(
    "files",
    [
        {"Shop/IShopContext.cs": INTERFACE},
        {"Shop.A.Tests/FakeContext.cs": FAKE},
    ],
    ids=["interface", "test"],
)
def test_what_stands_for_a_context_leaves_its_schema(graph_of, files):
    graph = graph_of({"Shop/ShopContext.cs": CONTEXT, **files})

    edges = [edge for edge in graph.edges if edge.relation == "MapsTo" and edge.rule == "set name"]

    assert [(edge.to_key, edge.source_file) for edge in edges] == [
        ("sales.Orders|TABLE", "Shop/ShopContext.cs")
    ]


TESTED = """
    namespace Shop.A.Tests;
    class TestContext : DbContext
    {
        public DbSet<Order> Orders { get; set; }
        protected override void OnModelCreating(ModelBuilder builder)
        {
            builder.Entity<Order>().ToTable("TestOrders", "test");
        }
    }
"""


def test_a_context_of_tests_says_nothing_of_what_another_one_has(graph_of):
    graph = graph_of({"Shop/ShopContext.cs": CONTEXT, "Shop.A.Tests/TestContext.cs": TESTED})

    assert [edge.to_key for edge in graph.edges if edge.to_key.endswith("|TABLE")] == ["sales.Orders|TABLE"]


def test_a_context_of_tests_keeps_the_entities_that_no_other_one_has(graph_of):
    graph = graph_of(
        {
            "Shop/Order.cs": "namespace Shop; public class Order { public int Id { get; set; } }",
            "Shop.A.Tests/TestContext.cs": TESTED.replace("namespace Shop.A.Tests", "namespace Shop"),
        }
    )

    assert graph.only("MapsTo", rule="ToTable").to_key == "test.TestOrders|TABLE"


def test_a_context_has_the_default_schema_of_its_base(graph_of):
    base = """
        namespace Shop;
        public abstract class BaseContext : DbContext
        {
            protected override void OnModelCreating(ModelBuilder builder) { builder.HasDefaultSchema("sales"); }
        }
        public class Order { public int Id { get; set; } }
        public class ShopContext : BaseContext { public DbSet<Order> Orders { get; set; } }
    """

    graph = graph_of({"Shop/ShopContext.cs": base})

    assert graph.only("MapsTo", rule="set name").to_key == "sales.Orders|TABLE"
