"""What files open for others, and bases that they give to views: who sees something else by it is read again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.preparation.test_remembered_uses import cache, read
from tests.preparation.test_touched_types import FIXED, PATHS, Texts, brought_up_to_date, contents, files

__all__ = ["cache", "read"]  # fixtures


def project(*opened: str, implicit: bool = False) -> str:
    """Return a project that opens namespaces."""
    items = "".join(f'<Using Include="{one}" />' for one in opened)
    switch = "" if implicit else "<ImplicitUsings>disable</ImplicitUsings>"
    return f'<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>{switch}</PropertyGroup>{items}</Project>\n'


BASE = "namespace {0};\npublic abstract class B {{ public abstract void Go(); public abstract int W {{ get; }} }}\n"
BASES = {
    "Web/One.cs": BASE.format("One"),
    "Web/Two.cs": BASE.format("Two"),
    "Web/Use.cs": """namespace Shop;
class Use { One.B one; Two.B two; int Run() { one.Go(); return two.W; } void Walk() { two.Go(); } }
public static class Log { public static int Len() => 1; }
""",
}
LENGTH = "public override int W { get { return Shop.Log.Len(); } }"
OVERRIDING = "@functions { public override void Go() { } }\n"
HANDLERS = {
    "Web/Page.cs": """namespace Shop;
public class Order { }
public class Bill { }
public interface IHandler<T> { void Handle(T it); }
public abstract class Page<T> : IHandler<T> { public abstract void Handle(T it); }
public class OfOrders : Page<Order> { public override void Handle(Order it) { } }
public class OfBills : Page<Bill> { public override void Handle(Bill it) { } }
""",
    "Web/Use.cs": """namespace Shop;
class Use { IHandler<Order> order; IHandler<Bill> bill;
    void Run() { order.Handle(null); } void Walk() { bill.Handle(null); } }
