"""String expressions are evaluated through constants, constructors and base classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import (
    Argument,
    Call,
    Choice,
    Expression,
    FileFacts,
    Joined,
    Member,
    Name,
    NameOf,
    Text,
    TypeOf,
    Unknown,
)
from ragduck.graph.inline_sql.strings import MAX_LENGTH, MAX_VALUES, StringEvaluator
from ragduck.graph.types.catalog import Catalog

HOLE = "\ufffc"
FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Texts = Callable[..., tuple[str, ...]]
NAME = Joined((Text("["), Name("Schema"), Text("].["), Name("Table"), Text("_Read]")))

BASE = """
    namespace Shop;
    public abstract class Repository<T, TId>
    {
        protected Repository(string connection, string? schema = null, string? table = null)
        {
            if (!string.IsNullOrWhiteSpace(table)) { Table = table; }
            if (schema != null) { this.Schema = schema; }
        }
        protected string Schema { get; private set; } = "dbo";
        protected string Table { get; private set; } = typeof(T).Name;
    }
    public class User { }
"""
PRIMARY = """
    namespace Shop;
    public static class Schemas { public const string Default = "dbo"; public const string Sales = "sales"; }
    public abstract class Repository<T>(object connection, string schema = Schemas.Default, string? table = null)
    {
        protected string Schema { get; } = schema;
        protected string Table { get; } = table ?? typeof(T).Name;
    }
    public class Order { }
"""


@pytest.fixture
def texts(facts_of: FactsOf) -> Texts:
    """Evaluate an expression in a C# type, in the name of another one if given."""

    def evaluate(code: str, expression: Expression, *, at: str, binding: str = "") -> tuple[str, ...]:
        catalog = Catalog(facts_of({"Shop/A.cs": code}))
        found = StringEvaluator(catalog).evaluate(
            expression,
            file=catalog.files["Shop/A.cs"],
            source=f"csharp:{at}",
            binding=catalog.types.get(f"csharp:{binding}|TYPE"),
        )
        return found.texts

    return evaluate


def test_a_literal_is_itself(texts: Texts) -> None:
    assert texts("class A { }", Text("SELECT 1"), at="A|TYPE") == ("SELECT 1",)


def test_pieces_are_joined_and_unknown_ones_leave_a_mark(texts: Texts) -> None:
    expression = Joined((Text("SELECT "), Unknown(), Text(" FROM t")))

    assert texts("class A { }", expression, at="A|TYPE") == (f"SELECT {HOLE} FROM t",)


def test_nameof_and_typeof_are_names(texts: Texts) -> None:
    expression = Joined((NameOf("Shop.Order"), Text("_"), Member(TypeOf("Shop.Line"), "Name")))

    assert texts("class A { }", expression, at="A|TYPE") == ("Order_Line",)


def test_a_choice_gives_all_its_texts(texts: Texts) -> None:
    expression = Joined((Text("dbo."), Choice((Text("A"), Text("B")))))

    assert texts("class A { }", expression, at="A|TYPE") == ("dbo.A", "dbo.B")


@pytest.mark.parametrize(
    "declaration",
    [
        'const string Table = "Order";',
        'static readonly string Table = "Order";',
        'readonly string Table = "Order";',
        'string Table => "Order";',
        'string Table { get; } = "Order";',
        'string Table { get { return "Order"; } }',
        "string Table => nameof(Order);",
    ],
)
def test_an_own_member_is_what_it_holds(texts: Texts, declaration: str) -> None:
    assert texts(f"class A {{ {declaration} }}", Name("Table"), at="A|TYPE") == ("Order",)


def test_a_constant_of_another_type_is_found(texts: Texts) -> None:
    code = """
        using Shop.Sql;
        namespace Shop.Sql
        {
            static class Names { public const string Order = Prefix + "Order"; const string Prefix = "dbo."; }
        }
        namespace Shop { class A { } }
    """

    assert texts(code, Member(Name("Names"), "Order"), at="Shop.A|TYPE") == ("dbo.Order",)


def test_a_constant_of_an_outer_type_and_a_static_using_are_found(texts: Texts) -> None:
    code = """
        using static Shop.Names;
        namespace Shop;
        static class Names { public const string Schema = "sales"; }
        class A { const string Table = "Order"; class B { } }
    """

    assert texts(code, NAME, at="Shop.A.B|TYPE") == ("[sales].[Order_Read]",)


def test_an_enum_member_is_its_name(texts: Texts) -> None:
    code = "enum Kind { Invoice, Order } class A { }"

    assert texts(code, Member(Name("Kind"), "Order"), at="A|TYPE") == ("Order",)


def test_a_method_is_what_it_returns_for_its_arguments(texts: Texts) -> None:
    code = 'class A { static string Read(string table) => $"[dbo].[{table}_Read]"; }'
    call = Call(Name("Read"), (Argument(Text("Order")),))

    assert texts(code, call, at="A|TYPE") == ("[dbo].[Order_Read]",)


def test_a_type_parameter_is_unknown_in_its_own_class(texts: Texts) -> None:
    assert texts(BASE, NAME, at="Shop.Repository|TYPE") == (f"[dbo].[{HOLE}_Read]",)


