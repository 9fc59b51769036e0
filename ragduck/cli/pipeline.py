"""`ragduck pipeline`: list, show and check pipelines, and print the schema of their files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragduck.cli.amounts import counted
from ragduck.cli.arguments import json_option
from ragduck.cli.exit_codes import ExitCode
from ragduck.cli.output import say, visible_line, write, write_json, write_styled
from ragduck.cli.tables import table_lines

if TYPE_CHECKING:
    from ragduck.pipeline.checking.findings import Finding
    from ragduck.pipeline.loading.catalog import PipelineFile

FORMATS = ("yaml", "mermaid", "json")


@click.group()
def pipeline() -> None:
    """Look at the pipelines that answer questions, and check your own.

    A pipeline is a YAML file: settings, and steps that lead from a question to an answer. PIPELINE is a file,
    FILE#NAME, or the name of one that ships with ragduck.

    \b
    Example:
      ragduck pipeline list
      ragduck pipeline show base --format mermaid
      ragduck pipeline validate extractive --store shop.duckdb --json
    """


@pipeline.command("list")
@json_option
def list_pipelines(*, as_json: bool) -> None:
    """List the pipelines that ship with ragduck.

    \b
    Example:
      ragduck pipeline list
      ragduck pipeline list --json
    """
    rows = [_listed(file) for file in _shipped()]
    if as_json:
        write_json(rows)
        return
    shown = [
        [row["name"], "yes" if row["needs_model"] else "no", row["extends"] or "", row["description"]]
        for row in rows
    ]
    for line in table_lines(("name", "model", "extends", "description"), shown):
        write_styled(line)


@pipeline.command()
@click.argument("reference", metavar="PIPELINE")
@click.option("--format", "form", type=click.Choice(FORMATS), default="yaml", show_default=True,
              help="yaml loads to the same pipeline again; mermaid is a flowchart of the steps.")  # fmt: skip
def show(reference: str, *, form: str) -> None:
    """Show a pipeline after inheritance.

    \b
    Example:
      ragduck pipeline show base
      ragduck pipeline show mine.yaml --format mermaid
    """
    from ragduck.pipeline.loading.loading import load_pipeline

    loaded = load_pipeline(reference)
    if form == "mermaid":
        from ragduck.pipeline.checking.chart import pipeline_chart

        write(pipeline_chart(loaded))
        return
    from ragduck.pipeline.loading.yaml_writing import pipeline_data, pipeline_yaml

    if form == "yaml":
        write(pipeline_yaml(loaded))
    else:
        write_json({**pipeline_data(loaded), "origins": list(loaded.origins)})


@pipeline.command()
@click.argument("references", nargs=-1, required=True, metavar="PIPELINE...")
@click.option("--store", type=click.Path(path_type=Path), metavar="STORE",
              help="Check too whether this store can search as the pipeline asks.")  # fmt: skip
@json_option
@click.pass_context
def validate(ctx: click.Context, references: tuple[str, ...], *, store: Path | None, as_json: bool) -> None:
    """Check pipelines: keys, types, steps, branches, loops, prompts.

    Of a file with several pipelines each is checked. Warnings tell what is doubtful; exit code 1 when there is an
    error.

    \b
    Example:
      ragduck pipeline validate mine.yaml
      ragduck pipeline validate base mine.yaml --store shop.duckdb --json
    """
    known = {} if store is None else _known_to(store)
    findings = list(dict.fromkeys(found for each in references for found in _findings(each, known)))
    if as_json:
        write_json([_to_dict(finding) for finding in findings])
    else:
        for finding in findings:
            write_styled(visible_line(str(finding)))
            if finding.hint:
                write_styled(visible_line(f"  hint: {finding.hint}"))
    errors = sum(finding.severity == "error" for finding in findings)
    say(f"{counted(errors, 'error')}, {counted(len(findings) - errors, 'warning')}")
    ctx.exit(ExitCode.FAILED if errors else ExitCode.DONE)


@pipeline.command(short_help="Print the JSON schema of pipeline files, for editors.")
def schema() -> None:
    """Print the JSON schema of pipeline files, for completion in editors.

    The first line of a file names it: `# yaml-language-server: $schema=pipeline.schema.json`.

    \b
    Example:
      ragduck pipeline schema > pipeline.schema.json
    """
    from ragduck.pipeline.checking.schema import pipeline_schema

    write_json(pipeline_schema())


def _shipped() -> Iterator[PipelineFile]:
    from ragduck.pipeline.loading.catalog import PipelineFile, shipped_pipelines

    for path in shipped_pipelines():
        yield PipelineFile(path)


def _listed(file: PipelineFile) -> dict[str, Any]:
    from ragduck.pipeline.checking.capability_checks import needs_model
    from ragduck.pipeline.loading.loading import load_pipeline

    loaded = load_pipeline(file)
    return {
        "name": loaded.name,
        "description": loaded.description,
        "extends": Path(loaded.origins[-2]).stem if len(loaded.origins) > 1 else None,
        "needs_model": needs_model(loaded),
        "path": str(file.path),
    }


def _findings(reference: str, known: Mapping[str, Collection[str]]) -> Iterator[Finding]:
    """Yield what is wrong with every pipeline that a reference means."""
    from ragduck.errors import PipelineError
    from ragduck.pipeline.checking.findings import InvalidPipelineError, error_at
    from ragduck.pipeline.checking.validation import check_pipeline
    from ragduck.pipeline.definition import Place
    from ragduck.pipeline.loading.loading import load_pipeline

    try:
        files = _meant(reference)
    except InvalidPipelineError as error:
        yield from error.findings
        return
    except PipelineError as error:
        yield error_at(Place(reference, 1, 1), error.message, hint=error.hint)
        return
    for file in files:
        try:
            yield from check_pipeline(
                load_pipeline(file), store_modes=known.get("modes"), store_relations=known.get("relations")
            )
        except InvalidPipelineError as error:
            yield from error.findings


def _meant(reference: str) -> list[PipelineFile]:
    """Return the pipelines that a reference means: of a file with several, each."""
    from ragduck.pipeline.loading.catalog import PipelineFile, find_pipeline
    from ragduck.pipeline.loading.level import names_in

    file = find_pipeline(reference)
    names = names_in(file.path) if file.name is None else []
    return [PipelineFile(file.path, name) for name in names] if len(names) > 1 else [file]


def _known_to(store: Path) -> dict[str, Collection[str]]:
    """Return the search modes that a store serves and the relations of its graph."""
    from ragduck.library import open_store
    from ragduck.pipeline.checking.capability_checks import modes_of
    from ragduck.pipeline.checking.search_checks import relation_names

    with open_store(store) as opened:
        modes = modes_of(has_vectors=opened.model is not None)
        return {"modes": modes, "relations": relation_names(opened.rows)}


def _to_dict(finding: Finding) -> dict[str, object]:
    return {
        "file": finding.place.file,
        "line": finding.place.line,
        "column": finding.place.column,
        "severity": finding.severity,
        "message": finding.message,
        "hint": finding.hint,
    }
