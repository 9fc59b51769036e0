"""A system that is written code first has no file that defines its tables; what it maps and uses is found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.retrieval.named_nodes import named_nodes, undefined_objects
from ragduck.pipeline.state import State

ENTITY = """\
using System.ComponentModel.DataAnnotations.Schema;
namespace Nursery
{
    [Table("Seedling", Schema = "dbo")]
    public class Seedling
    {
        public int Id { get; set; }
        public string Label { get; set; }
    }
}
"""
CONTEXT = """\
using System.Linq;
using Microsoft.EntityFrameworkCore;
namespace Nursery
{
    public class NurseryContext : DbContext
    {
        public DbSet<Seedling> Seedlings { get; set; }
    }
    public class SeedlingStock
    {
        private readonly NurseryContext _context;
        public SeedlingStock(NurseryContext context) { _context = context; }
        public Seedling Find(int id) { return _context.Seedlings.FirstOrDefault(one => one.Id == id); }
        public void Plant(Seedling seedling) { _context.Seedlings.Add(seedling); _context.SaveChanges(); }
    }
}
"""
STEPS: tuple[dict[str, Any], ...] = (
    {"id": "understand", "action": "understand_question"},
    {"id": "search", "action": "search_nodes"},
    {"id": "judge", "action": "check_entry_points", "on_good": "expand", "on_weak": "weak"},
    {"id": "expand", "action": "expand_dependency_tree"},
    {"id": "texts", "action": "fetch_node_texts", "end": True},
    {"id": "weak", "action": "state_limits", "end": True},
)
TABLE, CLASS = "dbo.Seedling|TABLE", "csharp:Nursery.Seedling|TYPE"
QUESTION = "what breaks if I change dbo.Seedling"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("nursery")
    (folder / "source").mkdir()
    (folder / "source" / "Seedling.cs").write_text(ENTITY)
    (folder / "source" / "NurseryContext.cs").write_text(CONTEXT)
    path = folder / "nursery.duckdb"
    ragduck.prepare(folder / "source", path, repo="nursery", embed_model="none")
    with ragduck.open(path) as opened:
        yield opened


def test_a_table_that_no_file_defines_is_found_by_its_identifier(store: ragduck.Store) -> None:
    assert named_nodes(store.rows, ["dbo.Seedling"]) == (TABLE,)


def test_a_plain_word_means_what_is_defined(store: ragduck.Store) -> None:
    assert TABLE not in named_nodes(store.rows, ["seedling"])


def test_a_word_that_is_called_a_table_means_the_table_alone(store: ragduck.Store) -> None:
    assert named_nodes(store.rows, ["Seedling|TABLE"]) == (TABLE,)
    assert named_nodes(store.rows, ["SeedlingStock|TABLE"]) == ("csharp:Nursery.SeedlingStock|TYPE",)


def test_a_type_that_no_file_defines_is_not_found(store: ragduck.Store) -> None:
    assert named_nodes(store.rows, ["Microsoft.EntityFrameworkCore.DbContext", "DbContext"]) == ()


def test_the_entity_tells_of_its_table(store: ragduck.Store) -> None:
    hit = undefined_objects(store.rows, store.chunks, [TABLE])[TABLE]

    assert (hit["node_key"], hit["entity"], hit["data_type"]) == (TABLE, CLASS, "db_code")
    assert "public class Seedling" in hit["text"]


@pytest.mark.parametrize("question", [QUESTION, "Which code writes the table Seedling?"])
def test_a_question_about_it_leads_with_the_table_and_its_entity(
    run: Any, store: ragduck.Store, question: str
) -> None:
    ran = run(*STEPS, state=State(question, question_en=question), store=store)

    assert ran.state.entry_nodes == (TABLE, CLASS)
    users = {edge.from_key for edge in ran.state.neighbourhood.edges if edge.to_key == TABLE}
    assert {CLASS, "csharp:Nursery.SeedlingStock.Plant|METHOD"} <= users
    assert CLASS in [block.key for block in ran.state.evidence]


def test_filters_that_leave_nothing_that_tells_of_it_leave_it_out(run: Any, store: ragduck.Store) -> None:
    search = {**STEPS[1], "filters": {"data_type": ["regular_code"]}, "end": True}

    ran = run(STEPS[0], search, state=State(QUESTION, question_en=QUESTION), store=store)

    assert TABLE not in [hit["node_key"] for hit in ran.state.hits]


MIGRATION = """\
using Microsoft.EntityFrameworkCore.Migrations;
namespace Nursery
{
    [Migration("20240101000000_Initial")]
    public class Initial : Migration
    {
        protected override void Up(MigrationBuilder builder)
        {
            builder.CreateTable(name: "Seedling", schema: "dbo", columns: table => new { Id = table.Column<int>() });
        }
    }
}
"""


def test_a_table_that_only_a_migration_makes_is_found(run: Any, tmp_path: Path) -> None:
    (tmp_path / "source" / "Migrations").mkdir(parents=True)
    (tmp_path / "source" / "Seedling.cs").write_text(ENTITY)
    (tmp_path / "source" / "Migrations" / "20240101000000_Initial.cs").write_text(MIGRATION)
    ragduck.prepare(tmp_path / "source", tmp_path / "s.duckdb", embed_model="none")

    with ragduck.open(tmp_path / "s.duckdb") as migrated:
        ran = run(*STEPS, state=State(QUESTION, question_en=QUESTION), store=migrated)

    assert ran.state.entry_nodes == (TABLE, CLASS)
