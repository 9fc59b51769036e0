"""Preparing again: rows as from scratch whatever was edited, and only what changed is parsed."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ragduck
from ragduck.errors import StoreError
from ragduck.facts import FileFacts
from ragduck.facts.packing import Room, read_facts
from ragduck.graph.code.file_uses import FileUses
from ragduck.graph.code.uses import Users
from ragduck.model import Document, SeenFile, SkippedFile, Snapshot, SourceFile
from ragduck.parse import ChunkSettings, parse_document
from ragduck.parse_cache import Remembered, parsed_file, seen_file, usable_cache_path
from ragduck.parse_cache.folder import FILE_NAME
from ragduck.parse_cache.keys import content_of, key_of, parser_fingerprint
from ragduck.parse_cache.table import ParsedFiles
from ragduck.preparation.reports import PrepareReport
from ragduck.preparation.unchanged import BATCH_BYTES, known_batches
from ragduck.preparation.workers import ParsedBatch, ParseTask, parse_batch, parse_files
from ragduck.sources import read_document, walk_files
from ragduck.store.builder import StoreBuilder
from ragduck.store.identity import text_hash

StoredRows = Callable[[Path], dict[str, list[Any]]]

SNAPSHOT = Snapshot("r", "b", None, Path("r"))
FOLDERS = ("", "app/", "app/deep/", "db/")
NAMES = ("Order.cs", "place.py", "Tables.sql", "notes.md")
FURTHER = ("Order.aspx", "Order.xaml", "Tools.vb")  # that name what the others declare
TEXTS = {
    ".cs": (
        "namespace Shop;\npublic class Order\n{\n    public int Total(int a)\n    {\n"
        "        return Sum(a);\n    }\n\n"
        "    int Sum(int a) => a;\n}\n",
        "namespace Shop;\npublic class Order : Base\n{\n    public void Save(Db db)\n    {\n"
        '        db.Run("insert into dbo.Orders (Id) values (1)");\n    }\n}\npublic class Base { }\n',
        "class { broken (((\n",
    ),
    ".vb": (
        "Imports Shop\nModule Tools\n    Sub Pay(one As Order)\n        one.Total(1)\n    End Sub\nEnd Module\n",
        "Class Tools\n    Sub Go() Handles Me.Load\n"
        '        Run("insert into dbo.Orders (Id) values (1)")\n    End Sub\nEnd Class\n',
    ),
    ".py": ("def place(order):\n    return pay(order)\n\n\ndef pay(order):\n    return 1\n", "x = 1\n"),
    ".sql": (
        "create table dbo.Orders (Id int primary key, Name nvarchar(20));\n",
        "create procedure dbo.Place as\nbegin\n    insert into dbo.Orders (Id) select 1 from dbo.Names;\nend\n",
    ),
    ".aspx": (
        '<%@ Page Language="C#" Inherits="Shop.Order" %>\n<%= Total(1) %>\n'
        '<asp:SqlDataSource runat="server" SelectCommand="select Id from dbo.Orders" />\n',
        '<%@ Page %>\n<script runat="server">\nvoid Page_Load(object a, EventArgs b) { }\n</script>\n',
    ),
    ".xaml": (
        '<Window x:Class="Shop.Order" xmlns:s="clr-namespace:Shop"><s:Base /></Window>\n',
        "<ResourceDictionary />\n",
    ),
    ".md": ("# Orders\n\nAn order is placed.\n\n## Paying\n\nLater.\n", "# Other\n"),
}
PROJECTS = ("app/App.csproj", "app/deep/Deep.csproj", "app/deep/D.vbproj", "Root.sqlproj", "app/package.json")
IGNORES = ("", "deep/\n", "*.md\n", "Order.cs\n!app/Order.cs\n")

paths = st.builds(
    lambda folder, name: folder + name, st.sampled_from(FOLDERS), st.sampled_from((*NAMES, *FURTHER))
)
edits = st.one_of(
    st.tuples(st.just("write"), paths, st.integers(0, 2)),
    st.tuples(st.just("delete"), paths),
    st.tuples(st.just("move"), paths, paths),
    st.tuples(st.just("project"), st.sampled_from(PROJECTS), st.booleans()),
    st.tuples(st.just("ignore"), st.sampled_from(IGNORES)),
)


def apply(folder: Path, edit: tuple[Any, ...]) -> None:
    kind, *rest = edit
    if kind == "ignore":
        put(folder / ".gitignore", rest[0])
    elif kind == "write":
        texts = TEXTS[Path(rest[0]).suffix]
        put(folder / rest[0], texts[rest[1] % len(texts)])
    elif kind == "delete" or (kind == "project" and not rest[1]):
        (folder / rest[0]).unlink(missing_ok=True)
    elif kind == "project":
        put(folder / rest[0], '{"name": "web"}\n' if rest[0].endswith("json") else "<Project />\n")
    elif (folder / rest[0]).exists():
        (folder / rest[1]).parent.mkdir(parents=True, exist_ok=True)
        (folder / rest[0]).replace(folder / rest[1])


ticks = count()


def put(file: Path, text: str) -> Path:
    """Write a file with a time of its own, long ago: what changed just now is always read again."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    at = 1_700_000_000 + next(ticks)
    os.utime(file, (at, at))
    return file


