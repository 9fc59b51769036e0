"""What rules read off files is remembered: a graph brought up to date equals one made anew, and little is read."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache as cached
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragduck.facts import FileFacts
from ragduck.facts.packing import packed_facts
from ragduck.graph.file_rows import FileRule, Reach, Reading, ReadOff
from ragduck.model import Document, Snapshot
from ragduck.parse import ChunkSettings, parse_document
from ragduck.parse_cache import ParsedFiles
from ragduck.preparation import remembered_rows, tying
from ragduck.preparation.known_facts import KnownFacts
from ragduck.preparation.remembered_rows import (
    RememberedRows,
    RowsPlace,
    Since,
    packed_rows,
    unpacked_rows,
)
from ragduck.preparation.tying import TiedGraph, tie
from ragduck.sources import classify

SNAPSHOT = Snapshot("r", "b", None, Path("r"))
ORDER = """using System.Collections.Generic;
namespace Shop;
public class Order {
    public int Id { get; set; }
    public int Total { get; set; }
    public List<Line> Lines { get; set; }
    public void Cancel() { Total = 0; }
    public int Half() => Total / 2;
}
"""
LINE = "namespace Shop;\npublic class Line { public int Id { get; set; } public int OrderId { get; set; } }\n"
NOTE = "namespace Shop;\npublic class Note { public int Id { get; set; } public int Size { get; set; } }\n"
CONTEXT = """using Microsoft.EntityFrameworkCore;
namespace Shop;
public class ShopContext : DbContext {
    public DbSet<Order> Orders { get; set; }
    public DbSet<Line> Lines { get; set; }
    protected override void OnModelCreating(ModelBuilder modelBuilder) {
        modelBuilder.Entity<Note>().ToTable("Notes");
        modelBuilder.Entity<Line>().Ignore(l => l.OrderId);
    }
}
"""
UNIT = """namespace Shop;
public class Unit {
    ShopContext db;
    public void Commit() { db.SaveChanges(); }
}
"""
MAPPER = "namespace Shop;\npublic class Mapper { public void Map(int total, Order order) { order.Total = total; } }\n"
MAKER = """namespace Shop;
public class Maker {
    ShopContext db;
    public Order Get(int id) { return db.Orders.Find(id); }
}
"""
SERVICE = """namespace Shop;
public class Service {
    ShopContext db; Unit unit; Mapper mapper; Maker maker; IRepository<Order> repository;
    public void Pay(int id) { var order = db.Orders.Find(id); order.Total = 1; unit.Commit(); }
    public void Take(Order order) { mapper.Map(3, order); db.SaveChanges(); }
    public void Close(Order order) { order.Cancel(); db.SaveChanges(); }
    public void Halve(Order order) { order.Half(); db.SaveChanges(); }
    public void Note(Note note) { db.Add(note); db.SaveChanges(); }
    public int Count() { return db.Orders.Where(o => o.Lines.Count > 1).Count(); }
    public void Keep(Order order) { repository.Put(order); }
    public void Load(int id) { var order = maker.Get(id); order.Total = 4; }
}
"""
REPOSITORY = """namespace Shop;
public interface IRepository<T> { void Put(T given); T One(int id); }
public class Repository<T> : IRepository<T> {
    ShopContext db;
    public void Put(T given) { db.Set<T>().Add(given); }
    public T One(int id) { return default; }
}
public class Silent<T> : IRepository<T> {
    public void Put(T given) { }
    public T One(int id) { return default; }
}
"""
STARTUP = """namespace Shop;
public class Startup {
    public void Go(IServiceCollection services) { services.AddScoped(typeof(IRepository<>), typeof(Repository<>)); }
}
"""
BEHAVIOR = """using MediatR;
namespace Shop;
public class Saving<A, B> : IPipelineBehavior<A, B> {
    ShopContext db;
    public B Handle(A asked) { db.SaveChanges(); return default; }
}
"""
NAMES = """namespace Shop;
public static class Names { public const string Short = "Bills"; }
public static class Full { public const string Bills = "dbo." + Names.Short; }
public static class Statements { public const string All = "select Id from dbo.Bills where Id = 3"; }
"""
REPORT = "namespace Shop;\npublic class Report { public void Run() { Show(Statements.All); } }\n"
DATA = """using System.Data.SqlClient;
namespace Shop;
public class Data {
    protected SqlConnection connection;
    public void Run(string text, int count) {
        var command = new SqlCommand(text, connection) { CommandType = CommandType.StoredProcedure };
    }
    public void Pass(string text) { Run(text, 1); }
    public void Skip(string text) { Note(text); }
    public void Note(string text) { }
}
"""
BILLS = """namespace Shop;
public class Bills : Data {
    public void Clear() { connection.Execute($"delete from {Full.Bills} where Id = 1"); }
    public void Fill() { Pass("Bills_Fill"); }
    public void Late() { Skip("Bills_Late"); }
    public string Read() { return "select Id from dbo.Bills where Id = 2"; }
}
"""
BASE = """namespace Shop;
public abstract class Table {
    protected string Name;
    protected Table(string name) { Name = name; }
    public void Drop(SqlConnection connection) { connection.Execute($"delete from dbo.{Name}"); }
}
"""
HEIR = 'namespace Shop;\npublic class BillTable : Table { public BillTable() : base("Bills") { } }\n'
MIGRATION = """using Microsoft.EntityFrameworkCore.Migrations;
namespace Shop.Migrations;
public class First : Migration {
    protected override void Up(MigrationBuilder migrationBuilder) {
        migrationBuilder.CreateTable(name: Names.Short, columns: table => new { Id = table.Column<int>() });
        migrationBuilder.AddColumn<int>(name: "Size", table: "Notes");
    }
}
"""
SECOND = MIGRATION.replace("First", "Second : Begun").replace(": Migration {", "{").replace("Up(", "Fill(")
BEGUN = """using Microsoft.EntityFrameworkCore.Migrations;
namespace Shop.Migrations;
public abstract class Begun : Migration { }
"""
TABLES = """create table dbo.Bills (Id int);
go
create procedure dbo.Bills_Fill as select Id from dbo.Bills;
go
create procedure dbo.Bills_Late as select Id from dbo.Bills;
"""
TEXTS: Mapping[str, str | None] = {
    "Shop/Order.cs": ORDER,
    "Shop/Line.cs": LINE,
    "Shop/Note.cs": NOTE,
    "Shop/ShopContext.cs": CONTEXT,
    "Shop/Unit.cs": UNIT,
    "Shop/Mapper.cs": MAPPER,
    "Shop/Maker.cs": MAKER,
    "Shop/Service.cs": SERVICE,
    "Shop/Repository.cs": REPOSITORY,
    "Shop/Startup.cs": STARTUP,
    "Shop/Behavior.cs": None,
    "Shop/Names.cs": NAMES,
    "Shop/Data.cs": DATA,
    "Shop/Bills.cs": BILLS,
    "Shop/Report.cs": REPORT,
    "Shop/Table.cs": BASE,
    "Shop/BillTable.cs": HEIR,
    "Shop/Migrations/001_First.cs": MIGRATION,
    "Shop/Migrations/002_Second.cs": SECOND,
    "Shop/Migrations/Begun.cs": BEGUN,
    "Db/Tables.sql": TABLES,
}
EDITS: tuple[tuple[str, str, str], ...] = (
    ("Shop/Unit.cs", "db.SaveChanges();", ""),
    ("Shop/Mapper.cs", "order.Total = total;", ""),
    ("Shop/Order.cs", "Total = 0;", ""),
    ("Shop/Order.cs", "Total / 2", "Total = 2"),
    ("Shop/Order.cs", "public int Half()", "public int Sum() => 1;\n    public int Half()"),
    ("Shop/Order.cs", "List<Line> Lines", "List<Note> Lines"),
    ("Shop/ShopContext.cs", 'modelBuilder.Entity<Note>().ToTable("Notes");', ""),
    ("Shop/ShopContext.cs", "Ignore(l => l.OrderId)", 'ToTable("OtherLines")'),
    ("Shop/ShopContext.cs", "public DbSet<Line> Lines { get; set; }", ""),
    ("Shop/Maker.cs", "return db.Orders.Find(id);", "return new Order();"),
    ("Shop/Maker.cs", "public Order Get", "public Note Get"),
    ("Shop/Repository.cs", "db.Set<T>().Add(given);", ""),
    ("Shop/Repository.cs", "default; }\n}\npublic class", "db.Set<T>().Find(id); }\n}\npublic class"),
    ("Shop/Startup.cs", "typeof(Repository<>)", "typeof(Silent<>)"),
    ("Shop/Names.cs", '"Bills"', '"Orders"'),
    ("Shop/Names.cs", '"dbo." + Names.Short', '"dbo.Lines"'),
    ("Shop/Data.cs", "new SqlCommand(text, connection)", "new Command()"),
    ("Shop/Data.cs", "Run(text, 1);", ""),
    ("Shop/Data.cs", "Note(text);", "Run(text, 2);"),
    ("Shop/Data.cs", "int count", "long count, int other = 0"),
    ("Shop/BillTable.cs", 'base("Bills")', 'base("Lines")'),
    ("Shop/Table.cs", "Name = name;", 'Name = "X" + name;'),
    ("Shop/Migrations/001_First.cs", '"Notes"', '"Papers"'),
    ("Shop/Migrations/Begun.cs", "{ }", "{ protected override void Up(MigrationBuilder b) { Fill(b); } }"),
    ("Db/Tables.sql", "dbo.Bills_Late", "dbo.Bills_Never"),
    ("Db/Tables.sql", "procedure dbo.Bills_Fill", "procedure Ops.Bills_Fill"),
    ("Shop/Bills.cs", '"Bills_Fill"', '"Bills_Late"'),
    ("Shop/Service.cs", "order.Total = 1;", ""),
    ("Shop/Report.cs", "Show(Statements.All);", ""),
    ("Shop/Names.cs", "string All", "string Whole"),
    ("Shop/Names.cs", "dbo.Bills where", "dbo.Papers where"),
)  # fmt: skip


@cached
def packed(path: str, text: str) -> bytes:
    kind = classify(path, text)
    project = path.split("/")[0]
    document = Document(path, text, kind.language, kind.file_type, kind.file_class, len(text), 0, project)
    return packed_facts(parse_document(document, settings=ChunkSettings()).facts)


def tied(texts: Mapping[str, str | None], cache: Path | None) -> TiedGraph:
    facts = [packed(path, text) for path, text in texts.items() if text is not None]
    return tie(SNAPSHOT, facts, folder=Path("unused"), processes=1, cache=cache)


def contents(graph: TiedGraph) -> tuple[Any, ...]:
    return graph.rows.nodes.to_pylist(), graph.rows.edges.to_pylist(), graph.problems


def shown_by(graph: TiedGraph, path: str) -> set[tuple[str, str, str]]:
    """The edges that a file shows, those of calls left out."""
    return {
        (row["from_key"], row["relation"], row["to_key"])
        for row in graph.rows.edges.to_pylist()
        if row["source_file"] == path and row["relation"] not in ("Calls", "Uses", "Contains")
    }


def edited(path: str, old: str, new: str) -> dict[str, str | None]:
    text = TEXTS[path]
    assert text is not None
    assert old in text
    return {**TEXTS, path: text.replace(old, new)}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tying, "SHARED_BYTES", 0)
    return tmp_path / "cache.sqlite3"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The paths of files that any rule reads, where it knows of others."""
    paths: set[str] = set()
    whole = RememberedRows.read

    def noted(self: RememberedRows, rule: FileRule, files: Iterable[FileFacts], reading: Reading, /) -> Any:
        def read_one(file: FileFacts) -> ReadOff:
            paths.add(file.path)
            return reading(file)

        return whole(self, rule, files, read_one)

    monkeypatch.setattr(RememberedRows, "read", noted)
    return paths


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: f"{edit[0].rpartition('/')[2]}, {edit[1][:30]}")
@pytest.mark.parametrize("is_back", [False, True])
def test_an_edit_gives_the_graph_that_is_made_anew(
    cache: Path, edit: tuple[str, str, str], *, is_back: bool
) -> None:
    versions = [dict(TEXTS), edited(*edit)]
    before, after = versions[::-1] if is_back else versions
    tied(before, cache)

    again = tied(after, cache)

    assert contents(again) == contents(tied(after, None))


