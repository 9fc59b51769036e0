"""Judge whether hits are good entry points into the graph (seed 001, E.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragduck.pipeline.question.vocabulary import Vocabulary, parts_in, plain_name, stems_in
from ragduck.pipeline.question.words import is_identifier, stem
from ragduck.pipeline.state import Domain, Understanding

MAX_ENTRY_POINTS = 8
MIN_COVERAGE = 0.5  # share of the concepts, weighted by rarity, that the best entry point speaks of
MIN_COVERAGE_OF_SIMILAR = 0.3  # enough when the hit is close in meaning, too
SIMILAR = 0.5  # cosine from which a trained model means the same subject
MIN_COVERAGE_IN_TEXT = 0.75  # enough when no name and no path speaks of a concept
MIN_COVERAGE_BESIDE = 0.25  # of further entry points beside a good one
SYNONYM = 0.6  # of the coverage by the concept itself
PER_RANK = 0.01  # of strength that each place in the list of hits costs
EXACT, NAMES, TEXT, KIND, SIDE = 2.0, 0.6, 0.4, 0.2, 0.1  # what strength is made of
PURE = 0.3  # of a name that says nothing else: Invoice before InvoiceClient
MINOR = -0.3  # of what is but a part of something: fields and properties
MINOR_KINDS = ("|FIELD", "|PROPERTY", "|FILE", "|SCHEMA")

ASKED_CLASSES: Mapping[str, re.Pattern[str]] = {
    "test": re.compile(r"\b(tests?|tested|testing|mock\w*|specs?|coverage)\b", re.IGNORECASE),
    "generated": re.compile(r"\b(generated|designer|snapshot)\b", re.IGNORECASE),
    "vendored": re.compile(r"\b(vendored|third.party|bundled)\b", re.IGNORECASE),
}
ASIDE: Mapping[str, str] = {"test": "test code", "generated": "generated", "vendored": "vendored"}
SAMPLE = "a sample or a log"
ASKED_SAMPLES = re.compile(r"\b(samples?|examples?|demos?|fixtures?|logs?|logging|logged)\b", re.IGNORECASE)
SAMPLE_FOLDER = re.compile(r"(?:^|/)(?:samples?|examples?|demos?|fixtures?|testdata)/", re.IGNORECASE)
LOG_FOLDER = re.compile(r"(?:^|/)logs?/|\.log$", re.IGNORECASE)
CODE = ("regular_code", "db_code")

# What a question calls a kind of node, and how keys or names of such nodes end.
KINDS: Mapping[str, re.Pattern[str]] = {
    "table": re.compile(r"\|TABLE$"),
    "procedure": re.compile(r"\|PROC$"),
    "proc": re.compile(r"\|PROC$"),
    "view": re.compile(r"\|VIEW$|^(?:razor|webforms):"),
    "function": re.compile(r"\|(?:FUNC|METHOD)$"),
    "trigger": re.compile(r"\|TRIGGER$"),
    "migration": re.compile(r"\|MIGRATION$|/Migrations/"),
    "sequence": re.compile(r"\|SEQUENCE$"),
    "class": re.compile(r"\|TYPE$"),
    "interface": re.compile(r"[.:]I[A-Z]\w*\|TYPE$"),
    "method": re.compile(r"\|METHOD$"),
    **{
        role: re.compile(rf"{role}\w*(?:\.\w+)?\|", re.IGNORECASE)
        for role in (
            "controller",
            "service",
            "repository",
            "job",
            "entity",
            "handler",
            "endpoint",
            "page",
            "test",
        )
    },
}
SIDES: Mapping[Domain, str] = {"code": "regular_code", "db": "db_code"}


@dataclass(frozen=True, slots=True)
class Judged:
    """A hit with what speaks for it: shares of the concepts in its names and in all of it, from 0 to 1.

    ``aside`` says why it cannot be an entry point; ``bonus`` is what kind, side and rank add to its strength.
    """

    hit: Mapping[str, Any]
    in_names: float
    in_all: float
    is_exact: bool = False
    aside: str = ""
    bonus: float = 0.0
    is_similar: bool = False

    @property
    def key(self) -> str:
        """Return what the hit is fetched by: a node key, for documentation the id of the chunk."""
        return str(self.hit["id"] if self.hit["data_type"] == "docs" else self.hit["node_key"])

    @property
    def is_constructor(self) -> bool:
        """Whether it is a constructor or a finalizer: a method that is called as its type, or __init__."""
        name, _, kind = self.key.partition("|")
        owner, _, member = name.rpartition(".")
        own = owner.rpartition(":")[2].rpartition(".")[2]
        return kind == "METHOD" and member.removeprefix("~") in {own, "__init__"}

    @property
    def is_related(self) -> bool:
        """Whether enough of the concepts is in it, some of it in a name or nearly all of it in the text."""
        if self.is_exact:
            return True
        enough = MIN_COVERAGE_OF_SIMILAR if self.is_similar else MIN_COVERAGE
        return self.in_all >= enough and (self.in_names > 0 or self.in_all >= MIN_COVERAGE_IN_TEXT)

    @property
    def is_good(self) -> bool:
        """Whether the graph may be entered here."""
        return self.is_related and not self.aside

    @property
    def stands_beside(self) -> bool:
        """Whether it may be an entry point when another one is good: its name has to do with the question."""
        return not self.aside and self.in_names > 0 and self.in_all >= MIN_COVERAGE_BESIDE

    @property
    def strength(self) -> float:
        """Return by how much it is better than others."""
        return EXACT * self.is_exact + NAMES * self.in_names + TEXT * self.in_all + self.bonus


@dataclass(frozen=True, slots=True)
class Verdict:
    """The entry points, best first, and why the other hits are none.

    ``only_aside`` says that the concepts were found, but only in tests, generated code or samples.
    """

    accepted: tuple[Judged, ...]
    rejected: tuple[tuple[str, str], ...]  # key, reason
    only_aside: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """Return what the entry points are fetched by; beside a table that no file defines stands its entity."""
        both = ((judged.key, judged.hit.get("entity")) for judged in self.accepted)
        return tuple(dict.fromkeys(str(key) for keys in both for key in keys if key))


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept of the question: its name, and its parts as stems with their weights."""

    name: str
    parts: tuple[tuple[str, float], ...]

    @property
    def weight(self) -> float:
        """Return the weight of its parts together."""
        return sum(weight for _, weight in self.parts)


