"""Members of C# are declared otherwise: of the files that name them, those are read again that can reach them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragduck.graph.types.written import MAX_LENGTH
from ragduck.preparation import followed_types
from tests.preparation.test_remembered_uses import cache, read
from tests.preparation.test_touched_types import brought_up_to_date, contents, uses

__all__ = ["cache", "read"]  # fixtures

SPACE = "namespace Shop;\n"
MOTOR = "Shop/Motor.cs"
SHOP = {
    path: SPACE + text + "\n"
    for path, text in {
        MOTOR: "public class Motor : Machine, IStarted { public int Speed { get; set; } }",
        "Shop/Machine.cs": "public abstract class Machine : Thing { public abstract void Stop(int now); }",
        "Shop/Thing.cs": "public class Thing { public void Carry() { } }",
        "Shop/IStarted.cs": "public interface IStarted { void Start(); void Stop(int now); }",
        "Shop/Rotor.cs": "public class Rotor : Motor { public void Turn() { } }",
        "Shop/Car.cs": "public class Car { public Motor Engine { get; } public List<Motor> All() => null; }",
        "Shop/Fleet.cs": "public class Fleet : List<Rotor> { public Car First() => null; }",
        "Shop/Clock.cs": "public class Clock { public void Stop() { } public Thing Case { get; } }",
        "Shop/MotorRules.cs": "public static class MotorRules { public static Motor Best() => null; }",
        "Shop/Watch.cs": "class Watch { Clock clock; void Run() { clock.Stop(); } }",
        "Shop/Guess.cs": "class Guess { void Run() { Unknown.Current.Stop(); } }",
        "Shop/Case.cs": "class Case { Clock clock; void Run() { clock.Case.Stop(); } }",
    }.items()
}
STOPPED = {**SHOP, MOTOR: SHOP[MOTOR].replace("{ public", "{ public void Stop() { } public", 1)}


@pytest.fixture(autouse=True)
def _worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Follow types for however few files."""
    monkeypatch.setattr(followed_types, "WORTH_FILES", 0)
    monkeypatch.setattr(followed_types, "WORTH_OUTER", 0)


REACHING = {
    "the type": "class It { Motor motor; void Run() { motor.Stop(); } }",
    "a type made": "class It { void Run() { new Motor().Stop(); } }",
    "a member of the type": "class It { Car car; void Run() { car.Engine.Stop(); } }",
    "a method of the type": "class It { Car car; void Run() { foreach (var one in car.All()) { one.Stop(); } } }",
    "a method in a lambda": "class It { Car car; void Run() { car.All().ForEach(one => one.Stop()); } }",
    "a type that derives": "class It { Rotor rotor; void Run() { rotor.Stop(); } }",
    "what has a type that derives": "class It { Fleet fleet; void Run() { fleet[0].Stop(); } }",
    "a method of a method": "class It { Fleet fleet; void Run() { fleet.First().Engine.Stop(); } }",
    "a base that leaves it open": "class It { Machine machine; void Run() { machine.Stop(1); } }",
    "an interface": "class It { IStarted started; void Run() { started.Stop(1); } }",
    "a method that is called without its type": (
        "using static Shop.MotorRules;\nclass It { void Run() { Best().Stop(); } }"
    ),
    "a type by another name": "using Engine = Shop.Motor;\nclass It { void Take(Engine one) { one.Stop(); } }",
    "another type that holds one": (
        "class Own { public Motor Part; }\nclass It { void Run(Own own) { own.Part.Stop(); } }"
    ),
}


def with_it(text: str) -> Mapping[str, str]:
    """Return a file that may call something, its usings before its namespace."""
    usings, _, types = text.rpartition(";\nclass") if text.startswith("using") else ("", "", text)
    return {"Shop/It.cs": f"{usings};\n{SPACE}class{types}\n" if usings else f"{SPACE}{types}\n"}


@pytest.mark.parametrize("is_gone", [False, True], ids=["added", "gone"])
@pytest.mark.parametrize("text", REACHING.values(), ids=REACHING)
def test_a_file_is_read_again_that_has_something_with_the_member(
    cache: Path, read: list[str], text: str, is_gone: bool
) -> None:
    without, having = SHOP | with_it(text), STOPPED | with_it(text)
    before, after = (having, without) if is_gone else (without, having)

    _, again = brought_up_to_date(cache, read, before, after)

    assert again == ["Shop/It.cs", MOTOR]


