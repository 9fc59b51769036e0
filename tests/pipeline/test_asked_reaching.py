"""Endpoints and tests that are asked for are walked to in up to 12 steps, as the cookbook does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.answering.reaching_lines import told_of_reaching
from ragduck.pipeline.question.asked_reaching import ENDPOINTS, JOBS, PAGES, TESTS, Reaching, asked_reaching
from ragduck.pipeline.state import EvidenceBlock, Reached, State

CODE = """\
namespace Post
{
    public class Desk
    {
        public int Take() { return Weigh(1); }
        public int Weigh(int parcel) { return parcel; }
        public int Idle() { return 0; }
    }
}
"""
TESTS_OF_IT = """\
using Xunit;
namespace Post.Tests
{
    public class DeskTests
    {
        [Fact]
        public void Takes() { Assert.Equal(1, new Desk().Take()); }
    }
}
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("post")
    (folder / "source" / "tests").mkdir(parents=True)
    (folder / "source" / "Desk.cs").write_text(CODE)
    (folder / "source" / "tests" / "DeskTests.cs").write_text(TESTS_OF_IT)
    ragduck.prepare(folder / "source", folder / "post.duckdb", repo="post", embed_model="none")
    with ragduck.open(folder / "post.duckdb") as opened:
        yield opened


def graph_block(run: Any, store: ragduck.Store, question: str, **fetch: int) -> EvidenceBlock:
    """Return what a prompt for a question is given of the graph."""
    steps: tuple[dict[str, Any], ...] = (
        {"id": "understand", "action": "understand_question"},
        {"id": "search", "action": "search_nodes"},
        {"id": "judge", "action": "check_entry_points", "on_good": "expand", "on_weak": "expand"},
        {"id": "expand", "action": "expand_dependency_tree"},
        {"id": "fetch", "action": "fetch_node_texts", "end": True, **fetch},
    )
    ran = run(*steps, state=State(question, question_en=question), store=store)
    found: EvidenceBlock = next(block for block in ran.state.evidence if block.kind == "graph")
    return found


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "which tests cover Desk.Weigh",
            "1 test reaches `Desk.Weigh` in at most 12 steps; all: `ragduck sql",
        ),
        ("which tests cover Desk.Idle", "No test is known to reach `Desk.Idle` in at most 12 steps"),
        (
            "which endpoints end in Desk.Weigh",
            "No controller or action is known to reach `Desk.Weigh` in at most 12 steps",
        ),
    ],
)
def test_what_reaches_a_thing_is_told(asked: Any, store: ragduck.Store, question: str, said: str) -> None:
    ran = asked(question, store=store)

    assert said in ran.state.answer


def test_who_asks_what_breaks_is_told_where_it_is_noticed(asked: Any, store: ragduck.Store) -> None:
    ran = asked("what breaks if I change Desk.Weigh", store=store)

    told = ran.state.answer.partition("## Where it is noticed")[2].partition("##")[0].strip()
    command = "ragduck sql STORE @tests_that_reach_a_node --set object=csharp:Post.Desk.Weigh"
    assert told == (
        f"A change of `Desk.Weigh` is noticed by:\n\n- 1 test: DeskTests.Takes; all with their steps: `{command}`"
    )


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("which tests cover Desk.Weigh", "1 test reaches `Desk.Weigh` in at most 12 steps"),
        (
            "what breaks if I change Desk.Weigh",
            "A change of `Desk.Weigh` is noticed by:\n- 1 test: DeskTests.Takes;",
        ),
        ("how does DeskTests.Takes reach Desk.Weigh", "2 steps from `DeskTests.Takes` to `Desk.Weigh`"),
    ],
)
def test_a_prompt_is_given_what_is_asked_of_the_graph_before_what_lies_around(
    run: Any, store: ragduck.Store, question: str, said: str
) -> None:
    graph = graph_block(run, store, question)

    assert graph.text.startswith(said)
    assert "Desk.Take" in graph.text.partition("METHOD:")[2]


def test_a_prompt_with_little_room_is_given_the_first_lines(run: Any, store: ragduck.Store) -> None:
    graph = graph_block(run, store, "how does DeskTests.Takes reach Desk.Weigh", max_context_tokens=700)

    assert graph.text.splitlines()[0].startswith("2 steps from `DeskTests.Takes`")
    assert "- Desk.Take —Calls→ Desk.Weigh" not in graph.text
    assert graph.tokens <= 700


@pytest.mark.parametrize("question", ["what breaks if I change Desk.Idle", "who calls Desk.Weigh"])
def test_where_it_is_noticed_is_told_only_where_it_is_known_and_asked_for(
    asked: Any, store: ragduck.Store, question: str
) -> None:
    assert "Where it is noticed" not in asked(question, store=store).state.answer


