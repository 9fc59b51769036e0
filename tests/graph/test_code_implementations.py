"""Calls through interfaces reach implementations: the registered one, the only one, or one of a few."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.graph import code_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Calls = Callable[..., dict[str, tuple[str, float]]]

CALLER = "class Caller { IStore store; void Run() { store.Save(); } } interface IStore { void Save(); }"
INTERFACE = {"IStore.Save": ("receiver type", 0.95)}


def test_the_only_implementation(calls: Calls) -> None:
    found = calls(CALLER, "class Store : IStore { public void Save() {} }")

    assert found == INTERFACE | {"Store.Save": ("only implementation", 0.8)}


def test_several_implementations(calls: Calls) -> None:
    found = calls(
        CALLER, "class One : IStore { public void Save() {} } class Two : IStore { public void Save() {} }"
    )

    assert found == INTERFACE | {
        "One.Save": ("one of several implementations", 0.5),
        "Two.Save": ("one of several implementations", 0.5),
    }


def test_too_many_implementations_are_left_out(calls: Calls) -> None:
    many = " ".join(f"class S{number} : IStore {{ public void Save() {{}} }}" for number in range(9))

    assert calls(CALLER, many) == INTERFACE


@pytest.mark.parametrize(
    "registration",
    [
        "services.AddScoped<IStore, Two>();",
        "services.AddSingleton(typeof(IStore), typeof(Two));",
        "services.AddSingleton<IStore>(new Two());",
        "builder.RegisterType<Two>().As<IStore>();",
        "kernel.Bind<IStore>().To<Two>();",
    ],
)
def test_a_registration_decides(calls: Calls, registration: str) -> None:
    found = calls(
        CALLER,
        "class One : IStore { public void Save() {} } class Two : IStore { public void Save() {} }",
        f"class Startup {{ void Configure(IServiceCollection services, B builder, K kernel) {{ {registration} }} }}",
    )

    assert found == INTERFACE | {"Two.Save": ("registration", 0.95)}


def test_two_registrations_leave_both(calls: Calls) -> None:
    found = calls(
        CALLER,
        "class One : IStore { public void Save() {} } class Two : IStore { public void Save() {} }",
        "class Three : IStore { public void Save() {} }",
        "class Startup { void Go(IServiceCollection s) { s.AddScoped<IStore, One>(); s.AddScoped<IStore, Two>(); } }",
    )

    assert set(found) == {"IStore.Save", "One.Save", "Two.Save"}


def test_doubles_of_tests_do_not_count(calls: Calls) -> None:
    found = calls(
        CALLER,
        "class Store : IStore { public void Save() {} }",
        **{"Shop.Tests/FakeTests.cs": "class Fake : IStore { public void Save() {} }"},
    )

    assert found == INTERFACE | {"Store.Save": ("only implementation", 0.8)}


def test_an_inherited_method_implements(calls: Calls) -> None:
    found = calls(CALLER, "class Base { public void Save() {} } class Store : Base, IStore;")

    assert found == INTERFACE | {"Base.Save": ("only implementation", 0.8)}


def test_an_explicit_implementation(calls: Calls) -> None:
    found = calls(CALLER, "class Store : IStore { void IStore.Save() {} public void Save(int x) {} }")

    assert found == INTERFACE | {"Store.IStore.Save": ("only implementation", 0.8)}


def test_type_arguments_choose_among_implementations(calls: Calls) -> None:
    found = calls(
        "class Caller { IRepo<Order> repo; void Run() { repo.Save(); } } interface IRepo<T> { void Save(); }",
        "class Order; class Line;",
        "class Orders : IRepo<Order> { public void Save() {} } class Lines : IRepo<Line> { public void Save() {} }",
    )

    assert found == {"IRepo.Save": ("receiver type", 0.95), "Orders.Save": ("only implementation", 0.8)}


def test_abstract_methods_reach_their_overrides(calls: Calls) -> None:
    found = calls(
        "class Caller { Store store; void Run() { store.Save(); } }",
        "abstract class Store { public abstract void Save(); } class Disk : Store { public override void Save() {} }",
    )

    assert found == {"Store.Save": ("receiver type", 0.95), "Disk.Save": ("only implementation", 0.8)}


def test_a_test_that_mocks_reaches_the_interface_only(facts_of: FactsOf) -> None:
    graph = code_graph(
        Catalog(
            facts_of(
                {
                    "Shop/S.cs": "interface IStore { void Save(); } class Store : IStore { public void Save() {} }",
                    "Shop.Tests/StoreTests.cs": """
                        using NSubstitute;
                        class StoreTests { void Run() { Substitute.For<IStore>().Received(1).Save(); } }
                    """,
                }
            )
        )
    )

    calls = {edge.to_key for edge in graph.edges if edge.relation == "Calls"}

    assert calls == {"csharp:IStore.Save|METHOD"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("store.Setup(s => s.Name).Returns(name);", set()),
        ("store.Verify(s => s.Save(), Times.Once);", set()),
        ("store.Object.Save();", {"csharp:Store.Save|METHOD"}),
    ],
)
def test_what_a_test_says_of_a_double_shows_that_it_mocks(
    facts_of: FactsOf, line: str, expected: set[str]
) -> None:
    files = {
        "Shop/S.cs": "interface IStore { void Save(); } class Store : IStore { public void Save() {} }",
        "Shop.Tests/Doubles.cs": "using Moq; class Doubles { public static Mock<IStore> Make() => null; }",
        "Shop.Tests/StoreTests.cs": f"""
            class StoreTests {{
                void Run(IStore other) {{ var store = Doubles.Make(); {line} other.Save(); }}
            }}
        """,
    }

    graph = code_graph(Catalog(facts_of(files)))

    calls = {edge.to_key for edge in graph.edges if edge.relation == "Calls"}
    assert calls == {"csharp:IStore.Save|METHOD", "csharp:Doubles.Make|METHOD"} | expected


@pytest.mark.parametrize(
    "registration",
    [
        "s.AddScoped<IStore>(p => new One(p));",
        "s.AddScoped<IStore>(p => p.GetRequiredService<One>());",
        "s.AddSingleton<IStore>(p => { var a = 1; return new One(a); });",
        "s.AddSingleton(typeof(IStore), p => new One(p));",
        "s.AddScoped<IStore>(Create);",
        "s.Register(c => new One(c)).As<IStore>();",
        "s.RegisterType<One>().AsSelf().As<IStore>().SingleInstance();",
        "s.RegisterType<One>().As<IOther>().WithParameter(name, 1).As<IStore>();",
        "s.RegisterType<One>().SingleInstance().AsImplementedInterfaces();",
        "s.RegisterInstance(new One()).As(typeof(IStore));",
        "s.RegisterInstance<IStore>(new One());",
        "s.RegisterSingleton<IStore>(() => new One());",
        "s.Add(ServiceDescriptor.Scoped<IStore, One>());",
        "s.Bind<IStore>().To<One>();",
        "s.Bind<IStore>().ToMethod(c => new One()).InSingletonScope();",
        "s.Register(Component.For<IStore>().ImplementedBy<One>().LifestyleTransient());",
        "s.Register(Component.For<IStore>().UsingFactoryMethod(k => new One()));",
        "s.ForRequestedType<IStore>().TheDefaultIsConcreteType<One>();",
        "s.RegisterType<Two>().Named<IStore>(name); s.RegisterType<One>().As<IStore>();",
    ],
)
def test_containers_are_told_of_implementations_in_many_ways(calls: Calls, registration: str) -> None:
    stores = "class One : IStore { public void Save() {} } class Two : IStore { public void Save() {} }"

    create = "IStore Create(IServices s) => new One();"
    startup = f"class Startup {{ void Go(IServices s) {{ {registration} }} {create} }}"

    found = calls(CALLER, stores, startup)

    assert found == INTERFACE | {"One.Save": ("registration", 0.95)}


def test_an_open_type_that_a_module_of_windsor_registers_is_one_of_several(calls: Calls) -> None:
    found = calls(
        CALLER,
        "class One : IStore { public void Save() {} } class Two : IStore { public void Save() {} }",
        "class Module { void Add() { s.Register(Component.For(typeof(IStore)).ImplementedBy(typeof(One))); } }",
    )

    assert found.keys() == {"IStore.Save", "One.Save", "Two.Save"}


def test_a_type_stands_behind_an_interface_with_each_of_its_type_arguments(calls: Calls) -> None:
    found = calls(
        "class Caller { IStore<Line> store; void Run() { store.Save(); } } interface IStore<T> { void Save(); }",
        "class Both : IStore<Order>, IStore<Line> { public void Save() {} } class Order; class Line;",
        "class One : IStore<Order> { public void Save() {} }",
    )

    assert found == INTERFACE | {"Both.Save": ("only implementation", 0.8)}


DERIVED = """
    interface IReadStore { void Save(); } interface IStore : IReadStore { void Close(); }
    class Reader : IReadStore { public void Save() {} }
    class Store : IStore { public void Save() {} public void Close() {} }
