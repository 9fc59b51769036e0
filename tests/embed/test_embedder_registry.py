"""Names of models: which embedder they stand for, and what happens with the others."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from ragduck.embed import DEFAULT_MODEL, Embedder, embedder_for, load_embedder
from ragduck.embed.hashing import HashingEmbedder
from ragduck.embed.huggingface import fingerprint_folder
from ragduck.embed.minilm import MiniLMEmbedder
from ragduck.embed.static import StaticEmbedder
from ragduck.errors import EmbeddingError


@pytest.mark.parametrize("model", [None, "none"])
def test_none_is_no_embedder(model: str | None) -> None:
    assert load_embedder(model) is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [(DEFAULT_MODEL, StaticEmbedder), ("static", StaticEmbedder), ("minilm", MiniLMEmbedder)],
)
def test_models_of_the_package_are_loaded_once(name: str, kind: type[Embedder]) -> None:
    embedder = load_embedder(name)

    assert isinstance(embedder, kind)
    assert load_embedder(name) is embedder


@pytest.mark.parametrize(
    ("name", "recorded", "dimension"),
    [("hashing", "hashing", 64), ("hashing:64", "hashing", 64), ("hashing:128", "hashing:128", 128)],
)
def test_hashing_takes_a_dimension(name: str, recorded: str, dimension: int) -> None:
    embedder = load_embedder(name)

    assert embedder is not None
    assert (embedder.model.name, embedder.model.dimension) == (recorded, dimension)


def test_an_embedder_is_returned_as_it_is() -> None:
    embedder = HashingEmbedder()

    assert load_embedder(embedder) is embedder


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("minlm", "minilm"),
        ("all-MiniLM-L6-v2", "minilm"),
        ("hash", "hashing"),
        ("hashing:", "hashing"),
        ("nona", "none"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_known_one(name: str, suggestion: str) -> None:
    with pytest.raises(EmbeddingError, match=f"did you mean '{suggestion}'") as caught:
        load_embedder(name)

    assert "openai:MODEL" in (caught.value.hint or "")


@pytest.mark.parametrize("name", ["", "a\x00b", "x" * 100_000, "a/b/c/d", "~nobody/x y", "openai:", "\ud800"])
def test_an_odd_name_is_refused(name: str) -> None:
    with pytest.raises(EmbeddingError, match="no embedding model"):
        load_embedder(name)


def test_something_that_cannot_embed_is_refused() -> None:
    with pytest.raises(EmbeddingError, match="cannot be a dict"):
        load_embedder({})  # type-checkers would refuse it, notebooks do not


def test_a_recorded_model_is_loaded_again() -> None:
    recorded = HashingEmbedder(dimension=32).model

    assert embedder_for(recorded).model == recorded


def test_another_model_than_the_recorded_one_is_refused() -> None:
    recorded = HashingEmbedder(dimension=32).model

    with pytest.raises(EmbeddingError, match="embedded with 'hashing:32'"):
        embedder_for(recorded, model="minilm")


def test_asking_a_store_with_no_model_is_refused_with_the_way_out() -> None:
    with pytest.raises(EmbeddingError, match="no model was given") as caught:
        embedder_for(HashingEmbedder().model, model="none")

    assert "--mode bm25" in (caught.value.hint or "")


@pytest.mark.skipif(find_spec("sentence_transformers") is not None, reason="the extra is installed")
def test_a_hugging_face_name_without_the_extra_names_the_command() -> None:
    with pytest.raises(EmbeddingError, match="not installed") as caught:
        load_embedder("BAAI/bge-small-en-v1.5")

    assert caught.value.hint == 'in the folder of ragduck: pip install -e ".[huggingface]"'


@pytest.mark.skipif(find_spec("sentence_transformers") is not None, reason="the extra is installed")
def test_an_existing_folder_is_taken_for_a_hugging_face_model(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="Hugging Face"):
        load_embedder(str(tmp_path))


def test_a_folder_is_identified_by_its_files_and_not_by_its_place(tmp_path: Path) -> None:
    for name, content in (("one", b"weights"), ("two", b"weights"), ("three", b"others!")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.bin").write_bytes(content)

    one, two, three = (fingerprint_folder(tmp_path / name) for name in ("one", "two", "three"))

    assert one == two
    assert one != three


def test_importing_the_package_loads_nothing_heavy() -> None:
    program = (
        "import sys, ragduck.embed; "
        "print(sorted({'onnxruntime', 'tokenizers', 'llama_index', 'httpx', 'numpy'} & set(sys.modules)))"
    )

    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert printed.stdout.strip() == "[]"
