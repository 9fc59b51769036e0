"""Preparing: reproducible rows, branches side by side, resumed embedding, a live file that failures cannot touch."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pytest
from numpy.typing import NDArray

import ragduck
from ragduck import resources
from ragduck.embed.hashing import HashingEmbedder
from ragduck.errors import EmbeddingError, RagduckError, SourceError, StoreError, UsageError
from ragduck.model import EmbeddingModel
from ragduck.preparation.reembedding import embed
from ragduck.preparation.reports import PrepareReport
from ragduck.store import open_database
from ragduck.store.builder import StoreBuilder
from ragduck.store.checks import run_checks
from ragduck.store.work_file import work_file_of

SHOP = Path(__file__).parents[1] / "data" / "shop"
CHANGING = {
    "source_documents": "created_at",
    "snapshots": "prepared_at, commit_sha",
    "embedding_metadata": "created_at",
}


class CountingEmbedder:
    """The hashing embedder, which remembers what it was asked and may fail after some batches."""

    def __init__(self, *, fail_after: int | None = None) -> None:
        self.texts: list[str] = []
        self.batches = 0
        self._fail_after = fail_after
        self._hashing = HashingEmbedder()

    @property
    def model(self) -> EmbeddingModel:
        return self._hashing.model

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.batches == self._fail_after:
            raise EmbeddingError("the endpoint went away", hint="try again")
        self.batches += 1
        self.texts += texts
        return self._hashing.embed_texts(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._hashing.embed_query(text)


def write(folder: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def many_functions(folder: Path, count: int = 900) -> Path:
    """Enough distinct contents for several batches."""
    body = "\n\n\n".join(
        f"def compute_total_{number}(order):\n    price = order.price * {number}\n    tax = price * 0.23\n"
        f"    discount = price / {number + 1}\n    return price + tax - discount"
        for number in range(count)
    )
    return write(folder, {"totals.py": body + "\n"})


def rows_of(store: Path) -> dict[str, list[Any]]:
    """All rows of all tables, but for times and the commit of this checkout."""
    with open_database(store) as database:
        names = [row["table_name"] for row in database.rows("select table_name from duckdb_tables()")]
        return {name: database.rows(timeless(name)) for name in sorted(names)}


def timeless(table: str) -> str:
    if table in ("ragduck_meta", "embedding_metadata"):
        return f"select key, value from {table} where key <> 'created_at' order by key"
    left_out = f" exclude ({CHANGING[table]})" if table in CHANGING else ""
    return f"select *{left_out} from {table} order by all"


def branch_rows(store: Path, repo: str, branch: str) -> list[Any]:
    with open_database(store) as database:
        return database.rows(
            "select * exclude (chunk_no) from documents where repo = $repo and branch = $branch order by node_id",
            {"repo": repo, "branch": branch},
        )


def fingerprint(store: Path) -> str:
    return hashlib.sha256(store.read_bytes()).hexdigest()


def failed_checks(store: Path) -> list[str]:
    with open_database(store) as database:
        return [result.name for result in run_checks(database) if not result.passed]


@pytest.fixture
def store(shop_store: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(shop_store, tmp_path / "shop.duckdb"))


@pytest.fixture(scope="module")
def prepared_again(tmp_path_factory: pytest.TempPathFactory) -> PrepareReport:
    """The report of preparing the sample shop once more, into another file."""
    store = tmp_path_factory.mktemp("again") / "b.duckdb"
    return ragduck.prepare(SHOP, store, repo="shop", branch="main", embed_model="hashing")


def test_the_same_input_gives_the_same_rows(shop_store: Path, prepared_again: PrepareReport) -> None:
    assert rows_of(prepared_again.store) == rows_of(shop_store)


def test_the_number_of_processes_does_not_change_the_rows(shop_store: Path, tmp_path: Path) -> None:
    ragduck.prepare(
        SHOP, tmp_path / "b.duckdb", repo="shop", branch="main", embed_model="hashing", processes=1
    )

    assert rows_of(tmp_path / "b.duckdb") == rows_of(shop_store)


def test_preparing_again_changes_nothing_and_embeds_nothing(shop_store: Path, store: Path) -> None:
    embedder = CountingEmbedder()

    report = ragduck.prepare(SHOP, store, repo="shop", branch="main", embed_model=embedder)

    assert rows_of(store) == rows_of(shop_store)
    assert (report.embedded, embedder.texts) == (0, [])


def test_the_report_counts_what_the_store_holds(prepared_again: PrepareReport) -> None:
    report = prepared_again

    with ragduck.open(report.store) as opened:
        counted = opened.sql(
            "select (select count(*) from source_documents) as files, count(*) as chunks, "
            "count(embedding) as vectors, count(distinct content_hash) filter (embedding is not null) as contents "
            "from documents"
        )[0]
    assert report.counts["files"] == counted["files"] == report.sources[0].files
    assert report.counts["chunks"] == counted["chunks"] == report.sources[0].chunks
    assert (report.counts["vectors"], report.embedded) == (counted["vectors"], counted["contents"])


def test_a_second_branch_leaves_the_first_as_it_was(shop_store: Path, store: Path) -> None:
    before = branch_rows(shop_store, "shop", "main")

    ragduck.prepare(SHOP, store, repo="shop", branch="next")

    assert branch_rows(store, "shop", "main") == before
    assert len(branch_rows(store, "shop", "next")) == len(before)
    assert failed_checks(store) == []


def test_a_second_branch_embeds_only_what_is_new(store: Path, tmp_path: Path) -> None:
    changed = Path(shutil.copytree(SHOP, tmp_path / "changed"))
    write(changed, {"docs/neu.md": "# Entirely new words\n\nwallaby quokka numbat\n"})
    embedder = CountingEmbedder()

    ragduck.prepare(changed, store, repo="shop", branch="next", embed_model=embedder)

    assert [text for text in embedder.texts if "quokka" not in text] == []
    assert len(embedder.texts) == 1


def test_preparing_a_branch_again_replaces_only_it(store: Path, tmp_path: Path) -> None:
    ragduck.prepare(SHOP, store, repo="shop", branch="next")
    main = branch_rows(store, "shop", "main")
    source = write(tmp_path / "source", {"only.py": "def only():\n    return 1\n"})

    ragduck.prepare(source, store, repo="shop", branch="next")

    assert branch_rows(store, "shop", "main") == main
    assert [row["text"] for row in branch_rows(store, "shop", "next")] == ["def only():\n    return 1"]
    assert failed_checks(store) == []


def test_branches_kept_again_and_again_stay_what_they_were(store: Path, tmp_path: Path) -> None:
    main = branch_rows(store, "shop", "main")
    for number in range(3):
        source = write(tmp_path / f"s{number}", {"a.py": f"def f{number}():\n    return {number}\n"})
        ragduck.prepare(source, store, repo=f"repo{number}", branch="b")

    assert branch_rows(store, "shop", "main") == main
    assert failed_checks(store) == []


ODD_NAMES = ("a@b.py", "x:part=1.py", "part=0.py", "ä ö.py", "it's.py", "a;b.py")


class Kept(NamedTuple):
    """Rows of a repository before and after another was added, and the checks that failed then."""

    before: list[Any]
    after: list[Any]
    failed: list[str]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """A repository of files with odd names, beside which another was prepared."""
    folder = tmp_path_factory.mktemp("odd")
    text = "def place():\n    return 1\n\n\ndef place():\n    return 2\n"
    paths = [path for name in ODD_NAMES for path in (name, f"tests/{name}", f"deep/{name}/{name}")]
    source, store = write(folder / "source", dict.fromkeys(paths, text)), folder / "s.duckdb"
    ragduck.prepare(source, store, repo="r@x:part=0", branch="b", embed_model="hashing")
    before = branch_rows(store, "r@x:part=0", "b")
    ragduck.prepare(write(folder / "other", {"o.md": "# O\n"}), store, repo="o", branch="b")
    return Kept(before, branch_rows(store, "r@x:part=0", "b"), failed_checks(store))


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_names_survive_being_kept(kept: Kept, name: str) -> None:
    before, after = (
        [row for row in rows if Path(row["source_file"]).name == name] for rows in (kept.before, kept.after)
    )

    assert len(before) == 6
    assert after == before
    assert kept.failed == []


def test_two_sources_in_one_run_stand_side_by_side(tmp_path: Path) -> None:
    first = write(tmp_path / "first", {"a.py": "def a():\n    pass\n"})
    second = write(tmp_path / "second", {"b.py": "def b():\n    pass\n"})

    ragduck.prepare([first, second], tmp_path / "s.duckdb", embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        assert [row["repo"] for row in opened.sql("from snapshots order by repo")] == ["first", "second"]


def test_two_sources_of_one_name_and_branch_are_refused(tmp_path: Path) -> None:
    first = write(tmp_path / "a" / "same", {"a.py": "x = 1\n"})
    second = write(tmp_path / "b" / "same", {"b.py": "x = 1\n"})

    with pytest.raises(UsageError, match="same"):
        ragduck.prepare([first, second], tmp_path / "s.duckdb", embed_model=None)


def test_another_state_of_the_code_prepares_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write(tmp_path / "source", {"a.py": "def a():\n    pass\n"})
    target = tmp_path / "s.duckdb"
    ragduck.prepare(source, target, embed_model=None)
    assert ragduck.prepare(source, target, embed_model=None).unchanged

    monkeypatch.setattr("ragduck.preparation.gathering.code_hash", lambda *names, **folders: "another")

    assert not ragduck.prepare(source, target, embed_model=None).unchanged
    assert ragduck.prepare(source, target, embed_model=None).unchanged


def test_the_hash_of_code_is_that_of_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "other"):
        write(
            tmp_path / name, {"graph/a.py": "x = 1\n", "model.py": "y = 1\n", "sql/build/1.sql": "select 1\n"}
        )
    write(tmp_path / "other", {"left_out.py": "z = 1\n"})

    def hashed(folder: str) -> str:
        monkeypatch.setattr(resources, "PACKAGE", tmp_path / folder)
        resources.code_hash.cache_clear()
        return resources.code_hash(("graph", "model.py"), sql=("build",))

    same = {hashed("one"), hashed("other")}
    for changed in ("graph/a.py", "model.py", "sql/build/1.sql"):
        write(tmp_path / "other", {changed: "changed\n"})
        same.add(hashed("other"))
    resources.code_hash.cache_clear()

    assert len(same) == 4


def test_overwrite_forgets_what_the_store_held(store: Path, tmp_path: Path) -> None:
    source = write(tmp_path / "source", {"a.py": "def a():\n    pass\n"})

    ragduck.prepare(source, store, embed_model=None, overwrite=True)

    with ragduck.open(store) as opened:
        assert [row["source_file"] for row in opened.sql("select source_file from documents")] == ["a.py"]
        assert opened.model is None


def test_another_model_is_refused_without_overwrite(store: Path) -> None:
    before = fingerprint(store)

    with pytest.raises(EmbeddingError, match="hashing"):
        ragduck.prepare(SHOP, store, embed_model="hashing:128")

    assert fingerprint(store) == before


def test_embedding_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    source = many_functions(tmp_path / "source")
    first = CountingEmbedder(fail_after=2)
    with pytest.raises(EmbeddingError):
        ragduck.prepare(source, tmp_path / "s.duckdb", embed_model=first)
    second = CountingEmbedder()

    report = ragduck.prepare(source, tmp_path / "s.duckdb", embed_model=second)

    assert first.texts
    assert second.texts
    assert set(first.texts).isdisjoint(second.texts)
    assert len(first.texts) + len(second.texts) == report.counts["vectors"]
    assert failed_checks(tmp_path / "s.duckdb") == []


def test_each_content_is_embedded_once(tmp_path: Path) -> None:
    text = "def place_order(customer):\n    return customer.order\n"
    source = write(tmp_path / "source", {f"{number}/same.py": text for number in range(5)})
    embedder = CountingEmbedder()

    report = ragduck.prepare(source, tmp_path / "s.duckdb", embed_model=embedder)

    assert (len(embedder.texts), report.counts["vectors"]) == (1, 5)


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[3])
import ragduck
from ragduck.embed.hashing import HashingEmbedder

class Dying(HashingEmbedder):
    batches = 0
    def embed_texts(self, texts):
        if Dying.batches == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        Dying.batches += 1
        with open(sys.argv[2] + ".log", "a") as log:
            log.write(f"{len(texts)}\\n")
        return super().embed_texts(texts)

ragduck.prepare(sys.argv[1], sys.argv[2], embed_model=Dying(), processes=1)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_what_a_killed_run_embedded_is_not_embedded_again(tmp_path: Path) -> None:
    source = many_functions(tmp_path / "source")
    store = tmp_path / "s.duckdb"
    root = str(Path(ragduck.__file__).parents[1])
    run = subprocess.run([sys.executable, "-c", KILLED, str(source), str(store), root], check=False)
    done = sum(map(int, Path(f"{store}.log").read_text(encoding="utf-8").split()))
    embedder = CountingEmbedder()

    report = ragduck.prepare(source, store, embed_model=embedder)

    assert run.returncode == -signal.SIGKILL
    assert done > 0
    assert len(embedder.texts) == report.counts["vectors"] - done
    assert failed_checks(store) == []


class FailingProgress:
    """Breaks the run off at a stage: as it begins, or after some steps of it."""

    def __init__(self, stage: str, *, error: type[BaseException], at_step: bool) -> None:
        self._stage = stage
        self._error = error
        self._at_step = at_step

    @contextmanager
    def stage(self, name: str, *, total: int | None) -> Iterator[FailingProgress]:
        self._is_meant = self._stage in name
        if self._is_meant and not self._at_step:
            raise self._error("broken off")
        yield self

    def advance(self, steps: int) -> None:
        if self._is_meant and self._at_step:
            raise self._error("broken off")

    def set_total(self, total: int) -> None:
        """Need no total."""


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError, MemoryError])
@pytest.mark.parametrize(
    ("stage", "at_step"),
    [("reading", False), ("reading", True), ("embedding", False), ("embedding", True), ("writing", False)],
)
def test_a_failure_at_any_stage_leaves_the_live_file_as_it_was(
    store: Path, tmp_path: Path, stage: str, at_step: bool, error: type[BaseException]
) -> None:
    before = fingerprint(store)
    source = write(tmp_path / "source", {"new.py": "def new_words_numbat():\n    pass\n"})

    with pytest.raises(error):
        ragduck.prepare(
            source, store, repo="new", progress=FailingProgress(stage, error=error, at_step=at_step)
        )

    assert fingerprint(store) == before
    left = {path.name for path in tmp_path.iterdir() if path.suffix != ".ragduck-work"}
    assert left == {"shop.duckdb", "source"}


class OddVectors(CountingEmbedder):
    """Returns what a broken model might."""

    def __init__(self, vectors: Any) -> None:
        super().__init__()
        self._vectors = vectors

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.asarray(self._vectors(len(texts)), dtype=np.float32)


@pytest.mark.parametrize(
    "vectors",
    [
        lambda rows: np.ones((rows, 63)),
        lambda rows: np.ones((rows, 65)),
        lambda rows: np.ones((rows + 1, 64)),
        lambda rows: np.ones((max(rows - 1, 0), 64)),
        lambda rows: np.ones(64),
    ],
    ids=["short", "long", "too many", "too few", "flat"],
)
def test_vectors_of_a_wrong_shape_are_an_error_and_leave_the_live_file(
    store: Path, tmp_path: Path, vectors: Any
) -> None:
    before = fingerprint(store)
    source = write(
        tmp_path / "source", {"a.py": "def numbat():\n    pass\n", "b.py": "def quokka():\n    pass\n"}
    )

    with pytest.raises(RagduckError):
        ragduck.prepare(source, store, repo="new", embed_model=OddVectors(vectors))

    assert fingerprint(store) == before


@pytest.mark.parametrize(
    ("make_source", "error"),
    [
        (lambda folder: folder / "missing", SourceError),
        (lambda folder: write(folder / "empty", {}) / "x.py", SourceError),
        (lambda folder: (folder / "nothing").mkdir() or folder / "nothing", SourceError),
        (lambda folder: write(folder / "blank", {"a.py": "\n\n"}), SourceError),
    ],
    ids=["missing", "missing file", "empty", "blank"],
)
def test_a_source_with_nothing_in_it_is_refused_and_leaves_the_live_file(
    store: Path, tmp_path: Path, make_source: Any, error: type[RagduckError]
) -> None:
    before = fingerprint(store)

    with pytest.raises(error) as refused:
        ragduck.prepare(make_source(tmp_path), store)

    assert refused.value.hint
    assert fingerprint(store) == before


def test_a_folder_of_binaries_is_refused_by_name_of_the_reason(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.bin").write_bytes(bytes(range(256)) * 10)
    (source / "b.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))

    with pytest.raises(SourceError, match="binary"):
        ragduck.prepare(source, tmp_path / "s.duckdb", embed_model=None)

    assert not (tmp_path / "s.duckdb").exists()


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("content", [b"not a database", b"\0" * 5000])
def test_a_target_that_is_no_store_is_refused_and_kept(
    tmp_path: Path, content: bytes, overwrite: bool
) -> None:
    target = tmp_path / "s.duckdb"
    target.write_bytes(content)

    with pytest.raises(StoreError):
        ragduck.prepare(SHOP, target, embed_model=None, overwrite=overwrite)

    assert target.read_bytes() == content


def test_a_database_that_is_no_store_is_refused_and_kept(tmp_path: Path) -> None:
    target = tmp_path / "other.duckdb"
    with duckdb.connect(str(target)) as connection:
        connection.execute("create table precious as select 1 as one")
    before = fingerprint(target)

    with pytest.raises(StoreError, match="not a ragduck store"):
        ragduck.prepare(SHOP, target, embed_model=None)

    assert fingerprint(target) == before


def test_a_second_prepare_of_one_store_waits_outside(tmp_path: Path) -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[3]); import ragduck\n"
        "try:\n    ragduck.prepare(sys.argv[1], sys.argv[2], embed_model=None)\n"
        "except ragduck.StoreError as error:\n    print(error.message)"
    )
    root = str(Path(ragduck.__file__).parents[1])
    source = write(tmp_path / "source", {"a.py": "x = 1\n"})
    with StoreBuilder(tmp_path / "s.duckdb", model=None):
        second = subprocess.run(
            [sys.executable, "-c", script, str(source), str(tmp_path / "s.duckdb"), root],
            capture_output=True, text=True, check=True,
        )  # fmt: skip

    assert "another prepare is writing" in second.stdout


def test_readers_keep_what_they_opened_while_the_store_is_replaced(store: Path, tmp_path: Path) -> None:
    source = write(tmp_path / "source", {"a.py": "def a():\n    pass\n"})
    with ragduck.open(store) as opened:
        before = opened.sql("select count(*) as chunks from documents")
        script = (
            "import sys; sys.path.insert(0, sys.argv[3]); import ragduck; "
            "ragduck.prepare(sys.argv[1], sys.argv[2], repo='new')"
        )
        root = str(Path(ragduck.__file__).parents[1])
        subprocess.run([sys.executable, "-c", script, str(source), str(store), root], check=True)

        assert opened.sql("select count(*) as chunks from documents") == before
    with ragduck.open(store) as again:
        assert again.sql("select repo from snapshots order by repo") == [{"repo": "new"}, {"repo": "shop"}]


def test_a_work_file_torn_by_a_crash_is_made_again(tmp_path: Path) -> None:
    source = write(tmp_path / "source", {"a.py": "def a():\n    pass\n"})
    torn = work_file_of(tmp_path / "s.duckdb", model_key=HashingEmbedder().model.key)
    torn.write_bytes(b"torn" * 2000)

    ragduck.prepare(source, tmp_path / "s.duckdb", embed_model="hashing")

    assert failed_checks(tmp_path / "s.duckdb") == []


def test_nothing_is_left_beside_the_store(tmp_path: Path) -> None:
    source = write(tmp_path / "source", {"a.py": "def a():\n    pass\n"})

    ragduck.prepare(source, tmp_path / "s.duckdb", embed_model="hashing")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.duckdb", "source"]


def odd_files(folder: Path) -> Path:
    write(folder, {"fine.py": "def fine():\n    return 1\n", "empty.py": "", "blank.md": "\n \n"})
    (folder / "binary.dat").write_bytes(b"\0\1\2" * 100)
    (folder / "bad.py").write_bytes(b"name = '\xff\xfe\x80 gr\xfc\xdfe'\n")
    (folder / "utf16.cs").write_text("class Größe { }\n", encoding="utf-16")
    (folder / "bom.py").write_text("größe = 1\n", encoding="utf-8-sig")
    (folder / "crlf.py").write_bytes(b"def a():\r\n    return 1\r\n")
    (folder / "huge.sql").write_text("select 1;\n" * 400_000, encoding="utf-8")
    (folder / "with space.md").write_text("# With space\n", encoding="utf-8")
    (folder / "outside.py").symlink_to(Path(__file__))
    (folder / "dangling.py").symlink_to(folder / "nowhere")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe.py")
    return folder


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_odd_files_are_stored_or_reported_but_never_lost(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    source = odd_files(tmp_path / "source")

    report = ragduck.prepare(source, tmp_path / "s.duckdb", embed_model=None)

    skipped = {file.path: file.reason for file in report.sources[0].skipped}
    with ragduck.open(tmp_path / "s.duckdb") as opened:
        stored = {row["file_path"] for row in opened.sql("select file_path from source_documents")}
    assert {"fine.py", "utf16.cs", "bom.py", "crlf.py", "with space.md", "bad.py"} <= stored
    assert {"binary.dat", "huge.sql", "outside.py", "dangling.py", "pipe.py"} <= set(skipped)
    assert all(skipped.values())
    assert stored.isdisjoint(skipped)
    assert {path.name for path in source.iterdir()} <= stored | set(skipped) | {"loop"}
    assert failed_checks(tmp_path / "s.duckdb") == []


def test_text_is_decoded_and_has_plain_line_ends(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    source = odd_files(tmp_path / "source")

    ragduck.prepare(source, tmp_path / "s.duckdb", embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        texts = {row["file_path"]: row["text"] for row in opened.sql("from source_documents")}
    assert texts["utf16.cs"] == "class Größe { }\n"
    assert texts["bom.py"] == "größe = 1\n"
    assert texts["crlf.py"] == "def a():\n    return 1\n"
    assert "grüße" in texts["bad.py"]


def test_a_file_that_no_parser_understands_is_kept_as_text_and_reported(tmp_path: Path) -> None:
    source = write(tmp_path / "source", {"broken.cs": "class { { { void ((( \n wallaby numbat\n"})

    report = ragduck.prepare(source, tmp_path / "s.duckdb", embed_model=None)

    assert [problem.path for problem in report.sources[0].problems][:1] == ["broken.cs"]
    with ragduck.open(tmp_path / "s.duckdb") as opened:
        assert opened.search("wallaby", mode="bm25").results[0]["source_file"] == "broken.cs"


@pytest.mark.parametrize(
    ("settings", "said"),
    [({"chunk_size": 3}, "chunk_size"), ({"nonsense": 1}, "nonsense"), ({"processes": -1}, "processes")],
)
def test_settings_that_make_no_sense_are_refused(tmp_path: Path, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        ragduck.prepare(SHOP, tmp_path / "s.duckdb", embed_model=None, **settings)


@pytest.mark.parametrize("target", ["missing/s.duckdb", "folder"])
def test_a_target_that_cannot_be_written_is_refused(tmp_path: Path, target: str) -> None:
    (tmp_path / "folder").mkdir()

    with pytest.raises(StoreError) as refused:
        ragduck.prepare(SHOP, tmp_path / target, embed_model=None)

    assert refused.value.hint


def test_a_heading_that_looks_like_a_further_definition_survives_the_next_prepare(tmp_path: Path) -> None:
    notes, other, target = tmp_path / "notes", tmp_path / "other", tmp_path / "s.duckdb"
    for folder in (notes, other):
        folder.mkdir()
    (notes / "README.md").write_text("# Contact\n\none\n\n# Contact@README.md\n\ntwo\n", encoding="utf-8")
    (other / "a.md").write_text("# Other\n\ntext\n", encoding="utf-8")
    ragduck.prepare(notes, target, embed_model=None)
    with ragduck.open(target) as store:
        before = store.sql("select node_id, id, object_id from documents order by chunk_no")

    ragduck.prepare(other, target)

    with ragduck.open(target) as store:
        after = store.sql(
            "select node_id, id, object_id from documents where repo = 'notes' order by chunk_no"
        )
    assert after == before


@pytest.mark.parametrize(
    ("table", "column"),
    [("source_documents", "text"), ("documents", "text"), ("nodes", "name"), ("edges", "detail")],
)
def test_a_view_in_a_store_is_not_read_into_the_next_one(tmp_path: Path, table: str, column: str) -> None:
    notes, target, secret = tmp_path / "notes", tmp_path / "s.duckdb", tmp_path / "secret.txt"
    notes.mkdir()
    (notes / "a.py").write_text("def first():\n    second()\n\n\ndef second():\n    pass\n", encoding="utf-8")
    secret.write_text("of this machine", encoding="utf-8")
    ragduck.prepare(notes, target, repo="theirs", embed_model=None)
    with duckdb.connect(str(target)) as connection:
        for (view,) in connection.execute(
            "select view_name from duckdb_views() where not internal"
        ).fetchall():
            connection.execute(f"drop view {view}")
        connection.execute(f"create table kept as from {table}")
        connection.execute(f"drop table {table}")
        connection.execute(
            f"create view {table} as select * replace (content as {column}) "
            f"from kept, (select content from read_text('{secret}'))"
        )
    before = target.read_bytes()

    with pytest.raises(StoreError, match=f"has no tables {table}"):
        ragduck.prepare(notes, target, repo="ours")

    assert target.read_bytes() == before


def test_a_store_keeps_its_permissions_and_its_link(tmp_path: Path) -> None:
    notes, target, link = tmp_path / "notes", tmp_path / "real.duckdb", tmp_path / "link.duckdb"
    notes.mkdir()
    (notes / "a.md").write_text("# Notes\n\ntext\n", encoding="utf-8")
    ragduck.prepare(notes, target, embed_model=None)
    target.chmod(0o600)
    link.symlink_to(target)

    ragduck.prepare(notes, link)

    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o600


def test_another_folder_of_the_same_checkout_does_not_replace_the_first(tmp_path: Path) -> None:
    target = tmp_path / "s.duckdb"
    for name in ("app", "db"):
        (tmp_path / "g" / name).mkdir(parents=True)
        (tmp_path / "g" / name / "a.md").write_text(f"# {name}\n\ntext\n", encoding="utf-8")
    (tmp_path / "g" / ".git").mkdir()
    (tmp_path / "g" / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    ragduck.prepare(tmp_path / "g" / "app", target, embed_model=None)

    with pytest.raises(UsageError, match="folder db would replace it"):
        ragduck.prepare(tmp_path / "g" / "db", target)


def test_what_another_folder_replaces_under_the_same_name_is_told(tmp_path: Path) -> None:
    target = tmp_path / "s.duckdb"
    for name in ("app", "docs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.md").write_text(f"# {name}\n\ntext\n", encoding="utf-8")
    told = [
        ragduck.prepare(tmp_path / name, target, repo="shop", embed_model=None).sources[0].notes
        for name in ("app", "docs", "docs")
    ]

    assert told == [[], ["it takes the place of what came from app; keep both with --repo or --branch"], []]


def test_secrets_are_left_out_and_reported(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    secrets = {
        ".env", ".env.production", "prod.env", ".npmrc", "id_rsa", "secrets.json", "local.settings.json",
        "site.PublishSettings", "site.pubxml.user", "terraform.tfvars",
    }  # fmt: skip
    for name in secrets:
        (tmp_path / "in" / name).write_text("TOKEN = abc\n", encoding="utf-8")
    (tmp_path / "in" / "server.txt").write_text("-----BEGIN RSA PRIVATE KEY-----\nabc\n", encoding="utf-8")
    (tmp_path / "in" / ".env.example").write_text("TOKEN=\n", encoding="utf-8")

    report = ragduck.prepare(tmp_path / "in", tmp_path / "s.duckdb", embed_model=None)

    left_out = {file.path for file in report.sources[0].skipped if file.reason == "secret"}
    assert left_out == secrets | {"server.txt"}
    assert report.sources[0].files == 1


def test_a_prepare_of_unchanged_files_leaves_the_store_alone(tmp_path: Path) -> None:
    notes, target = tmp_path / "notes", tmp_path / "s.duckdb"
    notes.mkdir()
    (notes / "a.md").write_text("# Notes\n\ntext\n", encoding="utf-8")
    ragduck.prepare(notes, target, embed_model=None)
    before = target.stat().st_mtime_ns

    again = ragduck.prepare(notes, target)
    (notes / "a.md").write_text("# Notes\n\nchanged\n", encoding="utf-8")
    changed = ragduck.prepare(notes, target)

    assert (again.unchanged, changed.unchanged) == (True, False)
    assert again.counts["chunks"] == 1
    assert target.stat().st_mtime_ns > before
    with ragduck.open(target) as store:
        assert "changed" in store.text_of("a.md")[0]["text"]


def test_objects_of_two_database_projects_are_told(tmp_path: Path) -> None:
    for database in ("Sales", "Warehouse"):
        folder = tmp_path / "src" / database
        folder.mkdir(parents=True)
        (folder / f"{database}.sqlproj").write_text("<Project/>")
        (folder / "Reseed.sql").write_text("create procedure dbo.Reseed as select 1;\n")
        (folder / "Own.sql").write_text(f"create table dbo.{database} (Id int);\n")

    report = ragduck.prepare(tmp_path / "src", tmp_path / "two.duckdb", embed_model=None)
    (tmp_path / "src" / "Warehouse" / "Reseed.sql").unlink()
    alone = ragduck.prepare(tmp_path / "src", tmp_path / "one.duckdb", embed_model=None)

    (note,) = report.sources[0].notes
    assert note.startswith("1 object is defined by several database projects (Sales, Warehouse)")
    assert "such as dbo.Reseed; to keep the databases apart" in note
    assert alone.sources[0].notes == []


def test_vectors_of_another_release_of_a_model_are_told_how_to_replace(tmp_path: Path) -> None:
    store = tmp_path / "notes.duckdb"
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# Invoices\n\nAn invoice is a bill.\n")
    ragduck.prepare(notes, store, embed_model="hashing:16")
    with duckdb.connect(store) as connection:
        connection.execute(
            "update ragduck_meta set value = replace(value, '@1/', '@0/') where key = 'model_key'"
        )
    (notes / "b.md").write_text("# Orders\n\nAn order is a wish.\n")

    with pytest.raises(EmbeddingError, match="another release of hashing:16") as caught:
        ragduck.prepare(notes, store, embed_model="hashing:16")

    assert "--model hashing:16" in (caught.value.hint or "")
    embed(store, model="hashing:16")
    assert ragduck.prepare(notes, store, embed_model="hashing:16").counts["files"] == 2


def test_sources_that_are_left_out_for_their_size_are_told_with_the_way_to_read_them(tmp_path: Path) -> None:
    whole = "".join(f"CREATE TABLE dbo.T{number} (Id int);\nGO\n" for number in range(100))
    folder = write(tmp_path / "src", {"db/Whole.sql": whole, "A.cs": "class A { }\n", "data.json": whole})

    report = ragduck.prepare(folder, tmp_path / "s.duckdb", embed_model="none", max_file_bytes=1000)

    (note,) = report.sources[0].notes
    assert note.startswith("1 file, db/Whole.sql, is left out as too large")
    assert "--max-file-size" in note


@pytest.mark.parametrize(
    ("scripts", "told"),
    [
        (1, "2 files, Z.cs and db/0.sql, are left out"),
        (2, "3 files, Z.cs, db/0.sql and db/1.sql, are left out"),
        (3, "4 files, such as Z.cs, are left out"),
    ],
)
def test_of_what_is_left_out_for_its_size_code_is_named_first(
    tmp_path: Path, scripts: int, told: str
) -> None:
    long = "-- long\n" * 1000
    files = {f"db/{number}.sql": long for number in range(scripts)}
    folder = write(tmp_path / "src", {"Z.cs": "class Z { }\n" * 1000, "A.cs": "class A { }\n", **files})

    report = ragduck.prepare(folder, tmp_path / "s.duckdb", embed_model="none", max_file_bytes=1000)

    assert report.sources[0].notes[0].startswith(told)
