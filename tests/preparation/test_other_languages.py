"""Languages whose names no other one sees: what they declare otherwise lets none but files of theirs be read."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.preparation.test_remembered_uses import cache, read
from tests.preparation.test_touched_types import Texts, brought_up_to_date, contents

__all__ = ["cache", "read"]  # fixtures

SCRIPT = "export class Desk { open() {} }\nexport function go() { return new Desk(); }\nexport const first = go();\n"
USING = "import { go, first } from './one';\nexport function run() { go().open(); first.open(); }\n"
MODULE = "class Desk:\n    def open(self):\n        pass\n\n\ndef go():\n    return Desk()\n"
ASKING = "from py.one import go\n\n\ndef run():\n    go().open()\n"
JAVA = "package one;\npublic class Desk { public void open() { } public static Desk go() { return new Desk(); } }\n"
USER = "package one;\nclass Use { void run() { Desk.go().open(); } }\n"
GO = "package one\ntype Desk struct { A int }\nfunc (d Desk) Open() {}\nfunc Make() Desk { return Desk{} }\n"
MAKING = "package one\nfunc Run() { Make().Open() }\n"
SHARP = (
    "namespace One;\npublic class Desk { public void open() { } public static Desk go() => new Desk(); }\n"
)
CALLING = "namespace One;\nclass Use { void Run() { Desk.go().open(); } void Try() { Unknown.It.open(); } }\n"
VIEW = "<script>\nfunction run() { fetch('/desks/open'); go(); }\n</script>\n<p>@One.Desk.go()</p>\n"
TEXTS = {
    "web/one.ts": SCRIPT, "web/two.js": USING, "py/one.py": MODULE, "py/two.py": ASKING,
    "one/Desk.java": JAVA, "one/Use.java": USER, "one/one.go": GO, "one/two.go": MAKING,
    "Shop/Desk.cs": SHARP, "Shop/Use.cs": CALLING, "Shop/Views/Show.cshtml": VIEW,
}  # fmt: skip
READ = {
    "web/one.ts": {"web/one.ts", "web/two.js"},
    "py/one.py": {"py/one.py", "py/two.py"},
    "one/Desk.java": {"one/Desk.java", "one/Use.java"},
    "one/one.go": {"one/one.go", "one/two.go"},
}
SPELLED = ("open", "shut", "Open", "Shut")


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("web/one.ts", "open()", "open() {} shut()"),
        ("web/one.ts", "function go", "function make"),
        ("web/one.ts", "first = go()", "first = 1"),
        ("web/one.ts", "class Desk", "class Table extends Desk {}\nexport class Desk"),
        ("py/one.py", "def open", "def shut"),
        ("py/one.py", "def go", "def make"),
        ("py/one.py", "class Desk", "class Base:\n    pass\n\n\nclass Desk(Base)"),
        ("one/Desk.java", "public void open", "public void shut"),
        ("one/Desk.java", "package one", "package two"),
        ("one/one.go", "Open", "Shut"),
    ],
)
def test_a_change_of_declarations_lets_files_of_the_language_be_read(
    cache: Path, read: list[str], path: str, old: str, new: str
) -> None:
    _, again = brought_up_to_date(cache, read, TEXTS, {**TEXTS, path: TEXTS[path].replace(old, new)})

    assert set(again) == READ[path]


@pytest.mark.parametrize("path", READ)
def test_a_file_that_is_gone_or_new_lets_files_of_the_language_be_read(
    cache: Path, read: list[str], path: str
) -> None:
    others = {each: text for each, text in TEXTS.items() if each != path}

    _, again = brought_up_to_date(cache, read, TEXTS, others)
    assert set(again) == READ[path] - {path}

    read.clear()
    assert contents(TEXTS, cache) == contents(TEXTS, None)
    assert set(read) >= READ[path]


def test_what_a_change_of_two_languages_touches_is_read_together(cache: Path, read: list[str]) -> None:
    edits = {path: TEXTS[path].replace("open", "shut") for path in ("web/one.ts", "Shop/Desk.cs")}

    _, again = brought_up_to_date(cache, read, TEXTS, {**TEXTS, **edits})

    assert READ["web/one.ts"] | {"Shop/Desk.cs", "Shop/Use.cs"} <= set(again) < set(TEXTS)


renamed = st.builds(
    lambda path, name, other: (path, TEXTS[path].replace(name, other)),
    st.sampled_from(sorted(TEXTS)),
    st.sampled_from(("open", "Open", "Desk", "go", "first", "run", "one", "One", "new ", "class ")),
    st.sampled_from((*SPELLED, "Table", "make", "")),
)
moved = st.builds(
    lambda path, other: (other, TEXTS[path]), st.sampled_from(sorted(TEXTS)), st.sampled_from(sorted(TEXTS))
)
gone = st.tuples(st.sampled_from(sorted(TEXTS)), st.none())


@given(st.lists(renamed | moved | gone, max_size=4), st.lists(renamed | moved | gone, min_size=1, max_size=3))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_graph_brought_up_to_date_is_one_made_anew(
    read: list[str], before: list[tuple[str, str | None]], edits: list[tuple[str, str | None]]
) -> None:
    first: Texts = {**TEXTS, **dict(before)}
    with TemporaryDirectory() as folder:
        brought_up_to_date(Path(folder) / "cache.sqlite3", read, first, {**first, **dict(edits)})
