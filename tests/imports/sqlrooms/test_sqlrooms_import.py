"""A sqlrooms-rag file becomes a store with its files, chunks and vectors, whatever is wrong with some of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import ragduck
from ragduck.errors import SourceError, StoreError
from ragduck.imports.contract import Imported
from ragduck.imports.sqlrooms import SqlroomsSource, sqlrooms_sources
from ragduck.model import Finding

Write = Callable[..., Path]

HEADER_OF_DUCKDB_2 = (  # which says that it was not written for older ones
    "d8d9c48ac8aec7684455434be703000000000000000000000000000000000000000000000000000000000000000000000000"
    "000076322e302e30000000000000000000000000000000000000000000000000000064353463626265336466000000000000"
    "000000000000000000000000000000000000000000000000af97696d61c17355e7601bdb6ccd5cb3"
)


def source_of(path: Path) -> SqlroomsSource:
    (source,) = sqlrooms_sources(path)
    return source


def read(path: Path) -> Imported:
    return source_of(path).read(max_chars=1000)


def chunks_of(imported: Imported) -> list[Any]:
    return [chunk for parsed in imported.documents for chunk in parsed.chunks]


def vectors_of(imported: Imported) -> dict[str, list[float]]:
    return {
        content_hash: vector.tolist()
        for batch in imported.vectors
        for content_hash, vector in zip(batch.content_hashes, batch.vectors, strict=True)
    }


@pytest.fixture(scope="module")
def imported_store(docs_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two files as a store; not to be changed."""
    store = tmp_path_factory.mktemp("imported") / "docs_store.duckdb"
    ragduck.prepare(docs_file, store)
    return store


def test_files_are_as_they_were_with_paths_below_their_common_folder(docs_file: Path, contents: Any) -> None:
    documents = [parsed.document for parsed in read(docs_file).documents]

    texts = {document.path: document.text for document in documents}
    assert texts == dict(zip(["guide.md", "money/taxes.md"], contents.files.values(), strict=True))


def test_chunks_are_lines_named_by_their_headings(docs_file: Path) -> None:
    chunks = chunks_of(read(docs_file))

    assert [(chunk.start_line, chunk.end_line, chunk.signature) for chunk in chunks[:4]] == [
        (1, 3, "Guide"), (5, 7, "Guide > Install"), (9, 11, "Guide > Use"), (13, 15, "Guide > Use > Export"),
    ]  # fmt: skip


def test_the_store_has_the_vectors_of_the_file_and_nothing_is_embedded(
    imported_store: Path, contents: Any
) -> None:
    with ragduck.open(imported_store) as store:
        rows = store.sql("select embedding from documents order by chunk_no")

    expected = np.array([chunk["embedding"] for chunk in contents.chunks], dtype=np.float32)
    assert np.allclose([row["embedding"] for row in rows], expected, atol=1e-6)


def test_the_store_passes_its_checks(imported_store: Path) -> None:
    with ragduck.open(imported_store) as store:
        assert [result.name for result in store.check() if not result.passed] == []


def test_importing_again_changes_nothing(docs_file: Path, tmp_path: Path) -> None:
    ragduck.prepare(docs_file, tmp_path / "s.duckdb")

    assert ragduck.prepare(docs_file, tmp_path / "s.duckdb").unchanged


def test_a_second_branch_of_the_same_file_shares_its_vectors(docs_file: Path, tmp_path: Path) -> None:
    ragduck.prepare(docs_file, tmp_path / "s.duckdb", branch="one")

    report = ragduck.prepare(docs_file, tmp_path / "s.duckdb", branch="two")

    assert (report.counts["chunks"], report.counts["vectors"], report.embedded) == (12, 12, 0)


def test_another_model_embeds_the_texts_anew(docs_file: Path, tmp_path: Path) -> None:
    report = ragduck.prepare(docs_file, tmp_path / "s.duckdb", embed_model="hashing:32")

    assert (report.model, report.embedded) == ("hashing:32", 6)


@pytest.mark.parametrize(
    ("provider", "name", "dimension", "found", "prefix"),
    [
        ("huggingface", "BAAI/bge-small-en-v1.5", 384, "BAAI/bge-small-en-v1.5", "Represent this question"),
        ("huggingface", "intfloat/e5-small-v2", 384, "intfloat/e5-small-v2", ""),
        ("openai", "text-embedding-3-small", 1536, "openai:text-embedding-3-small", ""),
        ("huggingface", "sentence-transformers/all-MiniLM-L6-v2", 384, "minilm", ""),
        (
            "huggingface",
            "sentence-transformers/all-MiniLM-L6-v2",
            12,
            "sentence-transformers/all-MiniLM-L6-v2",
            "",
        ),
    ],
)
def test_models_are_called_as_ragduck_loads_them(
    write: Write, contents: Any, provider: str, name: str, dimension: int, found: str, prefix: str
) -> None:
    contents.facts |= {"embedding_provider": provider, "embedding_model": name}
    contents.dimension, contents.chunks = dimension, []

    model = source_of(write(contents)).model

    assert model is not None
    assert (model.name, model.dimension) == (found, dimension)
    assert model.query_prefix[: len(prefix) or None] == prefix


