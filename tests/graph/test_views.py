"""Views are handled by the controllers, actions and models that conventions, directives and calls tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

import pytest

from ragduck.facts import FileFacts, Import, TypeFact, ViewFact
from ragduck.graph.code import shown_views
from ragduck.graph.code.actions import place_of
from ragduck.graph.code.graph import code_graph
from ragduck.graph.code.views import view_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Edges = set[tuple[str, str, str, float]]
EdgesOf = Callable[..., Edges]


def view(path: str, *views: ViewFact, imports: tuple[str, ...] = ()) -> FileFacts:
    """The facts of a Razor file that names what the given facts say."""
    name = path.rpartition(".")[0].replace("/", ".")
    element_type = "component" if path.endswith(".razor") else "view"
    declared = TypeFact(
        f"razor:{name}|TYPE", PurePosixPath(path).stem, name, name.rpartition(".")[0], element_type, 1, 9
    )
    opened = tuple(Import(one) for one in imports)
    return FileFacts(
        path, "razor", "source", path.split("/")[0], 9, imports=opened, types=(declared,), views=views
    )


@pytest.fixture(scope="session")
def edges_of(facts_of: FactsOf) -> EdgesOf:
    """What view_graph finds, as (from, relation and rule, to, confidence) without languages and kinds."""

    def edges(*views: FileFacts, **files: str) -> Edges:
        graph = view_graph(Catalog([*facts_of(files), *views]))
        return {
            (
                edge.from_key.partition(":")[2].rpartition("|")[0],
                f"{edge.relation} {edge.rule}",
                edge.to_key.partition(":")[2].rpartition("|")[0],
                edge.confidence,
            )
            for edge in graph.edges
        }

    return edges


ORDERS = """
    using Microsoft.AspNetCore.Mvc;
    namespace Web.Controllers;
    public class OrderController : Controller
    {
        public IActionResult Details(int id) => View();
        public IActionResult Index() => Redirect("/");
        public IActionResult Other() => View("Index");
    }
