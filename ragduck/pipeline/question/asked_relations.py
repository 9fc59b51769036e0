"""Which relations a question asks for, and which way: who calls something, or what it calls."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragduck.pipeline.question.stack_traces import without_frames
from ragduck.pipeline.question.words import MAX_TEXT
from ragduck.search.relations import WalkDirection

# By which something depends on what it uses.
DEPENDING = frozenset(
    ("Calls", "Executes", "Uses", "Injects", "ReadsFrom", "WritesTo", "Inherits", "Implements", "ForeignKey")
)
# What a question says of the relation that it asks for; "how is it implemented" asks for none.
RELATIONS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), relations)
    for words, relations in (
        (
            r"writ(?:es?|ers?|ing|ten)|insert(?:s|ed|ing)?|updat(?:es?|ed|ing)|delet(?:es?|ed|ing)|"
            r"modif(?:y|ies|ied|ying)|sav(?:es?|ed|ing)|stores|stored(?! proc)|persist(?:s|ed|ing)?|"
            r"schreib(?:t|en)|geschrieben|zapisuj\w+|zapisywan\w+",
            ("WritesTo",),
        ),
        (
            r"reads?|readers?|reading|selects?|quer(?:y|ies)|liest|lesen|gelesen|czyta\w*|odczyt\w+",
            ("ReadsFrom",),
        ),
        (
            r"calls?|callers?|called|calling|invokes?|invoked|executes?|executed|"
            r"ruft|rufen|aufgerufen|wywołuj\w+|wywoł\w*an\w+",
            ("Calls", "Executes"),
        ),
        (
            r"uses?|used|using|usages?|benutz(?:t|en)|verwende(?:t|n)|nutz(?:t|en)|genutzt|używ\w+",
            ("Calls", "Executes", "Uses", "Injects", "ReadsFrom", "WritesTo"),
        ),
        (
            r"implements|(?:which|what|all) \w+ implement|does \S+ implement|implementations? of|"
            r"(?:wer|welche \w+|kto|które \w+) implement(?:iert|ieren|uj\w+)|"
            r"(?-i:I[A-Z])[\w.]* implemented",
            ("Implements",),
        ),
        (
            r"(?<!migrations )(?<!migration )(?:touch(?:es|ed|ing)?|access(?:es|ed|ing)?)",
            ("ReadsFrom", "WritesTo"),
        ),
        (
            r"(?<!what )(?<!who )depends? (?:up)?on|(?<!what )(?<!who )depending (?:up)?on|dependencies of",
            tuple(sorted(DEPENDING)),
        ),
        (
            r"(?:who|what|which \w+) (?:publish(?:es)?|raises?|emits?)|publishers of|published|emitted",
            ("Uses",),
        ),
        (r"(?:who|what|which \w+) (?:handles?|consumes?)|(?:handlers|consumers) of", ("Handles",)),
        (r"inherits?|derives?|derived|extends?", ("Inherits",)),
        (r"injects?|injected", ("Injects",)),
        (r"references?|referenced|foreign keys?", ("ForeignKey",)),
    )
)
# What breaks when a thing changes: what leads to it by one of these; as `graph --impact` has it.
IMPACT = frozenset(
    (
        "Calls", "Executes", "ForeignKey", "Handles", "Implements", "Inherits", "Injects", "MapsTo", "On",
        "ReadsFrom", "SynonymFor", "Uses", "WritesTo",
    )
)  # fmt: skip
# All that a thing does and that is done to it, of one that is called by name while no relation is asked for.
OWN = IMPACT | {"LeadsTo", "SchemaChange"}
# What stands on a table is asked for by its kind alone: which triggers are on it, the indexes of it.
ON_TABLES = re.compile(
    r"\b(?:(?P<trigger>triggers|(?:which|what|any|a) trigger)"
    r"|(?P<index>indexes|indices|(?:which|what|any|an) index))"
    r"\s+(?:are|is|on|of|does|do|has|exists?|for|there)\b",
    re.IGNORECASE,
)
# What kind of thing is asked for: which procedures write, all views and triggers that read.
KINDS_ASKED: Mapping[str, tuple[str, ...]] = {
    "procedure": ("PROC",),
    "proc": ("PROC",),
    "sproc": ("PROC",),
    "function": ("FUNC", "METHOD"),
    "trigger": ("TRIGGER",),
    "view": ("VIEW",),
    "table": ("TABLE",),
    "method": ("METHOD",),
    "migration": ("MIGRATION",),
}
KIND_WORDS = re.compile(
    rf"\b(?:which|what|list|show|all|any|every|how many)\s+(?:(?:me|all|the|stored|other|sql|database)\s+){{0,4}}"
    rf"(?P<kind>{'|'.join(KINDS_ASKED)})s?\b(?:\s+(?:and|or)\s+(?P<other>{'|'.join(KINDS_ASKED)})s?\b)?",
    re.IGNORECASE,
)
# Words that say the way by themselves, and those that turn it: X is called, is called by X.
DOERS = re.compile(
    r"callers|usages?|readers|writers|(?:implementations?|publishers|handlers|consumers) of", re.IGNORECASE
)
PASSIVE = re.compile(
    r"called|invoked|executed|used|written|read|updated|inserted|deleted|modified|saved|stored|persisted|"
    r"touched|accessed|injected|referenced|published|emitted|.* implemented|"
    r"aufgerufen|geschrieben|gelesen|benutzt|verwendet|genutzt|\w+[wt]an[aeyio]\w*",
    re.IGNORECASE,
)
BY = re.compile(r"\s+(?:by|in|into|within|inside|von|durch|przez)\b", re.IGNORECASE)
BY_NAME = re.compile(r"\b(?:von|durch|przez)\s+$", re.IGNORECASE)
INTO = re.compile(r"(?:inserted|saved|stored|persisted)\s+(?:in|into)\b", re.IGNORECASE)
CALLS_FROM = re.compile(r"(?:calls?|called|invoked|executed)\s+from\b", re.IGNORECASE)
DOES = re.compile(r"\b(?:does|do|did|can|could|will|would|should|must|may|might)\b", re.IGNORECASE)
# German and Polish ask with one order of words who does something to a thing and what it does, but for these.
FREE_ORDER = re.compile(
    r"schreib\w+|liest|lesen|ruft|rufen|benutz\w+|verwende\w+|nutz\w+|\w+uj[eąa]\w*|czyta\w*|używa\w*",
    re.IGNORECASE,
)
WHO_OR_WHERE = re.compile(r"\b(?:wer|wo|welcher \w+|kto|gdzie|jaki \w+|który \w+)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AskedRelations:
    """The relations, and their direction as seen from what the question names: `in` are its callers.

    ``kinds`` are those of what is asked for: only procedures, where a question asks which procedures write a table.
    """

    relations: frozenset[str] = frozenset()
    direction: WalkDirection = "both"
    kinds: frozenset[str] = frozenset()  # of the nodes at the other end; of any kind if empty

    @property
    def is_impact(self) -> bool:
        """Whether it is asked what depends on a thing, in whatever way."""
        return self.relations == IMPACT

    @property
    def is_own(self) -> bool:
        """Whether no relation is asked for, so that whatever a thing is tied to itself comes first."""
        return self.relations == OWN

    @property
    def is_of_nodes(self) -> bool:
        """Whether it is asked for nodes, tied in whatever way and to whatever member, rather than for edges."""
        return self.relations in (IMPACT, DEPENDING)


def asked_relations(question: str, names: Sequence[str] = ()) -> AskedRelations:
    """Return what a question wants to know: who writes, reads or calls something, or what that does.

    ``names`` are the identifiers of the question; only of one the direction can be told.
    """
    text = without_frames(question)
    for name in names:
        text = text.replace(name, name[:2].ljust(len(name), "x"))  # Reader.Read asks for no reading
    found = [(rule.search(text), relations) for rule, relations in RELATIONS]
    words = [match for match, _ in found if match]
    standing = ON_TABLES.search(text)
    if standing and not words:
        kinds = frozenset(("TRIGGER",) if standing["trigger"] else ("INDEX",))
        return AskedRelations(frozenset(("On",)), "in" if len(names) == 1 else "both", kinds)
    kinds = asked_kinds(text) if words else frozenset()
    asked = frozenset(relation for match, relations in found if match for relation in relations)
    start = without_frames(question).find(names[0]) if len(names) == 1 else -1
    if not words or start < 0:
        return AskedRelations(asked, kinds=kinds)
    ways = {_way(text, word, start=start, end=start + len(names[0])) for word in words}
    return AskedRelations(asked, ways.pop() if len(ways) == 1 else "both", kinds)


def asked_kinds(question: str) -> frozenset[str]:
    """Return the kinds of nodes that a question asks for, none where it asks for whatever there is."""
    found = KIND_WORDS.search(question[:MAX_TEXT])
    words = [word.lower() for word in found.groups() if word] if found else []
    return frozenset(kind for word in words for kind in KINDS_ASKED[word])


def _way(text: str, word: re.Match[str], *, start: int, end: int) -> WalkDirection:
    """Return the direction that a word about relations tells, by where it stands to the name from start to end."""
    is_passive = PASSIVE.fullmatch(word[0]) is not None
    is_asked_does = DOES.search(text, 0, start) is not None
    if DOERS.fullmatch(word[0]):
        return "in"
    if word.start() < start and word.end() >= end:  # does IClock implement, IClock implemented
        return "out"
    if word.end() <= start:
        if FREE_ORDER.fullmatch(word[0]) and not is_passive and not WHO_OR_WHERE.search(text):
            return "both"
        is_by = is_passive and BY.match(text, word.end()) and not INTO.match(text, word.start())
        is_done_by = is_by or CALLS_FROM.match(text, word.start())
        return "out" if is_done_by else "in"
    if is_passive and not (is_asked_does and word[0].lower() == "read"):
        return "out" if BY_NAME.search(text, 0, start) else "in"
    return "out"
