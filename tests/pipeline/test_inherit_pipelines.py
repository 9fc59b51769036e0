"""Inheritance, rule by rule of seed 003, §11."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ragduck.errors import PipelineError
from ragduck.pipeline.definition import Pipeline, Place, Step
from ragduck.pipeline.loading.catalog import find_pipeline, shipped_pipelines
from ragduck.pipeline.loading.loading import load_pipeline
from ragduck.pipeline.loading.merging import in_order, merge_steps, merge_values
from ragduck.pipeline.loading.yaml_document import plain, value_of
from ragduck.pipeline.loading.yaml_writing import pipeline_yaml

NOWHERE = Place("here", 1, 1)
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file with one pipeline; ``steps`` are ids with their other keys."""

    def written(name: str, *, folder: str = "", root: str = "pipeline", **keys: Any) -> Path:
        if "steps" in keys:
            keys["steps"] = [{"id": each, **rest} for each, rest in keys["steps"].items()]
        path = tmp_path / folder / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(yaml.safe_dump({root: {"name": name, **keys}}, sort_keys=False), encoding="utf-8")
        return path

    return written


def refusal_of(path: Path | str) -> PipelineError:
    with pytest.raises(PipelineError) as caught:
        load_pipeline(path)
    return caught.value


def test_the_example_of_the_seed_inherits_all_but_what_it_changes(write: Write) -> None:
    """§11.1."""
    write(
        "rejewski_code_analysis_base",
        settings={"entry_step_id": "a", "top_k": 3},
        steps={"a": {"action": "x"}},
    )
    own = {"repository": "nopCommerce", "active_index": "2025-12-14_develop"}

    name = "rejewski_code_analysis_nopCommerce_develop"
    loaded = load_pipeline(write(name, extends="rejewski_code_analysis_base", settings=own))

    assert (loaded.name, loaded.entry_step_id, list(loaded.steps)) == (name, "a", ["a"])
    assert loaded.settings == {
        "entry_step_id": "a", "top_k": 3, "repository": "nopCommerce", "branch": "2025-12-14_develop",
    }  # fmt: skip


class TestSettingsMerge:
    """§11.2 A."""

    def test_a_key_of_the_parent_alone_stays(self, write: Write) -> None:
        write("root", settings={"top_k": 5})

        assert load_pipeline(write("child", extends="root")).settings == {"top_k": 5}

    def test_a_key_of_the_child_overrides_the_parents(self, write: Write) -> None:
        write("root", settings={"top_k": 5, "repository": "a"})

        loaded = load_pipeline(write("child", extends="root", settings={"top_k": 7}))

        assert loaded.settings == {"top_k": 7, "repository": "a"}

    def test_nested_dictionaries_are_merged_recursively(self, write: Write) -> None:
        write("root", settings={"variables": {"a": {"b": 1, "c": 2}, "d": 3}})

        loaded = load_pipeline(write("child", extends="root", settings={"variables": {"a": {"b": 9}}}))

        assert loaded.settings["variables"] == {"a": {"b": 9, "c": 2}, "d": 3}

    def test_lists_are_replaced(self, write: Write) -> None:
        write("root", settings={"graph_edge_allowlist": ["Calls", "FK"]})

        loaded = load_pipeline(write("child", extends="root", settings={"graph_edge_allowlist": ["Uses"]}))

        assert loaded.settings["graph_edge_allowlist"] == ["Uses"]

    def test_a_new_name_of_a_setting_overrides_the_old_name_in_the_parent(self, write: Write) -> None:
        write("root", settings={"branch": "main", "top_k": 5})

        loaded = load_pipeline(write("child", extends="root", settings={"active_index": "develop"}))

        assert loaded.settings == {"branch": "develop", "top_k": 5}

    def test_two_names_of_one_setting_may_not_differ(self, write: Write) -> None:
        error = refusal_of(write("p", settings={"branch": "a", "active_index": "b"}))

        assert "active_index and another name of branch differ" in error.message

    def test_overrides_win_over_every_file(self, write: Write) -> None:
        write("root", settings={"top_k": 5, "filters": {"kind": ["PROC"]}})
        child = write("child", extends="root", settings={"top_k": 7})

        loaded = load_pipeline(child, overrides={"top_k": 9, "filters": {"repo": ["x"]}, "active_index": "b"})

        assert loaded.settings == {"top_k": 9, "filters": {"kind": ["PROC"], "repo": ["x"]}, "branch": "b"}


