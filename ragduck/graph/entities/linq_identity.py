"""Tell what the managers of ASP.NET Identity do to tables: `userManager.AddToRoleAsync(user, "admin")`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from ragduck.facts import AccessFact, CallFact, Expression, Member, Mentions, Name, ObjectName, Typed
from ragduck.graph.entities.linq_operations import both
from ragduck.graph.entities.model import EntityModel
from ragduck.graph.types.catalog import TypeInfo, TypeRef
from ragduck.graph.types.chains import receiver_of
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.listed_members import names_by_written_type
from ragduck.graph.types.methods import lineage

RULE = "identity"
BY_MANAGER = 0.9
_HOLDS_MANAGER = re.compile(r"(?:User|Role)Manager\b")
_OWN = (None, Name("this"), Name("base"))
_ITSELF = ""  # the user or the role, beside the classes that hold what belongs to one

# Each of these ends with an update of the user or the role
_WRITES = {
    "UserManager": {
        _ITSELF: both(
            "Create Update Delete AddPassword ChangePassword RemovePassword ResetPassword ConfirmEmail SetEmail"
            " ChangeEmail SetUserName SetPhoneNumber ChangePhoneNumber SetTwoFactorEnabled SetLockoutEnabled"
            " SetLockoutEndDate AccessFailed ResetAccessFailedCount UpdateSecurityStamp"
        ),
        "IdentityUserRole": both("AddToRole AddToRoles RemoveFromRole RemoveFromRoles"),
        "IdentityUserClaim": both("AddClaim AddClaims RemoveClaim RemoveClaims ReplaceClaim"),
        "IdentityUserLogin": both("AddLogin RemoveLogin"),
        "IdentityUserToken": both(
            "SetAuthenticationToken RemoveAuthenticationToken ResetAuthenticatorKey"
            " GenerateNewTwoFactorRecoveryCodes RedeemTwoFactorRecoveryCode"
        ),
    },
    "RoleManager": {
        _ITSELF: both("Create Update Delete"),
        "IdentityRoleClaim": both("AddClaim RemoveClaim"),
    },
}
_READS = {
    "UserManager": {
        _ITSELF: both(
            "Find FindById FindByName FindByEmail FindByLogin GetUser GetUsersInRole GetUsersForClaim"
        )
        | {"Users"},
        "IdentityUserRole": both("GetRoles IsInRole GetUsersInRole"),
        "IdentityUserClaim": both("GetClaims GetUsersForClaim"),
        "IdentityUserLogin": both("GetLogins FindByLogin"),
        "IdentityUserToken": both("GetAuthenticationToken GetAuthenticatorKey CountRecoveryCodes"),
    },
    "RoleManager": {
        _ITSELF: both("FindById FindByName RoleExists") | {"Roles"},
        "IdentityRoleClaim": both("GetClaims"),
    },
}
_COLLECTIONS = frozenset(("Users", "Roles"))
_PARTS = frozenset(part for each in _READS.values() for part in each if part != _ITSELF)
_NAMES = frozenset(
    name
    for each in (_WRITES, _READS)
    for parts in each.values()
    for names in parts.values()
    for name in names
)


class Managed(NamedTuple):
    """What a manager reads or writes: the table of an entity, unless ``table`` is the key of another."""

    is_write: bool
    entity: TypeRef
    table: str = ""


class IdentityManagers:
    """The managers of users and roles that the framework brings along, and the classes derived from them."""

    def __init__(self, model: EntityModel) -> None:
        self._model = model
        self._classes = frozenset(self._names_of_classes())
        self._names = frozenset(self._names_of_managers())

    @property
    def told(self) -> object:
        """What is asked of it by name, and the tables that the framework's own classes have here."""
        schemas = [
            (info.key, self._model.declarations.default_schema(info))
            for info in self._model.mapped_entities()
        ]
        tables = [
            (part, schema, self._own_table(part, schema) or "")
            for schema in sorted({schema for _, schema in schemas})
            for part in sorted(_PARTS)
        ]
        derived = sorted((part, info.key if info is not None else "") for part, info in self._parts.items())
        return sorted(self._classes), sorted(self._names), schemas, tables, derived

    def may_use(self, name: str, receiver: Expression | None) -> bool:
        """Say whether a manager has a member of this name, or one that is the receiver: told by names alone."""
        return name in _NAMES or (isinstance(receiver, Member) and receiver.name in _COLLECTIONS)

    def may_be_among(self, named: Mentions) -> bool:
        """Say whether anything that a file names may be a member of a manager."""
        return not (_NAMES.isdisjoint(named.called) and _COLLECTIONS.isdisjoint(named.read))

    def uses(self, fact: CallFact | AccessFact, evaluator: Evaluator) -> Iterator[Managed]:
        """Yield what a call of a manager does; it is no call where `manager.Users` is only read."""
        if evaluator.file.file_class == "test":  # where managers are doubles
            return
        for one in _members(fact):
            name = one.name if isinstance(one, (Name, Member)) else ""
            receiver = one.receiver if isinstance(one, Member) else None
            manager = self._manager(receiver, name, evaluator) if name in _NAMES else None
            if manager is not None:
                yield from self._done(manager, name)

    def _manager(self, receiver: Expression | None, name: str, evaluator: Evaluator) -> TypeRef | None:
        """Return the framework's manager whose member it is, unless the code has a member of its own."""
        if receiver in _OWN:
            owner = evaluator.owner
            is_one = owner is not None and owner.name in self._classes
            ref = self._model.catalog.own(owner) if owner is not None and is_one else None
        else:
            is_one = receiver is not None and self._may_be_one(receiver)
            ref = evaluator.bound(evaluator.type_of(receiver)) if receiver is not None and is_one else None
        if ref is None or (receiver != Name("base") and evaluator.find(ref, name) is not None):
            return None
        kin = lineage(self._model.catalog, ref)
        return next((one for one in kin if one.info is None and one.name in _READS and one.arguments), None)

    def _may_be_one(self, receiver: Expression) -> bool:
        """Say whether it is worth asking for a type: told by names alone."""
        if isinstance(receiver, Typed):
            return self._holds_one(receiver.type)
        return isinstance(receiver, (Name, Member)) and receiver.name in self._names

    def _holds_one(self, written: str) -> bool:
        name = written.rpartition(".")[2].rstrip("?")
        return _HOLDS_MANAGER.search(written) is not None or name in self._classes

    def _names_of_classes(self) -> Iterator[str]:
        """Yield the names of the classes that are derived from managers."""
        for info in self._model.catalog.types.values():
            if any(_HOLDS_MANAGER.search(base) for one in info.declarations for base in one.bases):
                yield info.name
                yield from (one.name for one in self._model.catalog.derived(info))

    def _names_of_managers(self) -> Iterator[str]:
        """Yield the names of the members that hold managers."""
        for written, names in self._model.catalog.once(names_by_written_type):
            if self._holds_one(written):
                yield from names

    def _done(self, manager: TypeRef, name: str) -> Iterator[Managed]:
        entity = manager.arguments[0]
        written = [part for part, names in _WRITES[manager.name].items() if name in names]
        read = [part for part, names in _READS[manager.name].items() if name in names]
        for part in dict.fromkeys([_ITSELF, *written] if written else ()):
            yield from self._of_part(part, entity, is_write=True)
        for part in read:
            yield from self._of_part(part, entity, is_write=False)

    def _of_part(self, part: str, entity: TypeRef, *, is_write: bool) -> Iterator[Managed]:
        """Yield the table that holds the users or roles, or that of what belongs to them."""
        if part == _ITSELF:
            yield Managed(is_write, entity)
        elif part in self._parts:
            info = self._parts[part]
            if info is not None:
                yield Managed(is_write, TypeRef(info.name, info))
        elif entity.info is not None:
            schema = self._model.declarations.default_schema(entity.info)
            key = self._own_table(part, schema)
            if key is not None:
                yield Managed(is_write, entity, key)

    def _own_table(self, part: str, schema: str) -> str | None:
        """Return the key of the table that the framework keeps a class of its own in, where it is defined."""
        return self._model.existing_key(ObjectName(f"AspNet{part.removeprefix('Identity')}s", schema))

    @cached_property
    def _parts(self) -> Mapping[str, TypeInfo | None]:
        """Return the entities that are derived from the framework's; None where several are from one."""
        found: dict[str, TypeInfo | None] = {}
        for info in self._model.mapped_entities():
            for ref in self._model.catalog.ancestors(info):
                if ref.info is None and ref.name in _PARTS:
                    found[ref.name] = None if ref.name in found else info
        return found


def _members(fact: CallFact | AccessFact) -> Iterator[Expression]:
    """Yield the member that is called, and what it is called on; or the member that is read."""
    if isinstance(fact, AccessFact):
        yield fact.expression
        return
    yield fact.call.function
    receiver = receiver_of(fact.call)
    if isinstance(receiver, Member):
        yield receiver
