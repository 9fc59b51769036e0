"""Nodes that LlamaIndex adds to a store: they answer, keep what they are, and disturb nothing else."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from llama_index.core import Document, StorageContext, VectorStoreIndex
from llama_index.core.schema import ImageNode, IndexNode, NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import (
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)

import ragduck
from ragduck.embed.hashing import HashingEmbedder
from ragduck.errors import EmbeddingError, RagduckError, StoreError, UsageError
from ragduck.integrations.llamaindex import (
    RagduckEmbedding,
    RagduckRetriever,
    RagduckVectorStore,
    open_index,
)
from ragduck.integrations.llamaindex.nodes import added_node
from ragduck.preparation.reembedding import embed
from ragduck.search.nodes import node_of

MODEL = "hashing:32"
EMBEDDER = HashingEmbedder(dimension=32)
METADATA = {
    "file_path": "/srv/notes/billing.md",
    "author": "Ann",
    "tags": ["a", "ü"],
    "year": 2024,
    "note": None,
}


TWO_SOURCES = {NodeRelationship.SOURCE: [RelatedNodeInfo(node_id="a"), RelatedNodeInfo(node_id="b")]}


def node(node_id: str, text: str, *, of: str | None = None, **metadata: Any) -> TextNode:
    """A node with its vector, cut from a document."""
    relationships = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=of)} if of else {}
    return TextNode(
        id_=node_id,
        text=text,
        metadata=metadata,
        relationships=relationships,
        embedding=EMBEDDER.embed_query(text).tolist(),
    )


def nodes_of_garden() -> list[TextNode]:
    return [
        node("g1", "Tomatoes want sun\nand water.", of="garden"),
        node("g2", "Roses want pruning.", of="garden"),
        node("b1", "An invoice is created when an order ships.", of="billing", **METADATA),
        node("lone", "Nobody knows where this comes from.\n"),
    ]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with four nodes; not to be changed."""
    path = tmp_path_factory.mktemp("added") / "notes.duckdb"
    store = RagduckVectorStore(path, embed_model=MODEL)
    store.add(nodes_of_garden())
    store.close()
    return path


@pytest.fixture
def notes_store(filled: Path, tmp_path: Path) -> Iterator[RagduckVectorStore]:
    """A copy of it, to be changed."""
    with opened(shutil.copy(filled, tmp_path / "notes.duckdb")) as store:
        yield store


@pytest.fixture
def shop_copy(shop_path: Path, tmp_path: Path) -> Path:
    """The sample shop, to be added to."""
    return Path(shutil.copy(shop_path, tmp_path / "shop.duckdb"))


@contextmanager
def opened(path: Path | str, **settings: Any) -> Iterator[RagduckVectorStore]:
    store = RagduckVectorStore(path, **settings)
    yield store
    store.close()


def ids(store: RagduckVectorStore) -> list[str]:
    return sorted(each.node_id for each in store.get_nodes())


def found(store: RagduckVectorStore, words: str, mode: str = "text_search", **settings: Any) -> list[str]:
    query = VectorStoreQuery(
        query_str=words,
        query_embedding=EMBEDDER.embed_query(words).tolist(),
        mode=VectorStoreQueryMode(mode),
        **{"similarity_top_k": 3, **settings},
    )
    return store.query(query).ids or []


def failed_checks(path: Path | str) -> list[str]:
    with ragduck.open(path) as store:
        return [check.name for check in store.check() if not check.passed]


def test_a_new_store_is_empty_and_sound(tmp_path: Path) -> None:
    path = tmp_path / "new.duckdb"

    with opened(path, embed_dim=8) as store:
        assert store.get_nodes() == []
        assert store.query(VectorStoreQuery(query_embedding=[1.0] * 8, similarity_top_k=3)).ids == []
    assert failed_checks(path) == []


@pytest.mark.parametrize("mode", ["default", "text_search", "sparse", "hybrid", "semantic_hybrid"])
def test_each_mode_finds_an_added_node_by_its_id(filled: Path, mode: str) -> None:
    with opened(filled) as store:
        assert found(store, "tomatoes sun water", mode)[0] == "g1"


def test_the_store_of_added_nodes_is_sound(filled: Path) -> None:
    assert failed_checks(filled) == []


