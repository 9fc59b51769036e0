"""A branch of a large store is brought up to date in a copy of it, and has the rows of one written whole."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ragduck
from ragduck.conversation import Turn
from ragduck.errors import StoreError
from ragduck.model import Snapshot
from ragduck.search.request import MODES
from ragduck.store import branch_amendment
from ragduck.store.amended_links import AmendedLinks
from ragduck.store.amending import Amending
from ragduck.store.checks import run_checks
from ragduck.store.connection import open_database
from ragduck.store.history import StoreHistory

pytestmark = pytest.mark.skipif(duckdb.__version__.startswith("1."), reason="amends nothing")
CODE = """namespace Shop;
public class {name}
{{
    private readonly Db db;
    public int Total(int a)
    {{
        return Sum(a) + {number};
    }}

    int Sum(int a) => a + Other.Constant;

    public void Save()
    {{
        db.Run("insert into dbo.{name}s (Id, Name) values (1, 'x')");
    }}
}}
"""
OTHER = "namespace Shop;\npublic static class Other\n{\n    public const int Constant = 3;\n}\n"
TABLES = "create table dbo.{name}s (Id int primary key, Name nvarchar(20));\n"
PROCEDURE = (
    "create procedure dbo.Place{name} as\nbegin\n    insert into dbo.{name}s (Id) select {number};\nend\n"
)
NOTES = "# {name}\n\nHow {name} number {number} is placed.\n\n## Paying\n\nLater, by {name}.\n"
NAMES = ("Order", "Invoice", "Basket", "Return")
TEXTS = {".cs": CODE, ".sql": TABLES, ".md": NOTES, ".prc.sql": PROCEDURE}
FREE = (  # what a store that is amended may tell otherwise
    "created_at", "amended_chunks", "vector_scan", "vector_candidates", "vector_recall_at_10",
)  # fmt: skip


def put(folder: Path, name: str, ending: str, number: int = 0) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}{ending}").write_text(TEXTS[ending].format(name=name, number=number), encoding="utf-8")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for name in NAMES[:3]:
        for ending in TEXTS:
            put(tmp_path / "source", name, ending)
    (tmp_path / "source/Other.cs").write_text(OTHER, encoding="utf-8")
    return tmp_path / "source"


StoredRows = Callable[[Path], dict[str, list[Any]]]
RequireSame = Callable[..., None]


@pytest.fixture(scope="module", autouse=True)
def _with_a_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAGDUCK_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True)
def _small_ones_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Amend stores however small they are, and however much has changed."""
    monkeypatch.setattr("ragduck.store.amendable.SMALLEST", 0)
    monkeypatch.setattr("ragduck.store.amendable.SHARE", 1_000)


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Write stores whole from here on."""
    return lambda: monkeypatch.setattr("ragduck.store.amendable.SMALLEST", 10**9)


def prepared(source: Path, store: Path, **options: Any) -> Path:
    given = {"repo": "r", "branch": "b", "embed_model": "hashing", "processes": 1}
    ragduck.prepare(source, store, **{**given, **options})
    return store


def in_any_order(rows: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return the rows of a store, wherever they lie in the file, but for what one that is amended tells otherwise."""
    return {
        table: sorted((row for row in some if row[0] not in FREE), key=repr) for table, some in rows.items()
    }


def was_amended(store: Path) -> bool:
    with open_database(store) as database:
        return "amended_chunks" in database.meta


@pytest.fixture
def require_same(stored_rows: StoredRows) -> RequireSame:
    """Require that a store was amended and has the rows of another one.

    One that is made ``of_copies`` has other fingerprints, as copies of files have times of their own.
    """

    def required(amended: Path, fresh: Path, *, of_copies: bool = False) -> None:
        left, right = (in_any_order(stored_rows(store)) for store in (amended, fresh))
        if of_copies:
            for rows in (left, right):
                rows["snapshots"] = [row[:-1] for row in rows["snapshots"]]
        assert left.keys() == right.keys()
        for table, rows in left.items():
            assert rows == right[table], table
        assert was_amended(amended)
        with open_database(amended) as database:
            assert [check.name for check in run_checks(database) if not check.passed] == []

    return required


