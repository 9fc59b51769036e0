"""What is told of all files together matters to those that ask for it: they are read again, and no others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ragduck.edge_table import EdgeTable
from ragduck.graph.code.file_uses import FileUses
from ragduck.graph.told import in_graph, renamed_otherwise
from ragduck.graph.types.looks import Watch
from ragduck.model import Edge
from ragduck.preparation import remembered_uses, tying
from tests.preparation.test_remembered_uses import SNAPSHOT, cache, packed, read

__all__ = ["cache", "read"]  # fixtures

Texts = Mapping[str, str | None]

STARTUP = """class Startup { Box box;
    void Go(IServiceCollection services) { services.AddScoped<IStore, FileStore>(); box.Lift(); }
}
"""
TEXTS: Mapping[str, str] = {
    "Shop/Stores.cs": """interface IStore { void Save(); int Weight { get; } }
class FileStore : IStore { Box box; public void Save() { } public int Weight { get { return 1; } } }
class CloudStore : IStore { Box box; public void Save() { } public int Weight { get { return 2; } } }
interface IClock { void Tick(); }
class Sundial : IClock { public void Tick() { } }
class Pendulum : IClock { public void Tick() { } }
class Box { public void Lift() { } public int Size() => 1; }
""",
    "Shop/Cart.cs": "class Cart { IStore store; void Run() { store.Save(); } }\n",
    "Shop/Desk.cs": "class Desk { IStore store; void Open() { store.Save(); } }\n",
    "Shop/Scale.cs": "class Scale { IStore store; int Weigh() { return store.Weight; } }\n",
    "Shop/Timer.cs": "class Timer { IClock clock; void Go() { clock.Tick(); } }\n",
    "Shop/Runner.cs": "class Runner { public Runner(IEnumerable<IClock> clocks, Box box) { } void Go() { } }\n",
    "Shop/Startup.cs": STARTUP,
    "Shop/Messages.cs": "class Paid { }\nclass Lost { }\n",
    "Shop/Receipt.cs": """class Receipt : IHandler<Paid> { public void Handle(Paid paid) { } }
class Refund { public void Take(Lost lost) { } }
""",
    "Shop/Till.cs": "class Till { IBus bus; void Pay() { bus.Publish(new Paid()); } }\n",
    "Shop/Alarm.cs": "class Alarm { IBus bus; void Cry() { bus.Publish(new Lost()); } }\n",
    "Shop/Relay.cs": """class Relay { IBus bus; Box box;
    public void Tell(object it) { bus.Publish(it); }
    public void Hold(object it) { box.Lift(); }
}
""",
    "Shop/Teller.cs": "class Teller { Relay relay; void Go() { relay.Tell(new Paid()); } }\n",
    "Shop/Holder.cs": "class Holder { Relay relay; void Go() { relay.Hold(new Paid()); } }\n",
    "Shop/Names.cs": 'class Names { const string Root = "shop"; public const string Open = Root + ".open"; }\n',
    "Shop/Ear.cs": """class Ear { [CapSubscribe("shop.open")] public void Hear() { } public void Rest() { } }
class Nose { [CapSubscribe("shop.shut")] public void Smell() { } }
""",
    "Shop/Bell.cs": "class Bell { void Ring() { PublishLoud(Names.Open); } }\n",
    "Shop/Gong.cs": 'class Gong { void Ring() { PublishLoud("shop.late"); } }\n',
    "Shop/Data.cs": """class Data { public Set<Box> Boxes { get; set; } }
