"""Find the scripts that code names: `File.ReadAllText("Queries/GetOrders.sql")`, `"Shop.Queries.GetOrders.sql"`.

What a script reads and writes is told of its file; who runs it, by who names it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from ragduck.facts import Choice, Expression, FileFacts, Joined, Text
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.imports import shared_folders
from ragduck.model import Edge

RULE = "sql file"
WHOLE, PART = 0.9, 0.7  # the name stands there, or is the end of a text of which not all is known
_ENDING = ".sql"
_MAX_NAME = 300
_SEPARATOR = re.compile(r"[/\\.]+")
_ODD = re.compile(r"[-\s]")  # an underscore in the name of an embedded resource
_FEWEST = 2  # parts of a name: `GetOrders` and `sql`


def query_file_edges(catalog: Catalog) -> Iterator[Edge]:
    """Yield an edge from each member that names a script to the file, where only one can be meant."""
    scripts: defaultdict[str, list[FileFacts]] = defaultdict(list)
    for file in catalog.files.values():
        if file.path.lower().endswith(_ENDING):
            scripts[_parts(file.path)[-_FEWEST]].append(file)
    for file in catalog.files.values() if scripts else ():
        if family_of(file.language) != "csharp" or file.file_class == "generated":
            continue
        for fact in file.statements.unpacked().strings:
            for name, confidence in _named(fact.value):
                script = _meant(name, scripts, file)
                if script is not None:
                    target = f"file:{script.path}|FILE"
                    yield Edge(fact.source, target, "Uses", file.path, fact.line, RULE, confidence)


def _named(value: Expression) -> Iterator[tuple[str, float]]:
    """Yield the names of scripts that a text is or ends with, and how sure that is."""
    if isinstance(value, Choice):
        for option in value.options:
            yield from _named(option) if not isinstance(option, Choice) else ()
        return
    confidence = WHOLE
    if isinstance(value, Joined) and value.parts:
        value, confidence = value.parts[-1], PART
    text = value.value if isinstance(value, Text) and len(value.value) <= _MAX_NAME else ""
    is_whole = confidence == WHOLE or text.startswith(("/", "\\", "."))  # else its beginning is not known
    if text.lower().endswith(_ENDING) and is_whole and "\n" not in text and "://" not in text:
        yield text, confidence


def _meant(name: str, scripts: Mapping[str, Sequence[FileFacts]], file: FileFacts) -> FileFacts | None:
    """Return the script whose path ends as the name does; of several the nearest.

    All parts of the file's own name have to be there. What stands before them, folders of a path or a namespace of an
    embedded resource, has to agree with a folder at least.
    """
    wanted = _parts(name)
    if len(wanted) < _FEWEST:
        return None
    is_path = "/" in name or "\\" in name
    found: list[tuple[int, int, FileFacts]] = []
    for one in scripts.get(wanted[-_FEWEST], ()):
        path = _parts(one.path)
        shared, own = _shared(wanted, path), len(_parts(one.path.rpartition("/")[2]))
        fits = shared in (len(wanted), len(path)) if is_path else shared > own or shared == len(wanted)
        if fits and shared >= own:
            found.append((shared, shared_folders(one.path, file.path), one))
    best = max((key[:2] for key in found), default=None)
    nearest = [one for shared, near, one in found if (shared, near) == best]
    return nearest[0] if len(nearest) == 1 else None


def _parts(path: str) -> Sequence[str]:
    parts = _SEPARATOR.split(_ODD.sub("_", path.lower()))
    return [part for part in parts if part not in ("", "~")]


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the parts that two paths end with alike."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
