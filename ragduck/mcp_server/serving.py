"""Start a server, with what can go wrong told before the SDK is loaded."""

from __future__ import annotations

import logging
import sys
from dataclasses import replace

from ragduck.errors import UsageError
from ragduck.mcp_server.live_store import LiveStore
from ragduck.mcp_server.settings import ServerSettings
from ragduck.opening import store_at
from ragduck.shell import extra_command

SDK = ("mcp", "mcp_types")


def serve(settings: ServerSettings) -> None:
    """Serve over stdin and stdout until the client closes them.

    A sqlrooms-rag file is served through the copy that `search` makes, in which no conversation is kept. Raises
    StoreError at once when there is no store to serve, and UsageError without the extra `mcp`. What is logged goes
    to stderr.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="ragduck: %(message)s")
    with store_at(settings.store, say=logging.getLogger(__name__).warning) as path:
        is_copy = path != settings.store
        _serve(replace(settings, store=path, read_only=settings.read_only or is_copy))


def _serve(settings: ServerSettings) -> None:
    store = LiveStore(settings)
    try:
        with store.opened():
            pass
        _run(settings, store)
    finally:
        store.close()


def _run(settings: ServerSettings, store: LiveStore) -> None:
    try:
        from ragduck.mcp_server.server import run_stdio
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in SDK:
            raise
        raise UsageError(
            "the server needs version 2 of the Model Context Protocol SDK", hint=extra_command("mcp")
        ) from error
    run_stdio(settings, store)
