"""Tell whether tokens open a statement: whether what follows its verb is what the verb needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragduck.sqlreader.command_openings import (
    after_command,
    opens_bulk_insert,
    opens_declaration,
    opens_definition,
    opens_drop,
    opens_guard,
    opens_setting,
    opens_truncate,
    opens_use,
)
from ragduck.sqlreader.definitions import read_name, word, words
from ragduck.sqlreader.phrases import after_phrase
from ragduck.sqlreader.steps import (
    KEYWORDS,
    RESERVED,
    STATEMENTS,
    after_parentheses,
    is_hole,
    is_hole_at,
    name_at,
    position_of,
    text_at,
)
from ragduck.sqlreader.tokens import GO, NAME, NUMBER, STRING, VARIABLE, WORD, Token

_MAX_NESTING = 8
_MAX_COMMANDS = 20  # in front of the first statement that names something

_OPENS_VALUE = words("CASE CAST CONVERT EXISTS NOT NULL LEFT RIGHT REPLACE DISTINCT IDENTITY ANY IF INTERVAL")
_AFTER_SOURCE = words(
    "WHERE JOIN INNER LEFT RIGHT FULL CROSS OUTER NATURAL ON GROUP ORDER HAVING UNION EXCEPT INTERSECT FOR OPTION"
    " WITH LIMIT OFFSET FETCH PIVOT UNPIVOT TABLESAMPLE USING SET VALUES WINDOW LATERAL RETURNING OUTPUT GO SELECT"
    " INSERT UPDATE DELETE DECLARE EXEC EXECUTE IF BEGIN END MERGE WHEN AS COMMIT ROLLBACK RETURN USE FORCE INDEXED"
    " DROP CREATE ALTER TRUNCATE PRINT RAISERROR THROW"
)
_ROWS = words("VALUES VALUE SELECT EXEC EXECUTE DEFAULT SET")  # what INSERT puts in
_VALUES = words("CASE CAST CONVERT NULL EXISTS")
_ARGUMENTS = STATEMENTS | {"NULL", "WITH", "DEFAULT"}


def opens_statement(tokens: Sequence[Token], at: int, *, depth: int = 0) -> bool:
    """Tell whether a statement opens at a position, be it in parentheses or a guarded block."""
    while text_at(tokens, at) in (";", "(", "{", "?", "=") or (at < len(tokens) and tokens[at].kind == GO):
        at += 1
    keyword = word(tokens, at)
    if keyword == "EXPLAIN" and depth < _MAX_NESTING:
        return opens_statement(tokens, at + 1, depth=depth + 1)
    if keyword == "BEGIN" and depth < _MAX_NESTING:
        return _begin(tokens, at) or opens_statement(tokens, at + 1, depth=depth + 1)
    matches = _STATEMENT.get(keyword)
    if matches is not None and matches(tokens, at):
        return True
    after = after_command(tokens, at) if depth < _MAX_COMMANDS else None
    return after is not None and opens_statement(tokens, after, depth=depth + 1)


def _begin(tokens: Sequence[Token], at: int) -> bool:
    follower = word(tokens, at + 1)
    if follower in ("TRAN", "TRANSACTION"):
        return text_at(tokens, at + 2) in ("", ";") or word(tokens, at + 2) in STATEMENTS
    return follower == "TRY" or text_at(tokens, at + 1) == ";"


def _select(tokens: Sequence[Token], at: int) -> bool:
    at = _after_quantifiers(tokens, at + 1)
    first = at
    if word(tokens, at) in RESERVED - _OPENS_VALUE or text_at(tokens, at) in ("", ",", "="):
        return False
    end = _end_of_list(tokens, at)
    if end is None:
        return False
    if word(tokens, end) == "INTO":
        end = _after_into(tokens, end)
    if word(tokens, end) == "FROM":
        return _is_source(tokens, end + 1)
    return text_at(tokens, end) in ("", ";", ")", "WHERE", "UNION", *STATEMENTS) and _is_value(tokens, first)


def _after_into(tokens: Sequence[Token], at: int) -> int:
    _, after = name_at(tokens, at + 1)
    return after


def _after_quantifiers(tokens: Sequence[Token], at: int) -> int:
    """Skip what may stand between SELECT and its list."""
    if word(tokens, at) in ("ALL", "DISTINCT", "SQL_CALC_FOUND_ROWS"):
        at += 1
    if word(tokens, at) == "TOP":
        at = after_parentheses(tokens, at + 1) if text_at(tokens, at + 1) == "(" else at + 2
        at += word(tokens, at) == "PERCENT"
        if word(tokens, at) == "WITH" and word(tokens, at + 1) == "TIES":
            at += 2
    return at


def _end_of_list(tokens: Sequence[Token], at: int) -> int | None:
    """Return where a select list ends; None when three words in a row show that it is none."""
    operands = 0
    while at < len(tokens):
        token = tokens[at]
        keyword = word(tokens, at)
        if text_at(tokens, at) == "(":
            at = after_parentheses(tokens, at)
            operands = max(operands, 1)
            continue
        if (
            keyword in ("FROM", "INTO", "WHERE", "UNION", "ORDER")
            or token.text in (";", ")")
            or token.kind == GO
        ):
            return at
        if keyword in STATEMENTS and tokens[at - 1].text != ".":
            return at
        if after_phrase(tokens, at) > at:
            at, operands = after_phrase(tokens, at), 0
            continue
        if token.text == ".":
            operands -= 1
        elif keyword in KEYWORDS or token.kind not in (WORD, NAME, NUMBER, STRING, VARIABLE):
            operands = 0
        elif not is_hole(token):
            operands += 1
        if operands > 2:
            return None
        at += 1
    return at


def _is_source(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether what follows FROM is a table, and what follows the table may follow one."""
    if text_at(tokens, at) in ("(", "{"):
        return True
    if word(tokens, at) in ("ONLY", "LATERAL"):
        at += 1
    is_name, after = name_at(tokens, at)
    if not is_name:
        return False
    if text_at(tokens, after) == "(":
        after = after_parentheses(tokens, after)
    return _ends_source(tokens, after)


