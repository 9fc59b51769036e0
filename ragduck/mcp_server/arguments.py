"""The arguments of the tools: what a model may give, within which limits."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ragduck.untrusted_json import read_json

MAX_TEXT = 10_000
MAX_STATEMENT = 50_000


def _unpacked(value: Any) -> Any:
    """Read JSON that a client sent as text in place of an object or list."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return read_json(value)
    except ValueError:
        return value


def _listed(value: Any) -> Any:
    """Take one name for a list of one."""
    unpacked = _unpacked(value)
    return [unpacked] if isinstance(unpacked, str) else unpacked


FilterValue = str | int | float | None
Filters = Annotated[dict[str, FilterValue | list[FilterValue]], BeforeValidator(_unpacked)]
Names = Annotated[list[str], BeforeValidator(_listed)]
Key = Annotated[str, Field(min_length=1, max_length=2_000)]
Repo = Annotated[str | None, Field(description="Only this repository.")]
Branch = Annotated[str | None, Field(description="Only this branch; info lists them.")]


class Arguments(BaseModel):
    """Arguments of a tool; one that it does not have is refused rather than passed over."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SearchArguments(Arguments):
    """What to search for."""

    query: str = Field(
        min_length=1,
        max_length=MAX_TEXT,
        description="A question, words or identifiers: 'where are invoices created', 'OrderService.Place'.",
    )
    mode: Literal["hybrid", "bm25", "semantic", "semantic_rerank"] = Field(
        default="hybrid",
        description="hybrid: keyword and meaning; bm25: keyword; semantic: meaning; semantic_rerank: meaning, then "
        "keyword. Without vectors in the store hybrid is bm25.",
    )
    top_k: int = Field(default=8, ge=1, le=50, description="Number of results.")
    filters: Filters = Field(
        default_factory=dict,
        description="Field to value, or to a list of alternatives; fields combine with AND. Fields: kind (TABLE, "
        "VIEW, PROC, FUNC, TRIGGER, TYPE, METHOD, FILE…), file_class (source, test, generated, migration, config, "
        "docs, vendored), data_type (regular_code, db_code, docs), project, schema, repo, branch, source_file, "
        "path_glob ('src/**/*.cs'), name_prefix, reads_from, writes_to, calls, called_by.",
    )
    where: str | None = Field(
        default=None,
        max_length=MAX_TEXT,
        description="SQL expression over columns of documents that results satisfy: 'end_line - start_line > 20'.",
    )
    relax: Names = Field(
        default_factory=list,
        description="Fields of filters to give up, in order, while too few results are found.",
    )
    full: bool = Field(
        default=False, description="Whole text of each result instead of the few lines that match best."
    )
    explain: bool = Field(default=False, description="Tell what each score is made of.")


class ShowArguments(Arguments):
    """Which text to show."""

    key: Key = Field(
        description="A node key ('dbo.Invoice|TABLE'), a name ('dbo.Invoice', 'OrderService.Place'), a chunk id, "
        "'path', 'path:line' or 'path:start-end'."
    )
    all: bool = Field(
        default=False,
        description="Every definition, in other files and branches as well, not the first alone.",
    )
    repo: Repo = None
    branch: Branch = None


class GraphArguments(Arguments):
    """What to ask the dependency graph."""

    keys: Names = Field(
        min_length=1,
        max_length=20,
        description="Where to begin: node keys or names, such as 'dbo.Invoice' or 'OrderService.Place'.",
    )
    question: Literal["around", "callers", "callees", "impact", "path"] = Field(
        default="around",
        description="around: all that is tied to it; callers, callees: over calls and executions; impact: what may "
        "break when it changes; path: a shortest way to the node `to`.",
    )
    to: str | None = Field(default=None, max_length=2_000, description="With path: the node at its end.")
    depth: int | None = Field(
        default=None,
        ge=1,
        le=12,
        description="Most steps: by default 1 for around, 3 for the others, 12 for path, 6 either way.",
    )
    max_nodes: int = Field(default=40, ge=1, le=500, description="Most nodes, the closest first.")
    relations: Names = Field(
        default_factory=list,
        description="With around and impact and path: follow these alone: Calls, Executes, ReadsFrom, WritesTo, "
        "ForeignKey, Inherits, Implements, Uses, Injects, Contains, MapsTo, SchemaChange, Handles, LeadsTo.",
    )
    direction: Literal["both", "out", "in"] | None = Field(
        default=None,
        description="With around and path: along edges (out: caller to callee), against them, or both.",
    )
    evidence: bool = Field(default=True, description="Show the line of source behind each tie.")
    repo: Repo = None
    branch: Branch = None


class SqlArguments(Arguments):
    """What to ask in SQL."""

    statement: str = Field(
        min_length=1,
        max_length=MAX_STATEMENT,
        description="One SELECT, DESCRIBE, SUMMARIZE or EXPLAIN in DuckDB's SQL, or @NAME of the cookbook.",
    )
    variables: Annotated[dict[str, str], BeforeValidator(_unpacked)] = Field(
        default_factory=dict,
        description="What getvariable('NAME') returns; queries of the cookbook say which: {'object': 'dbo.Invoice'}.",
    )


class AskArguments(Arguments):
    """What to ask the pipeline."""

    question: str = Field(
        min_length=1, max_length=MAX_TEXT, description="A whole question: 'How are invoices implemented?'."
    )
    language: str = Field(
        default="en",
        pattern="^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
        description="Language of the question: en, pl.",
    )
    repo: Repo = None
    branch: Branch = None


class AskInSessionArguments(AskArguments):
    """What to ask the pipeline, as part of a conversation."""

    session: str | None = Field(
        default=None,
        max_length=100,
        pattern=r"^[A-Za-z0-9._-]+$",
        description="Go on with this conversation, or begin one of this name: the turn is then kept with the store. "
        "Without, nothing is kept.",
    )


class InfoArguments(Arguments):
    """What to tell of the store."""

    about: Literal["store", "schema", "cookbook"] = Field(
        default="store",
        description="store: what it holds and how fresh it is; schema: tables, views and macros for SQL; cookbook: "
        "ready SQL queries.",
    )
    name: str | None = Field(
        default=None,
        max_length=200,
        description="With schema: a table or view, for all its columns. With cookbook: a query, for its SQL.",
    )
