"""What answers requests without a controller has the role of an action."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.graph import code_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
ActionsOf = Callable[[str], set[str]]


@pytest.fixture(scope="session")
def actions_of(facts_of: FactsOf) -> Callable[..., set[str]]:
    """The keys of all actions of a file."""

    def found(text: str, *, path: str = "Web/A.cs") -> set[str]:
        graph = code_graph(Catalog(facts_of({path: text})))
        return {node.node_key for node in graph.nodes if node.role == "ACTION"}

    return found


def api(statement: str) -> str:
    """A class that maps routes, with the methods of its own and of another one that may handle them."""
    return f"""
        namespace Web;
        public static class OrderApi
        {{
            public static IEndpointRouteBuilder MapOrders(this IEndpointRouteBuilder app)
            {{
                var group = app.MapGroup("/orders").RequireAuthorization();
                {statement}
                return app;
            }}
            public static async Task<Ok> Show(int id) => null;
            static IResult Place() => null;
            static Delegate Kept {{ get; }} = Show;
        }}
        public static class Other {{ public static IResult Show() => null; }}
        public class Job {{ public IResult Run() => null; }}
        public class Atlas {{ public void MapGet(string place, Func<int> count) {{ }} }}
        public static class Extensions
        {{
            public static void MapGet(this IEndpointRouteBuilder app, Delegate handler, string pattern = "") {{ }}
        }}
    """


@pytest.mark.parametrize(
    ("statement", "actions"),
    [
        ('group.MapGet("/{id}", Show);', {"OrderApi.Show"}),
        ('group.MapPost("/", Place).WithName("Place");', {"OrderApi.Place"}),
        ('app.MapPut("/", Other.Show);', {"Other.Show"}),
        ('app.MapDelete("/", new Job().Run);', {"Job.Run"}),
        ('app.MapGroup("/x").MapPatch("/", handler: Place);', {"OrderApi.Place"}),
        ('app.MapMethods("/", ["OPTIONS"], Place);', {"OrderApi.Place"}),
        ("app.MapFallback(Place);", {"OrderApi.Place"}),
        ("app.MapGet(Place);", {"OrderApi.Place"}),
        ('app.MapGet("/", async (Job job) => { return job.Run(); });', {"OrderApi.MapOrders"}),
        ('app.MapGet("/", delegate (Job job) { return job.Run(); });', {"OrderApi.MapOrders"}),
        ('app.MapGet("/", "Show");', set()),
        ('app.MapGet("/", Kept);', set()),
        ("app.MapWhen(Place, branch => branch.Use(Other.Show));", set()),
        ('new Atlas().MapGet("/", () => 1);', set()),
        ('MapGet("/", Place);', set()),
    ],
)
def test_handlers_of_minimal_apis(actions_of: ActionsOf, statement: str, actions: set[str]) -> None:
    assert actions_of(api(statement)) == {f"csharp:Web.{name}|METHOD" for name in actions}


def test_top_level_statements_that_map_lambdas_make_their_file_an_endpoint(actions_of: ActionsOf) -> None:
    text = """
        var app = builder.Build();
        app.MapGet("/a", (ShopContext db) => db.Orders.ToList());
        app.MapGet("/b", Show);
        app.Run();
        IResult Show(ShopContext db) => null;
    """

    assert actions_of(text) == {"file:Web/A.cs|FILE", "csharp:Show|METHOD"}


def test_hubs_and_grpc_services_are_called_from_outside(actions_of: ActionsOf) -> None:
    text = """
        app.MapHub<OrderHub>("/orders");
        app.MapGrpcService<Baskets>();
        public class OrderHub : Hub { public Task Send(string text) => null; void Help() { } }
        public class Baskets : Basket.BasketBase { public override Task Get(int id) => null; }
        public class Queue : Basket.BasketBase { public override Task Get(int id) => null; }
    """

    assert actions_of(text) == {"csharp:OrderHub.Send|METHOD", "csharp:Baskets.Get|METHOD"}


def test_what_a_hub_does_on_its_own_is_not_called_from_outside(actions_of: ActionsOf) -> None:
    text = """
        app.MapHub<OrderHub>("/orders");
        public class OrderHub : Desk
        {
            public override Task OnConnectedAsync() => null;
            public override Task OnDisconnectedAsync(Exception error) => null;
            public override Task Send(string text) => null;
            public Task Dispose(int order) => null;
            public void Dispose() { }
        }
        public abstract class Desk : Hub { public abstract Task Send(string text); }
    """

    assert actions_of(text) == {"csharp:OrderHub.Send|METHOD", "csharp:OrderHub.Dispose|METHOD"}


def test_functions_of_a_host_are_endpoints(actions_of: ActionsOf) -> None:
    text = """
        using {0};
        public class Reports
        {{
            [Function("Report")] public Task Run([HttpTrigger] HttpRequestData request) => null;
            [FunctionName(nameof(Hook))] public Task Hook([HttpTrigger] HttpRequest request) => null;
            [Function("Nightly")] public Task Nightly([TimerTrigger("0 0 1 * * *")] TimerInfo timer) => null;
            public Task Help() => null;
        }}
    """

    assert actions_of(text.format("Microsoft.Azure.Functions.Worker")) == {
        "csharp:Reports.Run|METHOD",
        "csharp:Reports.Hook|METHOD",
    }
    assert actions_of(text.format("System.Data.Linq.Mapping")) == set()


def test_what_fast_endpoints_calls_is_an_endpoint(actions_of: ActionsOf) -> None:
    text = """
        using {0};
        public class Create : Endpoint<Order, Receipt>
        {{
            public override void Configure() {{ Post("/orders"); }}
            public override async Task HandleAsync(Order order, CancellationToken token) {{ }}
        }}
        public class Job : BackgroundService {{ public override Task ExecuteAsync(CancellationToken token) => null; }}
    """

    assert actions_of(text.format("FastEndpoints")) == {"csharp:Create.HandleAsync|METHOD"}
    assert actions_of(text.format("Microsoft.Extensions.Hosting")) == set()
    qualified = text.format("System").replace(": Endpoint", ": FastEndpoints.Endpoint")
    assert actions_of(qualified) == {"csharp:Create.HandleAsync|METHOD"}


def test_tests_map_no_endpoints(actions_of: Callable[..., set[str]]) -> None:
    assert actions_of(api('app.MapGet("/", Place);'), path="Web.Tests/ApiTests.cs") == set()
