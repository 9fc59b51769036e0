"""What Visual Basic is written as in C#."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ragduck.parse.vb.source import translated


def squeezed(text: str) -> str:
    return "".join(text.split())


def statement(text: str) -> str:
    """Return the C# of statements in a method."""
    code = f"Class A\nSub M()\n{dedent(text).strip()}\nEnd Sub\nEnd Class"
    lines = translated(code).text.split("\n")
    return " ".join(" ".join(lines[2:-2]).split())


def declaration(text: str) -> str:
    """Return the C# of members of a class."""
    lines = translated(f"Class A\n{dedent(text).strip()}\nEnd Class").text.split("\n")
    return " ".join(" ".join(lines[1:-1]).split()).removeprefix("{ ")


@pytest.mark.parametrize(
    ("basic", "csharp"),
    [
        ("x = 1", "x = 1;"),
        ("x(0) = y(1)", "x[0] = y(1);"),
        ("Run", "Run();"),
        ("Call Run(1)", "Run(1);"),
        ("command.ExecuteNonQuery", "command.ExecuteNonQuery();"),
        ("Dim a As Integer = 1, b As New List(Of String)", "int a = 1; List<string> b = new List<string>();"),
        ("Dim a, b As Date", "DateTime a; DateTime b;"),
        ("Dim a(5) As Byte", "byte[] a;"),
        ('Dim a() As String = {"x"}', 'string[] a = new string[] {"x"};'),
        ('Const Name = "x"', 'const string Name = "x";'),
        ("Return If(a Is Nothing, b, c)", "return ((a == null) ? (b) : (c));"),
        ("Return If(a, b)", "return ((a) ?? (b));"),
        ("x = CType(y, List(Of Integer)).Count", "x = ((List<int>)(y)).Count;"),
        ("x = TryCast(y, Order)", "x = ((y) as Order);"),
        ("x = CStr(y) & z", "x = ((string)(y)) + z;"),
        ("x = GetType(Order)", "x = typeof(Order);"),
        ("x = NameOf(Order.Id)", "x = nameof(Order.Id);"),
        ("x = a And Not b OrElse c <> d", "x = a && !b || c != d;"),
        ("x = 7 Mod (2 \\ n)", "x = 7 % (2 / n);"),
        ("x = &HFF + 5L + 1.5D + .5F", "x = 0xFF + 5L + 1.5m + 0.5F;"),
        ('x = #1/31/2020# : y = "c"c', "x = default(DateTime); y = 'c';"),
        ("x = New Order With {.Id = 1, .Name = n}", "x = new Order() {Id = 1, Name = n};"),
        ("x = New With {.Id = 1, Key .Name = n}", "x = new {Id = 1, Name = n};"),
        ("x = New List(Of Integer) From {1, 2}", "x = new List<int>() {1, 2};"),
        ("x = New Byte(10) {}", "x = new byte[] {};"),
        ("Run(name:=1, other:=2)", "Run(name: 1, other: 2);"),
        ("Run(1, , 2)", "Run(1, default, 2);"),
        ("Run(AddressOf Me.Work)", "Run(this.Work);"),
        ("x = row!Name", 'x = row["Name"];'),
        ("RaiseEvent Done(Me, EventArgs.Empty)", "Done(this, EventArgs.Empty);"),
        ("AddHandler timer.Tick, AddressOf Run", "timer.Tick += Run;"),
        ("RemoveHandler timer.Tick, AddressOf Run", "timer.Tick -= Run;"),
        ("ReDim Preserve names(5)", "names = null;"),
        ("x = items.Where(Function(i) i.Id = 5)", "x = items.Where((i) => i.Id == 5);"),
        ("Each(Sub(i As Order) i.Id = 5)", "Each((Order i) => i.Id = 5);"),
        ("x = Await RunAsync()", "x = await RunAsync();"),
        ("x = TypeOf a Is Order", "x = a is Order;"),
        ("x = Global.Shop.Order.All()", "x = Shop.Order.All();"),
        ("[Select] = params", "Select = @params;"),
        ('x = $"a {b("c")} {d:N2} {{e}}"', 'x = ("a " + (b("c")) + " " + (d) + " {e}");'),
        ('x = "a""b\\c"', 'x = "a\\"b\\\\c";'),
        ("If a Then b() Else c()", "if (a) { b(); } else { c(); }"),
        ("If a Then b() : c()", "if (a) { b(); c(); }"),
        (
            "If a Then\nb()\nElseIf c Then\nd()\nElse\ne()\nEnd If",
            "if (a) { b(); } else if (c) { d(); } else { e(); }",
        ),
        ("For i = 0 To 9 Step 2\nb()\nNext i", "for (var i = 0; i <= 9; i += 2) { b(); }"),
        ("For Each o As Order In all\nb()\nNext", "foreach (Order o in all) { b(); }"),
        ("Do\nb()\nLoop Until a", "do { b(); } while (a);"),
        ("Do While a\nb()\nLoop", "while (a) { b(); }"),
        ("While a\nb()\nEnd While", "while (a) { b(); }"),
        (
            "Select Case a\nCase 1, 2 To 3\nb()\nCase Is > 4\nc()\nCase Else\nd()\nEnd Select",
            "if (a) { } else if ((1) || (2) || (3)) { b(); } else if ((4)) { c(); } else { d(); }",
        ),
        (
            "Try\na()\nCatch e As IOException When b\nc()\nCatch\nFinally\nd()\nEnd Try",
            "try { a(); } catch (IOException e) when (b) { c(); } catch { } finally { d(); }",
        ),
        (
            "Using c As New SqlConnection(s), d = x\na()\nEnd Using",
            "using (SqlConnection c = new SqlConnection(s)) using (var d = x) { a(); }",
        ),
        ("SyncLock a\nb()\nEnd SyncLock", "lock (a) { b(); }"),
        (
            "With command.Parameters\n.Clear()\nWith other\n.Run()\nEnd With\n.Add(1)\nEnd With",
            "{ command.Parameters.Clear(); { other.Run(); } command.Parameters.Add(1); }",
        ),
        ("With New Order(1)\n.Total = 2\nEnd With", "{ var with_1 = new Order(1); with_1.Total = 2; }"),
        ("Exit Sub\nExit For\nContinue For", "return; break; continue;"),
        ("On Error Resume Next\nGoTo done", "; ;"),
        ("done:\nRun()\nlast: Run()", "Run(); Run();"),
        ("Each(Sub(i)\nRun(i)\nEnd Sub)\nStop", "Each((i) => { Run(i); }); ;"),
        ("A(Sub(i)\nB()\nEnd Sub).C(\nSub(j)\nD()\nEnd Sub)", "A((i) => { B(); }).C((j) => { D(); });"),
        (
            "For Each a In b.Where(Function(i)\nReturn i.Ok\nEnd Function).ToList\nRun()\nNext",
            "foreach (var a in b.Where((i) => { return i.Ok; }).ToList()) { Run(); }",
        ),
        (
            "x = New A With {\n.B = Sub(i)\nRun(i)\nEnd Sub,\n.C = 1\n}",
            "x = new A() { B = (i) => { Run(i); }, C = 1 };",
        ),
        (
            "Dim f = Function(a As Integer) As Integer\nReturn a\nEnd Function",
            "var f = (int a) => { return a; };",
        ),
        (
            "Dim q = From o In orders Where o.Id = 1 Order By o.Name Descending Select o.Id, N = o.Name",
            "var q = from o in orders where o.Id == 1 orderby o.Name descending select new { o.Id, N = o.Name };",
        ),
        (
            "Dim q = From o In orders\n Join c In customers On o.C Equals c.Id\n Where c.Ok",
            "var q = from o in orders join c in customers on o.C equals c.Id where c.Ok select o;",
        ),
        (
            "Dim q = From o In orders Group o By k = o.Kind Into g = Group Select k, g",
            "var q = from o in orders group o by o.Kind into g let k = g.Key select new { k, g };",
        ),
    ],
)
def test_a_statement_is_written_in_csharp(basic: str, csharp: str) -> None:
    assert squeezed(statement(basic)) == squeezed(csharp)


