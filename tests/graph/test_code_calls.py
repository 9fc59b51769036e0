"""Calls lead to the methods that the receiver's type tells, and to nothing where it does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.graph import code_graph
from ragduck.graph.types.catalog import Catalog
from ragduck.parse import LARGE_GENERATED

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

RECEIVER = "receiver type"


def test_a_field_tells_its_type(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls", "class A { B b; void Run() { b.Do(); } } class B { void Do() {} } class C { void Do() {} }"
    )

    assert edges == {("A.Run", "B.Do", RECEIVER)}


def test_parameters_locals_and_new_objects_tell_their_type(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A {
            void One(B b) { b.Do(); }
            void Two() { var b = new B(); b.Do(); }
            void Three(object o) { ((B)o).Do(); }
            void Four(object o) { if (o is B b) { b.Do(); } }
        }
        class B { void Do() {} }
        """,
    )

    assert edges == {(f"A.{name}", "B.Do", RECEIVER) for name in ("One", "Two", "Three", "Four")}


def test_what_a_condition_declares_is_known_after_it(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A {
            Dictionary<string, B> all;
            void One(object o) { if (o is not B b) return; b.Do(); }
            void Two(string k) { if (!all.TryGetValue(k, out B b)) { throw new Oops(); } b.Do(); }
            void Three(string k) { if (!all.TryGetValue(k, out var b)) { b = new B(); } b.Do(); }
        }
        class B { void Do() {} }
        """,
    )

    assert edges == {(f"A.{name}", "B.Do", RECEIVER) for name in ("One", "Two", "Three")}


def test_what_a_method_hands_out_has_the_type_of_its_parameter(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A {
            Store<B> store;
            void One() { if (B.TryMake(1, out var b)) b.Do(); }
            void Two() { TryRead("x", out var b, out var c); c.Do(); }
            void Three() { store.TryRead(1, out var b); b.Do(); }
            void Four() { TryRead(found: out var c, text: "x", other: out var b); c.Do(); }
            bool TryRead(string text, out B other, out C found) => false;
            bool TryRead(int number, out B other) => false;
        }
        class Store<T> { public bool TryRead(int id, out T found) => false; }
        class B { void Do() {} public static bool TryMake(int id, out B made) => false; }
        class C { void Do() {} }
        """,
    )

    assert {edge for edge in edges if edge[1].endswith("Do")} == {
        ("A.One", "B.Do", RECEIVER),
        ("A.Two", "C.Do", RECEIVER),
        ("A.Three", "B.Do", RECEIVER),
        ("A.Four", "C.Do", RECEIVER),
    }


def test_named_elements_of_tuples_have_their_types(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A {
            (B First, C Second) Pair { get; set; }
            void One() { Pair.Second.Do(); }
            async Task Two(Task<(B, C Second)> task) { var pair = await task; pair.Item1.Do(); pair.Second.Do(); }
            void Three(List<(B First, int N)> all) { foreach (var one in all) one.First.Do(); }
            void Four(C c) { var pair = (First: new B(), c); pair.First.Do(); pair.c.Do(); }
        }
        class B { void Do() {} }
        class C { void Do() {} }
        """,
    )

    assert edges == {
        ("A.One", "C.Do", RECEIVER),
        ("A.Two", "B.Do", RECEIVER),
        ("A.Two", "C.Do", RECEIVER),
        ("A.Three", "B.Do", RECEIVER),
        ("A.Four", "B.Do", RECEIVER),
        ("A.Four", "C.Do", RECEIVER),
    }


def test_a_delegate_that_is_called_results_in_its_last_type_argument(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A {
            Dictionary<string, Func<B>> makers;
            void One(Func<B> make) { make().Do(); }
            void Two(Func<int, B> make) { var b = make.Invoke(1); b.Do(); }
            void Three() { makers["x"]().Do(); }
            async Task Four(Func<Task<B>> make) { (await make()).Do(); }
            void Five(Action<B> run) { run(null).Do(); }
        }
        class B { void Do() {} }
        class C { void Do() {} }
        """,
    )

    assert edges == {(f"A.{name}", "B.Do", RECEIVER) for name in ("One", "Two", "Three", "Four")}


