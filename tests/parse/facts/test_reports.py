"""The data sets that reports share, the reports that they show and lead to, and packages that execute others."""

from __future__ import annotations

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph
from ragduck.model import Document
from ragduck.parse import ChunkSettings, parse_document


def facts_of(path: str, text: str) -> FileFacts:
    ending = path.rpartition(".")[2]
    document = Document(path, text, "sql" if ending == "sql" else "xml", ending, "config", len(text), 0)
    parsed = parse_document(document, settings=ChunkSettings())
    assert not parsed.problems
    assert parsed.facts is not None
    return parsed.facts


def edges_of(**texts: str) -> set[tuple[str, str, str, int, float]]:
    graph, problems = build_graph([facts_of(path, text) for path, text in texts.items()])
    assert not problems
    return {
        (edge.relation, edge.to_key.partition("|")[0], edge.rule, edge.line, edge.confidence)
        for edge in graph.edges
        if edge.from_key.startswith("file:main/")
    }


def report(*elements: str) -> str:
    return "\n".join(["<Report>", *elements, "</Report>"])


def test_a_shared_data_set_names_what_it_queries() -> None:
    text = report("<Query><CommandText>SELECT a FROM dbo.City</CommandText></Query>")

    assert {name for _, name, *_ in edges_of(**{"main/Cities.rsd": text})} == {"dbo.City"}


def test_a_report_uses_the_data_sets_that_it_shares() -> None:
    text = report("<SharedDataSetReference>/Data Sets/Cities</SharedDataSetReference>")

    assert edges_of(**{"main/A.rdl": text, "main/Cities.rsd": "<SharedDataSet />"}) == {
        ("Uses", "file:main/Cities.rsd", "shared data set", 2, 1.0)
    }


@pytest.mark.parametrize(
    ("element", "relation", "rule"),
    [
        ('<Subreport Name="x"><ReportName>/Sales/City</ReportName></Subreport>', "Uses", "subreport"),
        ("<Drillthrough><ReportName>City.rdl</ReportName></Drillthrough>", "LeadsTo", "drillthrough"),
    ],
)
def test_a_report_shows_and_leads_to_others(element: str, relation: str, rule: str) -> None:
    texts = {"main/A.rdl": report(element), "main/City.rdl": report(), "other/City.rdl": report()}

    assert edges_of(**texts) == {(relation, "file:main/City.rdl", rule, 2, 1.0)}


def test_a_report_that_an_expression_names_is_not_told() -> None:
    text = report("<Drillthrough><ReportName>=Fields!Report.Value</ReportName></Drillthrough>")

    assert edges_of(**{"main/A.rdl": text, "main/Fields!Report.Value.rdl": report()}) == set()


def test_a_package_executes_others() -> None:
    package = (
        "<ExecutePackageTask>\n<UseProjectReference>True</UseProjectReference>\n"
        "<PackageName>Load_City.dtsx</PackageName></ExecutePackageTask><PackageName>Other.dtsx</PackageName>"
    )
    texts = {"main/A.dtsx": package, "main/Load_City.dtsx": "<x/>", "main/Other.dtsx": "<x/>"}

    assert edges_of(**texts) == {("Uses", "file:main/Load_City.dtsx", "execute package", 3, 1.0)}


NEW_CONNECTION = """<DTS:ConnectionManager DTS:DTSID="{00AB}" DTS:ObjectName="Child"><DTS:ObjectData>
<DTS:ConnectionManager DTS:ConnectionString="C:\\Load\\Load_City.FILE" /></DTS:ObjectData></DTS:ConnectionManager>
"""
OLD_CONNECTION = """<DTS:ConnectionManager><DTS:Property DTS:Name="ObjectName">Child</DTS:Property>
<DTS:Property DTS:Name="DTSID">{00AB}</DTS:Property><DTS:ObjectData><DTS:ConnectionManager><DTS:Property
 DTS:Name="ConnectionString">Load_City.FILE</DTS:Property></DTS:ConnectionManager></DTS:ObjectData>
"""


@pytest.mark.parametrize("connection", [NEW_CONNECTION, OLD_CONNECTION])
def test_a_package_executes_and_runs_files_that_its_connections_lead_to(connection: str) -> None:
    task = (
        "<ExecutePackageTask><PackageName></PackageName><Connection>{00ab}</Connection></ExecutePackageTask>"
    )
    other = connection.replace("Child", "Script").replace("00AB", "00CD").replace("FILE", "sql")
    script = '<SQLTask:SqlTaskData SqlStmtSourceType="FileConnection" SqlStatementSource="Script" />'
    package = connection.replace("FILE", "dtsx") + other + task + script
    texts = {
        "main/A.dtsx": package,
        "main/Load_City.dtsx": "<x/>",
        "main/Load_City.sql": "GO",
    }

    assert {(relation, name, rule) for relation, name, rule, *_ in edges_of(**texts)} == {
        ("Uses", "file:main/Load_City.dtsx", "execute package"),
        ("Uses", "file:main/Load_City.sql", "sql file"),
    }


def test_a_large_hostile_package_takes_no_time() -> None:
    texts = [
        "<ExecutePackageTask><PackageName>" * 30_000,
        "<DTS:ConnectionManager " * 50_000,
        '<DTS:Property DTS:Name="ConnectionString">' * 30_000,
        NEW_CONNECTION * 10_000 + "<ExecutePackageTask><Connection>{00AB}</Connection>" * 10_000,
    ]
    for text in texts:
        facts_of("a.dtsx", text)
