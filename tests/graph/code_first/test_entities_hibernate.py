"""Mappings of NHibernate, in code and in XML, say where classes are kept; sessions read and write them."""

from __future__ import annotations

import pytest

from tests.graph.code_first.conftest import GraphOf

TABLES = """
    CREATE TABLE sales.tblOrder (Id INT, Customer_id INT, PlacedBy INT);
    GO
    CREATE TABLE dbo.Customer (Id INT);
    GO
    CREATE TABLE dbo.Clerks (Id INT);
    GO
    CREATE TABLE dbo.OrderTag (Order_id INT, Tag_id INT);
    GO
    CREATE TABLE dbo.Tag (Id INT);
    GO
"""
ENTITIES = """
    namespace Shop;
    public class Order
    {
        public virtual int Id { get; set; }
        public virtual Customer Customer { get; set; }
        public virtual Clerk PlacedBy { get; set; }
        public virtual IList<Tag> Tags { get; set; }
    }
    public partial class RushOrder : Order { }
    public class Customer { public virtual string Name { get; set; } }
    public class Clerk { }
    public class Tag { }
"""
FLUENT = """
    using FluentNHibernate.Mapping;
    namespace Shop.Maps;
    public class OrderMap : ClassMap<Order>
    {
        public OrderMap()
        {
            Schema("sales");
            Table("`tblOrder`");
            Id(x => x.Id);
            References(x => x.Customer).LazyLoad().Cascade.None();
            References(x => x.PlacedBy).Column("PlacedBy").Not.Nullable();
            HasManyToMany(x => x.Tags).Table("OrderTag");
        }
    }
    public class RushOrderMap : SubclassMap<RushOrder> { }
    public class CustomerMap : ClassMap<Customer> { }
    public abstract class NamedMap<T> : ClassMap<T> { }
    public class TagMap : NamedMap<Tag> { public TagMap() { this.Table("dbo.Tag"); } }
    public class ClerkMap : NHibernate.Mapping.ByCode.Conformist.ClassMapping<Clerk>
    {
        public ClerkMap() { Table(Tables.Clerks); }
    }
    static class Tables { public const string Clerks = "Clerks"; }
"""
XML = """<?xml version="1.0"?>
<hibernate-mapping xmlns="urn:nhibernate-mapping-2.2" assembly="Shop" namespace="Shop">
  <!-- <class name="Order" table="old_orders"> -->
  <class name="Order" table="[tblOrder]" schema="sales">
    <id name="Id"><generator class="native"/></id>
    <many-to-one name="Customer" column="Customer_id" />
    <many-to-one name="PlacedBy" class="Clerk" column="`PlacedBy`" not-null="true"/>
    <set name="Tags" table="OrderTag">
      <key column="Order_id"/>
      <many-to-many class="Shop.Tag, Shop" column="Tag_id"/>
    </set>
    <set name="Notes" table="Notes"><composite-element class="Note"><many-to-one name="Clerk" class="Clerk"/>
    </composite-element></set>
    <subclass name="Shop.RushOrder, Shop" />
  </class>
  <class name="Customer"/>
  <class name="Clerk" table="Clerks"/>
  <class name="Tag"/>
</hibernate-mapping>
"""
MAPPED = {
    ("Shop.Order|TYPE", "sales.tblOrder|TABLE"),
    ("Shop.RushOrder|TYPE", "sales.tblOrder|TABLE"),
    ("Shop.Customer|TYPE", "dbo.Customer|TABLE"),
    ("Shop.Clerk|TYPE", "dbo.Clerks|TABLE"),
    ("Shop.Tag|TYPE", "dbo.Tag|TABLE"),
}
BY_CODE = {"db/tables.sql": TABLES, "Shop/Entities.cs": ENTITIES, "Shop/Maps.cs": FLUENT}
BY_XML = {"db/tables.sql": TABLES, "Shop/Entities.cs": ENTITIES, "Shop/Shop.hbm.xml": XML}


@pytest.mark.parametrize("files", [BY_CODE, BY_XML])
def test_mappings_name_the_tables_of_classes(graph_of: GraphOf, files: dict[str, str]) -> None:
    assert graph_of(files).pairs("MapsTo") == MAPPED


