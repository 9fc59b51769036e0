"""Types come, go and change: only files whose statements can mean something else are read again, and all of those."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ragduck.facts import FileFacts, Member, Name, StatementFacts
from ragduck.facts.code import AccessFact
from ragduck.facts.packing import packed_facts, statements_in_words
from ragduck.preparation import followed_types, tying
from ragduck.preparation.standing_names import stands_in
from tests.preparation.test_remembered_uses import SNAPSHOT, cache, packed, read

__all__ = ["cache", "read"]  # fixtures

Texts = Mapping[str, str | None]

SHOP = {
    "Shop/Order.cs": "namespace Shop;\npublic class Order { public void Pay() { } public Part Part { get; set; } }\n",
    "Shop/Stores.cs": """namespace Shop;
public interface IStore { void Save(); int Weight { get; } }
public class FileStore : IStore { public void Save() { } public int Weight { get; } }
""",
    "Shop/Cart.cs": """namespace Shop;
public class Cart { IStore store; Order order; Bag bag;
    public void Run() { store.Save(); }
    public void Go() { order.Pay(); }
    public void Take() { order.Part.Turn(); }
    public void Pick() { bag[0].Turn(); }
    public void Mend() { order.Mend(); }
    public void Guess() { Unknown.Current.Shut(); }
}
""",
    "Shop/Bag.cs": "namespace Shop;\npublic class Bag : Box { public Part this[int place] => null; }\n",
    "Shop/Till.cs": """using Coin = Shop.Money;
