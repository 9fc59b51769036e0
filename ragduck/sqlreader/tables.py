"""Read what statements about tables name: foreign keys, types, functions in defaults, and what they change."""

from __future__ import annotations

from collections.abc import Sequence

from ragduck.facts import ObjectName
from ragduck.sqlreader.definitions import NO_COLUMN, bare, word, words
from ragduck.sqlreader.names import HOLE, Reference, read_called_name, read_object_name
from ragduck.sqlreader.system import is_built_in_type
from ragduck.sqlreader.tokens import NAME, WORD, Token

_NO_COLUMN = NO_COLUMN | {"DEFAULT", "PARTITION"}
_NOISE = words("COLUMN IF NOT EXISTS")
_ACTIONS = {
    "ADD": "add column",
    "DROP": "drop column",
    "ALTER": "alter column",
    "MODIFY": "alter column",
    "CHANGE": "alter column",
    "RENAME": "rename column",
}
_KEYS = words("CONSTRAINT FOREIGN PRIMARY INDEX KEY CHECK PERIOD")


class TableReader:
    """The state of one walk over a CREATE or ALTER of a table or type, from behind its name.

    ``references`` are those of the table itself, ``changes`` is what an ALTER does to it. ``rest`` is where the
    query begins that a table is made of.
    """

    def __init__(
        self, tokens: Sequence[Token], at: int, end: int, *, table: ObjectName, is_change: bool
    ) -> None:
        self.tokens = tokens
        self.at, self.end = at, end
        self.table, self.is_change = table, is_change
        self.depth = 0
        self.is_listed = is_change  # the parenthesis with the columns has been met
        self.is_entry = False  # a column or a constraint begins here
        self.action = ""
        self.drops_column = False
        self.column = self.constraint = ""
        self.columns: list[str] = []
        self.no_call = at
        self.references: list[Reference] = []
        self.changes: list[Reference] = []
        self.rest: int | None = None

    def read(self) -> TableReader:
        """Walk to the end."""
        while self.at < self.end and self.rest is None:
            token = self.tokens[self.at]
            if token.text in ("(", ")", ","):
                self._take_punctuation(token.text)
            elif self.is_entry and token.kind in (WORD, NAME):
                self._take_entry()
            elif self.is_entry and token.text == HOLE:
                self.at = read_object_name(self.tokens, self.at).end
                self.is_entry = False
            elif token.kind == WORD:
                self._take_word(token.text.upper())
            else:
                self.at += 1
        return self

    def _take_punctuation(self, text: str) -> None:
        if text == "(":
            called = read_called_name(self.tokens, self.at) if self.at != self.no_call else None
            if called and called.name:
                self._refer(called.name, "Calls", kind="FUNC", rule="call")
            self.depth += 1
            self.is_entry, self.is_listed = not self.is_listed, True
        elif text == ")":
            self.depth -= 1
        else:
            self.is_entry = self.depth == (0 if self.is_change else 1)
        self.at += 1

    def _take_entry(self) -> None:
        """Take what begins a column, a constraint or the next thing that an ALTER does."""
        keyword = word(self.tokens, self.at)
        if keyword in _NOISE:
            self.drops_column = self.drops_column or keyword == "COLUMN"
            self.at += 1
            return
        self.is_entry, self.constraint, self.column, self.columns = False, "", "", []
        if self.is_change and keyword in _ACTIONS:
            self._begin_action(keyword)
        elif self.action == "drop column":
            self._take_dropped(keyword)
        elif keyword in _NO_COLUMN:
            self._take_word(keyword)
        else:
            self._take_column()

    def _take_column(self) -> None:
        """Read the name of a column and its type."""
        named = read_object_name(self.tokens, self.at)
        self.column = named.name.name if named.name else ""
        self.at = named.end
        if self.action and self.column:
            self._change(self.action, self.column)
        if word(self.tokens, self.at) in ("AS", "TO"):
            return
        written = read_object_name(self.tokens, self.at)
        if written.name and not is_built_in_type(written.name):
            self._refer(written.name, "Uses", kind="TYPE", rule="type")
        self.at = self.no_call = max(self.at, min(written.end, self.end))

    def _take_switch(self) -> None:
        """Read `SWITCH PARTITION 1 TO other`: the rows of a table become those of another."""
        while self.at < self.end and word(self.tokens, self.at) != "TO":
            self.at += 1
        self._refer(self.table, "WritesTo", kind="TABLE", rule="switch")
        self._take_name(self.at + 1, "WritesTo", kind="TABLE", rule="switch")

    def _take_dropped(self, keyword: str) -> None:
        """Take a column or constraint that is dropped; foreign keys go by their names."""
        is_foreign = keyword == "FOREIGN"
        if keyword in _KEYS:
            self.drops_column = False
            self.at += 2 if is_foreign else 1
            while word(self.tokens, self.at) in _NOISE:
                self.at += 1
        if self.at >= self.end or self.tokens[self.at].kind not in (WORD, NAME):
            return
        name = bare(self.tokens[self.at])
        if self.drops_column:
            self._change("drop column", name)
        elif is_foreign or name.upper().startswith("FK"):
            self._change("drop foreign key", name)
        self.at += 1

    def _take_word(self, keyword: str) -> None:
        at, following = self.at, word(self.tokens, self.at + 1)
        self.at += 1
        if keyword == "CONSTRAINT":
            named = self.at < self.end and word(self.tokens, self.at + 1) in ("FOREIGN", "REFERENCES")
            self.constraint = bare(self.tokens[self.at]) if named else ""
        elif keyword == "FOREIGN" and following == "KEY":
            self._take_key_columns(at + 2)
        elif keyword == "REFERENCES":
            self._take_parent()
        elif keyword == "NEXT" and following == "VALUE":
            self._take_name(at + 3, "Uses", kind="SEQUENCE", rule="next value for")
        elif keyword == "INDEX" and self.action in ("", "add column"):
            self._take_index()
        elif keyword == "CONNECTION" and self.at < self.end and self.tokens[self.at].text == "(":
            self._take_connections()
        elif keyword == "HISTORY_TABLE":
            self._take_name(at + 2, "Uses", kind="TABLE", rule="history table")
        elif keyword == "AS" and self.depth == 0 and self._is_query(self.at):
            self.rest = self.at
        elif self.is_change and not self.depth and not self.action and keyword in _ACTIONS:
            self.at = at
            self._begin_action(keyword)
        elif self.is_change and not self.depth and not self.action and keyword == "SWITCH":
            self._take_switch()

    def _begin_action(self, keyword: str) -> None:
        self.action, self.drops_column, self.is_entry = _ACTIONS[keyword], False, True
        self.at += 1
        if keyword == "RENAME" and word(self.tokens, self.at) == "TO" and self.at + 1 < self.end:
            self._change("rename table", bare(self.tokens[self.at + 1]))
            self.at += 2

    def _is_query(self, at: int) -> bool:
        opened = at < self.end and self.tokens[at].text == "("
        return word(self.tokens, at + 1 if opened else at) in ("SELECT", "WITH")

    def _take_key_columns(self, at: int) -> None:
        """Read the columns of a foreign key, if they are not told by where it stands."""
        if at < self.end and self.tokens[at].kind in (WORD, NAME) and word(self.tokens, at) != "REFERENCES":
            at += 1  # the index that MySQL makes for it
        if at >= self.end or self.tokens[at].text != "(":
            return
        end = at + 1
        while end < self.end and self.tokens[end].text != ")":
            end += 1
        self.columns = [bare(token) for token in self.tokens[at + 1 : end] if token.kind in (WORD, NAME)]
        self.at = end + 1

    def _take_parent(self) -> None:
        """Read the table behind REFERENCES."""
        written = read_object_name(self.tokens, self.at)
        if written.name:
            columns = self.columns or [self.column]
            key = self.constraint or "_".join(("FK", self.table.name, written.name.name, *columns))
            self._refer(written.name, "ForeignKey", kind="TABLE", rule="foreign key", detail=key)
            if self.is_change:
                self._change("add foreign key", key)
        self.constraint, self.columns = "", []
        self.at = self.no_call = max(self.at, min(written.end, self.end))

    def _take_index(self) -> None:
        """Read the name of an index that is made with its table, or with a column of it."""
        is_named = self.at < self.end and self.tokens[self.at].kind in (WORD, NAME)
        is_option = "USING" in (word(self.tokens, self.at - 2), word(self.tokens, self.at))
        if self.is_listed and is_named and not is_option:
            self._refer(self.table, "On", kind="", rule="index", detail=bare(self.tokens[self.at]))
            self.at += 1

    def _take_connections(self) -> None:
        """Read `CONNECTION (a TO b, …)`: between which tables of nodes a table of edges may lead."""
        self.at += 1
        while self.at < self.end and self.tokens[self.at].text != ")":
            if self.tokens[self.at].text == "," or word(self.tokens, self.at) == "TO":
                self.at += 1
                continue
            begin = self.at
            self._take_name(begin, "Uses", kind="TABLE", rule="connection")
            self.at = max(self.at, begin + 1)
        self.at += 1

    def _take_name(self, at: int, relation: str, *, kind: str, rule: str) -> None:
        written = read_object_name(self.tokens, at)
        if written.name:
            self.at = at
            self._refer(written.name, relation, kind=kind, rule=rule)
        self.at = self.no_call = max(self.at, min(written.end, self.end))

    def _refer(self, name: ObjectName, relation: str, *, kind: str, rule: str, detail: str = "") -> None:
        line = self.tokens[min(self.at, self.end - 1)].line
        self.references.append(Reference(name, relation, line, kind, rule, detail))

    def _change(self, rule: str, detail: str) -> None:
        line = self.tokens[min(self.at, self.end - 1)].line
        self.changes.append(Reference(self.table, "SchemaChange", line, "TABLE", rule, detail))
