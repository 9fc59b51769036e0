"""Arguments that several commands share, and the ways people write values."""

from __future__ import annotations

import os
import re
from math import inf
from pathlib import Path
from typing import Any

import click

from ragduck.errors import UsageError

SIZE = re.compile(r"(\d{1,12})\s*([kmg]?)b?", re.IGNORECASE | re.ASCII)
FACTORS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Show neither progress nor summary.")


class PlacePath(click.Path):
    """Where something lies or is put that standard output cannot carry: `-` is refused, and makes no file."""

    def __init__(self, *, dir_okay: bool = True) -> None:
        super().__init__(dir_okay=dir_okay, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path."""
        if value == "-":
            self.fail("it cannot be standard input or output; a file of that name is ./-", param, ctx)
        return super().convert(value, param, ctx)


class StorePath(PlacePath):
    """The path of a store, which hints repeat: where it would be taken for an option, it is written in full."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path; `-x.duckdb` becomes `/home/ann/-x.duckdb`, as pathlib takes `./` away."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        return path.absolute() if str(path).startswith("-") else path


store_argument = click.argument("store", type=StorePath())


def file_or_stdout(_context: click.Context, _option: click.Parameter, text: str | None) -> Path | None:
    """Return the file that an option names; None, which is stdout, for `-` as without the option."""
    return None if text in (None, "-") else Path(text)


def byte_size(text: str) -> int:
    """Return the bytes that 500000, 500k or 2MB mean."""
    found = SIZE.fullmatch(text.strip())
    if found is None or int(found[1]) == 0:
        raise click.BadParameter(f"{text!r} is no size; write 500k or 2MB")
    return int(found[1]) * FACTORS[found[2].lower()]


def seconds(text: str) -> float:
    """Return how long to wait; `forever` is what an option without a value stands for."""
    if text == "forever":
        return inf
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not value >= 0:
        raise click.BadParameter(
            f"{text!r} is no number of seconds; write --wait=60, or --wait as the last option"
        )
    return value


def filters_of(pairs: tuple[str, ...]) -> dict[str, list[str | None]]:
    """Return the filters that `field=value` pairs mean; an empty value stands for none."""
    filters: dict[str, list[str | None]] = {}
    for pair in pairs:
        field, equals, value = pair.partition("=")
        if not equals or not field.strip():
            raise UsageError(f"filter {pair!r} is not field=value", hint="write --filter kind=PROC")
        filters.setdefault(field.strip(), []).append(value or None)
    return filters


wait_option = click.option(
    "--wait",
    type=seconds,
    is_flag=False,
    flag_value="forever",
    default=0.0,
    metavar="[SECONDS]",
    help="Wait for another writer of the store, for ever or so long; else fail at once.",
)
