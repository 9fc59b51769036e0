"""Say a question in other words, with and without a model."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ragduck.pipeline.prompting.protocol import begins_with_prefix, parse_decision
from ragduck.pipeline.question.vocabulary import Vocabulary, parts_in, stems_in
from ragduck.pipeline.question.words import stem
from ragduck.pipeline.retrieval.entry_queries import shortened
from ragduck.pipeline.state import Understanding
from ragduck.resources import sql_text

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

MAX_NAMES = 6
MAX_LOOKED_AT = 40  # names among which a verb is looked for
MAX_FORMS = 4  # of a word, the commonest
MAX_LINES = 30
_mark = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s*|^```.*$|[\"`]")


def reworded(rows: Rows, understanding: Understanding, vocabulary: Vocabulary, *, attempt: int) -> str:
    """Return a query by rules: first all known forms and names of the store, then the most telling concept alone."""
    concepts = understanding.concepts
    words = [part for concept in concepts for part in parts_in(concept)]
    known = [word for word in words if vocabulary.forms(word)]
    forms = [form for word in known for form in vocabulary.forms(word)[:3]]
    if not known:
        return " ".join(dict.fromkeys([*words, *understanding.synonyms]))
    if attempt <= 1:
        names = _names(rows, known, vocabulary)
        return shortened(
            " ".join(dict.fromkeys([*concepts, *words, *forms, *understanding.synonyms, *names]))
        )
    telling = max(known, key=vocabulary.weight)  # the first of several
    own = vocabulary.forms(telling)[:3]
    return shortened(" ".join(dict.fromkeys([telling, *own, *_names(rows, [telling], vocabulary)[:2]])))


def nodes_with_words(rows: Rows, concepts: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """Return the keys of what has every word of the concepts, of two words or more, in its name, best name first."""
    words = list(dict.fromkeys(part for concept in concepts for part in parts_in(concept)))
    if len(words) < 2 or not all(vocabulary.forms(word) for word in words):
        return []
    named = [row for row in _named(rows, words, vocabulary) if row["words"] >= len(words)]
    return [str(key) for row in named for key in row["node_keys"]]


def nodes_with_verbs(
    rows: Rows, concepts: Sequence[str], verbs: Sequence[str], vocabulary: Vocabulary
) -> dict[str, list[str]]:
    """Return the verbs that stand in a name beside a word of the concepts, each with the keys of the best names."""
    known = [verb for verb in verbs if vocabulary.forms(verb)]
    words = list(dict.fromkeys(part for concept in concepts for part in parts_in(concept)))
    if not known or not any(vocabulary.forms(word) for word in words):
        return {}
    found: dict[str, list[str]] = {}
    most: dict[str, int] = {}
    for row in _named(rows, [*words, *known], vocabulary, top_n=MAX_LOOKED_AT, max_forms=MAX_FORMS):
        has = stems_in(str(row["element_name"]), {stem(word) for word in (*words, *known)})
        if not any(stem(word) in has for word in words):
            continue
        for verb in known:
            if stem(verb) in has and row["words"] >= most.setdefault(verb, row["words"]):
                found.setdefault(verb, []).extend(map(str, row["node_keys"]))
    return {verb: keys[:MAX_NAMES] for verb, keys in found.items()}


def _names(rows: Rows, words: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    return [str(row["element_name"]) for row in _named(rows, words, vocabulary)]


def _named(
    rows: Rows,
    words: Sequence[str],
    vocabulary: Vocabulary,
    *,
    top_n: int = MAX_NAMES,
    max_forms: int | None = None,
) -> list[dict[str, Any]]:
    pairs = [(form, word) for word in words for form in vocabulary.forms(word)[:max_forms]]
    parameters: dict[str, object] = {
        "terms": [form for form, _ in pairs],
        "words": [word for _, word in pairs],
        "top_n": top_n,
    }
    return rows(sql_text("pipeline/names_with_words.sql"), parameters)


def words_of_reply(reply: str) -> str:
    """Return the query in a model's reply: of a JSON object its `query`, else its lines in one."""
    decision = parse_decision(reply)
    if decision is not None:
        query = decision.get("query")
        return one_line(query) if isinstance(query, str) else ""
    return one_line(reply)


def one_line(text: str) -> str:
    """Return a text as one line without marks of lists and code; none of it when it holds a protocol prefix."""
    if begins_with_prefix(text):
        return ""
    lines = (_mark.sub("", line).strip() for line in text.splitlines()[:MAX_LINES])
    return shortened(" ".join(line for line in lines if any(map(str.isalnum, line))))
