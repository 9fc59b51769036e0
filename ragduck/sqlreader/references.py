"""Read which database objects the statements of SQL name, and what they do with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from ragduck.facts import ObjectName
from ragduck.sqlreader.command_texts import sql_in_command
from ragduck.sqlreader.definitions import Definition, bare, read_definition, word
from ragduck.sqlreader.dialect import Dialect
from ragduck.sqlreader.drops import changes_of, read_drops, read_rename, read_transfer
from ragduck.sqlreader.dynamic import Blocks, Budget, Dynamic, Piece, Variables, tokens_of, unquoted
from ragduck.sqlreader.given import CONDITIONAL, parameters_of, runs
from ragduck.sqlreader.given_texts import read_given
from ragduck.sqlreader.headers import (
    EXTERNAL,
    object_name,
    read_external,
    read_header,
)
from ragduck.sqlreader.job_steps import IN_DATA, OF_STEP, steps_in_rows
from ragduck.sqlreader.messages import OF_MESSAGES, read_broker, read_dialog
from ragduck.sqlreader.names import HOLE, Reference, is_partly_unknown, read_object_name
from ragduck.sqlreader.queries import procedure_in_front, walk_over
from ragduck.sqlreader.runners import Executed
from ragduck.sqlreader.statements import Start, find_starts
from ragduck.sqlreader.tables import TableReader
from ragduck.sqlreader.tokens import COMMENT, NUMBER, STRING, Token, tokenize

__all__ = ["HOLE", "Reference", "StatementReader", "read_references"]

_HEAD = 12  # tokens in which the name of a module is
_MAX_DEPTH = 3  # of text that runs text that runs text
_MAX_GIVEN = 300_000  # characters per file of texts that may never be run
_EACH_GIVEN = 100  # characters that reading one costs at least
_DYNAMIC = "dynamic sql"
_UNTOLD = CONDITIONAL | OF_MESSAGES | {"ForeignKey", "On", "SynonymFor"}
_OF_SERVER = frozenset({"ReadsFrom", "WritesTo", "Executes", "Calls"})
_UNSURE = frozenset({"IF", "WHILE"})  # before another statement on the same line


def read_references(text: str, *, dialect: Dialect = "tsql") -> tuple[Reference, ...]:
    """Return what the statements of a text refer to, in order; ``HOLE`` stands for pieces that are not known.

    Changes of tables are references with the relation SchemaChange. Foreign keys are told as changes only,
    as a reference has no place for the table that they are of.
    """
    tokens = [token for token in tokenize(text, dialect=dialect).tokens if token.kind != COMMENT]
    reader = StatementReader(tokens, dialect=dialect)
    starts = find_starts(tokens, dialect=dialect)
    return tuple(
        reference
        for start in starts
        for reference in reader.read(start)
        if reference.relation not in _UNTOLD and reference.kind != EXTERNAL
    )


def _less_sure(reference: Reference) -> Reference:
    """Mark what is read off a text that is put together; a change of a table goes on telling what it does."""
    rule = reference.rule if reference.relation == "SchemaChange" else _DYNAMIC
    return reference._replace(rule=rule, is_dynamic=True)


def _of_step(reference: Reference) -> Reference:
    """Mark what the agent has done, rather than the script that makes its job."""
    return reference._replace(rule=OF_STEP) if reference.relation in _OF_SERVER else reference


def _for_each(text: Dynamic) -> Dynamic:
    """Make holes of the marks that stand for the name of a database or table."""
    pieces = (piece._replace(text=piece.text.replace("?", HOLE)) for piece in text.pieces)
    return text._replace(pieces=tuple(pieces))


def _in_database(database: str, reference: Reference) -> Reference:
    """Let a name that is written without a database mean one in the database where its text runs."""
    name = reference.name
    if not database or name.database or name.server:
        return reference
    return reference._replace(name=name._replace(database=database))


def _at_server(executed: Executed, references: Iterable[Reference]) -> Iterator[Reference]:
    """Yield what a text does that another server runs; OPENQUERY writes to the table that its text reads first."""
    is_target = executed.is_target
    for reference in references:
        name = reference.name
        if reference.relation in _OF_SERVER and not is_partly_unknown(name):
            name = name if name.server else name._replace(server=executed.home.server)
            relation = "WritesTo" if is_target else reference.relation
            yield reference._replace(name=name, relation=relation)
            is_target = False


class StatementReader:
    """Reads one statement after the other of one text; knows what its variables hold that may be executed."""

    def __init__(
        self, tokens: Sequence[Token], *, dialect: Dialect, depth: int = 0, budget: Budget | None = None
    ) -> None:
        self.tokens = tokens
        self.dialect = dialect
        self.depth = depth
        self.budget = budget or Budget()
        self.variables = Variables(tokens, budget=self.budget)
        self.given_budget = Budget(_MAX_GIVEN)
        self.growth_budget = Budget(_MAX_GIVEN)  # of what variables hold that are given
        self.blocks = Blocks()
        self.batch = 0
        self.jumps = any(word(tokens, place) == "GOTO" for place in range(len(tokens)))

    def read(self, start: Start, *, is_definition: bool = False) -> list[Reference]:
        """Return what a statement refers to; the body of a module is made of statements of its own.

        ``is_definition`` tells that the statement counts for the module that the text which it executes creates.
        """
        if start.batch != self.batch or start.is_module:
            self.variables = Variables(self.tokens, budget=self.budget)
            self.batch = start.batch
        self.blocks.enter(start)
        if start.kind == "PROC" and not self.depth:
            parameters = parameters_of(self.tokens, start.at, start.end)
            self.variables.declare(parameters, line=self.tokens[start.at].line)
        if start.kind:
            return self.read_defined(start)
        if start.keyword in ("CREATE", "ALTER") and word(self.tokens, start.at + 1) != "SECURITY":
            return list(read_broker(self.tokens, start.at, start.end))  # the rest names nothing
        if start.keyword == "EXTERNAL":
            return list(read_external(self.tokens, start.at, start.end))
        if start.keyword == "DROP":
            drops = read_drops(self.tokens, start.at, start.end)
            return [change for drop in drops for change in changes_of(drop)]
        if self.tokens[start.at].kind == STRING:
            return self.read_quoted_body(start)
        return self.read_query(start.at, start.end, is_definition=is_definition)

    def is_numbered(self, start: Start) -> bool:
        """Tell whether a procedure is one of several of its name: `CREATE PROCEDURE dbo.Report;2`."""
        head = self.tokens[start.at : start.at + _HEAD]
        return any(one.text == ";" and two.kind == NUMBER for one, two in pairwise(head))

    def read_query(self, at: int, end: int, *, is_definition: bool = False) -> list[Reference]:
        """Read a statement that defines nothing, and what it executes."""
        walk = walk_over(self.tokens, at, end, dialect=self.dialect)
        found = walk.read()
        is_certain = not (self.jumps or self.blocks.is_guarded) and self.assigns_surely(at, end)
        for position in walk.assigned:
            self.variables.note(position, end, path=self.blocks.path, is_certain=is_certain)
        for text in walk.dynamic:
            found += self.read_executed(text, end, is_definition=is_definition)
        for position in walk.named:
            found += self.read_named(position, end)
        found += [*self.note_runs(self.tokens[at].line), *read_dialog(self.tokens, at, end)]
        if not self.depth:
            found += read_given(self, walk.called, end)
        if word(self.tokens, at) == "INSERT" and self.dialect == "tsql" and not self.depth:
            found += self.read_steps(at, end)
        if word(self.tokens, at) in ("FETCH", "EXEC", "EXECUTE"):
            self.variables.forget(at, end)
        is_bare = word(self.tokens, at) == "SP_RENAME"  # as the first statement of a batch may be
        if is_bare or word(self.tokens, at) in ("EXEC", "EXECUTE"):
            renamed = read_rename(self.tokens, at - is_bare, end, dialect=self.dialect)
            found += [renamed] if renamed else []
        return found

    def read_steps(self, at: int, end: int) -> Iterator[Reference]:
        """Read the calls in rows that are steps of jobs: whoever reads the rows makes the jobs of them."""
        for place in steps_in_rows(self.tokens, at, end):
            token = self.tokens[place]
            text = Dynamic((Piece(unquoted(token.text), token.line),), is_literal=False)
            for reference in self.run(text, budget=self.given_budget):
                if reference.relation == "Executes":
                    yield reference._replace(rule=IN_DATA)

    def note_runs(self, line: int) -> list[Reference]:
        """Return notes of the parameters that a statement runs."""
        ran, self.variables.ran = dict.fromkeys(self.variables.ran), []
        return [runs(one, self.variables.parameters, line=line) for one in ran]

    def assigns_surely(self, at: int, end: int) -> bool:
        """Tell whether a statement gives its variables values whatever rows there are and conditions on its line."""
        keyword = word(self.tokens, at)
        unsure = _UNSURE | {"FROM"} if keyword == "SELECT" else _UNSURE
        is_assignment = keyword in ("SET", "DECLARE", "SELECT")
        return is_assignment and not any(word(self.tokens, place) in unsure for place in range(at, end))

    def read_executed(
        self, executed: Executed, end: int, *, is_definition: bool = False
    ) -> Iterable[Reference]:
        """Read the texts that an expression may be; what another server runs names that server's objects."""
        if self.budget.left <= 0:
            return ()
        texts = list(self.variables.executed(executed.at, end))
        if executed.home.server or executed.home.database or executed.language:
            self.variables.ran.clear()  # the callers' own database is another one, or their text no SQL
        if executed.home.server == HOLE:
            return ()
        if executed.language:
            texts = [one for text in texts for one in sql_in_command(text, language=executed.language)]
        known = map(_for_each, texts) if executed.is_repeated else texts
        database = executed.home.database
        read = (self.run(text, database=database, is_definition=is_definition) for text in known)
        found: Iterable[Reference] = chain.from_iterable(read)
        if executed.is_step:
            found = map(_of_step, found)
        return dict.fromkeys(_at_server(executed, found) if executed.home.server else found)

    def read_named(self, at: int, end: int) -> Iterator[Reference]:
        """Read `EXEC @procedure`, if it is known what the variable holds; it may run a text elsewhere."""
        for text in self.variables.versions(self.tokens[at].text.casefold(), is_kept=True):
            tokens = tokens_of(text.pieces, dialect=self.dialect) if self.budget.spend(text) else []
            written = read_object_name(tokens, 0)
            if tokens and bare(tokens[-1]).casefold() == "sp_executesql":
                home = written.name or ObjectName("")
                yield from map(_less_sure, self.read_executed(Executed(at + 1, home), end))
            elif written.sought and written.end == len(tokens):
                line = self.tokens[at].line
                yield _less_sure(Reference(written.sought, "Executes", line, "PROC", "exec"))

    def run(
        self, text: Dynamic, *, database: str = "", is_definition: bool = False, budget: Budget | None = None
    ) -> list[Reference]:
        """Read a text that is executed; what a module does that it creates is not done by whoever creates it."""
        budget = budget or self.budget
        budget.left -= _EACH_GIVEN if budget is self.given_budget else 0
        if self.depth >= _MAX_DEPTH or not budget.spend(text):
            return []
        tokens = tokens_of(text.pieces, dialect=self.dialect)
        reader = StatementReader(tokens, dialect=self.dialect, depth=self.depth + 1, budget=budget)
        called = procedure_in_front(tokens) if self.dialect == "tsql" else None
        if called and not text.is_literal and not called.name.schema:
            called = called._replace(
                name=called.name._replace(schema=HOLE)
            )  # a bare word may be no name at all
        found = [_in_database(database, called)] if called else []
        for start in find_starts(tokens, dialect=self.dialect):
            if start.is_module and not is_definition:
                break  # its body is the rest of the text
            if start.keyword == "USE":
                used = read_object_name(tokens, start.at + 1).name
                database = used.name if used else ""
            found += (_in_database(database, reference) for reference in reader.read(start))
        return found if text.is_literal else [_less_sure(reference) for reference in found]

    def read_defined(self, start: Start) -> list[Reference]:
        """Read a statement that creates or alters an object."""
        definition = read_definition(self.tokens, start.at, end=start.end, dialect=self.dialect)
        if definition is None:
            moved = read_transfer(self.tokens, start.at, start.end)
            return [moved] if moved else []
        if self.has_hole(start, definition):
            return []
        if start.is_module:
            return list(read_header(self.tokens, start.at, start.end, definition=definition))
        if definition.kind == "TYPE" and word(self.tokens, definition.after) == "EXTERNAL":
            return list(read_external(self.tokens, definition.after, start.end, is_type=True))
        if definition.kind in ("TABLE", "TYPE"):
            return self.read_table(start, definition)
        return list(self.read_other(start, definition))

    def has_hole(self, start: Start, definition: Definition) -> bool:
        """Tell whether pieces are missing where objects are named; what a table is made of is read piece by piece."""
        is_table = definition.kind in ("TABLE", "TYPE")
        end = definition.after + 1 if is_table else start.end
        return any(HOLE in token.text for token in self.tokens[start.at : end])

    def read_quoted_body(self, start: Start) -> list[Reference]:
        """Read the body of a function that PostgreSQL has in a string."""
        token = self.tokens[start.at]
        body = Piece(unquoted(token.text), token.line)
        return self.run(Dynamic((body,), is_literal=True)) if self.dialect == "postgresql" else []

    def read_table(self, start: Start, definition: Definition) -> list[Reference]:
        """Read a table or a type, and the query that a table may be made of."""
        name = object_name(definition.name)
        is_change = definition.element_type == "alter_table"
        reader = TableReader(self.tokens, definition.after, start.end, table=name, is_change=is_change).read()
        found = [*reader.references, *reader.changes]
        if is_change and not reader.changes:
            line = self.tokens[start.at].line
            found.append(Reference(name, "SchemaChange", line, "TABLE", "alter table"))
        if definition.element_type == "table":
            line = self.tokens[start.at].line
            found.insert(0, Reference(name, "SchemaChange", line, "TABLE", "create table"))
        if reader.rest is not None:
            found += self.read_query(reader.rest, start.end)
        return found

    def read_other(self, start: Start, definition: Definition) -> Iterator[Reference]:
        """Read an index or a synonym."""
        line, name = self.tokens[start.at].line, definition.name.name
        if definition.kind == "INDEX" and definition.table:
            table = object_name(definition.table)
            yield Reference(table, "On", line, "", "index")
            yield Reference(table, "SchemaChange", line, "TABLE", "create index", name)
        elif definition.kind == "SYNONYM" and word(self.tokens, definition.after) == "FOR":
            meant = read_object_name(self.tokens, definition.after + 1)
            if meant.name:
                yield Reference(meant.name, "SynonymFor", line, "", "synonym")
