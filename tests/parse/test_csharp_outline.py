"""What the outline of a C# file holds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.model import Document, Outline, Symbol
from ragduck.parse.csharp import outline
from ragduck.parse.csharp_extensions import readable_extensions


def outline_of(source: str) -> Outline:
    text = dedent(source).lstrip("\n")
    return outline(Document("Shop/A.cs", text, "csharp", "cs", "source", len(text), 0))


def walk(symbols: tuple[Symbol, ...]) -> Iterator[Symbol]:
    for symbol in symbols:
        yield symbol
        yield from walk(symbol.children)


def rows(source: str) -> list[tuple[str, str, int, int]]:
    symbols = walk(outline_of(source).symbols)
    return [(s.element_type, s.qualified_name, s.start_line, s.end_line) for s in symbols]


def only(source: str) -> Symbol:
    """Return the innermost first symbol."""
    return list(walk(outline_of(source).symbols))[-1]


def member(source: str) -> Symbol:
    return only(f"class A {{\n{source}\n}}")


def test_file_scoped_namespace_qualifies_what_follows() -> None:
    found = rows("""
        using System;
        namespace Shop.Billing;

        public class Invoice
        {
            public decimal Total() => 1;
        }
        """)

    assert found == [
        ("class", "Shop.Billing.Invoice", 4, 7),
        ("method", "Shop.Billing.Invoice.Total", 6, 6),
    ]


def test_nested_namespaces_add_up_and_end_with_their_block() -> None:
    found = rows("""
        namespace A.B
        {
            namespace C { class X { } }
            class Y { }
        }
        class Z { }
        """)

    assert found == [("class", "A.B.C.X", 3, 3), ("class", "A.B.Y", 4, 4), ("class", "Z", 6, 6)]


def test_every_kind_of_type_is_a_symbol() -> None:
    found = outline_of("""
        class A { }
        struct B { }
        interface C { }
        enum D { }
        record E(int X);
        record struct F(int X);
        delegate void G(int x);
        """)

    facts = [(s.name, s.element_type, s.member_kind, s.kind) for s in found.symbols]
    assert facts == [
        ("A", "class", "Class", "TYPE"),
        ("B", "struct", "Struct", "TYPE"),
        ("C", "interface", "Interface", "TYPE"),
        ("D", "enum", "Enum", "TYPE"),
        ("E", "record", "Record", "TYPE"),
        ("F", "record", "Record", "TYPE"),
        ("G", "delegate", "Delegate", "TYPE"),
    ]


def test_every_kind_of_member_is_a_symbol() -> None:
    found = outline_of("""
        class A
        {
            int a, b;
            const int K = 1;
            event Action Changed;
            event Action Other { add { } remove { } }
            A() { }
            ~A() { }
            void M<T>() { }
            int P { get; set; }
            int this[int i] => i;
            public static A operator +(A x, A y) => x;
            public static implicit operator decimal(A x) => 1;
        }
        """)

    facts = [(s.name, s.element_type, s.member_kind, s.kind) for s in found.symbols[0].children]
    assert facts == [
        ("a", "field", "Field", "FIELD"),
        ("K", "constant", "Constant", "FIELD"),
        ("Changed", "event", "Event", "FIELD"),
        ("Other", "event", "Event", "FIELD"),
        ("A", "constructor", "Constructor", "METHOD"),
        ("~A", "destructor", "Destructor", "METHOD"),
        ("M", "method", "Method", "METHOD"),
        ("P", "property", "Property", "PROPERTY"),
        ("this[]", "indexer", "Indexer", "PROPERTY"),
        ("operator +", "operator", "Operator", "METHOD"),
        ("implicit operator decimal", "operator", "Operator", "METHOD"),
    ]


def test_enum_members_are_children() -> None:
    found = rows("""
        enum Status
        {
            /// <summary>Not sent.</summary>
            Draft = 1,
            [Obsolete]
            Sent,
        }
        """)

    assert found == [
        ("enum", "Status", 1, 7),
        ("enum_member", "Status.Draft", 3, 4),
        ("enum_member", "Status.Sent", 5, 6),
    ]


def test_nested_types_are_children_and_generic_arity_is_no_part_of_the_name() -> None:
    found = rows("""
        namespace N;
        class Outer<T> where T : class
        {
            struct Inner<U> { U Value; }
        }
        """)

    assert [name for _, name, *_ in found] == ["N.Outer", "N.Outer.Inner", "N.Outer.Inner.Value"]


def test_explicit_interface_implementation_carries_the_interface() -> None:
    symbol = member("int IMap<string, List<int>>.Count => 1;")

    assert (symbol.name, symbol.qualified_name) == ("IMap.Count", "A.IMap.Count")
    assert symbol.visibility == "private"


def test_doc_comments_and_attributes_belong_to_the_symbol() -> None:
    found = rows("""
        class A
        {
            int x; // trailing

            // far away

            /// <summary>Place.</summary>
            // near
            [HttpPost]
            [Authorize]
            void Place() { }
            // above Next
            void Next() { }
        }
        """)

    assert found[1:] == [("field", "A.x", 3, 3), ("method", "A.Place", 7, 11), ("method", "A.Next", 12, 13)]


def test_signature_leaves_out_attributes_body_and_comments() -> None:
    symbol = member("""
        [HttpPost("x")]
        public async Task<Invoice> CreateAsync(int customerId, // who
            string url = "http://x", CancellationToken ct = default) /* yes */
        {
            return null;
        }
        """)

    assert symbol.signature == (
        'public async Task<Invoice> CreateAsync(int customerId, string url = "http://x", '
        "CancellationToken ct = default)"
    )


def test_signature_of_a_type_has_primary_constructor_and_bases() -> None:
    found = outline_of("public class InvoiceService(IDb db)\n    : IInvoiceService, IDisposable\n{\n}\n")

    assert found.symbols[0].signature == "public class InvoiceService(IDb db) : IInvoiceService, IDisposable"


def test_signature_of_an_expression_body_stops_at_the_arrow() -> None:
    assert member("public int Twice(int x) => 2 * x;").signature == "public int Twice(int x)"


def test_signature_is_at_most_300_characters() -> None:
    parameters = ", ".join(f"int parameter{n}" for n in range(100))

    assert len(member(f"void M({parameters}) {{ }}").signature) == 300


def test_visibility_is_what_is_written() -> None:
    assert member("protected internal int X;").visibility == "protected internal"
    assert member("private protected int X;").visibility == "private protected"
    assert member("public int X;").visibility == "public"


def test_visibility_defaults_are_those_of_the_language() -> None:
    symbols = walk(
        outline_of("class A { int x; class B { } }\ninterface I { void M(); }\nenum E { V }").symbols
    )

    assert [(s.qualified_name, s.visibility) for s in symbols] == [
        ("A", "internal"),
        ("A.x", "private"),
        ("A.B", "private"),
        ("I", "internal"),
        ("I.M", "public"),
        ("E", "internal"),
        ("E.V", "public"),
    ]


def test_conditional_members_of_all_branches_are_found() -> None:
    found = rows("""
        class A
        {
        #if NET
            int x;
        #elif OLD
            int y;
        #else
            void M() { }
        #endif
        #region z
            int z;
        #endregion
        }
        """)

    assert [name for _, name, *_ in found] == ["A", "A.x", "A.y", "A.M", "A.z"]


def test_conditional_enum_members_are_found() -> None:
    source = """
        enum E
        {
            A,
        #if X
            B,
        #else
            C,
        #endif
            D
        }
        """

    assert [name for _, name, *_ in rows(source)] == ["E", "E.A", "E.B", "E.C", "E.D"]
    assert outline_of(source).problems == ()


def test_directives_that_tear_a_member_apart_cost_only_their_other_branch() -> None:
    source = """
        class A
        {
        #if NET
            void New()
            {
        #else
            void Old()
            {
        #endif
                Work();
            }
            void Next() { }
        }
        """

    assert rows(source) == [("class", "A", 1, 13), ("method", "A.New", 4, 11), ("method", "A.Next", 12, 12)]


def test_conditional_types_are_found() -> None:
    assert rows("#if X\nclass A { }\n#else\nclass B { }\n#endif\n") == [
        ("class", "A", 2, 2),
        ("class", "B", 4, 4),
    ]


def test_local_functions_stay_inside_their_method() -> None:
    found = rows(
        "class A\n{\n    int M()\n    {\n        int Local() => 1;\n        return Local();\n    }\n}\n"
    )

    assert found == [("class", "A", 1, 8), ("method", "A.M", 3, 7)]


def test_local_functions_among_top_level_statements_are_symbols() -> None:
    found = rows("""
        using System;
        Console.WriteLine(Add(1));
        int Add(int x) => x + 1;
        partial class Program { }
        """)

    assert found == [("function", "Add", 3, 3), ("class", "Program", 4, 4)]


def test_extension_blocks_are_looked_through() -> None:
    found = rows("""
        static class E
        {
            extension(string text)
            {
                public int Twice() => 2;
            }
        }
        """)

    assert found == [("class", "E", 1, 7), ("method", "E.Twice", 5, 5)]


@pytest.mark.parametrize(
    "head",
    [
        "extension(Price)",
        "extension(Map<string, int>)",
        "extension<T>(IEnumerable<T> items)",
        "extension<TKey, TValue>(IDictionary<TKey, TValue> map) where TKey : notnull, IComparable<TKey>",
        "extension<T>(List<T>) where T : new()",
        "extension<T>([NotNullWhen(false)] List<T>? items)",
    ],
)
def test_extension_blocks_of_any_kind_break_nothing(head: str) -> None:
    found = rows(f"""
        namespace Shop
        {{
            static class E
            {{
                {head}
                {{
                    public int Twice() => 2;
                }}
                static void After() {{ }}
            }}
            class Next;
        }}
        """)

    assert found == [
        ("class", "Shop.E", 3, 10),
        ("method", "Shop.E.Twice", 7, 7),
        ("method", "Shop.E.After", 9, 9),
        ("class", "Shop.Next", 11, 11),
    ]


def test_much_white_space_after_a_word_takes_no_time() -> None:
    began = time.monotonic()

    outline_of("class A {\n} } extension" + " " * 200_000)

    assert time.monotonic() - began < 10  # it took minutes where each space was tried with every other


@pytest.mark.parametrize(
    "statement",
    [
        "if (async) { await Save(); } else { Save(); }",
        "return async ? Load(id, async: true) : Load(id, async);",
        "Run(partial => partial.Id, required = false);",
        "keys = [property]; Add([type, name]); order[field] = 1;",
        "values?[at - 1] = value; order?.Customer.Name = name; order?.Lines[0].Count += 2;",
        'return $"{{{string.Join(", ", names)}}}";',
    ],
)
def test_words_that_are_keywords_elsewhere_can_be_names(statement: str) -> None:
    outline = outline_of(
        f"class A {{\n async Task Go(bool async) {{\n{statement}\n}}\n void Rest() {{ }}\n}}"
    )

    assert outline.problems == ()
    assert [s.name for s in walk(outline.symbols)] == ["A", "Go", "Rest"]
    assert [s.signature for s in walk(outline.symbols)][1] == "async Task Go(bool async)"


def test_a_directive_may_be_the_end_of_a_file() -> None:
    text = "#region All\nclass A { }\n#endregion"

    assert outline(Document("Shop/A.cs", text, "csharp", "cs", "source", len(text), 0)).problems == ()


@pytest.mark.parametrize(
    "directive",
    [
        "#region application/*",
        "  # region text/* and image/*",
        "#endregion /*",
        "#warning no /* yet",
        "#error don't /*",
        "#pragma warning disable 612 /*",
        r"#region C:\temp\\"[:-1],
    ],
)
def test_the_text_of_a_directive_begins_no_comment_and_no_further_line(directive: str) -> None:
    source = f"class A\n{{\n{directive}\n    int b;\n    /* c */\n    int c;\n#endregion\n}}\n"

    outline = outline_of(source)

    assert outline.problems == ()
    assert [(s.name, s.end_line) for s in walk(outline.symbols)] == [("A", 8), ("b", 4), ("c", 6)]


def test_identifiers_may_have_umlauts() -> None:
    symbol = only("namespace Ä; class Größe { /* ü */ public int Zähler(string ö) => 1; }")

    assert symbol.qualified_name == "Ä.Größe.Zähler"
    assert symbol.signature == "public int Zähler(string ö)"


def test_verbatim_identifiers_lose_their_sign() -> None:
    assert member("int @class;").name == "class"


def test_long_methods_can_be_cut_at_statements_with_the_comments_above_them() -> None:
    statements = "".join(f"        // step {n}\n        Do({n});\n" for n in range(15))

    symbol = only(f"class A\n{{\n    void M()\n    {{\n{statements}    }}\n}}\n")

    assert symbol.cuts == tuple(range(5, 35, 2))


def test_a_long_statement_is_cut_inside() -> None:
    inner = "".join(f"            Do({n});\n" for n in range(40))

    symbol = only(
        f"class A\n{{\n    void M()\n    {{\n        if (x)\n        {{\n{inner}        }}\n    }}\n}}\n"
    )

    assert symbol.cuts == (5, *range(7, 47))


def test_a_long_initialiser_is_cut_at_its_elements() -> None:
    elements = "".join(f"        {{ {n}, 1 }},\n" for n in range(30))

    symbol = only(f"class A\n{{\n    int[,] x = new[,]\n    {{\n{elements}    }};\n}}\n")

    assert symbol.cuts == tuple(range(5, 35))


def test_short_symbols_have_no_cuts() -> None:
    assert member("void M() { A(); B(); }").cuts == ()


def test_broken_code_is_reported_and_the_rest_is_kept() -> None:
    found = outline_of("class A\n{\n    void M( { }\n    void N() { }\n}\n")

    assert [problem.path for problem in found.problems] == ["Shop/A.cs"]
    assert "N" in [symbol.name for symbol in walk(found.symbols)]


def test_hostile_nesting_is_survived() -> None:
    deep = 10_000
    for source in (
        "class A{" * deep,
        "x=" + "(" * deep + ")" * deep,
        "{" * deep + "}" * deep,
        "a<" * deep * 5,
    ):
        outline_of(source)


def test_types_are_followed_to_a_sane_depth_only() -> None:
    assert len(list(walk(outline_of("class A{" * 500 + "}" * 500).symbols))) == 41


FRAGMENTS = st.sampled_from(
    [
        "class A",
        "{",
        "}",
        "(",
        ")",
        ";",
        "\n",
        "int x;",
        "void M()",
        "=>",
        "#if X\n",
        "#else\n",
        "#endif\n",
        "namespace N",
        "enum E",
        "A,",
        "// c\n",
        "/* c\n*/",
        "[X]",
        '"s"',
        '@"v"',
        '$"{x}"',
        "public ",
        "record R(int a)",
        '"""',
        "'",
        "ä",
        "<",
        ">",
        "operator +",
        "this[int i]",
    ]
)