@dataclass(frozen=True, slots=True)
class Question:
    """What hits are judged by."""

    text: str
    concepts: tuple[Concept, ...]
    synonyms: tuple[frozenset[str], ...]  # stems of their parts
    kinds: tuple[re.Pattern[str], ...]
    side: str | None  # data_type of the hits that the question is about
    knows_meaning: bool  # whether cosines are those of a trained model

    @property
    def stems(self) -> frozenset[str]:
        """Return all stems that a hit may have."""
        return frozenset(part for concept in self.concepts for part, _ in concept.parts).union(*self.synonyms)


def judge(
    hits: Sequence[Mapping[str, Any]],
    understanding: Understanding,
    vocabulary: Vocabulary,
    *,
    question: str,
    knows_meaning: bool = False,
    limit: int = MAX_ENTRY_POINTS,
) -> Verdict:
    """Tell which hits are good entry points for a question.

    A hit is good when the concepts that it speaks of weigh half of all or more; a concept weighs the more the rarer
    it is, most when the store does not have it. Beside a good hit others may stand whose names have to do with the
    question; beside a file that it names there is nothing else. Tests, generated code, samples and logs do not count
    unless they are asked for.
    """
    asked = _question(question, understanding, vocabulary, knows_meaning=knows_meaning)
    judged = [_judged(hit, asked, rank=rank) for rank, hit in enumerate(hits)]
    judged = _without_samples(judged, question)
    is_good = any(one.is_good for one in judged)
    candidates = [one for one in judged if one.is_good or (is_good and one.stands_beside)]
    exact = [one for one in candidates if one.is_exact and asked.side in (None, one.hit["data_type"])]
    files = [one for one in candidates if one.is_exact and one.key.startswith("file:")]
    if files or _are_all_named(asked.concepts, exact):
        candidates = files or exact
    # Stable: the better rank first. What makes and unmakes a thing bears its name, and says little of what it does.
    ordered = sorted(candidates, key=lambda one: (one.is_constructor and not one.is_exact, -one.strength))
    best: dict[str, Judged] = {}
    for one in ordered:
        best.setdefault(one.key, one)
    accepted = dict(list(best.items())[:limit])
    rejected = [(one.key, _reason(one)) for one in judged if one.key not in accepted]
    return Verdict(
        tuple(accepted.values()),
        tuple(dict(rejected).items()),
        only_aside=not is_good and any(one.aside and one.is_related for one in judged),
    )


def _are_all_named(concepts: Sequence[Concept], exact: Sequence[Judged]) -> bool:
    """Whether a question names all that it is about, and all of that was found: nothing else is an entry point."""
    return bool(concepts) and all(
        is_identifier(concept.name) and any(is_meant(one.hit, concept.name) for one in exact)
        for concept in concepts
    )


