"""The one DuckDB file: building it, opening it, reading from it. No other package opens DuckDB.

Building is in `ragduck.store.builder` and `ragduck.store.arrow`: reading must not wait for numpy and pyarrow.
"""

from ragduck.store.connection import Database, open_database
from ragduck.store.schema import SCHEMA_VERSION

__all__ = ["SCHEMA_VERSION", "Database", "open_database"]
