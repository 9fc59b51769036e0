"""What the static model is trained on: pairs cut from files, and nothing that is evaluated on."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).parents[3] / "scripts" / "static_embedding"
FUNCTION = (
    'def count_words(text, ignore_case=True):\n    """Count how often each word occurs in a text."""\n'
    "    words = text.lower().split() if ignore_case else text.split()\n    counts = {}\n"
    "    for word in words:\n        counts[word] = counts.get(word, 0) + 1\n    return counts\n"
)


@pytest.fixture(scope="module")
def overlap() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPTS))
        import overlap as module

        yield module
        for name in ("overlap", "pairs"):
            sys.modules.pop(name, None)


@pytest.fixture
def evaluated(overlap: ModuleType, tmp_path: Path) -> object:
    (tmp_path / "code.json").write_text(json.dumps({FUNCTION: 0}))
    (tmp_path / "queries.json").write_text(json.dumps([{"doc": "python count the words of a file"}]))
    return overlap.read_evaluated(tmp_path)


def test_a_comment_is_cut_from_its_code(overlap: ModuleType) -> None:
    (pair,) = overlap.pairs_of("words.py", FUNCTION)

    assert (pair.kind, pair.title, pair.text) == (
        "doc",
        "count_words",
        "Count how often each word occurs in a text.",
    )
    assert "Count how often" not in pair.code


def test_a_summary_of_csharp_is_cut_from_its_code(overlap: ModuleType) -> None:
    source = (
        "class Orders\n{\n    /// <summary>Places an order for a customer.</summary>\n    [HttpPost]\n"
        "    public int Place(int customer)\n    {\n        return store.Add(customer);\n    }\n}\n"
    )

    pairs = {pair.title: pair for pair in overlap.pairs_of("Orders.cs", source)}

    assert pairs["Orders.Place"].text == "Places an order for a customer."
    assert pairs["Orders.Place"].code.startswith("public int Place")


def test_a_procedure_is_cut_from_its_comment(overlap: ModuleType) -> None:
    source = (
        "-- Adds an order and its lines.\ncreate procedure dbo.Order_Add @id int as\nbegin\n"
        "    insert into dbo.Orders (Id) values (@id);\nend\n"
    )

    (pair,) = overlap.pairs_of("add.sql", source)

    assert (pair.title, pair.text) == ("dbo.Order_Add", "Adds an order and its lines.")


def test_a_function_that_is_evaluated_on_is_found_however_it_is_laid_out(
    overlap: ModuleType, evaluated: object
) -> None:
    copied = FUNCTION.replace("    ", "  ").replace("count_words", "word_counts")
    (pair,) = overlap.pairs_of("copy.py", copied)

    with pytest.raises(SystemExit, match="evaluation data is in the training data: word_counts"):
        overlap.require_disjoint([pair], evaluated)


def test_a_query_that_is_evaluated_on_is_found(overlap: ModuleType, evaluated: object) -> None:
    pair = overlap.Pair("doc", "python", "f", "Python: count the words of a file.", "def f(): return 1")

    assert evaluated.holds(pair)


def test_other_pairs_are_counted(overlap: ModuleType, evaluated: object) -> None:
    pair = overlap.Pair(
        "doc", "python", "f", "Open the door.", "def f(door):\n    door.open()\n    return door"
    )

    assert overlap.require_disjoint([pair, pair], evaluated) == 2


def test_code_that_uses_what_is_evaluated_on_is_left_out(overlap: ModuleType) -> None:
    source = "using Dapper;\nclass Orders { public int Place(int customer) { return customer + 1; } }\n"

    assert list(overlap.pairs_of("Orders.cs", source)) == []
