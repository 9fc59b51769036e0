"""The data that flows from stage to stage: files, documents, symbols, chunks.

Every stage takes and returns these frozen dataclasses and knows no other stage.
Lines are counted from 1, ends are inclusive, paths are relative to the source root with forward slashes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ragduck.errors import EmbeddingError
from ragduck.facts import FileFacts

FileClass = Literal["source", "test", "generated", "migration", "config", "docs", "vendored"]
DataType = Literal["regular_code", "db_code", "docs"]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One repository at one branch: what a `prepare` of one root puts into the store."""

    repo: str
    branch: str
    commit_sha: str | None
    root: Path

    @property
    def root_name(self) -> str:
        """The last part of the root's path, with a mark for each byte that is no text."""
        return self.root.name.encode("utf-8", "replace").decode()


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that the walk found and did not skip; its content has not been looked at.

    ``ctime_ns`` is when anything about it changed, its time or rights included; on Windows when it was created.
    ``root_namespace`` is what the project puts before all names of a file of Visual Basic, empty for other files.
    ``is_in_series`` says that it is a migration by the scripts beside it.
    """

    path: str
    absolute_path: str
    size: int
    mtime_ns: int
    project: str | None = None
    ctime_ns: int = 0
    root_namespace: str = ""
    is_in_series: bool = False


TOO_LARGE = "too large"  # a reason to skip a file


UNREADABLE = "unreadable"  # a reason that may go away while a file stays as it is


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file that was left out, and why, so that nothing vanishes in silence."""

    path: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SeenFile:
    """How a file looked, and what reading it gave: a document, or the reason why there is none.

    ``project`` and ``root_namespace`` are told by other files, so they have to be asked anew.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    project: str | None = None
    language: str = ""
    file_type: str = ""
    file_class: FileClass = "source"
    text_hash: str = ""
    reason: str = ""
    detail: str = ""
    code_page: str = ""
    root_namespace: str = ""
    is_in_series: bool = False

    def looks_like(self, file: SourceFile, *, code_page: str) -> bool:
        """Say whether a file would read as it did, as far as can be told without opening it."""
        then, now = (self.size, self.mtime_ns, self.ctime_ns), (file.size, file.mtime_ns, file.ctime_ns)
        is_alike = then == now and self.is_in_series == file.is_in_series
        return is_alike and self.code_page in ("", code_page)

    @property
    def skipped(self) -> SkippedFile:
        """Return why it is no document, where it is none."""
        return SkippedFile(self.path, self.reason, self.detail)


@dataclass(frozen=True, slots=True)
class Document:
    """A decoded file. ``text`` has ``\\n`` line ends only and no byte order mark.

    ``code_page`` is what the bytes were taken for, where they did not say it themselves. ``root_namespace`` is that
    of a project of Visual Basic.
    """

    path: str
    text: str
    language: str
    file_type: str
    file_class: FileClass
    size: int
    mtime_ns: int
    project: str | None = None
    code_page: str = ""
    root_namespace: str = ""

    @property
    def lines(self) -> list[str]:
        """Return the lines without their ends; ``lines[n - 1]`` is line ``n``."""
        return self.text.split("\n")

    @property
    def last_line(self) -> int:
        """Return the number of the last line; a line end at the end of the text begins no further one."""
        return max(self.text.count("\n") + (not self.text.endswith("\n")), 1)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named stretch of a document: a type, a member, a table, a procedure, a heading's section.

    ``start_line`` includes doc comments, attributes and decorators. ``cuts`` are lines at which a long symbol
    may be cut: each is the first line of a statement, column or paragraph. ``seams`` are lines with a rank, at
    which one statement may be cut that is longer than a chunk: those of rank 0 part it into queries.
    ``body_line`` is that of the symbol itself where statements stand in front that only make way for it. Children
    lie within their parent and do not overlap, save that two may share a line.
    """

    name: str
    qualified_name: str
    element_type: str
    start_line: int
    end_line: int
    signature: str = ""
    visibility: str | None = None
    member_kind: str | None = None
    kind: str | None = None
    schema: str | None = None
    database: str | None = None
    cuts: tuple[int, ...] = ()
    seams: tuple[tuple[int, int], ...] = ()
    body_line: int | None = None
    children: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True)
