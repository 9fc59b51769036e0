"""`ragduck graph`, and `ragduck show` for nodes."""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.cli.graph_lines import branch_lines
from ragduck.cli.graph_output import ENDINGS, FORMATS, MAX_TEXT
from ragduck.library import Store
from ragduck.picture.tree import Branch, tree_of
from ragduck.search.walk import EITHER_WAY_DEPTH, PATH_DEPTH

REPOSITORY = "InvoiceRepository.CreateFromOrderAsync"


@pytest.fixture
def hostile_tree() -> list[Branch]:
    name = "dbo.\x1b[31mred\x07\nfake line|TABLE"
    node = {
        "node_id": 1, "node_key": name, "kind": "TABLE", "role": None, "repo": "r", "branch": "b", "via_id": None,
        "source_file": "a\x1b]0;b.sql", "start_line": 3, "end_line": 3, "edge_no": None,
    }  # fmt: skip
    return list(tree_of([node], [], starts=[name]))


@pytest.fixture
def two_branches(tmp_path: Path) -> Path:
    folder = tmp_path / "bank"
    folder.mkdir()
    (folder / "tables.sql").write_text(
        "create table dbo.Account (Id int primary key);\ngo\n", encoding="utf-8"
    )
    store = tmp_path / "bank.duckdb"
    for branch in ("main", "next"):
        ragduck.prepare(folder, store, repo="bank", branch=branch, embed_model="none")
    return store


@pytest.fixture
def code_first(tmp_path: Path) -> Path:
    """A store whose tables no script defines: of one the entity is mapped apart, of one it says so itself."""
    folder = tmp_path / "bank"
    folder.mkdir()
    (folder / "Account.cs").write_text(
        "namespace Bank;\npublic class Account\n{\n    public int Id { get; set; }\n}\n"
        '[Table("Note", Schema = "dbo")]\npublic class Note { public int Id { get; set; } }\n'
    )
    (folder / "AccountMap.cs").write_text(
        "namespace Bank;\npublic class AccountMap : EntityTypeConfiguration<Account>\n{\n"
        '    public AccountMap()\n    {\n        ToTable("Account", "dbo");\n    }\n}\n'
    )
    store = tmp_path / "bank.duckdb"
    ragduck.prepare(folder, store, repo="bank", embed_model="none")
    return store


def lines_of(result: Any) -> list[str]:
    """Return the lines of a text answer with one space for the room between columns."""
    assert result.exit_code == 0, result.stderr
    return [re.sub(" {2,}", " ", line) for line in result.stdout.splitlines()]


def refused(result: Any) -> tuple[str, str]:
    lines = result.stderr.splitlines()
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(lines) == 2
    return lines[0].removeprefix("error: "), lines[1].removeprefix("hint: ")


