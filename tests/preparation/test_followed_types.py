"""Types of C# are followed by what they are called where that can be meant, and by who can ask for their members."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragduck.preparation import declared_parts, followed_types, standing_names
from tests.preparation.test_remembered_uses import cache, read
from tests.preparation.test_touched_types import brought_up_to_date, contents, uses

__all__ = ["cache", "read"]  # fixtures

SPACE = "namespace Shop;\n"
ROUTE = "Shop/Route.cs"
SHOP = {
    path: SPACE + text + "\n"
    for path, text in {
        ROUTE: "public class Route { }",
        "Shop/Sent.cs": "public class Sent { public void Stop() { } }",
        "Shop/Kind.cs": (
            "public record Kind { public record None : Kind;\n"
            "    public record Step(Route Way) : Kind { public Route Past; }\n}"
        ),
        "Shop/Special.cs": "public record Special : Kind { }",
        "Shop/Steps.cs": "public class Step { public void Up() { } }",
        "Shop/First.cs": "public class First : Step { public new void Up() { } }",
        "Shop/Climb.cs": "class Climb { First first; void Run() { first.Up(); } }",
        "Shop/Wait.cs": "class Wait { void Run() { new Step().Up(); } }",
    }.items()
}
SENT = {**SHOP, ROUTE: SHOP[ROUTE].replace("Route", "Route : Sent")}

NAMING = {
    "by the type around it": "class It { Kind.Step step; void Run() { step.Way.Stop(); } }",
    "by one that derives from that": "class It { Special.Step step; void Run() { step.Way.Stop(); } }",
    "in one that derives from that": "record It : Special { Step step; void Run() { step.Way.Stop(); } }",
    "as a member of another": (
        "record Own : Special { public Step Rise() => null; }\n"
        "class It { void Run(Own own) { own.Rise().Way.Stop(); } }"
    ),
    "as a base": "record Own : Kind.Step { }\nclass It { Own own; void Run() { own.Past.Stop(); } }",
    "by another name": "using Stair = Shop.Kind.Step;\nclass It { Stair step; void Run() { step.Way.Stop(); } }",
    "in statements": "class It { void Run() { new Kind.Step(null).Way.Stop(); } }",
    "in statements, by one that derives from that": "class It { void Run() { new Special.Step(null).Way.Stop(); } }",
    "in statements of one that derives": "record It : Special { void Run() { new Step(null).Way.Stop(); } }",
    "in statements, by another name": (
        "using Stair = Shop.Kind.Step;\nclass It { void Run() { new Stair(null).Way.Stop(); } }"
    ),
}


@pytest.fixture(autouse=True)
def _worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Follow types for however few files."""
    monkeypatch.setattr(followed_types, "WORTH_FILES", 0)
    monkeypatch.setattr(followed_types, "WORTH_OUTER", 0)


def with_it(text: str, *others: str) -> Mapping[str, str]:
    """Return files that each declare something, usings before the namespace."""
    files = {}
    for path, each in zip(("Shop/It.cs", "Shop/Other.cs"), (text, *others), strict=False):
        usings, _, types = each.rpartition(";\n") if each.startswith("using") else ("", "", each)
        files[path] = f"{usings};\n{SPACE}{types}\n" if usings else f"{SPACE}{each}\n"
    return files


@pytest.mark.parametrize("is_gone", [False, True], ids=["added", "gone"])
@pytest.mark.parametrize("text", NAMING.values(), ids=NAMING)
def test_a_nested_type_is_followed_where_it_can_be_named(
    cache: Path, read: list[str], text: str, is_gone: bool
) -> None:
    own, _, it = text.partition("\nclass It") if text.startswith("record Own") else ("", "", "")
    texts = with_it(f"class It{it}", own) if own else with_it(text)
    without, having = SHOP | texts, SENT | texts
    before, after = (having, without) if is_gone else (without, having)

    found, again = brought_up_to_date(cache, read, before, after)

    assert "Shop/It.cs" in again
    assert {"Shop/First.cs", "Shop/Climb.cs", "Shop/Wait.cs"}.isdisjoint(again)
    assert ("It.Run Sent.Stop" in uses(found)) is not is_gone


@pytest.mark.parametrize("is_gone", [False, True], ids=["added", "gone"])
def test_what_derives_from_a_nested_type_that_derives_from_the_one_around_it_can_name_that(
    cache: Path, read: list[str], is_gone: bool
) -> None:
    texts = with_it(
        "class It { void Run(More more) { more.Rise().Way.Stop(); } }", "record Own : Kind.None { }"
    ) | {"Shop/More.cs": f"{SPACE}record More : Own {{ public Step Rise() => null; }}\n"}
    before, after = (SENT | texts, SHOP | texts) if is_gone else (SHOP | texts, SENT | texts)

    found, again = brought_up_to_date(cache, read, before, after)

    assert "Shop/It.cs" in again
    assert "Shop/Climb.cs" not in again
    assert ("It.Run Sent.Stop" in uses(found)) is not is_gone