@pytest.mark.parametrize(
    ("edit", "path"),
    [
        (EDITS[0], "Shop/Service.cs"),
        (EDITS[1], "Shop/Service.cs"),
        (EDITS[2], "Shop/Service.cs"),
        (EDITS[3], "Shop/Service.cs"),
        (EDITS[5], "Shop/Service.cs"),
        (EDITS[6], "Shop/Service.cs"),
        (EDITS[11], "Shop/Service.cs"),
        (EDITS[13], "Shop/Service.cs"),
        (EDITS[14], "Shop/Bills.cs"),
        (EDITS[14], "Shop/Migrations/001_First.cs"),
        (EDITS[16], "Shop/Bills.cs"),
        (EDITS[17], "Shop/Bills.cs"),
        (EDITS[18], "Shop/Bills.cs"),
        (EDITS[20], "Shop/Table.cs"),
        (EDITS[23], "Shop/Migrations/002_Second.cs"),
        (EDITS[25], "Shop/Bills.cs"),
        (EDITS[29], "Shop/Report.cs"),
        (EDITS[30], "Shop/Report.cs"),
    ],
    ids=lambda each: each if isinstance(each, str) else each[1][:30],
)
def test_an_edit_changes_what_a_file_shows_that_did_not_change(
    cache: Path, edit: tuple[str, str, str], path: str
) -> None:
    before = tied(TEXTS, cache)

    after = tied(edited(*edit), cache)

    assert edit[0] != path
    assert shown_by(before, path) != shown_by(after, path)


