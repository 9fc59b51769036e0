"""Of services that are handed out in lists each implementation runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.graph import code_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Calls = Callable[..., dict[str, tuple[str, float]]]

HOST = "class Host { void Configure(IServiceCollection services) {} }"
HOOKS = "interface IHook { void Run(); void Stop(); }" + " ".join(
    f"class Hook{number} : IHook {{ public void Run() {{}} public void Stop() {{}} }}" for number in range(9)
)
EACH_HOOK = {f"Hook{number}.Run": ("each of a collection", 0.8) for number in range(9)}


@pytest.mark.parametrize(
    ("parameter", "loop"),
    [
        ("IEnumerable<IHook>", "foreach (var hook in hooks) hook.Run();"),
        ("IEnumerable<IHook>", "foreach (IHook hook in hooks) hook.Run();"),
        ("IHook[]", "foreach (var hook in hooks.Where(x => x != null)) hook.Run();"),
        ("IReadOnlyList<IHook>", "hooks.Each(x => x.Run());"),
        ("Lazy<IEnumerable<IHook>>", "foreach (var hook in hooks.Value) hook.Run();"),
        ("IEnumerable<Lazy<IHook, Order>>", "foreach (var hook in hooks) Start(hook.Value);"),
    ],
)
def test_each_implementation_of_a_service_that_is_handed_out_in_lists_runs(
    facts_of: FactsOf, parameter: str, loop: str
) -> None:
    caller = f"""
        class Caller {{
            {parameter} hooks;
            public Caller({parameter} hooks) {{ this.hooks = hooks; }}
            void Go() {{ {loop} }}
            void Start(IHook hook) {{ hook.Run(); }}
        }}
    """

    graph = code_graph(Catalog(facts_of({"Shop/A.cs": HOOKS, "Shop/B.cs": caller, "Shop/C.cs": HOST})))

    found = {
        edge.to_key.partition(":")[2].rpartition("|")[0]: (edge.rule, edge.confidence)
        for edge in graph.edges
        if edge.relation == "Calls" and edge.to_key.endswith(".Run|METHOD") and ".Hook" not in edge.from_key
    }
    assert found == EACH_HOOK | {"IHook.Run": ("receiver type", 0.95)}


FEW = f"""
    interface IHook {{ void Run(); }}
    class A : IHook {{ public void Run() {{}} }} class B : IHook {{ public void Run() {{}} }}
    {HOST}
