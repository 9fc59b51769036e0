"""GraphML holds the graph of the store as networkx and every XML reader understand it."""

from __future__ import annotations

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import networkx as nx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import ragduck
from ragduck.errors import ForeignFileError, StoreError, UsageError
from ragduck.exports import export_graphml, graphml

NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
NODE = "{http://graphml.graphdrawing.org/xmlns}node"


@pytest.fixture(scope="module")
def shop_graph(shop_store: Path, tmp_path_factory: pytest.TempPathFactory) -> nx.MultiDiGraph:
    """The graph of the sample shop as networkx reads it."""
    path = tmp_path_factory.mktemp("graphml") / "shop.graphml"
    export_graphml(shop_store, path)
    return nx.read_graphml(path, force_multigraph=True)


def by_key(graph: nx.MultiDiGraph) -> dict[tuple[str, str, str], str]:
    return {(node["repo"], node["branch"], node["key"]): name for name, node in graph.nodes(data=True)}


def test_networkx_reads_every_node_with_its_attributes(shop_graph: nx.MultiDiGraph, shop_store: Path) -> None:
    with ragduck.open(shop_store) as store:
        rows = store.sql(
            "select node_key as key, name as label, kind, role, name, schema, project, source_file as file, "
            "start_line, end_line, repo, branch, data_type, version, is_external as external from nodes"
        )

    expected = {row["key"]: {name: value for name, value in row.items() if value is not None} for row in rows}
    assert {node["key"]: node for _, node in shop_graph.nodes(data=True)} == expected


def test_networkx_reads_every_edge_with_its_attributes(shop_graph: nx.MultiDiGraph, shop_store: Path) -> None:
    with ragduck.open(shop_store) as store:
        rows = store.sql("select * from edges")

    key_of = nx.get_node_attributes(shop_graph, "key")
    read = [
        (key_of[source], key_of[target], *map(edge.get, graphml.EDGE_ATTRIBUTES))
        for source, target, edge in shop_graph.edges(data=True)
    ]
    expected = [
        (row["from_key"], row["to_key"], row["relation"], row["source_file"], row["line"], row["rule"],
         row["confidence"], row["detail"] or None, row["sites"])
        for row in rows
    ]  # fmt: skip
    assert sorted(read, key=repr) == sorted(expected, key=repr)


def test_two_exports_are_equal(teams_store: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        export_graphml(teams_store, tmp_path / name)

    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_same_node_has_the_same_id_in_a_part(teams_store: Path, tmp_path: Path) -> None:
    export_graphml(teams_store, tmp_path / "all")
    export_graphml(teams_store, tmp_path / "part", repos="shop", branches="2024")

    part = by_key(nx.read_graphml(tmp_path / "part"))
    assert part.items() <= by_key(nx.read_graphml(tmp_path / "all")).items()
    assert {(repo, branch) for repo, branch, _ in part} == {("shop", "2024")}


def test_an_edge_leads_to_the_repository_that_defines_its_end(teams_store: Path, tmp_path: Path) -> None:
    export_graphml(teams_store, tmp_path / "all")

    graph = nx.read_graphml(tmp_path / "all", force_multigraph=True)
    nodes = by_key(graph)
    assert graph.has_edge(
        nodes["billing", "main", "dbo.Bill|PROC"], nodes["shop", "main", "dbo.Invoice|TABLE"]
    )


def test_an_edge_to_a_repository_left_out_ends_at_what_is_known_of_it(
    teams_store: Path, tmp_path: Path
) -> None:
    report = export_graphml(teams_store, tmp_path / "part", repos="billing")

    graph = nx.read_graphml(tmp_path / "part", force_multigraph=True)
    nodes = by_key(graph)
    assert (report.nodes, report.edges) == (2, 1)
    assert graph.has_edge(
        nodes["billing", "main", "dbo.Bill|PROC"], nodes["billing", "main", "dbo.Invoice|TABLE"]
    )
    assert graph.number_of_nodes() == 2


@given(st.text(st.characters(exclude_categories=["Cs"])))
@example("a\rb\r\nc ]]> <x a='\"'>&amp;\x00\x0b\x1f\x85\ufffe")
def test_any_text_is_read_back_but_for_what_xml_cannot_hold(text: str) -> None:
    file = io.StringIO(newline="")

    graphml.write_head(file)
    graphml.write_nodes(file, [("n1", text, *[None] * (len(graphml.NODE_ATTRIBUTES) - 1))])
    graphml.write_tail(file)

    root = ElementTree.fromstring(file.getvalue().encode())
    found = "".join(node[0].text or "" for node in root.iter(NODE) if len(node))
    assert found == NOT_XML.sub("", text)


def test_ids_are_names_that_xml_allows(shop_graph: nx.MultiDiGraph) -> None:
    assert all(re.fullmatch("n[0-9a-f]{16}", name) for name in shop_graph)


def test_another_file_is_not_replaced(teams_store: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")

    with pytest.raises(ForeignFileError, match="is another file"):
        export_graphml(teams_store, tmp_path / "letter.txt")

    assert (tmp_path / "letter.txt").read_text() == "dear"


def test_the_store_itself_is_not_replaced(teams_store: Path) -> None:
    before = teams_store.stat().st_size

    with pytest.raises(ForeignFileError):
        export_graphml(teams_store, teams_store)

    assert teams_store.stat().st_size == before


def test_a_link_is_not_followed(teams_store: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(ForeignFileError, match="no regular file"):
        export_graphml(teams_store, tmp_path / "link")

    assert not (tmp_path / "elsewhere").exists()


def test_a_failure_leaves_the_earlier_export(
    teams_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_graphml(teams_store, tmp_path / "out")
    before = (tmp_path / "out").read_bytes()
    monkeypatch.setattr(graphml, "EDGE_ATTRIBUTES", {"relation": "string"})  # fewer than there are values

    with pytest.raises(ValueError, match="zip"):
        export_graphml(teams_store, tmp_path / "out")

    assert (tmp_path / "out").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_missing_folder_is_told(teams_store: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no folder"):
        export_graphml(teams_store, tmp_path / "nowhere" / "out.graphml")


@pytest.mark.parametrize(
    ("repos", "branches", "message"),
    [
        (["shop", "bank"], [], "the store holds no repository 'bank'"),
        ([], ["mian"], "the store holds no branch 'mian'"),
        (["billing"], ["2024"], "billing has no branch 2024"),
    ],
)
def test_names_that_select_nothing_are_refused(
    teams_store: Path, tmp_path: Path, repos: list[str], branches: list[str], message: str
) -> None:
    with pytest.raises(UsageError, match=message) as refused:
        export_graphml(teams_store, tmp_path / "out", repos=repos, branches=branches)

    assert "it holds billing main" in (refused.value.hint or "")
