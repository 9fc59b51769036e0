"""Read the mappings of NHibernate in XML (`Order.hbm.xml`): which table a class is kept in, and where its keys lead.

Its elements become calls: `hibernate-class("Shop.Order", table, schema, base)`, with a base where there is no table
because the class is kept in that of its base, `hibernate-key("Shop.Order", "Customer", "Shop.Customer", column)` and
`hibernate-pairs("Shop.Order", "Tags", "Shop.Tag", table, schema)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ragduck.facts import Argument, Call, CallFact, FileFacts, Name, StatementFacts, Text
from ragduck.model import Document
from ragduck.parse.facts.xml_comments import without_comments

ENDING = ".hbm.xml"
CLASS = "hibernate-class"
KEY = "hibernate-key"
PAIRS = "hibernate-pairs"

_KEPT_APART = frozenset(("class", "joined-subclass", "union-subclass"))  # subclass alone shares a table
_CLASSES = _KEPT_APART | {"subclass"}
_COLLECTIONS = frozenset(("set", "bag", "list", "map", "idbag", "array"))
_ELEMENT = re.compile(
    r"<(/?)(?:\w{1,20}:)?(hibernate-mapping|(?:joined-|union-)?(?:sub)?class|many-to-one|many-to-many"
    r"|set|bag|list|map|idbag|array)(\s(?:\"[^\"<]{0,500}\"|'[^'<]{0,500}'|[^<>\"']){0,4000})?>"
)
_ATTRIBUTE = re.compile(r"(?<![\w:-])([a-z-]{1,40})\s{0,5}=\s{0,5}(?:\"([^\"<]{0,500})\"|'([^'<]{0,500})')")
_PART = re.compile(r"\[([^\]]*)\]|\"([^\"]*)\"|`([^`]*)`|([^.\[\]\"`]+)")


def facts_of_hibernate(document: Document) -> FileFacts | None:
    """Return what a mapping says as calls; None for other files, and where it maps nothing."""
    if not document.path.lower().endswith(ENDING):
        return None
    calls = tuple(_Mapping(document).calls())
    if not calls:
        return None
    return FileFacts(
        document.path,
        document.language,
        document.file_class,
        document.project,
        document.last_line,
        statements=StatementFacts(calls=calls),
    )


@dataclass
class _Mapping:
    """One file while it is read: the classes and the collection around the current element."""

    document: Document
    namespace: str = ""
    schema: str = ""
    line: int = 1
    classes: list[str] = field(default_factory=list)
    collection: Mapping[str, str] | None = None

    def calls(self) -> Iterator[CallFact]:
        """Yield what the elements say, in order."""
        text = without_comments(self.document.text)
        at = 0
        for found in _ELEMENT.finditer(text):
            self.line, at = self.line + text.count("\n", at, found.start()), found.start()
            tag, written = found[2], found[3] or ""
            if found[1]:
                self._close(tag)
            else:
                yield from self._open(
                    tag, {name: one or other for name, one, other in _ATTRIBUTE.findall(written)}
                )
                if written.endswith("/"):
                    self._close(tag)

    def _open(self, tag: str, given: Mapping[str, str]) -> Iterator[CallFact]:
        if tag == "hibernate-mapping":
            self.namespace, self.schema = given.get("namespace", ""), given.get("schema", "")
        elif tag in _CLASSES:
            base = self._full_name(given.get("extends", "")) or (self.classes[-1] if self.classes else "")
            self.classes.append(self._full_name(given.get("name", "")))
            yield from self._class(tag, given, base=base)
        elif tag in _COLLECTIONS:
            self.collection = given
        elif tag == "many-to-many":
            yield from self._pairs(given)
        elif tag == "many-to-one" and self.collection is None:
            yield from self._key(given)

    def _close(self, tag: str) -> None:
        if tag in _CLASSES and self.classes:
            self.classes.pop()
        elif tag in _COLLECTIONS:
            self.collection = None

    def _class(self, tag: str, given: Mapping[str, str], *, base: str) -> Iterator[CallFact]:
        name = self.classes[-1]
        if not name or "subselect" in given:
            return
        is_apart = tag in _KEPT_APART
        table = given.get("table") or name.rpartition(".")[2] if is_apart else ""
        schema, table = _placed(table, given.get("schema") or self.schema)
        yield self._call(CLASS, name, table, schema, "" if is_apart else base)

    def _key(self, given: Mapping[str, str]) -> Iterator[CallFact]:
        if self.classes and given.get("name"):
            target = self._full_name(given.get("class", ""))
            yield self._call(KEY, self.classes[-1], given["name"], target, _unquoted(given.get("column", "")))

    def _pairs(self, given: Mapping[str, str]) -> Iterator[CallFact]:
        around = self.collection or {}
        if self.classes and around.get("name") and around.get("table"):
            target = self._full_name(given.get("class", ""))
            schema, table = _placed(around["table"], around.get("schema") or self.schema)
            yield self._call(PAIRS, self.classes[-1], around["name"], target, table, schema)

    def _full_name(self, written: str) -> str:
        """Return the name of a class without its assembly, with the namespace of the mapping if it has none."""
        name = written.partition(",")[0].strip().replace("+", ".")
        return f"{self.namespace}.{name}" if name and "." not in name and self.namespace else name

    def _call(self, name: str, *texts: str) -> CallFact:
        arguments = tuple(Argument(Text(text)) for text in texts)
        return CallFact(f"file:{self.document.path}|FILE", Call(Name(name), arguments), self.line)


def _placed(table: str, schema: str) -> tuple[str, str]:
    """Return the schema and the name of a table, which may stand together: `dbo.Orders`."""
    parts = ["".join(part).strip() for part in _PART.findall(table)]
    inside = ["".join(part).strip() for part in _PART.findall(schema)]
    return (parts[-2] if len(parts) > 1 else "".join(inside[-1:])), "".join(parts[-1:])


def _unquoted(name: str) -> str:
    return name.strip().strip('`[]"')