def test_own_and_inherited_methods_need_no_receiver(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A : Base { void Run() { Own(); Inherited(); this.Own(); base.Inherited(); } void Own() {} }
        class Base { void Inherited() {} }
        """,
    )

    assert edges == {
        ("A.Run", "A.Own", "same type"),
        ("A.Run", "Base.Inherited", "same type"),
        ("A.Run", "A.Own", RECEIVER),
        ("A.Run", "Base.Inherited", RECEIVER),
    }


def test_the_nearest_declaration_of_a_method_is_meant(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A { void Run(Third x) { x.Do(); } }
        class First { virtual void Do() {} }
        class Second : First { override void Do() {} }
        class Third : Second;
        """,
    )

    assert edges == {("A.Run", "Second.Do", RECEIVER)}


def test_a_class_has_no_members_of_its_interfaces(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        interface IUnit { Task SaveChangesAsync(); }
        class Context : DbContext, IUnit { Task Commit() => SaveChangesAsync(); }
        class Fake : IUnit { public Task SaveChangesAsync() {} }
        class Seed { void Run(Context context) { context.SaveChangesAsync(); } }
        class Any<T> where T : IUnit { void Run(T unit) { unit.SaveChangesAsync(); } }
        """,
    )

    assert edges == {
        ("Any.Run", "IUnit.SaveChangesAsync", RECEIVER),
        ("Any.Run", "Fake.SaveChangesAsync", "one of several implementations"),
    }


def test_what_is_taken_apart_has_the_types_of_its_parts(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A {
            void One() { var (b, _) = Pair(); b.Do(); }
            async Task Two() { var (_, (_, c)) = await Nested(); c.Do(); }
            void Three(Dictionary<string, B> all) { foreach (var (_, b) in all) b.Do(); }
            void Four(List<(B, C)> all) { foreach (var (_, c) in all) c.Do(); }
            void Five(Both both) { var (_, c) = both; c.Do(); }
            void Six(Tuple<B, C> both) { both.Item2.Do(); }
            void Seven(object all) { var (b, c) = all; b.Do(); }
            (B, C) Pair();
            Task<(B, (int, C))> Nested();
        }
        class B { void Do() {} }
        class C { void Do() {} }
        record Both(B First, C Second);
        """,
    )

    assert {one for one in edges if one[1].endswith(".Do")} == {
        ("A.One", "B.Do", RECEIVER),
        ("A.Two", "C.Do", RECEIVER),
        ("A.Three", "B.Do", RECEIVER),
        ("A.Four", "C.Do", RECEIVER),
        ("A.Five", "C.Do", RECEIVER),
        ("A.Six", "C.Do", RECEIVER),
    }


