"""Walk over a statement with a stack of scopes and no grammar.

Only the places in which a table, a function or a type can stand are looked at; whatever else a statement holds
is passed over. So an unknown construct costs at most the names in it. What keywords mean is told by the
handlers of `clauses` and `changes`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ragduck.facts import ObjectName
from ragduck.sqlreader.definitions import bare, word, words
from ragduck.sqlreader.names import (
    EXTERNAL,
    HOLE,
    STATIC,
    Reference,
    Written,
    read_called_name,
    read_object_name,
    read_static_call,
)
from ragduck.sqlreader.runners import Executed, queried_at
from ragduck.sqlreader.scopes import (
    ALIAS,
    COMMON,
    COMMON_NAME,
    EXPRESSION,
    GROUP,
    PLAIN,
    SOURCE,
    STATEMENT,
    TARGET,
    UNKNOWN,
    CommonTables,
    Scope,
    Source,
    resolve_target,
)
from ragduck.sqlreader.steps import KEYWORDS
from ragduck.sqlreader.system import is_built_in_type
from ragduck.sqlreader.tokens import NAME, PUNCTUATION, STRING, TEMP, VARIABLE, WORD, Token

_HINTS = words(
    "NOLOCK READUNCOMMITTED READCOMMITTED READCOMMITTEDLOCK REPEATABLEREAD SERIALIZABLE SNAPSHOT UPDLOCK XLOCK"
    " ROWLOCK PAGLOCK TABLOCK TABLOCKX HOLDLOCK READPAST NOWAIT NOEXPAND FORCESEEK FORCESCAN INDEX FASTFIRSTROW"
)  # old code writes them without WITH, where arguments of a function would stand
_ROWS_OF_TRIGGERS = frozenset({"inserted", "deleted"})
_TABLE_ARGUMENT = words(
    "CHANGETABLE CONTAINSTABLE FREETEXTTABLE SEMANTICKEYPHRASETABLE SEMANTICSIMILARITYTABLE"
)
_NAMED_TABLE_ARGUMENT = {"PREDICT": "DATA", "VECTOR_SEARCH": "TABLE"}
_MAX_ARGUMENTS = 200  # tokens in which such an argument is looked for
_REMOTE = "OPENQUERY"
_ELSEWHERE = words("OPENQUERY OPENROWSET OPENDATASOURCE")  # rows of another server, also to be written
_NO_SOURCE = words(
    "SELECT FROM WHERE GROUP ORDER HAVING UNION EXCEPT INTERSECT SET VALUES ON JOIN INTO INSERT UPDATE DELETE"
    " MERGE EXEC EXECUTE WITH INNER LEFT RIGHT FULL CROSS OUTER AS LATERAL ONLY APPLY WHEN DECLARE"
)
_NO_ALIAS = words(
    "AS INNER LEFT RIGHT FULL OUTER CROSS HASH LOOP REMOTE NATURAL TABLESAMPLE PIVOT UNPIVOT SYSTEM_TIME ALL OF"
    " BETWEEN AND TO CONTAINED IN USE FORCE IGNORE INDEX PARTITION SYSTEM BERNOULLI REPEATABLE DEFAULT IF ELSE"
    " BEGIN END PRINT RETURN WHILE ORDINALITY NOT MATERIALIZED"
)
_NOT_RESERVED = words("REPLACE NEXT CALL APPLY LIMIT OFFSET WINDOW")  # that tables may be called by
_BEFORE_TARGET = words(
    "TOP PERCENT LOW_PRIORITY QUICK IGNORE DELAYED ONLY TABLE OVERWRITE OR REPLACE ABORT FAIL"
)


class Walk:
    """The state of one walk over ``tokens[begin:end]``.

    ``dynamic`` gets the places of text that is executed, ``named`` those of variables that name a procedure,
    ``assigned`` those of variables that get a value, and ``called`` procedures with where their arguments begin.
    """

    def __init__(
        self,
        tokens: Sequence[Token],
        begin: int,
        end: int,
        *,
        is_tsql: bool,
        handlers: Mapping[str, Callable[[Walk], None]],
    ) -> None:
        self.tokens = tokens
        self.begin = self.at = begin
        self.end = end
        self.is_tsql = is_tsql
        self.handlers = handlers
        self.scope = Scope(STATEMENT)
        self.stack = [self.scope]
        self.common = CommonTables()
        self.found: list[tuple[int, Reference]] = []
        self.reads: list[Source] = []
        self.calls: dict[ObjectName, tuple[int, Written]] = {}
        self.alias_names: set[str] = set()
        self.declares = False
        self.no_call = -1  # a parenthesis that does not hold the arguments of what stands before it
        self.dynamic: list[Executed] = []
        self.named: list[int] = []
        self.assigned: list[int] = []
        self.called: list[tuple[ObjectName, int]] = []

    def read(self) -> list[Reference]:
        """Return what the statement refers to, in the order of the text."""
        while self.at < self.end:
            self._step()
        while self.stack:
            self.close()
        return self._results()

    def text_at(self, at: int) -> str:
        """Return a token of the statement in capitals, "" outside of it."""
        return self.tokens[at].text.upper() if self.begin <= at < self.end else ""

    def add(self, at: int, name: ObjectName, relation: str, *, kind: str = "", rule: str) -> None:
        """Note a reference that is written at a position."""
        self.found.append((at, Reference(name, relation, self.tokens[at].line, kind, rule)))

    def expect_source(self, connector: str) -> None:
        """Let a source come next, and go on behind the keyword that says so."""
        self.scope.state, self.scope.connector = SOURCE, connector
        self.scope.in_sources, self.scope.in_target = True, False
        self.at += 1

    def end_clause(self) -> None:
        """Let an expression come next, and go on behind the keyword that says so."""
        self.scope.state, self.scope.in_sources = EXPRESSION, False
        self.at += 1

    def restart(self) -> None:
        """Begin a statement that nothing parts from the one before it."""
        if self.scope.verb or self.scope.has_query:
            self.close()
            self._push(Scope(STATEMENT))

    def close(self) -> None:
        """Leave a parenthesis, or end a statement."""
        scope = self.stack.pop()
        for target in scope.targets:
            name = resolve_target(target, scope, self.common, tokens=self.tokens)
            if name:
                self.add(target.at, name, "WritesTo", rule=target.rule)
        self.common.forget(scope)
        if not self.stack:
            return
        parent = self.scope = self.stack[-1]
        if scope.kind == COMMON:
            self.common.end(scope, owner=parent)
        elif scope.kind == GROUP and (scope.has_query or scope.verb):
            parent.add(Source(None, self.at, parent.connector, base=scope))
        elif scope.kind == GROUP:
            parent.adopt(scope)

    def take_type(self, at: int) -> int:
        """Read the type at a position and return the one after it."""
        position = at + 1 if word(self.tokens, at) == "AS" else at
        if position >= self.end or self.tokens[position].kind not in (WORD, NAME):
            return at
        written = read_object_name(self.tokens, position)
        if written.name and not is_built_in_type(written.name):
            self.add(position, written.name, "Uses", kind="TYPE", rule="type")
        return written.end

    def _step(self) -> None:
        """Take one token, or as many as a name has."""
        token = self.tokens[self.at]
        if token.kind == WORD:
            self._take_word(token)
        elif token.kind == PUNCTUATION:
            self._take_punctuation(token.text)
        elif self.scope.state != EXPRESSION:
            self._take_name(token)
        elif token.kind == VARIABLE and len(self.stack) == 1:
            self._take_variable()
        else:
            self.at += 1

    def _take_word(self, token: Token) -> None:
        keyword, state = token.text.upper(), self.scope.state
        is_dotted = self.text_at(self.at + 1) == "." or self.text_at(self.at - 1) == "."
        handler = None if is_dotted else self.handlers.get(keyword)
        if state == SOURCE and (is_dotted or self._is_source(keyword)):
            self._take_source()
        elif state == TARGET and (is_dotted or self._is_target(keyword)):
            self._take_target()
        elif handler:
            handler(self)
        elif state in (ALIAS, COMMON_NAME) and not is_dotted and keyword not in _NO_ALIAS:
            self._take_name(token)
        else:
            self.at += 1

    def _is_source(self, keyword: str) -> bool:
        if keyword == "APPLY":
            return self.text_at(self.at - 1) not in ("CROSS", "OUTER")
        return keyword not in _NO_SOURCE

    def _is_target(self, keyword: str) -> bool:
        if keyword in self.handlers and keyword not in _NOT_RESERVED:
            return False
        return keyword not in _BEFORE_TARGET or self.text_at(self.at - 1) in ("INTO", "TABLE")

    def _take_name(self, token: Token) -> None:
        """Take a token that may be a name where one is expected."""
        scope = self.scope
        if scope.state == SOURCE:
            self._take_source()
            return
        if scope.state == TARGET and token.kind in (NAME, TEMP, VARIABLE):
            self._take_target()
            return
        if scope.state == COMMON_NAME and token.kind in (WORD, NAME):
            scope.name = bare(token).casefold()
        elif scope.state == ALIAS and (token.kind in (WORD, NAME) or self.text_at(self.at - 1) == "AS"):
            self.alias_names.add(bare(token).casefold())
            scope.call(bare(token))
        self.at += 1

    def _take_variable(self) -> None:
        """Read the type of a variable that is declared, and remember where variables get a value."""
        before = self.text_at(self.at - 1)
        if self.declares and before in ("DECLARE", ","):
            self.assigned.append(self.at)
            self.at = self.take_type(self.at + 1)
            return
        sets = self.text_at(self.at + 1) in ("=", "+")
        if sets and self.scope.verb != "EXEC" and before in ("SET", "SELECT", ","):
            self.assigned.append(self.at)
        self.at += 1

    def _take_punctuation(self, text: str) -> None:
        scope = self.scope
        if text == "(":
            self._open()
        elif text == ")":
            if len(self.stack) > 1:
                self.close()
            self.at += 1
        elif text == "<" and scope.in_sources and self._is_placeholder():
            self._take_placeholder()
        elif text == "," and scope.state != SOURCE:
            if scope.in_target and scope.state == ALIAS and scope.verb in ("DELETE", "TRUNCATE"):
                scope.state = TARGET
            elif scope.in_sources and scope.state != UNKNOWN:
                scope.state, scope.connector = SOURCE, "from"
            self.at += 1
        elif scope.state == SOURCE:
            self._take_source()
        elif scope.state == TARGET and text == HOLE:
            self._take_target()
        else:
            self.at += 1

    def _is_placeholder(self) -> bool:
        """Tell whether `<` stands where no operator can."""
        return self.scope.state in (SOURCE, ALIAS) or self.text_at(self.at - 1) in (".", "=")

    def _take_placeholder(self) -> None:
        """Pass over `<name, type, value>`, which templates of scripts have in place of a name or a part of one."""
        scope, is_part = self.scope, self.tokens[self.at - 1].end == self.tokens[self.at].start
        if scope.state == ALIAS and is_part and scope.last:
            scope.last.name = None
        while self.at < self.end and self.text_at(self.at) != ">":
            self.at += 1
        self.at += 1
        if self.text_at(self.at) == ".":
            self.at = read_object_name(self.tokens, self.at).end
        scope.state = EXPRESSION if scope.state == EXPRESSION else ALIAS
        scope.last, scope.own_name = None, ""

    def _open(self) -> None:
        """Enter a parenthesis."""
        scope = self.scope
        if scope.state == SOURCE:
            group = Scope(GROUP, state=SOURCE, in_sources=True, connector=scope.connector)
            if self._begins_unknown(self.at + 1):
                group.state, group.takes_from, group.has_query = UNKNOWN, True, True
            self._push(group)
        elif scope.state == COMMON_NAME and self.text_at(self.at - 1) in ("AS", "MATERIALIZED"):
            body = Scope(COMMON, name=scope.name)
            self.common.begin(body)
            self._push(body)
        else:
            if self.at != self.no_call:
                self._take_call()
            self._push(Scope(PLAIN))
        self.at += 1

    def _begins_unknown(self, at: int) -> bool:
        """Tell whether a piece stands at a position that nobody knows, by itself: no name and no part of one."""
        return self.text_at(at) == HOLE and read_object_name(self.tokens, at).end == at + 1

    def _push(self, scope: Scope) -> None:
        self.stack.append(scope)
        self.scope = scope

    def _take_source(self) -> None:
        begin, connector = self.at, self.scope.connector
        written = read_object_name(self.tokens, begin)
        name, self.at = written.sought, max(written.end, begin + 1)
        source = Source(None, begin, connector)
        if self.text_at(self.at) == "(":
            self.no_call = self.at
            if self.text_at(self.at + 1) not in _HINTS:
                self.scope.add(source)
                self._take_table_function(begin, name)
                return
        called = name.name.casefold() if name else ""
        if name and written.parts == 1:
            source.base = self.common.find(called)
        if name and source.base is None and not (written.parts == 1 and called in _ROWS_OF_TRIGGERS):
            source.name = name
            self.reads.append(source)
        self.alias_names.add(called)
        self.scope.add(source, called=called)

    def _take_table_function(self, begin: int, name: ObjectName | None) -> None:
        """Note the function that a source calls; some built-in ones are given a table by name."""
        connector, called = self.scope.connector, name.name.upper() if name and not name.schema else ""
        if called == _REMOTE and self.is_tsql:
            query = queried_at(self.tokens, self.no_call, self.end)
            self.dynamic += [query] if query else []
        elif called in _TABLE_ARGUMENT:
            self._take_argument(self.no_call + 1 + (self.text_at(self.no_call + 1) in ("CHANGES", "VERSION")))
        elif called in _NAMED_TABLE_ARGUMENT:
            argument = _NAMED_TABLE_ARGUMENT[called]
            for position in range(self.no_call + 1, min(self.end, self.no_call + _MAX_ARGUMENTS)):
                if self.text_at(position) == argument and self.text_at(position + 1) == "=":
                    self._take_argument(position + 2)
                    return
        elif name and (not name.schema or name.schema == HOLE or read_called_name(self.tokens, self.no_call)):
            self.add(begin, name, "Calls", kind="FUNC", rule=connector)

    def _take_argument(self, at: int) -> None:
        """Read the table that a function is given by name, unless it is a common table expression."""
        argument = read_object_name(self.tokens, at)
        is_common = argument.parts == 1 and argument.name and self.common.find(argument.name.name)
        if argument.name and argument.end <= self.end and not is_common:
            self.reads.append(Source(argument.name, at, self.scope.connector))

    def _take_target(self) -> None:
        scope = self.scope
        written = read_object_name(self.tokens, self.at)
        target = Source(written.sought, self.at, scope.verb.lower())
        self.at = max(written.end, self.at + 1)
        if self.text_at(self.at) == "(":
            self.no_call = self.at
            is_call = scope.verb != "INSERT" and self.text_at(self.at + 1) not in _HINTS
            if is_call or self.text_at(self.at - 1) in _ELSEWHERE:
                target.name = None
            if self.text_at(self.at - 1) == _REMOTE:
                query = queried_at(self.tokens, self.at, self.end, is_target=True)
                self.dynamic += [query] if query else []
        scope.targets.append(target)
        scope.last, scope.own_name, scope.state = target, "", ALIAS
        scope.in_sources = scope.verb in ("UPDATE", "DELETE")

    def _take_call(self) -> None:
        """Look at what stands in front of a parenthesis."""
        called = read_called_name(self.tokens, self.at)
        static = read_static_call(self.tokens, self.at) if self.is_tsql else None
        if static and not is_built_in_type(static[0]):
            line = self.tokens[self.at].line
            self.add(self.at, static[0], "Uses", kind="TYPE", rule=STATIC)
            self.found.append((self.at, Reference(static[0], "Calls", line, EXTERNAL, STATIC, static[1])))
        elif called and called.name:
            self.calls.setdefault(called.name, (self.at - 1, called))
        elif not self.is_tsql and self.at > self.begin and self.tokens[self.at - 1].kind in (WORD, NAME):
            self._take_plain_call(self.tokens[self.at - 1])

    def _take_plain_call(self, token: Token) -> None:
        """Take a call without schema, as PostgreSQL and MySQL have it; most are of built-in functions."""
        argument = self.tokens[self.at + 1] if self.at + 1 < self.end else token
        if token.text.upper() in ("NEXTVAL", "CURRVAL", "SETVAL") and argument.kind == STRING:
            schema, _, name = argument.text.strip("'").rpartition(".")
            self.add(self.at, ObjectName(name, schema), "Uses", kind="SEQUENCE", rule="nextval")
        elif self.text_at(self.at - 2) != "." and (token.kind == NAME or token.text.upper() not in KEYWORDS):
            name_only = ObjectName(bare(token))
            self.calls.setdefault(name_only, (self.at - 1, Written(name_only, self.at, 1)))

    def _results(self) -> list[Reference]:
        for source in self.reads:
            if source.name and not source.is_target:
                self.add(source.at, source.name, "ReadsFrom", rule=source.rule)
        for at, called in self.calls.values():
            is_column = (
                called.parts > 2 and called.name and called.name.database.casefold() in self.alias_names
            )
            if called.name and not is_column:
                self.add(at, called.name, "Calls", kind="FUNC", rule="call")
        self.found.sort(key=lambda entry: entry[0])
        return [reference for _, reference in self.found]
