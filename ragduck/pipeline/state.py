"""What a run knows so far: every action reads and changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ragduck.conversation import Conversation
from ragduck.search.neighbourhood import Neighbourhood

Status = Literal["running", "answered", "insufficient", "failed", "cancelled"]
Domain = Literal["code", "db", "mixed"]
SearchMode = Literal["semantic", "semantic_rerank", "bm25", "hybrid", "direct"]


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a question is about (seed 001, phase B and C)."""

    type: str  # how_implemented, where_is, impact, usage, bug, compare, list, generic
    domain: Domain
    concepts: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    needs_repository: bool = True
    spoken: tuple[tuple[str, str], ...] = ()  # concepts that stand for a word of the question, with that word


@dataclass(frozen=True, slots=True)
class RetrievalPlan:
    """How to search and for what (seed 003, phase C); ``filters`` narrow the search further.

    ``top_k`` may only lower what the step says; ``match_operator`` is `and` or `or` for keywords.
    """

    mode: SearchMode
    query: str
    filters: Mapping[str, Any] = field(default_factory=dict)
    top_k: int | None = None
    match_operator: Literal["and", "or"] | None = None


@dataclass(frozen=True, slots=True)
class EvidenceBlock:
    """One stretch of text that an answer may rest on, or what the graph says, never cut within.

    ``key`` is the node key or chunk id, ``location`` `path:start-end`. ``kind`` is `text`, `graph` or `summary`.
    ``tokens`` counts the block as it stands in a prompt. ``elsewhere`` are places of what more there is of the key.
    """

    key: str
    kind: Literal["text", "graph", "summary"]
    text: str
    tokens: int
    location: str | None = None
    repo: str | None = None
    branch: str | None = None
    language: str | None = None
    label: str = ""
    elsewhere: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A place that an answer names, numbered from 1 as in the evidence."""

    number: int
    key: str
    location: str
    repo: str
    branch: str


@dataclass(frozen=True, slots=True)
class ColumnUses:
    """What names a column: ``naming`` of all ``touching`` its table, and ``using`` its entity's ``properties``."""

    table: str
    column: str
    naming: tuple[str, ...]
    touching: int
    properties: tuple[str, ...] = ()
    using: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reached:
    """A node that reaches what a question names, in how many steps at least, and `path:line` of it.

    ``is_mention`` says that all that is known on the way is that code names the class of a table, ``is_writing`` that
    it leads to what writes the table, in ``write_distance`` steps where that is known.
    """

    node_key: str
    distance: int
    location: str
    is_mention: bool = False
    is_writing: bool = False
    write_distance: int | None = None


@dataclass(frozen=True, slots=True)
class Endings:
    """The endpoints, pages, jobs and tests that reach the node of a ``key``, by the query that finds them."""

    key: str
    by_query: Mapping[str, tuple[Reached, ...]]


@dataclass(slots=True)
class State:
    """The state of one run; a run begins with the first four fields."""

    question: str
    language: str = "en"
    session_id: str = ""
    is_english: bool = True
    question_en: str = ""
    conversation: Conversation = field(default_factory=lambda: Conversation(""))
    history_text: str = ""  # HistoryForPrompt of seed 003
    understanding: Understanding | None = None
    plan: RetrievalPlan | None = None
    queries: list[RetrievalPlan] = field(default_factory=list)  # every search of the run, oldest first
    hits: tuple[Mapping[str, Any], ...] = ()  # RetrievedChunks: results of Store.search
    entry_nodes: tuple[str, ...] = ()  # node keys
    neighbourhood: Neighbourhood | None = None
    column: ColumnUses | None = None  # where the question names a column
    asked_at: tuple[str | None, str | None] = (None, None)  # repository and branch of what follows
    reached: tuple[Reached, ...] | None = None  # where the question asks what reaches something
    endings: Endings | None = None  # where the question asks what a change breaks
    way: Neighbourhood | None = (
        None  # where the question asks for the way between two things, and there is one
    )
    evidence: tuple[EvidenceBlock, ...] = ()  # ContextPack without the question and the history
    sources: tuple[Citation, ...] = ()  # what the numbers in a summary of the evidence stand for
    skipped: tuple[str, ...] = ()  # keys of texts left out because the budget was used up
    last_model_response: str = ""
    last_prefix: str | None = None
    answer_en: str = ""
    answer: str = ""  # in the language of the question
    citations: tuple[Citation, ...] = ()
    gaps: tuple[str, ...] = ()  # what is missing, said honestly
    counters: dict[str, int] = field(default_factory=dict)  # of guards, by step id
    variables: dict[str, Any] = field(default_factory=dict)  # of set_variables and of users' own actions
    known_terms: dict[str, Mapping[str, Any] | None] = field(
        default_factory=dict
    )  # looked up so far; None is no term
    turn_id: str | None = None
    status: Status = "running"
