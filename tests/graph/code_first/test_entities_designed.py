"""Designer models of Entity Framework say where sets are kept and which procedures imports run."""

from __future__ import annotations

from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.types.catalog import Catalog

EDMX = """<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="3.0" xmlns:edmx="http://schemas.microsoft.com/ado/2009/11/edmx">
  <edmx:Runtime>
    <edmx:StorageModels>
      <Schema Namespace="ShopModel.Store" xmlns:store="http://schemas.microsoft.com/ado/2007/12/edm/x">
        <Function Name="usp_Place" Aggregate="false" Schema="sales" StoreFunctionName="usp Place Order" />
        <Function Name="usp_Close" Schema="dbo" />
        <EntityContainer Name="ShopModelStoreContainer">
          <EntitySet Name="tblOrder" EntityType="Self.tblOrder" Schema="sales" store:Type="Tables" />
          <EntitySet Name="Lines" EntityType="Self.Lines" Schema="dbo" Table="tblLine" store:Type="Tables" />
          <EntitySet Name="vOpen" EntityType="Self.vOpen" store:Type="Views" store:Schema="dbo" store:Name="v"/>
          <EntitySet Name="tblRush" EntityType="Self.tblRush" Schema="sales" store:Type="Tables" />
        </EntityContainer>
      </Schema>
    </edmx:StorageModels>
    <edmx:ConceptualModels>
      <EntityContainer Name="ShopEntities"><EntitySet Name="Lines" EntityType="ShopModel.Line" /></EntityContainer>
    </edmx:ConceptualModels>
    <edmx:Mappings>
      <EntityContainerMapping StorageEntityContainer="S" CdmEntityContainer="ShopEntities">
        <EntitySetMapping Name="Orders">
          <EntityTypeMapping TypeName="IsTypeOf(ShopModel.Order)">
            <MappingFragment StoreEntitySet="tblOrder" />
          </EntityTypeMapping>
          <EntityTypeMapping TypeName="ShopModel.Rush"><MappingFragment StoreEntitySet="tblRush" />
          </EntityTypeMapping>
        </EntitySetMapping>
        <EntitySetMapping Name="Lines" StoreEntitySet="Lines" TypeName="ShopModel.Line" />
        <EntitySetMapping Name="Open"><EntityTypeMapping TypeName="ShopModel.Open">
          <MappingFragment StoreEntitySet="vOpen" /></EntityTypeMapping></EntitySetMapping>
        <FunctionImportMapping FunctionImportName="Place" FunctionName="ShopModel.Store.usp_Place" />
        <FunctionImportMapping FunctionImportName="Close" FunctionName="ShopModel.Store.usp_Close" />
      </EntityContainerMapping>
    </edmx:Mappings>
  </edmx:Runtime>
</edmx:Edmx>
"""
CONTEXT = """
    namespace Shop;
    public partial class ShopEntities : DbContext
    {
        public DbSet<Order> Orders { get; set; }
        public ObjectSet<Line> Lines { get; set; }
        public DbSet<Open> Open { get; set; }
        public DbSet<Other> Others { get; set; }
        public virtual int Place() { return ((IObjectContextAdapter)this).ObjectContext.ExecuteFunction("Place"); }
        public virtual int Close() { return this.ObjectContext.ExecuteFunction("ShopEntities.Close"); }
    }
    public class Order { }
    public class Rush : Order { }
    public class Line { }
    public class Open { }
    public class Other { }
"""
FILES = {"Shop/Shop.edmx": EDMX, "Shop/Shop.Context.cs": CONTEXT}


def test_a_model_says_where_each_set_is_kept(graph_of):
    edges = [one for one in graph_of(FILES).edges if one.rule == "designer model"]

    assert {(one.from_key, one.to_key, one.line, one.confidence) for one in edges} == {
        ("csharp:Shop.Order|TYPE", "sales.tblOrder|TABLE", 23, 1.0),
        ("csharp:Shop.Rush|TYPE", "sales.tblRush|TABLE", 25, 1.0),
        ("csharp:Shop.Line|TYPE", "dbo.tblLine|TABLE", 28, 1.0),
        ("csharp:Shop.Open|TYPE", "dbo.v|VIEW", 30, 1.0),
    }
    assert {one.source_file for one in edges} == {"Shop/Shop.edmx"}


def test_what_code_says_comes_first(graph_of):
    files = FILES | {
        "Shop/Shop.Context.cs": CONTEXT.replace("public class Line", '[Table("L")] public class Line')
    }

    assert ("Shop.Line|TYPE", "dbo.L|TABLE") in graph_of(files).pairs("MapsTo")


def test_a_model_without_its_context_says_nothing(graph_of):
    files = FILES | {"Shop/Shop.Context.cs": CONTEXT.replace("class ShopEntities", "class OtherEntities")}

    assert graph_of(files).pairs("MapsTo", rule="designer model") == set()


def test_imports_run_the_procedures_that_the_model_names(facts_of):
    facts = facts_of(FILES)

    edges = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts)).edges

    assert {(one.from_key, one.relation, one.to_key, one.rule, one.confidence) for one in edges} == {
        (
            "csharp:Shop.ShopEntities.Place|METHOD",
            "Executes",
            "sales.usp Place Order|PROC",
            "function import",
            1.0,
        ),
        ("csharp:Shop.ShopEntities.Close|METHOD", "Executes", "dbo.usp_Close|PROC", "function import", 1.0),
    }


def test_a_property_that_keeps_both_ends_of_a_relation_alike_writes_nothing(graph_of):
    code = """
        namespace Shop;
        [Table(Name="dbo.Orders")]
        public partial class Order
        {
            [Association(Name="Order_Line", Storage="_lines", ThisKey="Id", OtherKey="OrderId")]
            public EntitySet<Line> Lines { get; set; }
        }
        [Table(Name="dbo.Lines")]
        public partial class Line
        {
            private EntityRef<Order> _order;
            public Order Order
            {
                get { return _order.Entity; }
                set
                {
                    Order previous = _order.Entity;
                    if (previous != null) { _order.Entity = null; previous.Lines.Remove(this); }
                    if (value != null) { value.Lines.Add(this); }
                }
            }
            public void Join(Order order) { order.Lines.Add(this); }
        }
        public class ShopContext : DataContext { public Table<Order> Orders { get { return GetTable<Order>(); } } }
    """

    found = graph_of({"Shop/Model.cs": code}).pairs("WritesTo", rule="navigation")

    assert found == {("Shop.Line.Join|METHOD", "dbo.Lines|TABLE")}
