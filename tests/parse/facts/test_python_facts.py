"""What the facts of a Python file say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.facts import Argument, Attribute, Expression, Parameter, Text, TypeFact
from ragduck.model import Document
from ragduck.parse.python import outline

ReadFacts = Callable[..., Any]
Write = Callable[[Expression], str]


@pytest.fixture(name="facts")
def facts_fixture(read: ReadFacts) -> ReadFacts:
    def reader(source: str, *, path: str = "src/shop/orders.py") -> Any:
        return read("python", source, path=path)

    return reader


# imports


def test_imports_have_their_full_names(facts: ReadFacts) -> None:
    found = facts(
        "import a.b as c, d.e\nfrom x.y import z as w, v\nfrom q import *\nfrom __future__ import annotations\n"
    )

    assert found.imports == [("a.b", "c"), ("d.e", ""), ("x.y.z", "w"), ("x.y.v", ""), ("q.*", "")]


@pytest.mark.parametrize(
    ("path", "line", "expected"),
    [
        ("src/shop/web/views.py", "from .forms import Form", "shop.web.forms.Form"),
        ("src/shop/web/views.py", "from ..data import Repo", "shop.data.Repo"),
        ("src/shop/web/views.py", "from . import forms", "shop.web.forms"),
        ("src/shop/web/views.py", "from ....far import x", "far.x"),
        ("src/shop/web/__init__.py", "from .forms import Form", "shop.web.forms.Form"),
        ("src/shop/web/__init__.py", "from ..data import Repo", "shop.data.Repo"),
        ("views.py", "from . import forms", "forms"),
    ],
)
def test_relative_imports_are_made_absolute(facts: ReadFacts, path: str, line: str, expected: str) -> None:
    assert facts(line, path=path).imports == [(expected, "")]


def test_imports_inside_of_functions_and_conditions_count(facts: ReadFacts) -> None:
    found = facts("if TYPE_CHECKING:\n    from a import B\ndef f():\n    import c\n")

    assert found.imports == [("a.B", ""), ("c", "")]


def test_the_module_is_named(facts: ReadFacts) -> None:
    assert facts("x = 1", path="src/shop/__init__.py").facts.module == "shop"


# types


def test_a_class_has_bases_type_parameters_and_decorators(facts: ReadFacts) -> None:
    found = facts("""
        @dataclass(frozen=True)
        @table("orders", schema="dbo")
        class Order(Base[Line], models.Model, metaclass=Meta):
            class Status(Enum): ...
        class Box[T: Order]: ...
        class Old(Generic[K, V]): ...
        """)

    assert found.facts.types[0] == TypeFact(
        key="python:shop.orders.Order|TYPE",
        name="Order",
        qualified_name="shop.orders.Order",
        scope="shop.orders",
        element_type="class",
        line=1,
        end_line=4,
        bases=("Base[Line]", "models.Model"),
        attributes=(
            Attribute("dataclass", found.facts.types[0].attributes[0].arguments),
            Attribute("table", (Argument(Text("orders")), Argument(Text("dbo"), "schema"))),
        ),
    )
    assert [(one.key, one.owner, one.bases, one.type_parameters) for one in found.facts.types[1:]] == [
        ("python:shop.orders.Order.Status|TYPE", "python:shop.orders.Order|TYPE", ("Enum",), ()),
        ("python:shop.orders.Box|TYPE", "", (), ("T",)),
        ("python:shop.orders.Old|TYPE", "", ("Generic[K, V]",), ("K", "V")),
    ]
    assert found.facts.types[2].constraints == (Parameter("T", "Order"),)


def test_classes_inside_of_functions_are_no_types(facts: ReadFacts) -> None:
    found = facts("def make():\n    class Inner(Base):\n        def f(self): self.x = go()\n")

    assert found.facts.types == ()
    assert [member[0] for member in found.members] == ["shop.orders.make|METHOD"]
    assert found.called == ["go()"]


# members


def test_members_have_types_visibility_and_modifiers(facts: ReadFacts) -> None:
    found = facts("""
        LIMIT: int = 3
        class Order:
            total: Decimal = 0
            _lines: list["Line"]
            @property
            def owner(self) -> Customer: ...
            @staticmethod
            def make(code: str) -> "Order": ...
            @abstractmethod
            async def save(self): ...
        def place() -> None: ...
        """)

    assert found.members == [
        ("shop.orders.LIMIT|FIELD", "int", "public", ""),
        ("shop.orders.Order.total|FIELD", "Decimal", "public", ""),
        ("shop.orders.Order._lines|FIELD", "list[Line]", "private", ""),
        ("shop.orders.Order.owner|PROPERTY", "Customer", "public", ""),
        ("shop.orders.Order.make|METHOD", "Order", "public", "static"),
        ("shop.orders.Order.save|METHOD", "", "public", "abstract async"),
        ("shop.orders.place|METHOD", "None", "public", ""),
    ]
    assert {member.owner for member in found.facts.members} == {"", "python:shop.orders.Order|TYPE"}


def test_parameters_are_read_without_self(facts: ReadFacts) -> None:
    found = facts("""
        class A:
            def f(self, a, b: B = None, *rest: int, key="x", **more): ...
            @staticmethod
            def g(a): ...
        """)

    assert found.facts.members[0].parameters == (
        Parameter("a", ""),
        Parameter("b", "B", is_optional=True),
        Parameter("rest", "int", is_rest=True),
        Parameter("key", "", default=Text("x"), is_optional=True),
        Parameter("more", "", is_rest=True),
    )
    assert found.facts.members[1].parameters == (Parameter("a", ""),)


def test_what_a_constructor_puts_into_its_object_becomes_fields(facts: ReadFacts, write: Write) -> None:
    found = facts("""
        class Service(Base):
            limit = 3
            def __init__(self, repo: Repo, name, *, size: int = 1):
                super().__init__(name, kind="x")
                self.repo = repo
                self._name = name
                self.cache: Cache[Order] = make()
                self.log = Logger("x")
                self.limit = 4
                self.a, self.b = repo, Logger()
            def later(self):
                self.late = Thing()
                other.field = 1
        """)

    assert [member[:3] for member in found.members] == [
        ("shop.orders.Service.limit|FIELD", "", "public"),
        ("shop.orders.Service.__init__|METHOD", "", "public"),
        ("shop.orders.Service.repo|FIELD", "Repo", "public"),
        ("shop.orders.Service._name|FIELD", "", "private"),
        ("shop.orders.Service.cache|FIELD", "Cache[Order]", "public"),
        ("shop.orders.Service.log|FIELD", "Logger", "public"),
        ("shop.orders.Service.a|FIELD", "Repo", "public"),
        ("shop.orders.Service.b|FIELD", "Logger", "public"),
        ("shop.orders.Service.later|METHOD", "", "public"),
        ("shop.orders.Service.late|FIELD", "Thing", "public"),
    ]
    made = found.facts.members[1]
    assert [(one.member, write(one.value)) for one in made.assignments] == [
        ("repo", "<repo: Repo>"),
        ("_name", "?"),
        ("cache", "<: Cache[Order]>"),
        ("log", "new Logger('x')"),
        ("limit", "?"),
        ("a", "<repo: Repo>"),
        ("b", "new Logger()"),
    ]
    assert made.hands_to == "base"
    assert [(one.name, write(one.value)) for one in made.handed_on] == [("", "?"), ("kind", "'x'")]


def test_values_of_fields_and_results_of_functions_are_kept(facts: ReadFacts, write: Write) -> None:
    found = facts("""
        TABLE = "orders"
        class Order:
            __tablename__ = "orders"
            @property
            def sql(self): return f"select {TABLE}"
            def make(self):
                if x: return Line()
                return None
        """)

    assert {member.name: write(member.value) for member in found.facts.members} == {
        "TABLE": "'orders'",
        "__tablename__": "'orders'",
        "sql": "'select ' + TABLE",
        "make": "new Line()",
    }


def test_variables_of_a_module_are_fields_if_their_type_is_told(facts: ReadFacts) -> None:
    found = facts("router = Router()\ncount = 3\nother: Thing = make()\ndef f():\n    local = Router()\n")

    assert [member[:2] for member in found.members] == [
        ("shop.orders.router|FIELD", "Router"),
        ("shop.orders.other|FIELD", "Thing"),
        ("shop.orders.f|METHOD", ""),
    ]


# calls


def test_calls_stand_in_the_innermost_symbol(facts: ReadFacts) -> None:
    found = facts("""
        start()
        class A:
            size = measure()
            def f(self):
                def inner():
                    go()
                return [
                    stop() for x in y
                ]
        """)

    assert found.calls == [
        ("src/shop/orders.py", "start()", 1),
        ("A.size", "measure()", 3),
        ("A.f", "go()", 6),
        ("A.f", "stop()", 8),
    ]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("self.repo.save(order)", ["this.repo.save(<order: Order>)"]),
        ("super().save()", ["base.save()"]),
        ("order.lines[0].price()", ["<order: Order>.lines[].price()"]),
        ("orders.find(1).total()", ["orders.find(?)", "orders.find(?).total()"]),
        ("(await orders.find(1)).total()", ["orders.find(?)", "(await orders.find(?)).total()"]),
        ("x = Line(); x.price()", ["<x: Line>.price()"]),
        ("x = models.Line(); x.price()", ["<x: models.Line>.price()"]),
        ("x = find(); x.price()", ["find()", "find().price()"]),
        ("x: Line = find(); x.price()", ["find()", "<x: Line>.price()"]),
        ("x = order if order else find(); x.a()", ["find()", "(<order: Order> | find()).a()"]),
        ("x = find() or order; x.a()", ["find()", "(find() ?? <order: Order>).a()"]),
        ("(x := find()).price(); x.a()", ["find()", "find().price()", "find().a()"]),
        ("cast(Line, order).price()", ["<: Line>.price()"]),
        ("call(a=order, *rest)", ["call(a=<order: Order>, ?)"]),
        ("call(lambda x: x.go(order), 'text')", ["call(=>, 'text')", "?.go(<order: Order>)"]),
        ("for x in orders: x.go()", ["orders[].go()"]),
        ("for a, b in orders: a.go()", ["?.go()"]),
        ("with open_it() as x: x.go()", ["open_it()", "open_it().go()"]),
        ("[x.go() for x in orders if x.ok()]", ["orders[].go()", "orders[].ok()"]),
        ("outer(inner(1))", ["inner(?)", "outer(inner(?))"]),
        ("parameter.go()", ["?.go()"]),
        ("len(order); str(1); isinstance(order, Order)", []),
        ("parameter.append(1); ', '.join(orders)", []),
        ("order.append(1)", ["<order: Order>.append(?)"]),
        ("unknown()()", ["unknown()"]),
    ],
)
def test_calls_know_their_receivers(facts: ReadFacts, code: str, expected: list[str]) -> None:
    found = facts(f"class A:\n  async def f(self, order: Order, parameter):\n    {code}\n")

    assert found.called == expected


def test_a_local_with_two_values_is_one_of_them(facts: ReadFacts) -> None:
    found = facts("def f():\n  if a:\n    x = Cat()\n  else:\n    x = Dog()\n  x.speak()\n")

    assert found.called == ["(<x: Cat> | <x: Dog>).speak()"]


def test_decorators_are_calls_of_what_they_decorate(facts: ReadFacts) -> None:
    found = facts("@app.route('/x')\n@login\n@property\ndef view(): ...\n")

    assert found.calls == [("view", "app.route('/x')", 1), ("view", "login()", 2)]


# accesses and uses


def test_accesses_are_member_chains_that_are_known(facts: ReadFacts) -> None:
    found = facts("""
        from shop import Status, settings
        class A:
            def f(self, order: Order, unknown):
                self.total = order.customer.name
                unknown.thing
                use(Status.OPEN, settings.DEBUG, self.items[0])
                order.lines[0].price += 1
                del order.note
        """)

    assert found.accesses == [
        ("A.f", "<order: Order>.customer.name", "read"),
        ("A.f", "this.total", "set"),
        ("A.f", "Status.OPEN", "read"),
        ("A.f", "settings.DEBUG", "read"),
        ("A.f", "this.items", "read"),
        ("A.f", "<order: Order>.lines[].price", "set"),
        ("A.f", "<order: Order>.note", "read"),
    ]


def test_bare_names_count_if_they_are_of_the_module_or_imported(facts: ReadFacts) -> None:
    found = facts("""
        from shop import callback, Order
        LIMIT = 3
        def f(local):
            use(LIMIT, callback, Order, f, local, missing)
        """)

    assert found.accesses == [("f", "LIMIT", "read"), ("f", "callback", "read"), ("f", "f", "read")]
    assert found.uses == [("f", "Order", "argument")]


def test_types_that_are_named_are_used(facts: ReadFacts) -> None:
    found = facts("""
        class A:
            lines: list["Line"]
            count: int
            def f(self, order: Order, n: int, x: "Optional[Box]" = None) -> Result:
                y: Thing = Made(1)
                try: ...
                except (Bad, errors.Worse) as error: error.show()
        """)

    assert found.uses == [
        ("A.lines", "list[Line]", "holds"),
        ("A.f", "Order", "parameter"),
        ("A.f", "Optional[Box]", "parameter"),
        ("A.f", "Result", "returns"),
        ("A.f", "Made", "new"),
        ("A.f", "Thing", "holds"),
        ("A.f", "Bad", "catch"),
        ("A.f", "errors.Worse", "catch"),
    ]
    assert found.called == ["<error: Bad>.show()"]


# strings


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('sql = "select 1 from x"', [("'select 1 from x'", "sql")]),
        ('sql = "select a " "from b"', [("'select a from b'", "sql")]),
        ("sql = f'select {a.b} from {{x}} {t!r:>3}'", [("'select ' + a.b + ' from {x} ' + t", "sql")]),
        ('sql = "select * from " + TABLE + " where x"', [("'select * from ' + TABLE + ' where x'", "sql")]),
        ('sql = "select %s from %s" % (a, TABLE)', [("'select ' + a + ' from ' + TABLE", "sql")]),
        ('sql = "select {} from {t}".format(a, t=TABLE)', [("'select ' + a + ' from ' + TABLE", "sql")]),
        (r'sql = "select\t\x41\u00e9\101 from \"x\""', [("'select\tAéA from \"x\"'", "sql")]),
        (r'sql = r"select \n"', [("'select \\n'", "sql")]),
        ('self.sql = "delete from x"', [("'delete from x'", "sql")]),
        ('return "select 1"', [("'select 1'", "")]),
        ('{"a": "select 1"}', [("'select 1'", "")]),
        ('run("select 1", 2)', [("'select 1'", "run()")]),
        ('db.execute("dbo.Order_Place")', [("'dbo.Order_Place'", "db.execute()")]),
        ('SqlQuery("a")', [("'a'", "new SqlQuery()()")]),
        ('log("hello")', []),
        ('"""select this doc string"""', []),
        ('b"select 1"', []),
    ],
)
def test_strings_that_may_be_sql_are_kept(
    facts: ReadFacts, code: str, expected: list[tuple[str, str]]
) -> None:
    found = facts(f"def f(self):\n    {code}\n")

    assert [string[1:] for string in found.strings] == expected


def test_locals_stand_for_their_strings(facts: ReadFacts) -> None:
    found = facts("""
        def f():
            sql = "select a"
            sql += " from b"
            cursor.execute(sql, 1)
        """)

    assert found.strings == [
        ("f", "'select a'", "sql"),
        ("f", "'select a from b'", "sql"),
        ("f", "'select a from b'", "cursor.execute()"),
    ]


def test_strings_have_lines(facts: ReadFacts) -> None:
    found = facts('x = """\nselect 1\n"""\n')

    assert [(fact.line, fact.end_line) for fact in found.facts.strings] == [(1, 3)]


# hostile input


SAMPLE = """
@app.route("/x", methods=["GET"])
class A(Base[T], metaclass=M):
    x: int = 3
    def __init__(self, a: "B" = None, *rest, **more) -> None:
        super().__init__(a)
        self.x, self.y = a, f"select {a.b!r} from {{x}}" "y" % (1, 2)
        with open(a) as f, (yield) as (g, h): pass
        try: pass
        except (C, d.E) as e: raise F from e
        return [x.y for x in (lambda p, q=1: p)(z) if await x or (n := 3)]
