"""Where types are declared otherwise, only declarations that name them are looked at anew: the graph is the same."""

from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragduck.preparation import tying
from tests.preparation.test_remembered_uses import contents, tied

ORDER = "namespace Shop;\npublic class Order { public int Id; }\npublic class Line { public Order Order; }\n"
SAVER = """namespace Shop;
public interface ISaver { void Save(Order order); }
public class Saver : ISaver { public void Save(Order order) { } }
public class Clerk { public Clerk(ISaver saver) { } }
"""
PAID = """namespace Shop;
public abstract class Paid : BasePaid { public override void Pay() { } }
"""
BASE = "namespace Shop;\npublic class BasePaid { public virtual void Pay() { } }\n"
CARD = "namespace Shop;\npublic class Card : Paid { public override void Pay() { } }\n"
TESTS = "namespace Tests;\npublic class SaverTests { [Fact] public void Saves() { } }\n"
OTHERS = {f"Shop/Other{one}.cs": f"namespace Shop;\npublic class Other{one} {{ }}\n" for one in range(9)}
TEXTS = {
    "Shop/Order.cs": ORDER,
    "Shop/Saver.cs": SAVER,
    "Shop/Paid.cs": PAID,
    "Shop/BasePaid.cs": BASE,
    "Shop/Card.cs": CARD,
    "Tests/SaverTests.cs": TESTS,
    **OTHERS,
}
OF_DECLARATIONS = {"containment", "hierarchy", "injections", "nodes"}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tying, "SHARED_BYTES", 0)
    return tmp_path / "cache.sqlite3"


def looking_again(cache: Path, looked: list[str], path: str, text: str) -> set[str]:
    tied(TEXTS, cache)
    looked.clear()
    after = tied(TEXTS | {path: text}, cache)
    again = set(looked)
    assert contents(after) == contents(tied(TEXTS | {path: text}, None))
    return again


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Shop/Order.cs", ORDER + "public class Parcel { public Order Order; }\n"),
        ("Shop/Order.cs", ORDER.partition("public class Line")[0]),
        ("Shop/Order.cs", ORDER.replace("class Line", "sealed class Line")),
        ("Shop/Order.cs", ORDER.replace("class Line", "class Row")),
        ("Shop/Card.cs", CARD.replace("Card : Paid", "Card")),
        ("Shop/BasePaid.cs", BASE.replace("class BasePaid", "class BasePaid : Other1")),
        ("Shop/Order.cs", "using System;\n" + ORDER.replace("class Line", "class Line(Order order)")),
        ("Shop/Order.cs", ORDER.replace("class Line {", "class Line { public class Part { }")),
    ],
    ids=["new", "gone", "modifier", "renamed", "no base", "a base", "primary constructor", "nested"],
)
def test_declarations_that_name_no_such_type_are_not_looked_at_again(
    cache: Path, looked: list[str], path: str, text: str
) -> None:
    again = looking_again(cache, looked, path, text)

    assert again >= {"views", "entities"}  # which go by more than that
    assert again.isdisjoint(OF_DECLARATIONS)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "Shop/Order.cs",
            ORDER.replace("public class Line", "public class AuditSaver : ISaver { }\nclass Line"),
        ),
        ("Shop/Saver.cs", SAVER.replace("class Saver : ISaver", "class Saver")),
        ("Shop/BasePaid.cs", BASE.replace("class BasePaid", "class BasePaid : ISaver")),
        ("Tests/SaverTests.cs", TESTS.replace("class SaverTests", "class Checks")),
        ("Shop/Order.cs", "global using One = Shop.Order;\n" + ORDER),
        ("Shop/Order.cs", ORDER.replace("namespace Shop", "namespace Store")),
        ("Shop/Saver.cs", SAVER.replace("class Clerk {", "class Clerk : ControllerBase {")),
    ],
    ids=["another one", "none", "below", "a test", "a global alias", "a namespace", "a role"],
)
def test_what_stands_behind_a_service_is_found_anew(
    cache: Path, looked: list[str], path: str, text: str
) -> None:
    looking_again(cache, looked, path, text)


ALIAS = "global using IKeeper = Shop.ISaver;\n"
PROJECT = (
    '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><Using Include="{}" Alias="IKeeper" /></ItemGroup></Project>'
)


