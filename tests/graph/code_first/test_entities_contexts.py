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
