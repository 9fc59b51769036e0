"""Handlers and modules of ASP.NET: a `Web.config` registers them, and requests lead to what it registers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import process_time

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

CONFIG = """
    <configuration>
      <system.web>
        <httpHandlers>
          <remove verb="*" path="*.asmx" />
          <add verb="*" path="image.axd" type="Web.ImageHandler, Web" validate="false" />
        </httpHandlers>
        <httpModules><add name="Ban" type="Web.BanModule"/><add name="Image" type="Web.ImageHandler"/></httpModules>
      </system.web>
      <system.webServer>
        <handlers>
          <add name="Feed" path="*feed.axd" verb="GET"
               type="Web.Outer+FeedHandler, Web, Version=1.0" />
          <add name="Script" path="*.js.axd" type="Web.ScriptHandler, Web" />
          <!-- <add name="Old" path="old.axd" type="Web.OldHandler, Web" /> -->
          <add name="Other" path="other.axd" type="System.Web.OtherHandler" />
        </handlers>
        <modules runAllManagedModulesForAllRequests="true" />
        <other><add name="Old" type="Web.OldHandler, Web" /></other>
      </system.webServer>
    </configuration>
    """
CODE = """
    namespace Web
    {
        public abstract class Base : IHttpHandler { public void ProcessRequest(HttpContext c) { } }
        public class ImageHandler : Base { public void Helper() { } }
        public class BanModule : IHttpModule { void IHttpModule.Init(HttpApplication a) { } public void Other() { } }
        public class Outer
        {
            public class FeedHandler : HttpTaskAsyncHandler
            {
                public override Task ProcessRequestAsync(HttpContext c) { return null; }
            }
        }
        public class ScriptHandler : IHttpHandler { public void ProcessRequest(HttpContext c) { } }
        public class OldHandler { public void ProcessRequest(HttpContext c) { } }
    }
    """
FILES = {"Site/Web.config": CONFIG, "Site/Code/Handlers.cs": CODE}


def name_of(key: str) -> str:
    return key.removeprefix("csharp:Web.").rpartition("|")[0]


def test_a_configuration_handles_what_it_registers(facts_of: FactsOf) -> None:
    edges = build_graph(facts_of(FILES)).graph.edges

    found = {
        (name_of(edge.to_key), edge.rule, edge.line, edge.confidence)
        for edge in edges
        if edge.relation == "Handles" and edge.from_key == "file:Site/Web.config|FILE"
    }
    assert found == {
        ("ImageHandler", "http handler", 5, 1.0),
        ("Base.ProcessRequest", "http handler", 5, 1.0),
        ("BanModule", "http module", 7, 1.0),
        ("ImageHandler", "http module", 7, 1.0),
        ("BanModule.IHttpModule.Init", "http module", 7, 1.0),
        ("Outer.FeedHandler", "http handler", 11, 1.0),
        ("Outer.FeedHandler.ProcessRequestAsync", "http handler", 11, 1.0),
        ("ScriptHandler", "http handler", 13, 1.0),
        ("ScriptHandler.ProcessRequest", "http handler", 13, 1.0),
    }


def test_what_handles_requests_is_an_endpoint(facts_of: FactsOf) -> None:
    nodes = build_graph(facts_of(FILES)).graph.nodes

    roles = {name_of(node.node_key): node.role for node in nodes if node.role in ("ACTION", "CONTROLLER")}
    assert roles == {
        "Base": "CONTROLLER",
        "Base.ProcessRequest": "ACTION",
        "ImageHandler": "CONTROLLER",
        "Outer.FeedHandler": "CONTROLLER",
        "Outer.FeedHandler.ProcessRequestAsync": "ACTION",
        "ScriptHandler": "CONTROLLER",
        "ScriptHandler.ProcessRequest": "ACTION",
    }


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/image.axd?id=1", {("Base.ProcessRequest", 0.8)}),
        ("image.axd", {("Base.ProcessRequest", 0.8)}),
        ("/Blog/Feed.axd", {("Outer.FeedHandler.ProcessRequestAsync", 0.8)}),
        ("/Blog/image.axd", set()),
        ("/old.axd", set()),
        ("/Blog/", set()),
        ("/", set()),
        ("/other.axd", set()),
        ("/a.js.axd", set()),
    ],
)
def test_requests_lead_to_registered_handlers(
    facts_of: FactsOf, address: str, expected: set[tuple[str, float]]
) -> None:
    script = f"function run() {{ $.get('{address}'); }}"

    edges = build_graph(facts_of({**FILES, "Site/Scripts/run.js": script})).graph.edges

    assert {(name_of(e.to_key), e.confidence) for e in edges if e.rule == "http request"} == expected


@pytest.mark.parametrize(
    "inside", ["<!-- x\n", '<add name="a" path="a.axd" type="Web.ImageHandler, Web" />\n', "<add type=\n"]
)
def test_large_configurations_are_read_in_a_moment(facts_of: FactsOf, inside: str) -> None:
    start = process_time()
    facts_of({"Web/Web.config": f"<httpHandlers>\n{inside * 20_000}</httpHandlers>"})

    assert process_time() - start < 5
