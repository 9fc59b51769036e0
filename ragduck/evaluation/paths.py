"""Find the files that labels mean in a store that may have been prepared from another folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

MAX_PATH = 4_096  # characters; a longer label names no file
MAX_FOLDERS = 20  # prepared folders that labels of one file are spread over


@dataclass(frozen=True, slots=True)
class MatchedPaths:
    """The stored paths of labels; ``how`` says in words what was done to find them, empty for exact matches."""

    stored: Mapping[str, str]
    how: tuple[str, ...] = ()


def match_paths(labels: Iterable[str], stored: Sequence[str]) -> MatchedPaths:
    """Match labels with stored paths, by whole components and exact case.

    When any label is stored as it stands, the labels speak of the folder that was prepared, and only exact matches
    count. Else either leading folders of labels are left off (the store holds a part of what they speak of) or
    labels are taken as the ends of stored paths, whichever finds more.
    """
    known = set(stored)
    wanted = {label: _plain(label) for label in dict.fromkeys(labels)}
    exact = {label: path for label, path in wanted.items() if path in known}
    if exact:
        return MatchedPaths(exact)
    shorter = _without_folders(wanted, known)
    longer = _by_end(wanted, stored)
    return shorter if len(shorter.stored) >= len(longer.stored) else longer


def _plain(label: str) -> str:
    return label.replace("\\", "/").removeprefix("./")


def _without_folders(wanted: Mapping[str, str], known: set[str]) -> MatchedPaths:
    """Leave off the leading folder that lets most labels match; then again for labels elsewhere and files left."""
    found: dict[str, str] = {}
    how: list[str] = []
    left = {label: path for label, path in wanted.items() if len(path) <= MAX_PATH}
    for _ in range(MAX_FOLDERS):
        known = known - set(found.values())
        votes = Counter(folder for path in left.values() for folder in _votes(path, known))
        if not votes:
            break
        folder = min(votes, key=lambda name: (-votes[name], len(name), name))
        within = {label: path for label, path in left.items() if path.startswith(folder)}
        matched = {
            label: path[len(folder) :] for label, path in within.items() if path[len(folder) :] in known
        }
        found |= matched
        how.append(f"the leading {folder} of {_labels(len(matched))} was left off")
        left = {label: path for label, path in left.items() if label not in within}
    return MatchedPaths(found, tuple(how))


def _votes(path: str, known: set[str]) -> Iterator[str]:
    for place, character in enumerate(path):
        if character == "/" and path[place + 1 :] in known:
            yield path[: place + 1]


def _by_end(wanted: Mapping[str, str], stored: Sequence[str]) -> MatchedPaths:
    """Take a label for the one stored path that ends with it."""
    ends = set(wanted.values())
    holders: dict[str, list[str]] = {}
    for path in stored:
        for place, character in enumerate(path):
            if character == "/" and path[place + 1 :] in ends:
                holders.setdefault(path[place + 1 :], []).append(path)
    found = {label: holders[end][0] for label, end in wanted.items() if len(holders.get(end, ())) == 1}
    how = (f"{_labels(len(found))} were taken for the one stored path that ends so",) if found else ()
    return MatchedPaths(found, how)


def _labels(number: int) -> str:
    return f"{number:,} label" if number == 1 else f"{number:,} labels"