"""
DETAILS = "Web/Views/Order/Details.cshtml"


def test_a_view_is_handled_by_the_action_of_its_name(edges_of: EdgesOf) -> None:
    edges = edges_of(view(DETAILS), **{"Web/OrderController.cs": ORDERS})

    assert edges == {
        (DETAILS, "Handles view folder", "Web.Controllers.OrderController", 0.8),
        (DETAILS, "Handles view call", "Web.Controllers.OrderController.Details", 0.95),
    }


def test_a_view_that_an_action_names_is_handled_by_that_one(edges_of: EdgesOf) -> None:
    path = "Web/Views/Order/Index.cshtml"

    edges = edges_of(view(path), **{"Web/OrderController.cs": ORDERS})

    assert edges == {
        (path, "Handles view folder", "Web.Controllers.OrderController", 0.8),
        (path, "Handles view call", "Web.Controllers.OrderController.Other", 0.95),
    }


def test_without_a_call_the_name_of_the_view_decides(edges_of: EdgesOf) -> None:
    path = "Web/Views/Cart/Show.cshtml"
    controller = (
        "public class CartController : Controller { public Task<IActionResult> ShowAsync() => Help(); }"
    )

    edges = edges_of(view(path), **{"Web/CartController.cs": controller})

    assert edges == {
        (path, "Handles view folder", "CartController", 0.8),
        (path, "Handles view name", "CartController.ShowAsync", 0.8),
    }


def test_areas_have_controllers_of_their_own(edges_of: EdgesOf) -> None:
    path = "Web/Areas/Admin/Views/Order/Details.cshtml"
    admin = """
        namespace Web.Admin;
        [Area("Admin")] public class OrderController : Controller { public object Details() => View(); }
    """

    edges = edges_of(view(path), **{"Web/A.cs": ORDERS, "Web/B.cs": admin})

    assert {edge[2] for edge in edges} == {"Web.Admin.OrderController", "Web.Admin.OrderController.Details"}


def test_shared_views_belong_to_whoever_shows_them(edges_of: EdgesOf) -> None:
    path = "Web/Views/Shared/Missing.cshtml"
    controller = 'public class CartController : Controller { public object Show() => View("Missing"); }'

    edges = edges_of(view(path), **{"Web/CartController.cs": controller, "Web/A.cs": ORDERS})

    assert edges == {(path, "Handles view call", "CartController.Show", 0.95)}


def test_imports_and_layouts_belong_to_nobody(edges_of: EdgesOf) -> None:
    edges = edges_of(
        view("Web/Views/_ViewImports.cshtml"),
        view("Web/Views/Order/_ViewStart.cshtml"),
        **{"Web/A.cs": ORDERS},
    )

    assert edges == set()


def test_models_are_named(edges_of: EdgesOf) -> None:
    path = "Web/Views/Lists/All.cshtml"
    shown = view(path, ViewFact("IEnumerable<Order>", "model", 2), imports=("Core",))

    edges = edges_of(shown, **{"Core/Order.cs": "namespace Core; public class Order;"})

    assert edges == {(path, "Handles model", "Core.Order", 1.0)}


def test_a_view_that_is_called_like_its_model_is_not_that(edges_of: EdgesOf) -> None:
    number, order = "Web/Views/Shared/Editors/Int32.cshtml", "Web/Views/Shared/Editors/Order.cshtml"

    edges = edges_of(
        view(number, ViewFact("Int32", "model", 1)),
        view(order, ViewFact("Order", "model", 1), imports=("Core",)),
        **{"Core/Order.cs": "namespace Core; public class Order;"},
    )

    assert edges == {(order, "Handles model", "Core.Order", 1.0)}


def test_a_model_is_no_other_view(edges_of: EdgesOf) -> None:
    edges = edges_of(view("Web/A.cshtml", ViewFact("B", "model", 1), imports=("Web",)), view("Web/B.cshtml"))

    assert edges == set()


def test_members_of_a_model_are_known_where_the_view_is_called_like_it(facts_of: FactsOf) -> None:
    files = {
        "Web/Views/Editors/Order.cshtml": "@model Order\n@using Core\n<p>@Model.Total</p>\n",
        "Core/Order.cs": "namespace Core; public class Order { public int Total { get; set; } }",
    }

    edges = code_graph(Catalog(facts_of(files))).edges

    assert ("razor:Web.Views.Editors.Order|TYPE", "csharp:Core.Order.Total|PROPERTY") in {
        (edge.from_key, edge.to_key) for edge in edges
    }


def test_imports_of_the_folders_above_count(edges_of: EdgesOf) -> None:
    path = "Web/Views/Lists/All.cshtml"

    edges = edges_of(
        view(path, ViewFact("Order", "model", 1)),
        view("Web/Views/_ViewImports.cshtml", imports=("Core",)),
        view("Other/Views/_ViewImports.cshtml", imports=("Legacy",)),
        **{
            "Core/Order.cs": "namespace Core; public class Order;",
            "L/O.cs": "namespace Legacy; public class Order;",
        },
    )

    assert edges == {(path, "Handles model", "Core.Order", 1.0)}


PAGE = """
    namespace Web.Pages;
    public class DetailsModel : PageModel { public void OnGet() {} public void OnPostSave() {} void Help() {} }
