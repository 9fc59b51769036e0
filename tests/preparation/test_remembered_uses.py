"""What statements use is remembered: a graph brought up to date equals one made anew, and little is read for it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from functools import cache as cached
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragduck.facts import FileFacts
from ragduck.facts.packing import packed_facts
from ragduck.graph.code.file_uses import FileUses
from ragduck.graph.code.uses import Users
from ragduck.model import Document, Snapshot
from ragduck.parse import ChunkSettings, parse_document
from ragduck.preparation import known_facts, remembered_uses, touched_files, tying
from ragduck.preparation.known_facts import KnownFacts
from ragduck.preparation.tying import TiedGraph, tie
from ragduck.preparation.uses_record import unpacked_uses
from ragduck.sources import classify

SNAPSHOT = Snapshot("r", "b", None, Path("r"))
CART = """partial class Cart {
    IStore store;
    Log log;
    void Run(int a) {
        store.Save();
        log.Write();
    }
}
"""
OTHER_CART = (
    "partial class Cart { void Run(string b) { log.Write(); } void Later(object o) { log.Write(); } }\n"
)
STORES = """interface IStore { void Save(); }
class FileStore : IStore { public void Save() { } }
class CloudStore : IStore { public void Save() { } }
class Log { public void Write() { } public void Fetch() { } }
"""
STARTUP = (
    "class Startup { void Go(IServiceCollection services) { services.AddScoped<IStore, FileStore>(); } }\n"
)
FOREIGN = "class Loader { void Load(HttpClient client) { client.Fetch(); } }\n"
OPEN = "class Guess { void Try() { Unknown.Current.Fetch(); } }\n"
CHAIN = "class Desk { open() {} }\nexport const v0 = new Desk();\n" + "".join(
    f"export const v{number} = v{number - 1};\n" for number in range(1, 19)
)
SENDS = "class Till { IBus bus; void Pay() { bus.Publish(new Paid()); } }\n"
HANDLES = """class Paid { }
class Receipt : IHandler<Paid> { public void Handle(Paid paid) { } public int Count { get; set; } }
"""
ASKS = "class Asking { IExecutor executor; void Ask(Paid paid) { executor.Execute(paid); } }\n"
EXECUTOR = """interface IExecutor { void Execute(object given); }
interface ITotalHandler<T> { void Sum(T given); void Check(int given); }
class Totals : ITotalHandler<Paid> { public void Sum(Paid given) { } }
"""
RAISES = "class Bell { public event Action Rung; void Ring() { Rung(); } void Stop() { } }\n"
HEARS = "class Ear { void Go(Bell bell) { bell.Rung += Hear; } void Hear() { } }\n"
LAST = "import { v18 } from './chain';\nexport function last() { v18.open(); }\n"
MIDDLE = "import { v8 } from './chain';\nexport function middle() { v8.open(); }\n"
TABLES = "create table dbo.Orders (Id int);\n"
HOOKS = """interface IHook { void Start(); int Weight { get; } }
class Early : IHook { Log log; public void Start() { } public int Weight { get { return log.Length(); } } }
class Late : IHook { public void Start() { } public int Weight { get; } }
"""
HOOKED = "class Hooked { IHook hook; int Run() { hook.Start(); return hook.Weight; } }\n"
LISTING = "class Runner { public Runner(IEnumerable<IHook> hooks) { } }\n"
TEXTS = {
    "Shop/Cart.cs": CART,
    "Shop/Cart.Other.cs": OTHER_CART,
    "Shop/Stores.cs": STORES,
    "Shop/Startup.cs": STARTUP,
    "Shop/Loader.cs": FOREIGN,
    "Shop/Guess.cs": OPEN,
    "Shop/Till.cs": SENDS,
    "Shop/Receipt.cs": HANDLES,
    "Shop/Asking.cs": ASKS,
    "Shop/Executor.cs": EXECUTOR,
    "Shop/Bell.cs": RAISES,
    "Shop/Ear.cs": HEARS,
    "Shop/Hooks.cs": HOOKS,
    "Shop/Hooked.cs": HOOKED,
    "Shop/Runner.cs": LISTING,
    "Web/chain.ts": CHAIN,
    "Web/last.ts": LAST,
    "Web/middle.ts": MIDDLE,
    "Db/Tables.sql": TABLES,
}
PAGE = """<%@ Page Language="C#" Inherits="Shop.Till2" %>
<asp:Button runat="server" OnClick="Save_Click" />
<%= Show(1) %><%= new Log().Size() %>
<script runat="server">void Own() { Show(2); Own2(); } void Own2() { }</script>
"""
BEHIND = """namespace Shop;
public class Till2 { void Save_Click(object a, EventArgs e) { Show(3); } protected string Show(int a) => ""; }
"""
VARIANTS: Mapping[str, tuple[str | None, ...]] = {
    "Shop/Cart.cs": (
        CART,
        CART.replace("store.Save()", "log.Fetch()"),
        CART.replace("void Run", "\n\n    void Run"),
        CART.replace("int a", "FileStore a").replace("log.Write", "a.Save"),
        None,
    ),
    "Shop/Cart.Other.cs": (OTHER_CART, OTHER_CART.replace("log.Write(); }", "}"), "\n" + OTHER_CART, None),
    "Shop/Stores.cs": (
        STORES,
        "// moved\n\n" + STORES,
        STORES.replace("Save()", "Save(int count = 1)"),
        STORES.replace("Fetch()", "Fetch(int a) { } public void Fetch()"),
        STORES.replace("public void Write() { }", ""),
        STORES.replace("class Log {", "class Log { public Log Current; public static void Load() { }"),
        STORES.replace("class Log", "class Log : FileStore"),
    ),
    "Shop/Till.cs": (SENDS, SENDS.replace("new Paid()", "paid"), SENDS.replace("IBus bus", "Log bus"), None),
    "Shop/Receipt.cs": (
        HANDLES,
        HANDLES.replace("Handle(Paid paid)", "Handle(Log paid)"),
        HANDLES.replace("Handle(", "Consume("),
        HANDLES.replace("Handle(", "Take("),
        HANDLES.replace("int Count", "Paid Count"),
    ),
    "Shop/Bell.cs": (
        RAISES,
        RAISES.replace("Stop() {", "Stop() { Rung();"),
        RAISES.replace("event Action", "Action"),
        RAISES.replace("Action", "Action<int>"),
    ),
    "Shop/Ear.cs": (
        HEARS,
        HEARS.replace("bell.Rung += Hear;", ""),
        HEARS.replace("Hear()", "Hear(int a)"),
        None,
    ),
    "Shop/Executor.cs": (
        EXECUTOR,
        EXECUTOR.replace("object given", "Paid given"),
        EXECUTOR.replace("object given", "string sql, object given"),
        EXECUTOR.replace("void Sum(T given)", "void Sum(int a, T given)"),
        EXECUTOR.replace("int given", "T given"),
    ),
    "Shop/Startup.cs": (STARTUP, STARTUP.replace("FileStore", "CloudStore"), "class Startup { }\n", None),
    "Shop/Loader.cs": (FOREIGN, FOREIGN.replace("client.Fetch();", ""), FOREIGN.replace("HttpClient", "Log")),
    "Shop/Guess.cs": (OPEN, OPEN.replace("Unknown.Current", "new Log()"), None),
    "Shop/Hooks.cs": (
        HOOKS,
        HOOKS.replace("return log.Length();", ""),
        HOOKS.replace("{ get; } }\n", "{ get { return log.Length(); } } }\n"),
    ),
    "Shop/Hooked.cs": (HOOKED, HOOKED.replace("hook.Start();", "new Runner(null);")),
    "Shop/Runner.cs": (LISTING, LISTING.replace("IEnumerable<IHook>", "IHook"), "class Runner { }\n", None),
    "Shop/Till.aspx": (
        PAGE,
        PAGE.replace("Show(1)", "Missing()"),
        PAGE.replace("void Own2() { }", ""),
        PAGE.replace("Shop.Till2", "Log"),
        None,
    ),
    "Shop/Till.aspx.cs": (
        BEHIND,
        BEHIND.replace("Show(int a)", "Show()"),
        BEHIND.replace("Show(int a)", "Shown(int a)"),
        BEHIND.replace("class Till2", "class Till2 : Log"),
        None,
    ),
    "Web/chain.ts": (CHAIN, CHAIN.replace("const v3 = v2", "const v3 = 1"), "// moved\n" + CHAIN),
    "Web/last.ts": (LAST, LAST.replace("v18.open();", ""), None),
    "Web/middle.ts": (MIDDLE, LAST.replace("last()", "middle()")),
    "Db/Tables.sql": (TABLES, TABLES * 2, None),
}


@cached
def packed(path: str, text: str) -> bytes:
    kind = classify(path, text)
    document = Document(
        path, text, kind.language, kind.file_type, kind.file_class, len(text), 0, path.split("/")[0]
    )
    return packed_facts(parse_document(document, settings=ChunkSettings()).facts)


def tied(texts: Mapping[str, str | None], cache: Path | None) -> TiedGraph:
    facts = [packed(path, text) for path, text in texts.items() if text is not None]
    return tie(SNAPSHOT, facts, folder=Path("unused"), processes=1, cache=cache)


def contents(graph: TiedGraph) -> tuple[Any, ...]:
    return graph.rows.nodes.to_pylist(), graph.rows.edges.to_pylist(), graph.problems


def calls(graph: TiedGraph, source: str) -> set[tuple[str, str, int]]:
    """What a method calls: the called, the file of the first site, and the number of sites."""
    found = [
        row
        for row in graph.rows.edges.to_pylist()
        if row["relation"] == "Calls" and source in row["from_key"]
    ]
    return {
        (row["to_key"].partition(":")[2].partition("|")[0], row["source_file"], row["sites"]) for row in found
    }


def rules(graph: TiedGraph, source: str, target: str) -> set[str]:
    """The rules by which one member leads to another."""
    return {
        row["rule"]
        for row in graph.rows.edges.to_pylist()
        if source in row["from_key"] and target in row["to_key"] and row["relation"] in ("Calls", "Uses")
    }


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tying, "SHARED_BYTES", 0)
    return tmp_path / "cache.sqlite3"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of files whose statements are read."""
    paths: list[str] = []
    whole = Users.read

    def noted(users: Users, files: Iterable[FileFacts]) -> FileUses:
        known = list(files)
        paths.extend(file.path for file in known)
        return whole(users, known)

    monkeypatch.setattr(Users, "read", noted)
    return paths


