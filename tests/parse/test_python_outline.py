"""What the outline of a Python file holds."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from ragduck.model import Document, Outline, Symbol
from ragduck.parse.python import outline


def outline_of(source: str, *, path: str = "src/shop/orders.py") -> Outline:
    text = dedent(source).lstrip("\n")
    return outline(Document(path, text, "python", "python", "source", len(text), 0))


def walk(symbols: tuple[Symbol, ...]) -> Iterator[Symbol]:
    for symbol in symbols:
        yield symbol
        yield from walk(symbol.children)


def rows(source: str, *, path: str = "src/shop/orders.py") -> list[tuple[str, str, int, int]]:
    symbols = walk(outline_of(source, path=path).symbols)
    return [(s.element_type, s.qualified_name, s.start_line, s.end_line) for s in symbols]


def test_functions_and_classes_are_qualified_by_the_module() -> None:
    found = rows("""
        import os

        class Order(Base):
            \"\"\"An order.\"\"\"
            lines: list[int] = []
            LIMIT = 3

            def __init__(self):
                self.x = 1

            @property
            def total(self) -> int:
                return 1

        async def place(order):
            def inner():
                pass
        """)

    assert found == [
        ("class", "shop.orders.Order", 3, 13),
        ("field", "shop.orders.Order.lines", 5, 5),
        ("constant", "shop.orders.Order.LIMIT", 6, 6),
        ("constructor", "shop.orders.Order.__init__", 8, 9),
        ("property", "shop.orders.Order.total", 11, 13),
        ("function", "shop.orders.place", 15, 17),
    ]


def test_package_name_stands_for_its_init_file() -> None:
    assert rows("def f(): pass", path="lib/shop/__init__.py") == [("function", "shop.f", 1, 1)]


def test_conditional_definitions_are_found() -> None:
    found = rows("""
        if TYPE_CHECKING:
            class A: pass
        try:
            def f(): pass
        except ImportError:
            def g(): pass
        else:
            with x:
                def h(): pass
        """)

    assert [name for _, name, *_ in found] == ["shop.orders." + name for name in "Afgh"]


def test_decorators_and_comments_directly_above_belong_to_the_symbol() -> None:
    found = rows("""
        def f():
            pass
            # last words of f
        # before g
        @cache
        @trace("x")
        def g():
            pass
        """)

    assert found == [("function", "shop.orders.f", 1, 3), ("function", "shop.orders.g", 4, 8)]


def test_module_constants_and_type_aliases_are_symbols_and_other_variables_are_not() -> None:
    assert rows("LIMIT: Final = 3\nlogger = get()\ntype Names = list[str]\n") == [
        ("constant", "shop.orders.LIMIT", 1, 1),
        ("type_alias", "shop.orders.Names", 3, 3),
    ]


def test_signature_is_the_header_without_comments() -> None:
    found = outline_of("""
        def f(
            a: int,  # the first
            b: str = "#",
        ) -> dict[str, int]:  # done
            pass
        """)

    assert found.symbols[0].signature == 'def f( a: int, b: str = "#", ) -> dict[str, int]'


def test_a_leading_underscore_makes_private() -> None:
    found = outline_of(
        "def _a(): pass\ndef b(): pass\nclass C:\n    def __eq__(self, o): pass\n    def __d(self): pass\n"
    )

    assert [(s.name, s.visibility) for s in walk(found.symbols)] == [
        ("_a", "private"),
        ("b", "public"),
        ("C", "public"),
        ("__eq__", "public"),
        ("__d", "private"),
    ]


def test_long_functions_can_be_cut_at_statements() -> None:
    body = "".join(f"    step({n})\n" for n in range(30))

    assert outline_of("@x\ndef f():\n" + body).symbols[0].cuts == tuple(range(3, 33))


def test_hostile_nesting_is_survived() -> None:
    for source in ("(" * 10_000 + ")" * 10_000, "f(" * 20_000, "x = " + "not " * 10_000, "if x: " * 5_000):
        outline_of(source)


FRAGMENTS = st.sampled_from(
    [
        "def f():",
        "class A:",
        "\n",
        "    ",
        "pass",
        "@x",
        "(",
        ")",
        "if x:",
        "try:",
        "else:",
        "# c",
        '"""',
        "x = 1",
        "ä",
        "[",
        "type A = int",
        "async ",
        "\t",
    ]
)


@given(st.one_of(st.text(), st.lists(FRAGMENTS).map("".join)))
def test_python_symbols_nest_and_do_not_overlap_whatever_the_text(text: str) -> None:
    found = outline(Document("src/shop/orders.py", text, "python", "python", "source", len(text), 0))

    assert_well_formed(found.symbols, first=1, last=text.count("\n") + 1)


def assert_well_formed(symbols: tuple[Symbol, ...], *, first: int, last: int) -> None:
    for symbol in symbols:
        assert first <= symbol.start_line <= symbol.end_line <= last
        assert list(symbol.cuts) == sorted({*symbol.cuts})
        assert all(symbol.start_line < cut <= symbol.end_line for cut in symbol.cuts)
        assert_well_formed(symbol.children, first=symbol.start_line, last=symbol.end_line)
        first = symbol.end_line
