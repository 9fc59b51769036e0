"""The one DuckDB file: building it, opening it, reading from it. No other package opens DuckDB."""

from ragduck.store.arrow import DocumentRows, document_rows
from ragduck.store.builder import StoreBuilder
from ragduck.store.connection import Database, open_database
from ragduck.store.schema import SCHEMA_VERSION

__all__ = [
    "SCHEMA_VERSION",
    "Database",
    "DocumentRows",
    "StoreBuilder",
    "document_rows",
    "open_database",
]
