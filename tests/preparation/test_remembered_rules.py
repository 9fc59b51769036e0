"""What rules found is remembered: a graph brought up to date equals one made anew, and few rules look again."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragduck import graph
from ragduck.preparation import known_facts, remembered_rules, tying
from ragduck.preparation.known_facts import KnownFacts
from ragduck.preparation.rules_record import unpacked_rules
from tests.preparation.test_remembered_uses import SNAPSHOT, contents, entries, read, tied

__all__ = ["read"]  # a fixture

ORDERS = """using Microsoft.AspNetCore.Mvc;
namespace Shop;
[Route("api/orders")]
public class OrdersController : ControllerBase {
    private readonly IClock clock;
    public OrdersController(
        IClock clock,
        ILedger ledger) { this.clock = clock; }
    [HttpGet("{id}")]
    public string Get(int id) {
        return clock.Now();
    }
    public IActionResult Show() {
        return View("Show");
    }
}
"""
CLOCK = """namespace Shop;
public interface IClock { string Now(); }
public class Clock : IClock { public string Now() { Last("now"); return null; } }
public class Watch : IClock { public string Now() { return "then"; } }
public interface ILedger { }
public class Ledger : ILedger { public Ledger(
    IClock clock) { } }
"""
SETUP = """namespace Shop;
class Setup { void Go(IServiceCollection services, IEndpointRouteBuilder app) {
    services.AddScoped<IClock, Clock>();
    app.MapGet("/health", Health);
} static string Health() { return ""; } }
"""
CLIENT = """namespace Shop;
class Client { HttpClient http; Box box;
    void Load() { http.GetAsync("/api/orders/1"); }
    void Other() { box.GetAsync("/api/orders/1"); Send("/api/orders/2"); }
    void Send(string path) { http.GetAsync(path); }
}
class Box { public void GetAsync(string path) { } }
"""
IDLE = "namespace Shop;\nclass Idle { Box box; void Go() { box.GetAsync(null); } }\n"
SCRIPT = "export function load() { fetch('/api/orders/3'); }\n"
HUB = """namespace Shop;
public class Board : Hub { public void Join() { Clients.All.SendAsync("joined"); } }
"""
LISTENER = (
    "export function listen(connection) { connection.on('joined', joined); connection.invoke('Join'); }\n"
)
PAGE = """@model Shop.Clock
@inject Shop.IClock Clock
<a asp-controller="Orders" asp-action="Show">x</a>
<p>@Clock.Now()</p>
"""
PARTS = "@using Shop\n@inherits Shop.Base<dynamic>\n"
BASE = "namespace Shop;\npublic class Base<T> : RazorPage<T> { public string Title() { return null; } }\n"
MODEL = """namespace Shop;
class Shelf : DbContext { public DbSet<Book> Books { get; set; }
    protected override void OnModelCreating(ModelBuilder builder) { builder.Entity<Page>(); } }
