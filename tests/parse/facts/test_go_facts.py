"""What the facts of a Go file say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.facts import Expression, Parameter
from ragduck.model import Document
from ragduck.parse.go import outline

ReadFacts = Callable[..., Any]
Write = Callable[[Expression], str]


@pytest.fixture(name="facts")
def facts_fixture(read: ReadFacts) -> ReadFacts:
    def reader(source: str) -> Any:
        return read("go", f"package store\n{source}", path="internal/store/orders.go")

    return reader


def test_imports_keep_their_paths(facts: ReadFacts) -> None:
    found = facts("""
        import "fmt"
        import (
            "database/sql"
            m "github.com/acme/shop/internal/models"
            "github.com/acme/kit/v2"
            "gopkg.in/yaml.v3"
            . "strings"
            _ "github.com/lib/pq"
        )
        """)

    assert found.imports == [
        ("fmt", ""),
        ("database/sql", ""),
        ("github.com/acme/shop/internal/models", "m"),
        ("github.com/acme/kit/v2", "kit"),
        ("gopkg.in/yaml.v3", "yaml"),
        ("strings.*", ""),
        ("github.com/lib/pq", ""),
    ]
    assert found.facts.module == "internal.store"


# types and members


def test_structs_and_interfaces_embed_others(facts: ReadFacts) -> None:
    found = facts("""
        type Repo struct {
            *Base
            io.Reader
            db *sql.DB
        }
        type Store interface { Finder; ~int | string; Save() }
        type Box[T any, K Key] struct { item T }
        type (
            ID int
            Alias = models.Order
        )
        """)

    assert [
        (one.key, one.element_type, one.bases, one.type_parameters, one.line) for one in found.facts.types
    ] == [
        ("go:internal.store.Repo|TYPE", "struct", ("Base", "io.Reader"), (), 3),
        ("go:internal.store.Store|TYPE", "interface", ("Finder",), (), 8),
        ("go:internal.store.Box|TYPE", "struct", (), ("T", "K"), 9),
        ("go:internal.store.ID|TYPE", "type_alias", (), (), 11),
        ("go:internal.store.Alias|TYPE", "type_alias", (), (), 12),
    ]
    assert found.facts.types[2].constraints == (Parameter("K", "Key"),)


def test_members_have_types_and_visibility(facts: ReadFacts) -> None:
    found = facts("""
        const Table = "orders"
        const (
            First ID = iota
            second
        )
        var db, Other *sql.DB = open(), nil
        type Repo struct {
            *Base
            a, b []models.Order
            Names map[string]*Line `json:"names"`
        }
        type Store interface { Find(id int) (*Order, error) }
        func New(db *sql.DB) *Repo { return &Repo{} }
        func (r *Repo) Find(id int) (o *Order, err error) { return nil, nil }
        func (b Box[T]) open() {}
        """)

    assert [member[:3] for member in found.members] == [
        ("internal.store.Table|FIELD", "", "public"),
        ("internal.store.First|FIELD", "ID", "public"),
        ("internal.store.second|FIELD", "", "internal"),
        ("internal.store.db|FIELD", "*sql.DB", "internal"),
        ("internal.store.Other|FIELD", "*sql.DB", "public"),
        ("internal.store.Repo.Base|FIELD", "Base", "public"),
        ("internal.store.Repo.a|FIELD", "[]models.Order", "internal"),
        ("internal.store.Repo.b|FIELD", "[]models.Order", "internal"),
        ("internal.store.Repo.Names|FIELD", "map[string]*Line", "public"),
        ("internal.store.Store.Find|METHOD", "*Order", "public"),
        ("internal.store.New|METHOD", "*Repo", "public"),
        ("internal.store.Repo.Find|METHOD", "*Order", "public"),
        ("internal.store.Box.open|METHOD", "", "internal"),
    ]
    assert [member.owner for member in found.facts.members if member.kind == "METHOD"] == [
        "go:internal.store.Store|TYPE",
        "",
        "go:internal.store.Repo|TYPE",
        "go:internal.store.Box|TYPE",
    ]


def test_parameters_are_read(facts: ReadFacts) -> None:
    found = facts("func f(ctx context.Context, a, b *Order, rest ...string) {}")

    assert found.facts.members[0].parameters == (
        Parameter("ctx", "context.Context"),
        Parameter("a", "*Order"),
        Parameter("b", "*Order"),
        Parameter("rest", "[]string", is_rest=True),
    )


def test_values_and_results_are_kept(facts: ReadFacts, write: Write) -> None:
    found = facts("""
        const table = "orders"
        var repo = &Repo{name: table}
        func New() *Repo { return &Repo{} }
        """)

    assert {member.name: write(member.value) for member in found.facts.members} == {
        "table": "'orders'",
        "repo": "new Repo(name=table)",
        "New": "new Repo()",
    }


# calls


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("run()", ["run()"]),
        ("r.db.Save(order)", ["this.db.Save(<order: *Order>)"]),
        ("models.Find(1).Total()", ["models.Find(?)", "models.Find(?).Total()"]),
        ("x := &models.Line{ID: 1}; x.Go()", ["<x: models.Line>.Go()"]),
        ("x, err := find(); x.Go(); err.Error()", ["find()", "find().Go()", "?.Error()"]),
        ("x, y := Line{}, find(); x.Go(); y.Go()", ["find()", "<x: Line>.Go()", "find().Go()"]),
        ("var x models.Line; x.Go()", ["<x: models.Line>.Go()"]),
        ("x := new(Line); x.Go(); y := make([]Line, 3); y[0].Go()", ["<x: Line>.Go()", "<y: []Line>[].Go()"]),
        ("order.(*Line).Go()", ["<: *Line>.Go()"]),
        ("x, ok := order.(*Line); x.Go()", ["<x: *Line>.Go()"]),
        ("switch x := order.(type) { case *Line: x.Go(); case A, B: x.No() }", ["<x: *Line>.Go()", "?.No()"]),
        ("for i, x := range order.Lines { x.Go(); i.No() }", ["<order: *Order>.Lines[].Go()", "?.No()"]),
        ("(*order).Go(); order.Lines[1:].Len()", ["<order: *Order>.Go()", "<order: *Order>.Lines.Len()"]),
        ("go order.Run(func(l *Line) { l.Go() })", ["<order: *Order>.Run(=>)", "<l: *Line>.Go()"]),
        ("defer r.Close()", ["this.Close()"]),
        ("if err := find(); err != nil { err.Go() }; err.Go()", ["find()", "find().Go()", "err.Go()"]),
        ("Map[int](order)", ["Map(<order: *Order>)"]),
        ("kit.Map[int](order, 1)", ["kit.Map(<order: *Order>, ?)"]),
        ("Own(order).Go()", ["<: Own>.Go()"]),
        ("fmt.Println(order); strings.Trim(a, b); len(order); panic(1)", []),
    ],
)
def test_calls_know_their_receivers(facts: ReadFacts, code: str, expected: list[str]) -> None:
    found = facts(f'import ("fmt"; "strings")\ntype Own int\nfunc (r *Repo) f(order *Order) {{\n{code}\n}}')

    assert sorted(found.called) == sorted(expected)


def test_calls_stand_in_the_innermost_symbol(facts: ReadFacts) -> None:
    found = facts("""
        var db = open()
        func (r *Repo) f() {
            go func() {
                run()
            }()
        }
        """)

    assert found.calls == [("db", "open()", 3), ("Repo.f", "run()", 6)]


def test_locals_belong_to_their_blocks(facts: ReadFacts) -> None:
    found = facts("func f(x *Cat) { if a { x := Dog{}; x.Go() }; x.Go() }")

    assert found.called == ["<x: Dog>.Go()", "<x: *Cat>.Go()"]


# accesses and uses


def test_accesses_are_member_chains_and_names_of_the_package(facts: ReadFacts) -> None:
    found = facts("""
        func (r *Repo) f(order *Order) {
            r.total = order.Customer.Name
            count = limit
            use(models.Table, r.items[0], handler, nil)
        }
        """)

    assert found.accesses == [
        ("Repo.f", "<order: *Order>.Customer.Name", "read"),
        ("Repo.f", "this.total", "set"),
        ("Repo.f", "limit", "read"),
        ("Repo.f", "count", "set"),
        ("Repo.f", "models.Table", "read"),
        ("Repo.f", "this.items", "read"),
        ("Repo.f", "handler", "read"),
    ]


def test_types_that_are_named_are_used(facts: ReadFacts) -> None:
    found = facts("""
        type A struct { lines []*Line; n int }
        func f(order map[string]*Order, run func(Box) Lid) (*Result, error) {
            var y Thing = Made{}
            switch y.(type) { case Other: }
            return Cast[Box](y), []byte(y)
        }
        """)

    assert found.uses == [
        ("A.lines", "Line", "holds"),
        ("f", "Order", "parameter"),
        ("f", "Box", "parameter"),
        ("f", "Lid", "parameter"),
        ("f", "Result", "returns"),
        ("f", "Thing", "holds"),
        ("f", "Made", "new"),
        ("f", "Other", "cast"),
        ("f", "Box", "argument"),
    ]


# strings


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('sql := "select 1"', [("'select 1'", "sql")]),
        ("sql := `select \\n\n1`", [("'select \\n\n1'", "sql")]),
        ('sql := "select * from " + table + " x"', [("'select * from ' + table + ' x'", "sql")]),
        ('sql := fmt.Sprintf("select %s from %v", a, table)', [("'select ' + a + ' from ' + table", "sql")]),
        (
            'sql := "select a"; sql += " from b"; run(sql)',
            [("'select a'", "sql"), ("'select a from b'", "sql"), ("'select a from b'", "run()")],
        ),
        ('db.QueryRow("Order_Place")', [("'Order_Place'", "db.QueryRow()")]),
        ('return "select 1", nil', [("'select 1'", "")]),
        ('x := T{sql: "select 1"}', [("'select 1'", "sql")]),
        ('log("hello")', []),
    ],
)
def test_strings_that_may_be_sql_are_kept(
    facts: ReadFacts, code: str, expected: list[tuple[str, str]]
) -> None:
    found = facts(f'import "fmt"\nfunc f() (string, error) {{\n{code}\n}}')

    assert [string[1:] for string in found.strings] == expected


def test_constants_that_may_be_sql_are_kept(facts: ReadFacts) -> None:
    found = facts('const (\n\ta = 1\n\tsql = "select 1"\n)\n')

    assert [(fact.source, fact.line, fact.assigned_to) for fact in found.facts.strings] == [
        ("go:internal.store.a|FIELD", 4, "sql")
    ]


# hostile input

SAMPLE = """package a
import ( b "c/d"; . "e"; _ "f" )
const ( G = iota; H ); var i, j *k.L = m(), nil
type N[T any] struct { *O; p.Q; r, s []map[string]*T `t:"u"`; v func(int) (w error) }
type X interface { Y; ~int | string; Z(a1 int, b1 ...c1.D1) (*E1, error) }
func (f1 *N[T]) g1(h1, i1 j1) (k1 *l1.M1, n1 error) {
  for o1, p1 := range f1.q1[1:2] { p1.r1(func(s1 t1) { s1.u1() }).v1++ }
  switch w1 := x1.(type) { case *y1.Z1, a2: w1.b2() }; select { case <-c2: }
  d2, e2 := f2.(*g2), &h2.I2{j2: {k2: `select`}}; go l2[int](m2); defer n2(); o2 += "p" + q2
  return new(r2), make([]s2, 3)
}
"""


@given(st.integers(0, len(SAMPLE)), st.integers(0, 40), st.text(max_size=8))
@settings(max_examples=150, deadline=None)
def test_mutilated_source_never_crashes(start: int, length: int, inserted: str) -> None:
    text = SAMPLE[:start] + inserted + SAMPLE[start + length :]

    assert outline(Document("a/b.go", text, "go", "go", "source", len(text), 0)).facts is not None


@pytest.mark.parametrize(
    "text",
    [
        "package a\nfunc f() { a" + ".b()" * 5_000 + " }",
        'package a\nfunc f() { x := "select" ' + '+ "a"' * 5_000 + " }",
        "package a\nfunc f() { x := " + "*" * 5_000 + "a }",
        "package a\nfunc f() { " + "x := x.y; " * 500 + " }",
        "package a\nfunc f() " + "{" * 300 + "}" * 300,
        "package a\nvar " + ", ".join(f"a{number}" for number in range(5_000)) + " = 1",
    ],
)
def test_long_and_deep_input_is_read(text: str) -> None:
    assert outline(Document("a/b.go", text, "go", "go", "source", len(text), 0)).facts is not None