def page_data(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_tree_shows_tie_name_kind_and_place(invoke: Any, shop_store: Path) -> None:
    result = invoke("graph", shop_store, "dbo.Invoice", "-r", "FK", "--depth", "1")

    lines = lines_of(result)
    assert lines[0] == "dbo.Invoice ↺ ForeignKey TABLE database/Shop.Database/dbo/Tables/Invoice.sql:1-25"
    assert (
        lines[1] == "├─ → ForeignKey dbo.Customer TABLE database/Shop.Database/dbo/Tables/Customer.sql:1-18"
    )
    assert [line.split()[3] for line in lines[1:]] == [
        "dbo.Customer", "dbo.Order", "dbo.DunningNotice", "dbo.InvoiceLine", "dbo.Payment",
    ]  # fmt: skip
    assert re.fullmatch(r"6 nodes, \d+ edges\n", result.stderr)


def test_places_of_the_tree_stand_in_one_column(invoke: Any, shop_store: Path) -> None:
    result = invoke("graph", shop_store, "dbo.Invoice", "--max-nodes", "40")

    places = [re.search(r"\b(database|src|tools)/", line) for line in result.stdout.splitlines()]
    assert len({place.start() for place in places if place}) == 1


def test_evidence_is_the_line_behind_a_tie(invoke: Any, shop_store: Path) -> None:
    result = invoke("graph", shop_store, "dbo.Invoice_Create", "--callers", "--depth", "1", "--evidence")

    lines = lines_of(result)
    place = next(number for number, line in enumerate(lines) if "← Executes dbo.Order_Place" in line)
    assert re.match(r"│ :\d+ EXECUTE \[dbo\]\.\[Invoice_Create\] @OrderId", lines[place + 1])


def test_path_is_shown_step_by_step_with_its_evidence(invoke: Any, shop_store: Path) -> None:
    result = invoke("graph", shop_store, REPOSITORY, "--to", "dbo.Invoice")

    lines = lines_of(result)
    assert lines[0].startswith(f"{REPOSITORY} METHOD ")
    assert lines[1].startswith("→ Executes dbo.Invoice_Create PROC ")
    assert "ProcedureNames.InvoiceCreate" in lines[2]
    assert lines[3].startswith("→ WritesTo dbo.Invoice TABLE ")
    assert "INSERT INTO [dbo].[Invoice]" in lines[4]
    assert result.stderr == "2 steps\n"


def test_path_that_is_not_found_says_how_far_was_looked(invoke: Any, shop_store: Path) -> None:
    result = invoke("graph", shop_store, REPOSITORY, "--to", "dbo.Invoice", "--depth", "1")

    assert result.exit_code == 0
    assert result.stdout == ""
    assert result.stderr == "no path of 1 step or fewer; try --depth 2\n"


@pytest.mark.parametrize(
    ("question", "asked", "found"),
    [
        ("--callers", "dbo.Invoice_Create", f"← Executes {REPOSITORY} METHOD"),
        ("--callees", REPOSITORY, "→ Executes dbo.Invoice_Create PROC"),
        ("--impact", "dbo.Invoice_Create", "← Calls InvoiceController.Create METHOD, ACTION"),
    ],
)
def test_questions_of_their_own(invoke: Any, shop_store: Path, question: str, asked: str, found: str) -> None:
    result = invoke("graph", shop_store, asked, question)

    assert any(found in line for line in lines_of(result))


def test_external_node_is_said_to_be_elsewhere(invoke: Any, shop_store: Path) -> None:
    result = invoke("graph", shop_store, "sales.DiscountCode", "--depth", "1")

    assert lines_of(result)[0] == "sales.DiscountCode TABLE not in the store"


def test_of_depth_0_are_the_nodes_alone(invoke: Any, shop_store: Path) -> None:
    result = invoke("graph", shop_store, "dbo.Invoice", "dbo.InvoiceLine", "--depth", "0", "--max-nodes", "2")

    assert len(lines_of(result)) == 2
    assert result.stderr == "2 nodes, 0 edges\n"


def test_of_a_table_that_only_code_defines_the_mapping_is_named(invoke: Any, code_first: Path) -> None:
    result = invoke("graph", code_first, "dbo.Account", "-r", "MapsTo")
    answer = invoke("graph", code_first, "dbo.Account", "--depth", "0", "--json")

    assert lines_of(result)[0] == "dbo.Account TABLE mapped by Account, AccountMap.cs:6"
    [node] = json.loads(answer.stdout)["nodes"]
    assert (node["entity"], node["mapping"], node["location"]) == (
        "csharp:Bank.Account|TYPE", "AccountMap.cs:6", None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "places", "first_line"),
    [
        ("dbo.Account", ["AccountMap.cs:1-8", "Account.cs:1-5"], "namespace Bank;"),
        ("dbo.Note|TABLE", ["Account.cs:6-7"], '[Table("Note"'),
    ],
)
def test_of_a_table_that_only_code_defines_the_mapping_and_the_entity_are_shown(
    invoke: Any, code_first: Path, asked: str, places: list[str], first_line: str
) -> None:
    result = invoke("show", code_first, asked)

    assert [line.split()[0] for line in result.stderr.splitlines()] == places
    assert f"maps to {asked.partition('|')[0]} (bank, " in result.stderr
    assert result.stdout.startswith(first_line)


def test_a_table_that_nothing_maps_to_is_not_shown(invoke: Any, shop_store: Path) -> None:
    result = invoke("show", shop_store, "sales.DiscountCode")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "sales.DiscountCode|TABLE is referred to, but the store does not define it" in result.stderr


def test_cut_answer_says_what_to_type_for_more(invoke: Any, shop_store: Path) -> None:
    result = invoke("graph", shop_store, "dbo.Invoice", "--max-nodes", "10")

    assert len(lines_of(result)) == 10
    assert re.fullmatch(r"10 nodes, \d+ edges; cut at --max-nodes 10: try 20, .*\n", result.stderr)


def test_relation_that_does_not_exist_is_told_beside_one_that_does(invoke: Any, shop_store: Path) -> None:
    result = invoke("graph", shop_store, "dbo.Invoice", "-r", "FK", "-r", "Befriends", "--depth", "1")

    assert len(lines_of(result)) == 6
    assert result.stderr.splitlines()[0] == "no relation is called Befriends"


