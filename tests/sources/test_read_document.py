"""Reading: encodings, line ends, and what is refused as no text."""

import codecs
import gzip
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.model import Document, SkippedFile, SourceFile
from ragduck.sources import read_document
from ragduck.sources.decode import Decoded, decode


def source_file(folder: Path, name: str, data: bytes) -> SourceFile:
    path = folder / name
    path.write_bytes(data)
    return SourceFile(
        path=name, absolute_path=str(path), size=len(data), mtime_ns=path.stat().st_mtime_ns, project="Shop"
    )


def text_of(data: bytes) -> str | None:
    decoded = decode(data)
    return decoded.text if decoded is not None else None


def test_a_document_carries_what_the_file_is(tmp_path: Path) -> None:
    file = source_file(tmp_path, "Order.cs", b"class Order { }\r\n")

    document = read_document(file)

    assert document == Document(
        path="Order.cs",
        text="class Order { }\n",
        language="csharp",
        file_type="cs",
        file_class="source",
        size=17,
        mtime_ns=file.mtime_ns,
        project="Shop",
    )


@pytest.mark.parametrize(
    "data",
    [
        "Größe, zażółć €".encode(),
        codecs.BOM_UTF8 + "Größe, zażółć €".encode(),
        codecs.BOM_UTF16_LE + "Größe, zażółć €".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "Größe, zażółć €".encode("utf-16-be"),
        codecs.BOM_UTF32_LE + "Größe, zażółć €".encode("utf-32-le"),
        "Größe, zażółć €".encode("utf-16-le"),
        "Größe, zażółć €".encode("utf-16-be"),
    ],
)
def test_unicode_is_recognised_with_and_without_a_mark(data: bytes) -> None:
    assert decode(data, code_page="cp1250") == Decoded("Größe, zażółć €")


def test_what_is_not_utf8_is_windows_1252() -> None:
    assert decode("Größe „viel“ – 5 €".encode("cp1252")) == Decoded("Größe „viel“ – 5 €", "cp1252")


@pytest.mark.parametrize(
    ("code_page", "text"), [("cp1250", "zażółć „gęślą”"), ("cp1251", "заказ"), ("gbk", "订单")]
)
def test_what_is_not_utf8_is_in_the_code_page_that_is_named(code_page: str, text: str) -> None:
    assert decode(text.encode(code_page), code_page=code_page) == Decoded(text, code_page)


@given(st.binary(), st.sampled_from(["cp1250", "gbk", "shift_jis", "utf-7", "utf-16"]))
def test_no_code_page_makes_text_that_cannot_be_stored(data: bytes, code_page: str) -> None:
    decoded = decode(data, code_page=code_page)

    assert decoded is None or decoded.text.encode("utf-8").decode("utf-8") == decoded.text


def test_bytes_that_windows_1252_leaves_undefined_are_kept() -> None:
    assert text_of(b"a \x81 \x8d \x8f \x90 \x9d \xff b") == "a \x81 \x8d \x8f \x90 \x9d ÿ b"


def test_every_kind_of_line_end_becomes_a_line_feed() -> None:
    assert text_of(b"a\r\nb\rc\nd\r\r\ne") == "a\nb\nc\nd\n\ne"


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_what_a_file_was_filled_up_with_is_no_text(mark: bytes) -> None:
    assert text_of(mark + "<Größe/>\n".encode() + bytes(7_000)) == "<Größe/>\n"


def test_the_last_letter_of_utf16_keeps_its_second_byte() -> None:
    assert text_of("select 1".encode("utf-16-le")) == "select 1"


@given(st.binary(max_size=400))
def test_decoding_any_bytes_gives_clean_text_or_none(data: bytes) -> None:
    text = text_of(data)

    assert text is None or not {"\r", "\0"} & set(text)
    assert text is None or text.encode("utf-8").decode("utf-8") == text


@given(st.text(max_size=400), st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-be"]))
def test_text_survives_its_encoding(text: str, encoding: str) -> None:
    printable = "".join(character for character in text if character >= " " and character != "\x7f")
    marked = codecs.BOM_UTF16_BE if encoding == "utf-16-be" else b""
    is_ambiguous = encoding == "utf-8" and printable.startswith("\ufeff")

    decoded = text_of(marked + printable.encode(encoding))

    assert is_ambiguous or decoded == printable


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)) * 4,
        b"MZ\x90\0\x03\0\0\0",
        gzip.compress(os.urandom(2_000)),
        b"text\0text",
        b"\x01\x02\x03\x04ok",
    ],
)
def test_binary_content_is_skipped_whatever_the_name(tmp_path: Path, data: bytes) -> None:
    result = read_document(source_file(tmp_path, "a.cs", data))

    assert result == SkippedFile("a.cs", "binary")


def test_a_form_feed_or_an_escape_does_not_make_text_binary() -> None:
    assert text_of(b"a\fb\x1b[1mc\x1a") == "a\fb\x1b[1mc\x1a"


@pytest.mark.parametrize("data", [b"", b" \r\n\t\n", codecs.BOM_UTF8])
def test_a_file_of_white_space_is_empty(tmp_path: Path, data: bytes) -> None:
    assert read_document(source_file(tmp_path, "a.cs", data)) == SkippedFile("a.cs", "empty")


@pytest.mark.parametrize("name", ["bundle.js", "site.css", "data.json"])
def test_a_bundle_is_minified_by_its_line_length(tmp_path: Path, name: str) -> None:
    result = read_document(source_file(tmp_path, name, b"a{b:c};" * 1_000))

    assert result == SkippedFile(name, "minified")


@pytest.mark.parametrize("name", ["seed.sql", "prose.md", "Big.cs"])
def test_long_lines_are_fine_where_people_write_them(tmp_path: Path, name: str) -> None:
    result = read_document(source_file(tmp_path, name, b"some words, " * 1_000))

    assert isinstance(result, Document)


def test_a_short_file_on_one_line_is_not_minified(tmp_path: Path) -> None:
    assert isinstance(read_document(source_file(tmp_path, "a.json", b'{"a": 1}' * 100)), Document)


def test_a_file_that_grew_past_every_limit_is_too_large(tmp_path: Path) -> None:
    file = replace(source_file(tmp_path, "a.sql", b"select 1;\n" * 300_000), size=10)

    result = read_document(file)

    assert isinstance(result, SkippedFile)
    assert result.reason == "too large"


def test_a_file_that_was_replaced_by_a_link_is_not_read(tmp_path: Path) -> None:
    source_file(tmp_path, "secret.cs", b"class Secret { }")
    file = source_file(tmp_path, "a.cs", b"class A { }")
    Path(file.absolute_path).unlink()
    Path(file.absolute_path).symlink_to("secret.cs")

    result = read_document(file)

    assert isinstance(result, SkippedFile)
    assert result.reason == "unreadable"


def test_a_file_that_became_a_pipe_does_not_block(tmp_path: Path) -> None:
    file = source_file(tmp_path, "a.cs", b"class A { }")
    Path(file.absolute_path).unlink()
    os.mkfifo(file.absolute_path)

    assert read_document(file) == SkippedFile("a.cs", "unreadable", "not a regular file")


def test_a_file_that_is_gone_is_unreadable(tmp_path: Path) -> None:
    file = source_file(tmp_path, "a.cs", b"class A { }")
    Path(file.absolute_path).unlink()

    assert read_document(file) == SkippedFile("a.cs", "unreadable", "No such file or directory")
