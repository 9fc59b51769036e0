"""Tell whether the code of a snapshot names tables after classes rather than after sets."""

from __future__ import annotations

from ragduck.facts import Call, Expression, Member
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import argument, function_name

_PLURALS = ("PluralizingTableNameConvention", "TableNameFromDbSetConvention")
_SETS_NAME = frozenset(("SetTableName", "ToTable"))
_NAMES = _SETS_NAME | {"Remove"}


def names_after_classes(catalog: Catalog) -> bool:
    """Say whether a convention is taken away that makes plurals, or one is written that takes the name of the class.

    `conventions.Remove<PluralizingTableNameConvention>()`, `entity.SetTableName(entity.ClrType.Name)`.
    """
    return any(
        _says_so(fact.call)
        for file in catalog.files_calling(_NAMES)
        if file.language == "csharp" and file.file_class == "source"
        for fact in file.calls
        if function_name(fact.call) in _NAMES
    )


def _says_so(call: Call) -> bool:
    if function_name(call) in _SETS_NAME:
        return _is_class_name(argument(call, 0))
    return any(one.rpartition(".")[2] in _PLURALS for one in call.type_arguments)


def _is_class_name(value: Expression) -> bool:
    if isinstance(value, Call):
        return function_name(value) in ("DisplayName", "ShortName") and not value.arguments
    of_type = value.receiver if isinstance(value, Member) and value.name == "Name" else None
    return isinstance(of_type, Member) and of_type.name == "ClrType"
