"""What is remembered of a graph, where a rule depends on another file in a way that is easily overlooked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ragduck.facts.packing import packed_facts
from ragduck.model import Document, Snapshot
from ragduck.parse import ChunkSettings, parse_document
from ragduck.preparation import tying
from ragduck.sources import classify

SNAPSHOT = Snapshot("r", "b", None, Path("r"))
Texts = Mapping[str, str]


def packed(path: str, text: str) -> bytes:
    kind = classify(path, text)
    document = Document(
        path, text, kind.language, kind.file_type, kind.file_class, len(text), 0, path.split("/")[0]
    )
    return packed_facts(parse_document(document, settings=ChunkSettings()).facts)


def contents(texts: Texts, cache: Path | None) -> tuple[Any, ...]:
    facts = [packed(path, text) for path, text in texts.items()]
    tied = tying.tie(SNAPSHOT, facts, folder=Path("unused"), processes=1, cache=cache)
    return tied.rows.nodes.to_pylist(), tied.rows.edges.to_pylist(), tied.problems


BUS = """namespace Shop;
public class Bus { IMediator mediator;
    public void Tell(Paid paid, Sent sent) { mediator.Publish(paid); }
}
public class Bus2 { IMediator mediator;
    public void Tell2(object one, object two) { mediator.Publish(one); }
}
"""
HANDLERS = """namespace Shop;
public class Paid : INotification { }
public class Sent : INotification { }
public class OnPaid : INotificationHandler<Paid> { public void Handle(Paid paid) { } }
public class OnSent : INotificationHandler<Sent> { public void Handle(Sent sent) { } }
"""
CALLER = """namespace Shop;
public class Caller { Bus2 bus;
    public void Go() { bus.Tell2(new Paid(), new Sent()); }
}
"""
NAV = """using System.Web.UI;
namespace Shop;
public partial class Nav { System.Web.HttpResponse Response;
    public void Go(string url) { Response.Redirect(url); }
}
"""
NAV_TOO = """namespace Shop;

public partial class Nav {
    public void Go(string url, int more) { more = 1; }
}
"""
GOING = """namespace Shop;
public class Caller { Nav nav;
    public void Run() { nav.Go("~/Orders/Edit.aspx", 1); }
}
"""
PAGE = '<%@ Page Language="C#" %>\n<p>x</p>\n'
FIRST = """using Microsoft.EntityFrameworkCore.Migrations;
namespace Shop;
[Migration("20240101000000_One")]
public class First : Migration {
    protected override void Up(MigrationBuilder migrationBuilder) {
        migrationBuilder.AddColumn<int>("Total", GetTableName(typeof(Order)));
    }
}
"""
SECOND = """using Microsoft.EntityFrameworkCore.Migrations;
namespace Shop;
[Migration("20240102000000_Two")]
public class Second : First { }
"""
ORDER = """namespace Shop;
public class Order { public int Id { get; set; } }
public class Context : DbContext { public DbSet<Order> Orders { get; set; }
    protected override void OnModelCreating(ModelBuilder builder) { builder.Entity<Order>().ToTable("Bills"); } }
"""
PARTS = 'namespace Shop;\npublic static class Parts { public const string Prefix = "shop"; }\n'
TOPICS = (
    'namespace Shop;\npublic static class Topics { public const string Paid = Parts.Prefix + ".paid"; }\n'
)
TILL = """namespace Shop;
public class Till { ICapPublisher bus;
    public void Pay() { bus.Publish(Topics.Paid, 1); }
}
"""
RECEIPTS = """namespace Shop;
public class Receipts {
    [CapSubscribe("shop.paid")]
    public void On(int number) { }
}
"""
EDIT = """Namespace Shop
Partial Public Class Edit
    Inherits System.Web.UI.Page
    Sub Save_Click(a As Object, e As EventArgs) Handles Save.Click
    End Sub
End Class
End Namespace
"""
EDIT_TOO = """Namespace Shop

Partial Public Class Edit
    Sub Save_Click(a As Integer)
    End Sub
