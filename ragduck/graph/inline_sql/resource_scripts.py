"""Tell the scripts that properties of resource classes hold: `Resources.AddOrders` of `Properties/Resources.resx`."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ragduck.facts import RESOURCE_SCRIPT, Text
from ragduck.graph.inline_sql.resources import EXTENSION, property_of, without_ending
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import function_name
from ragduck.model import Edge

RULE = "sql file"


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
    """Yield an edge from each property to the script that it holds."""
    of_file = resource_scripts(catalog)
    for file in catalog.files.values() if of_file else ():
        scripts = of_file.get(without_ending(file.path) or "", {})
        for member in file.members if scripts else ():
            script = scripts.get(member.name) if member.kind == "PROPERTY" else None
            if script is not None:
                target = f"file:{script.path}|FILE"
                yield Edge(member.key, target, "Uses", script.resources, script.line, RULE)
