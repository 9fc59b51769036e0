"""A unified index becomes a store that answers as the one it was made from, whatever is wrong with some rows."""

from __future__ import annotations

import json
import math
import shutil
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import pytest

import ragduck
from ragduck.errors import SourceError, UsageError
from ragduck.imports.contract import Imported
from ragduck.imports.unified import UnifiedSource, unified_sources
from ragduck.mirror import export_unified

Row = dict[str, Any]
Make = Callable[..., Path]
QUESTIONS = ("where are invoices created", "place an order", "tax rates", "Invoice_Create", "export as csv")


@pytest.fixture(scope="module")
def plain_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database and the core of the sample shop: every chunk has a vector, so that an index holds all of it."""
    folder = tmp_path_factory.mktemp("plain")
    shop = Path(__file__).parents[2] / "data" / "shop"
    shutil.copytree(shop / "database", folder / "shop" / "database")
    shutil.copytree(shop / "src" / "Shop.Core", folder / "shop" / "src" / "Shop.Core")
    ragduck.prepare(folder / "shop", folder / "s.duckdb", repo="shop", branch="dev", embed_model="hashing")
    return folder / "s.duckdb"


@pytest.fixture(scope="module")
def index(plain_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its unified index; not to be changed."""
    folder = tmp_path_factory.mktemp("index") / "shop-index"
    export_unified(plain_store, folder)
    return folder


