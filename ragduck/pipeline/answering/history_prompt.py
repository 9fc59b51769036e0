"""Write a conversation as a prompt holds it, and keep the names in it when it is summarised."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ragduck.conversation import Turn
from ragduck.pipeline.prompting.fencing import escaped

Count = Callable[[str], int]  # tokens of a text

SUMMARY_TITLE = "Summary of what was said before:"
NAMES_TITLE = "Also named:"
MAX_NAME = 300  # characters; longer words are no names
_between_names = re.compile(r"""[\s`"'()\[\]{}<>,;]+""")
_node_kind = re.compile(r"[A-Z][A-Z_]{1,15}")
_file_name = re.compile(r"[\w@+~.-]*\w\.\w{1,12}(:\d{1,9}(-\d{1,9})?)?")


def history_text(summary: str, turns: Sequence[Turn]) -> str:
    """Return a summary, if any, and the turns since, oldest first, each line harmless as part of a prompt."""
    parts = [f"{SUMMARY_TITLE}\n{escaped(summary)}"] if summary else []
    return "\n\n".join([*parts, *map(turn_text, turns)])


def turn_text(turn: Turn) -> str:
    """Return question and answer in English."""
    return f"Question: {escaped(turn.question_en)}\nAnswer: {escaped(turn.answer_en)}"


def newest_that_fit(
    turns: Sequence[Turn], *, limit: int, count: Count, summary: str = ""
) -> tuple[Turn, ...]:
    """Return the newest turns that fit a limit whole, beside the summary; the first that does not ends them."""
    kept: tuple[Turn, ...] = ()
    for turn in reversed(turns):
        if count(history_text(summary, (turn, *kept))) > limit:
            break
        kept = (turn, *kept)
    return kept


def names_in(text: str) -> Iterator[str]:
    """Yield each node key and path of a text once, in order: `dbo.Invoice|TABLE`, `src/orders.py:10-20`."""
    seen: set[str] = set()
    for word in _between_names.split(text):
        name = word.lstrip("*:!?").rstrip("*.:!?")
        if name not in seen and len(name) <= MAX_NAME and (_is_node_key(name) or _is_path(name)):
            seen.add(name)
            yield name


def with_names(summary: str, names: Sequence[str], *, limit: int, count: Count) -> tuple[str, list[str]]:
    """Put the names that a summary lacks at its end while it fits the limit; return it and those left out."""
    missing = [name for name in names if name not in summary]
    fitting = len(missing)
    while fitting and count(_named(summary, missing[:fitting])) > limit:
        fitting = fitting * 3 // 4
    return _named(summary, missing[:fitting]) if fitting else summary, missing[fitting:]


def _named(summary: str, names: Sequence[str]) -> str:
    return f"{summary}\n{NAMES_TITLE} {', '.join(names)}"


def _is_node_key(word: str) -> bool:
    name, bar, kind = word.rpartition("|")
    return bool(name and bar and "|" not in name and _node_kind.fullmatch(kind))


def _is_path(word: str) -> bool:
    folders, slash, name = word.rpartition("/")
    return bool(slash and folders and "//" not in word and _file_name.fullmatch(name))