End Class
End Namespace
"""
FORM = """<%@ Page Language="VB" Inherits="Shop.Edit" CodeBehind="Edit.aspx.vb" %>
<asp:Button runat="server" ID="Save" />
"""
FOO = "namespace Shop;\npublic class Foo { public Foo(Action<X> fill) { } public Foo() { } }\n"
KINDS = """namespace Shop;
public class X { public void Go() { } }
public class Y { public void Go() { } }
"""
ALIAS = """using A = Shop.Foo;
namespace Shop;
public class U { void Run() { var it = new A(one => one.Go()); } }
"""
HEIR = "namespace Shop;\npublic class D : Foo { public D() : base(one => one.Go()) { } }\n"
OPEN = "namespace Shop;\npublic partial class H { void Run() { held = new(one => one.Go()); } }\n"
HELD = "namespace Shop;\npublic partial class H { Foo held; }\n"
EDITS: Mapping[str, tuple[Texts, str, str, str]] = {
    "what a sender sends": (
        {"Bus.cs": BUS, "Handlers.cs": HANDLERS, "Caller.cs": CALLER}, "Bus.cs", "Publish(one)", "Publish(two)",
    ),
    "lines of an overload in another part": (
        {"Shop/Nav.cs": NAV, "Shop/Nav2.cs": NAV_TOO, "Shop/Caller.cs": GOING, "Orders/Edit.aspx": PAGE},
        "Shop/Nav2.cs", "namespace", "\n\nnamespace",
    ),
    "tables that a migration asked for after another": (
        {"Shop/B.cs": FIRST, "Shop/A.cs": SECOND, "Shop/Order.cs": ORDER}, "Shop/Order.cs", "Bills", "Receipts",
    ),
    "a topic made of constants made of constants": (
        {"Parts.cs": PARTS, "Topics.cs": TOPICS, "Till.cs": TILL, "Receipts.cs": RECEIPTS},
        "Parts.cs", '"shop"', '"store"',
    ),
    "lines of another part with a Handles clause": (
        {"Shop/Edit.aspx.vb": EDIT, "Shop/Edit2.vb": EDIT_TOO, "Shop/Edit.aspx": FORM},
        "Shop/Edit2.vb", "Namespace Shop\n\n", "\n\nNamespace Shop\n\n",
    ),
    "a lambda of a constructor under another name": (
        {"Foo.cs": FOO, "Kinds.cs": KINDS, "User.cs": ALIAS}, "Foo.cs", "<X>", "<Y>",
    ),
    "a lambda of a base's constructor": (
        {"Foo.cs": FOO, "Kinds.cs": KINDS, "Heir.cs": HEIR}, "Foo.cs", "<X>", "<Y>",
    ),
    "a lambda of a constructor without a name": (
        {"Foo.cs": FOO, "Kinds.cs": KINDS, "F.cs": OPEN, "F2.cs": HELD}, "Foo.cs", "<X>", "<Y>",
    ),
}  # fmt: skip


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tying, "SHARED_BYTES", 0)
    return tmp_path / "cache.sqlite3"


@pytest.mark.parametrize("edit", EDITS)
def test_a_graph_brought_up_to_date_equals_one_made_anew(cache: Path, edit: str) -> None:
    before, path, old, new = EDITS[edit]
    after = {**before, path: before[path].replace(old, new)}
    assert after != before
    contents(before, cache)

    assert contents(after, cache) == contents(after, None)
    assert contents(before, cache) == contents(before, None)


def project(*others: str) -> str:
    told = "".join(f'<ProjectReference Include="../{one}/{one}.csproj" />' for one in others)
    return f'<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>{told}</ItemGroup></Project>'


STORES = "namespace Shop;\npublic interface IStore { void Save(); int Weight { get; } }\n"
ONE = "public class OneStore : IStore { public void Save() { } public int Weight { get { return 1; } } }\n"
TWO = "public class TwoStore : IStore { public void Save() { } public int Weight { get; } }\n"
CART = """namespace Shop;
public class Cart : Base {
    private IStore store;
    public Cart(
        IStore store) { this.store = store; }
    public override int Total { get { return 2; } }
}
public class Base { public virtual int Total { get; } }
"""
SETUP = "namespace Shop;\nclass %s { void Go(IServiceCollection s) { s.AddScoped<IStore, %s>(); } }\n"


def test_what_was_asked_while_lines_were_brought_up_to_date_is_noted_for_what_is_shared(cache: Path) -> None:
    one = {
        "Lib/Lib.csproj": project(), "Lib/Stores.cs": STORES, "Lib/One.cs": f"namespace Shop;\n{ONE}",
        "Lib/Two.cs": f"namespace Shop;\n{TWO}", "Lib/Cart.cs": CART,
        "A/A.csproj": project("Lib"), "A/Setup.cs": SETUP % ("Setup", "OneStore"),
        "B/B.csproj": project("Lib"), "B/Setup.cs": SETUP % ("Setup2", "TwoStore"),
    }  # fmt: skip
    moved = CART.replace("public Cart(\n", "public Cart(\n\n").replace("return 2;", "store.Save(); return 3;")
    two = one | {"Lib/Cart.cs": moved}
    three = two | {"B/B.csproj": project("Other")}
    contents(one, cache)

    assert contents(two, cache) == contents(two, None)
    assert contents(three, cache) == contents(three, None)