class TestStepsMerge:
    """§11.2 B."""

    def test_a_step_with_a_new_id_is_added_after_those_of_the_parent(self, write: Write) -> None:
        write("root", steps={"b": {"action": "x"}, "a": {"action": "x"}})

        loaded = load_pipeline(
            write("child", extends="root", steps={"0": {"action": "y"}, "a": {"action": "y"}})
        )

        assert [(step.id, step.action) for step in loaded.steps.values()] == [
            ("b", "x"),
            ("a", "y"),
            ("0", "y"),
        ]

    def test_a_step_of_the_same_id_replaces_the_parents(self, write: Write) -> None:
        write("root", steps={"a": {"action": "x", "next": "b", "top_k": 3}})

        loaded = load_pipeline(write("child", extends="root", steps={"a": {"action": "x", "next": "c"}}))

        assert loaded.steps["a"].parameters == {"next": "c"}

    @pytest.mark.parametrize("level", ["root", "child"])
    def test_merge_steps_deep_merges_it_instead(self, write: Write, level: str) -> None:
        deep = {"merge_steps": "deep"}
        route = {"action": "x", "routes": {"a": {"prefix": "[A:]", "next": "b"}}, "next": "b"}
        write("root", settings=deep if level == "root" else {}, steps={"a": route})
        changed = {"a": {"routes": {"a": {"next": "c"}}}}

        loaded = load_pipeline(
            write("child", extends="root", settings=deep if level == "child" else {}, steps=changed)
        )

        assert loaded.steps["a"].action == "x"
        assert loaded.steps["a"].parameters == {"routes": {"a": {"prefix": "[A:]", "next": "c"}}, "next": "b"}

    def test_a_replacing_step_needs_an_action_of_its_own(self, write: Write) -> None:
        write("root", steps={"a": {"action": "x"}})

        error = refusal_of(write("child", extends="root", steps={"a": {"next": "b"}}))

        assert error.message.endswith("child.yaml:5:5: step 'a' has no action")

    def test_places_are_those_of_the_file_that_wrote_the_step(self, write: Write) -> None:
        write("root", settings={"top_k": 1}, steps={"a": {"action": "x"}, "b": {"action": "x"}})
        child = write("child", extends="root", steps={"b": {"action": "y"}})

        loaded = load_pipeline(child)

        assert Path(loaded.steps["a"].place.file).name == "root.yaml"
        assert Path(loaded.steps["b"].places["action"].file).name == "child.yaml"
        assert Path(loaded.setting_places["top_k"].file).name == "root.yaml"


class TestEntryStep:
    """§11.2 C."""

    def test_the_entry_is_that_of_the_settings_after_the_merge(self, write: Write) -> None:
        write("root", settings={"entry_step_id": "a"}, steps={"a": {"action": "x"}, "b": {"action": "x"}})

        loaded = load_pipeline(write("child", extends="root", settings={"entry_step_id": "b"}))

        assert loaded.entry_step_id == "b"


class TestSeveralLevels:
    """§11.3."""

    def test_levels_are_merged_from_the_root_parent_to_the_child(self, write: Write) -> None:
        write("root", settings={"top_k": 1, "repository": "r", "branch": "r"})
        write("middle", extends="root", settings={"top_k": 2, "repository": "m"})

        loaded = load_pipeline(write("child", extends="middle", settings={"top_k": 3}))

        assert loaded.settings == {"top_k": 3, "repository": "m", "branch": "r"}
        assert [Path(file).stem for file in loaded.origins] == ["root", "middle", "child"]

    def test_the_name_of_the_child_is_kept(self, write: Write) -> None:
        write("root", description="parent's")

        loaded = load_pipeline(write("child", extends="root"))

        assert (loaded.name, loaded.description) == ("child", "parent's")

    def test_a_cycle_is_refused_and_shown(self, write: Write) -> None:
        write("a", extends="b")
        write("b", extends="c")

        error = refusal_of(write("c", extends="a"))

        assert error.message.endswith("extends itself: c.yaml#c → a.yaml#a → b.yaml#b → c.yaml#c")
        assert "b.yaml:3:3: " in error.message

    def test_a_pipeline_that_extends_itself_by_file_is_a_cycle(self, write: Write) -> None:
        assert "extends itself: a.yaml#a → a.yaml#a" in refusal_of(write("a", extends="a.yaml#a")).message

    def test_more_than_twenty_levels_are_refused(self, write: Write) -> None:
        write("p0")
        paths = [write(f"p{number}", extends=f"p{number - 1}") for number in range(1, 21)]

        assert len(load_pipeline(paths[18]).origins) == 20
        assert "has more than 20 levels" in refusal_of(paths[19]).message


