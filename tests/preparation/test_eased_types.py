"""Types that have other attributes, or derive from other interfaces: who cannot notice is not read again."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.preparation.test_remembered_uses import cache, read
from tests.preparation.test_touched_types import brought_up_to_date, contents

__all__ = ["cache", "read"]  # fixtures

ORDER = "namespace Shop;\n{0}public class Order{1} {{ public void Pay() {{ }} public int Weight => 1; }}\n"
TEXTS = {
    "Shop/Order.cs": ORDER.format("", ""),
    "Shop/Weighed.cs": """namespace Shop;
public interface IThing { void Turn(); }
public interface IWeighed : IThing { int Weight { get; } }
public static class Scales { public static void Lift(this IWeighed it) { } }
public class Box { public Box(object it) { } public Box(IWeighed it) { } }
public class Crate : IWeighed { public int Weight { get { return Read(); } } public void Turn() { } int Read() => 1; }
public class Shelf { public void Put(object it) { } public void Put<T>(T it, int at) where T : IWeighed { } }
""",
    "Shop/Names.cs": "namespace Shop;\nclass Names { void Run() { new Order().Pay(); } }\n",
    "Shop/Lifts.cs": "namespace Shop;\nclass Lifts { Order it; void Run() { it.Lift(); } }\n",
    "Shop/Packs.cs": "namespace Shop;\nclass Packs { Order it; void Run() { new Box(it); } }\n",
    "Shop/Puts.cs": "namespace Shop;\nclass Puts { Order it; void Run(Shelf on) { on.Put(it); } }\n",
    "Shop/Weighs.cs": "namespace Shop;\nclass Weighs { IWeighed it; int Run() => it.Weight; }\n",
    "Shop/Turns.cs": "namespace Shop;\nclass Turns { IThing it; void Run() { it.Turn(); } }\n",
    "Shop/Log.cs": "namespace Shop;\nclass Log { void Run() { } }\n",
}
NOTICING = [f"Shop/{one}.cs" for one in ("Lifts", "Packs", "Puts", "Turns", "Weighed", "Weighs")]
pytestmark = pytest.mark.usefixtures("_for_few_files")


@pytest.mark.parametrize("mark", ["[Serializable]\n", '[Table("Bill")]\n'])
def test_an_attribute_of_a_type_is_noticed_by_no_other_file(cache: Path, read: list[str], mark: str) -> None:
    _, again = brought_up_to_date(cache, read, TEXTS, TEXTS | {"Shop/Order.cs": ORDER.format(mark, "")})

    assert again == ["Shop/Order.cs"]


@pytest.mark.parametrize("is_gone", [False, True])
def test_an_interface_is_noticed_by_who_names_something_of_it(
    cache: Path, read: list[str], is_gone: bool
) -> None:
    plain, derived = TEXTS, TEXTS | {"Shop/Order.cs": ORDER.format("", " : IWeighed")}
    before, after = (derived, plain) if is_gone else (plain, derived)

    found, again = brought_up_to_date(cache, read, before, after)

    assert found != contents(before, None)
    assert again == sorted(("Shop/Order.cs", *NOTICING))


def test_a_member_beside_is_followed_as_well(cache: Path, read: list[str]) -> None:
    order = ORDER.format("[Serializable]\n", " : IWeighed").replace("void Pay()", "int Pay()")

    _, again = brought_up_to_date(cache, read, TEXTS, TEXTS | {"Shop/Order.cs": order})

    assert again == sorted(("Shop/Order.cs", "Shop/Names.cs", *NOTICING))


@pytest.mark.parametrize(
    ("base", "others"),
    [
        ("IDisposable", {}),
        ("Order2", {"Shop/Order2.cs": "namespace Shop;\npublic class Order2 { }\n"}),
        ("ILeft", {"Shop/Left.cs": "namespace Shop;\npublic interface ILeft : IDisposable { }\n"}),
        ("Other", {"Shop/Global.cs": "global using Other = Shop.IWeighed;\n"}),
        ("IAt", {"Shop/At.cs": "namespace Shop;\npublic interface IAt { int this[int at] { get; } }\n"}),
        ("IFar", {"Other/Far.cs": "namespace Other;\npublic interface IFar { }\n"}),
        ("IHas", {"Shop/Has.cs": "namespace Shop;\npublic interface IHas { class Nest { } }\n"}),
        ("IMarkAttribute", {"Shop/Mark.cs": "namespace Shop;\npublic interface IMarkAttribute { }\n"}),
        (
            "IWeighed",
            {"Shop/Judge.cs": "namespace Shop;\nclass Judge : AuthorizationHandler<Rule, IWeighed> { }\n"},
        ),
        ("IWeighed", {"Shop/All.vb": "Namespace Shop\nClass All\nEnd Class\nEnd Namespace\n"}),
    ],
    ids=[
        "of the framework",
        "class",
        "below one of the framework",
        "alias",
        "indexer",
        "out of sight",
        "with a type within",
        "of attributes",
        "handled",
        "visual basic",
    ],
)
def test_who_names_the_type_is_read_where_it_derives_from_something_else(
    cache: Path, read: list[str], base: str, others: dict[str, str]
) -> None:
    before = TEXTS | others

    _, again = brought_up_to_date(
        cache, read, before, before | {"Shop/Order.cs": ORDER.format("", f" : {base}")}
    )

    assert {"Shop/Order.cs", "Shop/Names.cs", "Shop/Lifts.cs"} <= set(again)


INTERFACES = {
    "Shop/I.cs": """namespace Shop;
