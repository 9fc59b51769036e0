"""The signal tables hold what a plain Python version makes of the documents and the graph, in any kind of store."""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.library import Store

FILES = {
    "README.md": "# Boxes\n\nWhere boxes are kept.\n",
    "single.py": "def single():\n    return 1\n",
    "lib/Boxes.cs": (
        "namespace Lib;\n\npublic class Box<T>\n{\n    public T Value;\n\n    public void Put<U>(U item)\n    {\n"
        "    }\n}\n\npublic class BoxUser : Box<int>\n{\n    public void Use()\n    {\n        Put(1);\n    }\n}\n"
    ),
    "lib/list.ts": "export class List<T> {\n    add(x: T): void {\n    }\n}\n",
    "lib/odd.sql": "create procedure dbo.[Get<All>] as select 1\n",
    "db/dbo/Tables/Order.sql": "create table dbo.[Order] (id int not null)\n",
    "db/dbo/Views/OpenOrders.sql": "create view dbo.OpenOrders as select id from dbo.[Order]\n",
    "a/b/c/deep_folder/HTTPServerNotes.v2.md": "# Notes\n\nDeep.\n",
    "żółć/Größe und Preis.md": "# Größe\n\nText.\n",
    "tests/test_single.py": "from single import single\n\n\ndef test_single():\n    assert single() == 1\n",
    "vendor/x/drop.js": "function drop() {\n    return 1;\n}\n",
    "long/big.py": "class Big:\n"
    + "".join(f"    field_{n} = 'a value of field number {n}'\n" for n in range(400)),
}
ENDINGS = (
    "ations", "ation", "ings", "ing", "ers", "er", "ors", "or", "ies", "ied", "ed", "es", "e",
    "s", "y",
)  # fmt: skip


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def prepared(folder: Path, files: Mapping[str, str], *, model: str | None = None) -> Path:
    store = folder / "store.duckdb"
    source = write(folder / "source", files)
    ragduck.prepare(source, store, repo="one", branch="main", embed_model=model, processes=1)
    return store


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Two branches of the files above, the second with one file less; without vectors."""
    folder = tmp_path_factory.mktemp("boxes")
    path = prepared(folder, FILES)
    fewer = {name: text for name, text in FILES.items() if name != "README.md"}
    source = write(folder / "other", fewer)
    ragduck.prepare(source, path, repo="one", branch="next", embed_model=None, processes=1)
    with ragduck.open(path) as opened:
        yield opened


@pytest.fixture(scope="module")
def shop(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


@pytest.fixture(params=["shop", "boxes"])
def store(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(request.param)


def folded(word: str) -> str:
    marks_apart = unicodedata.normalize("NFD", word.strip("_"))
    return "".join(each for each in marks_apart if not unicodedata.combining(each)).lower()


def stem(term: str) -> str:
    for ending in sorted(ENDINGS, key=len, reverse=True):
        if term.endswith(ending) and len(term) - len(ending) >= 3:
            return term.removesuffix(ending)
    return term


def key(term: str) -> int:
    return int(hashlib.md5(term.encode()).hexdigest()[:15], 16)


def stem_keys(text: str) -> set[int]:
    """Keys of the stems of the camel and snake parts of every word."""
    bare = "".join(each for each in unicodedata.normalize("NFD", text) if not unicodedata.combining(each))
    humps = re.sub(r"(?<=[a-z0-9łøß])(?=[A-ZŁ])|(?<=[A-ZŁ])(?=[A-ZŁ][a-zł])", "_", bare)
    return {key(stem(folded(part))) for part in re.split(r"[\W_]+", humps) if part}


def files_of(store: Store) -> dict[int, dict[str, Any]]:
    """Repo, branch, path and class of each file, by its place among those that have chunks."""
    rows = store.sql(
        "select repo, branch, source_file, any_value(file_class) as file_class from documents "
        "group by all order by min(chunk_no)"
    )
    return dict(enumerate(rows, start=1))


def test_every_chunk_has_exactly_one_row_in_their_order(store: Store) -> None:
    chunks = [row["chunk_no"] for row in store.sql("select chunk_no from documents order by chunk_no")]

    assert [row["chunk_no"] for row in store.sql("select chunk_no from chunk_signals")] == chunks


def test_chunks_have_the_class_of_their_file(store: Store) -> None:
    rows = store.sql("select distinct file_no, file_class, class_key from chunk_signals order by file_no")

    assert [(row["file_no"], row["file_class"]) for row in rows] == [
        (number, file["file_class"]) for number, file in files_of(store).items()
    ]
    assert [row["class_key"] for row in rows] == [key(stem(row["file_class"])) for row in rows]


def test_chunks_have_the_number_of_their_file(store: Store) -> None:
    numbers = {
        (file["repo"], file["branch"], file["source_file"]): number
        for number, file in files_of(store).items()
    }

    rows = store.sql(
        "select file_no, repo, branch, source_file from documents join chunk_signals using (chunk_no)"
    )

    assert all(row["file_no"] == numbers[row["repo"], row["branch"], row["source_file"]] for row in rows)


def test_same_path_in_another_branch_is_another_file(boxes: Store) -> None:
    rows = boxes.sql(
        "select distinct branch, file_no from documents join chunk_signals using (chunk_no) "
        "where source_file = 'lib/Boxes.cs'"
    )

    assert {row["branch"] for row in rows} == {"main", "next"}
    assert len({row["file_no"] for row in rows}) == 2


def test_file_terms_are_the_stems_of_names_and_their_shares(store: Store) -> None:
    expected: dict[tuple[int, int], tuple[float, float]] = {}
    for number, file in files_of(store).items():
        *folders, name = file["source_file"].split("/")
        of_name = stem_keys(name.rpartition(".")[0] if "." in name else name)
        of_folders = stem_keys(" ".join(folders[-2:]))
        for each in of_name | of_folders:
            expected[each, number] = (
                (each in of_name) / max(len(of_name), 1),
                (each in of_folders) / max(len(of_folders), 1),
            )

    rows = store.sql("from file_terms")

    shares = {(row["stem_key"], row["file_no"]): (row["file_share"], row["folder_share"]) for row in rows}
    assert len(shares) == len(rows)
    assert shares.keys() == expected.keys()
    assert all(shares[place] == pytest.approx(expected[place]) for place in expected)


def test_shares_of_a_file_add_up_to_one_or_it_has_no_name(store: Store) -> None:
    sums = store.sql(
        "select file_no, sum(file_share) as of_name, sum(folder_share) as of_folders from file_terms group by file_no"
    )

    files = files_of(store)
    for row in sums:
        path = files[row["file_no"]]["source_file"]
        assert row["of_folders"] == pytest.approx(1.0 if "/" in path else 0.0)
        assert row["of_name"] == pytest.approx(0.0 if path.rpartition("/")[2].startswith(".") else 1.0)


def test_rarity_falls_with_the_number_of_files_of_that_name_in_a_branch(store: Store) -> None:
    rows = store.sql("from file_terms")
    branches = {number: (file["repo"], file["branch"]) for number, file in files_of(store).items()}
    files = Counter(branches.values())
    holders = Counter((branches[row["file_no"]], row["stem_key"]) for row in rows if row["file_share"] > 0)

    for row in rows:
        branch = branches[row["file_no"]]
        count = max(files[branch], 2)
        expected = math.log(count / max(holders[branch, row["stem_key"]], 1)) / math.log(count)
        assert row["rarity"] == pytest.approx(expected, abs=1e-12)


def test_file_terms_are_sorted_by_key(store: Store) -> None:
    rows = [
        (row["stem_key"], row["file_no"]) for row in store.sql("select stem_key, file_no from file_terms")
    ]

    assert rows == sorted(rows)


def test_scripts_and_data_count_their_chunks_but_code_and_docs_do_not(store: Store) -> None:
    files = store.sql(
        "select file_no, any_value(loose_chunks) as loose, count(*) as chunks, "
        "min(if(data_type = 'docs', 'docs', file_type)) as type "
        "from documents join chunk_signals using (chunk_no) group by file_no"
    )
    expected = {"cs": 0, "razor": 0, "docs": 0, "sql": 1, "json": 1, "csproj": 1}
    known = [file for file in files if file["type"] in expected]

    assert {file["type"] for file in known} >= {"cs", "docs", "sql"}
    assert [file["loose"] for file in known] == [file["chunks"] * expected[file["type"]] for file in known]


def test_centrality_counts_distinct_edges_that_come_in_without_containment(store: Store) -> None:
    nodes = {row["node_id"]: row for row in store.sql("select node_id, repo, branch, source_file from nodes")}
    incoming: dict[tuple[Any, ...], set[tuple[int, int]]] = {}
    for edge in store.sql("select from_id, to_id from edges where relation <> 'Contains'"):
        target = nodes[edge["to_id"]]
        place = (target["repo"], target["branch"], target["source_file"])
        incoming.setdefault(place, set()).add((edge["from_id"], edge["to_id"]))

    stored = {row["file_no"]: row["centrality"] for row in store.sql("from chunk_signals")}

    assert stored == pytest.approx(
        {
            number: math.log(1 + len(incoming.get((file["repo"], file["branch"], file["source_file"]), ())))
            for number, file in files_of(store).items()
        }
    )
    assert max(stored.values()) > 0


def beginnings(store: Store) -> dict[int, bool]:
    """Return the numbers of the chunks in which begins what they are of, of each node one at least.

    Beside each stands whether it is the head: of a type, of the definition that counts, or of a table without one.
    """
    heads: dict[int, bool] = {}
    nodes = {
        (row["node_key"], row["repo"], row["branch"]): row
        for row in store.sql("from nodes where data_type = 'db_code' and not is_external")
    }
    chunks: dict[tuple[str, str, str], dict[int, bool]] = {}
    for chunk in store.sql("from documents"):
        key = (chunk["node_key"], chunk["repo"], chunk["branch"])
        node = nodes.get(key)
        is_first = chunk["chunk_part"] == 0
        heads[chunk["chunk_no"]] = node is None and is_first and chunk["kind"] in ("TYPE", "TABLE", "VIEW")
        if node is None:
            begins = True
        elif chunk["source_file"] == node["source_file"]:
            begins = chunk["start_line"] <= node["start_line"] <= chunk["end_line"]
            heads[chunk["chunk_no"]] = chunk["kind"] in ("TABLE", "VIEW", "PROC", "FUNC", "TRIGGER")
        else:
            begins = is_first and chunk["element_type"] != "alter_table"
        chunks.setdefault(key, {})[chunk["chunk_no"]] = begins
    return {
        number: heads[number] and begins
        for parts in chunks.values()
        for number, begins in parts.items()
        if begins or not any(parts.values())
    }


def test_name_key_is_that_of_the_folded_name(store: Store) -> None:
    rows = store.sql(
        "select chunk_no, name, kind, name_key from documents join chunk_signals using (chunk_no)"
    )
    begun = beginnings(store)

    for row in rows:
        is_named = row["kind"] not in (None, "FILE") and row["chunk_no"] in begun
        bare = re.split(r"[`<(]", row["name"])[0]
        assert row["name_key"] == (key(folded(bare)) if is_named else None)


def test_spelled_key_is_the_same_however_a_name_is_written(store: Store) -> None:
    rows = store.sql("select name, name_key, spelled_key from documents join chunk_signals using (chunk_no)")

    for row in rows:
        spelled = key(re.sub("[_ -]", "", bare(row["name"]))) if row["name_key"] else None
        assert row["spelled_key"] == spelled
    assert any(row["spelled_key"] != row["name_key"] for row in rows)


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ("Box", "lib/Boxes.cs"),
        ("List", "lib/list.ts"),
        ("Get", "lib/odd.sql"),
        ("Order", "db/dbo/Tables/Order.sql"),
    ],
)
def test_name_key_leaves_out_type_parameters(boxes: Store, asked: str, path: str) -> None:
    rows = boxes.sql(
        "select source_file from documents join chunk_signals using (chunk_no) "
        "where name_key = term_key(fold($asked)) and branch = 'main'",
        {"asked": asked},
    )

    assert rows == [{"source_file": path}]


def bare(name: str) -> str:
    return folded(re.split(r"[`<(]", name)[0])


def test_member_keys_are_those_of_the_members_in_the_lines_of_a_type(store: Store) -> None:
    chunks = store.sql(
        "select repo, branch, source_file, start_line, end_line, kind, member_keys "
        "from documents join chunk_signals using (chunk_no) where file_type <> 'inline_sql' and kind <> 'TABLE'"
    )
    nodes = store.sql("select * from nodes where kind in ('METHOD', 'PROPERTY', 'FIELD', 'DBSET')")
    types = {
        bare(row["name"])
        for row in store.sql("select name from documents where kind in ('TYPE', 'TABLE', 'VIEW')")
    }
    place = ("repo", "branch", "source_file")

    for chunk in chunks:
        names = {
            bare(node["name"])
            for node in nodes
            if all(node[name] == chunk[name] for name in place)
            and chunk["start_line"] <= node["start_line"]
            and node["end_line"] <= chunk["end_line"]
            and not re.fullmatch("__.*__", node["name"])
        }
        told = names - types - {""} if chunk["kind"] == "TYPE" else set()
        assert chunk["member_keys"] == (sorted(key(name) for name in told) or None)
    assert any(chunk["member_keys"] for chunk in chunks)


ODD_MEMBERS = {
    "src/Odd.cs": "public class Odd\n{\n"
    "    public string Währung { get; set; }\n"
    "    public int this[int at] => at;\n"
    "    public static Odd operator +(Odd a, Odd b) => a;\n"
    "    private readonly IPlainService _plainService;\n"
    "    public PlainService PlainService { get; set; }\n"
    + "".join(f"    public int AVeryLongNameOfAMember{number} {{ get; set; }}\n" for number in range(20))
    + "}\n",
    "src/PlainService.cs": "public class PlainService : IPlainService\n{\n}\npublic interface IPlainService { }\n",
    "Pages/Index.cshtml": "@page\n<p>page</p>\n",
    "tool/odd.py": "class Tool:\n    def __init__(self):\n        pass\n    def run_it(self):\n        pass\n",
}


def test_members_are_told_however_they_are_called_and_however_many_they_are(tmp_path: Path) -> None:
    with ragduck.open(prepared(tmp_path, ODD_MEMBERS)) as opened:
        rows = opened.sql(
            "select unnest(member_keys) as key from chunk_signals where member_keys is not null"
        )
    told = {row["key"] for row in rows}

    assert {key(folded(f"AVeryLongNameOfAMember{number}")) for number in range(20)} <= told
    assert {key("wahrung"), key("run_it")} <= told
    assert told.isdisjoint({key("plainservice"), key("page"), key("__init__"), key("init"), key("")})


def test_type_head_is_where_a_type_or_the_definition_of_an_object_begins(store: Store) -> None:
    rows = store.sql("select chunk_no, kind, type_head from documents join chunk_signals using (chunk_no)")
    begun = beginnings(store)

    for row in rows:
        assert row["type_head"] == (row["kind"] not in (None, "FILE") and begun.get(row["chunk_no"], False))


def test_long_type_has_one_head(boxes: Store) -> None:
    rows = boxes.sql(
        "select chunk_part, type_head from documents join chunk_signals using (chunk_no) "
        "where name = 'Big' and branch = 'main' order by chunk_part"
    )

    assert len(rows) > 1
    assert [row["type_head"] for row in rows] == [True] + [False] * (len(rows) - 1)


def test_members_are_methods_properties_and_fields(store: Store) -> None:
    rows = store.sql("select kind, is_member from documents join chunk_signals using (chunk_no)")

    for row in rows:
        assert row["is_member"] == (row["kind"] in ("METHOD", "PROPERTY", "FIELD"))


def test_nothing_but_name_keys_may_be_missing(store: Store) -> None:
    for table in ("chunk_signals", "file_terms"):
        rows = store.sql(f"from {table}")

        assert rows
        told = [
            value
            for row in rows
            for name, value in row.items()
            if name not in ("name_key", "spelled_key", "member_keys")
        ]
        assert None not in told


SMALL_STORES: Mapping[str, Mapping[str, str]] = {
    "one file at the root, no graph": {"order.md": "# Order\n\nplace order\n"},
    "names without words, and of one name": {
        "-.md": "# Order\n\nplace order\n",
        "__/--.md": "order\n",
        "a/b.md": "order\n",
        "b.md": "order\n",
    },
}


@pytest.mark.parametrize("files", SMALL_STORES.values(), ids=SMALL_STORES.keys())
def test_small_store_is_ranked_by_signals(files: Mapping[str, str], tmp_path: Path) -> None:
    path = prepared(tmp_path, files, model="hashing")

    with ragduck.open(path) as store:
        hits = [store.search("place order", signals=True).results]
        hits += [store.search("place order", mode="bm25", signals=True).results]
        without_vector = store.sql("from hybrid('place order', null)")
        counted = store.sql(
            "select (select count(*) from chunk_signals) = (select count(*) from documents) as whole"
        )

    assert counted == [{"whole": True}]
    assert without_vector
    for results in hits:
        assert results
        assert all(math.isfinite(result["score"]) for result in results)
        assert all(math.isfinite(part) for result in results for part in result["score_parts"].values())


def test_store_without_vectors_answers_hybrid_as_keyword_search(boxes: Store) -> None:
    hybrid = boxes.search("open orders", top_k=50)
    keyword = boxes.search("open orders", mode="bm25", top_k=50)

    assert hybrid.results == keyword.results
    assert hybrid.mode == "bm25"
