"""`ragduck graph`: what lies around a node, who calls it, what a change of it breaks, how two are tied."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragduck.cli.amounts import counted
from ragduck.cli.arguments import file_or_stdout, json_option, store_argument
from ragduck.cli.graph_output import FORMATS, format_of, require_place, write_drawing, write_text
from ragduck.cli.output import say, visible_line, write_json
from ragduck.errors import UsageError

if TYPE_CHECKING:
    from ragduck.library import Store
    from ragduck.search.neighbourhood import Neighbourhood
    from ragduck.search.node_names import UnknownNodeError

TITLES = {
    "around": "Around",
    "callers": "Callers of",
    "callees": "Callees of",
    "impact": "Impact of",
    "path": "Path from",
}
CALLS = ("callers", "callees")
FIXED = (*CALLS, "impact")  # questions that say themselves which way to go
READ = ("TABLE", "VIEW")  # and written, but not called
SHOWN = 3  # similar names


@click.command()
@store_argument
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
@click.option("--callers", is_flag=True, help="What calls or executes it, and what calls that.")
@click.option("--callees", is_flag=True, help="What it calls or executes, and what that calls.")
@click.option("--impact", is_flag=True, help="What may break when it changes.")
@click.option("--to", "target", metavar="KEY", help="A shortest path to this node, step by step.")
@click.option("--depth", type=int,
              help="Most steps; 2, with --callers, --callees and --impact 3, with --to 12, either way 6; "
                   "0: the nodes alone.")  # fmt: skip
@click.option("--max-nodes", type=int, default=120, show_default=True, help="Most nodes, the closest first.")
@click.option("-r", "--relation", "relations", multiple=True, metavar="RELATION",
              help="Follow this relation only, by any of its names: ReadsFrom, FK; may be repeated.")  # fmt: skip
@click.option("--direction", type=click.Choice(["out", "in", "both"]),
              help="Along edges, as from caller to callee, against them, or both.")  # fmt: skip
@click.option("--repo", help="Stay within this repository.")
@click.option("--branch", help="Stay within this branch.")
@click.option("--evidence", is_flag=True, help="With text: show the line behind each tie.")
@click.option("--format", "output", type=click.Choice(FORMATS),
              help="By default what the ending of FILE says, else text; html is a page to explore.")  # fmt: skip
@click.option("-o", "--output", "file", type=click.Path(dir_okay=False, allow_dash=True), metavar="FILE",
              callback=file_or_stdout, help="Write to a file; - is standard output.")  # fmt: skip
@json_option
def graph(
    store: Path,
    keys: tuple[str, ...],
    *,
    target: str | None,
    evidence: bool,
    output: str | None,
    file: Path | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Show what nodes are tied to: callers, tables, keys, migrations.

    KEY is a node key, or a name as people write it: dbo.Invoice, InvoiceService, OrderService.PlaceAsync. In the tree
    each node stands once, below the node through which it was first reached: → Calls means that the node above
    calls it, ← Calls that it calls the node above. For a page to explore add -o invoice.html.

    \b
    Example:
      ragduck graph shop.duckdb dbo.Invoice
      ragduck graph shop.duckdb dbo.Invoice_Create --impact --evidence
      ragduck graph shop.duckdb InvoiceController --to dbo.InvoiceLine
      ragduck graph shop.duckdb dbo.Invoice --relation FK --format mermaid
    """
    question = _question(keys, target, **settings)
    form = "json" if as_json else output or format_of(file)
    require_place(form, file, retry=shlex.join(["ragduck", "graph", str(store), *keys, "-o", "graph.html"]))
    from ragduck.opening import open_store

    with open_store(store, say=say) as opened:
        found = question.asked_of(opened)
        if form == "text":
            write_text(found, file, is_path=question.kind == "path", evidence=evidence)
        elif form == "json" and file is None:
            write_json(found.to_dict())
        else:
            write_drawing(found, form, file, title=question.title, files_at=opened.files_at)
    for line in question.summary(found):
        say(visible_line(line))


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the graph; ``settings`` are those of the walk that were given."""

    kind: str
    keys: tuple[str, ...]
    target: str | None
    settings: dict[str, Any]

    @property
    def title(self) -> str:
        """Return the question in words."""
        end = f" to {self.target}" if self.target else ""
        return f"{TITLES[self.kind]} {', '.join(self.keys)}{end}"

    def asked_of(self, store: Store) -> Neighbourhood:
        """Walk; of a name that no node has, tell what to type instead."""
        from ragduck.search.node_names import UnknownNodeError

        try:
            return self._walk(store)
        except UnknownNodeError as error:
            raise UsageError(error.message, hint=self._instead(error, store.path)) from error

    def _instead(self, error: UnknownNodeError, store: Path) -> str:
        if "repo" in self.settings or "branch" in self.settings:
            return f"see which there are: {shlex.join(['ragduck', 'info', str(store)])}"
        asked = [*self.keys, *([self.target] if self.target else [])]
        unknown = next((key for key in asked if repr(key) in error.message), asked[0])
        instead = error.table or next(iter(error.closest), None)
        if instead is None:
            return f"look for it: {shlex.join(['ragduck', 'search', str(store), unknown])}"
        meant = [instead if key == unknown else key for key in asked]
        if self.target:
            meant.insert(1, "--to")
        elif self.kind in FIXED:
            meant.append(f"--{self.kind}")
        again = shlex.join(["ragduck", "graph", str(store), *meant])
        if error.table:
            owner = unknown.rpartition(".")[0].lower()
            members = [key for key in error.closest if f".{owner}." in key.lower().replace(":", ".")]
            others = f"; or did you mean {' or '.join(members[:SHOWN])}?" if members else ""
            return f"columns are no nodes; their table: {again}{others}"
        return f"did you mean {' or '.join(error.closest[:SHOWN])}? {again}"

    def _walk(self, store: Store) -> Neighbourhood:
        if self.target is not None:
            return store.path_between(self.keys[0], self.target, **self.settings)
        walks = {"callers": store.callers, "callees": store.callees, "impact": store.impact}
        return walks.get(self.kind, store.neighbourhood)(self.keys, **self.settings)

    def summary(self, found: Neighbourhood) -> Iterator[str]:
        """Yield what a person should know about the answer."""
        yield from found.notes
        if self.kind == "path":
            yield self._path_told(found)
            return
        told = f"{counted(len(found.nodes), 'node')}, {counted(len(found.edges), 'edge')}"
        if found.is_cut:
            limit = self.settings["max_nodes"]
            fewer = "a smaller --depth" if self.kind in FIXED else "fewer with --relation or --direction"
            told += f"; cut at --max-nodes {limit}: try {2 * limit}, or {fewer}"
        elif self.settings.get("depth") != 0 and all(node.via_id is None for node in found.nodes):
            told += "; nothing is tied to it this way"
            if self.kind == "callers" and any(node.kind in READ for node in found.nodes):
                told += ": what reads and writes it tells --impact"
        yield told

    def _path_told(self, found: Neighbourhood) -> str:
        if found.nodes:
            return counted(len(found.nodes) - 1, "step")
        from ragduck.search.walk import EITHER_WAY_DEPTH, PATH_DEPTH

        if "max_depth" not in self.settings:
            return f"no path of {PATH_DEPTH} steps or fewer, either way none of {EITHER_WAY_DEPTH}"
        depth = self.settings["max_depth"]
        return f"no path of {counted(depth, 'step')} or fewer; try --depth {2 * depth}"


def _question(
    keys: tuple[str, ...], target: str | None, *, callers: bool, callees: bool, impact: bool, **settings: Any
) -> Question:
    """Return the question, refused if its parts do not go together."""
    asked = [name for name, is_asked in zip(FIXED, (callers, callees, impact), strict=True) if is_asked]
    kind = "path" if target is not None else asked[0] if asked else "around"
    if len(asked) + (target is not None) > 1:
        flags = [f"--{name}" for name in asked] + (["--to"] if target is not None else [])
        raise UsageError(f"{' and '.join(flags)} are different questions", hint="ask one at a time")
    if target is not None and len(keys) > 1:
        raise UsageError(f"a path has one start, not {len(keys)}", hint="give one KEY before --to")
    given = {name: value for name, value in settings.items() if value not in (None, ())}
    if kind in FIXED and "direction" in given:
        raise UsageError(f"--{kind} has a direction of its own", hint=f"leave out --direction, or --{kind}")
    if kind in CALLS and "relations" in given:
        raise UsageError(f"--{kind} follows calls alone", hint=f"leave out --relation, or --{kind}")
    if kind == "path":
        renamed = {"depth": "max_depth"}
        given = {renamed.get(name, name): value for name, value in given.items() if name != "max_nodes"}
    return Question(kind, keys, target, given)
