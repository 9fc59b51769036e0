"""Views and code lead to the actions that they link, post or redirect to."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.views import view_graph
from ragduck.graph.types.catalog import Catalog
from tests.graph.conftest import bare

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Edges = set[tuple[str, str, str]]
LinksOf = Callable[[Mapping[str, str]], Edges]

RULES = frozenset(("link", "redirect", "route"))
ORDERS = "Web/Controllers/OrderController.cs"
CARTS = """
    namespace Web.Controllers;
    public class CartController : Controller
    {
        public ActionResult Show() => null;
        [ActionName("Empty")] public ActionResult Clear() => null;
        public Task<ActionResult> SumAsync() => null;
    }
"""


@pytest.fixture(scope="session")
def links_of(facts_of: FactsOf) -> LinksOf:
    """What links, redirects and names of routes lead to, as (from, rule, to) without languages and kinds."""

    def links(files: Mapping[str, str]) -> Edges:
        edges = view_graph(Catalog(facts_of({"Web/Controllers/CartController.cs": CARTS, **files}))).edges
        for edge in edges:
            if edge.rule in RULES:  # code sends the browser there, a view's link is its own
                assert edge.relation == ("Handles" if edge.source_file.endswith(".cshtml") else "LeadsTo")
        return {(bare(edge.from_key), edge.rule, bare(edge.to_key)) for edge in edges if edge.rule in RULES}

    return links


def order_controller(statement: str) -> Mapping[str, str]:
    """A controller with an action that does something, and one that it may lead to."""
    text = f"""
        namespace Web.Controllers;
        public class OrderController : Controller
        {{
            public ActionResult Save(int id) {{ {statement} }}
            public ActionResult List() => null;
        }}
    """
    return {ORDERS: text}


SAVE = "Web.Controllers.OrderController.Save"
LIST = "Web.Controllers.OrderController.List"
SHOW = "Web.Controllers.CartController.Show"


@pytest.mark.parametrize(
    ("statement", "rule", "action"),
    [
        ('return RedirectToAction("List");', "redirect", LIST),
        ("return RedirectToAction(nameof(List), new { id });", "redirect", LIST),
        ('return this.RedirectToActionPermanent("Show", "Cart");', "redirect", SHOW),
        ('return RedirectToAction("Show", new { controller = "Cart", id });', "redirect", SHOW),
        ('return RedirectToAction(controllerName: "Cart", actionName: "Show");', "redirect", SHOW),
        ('return RedirectToAction("Clear", "Cart");', "", ""),
        ('return RedirectToAction("Empty", "Cart");', "redirect", "Web.Controllers.CartController.Clear"),
        ('return RedirectToAction("Sum", "Cart");', "redirect", "Web.Controllers.CartController.SumAsync"),
        (
            'return RedirectToAction("SumAsync", "Cart");',
            "redirect",
            "Web.Controllers.CartController.SumAsync",
        ),
        ('return CreatedAtAction("List", new { id }, id);', "link", LIST),
        ('return Redirect(Url.Action("Show", "Cart"));', "link", SHOW),
        ('return Redirect(Url.ActionLink("Show", "Cart"));', "link", SHOW),
        ('return Redirect(new UrlHelper(null).Action("Show", "Cart"));', "link", SHOW),
        ('return RedirectToRoute(new { controller = "Cart", action = "Show" });', "route", SHOW),
        ('return RedirectToAction("Gone");', "", ""),
        ('return RedirectToAction("List", "Gone");', "", ""),
        ("return RedirectToAction(Next());", "", ""),
        ('return Redirect(other.Action("Show", "Cart"));', "", ""),
        ('return other.RedirectToAction("List");', "", ""),
    ],
)
def test_an_action_leads_to_another(statement: str, rule: str, action: str, links_of: LinksOf) -> None:
    assert links_of(order_controller(statement)) == ({(SAVE, rule, action)} if rule else set())


def test_an_action_may_be_inherited(links_of: LinksOf) -> None:
    base = """
        namespace Web.Controllers;
        public abstract class BaseController : Controller { public ActionResult Denied() => null; }
        public class NewsController : BaseController
        {
            public ActionResult Show() => RedirectToAction("Denied");
        }
    """

    links = links_of({"Web/Controllers/NewsController.cs": base})

    show = "Web.Controllers.NewsController.Show"
    assert links == {(show, "redirect", "Web.Controllers.BaseController.Denied")}


def test_the_method_of_an_action_comes_before_others_that_take_its_name(links_of: LinksOf) -> None:
    controller = """
        namespace Web.Controllers;
        public class NewsController : Controller
        {
            [HttpPost, ActionName("Edit")] public ActionResult Cancel() => null;
            public ActionResult Edit() => null;
            public ActionResult List() => RedirectToAction("Edit");
        }
    """

    links = links_of({"Web/Controllers/NewsController.cs": controller})

    news = "Web.Controllers.NewsController"
    assert links == {(f"{news}.List", "redirect", f"{news}.Edit")}


def test_a_name_may_be_a_constant(links_of: LinksOf) -> None:
    names = {
        "Web/Names.cs": 'namespace Web.Controllers; static class Names { public const string Cart = "Cart"; }'
    }

    links = links_of({**order_controller('return RedirectToAction("Show", Names.Cart);'), **names})

    assert links == {(SAVE, "redirect", SHOW)}


def test_tests_lead_nowhere(links_of: LinksOf) -> None:
    text = 'public class T { [Fact] public void A() { url.Action("Show", "Cart").Returns("/"); } }'

    assert links_of({"Web.Tests/CartTests.cs": text}) == set()


@pytest.mark.parametrize(
    ("markup", "rule"),
    [
        ('@Html.ActionLink("text", "Show", "Cart", new { id = 1 })', "link"),
        ('@Url.Action(nameof(CartController.Show), "Cart")', "link"),
        ('@using (Html.BeginForm("Show", "Cart")) { }', "link"),
        ('@Html.Action("Show", "Cart")', "link"),
        ('<a asp-controller="Cart" asp-action="Show">', "link"),
        ('@Other.Action("Show", "Cart")', ""),
    ],
)
def test_a_view_leads_to_actions(markup: str, rule: str, links_of: LinksOf) -> None:
    path = "Web/Views/Shared/Menu.cshtml"

    assert links_of({path: markup}) == ({(path, rule, SHOW)} if rule else set())


def test_a_view_means_the_controller_in_whose_folder_it_lies(links_of: LinksOf) -> None:
    path = "Web/Views/Cart/Row.cshtml"

    assert links_of({path: '@Url.Action("Show", new { id = 1 })'}) == {(path, "link", SHOW)}


@pytest.mark.parametrize(
    ("path", "action"),
    [
        ("Web/Views/Cart/Partials/Row.cshtml", SHOW),
        ("Web/Views/Cart/EditorTemplates/Row.cshtml", SHOW),
        ("Web/Views/Other/Cart/Row.cshtml", ""),
        ("Web/Views/Shared/Cart/Row.cshtml", ""),
    ],
)
def test_folders_below_that_of_a_controller_are_its_own(path: str, action: str, links_of: LinksOf) -> None:
    assert links_of({path: '@Url.Action("Show")'}) == ({(path, "link", action)} if action else set())


def test_markup_that_code_hands_on_leads_to_actions(links_of: LinksOf) -> None:
    path = "Web/Views/Shared/Menu.cshtml"
    box = '@{ Html.Box().Content(@<text>\n<a href="@Url.Action("Show", "Cart")">x</a></text>).Render(); }'

    assert links_of({path: box}) == {(path, "link", SHOW)}


AREA = """
    namespace Web.Manage;
    public class ManageAreaRegistration : AreaRegistration
    {
        public override string AreaName { get { return "Admin"; } }
    }
