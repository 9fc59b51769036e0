"""Tantivy through its Python binding: English stemming, texts stored in the index."""

from __future__ import annotations

from pathlib import Path

import tantivy
from contract import Hit
from rows import read_rows

WRITER_BYTES = 256_000_000


def build(rows: Path, folder: Path) -> None:
    """Write the index."""
    index = tantivy.Index(_schema(), path=str(folder))
    writer = index.writer(heap_size=WRITER_BYTES)
    table = read_rows(rows)
    for row, text in zip(table["id"].to_pylist(), table["text"].to_pylist(), strict=True):
        writer.add_document(tantivy.Document(row=row, text=text))
    writer.commit()
    writer.wait_merging_threads()


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("row", stored=True)
    builder.add_text_field("text", stored=True, tokenizer_name="en_stem")
    return builder.build()


class Index:
    """A searcher over the committed index."""

    def __init__(self, folder: Path) -> None:
        self._index = tantivy.Index.open(str(folder))
        self._searcher = self._index.searcher()

    def keyword(self, text: str, k: int) -> list[Hit]:
        query = self._index.parse_query(text, ["text"])
        found = [self._searcher.doc(address) for _, address in self._searcher.search(query, k).hits]
        return [(document.get_first("row"), document.get_first("text")) for document in found]


def open_peer(folder: Path) -> Index:
    """Open the index for searching."""
    return Index(folder)
