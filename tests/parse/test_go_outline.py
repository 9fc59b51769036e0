"""What the outline of a Go file holds."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from ragduck.model import Document, Outline, Symbol
from ragduck.parse.go import outline


def outline_of(source: str, *, path: str = "store/orders/repo.go") -> Outline:
    text = dedent(source).lstrip("\n")
    return outline(Document(path, text, "go", "go", "source", len(text), 0))


def walk(symbols: tuple[Symbol, ...]) -> Iterator[Symbol]:
    for symbol in symbols:
        yield symbol
        yield from walk(symbol.children)


def rows(source: str, *, path: str = "store/orders/repo.go") -> list[tuple[str, str, int, int]]:
    symbols = walk(outline_of(source, path=path).symbols)
    return [(s.element_type, s.qualified_name, s.start_line, s.end_line) for s in symbols]


def test_functions_methods_and_types_are_found() -> None:
    found = rows("""
        package orders

        // Repo stores orders.
        type Repo[T any] struct {
            db, log *sql.DB
            io.Reader
        }

        type (
            // ID names an order.
            ID = int
            Placer interface { Place(o Order) error }
        )

        const (
            Open = iota
            Closed
        )

        var limit = 3

        func New() *Repo { return nil }

        // Place stores one.
        func (r *Repo[T]) Place(o Order) error {
            return nil
        }
        """)

    assert found == [
        ("struct", "store.orders.Repo", 3, 7),
        ("field", "store.orders.Repo.db", 5, 5),
        ("field", "store.orders.Repo.Reader", 6, 6),
        ("type_alias", "store.orders.ID", 10, 11),
        ("interface", "store.orders.Placer", 12, 12),
        ("method", "store.orders.Placer.Place", 12, 12),
        ("constant", "store.orders.Open", 15, 18),
        ("variable", "store.orders.limit", 20, 20),
        ("function", "store.orders.New", 22, 22),
        ("method", "store.orders.Repo.Place", 24, 27),
    ]


def test_package_qualifies_files_without_a_folder() -> None:
    assert rows("package main\nfunc main() {}\n", path="main.go") == [("function", "main.main", 2, 2)]


def test_a_capital_letter_makes_public() -> None:
    found = outline_of("package a\nfunc Up() {}\nfunc down() {}\nfunc Ärger() {}\n")

    assert [symbol.visibility for symbol in found.symbols] == ["public", "internal", "public"]


def test_signature_stops_at_the_body() -> None:
    found = outline_of(
        "package a\nfunc (r *Repo) Place(ctx Ctx, id int) (int, error) {\n}\ntype A struct {\n}\n"
    )

    assert [symbol.signature for symbol in found.symbols] == [
        "func (r *Repo) Place(ctx Ctx, id int) (int, error)",
        "type A struct",
    ]


def test_long_functions_can_be_cut_at_statements() -> None:
    body = "".join(f"\tstep({n})\n" for n in range(30))

    assert outline_of("package a\nfunc f() {\n" + body + "}\n").symbols[0].cuts == tuple(range(3, 33))


def test_hostile_nesting_is_survived() -> None:
    for source in ("{" * 10_000 + "}" * 10_000, "f(" * 20_000, "x=>" * 20_000, "a<" * 20_000):
        outline_of(source)


FRAGMENTS = st.sampled_from(
    [
        "package a\n",
        "func f() {",
        "}",
        "(",
        ")",
        ";",
        "\n",
        "type A struct {",
        "x int",
        "type (",
        "const (",
        "func (r *R) m() {",
        "// c\n",
        "/* c\n*/",
        "`",
        '"',
        "ä",
        "= 1",
        "var x",
    ]
)


@given(st.one_of(st.text(), st.lists(FRAGMENTS).map("".join)))
def test_go_symbols_nest_and_do_not_overlap_whatever_the_text(text: str) -> None:
    found = outline(Document("store/orders/repo.go", text, "go", "go", "source", len(text), 0))

    assert_well_formed(found.symbols, first=1, last=text.count("\n") + 1)


def assert_well_formed(symbols: tuple[Symbol, ...], *, first: int, last: int) -> None:
    for symbol in symbols:
        assert first <= symbol.start_line <= symbol.end_line <= last
        assert list(symbol.cuts) == sorted({*symbol.cuts})
        assert all(symbol.start_line < cut <= symbol.end_line for cut in symbol.cuts)
        assert_well_formed(symbol.children, first=symbol.start_line, last=symbol.end_line)
        first = symbol.end_line
