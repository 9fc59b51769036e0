"""What files send is remembered by file, and read again where an edit can matter to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code import sent_requests
from ragduck.graph.code.request_clients import Sending, sendings_of
from ragduck.graph.rule_memory import Finding, RuleMemory
from ragduck.graph.types.catalog import Catalog
from ragduck.preparation import tying
from tests.preparation.test_remembered_uses import contents, tied

ORDERS = """using Microsoft.AspNetCore.Mvc;
namespace Shop;
[Route("api/orders")]
public class OrdersController : ControllerBase {
    [HttpGet("{id}")] public string Get(int id) { return null; }
    [HttpGet("all")] public string All() { return null; }
}
"""
TEXTS = {
    "Shop/OrdersController.cs": ORDERS,
    "Shop/Paths.cs": (
        'namespace Shop;\nstatic class Paths { public const string Orders = Root.Api + "/orders"; }\n'
    ),
    "Shop/Root.cs": (
        "namespace Shop;\nstatic class Root {\n"
        '    public const string Api = "/api"; public const string Bills = "/api/bills"; }\n'
    ),
    "Shop/Client.cs": (
        'namespace Shop;\nclass Client { HttpClient http; void Go() { http.GetAsync("/api/orders/1"); } }\n'
    ),
    "Shop/Named.cs": (
        "namespace Shop;\n"
        'class Named { HttpClient http; void Go() { http.GetAsync(Paths.Orders + "/2"); } }\n'
    ),
    "Shop/Base.cs": (
        "namespace Shop;\n"
        "class Base { HttpClient http; public void Load(string url) { http.GetAsync(url); } }\n"
    ),
    "Shop/Desk.cs": 'namespace Shop;\nclass Desk { Base it; void Go() { it.Load("/api/orders/3"); } }\n',
    "Shop/Middle.cs": (
        "namespace Shop;\nclass Middle { Base it; public void Fetch(string url) { it.Load(url); } }\n"
    ),
    "Shop/Top.cs": 'namespace Shop;\nclass Top { Middle it; void Go() { it.Fetch("/orders/5"); } }\n',
    "Shop/BillsController.cs": (
        "namespace Shop;\nclass BillsController : ControllerBase {\n"
        "    [HttpGet(Root.Bills)] public string Get(int id) { return null; } }\n"
    ),
    "Shop/Bills.cs": (
        'namespace Shop;\nclass Bills { HttpClient http; void Go() { http.GetAsync("/api/bills"); } }\n'
    ),
    "Shop/Idle.cs": "namespace Shop;\nclass Idle { Box box; void Go() { box.GetAsync(null); } }\n",
    "Shop/Box.cs": "namespace Shop;\nclass Box { public void GetAsync(string one) { } }\n",
    "Shop/Clock.cs": "namespace Shop;\nclass Clock { public string Now() { return null; } }\n",
    "Shop/Api.cs": (
        "using Refit;\n"
        'namespace Shop;\ninterface IApi {\n    [Get("/api/orders/{id}")] string One(int id); }\n'
    ),
    "Web/load.ts": "import { ROOT } from './root';\nexport function load() { fetch(ROOT + '/orders/4'); }\n",
    "Web/root.ts": "export const ROOT = '/api';\n",
}
ALL = {
    "Shop/Client.cs",
    "Shop/Named.cs",
    "Shop/Base.cs",
    "Shop/Bills.cs",
    "Shop/Idle.cs",
}  # that call what may send something
LEANING = ALL - {"Shop/Idle.cs"}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tying, "SHARED_BYTES", 0)
    return tmp_path / "cache.sqlite3"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    paths: set[str] = set()

    def noted(file: FileFacts, catalog: Catalog) -> Iterable[Sending]:
        paths.add(file.path)
        return sendings_of(file, catalog)

    monkeypatch.setattr(sent_requests, "sendings_of", noted)
    return paths


def read_again(cache: Path, read: set[str], texts: Mapping[str, str]) -> set[str]:
    """Tie, change files, tie again; return what was read for requests, and hold the graph to one made anew."""
    tied(TEXTS, cache)
    assert read == ALL
    read.clear()
    after = tied(texts, cache)
    again = set(read)
    assert contents(after) == contents(tied(texts, None))
    return again


def edited(path: str, old: str, new: str) -> dict[str, str]:
    assert old in TEXTS[path]
    return TEXTS | {path: TEXTS[path].replace(old, new)}


@pytest.mark.parametrize(
    ("path", "old", "new", "files"),
    [
        ("Shop/Clock.cs", "public", "public void Stop() { } public", set()),
        ("Shop/Clock.cs", "return null;", "\n\nreturn null;", set()),
        ("Shop/Clock.cs", "class Clock", "class Hour { } class Clock", LEANING),
        ("Shop/Box.cs", "string one", "int one", ALL),
        ("Shop/Root.cs", '"/api"', '"/v1"', {"Shop/Named.cs"}),
        ("Shop/Root.cs", '"/api/bills"', '"/api/sums"', LEANING),
        ("Shop/Client.cs", "orders/1", "orders/all", {"Shop/Client.cs"}),
        ("Shop/Client.cs", "class", "\n\nclass", {"Shop/Client.cs"}),
        ("Shop/OrdersController.cs", '"all"', '"each"', set()),
        ("Shop/Desk.cs", "Load(", "Loud(", set()),
        ("Shop/Api.cs", "orders", "bills", set()),
        ("Shop/Api.cs", "    [Get", "\n\n    [Get", set()),
        ("Web/root.ts", "'/api'", "'/v1'", set()),
        ("Web/load.ts", "orders/4", "orders/all", set()),
    ],
)
def test_requests_are_read_again_in_files_to_which_an_edit_can_matter(
    cache: Path, read: set[str], path: str, old: str, new: str, files: set[str]
) -> None:
    assert read_again(cache, read, edited(path, old, new)) == files


@pytest.mark.parametrize("sent", ["http.Dispose()", 'http.GetAsync("/api" + url)'])
def test_what_a_method_sends_is_followed_to_who_calls_it(cache: Path, read: set[str], sent: str) -> None:
    texts = edited("Shop/Base.cs", "http.GetAsync(url)", sent)

    assert read_again(cache, read, texts) <= {"Shop/Base.cs"}


SENDERS = {
    "Shop/Pay.cs": "namespace Shop;\nclass Pay : IRequest { }\n",
    "Shop/PayHandler.cs": (
        "namespace Shop;\nclass PayHandler : IRequestHandler<Pay> { public Task Handle(Pay one) { return null; } }\n"
    ),
    "Shop/Bus.cs": "namespace Shop;\nclass Bus { IMediator it; public void Push(object one) { it.Send(one); } }\n",
    "Shop/Till.cs": "namespace Shop;\nclass Till { Bus bus; void Go() { bus.Push(new Pay()); } }\n",
    "Shop/Clock.cs": "namespace Shop;\nclass Clock { public string Now() { return null; } }\n",
}


@pytest.mark.parametrize(
    ("path", "old", "new", "rules"),
    [
        ("Shop/Clock.cs", "public", "public void Stop() { } public", set()),
        ("Shop/PayHandler.cs", "Handle(", "Ignore(", {"messages", "senders"}),
        ("Shop/Pay.cs", "{ }", "{ public int Sum; }", set()),
        ("Shop/Clock.cs", "return null;", "bus.Push(null); return null;", set()),
        ("Shop/Clock.cs", "return null;", "it.Send(null); return null;", set()),
        (
            "Shop/Clock.cs",
            "public",
            "public void Tell(object one) { it.Send(one); } public",
            {"senders"},
        ),
        ("Shop/Bus.cs", "public void Push", "public void Shove", {"senders"}),
    ],
)
def test_who_sends_messages_is_found_again_where_a_member_may_handle_or_send(
    cache: Path, monkeypatch: pytest.MonkeyPatch, path: str, old: str, new: str, rules: set[str]
) -> None:
    looked: set[str] = set()
    learn = RuleMemory._learn

    def noted(self: RuleMemory, name: str, finding: Finding) -> Finding:
        looked.add(name)
        return learn(self, name, finding)

    monkeypatch.setattr(RuleMemory, "_learn", noted)
    tied(SENDERS, cache)
    looked.clear()
    texts = SENDERS | {path: SENDERS[path].replace(old, new)}

    after = tied(texts, cache)

    assert looked & {"messages", "senders"} == rules
    assert contents(after) == contents(tied(texts, None))


ZONE = "namespace Shop;\nstatic class Zone {{ public const string Root = {}; }}\n"
ASKING = """namespace Shop;
class Asking { HttpClient http; IBus bus;
    void First() { http.GetAsync("/api/first/list"); }
    void Second() { http.GetAsync("/api/second/list"); }
    void Tell() { bus.Publish(Topic.Open); }
}
"""
LISTS = (
    "namespace Shop.Lists;\n{}public class ListsController : Controller {{ {}public void List() {{ }} }}\n"
)


@pytest.mark.parametrize(
    "texts",
    [
        {
            "Shop/Topic.cs": 'namespace Shop;\nclass Topic { public const string Open = Zone.Root + "/open"; }\n',
            "Shop/Ear.cs": 'namespace Shop;\nclass Ear { [CapSubscribe("api/second/open")] void Hear() { } }\n',
        },
        {
            "Shop/OwnRoute.cs": "namespace Shop;\nclass OwnRouteAttribute : Attribute, IRouteTemplateProvider "
            "{ public string Template => Zone.Root; }\n",
            "Shop/Lists.cs": LISTS.format("[OwnRoute] ", '[HttpGet("list")] '),
        },
        {
            "Shop/OwnRoute.cs": "namespace Shop;\nclass OwnRouteAttribute : Attribute, IRouteTemplateProvider "
            "{ public string Template { get; } public OwnRouteAttribute() { Template = Zone.Root; } }\n",
            "Shop/Lists.cs": LISTS.format("[OwnRoute] ", '[HttpGet("list")] '),
        },
        {
            "Shop/Lists/Area.cs": "namespace Shop.Lists;\nclass ListsAreaRegistration : AreaRegistration "
            "{ public override string AreaName => Zone.Root; }\n",
            "Shop/Lists.cs": LISTS.format("", "").replace("ListsController", "ListController"),
            "Shop/Asking.cs": ASKING.replace("/list", "/list/list").replace("/api/", "/api"),
        },
    ],
)
def test_what_is_called_by_a_constant_is_found_again_where_that_is_made_of_another_which_changed(
    cache: Path, texts: Mapping[str, str]
) -> None:
    root = '"api{}"' if "Shop/Lists/Area.cs" in texts else '"api/{}"'
    before, after = (
        {"Shop/Asking.cs": ASKING, "Shop/Zone.cs": ZONE.format(root.format(one)), **texts}
        for one in ("first", "second")
    )
    tied(before, cache)

    found = contents(tied(after, cache))

    assert found == contents(tied(after, None))
    assert found[1] != contents(tied(before, None))[1]


def test_an_address_that_was_not_known_is_read_again_where_a_mark_names_what_it_is_made_of(
    cache: Path,
) -> None:
    texts = {
        "Shop/OrdersController.cs": ORDERS.replace('[HttpGet("all")]', '[HttpGet("all"), Note(Zone.Root)]'),
        "Shop/Zone.cs": ZONE.format("Made()"),
        "Shop/Base.cs": "namespace Shop;\nclass Base { protected string path = Zone.Root; }\n",
        "Shop/Sender.cs": "namespace Shop;\nclass Sender { HttpClient http; "
        "public void Send(string path) { http.GetAsync(path); } }\n",
        "Shop/Caller.cs": "namespace Shop;\nclass Caller : Base { Sender it; void Go() { it.Send(path); } }\n",
    }
    tied(texts, cache)
    texts["Shop/Zone.cs"] = ZONE.format('"/api/orders/all"')

    found = contents(tied(texts, cache))

    assert found == contents(tied(texts, None))
    assert any(one["rule"] == "http request" and "Caller.Go" in one["from_key"] for one in found[1])
