"""Decide what git would ignore: nested ``.gitignore`` files, negations and the folders above the root.

The pathspec library judges files only: given ``*`` and ``!*/`` it holds every folder for ignored, so a walk
that prunes could not use it, and its patterns can backtrack exponentially. Rules here are matched against an
entry itself, never against its parents: those were judged before, and a file below an ignored folder cannot
come back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ragduck.sources.glob import InvalidGlobError, glob_regex
from ragduck.sources.regular_file import read_regular_file

_MAX_BYTES = 200_000  # rules beyond are left out: compiling takes seconds per megabyte, and nobody wrote them
_MAX_PATTERN_LENGTH = 4_096  # no path is longer on the systems that git runs on
_MAX_RULES = 5_000
_NO_MATCH = re.compile("(?!)")


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """One line of a ``.gitignore``; ``is_name`` holds for one about the last part of a path."""

    regex: str
    negated: bool
    folders_only: bool
    is_name: bool


class IgnoreFile:
    """The rules of one ``.gitignore``; the last that matches an entry decides."""

    def __init__(self, text: str) -> None:
        rules = list(parse_rules(text))[::-1]
        self._for_folders = _Matcher(rules)
        self._for_files = _Matcher([rule for rule in rules if not rule.folders_only])

    def verdict(self, path: str, *, is_folder: bool) -> bool | None:
        """Return True for ignored, False for taken back in, None where no rule matches."""
        return (self._for_folders if is_folder else self._for_files).verdict(path)


class _Matcher:
    """All rules as one expression: the first that matches decides, which the empty group behind it tells.

    Neighbours that are about names look for the last slash once. As no group stands in front of a rule, most are
    passed over by their first letter.
    """

    def __init__(self, rules: Sequence[IgnoreRule]) -> None:
        self._negated = [rule.negated for rule in rules]
        parts: list[str] = []
        for are_names, some in groupby(rules, key=lambda rule: rule.is_name):
            either = "|".join(f"{rule.regex}()" for rule in some)
            parts.append(f"(?:.*/)?+(?:{either})" if are_names else either)
        self._pattern = re.compile("|".join(parts), re.DOTALL) if rules else _NO_MATCH

    def verdict(self, path: str) -> bool | None:
        match = self._pattern.fullmatch(path)
        if match is None or match.lastindex is None:
            return None
        return not self._negated[match.lastindex - 1]


@dataclass(frozen=True, slots=True)
class IgnoreStack:
    """The ``.gitignore`` files that bear on one folder, innermost first, each with its folder's path."""

    files: tuple[tuple[str, IgnoreFile], ...] = ()

    def within(self, folder: str, *, path: str) -> IgnoreStack:
        """Add the ``.gitignore`` of a folder, if any; ``path`` is what its entries' paths begin with."""
        text = read_ignore_file(f"{folder}/.gitignore")
        if text is None:
            return self
        return IgnoreStack(((path, IgnoreFile(text)), *self.files))

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Tell whether git would leave out the entry itself, given that its parents are not ignored."""
        for folder, ignore_file in self.files:
            verdict = ignore_file.verdict(path[len(folder) :], is_folder=is_folder)
            if verdict is not None:
                return verdict
        return False


def read_ignore_file(path: str) -> str | None:
    """Return the text of a ``.gitignore``; like git, take no symbolic link for one."""
    try:
        content = read_regular_file(path, limit=_MAX_BYTES)
    except OSError:
        return None
    data = content.data.removeprefix(b"\xef\xbb\xbf")
    if len(content.data) == _MAX_BYTES:
        data = data[: data.rfind(b"\n") + 1]  # half a rule could match anything
    return data.decode("utf-8", errors="surrogateescape")


def parse_rules(text: str) -> Iterator[IgnoreRule]:
    """Yield the rules of a ``.gitignore``, leaving out comments, blanks and patterns that match nothing."""
    for line in text.split("\n")[:_MAX_RULES]:
        if line.startswith("#") or len(line) > _MAX_PATTERN_LENGTH:
            continue
        rule = _parse_rule(_without_trailing_spaces(line.removesuffix("\r")))
        if rule is not None:
            yield rule


def _parse_rule(pattern: str) -> IgnoreRule | None:
    negated = pattern.startswith("!")
    pattern = pattern[negated:]
    folders_only = pattern.endswith("/")
    pattern = pattern.removesuffix("/")
    is_name = "/" not in pattern
    pattern = pattern.removeprefix("/")
    if not pattern:
        return None
    try:
        regex = glob_regex(pattern, is_name=is_name)
    except InvalidGlobError:
        return None
    return IgnoreRule(regex, negated, folders_only, is_name)


def _without_trailing_spaces(line: str) -> str:
    """Strip spaces at the end that no backslash protects."""
    stripped = line.rstrip(" ")
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    return stripped + " " if backslashes % 2 and stripped != line else stripped