def edit_a_body(source: Path) -> None:
    put(source, "Invoice", ".cs", number=7)


def edit_nothing_but_a_time(source: Path) -> None:
    (source / "Order.md").touch()


def add_a_method(source: Path) -> None:
    file = source / "Basket.cs"
    text = file.read_text(encoding="utf-8")
    file.write_text(
        text.replace("int Sum", "public int Twice(int a) => 2 * Sum(a);\n\n    int Sum"), encoding="utf-8"
    )


def remove_a_method(source: Path) -> None:
    file = source / "Basket.cs"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("    int Sum(int a) => a + Other.Constant;\n", ""), encoding="utf-8")


def rename_a_class(source: Path) -> None:
    file = source / "Other.cs"
    file.write_text(OTHER.replace("Other", "Another"), encoding="utf-8")


def add_files(source: Path) -> None:
    for ending in TEXTS:
        put(source / "deep", "Return", ending)


def remove_files(source: Path) -> None:
    (source / "Order.cs").unlink()
    (source / "Order.md").unlink()


def move_a_file(source: Path) -> None:
    (source / "Order.sql").rename(source / "A.sql")


def drop_a_table(source: Path) -> None:
    (source / "Order.sql").unlink()


EDITS = (
    edit_a_body, edit_nothing_but_a_time, add_a_method, remove_a_method, rename_a_class, add_files, remove_files,
    move_a_file, drop_a_table,
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edit", "branch"), [*((edit, "b") for edit in EDITS), (add_a_method, "a"), (remove_files, "c")]
)
def test_a_branch_that_is_amended_has_the_rows_of_one_written_whole(
    source: Path,
    tmp_path: Path,
    whole: Callable[[], None],
    require_same: RequireSame,
    edit: Callable[[Path], None],
    branch: str,
) -> None:
    store, fresh = tmp_path / "s.duckdb", tmp_path / "fresh.duckdb"
    for name in ("a", "b", "c"):
        prepared(source, store, branch=name)
    others = Path(shutil.copytree(source, tmp_path / "others" / source.name))

    edit(source)
    prepared(source, store, branch=branch)

    whole()
    for name in ("a", "b", "c"):
        prepared(source if name == branch else others, fresh, branch=name)
    require_same(store, fresh, of_copies=True)


@pytest.mark.parametrize("model", [None, "hashing"])
def test_with_and_without_vectors(
    source: Path,
    tmp_path: Path,
    whole: Callable[[], None],
    require_same: RequireSame,
    model: str | None,
) -> None:
    store = prepared(source, tmp_path / "s.duckdb", embed_model=model)
    edit_a_body(source)

    prepared(source, store, embed_model=model)

    whole()
    require_same(store, prepared(source, tmp_path / "fresh.duckdb", embed_model=model))