"""


@given(st.integers(0, len(SAMPLE)), st.integers(0, 40), st.text(max_size=8))
@settings(max_examples=150, deadline=None)
def test_mutilated_source_never_crashes(start: int, length: int, inserted: str) -> None:
    text = SAMPLE[:start] + inserted + SAMPLE[start + length :]

    facts = outline(Document("a.py", text, "python", "python", "source", len(text), 0)).facts

    assert facts is not None


@pytest.mark.parametrize(
    "text",
    [
        "x = a" + ".b()" * 5_000,
        "x = " + "a + " * 5_000 + "'select '",
        "x = " + "lambda: " * 300 + "y",
        "def f(a: A):\n" + "  a = g(a, a, a)\n" * 500,
        "def f(a: A):\n  s = 'select '\n" + "  s = f'{s}{s}'\n" * 500,
        "x = " + "[y for f(" * 200 + "a" + ").b in c]" * 200,
    ],
)
def test_long_and_deep_input_has_facts_of_bounded_depth(text: str) -> None:
    facts = outline(Document("a.py", text, "python", "python", "source", len(text), 0)).facts

    assert facts is not None
    assert max((depth_of(fact) for fact in (*facts.calls, *facts.strings)), default=0) < 250


def depth_of(value: object) -> int:
    pending, deepest = [(value, 1)], 0
    seen = 0
    while pending and seen < 100_000:
        item, depth = pending.pop()
        seen += 1
        deepest = max(deepest, depth)
        if isinstance(item, tuple):
            pending.extend((part, depth + 1) for part in item)
    return deepest
