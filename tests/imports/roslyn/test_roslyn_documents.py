"""What the records of a bundle become: documents, chunks, names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ragduck.imports.contract import Imported
from ragduck.model import Chunk, ParsedDocument

Read = Callable[[Any], Imported]


def chunks_of(imported: Imported) -> dict[tuple[str, int], Chunk]:
    return {
        (chunk.object_id, chunk.chunk_part): chunk
        for document in imported.documents
        for chunk in document.chunks
    }


def documents_of(imported: Imported) -> dict[str, ParsedDocument]:
    return {document.document.path: document for document in imported.documents}


def rules(imported: Imported) -> set[str]:
    return {finding.rule for finding in imported.findings}


def test_chunks_are_exactly_the_lines_that_they_name(imported: Read, shop_bundle: Any) -> None:
    for document in documents_of(imported(shop_bundle)).values():
        lines = document.document.lines
        for chunk in document.chunks:
            assert chunk.text == "\n".join(lines[chunk.start_line - 1 : chunk.end_line])


def test_members_have_the_names_of_the_own_parser(imported: Read, shop_bundle: Any) -> None:
    chunk = chunks_of(imported(shop_bundle))["cs:Shop.Services.OrderService.Load", 0]

    assert chunk.node_key == "csharp:Shop.Services.OrderService.Load|METHOD"
    assert chunk.cs_key == "Shop.Services.OrderService.Load"
    assert (chunk.class_name, chunk.member, chunk.member_kind) == ("OrderService", "Load", "Method")
    assert (chunk.data_type, chunk.file_type, chunk.visibility) == ("regular_code", "cs", "private")
    assert chunk.signature == "void OrderService.Load()"


def test_header_is_left_out_of_the_text(imported: Read, shop_bundle: Any) -> None:
    chunk = chunks_of(imported(shop_bundle))["cs:Shop.Services.OrderService.Load", 0]

    assert chunk.text == "        private void Load() { Run(sql); }"


def test_overloads_are_parts_of_one_object(imported: Read, shop_bundle: Any) -> None:
    chunks = chunks_of(imported(shop_bundle))
    first, second = (chunks["cs:Shop.Services.OrderService.Place", part] for part in (0, 1))

    assert first.chunk_total == second.chunk_total == 2
    assert (first.signature, second.signature) == (
        "void OrderService.Place()",
        "void OrderService.Place(int id)",
    )


def test_members_of_a_file_are_in_order_of_their_ids_with_a_blank_line_between(
    imported: Read, code_bundle: Callable[..., Any], make_member: Callable[..., Any]
) -> None:
    second, first = (
        make_member(number, "Shop", "Tax", f"M{number}", f"void M{number}();") for number in (10, 9)
    )
    document = documents_of(imported(code_bundle(second, first)))["src/Shop.Services/Tax.cs"]

    assert document.document.text == "        void M9();\n\n        void M10();"


@pytest.mark.parametrize("declaration", ["namespace Shop.Tax;\n", "namespace Shop.Tax\n{\n"])
def test_namespace_is_read_off_the_text_where_the_header_has_none(
    imported: Read, code_bundle: Callable[..., Any], make_member: Callable[..., Any], declaration: str
) -> None:
    read = imported(code_bundle(make_member(1, "NoNamespace", "Rate", "Of", f"{declaration}int Of() => 1;")))

    assert ("cs:Shop.Tax.Rate.Of", 0) in chunks_of(read)
    assert "NoNamespace" in rules(read)


def test_namespace_is_taken_from_the_entity_of_the_same_name(
    imported: Read, shop_bundle: Any, make_member: Callable[..., Any]
) -> None:
    shop_bundle.chunks.append(make_member(20, "NoNamespace", "Order", "Sum", "int Sum() => 1;"))

    assert ("cs:Shop.Data.Order.Sum", 0) in chunks_of(imported(shop_bundle))


def test_member_without_any_namespace_is_kept_under_its_class(
    imported: Read, code_bundle: Callable[..., Any], make_member: Callable[..., Any]
) -> None:
    read = imported(code_bundle(make_member(1, "NoNamespace", "Rate", "Of", "int Of() => 1;")))

    assert ("cs:Rate.Of", 0) in chunks_of(read)


def test_class_of_a_struct_member_is_read_off_its_signature(
    imported: Read, code_bundle: Callable[..., Any], make_member: Callable[..., Any]
) -> None:
    core = "decimal Money.Add(Money other)"
    read = imported(code_bundle(make_member(1, "Shop", "NoClass", "Add", "decimal Add();", core=core)))

    assert ("cs:Shop.Money.Add", 0) in chunks_of(read)
    assert "NoClass" in rules(read)


def test_nested_types_are_told_by_their_full_name(
    imported: Read, code_bundle: Callable[..., Any], make_member: Callable[..., Any]
) -> None:
    record = make_member(1, "Shop", "Inner", "Run", "void Run();", TypeFqn="Shop.Outer.Inner")
    read = imported(code_bundle(record))

    assert ("cs:Shop.Outer.Inner.Run", 0) in chunks_of(read)


def test_rollup_of_a_type_becomes_the_chunk_of_the_type(
    imported: Read, code_bundle: Callable[..., Any], make_member: Callable[..., Any]
) -> None:
    text = (
        "// Namespace: Shop\n// Type: Tax\n// TypeFqn: Shop.Tax\n// ChunkKind: type_rollup\n"
        "public sealed class Tax : Base\npublic int Rate { get; }"
    )
    record = make_member(
        1,
        "Shop",
        "Tax",
        "Tax",
        "",
        kind="TypeRollup",
        Text=text,
        TypeFqn="Shop.Tax",
        Signature="Shop.Tax#TYPE_ROLLUP",
    )
    chunk = chunks_of(imported(code_bundle(record)))["cs:Shop.Tax", 0]

    assert chunk.text == "public sealed class Tax : Base\npublic int Rate { get; }"
    assert (chunk.node_key, chunk.kind, chunk.element_type) == ("csharp:Shop.Tax|TYPE", "TYPE", "class")
    assert chunk.signature == "public sealed class Tax : Base"


def test_parts_of_a_long_method_are_parts_of_one_object(
    imported: Read, code_bundle: Callable[..., Any], make_member: Callable[..., Any]
) -> None:
    parts = [
        make_member(
            number, "Shop", "Tax", "Long", f"line{number}();", core=f"void Tax.Long() [part {number}/2]"
        )
        for number in (1, 2)
    ]
    chunks = chunks_of(imported(code_bundle(*parts)))

    assert [chunks["cs:Shop.Tax.Long", part].signature for part in (0, 1)] == ["void Tax.Long()"] * 2


def test_operator_is_named_as_the_own_parser_names_it(
    imported: Read, code_bundle: Callable[..., Any], make_member: Callable[..., Any]
) -> None:
    record = make_member(
        1, "Shop", "Money", "+", "public static Money operator +(Money a, Money b);", kind="Operator"
    )

    assert ("cs:Shop.Money.operator +", 0) in chunks_of(imported(code_bundle(record)))


def test_long_text_is_cut_at_lines_without_a_gap(
    imported: Read, code_bundle: Callable[..., Any], make_member: Callable[..., Any]
) -> None:
    code = "\n".join(f"    line {number} of a long method;" for number in range(200))
    chunks = list(chunks_of(imported(code_bundle(make_member(1, "Shop", "Tax", "Long", code)))).values())

    assert len(chunks) > 3
    assert [chunk.chunk_part for chunk in chunks] == list(range(len(chunks)))
    assert "\n".join(chunk.text for chunk in chunks).strip() == code.strip()


def test_database_objects_have_the_names_of_the_own_parser(imported: Read, shop_bundle: Any) -> None:
    chunk = chunks_of(imported(shop_bundle))["sql:shop::dbo.Order_Place", 0]

    assert (chunk.node_key, chunk.db_key) == ("dbo.Order_Place|PROC", "shop::dbo.Order_Place")
    assert (chunk.data_type, chunk.file_type, chunk.element_type) == ("db_code", "sql", "procedure")
    assert chunk.signature == "CREATE PROCEDURE dbo.Order_Place @CustomerId INT"


def test_objects_of_one_script_share_a_document(imported: Read, shop_bundle: Any) -> None:
    document = documents_of(imported(shop_bundle))["db/tables/001.sql"]

    assert [chunk.name for chunk in document.chunks] == ["Customer", "Order"]
    assert document.document.language == "sql"


def test_entity_is_the_chunk_of_its_class(imported: Read, shop_bundle: Any) -> None:
    chunk = chunks_of(imported(shop_bundle))["cs:Shop.Data.Order", 0]

    assert chunk.node_key == "csharp:Shop.Data.Order|TYPE"
    assert chunk.text.startswith("public class Order")


def test_migration_that_the_members_have_is_not_repeated(imported: Read, shop_bundle: Any) -> None:
    document = documents_of(imported(shop_bundle))["src/Shop.Services/AddAudit.cs"]

    assert [chunk.object_id for chunk in document.chunks] == ["cs:Shop.Data.AddAudit.Up"]
    assert document.document.file_class == "migration"
    assert (document.chunks[0].data_type, document.chunks[0].file_type) == ("db_code", "ef_migration")


def test_migration_that_no_member_has_is_added(imported: Read, shop_bundle: Any) -> None:
    shop_bundle.chunks = [record for record in shop_bundle.chunks if record["Member"] != "Up"]
    chunks = chunks_of(imported(shop_bundle))

    assert "CreateTable" in chunks["cs:Shop.Data.AddAudit.Up", 0].text


def test_inline_sql_of_a_join_is_taken_once(imported: Read, shop_bundle: Any) -> None:
    read = imported(shop_bundle)
    inline = [chunk for chunk in chunks_of(read).values() if chunk.file_type == "inline_sql"]

    assert [chunk.object_id for chunk in inline] == ["sql:inline:Shop.Services.OrderService.Load"]
    assert inline[0].signature == "HotMethod, line 42"
    assert "duplicate inline SQL" in rules(read)


def test_inline_sql_lies_in_the_document_of_its_method(imported: Read, shop_bundle: Any) -> None:
    document = documents_of(imported(shop_bundle))["src/Shop.Services/OrderService.cs"]

    assert document.chunks[-1].file_type == "inline_sql"


def test_fake_records_get_true_names(imported: Read, fake_bundle: Any) -> None:
    read = imported(fake_bundle)
    chunks = chunks_of(read)

    assert ("cs:Fake.Program.Program.Main", 0) in chunks
    assert ("cs:Fake.Shipping.Ship.Run", 0) in chunks
    assert chunks["sql:Fake::dbo.proc_GetShipment", 0].node_key == "dbo.proc_GetShipment|PROC"
    assert "SQL: key" in rules(read)


def test_what_kept_readers_out_is_told(imported: Read, fake_bundle: Any) -> None:
    told = [finding for finding in imported(fake_bundle).findings if finding.rule == "AclTags"]

    assert [(finding.outcome, finding.line) for finding in told] == [("left out", 2), ("left out", 2)]
    assert "Warehouse" in told[0].message


def test_data_type_of_the_weaviate_importer_is_repaired(imported: Read, shop_bundle: Any) -> None:
    shop_bundle.bodies[0]["data_type"] = "sql_code"
    read = imported(shop_bundle)

    assert "sql_code" in rules(read)
    assert chunks_of(read)["sql:shop::dbo.Customer", 0].data_type == "db_code"


def test_text_of_a_record_without_body_is_read_from_its_file(imported: Read, shop_bundle: Any) -> None:
    shop_bundle.bodies[0].update(body="", bodyPath="docs/bodies/dbo.Customer.TABLE.sql")
    shop_bundle.extra["sql_code_bundle/docs/bodies/dbo.Customer.TABLE.sql"] = (
        "CREATE TABLE dbo.Customer (Id INT)"
    )

    assert "(Id INT)" in chunks_of(imported(shop_bundle))["sql:shop::dbo.Customer", 0].text


def test_member_that_several_builds_have_is_taken_once(
    imported: Read, code_bundle: Callable[..., Any], make_member: Callable[..., Any]
) -> None:
    records = [make_member(number, "Shop", "Tax", "Rate", "int Rate();") for number in (1, 2)]
    read = imported(code_bundle(*records))

    assert len(chunks_of(read)) == 1
    assert "duplicate member" in rules(read)
