"""Find what a question calls by its name: a search by words may put what mentions it before the thing itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ragduck.pipeline.question.words import is_identifier, plural, singular
from ragduck.resources import sql_text
from ragduck.search.fields import Filters
from ragduck.search.places import FILE_ENDING, MOST_FILES

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

Chunks = Callable[[Filters], Sequence[Mapping[str, Any]]]

MAX_OF_NAME = 4  # nodes of one name; more of them say that it is nothing special
MAX_TELLERS = 8  # of one object: filters may leave out some


def named_nodes(
    rows: Rows, names: Sequence[str], *, repo: str | None = None, branch: str | None = None
) -> tuple[str, ...]:
    """Return the keys of the nodes that bear a name, in order of the names, with one statement, and one for files.

    Of a column, `dbo.Invoice.Status`, which is no node of its own, the table is taken; of a member that is none, its
    type. What is the name of a file stands for that alone.
    """
    spellings = {name: _spellings(name) for name in names}
    asked = {
        spelling.partition("|")[0]: is_identifier(name)
        for name, made in spellings.items()
        for spelling in made
    }
    if not asked:
        return ()
    parameters: dict[str, object] = {
        "names": list(asked),
        "identifiers": list(asked.values()),
        "top_n": MAX_OF_NAME + 1,
        "repo": repo,
        "branch": branch,
    }
    found: dict[str, list[str]] = {}
    for row in rows(sql_text("pipeline/named_nodes.sql"), parameters):
        found.setdefault(row["name"], []).append(str(row["node_key"]))
    files = _named_files(rows, names, repo=repo, branch=branch)
    return tuple(
        dict.fromkeys(
            key
            for name, made in spellings.items()
            for key in (files.get(name.lower()) or _first(found, made))
        )
    )


def _named_files(
    rows: Rows, names: Sequence[str], *, repo: str | None, branch: str | None
) -> dict[str, list[str]]:
    """Return the keys of the files that bear a name, by the name in small letters."""
    written = [name.lower() for name in names if FILE_ENDING.search(name)]
    if not written:
        return {}
    asked: dict[str, object] = {"names": written, "top_n": MOST_FILES, "repo": repo, "branch": branch}
    found: dict[str, list[str]] = {}
    for row in rows(sql_text("pipeline/named_files.sql"), asked):
        found.setdefault(row["name"], []).append(str(row["node_key"]))
    return found


def declared_names(
    rows: Rows, names: Sequence[str], *, repo: str | None = None, branch: str | None = None
) -> tuple[str, ...]:
    """Return the names with, in place of each member that a type inherits, the type and the member as declared.

    Of `IOrderRepository.GetById`, which `IRepository` declares, come `IOrderRepository` and `IRepository.GetById`.
    """
    members = [name for name in names if "." in name.strip("@.") and "|" not in name]
    if not members:
        return tuple(names)
    parameters: dict[str, object] = {"names": members, "repo": repo, "branch": branch}
    found = {
        row["name"]: (str(row["type_name"]), str(row["declared"]))
        for row in rows(sql_text("pipeline/declared_names.sql"), parameters)
    }
    return tuple(dict.fromkeys(each for name in names for each in found.get(name, (name,))))


def _spellings(name: str) -> tuple[str, ...]:
    """Return what to look up for a name, the best first."""
    if is_identifier(name):
        owner = name.strip("@.").rpartition(".")[0]
        return (name, owner) if owner else (name,)
    return tuple(dict.fromkeys((name, singular(name), plural(singular(name)))))


def _first(found: dict[str, list[str]], spellings: Iterable[str]) -> Sequence[str]:
    known = [keys for keys in (_of_kind(found, spelling) for spelling in spellings) if keys]
    keys = known[0] if known else []
    tables = [key for others in known[1:] for key in others if key.endswith(("|TABLE", "|VIEW"))]
    return [*tables, *keys] if len(keys) <= MAX_OF_NAME else tables


def _of_kind(found: dict[str, list[str]], spelling: str) -> list[str]:
    """Return the keys that bear a name, only those of its kind if it is written with one that is there."""
    name, _, kind = spelling.partition("|")
    keys = found.get(name, [])
    return [key for key in keys if kind and key.endswith(f"|{kind}")] or keys


def undefined_objects(
    rows: Rows, chunks: Chunks, keys: Sequence[str], *, repo: str | None = None, branch: str | None = None
) -> dict[str, Mapping[str, Any]]:
    """Return hits for objects of the database that no file defines: each is the chunk of what tells most of it.

    A system that is written code first has all of its tables as entities. ``chunks`` returns the chunks of a filter.
    """
    parameters: dict[str, object] = {
        "keys": list(keys),
        "top_n": MAX_TELLERS,
        "repo": repo,
        "branch": branch,
    }
    told = rows(sql_text("pipeline/tellers.sql"), parameters)
    if not told:
        return {}
    tellers = sorted({str(row["told_by"]) for row in told})
    by_key = {str(hit["node_key"]): hit for hit in chunks({"node_key": tellers, "chunk_part": [0]})}
    found: dict[str, Mapping[str, Any]] = {}
    for row in told:
        hit = by_key.get(str(row["told_by"]))
        if hit is not None:
            found.setdefault(str(row["node_key"]), _told(row, hit))
    return found


def held_nodes(
    rows: Rows, chunks: Chunks, keys: Sequence[str], *, repo: str | None = None, branch: str | None = None
) -> dict[str, Mapping[str, Any]]:
    """Return hits for nodes that have no chunk of their own: each is the chunk that holds the node's first line.

    So are members of interfaces, most properties, and methods of one line. ``chunks`` returns the chunks of a filter.
    """
    parameters: dict[str, object] = {"keys": list(keys), "repo": repo, "branch": branch}
    held = rows(sql_text("pipeline/holding_chunks.sql"), parameters)
    if not held:
        return {}
    by_id = {str(hit["id"]): hit for hit in chunks({"id": sorted({str(row["id"]) for row in held})})}
    found: dict[str, Mapping[str, Any]] = {}
    for row in held:
        hit = by_id.get(str(row["id"]))
        if hit is not None:
            found.setdefault(str(row["node_key"]), _held(row, hit))
    return found


def _held(row: Mapping[str, Any], hit: Mapping[str, Any]) -> dict[str, Any]:
    """Return the hit under the name of the node that it holds; ``holder`` is what the chunk is of."""
    of_others = dict.fromkeys(("cs_key", "member_kind", "visibility", "signature"))
    own = {"node_key": row["node_key"], "kind": row["kind"], "name": row["name"], "member": row["name"]}
    named = {"node_id": row["node_key"], "element_name": row["name"], "element_type": row["kind"].lower()}
    return {**hit, **of_others, **own, **named, "holder": hit["node_key"]}


def _told(row: Mapping[str, Any], hit: Mapping[str, Any]) -> dict[str, Any]:
    """Return the hit under the name of the object that it tells of; ``entity`` is the class of a table."""
    of_code = dict.fromkeys(("class", "member", "cs_key", "member_kind", "visibility", "signature"))
    own = {name: row[name] for name in ("node_key", "kind", "schema", "name")}
    named = {"node_id": row["node_key"], "element_name": row["name"], "element_type": row["kind"].lower()}
    entity = row["told_by"] if row["is_entity"] else None
    key = row["node_key"].partition("|")[0]
    return {**hit, **of_code, **own, **named, "data_type": "db_code", "db_key": key, "entity": entity}
