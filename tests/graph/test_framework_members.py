"""Members that controllers and pages inherit from the framework have its types, which own extensions extend."""

from __future__ import annotations

from collections.abc import Callable, Mapping

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

EXTENSION = "extension method"
EXTENSIONS = """
    static class Extensions {
        public static object Errors(this ModelStateDictionary state) => null;
        public static string Home(this IUrlHelper url) => null;
        public static string Agent(this HttpRequestBase request) => null;
        public static string Id(this IPrincipal principal) => null;
    }
"""


def test_a_controller_has_the_members_of_its_foreign_base(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        EXTENSIONS
        + """
    abstract class Base : Controller;
    class Orders : Base {
        void Save() { ModelState.Errors(); }
        void Go() { Url.Home(); Request.Agent(); User.Id(); }
    }
    class Page : PageModel { void OnGet() { ModelState.Errors(); } }
    class Other : Job { void Run() { ModelState.Errors(); } }
    """,
    )

    assert edges == {
        ("Orders.Save", "Extensions.Errors", EXTENSION),
        ("Orders.Go", "Extensions.Home", EXTENSION),
        ("Orders.Go", "Extensions.Agent", EXTENSION),
        ("Orders.Go", "Extensions.Id", EXTENSION),
        ("Page.OnGet", "Extensions.Errors", EXTENSION),
    }


def test_an_own_member_comes_before_that_of_the_framework(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        EXTENSIONS
        + """
    class Orders : Controller {
        Address Url { get; }
        void Go() { Url.Home(); }
    }
    class Address { public string Home() => null; }
    """,
    )

    assert edges == {("Orders.Go", "Address.Home", "receiver type")}


def test_a_member_of_the_framework_comes_before_a_type_of_its_name(code_edges: CodeEdges) -> None:
    files = """
        class User { public static User Anonymous; }
        class Orders : Controller { bool Run() { return User.Identity.IsAuthenticated; } }
        class Job { User Run() { return User.Anonymous; } }
    """

    assert {edge for edge in code_edges("Uses", files) if edge[0].startswith("Orders")} == set()
    assert ("Job.Run", "User.Anonymous", "reads member") in code_edges("Uses", files)


def test_a_view_has_the_members_of_its_page(code_edges: CodeEdges) -> None:
    files = {
        "Shop/Extensions.cs": "namespace Shop;\n" + EXTENSIONS,
        "Shop/Views/Index.cshtml": "@using Shop\n<p>@User.Id() @Request.Agent()</p>\n",
    }

    assert {edge[1:] for edge in code_edges("Calls", files)} == {
        ("Shop.Extensions.Id", EXTENSION),
        ("Shop.Extensions.Agent", EXTENSION),
    }


def test_a_component_of_blazor_has_no_members_of_a_page(code_edges: CodeEdges) -> None:
    files = {
        "Web/User.cs": "namespace Web; public static class User { public static void Parse(string text) {} }\n",
        "Web/Show.razor": '@using Web\n<p/>\n@code {\n    void Go() { User.Parse("a"); }\n}\n',
    }

    assert {target for _, target, _ in code_edges("Calls", files)} == {"Web.User.Parse"}
