"""Cross-encoders of the Hugging Face hub or of a local folder: models that read question and chunk together."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from ragduck.errors import RagduckError
from ragduck.shell import extra_command

HUB_NAME = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}", re.ASCII)
EXAMPLE = "cross-encoder/ms-marco-MiniLM-L-6-v2"
MAX_TOKENS = 512  # of question and chunk; models that could read more take much longer
LONGEST_TEXT = 8_192  # characters; 512 tokens end before


class RerankError(RagduckError):
    """Refuse a reranker that cannot be had, fails, or returns what is no order of the chunks."""


class CrossEncoderReranker:
    """Score each chunk by what a cross-encoder says of it and the question."""

    def __init__(self, model: Any, *, name: str) -> None:
        self._model = model
        self._name = name

    def rank(self, question: str, results: Sequence[Mapping[str, Any]]) -> list[tuple[str, float]]:
        """Return the node_id and score of each result, best first."""
        asked = question.encode("utf-8", "replace").decode("utf-8")
        try:
            scores = self._model.predict(
                [(asked, _shown(result)) for result in results], show_progress_bar=False
            )
        except Exception as error:
            # torch and tokenizers raise whatever they like; to the user it is a model that does not work.
            raise _failure(self._name, error) from error
        if scores.ndim != 1:
            raise RerankError(
                f"{self._name!r} gives {scores.shape[1]} scores for each chunk; a reranker gives one",
                hint=f"choose a model for ranking, such as {EXAMPLE}",
            )
        scored = [(result["node_id"], score) for result, score in zip(results, scores.tolist(), strict=True)]
        return sorted(scored, key=lambda pair: -pair[1])


def _shown(result: Mapping[str, Any]) -> str:
    """Return a chunk as the model reads it: its name and file say what its first lines may not."""
    return f"{result['element_name']} in {result['source_file']}\n{result['text'][:LONGEST_TEXT]}"


def load_cross_encoder(name: str) -> CrossEncoderReranker:
    """Load a model by its hub name or from a folder, once per process.

    Raises RerankError when it cannot be had, or is no cross-encoder.
    """
    folder = _existing_folder(name)
    if folder is None and not HUB_NAME.fullmatch(name):
        raise RerankError(
            f"there is no reranker {name[:80]!r}",
            hint=f"give a HuggingFace name such as {EXAMPLE}, or the folder of a model",
        )
    return _load(name, folder)


@cache
def _load(name: str, folder: Path | None) -> CrossEncoderReranker:
    try:
        cross_encoder_class = import_module("sentence_transformers").CrossEncoder
    except ImportError as error:
        raise RerankError(
            f"a cross-encoder needs a package that is not installed: {error.name or error}",
            hint=extra_command("huggingface"),
        ) from error
    try:
        model = _loaded(partial(cross_encoder_class, max_length=MAX_TOKENS), name, folder)
    except Exception as error:
        # torch, transformers and the hub's client raise unrelated types for a missing model or network.
        raise _loading_failure(name, error=error, is_folder=folder is not None) from error
    _require_trained_for_ranking(model, name)
    return CrossEncoderReranker(model, name=name)


def _loaded(load: Callable[..., Any], name: str, folder: Path | None) -> Any:
    if folder is not None:
        return load(str(folder))
    # A model that was downloaded before needs no network; the hub's client takes a minute to believe there is none.
    with suppress(Exception):
        return load(name, local_files_only=True)
    return load(name)


def _require_trained_for_ranking(model: Any, name: str) -> None:
    """Refuse weights of another kind of model: to these a last layer of random numbers has been added."""
    network = getattr(model, "model", None)
    saved_as = getattr(getattr(network, "config", None), "architectures", None)
    if saved_as and type(network).__name__ not in saved_as:
        raise RerankError(
            f"{name!r} is a {saved_as[0]}, which cannot score a question and a chunk together",
            hint=f"choose a cross-encoder, such as {EXAMPLE}",
        )


def _loading_failure(name: str, *, error: Exception, is_folder: bool) -> RerankError:
    if is_folder:
        hint = "the folder must hold a cross-encoder (config.json, tokenizer and weights)"
    else:
        hint = f"check the name and the network, or name the folder of: hf download {name} --local-dir FOLDER"
    return RerankError(f"the reranker {name!r} cannot be loaded: {_reason(error)}", hint=hint)


def _failure(name: str, error: Exception) -> RerankError:
    return RerankError(
        f"the reranker {name!r} failed: {_reason(error)}",
        hint="give it fewer chunks with --rerank-pool 10, or search without it",
    )


def _reason(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]


def _existing_folder(name: str) -> Path | None:
    try:
        folder = Path(name).expanduser()
        return folder.resolve() if name and folder.is_dir() else None
    except (OSError, RuntimeError, ValueError):
        return None