@pytest.fixture(scope="module")
def imported_store(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store made of the index alone; not to be changed."""
    store = tmp_path_factory.mktemp("imported") / "s.duckdb"
    ragduck.prepare(index, store)
    return store


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write an index of rows with random vectors, or those given."""

    def made(rows: Sequence[Any], *, vectors: Any = None, manifest: Row | None = None) -> Path:
        folder = tmp_path / "nop-index"
        folder.mkdir()
        if vectors is None:
            vectors = np.random.default_rng(1).normal(size=(len(rows), 8))
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        index = faiss.IndexFlatIP(8)
        index.add(np.asarray(vectors, dtype=np.float32))
        faiss.write_index(index, str(folder / "unified_index.faiss"))
        (folder / "unified_metadata.json").write_text(json.dumps(list(rows)))
        told = {"embedding_model": "hashing:8"} if manifest is None else manifest
        (folder / "manifest.json").write_text(json.dumps(told))
        return folder

    return made


def method(number: int, **fields: Any) -> Row:
    """A C# row as the historic builder wrote it, with a text."""
    row = {
        "id": f"nop::develop::C{number:04}", "local_id": f"C{number:04}", "data_type": "regular_code",
        "file_type": "cs", "source_file": "src/Orders.cs", "chunk_part": 0, "chunk_total": 1, "class": "Orders",
        "member": f"Place{number}", "repo": "nop", "branch": "develop", "text": f"void Place{number}()\n{{\n}}",
    }  # fmt: skip
    return {**row, **fields}


def procedure(name: str, **fields: Any) -> Row:
    row = {
        "id": f"nop::develop::SQL:dbo.{name}:part=1", "local_id": f"SQL:dbo.{name}", "data_type": "db_code",
        "file_type": "sql", "source_file": f"db/{name}.sql", "chunk_part": 1, "chunk_total": 1, "kind": "Procedure",
        "schema": "dbo", "name": name, "db_key": f"NopDb::dbo.{name}", "repo": "nop", "branch": "develop",
        "text": f"create procedure dbo.{name} as select 1",
    }  # fmt: skip
    return {**row, **fields}


def read(folder: Path) -> Imported:
    (source,) = unified_sources(folder)
    return source.read(max_chars=1000)


def chunks_of(imported: Imported) -> list[Any]:
    return [chunk for parsed in imported.documents for chunk in parsed.chunks]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("filters", [{}, {"kind": "PROC"}, {"data_type": "regular_code"}])
def test_searches_by_meaning_find_the_same(
    plain_store: Path, imported_store: Path, question: str, filters: Row
) -> None:
    with ragduck.open(plain_store) as one, ragduck.open(imported_store) as other:
        before = one.search(question, mode="semantic", filters=filters).results
        after = other.search(question, mode="semantic", filters=filters).results

    assert [(hit["id"], hit["location"]) for hit in after] == [(hit["id"], hit["location"]) for hit in before]
    assert [hit["score"] for hit in after] == pytest.approx([hit["score"] for hit in before])


@pytest.mark.parametrize("question", QUESTIONS)
def test_searches_by_keyword_find_the_same(plain_store: Path, imported_store: Path, question: str) -> None:
    with ragduck.open(plain_store) as one, ragduck.open(imported_store) as other:
        sql = "select location, score from bm25($text) order by score desc, location limit 10"
        before, after = (store.sql(sql, {"text": question}) for store in (one, other))

    assert before
    assert [row["location"] for row in after] == [row["location"] for row in before]
    assert [row["score"] for row in after] == pytest.approx([row["score"] for row in before])


def test_typed_columns_come_back(plain_store: Path, imported_store: Path) -> None:
    columns = (
        "id, text, start_line, end_line, kind, schema, name, db_key, class, member, cs_key, node_key, element_type, "
        "element_name, signature, visibility, file_class, data_type, file_type, importance_score, project, "
        "reads_from, writes_to, fk_dependencies"
    )
    with ragduck.open(plain_store) as one, ragduck.open(imported_store) as other:
        before, after = (store.sql(f"select {columns} from documents order by id") for store in (one, other))

    assert after == before


def test_the_store_passes_its_checks(imported_store: Path) -> None:
    with ragduck.open(imported_store) as store:
        assert [result.name for result in store.check() if not result.passed] == []


def test_the_graph_can_be_walked(imported_store: Path) -> None:
    with ragduck.open(imported_store) as store:
        found = store.neighbourhood("dbo.Invoice|TABLE", depth=1, relations=["WritesTo"])

    assert "dbo.Invoice_Create|PROC" in {node.node_key for node in found.nodes}


def test_foreign_keys_point_from_child_to_parent(plain_store: Path, imported_store: Path) -> None:
    sql = (
        "select distinct from_key, to_key from edges where relation = 'ForeignKey' and from_key like '%|TABLE' "
        "and to_key like '%|TABLE' order by all"
    )
    with ragduck.open(plain_store) as one, ragduck.open(imported_store) as other:
        before, after = one.sql(sql), other.sql(sql)

    assert after == before


def test_types_contain_their_members(make: Make) -> None:
    owner = method(1, member=None, local_id="cs:Orders", cs_key="Orders", **{"class": "Orders"})

    imported = read(make([owner, method(2)]))

    contained = [(edge.from_key, edge.to_key) for edge in imported.graph.edges if edge.relation == "Contains"]
    assert contained == [
        ("file:src/Orders.cs|FILE", "csharp:Orders|TYPE"),
        ("csharp:Orders|TYPE", "csharp:Orders.Place2|METHOD"),
    ]


def test_an_index_of_two_branches_is_two_sources(make: Make) -> None:
    folder = make([method(1), method(1, branch="master"), procedure("A")])

    sources = unified_sources(folder)

    assert [(source.snapshot.repo, source.snapshot.branch, len(source.places)) for source in sources] == [
        ("nop", "develop", 2), ("nop", "master", 1),
    ]  # fmt: skip
    assert len({source.fingerprint for source in sources}) == 2


def test_equal_texts_of_two_branches_share_a_vector(make: Make, tmp_path: Path) -> None:
    folder = make([method(1), method(1, branch="master")])

    report = ragduck.prepare(folder, tmp_path / "s.duckdb")

    assert (report.counts["chunks"], report.counts["vectors"], report.embedded) == (2, 2, 0)


def test_a_branch_is_chosen_or_the_only_one_renamed(make: Make) -> None:
    folder = make([method(1), method(2, branch="master")])

    (chosen,) = unified_sources(folder, branch="master", repo="shop")

    assert (chosen.snapshot.repo, chosen.snapshot.branch) == ("shop", "master")
    with pytest.raises(UsageError, match="no branch main"):
        unified_sources(folder, branch="main")


def test_historic_rows_get_the_keys_of_a_store(make: Make) -> None:
    chunks = chunks_of(read(make([method(1), procedure("A", chunk_part=1), procedure("A", chunk_part=2)])))

    assert [(chunk.object_id, chunk.node_key, chunk.chunk_part, chunk.chunk_total) for chunk in chunks] == [
        ("cs:Orders.Place1", "csharp:Orders.Place1|METHOD", 0, 1),
        ("sql:NopDb::dbo.A", "dbo.A|PROC", 0, 2),
        ("sql:NopDb::dbo.A", "dbo.A|PROC", 1, 2),
    ]


def test_rows_without_lines_follow_each_other_in_their_file(make: Make) -> None:
    (parsed,) = read(make([method(1), method(2)])).documents

    assert parsed.document.text == "void Place1()\n{\n}\n\nvoid Place2()\n{\n}"
    assert [(chunk.start_line, chunk.end_line) for chunk in parsed.chunks] == [(1, 3), (5, 7)]


def test_the_header_of_a_historic_sql_chunk_becomes_edges(make: Make) -> None:
    text = (
        "[Procedure] dbo.A\nfile: db/A.sql\nReadsFrom: dbo.B, dbo.C|VIEW\nWritesTo: dbo.B\nExecutes: dbo.D\n"
        "ReferencedBy(C#): Orders.Place1\n---\ncreate procedure dbo.A as select 1"
    )

    imported = read(make([method(1), procedure("A", text=text), procedure("D")]))

    edges = {(edge.from_key, edge.relation, edge.to_key) for edge in imported.graph.edges}
    assert edges - {("file:src/Orders.cs|FILE", "Contains", "csharp:Orders.Place1|METHOD")} == {
        ("dbo.A|PROC", "ReadsFrom", "dbo.B|TABLE"), ("dbo.A|PROC", "ReadsFrom", "dbo.C|VIEW"),
        ("dbo.A|PROC", "WritesTo", "dbo.B|TABLE"), ("dbo.A|PROC", "Executes", "dbo.D|PROC"),
        ("csharp:Orders.Place1|METHOD", "Uses", "dbo.A|PROC"),
    }  # fmt: skip
    assert [chunk.text for chunk in chunks_of(imported)][1] == "create procedure dbo.A as select 1"
    keys = {node.node_key for node in imported.graph.nodes}
    assert {key for edge in imported.graph.edges for key in (edge.from_key, edge.to_key)} <= keys


def test_an_index_without_texts_says_what_it_was_made_from(make: Make) -> None:
    rows = [{**method(1), "text": None}, {**procedure("A"), "text": ""}]
    folder = make(rows, manifest={"branches": [{"zip_file": "develop.zip", "branch_name": "develop"}]})

    with pytest.raises(SourceError, match="has a text") as refused:
        read(folder)

    assert refused.value.hint == "put the bundles it was made from beside it, or prepare them: develop.zip"


def bundle(path: Path) -> Path:
    """A RoslynIndexer bundle of one member."""
    member = {
        "Id": 1, "File": "Order.cs", "Class": "Order", "Member": "Place", "Type": "Method",
        "Text": "// Namespace: Shop // Class: Order // Type: Method public void Place() { Reserve(); }",
        "RepoRelativePath": "src/Order.cs",
    }  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("regular_code_bundle/chunks.json", json.dumps([member]))
        archive.writestr("repo_meta.json", json.dumps({"Branch": "develop", "RepoName": "shop"}))
    return path


@pytest.mark.parametrize("place", ["nop-index", ".", "branches"])
def test_index_without_texts_is_read_from_the_bundles_beside_it(
    place: str, make: Make, tmp_path: Path
) -> None:
    told = [{"zip_file": "/somewhere/else/develop.zip"}, {"zip_file": "master.zip"}]
    folder = make([{"id": "shop::develop::1", "class": "Order"}], manifest={"branches": told})
    bundle(tmp_path / place / "develop.zip")

    report = ragduck.prepare(folder, tmp_path / "s.duckdb", embed_model=None)

    assert [(each.snapshot.repo, each.snapshot.branch, each.chunks) for each in report.sources] == [
        ("shop", "develop", 1)
    ]
    assert "its vectors were left" in report.sources[0].notes[0]
    assert report.sources[0].notes[1].endswith("beside the index: master.zip")


@pytest.mark.parametrize(
    ("manifest", "name"),
    [
        ({}, None),
        ({"embedding_model": "intfloat/e5-base-v2"}, "intfloat/e5-base-v2"),
        ({"model_key": "a/b@main@c/8"}, "a/b@main"),
        ({"model_key": "a/b@c/9"}, None),
        ({"model_key": 8, "model": ["x"], "embedding_model": {}}, None),
        (
            {"model": {"embedding_model": "x", "embedding_dimensions": "8", "embedding_query_prefix": "q: "}},
            "x",
        ),
        ({"model": {"embedding_model": "x", "embedding_dimensions": "many"}}, None),
    ],
)
def test_the_model_is_the_one_that_the_manifest_names(make: Make, manifest: Row, name: str | None) -> None:
    (source,) = unified_sources(make([method(1)], manifest=manifest))

    assert (source.model.name if source.model else None) == name
    assert bool(source.read(max_chars=100).notes) == (name is None)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("class", ["Orders"]), ("source_file", 7), ("name", "x" * 5_000), ("chunk_part", "first"),
        ("chunk_part", -1), ("chunk_part", True), ("importance_score", "high"), ("importance_score", math.nan),
        ("importance_score", 1e300), ("reads_from", "dbo.A"), ("reads_from", ["dbo.A", 3]), ("start_line", 1e9),
    ],
)  # fmt: skip
def test_a_field_of_another_type_is_left_out_and_named(make: Make, field: str, value: object) -> None:
    imported = read(make([method(1), method(2, **{field: value})]))

    (finding,) = imported.findings
    assert (finding.file, finding.line, finding.field) == ("unified_metadata.json", 2, field)
    assert len(chunks_of(imported)) == 2