def brought_up_to_date(
    cache: Path, read: list[str], changed: Mapping[str, str | None]
) -> tuple[TiedGraph, TiedGraph, list[str]]:
    """Tie, change files, tie again: the graphs before and after, and what was read for the second."""
    before = tied(TEXTS, cache)
    read.clear()
    after = tied(TEXTS | dict(changed), cache)
    again = sorted(read)
    assert contents(after) == contents(tied(TEXTS | dict(changed), None))
    return before, after, again


REFERENCE = '<Project><ItemGroup><ProjectReference Include="../{0}/{0}.csproj"/></ItemGroup></Project>'
STORE = "namespace {0}; class Store : IStore {{ public void Save() {{ }} }}"


def test_a_reference_of_a_host_that_can_no_longer_be_told_changes_calls(cache: Path) -> None:
    texts = {f"{one}/Store.cs": STORE.format(one) for one in ("East", "Host.AppHost")}
    texts = {path: text.replace("Host.AppHost", "Own") for path, text in texts.items()} | {
        "East/East.csproj": REFERENCE.format("Stores"),
        "East/Setup.cs": "class Setup { void Add() { s.AddScoped<IStore, East.Store>(); } }",
        "Stores/IStore.cs": "interface IStore { void Save(); }",
        "Host.AppHost/Cart.cs": "class Cart { IStore store; void Run() { store.Save(); } }",
    }
    path = "Host.AppHost/Host.AppHost.csproj"
    before = tied(texts | {path: REFERENCE.format("East")}, cache)
    changed = texts | {path: '<Project><ProjectReference Include="$(Root)/East.csproj"/></Project>'}

    after = tied(changed, cache)

    assert contents(after) == contents(tied(changed, None))
    assert calls(after, "Cart.Run") != calls(before, "Cart.Run")


