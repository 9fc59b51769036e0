"""Tell the scripts that resource classes hold: `Resources.AddOrders` of `Properties/Resources.resx`.

Who names the property runs the script. The class of many scripts is large, and no members of it are known then.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ragduck.facts import RESOURCE_SCRIPT, FileFacts, Member, Name, Text
from ragduck.graph.inline_sql.resources import EXTENSION, property_of, without_ending
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.nearness import Nearness
from ragduck.model import Edge

RULE = "sql file"
_BY_NAME = 0.9


class ResourceScript(NamedTuple):
    """A script that a resource file refers to, and where."""

    path: str
    resources: str
    line: int


def resource_scripts(catalog: Catalog) -> Mapping[str, Mapping[str, ResourceScript]]:
    """Return the scripts of resource files, by their paths without ending and by property."""
    found: defaultdict[str, dict[str, ResourceScript]] = defaultdict(dict)
    paths: dict[str, str] = {}
    for file in catalog.files_calling((RESOURCE_SCRIPT,)):
        if not file.path.lower().endswith(EXTENSION):
            continue
        paths = paths or {path.lower(): path for path in catalog.files}
        for fact in file.calls:
            texts = [one.value.value for one in fact.call.arguments if isinstance(one.value, Text)]
            if function_name(fact.call) == RESOURCE_SCRIPT:
                folder, written = posixpath.dirname(file.path), texts[1].replace("\\", "/")
                path = paths.get(posixpath.normpath(posixpath.join(folder, written)).lower())
                if path is not None:
                    script = ResourceScript(path, file.path, fact.line)
                    found[file.path[: -len(EXTENSION)]].setdefault(property_of(texts[0]), script)
    return found


def resource_script_edges(catalog: Catalog) -> Iterator[Edge]:
    """Yield an edge from each property to the script that it holds, and from each member that hands one over."""
    of_file = resource_scripts(catalog)
    of_class: Nearness[tuple[str, str], ResourceScript] = Nearness(most=1)
    for path, scripts in of_file.items():
        for name, script in scripts.items():
            of_class.add((posixpath.basename(path), name), script, path=script.resources)
    for file in catalog.files.values() if of_file else ():
        scripts = of_file.get(without_ending(file.path) or "", {})
        for member in file.members if scripts else ():
            held = scripts.get(member.name) if member.kind == "PROPERTY" else None
            if held is not None:
                yield Edge(member.key, f"file:{held.path}|FILE", "Uses", held.resources, held.line, RULE)
        if family_of(file.language) == "csharp" and file.file_class != "generated":
            yield from _handed_over(file, of_class)


def _handed_over(file: FileFacts, of_class: Nearness[tuple[str, str], ResourceScript]) -> Iterator[Edge]:
    """Yield what arguments such as `Properties.Resources.AddTotal` hold, of several such classes the nearest."""
    for fact in file.statements.unpacked().calls:
        for one in fact.call.arguments:
            value = one.value
            if isinstance(value, Member) and isinstance(value.receiver, Member | Name):
                for script in of_class.nearest([(value.receiver.name, value.name)], path=file.path):
                    target = f"file:{script.path}|FILE"
                    yield Edge(fact.source, target, "Uses", file.path, fact.line, RULE, _BY_NAME)
