"""Keep what a bundle tells of edges and the store has no column for, in words that people read and exports parse."""

from __future__ import annotations

import re
from typing import NamedTuple

MAKER = "RoslynIndexer"
DATA_CHANGE = "DataChange"
_EDGE = re.compile(
    r"(?:(DataChange)(?:, |$))?(?:batch ([^,]*)(?:, |$))?(?:to (TABLE_OR_VIEW|UNKNOWN)(?:, |$))?"
    r"(?:from (.+\|\w+) in (.*))?"
)
_DEFINITION = re.compile(r"batch ([^,]*), domain (.*)")


class RowDetail(NamedTuple):
    """What a row of edges.csv says beside its ends, relation and file.

    ``batch`` is told where it is not that of the node it comes from, ``to_kind`` where the kind of the other end is
    not known, ``origin`` and ``domain`` where the edge comes from a batch that defines nothing.
    """

    change: str = ""
    batch: str | None = None
    to_kind: str = ""
    origin: str = ""
    domain: str = ""

    def __str__(self) -> str:
        """Write it: `batch 2, to UNKNOWN`, `from dbo.__batch__:deploy.sql:0|BATCH in scripts`."""
        parts = (
            self.change,
            f"batch {_plain(self.batch)}" if self.batch is not None else "",
            f"to {self.to_kind}" if self.to_kind else "",
            f"from {self.origin} in {self.domain}" if self.origin else "",
        )
        return ", ".join(part for part in parts if part)


def row_detail(written: str) -> RowDetail:
    """Read what RowDetail wrote; empty for anything else."""
    found = _EDGE.fullmatch(written)
    if found is None:
        return RowDetail()
    change, batch, to_kind, origin, domain = found.groups()
    return RowDetail(change or "", batch, to_kind or "", origin or "", domain or "")


class Definition(NamedTuple):
    """Where in its script an object is defined, and the part of the database that the script is of."""

    batch: str
    domain: str

    def __str__(self) -> str:
        """Write it: `batch 0, domain tables`; empty where neither is told."""
        return f"batch {_plain(self.batch)}, domain {self.domain}" if self.batch or self.domain else ""


def definition(written: str) -> Definition | None:
    """Read what Definition wrote; None for anything else."""
    found = _DEFINITION.fullmatch(written)
    return Definition(found[1], found[2]) if found is not None else None


def usual_domain(kind: str) -> str:
    """Return the domain that RoslynIndexer gives to nodes of code: methods are there for their SQL."""
    return "code-inline-sql" if kind in ("METHOD", "FIELD", "PROPERTY") else "code"


def batch_number(key: str) -> str:
    """Return the number at the end of the key of a batch: `2` of `dbo.__batch__:deploy.sql:2|BATCH`."""
    number = key.rpartition("|")[0].rpartition(":")[2]
    return number if number.isascii() and number.isdigit() else ""


def _plain(batch: str) -> str:
    return batch.replace(",", " ")