def test_a_reference_between_projects_changes_calls_of_files_that_did_not_change(
    cache: Path, read: list[str]
) -> None:
    systems = {f"{one}/Store.cs": STORE.format(one) for one in ("East", "West")}
    systems |= {f"{one}/{one}.csproj": REFERENCE.format("Stores") for one in ("East", "West")}
    others = {"Stores/IStore.cs": "interface IStore { void Save(); }", "App/Run.cs": "class Run { }"}
    run = "class Cart { IStore store; void Run() { store.Save(); } }"
    texts = systems | others | {"App/Cart.cs": run}

    before = tied(texts | {"App/App.csproj": REFERENCE.format("East")}, cache)
    read.clear()
    changed = texts | {"App/App.csproj": REFERENCE.format("West")}
    after = tied(changed, cache)

    assert contents(after) == contents(tied(changed, None))
    assert ("East.Store.Save", "App/Cart.cs", 1) in calls(before, "Cart.Run")
    assert ("West.Store.Save", "App/Cart.cs", 1) in calls(after, "Cart.Run")


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("Shop/Cart.cs", "log.Write();", "log.Write(); log.Write();"),
        ("Shop/Cart.cs", "log.Write();", "log.Fetch();"),
        ("Shop/Stores.cs", "class Log", "\n\nclass Log"),
        ("Web/last.ts", "v18.open();", ""),
        ("Db/Tables.sql", ";", ";\ngo\ncreate table dbo.Names (Id int);"),
    ],
    ids=["body", "call of another method", "moved lines", "first use of a chain of values", "sql"],
)
def test_only_a_file_whose_statements_changed_is_read(
    cache: Path, read: list[str], path: str, old: str, new: str
) -> None:
    before, after, again = brought_up_to_date(cache, read, {path: TEXTS[path].replace(old, new)})

    assert again == [path]
    assert contents(before) != contents(after)


