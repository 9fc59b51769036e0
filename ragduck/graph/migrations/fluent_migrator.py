"""Read migrations of FluentMigrator: sentences that begin with Create, Alter, Delete, Rename or Execute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ragduck.facts import Call, CallFact, Expression, Member, Name, ObjectName, Typed
from ragduck.graph.migrations.changes import MAX_COLUMNS, Change, Place
from ragduck.graph.types.chains import Link, argument, receiver_of, take_apart

_VERBS = frozenset(("Create", "Alter", "Delete", "Rename", "Insert", "Update"))
_TABLES = frozenset(("Table", "TableFor", "OnTable", "FromTable", "ToTable", "IntoTable"))
_COLUMNS = {
    "WithColumn": "with",
    "AddColumn": "add column",
    "AlterColumn": "alter column",
    "Column": "column",
}
_KEYS = {
    "ForeignKey": "foreign key",
    "Index": "index",
    "PrimaryKey": "primary key",
    "UniqueConstraint": "unique constraint",
}
_ADDED = {"Create": "add", "Delete": "drop"}
_INDEX_VERBS = {"Create": "create index", "Delete": "drop index"}


@dataclass(slots=True)
class _Table:
    """A table that a sentence names, and where its schema is told after it."""

    name: ObjectName
    link: str


@dataclass(slots=True)
class _Sentence:
    """A sentence as it is read, link by link."""

    verb: str
    line: int
    place: Place
    tables: list[_Table] = field(default_factory=list)
    columns: list[tuple[str, str]] = field(default_factory=list)
    keys: list[tuple[str, str]] = field(default_factory=list)
    parents: list[tuple[str, ObjectName]] = field(default_factory=list)
    new_name: str = ""

    def take(self, link: Link) -> None:
        """Go on by one link."""
        call = link.call
        if call is None:
            return
        text = self.place.text(argument(call, 0)) or ""
        is_in_table = bool(self.tables) and self.tables[0].link in ("Table", "TableFor")
        if link.name in _TABLES:
            self._take_table(link.name, call)
        elif link.name == "InSchema" and self.tables:
            self.tables[-1].name = self.tables[-1].name._replace(schema=text)
        elif link.name in _COLUMNS and len(self.columns) < MAX_COLUMNS:
            self.columns.append((_COLUMNS[link.name], text))
        elif link.name == "ForeignKey" and is_in_table:
            self._take_parent(call)
        elif link.name in ("OnColumn", "ForeignColumn") and self.keys and not self.keys[-1][1]:
            self.keys[-1] = (self.keys[-1][0], text)
        elif link.name in _KEYS and not is_in_table:
            self.keys.append((_KEYS[link.name], text))
        elif link.name == "To":
            self.new_name = text

    def _take_table(self, name: str, call: Call) -> None:
        written = call.type_arguments[0] if call.type_arguments else ""
        table = self.place.table_of(written) if written else self.place.table(argument(call, 0))
        if table is not None:
            self.tables.append(_Table(table, name))

    def _take_parent(self, call: Call) -> None:
        """Read `.ForeignKey("Customer", "Id")`, with the key's name or a schema before it, or `.ForeignKey<T>()`."""
        if call.type_arguments:
            table = self.place.table_of(call.type_arguments[0])
            if table is not None:
                self.parents.append(("", table))
            return
        texts = [self.place.text(one.value) or "" for one in call.arguments[:4]]
        if len(texts) < 2 or not texts[-2]:
            return
        schema = texts[1] if len(texts) == 4 else ""
        name = texts[0] if len(texts) > 2 else ""
        self.parents.append((name, ObjectName(texts[-2], schema)))


def fluent_changes(place: Place) -> Iterator[Change]:
    """Yield what a method does in FluentMigrator's sentences."""
    inner = {receiver for fact in place.calls if isinstance(receiver := receiver_of(fact.call), Call)}
    for fact in place.calls:
        if fact.call not in inner:
            sentence = _read(fact, place)
            if sentence is not None:
                yield from _changes(sentence)


def _read(fact: CallFact, place: Place) -> _Sentence | None:
    chain = take_apart(fact.call)
    root = chain.root.name if isinstance(chain.root, Name) else ""
    links: Sequence[Link] = (Link(root), *chain.links)
    for at, link in enumerate(links[:4]):  # `this.`, `IfDatabase("…").` and the like may stand before
        if link.call is None and link.name in _VERBS:
            sentence = _Sentence(link.name, fact.line, place)
            for one in links[at + 1 :]:
                for where, written in _written_out(one, place):
                    sentence.place = where
                    sentence.take(written)
            return sentence
    return None


