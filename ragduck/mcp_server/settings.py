"""What the person who starts a server decides."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ragduck.errors import UsageError

ROW_LIMIT = 200
TIME_LIMIT = 20.0  # seconds; many clients give up after 60
MAX_ROW_LIMIT = 10_000
ANSWER_LETTERS = 30_000  # about 8,000 tokens: clients warn at 10,000 and cut at 25,000


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """A store, how it is asked, and what one call may cost.

    ``row_limit`` counts rows of an SQL answer, ``time_limit`` seconds of a call that asks no language model.
    ``read_only`` keeps no conversations; ``model`` is that of ``pipeline``; without one the evidence is the answer.
    """

    store: Path
    embed_model: str | None = None
    mirror: str = "auto"
    row_limit: int = ROW_LIMIT
    time_limit: float = TIME_LIMIT
    read_only: bool = False
    pipeline: str | None = None
    model: str | None = None
    base_url: str | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.row_limit <= MAX_ROW_LIMIT:
            raise UsageError(
                f"the row limit is {self.row_limit}", hint=f"give --row-limit 1 to {MAX_ROW_LIMIT:,}"
            )
        if not 0 < self.time_limit < float("inf"):
            raise UsageError(f"the time limit is {self.time_limit}", hint="give --time-limit 20")
