"""Answer what a client sends that is no message; the SDK only logs it, and the client would wait for ever."""

from __future__ import annotations

import json
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

NO_JSON, NO_FIELD = "json_invalid", "missing"  # what pydantic calls it


class AnsweringReader:
    """What the server reads: the messages of a client, where lines that are none are answered at once.

    ``messages`` and ``answers`` are the two streams of a transport of the SDK.
    """

    def __init__(self, messages: Any, answers: Any) -> None:
        self._messages = messages
        self._answers = answers

    @property
    def last_context(self) -> Any:
        """The context of the sender, which the SDK asks for."""
        return getattr(self._messages, "last_context", None)

    async def receive(self) -> SessionMessage:
        """Return the next message. Raises EndOfStream when the client has gone."""
        while True:
            item: SessionMessage | Exception = await self._messages.receive()
            if isinstance(item, SessionMessage):
                return item
            if (refusal := refusal_of(item)) is not None:
                with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                    await self._answers.send(SessionMessage(refusal))

    async def aclose(self) -> None:
        """Read no more."""
        await self._messages.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def refusal_of(error: Exception) -> JSONRPCError | None:
    """Return the answer to a line that was not understood; None to one without any text.

    Its id is that of the request, and null, as JSON-RPC has it, where that cannot be told.
    """
    if not isinstance(error, ValidationError):
        return JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=PARSE_ERROR, message="Parse error"))
    first = error.errors(include_url=False)[0]
    if first["type"] != NO_JSON:
        told = ErrorData(
            code=INVALID_REQUEST, message="Invalid Request: the line is no message of JSON-RPC 2.0"
        )
        return JSONRPCError(jsonrpc="2.0", id=_id_of_request(error), error=told)
    if not str(first["input"]).strip():
        return None
    return _refusal_of_text(str(first["input"]))


def _refusal_of_text(line: str) -> JSONRPCError:
    """Refuse what the SDK cannot parse; where half of a surrogate pair is why, the id can be told."""
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        request = None
    if isinstance(request, dict) and not {"result", "error"} & request.keys() and _is_id(request.get("id")):
        told = ErrorData(code=PARSE_ERROR, message="Parse error: a text is not valid Unicode")
        return JSONRPCError(jsonrpc="2.0", id=request["id"], error=told)
    told = ErrorData(code=PARSE_ERROR, message="Parse error: the line is no JSON")
    return JSONRPCError(jsonrpc="2.0", id=None, error=told)


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _id_of_request(error: ValidationError) -> str | int | None:
    """Return the id of an object that would be a request; what has a result or an error answers one.

    The object as a whole is with the fields that it lacks to be another kind of message.
    """
    given = [each["input"] for each in error.errors(include_url=False) if each["type"] == NO_FIELD]
    line = next((each for each in given if isinstance(each, dict)), {})
    found = line.get("id")
    return found if _is_id(found) and not {"result", "error"} & line.keys() else None
