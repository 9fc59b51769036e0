"""The questions people ask of a system, as queries that ship with ragduck: `sql/cookbook`."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from ragduck.errors import UsageError
from ragduck.resources import sql_files


def questions() -> Iterator[tuple[str, str]]:
    """Yield the name of each query, `@` before it, and the question it answers."""
    for path in sql_files("cookbook"):
        yield f"@{path.stem}", path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("-- ")


def query(name: str) -> str:
    """Return a query of the cookbook. Raises UsageError for a name that is not in it."""
    queries = {path.stem: path for path in sql_files("cookbook")}
    if name not in queries:
        close = difflib.get_close_matches(name, queries, n=1)
        meant = f"; did you mean @{close[0]}?" if close else ""
        raise UsageError(
            f"the cookbook has no query {name!r}{meant}", hint="list them with: ragduck sql STORE @"
        )
    return queries[name].read_text(encoding="utf-8")