def unknown_concepts(concepts: Iterable[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the concepts of which the store has no word in any form."""
    return tuple(
        concept
        for concept in concepts
        if parts_in(concept) and not any(vocabulary.forms(part) for part in parts_in(concept))
    )


def is_named(hit: Mapping[str, Any], name: str) -> bool:
    """Whether a hit is what a name of the question says: its key ends in that name, with its kind if it has one.

    The code of a page bears its name, too.
    """
    kind = name.partition("|")[2]
    if kind and not str(hit["node_key"]).endswith(f"|{kind}"):
        return False
    key = plain_name(str(hit["node_key"]).partition("|")[0])
    asked = plain_name(name)
    if key.startswith("file:"):
        return re.sub(r"^file:(?:.*/)?", "", key) in (asked, f"{asked}.cs", f"{asked}.vb")
    return key == asked or key.endswith((f".{asked}", f":{asked}"))


def is_meant(hit: Mapping[str, Any], name: str) -> bool:
    """Whether a hit is what a name says, or the table of the column that it says."""
    owner = name.rpartition(".")[0]
    is_table = str(hit["node_key"]).endswith(("|TABLE", "|VIEW"))
    return is_named(hit, name) or (is_table and bool(owner) and is_named(hit, owner))


def _question(
    text: str, understanding: Understanding, vocabulary: Vocabulary, *, knows_meaning: bool
) -> Question:
    concepts = tuple(
        Concept(name, tuple((stem(part), vocabulary.weight(part)) for part in parts_in(name)))
        for name in understanding.concepts
        if parts_in(name)
    )
    own = {part for concept in concepts for part, _ in concept.parts}
    synonyms = (frozenset(map(stem, parts_in(name))) for name in understanding.synonyms)
    words = {word.rstrip("s") for word in text.lower().split()}
    return Question(
        text,
        concepts,
        tuple(
            parts for parts in synonyms if parts and not parts & own
        ),  # other forms count as the concept does
        tuple(rule for word, rule in KINDS.items() if word in words),
        SIDES.get(understanding.domain),
        knows_meaning,
    )


def _judged(hit: Mapping[str, Any], asked: Question, *, rank: int) -> Judged:
    names = stems_in(_names_of(hit), asked.stems)
    everything = names | stems_in(str(hit["text"]), asked.stems)
    by_synonym = SYNONYM if any(parts <= names for parts in asked.synonyms) else 0.0
    bonus = PURE * _purity(hit, asked.stems) + MINOR * str(hit["node_key"]).endswith(MINOR_KINDS)
    fits_kind = any(rule.search(str(hit["node_key"])) for rule in asked.kinds)
    return Judged(
        hit,
        in_names=max(_coverage(asked.concepts, names), by_synonym),
        in_all=max(_coverage(asked.concepts, everything), by_synonym),
        is_exact=any(
            is_identifier(concept.name) and is_meant(hit, concept.name) for concept in asked.concepts
        ),
        aside=_aside(hit, asked.text),
        bonus=bonus + KIND * fits_kind + SIDE * (hit["data_type"] == asked.side) - PER_RANK * rank,
        is_similar=asked.knows_meaning and (hit.get("vector_score") or 0.0) >= SIMILAR,
    )


def _purity(hit: Mapping[str, Any], stems: frozenset[str]) -> float:
    """Return the share of a name's parts that are parts of concepts."""
    parts = parts_in(str(hit["element_name"]))
    return sum(stem(part) in stems for part in parts) / len(parts) if parts else 0.0


def _names_of(hit: Mapping[str, Any]) -> str:
    named = (hit.get(name) for name in ("element_name", "class", "member", "name", "schema", "source_file"))
    return " ".join(str(name) for name in named if name)


def _coverage(concepts: Sequence[Concept], stems: frozenset[str]) -> float:
    total = sum(concept.weight for concept in concepts)
    found = sum(weight for concept in concepts for part, weight in concept.parts if part in stems)
    return found / total if total else 0.0


def _aside(hit: Mapping[str, Any], question: str) -> str:
    file_class = str(hit["file_class"])
    if file_class in ASIDE and not ASKED_CLASSES[file_class].search(question):
        return ASIDE[file_class]
    return ""


def _without_samples(judged: Sequence[Judged], question: str) -> list[Judged]:
    """Set samples and logs aside, unless they are asked for or all that was found of their repository lies there."""
    if ASKED_SAMPLES.search(question):
        return list(judged)
    systems = {one.hit["repo"] for one in judged if not _is_sample(one.hit)}
    return [
        replace(one, aside=one.aside or SAMPLE) if _is_sample(one.hit) and one.hit["repo"] in systems else one
        for one in judged
    ]


def _is_sample(hit: Mapping[str, Any]) -> bool:
    """Say whether a hit lies among samples, or is a log: code in a folder of that name is about logs."""
    path = str(hit["source_file"])
    if hit["data_type"] not in CODE and LOG_FOLDER.search(path):
        return True
    return SAMPLE_FOLDER.search(path) is not None


def _reason(judged: Judged) -> str:
    if judged.aside:
        return judged.aside
    return "others are closer" if judged.is_related else f"speaks of {judged.in_all:.0%} of the question"