TRAIN = {
    "Shop/Train.cs": f"{SPACE}public class Train {{ public Clock Engine {{ get; }} }}\n",
    "Shop/Station.cs": f"{SPACE}class Station {{ Train train; void Run() {{ train.Engine.Stop(); }} }}\n",
}


@pytest.mark.parametrize(("worth", "is_read"), [(0, False), (100, True)])
def test_members_of_the_type_are_those_of_types_that_a_file_has_something_of_where_many_are_so_called(
    cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch, worth: int, is_read: bool
) -> None:
    monkeypatch.setattr(followed_types, "WORTH_OUTER", worth)

    _, again = brought_up_to_date(cache, read, SHOP | TRAIN, STOPPED | TRAIN)

    assert ("Shop/Station.cs" in again) is is_read


@pytest.mark.parametrize("called", ["Unknown.Current", "new Hall()", "hall", "Shared.Hall", "Open()"])
def test_what_a_method_returns_that_is_called_on_something_unknown_is_unknown(
    cache: Path, read: list[str], called: str
) -> None:
    hall = "public class Hall { public Motor Lend() => null; }\n"
    hall += "public static class Shared { public static Hall Hall; }"
    text = f"class Try {{ Hall hall; Hall Open() => hall; void Run() {{ {called}.Lend().Stop(); }} }}"
    if called in ("Unknown.Current", "Shared.Hall"):
        text = text.replace("Hall hall; Hall Open() => hall; ", "")
    more = {"Shop/Hall.cs": f"{SPACE}{hall}\n", "Shop/Try.cs": f"{SPACE}{text}\n"}

    found, again = brought_up_to_date(cache, read, SHOP | more, STOPPED | more)

    is_known = called != "Unknown.Current"
    assert "Try.Run Hall.Lend" in uses(found)
    assert ("Try.Run Motor.Stop" in uses(found)) is is_known
    assert ("Shop/Try.cs" in again) is is_known


@pytest.mark.parametrize("is_gone", [False, True], ids=["added", "gone"])
def test_what_extends_something_is_asked_for_without_its_type(
    cache: Path, read: list[str], is_gone: bool
) -> None:
    tools = (
        "public static class Tools { public static Motor Wound(this Thing thing) => null; void Help() { } }"
    )
    text = "class It { Thing thing; void Run() { thing.Wound().Stop(); } }"
    without = SHOP | with_it(text) | {"Shop/Tools.cs": f"{SPACE}{tools}\n"}
    having = without | {
        MOTOR: STOPPED[MOTOR],
        "Shop/Tools.cs": without["Shop/Tools.cs"].replace("()", "(int a)", 1),
    }
    before, after = (having, without) if is_gone else (without, having)

    found, again = brought_up_to_date(cache, read, before, after)

    assert again == ["Shop/It.cs", MOTOR, "Shop/Tools.cs"]
    assert ("It.Run Motor.Stop" in uses(found)) is not is_gone


TOOLS = "public static class Tools { extension(Results it) { public static Motor Bad(int a) => null; } }"
OTHERWISE = {
    "gone": {"public static Motor Bad(int a) => null;": ""},
    "called otherwise": {"Bad": "Worse"},
    "called on a value": {"static Motor": "Motor"},
    "on another type": {"Results": "Parcel"},
    "of another class": {"Tools": "Devices"},
    "of another type": {"Motor": "Clock"},
    "in a namespace out of sight": {SPACE: "namespace Far;\nusing Shop;\n"},
}


@pytest.mark.parametrize("is_before", [False, True], ids=["now", "before"])
@pytest.mark.parametrize("edit", OTHERWISE.values(), ids=OTHERWISE)
def test_a_static_member_that_extends_a_type_is_asked_for_by_those_who_call_it_on_that(
    cache: Path, read: list[str], edit: Mapping[str, str], is_before: bool
) -> None:
    text = "class It { void Run() { Results.Bad(1); } void Go() { Results.Bad(1).Carry(); } }"
    having = SHOP | with_it(text) | {"Shop/Tools.cs": f"{SPACE}{TOOLS}\n"}
    edited = having["Shop/Tools.cs"]
    for old, new in edit.items():
        edited = edited.replace(old, new)
    other = having | {"Shop/Tools.cs": edited}
    before, after = (other, having) if is_before else (having, other)

    found, again = brought_up_to_date(cache, read, before, after)

    assert "Shop/It.cs" in again
    assert {"Shop/Car.cs", "Shop/Clock.cs", "Shop/Watch.cs"}.isdisjoint(again)
    assert {"It.Run Tools.Bad", "It.Go Thing.Carry"} <= uses(found) or not is_before


