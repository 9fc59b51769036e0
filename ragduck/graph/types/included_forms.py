"""Tell which forms a form includes: what they import and declare is its own, as their text is put into it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from ragduck.facts import FileFacts
from ragduck.graph.types.form_paths import FormPaths

WEB_FORMS = "webforms"
INCLUDE = "include"


class IncludedForms:
    """The forms that `<!-- #include file="inc.aspx" -->` puts into others, those of included ones too."""

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._files = files

    @cached_property
    def _paths(self) -> FormPaths:
        forms = (path for path, file in self._files.items() if file.language == WEB_FORMS)
        return FormPaths(forms, self._files)

    def of(self, file: FileFacts) -> Iterator[FileFacts]:
        """Yield the forms that a form includes, each once and never itself."""
        seen = {file.path}
        pending = [file] if file.language == WEB_FORMS else []
        while pending:
            form = pending.pop()
            for fact in form.views:
                found = self._paths.find(fact.name, file=form) if fact.how == INCLUDE else None
                if found is not None and found.path not in seen:
                    seen.add(found.path)
                    pending.append(self._files[found.path])
                    yield pending[-1]