class Book { } class Page { }
"""
JOBS = """namespace Shop;
class Nightly { public void Run() { } }
class Planner { void Plan(IBackgroundJobClient jobs) { jobs.Enqueue<Nightly>(one => one.Run()); } }
"""
MAKER = "namespace Shop;\nclass Maker { void Make() { var it = new Ledger(null); } }\n"
SCRIPTS = "create table dbo.Orders (Id int);\ngo\ncreate view dbo.Late as select Id from dbo.Orders;\n"
TEXTS = {
    "Shop/OrdersController.cs": ORDERS,
    "Shop/Clock.cs": CLOCK,
    "Shop/Setup.cs": SETUP,
    "Shop/Client.cs": CLIENT,
    "Shop/Idle.cs": IDLE,
    "Shop/Board.cs": HUB,
    "Shop/Base.cs": BASE,
    "Shop/Shelf.cs": MODEL,
    "Shop/Jobs.cs": JOBS,
    "Shop/Maker.cs": MAKER,
    "Shop/Views/Orders/Show.cshtml": PAGE,
    "Shop/Views/_ViewImports.cshtml": PARTS,
    "Web/load.ts": SCRIPT,
    "Web/listen.ts": LISTENER,
    "Db/Orders.sql": SCRIPTS,
}
VARIANTS: Mapping[str, tuple[str | None, ...]] = {
    "Shop/OrdersController.cs": (
        ORDERS,
        ORDERS.replace("return clock.Now();", "\n\n        return null;"),
        ORDERS.replace("IClock clock,\n", "IClock clock,\n\n"),
        ORDERS.replace('View("Show")', 'RedirectToAction("Get")'),
        ORDERS.replace('View("Show")', "Show()"),
        ORDERS.replace('"{id}"', '"{id}/all"'),
        None,
    ),
    "Shop/Clock.cs": (
        CLOCK,
        CLOCK.replace('Last("now");', "Watch.Next();"),
        CLOCK.replace("public class Watch", "\n\npublic class Watch"),
        CLOCK.replace("Ledger(\n    IClock", "Ledger(\n\n    IClock"),
        CLOCK.replace("class Watch : IClock", "class Watch"),
        CLOCK.replace("class Watch : IClock {", "class Watch : IClock { public int Zone() { return 1; }"),
    ),
    "Shop/Setup.cs": (
        SETUP,
        SETUP.replace("IClock, Clock", "IClock, Watch"),
        SETUP.replace("/health", "/alive"),
        SETUP.replace("app.MapGet", "\n    app.MapPost"),
        SETUP.replace('return "";', "return null;"),
        None,
    ),
    "Shop/Client.cs": (
        CLIENT,
        CLIENT.replace("orders/1", "orders/7/all"),
        CLIENT.replace('Send("/api/orders/2");', ""),
        CLIENT.replace("http.GetAsync(path)", "box.GetAsync(path)"),
        CLIENT.replace("void Other", "\n    void Other"),
        None,
    ),
    "Shop/Idle.cs": (
        IDLE,
        IDLE.replace("null", '"/api/orders/9"'),
        IDLE.replace("box.GetAsync", "new HttpClient().GetAsync").replace("null", '"/api/orders/9"'),
        IDLE.replace("box.GetAsync(null)", "new Client().Send(null)"),
        IDLE.replace("box.GetAsync(null)", "new Watch()"),
        IDLE.replace("Box box;", "HttpClient box;"),
    ),
    "Shop/Board.cs": (HUB, HUB.replace("joined", "left"), HUB.replace("{ Clients", "{\n\n Clients"), None),
    "Shop/Base.cs": (BASE, BASE.replace("Title()", "Now()"), BASE.replace("null", "Write(1)"), "\n" + BASE),
    "Shop/Shelf.cs": (
        MODEL,
        MODEL.replace("builder.Entity<Page>();", ""),
        MODEL.replace("Entity<Page>", "Entity<Idle>"),
        MODEL.replace("DbSet<Book>", "List<Book>"),
    ),
    "Shop/Jobs.cs": (JOBS, JOBS.replace("jobs.Enqueue<Nightly>(one => one.Run());", ""), "\n" + JOBS),
    "Shop/Maker.cs": (
        MAKER,
        MAKER.replace("void", "void Zone(Watch one) { one.Zone(); } void"),
        MAKER.replace("new Ledger(null)", "new Watch()"),
        MAKER.replace("new", "\nnew"),
        None,
    ),
    "Shop/Views/Orders/Show.cshtml": (
        PAGE,
        "\n" + PAGE,
        PAGE.replace('asp-action="Show"', 'asp-action="Get"'),
        PAGE.replace("<a", "\n<a"),
        PAGE.replace("@Clock.Now()", "@Clock"),
        None,
    ),
    "Shop/Views/_ViewImports.cshtml": (PARTS, PARTS.replace("@inherits", "\n@inherits"), "@using Shop\n", None),
    "Web/load.ts": (SCRIPT, SCRIPT.replace("orders/3", "orders/all"), SCRIPT.replace("{ fetch", "{\nfetch"), None),
    "Web/listen.ts": (LISTENER, LISTENER.replace("'Join'", "'Leave'"), LISTENER.replace("joined'", "left'")),
    "Db/Orders.sql": (SCRIPTS, "\n" + SCRIPTS, SCRIPTS.replace("Late", "Later"), None),
}  # fmt: skip


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tying, "SHARED_BYTES", 0)
    return tmp_path / "cache.sqlite3"


def edited(path: str, old: str, new: str) -> dict[str, str | None]:
    assert old in TEXTS[path]
    return TEXTS | {path: TEXTS[path].replace(old, new)}


def looking_again(cache: Path, looked: list[str], texts: Mapping[str, str | None]) -> set[str]:
    """Tie, change files, tie again; return which rules looked anew, and hold the graph to one made anew."""
    tied(TEXTS, cache)
    looked.clear()
    after = tied(texts, cache)
    again = set(looked) - {"shared"}
    assert contents(after) == contents(tied(texts, None))
    return again


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("Shop/Clock.cs", 'Last("now");', "\n\nWatch.Next();"),
        ("Shop/Clock.cs", "(\n    IClock", "(\n\n\n    IClock"),
        ("Shop/OrdersController.cs", "IClock clock,", "\n\nIClock clock,"),
        ("Shop/Idle.cs", "box.GetAsync(null)", "\nbox.GetAsync(box)"),
        ("Shop/Maker.cs", "var it =", ""),
        ("Shop/Clock.cs", 'Last("now");', "Last.GetAsync(null);"),
        ("Shop/Views/_ViewImports.cshtml", "@inherits", "\n@inherits"),
    ],
    ids=[
        "body",
        "lines of a constructor",
        "lines of a controller",
        "an idle file",
        "no names",
        "a name of what sends",
        "a given base",
    ],
)
def test_an_edit_that_no_rule_looks_at_lets_all_find_what_they_found(
    cache: Path, looked: list[str], path: str, old: str, new: str
) -> None:
    if "Controller" in path:  # whose statements lead to views
        assert looking_again(cache, looked, edited(path, old, new)) == {"views"}
    else:
        assert looking_again(cache, looked, edited(path, old, new)) == set()


@pytest.mark.parametrize(
    ("path", "old", "new", "rule"),
    [
        ("Shop/Client.cs", "orders/1", "orders/all/1", "requests"),
        ("Shop/Idle.cs", "box.GetAsync(null)", 'new HttpClient().GetAsync("/api/orders/9")', "requests"),
        ("Shop/Maker.cs", "var it =", 'new HttpClient().GetAsync("/api/orders/8"); var it =', "requests"),
        ("Web/load.ts", "fetch", "\nfetch", "requests"),
        ("Shop/Board.cs", "joined", "left", "hubs"),
        ("Shop/OrdersController.cs", 'View("Show")', 'View("Hide")', "views"),
        ("Shop/Views/Orders/Show.cshtml", "<a", "\n<a", "views"),
        ("Shop/Shelf.cs", "Entity<Page>", "Entity<Idle>", "roles"),
        ("Shop/Jobs.cs", "one.Run()", "one.ToString()", "enqueued jobs"),
        ("Shop/Setup.cs", "IClock, Clock", "IClock, Watch", "injections"),
        ("Shop/Maker.cs", "new Ledger(null)", "new Watch()", "injections"),
    ],
)
def test_a_rule_looks_again_at_what_it_looked_at(
    cache: Path, looked: list[str], path: str, old: str, new: str, rule: str
) -> None:
    assert rule in looking_again(cache, looked, edited(path, old, new))


def test_where_a_view_leads_is_nothing_to_what_others_use(
    cache: Path, read: list[str], looked: list[str]
) -> None:
    path = "Shop/Views/Orders/Show.cshtml"
    texts = TEXTS | {path: PAGE.replace("</a>", '</a><a asp-controller="Orders" asp-action="Get">y</a>')}
    tied(TEXTS, cache)
    read.clear()

    after = tied(texts, cache)

    assert read == [path]
    assert {"views", "requests"} <= set(looked)
    assert contents(after) == contents(tied(texts, None))
    assert contents(after)[1] != contents(tied(TEXTS, None))[1]


GAUGES = """namespace Shop;
interface IGauge { }
class Dial : IGauge { }
class Meter : IGauge { }
class Board2 { public Board2(IGauge gauge) { } }
class Making { void Make() { var it = new Board2(null); } }
"""


def test_who_makes_a_class_is_nothing_to_injections_unless_several_may_be_given(
    cache: Path, looked: list[str]
) -> None:
    made = TEXTS | {"Shop/Gauges.cs": GAUGES}
    tied(made, cache)
    looked.clear()
    without_ledger = made | {"Shop/Maker.cs": MAKER.replace("new Ledger(null)", "null")}
    tied(without_ledger, cache)
    assert "injections" not in looked

    asked = without_ledger | {"Shop/Gauges.cs": GAUGES.replace("new Board2(null)", "null")}
    after = tied(asked, cache)

    assert "injections" in looked
    assert contents(after) == contents(tied(asked, None))
    assert contents(after)[1] != contents(tied(without_ledger, None))[1]


def test_all_rules_look_again_when_something_else_changed(cache: Path, looked: list[str]) -> None:
    texts = edited("Web/load.ts", "export function", "export function more() {}\nexport function")

    assert {"names", "roles", "views", "requests", "nodes"} <= looking_again(cache, looked, texts)


def test_what_scripts_define_is_nothing_to_rules_for_code(cache: Path, looked: list[str]) -> None:
    assert looking_again(cache, looked, edited("Db/Orders.sql", "Late", "Later")) == set()


def test_no_rule_for_code_looks_at_what_scripts_define() -> None:
    folder = Path(graph.__file__).parent
    modules = [path for kind in ("code", "types") for path in (folder / kind).glob("*.py")]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in modules]
    read = {one.attr for tree in trees for one in ast.walk(tree) if isinstance(one, ast.Attribute)}

    assert "statements" in read
    assert read.isdisjoint(("objects", "references"))


@pytest.mark.parametrize("new", ["class Book2", "sealed class Ledger"])
def test_rules_that_go_by_more_than_declarations_look_again_when_types_changed(
    cache: Path, looked: list[str], new: str
) -> None:
    assert {"names", "views", "requests"} <= looking_again(
        cache, looked, edited("Shop/Clock.cs", "class Ledger", new)
    )


@pytest.mark.parametrize("path", ["Db/Orders.sql", "Web/load.ts", "Shop/Idle.cs"])
def test_all_rules_look_again_when_a_file_is_gone(cache: Path, looked: list[str], path: str) -> None:
    assert {"names", "views", "nodes"} <= looking_again(cache, looked, TEXTS | {path: None})


def test_constructors_that_come_to_stand_on_one_line_are_told_apart_no_more(
    cache: Path, looked: list[str]
) -> None:
    apart = CLOCK.replace("class Watch : IClock {", "class Watch : IClock { public Watch(IClock one) { }\n"
        " public Watch(IClock two, int all) { }")  # fmt: skip
    together = apart.replace("{ }\n public Watch(IClock two", "{ } public Watch(IClock two")
    tied(TEXTS | {"Shop/Clock.cs": apart}, cache)
    looked.clear()

    after = tied(TEXTS | {"Shop/Clock.cs": together}, cache)

    assert "injections" in looked
    assert contents(after) == contents(tied(TEXTS | {"Shop/Clock.cs": together}, None))


def test_nothing_is_kept_anew_while_rules_find_the_same(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tied(TEXTS, cache)
    monkeypatch.setattr(remembered_rules, "packed_rules", None)
    for number in range(3):
        texts = edited("Shop/Clock.cs", '"now"', f'"now {number}"')

        assert contents(tied(texts, cache)) == contents(tied(texts, None))


def test_what_differs_in_many_files_is_kept_anew(
    cache: Path, looked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered_rules, "FEW_CHANGED", 0)
    tied(TEXTS, cache)
    before = entries(cache)[key_of_rules(cache)]

    tied(edited("Shop/Clock.cs", '"now"', "null"), cache)

    assert entries(cache)[key_of_rules(cache)] != before


def test_rules_that_other_code_made_are_not_believed(
    cache: Path, looked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tied(TEXTS, cache)
    looked.clear()
    monkeypatch.setattr(known_facts, "code_fingerprint", lambda *_, **__: b"other")

    tied(TEXTS, cache)

    assert {"names", "roles", "nodes"} <= set(looked)


def key_of_rules(cache: Path) -> bytes:
    return KnownFacts(cache, SNAPSHOT, ()).key_of("rules")


def test_what_was_found_is_read_back_whole_and_under_its_own_key(cache: Path) -> None:
    tied(TEXTS, cache)
    key = key_of_rules(cache)
    data = entries(cache)[key]

    assert unpacked_rules(data, key=key[::-1]) is None
    assert unpacked_rules(data[:-9], key=key) is None
    assert unpacked_rules(data, key=key) is not None


snapshots = st.fixed_dictionaries({path: st.sampled_from(texts) for path, texts in VARIANTS.items()})
edits = st.tuples(st.sampled_from(sorted(VARIANTS)), st.integers(0, 5))


@pytest.mark.slow
@pytest.mark.usefixtures("_without_a_threshold")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(snapshots, st.lists(st.lists(edits, min_size=1, max_size=2), min_size=1, max_size=4))
def test_a_graph_of_remembered_rules_equals_one_made_anew(
    texts: dict[str, str | None], steps: list[list[tuple[str, int]]]
) -> None:
    with TemporaryDirectory() as folder:
        cache = Path(folder) / "cache.sqlite3"
        tied(texts, cache)
        for step in steps:
            for path, number in step:
                texts[path] = VARIANTS[path][number % len(VARIANTS[path])]

            assert contents(tied(texts, cache)) == contents(tied(texts, None))
