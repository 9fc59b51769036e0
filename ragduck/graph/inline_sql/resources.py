"""Tell the statements that properties read from resource files: `Queries.GetOrders` of `Queries.resx`.

The class is one that a designer keeps beside the file (`Queries.Designer.cs`), with a property for each text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from ragduck.facts import RESOURCE_TEXT, FileFacts, MemberFact, Text
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import function_name
from ragduck.sqlreader.recognition import Certainty, recognize

EXTENSION = ".resx"
_DESIGNED = (".designer.cs", ".designer.vb")
_ODD = re.compile(r"\W")  # an underscore in the name of a property


class ResourceTexts:
    """The statements of resource files, by the members that stand for them."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    @property
    def told(self) -> object:
        """All texts, in order."""
        return sorted((path, sorted(texts.items())) for path, texts in self._by_file.items())

    def text_of(self, member: MemberFact) -> str | None:
        """Return the statement that a member reads; None if it is no such member."""
        if not self._by_file or member.kind != "PROPERTY":
            return None
        texts = self._by_file.get(without_ending(self._catalog.home_of(member).path) or "")
        return texts.get(member.name) if texts is not None else None

    def members(self) -> Iterator[tuple[FileFacts, MemberFact, str]]:
        """Yield the properties that read a statement, with their file."""
        for file in self._catalog.files.values() if self._by_file else ():
            texts = self._by_file.get(without_ending(file.path) or "")
            for member in file.members if texts is not None else ():
                if texts is not None and member.kind == "PROPERTY" and member.name in texts:
                    yield file, member, texts[member.name]

    @cached_property
    def _by_file(self) -> Mapping[str, Mapping[str, str]]:
        """The texts that are SQL beyond doubt, as others are shown to people, by file and property."""
        found: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for file in self._catalog.files_calling((RESOURCE_TEXT,)):
            if not file.path.lower().endswith(EXTENSION):
                continue
            for fact in file.calls:
                texts = [one.value.value for one in fact.call.arguments if isinstance(one.value, Text)]
                if function_name(fact.call) == RESOURCE_TEXT and recognize(texts[1]) is Certainty.SURE:
                    found[file.path[: -len(EXTENSION)]].setdefault(property_of(texts[0]), texts[1])
        return found


def property_of(name: str) -> str:
    """Return what a designer calls the property of a text."""
    return _ODD.sub("_", name)


def without_ending(path: str) -> str | None:
    """Return `Shop/Queries` of `Shop/Queries.Designer.cs`; None for code that no designer keeps."""
    ending = path[-len(_DESIGNED[0]) :].lower()
    return path[: -len(ending)] if ending in _DESIGNED else None
