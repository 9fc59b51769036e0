"""Where entities are kept: what configuration, attributes and conventions say."""

from __future__ import annotations

import pytest

ENTITIES = """
    namespace Shop;

    public class Order { public int Id { get; set; } }

    public class Customer { public int Id { get; set; } }
"""


def context(
    configuration: str = "", sets: str = "public DbSet<Order> Orders { get; set; }"
) -> dict[str, str]:
    return {
        "Shop/Entities.cs": ENTITIES,
        "Shop/ShopContext.cs": f"""
            namespace Shop;

            public class ShopContext : DbContext
            {{
                {sets}

                protected override void OnModelCreating(ModelBuilder builder)
                {{
                    {configuration}
                }}
            }}
        """,
    }


def table(name: str) -> dict[str, str]:
    return {f"Database/{name}.sql": f"CREATE TABLE {name} (Id INT NOT NULL);\n"}


def test_a_set_maps_to_its_entity_at_the_line_of_the_property(graph_of):
    edge = graph_of(context()).only("MapsTo", rule="DbSet")

    assert (edge.from_key, edge.to_key) == ("csharp:Shop.ShopContext.Orders|DBSET", "csharp:Shop.Order|TYPE")
    assert (edge.source_file, edge.line, edge.confidence) == ("Shop/ShopContext.cs", 5, 1.0)


@pytest.mark.parametrize(
    ("configuration", "key"),
    [
        ('builder.Entity<Order>().ToTable("Bestellung");', "dbo.Bestellung|TABLE"),
        ('builder.Entity<Order>().ToTable("Bestellung", "sales");', "sales.Bestellung|TABLE"),
        ('builder.Entity<Order>().ToTable("sales.Bestellung");', "sales.Bestellung|TABLE"),
        ('builder.Entity<Order>().HasKey(o => o.Id).ToTable("Bestellung");', "dbo.Bestellung|TABLE"),
        ('builder.Entity<Order>(order => { order.ToTable("Bestellung"); });', "dbo.Bestellung|TABLE"),
        ('builder.Entity<Order>(order => order.ToTable("Bestellung"));', "dbo.Bestellung|TABLE"),
        ('var order = builder.Entity<Order>(); order.ToTable("Bestellung");', "dbo.Bestellung|TABLE"),
        ('builder.Entity(typeof(Order)).ToTable("Bestellung");', "dbo.Bestellung|TABLE"),
        ("builder.Entity<Order>().ToTable(nameof(Order));", "dbo.Order|TABLE"),
        ('builder.Entity<Order>().ToTable("Bestellung", t => t.HasTrigger("t"));', "dbo.Bestellung|TABLE"),
        ('builder.Entity<Order>().ToView("vOrder", "sales");', "sales.vOrder|VIEW"),
        (
            'builder.Entity<Order>().HasTableName("Bestellung").HasSchemaName("sales");',
            "sales.Bestellung|TABLE",
        ),
    ],
)
def test_fluent_configuration_names_the_table(graph_of, configuration, key):
    found = graph_of(context(configuration)).pairs("MapsTo")

    assert ("Shop.Order|TYPE", key) in found


def test_a_table_builder_without_a_name_maps_nothing(graph_of):
    found = graph_of(
        context('builder.Entity<Order>().ToTable(t => t.HasTrigger("x"));') | table("dbo.[Order]")
    )

    assert found.pairs("MapsTo", rule="ToTable") == set()
    assert ("Shop.Order|TYPE", "dbo.Order|TABLE") in found.pairs("MapsTo")


def test_names_in_constants_are_resolved(graph_of):
    files = context("builder.Entity<Order>().ToTable(Names.Orders, Names.Schema);")
    files["Shop/Names.cs"] = """
        namespace Shop;
        public static class Names { public const string Schema = "sales"; public const string Orders = "T" + "1"; }
    """

    assert ("Shop.Order|TYPE", "sales.T1|TABLE") in graph_of(files).pairs("MapsTo")


def test_the_default_schema_of_the_context_counts_where_none_is_written(graph_of):
    found = graph_of(
        context('builder.HasDefaultSchema("sales"); builder.Entity<Order>().ToTable("Bestellung");')
    )

    assert ("Shop.Order|TYPE", "sales.Bestellung|TABLE") in found.pairs("MapsTo")


