"""Tell what the entities of a snapshot load when somebody looks at it."""

from __future__ import annotations

from ragduck.facts import CallFact, FileFacts, Member, Name
from ragduck.graph.code.roles import is_context
from ragduck.graph.entities.hibernate import is_used
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import argument, function_name

_PROXIES = "UseLazyLoadingProxies"
_OF_SIX = "System.Data.Entity"
_SWITCH = "LazyLoadingEnabled"
_LOAD = "Load"


def loads_lazily(catalog: Catalog) -> bool:
    """Say whether that is asked for, or is so by default: with NHibernate and contexts of Entity Framework 6."""
    if any(file.file_class == "source" for file in catalog.files_calling((_PROXIES,))) or is_used(catalog):
        return True
    of_six = [file for file in catalog.files.values() if _has_context_of_six(file, catalog)]
    return bool(of_six) and not any(map(_switches, of_six))


def loading_properties(catalog: Catalog) -> frozenset[str]:
    """Return the keys of properties that load themselves: `get => LazyLoader.Load(this, ref _lines)`."""
    return frozenset(
        fact.source
        for file in catalog.files_calling((_LOAD,))
        if file.language == "csharp" and file.file_class != "test"
        for fact in file.calls
        if _loads_itself(fact)
    )


def _loads_itself(fact: CallFact) -> bool:
    if function_name(fact.call) != _LOAD or not fact.source.endswith("|PROPERTY"):
        return False
    return argument(fact.call, 0) == Name("this") and len(fact.call.arguments) > 1


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
