"""What a question names is held to: a table in small letters, and the members of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.question.words import perhaps_tables
from ragduck.pipeline.retrieval.entry_points import is_named
from ragduck.pipeline.state import State

STEPS: tuple[dict[str, Any], ...] = (
    {"id": "understand", "action": "understand_question"},
    {"id": "search", "action": "search_nodes"},
    {"id": "judge", "action": "check_entry_points", "on_good": "expand", "on_weak": "weak"},
    {"id": "expand", "action": "expand_dependency_tree", "max_nodes": 20},
    {"id": "present", "action": "present_evidence", "end": True},
    {"id": "weak", "action": "state_limits", "end": True},
)
TABLES = (
    "create table parcels (id int not null, weight int null);\ngo\ncreate table stamps (id int not null);\n"
)
PAGE = """\
<%@ Page Language="C#" Inherits="Post.{name}" CodeBehind="{name}.aspx.cs" %>
<html><body>Parcel</body></html>
"""
CODE = """\
using System.Data.SqlClient;
namespace Post
{{
    public class {name} : System.Web.UI.Page
    {{
        protected void Page_Load(object sender, System.EventArgs e)
        {{
            write_{table}();
        }}
        private void write_{table}()
        {{
            new SqlCommand("insert into {table} (id) values (1)").ExecuteNonQuery();
        }}
    }}
}}
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("post")
    (folder / "source").mkdir()
    (folder / "source" / "tables.sql").write_text(TABLES)
    for name, table in (("edit_parcel", "parcels"), ("edit_stamp", "stamps")):
        (folder / "source" / f"{name}.aspx").write_text(PAGE.format(name=name))
        (folder / "source" / f"{name}.aspx.cs").write_text(CODE.format(name=name, table=table))
    ragduck.prepare(folder / "source", folder / "post.duckdb", repo="post", embed_model="none")
    with ragduck.open(folder / "post.duckdb") as opened:
        yield opened


def asked(run: Any, store: ragduck.Store, question: str) -> State:
    state: State = run(*STEPS, state=State(question, question_en=question), store=store).state
    return state


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("what writes table bugs", ["bugs|TABLE"]),
        ("what writes the table prims?", ["prims|TABLE"]),
        ("which pages write to the users table", ["users|TABLE"]),
        ("who executes the procedure archive", ["archive|PROC"]),
        ("who reads the Packages table", ["Packages|TABLE"]),
        ("which table stores invoices", []),
        ("what does the table store", []),
        ("in which table is a list", []),
        ("which columns does the table dbo.users have", []),
        ("a table users can edit", []),
    ],
)
def test_words_beside_table_may_be_its_name(question: str, names: list[str]) -> None:
    assert perhaps_tables(question) == names


@pytest.mark.parametrize("question", ["What writes the table parcels?", "what writes to the parcels table"])
def test_a_table_in_small_letters_is_all_that_a_question_is_about(
    run: Any, store: ragduck.Store, question: str
) -> None:
    state = asked(run, store, question)

    assert state.understanding
    assert state.understanding.concepts == ("parcels|TABLE",)
    assert state.entry_nodes == ("dbo.parcels|TABLE",)
    assert "1 writer of `dbo.parcels`:" in state.answer


def test_what_the_store_has_no_table_of_is_a_plain_word(run: Any, store: ragduck.Store) -> None:
    state = asked(run, store, "what writes the table letters")

    assert state.understanding
    assert "letters|TABLE" not in state.understanding.concepts


def test_a_file_is_entered_by_its_members_alone(run: Any, store: ragduck.Store) -> None:
    state = asked(run, store, "What tables does edit_parcel.aspx touch?")

    assert state.entry_nodes == ("file:edit_parcel.aspx|FILE", "file:edit_parcel.aspx.cs|FILE")
    assert "1 read or write by `edit_parcel.aspx` that is a table:" in state.answer
    assert "- edit_parcel.write_parcels —WritesTo→ dbo.parcels" in state.answer
    assert "stamps" not in state.answer.partition("## Texts")[0]


def test_other_words_of_the_question_lead_to_no_other_file(run: Any, store: ragduck.Store) -> None:
    state = asked(run, store, "how does edit_parcel.aspx write a stamp")

    assert {key.partition(".aspx")[0] for key in state.entry_nodes} == {"file:edit_parcel"}


@pytest.mark.parametrize(
    ("key", "name", "expected"),
    [
        ("file:web/edit_parcel.aspx|FILE", "edit_parcel.aspx", True),
        ("file:edit_parcel.aspx.cs|FILE", "edit_parcel.aspx", True),
        ("file:web/my_edit_parcel.aspx|FILE", "edit_parcel.aspx", False),
        ("file:web/edit_parcel.aspx.md|FILE", "edit_parcel.aspx", False),
    ],
)
def test_a_file_and_its_code_bear_its_name(key: str, name: str, expected: bool) -> None:
    assert is_named({"node_key": key}, name) is expected