def test_json_is_the_answer_of_the_library(invoke: Any, shop_store: Path) -> None:
    with ragduck.open(shop_store) as store:
        expected = store.neighbourhood(["dbo.Invoice"], depth=1).to_dict()

    result = invoke("graph", shop_store, "dbo.Invoice", "--depth", "1", "--json")

    assert json.loads(result.stdout) == expected


@pytest.mark.parametrize(("form", "first"), [("mermaid", "flowchart LR"), ("dot", "digraph ragduck {")])
def test_drawing_holds_every_node(invoke: Any, shop_store: Path, form: str, first: str) -> None:
    result = invoke("graph", shop_store, "dbo.Invoice", "--format", form)

    assert result.stdout.startswith(f"{first}\n")
    assert len(re.findall(r"(?m)^ *n\d+ ?[\[({]", result.stdout)) == 120


def test_page_holds_the_text_of_its_nodes(invoke: Any, shop_store: Path, tmp_path: Path) -> None:
    file = tmp_path / "invoice.html"

    result = invoke("graph", shop_store, "dbo.Invoice", "--depth", "1", "-o", file)

    data = page_data(file.read_text(encoding="utf-8"))
    assert result.stdout == ""
    assert result.stderr.startswith(f"{file}: ")
    assert data["texts"]["dbo.Invoice|TABLE"].startswith("CREATE TABLE [dbo].[Invoice]")
    assert set(data["texts"]) == {node["node_key"] for node in data["nodes"] if not node["is_external"]}
    assert max(map(len, data["texts"].values())) <= MAX_TEXT + 2