@pytest.mark.parametrize(
    "code",
    [
        """
        public class OrderConfiguration : IEntityTypeConfiguration<Order>
        {
            public void Configure(EntityTypeBuilder<Order> builder) { builder.ToTable("Bestellung", "sales"); }
        }
        """,
        """
        public class OrderMap : EntityTypeConfiguration<Order>
        {
            public OrderMap() { this.ToTable("Bestellung", "sales"); }
        }
        """,
        """
        public class OrderMap : EntityTypeConfiguration<Order>
        {
            public OrderMap() { ToTable("sales.Bestellung"); }
        }
        """,
        """
        public abstract class OurMap<T> : EntityTypeConfiguration<T> where T : class { }
        public class OrderMap : OurMap<Order>
        {
            public OrderMap() { this.ToTable("Bestellung", "sales"); }
        }
        """,
    ],
)
def test_configuration_classes_name_the_table(graph_of, code):
    found = graph_of(context() | {"Shop/Maps.cs": f"namespace Shop;\n{code}"})

    assert found.pairs("MapsTo", rule="ToTable") == {("Shop.Order|TYPE", "sales.Bestellung|TABLE")}


def test_a_configuration_means_the_opened_type_before_a_global_one_of_another_project(graph_of):
    found = graph_of(
        {
            "Plugin/Address.cs": "public class Address { public int Id { get; set; } }",
            "Core/Address.cs": "namespace Core.Common; public class Address { public int Id { get; set; } }",
            "Data/AddressMap.cs": """
                using Core.Common;
                namespace Data;
                public class AddressMap : EntityTypeConfiguration<Address>
                {
                    public AddressMap() { this.ToTable("Anschrift", "sales"); }
                }
            """,
        }
    )

    assert found.pairs("MapsTo") == {("Core.Common.Address|TYPE", "sales.Anschrift|TABLE")}


def test_a_configuration_class_makes_an_entity_without_a_set(graph_of):
    code = "namespace Shop;\npublic class CustomerMap : IEntityTypeConfiguration<Customer> { }"
    found = graph_of(context() | {"Shop/Maps.cs": code} | table("dbo.Customer"))

    assert ("Shop.Customer|TYPE", "dbo.Customer|TABLE") in found.pairs("MapsTo")


@pytest.mark.parametrize(
    ("attribute", "key"),
    [
        ('[Table("Bestellung", Schema = "sales")]', "sales.Bestellung|TABLE"),
        ('[Table("Bestellung")]', "dbo.Bestellung|TABLE"),
        ('[Table(Name = "Bestellung", Schema = "sales")]', "sales.Bestellung|TABLE"),
        ('[Table(Name = "sales.Bestellung")]', "sales.Bestellung|TABLE"),
        ('[Table(Name = "sales.[Offene Bestellung]")]', "sales.Offene Bestellung|TABLE"),
        ('[Table(Name = "sales.Offene Bestellung")]', "sales.Offene Bestellung|TABLE"),
        ('[Table("[Bestellung]")]', "dbo.Bestellung|TABLE"),
        ('[Table("a.b", Schema = "sales")]', "sales.a.b|TABLE"),
        ("[Table]", "dbo.Order|TABLE"),
    ],
)
def test_attributes_name_the_table_without_any_context(graph_of, attribute, key):
    code = f"namespace Shop;\n{attribute}\npublic class Order {{ }}"

    assert graph_of({"Shop/Order.cs": code}).pairs("MapsTo") == {("Shop.Order|TYPE", key)}


def test_configuration_wins_over_the_attribute(graph_of):
    files = context('builder.Entity<Order>().ToTable("Fluent");')
    files["Shop/Entities.cs"] = 'namespace Shop;\n[Table("Attribute")]\npublic class Order { }'

    assert graph_of(files).only("MapsTo", rule="ToTable").to_key == "dbo.Fluent|TABLE"


@pytest.mark.parametrize(
    ("name", "confidence"),
    [("Orders", 0.9), ("[Order]", 0.8), ("orders", 0.9)],
)
def test_by_convention_the_table_has_the_name_of_the_set_in_either_number(graph_of, name, confidence):
    edge = graph_of(context() | table(f"dbo.{name}")).only("MapsTo", rule="set name")

    assert edge.to_key == f"dbo.{name.strip('[]')}|TABLE"
    assert edge.confidence == confidence


