"""Read the typed data sets of a web site: the classes that ASP.NET makes of each `App_Code/….xsd` when the site runs.

There is no file of code for them, unlike in a project, whose designer files are read instead. Classes of a web site
have no namespace: `Shop.xsd` makes `Shop`, `Shop.OrdersDataTable`, `Shop.OrdersRow` and, in the namespace
`ShopTableAdapters`, the table adapters, each method of which runs a command. The file is scanned, not parsed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape

from ragduck.facts import (
    Argument,
    Call,
    FileFacts,
    Member,
    MemberFact,
    Name,
    Parameter,
    StatementFacts,
    StringFact,
    Text,
    TypeFact,
)
from ragduck.model import Document
from ragduck.parse.facts.xml_comments import without_comments

_OF_SITE = re.compile(r"(?:^|/)app_code/(?:.*/)?[^/]+\.xsd$", re.IGNORECASE)
_DATA_SET = "urn:schemas-microsoft-com:xml-msdatasource"
_ELEMENT = re.compile(
    r"<(?P<end>/?)(?:\w{1,20}:)?(?P<tag>DataSource|TableAdapter|MainSource|DbSource|DbCommand|CommandText"
    r"|(?:Select|Insert|Update|Delete)Command|element)\b(?P<attributes>[^<>]*)>"
)
_ATTRIBUTE = re.compile(r"(?<![\w-])([\w:]{1,60})\s{0,5}=\s{0,5}\"([^\"<>]{0,500})\"")
_CHANGING = ("InsertCommand", "UpdateCommand", "DeleteCommand")
_ANY = (Parameter("values", "object[]", is_rest=True),)  # which a command takes is of no interest
_COMMANDS = Name("CommandType")
_PUBLIC = frozenset({"public"})
_LANGUAGE = "csharp"  # whose keys the types of .NET have


def facts_of_typed_dataset(document: Document) -> FileFacts | None:
    """Return the classes of a web site's data set with what their methods run; None for other files."""
    if not _OF_SITE.search(document.path) or _DATA_SET not in document.text:
        return None
    return _DataSet(document).facts()


@dataclass
class _Source:
    """A query of a table adapter while it is read, with its commands by kind: type, text and first character."""

    given: Mapping[str, str]
    start: int
    is_main: bool
    commands: dict[str, tuple[str, str, int]] = field(default_factory=dict)


@dataclass
class _Adapter:
    """A table adapter, the table that it fills and its queries."""

    name: str
    table: str
    start: int
    end: int = 0
    sources: list[_Source] = field(default_factory=list)


