"""Read an export of Parquet files back, with repository and branch as the text they are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds

from ragduck.errors import SourceError, UsageError
from ragduck.exports.parquet import FORMAT, MANIFEST, folder_name
from ragduck.exports.tables import PARTITIONED_BY
from ragduck.untrusted_json import read_json

HIVE = ds.partitioning(pa.schema([(name, pa.string()) for name in PARTITIONED_BY]), flavor="hive")


def open_parquet(folder: str | Path, table: str) -> ds.Dataset:
    """Return one table of an export as a dataset to scan, filter or hand to other engines.

    Raises SourceError for a folder that is no export, UsageError for a table that it does not hold.
    """
    place = Path(folder)
    tables = _tables(place)
    if table not in tables:
        raise UsageError(f"{place} holds no table {table!r}", hint=f"it holds {', '.join(tables)}")
    partitioning = HIVE if tables[table].get("partitioned_by") else None
    return ds.dataset(place / folder_name(table), format="parquet", partitioning=partitioning)


def _tables(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    try:
        manifest = read_json((folder / MANIFEST).read_bytes())
    except (OSError, ValueError) as error:
        raise _refused(folder) from error
    tables = manifest.get("tables") if isinstance(manifest, dict) else None
    if not isinstance(tables, dict) or manifest.get("format") != FORMAT:
        raise _refused(folder)
    return {name: described for name, described in tables.items() if isinstance(described, dict)}


def _refused(folder: Path) -> SourceError:
    return SourceError(
        f"{folder} is no export of a store", hint="make one with: ragduck export parquet STORE FOLDER"
    )