@pytest.mark.parametrize(
    ("path", "old", "new", "naming"),
    [
        ("Shop/Stores.cs", "class Log {", "class Log { public int Size() => 1;", ()),
        ("Shop/Stores.cs", "Save()", "Save(int count = 1)", ("Shop/Cart.cs",)),
        ("Shop/Stores.cs", "public void Write() { }", "", ("Shop/Cart.Other.cs", "Shop/Cart.cs")),
        ("Shop/Stores.cs", "Fetch()", "Fetch2()", ("Shop/Guess.cs", "Shop/Loader.cs")),
        ("Shop/Receipt.cs", "int Count", "Paid Count", ()),
    ],
    ids=["method added", "signature", "method gone", "method renamed", "property's type"],
)
def test_files_that_name_a_changed_member_are_read_again(
    cache: Path, read: list[str], path: str, old: str, new: str, naming: tuple[str, ...]
) -> None:
    *_, again = brought_up_to_date(cache, read, {path: TEXTS[path].replace(old, new)})

    assert again == sorted((path, *naming))


def test_a_new_method_is_found_by_a_call_that_was_there(cache: Path, read: list[str]) -> None:
    calling = CART.replace("log.Write();", "log.Shut();")
    tied(TEXTS | {"Shop/Cart.cs": calling}, cache)
    shut = STORES.replace("class Log {", "class Log { public void Shut() { }")
    read.clear()

    after = tied(TEXTS | {"Shop/Cart.cs": calling, "Shop/Stores.cs": shut}, cache)

    assert sorted(read) == ["Shop/Cart.cs", "Shop/Stores.cs"]
    assert ("Log.Shut", "Shop/Cart.cs", 1) in calls(after, "Cart.Run")


def test_all_files_are_read_when_what_they_see_of_each_other_changed(cache: Path, read: list[str]) -> None:
    stores = STORES.replace("interface", "int Help() => 1;\ninterface", 1)

    *_, again = brought_up_to_date(cache, read, {"Shop/Stores.cs": stores})

    assert again == sorted(TEXTS)


@pytest.mark.parametrize("is_added", [True, False])
def test_a_first_constructor_is_called_by_those_that_name_the_type_otherwise(
    cache: Path, read: list[str], is_added: bool
) -> None:
    texts = TEXTS | {
        "Shop/Desk.cs": "using Book = Log;\nclass Desk { void Open() { var it = new Book(); } }\n"
    }
    versions = [STORES, STORES.replace("class Log {", "class Log { public Log() { }")]
    before, after = versions if is_added else versions[::-1]
    tied(texts | {"Shop/Stores.cs": before}, cache)

    again = tied(texts | {"Shop/Stores.cs": after}, cache)

    assert contents(again) == contents(tied(texts | {"Shop/Stores.cs": after}, None))
    assert ({one for one, *_ in calls(again, "Desk.Open")} == {"Log.Log"}) == is_added