RESULTS = {
    "the type is declared": {"Shop/Results.cs": f"{SPACE}public class Results {{ }}\n"},
    "the type has the member": {
        "Shop/Results.cs": f"{SPACE}public class Results {{ public static Car Bad(int a) => null; }}\n"
    },
    "a namespace is opened for all": {"Shop/Usings.cs": "global using Far;\n"},
    "a name for all": {"Shop/Usings.cs": "global using Results = Shop.Clock;\n"},
}


@pytest.mark.parametrize("is_gone", [False, True], ids=["added", "gone"])
@pytest.mark.parametrize("more", RESULTS.values(), ids=RESULTS)
def test_the_type_that_a_static_member_extends_may_come_in_sight(
    cache: Path, read: list[str], more: Mapping[str, str], is_gone: bool
) -> None:
    text = "class It { void Run() { Results.Bad(1); } void Go() { Results.Bad(1).Carry(); } }"
    space = "namespace Far;\nusing Shop;\n" if "global using Far;\n" in more.values() else SPACE
    without = SHOP | with_it(text) | {"Shop/Tools.cs": f"{space}{TOOLS}\n"}
    before, after = (without | more, without) if is_gone else (without, without | more)

    _, again = brought_up_to_date(cache, read, before, after)

    assert "Shop/It.cs" in again


OPENED = {
    "declared here": {"Shop/Adapter.cs": f"{SPACE}public class Adapter {{ }}\n"},
    "untyped": {"Shop/Holder.cs": f"{SPACE}public class Holder {{ public dynamic Pane; }}\n"},
    "closed with a type": {"Shop/Holder.cs": f"{SPACE}public class Holder {{ public Adapter<Car> Pane; }}\n"},
    "of a base": {
        "Shop/Holder.cs": f"{SPACE}public class Holder : Panes {{ }}\n",
        "Shop/Panes.cs": f"{SPACE}public class Panes {{ public Car Pane; }}\n",
    },
}


@pytest.mark.parametrize("is_before", [False, True], ids=["now", "before"])
@pytest.mark.parametrize("edit", OPENED.values(), ids=OPENED)
def test_what_a_member_has_is_open_once_what_it_is_of_is_of_no_library(
    cache: Path, read: list[str], edit: Mapping[str, str], is_before: bool
) -> None:
    closed = SHOP | with_it("class It { Holder holder; void Run() { holder.Pane.Rows.Shut(1, 2); } }")
    closed |= {
        "Shop/Holder.cs": f"{SPACE}public class Holder {{ public Adapter Pane; }}\n",
        "Shop/Door.cs": f"{SPACE}public class Door {{ public void Shut(int first, int second) {{ }} }}\n",
    }
    before, after = (closed | edit, closed) if is_before else (closed, closed | edit)

    found, again = brought_up_to_date(cache, read, before, after)

    assert "Shop/It.cs" in again
    assert ("It.Run Door.Shut" in uses(found)) is not is_before


RACE = "class Race { public void Start() { } }\nclass Track { Race race; void Run() { race.Start(); } }"


@pytest.mark.parametrize("is_gone", [False, True], ids=["added", "gone"])
def test_another_implementation_touches_those_who_can_ask_for_it(
    cache: Path, read: list[str], is_gone: bool
) -> None:
    starting = SHOP[MOTOR].replace("{ public", "{ public void Start() { } public", 1)
    having = SHOP | with_it("class It { IStarted started; void Run() { started.Start(); } }")
    having |= {"Shop/Track.cs": f"{SPACE}{RACE}\n", MOTOR: starting}
    without = having | {MOTOR: starting.replace(", IStarted", "")}
    before, after = (having, without) if is_gone else (without, having)

    found, again = brought_up_to_date(cache, read, before, after)

    assert "Shop/It.cs" in again
    assert {"Shop/Track.cs", "Shop/Watch.cs"}.isdisjoint(again)
    assert ("It.Run Motor.Start" in uses(found)) is not is_gone


