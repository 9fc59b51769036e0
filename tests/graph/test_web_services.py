"""Generated clients of web services lead to the methods that answer, though only the wire connects them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.edges import EdgeCollector
from ragduck.graph.code.graph import code_graph
from ragduck.graph.code.implementations import Implementations
from ragduck.graph.code.web_services import add_web_service_calls
from ragduck.graph.types.catalog import Catalog
from tests.graph.conftest import bare, calls_made

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]
Found = Callable[..., set[tuple[str, str]]]

SERVICE = """
    namespace Server
    {
        public class Base : WebService { [WebMethod] public string Ping() { return ""; } }
        [WebService(Namespace = "http://shop.example/")]
        public class Orders : Base
        {
            [WebMethod] public Order Get(int id) { return _store.Get(id); }
            public void Hidden() { }
        }
    }
    """
PROXY = """
    namespace Web.Remote
    {
        [System.Web.Services.WebServiceBindingAttribute(Name="OrdersSoap", Namespace="http://shop.example/")]
        public partial class Orders : System.Web.Services.Protocols.SoapHttpClientProtocol
        {
            [System.Web.Services.Protocols.SoapDocumentMethodAttribute("http://shop.example/Get")]
            public Order Get(int id) { return (Order) this.Invoke("Get", new object[] { id })[0]; }
            public void GetAsync(int id) { this.InvokeAsync("Get", new object[] { id }); }
            [System.Web.Services.Protocols.SoapDocumentMethodAttribute("http://shop.example/Ping")]
            public string Ping() { return (string) this.Invoke("Ping", new object[0])[0]; }
            [System.Web.Services.Protocols.SoapDocumentMethodAttribute("http://shop.example/Hidden")]
            public void Hidden() { this.Invoke("Hidden", new object[0]); }
        }
    }
    """
CONTRACT = """
    namespace Server
    {
        [ServiceContract] public interface IStock { [OperationContract] int Count(int id); }
        public class Stock : IStock { public int Count(int id) { return 1; } }
    }
    """
REFERENCE = """
    namespace Web.StockReference
    {
        [System.ServiceModel.ServiceContractAttribute(ConfigurationName="StockReference.IStock")]
        public interface IStock
        {
            [System.ServiceModel.OperationContractAttribute(Action="http://tempuri.org/IStock/Count")]
            int Count(int id);
        }
        public partial class StockClient : System.ServiceModel.ClientBase<Web.StockReference.IStock>, IStock
        {
            public int Count(int id) { return base.Channel.Count(id); }
        }
    }
    """


@pytest.fixture
def answered(code_edges: CodeEdges) -> Found:
    """What calls what over the wire."""

    def found(**files: str) -> set[tuple[str, str]]:
        texts = {f"{name}/A.cs": text for name, text in files.items()}
        return {(one, other) for one, other, rule in code_edges("Calls", texts) if rule == "web service"}

    return found


def test_a_proxy_leads_to_the_web_methods_of_its_service(answered: Found) -> None:
    assert answered(Server=SERVICE, Web=PROXY) == {
        ("Web.Remote.Orders.Get", "Server.Orders.Get"),
        ("Web.Remote.Orders.GetAsync", "Server.Orders.Get"),
        ("Web.Remote.Orders.Ping", "Server.Base.Ping"),
    }


def test_a_stub_of_tests_is_not_the_service(answered: Found) -> None:
    stub = {"Shop.Tests": SERVICE.replace("namespace Server", "namespace Stubs")}

    assert ("Web.Remote.Orders.Get", "Server.Orders.Get") in answered(Server=SERVICE, Web=PROXY, **stub)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"http://shop.example/")]\n        public class', '"http://other.example/")]\n        public class'),
        ("public class Orders", "public class Orders2"),
        ("[WebService(Namespace", "[Service(Namespace"),
    ],
)
def test_another_service_does_not_answer(answered: Found, old: str, new: str) -> None:
    assert old in SERVICE
    assert answered(Server=SERVICE.replace(old, new), Web=PROXY) == set()


def test_a_name_or_a_namespace_may_be_given_or_left_out(answered: Found) -> None:
    named = SERVICE.replace('example/")]', 'example/", Name = "Orders")]').replace(
        "class Orders", "class All"
    )
    constant = SERVICE.replace('"http://shop.example/"', "Names.Shop")

    assert ("Web.Remote.Orders.Get", "Server.All.Get") in answered(Server=named, Web=PROXY)
    assert ("Web.Remote.Orders.Get", "Server.Orders.Get") in answered(Server=constant, Web=PROXY)


def test_two_services_of_one_name_answer_nothing(answered: Found) -> None:
    other = SERVICE.replace("namespace Server", "namespace Other")

    assert answered(Server=SERVICE, Other=other, Web=PROXY) == set()


def test_of_two_services_of_one_name_the_nearest_answers(answered: Found) -> None:
    other = SERVICE.replace("namespace Server", "namespace Other")

    found = answered(**{"a/Server": SERVICE, "b/Server": other, "a/Web": PROXY})

    assert ("Web.Remote.Orders.Get", "Server.Orders.Get") in found
    assert not any("Other" in service for _, service in found)


@pytest.mark.parametrize(
    ("name", "namespace", "solution", "confidence"),
    [
        ("IService1", "", "Shop.sln", 0.95),
        ("IService1", "", "a/Shop.sln", 0.5),
        ("IService1", "", "", 0.5),
        ("IService1", "http://shop.example", "", 0.95),
        ("IStock", "", "", 0.95),
    ],
)
def test_what_a_template_calls_a_service_tells_little_beyond_a_solution(
    facts_of: FactsOf, name: str, namespace: str, solution: str, confidence: float
) -> None:
    contract, reference = (text.replace("IStock", name) for text in (CONTRACT, REFERENCE))
    if namespace:
        contract = contract.replace("[ServiceContract]", f'[ServiceContract(Namespace = "{namespace}")]')
        reference = reference.replace("http://tempuri.org", namespace)
    files = {"a/Server/A.cs": contract, "b/Web/A.cs": reference}

    graph = code_graph(Catalog(facts_of(files | ({solution: ""} if solution else {}))))

    found = {
        edge.confidence
        for edge in graph.edges
        if edge.rule == "web service" and bare(edge.to_key) == f"Server.{name}.Count"
    }
    assert found == {confidence}


@pytest.mark.parametrize(("server", "client"), [(SERVICE, PROXY), (CONTRACT, REFERENCE)])
def test_many_services_of_one_name_take_a_time_that_grows_with_their_number(
    facts_of: FactsOf, server: str, client: str
) -> None:
    def steps(count: int) -> int:
        files = {}
        for number in range(count):
            files[f"S{number}/A.cs"] = server.replace("Server", f"Server{number}")
            files[f"W{number}/A.cs"] = client.replace("namespace Web", f"namespace Web{number}")
        catalog = Catalog(facts_of(files))
        behind = Implementations(catalog)
        return calls_made(lambda: add_web_service_calls(catalog, EdgeCollector({}), implementations=behind))

    assert steps(80) < 3 * steps(40)


def test_a_service_reference_leads_to_the_contract_and_what_implements_it(answered: Found) -> None:
    assert answered(Server=CONTRACT, Web=REFERENCE) == {
        ("Web.StockReference.IStock.Count", "Server.IStock.Count"),
        ("Web.StockReference.IStock.Count", "Server.Stock.Count"),
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[ServiceContract]", '[ServiceContract(Namespace = "http://shop.example")]'),
        ("[ServiceContract]", '[ServiceContract(Name = "Other")]'),
        ("[ServiceContract]", ""),
    ],
)
def test_another_contract_does_not_answer(answered: Found, old: str, new: str) -> None:
    assert answered(Server=CONTRACT.replace(old, new), Web=REFERENCE) == set()


def test_who_calls_a_client_reaches_the_service(code_edges: CodeEdges) -> None:
    page = "class Page { void Load(Web.StockReference.StockClient client) { client.Count(1); } }"
    found = code_edges("Calls", {"Server/A.cs": CONTRACT, "Web/A.cs": REFERENCE, "Web/Page.cs": page})

    pairs = {(one, other) for one, other, _ in found}
    assert ("Page.Load", "Web.StockReference.StockClient.Count") in pairs
    assert ("Web.StockReference.StockClient.Count", "Web.StockReference.IStock.Count") in pairs
