"""The words of a question: which of them tell what it asks for, and the forms in which code writes them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from ragduck.pipeline.question.word_lists import (
    CODE_WORDS,
    COMMON_VERBS,
    DATABASE_WORDS,
    IRREGULAR_VERBS,
    PLAIN_WORDS,
    STOP_WORDS,
)

MAX_TEXT = 10_000  # characters of a question that are looked at
MIN_STEM = 3
INVARIABLE = frozenset({"news", "series", "species"})  # of which one and many are the same
# Files whose names begin with a digit or have hyphens, as scripts that are run in order, are identifiers as well.
IDENTIFIER = re.compile(
    r"(?<![\w.-])(?:\d[\w.-]{0,200}|\w{1,100}-[\w.-]{0,200})"
    r"\.(?:sql|psql|cs|vb|ts|tsx|js|jsx|py|java|go|razor|cshtml|aspx|ascx|xaml|json|xml|config|md)\b(?![\w-])"
    r"|@?[^\W\d]\w*(?:\.[^\W\d]\w*)*"
)
INTERFACE = re.compile(r"I[A-Z][a-z]\w+")  # IClock, not IDs
QUOTED = re.compile(r"`([^`\n]{2,80})`|\"([^\"\n]{2,80})\"|'([^'\n]{2,80})'|\[([^\]\n]{2,80})\]")
# The table Order, the Order table: a plain word that is called the name of an object, written as names are.
TABLE_NAME = re.compile(
    r"\b(?i:(?P<kind>table|procedure|trigger)) (?P<name>[A-Z]\w*)\b(?!\.\w)"
    r"|(?<![\w.])(?P<name_before>[A-Z]\w*) (?i:(?P<kind_after>table|procedure|trigger))\b"
)
# In small letters, where the store has to tell: the table users, the users table; but not: which table stores.
SMALL_TABLE_NAME = re.compile(
    r"(?<!\bwhich )(?<!\bwhat )(?<!\ba )(?<!\bany )(?<!\beach )(?<!\bevery )"
    r"\b(?i:(?P<kind>table|procedure|trigger)) (?P<name>[a-z]\w*)\b(?!\.\w)"
    r"|\b(?i:the|this|that|our|of|to|into|from|in|on) (?P<name_before>[a-z]\w*)"
    r" (?i:(?P<kind_after>table|procedure|trigger))\b"
)
TABLE_KINDS = {"table": "TABLE", "procedure": "PROC", "trigger": "TRIGGER"}
BEGINNING = re.compile(r"(?:^|[.?!:\n])\s*$")
GUID = re.compile(r"\b[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\b", re.IGNORECASE)
# 12kg, a1b2c3 and ORD20931 are values, 2fa, base64 and sha256 are not.
VALUE = re.compile(
    r"\d(?=.*\d)(?=.*[^\W\d_]).+|(?=.*\d)(?=.*[a-f])[0-9a-f]{6,}|(?:[^\W\d_]*\d){4}.*", re.IGNORECASE
)
WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")

ENDINGS = (
    "",
    "s",
    "es",
    "ed",
    "ing",
    "er",
    "ers",
    "or",
    "ors",
    "ation",
    "ations",
    "e",
    "y",
    "ies",
    "ied",
    "ion",
    "ions",
)
ENDING = re.compile(r"^(.{3,}?)(?:ations?|ions?|ings?|ers?|ors?|ies|ied|ed|es|e|s|y)$")


def stem(word: str) -> str:
    """Return a folded word without its English ending: invoice and invoicing are one, cancel and cancelled, too."""
    found = None if word.endswith("ss") or word in INVARIABLE else ENDING.match(word)
    root = found[1] if found else word
    is_doubled = len(root) > MIN_STEM and root[-1] == root[-2] and root[-1] not in "aeiou"
    return root[:-1] if is_doubled else root


def singular(word: str) -> str:
    """Return the singular of an English noun as well as endings tell it."""
    if len(word) < 4 or word in INVARIABLE or word.endswith(("ss", "us", "is", "ics")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "uses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") else word


def plural(word: str) -> str:
    """Return the plural of an English noun as well as endings tell it."""
    if word in INVARIABLE:
        return word
    if word.endswith("y") and len(word) > 2 and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh", "z")) else "s")


def forms_of(word: str) -> tuple[str, ...]:
    """Return the forms of a folded word that have its stem, itself first: what to look up in a dictionary."""
    root = stem(word)
    made = [word, singular(word), plural(singular(word)), *(root + ending for ending in ENDINGS)]
    doubled = [root + root[-1] + ending for ending in ENDINGS] if len(root) >= MIN_STEM else []
    others = [form for form in made + doubled if len(form) >= MIN_STEM and form not in INVARIABLE]
    return tuple(dict.fromkeys([word, *others]))


def is_common(word: str) -> bool:
    """Whether a folded word stands for any concept or none: a stop word, a common verb, a word of the trade."""
    return word in STOP_WORDS or is_common_verb(word) or is_trade_word(word)


def is_common_verb(word: str) -> bool:
    """Whether a folded word is something that developers do to everything."""
    return word in COMMON_VERBS or any(
        form in COMMON_VERBS for form in (singular(word), *_verb_roots(word)) if len(form) > 1
    )


def verb_root(word: str) -> str:
    """Return a common verb as names have it: validate for validated, write for written."""
    found = [form for form in (word, singular(word), *_verb_roots(word)) if form in COMMON_VERBS]
    shortest = min(found, key=len, default=word)
    return IRREGULAR_VERBS.get(shortest, shortest)


def is_trade_word(word: str) -> bool:
    """Whether a folded word names what every system is made of."""
    return any(
        singular(word) in words or word in words for words in (DATABASE_WORDS, CODE_WORDS, PLAIN_WORDS)
    )


def _verb_roots(word: str) -> Iterator[str]:
    for ending in ("ed", "ing", "es"):
        if word.endswith(ending):
            root = word.removesuffix(ending)
            yield from (root, root + "e")
            if len(root) > MIN_STEM and root[-1] == root[-2]:
                yield root[:-1]
    if word.endswith(("ies", "ied")):
        yield word[:-3] + "y"


def is_participle(word: str) -> bool:
    """Whether a word looks like what happens to a thing rather than like a thing: matched, matching."""
    return len(word) > 5 and word.endswith(("ed", "ing"))


def words_of(text: str) -> list[str]:
    """Return the words of a text as written, identifiers with underscores whole."""
    return WORD.findall(text[:MAX_TEXT])


def values_in(text: str) -> list[tuple[str, ...]]:
    """Return what looks like a value of a run, as messages show them, each in its words: GUIDs, hex, codes."""
    looked_at = text[:MAX_TEXT]
    guids = [tuple(match[0].split("-")) for match in GUID.finditer(looked_at)]
    values = [
        (word,) for word in words_of(GUID.sub(" ", looked_at)) if VALUE.fullmatch(word) and "_" not in word
    ]
    return list(dict.fromkeys((*guids, *values)))


def is_identifier(word: str) -> bool:
    """Whether a word is written as code writes names: PlaceOrder, place_order, dbo.Order, @amount, Order|TABLE.

    IClock is one as well.
    """
    if "|" in word or "." in word.strip(".") or "_" in word.strip("_") or word.startswith("@"):
        return True
    if INTERFACE.fullmatch(word):
        return True
    return (
        any(left.islower() and right.isupper() for left, right in itertools.pairwise(word)) and len(word) > 2
    )


def identifiers_of(text: str) -> list[str]:
    """Return the identifiers of a text and what it puts in quotes or brackets, in order, each once.

    What it calls a table, as the table Order, is named with its kind: `Order|TABLE`.
    """
    looked_at = text[:MAX_TEXT]
    quoted = [next(filter(None, match.groups())).strip() for match in QUOTED.finditer(looked_at)]
    named = [match[0] for match in IDENTIFIER.finditer(looked_at) if is_identifier(match[0])]
    tables = list(_called_tables(looked_at))
    plain = {name.partition("|")[0] for name in tables}
    names = (*(name for name in named if name not in plain), *tables, *quoted)
    kept = [name for name in names if any(map(str.isalnum, name))]
    return list(dict.fromkeys(kept))


def _called_tables(text: str) -> Iterator[str]:
    for name, _ in _names_beside_kinds(TABLE_NAME, text):
        if not is_common(name.partition("|")[0].lower()):
            yield name


def perhaps_tables(text: str) -> list[str]:
    """Return what a text may call a table: the store has to tell.

    That are words of the trade, as the Packages table, and names in small letters. The first word of a sentence has
    its capital for that.
    """
    looked_at = text[:MAX_TEXT]
    by_trade_words = [
        name
        for name, start in _names_beside_kinds(TABLE_NAME, looked_at)
        if is_common(name.partition("|")[0].lower()) and not BEGINNING.search(looked_at[:start])
    ]
    in_small_letters = [
        name
        for name, _ in _names_beside_kinds(SMALL_TABLE_NAME, looked_at)
        if not (is_common_verb(word := name.partition("|")[0]) or word in STOP_WORDS)
    ]
    return list(dict.fromkeys((*by_trade_words, *in_small_letters)))


def _names_beside_kinds(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, int]]:
    """Yield names that stand beside the kind of an object, `Order|TABLE`, and where they begin."""
    for match in pattern.finditer(text):
        group = "name" if match["name"] else "name_before"
        kind = (match["kind"] or match["kind_after"]).lower()
        yield f"{match[group]}|{TABLE_KINDS[kind]}", match.start(group)