""",
    "Web/Web.csproj": project("Shop"),
}
CONFIG = (
    '<configuration><system.web.webPages.razor><pages pageBaseType="Shop.Page" />'
    "</system.web.webPages.razor></configuration>\n"
)
HELP = {
    "Lib/Help.cs": "public static class Help { public static void Mend(this string it) { } }\n",
    "Lib/Thing.cs": "namespace Shop.Lib;\npublic class Thing { }\n",
    "App/Use.cs": "namespace Shop.App;\nclass Use { void Run(string it) { it.Mend(); } }\n",
    "App/App.csproj": project("Foo"),
    "Own/Own.cs": "namespace Shop.Own;\nclass Own { }\n",
}
HELD = {
    "Lib/Help.cs": "public class Help { public void Mend() { } }\n",
    "Lib/Thing.cs": "namespace Shop.Lib;\npublic class Thing { }\n",
    "App/Holder.cs": "namespace Shop.App;\npublic class Holder { public Help It; }\n",
    "App/App.csproj": project("Foo"),
    "Third/Use.cs": "namespace Third;\nclass Use { void Run(Shop.App.Holder it) { it.It.Mend(); } }\n",
    "Own/Own.cs": "namespace Shop.Own;\nclass Own { void Mend() { } }\n",
}
PAIR = {
    "Web/A.cs": "namespace Shop.One;\npublic class A { public void Go() { } }\n",
    "Web/B.cs": "namespace Shop.Two;\npublic class A { public void Go() { } }\n",
}
NESTED = "@functions {{ public class Nest {{ public Shop.{0}.A It; }} }}\n"
TABBED = "{0}namespace Web;\npublic class Holder {{ public Dictionary<string,\tA> It; }}\n"
FILE = """{0}using Web.Own;
namespace Web;
public class Holder {{ public File It; }}
"""
OWN_FILE = {
    "Web/Web.csproj": project(),
    "Web/File.cs": "namespace Web.Own;\npublic class File { public void Go() { } }\n",
    "Web/Holder.cs": FILE.format("using System.IO;\n"),
    "Third/Use.cs": "namespace Third;\nclass Use { void Run(Web.Holder it) { it.It.Go(); } }\n",
    "Third/Other.cs": "namespace Third;\nclass Other { void Go() { } }\n",
}
CASES: Mapping[str, tuple[Texts, Texts]] = {
    "given base, in the sight of a view": (
        {**BASES, "Web/_ViewImports.cshtml": "@inherits B\n", "Web/V.cshtml": f"@using One\n{OVERRIDING}"},
        {"Web/V.cshtml": f"@using Two\n{OVERRIDING}"},
    ),
    "given base, in the sight of what gives it": (
        {**BASES, "Web/_ViewImports.cshtml": "@using One\n@inherits B\n", "Web/V.cshtml": OVERRIDING},
        {"Web/_ViewImports.cshtml": "@using Two\n@inherits B\n"},
    ),
    "given base, and no view": (
        {**BASES, "Web/_ViewImports.cshtml": "@using One\n@inherits B\n"},
        {"Web/_ViewImports.cshtml": "@using Two\n@inherits B\n"},
    ),
    "given base of a component": (
        {**BASES, "Web/_Imports.razor": "@using One\n@inherits B\n", "Web/V.razor": OVERRIDING},
        {"Web/_Imports.razor": "@using Two\n@inherits B\n"},
    ),
    "given base, by a project": (
        {
            **BASES,
            "Web/_ViewImports.cshtml": "@inherits B\n",
            "Web/V.cshtml": OVERRIDING,
            "Web/Web.csproj": project("One"),
        },
        {"Web/Web.csproj": project("Two")},
    ),
    "model of a given base": (
        {
            **HANDLERS,
            "Web/_ViewImports.cshtml": "@inherits Page<TModel>\n",
            "Web/V.cshtml": "@model Order\n<p/>\n",
        },
        {"Web/V.cshtml": "@model Bill\n<p/>\n"},
    ),
    "model of a base that a configuration gives": (
        {**HANDLERS, "Web/Web.config": CONFIG, "Web/V.cshtml": "@model Order\n<p/>\n"},
        {"Web/V.cshtml": "@model Bill\n<p/>\n"},
    ),
    "project that refers to another": (HELP, {"App/App.csproj": project("Foo", "Shop.Lib")}),
    "views that let a project refer to another": (
        {**HELP, "App/_ViewImports.cshtml": "@using Foo\n", "App/V.cshtml": "<p/>\n"},
        {"App/_ViewImports.cshtml": "@using Foo\n@using Shop.Lib\n"},
    ),
    "no views that let a project refer to another": (
        {**HELP, "App/_ViewImports.cshtml": "@using Foo\n"},
        {"App/_ViewImports.cshtml": "@using Foo\n@using Shop.Lib\n"},
    ),
    "what a project that refers to another declares": (HELD, {"App/App.csproj": project("Foo", "Shop.Lib")}),
    "property of a view that overrides": (
        {**BASES, "Web/V.cshtml": "@inherits Two.B\n"},
        {"Web/V.cshtml": f"@inherits Two.B\n@functions {{ {LENGTH} }}\n"},
    ),
    "nested type of a view": (
        {
            **PAIR,
            "Web/V.cshtml": NESTED.format("One"),
            "Web/Use.cs": "namespace Web;\nclass Use { V.Nest it; void Run() { it.It.Go(); } }\n",
        },
        {"Web/V.cshtml": NESTED.format("Two")},
    ),
    "type behind a tab": (
        {
            **PAIR,
            "Web/Holder.cs": TABBED.format("using Shop.One;\n"),
            "Third/Use.cs": 'namespace Third;\nclass Use { void Run(Web.Holder it) { it.It[""].Go(); } }\n',
        },
        {"Web/Holder.cs": TABBED.format("using Shop.Two;\n")},
    ),
    "own using that a project opens since": (
        OWN_FILE,
        {"Web/Web.csproj": project(implicit=True), "Web/Holder.cs": FILE.format("")},
    ),
}


@pytest.mark.parametrize(("before", "changed"), CASES.values(), ids=CASES)
def test_what_is_opened_or_given_elsewhere_is_followed(
    cache: Path, read: list[str], before: Texts, changed: Texts
) -> None:
    assert contents(before, None) != contents({**before, **changed}, None)

    brought_up_to_date(cache, read, before, {**before, **changed})


MANY = {
    "Lib/Part.cs": """namespace Shop.Lib;
