"""Tell which base class a Razor view has that names none itself: that which a file above gives to the views below."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from ragduck.facts import FileFacts

# Which files give the views of what ending a base; a view below several has that of the nearest.
GIVING = {"web.config": ".cshtml", "_viewimports.cshtml": ".cshtml", "_imports.razor": ".razor"}
CONFIG = ".config"  # there the base is written without its type argument, which is the model
SPECIAL = frozenset(("_viewstart", "_viewimports", "_imports", "_appstart", "_pagestart"))
ANY_MODEL = "dynamic"

_MODEL = re.compile(r"\bTModel\b")


class GivenBase(NamedTuple):
    """The base that a view is given, as the view itself would write it, and the place that says so."""

    written: str
    path: str
    line: int


class PageBases:
    """The bases that the files of a snapshot give to the views below their folders."""

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._given: dict[tuple[str, str], GivenBase] = {}
        for path, file in files.items():
            ending = GIVING.get(path.rpartition("/")[2].lower())
            for fact in file.views if ending is not None and file.language == "razor" else ():
                if fact.how == "inherits":
                    self._given.setdefault(
                        (_folder(path), ending or ""), GivenBase(fact.name, path, fact.line)
                    )

    def of(self, file: FileFacts) -> GivenBase | None:
        """Return the base that a file is given; None for what has its own, and what is no view."""
        if not self._given or file.language != "razor":
            return None
        name = PurePosixPath(file.path)
        if name.stem.lower() in SPECIAL or any(fact.how == "inherits" for fact in file.views):
            return None
        folder = file.path
        while folder:
            folder = _folder(folder)
            found = self._given.get((folder, name.suffix.lower()))
            if found is not None:
                return found._replace(written=_of_model(found, file))
        return None


def _of_model(base: GivenBase, file: FileFacts) -> str:
    """Return a base with the model of a view put in."""
    model = next((fact.name for fact in file.views if fact.how == "model"), ANY_MODEL)
    if base.path.lower().endswith(CONFIG) and "<" not in base.written:
        return f"{base.written}<{model}>"
    return _MODEL.sub(lambda _: model, base.written)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
