"""Read what the variables and parameters of a package hold.

A package keeps what the expression of a variable gave when it was saved last; only where it keeps nothing is the
expression read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragduck.parse.facts.handed_sql import ATTRIBUTES, HandedSql
from ragduck.parse.facts.package_expressions import MAX_TEXT, put_together
from ragduck.sqlreader.names import HOLE

_MAX_PUT_TOGETHER = 10 * MAX_TEXT  # characters per package
_MAX_NAME = 600  # characters, of four parts in brackets
_MAX_DEPTH = 5  # of variables whose expressions name variables

_DECLARED = re.compile(
    rf"<DTS:(?:Variable|PackageParameter)\b(?P<opening>{ATTRIBUTES})>"
    r"|(?P<end></DTS:(?:Variable|PackageParameter)>)"
    rf"|<DTS:VariableValue\b{ATTRIBUTES}>(?P<value>[^<]*)</DTS:VariableValue>"
    rf"|<DTS:Property\b(?P<attributes>{ATTRIBUTES})>(?P<property>[^<]*)</DTS:Property>"
)
_TOLD = "Namespace|ObjectName|EvaluateAsExpression|Expression"
_ATTRIBUTE = re.compile(rf'\bDTS:(?P<name>{_TOLD})="(?P<value>[^"]*)"')
_NAME = re.compile(rf'\bDTS:Name="(?P<name>{_TOLD}|ParameterValue)"')
_TRUE = frozenset(("True", "-1"))


class _Variable(NamedTuple):
    """The text that a variable holds, and the expression that gives it, if any."""

    value: HandedSql | None
    expression: HandedSql | None


class Variables:
    """The variables and parameters of a package, by their names with namespaces."""

    def __init__(self, text: str) -> None:
        self._variables: dict[str, _Variable] = {}
        self._known: dict[str, str] = {}
        self._left = _MAX_PUT_TOGETHER
        unclear: set[str] = set()
        for name, variable in _declared(text):
            if self._variables.setdefault(name, variable) is not variable:
                unclear.add(name)  # each container may have one of that name
        for name in unclear:
            del self._variables[name]

    def held(self, name: str) -> HandedSql | None:
        """Return the text that a variable holds, or that its expression gives."""
        variable = self._variables.get(_full_name(name))
        if variable is None:
            return None
        if variable.value is not None:
            return variable.value._replace(is_sure=False)
        return self.given(variable.expression) if variable.expression else None

    def held_name(self, name: str) -> HandedSql | None:
        """Return the text that a variable holds if it can be the name of an object."""
        held = self.held(name)
        return held if held is not None and len(held.text) <= _MAX_NAME else None

    def given(self, expression: HandedSql) -> HandedSql | None:
        """Return the text that an expression gives, if it gives any; all of it begins where the expression does."""
        text = self._put_together(expression.text, 0)
        return HandedSql(text, expression.start, is_sure=False) if text.strip(f"{HOLE} \n") else None

    def _put_together(self, expression: str, depth: int) -> str:
        if self._left <= 0:
            return ""
        text = put_together(expression, lambda name: self._piece(_full_name(name), depth))
        self._left -= len(text)
        return text

    def _piece(self, name: str, depth: int) -> str:
        """Return what a variable holds as a piece of a text."""
        variable = self._variables.get(name)
        if variable is None or depth >= _MAX_DEPTH:
            return HOLE
        if variable.value is not None:
            return variable.value.text
        if variable.expression is not None and name not in self._known:
            self._known[name] = HOLE  # while it is read: it may name itself
            self._known[name] = self._put_together(variable.expression.text, depth + 1) or HOLE
        return self._known.get(name, HOLE)


def _full_name(name: str) -> str:
    """Return the name of a variable with its namespace: `Statement` is that of the user."""
    return name.strip() if "::" in name else f"User::{name.strip()}"


def _declared(text: str) -> Iterator[tuple[str, _Variable]]:
    """Yield the variables and parameters that a package declares, as all versions write them."""
    told: dict[str, HandedSql] = {}
    for match in _DECLARED.finditer(text):
        if match["opening"] is not None:
            at = match.start("opening")
            found = _ATTRIBUTE.finditer(match["opening"])
            told = {one["name"]: HandedSql.of_group(one, "value").moved(at) for one in found}
        elif match["value"] is not None:
            told["Value"] = HandedSql.of_group(match, "value")
        elif match["end"] is None:
            if named := _NAME.search(match["attributes"]):
                told[named["name"]] = HandedSql.of_group(match, "property")
        elif "ObjectName" in told:
            yield _variable(told)
            told = {}


def _variable(told: dict[str, HandedSql]) -> tuple[str, _Variable]:
    namespace = told["Namespace"].text if "Namespace" in told else "User"
    value = told.get("Value")
    if "ParameterValue" in told:
        namespace, value = "$Package", told["ParameterValue"]
    is_given = "EvaluateAsExpression" in told and told["EvaluateAsExpression"].text in _TRUE
    expression = told.get("Expression") if is_given else None
    has_value = value is not None and value.text.strip() != ""
    return f"{namespace}::{told['ObjectName'].text}", _Variable(value if has_value else None, expression)