class _DataSet:
    """Read one schema, and make the facts of the code that stands for it."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._text = without_comments(document.text)
        self._starts = [0, *(at + 1 for at, letter in enumerate(self._text) if letter == "\n")]
        self._name = ""
        self._adapters: list[_Adapter] = []
        self._classes: dict[str, tuple[int, str]] = {}  # tables and rows: line and base
        self._tables: dict[str, str] = {}  # name of a table: its class
        self._types: list[TypeFact] = []
        self._members: list[MemberFact] = []
        self._strings: list[StringFact] = []

    def facts(self) -> FileFacts | None:
        self._read()
        if not self._name:
            return None
        self._declare(self._name, scope="", line=1, end=self._document.last_line, base="System.Data.DataSet")
        for name, (line, base) in self._classes.items():
            self._declare(name, scope=self._name, line=line, end=line, base=base)
        for adapter in self._adapters:
            if adapter.name and adapter.sources:
                self._adapter(adapter)
        return FileFacts(
            self._document.path,
            _LANGUAGE,
            self._document.file_class,
            self._document.project,
            self._document.last_line,
            types=tuple(self._types),
            members=tuple(dict.fromkeys(self._members)),
            statements=StatementFacts(strings=tuple(dict.fromkeys(self._strings))),
        )

    def _read(self) -> None:
        queries = _Adapter("", "", 0)  # of no table
        adapter, is_main, kind, command_type = queries, False, "", ""
        for match in _ELEMENT.finditer(self._text):
            tag, given = match["tag"], _attributes(match["attributes"])
            if match["end"]:
                adapter.end = match.end() if tag in ("DbSource", "TableAdapter") else adapter.end
                adapter = queries if tag == "TableAdapter" else adapter
                is_main = is_main and tag != "MainSource"
            elif tag == "DataSource":
                queries.name = _generated(given, "FunctionsComponentClassName", "FunctionsComponentName")
            elif tag == "TableAdapter":
                name = _generated(given, "DataComponentClassName", "DataAccessorName")
                adapter = _Adapter(name, given.get("Name", ""), match.start())
                self._adapters.append(adapter)
            elif tag == "MainSource":
                is_main = True
            elif tag == "DbSource":
                adapter.sources.append(_Source(given, match.start(), is_main))
                adapter.start = adapter.start or match.start()
            elif tag == "DbCommand":
                command_type = given.get("CommandType", "")
            elif tag == "CommandText" and adapter.sources:
                text = self._text[match.end() : self._text.find("<", match.end())]
                adapter.sources[-1].commands[kind] = (command_type, text, match.end())
            elif tag == "element":
                self._element(given, match.start())
            else:
                kind = tag
        self._adapters.append(queries)

    def _element(self, given: Mapping[str, str], at: int) -> None:
        """Take the data set and its tables of the schema's elements."""
        if given.get("msdata:IsDataSet") == "true":
            self._name = given.get("msprop:Generator_DataSetName") or given.get("name", "")
        table, row = given.get("msprop:Generator_TableClassName"), given.get("msprop:Generator_RowClassName")
        if table and row:
            line = self._line(at)
            self._tables[given.get("name", "")] = table
            self._classes[table] = (line, f"System.Data.TypedTableBase<{row}>")
            self._classes[row] = (line, "System.Data.DataRow")

    def _adapter(self, adapter: _Adapter) -> None:
        scope = f"{self._name}TableAdapters"
        start, end = self._line(adapter.start), self._line(adapter.end)
        base = "System.ComponentModel.Component"
        owner = self._declare(adapter.name, scope=scope, line=start, end=end, base=base)
        table = self._tables.get(adapter.table)
        for source in adapter.sources:
            select = source.commands.get("SelectCommand") or next(iter(source.commands.values()), None)
            for name, returned in _methods(source.given, f"{self._name}.{table}" if table else ""):
                if name and select:
                    self._method(owner, name, returned, source, [select])
            if source.is_main:
                self._changes(owner, source)

    def _changes(self, owner: TypeFact, source: _Source) -> None:
        """Declare the methods that change rows; who updates a table adds and deletes rows of it, too."""
        changing = {tag: source.commands[tag] for tag in _CHANGING if tag in source.commands}
        for tag in ("InsertCommand", "DeleteCommand"):
            if tag in changing:
                self._method(owner, tag.removesuffix("Command"), "int", source, [changing[tag]])
        if changing:
            self._method(owner, "Update", "int", source, list(changing.values()))

    def _method(
        self,
        owner: TypeFact,
        name: str,
        returned: str,
        source: _Source,
        commands: list[tuple[str, str, int]],
    ) -> None:
        key = f"{owner.key.rpartition('|')[0]}.{name}|METHOD"
        line = self._line(source.start)
        end = max((self._line(at + len(text)) for _, text, at in commands), default=line)
        member = MemberFact(
            key,
            name,
            owner.key,
            "METHOD",
            "method",
            line,
            end,
            returned,
            _ANY,
            modifiers=_PUBLIC,
            visibility="public",
        )
        self._members.append(member)
        self._strings.extend(self._command(key, *command) for command in commands)

    def _command(self, source: str, command_type: str, written: str, at: int) -> StringFact:
        text = Text(unescape(written))
        kind = Member(_COMMANDS, "StoredProcedure" if command_type == "StoredProcedure" else "Text")
        call = Call(Name("ExecuteReader"), (Argument(kind), Argument(text)))
        return StringFact(source, text, self._line(at), self._line(at + len(written)), call)

    def _declare(self, name: str, *, scope: str, line: int, end: int, base: str) -> TypeFact:
        full = f"{scope}.{name}" if scope else name
        owner = f"{_LANGUAGE}:{scope}|TYPE" if scope == self._name and scope else ""
        key = f"{_LANGUAGE}:{full}|TYPE"
        modifiers = _PUBLIC | {"partial"}
        fact = TypeFact(key, name, full, scope, "class", line, end, (base,), modifiers=modifiers, owner=owner)
        self._types.append(fact)
        return fact

    def _line(self, at: int) -> int:
        return bisect_right(self._starts, at)


def _attributes(written: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in _ATTRIBUTE.findall(written)}


def _generated(given: Mapping[str, str], name: str, otherwise: str) -> str:
    """Return the name that a class gets, or else that which it was asked for by."""
    return given.get(f"Generator{name}") or given.get(otherwise, "")


def _methods(given: Mapping[str, str], table: str) -> Iterator[tuple[str, str]]:
    """Yield the methods of a query with what they return: one that fills a table, one that makes it, or its own."""
    if given.get("QueryType", "Rowset") != "Rowset":
        yield given.get("Name", ""), "int" if given.get("QueryType") == "NoData" else "object"
        return
    made = given.get("GenerateMethods", "")
    if made in ("Get", "Both"):
        yield given.get("GetMethodName", "GetData"), table
    if made in ("Fill", "Both"):
        yield given.get("FillMethodName", "Fill"), "int"
