"""Tables of an installation share a prefix that code puts before their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts, ObjectFact, ObjectName
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.database.prefixes import TablePrefixes
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
TablesOf = Callable[[str], list[tuple[str, float]]]

TABLES = ("app_Posts", "app_Users", "app_Roles", "app_Tags", "app_UserRoles", "Log", "old_Tags")
HOLE = "\ufffc"


@pytest.fixture
def tables_of(facts_of: FactsOf) -> TablesOf:
    """Return the tables, and how sure they are, that a statement of C# leads to."""

    def tables(statement: str) -> list[tuple[str, float]]:
        code = f"class Blog {{ string prefix; void Read(IDbConnection db, string sign) {{ {statement} }} }}"
        facts = facts_of({"Blog.cs": code})
        created = [ObjectFact(f"dbo.{name}|TABLE", "TABLE", ObjectName(name, "dbo"), 1, 1) for name in TABLES]
        graph = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts, created=created))
        return sorted((edge.to_key, edge.confidence) for edge in graph.edges)

    return tables


@pytest.mark.parametrize(
    "statement",
    [
        'db.Query($"SELECT * FROM {prefix}Posts WHERE Id = {sign}Id");',
        'db.Query(string.Format("SELECT * FROM {0}posts WHERE Id = {1}Id", prefix, sign));',
        'db.Query("SELECT * FROM " + prefix + "Posts");',
        'db.Query($"SELECT * FROM [dbo].[{prefix}Posts]");',
    ],
)
def test_a_table_is_found_behind_an_unknown_prefix(tables_of: TablesOf, statement: str) -> None:
    assert tables_of(statement) == [("dbo.app_Posts|TABLE", 0.7)]


@pytest.mark.parametrize(
    "name",
    [
        "{prefix}Missing",  # no table of any prefix
        "{prefix}_Posts",  # a table without the underscore has no such name
        "{prefix}og",  # a part of a word is no name
        "Old{prefix}Posts",
        "{prefix}{sign}Posts",
    ],
)
def test_other_names_with_unknown_pieces_lead_nowhere(tables_of: TablesOf, name: str) -> None:
    assert tables_of(f'db.Query($"SELECT * FROM {name}");') == []


def test_a_name_that_two_prefixes_complete_stays_unknown() -> None:
    tables = [f"{prefix}{name}" for prefix in ("a_", "b_") for name in ("One", "Two", "Six", "Ten", "Nil")]

    assert TablePrefixes(tables).put_before(f"from {HOLE}One") == f"from {HOLE}One"
    assert TablePrefixes(tables[:5]).put_before(f"from {HOLE}One") == "from a_One"


def test_a_prefix_is_what_several_tables_share() -> None:
    tables = ["a_One", "a_Two", "a_Six", "a_Ten"]

    assert TablePrefixes(tables).put_before(f"from {HOLE}One") == f"from {HOLE}One"
    assert TablePrefixes([*tables, "A_Nil"]).put_before(f"from {HOLE}one") == "from a_one"