"""


def test_a_page_is_handled_by_the_model_behind_it(edges_of: EdgesOf) -> None:
    path = "Web/Pages/Details.cshtml"

    edges = edges_of(view(path, ViewFact("", "page", 1)), **{f"{path}.cs": PAGE})

    assert edges == {
        (path, "Handles code-behind", "Web.Pages.DetailsModel", 1.0),
        (path, "Handles page handler", "Web.Pages.DetailsModel.OnGet", 1.0),
        (path, "Handles page handler", "Web.Pages.DetailsModel.OnPostSave", 1.0),
    }


def test_a_page_may_name_its_model(edges_of: EdgesOf) -> None:
    path = "Web/Pages/Details.cshtml"

    edges = edges_of(view(path, ViewFact("Web.Pages.DetailsModel", "model", 2)), **{"Web/M.cs": PAGE})

    assert (path, "Handles model", "Web.Pages.DetailsModel", 1.0) in edges


def test_links_and_forms_lead_to_actions(edges_of: EdgesOf) -> None:
    path = "Web/Views/Shared/_Menu.cshtml"
    links = (
        ViewFact("Order.Details", "action", 3),
        ViewFact("Order.", "action", 4),
        ViewFact("Order.Gone", "action", 5),
    )

    edges = edges_of(view(path, *links), **{"Web/A.cs": ORDERS})

    assert edges == {
        (path, "Handles link", "Web.Controllers.OrderController.Details", 0.95),
        (path, "Handles link", "Web.Controllers.OrderController", 0.95),
    }


def test_a_link_without_controller_means_the_own_one(edges_of: EdgesOf) -> None:
    path = "Web/Views/Order/_Row.cshtml"

    edges = edges_of(view(path, ViewFact(".Details", "action", 3)), **{"Web/A.cs": ORDERS})

    assert (path, "Handles link", "Web.Controllers.OrderController.Details", 0.95) in edges


def test_layouts_partial_views_and_linked_pages_are_used(edges_of: EdgesOf) -> None:
    page = view(
        "Web/Pages/Details.cshtml",
        ViewFact("_Layout", "layout", 1),
        ViewFact("_Row", "partial", 4),
        ViewFact("~/Views/Order/_Line.cshtml", "partial", 5),
        ViewFact("_Gone", "partial", 6),
        ViewFact("/Pages/_Row", "link", 7),
    )
    parts = [
        view(path)
        for path in (
            "Web/Pages/Shared/_Layout.cshtml",
            "Web/Pages/_Row.cshtml",
            "Web/Views/Order/_Line.cshtml",
        )
    ]

    edges = edges_of(page, *parts)

    assert {(rule, to) for _, rule, to, _ in edges} == {
        ("Uses layout", "Web/Pages/Shared/_Layout.cshtml"),
        ("Uses partial", "Web/Pages/_Row.cshtml"),
        ("Uses partial", "Web/Views/Order/_Line.cshtml"),
        ("Uses link", "Web/Pages/_Row.cshtml"),
    }


def test_components_are_used(edges_of: EdgesOf) -> None:
    page = view("Web/Pages/A.cshtml", ViewFact("OpenItems", "component", 4))

    edges = edges_of(page, view("Web/Components/OpenItems.razor"))

    assert {(rule, to) for _, rule, to, _ in edges} == {("Uses component", "Web.Components.OpenItems")}


@pytest.mark.parametrize(
    "component",
    [
        "class CartViewComponent : ViewComponent { public IViewComponentResult Invoke() => View(); }",
        "class CartViewComponent { public IViewComponentResult Invoke() => View(); }",
        "class Cart : ViewComponent { public IViewComponentResult Invoke() => View(); }",
        '[ViewComponent(Name = "Cart")] class Basket { public string Invoke() => null; }',
    ],
)
def test_a_view_component_is_invoked_by_pages_and_shows_its_views(edges_of: EdgesOf, component: str) -> None:
    pages = (
        view("Web/Views/Home/Index.cshtml", ViewFact("Cart", "view component", 5)),
        view("Web/Views/Shared/Components/Cart/Default.cshtml"),
    )
    others = "namespace Web.Models; class Cart { public void Invoke() {} } class CartItem { }"

    edges = edges_of(*pages, **{"Web/C.cs": f"namespace Web.Parts; {component}", "Web/M.cs": others})

    name = f"Web.Parts.{component.partition('class ')[2].split()[0]}"
    assert {(source, rule, to) for source, rule, to, _ in edges} == {
        (pages[0].path, "Uses component", name),
        (pages[0].path, "Calls view component", f"{name}.Invoke"),
        (pages[1].path, "Handles view component", f"{name}.Invoke"),
    }


@pytest.mark.parametrize("given", ['"Cart"', "typeof(CartViewComponent)", "typeof(Web.CartViewComponent)"])
@pytest.mark.parametrize("mark", ["", '[ViewComponent(Name = "Cart")]'])
def test_an_action_may_return_a_view_component(edges_of: EdgesOf, given: str, mark: str) -> None:
    code = f"""
    {mark} class CartViewComponent : ViewComponent {{ public IViewComponentResult Invoke() => View(); }}
    class HomeController : Controller {{ public IActionResult Cart() => ViewComponent({given}); }}
    """

    edges = edges_of(**{"Web/C.cs": code})

    assert {(source, rule, to) for source, rule, to, _ in edges} == {
        ("HomeController.Cart", "Calls view component", "CartViewComponent.Invoke")
    }


def test_a_view_component_of_another_name_is_found_by_its_type(edges_of: EdgesOf) -> None:
    page = view("Web/Views/Home/Index.cshtml", ViewFact("Basket", "view component", 5))
    code = '[ViewComponent(Name = "Cart")] class Basket { public string Invoke() => null; }'

    assert (page.path, "Calls view component", "Basket.Invoke", 1.0) in edges_of(page, **{"Web/C.cs": code})


def test_what_is_no_view_component_is_not_invoked(edges_of: EdgesOf) -> None:
    page = view("Web/Views/Home/Index.cshtml", ViewFact("Review", "view component", 5))

    others = "class Review { void Invoke() {} } class ReviewViewComponent { }"

    assert edges_of(page, **{"Web/C.cs": others}) == set()


def test_services_are_injected_into_pages(facts_of: FactsOf) -> None:
    page = view("Web/Pages/A.cshtml", ViewFact("Core.IClock", "inject", 3))
    services = facts_of(
        {"Core/C.cs": "namespace Core; public interface IClock; public class Clock : IClock;"}
    )

    graph = code_graph(Catalog([page, *services]))

    assert {(edge.to_key, edge.rule) for edge in graph.edges if edge.relation == "Injects"} == {
        ("csharp:Core.IClock|TYPE", "@inject"),
        ("csharp:Core.Clock|TYPE", "only implementation"),
    }


@pytest.mark.parametrize(
    ("written", "path", "confidence"),
    [
        ("~/Views/Shared/_Sum.cshtml", "Web/Views/Shared/_Sum.cshtml", 0.95),
        ("/views/_Sum.cshtml", "Web/Views/_Sum.cshtml", 0.95),
        ("../Shared/_Sum", "Web/Views/Shared/_Sum.cshtml", 0.95),
        ("~/Own/Sums/_Sum.cshtml", "Web/Own/Sums/_Sum.cshtml", 0.95),
        ("~/Plugins/Cart/Views/_Sum.cshtml", "Web/Views/_Sum.cshtml", 0.8),
        ("~/Plugins/Cart/Views/_Sum.cshtml", "Host/Plugins/Cart/Views/_Sum.cshtml", 0.95),
        ("~/Plugins/Cart/Views/_Sum.cshtml", "Host/Views/_Sum.cshtml", 0),
        ("~/Views/Shared/_Sum.cshtml", "Web/Views/Cart/_Sum.cshtml", 0),
    ],
)
def test_an_action_shows_the_view_of_a_path(
    written: str, path: str, confidence: float, edges_of: EdgesOf
) -> None:
    controller = (
        f'public class CartController : Controller {{ public object Sum() => PartialView("{written}"); }}'
    )

    edges = edges_of(view(path), **{"Web/CartController.cs": controller})

    shown = {edge for edge in edges if edge[1] == "Handles view call"}
    assert shown == ({(path, "Handles view call", "CartController.Sum", confidence)} if confidence else set())


def test_the_path_of_a_view_counts_from_the_root_of_the_own_application(edges_of: EdgesOf) -> None:
    controller = (
        'public class CartController : Controller { public object Sum() => View("~/Views/Cart/All.cshtml"); }'
    )
    paths = ("Web/Views/Cart/All.cshtml", "Other/Views/Cart/All.cshtml")

    edges = edges_of(*map(view, paths), **{"Web/CartController.cs": controller})

    assert {edge[0] for edge in edges if edge[1] == "Handles view call"} == {paths[0]}


def shown_at(files: list[FileFacts]) -> set[tuple[str, str, int, int]]:
    """Rule, path and line of the edges of views, and how many places say the same."""
    graph = view_graph(Catalog(files))
    return {(edge.rule, edge.source_file, edge.line, edge.sites) for edge in graph.edges}


CART = """
    namespace Web.Controllers;
    public class CartController : Controller
    {
        public IActionResult Show(int id)
        {
            if (id == 0)
                return View("Missing");
            if (id == 1)
                return View();
            var model = new Cart();
            return View(
                model);
        }
    }
