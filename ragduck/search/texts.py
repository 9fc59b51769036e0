"""Fetch exact text by identity: a chunk id, a node key, or lines of a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn

from ragduck.errors import UsageError
from ragduck.resources import sql_text
from ragduck.search.node_names import MAX_NAMED, closest_to, resolve
from ragduck.search.walk import mappings_of
from ragduck.shell import quote

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

TYPES = ("|TYPE", "|MIGRATION")
SHOWN = 3  # names like one that nothing has
LINES = re.compile(r"(?P<path>.+?):(?P<start>\d{1,9})(?:-(?P<end>\d{1,9}))?")


def texts_of(rows: Rows, key: str) -> list[dict[str, Any]]:
    """Return the stretches of text that ``key`` names, each with its place; none when it names nothing.

    A key is a chunk id with or without its part, a node key, a C# or database key, `path`, `path:line`,
    `path:start-end`, or a node written in short. Of a path its end is enough, and more folders than the store knows
    may stand before it. With several branches in the store there is one stretch for each. Raises UsageError for a
    short name or path that several have, and for a node that the store does not define.
    """
    return (
        _chunks_of(rows, key)
        or list(_lines_of(rows, key))
        or list(_node_texts(rows, key))
        or [_whole(file) for file in _files_ending(rows, key)]
    )


def nothing_called(rows: Rows, key: str, *, store: Path) -> NoReturn:
    """Raise UsageError for a key that names nothing, with what was probably meant."""
    search = f"search for it: ragduck search {quote(str(store))} {quote(key)}"
    close = closest_to(rows, key)[:SHOWN]
    meant = f"did you mean {' or '.join(close)}? else {search}" if close else search
    raise UsageError(f"the store has nothing called {key!r}", hint=meant)


def _chunks_of(rows: Rows, key: str) -> list[dict[str, Any]]:
    if key.startswith("file:"):
        return []  # chunks of a file's node are what lies outside of its types
    chunks = rows(sql_text("search/text_of_chunk.sql"), {"key": key})
    found = [{**chunk, "location": _location(chunk)} for chunk in chunks]
    is_chunk = any(key in (chunk["id"], chunk["node_id"]) for chunk in chunks)
    return found if is_chunk else _with_whole_types(rows, found)


def _with_whole_types(rows: Rows, chunks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put a whole type in the place of its chunks: these end where members with chunks of their own begin."""
    keys = sorted({chunk["node_key"] for chunk in chunks if chunk["node_key"].endswith(TYPES)})
    if not keys:
        return chunks
    whole = []
    for node in rows(sql_text("graph/text_of_types.sql"), {"keys": keys}):
        heads = [chunk for chunk in chunks if _is_of(chunk, node)]
        if not heads:
            continue
        first = min(node["start_line"], *(chunk["start_line"] for chunk in heads))
        last = max(node["end_line"], *(chunk["end_line"] for chunk in heads))
        named = {name: heads[0][name] for name in ("element_name", "element_type")}
        whole.append({**_stretch(node, first, min(last, _last_line(node["text"]))), **named})
    parts = [chunk for chunk in chunks if not any(_is_of(chunk, stretch) for stretch in whole)]
    return [*whole, *parts]


def _is_of(chunk: dict[str, Any], node: dict[str, Any]) -> bool:
    return all(chunk[name] == node[name] for name in ("node_key", "repo", "branch", "source_file"))


def _node_texts(rows: Rows, key: str) -> Iterator[dict[str, Any]]:
    """Yield the chunks of the node that a short name means, else the lines that it names."""
    found = resolve(rows, key)
    if not found:
        return
    node_key = found[0]["node_key"]
    chunks = _chunks_of(rows, node_key) if node_key != key else []
    if chunks:
        yield from chunks
        return
    ids = [row["node_id"] for row in found]
    stretches = list(_stretches(rows, ids)) or list(_mappings(rows, ids, node_key=node_key))
    if not stretches:
        raise UsageError(
            f"{node_key} is referred to, but the store does not define it",
            hint=f"who refers to it: ragduck graph STORE {quote(node_key)} --direction in",
        )
    yield from stretches


