"""The hash of a file's declarations changes with what other files can see of it, and with nothing else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ragduck.facts import FileFacts
from ragduck.facts.digests import NO_DECLARATIONS, beside_digest, changed_members, declarations_digest
from ragduck.facts.packing import declarations_of, packed_facts, path_of
from ragduck.model import Document
from ragduck.parse import ChunkSettings, parse_document

CSHARP = """using Base;

class Order : Entity {
    public static readonly string Table = "dbo.Orders";
    public int Total(int tax) {
        return Sum(tax);
    }
}
"""


def facts_of(text: str, *, path: str = "Shop/Order.cs", language: str = "csharp") -> FileFacts:
    document = Document(path, text, language, path.rpartition(".")[2], "source", len(text), 0, "Shop")
    return parse_document(document, settings=ChunkSettings()).facts


def digest_of(text: str, *, path: str = "Shop/Order.cs", language: str = "csharp") -> bytes:
    return declarations_digest(facts_of(text, path=path, language=language))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Sum(tax)", "Sum(tax) + Other.Thing(2)"),
        ("class", "\n\n// a comment\nclass"),
        ("return", "\n\nreturn"),
    ],
)
def test_an_edit_within_a_method_or_a_moved_line_leaves_it(old: str, new: str) -> None:
    assert digest_of(CSHARP.replace(old, new)) == digest_of(CSHARP) != NO_DECLARATIONS


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("int tax", "long tax"),
        ("public int", "internal int"),
        ("static readonly", "static"),
        ("using Base", "using Other"),
        (": Entity", ": Thing"),
        ("class Order", "class Purchase"),
        ("dbo.Orders", "dbo.Purchases"),
        ("Total", "Whole"),
    ],
)
def test_a_changed_declaration_changes_it(old: str, new: str) -> None:
    assert digest_of(CSHARP.replace(old, new)) != digest_of(CSHARP)


@pytest.mark.parametrize(
    "changed",
    [
        {"path": "Shop/Other.cs"},
        {"file_class": "test"},
        {"project": None},
        {"module": "m"},
        {"language": "razor"},
    ],
)
def test_where_declarations_stand_is_part_of_it(changed: dict[str, str | None]) -> None:
    file = facts_of(CSHARP)

    assert declarations_digest(file._replace(**changed)) != declarations_digest(file)  # type: ignore[arg-type]


def test_the_model_of_a_view_is_part_of_it() -> None:
    views = [
        digest_of(f"@model {model}\n@functions {{ int One() => 1; }}\n", path="V/A.cshtml", language="razor")
        for model in ("Order", "Customer")
    ]

    assert len({*views, NO_DECLARATIONS}) == 3


@pytest.mark.parametrize(
    "tag",
    [
        '<a asp-action="Show">x</a>',
        '<a asp-route="all">x</a>',
        '<a asp-page="/All">x</a>',
        '<partial name="Row" />',
        '<component type="typeof(Row)" />',
        "<vc:row></vc:row>",
    ],
)
def test_where_a_view_leads_is_told_beside_it(tag: str) -> None:
    before, now = (
        facts_of(f"@model Order\n{text}\n", path="V/A.cshtml", language="razor") for text in ("<p>x</p>", tag)
    )
    declared, as_now = declarations_digest(before), declarations_digest(now)

    assert now.views != before.views
    assert declared == as_now != NO_DECLARATIONS
    assert beside_digest(before, declarations=declared) != beside_digest(now, declarations=as_now)


def test_the_root_namespace_of_a_project_is_part_of_it() -> None:
    project = '<Project Sdk="A"><ImplicitUsings>disable</ImplicitUsings>{0}</Project>'
    told = [
        digest_of(project.format(name), path="Web/Web.csproj", language="xml")
        for name in ("", "<RootNamespace>My</RootNamespace>")
    ]

    assert len({*told, NO_DECLARATIONS}) == 3


@pytest.mark.parametrize(
    ("path", "language", "text"),
    [
        ("a.sql", "sql", "use Shop;\ngo\ncreate table dbo.A (Id int);\n"),
        ("a.md", "markdown", "# A\n"),
        ("a.json", "json", "{}"),
    ],
)
def test_what_no_code_can_name_declares_nothing(path: str, language: str, text: str) -> None:
    assert digest_of(text, path=path, language=language) == NO_DECLARATIONS


def test_a_module_that_only_passes_on_what_it_imports_declares_that() -> None:
    first, second = (
        digest_of(f"from shop.{name} import Order\n", path="shop/__init__.py", language="python")
        for name in ("one", "two")
    )

    assert len({first, second, NO_DECLARATIONS}) == 3


def test_path_and_hash_can_be_told_without_unpacking() -> None:
    file = facts_of(CSHARP)._replace(path="Shop/Größe.cs")

    packed = packed_facts(file)

    assert (path_of(packed), declarations_of(packed)) == ("Shop/Größe.cs", declarations_digest(file))


def test_every_process_finds_the_same() -> None:
    code = (
        "from ragduck.facts import FileFacts, MemberFact; from ragduck.facts.digests import declarations_digest; "
        "words = frozenset(('public', 'static', 'async', 'override', 'partial', 'sealed', 'new')); "
        "member = MemberFact('k', 'n', '', 'METHOD', 'method', 1, 2, modifiers=words); "
        "file = FileFacts('a', 'csharp', 'source', None, 9, members=(member,)); "
        "print(list(words), declarations_digest(file).hex())"
    )
    seeds = ("0", "1", "2")
    printed = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.rpartition(" ")
        for seed in seeds
    ]

    assert len({words for words, _, _ in printed}) == len(seeds)
    assert len({digest for _, _, digest in printed}) == 1


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("return", "\n\nreturn", set()),
        ("int tax", "long tax", {"Total"}),
        ("Total", "Whole", {"Total", "Whole"}),
        ("dbo.Orders", "dbo.Purchases", {"Table"}),
        ("public int Total", "public int Total() => 1;\n    public int Total", {"Total"}),
        ("class Order : Entity {", "class Order : Entity {\n    int size;", {"size"}),
    ],
)
def test_members_that_are_declared_otherwise_are_named(old: str, new: str, names: set[str]) -> None:
    assert changed_members(facts_of(CSHARP), facts_of(CSHARP.replace(old, new))) == names


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("using Base", "using Other"),
        (": Entity", ": Thing"),
        ("class Order", "class Purchase"),
        ("class", "static class"),
    ],
)
def test_where_more_than_members_changed_no_name_tells_it(old: str, new: str) -> None:
    assert changed_members(facts_of(CSHARP), facts_of(CSHARP.replace(old, new))) is None


def test_the_order_of_overloads_is_a_change_of_their_name() -> None:
    one, two = "void Pay(int a) { }", "void Pay(string a) { }"

    assert changed_members(
        facts_of(f"class A {{ {one} {two} }}"), facts_of(f"class A {{ {two} {one} }}")
    ) == {"Pay"}