"""


def test_the_calls_that_show_a_view_are_the_evidence(facts_of: FactsOf) -> None:
    path = "Web/Views/Cart/Show.cshtml"

    found = shown_at([*facts_of({"Web/CartController.cs": CART}), view(path)])

    assert found == {("view folder", path, 1, 1), ("view call", "Web/CartController.cs", 9, 2)}


def test_the_call_that_shows_a_shared_view_is_the_evidence(facts_of: FactsOf) -> None:
    other = CART.replace("Web.", "Other.")
    files = facts_of({"Web/CartController.cs": CART, "Other/CartController.cs": other})

    found = shown_at([*files, view("Web/Views/Shared/Missing.cshtml")])

    assert found == {("view call", "Web/CartController.cs", 7, 1)}


def test_where_the_name_decides_the_view_is_the_evidence(facts_of: FactsOf) -> None:
    path = "Web/Views/Cart/Show.cshtml"
    controller = "public class CartController : Controller {\n public object Show() => Help();\n }"

    found = shown_at([*facts_of({"Web/CartController.cs": controller}), view(path)])

    assert found == {("view folder", path, 1, 1), ("view name", path, 1, 1)}


SEARCH = """
    namespace Web.Controllers;
    public class BoardController : Controller
    {
        public IActionResult Filters() => PartialView();
        public IActionResult Hints() => PartialView();
        public IActionResult Rows() => PartialView();
    }
    public class SearchController : Controller
    {
        public IActionResult Filters() => PartialView();
        public IActionResult Menu() => PartialView();
    }