def _ends_source(tokens: Sequence[Token], at: int) -> bool:
    if word(tokens, at) == "AS":
        at += 1
    if at < len(tokens) and tokens[at].kind in (WORD, NAME) and word(tokens, at) not in _AFTER_SOURCE:
        at += 1
    if at >= len(tokens) or is_hole(tokens[at]) or tokens[at].kind == GO:
        return True
    return tokens[at].text in (",", ";", ")", "(", "}", "%") or word(tokens, at) in _AFTER_SOURCE


def _insert(tokens: Sequence[Token], at: int) -> bool:
    at += 1
    while word(tokens, at) in ("OR", "IGNORE", "REPLACE", "ABORT", "ROLLBACK", "FAIL", "LOW_PRIORITY"):
        at += 1
    if word(tokens, at) == "TOP":
        at = after_parentheses(tokens, at + 1)
    if word(tokens, at) == "INTO":
        at += 1
    is_name, after = name_at(tokens, at)
    if not is_name:
        return False
    if word(tokens, after) == "AS":
        after += 2
    follower = text_at(tokens, after)
    if follower not in _ROWS | {"(", "OUTPUT", "WITH"} and not is_hole_at(tokens, after):
        return False
    return any(word(tokens, at) in _ROWS or is_hole(tokens[at]) for at in range(after, len(tokens)))


def _update(tokens: Sequence[Token], at: int) -> bool:
    at += 1
    if word(tokens, at) == "TOP":
        at = after_parentheses(tokens, at + 1)
    while word(tokens, at) in ("ONLY", "LOW_PRIORITY", "IGNORE"):
        at += 1
    if word(tokens, at) == "OR":
        at += 2
    is_name, after = name_at(tokens, at)
    if not is_name:
        return False
    set_at = position_of("SET", tokens, start=after, limit=80)
    if set_at is None:
        return False
    between = {word(tokens, place) for place in range(after, set_at)}
    if not between & {"JOIN", "WITH"} and (set_at - after > 2 or between & (RESERVED - {"AS"})):
        return False
    is_target, after_target = name_at(tokens, set_at + 1)
    return (
        is_hole_at(tokens, set_at + 1)
        or text_at(tokens, set_at + 1) == "("
        or (
            is_target
            and (text_at(tokens, after_target) in "=+-*/&|^%." or is_hole_at(tokens, after_target))
            and after_target < len(tokens)
        )
    )