def test_a_table_in_another_schema_is_found_when_it_is_the_only_one(graph_of):
    found = graph_of(context() | table("sales.Orders"))

    assert ("Shop.Order|TYPE", "sales.Orders|TABLE") in found.pairs("MapsTo")


def test_without_a_known_table_the_set_names_an_external_one(graph_of):
    edge = graph_of(context()).only("MapsTo", rule="set name")

    assert (edge.to_key, edge.confidence) == ("dbo.Orders|TABLE", 0.8)


def test_a_derived_entity_is_kept_in_the_table_of_its_base(graph_of):
    files = context(
        'builder.Entity<Order>().ToTable("Order");',
        sets="public DbSet<Order> Orders { get; set; } public DbSet<WebOrder> WebOrders { get; set; }",
    )
    files["Shop/WebOrder.cs"] = "namespace Shop;\npublic class WebOrder : Order { }"

    assert graph_of(files).pairs("MapsTo", rule="base entity") == {("Shop.WebOrder|TYPE", "dbo.Order|TABLE")}


def test_classes_that_derive_from_each_other_do_no_harm(graph_of):
    files = context(sets="public DbSet<A> As { get; set; } public DbSet<B> Bs { get; set; }")
    files["Shop/Loop.cs"] = "namespace Shop;\npublic class A : B { }\npublic class B : A { }"

    assert ("Shop.ShopContext.As|DBSET", "Shop.A|TYPE") in graph_of(files).pairs("MapsTo")


def test_an_entity_without_key_and_table_maps_to_nothing(graph_of):
    found = graph_of(context("builder.Entity<Order>().HasNoKey();"))

    assert found.pairs("MapsTo") == {("Shop.ShopContext.Orders|DBSET", "Shop.Order|TYPE")}


def test_owned_and_ignored_types_have_no_table_of_their_own(graph_of):
    files = context("builder.Entity<Order>().OwnsOne(o => o.Address); builder.Ignore<Draft>();")
    files["Shop/Entities.cs"] = """
        namespace Shop;
        public class Order { public Address Address { get; set; } public Draft Draft { get; set; } }
        public class Address { }
        public class Draft { }
    """
    found = graph_of(files | table("dbo.Address") | table("dbo.Draft"))

    assert {entity for entity, _ in found.pairs("MapsTo")} == {
        "Shop.ShopContext.Orders|DBSET",
        "Shop.Order|TYPE",
    }


def test_an_owned_type_may_have_a_table(graph_of):
    files = context('builder.Entity<Order>().OwnsMany(o => o.Lines, l => l.ToTable("OrderLine"));')
    files["Shop/Entities.cs"] = """
        namespace Shop;
        public class Order { public List<Line> Lines { get; set; } }
        public class Line { }
    """

    assert ("Shop.Line|TYPE", "dbo.OrderLine|TABLE") in graph_of(files).pairs("MapsTo")


def test_classes_that_entities_lead_to_are_mapped_where_a_table_has_their_name(graph_of):
    files = context()
    files["Shop/Entities.cs"] = """
        namespace Shop;
        public class Order { public List<Line> Lines { get; set; } public Money Total { get; set; } }
        public class Line { }
        public class Money { }
    """
    found = graph_of(files | table("dbo.Lines"))

    assert ("Shop.Line|TYPE", "dbo.Lines|TABLE") in found.pairs("MapsTo")
    assert not any(entity.startswith("Shop.Money") for entity, _ in found.pairs("MapsTo"))


def test_a_generated_snapshot_counts_only_where_nothing_else_maps(graph_of):
    files = context()
    files["Shop/Migrations/ShopContextModelSnapshot.cs"] = """
        // <auto-generated />
        namespace Shop.Migrations;
        partial class ShopContextModelSnapshot : ModelSnapshot
        {
            protected override void BuildModel(ModelBuilder modelBuilder)
            {
                modelBuilder.Entity("Shop.Order", b => { b.ToTable("FromSnapshot", "sales"); });
            }
        }
    """

    assert ("Shop.Order|TYPE", "sales.FromSnapshot|TABLE") in graph_of(files).pairs("MapsTo")
    assert ("Shop.Order|TYPE", "dbo.Orders|TABLE") in graph_of(files | table("dbo.Orders")).pairs("MapsTo")


def model_snapshot(statements: str) -> str:
    return f"""
        // <auto-generated />
        namespace Shop.Migrations;
        partial class ShopContextModelSnapshot : ModelSnapshot
        {{
            protected override void BuildModel(ModelBuilder modelBuilder)
            {{
                {statements}
            }}
        }}
    """


