"""Read what the model answered and go where it leads: prefixes as seed 003 has them, or a decision in JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from ragduck.errors import PipelineError
from ragduck.pipeline.context import StepContext
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.prompting.protocol import (
    ANSWER_PREFIXES,
    PREFIX_SHAPE,
    ROUTER_PREFIXES,
    Reply,
    parse_decision,
    parse_prefix,
)
from ragduck.pipeline.registry import action
from ragduck.pipeline.running.payload import plan_of
from ragduck.pipeline.state import RetrievalPlan, SearchMode

BRANCH = "on_"
OTHER = "on_other"
DECISION_KEYS = ("decision", "route", "mode")
MAX_QUERY = 2_000  # characters; what is longer is no query
KIND_OF = {prefix: kind for kind, prefix in {**ROUTER_PREFIXES, **ANSWER_PREFIXES}.items()}


@dataclass(frozen=True, slots=True)
class Route:
    """A prefix, the step that it leads to, and what it means: a kind of seed 003, or one of the user's own."""

    kind: str
    prefix: str
    step_id: str | None


@action(
    "prefix_router",
    aliases=("handle_prefix",),
    parameters=(
        Parameter("routes", "routes", "By kind, the step, or `prefix` and `next`."),
        Parameter("on_other", "step", "Step when the reply breaks the protocol.", required=True),
        Parameter("on_*", "step", "Step of a kind, as `routes` has them: on_semantic, on_answer."),
    ),
)
def prefix_router(context: StepContext) -> str:
    """Go where the one prefix of the reply leads; a reply that breaks the protocol is never shown."""
    routes = _routes(context.parameters)
    reply = _reply(context.state.last_model_response, routes)
    breach = reply.breach or _breach(reply, routes)
    context.reads("reply", context.state.last_model_response)
    if reply.kind is None or breach:
        context.state.last_prefix = None
        context.note(f"the reply breaks the protocol: {breach}")
        return context.branch(OTHER)
    route = routes[reply.kind]
    context.state.last_prefix = route.prefix
    context.state.last_model_response = reply.text
    _take(context, route.kind, reply.text)
    return _go(context, reply.kind, route.step_id)


@action(
    "json_decision_router",
    parameters=(
        Parameter("routes", "routes", "By decision, the step.", required=True),
        Parameter("on_other", "step", "Step when there is no decision, or an unknown one.", required=True),
    ),
)
def json_decision_router(context: StepContext) -> str:
    """Go where `decision` of the JSON object in the reply leads, and search for what its `query` says."""
    context.reads("reply", context.state.last_model_response)
    payload = parse_decision(context.state.last_model_response)
    routes = {str(name).casefold(): target for name, target in context.parameters["routes"].items()}
    decision = _decision(payload or {})
    context.state.last_prefix = None
    if payload is None or decision not in routes:
        said = "no JSON object of its own" if payload is None else f"the decision {decision[:100]!r}"
        context.note(f"the reply has {said}; known: {', '.join(routes)}")
        return context.branch(OTHER)
    plan, notes = plan_of(payload, context.settings, question=context.state.question_en)
    for note in notes:
        context.note(note)
    context.state.plan = plan or context.state.plan
    return _go(context, decision, _target(routes[decision]))


def _routes(parameters: Mapping[str, Any]) -> dict[str, Route]:
    """Return the routes by kind: those of `routes`, and of each `on_KIND`."""
    written = dict(parameters.get("routes") or {})
    for name, target in parameters.items():
        if name.startswith(BRANCH) and name != OTHER and target:
            written.setdefault(name.removeprefix(BRANCH), target)
    if not written:
        raise PipelineError("prefix_router has no routes", hint="add routes: {answer: STEP}")
    return {str(kind): _route(str(kind), target) for kind, target in written.items()}


def _route(kind: str, target: Any) -> Route:
    known = {**ROUTER_PREFIXES, **ANSWER_PREFIXES}
    prefix = target.get("prefix") if isinstance(target, Mapping) else None
    prefix = prefix or known.get(kind)
    if not isinstance(prefix, str) or not PREFIX_SHAPE.fullmatch(prefix):
        raise PipelineError(
            f"route {kind!r} has {f'the prefix {prefix!r}' if prefix else 'no prefix'}",
            hint=f'write {kind}: {{prefix: "[{kind.upper()}:]", next: STEP}}, or one of {", ".join(known)}',
        )
    return Route(KIND_OF.get(prefix, kind), prefix, _target(target))


def _target(target: Any) -> str | None:
    found = target.get("next") if isinstance(target, Mapping) else target
    return str(found) if found else None


def _go(context: StepContext, kind: str, step_id: str | None) -> str:
    following = step_id or context.parameters.get("next")
    if not following:
        raise PipelineError(f"route {kind!r} leads nowhere", hint=f"write {kind}: {{next: STEP}}")
    context.decision = kind
    return str(following)


def _reply(response: str, routes: Mapping[str, Route]) -> Reply:
    """Read a response: one line under a prefix of the router, any number under the others."""
    prefixes = {name: route.prefix for name, route in routes.items()}
    reply = parse_prefix(response, prefixes)
    is_plan = reply.kind is not None and routes[reply.kind].kind in ROUTER_PREFIXES
    return parse_prefix(response, prefixes, one_line=True) if is_plan else reply


def _breach(reply: Reply, routes: Mapping[str, Route]) -> str | None:
    """Say what is wrong with a reply that is well formed."""
    kind = routes[reply.kind].kind if reply.kind else ""
    if kind == "answer" and not reply.text:
        return "it answers with nothing"
    if kind in ROUTER_PREFIXES or kind == "requesting_data":
        return f"its query has {len(reply.text):,} characters" if len(reply.text) > MAX_QUERY else None
    return None


def _take(context: StepContext, kind: str, text: str) -> None:
    """Put what a prefix of seed 003 means into the state."""
    state = context.state
    if kind == "answer":
        state.answer_en = text
    elif kind == "direct":
        state.plan = RetrievalPlan("direct", text or state.question_en)
    elif kind in ROUTER_PREFIXES:
        state.plan = RetrievalPlan(cast(SearchMode, kind), _query(context, text))
    elif kind == "requesting_data":
        state.plan = RetrievalPlan(context.settings["default_search_method"], _query(context, text))


def _query(context: StepContext, text: str) -> str:
    query = " ".join(text.split())
    if query:
        return query
    context.note("the prefix has no query: the question itself is searched for")
    return context.state.question_en or context.state.question


def _decision(payload: Mapping[str, Any]) -> str:
    for key in DECISION_KEYS:
        if isinstance(payload.get(key), str):
            return str(payload[key]).strip().casefold()
    return ""
