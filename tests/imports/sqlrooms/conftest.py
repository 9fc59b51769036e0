"""Files as sqlrooms-rag writes them, made with plain DuckDB."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ragduck.embed.hashing import HashingEmbedder

GUIDE = """# Guide

How to begin.

## Install

Run the installer and answer its questions.

## Use

Open the ledger and enter an invoice.

### Export

Ledgers are exported as CSV files.
"""
TAXES = "# Taxes\n\nTaxes are added to each invoice.\n\n## Rates\n\nThe rate depends on the country.\n"
FACTS = {
    "version": "0.1.2",
    "embedding_provider": "huggingface",
    "embedding_model": "hashing",
    "embedding_dimensions": "64",
    "chunking_strategy": "markdown",
    "header_weight": "3",
}

SOURCES = """
create table source_documents (
    doc_id varchar primary key, file_path varchar, file_name varchar, text varchar, metadata_ json,
    created_at timestamp
)
"""
FACT_TABLE = "create table embedding_metadata (key varchar primary key, value varchar, created_at timestamp)"


@dataclass
class Section:
    """A chunk before it is weighted: its headings above, its own, and its text with the heading."""

    above: tuple[str, ...]
    heading: str
    text: str


@dataclass
class Contents:
    """What goes into a file; tests change it before it is written."""

    files: dict[str, str] = field(default_factory=dict)
    chunks: list[dict[str, Any]] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=lambda: dict(FACTS))
    dimension: int = 64


def sections_of(text: str) -> list[Section]:
    """Cut Markdown at its headings, as MarkdownNodeParser does."""
    found: list[Section] = []
    path: list[tuple[int, str]] = []
    for block in ("\n" + text).split("\n#")[1:]:
        marks, _, rest = ("#" + block).partition(" ")
        title, _, _ = rest.partition("\n")
        while path and path[-1][0] >= len(marks):
            path.pop()
        found.append(Section(tuple(name for _, name in path), title, ("#" + block).strip()))
        path.append((len(marks), title))
    return found


def contents_of(files: Mapping[str, str], *, weight: int = 3) -> Contents:
    """Return files, their chunks with repeated headings, and vectors of those."""
    contents = Contents(files=dict(files))
    for path, text in files.items():
        for section in sections_of(text):
            weighted = f"{section.heading}\n" * weight + "\n" * (weight > 0) + section.text
            header_path = "/" + "".join(f"{name}/" for name in section.above)
            contents.chunks.append(
                {
                    "node_id": f"node-{len(contents.chunks)}",
                    "text": weighted,
                    "metadata_": {
                        "file_path": path,
                        "file_name": Path(path).name,
                        "header_path": header_path,
                    },
                    "embedding": HashingEmbedder().embed_query(weighted).tolist(),
                    "doc_id": f"doc-{path}",
                }
            )
    return contents


def write_file(
    path: Path,
    contents: Contents,
    *,
    with_sources: bool = True,
    with_doc_ids: bool = True,
    extra: Sequence[str] = (),
) -> Path:
    """Write a file with the tables of sqlrooms-rag, or of an older one without some of them."""
    doc_id = ", doc_id varchar" * with_doc_ids
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "create table documents "
            f"(node_id varchar, text text, metadata_ json, embedding float[{contents.dimension}]{doc_id})"
        )
        for chunk in contents.chunks:
            given = [chunk["node_id"], chunk["text"], _json(chunk["metadata_"]), chunk["embedding"]]
            given += [chunk["doc_id"]] * with_doc_ids
            connection.execute(f"insert into documents values ({', '.join('?' * len(given))})", given)
        if with_sources:
            connection.execute(SOURCES)
            for name, text in contents.files.items():
                connection.execute(
                    "insert into source_documents values (?, ?, ?, ?, '{}', now()::timestamp)",
                    [f"doc-{name}", name, Path(name).name, text],
                )
        if contents.facts:
            connection.execute(FACT_TABLE)
            for key, value in contents.facts.items():
                connection.execute(
                    "insert into embedding_metadata values (?, ?, now()::timestamp)", [key, value]
                )
        for statement in extra:
            connection.execute(statement)
    return path


def _json(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value)


Write = Callable[..., Path]


@pytest.fixture
def contents() -> Contents:
    """Two files in six chunks, to be changed at will."""
    return contents_of({"/home/ada/docs/guide.md": GUIDE, "/home/ada/docs/money/taxes.md": TAXES})


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write contents to `docs.duckdb` in the test's folder."""

    def written(contents: Contents, **settings: Any) -> Path:
        return write_file(tmp_path / "docs.duckdb", contents, **settings)

    return written


@pytest.fixture(scope="session")
def docs_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two files as sqlrooms-rag leaves them; not to be changed."""
    contents = contents_of({"/home/ada/docs/guide.md": GUIDE, "/home/ada/docs/money/taxes.md": TAXES})
    return write_file(tmp_path_factory.mktemp("docs") / "docs.duckdb", contents)