"""


def test_what_implements_the_declaring_interface_alone_does_not_stand_behind_a_derived_one(
    calls: Calls,
) -> None:
    found = calls("class Caller { IStore store; void Run() { store.Save(); } }", DERIVED)

    assert found == {
        "IReadStore.Save": ("receiver type", 0.95),
        "Store.Save": ("only implementation", 0.8),
    }


def test_what_is_registered_for_the_declaring_interface_decides_nothing_for_a_derived_one(
    calls: Calls,
) -> None:
    found = calls(
        "class Caller { IStore store; void Run() { store.Save(); } }",
        DERIVED,
        "class Startup { void Go(IServices s) { s.AddScoped<IReadStore, Reader>(); s.AddScoped<IStore, Store>(); } }",
    )

    assert found == {"IReadStore.Save": ("receiver type", 0.95), "Store.Save": ("registration", 0.95)}


ABSTRACT = """
    abstract class Base { public abstract void Save(); } class Other : Base { public override void Save() {} }
    class Disk : Store { public override void Save() {} }
"""


@pytest.mark.parametrize(
    "caller",
    [
        "class Caller { Store store; void Run() { store.Save(); } } abstract class Store : Base;",
        "class Caller { void Run<T>(T store) where T : Store { store.Save(); } } abstract class Store : Base;",
    ],
)
def test_an_abstract_class_reaches_what_derives_from_it_and_not_from_its_base_alone(
    calls: Calls, caller: str
) -> None:
    found = calls(caller, ABSTRACT)

    assert found == {"Base.Save": ("receiver type", 0.95), "Disk.Save": ("only implementation", 0.8)}


def test_an_abstract_class_calls_what_those_that_derive_from_it_override(calls: Calls) -> None:
    found = calls(
        "abstract class Base { public abstract void Save(); } class Other : Base { public override void Save() {} }",
        "abstract class Caller : Base { void Run() { Save(); } }",
        "class Disk : Caller { public override void Save() {} }",
    )

    assert found.keys() == {"Base.Save", "Disk.Save"}


GENERIC = """
    interface IRepo<T> { void Save(); } class Order; class Line; class Item;
    class One<T> : IRepo<T> { public void Save() {} } class Two<T> : IRepo<T> { public void Save() {} }
