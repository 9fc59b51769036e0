"""Guards: how often a run may come by, and whether a search would only repeat another one."""

from __future__ import annotations

import re

from ragduck.errors import PipelineError
from ragduck.pipeline.context import StepContext
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.registry import action
from ragduck.pipeline.state import RetrievalPlan

_words = re.compile(r"\w+")


@action(
    "loop_guard",
    parameters=(
        Parameter("on_allow", "step", "Step while the limit is not reached."),
        Parameter("on_deny", "step", "Step once it is.", required=True),
        Parameter("max_loops", "integer", "How often the run may come by.", low=0, high=100),
        Parameter("max_loops_from_settings", "text", "Setting that says how often; max_turn_loops if empty."),
        Parameter("max_turn_loops_from_settings", "any", "Accepted without effect: it is the default."),
    ),
    is_guard=True,
)
def loop_guard(context: StepContext) -> str:
    """Let a run come by a limited number of times, counted for each guard on its own."""
    counters = context.state.counters
    count = counters.get(context.step.id, 0) + 1
    counters[context.step.id] = count
    limit = _limit(context)
    context.note(f"time {count} of at most {limit}")
    return context.branch("on_deny" if count > limit else "on_allow")


@action(
    "repeat_query_guard",
    parameters=(
        Parameter("on_ok", "step", "Step when the query is a new one."),
        Parameter(
            "on_repeat", "step", "Step when the run has searched for it in the same mode.", required=True
        ),
        Parameter("query_parser", "text", "Accepted without effect: the query is that of the plan."),
    ),
)
def repeat_query_guard(context: StepContext) -> str:
    """Tell whether the next search has been run before, whatever its capital letters, blanks and marks."""
    state = context.state
    plan = state.plan or RetrievalPlan(context.settings["default_search_method"], state.question_en)
    context.reads("query", plan.query)
    context.reads("mode", plan.mode)
    repeated = any(_same(plan, earlier) for earlier in state.queries)
    if repeated:
        context.note("the run has searched for this before")
    return context.branch("on_repeat" if repeated else "on_ok")


def _limit(context: StepContext) -> int:
    own = context.parameters.get("max_loops")
    if own is not None:
        return int(own)
    setting = str(context.parameters.get("max_loops_from_settings") or "max_turn_loops")
    value = context.settings.get(setting)
    if isinstance(value, bool) or not isinstance(value, int):
        raise PipelineError(
            f"setting {setting!r} is no whole number", hint=f"write {setting}: 2 under settings"
        )
    return value


def _same(plan: RetrievalPlan, other: RetrievalPlan) -> bool:
    return plan.mode == other.mode and _normal(plan.query) == _normal(other.query)


def _normal(query: str) -> list[str]:
    return _words.findall(query.casefold()) or [query.strip()]
