"""Tell whether two folders that are called alike are of the same repository."""

from __future__ import annotations

import re
from pathlib import Path

from ragduck.sources.checkout import Checkout, find_bare, find_checkout, read_origin

_PARTS = 2  # of an address, its owner and its name: hosts and ways to reach them differ


def is_of_another(folder: Path, other: Path) -> bool:
    """Say whether both are there and nothing tells that they are of one repository: the same, or clones of it."""
    if folder == other or not other.is_dir():
        return False
    one, two = (find_bare(each) or find_checkout(each) for each in (folder, other))
    if one is None or two is None:
        return True
    if one.common_dir == two.common_dir:
        return False
    return _addresses(one).isdisjoint(_addresses(two))


def _addresses(checkout: Checkout) -> set[tuple[str, ...]]:
    """Return by what a repository is known: where it was cloned from, and where it is."""
    places = {_parts_of(str(checkout.top)), _parts_of(str(checkout.common_dir))}
    origin = _parts_of(read_origin(checkout) or "")
    return places | {origin, origin[-_PARTS:]} if origin else places


def _parts_of(address: str) -> tuple[str, ...]:
    parts = re.split(r"[/\\:]+", re.split(r"[?#]", address)[0].rstrip("/\\").removesuffix(".git"))
    return tuple(part.lower() for part in parts if part)
