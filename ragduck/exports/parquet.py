"""Write the tables of a store as folders of Parquet files that any engine reads."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ragduck.exports.arrow import batches, schema_of
from ragduck.exports.parquet_files import WrittenFile, write_rows
from ragduck.exports.partitions import Partition, guessed_names, partitions
from ragduck.exports.selection import Names, Selection, select
from ragduck.exports.tables import PARTITIONED_BY, Column, StoredTable, identifier, partitions_of, tables_of
from ragduck.mirror.folder import replaced_folder
from ragduck.progress import NO_PROGRESS, Progress, Stage
from ragduck.store import Database, open_database
from ragduck.store.journal import Journal
from ragduck.version import __version__

FORMAT = "ragduck_parquet_v1"
MANIFEST = "manifest.json"
OF_REPO, OF_BRANCH = "repo = getvariable('exported_repo')", "branch = getvariable('exported_branch')"


@dataclass(frozen=True, slots=True)
class ParquetReport:
    """What an export wrote: rows by table, files, bytes, and what a reader should know."""

    folder: Path
    rows: Mapping[str, int]
    files: int
    size: int
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as `export parquet --json` prints it."""
        return {
            "folder": str(self.folder),
            "tables": dict(self.rows),
            "rows": sum(self.rows.values()),
            "files": self.files,
            "size_bytes": self.size,
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class _Export:
    """One export under way: where from, where to, what of it."""

    database: Database
    folder: Path
    selection: Selection
    places: Mapping[tuple[str, str], Partition]
    stage: Stage


def export_parquet(
    store: str | Path,
    out: str | Path,
    *,
    repos: Names = (),
    branches: Names = (),
    history: bool = False,
    progress: Progress = NO_PROGRESS,
) -> ParquetReport:
    """Write one folder per table, partitioned by repo and branch where it has these columns, and manifest.json.

    The folder takes the place of an earlier export in one step. Conversations and traces are written only with
    ``history``. Raises UsageError for a repository or branch that the store does not hold, ForeignFileError for a
    folder that holds something else.
    """
    target = Path(out)
    with open_database(store) as database:
        selection = select(database, repos, branches)
        tables = tables_of(database, history=history)
        places = _places(database, tables, selection)
        total = sum(_row_count(database, table) for table in tables)
        with (
            replaced_folder(target, manifest_format=FORMAT) as folder,
            progress.stage("rows", total=total if selection.is_everything else None) as stage,
        ):
            export = _Export(database, folder, selection, places, stage)
            files = {table.name: _write_table(export, table) for table in tables}
            notes = _notes(export, tables, history=history)
            _write_manifest(export, tables, files, notes)
    written = [file for of_table in files.values() for file in of_table]
    return ParquetReport(
        folder=target,
        rows={name: sum(file.rows for file in of_table) for name, of_table in files.items()},
        files=len(written),
        size=sum(file.size for file in written),
        notes=notes,
    )


def _places(
    database: Database, tables: Sequence[StoredTable], selection: Selection
) -> Mapping[tuple[str, str], Partition]:
    """Return a folder for each repository and branch of any table, so that they are the same in all."""
    return partitions(
        {
            pair
            for table in tables
            if table.is_partitioned
            for pair in partitions_of(database, table, selection)
        }
    )


def _row_count(database: Database, table: StoredTable) -> int:
    return int(database.rows(f"select count(*) as rows from {identifier(table.name)}")[0]["rows"])


def _write_table(export: _Export, table: StoredTable) -> list[WrittenFile]:
    """Write a table's files; one that is empty leaves a file too, which tells its columns."""
    name = folder_name(table.name)
    files: list[WrittenFile] = []
    if table.is_partitioned:
        columns = [column for column in table.chosen() if column.name not in PARTITIONED_BY]
        for pair in partitions_of(export.database, table, export.selection):
            place = export.places[pair]
            path = f"{name}/{place.folder}/part-0.parquet"
            rows = _write_file(export, table, columns, path=path, place=place)
            files.append(_described(export, path, rows, place=place))
    if not files:
        path = f"{name}/part-0.parquet"
        files.append(_described(export, path, _write_file(export, table, table.chosen(), path=path)))
    return files


def _write_file(
    export: _Export,
    table: StoredTable,
    columns: Sequence[Column],
    *,
    path: str,
    place: Partition | None = None,
) -> int:
    variables = export.selection.variables
    conditions: tuple[str, ...] = ()
    if place is not None:
        variables |= {"exported_repo": place.repo, "exported_branch": place.branch}
        conditions = (OF_REPO, OF_BRANCH)
    sql = table.query(columns, export.selection, conditions=conditions)
    schema = schema_of(export.database, sql, columns, variables)
    rows = batches(export.database, sql, columns, variables=variables)
    return write_rows(export.folder / path, schema, rows, stage=export.stage)


def _described(export: _Export, path: str, rows: int, *, place: Partition | None = None) -> WrittenFile:
    size = (export.folder / path).stat().st_size
    return WrittenFile(path, rows, size, place.repo if place else None, place.branch if place else None)


def _notes(export: _Export, tables: Sequence[StoredTable], *, history: bool) -> tuple[str, ...]:
    notes = []
    if not history:
        notes.append("conversations and traces are left out; --history takes them along")
    elif (journal := Journal(export.database.path)).exists:
        notes.append(f"what was said last waits in {journal.path.name} and is not in the tables yet")
    if not export.selection.is_everything:
        whole = [table.name for table in tables if not table.owners]
        notes.append(f"about the whole store, so not filtered: {', '.join(whole)}")
    if guessed := guessed_names(list(export.places.values())):
        named = ", ".join(guessed[:3]) + (" …" if len(guessed) > 3 else "")
        notes.append(f"tell readers that repo and branch are text, or they make something else of {named}")
    return tuple(notes)


def _write_manifest(
    export: _Export,
    tables: Sequence[StoredTable],
    files: Mapping[str, Sequence[WrittenFile]],
    notes: Sequence[str],
) -> None:
    manifest = {
        "format": FORMAT,
        "created_at_utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "ragduck_version": __version__,
        "store": export.database.path.name,
        "store_schema_version": export.database.meta.get("schema_version"),
        "embedding_model": export.database.meta.get("embedding_model"),
        "repos": list(export.selection.repos),
        "branches": list(export.selection.branches),
        "partition_types": dict.fromkeys(PARTITIONED_BY, "string"),
        "notes": list(notes),
        "tables": {table.name: _described_table(table, files[table.name]) for table in tables},
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=2)
    (export.folder / MANIFEST).write_text(text + "\n", encoding="utf-8")


def _described_table(table: StoredTable, files: Sequence[WrittenFile]) -> dict[str, Any]:
    return {
        "comment": table.comment,
        "folder": folder_name(table.name),
        "rows": sum(file.rows for file in files),
        "partitioned_by": list(PARTITIONED_BY) if files[0].repo is not None else [],
        "columns": [
            {"name": column.name, "store_type": column.data_type, "comment": column.comment}
            for column in table.chosen()
        ],
        "computed_columns_left_out": [column.name for column in table.columns if column.is_computed],
        "files": [
            {name: value for name, value in asdict(file).items() if value is not None} for file in files
        ],
    }


def folder_name(table: str) -> str:
    """Return the folder of a table, which stays below that of the export whatever the table is called."""
    return quote(table, safe="").replace(".", "%2E")