BASES = {
    "a blank before arguments": ("class Own : Outer <int> { }", "Own"),
    "a line before arguments": ("class Own : Outer\n    <int> { }", "Own"),
    "a comment before arguments": ("class Own : Outer/* of */<int> { }", "Own"),
    "as no keyword": ("class Own : @Outer<int> { }", "Own"),
    "by another name": ("using Other = Shop.Outer <int>;\nclass Own : Other { }", "Own"),
    "hiding another name": (
        "using Other = Shop.Sent;\nclass Host { public class Other : Outer<int> { } public class Own : Other { } }",
        "Host.Own",
    ),
}


@pytest.mark.parametrize(("text", "base"), BASES.values(), ids=BASES)
def test_bases_are_read_as_they_are_resolved(cache: Path, read: list[str], text: str, base: str) -> None:
    outer = f"{SPACE}public class Outer<A> {{ public class Step {{ }} }}\n"
    texts = {
        **SHOP,
        **with_it("class It { void Run(More more) { more.Way.Stop(); } }", text),
        "Shop/More.cs": f"{SPACE}public class More : {base} {{ public Step Way; }}\n",
        "Shop/Outer.cs": outer,
    }
    derived = outer.replace("Step", "Step : Sent")

    found, again = brought_up_to_date(cache, read, texts, texts | {"Shop/Outer.cs": derived})

    assert again == ["Shop/It.cs", "Shop/More.cs", "Shop/Outer.cs"]
    assert "It.Run Sent.Stop" in uses(found)


@pytest.mark.parametrize("base", ["IGoing <int>", "@IGoing<int>", "Optional<IGoing<int>>"])
def test_what_implements_something_is_called_by_that_however_it_is_written(
    cache: Path, read: list[str], base: str
) -> None:
    texts = {
        **SHOP,
        "Shop/IGoing.cs": f"{SPACE}public interface IGoing<A> {{ void Go(); }}\n",
        "Shop/Goer.cs": f"{SPACE}public class Goer {{ public void Go() {{ }} }}\n",
        "Shop/Holder.cs": f"{SPACE}public class Holder {{ public IGoing<int> Going; }}\n",
        **with_it("class It { Holder holder; void Run() { holder.Going.Go(); } }"),
    }
    going = texts["Shop/Goer.cs"].replace("Goer", f"Goer : {base}")

    found, _ = brought_up_to_date(cache, read, texts, texts | {"Shop/Goer.cs": going})

    assert "It.Run Goer.Go" in uses(found)


ANYWHERE = {
    "a name for all files": {"Shop/Names.cs": "global using Stage = Shop.Kind;\n"},
    "imports of views": {"Shop/_Imports.razor": "@using static Shop.Kind\n"},
    "Visual Basic": {"Shop/Old.vb": "Class Old\nEnd Class\n"},
}


@pytest.mark.parametrize("others", ANYWHERE.values(), ids=ANYWHERE)
def test_a_nested_type_is_followed_everywhere_where_the_type_around_it_has_no_name(
    cache: Path, read: list[str], others: Mapping[str, str]
) -> None:
    _, again = brought_up_to_date(cache, read, {**SHOP, **others}, {**SENT, **others})

    assert "Shop/Climb.cs" in again


