"""Ask a store for its own C# members by name: whether the chunk that declares a member comes first.

Usage: members.py STORE [--count 120] [--mode hybrid] [--set PARAMETER=VALUE ...]

Members are drawn from those of class source whose name no other node of the store has. `packed` are small ones that
share a chunk of their type, `own` have a chunk of their own; constructors are left out, as their name is the type's.
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
with members as (
    select *
    from nodes
    qualify count(*) over (partition by lower(name)) = 1
)
select member.name, chunk.id, chunk.kind = 'TYPE' as is_packed
from members as member
join documents as chunk using (repo, branch, source_file)
where member.kind in ('METHOD', 'PROPERTY', 'FIELD') and starts_with(member.node_key, 'csharp:')
    and chunk.file_class = 'source' and chunk.file_type <> 'inline_sql'
    and chunk.start_line <= member.start_line and chunk.end_line >= member.end_line
    and (chunk.kind = 'TYPE' or chunk.name = member.name)
order by member.node_key
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