@pytest.mark.parametrize(
    ("basic", "csharp"),
    [
        ("Private a, b As Integer", "private int a; private int b;"),
        ("Dim a As New Timer(1)", "private Timer a = new Timer(1);"),
        ('Public Const Name = "x"', 'public const string Name = "x";'),
        ("Private Shared ReadOnly a = 1", "private static readonly int a = 1;"),
        ("Protected Friend WithEvents a As Button", "protected internal Button a;"),
        ("Property Name As String", "public string Name { get; set; }"),
        (
            "ReadOnly Property All As New List(Of Order)",
            "public List<Order> All { get; } = new List<Order>();",
        ),
        (
            "Public ReadOnly Property Total() As Decimal\nGet\nReturn _total\nEnd Get\nEnd Property",
            "public decimal Total { get { return _total; } }",
        ),
        (
            "Property Total As Decimal\nGet\nTotal = 1\nEnd Get\nPrivate Set(v As Decimal)\n_total = v\n"
            "End Set\nEnd Property",
            "public decimal Total { get { return 1; } private set { var v = value; _total = v; } }",
        ),
        (
            "Default Public Property Item(i As Integer) As Order\nGet\nEnd Get\nEnd Property",
            "public Order this[int i] { get { } }",
        ),
        ("Sub New(a As Integer)\nMyBase.New(a)\nb = a\nEnd Sub", "public A(int a) : base(a) { b = a; }"),
        ("Sub New()\nEnd Sub", "public A() { }"),
        ("Shared Sub New()\na = 1\nEnd Sub", "static A() { a = 1; }"),
        (
            "Function Total(Of T As {Class, IOrder})(ByRef a As T, Optional b() As String = Nothing, "
            "ParamArray c As Integer()) As Decimal\nTotal = 1\nEnd Function",
            "public decimal Total<T>(ref T a, string[] b = null, params int[] c) where T : class, IOrder "
            "{ return 1; }",
        ),
        (
            '<Test(1, Name:="x")> Private Sub M() Handles a.Click, b.Click\nEnd Sub',
            '[Test(1, Name = "x")] private void M() { }',
        ),
        ("Public MustOverride Function M() As String", "public abstract string M();"),
        (
            "Protected Overrides Async Function M() As Task\nEnd Function",
            "protected override async Task M() { }",
        ),
        ("Public Event Done As EventHandler", "public event EventHandler Done;"),
        ("Event Done(sender As Object)", "public event DoneEventHandler Done;"),
        ("Delegate Sub Done(a As Integer)", "public delegate void Done(int a);"),
        ('Declare Function F Lib "x.dll" (a As Integer) As Long', "public static extern long F(int a);"),
        (
            "Public Shared Operator +(a As A, b As A) As A\nReturn a\nEnd Operator",
            "public static A operator +(A a, A b) { return a; }",
        ),
        ("Enum Kind As Byte\nFirst = 1\nSecond\nEnd Enum", "public enum Kind : byte { First = 1, Second, }"),
        (
            "Interface IOrders\nInherits IDisposable, IBase\nFunction All() As Order()\n"
            "Property Name As String\nEnd Interface",
            "public interface IOrders : IDisposable, IBase { Order[] All(); string Name { get; set; } }",
        ),
        ("Structure Point\nDim X As Integer\nEnd Structure", "public struct Point { public int X; }"),
    ],
)
def test_a_declaration_is_written_in_csharp(basic: str, csharp: str) -> None:
    assert squeezed(declaration(basic)) == squeezed(csharp)