def test_static_calls_on_a_type_parameter_reach_its_bound(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        interface IMade<T> where T : IMade<T> { static abstract T Create(int size); }
        class Box : IMade<Box> { public static Box Create(int size) => null; }
        class Factory { T Make<T>() where T : IMade<T> => T.Create(3); void Other<T>() { T.Create(4); } }
        """,
    )

    assert edges == {
        ("Factory.Make", "IMade.Create", RECEIVER),
        ("Factory.Make", "Box.Create", "only implementation"),
    }


def test_static_calls_name_the_type(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        {
            "Shop/A.cs": """
                using static Shop.Tools.Text;
                using Shop.Tools;
                namespace Shop;
                class A { void Run() { Text.Trim(); Cut(); Shop.Tools.Text.Trim(); } }
            """,
            "Shop/T.cs": "namespace Shop.Tools; static class Text { static void Trim() {} static void Cut() {} }",
        },
    )

    assert edges == {
        ("Shop.A.Run", "Shop.Tools.Text.Trim", RECEIVER),
        ("Shop.A.Run", "Shop.Tools.Text.Cut", "static import"),
    }


def test_types_within_one_whose_members_are_taken_in_need_no_qualification(facts_of: FactsOf) -> None:
    files = {
        "Shop/Codes.cs": """
            namespace Shop.Known;
            public static class Codes {
                public static class Errors { public static string None() => ""; }
                public class Holder { public void Go() {} }
            }
            public static class Others { public class Errors { public static string None() => ""; } }
            public class Base { public class Deep { public static void Go() {} } }
            public class Derived : Base { }
        """,
        "Shop/A.cs": """
            using static Shop.Known.Codes;
            namespace Shop;
            class A { Holder own; string Run() { own.Go(); new Holder().Go(); return Errors.None(); } }
        """,
        "Shop/B.cs": """
            using static Shop.Known.Codes;
            using static Shop.Known.Others;
            class B { string Run() => Errors.None(); }
        """,
        "Shop/C.cs": "using static Shop.Known.Derived; class C { void Run() { Deep.Go(); } }",
    }

    graph = code_graph(Catalog(facts_of(files)))

    calls = {(edge.from_key, edge.to_key) for edge in graph.edges if edge.relation == "Calls"}
    assert calls == {
        ("csharp:Shop.A.Run|METHOD", "csharp:Shop.Known.Codes.Holder.Go|METHOD"),
        ("csharp:Shop.A.Run|METHOD", "csharp:Shop.Known.Codes.Errors.None|METHOD"),
    }


def test_the_name_of_a_type_with_constructors_means_the_type_within_it(code_edges: CodeEdges) -> None:
    code = """
        class Role {
            Role(int id) {}
            static Role() {}
            static int Count(int id) => 1;
            static int Most { get; }
            void Run() { Role.Count(Role.Most); }
            class Part { void Run() { Role.Count(2); } }
        }
        class Admin : Role {
            Admin() : base(1) {}
            void Promote() { Role.Count(3); Admin.Make(); }
            static void Make() {}
        }
    """

    assert code_edges("Calls", code) == {
        ("Admin.Admin", "Role.Role", "base constructor"),
        ("Role.Run", "Role.Count", RECEIVER),
        ("Role.Part.Run", "Role.Count", RECEIVER),
        ("Admin.Promote", "Role.Count", RECEIVER),
        ("Admin.Promote", "Admin.Make", RECEIVER),
    }
    assert code_edges("Uses", code) == {("Role.Run", "Role.Most", "reads member")}


def test_chains_follow_return_types(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A { B b; void Run() { b.Next.Make().Do(); } }
        class B { public C Next { get; } }
        class C { public D Make() => null; }
        class D { public void Do() {} }
        """,
    )

    assert edges == {("A.Run", "C.Make", RECEIVER), ("A.Run", "D.Do", RECEIVER)}


def test_type_arguments_are_put_in(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A { Repo<Order> repo; async void Run() { (await repo.Read()).Pay(); repo.All()[0].Pay(); } }
        class Repo<T> { public Task<T> Read() => null; public List<T> All() => null; }
        class Order { public void Pay() {} }
        """,
    )

    assert ("A.Run", "Order.Pay", RECEIVER) in edges


def test_type_arguments_of_a_method_are_given_or_told_by_its_arguments(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A {
            T Make<T>() => default;
            T Same<T>(T value) => value;
            void One() { Make<Order>().Pay(); }
            void Two(Order order) { Same(order).Pay(); }
        }
        class Order { public void Pay() {} }
        """,
    )

    assert {edge for edge in edges if edge[1] == "Order.Pay"} == {
        ("A.One", "Order.Pay", RECEIVER),
        ("A.Two", "Order.Pay", RECEIVER),
    }


def test_a_type_parameter_has_the_members_of_its_constraint(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A<T> where T : Entity { void One(T item) { item.Save(); } }
        class B { void Two<T>(T item) where T : Entity { item.Save(); } void Three<T>(T item) { item.Save(); } }
        class Entity { public void Save() {} }
        """,
    )

    assert edges == {("A.One", "Entity.Save", RECEIVER), ("B.Two", "Entity.Save", RECEIVER)}


def test_lambdas_and_loops_get_elements(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A {
            List<Order> orders;
            void One() { foreach (var order in orders) { order.Pay(); } }
            void Two() { orders.Where(o => o.IsOpen()).ToList().ForEach(o => o.Pay()); }
            void Three() { orders.First().Pay(); }
        }
        class Order { public void Pay() {} public bool IsOpen() => true; }
        """,
    )

    assert edges == {
        ("A.One", "Order.Pay", RECEIVER),
        ("A.Two", "Order.IsOpen", RECEIVER),
        ("A.Two", "Order.Pay", RECEIVER),
        ("A.Three", "Order.Pay", RECEIVER),
    }