def test_vectors_of_an_unnamed_model_are_left_with_a_note(write: Write, contents: Any) -> None:
    contents.facts = {}

    imported = read(write(contents))

    assert list(imported.vectors) == []
    assert any("vectors were left" in note for note in imported.notes)


def test_files_without_sources_and_ids_are_put_together_from_their_chunks(
    write: Write, contents: Any
) -> None:
    imported = read(write(contents, with_sources=False, with_doc_ids=False))

    texts = {parsed.document.path: parsed.document.text for parsed in imported.documents}
    assert texts["money/taxes.md"] == contents.files["/home/ada/docs/money/taxes.md"].rstrip()
    assert len(chunks_of(imported)) == 6


def test_several_documents_of_one_file_become_one_file(write: Write, contents: Any) -> None:
    text = "'## More\n\nSee below.'"
    part = (
        f"insert into source_documents values ('more', '/home/ada/docs/guide.md', '', {text}, '{{}}', null)"
    )
    chunk = f"insert into documents select 'n', {text}, null, embedding, 'more' from documents limit 1"

    imported = read(write(contents, extra=[part, chunk]))

    guide = next(iter(imported.documents))
    assert len(list(imported.documents)) == 2
    assert guide.chunks[-1].signature == "Guide > More"


def test_chunks_cut_by_size_become_whole_lines(write: Write, contents: Any) -> None:
    text = "One sentence. Another one. A third of them.\n"
    contents.files = {"a.md": text}
    template = contents.chunks[0] | {"doc_id": "doc-a.md", "metadata_": {}}
    pieces = ["One sentence. Another one.", "Another one. A third of them."]
    contents.chunks = [template | {"text": piece} for piece in pieces]

    imported = read(write(contents))

    assert [chunk.text for chunk in chunks_of(imported)] == ["One sentence. Another one.", "A third of them."]
    assert {finding.rule for finding in imported.findings} == {"line end added", "overlap"}


def spoil(contents: Any, field: str, value: object) -> None:
    contents.chunks[1][field] = value


@pytest.mark.parametrize(
    ("field", "value", "rule"),
    [
        ("text", None, "bad text"),
        ("text", "  \n ", "bad text"),
        ("metadata_", "[1, 2]", "bad metadata_"),
        ("metadata_", '{"a": ' + "[" * 5_000 + "]" * 5_000 + "}", "bad metadata_"),
        ("embedding", None, "bad vector"),
        ("embedding", [None] * 64, "bad vector"),
        ("embedding", [math.nan] * 64, "bad vector"),
        ("embedding", [math.inf] + [0.0] * 63, "bad vector"),
        ("embedding", [0.0] * 64, "bad vector"),
    ],
)
def test_one_bad_value_is_left_out_and_named(
    write: Write, contents: Any, field: str, value: object, rule: str
) -> None:
    spoil(contents, field, value)

    imported = read(write(contents))

    (finding,) = imported.findings
    assert (finding.outcome, finding.rule, finding.file, finding.line, finding.field) == (
        "left out", rule, "documents", 2, field,
    )  # fmt: skip
    assert len(chunks_of(imported)) == (5 if field == "text" else 6)
    assert len(vectors_of(imported)) == (6 if field == "metadata_" else 5)


def test_a_chunk_without_vector_stays_so_where_the_model_cannot_be_had(
    write: Write, contents: Any, tmp_path: Path
) -> None:
    contents.facts["embedding_model"] = "nobody/no-such-model"
    spoil(contents, "embedding", None)

    report = ragduck.prepare(write(contents), tmp_path / "s.duckdb")

    assert (report.counts["chunks"], report.counts["vectors"]) == (6, 5)
    assert any("1 contents have no vector" in note for note in report.sources[0].notes)


def test_vectors_are_scaled_to_length_one(write: Write, contents: Any) -> None:
    spoil(contents, "embedding", [3.0, 4.0] + [0.0] * 62)

    imported = read(write(contents))

    assert [vector[:2] for vector in vectors_of(imported).values()][1] == pytest.approx([0.6, 0.8])
    assert Finding(
        "repaired", "vector length", "documents", 0, "embedding", "1 vectors were scaled to length one"
    ) in (imported.findings)


