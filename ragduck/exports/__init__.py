"""Copies of what a store holds in formats of other tools: Parquet, Arrow, GraphML and CSV.

Nothing heavy is imported until an export is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragduck.exports.arrow import arrow_batches, arrow_table
    from ragduck.exports.graph import GraphReport, export_graph_csv, export_graphml
    from ragduck.exports.parquet import ParquetReport, export_parquet
    from ragduck.exports.parquet_reading import open_parquet

__all__ = [
    "GraphReport",
    "ParquetReport",
    "arrow_batches",
    "arrow_table",
    "export_graph_csv",
    "export_graphml",
    "export_parquet",
    "open_parquet",
]

_HOMES = {
    "GraphReport": "graph",
    "ParquetReport": "parquet",
    "arrow_batches": "arrow",
    "arrow_table": "arrow",
    "export_graph_csv": "graph",
    "export_graphml": "graph",
    "export_parquet": "parquet",
    "open_parquet": "parquet_reading",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ragduck.exports' has no attribute {name!r}")
    return getattr(import_module(f"ragduck.exports.{_HOMES[name]}"), name)
