"""A pipeline as it stands after inheritance: settings, and steps by id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is written; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Step:
    """One step: ``parameters`` are all its keys but id and action, `next`, `end` and `on_*` among them."""

    id: str
    action: str
    parameters: Mapping[str, Any]
    place: Place
    places: Mapping[str, Place] = field(default_factory=dict)  # of its keys


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A pipeline after inheritance. ``origins`` are the files it came from, root parent first."""

    name: str
    settings: Mapping[str, Any]
    steps: Mapping[str, Step]
    place: Place
    description: str = ""
    origins: tuple[str, ...] = ()
    setting_places: Mapping[str, Place] = field(default_factory=dict)

    @property
    def entry_step_id(self) -> str:
        """Return the step a run begins with."""
        return str(self.settings["entry_step_id"])