class TestReferences:
    """What `extends` and the command line may name."""

    @pytest.mark.parametrize(
        "reference", ["root", "root.yaml", "root.yaml#root", "root#root", "./root", "../{}/root.yaml"]
    )
    def test_a_parent_is_found_beside_the_child(self, write: Write, tmp_path: Path, reference: str) -> None:
        write("root", settings={"top_k": 4})

        child = write("child", extends=reference.format(tmp_path.name))

        assert load_pipeline(child).settings == {"top_k": 4}

    def test_a_parent_is_found_relative_to_the_file_that_names_it(self, write: Write) -> None:
        write("root", settings={"top_k": 4})
        write("middle", folder="sub", extends="../root.yaml")

        assert load_pipeline(write("child", extends="sub/middle.yaml")).settings == {"top_k": 4}

    def test_a_parent_is_found_by_its_absolute_path(self, write: Write) -> None:
        root = write("root", settings={"top_k": 4})

        assert load_pipeline(write("child", folder="sub", extends=str(root))).settings == {"top_k": 4}

    def test_a_parent_is_found_among_those_that_ship(self, write: Write) -> None:
        assert load_pipeline(write("child", extends="extractive")).settings["graph_max_nodes"] == 60

    def test_a_file_beside_the_child_comes_before_one_that_ships(self, write: Write) -> None:
        write("extractive", settings={"top_k": 4})

        assert load_pipeline(write("child", extends="extractive")).settings == {"top_k": 4}

    def test_a_file_of_the_name_of_its_parent_extends_the_one_that_ships(self, write: Write) -> None:
        assert len(load_pipeline(write("extractive", extends="extractive")).origins) == 2

    @pytest.mark.parametrize("reference", ["one", "#one", "several.yaml#one"])
    def test_a_parent_is_found_in_the_same_file(self, tmp_path: Path, reference: str) -> None:
        path = tmp_path / "several.yaml"
        one = {"name": "one", "settings": {"top_k": 4}}
        path.write_text(yaml.safe_dump({"pipelines": [one, {"name": "two", "extends": reference}]}))

        assert load_pipeline(f"{path}#two").settings == {"top_k": 4}

    @pytest.mark.parametrize(
        "reference", ["https://example.com/p.yaml", "file:///etc/p.yaml", "data://x", "a\0b"]
    )
    def test_a_parent_may_not_be_a_url(self, write: Write, reference: str) -> None:
        error = refusal_of(write("child", extends=reference))

        assert "is no file" in error.message
        assert error.message.startswith(str(write("child").parent))

    @pytest.mark.parametrize(
        "reference", ["/etc/passwd", "/dev/zero", "x" * 5000, "secret.txt", ".", "/", "#"]
    )
    def test_a_parent_that_is_no_yaml_file_is_not_opened(self, write: Write, reference: str) -> None:
        path = write("child", extends=reference)
        (path.parent / "secret.txt").write_text("pipeline: {name: x}")

        assert refusal_of(path).message.startswith(f"{path}:3:3: extends: ")

    def test_a_name_on_the_command_line_means_the_shipped_pipeline(
        self, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write("extractive")
        monkeypatch.chdir(tmp_path)

        assert find_pipeline("extractive").path in shipped_pipelines()

    def test_an_unknown_name_is_refused_with_the_one_that_was_meant(self) -> None:
        error = refusal_of("extractve")

        assert error.message == "there is no pipeline 'extractve'"
        assert error.hint == "did you mean 'extractive'?"

    def test_a_missing_parent_is_told_where_it_is_named(self, write: Write) -> None:
        error = refusal_of(write("child", extends="nowhere.yaml"))

        assert error.message.endswith("child.yaml:3:3: extends: there is no such file: 'nowhere.yaml'")


class TestRoots:
    """The four root keys."""

    @pytest.mark.parametrize("root", ["pipeline", "YAMLpipeline"])
    def test_a_file_holds_one_pipeline(self, write: Write, root: str) -> None:
        assert load_pipeline(write("one", root=root)).name == "one"

    @pytest.mark.parametrize("root", ["pipelines", "YAMLpipelines"])
    def test_a_file_holds_several_picked_by_name(self, tmp_path: Path, root: str) -> None:
        path = tmp_path / "several.yaml"
        path.write_text(yaml.safe_dump({root: [{"name": "one"}, {"name": "two"}]}))

        assert load_pipeline(f"{path}#two").name == "two"

    def test_one_of_several_must_be_named(self, tmp_path: Path) -> None:
        path = tmp_path / "several.yaml"
        path.write_text("pipelines: [{name: one}, {name: two}]")

        error = refusal_of(path)

        assert error.message.endswith(":1:13: holds 2 pipelines")
        assert error.hint == f"name one: {path}#one"

    def test_two_pipelines_of_one_name_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "several.yaml"
        path.write_text("pipelines:\n- {name: one}\n- {name: one}\n")

        assert (
            "several.yaml:3:3: pipeline 'one' is here a second time, first at line 2"
            in refusal_of(path).message
        )

    def test_an_unknown_name_in_a_file_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "several.yaml"
        path.write_text("pipelines: [{name: develop}, {name: master}]")

        error = refusal_of(f"{path}#develp")

        assert "holds no pipeline 'develp'" in error.message
        assert error.hint == "did you mean 'develop'?"


class TestWrittenWrong:
    """Errors that keep a file from being loaded, with their place."""

    @pytest.mark.parametrize(
        ("text", "message", "hint"),
        [
            ("pipelin: {name: a}", "1:1: unknown key 'pipelin'", "did you mean 'pipeline'?"),
            ("[1, 2]", "1:1: is no mapping", "begin with pipeline:"),
            ("pipeline: 5", "1:1: pipeline: expected a mapping, found the number 5", None),
            ("pipelines: {a: 1}", "1:1: pipelines: expected a list of pipelines, found a mapping", None),
            ("pipelines: []", "1:1: holds no pipeline", "begin with pipeline:"),
            ("pipelines: [a]", "1:13: expected a pipeline, found the text 'a'", None),
            ("pipeline: {settings: {}}", "1:1: the pipeline has no name", "add name: p"),
            ("pipeline: {name: 5}", "1:12: name: expected a text, found the number 5", "put it into quotes"),
            (
                "pipeline: {name: a, extend: b}",
                "1:21: unknown key 'extend' of a pipeline",
                "did you mean 'extends'?",
            ),
            (
                "pipeline: {name: a, extends: [b]}",
                "1:21: extends: expected a text, found a list",
                "put it into quotes",
            ),
            ("pipeline: {name: a, settings: [b]}", "1:21: settings: expected a mapping, found a list", None),
            ("pipeline: {name: a, steps: {b: c}}", "1:21: steps: expected a list, found a mapping", None),
            (
                "pipeline: {name: a, steps: [b]}",
                "1:29: expected a step, found the text 'b'",
                "write - id: NAME",
            ),
            ("pipeline: {name: a, steps: [{action: b}]}", "1:29: the step has no id", "add id: NAME"),
            ("pipeline: {name: a, steps: [{id: yes}]}", "1:29: step 'yes' has no action", "add action: NAME"),
            (
                "pipeline: {name: a, steps: [{id: 5}]}",
                "1:30: id: expected a text, found the number 5",
                "quote it",
            ),
            (
                "pipeline: {name: a, steps: [{id: b, action: [c]}]}",
                "1:37: action: expected a text, found a list",
                None,
            ),
        ],
    )
    def test_is_told_with_place_and_hint(
        self, tmp_path: Path, text: str, message: str, hint: str | None
    ) -> None:
        path = tmp_path / "p.yaml"
        path.write_text(text)

        error = refusal_of(path)

        assert error.message.split(" (and ")[0] == f"{path}:{message}"
        assert error.hint == hint or hint is None

    def test_ids_are_unique_in_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "p.yaml"
        path.write_text("pipeline:\n  name: a\n  steps:\n  - {id: s, action: x}\n  - {id: s, action: y}\n")

        assert refusal_of(path).message == f"{path}:5:6: step 's' is here a second time, first at line 4"

    def test_all_that_is_wrong_in_a_file_is_told_together(self, tmp_path: Path) -> None:
        path = tmp_path / "p.yaml"
        path.write_text("pipeline:\n  nam: a\n  settings: 5\n  steps: [{action: b}, {id: 5}]\n")

        assert refusal_of(path).message.endswith("(and 4 more)")


def consistent_settings() -> st.SearchStrategy[dict[str, Any]]:
    """Mappings in which a key holds the same kind of value wherever it stands."""
    leaves = st.dictionaries(st.sampled_from(["a", "b"]), st.integers() | st.lists(st.integers()), max_size=2)
    inner = st.fixed_dictionaries({}, optional={"x": leaves, "y": leaves})
    return st.fixed_dictionaries({}, optional={"m": inner, "n": inner, "p": st.integers()})


@given(consistent_settings(), consistent_settings(), consistent_settings())
def test_merging_levels_one_by_one_or_in_groups_is_the_same(a: Any, b: Any, c: Any) -> None:
    root, middle, child = (value_of(each, NOWHERE) for each in (a, b, c))

    in_groups = merge_values(root, merge_values(middle, child))

    assert plain(in_order([root, middle, child])) == plain(in_groups)


@given(consistent_settings(), consistent_settings())
def test_a_merge_keeps_every_key_and_the_childs_values(a: Any, b: Any) -> None:
    merged = plain(merge_values(value_of(a, NOWHERE), value_of(b, NOWHERE)))

    assert merged.keys() == a.keys() | b.keys()
    assert plain(merge_values(value_of(merged, NOWHERE), value_of(b, NOWHERE))) == merged


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), st.integers()), min_size=1, max_size=4))
def test_steps_keep_the_order_in_which_they_first_came(levels: list[dict[str, int]]) -> None:
    merged: dict[str, Any] = {}
    for level in levels:
        merged = merge_steps(merged, {key: value_of(number, NOWHERE) for key, number in level.items()})

    assert list(merged) == list(dict.fromkeys(key for level in levels for key in level))
    assert {key: value.content for key, value in merged.items()} == {
        k: v for each in levels for k, v in each.items()
    }


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
WORDS = st.sampled_from(
    [
        "on",
        "yes",
        "0o17",
        "1e5",
        "1_0",
        "~",
        "",
        "- a",
        "a: b",
        "#",
        "x\n",
        "\n x\n\ny \n",
        "<<",
        "=",
        "!x",
        "2020-01-01",
        ".5",
        "null",
        "1:30",
    ]
)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**29), 10**29) | FLOATS | TEXTS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS | WORDS, inner, max_size=3),
    max_leaves=10,
)
NAMED = st.dictionaries((TEXTS | WORDS).filter(lambda key: key not in {"id", "action"}), PLAIN, max_size=3)


@given(
    TEXTS.filter(bool),
    TEXTS | WORDS,
    NAMED,
    st.dictionaries((TEXTS | WORDS).filter(bool), st.tuples(TEXTS | WORDS, NAMED), max_size=3),
)
def test_the_yaml_that_show_prints_loads_to_the_same_pipeline(
    tmp_path_factory: pytest.TempPathFactory, name: str, description: str, own: Any, steps: Any
) -> None:
    made = {key: Step(key, action, rest, NOWHERE) for key, (action, rest) in steps.items()}
    pipeline = Pipeline(name, own, made, NOWHERE, description, ("a.yaml", "b\n.yaml"))
    path = tmp_path_factory.mktemp("show") / "p.yaml"
    path.write_text(pipeline_yaml(pipeline), encoding="utf-8", newline="")

    loaded = load_pipeline(path)

    assert (loaded.name, loaded.description, loaded.settings) == (name, description, own)
    assert {key: (step.action, step.parameters) for key, step in loaded.steps.items()} == steps
