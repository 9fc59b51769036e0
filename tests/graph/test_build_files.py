"""What the build files above a project open in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ragduck.facts import FileFacts
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

USING = '<Project><ItemGroup><Using Include="{0}" /></ItemGroup>{1}</Project>'
UP = """<Import Project="$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', '../'))" />"""


def resolved(catalog: Catalog, written: str, *, path: str) -> str:
    ref = catalog.resolve(written, file=catalog.files[path])
    return ref.info.qualified_name if ref.info is not None else ref.name


def test_usings_of_build_files_hold_for_the_projects_below(facts_of: FactsOf) -> None:
    projects = {
        path: text
        for name in ("Web", "Jobs", "Api")
        for path, text in (
            (f"{name}/A.cs", f"namespace {name}; class A;"),
            (f"{name}/{name}.csproj", '<Project Sdk="Microsoft.NET.Sdk"></Project>'),
        )
    }
    files = {
        "Core/Order.cs": "namespace Core; class Order; class Line;",
        "Extra/Tax.cs": "namespace Extra; class Tax;",
        "Directory.Build.props": USING.format("Core", ""),
        "Directory.Build.targets": USING.format("Extra", ""),
        "Jobs/Directory.Build.props": "<Project></Project>",
        "Api/Directory.Build.props": USING.format("Core.Order", UP).replace("/>", 'Alias="Purchase" />', 1),
    }
    catalog = Catalog(facts_of(projects | files | {"Scripts/A.cs": "namespace Scripts; class A;"}))

    found = {
        folder: [resolved(catalog, name, path=f"{folder}/A.cs") for name in ("Line", "Tax", "Purchase")]
        for folder in ("Web", "Jobs", "Api", "Scripts")
    }
    assert found == {
        "Web": ["Core.Line", "Extra.Tax", "Purchase"],
        "Jobs": ["Line", "Extra.Tax", "Purchase"],
        "Api": ["Core.Line", "Extra.Tax", "Core.Order"],
        "Scripts": ["Line", "Tax", "Purchase"],
    }


def test_a_build_file_below_a_project_opens_nothing_in_it(facts_of: FactsOf) -> None:
    files = {
        "Extra/Tax.cs": "namespace Extra; class Tax;",
        "Web/Web.CSPROJ": "<Project Sdk='Microsoft.NET.Sdk'></Project>",
        "Web/Jobs/Directory.Build.props": USING.format("Extra", ""),
        "Web/A.cs": "namespace Web; class A;",
        "Directory.Build.targets": USING.format("Core", ""),
    }
    catalog = Catalog(facts_of(files))

    assert resolved(catalog, "Tax", path="Web/A.cs") == "Tax"
    assert "Core" in catalog.sight_of(catalog.files["Web/A.cs"]).opened


def test_what_a_build_file_imports_is_no_namespace(facts_of: FactsOf) -> None:
    files = {
        "Directory.Build.props": USING.format("Core", UP),
        "Web/Web.csproj": "<Project></Project>",
        "Web/A.cs": "namespace Web; class A;",
    }
    catalog = Catalog(facts_of(files))

    assert catalog.sight_of(catalog.files["Web/A.cs"]).opened == {"Core"}
