"""A file of C# that imports something else: rules look again where what it declares may mean something else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragduck.preparation import tying
from tests.preparation.test_remembered_uses import cache, contents, read, tied

__all__ = ["cache", "read"]  # fixtures

Texts = Mapping[str, str | None]

OF_TYPES = {"names", "roles", "containment", "hierarchy", "injections", "requests", "views"}
USING = "using Shop.Parts;\n"
DESK = f"""{USING}using Shop.Tools;
namespace Shop.Desks;
public class Desk : Table
{{
    public Desk(ILamp lamp) {{ }}
    public const string Title = Names.Of + "x";
    public Drawer Drawer {{ get; set; }}
    public void Work() {{ Drawer.Pull(); new Chair().Turn(); }}
}}
"""
PARTS = """namespace Shop.Parts;
public class Drawer { public void Pull() { } }
public class Chair { public void Turn() { } }
"""
TOOLS = """namespace Shop.Tools;
public interface ILamp { }
public class Lamp : ILamp { }
public class Table { }
public static class Names { public const string Of = "tool"; }
"""
OTHERS = """namespace Shop.Others;
public interface ILamp { }
public class Bright : ILamp { }
public class Drawer { public void Push() { } }
public class AuditAttribute : RouteAttribute { public AuditAttribute() : base("api/audit") { } }
public static class Names { public const string Of = "other"; }
public class Idle { }
"""
USER = """namespace Shop.Users;
using Shop.Desks;
public class User { Desk desk; void Go() { desk.Drawer.Pull(); } }
"""
STARTUP = """namespace Shop;
class Startup { void Go(IServiceCollection services) { services.AddScoped<Tools.ILamp, Tools.Lamp>(); } }
"""
TEXTS: dict[str, str | None] = {
    "Shop/Desk.cs": DESK,
    "Shop/Parts.cs": PARTS,
    "Shop/Tools.cs": TOOLS,
    "Shop/Others.cs": OTHERS,
    "Shop/User.cs": USER,
    "Shop/Startup.cs": STARTUP,
}


def with_desk(*edits: tuple[str, str]) -> Texts:
    """The texts with some parts of the desk replaced."""
    text = DESK
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return {**TEXTS, "Shop/Desk.cs": text}


NOTHING = {
    "that is nothing to the file": (USING, f"{USING}using System.Linq;\n"),
    "of which statements make use": ("using Shop.Tools;", "using Shop.Tools;\nusing Shop.Startups;"),
    "in another order": (f"{USING}using Shop.Tools;\n", f"using Shop.Tools;\n{USING}"),
    "under a name that nobody says": (USING, f"{USING}using Seat = Shop.Others.Idle;\n"),
}


@pytest.mark.parametrize("edit", NOTHING.values(), ids=NOTHING)
def test_rules_find_what_they_found_where_a_file_imports_something(
    cache: Path, looked: list[str], edit: tuple[str, str]
) -> None:
    tied(TEXTS, cache)

    assert _again(cache, looked, with_desk(edit)).isdisjoint(OF_TYPES)


def test_statements_of_a_file_that_imports_something_else_alone_are_read_again(
    cache: Path, read: list[str]
) -> None:
    tied(TEXTS, cache)
    read.clear()

    tied(with_desk(("using Shop.Tools;", "using Shop.Tools;\nusing System.Linq;")), cache)

    assert set(read) == {"Shop/Desk.cs"}


def test_who_names_a_member_of_another_type_by_imports_is_read_again(cache: Path, read: list[str]) -> None:
    tied(TEXTS, cache)
    read.clear()
    texts = with_desk((USING, "using Shop.Others;\n"), ("ILamp lamp", ""), ("Names.Of + ", ""))

    after = tied(texts, cache)

    assert set(read) == {"Shop/Desk.cs", "Shop/User.cs"}
    assert contents(after) == contents(tied(texts, None))


MEANT: Mapping[str, tuple[str, str]] = {
    "another type of a member": (USING, "using Shop.Others;\n"),
    "no type of a member": (USING, ""),
    "no base": ("using Shop.Tools;\n", ""),
    "two that may be meant": (USING, f"{USING}using Shop.Others;\n"),
    "another name for a type": (USING, f"{USING}using Table = Shop.Others.Idle;\n"),
}


@pytest.mark.parametrize("edit", MEANT.values(), ids=MEANT)
def test_what_is_declared_may_mean(cache: Path, edit: tuple[str, str]) -> None:
    before, texts = tied(TEXTS, cache), with_desk(edit)

    after, anew = tied(texts, cache), tied(texts, None)

    assert contents(after) == contents(anew)
    assert contents(anew) != contents(before)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (
            "Shop/Fast.cs",
            "namespace Shop.Fast;\n"
            "public class Pay : Endpoint<Idle> { public override Task HandleAsync(Idle one) { return null; } }\n",
            "using FastEndpoints;\n",
        ),
        (
            "Shop/Plain.cs",
            "namespace Shop.Plain;\npublic class PlainController { public string All() { return null; } }\n",
            "using Microsoft.AspNetCore.Mvc;\n",
        ),
        (
            "Shop/Works.cs",
            'namespace Shop.Works;\npublic class Works { [Function("work")] public void Run() { } }\n',
            "using Microsoft.Azure.Functions.Worker;\n",
        ),
    ],
    ids=[
        "a library that is asked for",
        "what makes a controller",
        "what makes a function",
    ],
)
def test_what_is_imported_counts_for_rules_that_ask(cache: Path, path: str, old: str, new: str) -> None:
    texts = {**TEXTS, path: old}
    before = tied(texts, cache)
    with_import = {**texts, path: new + old}

    after, anew = tied(with_import, cache), tied(with_import, None)

    assert contents(after) == contents(anew)
    assert contents(anew) != contents(before)


NAMES = {
    "Shop/Tools.cs": 'namespace Shop.Tools;\npublic static class Names { public const string Of = "api/tool"; }\n',
    "Shop/Others.cs": 'namespace Shop.Others;\npublic static class Names { public const string Of = "api/other"; }\n',
    "Shop/Asks.cs": """namespace Shop;
