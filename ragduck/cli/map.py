"""`ragduck map`: a map of the corpus as tables in the store and as a page to explore."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from ragduck.cli.amounts import counted, size_text
from ragduck.cli.arguments import PlacePath, json_option, quiet_option, store_argument, wait_option
from ragduck.cli.graph_output import require_place
from ragduck.cli.output import progress_on_terminal, say, visible_line, write_json

if TYPE_CHECKING:
    from ragduck.corpus_map.report import MapReport

SHOWN = 5  # topics in the summary


@click.command("map", short_help="Draw the corpus as a map: what is alike lies together.")
@store_argument
@click.option("-o", "--output", "page", type=PlacePath(dir_okay=False), metavar="FILE",
              help="Where to write the page; by default STORE.map.html beside the store.")  # fmt: skip
@click.option("--level", type=click.Choice(["chunk", "file"]), default="chunk", show_default=True,
              help="What a point is.")  # fmt: skip
@click.option("--repo", "repos", multiple=True, help="Only this repository; may be repeated.")
@click.option("--branch", "branches", multiple=True, help="Only this branch; may be repeated.")
@click.option("--sample", type=int, default=100_000, show_default=True,
              help="Most points; of more, so many are chosen evenly.")  # fmt: skip
@click.option("--n-neighbors", type=int, default=15, show_default=True,
              help="Small for fine detail, large for the whole picture.")  # fmt: skip
@click.option("--min-dist", type=float, default=0.1, show_default=True,
              help="How close points may come, 0 to 1.")  # fmt: skip
@click.option("--min-cluster-size", type=int,
              help="Fewest points that make a topic; by default half the square root of all.")  # fmt: skip
@click.option("--random-state", type=int, default=42, show_default=True, help="Another number, another map.")
@click.option("--no-topics", is_flag=True, help="Look for no topics.")
@click.option("--no-links", is_flag=True, help="Leave out the links of Markdown files.")
@wait_option
@quiet_option
@json_option
def map_command(
    store: Path,
    *,
    page: Path | None,
    level: Literal["chunk", "file"],
    no_topics: bool,
    no_links: bool,
    wait: float,
    quiet: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Draw the corpus as a map: what is alike lies together, in topics named by their words.

    Places (UMAP), topics (HDBSCAN) and the links between Markdown files are put into the store as the tables
    map_points, map_topics and map_links, to be asked in SQL, and drawn as one HTML page that works
    offline. The same store and settings give the same map; a prepare that changes the store takes it out. A map that
    is in the store already is only drawn again. Making one needs the extra `map`.

    \b
    Example:
      ragduck map shop.duckdb
      ragduck map shop.duckdb --level file -o shop.html
    """
    from ragduck.corpus_map.run import make_map, page_path
    from ragduck.corpus_map.settings import MapSettings

    place = page or page_path(store)
    require_place("html", place, retry=shlex.join(["ragduck", "map", str(store), "-o", "map.html"]))
    wanted = MapSettings(
        level=level,
        repos=settings.pop("repos"),
        branches=settings.pop("branches"),
        topics=not no_topics,
        links=not no_links,
        **settings,
    )
    report = make_map(store, place, settings=wanted, wait=wait, progress=progress_on_terminal(quiet=quiet))
    if as_json:
        write_json(report.to_dict())
    if not quiet:
        for line in _summary(report):
            say(visible_line(line))


def _summary(report: MapReport) -> Iterator[str]:
    told = "the map that the store holds" if report.is_stored_one else f"{report.method}"
    yield f"{report.page}: {size_text(report.page_bytes)}, {counted(report.points, report.level)}, {told}"
    if report.left_out:
        yield f"{counted(report.left_out, report.level)} left out by --sample"
    if report.without_vector:
        yield f"{counted(report.without_vector, report.level)} without a vector, as of generated files, not on it"
    if report.topics:
        named = "; ".join(f"{name} ({points:,})" for name, points in report.topics[:SHOWN])
        more = f" and {len(report.topics) - SHOWN} more" if len(report.topics) > SHOWN else ""
        yield f"{counted(len(report.topics), 'topic')}: {named}{more}; {report.between_topics:,} between them"
    if report.links:
        yield "links: " + ", ".join(f"{links:,} {STATUS[status]}" for status, links in report.links.items())
    yield "took " + ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in report.seconds.items())
    yield f"open it: {report.page.resolve().as_uri()}"


STATUS = {
    "absent": "to what is not stored",
    "file": "to files",
    "folder": "to folders",
    "outside": "out of the repository",
}