def test_with_many_changed_names_all_files_are_read(
    cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(touched_files, "MOST_NAMES", 1)
    two = STORES.replace("class Log {", "class Log { void One() { } void Two() { }")

    *_, again = brought_up_to_date(cache, read, {"Shop/Stores.cs": two})

    assert again == sorted(TEXTS)


def test_a_registration_changes_calls_of_files_that_did_not_change(cache: Path, read: list[str]) -> None:
    other = STARTUP.replace("FileStore", "CloudStore")

    before, after, _ = brought_up_to_date(cache, read, {"Shop/Startup.cs": other})

    assert ("FileStore.Save", "Shop/Cart.cs", 1) in calls(before, "Cart.Run")
    assert ("CloudStore.Save", "Shop/Cart.cs", 1) in calls(after, "Cart.Run")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Shop/Runner.cs", LISTING.replace("IEnumerable<IHook>", "IHook")),
        ("Shop/Loader.cs", FOREIGN.replace("client.Fetch();", "new Runner(null);")),
    ],
)
def test_what_is_no_longer_handed_out_in_lists_changes_calls_of_files_that_did_not_change(
    cache: Path, read: list[str], path: str, text: str
) -> None:
    before, after, _ = brought_up_to_date(cache, read, {path: text})

    assert rules(before, "Hooked.Run", "Late.Start") == {"each of a collection"}
    assert rules(after, "Hooked.Run", "Late.Start") == {"one of several implementations"}


def test_a_property_that_begins_to_do_something_is_read_by_files_that_did_not_change(
    cache: Path, read: list[str]
) -> None:
    acting = HOOKS.replace("public int Weight { get; }", "public int Weight { get { return Tons(); } }")

    before, after, _ = brought_up_to_date(cache, read, {"Shop/Hooks.cs": acting})

    assert rules(before, "Hooked.Run", "Late.Weight") == set()
    assert rules(after, "Hooked.Run", "Late.Weight") == {"each of a collection"}


@pytest.mark.parametrize("begins", [True, False])
def test_a_property_of_a_plain_base_class_that_does_something_is_read_by_files_that_did_not_change(
    cache: Path, *, begins: bool
) -> None:
    plain = "class Base { Log log; public int Weight { get; } }\n"
    versions = [plain, plain.replace("get;", "get { return log.Length(); }")]
    before, after = versions if begins else versions[::-1]
    others = {
        "Shop/Hooks.cs": "interface IHook { int Weight { get; } }\nclass Early : Base, IHook { }\n",
        "Shop/Use.cs": "class Use { IHook hook; int Run() { return hook.Weight; } }\n",
    }
    tied(others | {"Shop/Base.cs": before}, cache)

    again = tied(others | {"Shop/Base.cs": after}, cache)

    assert contents(again) == contents(tied(others | {"Shop/Base.cs": after}, None))
    assert rules(again, "Use.Run", "Base.Weight") == ({"only implementation"} if begins else set())


HOLDERS = """class Note { public void Write() { } }
class Book { public void Write() { } }
class Holder {
    public Note Get() => null;
}
class Holder<T> {
    public Book Get() => null;
}
"""
BOTH_IN_PLAIN = HOLDERS.replace("}\nclass Holder<T> {\n", "").replace(
    "null;\n}\n", "null;\n}\nclass Holder<T> { }\n"
)
HOLDING = "class Use { Holder<int> held; void Run() { held.Get().Write(); } }\n"


@pytest.mark.parametrize("is_moved_out", [True, False])
def test_a_member_that_moves_to_a_generic_namesake_is_called_by_files_that_did_not_change(
    cache: Path, *, is_moved_out: bool
) -> None:
    versions = [HOLDERS, BOTH_IN_PLAIN]
    before, after = versions if is_moved_out else versions[::-1]
    others = {"Shop/Use.cs": HOLDING}
    first = tied(others | {"Shop/Holder.cs": before}, cache)

    again = tied(others | {"Shop/Holder.cs": after}, cache)

    assert contents(again) == contents(tied(others | {"Shop/Holder.cs": after}, None))
    assert calls(again, "Use.Run") != calls(first, "Use.Run")