public class Part { public static void Turn() { } }
public static class Parts { public static void Mend(this string it) { } }
public class MarkAttribute : System.Attribute { public void Set() { } }
""",
    "Web/Web.csproj": project(),
    "Web/A.cs": "namespace Shop.Web;\nclass A { void Run(string text) { text.Trim(); } }\n",
    "Web/B.cs": "namespace Shop.Web;\nclass B { void Run() { new Part(); } }\n",
    "Web/C.cs": "namespace Shop.Web;\nclass C { void Run(string text) { text.Mend(); } }\n",
    "Web/D.cs": "namespace Shop.Web;\nclass D { [Mark] void Run() { Turn(); } }\n",
    "Web/E.cs": "namespace Shop.Web;\nclass E { Piece it; void Run() { it.ToString(); } }\n",
    "Web/F.cs": "namespace Shop.Web;\nusing Shop.Lib;\nclass F { void Run() { new Part(); } }\n",
    "Web/G.cs": "namespace Shop.Lib.Web;\nclass G { void Run() { new Part(); } }\n",
    "Directory.Build.props": "<Project/>\n",
}
NARROW = {
    "namespace, by a project": ({"Web/Web.csproj": project("Shop.Lib")}, ["A", "B", "C", "D"]),
    "namespace, by a file": ({"Web/Global.cs": "global using Shop.Lib;\n"}, ["A", "B", "C", "D"]),
    "namespace, by what stands above": (
        {"Directory.Build.props": '<Project><Using Include="Shop.Lib" /></Project>\n'},
        ["A", "B", "C", "D"],
    ),
    "namespace of a library": ({"Web/Web.csproj": project("Xunit")}, ["A"]),
    "namespace of a library that is asked for": ({"Web/Web.csproj": project("Dapper")}, list("ABCDEFG")),
    "other name": (
        {
            "Web/Web.csproj": project().replace(
                "<Prop", '<Using Include="Shop.Lib.Part" Alias="Piece" /><Prop'
            )
        },
        ["E"],
    ),
    "other name, by a file": ({"Web/Global.cs": "global using Piece = Shop.Lib.Part;\n"}, ["E"]),
    "members of a type": ({"Web/Global.cs": "global using static Shop.Lib.Part;\n"}, ["D"]),
    "members of a type of a library": ({"Web/Global.cs": "global using static System.Math;\n"}, []),
}


@pytest.mark.parametrize(("changed", "names"), NARROW.values(), ids=NARROW)
def test_who_names_nothing_of_what_is_opened_is_not_read(
    cache: Path, read: list[str], changed: Texts, names: list[str]
) -> None:
    _, again = brought_up_to_date(cache, read, MANY, {**MANY, **changed})

    assert again == sorted((*changed, *(f"Web/{one}.cs" for one in names)))


SCALES = """namespace Lib;
public static class One { public static void Turn(int it) { } }
public static class Two { public static void Turn(string it) { } }
"""
TURNING = {"Lib/Scales.cs": SCALES, "Web/Use.cs": "namespace Web;\nclass Use { void Run() { Turn(1); } }\n"}
MARKED = {
    "Lib/Mark.cs": "namespace Lib;\npublic class MarkAttribute : System.Attribute { public MarkAttribute() { } }\n",
    "Web/Use.cs": "namespace Web;\nclass Use { [Short] void Run() { } }\n",
}
STATICS = "global using static Lib.{};\nglobal using static Lib.{};\n"
ITEM = '<Using Include="Lib.{}" Static="true" />'
COMPONENT = "@namespace Shop.Parts\n@code { public static void Turn(int it) { } }\n"
REFERRING = {
    "Lib/Help.cs": "public class Help { public void Mend() { } }\n",
    "Lib/Thing.cs": "namespace Shop.Core;\npublic class Thing { }\n",
    "App/Use.cs": "namespace App;\nclass Use { void Run(Help it) { it.Mend(); } }\n",
    "App/A.cs": "using Core;\nnamespace Other;\nclass A { }\n",
}
CALLING = """namespace Flurl.Web;
class Use { void Run() { "http://a/api/x".AppendPathSegment("z").GetAsync(); } }
public class XController : ControllerBase { [HttpGet("api/x/z")] public void Get() { } }
"""
ORDERS = {
    "Lib/Db.cs": """namespace Shop.Lib;
