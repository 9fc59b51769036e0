"""The answers of the tools as data: what their output schemas promise."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Data(BaseModel):
    """Data of an answer; what is None is left out."""

    model_config = ConfigDict(frozen=True)


class Hit(Data):
    """One result of a search."""

    rank: int
    id: str = Field(description="Chunk id, for show.")
    score: float
    location: str = Field(description="path:start-end, for show.")
    name: str
    type: str
    node_key: str = Field(description="For graph and show.")
    repo: str | None = Field(default=None, description="Told when the store holds several branches.")
    branch: str | None = None
    snippet: str | None = Field(default=None, description="The lines that match best, with their numbers.")
    text: str | None = Field(default=None, description="With full: the whole text.")
    explain: list[str] | None = None


class SearchData(Data):
    """Results of a search, best first."""

    mode: str
    results: list[Hit]
    notes: list[str] = Field(description="What to know about the answer: staleness, filters given up, cuts.")


class SqlData(Data):
    """Rows of a statement."""

    columns: list[str]
    rows: list[list[Any]]
    truncated: bool = Field(description="Whether there are more rows, or values were cut.")
    notes: list[str]


class CitationData(Data):
    """A place that an answer names as [number]."""

    number: int
    key: str
    location: str
    repo: str
    branch: str


class AskData(Data):
    """An answer with what it rests on."""

    answer: str = Field(description="Markdown.")
    status: str = Field(description="answered, or insufficient.")
    citations: list[CitationData]
    gaps: list[str] = Field(description="What is missing.")
    session: str | None = Field(default=None, description="The conversation in which the turn was kept.")
    pipeline: str
    model: str | None = None
    notes: list[str]


class BranchData(Data):
    """One branch of a repository in the store."""

    repo: str
    branch: str
    commit: str | None = None
    prepared_at: str
    freshness: str = Field(description="fresh, stale or unknown, with the reason.")
    files: int
    chunks: int
    nodes: int
    edges: int


class TableData(Data):
    """A table or view."""

    name: str
    comment: str | None = None
    columns: list[str] | None = Field(default=None, description="name type, and the comment where asked for.")


class NamedText(Data):
    """A macro or a query with what it is for."""

    name: str
    comment: str


class InfoData(Data):
    """What a store holds, or how to ask it in SQL."""

    store: str
    model: str | None = Field(default=None, description="Model of the vectors.")
    branches: list[BranchData] | None = None
    totals: dict[str, int] | None = None
    chunks_by: dict[str, dict[str, int]] | None = None
    relations: dict[str, int] | None = Field(default=None, description="Edges of the graph by relation.")
    tables: list[TableData] | None = None
    macros: list[NamedText] | None = None
    queries: list[NamedText] | None = None
    sql: str | None = None
    notes: list[str] = Field(default_factory=list)
