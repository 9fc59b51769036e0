"""DuckDB's own extensions: fts for keywords; for vectors an exact scan, or the HNSW index of vss kept in the file."""

from __future__ import annotations

import importlib
from pathlib import Path

import duckdb
import numpy as np
from contract import FUSED, Filter, Hit, fused
from numpy.typing import NDArray

DIMENSION = 384

KEYWORD = """
select id, {columns}
from (select id, text, fts_main_rows.match_bm25(id, $words) as score from rows)
where score is not null
order by score desc
limit $k
"""
NEAREST = """
select id, {columns}
from rows
{filters}
order by array_negative_inner_product(embedding, $vector::float[{dimension}])
limit $k
"""


def build(rows: Path, folder: Path, *, index: str) -> None:
    """Write the file with its indexes."""
    connection = _connection(folder)
    connection.execute(
        f"create table rows as select * replace (embedding::float[{DIMENSION}] as embedding) "
        "from read_parquet($rows)",
        {"rows": str(rows)},
    )
    connection.execute("pragma create_fts_index('rows', 'id', 'text')")
    if index == "hnsw":
        connection.execute("set hnsw_enable_experimental_persistence = true")
        connection.execute("create index nearest on rows using hnsw (embedding) with (metric = 'ip')")
    connection.execute("checkpoint")
    connection.close()


def _connection(folder: Path, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """Open the file with the extensions that the packages bring; nothing is downloaded."""
    connection = duckdb.connect(str(folder / "rows.duckdb"), read_only=read_only)
    for name in ("fts", "vss"):
        package = Path(importlib.import_module(f"duckdb_extension_{name}").__path__[0])
        file = package / "extensions" / f"v{duckdb.__version__}" / f"{name}.duckdb_extension"
        connection.execute(f"load '{file}'")
    return connection


class Tables:
    """The open file."""

    def __init__(self, folder: Path, *, index: str) -> None:
        self._connection = _connection(folder, read_only=True)
        if index == "hnsw":
            self._require_index()

    def _require_index(self) -> None:
        """Refuse to measure a scan as an index: whether the plan takes it hangs on the shape of the query."""
        sql = f"explain {self._nearest_sql()}"
        plan = self._connection.execute(sql, {"vector": [0.1] * DIMENSION, "k": 10}).fetchall()
        if "HNSW_INDEX_SCAN" not in str(plan):
            raise RuntimeError("the plan of a vector search does not use the HNSW index")

    def keyword(self, text: str, k: int) -> list[Hit]:
        return self._rows(KEYWORD.format(columns="text"), words=text, k=k)

    def vector(self, vector: NDArray[np.float32], k: int) -> list[Hit]:
        return self._rows(self._nearest_sql(), vector=vector.tolist(), k=k)

    def filtered(self, vector: NDArray[np.float32], where: Filter, k: int) -> list[Hit]:
        field, value = where
        sql = self._nearest_sql(filters=f"where {field} = $value")
        return self._rows(sql, vector=vector.tolist(), k=k, value=value)

    def hybrid(self, text: str, vector: NDArray[np.float32], k: int) -> list[Hit]:
        worded = self._rows(KEYWORD.format(columns="score"), words=text, k=FUSED)
        near = self._rows(self._nearest_sql(columns="repo"), vector=vector.tolist(), k=FUSED)
        best = fused([[row for row, _ in worded], [row for row, _ in near]], k)
        found = dict(self._rows("select id, text from rows where id in (select unnest($best))", best=best))
        return [(row, found[row]) for row in best]

    def _nearest_sql(self, *, columns: str = "text", filters: str = "") -> str:
        return NEAREST.format(columns=columns, filters=filters, dimension=DIMENSION)

    def _rows(self, sql: str, **parameters: object) -> list[Hit]:
        return self._connection.execute(sql, parameters).fetchall()


def open_peer(folder: Path, *, index: str) -> Tables:
    """Open the file for reading."""
    return Tables(folder, index=index)