def _delete(tokens: Sequence[Token], at: int) -> bool:
    at += 1
    if word(tokens, at) == "TOP":
        at = after_parentheses(tokens, at + 1)
    has_from = word(tokens, at) == "FROM"
    start = at + has_from
    is_name, after = name_at(tokens, start)
    if is_name and word(tokens, after) == "FROM":
        return _is_source(tokens, after + 1)
    if not is_name or not _ends_source(tokens, after) or text_at(tokens, after) == "(":
        return False
    is_plain = after == start + 1 and tokens[start].kind == WORD
    return has_from or not is_plain or word(tokens, after) in ("WHERE", "OUTPUT")


def _merge(tokens: Sequence[Token], at: int) -> bool:
    at += 1
    if word(tokens, at) == "TOP":
        at = after_parentheses(tokens, at + 1)
    if word(tokens, at) == "INTO":
        at += 1
    is_name, after = name_at(tokens, at)
    using_at = position_of("USING", tokens, start=after, limit=20)
    return (
        is_name
        and using_at is not None
        and position_of("ON", tokens, start=using_at, limit=5_000) is not None
    )


def _execute(tokens: Sequence[Token], at: int) -> bool:
    at += 1
    if text_at(tokens, at) == "(":
        return at + 1 < len(tokens) and tokens[at + 1].kind in (STRING, VARIABLE)
    if at < len(tokens) and tokens[at].kind == VARIABLE and text_at(tokens, at + 1) == "=":
        at += 2
    is_name, after = name_at(tokens, at)
    if not is_name:
        return False
    if after >= len(tokens) or tokens[after].kind in (VARIABLE, STRING, NUMBER, GO) or is_hole(tokens[after]):
        return True
    return tokens[after].text in (";", "?", ":", "$", "-", "%") or word(tokens, after) in _ARGUMENTS


def _call(tokens: Sequence[Token], at: int) -> bool:
    is_name, after = name_at(tokens, at + 1)
    is_escape = bool(at) and tokens[at - 1].text in ("{", "=")
    return is_name and (text_at(tokens, after) == "(" or (is_escape and text_at(tokens, after) == "}"))


def _with(tokens: Sequence[Token], at: int) -> bool:
    at += 1
    if word(tokens, at) == "XMLNAMESPACES":
        return True
    if word(tokens, at) == "RECURSIVE":
        at += 1
    is_name, after = name_at(tokens, at)
    if text_at(tokens, after) == "(":
        after = after_parentheses(tokens, after)
    if not is_name or word(tokens, after) != "AS":
        return False
    while word(tokens, after + 1) in ("NOT", "MATERIALIZED"):
        after += 1
    opened = text_at(tokens, after + 1) == "("
    return opened and (
        word(tokens, after + 2) in STATEMENTS | {"VALUES"}
        or is_hole_at(tokens, after + 2)
        or text_at(tokens, after + 2) == "("
    )


def _replace(tokens: Sequence[Token], at: int) -> bool:
    return word(tokens, at + 1) == "INTO" and _insert(tokens, at)


_STATEMENT: dict[str, Callable[[Sequence[Token], int], bool]] = {
    "SELECT": _select,
    "INSERT": _insert,
    "UPDATE": _update,
    "DELETE": _delete,
    "MERGE": _merge,
    "EXEC": _execute,
    "EXECUTE": _execute,
    "CALL": _call,
    "WITH": _with,
    "CREATE": opens_definition,
    "ALTER": opens_definition,
    "DROP": opens_drop,
    "TRUNCATE": opens_truncate,
    "DECLARE": opens_declaration,
    "SET": opens_setting,
    "IF": opens_guard,
    "WHILE": opens_guard,
    "USE": opens_use,
    "REPLACE": _replace,
    "UPSERT": _replace,
    "BULK": opens_bulk_insert,
}


def _is_value(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a select list without FROM begins with a value rather than a name."""
    token = tokens[at] if at < len(tokens) else None
    if token is None:
        return False
    if token.kind in (NUMBER, STRING, VARIABLE) or is_hole(token) or token.text in ("(", "?", ":"):
        return True
    if word(tokens, at) in _VALUES:
        return at + 1 < len(tokens) or word(tokens, at) == "NULL"
    if token.text == "-":
        return at + 1 < len(tokens) and tokens[at + 1].kind in (NUMBER, VARIABLE)
    _, after = read_name(tokens, at)
    return text_at(tokens, after) in ("(", "=")
