"""Fetch exact text by identity: a chunk id, a node key, or lines of a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from ragduck.errors import UsageError
from ragduck.resources import sql_text

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

LINES = re.compile(r"(?P<path>.+?):(?P<start>\d{1,9})(?:-(?P<end>\d{1,9}))?")


def texts_of(rows: Rows, key: str) -> list[dict[str, Any]]:
    """Return the stretches of text that ``key`` names, each with its place; none when it names nothing.

    A key is a chunk id with or without its part, a node key, a C# or database key, `path`, `path:line` or
    `path:start-end`. With several branches in the store there is one stretch for each.
    """
    chunks = rows(sql_text("search/text_of_chunk.sql"), {"key": key})
    if chunks:
        return [{**chunk, "location": _location(chunk)} for chunk in chunks]
    return list(_lines_of(rows, key))


def _lines_of(rows: Rows, key: str) -> Iterator[dict[str, Any]]:
    for file in rows(sql_text("search/text_of_lines.sql"), {"path": key}):
        yield {**_stretch(file, 1, _last_line(file["text"])), "text": file["text"]}
    asked = LINES.fullmatch(key)
    if asked is None:
        return
    start, end = int(asked["start"]), int(asked["end"] or asked["start"])
    for file in rows(sql_text("search/text_of_lines.sql"), {"path": asked["path"]}):
        last = _last_line(file["text"])
        if not 1 <= start <= end or start > last:
            raise UsageError(
                f"{asked['path']} has lines 1 to {last}, not {start} to {end}",
                hint=f"ask for {asked['path']}:1-{last}",
            )
        yield _stretch(file, start, min(end, last))


def _last_line(text: str) -> int:
    """Return the number of the last line; a line end at the end of the file begins no further one."""
    return max(text.count("\n") + (not text.endswith("\n")), 1)


def _stretch(file: dict[str, Any], start: int, end: int) -> dict[str, Any]:
    lines = file["text"].split("\n")[start - 1 : end]
    found = {**file, "start_line": start, "end_line": end, "text": "\n".join(lines)}
    return {
        **found,
        "element_name": file["source_file"],
        "element_type": "lines",
        "location": _location(found),
    }


def _location(row: dict[str, Any]) -> str:
    return f"{row['source_file']}:{row['start_line']}-{row['end_line']}"


def source_documents_of(rows: Rows, chunk_ids: list[str]) -> list[dict[str, Any]]:
    """Return the whole files that chunks were cut from, each once, with the keys of seed 004."""
    found = rows(sql_text("search/source_documents.sql"), {"chunk_ids": chunk_ids})
    return [
        {
            "doc_id": row["doc_id"],
            "file_path": row["file_path"],
            "file_name": row["file_name"],
            "text": row["text"],
            "metadata": {
                name: row[name]
                for name in ("file_path", "file_name", "repo", "branch", "language", "file_class", "project")
            },
        }
        for row in found
    ]