OTHER_NAMES = {
    "Shop/Parcel.cs": f"{SPACE}public class Parcel {{ }}\n",
    "Shop/Sent.cs": f"{SPACE}public class Sent {{ public void Stop() {{ }} }}\n",
    "Shop/Holder.cs": """using One = Shop.Parcel;
namespace Shop
{
    using Some = List<One>;
    public class Holder { public Some Rows; }
}
""",
    **with_it("class It { Holder holder; void Run() { holder.Rows[0].Stop(); } }"),
}


@pytest.mark.parametrize("edit", ["Parcel { public void Stop() { }", "Parcel : Sent {"])
def test_a_name_for_a_type_may_stand_in_another(cache: Path, read: list[str], edit: str) -> None:
    edited = OTHER_NAMES["Shop/Parcel.cs"].replace("Parcel {", edit)

    found, again = brought_up_to_date(cache, read, OTHER_NAMES, OTHER_NAMES | {"Shop/Parcel.cs": edited})

    assert "Shop/It.cs" in again
    assert {"It.Run Parcel.Stop", "It.Run Sent.Stop"} & uses(found)


def test_what_reaches_a_member_calls_it(cache: Path, read: list[str]) -> None:
    texts = with_it(REACHING["a method of a method"])

    found, _ = brought_up_to_date(cache, read, SHOP | texts, STOPPED | texts)

    assert "It.Run Motor.Stop" in uses(found)


def test_a_member_that_is_called_like_those_of_others_touches_none_of_their_users(
    cache: Path, read: list[str]
) -> None:
    _, again = brought_up_to_date(cache, read, SHOP, STOPPED)

    assert again == [MOTOR]


def test_a_name_that_no_other_method_has_touches_all_who_call_something_so_called(
    cache: Path, read: list[str]
) -> None:
    texts, after = (
        {path: whole[path].replace("Stop", "Shut") for path in (MOTOR, "Shop/Guess.cs", "Shop/Thing.cs")}
        for whole in (SHOP, STOPPED)
    )

    found, again = brought_up_to_date(cache, read, texts, after)

    assert again == ["Shop/Guess.cs", MOTOR]
    assert "Guess.Run Motor.Shut" in uses(found)


NAMING = ["Shop/Case.cs", "Shop/Guess.cs", MOTOR, "Shop/Watch.cs"]
OPEN = {
    "Visual Basic": {"Shop/Old.vb": "Class Old\nEnd Class\n"},
    "a name for all files": {"Shop/Names.cs": "global using Engine = Shop.Motor;\n"},
    "views below a folder": {"Shop/_Imports.razor": "@using Shop\n@inject Motor Engine\n"},
}


@pytest.mark.parametrize("others", OPEN.values(), ids=OPEN)
def test_all_that_name_it_are_read_where_types_do_not_tell(
    cache: Path, read: list[str], others: Mapping[str, str]
) -> None:
    _, again = brought_up_to_date(cache, read, {**SHOP, **others}, {**STOPPED, **others})

    assert set(again) - others.keys() == set(NAMING)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (MOTOR, "public int Speed", "public required int? Speed"),
        ("Shop/Car.cs", "Motor Engine", "Motor? Engine"),
        ("Shop/Car.cs", "List<Motor> All", "List<Motor?> All"),
        ("Shop/Fleet.cs", "Car First", "Car? First"),
    ],
)
def test_what_may_be_null_or_has_to_be_set_touches_none(
    cache: Path, read: list[str], path: str, old: str, new: str
) -> None:
    texts = SHOP | with_it(REACHING["a method of a method"])

    _, again = brought_up_to_date(cache, read, texts, {**texts, path: texts[path].replace(old, new)})

    assert again == [path]


