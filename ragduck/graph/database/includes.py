"""Find the files that scripts include: `:r .\\Lookups\\States.sql` runs that script, too.

The same goes for packages that execute others, and for reports that show others, share a data set or lead to another.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ragduck.facts import DRILLTHROUGH, INCLUDES, FileFacts
from ragduck.graph.types.imports import shared_folders
from ragduck.model import Edge

_EXACT, _ELSEWHERE = 1.0, 0.7  # beside the script, or below the folder that sqlcmd is started in
_MANY = 200  # files of one name, of which a path that leads nowhere tells none


def include_edges(files: Sequence[FileFacts]) -> Iterator[Edge]:
    """Yield an edge from each script to those that it includes, where only one can be meant."""
    including = [(file, one) for file in files for one in file.references if one.relation == INCLUDES]
    if not including:
        return
    paths = {file.path.lower(): file.path for file in files}
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        by_name[path.rpartition("/")[2]].append(path)
    for file, reference in including:
        path, confidence = _meant(reference.name.name, file.path, paths, by_name)
        if path and path != file.path:
            target = f"file:{path}|FILE"
            relation = "LeadsTo" if reference.rule == DRILLTHROUGH else "Uses"
            yield Edge(
                reference.source, target, relation, file.path, reference.line, reference.rule, confidence
            )


def _meant(
    written: str, including: str, paths: Mapping[str, str], by_name: Mapping[str, Sequence[str]]
) -> tuple[str, float]:
    """Return the path that a script names and how sure that is, "" where none or several fit."""
    name = written.lower().replace("\\", "/")
    known, variable, end = name.rpartition(")")
    is_open = variable != "" and "$(" in known  # $(Folder)/States.sql
    if is_open and known.partition("$(")[0].strip("./"):
        return "", 0.0  # Data/$(Environment)/States.sql
    folder = posixpath.dirname(including.lower())
    beside = "" if is_open else posixpath.normpath(posixpath.join(folder, name))
    if beside in paths:
        return paths[beside], _EXACT
    parts = [part for part in (end if is_open else name).split("/") if part not in ("", ".", "..")]
    ending = "/" + "/".join(parts)
    alike = by_name.get(parts[-1], ()) if parts else ()
    fitting = [path for path in alike if f"/{path}".endswith(ending)] if len(alike) <= _MANY else []
    nearest = max((shared_folders(path, including.lower()) for path in fitting), default=0)
    if folder and not nearest:
        return "", 0.0  # of another system, which lies beside this one
    best = [path for path in fitting if shared_folders(path, including.lower()) == nearest]
    return (paths[best[0]], _ELSEWHERE) if len(best) == 1 else ("", 0.0)
