"""Tell SQL dialects apart, because they disagree on quotes, comments and default schemas."""

from __future__ import annotations

import re
from typing import Literal

Dialect = Literal["tsql", "postgresql", "mysql", "sqlite", "firebird"]

_SAMPLE = 65_536  # characters looked at: enough to meet a dialect's marks, small enough to be free

_LANGUAGE = r"\blanguage\s++'(?:pl\w++|sql|c|internal)'"  # of a function whose body is a literal

# Comments and literals, which may tell of another dialect: `-- $Id$`, `-- port of dbo.Run`.
_UNREAD = re.compile(
    rf"(?P<kept>{_LANGUAGE}|\[[\w ]*+(?<=\w)'\w[\w ]*+\])"  # `[Buyer's name]`
    r"|--[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?+"
    r"|'[^']*+'?+",
    re.IGNORECASE,
)
_BEFORE_OWNER = ("firebird", "tsql")  # whose marks count before what the owner of tables tells
_IN_CODE = frozenset({"tsql", "postgresql"})  # the others have marks in comments: `/*!40101`
_ON_SECURABLE = (
    r"(?<=\bon )(?:object|schema|database|type|role|user|login|server|certificate|assembly|service)::"
)
_DROPPED_TRIGGER = (  # of a table; elsewhere none is named, and T-SQL has triggers on databases and servers
    r"\bdrop[ ]+trigger[ ]+(?:if[ ]+exists[ ]+)?[\w.\"]{1,200}+\s++on\s++(?!(?:database|all\s++server)\b)"
)
_SIZED = "numeric|decimal|varchar|char|character|bpchar|bit|time|timestamp|interval|vector|geometry|geography"

_BY_CONTENT: tuple[tuple[Dialect, re.Pattern[str]], ...] = (
    (
        "firebird",  # first, as its procedures are AS BEGIN, too
        re.compile(
            r"^[ \t]*set[ \t]+term[ \t]+(?:;[ \t]*[^\w\s;]{1,4}|[^\w\s;]{1,4}[ \t]*;)[ \t]*$|\brdb\$"
            r"|\bblob[ ]+sub_type\b|\bgen_id[ ]?\(|\b(?:create|set)[ ]+generator\b",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
    (
        "tsql",
        re.compile(
            r"^[ \t]*go(?:[ \t]+\d{1,9})?[ \t]*$|\[\w+\]\.\[|\bn?varchar[ ]?\(max\)|\bset[ ]+nocount\b"
            r"|\bidentity[ ]?\(\d|\bcreate[ ]+or[ ]+alter\b|\buniqueidentifier\b|\bas\s+begin\b"
            r"|\bsp_executesql\b|\bdeclare[ ]+@\w",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
    (
        "mysql",
        re.compile(
            r"^[ \t]*delimiter[ \t]+\S|^[^-#'\n]*`\w+`|\bengine[ ]?=|\bauto_increment\b|/\*!\d{5}",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
    (
        "postgresql",
        re.compile(
            r"\$\w{0,30}\$|\bplpgsql\b|\bcreate[ ]+extension\b|\b(?:big)?serial\b|\btimestamptz\b|\bjsonb\b"
            r"|\bnextval[ ]?\(|\bexecute[ ]+(?:function|procedure)\b|\bmaterialized[ ]+view\b"
            rf"|{_DROPPED_TRIGGER}|{_LANGUAGE}|\b(?!{_ON_SECURABLE})\w++::(?:\w++(?![\w.]*[ ]?\()|(?:{_SIZED})\b)",
            re.IGNORECASE,
        ),
    ),
    (
        "sqlite",
        re.compile(
            r"\bautoincrement\b|^[ \t]*pragma[ \t]|\bwithout[ ]+rowid\b|\bvirtual[ ]+table\b",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
)
_OWNER = re.compile(r"\bdbo\.", re.IGNORECASE)  # which ports to PostgreSQL keep, but nobody else has
_SURELY_POSTGRESQL = re.compile(
    rf"(?<![\w$])\$(?:[^\W\d]\w{{0,30}})?\$|\blanguage\s++plpgsql\b|{_LANGUAGE}", re.IGNORECASE
)
_SERVER_IN_FOLDER = re.compile(
    r"(?<![^/._ -])(?:(postgres(?:ql)?|pg_?sql)|ms[-_. ]?sql|sql[-_. ]?server|t-?sql)(?![^/._ -])",
    re.IGNORECASE,
)
_PSQL = ".psql"
_BY_PATH: tuple[tuple[Dialect, re.Pattern[str]], ...] = (
    ("postgresql", re.compile(r"postgres|pgsql|\.psql$", re.IGNORECASE)),
    ("mysql", re.compile(r"mysql|mariadb", re.IGNORECASE)),
    ("sqlite", re.compile(r"sqlite", re.IGNORECASE)),
    ("firebird", re.compile(r"firebird|interbase", re.IGNORECASE)),
)


def detect_dialect(text: str, *, path: str = "") -> Dialect:
    """Judge by the marks in the text, then by the path; SQL without marks is read as T-SQL."""
    sample = text[:_SAMPLE]
    code = _UNREAD.sub(lambda found: found["kept"] or "''", sample)
    is_owned = _OWNER.search(code) is not None
    for dialect, pattern in _BY_CONTENT:
        if is_owned and dialect not in _BEFORE_OWNER:
            return "postgresql" if _is_ported(code, path) else "tsql"
        if pattern.search(code if dialect in _IN_CODE else sample):
            return dialect
    for dialect, pattern in _BY_PATH:
        if pattern.search(path):
            return dialect
    return "tsql"


def _is_ported(code: str, path: str) -> bool:
    """Tell whether SQL that names the owner `dbo` is of PostgreSQL: by its bodies, else by the nearest folder."""
    servers = _SERVER_IN_FOLDER.findall(path.rpartition("/")[0])
    is_told = path.lower().endswith(_PSQL) or bool(servers and servers[-1])
    return is_told or _SURELY_POSTGRESQL.search(code) is not None


def default_schema(dialect: Dialect) -> str:
    """Name the schema that an object without one lands in."""
    return {"tsql": "dbo", "postgresql": "public"}.get(dialect, "main")
