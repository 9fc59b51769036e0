"""Find the scripts that code names: `File.ReadAllText("Queries/GetOrders.sql")`, `"Shop.Queries.GetOrders.sql"`.

What a script reads and writes is told of its file; who runs it, by who names it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from ragduck.facts import Expression, FileFacts, Joined, Text
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.declarations import family_of
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
            name, confidence = _named(fact.value)
            script = _meant(name, scripts, file) if name else None
            if script is not None:
                target = f"file:{script.path}|FILE"
                yield Edge(fact.source, target, "Uses", file.path, fact.line, RULE, confidence)


def _named(value: Expression) -> tuple[str, float]:
    """Return the name of a script that a text is or ends with, "" for other texts, and how sure that is."""
    confidence = WHOLE
    if isinstance(value, Joined) and value.parts:
        value, confidence = value.parts[-1], PART
    text = value.value if isinstance(value, Text) and len(value.value) <= _MAX_NAME else ""
    is_name = text.lower().endswith(_ENDING) and len(text) > len(_ENDING) and "\n" not in text
    return (text, confidence) if is_name else ("", 0.0)


def _meant(name: str, scripts: Mapping[str, Sequence[FileFacts]], file: FileFacts) -> FileFacts | None:
    """Return the script whose path ends as the name does; of several the nearest."""
    wanted = _parts(name)
    if len(wanted) < _FEWEST:
        return None
    found = [(_shared(wanted, _parts(one.path)), one) for one in scripts.get(wanted[-_FEWEST], ())]
    most = max((shared for shared, _ in found), default=0)
    best = [one for shared, one in found if shared == most]
    is_path = "/" in name or "\\" in name
    if is_path and most < len(wanted):
        best = [one for one in best if len(_parts(one.path)) == most]
    near = [(_near(one.path, file.path), one) for one in best]
    nearest = [one for close, one in near if close == max(close for close, _ in near)]
    return nearest[0] if len(nearest) == 1 else None


def _parts(path: str) -> Sequence[str]:
    parts = _SEPARATOR.split(_ODD.sub("_", path.lower()))
    return [part for part in parts if part not in ("", "~")]


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the parts that two paths end with alike."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _near(one: str, other: str) -> int:
    """Count the folders that two paths begin with alike."""
    pairs = zip(one.split("/"), other.split("/"), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
