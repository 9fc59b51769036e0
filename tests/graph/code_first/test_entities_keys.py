"""Foreign keys that code declares: fluent configuration, attributes, the names of properties."""

from __future__ import annotations

import pytest

ENTITIES = """
    namespace Shop;

    [Table("Order")]
    public class Order
    {
        public int Buyer { get; set; }
        public Customer Customer { get; set; }
        public List<Line> Lines { get; set; }
        public Invoice Invoice { get; set; }
        public List<Tag> Tags { get; set; }
    }

    [Table("Customer")]
    public class Customer { public List<Order> Orders { get; set; } }

    [Table("Line")]
    public class Line { public int Of { get; set; } public Order Order { get; set; } }

    [Table("Invoice")]
    public class Invoice { public int For { get; set; } public Order Order { get; set; } }

    [Table("Tag")]
    public class Tag { public List<Order> Orders { get; set; } }
"""


def configured(code: str, *, entity: str = "Order") -> dict[str, str]:
    return {
        "Shop/Entities.cs": ENTITIES,
        "Shop/Map.cs": f"""
            namespace Shop;
            public class Map : IEntityTypeConfiguration<{entity}>
            {{
                public void Configure(EntityTypeBuilder<{entity}> builder)
                {{
                    {code}
                }}
            }}
        """,
    }


@pytest.mark.parametrize(
    ("code", "key", "columns"),
    [
        (
            "builder.HasOne(o => o.Customer).WithMany(c => c.Orders).HasForeignKey(o => o.Buyer);",
            ("dbo.Order|TABLE", "dbo.Customer|TABLE"),
            "Buyer",
        ),
        (
            "builder.HasOne<Customer>().WithMany().HasForeignKey(o => new { o.Buyer, o.Id });",
            ("dbo.Order|TABLE", "dbo.Customer|TABLE"),
            "Buyer, Id",
        ),
        (
            'builder.HasOne(o => o.Customer).WithMany().HasForeignKey("Buyer").OnDelete(DeleteBehavior.Cascade);',
            ("dbo.Order|TABLE", "dbo.Customer|TABLE"),
            "Buyer",
        ),
        (
            "builder.HasOne(o => o.Customer).WithMany().OnDelete(Behavior.Cascade).HasForeignKey(o => o.Buyer);",
            ("dbo.Order|TABLE", "dbo.Customer|TABLE"),
            "Buyer",
        ),
        (
            "builder.HasMany(o => o.Lines).WithOne().HasForeignKey(l => l.Of);",
            ("dbo.Line|TABLE", "dbo.Order|TABLE"),
            "Of",
        ),
        (
            "builder.HasOne(o => o.Invoice).WithOne(i => i.Order).HasForeignKey<Invoice>(i => i.For);",
            ("dbo.Invoice|TABLE", "dbo.Order|TABLE"),
            "For",
        ),
        (
            "builder.HasOne(o => o.Invoice).WithOne(i => i.Order).HasForeignKey(i => i.For);",
            ("dbo.Invoice|TABLE", "dbo.Order|TABLE"),
            "For",
        ),
        ("builder.HasOne(o => o.Customer).WithMany();", ("dbo.Order|TABLE", "dbo.Customer|TABLE"), ""),
    ],
)
def test_fluent_relations_are_keys_from_child_to_parent(graph_of, code, key, columns):
    edge = graph_of(configured(code)).only("ForeignKey")

    assert (edge.from_key, edge.to_key) == key
    assert (edge.detail, edge.rule, edge.confidence) == (columns, "fluent key", 1.0)
    assert (edge.source_file, edge.line) == ("Shop/Map.cs", 6)


