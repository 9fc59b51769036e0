"""What one process finds out before another asks is what that would find out, and it reads a part of the files."""

from __future__ import annotations

import gc
import shutil
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from ragduck.facts import FileFacts
from ragduck.facts.packing import packed_facts
from ragduck.graph.code.file_uses import FileUses
from ragduck.graph.code.uses import Users
from ragduck.graph.types.catalog import Catalog
from ragduck.model import Document, Snapshot
from ragduck.parse import ChunkSettings, parse_document
from ragduck.preparation import found_ahead, remembered_uses, tying
from ragduck.preparation.found_ahead import FoundAhead, Told
from ragduck.preparation.known_facts import KnownFacts
from ragduck.preparation.remembered_uses import shared_files
from ragduck.preparation.touched_files import Touched
from ragduck.preparation.tying import TiedGraph, tie
from ragduck.preparation.tying_ahead import Ahead, OtherProcess
from ragduck.sources import classify

SNAPSHOT = Snapshot("r", "b", None, Path("r"))
STORE = "class Store { public void Save() { } public int Count; }\n"
FILES = {
    f"Shop/User{one}.cs": f"class User{one} {{ Store s; void Go() {{ s.Save(); }} }}\n" for one in range(9)
}
TEXTS = {
    **FILES,
    "Shop/Store.cs": STORE,
    "Shop/Context.cs": "class ShopContext : DbContext { public DbSet<Store> Stores { get; set; } }\n",
    "Data/Stores.sql": "create table dbo.Stores (Id int);\n",
}
EDITS = {
    "a member": STORE.replace("Save()", "Save(int times = 1)"),
    "a base": STORE.replace("class Store", "class Store : Base"),
    "another type": STORE + "class Other { }\n",
    "a body": STORE.replace("{ }", "{ Count = 1; }"),
}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tying, "SHARED_BYTES", 0)
    monkeypatch.setattr(remembered_uses, "SHARED_FILES", 1)
    monkeypatch.setattr(found_ahead, "WORTH_FILES", 1)
    return tmp_path / "parsed_files.sqlite3"


def packed(texts: Mapping[str, str]) -> list[bytes]:
    found = []
    for path, text in texts.items():
        kind = classify(path, text)
        document = Document(path, text, kind.language, kind.file_type, kind.file_class, len(text), 0, None)
        found.append(packed_facts(parse_document(document, settings=ChunkSettings()).facts))
    return found


class _Here(OtherProcess):
    """What another process would be, in this one."""

    def __init__(self, found: FoundAhead, facts: KnownFacts, marks: Path) -> None:
        super().__init__(facts, marks)
        self._found = found
        self.asked: list[str] = []

    def touched(self, before: bytes) -> Callable[[], Touched | None]:
        self.asked.append("touched")
        return lambda: self._found.touched(self._name, before)

    def ask(self) -> Future[Told]:
        return Future()

    def _rest(self) -> Told:
        self.asked.append("all")
        return self._found.told(self._name)


class _AheadHere(Ahead):
    """Finds all out as soon as facts are there, or when those ``among`` others were."""

    def __init__(self, cache: Path, among: Mapping[str, str]) -> None:
        super().__init__(1)
        self._marks = cache.with_name("marks")
        shutil.rmtree(self._marks, ignore_errors=True)
        self._marks.mkdir()
        self._found = FoundAhead(self._marks)
        self.begin(lambda: self._found.find(lambda: KnownFacts(cache, SNAPSHOT, packed(among))))
        self.told: _Here | None = None

    def begin(self, find: Callable[[], None]) -> None:
        find()

    def beside(self, facts: KnownFacts) -> _Here:
        self.told = _Here(self._found, facts, self._marks)
        return self.told


def tied(texts: Mapping[str, str], cache: Path | None, ahead: Ahead | None = None) -> TiedGraph:
    count = 2 if ahead is not None else 1
    return tie(SNAPSHOT, packed(texts), folder=Path("unused"), processes=count, cache=cache, ahead=ahead)