@pytest.mark.parametrize("form", ["text", "json", "mermaid", "html"])
def test_dash_is_standard_output_and_no_file(
    invoke: Any, shop_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = ("graph", shop_store, "dbo.Invoice", "--depth", "1", "--format", form)

    result = invoke(*asked, "-o", "-")

    assert result.stdout == invoke(*asked).stdout != ""
    assert list(tmp_path.iterdir()) == []


def test_page_goes_to_a_redirected_stdout(run_ragduck: Any, shop_store: Path) -> None:
    result = run_ragduck(
        "graph", shop_store, "Währung", "--depth", "1", "--format", "html", env={"PYTHONIOENCODING": "ascii"}
    )

    assert result.stdout.startswith("<!doctype html>")
    assert "Around Währung" in result.stdout


@pytest.mark.skipif(os.name == "nt", reason="no such terminals there")
def test_page_is_not_written_to_a_terminal(run_ragduck: Any, shop_store: Path) -> None:
    controller, terminal = os.openpty()

    result = run_ragduck(
        "graph", shop_store, "dbo.Order Details", "--format", "html",
        capture_output=False, stdout=terminal, stderr=-1,
    )  # fmt: skip

    os.close(terminal)
    os.close(controller)
    assert result.returncode == 2
    assert result.stderr.splitlines() == [
        "error: html is for a browser, not for a terminal",
        f"hint: ragduck graph {shop_store} 'dbo.Order Details' -o graph.html",
    ]


def test_branches_are_told_apart_in_text_and_merged_in_a_page(
    invoke: Any, two_branches: Path, tmp_path: Path
) -> None:
    file = tmp_path / "account.html"

    text = invoke("graph", two_branches, "dbo.Account", "--depth", "1", "-r", "FK", "--direction", "in")
    invoke("graph", two_branches, "dbo.Account", "-o", file)
    one = invoke("graph", two_branches, "dbo.Account", "--branch", "next", "--depth", "0")

    assert lines_of(text) == [
        "dbo.Account (bank, main) TABLE tables.sql:1",
        "dbo.Account (bank, next) TABLE tables.sql:1",
    ]
    keys = [node["node_key"] for node in page_data(file.read_text(encoding="utf-8"))["nodes"]]
    assert keys.count("dbo.Account|TABLE") == 1
    assert lines_of(one) == ["dbo.Account TABLE tables.sql:1"]


@pytest.mark.parametrize(("ending", "form"), sorted(ENDINGS.items()))
def test_ending_of_the_file_names_the_format(
    invoke: Any, shop_store: Path, tmp_path: Path, ending: str, form: str
) -> None:
    named = tmp_path / f"by_name{ending}"
    told = tmp_path / "told.txt"

    invoke("graph", shop_store, "dbo.TaxRate", "-o", named)
    invoke("graph", shop_store, "dbo.TaxRate", "--format", form, "-o", told)

    assert named.read_bytes() == told.read_bytes()


def test_ending_that_means_no_format_does_when_the_format_is_told(
    invoke: Any, shop_store: Path, tmp_path: Path
) -> None:
    file = tmp_path / "tree.md"

    refusal = invoke("graph", shop_store, "dbo.TaxRate", "-o", file)
    written = invoke("graph", shop_store, "dbo.TaxRate", "--format", "mermaid", "-o", file)

    assert ".mmd .mermaid" in refused(refusal)[1]
    assert written.exit_code == 0
    assert file.is_file()


def test_text_in_a_file_is_the_text_on_stdout(invoke: Any, shop_store: Path, tmp_path: Path) -> None:
    file = tmp_path / "tree.txt"

    result = invoke("graph", shop_store, "dbo.TaxRate")
    invoke("graph", shop_store, "dbo.TaxRate", "-o", file)

    assert file.read_text(encoding="utf-8") == result.stdout


@pytest.mark.parametrize("form", FORMATS)
def test_file_never_replaces_a_store(invoke: Any, shop_store: Path, tmp_path: Path, form: str) -> None:
    store = tmp_path / "copy.duckdb"
    shutil.copy(shop_store, store)
    before = store.read_bytes()

    result = invoke("graph", shop_store, "dbo.Invoice", "--format", form, "-o", store)

    assert refused(result)[0] == f"{store} is a database: -o would replace it"
    assert store.read_bytes() == before


def test_similar_name_is_suggested_with_the_command_to_type(invoke: Any, shop_store: Path) -> None:
    result = invoke("graph", shop_store, "dbo.Invoise")

    message, hint = refused(result)
    assert message == "no node is called 'dbo.Invoise'"
    assert hint.startswith("did you mean dbo.Invoice|TABLE or ")
    assert hint.endswith(f"? ragduck graph {shop_store} 'dbo.Invoice|TABLE'")


@pytest.mark.parametrize("options", [(), ("--impact",)])
def test_that_columns_are_no_nodes_is_said(invoke: Any, shop_store: Path, options: tuple[str, ...]) -> None:
    result = invoke("graph", shop_store, "dbo.Invoice.StatusCode2", *options)

    message, hint = refused(result)
    assert message == "no node is called 'dbo.Invoice.StatusCode2'"
    again = " ".join(["ragduck", "graph", str(shop_store), "'dbo.Invoice|TABLE'", *options])
    assert hint.startswith(f"columns are no nodes; their table: {again}")


def test_beside_the_table_of_a_column_similar_members_are_suggested(invoke: Any, shop_store: Path) -> None:
    _, hint = refused(invoke("graph", shop_store, "Invoice.Lineee"))

    table, _, members = hint.partition("; or did you mean ")
    assert table.startswith("columns are no nodes; their table: ragduck graph ")
    assert "Invoice.Lines|PROPERTY" in members


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (["dbo.Invoice", "--to", "dbo.Ordr"], "dbo.Invoice --to 'dbo.Order|TABLE'"),
        (["dbo.Invoise", "--to", "dbo.Order"], "'dbo.Invoice|TABLE' --to dbo.Order"),
        (["dbo.Invoise", "--impact"], "'dbo.Invoice|TABLE' --impact"),
    ],
)
def test_suggested_command_asks_the_same_question(
    invoke: Any, shop_store: Path, arguments: list[str], command: str
) -> None:
    result = invoke("graph", shop_store, *arguments)

    assert refused(result)[1].endswith(f"? ragduck graph {shop_store} {command}")


def test_node_without_ties_is_said_to_have_none(invoke: Any, shop_store: Path) -> None:
    result = invoke("graph", shop_store, "dbo.InvoiceNumberSeq", "--callees")

    assert len(lines_of(result)) == 1
    assert result.stderr == "1 node, 0 edges; nothing is tied to it this way\n"


def test_a_table_has_no_callers_but_what_reads_and_writes_it(invoke: Any, shop_store: Path) -> None:
    told = invoke("graph", shop_store, "dbo.Invoice", "--callers").stderr
    impact = invoke("graph", shop_store, "dbo.Invoice", "--impact")

    assert told.endswith("; nothing is tied to it this way: what reads and writes it tells --impact\n")
    assert "WritesTo" in impact.stdout


def test_name_like_no_other_is_to_be_searched(invoke: Any, shop_store: Path) -> None:
    result = invoke("graph", shop_store, "qqqqqqqq")

    assert refused(result) == (
        "no node is called 'qqqqqqqq'",
        f"look for it: ragduck search {shop_store} qqqqqqqq",
    )


def test_ambiguous_name_lists_what_it_may_mean(invoke: Any, shop_store: Path) -> None:
    result = invoke("graph", shop_store, "CancelAsync")

    message, hint = refused(result)
    assert "csharp:Shop.Data.Repositories.InvoiceRepository.CancelAsync|METHOD" in message
    assert "CancelAsync|METHOD" in hint