def test_what_reaches_it_is_told_with_its_steps(asked: Any, store: ragduck.Store) -> None:
    question = "which tests cover Desk.Weigh"

    ran = asked(question, store=store)

    assert "- DeskTests.Takes, 2 steps (tests/DeskTests.cs:" in ran.state.answer


def test_those_that_only_mention_it_are_counted_apart() -> None:
    reached = (
        Reached("csharp:Web.A.Get|METHOD", 3, "a.cs:1"),
        Reached("csharp:Web.B.Get|METHOD", 1, "b.cs:1", is_mention=True),
    )

    told = "\n".join(told_of_reaching(reached, ENDPOINTS, ["dbo.Order|TABLE"]))

    assert "1 controller or action reaches `dbo.Order`" in told
    assert "- A.Get, 3 steps (a.cs:1)" in told
    assert "B.Get" not in told
    assert "1 only leads to code that names the class of it." in told


def test_who_asks_for_jobs_or_what_breaks_is_told_of_them(asked: Any, tmp_path: Path) -> None:
    service = """using Microsoft.Extensions.Hosting;
namespace Post
{
    public class Sorter : BackgroundService
    {
        protected override Task ExecuteAsync(CancellationToken stop) { new Desk().Take(); return Task.CompletedTask; }
    }
}
"""
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "Desk.cs").write_text(CODE)
    (tmp_path / "source" / "Sorter.cs").write_text(service)
    ragduck.prepare(tmp_path / "source", tmp_path / "post.duckdb", repo="post", embed_model="none")

    with ragduck.open(tmp_path / "post.duckdb") as store:
        answer = asked("which jobs reach Desk.Weigh", store=store).state.answer
        breaking = asked("what breaks if I change Desk.Weigh", store=store).state.answer

    assert "1 job or program reaches `Desk.Weigh` in at most 12 steps" in answer
    assert "- Sorter.ExecuteAsync, 2 steps (Sorter.cs:6)" in answer
    assert "- 1 job or program: Sorter.ExecuteAsync; all with their steps" in breaking


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("which endpoint ends in the table dbo.A", ENDPOINTS),
        ("which API endpoints finally write dbo.A", ENDPOINTS),
        ("list all actions that reach dbo.A", ENDPOINTS),
        ("which unit tests exercise A.B", TESTS),
        ("Which pages write the table dbo.A?", PAGES),
        ("list all web forms that use dbo.A", PAGES),
        ("on which screens is dbo.A edited", PAGES),
        ("from which pages do users reach A.B", PAGES),
        ("which user controls show dbo.A", PAGES),
        ("which Razor views read dbo.A", PAGES),
        ("which Vue components change dbo.A", PAGES),
        ("welche Masken schreiben in dbo.A", PAGES),
        ("które okna używają tabeli dbo.A", PAGES),
        ("auf welcher Seite wird dbo.A angezeigt", PAGES),
        ("In welchem Fenster wird dbo.A bearbeitet", PAGES),
        ("na której stronie pokazano dbo.A", PAGES),
        ("which pages are affected if dbo.A changes", PAGES),
        ("which SSRS reports use dbo.A", PAGES),
        ("Which actions write dbo.A when the form is submitted?", ENDPOINTS),
        ("Which endpoints write dbo.A? The page is slow.", ENDPOINTS),
        ("Which tests cover the code that the order page does not show", TESTS),
        ("Which controllers write dbo.A and by which page are they called?", ENDPOINTS),
        ("in which form is dbo.A stored", None),
        ("What controls access to dbo.A?", None),
        ("What reports errors when dbo.A changes", None),
        ("which window functions read dbo.A", None),
        ("which control flow uses dbo.A", None),
        ("which page size does dbo.A use", None),
        ("which triggers write dbo.A and in what form", None),
        ("from which form does frmOrder inherit", None),
        ("welche Seiteneffekte schreibt dbo.A", None),
        ("Welche Dialogsprache verwendet dbo.A", None),
        ("which views read dbo.A", None),
        ("which components use A.B", None),
        ("which forms does Menu open", None),
        ("which endpoints does CartPage call", None),
        ("which test is A.B", None),
        ("who calls A.B", None),
        ("how is A.B tested", None),
    ],
)
def test_a_question_says_whether_it_asks_for_what_reaches_a_thing(
    question: str, asked: Reaching | None
) -> None:
    assert asked_reaching(question) == asked


