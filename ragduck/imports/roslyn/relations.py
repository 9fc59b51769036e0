"""Name relations as the store does, whatever a bundle calls them."""

from __future__ import annotations

RELATIONS = (
    "Calls", "Inherits", "Implements", "Uses", "Contains", "Injects", "ReadsFrom", "WritesTo", "Executes",
    "ForeignKey", "On", "SynonymFor", "MapsTo", "SchemaChange", "Handles", "LeadsTo",
)  # fmt: skip
_KNOWN = {relation.casefold(): relation for relation in RELATIONS}
_ALIASES = {
    "call": "Calls", "csdep": "Calls", "invokes": "Calls", "exec": "Executes", "execute": "Executes",
    "reads": "ReadsFrom", "writes": "WritesTo", "fk": "ForeignKey", "references": "ForeignKey",
    "synonym": "SynonymFor", "maps": "MapsTo", "datachange": "WritesTo", "depends": "Uses", "dependson": "Uses",
}  # fmt: skip
_OF_SQL_KIND = {"PROC": "Executes", "FUNC": "Calls", "SEQUENCE": "Uses", "TYPE": "Uses"}


def relation_named(written: str) -> str | None:
    """Return the relation that is meant; None for one that is not known."""
    plain = written.casefold().removeprefix("sql_").replace("_", "").replace(" ", "")
    return _KNOWN.get(plain) or _ALIASES.get(plain)


def use_of(to_key: str) -> str:
    """Return how a database object is used of which only that is known: procedures are run, tables are read."""
    return _OF_SQL_KIND.get(to_key.rpartition("|")[2], "ReadsFrom")
