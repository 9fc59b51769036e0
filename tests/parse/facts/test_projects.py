"""A project of C# opens namespaces in all its files: those of its SDK, and those that it names."""

from __future__ import annotations

import pytest

from ragduck.facts import Import, Text
from ragduck.model import Document
from ragduck.parse import ChunkSettings, parse_document

NAME = "Directory.Build.props"


def imports_of(text: str, *, path: str = "Shop/Shop.csproj") -> tuple[Import, ...]:
    document = Document(path, text, "xml", "csproj", "config", len(text), 0, "Shop")
    return parse_document(document, settings=ChunkSettings()).facts.imports


def names(text: str) -> set[str]:
    return {one.name for one in imports_of(text)}


@pytest.mark.parametrize(
    ("sdk", "hosts", "web"),
    [
        ("Microsoft.NET.Sdk", False, False),
        ("Microsoft.NET.Sdk.Worker", True, False),
        ("microsoft.net.sdk.web/9.0.1", True, True),
    ],
)
def test_an_sdk_opens_its_namespaces_everywhere(sdk: str, hosts: bool, web: bool) -> None:
    found = imports_of(f"<Project Sdk='{sdk}'>\n<PropertyGroup />\n</Project>\n")

    assert all(one.is_global for one in found)
    opened = {one.name for one in found}
    assert {"System", "System.Linq", "System.Threading.Tasks"} <= opened
    assert ("Microsoft.Extensions.DependencyInjection" in opened) == hosts
    assert ("Microsoft.AspNetCore.Builder" in opened) == web


@pytest.mark.parametrize("value", ["disable", "false", " Disable "])
def test_a_project_may_say_no(value: str) -> None:
    switch = f"<PropertyGroup><ImplicitUsings>{value}</ImplicitUsings></PropertyGroup>"

    assert imports_of(f'<Project Sdk="Microsoft.NET.Sdk">{switch}</Project>') == ()


def test_what_a_project_opens_itself_is_added_and_what_it_removes_is_not_open() -> None:
    text = """<Project Sdk="Microsoft.NET.Sdk">
      <ItemGroup>
        <Using Include="Shop.Common" />
        <Using Include="Shop.Texts" Static="true" />
        <Using Include="Shop.Orders.Order" Alias="Purchase"/>
        <Using Remove="System.IO" />
      </ItemGroup>
    </Project>"""

    found = imports_of(text)

    assert Import("Shop.Common", is_global=True) in found
    assert Import("Shop.Texts", is_static=True, is_global=True) in found
    assert Import("Shop.Orders.Order", "Purchase", is_global=True) in found
    assert "System.IO" not in names(text)


def test_lists_are_taken_apart_and_comments_left_out() -> None:
    text = """<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>
      <Using Include="Shop.One; Shop.Two" /><Using Remove="System;System.IO" />
      <!-- <Using Include="Shop.Three" /> <ImplicitUsings>disable</ImplicitUsings> -->
    </ItemGroup></Project><!-- <Using Include="Shop.Four" />"""

    found = names(text)

    assert {"Shop.One", "Shop.Two", "System.Linq"} <= found
    assert found.isdisjoint({"System", "System.IO", "Shop.Three", "Shop.Four"})


def test_a_project_of_the_old_kind_opens_nothing() -> None:
    assert imports_of('<Project ToolsVersion="15.0"><Import Project="a.props" /></Project>') == ()


def test_other_files_are_none() -> None:
    assert imports_of('<Project Sdk="Microsoft.NET.Sdk" />', path="Shop/Common.props") == ()


@pytest.mark.parametrize(
    ("inside", "above"),
    [
        ("", ""),
        ('<Import Project="Common.props" />', ""),
        ('<!-- <Import Project="../Directory.Build.props" /> -->', ""),
        (r'<Import Project="$(MSBuildThisFileDirectory)..\directory.build.props" />', NAME),
        (
            "<Import Project=\"$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', '$(ThisDirectory)../'))\" />",
            NAME,
        ),
        (
            "<Up>$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', '../'))</Up><Import Project='$(Up)' />",
            NAME,
        ),
    ],
)
def test_a_build_file_tells_whether_it_takes_in_the_one_above(inside: str, above: str) -> None:
    text = f'<Project>{inside}<ItemGroup><Using Include="Shop.One" /></ItemGroup></Project>'

    assert imports_of(text, path=f"src/{NAME}") == (Import(above), Import("Shop.One", is_global=True))


def test_references_to_other_projects_are_kept() -> None:
    text = """<Project ToolsVersion="4.0"><ItemGroup>
        <!-- <ProjectReference Include="..\\Old\\Old.csproj" /> -->
        <ProjectReference Include="..\\Core\\Core.csproj"><Name>Core</Name></ProjectReference>
        <ProjectReference Include='../Data/Data.csproj' /></ItemGroup></Project>"""
    document = Document("Shop/Shop.csproj", text, "xml", "csproj", "config", len(text), 0, "Shop")

    calls = parse_document(document, settings=ChunkSettings()).facts.calls

    assert [one.call.arguments[0].value for one in calls] == [
        Text("../Core/Core.csproj"),
        Text("../Data/Data.csproj"),
    ]


def test_a_project_of_visual_basic_opens_what_it_imports() -> None:
    text = (
        '<Project><ItemGroup><Import Include="Shop.Data" /><Import Include="D=Shop.D"/></ItemGroup></Project>'
    )

    assert imports_of(text, path="Shop/Shop.vbproj") == (
        Import("Shop.Data", is_global=True),
        Import("Shop.D", alias="D", is_global=True),
    )


@pytest.mark.parametrize(
    ("text", "path", "namespace"),
    [
        ('<Project Sdk="Microsoft.NET.Sdk.Web"></Project>', "Shop/Shop.csproj", "$(MSBuildProjectName)"),
        (
            '<Project Sdk="A"><RootNamespace Condition="x"> My.Shop\n</RootNamespace></Project>',
            "Shop/Shop.csproj",
            "My.Shop",
        ),
        ('<Project Sdk="A"><RootNamespace/></Project>', "Shop/Shop.csproj", "$(MSBuildProjectName)"),
        ("<Project><RootNamespace>Shop</RootNamespace></Project>", "Shop/Shop.csproj", ""),
        ("<Project><RootNamespace>My</RootNamespace></Project>", NAME, "My"),
        ("<Project></Project>", NAME, ""),
    ],
)
def test_the_root_namespace_of_a_project_of_an_sdk_is_told(text: str, path: str, namespace: str) -> None:
    document = Document(path, text, "xml", "csproj", "config", len(text), 0, "Shop")

    assert parse_document(document, settings=ChunkSettings()).facts.module == namespace