"""
MANAGED = """
    namespace Web.Manage.Controllers;
    public class CartController : Controller
    {
        public ActionResult Show() => null;
        public ActionResult Own() => RedirectToAction("Show", "Cart");
        public ActionResult Leave() => RedirectToAction("Show", "Cart", new { area = "" });
    }
"""
MANAGED_SHOW = "Web.Manage.Controllers.CartController.Show"
AREAS = {"Web/Manage/Area.cs": AREA, "Web/Manage/Controllers/CartController.cs": MANAGED}


def test_who_is_in_an_area_stays_there_unless_told(links_of: LinksOf) -> None:
    controller = "Web.Manage.Controllers.CartController"

    assert links_of(AREAS) == {
        (f"{controller}.Own", "redirect", MANAGED_SHOW),
        (f"{controller}.Leave", "redirect", SHOW),
    }


@pytest.mark.parametrize(
    ("path", "markup", "action"),
    [
        ("Web/Manage/Views/Shared/M.cshtml", '@Url.Action("Show", "Cart")', MANAGED_SHOW),
        ("Web/Manage/Views/Shared/M.cshtml", '@Url.Action("Show", "Cart", new { area = "" })', SHOW),
        ("Web/Views/Shared/M.cshtml", '@Url.Action("Show", "Cart")', SHOW),
        ("Web/Views/Shared/M.cshtml", '@Url.Action("Show", "Cart", new { area = "Admin" })', MANAGED_SHOW),
        ("Web/Views/Shared/M.cshtml", '@Url.Action("Show", "Cart", new { area = "Gone" })', ""),
        (
            "Web/Views/Shared/M.cshtml",
            '<a asp-area="admin" asp-controller="Cart" asp-action="Show">',
            MANAGED_SHOW,
        ),
        ("Web/Manage/Views/Shared/M.cshtml", '<a asp-area="" asp-controller="Cart" asp-action="Show">', SHOW),
    ],
)
def test_links_name_areas(path: str, markup: str, action: str, links_of: LinksOf) -> None:
    links = links_of({**AREAS, path: markup})

    assert {to for source, _, to in links if source == path} == ({action} if action else set())


def test_route_values_that_are_not_known_may_name_another_area(links_of: LinksOf) -> None:
    path = "Plugin/Views/Edit.cshtml"
    markup = '@Url.Action("Show", "Cart", new RouteValueDictionary { { "area", "Admin" } })'

    links = links_of({**AREAS, path: markup})

    assert not {link for link in links if link[0] == path}
    assert links_of({path: markup}) == {(path, "link", SHOW)}


ROUTED = """
    namespace Web.Manage;
    public class Start
    {{
        const string Name = "Admin";
        public void Register(RouteCollection routes)
        {{
            {}
        }}
    }}
