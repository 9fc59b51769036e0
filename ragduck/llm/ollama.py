"""Models of an Ollama server, asked in its own protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragduck.llm.failures import Place, missing_package
from ragduck.llm.llamaindex import Limits, LlamaIndexModel
from ragduck.llm.secrets import hide_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from llama_index.core.base.llms.types import ChatMessage, ChatResponse

    from ragduck.llm.protocol import Message

DEFAULT_HOST = "http://127.0.0.1:11434"
LARGEST_DEFAULT_WINDOW = 8_192  # tokens; a model's whole window may need more memory than there is
SECONDS_TO_DESCRIBE = 5.0
SEED = 1  # the same question should have the same answer


class OllamaModel(LlamaIndexModel):
    """Ask an Ollama server, three times at most.

    Ollama cuts a prompt that is longer than `num_ctx` without a word, and forgets its beginning while it writes past
    it. So every request names the window, and how much may be written within it.
    """

    attempts = 3

    def __init__(self, model: str, *, host: str, context_window: int | None = None) -> None:
        self._model = model
        self._host = host
        description = _open(model, host=host, seconds=SECONDS_TO_DESCRIBE)
        super().__init__(description, name=f"ollama:{model}", context_window=context_window)

    @property
    def context_window(self) -> int:
        """Return the window given, else that of the model up to 8,192, for which the server is asked once."""
        if self._context_window is None:
            try:
                told = int(self._llm.metadata.context_window)
            except Exception:
                # No server, no such model, a model that tells nothing: the first question will say it better.
                return LARGEST_DEFAULT_WINDOW
            self._context_window = min(told, LARGEST_DEFAULT_WINDOW)
        return self._context_window

    def _room(self, messages: Sequence[Message], max_tokens: int | None) -> int | None:
        return super()._room(messages, self.context_window if max_tokens is None else max_tokens)

    def _chat(self, messages: list[ChatMessage], limits: Limits) -> ChatResponse:
        # LlamaIndex reads none of these from the arguments of `chat`.
        llm = _open(
            self._model,
            host=self._host,
            seconds=limits.seconds_left,
            temperature=limits.temperature or 0.0,
            context_window=self.context_window,
            additional_kwargs={"num_predict": limits.max_tokens, "seed": SEED},
        )
        response: ChatResponse = llm.chat(messages)
        return response

    def _place(self) -> Place:
        return Place(
            self.name,
            hide=lambda text: hide_keys(text, self._keys),
            address=hide_keys(self._host, self._keys),
            start_hint="start the server with: ollama serve (OLLAMA_HOST names another host)",
            missing_hint=f"fetch the model with: ollama pull {self._model}",
            key_hint="set OLLAMA_API_KEY to the key of this server",
        )


def _open(model: str, *, host: str, seconds: float, **settings: Any) -> Any:
    try:
        from llama_index.llms.ollama import Ollama
    except ImportError as error:
        raise missing_package(error, extra="llm") from None
    return Ollama(model=model, base_url=host, request_timeout=seconds, **settings)