@pytest.mark.parametrize("before", ["Rows", "Rows?"])
@pytest.mark.parametrize("taken", ["All.First()", "All[0]", "Give().First()"])
def test_another_name_for_a_closed_type_may_be_null(
    cache: Path, read: list[str], before: str, taken: str
) -> None:
    held = "using Rows = System.Collections.Generic.List<Shop.Thing>;\nnamespace Shop;\npublic class Held {{ {0} }}\n"
    members = ("public Rows All { get; set; }", "public Rows Give() => All;")
    rows, others = (
        held.format(" ".join(one.replace("Rows", written) for one in members))
        for written in (before, {"Rows": "Rows?", "Rows?": "Rows"}[before])
    )
    text = f"class Carrying {{ Held held; void Run() {{ held.{taken}.Carry(); }} }}"
    texts = SHOP | {"Shop/Held.cs": rows, "Shop/Carrying.cs": f"{SPACE}{text}\n"}

    found, again = brought_up_to_date(cache, read, texts, texts | {"Shop/Held.cs": others})

    assert again == ["Shop/Held.cs"]
    assert "Carrying.Run Thing.Carry" in uses(found)


def test_a_type_that_may_be_too_long_to_be_read_counts_as_it_is_written(cache: Path, read: list[str]) -> None:
    held = f"Tuple<Thing, {'A' * 586}>"
    assert len(held) == MAX_LENGTH
    texts = SHOP | {
        "Shop/Held.cs": f"{SPACE}public class Held {{ public {held} All; }}\n",
        "Shop/Carrying.cs": f"{SPACE}class Carrying {{ Held held; void Run() {{ held.All.Item1.Carry(); }} }}\n",
    }
    others = texts["Shop/Held.cs"].replace("<Thing,", "<Thing?,")

    _, again = brought_up_to_date(cache, read, texts, texts | {"Shop/Held.cs": others})

    assert again == ["Shop/Carrying.cs", "Shop/Held.cs"]


def test_all_that_call_it_or_hand_it_on_are_read_where_it_extends_something(
    cache: Path, read: list[str]
) -> None:
    extending = "public static void Stop(this Thing thing) { }"
    rules = SHOP["Shop/MotorRules.cs"].replace("{ public", f"{{ {extending} public", 1)
    others = {
        "Shop/Sign.cs": f"{SPACE}class Sign {{ Board board; int Run() {{ return board.Stop; }} }}\n",
        "Shop/Stops.cs": f"{SPACE}class Stops {{ Board board; void Run() {{ Take(board.Stop); }} }}\n",
    }

    found, again = brought_up_to_date(
        cache, read, SHOP | others, SHOP | others | {"Shop/MotorRules.cs": rules}
    )

    calling = ["Shop/Case.cs", "Shop/Guess.cs", "Shop/MotorRules.cs", "Shop/Stops.cs", "Shop/Watch.cs"]
    assert again == calling
    assert "Case.Run MotorRules.Stop" in uses(found)


def test_who_does_not_see_what_extends_something_is_not_read(cache: Path, read: list[str]) -> None:
    using = "class It { Board board; void Run() { board.Halt(); } }\n"
    texts = {
        "Shop/Tools.cs": "namespace Shop.Tools;\nstatic class Tools { public static void Halt(this Clock it) { } }\n",
        "Shop/Thing.cs": SHOP["Shop/Thing.cs"],
        "Shop/Clock.cs": SHOP["Shop/Clock.cs"],
        "Shop/Within.cs": f"namespace Shop.Tools.Deep;\n{using}",
        "Shop/Opens.cs": f"using Shop.Tools;\nnamespace Opens;\n{using}",
        "Shop/Part.cs": f"using Tools;\nnamespace Shop.Part;\n{using}",
        "Web/Global.cs": "global using Shop.Tools;\n",
        "Web/All.cs": f"namespace All;\n{using}",
        "Far/Around.cs": f"namespace Shop;\n{using}",
        "Far/Other.cs": f"using Shop.Other;\nnamespace Far;\n{using}",
    }
    tools = texts["Shop/Tools.cs"].replace("Clock", "Thing")

    _, again = brought_up_to_date(cache, read, texts, texts | {"Shop/Tools.cs": tools})

    assert again == ["Shop/Opens.cs", "Shop/Part.cs", "Shop/Tools.cs", "Shop/Within.cs", "Web/All.cs"]