@pytest.mark.parametrize("row", [None, 3, "row", [], {}, {"text": 5}, {"text": " "}])
def test_a_row_that_is_none_is_left_out_and_named(make: Make, row: object) -> None:
    imported = read(make([method(1), row]))

    assert [(each.rule, each.line) for each in imported.findings] == [("no text", 2)]
    assert len(chunks_of(imported)) == 1


def test_vectors_that_are_none_are_left_out_and_named(make: Make) -> None:
    vectors = np.ones((4, 8))
    vectors[0], vectors[1, 3] = 0, np.nan

    imported = read(make([method(number) for number in range(4)], vectors=vectors))

    assert [(each.rule, each.line) for each in imported.findings] == [
        ("bad vector", 1), ("bad vector", 2), ("vector length", 0),
    ]  # fmt: skip
    (batch,) = imported.vectors
    assert np.allclose(np.linalg.norm(batch.vectors, axis=1), 1)


@pytest.mark.parametrize(
    "lines", [(1, 1), (2_000_000_000, 2_000_000_002), (9_000_000, 9_000_002), (0, 2), (-1, 1), (2, 4), (1, 3)]
)
def test_lines_that_cannot_be_do_not_move_or_lose_text(make: Make, lines: tuple[int, int]) -> None:
    rows = [method(1, start_line=1, end_line=3), method(2, start_line=lines[0], end_line=lines[1])]

    (parsed,) = read(make(rows)).documents

    text = parsed.document.lines
    assert len(text) < 30_000
    assert {"\n".join(text[chunk.start_line - 1 : chunk.end_line]) for chunk in parsed.chunks} == {
        row["text"] for row in rows
    }