"""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (
            "Web/Views/Board/Partials/Filters.cshtml",
            {("folder", "Board", 0.8), ("call", "Board.Filters", 0.8)},
        ),
        (
            "Web/Views/Search/Deep/Er/Filters.cshtml",
            {("folder", "Search", 0.8), ("call", "Search.Filters", 0.8)},
        ),
        ("Web/Views/Shared/Menu.cshtml", {("call", "Search.Menu", 0.95)}),
        ("Web/Views/Other/Partials/Menu.cshtml", {("call", "Search.Menu", 0.95)}),
        ("Web/Views/Other/Menu.cshtml", set()),
        ("Web/Views/Shared/Hints.cshtml", set()),
        ("Web/Views/Board/Partials/Rows.cshtml", {("folder", "Board", 0.8)}),
        ("Web/Views/Board/EditorTemplates/Menu.cshtml", {("folder", "Board", 0.8)}),
        ("Web/Views/Shared/EditorTemplates/Menu.cshtml", set()),
    ],
)
def test_a_view_below_the_folder_of_a_controller_is_shown_by_that_one(
    path: str, expected: set[tuple[str, str, float]], edges_of: EdgesOf
) -> None:
    others = ("Web/Views/Board/Partials/Hints.cshtml", "Web/Views/Board/Rows.cshtml")

    edges = edges_of(view(path), *map(view, others), **{"Web/Controllers.cs": SEARCH})

    assert {
        (rule.rpartition(" ")[2], to.removeprefix("Web.Controllers.").replace("Controller", ""), confidence)
        for source, rule, to, confidence in edges
        if source == path
    } == expected


def test_of_controllers_of_other_projects_only_one_alone_has_the_view(edges_of: EdgesOf) -> None:
    path = "Web/Views/Order/List.cshtml"
    other = ORDERS.replace("Web.Controllers", "Tags.Controllers")

    assert edges_of(view(path), **{"A/A.cs": ORDERS, "Tags/A.cs": other}) == set()
    assert {edge[2] for edge in edges_of(view(path), **{"A/A.cs": ORDERS})} == {
        "Web.Controllers.OrderController"
    }


def test_names_of_views_may_have_dots(edges_of: EdgesOf) -> None:
    controller = """
        public class CartController : Controller
        {
            public object Show() => PartialView("Cart.Lines");
            public object Sum() => PartialView("~/Views/Cart/Cart.Sum.cshtml");
        }
    """
    shown = view(
        "Web/Views/Cart/Show.cshtml",
        ViewFact("Cart.Lines", "partial", 1),
        ViewFact("Own/Cart.Sum", "partial", 2),
    )
    others = map(
        view,
        ("Web/Views/Cart/Cart.Lines.cshtml", "Web/Views/Cart/Cart.Sum.cshtml", "Web/Views/Cart/Cart.cshtml"),
    )

    edges = edges_of(shown, view("Web/Views/Own/Cart.Sum.cshtml"), *others, **{"Web/A.cs": controller})

    assert {(one, to) for one, rule, to, _ in edges if rule.endswith(("call", "partial"))} == {
        ("Web/Views/Cart/Cart.Lines.cshtml", "CartController.Show"),
        ("Web/Views/Cart/Cart.Sum.cshtml", "CartController.Sum"),
        ("Web/Views/Cart/Show.cshtml", "Web/Views/Cart/Cart.Lines.cshtml"),
        ("Web/Views/Cart/Show.cshtml", "Web/Views/Own/Cart.Sum.cshtml"),
    }


def test_places_of_views_are_read_once(edges_of: EdgesOf, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(shown_views, "place_of", lambda path: (read.append(path), place_of(path))[1])
    names = [f"C{number}" for number in range(9)]
    code = " ".join(
        f"class {one}Controller : Controller {{ public object Index() => View(); }}" for one in names
    )
    views = [view(f"Web/Views/{one}/Index.cshtml") for one in names]
    orphans = [view(f"Web/Views/Other{one}/Deep/Index.cshtml") for one in names]

    edges_of(*views, *orphans, **{"Web/A.cs": code})

    assert len(read) == 2 * len((*views, *orphans))
