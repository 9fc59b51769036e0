"""What the keywords of queries mean to a walk over a statement."""

from __future__ import annotations

from collections.abc import Callable

from ragduck.sqlreader.names import read_object_name
from ragduck.sqlreader.scopes import COMMON_NAME, EXPRESSION, GROUP, STATEMENT, TARGET
from ragduck.sqlreader.tokens import NAME, WORD
from ragduck.sqlreader.walk import Walk

_OPERATORS = frozenset({",", "=", "<", ">", ")", "+", "-", "/", "*", ".", ""})


def take_select(walk: Walk) -> None:
    """Begin a query: in a parenthesis, as part of a statement, or as a statement of its own."""
    scope = walk.scope
    is_first = not scope.has_query and scope.verb in ("", "INSERT")
    if scope.kind == STATEMENT and not (is_first or scope.awaits_query):
        walk.restart()
        scope = walk.scope
    scope.has_query = scope.takes_from = True
    scope.awaits_query = scope.in_target = False
    walk.end_clause()
    scope.list_at = walk.at


def take_from(walk: Walk) -> None:
    """Begin the sources; `is distinct from` and `trim(x from y)` have no such."""
    scope = walk.scope
    is_clause = scope.takes_from and scope.state != TARGET
    if is_clause and walk.text_at(walk.at - 1) not in ("DISTINCT", "SYSTEM_TIME"):
        walk.expect_source("from")
    else:
        walk.at += 1


def take_join(walk: Walk) -> None:
    """Let the joined source come next; JOIN is also part of a hint."""
    if walk.scope.in_sources:
        walk.expect_source("join")
    else:
        walk.at += 1


def take_apply(walk: Walk) -> None:
    """Let a source that is evaluated per row come next."""
    if walk.scope.in_sources and walk.text_at(walk.at - 1) in ("CROSS", "OUTER"):
        walk.expect_source("apply")
    else:
        walk.at += 1


def take_using(walk: Walk) -> None:
    """Read the source of MERGE and DELETE; of a join it begins the condition."""
    scope = walk.scope
    if scope.in_target and scope.verb in ("MERGE", "DELETE"):
        walk.expect_source("using")
    else:
        take_on(walk)


def take_on(walk: Walk) -> None:
    """Let the condition of a join come next."""
    if walk.scope.in_sources:
        walk.scope.state = EXPRESSION
    walk.at += 1


def take_into(walk: Walk) -> None:
    """Read the target of SELECT INTO and OUTPUT INTO; other dialects put values into variables so."""
    scope = walk.scope
    is_written = bool(scope.verb or scope.has_query) and scope.state != TARGET
    walk.at += 1
    if not (is_written and walk.is_tsql) or scope.verb == "EXEC":
        return
    written = read_object_name(walk.tokens, walk.at)
    if written.sought and written.end <= walk.end:
        rule = "output into" if scope.verb and not scope.has_query else "select into"
        walk.add(walk.at, written.sought, "WritesTo", rule=rule)
    walk.at = walk.no_call = written.end


def take_set_operation(walk: Walk) -> None:
    """Let another query come next that is part of the same one."""
    walk.scope.has_union = walk.scope.awaits_query = True
    walk.end_clause()


def take_values(walk: Walk) -> None:
    """End what came before; a parenthesis of VALUES is a derived table."""
    walk.scope.has_query = walk.scope.has_query or walk.scope.kind == GROUP
    walk.end_clause()


def take_set(walk: Walk) -> None:
    """Let the columns come next that UPDATE sets."""
    walk.end_clause()
    if walk.scope.verb == "UPDATE" and walk.scope.set_at < 0:
        walk.scope.set_at = walk.at


def take_for(walk: Walk) -> None:
    """End the sources, save at the point in time that a temporal table is read for."""
    if walk.text_at(walk.at + 1) == "SYSTEM_TIME":
        walk.at += 2
    else:
        walk.end_clause()


def take_soft_end(walk: Walk) -> None:
    """End the sources at a word that T-SQL allows as the name of a column."""
    if walk.text_at(walk.at + 1) in _OPERATORS:
        walk.at += 1
    else:
        walk.end_clause()


def take_with(walk: Walk) -> None:
    """Begin common table expressions; in front of anything else WITH gives hints or options."""
    name_at = walk.at + 1 + (walk.text_at(walk.at + 1) == "RECURSIVE")
    is_name = name_at < walk.end and walk.tokens[name_at].kind in (WORD, NAME)
    if not (is_name and walk.text_at(name_at + 1) in ("AS", "(")):
        walk.at += 1
        return
    if walk.scope.kind == STATEMENT and walk.scope.verb != "INSERT":
        walk.restart()
    walk.scope.state = COMMON_NAME
    walk.at = name_at


def take_when(walk: Walk) -> None:
    """End the sources of a MERGE; in a CASE, which a condition of a join may have, WHEN ends nothing."""
    if walk.text_at(walk.at + 1) == "MATCHED" or walk.text_at(walk.at + 2) == "MATCHED":
        walk.end_clause()
    else:
        walk.at += 1


def take_next_value(walk: Walk) -> None:
    """Read `NEXT VALUE FOR sequence`."""
    if walk.text_at(walk.at + 1) != "VALUE" or walk.text_at(walk.at + 2) != "FOR":
        walk.at += 1
        return
    written = read_object_name(walk.tokens, walk.at + 3)
    if written.name and written.end <= walk.end:
        walk.add(walk.at, written.name, "Uses", kind="SEQUENCE", rule="next value for")
    walk.at = max(written.end, walk.at + 3)


CLAUSES: dict[str, Callable[[Walk], None]] = {
    "SELECT": take_select,
    "FROM": take_from,
    "JOIN": take_join,
    "STRAIGHT_JOIN": take_join,
    "APPLY": take_apply,
    "USING": take_using,
    "ON": take_on,
    "INTO": take_into,
    "VALUES": take_values,
    "WITH": take_with,
    "FOR": take_for,
    "SET": take_set,
    "NEXT": take_next_value,
    **dict.fromkeys(("UNION", "EXCEPT", "INTERSECT"), take_set_operation),
    **dict.fromkeys(("WHERE", "GROUP", "ORDER", "HAVING", "OPTION", "OUTPUT"), Walk.end_clause),
    "WHEN": take_when,
    **dict.fromkeys(("LIMIT", "OFFSET", "WINDOW", "RETURNING", "FETCH", "QUALIFY"), take_soft_end),
}
