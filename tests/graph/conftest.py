"""What tests of the graph share: from the text of files to their facts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from textwrap import dedent

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.graph import code_graph
from ragduck.graph.types.catalog import Catalog
from ragduck.model import Document
from ragduck.parse import ChunkSettings, parse_document
from ragduck.sources import classify

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Calls = Callable[..., dict[str, tuple[str, float]]]
Answering = Callable[..., set[tuple[str, float]]]
CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

ORDERS = """
using Microsoft.AspNetCore.Mvc;
[ApiController, Route("api/[controller]")]
public class OrdersController : ControllerBase {
    [HttpGet] public void All() { }
    [HttpGet("{id:int}")] public void One(int id) { }
    [HttpPost] public void Create(Order order) { }
    [HttpPut("{id}/state/{state?}")] public void State(int id, string state) { }
    [HttpGet("/health")] public void Health() { }
}
"""


def document_of(path: str, text: str) -> Document:
    """Classify a text as `read_document` does; its first folder is its project."""
    kind = classify(path, text)
    project = PurePosixPath(path).parts[0]
    return Document(path, text, kind.language, kind.file_type, kind.file_class, len(text), 0, project)


@pytest.fixture(scope="session")
def facts_of() -> FactsOf:
    """Parse files, given by path with their text; the text may be indented."""

    def facts(files: Mapping[str, str]) -> list[FileFacts]:
        documents = [document_of(path, dedent(text).lstrip("\n")) for path, text in files.items()]
        return [parse_document(document, settings=ChunkSettings()).facts for document in documents]

    return facts


@pytest.fixture(scope="session")
def code_edges(facts_of: FactsOf) -> CodeEdges:
    """The code edges of one relation as (from, to, rule), of files or of the text of one C# file.

    Keys are given without language and kind: `Shop.OrderService.Place`.
    """

    def edges(relation: str, files: str | Mapping[str, str]) -> set[tuple[str, str, str]]:
        texts = {"Shop/A.cs": files} if isinstance(files, str) else files
        graph = code_graph(Catalog(facts_of(texts)))
        found = [edge for edge in graph.edges if edge.relation == relation]
        return {(bare(edge.from_key), bare(edge.to_key), edge.rule) for edge in found}

    return edges


@pytest.fixture(scope="session")
def calls(facts_of: FactsOf) -> Calls:
    """What `Caller.Run` calls, with rule and confidence."""

    def found(*texts: str, **files: str) -> dict[str, tuple[str, float]]:
        named = {f"Shop/F{number}.cs": text for number, text in enumerate(texts)}
        graph = code_graph(Catalog(facts_of(named | files)))
        return {
            edge.to_key.partition(":")[2].rpartition("|")[0]: (edge.rule, edge.confidence)
            for edge in graph.edges
            if edge.relation == "Calls" and edge.from_key == "csharp:Caller.Run|METHOD"
        }

    return found


@pytest.fixture(scope="session")
def answering(facts_of: FactsOf) -> Answering:
    """Who answers the requests of a file, given with other modules by name: methods with the confidence."""

    def found(
        code: str, *, path: str = "web/a.ts", served: str = ORDERS, more: str = "", **scripts: str
    ) -> set[tuple[str, float]]:
        files = {"api/Orders.cs": served, path: code, "api/More.cs": more}
        catalog = Catalog(facts_of(files | {f"web/{name}.ts": text for name, text in scripts.items()}))
        return {
            (edge.to_key.removeprefix("csharp:").removesuffix("|METHOD"), edge.confidence)
            for edge in code_graph(catalog).edges
            if edge.rule == "http request" and edge.relation == "Calls"
        }

    return found


def bare(key: str) -> str:
    """Return a key's name alone."""
    return key.partition(":")[2].rpartition("|")[0]


def calls_made(run: Callable[[], object]) -> int:
    """Count the calls of functions in a run, which grow with the input as its time does, without a clock."""
    made = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal made
        made += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(before)
    return made
