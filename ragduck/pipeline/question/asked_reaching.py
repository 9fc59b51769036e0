"""Questions for what reaches a thing over any number of steps: which endpoints, pages or tests end in a table."""

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
PAGES = Reaching("pages_that_reach_a_table", "page", "pages")
TESTS = Reaching("tests_that_reach_a_node", "test", "tests")
ENDINGS = (ENDPOINTS, PAGES, TESTS)  # where people notice what a change does
ASKED = (
    r"\b(?:which|what|list|show|all|any|every|how many)\s+"
    r"(?:(?:me|all|the|api|unit|integration|web|https?|rest|public|mvc|admin)\s+){0,4}"
)
VERBS = (
    r"(?:\w+\s+){0,3}?(?:reach|ends?|leads?|writ|reads?|us(?:e|es|ing)|touch|cover|calls?|exercis|hits?|access|depend|"
    r"tests?|chang|updat|insert|delet|modif|execut|invok|run|go|show|display|edit|need|fill)\w*\b"
)
PAGE_WORDS = (
    r"(?:(?:web|razor|blazor|windows|win) ?)?"
    r"(?:pages?|screens?|forms?|windows?|dialogs?|masks?|(?:user )?controls?|reports?)"
    r"|(?:razor|mvc|partial) views?|(?:vue|angular|react|blazor|razor|ui) components?"
)
GERMAN_PAGES = (
    r"\b(?:auf |in )?welche[mnr]? (?:\w+ ){0,2}?(?:seite|maske|formular|fenster|dialog|bericht)\w* (?:[\w.]+ ){0,4}?"
    r"(?:schreib|les|lies|nutz|benutz|verwend|zeig|änder)\w*"
)
POLISH_PAGES = (
    r"\b(?:na |w )?(?:które|których|jakie) (?:\w+ ){0,2}?(?:stron|ekran|formularz|okn|okien|raport)\w* "
    r"(?:[\w.]+ ){0,4}?(?:zapis|czyta|odczyt|używ|korzyst|zmieni|pokaz)\w*"
)
WHERE_SHOWN = re.compile(
    rf"\b(?:on|in|from|by) (?:which|what) (?:\w+ ){{0,2}}?(?:{PAGE_WORDS})\b", re.IGNORECASE
)
RULES = (
    (re.compile(rf"{ASKED}(?:endpoints?|actions?|controllers?|routes?)\s+{VERBS}", re.IGNORECASE), ENDPOINTS),
    (re.compile(rf"{ASKED}tests?\s+{VERBS}", re.IGNORECASE), TESTS),
    (re.compile(rf"{ASKED}(?:{PAGE_WORDS})\s+{VERBS}", re.IGNORECASE), PAGES),
    (re.compile(GERMAN_PAGES, re.IGNORECASE), PAGES),
    (re.compile(POLISH_PAGES, re.IGNORECASE), PAGES),
)
# What these do themselves: which endpoints does a page call.
DO = re.compile(
    rf"(?:endpoints?|actions?|controllers?|routes?|tests?|{PAGE_WORDS})\s+(?:does|do|did|are|is|has)\b",
    re.IGNORECASE,
)


def asked_reaching(question: str) -> Reaching | None:
    """Return what a question asks for that reaches what it names; None where it asks for nothing of the kind."""
    text = question[:MAX_TEXT]
    if WHERE_SHOWN.search(text):
        return PAGES
    if DO.search(text):
        return None
    return next((reaching for rule, reaching in RULES if rule.search(text)), None)
