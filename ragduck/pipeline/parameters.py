"""What a key of a pipeline may hold: of settings and of the steps of each action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["text", "integer", "number", "boolean", "texts", "mapping", "any", "step", "routes", "rules"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A key with its kind, default and meaning.

    Kinds: `step` is the id of another step; `routes` a mapping from a name to a step id or to a mapping that has
    `next`; `rules` a list of mappings; `texts` a list of texts, or one text for a list of one. A ``name`` that ends
    in `*`, such as `on_*`, stands for every key with that beginning. Numbers lie between ``low`` and ``high``.
    """

    name: str
    kind: Kind
    description: str
    default: Any = None
    required: bool = False
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
