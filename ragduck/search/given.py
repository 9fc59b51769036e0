"""Refuse what a call of Python was given wrongly, with what was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import fields
from numbers import Integral, Real
from typing import TYPE_CHECKING

from ragduck.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def require_settings(
    given: Iterable[str], request: type[DataclassInstance], *, besides: Sequence[str] = ()
) -> None:
    """Refuse settings that a request does not have, or that the call gives it itself."""
    known = [field.name for field in fields(request) if field.name not in besides]
    for name in given:
        require_setting(name, known)


def require_setting(name: str, known: Sequence[str], *, within: str = "") -> None:
    """Refuse a setting that is not known; ``within`` names the one that it would be a part of."""
    if name in known:
        return
    close = difflib.get_close_matches(name, known, n=1)
    place = f" of {within}" if within else ""
    hint = f"did you mean {close[0]}?" if close else f"settings{place}: {', '.join(known)}"
    raise UsageError(f"there is no setting {name!r}{place}", hint=hint)


def require_text(name: str, given: object, *, example: str) -> str:
    """Return a text, or refuse what is none."""
    if isinstance(given, str):
        return given
    raise UsageError(f"{name} is {given!r:.80}, not text", hint=f"give a text: {example}")


def texts_among(name: str, given: str | Sequence[str], *, example: str) -> list[str]:
    """Return one or several texts as a list, or refuse what is neither."""
    if isinstance(given, str):
        return [given]
    if isinstance(given, Sequence | set | frozenset):
        return [require_text(name, each, example=example) for each in given]
    raise UsageError(f"{name} is {given!r:.80}, not text", hint=f"give a text or a list of them: {example}")


def require_whole(name: str, value: int, low: int, high: int) -> None:
    """Refuse what is no whole number from ``low`` to ``high``."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise UsageError(
            f"{name} is {value!r:.40}", hint=f"give {name} a whole number from {low} to {high:,}"
        )
    require_range(name, value, low, high)


def require_range(name: str, value: float, low: float, high: float) -> None:
    """Refuse what is no number from ``low`` to ``high``."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise UsageError(f"{name} is {value!r:.40}", hint=f"give {name} a number from {low} to {high:,}")
    if not low <= value <= high:
        raise UsageError(
            f"{name} is {value}; it goes from {low} to {high:,}",
            hint=f"give {name} a value from {low} to {high:,}",
        )
