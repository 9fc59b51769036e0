"""Servers that speak OpenAI's ``/chat/completions``: OpenAI, vLLM, llama.cpp, LM Studio and others."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import httpx

from ragduck.llm.endpoint import Endpoint
from ragduck.llm.failures import Place, explain, missing_package
from ragduck.llm.llamaindex import LONGEST_CALL, Limits, LlamaIndexModel
from ragduck.llm.secrets import hide_keys, known_keys

if TYPE_CHECKING:
    from llama_index.core.base.llms.types import ChatMessage, ChatResponse

DEFAULT_WINDOW = 8_192  # tokens; no server tells its own
TEMPERATURE = 0.0  # the same question should have the same answer
PLACEHOLDER = "none"  # LlamaIndex looks into OPENAI_API_KEY where it is given no key


class KeyHeader(httpx.Auth):
    """Put the key into requests only: no object of LlamaIndex or openai ever holds it."""

    def __init__(self, key: str | None) -> None:
        self._key = key

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Replace the placeholder by the key, or by nothing."""
        request.headers.pop("Authorization", None)
        if self._key:
            request.headers["Authorization"] = f"Bearer {self._key}"
        yield request


class OpenAILikeModel(LlamaIndexModel):
    """Ask an OpenAI-compatible server, three times at most."""

    attempts = 3

    def __init__(
        self, model: str, *, endpoint: Endpoint, name: str | None = None, context_window: int | None = None
    ) -> None:
        llm = _open(model, endpoint)
        super().__init__(llm, name=name or f"openai:{model}", context_window=context_window or DEFAULT_WINDOW)
        self._endpoint = endpoint
        self._keys = known_keys((endpoint.api_key,))
        self._has_own_temperature = llm.temperature != TEMPERATURE  # reasoning models take no other

    def _chat(self, messages: list[ChatMessage], limits: Limits) -> ChatResponse:
        wanted: dict[str, Any] = {"timeout": limits.seconds_left}
        if limits.max_tokens is not None:
            wanted["max_tokens"] = limits.max_tokens
        if limits.temperature is not None and not self._has_own_temperature:
            wanted["temperature"] = limits.temperature
        return self._llm.chat(messages, **wanted)

    def _place(self) -> Place:
        url = self._endpoint.base_url
        return Place(
            self.name,
            hide=lambda text: hide_keys(text, self._keys),
            address=url,
            start_hint=f"start the server, for example: llama-server -m MODEL.gguf; try it with: curl {url}/models",
            missing_hint=f"list its models with: curl {url}/models (most addresses end in /v1)",
            key_hint="set RAGDUCK_LLM_API_KEY (or OPENAI_API_KEY) to the key of this server",
        )


def _open(model: str, endpoint: Endpoint) -> Any:
    try:
        from llama_index.llms.openai_like import OpenAILike
    except ImportError as error:
        raise missing_package(error, extra="llm") from None
    client = httpx.Client(auth=KeyHeader(endpoint.api_key), timeout=LONGEST_CALL, follow_redirects=False)
    try:
        return OpenAILike(
            model=model,
            api_base=endpoint.base_url,
            api_key=PLACEHOLDER,
            is_chat_model=True,
            temperature=TEMPERATURE,
            max_retries=0,
            timeout=LONGEST_CALL,
            http_client=client,
        )
    except ValueError as error:
        refused = explain(error, Place(f"openai:{model}", hide=lambda text: hide_keys(text, known_keys())))
    raise refused