def _stretches(rows: Rows, ids: list[int]) -> Iterator[dict[str, Any]]:
    """Yield the lines of nodes; of those that the store does not define there are none."""
    for node in rows(sql_text("graph/text_of_nodes.sql"), {"ids": ids}):
        last = _last_line(node["text"])
        yield {**_stretch(node, node["start_line"], min(node["end_line"], last)), **_named(node)}


def _mappings(rows: Rows, ids: list[int], *, node_key: str) -> Iterator[dict[str, Any]]:
    """Yield what maps to a table that only code defines: the mapping, then the entity."""
    told = mappings_of(rows, ids)
    keys = [*(key for row in told for key in _type_at(rows, row)), *(row["entity"] for row in told)]
    for key in dict.fromkeys(keys):
        for stretch in _chunks_of(rows, key):
            yield {
                **stretch,
                "element_name": f"{stretch['element_name']}, maps to {node_key.partition('|')[0]}",
            }


def _type_at(rows: Rows, edge: dict[str, Any]) -> list[str]:
    place = {
        "file": edge["source_file"],
        "line": edge["line"],
        "repo": edge["repo"],
        "branch": edge["branch"],
    }
    return [row["node_key"] for row in rows(sql_text("graph/type_at.sql"), place)]


def _named(node: dict[str, Any]) -> dict[str, Any]:
    return {"element_name": node["name"], "element_type": node["kind"].lower()}


def _lines_of(rows: Rows, key: str) -> Iterator[dict[str, Any]]:
    yield from map(_whole, _files_of(rows, key))
    asked = LINES.fullmatch(key)
    if asked is None:
        return
    start, end = int(asked["start"]), int(asked["end"] or asked["start"])
    lines = key.removeprefix(asked["path"])
    for file in _files_of(rows, asked["path"]) or _files_ending(rows, asked["path"], lines=lines):
        last = _last_line(file["text"])
        if not 1 <= start <= end or start > last:
            raise UsageError(
                f"{file['source_file']} has lines 1 to {last}, not {start} to {end}",
                hint=f"ask for {file['source_file']}:1-{last}",
            )
        yield _stretch(file, start, min(end, last))


def files_at(rows: Rows, paths: Sequence[str]) -> list[dict[str, Any]]:
    """Return whole files by their paths, with source_file, repo, branch and text; those of all branches."""
    return rows(sql_text("search/text_of_lines.sql"), {"paths": list(paths)})


def _files_of(rows: Rows, path: str) -> list[dict[str, Any]]:
    """Return the files of a path, which may be written as shells complete it and as Windows does."""
    plain = str(PurePosixPath(path.replace("\\", "/")))
    for written in dict.fromkeys((path, plain)):
        if found := files_at(rows, [written]):
            return found
    return []


def _files_ending(rows: Rows, path: str, *, lines: str = "") -> list[dict[str, Any]]:
    """Return the files of the one path that ends as asked; ``lines`` are told with each when there are several."""
    plain = str(PurePosixPath(path.replace("\\", "/")))
    found = rows(sql_text("search/text_of_ending.sql"), {"path": plain})
    paths = list(dict.fromkeys(file["source_file"] + lines for file in found))
    if len(paths) > 1:
        more = f" and {len(paths) - MAX_NAMED} more" if len(paths) > MAX_NAMED else ""
        raise UsageError(
            f"{path}{lines} may be {', '.join(paths[:MAX_NAMED])}{more}",
            hint=f"write the one you mean: {paths[0]!r}",
        )
    return found


def _whole(file: dict[str, Any]) -> dict[str, Any]:
    return {**_stretch(file, 1, _last_line(file["text"])), "text": file["text"]}


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