@pytest.mark.parametrize("files", [BY_CODE, BY_XML])
def test_references_are_foreign_keys(graph_of: GraphOf, files: dict[str, str]) -> None:
    edges = [one for one in graph_of(files).edges if one.rule == "NHibernate mapping"]

    assert {(one.to_key, one.detail) for one in edges if one.relation == "ForeignKey"} >= {
        ("dbo.Clerks|TABLE", "PlacedBy"),
    }
    assert {one.to_key for one in edges if one.relation == "ForeignKey"} == {
        "dbo.Customer|TABLE",
        "dbo.Clerks|TABLE",
    }


@pytest.mark.parametrize("files", [BY_CODE, BY_XML])
def test_the_table_between_two_classes_has_keys_to_both(graph_of: GraphOf, files: dict[str, str]) -> None:
    keys = graph_of(files).pairs("ForeignKey", rule="many to many")

    assert keys == {
        ("dbo.OrderTag|TABLE", "sales.tblOrder|TABLE"),
        ("dbo.OrderTag|TABLE", "dbo.Tag|TABLE"),
    }


def test_a_subclass_in_xml_names_the_class_whose_table_it_shares(graph_of: GraphOf) -> None:
    rush = """<hibernate-mapping namespace="Shop"><subclass name="RushOrder" extends="Order"/></hibernate-mapping>"""
    entities = ENTITIES.replace("RushOrder : Order", "RushOrder : RushBase")  # which a generator makes
    xml = XML.replace('<subclass name="Shop.RushOrder, Shop" />', "")
    files = {**BY_XML, "Shop/Entities.cs": entities, "Shop/Shop.hbm.xml": xml, "Shop/Rush.hbm.xml": rush}

    assert graph_of(files).pairs("MapsTo") == MAPPED


def test_the_column_of_a_reference_by_code_stands_in_its_lambda(graph_of: GraphOf) -> None:
    maps = """
        using NHibernate.Mapping.ByCode.Conformist;
        namespace Shop;
        public class OrderMap : ClassMapping<Order>
        {
            public OrderMap()
            {
                Table("tblOrder");
                ManyToOne(x => x.PlacedBy, m => { m.Column("Clerk"); m.NotNullable(true); });
            }
        }
        public class ClerkMap : ClassMapping<Clerk> { public ClerkMap() { Table("Clerks"); } }
    """
    edge = graph_of({**BY_CODE, "Shop/Maps.cs": maps}).only("ForeignKey")

    assert (edge.from_key, edge.to_key, edge.detail) == ("sales.tblOrder|TABLE", "dbo.Clerks|TABLE", "Clerk")


def test_a_class_map_of_another_library_maps_nothing(graph_of: GraphOf) -> None:
    maps = FLUENT.replace("using FluentNHibernate.Mapping;", "using CsvHelper.Configuration;")

    found = graph_of({**BY_CODE, "Shop/Maps.cs": maps})

    assert found.pairs("MapsTo") == {("Shop.Clerk|TYPE", "dbo.Clerks|TABLE")}


@pytest.mark.parametrize(
    ("statement", "relation"),
    [
        ("_session.Query<Order>().Where(o => o.Id > 1).ToList();", "ReadsFrom"),
        ("_session.QueryOver<Order>().List();", "ReadsFrom"),
        ("_session.Get<Order>(1);", "ReadsFrom"),
        ("_session.Load(typeof(Order), 1);", "ReadsFrom"),
        ("_factory.GetCurrentSession().Get<Order>(1);", "ReadsFrom"),
        ("_session.Save(order);", "WritesTo"),
        ("_session.SaveOrUpdate(order);", "WritesTo"),
        ("_session.Delete(order);", "WritesTo"),
        ("_session.MergeAsync(order);", "WritesTo"),
    ],
)
def test_sessions_read_and_write_tables(graph_of: GraphOf, statement: str, relation: str) -> None:
    code = f"""
        using NHibernate;
        namespace Shop;
        class Orders
        {{
            private readonly ISession _session;
            private readonly ISessionFactory _factory;
            void Run(Order order) {{ {statement} }}
        }}
    """
    edges = graph_of({**BY_CODE, "Shop/Orders.cs": code}).pairs(relation)

    assert ("Shop.Orders.Run|METHOD", "sales.tblOrder|TABLE") in edges


