"""A mirror that is not what the store needs is refused with a reason, and the search runs exactly."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import faiss
import numpy as np
import pytest

import ragduck
from ragduck.library import open_store
from ragduck.mirror import export_faiss, mirror_state
from ragduck.mirror.manifest import describe_file

Export = Callable[..., Any]


def answered(store: Path, embedder: Any, **settings: Any) -> tuple[list[str], tuple[str, ...]]:
    """Return the ids that a search finds, and its notes."""
    with open_store(store, embed_model=embedder, **settings) as opened:
        answer = opened.search("load an order", mode="semantic")
    return [result["node_id"] for result in answer.results], answer.status.notes


def state_of(store: Path) -> Any:
    with open_store(store) as opened:
        return mirror_state(opened.path, opened.meta)


def change_manifest(folder: Path, **changes: Any) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | changes))


def hide(folder: Path, name: str, content: bytes) -> None:
    """Put other content in a file and its hash in the manifest, as someone who means harm would."""
    (folder / name).write_bytes(content)
    files = json.loads((folder / "manifest.json").read_text())["files"]
    found = describe_file(folder / name)
    change_manifest(folder, files=files | {name: {"size": found.size, "sha256": found.sha256}})


def truncate(folder: Path) -> None:
    content = (folder / "index.faiss").read_bytes()
    (folder / "index.faiss").write_bytes(content[:-100])


def tamper(folder: Path) -> None:
    content = bytearray((folder / "index.faiss").read_bytes())
    content[-1] ^= 1
    (folder / "index.faiss").write_bytes(content)


def lose_index(folder: Path) -> None:
    (folder / "index.faiss").unlink()


def link_index(folder: Path) -> None:
    elsewhere = folder.parent / "elsewhere.faiss"
    (folder / "index.faiss").rename(elsewhere)
    (folder / "index.faiss").symlink_to(elsewhere)


def lose_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


def break_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_text("[" * 10_000)


def name_other_model(folder: Path) -> None:
    change_manifest(folder, model_key="other@2/24")


def name_other_dimension(folder: Path) -> None:
    change_manifest(folder, dimension=25)


def name_other_vectors(folder: Path) -> None:
    change_manifest(folder, fingerprint="0" * 64)


def name_other_kind(folder: Path) -> None:
    change_manifest(folder, kind="hnsw", search={"ef_search": 32}, deep_search={"ef_search": 32})


def forget_search(folder: Path) -> None:
    change_manifest(folder, search={"nprobe": 0})


def claim_more_rows(folder: Path) -> None:
    content = bytearray((folder / "index.faiss").read_bytes())
    content[8:16] = (1 << 40).to_bytes(8, "little")
    hide(folder, "index.faiss", bytes(content))


def hide_other_file(folder: Path) -> None:
    hide(folder, "index.faiss", b"IxFI" + bytes(200))


def hide_other_chunks(folder: Path) -> None:
    chunk_nos = np.load(folder / "chunk_nos.npy")
    np.save(folder / "chunk_nos.npy", chunk_nos[::-1])
    hide(folder, "chunk_nos.npy", (folder / "chunk_nos.npy").read_bytes())


def hide_pickle(folder: Path) -> None:
    np.save(folder / "chunk_nos.npy", np.array([{}], dtype=object), allow_pickle=True)
    hide(folder, "chunk_nos.npy", (folder / "chunk_nos.npy").read_bytes())


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (truncate, "truncated or replaced"),
        (tamper, "its sha256 differs"),
        (lose_index, "index.faiss is missing"),
        (link_index, "index.faiss is no regular file"),
        (lose_manifest, "manifest.json is missing"),
        (break_manifest, "manifest.json is not one of this version"),
        (name_other_model, "its vectors are of other, those of the store of scattered"),
        (name_other_dimension, "its vectors have 25 dimensions, those of the store 24"),
        (name_other_vectors, "from other vectors than the store holds now"),
        (name_other_kind, "is not the hnsw index that its manifest says"),
        (forget_search, "does not say how a flat index is asked"),
        (claim_more_rows, "is not the flat index that its manifest says"),
        (hide_other_file, "is not the flat index that its manifest says"),
        (hide_other_chunks, "names other chunks than the store has"),
        (hide_pickle, "is no list of chunks"),
    ],
)
def test_a_mirror_that_is_not_right_is_refused_and_the_store_scanned(
    mirrored: Export, embedder: Any, damage: Callable[[Path], None], reason: str
) -> None:
    store, report = mirrored("flat")
    expected, _ = answered(store, embedder, faiss="off")
    damage(report.folder)

    found, notes = answered(store, embedder)

    assert found == expected
    assert len(notes) == 1
    assert notes[0].startswith("the mirror scattered.duckdb.faiss is not used: ")
    assert reason in notes[0]


@pytest.mark.parametrize("kind", ["hnsw", "ivf", "pq"])
def test_an_index_cut_short_or_made_up_is_refused_by_its_reader(
    mirrored: Export, embedder: Any, kind: str
) -> None:
    store, report = mirrored(kind)
    content = (report.folder / "index.faiss").read_bytes()
    hide(report.folder, "index.faiss", content[:37] + bytes(len(content) - 37))

    found, notes = answered(store, embedder)

    assert len(found) == 10
    assert "is not used" in notes[0]


def test_links_out_of_a_graph_are_not_followed(mirrored: Export, embedder: Any) -> None:
    store, report = mirrored("hnsw")
    content = (report.folder / "index.faiss").read_bytes()
    index = faiss.read_index(str(report.folder / "index.faiss"))
    links = faiss.vector_to_array(index.hnsw.neighbors).tobytes()
    outside = (1 << 30).to_bytes(4, "little")
    hide(report.folder, "index.faiss", content.replace(links, outside + links[4:]))

    found, notes = answered(store, embedder)

    assert len(found) == 10
    assert "is not used" in notes[0]


def test_a_mirror_goes_stale_when_the_vectors_change(mirrored: Export, embedder: Any) -> None:
    store, _ = mirrored("flat")
    with duckdb.connect(str(store)) as connection:
        connection.execute("delete from documents where chunk_no = 3")
        connection.execute(
            "update ragduck_meta set value = vectors_fingerprint() where key = 'vectors_fingerprint'"
        )

    found, notes = answered(store, embedder)

    assert len(found) == 10
    assert "is not used: stale" in notes[0]
    assert state_of(store).status == "stale"


def test_a_store_without_a_mirror_is_searched_without_a_word(scattered_store: Path, embedder: Any) -> None:
    _, notes = answered(scattered_store, embedder)

    assert notes == ()
    assert str(state_of(scattered_store)) == "none"


def test_a_folder_that_was_named_is_missed(scattered_store: Path, embedder: Any, tmp_path: Path) -> None:
    _, notes = answered(scattered_store, embedder, faiss=tmp_path / "gone")

    assert notes == ("the mirror gone is not used: there is no such folder",)


def test_a_fresh_mirror_tells_its_kind_and_recall(mirrored: Export) -> None:
    store, report = mirrored("hnsw")

    state = state_of(store)

    assert state.status == "fresh"
    assert str(state) == f"fresh (hnsw, recall {report.manifest.recall_at_10:.3f})"
    assert state.to_dict()["index"] == "hnsw"


def test_a_keyword_search_says_nothing_of_a_damaged_mirror(mirrored: Export) -> None:
    store, report = mirrored("flat")
    truncate(report.folder)

    with open_store(store) as opened:
        answer = opened.search("load", mode="bm25")

    assert answer.status.notes == ()


@pytest.mark.parametrize("damage", [tamper, name_other_vectors, claim_more_rows, lose_manifest])
def test_an_answer_calls_no_mirror_fresh_that_it_was_not_found_by(
    mirrored: Export, embedder: Any, damage: Callable[[Path], None]
) -> None:
    store, report = mirrored("flat")
    with open_store(store, embed_model=embedder) as opened:
        before = opened.search("load").status
    damage(report.folder)

    with open_store(store, embed_model=embedder) as opened:
        after = opened.search("load").status

    assert [each.mirror for each in before.branches] == ["fresh"]
    assert after.notes
    assert "fresh" not in [each.mirror for each in after.branches]


def test_info_looks_at_all_of_a_mirror(mirrored: Export, run_ragduck: Any) -> None:
    store, report = mirrored("flat")
    tamper(report.folder)

    told = json.loads(run_ragduck("info", store, "--json").stdout)

    assert told["mirror"]["status"] == "damaged"


def test_check_finds_a_tampered_mirror(mirrored: Export) -> None:
    store, report = mirrored("flat")
    with open_store(store) as opened:
        before = {result.name: result for result in opened.check()}["mirror"]
    tamper(report.folder)

    with open_store(store) as opened:
        after = {result.name: result for result in opened.check()}["mirror"]

    assert before.passed
    assert not after.passed
    assert "sha256" in after.rows[0]["reason"]


def test_the_fingerprint_depends_on_contents_and_their_places_alone(
    scattered_store: Path, tmp_path: Path, embedder: Any
) -> None:
    again = tmp_path / "again.duckdb"
    shutil.copytree(scattered_store.parent / "code", tmp_path / "code")
    ragduck.prepare(tmp_path / "code", again, repo="code", branch="main", embed_model=embedder)
    with open_store(scattered_store) as first, open_store(again) as second:
        assert first.meta["vectors_fingerprint"] == second.meta["vectors_fingerprint"]


def test_a_mirror_of_a_store_made_again_from_the_same_files_is_fresh(
    scattered_store: Path, tmp_path: Path
) -> None:
    moved = tmp_path / "moved.duckdb"
    shutil.copy(scattered_store, moved)
    export_faiss(scattered_store, tmp_path / "moved.duckdb.faiss")

    assert state_of(moved).status == "fresh"