namespace Shop;
public class Till { Bag bag;
    public Coin Count() => null;
    [Audit] public void Ring() { bag.Lift(); }
}
""",
    "Shop/Counter.cs": "namespace Shop;\npublic class Counter { Till till; void Look() { till.Count().Melt(); } }\n",
    "Shop/Other.cs": "namespace Shop;\npublic class Other { void Idle() { new Cart().Go(); } }\n",
    "Shop/Log.cs": "namespace Shop;\npublic class Log { public void Write() { } }\n",
}
PART = "namespace Shop;\npublic class Part { public void Turn() { } }\n"


def contents(texts: Texts, cache: Path | None) -> tuple[Any, ...]:
    facts = [packed(path, text) for path, text in texts.items() if text is not None]
    tied = tying.tie(SNAPSHOT, facts, folder=Path("unused"), processes=1, cache=cache)
    return tied.rows.nodes.to_pylist(), tied.rows.edges.to_pylist(), tied.problems


def uses(found: tuple[Any, ...]) -> set[str]:
    """What calls and uses what: `Cart.Run FileStore.Save`."""
    return {
        " ".join(row[end].partition("Shop.")[2].partition("|")[0] for end in ("from_key", "to_key"))
        for row in found[1]
        if row["relation"] in ("Calls", "Uses")
    }


ADDED = {
    "that nobody names": ("Shop/New.cs", "namespace Shop;\nclass Fresh { void Do() { } }\n", (), ""),
    "held by a member that is read": (
        "Shop/Part.cs",
        PART,
        ("Shop/Bag.cs", "Shop/Cart.cs", "Shop/Order.cs", "Shop/Till.cs"),
        "Cart.Take Part.Turn",
    ),
    "that an indexer gives": (
        "Shop/Part.cs",
        PART,
        ("Shop/Bag.cs", "Shop/Cart.cs", "Shop/Order.cs", "Shop/Till.cs"),
        "Cart.Pick Part.Turn",
    ),
    "implementing what is called": (
        "Shop/Cloud.cs",
        "namespace Shop;\nclass Cloud : IStore { public void Save() { } public int Weight { get; } }\n",
        ("Shop/Cart.cs",),
        "Cart.Run Cloud.Save",
    ),
    "inherited by what is called": (
        "Shop/Box.cs",
        "namespace Shop;\npublic class Box { public void Lift() { } }\n",
        ("Shop/Bag.cs", "Shop/Cart.cs", "Shop/Till.cs"),
        "Till.Ring Box.Lift",
    ),
    "known by another name": (
        "Shop/Money.cs",
        "namespace Shop;\npublic class Money { public void Melt() { } }\n",
        ("Shop/Counter.cs", "Shop/Till.cs"),
        "Counter.Look Money.Melt",
    ),
    "of an attribute": (
        "Shop/Audit.cs",
        "using System;\nnamespace Shop;\npublic class AuditAttribute : Attribute { }\n",
        ("Shop/Till.cs",),
        "Till.Ring AuditAttribute",
    ),
    "extending another": (
        "Shop/Mending.cs",
        "namespace Shop;\nstatic class Mending { public static void Mend(this Order order) { } }\n",
        ("Shop/Cart.cs",),
        "Cart.Mend Mending.Mend",
    ),
    "with a method that is called on something unknown": (
        "Shop/Door.cs",
        "namespace Shop;\nclass Door { public void Shut() { } }\n",
        ("Shop/Cart.cs",),
        "Cart.Guess Door.Shut",
    ),
    "that comes before another of its name": (
        "Shop/Inner.cs",
        "namespace Shop;\npublic partial class Cart { class Order { public void Pay() { } } }\n",
        ("Shop/Cart.cs", "Shop/Other.cs"),
        "Cart.Go Cart.Order.Pay",
    ),
}


@pytest.mark.parametrize("is_added", [True, False], ids=["added", "gone"])
@pytest.mark.parametrize(("path", "text", "naming", "edge"), ADDED.values(), ids=ADDED)
def test_files_that_can_mean_a_type_are_read_again(
    cache: Path, read: list[str], path: str, text: str, naming: tuple[str, ...], edge: str, is_added: bool
) -> None:
    without, with_it = SHOP, SHOP | {path: text}
    before, after = (without, with_it) if is_added else (with_it, without)
    contents(before, cache)
    read.clear()

    found = contents(after, cache)

    assert sorted(read) == sorted((*naming, path) if is_added else naming)
    assert found == contents(after, None)
    assert not edge or (edge in uses(found)) == is_added


def brought_up_to_date(
    cache: Path, read: list[str], before: Texts, after: Texts
) -> tuple[tuple[Any, ...], list[str]]:
    """Tie, and tie again: the second graph, and what was read for it."""
    contents(before, cache)
    read.clear()
    found = contents(after, cache)
    again = sorted(read)
    assert found == contents(after, None)
    return found, again


def test_a_type_that_is_added_to_a_file_is_read_with_it(cache: Path, read: list[str]) -> None:
    more = SHOP["Shop/Log.cs"] + "public enum Level { Low, High }\n"

    _, again = brought_up_to_date(cache, read, SHOP, SHOP | {"Shop/Log.cs": more})

    assert again == ["Shop/Log.cs"]


@pytest.mark.parametrize("is_declared", [False, True])
def test_an_attribute_for_compilers_matters_to_nobody_unless_the_code_declares_it(
    cache: Path, read: list[str], is_declared: bool
) -> None:
    own = "using System;\nnamespace Shop;\npublic class ObsoleteAttribute : Attribute { }\n"
    texts = SHOP | {"Shop/Obsolete.cs": own if is_declared else "namespace Shop;\npublic class Old { }\n"}
    edited = SHOP["Shop/Order.cs"].replace("public ", '[Obsolete("No more.")] public ')

    _, again = brought_up_to_date(cache, read, texts, texts | {"Shop/Order.cs": edited})

    assert again == (["Shop/Cart.cs", "Shop/Order.cs"] if is_declared else ["Shop/Order.cs"])


def test_an_implementation_of_which_no_container_is_told_matters_to_callers_alone(
    cache: Path, read: list[str]
) -> None:
    setup = "namespace Shop;\nclass Setup { void Go(IServices s) { s.AddScoped<IStore, FileStore>(); } }\n"
    texts = SHOP | {"Shop/Setup.cs": setup}
    cloud = "namespace Shop;\nclass Cloud : IStore { public void Save() { } public int Weight { get; } }\n"

    _, again = brought_up_to_date(cache, read, texts, texts | {"Shop/Cloud.cs": cloud})

    assert again == ["Shop/Cart.cs", "Shop/Cloud.cs"]


STEPS = {
    "Shop/Step.cs": "namespace Shop;\npublic class Step { public virtual void Save() { } }\n",
    "Shop/Run.cs": "namespace Shop;\npublic class Run { Step step; public void Go() { step.Save(); } }\n",
    "Shop/Sub.cs": "namespace Shop;\npublic class Sub : Step { }\n",
}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Shop/Sub.cs", "namespace Shop;\npublic class Sub : Step { public override void Save() { } }\n"),
        ("Shop/New.cs", "namespace Shop;\npublic class Sub2 : Step { public override void Save() { } }\n"),
    ],
)
def test_an_override_matters_to_those_that_call_what_it_overrides(cache: Path, path: str, text: str) -> None:
    contents(STEPS, cache)
    found = contents(STEPS | {path: text}, cache)

    assert found == contents(STEPS | {path: text}, None)
    assert any(one.startswith("Run.Go Sub") for one in uses(found))


@pytest.mark.parametrize(
    "edit",
    [
        ("class Till { Bag bag;", "class Till : Order { public Coin Part;"),  # its own, by what names it
        ("class Till {", "class Safe { }\npublic class Till { public int Part;"),  # beside a new one
        ("using Coin = Shop.Money;", "using Shop.Deep;"),  # as the file opens something else
    ],
)
def test_members_beside_types_matter_to_those_that_reach_them(
    cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch, edit: tuple[str, str]
) -> None:
    monkeypatch.setattr(followed_types, "WORTH_FILES", 0)
    texts = SHOP | {
        "Shop/Look.cs": "namespace Shop;\nclass Look { Till till; void Run() { till.Part.Turn(); till.Count(); } }\n",
        "Shop/Part.cs": PART,
        "Shop/Deep.cs": "namespace Shop.Deep;\npublic class Coin { }\n",
    }
    edited = texts["Shop/Till.cs"].replace(*edit)

    _, again = brought_up_to_date(cache, read, texts, texts | {"Shop/Till.cs": edited})

    assert "Shop/Look.cs" in again
    assert "Shop/Cart.cs" not in again  # which asks for the part of an order


def test_what_a_file_opens_matters_to_those_that_name_what_it_declares(cache: Path, read: list[str]) -> None:
    texts = SHOP | {
        "Far/Part.cs": PART.replace("Shop", "Shop.Far"),
        "Near/Holder.cs": "namespace Shop.Near;\npublic class Holder { public Part It; public int Size; }\n",
        "Near/Use.cs": "namespace Shop.Near;\nclass Use { Holder it; void Run() { it.It.Turn(); } }\n",
    }
    opening = "using Shop.Far;\n" + texts["Near/Holder.cs"]

    found, again = brought_up_to_date(cache, read, texts, texts | {"Near/Holder.cs": opening})

    assert again == ["Near/Holder.cs", "Near/Use.cs"]
    assert "Near.Use.Run Far.Part.Turn" in uses(found)


def test_a_base_that_brings_a_nested_type_along_changes_what_members_hold(
    cache: Path, read: list[str]
) -> None:
    texts = SHOP | {
        "Shop/Base.cs": "namespace Shop;\npublic class Base { public class Key { public void Lock() { } } }\n",
        "Shop/Safe.cs": "namespace Shop;\npublic class Safe { public class Room { public Key Key; } }\n",
        "Shop/Use.cs": "namespace Shop;\nclass Use { Safe.Room room; void Run() { room.Key.Lock(); } }\n",
        "Shop/More.cs": "namespace Shop;\nclass More { Use it; }\n",
    }
    based = texts["Shop/Safe.cs"].replace("class Safe", "class Safe : Base")

    found, again = brought_up_to_date(cache, read, texts, texts | {"Shop/Safe.cs": based})

    assert again == ["Shop/Safe.cs", "Shop/Use.cs"]
    assert "Use.Run Base.Key.Lock" in uses(found)


def test_another_part_of_a_type_matters_to_those_that_name_it(cache: Path, read: list[str]) -> None:
    part = "namespace Shop;\npublic partial class Order : Log { }\n"
    texts = SHOP | {
        "Shop/Use.cs": "namespace Shop;\nclass Use { void Run(Order order) { order.Write(); } }\n"
    }

    found, again = brought_up_to_date(cache, read, texts, texts | {"Shop/Order.Log.cs": part})

    assert again == ["Shop/Cart.cs", "Shop/Order.Log.cs", "Shop/Order.cs", "Shop/Use.cs"]
    assert "Use.Run Log.Write" in uses(found)


def test_a_type_outside_of_namespaces_is_seen_by_projects_that_open_one_of_its_project(
    cache: Path, read: list[str]
) -> None:
    texts = {
        "Lib/Help.cs": "public static class Help { public static void Mend(this string it) { } }\n",
        "Lib/Thing.cs": "namespace Shop.Lib;\npublic class Thing { }\n",
        "App/Use.cs": "namespace Shop.App;\nclass Use { void Run(string it) { it.Mend(); } }\n",
        "App/Some.cs": "namespace Shop.App;\nclass Some { void Idle() { } }\n",
        "Own/Own.cs": "namespace Shop.Own;\nclass Own { }\n",
    }
    opening = "using Shop.Lib;\nnamespace Shop.App;\nclass Opening { }\n"

    found, again = brought_up_to_date(cache, read, texts, texts | {"App/Opening.cs": opening})

    assert again == ["App/Opening.cs", "App/Use.cs", "Lib/Help.cs"]
    assert any(row["rule"] == "extension method" for row in found[1])


HOLDS = {
    "Shop/Holder.cs": "namespace Shop;\npublic class Holder { public Part It; void Do() { } }\n",
    "Shop/Use.cs": "namespace Shop;\nclass Use { Holder it; void Run() { it.It.Turn(); } }\n",
    "Shop/Tap.cs": "namespace Shop;\nclass Tap { public void Turn() { } }\n",
}


@pytest.mark.parametrize(
    "changed",
    [
        {"Shop/Part.cs": PART, "Shop/Holder.cs": HOLDS["Shop/Holder.cs"].replace("{ }", "{ Do(); }")},
        {"Shop/Holder.cs": HOLDS["Shop/Holder.cs"] + PART.removeprefix("namespace Shop;\n")},
    ],
    ids=["in a method beside", "by the type itself"],
)
def test_what_is_declared_as_before_in_a_file_that_changed_is_followed(
    cache: Path, read: list[str], changed: Texts
) -> None:
    found, again = brought_up_to_date(cache, read, HOLDS, {**HOLDS, **changed})

    assert again == sorted({*changed, "Shop/Use.cs"})
    assert "Use.Run Part.Turn" in uses(found)


def test_a_file_that_changed_may_take_a_name_for_another_namespace(cache: Path, read: list[str]) -> None:
    holder = "namespace Shop.App {\nusing Deep;\npublic class Holder { public Part It; void Do() { } }\n}\n"
    texts = HOLDS | {
        "Shop/Part.cs": PART.replace("Shop", "Shop.Deep"),
        "Shop/Holder.cs": holder,
        "Shop/Use.cs": HOLDS["Shop/Use.cs"].replace("Shop", "Shop.App"),
    }
    changed = {
        "Shop/Holder.cs": holder.replace("{ }", "{ Do(); }"),
        "Shop/Other.cs": "namespace Shop.App.Deep;\nclass Other { }\n",
    }

    _, again = brought_up_to_date(cache, read, texts, {**texts, **changed})

    assert again == sorted({**texts, **changed})


def test_a_method_is_the_only_one_of_its_name_beside_a_function(cache: Path, read: list[str]) -> None:
    texts = {**SHOP, "Shop/Program.cs": "Shut();\nvoid Shut() { }\n"}
    door = "namespace Shop;\nclass Door { public void Shut() { } }\n"

    found, again = brought_up_to_date(cache, read, texts, {**texts, "Shop/Door.cs": door})

    assert again == ["Shop/Cart.cs", "Shop/Door.cs", "Shop/Program.cs"]
    assert "Cart.Guess Door.Shut" in uses(found)


def test_the_folder_of_a_view_is_no_namespace_by_which_projects_refer_to_each_other(
    cache: Path, read: list[str]
) -> None:
    texts = {
        "Lib/Help.cs": "public static class Help { public static void Mend(this string it) { } }\n",
        "Lib/Own.cs": "namespace Lib.Own;\nclass Own { }\n",
        "Lib/Thing/View.cshtml": "<p>@Model</p>\n",
        "App/Use.cs": "using Lib.Thing;\nnamespace App;\nclass Use { void Run(string it) { it.Mend(); } }\n",
    }
    thing = "namespace Lib.Thing;\nclass Thing { }\n"

    found, again = brought_up_to_date(cache, read, texts, texts | {"Lib/Thing.cs": thing})

    assert "App/Use.cs" in again
    assert any(row["rule"] == "extension method" for row in found[1])


@pytest.mark.parametrize(
    "path", ["App/App.csproj", "App/Some.csproj.txt"], ids=["of the project", "by folders"]
)
def test_a_component_stands_in_namespaces_of_which_its_project_sees_others(
    cache: Path, read: list[str], path: str
) -> None:
    project = '<Project Sdk="Microsoft.NET.Sdk.Razor"></Project>\n'
    texts = {
        path: project,
        "Lib/Help.cs": "public static class Help { public static void Mend(this string it) { } }\n",
        "Lib/Own.cs": "namespace App.Own;\nclass Own { }\n",
        "App/Deep/One.razor": "<p/>\n@code { void Run(string it) { it.Mend(); } }\n",
    }

    found, _ = brought_up_to_date(
        cache, read, texts, texts | {"Lib/All.cs": "namespace App;\nclass All { }\n"}
    )

    assert any(row["rule"] == "extension method" for row in found[1])


def test_what_a_file_opens_may_be_the_namespace_that_a_project_gives_its_components(
    cache: Path, read: list[str]
) -> None:
    root = "<PropertyGroup><RootNamespace>Shop.Web</RootNamespace></PropertyGroup>"
    texts = {
        "src/Web/Web.csproj": f'<Project Sdk="Microsoft.NET.Sdk.Razor">{root}</Project>\n',
        "src/Web/Parts/Part.razor": "<p/>\n@code { public void Turn() { } }\n",
        "src/Web/Holder.cs": HOLDS["Shop/Holder.cs"].replace("Shop", "Shop.Near"),
        "src/Web/Use.cs": HOLDS["Shop/Use.cs"].replace("Shop", "Shop.Near"),
    }
    opening = "using Shop.Web.Parts;\n" + texts["src/Web/Holder.cs"]

    found, again = brought_up_to_date(cache, read, texts, texts | {"src/Web/Holder.cs": opening})

    assert again == ["src/Web/Holder.cs", "src/Web/Use.cs"]
    assert any(row["to_key"] == "razor:src.Web.Parts.Part.Turn|METHOD" for row in found[1])


WIDE = {
    "a namespace that others open by a part of its name": (
        {"Shop/Use.cs": "namespace Shop;\nusing Deep;\nclass Use { Found it; void Run() { it.Do(); } }\n"},
        {"Shop/Deep/Found.cs": "namespace Shop.Deep;\npublic class Found { public void Do() { } }\n"}
        | {"Deep/Thing.cs": "namespace Deep;\nclass Thing { }\n"},
    ),
    "another name for all files": (
        {"Shop/Global.cs": "global using Piece = Shop.Part;\n"},
        {"Shop/Part.cs": PART},
    ),
    "members of a type for all files": (
        {"Shop/Global.cs": "global using static Shop.Part;\n"},
        {"Shop/Part.cs": PART},
    ),
    "imports of views": (
        {"Shop/Views/_ViewImports.cshtml": "@inject Shop.Part Part\n"},
        {"Shop/Part.cs": PART},
    ),
    "a part of a class of the system in its tests": (
        {},
        {"Tests/OrderTests.cs": "namespace Shop;\npublic partial class Order { }\n"},
    ),
    "a module of Visual Basic": (
        {},
        {"Shop/All.vb": "Namespace Shop\nModule All\nEnd Module\nEnd Namespace\n"},
    ),
    "a class beside a module of its name": (
        {
            "Shop/All.vb": "Namespace Shop\nPublic Module All\nSub Help()\nEnd Sub\nEnd Module\nEnd Namespace\n",
            "Shop/Use.vb": "Namespace Shop\nClass Use\nSub Run()\nHelp()\nEnd Sub\nEnd Class\nEnd Namespace\n",
        },
        {"Old/All.cs": "namespace Shop;\npublic class All { }\n"},
    ),
    "a namespace where the folder of a view is called so": (
        {
            "Shop/App/Deep/View.cshtml": "<p>@Model</p>\n",
            "Shop/Part.cs": PART.replace("Shop", "Shop.Deep"),
            "Shop/Use.cs": "namespace Shop.App;\nusing Deep;\nclass Use { Part it; void Run() { it.Turn(); } }\n",
        },
        {"Shop/New.cs": "namespace Shop.App.Deep;\nclass Fresh { }\n"},
    ),
}


@pytest.mark.parametrize(("others", "added"), WIDE.values(), ids=WIDE)
def test_all_files_are_read_where_names_do_not_tell(
    cache: Path, read: list[str], others: Texts, added: Texts
) -> None:
    texts = {**SHOP, **others}

    _, again = brought_up_to_date(cache, read, texts, {**texts, **added})

    assert again == sorted({**texts, **added})


@pytest.mark.parametrize("limit", ["MOST_NAMES", "MOST_TYPES"])
def test_all_files_are_read_where_too_much_is_reached(
    cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(followed_types, limit, 0)

    _, again = brought_up_to_date(cache, read, SHOP, SHOP | {"Shop/Part.cs": PART})

    assert again == sorted((*SHOP, "Shop/Part.cs"))


names = st.text(st.characters(categories=("Lu", "Ll", "Nd", "Pc")), min_size=1, max_size=130).filter(
    str.isidentifier
)


@given(names, names)
@example("Id", "x" * 63)  # of which the length is told by a letter
@example("é", "éa")
def test_a_name_stands_among_packed_words_by_itself(name: str, other: str) -> None:
    written = AccessFact("s", Member(Name(f"List<{name}>"), other), 1)
    facts = FileFacts("p", "csharp", "source", None, 1, statements=StatementFacts(accesses=(written,)))
    words = statements_in_words(packed_facts(facts))

    assert stands_in(name.encode(), words)
    assert stands_in(other.encode(), words)
    if f"{name}a" != other:
        assert not stands_in(f"{name}a".encode(), words)


SPACES = ("Shop", "Shop.Deep", "Deep", "")
KINDS = (
    "public class {0} {{ public void Go() {{ }} public A It; }}",
    "[Obsolete] public class {0} {{ [Obsolete] public void Go() {{ }} public A It; }}",
    "public class {0} : B {{ public B Get() => null; public class C {{ public void Stay() {{ }} }} }}",
    "public interface {0} {{ void Go(); A It {{ get; }} }}",
    "public abstract class {0} {{ public abstract void Go(); public virtual void Stay() {{ }} }}",
    "public class {0}<T> : A {{ public T It; public void Stay() {{ }} }}",
    "public partial class {0} : A, C {{ public C this[int at] => null; }}",
    "static class {0} {{ public static B Stay(this A a) => null; public static void Go(this object a) {{ }} }}",
    "public record {0}(A It, B Own);",
    "public enum {0} {{ Go, Stay }}",
    "public delegate A {0}(B it);",
    "public class {0}Attribute : B {{ }}",
    "public class {0} : A {{ public void Go() {{ }} public A It => Own.It; A Own; }}",
)
OPENED = ("", "using Shop;\n", "using Deep;\n", "using A = Shop.B;\n", "using static Shop.A;\n")
USING = """{1}namespace {0};
class Use{2} {{ A a; B b; C[] c; Bag<A> d; I i;
    [A] public void Run() {{ a.Go(); b.It.Stay(); c[0].Stay(); d.It.Go(); i.Go(); }}
    public B Hold(C given) => given.It;
    void Pass(B one) {{
        Hold(null).Go(); one.Get().It.Go(); Stay(); new A();
        foreach (var each in d) {{ each.Stay(); }}
    }}
}}
"""
FIXED = {
    "Shop/Bag.cs": "namespace Shop;\npublic class Bag<T> : List<T> { public T It; }\n",
    "Shop/I.cs": "namespace Shop;\npublic interface I { void Go(); }\nclass Own : B, I { public void Go() { } }\n",
    "Web/One.razor": "@inherits A\n@code { void Show() { Go(); b.Stay(); } B b; }\n",
    "Shop/Use.cs": USING.format("Shop", "", ""),
    "Deep/Use.cs": USING.format("Deep", "using Shop;\n", "2"),
    "Shop/Deep/Use.cs": USING.format("Shop.Deep", "", "3"),
}
PATHS = ("Shop/One.cs", "Shop/Two.cs", "Deep/One.cs", "Shop/Deep/One.cs", "Tests/OneTests.cs")
kinds = st.tuples(st.sampled_from(KINDS), st.sampled_from(("A", "B", "C", "One")))
files = st.none() | st.builds(
    lambda opened, space, types: (
        opened
        + (f"namespace {space};\n" if space else "")
        + "\n".join(kind.format(name) for kind, name in types)
        + "\n"
    ),
    st.sampled_from(OPENED),
    st.sampled_from(SPACES),
    st.lists(kinds, min_size=1, max_size=3),
)


@pytest.mark.slow
@pytest.mark.usefixtures("_without_a_threshold", "_for_few_files")
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.fixed_dictionaries(dict.fromkeys(PATHS, files)),
    st.lists(st.tuples(st.sampled_from(PATHS), files), min_size=1, max_size=5),
)
def test_a_graph_brought_up_to_date_equals_one_made_anew(
    texts: dict[str, str | None], steps: list[tuple[str, str | None]]
) -> None:
    with TemporaryDirectory() as folder:
        cache = Path(folder) / "cache.sqlite3"
        contents({**FIXED, **texts}, cache)
        for path, text in steps:
            texts[path] = text

            assert contents({**FIXED, **texts}, cache) == contents({**FIXED, **texts}, None)
