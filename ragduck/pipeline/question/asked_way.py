"""Questions for the way between two things: how does a page reach a table, follow an order from here to there."""

from __future__ import annotations

import re

from ragduck.pipeline.question.words import MAX_TEXT, is_common

NAME = r"[\"'`\[]?(?P<{}>[A-Za-z_][\w.]{{0,200}}\w)[\"'`\]]?"
KIND = (
    r"(?:the )?(?:(?:table|view|procedure|class|interface|page|component|controller|action|method|service|job)"
    r" )?"
)
BEGIN, END = KIND + NAME.format("begin"), KIND + NAME.format("end")
REACHES = (
    r"(?:reach(?:es)?|get to|gets to|end up (?:in|at)|ends up (?:in|at)|lead to|leads to|write to|access)"
)
RULES = tuple(
    re.compile(rule, re.IGNORECASE)
    for rule in (
        rf"\bhow (?:does|do|can|could|is|are) {BEGIN} {REACHES} {END}",
        rf"\b(?:path|way|route|chain|flow|follow\w*|trace\w*|goes?|leads?)\b[^.?!]{{0,80}}?\bfrom {BEGIN} to {END}",
        rf"\bhow (?:is|are) {BEGIN} (?:tied|connected|linked|related) (?:to|with) {END}",
    )
)


def asked_way(question: str) -> tuple[str, str] | None:
    """Return the names of the two things that a question asks the way between; None where it asks for none."""
    text = " ".join(question[:MAX_TEXT].split())
    for rule in RULES:
        found = rule.search(text)
        if found and not any(is_common(found[end].lower()) for end in ("begin", "end")):
            return found["begin"], found["end"]
    return None
