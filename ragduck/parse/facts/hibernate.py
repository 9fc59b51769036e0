"""Read the mappings of NHibernate in XML (`Order.hbm.xml`): which table a class is kept in, and where its keys lead.

Its elements become calls: `hibernate-class("Shop.Order", table, schema, base)`, with a base where there is no table
because the class is kept in that of its base, `hibernate-key("Shop.Order", "Customer", "Shop.Customer", column)`,
`hibernate-pairs("Shop.Order", "Tags", "Shop.Tag", table, schema)`, and for values that have a table of their own
`hibernate-rows("Shop.Order", "Notes", "Shop.Note", table, schema, key column)` with
`hibernate-row-key(table, schema, "Shop.Note", "Clerk", "Shop.Clerk", column)`. Those of Java are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ragduck.facts import Argument, Call, CallFact, FileFacts, Name, Text
from ragduck.model import Document
from ragduck.parse.facts.told_by_calls import facts_of_calls
from ragduck.parse.facts.xml_comments import without_comments

ENDING = ".hbm.xml"
CLASS = "hibernate-class"
KEY = "hibernate-key"
PAIRS = "hibernate-pairs"
ROWS = "hibernate-rows"
ROW_KEY = "hibernate-row-key"

_HEAD = 4_000  # characters that a mapping's first element stands in
_OF_JAVA = re.compile(r"<!DOCTYPE|<hibernate-mapping\s[^>]{0,1000}\bpackage\s{0,5}=")
_KEPT_APART = frozenset(("class", "joined-subclass", "union-subclass"))  # subclass alone shares a table
_CLASSES = _KEPT_APART | {"subclass"}
_COLLECTIONS = frozenset(("set", "bag", "list", "map", "idbag", "array", "primitive-array"))
_VALUES = frozenset(("element", "composite-element"))
_ELEMENT = re.compile(
    r"<(/?)(?:\w{1,20}:)?(hibernate-mapping|(?:joined-|union-)?(?:sub)?class|many-to-one|many-to-many"
    r"|set|bag|list|map|idbag|(?:primitive-)?array|key|column|(?:composite-)?element)(\s(?:\"[^\"<]{0,500}\"|'[^'<]{0,500}'|[^<>\"']){0,4000})?>"
)
_ATTRIBUTE = re.compile(r"(?<![\w:-])([a-z-]{1,40})\s{0,5}=\s{0,5}(?:\"([^\"<]{0,500})\"|'([^'<]{0,500})')")
_PART = re.compile(r"\[([^\]]*)\]|\"([^\"]*)\"|`([^`]*)`|([^.\[\]\"`]+)")


def facts_of_hibernate(document: Document) -> FileFacts | None:
    """Return what a mapping says as calls; None for other files, and where it maps nothing."""
    if not document.path.lower().endswith(ENDING):
        return None
    text = without_comments(document.text)
    is_of_java = "urn:nhibernate" not in text and _OF_JAVA.search(text[:_HEAD]) is not None
    return None if is_of_java else facts_of_calls(document, _Mapping(document).calls(text))


@dataclass
class _Collection:
    """A collection while it is read: its attributes, the column of its key, the class of its values."""

    given: Mapping[str, str]
    key: str = ""
    is_in_key: bool = False
    values: str = ""


@dataclass
class _Mapping:
    """One file while it is read: the classes and the collection around the current element."""

    document: Document
    namespace: str = ""
    schema: str = ""
    line: int = 1
    classes: list[str] = field(default_factory=list)
    collection: _Collection | None = None

    def calls(self, text: str) -> Iterator[CallFact]:
        """Yield what the elements say, in order."""
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
            self.collection = _Collection(given)
        elif tag == "many-to-one" and self.collection is None:
            yield from self._key(given)
        elif self.collection is not None:
            yield from self._within(self.collection, tag, given)

    def _within(self, around: _Collection, tag: str, given: Mapping[str, str]) -> Iterator[CallFact]:
        """Read what stands in a collection."""
        if tag == "key":
            around.key, around.is_in_key = given.get("column", ""), True
        elif tag == "column" and around.is_in_key:
            around.key = around.key or given.get("name", "")
        elif tag == "many-to-many":
            yield from self._pairs(around, given)
        elif tag in _VALUES:
            around.values = self._full_name(given.get("class", ""))
            yield from self._rows(around)
        elif tag == "many-to-one":
            yield from self._row_key(around, given)

    def _close(self, tag: str) -> None:
        if tag in _CLASSES and self.classes:
            self.classes.pop()
        elif tag in _COLLECTIONS:
            self.collection = None
        elif tag == "key" and self.collection is not None:
            self.collection.is_in_key = False

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

    def _pairs(self, around: _Collection, given: Mapping[str, str]) -> Iterator[CallFact]:
        schema, table = self._own_table(around)
        if table:
            target = self._full_name(given.get("class", ""))
            yield self._call(PAIRS, self.classes[-1], around.given["name"], target, table, schema)

    def _rows(self, around: _Collection) -> Iterator[CallFact]:
        schema, table = self._own_table(around)
        if table:
            told = around.values, table, schema, _unquoted(around.key)
            yield self._call(ROWS, self.classes[-1], around.given["name"], *told)

    def _row_key(self, around: _Collection, given: Mapping[str, str]) -> Iterator[CallFact]:
        schema, table = self._own_table(around)
        if table and given.get("name"):
            target = self._full_name(given.get("class", ""))
            column = _unquoted(given.get("column", ""))
            yield self._call(ROW_KEY, table, schema, around.values, given["name"], target, column)

    def _own_table(self, around: _Collection) -> tuple[str, str]:
        """Return schema and name of the table that a collection has for itself, empty where it has none."""
        given = around.given
        if not (self.classes and self.classes[-1] and given.get("name") and given.get("table")):
            return "", ""
        return _placed(given["table"], given.get("schema") or self.schema)

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
