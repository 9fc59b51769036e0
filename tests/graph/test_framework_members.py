"""Members that controllers and pages inherit from the framework have its types, which own extensions extend."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

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


DOMAIN = """
    namespace Shop {
        public class Page { public static int Count; public static void Clear() { } }
        public class Session { public static int Count; public static void Clear() { } }
        public class Controls { public static int Count; public static void Clear() { } }
        public class Style { public static int Count; public static void Clear() { } }
    }
"""


@pytest.mark.parametrize(
    ("usings", "base", "member"),
    [
        ("", "System.Web.UI.Page", "Page"),
        ("using System.Web.UI;", "UserControl", "Session"),
        ("", "System.Web.UI.MasterPage", "Controls"),
        ("", "System.Web.HttpApplication", "Session"),
        ("", "MasterPage", "Session"),
        ("using System.Web.UI.WebControls;", "WebControl", "Style"),
        ("using System.Web.UI.WebControls;", "GridView", "Page"),
        ("using System.Web.UI;", "Base", "Page"),
    ],
)
def test_a_form_has_the_members_of_its_foreign_base(
    code_edges: CodeEdges, usings: str, base: str, member: str
) -> None:
    form = f"""
        {usings}
        namespace Web {{
            using Shop;
            public class Base : System.Web.UI.Page {{ }}
            public class Orders : {base} {{
                void Load() {{ var a = {member}.Count; {member}.Clear(); this.{member}.Clear(); }}
            }}
            public class Job {{ void Run() {{ {member}.Clear(); }} }}
        }}
        """
    edges = code_edges("Calls", {"Shop/Domain.cs": DOMAIN, "Web/Orders.cs": form})

    assert edges == {("Web.Job.Run", f"Shop.{member}.Clear", "receiver type")}
    assert code_edges("Uses", {"Shop/Domain.cs": DOMAIN, "Web/Orders.cs": form}) == set()


@pytest.mark.parametrize(
    ("usings", "base", "member"),
    [
        ("using System.Windows.Controls;", "UserControl", "Session"),
        ("using System.Web.UI;", "UserControl", "Style"),
        ("using System.Web.UI;", "Job", "Session"),
    ],
)
def test_a_class_has_no_members_that_its_base_does_not_have(
    code_edges: CodeEdges, usings: str, base: str, member: str
) -> None:
    form = f"{usings} namespace Web {{ class Orders : {base} {{ void Load() {{ {member}.Clear(); }} }} }}"
    files = {"Shop/Domain.cs": DOMAIN, "Web/Orders.cs": f"using Shop; {form}"}

    assert code_edges("Calls", files) == {("Web.Orders.Load", f"Shop.{member}.Clear", "receiver type")}


@pytest.mark.parametrize("directive", ["Page", "Control", "Master"])
def test_a_form_says_what_the_class_behind_it_is(code_edges: CodeEdges, directive: str) -> None:
    ending = {"Page": "aspx", "Control": "ascx", "Master": "master"}[directive]
    files = {
        "Shop/Domain.cs": DOMAIN,
        f"Web/A.{ending}": f'<%@ {directive} Inherits="Web.A" %><%@ Import Namespace="Shop" %><% Session.Clear(); %>',
        f"Web/B.{ending}": f'<%@ {directive} %><%@ Import Namespace="Shop" %><% Controls.Clear(); %>',
        "Web/A.cs": "using Shop; namespace Web { class A : Package.Base { void Load() { Session.Clear(); } } }",
    }

    assert code_edges("Calls", files) == set()


def test_members_of_what_the_framework_has_are_known_too(code_edges: CodeEdges) -> None:
    form = """
        using System.Web.UI;
        namespace Web {
            class Orders : UserControl {
                void Load() { Page.Request.Agent(); this.Request.Agent(); Context.User.Id(); this.FindDeep(); }
            }
            static class Controls { public static Control FindDeep(this Control root) => null; }
        }
        """
    files = {"Web/Extensions.cs": "namespace Web {" + EXTENSIONS + "}", "Web/Orders.cs": form}

    assert code_edges("Calls", files) == {
        ("Web.Orders.Load", "Web.Extensions.Agent", EXTENSION),
        ("Web.Orders.Load", "Web.Extensions.Id", EXTENSION),
        ("Web.Orders.Load", "Web.Controls.FindDeep", EXTENSION),
    }


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