Edit = tuple[str, str, str, int]
edits = st.lists(
    st.tuples(
        st.sampled_from(("write", "write", "delete")),
        st.sampled_from(NAMES),
        st.sampled_from(sorted(TEXTS)),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=6,
)


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(
    kind=st.sampled_from(("repo", "branch")),
    rounds=st.lists(st.tuples(st.sampled_from("abc"), edits), min_size=2, max_size=5),
)
def test_whatever_is_edited_the_rows_are_those_of_a_store_written_whole(
    tmp_path_factory: pytest.TempPathFactory,
    stored_rows: StoredRows,
    kind: str,
    rounds: list[tuple[str, list[Edit]]],
) -> None:
    folder = tmp_path_factory.mktemp("edited")
    order = list("abc")  # in which each was prepared last
    for name in order:
        for ending in sorted(TEXTS)[: 4 if kind == "branch" or name == "b" else 2]:
            put(folder / name, "Order", ending)
        prepared(folder / name, folder / "s.duckdb", **{kind: name})
    for name, made in rounds:
        for change, stem, ending, number in made:
            if change == "write":
                put(folder / name, stem, ending, number)
            elif len(list((folder / name).iterdir())) > 1:
                (folder / name / f"{stem}{ending}").unlink(missing_ok=True)
        prepared(folder / name, folder / "s.duckdb", **{kind: name})
        order = [*(each for each in order if each != name), name]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ragduck.store.amendable.SMALLEST", 10**9)
        for name in order:
            prepared(folder / name, folder / "fresh.duckdb", **{kind: name})
    left, right = (in_any_order(stored_rows(folder / name)) for name in ("s.duckdb", "fresh.duckdb"))
    assert left == right


@pytest.mark.parametrize(("dropped", "weight_moves"), [(1, False), (6, True)])
def test_a_common_term_is_weighed_anew_at_a_step(
    tmp_path: Path,
    whole: Callable[[], None],
    require_same: RequireSame,
    dropped: int,
    weight_moves: bool,
) -> None:
    def write(number: int, without: int = 0) -> None:
        sections = (
            f"# Part {number}-{each}\n\n{'rare' if each < without else 'common'} words.\n"
            for each in range(100)
        )
        (tmp_path / "source").mkdir(exist_ok=True)
        (tmp_path / f"source/{number}.md").write_text("\n".join(sections), encoding="utf-8")

    def weights() -> dict[str, set[float]]:
        of_term = (
            "select term, weight from fts_postings join fts_terms using (term_key) "
            "join documents using (chunk_no) where term in ('common', 'rare') and source_file = '9.md'"
        )
        with ragduck.open(store) as opened:
            rows = opened.sql(of_term)
        return {term: {row["weight"] for row in rows if row["term"] == term} for term in ("common", "rare")}

    for number in range(12):
        write(number)
    write(9, without=20)
    write(8, without=30)
    store = prepared(tmp_path / "source", tmp_path / "s.duckdb")
    before = weights()
    write(8, without=30 + dropped)

    prepared(tmp_path / "source", store)

    after = weights()
    assert (after["common"] != before["common"]) is weight_moves
    assert after["rare"] != before["rare"]
    whole()
    require_same(store, prepared(tmp_path / "source", tmp_path / "fresh.duckdb"))


def test_links_may_be_made_after_all_that_is_made_beside_them(
    source: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    whole: Callable[[], None],
    require_same: RequireSame,
) -> None:
    """A statement of theirs that takes long must not hinder those about chunks."""
    rest_is_made = Event()
    make, put_in_signals = AmendedLinks._make, branch_amendment._Amendment._put_in_signals

    def later(self: AmendedLinks, snapshot: Snapshot) -> None:
        self._connection.execute("begin")
        self._connection.execute("select count(*) from store.documents").fetchall()
        assert rest_is_made.wait(60)
        self._connection.execute("commit")
        make(self, snapshot)

    def told(self: branch_amendment._Amendment) -> None:
        put_in_signals(self)
        rest_is_made.set()

    store = prepared(source, tmp_path / "s.duckdb")
    add_a_method(source)
    drop_a_table(source)
    monkeypatch.setattr(AmendedLinks, "_make", later)
    monkeypatch.setattr(branch_amendment._Amendment, "_put_in_signals", told)

    prepared(source, store)

    assert rest_is_made.is_set()
    whole()
    require_same(store, prepared(source, tmp_path / "fresh.duckdb"))


@pytest.mark.parametrize("step", ["links_new", "words_new"])
def test_what_fails_in_either_is_told(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    run = Amending._run

    def failing(self: Amending, name: str, *words: Any) -> None:
        run(self, name, *words)
        if name == step:
            raise duckdb.Error(f"no more room at {name}")

    store = prepared(source, tmp_path / "s.duckdb")
    before = store.read_bytes()
    add_a_method(source)
    monkeypatch.setattr(Amending, "_run", failing)

    with pytest.raises(StoreError, match=f"no more room at {step}"):
        prepared(source, store)

    assert store.read_bytes() == before
    monkeypatch.undo()
    monkeypatch.setattr("ragduck.store.amendable.SMALLEST", 0)
    prepared(source, store)


def test_an_interrupt_ends_what_is_made_beside(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A statement that would take a minute is ended, even if a second interrupt comes while it is waited for."""
    is_begun, is_through = Event(), Event()
    interrupts = [1]

    def lasting(self: AmendedLinks, _: Snapshot) -> Iterator[Callable[[], object]]:
        def run() -> None:
            is_begun.set()
            self._connection.execute("select sum(a.range * b.range % 7) from range(200000) a, range(90000) b")
            is_through.set()

        yield run
        is_through.set()

    def interrupted(_: branch_amendment._Amendment) -> None:
        assert is_begun.wait(60)
        raise KeyboardInterrupt

    def waiting(made: Sequence[Future[None]], timeout: float) -> object:
        if interrupts:
            raise KeyboardInterrupt(interrupts.pop())
        return wait(made, timeout=timeout)

    store = prepared(source, tmp_path / "s.duckdb")
    before = store.read_bytes()
    add_a_method(source)
    with monkeypatch.context() as patch:
        patch.setattr(AmendedLinks, "_steps", lasting)
        patch.setattr(branch_amendment._Amendment, "_put_in_chunks", interrupted)
        patch.setattr("ragduck.store.amended_links.wait", waiting)
        with pytest.raises(KeyboardInterrupt):
            prepared(source, store)

    assert not is_through.is_set()
    assert store.read_bytes() == before
    left = {one.name for one in tmp_path.iterdir() if one.name.startswith("s.duckdb.")}
    assert all(name.endswith(".ragduck-work") for name in left)  # with vectors, which the next run takes
    prepared(source, store)
    assert was_amended(store)


def test_names_that_a_type_had_from_another_go_with_it(
    source: Path, tmp_path: Path, whole: Callable[[], None], require_same: RequireSame
) -> None:
    (source / "Item.cs").write_text("namespace Shop;\npublic class Item : Invoice { }\n", encoding="utf-8")
    store = prepared(source, tmp_path / "s.duckdb")
    (source / "Item.cs").unlink()

    prepared(source, store)

    whole()
    require_same(store, prepared(source, tmp_path / "fresh.duckdb"))


def test_columns_of_large_tables_are_told_from_types(
    source: Path, tmp_path: Path, whole: Callable[[], None], require_same: RequireSame
) -> None:
    columns = ", ".join(f"Column{number} int" for number in range(20))
    (source / "Wide.sql").write_text(f"create table dbo.Wide ({columns}, Parcel int);\n", encoding="utf-8")
    (source / "Parcel.cs").write_text("namespace Shop;\npublic class Parcel { }\n", encoding="utf-8")
    store = prepared(source, tmp_path / "s.duckdb")
    (source / "Parcel.cs").unlink()

    prepared(source, store)

    whole()
    require_same(store, prepared(source, tmp_path / "fresh.duckdb"))


def test_what_did_not_change_stays_where_it_is(source: Path, tmp_path: Path) -> None:
    store = prepared(source, tmp_path / "s.duckdb")
    made = "select file_path, created_at from source_documents order by file_path"
    with ragduck.open(store) as opened:
        before = {row["file_path"]: row["created_at"] for row in opened.sql(made)}
    edit_a_body(source)

    prepared(source, store)

    with ragduck.open(store) as opened:
        after = {row["file_path"]: row["created_at"] for row in opened.sql(made)}
    assert [path for path, at in after.items() if at != before[path]] == ["Invoice.cs"]


LISTED = (
    "select function_name, macro_definition from duckdb_functions() "
    "where function_type in ('macro', 'table_macro') and not internal order by all"
)


def in_store(store: Path, *statements: str) -> None:
    with duckdb.connect(str(store)) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "create view mine as select 1 as a",
        "update documents set text = 'forged' where source_file = 'Order.cs'",
        "update edges set rule = 'forged' where edge_no = 3",
        "delete from fts_lengths where chunk_no = 3",
        "create or replace macro idf_of(chunks_with_term, chunks) as 1000",
        "create macro md5(x) as (select content from read_text('secret.txt'))",
        "checkpoint",
    ],
)
def test_a_store_that_somebody_else_wrote_to_is_written_whole(
    source: Path, tmp_path: Path, stored_rows: StoredRows, whole: Callable[[], None], statement: str
) -> None:
    store = prepared(source, tmp_path / "s.duckdb")
    in_store(store, statement)
    edit_a_body(source)

    prepared(source, store)

    assert was_amended(store) == (statement == "checkpoint")  # of nothing, which leaves the file alone
    whole()
    fresh = prepared(source, tmp_path / "fresh.duckdb")
    left, right = (in_any_order(stored_rows(each)) for each in (store, fresh))
    assert left == right
    with ragduck.open(store) as one, ragduck.open(fresh) as other:
        assert one.sql(LISTED) == other.sql(LISTED)


def a_copy(store: Path) -> Path:
    copy = store.with_name("copy.duckdb")
    shutil.copyfile(store, copy)
    copy.replace(store)
    return store


def with_its_old_time(store: Path) -> Path:
    status = store.stat()
    in_store(store, "update edges set rule = 'forged' where edge_no = 3")
    os.utime(store, ns=(status.st_atime_ns, status.st_mtime_ns))
    return store


@pytest.mark.parametrize("change", [a_copy, with_its_old_time])
def test_a_file_that_took_its_place_is_another_store(
    source: Path, tmp_path: Path, change: Callable[[Path], Path]
) -> None:
    store = change(prepared(source, tmp_path / "s.duckdb"))
    edit_a_body(source)

    prepared(source, store)

    assert not was_amended(store)
    prepared(source, store)
    add_a_method(source)
    prepared(source, store)
    assert was_amended(store)


@pytest.mark.parametrize("changed", ["ragduck_version", "chunk_size", "cache", "nothing"])
def test_what_was_made_otherwise_is_written_whole(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    store = prepared(source, tmp_path / "s.duckdb")
    edit_a_body(source)
    if changed == "ragduck_version":
        monkeypatch.setattr("ragduck.preparation.gathering.__version__", "0.0.1")

    prepared(source, store, **{"chunk_size": {"chunk_size": 300}, "cache": {"cache": False}}.get(changed, {}))

    assert was_amended(store) == (changed == "nothing")


def test_a_store_in_which_much_has_changed_is_written_whole(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragduck.store.amendable.SHARE", 0.7)
    monkeypatch.setattr("ragduck.store.amendable.FEW_FILES", 0)
    store = prepared(source, tmp_path / "s.duckdb")
    amended = []
    for number in range(1, 6):
        put(source, "Invoice", ".cs", number)
        prepared(source, store)
        amended.append(was_amended(store))

    assert amended == [True, False, True, False, True]


@pytest.mark.slow
@pytest.mark.parametrize("repo", ["code", "database", "apart"])
@pytest.mark.parametrize("edit", [edit_a_body, add_files, drop_a_table])
def test_what_repositories_define_for_each_other_is_brought_up_to_date(
    source: Path,
    tmp_path: Path,
    whole: Callable[[], None],
    stored_rows: StoredRows,
    repo: str,
    edit: Callable[[Path], None],
) -> None:
    folders = {name: tmp_path / name for name in ("apart", "code", "database")}
    for name, folder in folders.items():
        shutil.copytree(source, folder)
        for file in folder.glob("*.sql" if name == "code" else "*.cs" if name == "database" else "Invoice.*"):
            file.unlink()
        prepared(folder, tmp_path / "s.duckdb", repo=name)
    with ragduck.open(tmp_path / "s.duckdb") as opened:
        [row] = opened.sql("select count(*) as found from nodes where definition_id is not null")
    assert row["found"] > 2
    put(source, "Order", ".sql")
    if edit is drop_a_table:
        put(folders[repo], "Order", ".sql")
        prepared(folders[repo], tmp_path / "s.duckdb", repo=repo)

    edit(folders[repo])
    prepared(folders[repo], tmp_path / "s.duckdb", repo=repo)

    whole()
    for name in sorted(
        folders, key=lambda name: name == repo
    ):  # which defines what others name counts by time
        prepared(folders[name], tmp_path / "fresh.duckdb", repo=name)
    left, right = (in_any_order(stored_rows(tmp_path / name)) for name in ("s.duckdb", "fresh.duckdb"))
    assert left == right
    # What is prepared last counts first, so that something else defines what two repositories do.
    assert was_amended(tmp_path / "s.duckdb") == (repo != "apart" and edit is not drop_a_table)


def test_a_branch_without_edges_is_amended(
    source: Path, tmp_path: Path, whole: Callable[[], None], require_same: RequireSame
) -> None:
    for file in source.iterdir():
        if file.suffix != ".md":
            file.unlink()
    store = prepared(source, tmp_path / "s.duckdb")
    put(source, "Invoice", ".md", number=7)

    prepared(source, store)

    whole()
    require_same(store, prepared(source, tmp_path / "fresh.duckdb"))


def turn(name: str) -> Turn:
    return Turn(name, "session", datetime(2026, 1, 1), name, name, "answer", "answer")


def test_conversations_stay_and_those_of_meanwhile_come_in(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = prepared(source, tmp_path / "s.duckdb")
    history = StoreHistory(store)
    history.save_turn(turn("first"))
    assert history.fold()
    edit_a_body(source)
    amend = branch_amendment.amend

    def amended_while_asked(*arguments: Any, **named: Any) -> Any:
        history.save_turn(turn("second"))
        return amend(*arguments, **named)

    monkeypatch.setattr("ragduck.store.branch_amendment.amend", amended_while_asked)

    prepared(source, store)

    assert was_amended(store)
    sessions = StoreHistory(store).export()
    assert sum(len(session["turns"]) for session in sessions) == 2


def test_a_failure_leaves_the_live_file_as_it_was(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = prepared(source, tmp_path / "s.duckdb")
    before = store.read_bytes()
    edit_a_body(source)
    monkeypatch.setattr("ragduck.store.branch_amendment.counts_of", lambda _: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        prepared(source, store)

    assert store.read_bytes() == before
    left = {file.name for file in tmp_path.iterdir()} - {"s.duckdb", "source"}
    assert all(name.endswith(".ragduck-work") for name in left)  # vectors, for the next run


@pytest.fixture
def amended(source: Path, tmp_path: Path) -> Path:
    store = prepared(source, tmp_path / "s.duckdb")
    for number in range(1, 4):
        put(source, "Invoice", ".cs", number)
        put(source / "deep", "Return", ".md", number)
        prepared(source, store)
    assert was_amended(store)
    return store


def test_searches_find_the_same(
    source: Path, tmp_path: Path, amended: Path, whole: Callable[[], None]
) -> None:
    whole()
    fresh = prepared(source, tmp_path / "fresh.duckdb")
    questions = ("Invoice total", "insert into orders", "how is a return placed", "Sum", "paying")

    with ragduck.open(amended) as one, ragduck.open(fresh) as other:
        for _ in range(3):  # from the second on by what is held in memory
            for question in questions:
                for mode in MODES:
                    found = [
                        [(hit["id"], hit["score"]) for hit in each.search(question, mode=mode).results]
                        for each in (one, other)
                    ]
                    assert found[0] == found[1], (question, mode)


@pytest.mark.parametrize("loses_its_cache", [False, True])
def test_what_was_left_is_added_where_all_has_to_be_written(
    source: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    stored_rows: StoredRows,
    whole: Callable[[], None],
    loses_its_cache: bool,
) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setenv("RAGDUCK_CACHE_DIR", str(cache))
    store = prepared(source, tmp_path / "s.duckdb")
    edit_a_body(source)
    asked = []

    def refused(*_: Any, **__: Any) -> None:
        asked.append(True)
        if loses_its_cache:
            (cache / "parsed_files.sqlite3").unlink()

    with monkeypatch.context() as patch:
        patch.setattr("ragduck.store.branch_amendment.amend", refused)
        prepared(source, store)

    assert asked
    whole()
    fresh = prepared(source, tmp_path / "fresh.duckdb")
    assert in_any_order(stored_rows(store)) == in_any_order(stored_rows(fresh))


def test_a_revision_is_amended_though_all_of_it_is_read(
    source: Path,
    tmp_path: Path,
    git: Callable[..., str],
    whole: Callable[[], None],
    require_same: RequireSame,
) -> None:
    git(source, "init", "-q", "-b", "main")
    git(source, "add", ".")
    git(source, "commit", "-q", "-m", "first")
    store = prepared(source, tmp_path / "s.duckdb", branch="main", revision="main")
    edit_a_body(source)
    git(source, "commit", "-q", "-a", "-m", "second")

    prepared(source, store, branch="main", revision="main")

    whole()
    require_same(store, prepared(source, tmp_path / "fresh.duckdb", branch="main", revision="main"))
