"""Find the page of an address without its ending, as sites with friendly URLs have them: `~/Orders/Edit/5`."""

from __future__ import annotations

import re

from ragduck.facts import Call, Expression, FileFacts, Joined, Member, Name, Text
from ragduck.graph.code.routes import Scene
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.form_paths import SURE, FormPaths, FoundForm

TURNED_ON = "EnableFriendlyUrls"
_HREF = "Href"  # of FriendlyUrl: the page, and the segments behind it
_PAGE = ".aspx"
_MAX_SEGMENTS = 12
_PATH = re.compile(r"~?/[^?#{<:]{0,300}")
_ENDING = re.compile(r"\.\w+$")


class FriendlyUrls:
    """The pages of projects that turn friendly URLs on."""

    def __init__(self, catalog: Catalog, forms: FormPaths) -> None:
        self._catalog = catalog
        self._forms = forms
        files = (one for one in catalog.files_calling((TURNED_ON,)) if one.file_class != "test")
        self._projects = frozenset(one.project for one in files)

    def led_to(self, value: Expression, scene: Scene) -> FoundForm | None:
        """Return the page to which an address in code leads; what follows an unknown part may be anything."""
        if not self._projects:
            return None
        if isinstance(value, Call) and function_name(value) == _HREF and value.arguments:
            value = value.arguments[0].value
        if isinstance(value, (Name, Member)):
            value = Text(scene.text(value) or "")
        parts = value.parts if isinstance(value, Joined) else (value,)
        first = parts[0] if parts else None
        if not isinstance(first, Text):
            return None
        return self.page(first.value if len(parts) == 1 else f"{first.value}{{", file=scene.file)

    def page(self, address: str, *, file: FileFacts) -> FoundForm | None:
        """Return the page of the longest beginning of an address that is one."""
        match = _PATH.match(address.strip()) if self._projects else None
        if match is None:
            return None
        segments = match[0].split("/")[:_MAX_SEGMENTS]
        if address.strip()[match.end() :].startswith(("{", "<")):
            segments.pop()  # of which only the beginning is known
        for count in range(len(segments), 1, -1):
            if segments[count - 1] == "" or _ENDING.search(segments[count - 1]):
                continue
            found = self._forms.find("/".join(segments[:count]) + _PAGE, file=file)
            page = self._catalog.files.get(found.path) if found is not None else None
            is_sure = found is not None and found.confidence == SURE  # others may be of another site
            if is_sure and page is not None and page.project in self._projects:
                return found
        return None
