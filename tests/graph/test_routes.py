"""Named routes lead to actions: from whoever registers them, and from whoever names them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.views import view_graph
from ragduck.graph.types.catalog import Catalog
from tests.graph.conftest import bare

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Edges = set[tuple[str, str, str, float]]
RoutesOf = Callable[[Mapping[str, str]], Edges]

CARTS = """
    namespace Web.Controllers;
    public class CartController : Controller
    {
        public ActionResult Show() => null;
        [HttpGet("sum", Name = "Sum")] public ActionResult Sum() => null;
        [OwnRoute("all", Name = "All")] public ActionResult All() => null;
    }
"""
HOME = """
    namespace Web.Controllers;
    public class HomeController : Controller { public ActionResult Index() => null; }
"""
SHOW = "Web.Controllers.CartController.Show"
SUM = "Web.Controllers.CartController.Sum"
INDEX = "Web.Controllers.HomeController.Index"
REGISTER = "Web.Start.Register"
VIEW = "Web/Views/Shared/Menu.cshtml"
CART = 'routes.MapRoute("Cart", "cart/{id}", new { controller = "Cart", action = "Show", id = 0 });'


@pytest.fixture(scope="session")
def routes_of(facts_of: FactsOf) -> RoutesOf:
    """What routes lead to, as (from, rule, to, confidence) without languages and kinds."""

    def routes(files: Mapping[str, str]) -> Edges:
        controllers = {"Web/CartController.cs": CARTS, "Web/HomeController.cs": HOME}
        edges = view_graph(Catalog(facts_of({**controllers, **files}))).edges
        return {
            (bare(edge.from_key), edge.rule, bare(edge.to_key), edge.confidence)
            for edge in edges
            if edge.rule in ("route", "maps route")
        }

    return routes


def start(statement: str, *, path: str = "Web/Start.cs", namespace: str = "Web") -> Mapping[str, str]:
    """A class that registers routes."""
    own = "public static void MapOwnRoute(this RouteCollection r, string name, string url, object d) {}"
    return {
        path: f"""
            namespace {namespace};
            public static class Start
            {{
                public static void Register(RouteCollection routes) {{ {statement} }}
                {own}
            }}
        """
    }


@pytest.mark.parametrize(
    ("statement", "action"),
    [
        (CART, SHOW),
        ('routes.MapOwnRoute("Cart", "cart", new { controller = "Cart", action = "Show" });', SHOW),
        ('routes.MapControllerRoute("Cart", "cart", new { controller = "Cart", action = "Show" });', SHOW),
        (
            """routes.MapControllerRoute(
                name: "Cart", pattern: "cart", defaults: new { controller = "Cart", action = nameof(X.Show) });""",
            SHOW,
        ),
        (
            'routes.MapRoute("Default", "{controller}/{action}", new { controller = "Home", action = "Index" });',
            INDEX,
        ),
        ('routes.MapControllerRoute("default", "{controller=Home}/{action=Index}/{id?}");', INDEX),
        (
            'routes.MapRoute("Cart", "cart/{action}", new { controller = "Cart" });',
            "Web.Controllers.CartController",
        ),
        ('routes.MapRoute("Cart", "cart", new { controller = "Cart", action = "Gone" });', ""),
        ('routes.MapRoute("Cart", "cart/{id}");', ""),
        ('routes.MapRoute("", "cart.aspx", new { controller = "Cart", action = "Show" });', SHOW),
    ],
)
def test_who_registers_a_route_leads_to_its_action(statement: str, action: str, routes_of: RoutesOf) -> None:
    expected = {(REGISTER, "maps route", action, 0.95)} if action else set()

    assert routes_of(start(statement)) == expected


@pytest.mark.parametrize(
    "markup",
    [
        '@Url.RouteUrl("Cart", new { id = 1 })',
        '@Html.RouteLink("text", "cart")',
        '@using (Html.BeginRouteForm("Cart")) { }',
        '<a asp-route="Cart">',
    ],
)
def test_a_view_names_a_route(markup: str, routes_of: RoutesOf) -> None:
    edges = routes_of({**start(CART), VIEW: markup})

    assert (VIEW, "route", SHOW, 0.95) in edges


@pytest.mark.parametrize(
    ("statement", "action"),
    [
        ('return RedirectToRoute("Cart");', SHOW),
        ('return RedirectToRoutePermanent("Cart", new { id });', SHOW),
        ('return CreatedAtRoute("Sum", new { id }, id);', SUM),
        ('return Redirect(Url.RouteUrl(routeName: "Sum", values: null));', SUM),
        ('return Redirect(Url.Link("Sum", new { id }));', SUM),
        ('return RedirectToRoute("All");', "Web.Controllers.CartController.All"),
        ('return RedirectToRoute("Gone");', ""),
    ],
)
def test_code_names_a_route(statement: str, action: str, routes_of: RoutesOf) -> None:
    controller = f"""
        namespace Web.Controllers;
        public class OrderController : Controller {{ public ActionResult Save(int id) {{ {statement} }} }}
    """

    edges = routes_of({**start(CART), "Web/OrderController.cs": controller})

    named = {(source, to) for source, rule, to, _ in edges if rule == "route"}
    assert named == ({("Web.Controllers.OrderController.Save", action)} if action else set())


@pytest.mark.parametrize(
    ("markup", "action"),
    [
        ('@Url.RouteUrl("Default")', ""),
        ('@Url.RouteUrl("Default", new { controller = "Cart", action = "Show" })', SHOW),
    ],
)
def test_a_route_to_any_action_leads_where_it_is_told(markup: str, action: str, routes_of: RoutesOf) -> None:
    default = (
        'routes.MapRoute("Default", "{controller}/{action}", new { controller = "Home", action = "Index" });'
    )

    edges = routes_of({**start(default), VIEW: markup})

    assert {to for _, rule, to, _ in edges if rule == "route"} == ({action} if action else set())


OTHER = """
    namespace Other.Controllers;
    public class CartController : Controller { public ActionResult Show() => null; }
"""


def test_namespaces_tell_controllers_of_one_name_apart(routes_of: RoutesOf) -> None:
    route = """routes.MapRoute("Cart", "cart", new { controller = "Cart", action = "Show" },
        new[] { "Other.Controllers" });"""

    edges = routes_of({**start(route), "Web/Other/CartController.cs": OTHER})

    assert edges == {(REGISTER, "maps route", "Other.Controllers.CartController.Show", 0.95)}


def test_a_pattern_starts_with_a_controller_of_the_own_project(routes_of: RoutesOf) -> None:
    pattern = 'routes.MapControllerRoute("default", "{controller=Home}/{action=Index}");'

    assert routes_of(start(pattern, path="Api/Start.cs")) == set()


def test_a_name_that_two_other_projects_give_to_different_actions_is_none(routes_of: RoutesOf) -> None:
    files = {
        **start(CART),
        **start(CART, path="Other/Start.cs", namespace="Other"),
        "Other/CartController.cs": OTHER,
        "Third/Views/Shared/Menu.cshtml": '@Url.RouteUrl("Cart")',
        VIEW: '@Url.RouteUrl("Cart")',
    }

    edges = routes_of(files)

    assert {edge[:3] for edge in edges if edge[1] == "route"} == {(VIEW, "route", SHOW)}
