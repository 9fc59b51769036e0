"""Whatever rows say, what is read from them keeps the promises of an import."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.errors import SourceError
from ragduck.imports.unified.source import UnifiedSource
from ragduck.mirror.unified_reading import Unified
from ragduck.model import Snapshot

JUNK = st.sampled_from(
    [None, "", " ", 0, -1, 3, 1e300, True, [], ["a"], {}, "\ud800", "x\x00y", "a|TABLE", "\n"]
)
NAMES = st.sampled_from(
    ["A", "B", "dbo.A", "dbo.A|TABLE", "dbo.B|PROC", "csharp:N.T|TYPE", "csharp:N.T.M|METHOD"]
)
TEXTS = st.sampled_from(
    [
        "one",
        "one\ntwo",
        "\n\nthree\n",
        "references [dbo].[A B] (x)",
        "[Table] dbo.A\nFK: dbo.B, A\n---\ncreate",
        "---",
    ]
)
PATHS = st.sampled_from(["a.sql", "b/a.cs", "B/a.cs", "/x/a.sql", "../a.sql", "a.md", "node_modules/a.js"])
FIELDS = {
    **dict.fromkeys(("class", "member", "cs_key", "schema", "name", "db_key", "local_id", "node_key"), NAMES),
    **dict.fromkeys(("reads_from", "calls", "called_by", "fk_dependencies"), st.lists(NAMES, max_size=3)),
    **dict.fromkeys(("start_line", "end_line", "chunk_part"), st.integers(0, 4)),
    "source_file": PATHS,
    "kind": st.sampled_from(["Table", "Procedure", "TYPE", "unheard of"]),
    "data_type": st.sampled_from(["db_code", "regular_code", "sql_code", "docs"]),
    "file_type": st.sampled_from(["sql", "cs", "inline_sql"]),
    "importance_score": st.floats(),
}
ROWS = st.lists(
    st.fixed_dictionaries(
        {"text": TEXTS | JUNK}, optional={name: good | JUNK for name, good in FIELDS.items()}
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=150, deadline=None)
@given(rows=ROWS)
def test_what_is_read_can_be_stored(rows: list[dict[str, Any]], tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.getbasetemp()
    (folder / "unified_metadata.json").touch()
    unified = Unified(
        tuple(rows), np.eye(len(rows), 8, dtype=np.float32), None, {"embedding_model": "hashing:8"}
    )
    source = UnifiedSource(Snapshot("r", "b", None, folder), unified, tuple(range(len(rows))), "")
    try:
        imported = source.read(max_chars=100)
    except SourceError:
        assert not any(isinstance(row["text"], str) and row["text"].strip() for row in rows)
        return

    documents = list(imported.documents)
    paths = [parsed.document.path for parsed in documents]
    assert len(set(paths)) == len(paths)
    for parsed in documents:
        lines = parsed.document.lines
        places = [(chunk.object_id, chunk.chunk_part) for chunk in parsed.chunks]
        assert len(set(places)) == len(places)
        for chunk in parsed.chunks:
            assert "\n".join(lines[chunk.start_line - 1 : chunk.end_line]) == chunk.text
            chunk.text.encode()
        whole = sorted((c.start_line, c.end_line) for c in parsed.chunks if c.file_type != "inline_sql")
        assert all(end < start for (_, end), (start, _) in pairwise(whole))
    nodes = {node.node_key: node for node in imported.graph.nodes}
    assert len(nodes) == len(imported.graph.nodes)
    assert all({edge.from_key, edge.to_key} <= nodes.keys() for edge in imported.graph.edges)
    assert {chunk.node_key for parsed in documents for chunk in parsed.chunks} <= nodes.keys()
    texts = sum(isinstance(row["text"], str) and bool(row["text"].strip()) for row in rows)
    assert sum(len(parsed.chunks) for parsed in documents) == texts