@pytest.mark.parametrize(
    "path",
    ["../../../etc/passwd", "C:\\docs\\..\\a.md", "/", "..", "a\nb\x1b[2J.md", "x" * 5_000, "a//./b.md", ""],
)
def test_no_path_leaves_the_root(write: Write, contents: Any, path: str) -> None:
    contents.files = {path: "# A\n\nText."}
    contents.chunks = [contents.chunks[0] | {"text": "# A\n\nText.", "doc_id": f"doc-{path}"}]

    (parsed,) = read(write(contents)).documents

    parts = parsed.document.path.split("/")
    assert parsed.document.path.isprintable()
    assert len(parsed.document.path) <= 1_000
    assert not {"", ".", ".."} & set(parts)
    assert ":" not in parts[0]


def test_paths_that_become_equal_stay_two_files(write: Write, contents: Any) -> None:
    contents.files = {"a/../x.md": "# A", "a/x.md": "# B", "b.md": "# C"}
    contents.chunks = [contents.chunks[0] | {"text": "# A", "doc_id": "doc-a/x.md"}]

    paths = [parsed.document.path for parsed in read(write(contents)).documents]

    assert len(set(paths)) == 3


def test_a_file_without_a_text_is_refused(write: Write, contents: Any) -> None:
    contents.chunks = []

    with pytest.raises(SourceError, match="no chunk with a text"):
        read(write(contents))


def test_views_are_no_tables(write: Write, contents: Any) -> None:
    path = write(contents, extra=["alter table documents rename to d", "create view documents as from d"])

    assert sqlrooms_sources(path) == ()


def test_macros_of_the_file_change_nothing(write: Write, contents: Any) -> None:
    macros = ["create macro count(x) as 0", "create macro max(x) as 0", "create macro json(x) as error('no')"]

    imported = read(write(contents, extra=macros))

    assert len(chunks_of(imported)) == len(vectors_of(imported)) == 6


def test_a_computed_column_that_fails_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "computed.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "create table documents (node_id varchar, text varchar, n integer, "
            "doc_id varchar generated always as (if(n > 100, 'a', substr('abc', n, 1))))"
        )
        connection.execute("insert into documents (node_id, text, n) values ('1', '# A', 1), ('2', '# B', 2)")

    assert len(chunks_of(read(path))) == 2


@pytest.mark.parametrize("kind", ["float[]", "double[64]"])
def test_vectors_of_another_type_are_taken(write: Write, contents: Any, kind: str) -> None:
    path = write(contents, extra=[f"alter table documents alter embedding type {kind}"])

    assert len(vectors_of(read(path))) == 6


def test_a_column_that_hides_the_number_of_a_row_makes_it_another_file(write: Write, contents: Any) -> None:
    path = write(contents, extra=["alter table documents add column rowid varchar"])

    assert sqlrooms_sources(path) == ()


def test_half_a_character_in_a_path_does_no_harm(write: Write, contents: Any, tmp_path: Path) -> None:
    told = '{"file_path": "a\\ud800.md", "header_path": "/\\udfff/"}'
    extra = [
        "alter table documents alter metadata_ type varchar",
        f"update documents set metadata_ = '{told}'",
    ]

    report = ragduck.prepare(write(contents, with_sources=False, extra=extra), tmp_path / "s.duckdb")

    assert report.counts["chunks"] == 6


def test_vectors_of_no_known_type_are_left_with_a_note(write: Write, contents: Any) -> None:
    imported = read(write(contents, extra=["alter table documents alter embedding type varchar"]))

    assert list(imported.vectors) == []
    assert imported.notes == ("its vectors were left: column embedding has type VARCHAR",)


def test_another_duckdb_file_is_no_source(tmp_path: Path) -> None:
    path = tmp_path / "other.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table invoices (id integer)")

    assert sqlrooms_sources(path) == ()


def test_a_torn_file_is_refused_with_a_hint(write: Write, contents: Any, tmp_path: Path) -> None:
    torn = tmp_path / "torn.duckdb"
    torn.write_bytes(write(contents).read_bytes()[:9_000])

    with pytest.raises(StoreError) as refused:
        sqlrooms_sources(torn)

    assert refused.value.hint


@pytest.mark.skipif(duckdb.__version__ >= "2", reason="reads these files")
def test_a_file_of_a_later_duckdb_is_refused_with_a_hint(tmp_path: Path) -> None:
    later = tmp_path / "later.duckdb"
    later.write_bytes(bytes.fromhex(HEADER_OF_DUCKDB_2).ljust(3 * 4096, b"\0"))

    with pytest.raises(StoreError, match="another version of DuckDB") as refused:
        sqlrooms_sources(later)

    assert refused.value.hint == "pip install --upgrade duckdb"
