"""Understand a question without a model: its type, side of the system and concepts, by rules (seed 001, phase B)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, get_args

from ragduck.pipeline.question.joined_verbs import with_joined_verbs
from ragduck.pipeline.question.word_lists import (
    BEFORE_NOUNS,
    CODE_WORDS,
    DATABASE_WORDS,
    FAULTS,
    PARTICLES,
    STOP_WORDS,
)
from ragduck.pipeline.question.words import (
    INVARIABLE,
    MAX_TEXT,
    identifiers_of,
    is_common,
    is_common_verb,
    is_participle,
    is_trade_word,
    plural,
    singular,
    stem,
    verb_root,
    words_of,
)
from ragduck.pipeline.state import Domain, Understanding
from ragduck.search.snippets import fold

TYPES = ("how_implemented", "where_is", "impact", "usage", "bug", "compare", "list", "generic")
DOMAINS: tuple[Domain, ...] = get_args(Domain)
MAX_CONCEPTS = 8
MAX_SYNONYMS = 16
MAX_VERBS = 4
MAX_LENGTH = 80  # characters of one concept

GOES_WRONG = r"fail\w*|wrong|crash\w*|incorrect\w*|broken|deadlock\w*"
GETS_ERROR = r"(?:gets?|got|getting|throws?|raises?)\b.{0,40}\b(?:bugs?|errors?|exceptions?)"
IS_MISSING = r"(?:does|do|is|are)\b.{0,80}(?:not|n't|twice|missing|empty|slow)"
# In order: the first that fits counts.
TYPE_RULES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("compare", re.compile(r"\b(compar\w*|differ\w*|versus|vs)\b", re.IGNORECASE)),
    (
        "impact",
        re.compile(
            r"\b(impact\w*|affect\w*|(?:what|who|which(?: \w+){1,3}?) (?:else )?(?:breaks?|depends?)|"
            r"(?:would|will|could) break|"
            r"break if|breaks (?:if|when)|(?:if|when) (?:i|we|you|one) (?:change|rename|remove|delete|drop)\w*|"
            r"(?:if|when) .{1,80} (?:is|are|gets?) (?:renamed|dropped))\b",
            re.IGNORECASE,
        ),
    ),
    (
        "usage",
        re.compile(
            r"\b(?:who|what|which(?: \w+){1,3}?)(?: else)? (?:uses?|calls?|reads?|writes?|executes?|invokes?)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "bug",
        re.compile(
            rf"\bwhy\b.{{0,200}}\b(?:{GOES_WRONG}|bugs?|errors?|exceptions?|{IS_MISSING})\b", re.IGNORECASE
        ),
    ),
    (
        "list",
        re.compile(
            r"(?:(?:^|[.?!:]|\b(?:please|me|you))\s*(?:a |the )?list\b|\blist (?:all|every)\b|"
            r"\b(?:enumerate|show (?:me )?all|what are (?:all )?the|which \w+s (?:are there|exist|do we have)|"
            r"how many|all (?:the )?\w+s)\b)",
            re.IGNORECASE,
        ),
    ),
    (
        "where_is",
        re.compile(r"\b(where|which (?:file|class|table|procedure|method|module)\w*)\b", re.IGNORECASE),
    ),
    ("how_implemented", re.compile(r"\bwhat happens (?:if|when)\b", re.IGNORECASE)),
    ("bug", re.compile(rf"\b(?:{GOES_WRONG}|{GETS_ERROR})\b", re.IGNORECASE)),
    (
        "how_implemented",
        re.compile(
            r"\b(how|implement\w*|explain|describe|walk me through|what (?:does|do|is|are|happens)|why|jak|wie)\b",
            re.IGNORECASE,
        ),
    ),
)
DATABASE_NAME = re.compile(
    r"\b(?:dbo|sys)\.\[?\w+|\[\w+\]\.\[\w+\]|\bselect\b.{1,300}\bfrom\b", re.IGNORECASE
)
TWO_WORDS = re.compile(r"\b(foreign key|stored proc\w*|primary key)\b", re.IGNORECASE)
EITHER = frozenset(
    {"action", "data", "field", "function", "index", "key", "migration", "query", "row", "test", "type"}
)


def understood_by_rules(
    question: str,
    *,
    tables: Sequence[str] = (),
    values: Collection[str] = (),
    things: Collection[str] = (),
) -> Understanding:
    """Return what the words of a question say of it; synonyms are the other numbers of its concepts."""
    kind = type_of(question)
    kept = () if kind == "bug" else things
    concepts = concepts_of(question, tables=tables, values=values, things=kept)
    return Understanding(
        type=kind, domain=domain_of(question), concepts=concepts, synonyms=number_forms(concepts)
    )


def type_of(question: str) -> str:
    """Return what a question wants to know."""
    return next((name for name, rule in TYPE_RULES if rule.search(question[:MAX_TEXT])), "generic")


def domain_of(question: str) -> Domain:
    """Return the side of the system that a question names; mixed when it names both or neither."""
    text = question[:MAX_TEXT]
    words = {singular(fold(word)) for word in words_of(text)} - EITHER
    names_database = bool(
        words & (DATABASE_WORDS - EITHER)
        or DATABASE_NAME.search(question[:MAX_TEXT])
        or TWO_WORDS.search(question[:MAX_TEXT])
    )
    names_code = bool(words & (CODE_WORDS - EITHER))
    if names_database == names_code:
        return "mixed"
    return "db" if names_database else "code"


def concepts_of(
    question: str,
    *,
    tables: Sequence[str] = (),
    values: Collection[str] = (),
    things: Collection[str] = (),
) -> tuple[str, ...]:
    """Return what a question is about: its identifiers, then its telling words in the singular.

    Words of the trade and common verbs count when there is nothing else: what is a controller? ``tables`` are objects
    that the store calls by such words, ``values`` folded words that say nothing of the code, as numbers do. Errors,
    bugs and exceptions count as ``things`` of the store, and beside verbs alone: where are errors logged?
    """
    question = with_joined_verbs(question)
    names = [*identifiers_of(question), *tables]
    of_names = {fold(part) for name in names for part in (name, *words_of(name), *re.split(r"\W+", name))}
    words = [word for word in map(fold, words_of(question)) if word not in of_names and len(word) > 1]
    telling = [word for word in words if not is_common(word) and not word.isdigit() and word not in values]
    has_verbs_alone = bool(telling) and not names and all(map(is_participle, telling))
    faults = [word for word in words if has_verbs_alone and singular(word) in FAULTS]
    counting = {*telling, *faults, *(word for word in words if singular(word) in things)}
    telling = [word for word in words if word in counting]
    told = [word for word in words if word not in STOP_WORDS]
    trade = [word for word in told if is_trade_word(word)]
    chosen = telling if telling or names else trade or told
    return tuple(dict.fromkeys([*names, *map(singular, chosen)]))[:MAX_CONCEPTS]


def faults_of(question: str) -> tuple[str, ...]:
    """Return which words of a question are errors, bugs and exceptions, in the singular: a store may have them."""
    words = map(singular, map(fold, words_of(question)))
    return tuple(dict.fromkeys(word for word in words if word in FAULTS))


def verbs_of(understanding: Understanding, question: str) -> tuple[str, ...]:
    """Return the common verbs of a question, which count where a name of the store has them beside a concept.

    `Checked out` is check and checkout. A question that calls things by their identifiers needs no verbs, and in one
    about a change they say what is done to the code.
    """
    names_object = identifiers_of(question) or any("|" in concept for concept in understanding.concepts)
    if understanding.type == "impact" or not understanding.concepts or names_object:
        return ()
    words = [fold(word) for word in words_of(question)]
    found: list[str] = []
    for word, following in itertools.pairwise([*words, ""]):
        if is_common_verb(word) and word not in STOP_WORDS:
            found += [verb_root(word), *([verb_root(word) + following] if following in PARTICLES else [])]
    known = {stem(part) for concept in understanding.concepts for part in words_of(fold(concept))}
    return tuple(verb for verb in dict.fromkeys(found) if stem(verb) not in known)[:MAX_VERBS]


def nouns_of(verbs: Collection[str], question: str) -> tuple[str, ...]:
    """Return which common verbs stand in a question as nouns do: how is a store mapped?"""
    words = [fold(word) for word in words_of(question)]
    nouns = (singular(word) for before, word in itertools.pairwise(words) if before in BEFORE_NOUNS)
    return tuple(dict.fromkeys(noun for noun in nouns if noun in verbs))


def number_forms(concepts: Sequence[str]) -> tuple[str, ...]:
    """Return the singulars and plurals of plain concepts that are not concepts themselves."""
    plain = [
        word
        for word in concepts
        if len(word) > 3 and word.isalpha() and word.islower() and not is_participle(word)
    ]
    forms = [form for word in plain for form in (singular(word), plural(singular(word)))]
    others = (
        form for form in forms if form not in concepts and form not in INVARIABLE
    )  # of new comes no news
    return tuple(dict.fromkeys(others))[:MAX_SYNONYMS]


def understood_by_model(
    reply: Mapping[str, Any], rules: Understanding
) -> tuple[Understanding, tuple[str, ...]]:
    """Return what a model said, and the names of the fields that make no sense: for those the rules stand."""
    wrong: list[str] = []

    def checked(name: str, value: Any, fallback: Any) -> Any:
        if value is None:
            wrong.append(name)
        return fallback if value is None else value

    understanding = Understanding(
        type=checked("type", _one_of(reply.get("type"), TYPES), rules.type),
        domain=checked("domain", _one_of(reply.get("domain"), DOMAINS), rules.domain),
        concepts=checked("concepts", _texts(reply.get("concepts"), MAX_CONCEPTS) or None, rules.concepts),
        synonyms=checked("synonyms", _texts(reply.get("synonyms", []), MAX_SYNONYMS), rules.synonyms),
        needs_repository=checked(
            "needs_repository", _truth(reply.get("needs_repository", True)), rules.needs_repository
        ),
    )
    return understanding, tuple(wrong)


def _one_of(value: object, allowed: Sequence[str]) -> str | None:
    word = value.strip().casefold().replace(" ", "_") if isinstance(value, str) else None
    return word if word in allowed else None


def _texts(value: object, limit: int) -> tuple[str, ...] | None:
    """Return a list of short texts; of a text, its parts between commas. None for anything else."""
    given = value.split(",") if isinstance(value, str) else value
    if not isinstance(given, list):
        return None
    texts = [" ".join(text.split()) for text in given if isinstance(text, str)]
    kept = [text for text in texts if text and len(text) <= MAX_LENGTH and any(map(str.isalnum, text))]
    if given and not kept:
        return None
    return tuple(dict.fromkeys(kept))[:limit]


def _truth(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "yes": True, "false": False, "no": False}.get(str(value).strip().casefold())
