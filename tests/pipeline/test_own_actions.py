"""Actions of users: one decorator, or an entry point of their package."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ragduck.errors import PipelineError
from ragduck.pipeline import registry
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.registry import action, action_names, find_action

OWN_MODULE = '''
from ragduck.pipeline.registry import action


@action("shout")
def shout(context):
    """Say the question loudly."""
    context.state.answer_en = context.state.question.upper()
'''


@pytest.fixture
def fresh_registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Load the actions of other packages again, and forget them after the test."""
    find_action("loop_guard")
    monkeypatch.setattr(registry, "_ACTIONS", dict(registry._ACTIONS))
    registry._load_all.cache_clear()
    yield
    registry._load_all.cache_clear()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_registry: None) -> Callable[..., None]:
    """Install a package with a module, and an entry point that names it."""

    def install(module: str, text: str, point: str | None = None) -> None:
        info = tmp_path / f"{module}-1.0.dist-info"
        info.mkdir()
        (tmp_path / f"{module}.py").write_text(text, encoding="utf-8")
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", encoding="utf-8"
        )
        (info / "entry_points.txt").write_text(
            f"[ragduck.actions]\n{module} = {point or module}\n", encoding="utf-8"
        )
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, module, raising=False)

    return install


def test_one_decorator_adds_an_action(run: Any, fresh_registry: None) -> None:
    @action(
        "whisper",
        aliases=("murmur",),
        parameters=[Parameter("end_mark", "text", "What comes last.", default="…")],
    )
    def whisper(context: Any) -> None:
        """Say the question softly."""
        context.state.answer_en = context.state.question.lower() + context.parameters["end_mark"]

    ran = run({"id": "a", "action": "murmur"})

    assert ran.state.answer_en == "how are orders placed?…"
    found = find_action("whisper")
    assert found is not None
    assert (found.description, found.aliases) == ("Say the question softly.", ("murmur",))


def test_an_entry_point_adds_the_actions_of_a_package(run: Any, installed: Any) -> None:
    installed("own_actions_package", OWN_MODULE)

    ran = run({"id": "a", "action": "shout"})

    assert ran.state.answer_en == "HOW ARE ORDERS PLACED?"
    assert "shout" in action_names()


@pytest.mark.parametrize(
    ("text", "point", "said"),
    [
        ("raise RuntimeError('no database')", None, "RuntimeError: no database"),
        (
            "import no_such_module_of_ours",
            None,
            "ModuleNotFoundError: No module named 'no_such_module_of_ours'",
        ),
        (OWN_MODULE, "broken_package:missing", "AttributeError"),
        (OWN_MODULE, "nowhere_package", "ModuleNotFoundError"),
    ],
)
def test_a_broken_entry_point_is_named(installed: Any, text: str, point: str | None, said: str) -> None:
    installed("broken_package", text, point)

    with pytest.raises(PipelineError) as caught:
        find_action("shout")

    assert "actions 'broken_package' of package 'broken_package'" in caught.value.message
    assert said in caught.value.message
    assert caught.value.hint == "mend the package, or remove it: pip uninstall broken_package"


def test_a_broken_entry_point_ends_a_run_with_a_trace(run: Any, installed: Any) -> None:
    installed("broken_package", "raise RuntimeError('no database')")

    ran = run({"id": "a", "action": "loop_guard"})

    assert ran.record.status == "failed"
    assert "of package 'broken_package'" in ran.record.error
    assert ran.history.runs == [ran.record]


def test_two_packages_may_not_define_the_same_action(installed: Any) -> None:
    installed("greedy_package", OWN_MODULE.replace('"shout"', '"call_model"'))

    with pytest.raises(
        PipelineError, match=r"'call_model' is defined by .*model_calls and by greedy_package"
    ):
        find_action("call_model")


def test_an_action_has_the_keys_of_every_step() -> None:
    found = find_action("loop_guard")

    assert found is not None
    assert {"next", "end", "timeout_seconds", "on_deny"} <= {
        parameter.name for parameter in found.all_parameters
    }


SEED_003_10_2 = [
    "translate_in_if_needed",
    "load_conversation_history",
    "check_context_budget",
    "call_model",
    "handle_prefix",
    "fetch_more_context",
    "expand_dependency_tree",
    "fetch_node_texts",
    "loop_guard",
    "persist_turn_and_finalize",
    "finalize",
]


@pytest.mark.parametrize("name", SEED_003_10_2)
def test_seed_003_10_2_each_required_action_is_known(name: str) -> None:
    assert find_action(name) is not None


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("handle_prefix", "prefix_router"),
        ("fetch_more_context", "search_nodes"),
        ("check_context_budget", "manage_context_budget"),
        ("persist_turn_and_finalize", "finalize"),
    ],
)
def test_both_naming_schemes_name_the_same_action(name: str, other: str) -> None:
    assert find_action(name) is find_action(other)
