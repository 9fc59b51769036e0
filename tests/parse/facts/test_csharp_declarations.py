"""What the facts of a C# file say about its types, members and usings."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ragduck.facts import (
    EXTENSION,
    UNKNOWN,
    Argument,
    Assignment,
    Attribute,
    Call,
    Choice,
    FileFacts,
    Import,
    Joined,
    Member,
    MemberFact,
    Name,
    NameOf,
    New,
    Parameter,
    Text,
    Typed,
    TypeFact,
    TypeOf,
)
from ragduck.model import Document, Outline
from ragduck.parse.csharp import outline


def outline_of(source: str) -> Outline:
    text = dedent(source).lstrip("\n")
    return outline(Document("Shop/A.cs", text, "csharp", "cs", "source", len(text), 0, project="Shop"))


def facts_of(source: str) -> FileFacts:
    facts = outline_of(source).facts

    assert facts is not None
    return facts


def type_of(source: str) -> TypeFact:
    return facts_of(source).types[-1]


def member_of(source: str) -> MemberFact:
    return facts_of(f"class A {{\n{source}\n}}").members[-1]


def keys_of(source: str) -> list[str]:
    facts = facts_of(source)
    return [fact.key for fact in (*facts.types, *facts.members)]


def test_facts_name_the_file_they_are_of() -> None:
    facts = facts_of("class A { }\n")

    assert facts[:5] == ("Shop/A.cs", "csharp", "source", "Shop", 1)


def test_a_type_tells_its_place_and_lines_below_its_attributes() -> None:
    found = type_of("""
        namespace Shop.Data;

        /// <summary>Orders.</summary>
        [Serializable]
        public sealed class Repository<T> : Base<T>, IRepository where T : class, IEntity
        {
        }
        """)

    assert found == TypeFact(
        key="csharp:Shop.Data.Repository|TYPE",
        name="Repository",
        qualified_name="Shop.Data.Repository",
        scope="Shop.Data",
        element_type="class",
        line=5,
        end_line=7,
        bases=("Base<T>", "IRepository"),
        type_parameters=("T",),
        attributes=(Attribute("Serializable"),),
        modifiers=frozenset({"public", "sealed"}),
        constraints=(Parameter("T", "class"), Parameter("T", "IEntity")),
    )


def test_a_nested_type_knows_the_type_around_it() -> None:
    found = type_of("namespace N { partial class A { partial struct B { } } }")

    assert (found.key, found.scope, found.owner) == ("csharp:N.A.B|TYPE", "N.A", "csharp:N.A|TYPE")


def test_each_part_of_a_partial_class_is_a_fact() -> None:
    assert keys_of("partial class A { int x; }\npartial class A { int y; }") == [
        "csharp:A|TYPE",
        "csharp:A|TYPE",
        "csharp:A.x|FIELD",
        "csharp:A.y|FIELD",
    ]


def test_the_type_under_an_enum_is_no_base() -> None:
    assert type_of("enum Status : byte { Open }").bases == ()


def test_a_primary_constructor_has_parameters_and_hands_them_on() -> None:
    found = type_of('class A(IConnection c, string table = "Orders", int max = 3) : B(c, table: table) { }')

    assert found.parameters == (
        Parameter("c", "IConnection"),
        Parameter("table", "string", default=Text("Orders"), is_optional=True),
        Parameter("max", "int", is_optional=True),
    )
    assert found.base_arguments == (
        Argument(Typed("IConnection", "c")),
        Argument(Typed("string", "table"), "table"),
    )


def test_the_parameters_of_a_record_are_properties_too() -> None:
    facts = facts_of('record Line([property: Column("id")] int Id) : Item(Id);')

    assert facts.types[0].base_arguments == (Argument(Typed("int", "Id")),)
    assert facts.members == (
        MemberFact(
            key="csharp:Line.Id|PROPERTY",
            name="Id",
            owner="csharp:Line|TYPE",
            kind="PROPERTY",
            element_type="property",
            line=1,
            end_line=1,
            type="int",
            attributes=(Attribute("Column", (Argument(Text("id")),)),),
            visibility="public",
            value=Typed("int", "Id"),
        ),
    )


def test_a_class_with_a_primary_constructor_has_no_property_of_it() -> None:
    assert facts_of("class Line(int id);").members == ()


def test_keys_are_those_of_the_outline() -> None:
    source = """
        namespace N;
        interface I { int this[int i] { get; } event Action E; }
        class A : I
        {
            const int C = 1;
            int I.this[int i] => 1;
            event Action I.E { add { } remove { } }
            public static A operator +(A a, A b) => a;
            public static implicit operator int(A a) => 1;
            ~A() { }
            A() { }
            enum Kind { One }
            delegate void D();
            int @class;
        }
        static class X { extension(A a) { public int Twice() => 2; } }
        """

    assert sorted(keys_of(source)) == sorted(
        [
            "csharp:N.I|TYPE",
            "csharp:N.I.this[]|PROPERTY",
            "csharp:N.I.E|FIELD",
            "csharp:N.A|TYPE",
            "csharp:N.A.C|FIELD",
            "csharp:N.A.I.this[]|PROPERTY",
            "csharp:N.A.I.E|FIELD",
            "csharp:N.A.operator +|METHOD",
            "csharp:N.A.implicit operator int|METHOD",
            "csharp:N.A.~A|METHOD",
            "csharp:N.A.A|METHOD",
            "csharp:N.A.Kind|TYPE",
            "csharp:N.A.Kind.One|FIELD",
            "csharp:N.A.D|TYPE",
            "csharp:N.A.class|FIELD",
            "csharp:N.X|TYPE",
            "csharp:N.X.Twice|METHOD",
        ]
    )


def test_a_method_tells_its_signature() -> None:
    found = member_of("""
            [HttpPost("orders")]
            protected internal async Task<Order?> PlaceAsync<T>(
                this NewOrder order, [FromBody] T body, string name = Names.Default, params int[] ids) where T : IBody
            {
            }
        """)

    assert found == MemberFact(
        key="csharp:A.PlaceAsync|METHOD",
        name="PlaceAsync",
        owner="csharp:A|TYPE",
        kind="METHOD",
        element_type="method",
        line=4,
        end_line=7,
        type="Task<Order?>",
        parameters=(
            Parameter("order", "NewOrder", is_this=True),
            Parameter("body", "T"),
            Parameter("name", "string", default=Member(Name("Names"), "Default"), is_optional=True),
            Parameter("ids", "int[]", is_rest=True),
        ),
        type_parameters=("T",),
        attributes=(Attribute("HttpPost", (Argument(Text("orders")),)),),
        modifiers=frozenset({"protected", "internal", "async"}),
        visibility="protected internal",
        constraints=(Parameter("T", "IBody"),),
    )


def test_the_members_of_an_extension_block_extend_its_receiver() -> None:
    found = facts_of("static class E { extension(Order order) { public int Twice(int n) => n; } }").members[0]

    assert found.parameters == (Parameter("order", "Order", is_this=True), Parameter("n", "int"))


@pytest.mark.parametrize("receiver", ["Order", "Order order", "List<int>"])
def test_a_static_member_of_an_extension_block_says_so(receiver: str) -> None:
    text = (
        f"static class E {{ extension({receiver}) {{ public static int Twice(int n) => Order.Count(); }} }}"
    )

    facts = facts_of(text)

    extended = facts.members[0].parameters[0]
    assert EXTENSION in facts.members[0].modifiers
    assert (extended.type, extended.is_this) == (receiver.removesuffix(" order"), True)
    assert facts.statements.calls[0].call == Call(Member(Name("Order"), "Count"), ())


def test_an_attribute_of_a_receiver_is_no_type_parameter() -> None:
    head = "extension<T>(Map<T> rows) { public int All() => 1; } extension([param: NotNull] string text)"
    found = facts_of(f"static class E {{ {head} {{ public int Words() => 1; }} }}").members

    assert [one.type_parameters for one in found] == [("T",), ()]


def test_the_members_of_an_extension_block_have_its_type_parameters() -> None:
    head = "extension<T, TKey>(Map<TKey, T> rows) where T : IOrder<int, T>, new() where TKey : class"
    found = facts_of(f"static class E {{ {head} {{ public void Into<R>(Func<T, R> make) {{ }} }} }}").members[
        0
    ]

    assert found.type_parameters == ("T", "TKey", "R")
    assert found.constraints == (
        Parameter("T", "IOrder<int, T>"),
        Parameter("T", "new()"),
        Parameter("TKey", "class"),
    )
    assert found.parameters[0] == Parameter("rows", "Map<TKey, T>", is_this=True)


def test_every_variable_of_a_field_declaration_is_a_member() -> None:
    facts = facts_of('class A {\n    private readonly string a = "x",\n        b;\n}')

    rows = [(member.key, member.type, member.line, member.value) for member in facts.members]
    assert rows == [("csharp:A.a|FIELD", "string", 2, Text("x")), ("csharp:A.b|FIELD", "string", 3, UNKNOWN)]


def test_an_enum_member_holds_its_enum() -> None:
    found = facts_of("enum Status { [Display] Open = 1 }").members[0]

    assert (found.key, found.type, found.attributes) == (
        "csharp:Status.Open|FIELD",
        "Status",
        (Attribute("Display"),),
    )


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ('const string X = "a" + B;', Joined((Text("a"), Name("B")))),
        (
            "static readonly Table X = new Table(Names.Orders);",
            New("Table", (Argument(Member(Name("Names"), "Orders")),)),
        ),
        ("readonly Table x = new(1);", New("Table", (Argument(Typed("int")),))),
        ('string X { get; set; } = "EUR";', Text("EUR")),
        ("string X => nameof(Order);", NameOf("Order")),
        ("string X() => typeof(T).Name;", Member(TypeOf("T"), "Name")),
        ("string X { get { return Y; } }", Name("Y")),
        ('string X { get => $"[{Schema}].[X]"; }', Joined((Text("["), Name("Schema"), Text("].[X]")))),
        (
            "string X(string y) { /* see z */ return y ?? Z; }",
            Choice((Typed("string", "y"), Name("Z")), is_fallback=True),
        ),
        ("int X() { Run(); return y; }", UNKNOWN),
        ("DbSet<Order> Orders => Set<Order>();", UNKNOWN),
        ("int X => 1;", UNKNOWN),
    ],
)
def test_the_value_of_a_member_is_kept_where_it_is_simple(member: str, value: object) -> None:
    found = member_of(member).value

    assert found == value
    assert type(found) is type(value)


def test_a_constructor_tells_what_it_assigns_and_hands_on() -> None:
    found = member_of("""
            public A(string schema, string table = null) : base("x", name: schema)
            {
                Schema = schema;
                this._table = table ?? typeof(T).Name;
                var local = schema;
                local = table;
                other.Name = schema;
                (First, _second) = (schema, Names.Table);
                Run(() => { Late = schema; });
            }
        """)

    assert found.assignments == (
        Assignment("Schema", Typed("string", "schema")),
        Assignment(
            "_table",
            Choice((Typed("string", "table"), Member(TypeOf("T"), "Name")), is_fallback=True),
        ),
        Assignment("First", Typed("string", "schema")),
        Assignment("_second", Member(Name("Names"), "Table")),
    )
    assert (found.hands_to, found.handed_on) == (
        "base",
        (Argument(Text("x")), Argument(Typed("string", "schema"), "name")),
    )


def test_a_setter_assigns_its_value() -> None:
    found = member_of("string Name { get => _name; set { _name = value; } }")

    assert (found.value, found.assignments) == (
        Name("_name"),
        (Assignment("_name", Typed("string", "value")),),
    )


def test_a_method_assigns_nothing_that_counts() -> None:
    assert member_of("void M(string s) { Schema = s; }").assignments == ()


def test_attributes_have_positional_and_named_arguments_of_all_kinds() -> None:
    found = type_of("""
        [Table("Orders", Schema = Names.Sales), DbContext(typeof(Context))]
        [System.Obsolete]
        [MyAttribute(nameof(Order.Id), new[] { "a" })]
        class Order { }
        """)

    assert found.attributes == (
        Attribute("Table", (Argument(Text("Orders")), Argument(Member(Name("Names"), "Sales"), "Schema"))),
        Attribute("DbContext", (Argument(TypeOf("Context")),)),
        Attribute("System.Obsolete"),
        Attribute("My", (Argument(NameOf("Id")), Argument(New("[]", (Argument(Text("a")),))))),
    )


def test_usings_of_every_kind_are_imports() -> None:
    facts = facts_of("""
        global using System;
        using static System.Math;
        using Map = System.Collections.Generic.Dictionary<string, int>;
        namespace N { using Inner.Things; }
        """)

    assert facts.imports == (
        Import("System", is_global=True),
        Import("System.Math", is_static=True),
        Import("System.Collections.Generic.Dictionary<string, int>", alias="Map"),
        Import("Inner.Things", is_inner=True),
    )


@pytest.mark.parametrize(
    ("using", "expected"),
    [
        ("using global::Shop.Data;", Import("Shop.Data")),
        ("using static global::Shop.Data.Names;", Import("Shop.Data.Names", is_static=True)),
        ("using Order = global::Shop.Data.Order;", Import("Shop.Data.Order", alias="Order")),
    ],
)
def test_a_using_that_begins_at_the_global_namespace_names_what_follows(using: str, expected: Import) -> None:
    assert facts_of(using).imports == (expected,)


@pytest.mark.parametrize(
    "namespaces", ["namespace A { using Lib; namespace B { } }", "namespace A { using Lib; } namespace B { }"]
)
def test_a_using_in_one_of_several_namespaces_is_as_one_of_the_file(namespaces: str) -> None:
    assert facts_of(namespaces).imports == (Import("Lib"),)


def test_types_on_several_lines_are_written_on_one() -> None:
    assert member_of("Dictionary<string,\n    int> x;").type == "Dictionary<string, int>"


def test_broken_code_costs_the_broken_declaration_at_most() -> None:
    facts = facts_of("""
        class A
        {
            void First() { Run(1); }
            void Broken( { ) = ;;
            void Last() { Run(2); }
        }
        """)

    names = [member.name for member in facts.members]
    assert (names[0], names[-1]) == ("First", "Last")


def test_code_behind_directives_has_facts() -> None:
    assert "csharp:A.M|METHOD" in keys_of("#if NET\nclass A : B {\n#else\nclass A {\n#endif\n void M() { } }")


def test_deeply_nested_types_have_facts_as_far_as_they_have_symbols() -> None:
    facts = facts_of("class A { " * 60 + "}" * 60)

    assert len(facts.types) == 41
