"""What the facts of a TypeScript or JavaScript file say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.facts import Argument, Attribute, Expression, New, Parameter, Text, TypeFact
from ragduck.model import Document
from ragduck.parse.facts.script_modules import module_of
from ragduck.parse.typescript import outline

ReadFacts = Callable[..., Any]
Write = Callable[[Expression], str]


@pytest.fixture(name="facts")
def facts_fixture(read: ReadFacts) -> ReadFacts:
    def reader(source: str, *, path: str = "src/shop/orders.ts", language: str = "typescript") -> Any:
        return read(language, source, path=path)

    return reader


# modules


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [
        ("./x", "shop.x"),
        ("./x.js", "shop.x"),
        ("./order.service", "shop.order.service"),
        ("../y/z.ts", "y.z"),
        (".", "shop"),
        ("./index", "shop"),
        ("../../../../far", "far"),
        ("@/data/repo", "data.repo"),
        ("react", "react"),
        ("@acme/shop/orders", "@acme/shop/orders"),
    ],
)
def test_relative_modules_have_the_names_of_their_symbols(specifier: str, expected: str) -> None:
    assert module_of(specifier, path="src/shop/orders.ts") == expected


def test_the_root_of_sources_is_the_nearest_one() -> None:
    assert module_of("@/data/repo", path="apps/web/src/shop/orders.ts") == "apps.web.src.data.repo"


def test_imports_have_their_full_names(facts: ReadFacts) -> None:
    found = facts("""
        import D, { A as B, type C } from './x';
        import * as ns from '../y';
        import type { T } from 'pkg';
        import './side';
        import fs = require('fs');
        const h = require('./h'), { i, j: k } = require('./i');
        """)

    assert found.imports == [
        ("shop.x.default", "D"),
        ("shop.x.A", "B"),
        ("shop.x.C", ""),
        ("y", "ns"),
        ("pkg.T", ""),
        ("fs", "fs"),
        ("shop.h", ""),
        ("shop.i.i", ""),
        ("shop.i.j", "k"),
    ]


def test_what_a_module_passes_on_is_imported_by_it(facts: ReadFacts) -> None:
    found = facts("""
        export { A, B as C } from './x';
        export * from './y';
        export * as z from './z';
        export default place;
        export { place as put, stay };
        export default class Order {}
        """)

    assert found.imports == [
        ("shop.x.A", ""),
        ("shop.x.B", "C"),
        ("shop.y.*", ""),
        ("shop.z", "z"),
        ("shop.orders.place", "default"),
        ("shop.orders.place", "put"),
        ("shop.orders.Order", "default"),
    ]


def test_commonjs_modules_pass_names_on(facts: ReadFacts) -> None:
    found = facts(
        "module.exports = { place, find: findOrder, run() { go(); } };\nexports.a = b;\n",
        path="lib/orders.js",
        language="javascript",
    )

    assert found.imports == [("lib.orders.findOrder", "find"), ("lib.orders.b", "a")]
    assert found.accesses == []
    assert found.calls == [("run", "go()", 1)]
    assert [member[0] for member in found.members] == ["lib.orders.run|METHOD"]


# types


def test_a_class_has_bases_interfaces_type_parameters_and_decorators(facts: ReadFacts) -> None:
    found = facts("""
        @Component({ selector: 'orders' })
        export abstract class Orders<T extends Order = Order> extends Base<T> implements Shown, ns.Closed {
        }
        """)

    assert found.facts.types == (
        TypeFact(
            key="typescript:shop.orders.Orders|TYPE",
            name="Orders",
            qualified_name="shop.orders.Orders",
            scope="shop.orders",
            element_type="class",
            line=1,
            end_line=3,
            bases=("Base<T>", "Shown", "ns.Closed"),
            type_parameters=("T",),
            attributes=(
                Attribute("Component", (Argument(New("", (Argument(Text("orders"), "selector"),))),)),
            ),
            modifiers=frozenset({"abstract"}),
            constraints=(Parameter("T", "Order"),),
        ),
    )


def test_interfaces_enums_aliases_and_javascript_classes_are_types(facts: ReadFacts) -> None:
    found = facts("""
        interface Shown extends Base<Order>, Other { a: string }
        enum Status { Open = 'open', Closed }
        type Both = Order & { line: Line };
        const Made = class extends mix(Base) {};
        namespace Inner { export class Order extends a.Base {} }
        """)
    script = facts("class A extends B {}", path="a.js", language="javascript")

    assert [(one.qualified_name, one.element_type, one.bases) for one in found.facts.types] == [
        ("shop.orders.Shown", "interface", ("Base<Order>", "Other")),
        ("shop.orders.Status", "enum", ()),
        ("shop.orders.Both", "type_alias", ()),
        ("shop.orders.Made", "class", ()),
        ("shop.orders.Inner.Order", "class", ("a.Base",)),
    ]
    assert found.called == ["mix(Base)"]
    assert [(one.key, one.bases) for one in script.facts.types] == [("javascript:a.A|TYPE", ("B",))]


# members


def test_members_have_types_visibility_and_modifiers(facts: ReadFacts) -> None:
    found = facts("""
        class A {
            @Input() name?: string;
            static readonly items = new Map<string, Order>();
            #hidden: Order | null;
            private async get(): Promise<Order[]> {}
            get total(): number { return 1; }
            handler = (e: Event): void => {};
            abstract size(): number;
        }
        interface I { readonly z: Order[]; m(x: Order): void }
        enum E { A = 'a', B }
        export const make = (a: A): B => new B(a);
        export function place(): void {}
        """)

    assert found.members == [
        ("shop.orders.A.name|FIELD", "string", "public", ""),
        ("shop.orders.A.items|FIELD", "Map<string, Order>", "public", "readonly static"),
        ("shop.orders.A.#hidden|FIELD", "Order | null", "private", ""),
        ("shop.orders.A.get|METHOD", "Promise<Order[]>", "private", "async"),
        ("shop.orders.A.total|PROPERTY", "number", "public", "get"),
        ("shop.orders.A.handler|METHOD", "void", "public", ""),
        ("shop.orders.A.size|METHOD", "number", "public", "abstract"),
        ("shop.orders.I.z|PROPERTY", "Order[]", "public", "readonly"),
        ("shop.orders.I.m|METHOD", "void", "public", ""),
        ("shop.orders.E.A|FIELD", "", "public", ""),
        ("shop.orders.E.B|FIELD", "", "public", ""),
        ("shop.orders.make|METHOD", "B", "public", ""),
        ("shop.orders.place|METHOD", "void", "public", ""),
    ]
    assert found.facts.members[0].attributes == (Attribute("Input"),)
    assert found.facts.members[0].owner == "typescript:shop.orders.A|TYPE"


def test_parameters_are_read(facts: ReadFacts) -> None:
    found = facts("function f(this: A, a, b?: B, c = 'x', { d, e }: Pair = {}, ...rest: Line[]) {}")

    assert found.facts.members[0].parameters == (
        Parameter("a", ""),
        Parameter("b", "B", is_optional=True),
        Parameter("c", "", default=Text("x"), is_optional=True),
        Parameter("", "Pair", is_optional=True),
        Parameter("rest", "Line[]", is_rest=True),
    )


def test_what_a_constructor_puts_into_its_object_becomes_fields(facts: ReadFacts, write: Write) -> None:
    found = facts("""
        class Service extends Base {
            known: Known;
            constructor(private readonly repo: Repo, @Inject(TOKEN) public log: Log, plain: Plain) {
                super(repo, 'x');
                this.plain = plain;
                this.known = plain;
                if (plain) { this.made = new Made(); }
            }
        }
        """)

    assert [member[:3] for member in found.members] == [
        ("shop.orders.Service.known|FIELD", "Known", "public"),
        ("shop.orders.Service.repo|FIELD", "Repo", "private"),
        ("shop.orders.Service.log|FIELD", "Log", "public"),
        ("shop.orders.Service.constructor|METHOD", "", "public"),
        ("shop.orders.Service.plain|FIELD", "Plain", "public"),
        ("shop.orders.Service.made|FIELD", "Made", "public"),
    ]
    made = found.facts.members[3]
    assert [(one.member, write(one.value)) for one in made.assignments] == [
        ("repo", "<repo: Repo>"),
        ("log", "<log: Log>"),
        ("plain", "<plain: Plain>"),
        ("known", "<plain: Plain>"),
        ("made", "new Made()"),
    ]
    assert (made.hands_to, [write(one.value) for one in made.handed_on]) == ("base", ["<repo: Repo>", "'x'"])


def test_values_of_fields_and_results_of_functions_are_kept(facts: ReadFacts, write: Write) -> None:
    found = facts("""
        export const TABLE = 'orders';
        class A { static sql = `select ${TABLE}`; make() { if (x) { return new B(); } } }
        const arrow = () => new C();
        """)

    assert {member.name: write(member.value) for member in found.facts.members} == {
        "TABLE": "'orders'",
        "sql": "'select ' + TABLE",
        "make": "new B()",
        "arrow": "new C()",
    }


def test_prototypes_give_methods_to_their_type(facts: ReadFacts) -> None:
    found = facts(
        "class Order {}\nOrder.prototype.total = function () { return this.price(); };\n",
        path="order.js",
        language="javascript",
    )

    assert [(one.key, one.owner) for one in found.facts.members] == [
        ("javascript:order.Order.total|METHOD", "javascript:order.Order|TYPE")
    ]
    assert found.calls == [("Order.total", "this.price()", 2)]


# calls


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("this.repo.save(order)", ["this.repo.save(<order: Order>)"]),
        ("super.save()", ["base.save()"]),
        ("order?.lines?.[0]!.price()", ["<order: Order>.lines[].price()"]),
        ("order['lines'].go()", ["<order: Order>.lines.go()"]),
        (
            "const x = await orders.find<Order>(1); x.go()",
            ["orders.find<Order>(?)", "(await orders.find<Order>(?)).go()"],
        ),
        ("const x = new Line(); x.price()", ["<x: Line>.price()"]),
        ("new models.Box<Line>(1).open()", ["new models.Box<Line>(?).open()"]),
        ("let x; x = new Line(); x.price()", ["<x: Line>.price()"]),
        ("(order as Line).price()", ["<: Line>.price()"]),
        ("(<Line>order).price()", ["<: Line>.price()"]),
        ("(order ?? other).price()", ["(<order: Order> ?? other).price()"]),
        (
            "const { lines: ls, owner } = order; ls.go(); owner.go()",
            ["<order: Order>.lines.go()", "<order: Order>.owner.go()"],
        ),
        ("const [first] = order.lines; first.go()", ["<order: Order>.lines[].go()"]),
        ("for (const l of order.lines) l.go()", ["<order: Order>.lines[].go()"]),
        ("for (const l in order.lines) l.go()", ["?.go()"]),
        (
            "order.lines.each((l, i) => l.go())",
            ["<order: Order>.lines.each()=>0.go()", "<order: Order>.lines.each(=>)"],
        ),
        ("order.run(1, (l: Line) => l.go())", ["<l: Line>.go()", "<order: Order>.run(?, =>)"]),
        ("try {} catch (e) { e.go(); }", ["?.go()"]),
        ("call({ a: order, b: 'x', order })", ["call(new (a=<order: Order>, b='x', order=<order: Order>))"]),
        ("function inner() { this.go(); }", ["?.go()"]),
        ("const go = () => this.go();", ["this.go()"]),
        ("console.log(order); Object.keys(order); parameter.map(1)", []),
        ("order.map(1)", ["<order: Order>.map(?)"]),
    ],
)
def test_calls_know_their_receivers(facts: ReadFacts, code: str, expected: list[str]) -> None:
    found = facts(f"class A {{ async f(order: Order, parameter) {{\n{code}\n}} }}")

    assert found.called == expected


def test_locals_belong_to_their_blocks(facts: ReadFacts) -> None:
    found = facts("""
        function f() {
            { const x = new Cat(); x.speak(); }
            { const x = new Dog(); x.speak(); }
            x.speak();
        }
        """)

    assert found.called == ["<x: Cat>.speak()", "<x: Dog>.speak()", "x.speak()"]


def test_calls_stand_in_the_innermost_symbol(facts: ReadFacts) -> None:
    found = facts("""
        start();
        class A {
            size = measure();
            f() { const inner = () => {
                go();
            }; }
        }
        export const make = () => build();
        """)

    assert found.calls == [
        ("src/shop/orders.ts", "start()", 1),
        ("A.size", "measure()", 3),
        ("A.f", "go()", 5),
        ("make", "build()", 8),
    ]


def test_components_are_called_where_they_are_drawn(facts: ReadFacts) -> None:
    found = facts(
        """
        export const View = (props: Props) => (
            <Box.Item size={props.size}>
                <Order/><div onClick={() => go(props.id)}>text</div>
            </Box.Item>
        );
        """,
        path="view.tsx",
        language="tsx",
    )

    assert found.calls == [
        ("View", "Box.Item()", 2),
        ("View", "Order()", 3),
        ("View", "go(<props: Props>.id)", 3),
    ]


# accesses and uses


def test_accesses_are_member_chains_that_are_known(facts: ReadFacts) -> None:
    found = facts("""
        import { Status, limit } from './x';
        class A {
            f(order: Order, unknown) {
                this.total = order.customer!.name;
                unknown.thing;
                use(Status.Open, limit, this.items[0], Order);
                order.lines[0].price += 1;
            }
        }
        """)

    assert found.accesses == [
        ("A.f", "<order: Order>.customer.name", "read"),
        ("A.f", "this.total", "set"),
        ("A.f", "Status.Open", "read"),
        ("A.f", "limit", "read"),
        ("A.f", "this.items", "read"),
        ("A.f", "<order: Order>.lines[].price", "set"),
    ]


def test_types_that_are_named_are_used(facts: ReadFacts) -> None:
    found = facts("""
        class A {
            lines: Line[]; n: number; either: Cat | Dog | null;
            f(order: Order, run: (x: Box) => Lid): Promise<Result> {
                const y: Thing = new Made<Part>(1);
                return y as Other;
            }
        }
        type Both = Order & { line: Line };
        """)

    assert found.uses == [
        ("A.lines", "Line[]", "holds"),
        ("A.either", "Cat", "holds"),
        ("A.either", "Dog", "holds"),
        ("A.f", "Order", "parameter"),
        ("A.f", "Box", "parameter"),
        ("A.f", "Lid", "parameter"),
        ("A.f", "Promise<Result>", "returns"),
        ("A.f", "Made<Part>", "new"),
        ("A.f", "Thing", "holds"),
        ("A.f", "Other", "cast"),
        ("Both", "Order", "holds"),
        ("Both", "Line", "holds"),
    ]


# strings


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("const sql = 'select 1 from x';", [("'select 1 from x'", "sql")]),
        ("const sql = `select ${a.b}\n from ${TABLE}`;", [("'select ' + a.b + '\n from ' + TABLE", "sql")]),
        ("const sql = 'select * from ' + TABLE + ' x';", [("'select * from ' + TABLE + ' x'", "sql")]),
        (
            "let sql = 'select a'; sql += ' from b'; run(sql);",
            [("'select a'", "sql"), ("'select a from b'", "sql"), ("'select a from b'", "run()")],
        ),
        (r"const sql = 'select \x41\u00e9\u{e9}\'';", [("'select Aéé''", "sql")]),
        ("this.sql = 'delete from x';", [("'delete from x'", "sql")]),
        ("return 'select 1';", [("'select 1'", "")]),
        ("run({ text: 'select 1' });", [("'select 1'", "text")]),
        ("sql`select 1`;", [("'select 1'", "sql()")]),
        ("db.query('Order_Place');", [("'Order_Place'", "db.query()")]),
        ("log('hello');", []),
        ("'use select strict';", []),
    ],
)
def test_strings_that_may_be_sql_are_kept(
    facts: ReadFacts, code: str, expected: list[tuple[str, str]]
) -> None:
    found = facts(f"function f() {{ {code} }}")

    assert [string[1:] for string in found.strings] == expected


# hostile input

SAMPLE = """
import D, { A as B } from './x'; export * from './y';
@Component({ a: 'x' })
export abstract class Foo<T extends Bar = X> extends Base<T> implements I {
  @Input() a?: string = `b${c}`; #d = class {};
  constructor(private e: E, { f, g: [h] = [] }: O = {}, ...i: J[]) { super(e); this.k = e; }
  get l(): number { for (const [m] of this.n) m!.o?.(); return (p as Q).r ?? s; }
  t = async (u) => { const { v, ...w } = await x.y<Z>(`select ${a}`); };
}
namespace N { enum E { A = 'a', B } } const q = () => <T,>(r: T): r is T => s ? t : u;
module.exports = { a() {}, b: (c) => c, d };
"""


@given(
    st.integers(0, len(SAMPLE)), st.integers(0, 40), st.text(max_size=8), st.sampled_from(("ts", "tsx", "js"))
)
@settings(max_examples=150, deadline=None)
def test_mutilated_source_never_crashes(start: int, length: int, inserted: str, extension: str) -> None:
    text = SAMPLE[:start] + inserted + SAMPLE[start + length :]
    document = Document(f"a.{extension}", text, "typescript", extension, "source", len(text), 0)

    assert outline(document).facts is not None


@pytest.mark.parametrize(
    "text",
    [
        "x = a" + ".b()" * 5_000,
        "x = " + "a => " * 300 + "b",
        "x = " + "(a = " * 200 + "b" + ") => c" * 200,
        "x = " + "a + " * 5_000 + "'select '",
        "x = `" + "${a} select " * 5_000 + "`",
        "x = " + "{a:" * 300 + "1" + "}" * 300,
    ],
)
def test_long_and_deep_input_is_read(text: str) -> None:
    facts = outline(Document("a.js", text, "javascript", "js", "source", len(text), 0)).facts

    assert facts is not None