def test_a_nested_type_is_followed_everywhere_where_many_derive_from_the_one_around_it(
    cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(declared_parts, "MOST_AROUND", 1)

    _, again = brought_up_to_date(cache, read, SHOP, SENT)

    assert "Shop/Climb.cs" in again


def test_a_type_at_the_top_is_followed_beside_a_nested_one_of_its_name(cache: Path, read: list[str]) -> None:
    steps = SHOP["Shop/Steps.cs"].replace("{", "{ public Route Way; ", 1)
    texts = {"Shop/Steps.cs": steps, "Shop/Climb.cs": SHOP["Shop/Climb.cs"].replace("Up", "Way.Stop")}

    found, again = brought_up_to_date(cache, read, SHOP | texts, SENT | texts)

    assert "Shop/Climb.cs" in again
    assert "Climb.Run Sent.Stop" in uses(found)


TAKEN = {
    "Shop/Guard.cs": f"{SPACE}public class Guard {{ public Route Check(Route way) => way; }}\n",
    "Shop/Sieve.cs": f"{SPACE}public class Sieve {{ public Sent Check(int size) => null; }}\n",
    "Shop/Sifted.cs": f"{SPACE}class Sifted {{ Sieve sieve; void Run() {{ sieve.Check(1).Stop(); }} }}\n",
}
CHECKING = {
    "of the type": "class It { Guard guard; void Run() { guard.Check(null).Stop(); } }",
    "of one that derives": (
        "class It { Strict strict; void Run() { strict.Check(null).Stop(); } }",
        "public class Strict : Guard { }",
    ),
    "of one that another has": (
        "class It { Post post; void Run() { post.Guard.Check(null).Stop(); } }",
        "public class Post { public Guard Guard; }",
    ),
    "that extends another": (
        "class It { Sieve sieve; void Run() { sieve.Check(1, 2).Stop(); } }",
        "static class Checks { public static Route Check(this Sieve sieve, int size, int more) => null; }",
    ),
}  # fmt: skip


@pytest.mark.parametrize("is_gone", [False, True], ids=["added", "gone"])
@pytest.mark.parametrize("texts", CHECKING.values(), ids=CHECKING)
def test_members_that_name_a_type_are_followed_by_the_types_that_have_them(
    cache: Path, read: list[str], texts: str | tuple[str, str], is_gone: bool
) -> None:
    more = TAKEN | with_it(*((texts,) if isinstance(texts, str) else texts))
    without, having = SHOP | more, SENT | more
    before, after = (having, without) if is_gone else (without, having)

    found, again = brought_up_to_date(cache, read, before, after)

    assert "Shop/It.cs" in again
    assert ("Shop/Sifted.cs" in again) is ("Check(this" in "".join(texts))
    assert ("It.Run Sent.Stop" in uses(found)) is not is_gone


IT = "class It { Mid mid; void Run() { mid.Own%s.Stop(); } }"
PRIVATE = {  # that others name all the same: what they mean is found without regard to who may see it
    "in another part": (
        "partial class It { private Route Own; }",
        "partial class It { void Run() { Own.Stop(); } }",
    ),
    "beside a public one": (
        "class Mid { public Sent Own(object one) => null; private Route Own(string one) => null; }",
        IT % '("a")',
    ),
    "beside one that extends its type": (
        "class Mid { private Route Own() => null; }\n"
        "static class Beside { public static Sent Own(this Mid mid) => null; }",
        IT % "()",
    ),
    "hiding an inherited one": (
        "class Base { public Sent Own; }\nclass Mid : Base { private Route Own; }",
        "class It : Mid { void Run() { Own.Stop(); } }",
    ),
    "hiding one of a type around": (
        "class Base { private Route Own; }",
        "class It { static Sent Own; class In : Base { void Run() { Own.Stop(); } } }",
    ),
    "opened": (
        "static class Mid { private static Route Own; }",
        "using static Shop.Mid;\nclass It { void Run() { Own.Stop(); } }",
    ),
}


@pytest.mark.parametrize("is_gone", [False, True], ids=["added", "gone"])
@pytest.mark.parametrize("texts", PRIVATE.values(), ids=PRIVATE)
def test_private_members_are_followed_as_others_are(
    cache: Path, read: list[str], texts: tuple[str, str], is_gone: bool
) -> None:
    without, having = SHOP | with_it(*texts), SENT | with_it(*texts)
    before, after = (having, without) if is_gone else (without, having)

    _, again = brought_up_to_date(cache, read, before, after)

    assert "Shop/Other.cs" in again


@pytest.mark.parametrize("is_gone", [False, True], ids=["added", "gone"])
def test_members_that_name_a_type_are_those_of_types_that_a_file_has_something_of(
    cache: Path, read: list[str], is_gone: bool
) -> None:
    more = with_it(
        "class Test { Route _it; void Run() { _it.Stop(); } }",
        "class More { Sent _it; void Run() { _it.Stop(); } }",
    )
    without, having = SHOP | more, SENT | more
    before, after = (having, without) if is_gone else (without, having)

    _, again = brought_up_to_date(cache, read, before, after)

    assert "Shop/It.cs" in again
    assert "Shop/Other.cs" not in again


def test_a_name_in_a_text_of_any_length_is_found(
    cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standing_names, "MANY_NAMES", 0)
    written = (
        f"Holder<{'X' * 132}>"  # 140 bytes, a number that is no letter where the length of a text is one
    )
    more = {
        "Shop/Holder.cs": f"{SPACE}public class Holder<T> {{ public Route It; }}\n",
        "Shop/It.cs": f"{SPACE}class It {{ void Run(object one) {{ (({written})one).It.Stop(); }} }}\n",
    }

    _, again = brought_up_to_date(cache, read, SHOP | more, SENT | more)

    assert len(written) == 140
    assert "Shop/It.cs" in again


def test_members_that_name_a_type_are_asked_for_everywhere_where_these_are_few(
    cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followed_types, "WORTH_FILES", 50)

    _, again = brought_up_to_date(cache, read, SHOP | TAKEN, SENT | TAKEN)

    assert "Shop/Sifted.cs" in again


BODIES = (
    "public class N { public A It; public void Stop() { } }", "public record N(A It) : NAME;", "public A It;",
    "public class M : N { public N Own; }", "public static A Make(N given) => given.It;", "N Kept => null;",
    "public void Run() { Kept.It.Stop(); Make(null).Stop(); It.Stop(); }", "public void Each(Action<A> done) { }",
    "public void Stop() { }", "public A Stop(N given) => null;", "public record M(N Inner);",
    "public N(A it, Action<A> done) { }", "public A this[int at] => null;",
    "private A Own; public void Run() { Own.Stop(); }", "private new A It;", "private A Stop(A own) => own.It;",
)  # fmt: skip
HEADS = (
    "public class {}", "public class {} : A", "public class {} : B", "public class {} : C", "public record {}(A It)",
    "public record {}(A It, Action<A> Done)", "public class {}(B given) : C", "public interface {}",
    "public partial class {}", "public class {}<T> : B where T : A", "public abstract class {} : C.N",
)  # fmt: skip
ASKING = (
    "B.N n; void Go() { n.It.Stop(); n.Inner.It.Stop(); }", "C.N n; void Go() { n.Own.It.Stop(); n.It.Stop(null); }",
    "void Go(B b, C c) { b.It.Stop(); c.It.Stop(); b[0].Stop(); c.Make(null).Stop(); }",
    "N n; void Go() { n.It.Stop(); }",
    "void Go() { new B(x => x.Stop()); new C(null, x => x.It.Stop()); new N(null).It.Stop(); }",
    "void Go(B b) { b.Each(x => x.Stop()); b.Stop(null).It.Stop(); }", "M m; void Go() { m.Inner.It.Stop(); }",
    "void Go(C c) { if (c is { It: var it }) { it.Stop(); } var (one, two) = c; one.Stop(); }",
    "D d; void Go() { d.It.Stop(); D.Make(null).It.Stop(); }", "A a; void Go() { a.Stop(); a.It.Stop(); }",
)  # fmt: skip
TYPES = ("A", "B", "C", "D", "N")
USINGS = (
    "", "", "using N = Shop.B.N;\n", "using static Shop.C;\n", "using static Shop.B;\nusing static Shop.D;\n",
    "using K = Shop.C;\n",
)  # fmt: skip
declared = st.tuples(
    st.sampled_from(HEADS),
    st.lists(st.sampled_from(BODIES), max_size=4, unique=True),
    st.sampled_from(USINGS),
)
asking = st.tuples(
    st.sampled_from(ASKING), st.sampled_from(("", "", " : B", " : D", " : K")), st.sampled_from(USINGS)
)


def laid_out(
    types: Mapping[str, tuple[str, list[str], str]], users: list[tuple[str, str, str]]
) -> dict[str, str | None]:
    texts = {
        f"{name}.cs": f"{usings}{SPACE}{head.format(name)} {{ {' '.join(bodies).replace('NAME', name)} }}\n"
        for name, (head, bodies, usings) in types.items()
    }
    for number, (body, base, usings) in enumerate(users):
        texts[f"Use{number}.cs"] = f"{usings}{SPACE}class Use{number}{base} {{ {body} }}\n"
    return dict(texts)


@pytest.mark.slow
@pytest.mark.usefixtures("_without_a_threshold", "_for_few_files")
@settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    st.fixed_dictionaries(dict.fromkeys(TYPES, declared)),
    st.lists(asking, min_size=3, max_size=10),
    st.lists(st.tuples(st.sampled_from(TYPES), declared), min_size=1, max_size=5),
)
def test_a_graph_brought_up_to_date_equals_one_made_anew(
    types: dict[str, tuple[str, list[str], str]],
    users: list[tuple[str, str, str]],
    steps: list[tuple[str, tuple[str, list[str], str]]],
) -> None:
    with TemporaryDirectory() as folder:
        cache = Path(folder) / "cache.sqlite3"
        contents(laid_out(types, users), cache)
        for name, edited in steps:
            types[name] = edited

            assert contents(laid_out(types, users), cache) == contents(laid_out(types, users), None)
