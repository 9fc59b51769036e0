"""Tell by a type's name that what it executes is sent to a database."""

from __future__ import annotations

import re

from ragduck.graph.types.catalog import Catalog, TypeRef

_OF_DATABASE = re.compile(
    r"(?:^I?|[a-z0-9_])(?:D[bB]|(?:Sql|SQL)(?:ite)?|Database|Dapper|Odbc|OleDb|Jdbc|Npgsql|Postgres|Oracle|D(?:ao|AO)"
    r"|(?:Data|Object)Context|Data(?:Connection|Access|Provider|Layer))(?![a-z])"
)


def is_of_database(catalog: Catalog, ref: TypeRef | None) -> bool:
    """Say whether a type is called after a database, as `IDbConnection` is, or derives from one that is."""
    if ref is None:
        return False
    if _OF_DATABASE.search(ref.name):
        return True
    return ref.info is not None and any(_OF_DATABASE.search(one.name) for one in catalog.ancestors(ref.info))