class Asks { HttpClient http;
    void Go() { http.GetAsync("/api/tool"); }
    void Goes() { http.GetAsync("/api/other"); }
}
""",
    "Shop/Best.cs": """using Microsoft.AspNetCore.Mvc;
namespace Shop;
[Route(Desk.Title)]
public class BestController : ControllerBase { [HttpGet] public string All() { return null; } }
""",
}
TITLE = "namespace Shop;\npublic static class Desk { public const string Title = Names.Of; }\n"
AUDITED = {
    "Shop/Mark.cs": """using Microsoft.AspNetCore.Mvc;
namespace Shop.Others;
public class AuditAttribute : RouteAttribute { public AuditAttribute() : base("api/tool") { } }
""",
    "Shop/Asks.cs": NAMES["Shop/Asks.cs"],
}
BEST_AUDITED = NAMES["Shop/Best.cs"].replace("Route(Desk.Title)", "Audit")
BASES = {
    "Shop/Tools.cs": "namespace Shop.Tools;\npublic class Table { }\n",
    "Shop/Others.cs": "namespace Shop.Others;\npublic class Table { }\n",
}
PLAIN = {
    "Lib/Plain.cs": "public class Plain { }\n",
    "Lib/Parts.cs": "namespace Lib.Parts;\npublic class Part { }\n",
    "App/Uses.cs": "namespace App;\npublic class Uses : Plain { }\n",
}
QUERIES = {
    "Shop/Tools.cs": NAMES["Shop/Tools.cs"].replace("api/tool", "select * from dbo.A"),
    "Shop/Others.cs": NAMES["Shop/Others.cs"].replace("api/other", "select * from dbo.B"),
    "Shop/Store.cs": "namespace Shop;\nclass Store { IDbConnection db; void Go() { db.Query(Desk.Title); } }\n",
    "Db/Tables.sql": "create table dbo.A (Id int);\ngo\ncreate table dbo.B (Id int);\n",
}
CLOSED = {
    "Shop/Tools.cs": "namespace Shop.Tools;\npublic class Drawer { public void Pull() { } }\n",
    "Shop/Others.cs": "namespace Shop.Others;\npublic class Drawer { public void Pull() { } }\n",
    "Shop/Box.cs": "namespace Shop;\npublic class Box<T> { public T Get() { return default; } }\n",
    "Shop/User.cs": """namespace Shop;
