"""References between projects matter to the files of those that are related to others by them, as far as they ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ragduck.graph.types import applications
from ragduck.graph.types.applications import Applications
from ragduck.preparation import tying
from tests.preparation.test_remembered_told import contents, read_again
from tests.preparation.test_remembered_uses import cache, read

__all__ = ["cache", "read"]  # fixtures

PROJECTS = ("App", "East", "Host", "Stores", "West")
STORE = """using Stores;
namespace {0};
class Store : IStore {{ public void Save() {{ }} public int Weight {{ get {{ return 1; }} }} }}
class {0}Clock : Clock {{ public override void Tick() {{ }} }}
"""
SETUP = """using Stores;
namespace {0};
class Setup {{ void Add(IServiceCollection s) {{ s.AddScoped<IStore, Store>(); s.AddScoped<Clock, {0}Clock>(); }} }}
"""
ASKING = """using Stores;
namespace {0};
class Cart {{ IStore store; Clock clock; public Cart(IStore store, Clock clock) {{ }}
    void Run() {{ store.Save(); clock.Tick(); }} int Weigh() {{ return store.Weight; }} }}
class Job {{ void Go(IJobs jobs) {{ jobs.Enqueue<IStore>(one => one.Save()); new {0}Maker(); }} }}
class {0}Maker {{ void Make() {{ }} }}
"""
IDLE = "using Stores;\nnamespace {0};\nclass Idle {{ Box box; void Doze() {{ box.Lift(); }} }}\n"
TEXTS: Mapping[str, str] = {
    "Stores/IStore.cs": "namespace Stores;\ninterface IStore { void Save(); int Weight { get; } }\n"
    "abstract class Clock { public abstract void Tick(); }\nclass Box { public void Lift() { } }\n",
    **{f"{one}/Store.cs": STORE.format(one) for one in ("East", "Host", "West")},
    **{f"{one}/Setup.cs": SETUP.format(one) for one in ("East", "West")},
    **{f"{one}/Cart.cs": ASKING.format(one) for one in PROJECTS},
    **{f"{one}/Idle.cs": IDLE.format(one) for one in PROJECTS},
}


class Project(NamedTuple):
    """What a project refers to; one may be unknown, and a second may stand in the same folder."""

    references: frozenset[str] = frozenset()
    is_unknown: bool = False
    has_twin: bool = False

    def files(self, name: str) -> dict[str, str]:
        """Return the project as files."""
        told = [f"../{one}/{one}.csproj" for one in sorted(self.references)]
        told += ["$(Root)/East/East.csproj"] if self.is_unknown else []
        items = "".join(f'<ProjectReference Include="{one}" />' for one in told)
        text = f'<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>{items}</ItemGroup></Project>'
        return dict.fromkeys(
            [f"{name}/{name}.csproj", *([f"{name}/A.csproj"] if self.has_twin else [])], text
        )


System = Mapping[str, Project | None]


def texts_of(system: System) -> dict[str, str]:
    found = dict(TEXTS)
    for name, project in system.items():
        found.update(project.files(name) if project is not None else {})
    return found


def referring(**references: str) -> dict[str, Project]:
    return {name: Project(frozenset(references.get(name, "").split())) for name in PROJECTS}


BASE = {"East": "Stores", "West": "Stores", "Host": "Stores", "App": "East"}


@pytest.mark.parametrize(
    ("name", "references", "asking"),
    [
        ("App", "West", "App East West"),
        ("App", "", "App East Stores"),
        ("App", "East Host", "App East Host"),  # East and Host run in one application since
        ("App", "Stores", "App East"),  # Stores was referred to before, over East
        ("App", "East Elsewhere", ""),
    ],
)
def test_files_are_read_again_that_ask_near_a_project_which_is_related_otherwise(
    cache: Path, read: list[str], name: str, references: str, asking: str
) -> None:
    before, after = (texts_of(referring(**{**BASE, **more})) for more in ({}, {name: references}))

    again = read_again(cache, read, before, after)

    assert {path for path in again if path.endswith(("Cart.cs", "Idle.cs"))} == {
        f"{one}/Cart.cs" for one in asking.split()
    }


def test_beyond_many_projects_all_may_run_with_all(
    cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(applications, "MAX_PROJECTS", 3)
    before, after = (texts_of(referring(**{**BASE, **more})) for more in ({}, {"App": "West"}))

    assert read_again(cache, read, before, after) == set()


@pytest.fixture(scope="module")
def caches() -> Iterator[Path]:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(tying, "SHARED_BYTES", 0)
        yield Path(folder) / "cache.sqlite3"


projects = st.builds(
    Project,
    st.frozensets(st.sampled_from(PROJECTS), max_size=3),
    st.sampled_from([False] * 7 + [True]),
    st.sampled_from([False] * 7 + [True]),
)
changes = st.tuples(st.sampled_from(PROJECTS), st.one_of(projects, projects, projects, st.none()))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(projects, min_size=len(PROJECTS), max_size=len(PROJECTS)), st.lists(changes, max_size=5))
@example([Project()] * 5, [("App", Project(frozenset({"East"}), has_twin=True)), ("App", Project())])
def test_a_graph_brought_up_to_date_equals_one_made_anew(
    caches: Path, first: list[Project], steps: list[tuple[str, Project | None]]
) -> None:
    system: dict[str, Project | None] = dict(zip(PROJECTS, first, strict=True))
    assert contents(texts_of(system), caches) == contents(texts_of(system), None)
    for name, project in steps:
        system[name] = project
        texts = texts_of(system)

        assert contents(texts, caches) == contents(texts, None)


@pytest.mark.parametrize("is_noted", [True, False])
def test_without_a_note_of_who_asks_edges_would_be_wrong(
    cache: Path, monkeypatch: pytest.MonkeyPatch, is_noted: bool
) -> None:
    if not is_noted:
        monkeypatch.setattr(Applications, "ask_near", lambda self, path: None)
    before, after = (texts_of(referring(**{**BASE, **more})) for more in ({}, {"App": "West"}))
    contents(before, cache)

    assert (contents(after, cache) == contents(after, None)) is is_noted