def _written_out(link: Link, place: Place) -> Iterator[tuple[Place, Link]]:
    """Yield a link, or in place of an extension of the system's own the links that it stands for.

    `Create.TableWithId("Order")` may be `Create.Table("Order").WithColumn("Id")`.
    """
    members = place.catalog.extensions(link.name, language="csharp") if link.call is not None else ()
    for member in members:
        inner = place.enter(member, place.bound(link.call or Call(Name("")), member, offset=1))
        chains = [take_apart(fact.call) for fact in inner.calls]
        own = (chain.links for chain in chains if _is_parameter(chain.root, member.parameters[0].name))
        longest = max(own, key=len, default=())
        if longest:
            yield from ((inner, one) for one in longest)
            return
    yield place, link


def _is_parameter(expression: Expression, name: str) -> bool:
    return isinstance(expression, Typed) and expression.name == name


def _changes(sentence: _Sentence) -> Iterator[Change]:
    if not sentence.tables:
        return
    first = sentence.tables[0]
    if sentence.keys:
        yield from _key_changes(sentence)
    elif sentence.verb in ("Insert", "Update") or (sentence.verb == "Delete" and _deletes_rows(sentence)):
        yield Change(f"{sentence.verb.lower()} data", first.name, sentence.line)
    elif first.link in ("Table", "TableFor"):
        yield from _table_changes(sentence, first.name)
    else:
        yield from _column_changes(sentence, first.name)


def _deletes_rows(sentence: _Sentence) -> bool:
    return sentence.tables[0].link == "FromTable" and not sentence.columns


def _key_changes(sentence: _Sentence) -> Iterator[Change]:
    """Read `Create.ForeignKey("FK").FromTable("A").ForeignColumn("BId").ToTable("B")…` and other keys."""
    kind, name = sentence.keys[0]
    child = sentence.tables[0].name
    parents = [table.name for table in sentence.tables if table.link == "ToTable"]
    if sentence.verb not in _ADDED:
        return
    if kind == "index":
        yield Change(_INDEX_VERBS[sentence.verb], child, sentence.line, name)
    elif kind != "foreign key" or parents or sentence.verb == "Delete":
        rule = f"{_ADDED[sentence.verb]} {kind}"
        yield Change(rule, child, sentence.line, name, other=parents[0] if parents else None)


def _table_changes(sentence: _Sentence, table: ObjectName) -> Iterator[Change]:
    if sentence.verb == "Create":
        columns = tuple(name for how, name in sentence.columns if how == "with" and name)
        yield Change("create table", table, sentence.line, columns=columns)
    elif sentence.verb == "Delete":
        yield Change("drop table", table, sentence.line)
    elif sentence.verb == "Rename":
        new = ObjectName(sentence.new_name, table.schema)
        if sentence.new_name:
            yield Change("rename table", table, sentence.line, sentence.new_name, other=new)
    for how, name in sentence.columns:
        if sentence.verb == "Alter" and how != "with":
            yield Change("add column" if how == "column" else how, table, sentence.line, name)
    for name, parent in sentence.parents:
        yield Change("add foreign key", table, sentence.line, name, other=parent)


def _column_changes(sentence: _Sentence, table: ObjectName) -> Iterator[Change]:
    """Read `Create.Column("A").OnTable("T")`, `Delete.Column("A").Column("B").FromTable("T")` and the like."""
    rules = {
        "Create": "add column",
        "Alter": "alter column",
        "Delete": "drop column",
        "Rename": "rename column",
    }
    for _, name in sentence.columns:
        new = f" -> {sentence.new_name}" if sentence.verb == "Rename" and sentence.new_name else ""
        yield Change(rules[sentence.verb], table, sentence.line, f"{name}{new}")


def fluent_sql(place: Place) -> Iterator[tuple[str, int]]:
    """Yield the texts that a method hands to `Execute.Sql(…)`, with the lines of the calls."""
    for fact in place.calls:
        function = fact.call.function
        if not isinstance(function, Member) or function.name != "Sql":
            continue
        receiver = function.receiver
        if isinstance(receiver, (Name, Member)) and receiver.name == "Execute":
            text = place.text(argument(fact.call, 0, name="sqlStatement"))
            if text:
                yield text, fact.line
