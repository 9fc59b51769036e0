"""The sample shop with a map of given places, which needs neither UMAP nor HDBSCAN."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import ragduck
from ragduck.corpus_map.link_graph import read_links
from ragduck.corpus_map.points import read_points
from ragduck.corpus_map.settings import MapSettings
from ragduck.corpus_map.storing import CorpusMap, store_map
from ragduck.corpus_map.topics import describe_topics, keywords_of
from ragduck.store import open_database

GiveMap = Callable[..., CorpusMap]


def store_given_map(store: Path, settings: MapSettings | None = None) -> CorpusMap:
    """Put a map into a store in which points stand on a line, in two topics and a few between them."""
    settings = settings or MapSettings()
    with open_database(store) as database:
        found = read_points(database, settings)
        count = len(found.points)
        positions = np.stack([np.arange(count), np.zeros(count)], axis=1).astype(np.float32)
        topic_of = np.arange(count) * 2 // max(1, count)
        topic_of[: min(3, count)] = -1
        topics = describe_topics(
            topic_of, positions, keywords_of(database, found.chunks, topic_of[found.owners])
        )
        facts = {
            "level": settings.level,
            "points": str(count),
            "left_out": "0",
            "topics": str(len(topics)),
            "method": "given places",
            "settings": settings.key,
            "vectors_fingerprint": database.meta["vectors_fingerprint"],
        }
        links = read_links(database, found.points, settings)
        meta = database.meta
    drawn = CorpusMap(found.points, positions, topic_of, topics, links, facts)
    store_map(store, drawn, meta=meta)
    return drawn


@pytest.fixture(scope="session")
def _notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes")
    source = folder / "source"
    source.mkdir()
    (source / "index.md").write_text("".join(f"- [{n}](note{n}.md)\n" for n in range(6)))
    for number in range(14):
        (source / f"note{number}.md").write_text(f"# Note {number}\n\nWords of note {number}.\n")
    ragduck.prepare(source, folder / "notes.duckdb", embed_model="hashing")
    return folder / "notes.duckdb"


@pytest.fixture
def own_store(_notes: Path, tmp_path: Path) -> Path:
    """Fifteen notes, one of which links to six others; to be changed at will."""
    return Path(shutil.copy(_notes, tmp_path / "notes.duckdb"))


@pytest.fixture(scope="module")
def mapped_shop(shop_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample shop with a map; not to be changed."""
    store = Path(shutil.copy(shop_store, tmp_path_factory.mktemp("mapped") / "shop.duckdb"))
    store_given_map(store)
    return store


@pytest.fixture(scope="session")
def give_map() -> GiveMap:
    """Put a map of given places into a store."""
    return store_given_map