KINDS_OF_NODES = [
    nodes_of_garden()[2],
    IndexNode(id_="i1", text="See the other index.", index_id="other", embedding=[1.0] * 32),
    ImageNode(id_="p1", text="A picture.", image_url="https://example.org/a.png", embedding=[1.0] * 32),
    TextNode(id_='it\'s "1"', text="", metadata={'quo"te': {"deep": [1, {"a": None}]}}, embedding=[1.0] * 32),
    TextNode(id_="z", text="zero \x00 and\r\nline\n\n", metadata={"n": "\x00"}, embedding=[1.0] * 32),
    TextNode(
        id_="r1",
        text="With all there is.",
        start_char_idx=3,
        end_char_idx=21,
        excluded_embed_metadata_keys=["a"],
        excluded_llm_metadata_keys=["b"],
        text_template="{content}",
        relationships={
            NodeRelationship.SOURCE: RelatedNodeInfo(node_id="d", metadata={"k": 1}, hash="h"),
            NodeRelationship.NEXT: RelatedNodeInfo(node_id="r2"),
            NodeRelationship.CHILD: [RelatedNodeInfo(node_id="c1"), RelatedNodeInfo(node_id="c2")],
        },
        embedding=[1.0] * 32,
    ),
]


def test_nodes_come_back_as_they_were(notes_store: RagduckVectorStore) -> None:
    notes_store.add(KINDS_OF_NODES)

    for given in KINDS_OF_NODES:
        [kept] = notes_store.get_nodes(node_ids=[given.node_id])
        assert type(kept) is type(given)
        assert kept.model_dump() == {**given.model_dump(), "embedding": None}
    assert failed_checks(notes_store.path) == []


def test_an_index_is_made_of_documents(tmp_path: Path) -> None:
    documents = [
        Document(id_="d1", text="An invoice is created when an order ships.", metadata={"author": "Ann"}),
        Document(id_="d2", text="Tomatoes want sun and water."),
    ]
    with opened(tmp_path / "new.duckdb", embed_model=MODEL) as store:
        index = VectorStoreIndex.from_documents(
            documents,
            storage_context=StorageContext.from_defaults(vector_store=store),
            embed_model=RagduckEmbedding(MODEL),
        )

        answer = index.as_retriever(similarity_top_k=1).retrieve("when is an invoice created")

    assert [(hit.node.ref_doc_id, hit.metadata) for hit in answer] == [("d1", {"author": "Ann"})]


def test_an_opened_index_takes_and_loses_documents(notes_store: RagduckVectorStore) -> None:
    notes_store.delete("garden")
    index = open_index(notes_store.path)
    index.insert(Document(id_="d1", text="Tomatoes want sun and water."))
    before = index.as_retriever(similarity_top_k=1, vector_store_query_mode="text_search").retrieve(
        "tomatoes"
    )

    index.delete_ref_doc("d1")

    after = index.as_retriever(similarity_top_k=1, vector_store_query_mode="text_search").retrieve("tomatoes")
    assert [hit.node.ref_doc_id for hit in before] == ["d1"]
    assert after == []


def test_nodes_and_prepared_chunks_answer_side_by_side(shop_copy: Path) -> None:
    with ragduck.open(shop_copy) as store:
        prepared = store.sql("select node_id, text, embedding from documents order by chunk_no")
    with opened(shop_copy) as store:
        store.add([TextNode(id_="n1", text="Why PlaceOrder reserves stock first.", metadata={"name": "why"})])

        answer = store.query(
            VectorStoreQuery(query_str="PlaceOrder stock", mode="text_search", similarity_top_k=50)
        )

    with ragduck.open(shop_copy) as store:
        kept = store.sql(
            "select node_id, text, embedding from documents where repo = 'shop' order by chunk_no"
        )
    assert "n1" in (answer.ids or [])
    assert len(answer.ids or []) > 1
    assert kept == prepared
    assert failed_checks(shop_copy) == []


def test_preparing_beside_them_leaves_added_nodes(notes_store: RagduckVectorStore, notes: Path) -> None:
    before = notes_store.get_nodes()

    ragduck.prepare(notes, notes_store.path, repo="notes", branch="main")

    kept = notes_store.get_nodes(
        filters=MetadataFilters(filters=[MetadataFilter(key="repo", value="llamaindex")])
    )
    assert kept == before
    assert found(notes_store, "tomatoes sun water", similarity_top_k=2)
    assert failed_checks(notes_store.path) == []


def test_the_library_finds_added_nodes_and_shows_their_metadata(filled: Path) -> None:
    with ragduck.open(filled) as store:
        [hit] = store.search("invoice", mode="bm25", top_k=1).results
        text = store.text_of("srv/notes/billing.md")[0]["text"]

    assert hit["node_id"] == "b1"
    assert hit["metadata"]["author"] == "Ann"
    assert hit["location"] == "srv/notes/billing.md:1-1"
    assert text == "An invoice is created when an order ships."


