"""sqlite-vec's brute force table with metadata columns, and FTS5 over the same rows, in one SQLite file.

Through apsw, because many builds of Python's own sqlite3 cannot load extensions. The fusion is one SQL statement, as
the author of sqlite-vec shows it.
"""

from __future__ import annotations

import re
from pathlib import Path

import apsw
import numpy as np
import sqlite_vec
from contract import FUSED, RRF_K, Filter, Hit
from numpy.typing import NDArray
from rows import matrix_of, read_rows

WORD = re.compile(r"\w+")
MAPPED = 4_000_000_000  # bytes of the file read without a copy

SCHEMA = """
create table rows (id integer primary key, text text, repo text, kind text, path text, start_line integer);
create virtual table words using fts5(text, content='rows', content_rowid='id');
create virtual table vectors using vec0(
    id integer primary key, embedding float[{dimension}], repo text, kind text
);
"""
KEYWORD = """
select rows.id, rows.text
from (select rowid, rank from words where words match :words order by rank limit :k) as best
join rows on rows.id = best.rowid
order by best.rank
"""
NEAREST = """
select rows.id, rows.text
from (select id, distance from vectors where embedding match :vector and k = :k {filters}) as best
join rows on rows.id = best.id
order by best.distance
"""
HYBRID = f"""
with near as (
    select id, row_number() over (order by distance) as place
    from vectors
    where embedding match :vector and k = {FUSED}
),
worded as (
    select rowid as id, row_number() over (order by rank) as place
    from (select rowid, rank from words where words match :words order by rank limit {FUSED})
),
best as (
    select
        coalesce(near.id, worded.id) as id,
        coalesce(1.0 / ({RRF_K} + near.place), 0) + coalesce(1.0 / ({RRF_K} + worded.place), 0) as score
    from near
    full outer join worded on worded.id = near.id
    order by score desc, 1
    limit :k
)
select rows.id, rows.text
from best
join rows on rows.id = best.id
order by best.score desc, rows.id
"""


def build(rows: Path, folder: Path) -> None:
    """Write the file in one transaction."""
    table = read_rows(rows)
    vectors = matrix_of(table)
    columns = ("id", "text", "repo", "kind", "path", "start_line")
    plain = [table[name].to_pylist() for name in columns]
    with _connection(folder) as connection:
        connection.execute(SCHEMA.format(dimension=vectors.shape[1]))
        connection.executemany("insert into rows values (?, ?, ?, ?, ?, ?)", zip(*plain, strict=True))
        connection.executemany(
            "insert into vectors (id, embedding, repo, kind) values (?, ?, ?, ?)",
            zip(plain[0], map(np.ndarray.tobytes, vectors), plain[2], plain[3], strict=True),
        )
        connection.execute("insert into words (words) values ('rebuild')")
        connection.execute("insert into words (words) values ('optimize')")


def _connection(folder: Path) -> apsw.Connection:
    connection = apsw.Connection(str(folder / "rows.sqlite"))
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.execute(f"pragma mmap_size = {MAPPED}")
    return connection


class Tables:
    """The open file."""

    def __init__(self, folder: Path) -> None:
        self._connection = _connection(folder)

    def keyword(self, text: str, k: int) -> list[Hit]:
        return self._rows(KEYWORD, words=_any_of(text), k=k)

    def vector(self, vector: NDArray[np.float32], k: int) -> list[Hit]:
        return self._rows(NEAREST.format(filters=""), vector=vector.tobytes(), k=k)

    def filtered(self, vector: NDArray[np.float32], where: Filter, k: int) -> list[Hit]:
        field, value = where
        sql = NEAREST.format(filters=f"and {field} = :value")
        return self._rows(sql, vector=vector.tobytes(), k=k, value=value)

    def hybrid(self, text: str, vector: NDArray[np.float32], k: int) -> list[Hit]:
        return self._rows(HYBRID, words=_any_of(text), vector=vector.tobytes(), k=k)

    def _rows(self, sql: str, **parameters: object) -> list[Hit]:
        return list(self._connection.execute(sql, parameters))


def _any_of(text: str) -> str:
    """Return an FTS5 expression that any of the words fulfils; bare words would all be required."""
    return " or ".join(f'"{word}"' for word in WORD.findall(text)).replace(" or ", " OR ")


def open_peer(folder: Path) -> Tables:
    """Open the file."""
    return Tables(folder)