class Migration0 : Migration { public void Up() { } }
""",
    "Shop/Reader.cs": "class Reader { Data data; Migration0 first; void Go() { data.Boxes.Add(1); first.Up(); } }\n",
    "Shop/Idle.cs": "class Idle { Box box; void Doze() { box.Lift(); } }\n",
}  # fmt: skip
EDITS: Mapping[str, tuple[str, str, str]] = {
    "other registration": ("Shop/Startup.cs", "FileStore>", "CloudStore>"),
    "registration gone": ("Shop/Startup.cs", "services.AddScoped<IStore, FileStore>();", ""),
    "first registration": ("Shop/Startup.cs", "box.Lift()", "services.AddScoped<IClock, Sundial>()"),
    "made": ("Shop/Idle.cs", "box.Lift()", "new CloudStore()"),
    "made where no container knows": ("Shop/Idle.cs", "box.Lift()", "new Sundial()"),
    "asked for singly": ("Shop/Startup.cs", "box.Lift()", "services.GetService<IClock>()"),
    "not asked for singly": ("Shop/Startup.cs", "box.Lift()", "services.GetService<IStore>()"),
    "in no list": ("Shop/Idle.cs", "box.Lift()", "new Runner(null, null)"),
    "in a list": ("Shop/Startup.cs", "box.Lift()", "services.GetServices<IStore>()"),
    "scan": (
        "Shop/Startup.cs",
        "box.Lift()",
        "services.Scan(s => s.FromAssemblyOf<Cart>().AddClasses().AsImplementedInterfaces())",
    ),
    "scan for one": (
        "Shop/Idle.cs",
        "box.Lift()",
        "services.Scan(s => s.FromAssemblyOf<Cart>().AddClasses(c => c.AssignableTo<IStore>()))",
    ),
    "other handler": ("Shop/Receipt.cs", "Handle(", "Consume("),
    "handler gone": ("Shop/Receipt.cs", "Handle(", "Take("),
    "first handler": ("Shop/Receipt.cs", "class Refund {", "class Refund : IHandler<Lost> {"),
    "begins to send": ("Shop/Relay.cs", "box.Lift()", "bus.Publish(it)"),
    "sends no more": ("Shop/Relay.cs", "bus.Publish(it)", "box.Lift()"),
    "first subscriber": ("Shop/Ear.cs", "public void Rest", '[CapSubscribe("shop.late")] public void Rest'),
    "subscriber gone": ("Shop/Ear.cs", '[CapSubscribe("shop.open")]', ""),
    "text of a text": ("Shop/Names.cs", '"shop"', '"house"'),
    "acts": ("Shop/Stores.cs", "{ return 1; }", "{ return box.Size(); }"),
    "acts unseen": ("Shop/Data.cs", "Boxes { get; set; }", "Boxes { get { return Made(); } }"),
    "other key": ("Shop/Data.cs", "Set<Box>", "DbSet<Box>"),
    "other key of a type": ("Shop/Data.cs", ": Migration {", ": Emigration {"),
}


def contents(texts: Texts, cache: Path | None) -> tuple[Any, ...]:
    facts = [packed(path, text) for path, text in texts.items() if text is not None]
    tied = tying.tie(SNAPSHOT, facts, folder=Path("unused"), processes=1, cache=cache)
    return tied.rows.nodes.to_pylist(), tied.rows.edges.to_pylist(), tied.problems


def edited(texts: Mapping[str, str], *names: str) -> dict[str, str]:
    found = dict(texts)
    for name in names:
        path, old, new = EDITS[name]
        found[path] = found[path].replace(old, new)
    return found


def read_again(cache: Path, read: list[str], before: Texts, after: Texts) -> set[str]:
    """Tie, change files, tie again; return what was read, and hold the graph to one made anew."""
    contents(before, cache)
    read.clear()
    found = contents(after, cache)
    again = set(read)
    assert found == contents(after, None)
    return again - {path for path, text in after.items() if before.get(path) != text}


@pytest.mark.parametrize(
    ("name", "asking"),
    [
        ("other registration", "Cart Desk Scale"),
        ("registration gone", "Cart Desk Scale"),
        ("first registration", "Timer"),
        ("made", "Cart Desk Scale"),
        ("made where no container knows", ""),
        ("asked for singly", "Timer"),
        ("not asked for singly", ""),
        ("in no list", "Timer"),
        ("in a list", "Cart Desk Scale"),
        ("scan", "Cart Desk Scale"),
        ("scan for one", "Cart Desk Scale"),
        ("handler gone", "Teller Till"),
        ("first handler", "Alarm"),
        ("begins to send", "Holder"),
        ("sends no more", "Teller"),
        ("first subscriber", "Gong"),
        ("subscriber gone", "Bell"),
        ("text of a text", "Alarm Bell Gong Relay Till"),
        ("acts", "Scale"),
        ("acts unseen", ""),
        ("other key", "Reader"),
        ("other key of a type", "Reader"),
    ],
)
def test_files_that_ask_for_what_is_told_otherwise_are_read_again(
    cache: Path, read: list[str], name: str, asking: str
) -> None:
    again = read_again(cache, read, TEXTS, edited(TEXTS, name))

    assert sorted(Path(path).stem for path in again) == asking.split()


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("Shop/Receipt.cs", ": IHandler<Paid>", ": IOther<Paid>"),
        ("Shop/Startup.csproj", "../Stores", "$(Stores)"),
        ("Shop/Ear.cs", "CapSubscribe", "Hears"),
    ],
    ids=["last handler", "projects", "last subscriber"],
)
def test_what_may_matter_to_any_file_has_all_read(
    cache: Path, read: list[str], path: str, old: str, new: str
) -> None:
    reference = '<Project><ProjectReference Include="../Stores/A.csproj"/></Project>'
    texts = {**TEXTS, "Shop/Startup.csproj": reference}
    changed = {**texts, path: texts[path].replace(old, new)}

    again = read_again(cache, read, texts, changed)

    assert again == texts.keys() - {path}


def test_all_are_read_where_many_ask(cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered_uses, "FEW_FILES", 3)
    monkeypatch.setattr(remembered_uses, "READ_SHARE", 0)

    again = read_again(cache, read, TEXTS, edited(TEXTS, "other registration"))

    assert again == TEXTS.keys() - {"Shop/Startup.cs"}


def test_who_asks_is_noted_of_files_that_are_read_again(cache: Path, read: list[str]) -> None:
    contents(edited(TEXTS, "first registration"), cache)
    contents(TEXTS, cache)

    again = read_again(cache, read, TEXTS, edited(TEXTS, "first registration"))

    assert again == {"Shop/Timer.cs"}


def test_a_base_of_a_type_that_is_handed_a_list_goes_through_the_list(cache: Path, read: list[str]) -> None:
    base = """class Running { protected List<IClock> clocks;
    void Go() { foreach (var one in clocks) { one.Tick(); } }
}
"""
    texts = {**TEXTS, "Shop/Running.cs": base}
    runner = texts["Shop/Runner.cs"].replace("class Runner", "class Runner : Running")

    again = read_again(cache, read, texts, {**texts, "Shop/Runner.cs": runner})

    assert again >= {"Shop/Running.cs"}


def test_what_a_handler_takes_beside_its_message_matters_to_those_that_send_it(
    cache: Path, read: list[str]
) -> None:
    guard = """class May : IAuthorizationRequirement { }
