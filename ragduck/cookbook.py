"""The questions people ask of a system, as queries that ship with ragduck: `sql/cookbook`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping

from ragduck.errors import UsageError
from ragduck.resources import sql_files

VARIABLE = re.compile(r"getvariable\('(\w+)'\)")
NEEDED = "({} is not set)"  # looked for where the variable is not set, so that the query fails and says why
EXAMPLES = {"object": "dbo.Invoice", "column": "DueDate"}
PLACE = frozenset(("repo", "branch"))  # which only narrow what is told of an object


def questions() -> Iterator[tuple[str, str]]:
    """Yield the name of each query, `@` before it, and the question it answers."""
    for path in sql_files("cookbook"):
        yield f"@{path.stem}", path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("-- ")


def query(name: str) -> str:
    """Return a query of the cookbook. Raises UsageError for a name that is not in it."""
    queries = {path.stem: path for path in sql_files("cookbook")}
    if name not in queries:
        raise UsageError(
            f"the cookbook has no query {name!r}{_meant(name, queries, before='@')}",
            hint="list them with: ragduck sql STORE @",
        )
    return queries[name].read_text(encoding="utf-8")


def variables(name: str) -> dict[str, bool]:
    """Return what a query reads with `getvariable`, and whether it fails without."""
    sql = query(name)
    return {each: NEEDED.format(each) in sql for each in VARIABLE.findall(sql)}


def require_variables(name: str, given: Mapping[str, str | None]) -> None:
    """Refuse variables that a query does not read, empty ones, and a query without one that it needs."""
    known, names = variables(name), {each.lower() for each in given}  # of any case, as in DuckDB
    for unknown in sorted(names - set(known)):
        raise UsageError(
            f"@{name} reads no variable {unknown!r}{_meant(unknown, known)}",
            hint=usage(name) if known else f"leave it out: ragduck sql STORE @{name}",
        )
    empty = {each.lower() for each, value in given.items() if not (value or "").strip()}
    for missing in [
        each for each, is_needed in known.items() if each in empty or (is_needed and each not in names)
    ]:
        raise UsageError(f"@{name} has to be told {missing}", hint=usage(name, examples=EXAMPLES))


def usage(name: str, *, examples: dict[str, str] | None = None) -> str:
    """Return the command that asks a query, with its variables."""
    known = variables(name)
    told = (each for each in known if not ("object" in known and each in PLACE))
    settings = (f" --set {each}={(examples or {}).get(each, 'NAME')}" for each in told)
    return f"ragduck sql STORE @{name}{''.join(settings)}"


def _meant(name: str, known: Iterable[str], *, before: str = "") -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {before}{close[0]}?" if close else ""