def test_a_lambda_gets_what_the_delegate_of_a_declared_method_says(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A {
            void Each(int count, Action<Order> action) {}
            void Run() { Each(3, order => order.Pay()); }
        }
        class Order { public void Pay() {} }
        """,
    )

    assert edges == {("A.Run", "A.Each", "same type"), ("A.Run", "Order.Pay", RECEIVER)}


def test_extension_methods_fit_the_receiver_and_are_opened(code_edges: CodeEdges) -> None:
    extensions = """
        namespace Shop.Extensions;
        static class OrderExtensions { public static void Ship(this IOrder order) {} }
        static class TextExtensions { public static void Ship(this string text) {} }
    """
    types = "namespace Shop; public interface IOrder; public class Order : IOrder;"
    calling = "namespace Web; class A { void Run(Shop.Order order) { order.Ship(); } }"

    opened = code_edges(
        "Calls", {"S/A.cs": f"using Shop.Extensions; {calling}", "S/E.cs": extensions, "S/T.cs": types}
    )
    unseen = code_edges("Calls", {"S/A.cs": calling, "S/E.cs": extensions, "S/T.cs": types})

    assert opened == {("Web.A.Run", "Shop.Extensions.OrderExtensions.Ship", "extension method")}
    assert unseen == set()


def test_extension_methods_of_collections_compare_elements(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A { List<Order> orders; void Run() { orders.Total(); } }
        class Order; class Line;
        static class Orders { public static void Total(this IEnumerable<Order> orders) {} }
        static class Lines { public static void Total(this IEnumerable<Line> lines) {} }
        """,
    )

    assert edges == {("A.Run", "Orders.Total", "extension method")}


def test_making_an_object_calls_its_constructor(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls", "class A { void Run() { new B(); new C(); } } class B { public B() {} } class C;"
    )

    assert edges == {("A.Run", "B.B", "new")}


def test_constructors_call_those_that_they_hand_on_to(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        "class A : B { A(int x) : base(x) {} } class B { protected B(int x) {} }",
    )

    assert edges == {("A.A", "B.B", "base constructor")}


def test_a_method_that_is_handed_on_is_called(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls", "class A { void Run() { Later(Work); } void Later(Action what) {} void Work() {} }"
    )

    assert edges == {("A.Run", "A.Later", "same type"), ("A.Run", "A.Work", "method group")}


@pytest.mark.parametrize(
    "statement",
    [
        "Later(Work<Order>);",
        "new Thread(start: Work<Order>);",
        "Later(1, Work<Order, Line>);",
        "what = isLate ? null : (Work<Order>);",
        "changed += Work<Order>;",
        "Later(() => Work<Order>);",
        "Action[] all = [Work<Order>];",
    ],
)
def test_a_method_that_is_handed_on_with_type_arguments_is_called(
    code_edges: CodeEdges, statement: str
) -> None:
    members = "Action what; event Action changed; void Work<T>() {} void Work<T, U>() {}"
    text = f"class A {{ void Run() {{ {statement} }} {members} }} class Order; class Line;"

    calls, uses = (code_edges(relation, text) for relation in ("Calls", "Uses"))

    assert calls == {("A.Run", "A.Work", "method group")}
    assert ("A.Run", "Order", "argument") in uses


def test_a_member_holds_a_method_with_type_arguments(code_edges: CodeEdges) -> None:
    edges = code_edges("Calls", "class A { Action what = Work<int>; static void Work<T>() {} }")

    assert edges == {("A.what", "A.Work", "method group")}


def test_a_generic_type_of_a_pattern_is_used_and_not_called(code_edges: CodeEdges) -> None:
    text = "class A { int Run(object o) => o switch { Store<Order> => 1 }; } class Store<T>; class Order;"

    assert code_edges("Calls", text) == set()
    assert code_edges("Uses", text) == {("A.Run", one, "argument") for one in ("Store", "Order")}


def test_a_method_that_calls_itself_has_no_edge(code_edges: CodeEdges) -> None:
    assert code_edges("Calls", "class A { void Run() { Run(); } }") == set()


def test_top_level_functions_are_those_of_their_file(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        {
            "One/Program.cs": "Start(); static void Start() {}",
            "Two/Program.cs": "Begin(); static void Other() {}",
        },
    )

    assert edges == {("One/Program.cs", "Start", "same module")}


