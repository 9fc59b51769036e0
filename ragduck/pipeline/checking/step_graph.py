"""The graph that steps make: where each may lead, what is reached, and which loops nothing ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ragduck.pipeline.checking.parameter_checks import find_parameter
from ragduck.pipeline.definition import Pipeline, Step
from ragduck.pipeline.registry import Action, find_action

DENIAL = "on_deny"  # where a guard leads for good once its limit is reached
Graph = Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class Branch:
    """One way out of a step: ``key`` is where it is written, such as `next` or `routes.answer.next`."""

    key: str
    target: str

    @property
    def label(self) -> str:
        """Name the branch as people do: `ok` for on_ok, `answer` for a route; empty for `next`."""
        if self.key.startswith("routes."):
            return self.key.removeprefix("routes.").removesuffix(".next")
        return "" if self.key == "next" else self.key.removeprefix("on_")


def branches_of(step: Step) -> list[Branch]:
    """Return every way out that is written in a step, `next` last: it is taken when no other is."""
    action = find_action(step.action)
    found = [
        branch
        for key, value in step.parameters.items()
        if key != "next"
        for branch in _branches(key, value, kind=_kind(action, key))
    ]
    found += _branches("next", step.parameters.get("next"), kind="step")
    return found


def is_end(step: Step) -> bool:
    """Whether the run ends after the step."""
    return step.parameters.get("end") is True


def is_guard(step: Step) -> bool:
    """Whether the step bounds the loops through it."""
    action = find_action(step.action)
    return action is not None and action.is_guard


def unreachable(pipeline: Pipeline, *, entry: str) -> list[Step]:
    """Return the steps that no run can come to, in their order."""
    seen = {entry} & pipeline.steps.keys()
    waiting = list(seen)
    while waiting:
        for branch in _ways_on(pipeline.steps[waiting.pop()]):
            if branch.target in pipeline.steps and branch.target not in seen:
                seen.add(branch.target)
                waiting.append(branch.target)
    return [step for step_id, step in pipeline.steps.items() if step_id not in seen]


def endless_loops(pipeline: Pipeline) -> list[list[str]]:
    """Return one loop for each set of steps that a run might never leave.

    A guard lets a run pass a few times only; what it leads to when it denies, it may lead to for ever.
    """
    graph = {step_id: _kept(step, pipeline) for step_id, step in pipeline.steps.items()}
    return [
        _loop_in(graph, members)
        for members in _components(graph)
        if len(members) > 1 or members[0] in graph[members[0]]
    ]


def _kept(step: Step, pipeline: Pipeline) -> list[str]:
    ways = _ways_on(step)
    if is_guard(step):
        ways = [branch for branch in ways if branch.key == DENIAL]
    return [branch.target for branch in ways if branch.target in pipeline.steps]


def _ways_on(step: Step) -> list[Branch]:
    return [] if is_end(step) else branches_of(step)


def _kind(action: Action | None, key: str) -> str:
    parameter = find_parameter(action.all_parameters, key) if action is not None else None
    if parameter is not None:
        return parameter.kind
    return "step" if key.startswith("on_") else "routes" if key == "routes" else "any"


def _branches(key: str, value: Any, *, kind: str) -> Iterator[Branch]:
    if kind == "step" and isinstance(value, str) and value:
        yield Branch(key, value)
    elif kind == "routes" and isinstance(value, Mapping):
        for name, route in value.items():
            is_short = isinstance(route, str)
            yield from _branches(
                f"{key}.{name}" if is_short else f"{key}.{name}.next",
                route if is_short else _next_of(route),
                kind="step",
            )
    elif kind == "rules" and isinstance(value, list | tuple):
        for number, rule in enumerate(value):
            yield from _branches(f"{key}.{number}.next", _next_of(rule), kind="step")


def _next_of(value: Any) -> Any:
    return value.get("next") if isinstance(value, Mapping) else None


def _components(graph: Graph) -> list[list[str]]:
    """Return the strongly connected components, each in the order of the steps.

    R. Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972, without recursion.
    """
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: dict[str, None] = {}
    found: list[list[str]] = []
    places = {step_id: place for place, step_id in enumerate(graph)}
    for root in graph:
        work = [] if root in order else [(root, iter(graph[root]))]
        while work:
            node, targets = work[-1]
            if node not in order:
                order[node] = low[node] = len(order)
                stack[node] = None
            target = next(targets, None)
            if target is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    found.append(sorted(_popped(stack, node), key=places.__getitem__))
            elif target not in order:
                work.append((target, iter(graph[target])))
            elif target in stack:
                low[node] = min(low[node], order[target])
    return sorted(found, key=lambda members: places[members[0]])


def _popped(stack: dict[str, None], until: str) -> Iterable[str]:
    while True:
        node, _ = stack.popitem()
        yield node
        if node == until:
            return


def _loop_in(graph: Graph, members: list[str]) -> list[str]:
    """Return a shortest loop through the first of the members, which it begins and ends with."""
    start, inside = members[0], set(members)
    before: dict[str, str] = {}
    waiting = [start]
    for node in waiting:
        for target in graph[node]:
            if target == start:
                path = [node]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return [*reversed(path), start]
            if target in inside and target not in before:
                before[target] = node
                waiting.append(target)
    return members
