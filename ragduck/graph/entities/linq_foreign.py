"""Tell what a repository of a package does, whose source is not here, by its type and the method's name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ragduck.facts import Call, Expression, Member, Mentions, Name, Typed
from ragduck.graph.entities.micro_orms import QUERY_PROPERTIES, is_select
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.chains import function_name, receiver_of
from ragduck.graph.types.declarations import is_interface_name
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.externals import HANDS_OUT_REPOSITORY
from ragduck.graph.types.framework_members import CRUD_REPOSITORIES
from ragduck.graph.types.listed_members import names_by_written_type
from ragduck.graph.types.methods import lineage

BY_NAME = 0.8

_HOLDS_REPOSITORY = re.compile(r"Repositor(?:y|ies)|SimpleClient")
_REPOSITORY = re.compile(r"^I?(?:\w{0,100}Repository(?:Base|Async)?|SimpleClient)$")  # the last of SqlSugar
_READS = re.compile(
    r"^(?!(?:GetType|GetHashCode)$)(?:Get|Find|List|First|Single|Last|Any|All|Count|LongCount|Exists|Query|Load|Search"
    r"|AsAsyncEnumerable|AsQueryable|IsAny|Queryable|Where)"
    r"(?=[A-Z]|$)"
)
_WRITES = re.compile(
    r"^(?:Add|Insert|Update|Upsert|Delete|Remove|Merge|Bulk(?:Insert|Update|Delete)"
    r"|(?:As)?(?:Insertable|Updateable|Deleteable))(?=[A-Z]|$)"
)


_BARE = re.compile(  # the ones that packages have: others that begin so may be helpers of a base class
    r"(?:Get|GetById|GetAll|GetList|GetFirst|GetSingle|GetPageList|Find|FindById|FindAll|First|FirstOrDefault|Single"
    r"|SingleOrDefault|Any|IsAny|All|Count|LongCount|Exists|List|Query|Queryable|AsQueryable|Where"
    r"|Add|AddRange|Remove|RemoveRange|Upsert|AsInsertable|AsUpdateable|AsDeleteable|Insertable|Updateable|Deleteable"
    r"|Insert(?:Range|Many|OrUpdate|Return\w{1,30})?|Update(?:Range|Many|SetColumnsTrue)?"
    r"|Delete(?:Range|Many|All|ByIds?)?)(?:Async)?"
)
_HANDED_OUT = QUERY_PROPERTIES | HANDS_OUT_REPOSITORY
_OWN = (None, Name("this"), Name("base"))


class ForeignRepositories:
    """Repositories that packages bring along: `IRepositoryBase<Order>`, or an own interface derived from one."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._own: dict[str, bool] = {}
        derived = (
            info for info in catalog.types.values() if info.declarations[0].bases and self.is_one(info)
        )
        self._classes = frozenset(info.name for info in derived)
        self._has_own = any(map(self.is_one, catalog.types.values()))
        self._names = frozenset((*CRUD_REPOSITORIES, *self._names_of_repositories()))

    @property
    def told(self) -> object:
        """What is asked of it by name."""
        return sorted(self._classes), self._has_own, sorted(self._names)

    def uses(self, call: Call, evaluator: Evaluator) -> Iterator[tuple[bool, TypeRef]]:
        """Yield what a call reads, or writes where the first part holds, if it is one of a foreign repository."""
        name, receiver = function_name(call), receiver_of(call)
        if isinstance(receiver, (Name, Member)) and is_select(receiver):
            name = receiver.name
            receiver = receiver.receiver if isinstance(receiver, Member) else None
        elif not self.may_use(name, receiver):
            return
        ref = self._receiver(receiver, evaluator)
        if ref is None or evaluator.find(ref, name) is not None:
            return
        if evaluator.file.file_class == "test" and _is_interface(ref):
            return  # where interfaces stand for doubles
        for one in lineage(self._catalog, ref):
            if one.info is None and _is_repository(one):
                yield _WRITES.match(name) is not None, one.arguments[0]
                return

    def may_use(self, name: str, receiver: Expression | None) -> bool:
        """Say whether it is worth asking what a call is of: told by names alone."""
        if not _may_be_called(name):
            return False
        if receiver in _OWN:
            return _is_bare(name)
        return receiver is not None and (is_select(receiver) or self._may_be_one(receiver))

    def may_be_among(self, named: Mentions) -> bool:
        """Say whether anything that a file names may be a repository of a package, or a class derived from one."""
        if not any(map(_may_be_called, named.called)):
            return False
        if not (self._names.isdisjoint(named.read) and _HANDED_OUT.isdisjoint(named.read)):
            return True
        return self._has_own or any(map(self._holds_one, named.typed))

    def is_one(self, info: TypeInfo | None) -> bool:
        """Say whether a class is derived from a repository of a package: a bare call may be that one's."""
        if info is None:
            return False
        if info.key not in self._own:
            kin = self._catalog.ancestors(info)
            self._own[info.key] = any(
                one.info is None and _is_repository(one) and not is_interface_name(one.name) for one in kin
            )
        return self._own[info.key]

    def _receiver(self, receiver: Expression | None, evaluator: Evaluator) -> TypeRef | None:
        if receiver in _OWN:
            owner = evaluator.owner
            return self._catalog.own(owner) if owner is not None and self.is_one(owner) else None
        return evaluator.type_of(receiver) if receiver is not None and self._may_be_one(receiver) else None

    def _may_be_one(self, receiver: Expression) -> bool:
        """Say whether it is worth asking for a type: told by names alone."""
        if isinstance(receiver, Typed):
            return self._holds_one(receiver.type)
        if isinstance(receiver, Call):
            return function_name(receiver) in HANDS_OUT_REPOSITORY
        return isinstance(receiver, (Name, Member)) and receiver.name in self._names

    def _holds_one(self, written: str) -> bool:
        name = written.rpartition(".")[2].rstrip("?")
        return _HOLDS_REPOSITORY.search(written) is not None or name in self._classes

    def _names_of_repositories(self) -> Iterator[str]:
        for written, names in self._catalog.once(names_by_written_type):
            if self._holds_one(written):
                yield from names


@lru_cache(maxsize=4096)
def _may_be_called(name: str) -> bool:
    """Say whether a method is called as those of repositories are."""
    return _WRITES.match(name) is not None or _READS.match(name) is not None


@lru_cache(maxsize=4096)
def _is_bare(name: str) -> bool:
    return _BARE.fullmatch(name) is not None


def _is_repository(ref: TypeRef) -> bool:
    return bool(ref.arguments) and _REPOSITORY.match(ref.name) is not None


def _is_interface(ref: TypeRef) -> bool:
    return ref.info.is_interface if ref.info is not None else is_interface_name(ref.name)
