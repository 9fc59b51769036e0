"""What the outline of a TypeScript or JavaScript file holds."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from ragduck.model import Document, Outline, Symbol
from ragduck.parse.typescript import outline


def outline_of(source: str, *, path: str = "src/shop/orders.ts") -> Outline:
    text = dedent(source).lstrip("\n")
    return outline(Document(path, text, "typescript", "typescript", "source", len(text), 0))


def walk(symbols: tuple[Symbol, ...]) -> Iterator[Symbol]:
    for symbol in symbols:
        yield symbol
        yield from walk(symbol.children)


def rows(source: str, *, path: str = "src/shop/orders.ts") -> list[tuple[str, str, int, int]]:
    symbols = walk(outline_of(source, path=path).symbols)
    return [(s.element_type, s.qualified_name, s.start_line, s.end_line) for s in symbols]


def test_classes_and_their_members_are_symbols() -> None:
    found = rows("""
        import { x } from "y";

        /** An order. */
        @Entity()
        export class Order<T> extends Base {
          #id = 1;
          // how many
          @Column() count: number = 0;
          constructor(private db: Db) { super(); }
          get total(): number { return 1; }
          @trace()
          async place(): Promise<void> { }
          onClick = () => { };
        }
        """)

    assert found == [
        ("class", "shop.orders.Order", 3, 14),
        ("field", "shop.orders.Order.#id", 6, 6),
        ("field", "shop.orders.Order.count", 7, 8),
        ("constructor", "shop.orders.Order.constructor", 9, 9),
        ("property", "shop.orders.Order.total", 10, 10),
        ("method", "shop.orders.Order.place", 11, 12),
        ("method", "shop.orders.Order.onClick", 13, 13),
    ]


def test_functions_types_and_constants_are_symbols() -> None:
    found = rows("""
        function a() { }
        export function* b() { }
        const c = async (x) => { };
        export const d = function () { };
        export const LIMITS = { a: 1 };
        interface E { f: string; g(): void }
        type H = string | number;
        enum I { J, K = 2 }
        const fs = require("fs");
        let counter = 0;
        """)

    assert [(kind, name.removeprefix("shop.orders.")) for kind, name, *_ in found] == [
        ("function", "a"),
        ("function", "b"),
        ("function", "c"),
        ("function", "d"),
        ("constant", "LIMITS"),
        ("interface", "E"),
        ("property", "E.f"),
        ("method", "E.g"),
        ("type_alias", "H"),
        ("enum", "I"),
        ("enum_member", "I.J"),
        ("enum_member", "I.K"),
    ]


def test_export_makes_public() -> None:
    found = outline_of("""
        export class A { private b = 1; protected c() { } d = 2; #e = 3 }
        function f() { }
        export default class { }
        """)

    assert [(s.name, s.visibility) for s in walk(found.symbols)] == [
        ("A", "public"),
        ("b", "private"),
        ("c", "protected"),
        ("d", "public"),
        ("#e", "private"),
        ("f", "internal"),
        ("default", "public"),
    ]


def test_namespaces_are_part_of_the_name() -> None:
    found = rows("namespace N.M { export function f() { } }\ndeclare module 'x' { class C { } }\n")

    assert [name for _, name, *_ in found] == ["shop.orders.N.M.f", "shop.orders.x.C"]


def test_commonjs_exports_are_symbols() -> None:
    found = rows(
        """
        exports.a = function () { };
        module.exports.b = () => 1;
        module.exports = {
          c, d() { },
          e: function () { },
          f: 3,
        };
        Order.prototype.place = function () { };
        """,
        path="lib/orders.js",
    )

    assert found == [
        ("function", "lib.orders.a", 1, 1),
        ("function", "lib.orders.b", 2, 2),
        ("function", "lib.orders.d", 4, 4),
        ("function", "lib.orders.e", 5, 5),
        ("function", "lib.orders.Order.place", 8, 8),
    ]


def test_path_qualifies_without_source_root_index_and_extension() -> None:
    assert rows("class A { }", path="src/shop/index.ts")[0][1] == "shop.A"
    assert rows("class A { }", path="web/order.service.ts")[0][1] == "web.order.service.A"
    assert rows("class A { }", path="types/shop.d.ts")[0][1] == "types.shop.A"


def test_tsx_is_read_as_such() -> None:
    found = outline_of("export const Row = (p: Props) => <tr><td>{p.x}</td></tr>;", path="a.tsx")

    assert [(s.qualified_name, s.signature) for s in found.symbols] == [
        ("a.Row", "export const Row = (p: Props)")
    ]
    assert found.problems == ()


def test_jsx_in_javascript_is_read() -> None:
    assert outline_of("function App() { return <a>x</a>; }", path="a.jsx").problems == ()


def test_long_objects_are_cut_at_their_entries() -> None:
    entries = "".join(f"  {{ id: {n} }},\n" for n in range(30))

    assert outline_of("const rows = [\n" + entries + "];\n").symbols[0].cuts == tuple(range(2, 32))


def test_hostile_nesting_is_survived() -> None:
    for source in ("(" * 10_000 + ")" * 10_000, "f(" * 20_000, "a=>" * 20_000, "a<" * 20_000, "`${" * 10_000):
        outline_of(source)


FRAGMENTS = st.sampled_from(
    [
        "function f() {",
        "class A {",
        "}",
        "(",
        ")",
        ";",
        "\n",
        "export ",
        "const f = () => 1",
        "module.exports = ",
        "{",
        "`",
        "${",
        "//c\n",
        "/*c\n*/",
        "@x ",
        "enum E {A,",
        "namespace N {",
        "declare ",
        "interface I {",
        "a: b",
        ",",
        "ä",
        "default ",
    ]
)


@given(st.one_of(st.text(), st.lists(FRAGMENTS).map("".join)))
def test_typescript_symbols_nest_and_do_not_overlap_whatever_the_text(text: str) -> None:
    found = outline(Document("src/shop/orders.ts", text, "typescript", "typescript", "source", len(text), 0))

    assert_well_formed(found.symbols, first=1, last=text.count("\n") + 1)


def assert_well_formed(symbols: tuple[Symbol, ...], *, first: int, last: int) -> None:
    for symbol in symbols:
        assert first <= symbol.start_line <= symbol.end_line <= last
        assert list(symbol.cuts) == sorted({*symbol.cuts})
        assert all(symbol.start_line < cut <= symbol.end_line for cut in symbol.cuts)
        assert_well_formed(symbol.children, first=symbol.start_line, last=symbol.end_line)
        first = symbol.end_line