"""
MAPPED = 'routes.MapRoute("Admin", "admin/{controller}/{action}", new { id = 0 }, new[] { "Web.Manage.Controllers" })'


@pytest.mark.parametrize(
    ("statement", "is_area"),
    [
        (MAPPED.replace("id = 0", 'area = "Admin"') + ";", True),
        (f'{MAPPED}.DataTokens["area"] = "Admin";', True),
        (f'var route = {MAPPED};\nroute.DataTokens["area"] = Name;', True),
        (f'{MAPPED}.DataTokens["other"] = "Admin";', False),
        (f'{MAPPED}.Other["area"] = "Admin";', False),
        (f'{MAPPED}.DataTokens["area"] = "Admin"; {MAPPED}.DataTokens["area"] = "Desk";', False),
        (f"{MAPPED};", False),
    ],
)
def test_routes_give_areas_to_namespaces(statement: str, is_area: bool, links_of: LinksOf) -> None:
    path, own = "Web/Views/Shared/M.cshtml", "Web/Manage/Views/Shared/M.cshtml"
    markup = '@Url.Action("Show", "Cart", new { area = "admin" })'
    files = {
        "Web/Manage/Start.cs": ROUTED.format(statement),
        **AREAS,
        path: markup,
        own: '@Url.Action("Show", "Cart")',
    }
    del files["Web/Manage/Area.cs"]

    links = links_of(files)

    assert {to for source, _, to in links if source == path} == ({MANAGED_SHOW} if is_area else set())
    assert {to for source, _, to in links if source == own} == {MANAGED_SHOW}


def test_the_name_of_an_action_may_be_a_constant(links_of: LinksOf) -> None:
    controller = """
        namespace Web.Controllers;
        static class Names { public const string Gone = "Gone"; }
        public class NewsController : Controller
        {
            [ActionName(Names.Gone)] public ActionResult Delete() => null;
            [ActionName(nameof(Names))] public ActionResult Name() => null;
            public ActionResult List() => RedirectToAction("Gone");
            public ActionResult All() => RedirectToAction("Names");
        }
    """

    links = links_of({"Web/Controllers/NewsController.cs": controller})

    news = "Web.Controllers.NewsController"
    assert links == {
        (f"{news}.List", "redirect", f"{news}.Delete"),
        (f"{news}.All", "redirect", f"{news}.Name"),
    }
