"""`ragduck mcp`: serve a store to language models."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Any

import click

from ragduck.cli.arguments import store_argument
from ragduck.cli.output import say

WAITING = "waiting for a client on stdin; it is the client that starts this command, see ragduck mcp --help"


@click.command()
@store_argument
@click.option("--embed-model", metavar="MODEL", help="Where the store's model is now, if it has moved.")
@click.option("--mirror", default="auto", show_default=True, metavar="auto|off|FOLDER",
              help="Mirror of the vectors to search.")  # fmt: skip
@click.option("--row-limit", type=int, default=200, show_default=True, help="Most rows of an SQL answer.")
@click.option("--time-limit", type=float, default=20, show_default=True, metavar="SECONDS",
              help="After which a call is ended, unless it asks a language model.")  # fmt: skip
@click.option(
    "--read-only",
    is_flag=True,
    help="Keep no conversations; without this, those that a client names are kept.",
)
@click.option("--pipeline", metavar="NAME|FILE", help="Pipeline of the tool ask.")
@click.option("--model", metavar="MODEL", envvar="RAGDUCK_MODEL",
              help="Language model of the tool ask, as of `ragduck ask`; none: the evidence itself.")  # fmt: skip
@click.option("--base-url", metavar="URL", help="Where its OpenAI-compatible server is.")
def mcp(store: Path, **settings: Any) -> None:
    """Serve a store to language models, by the Model Context Protocol.

    A client such as Claude Code, VS Code or Cursor starts this command and talks to it over stdin and stdout. The
    tools are search, show, graph, sql, ask and info; they only read. A store that is prepared again meanwhile is
    noticed. Where `ragduck` is not on the PATH of the client, write the absolute path of the one in its environment.
    Needs the extra mcp: in the folder of ragduck, pip install -e ".[mcp]"

    \b
    Example:
      claude mcp add shop -- ragduck mcp /path/to/shop.duckdb --read-only
      code --add-mcp '{"name": "shop", "command": "ragduck", "args": ["mcp", "/path/to/shop.duckdb"]}'
    """
    from ragduck.mcp_server.serving import serve
    from ragduck.mcp_server.settings import ServerSettings

    if sys.stdin.isatty():
        say(WAITING)
    chosen = ServerSettings(store=store, **settings)
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.SIG_DFL)  # a thread that waits for stdin would let them wait, too
    serve(chosen)