@pytest.mark.parametrize(
    "statement",
    [
        'connection.Query<Order>("select 1");',
        "cache.Get<Order>(1);",
        "files.Save(order);",
        "_session.Evict(order);",
    ],
)
def test_others_that_are_called_so_do_not(graph_of: GraphOf, statement: str) -> None:
    code = f"""
        namespace Shop;
        class Orders
        {{
            private readonly ISession _session;
            void Run(Order order, IDbConnection connection, ICache cache, Files files) {{ {statement} }}
        }}
    """
    found = graph_of({**BY_CODE, "Shop/Orders.cs": code})

    assert found.pairs("ReadsFrom") | found.pairs("WritesTo") == set()


def test_a_repository_around_a_session_reads_what_it_is_closed_with(graph_of: GraphOf) -> None:
    code = """
        using NHibernate;
        namespace Shop;
        class Repository<T> where T : class
        {
            protected ISession Session { get; private set; }
            public virtual IQueryable<T> GetAll() { return this.Session.Query<T>(); }
            public virtual void SaveOrUpdate(T val) { this.Tell(() => { this.Session.SaveOrUpdate(val); }); }
        }
        class CustomerRepository : Repository<Customer> { }
        class Orders
        {
            void Run(Repository<Order> orders, CustomerRepository customers)
            {
                orders.SaveOrUpdate(new Order());
                customers.GetAll().Where(c => c.Name == "A");
            }
        }
    """
    found = graph_of({**BY_CODE, "Shop/Orders.cs": code})

    assert ("Shop.Orders.Run|METHOD", "sales.tblOrder|TABLE") in found.pairs("WritesTo")
    assert ("Shop.Orders.Run|METHOD", "dbo.Customer|TABLE") in found.pairs("ReadsFrom")


def test_mapped_properties_are_loaded_when_somebody_looks_at_them(graph_of: GraphOf) -> None:
    code = """
        namespace Shop;
        class Orders { string Run(Order order) { return order.Customer.Name; } }
    """
    edges = graph_of({**BY_CODE, "Shop/Orders.cs": code}).pairs("ReadsFrom", rule="lazy loading")

    assert edges == {("Shop.Orders.Run|METHOD", "dbo.Customer|TABLE")}


@pytest.mark.parametrize("statement", ["_session.Get<Order>(1);", "_session.Save(order);"])
def test_sessions_of_others_are_none_of_nhibernate(graph_of: GraphOf, statement: str) -> None:
    code = f"""
        using Microsoft.AspNetCore.Http;
        namespace Shop;
        class Basket
        {{
            private readonly ISession _session;
            void Run(Order order) {{ {statement} }}
        }}
    """
    found = graph_of({**BY_CODE, "Shop/Basket.cs": code})

    assert found.pairs("ReadsFrom") | found.pairs("WritesTo") == set()


@pytest.mark.parametrize(
    ("attributes", "table"),
    [
        ('table="dbo.Clerks"', "dbo.Clerks"),
        ('table="[hr].[Clerks]"', "hr.Clerks"),
        ('table="`Clerks`" schema="[hr]"', "hr.Clerks"),
        ('where="Id > 0" table="tblClerk"', "dbo.tblClerk"),
        ("where=\"Kind = 'A' and schema = 'B'\" table='tblClerk'", "dbo.tblClerk"),
    ],
)
def test_a_table_in_xml_may_be_written_in_many_ways(graph_of: GraphOf, attributes: str, table: str) -> None:
    mapping = f"""<hibernate-mapping namespace="Shop"><class name="Clerk" {attributes}>
        <id name="Id"/></class></hibernate-mapping>"""
    files = {"Shop/Clerk.cs": "namespace Shop; class Clerk { public int Id { get; set; } }"}

    found = graph_of({**files, "Shop/Clerk.hbm.xml": mapping})

    assert found.pairs("MapsTo") == {("Shop.Clerk|TYPE", f"{table}|TABLE")}