@pytest.mark.parametrize(
    "path", ["../../etc/passwd", "/etc/passwd", "C:\\a\\..\\b.cs", "", "a\x00b.cs", "a\nb.cs"]
)
def test_no_path_leaves_the_root(make: Make, path: str) -> None:
    (parsed,) = read(make([method(1, source_file=path)])).documents

    parts = parsed.document.path.split("/")
    assert parsed.document.path.isprintable()
    assert not {"", ".", ".."} & set(parts)


def test_sql_within_a_member_stays_within_its_lines(make: Make) -> None:
    outer = method(1, start_line=1, end_line=3, text='var q = @"\nselect 1 from T\n";')
    inner = method(
        1, start_line=2, end_line=2, text="select 1 from T", file_type="inline_sql", data_type="db_code",
        local_id="sql:inline:Orders.Place1",
    )  # fmt: skip

    (parsed,) = read(make([inner, outer])).documents

    assert parsed.document.text == outer["text"]
    assert [(chunk.object_id, chunk.start_line) for chunk in parsed.chunks] == [
        ("cs:Orders.Place1", 1), ("sql:inline:Orders.Place1", 2),
    ]  # fmt: skip


def test_other_folders_are_no_source(tmp_path: Path) -> None:
    assert unified_sources(tmp_path) == ()
    assert unified_sources(tmp_path / "missing") == ()


def test_a_source_says_what_it_is(index: Path) -> None:
    (source,) = unified_sources(index)

    assert isinstance(source, UnifiedSource)
    assert source.kind == "unified index"
    assert (source.snapshot.repo, source.snapshot.branch, source.snapshot.root) == ("shop", "dev", index)
