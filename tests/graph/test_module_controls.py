"""A manifest of a module of DotNetNuke leads to its controls and its class, and calls by a key to a control."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Found = set[tuple[str, str, str, float]]
EdgesOf = Callable[[str], Found]

MANIFEST = """
    <dotnetnuke type="Package" version="5.0">
      <businessControllerClass>Shop.Controller, Shop</businessControllerClass>
      <moduleControl><controlKey /><controlSrc>DesktopModules/Shop/View.ascx</controlSrc></moduleControl>
      <moduleControl>
        <controlKey>Edit</controlKey><controlSrc>DesktopModules/Shop/Edit.ascx</controlSrc>
      </moduleControl>
      <moduleControl>
        <controlKey>Moderate</controlKey><controlSrc>DesktopModules/Shop/Parts/Moderate.ascx</controlSrc>
      </moduleControl>
    </dotnetnuke>
    """
CODE = """
    namespace Shop {{
        public class Controller {{ }}
        public class View : PortalModuleBase {{
            void Go(int id) {{ var url = {call}; }}
            string Own(string key) => key;
        }}
        public class Links {{ public string EditUrl(string key) => key; }}
    }}
    """


@pytest.fixture(scope="module")
def edges_of(facts_of: FactsOf) -> EdgesOf:
    """What a manifest and a call lead to, as (from, rule, to, confidence)."""

    def edges(call: str) -> Found:
        files = {
            "Shop/Shop.csproj": "<Project />",
            "Shop/Setup/Shop.dnn": MANIFEST,
            "Shop/View.ascx.cs": CODE.format(call=call),
            **{f"Shop/{name}.ascx": "<b></b>" for name in ("View", "Edit", "Parts/Moderate")},
            "Other/View.ascx": "<b></b>",
            "Other/Edit.ascx": "<b></b>",
        }
        graph, problems = build_graph(facts_of(files))
        assert not problems
        return {
            (one.from_key, one.rule, one.to_key, one.confidence)
            for one in graph.edges
            if one.rule in ("module control", "business controller")
        }

    return edges


def test_a_manifest_uses_what_it_registers(edges_of: EdgesOf) -> None:
    manifest = "file:Shop/Setup/Shop.dnn|FILE"

    assert edges_of('""') == {
        (manifest, "business controller", "csharp:Shop.Controller|TYPE", 1.0),
        (manifest, "module control", "file:Shop/View.ascx|FILE", 0.8),
        (manifest, "module control", "file:Shop/Edit.ascx|FILE", 0.8),
        (manifest, "module control", "file:Shop/Parts/Moderate.ascx|FILE", 0.8),
    }


@pytest.mark.parametrize(
    ("call", "form"),
    [
        ('EditUrl("Moderate")', "Parts/Moderate"),
        ("EditUrl()", "Edit"),
        ('EditUrl("id", id.ToString())', "Edit"),
        ('ModuleContext.EditUrl("id", id.ToString(), "moderate", "x=1")', "Parts/Moderate"),
        ('Globals.NavigateURL(TabId, "Moderate", "mid=" + ModuleId)', "Parts/Moderate"),
        ('NavigateURL("Edit")', "Edit"),
        ('NavigateURL(TabId, "", "Moderate")', ""),
        ('NavigateURL(TabId, "Gone")', ""),
        ("EditUrl(id)", ""),
        ('new Links().EditUrl("Edit")', ""),
        ('Own("Edit")', ""),
    ],
)
def test_calls_lead_to_a_control_by_its_key(edges_of: EdgesOf, call: str, form: str) -> None:
    found = {one for one in edges_of(call) if one[0].startswith("csharp:")}

    go = "csharp:Shop.View.Go|METHOD"
    assert found == ({(go, "module control", f"file:Shop/{form}.ascx|FILE", 0.8)} if form else set())


def test_a_key_that_a_module_does_not_register_is_not_that_of_another(facts_of: FactsOf) -> None:
    other = MANIFEST.replace("Edit", "Login")
    files = {
        "Shop/Shop.csproj": "<Project />",
        "Shop/Shop.dnn": MANIFEST,
        "Shop/Edit.ascx": "<b></b>",
        "Shop/View.ascx.cs": CODE.format(call='NavigateURL(TabId, "Login")'),
        "Other/Other.csproj": "<Project />",
        "Other/Other.dnn": other,
        "Other/Login.ascx": "<b></b>",
    }

    graph = build_graph(facts_of(files)).graph

    assert [one for one in graph.edges if one.relation == "LeadsTo"] == []
