"""Of the methods of one name that one is meant which takes the arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

RECEIVER = "receiver type"
EXTENSION = "extension method"
CACHE = """
    public interface ICache { string Get(string key); }
    public static class CacheExtensions
    {
        public static T Get<T>(this ICache cache, string key, Func<T> make) => make();
    }
"""


def test_an_extension_that_takes_the_arguments_comes_before_a_method_that_does_not(
    code_edges: CodeEdges,
) -> None:
    edges = code_edges(
        "Calls",
        CACHE
        + """
    class A {
        ICache _cache;
        void Plain() { _cache.Get("key"); }
        void Making() { _cache.Get("key", () => new Order()); }
        void None() { _cache.Get("key", 1, 2); }
    }
    class Order;
    """,
    )

    assert edges == {
        ("A.Plain", "ICache.Get", RECEIVER),
        ("A.Making", "CacheExtensions.Get", EXTENSION),
        ("A.None", "ICache.Get", RECEIVER),
    }


def test_a_lambda_is_for_the_method_that_takes_it(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        public interface ICache { void Each(string key); }
        public static class CacheExtensions
        {
            public static void Each(this ICache cache, string key, Action<Order> action) { }
        }
        class A { ICache _cache; void Run() { _cache.Each("key", order => order.Ship()); } }
        public class Order { public void Ship() {} }
        """,
    )

    assert edges == {
        ("A.Run", "CacheExtensions.Each", EXTENSION),
        ("A.Run", "Order.Ship", RECEIVER),
    }


def test_an_inherited_method_that_takes_the_arguments_comes_before_one_that_does_not(
    code_edges: CodeEdges,
) -> None:
    edges = code_edges(
        "Calls",
        """
        interface IRepository<T> { T Create(T one); }
        interface IOrders : IRepository<Order> { void Create(Order order, int lines); }
        class A { void Run(IOrders orders, Order order) { orders.Create(order).Ship(); } }
        class B { void Run(IOrders orders, Order order) { orders.Create(order, 2); } }
        class Order { public void Ship() {} }
        """,
    )

    assert edges == {
        ("A.Run", "IRepository.Create", RECEIVER),
        ("A.Run", "Order.Ship", RECEIVER),
        ("B.Run", "IOrders.Create", RECEIVER),
    }


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("Save(1, 2)", {"Orders.Save"}),
        ("Save(1)", {"A.Save"}),
        ("Save(new Order())", {"Base.Save"}),
        ("Save(1, 2).Ship()", {"Orders.Save", "Order.Ship"}),
        ("{ Take(1, out var made); made.Ship(); }", {"Orders.Take", "Order.Ship"}),
        ("Save(1, 2, 3, 4)", {"A.Save"}),
    ],
)
def test_an_inherited_method_that_takes_the_arguments_needs_no_receiver(
    call: str, expected: set[str], code_edges: CodeEdges
) -> None:
    edges = code_edges(
        "Calls",
        f"""
        class Base<T> {{ void Save(T one) {{}} }}
        class Orders : Base<Order> {{ Order Save(int a, int b) => null; void Take(int a, out Order made) {{}} }}
        class A : Orders {{ void Save(int one) {{}} void Take() {{}} void Run() {{ {call}; }} }}
        class Order {{ public void Ship() {{}} }}
        """,
    )

    assert {to for source, to, _ in edges if source == "A.Run"} == expected


@pytest.mark.parametrize(("size", "expected"), [(50, "Base.Save"), (100, "A.Save")])
def test_of_very_many_methods_the_number_of_arguments_alone_tells(
    size: int, expected: str, code_edges: CodeEdges
) -> None:
    methods = " ".join(f"void Save(T{at} one) {{}}" for at in range(size))
    types = " ".join(f"class T{at} {{}}" for at in range(size))

    edges = code_edges(
        "Calls",
        f"""
        class Base {{ void Save(Order one) {{}} void Save(Order one, int count) {{}} }}
        class A : Base {{
            void One() {{ Save(new Order()); }} void Two() {{ Save(new Order(), 2); }}
            {methods}
        }}
        class Order {{}} {types}
        """,
    )

    assert {edge[:2] for edge in edges} == {("A.One", expected), ("A.Two", "Base.Save")}


def test_type_parameters_that_no_argument_tells_have_to_be_given(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class Plugin {
            public T Instance<T>() where T : class => null;
            public Order Instance() => Instance<Order>();
        }
        class A { void Run(Plugin plugin) { plugin.Instance().Ship(); } }
        class B { void Run(Plugin plugin) { plugin.Instance<Line>().Ship(); } }
        class Order { public void Ship() {} }
        class Line { public void Ship() {} }
        """,
    )

    assert {edge for edge in edges if edge[1].endswith("Ship")} == {
        ("A.Run", "Order.Ship", RECEIVER),
        ("B.Run", "Line.Ship", RECEIVER),
    }


def test_parameters_fit_the_types_of_arguments(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class Pagers {
            public Wrong For(Model model) => null;
            public Right For(IPageable page) => null;
            public Wrong Find(int id) => null;
            public Right Find(string name) => null;
            public Wrong With(int start, object of) => null;
            public Right With(int start, Page of) => null;
            public Wrong Named(int first) => null;
            public Right Named(object second) => null;
            public Wrong Make(string name) => null;
            public Right Make(Func<Page> make) => null;
        }
        class A {
            void Declared(Pagers all, Page page) { all.For(page).Go(); }
            void Plain(Pagers all) { all.Find("name").Go(); }
            void Nearest(Pagers all, Page page) { all.With(1, page).Go(); }
            void Named(Pagers all, Foreign one) { all.Named(second: one).Go(); }
            void Lambda(Pagers all) { all.Make(() => new Page()).Go(); }
            void Handed(Pagers all) { all.Make(Blank).Go(); }
            Page Blank() => null;
        }
        interface IPageable;
        class Model;
        class Page : IPageable;
        class Right { public void Go() {} }
        class Wrong { public void Go() {} }
        """,
    )

    assert {edge for edge in edges if edge[1].endswith("Go")} == {
        (f"A.{name}", "Right.Go", RECEIVER)
        for name in ("Declared", "Plain", "Nearest", "Named", "Lambda", "Handed")
    }


