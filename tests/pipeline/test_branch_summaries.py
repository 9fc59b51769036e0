"""A summary of evidence of two branches keeps apart what is from which."""

from __future__ import annotations

from ragduck.pipeline.answering.summaries import with_sources
from ragduck.pipeline.state import Citation

PLACE = "procs/o.sql:1-9"
MAIN, DEVELOP = (
    Citation(number, "dbo.O|PROC", PLACE, "shop", branch) for number, branch in ((2, "main"), (5, "develop"))
)


def test_sources_of_two_branches_are_listed_with_their_branch() -> None:
    text = with_sources(f"dbo.O|PROC ({PLACE}) changed [2][5].", [MAIN, DEVELOP])

    assert f"[2] dbo.O|PROC ({PLACE}, main)" in text
    assert f"[5] dbo.O|PROC ({PLACE}, develop)" in text


def test_a_summary_of_one_branch_that_names_its_sources_needs_no_list() -> None:
    summary = f"dbo.O|PROC ({PLACE}) writes [2]."

    assert with_sources(summary, [MAIN]) == summary