class Guard : AuthorizationHandler<May, Part> { Task HandleRequirementAsync(Context c, May may, Part part) { } }
class Other : AuthorizationHandler<May, Box> { Task HandleRequirementAsync(Context c, May may, Box box) { } }
"""
    desk = "class Rights { IRights rights; void Put(Box box) { rights.AuthorizeAsync(box, new May()); } }\n"
    texts = {**TEXTS, "Shop/Guard.cs": guard, "Shop/Rights.cs": desk}

    again = read_again(cache, read, texts, {**texts, "Shop/Part.cs": "class Part { }\n"})

    assert again == {"Shop/Guard.cs", "Shop/Rights.cs"}


@pytest.mark.parametrize(("before", "after"), [("Roots.Near", "Roots.Far"), ("Roots.Far", "Roots.Near")])
def test_over_how_many_constants_a_topic_is_named_matters_to_those_that_name_it(
    cache: Path, read: list[str], before: str, after: str
) -> None:
    others = "".join(f"public const string N{place} = N{place - 1}; " for place in range(1, 7))
    names = f"class Names {{ const string N0 = {before}; {others} }}\n"
    roots = 'class Roots { public const string Near = "shop.open"; public const string Far = Near; }\n'
    texts = {**TEXTS, "Shop/Names.cs": names, "Shop/Roots.cs": roots}
    texts["Shop/Bell.cs"] = "class Bell { void Ring() { PublishLoud(Names.N6); } }\n"

    again = read_again(cache, read, texts, {**texts, "Shop/Names.cs": names.replace(before, after)})

    assert "Shop/Bell.cs" in again


def test_uses_that_are_kept_lead_to_the_keys_that_declarations_have_now() -> None:
    edges = [
        Edge(one, "o|TYPE", "Calls", "Shop/A.cs", 1, "new", 1.0)
        for one in ("m|TYPE", "s|DBSET", "p|PROPERTY")
    ]
    uses = FileUses(EdgeTable.of(edges), (), {}, {})
    before = {in_graph("s|PROPERTY"): "s|DBSET", "everywhere": "1"}
    now = {in_graph("m|TYPE"): "m|MIGRATION", "everywhere": "2"}

    found = uses.renamed(renamed_otherwise(before, now))

    assert [one.from_key for one in found.edges] == ["m|MIGRATION", "s|PROPERTY", "p|PROPERTY"]


@pytest.mark.parametrize("is_noted", [True, False])
def test_without_a_note_of_who_asks_edges_would_be_wrong(
    cache: Path, monkeypatch: pytest.MonkeyPatch, is_noted: bool
) -> None:
    if not is_noted:
        monkeypatch.setattr(Watch, "asked_told", lambda watch, key: None)
    after = edited(TEXTS, "other registration")
    contents(TEXTS, cache)

    assert (contents(after, cache) == contents(after, None)) is is_noted


def test_rules_that_ask_for_nothing_that_is_told_otherwise_find_what_they_found(
    cache: Path, looked: list[str]
) -> None:
    contents(TEXTS, cache)
    looked.clear()
    after = edited(TEXTS, "made")

    found = contents(after, cache)
    again = set(looked)

    assert found == contents(after, None)
    assert {"shared", "told"} <= again
    assert again.isdisjoint({"roles", "member roles", "injections"})


def test_what_a_rule_asks_for_in_files_that_changed_counts_from_then_on(cache: Path) -> None:
    made = "interface IPen { } class Quill : IPen { } class Biro : IPen { }\n"
    texts = {**TEXTS, "Shop/Pens.cs": made, "Shop/Writer.cs": "class Writer { public Writer(Box box) { } }\n"}
    texts["Shop/Startup.cs"] = STARTUP.replace("box.Lift()", "services.AddScoped<Quill>()")
    asking = {**texts, "Shop/Writer.cs": "class Writer { public Writer(IPen pen) { } }\n"}
    startup = STARTUP.replace("box.Lift()", "services.AddScoped<Quill>(); services.AddScoped<IPen, Quill>()")
    contents(texts, cache)
    contents(asking, cache)
    after = {**asking, "Shop/Startup.cs": startup}

    assert contents(after, cache) == contents(after, None)


@pytest.fixture(scope="module")
def caches() -> Iterator[Path]:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(tying, "SHARED_BYTES", 0)
        yield Path(folder) / "cache.sqlite3"


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sets(st.sampled_from(sorted(EDITS)), max_size=3), min_size=1, max_size=4))
@example([{"first handler"}, {"handler gone"}, {"begins to send"}])
@example([{"in a list"}, {"in a list", "asked for singly"}, {"scan"}])
def test_a_graph_brought_up_to_date_equals_one_made_anew(caches: Path, steps: list[set[str]]) -> None:
    for names in steps:
        texts = edited(TEXTS, *sorted(names))

        assert contents(texts, caches) == contents(texts, None)
