"""Packages of Integration Services and reports: the SQL in them, with its lines, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph
from ragduck.model import Document
from ragduck.parse import ChunkSettings, parse_document

PACKAGE = """<?xml version="1.0"?>
<DTS:Executable xmlns:DTS="www.microsoft.com/SqlServer/Dts">
  <SQLTask:SqlTaskData
    SQLTask:SqlStatementSource="EXEC ? = etl.GetKey ?, ?;&#xA;DELETE FROM [etl].[City &amp; Town];" />
  <SQLTask:SqlTaskData SQLTask:SqlStatementSource="User::Statement" />
  <component componentClassID="Microsoft.OLEDBSource">
    <property description="rows &lt; all" name="OpenRowset"></property>
    <property
      name="SqlCommand"
      UITypeEditor="x">WITH recent AS
(
  SELECT Id FROM dbo.City
)
EXEC etl.GetCities ?
</property>
    <property name="SqlCommandVariable">dbo.NotThis</property>
  </component>
  <component componentClassID="Microsoft.OLEDBDestination">
    <property name="OpenRowset">[etl].[City_Staging]</property>
  </component>
  <component componentClassID="Microsoft.Sort"><property name="OpenRowset">dbo.NotThat</property></component>
</DTS:Executable>
"""

REPORT = """<Report>
  <Query>
    <DataSourceName>Shop</DataSourceName>
    <CommandType>StoredProcedure</CommandType>
    <CommandText>dbo.Invoice_List</CommandText>
  </Query>
  <Query><CommandText>
SELECT i.Id, c.Name
FROM dbo.Invoice i
JOIN dbo.Customer c ON c.Id = i.CustomerId WHERE i.Total &gt; 5</CommandText></Query>
  <Query><CommandText>="SELECT * FROM dbo." &amp; Parameters!Table.Value</CommandText></Query>
  <Query><CommandText>dbo.JustAName</CommandText></Query>
</Report>
"""


def facts_of(path: str, text: str) -> FileFacts:
    document = Document(path, text, "xml", path.rpartition(".")[2], "config", len(text), 0)
    parsed = parse_document(document, settings=ChunkSettings())
    assert not parsed.problems
    assert parsed.facts is not None
    return parsed.facts


def edges_of(path: str, text: str) -> set[tuple[str, str, int]]:
    graph, problems = build_graph([facts_of(path, text)])
    assert not problems
    assert {edge.from_key for edge in graph.edges} <= {f"file:{path}|FILE"}
    return {(edge.relation, edge.to_key, edge.line) for edge in graph.edges}


def test_a_package_names_what_its_statements_and_data_flows_use() -> None:
    assert edges_of("etl/Daily.dtsx", PACKAGE) == {
        ("Executes", "etl.GetKey|PROC", 4),
        ("WritesTo", "etl.City & Town|TABLE", 4),
        ("ReadsFrom", "dbo.City|TABLE", 12),
        ("Executes", "etl.GetCities|PROC", 14),
        ("WritesTo", "etl.City_Staging|TABLE", 19),
    }


def test_a_report_names_what_its_data_sets_query() -> None:
    assert edges_of("reports/Invoices.rdl", REPORT) == {
        ("Executes", "dbo.Invoice_List|PROC", 5),
        ("ReadsFrom", "dbo.Invoice|TABLE", 9),
        ("ReadsFrom", "dbo.Customer|TABLE", 10),
    }


def test_other_xml_names_nothing() -> None:
    assert facts_of("etl/Daily.xml", PACKAGE).references == ()
    assert facts_of("a.rdl", "<Report />").references == ()


@pytest.mark.parametrize("path", ["a.dtsx", "a.rdl"])
@given(pieces=st.lists(st.sampled_from([*PACKAGE.split(), *REPORT.split(), "<", '"', ">", "</", "SELECT"])))
def test_nothing_breaks_it(path: str, pieces: list[str]) -> None:
    for one in facts_of(path, "x " + " ".join(pieces)).references:
        assert one.line == 1


def test_a_large_hostile_file_takes_no_time() -> None:
    blanks = " " * 400_000
    texts = ["<property " * 100_000, "<CommandText>" * 100_000, 'SqlStatementSource="x" ' * 20_000]
    texts += [
        f"<CommandType>{blanks}x",
        f"<add namespace{blanks}",
        f"<CommandText>exec{blanks}</CommandText></Query>",
        "<CommandText><![CDATA[" * 50_000,
        f"<CommandText><![CDATA[{']' * 200_000}",
        f"<CommandText>={'(' * 200_000}</CommandText></Query>",
        '<CommandText>="x" &amp; "y" &amp; </CommandText></Query>' * 10_000,
        "<Subreport><ReportName>x" * 20_000,
    ]
    for text in texts:
        facts_of("a.dtsx", text)
        facts_of("a.rdl", text)


def test_a_query_that_is_put_together_has_its_lines() -> None:
    query = """<Query><CommandText>