def test_the_model_snapshot_counts_before_those_of_older_migrations(graph_of):
    now = model_snapshot('modelBuilder.Entity("Shop.Order", b => { b.ToTable("Sales_Order"); });')
    then = now.replace("Sales_Order", "OldOrder").replace(" : ModelSnapshot", "")
    files = {
        "Shop/Entities.cs": ENTITIES,
        "Shop/Migrations/2020_First.Designer.cs": then,
        "Shop/Migrations/ShopContextModelSnapshot.cs": now,
    }

    assert graph_of(files).pairs("MapsTo") == {("Shop.Order|TYPE", "dbo.Sales_Order|TABLE")}


def test_a_model_snapshot_is_read_whatever_its_size(graph_of):
    properties = "\n".join(f'b.Property<string>("Property{number:06}");' for number in range(2_000))
    entity = f'modelBuilder.Entity("Shop.Order", b => {{ b.ToTable("Sales_Order"); {properties} }});'
    files = {"Shop/Entities.cs": ENTITIES, "Shop/Migrations/AModelSnapshot.cs": model_snapshot(entity)}

    assert graph_of(files).pairs("MapsTo") == {("Shop.Order|TYPE", "dbo.Sales_Order|TABLE")}


def test_tables_of_scripts_for_another_server_come_last(graph_of):
    files = context()
    files["Lite/orders.sqlite.sql"] = 'CREATE TABLE "Orders" ("Id" INTEGER PRIMARY KEY AUTOINCREMENT);\n'

    assert ("Shop.Order|TYPE", "dbo.Order|TABLE") in graph_of(files | table("dbo.[Order]")).pairs("MapsTo")


def test_sets_of_an_interface_are_sets_as_well(graph_of):
    files = {
        "Shop/Entities.cs": ENTITIES,
        "Shop/IShopContext.cs": "namespace Shop;\npublic interface IShopContext { DbSet<Order> Orders { get; } }",
    }

    assert ("Shop.IShopContext.Orders|DBSET", "Shop.Order|TYPE") in graph_of(files).pairs("MapsTo")


def test_set_of_a_type_parameter_or_of_a_foreign_type_maps_nothing(graph_of):
    code = "namespace Shop;\npublic class Db<T> : DbContext { DbSet<T> All { get; } DbSet<Foreign> Others { get; } }"

    assert graph_of({"Shop/Db.cs": code}).pairs("MapsTo") == set()


def test_a_map_from_types_to_names_names_tables(graph_of):
    files = {
        "Shop/Entities.cs": ENTITIES,
        "Shop/Names.cs": """
            namespace Shop;
            public class Names : INameCompatibility
            {
                public Dictionary<Type, string> TableNames => new Dictionary<Type, string>
                {
                    { typeof(Order), "Order_Customer_Mapping" },
                };
            }
        """,
    }

    assert graph_of(files).pairs("MapsTo", rule="table names") == {
        ("Shop.Order|TYPE", "dbo.Order_Customer_Mapping|TABLE")
    }


@pytest.mark.parametrize(
    "relation",
    [
        "builder.Entity<Order>().HasMany(o => o.Lines).WithOne().HasForeignKey(l => l.OrderId);",
        "builder.Entity<Order>().HasMany<Line>().WithOne();",
        "builder.Entity<Order>(order => { order.HasMany(o => o.Lines); });",
    ],
)
def test_the_other_side_of_a_relation_is_an_entity_without_a_set(graph_of, relation):
    files = context(relation) | {
        "Shop/Line.cs": "namespace Shop; public class Line { public int OrderId { get; set; } }",
        "Shop/Order.Lines.cs": "namespace Shop; partial class Order { public List<Line> Lines { get; set; } }",
        "Shop/Repository.cs": """
            namespace Shop;
            class Repository(ShopContext db) { void Add() { db.Set<Line>().Add(new Line()); } }
        """,
    }
    graph = graph_of(files)

    assert graph.pairs("MapsTo", rule="class name") == {("Shop.Line|TYPE", "dbo.Line|TABLE")}
    assert graph.pairs("WritesTo") == {("Shop.Repository.Add|METHOD", "dbo.Line|TABLE")}


