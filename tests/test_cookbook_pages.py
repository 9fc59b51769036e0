"""The pages that lead to a table: markup by what stands behind it, Windows forms by their members."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck import cookbook

Pages = Callable[..., dict[str, tuple[int, bool]]]

TABLE = {"dbo.sql": "create table dbo.Orders (Id int not null primary key, Total int);\n"}
STORE = {
    "OrderStore.cs": """using Dapper;
using System.Data;
namespace Shop
{
    public class OrderStore
    {
        private readonly IDbConnection db;
        public void Save(int id) { db.Execute("insert into dbo.Orders (Id) values (@id)", new { id }); }
        public int Count() { return db.ExecuteScalar<int>("select count(*) from dbo.Orders"); }
        public int Idle() { return 1; }
    }
}
"""
}
CONTROLLER = {
    "Controllers/OrderController.cs": """using Microsoft.AspNetCore.Mvc;
namespace Shop.Controllers
{
    public class OrderController : Controller
    {
        private readonly OrderStore store = new OrderStore();
        public IActionResult Edit() { store.Save(1); return View(); }
        public IActionResult Index() { store.Count(); return View(); }
        public IActionResult About() { store.Idle(); return View(); }
    }
}
"""
}
API = {
    "OrdersApi.cs": """using Microsoft.AspNetCore.Mvc;
