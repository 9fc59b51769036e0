"""Tell which node does what a statement says."""

from __future__ import annotations

from ragduck.facts import FileFacts, ReferenceFact
from ragduck.graph.database.catalog import DatabaseCatalog
from ragduck.graph.database.versions import MIGRATION, MODULES, rank_of


def source_of(reference: ReferenceFact, file: FileFacts, database: DatabaseCatalog) -> tuple[str | None, str]:
    """Return the node that a reference counts for, and its schema; None where this version of it does not count."""
    written = reference.source
    if written.endswith("|FILE"):
        return written, file.module
    if file.file_class == MIGRATION:
        written = database.renames.key_after(written, path=file.path, line=reference.line)
    key = database.key_of(written)
    if key is None:  # what is altered but never created here
        is_present = file.file_class != MIGRATION and written.endswith("|TABLE")
        return (written if is_present else None), ""
    definition = database.definitions[key][0]
    fact = definition.fact
    if fact.kind in MODULES:
        counts = database.defines(key, path=file.path, line=reference.line)
    else:  # tables are also altered elsewhere
        counts = definition.file is None or rank_of(file) <= rank_of(definition.file)
    return (key if counts else None), fact.name.schema or fact.default_schema
