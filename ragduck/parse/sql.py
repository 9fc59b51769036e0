"""Outline SQL files: tables, views, procedures and the other objects that their statements define.

The bodies of modules (views, procedures, functions, triggers) run to the end of the batch where a file has
``GO``, as in T-SQL, and so does the one procedure or trigger of a T-SQL file that begins with it. Elsewhere they end
where their block or statement does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby
from pathlib import PurePosixPath

from ragduck.model import Document, Outline, ParseProblem, Symbol
from ragduck.parse.sql_facts import FactCollector
from ragduck.parse.sql_seams import find_seams
from ragduck.parse.sql_surroundings import Piece, Surroundings, Unit, gathered
from ragduck.sqlreader.created import created_by_variables, read_executed
from ragduck.sqlreader.definitions import Definition, read_definition, read_name, word
from ragduck.sqlreader.dialect import Dialect, default_schema, detect_dialect
from ragduck.sqlreader.statements import GUARDS, Start, find_starts
from ragduck.sqlreader.tokens import COMMENT, DELIMITER, GO, Token, tokenize


def outline(document: Document) -> Outline:
    """Return a symbol per object, and a `script` symbol per stretch of other statements between them."""
    dialect = detect_dialect(document.text, path=document.path)
    lexed = tokenize(document.text, dialect=dialect)
    file = _File(document.path, dialect, lexed.tokens)
    facts = FactCollector(document, file.tokens, dialect=dialect)
    surroundings = Surroundings(file.tokens, dialect=dialect, replaces=facts.replaces)
    pieces: list[Piece] = []
    for unit in file.units():
        found = list(file.symbols_of(unit))
        facts.add(unit.starts, defined=unit.defined, symbols=found, created=file.created)
        pieces += surroundings.pieces(unit, found)
    symbols = _trim_scripts(_merge_scripts(gathered(pieces, script=file.as_script)))
    problems = [
        ParseProblem(
            document.path, token.line, f"{token.kind} that begins with {token.text[:12]!r} never ends"
        )
        for token in lexed.unclosed
    ]
    return Outline(tuple(symbols), tuple(problems), facts.facts())


class _File:
    """The statements of one file."""

    def __init__(self, path: str, dialect: Dialect, tokens: Sequence[Token]) -> None:
        self.path = PurePosixPath(path)
        self.dialect = dialect
        self.comments = [token for token in tokens if token.kind == COMMENT]
        self.comment_offsets = [comment.start for comment in self.comments]
        self.tokens = [token for token in tokens if token.kind != COMMENT]
        self.batch_ends = [at for at, token in enumerate(self.tokens) if token.kind == GO]
        self.starts = find_starts(self.tokens, dialect=dialect)
        self.modules = sum(start.is_module for start in self.starts)
        is_tsql = dialect == "tsql"
        self.created = created_by_variables(self.tokens, self.starts, dialect=dialect) if is_tsql else {}

    def units(self) -> Iterator[Unit]:
        """Yield objects and single script statements in order; neighbours may share a line."""
        database: str | None = None
        at = 0
        while at < len(self.starts):
            after = self.unit_end(at)
            unit = self.starts[at:after]
            if unit[0].keyword == "USE":
                used = read_name(self.tokens, unit[0].at + 1)[0]
                database = used.name if used and "$(" not in used.name else None
            yield Unit(unit, self.token_end(at, after), database, list(self.definitions(unit)))
            at = after

    def unit_end(self, at: int) -> int:
        """Return where in ``starts`` the next top-level statement is.

        Guards take what they guard along, also ELSE, and a text that creates something what executes it.
        """
        batch = self.starts[at].batch
        is_guarded, last = True, -1
        for position in range(at, len(self.starts)):
            start = self.starts[position]
            is_part = start.depth or is_guarded or start.keyword == "ELSE" or start.at <= last
            if start.batch != batch or not is_part:
                return position
            if start.at in self.created:
                last = max(last, self.created[start.at].executed_at)
            if start.is_module:
                return self.module_end(position)
            is_guarded = start.keyword in GUARDS and not start.depth
        return len(self.starts)

    def module_end(self, at: int) -> int:
        """Return where in ``starts`` the first statement after a module is."""
        for position in range(at + 1, len(self.starts)):
            start = self.starts[position]
            if start.batch != self.starts[at].batch or start.is_module:
                return position
            if not self.batch_ends and not start.depth and self.ends_module(at, position):
                return position
        return len(self.starts)

    def ends_module(self, at: int, position: int) -> bool:
        """Tell whether a statement outside blocks is no longer part of the module before it."""
        start, body = self.starts[position], self.starts[at + 1]
        if self.dialect != "tsql":
            return start.separated
        if self.is_whole_file(at):
            return False
        if self.starts[at].kind == "VIEW" or body.keyword == "RETURN":
            return start is not body
        is_block = self.starts[min(at + 2, len(self.starts) - 1)].depth > body.depth
        if body.keyword == "BEGIN" and is_block and word(self.tokens, body.at + 1) != "TRY":
            return start is not body
        return start.keyword == "CREATE" and self.definition(start) is not None

    def is_whole_file(self, at: int) -> bool:
        """Tell whether a module is one batch with all that follows: the only one, first in its file, with AS."""
        is_body = (
            self.starts[at].kind in ("PROC", "TRIGGER")
            and word(self.tokens, self.starts[at + 1].at - 1) == "AS"
        )
        return is_body and at == 0 and self.modules == 1

    def token_end(self, at: int, after: int) -> int:
        """Return the position after the last token of ``starts[at:after]``."""
        next_start = self.starts[after] if after < len(self.starts) else None
        if next_start and next_start.batch == self.starts[at].batch:
            end = next_start.at
        else:
            batch = bisect_left(self.batch_ends, self.starts[after - 1].at)
            end = self.batch_ends[batch] if batch < len(self.batch_ends) else len(self.tokens)
        while self.tokens[end - 1].kind == DELIMITER:
            end -= 1
        return end

    def definition(self, start: Start) -> Definition | None:
        """Read what a statement defines, also when it does so in a string that it executes."""
        if start.kind:
            return read_definition(self.tokens, start.at, end=start.end, dialect=self.dialect)
        if start.at in self.created:
            return self.created[start.at].definition
        if start.keyword in ("EXEC", "EXECUTE"):
            return read_executed(self.tokens, start, dialect=self.dialect)
        return None

    def symbols_of(self, unit: Unit) -> Iterator[Symbol]:
        """Yield one symbol per definition of a top-level statement; without one, a script."""
        if not unit.defined:
            yield self.script(unit.starts, unit.end)
        begins = [unit.starts[0].at, *(start.at for start, _ in unit.defined[1:])]
        for (_, definition), begin, until in zip(unit.defined, begins, [*begins[1:], unit.end], strict=False):
            first, last = self.lead_line(begin), self.last_line(until)
            lines = {*self.statement_lines(unit.starts, begin, until), *definition.column_lines}
            symbol = self.symbol(definition, first=first, last=last, database=unit.database)
            seams = self.seams(unit.starts, begin, until)
            yield replace(symbol, cuts=_cuts(lines, first, last), seams=seams)

    def definitions(self, unit: Sequence[Start]) -> Iterator[tuple[Start, Definition]]:
        for start in unit:
            definition = self.definition(start)
            if definition:
                yield start, definition
                if start.is_module:
                    return

    def symbol(self, definition: Definition, *, first: int, last: int, database: str | None) -> Symbol:
        name, table = definition.name, definition.table
        home = name
        if table and (definition.kind == "INDEX" or (name.schema is None and self.dialect == "tsql")):
            home = table
        schema = home.schema or default_schema(self.dialect)
        path = (
            [schema, table.name, name.name] if table and definition.kind == "INDEX" else [schema, name.name]
        )
        if definition.kind == "SCHEMA":
            schema, path = name.name, [name.name]
        return Symbol(
            name=name.name,
            qualified_name=".".join(path),
            element_type=definition.element_type,
            start_line=first,
            end_line=last,
            signature=definition.signature,
            kind=definition.kind,
            schema=schema,
            database=home.database or database,
        )

    def script(self, unit: Sequence[Start], end: int) -> Symbol:
        """Make the symbol of a statement that defines nothing; its first cut is its own first line."""
        first, last = self.lead_line(unit[0].at), self.last_line(end)
        lines = self.statement_lines(unit, unit[0].at, end)
        return replace(self.script_of(first, last, lines), seams=self.seams(unit, unit[0].at, end))

    def seams(self, unit: Sequence[Start], begin: int, end: int) -> tuple[tuple[int, int], ...]:
        """Return the lines, with their ranks, at which statements may be cut that are longer than a chunk."""
        found = find_seams(self.tokens, unit, begin, end)
        return tuple((self.lead_line(seam.at), seam.rank) for seam in found)

    def as_script(self, symbol: Symbol) -> Symbol:
        """Make the symbol of a definition that does not count."""
        script = self.script_of(symbol.start_line, symbol.end_line, symbol.cuts)
        return replace(script, seams=symbol.seams)

    def script_of(self, first: int, last: int, lines: Iterable[int]) -> Symbol:
        qualified_name = str(self.path.with_suffix("")).replace("/", ".")
        return Symbol(self.path.stem, qualified_name, "script", first, last, cuts=(first, *lines))

    def statement_lines(self, unit: Sequence[Start], begin: int, end: int) -> Iterator[int]:
        """Yield the lines on which a statement begins, save those that a guard or BEGIN would be cut from."""
        is_guarded = False
        for start in unit:
            is_block = start.keyword == "BEGIN"
            if begin < start.at < end and not is_guarded and not is_block and self.begins_line(start.at):
                yield self.lead_line(start.at)
            is_guarded = start.keyword in GUARDS

    def begins_line(self, at: int) -> bool:
        return at == 0 or self.tokens[at - 1].end_line < self.tokens[at].line

    def lead_line(self, at: int) -> int:
        """Return the first line of the comments directly above a token, else the line of the token."""
        line = self.tokens[at].line
        before = self.tokens[at - 1] if at else None
        floor_offset, floor_line = (before.end, before.end_line) if before else (0, 0)
        position = bisect_left(self.comment_offsets, self.tokens[at].start) - 1
        while position >= 0:
            comment = self.comments[position]
            if comment.start < floor_offset or comment.line <= floor_line or comment.end_line < line - 1:
                break
            line = comment.line
            position -= 1
        return line

    def last_line(self, end: int) -> int:
        """Return the last line before a token; comments count when they end a batch or the file."""
        last = self.tokens[end - 1]
        if end < len(self.tokens) and self.tokens[end].kind != GO:
            return last.end_line
        limit = self.tokens[end].start if end < len(self.tokens) else None
        position = bisect_left(self.comment_offsets, limit) if limit is not None else len(self.comments)
        if position and self.comments[position - 1].start > last.start:
            return self.comments[position - 1].end_line
        return last.end_line


def _cuts(lines: Iterable[int], first: int, last: int) -> tuple[int, ...]:
    return tuple(sorted({line for line in lines if first < line <= last}))


def _merge_scripts(pieces: Iterable[Symbol]) -> Iterator[Symbol]:
    """Join script statements that no object parts."""
    for is_script, group in groupby(pieces, key=lambda piece: piece.element_type == "script"):
        if not is_script:
            yield from group
            continue
        scripts = list(group)
        cuts = tuple(chain.from_iterable(script.cuts for script in scripts))
        seams = tuple(chain.from_iterable(script.seams for script in scripts))
        yield replace(scripts[0], end_line=scripts[-1].end_line, cuts=cuts, seams=seams)


def _trim_scripts(symbols: Iterable[Symbol]) -> Iterator[Symbol]:
    """Take the lines that a script shares with an object away from the script."""
    ordered = list(symbols)
    for position, symbol in enumerate(ordered):
        if symbol.element_type != "script":
            yield symbol
            continue
        first, last = symbol.start_line, symbol.end_line
        if position:
            first = max(first, ordered[position - 1].end_line + 1)
        if position + 1 < len(ordered):
            last = min(last, ordered[position + 1].start_line - 1)
        if first <= last:
            yield replace(symbol, start_line=first, end_line=last, cuts=_cuts(symbol.cuts, first, last))