def test_a_file_whose_method_was_edited_is_read_alone(cache: Path, read: set[str]) -> None:
    tied(TEXTS, cache)
    read.clear()

    tied(edited("Shop/Service.cs", "order.Total = 1;", "order.Id = 2;"), cache)

    assert read - PASSING == {"Shop/Service.cs"}


# Of which rows do not tell all, as others are concerned
PASSING = {"Shop/Table.cs", "Shop/Bills.cs", "Shop/Data.cs", "Shop/Names.cs"}


def test_a_new_member_is_of_interest_to_those_that_name_it(cache: Path, read: set[str]) -> None:
    tied(TEXTS, cache)
    read.clear()

    tied(
        edited("Shop/Note.cs", "public int Size", "public int Weight99 { get; set; } public int Size"), cache
    )

    assert read - PASSING == {"Shop/Note.cs"}


def test_nothing_is_read_or_kept_when_nothing_changed(
    cache: Path, read: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = tied(TEXTS, cache)
    read.clear()
    monkeypatch.setattr(remembered_rows, "packed_rows", None)

    second = tied(dict(reversed(TEXTS.items())), cache)

    assert read <= PASSING
    assert contents(first) == contents(second)


def test_a_saver_around_all_handlers_is_noticed(cache: Path) -> None:
    before = tied(TEXTS, cache)

    after = tied({**TEXTS, "Shop/Behavior.cs": BEHAVIOR}, cache)
    silent = tied({**TEXTS, "Shop/Behavior.cs": BEHAVIOR.replace("db.SaveChanges();", "")}, cache)

    load = ("csharp:Shop.Service.Load|METHOD", "WritesTo", "Orders|TABLE")
    found = [
        any(one[:2] == load[:2] for one in shown_by(each, "Shop/Service.cs"))
        for each in (before, after, silent)
    ]
    assert found == [False, True, False]


def test_who_makes_entities_is_noticed_where_all_is_saved(cache: Path) -> None:
    texts = {**TEXTS, "Shop/Behavior.cs": BEHAVIOR}
    tied(texts, cache)
    making = texts | {"Shop/Maker.cs": MAKER.replace("return db.Orders.Find(id);", "return new Order();")}

    after = tied(making, cache)

    assert contents(after) == contents(tied(making, None))
    assert not any("Load" in one[0] for one in shown_by(after, "Shop/Service.cs"))


LAZY = {
    "Shop/Order.cs": ORDER.replace("public List<Line>", "public virtual List<Line>"),
    "Shop/Host.cs": "namespace Shop;\nclass Host { void Go(Options options) { options.UseLazyLoadingProxies(); } }\n",
    "Shop/Reading.cs": "namespace Shop;\nclass Reading { int Sum(Order order) { return order.Lines.Count; } }\n",
}
MANAGED = {
    "Shop/ShopContext.cs": CONTEXT.replace(
        "protected", "public DbSet<Buyer> Buyers { get; set; }\n    protected"
    ),
    "Shop/Buyer.cs": "namespace Shop;\npublic class Buyer : IdentityUser { }\n",
    "Shop/Buyers.cs": """namespace Shop;
public class Buyers {
    UserManager<Buyer> buyers;
    public void Of(Buyer buyer) { buyers.GetRolesAsync(buyer); }
}
""",
    "Db/Users.sql": "create table dbo.AspNetUserRoles (UserId int);\n",
}
RESOURCES = {
    "Shop/Queries.resx": (
        '<?xml version="1.0" encoding="utf-8"?>\n<root><data name="Purge" xml:space="preserve">'
        "<value>DELETE FROM dbo.Bills WHERE Id IN ({0})</value></data></root>\n"
    ),
    "Shop/Queries.Designer.cs": """namespace Shop {
    internal class Queries {
        internal static string Purge { get { return ResourceManager.GetString("Purge", culture); } }
    }
}
""",
    "Shop/Purging.cs": """namespace Shop;
class Purging { void Run(SqlConnection connection) { connection.Execute(string.Format(Queries.Purge, 1)); } }
""",
}
INCLUDED = {
    "Shop/Paths.cs": 'namespace Shop;\nstatic class Paths { public const string Lines = "Lines"; }\n',
    "Shop/Longer.cs": 'namespace Shop;\nstatic class Longer { public const string Path = Paths.Lines + ""; }\n',
    "Shop/Including.cs": """namespace Shop;
class Including { ShopContext db; void Run() { db.Orders.Include(Longer.Path).ToList(); } }
""",
}


@pytest.mark.parametrize(
    ("texts", "path", "old", "new", "other"),
    [
        (LAZY, "Shop/Host.cs", "options.UseLazyLoadingProxies();", "", "Shop/Reading.cs"),
        (MANAGED, "Db/Users.sql", "AspNetUserRoles", "UserRoles", "Shop/Buyers.cs"),
        (RESOURCES, "Shop/Queries.resx", "dbo.Bills", "dbo.Lines", "Shop/Purging.cs"),
        (INCLUDED, "Shop/Paths.cs", '"Lines"', '"Total"', "Shop/Including.cs"),
    ],
    ids=["lazy loading", "tables of a framework", "texts of resources", "constants of constants"],
)
def test_what_is_told_of_all_files_changes_what_a_file_shows_that_did_not_change(
    cache: Path, texts: Mapping[str, str], path: str, old: str, new: str, other: str
) -> None:
    before = {**TEXTS, **texts}
    after = before | {path: texts[path].replace(old, new)}
    first = tied(before, cache)

    again = tied(after, cache)

    assert contents(again) == contents(tied(after, None))
    assert shown_by(first, other) != shown_by(again, other)


@pytest.mark.parametrize(
    "spoil",
    [lambda _: b"", lambda data: data[:3], lambda data: data[:-9], lambda data: data[:40] + b"\xff\xff" + data[42:]],
    ids=["empty", "no checksum", "cut off", "overwritten"],
)  # fmt: skip
def test_an_entry_that_is_not_whole_is_not_believed(
    cache: Path, read: set[str], spoil: Callable[[bytes], bytes]
) -> None:
    fresh = tied(TEXTS, cache)
    table, key = ParsedFiles(cache), KnownFacts(cache, SNAPSHOT, ()).key_of("rows")
    table.write({key: spoil(table.read([key])[key])})
    read.clear()

    again = tied(TEXTS, cache)

    assert "Shop/Service.cs" in read
    assert contents(again) == contents(fresh)


def test_an_entry_does_not_answer_for_another_nor_for_other_facts() -> None:
    data = packed_rows({}, now=b"now", key=b"key")
    of_one = packed_rows({"rule": remembered_rows._Kept("", {}, frozenset(), {}, {})}, now=b"now", key=b"key")

    assert unpacked_rows(data, before=b"now", key=b"key") == {}
    assert list(unpacked_rows(of_one, before=b"now", key=b"key")) == ["rule"]
    assert unpacked_rows(of_one, before=b"now", key=b"yek") == {}
    assert unpacked_rows(of_one, before=b"then", key=b"key") == {}
    for body in (b"no rows", zlib.compress(b"{"), zlib.compress(b"1"), zlib.compress(b'["6e6f77", [1]]')):
        whole = remembered_rows._checksum(body, b"key") + body
        assert unpacked_rows(whole, before=b"now", key=b"key") == {}


def test_what_an_interrupted_rule_read_is_not_kept(cache: Path) -> None:
    place = RowsPlace(cache, b"key", Since(b"", b"now", {}))
    files = [FileFacts(path, "csharp", "source", None, 1) for path in ("a.cs", "b.cs")]
    rows = RememberedRows(place)

    for _ in rows.read(FileRule("half", Reach.OWN), files, lambda _: ReadOff([("row",)])):
        break
    list(rows.read(FileRule("whole", Reach.OWN), files, lambda _: ReadOff([("row",)])))
    rows.keep()

    kept = unpacked_rows(ParsedFiles(cache).read([b"key"])[b"key"], before=b"now", key=b"key")
    assert list(kept) == ["whole"]


steps_of_edits = st.lists(
    st.lists(st.integers(-len(TEXTS), len(EDITS) - 1), min_size=1, max_size=3), min_size=1, max_size=4
)


@pytest.mark.slow
@pytest.mark.usefixtures("_without_a_threshold")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps_of_edits)
def test_a_graph_brought_up_to_date_equals_one_made_anew(steps: list[list[int]]) -> None:
    texts, paths = {**TEXTS, "Shop/Behavior.cs": BEHAVIOR}, list(TEXTS)
    with TemporaryDirectory() as folder:
        cache = Path(folder) / "cache.sqlite3"
        tied(texts, cache)
        for step in steps:
            for number in step:
                path, old, new = EDITS[number] if number >= 0 else (paths[-number - 1], "", "")
                text = texts[path]
                if number < 0 or text is None:  # a file goes, or comes back
                    texts[path] = TEXTS[path] if text is None else None
                else:
                    texts[path] = text.replace(old, new) if old in text else TEXTS[path]

            assert contents(tied(texts, cache)) == contents(tied(texts, None))