@contextmanager
def cache_in(folder: Path | str) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAGDUCK_CACHE_DIR", str(folder))
        yield


@contextmanager
def uses_remembered() -> Iterator[None]:
    """Remember what statements use however small the sources are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ragduck.preparation.tying.SHARED_BYTES", 0)
        yield


def prepared(source: Path, store: Path, **options: Any) -> PrepareReport:
    return ragduck.prepare(
        source, store, **{"repo": "r", "branch": "b", "embed_model": "hashing", "processes": 1, **options}
    )


@pytest.mark.slow
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(st.lists(edits, min_size=4, max_size=10), st.lists(edits, min_size=1, max_size=6))
def test_a_store_brought_up_to_date_equals_one_made_from_scratch(
    stored_rows: StoredRows, first: Any, second: Any
) -> None:
    with TemporaryDirectory() as place, cache_in(Path(place).resolve() / "cache"), uses_remembered():
        folder = Path(place).resolve()
        source = folder / "source"
        put(source / "always.md", "# Always\n\nhere\n")
        for edited in (first, second):
            for edit in edited:
                apply(source, edit)
            prepared(source, folder / "kept.duckdb")

        prepared(source, folder / "fresh.duckdb", cache=False)

        assert stored_rows(folder / "kept.duckdb") == stored_rows(folder / "fresh.duckdb")


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Path]:
    with cache_in(tmp_path / "cache"):
        yield tmp_path / "cache" / FILE_NAME


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for folder in FOLDERS[1:3]:
        for name in NAMES:
            put(tmp_path / "source" / folder / name, TEXTS[Path(name).suffix][0])
    return tmp_path / "source"


def test_only_files_that_changed_are_parsed_again(cache: Path, source: Path, tmp_path: Path) -> None:
    first = prepared(source, tmp_path / "s.duckdb")
    put(source / "app/place.py", "def changed():\n    return 1\n")

    second = prepared(source, tmp_path / "s.duckdb")

    assert (first.parsed, second.parsed, second.counts["files"]) == (8, 1, 8)
    assert second.to_dict()["parsed"] == 1


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the files that workers were asked to read since this was last cleared."""
    paths: list[str] = []

    def noted(files: Sequence[SourceFile], **named: Any) -> Iterator[ParsedBatch]:
        paths.extend(file.path for file in files)
        return parse_files(files, **named)

    monkeypatch.setattr("ragduck.preparation.reading.parse_files", noted)
    return paths


def test_only_files_that_look_otherwise_are_read(
    cache: Path, source: Path, tmp_path: Path, opened: list[str]
) -> None:
    prepared(source, tmp_path / "s.duckdb")
    assert len(opened) == 8
    opened.clear()
    put(source / "app/notes.md", TEXTS[".md"][1])
    put(source / "app/new.md", TEXTS[".md"][0])

    prepared(source, tmp_path / "s.duckdb")

    assert opened == ["app/new.md", "app/notes.md"]