"""
CLOSED = "s.RegisterType<One<Order>>().As<IRepo<Order>>(); s.AddScoped<IRepo<Line>, Two<Line>>();"
BOTH = {
    "One.Save": ("one of several implementations", 0.5),
    "Two.Save": ("one of several implementations", 0.5),
}


@pytest.mark.parametrize(
    ("argument", "registrations", "expected"),
    [
        ("Order", CLOSED, {"One.Save": ("registration", 0.95)}),
        ("Line", CLOSED, {"Two.Save": ("registration", 0.95)}),
        ("Item", CLOSED, BOTH),
        (
            "Item",
            CLOSED + "s.AddScoped(typeof(IRepo<>), typeof(Two<>));",
            {"Two.Save": ("registration", 0.95)},
        ),
        (
            "Order",
            CLOSED + "s.AddScoped(typeof(IRepo<>), typeof(Two<>));",
            {"One.Save": ("registration", 0.95)},
        ),
        ("T", CLOSED, BOTH),
    ],
)
def test_a_registration_decides_for_its_type_arguments_before_an_open_one(
    calls: Calls, argument: str, registrations: str, expected: dict[str, tuple[str, float]]
) -> None:
    found = calls(
        f"class Caller<T> {{ IRepo<{argument}> repo; void Run() {{ repo.Save(); }} }}",
        GENERIC,
        f"class Startup {{ void Go(IServices s) {{ {registrations} }} }}",
    )

    assert found == {"IRepo.Save": ("receiver type", 0.95)} | expected


DECORATED = """
    class Caller { IStore inner; public Caller(IStore inner) {} void Run() { inner.Save(); } }
    class One : IStore { public void Save() {} } class Two : IStore { public void Save() {} }
    interface IStore { void Save(); }
