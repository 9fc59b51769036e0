"""Ask a store for its own objects by their names in plain words: whether the object comes first.

Usage: spelled_names.py STORE [--count 60] [--kind METHOD ...] [--set PARAMETER=VALUE ...]

Names are drawn from those outside of tests that no other object has, of three words or more (two for types): of
`InsertOrderFromJson` the question is "insert order from json", alone and in a sentence, and `insert_order_from_json`,
the name as one word in another case. Each row is a kind and a form of the question, in the modes `hybrid` and `bm25`,
with the ranking and without (`plain`).
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import ragduck

PLACES = (1, 3, 10)
FORMS = ("{words}", "where is the {words} implemented", "{one_word}")
LEAST_WORDS = {"TYPE": 2}  # else 3
NAMES = """
with named as (
    select *
    from nodes
    where not is_external and kind in ('METHOD', 'PROC', 'TYPE', 'TABLE', 'VIEW')
    qualify count(*) over (partition by lower(name)) = 1
)
select distinct named.name, named.node_key, named.source_file
from named
join documents as chunk using (repo, branch, source_file)
where named.kind = $kind and chunk.file_class = 'source'
order by named.node_key
"""


def words_of(name: str) -> list[str]:
    """Return the words of a name in camel or snake case."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


def in_another_case(name: str) -> str:
    """Return a name in camel case if it has underscores, else in snake case."""
    if "_" in name:
        return "".join(word[0].upper() + word[1:] for word in name.split("_") if word)
    return "_".join(words_of(name))


def places(
    store: ragduck.Store, named: Sequence[Mapping[str, Any]], form: str, **settings: Any
) -> list[int | None]:
    """Return at which place each object is found; None beyond the last."""
    found = []
    for each in named:
        name = each["name"]
        question = form.format(words=" ".join(words_of(name)), one_word=in_another_case(name))
        results = store.search(question, top_k=PLACES[-1], **settings).results
        here = (place for place, result in enumerate(results, 1) if is_of(result, each))
        found.append(next(here, None))
    return found


def is_of(result: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Return whether a result is the object, or part of it."""
    if result.get("node_key") == wanted["node_key"]:
        return True
    name = str(result.get("element_name") or "").rpartition(".")[2]
    return bool(result["source_file"] == wanted["source_file"] and name == wanted["name"])


def main() -> None:
    """Print how many of each kind are among the first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--kind", action="append", choices=["METHOD", "PROC", "TYPE", "TABLE", "VIEW"])
    parser.add_argument("--set", action="append", default=[], metavar="PARAMETER=VALUE")
    arguments = parser.parse_args()
    ranking = {name: float(value) for name, value in (each.split("=", 1) for each in arguments.set)}
    ways: Mapping[str, Mapping[str, Any]] = {
        "hybrid": {"mode": "hybrid", "ranking": ranking},
        "bm25": {"mode": "bm25", "ranking": ranking},
        "hybrid, plain": {"mode": "hybrid", "signals": False},
        "bm25, plain": {"mode": "bm25", "signals": False},
    }
    with ragduck.open(arguments.store) as store:
        for kind in arguments.kind or ["METHOD", "PROC", "TYPE"]:
            least = LEAST_WORDS.get(kind, 3)
            known = [row for row in store.sql(NAMES, {"kind": kind}) if len(words_of(row["name"])) >= least]
            drawn = random.Random(0).sample(known, min(arguments.count, len(known)))
            for form in FORMS:
                for way, settings in ways.items():
                    found = places(store, drawn, form, **settings)
                    counts = (
                        f"{sum(place is not None and place <= last for place in found)} in {last}"
                        for last in PLACES
                    )
                    print(
                        f"{kind:<8}{form:<36}{way:<16}{', '.join(counts)} of {len(drawn)} ({len(known):,} there)"
                    )


if __name__ == "__main__":
    main()