@given(st.one_of(st.text(), st.lists(FRAGMENTS).map("".join)))
def test_symbols_nest_and_do_not_overlap_whatever_the_text(text: str) -> None:
    found = outline(Document("a.cs", text, "csharp", "cs", "source", len(text), 0))

    assert_well_formed(found.symbols, first=1, last=text.count("\n") + 1)


def assert_well_formed(symbols: tuple[Symbol, ...], *, first: int, last: int) -> None:
    for symbol in symbols:
        assert first <= symbol.start_line <= symbol.end_line <= last
        assert list(symbol.cuts) == sorted({*symbol.cuts})
        assert all(symbol.start_line < cut <= symbol.end_line for cut in symbol.cuts)
        assert_well_formed(symbol.children, first=symbol.start_line, last=symbol.end_line)
        first = symbol.end_line


def test_a_type_parameter_of_an_extension_block_that_is_written_twice_is_one() -> None:
    head = f"extension<{'T, ' * 120}T>(List<T> items) where T : {'IOrder, ' * 50}class {{".encode()

    assert len(readable_extensions(head)) < 3 * len(head)


def test_a_semicolon_too_many_is_no_problem() -> None:
    source = "namespace A { enum E { B } ; class C { struct S { }; void M() { }; } ; class D { } }"

    assert outline_of(source).problems == ()
    assert outline_of(source.replace("void M() { };", "void M() { }; void (")).problems != ()
