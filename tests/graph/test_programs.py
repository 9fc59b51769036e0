"""Programs for the command line begin in Main or with the statements of Program.cs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.graph import code_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
ProgramsOf = Callable[..., set[str]]

EXE = '<Project Sdk="{sdk}"><PropertyGroup><OutputType>{type}</OutputType>{more}</PropertyGroup></Project>'
MAIN = "namespace Import { class Program { static void Main(string[] args) { Load(); } static void Load() { } } }"
FOUND = {"csharp:Import.Program.Main|METHOD"}


@pytest.fixture(scope="session")
def programs_of(facts_of: FactsOf) -> ProgramsOf:
    """The entry points of a program with a project."""

    def found(
        text: str = MAIN, sdk: str = "Microsoft.NET.Sdk", output: str = "Exe", more: str = "", **files: str
    ) -> set[str]:
        own = {"Import/Import.csproj": EXE.format(sdk=sdk, type=output, more=more), "Import/Program.cs": text}
        graph = code_graph(Catalog(facts_of(own | files)))
        return {node.node_key for node in graph.nodes if node.role == "PROGRAM"}

    return found


def test_programs_begin_in_main(programs_of: ProgramsOf) -> None:
    assert programs_of() == FOUND


def test_programs_of_old_projects(programs_of: ProgramsOf) -> None:
    project = (
        '<Project ToolsVersion="4.0"><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>'
    )

    assert programs_of(
        output="Library", **{"Old/Old.csproj": project, "Old/Run.cs": MAIN.replace("Import", "Old")}
    ) == {"csharp:Old.Program.Main|METHOD"}


def test_programs_of_statements_outside_of_types(programs_of: ProgramsOf) -> None:
    assert programs_of("using System;\nImporter.Load();\n") == {"file:Import/Program.cs|FILE"}


@pytest.mark.parametrize(
    "project",
    [
        {"output": "WinExe"},
        {"output": "Library"},
        {"sdk": "Microsoft.NET.Sdk.Web"},
        {"more": "<UseWPF>true</UseWPF>"},
        {"more": "<IsTestProject>true</IsTestProject>"},
        {"more": "<AzureFunctionsVersion>v4</AzureFunctionsVersion>"},
    ],
)
def test_other_projects_are_no_programs(programs_of: ProgramsOf, project: dict[str, str]) -> None:
    assert programs_of(**project) == set()


def test_a_main_that_a_web_host_shares_is_none(programs_of: ProgramsOf) -> None:
    host = EXE.format(sdk="Microsoft.NET.Sdk.Web", type="Exe", more="")

    assert programs_of(**{"Web/Web.csproj": host, "Web/Program.cs": MAIN}) == set()