def test_a_decorator_that_is_registered_changes_calls_of_its_file(cache: Path, read: list[str]) -> None:
    decorator = CART.replace("class Cart", "class Cart : IStore").replace("Run(int a)", "Save()")
    tied(TEXTS | {"Shop/Cart.cs": decorator}, cache)
    setup = STARTUP.replace("FileStore>();", "FileStore>(); services.Decorate<IStore, Cart>();")

    after = tied(TEXTS | {"Shop/Cart.cs": decorator, "Shop/Startup.cs": setup}, cache)

    assert ("FileStore.Save", "Shop/Cart.cs", 1) in calls(after, "Cart.Save")


def test_the_last_use_of_a_foreign_name_frees_it(cache: Path, read: list[str]) -> None:
    without = FOREIGN.replace("client.Fetch();", "")

    before, after, again = brought_up_to_date(cache, read, {"Shop/Loader.cs": without})

    assert again == ["Shop/Loader.cs"]
    assert (calls(before, "Guess.Try"), calls(after, "Guess.Try")) == (
        set(),
        {("Log.Fetch", "Shop/Guess.cs", 1)},
    )


def test_a_call_that_waited_for_names_is_forgotten_with_its_file(cache: Path, read: list[str]) -> None:
    tied(TEXTS | {"Shop/Loader.cs": None}, cache)
    without = TEXTS | {"Shop/Loader.cs": None, "Shop/Guess.cs": OPEN.replace("Unknown.Current.Fetch();", "")}
    read.clear()

    after = tied(without, cache)

    assert read == ["Shop/Guess.cs"]
    assert calls(after, "Guess.Try") == set()


def test_what_a_value_is_does_not_depend_on_who_asks_first(cache: Path, read: list[str]) -> None:
    without = LAST.replace("v18.open();", "")

    before, after, _ = brought_up_to_date(cache, read, {"Web/last.ts": without})

    assert calls(before, "middle") == calls(after, "middle") == {("Web.chain.Desk.open", "Web/middle.ts", 1)}


def test_parts_of_a_class_keep_their_own_sites(cache: Path, read: list[str]) -> None:
    without = CART.replace("log.Write();", "")

    before, after, again = brought_up_to_date(cache, read, {"Shop/Cart.cs": without})

    assert again == ["Shop/Cart.cs"]
    assert ("Log.Write", "Shop/Cart.Other.cs", 2) in calls(before, "Cart.Run")
    assert ("Log.Write", "Shop/Cart.Other.cs", 1) in calls(after, "Cart.Run")


def test_files_that_declare_nothing_can_come_and_go(cache: Path, read: list[str]) -> None:
    *_, again = brought_up_to_date(cache, read, {"Db/Tables.sql": None, "Db/Views.sql": TABLES})

    assert again == ["Db/Views.sql"]


def test_a_moved_file_moves_its_declarations(cache: Path, read: list[str]) -> None:
    *_, again = brought_up_to_date(cache, read, {"Shop/Guess.cs": None, "Shop/Inner/Guess.cs": OPEN})

    assert again == ["Shop/Inner/Guess.cs"]


def test_a_first_indexer_is_asked_by_those_that_name_its_type(cache: Path, read: list[str]) -> None:
    indexed = STORES.replace("class Log {", "class Log { public int this[int place] => 1;")

    *_, again = brought_up_to_date(cache, read, {"Shop/Stores.cs": indexed})

    naming = [path for path, text in TEXTS.items() if "Log" in text or "log." in text]
    assert again == sorted(naming)