@pytest.mark.parametrize("limit", ["MOST_NAMES", "MOST_TYPES"])
def test_all_that_name_it_are_read_where_too_much_is_reached(
    cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(followed_types, limit, 0)

    _, again = brought_up_to_date(cache, read, SHOP, STOPPED)

    assert again == NAMING


def test_all_that_name_it_are_read_where_they_are_few(
    cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followed_types, "WORTH_FILES", 50)

    _, again = brought_up_to_date(cache, read, SHOP, STOPPED)

    assert again == NAMING


MEMBERS = (
    "public void Shut() { }", "public void Shut(A a) { }", "public A Shut() => null;", "public B It { get; set; }",
    "public C Own => kept.Own; A kept;", "public List<C> All() => null;", "public virtual void Stay() { }",
    "public override void Stay() { }", "public static B Make() => null;", "public event Action Rung;",
    "public void Stay(B b) { Shut(); It.Shut(); }", "public int Stay;", "void I.Shut() { }",
    "public T Held<T>() => default;", "public static void Shut(this A a) { }", "public abstract void Shut();",
    "public D this[int at] => null;", "public void Each(Action<A> done) { }", "void Shut();", "public E<D> Many;",
    "public static A Stay(this I i, B b) => null;", "public static B It(this List<C> all) => null;",
    "public required B? It { get; set; }", "public List<C?>? All() => null;", "public A? Shut() => null;",
)  # fmt: skip
TYPES = {
    "A.cs": "public class A",
    "B.cs": "public partial class B : A",
    "B2.cs": "public partial class B : I",
    "C.cs": "public abstract class C",
    "D.cs": "public class D : C, J",
    "E.cs": "public class E<T> : List<T> where T : C",
    "F.cs": "public static class F",
    "I.cs": "public interface I",
    "J.cs": "public interface J : I",
}
STATEMENTS = (
    "one.Shut();", "one.Stay(null);", "one.It.Shut();", "one.Own.Stay();",
    "foreach (var each in one.All()) { each.Shut(); }",
    "one.Rung += Run;", "one[0].Shut();", "one.Held<C>().Stay();", "one.Each(each => each.Shut());",
    "one.Many[0].Shut();", "one.Many.Select(each => each.It).First().Stay();", "Make().Shut();",
    "Unknown.Shut();", "Shut();", "one.It.It.Shut(one);", "new NAME { Stay = 1 };", "one.All().It().Stay(one.It);",
    "one.Each(one.Shut);", "F.Shut(one);", "Unknown.Take(one.Own.Stay);", "one.Many.It.Shut();",
)  # fmt: skip
USER = "{2}namespace Shop;\nclass {1}{3} {{ {0} one; void Run() {{ {4} }} }}\n"
users = st.builds(
    lambda name, statement, usings, base: (name, statement.replace("NAME", name), usings, base),
    st.sampled_from(("A", "B", "C", "D", "E<D>", "I", "J", "Unknown")),
    st.sampled_from(STATEMENTS),
    st.sampled_from(("", "", "using static Shop.F;\n")),
    st.sampled_from(("", "", " : B", " : D")),
)
VIEW = {"Web/One.razor": "@inherits B\n@inject D Held\n@code { void Show() { Shut(); Held.It.Stay(); } }\n"}
members = st.lists(st.sampled_from(MEMBERS), max_size=3, unique=True)


def declaring(
    texts: Mapping[str, list[str]], using: list[tuple[str, str, str, str]]
) -> dict[str, str | None]:
    declared = ((path, f"{TYPES[path]} {{ {' '.join(given)} }}\n") for path, given in texts.items())
    naming = {
        f"Use{number}.cs": USER.format(name, f"Use{number}", usings, base, statement)
        for number, (name, statement, usings, base) in enumerate(using)
    }
    return {**VIEW, **naming, **{path: SPACE + text for path, text in declared}}


@pytest.mark.usefixtures("_without_a_threshold", "_for_few_files")
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    st.fixed_dictionaries(dict.fromkeys(TYPES, members)),
    st.lists(users, min_size=3, max_size=9),
    st.lists(st.tuples(st.sampled_from(sorted(TYPES)), members), min_size=1, max_size=4),
)
def test_a_graph_brought_up_to_date_equals_one_made_anew(
    texts: dict[str, list[str]],
    using: list[tuple[str, str, str, str]],
    steps: list[tuple[str, list[str]]],
) -> None:
    with TemporaryDirectory() as folder:
        cache = Path(folder) / "cache.sqlite3"
        contents(declaring(texts, using), cache)
        for path, given_members in steps:
            texts[path] = given_members

            assert contents(declaring(texts, using), cache) == contents(declaring(texts, using), None)
