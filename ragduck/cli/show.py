"""`ragduck show`: exact text by identity."""

from __future__ import annotations

from pathlib import Path

import click

from ragduck.cli.arguments import json_option, store_argument
from ragduck.cli.output import say, visible_line, write, write_json


@click.command()
@store_argument
@click.argument("key")
@json_option
def show(store: Path, key: str, *, as_json: bool) -> None:
    """Print exact text: a node of the graph, a chunk, lines of a file.

    KEY is a node key, or a name as people write it (dbo.Invoice, OrderService.PlaceAsync), a chunk id, a C# or
    database key, `path`, `path:line` or `path:start-end`; of a path its end is enough (Services/Order.cs:12). The
    text goes to stdout; where it stands is said on stderr.

    \b
    Example:
      ragduck show shop.duckdb "dbo.Invoice_Create|PROC"
      ragduck show shop.duckdb InvoiceService.CancelAsync
      ragduck show shop.duckdb docs/invoicing.md:1-5
      ragduck show shop.duckdb Shop.Core.Services.InvoiceService --json
    """
    from ragduck.opening import open_store

    with open_store(store, say=say) as opened:
        stretches = opened.text_of(key)
    if as_json:
        write_json(stretches)
        return
    for stretch in stretches:
        say(
            visible_line(
                f"{stretch['location']}  {stretch['element_name']} ({stretch['repo']}, {stretch['branch']})"
            )
        )
        write(stretch["text"] + "\n")
