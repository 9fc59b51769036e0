"""What tests of the MCP server share: a client of the SDK, connected in memory, that tests call without await."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp_types import CallToolResult

from ragduck.mcp_server.live_store import LiveStore
from ragduck.mcp_server.server import make_server
from ragduck.mcp_server.settings import ServerSettings


class Connection:
    """A client and its server; ``portal`` runs what is asynchronous."""

    def __init__(self, client: Client, portal: BlockingPortal) -> None:
        self.client = client
        self.portal = portal

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        """Call a tool as a client does."""
        return self.portal.call(self.client.call_tool, tool, arguments)

    def text(self, tool: str, **arguments: Any) -> str:
        """Return the text of an answer that is no error."""
        answer = self.call(tool, **arguments)
        assert not answer.is_error, answer.content
        return answer.content[0].text

    def data(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Return the data of an answer that is no error."""
        answer = self.call(tool, **arguments)
        assert not answer.is_error, answer.content
        return json.loads(json.dumps(answer.structured_content))

    def error(self, tool: str, **arguments: Any) -> str:
        """Return the text of an answer that is an error."""
        answer = self.call(tool, **arguments)
        assert answer.is_error, answer.content
        return answer.content[0].text


Serve = Callable[..., AbstractContextManager[Connection]]


@contextmanager
def serving(store: Path, **settings: Any) -> Iterator[Connection]:
    """Serve a store to one client, over the handshake that today's clients use."""
    live = LiveStore(ServerSettings(store=store, **settings))
    client = Client(make_server(ServerSettings(store=store, **settings), live), mode="legacy")
    try:
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(client) as connected:
            yield Connection(connected, portal)
    finally:
        live.close()


@pytest.fixture(scope="session")
def serve() -> Serve:
    """Serve a store with settings of the test."""
    return serving


@pytest.fixture(scope="module")
def shop(shop_store: Path) -> Iterator[Connection]:
    """The sample shop, served."""
    with serving(shop_store) as connection:
        yield connection
