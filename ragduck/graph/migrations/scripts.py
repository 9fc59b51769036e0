"""Tell in which order migrations in code run scripts: `Execute.EmbeddedScript("Total.sql")`, `Sql(Resources.Total)`.

Their names need not tell it, and those that only Down runs define nothing.
"""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from ragduck.facts import FileFacts
from ragduck.graph.database.renames import ScriptRuns
from ragduck.graph.database.versions import MIGRATION
from ragduck.graph.inline_sql.query_files import query_file_edges
from ragduck.graph.inline_sql.resource_scripts import resource_script_edges
from ragduck.graph.migrations.history import Migration, in_order_of_versions
from ragduck.graph.migrations.methods import DOWN
from ragduck.graph.types.catalog import Catalog

_FEWEST = 2  # scripts of a folder that migrations run, so that others of it are none of theirs
_FIRST = "\0"  # before all that is run

_Named = Mapping[str, Sequence[str]]  # paths of scripts, by the member that names them


def script_runs(catalog: Catalog, migrations: Sequence[Migration]) -> ScriptRuns:
    """Return where the scripts that migrations run stand in their order, and those that only undo one."""
    scripts = {file.path for file in catalog.files.values() if _is_script(file)}
    named = _named_by(catalog, scripts) if migrations and scripts else {}
    if not named:
        return ScriptRuns()
    places: dict[str, str] = {}
    undone: set[str] = set()
    for migration in in_order_of_versions(migrations):
        folder = posixpath.dirname(migration.path)
        run = [path for member in sorted(migration.members) for path in named.get(member, ())]
        for place, path in enumerate(run):
            places[path] = f"{folder}/{migration.version}/{place}"
        home = migration.key.rpartition("|")[0]
        undone.update(path for name in DOWN for path in named.get(f"{home}.{name}|METHOD", ()))
    counts = Counter(map(posixpath.dirname, places))
    others = (path for path in scripts - places.keys() if counts[posixpath.dirname(path)] >= _FEWEST)
    return ScriptRuns(
        {path: f"{_FIRST}{path}" for path in others} | places, frozenset(undone - places.keys())
    )


def _is_script(file: FileFacts) -> bool:
    return file.language == "sql" and file.file_class == MIGRATION


def _named_by(catalog: Catalog, scripts: set[str]) -> _Named:
    """Return the scripts that members name by their paths, or as what a resource class holds."""
    named: defaultdict[str, list[str]] = defaultdict(list)
    for edge in (*catalog.once(query_file_edges), *catalog.once(resource_script_edges)):
        path = edge.to_key.removeprefix("file:").removesuffix("|FILE")
        if path in scripts:
            named[edge.from_key].append(path)
    return named
