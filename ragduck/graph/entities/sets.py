"""Find the sets through which code reaches tables: `DbSet<Order> Orders` of a context."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragduck.facts import FileFacts
from ragduck.graph.code import roles
from ragduck.graph.code.roles import entity_of_set
from ragduck.graph.types.catalog import Catalog, TypeInfo

SET_TYPES = frozenset(("DbSet", "IDbSet", "ITable", "Table", "ObjectSet", "IObjectSet", "DbQuery"))
_WRITTEN = re.compile(r"(?:[\w.]{0,200}\.)?(\w{1,20})<(.{1,300})>\??$", re.DOTALL)


class EntitySet(NamedTuple):
    """A set of a context: `csharp:Shop.ShopDbContext.Orders|DBSET` holds `Order`."""

    key: str
    entity: TypeInfo
    context: TypeInfo
    name: str
    file: FileFacts
    line: int


def held_type(written: str) -> str | None:
    """Return `Order` of `DbSet<Order>`; None for what is no set."""
    found = _WRITTEN.match(written)
    return found[2] if found is not None and found[1] in SET_TYPES else None


def find_sets(catalog: Catalog) -> Iterator[EntitySet]:
    """Yield the sets whose entity is declared in the snapshot, in order of keys."""
    for key in sorted(catalog.types):
        info = catalog.types[key]
        for member in (one for members in info.members.values() for one in members):
            entity = entity_of_set(catalog, member) if member.kind == "PROPERTY" else None
            if entity is not None:
                set_key = f"{member.key.rpartition('|')[0]}|DBSET"
                yield EntitySet(set_key, entity, info, member.name, catalog.home_of(member), member.line)


def is_model(info: TypeInfo, *, catalog: Catalog) -> bool:
    """Say whether a type is a context that runs: no interface or wrapper of one, and no fake of a test."""
    return roles.is_context(catalog, info) and not info.is_test


def rank_of(one: EntitySet, *, catalog: Catalog) -> tuple[bool, ...]:
    """Put sets of contexts first, as what other classes call theirs means nothing, and of these the ones that run."""
    context = one.context
    return not is_context(context, catalog=catalog), context.is_test, not is_model(context, catalog=catalog)


def is_context(info: TypeInfo, *, catalog: Catalog) -> bool:
    """Say whether a type is a database context, or an interface that stands for one."""
    return roles.is_context(catalog, info) or info.name.endswith("Context")
