"""Find the class that an attribute of C# names: `[Audit]` is an `AuditAttribute`, whatever else is called Audit."""

from __future__ import annotations

from ragduck.facts import FileFacts
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef

ENDING = "Attribute"


def attribute_type(catalog: Catalog, written: str, *, file: FileFacts, owner: TypeInfo | None) -> TypeRef:
    """Say what an attribute means; what is no attribute has no info, but its type arguments."""
    name, bracket, arguments = written.partition("<")
    ref = catalog.resolve(f"{name}{ENDING}{bracket}{arguments}", file=file, owner=owner)
    if ref.info is not None:
        return ref
    ref = catalog.resolve(written, file=file, owner=owner)
    return ref if ref.info is None or _is_attribute(catalog, ref.info) else ref._replace(info=None)


def _is_attribute(catalog: Catalog, info: TypeInfo) -> bool:
    return info.name.endswith(ENDING) or any(one.name.endswith(ENDING) for one in catalog.ancestors(info))