def test_the_retriever_gives_back_added_nodes(filled: Path) -> None:
    retriever = RagduckRetriever(filled, mode="bm25", similarity_top_k=1)

    [hit] = retriever.retrieve("invoice")

    retriever.close()
    assert hit.node.metadata == METADATA
    assert hit.node.ref_doc_id == "billing"


def test_nodes_of_one_document_lie_one_under_the_other(filled: Path) -> None:
    with ragduck.open(filled) as store:
        lines = store.sql("select node_id, start_line, end_line from documents where source_file = 'garden'")
        text = store.sql("select text from source_documents where file_path = 'garden'")

    assert [tuple(row.values()) for row in lines] == [("g1", 1, 2), ("g2", 3, 3)]
    assert text == [{"text": "Tomatoes want sun\nand water.\nRoses want pruning."}]


def test_an_added_node_replaces_the_one_with_its_id(notes_store: RagduckVectorStore) -> None:
    notes_store.add([node("g1", "Cucumbers climb.", of="garden"), node("g1", "Beans climb.", of="garden")])

    assert ids(notes_store) == ["b1", "g1", "g2", "lone"]
    assert found(notes_store, "beans") == ["g1"]
    assert found(notes_store, "tomatoes") == []
    assert failed_checks(notes_store.path) == []


def test_one_text_may_have_several_vectors(notes_store: RagduckVectorStore) -> None:
    first, second = (node(f"s{number}", "The same text.") for number in (1, 2))
    second.embedding = [-value for value in first.embedding or ()]
    notes_store.add([first, second])

    query = VectorStoreQuery(query_embedding=first.embedding, similarity_top_k=10)

    answer = notes_store.query(query)
    scores = dict(zip(answer.ids or [], answer.similarities or [], strict=True))
    assert scores["s1"] == pytest.approx(1)
    assert scores["s2"] == pytest.approx(-1)


def test_documents_of_one_name_keep_files_of_their_own(notes_store: RagduckVectorStore) -> None:
    notes_store.add([node("o1", "Another invoice.", of="other", file_path="/srv/notes/billing.md")])

    with ragduck.open(notes_store.path) as store:
        files = store.sql(
            "select file_path, file_type from source_documents where file_path like '%billing%'"
        )
    assert files[0] == {"file_path": "srv/notes/billing.md", "file_type": "md"}
    assert files[1]["file_path"].startswith("srv/notes/billing.md#")
    assert files[1]["file_type"] == "md"


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("/srv/notes/a.md", "srv/notes/a.md"),
        ("../../etc/passwd", "etc/passwd"),
        ("C:\\Users\\ann\\a.txt", "Users/ann/a.txt"),
        ("a\x00\n/b.md", "a/b.md"),
        ("https://example.org/x", "https:/example.org/x"),
        ("x" * 5000, "x" * 400),
        (" / . / ", "lone"),
        (7, "lone"),
    ],
)
def test_the_path_of_a_document_leads_nowhere_else(given: Any, path: str) -> None:
    assert added_node(TextNode(id_="lone", text="Text.", metadata={"file_path": given})).path == path


DELETIONS: dict[str, tuple[Callable[[RagduckVectorStore], None], list[str]]] = {
    "a document": (lambda store: store.delete("garden"), ["b1", "lone"]),
    "no document, but a node": (lambda store: store.delete("lone"), ["b1", "g1", "g2", "lone"]),
    "an unknown document": (lambda store: store.delete("nowhere"), ["b1", "g1", "g2", "lone"]),
    "nodes": (lambda store: store.delete_nodes(["g1", "b1", "nowhere"]), ["g2", "lone"]),
    "no nodes": (lambda store: store.delete_nodes([]), ["b1", "g1", "g2", "lone"]),
    "what passes a filter": (
        lambda store: store.delete_nodes(
            filters=MetadataFilters(filters=[MetadataFilter(key="author", value="Ann")])
        ),
        ["g1", "g2", "lone"],
    ),
    "nodes that pass a filter": (
        lambda store: store.delete_nodes(
            ["g1", "b1"], MetadataFilters(filters=[MetadataFilter(key="ref_doc_id", value="garden")])
        ),
        ["b1", "g2", "lone"],
    ),
    "everything": (lambda store: store.clear(), []),
}