@pytest.mark.parametrize(
    "question",
    [
        "which jobs write dbo.A",
        "Which windows services write dbo.A",
        "which nightly SQL Agent jobs write the table dbo.A?",
        "list all background services that read dbo.A",
        "what Hangfire jobs call A.B",
        "which scheduled tasks delete from dbo.A",
        "which Azure functions update dbo.A",
        "which SSIS packages fill dbo.A",
        "which console applications write dbo.A",
        "which job is affected if dbo.A changes",
        "welcher Job schreibt dbo.A",
        "Welche Jobs greifen auf dbo.A zu",
        "welcher Windows-Dienst liest dbo.A",
        "welche nächtlichen Batchläufe füllen dbo.A",
        "które zadania zapisują do dbo.A",
        "który job czyta tabelę dbo.A",
        "jakie usługi Windows używają dbo.A",
    ],
)
def test_jobs_are_asked_for_by_their_names(question: str) -> None:
    assert asked_reaching(question) == JOBS


@pytest.mark.parametrize(
    "question",
    [
        "which tables does the job write",
        "what tables the nightly job reads",
        "which table does the job OrderJob use",
        "which job titles are used by dbo.A",
        "which services use A.B",
        "which job is A.B",
        "what does the nightly job do",
        "which packages use A.B",
        "welche Dienste verwenden A.B",
    ],
)
def test_other_questions_do_not_ask_for_jobs(question: str) -> None:
    assert asked_reaching(question) is None


@pytest.mark.parametrize(
    "question", ["which HTTP endpoints end up writing dbo.Parcel", "which public endpoints write dbo.Parcel"]
)
def test_endpoints_may_be_called_by_their_kind(question: str) -> None:
    assert asked_reaching(question) == ENDPOINTS


def test_who_asks_for_writing_is_told_of_what_is_closest_to_that() -> None:
    reached = [
        Reached("file:A.aspx|FILE", 2, "A.aspx:1", is_writing=True, write_distance=7),
        Reached("file:B.aspx|FILE", 3, "B.aspx:1", is_writing=True, write_distance=3),
    ]

    told = list(told_of_reaching(reached, PAGES, ["dbo.Parcel|TABLE"], is_writing=True))

    assert told[1] == "- `B.aspx`, 3 steps\n- `A.aspx`, 7 steps"


def test_who_asks_for_writing_is_told_that_none_does() -> None:
    reached = [Reached("csharp:Desk.Read|METHOD", 1, "Desk.cs:1")]

    told = list(told_of_reaching(reached, ENDPOINTS, ["dbo.Parcel|TABLE"], is_writing=True))
    of_tests = list(told_of_reaching(reached, TESTS, ["dbo.Parcel|TABLE"], is_writing=True))

    assert told[0] == "No controller or action is known to lead to what writes `dbo.Parcel`."
    assert told[1].startswith("1 controller or action reaches `dbo.Parcel`")
    assert of_tests[0].startswith("1 test reaches `dbo.Parcel`")


def test_the_thing_that_is_named_first_is_the_one_that_changes(asked: Any, store: ragduck.Store) -> None:
    ran = asked("what breaks if I change Desk.Take, which calls Desk.Weigh", store=store)

    assert ran.state.endings.key == "csharp:Post.Desk.Take|METHOD"


def test_a_page_says_where_it_is() -> None:
    reached = (
        Reached("file:Views/Edit.cshtml|FILE", 2, "Views/Edit.cshtml:1"),
        Reached("csharp:Post.OrderForm|TYPE", 3, "OrderForm.cs:8"),
    )

    told = list(told_of_reaching(reached, PAGES, ["dbo.Order|TABLE"]))

    assert told[0].startswith("2 pages reach `dbo.Order`")
    assert told[1] == "- `Views/Edit.cshtml`, 2 steps\n- Post.OrderForm, 3 steps (OrderForm.cs:8)"


def test_who_asks_for_writing_is_told_of_that() -> None:
    reached = [
        Reached("csharp:Desk.Read|METHOD", 1, "Desk.cs:1"),
        Reached("csharp:Desk.Write|METHOD", 2, "Desk.cs:2", is_writing=True),
        Reached("csharp:Desk.Name|METHOD", 3, "Desk.cs:3", is_mention=True),
    ]

    told = list(told_of_reaching(reached, ENDPOINTS, ["dbo.Parcel|TABLE"], is_writing=True))

    assert told[0].startswith("1 controller or action leads to what writes `dbo.Parcel` in at most 12 steps")
    assert told[1:] == [
        "- Desk.Write, 2 steps (Desk.cs:2)",
        "1 more reaches it without that.",
        "1 only leads to code that names the class of it.",
    ]