@pytest.mark.parametrize(
    ("arguments", "saying"),
    [
        (["dbo.Invoice", "--repo", "elsewhere"], "no node is called 'dbo.Invoice' in elsewhere"),
        (["dbo.Invoice", "--callers", "--impact"], "--callers and --impact are different questions"),
        (["dbo.Invoice", "--callees", "--to", "dbo.Order"], "--callees and --to are different questions"),
        (["dbo.Invoice", "dbo.Order", "--to", "dbo.Payment"], "a path has one start, not 2"),
        (["dbo.Invoice", "--callers", "-r", "FK"], "--callers follows calls alone"),
        (["dbo.Invoice", "--impact", "--direction", "out"], "--impact has a direction of its own"),
        (["dbo.Invoice", "--depth", "-1"], "depth is -1"),
        (["dbo.Invoice", "--max-nodes", "0"], "max_nodes is 0"),
        (["dbo.Invoice", "-r", "Befriends"], "no relation is called Befriends"),
        (["dbo.Invoice", "--format", "svg"], "'svg' is not one of"),
        (["dbo.Invoice", "-o", "no/such/folder/x.html"], "there is no folder"),
        (["dbo.Invoice", "-o", "x.pdf"], "no format has the ending .pdf"),
        ([], "Missing argument 'KEY...'"),
    ],
)
def test_bad_question_ends_with_an_error_and_a_hint(
    invoke: Any, shop_store: Path, arguments: list[str], saying: str
) -> None:
    result = invoke("graph", shop_store, *arguments)

    assert saying in refused(result)[0]


def test_help_tells_the_depth_of_the_library(invoke: Any) -> None:
    depths = {
        name: inspect.signature(getattr(Store, name)).parameters[setting].default
        for name, setting in (("neighbourhood", "depth"), ("callers", "depth"))
    }

    assert depths == {"neighbourhood": 2, "callers": 3}
    told = " ".join(invoke("graph", "--help").stdout.split())
    assert "Most steps; 2, with --callers" in told
    assert f"with --to {PATH_DEPTH}, either way {EITHER_WAY_DEPTH};" in told


def test_names_cannot_take_over_a_terminal(hostile_tree: list[Branch]) -> None:
    lines = list(branch_lines(hostile_tree, evidence=True, width=None))

    assert len(lines) == 1
    assert re.sub("\x1b\\[[0-9]*m", "", lines[0]) == "dbo.␛[31mred␇␊fake line  TABLE  a␛]0;b.sql:3"


@pytest.mark.parametrize("width", [10, 40, 60, 100, 160])
def test_lines_fit_a_terminal(shop_store: Path, width: int) -> None:
    with ragduck.open(shop_store) as store:
        found = store.neighbourhood("dbo.Invoice").to_dict()
    branches = list(tree_of(found["nodes"], found["edges"], starts=found["starts"]))

    lines = [
        re.sub("\x1b\\[[0-9]*m", "", line) for line in branch_lines(branches, evidence=True, width=width)
    ]

    assert max(map(len, lines)) <= width
    assert len(lines) > 120


def test_narrow_terminal_keeps_the_end_of_a_place(shop_store: Path) -> None:
    with ragduck.open(shop_store) as store:
        found = store.neighbourhood("dbo.TaxRate", depth=0).to_dict()
    branches = list(tree_of(found["nodes"], found["edges"], starts=found["starts"]))

    lines = [re.sub("\x1b\\[[0-9]*m", "", line) for line in branch_lines(branches, evidence=False, width=44)]

    assert lines == ["dbo.TaxRate  TABLE  …Tables/TaxRate.sql:1-11"]


@pytest.mark.parametrize(
    "key",
    [
        "InvoiceService.CancelAsync",
        "[dbo].[Invoice]",
        "dbo.FK_Invoice_Customer",
        "Shop.Data.ShopDbContext.Invoices",
    ],
)
def test_show_takes_names_as_people_write_them(invoke: Any, shop_store: Path, key: str) -> None:
    result = invoke("show", shop_store, key)

    assert result.exit_code == 0, result.stderr
    assert key.rpartition(".")[2].strip("[]") in result.stdout


def test_show_tells_who_refers_to_what_the_store_does_not_define(invoke: Any, shop_store: Path) -> None:
    result = invoke("show", shop_store, "msdb.dbo.sp_send_dbmail")

    message, hint = refused(result)
    assert "the store does not define it" in message
    assert "ragduck graph" in hint