def test_a_module_is_a_static_class() -> None:
    text = (
        "Module Tools\nConst A = 1\nDim b As String\n<Extension()>\nFunction F(s As String) As Integer\n"
        "End Function\nEnd Module"
    )

    assert squeezed(translated(text).text) == squeezed(
        """static class Tools { private const int A = 1; private static string b; [Extension()]
        public static int F(this string s) { } }"""
    )
    assert translated(text).modules == ("Tools",)


@pytest.mark.parametrize(
    "text",
    [
        "Run(1,\n  2)",
        "Run(1, _\n  2)",
        "x = a &\n  b",
        "x = all.\n  First()",
        "Run( ' why\n  1)",
        "x = From o In all\n  Where o.Id = 1\n  Select o",
    ],
)
def test_a_statement_goes_on_where_it_may(text: str) -> None:
    assert statement(f"{text}\nLast()").endswith("; Last ( ) ;")
    assert statement(text).count(";") == 1


def test_all_stands_on_the_line_on_which_it_stood() -> None:
    text = dedent(
        """
        ' about
        Imports System.Data

        <Serializable()> _
        Public Class A
            Inherits B

            #Region "x"
            Sub M(a As String,
                  b As String)
                Dim s = "one" & _
                        "two"
                Dim t = "several
                    lines"
                Dim u = <sql>
                            SELECT 1
                        </sql>.Value
            End Sub
            #End Region
        End Class
        """
    )

    def places(written: str) -> list[int]:
        lines = written.split("\n")
        words = ("Serializable", "class A", "string b", '"two"', "several", "lines", "SELECT 1")
        return [next(n for n, line in enumerate(lines) if word.lower() in line.lower()) for word in words]

    written = translated(text).text

    assert places(written) == places(text.replace("b As String", "string b"))
    assert written.count("\n") == text.count("\n")


def test_names_are_written_as_they_were_declared() -> None:
    assert statement("Dim Total As Integer\ntotal = 1") == "int Total ; Total = 1 ;"