@pytest.mark.parametrize(
    ("statement", "relation"),
    [
        ("_session.Query<Note>().ToList();", "ReadsFrom"),
        ("_session.QueryOver<Note>().List();", "ReadsFrom"),
        ("_session.Get<Note>(id);", "ReadsFrom"),
        ("_session.Save(new Note());", "WritesTo"),
    ],
)
def test_what_a_session_is_told_has_a_table_whatever_maps_it(
    graph_of: GraphOf, statement: str, relation: str
) -> None:
    code = f"""
        using NHibernate;
        namespace Shop;
        public class Note {{ public virtual int Id {{ get; set; }} }}
        public class Notes
        {{
            private readonly ISession _session;
            public void Run(int id) {{ {statement} }}
        }}
    """
    graph = graph_of({"Shop/Notes.cs": code, "db/a.sql": "CREATE TABLE dbo.Other (Id INT);\n"})

    assert graph.pairs("MapsTo") == {("Shop.Note|TYPE", "dbo.Note|TABLE")}
    assert graph.pairs(relation) == {("Shop.Notes.Run|METHOD", "dbo.Note|TABLE")}


def test_classes_that_close_a_repository_around_a_session_have_tables(graph_of: GraphOf) -> None:
    code = """
        using NHibernate;
        namespace Shop;
        public class Note { public virtual int Id { get; set; } }
        public interface IRepository<T> { IQueryable<T> Table { get; } void Create(T entity); }
        public class Repository<T> : IRepository<T>
        {
            private readonly ISession _session;
            public IQueryable<T> Table { get { return _session.Query<T>(); } }
            public void Create(T entity) { _session.Save(entity); }
        }
        public class Notes
        {
            private readonly IRepository<Note> _notes;
            public int Count() { return _notes.Table.Count(); }
            public void Add() { _notes.Create(new Note()); }
        }
    """
    graph = graph_of({"Shop/Notes.cs": code, "db/a.sql": "CREATE TABLE dbo.Notes (Id INT);\n"})

    assert ("Shop.Notes.Count|METHOD", "dbo.Notes|TABLE") in graph.pairs("ReadsFrom")
    assert ("Shop.Notes.Add|METHOD", "dbo.Notes|TABLE") in graph.pairs("WritesTo")


def test_what_others_are_told_has_no_table(graph_of: GraphOf) -> None:
    code = """
        using NHibernate;
        namespace Shop;
        public class Note { }
        public class Notes
        {
            public Note Read(ICache cache, IConnection c) { c.Query<Note>(); return cache.Get<Note>(1); }
        }
    """

    assert graph_of({"Shop/Notes.cs": code}).pairs("MapsTo") == set()


MAPPER = """
    using NHibernate.Mapping.ByCode;
    namespace Shop.Maps;
    public class Configuration
    {
        string prefix = "shop";
        void Build(ModelMapper mapper)
        {
            mapper.Class<Order>(OrderMapping);
            mapper.Class<Customer>(m => { m.Schema("sales"); m.Table(prefix + "Customer"); m.Id(x => x.Id); });
            mapper.Class<Clerk>(m => m.Id(x => x.Id));
            mapper.Class<Tag>(m => { m.Set(x => x.Orders, c => c.Table("OrderTag")); });
        }
        void OrderMapping(IClassMapper<Order> m) { m.Table(prefix + "Order"); m.Id(x => x.Id); }
    }
"""


def test_classes_are_mapped_by_code(graph_of: GraphOf) -> None:
    graph = graph_of({"Shop/Entities.cs": ENTITIES, "Shop/Maps.cs": MAPPER})

    assert graph.pairs("MapsTo", rule="NHibernate mapping") == {
        ("Shop.Order|TYPE", "dbo.shopOrder|TABLE"),
        ("Shop.Customer|TYPE", "sales.shopCustomer|TABLE"),
    }
    assert graph.pairs("MapsTo", rule="class name") == {
        ("Shop.Clerk|TYPE", "dbo.Clerk|TABLE"),
        ("Shop.Tag|TYPE", "dbo.Tag|TABLE"),
    }


def test_mappers_of_other_libraries_map_nothing(graph_of: GraphOf) -> None:
    code = MAPPER.replace("using NHibernate.Mapping.ByCode;", "using Other.Mapping;")

    assert graph_of({"Shop/Entities.cs": ENTITIES, "Shop/Maps.cs": code}).pairs("MapsTo") == set()
