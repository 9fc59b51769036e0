"""Read questions with their right answers from JSON or TSV files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ragduck.errors import UsageError

SUFFIXES = (".json", ".tsv")
HEADERS = {("query", "target"): 0, ("query", "target", "category"): 1}
TSV_HINT = "write the query, a tab, and a path, path:start-end, chunk id, object id or node key"
JSON_HINT = 'write [{"query": "…", "relevant": ["path"], "secondary": [], "category": "…"}]'


@dataclass(frozen=True, slots=True)
class Query:
    """A question and the places that answer it, as people label them; ``file`` and ``line`` say where it stands."""

    text: str
    targets: tuple[str, ...]
    category: str | None = None
    file: str = ""
    line: int = 0


def read_queries(paths: str | Path | Iterable[str | Path]) -> tuple[Query, ...]:
    """Read the queries of files and of folders, whose `.json` and `.tsv` files count.

    JSON is a list of objects with query, relevant, secondary and category; TSV has rows of query and targets, an
    optional header `query<TAB>target<TAB>category`, and `#` comments. Raises UsageError with file and line for
    the first row that cannot be read.
    """
    files = list(dict.fromkeys(_files([paths] if isinstance(paths, str | Path) else paths)))
    names = _names(files)
    queries = tuple(query for file in files for query in _read(file, name=names[file]))
    if not queries:
        raise UsageError("no queries are given", hint="name a JSON or TSV file, or a folder of such files")
    return queries


def _files(paths: Iterable[str | Path]) -> Iterator[Path]:
    for path in map(Path, paths):
        if not path.is_dir():
            yield path
            continue
        found = sorted(file for file in path.iterdir() if file.suffix.lower() in SUFFIXES and file.is_file())
        if not found:
            raise UsageError(f"{path} holds no .json or .tsv file", hint="name the files of queries")
        yield from found


def _names(files: list[Path]) -> dict[Path, str]:
    """Name files as short as tells them apart."""
    stems = [file.name for file in files]
    return {file: file.name if stems.count(file.name) == 1 else file.as_posix() for file in files}


def _read(file: Path, *, name: str) -> Iterator[Query]:
    text = _text(file)
    queries = _json_queries(text, file) if _is_json(text) else _tsv_queries(text, file)
    found = [replace(query, file=name) for query in queries]
    if not found:
        raise UsageError(f"{file} holds no queries", hint=TSV_HINT)
    yield from found


def _text(file: Path) -> str:
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        raise UsageError(
            f"there is no file of queries at {file}", hint="name a JSON or TSV file, or a folder"
        ) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise UsageError(f"{file}:{line}: this is not text in UTF-8", hint="save it as UTF-8") from error


def _is_json(text: str) -> bool:
    """Whether it begins as JSON does; a query may begin with a bracket, too, but a tab follows on its line."""
    start = text.lstrip()
    return start.startswith(("[", "{")) and ("\t" not in start.split("\n", 1)[0] or _parses(text))


def _parses(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _json_queries(text: str, file: Path) -> Iterator[Query]:
    for line, entry in _entries(text, file):
        yield _query_of(entry, place=f"{file}:{line}", line=line)


def _entries(text: str, file: Path) -> Iterator[tuple[int, Any]]:
    """Yield the members of the list with the lines on which they begin."""
    decoder = json.JSONDecoder()
    place, line, seen = _after_blanks(text, 0), 1, 0
    if text[place] != "[":
        raise UsageError(f"{file}:1: the queries are not a list", hint=JSON_HINT)
    place = _after_blanks(text, place + 1)
    while text[place : place + 1] != "]":
        line, seen = line + text.count("\n", seen, place), place
        try:
            entry, place = decoder.raw_decode(text, place)
        except json.JSONDecodeError as error:
            raise UsageError(f"{file}:{error.lineno}: {error.msg}", hint=JSON_HINT) from error
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{file}:{line}: this cannot be read: {error}", hint=JSON_HINT) from error
        yield line, entry
        place = _after_separator(text, place, file)
    if text[place + 1 :].strip():
        raise UsageError(f"{file}: something follows the list", hint=JSON_HINT)


def _after_blanks(text: str, place: int) -> int:
    while text[place : place + 1] in (" ", "\t", "\r", "\n"):
        place += 1
    return place


def _after_separator(text: str, place: int, file: Path) -> int:
    place = _after_blanks(text, place)
    if text[place : place + 1] == "]":
        return place
    if text[place : place + 1] == ",":
        after = _after_blanks(text, place + 1)
        if text[after : after + 1] != "]":
            return after
    line = text.count("\n", 0, place) + 1
    raise UsageError(f"{file}:{line}: a comma or the end of the list is missing", hint=JSON_HINT)


def _query_of(entry: Any, *, place: str, line: int) -> Query:
    if not isinstance(entry, Mapping):
        raise UsageError(f"{place}: {_short(entry)} is no object with a query", hint=JSON_HINT)
    text, category = entry.get("query"), entry.get("category")
    if not isinstance(text, str) or not text.strip():
        raise UsageError(f"{place}: the query is {_short(text)}", hint=JSON_HINT)
    if not isinstance(category, str | None):
        raise UsageError(f"{place}: the category is {_short(category)}", hint=JSON_HINT)
    targets = [target for name in ("relevant", "secondary") for target in _targets(entry, name, place=place)]
    if not targets:
        raise UsageError(f"{place}: the query {_short(text)} has no relevant path", hint=JSON_HINT)
    return Query(text.strip(), tuple(dict.fromkeys(targets)), category or None, line=line)


def _targets(entry: Mapping[str, Any], name: str, *, place: str) -> list[str]:
    targets = entry.get(name) or []
    if not isinstance(targets, list) or not all(isinstance(item, str) and item.strip() for item in targets):
        raise UsageError(f"{place}: {name} is {_short(targets)}, no list of paths", hint=JSON_HINT)
    return [target.strip() for target in targets]


def _tsv_queries(text: str, file: Path) -> Iterator[Query]:
    """Yield the queries in the order in which they first appear; rows of one query are put together."""
    found: dict[str, Query] = {}
    categories: int | None = None
    for line, row in enumerate(text.split("\n"), start=1):
        if not row.strip() or row.startswith("#"):
            continue
        cells = [cell.strip() for cell in row.rstrip().split("\t")]
        if categories is None:
            categories = HEADERS.get(tuple(cell.lower() for cell in cells))
            if categories is not None:
                continue
            categories = 0
        query = _row_query(cells, place=f"{file}:{line}", line=line, has_category=bool(categories))
        found[query.text] = _joined(found.get(query.text), query, place=f"{file}:{line}")
    yield from found.values()


def _row_query(cells: list[str], *, place: str, line: int, has_category: bool) -> Query:
    text, targets = cells[0], cells[1:]
    category = targets.pop(1) if has_category and len(targets) > 1 else ""
    if not text:
        raise UsageError(f"{place}: the query is empty", hint=TSV_HINT)
    if not targets or not all(targets):
        raise UsageError(f"{place}: the query {_short(text)} has no target", hint=TSV_HINT)
    return Query(text, tuple(dict.fromkeys(targets)), category or None, line=line)


def _joined(known: Query | None, query: Query, *, place: str) -> Query:
    if known is None:
        return query
    if known.category and query.category and known.category != query.category:
        raise UsageError(
            f"{place}: the query {_short(query.text)} has category {query.category!r} here and "
            f"{known.category!r} in line {known.line}",
            hint="give a query one category",
        )
    targets = tuple(dict.fromkeys([*known.targets, *query.targets]))
    return replace(known, targets=targets, category=known.category or query.category)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
