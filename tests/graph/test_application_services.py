"""Services of ABP and ASP.NET Boilerplate answer requests where controllers are made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

SERVICES = """
    using Abp.Application.Services;
    namespace Shop;
    public interface IOrderAppService : IApplicationService { Task PlaceAsync(int id); }
    public abstract class ShopAppServiceBase : ApplicationService { }
    public class OrderAppService : ShopAppServiceBase, IOrderAppService
    {
        public async Task PlaceAsync(int id) { }
        public int GetAll() => 1;
        [RemoteService(false)] public void Hide() { }
        private void Own() { }
    }
    [RemoteService(IsEnabled = false)]
    public class HiddenAppService : ApplicationService { public void Run() { } }
    """
MODULE = """
    namespace Shop.Web;
    public class WebModule : AbpModule
    {
        public override void PreInitialize() {
            Configuration.Modules.AbpAspNetCore().CreateControllersForAppServices(typeof(Core).GetAssembly());
        }
    }
    """


def files(statement: str, *, module: str = MODULE) -> dict[str, str]:
    return {
        "Shop/Orders.cs": SERVICES,
        "Web/WebModule.cs": module,
        "web/src/run.ts": f"export function run(id: number) {{ return {statement}; }}",
    }


@pytest.mark.parametrize(
    ("statement", "method"),
    [
        ("http.post('api/services/app/Order/Place', { id })", "PlaceAsync"),
        ("http.get('/api/services/app/order/getAll')", "GetAll"),
        ("http.get('/api/services/shop/order/GetAll')", "GetAll"),
        ("Ajax.get('/api/services/app/Order/GetAll')", "GetAll"),
    ],
)
def test_requests_lead_to_the_methods_of_services(code_edges: CodeEdges, statement: str, method: str) -> None:
    found = code_edges("Calls", files(statement))

    assert ("web.src.run.run", f"Shop.OrderAppService.{method}", "http request") in found


@pytest.mark.parametrize(
    "statement",
    [
        "http.post('/api/services/app/Order/Hide')",
        "http.post('/api/services/app/Order/Own')",
        "http.post('/api/services/app/Hidden/Run')",
        "http.post('/api/services/app/OrderAppService/Place')",
    ],
)
def test_what_is_hidden_answers_nothing(code_edges: CodeEdges, statement: str) -> None:
    assert not [edge for edge in code_edges("Calls", files(statement)) if edge[2] == "http request"]


def test_services_that_nothing_makes_controllers_of_answer_nothing(code_edges: CodeEdges) -> None:
    statement = "http.post('/api/services/app/Order/Place')"

    found = code_edges("Calls", files(statement, module="class WebModule { }"))

    assert not [edge for edge in found if edge[2] == "http request"]


ABP_SERVICES = """
    using Volo.Abp.Application.Services;
    namespace Shop;
    public class SalesOrderAppService : ApplicationService
    {
        public Task<Order> GetAsync(int id) => null;
        public Task<Order> GetListAsync(Filter filter) => null;
        public Task CreateAsync(Order order) => null;
        public Task UpdateAsync(int id, Order order) => null;
        public Task DeleteAsync(int id) => null;
        public Task PlaceAsync(int id) => null;
        public Task AddLineAsync(int id, Line line) => null;
        public Task RemoveLineAsync(int id, int lineId) => null;
        public Task GetCustomerLookupAsync() => null;
    }
    """
ABP_MODULE = """
    namespace Shop.Web;
    public class WebModule : AbpModule
    {
        void Configure() {
            Configure<AbpAspNetCoreMvcOptions>(options => {
                options.ConventionalControllers.Create(typeof(ShopModule).Assembly);
            });
        }
    }
    """


@pytest.mark.parametrize(
    ("verb", "path", "method"),
    [
        ("GET", "", "GetListAsync"),
        ("GET", "/7", "GetAsync"),
        ("POST", "", "CreateAsync"),
        ("PUT", "/${id}", "UpdateAsync"),
        ("DELETE", "/${id}", "DeleteAsync"),
        ("POST", "/${id}/place", "PlaceAsync"),
        ("POST", "/${id}/line", "AddLineAsync"),
        ("DELETE", "/${id}/line/${lineId}", "RemoveLineAsync"),
        ("GET", "/customer-lookup", "GetCustomerLookupAsync"),
    ],
)
def test_services_of_abp_answer_by_verb_and_name(
    code_edges: CodeEdges, verb: str, path: str, method: str
) -> None:
    statement = f"this.rest.request({{ method: '{verb}', url: `/api/app/sales-order{path}` }}, {{ apiName }})"
    texts = files(statement, module=ABP_MODULE) | {"Shop/Orders.cs": ABP_SERVICES}

    found = {edge for edge in code_edges("Calls", texts) if edge[2] == "http request"}

    assert found == {("web.src.run.run", f"Shop.SalesOrderAppService.{method}", "http request")}


@pytest.mark.parametrize(
    ("statements", "method"),
    [
        ("shop.salesOrder.place(7)", "PlaceAsync"),
        (
            "var service = shop.salesOrder; $('b').click(function () { service.delete(7).then(show); })",
            "DeleteAsync",
        ),
        ("table({ data: 1 }, abp.createAjax(shop.salesOrder.getList))", "GetListAsync"),
    ],
)
def test_proxies_in_scripts_lead_to_services_of_abp(
    code_edges: CodeEdges, statements: str, method: str
) -> None:
    texts = {
        "Shop/Orders.cs": ABP_SERVICES,
        "Web/WebModule.cs": ABP_MODULE,
        "Web/Pages/index.js": f"(function ($) {{ {statements}; }})(jQuery);",
    }

    found = {edge[1:] for edge in code_edges("Calls", texts) if edge[2] == "service proxy"}

    assert found == {(f"Shop.SalesOrderAppService.{method}", "service proxy")}


def test_proxies_of_boilerplate_stand_below_its_own_name(code_edges: CodeEdges) -> None:
    texts = {
        "Shop/Orders.cs": SERVICES,
        "Web/WebModule.cs": MODULE,
        "Web/Views/index.js": "var all = abp.services.app.order; all.place(7); all.hide(); shop.order.place()",
    }

    found = {edge[1:] for edge in code_edges("Calls", texts) if edge[2] == "service proxy"}

    assert found == {("Shop.OrderAppService.PlaceAsync", "service proxy")}


OTHERS = """
    using Volo.Abp.Application.Services;
    namespace Shop;
    public interface IOrderAppService : IApplicationService { Task GetAsync(int id); }
    public class PriceService : ApplicationService, IOrderAppService
    {
        public Task GetAsync(int id) => null;
        [HttpPost] public Task GetPagedAsync(Filter filter) => null;
        [HttpGet("api/special/prices")] public Task SpecialAsync() => null;
    }
    public class OrderController : AbpController, IOrderAppService { public Task GetAsync(int id) => null; }
    public class OrderClientProxy : ClientProxyBase<IOrderAppService>, IOrderAppService
    {
        public Task GetAsync(int id) => null;
    }
    """


@pytest.mark.parametrize(
    ("verb", "path", "methods"),
    [
        ("GET", "price/7", {"Shop.PriceService.GetAsync"}),
        ("POST", "price/paged", set()),
        ("POST", "price/get-paged", {"Shop.PriceService.GetPagedAsync"}),
        ("POST", "price/special", set()),
        ("GET", "order-controller/7", set()),
        ("GET", "order-client-proxy/7", set()),
    ],
)
def test_marks_count_before_names_and_controllers_are_no_services(
    code_edges: CodeEdges, verb: str, path: str, methods: set[str]
) -> None:
    statement = f"this.rest.request({{ method: '{verb}', url: '/api/app/{path}' }})"
    texts = files(statement, module=ABP_MODULE) | {"Shop/Orders.cs": OTHERS}

    assert {edge[1] for edge in code_edges("Calls", texts) if edge[2] == "http request"} == methods
