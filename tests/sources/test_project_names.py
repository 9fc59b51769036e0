"""The project that a file is said to belong to."""

from pathlib import Path

import pytest

from ragduck.model import SourceFile
from ragduck.sources import walk_files


def projects(root: Path) -> dict[str, str | None]:
    return {file.path: file.project for file in walk_files(root) if isinstance(file, SourceFile)}


def make(root: Path, path: str, text: str = "text") -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("manifest", "text", "name"),
    [
        ("Shop.Web.csproj", "<Project/>", "Shop.Web"),
        ("Shop.Db.sqlproj", "<Project/>", "Shop.Db"),
        ("package.json", '{"name": "@shop/web"}', "@shop/web"),
        ("pyproject.toml", '[project]\nname = "shop"\n', "shop"),
        ("go.mod", "// the shop\nmodule example.org/shop\n\ngo 1.22\n", "example.org/shop"),
        (
            "pom.xml",
            "<project><parent><artifactId>base</artifactId></parent><artifactId>shop</artifactId></project>",
            "shop",
        ),
    ],
)
def test_a_manifest_names_the_project(tmp_path: Path, manifest: str, text: str, name: str) -> None:
    make(tmp_path, manifest, text)
    make(tmp_path, "deep/down/a.txt")

    assert projects(tmp_path)["deep/down/a.txt"] == name


def test_the_nearest_project_wins_and_siblings_have_none(tmp_path: Path) -> None:
    make(tmp_path, "Outer/Outer.csproj")
    make(tmp_path, "Outer/a.cs")
    make(tmp_path, "Outer/Inner/Inner.csproj")
    make(tmp_path, "Outer/Inner/b.cs")
    make(tmp_path, "other/c.cs")

    result = projects(tmp_path)

    assert (result["Outer/a.cs"], result["Outer/Inner/b.cs"], result["other/c.cs"]) == (
        "Outer",
        "Inner",
        None,
    )


def test_a_dotnet_project_wins_over_a_manifest_beside_it(tmp_path: Path) -> None:
    make(tmp_path, "Shop.csproj")
    make(tmp_path, "package.json", '{"name": "front-end"}')

    assert set(projects(tmp_path).values()) == {"Shop"}


@pytest.mark.parametrize(
    ("manifest", "text"),
    [
        ("package.json", "{"),
        ("package.json", "[1]"),
        ("package.json", '{"name": 7}'),
        ("package.json", "[" * 100_000),
        ("pyproject.toml", "= ="),
        ("pyproject.toml", "project = 3"),
        ("pyproject.toml", "x = " + "[" * 50_000),
        ("pom.xml", "<artifactId>"),
        ("go.mod", "module"),
    ],
)
def test_a_broken_manifest_names_none(tmp_path: Path, manifest: str, text: str) -> None:
    make(tmp_path, manifest, text)

    assert projects(tmp_path) == {manifest: None}


def test_a_subfolder_of_a_checkout_belongs_to_the_project_above(tmp_path: Path) -> None:
    make(tmp_path, ".git/HEAD", "ref: refs/heads/main\n")
    make(tmp_path, "Shop/Shop.csproj")
    make(tmp_path, "Shop/Services/a.cs")

    assert projects(tmp_path / "Shop/Services") == {"a.cs": "Shop"}


@pytest.mark.parametrize(
    ("name", "text", "namespace"),
    [
        ("Web.vbproj", "<Project><RootNamespace>Shop.Web</RootNamespace></Project>", "Shop.Web"),
        ("Web.vbproj", "<Project><RootNamespace></RootNamespace></Project>", ""),
        ("Web.vbproj", '<Project Sdk="Microsoft.NET.Sdk"><RootNamespace /></Project>', ""),
        ("Web.vbproj", "<Project></Project>", ""),
        ("Shop Web.vbproj", '<Project Sdk="Microsoft.NET.Sdk"></Project>', "Shop_Web"),
        ("Web.csproj", "<Project><RootNamespace>Shop.Web</RootNamespace></Project>", ""),
    ],
)
def test_a_project_puts_its_namespace_before_all_visual_basic(
    tmp_path: Path, name: str, text: str, namespace: str
) -> None:
    make(tmp_path, f"web/{name}", text)
    make(tmp_path, "web/forms/package.json", "{}")
    make(tmp_path, "web/forms/A.VB")
    make(tmp_path, "web/forms/a.cs")
    make(tmp_path, "web/other/Other.csproj", "<Project/>")
    make(tmp_path, "web/other/b.vb")

    found = {one.path: one.root_namespace for one in walk_files(tmp_path) if isinstance(one, SourceFile)}

    assert found["web/forms/A.VB"] == namespace
    assert (found["web/forms/a.cs"], found["web/other/b.vb"]) == ("", "")


def test_the_namespace_of_a_project_above_the_folder_counts(tmp_path: Path) -> None:
    make(tmp_path, ".git/HEAD", "ref: refs/heads/main\n")
    make(tmp_path, "Web.vbproj", "<Project><RootNamespace>Shop</RootNamespace></Project>")
    make(tmp_path, "forms/a.vb")

    found = [one for one in walk_files(tmp_path / "forms") if isinstance(one, SourceFile)]

    assert [one.root_namespace for one in found] == ["Shop"]
