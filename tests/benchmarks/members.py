"""Ask a store for its own C# members by name: whether the chunk that declares a member comes first.

Usage: members.py STORE [--count 120] [--mode hybrid] [--set PARAMETER=VALUE ...]

Members are drawn from those of class source in the first chunk of a type or method, one chunk for a name.
`packed` are small ones that share a chunk with others, `own` have a chunk of their own; constructors are left
out, as their name is the type's.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import ragduck

PLACES = (1, 3, 5, 10)
FORMS = ("{name}", "where is {name} declared")
MEMBERS = """
select node.name, chunk.id, chunk.name is distinct from node.name as is_packed
from nodes as node
join documents as chunk using (repo, branch, source_file)
where node.kind in ('METHOD', 'PROPERTY', 'FIELD') and starts_with(node.node_key, 'csharp:')
    and chunk.file_class = 'source' and chunk.file_type <> 'inline_sql' and chunk.chunk_part = 0
    and chunk.start_line <= node.start_line and chunk.end_line >= node.end_line
    and node.name is distinct from chunk.class
    and (chunk.name = node.name or list_contains(string_split(chunk.signature, ', '), node.name))
qualify count(*) over (partition by node.name) = 1
order by node.node_key
"""


def places(
    store: ragduck.Store, members: Sequence[Mapping[str, Any]], form: str, **settings: Any
) -> list[int | None]:
    """Return at which place each member's chunk is found; None beyond the last."""
    found = []
    for member in members:
        results = store.search(form.format(**member), top_k=PLACES[-1], **settings).results
        ids = [result["id"] for result in results]
        found.append(ids.index(member["id"]) + 1 if member["id"] in ids else None)
    return found


def main() -> None:
    """Print how many of each kind are among the first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--mode", default="hybrid", choices=["hybrid", "bm25"])
    parser.add_argument("--set", action="append", default=[], metavar="PARAMETER=VALUE")
    arguments = parser.parse_args()
    ranking = {name: float(value) for name, value in (each.split("=", 1) for each in arguments.set)}
    with ragduck.open(arguments.store) as store:
        members = store.sql(MEMBERS)
        for kind in ("packed", "own"):
            known = [member for member in members if member["is_packed"] == (kind == "packed")]
            drawn = random.Random(0).sample(known, min(arguments.count, len(known)))
            for form in FORMS:
                found = places(store, drawn, form, mode=arguments.mode, ranking=ranking)
                counts = (
                    f"{sum(place is not None and place <= last for place in found)} in {last}"
                    for last in PLACES
                )
                print(f"{kind:<8}{form:<28}{', '.join(counts)} of {len(drawn)} ({len(known):,} there)")


if __name__ == "__main__":
    main()