@pytest.mark.parametrize("saver", ["ISaver", "IKeeper"])
@pytest.mark.parametrize("asked", ["ISaver", "IKeeper"])
@pytest.mark.parametrize(
    "aliases",
    [
        {"Shop/Names.cs": ALIAS},
        {"Shop/Names.cs": ALIAS.replace("Shop.ISaver", "System.Lazy<Shop.ISaver>")},
        {"Shop/Shop.csproj": PROJECT.format("Shop.ISaver"), "Web/Web.csproj": PROJECT.format("Shop.Other1")},
    ],
    ids=["global", "closed", "of a project"],
)
def test_a_service_is_known_by_the_names_that_a_project_has_for_it(
    cache: Path, aliases: dict[str, str], asked: str, saver: str
) -> None:
    texts = OTHERS | aliases | {
        "Shop/ISaver.cs": "namespace Shop;\npublic interface ISaver { void Save(); }\n",
        "Shop/Saver.cs": f"namespace Shop;\npublic class Saver : {saver} {{ public void Save() {{ }} }}\n",
        "Shop/Clerk.cs": f"namespace Shop;\npublic class Clerk {{ public Clerk({asked} saver) {{ }} }}\n",
    }  # fmt: skip
    after = texts | {"Shop/Saver.cs": texts["Shop/Saver.cs"].replace(f" : {saver}", "")}
    tied(texts, cache)

    assert contents(tied(after, cache)) == contents(tied(after, None))


def test_what_derives_from_a_page_has_the_base_that_is_given_to_that(cache: Path) -> None:
    page = "namespace Shop;\npublic class PageBase : ComponentBase, ISaver { public void Save() { } }\n"
    below = "namespace Shop;\npublic class Sub : Pages.Home { }\n"
    texts = TEXTS | {
        "Shop/PageBase.cs": page,
        "Shop/Pages/_Imports.razor": "@using Shop\n@inherits PageBase\n",
        "Shop/Pages/Home.razor": "<p>Home</p>\n",
        "Shop/Sub.cs": below,
        "Shop/Shop.csproj": '<Project Sdk="Microsoft.NET.Sdk.Razor"></Project>',
    }
    tied(texts, cache)

    texts["Shop/Sub.cs"] = below.replace(" : Pages.Home", "")

    assert contents(tied(texts, cache)) == contents(tied(texts, None))


def test_who_makes_a_new_type_counts_from_then_on(cache: Path) -> None:
    both = SAVER.partition("public class Clerk")[0] + "public class Vault : ISaver { }\n"
    user = "namespace Shop;\npublic class User { public void Go() { } }\n"
    texts = OTHERS | {"Shop/Saver.cs": both, "Shop/Order.cs": ORDER, "Shop/User.cs": user}
    tied(texts, cache)
    texts["Shop/Order.cs"] += "public class Clerk { public Clerk(ISaver saver) { } }\n"
    assert contents(tied(texts, cache)) == contents(tied(texts, None))

    texts["Shop/User.cs"] = user.replace("{ }", "{ var one = new Clerk(null); }")

    assert contents(tied(texts, cache)) == contents(tied(texts, None))


def test_a_part_that_goes_takes_the_version_of_a_migration_along(cache: Path) -> None:
    part = '[Migration("20240101000001_Add")]\npartial class Add { }\n'
    texts = OTHERS | {"Shop/2023_Add.cs": "partial class Add : Migration { }\n", "Shop/Add.Designer.cs": part}
    tied(texts, cache)

    texts["Shop/Add.Designer.cs"] = "partial class Added { }\n"

    assert contents(tied(texts, cache)) == contents(tied(texts, None))


