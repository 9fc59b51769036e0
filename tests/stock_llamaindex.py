"""Open ragduck files with LlamaIndex's own DuckDBVectorStore and retrieve from them, with metadata filters.

Usage: stock_llamaindex.py PYTHON, another environment with another version of DuckDB, which writes a file too. The
extensions that the vector store installs come from packages: nothing is downloaded.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
EXTENSIONS = ("json", "fts")
QUESTION = "where are invoices created"
TOP_K = 5
WRITE = """
import sys, duckdb, ragduck
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from ragduck.integrations.llamaindex import RagduckVectorStore
ragduck.prepare(sys.argv[1], sys.argv[2], repo="shop", branch="main", embed_model="hashing")
source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id="memo")}
ann, bob = {"author": "Ann", "year": 2024}, {"author": "Bob", "year": 2020}
RagduckVectorStore(sys.argv[2]).add([
    TextNode(id_="m1", text="Invoices are created at night.", metadata=ann, relationships=source),
    TextNode(id_="m2", text="Tomatoes want sun and water.", metadata=bob),
])
print(duckdb.__version__)
"""
# Name, filters as LlamaIndex writes them, and the same in SQL.
FILTERS: list[tuple[str, list[tuple[str, str, Any]], str]] = [
    ("no filter", [], "true"),
    ("data_type", [("data_type", "==", "db_code")], "data_type = 'db_code'"),
    ("number", [("start_line", ">", 10)], "start_line > 10 and repo = 'shop'"),
    ("list", [("kind", "in", ["PROC", "VIEW"])], "kind in ('PROC', 'VIEW')"),
    ("text", [("source_file", "text_match", "Invoic")], "source_file like '%Invoic%' and repo = 'shop'"),
    (
        "two",
        [("data_type", "==", "regular_code"), ("end_line", "<=", 30)],
        "data_type = 'regular_code' and end_line <= 30",
    ),
    ("metadata of an added node", [("author", "==", "Ann")], "node_id = 'm1'"),
    ("number of an added node", [("year", "<", 2022)], "node_id = 'm2'"),
]


def install_extensions(home: Path) -> None:
    """Put the extensions where the vector store looks for them: below the home folder, here one of its own."""
    import duckdb

    os.environ["HOME"] = str(home)
    with duckdb.connect(config={"extension_directory": str(home / ".duckdb" / "extensions")}) as connection:
        for name in EXTENSIONS:
            spec = find_spec(f"duckdb_extension_{name}")
            (folder,) = spec.submodule_search_locations if spec else ()
            (file,) = Path(folder).glob(f"extensions/v{duckdb.__version__}/{name}.duckdb_extension")
            connection.execute(f"install '{file}'")


def expected(path: str) -> tuple[list[float], dict[str, list[tuple[str, float]]]]:
    """Return the vector of the question and what SQL says is nearest to it, filter by filter."""
    import ragduck
    from ragduck.embed import load_embedder

    embedder = load_embedder("hashing")
    vector = embedder.embed_query(QUESTION).tolist() if embedder else []
    nearest = (
        "select node_id, array_cosine_similarity(embedding, $vector::float[64]) as score from documents "
        "where embedding is not null and {} order by score desc, node_id limit $top_k"
    )
    with ragduck.open(path) as store:
        answers = {
            name: [
                (row["node_id"], round(row["score"], 5))
                for row in store.sql(nearest.format(where), {"vector": vector, "top_k": TOP_K})
            ]
            for name, _, where in FILTERS
        }
    return vector, answers


def retrieved(path: str, vector: list[float]) -> dict[str, list[tuple[str, float]]]:
    """Return what the stock vector store retrieves, filter by filter; it gives back nodes with text and source."""
    from llama_index.core import MockEmbedding, VectorStoreIndex
    from llama_index.core.schema import QueryBundle
    from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters
    from llama_index.vector_stores.duckdb import DuckDBVectorStore

    store = DuckDBVectorStore.from_local(path, embed_dim=len(vector))
    index = VectorStoreIndex.from_vector_store(store, embed_model=MockEmbedding(len(vector)))
    answers = {}
    for name, filters, _ in FILTERS:
        parts = [MetadataFilter(key=key, operator=operator, value=value) for key, operator, value in filters]
        retriever = index.as_retriever(similarity_top_k=TOP_K, filters=MetadataFilters(filters=parts))
        hits = retriever.retrieve(QueryBundle(QUESTION, embedding=vector))
        ordered = sorted(hits, key=lambda hit: (-round(hit.score or 0, 5), hit.node.node_id))
        answers[name] = [(hit.node.node_id, round(hit.score or 0, 5)) for hit in ordered]
    [memo] = store.get_nodes(node_ids=["m1"])
    answers["an added node"] = [(json.dumps([memo.text, memo.metadata, memo.ref_doc_id]), 1.0)]
    store.client.close()
    return answers


def main(other_python: str) -> int:
    """Compare what the vector store retrieves with what SQL says; return the exit code."""
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        install_extensions(Path(folder))
        for number, python in enumerate([sys.executable, other_python]):
            path = str(Path(folder) / f"{number}.duckdb")
            command = [python, "-c", WRITE, str(ROOT / "tests" / "data" / "shop"), path]
            version = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
            vector, wanted = expected(path)
            content = Path(path).read_bytes()
            memo = ["Invoices are created at night.", {"author": "Ann", "year": 2024}, "memo"]
            wanted["an added node"] = [(json.dumps(memo), 1.0)]
            found = retrieved(path, vector)
            failed |= Path(path).read_bytes() != content  # it only reads
            for name, answer in wanted.items():
                same = found[name] == answer and answer
                failed |= not same
                print(f"{'same' if same else 'DIFFERS'}: {name}, written by DuckDB {version}")
                if not same:
                    print(f"  {found[name]}\n  {answer}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