def contents(graph: TiedGraph) -> tuple[Any, ...]:
    tables = graph.rows.nodes, graph.rows.edges
    return tuple(sorted(map(repr, table.to_pylist())) for table in tables)


class _Reading:
    """Notes the files that are read ahead and by who asks; a file that is read ahead ``waits``."""

    def __init__(self) -> None:
        self.ahead: list[str] = []
        self.here: list[str] = []
        self.is_begun = Event()
        self.waits = Event()
        self.waits.set()


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> _Reading:
    noted = _Reading()
    users = found_ahead.users_in  # who finds ahead reads by these, who asks by others
    read_uses = Users.read

    def read(self: Any, files: Any) -> FileUses:
        def seen() -> Iterator[FileFacts]:
            is_ahead = getattr(self, "is_ahead", False)
            for file in files:
                (noted.ahead if is_ahead else noted.here).append(file.path)
                if is_ahead:
                    noted.is_begun.set()
                    noted.waits.wait()
                yield file

        return read_uses(self, seen())

    def marked(catalog: Any) -> Any:
        made = users(catalog)
        made.is_ahead = True
        return made

    monkeypatch.setattr(found_ahead, "users_in", marked)
    monkeypatch.setattr(Users, "read", read)
    return noted


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_a_graph_is_the_same_as_one_made_anew(cache: Path, edit: str) -> None:
    tied(TEXTS, cache)
    texts = {**TEXTS, "Shop/Store.cs": edit}

    found = tied(texts, cache, _AheadHere(cache, texts))

    assert contents(found) == contents(tied(texts, None))


def test_files_that_were_read_ahead_are_not_read_by_who_asks(cache: Path, reading: _Reading) -> None:
    tied(TEXTS, cache)
    reading.here.clear()
    texts = {**TEXTS, "Shop/Store.cs": EDITS["a member"]}
    ahead = _AheadHere(cache, texts)

    found = tied(texts, cache, ahead)

    assert ahead.told is not None
    assert ahead.told.asked == ["touched", "all", "all"]  # uses, and what code does to databases
    assert (reading.here, reading.ahead) == ([], sorted([*FILES, "Shop/Store.cs"]))
    assert contents(found) == contents(tied(texts, None))