namespace Shop
{
    [ApiController, Route("api/orders")]
    public class OrdersApi : ControllerBase
    {
        private readonly OrderStore store = new OrderStore();
        [HttpPost("save")]
        public void Save(int id) { store.Save(id); }
    }
}
""",
}
FORM = """using System;
using System.Windows.Forms;
namespace Shop
{{
    public partial class {name} : Form
    {{
        private readonly OrderStore store = new OrderStore();
        private void save_Click(object sender, EventArgs e) {{ store.{does}(1); }}
        private void InitializeComponent()
        {{
            this.SuspendLayout();
            {makes}
            this.save.Click += new EventHandler(this.save_Click);
            this.ResumeLayout(false);
        }}
        private Button save;
        {holds}
    }}
}}
"""


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    """Return the pages of a system of files that lead to dbo.Orders: distance, and whether they write."""

    def of_files(*systems: Mapping[str, str], **files: str) -> dict[str, tuple[int, bool]]:
        for path, text in {
            key: text for system in (TABLE, *systems, files) for key, text in system.items()
        }.items():
            (tmp_path / "src" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "src" / path).write_text(text)
        ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", embed_model="none")
        query = cookbook.query("pages_that_reach_a_table")
        with ragduck.open(tmp_path / "s.duckdb") as opened:
            rows: list[dict[str, Any]] = opened.table(query, variables={"object": "dbo.Orders"}).to_dicts()
        return {row["node_key"]: (row["distance"], row["writes"]) for row in rows}

    return of_files


def test_views_of_actions_and_the_pages_that_hold_them(pages: Pages) -> None:
    views = {
        "Views/Order/Edit.cshtml": "<h1>Edit</h1>\n",
        "Views/Order/Index.cshtml": '@{ Layout = "_Layout"; }\n<h1>Orders</h1>\n',
        "Views/Order/About.cshtml": '@{ Layout = "_Layout"; }\n<partial name="_Count" />\n',
        "Views/Shared/_Count.cshtml": '<form asp-controller="Order" asp-action="Index"></form>\n',
        "Views/Shared/_Layout.cshtml": '<form asp-controller="Order" asp-action="Edit"></form>\n',
        "Views/Order/List.cshtml": '<a asp-controller="Order" asp-action="Edit">A link to another page</a>\n',
    }

    assert pages(STORE, CONTROLLER, views) == {
        "file:Views/Order/Edit.cshtml|FILE": (3, True),
        "file:Views/Order/Index.cshtml|FILE": (3, False),
        "file:Views/Shared/_Layout.cshtml|FILE": (3, True),
        "file:Views/Shared/_Count.cshtml|FILE": (3, False),
        "file:Views/Order/About.cshtml|FILE": (4, False),
    }


def test_writing_may_be_further_away_than_reading(tmp_path: Path) -> None:
    page = (
        "namespace Shop\n{\n    public partial class Orders : System.Web.UI.Page\n    {\n"
        "        protected void Page_Load(object sender, System.EventArgs e)\n"
        "        {\n            new OrderStore().Count();\n            new Keeper().Keep();\n        }\n"
        "    }\n    public class Keeper { public void Keep() { new OrderStore().Save(1); } }\n}\n"
    )
    markup = '<%@ Page Language="C#" AutoEventWireup="true" CodeBehind="Orders.aspx.cs" Inherits="Shop.Orders" %>\n'
    for path, text in {**TABLE, **STORE, "Orders.aspx": markup, "Orders.aspx.cs": page}.items():
        (tmp_path / "src").mkdir(exist_ok=True)
        (tmp_path / "src" / path).write_text(text)
    ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", embed_model="none")

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        query = cookbook.query("pages_that_reach_a_table")
        row = opened.table(query, variables={"object": "dbo.Orders"}).to_dicts()[0]

    assert (row["distance"], row["writes"], row["write_distance"]) == (3, True, 4)


def test_razor_pages_by_their_handlers_and_not_by_links_to_other_pages(pages: Pages) -> None:
    razor_pages = {
        "Pages/Edit.cshtml": "@page\n@model Shop.Pages.EditModel\n<form method='post'></form>\n",
        "Pages/Edit.cshtml.cs": (
            "using Microsoft.AspNetCore.Mvc.RazorPages;\nnamespace Shop.Pages\n{\n"
            "    public class EditModel : PageModel\n    {\n"
            "        public void OnPost() { new OrderStore().Save(1); }\n    }\n}\n"
        ),
        "Pages/Index.cshtml": '@page\n<a asp-page="/Edit">Edit</a>\n',
    }

    assert pages(STORE, razor_pages) == {"file:Pages/Edit.cshtml|FILE": (3, True)}


def test_web_forms_by_their_code_behind(pages: Pages) -> None:
    page = (
        '<%@ Page Language="C#" CodeBehind="Orders.aspx.cs" Inherits="Shop.Orders" %>\n'
        '<asp:Button ID="save" runat="server" OnClick="Save_Click" />\n'
    )
    behind = (
        "namespace Shop\n{\n    public partial class Orders : System.Web.UI.Page\n    {\n"
        "        protected void Save_Click(object sender, System.EventArgs e) { Store(); }\n"
        "        private void Store() { new OrderStore().Save(1); }\n    }\n}\n"
    )

    assert pages(STORE, {"Orders.aspx": page, "Orders.aspx.cs": behind}) == {
        "file:Orders.aspx|FILE": (3, True)
    }


def test_windows_forms_and_what_holds_them(pages: Pages) -> None:
    forms = {
        "OrderControl.cs": FORM.format(name="OrderControl", does="Save", makes="", holds=""),
        "MainForm.cs": FORM.format(
            name="MainForm",
            does="Idle",
            makes="this.orders = new OrderControl();",
            holds="private OrderControl orders;",
        ),
    }

    assert pages(STORE, forms) == {
        "csharp:Shop.OrderControl|TYPE": (3, True),
        "csharp:Shop.MainForm|TYPE": (4, True),
    }


def test_a_form_that_opens_another_one_does_not_do_what_that_does(pages: Pages) -> None:
    opens = "new OrderForm().ShowDialog(); var unused = new EventHandler(save_Click);"
    forms = {
        "OrderForm.cs": FORM.format(name="OrderForm", does="Save", makes="", holds="").replace(
            "partial class OrderForm : Form\n    {",
            "partial class OrderForm : Form\n    {\n        public OrderForm() { InitializeComponent(); }",
        ),
        "MainForm.cs": FORM.format(name="MainForm", does="Idle", makes="", holds="").replace(
            "store.Idle(1);", opens
        ),
    }

    assert pages(STORE, forms) == {"csharp:Shop.OrderForm|TYPE": (3, True)}


def test_pages_of_one_branch_do_what_it_does_there(tmp_path: Path) -> None:
    form = FORM.format(name="OrderForm", does="Save", makes="", holds="")
    files = {**TABLE, **STORE, "OrderForm.cs": form}
    for branch, changed in (("main", form), ("release", form.replace("store.Save(1)", "store.Idle()"))):
        for path, text in {**files, "OrderForm.cs": changed}.items():
            (tmp_path / branch).mkdir(exist_ok=True)
            (tmp_path / branch / path).write_text(text)
        ragduck.prepare(
            tmp_path / branch, tmp_path / "s.duckdb", repo="shop", branch=branch, embed_model="none"
        )
    query = cookbook.query("pages_that_reach_a_table")

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        found = {
            branch: opened.table(query, variables={"object": "dbo.Orders", "branch": branch}).to_dicts()
            for branch in ("main", "release")
        }

    assert [row["node_key"] for row in found["main"]] == ["csharp:Shop.OrderForm|TYPE"]
    assert found["release"] == []


def test_who_has_an_initializing_method_without_controls_is_no_form(pages: Pages) -> None:
    service = FORM.format(name="Service", does="Save", makes="", holds="").replace(
        "this.SuspendLayout();", ""
    )

    assert pages(STORE, {"Service.cs": service}) == {}


def test_components_of_scripts_by_the_requests_they_send(pages: Pages) -> None:
    component = {
        "web/order.vue": (
            "<template><button @click='save'>Save</button></template>\n<script>\nimport axios from 'axios'\n"
            "export default {\n  methods: {\n    save() { axios.post('/api/orders/save', {}) }\n  }\n}\n</script>\n"
        ),
    }

    assert pages(STORE, API, component) == {"file:web/order.vue|FILE": (3, True)}


@pytest.mark.parametrize(
    "path", ["tests/Shop.Tests/Order.aspx", "web/Order.test.tsx", "web/Order.stories.jsx"]
)
def test_pages_of_tests_are_none(pages: Pages, path: str) -> None:
    form = FORM.format(name="OrderForm", does="Save", makes="", holds="")
    script = "import axios from 'axios';\nexport function save() { axios.post('/api/orders/save', {}); }\n"

    assert pages(STORE, API, {"tests/Shop.Tests/OrderForm.cs": form, path: script}) == {}


def test_reports_by_their_data_sets(pages: Pages) -> None:
    query = "<Query><CommandText>select Id, Total from dbo.Orders</CommandText></Query>"
    head = '<?xml version="1.0" encoding="utf-8"?>\n'
    reports = {
        "Reports/Orders.rdl": f"{head}<Report><DataSets><DataSet>{query}</DataSet></DataSets></Report>\n",
        "Reports/Totals.rsd": f"{head}<SharedDataSet><DataSet>{query}</DataSet></SharedDataSet>\n",
        "Reports/Shared.rdl": (
            f"{head}<Report><DataSets><DataSet><SharedDataSet>"
            "<SharedDataSetReference>Totals</SharedDataSetReference></SharedDataSet></DataSet></DataSets></Report>\n"
        ),
    }

    assert pages(reports) == {
        "file:Reports/Orders.rdl|FILE": (1, False),
        "file:Reports/Shared.rdl|FILE": (2, False),
    }