public interface I { void Go(); A It { get; } }
public interface N { class Nest { public void Stay() { } } }
""",
    "Shop/J.cs": "namespace Shop;\npublic interface J : I { int Count(); void Rest() { It.Go(); } }\n",
    "Shop/K.cs": "namespace Shop;\npublic interface K<T> : L where T : I { T Get(); void Take(T it); }\n",
    "Shop/L.cs": "namespace Deep;\npublic interface L { B Own { get; } }\n",
}
TYPE = """using {3};
namespace Shop;
{1}public {4} {0}{2} {{ public void Go() {{ }} public A It; public B Own => null; }}
"""
BASES = ("I", "J", "N", "K<A>", "K<B>", "L", "Deep.L", "M", "IDisposable", "List<A>")
USES = {
    "Shop/Help.cs": """using M = Shop.J;
namespace Shop;
public static class Help {
    public static A Mend(this I it) => null;
    public static B Mend(this object it) => null;
    public static T Turn<T>(this T it) where T : J => it;
    public static A Lift<T>(this K<T> it) where T : I => null;
    public static void Sink(this M it, int at) { }
}
public class Bag { public Bag(object it) { } public Bag(J it) { }
    public void Put(I it) { } public A Put(object it) => null; public B Put(Deep.L it, int at) => null; }
public class Pot(Deep.L it) { Deep.L Held => it; }
public class LAttribute : System.Attribute { public LAttribute(I it) { } }
""",
    "Third/Use.cs": """using Deep;
namespace Third;
class Use { L it; Shop.A a; void Run() { it.Own.Go(); a.Own.Mend(); foreach (var one in a) { one.Go(); } } }
""",
}
ASKING = (
    ("A a;", "a.Mend().Go();"),
    ("B b;", "b.Mend().It.Go();"),
    ("A a;", "a.Turn().It.Own.Go();"),
    ("B b;", "b.Lift().Go();"),
    ("A a;", "a.Sink(1);"),
    ("A a; Bag bag;", "bag.Put(a).Go();"),
    ("B b; Bag bag;", "bag.Put(b, 1).It.Go();"),
    ("A a;", "new Bag(a);"),
    ("B b;", "new Pot(b);"),
    ("I i;", "i.Go();"),
    ("J j;", "j.It.Go();"),
    ("B b;", "b.Rest();"),
    ("A a;", "a.Count();"),
    ("A a;", "a.Get().Own.Go();"),
    ("K<A> k; B b;", "k.Take(b);"),
    ("", "new A.Nest().Stay();"),
    ("", "new B().It.Own.Go();"),
)
HEIRS = (
    ("A", "Rest(); new Nest().Stay();"),
    ("B", "base.Own.Go(); Count();"),
    ("A", "It.Mend();"),
)
USES |= {
    f"Shop/Use{at}.cs": f"namespace Shop;\nclass Use{at} {{ {held} void Run() {{ {done} }} }}\n"
    for at, (held, done) in enumerate(ASKING)
}
USES |= {
    f"Shop/Heir{at}.cs": f"namespace Shop;\nclass Heir{at} : {base} {{ void Run() {{ {done} }} }}\n"
    for at, (base, done) in enumerate(HEIRS)
}
versions = st.tuples(
    st.sampled_from(("", "[Serializable]\n", "[L]\n", "[L] [Serializable]\n")),
    st.lists(st.sampled_from(BASES), max_size=3, unique=True),
    st.sampled_from(("Deep", "System")),
    st.sampled_from(("class", "class", "class", "interface", "record")),
)
Version = tuple[str, list[str], str, str]


def type_text(name: str, version: Version) -> str:
    """Return a file that declares a type."""
    mark, bases, opened, kind = version
    return TYPE.format(name, mark, f" : {', '.join(bases)}" if bases else "", opened, kind)


@pytest.mark.slow
@pytest.mark.usefixtures("_without_a_threshold")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.fixed_dictionaries({"A": versions, "B": versions}),
    st.lists(st.tuples(st.sampled_from("AB"), versions), min_size=2, max_size=6),
)
@example(
    {"A": ("", [], "Deep", "class"), "B": ("", [], "Deep", "class")}, [("A", ("", ["J"], "Deep", "class"))]
)
def test_a_graph_brought_up_to_date_equals_one_made_anew(
    types: dict[str, Version], steps: list[tuple[str, Version]]
) -> None:
    texts = {
        **INTERFACES,
        **USES,
        **{f"Shop/{name}.cs": type_text(name, each) for name, each in types.items()},
    }
    with TemporaryDirectory() as folder:
        cache = Path(folder) / "cache.sqlite3"
        contents(texts, cache)
        for name, version in steps:
            texts[f"Shop/{name}.cs"] = type_text(name, version)

            assert contents(texts, cache) == contents(texts, None)
