"""Query sets are read whole or refused with the line that is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.errors import UsageError
from ragduck.evaluation import Query, read_queries

WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters="\t\n\r#", categories=["L", "N", "P"]), min_size=1
)


def written(folder: Path, content: str | bytes, *, name: str = "queries.tsv") -> Path:
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def refusal(file: Path) -> str:
    with pytest.raises(UsageError) as caught:
        read_queries(file)
    assert caught.value.hint
    return caught.value.message


def test_relevant_and_secondary_paths_of_json_both_count(tmp_path: Path) -> None:
    entry = {
        "query": "orders",
        "relevant": ["a.cs", "b.cs"],
        "secondary": ["c.cs", "a.cs"],
        "category": "symbol",
    }
    file = written(tmp_path, json.dumps([entry]), name="q.json")

    assert read_queries(file) == (Query("orders", ("a.cs", "b.cs", "c.cs"), "symbol", "q.json", 1),)


def test_json_is_told_by_its_content(tmp_path: Path) -> None:
    file = written(tmp_path, '\n  [\n\t{"query": "orders", "relevant": ["a.cs"]}\n]', name="q.txt")

    assert read_queries(file)[0].line == 3


def test_query_in_brackets_is_not_json(tmp_path: Path) -> None:
    file = written(tmp_path, "[Obsolete] attributes\ta.cs\n")

    assert read_queries(file)[0].text == "[Obsolete] attributes"


def test_rows_and_tabs_give_targets_to_one_query(tmp_path: Path) -> None:
    file = written(tmp_path, "orders\ta.cs\tb.cs\ntax\tc.cs\norders\td.cs:3-9\ta.cs\n")

    assert [(query.text, query.targets) for query in read_queries(file)] == [
        ("orders", ("a.cs", "b.cs", "d.cs:3-9")),
        ("tax", ("c.cs",)),
    ]


def test_header_names_the_column_of_categories(tmp_path: Path) -> None:
    file = written(tmp_path, "query\ttarget\tcategory\norders\ta.cs\tsymbol\tb.cs\ntax\tc.cs\n")

    assert [(query.targets, query.category) for query in read_queries(file)] == [
        (("a.cs", "b.cs"), "symbol"),
        (("c.cs",), None),
    ]


def test_header_without_category_is_no_query(tmp_path: Path) -> None:
    file = written(tmp_path, "Query\tTarget\norders\ta.cs\tb.cs\n")

    assert read_queries(file)[0].targets == ("a.cs", "b.cs")


def test_comments_blank_lines_and_byte_order_mark_are_passed_over(tmp_path: Path) -> None:
    file = written(tmp_path, "\ufeff# made by hand\r\n\r\norders\ta.cs\t\r\n")

    assert read_queries(file) == (Query("orders", ("a.cs",), None, "queries.tsv", 3),)


def test_files_of_a_folder_are_read_by_name(tmp_path: Path) -> None:
    written(tmp_path, "tax\tb.cs\n", name="b.tsv")
    written(tmp_path, '[{"query": "orders", "relevant": ["a.cs"]}]', name="a.json")
    written(tmp_path, "free text", name="LICENSE")

    assert [(query.file, query.text) for query in read_queries(tmp_path)] == [
        ("a.json", "orders"),
        ("b.tsv", "tax"),
    ]


def test_files_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder, "tax\tb.cs\n")

    assert len({query.file for query in read_queries([tmp_path / "one", tmp_path / "two"])}) == 2


@pytest.mark.parametrize(
    ("content", "line", "told"),
    [
        ("orders a.cs\n", 1, "has no target"),
        ("# fine\norders\ta.cs\ntax\t\t\n", 3, "has no target"),
        ("orders\t\ta.cs\n", 1, "has no target"),
        ("\ta.cs\n", 1, "the query is empty"),
        (
            "query\ttarget\tcategory\ntax\ta.cs\tone\ntax\tb.cs\ttwo\n",
            3,
            "has category 'two' here and 'one' in line 2",
        ),
        (b"orders\ta.cs\ntax\xff\tb.cs\n", 2, "not text in UTF-8"),
    ],
)
def test_bad_row_is_refused_with_its_line(tmp_path: Path, content: str | bytes, line: int, told: str) -> None:
    file = written(tmp_path, content)

    message = refusal(file)

    assert message.startswith(f"{file}:{line}: ")
    assert told in message


@pytest.mark.parametrize(
    ("content", "line", "told"),
    [
        ('{"query": "orders"}', 1, "not a list"),
        ('[\n{"query": "orders", "relevant": ["a.cs"]},\n{"query": "tax"}\n]', 3, "has no relevant path"),
        ('[\n{"query": " ", "relevant": ["a.cs"]}]', 2, "the query is ' '"),
        ('[{"query": "orders", "relevant": "a.cs"}]', 1, "no list of paths"),
        ('[{"query": "orders", "relevant": [3]}]', 1, "no list of paths"),
        ('[{"query": "orders", "relevant": ["a.cs"], "category": 3}]', 1, "the category is 3"),
        ('["orders"]', 1, "no object with a query"),
        ('[\n{"query": "orders",\n "relevant": [}]', 3, "Expecting value"),
        ('[\n{"query": "orders", "relevant": ["a.cs"]}\n{"query": "tax"}]', 3, "a comma or the end"),
        ('[{"query": "orders", "relevant": ["a.cs"]},]', 1, "a comma or the end"),
        ('[{"query": "orders", "relevant": ["a.cs"]}', 1, "a comma or the end"),
        ("[" * 200_000, 1, "cannot be read"),
    ],
)
def test_bad_json_is_refused_with_its_line(tmp_path: Path, content: str, line: int, told: str) -> None:
    file = written(tmp_path, content, name="q.json")

    message = refusal(file)

    assert message.startswith(f"{file}:{line}: ")
    assert told in message


def test_text_after_the_list_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path, '[{"query": "orders", "relevant": ["a.cs"]}] []', name="q.json")

    assert "something follows" in refusal(file)


@pytest.mark.parametrize("content", ["", "# only a comment\n", "[]", "query\ttarget\n"])
def test_file_without_queries_is_refused(tmp_path: Path, content: str) -> None:
    assert "holds no queries" in refusal(written(tmp_path, content))


def test_missing_file_is_refused(tmp_path: Path) -> None:
    assert "there is no file of queries" in refusal(tmp_path / "missing.tsv")


def test_folder_without_queries_is_refused(tmp_path: Path) -> None:
    assert "holds no .json or .tsv file" in refusal(tmp_path)


@settings(deadline=None)
@given(rows=st.dictionaries(WORDS, st.lists(WORDS, min_size=1, unique=True), min_size=1))
def test_what_is_written_is_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, rows: dict[str, list[str]]
) -> None:
    text = "query\ttarget\n" + "".join("\t".join([query, *targets]) + "\n" for query, targets in rows.items())
    file = written(tmp_path_factory.mktemp("queries"), text)

    assert {query.text: list(query.targets) for query in read_queries(file)} == rows