@pytest.mark.parametrize("deletion", DELETIONS)
def test_what_is_deleted_is_gone(notes_store: RagduckVectorStore, deletion: str) -> None:
    delete, left = DELETIONS[deletion]

    delete(notes_store)

    assert ids(notes_store) == left
    everywhere = found(notes_store, "tomatoes roses invoice nobody want", similarity_top_k=10)
    assert sorted(everywhere) == left
    assert failed_checks(notes_store.path) == []


def test_nothing_that_prepare_wrote_can_be_changed(shop_copy: Path) -> None:
    content = shop_copy.read_bytes()
    with opened(shop_copy) as store, opened(shop_copy, repo="shop") as inside:
        chunk = store.get_nodes()[0]
        vector = [1.0] * 64
        attempts: list[Callable[[], Any]] = [
            lambda: store.delete(chunk.ref_doc_id or ""),
            lambda: store.delete_nodes([chunk.node_id]),
            lambda: store.add([TextNode(id_=chunk.node_id, text="x", embedding=vector)]),
            lambda: inside.add([TextNode(text="x", embedding=vector)]),
            inside.clear,
            lambda: inside.delete_nodes(
                filters=MetadataFilters(filters=[MetadataFilter(key="kind", value="PROC")])
            ),
        ]

        for attempt in attempts:
            with pytest.raises(StoreError):
                attempt()

    assert shop_copy.read_bytes() == content


def test_branches_are_apart(notes_store: RagduckVectorStore) -> None:
    with opened(notes_store.path, repo="other", branch="dev") as other:
        other.add([node("o1", "Elsewhere.", of="garden")])
        with pytest.raises(StoreError, match="g1"):
            other.add([node("g1", "Taken.")])
        with pytest.raises(StoreError, match="g1"):
            other.delete_nodes(["g1"])
        other.delete("garden")

    assert ids(notes_store) == ["b1", "g1", "g2", "lone"]


def test_readers_go_on_reading_what_they_opened(notes_store: RagduckVectorStore) -> None:
    with ragduck.open(notes_store.path) as before:
        notes_store.delete("garden")

        assert before.sql("select count(*) as n from documents") == [{"n": 4}]
        assert ids(notes_store) == ["b1", "lone"]


def test_another_vector_store_sees_what_was_added(notes_store: RagduckVectorStore) -> None:
    with opened(notes_store.path) as other:
        assert len(other.get_nodes()) == 4

        notes_store.add([node("new", "Something new.")])

        assert found(other, "something new") == ["new"]


def test_a_batch_is_written_in_one_step(notes_store: RagduckVectorStore) -> None:
    with ragduck.open(notes_store.path) as store:
        [held] = store.snapshots()
    with notes_store.batch():
        notes_store.add([node("n1", "One.", of="new"), node("n2", "Two.", of="new")])
        notes_store.delete("garden")
        notes_store.add([node("g9", "Beans climb.", of="garden")])
        notes_store.delete_nodes(["n1", "lone"])
        during = ids(notes_store)

    assert during == ["b1", "g1", "g2", "lone"]
    assert ids(notes_store) == ["b1", "g9", "n2"]
    assert failed_checks(notes_store.path) == []
    assert held.chunks == 4


def test_a_batch_that_fails_changes_nothing(notes_store: RagduckVectorStore) -> None:
    def clear_and_fail() -> None:
        with notes_store.batch():
            notes_store.clear()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        clear_and_fail()

    assert ids(notes_store) == ["b1", "g1", "g2", "lone"]
    notes_store.delete("garden")
    assert ids(notes_store) == ["b1", "lone"]


@pytest.mark.slow
def test_many_additions_at_once_are_all_there(notes_store: RagduckVectorStore) -> None:
    async def add_all() -> None:
        await asyncio.gather(*(notes_store.async_add([node(f"n{number}", "Text.")]) for number in range(2)))
        await notes_store.adelete("garden")

    asyncio.run(add_all())

    assert ids(notes_store) == ["b1", "lone", "n0", "n1"]
    asyncio.run(notes_store.aclear())
    assert ids(notes_store) == []


def test_nodes_without_a_vector_get_that_of_the_store(notes_store: RagduckVectorStore) -> None:
    notes_store.add([TextNode(id_="bare", text="Beans climb poles.")])

    assert found(notes_store, "beans climb poles", "default")[0] == "bare"