@pytest.mark.parametrize(
    ("code", "key"),
    [
        (
            "HasRequired(o => o.Customer).WithMany(c => c.Orders).HasForeignKey(o => o.Buyer);",
            "Order>Customer",
        ),
        ("HasOptional(o => o.Customer).WithMany();", "Order>Customer"),
        ("this.HasRequired(o => o.Customer);", "Order>Customer"),
        ("HasMany(o => o.Lines).WithRequired(l => l.Order).HasForeignKey(l => l.Of);", "Line>Order"),
        ("HasRequired(o => o.Invoice).WithRequiredPrincipal(i => i.Order);", "Invoice>Order"),
        ("HasRequired(o => o.Invoice).WithRequiredDependent(i => i.Order);", "Order>Invoice"),
        ("HasOptional(o => o.Invoice).WithRequired(i => i.Order);", "Invoice>Order"),
        ("HasRequired(o => o.Invoice).WithOptional(i => i.Order);", "Order>Invoice"),
    ],
)
def test_relations_of_entity_framework_6_are_keys(graph_of, code, key):
    map_code = (
        f"namespace Shop;\npublic class Map : EntityTypeConfiguration<Order> {{ public Map() {{ {code} }} }}"
    )
    child, parent = key.split(">")
    edge = graph_of({"Shop/Entities.cs": ENTITIES, "Shop/Map.cs": map_code}).only("ForeignKey")

    assert (edge.from_key, edge.to_key) == (f"dbo.{child}|TABLE", f"dbo.{parent}|TABLE")


@pytest.mark.parametrize(
    "code",
    [
        "builder.HasOne(o => o.Invoice).WithOne(i => i.Order);",
        "builder.HasMany(o => o.Tags).WithMany(t => t.Orders);",
        "builder.HasOne(o => o.Nothing).WithMany().HasForeignKey(o => o.Buyer);",
        "builder.HasOne<Foreign>().WithMany().HasForeignKey(o => o.Buyer);",
        "builder.Property(o => o.Buyer).IsRequired();",
    ],
)
def test_what_does_not_say_who_has_the_key_is_none(graph_of, code):
    assert graph_of(configured(code)).pairs("ForeignKey") == set()


@pytest.mark.parametrize(
    "code",
    [
        'builder.HasMany(o => o.Tags).WithMany(t => t.Orders).Map(m => m.ToTable("Order_Tag", "sales"));',
        'builder.HasMany(o => o.Tags).WithMany(t => t.Orders).UsingEntity(j => j.ToTable("Order_Tag", "sales"));',
        'builder.HasMany(o => o.Tags).WithMany(t => t.Orders).UsingEntity("sales.Order_Tag");',
    ],
)
def test_the_table_between_two_entities_has_a_key_to_both(graph_of, code):
    assert graph_of(configured(code)).pairs("ForeignKey", rule="many to many") == {
        ("sales.Order_Tag|TABLE", "dbo.Order|TABLE"),
        ("sales.Order_Tag|TABLE", "dbo.Tag|TABLE"),
    }


@pytest.mark.parametrize(
    "members",
    [
        '[ForeignKey("Buyer")] public Customer Customer { get; set; } public int Buyer { get; set; }',
        "[ForeignKey(nameof(Customer))] public int Buyer { get; set; } public Customer Customer { get; set; }",
    ],
)
def test_attributes_on_the_navigation_or_on_the_column_are_keys(graph_of, members):
    code = f"""
        namespace Shop;
        [Table("Order")] public class Order {{ {members} }}
        [Table("Customer")] public class Customer {{ }}
    """
    edge = graph_of({"Shop/Entities.cs": code}).only("ForeignKey")

    assert (edge.from_key, edge.to_key, edge.detail) == ("dbo.Order|TABLE", "dbo.Customer|TABLE", "Buyer")
    assert (edge.rule, edge.confidence, edge.line) == ("ForeignKey attribute", 1.0, 2)


@pytest.mark.parametrize(
    ("order", "customer"),
    [
        ("public Customer Customer { get; set; } public int CustomerId { get; set; }", ""),
        ("public Customer Buyer { get; set; } public int BuyerId { get; set; }", ""),
        ("public Customer Buyer { get; set; } public int CustomerId { get; set; }", ""),
        ("public int CustomerId { get; set; }", "public ICollection<Order> Orders { get; set; }"),
    ],
)
def test_by_convention_a_navigation_with_its_id_is_a_key(graph_of, order, customer):
    code = f"""
        namespace Shop;
        [Table("Order")] public class Order {{ {order} }}
        [Table("Customer")] public class Customer {{ {customer} }}
    """
    edge = graph_of({"Shop/Entities.cs": code}).only("ForeignKey")

    assert (edge.from_key, edge.to_key) == ("dbo.Order|TABLE", "dbo.Customer|TABLE")
    assert (edge.rule, edge.confidence) == ("navigation property", 0.8)


