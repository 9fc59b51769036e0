"""Say in a user's words why a language model gave no answer.

The packages behind the models are not imported here: their exceptions are told by class names and attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ragduck.errors import ModelError, ModelTimeoutError
from ragduck.shell import extra_command

LONGEST_QUOTE = 300  # characters of what a server said
WORTH_A_RETRY = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
TOO_LONG = (
    "context length",
    "context_length",
    "context window",
    "context size",
    "context_size",
    "maximum context",
    "prompt is too long",
    "too many tokens",
)
HINT_WINDOW = (
    "lower max_context_tokens of the pipeline, or set RAGDUCK_LLM_CONTEXT to the window that the model has"
)
HINT_TIME = "raise model_timeout_seconds of the pipeline, or take a smaller model"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a model runs, and what to type when it does not.

    ``hide`` blots keys out of a text; hints are of a missing server, a missing model and a wrong key.
    """

    model: str
    hide: Callable[[str], str]
    address: str = ""
    start_hint: str | None = None
    missing_hint: str | None = None
    key_hint: str | None = None

    def __str__(self) -> str:
        """Name the model, and the server where it has one."""
        return (
            f"{self.model} at {self.address}"
            if self.address and self.address not in self.model
            else self.model
        )


def explain(error: Exception, place: Place, *, seconds: float | None = None) -> ModelError:
    """Return the error to raise instead of one of a foreign package; it holds no key and no cause.

    ``seconds`` is the time that was given.
    """
    if is_timeout(error):
        return timed_out(place, seconds)
    status = status_of(error)
    said = place.hide(_said(error))[:LONGEST_QUOTE]
    if any(words in said.lower() for words in TOO_LONG):
        return ModelError(f"the prompt is too long for {place}: {said}", hint=HINT_WINDOW)
    if status is not None:
        return _refused(status, said=said, place=place)
    if _is_a(error, "ConnectError", "ConnectionError", "APIConnectionError", "TransportError"):
        return ModelError(f"{place} cannot be reached: {said}", hint=place.start_hint)
    return ModelError(
        f"{place} gave no usable answer: {type(error).__name__}: {said}", hint=place.missing_hint
    )


def timed_out(place: Place, seconds: float | None = None) -> ModelTimeoutError:
    """Return the error of a model that took longer than it was given."""
    given = "it was given" if seconds is None else f"{max(seconds, 0):g} seconds"
    return ModelTimeoutError(f"{place} took longer than {given}", hint=HINT_TIME)


def missing_package(error: ImportError, *, extra: str) -> ModelError:
    """Return the error of a package that is not installed, with the command that installs it."""
    return ModelError(
        f"this kind of language model needs a package that is not installed: {error.name or error}",
        hint=extra_command(extra),
    )


def is_worth_a_retry(error: Exception) -> bool:
    """Tell whether the same question may be answered a moment later."""
    return status_of(error) in WORTH_A_RETRY and not any(words in _said(error).lower() for words in TOO_LONG)


def is_timeout(error: BaseException) -> bool:
    """Tell whether an error, or one that it comes from, is about time."""
    return _is_a(error, "TimeoutException", "APITimeoutError", "TimeoutError")


def status_of(error: BaseException) -> int | None:
    """Return the HTTP status that an error, or one that it comes from, tells."""
    for link in _chain(error):
        status = getattr(link, "status_code", None)
        if isinstance(status, int) and status >= 100:
            return status
    return None


def seconds_asked_for(error: BaseException) -> float:
    """Return how long a server wants to be left alone: its Retry-After, in seconds."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    value = str(headers.get("Retry-After", "")) if headers is not None else ""
    return float(value) if value.isascii() and value.isdigit() else 0.0


def _refused(status: int, *, said: str, place: Place) -> ModelError:
    if status in (401, 403):
        return ModelError(f"{place} refuses the key ({status}): {said}", hint=place.key_hint)
    if status == 404:
        return ModelError(f"{place} is not served (404): {said}", hint=place.missing_hint)
    if status == 429:
        hint = "wait, or ask the provider for a higher limit"
        return ModelError(f"{place} takes no more requests for now (429): {said}", hint=hint)
    if status >= 500:
        return ModelError(f"{place} failed ({status}): {said}", hint="look into the log of the server")
    return ModelError(f"{place} refuses the request ({status}): {said}", hint=place.missing_hint)


def _said(error: BaseException) -> str:
    body: Any = getattr(error, "body", None)
    if isinstance(body, Mapping):
        body = body.get("message") or body.get("error")
    text = body if isinstance(body, str) and body.strip() else str(error)
    readable = "".join(character if character.isprintable() else " " for character in text[:8_192])
    return " ".join(readable.split()) or type(error).__name__


def _is_a(error: BaseException, *names: str) -> bool:
    return any(base.__name__ in names for link in _chain(error) for base in type(link).__mro__)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
