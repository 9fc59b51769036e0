"""Which repositories and branches of a store are exported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragduck.errors import UsageError
from ragduck.shell import quote
from ragduck.store import Database

Names = str | Sequence[str]

SNAPSHOTS = "select repo, branch from snapshots order by repo, branch"
HAS_SNAPSHOTS = "select 1 from duckdb_tables() where schema_name = 'main' and table_name = 'snapshots'"
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Selection:
    """Names of repositories and of branches; where none is given, all are meant."""

    repos: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return not (self.repos or self.branches)

    @property
    def variables(self) -> dict[str, object]:
        """What the SQL of the exports reads with `getvariable`."""
        return {
            "exported_repos": list(self.repos) or None,
            "exported_branches": list(self.branches) or None,
        }

    def takes(self, repo: str, branch: str) -> bool:
        """Whether it means this branch of this repository."""
        return (not self.repos or repo in self.repos) and (not self.branches or branch in self.branches)


def select(database: Database, repos: Names, branches: Names) -> Selection:
    """Return the selection; UsageError when one of the names, or all together, select nothing."""
    selection = Selection(names_of(repos), names_of(branches))
    if selection.is_everything:
        return selection
    known = snapshot_names(database)
    for noun, wanted, place in (("repository", selection.repos, 0), ("branch", selection.branches, 1)):
        for value in wanted:
            if all(pair[place] != value for pair in known):
                raise UsageError(f"the store holds no {noun} {value!r}", hint=_known(database))
    if not any(selection.takes(*pair) for pair in known):
        asked = f"{', '.join(selection.repos)} has no branch {', '.join(selection.branches)}"
        raise UsageError(asked, hint=_known(database))
    return selection


def select_one(database: Database, repos: Names, branches: Names) -> tuple[str, str]:
    """Return the one repository and branch that is meant; UsageError when there are several."""
    selection = select(database, repos, branches)
    taken = [pair for pair in snapshot_names(database) if selection.takes(*pair)]
    if len(taken) == 1:
        return taken[0]
    if not taken:
        raise UsageError("the store holds no repository", hint=_see(database))
    repo, branch = taken[0]
    raise UsageError(
        f"{len(taken):,} branches would be mixed: the format has one repository and branch",
        hint=f"choose one: --repo {quote(repo)} --branch {quote(branch)}; {_see(database)}",
    )


def names_of(names: Names) -> tuple[str, ...]:
    """Return the names in order, each once; a text is one name."""
    return (names,) if isinstance(names, str) else tuple(dict.fromkeys(names))


def snapshot_names(database: Database) -> list[tuple[str, str]]:
    """Return repository and branch of each snapshot, in order; none for a file that tells of none."""
    if not database.rows(HAS_SNAPSHOTS):
        return []
    return [(row["repo"], row["branch"]) for row in database.rows(SNAPSHOTS)]


def _known(database: Database) -> str:
    known = [f"{repo} {branch}" for repo, branch in snapshot_names(database)]
    more = f" and {len(known) - SHOWN:,} more: {_see(database)}" if len(known) > SHOWN else ""
    return f"it holds {', '.join(known[:SHOWN]) or 'none'}{more}"


def _see(database: Database) -> str:
    return f"ragduck info {quote(str(database.path))}"
