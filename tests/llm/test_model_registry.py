"""Names of language models."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openai_server import OpenAIServer

from ragduck.errors import ModelError
from ragduck.llm import load_model
from ragduck.llm.scripted import ScriptedModel


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.yaml"
    path.write_text("[{answer: hello}]", "utf-8")
    return path


@pytest.mark.parametrize("name", [None, "none", " none "])
def test_none_is_no_model(name: str | None) -> None:
    assert load_model(name) is None


def test_the_environment_names_the_model_that_no_one_else_does(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGDUCK_MODEL", f"scripted:{script}")

    assert isinstance(load_model(), ScriptedModel)
    assert load_model("none") is None


def test_each_loading_of_a_script_begins_anew(script: Path) -> None:
    assert load_model(f"scripted:{script}") is not load_model(f"scripted:{script}")


def test_a_model_of_ones_own_is_taken_as_it_is() -> None:
    own = ScriptedModel([{"answer": "hello"}])

    assert load_model(own) is own


@pytest.mark.parametrize(
    "name", ["gpt-4o", "openai:", "ollama:", "llama-cpp:", "scripted:", "openia:gpt-4o", "", "a" * 500, "::"]
)
def test_an_unknown_name_comes_with_the_known_forms(name: str) -> None:
    with pytest.raises(ModelError, match="there is no language model") as caught:
        load_model(name)

    assert "ollama:NAME" in str(caught.value.hint)
    assert len(str(caught.value)) < 150


def test_another_object_is_no_model() -> None:
    wrong: Any = 5

    with pytest.raises(ModelError, match="cannot be a int"):
        load_model(wrong)


def test_an_address_needs_the_name_of_a_model() -> None:
    with pytest.raises(ModelError, match="must end with the model's name") as caught:
        load_model("http://127.0.0.1:8080/v1")

    assert "#NAME" in str(caught.value.hint)


@pytest.mark.parametrize("name", ["missing.gguf", "llama-cpp:missing", "scripted:missing.yaml"])
def test_a_missing_file_is_named(name: str) -> None:
    with pytest.raises(ModelError, match="missing"):
        load_model(name)


def test_openai_without_a_key_is_refused() -> None:
    pytest.importorskip("llama_index.llms.openai_like")

    with pytest.raises(ModelError, match="there is no key") as caught:
        load_model("openai:gpt-4o-mini")

    assert "OPENAI_API_KEY" in str(caught.value.hint)


def test_the_address_given_comes_before_that_of_the_environment(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGDUCK_LLM_BASE_URL", "http://elsewhere/v1")

    model = load_model("openai:tiny", base_url=openai_server.url)

    assert model is not None
    assert model.name == openai_server.model


@pytest.mark.parametrize("window", ["8k", "-1", "0", "9" * 30, "12.5"])
def test_a_context_window_that_is_no_number_of_tokens_is_refused(
    window: str, openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGDUCK_LLM_CONTEXT", window)

    with pytest.raises(ModelError, match="is of no use"):
        load_model(openai_server.model)


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [
        ("http://127.0.0.1/v1#tiny", "llama_index.llms.openai_like", "llm"),
        ("ollama:tiny", "llama_index.llms.ollama", "llm"),
        ("FILE.gguf", "llama_index.llms.llama_cpp", "llama-cpp"),
    ],
)
def test_a_missing_package_comes_with_the_command_that_installs_it(
    name: str, package: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    file = tmp_path / "a.gguf"
    file.touch()

    with pytest.raises(ModelError, match="not installed") as caught:
        load_model(name.replace("FILE.gguf", str(file)))

    assert caught.value.hint == f'in the folder of ragduck: pip install -e ".[{extra}]"'


def test_nothing_heavy_is_imported_before_it_is_wanted() -> None:
    code = (
        "import sys; from ragduck.llm.registry import load_model; load_model('none');"
        "print(sorted({'llama_index', 'httpx', 'openai', 'tokenizers', 'yaml'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