def test_nothing_is_read_or_kept_when_nothing_changed(
    cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = tied(TEXTS, cache)
    read.clear()
    monkeypatch.setattr(remembered_uses, "packed_uses", None)

    second = tied(dict(reversed(TEXTS.items())), cache)

    assert read == []
    assert contents(second) == contents(first)


def test_many_changed_files_are_found_out_about_anew(
    cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered_uses, "FEW_FILES", 1)
    tied(TEXTS, cache)
    read.clear()

    tied(TEXTS | {"Shop/Guess.cs": "\n" + OPEN, "Shop/Loader.cs": "\n" + FOREIGN}, cache)

    assert sorted(read) == sorted(TEXTS)


def test_what_changed_is_kept_for_the_next_time(cache: Path, read: list[str]) -> None:
    tied(TEXTS, cache)
    changed = TEXTS | {"Shop/Guess.cs": "\n" + OPEN}
    tied(changed, cache)
    read.clear()

    again = tied(changed | {"Shop/Loader.cs": "\n" + FOREIGN}, cache)

    assert read == ["Shop/Loader.cs"]
    assert contents(again) == contents(tied(changed | {"Shop/Loader.cs": "\n" + FOREIGN}, None))


def test_another_branch_has_an_entry_of_its_own(cache: Path) -> None:
    facts = [packed(path, text) for path, text in TEXTS.items()]
    for branch in ("one", "two", "one"):
        tie(Snapshot("r", branch, None, Path("r")), facts, folder=Path("unused"), processes=1, cache=cache)

    assert len(entries(cache)) == 12  # of uses, declarations, words, rules, and of rows of two kinds


def test_what_was_made_by_other_code_is_not_believed(
    cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tied(TEXTS, cache)
    read.clear()
    monkeypatch.setattr(known_facts, "code_fingerprint", lambda *_, **__: b"other")

    tied(TEXTS, cache)

    assert sorted(read) == sorted(TEXTS)


def test_small_sources_are_not_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tying, "SHARED_BYTES", 1_000_000)

    tied(TEXTS, cache)

    assert not cache.exists()


def entries(cache: Path) -> dict[bytes, bytes]:
    with closing(sqlite3.connect(cache)) as connection:
        return dict(connection.execute("select key, value from parsed").fetchall())


def entry_of_uses(cache: Path) -> tuple[bytes, bytes]:
    key = KnownFacts(cache, SNAPSHOT, ()).key_of("uses")
    return key, entries(cache)[key]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: data[:3],
        lambda data: data[:-9],
        lambda data: data[:400] + b"\xff\xff" + data[402:],
    ],
    ids=["empty", "no checksum", "cut off", "overwritten"],
)
def test_an_entry_that_is_not_whole_is_not_believed(
    cache: Path, read: list[str], spoil: Callable[[bytes], bytes]
) -> None:
    fresh = tied(TEXTS, cache)
    key, data = entry_of_uses(cache)
    with closing(sqlite3.connect(cache)) as connection, connection:
        connection.execute("update parsed set value = ?", [spoil(data)])
    read.clear()

    again = tied(TEXTS, cache)

    assert sorted(read) == sorted(TEXTS)
    assert contents(again) == contents(fresh)
    assert entries(cache)[key] == data


@pytest.mark.parametrize("data", [None, b"", b"no rows"], ids=["gone", "empty", "spoiled"])
def test_without_the_declarations_as_they_were_all_files_are_read(
    cache: Path, read: list[str], data: bytes | None
) -> None:
    tied(TEXTS, cache)
    kept = dict([entry_of_uses(cache)])
    with closing(sqlite3.connect(cache)) as connection, connection:
        for key in entries(cache).keys() - kept.keys():
            connection.execute("delete from parsed where key = ?", [key])
            if data is not None:
                connection.execute(
                    "insert into parsed (key, used, size, value) values (?, 0, 0, ?)", [key, data]
                )
    read.clear()
    changed = TEXTS | {"Shop/Stores.cs": STORES.replace("class Log {", "class Log { public int Size() => 1;")}

    after = tied(changed, cache)

    assert sorted(read) == sorted(TEXTS)
    assert contents(after) == contents(tied(changed, None))


def test_an_entry_does_not_answer_for_another(cache: Path) -> None:
    tied(TEXTS, cache)
    key, data = entry_of_uses(cache)

    assert unpacked_uses(data, key=key) is not None
    assert unpacked_uses(data, key=key[::-1]) is None


snapshots = st.fixed_dictionaries({path: st.sampled_from(texts) for path, texts in VARIANTS.items()})
edits = st.tuples(st.sampled_from(sorted(VARIANTS)), st.integers(0, 4))


@pytest.mark.slow
@pytest.mark.usefixtures("_without_a_threshold", "_for_few_files")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(snapshots, st.lists(st.lists(edits, min_size=1, max_size=2), min_size=1, max_size=4))
def test_a_graph_brought_up_to_date_equals_one_made_anew(
    texts: dict[str, str | None], steps: list[list[tuple[str, int]]]
) -> None:
    with TemporaryDirectory() as folder:
        cache = Path(folder) / "cache.sqlite3"
        tied(texts, cache)
        for step in steps:
            for path, number in step:
                texts[path] = VARIANTS[path][number % len(VARIANTS[path])]

            assert contents(tied(texts, cache)) == contents(tied(texts, None))