class ParseProblem:
    """A place that a parser could not make sense of; the file's text is kept all the same.

    A problem that is ``passing`` may not come up again with the same text: it was one of time, memory or a crash.
    """

    path: str
    line: int
    message: str
    passing: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What an import repaired in, or left out of, something that another system wrote, and where.

    ``rule`` names the kind of repair or fault (`dangling TABLE_OR_VIEW`), ``line`` counts lines or records from 1 and
    is 0 where the whole ``file`` is meant, ``field`` is empty where the whole record is.
    """

    outcome: Literal["repaired", "left out"]
    rule: str
    file: str
    line: int = 0
    field: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Outline:
    """What a parser found in one document: top-level symbols in order of appearance, problems, facts."""

    symbols: tuple[Symbol, ...] = ()
    problems: tuple[ParseProblem, ...] = ()
    facts: FileFacts | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of whole lines of one document, the unit of retrieval.

    ``text`` is exactly lines ``start_line`` to ``end_line`` of the document. ``embedding_text`` is what a model
    is given instead: title first, boilerplate left out. ``object_id`` names the logical object
    (`cs:Shop.OrderService.Place`); the store makes the chunk's ``id`` of it by adding the part.
    """

    text: str
    start_line: int
    end_line: int
    object_id: str
    node_key: str
    chunk_part: int
    chunk_total: int
    data_type: DataType
    file_type: str
    element_type: str
    element_name: str
    embedding_text: str
    content_hash: str
    kind: str | None = None
    schema: str | None = None
    name: str | None = None
    db_key: str | None = None
    class_name: str | None = None
    member: str | None = None
    cs_key: str | None = None
    member_kind: str | None = None
    visibility: str | None = None
    signature: str | None = None
    importance_score: float = 1.0


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """One document with its chunks, as a worker process hands it to the store."""

    document: Document
    chunks: tuple[Chunk, ...]
    problems: tuple[ParseProblem, ...]
    facts: FileFacts


@dataclass(frozen=True, slots=True)
class Node:
    """A file, a type, a member or a database object of one snapshot.

    ``is_external`` marks what is referred to but not defined in the snapshot. ``version`` orders migrations:
    `20240422143015`. ``data_type`` is that of the chunks, `db_code` or `regular_code` or `docs`.
    """

    node_key: str
    kind: str
    name: str
    data_type: DataType
    role: str | None = None
    schema: str | None = None
    project: str | None = None
    source_file: str | None = None
    start_line: int | None = None
    end_line: int | None = None
    version: str | None = None
    is_external: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two nodes and the place that shows it.

    ``rule`` names how it was found (`receiver type`, `from`, `DbSet`, `interpolated name`), ``confidence`` is how
    sure that is, at most 1. ``detail`` names columns or a foreign key where the relation is about them. ``sites``
    counts the places that say the same; the first is given.
    """

    from_key: str
    to_key: str
    relation: str
    source_file: str
    line: int
    rule: str
    confidence: float = 1.0
    detail: str = ""
    sites: int = 1


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes and edges of one snapshot, or the part of them that one kind of rule finds."""

    nodes: Sequence[Node] = ()
    edges: Sequence[Edge] = ()


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """Identify a model well enough to refuse a query made with another one.

    ``revision`` is empty where the provider tells none, and then it is not compared. A revision
    that starts with ``sha256:`` is taken from the weights: it identifies the model whatever its name.
    """

    name: str
    revision: str
    dimension: int
    normalized: bool = True
    query_prefix: str = ""
    text_prefix: str = ""
    provider: str = ""

    @property
    def key(self) -> str:
        """Name, revision and dimension in one: what vectors of a store are kept under."""
        return f"{self.name}@{self.revision}/{self.dimension}"

    def to_dict(self) -> dict[str, str]:
        """Return the rows that the store's ``embedding_metadata`` table keeps."""
        return {
            "embedding_provider": self.provider,
            "embedding_model": self.name,
            "embedding_revision": self.revision,
            "embedding_dimensions": str(self.dimension),
            "embedding_normalized": str(self.normalized).lower(),
            "embedding_query_prefix": self.query_prefix,
            "embedding_text_prefix": self.text_prefix,
        }

    @classmethod
    def from_dict(cls, metadata: Mapping[str, str]) -> EmbeddingModel | None:
        """Read back what ``to_dict`` wrote; ``None`` when the store was made without vectors."""
        name = metadata.get("embedding_model", "none")
        if name in ("", "none"):
            return None
        return cls(
            name=name,
            revision=metadata.get("embedding_revision", ""),
            dimension=_dimension(metadata),
            normalized=metadata.get("embedding_normalized", "true") == "true",
            query_prefix=metadata.get("embedding_query_prefix", ""),
            text_prefix=metadata.get("embedding_text_prefix", ""),
            provider=metadata.get("embedding_provider", ""),
        )


def _dimension(metadata: Mapping[str, str]) -> int:
    value = metadata.get("embedding_dimensions", "")
    if not (value.isascii() and value.isdigit() and int(value[:9]) > 0):
        raise EmbeddingError(
            f"the store names an embedding model but not its dimension (embedding_dimensions is {value!r})",
            hint="prepare the store again",
        )
    return int(value[:9])
