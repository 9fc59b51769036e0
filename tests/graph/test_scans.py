"""Containers find implementations by themselves, beside those that they are told of."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragduck.graph.code import scans

Calls = Callable[..., dict[str, tuple[str, float]]]

CALLER = "class Caller { IStore store; void Run() { store.Save(); } } interface IStore { void Save(); }"
INTERFACE = {"IStore.Save": ("receiver type", 0.95)}
BOTH = {
    "One.Save": ("one of several implementations", 0.5),
    "Two.Save": ("one of several implementations", 0.5),
}
OTHERS = "interface IDependency; interface IOther; interface IMore { int X(); }"
ONE_TOLD = "class Setup { void Go(IServices s) { s.RegisterType<Two>().As<IStore>(); } }"


@pytest.mark.parametrize(
    "scan",
    [
        "b.RegisterAssemblyTypes(assembly).AsImplementedInterfaces();",
        "b.RegisterAssemblyTypes(assembly).AssignableTo<IDependency>().AsImplementedInterfaces();",
        "b.RegisterAssemblyTypes(assembly).Where(t => t.IsClass).As<IStore>().SingleInstance();",
        "s.Scan(x => x.FromAssemblyOf<One>().AddClasses().AsImplementedInterfaces().WithScopedLifetime());",
        "s.Scan(x => x.AddAllTypesOf<IStore>());",
        "s.Register(Classes.FromThisAssembly().BasedOn<IDependency>().WithServiceAllInterfaces());",
        "foreach (var i in All(t => typeof(IDependency).IsAssignableFrom(t))) { made.As(i); }",
    ],
)
def test_what_a_container_finds_by_itself_stands_beside_what_it_is_told(calls: Calls, scan: str) -> None:
    found = calls(
        CALLER.replace("interface IStore", "interface IDependency; interface IStore : IDependency"),
        "class One : IStore { public void Save() {} } class Two : IStore { public void Save() {} }",
        ONE_TOLD,
        f"class Startup {{ void Go(Builder b, IServices s) {{ {scan} }} }}",
    )

    assert found == INTERFACE | BOTH


@pytest.mark.parametrize(
    "scan",
    [
        "b.RegisterAssemblyTypes(assembly).AssignableTo<IOther>().AsImplementedInterfaces();",
        "b.RegisterAssemblyTypes(assembly).As<IOther>();",
        "made.As(i); var is = typeof(IMore).IsAssignableFrom(t);",
        "b.RegisterType<One>().AsSelf(); var is = typeof(IDependency).IsAssignableFrom(t);",
        "b.RegisterAssemblyTypes(a).AsImplementedInterfaces(); b.RegisterType<Two>().As<IStore>();",
    ],
)
def test_a_registration_decides_where_a_container_finds_other_services(calls: Calls, scan: str) -> None:
    found = calls(
        CALLER.replace("interface IStore", f"{OTHERS} interface IStore : IDependency, IMore"),
        "class One : IStore { public void Save() {} } class Two : IStore { public void Save() {} }",
        ONE_TOLD if "Two" not in scan else "",
        f"class Startup {{ void Go(Builder b, IServices s) {{ {scan} }} }}",
    )

    assert found == INTERFACE | {"Two.Save": ("registration", 0.95)}


def test_what_derives_from_a_marker_is_looked_up_once(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    below = scans._services_below
    monkeypatch.setattr(
        scans, "_services_below", lambda one, catalog: (read.append(one.key), below(one, catalog))[1]
    )
    scan = "s.Scan(x => x.AddClasses(c => c.AssignableTo<IDependency>()).AsImplementedInterfaces());"

    calls("interface IDependency {}", f"class Startup {{ void Go(IServices s) {{ {scan * 9} }} }}")

    assert len(read) == 1