def test_a_store_without_vectors_takes_nodes_without(tmp_path: Path) -> None:
    path = tmp_path / "words.duckdb"
    with opened(path, embed_model="none") as store:
        store.add([TextNode(id_="w1", text="Beans climb poles.")])

        assert found(store, "beans") == ["w1"]
        with pytest.raises(UsageError, match="holds no vectors"):
            store.add([TextNode(text="x", embedding=[1.0])])
    assert failed_checks(path) == []


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (TextNode(text="x", embedding=[1.0, 0.0]), "2 dimensions"),
        (TextNode(text="x", embedding=[float("nan")] * 32), "not finite"),
        (TextNode(text="x", metadata={"a": float("inf")}, embedding=[1.0] * 32), "no JSON"),
        (TextNode(text="x \ud800", embedding=[1.0] * 32), "UTF-8"),
        (TextNode(text="x", metadata={"a": "\udfff"}, embedding=[1.0] * 32), "UTF-8"),
        (TextNode(id_="", text="x", embedding=[1.0] * 32), "no id"),
        (TextNode(text="x", relationships=TWO_SOURCES, embedding=[1.0] * 32), "Source object"),
    ],
)
def test_a_node_that_cannot_be_stored_is_refused_with_all_others(
    filled: Path, bad: TextNode, said: str
) -> None:
    with opened(filled) as store:
        with pytest.raises((UsageError, EmbeddingError), match=said):
            store.add([node("good", "Good."), bad])

        assert ids(store) == ["b1", "g1", "g2", "lone"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "no store"),
        ({"embed_dim": 0}, "embed_dim"),
        ({"embed_dim": 8, "embed_model": MODEL}, "embed_dim is 8"),
        ({"embed_dim": 8, "repo": " "}, "repo is empty"),
    ],
)
def test_a_store_is_not_made_for_nothing(tmp_path: Path, settings: dict[str, Any], said: str) -> None:
    path = tmp_path / "new.duckdb"

    with pytest.raises(RagduckError, match=said):
        RagduckVectorStore(path, **settings)

    assert not path.exists()


@pytest.mark.parametrize("settings", [{"embed_dim": 8}, {"embed_model": "hashing:8"}])
def test_a_store_of_another_model_is_refused(filled: Path, settings: dict[str, Any]) -> None:
    with pytest.raises(EmbeddingError):
        RagduckVectorStore(filled, **settings)


def test_a_foreign_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann")

    with pytest.raises(StoreError):
        RagduckVectorStore(path, embed_dim=8)

    assert path.read_text() == "Dear Ann"


def test_an_embedding_is_made_again_from_its_fields() -> None:
    embedding = RagduckEmbedding.from_dict(RagduckEmbedding(MODEL).to_dict())

    assert len(embedding.get_text_embedding("beans")) == 32


@pytest.mark.parametrize("content", ["{", "[]", "7", '{"class_name": 3, "metadata": 4}', '{"metadata": {}}'])
def test_a_damaged_node_is_named(content: str) -> None:
    with pytest.raises(StoreError, match="the node n1 is damaged"):
        node_of({"node_id": "n1", "text": "Text.", "metadata": {}, "llamaindex_node": content})


def test_prepare_does_not_delete_added_nodes(filled: Path, tmp_path: Path) -> None:
    store = Path(shutil.copy(filled, tmp_path / "notes.duckdb"))
    folder = tmp_path / "llamaindex"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n")

    with pytest.raises(StoreError, match="4 nodes that LlamaIndex added"):
        ragduck.prepare(folder, store)

    with opened(store) as after:
        assert len(after.get_nodes()) == 4


def add_while_embedding(store: RagduckVectorStore) -> None:
    with store.batch():
        store.add([node("late", "Potatoes want earth.")])
        embed(store.path, "hashing:16")


def test_nodes_of_another_model_are_refused_when_the_store_was_embedded_anew(
    notes_store: RagduckVectorStore,
) -> None:
    with pytest.raises(EmbeddingError, match="embedded anew"):
        add_while_embedding(notes_store)


def test_a_change_reads_the_file_that_is_there_though_another_is_held_open(
    notes_store: RagduckVectorStore,
) -> None:
    with ragduck.open(notes_store.path) as held:
        embed(notes_store.path, "hashing:16")

        assert not embed(notes_store.path, MODEL).unchanged
        assert held.meta["embedding_dimensions"] == "32"


def test_a_number_beyond_all_numbers_filters(notes_store: RagduckVectorStore) -> None:
    filters = MetadataFilters(filters=[MetadataFilter(key="year", value=10**400, operator="<")])

    assert [each.node_id for each in notes_store.get_nodes(filters=filters)] == ["b1"]
