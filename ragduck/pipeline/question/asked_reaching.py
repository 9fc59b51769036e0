"""Questions for what reaches a thing over any number of steps: which endpoints end in a table, which tests cover."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ragduck.pipeline.question.words import MAX_TEXT


@dataclass(frozen=True, slots=True)
class Reaching:
    """What is asked for, one and many of it, and the query of the cookbook that walks to it."""

    query: str
    one: str
    many: str


ENDPOINTS = Reaching("endpoints_that_reach_a_table", "controller or action", "controllers and actions")
TESTS = Reaching("tests_that_reach_a_node", "test", "tests")
ASKED = (
    r"\b(?:which|what|list|show|all|any|every|how many)\s+"
    r"(?:(?:me|all|the|api|unit|integration|web|https?|rest|public|mvc|admin)\s+){0,4}"
)
VERBS = (
    r"(?:\w+\s+){0,3}?(?:reach|ends?|leads?|writ|reads?|us(?:e|es|ing)|touch|cover|calls?|exercis|hits?|access|depend|"
    r"tests?|chang|updat|insert|delet|modif|execut|invok|run|go)\w*\b"
)
RULES = (
    (re.compile(rf"{ASKED}(?:endpoints?|actions?|controllers?|routes?)\s+{VERBS}", re.IGNORECASE), ENDPOINTS),
    (re.compile(rf"{ASKED}tests?\s+{VERBS}", re.IGNORECASE), TESTS),
)
# What these do themselves: which endpoints does a page call.
DO = re.compile(
    r"(?:endpoints?|actions?|controllers?|routes?|tests?)\s+(?:does|do|did|are|is|has)\b", re.IGNORECASE
)


def asked_reaching(question: str) -> Reaching | None:
    """Return what a question asks for that reaches what it names; None where it asks for nothing of the kind."""
    text = question[:MAX_TEXT]
    if DO.search(text):
        return None
    return next((reaching for rule, reaching in RULES if rule.search(text)), None)