def replace_secretly(file: Path, text: str) -> None:
    """Write a text as long as the one before, and give the file its time back."""
    before = file.stat()
    file.write_text(text, encoding="utf-8")
    assert file.stat().st_size == before.st_size
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.skipif(os.name == "nt", reason="has no time of the last change of anything")
@pytest.mark.parametrize(
    "touch",
    [
        lambda file: replace_secretly(file, TEXTS[".py"][0].replace("pay", "buy")),
        lambda file: file.chmod(0o600),
    ],
    ids=["text", "rights"],
)
def test_a_file_of_which_anything_changed_is_read_again(
    cache: Path, source: Path, tmp_path: Path, opened: list[str], touch: Any
) -> None:
    prepared(source, tmp_path / "s.duckdb")
    opened.clear()
    touch(source / "app/place.py")
    put(source / "app/notes.md", TEXTS[".md"][1])

    prepared(source, tmp_path / "s.duckdb")

    assert opened == ["app/notes.md", "app/place.py"]
    with ragduck.open(tmp_path / "s.duckdb") as store:
        [row] = store.sql("select text from source_documents where file_path = 'app/place.py'")
    assert row["text"] == (source / "app/place.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "at",
    [time.time, lambda: time.time() + 1000, lambda: -1.0, lambda: -11_644_473_600.0],
    ids=["now", "future", "before 1970", "before all numbers"],
)
def test_a_file_whose_time_tells_little_is_read_again(
    cache: Path, source: Path, tmp_path: Path, opened: list[str], at: Callable[[], float]
) -> None:
    os.utime(source / "app/place.py", (at(), at()))
    prepared(source, tmp_path / "s.duckdb")
    opened.clear()
    put(source / "app/notes.md", TEXTS[".md"][1])

    prepared(source, tmp_path / "s.duckdb")

    assert opened == ["app/notes.md", "app/place.py"]


