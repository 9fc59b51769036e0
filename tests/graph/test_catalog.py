"""The catalog says what a written type means where it stands, and who inherits what."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts, TypeFact
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]


@pytest.fixture(scope="session")
def catalog_of(facts_of: FactsOf) -> Callable[..., Catalog]:
    def catalog(*texts: str, **named: str) -> Catalog:
        numbered = {f"Shop/F{number}.cs": text for number, text in enumerate(texts)}
        return Catalog(facts_of(numbered | named))

    return catalog


def resolved(catalog: Catalog, written: str, *, path: str = "Shop/F0.cs", owner: str = "") -> str:
    info = catalog.types[f"csharp:{owner}|TYPE"] if owner else None
    return shown(catalog.resolve(written, file=catalog.files[path], owner=info))


def shown(ref: TypeRef) -> str:
    name = ref.info.qualified_name if ref.info is not None else ref.name
    inside = ", ".join(shown(one) for one in ref.arguments)
    return f"{name}<{inside}>" if inside else name


def type_named(catalog: Catalog, name: str) -> TypeInfo:
    return catalog.types[f"csharp:{name}|TYPE"]


def test_a_type_of_the_own_namespace_needs_no_using(catalog_of: Callable[..., Catalog]) -> None:
    catalog = catalog_of("namespace Shop; class A;", "namespace Shop; class Order;")

    assert resolved(catalog, "Order") == "Shop.Order"


def test_namespaces_are_searched_outward(catalog_of: Callable[..., Catalog]) -> None:
    catalog = catalog_of(
        "namespace Shop.Web.Pages; class A;",
        "namespace Shop; class Order;",
        "namespace Shop.Web; class Order;",
    )

    assert resolved(catalog, "Order") == "Shop.Web.Order"


def test_a_using_opens_a_namespace(catalog_of: Callable[..., Catalog]) -> None:
    catalog = catalog_of("using Shop.Core; namespace Web; class A;", "namespace Shop.Core; class Order;")

    assert resolved(catalog, "Order") == "Shop.Core.Order"


def test_a_using_within_a_namespace_comes_before_those_outside_and_the_namespaces_around(
    catalog_of: Callable[..., Catalog],
) -> None:
    catalog = catalog_of(
        "namespace Shop.Web; using Core; class A;",
        "namespace Shop.Web { using Core; class B; }",
        "namespace Shop.Web { class Own; }",
        "global using Shop.Models; using Core; namespace Shop.Web; class C;",
        "namespace Shop.Models; class Order;",
        **{
            "Core/Order.cs": "namespace Core; class Order; class Own; class Line;",
            "Shop/Line.cs": "namespace Shop; class Line;",
        },
    )

    for path in ("Shop/F0.cs", "Shop/F1.cs"):
        assert resolved(catalog, "Order", path=path) == "Core.Order"
        assert resolved(catalog, "Line", path=path) == "Core.Line"
        assert resolved(catalog, "Own", path=path) == "Shop.Web.Own"
    assert resolved(catalog, "Line", path="Shop/F3.cs") == "Shop.Line"


def test_a_type_of_a_namespace_that_is_not_opened_is_not_seen(catalog_of: Callable[..., Catalog]) -> None:
    catalog = catalog_of("namespace Web; class A;", "namespace Shop.Core; class Order;")

    assert resolved(catalog, "Order") == "Order"


def test_two_opened_types_of_one_name_mean_neither(catalog_of: Callable[..., Catalog]) -> None:
    catalog = catalog_of(
        "using One; using Two; namespace Web; class A;",
        "namespace One; class Order;",
        "namespace Two; class Order;",
    )

    assert resolved(catalog, "Order") == "Order"


PLUGIN = {"Plugin/Address.cs": "class Address;"}
CORE = {"Core/Address.cs": "namespace Core.Common; class Address;"}
READER = {"Data/A.cs": "using Core.Common; namespace Data; class A;"}


def test_an_opened_type_comes_before_a_global_one_of_another_project(facts_of: FactsOf) -> None:
    catalog = Catalog(facts_of(PLUGIN | CORE | READER))

    assert resolved(catalog, "Address", path="Data/A.cs") == "Core.Common.Address"
    assert resolved(catalog, "List<Address[]>", path="Data/A.cs") == "List<[]<Core.Common.Address>>"


def test_a_base_is_an_opened_type_before_a_global_one_of_another_project(facts_of: FactsOf) -> None:
    reader = {"Data/B.cs": "using Core.Common; namespace Data; class B : Address, IMap<Address>;"}
    catalog = Catalog(facts_of(PLUGIN | CORE | reader))

    bases = [shown(ref) for ref in catalog.bases(type_named(catalog, "Data.B"))]

    assert bases == ["Core.Common.Address", "IMap<Core.Common.Address>"]


def test_a_global_type_of_the_own_project_comes_before_opened_ones(facts_of: FactsOf) -> None:
    own = {"Data/Address.cs": "class Address;"}
    catalog = Catalog(facts_of(own | CORE | READER))

    assert resolved(catalog, "Address", path="Data/A.cs") == "Address"
    assert catalog.resolve("Address", file=catalog.files["Data/A.cs"]).info is type_named(catalog, "Address")


def test_a_global_type_that_several_projects_declare_is_that_of_the_own_one(facts_of: FactsOf) -> None:
    own = {"Data/Address.cs": "class Address;"}
    catalog = Catalog(facts_of(PLUGIN | own | CORE | READER))

    found = catalog.resolve("Address", file=catalog.files["Data/A.cs"]).info

    assert found is type_named(catalog, "Address")


def test_a_global_type_of_another_project_is_found_when_nothing_else_is(facts_of: FactsOf) -> None:
    catalog = Catalog(facts_of(PLUGIN | READER))

    found = catalog.resolve("Address", file=catalog.files["Data/A.cs"]).info

    assert found is type_named(catalog, "Address")


def test_a_global_type_of_a_project_that_is_not_referred_to_is_not_seen(facts_of: FactsOf) -> None:
    plugin = PLUGIN | {"Plugin/Rates.cs": "namespace Plugin.Rates; class Rate;"}
    using = {"Data/B.cs": "using Plugin.Rates; namespace Data; class B;"}
    alone, referring = Catalog(facts_of(plugin | READER)), Catalog(facts_of(plugin | READER | using))

    assert alone.resolve("Address", file=alone.files["Data/A.cs"]).info is None
    found = referring.resolve("Address", file=referring.files["Data/A.cs"]).info
    assert found is type_named(referring, "Address")


def test_an_own_namespace_comes_before_all_global_types(facts_of: FactsOf) -> None:
    own = {"Data/Address.cs": "namespace Data; class Address;"}
    catalog = Catalog(facts_of(PLUGIN | own | CORE | READER))

    assert resolved(catalog, "Address", path="Data/A.cs") == "Data.Address"


def test_two_opened_types_do_not_make_way_for_a_global_one_of_another_project(facts_of: FactsOf) -> None:
    files = {
        "One/Address.cs": "namespace One; class Address;",
        "Two/Address.cs": "namespace Two; class Address;",
        "Data/A.cs": "using One; using Two; namespace Data; class A;",
    }
    catalog = Catalog(facts_of(PLUGIN | files))

    assert catalog.resolve("Address", file=catalog.files["Data/A.cs"]).info is None


def test_without_projects_global_types_come_before_opened_ones(facts_of: FactsOf) -> None:
    files = [file._replace(project=None) for file in facts_of(PLUGIN | CORE | READER)]
    catalog = Catalog(files)

    found = catalog.resolve("Address", file=catalog.files["Data/A.cs"]).info

    assert found is type_named(catalog, "Address")


PAGES = {"Shop/Page.cs": "namespace Shop; class Page; class Task; class Basket;"}


@pytest.mark.parametrize(
    ("text", "written", "meant"),
    [
        ("namespace Shop.Web { using System.Web.UI; class A; }", "Page", "Page"),
        ("namespace Shop.Web { using System.Web.UI; class A; }", "Basket", "Shop.Basket"),
        ("namespace Shop { using System.Web.UI; class A; }", "Page", "Shop.Page"),
        ("using System.Web.UI; namespace Shop.Web { class A; }", "Page", "Shop.Page"),
        ("using System.Threading.Tasks; using Shop; namespace Web { class A; }", "Task", "Task"),
        ("using System.Threading.Tasks; namespace Web { using Shop; class A; }", "Task", "Shop.Task"),
        ("global using System.Web.UI; namespace Web { using Shop; class A; }", "Page", "Shop.Page"),
    ],
)
def test_a_type_of_the_framework_comes_in_the_order_of_usings(
    facts_of: FactsOf, text: str, written: str, meant: str
) -> None:
    catalog = Catalog(facts_of(PAGES | {"Shop/A.cs": text}))
    owner = next(key for key in catalog.types if key.endswith("A|TYPE")).removeprefix("csharp:")

    assert resolved(catalog, written, path="Shop/A.cs", owner=owner.removesuffix("|TYPE")) == meant


def test_a_system_may_have_the_source_of_a_framework(facts_of: FactsOf) -> None:
    files = {
        "Mono/Page.cs": "namespace System.Web.UI; public class Page;",
        "Mono/A.cs": "namespace Web { using System.Web.UI; class A; }",
    }

    assert resolved(Catalog(facts_of(files)), "Page", path="Mono/A.cs") == "System.Web.UI.Page"


def test_global_usings_hold_for_the_project(facts_of: FactsOf) -> None:
    catalog = Catalog(
        facts_of(
            {
                "Web/Usings.cs": "global using Shop.Core;",
                "Web/A.cs": "namespace Web; class A;",
                "Jobs/B.cs": "namespace Jobs; class B;",
                "Core/Order.cs": "namespace Shop.Core; class Order;",
            }
        )
    )

    assert resolved(catalog, "Order", path="Web/A.cs") == "Shop.Core.Order"
    assert resolved(catalog, "Order", path="Jobs/B.cs") == "Order"


def test_aliases_stand_for_types_and_namespaces(catalog_of: Callable[..., Catalog]) -> None:
    catalog = catalog_of(
        """
        using E = Shop.Core;
        using Bill = Shop.Core.Invoice;
        using Bills = System.Collections.Generic.List<Shop.Core.Invoice>;
        class A;
        """,
        "namespace Shop.Core; class Order; class Invoice;",
    )

    assert resolved(catalog, "E.Order") == "Shop.Core.Order"
    assert resolved(catalog, "Bill") == "Shop.Core.Invoice"
    assert resolved(catalog, "Bills") == resolved(catalog, "Bills?") == "List<Shop.Core.Invoice>"


def test_nested_types_are_found_inside_their_type_and_its_bases(catalog_of: Callable[..., Catalog]) -> None:
    catalog = catalog_of("class Outer : Base { class Inner; } class Base { class Deep; } class Other;")

    assert resolved(catalog, "Inner", owner="Outer") == "Outer.Inner"
    assert resolved(catalog, "Deep", owner="Outer") == "Base.Deep"
    assert resolved(catalog, "Outer.Inner", owner="Other") == "Outer.Inner"
    assert resolved(catalog, "Inner", owner="Other") == "Inner"


def test_type_parameters_are_no_types(catalog_of: Callable[..., Catalog]) -> None:
    catalog = catalog_of("class T; class Box<T> { T value; }")

    ref = catalog.resolve("T", file=catalog.files["Shop/F0.cs"], owner=type_named(catalog, "Box"))

    assert ref == TypeRef("T")


def test_type_arguments_are_put_in_along_the_hierarchy(catalog_of: Callable[..., Catalog]) -> None:
    catalog = catalog_of(
        "class Order; class Root<U>; class Repo<T, TId> : Root<List<T>>; class OrderRepo : Repo<Order, int>;"
    )

    ancestors = [shown(ref) for ref in catalog.ancestors(type_named(catalog, "OrderRepo"))]

    assert ancestors == ["Repo<Order, int>", "Root<List<Order>>"]


def test_cyclic_inheritance_ends(catalog_of: Callable[..., Catalog]) -> None:
    catalog = catalog_of("class A : B; class B : C; class C : A;")

    ancestors = [shown(ref) for ref in catalog.ancestors(type_named(catalog, "A"))]

    assert ancestors == ["B", "C"]


def test_bases_that_name_nested_types_of_each_other_end(catalog_of: Callable[..., Catalog]) -> None:
    catalog = catalog_of("class A : B.X { public class Y; } class B : A.Y { public class X; }")

    assert [shown(ref) for ref in catalog.ancestors(type_named(catalog, "A"))] == ["B.X"]


def test_arguments_that_double_at_each_level_do_not_explode(catalog_of: Callable[..., Catalog]) -> None:
    chain = [f"class C{n}<T> : C{n + 1}<P<T, T>>;" for n in range(90)]
    catalog = catalog_of("class P<A, B>;" + "".join(chain) + "class C90<T>; class Start : C0<int>;")

    assert len(list(catalog.ancestors(type_named(catalog, "Start")))) == 91


def test_parts_of_a_class_are_one_type(catalog_of: Callable[..., Catalog]) -> None:
    catalog = catalog_of(
        "namespace N; partial class A : Base { void One() {} }",
        "namespace N; partial class A : IThing { void Two() {} }",
        "namespace N; class Base; interface IThing;",
    )

    info = type_named(catalog, "N.A")

    assert sorted(info.members) == ["One", "Two"]
    assert [shown(ref) for ref in catalog.bases(info)] == ["N.Base", "N.IThing"]


def test_derived_types_are_the_direct_ones(catalog_of: Callable[..., Catalog]) -> None:
    catalog = catalog_of("interface I; class A : I; class B : A; class C : I;")

    assert [info.name for info in catalog.derived(type_named(catalog, "I"))] == ["A", "C"]


def test_members_come_from_the_type_then_from_its_bases(catalog_of: Callable[..., Catalog]) -> None:
    catalog = catalog_of("class A { void M(int x) {} } class B : A { void M() {} }")

    assert [member.owner for member in catalog.members(type_named(catalog, "B"), "M")] == [
        "csharp:B|TYPE",
        "csharp:A|TYPE",
    ]


def test_owner_of_a_member_or_type_is_its_type(catalog_of: Callable[..., Catalog]) -> None:
    catalog = catalog_of("namespace N; class A { void M() {} }")

    info = type_named(catalog, "N.A")

    assert catalog.owner_of("csharp:N.A.M|METHOD") is info
    assert catalog.owner_of("csharp:N.A|TYPE") is info
    assert catalog.owner_of("file:Shop/F0.cs|FILE") is None


def test_the_declaration_in_a_source_file_comes_first(facts_of: FactsOf) -> None:
    catalog = Catalog(
        facts_of(
            {
                "A/Order.g.cs": "partial class Order { }",
                "Z/Order.cs": "partial class Order { }",
            }
        )
    )

    assert [file.path for file in type_named(catalog, "Order").files] == ["Z/Order.cs", "A/Order.g.cs"]


def test_a_deep_hierarchy_is_cut() -> None:
    types = [
        TypeFact(f"csharp:C{n}|TYPE", f"C{n}", f"C{n}", "", "class", n, n, bases=(f"C{n + 1}",))
        for n in range(5_000)
    ]
    catalog = Catalog([FileFacts("a.cs", "csharp", "source", None, 5_000, types=tuple(types))])

    assert len(list(catalog.ancestors(catalog.types["csharp:C0|TYPE"]))) == 100


def test_python_sees_what_it_imports_and_its_own_module(facts_of: FactsOf) -> None:
    catalog = Catalog(
        facts_of(
            {
                "shop/orders.py": "from .prices import Price\nfrom shop import audit\nclass Order: pass\n",
                "shop/prices.py": "class Price: pass\nclass Discount: pass\n",
                "shop/audit.py": "class Entry: pass\n",
            }
        )
    )
    names = ("Order", "Price", "audit.Entry", "Discount")

    found = [shown(catalog.resolve(name, file=catalog.files["shop/orders.py"])) for name in names]

    assert found == ["shop.orders.Order", "shop.prices.Price", "shop.audit.Entry", "Discount"]


def test_modules_pass_on_what_they_import(facts_of: FactsOf) -> None:
    catalog = Catalog(
        facts_of(
            {
                "web/src/models/order.ts": "export class Order {}",
                "web/src/models/index.ts": "export * from './order';",
                "web/src/page.ts": "import { Order } from './models';",
            }
        )
    )

    assert (
        shown(catalog.resolve("Order", file=catalog.files["web/src/page.ts"])) == "web.src.models.order.Order"
    )
