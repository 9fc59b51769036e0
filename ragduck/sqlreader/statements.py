"""Find where SQL statements start, with the block depth of each, without a grammar.

T-SQL needs no ``;`` between statements: a statement starts at a keyword that begins a line (or follows ``;``,
``BEGIN``, ``ELSE``, ``AS``) unless the words before it say that it continues a statement.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragduck.sqlreader.definitions import MODULES, object_kind, starts_body, word, words
from ragduck.sqlreader.dialect import Dialect
from ragduck.sqlreader.tokens import DELIMITER, GO, NAME, PUNCTUATION, WORD, Token, declares_mark

GUARDS = frozenset({"IF", "WHILE", "ELSE"})  # the next statement is theirs

_STARTERS = words(
    "ALTER BACKUP BEGIN BREAK BULK CHECKPOINT CLOSE COMMIT CONTINUE CREATE DBCC DEALLOCATE DECLARE DELETE"
    " DENY DISABLE DROP ENABLE EXEC EXECUTE FETCH GOTO GRANT IF INSERT KILL MERGE OPEN PRINT RAISERROR"
    " RECONFIGURE RESTORE RETURN REVOKE ROLLBACK SAVE SELECT SET THROW TRUNCATE UPDATE USE WAITFOR WHILE WITH"
)
_KEYWORDS = _STARTERS | {"AS", "CASE", "DO", "ELSE", "END", "LOOP", "REPEAT", "THEN"}
_TRANSACTION = words(
    "TRAN TRANSACTION DISTRIBUTED DIALOG CONVERSATION WORK IMMEDIATE DEFERRED EXCLUSIVE ISOLATION"
)
_DML_CONTEXT = words(
    ", FOR AFTER OF ON INSTEAD OR BEFORE THEN GRANT DENY REVOKE KEY DO"
)  # ON UPDATE, AFTER INSERT, WHEN MATCHED THEN DELETE, ON DUPLICATE KEY UPDATE
_OBJECTS = words(
    "TABLE VIEW PROC PROCEDURE FUNCTION TRIGGER INDEX TYPE SEQUENCE SYNONYM SCHEMA COLUMN CONSTRAINT DATABASE"
    " USER ROLE LOGIN STATISTICS EXTENSION"
)
_PERMISSIONS = frozenset({"GRANT", "DENY", "REVOKE", ","})
_CONTINUES_AFTER = {
    "SELECT": words("UNION ALL EXCEPT INTERSECT FOR RETURN AS EXPLAIN") | _PERMISSIONS,
    "WITH": frozenset({"RETURN", "FOR"}),
    "INSERT": _DML_CONTEXT - {"ON"},
    "UPDATE": _DML_CONTEXT,
    "DELETE": _DML_CONTEXT,
    "SET": frozenset({"UPDATE", "DELETE"}),
    "EXEC": _PERMISSIONS | {"WITH"},
    "EXECUTE": _PERMISSIONS | {"WITH"},
    "FETCH": frozenset({"ROWS", "ROW", "OFFSET"}),
    "MERGE": frozenset({"INNER", "LEFT", "RIGHT", "FULL", "OUTER"}),
    "IF": _OBJECTS,
    "CREATE": _PERMISSIONS,
    "ALTER": _PERMISSIONS,
}
_QUERY = frozenset({"SELECT", "EXEC", "EXECUTE", "WITH"})
_AWAITED = {  # keywords that the statement itself goes on with
    "INSERT": _QUERY,
    "WITH": frozenset({"SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"}),
    "UPDATE": frozenset({"SET"}),
}
_TABLE_PARTS = words("COLUMN CONSTRAINT PERIOD PRIMARY FOREIGN CHECK DEFAULT NOT")
_NOTHING: frozenset[str] = frozenset()


class Start(NamedTuple):
    """The first token of a statement. ``end`` is the position after its last own token.

    ``separated`` tells that a ``;`` or the start of a batch came before.
    """

    at: int
    end: int
    depth: int
    batch: int
    keyword: str
    kind: str | None
    separated: bool

    @property
    def is_module(self) -> bool:
        """Tell whether a view, procedure, function or trigger starts here."""
        return self.kind in MODULES


def find_starts(tokens: Sequence[Token], *, dialect: Dialect) -> list[Start]:
    """Return the statement starts in order, nested ones too; ``tokens`` holds no comments."""
    finder = _Finder(tokens, dialect)
    for at, token in enumerate(tokens):
        if token.kind == WORD:
            keyword = token.text.upper()
            if keyword in _KEYWORDS and finder.text_before(at) != ".":
                finder.take_keyword(at, keyword)
            elif finder.is_fresh and not finder.names_language(at):
                finder.open(at, keyword)
        elif token.kind == PUNCTUATION:
            finder.take_punctuation(at, token.text)
        elif token.kind in (GO, DELIMITER):
            finder.separate(at, resets=token.kind == GO)
            finder.has_mark = token.kind == DELIMITER and declares_mark(token)
        elif finder.is_fresh and not finder.names_language(at):
            finder.open(at, "")
    finder.close(len(tokens))
    return finder.starts


class _Finder:
    """The state of one walk over the tokens."""

    def __init__(self, tokens: Sequence[Token], dialect: Dialect) -> None:
        self.tokens = tokens
        self.is_tsql = dialect == "tsql"
        self.starts: list[Start] = []
        self.is_closed = True
        self.blocks: list[str] = []
        self.parentheses = 0
        self.batch = 0
        self.is_fresh = True  # the next token starts a statement, whatever it is
        self.is_separated = True
        self.has_mark = False  # that ends statements instead of `;`
        self.in_header = False  # of a module, before its body
        self.awaited = _NOTHING
        self.verb = ""

    def text_before(self, at: int) -> str:
        return self.tokens[at - 1].text.upper() if at else ""

    def names_language(self, at: int) -> bool:
        """Tell whether a token is one of the two in `DO LANGUAGE plpgsql`, before the body that is done."""
        is_word = self.text_before(at) == "DO" and word(self.tokens, at) == "LANGUAGE"
        return is_word or (self.text_before(at) == "LANGUAGE" and self.text_before(at - 1) == "DO")

    def open(self, at: int, keyword: str, *, kind: str | None = None) -> None:
        """Record a statement that starts at a position."""
        self.close(at)
        depth = len(self.blocks)
        self.starts.append(Start(at, at, depth, self.batch, keyword, kind, self.is_separated))
        self.is_closed = self.is_fresh = self.is_separated = False
        self.verb = keyword
        self.awaited = _AWAITED.get(keyword, _NOTHING)
        self.in_header = kind in MODULES

    def close(self, at: int) -> None:
        """Let the statement that is open end before a position."""
        if not self.is_closed:
            self.starts[-1] = self.starts[-1]._replace(end=at)
        self.is_closed = True

    def separate(self, at: int, *, resets: bool) -> None:
        self.close(at)
        self.is_fresh = self.is_separated = True
        self.in_header = False
        self.awaited = _NOTHING
        self.verb = ""
        self.parentheses = 0
        if resets:
            self.blocks.clear()
            self.batch += 1

    def take_punctuation(self, at: int, text: str) -> None:
        if text == ";":
            was_separated = self.is_separated
            self.separate(at, resets=False)
            self.is_separated = was_separated or not self.has_mark
            return
        if self.is_fresh:
            self.open(at, "")
        if text == "(":
            self.parentheses += 1
        elif text == ")" and self.parentheses:
            self.parentheses -= 1

    def take_keyword(self, at: int, keyword: str) -> None:
        if keyword in ("CREATE", "ALTER") and self.take_definition(at, keyword):
            return
        if keyword == "CASE":
            self.take_case(at)
        elif keyword == "END":
            self.take_end(at)
        elif self.parentheses or (self.blocks and self.blocks[-1] == "CASE"):
            return
        elif keyword == "ELSE":
            self.open(at, keyword)
            self.is_fresh = True
        elif keyword in ("THEN", "DO", "LOOP", "REPEAT"):
            self.is_fresh = self.is_fresh or (
                not self.is_tsql and self.verb != "MERGE" and not self.in_header
            )
        elif self.in_header:
            self.take_header(at, keyword)
        elif self.is_start(at, keyword):
            self.open(at, keyword)
            if keyword == "BEGIN":
                self.take_begin(at)

    def take_definition(self, at: int, keyword: str) -> bool:
        """Open a CREATE or ALTER of an object; a module at the start of a line ends all that was open."""
        kind = object_kind(self.tokens, at)
        if kind is None or self.text_before(at) in _PERMISSIONS:
            return False
        begins = self.is_fresh or self.is_line_start(at)
        if kind in MODULES and begins:
            self.blocks.clear()
            self.parentheses = 0
        elif self.parentheses or self.in_header or not (begins or self.is_tsql):
            return False
        self.open(at, keyword, kind=kind)
        return True

    def take_case(self, at: int) -> None:
        if self.text_before(at) == "END":
            return
        if self.is_fresh:
            self.open(at, "CASE")
        self.blocks.append("CASE")

    def take_end(self, at: int) -> None:
        follower = word(self.tokens, at + 1)
        if follower == "CONVERSATION" or (
            not self.is_tsql and follower in ("IF", "WHILE", "LOOP", "REPEAT", "FOR")
        ):
            self.is_fresh = False
            return
        if self.blocks and self.blocks.pop() == "BEGIN":
            self.close(at)
            self.verb, self.awaited, self.in_header, self.parentheses = "END", _NOTHING, False, 0
        self.is_fresh = False

    def take_begin(self, at: int) -> None:
        following = self.tokens[at + 1].text.upper() if at + 1 < len(self.tokens) else ""
        is_plain = (
            following == ";" and word(self.tokens, at + 2) != "WITH"
        )  # T-SQL wants `;` in front of WITH
        if following in _TRANSACTION or is_plain:
            return
        self.blocks.append("BEGIN")
        self.is_fresh = following not in ("TRY", "CATCH", "ATOMIC")

    def take_header(self, at: int, keyword: str) -> None:
        if not starts_body(self.tokens, at):
            return
        self.in_header = False
        if keyword == "AS":
            self.is_fresh = True
            return
        self.open(at, keyword)
        if keyword == "BEGIN":
            self.take_begin(at)

    def is_line_start(self, at: int) -> bool:
        return at == 0 or self.tokens[at - 1].end_line < self.tokens[at].line

    def is_start(self, at: int, keyword: str) -> bool:
        """Tell whether a keyword outside parentheses, CASE and headers starts a statement."""
        if self.is_fresh or keyword not in _STARTERS:
            return self.is_fresh
        if keyword in self.awaited:
            self.awaited = _AWAITED.get(keyword, _NOTHING)
            return False
        before = self.text_before(at)
        if before == "ON" and self.verb == "SET":
            before = ""  # SET NOCOUNT ON, unlike ON DELETE CASCADE, is complete
        if before in _CONTINUES_AFTER.get(keyword, _NOTHING):
            self.awaited = _AWAITED["WITH"] if keyword == "WITH" else self.awaited
            return False
        if not self.may_start(at, keyword, before):
            return False
        return not self.continues(at, keyword)

    def may_start(self, at: int, keyword: str, before: str) -> bool:
        if not self.is_tsql:
            return keyword == "BEGIN"
        follows_clause = before in ("END", "TRY", "CATCH") or self.verb in GUARDS
        return keyword == "BEGIN" or follows_clause or self.is_line_start(at)

    def continues(self, at: int, keyword: str) -> bool:
        """Tell whether the words after a keyword show that it is part of the statement before it."""
        following = word(self.tokens, at + 1)
        opens = at + 1 < len(self.tokens) and self.tokens[at + 1].text == "("
        if keyword == "WITH":
            return not self.is_common_table(at)
        if keyword == "DROP":
            return self.verb == "ALTER" and (following in _TABLE_PARTS or self.text_before(at) == ",")
        if keyword in ("UPDATE", "SET"):
            return opens
        if keyword in ("ENABLE", "DISABLE"):
            return following != "TRIGGER"
        return keyword == "ALTER" and following == "COLUMN"

    def is_common_table(self, at: int) -> bool:
        """Tell ``WITH name AS (`` and ``WITH name (columns)`` from hints and options."""
        if at + 2 >= len(self.tokens) or self.tokens[at + 1].kind not in (WORD, NAME):
            return False
        return self.tokens[at + 2].text.upper() in ("AS", "(")