class _File:
    """A file of C# with types that name those of others, made by chance."""

    NAMES = (*"ABCDEGHJKLMNOPQRSTU", "IA", "IB", "IC", "ID", "IE", "IF", "FAttribute", "Outer")
    SPACES = ("Shop", "Shop", "Shop.Web", "Web")
    USINGS = (
        *(
            "",
            "",
            "using Shop;\n",
            "using Web;\nusing Shop;\n",
            "using X = Shop.A;\n",
            "using static Shop.Outer;\n",
        ),
        *("using Microsoft.AspNetCore.Mvc;\n", "using X = System.Collections.Generic.List<Shop.B>;\n"),
    )
    BASES = (
        *NAMES,
        *NAMES,
        *NAMES,
        "X",
        "Outer.A",
        "List<A>",
        "ControllerBase",
        "DbContext",
        "BackgroundService",
    )
    TYPES = (*NAMES, *("int",) * 9, "X", "DbSet<A>", "IEnumerable<IC>", "Func<ID>")
    MARKS = (*("",) * 9, "[F]\n", "[ApiController]\n", '[Table("t")]\n')
    MODIFIERS = ("public", "public partial", "public abstract", "internal sealed")

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._space = chance.choice(self.SPACES)
        self._usings = chance.choice(self.USINGS)
        self._types = [self._type() for _ in range(chance.randint(1, 2))]

    @property
    def text(self) -> str:
        return f"{self._usings}namespace {self._space};\n{''.join(self._types)}"

    def edit(self) -> None:
        """Change a type mostly, add one or let one go, else what the file uses or where its types are."""
        chance, place = self._chance, self._chance.randrange(len(self._types) + 1)
        how = chance.random()
        if how < 0.6 and place < len(self._types):
            self._types[place] = self._type()
        elif how < 0.75:
            self._types.insert(place, self._type())
        elif how < 0.85:
            del self._types[place : place + 1]
        elif how < 0.96:
            self._usings = chance.choice(self.USINGS)
        else:
            self._space = chance.choice(self.SPACES)
            self._usings = chance.choice(("global using Shop;\n", *self.USINGS))

    def _type(self, depth: int = 0) -> str:
        chance, name = self._chance, self._chance.choice(self.NAMES)
        kinds = ("class", "class", "class", "record", "struct", "enum")
        kind = "interface" if name.startswith("I") else chance.choice(kinds)
        marks, modifiers = chance.choice(self.MARKS), chance.choice(self.MODIFIERS)
        if kind == "enum":
            return f"{marks}public enum {name} {{ One, Two }}\n"
        bases = chance.sample(self.BASES, chance.choice((0, 0, 1, 1, 2)))
        primary = chance.choice((*("",) * 6, "(ID id)", "(A a, IC c)")) if kind != "interface" else ""
        head = f"{name}{chance.choice(('', '', '', '<T>'))}{primary}" + (
            f" : {', '.join(bases)}" if bases else ""
        )
        body = "".join(self._member(name, kind) for _ in range(chance.choice((0, 0, 1, 2))))
        if depth == 0 and chance.random() < 0.1:
            body += self._type(1)
        return f"{marks}{modifiers} {kind} {head} {{ {body}}}\n"

    def _member(self, name: str, kind: str) -> str:
        choice = self._chance.choice
        type_, method = choice(self.TYPES), choice(("Go", "Run"))
        if kind == "interface":
            return f"{type_} {method}({choice(('', 'A a'))}); "
        mark, modifier = (
            choice((*("",) * 6, "[Fact] ", "[HttpGet] ", "[F] ")),
            choice(("", "override ", "virtual ")),
        )
        made = choice(self.NAMES)
        return choice((
            f"public {type_} {choice(('P', 'Q'))} {{ get; set; }} ",
            f"public {name}({type_} one) {{ }} ",
            f"public {name}({type_} one, {choice(self.NAMES)} other) : base(one) {{ }} ",
            f"public {name}({choice(self.NAMES)} one) {{ }} ",
            f"{mark}public {modifier}{type_} {method}() {{ var it = new {made}(); it.Go(); return null; }} ",
            f"void Add(IServiceCollection all) {{ all.AddScoped<{choice(self.NAMES)}, {made}>(); }} ",
            f"void Also(IServiceCollection all) {{ all.AddScoped<{made}>(); }} ",
        ))  # fmt: skip


class _Files:
    """Some files, which change one or two at a time."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        names = (f"{folder}/{one}.cs" for folder in ("Shop", "Web", "Tests") for one in "abcde")
        self._files = {name: _File(self._chance) for name in names}

    @property
    def texts(self) -> dict[str, str]:
        return {name: file.text for name, file in self._files.items()}

    def edit(self) -> None:
        for name in self._chance.sample(sorted(self._files), self._chance.choice((1, 1, 1, 2))):
            self._files[name].edit()


@pytest.mark.slow
@pytest.mark.usefixtures("_without_a_threshold", "_for_few_files")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32), st.integers(1, 5))
def test_a_graph_of_types_that_change_equals_one_made_anew(seed: int, steps: int) -> None:
    files = _Files(seed)
    with TemporaryDirectory() as folder:
        cache = Path(folder) / "cache.sqlite3"
        tied(files.texts, cache)
        for _ in range(steps):
            files.edit()

            assert contents(tied(files.texts, cache)) == contents(tied(files.texts, None))