@pytest.fixture
def later_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ten seconds pass between any two looks at a folder."""
    times = count(time.time_ns(), 10_000_000_000)
    monkeypatch.setattr("ragduck.parse_cache.seen.time", SimpleNamespace(time_ns=lambda: next(times)))
    monkeypatch.setattr("ragduck.preparation.reading.FEW_FILES", 0)


def just_made(source: Path) -> None:
    """Give all files the time of a checkout that was made right now."""
    for file in source.rglob("*.*"):
        os.utime(file)


def test_files_of_a_checkout_that_was_just_made_are_known_the_next_time(
    cache: Path, source: Path, tmp_path: Path, opened: list[str], later_seconds: None
) -> None:
    just_made(source)
    prepared(source, tmp_path / "s.duckdb")
    assert len(opened) == 8
    opened.clear()
    put(source / "app/notes.md", TEXTS[".md"][1])

    prepared(source, tmp_path / "s.duckdb")

    assert opened == ["app/notes.md"]


def test_a_file_that_changed_unseen_while_others_were_read_is_read_again(
    cache: Path, source: Path, tmp_path: Path, opened: list[str], later_seconds: None, monkeypatch: Any
) -> None:
    just_made(source)

    def changed_since(file: SourceFile, **named: Any) -> Document | SkippedFile:
        read = read_document(file, **named)
        is_other = file.path == "app/place.py" and isinstance(read, Document)
        return replace(read, text="x = 2\n") if is_other else read

    monkeypatch.setattr("ragduck.preparation.reading.read_document", changed_since)
    prepared(source, tmp_path / "s.duckdb")
    opened.clear()
    put(source / "app/notes.md", TEXTS[".md"][1])

    prepared(source, tmp_path / "s.duckdb")

    assert opened == ["app/notes.md", "app/place.py"]


def test_nothing_of_the_cache_is_used_when_it_is_switched_off(
    cache: Path, source: Path, tmp_path: Path, opened: list[str]
) -> None:
    prepared(source, tmp_path / "s.duckdb")
    opened.clear()
    put(source / "app/notes.md", TEXTS[".md"][1])

    report = prepared(source, tmp_path / "s.duckdb", cache=False)

    assert (len(opened), report.parsed) == (8, 8)


@pytest.mark.parametrize(
    "read", [SkippedFile("a.py", "empty"), Document("a.py", "x", "python", "py", "source", 1, 0)]
)
def test_what_was_read_of_a_file_that_changed_since_the_walk_is_not_remembered(
    tmp_path: Path, read: SkippedFile | Document
) -> None:
    put(tmp_path / "a.py", "x = 1\n")
    [file] = walk_files(tmp_path)
    assert isinstance(file, SourceFile)
    assert seen_file(file, read)
    put(tmp_path / "a.py", "x = 1\n")

    assert seen_file(file, read) is None


def test_large_files_are_taken_over_a_few_at_a_time(tmp_path: Path) -> None:
    sizes = [6_000_000, 6_000_000, 1, 1, 20_000_000, *[1] * 501]
    files = [SeenFile(f"{place}.md", size, 0, 0) for place, size in enumerate(sizes)]

    batches = list(known_batches(files, SNAPSHOT, remembered=Remembered(None, settings=ChunkSettings())))

    assert [path for batch in batches for path in batch.forgotten] == [file.path for file in files]
    taken = [[sizes[int(path.removesuffix(".md"))] for path in batch.forgotten] for batch in batches]
    assert all(len(some) == 1 or sum(some) <= BATCH_BYTES for some in taken)


def test_what_the_cache_has_of_neighbours_is_read_as_one_and_is_the_same(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragduck.preparation.unchanged.RUN_FILES", 3)
    texts = {f"app/{number:02}.py": f"def f():\n    return {'(' * (number % 3)}\n" for number in range(20)}
    documents = [Document(path, text, "python", "py", "source", 9, 0) for path, text in texts.items()]
    files = [
        SeenFile(each.path, 9, 0, 0, None, "python", "py", "source", text_hash(each.text))
        for each in documents
    ]
    remembered = Remembered(usable_cache_path()[0], settings=ChunkSettings())
    remembered.keep(
        [(each, parsed_file(parse_document(each, settings=ChunkSettings()))) for each in documents]
    )

    def known(some: Sequence[SeenFile]) -> list[Any]:
        """Return chunks, facts and problems by file, however they are batched."""
        found = list(known_batches(some, SNAPSHOT, remembered=remembered))
        assert not any(batch.forgotten for batch in found)
        chunks = [row for batch in found for row in batch.rows.chunks.to_pylist()]
        problems = [problem for batch in found for problem in batch.problems]
        return [chunks, {path: facts for batch in found for path, facts in batch.facts.items()}, problems]

    alone = known(files)
    with closing(sqlite3.connect(usable_cache_path()[0] or "")) as connection:
        connection.execute("pragma synchronous = off")
        [[before]] = connection.execute("select count(*) from parsed").fetchall()
        together = known(files)
        less = known(files[:7] + files[8:])
        [[after]] = connection.execute("select count(*) from parsed").fetchall()

    assert alone[2]
    assert together == alone
    assert len(files) < before
    assert after == before + 2, "only the run that lost a file is kept anew: its rows, and the rest"
    assert {path: facts for path, facts in alone[1].items() if path != files[7].path} == less[1]


def test_a_store_whose_texts_are_not_what_it_says_is_refused(
    cache: Path, source: Path, tmp_path: Path
) -> None:
    target = prepared(source, tmp_path / "s.duckdb").store
    with duckdb.connect(str(target)) as connection:
        connection.execute("update source_documents set text = 'evil' where file_path like '%place.py'")
    before = target.read_bytes()
    put(source / "app/notes.md", TEXTS[".md"][1])

    with pytest.raises(StoreError, match="does not hold the texts") as caught:
        prepared(source, target)

    assert "--no-cache" in caught.value.hint
    assert target.read_bytes() == before
    prepared(source, target, cache=False)
    with ragduck.open(target) as store:
        assert not store.sql("select file_path from source_documents where text = 'evil'")


def test_a_store_that_was_replaced_meanwhile_loses_no_file(
    cache: Path, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = prepared(source, tmp_path / "s.duckdb").store
    other = prepared(put(tmp_path / "other/a.md", "# Other\n").parent, tmp_path / "o.duckdb").store
    put(source / "app/notes.md", TEXTS[".md"][1])
    add = StoreBuilder.add_known_sources

    def replaced(builder: StoreBuilder, rows: Any) -> None:
        shutil.copy(other, target)
        add(builder, rows)

    monkeypatch.setattr(StoreBuilder, "add_known_sources", replaced)

    with pytest.raises(StoreError, match="does not hold the texts"):
        prepared(source, target)


def test_what_was_skipped_is_told_again_without_a_look(cache: Path, source: Path, tmp_path: Path) -> None:
    put(source / "app/empty.py", "\n\n")
    put(source / "app/key.txt", "-----BEGIN PRIVATE KEY-----\nMII\n")
    first = prepared(source, tmp_path / "s.duckdb")
    put(source / "app/notes.md", TEXTS[".md"][1])

    second = prepared(source, tmp_path / "s.duckdb")

    skipped = [(file.path, file.reason) for file in second.sources[0].skipped]
    assert skipped == [("app/empty.py", "empty"), ("app/key.txt", "secret")]
    assert second.sources[0].skipped == first.sources[0].skipped


def test_files_whose_chunks_were_forgotten_are_parsed_again(
    cache: Path, source: Path, tmp_path: Path, stored_rows: StoredRows
) -> None:
    prepared(source, tmp_path / "s.duckdb")
    with closing(sqlite3.connect(cache)) as connection:
        of_files = "select id from parsed order by size desc limit 1 offset 3"
        connection.execute(f"delete from parsed where id in ({of_files})")
        connection.commit()
    put(source / "app/notes.md", TEXTS[".md"][1])

    report = prepared(source, tmp_path / "s.duckdb")

    prepared(source, tmp_path / "fresh.duckdb", cache=False)
    assert report.parsed == 2
    assert stored_rows(tmp_path / "s.duckdb") == stored_rows(tmp_path / "fresh.duckdb")


def test_texts_that_the_store_does_not_hold_are_read(
    cache: Path, source: Path, tmp_path: Path, stored_rows: StoredRows
) -> None:
    prepared(source, tmp_path / "s.duckdb")
    other = put(tmp_path / "other/a.md", "# Other\n\nthings\n").parent
    prepared(other, tmp_path / "t.duckdb", repo="o")

    report = prepared(source, tmp_path / "t.duckdb")

    prepared(other, tmp_path / "fresh.duckdb", repo="o", cache=False)
    prepared(source, tmp_path / "fresh.duckdb", cache=False)
    assert report.parsed == 0
    assert stored_rows(tmp_path / "t.duckdb") == stored_rows(tmp_path / "fresh.duckdb")


def test_only_the_statements_of_files_that_changed_are_read_again(
    cache: Path, source: Path, tmp_path: Path, stored_rows: StoredRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = TEXTS[".cs"][1]
    put(source / "app/Order.cs", text)
    with uses_remembered():
        prepared(source, tmp_path / "s.duckdb")
        read: list[str] = []
        whole = Users.read

        def noted(users: Users, files: Sequence[FileFacts]) -> FileUses:
            read.extend(file.path for file in files)
            return whole(users, files)

        monkeypatch.setattr(Users, "read", noted)
        put(source / "app/Order.cs", text.replace("db.Run", "db.Go"))
        prepared(source, tmp_path / "s.duckdb")

    assert read == ["app/Order.cs"]
    prepared(source, tmp_path / "fresh.duckdb", cache=False)
    assert stored_rows(tmp_path / "s.duckdb") == stored_rows(tmp_path / "fresh.duckdb")


def test_without_a_cache_no_uses_are_kept(cache: Path, source: Path, tmp_path: Path) -> None:
    with uses_remembered():
        prepared(source, tmp_path / "s.duckdb", cache=False)

    assert not cache.exists()


def test_another_branch_with_the_same_files_is_not_parsed(cache: Path, source: Path, tmp_path: Path) -> None:
    prepared(source, tmp_path / "s.duckdb", branch="main")

    report = prepared(source, tmp_path / "s.duckdb", branch="next")

    assert report.parsed == 0


def test_what_was_parsed_is_kept_with_what_stands_beside_it_for_the_next_run(
    cache: Path, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared(source, tmp_path / "s.duckdb", branch="main")

    def never(*_: object) -> None:
        raise AssertionError("read one by one")

    monkeypatch.setattr("ragduck.preparation.unchanged._run_of_single_files", never)

    assert prepared(source, tmp_path / "s.duckdb", branch="next").parsed == 0


def test_files_that_come_to_another_project_are_parsed_again(
    cache: Path, source: Path, tmp_path: Path
) -> None:
    prepared(source, tmp_path / "s.duckdb")
    put(source / "app/deep/Deep.csproj", "<Project />\n")

    report = prepared(source, tmp_path / "s.duckdb")

    assert report.parsed == 5


def test_visual_basic_is_parsed_again_when_its_project_gives_it_another_namespace(
    cache: Path, source: Path, tmp_path: Path
) -> None:
    put(source / "basic/Tools.vb", TEXTS[".vb"][0])
    project = "<Project><RootNamespace>{}</RootNamespace></Project>\n"
    put(source / "basic/Basic.vbproj", project.format("One"))
    prepared(source, tmp_path / "s.duckdb")
    put(source / "basic/Basic.vbproj", project.format("Two"))

    report = prepared(source, tmp_path / "s.duckdb")

    with closing(duckdb.connect(str(tmp_path / "s.duckdb"), read_only=True)) as store:
        keys = store.execute("select node_key from nodes where kind = 'TYPE' and name = 'Tools'").fetchall()
    assert report.parsed == 2
    assert keys == [("csharp:Two.Tools|TYPE",)]


def read(source: Path, cache: Path | None, **chunking: Any) -> ParsedBatch:
    """Read a folder as workers do, but in this process."""
    files = [file for file in walk_files(source) if isinstance(file, SourceFile)]
    return parse_batch(files, ParseTask(Snapshot("r", "b", None, source), ChunkSettings(**chunking), cache))


def found_in(batch: ParsedBatch) -> tuple[Any, ...]:
    facts = read_facts(batch.facts.values(), Room())
    unpacked = [one._replace(statements=one.statements.unpacked()) for one in facts]
    return batch.rows.chunks.to_pylist(), unpacked, batch.problems


@pytest.mark.parametrize("changed", [{"max_chars": 200}, {"database": "Other"}, {"header_weight": 1}])
def test_other_settings_mean_other_results(source: Path, cache: Path, changed: dict[str, Any]) -> None:
    cache.parent.mkdir()
    read(source, cache)

    batch = read(source, cache, **changed)

    assert batch.parsed == 8
    assert found_in(batch) == found_in(read(source, None, **changed))


def test_a_changed_parser_never_meets_old_results() -> None:
    document = Document("a.py", "x = 1\n", "python", "py", "source", 6, 0)
    parser = parser_fingerprint()

    content = content_of(document)
    keys = {
        key_of(content, settings=repr(ChunkSettings()), parser=each) for each in (parser or b"", b"other")
    }

    assert parser
    assert len(keys) == 2


@pytest.mark.parametrize(
    ("variables", "kept"),
    [
        ({}, True),
        ({"RAGDUCK_PARSE_CACHE": "off"}, False),
        ({"RAGDUCK_PARSE_CACHE": "0"}, False),
        ({"RAGDUCK_CACHE_DIR": ""}, False),
    ],
)
def test_the_cache_can_be_switched_off(tmp_path: Path, variables: dict[str, str], kept: bool) -> None:
    path, refused = usable_cache_path({"RAGDUCK_CACHE_DIR": str(tmp_path / "c"), **variables})

    assert (path is not None, refused) == (kept, "")


def other_database(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("create table precious (one)")
    connection.close()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.write_bytes(b"torn" * 5000),
        lambda file: file.write_bytes(file.read_bytes()[:-6000]),
        lambda file: file.write_bytes(file.read_bytes()[:4096] + b"\xff" * 8192 + file.read_bytes()[12288:]),
        lambda file: (file.unlink(), other_database(file)),
    ],
    ids=["no database", "cut off", "overwritten", "foreign"],
)
def test_a_spoilt_cache_is_thrown_away(cache: Path, source: Path, spoil: Any) -> None:
    cache.parent.mkdir()
    fresh = read(source, cache)
    spoil(cache)

    again = read(source, cache)
    third = read(source, cache)

    assert found_in(again) == found_in(fresh)
    assert found_in(third) == found_in(fresh)
    assert read(source, cache).parsed == 0


def test_a_record_that_was_altered_is_not_believed(cache: Path, source: Path) -> None:
    cache.parent.mkdir()
    fresh = read(source, cache)
    with sqlite3.connect(cache) as connection:
        connection.execute("update parsed set value = cast(substr(value, 1, 40) || x'ff' as blob)")
    connection.close()

    again = read(source, cache)

    assert again.parsed == 8
    assert found_in(again) == found_in(fresh)


def test_a_cache_that_another_process_holds_costs_only_time(
    cache: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.parent.mkdir()
    monkeypatch.setattr("ragduck.parse_cache.table.BUSY_SECONDS", 0.05)
    fresh = read(source, cache)
    with closing(sqlite3.connect(cache, isolation_level=None)) as connection:
        connection.execute("begin exclusive")

        again = read(source, cache)

    assert again.parsed == 8
    assert found_in(again) == found_in(fresh)


@pytest.mark.skipif(os.name == "nt", reason="needs permissions")
def test_a_folder_that_others_can_write_is_not_trusted(cache: Path, source: Path, tmp_path: Path) -> None:
    cache.parent.mkdir()
    cache.parent.chmod(0o777)

    report = prepared(source, tmp_path / "s.duckdb")

    assert "can be written by others" in report.sources[0].notes[-1]
    assert not cache.exists()


@pytest.mark.skipif(os.name == "nt", reason="needs permissions")
def test_the_cache_is_for_its_user_alone(cache: Path, source: Path, tmp_path: Path) -> None:
    prepared(source, tmp_path / "s.duckdb")

    assert cache.stat().st_mode & 0o777 == 0o600
    assert cache.parent.stat().st_mode & 0o777 == 0o700


def test_the_cache_keeps_to_its_size(tmp_path: Path) -> None:
    table = ParsedFiles(tmp_path / "p.sqlite3", limit=200_000)
    for number in range(60):
        table.write({number.to_bytes(4, "big"): os.urandom(10_000)})

    found = table.read([number.to_bytes(4, "big") for number in range(60)])

    assert (59).to_bytes(4, "big") in found
    assert (0).to_bytes(4, "big") not in found
    assert (tmp_path / "p.sqlite3").stat().st_size < 300_000


def test_what_a_parser_cannot_read_is_remembered(cache: Path, source: Path) -> None:
    cache.parent.mkdir()
    put(source / "app/Order.cs", TEXTS[".cs"][2])
    first = read(source, cache)

    second = read(source, cache)

    assert second.parsed == 0
    assert second.problems == first.problems != ()
    assert found_in(second) == found_in(first)


def test_a_parse_that_failed_is_tried_again(
    cache: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.parent.mkdir()

    def short_of_memory(language: str) -> Any:
        raise MemoryError

    with monkeypatch.context() as once:
        once.setattr("ragduck.parse._outliner", short_of_memory)
        first = read(source, cache)

    second = read(source, cache)

    assert first.parsed == second.parsed == len(first.problems)
    assert second.problems == ()
    assert found_in(second) == found_in(read(source, None))


def test_problems_are_told_of_files_that_are_not_read_again(
    cache: Path, source: Path, tmp_path: Path, opened: list[str]
) -> None:
    put(source / "app/Order.cs", TEXTS[".cs"][2])
    first = prepared(source, tmp_path / "s.duckdb")
    put(source / "app/other.md", "# Other\n")
    opened.clear()

    again = prepared(source, tmp_path / "s.duckdb")

    assert "app/Order.cs" not in opened
    assert again.parsed == 1
    assert again.sources[0].problems == first.sources[0].problems != []
