"""Validation after inheritance, rule by rule of seed 003, §10.1 and §11.4."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragduck.errors import PipelineError
from ragduck.pipeline.checking.capability_checks import needs_model
from ragduck.pipeline.checking.findings import Finding, InvalidPipelineError
from ragduck.pipeline.checking.parameter_checks import problems_of
from ragduck.pipeline.checking.step_graph import endless_loops, unreachable
from ragduck.pipeline.checking.validation import check_pipeline, parameters_of, require_valid
from ragduck.pipeline.definition import Pipeline, Place, Step
from ragduck.pipeline.loading.catalog import shipped_pipelines
from ragduck.pipeline.loading.loading import load_pipeline
from ragduck.pipeline.registry import Action, actions
from ragduck.pipeline.settings import SETTINGS

Check = Callable[..., list[Finding]]
END = "  - {id: z, action: set_variables, rules: [], end: true}\n"
GOOD = f"- {{id: a, action: set_variables, rules: [], next: z}}\n{END}"


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., Pipeline]:
    """Load a pipeline of steps written as YAML and further settings; it begins with step a."""

    def loaded(steps: str, *, written: str = "") -> Pipeline:
        path = tmp_path / "p.yaml"
        head = "pipeline:\n  name: p\n  settings:\n    entry_step_id: a\n"
        path.write_text(f"{head}{written}  steps:\n  {steps.strip()}\n", encoding="utf-8")
        return load_pipeline(path)

    return loaded


@pytest.fixture
def check(load: Callable[..., Pipeline], tmp_path: Path) -> Check:
    """Check such a pipeline."""

    def checked(steps: str, *, written: str = "", **known: Any) -> list[Finding]:
        return check_pipeline(load(steps, written=written), **known)

    return checked


def told(findings: list[Finding]) -> list[str]:
    """Return findings as `line:column: severity: message`."""
    return [str(finding).split("p.yaml:", 1)[1] for finding in findings]


def hints(findings: list[Finding]) -> list[str | None]:
    return [finding.hint for finding in findings]


class TestSteps:
    """§10.1 and §11.4: every transition is determined."""

    def test_a_good_pipeline_has_no_findings(self, check: Check) -> None:
        assert check(GOOD) == []

    def test_the_entry_step_must_exist(self, check: Check) -> None:
        found = check(f"- {{id: aa, action: set_variables, rules: [], next: z}}\n{END}")

        assert told(found) == ["4:5: error: entry_step_id leads to 'a', which is no step"]
        assert hints(found) == ["did you mean 'aa'?"]

    def test_the_entry_step_must_be_written(self, tmp_path: Path) -> None:
        path = tmp_path / "p.yaml"
        path.write_text(f"pipeline:\n  name: p\n  steps:\n  {GOOD}")

        found = check_pipeline(load_pipeline(path))

        assert told(found) == ["1:1: error: setting entry_step_id is missing"]
        assert hints(found) == ["add settings: {entry_step_id: a}"]

    def test_a_pipeline_must_have_steps(self, tmp_path: Path) -> None:
        path = tmp_path / "p.yaml"
        path.write_text("pipeline: {name: p}")

        assert "1:1: error: the pipeline has no steps" in told(check_pipeline(load_pipeline(path)))

    def test_every_next_must_exist(self, check: Check) -> None:
        found = check("- {id: a, action: set_variables, rules: [], next: b}")

        assert told(found) == ["6:47: error: next leads to 'b', which is no step"]

    @pytest.mark.parametrize(
        ("keys", "place"),
        [
            ("on_other: zz, routes: {x: z}", "6:36: error: on_other"),
            ("on_other: z, on_more: zz", "6:49: error: on_more"),
            ("on_other: z, routes: {x: zz}", "6:58: error: routes.x"),
            ("on_other: z, routes: {x: {prefix: '[X:]', next: zz}}", "6:78: error: routes.x.next"),
        ],
    )
    def test_every_branch_must_exist(self, check: Check, keys: str, place: str) -> None:
        found = check(f"- {{id: a, action: prefix_router, {keys}}}\n{END}")

        assert f"{place} leads to 'zz', which is no step" in told(found)
        assert "did you mean 'z'?" in hints(found)

    @pytest.mark.parametrize("branch", ["on_allow", "on_deny"])
    def test_every_branch_of_a_guard_must_exist(self, check: Check, branch: str) -> None:
        ways = {"on_allow": "z", "on_deny": "z"} | {branch: "nowhere"}
        keys = ", ".join(f"{name}: {target}" for name, target in ways.items())

        found = check(f"- {{id: a, action: loop_guard, {keys}}}\n{END}")

        assert [finding.message for finding in found] == [f"{branch} leads to 'nowhere', which is no step"]

    def test_a_step_must_lead_somewhere_or_end(self, check: Check) -> None:
        found = check("- {id: a, action: set_variables, rules: []}")

        assert told(found) == ["6:5: error: step 'a' leads nowhere"]
        assert hints(found) == ["add next: STEP, or end: true"]

    def test_a_branch_without_a_target_or_next_is_doubtful(self, check: Check) -> None:
        found = check(f"- {{id: a, action: loop_guard, on_deny: z}}\n{END}")

        assert told(found) == ["6:5: warning: step 'a' has neither on_allow nor next"]

    def test_an_older_name_of_a_branch_is_not_missed(self, check: Check) -> None:
        found = check(f"- {{id: a, action: check_context_budget, on_ok: z, on_over: z}}\n{END}")

        assert found == []

    def test_a_step_that_ends_the_run_leads_nowhere(self, check: Check) -> None:
        found = check(f"- {{id: a, action: set_variables, rules: [], end: true, next: z}}\n{END}")

        assert told(found)[0] == "6:47: warning: step 'a' ends the run; next is never taken"

    def test_unreachable_steps_are_doubtful(self, check: Check) -> None:
        lost = "  - {id: lost, action: set_variables, rules: [], next: more}\n"
        more = "  - {id: more, action: set_variables, rules: [], next: z}\n"

        found = check(GOOD + lost + more)

        assert told(found) == [
            "8:5: warning: step 'lost' is never reached from 'a'",
            "9:5: warning: step 'more' is never reached from 'a'",
        ]

    def test_unreachable_steps_of_a_parent_are_told_in_one(self, load: Any, tmp_path: Path) -> None:
        load(GOOD)
        child = tmp_path / "child.yaml"
        child.write_text(
            "pipeline:\n  name: c\n  extends: p\n  steps:\n  - {id: a, action: set_variables, rules: [], end: true}\n"
        )

        found = check_pipeline(load_pipeline(child))

        assert [finding.message for finding in found] == ["inherited steps are never reached: z"]


class TestLoops:
    """Every loop must pass a guard."""

    def test_a_loop_without_a_guard_is_an_error(self, check: Check) -> None:
        back = "  - {id: b, action: set_variables, rules: [], next: a}"

        found = check(f"- {{id: a, action: set_variables, rules: [], next: b}}\n{back}")

        assert told(found) == ["6:5: error: nothing ends the loop a → b → a"]
        assert hints(found) == ["put a step with action: loop_guard into it"]

    def test_a_step_that_follows_itself_is_a_loop(self, check: Check) -> None:
        assert (
            "nothing ends the loop a → a"
            in check("- {id: a, action: set_variables, rules: [], next: a}")[0].message
        )

    def test_a_guard_ends_a_loop(self, check: Check) -> None:
        guard = "- {id: a, action: loop_guard, on_allow: b, on_deny: z}\n"

        assert check(f"{guard}  - {{id: b, action: set_variables, rules: [], next: a}}\n{END}") == []

    def test_a_guard_that_denies_into_the_loop_ends_nothing(self, check: Check) -> None:
        guard = "- {id: a, action: loop_guard, on_allow: z, on_deny: b}\n"

        found = check(f"{guard}  - {{id: b, action: set_variables, rules: [], next: a}}\n{END}")

        assert told(found) == ["6:5: error: nothing ends the loop a → b → a"]

    def test_an_inner_guard_may_deny_into_an_outer_guarded_loop(self, check: Check) -> None:
        steps = (
            "- {id: a, action: set_variables, rules: [], next: inner}\n"
            "  - {id: inner, action: loop_guard, on_allow: a, on_deny: b}\n"
            "  - {id: b, action: set_variables, rules: [], next: outer}\n"
            "  - {id: outer, action: loop_guard, on_allow: a, on_deny: z}\n"
        )

        assert check(steps + END) == []

    def test_a_ring_beside_a_guarded_loop_is_found(self, check: Check) -> None:
        steps = (
            "- {id: a, action: loop_guard, on_allow: b, on_deny: z}\n"
            "  - {id: b, action: prefix_router, on_other: c, on_more: a}\n"
            "  - {id: c, action: set_variables, rules: [], next: b}\n"
        )

        assert told(check(steps + END)) == ["7:5: error: nothing ends the loop b → c → b"]

    def test_a_thousand_steps_in_a_row_need_no_recursion(self) -> None:
        place = Place("p.yaml", 1, 1)
        steps = {
            f"s{number}": Step(f"s{number}", "set_variables", {"next": f"s{number + 1}"}, place)
            for number in range(20_000)
        }
        ring = steps | {"s20000": Step("s20000", "set_variables", {"next": "s0"}, place)}

        assert endless_loops(Pipeline("p", {}, steps, place)) == []
        assert len(endless_loops(Pipeline("p", {}, ring, place))[0]) == 20_002


class TestKeys:
    """Unknown keys, wrong types, ranges, and what was probably meant."""

    @pytest.mark.parametrize(
        ("written", "message", "hint"),
        [
            ("top_kk: 5", "unknown setting 'top_kk'", "did you mean 'top_k'?"),
            ("top_k: many", "setting top_k: expected a whole number, found the text 'many'", None),
            ("top_k: 1.5", "setting top_k: expected a whole number, found the number 1.5", None),
            ("top_k: true", "setting top_k: expected a whole number, found true", None),
            ("top_k: 0", "setting top_k: 0 is out of range", "write a number from 1 to 1000"),
            (
                "max_history_tokens: 1",
                "setting max_history_tokens: 1 is out of range",
                "write a number at least 50",
            ),
            ("branch: 2025", "setting branch: expected a text, found the number 2025", "put it into quotes"),
            ("filters: [a]", "setting filters: expected a mapping, found a list", None),
            (
                "graph_edge_allowlist: [FK, 5]",
                "setting graph_edge_allowlist: expected a list of texts, found a list with the number 5",
                None,
            ),
            ("merge_steps: dep", "setting merge_steps: 'dep' is none of its values", "did you mean 'deep'?"),
            (
                "merge_steps: xyz",
                "setting merge_steps: 'xyz' is none of its values",
                "choose replace or deep",
            ),
        ],
    )
    def test_settings_are_checked(self, check: Check, written: str, message: str, hint: str | None) -> None:
        found = check(GOOD, written=f"    {written}\n")

        assert told(found) == [f"5:5: error: {message}"]
        assert hint is None or hints(found) == [hint]

    def test_a_setting_left_empty_has_its_default(self, check: Check) -> None:
        assert check(GOOD, written="    top_k:\n    filters: ~\n") == []

    @pytest.mark.parametrize("name", ["behavior_version", "compat_mode", "tenant_id"])
    def test_settings_of_the_older_system_without_effect_are_doubtful(self, check: Check, name: str) -> None:
        assert told(check(GOOD, written=f"    {name}: x\n")) == [
            f"5:5: warning: setting {name} has no effect in ragduck"
        ]

    @pytest.mark.parametrize(
        ("step", "message", "hint"),
        [
            (
                "{id: a, action: loop_gard, next: z}",
                "6:13: error: unknown action 'loop_gard'",
                "did you mean 'loop_guard'?",
            ),
            (
                "{id: a, action: loop_guard, on_alow: z, on_deny: z, next: z}",
                "6:33: error: unknown key 'on_alow' of loop_guard",
                "did you mean 'on_allow'?",
            ),
            (
                "{id: a, action: loop_guard, max_loops: x, on_allow: z, on_deny: z}",
                "6:33: error: max_loops: expected a whole number, found the text 'x'",
                None,
            ),
            (
                "{id: a, action: loop_guard, on_allow: z, next: z}",
                "6:5: error: step 'a' has no on_deny, which loop_guard needs",
                "add on_deny: Step once it is.",
            ),
            (
                "{id: a, action: loop_guard, on_allow: [z], on_deny: z, next: z}",
                "6:33: error: on_allow: expected the id of a step, found a list",
                None,
            ),
            (
                "{id: a, action: set_variables, rules: {a: b}, next: z}",
                "6:36: error: rules: expected a list of mappings, found a mapping",
                None,
            ),
            (
                "{id: a, action: set_variables, rules: [], next: z, end: 5}",
                "6:56: error: end: expected true or false, found the number 5",
                None,
            ),
            (
                "{id: a, action: prefix_router, routes: {b: {prefix: x}}, on_other: z}",
                "6:45: error: routes: route 'b' leads nowhere",
                "add next: STEP to it",
            ),
            (
                "{id: a, action: prefix_router, routes: {b: 5}, on_other: z}",
                "6:45: error: routes: route 'b': expected the id of a step, found the number 5",
                "write b: STEP",
            ),
            (
                "{id: a, action: set_variables, rules: [], next: z, timeout_seconds: -1}",
                "6:56: error: timeout_seconds: -1 is out of range",
                "write a number at least 0",
            ),
        ],
    )
    def test_steps_are_checked(self, check: Check, step: str, message: str, hint: str | None) -> None:
        found = check(f"- {step}\n{END}")

        assert told(found) == [message]
        assert hint is None or hints(found) == [hint]

    def test_a_setting_that_a_step_names_must_exist(self, check: Check) -> None:
        ways = "on_allow: z, on_deny: z"

        found = check(f"- {{id: a, action: loop_guard, max_loops_from_settings: max_loop, {ways}}}\n{END}")

        assert told(found) == ["6:33: error: max_loops_from_settings: there is no setting 'max_loop'"]

    def test_step_keys_of_the_older_system_without_effect_are_doubtful(self, check: Check) -> None:
        found = check(f"- {{id: a, action: set_variables, rules: [], stages_visible: true, next: z}}\n{END}")

        assert told(found) == ["6:47: warning: stages_visible has no effect in ragduck"]

    def test_a_missing_prompt_is_an_error(self, check: Check) -> None:
        found = check(f"- {{id: a, action: call_model, prompt_key: no_such_prompt, next: z}}\n{END}")

        assert told(found) == ["6:33: error: there is no prompt 'no_such_prompt'"]

    def test_prompts_are_found_beside_the_pipeline(self, check: Check, tmp_path: Path) -> None:
        (tmp_path / "own").mkdir()
        (tmp_path / "own" / "mine.md").write_text("Answer.")
        step = f"- {{id: a, action: call_model, prompt_key: mine, next: z}}\n{END}"

        assert check(step, written="    prompts_dir: own\n") == []
        assert "there is no folder" in check(step, written="    prompts_dir: nowhere\n")[0].message

    def test_all_findings_come_together_in_order_of_lines(self, check: Check) -> None:
        steps = "- {id: a, action: nope, next: b}\n  - {id: b, action: loop_guard, nope: 1, next: c}\n"

        found = check(steps, written="    nope: 1\n")

        assert len(found) == 5
        assert [finding.place.line for finding in found] == sorted(finding.place.line for finding in found)

    def test_require_valid_raises_all_errors_and_no_warnings(self, load: Any) -> None:
        loaded = load("- {id: a, action: nope, next: b}", written="    tenant_id: 1\n")

        with pytest.raises(InvalidPipelineError) as caught:
            require_valid(loaded)

        assert [finding.severity for finding in caught.value.findings] == ["error", "error"]
        assert caught.value.message.endswith("unknown action 'nope' (and 1 more)")


class TestModes:
    """Search modes that the pipeline or the store does not have."""

    STEP = f"- {{id: a, action: search_nodes, search_type: semantic, next: z}}\n{END}"

    def test_a_mode_outside_of_retrieval_modes_is_an_error(self, check: Check) -> None:
        written = "    retrieval_modes: [bm25, hybrid]\n"

        found = check(self.STEP, written=written)

        assert "7:35: error: mode semantic is not in the setting retrieval_modes" in told(found)

    def test_an_unknown_mode_is_an_error(self, check: Check) -> None:
        found = check(GOOD, written="    retrieval_modes: [hybrd, hybrid]\n")

        assert told(found) == ["5:5: error: setting retrieval_modes: unknown mode 'hybrd'"]
        assert hints(found) == ["did you mean 'hybrid'?"]

    @pytest.mark.parametrize(("policy", "severity"), [("fall_back", "warning"), ("fail", "error")])
    def test_a_mode_that_the_store_lacks_is_told(self, check: Check, policy: str, severity: str) -> None:
        found = check(self.STEP, written=f"    on_missing_mode: {policy}\n", store_modes=("bm25",))

        assert f"7:35: {severity}: the store cannot search with semantic, only with bm25" in told(found)

    def test_nothing_is_said_of_modes_that_the_store_has(self, check: Check) -> None:
        modes = ("bm25", "hybrid")

        assert check(GOOD, written="    default_search_method: bm25\n", store_modes=modes) == []


class TestModels:
    """Steps that need a language model."""

    STEP = f"- {{id: a, action: call_model, prompt_key: answer, next: z}}\n{END}"

    def test_a_step_that_needs_a_model_is_an_error_without_one(self, check: Check) -> None:
        found = check(self.STEP, has_model=False)

        assert "6:5: error: step 'a' asks a language model, and none is configured" in told(found)

    @pytest.mark.parametrize("has_model", [True, None])
    def test_nothing_is_said_of_models_otherwise(self, check: Check, has_model: bool | None) -> None:
        assert not any("asks" in finding.message for finding in check(self.STEP, has_model=has_model))

    def test_a_step_that_is_never_reached_needs_no_model(self, load: Any) -> None:
        loaded = load(GOOD + "  - {id: lost, action: call_model, prompt_key: answer, next: z}\n")

        assert not needs_model(loaded)


class TestParameters:
    """What an action is given."""

    def test_defaults_are_filled_in(self, load: Any) -> None:
        step = load(f"- {{id: a, action: call_model, prompt_key: x, next: z}}\n{END}").steps["a"]

        given = parameters_of(step)

        assert (given["prompt_key"], given["use_history"], given["end"]) == ("x", False, False)
        assert given["temperature"] is None

    def test_an_empty_value_has_the_default(self, load: Any) -> None:
        step = load(f"- {{id: a, action: call_model, prompt_key: x, use_history: , next: z}}\n{END}").steps[
            "a"
        ]

        assert parameters_of(step)["use_history"] is False

    def test_wildcards_are_given_as_they_are_written(self, load: Any) -> None:
        step = load(f"- {{id: a, action: prefix_router, on_more: z, on_other: z}}\n{END}").steps["a"]

        given = parameters_of(step)

        assert given["on_more"] == "z"
        assert "on_*" not in given


@pytest.mark.parametrize("path", shipped_pipelines(), ids=lambda path: path.stem)
def test_shipped_pipelines_have_no_errors(path: Path) -> None:
    findings = check_pipeline(load_pipeline(path))

    assert [str(finding) for finding in findings if finding.severity == "error"] == []


@pytest.mark.parametrize("path", shipped_pipelines(), ids=lambda path: path.stem)
def test_shipped_pipelines_are_named_as_their_files(path: Path) -> None:
    assert load_pipeline(path).name == path.stem


@pytest.mark.parametrize("action", [*actions()], ids=lambda action: action.name)
def test_defaults_of_actions_pass_the_checks_of_their_parameters(action: Action) -> None:
    wrong = {each.name: list(problems_of(each, each.default)) for each in (*action.all_parameters, *SETTINGS)}

    assert not any(wrong.values())


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdef"), max_size=3), min_size=1)
)
def test_reach_and_loops_agree_with_a_plain_search(graph: dict[str, list[str]]) -> None:
    place = Place("p.yaml", 1, 1)
    steps = {
        key: Step(
            key, "set_variables", {f"on_{number}": target for number, target in enumerate(targets)}, place
        )
        for key, targets in graph.items()
    }
    pipeline = Pipeline("p", {}, steps, place)
    reached = {key: _reached(graph, key) for key in graph}
    entry = next(iter(graph))

    looping = {key for key in graph if key in reached[key]}
    found = endless_loops(pipeline)

    assert {step.id for step in unreachable(pipeline, entry=entry)} == graph.keys() - reached[entry] - {entry}
    assert bool(found) == bool(looping)
    assert all(b in graph[a] for loop in found for a, b in pairwise(loop))
    assert {
        frozenset(key for key in looping if loop[0] in reached[key] and key in reached[loop[0]])
        for loop in found
    } == {
        frozenset(other for other in looping if other in reached[key] and key in reached[other])
        for key in looping
    }


def _reached(graph: dict[str, list[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        node = waiting.pop()
        if node in graph and node not in seen:
            seen.add(node)
            waiting += graph[node]
    return seen


@pytest.mark.parametrize(
    ("step", "count"),
    [
        ("  - {{id: s{0}, action: set_variables, next: t{0}}}\n", 2_400),
        ("  - {{id: s{0}, action: nope{0}, next: s{0}}}\n", 2_400),
        ("  - {{id: s{0}, action: call_model, tempreature{0}: 1}}\n", 2_400),
    ],
    ids=["targets", "actions", "keys"],
)
def test_thousands_of_mistakes_are_found_quickly(load: Any, step: str, count: int) -> None:
    loaded = load("\n" + "".join(step.format(number) for number in range(count)))
    began = time.perf_counter()

    findings = check_pipeline(loaded)

    assert len(findings) > count
    assert time.perf_counter() - began < 20


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["a", "b", "", "deep", "hybrid", "base", "x.yaml"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["next", "prefix", "set", "a", ""]), inner, max_size=3)
    ),
    max_leaves=6,
)
STEP_KEYS = st.sampled_from(
    ["id", "action", "next", "end", "on_ok", "on_deny", "routes", "rules", "search_type", "prompt_key"]
)
SETTING_KEYS = st.sampled_from([each.name for each in SETTINGS] + ["nope", "compat_mode", "active_index"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "id": st.sampled_from("abc") | VALUES,
                "action": st.sampled_from([*(each.name for each in actions()), "nope"]) | VALUES,
            }
        ).flatmap(lambda step: st.dictionaries(STEP_KEYS, VALUES, max_size=4).map(lambda more: more | step)),
        max_size=3,
    ),
    st.dictionaries(SETTING_KEYS, VALUES, max_size=4),
    st.dictionaries(
        st.sampled_from(["name", "extends", "description", "steps", "settings", "x"]), VALUES, max_size=2
    ),
)
def test_whatever_is_written_is_found_or_refused_but_never_a_traceback(
    tmp_path: Path, steps: list[Any], own: dict[str, Any], keys: dict[str, Any]
) -> None:
    path = tmp_path / "fuzz.yaml"
    pipeline = {"name": "p", "settings": {"entry_step_id": "a"} | own, "steps": steps} | keys
    path.write_text(json.dumps({"pipeline": pipeline}))
    findings: list[Finding] = []
    with suppress(PipelineError):
        findings = check_pipeline(load_pipeline(path), store_modes=("bm25",), has_model=False)

    assert all(finding.message and finding.place.line for finding in findings)
