"""Say what files open for others: a project for its files, and what Razor takes in for the views below its folder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from ragduck.facts import FileFacts, Import
from ragduck.graph.types.build_files import is_build_file, opened_from_above
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.included_forms import WEB_FORMS

RAZOR = "razor"
RAZOR_IMPORTS = ("_viewimports.cshtml", "_imports.razor", "web.config")  # in any spelling


class OpenedForMany:
    """What the files of a snapshot, which are given by path, open for others."""

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._global: defaultdict[str | None, list[Import]] = defaultdict(list)
        self._razor: dict[str, tuple[Import, ...]] = {}
        for path, file in files.items():
            opened_by_all = [one for one in file.imports if one.is_global]
            if opened_by_all and not is_build_file(path):
                self._global[file.project].extend(opened_by_all)
            if is_razor_imports(file):
                folder = path.rpartition("/")[0]
                self._razor[folder] = self._razor.get(folder, ()) + file.imports
        for project, opened in opened_from_above(files):
            self._global[project.project].append(opened)

    def by(self, file: FileFacts) -> Iterator[Import]:
        """Yield what others open for a file, that of its project first, then of the folders from its own up."""
        if family_of(file.language) == "csharp":
            yield from self._global.get(file.project, ())
        if file.language in (RAZOR, WEB_FORMS):
            folder = file.path
            while folder:
                folder = folder.rpartition("/")[0]
                yield from self._razor.get(folder, ())


def is_razor_imports(file: FileFacts) -> bool:
    """Say whether what a file imports holds for the views below its folder."""
    return file.language == RAZOR and file.path.lower().endswith(RAZOR_IMPORTS)
