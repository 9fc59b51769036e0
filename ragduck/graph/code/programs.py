"""Find where programs for the command line begin, which people or a scheduler of the system start."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath

from ragduck.facts import PROGRAM, FileFacts, MemberFact
from ragduck.graph.code.jobs import is_running
from ragduck.graph.code.nodes import file_key
from ragduck.graph.types.catalog import Catalog

MAIN = "Main"
TOP_LEVEL = "program.cs"  # where statements stand outside of all types


def program_keys(catalog: Catalog) -> Iterator[str]:
    """Yield the keys of the entry points of projects that become programs without windows and are no web hosts."""
    programs = _Programs(catalog)
    for file in catalog.files.values() if programs.folders else ():
        if is_running(file) and programs.has(file):
            found = [one for one in file.members if _is_main(one)]
            yield from (one.key for one in found if programs.is_own(one))
            if not found and PurePosixPath(file.path).name.lower() == TOP_LEVEL:
                key = file_key(file.path)
                yield from [key] if any(fact.source == key for fact in file.calls) else ()


def _is_main(member: MemberFact) -> bool:
    return member.name == MAIN and member.kind == "METHOD" and bool(member.owner)


class _Programs:
    """The projects of a snapshot that become programs, by name with their folders."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self.folders: defaultdict[str | None, list[str]] = defaultdict(list)
        for file in catalog.files.values():
            if file.file_class != "test" and any(fact.how == PROGRAM for fact in file.views):
                self.folders[file.project].append(file.path.rpartition("/")[0])

    def has(self, file: FileFacts) -> bool:
        """Say whether a file belongs to one of them."""
        folders = self.folders.get(file.project, ())
        return any(not folder or file.path.startswith(f"{folder}/") for folder in folders)

    def is_own(self, member: MemberFact) -> bool:
        """Say whether no web host shares the key of a method: `Program.Main` without a namespace."""
        owner = self._catalog.types.get(member.owner)
        return owner is not None and all(self.has(file) for file in owner.files)