def test_to_list_makes_a_list_of_what_was_none(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        static class Extensions {
            public static Order Last(this List<Order> orders, int days) => null;
            public static void Ship(this Order[] orders) {}
        }
        class A {
            ICollection<Order> _orders;
            IReadOnlyDictionary<int, Order> _byId;
            void List() { _orders.ToList().Last(2).Pay(); }
            void Array() { _orders.Where(one => one.Open).ToArray().Ship(); }
            void Pairs() { _byId.ToList().First().Value.Pay(); }
        }
        class Order { public bool Open; public void Pay() {} }
        """,
    )

    assert edges == {
        ("A.List", "Extensions.Last", EXTENSION),
        ("A.List", "Order.Pay", RECEIVER),
        ("A.Array", "Extensions.Ship", EXTENSION),
        ("A.Pairs", "Order.Pay", RECEIVER),
    }


def test_an_extension_of_objects_is_one_of_everything(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        static class Extensions {
            public static string NameOf(this object one) => null;
            public static string Label(this object one) => null;
        }
        static class Labels { public static string Label(this Order order) => null; }
        class A {
            void Declared(Order order) { order.NameOf(); }
            void Foreign(Exception error) { error.NameOf(); }
            void Dynamic(dynamic one) { one.NameOf(); }
            void Nearer(Order order) { order.Label(); }
        }
        class Order;
        """,
    )

    assert edges == {
        ("A.Declared", "Extensions.NameOf", EXTENSION),
        ("A.Foreign", "Extensions.NameOf", EXTENSION),
        ("A.Nearer", "Labels.Label", EXTENSION),
    }


REGISTER = """
    namespace Microsoft.Extensions.DependencyInjection;
    public static class Registering { public static void AddShop(this IServiceCollection services) { } }
"""
USING = "class Startup { void Run(IServiceCollection services) { services.AddShop(); } }\n"


def test_an_extension_in_a_namespace_that_the_sdk_opens_is_seen(code_edges: CodeEdges) -> None:
    files = {"Lib/Registering.cs": REGISTER, "Web/Startup.cs": USING}
    web = {"Web/Web.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web" />\n'}
    other = {"Web/Web.csproj": '<Project Sdk="Microsoft.NET.Sdk" />\n'}

    call = ("Startup.Run", "Microsoft.Extensions.DependencyInjection.Registering.AddShop", EXTENSION)

    assert call in code_edges("Calls", files | web)
    assert call not in code_edges("Calls", files | other)


def test_what_a_project_opens_is_open_in_its_own_files_only(code_edges: CodeEdges) -> None:
    files = {"Lib/Registering.cs": REGISTER, "Web/Web.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web" />\n'}

    assert code_edges("Calls", files | {"Tool/Startup.cs": USING}) == set()


def test_an_internal_extension_of_another_project_does_not_stand_beside_the_own_one(
    code_edges: CodeEdges,
) -> None:
    own = """
        namespace One;
        static class Extensions { public static void AddAll(this IServiceCollection services) { } }
        class Startup { void Run(IServiceCollection services) { services.AddAll(); } }
    """
    other = "internal static class Extensions { public static void AddAll(this IServiceCollection services) { } }\n"

    edges = code_edges("Calls", {"One/Startup.cs": own, "Two/Extensions.cs": other})

    assert edges == {("One.Startup.Run", "One.Extensions.AddAll", EXTENSION)}


def test_an_inherited_method_of_as_many_parameters_answers_for_the_interface(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        public interface IRepository { void Create(int id); }
        public abstract class Repository : IRepository { public void Create(int id) { } }
        public class Groups : Repository { public void Create(int id, string name) { } }
        class A { IRepository _all; void Run() { _all.Create(1); } }
        """,
    )

    assert edges == {
        ("A.Run", "IRepository.Create", RECEIVER),
        ("A.Run", "Repository.Create", "only implementation"),
    }


def test_what_a_base_leaves_open_nobody_above_it_does(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        public class Root { public virtual void Run() { } }
        public abstract class Job : Root { public abstract override void Run(); }
        public partial class Nightly : Job { }
        class A { Job _job; void Go() { _job.Run(); } }
        """,
    )

    assert edges == {("A.Go", "Job.Run", RECEIVER)}