SHARED = """
    public partial class Program {{
        static {0} Made() => null;
        static void Run() {{ Made().Save(); {1} }}
    }}
    public static class Extensions {{ public static {0} Read(this string text) => null; }}
    namespace {0}s {{ class Job {{ void Run(string text) {{ text.Read().Save(); text.Other(); }} }} }}
"""


def test_of_types_of_one_name_a_file_sees_that_of_its_project(code_edges: CodeEdges) -> None:
    models = "namespace {0}; public class {0} {{ public void Save() {{}} }}"
    files = {
        "One/Program.cs": "using Order;" + SHARED.format("Order", "Only();"),
        "Two/Program.cs": "using Line;" + SHARED.format("Line", "Help();"),
        "Two/Help.cs": "public partial class Program { static void Help() {} static void Only(int id) {} }",
        "Two/Extensions.cs": "public static class Extensions { public static void Other(this string text) {} }",
        "Models/Order.cs": models.format("Order"),
        "Models/Line.cs": models.format("Line"),
    }

    found = code_edges("Calls", files)

    assert {to for source, to, _ in found if source == "Orders.Job.Run"} == {
        "Extensions.Read",
        "Order.Order.Save",
    }
    assert {to for source, to, _ in found if source == "Lines.Job.Run"} == {
        "Extensions.Read",
        "Extensions.Other",
        "Line.Line.Save",
    }
    assert {to for source, to, _ in found if source == "Program.Run"} == {
        "Program.Made",
        "Program.Help",
        "Order.Order.Save",
        "Line.Line.Save",
    }


def test_parts_of_a_class_outside_of_projects_are_seen_from_within_and_see_them(facts_of: FactsOf) -> None:
    files = {
        "Shared/Order.cs": "public partial class Order { public void Save() { Close(); } }",
        "One/Order.One.cs": "public partial class Order { void Close() {} void Cancel() { Save(); } }",
        "One/Job.cs": "class Job { void Run(Order order) { order.Save(); } }",
    }
    facts = [one._replace(project=None) if one.path.startswith("Shared/") else one for one in facts_of(files)]

    edges = code_graph(Catalog(facts)).edges

    assert {(one.from_key, one.to_key) for one in edges if one.relation == "Calls"} == {
        ("csharp:Order.Save|METHOD", "csharp:Order.Close|METHOD"),
        ("csharp:Order.Cancel|METHOD", "csharp:Order.Save|METHOD"),
        ("csharp:Job.Run|METHOD", "csharp:Order.Save|METHOD"),
    }


def test_nested_types_call_static_methods_of_the_type_around(code_edges: CodeEdges) -> None:
    edges = code_edges("Calls", "class A { static void Help() {} class B { void Run() { Help(); } } }")

    assert edges == {("A.B.Run", "A.Help", "same type")}


def test_a_foreign_base_may_have_a_method_of_the_same_name(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class OrderController : Controller {
            IActionResult View(Guid id) => null;
            IActionResult Show(Order order) { return View(order); }
            IActionResult ById(Guid id) { return View(id); }
        }
        class Order;
        """,
    )

    assert edges == {("OrderController.ById", "OrderController.View", "same type")}


def test_without_a_receiver_type_the_only_visible_name_counts(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A { void Run() { Unknown.Current.PlaceOrder(1); Unknown.Current.Pay(); } }
        class B { public void PlaceOrder(int id) {} public void Pay(int x) {} }
        """,
    )

    assert edges == {("A.Run", "B.PlaceOrder", "only visible name")}


def test_without_a_receiver_type_two_methods_of_a_name_mean_neither(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A { void Run() { Unknown.Current.PlaceOrder(); } }
        class B { public void PlaceOrder() {} }
        class C { public void PlaceOrder() {} }
        """,
    )

    assert edges == set()


def test_without_a_receiver_type_the_root_of_a_hierarchy_is_meant(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A { void Run() { Unknown.Current.PlaceOrder(); } }
        interface IDesk { void PlaceOrder(); }
        class Desk : IDesk { public void PlaceOrder() {} }
        """,
    )

    assert edges == {("A.Run", "IDesk.PlaceOrder", "only visible name")}