public class Order { }
public class Db : DbContext { public DbSet<Order> Orders { get; set; } }
""",
    "Web/Use.cs": "namespace Web;\nclass Use { void Run() { new Db().Orders.ToList(); } }\n",
    "Directory.Build.props": '<Project><Using Include="Shop.Lib" /></Project>\n',
    "Web/Web.vbproj": "<Project/>\n",
}
SUBTLE = {
    "alias of an attribute": (
        MARKED,
        {"Web/Global.cs": "global using ShortAttribute = Lib.MarkAttribute;\n"},
    ),
    "members of a generic type": (
        TURNING | {"Lib/Scales.cs": SCALES.replace("static class One", "class One<T>")},
        {"Web/Global.cs": "global using static Lib.One<int>;\n"},
    ),
    "members of a component": (
        TURNING | {"Lib/Part.razor": COMPONENT},
        {"Web/Global.cs": "global using static Shop.Parts.Part;\n"},
    ),
    "order of types, by a file": (
        TURNING | {"Web/Global.cs": STATICS.format("One", "Two")},
        {"Web/Global.cs": STATICS.format("Two", "One")},
    ),
    "order of types, by a project": (
        TURNING | {"Web/Web.csproj": f"<Project>{ITEM.format('One')}{ITEM.format('Two')}</Project>\n"},
        {"Web/Web.csproj": f"<Project>{ITEM.format('Two')}{ITEM.format('One')}</Project>\n"},
    ),
    "order of types, by several files": (
        TURNING
        | {f"Web/Z{one}.cs": f"global using static Lib.{one};\n" for one in ("One", "Two")}
        | {"Web/A.cs": "namespace Web;\nclass A { }\n"},
        {"Web/A.cs": "global using static Lib.Two;\nnamespace Web;\nclass A { }\n"},
    ),
    "part of a name that means nothing elsewhere": (
        REFERRING | {"App/B.cs": "namespace Shop.B;\nclass B { }\n", "App/App.csproj": project("Foo")},
        {"App/App.csproj": project("Foo", "Core")},
    ),
    "part of a name, by a file": (
        REFERRING | {"App/B.cs": "using Core;\nnamespace Shop;\nclass B { }\n"},
        {"App/B.cs": "namespace Shop;\nclass B { }\n"},
    ),
    "part of a name, by the namespace around it": (
        {path: text for path, text in REFERRING.items() if path != "App/A.cs"}
        | {"App/B.cs": "namespace Shop.B;\nclass B { }\n", "App/App.csproj": project("Core")},
        {"App/B.cs": "namespace Other;\nclass B { }\n"},
    ),
    "library below which a file stands": (
        {"Web/Use.cs": CALLING},
        {"Web/Global.cs": "global using Flurl;\n"},
    ),
    "type of any namespace": (
        TURNING | {"Web/Web.csproj": project()},
        {"Web/Web.csproj": f"<Project>{ITEM.format('One').replace('Lib', 'global::Lib')}</Project>\n"},
    ),
    "types within one": (
        {
            "Lib/Codes.cs": "namespace Lib;\npublic class Codes { public class None { public void Go() { } } }\n",
            "Web/Use.cs": "namespace Web;\nclass Use { void Run(None it) { it.Go(); } }\n",
        },
        {"Web/Global.cs": "global using static Lib.Codes;\n"},
    ),
    "project that is empty": (ORDERS, {"Web/Web.csproj": "<Project/>\n"}),
}


@pytest.mark.parametrize("is_gone", [False, True])
@pytest.mark.parametrize(("before", "changed"), SUBTLE.values(), ids=SUBTLE)
def test_who_means_something_else_without_naming_it_in_full_is_read(
    cache: Path, read: list[str], before: Texts, changed: Texts, is_gone: bool
) -> None:
    after = {**before, **changed}
    assert contents(before, None) != contents(after, None)

    brought_up_to_date(cache, read, *((after, before) if is_gone else (before, after)))


GLOBALS = (
    None,
    "global using Shop;\n",
    "global using Deep;\nglobal using Shop.Deep;\nusing Shop;\n",
    "global using A = Shop.B;\n",
    "global using static Shop.A;\nglobal using Deep;\n",
    "global using Shop;\nnamespace Deep;\npublic class One { public void Go() { } }\n",
)
PROJECTS = (
    None,
    "<Project/>",
    *(
        f"<Project><ItemGroup>{one}</ItemGroup></Project>"
        for one in (
            '<Using Include="Shop" />',
            '<Using Include="Deep" /><Using Include="Shop.Deep" />',
            '<Using Include="Deep" Alias="A" />',
            '<Using Include="Shop.A" Static="true" />',
        )
    ),
)
IMPORTS = (
    None,
    "@using Shop\n",
    "@using Deep\n@inject A It\n",
    "@inherits B\n",
    "@using Shop.Deep\n@inherits B\n",
    "@using Shop\n@inherits Bag<TModel>\n",
)
VIEWS = (
    None,
    "@model A\n@{ Model.Go(); Model.It.Stay(); }\n",
    "@model B\n@inject C Own\n@{ Own.Stay(); Model.Get().Go(); }\n",
    "@using Deep\n@model A\n@functions { public void Go() { It.Stay(); } B It; class C : A { } }\n",
    "@inherits A\n@{ Stay(); new C().Go(); }\n",
    "@using Shop\n@functions { public override void Go() { It.Stay(); } }\n",
    "@using Deep\n@model C\n@inject A Own\n@functions { public override A It { get { return Own.Make(); } } }\n",
)
LOOSE = "class Loose {{ A a; void Run() {{ a.Go(); a.It.Stay(); {0} }} public B Get() => null; }}\n"
LOOSES = (
    None,
    LOOSE.format(""),
    LOOSE.format("a.Stay(); new One().Go();"),
    "class One : A { public C It; }\n",
)
THIRD = {
    "Third/Use.cs": """namespace Third;
