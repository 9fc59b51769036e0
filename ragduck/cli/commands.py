"""The `ragduck` command and its subcommands."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import click

import ragduck as package
from ragduck.cli.ask import ask
from ragduck.cli.check import check
from ragduck.cli.diff import diff
from ragduck.cli.drop import drop
from ragduck.cli.embed import embed
from ragduck.cli.eval import evaluate
from ragduck.cli.exit_codes import ExitCode
from ragduck.cli.export import export
from ragduck.cli.failures import run_to_exit_code, told_apart
from ragduck.cli.graph import graph
from ragduck.cli.history import history
from ragduck.cli.info import info
from ragduck.cli.map import map_command
from ragduck.cli.mcp import mcp
from ragduck.cli.output import make_streams_tolerant, write
from ragduck.cli.pipeline import pipeline
from ragduck.cli.prepare import prepare
from ragduck.cli.search import search
from ragduck.cli.show import show
from ragduck.cli.sql import sql
from ragduck.cli.termination import quiet_cleaning, tidy_termination
from ragduck.cli.trace import trace
from ragduck.cli.upgrade import upgrade


class Commands(click.Group):
    """A group whose failures are two lines and an exit code."""

    def main(self, *args: Any, standalone_mode: bool = True, **settings: Any) -> Any:
        """Run the command and end the process, as click does."""
        settings.setdefault("windows_expand_args", False)  # patterns and questions are not names of files
        run: Callable[..., Any] = partial(super().main, *args, standalone_mode=False, **settings)
        if not standalone_mode:
            return run()
        make_streams_tolerant()
        tidy_termination()
        quiet_cleaning()
        sys.exit(run_to_exit_code(run))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments, which may print the help."""
        with told_apart():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with told_apart():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """List the commands in the order in which people meet them."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or name the one that was probably meant."""
        name = args[0]
        if name in self.commands or name.startswith("-"):
            return super().resolve_command(ctx, args)
        close = difflib.get_close_matches(name, self.commands, n=1)
        meant = f" Did you mean {close[0]!r}?" if close else ""
        raise click.UsageError(f"There is no command {name!r}.{meant}", ctx)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package.__version__, prog_name="ragduck")
@click.pass_context
def ragduck(ctx: click.Context) -> None:
    """Put a whole system into one DuckDB file and search it.

    Code, SQL database and docs become one portable file, the store, that answers by meaning, by keyword,
    by structure and in SQL.

    \b
    Example:
      ragduck prepare shop -o shop.duckdb
      ragduck search shop.duckdb "where are invoices created"

    Completion in bash (zsh and fish likewise): eval "$(_RAGDUCK_COMPLETE=bash_source ragduck)"
    """
    if ctx.invoked_subcommand is None:
        write(ctx.get_help() + "\n")
        ctx.exit(ExitCode.DONE)


pipeline.add_command(trace)
for command in (
    prepare, search, ask, show, graph, sql, diff, history, pipeline, evaluate, info, check, export, upgrade,
    map_command, embed, drop, mcp,
):  # fmt: skip
    ragduck.add_command(command)