def test_a_type_parameter_is_what_the_base_list_puts_in(texts: Texts) -> None:
    code = BASE + "public class Users(string c) : Repository<User, int>(c) { }"

    assert texts(code, NAME, at="Shop.Repository|TYPE", binding="Shop.Users") == ("[dbo].[User_Read]",)


def test_a_constructor_hands_names_to_its_base(texts: Texts) -> None:
    code = (
        BASE
        + 'public class Users : Repository<User, int> { public Users(string c) : base(c, "auth", "Account") { } }'
    )

    assert texts(code, NAME, at="Shop.Repository|TYPE", binding="Shop.Users") == ("[auth].[Account_Read]",)


def test_a_constructor_hands_names_on_over_several_levels(texts: Texts) -> None:
    code = (
        BASE
        + """
        public abstract class Audited<T> : Repository<T, int>
        {
            protected Audited(string c, string name) : base(c, table: name + "Log", schema: "audit") { }
        }
        public class Users : Audited<User>
        {
            public Users(string c) : this(c, 1) { }
            Users(string c, int i) : base(c, "User") { }
        }
    """
    )

    assert texts(code, NAME, at="Shop.Repository|TYPE", binding="Shop.Users") == ("[audit].[UserLog_Read]",)


def test_primary_constructors_have_defaults(texts: Texts) -> None:
    code = PRIMARY + "public class Orders(object c) : Repository<Order>(c) { }"

    assert texts(code, NAME, at="Shop.Repository|TYPE", binding="Shop.Orders") == ("[dbo].[Order_Read]",)


def test_primary_constructors_hand_arguments_on(texts: Texts) -> None:
    code = PRIMARY + 'public class Prices(object c) : Repository<Order>(c, Schemas.Sales, table: "Price") { }'

    assert texts(code, NAME, at="Shop.Repository|TYPE", binding="Shop.Prices") == ("[sales].[Price_Read]",)


def test_an_argument_that_is_not_known_leaves_a_mark(texts: Texts) -> None:
    code = PRIMARY + "public class Any(object c, string t) : Repository<Order>(c, Schemas.Sales, t) { }"

    assert texts(code, NAME, at="Shop.Repository|TYPE", binding="Shop.Any") == (f"[sales].[{HOLE}_Read]",)


def test_an_overriding_property_counts(texts: Texts) -> None:
    code = """
        abstract class Base { protected virtual string Schema => "dbo"; protected abstract string Table { get; } }
        class Orders : Base
        {
            protected override string Table => "Order";
            protected override string Schema { get; } = "sales";
        }
    """

    assert texts(code, NAME, at="Base|TYPE", binding="Orders") == ("[sales].[Order_Read]",)


def test_a_derived_constructor_sets_inherited_members(texts: Texts) -> None:
    code = """
        abstract class Base { protected string Schema = "dbo"; protected string Table; }
        class Orders : Base { public Orders() { Table = "Order"; } }
    """

    assert texts(code, NAME, at="Base|TYPE", binding="Orders") == ("[dbo].[Order_Read]",)


def test_get_type_is_the_concrete_class(texts: Texts) -> None:
    code = 'abstract class Base { string Sql => $"dbo.{GetType().Name}_Read"; } class Order : Base { }'

    assert texts(code, Name("Sql"), at="Base|TYPE", binding="Order") == ("dbo.Order_Read",)


def test_members_that_name_each_other_end(texts: Texts) -> None:
    code = 'class A { string X => Y + "x"; string Y => X + "y"; }'

    assert all(HOLE in text for text in texts(code, Name("X"), at="A|TYPE"))


def test_classes_that_inherit_each_other_end(texts: Texts) -> None:
    code = "class A : B { string Table; } class B : A { B(string t) : base(t) { } }"

    assert texts(code, Name("Table"), at="A|TYPE", binding="B") == (HOLE,)


def test_a_long_chain_of_constructors_ends(texts: Texts) -> None:
    code = "".join(
        f"class C{i}(string s = C{i + 1}.Table) {{ public string Table {{ get; }} = s; }}\n"
        for i in range(300)
    )

    assert texts(code, Name("Table"), at="C0|TYPE") == (HOLE,)


def test_a_long_chain_of_classes_ends(texts: Texts) -> None:
    classes = (f"class C{i} : C{i + 1} {{ C{i}(string t) : base(t) {{ }} }}" for i in range(300))
    code = "\n".join(classes) + "class C300 { string Table; C300(string t) { Table = t; } }"

    assert texts(code, Name("Table"), at="C300|TYPE", binding="C0") == (HOLE,)


def test_values_are_bounded_in_number(texts: Texts) -> None:
    choice = Choice(tuple(Text(letter) for letter in "abcdefgh"))

    assert len(texts("class A { }", Joined((choice, choice, choice)), at="A|TYPE")) <= MAX_VALUES


def test_values_are_bounded_in_length(texts: Texts) -> None:
    doubled = "".join(f"const string S{i} = S{i - 1} + S{i - 1};" for i in range(1, 18))
    code = f'class A {{ const string S0 = "0123456789"; {doubled} }}'

    assert all(len(text) <= MAX_LENGTH for text in texts(code, Name("S17"), at="A|TYPE"))
