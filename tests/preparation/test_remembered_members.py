"""Members that are added, gone or declared otherwise: rules look again where these are something to them, alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from ragduck.preparation import tying
from ragduck.preparation.known_facts import KnownFacts
from tests.preparation.test_remembered_rules import BASE, TEXTS, edited, looking_again
from tests.preparation.test_remembered_uses import SNAPSHOT, contents, tied

OF_MEMBERS = {"names", "roles", "member roles", "views", "requests", "nodes", "data portals"} | {
    "containment", "hierarchy", "injections", "registrations", "listed"
}  # fmt: skip
SHOW = "public IActionResult"
TRIES = "namespace Shop;\npublic class Tries { [Fact] public void One() { } void Two() { } }\n"
PROGRAM = {
    "A/Program.cs": "Run(1);\n",
    "A/A.csproj": "<Project><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>",
}
MORE = f"public void Drop() {{ }}\n    {SHOW}"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tying, "SHARED_BYTES", 0)
    return tmp_path / "cache.sqlite3"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (
            "Shop/Clock.cs",
            "public class Watch : IClock {",
            "public class Watch : IClock { int Zone() { return 1; }",
        ),
        ("Shop/Clock.cs", "public interface IClock {", "public interface IClock { string Zone { get; }"),
        ("Shop/Idle.cs", "Box box;", "Box box; Ledger zone;"),
        ("Shop/Maker.cs", "void Make()", "void Zone(int size)"),
    ],
    ids=["a method", "a property of an interface", "a field", "another name"],
)
def test_a_member_that_is_nothing_to_rules_lets_them_find_what_they_found(
    cache: Path, looked: list[str], path: str, old: str, new: str
) -> None:
    assert looking_again(cache, looked, edited(path, old, new)).isdisjoint(OF_MEMBERS)


@pytest.mark.parametrize(
    ("path", "old", "new", "rule"),
    [
        ("Shop/Shelf.cs", "protected", "public DbSet<Page> Pages { get; set; } protected", "names"),
        ("Shop/OrdersController.cs", SHOW, MORE, "member roles"),
        ("Shop/OrdersController.cs", SHOW, MORE, "views"),
        ("Shop/OrdersController.cs", '"{id}"', '"{id}/all"', "requests"),
        ("Shop/Jobs.cs", "class Nightly {", "class Nightly { [HttpPost] public void Zone() { }", "roles"),
        ("Shop/Clock.cs", "ILedger { public", "ILedger { public Ledger(ILedger[] all) { } public", "listed"),
        ("Shop/Client.cs", "HttpClient http;", "Box http;", "requests"),
        ("Shop/Base.cs", "Title", "DataPortal_Fetch", "data portals"),
    ],
)
def test_a_rule_looks_again_for_a_member_that_it_asks_for(
    cache: Path, looked: list[str], path: str, old: str, new: str, rule: str
) -> None:
    assert rule in looking_again(cache, looked, edited(path, old, new))


def test_an_action_more_lets_injections_and_nodes_stand(cache: Path, looked: list[str]) -> None:
    texts = edited("Shop/OrdersController.cs", SHOW, MORE)

    assert looking_again(cache, looked, texts).isdisjoint({"injections", "nodes", "containment", "hierarchy"})


@pytest.mark.parametrize("marks", ["[Fact]", "[Theory] [InlineData(1)]"])
def test_a_test_more_lets_requests_and_views_stand(cache: Path, looked: list[str], marks: str) -> None:
    texts = edited("Shop/Idle.cs", "Box box;", f"Box box; {marks} public void Zone() {{ }}")

    again = looking_again(cache, looked, texts)

    assert again.isdisjoint({"requests", "views", "injections", "roles", "member roles"})


def test_a_test_more_of_a_test_is_said_of_that_alone(cache: Path, looked: list[str]) -> None:
    before = TEXTS | {"A.Tests/Tries.cs": TRIES}
    tied(before, cache)
    looked.clear()

    after = before | {"A.Tests/Tries.cs": TRIES.replace("void Two", "[Fact] public void Two")}
    found = tied(after, cache)

    assert "member roles" in looked
    assert {"roles", "injections", "entities", "endpoints", "senders", "nodes"}.isdisjoint(looked)
    assert contents(found) == contents(tied(after, None))


@pytest.mark.parametrize("what", ["new Ledger(null)", "app.MapGet(null, null)", "services.Create()"])
def test_what_tests_call_and_make_is_nothing_to_rules_for_other_code(
    cache: Path, looked: list[str], what: str
) -> None:
    before = TEXTS | {"A.Tests/Tries.cs": TRIES}
    tied(before, cache)
    looked.clear()

    after = before | {"A.Tests/Tries.cs": TRIES.replace("Two() {", f"Two() {{ {what};")}
    found = tied(after, cache)

    assert {"injections", "endpoints", "registrations", "roles"}.isdisjoint(looked)
    assert contents(found) == contents(tied(after, None))


def test_where_a_program_begins_is_nothing_to_injections(cache: Path, looked: list[str]) -> None:
    before = TEXTS | PROGRAM
    tied(before, cache)
    looked.clear()

    after = before | {"A/Program.cs": "Run(2);\nRun(3);\n"}
    found = tied(after, cache)

    assert "programs" in looked
    assert {"injections", "roles", "member roles"}.isdisjoint(looked)
    assert contents(found) == contents(tied(after, None))


@pytest.mark.parametrize("rule", ["requests", "views"])
def test_an_action_that_is_a_test_as_well_is_an_action(cache: Path, looked: list[str], rule: str) -> None:
    texts = edited("Shop/OrdersController.cs", SHOW, f"[Fact] public void Drop() {{ }}\n    {SHOW}")

    assert rule in looking_again(cache, looked, texts)


def test_members_are_compared_with_what_was_declared_when_rules_looked(
    cache: Path, looked: list[str]
) -> None:
    """Uses are kept with each body that is edited, rules are not."""
    tied(TEXTS, cache)
    body = edited("Shop/Clock.cs", 'Last("now");', "")
    tied(body, cache)
    looked.clear()

    more = {**body, "Shop/Clock.cs": (body["Shop/Clock.cs"] or "").replace("class Watch : IClock {",
        "class Watch : IClock { int Zone() { return 1; }")}  # fmt: skip
    after = tied(more, cache)

    assert OF_MEMBERS.isdisjoint(looked)
    assert contents(after) == contents(tied(more, None))


def test_a_key_is_read_once(cache: Path) -> None:
    known = KnownFacts(cache, SNAPSHOT, ())
    key = known.key_of("rules")

    assert known.read(key) is None
    known.table.write({key: b"later"})

    assert known.read(key) is None
    assert KnownFacts(cache, SNAPSHOT, ()).read(key) == b"later"


HEIR = "namespace Shop;\npublic class Heir : Root, IDo { }\n"
ROOT = "namespace Shop;\npublic class Root { }\n"
DO = "namespace Shop;\npublic interface IDo { void Do(); }\n"
PART = "namespace Shop;\npublic partial class Part { public void Run() { } public Part(IDo one) { } }\n"
PART_TOO = "namespace Shop;\npublic partial class Part { public void Run(int a) { } }\n"
DOES = "namespace Shop;\npublic class Does : IDo { public void Do() { } }\n"
PATHS = 'namespace Shop;\npublic static class Paths { public const string Best = "api/best"; }\n'
BEST = """using Microsoft.AspNetCore.Mvc;
namespace Shop;
[Route(Paths.Best)]
public class BestController : ControllerBase { [HttpGet] public string All() { return null; } }
"""
ASKS = """namespace Shop;
class Asks { HttpClient http;
    void Go() { http.GetAsync("/api/best"); }
    void Goes() { http.GetAsync("/api/worst"); }
}
"""
OWN_MARK = """using Microsoft.AspNetCore.Mvc;
namespace Shop;
public class BestAttribute : RouteAttribute { public BestAttribute() : base("api/best") { } }
"""
MARKED = BEST.replace("Route(Paths.Best)", "Best")
TASKS = "namespace Shop;\npublic interface IScheduledTask { void Work(); }\n"
TASK = (
    "namespace Shop;\npublic class Sweep : IScheduledTask { public void Work() { } public void Idle() { } }\n"
)
SERVED = "namespace Shop;\nclass Start { void Go(WebApplication app) { app.MapGrpcService<Sums>(); } }\n"
SUMS = "namespace Shop;\npublic interface ISums { }\npublic class Sums : ISums { public void Add() { } }\n"
FACTORY = """namespace Shop;
partial class Setup2 { void Go(IServiceCollection services) { services.AddScoped<IDo>(Create); } }
"""
FACTORY_TOO = "namespace Shop;\npartial class Setup2 { Does Create() { return null; } }\n"
ASKING = "namespace Shop;\npublic class Asking { public Asking(IDo one) { } }\n"
DOES_TOO = DOES.replace("class Does", "class DoesToo")
COMPONENT = "@inherits Shop.Root\n<p>x</p>\n"
HALF = "namespace Shop;\npublic partial class Panel : IDo { }\n"
MIGRATES = "namespace Shop;\npublic class First : DataMigration { public int Create() { return 1; } }\n"
BASE_CONTROLLER = """using Microsoft.AspNetCore.Mvc;
namespace Shop;
public abstract class Above : ControllerBase { public string Zero() { return null; } }
[Route("api/below")]
public class BelowController : Above { }
"""
BELOW = 'namespace Shop;\nclass Asks2 { HttpClient http; void Go() { http.GetAsync("/api/below/worst"); } }\n'
BELOW_BEST = "namespace Shop;\npublic class BestController : Above { }\n"
OWN_JOB = """namespace Shop;
public interface IThing { string Execute { get; } }
public class Weekly : IJob { public void Execute() { } string Zone { get { return null; } } }
"""
JOB_BASE = "namespace Shop;\npublic abstract class JobBase { public virtual bool DoWork { get; } }\n"
JOB_HEIR = """namespace Shop;
public class Mid : JobBase { public virtual void Sweep() { } }
public class Weekly : Mid { public override void Sweep() { } }
"""
PROVIDER = """namespace Shop;
public class Mark : Foreign, IRouteTemplateProvider { public string Template => "api/best"; }
"""
PROVIDED = "namespace Shop;\npublic class BestAttribute : Mark { }\n"
CART = "namespace Shop;\npublic class CartViewComponent { public string Zenith { get; set; } }\n"
OTHER_BASE = BASE.replace("Shop;", "Shop.Other;").replace("Title", "Go")
WORK = """namespace Shop;
public abstract class Work : IJob { public virtual void Execute() { } }
public class Late : Work { }
"""
TAKES = "namespace Shop;\npublic interface ITakesHandler<T> { Task Take(T one); }\n"
TAKER = "namespace Shop;\npublic class Taker : ITakesHandler<Root> { public Task Take(Root one) { return null; } }\n"
BUS = """namespace Shop;
public interface IPosts { }
public class Posts : IPosts { IBus bus; public void Post(object it) { bus.Send(it); } }
"""
USES = "namespace Shop;\nclass Uses { IPosts posts; void Go() { posts.Post(new Root()); } }\n"
SOAP = """namespace Other;
[ServiceContract]
public interface IOrders { [OperationContract] string GetOrder(int id); [OperationContract] void DropOrder(); }
"""
SOAP_CLIENT = """namespace Shop;
[ServiceContract(ConfigurationName = "Orders.IOrders")]
public interface IOrders { [OperationContract(Action = "http://tempuri.org/IOrders/GetOrder")] string Get(int id); }
"""
FORM = '<%@ Page Language="C#" AutoEventWireup="true" CodeBehind="Page.aspx.cs" Inherits="Shop.Page1" %>\n<p>x</p>\n'
CORNERS: Mapping[str, tuple[Mapping[str, str], str, str, str]] = {
    "a base does what an heir's interface asks for": (
        {"A/Heir.cs": HEIR, "A/Root.cs": ROOT, "A/Do.cs": DO}, "A/Root.cs", "{ }", "{ public void Do() { } }",
    ),
    "an interface asks for more": (
        {"A/Heir.cs": HEIR, "A/Root.cs": ROOT.replace("{ }", "{ public void Go() { } }"), "A/Do.cs": DO},
        "A/Do.cs", "void Do();", "void Do(); void Go();",
    ),
    "an interface asks for less": (
        {"A/Does.cs": DOES, "A/Do.cs": DO}, "A/Do.cs", "void Do();", "",
    ),
    "the first part of a class has no such method any more": (
        {"A/Part.cs": PART, "A/Part2.cs": PART_TOO, "A/Do.cs": DO}, "A/Part.cs", "public void Run() { }", "",
    ),
    "another part comes to stand first": (
        {"A/Part.cs": PART.replace("public void Run() { }", ""), "A/Part2.cs": PART_TOO, "A/Do.cs": DO},
        "A/Part.cs", "public Part", "public void Run() { } public Part",
    ),
    "a part has another constructor": (
        {"A/Part.cs": PART, "A/Part2.cs": PART_TOO, "A/Do.cs": DO, "A/Root.cs": ROOT}, "A/Part2.cs",
        "public void", "public Part(IDo one, ILedger two) { } public void",
    ),
    "a class of that name in another project": (
        {"A/Part.cs": PART, "B/Part.cs": PART, "A/Do.cs": DO}, "A/Part.cs", "public void Run() { }", "",
    ),
    "members in another order": (
        {"A/Part.cs": PART, "A/Do.cs": DO}, "A/Part.cs", "public void Run() { } public Part(IDo one) { }",
        "public Part(IDo one) { }\n public void Run() { }",
    ),
    "a constant stands in a mark": (
        {"A/Paths.cs": PATHS, "A/Best.cs": BEST, "A/Asks.cs": ASKS}, "A/Paths.cs", "api/best", "api/worst",
    ),
    "a constant stands in a mark beside it": (
        {"A/Best.cs": BEST + PATHS.partition("\n")[2], "A/Asks.cs": ASKS}, "A/Best.cs", "api/best", "api/worst",
    ),
    "a mark of one's own": (
        {"A/Mark.cs": OWN_MARK, "A/Best.cs": MARKED, "A/Asks.cs": ASKS}, "A/Mark.cs", "api/best", "api/worst",
    ),
    "an action of a base": (
        {"A/Above.cs": BASE_CONTROLLER, "A/Below.cs": BELOW}, "A/Above.cs", "public string Zero",
        '[HttpGet("worst")] public string Zero',
    ),
    "an interface of jobs has more than one method": (
        {"A/Tasks.cs": TASKS, "A/Task.cs": TASK}, "A/Tasks.cs", "void Work();", "void Work(); void Idle();",
    ),
    "an interface of jobs has another method": (
        {"A/Tasks.cs": TASKS, "A/Task.cs": TASK}, "A/Tasks.cs", "void Work();", "void Idle();",
    ),
    "a service that is mapped as a whole": (
        {"A/Start.cs": SERVED, "A/Sums.cs": SUMS}, "A/Sums.cs", "Add() { }", "Add() { } public void Drop() { }",
    ),
    "a method that makes a service for a container": (
        {"A/S.cs": FACTORY, "A/S2.cs": FACTORY_TOO, "A/Does.cs": DOES, "A/Does2.cs": DOES_TOO, "A/Do.cs": DO}
        | {"A/Asking.cs": ASKING}, "A/S2.cs", "Does Create", "DoesToo Create",
    ),
    "a component has the base of its other half": (
        {"A/Panel.razor": COMPONENT, "A/Panel.razor.cs": HALF, "A/Root.cs": ROOT, "A/Do.cs": DO}
        | {"A/A.csproj": "<Project Sdk=\"Microsoft.NET.Sdk.Razor\"><PropertyGroup><RootNamespace>Shop</RootNamespace>"
        "</PropertyGroup></Project>"},
        "A/Root.cs", "{ }", "{ public void Do() { } }",
    ),
    "a base is one for migrations by a member": (
        {"A/First.cs": MIGRATES, "A/Base.cs": ROOT.replace("Root", "DataMigration")}, "A/Base.cs", "{ }",
        "{ public ISchemaBuilder SchemaBuilder { get; set; } }",
    ),
    "a test": ({"A.Tests/Tries.cs": TRIES}, "A.Tests/Tries.cs", "void Two", "[Fact] public void Two"),
    "the only test": ({"A.Tests/Tries.cs": TRIES}, "A.Tests/Tries.cs", "[Fact] public void One() { }", ""),
    "a job does what its base did": (
        {"A/Work.cs": WORK}, "A/Work.cs", "Late : Work { }", "Late : Work { public override void Execute() { } }",
    ),
    "one of two jobs does what their base did": (
        {"A/Work.cs": WORK + "public class Early : Work { }\n"}, "A/Work.cs", "Late : Work { }",
        "Late : Work { public override void Execute() { } }",
    ),
    "a base answers requests": (
        {"A/Root.cs": ROOT, "A/Page.cs": "namespace Shop;\npublic class Page : Root, IHttpHandler { }\n"},
        "A/Root.cs", "{ }", "{ public void ProcessRequest(HttpContext context) { } }",
    ),
    "a method that is called for requests by its mark": (
        {"A/Go.cs": "using Microsoft.Azure.WebJobs;\nnamespace Shop;\nclass Go { public void Mine() { } }\n"},
        "A/Go.cs", "public void", '[FunctionName("mine")] public void',
    ),
    "a method that a timer starts": (
        {"A/Go.cs": "namespace Shop;\nclass Go { public void Mine(TimerInfo at) { } }\n"},
        "A/Go.cs", "TimerInfo", '[TimerTrigger("0 0 3 * * *")] TimerInfo',
    ),
    "a set of entities": (
        {"A/Shelves.cs": "namespace Shop;\nclass Shelves : DbContext { public List<Root> Roots { get; set; } }\n"}
        | {"A/Root.cs": ROOT}, "A/Shelves.cs", "List<", "DbSet<",
    ),
    "an interface takes messages otherwise": (
        {"A/Takes.cs": TAKES, "A/Taker.cs": TAKER, "A/Root.cs": ROOT}, "A/Takes.cs", "Task Take(T", "Task Receive(T",
    ),
    "an interface has what a method sends": (
        {"A/Takes.cs": TAKES, "A/Taker.cs": TAKER, "A/Root.cs": ROOT, "A/Bus.cs": BUS, "A/Uses.cs": USES},
        "A/Bus.cs", "interface IPosts { }", "interface IPosts { void Post(object it); }",
    ),
    "a message has a handler": (
        {"A/Takes.cs": TAKES, "A/Taker.cs": TAKER, "A/Root.cs": ROOT, "A/Bus.cs": BUS, "A/Uses.cs": USES},
        "A/Taker.cs", "Task Take(Root", "Task Other(Root",
    ),
    "a message comes to have a handler": (
        {"A/Takes.cs": TAKES, "A/Taker.cs": TAKER.replace("Task Take", "Task Other"), "A/Root.cs": ROOT}
        | {"A/Bus.cs": BUS.replace("{ }", "{ void Post(object it); }"), "A/Uses.cs": USES},
        "A/Taker.cs", "Task Other", "Task Take",
    ),
    "a method that browsers call": (
        {"A/Go.cs": "namespace Shop;\nclass Go { public string Mine() { return null; } }\n"},
        "A/Go.cs", "public string", "[WebMethod] public string",
    ),
    "a form has a handler": (
        {"A/Page.aspx": FORM, "A/Page.aspx.cs": "namespace Shop;\npublic class Page1 { void Idle() { } }\n"},
        "A/Page.aspx.cs", "Idle", "Page_Load",
    ),
    "a contract has another method": (
        {"A/Client.cs": SOAP_CLIENT, "B/Orders.cs": SOAP}, "B/Orders.cs", "GetOrder", "GetOrders",
    ),
    "a client asks for another method": (
        {"A/Client.cs": SOAP_CLIENT, "B/Orders.cs": SOAP}, "A/Client.cs", "IOrders/GetOrder", "IOrders/DropOrder",
    ),
    "a property stands before the method of a job": (
        {"A/Weekly.cs": OWN_JOB}, "A/Weekly.cs", "string Zone", "string IThing.Execute",
    ),
    "a base of jobs leaves a property open": (
        {"A/Base.cs": JOB_BASE, "A/Weekly.cs": JOB_HEIR}, "A/Base.cs", "virtual", "abstract",
    ),
    "a mark whose base is called otherwise": (
        {"A/Mark.cs": PROVIDER, "A/Own.cs": PROVIDED, "A/Best.cs": MARKED, "A/Asks.cs": ASKS}, "A/Mark.cs",
        "api/best", "api/worst",
    ),
    "a property that is called like what a component runs": (
        {"A/Cart.cs": CART, "A/Views/Home/Index.cshtml": "<vc:cart></vc:cart>\n"}, "A/Cart.cs", "Zenith", "Invoke",
    ),
    "a view that means another base by what is given": (
        {"A/Views/_ViewImports.cshtml": "@using Shop\n@inherits Base<dynamic>\n", "A/Other.cs": OTHER_BASE}
        | {"A/Views/Home/Index.cshtml": "@using Shop.Other\n<p>x</p>\n", "Shop/Base.cs": BASE}, "Shop/Base.cs",
        "string Title", "string Zone() { return null; } public string Title",
    ),
    "a program begins": (
        {"A/Go.cs": "namespace Shop;\nclass Go { static void Mine() { } }\n"}
        | {"A/A.csproj": "<Project><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>"},
        "A/Go.cs", "Mine", "Main",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("texts", "path", "old", "new"), CORNERS.values(), ids=CORNERS)
def test_a_member_is_seen_wherever_it_is_something(
    cache: Path, texts: Mapping[str, str], path: str, old: str, new: str
) -> None:
    before = {**TEXTS, **texts}
    assert old in texts[path]
    after = before | {path: texts[path].replace(old, new)}
    anew = contents(tied(after, None))
    assert contents(tied(before, cache)) != anew

    assert contents(tied(after, cache)) == anew
    assert contents(tied(before, cache)) == contents(tied(before, None))


NO_TYPES = (
    "abstract class const delegate enum event interface override partial readonly record static virtual void"
)
HELD = re.compile(rf"public (?!(?:{NO_TYPES.replace(' ', '|')})\b)([\w.]+) (\w+) \{{")
GIVEN = re.compile(rf"public (?!(?:{NO_TYPES.replace(' ', '|')})\b)([\w.]+) (\w+)\(")


def perhaps_null(text: str) -> str:
    """Let all public properties and methods be null, and have these set."""
    return GIVEN.sub(r"public \1? \2(", HELD.sub(r"public required \1? \2 {", text))


def in_groups(corners: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
    """Put texts together that have no path in common."""
    groups: list[dict[str, str]] = []
    for texts in corners:
        group = next((one for one in groups if one.keys().isdisjoint(texts)), None)
        if group is None:
            groups.append(dict(texts))
        else:
            group.update(texts)
    return groups


@pytest.mark.parametrize("texts", in_groups(texts for texts, *_ in CORNERS.values()))
def test_what_may_be_null_or_has_to_be_set_is_nothing_to_other_files(
    cache: Path, texts: Mapping[str, str]
) -> None:
    before = {**TEXTS, **texts}
    after = {path: perhaps_null(text) if path.endswith(".cs") else text for path, text in before.items()}
    tied(before, cache)

    assert contents(tied(after, cache)) == contents(tied(after, None))


def test_a_mark_of_a_file_that_is_what_it_was_again_is_looked_through(cache: Path) -> None:
    """Uses were kept with another body of its, so that it counts as changed, but not for rules."""
    above = BASE_CONTROLLER.partition("[Route")[0].replace("public abs", "[Route(Paths.Zenith)] public abs")
    above = above.replace("public string", "[HttpGet] public string").replace("return", "Go(); return")
    paths = PATHS.replace("Best", "Zenith")
    more = {"A/Above.cs": above, "A/Paths.cs": paths, "A/Asks.cs": ASKS, "A/Best.cs": BELOW_BEST}
    before = {**TEXTS, **more}
    tied(before, cache)
    tied(before | {"A/Above.cs": above.replace("Go()", "Went()")}, cache)
    after = before | {"A/Paths.cs": paths.replace("api/best", "api/worst")}

    assert contents(tied(after, None)) != contents(tied(before, None))
    assert contents(tied(after, cache)) == contents(tied(after, None))


def test_members_are_compared_with_what_rules_saw(cache: Path, looked: list[str]) -> None:
    tied(TEXTS, cache)
    tied(edited("Shop/Idle.cs", "Box box; void", "Box box;\nvoid"), cache)
    looked.clear()

    tied(edited("Shop/Idle.cs", "Box box;", "Box box; Ledger zone;"), cache)

    assert set(looked) >= OF_MEMBERS
