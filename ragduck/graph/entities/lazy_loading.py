"""Tell whether the entities of a snapshot load what belongs to them when somebody looks at it."""

from __future__ import annotations

from ragduck.facts import FileFacts, Member
from ragduck.graph.code.roles import is_context
from ragduck.graph.types.catalog import Catalog

_PROXIES = "UseLazyLoadingProxies"
_OF_SIX = "System.Data.Entity"
_SWITCH = "LazyLoadingEnabled"


def loads_lazily(catalog: Catalog) -> bool:
    """Say whether that is asked for, or a context is one of Entity Framework 6, where it is so by default."""
    if any(file.file_class == "source" for file in catalog.files_calling((_PROXIES,))):
        return True
    of_six = [file for file in catalog.files.values() if _has_context_of_six(file, catalog)]
    return bool(of_six) and not any(map(_switches, of_six))


def _has_context_of_six(file: FileFacts, catalog: Catalog) -> bool:
    return (
        file.language == "csharp"
        and file.file_class != "test"
        and any(one.name == _OF_SIX for one in file.imports)
        and any(is_context(catalog, catalog.types[one.key]) for one in file.types)
    )


def _switches(file: FileFacts) -> bool:
    """Say whether a context sets lazy loading: what is the default is seldom written, so that is to turn it off."""
    return any(
        access.is_write and isinstance(access.expression, Member) and access.expression.name == _SWITCH
        for access in file.accesses
    )