"""
LISTING = "class Caller { public Caller(IEnumerable<IHook> hooks) {} IHook[] hooks; void Run() { %s } }"
IN_LOOP = "foreach (var hook in hooks) hook.Run();"
BOTH_HOOKS = {"A.Run": ("each of a collection", 0.8), "B.Run": ("each of a collection", 0.8)}
SEVERAL_HOOKS = {
    "A.Run": ("one of several implementations", 0.5),
    "B.Run": ("one of several implementations", 0.5),
}


@pytest.mark.parametrize(
    ("others", "body", "expected"),
    [
        ("", IN_LOOP, BOTH_HOOKS),
        ("class Startup { void Go(IServices s) { s.AddScoped<IHook, A>(); } }", IN_LOOP, BOTH_HOOKS),
        ("class Other { public Other(IHook hook) {} }", IN_LOOP, BOTH_HOOKS),
        ("class Other { public Other(IHook hook) {} }", "hooks.First().Run();", SEVERAL_HOOKS),
        (
            "class Other { void Go(IServices s) { s.Resolve<IHook>(); } }",
            "hooks.First().Run();",
            SEVERAL_HOOKS,
        ),
        ("class Plant { void Make() { new Caller(null); } }", IN_LOOP, SEVERAL_HOOKS),
        ("class Plant { void Make() { Caller it = new(null); } }", IN_LOOP, SEVERAL_HOOKS),
        ("class Plant { Caller it; Caller Make() => new(null); }", IN_LOOP, SEVERAL_HOOKS),
        ("class Plant { Caller it; void Make() { it = new(null); } }", IN_LOOP, SEVERAL_HOOKS),
        ("class Plant { void Make(Caller? it) { Show(it ?? new(null)); } }", IN_LOOP, SEVERAL_HOOKS),
        (
            "class Plant { void Go(IServices s) { s.AddScoped<Caller>(); new Caller(null); } }",
            IN_LOOP,
            BOTH_HOOKS,
        ),
    ],
)
def test_registrations_leave_out_nothing_of_what_is_handed_out_in_lists(
    calls: Calls, others: str, body: str, expected: dict[str, tuple[str, float]]
) -> None:
    found = calls(FEW, LISTING % body, others)

    assert found == {"IHook.Run": ("receiver type", 0.95)} | expected


@pytest.mark.parametrize(
    ("derived", "expected"),
    [
        ("class Caller : Base { public Caller(IHook[] all) : base(all) {} void Run() { %s } }", BOTH_HOOKS),
        ("class Caller : Base { public Caller() : base(Made()) {} void Run() { %s } }", SEVERAL_HOOKS),
        (
            "class Caller : Base { public Caller(IHook[] all) : base(all) {} void Run() { %s } }"
            " class Plant { void Make() { new Caller(null); } }",
            SEVERAL_HOOKS,
        ),
    ],
)
def test_what_an_abstract_class_is_given_those_are_asked_for_that_derive_from_it(
    calls: Calls, derived: str, expected: dict[str, tuple[str, float]]
) -> None:
    base = "abstract class Base { protected IHook[] hooks; protected Base(IHook[] hooks) { this.hooks = hooks; } }"

    found = calls(FEW, base, derived % IN_LOOP)

    assert found == {"IHook.Run": ("receiver type", 0.95)} | expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("foreach (var one in this.hooks.Where(x => x != null).ToList()) one.Run();", BOTH_HOOKS),
        ("hooks[0].Run();", SEVERAL_HOOKS),
        ("hooks.Where(x => x != null).First().Run();", SEVERAL_HOOKS),
        ("foreach (var one in parts.OfType<IHook>()) one.Run();", SEVERAL_HOOKS),
        ("parts.Cast<IHook>().Each(x => x.Run());", SEVERAL_HOOKS),
        ("var own = new List<IHook> { new A() }; foreach (var one in own) one.Run();", SEVERAL_HOOKS),
        ("foreach (var one in new[] { (IHook)a, b }) one.Run();", SEVERAL_HOOKS),
        ("foreach (var one in page.Hooks) one.Run();", SEVERAL_HOOKS),
    ],
)
def test_each_is_meant_of_lists_that_are_handed_out(
    calls: Calls, body: str, expected: dict[str, tuple[str, float]]
) -> None:
    caller = LISTING.replace("void Run()", "List<object> parts; Page page; void Run()") % body

    found = calls(FEW, caller, "class Page { public IList<IHook> Hooks; }")

    assert {one: what for one, what in found.items() if one[:2] in ("A.", "B.")} == expected


@pytest.mark.parametrize(
    ("sign", "expected"),
    [
        ("", SEVERAL_HOOKS),
        ("class Host { void Go(ITinyContainer given) { Register(given); } }", SEVERAL_HOOKS),
        ("class Host { void Go(IServiceCollection services) {} }", BOTH_HOOKS),
        ("using Autofac; class Host {}", BOTH_HOOKS),
        ("using System.ComponentModel.Composition; class Host {}", BOTH_HOOKS),
        ("class Host { void Main() { WebApplication.CreateBuilder(args); } }", BOTH_HOOKS),
        ("class Host { void Go() { things.AddScoped<IHook, A>(); } }", BOTH_HOOKS),
    ],
)
def test_where_nothing_tells_of_a_container_lists_are_given_by_code(
    calls: Calls, sign: str, expected: dict[str, tuple[str, float]]
) -> None:
    found = calls(FEW.replace(HOST, ""), LISTING % IN_LOOP, sign)

    assert found == {"IHook.Run": ("receiver type", 0.95)} | expected


def test_code_may_ask_a_container_for_all_implementations(calls: Calls) -> None:
    found = calls(
        FEW, "class Caller { void Run() { foreach (var one in s.GetServices<IHook>()) one.Run(); } }"
    )

    assert found == {"IHook.Run": ("receiver type", 0.95)} | BOTH_HOOKS


def test_what_holds_others_of_its_kind_is_none_of_them(calls: Calls) -> None:
    found = calls(
        FEW.replace("class A", "class Caller").replace(
            "public void Run() {}",
            "IHook[] hooks; public Caller(IHook[] hooks) {} public void Run() { " + IN_LOOP + " }",
            1,
        ),
        "class C : IHook { public void Run() {} }",
    )

    assert found == {
        "IHook.Run": ("receiver type", 0.95),
        "B.Run": ("each of a collection", 0.8),
        "C.Run": ("each of a collection", 0.8),
    }


def test_where_type_arguments_are_open_not_all_handlers_run(calls: Calls) -> None:
    many = " ".join(
        f"class H{one} : IHandle<M{one}> {{ public void Run() {{}} }} class M{one};" for one in range(9)
    )
    found = calls(
        "interface IHandle<T> { void Run(); }",
        many,
        """
        class Caller<T> {
            IHandle<T>[] all; public Caller(IHandle<T>[] all) {} void Run() { foreach (var one in all) one.Run(); }
        }
        """,
    )

    assert found == {"IHandle.Run": ("receiver type", 0.95)}


def test_what_runs_in_another_application_alone_is_one_of_several(calls: Calls) -> None:
    project = '<Project Sdk="Microsoft.NET.Sdk"></Project>'

    found = calls(
        "interface IHook { void Run(); }",
        LISTING % IN_LOOP,
        **{
            "Shop/Shop.csproj": project,
            "Other/Other.csproj": project,
            "Other/A.cs": "class A : IHook { public void Run() {} } class B : IHook { public void Run() {} }",
        },
    )

    assert found == {"IHook.Run": ("receiver type", 0.95)} | SEVERAL_HOOKS
