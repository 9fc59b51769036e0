"""Tool `info`: what the store holds, and what a model needs to know to ask it in SQL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ragduck import cookbook
from ragduck.errors import UsageError
from ragduck.mcp_server.answers import BranchData, InfoData, NamedText, TableData
from ragduck.mcp_server.arguments import InfoArguments
from ragduck.mcp_server.live_store import OpenStore
from ragduck.mcp_server.reply import Reply, reply_text
from ragduck.resources import sql_text

NOTES = (
    "edges.from_id and to_id are nodes.node_id; documents.node_key is the nodes.node_key of a chunk",
    "macros stand in FROM, parameters go by name: select * from neighbours('dbo.Invoice', depth := 1)",
)


def info(opened: OpenStore, arguments: InfoArguments) -> Reply:
    """Tell of the store, its schema or the cookbook."""
    tellers = {"store": _store, "schema": _schema, "cookbook": _cookbook}
    if arguments.name is not None and arguments.about == "store":
        raise UsageError(
            "name goes with schema or cookbook", hint="give about schema and the name of a table"
        )
    data = tellers[arguments.about](opened, arguments.name)
    return Reply(reply_text("\n".join(_lines(data)), notes=data.notes), data)


def _store(opened: OpenStore, _: str | None) -> InfoData:
    store = opened.store
    facts, freshness = store.info(), store.freshness()
    branches = [
        BranchData(
            repo=snapshot.repo,
            branch=snapshot.branch,
            commit=snapshot.commit_sha,
            prepared_at=snapshot.prepared_at.isoformat(timespec="seconds"),
            freshness=fresh.text,
            files=snapshot.files,
            chunks=snapshot.chunks,
            nodes=snapshot.nodes,
            edges=snapshot.edges,
        )
        for snapshot, fresh in zip(facts.snapshots, freshness, strict=True)
    ]
    totals = {name: count for name, count in facts.totals.items() if name not in ("terms", "postings")}
    chunks_by = {field: dict(counts) for field, counts in facts.chunks_by.items()}
    return InfoData(
        store=str(store.path),
        model=store.model.name if store.model else None,
        branches=branches,
        totals=totals,
        chunks_by=chunks_by,
        relations={row["relation"]: row["edges"] for row in _rows(opened, "relations")},
        notes=[] if store.model else ["the store has no vectors: search by keyword"],
    )


def _schema(opened: OpenStore, name: str | None) -> InfoData:
    columns = _rows(opened, "columns", name=name)
    if name is not None:
        if not columns:
            raise UsageError(
                f"there is no table or view {name!r}", hint="see info about schema without a name"
            )
        found = [_column(row, commented=True) for row in columns]
        return InfoData(store=str(opened.store.path), tables=[TableData(name=name, columns=found)])
    by_table: dict[str, list[str]] = {}
    for row in columns:
        by_table.setdefault(row["table_name"], []).append(_column(row, commented=False))
    tables = [
        TableData(
            name=row["name"],
            comment=row["comment"],
            columns=by_table[row["name"]] if row["is_asked"] else None,
        )
        for row in _rows(opened, "tables")
    ]
    macros = [NamedText(name=row["name"], comment=row["comment"] or "") for row in _rows(opened, "macros")]
    return InfoData(store=str(opened.store.path), tables=tables, macros=macros, notes=list(NOTES))


def _column(row: Mapping[str, Any], *, commented: bool) -> str:
    comment = f": {row['comment']}" if commented and row["comment"] else ""
    return f"{row['column_name']} {row['data_type']}{comment}"


def _cookbook(opened: OpenStore, name: str | None) -> InfoData:
    if name is not None:
        return InfoData(store=str(opened.store.path), sql=cookbook.query(name.removeprefix("@")))
    queries = [NamedText(name=query, comment=question) for query, question in cookbook.questions()]
    return InfoData(
        store=str(opened.store.path), queries=queries, notes=["run one: sql with statement @NAME"]
    )


def _rows(opened: OpenStore, query: str, **parameters: object) -> list[dict[str, Any]]:
    return opened.store.rows(sql_text(f"mcp/{query}.sql"), parameters)


def _lines(data: InfoData) -> Iterator[str]:
    yield f"store {data.store}" + (f", vectors of {data.model}" if data.model else "")
    for branch in data.branches or ():
        yield (
            f"branch {branch.repo}, {branch.branch}: commit {(branch.commit or 'none')[:10]}, prepared "
            f"{branch.prepared_at}, {branch.freshness}; {branch.files:,} files, {branch.chunks:,} chunks"
        )
    chunks = {f"chunks by {field}": counts for field, counts in (data.chunks_by or {}).items()}
    for name, values in {"totals": data.totals, "edges": data.relations, **chunks}.items():
        if values:
            yield f"{name}: " + ", ".join(f"{key} {value:,}" for key, value in values.items())
    for table in data.tables or ():
        yield f"{table.name}" + (f" -- {table.comment}" if table.comment else "")
        yield from _column_lines(table.columns or ())
    for named in (*(data.macros or ()), *(data.queries or ())):
        yield f"{named.name} -- {named.comment}"
    if data.sql:
        yield data.sql


def _column_lines(columns: Sequence[str]) -> Iterator[str]:
    """Yield a line for each column that is commented, else one for all of them."""
    if any(": " in column for column in columns):
        yield from (f"  {column}" for column in columns)
    elif columns:
        yield f"  {', '.join(columns)}"
