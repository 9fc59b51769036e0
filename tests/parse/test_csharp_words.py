"""What the grammar of C# cannot read is written otherwise, so that the rest of the file is read."""

from __future__ import annotations

import pytest

from ragduck.facts import FileFacts
from ragduck.model import Document
from ragduck.parse.csharp import outline


def facts_of(source: str) -> FileFacts:
    return outline(Document("A.cs", source, "csharp", "cs", "source", len(source), 0)).facts


@pytest.mark.parametrize(
    "statement",
    [
        's = $@"""{s}""";',
        's = @$"""{s}""";',
        's = $@"a ""{s}""";',
        's = $@"{s}""{s}""";',
        's = s switch { string t => $@"""{t}""", _ => s };',
        "*(p++) = 1;",
        "*(p++) += all[(value >> 8) & 0xFF];",
        "x = all[first - *(p++)];",
        "x = all[*(p++) - first];",
        "x = *(int*)p;",
        "return Order(*(Int32*) length);",
        "x = *((Int32*)length);",
    ],
)
def test_pointers_and_quotes_do_not_tear_a_file(statement: str) -> None:
    facts = facts_of(
        f"namespace N {{ class A {{ void M() {{ {statement} }} void Next() {{ Run(); }} }} class B {{ }} }}"
    )

    assert {one.key for one in facts.types} == {"csharp:N.A|TYPE", "csharp:N.B|TYPE"}
    assert {one.key for one in facts.members} == {"csharp:N.A.M|METHOD", "csharp:N.A.Next|METHOD"}
    assert [call.source for call in facts.calls if call.call.function[0] == "Run"] == [
        "csharp:N.A.Next|METHOD"
    ]


def test_a_raw_text_ends_with_its_quotes() -> None:
    facts = facts_of('class A { void M() { s = $"""{s}"""; int x = async; } void Next() { Run(); } }')

    assert {one.name for one in facts.members} == {"M", "Next"}


@pytest.mark.parametrize("torn", ['s = """ {', "if (a { ", "x = y => { (("])
def test_what_is_left_of_a_torn_type_is_not_global(torn: str) -> None:
    source = f"""
        namespace N {{
            class A {{
                public int First => 1;
                public void Before() {{ Run(); }}
                public void M() {{
                    {torn}
                }}
                public void Next() {{ Run(); }}
                public int Last {{ get; set; }}
            }}
        }}
        """
    found = outline(Document("A.cs", source, "csharp", "cs", "source", len(source), 0))

    assert found.problems
    assert all(one.owner for one in found.facts.members)


def test_functions_of_top_level_statements_stay_in_a_broken_file() -> None:
    facts = facts_of("Run();\nvoid Run() { }\nint x = 1 +;\n")

    assert [one.key for one in facts.members] == ["csharp:Run|METHOD"]
