"""Tell by its text whether a file is a SQL script, whatever it is called."""

from __future__ import annotations

import re

_SAMPLE = 100_000  # characters looked at
_COMMENTS = re.compile(r"(?:\s|\ufeff|--[^\n]*+\n|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)*+")
_GO = re.compile(r"^[ \t]*+GO[ \t]*+;?[ \t\r]*+$", re.IGNORECASE | re.MULTILINE)
_NAME = r"(?:[\w$#@{}.]|\$\(\w{1,60}\)|\[[^\]\n]{0,128}\]|\"[^\"\n]{0,128}\"|`[^`\n]{0,128}`){1,200}+"
_DEFINES = (
    rf"(?:create|alter)\s++(?:or\s++(?:alter|replace)\s++)?+(?:proc(?:edure)?|function|view|trigger|table)\s++"
    rf"(?:if\s++not\s++exists\s++)?+{_NAME}\s*+(?=[(@]|(?:as|on|with|add|drop|alter|modify|returns|is)\b)"
)
_CHANGES = (
    rf"(?:insert\s++into\s++{_NAME}\s*+(?=\(|(?:select|values|default)\b)|update\s++{_NAME}\s++set\b"
    rf"|delete\s++from\s++{_NAME}\s*+(?=;|where\b|$)|drop\s++(?:proc(?:edure)?|function|view|trigger|table)\s++"
    rf"(?:if\s++exists\s++)?+{_NAME}\s*+(?:;|$))"
)
_STATEMENT = re.compile(rf"{_DEFINES}|{_CHANGES}", re.IGNORECASE | re.MULTILINE)
_SURE = re.compile(  # what no sentence has that begins with a verb of SQL: "Create view models with a mapper."
    r";[ \t\r]*+$|^[ \t]*+GO[ \t;\r]*+$|\[\w|\{\w|@\w|\bas\s++(?:begin|select|return)\b|\([ \t\r]*+$"
    r"|\([ \t]*+[\w\[\]\"]++[ \t]++(?:(?:big|small|tiny)?int|n?(?:var)?char|uniqueidentifier|date|bit|decimal|text)",
    re.IGNORECASE | re.MULTILINE,
)
_LINE = re.compile(
    r"^[ \t]*+(?:set[ \t]++\w++[ \t]++(?:on|off)\b|set[ \t]++@|declare[ \t]++@|print[ \t]++N?'"
    r"|use[ \t]++\S++[ \t;\r]*+$|begin[ \t]++tran|:setvar\b|:r\b|truncate[ \t]++table\b|if[ \t][^\n=<>(]*+[=<>(]"
    r"|(?:create|alter|drop)[ \t]++(?:or[ \t]++alter[ \t]++)?+(?:proc(?:edure)?|function|view|trigger|table|index"
    r"|unique|(?:non)?clustered|schema|type|synonym|sequence|role|user|database|default)\b"
    r"|if[ \t]++(?:not[ \t]++)?+exists\b"
    r"|exec(?:ute)?+[ \t]++[\w\[{.@]|select[ \t][^\n]*?[ \t]from\b|merge[ \t]++into\b|grant[ \t]++\w++[ \t]++on\b"
    rf"|insert[ \t]++(?:into[ \t]++)?+{_NAME}\s*+\(|delete[ \t]++(?:from[ \t]++)?+{_NAME}\s++where\b"
    rf"|update[ \t]++{_NAME}\s++set\b)",
    re.IGNORECASE | re.MULTILINE,
)


def is_sql_script(text: str) -> bool:
    """Tell whether a text begins with a statement of SQL, one that defines or changes something or is of a batch.

    Installers keep their scripts under names of their own: `07.00.SqlDataProvider`, `2.3.0.1.config`, `Orders.txt`.
    """
    sample = text[:_SAMPLE]
    comments = _COMMENTS.match(sample)
    begin = comments.end() if comments else 0
    if sample.startswith("<", begin):
        return False  # XML, or a template that makes a script
    if _STATEMENT.match(sample, begin) is not None:
        return _SURE.search(sample) is not None
    return (
        _GO.search(sample) is not None and _LINE.match(sample, sample.rfind("\n", 0, begin) + 1) is not None
    )
