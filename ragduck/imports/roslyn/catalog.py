"""Know what a bundle defines by every name that its files use for it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from ragduck.imports.roslyn.database import SqlName, parse_key

UNSURE = frozenset({"TABLE_OR_VIEW", "UNKNOWN", ""})
BATCHES = frozenset({"BATCH", "DEPLOY"})
_PREFIX = "csharp:"
ELSEWHERE = frozenset({"(external)", "db", "ef"})  # domains of nodes that no script defines
_BATCH_MARK = re.compile(r"__(?:batch|deploy)__:")
_ANYTHING = ("TABLE", "VIEW", "SYNONYM", "PROC", "FUNC", "SEQUENCE", "TYPE", "TRIGGER", "INDEX")
_FITTING = {  # what a key may turn out to be, likeliest first
    "TABLE": ("TABLE", "VIEW", "SYNONYM"),
    "VIEW": ("VIEW", "TABLE", "SYNONYM"),
    "PROC": ("PROC", "SYNONYM", "FUNC"),
    "FUNC": ("FUNC", "SYNONYM", "PROC"),
}
_EXECUTED = ("PROC", "SYNONYM", "FUNC", *_ANYTHING)
_TYPE_KINDS = frozenset({"TYPE", "ENTITY", "DBCONTEXT", "SERVICE", "REPOSITORY", "CONTROLLER", "TEST"})
_MEMBER_KINDS = frozenset({"METHOD", "PROPERTY", "DBSET", "ACTION", "FIELD"})


class Catalog:
    """The types, members and database objects of a bundle; all look-ups say which node key a name means."""

    def __init__(self) -> None:
        self.types: dict[str, str] = {}  # full name: node key
        self.members: dict[str, str] = {}
        self._types_by_name: dict[str, list[str]] = defaultdict(list)
        self._members_by_name: dict[str, list[str]] = defaultdict(list)
        self._objects: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)  # schema, name: kind, key
        self._stems: dict[str, str] = {}  # whole key in lower case: as it is spelled
        self._aliases: dict[
            str, str
        ] = {}  # stem of a key in lower case: key of the object whose record has it
        self.entities: set[str] = set()  # node keys that are written as ENTITY

    def add_type(self, full_name: str, kind: str = "TYPE") -> str:
        """Make a type known and return its key; a MIGRATION stays one."""
        key = self.types.get(full_name)
        if key is None:
            self._types_by_name[full_name.rpartition(".")[2]].append(full_name)
        if key is None or kind == "MIGRATION":
            key = self.types[full_name] = f"{_PREFIX}{full_name}|{kind}"
        return key

    def add_member(self, full_name: str, kind: str) -> str:
        """Make a member known and return its key; a DBSET stays one."""
        key = self.members.get(full_name)
        if key is None:
            self._members_by_name[_last_two(full_name)].append(full_name)
        if key is None or kind == "DBSET":
            key = self.members[full_name] = f"{_PREFIX}{full_name}|{kind}"
        return key

    def add_object(self, name: SqlName) -> str:
        """Make a database object known and return its key, as it was spelled first."""
        key = self._stems.setdefault(name.key.casefold(), name.key)
        self._objects[name.schema.casefold(), name.name.casefold()].setdefault(name.kind, key)
        return key

    def add_alias(self, written: SqlName, key: str) -> None:
        """Make an object known by the key of its record too, which may not be made of its name."""
        self._aliases.setdefault(written.stem.casefold(), key)

    def defines(self, key: str) -> bool:
        """Tell whether a node key is that of a database object of the bundle."""
        return key.casefold() in self._stems

    def find_type(self, written: str) -> str | None:
        """Return the full name of a type that is written in full, or of the only one that ends so."""
        return _find(written, self.types, self._types_by_name.get(written.rpartition(".")[2], ()))

    def find_member(self, written: str) -> str | None:
        """Return the full name of a member that is written in full, or of the only one that ends so."""
        return _find(written, self.members, self._members_by_name.get(_last_two(written), ()))

    def find_object(self, name: SqlName, *, executed: bool = False) -> str | None:
        """Return the key of the database object that a name means, whatever kind it was given."""
        exact = self._stems.get(name.key.casefold())
        if exact is not None:
            return exact
        fitting: tuple[str, ...]
        if name.database:
            fitting = _ANYTHING if name.kind in UNSURE else _FITTING.get(name.kind, (name.kind,))
            keys = (f"{name.stem}|{kind}".casefold() for kind in fitting)
            return next((self._stems[key] for key in keys if key in self._stems), None)
        known = self._objects.get((name.schema.casefold(), name.name.casefold()), {})
        if name.kind in UNSURE:
            fitting = _EXECUTED if executed else _ANYTHING
        else:
            fitting = _FITTING.get(name.kind, (name.kind,))
        return next((known[kind] for kind in fitting if kind in known), None)

    def key_of(self, written: str, *, executed: bool = False) -> str:
        """Return the node key that a key of a bundle means; of what is not defined, the own parser's key.

        Batches of scripts keep their key: which file they are of is told elsewhere.
        """
        if written.startswith(_PREFIX):
            return self._code_key(written)
        name = parse_key(written)
        if is_batch(name):
            return written
        found = self.find_object(name, executed=executed) or self._aliases.get(name.stem.casefold())
        if found is not None:
            return found
        if name.kind in UNSURE:
            name = name._replace(kind="PROC" if executed else "TABLE")
        return name.key

    def _code_key(self, written: str) -> str:
        stem, bar, kind = written.removeprefix(_PREFIX).rpartition("|")
        stem, kind = (stem, kind.upper()) if bar else (kind, "TYPE")
        if kind in _TYPE_KINDS or kind == "MIGRATION":
            full = self.find_type(stem)
            plain = "MIGRATION" if kind == "MIGRATION" else "TYPE"
            key = self.types[full] if full else f"{_PREFIX}{stem}|{plain}"
            if kind == "ENTITY":
                self.entities.add(key)
            return key
        if kind in _MEMBER_KINDS:
            full = self.find_member(stem)
            plain = "METHOD" if kind == "ACTION" else kind
            return self.members[full] if full else f"{_PREFIX}{stem}|{plain}"
        return f"{_PREFIX}{stem}|{kind}"


def is_batch(name: SqlName) -> bool:
    """Tell a stretch of a script that defines nothing: `dbo.__batch__:deploy.sql:0|BATCH`."""
    return name.kind in BATCHES or _BATCH_MARK.match(name.name) is not None


def file_of_batch(name: SqlName) -> str:
    """Return the file that the key of a batch names."""
    return _BATCH_MARK.sub("", name.name, count=1).rpartition(":")[0]


def _find(written: str, known: dict[str, str], candidates: Iterable[str]) -> str | None:
    plain = written.removeprefix("NoNamespace.")
    if plain in known:
        return plain
    fitting = [full for full in candidates if full.endswith(f".{plain}")]
    return fitting[0] if len(fitting) == 1 else None


def _last_two(full_name: str) -> str:
    return ".".join(full_name.rsplit(".", 2)[-2:])
