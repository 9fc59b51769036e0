"""Find the language model that a name stands for; nothing heavy is loaded before it is wanted."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from ragduck.errors import ModelError
from ragduck.llm.protocol import LanguageModel
from ragduck.llm.secrets import hide_keys, known_keys

if TYPE_CHECKING:
    from llama_index.core.llms import LLM

MODEL_VARIABLE = "RAGDUCK_MODEL"
WINDOW_VARIABLE = "RAGDUCK_LLM_CONTEXT"
SMALLEST_WINDOW = 128  # tokens
LARGEST_WINDOW = 100_000_000
KNOWN_FORMS = (
    "none, openai:NAME (an OpenAI-compatible server: RAGDUCK_LLM_BASE_URL), http://HOST:PORT/v1#NAME, ollama:NAME,"
    " FILE.gguf, llama-cpp:FILE, scripted:FILE.yaml"
)


def load_model(
    model: str | LanguageModel | LLM | None = None,
    *,
    base_url: str | None = None,
    context_window: int | None = None,
) -> LanguageModel | None:
    """Return the model for a name, a LlamaIndex ``LLM`` or a model of your own; ``None`` for ``none``.

    Without one, RAGDUCK_MODEL names it. ``context_window``, else RAGDUCK_LLM_CONTEXT, is in tokens and overrides what
    the model tells. Keys are read from the environment alone. Raises ModelError.
    """
    if model is None:
        model = os.environ.get(MODEL_VARIABLE, "").strip() or "none"
    if isinstance(model, str):
        return _load_named(model.strip(), base_url=base_url, window=_window(context_window))
    if _is_llamaindex(model):
        from ragduck.llm.llamaindex import LlamaIndexModel

        return LlamaIndexModel(model, context_window=_window(context_window))
    if _is_language_model(model):
        return model
    raise ModelError(
        f"a language model cannot be a {type(model).__name__}",
        hint="give a name, a LlamaIndex LLM, or an object with complete and count_tokens",
    )


def _load_named(name: str, *, base_url: str | None, window: int | None) -> LanguageModel | None:
    kind, _, detail = name.partition(":")
    if name == "none":
        return None
    if kind in ("http", "https"):
        return _load_at_address(name, window=window)
    if name.endswith(".gguf") and kind != "llama-cpp":
        return _load_file(name, window)
    if detail and kind == "openai":
        return _load_openai(detail, base_url=base_url, window=window)
    if detail and kind == "ollama":
        return _load_ollama(detail, base_url=base_url, window=window)
    if detail and kind == "llama-cpp":
        return _load_file(detail, window)
    if detail and kind == "scripted":
        from ragduck.llm.scripted import ScriptedModel

        return ScriptedModel.from_file(Path(detail).expanduser())
    raise _unknown_model(name)


def _load_openai(model: str, *, base_url: str | None, window: int | None) -> LanguageModel:
    from ragduck.llm.endpoint import Endpoint
    from ragduck.llm.openai_like import OpenAILikeModel

    endpoint = Endpoint.find(base_url)
    name = f"{endpoint.base_url}#{model}" if base_url else f"openai:{model}"
    return OpenAILikeModel(model, endpoint=endpoint, name=name, context_window=window)


def _load_at_address(name: str, *, window: int | None) -> LanguageModel:
    address, _, model = name.partition("#")
    if not model:
        raise ModelError(
            "an address of a language model must end with the model's name",
            hint="write for example http://127.0.0.1:8080/v1#NAME",
        )
    return _load_openai(model, base_url=address, window=window)


def _load_ollama(model: str, *, base_url: str | None, window: int | None) -> LanguageModel:
    from ragduck.llm.ollama import DEFAULT_HOST, OllamaModel

    host = (base_url or "").strip() or os.environ.get("OLLAMA_HOST", "").strip() or DEFAULT_HOST
    return OllamaModel(model, host=host, context_window=window)


def _load_file(name: str, window: int | None) -> LanguageModel:
    path = Path(name).expanduser()
    if not path.is_file():
        raise ModelError(f"there is no model file at {path}", hint="name a .gguf file that exists")
    return _open_file(path.resolve(), window)


@lru_cache(maxsize=1)
def _open_file(path: Path, window: int | None) -> LanguageModel:
    # Remembered, for a file of gigabytes is read again otherwise with every question of a notebook.
    from ragduck.llm.llama_cpp import LlamaCppModel

    return LlamaCppModel(path, context_window=window)


def _window(given: int | None) -> int | None:
    text = os.environ.get(WINDOW_VARIABLE, "").strip()
    if given is None and not text:
        return None
    window = int(text) if given is None and text.isascii() and text.isdigit() and len(text) < 12 else given
    if window is None or not SMALLEST_WINDOW <= window <= LARGEST_WINDOW:
        raise ModelError(
            f"a context window of {text if given is None else given} tokens is of no use",
            hint=f"set {WINDOW_VARIABLE} or context_window to what the model was made for, such as 8192",
        )
    return window


def _is_llamaindex(model: object) -> TypeGuard[LLM]:
    # Whoever has such an object has imported LlamaIndex already, which takes seconds.
    module = sys.modules.get("llama_index.core.llms.llm")
    return module is not None and isinstance(model, module.LLM)


def _is_language_model(model: object) -> TypeGuard[LanguageModel]:
    return callable(getattr(model, "complete", None)) and callable(getattr(model, "count_tokens", None))


def _unknown_model(name: str) -> ModelError:
    readable = hide_keys(name, known_keys())
    shown = readable if len(readable) <= 80 else f"{readable[:80]}…"
    return ModelError(f"there is no language model {shown!r}", hint=f"known forms: {KNOWN_FORMS}")
