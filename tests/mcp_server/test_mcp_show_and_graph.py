import pytest

import ragduck


@pytest.fixture(scope="module")
def two_branches(tmp_path_factory):
    folder = tmp_path_factory.mktemp("branches")
    store = folder / "two.duckdb"
    for branch, body in (("main", "return 1"), ("next", "return 2")):
        source = folder / branch
        source.mkdir()
        (source / "price.py").write_text(f"def price():\n    {body}\n")
        ragduck.prepare(source, store, repo="shop", branch=branch, embed_model="none")
    return store


def test_show_gives_exact_text_with_its_place(shop):
    text = shop.text("show", key="dbo.Invoice_Create|PROC")

    assert "database/Shop.Database/dbo/Stored Procedures/Invoice_Create.sql:1-42" in text
    assert "CREATE" in text


def test_show_gives_lines_of_a_file(shop):
    lines = shop.text("show", key="docs/invoicing.md:1-2").split("\n")

    assert lines[1].startswith("docs/invoicing.md:1-2")
    assert lines[2] == "# Invoicing"


def test_show_gives_the_first_definition_and_names_the_others(serve, two_branches):
    with serve(two_branches) as connection:
        text = connection.text("show", key="price.py")

    assert "return 1" in text
    assert "return 2" not in text
    assert "note: also defined at price.py:1-2 [shop, next]" in text


def test_show_gives_all_definitions_when_asked(serve, two_branches):
    with serve(two_branches) as connection:
        text = connection.text("show", key="price.py", all=True)

    assert "return 1" in text
    assert "return 2" in text


def test_show_stays_within_a_branch(serve, two_branches):
    with serve(two_branches) as connection:
        text = connection.text("show", key="price.py", branch="next")
        error = connection.error("show", key="price.py", branch="other")

    assert "return 2" in text
    assert "is not in other" in error


def test_results_of_several_branches_name_theirs(serve, two_branches):
    with serve(two_branches) as connection:
        hits = connection.data("search", query="price", mode="bm25")["results"]

    assert {(hit["repo"], hit["branch"]) for hit in hits} == {("shop", "main"), ("shop", "next")}


def test_a_long_text_is_cut_at_a_line_and_tells_how_to_go_on(serve, tmp_path):
    source = tmp_path / "long"
    source.mkdir()
    (source / "notes.md").write_text("".join(f"line {number} {'x' * 90}\n" for number in range(1, 501)))
    store = tmp_path / "long.duckdb"
    ragduck.prepare(source, store, repo="long", branch="main", embed_model="none")
    with serve(store) as connection:
        first = connection.text("show", key="notes.md")
        key = first.split("go on with show key ", 1)[1].split("\n")[0]
        second = connection.text("show", key=key)

    assert len(first) < 31_000
    number = int(key.split(":")[1].split("-")[0])
    assert f"line {number - 1} " in first
    assert f"\nline {number} " not in first
    assert f"\nline {number} " in second
    assert "line 500 " in second


def test_one_huge_line_is_cut(serve, tmp_path):
    source = tmp_path / "wide"
    source.mkdir()
    (source / "data.md").write_text("a short line\n" * 900 + "word " * 8_000)
    store = tmp_path / "wide.duckdb"
    ragduck.prepare(source, store, repo="wide", branch="main", embed_model="none")
    with serve(store) as connection:
        text = connection.text("show", key="data.md:901")

    assert len(text) < 31_000
    assert "more letters follow" in text


def test_graph_draws_a_tree_with_evidence(shop):
    text = shop.text("graph", keys=["dbo.Invoice_Create"])

    assert "→ WritesTo" in text
    assert "Invoice_Create.sql:" in text
    assert "INSERT" in text


def test_graph_without_evidence_is_shorter(shop):
    with_evidence = shop.text("graph", keys=["dbo.Invoice"])
    without = shop.text("graph", keys=["dbo.Invoice"], evidence=False)

    assert len(without) < len(with_evidence) * 0.8


def test_graph_takes_one_key_for_a_list(shop):
    assert shop.text("graph", keys="dbo.Invoice") == shop.text("graph", keys=["dbo.Invoice"])


@pytest.mark.parametrize(
    ("question", "key", "found"),
    [
        ("callers", "dbo.Invoice_Create", "InvoiceRepository"),
        ("callees", "InvoiceController", "dbo."),
        ("impact", "dbo.Invoice", "InvoiceService"),
    ],
)
def test_graph_answers_callers_callees_and_impact(shop, question, key, found):
    assert found in shop.text("graph", keys=[key], question=question, max_nodes=100)


def test_graph_finds_a_path(shop):
    text = shop.text("graph", keys=["InvoiceController"], question="path", to="dbo.InvoiceLine")

    assert "dbo.InvoiceLine" in text
    assert "steps" in text


def test_a_path_that_is_too_long_is_none(shop):
    text = shop.text("graph", keys=["InvoiceController"], question="path", to="dbo.InvoiceLine", depth=1)

    assert text == "note: no path of 1 steps or fewer"


def test_graph_follows_relations_in_one_direction(shop):
    text = shop.text("graph", keys=["dbo.InvoiceLine"], relations=["FK"], direction="out")

    assert "→ ForeignKey" in text
    assert "←" not in text.split("DATA")[1]


def test_a_cut_graph_says_so(shop):
    text = shop.text("graph", keys=["dbo.Invoice"], max_nodes=3)

    assert "note: 3 nodes" in text
    assert "cut at max_nodes 3" in text


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"question": "path"}, "one start and one end"),
        ({"to": "dbo.Order"}, "to is for a path"),
        ({"question": "callers", "relations": ["FK"]}, "follows calls alone"),
        ({"question": "impact", "direction": "out"}, "direction of its own"),
    ],
)
def test_questions_that_make_no_sense_are_refused(shop, arguments, told):
    assert told in shop.error("graph", keys=["dbo.Invoice"], **arguments)


def test_an_unknown_node_is_refused_with_the_closest(shop):
    error = shop.error("graph", keys=["dbo.Invoic"])

    assert "dbo.Invoice|TABLE" in error
