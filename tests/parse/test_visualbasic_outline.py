"""What the outline of a file of Visual Basic holds, and how it is cut into chunks."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.model import Document, ParsedDocument, Symbol
from ragduck.parse import ChunkSettings, parse_document
from ragduck.parse.vb.source import translated
from ragduck.parse.visualbasic import outline
from ragduck.sources import classify

SHOP = """
    Imports System.Data.SqlClient

    ''' <summary>Orders of the shop.</summary>
    <Serializable()>
    Partial Public Class Orders
        Inherits Store
        Implements IOrders

        Private ReadOnly _connection As String
        Public Property Name As String

        ''' <summary>Finds one.</summary>
        Public Function Find(ByVal id As Integer) As Order _
            Implements IOrders.Find ' quickly
            Dim sql = "SELECT * FROM Orders " &
                "WHERE Id = @id"
            Return Read(sql)
        End Function

    #Region "More"
        Friend Sub Drop(id As Integer)
            Run("Order_Drop", id)
            Log(id)
        End Sub
    #End Region
    End Class

    Module Tools
        Sub Main()
        End Sub
    End Module
    """


def parsed(source: str, *, root: str = "", max_chars: int = 1536) -> ParsedDocument:
    text = dedent(source).lstrip("\n")
    kind = classify("Shop/Orders.vb", text)
    document = Document(
        "Shop/Orders.vb",
        text,
        kind.language,
        kind.file_type,
        kind.file_class,
        len(text),
        0,
        root_namespace=root,
    )
    return parse_document(document, settings=ChunkSettings(max_chars=max_chars))


def symbols_of(source: str, *, root: str = "") -> Iterator[Symbol]:
    text = dedent(source).lstrip("\n")
    pending = list(
        outline(Document("A.vb", text, "visualbasic", "vb", "source", 0, 0, root_namespace=root)).symbols
    )
    while pending:
        symbol = pending.pop(0)
        yield symbol
        pending[:0] = symbol.children


def test_types_and_members_are_symbols_with_their_comments() -> None:
    rows = [(one.element_type, one.qualified_name, one.start_line, one.end_line) for one in symbols_of(SHOP)]

    assert rows == [
        ("class", "Orders", 3, 26),
        ("field", "Orders._connection", 9, 9),
        ("property", "Orders.Name", 10, 10),
        ("method", "Orders.Find", 12, 18),
        ("method", "Orders.Drop", 21, 24),
        ("class", "Tools", 28, 31),
        ("method", "Tools.Main", 29, 30),
    ]


def test_signatures_are_those_of_the_source() -> None:
    found = {one.name: (one.signature, one.visibility) for one in symbols_of(SHOP)}

    assert found["Orders"] == ("Partial Public Class Orders Inherits Store Implements IOrders", "public")
    assert found["Find"] == (
        "Public Function Find(ByVal id As Integer) As Order Implements IOrders.Find",
        "public",
    )
    assert found["Drop"] == ("Friend Sub Drop(id As Integer)", "internal")
    assert found["_connection"] == ("Private ReadOnly _connection As String", "private")


@pytest.mark.parametrize(
    ("root", "namespace", "name"),
    [
        ("Shop", "", "Shop.A"),
        ("Shop", "Data", "Shop.Data.A"),
        ("Shop", "Global.Other", "Other.A"),
        ("Shop.Web", "shop.web.Forms", "shop.web.Forms.A"),
        ("", "Data", "Data.A"),
    ],
)
def test_the_namespace_of_the_project_stands_before_those_of_the_file(
    root: str, namespace: str, name: str
) -> None:
    inside = "Class A\nEnd Class"
    text = f"Namespace {namespace}\n{inside}\nEnd Namespace" if namespace else inside

    assert [one.qualified_name for one in symbols_of(text, root=root)] == [name]


def test_chunks_have_the_keys_of_csharp_and_the_text_of_the_file() -> None:
    found = parsed(SHOP, root="Shop", max_chars=200)

    chunk = next(one for one in found.chunks if one.member == "Drop")
    assert (chunk.object_id, chunk.node_key) == ("cs:Shop.Orders.Drop", "csharp:Shop.Orders.Drop|METHOD")
    assert (chunk.cs_key, chunk.class_name, chunk.file_type) == ("Shop.Orders.Drop", "Orders", "vb")
    assert chunk.text.strip().startswith("Friend Sub Drop(id As Integer)")
    assert found.chunks[0].text.startswith("Imports System.Data.SqlClient")
    assert not any(one.text.strip() in ("End Class", '#Region "More"', "#End Region") for one in found.chunks)


def test_sql_in_strings_has_chunks_of_its_own() -> None:
    inline = [one for one in parsed(SHOP, root="Shop").chunks if one.file_type == "inline_sql"]

    assert [(one.object_id, one.start_line, one.end_line) for one in inline] == [
        ("sql:inline:Shop.Orders.Find", 15, 16)
    ]


def test_what_designers_write_is_generated() -> None:
    assert classify("Shop/Form.Designer.vb", "Class A\nEnd Class").file_class == "generated"


def test_what_cannot_be_read_is_shown_as_it_is_written() -> None:
    problems = parsed("Class A\nSub M()\nx = )( Mod Mod\nEnd Sub\nEnd Class").problems

    assert [(one.line, one.message) for one in problems] == [(3, "cannot read: x = )( Mod Mod")]


@given(
    st.text(
        alphabet="AbSub Function Class\n\n\"'<>(){}.,:=&_#$If Then Else End With New From In Select",
        max_size=300,
    )
)
@settings(max_examples=150, deadline=None)
def test_no_text_is_too_odd(text: str) -> None:
    assert translated(text).text.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "(" * 50_000,
        "x = " + "If(a, " * 20_000,
        "If a Then " * 10_000,
        "Class A\n" * 20_000,
        "x = <a>" * 20_000,
        'x = "' * 20_001,
        'x = $"{' * 20_000,
        "TypeOf " * 30_000,
        "Run(Sub()\n" * 10_000,
        "x = 1 : " * 30_000,
        "x = a &\n" + "' why\n" * 30_000,
        "x = From a In b " * 5_000,
        "<A> " * 20_000 + "Class B",
        "<" * 50_000,
        "a." * 50_000,
        "New " * 20_000,
        "Dim " + "a, " * 30_000,
        "x(" + "1, " * 30_000,
        "Imports " + "a," * 15_000,
        'x = $"{a\n' * 20_000,
        ("x = <a>" + "<%=" * 30_000 + "</a>\n") * 10,
        ("x = <a>" + "<!--" * 20_000 + "</a>\n") * 10,
        'x = $"{f(' + "a," * 49_000 + 'a)}"',
    ],
)
def test_hostile_text_takes_no_longer_than_its_size(text: str) -> None:
    began = process_time()

    parsed(f"Class A\nSub M()\n{text}\nEnd Sub\nEnd Class")

    assert process_time() - began < 20
