"""Components of Blazor declare something else: those who name it are read again, and the graph is one made anew."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.preparation.test_remembered_uses import cache, read
from tests.preparation.test_touched_types import Texts, brought_up_to_date, contents

__all__ = ["cache", "read"]  # fixtures

CART = "@inject Log Log\n<p @onclick='Pay'>@Total</p>\n@code {{\n{0}\n}}\n"
PAY = "    public void Pay() { Log.Write(); }\n    [Parameter] public int Total { get; set; }"
SHOP = {
    "Web/_Imports.razor": "@using Shop\n",
    "Web/Cart.razor": CART.format(PAY),
    "Web/Page.razor": "<Cart @ref='cart' Total='3' />\n@code { Cart cart; void Go() { cart.Pay(); } }\n",
    "Web/Other.razor": "<p>@Other</p>\n@code { int Other { get; set; } void Show() { } }\n",
    "Web/Base.razor": "<p>x</p>\n@code { protected void Stay() { } protected Log Kept; }\n",
    "Web/Heir.razor": "@inherits Base\n<p @onclick='Stay'>x</p>\n@code { void Go() { Kept.Write(); } }\n",
    "Web/Half.razor": "<p>x</p>\n@code { void Run() { Begin(); } }\n",
    "Web/Half.razor.cs": "namespace Web;\npublic partial class Half { void Begin() { Run(); } }\n",
    "Shop/Log.cs": "namespace Shop;\npublic class Log { public void Write() { } public int Total => 1; }\n",
    "Shop/Use.cs": "namespace Shop;\nclass Use { Log log; int Sum() => log.Total; void Pay() { Sum(); } }\n",
    "Web/Web.csproj": '<Project Sdk="Microsoft.NET.Sdk.Razor" />\n',
}


@pytest.mark.parametrize(
    ("path", "old", "new", "naming"),
    [
        ("Web/Cart.razor", "void Pay()", "void Pay(int a)", {"Web/Page.razor", "Shop/Use.cs"}),
        ("Web/Cart.razor", "[Parameter]", "void More() { }\n    [Parameter]", set()),
        ("Web/Base.razor", "void Stay()", "void Stay(int a)", {"Web/Heir.razor"}),
        ("Web/Base.razor", "Log Kept", "int Kept", {"Web/Heir.razor"}),
        ("Web/Half.razor", "void Run()", "int Run()", {"Web/Half.razor.cs"}),
    ],
)
def test_who_names_a_member_of_a_component_is_read_again(
    cache: Path, read: list[str], path: str, old: str, new: str, naming: set[str]
) -> None:
    assert old in SHOP[path]
    _, again = brought_up_to_date(cache, read, SHOP, {**SHOP, path: SHOP[path].replace(old, new)})

    assert {path} <= set(again) <= {path, *naming}


def test_a_call_of_a_component_leads_to_what_it_declares_now(cache: Path, read: list[str]) -> None:
    base = SHOP["Web/Base.razor"].replace("void Stay() { }", "void Leave() { }")
    heir = SHOP["Web/Heir.razor"].replace("Kept.Write();", "Leave();")

    before, _ = brought_up_to_date(cache, read, SHOP, {**SHOP, "Web/Heir.razor": heir})
    found, again = brought_up_to_date(
        cache,
        read,
        {**SHOP, "Web/Heir.razor": heir},
        {**SHOP, "Web/Heir.razor": heir, "Web/Base.razor": base},
    )

    assert again == ["Web/Base.razor", "Web/Heir.razor"]
    calls = [{row["to_key"] for row in each[1] if "Heir" in row["from_key"]} for each in (before, found)]
    assert len(calls[1] - calls[0]) == 1


def test_what_a_component_is_given_lets_all_be_read(cache: Path, read: list[str]) -> None:
    cart = SHOP["Web/Cart.razor"].replace("@inject Log Log", "@inject Use Log")

    _, again = brought_up_to_date(cache, read, SHOP, {**SHOP, "Web/Cart.razor": cart})

    assert again == sorted(SHOP)


MEMBERS = (
    "void Pay() { Log.Write(); }", "public void Pay(int a) { Stay(); }", "protected void Stay() { }", "Log Kept;",
    "[Parameter] public Log Kept { get; set; }", "public int Total => Kept.Total;", "Base It;",
    "Cart It { get; set; }",
    "public Log Best() => It.Kept;", "const string Address = \"/a\";", "string Path => Address;", "class Own { }",
    "public Log? Kept { get; set; }", "void Run() { It.Pay(); Best().Write(); }",
)  # fmt: skip
PATHS = (
    "Web/Cart.razor",
    "Web/Base.razor",
    "Web/Heir.razor",
    "Web/Half.razor",
    "Web/Half.razor.cs",
    "Shop/Log.cs",
)
members = st.lists(st.sampled_from(MEMBERS), max_size=4, unique=True)


def declaring(texts: dict[str, list[str]]) -> Texts:
    found: dict[str, str | None] = dict(SHOP)
    for path, given_members in texts.items():
        code = "\n".join(given_members)
        if path.endswith(".cs"):
            found[path] = SHOP[path].replace("{ ", f"{{ {code} ", 1)
        else:
            found[path] = f"{SHOP[path].partition('@code')[0]}@code {{\n{code}\n}}\n"
    return found


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.fixed_dictionaries(dict.fromkeys(PATHS, members)),
    st.lists(st.tuples(st.sampled_from(PATHS), members), min_size=1, max_size=4),
)
def test_a_graph_brought_up_to_date_is_one_made_anew(
    read: list[str], texts: dict[str, list[str]], steps: list[tuple[str, list[str]]]
) -> None:
    with TemporaryDirectory() as folder:
        place = Path(folder) / "cache.sqlite3"
        contents(declaring(texts), place)
        for path, given_members in steps:
            texts[path] = given_members

            assert contents(declaring(texts), place) == contents(declaring(texts), None)
