"""What the outline of a Java file holds."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from ragduck.model import Document, Outline, Symbol
from ragduck.parse.java import outline


def outline_of(source: str, *, path: str = "src/Order.java") -> Outline:
    text = dedent(source).lstrip("\n")
    return outline(Document(path, text, "java", "java", "source", len(text), 0))


def walk(symbols: tuple[Symbol, ...]) -> Iterator[Symbol]:
    for symbol in symbols:
        yield symbol
        yield from walk(symbol.children)


def rows(source: str, *, path: str = "src/Order.java") -> list[tuple[str, str, int, int]]:
    symbols = walk(outline_of(source, path=path).symbols)
    return [(s.element_type, s.qualified_name, s.start_line, s.end_line) for s in symbols]


def test_package_types_and_members_are_found() -> None:
    found = rows("""
        package shop.billing;

        import java.util.List;

        /** An invoice. */
        @Entity
        public class Invoice<T> extends Base implements Doc {
            private int a, b;
            static final int LIMIT = 3;
            public Invoice() { }
            // near
            @Override
            public int total(int x) throws E { return 1; }
            static { setUp(); }
            interface Doc { int MAX = 1; void send(); }
            enum State { OPEN(1) { }, CLOSED; int code; int code() { return code; } }
            record Line(int amount) { Line { } }
            @interface Mark { int value() default 1; }
        }
        """)

    assert found == [
        ("class", "shop.billing.Invoice", 5, 19),
        ("field", "shop.billing.Invoice.a", 8, 8),
        ("constant", "shop.billing.Invoice.LIMIT", 9, 9),
        ("constructor", "shop.billing.Invoice.Invoice", 10, 10),
        ("method", "shop.billing.Invoice.total", 11, 13),
        ("interface", "shop.billing.Invoice.Doc", 15, 15),
        ("constant", "shop.billing.Invoice.Doc.MAX", 15, 15),
        ("method", "shop.billing.Invoice.Doc.send", 15, 15),
        ("enum", "shop.billing.Invoice.State", 16, 16),
        ("enum_member", "shop.billing.Invoice.State.OPEN", 16, 16),
        ("enum_member", "shop.billing.Invoice.State.CLOSED", 16, 16),
        ("field", "shop.billing.Invoice.State.code", 16, 16),
        ("method", "shop.billing.Invoice.State.code", 16, 16),
        ("record", "shop.billing.Invoice.Line", 17, 17),
        ("constructor", "shop.billing.Invoice.Line.Line", 17, 17),
        ("annotation", "shop.billing.Invoice.Mark", 18, 18),
        ("method", "shop.billing.Invoice.Mark.value", 18, 18),
    ]


def test_signature_leaves_out_annotations_and_body() -> None:
    found = outline_of("""
        @Service
        public final class A<T> implements B {
            @Override public <X> List<X> all(@NonNull X x) throws E { return null; }
            @Deprecated
            int old() { return 1; }
        }
        """)

    assert [symbol.signature for symbol in walk(found.symbols)] == [
        "public final class A<T> implements B",
        "public <X> List<X> all(@NonNull X x) throws E",
        "int old()",
    ]


def test_visibility_is_internal_to_the_package_by_default_and_public_in_interfaces() -> None:
    found = outline_of("class A { int a; private int b; protected int c; }\ninterface I { void m(); }\n")

    assert [(s.name, s.visibility) for s in walk(found.symbols)] == [
        ("A", "internal"),
        ("a", "internal"),
        ("b", "private"),
        ("c", "protected"),
        ("I", "internal"),
        ("m", "public"),
    ]


def test_long_methods_can_be_cut_at_statements() -> None:
    body = "".join(f"    step({n});\n" for n in range(30))

    method = outline_of("class A {\n  void m() {\n" + body + "  }\n}\n").symbols[0].children[0]

    assert method.cuts == tuple(range(3, 33))


def test_hostile_nesting_is_survived() -> None:
    for source in ("{" * 10_000 + "}" * 10_000, "f(" * 20_000, "x=>" * 20_000, "a<" * 20_000):
        outline_of(source)


FRAGMENTS = st.sampled_from(
    [
        "class A {",
        "}",
        "(",
        ")",
        ";",
        "\n",
        "int x;",
        "void m() {",
        "package a.b;",
        "enum E {A,",
        "// c\n",
        "/* c\n*/",
        "@X ",
        "public ",
        "record R(int a) {",
        "interface I {",
        "ä",
        "<",
    ]
)


@given(st.one_of(st.text(), st.lists(FRAGMENTS).map("".join)))
def test_java_symbols_nest_and_do_not_overlap_whatever_the_text(text: str) -> None:
    found = outline(Document("src/Order.java", text, "java", "java", "source", len(text), 0))

    assert_well_formed(found.symbols, first=1, last=text.count("\n") + 1)


def assert_well_formed(symbols: tuple[Symbol, ...], *, first: int, last: int) -> None:
    for symbol in symbols:
        assert first <= symbol.start_line <= symbol.end_line <= last
        assert list(symbol.cuts) == sorted({*symbol.cuts})
        assert all(symbol.start_line < cut <= symbol.end_line for cut in symbol.cuts)
        assert_well_formed(symbol.children, first=symbol.start_line, last=symbol.end_line)
        first = symbol.end_line
