"""Questions for what reaches a thing over any number of steps: which endpoints, pages or jobs end in a table."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ragduck.pipeline.question.words import MAX_TEXT


@dataclass(frozen=True, slots=True)
class Reaching:
    """What is asked for, one and many of it, and the query of the cookbook that walks to it.

    ``tells_writing`` says that the query tells which of them write.
    """

    query: str
    one: str
    many: str
    tells_writing: bool = True


ENDPOINTS = Reaching("endpoints_that_reach_a_table", "controller or action", "controllers and actions")
PAGES = Reaching("pages_that_reach_a_table", "page", "pages")
JOBS = Reaching("jobs_that_reach_a_table", "job or program", "jobs and programs")
TESTS = Reaching("tests_that_reach_a_node", "test", "tests", tells_writing=False)
ENDINGS = (ENDPOINTS, PAGES, JOBS, TESTS)  # where people notice what a change does
ASKED = (
    r"\b(?:which|what|list|show|all|any|every|how many)\s+"
    r"(?:(?:me|all|the|api|unit|integration|web|https?|rest|public|mvc|admin)\s+){0,4}"
)
# Not what these do themselves: which endpoints does a page call.
DOES = r"(?!\s+(?:does|do|did|has|(?:is|are)(?! affected))\b)"
VERBS = (
    r"(?:\w+\s+){0,3}?(?:reach|ends?|leads?|writ|reads?|us(?:e|es|ing)|touch|cover|calls?|exercis|hits?|access|depend|"
    r"tests?|chang|updat|insert|delet|modif|execut|invok|run|go|show|display|edit|need|fill|affected)\w*\b"
)
# No window functions, forms of something, page sizes; and what controls or reports something is no page.
COMPOUND = r"(?!\s+(?:functions?|services?|flow|characters?|sizes?|numbers?|of|access)\b)"
PAGE_WORDS = (
    rf"(?:(?:pages?|screens?|dialogs?)|(?<!what )(?:forms?|windows?|(?:user )?controls?|reports?)){COMPOUND}"
    r"|(?:razor|mvc|partial) views?|(?:vue|angular|react|blazor|razor|ui) components?"
)
WHERE_SHOWN = (
    r"\b(?:on (?:which|what) (?:[\w.-]+ )?(?:pages?|screens?|forms?|windows?|dialogs?)"
    r"|in (?:which|what) (?:[\w.-]+ )?(?:pages|screens?|forms|windows?|dialogs?)"
    rf"|from (?:which|what) (?:[\w.-]+ )?(?:pages?|screens?)){COMPOUND}\s+(?:is|are|do|does|can|will)\b"
)
GERMAN_PAGES = (
    r"\b(?:auf |in )?welche[mnrs]? (?:\w+ )?(?:seiten?|masken?|formular(?:en?)?|fenstern?|dialoge?n?|berichte?n?) "
    r"(?:[\w.]+ ){0,4}?(?:an|be|aus)?(?:ge)?(?:schreib|schrieb|les|lies|nutz|verwend|zeig|änder|arbeit)\w*"
)
POLISH_PAGES = (
    r"\b(?:na |w )?(?:któr(?:e|ej|ych|ym)|jakie|jakich) (?:\w+ )?(?:stron|ekran|formularz|okn|okien|raport)\w* "
    r"(?:[\w.]+ ){0,4}?(?:za|od|wy)?(?:pis|czyt|używ|korzyst|zmien|pokaz|świetl)\w*"
)
# What is said of jobs before that word, and no other thing that they have to do with: which tables does a job fill.
OF_JOBS = (
    r"(?:(?!(?:do|does|did|is|are|was|the|an?|this|that|of|in|on|for|by|and|or|tables?|views?|columns?|procedures?)\b)"
    r"[\w.-]+\s+){0,3}?"
)
JOB_WORDS = (
    r"(?:[\w.-]+-)?jobs?(?!\s+(?:titles?|names?|types?|ids?|history|status\w*|queues?|tables?|postings?|offers?)\b)"
    r"|(?:windows|hosted|background|worker) services?|(?:background |hosted )?workers?|daemons?"
    r"|(?:console|command[- ]line) (?:programs?|app\w*|tools?)"
    r"|(?:scheduled|background|recurring|periodic|nightly|cron) (?:tasks?|runs?|process(?:es)?)"
    r"|(?:timer|timed|triggered|azure)(?:[ -]triggered)? functions?|(?:ssis|etl|dtsx|integration services) packages?"
)
GERMAN_JOBS = (
    r"\b(?:in |von )?welche[mnrs]? (?:[\w-]+ ){0,2}?"
    r"(?:[\w-]*jobs?|(?:windows|hintergrund|system)[- ]?dienste?n?|geplanten? aufgaben?|hintergrundaufgaben?"
    r"|(?:nacht|batch)[- ]?l[aä]uf\w*|(?:ssis|etl|dtsx)-?pakete?n?) "
    r"(?:[\w.]+ ){0,4}?(?:be|an|aus)?(?:ge)?"
    r"(?:schreib|schrieb|les|lies|nutz|verwend|änder|arbeit|füll|lösch|aktualisier|greif|ruf)\w*"
)
POLISH_JOBS = (
    r"\b(?:w |przez )?(?:któr(?:[aey]|ych|ym|ej)|jaki(?:e|ch|m)?) (?:\w+ )?"
    r"(?:job\w*|zada(?:nie|nia|ń|niach|niu)|usług\w* (?:windows|w tle|systemow\w+)|proces\w* (?:w tle|nocn\w+)"
    r"|pakiet\w* (?:ssis|etl)) (?:[\w.]+ ){0,4}?(?:za|od|wy)?(?:pis|czyt|używ|korzyst|zmien|modyfik|aktualiz|usuw)\w*"
)
RULES = tuple(
    (re.compile(rule, re.IGNORECASE), asked)
    for rule, asked in (
        (rf"{ASKED}(?:endpoints?|actions?|controllers?|routes?){DOES}\s+{VERBS}", ENDPOINTS),
        (rf"{ASKED}tests?{DOES}\s+{VERBS}", TESTS),
        (rf"{ASKED}(?:[\w.-]+\s+)?(?:{PAGE_WORDS}){DOES}\s+{VERBS}", PAGES),
        (rf"{ASKED}{OF_JOBS}(?:{JOB_WORDS}){DOES}\s+{VERBS}", JOBS),
        (WHERE_SHOWN, PAGES),
        (GERMAN_PAGES, PAGES),
        (POLISH_PAGES, PAGES),
        (GERMAN_JOBS, JOBS),
        (POLISH_JOBS, JOBS),
    )
)


def asked_reaching(question: str) -> Reaching | None:
    """Return what a question asks for that reaches what it names; None where it asks for nothing of the kind."""
    text = question[:MAX_TEXT]
    return next((reaching for rule, reaching in RULES if rule.search(text)), None)
