"""Tell clients of WCF, which derive from `ClientBase<IOrders>`, from the services behind a contract."""

from __future__ import annotations

from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.framework_members import WCF_CLIENTS


def is_client(catalog: Catalog, info: TypeInfo, contract: TypeInfo) -> bool:
    """Say whether a class hands the calls of a contract on to a service."""
    served = (
        ref.arguments[0].info
        for ref in catalog.ancestors(info)
        if ref.info is None and ref.name in WCF_CLIENTS and ref.arguments
    )
    return any(one is contract or _derives(catalog, one, contract) for one in served if one is not None)


def _derives(catalog: Catalog, info: TypeInfo, contract: TypeInfo) -> bool:
    return any(ref.info is contract for ref in catalog.ancestors(info))
