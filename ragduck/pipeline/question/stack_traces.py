"""Stack traces in a question: the methods that their frames name, and what is left of the question without them."""

from __future__ import annotations

import re

from ragduck.pipeline.question.words import MAX_TEXT

MAX_FRAMES = 20
PLACE = r"\) in [^\n]{1,400}?:\w{1,12} \d+"
# On a line of its own; within a line, as when the ends of lines were lost, only with its place.
FRAME = re.compile(
    rf"(?:^[ \t]*|(?<=\s)(?=(?:at|bei) [^\n(]{{3,400}}\([^()\n]{{0,1000}}{PLACE}))(?:at|bei) +"
    rf"(?P<name>[\w.<>`+$|\[\],]{{3,400}}) ?\([^()\n]{{0,1000}}(?:{PLACE}|\))",
    re.MULTILINE,
)
ASYNC = re.compile(r"\.<(\w+)>(?:d__|g__|b__)[\w|]*(?:\.MoveNext)?$")  # what the compiler made of a method
CLOSURE = re.compile(r"\.<>c(?:__\w+)?(?=\.)")
TYPE_ARGUMENTS = re.compile(r"`\d+|\[[^\]]*\]|<[^<>]*>")


def frames_of(question: str) -> tuple[str, ...]:
    """Return the methods that the frames of a stack trace name, `Shop.OrderService.Place`, in order, each once."""
    names = (_written(match["name"]) for match in FRAME.finditer(question[:MAX_TEXT]))
    return tuple(dict.fromkeys(name for name in names if "." in name))[:MAX_FRAMES]


def without_frames(question: str) -> str:
    """Return a question without the frames of a stack trace."""
    return FRAME.sub(" ", question[:MAX_TEXT])


def _written(name: str) -> str:
    """Return a name as code writes it: without type arguments, and the method that an async one was made of."""
    plain = ASYNC.sub(r".\1", CLOSURE.sub("", name.replace("+", ".")))
    return TYPE_ARGUMENTS.sub("", plain).removesuffix("..ctor").strip(".")