="SELECT c.Id " &amp;
  "FROM dbo.City c " &amp;
  "JOIN dbo." &amp; "Country o ON o.Id = c.CountryId"</CommandText></Query>"""

    assert edges_of("a.rdl", query) == {
        ("ReadsFrom", "dbo.City|TABLE", 3),
        ("ReadsFrom", "dbo.Country|TABLE", 4),
    }
    assert {reference.is_dynamic for reference in facts_of("a.rdl", query).references} == {True}


def source(*properties: tuple[str, str], component: str = "Microsoft.OLEDBSource") -> str:
    lines = [f'<property name="{name}">{value}</property>' for name, value in properties]
    return "\n".join([f'<component componentClassID="{component}">', *lines, "</component>"])


@pytest.mark.parametrize(
    ("package", "expected"),
    [
        (
            source(("OpenRowset", "dbo.Old"), ("SqlCommand", "SELECT a FROM dbo.Now"), ("AccessMode", "2")),
            {"dbo.Now"},
        ),
        (
            source(("OpenRowset", "dbo.Now"), ("SqlCommand", "SELECT a FROM dbo.Old"), ("AccessMode", "0")),
            {"dbo.Now"},
        ),
        (source(("OpenRowset", "dbo.Old"), ("AccessMode", "1")), set()),
        (source(("OpenRowset", "Sheet1$"), component="Microsoft.ExcelSource"), set()),
        (source(("SqlCommand", "SELECT a FROM dbo.Found"), component="Microsoft.Lookup"), {"dbo.Found"}),
    ],
)
def test_the_mode_of_access_tells_what_is_used(package: str, expected: set[str]) -> None:
    assert {key.partition("|")[0] for _, key, _ in edges_of("a.dtsx", package)} == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("<CommandText>SELECT {[Measures].[Sales]} ON COLUMNS FROM [Cube]</CommandText>", set()),
        (
            "<CommandText>SELECT r.Id FROM dbo.A a JOIN dbo.rows r ON rows.Id = a.Id</CommandText>",
            {"dbo.A", "dbo.rows"},
        ),
        (
            "<CommandType>StoredProcedure</CommandType><CommandText>dbo.Open invoices</CommandText>",
            {"dbo.Open invoices"},
        ),
        (
            "<CommandText> <![CDATA[SELECT Id FROM dbo.City WHERE Id < 5 AND x[y[1]]]]></CommandText>",
            {"dbo.City"},
        ),
        (
            '<CommandText>="SELECT Id FROM ""dbo"".City " &amp; vbCrLf + _\n"WHERE Id = " &amp; Parameters!Id.Value'
            "</CommandText>",
            {"dbo.City"},
        ),
        ('<CommandText>="SELECT Id FROM dbo.City_" &amp; Parameters!Year.Value</CommandText>', set()),
        (
            '<CommandText>=IIf(Parameters!A.Value = 1, "DELETE FROM dbo.A", "DELETE FROM dbo.B")</CommandText>',
            set(),
        ),
        ('<CommandText>="DELETE FROM dbo.A" = Parameters!A.Value</CommandText>', set()),
    ],
)
def test_queries_of_reports(query: str, expected: set[str]) -> None:
    edges = edges_of("a.rdl", f"<Query>{query}</Query>")

    assert {key.partition("|")[0] for _, key, _ in edges} == expected


def names_in(package: str) -> set[tuple[str, str]]:
    return {(relation, key.partition("|")[0]) for relation, key, _ in edges_of("a.dtsx", package)}


@pytest.mark.parametrize(
    "component",
    [
        "{2C0A8BE5-1EDC-4353-A0EF-B778599C65A0}",
        "{bcefe59b-6819-47f7-a125-63753b33abb7}",
        "{165A526D-D5DE-47FF-96A6-F8274C19826B}",
    ],
)
def test_packages_up_to_2012_tell_the_class_of_a_part_by_its_identifier(component: str) -> None:
    package = source(("OpenRowset", "[dbo].[City]"), ("AccessMode", "0"), component=component)

    assert names_in(package) == {("ReadsFrom", "dbo.City")}


@pytest.mark.parametrize(
    ("type_", "properties", "expected"),
    [
        (
            "Microsoft.DataReaderSourceAdapter",
            (("SqlCommand", "SELECT a FROM dbo.Now"), ("AccessMode", "2"), ("TableOrViewName", "dbo.Old")),
            ("ReadsFrom", "dbo.Now"),
        ),
        (
            "Microsoft.SqlServer.Dts.Pipeline.DataReaderSourceAdapter, Microsoft.SqlServer.ADONETSrc, Version=1",
            (("TableOrViewName", "&quot;dbo&quot;.&quot;Now&quot;"), ("AccessMode", "0")),
            ("ReadsFrom", "dbo.Now"),
        ),
        (
            "Microsoft.ADONETDestination",
            (("TableOrViewName", "&quot;dbo&quot;.&quot;Now&quot;"),),
            ("WritesTo", "dbo.Now"),
        ),
    ],
)
def test_parts_of_ado_net_tell_what_they_are_by_a_property(
    type_: str, properties: tuple[tuple[str, str], ...], expected: tuple[str, str]
) -> None:
    host = ("UserComponentTypeName", type_)
    package = source(*properties, host, component="Microsoft.ManagedComponentHost")

    assert names_in(package) == {expected}


@pytest.mark.parametrize(
    ("package", "expected"),
    [
        (
            source(("SqlCommand", "EXEC dbo.Close_Order ?"), component="Microsoft.OLEDBCommand"),
            ("Executes", "dbo.Close_Order"),
        ),
        (
            source(("BulkInsertTableName", "[dbo].[City]"), component="Microsoft.SQLServerDestination"),
            ("WritesTo", "dbo.City"),
        ),
        (
            source(
                ("TableName", "dbo.City"), ("SqlCommand", "x"), ("AccessMode", "0"), component="A.SSISODBCSrc"
            ),
            ("ReadsFrom", "dbo.City"),
        ),
        (source(("TableName", "dbo.City"), component="Attunity.SSISODBCDst"), ("WritesTo", "dbo.City")),
        (
            source(("ReferenceTableName", "dbo.City"), component="Microsoft.FuzzyLookup"),
            ("ReadsFrom", "dbo.City"),
        ),
        (
            source(("OpenRowset", "dbo._x005B_City_x005D_")).replace(
                "<property", '<property state="escaped"'
            ),
            ("ReadsFrom", "dbo.City"),
        ),
        (
            '<BulkInsertTask:BulkInsertTaskData BulkInsertTask:DestinationTableName="[dbo].[City]"/>',
            ("WritesTo", "dbo.City"),
        ),
        (
            '<SQLTask:SqlTaskData SQLTask:IsStoredProc="True" SQLTask:SqlStatementSource="Close orders" />',
            ("Executes", "dbo.Close orders"),
        ),
    ],
)
def test_other_parts_that_name_what_they_use(package: str, expected: tuple[str, str]) -> None:
    assert names_in(package) == {expected}
