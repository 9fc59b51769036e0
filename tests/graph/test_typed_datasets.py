"""Table adapters that a web site's schemas stand for lead to what they run, and are called by code and pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Edges = set[tuple[str, str, str]]

SCHEMA = """
    <?xml version="1.0" encoding="utf-8"?>
    <xs:schema id="Shop" xmlns:xs="http://www.w3.org/2001/XMLSchema">
      <xs:annotation>
        <xs:appinfo source="urn:schemas-microsoft-com:xml-msdatasource">
          <DataSource FunctionsComponentName="QueriesTableAdapter" xmlns="urn:schemas-microsoft-com:xml-msdatasource">
            <Connections>
              <Connection ConnectionStringObject="Data Source=.;Initial Catalog=Shop;Integrated Security=True" />
            </Connections>
            <Tables>
              <TableAdapter DataAccessorName="Old" GeneratorDataComponentClassName="OrdersTableAdapter" Name="Orders">
                <MainSource>
                  <DbSource GenerateMethods="Both" GetMethodName="GetOpen" FillMethodName="Fill" QueryType="Rowset">
                    <DeleteCommand>
                      <DbCommand CommandType="Text">
                        <CommandText>DELETE FROM dbo.Orders WHERE Id &lt; @Id</CommandText>
                      </DbCommand>
                    </DeleteCommand>
                    <SelectCommand>
                      <DbCommand CommandType="StoredProcedure">
                        <CommandText>dbo.[_Orders Open]</CommandText>
                      </DbCommand>
                    </SelectCommand>
                  </DbSource>
                </MainSource>
                <Sources>
                  <DbSource Name="Count" QueryType="Scalar">
                    <SelectCommand>
                      <DbCommand CommandType="Text">
                        <CommandText>
    SELECT COUNT(*)
    FROM dbo.Lines
                        </CommandText>
                      </DbCommand>
                    </SelectCommand>
                  </DbSource>
                </Sources>
              </TableAdapter>
            </Tables>
            <Sources>
              <DbSource Name="Clear" QueryType="NoData">
                <SelectCommand>
                  <DbCommand CommandType="StoredProcedure"><CommandText>dbo.Clear</CommandText></DbCommand>
                </SelectCommand>
              </DbSource>
            </Sources>
          </DataSource>
        </xs:appinfo>
      </xs:annotation>
      <xs:element name="Shop" msdata:IsDataSet="true" msprop:Generator_DataSetName="Shop">
        <xs:element name="Orders" msprop:Generator_TableClassName="OrdersDataTable"
            msprop:Generator_RowClassName="OrdersRow">
        </xs:element>
      </xs:element>
    </xs:schema>
    """
SCRIPT = """
    create table dbo.Orders (Id int);
    go
    create table dbo.Lines (Id int);
    go
    create procedure dbo.[_Orders Open] as select Id from dbo.Orders
    go
    create procedure dbo.Clear as delete dbo.Lines
    """
CODE = """
    using ShopTableAdapters;
    public class Store
    {
        private OrdersTableAdapter _orders = new OrdersTableAdapter();
        public Shop.OrdersDataTable Open(int customer) { return _orders.GetOpen(customer); }
        public void Clear() { new QueriesTableAdapter().Clear(); }
    }
    """
ADAPTER = "csharp:ShopTableAdapters.OrdersTableAdapter"


@pytest.fixture(scope="session")
def edges_of(facts_of: FactsOf) -> Callable[[str, str], Edges]:
    """The edges between keys with a relation that contain a text, where the schema has a path."""

    def edges(path: str, of: str, **files: str) -> Edges:
        texts = {path: SCHEMA, "Db/Schema.sql": SCRIPT, "Site/App_Code/Store.cs": CODE, **files}
        graph = build_graph(facts_of(texts)).graph
        return {
            (edge.from_key, edge.relation, edge.to_key)
            for edge in graph.edges
            if edge.relation != "Contains" and of in f"{edge.from_key} {edge.to_key}"
        }

    return edges


def test_methods_of_a_sites_table_adapters_run_their_commands(edges_of: Callable[..., Edges]) -> None:
    found = edges_of("Site/App_Code/Data/Shop.xsd", ADAPTER)

    assert {one for one in found if one[0].startswith(ADAPTER) and "dbo." in one[2]} == {
        (f"{ADAPTER}.GetOpen|METHOD", "Executes", "dbo._Orders Open|PROC"),
        (f"{ADAPTER}.Fill|METHOD", "Executes", "dbo._Orders Open|PROC"),
        (f"{ADAPTER}.Delete|METHOD", "WritesTo", "dbo.Orders|TABLE"),
        (f"{ADAPTER}.Update|METHOD", "WritesTo", "dbo.Orders|TABLE"),
        (f"{ADAPTER}.Count|METHOD", "ReadsFrom", "dbo.Lines|TABLE"),
    }


def test_code_calls_the_methods_of_a_sites_table_adapters(edges_of: Callable[..., Edges]) -> None:
    found = edges_of("Site/App_Code/Data/Shop.xsd", "csharp:Store.")

    assert ("csharp:Store.Open|METHOD", "Calls", f"{ADAPTER}.GetOpen|METHOD") in found
    queries = "csharp:ShopTableAdapters.QueriesTableAdapter.Clear|METHOD"
    assert ("csharp:Store.Clear|METHOD", "Calls", queries) in found
    assert ("csharp:Store.Open|METHOD", "Uses", "csharp:Shop.OrdersDataTable|TYPE") in found


def test_queries_of_no_table_belong_to_their_own_adapter(edges_of: Callable[..., Edges]) -> None:
    found = edges_of("Site/App_Code/Shop.xsd", "dbo.Clear")

    queries = "csharp:ShopTableAdapters.QueriesTableAdapter.Clear|METHOD"
    assert (queries, "Executes", "dbo.Clear|PROC") in found


def test_a_page_reaches_the_adapter_of_its_object_data_source(edges_of: Callable[..., Edges]) -> None:
    page = """
        <%@ Page Language="C#" %>
        <asp:ObjectDataSource ID="o" runat="server" TypeName="ShopTableAdapters.OrdersTableAdapter"
            SelectMethod="GetOpen" />
        """
    found = edges_of("Site/App_Code/Shop.xsd", "Orders_aspx", **{"Site/Orders.aspx": page})

    assert f"{ADAPTER}.GetOpen|METHOD" in {to for _, _, to in found}


def test_schemas_of_projects_are_left_to_their_designer_files(edges_of: Callable[..., Edges]) -> None:
    assert not {one for one in edges_of("Site/Data/Shop.xsd", ADAPTER) if one[0].startswith(ADAPTER)}


def test_a_schema_that_ends_anywhere_breaks_nothing(facts_of: FactsOf) -> None:
    text = SCHEMA.strip()

    for end in range(0, len(text), 97):
        facts_of({"Site/App_Code/Shop.xsd": text[:end]})