"""
DECORATOR = DECORATED.replace("class Caller {", "class Caller : IStore { public void Save() {}", 1)
OUTER = "class Outer : IStore { public Outer(IStore inner) {} public void Save() {} }"
TWO = {"Two.Save": ("registration", 0.95)}


@pytest.mark.parametrize(
    ("code", "registrations", "expected"),
    [
        (DECORATOR, "", BOTH),
        (DECORATOR, "s.AddSingleton<IStore>(p => new Caller(new Two()));", TWO),
        (
            DECORATOR,
            "s.AddScoped<Two>(); s.AddScoped<IStore>(p => new Caller(p.GetRequiredService<Two>()));",
            TWO,
        ),
        (DECORATOR, "s.Register(c => new Caller(c.Resolve<Two>())).As<IStore>();", TWO),
        (DECORATOR, "s.AddScoped<IStore, Two>(); s.Decorate<IStore, Caller>();", TWO),
        (DECORATOR, "s.AddScoped<IStore, Two>(); s.TryDecorate(typeof(IStore), typeof(Caller));", TWO),
        (DECORATOR, "s.AddScoped<IStore, Two>(); s.Decorate<IStore>((one, p) => new Caller(one));", TWO),
        (DECORATOR, "s.RegisterType<Two>().As<IStore>(); s.RegisterDecorator<Caller, IStore>();", TWO),
        (
            DECORATOR + OUTER,
            "s.AddScoped<IStore, Two>(); s.Decorate<IStore, Caller>(); s.Decorate<IStore, Outer>();",
            TWO,
        ),
        (
            DECORATOR + OUTER,
            "s.AddScoped<IStore, Two>(); s.Decorate<IStore, Outer>(); s.Decorate<IStore, Caller>();",
            {"Outer.Save": ("registration", 0.95)},
        ),
        (
            DECORATED + OUTER,
            "s.AddScoped<IStore, Two>(); s.Decorate<IStore, Outer>();",
            {"Outer.Save": ("registration", 0.95)},
        ),
    ],
)
def test_a_decorator_calls_what_it_decorates(
    calls: Calls, code: str, registrations: str, expected: dict[str, tuple[str, float]]
) -> None:
    found = calls(code, f"class Startup {{ void Go(IServices s) {{ {registrations} }} }}")

    assert found == INTERFACE | expected


def test_the_base_of_decorators_calls_what_they_decorate(calls: Calls) -> None:
    base = DECORATOR.replace("class Caller", "abstract class Caller")

    found = calls(base + "class Logged : Caller { public Logged(IStore inner) : base(inner) {} }")

    assert found == INTERFACE | BOTH


BASE = DECORATOR.replace("class Caller", "abstract class Caller")
ABOVE = "class Logged : Caller { public Logged(IStore inner) : base(inner) {} }"
SHOWN = "class Shown : Caller { public Shown(IStore inner) : base(inner) {} }"
BY_PROPERTY = BASE.replace("public Caller(IStore inner) {}", "")


@pytest.mark.parametrize(
    ("code", "registrations", "expected"),
    [
        (BASE, "s.AddScoped<IStore, Two>(); s.Decorate<IStore, Logged>();", TWO),
        (BY_PROPERTY, "s.AddScoped<IStore, Two>(); s.Decorate<IStore, Logged>();", TWO),
        (
            BASE + OUTER,
            "s.AddScoped<IStore, Two>(); s.Decorate<IStore, Logged>(); s.Decorate<IStore, Outer>();",
            TWO,
        ),
        (
            BASE + OUTER,
            "s.AddScoped<IStore, Two>(); s.Decorate<IStore, Outer>(); s.Decorate<IStore, Logged>();",
            {"Outer.Save": ("registration", 0.95)},
        ),
        (BASE, "s.AddScoped<IStore>(p => Make(p)); s.Decorate<IStore, Logged>();", BOTH),
        (BASE, "s.AddScoped<IStore>(p => new Logged(new Two()));", TWO),
        (
            BASE + SHOWN,
            "s.AddScoped<IStore>(p => new Logged(new Two())); s.AddScoped<IStore>(p => new Shown(new One()));",
            BOTH,
        ),
    ],
)
def test_the_base_of_registered_decorators_calls_what_they_decorate(
    calls: Calls, code: str, registrations: str, expected: dict[str, tuple[str, float]]
) -> None:
    found = calls(code + ABOVE, f"class Startup {{ void Go(IServices s) {{ {registrations} }} }}")

    assert found == INTERFACE | expected


def test_the_base_of_a_decorator_and_of_what_it_decorates_calls_the_decorator(calls: Calls) -> None:
    setup = "class Startup { void Go() { s.AddScoped<IStore, Plain>(); s.Decorate<IStore, Logged>(); } }"

    found = calls(BY_PROPERTY, ABOVE + "class Plain : Caller {}", setup)

    assert found == INTERFACE | {"Caller.Save": ("registration", 0.95)}


@pytest.mark.parametrize(
    "given",
    [
        "[Inject] public IStore Inner { set { inner = value; } }",
        "public Caller(IStore inner, IStore spare) {}",
        "public Caller(IStore inner) {} public Caller(IStore inner, int size) {}",
        "public Caller(IStores stores) { inner = stores.Make(); }",
    ],
)
@pytest.mark.parametrize("is_apart", [False, True])
def test_a_registered_decorator_may_be_given_what_it_decorates_in_any_way(
    calls: Calls, given: str, is_apart: bool
) -> None:
    code = DECORATOR.replace("public Caller(IStore inner) {}", "" if is_apart else given)
    other = f"partial class Caller {{ {given} }}" if is_apart else ""
    setup = "class Startup { void Go() { s.AddScoped<IStore, Two>(); s.Decorate<IStore, Caller>(); } }"

    assert calls(code.replace("class Caller", "partial class Caller"), other, setup) == INTERFACE | TWO


@pytest.mark.parametrize("children", ["IStore left, IStore right", "IEnumerable<IStore> all"])
def test_a_node_of_a_tree_may_hold_one_of_its_own_kind(calls: Calls, children: str) -> None:
    found = calls(
        f"""
        interface IStore {{ void Save(); }} class Leaf : IStore {{ public void Save() {{}} }}
        class Caller : Node {{ public Caller({children}) {{}} void Run() {{ one.Save(); }} IStore one; }}
        abstract class Node : IStore {{ public void Save() {{}} }}
        """
    )

    assert found == INTERFACE | {
        "Leaf.Save": ("one of several implementations", 0.5),
        "Node.Save": ("one of several implementations", 0.5),
    }


REPOSITORY = (
    "using Shared; namespace {0}; public class Repository<T> : IStore<T> {{ public void Save(T one) {{}} }}"
)
SETUP = "using Shared; class Setup {{ void Add() {{ s.AddScoped(typeof(IStore<>), typeof({0}.Repository<>)); }} }}"
REFERENCES = """<Project><ItemGroup>
    <ProjectReference Include="..\\Shared\\Shared.csproj" />
    <ProjectReference Include="..\\{0}.Data\\{0}.Data.csproj" />
    </ItemGroup></Project>"""
SYSTEMS = ("Orders", "Stock")


def systems() -> dict[str, str]:
    """Two applications, each with a class of one name behind an interface that they share."""
    files = {
        "Shared/Store.cs": "namespace Shared; public interface IStore<T> { void Save(T one); }",
        "Shared/Shared.csproj": '<Project Sdk="Microsoft.NET.Sdk"/>',
    }
    for one in SYSTEMS:
        files |= {
            f"{one}/{one}.csproj": REFERENCES.format(one),
            f"{one}/Setup.cs": SETUP.format(one),
            f"{one}.Data/{one}.Data.csproj": '<Project Sdk="Microsoft.NET.Sdk"/>',
            f"{one}.Data/Repository.cs": REPOSITORY.format(one),
        }
    return files


def saved_by_caller(files: list[FileFacts]) -> dict[str, tuple[str, float]]:
    return {
        edge.to_key: (edge.rule, edge.confidence)
        for edge in code_graph(Catalog(files)).edges
        if edge.relation == "Calls" and edge.from_key == "csharp:Caller.Run|METHOD"
    }


RUN = "using Shared; class Caller { IStore<int> store; void Run() { store.Save(1); } }"
ONE_OF_TWO = ("one of several implementations", 0.5)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_class_of_another_application_does_not_stand_behind_a_call(facts_of: FactsOf, system: str) -> None:
    found = saved_by_caller(facts_of(systems() | {f"{system}/Handlers/Caller.cs": RUN}))

    assert found == {
        "csharp:Shared.IStore.Save|METHOD": ("receiver type", 0.95),
        f"csharp:{system}.Repository.Save|METHOD": ("registration", 0.95),
    }


def test_of_what_applications_share_a_call_may_mean_the_class_of_each(facts_of: FactsOf) -> None:
    found = saved_by_caller(facts_of(systems() | {"Shared/Caller.cs": RUN}))

    assert found == {
        "csharp:Shared.IStore.Save|METHOD": ("receiver type", 0.95),
        "csharp:Orders.Repository.Save|METHOD": ONE_OF_TWO,
        "csharp:Stock.Repository.Save|METHOD": ONE_OF_TWO,
    }


def test_an_application_may_choose_among_classes_of_one_name(facts_of: FactsOf) -> None:
    both = REFERENCES.format("Stock").replace(
        "..\\Shared\\Shared.csproj", "..\\Orders.Data\\Orders.Data.csproj"
    )

    setup = SETUP.format("Stock").replace("class Setup", "class Other") + SETUP.format("Orders")
    files = systems() | {"Stock/Stock.csproj": both, "Stock/Setup.cs": setup, "Stock/Caller.cs": RUN}

    found = saved_by_caller(facts_of(files))

    assert found.keys() >= {"csharp:Orders.Repository.Save|METHOD", "csharp:Stock.Repository.Save|METHOD"}


@pytest.mark.parametrize("path", ["All.Tests/All.Tests.csproj", "Shop.AppHost/Shop.AppHost.csproj"])
def test_tests_and_hosts_of_all_applications_do_not_make_them_one(facts_of: FactsOf, path: str) -> None:
    both = "".join(f'<ProjectReference Include="..\\{one}\\{one}.csproj" />' for one in SYSTEMS)
    files = systems() | {path: f"<Project><ItemGroup>{both}</ItemGroup></Project>", "Orders/Caller.cs": RUN}

    assert "csharp:Stock.Repository.Save|METHOD" not in saved_by_caller(facts_of(files))


def test_what_another_application_registers_decides_nothing_here(facts_of: FactsOf) -> None:
    files = {path: text for path, text in systems().items() if path != "Stock/Setup.cs"}

    found = saved_by_caller(facts_of(files | {"Stock/Caller.cs": RUN}))

    assert found == {
        "csharp:Shared.IStore.Save|METHOD": ("receiver type", 0.95),
        "csharp:Stock.Repository.Save|METHOD": ("only implementation", 0.8),
    }


def test_of_a_project_whose_references_are_not_known_nothing_is_left_out(facts_of: FactsOf) -> None:
    unknown = (
        "<Project><ItemGroup><ProjectReference Include='$(Root)\\Shared.csproj' /></ItemGroup></Project>"
    )

    found = saved_by_caller(
        facts_of(
            systems()
            | {"Stock/Stock.csproj": unknown, "Stock/Caller.cs": RUN, "Stock/Setup.cs": "class A {}"}
        )
    )

    assert "csharp:Orders.Repository.Save|METHOD" in found


STORE = "namespace Core; public interface IStore { void Save(); }"
USE = "using Core; class Caller { IStore store; void Run() { store.Save(); } }"


def class_of(name: str, *, namespace: str) -> str:
    return f"using Core; namespace {namespace}; public class {name} : IStore {{ public void Save() {{}} }}"


def telling(registration: str) -> str:
    return f"using Core; class Startup {{ void Go(IServices s, bool fast) {{ {registration} }} }}"


def project(*references: str) -> str:
    lines = "".join(f'<ProjectReference Include="..\\{one}\\{one}.csproj" />' for one in references)
    return f"<Project><ItemGroup>{lines}</ItemGroup></Project>"


def web_and_job() -> dict[str, str]:
    """A library with two stores, a web application and a job, which has a store of its own, and a tool of both."""
    return {
        "Core/Core.csproj": project(),
        "Core/IStore.cs": STORE,
        "Core/One.cs": class_of("One", namespace="Core"),
        "Core/Two.cs": class_of("Two", namespace="Core"),
        "Web/Web.csproj": project("Core"),
        "Job/Job.csproj": project("Core"),
        "Job/Stub.cs": class_of("Stub", namespace="Job"),
        "Job/Startup.cs": "namespace Job; " + telling("s.RegisterType<Stub>().As<IStore>();"),
        "Tool/Tool.csproj": project("Web", "Job"),
    }


def stores(found: Mapping[str, tuple[str, float]]) -> dict[str, float]:
    """The stores that are reached, by their names alone."""
    return {key.split(".")[-2]: one[1] for key, one in found.items() if ".IStore." not in key}


@pytest.mark.parametrize(
    "registration",
    [
        "s.Register(c => { if (fast) return c.Resolve<One>(); return Combine(c); }).AsSelf().As<IStore>();",
        "s.AddSingleton<IStore>(p => Made(p));",
        "s.AddSingleton(typeof(IStore), chosen);",
        "s.RegisterType(chosen).As<IStore>();",
        "s.Bind<IStore>().ToMethod(c => Made(c));",
        "s.AddScoped<IStore, Foreign>();",
    ],
)
def test_where_a_registration_cannot_be_read_any_implementation_may_be_meant(
    facts_of: FactsOf, registration: str
) -> None:
    files = web_and_job() | {
        "Web/Startup.cs": "namespace Web; " + telling(registration),
        "Web/Caller.cs": USE,
    }

    found = saved_by_caller(facts_of(files))

    assert stores(found) == {"One": 0.5, "Two": 0.5}


def test_a_library_may_mean_whatever_an_application_registers_in_ways_that_are_not_read(
    facts_of: FactsOf,
) -> None:
    startup = "namespace Web; " + telling("s.AddSingleton<IStore>(p => Made(p));")

    found = saved_by_caller(facts_of(web_and_job() | {"Web/Startup.cs": startup, "Core/Caller.cs": USE}))

    assert stores(found) == {"One": 0.5, "Two": 0.5, "Stub": 0.5}


def test_registrations_of_the_own_project_come_first(facts_of: FactsOf) -> None:
    startup = "namespace Web; " + telling("s.AddScoped<IStore, Two>();")

    found = saved_by_caller(facts_of(web_and_job() | {"Web/Startup.cs": startup, "Web/Caller.cs": USE}))

    assert stores(found) == {"Two": 0.95}


def test_what_a_project_is_told_by_one_that_it_refers_to_comes_before_that_of_others(
    facts_of: FactsOf,
) -> None:
    startup = "namespace Core; " + telling("s.AddScoped<IStore, Two>();")

    found = saved_by_caller(facts_of(web_and_job() | {"Core/Startup.cs": startup, "Web/Caller.cs": USE}))

    assert stores(found) == {"Two": 0.95}


def test_what_runs_beside_a_project_that_it_does_not_know_decides_nothing_alone(facts_of: FactsOf) -> None:
    found = saved_by_caller(facts_of(web_and_job() | {"Web/Caller.cs": USE}))

    assert stores(found) == {"One": 0.5, "Two": 0.5, "Stub": 0.5}


def test_what_runs_beside_a_project_may_decide_for_it_among_what_both_know(facts_of: FactsOf) -> None:
    startup = "namespace Job; " + telling("s.AddScoped<IStore, Two>();")

    found = saved_by_caller(facts_of(web_and_job() | {"Job/Startup.cs": startup, "Web/Caller.cs": USE}))

    assert stores(found) == {"Two": 0.95}


def layers(app: str) -> dict[str, str]:
    """A library, what implements it in another, and an application that brings them together."""
    return {
        "Core/Core.csproj": project(),
        "Core/IStore.cs": STORE,
        "Core/Caller.cs": USE,
        "Data/Data.csproj": project("Core"),
        "Data/One.cs": class_of("One", namespace="Data"),
        "Data/Two.cs": class_of("Two", namespace="Data"),
        f"{app}/App.csproj": project("Core", "Data"),
        f"{app}/Startup.cs": "using Data; " + telling("s.AddScoped<IStore, Two>();"),
    }


def test_an_application_decides_for_the_libraries_that_it_brings_together(facts_of: FactsOf) -> None:
    assert stores(saved_by_caller(facts_of(layers("Web")))) == {"Two": 0.95}


@pytest.mark.parametrize("app", ["Shop.Samples.Web", "NetCoreSample", "demos"])
def test_a_sample_decides_nothing_for_the_library_that_it_shows(facts_of: FactsOf, app: str) -> None:
    assert stores(saved_by_caller(facts_of(layers(app)))) == {"One": 0.5, "Two": 0.5}


def test_a_sample_decides_for_itself(facts_of: FactsOf) -> None:
    files = layers("NetCoreSample") | {"NetCoreSample/Caller.cs": USE, "Core/Caller.cs": ""}

    assert stores(saved_by_caller(facts_of(files))) == {"Two": 0.95}


def test_what_a_library_makes_itself_may_be_meant_beside_what_an_application_registers(
    facts_of: FactsOf,
) -> None:
    making = "using Core; class Maker { IStore Make() => new Default(); }"
    files = layers("Web") | {
        "Core/Default.cs": class_of("Default", namespace="Core"),
        "Core/Maker.cs": making,
    }

    assert stores(saved_by_caller(facts_of(files))) == {"Two": 0.5, "Default": 0.5}


def test_what_only_another_implementation_makes_is_not_meant_beside_what_an_application_registers(
    facts_of: FactsOf,
) -> None:
    default = class_of("Default", namespace="Core")
    making = default.replace("Default", "All").replace("{}", "{ new Default().Save(); }")
    files = layers("Web") | {"Core/Default.cs": default, "Core/All.cs": making}

    assert stores(saved_by_caller(facts_of(files))) == {"Two": 0.95}


def test_an_application_may_decide_otherwise_than_the_library_that_it_refers_to(facts_of: FactsOf) -> None:
    startup = "namespace Core; " + telling("s.TryAddScoped<IStore, Default>();")
    files = layers("Web") | {
        "Core/Startup.cs": startup,
        "Core/Default.cs": class_of("Default", namespace="Core"),
    }

    assert stores(saved_by_caller(facts_of(files))) == {"Two": 0.5, "Default": 0.5}


def test_what_a_library_has_but_does_not_make_is_not_meant_where_an_application_registers_another(
    facts_of: FactsOf,
) -> None:
    files = layers("Web") | {"Core/Default.cs": class_of("Default", namespace="Core")}

    assert stores(saved_by_caller(facts_of(files))) == {"Two": 0.95}