@pytest.mark.parametrize(
    "members",
    [
        "public Customer Customer { get; set; }",
        "public int CustomerId { get; set; }",
        "[NotMapped] public Customer Customer { get; set; } public int CustomerId { get; set; }",
        "public static Customer Customer { get; set; } public int CustomerId { get; set; }",
        "public Kind Kind { get; set; } public int KindId { get; set; }",
    ],
)
def test_what_is_no_navigation_with_an_id_is_no_key(graph_of, members):
    code = f"""
        namespace Shop;
        public enum Kind {{ A }}
        [Table("Order")] public class Order {{ {members} }}
        [Table("Customer")] public class Customer {{ }}
    """

    assert graph_of({"Shop/Entities.cs": code}).pairs("ForeignKey") == set()


@pytest.mark.parametrize(
    ("members", "columns"),
    [
        ("public int GroupId { get; set; } public ICollection<Group> Inner { get; set; }", set()),
        ("public int GroupId { get; set; } public Group Outer { get; set; }", set()),
        (
            "public int GroupId { get; set; } int? OuterId { get; set; } public Group Outer { get; set; }",
            {"OuterId"},
        ),
        (
            "public int Id { get; set; } public int? GroupId { get; set; } public List<Group> Inner { get; set; }",
            {"GroupId"},
        ),
    ],
)
def test_the_own_key_leads_to_no_other_row_of_the_table(graph_of, members, columns):
    graph = graph_of({"Shop/Group.cs": f"""[Table("Group")] public class Group {{ {members} }}"""})

    assert {edge.detail for edge in graph.edges if edge.relation == "ForeignKey"} == columns


def test_a_convention_does_not_repeat_what_configuration_says(graph_of):
    files = configured("builder.HasOne(o => o.Customer).WithMany().HasForeignKey(o => o.CustomerId);")
    files["Shop/Entities.cs"] = """
        namespace Shop;
        [Table("Order")]
        public class Order { public Customer Customer { get; set; } public int CustomerId { get; set; } }
        [Table("Customer")]
        public class Customer { public List<Order> Orders { get; set; } }
    """

    assert graph_of(files).only("ForeignKey").rule == "fluent key"


def test_two_keys_between_the_same_tables_are_two(graph_of):
    code = """
        namespace Shop;
        [Table("Order")]
        public class Order
        {
            public int BillingId { get; set; }
            public Address Billing { get; set; }
            public int ShippingId { get; set; }
            public Address Shipping { get; set; }
        }
        [Table("Address")] public class Address { }
    """
    found = [edge.detail for edge in graph_of({"Shop/Order.cs": code}).edges if edge.relation == "ForeignKey"]

    assert found == ["BillingId", "ShippingId"]


def test_keys_of_inherited_properties_are_those_of_the_entity(graph_of):
    code = """
        namespace Shop;
        public class Record { public Customer Owner { get; set; } public int OwnerId { get; set; } }
        [Table("Order")] public class Order : Record { }
        [Table("Customer")] public class Customer { }
    """

    assert graph_of({"Shop/Order.cs": code}).pairs("ForeignKey") == {
        ("dbo.Order|TABLE", "dbo.Customer|TABLE")
    }


def test_a_view_has_no_keys(graph_of):
    files = configured('builder.ToView("vLine");', entity="Line")
    files["Shop/Entities.cs"] = """
        namespace Shop;
        public class Line { public Order Order { get; set; } public int OrderId { get; set; } }
        [Table("Order")] public class Order { }
    """

    assert graph_of(files).pairs("ForeignKey") == set()


def test_a_very_long_chain_of_configuration_is_read_in_bounded_time(graph_of):
    links = ".HasMany(o => o.Tags).WithMany()" * 3_000

    assert graph_of(configured(f"builder{links};")).pairs("ForeignKey") == set()


def test_a_table_builder_declares_keys_of_its_entity(graph_of):
    code = """
        namespace Shop;
        public class LineBuilder : NopEntityBuilder<Line>
        {
            public override void MapEntity(CreateTableExpressionBuilder table)
            {
                table.WithColumn(nameof(Line.Of)).AsInt32().ForeignKey<Order>().WithColumn("A").AsString(9);
            }
        }
    """
    edge = graph_of({"Shop/Entities.cs": ENTITIES, "Shop/Map.cs": code}).only("ForeignKey")

    assert (edge.from_key, edge.to_key, edge.detail) == ("dbo.Line|TABLE", "dbo.Order|TABLE", "Of")
