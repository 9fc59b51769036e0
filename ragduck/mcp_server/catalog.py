"""The tools as a model meets them: names, descriptions, schemas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from mcp_types import Tool as ToolDescription
from mcp_types import ToolAnnotations
from pydantic import BaseModel, ValidationError

from ragduck.errors import UsageError
from ragduck.mcp_server import answers
from ragduck.mcp_server.arguments import (
    Arguments,
    AskArguments,
    AskInSessionArguments,
    GraphArguments,
    InfoArguments,
    SearchArguments,
    ShowArguments,
    SqlArguments,
)
from ragduck.mcp_server.live_store import OpenStore
from ragduck.mcp_server.reply import Reply
from ragduck.mcp_server.schemas import input_schema, output_schema, told_mistakes
from ragduck.mcp_server.settings import ServerSettings
from ragduck.mcp_server.tools.ask import ask
from ragduck.mcp_server.tools.graph import graph
from ragduck.mcp_server.tools.info import info
from ragduck.mcp_server.tools.search import search
from ragduck.mcp_server.tools.show import show
from ragduck.mcp_server.tools.sql import sql

SEARCH = """\
Find the code, SQL, tables and docs that answer a question, best first, with the lines that match. Begin here.
Example: {"query": "where are invoices created", "filters": {"file_class": "source"}, "top_k": 5}"""
SHOW = """\
Show exact text: of a node, a name, a chunk id, a file or lines of it. Take keys and locations from other answers.
Examples: {"key": "OrderService.Place"}, {"key": "dbo.Invoice|TABLE"}, {"key": "src/orders.py:10-40"}"""
GRAPH = """\
Walk the dependency graph over code and database: who calls it, what it reads and writes, what a change may break, \
how two things are tied, each with the line that shows it. In a tree → is along an edge, ← against it.
Examples: {"keys": ["dbo.Invoice"], "question": "impact"}, \
{"keys": ["OrderController"], "question": "path", "to": "dbo.Invoice"}"""
SQL = """\
Ask the store in DuckDB's SQL, reading only: counts, lists, joins of documents, nodes and edges. See info about \
schema for tables, and about cookbook for ready queries, such as @who_writes_a_table, @what_names_a_column, \
@endpoints_that_reach_a_table, @pages_that_reach_a_table, @jobs_that_reach_a_table, @tests_that_reach_a_node, \
@unused_procedures.
Examples: {"statement": "select kind, count(*) as nodes from nodes group by kind order by nodes desc"}, \
{"statement": "@who_writes_a_table", "variables": {"object": "dbo.Invoice"}}"""
ASK = """\
Answer a whole question in one call: entry points, the graph around them and their texts, with citations. For "how \
does X work", "what happens when", "who reads the setting S", "how does X reach table T"; for \
one thing by name, search and show are shorter.
Example: {"question": "How are invoices implemented?"}"""
INFO = """\
Tell what the store holds and how fresh it is (about store), the tables and macros for sql (about schema), or ready \
queries (about cookbook).
Examples: {}, {"about": "schema"}, {"about": "schema", "name": "edges"}"""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: what a model reads of it, and what is run."""

    name: str
    title: str
    description: str
    arguments: type[Arguments]
    run: Callable[[OpenStore, Any], Reply]
    data: type[BaseModel] | None = None
    is_writing: bool = False
    is_limited: bool = True
    is_open_world: bool = False

    def described(self) -> ToolDescription:
        """Return what `tools/list` tells of it."""
        return ToolDescription(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=input_schema(self.arguments),
            output_schema=output_schema(self.data) if self.data else None,
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=not self.is_writing,
                destructive_hint=False,
                idempotent_hint=not self.is_writing,
                open_world_hint=self.is_open_world,
            ),
        )

    def read(self, given: Mapping[str, Any]) -> Arguments:
        """Return the arguments that were given. Raises UsageError for those that the tool does not take."""
        try:
            return self.arguments.model_validate(given)
        except ValidationError as error:
            known = ", ".join(self.arguments.model_fields)
            raise UsageError(told_mistakes(error), hint=f"arguments of {self.name}: {known}") from error


def tools_of(settings: ServerSettings) -> dict[str, Tool]:
    """Return the tools by name, in the order in which a model meets them."""
    asks_model = settings.model is not None
    tools = (
        Tool("search", "Search code, SQL and docs", SEARCH, SearchArguments, search, answers.SearchData),
        Tool("show", "Show text", SHOW, ShowArguments, show),
        Tool("graph", "Walk the dependency graph", GRAPH, GraphArguments, graph),
        Tool(
            "sql", "Query in SQL", f"{SQL}\nAt most {settings.row_limit} rows and {settings.time_limit:g} seconds.",
            SqlArguments, partial(sql, row_limit=settings.row_limit), answers.SqlData,
        ),
        Tool(
            "ask", "Answer a question with evidence", ASK,
            AskArguments if settings.read_only else AskInSessionArguments, partial(ask, settings=settings),
            answers.AskData, is_writing=not settings.read_only, is_limited=not asks_model, is_open_world=asks_model,
        ),
        Tool("info", "What the store holds", INFO, InfoArguments, info, answers.InfoData),
    )  # fmt: skip
    return {tool.name: tool for tool in tools}