def test_names_of_the_framework_are_not_taken_for_own_methods(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A { void Run() { Unknown.Current.Add(1); Unknown.Current.ToString(); Unknown.Current.Dispose(); } }
        class B { public void Add(int x) {} public string ToString() => ""; public void Dispose() {} }
        """,
    )

    assert edges == set()


def test_names_that_foreign_types_have_are_not_taken_for_own_methods(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A {
            void One(HttpClient client) { client.Fetch(); }
            void Two() { Unknown.Current.Fetch(); }
        }
        class B { public void Fetch() {} }
        """,
    )

    assert edges == set()


def test_known_foreign_receivers_have_no_methods_of_the_project(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A { void Run(DbCommand command, string text) { command.PlaceOrder(); text.PlaceOrder(); } }
        static class E { public static void PlaceOrder(this IDbConnection connection) {} }
        """,
    )

    assert edges == set()


def test_a_foreign_receiver_may_be_what_an_extension_is_for(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A { void Run(DefaultHttpContext context) { context.UserName(); } }
        static class E { public static string UserName(this HttpContext context) => ""; }
        """,
    )

    assert edges == {("A.Run", "E.UserName", "only visible name")}


def test_an_extension_method_that_takes_other_arguments_is_not_meant(code_edges: CodeEdges) -> None:
    texts = """
        class Order { }
        class Rule { }
        static class Sorting {
            public static List<T> OrderBy<T>(this IEnumerable<T> rows, Func<T, int> key, bool natural) => null;
            public static void Remove<T>(this ICollection<T> rows, Func<T, bool> which) {}
            public static string Show(this IPage page, Rule rule) => "";
            public static string Page<T>(this IEnumerable<T> rows) => "";
        }
        static class Paging { public static string Page<T>(this IEnumerable<T> rows, int size) => ""; }
        class Desk {
            void Sort(List<Order> orders) { orders.OrderBy(o => 1); }
            void SortNaturally(List<Order> orders) { orders.OrderBy(o => 1, true); }
            void Drop(List<Order> orders, Order order) { orders.Remove(order); }
            void Show(IPage page) { page.Show("first"); }
            void Page(List<Order> orders) { orders.Page(20); }
        }
    """

    assert code_edges("Calls", texts) == {
        ("Desk.SortNaturally", "Sorting.OrderBy", "extension method"),
        ("Desk.Page", "Paging.Page", "extension method"),
    }


def test_a_method_that_is_handed_to_an_extension_method_is_no_value(code_edges: CodeEdges) -> None:
    texts = """
        class Order { }
        class Maker { public Order Make() => null; }
        static class Filling { public static void Fill(this Order order, Func<Order> make) {} }
        class Desk {
            Maker maker;
            Order Make() => null;
            void Own(Order order) { order.Fill(Make); }
            void Others(Order order) { order.Fill(maker.Make); }
            void Value(Order order) { order.Fill(maker.Make()); }
        }
    """

    edges = code_edges("Calls", texts)

    assert {edge[0] for edge in edges if edge[1] == "Filling.Fill"} == {"Desk.Own", "Desk.Others"}


def test_a_database_in_a_web_config_is_no_namespace_that_views_open(code_edges: CodeEdges) -> None:
    connection = '<add name="DefaultConnection" connectionString="Data Source=.;Initial Catalog=Models;" />'
    files = {
        "Web/Web.config": f"<configuration><connectionStrings>{connection}</connectionStrings></configuration>",
        "Web/Views/Home/Index.cshtml": "<p>@Order.Title()</p>\n",
        "Web/Models/Order.cs": 'namespace Models; public static class Order { public static string Title() => ""; }',
    }

    assert code_edges("Calls", files) == set()


