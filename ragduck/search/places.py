"""Find the files and lines that a question names, as stack traces, compilers and people write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from ragduck.resources import sql_text
from ragduck.search.filters import Clause, filtered
from ragduck.search.quoted import phrases_of

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

MOST_PLACES = 10  # of a question that are shown
MOST_LOOKED_FOR = 100  # as a stack trace has files of libraries, too
MOST_FILES = 5  # that a name may mean
MOST_WORDS = 8  # of a question that looks for a file without a line
LONGEST = 12  # that a file's ending is, with a character before it
FIRST_LINE = 1  # stands for a file that is named without a line

WRITTEN = re.compile(r"""[^\s"'`<>|:*?#()\[\]{},;=]{3,400}""")
ENDING = re.compile(r"[^./\\]\.[A-Za-z]\w{0,15}\Z")
FILE_ENDING = re.compile(r"[^./\\]\.(?:[a-z][a-z0-9]{0,9}|[A-Z]{2,5})\Z")  # not that of Shop.Invoice
LINE = re.compile(
    r"""["'`]?(?:
        :(?:[^\W\d_]{1,12}\ )?(\d{1,9})           # path:303, path:line 303, path:Zeile 303
        | ,?\ (?:on\ |at\ )?line\ (\d{1,9})       # path line 303, "path", line 303
        | \((\d{1,9})(?=(?:,\d{1,9}){0,3}\))     # path(303,13)
        | \#L(\d{1,9})                            # path#L303
    )(?!\w)""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file; ``folders`` stand before its name as far as they are written, the nearest first."""

    name: str
    folders: tuple[str, ...]
    line: int

    def fit(self, path: str) -> int:
        """Return how many folders of a path are those of the place, from the right."""
        folders = path.lower().split("/")[-2::-1]
        same = (mine == other for mine, other in zip(self.folders, folders, strict=False))
        return sum(1 for _ in takewhile(bool, same))


def places_of(question: str) -> tuple[Place, ...]:
    """Return the lines of files that a question names, each once and in lower case, then the files without a line.

    Among many words a file is not what is looked for, and what stands in double quotes is looked for as a text.
    """
    lines: list[Place] = []
    whole = question.strip()  # a name may have spaces in it
    files = [_place(whole, FIRST_LINE)] if FILE_ENDING.search(whole[-LONGEST:]) else []
    for word in WRITTEN.finditer(question):
        path = word[0].rstrip(".")
        line = LINE.match(question, word.end())
        if line and line.lastindex and ENDING.search(path):
            lines.append(_place(path, int(line[line.lastindex])))
        elif FILE_ENDING.search(path):
            files.append(_place(path, FIRST_LINE))
    if len(question.split()) > MOST_WORDS or phrases_of(question):
        files = []
    return tuple(dict.fromkeys([*lines, *files]))[:MOST_LOOKED_FOR]


def _place(path: str, line: int) -> Place:
    *folders, name = path.replace("\\", "/").lower().split("/")
    return Place(name, tuple(folders[::-1]), line)


def chunks_at_places(rows: Rows, question: str, *, clause: Clause) -> list[int]:
    """Return the chunks that a clause leaves and that hold the lines a question names; the nearest where none does.

    Of a file without a line it is the first. There are none for a name that many files bear.
    """
    asked = places_of(question)
    if not asked:
        return []
    files = _files_called(rows, {place.name for place in asked}, clause=clause)
    meant = ((place, _meant(place, files[place.name])) for place in asked if place.name in files)
    found = [(place.line, paths) for place, paths in meant if paths][:MOST_PLACES]
    if not found:
        return []
    values: dict[str, object] = {
        "paths": [path for _, paths in found for path in paths],
        "lines": [line for line, paths in found for _ in paths],
    }
    told = rows(filtered(sql_text("search/chunks_at_lines.sql"), clause.sql), values | clause.parameters)
    return sorted({row["chunk_no"] for row in told})


def _files_called(rows: Rows, names: Collection[str], *, clause: Clause) -> dict[str, list[str]]:
    """Return the paths of files that a clause leaves by name, in lower case."""
    left = "true" if clause.is_open else f"doc_id in (select doc_id from documents where {clause.sql})"
    sql = filtered(sql_text("search/files_called.sql"), left)
    files: dict[str, list[str]] = {}
    for row in rows(sql, {"names": sorted(names)} | clause.parameters):
        files.setdefault(row["name"], []).append(row["file_path"])
    return files


def _meant(place: Place, paths: Sequence[str]) -> list[str]:
    """Return the paths that fit a place best; none where they are many."""
    fits = [place.fit(path) for path in paths]
    best = [path for path, fit in zip(paths, fits, strict=True) if fit == max(fits)]
    return best if len(best) <= MOST_FILES else []