public class User { Desk desk; void Go() { desk.Rows.Get().Pull(); } }
public class Heir { Shelf shelf; void Go() { shelf.Get().Pull(); } }
""",
}
ROWS = "namespace Shop {\nusing Rows = Box<Drawer>;\npublic class Desk { public Rows Rows; }\n}\n"
SHELF = "namespace Shop {\nusing Rows = Box<Drawer>;\npublic class Shelf : Rows { }\n}\n"
TAKEN_IN = TITLE.replace(";\n", " {\nusing static Names;\n", 1).replace("Names.Of", "Of") + "}\n"
CONNECTED = {
    **PLAIN,
    "App/appsettings.json": '{"ConnectionStrings": {"Main": "Server=x;Database=Lib.Parts"}}\n',
}
TOOLS_ALONE, OTHERS_ALONE = "using Shop.Tools;\n", "using Shop.Others;\n"
CORNERS: Mapping[str, tuple[Texts, str, str, str, str]] = {
    "a base": (
        BASES,
        "Shop/Desk.cs",
        "namespace Shop;\npublic class Desk : Table { }\n",
        TOOLS_ALONE,
        OTHERS_ALONE,
    ),
    "a value": (NAMES, "Shop/Desk.cs", TITLE, TOOLS_ALONE, OTHERS_ALONE),
    "an attribute": (AUDITED, "Shop/Best.cs", BEST_AUDITED, "", OTHERS_ALONE),
    "SQL": (QUERIES, "Shop/Desk.cs", TITLE, TOOLS_ALONE, OTHERS_ALONE),
    "a name for a type that is closed": (CLOSED, "Shop/Desk.cs", ROWS, TOOLS_ALONE, OTHERS_ALONE),
    "a base by a name for a type that is closed": (CLOSED, "Shop/Shelf.cs", SHELF, TOOLS_ALONE, OTHERS_ALONE),
    "SQL of a type whose members are taken in": (
        QUERIES,
        "Shop/Desk.cs",
        TAKEN_IN,
        TOOLS_ALONE,
        OTHERS_ALONE,
    ),
    "another project whose name is a database, too": (
        CONNECTED,
        "App/Opens.cs",
        "namespace App;\nclass Opens { }\n",
        "using Lib.Parts;\n",
        "",
    ),
    "another project": (PLAIN, "App/Opens.cs", "namespace App;\nclass Opens { }\n", "using Lib.Parts;\n", ""),
}


@pytest.mark.parametrize(("texts", "path", "text", "before", "now"), CORNERS.values(), ids=CORNERS)
def test_what_a_file_imports_changes(
    cache: Path, texts: Texts, path: str, text: str, before: str, now: str
) -> None:
    first = tied({**texts, path: before + text}, cache)
    other = {**texts, path: now + text}

    after, anew = tied(other, cache), tied(other, None)

    assert contents(after) == contents(anew)
    assert contents(anew) != contents(first)


def test_libraries_that_were_asked_for_long_ago_are_remembered(cache: Path) -> None:
    """A rule that finds what it found does not ask again."""
    path, text = "Shop/Fast.cs", (
        "namespace Shop.Fast;\n"
        "public class Pay : Endpoint<Idle> { public override Task HandleAsync(Idle one) { return null; } }\n"
    )  # fmt: skip
    texts = {**TEXTS, path: text}
    tied(texts, cache)
    texts["Shop/Parts.cs"] = PARTS.replace("class Chair {", "class Chair { int Zone() { return 1; }")
    tied(texts, cache)
    with_import = {**texts, path: "using FastEndpoints;\n" + text}

    assert contents(tied(with_import, cache)) == contents(tied(with_import, None))


IMPORTS = (
    "Shop.Parts",
    "Shop.Tools",
    "Shop.Others",
    "System.Linq",
    "static Shop.Others.Names",
    "Table = Shop.Tools.Lamp",
)


@pytest.mark.parametrize("user", ["Other", "Another"])
def test_a_build_file_that_imports_the_one_above_opens_what_that_does(cache: Path, user: str) -> None:
    opened = '<Project><ItemGroup><Using Include="Shop.Tools" /></ItemGroup></Project>'
    asking = "namespace Web;\npublic class Desk { public Desk(ILamp lamp) { } }\n"
    texts: dict[str, str | None] = {
        "Directory.Build.props": opened,
        "Web/Directory.Build.props": "<Project></Project>",
        "Web/Web.csproj": '<Project Sdk="Microsoft.NET.Sdk"></Project>',
        "Web/Desk.cs": asking,
        "Web/Other.cs": "namespace Web;\npublic class Other { }\n",
        "Shop/Tools.cs": TOOLS,
    }
    tied(texts, cache)
    texts["Web/Directory.Build.props"] = '<Project><Import Project="../Directory.Build.props" /></Project>'
    texts["Web/Other.cs"] = f"namespace Web;\npublic class {user} {{ }}\n"

    assert contents(tied(texts, cache)) == contents(tied(texts, None))


edits = st.tuples(
    st.sampled_from(["Shop/Desk.cs", "Shop/User.cs", "Shop/Parts.cs"]),
    st.sets(st.sampled_from(IMPORTS), max_size=4),
    st.booleans(),
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(edits, min_size=1, max_size=4))
def test_a_graph_after_other_imports_equals_one_made_anew(steps: list[tuple[str, set[str], bool]]) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(tying, "SHARED_BYTES", 0)
        cache = Path(folder) / "cache.sqlite3"
        texts = dict(TEXTS)
        tied(texts, cache)
        for path, names, has_more in steps:
            plain = "\n".join(
                line for line in (TEXTS[path] or "").splitlines() if not line.startswith("using ")
            )
            more = plain.replace("void Go()", "void More() { } void Go()") if has_more else plain
            texts[path] = "".join(f"using {name};\n" for name in sorted(names)) + more + "\n"
            assert contents(tied(texts, cache)) == contents(tied(texts, None))


def _again(cache: Path, looked: list[str], texts: Texts) -> set[str]:
    looked.clear()
    after = tied(texts, cache)
    again = set(looked)
    assert contents(after) == contents(tied(texts, None))
    return again
