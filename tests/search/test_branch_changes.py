"""What differs between two branches: objects added, removed, changed and moved, with their lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import ragduck
from ragduck import Store, UsageError
from ragduck.search.changes import MAX_COMPARED_LINES, BranchDiff

SHOP = "class Shop:\n    def open(self):\n        return {result}\n\n    def close(self):\n        return 2\n"
OLD = {
    "kept.sql": "create table dbo.Kept (Id int);\n",
    "gone.sql": "create table dbo.Gone (Id int);\n",
    "order.sql": "create table dbo.[Order] (\n    Id int,\n    Name varchar(9)\n);\n",
    "place.sql": "create procedure dbo.Place as\nselect 1;\n",
    "shop.py": "import os\n\n\n" + SHOP.format(result=1),
    "same.py": "import os\n\n\ndef same():\n    return os\n",
    "guide.md": "# Guide\n\nOpen the shop.\n",
}
NEW = {
    "kept.sql": OLD["kept.sql"],
    "new.sql": "create table dbo.New (\n    Id int\n);\n",
    "order.sql": "create table dbo.[Order] (\n    Id int,\n    Total int,\n    Note text\n);\n",
    "procedures/place.sql": OLD["place.sql"],
    "shop.py": "import os\n\n\n\n\n" + SHOP.format(result=3),
    "same.py": "import sys as os\n\n\ndef same():\n    return os\n",
    "guide.md": "# Guide\n\nClose the shop.\n",
}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("changes")
    store = folder / "s.duckdb"
    for branch, files in (("main", OLD), ("next", NEW)):
        for name, text in files.items():
            (folder / branch / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / branch / name).write_text(text)
        ragduck.prepare(folder / branch, store, repo="shop", branch=branch, embed_model=None)
    return store


@pytest.fixture(scope="module")
def store(path: Path) -> Iterator[Store]:
    with ragduck.open(path) as opened:
        yield opened


def told(found: BranchDiff) -> set[tuple[str, str, int, int]]:
    return {
        (change.change, change.node_key, change.lines_added, change.lines_removed) for change in found.changes
    }


def test_objects_are_added_removed_changed_and_moved(store: Store) -> None:
    assert told(store.diff("main", "next")) == {
        ("removed", "dbo.Gone|TABLE", 0, 1),
        ("added", "dbo.New|TABLE", 3, 0),
        ("changed", "dbo.Order|TABLE", 2, 1),
        ("moved", "dbo.Place|PROC", 0, 0),
        ("changed", "python:shop.Shop|TYPE", 1, 1),
        ("changed", "python:shop.Shop.open|METHOD", 1, 1),
        ("changed", "file:same.py|FILE", 1, 1),
        ("changed", "file:guide.md|FILE", 1, 1),
    }


def test_the_other_way_round_it_is_the_other_way_round(store: Store) -> None:
    swapped = {"added": "removed", "removed": "added"}
    there, back = told(store.diff("main", "next")), told(store.diff("next", "main"))

    assert back == {(swapped.get(change, change), key, down, up) for change, key, up, down in there}


def test_a_branch_does_not_differ_from_itself(store: Store) -> None:
    assert store.diff("main", "main").changes == ()


def test_a_change_tells_where_it_is_in_both_branches(store: Store) -> None:
    places = {
        change.node_key: (change.old_location, change.new_location)
        for change in store.diff("main", "next").changes
    }

    assert places["dbo.Place|PROC"] == ("place.sql:1-2", "procedures/place.sql:1-2")
    assert places["dbo.Gone|TABLE"] == ("gone.sql:1-1", None)
    assert places["python:shop.Shop.open|METHOD"] == ("shop.py:5-6", "shop.py:7-8")


def test_kinds_choose_what_is_told(store: Store) -> None:
    found = store.diff("main", "next", kinds=["proc", "METHOD"])

    assert {change.node_key for change in found.changes} == {
        "dbo.Place|PROC", "python:shop.Shop.open|METHOD",
    }  # fmt: skip
    assert found.counts == {"added": 0, "removed": 0, "changed": 1, "moved": 1}


def test_texts_are_compared_line_by_line_when_asked_for(store: Store) -> None:
    (change,) = store.diff("main", "next", kinds=["METHOD"], with_text=True).changes

    assert change.diff == "\n".join(
        [
            "--- shop.py:5-6",
            "+++ shop.py:7-8",
            "@@ -1,2 +1,2 @@",
            "     def open(self):",
            "-        return 1",
            "+        return 3",
        ]
    )


def test_texts_are_left_out_otherwise(store: Store) -> None:
    found = store.diff("main", "next").to_dict()

    assert all("diff" not in change for change in found["changes"])


def test_sql_tells_the_same(store: Store) -> None:
    rows = store.sql(
        "select change, node_key from object_changes('shop', 'main', 'next') where kind = 'TABLE'"
    )

    assert [(row["change"], row["node_key"]) for row in rows] == [
        ("removed", "dbo.Gone|TABLE"), ("added", "dbo.New|TABLE"), ("changed", "dbo.Order|TABLE"),
    ]  # fmt: skip


def test_sql_tells_the_files(store: Store) -> None:
    rows = store.sql(
        "select change, count(*) as files from file_changes('shop', 'main', 'next') group by all order by all"
    )

    assert rows == [
        {"change": "added", "files": 2}, {"change": "changed", "files": 4}, {"change": "removed", "files": 2},
    ]  # fmt: skip


def test_a_change_of_another_overload_is_seen(tmp_path: Path) -> None:
    first = "class C {\n    void M(int a) {\n        A();\n    }\n"
    for branch, last in (("main", "B();"), ("next", "D();")):
        (tmp_path / "src").mkdir(exist_ok=True)
        body = f"    void M(string a) {{\n        {last}\n{'        X();' * 100}\n    }}\n}}\n"
        (tmp_path / "src" / "C.cs").write_text(first + body)
        ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", repo="r", branch=branch, embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        changed = {change.node_key for change in opened.diff("main", "next").changes}

    assert changed == {"csharp:C|TYPE", "csharp:C.M|METHOD"}


def test_long_texts_are_not_compared_line_by_line(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    for branch in ("main", "next"):
        lines = "".join(f"{branch} {number}\n" for number in range(MAX_COMPARED_LINES + 1))
        (tmp_path / "src" / "long.md").write_text(lines)
        ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", repo="r", branch=branch, embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        (change,) = opened.diff("main", "next", with_text=True).changes

    assert change.lines_added == MAX_COMPARED_LINES + 1
    assert change.diff == "(3,001 lines are too many to compare line by line)"


@pytest.mark.parametrize(
    ("arguments", "repo", "message"),
    [
        (("main", "nope"), None, "the store has no branch nope"),
        (("main", "next"), "x", "the store has no repository x"),
    ],
)
def test_an_unknown_name_is_an_error_that_names_the_known(
    store: Store, arguments: tuple[str, str], repo: str | None, message: str
) -> None:
    with pytest.raises(UsageError) as error:
        store.diff(*arguments, repo=repo)

    assert (error.value.message, error.value.hint) == (message, "it holds shop: main, next")


@pytest.mark.parametrize("macro", ["object_changes", "file_changes"])
@pytest.mark.parametrize(
    ("names", "missing"),
    [
        (("shop", "main", "typo"), "shop, typo"),
        (("shop", "typo", "next"), "shop, typo"),
        (("shop", "zzz", "zzy"), "shop, zzz"),
        (("shop", "typo", "typo"), "shop, typo"),
        (("nope", "main", "next"), "nope, main"),
    ],
)
def test_sql_refuses_a_branch_that_is_not_held(
    store: Store, macro: str, names: tuple[str, str, str], missing: str
) -> None:
    with pytest.raises(UsageError, match=f"the store holds no {missing}; it holds shop, main; shop, next"):
        store.sql(f"select count(*) from {macro}{names}")


def test_an_unknown_kind_is_an_error_that_names_the_known(store: Store) -> None:
    with pytest.raises(UsageError) as error:
        store.diff("main", "next", kinds=["TABLE", "tabel"])

    assert error.value.message == "there is no kind tabel; did you mean TABLE?"
    assert error.value.hint == "the store has FILE, METHOD, PROC, TABLE, TYPE"


def test_kinds_have_the_names_of_other_tools_too(store: Store) -> None:
    assert told(store.diff("main", "next", kinds=["procedure"])) == {("moved", "dbo.Place|PROC", 0, 0)}


def test_branches_of_several_repositories_want_a_name(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.md").write_text("# A\n")
    for repo in ("r", "s"):
        for branch in ("main", "next"):
            ragduck.prepare(
                tmp_path / "src", tmp_path / "s.duckdb", repo=repo, branch=branch, embed_model=None
            )

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        with pytest.raises(UsageError, match="r, s have both main and next"):
            opened.diff("main", "next")
        assert opened.diff("main", "next", repo="s").changes == ()
