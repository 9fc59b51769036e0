"""The actions that a step may name, and how a user adds one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from ragduck.errors import PipelineError
from ragduck.pipeline.parameters import Parameter

if TYPE_CHECKING:
    from ragduck.pipeline.context import StepContext

ActionFunction = Callable[["StepContext"], "str | None"]

ENTRY_POINTS = "ragduck.actions"  # group under which other packages name modules that hold actions
COMMON = (
    Parameter("next", "step", "Step that follows unless the action branches."),
    Parameter("end", "boolean", "Whether the run ends after this step.", default=False),
    Parameter("description", "text", "What the step is for, for readers."),
    Parameter("timeout_seconds", "number", "How long the step may take.", low=0),
)


@dataclass(frozen=True, slots=True)
class Action:
    """An action: its function, parameters and what the checks must know of it.

    ``is_guard`` says that it bounds loops through it. ``needs_model`` says that it cannot work without a language
    model.
    """

    name: str
    run: ActionFunction
    description: str
    parameters: tuple[Parameter, ...] = ()
    aliases: tuple[str, ...] = ()
    is_guard: bool = False
    needs_model: bool = False

    @property
    def all_parameters(self) -> tuple[Parameter, ...]:
        """Return the action's own parameters and those of every step."""
        return (*self.parameters, *COMMON)


_ACTIONS: dict[str, Action] = {}


def action(
    name: str,
    *,
    parameters: Sequence[Parameter] = (),
    aliases: Sequence[str] = (),
    is_guard: bool = False,
    needs_model: bool = False,
) -> Callable[[ActionFunction], ActionFunction]:
    """Register a function as an action under a name and its aliases; its docstring's first line describes it.

    The function is given a StepContext, reads and changes its `state`, and returns the id of the next step, as
    `context.branch("on_ok")` does, or None to go to `next`.
    """

    def register(function: ActionFunction) -> ActionFunction:
        description = (function.__doc__ or name).strip().split("\n", 1)[0]
        made = Action(
            name,
            function,
            description,
            tuple(parameters),
            tuple(aliases),
            is_guard=is_guard,
            needs_model=needs_model,
        )
        for known in (name, *aliases):
            other = _ACTIONS.get(known)
            if other is not None and other.run.__module__ != function.__module__:
                raise PipelineError(
                    f"action {known!r} is defined by {other.run.__module__} and by {function.__module__}",
                    hint="give one of them another name",
                )
            _ACTIONS[known] = made
        return function

    return register


def find_action(name: str) -> Action | None:
    """Return the action of that name or alias."""
    _load_all()
    return _ACTIONS.get(name)


def actions() -> Iterator[Action]:
    """Yield every action once, in order of names."""
    _load_all()
    seen: set[str] = set()
    for known in sorted(_ACTIONS):
        found = _ACTIONS[known]
        if found.name not in seen:
            seen.add(found.name)
            yield found


def action_names() -> list[str]:
    """Return all names and aliases, sorted."""
    _load_all()
    return sorted(_ACTIONS)


@cache
def _load_all() -> None:
    """Import ragduck's own actions, then those of other packages."""
    import_module("ragduck.pipeline.actions")
    for point in entry_points(group=ENTRY_POINTS):
        _load(point)


def _load(point: EntryPoint) -> None:
    """Import what an entry point names; another package's mistake is told as such."""
    try:
        point.load()
    except Exception as error:
        package = point.dist.name if point.dist else "unknown"
        raise PipelineError(
            f"the actions {point.name!r} of package {package!r} ({point.value}) cannot be loaded: "
            f"{type(error).__name__}: {error}",
            hint=f"mend the package, or remove it: pip uninstall {package}",
        ) from error