def test_sets_of_contexts_name_tables_before_those_of_other_classes(graph_of):
    other = "namespace Shop; class AnySearch { private DbSet<Order> Rows => _db.Orders; }"

    assert ("Shop.Order|TYPE", "dbo.Orders|TABLE") in graph_of({"Shop/A.cs": other, **context()}).pairs(
        "MapsTo"
    )


@pytest.mark.parametrize(
    "convention",
    [
        "builder.Conventions.Remove<PluralizingTableNameConvention>();",
        "configuration.Conventions.Remove<TableNameFromDbSetConvention>();",
        "foreach (var entity in builder.Model.GetEntityTypes()) { entity.SetTableName(entity.DisplayName()); }",
        "foreach (var entity in builder.Model.GetEntityTypes()) { entity.SetTableName(entity.ClrType.Name); }",
    ],
)
def test_conventions_name_tables_after_classes(graph_of, convention):
    assert graph_of(context(convention)).pairs("MapsTo", rule="class name") == {
        ("Shop.Order|TYPE", "dbo.Order|TABLE")
    }


OWN_MAPPER = """
    namespace Shop;

    public class Mapper
    {
        public Mapping<T> Entity<T>(string table) => null;
        public Mapping<T> Entity<T>() => null;
    }

    public class Mapping<T> { public Mapping<T> HasOne<U>(Func<T, Loaded<U>> member, Func<T, int> key) => this; }

    public class Loaded<T> { public T Value { get; set; } }

    public static class Maps { public static void Map(Mapper mapper) { STATEMENT } }
"""


def own_mapper(statement: str) -> dict[str, str]:
    files = {"Shop/Entities.cs": ENTITIES, "Shop/Mapper.cs": OWN_MAPPER.replace("STATEMENT", statement)}
    loaded = "namespace Shop; partial class Order { public Loaded<Customer> Customer { get; set; } }"
    return files | {"Shop/Order.Loaded.cs": loaded}


def test_a_mapper_of_ones_own_is_told_the_table_beside_the_class(graph_of):
    graph = graph_of(own_mapper('mapper.Entity<Order>("Bestellung");') | table("dbo.[Order]"))

    assert graph.pairs("MapsTo") == {("Shop.Order|TYPE", "dbo.Bestellung|TABLE")}


def test_what_follows_on_a_mapper_of_ones_own_relates_no_entities(graph_of):
    statement = 'mapper.Entity<Order>("Orders").HasOne(o => o.Customer, o => o.CustomerId);'

    assert graph_of(own_mapper(statement)).pairs("MapsTo") == {("Shop.Order|TYPE", "dbo.Orders|TABLE")}


def test_a_mapper_of_ones_own_that_is_told_no_table_maps_nothing(graph_of):
    assert graph_of(own_mapper("mapper.Entity<Order>();")).pairs("MapsTo") == set()


def test_a_method_of_ones_own_may_hand_out_the_builder_of_the_framework(graph_of):
    own = "public static class Own { public static EntityTypeBuilder<T> Entity<T>(this ModelBuilder b, int n) => x; }"
    files = context("builder.Entity<Customer>(1);", sets="") | {"Shop/Own.cs": f"namespace Shop; {own}"}

    assert graph_of(files).pairs("MapsTo") == {("Shop.Customer|TYPE", "dbo.Customer|TABLE")}


@pytest.mark.parametrize(
    "mapper",
    [
        'class OrderMap : DommelEntityMap<Order> { public OrderMap() { ToTable("Bestellung", "sales"); } }',
        'class OrderMap : ClassMapper<Order> { public OrderMap() { Table("Bestellung"); Schema("sales"); } }',
        'class OrderMap : AutoClassMapper<Order> { OrderMap() { Schema("sales"); this.Table("Bestellung"); } }',
    ],
)
def test_mapping_classes_of_micro_orms_name_the_table(graph_of, mapper):
    found = graph_of({"Shop/Entities.cs": ENTITIES, "Shop/Maps.cs": f"namespace Shop;\n{mapper}"})

    assert found.pairs("MapsTo") == {("Shop.Order|TYPE", "sales.Bestellung|TABLE")}


def test_a_table_that_something_else_calls_is_none_of_the_class(graph_of):
    other = 'class OrderMap : Form<Order> { public OrderMap() { Table("Bestellung"); } }'

    assert (
        graph_of({"Shop/Entities.cs": ENTITIES, "Shop/A.cs": f"namespace Shop; {other}"}).pairs("MapsTo")
        == set()
    )