def test_brackets_behind_a_value_ask_for_an_element_and_a_function_is_called() -> None:
    code = (
        "Class A\nFunction Find() As Order\nEnd Function\n"
        "Sub M(all As List(Of Order), act As Action(Of Integer))\n{}\nEnd Sub\nEnd Class"
    )

    def written(text: str) -> str:
        return squeezed(translated(code.format(text)).text.split("\n")[4])

    assert written("x = all(0).Id") == "x=all[0].Id;"
    assert written("act(0)") == "act(0);"
    assert written("x = Find.Id") == "x=Find().Id;"
    assert written('x = table.Rows(0)("Id")') == 'x=table.Rows[0]["Id"];'


@pytest.mark.parametrize(
    "text",
    [
        "Class A\nSub M()\nIf x Then\nEnd Sub\nSub N()\nEnd Sub\nEnd Class",
        "Class A\nSub M()\nRun(1, (2\nEnd Sub\nSub N()\nEnd Sub\nEnd Class",
        'Class A\nSub M()\nx = "open\nEnd Sub\nSub N()\nEnd Sub\nEnd Class',
        "Class A\nSub M()\nPublic Sub N()\nEnd Sub\nEnd Class",
        "Class A\nSub M()\nEnd If\nLoop\nNext\nEnd Sub\nSub N()\nEnd Sub\nEnd Class",
    ],
)
def test_what_is_torn_ends_with_its_member(text: str) -> None:
    written = " ".join(translated(text).text.split())

    assert "public void N( ) {" in written
    assert written.count("{") == written.count("}")


@pytest.mark.parametrize(
    ("basic", "csharp"),
    [
        ('x = "a" & vbCrLf & "b"', r'x = "a" + "\n" + "b";'),
        ('x = "a" & vbTab & Chr(13) & ChrW(10)', r'x = "a" + "\t" + "\n" + "\n";'),
        ('x = "a" & Environment.NewLine() & "b"', 'x = "a" + Environment . NewLine + "b";'),
        ("db.Set(Of Customer).Add(c)", "db.Set<Customer>().Add(c);"),
        ("db.Set(Of Customer)().Add(c)", "db.Set<Customer>().Add(c);"),
        ("list.ForEach(Sub(i) If i > 3 Then Run(i))", "list.ForEach((i) => { if ( i > 3 ) { Run(i); } });"),
        (
            "list.ForEach(Sub(i) If i > 3 Then Run(i) Else Other(i))",
            "list.ForEach((i) => { if ( i > 3 ) { Run(i); } else { Other(i); } });",
        ),
        ("Use(Sub() Return)", "Use(() => { });"),
        ("Use(Sub() Throw New Fault())", "Use(() => { throw new Fault(); });"),
        ("Use(Sub() RaiseEvent Changed(1))", "Use(() => { Changed(1); });"),
        ("Use(Sub() For Each a In b)", "Use(() => { });"),
    ],
)
def test_what_everybody_writes(basic: str, csharp: str) -> None:
    assert squeezed(statement(basic)) == squeezed(csharp)


@pytest.mark.parametrize(
    "first",
    [
        'Dim x As New List(Of String) From {"a"}',
        'mail.From = New Address("x")',
        "y = (From q In z)",
        "y = mail.From",
        "With a : .B = 3 : End With",
    ],
)
@pytest.mark.parametrize(
    "second", ["Select Case x\nCase 1\nRun()\nEnd Select", "On Error Resume Next\nRun()"]
)
def test_a_statement_is_not_taken_for_the_rest_of_the_one_before(first: str, second: str) -> None:
    assert squeezed(statement(f"{first}\n{second}")) == squeezed(statement(first) + statement(second))


def test_a_query_goes_on_where_its_clauses_do() -> None:
    text = "Dim found = From a In b\nWhere a.Ok\nSelect a.Name"

    assert squeezed(statement(text)) == "varfound=fromainbwherea.Okselecta.Name;"


def test_the_accessors_of_an_event_stay_in_it() -> None:
    text = """
        Public Custom Event Changed As EventHandler
        AddHandler(value As EventHandler)
        Run(value)
        End AddHandler
        RemoveHandler(value As EventHandler)
        End RemoveHandler
        RaiseEvent(sender As Object, e As EventArgs)
        End RaiseEvent
        End Event
        Sub After()
        End Sub
    """
    code = declaration(text)

    assert code.count("{") == code.count("}")
    assert "Run(value);" in squeezed(code)
    assert "voidAfter(){" in squeezed(code)
    assert "_=" not in squeezed(code)
