"""Scripts lead to those that sqlcmd puts in their place."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog, database_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Included = set[tuple[str, int, float]]
FILES = {
    "db/Post/Lookups/States.sql": "MERGE dbo.State AS t USING dbo.New AS s ON 1 = 1 WHEN MATCHED THEN DELETE;",
    "db/Post/Old Data/Fix it.sql": "DELETE FROM dbo.State",
    "db/Post/Twice.sql": "DELETE FROM dbo.State",
    "db/Lookups/Twice.sql": "DELETE FROM dbo.State",
    "other/Seed/Users.sql": "DELETE FROM dbo.Person",
}


def included(facts_of: FactsOf, script: str) -> Included:
    """What a script at `db/Post/Deploy.sql` includes, in which line, and how sure that is."""
    facts = facts_of({**FILES, "db/Post/Deploy.sql": script})
    return {
        (edge.to_key.removeprefix("file:").removesuffix("|FILE"), edge.line, edge.confidence)
        for edge in database_graph(DatabaseCatalog(facts)).edges
        if (edge.from_key, edge.relation, edge.rule) == ("file:db/Post/Deploy.sql|FILE", "Uses", "include")
    }


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("/* first */\n\n:r .\\Lookups\\States.sql\n", {("db/Post/Lookups/States.sql", 3, 1.0)}),
        (":R Lookups/STATES.SQL", {("db/Post/Lookups/States.sql", 1, 1.0)}),
        (':r ".\\Old Data\\Fix it.sql"\r\nGO\r\n', {("db/Post/Old Data/Fix it.sql", 1, 1.0)}),
        (":r ..\\Lookups\\Twice.sql", {("db/Lookups/Twice.sql", 1, 1.0)}),
        (":r .\\Twice.sql\nSELECT 1\n", {("db/Post/Twice.sql", 1, 1.0)}),
        (':r $(Root)"\n:r $(Root)\\Lookups\\States.sql', {("db/Post/Lookups/States.sql", 2, 0.7)}),
        (":r .\\Post\\Lookups\\States.sql", {("db/Post/Lookups/States.sql", 1, 0.7)}),
        (":r .\\Missing.sql", set()),
        (":r .\\Data\\$(Environment)\\States.sql", set()),
        (":r .\\Users.sql", set()),
        ("/*\n:r .\\Twice.sql\n*/\n--:r .\\Twice.sql\nPRINT '\n:r .\\Twice.sql\n'", set()),
        ("SELECT 'it''s'\nGO\n:r .\\Deploy.sql", set()),
    ],
)
def test_a_script_leads_to_what_it_includes(facts_of: FactsOf, script: str, expected: Included) -> None:
    assert included(facts_of, script) == expected