class Use { Shop.A a; Deep.B b; Shop.Deep.One one; Loose loose; Web.Index.C c;
    void Run() { a.It.Go(); b.Get().It.Stay(); one.It.Go(); loose.Get().Go(); c.Stay(); } }
""",
}
OPENERS = {
    "Shop/Global.cs": GLOBALS,
    "Shop/Shop.csproj": PROJECTS,
    "Directory.Build.props": PROJECTS,
    "Web/_ViewImports.cshtml": IMPORTS,
    "Web/Home/_ViewImports.cshtml": IMPORTS,
    "Web/_Imports.razor": IMPORTS[:3],
    "Web/Home/Index.cshtml": VIEWS,
    "Web/Edit.cshtml": VIEWS,
    "Web/Two.razor": ("<One/>\n", "@inherits A\n@code { void Run() { Go(); } }\n"),
    "Shop/Loose.cs": LOOSES,
    "Deep/Loose.cs": LOOSES,
}
opening = st.one_of(
    *(st.tuples(st.just(path), st.sampled_from(versions)) for path, versions in OPENERS.items())
)


@pytest.mark.slow
@pytest.mark.usefixtures("_without_a_threshold", "_for_few_files")
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.fixed_dictionaries(dict.fromkeys(PATHS, files)),
    st.fixed_dictionaries({path: st.sampled_from(versions) for path, versions in OPENERS.items()}),
    st.lists(opening | st.tuples(st.sampled_from(PATHS), files), min_size=1, max_size=5),
)
@example(
    {"Tests/OneTests.cs": "namespace Shop.Deep;\npublic class A { public void Go() { } public A It; }\n"},
    {"Shop/Shop.csproj": PROJECTS[1], "Directory.Build.props": PROJECTS[3]},
    [("Directory.Build.props", PROJECTS[1])],
)
def test_what_files_open_for_others_is_followed(
    types: dict[str, str | None], openers: dict[str, str | None], steps: list[tuple[str, str | None]]
) -> None:
    texts = {**FIXED, **THIRD, **types, **openers}
    with TemporaryDirectory() as folder:
        cache = Path(folder) / "cache.sqlite3"
        contents(texts, cache)
        for path, text in steps:
            texts[path] = text

            assert contents(texts, cache) == contents(texts, None)
