"""Servers of language models on the loopback address, which say what a test tells them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass
class Reply:
    """One answer; `raw` replaces the body by any bytes, `status` and `text` make an error of it."""

    text: str = ""
    status: int = 200
    delay_seconds: float = 0.0
    finish_reason: str = "stop"
    usage: tuple[int, int] | None = (11, 7)
    raw: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """One question as it came in; header names are in lower case."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def text(self) -> str:
        return "\n".join(str(message["content"]) for message in self.body.get("messages", ()))


class OpenAIServer:
    """An OpenAI-compatible server.

    `say` queues replies; `when` answers prompts that hold a text, as often as asked.
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.url = ""
        self._queue: list[Reply] = []
        self._rules: list[tuple[str, Reply]] = []

    @property
    def model(self) -> str:
        """The name for --model and load_model."""
        return f"{self.url}#tiny"

    def say(self, *replies: str | Reply) -> None:
        self._queue += [Reply(reply) if isinstance(reply, str) else reply for reply in replies]

    def fail(self, status: int, text: str = "no", *, times: int = 1, **settings: Any) -> None:
        self._queue += [Reply(text, status=status, **settings)] * times

    def when(self, part: str, reply: str | Reply) -> None:
        self._rules.append((part, Reply(reply) if isinstance(reply, str) else reply))

    def reply_to(self, request: Request) -> Reply:
        for part, reply in self._rules:
            if part in request.text:
                return reply
        return self._queue.pop(0) if self._queue else Reply("the test queued no answer", status=418)

    def body_of(self, reply: Reply, request: Request) -> bytes:
        if reply.raw is not None:
            return reply.raw
        if reply.status != 200:
            return json.dumps({"error": {"message": reply.text, "type": "error", "code": None}}).encode()
        return json.dumps(self.completion(reply, request)).encode()

    def completion(self, reply: Reply, request: Request) -> dict[str, Any]:
        message = {"role": "assistant", "content": reply.text}
        choice = {"index": 0, "message": message, "finish_reason": reply.finish_reason}
        kind = {"id": "1", "object": "chat.completion", "created": 0, "model": request.body.get("model", "")}
        if reply.usage is None:
            return {**kind, "choices": [choice]}
        prompt, written = reply.usage
        usage = {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written}
        return {**kind, "choices": [choice], "usage": usage}


class OllamaServer(OpenAIServer):
    """An Ollama server; `context_length` is what its models tell of themselves."""

    context_length = 131_072

    def reply_to(self, request: Request) -> Reply:
        if request.path == "/api/show":
            info = {"llama.context_length": self.context_length}
            return Reply(raw=json.dumps({"model_info": info}).encode())
        return super().reply_to(request)

    def body_of(self, reply: Reply, request: Request) -> bytes:
        if reply.raw is None and reply.status != 200:
            return json.dumps({"error": reply.text}).encode()
        return super().body_of(reply, request)

    def completion(self, reply: Reply, request: Request) -> dict[str, Any]:
        message = {"role": "assistant", "content": reply.text}
        ended = {"done": True, "done_reason": reply.finish_reason}
        prompt, written = reply.usage or (0, 0)
        return {
            "model": "tiny",
            "message": message,
            "prompt_eval_count": prompt,
            "eval_count": written,
            **ended,
        }


@contextmanager
def serving(server: OpenAIServer, *, path: str = "/v1") -> Iterator[OpenAIServer]:
    """Let a server answer on a free port of the loopback address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.path, body, headers)
            server.requests.append(request)
            reply = server.reply_to(request)
            time.sleep(reply.delay_seconds)
            self.answer(reply, server.body_of(reply, request))

        def answer(self, reply: Reply, body: bytes) -> None:
            self.send_response(reply.status)
            for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    http.handle_error = lambda *_: None  # clients that ran out of time hang up
    thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    server.url = f"http://127.0.0.1:{http.server_port}{path}"
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