def test_background_jobs_are_told_what_to_call(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class Startup
        {
            void Run()
            {
                RecurringJob.AddOrUpdate<Report>("report", report => report.Send(1), Cron.Daily);
                BackgroundJob.Enqueue<Clean>(job => job.Run());
                _client.Schedule<Mail>(mail => mail.Send(), delay);
                BackgroundJob.ContinueJobWith<Clean>(id, clean => clean.Stop());
            }
        }
        class Report { void Send(int a) {} }
        class Mail { void Send() {} }
        class Clean { void Run() {} void Stop() {} }
        class Other { void Run() {} void Stop() {} }
        """,
    )

    called = ("Report.Send", "Clean.Run", "Mail.Send", "Clean.Stop")
    assert edges == {("Startup.Run", name, RECEIVER) for name in called}


def test_a_type_of_a_large_generated_file_is_not_taken_for_its_namesake(code_edges: CodeEdges) -> None:
    generated = "// <auto-generated />\nnamespace Shop.Web { class Texts { static string Hello => null; } }\n"
    files = {
        "Shop/Texts.Designer.cs": generated + "// nothing more\n" * (LARGE_GENERATED // 10),
        "Shop/Core.cs": "namespace Shop.Core { class Texts { static string Hello() => null; } }",
        "Shop/Page.cs": "using Shop.Core; namespace Shop.Web { class Page { void Show() { Texts.Hello(); } } }",
    }

    assert code_edges("Calls", files) == set()
    assert code_edges("Calls", files | {"Shop/Texts.Designer.cs": ""}) == {
        ("Shop.Web.Page.Show", "Shop.Core.Texts.Hello", RECEIVER)
    }


def test_a_call_on_a_foreign_base_means_no_other_class(code_edges: CodeEdges) -> None:
    code = """
        class Screen : Package.Base { void Begin() { base.Prepare(1); } }
        class Store { public void Prepare(int id) { } }
        """

    assert code_edges("Calls", code) == set()


def test_a_base_may_be_the_type_without_type_parameters(code_edges: CodeEdges) -> None:
    code = """
        class Link { public T GetConfig<T>() { return default; } }
        class Link<T> : Link { T Config { get => base.GetConfig<T>(); } }
        """

    assert code_edges("Calls", code) == {("Link.Config", "Link.GetConfig", "only visible name")}


def test_the_user_of_a_request_has_what_is_added_to_a_principal_of_claims(code_edges: CodeEdges) -> None:
    files = {
        "Shop/Claims.cs": "static class Claims { public static string Id(this ClaimsPrincipal one) => null; }",
        "Shop/Page.cs": "class Page : ControllerBase { string Show() => HttpContext.User.Id(); }",
        "Shop/Clock.cs": "class Clock { IHttpContextAccessor at; string Who() => at.HttpContext.User.Id(); }",
    }

    assert {edge[:2] for edge in code_edges("Calls", files)} == {
        ("Page.Show", "Claims.Id"),
        ("Clock.Who", "Claims.Id"),
    }


def test_a_type_outside_of_namespaces_is_nearer_than_one_of_the_framework(code_edges: CodeEdges) -> None:
    project = '<Project><ItemGroup><ProjectReference Include="../Core/Core.csproj" /></ItemGroup></Project>'
    files = {
        "Core/Core.csproj": "<Project />",
        "Core/Membership.cs": "public class Membership { public static void Load() {} }",
        "Web/Web.csproj": project,
        "Web/Page.cs": "using System.Web.Security; class Page { void Show() { Membership.Load(); } }",
    }

    assert code_edges("Calls", files) == {("Page.Show", "Membership.Load", RECEIVER)}


def test_a_type_is_found_that_is_called_like_its_opened_namespace(code_edges: CodeEdges) -> None:
    files = {
        "Shop/Parser.cs": """
            namespace Shop.Core.Parser;
            public class Parser { public Parser() { } public static Title Parse(string text) => null; }
            public class Title { public void Trim() { } }
        """,
        "Shop/A.cs": """
            using Shop.Core.Parser;
            namespace Shop.Core.Web;
            class A {
                void Static() { Parser.Parser.Parse("x").Trim(); }
                void New() { var parser = new Parser.Parser(); }
                void Held(Parser.Parser parser) { parser.Go(); }
                void Plain() { Parser.Parse("x"); }
            }
            static class Going { public static void Go(this Parser.Parser parser) { } }
        """,
    }

    assert code_edges("Calls", files) == {
        ("Shop.Core.Web.A.Static", "Shop.Core.Parser.Parser.Parse", "receiver type"),
        ("Shop.Core.Web.A.Static", "Shop.Core.Parser.Title.Trim", "receiver type"),
        ("Shop.Core.Web.A.New", "Shop.Core.Parser.Parser.Parser", "new"),
        ("Shop.Core.Web.A.Held", "Shop.Core.Web.Going.Go", "extension method"),
        ("Shop.Core.Web.A.Plain", "Shop.Core.Parser.Parser.Parse", "receiver type"),
    }