def test_files_that_were_not_begun_ahead_are_read_by_who_asks(
    cache: Path, reading: _Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    tied(TEXTS, cache)
    reading.here.clear()
    reading.waits.clear()
    texts = {**TEXTS, "Shop/Store.cs": EDITS["a member"]}
    monkeypatch.setattr(_AheadHere, "begin", lambda _, find: Thread(target=find).start())
    ahead = _AheadHere(cache, texts)
    reading.is_begun.wait()
    told = FoundAhead.told

    def asked(self: FoundAhead, name: bytes) -> Told:
        reading.waits.set()
        return told(self, name)

    monkeypatch.setattr(FoundAhead, "told", asked)

    found = tied(texts, cache, ahead)

    first, *others = sorted([*FILES, "Shop/Store.cs"])
    assert (reading.here, reading.ahead) == (others[::-1], [first])
    assert contents(found) == contents(tied(texts, None))


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_what_was_found_among_other_facts_is_found_anew(cache: Path, edit: str) -> None:
    tied(TEXTS, cache)
    ahead = _AheadHere(cache, {**TEXTS, "Shop/Store.cs": STORE.replace("Count", "Total")})
    texts = {**TEXTS, "Shop/Store.cs": edit}

    found = tied(texts, cache, ahead)

    assert contents(found) == contents(tied(texts, None))


def test_what_was_found_since_another_run_is_found_anew(cache: Path) -> None:
    tied(TEXTS, cache)
    texts = {**TEXTS, "Shop/Store.cs": EDITS["a member"]}
    ahead = _AheadHere(cache, texts)
    tied({**TEXTS, "Shop/User1.cs": "class User1 { }\n"}, cache)

    found = tied(texts, cache, ahead)

    assert contents(found) == contents(tied(texts, None))


def test_files_whose_reading_failed_are_read_by_who_asks(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tied(TEXTS, cache)
    texts = {**TEXTS, "Shop/Store.cs": EDITS["a member"]}
    monkeypatch.setattr(found_ahead, "users_in", None)
    ahead = _AheadHere(cache, texts)

    found = tied(texts, cache, ahead)

    assert ahead.told is not None
    assert ahead.told.asked == ["touched", "all"]  # for what is stored: no file is left
    assert contents(found) == contents(tied(texts, None))


def test_files_that_nobody_could_mark_are_read_by_who_asks(
    cache: Path, reading: _Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    tied(TEXTS, cache)
    reading.here.clear()
    texts = {**TEXTS, "Shop/Store.cs": EDITS["a member"]}

    def without_marks(_: Any, find: Callable[[], None]) -> None:
        shutil.rmtree(cache.with_name("marks"))
        find()

    monkeypatch.setattr(_AheadHere, "begin", without_marks)

    found = tied(texts, cache, _AheadHere(cache, texts))

    assert (reading.here, reading.ahead) == (sorted([*FILES, "Shop/Store.cs"]), [])
    assert contents(found) == contents(tied(texts, None))


def test_nothing_is_made_ready_to_read_files_where_none_are_shared(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered_uses, "SHARED_FILES", 20)
    monkeypatch.setattr(found_ahead, "users_in", None)
    tied(TEXTS, cache)
    texts = {**TEXTS, "Shop/Store.cs": EDITS["a member"]}
    ahead = _AheadHere(cache, texts)

    found = tied(texts, cache, ahead)

    assert ahead.told is not None
    assert ahead.told.stored()
    assert contents(found) == contents(tied(texts, None))


def test_nothing_is_made_ready_to_read_files_where_few_are_left(
    cache: Path, reading: _Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    tied(TEXTS, cache)
    reading.here.clear()
    monkeypatch.setattr(found_ahead, "WORTH_FILES", len(FILES) + 2)
    monkeypatch.setattr(found_ahead, "users_in", None)
    texts = {**TEXTS, "Shop/Store.cs": EDITS["a member"]}
    ahead = _AheadHere(cache, texts)

    found = tied(texts, cache, ahead)

    assert ahead.told is not None
    assert ahead.told.stored()
    assert sorted(reading.here) == sorted([*FILES, "Shop/Store.cs"])
    assert contents(found) == contents(tied(texts, None))


def test_few_files_are_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = {f"{one}.cs": bytes(100) for one in range(8)}
    gone = "gone.cs"

    assert shared_files(paths.keys(), paths) == []
    monkeypatch.setattr(remembered_uses, "SHARED_FILES", 7)
    assert shared_files({*paths, gone}, paths) == sorted(paths)


@pytest.mark.parametrize("is_asked", [True, False], ids=["asked", "left"])
def test_files_are_let_go_once_nobody_needs_what_was_found(
    cache: Path, monkeypatch: pytest.MonkeyPatch, is_asked: bool
) -> None:
    tied(TEXTS, cache)
    monkeypatch.setattr(found_ahead, "ANSWER_SECONDS", 0)
    held: list[weakref.ref[Catalog]] = []

    def catalog(files: Sequence[FileFacts]) -> Catalog:
        made = Catalog(files)
        held.append(weakref.ref(made))
        return made

    monkeypatch.setattr(found_ahead, "Catalog", catalog)
    facts = KnownFacts(cache, SNAPSHOT, packed({**TEXTS, "Shop/Store.cs": EDITS["a body"]}))
    found = FoundAhead(cache.with_name("marks"))
    found.find(lambda: facts)
    letting_go = Thread(target=found.let_go, daemon=True)
    letting_go.start()
    assert held[0]() is not None

    if is_asked:
        assert found.told(facts.name).stored
    else:
        found.leave()
    letting_go.join(timeout=10)

    gc.collect()
    assert not letting_go.is_alive()
    assert held[0]() is None
