"""GGUF files, run in this process by llama.cpp."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any

from ragduck.errors import ModelError
from ragduck.llm.deadline import Result
from ragduck.llm.failures import missing_package
from ragduck.llm.llamaindex import Limits, LlamaIndexModel, chat_messages
from ragduck.llm.protocol import Message

if TYPE_CHECKING:
    from llama_index.core.base.llms.types import ChatMessage, ChatResponse

LARGEST_DEFAULT_WINDOW = 8_192  # tokens; memory for the whole window is taken at once
SEED = 1  # the same question should have the same answer


class LlamaCppModel(LlamaIndexModel):
    """Run a GGUF file with the chat template that it brings; one answer at a time.

    What would be a control token in a message, such as `<|im_end|>`, is broken up: only the template has a say.
    A time-out ends reading and writing within moments; where a GPU computes, reading is finished first.
    """

    def __init__(self, path: Path, *, context_window: int | None = None) -> None:
        llm = _open(path, context_window or LARGEST_DEFAULT_WINDOW)
        self._llama = llm._model
        self._template = ChatTemplate(self._llama)
        llm.messages_to_prompt = self._template.render
        window = min(self._llama.n_ctx(), self._llama._model.n_ctx_train())
        super().__init__(llm, name=f"llama-cpp:{path}", context_window=window)
        self._runner = llm
        self._lock = Lock()
        self._ends_at = 0.0
        self._abort = _abort_when(self._is_over, self._llama)

    def count_tokens(self, text: str) -> int:
        """Count with the tokenizer of the file."""
        return len(self._llama.tokenize(text.encode("utf-8", "replace"), add_bos=False, special=False))

    def _count_prompt(self, messages: Sequence[Message]) -> int:
        prompt = self._template.render(chat_messages(messages))
        return len(self._llama.tokenize(prompt.encode(), add_bos=True, special=True))

    def _room(self, messages: Sequence[Message], max_tokens: int | None) -> int | None:
        return super()._room(messages, self.context_window if max_tokens is None else max_tokens)

    def _run(self, timeout: float | None, work: Callable[[], Result]) -> Result:  # noqa: ARG002
        # In this thread, for a process that ends while another thread is in llama.cpp crashes; see `_is_over`.
        return work()

    def _chat(self, messages: list[ChatMessage], limits: Limits) -> ChatResponse:
        if not self._lock.acquire(timeout=limits.seconds_left):
            raise TimeoutError
        try:
            return self._write(messages, limits)
        except RuntimeError:
            if not self._is_over():
                raise
        finally:
            self._lock.release()
        raise TimeoutError

    def _write(self, messages: list[ChatMessage], limits: Limits) -> ChatResponse:
        self._ends_at = limits.ends_at
        self._llama.reset()  # a prompt half known is computed in other steps, and rounded otherwise
        # LlamaIndex reads none of these from the arguments of `chat`.
        self._runner.generate_kwargs = {
            "max_tokens": limits.max_tokens,
            "temperature": limits.temperature or 0.0,
            "seed": SEED,
            "stopping_criteria": self._is_over,
        }
        response: ChatResponse = self._runner.chat(messages)
        if self._is_over():
            raise TimeoutError
        return response

    def _is_over(self, *_: object) -> bool:
        return monotonic() > self._ends_at


class ChatTemplate:
    """The chat template of a GGUF file; ChatML, which most small models know, where it has none."""

    CHATML = (
        "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
        "{% endfor %}<|im_start|>assistant\n"
    )

    def __init__(self, llama: Any) -> None:
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        # llama.cpp puts the first token in front of a prompt by itself.
        template = llama.metadata.get("tokenizer.chat_template") or self.CHATML
        end = llama._model.token_get_text(llama.token_eos())
        self._format = Jinja2ChatFormatter(template, eos_token=end, bos_token="")
        self._control = _pattern_of_control_tokens(llama)

    def render(self, messages: Sequence[ChatMessage]) -> str:
        """Write a chat as the model learned to read it."""
        plain = [{"role": message.role.value, "content": self._harmless(message)} for message in messages]
        try:
            prompt: str = self._format(messages=plain).prompt
        except ValueError:
            # Templates of Gemma and Mistral refuse the role `system`.
            prompt = self._format(messages=_without_system(plain)).prompt
        return prompt

    def _harmless(self, message: ChatMessage) -> str:
        return self._control.sub(lambda match: f"{match[0][0]} {match[0][1:]}", message.content or "")


def _open(path: Path, context_window: int) -> Any:
    try:
        from llama_index.llms.llama_cpp import LlamaCPP
    except ImportError as error:
        raise missing_package(error, extra="llama-cpp") from None
    try:
        return LlamaCPP(
            model_path=str(path),
            context_window=context_window,
            model_kwargs={
                "n_threads_batch": max(1, (os.cpu_count() or 1) - 1)
            },  # or a busy core holds up all
            temperature=0.0,
            verbose=False,
        )
    except (ValueError, RuntimeError, OSError) as error:
        raise ModelError(
            f"llama.cpp cannot load {path}: {error}", hint="the file must be a complete GGUF model"
        ) from None


def _abort_when(is_over: Callable[[], bool], llama: Any) -> Any:
    """Let llama.cpp ask between computations whether to stop; what is returned must live as long as the model."""
    from llama_cpp import ggml_abort_callback, llama_set_abort_callback

    callback = ggml_abort_callback(lambda _data: is_over())
    llama_set_abort_callback(llama.ctx, callback, None)
    return callback


def _pattern_of_control_tokens(llama: Any) -> re.Pattern[str]:
    from llama_cpp import llama_vocab_is_control

    vocabulary = llama._model.vocab
    ids = (token for token in range(llama.n_vocab()) if llama_vocab_is_control(vocabulary, token))
    texts = {llama._model.token_get_text(token) for token in ids}
    longest_first = sorted((text for text in texts if len(text) > 1), key=lambda text: (-len(text), text))
    return re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")


def _without_system(messages: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    rules = "\n\n".join(message["content"] for message in messages if message["role"] == "system")
    others = [dict(message) for message in messages if message["role"] != "system"]
    if rules and others:
        others[0]["content"] = f"{rules}\n\n{others[0]['content']}"
    return others
