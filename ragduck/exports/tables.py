"""The tables of a store as exports see them: columns, what is computed, what belongs to a selection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ragduck.errors import StoreError, UsageError
from ragduck.exports.selection import Selection
from ragduck.resources import sql_text
from ragduck.store import Database

# Words of people: they leave the file only when that is asked for.
PRIVATE_TABLES = frozenset({"conversations", "turns", "history_summaries", "pipeline_runs", "pipeline_steps"})
PARTITIONED_BY = ("repo", "branch")
OF_SELECTION = (
    "coalesce(list_contains(getvariable('exported_repos')::varchar[], repo), true)",
    "coalesce(list_contains(getvariable('exported_branches')::varchar[], branch), true)",
)
# Rows of tables without repo and branch belong to what they number; types tell nodes from chunks.
OWNED_BY = {
    ("chunk_no", "INTEGER"): "chunk_no in (select chunk_no from selected_documents)",
    ("doc_id", "VARCHAR"): "doc_id in (select doc_id from selected_documents)",
    ("node_id", "VARCHAR"): "node_id in (select node_id from selected_documents)",
    ("node_id", "INTEGER"): "node_id in (select node_id from selected_nodes)",
    ("neighbour_id", "INTEGER"): "neighbour_id in (select node_id from selected_nodes)",
    ("file_no", "INTEGER"): "file_no in (select file_no from selected_files)",
    ("term_key", "BIGINT"): "term_key in (select term_key from selected_terms)",
}
# Types that Parquet or readers of it lack. A 128-bit integer holds signs as bits and would lose some as a number.
WRITTEN_AS_TEXT = (
    "JSON",
    "ENUM",
    "UUID",
    "BIT",
    "INTERVAL",
    "UNION",
    "VARIANT",
    "GEOMETRY",
    "BIGNUM",
    "VARINT",
)
WRITTEN_AS_BITS = frozenset({"HUGEINT", "UHUGEINT"})


@dataclass(frozen=True, slots=True)
class Column:
    """A column; one that ``is_computed`` repeats what others hold."""

    name: str
    data_type: str
    comment: str
    is_computed: bool
    is_nullable: bool

    @property
    def expression(self) -> str:
        """The SQL that reads it as a type that every engine knows."""
        name = identifier(self.name)
        if self.data_type in WRITTEN_AS_BITS:
            return f"{name}::bit::blob as {name}"
        if self.data_type.split("(")[0] in WRITTEN_AS_TEXT:
            return f"{name}::varchar as {name}"
        return name


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table of the file, its columns in order."""

    name: str
    comment: str
    columns: tuple[Column, ...]

    @property
    def tells_snapshot(self) -> bool:
        """Whether it has columns for repository and branch."""
        return len(self._of_snapshot) == len(PARTITIONED_BY)

    @property
    def is_partitioned(self) -> bool:
        """Whether each row names its repository and branch."""
        return self.tells_snapshot and not any(column.is_nullable for column in self._of_snapshot)

    @property
    def _of_snapshot(self) -> tuple[Column, ...]:
        return tuple(
            column
            for column in self.columns
            if column.name in PARTITIONED_BY and column.data_type == "VARCHAR"
        )

    @property
    def owners(self) -> tuple[str, ...]:
        """The conditions that leave the rows of a selection; none when the table is about the whole store."""
        if self.tells_snapshot:
            return OF_SELECTION
        return tuple(
            OWNED_BY[key] for column in self.columns if (key := (column.name, column.data_type)) in OWNED_BY
        )

    def chosen(self, names: Sequence[str] = ()) -> tuple[Column, ...]:
        """Return the columns asked for, or all that are not computed; UsageError for one that is not there."""
        known = {column.name: column for column in self.columns}
        for name in names:
            if name not in known:
                raise UsageError(
                    f"table {self.name} has no column {name!r}", hint=f"it has {', '.join(known)}"
                )
        if names:
            return tuple(known[name] for name in dict.fromkeys(names))
        return tuple(column for column in self.columns if not column.is_computed)

    def query(
        self, columns: Sequence[Column], selection: Selection, *, conditions: Sequence[str] = ()
    ) -> str:
        """Return the SQL that reads columns of the selected rows, or of those that meet the conditions given."""
        owners = () if selection.is_everything or conditions else self.owners
        shown = ", ".join(column.expression for column in columns)
        head = sql_text("exports/selected.sql") if owners and not self.tells_snapshot else ""
        where = " and ".join([*owners, *conditions])
        return f"{head}\nselect {shown} from {identifier(self.name)}" + (f" where {where}" if where else "")


def tables_of(database: Database, *, history: bool = True) -> tuple[StoredTable, ...]:
    """Return the tables of the file in order of their names; without ``history`` not those of conversations."""
    rows = database.rows(sql_text("exports/columns.sql"))
    tables = []
    for name, group in groupby(rows, key=lambda row: row["table_name"]):
        if name in PRIVATE_TABLES and not history:
            continue
        of_table = list(group)
        columns = tuple(
            Column(
                row["column_name"],
                row["data_type"],
                row["comment"] or "",
                row["is_computed"],
                row["is_nullable"],
            )
            for row in of_table
        )
        tables.append(StoredTable(name, of_table[0]["table_comment"] or "", columns))
    return tuple(tables)


def table_named(database: Database, name: str) -> StoredTable:
    """Return one table; UsageError when there is none of this name."""
    tables = {table.name: table for table in tables_of(database)}
    if name not in tables:
        raise UsageError(f"the store has no table {name!r}", hint=f"it has {', '.join(tables)}")
    return tables[name]


def require_graph(database: Database) -> None:
    """Raise StoreError for a file without a graph, such as one that sqlrooms-rag made."""
    names = {table.name for table in tables_of(database)}
    if missing := sorted({"nodes", "edges", "snapshots"} - names):
        raise StoreError(
            f"{database.path} has no graph to export: there is no table {missing[0]}",
            hint="prepare a store from the sources: ragduck prepare FOLDER -o STORE",
        )


def partitions_of(database: Database, table: StoredTable, selection: Selection) -> Iterator[tuple[str, str]]:
    """Yield repository and branch of the selected rows, in order; only for a partitioned table."""
    name = identifier(table.name)
    for row in database.rows(f"select distinct repo, branch from {name} order by repo, branch"):
        if selection.takes(row["repo"], row["branch"]):
            yield row["repo"], row["branch"]


def identifier(name: str) -> str:
    """Return a name as SQL takes it, whatever it holds."""
    return '"' + name.replace('"', '""') + '"'
