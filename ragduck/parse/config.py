"""Outline files without symbols of their own: JSON, YAML, XML, CSS and any other text.

The whole file is one symbol; only the places where a long one is best cut differ. They are read off the
indentation, line by line: no parser runs, so there is nothing that a hostile file could blow up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

from ragduck.model import Document, Outline, Symbol
from ragduck.parse.facts.command_files import facts_of_command_file
from ragduck.parse.facts.connections import facts_of_connections
from ragduck.parse.facts.edmx import facts_of_edmx
from ragduck.parse.facts.hibernate import facts_of_hibernate
from ragduck.parse.facts.module_manifest import facts_of_module_manifest
from ragduck.parse.facts.packages import facts_of_package
from ragduck.parse.facts.projects import facts_of_project
from ragduck.parse.facts.resources import facts_of_resources
from ragduck.parse.facts.typed_datasets import facts_of_typed_dataset
from ragduck.parse.facts.web_config import facts_of_web_config
from ragduck.parse.facts.xaml import facts_of_xaml

LONGEST_STRETCH = 40  # lines without a cut

_TAB_WIDTH = 4
_INDENT_SAMPLE = 400  # indented lines that the unit of indentation is learnt from

_Cutter = Callable[[Sequence[str]], Iterator[int]]


def outline(document: Document) -> Outline:
    """Return one `file` symbol, or none for a file without text."""
    if not document.text.strip():
        return Outline()
    path = PurePosixPath(document.path)
    lines = document.lines[: -1 if document.text.endswith("\n") else None]
    cut = _CUTTERS.get(path.suffix.lower(), _cut_text)
    symbol = Symbol(
        name=path.name,
        qualified_name=document.path,
        element_type="file",
        start_line=1,
        end_line=len(lines),
        cuts=tuple(_fill(cut(lines), total=len(lines))),
    )
    readers = (
        facts_of_typed_dataset, facts_of_package, facts_of_web_config, facts_of_project, facts_of_edmx,
        facts_of_hibernate, facts_of_xaml, facts_of_connections, facts_of_resources, facts_of_module_manifest,
        facts_of_command_file,
    )  # fmt: skip
    facts = next((found for found in (read(document) for read in readers) if found is not None), None)
    return Outline((symbol,), facts=facts)


def _fill(cuts: Iterator[int], *, total: int) -> Iterator[int]:
    """Yield the cuts after line 1, and further ones wherever they are too far apart."""
    previous = 1
    for cut in cuts:
        if cut <= previous:
            continue
        yield from range(previous + LONGEST_STRETCH, cut, LONGEST_STRETCH)
        yield cut
        previous = cut
    yield from range(previous + LONGEST_STRETCH, total + 1, LONGEST_STRETCH)


def _cut_text(lines: Sequence[str]) -> Iterator[int]:
    """Yield the first line of each paragraph, and `[section]` lines."""
    was_blank = True
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text and (was_blank or (line.startswith("[") and text.endswith("]"))):
            yield number
        was_blank = not text


def _cut_json(lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines at depth 1 and 2 that open or hold an entry."""
    unit = _indent_unit(lines)
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text and text[0] not in "}]" and unit <= _indent(line) <= 2 * unit:
            yield number


def _cut_yaml(lines: Sequence[str]) -> Iterator[int]:
    """Yield the entries of the first two levels, with the comments above them."""
    unit = _indent_unit(lines)
    was_comment = False
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text:
            was_comment = False
        elif _indent(line) <= unit:
            if not was_comment:
                yield number
            was_comment = text.startswith("#")


def _cut_markup(lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines down to depth 2 that begin with an opening tag or a comment."""
    unit = _indent_unit(lines)
    for number, line in enumerate(lines, start=1):
        text = line.lstrip()
        if text.startswith("<") and not text.startswith("</") and _indent(line) <= 2 * unit:
            yield number


def _cut_css(lines: Sequence[str]) -> Iterator[int]:
    """Yield the first lines of rules, of those within `@media` too, with the comments above them."""
    depth, previous = 0, "}"
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text:
            continue
        ends_rule = previous.endswith("}") or (depth == 0 and previous.endswith(";"))
        if ends_rule and depth <= 1 and not text.startswith("}"):
            yield number
        depth = max(0, depth + text.count("{") - text.count("}"))
        previous = text


def _indent(line: str) -> int:
    margin = line[: len(line) - len(line.lstrip(" \t"))]
    return len(margin) + margin.count("\t") * (_TAB_WIDTH - 1)


def _indent_unit(lines: Sequence[str]) -> int:
    """Return the smallest indentation of a line with text; files without any count as indented by 1."""
    indents: list[int] = []
    for line in lines:
        indent = _indent(line)
        if indent and line.strip():
            indents.append(indent)
        if len(indents) == _INDENT_SAMPLE:
            break
    return min(indents, default=1)


_CUTTERS: dict[str, _Cutter] = {
    **dict.fromkeys((".json", ".jsonc", ".json5", ".webmanifest", ".ipynb"), _cut_json),
    **dict.fromkeys((".yaml", ".yml"), _cut_yaml),
    **dict.fromkeys((".css", ".scss", ".less", ".sass"), _cut_css),
    **dict.fromkeys(
        (
            *(".xml", ".html", ".htm", ".xhtml", ".xaml", ".axaml", ".svg", ".config", ".resx", ".nuspec"),
            *(".csproj", ".vbproj", ".fsproj", ".sqlproj", ".proj", ".props", ".targets", ".slnx", ".xsd"),
            *(
                ".dtsx",
                ".rdl",
                ".rdlc",
                ".rsd",
                ".xsl",
                ".xslt",
                ".wsdl",
                ".plist",
                ".vue",
                ".svelte",
                ".edmx",
                ".pubxml",
                ".ruleset",
            ),
        ),
        _cut_markup,
    ),
}
