"""Know the files of one bundle by what they are, whatever its layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ragduck.imports.roslyn.archive import DAMAGED, BundleFiles
from ragduck.imports.roslyn.fields import text_of
from ragduck.imports.roslyn.ledger import Ledger
from ragduck.imports.roslyn.places import CODE_FOLDERS, META, SQL_FOLDERS

MAX_BODY = 16 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Bundle:
    """The files below ``prefix``; a name that is empty stands for a file that is not there."""

    files: BundleFiles
    prefix: str
    ledger: Ledger

    @property
    def meta(self) -> str:
        """repo_meta.json; early versions had it beside the SQL."""
        return self._first(META, *(f"{folder}{META}" for folder in SQL_FOLDERS[:2]))

    @property
    def chunks(self) -> str:
        """The members of types."""
        return self._first(*(f"{folder}chunks.json" for folder in CODE_FOLDERS))

    @property
    def dependencies(self) -> str:
        """The calls between members."""
        return self._first(*(f"{folder}dependencies.json" for folder in CODE_FOLDERS))

    @property
    def bodies(self) -> str:
        """The database objects, entities, migrations and inline SQL."""
        return self.sql_file("docs/sql_bodies.jsonl")

    def sql_file(self, name: str) -> str:
        """Return a file of the SQL part in whichever folder it lies."""
        return self._first(*(f"{folder}{name}" for folder in SQL_FOLDERS))

    def body_at(self, path: str) -> str:
        """Return the text of a file that a record names below docs/bodies; empty if there is none."""
        clean = path.replace("\\", "/").lstrip("/")
        name = self.sql_file(clean) if "docs/bodies/" in clean and ".." not in clean.split("/") else ""
        if not name:
            return ""
        try:
            with self.files.open(name) as file:
                return text_of(file.read(MAX_BODY).decode("utf-8-sig", "replace")) or ""
        except DAMAGED as error:
            self.ledger.left_out("damaged file", name, message=str(error))
            return ""

    def all_names(self) -> Iterator[str]:
        """Yield every file of the bundle."""
        yield from (name for name in self.files.names() if name.startswith(self.prefix))

    def _first(self, *names: str) -> str:
        known = self.files.names()
        return next((full for name in names if (full := self.prefix + name) in known), "")
