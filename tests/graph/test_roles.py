"""Roles follow from what types are, and from names where nothing else tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.roles import entity_keys, functions_of_tests, roles_of_members, roles_of_types
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
RolesOf = Callable[..., dict[str, str]]


@pytest.fixture(scope="session")
def roles(facts_of: FactsOf) -> RolesOf:
    def found(text: str, *, path: str = "Shop/A.cs") -> dict[str, str]:
        catalog = Catalog(facts_of({path: text}))
        types = catalog.types.values()
        of_types = roles_of_types(catalog, types, entities=entity_keys(catalog))
        of_functions = dict.fromkeys(functions_of_tests(catalog), "TEST")
        roles = {**of_types, **roles_of_members(catalog, types, of_types), **of_functions}
        return {key.partition(":")[2].rpartition("|")[0]: role for key, role in roles.items()}

    return found


def test_contexts_derive_from_dbcontext_at_any_distance(roles: RolesOf) -> None:
    found = roles(
        "class Ctx : Base; class Base : IdentityDbContext<User>; class Other : IDbContext; class User;"
    )

    assert found == {"Ctx": "DBCONTEXT", "Base": "DBCONTEXT"}


@pytest.mark.parametrize(
    "text",
    [
        "class Order; class Ctx { public DbSet<Order> Orders { get; } }",
        "class Order; class Ctx { public IDbSet<Order>? Orders { get; } }",
        '[Table("Order")] class Order;',
        "class Order; class C : IEntityTypeConfiguration<Order>;",
        "class Order; class C : EntityTypeConfiguration<Order>;",
    ],
)
def test_entities_are_mapped(roles: RolesOf, text: str) -> None:
    assert roles(text) == {"Order": "ENTITY"}


def test_entities_of_a_model_builder(roles: RolesOf) -> None:
    found = roles(
        """
        class Order;
        class Ctx : DbContext { void OnModelCreating(ModelBuilder b) { b.Entity<Order>().ToTable("o"); } }
        """
    )

    assert found == {"Order": "ENTITY", "Ctx": "DBCONTEXT"}


def test_tables_of_linq2db_are_entities(roles: RolesOf) -> None:
    found = roles("class Order; class Db : DataConnection { public ITable<Order> Orders => null; }")

    assert found == {"Order": "ENTITY", "Db": "DBCONTEXT"}


def test_controllers_and_their_actions(roles: RolesOf) -> None:
    found = roles(
        """
        class OrderController : Base {
            public OrderController() {}
            public IActionResult Show() => null;
            [NonAction] public void Help() {}
            public static void Static() {}
            void Private() {}
            public int Count { get; }
        }
        class Base : ControllerBase;
        """
    )

    assert found == {"OrderController": "CONTROLLER", "OrderController.Show": "ACTION", "Base": "CONTROLLER"}


def test_what_the_framework_calls_by_itself_is_no_action(roles: RolesOf) -> None:
    found = roles(
        """
        class OrderController : Controller {
            public override Task OnActionExecutionAsync(ActionExecutingContext c, ActionExecutionDelegate d) => null;
            public override string ToString() => "";
            public IActionResult OnActionExecuting(int id) => null;
            public ValueTask DisposeAsync() => default;
        }
        """
    )

    assert found == {"OrderController": "CONTROLLER", "OrderController.OnActionExecuting": "ACTION"}


def test_controllers_by_mark_and_by_name_in_the_web(roles: RolesOf) -> None:
    assert roles("[ApiController] class Orders { }") == {"Orders": "CONTROLLER"}
    assert roles("using Microsoft.AspNetCore.Mvc; class OrdersController { }") == {
        "OrdersController": "CONTROLLER"
    }
    assert roles("using System.Web.Http; class OrdersController { }") == {"OrdersController": "CONTROLLER"}
    assert roles("class MotorController { }") == {}
    assert (
        roles("using System.Web; using System.Web.UI; class PortalController { public void Add() { } }") == {}
    )


def test_a_class_whose_methods_have_verbs_is_a_controller_whatever_its_base(roles: RolesOf) -> None:
    found = roles(
        """
        class Create : EndpointBaseAsync.WithRequest<Order>.WithActionResult {
            [HttpPost("/orders")] public override Task<ActionResult> HandleAsync(Order order) => null;
        }
        interface IOrderApi { [HttpGet] Task<Order> Read(int id); }
        class Order;
        """
    )

    assert found == {"Create": "CONTROLLER", "Create.HandleAsync": "ACTION"}


def test_page_models_have_handlers(roles: RolesOf) -> None:
    found = roles("class DetailsModel : PageModel { public void OnGet() {} public void Other() {} }")

    assert found == {"DetailsModel": "CONTROLLER", "DetailsModel.OnGet": "ACTION"}


@pytest.mark.parametrize(
    "text",
    ["class Add : Migration;", "class Add : DbMigration;", "[Migration(5)] class Add : Whatever;"],
)
def test_migrations(roles: RolesOf, text: str) -> None:
    assert roles(text) == {"Add": "MIGRATION"}


def test_a_base_of_the_systems_own_makes_no_migration(roles: RolesOf) -> None:
    assert roles("class Migration; class Add : Migration;") == {}
    assert roles("class Migration : DbMigration; class Add : Migration;") == {
        "Migration": "MIGRATION",
        "Add": "MIGRATION",
    }


def test_tests_are_types_and_methods_in_test_files(roles: RolesOf) -> None:
    text = "class OrderTests { [Fact] public void Adds() {} void Help() {} } class Builder;"

    assert roles(text, path="Shop.Tests/OrderTests.cs") == {"OrderTests": "TEST", "OrderTests.Adds": "TEST"}
    assert roles(text, path="Shop/Order.cs") == {}


def test_python_tests(roles: RolesOf) -> None:
    text = """
        def test_add(): pass
        def help(): pass
        class TestOrder:
            def test_x(self): pass
            def y(self): pass
    """

    assert roles(text, path="tests/test_order.py") == {
        "tests.test_order.test_add": "TEST",
        "tests.test_order.TestOrder": "TEST",
        "tests.test_order.TestOrder.test_x": "TEST",
    }


def test_repositories_and_services_with_their_interfaces(roles: RolesOf) -> None:
    found = roles(
        """
        interface IOrderRepository; class Orders : IOrderRepository; class LineRepository;
        interface IOrderService; class Desk : IOrderService; class StockManager; class PlaceHandler;
        class Job : BackgroundService; enum OrderService2; class Order;
        """
    )

    assert found == {
        "IOrderRepository": "REPOSITORY",
        "Orders": "REPOSITORY",
        "LineRepository": "REPOSITORY",
        "IOrderService": "SERVICE",
        "Desk": "SERVICE",
        "StockManager": "SERVICE",
        "PlaceHandler": "SERVICE",
        "Job": "SERVICE",
    }


def test_the_first_role_counts(roles: RolesOf) -> None:
    assert roles("[ApiController] class OrderService : ControllerBase { }") == {"OrderService": "CONTROLLER"}
