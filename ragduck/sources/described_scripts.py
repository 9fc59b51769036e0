"""Find scripts of migrations that are called by a number and by what they do: `0051-Add-Orders.sql`.

Parts of an installation and lessons are called so, too. Migrations are what changes or defines again what scripts
before it made, more often than it begins anew; what a runner of scripts is given; and what stands among scripts with
dates.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ragduck.model import SourceFile
from ragduck.sources.classification import classify
from ragduck.sources.script_runners import EMBEDS, RUNS, Runners, with_parents, without_numbers
from ragduck.sources.script_statements import script_text, statements_in

_FEWEST = 3
_FEWEST_THAT_BUILD = 2
_DIGITS = 3  # of a number that is one of many; lessons are counted by two
_PARTS_OF_VERSION = 3  # 1.2 is a section
_NAMED = re.compile(
    r"([a-z]{0,20}[ _.-]?)(\d{1,14}(?:[._-]\d{1,14}){0,6})(?!\d)(.{1,200})\.sql", re.IGNORECASE
)
_WRITES = re.compile(  # something that lasts: reports may fill temporary tables
    r"\b(?:create|alter|drop|insert|update|delete|merge|truncate|exec(?:ute)?|sp_rename|grant|revoke|deny|call)\b"
    r"(?!\s++(?:(?:into|table|from|if|exists)\s++){0,4}[#@])",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"(\d{1,18})")
_RUN_AGAIN = re.compile(  # what is run with every update says what is there now
    r"(?:^|/)(?:\d{1,9}[ ._-]{0,5})?(?:every[ _-]?time|any[ _-]?time|(?:run[ _-]?)?always|repeatables?|idempotent"
    r"|(?:stored[ _-]?)?proc(?:edure)?s|sprocs|views|functions|triggers|programmability)(?:/|$)",
    re.IGNORECASE,
)


class _Script(NamedTuple):
    file: SourceFile
    is_dated: bool  # a migration by its own name
    is_wide: bool


def described_scripts(files: Sequence[SourceFile], *, code_page: str) -> Iterator[SourceFile]:
    """Yield the scripts that are migrations by their names and by the scripts and projects around them."""
    runners = Runners(files, code_page)
    proven: set[str] = set()
    others: list[tuple[str, list[_Script]]] = []
    for root, scripts in _groups(files):
        runner = runners.of(root)
        undated = [script for script in scripts if not script.is_dated]
        wide = scripts if runner else [script for script in scripts if script.is_wide]
        if _is_series(wide, runner, code_page):
            proven.add(root)
            yield from (script.file for script in wide if not script.is_dated)
        elif undated:
            others.append((root, undated))
    for root, scripts in others:
        if not proven.isdisjoint(with_parents(root)):
            yield from (script.file for script in scripts if script.is_wide)


def _groups(files: Iterable[SourceFile]) -> Iterator[tuple[str, list[_Script]]]:
    """Yield scripts that begin with the same word before their number, in order, and where they lie."""
    groups: defaultdict[tuple[str, str], list[_Script]] = defaultdict(list)
    for file in files:
        folder, _, name = file.path.rpartition("/")
        is_one = name[-4:].lower() == ".sql" and not _RUN_AGAIN.search(folder)
        named = _NAMED.fullmatch(name) if is_one else None
        file_class = classify(file.path, "").file_class if named else ""
        if named and any(map(str.isalpha, named[3])) and file_class in ("source", "migration"):
            script = _Script(file, file_class == "migration", _is_wide(named[2]))
            groups[without_numbers(folder), named[1].casefold()].append(script)
    for (root, _), scripts in groups.items():
        yield root, sorted(scripts, key=lambda script: _in_order(script.file.path))


def _is_wide(number: str) -> bool:
    parts = re.split(r"[._-]", number)
    return len(parts) >= _PARTS_OF_VERSION or any(len(part) >= _DIGITS for part in parts)


def _in_order(path: str) -> list[tuple[int, str]]:
    parts = _NUMBERS.split(path.casefold())
    return [(int(part), "") if at % 2 else (0, part) for at, part in enumerate(parts)]


def _is_series(scripts: Sequence[_Script], runner: int, code_page: str) -> bool:
    dated = sum(script.is_dated for script in scripts)
    if dated == len(scripts):
        return False
    if dated >= _FEWEST and dated > len(scripts) - dated:
        return True
    if len(scripts) < _FEWEST or dated:
        return False
    if runner == RUNS:
        return any(_WRITES.search(script_text(script.file, code_page)) for script in scripts)
    fewest = 1 if runner == EMBEDS else _FEWEST_THAT_BUILD
    return _builds_on_itself((script_text(script.file, code_page) for script in scripts), fewest)


def _builds_on_itself(texts: Iterable[str], fewest: int) -> bool:
    """Say whether texts change, define again or drop what those before them made, and rarely make it anew.

    What is dropped counts once something is made after it: the last script may just clean up.
    """
    made: set[str] = set()
    defined: set[str] = set()
    built = anew = pending = 0
    for text in texts:
        here = statements_in(text)
        gone = here.dropped - here.made - here.defined
        if here.made & made:
            anew += 1
        elif (here.changed - here.made) & made or here.defined & defined:
            built += 1
        elif gone & made or gone & defined:
            pending += 1
        if here.made or here.defined:
            built, pending = built + pending, 0
        made |= here.made
        defined |= here.defined
        made -= gone | here.renamed
        defined -= gone
    return built >= fewest and built > anew
