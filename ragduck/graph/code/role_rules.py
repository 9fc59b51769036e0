"""Find what part types and others play, or find it again: each rule by what it looks at itself.

Most of it is told by types and what they derive from. Where members changed, that is said anew of their types, and of
those below them; of all others what was said holds. The rest looks at statements, and there at few files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeAlias

from ragduck.facts import FileFacts, MemberFact
from ragduck.graph.code.application_services import is_service
from ragduck.graph.code.changed_types import OF_DECLARATIONS, types_for
from ragduck.graph.code.endpoints import endpoint_keys, functions_in, served_types
from ragduck.graph.code.enqueued_jobs import enqueued_in, enqueued_keys
from ragduck.graph.code.http_handlers import roles_of_handler
from ragduck.graph.code.implementations import Implementations
from ragduck.graph.code.jobs import entries, started_in
from ragduck.graph.code.nodes import file_key
from ragduck.graph.code.programs import MAIN, program_keys
from ragduck.graph.code.roles import (
    entity_keys,
    functions_of_tests,
    may_make_entity,
    roles_of_members,
    roles_of_types,
)
from ragduck.graph.code.web_forms import is_web_method, roles_in_forms, web_forms
from ragduck.graph.file_rows import Reach
from ragduck.graph.rule_memory import RuleMemory, Said, Terms, is_nothing
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.looks import ChangedMembers

ENTITIES, SERVED = "entities", "served"  # by which others go
TYPES, MEMBERS, FORMS = "roles", "member roles", "roles in forms"
PROGRAMS, ENQUEUED, ENDPOINTS = "programs", "enqueued jobs", "endpoints"
HANDLERS, JOBS, FUNCTIONS = "http handlers", "jobs", "functions"
BY_KEYS = (TYPES, MEMBERS, FORMS, PROGRAMS, ENQUEUED, ENDPOINTS)
BY_PAIRS = (HANDLERS, JOBS, FUNCTIONS)  # whose keys say which type or file tells it, and of what
OF_TYPES = (TYPES, FORMS, HANDLERS)  # which say what part types play, beside others
BY_NAMED_TYPES = OF_DECLARATIONS._replace(is_of_declarations=True)
BY_ENTITIES = BY_NAMED_TYPES._replace(after=(ENTITIES,))
_Roles: TypeAlias = Mapping[str, str]
_Told: TypeAlias = Iterator[tuple[str, Iterable[tuple[str, str]]]]  # roles by what tells them


class RoleRules:
    """The rules that say what part files, types and members play."""

    def __init__(self, catalog: Catalog, memory: RuleMemory, implementations: Implementations) -> None:
        self._catalog = catalog
        self._memory = memory
        self._implementations = implementations

    def read(self) -> _Roles:
        """Return all roles by the keys of what has them; where several rules say one, the last counts."""
        of_types = self._of_types()
        return {
            **self._programs(),
            **self._by_pairs(JOBS, self._jobs),
            **self._enqueued(),
            **of_types,
            **self._of_members(of_types),
            **self._by_pairs(HANDLERS, self._handlers),
            **self._in_forms(),
            **self._endpoints(),
            **self._by_pairs(FUNCTIONS, self._functions),
        }

    @property
    def differing(self) -> frozenset[str]:
        """The keys of what may play another part than it did."""
        pairs = self._memory.differing(BY_PAIRS)
        return self._memory.differing(BY_KEYS) | {json.loads(pair)[1] for pair in pairs}

    def _of_types(self) -> _Roles:
        catalog = self._catalog
        making = Terms(regards=may_make_entity, reach=Reach.OWN)
        entities = self._memory.words(
            ENTITIES, lambda: dict.fromkeys(entity_keys(catalog), ""), making
        ).keys()

        def said(changes: ChangedMembers | None) -> Said:
            types = types_for(changes, self._catalog)
            keys = {one.key for one in types}.union(changes.types if changes is not None else ())
            return Said(roles_of_types(catalog, types, entities=entities), keys.__contains__)

        return self._memory.words_in(TYPES, said, BY_ENTITIES)

    def _of_members(self, roles: _Roles) -> _Roles:
        catalog = self._catalog

        def said(changes: ChangedMembers | None) -> Said:
            types = types_for(changes, self._catalog)
            found = roles_of_members(catalog, types, roles)
            if changes is None:
                of_functions = dict.fromkeys(functions_of_tests(catalog), "TEST")
                return Said({**found, **of_functions}, lambda _: True)
            keys = {one.key for info in types for members in info.members.values() for one in members}
            keys.update(one.key for one in changes.members)
            return Said(found, keys.__contains__)

        return self._memory.words_in(MEMBERS, said, BY_ENTITIES)

    def _by_pairs(self, name: str, tell: Callable[[ChangedMembers | None], _Told]) -> _Roles:
        """Return what a rule says that tells it by types and files, of which several may say something of a key."""

        def said(changes: ChangedMembers | None) -> Said:
            told = {unit: list(roles) for unit, roles in tell(changes)}
            words = {json.dumps((unit, key)): role for unit, roles in told.items() for key, role in roles}
            units = told.keys() | (changes.types if changes is not None else frozenset())
            return Said(words, lambda pair: json.loads(pair)[0] in units)

        words = self._memory.words_in(name, said, BY_NAMED_TYPES)
        return {json.loads(pair)[1]: role for pair, role in words.items()}

    def _handlers(self, changes: ChangedMembers | None) -> _Told:
        for info in types_for(changes, self._catalog):
            yield info.key, roles_of_handler(self._catalog, info).items()

    def _jobs(self, changes: ChangedMembers | None) -> _Told:
        for info in types_for(changes, self._catalog):
            yield info.key, [(one.key, "JOB") for one in entries(self._catalog, info)]
        for file in self._files_of(changes):
            yield file_key(file.path), [(key, "JOB") for key in started_in(file)]

    def _functions(self, changes: ChangedMembers | None) -> _Told:
        for file in self._files_of(changes):
            yield file_key(file.path), [(key, "ACTION") for key in functions_in(self._catalog, file)]

    def _programs(self) -> _Roles:
        terms = Terms(regards=lambda member: member.name == MAIN, reach=Reach.OWN)
        return self._memory.words(
            PROGRAMS, lambda: dict.fromkeys(program_keys(self._catalog), "PROGRAM"), terms
        )

    def _enqueued(self) -> _Roles:
        catalog, implementations = self._catalog, self._implementations
        terms = Terms(
            is_sharing=True,
            finds=lambda file, _: enqueued_in(catalog, file, implementations),
            regards=is_nothing,
        )
        return self._memory.words(
            ENQUEUED, lambda: dict.fromkeys(enqueued_keys(catalog, implementations), "JOB"), terms
        )

    def _endpoints(self) -> _Roles:
        catalog = self._catalog
        served = self._memory.words(
            SERVED, lambda: {info.key: "" for info in served_types(catalog)}, OF_DECLARATIONS
        )

        def is_listed(member: MemberFact) -> bool:
            owner = catalog.types.get(member.owner)
            return owner is None or owner.key in served or is_service(catalog, owner)

        terms = Terms(regards=is_listed)
        return self._memory.words(ENDPOINTS, lambda: dict.fromkeys(endpoint_keys(catalog), "ACTION"), terms)

    def _in_forms(self) -> _Roles:
        def is_handler(member: MemberFact) -> bool:
            return member.kind == "METHOD" and (is_web_method(member) or self._has_forms)

        terms = Terms(regards=is_handler, reach=Reach.OWN)
        return self._memory.words(FORMS, lambda: roles_in_forms(self._catalog), terms)

    def _files_of(self, changes: ChangedMembers | None) -> Iterable[FileFacts]:
        files = self._catalog.files
        if changes is None:
            return files.values()
        return [files[path] for path in (changes.paths if changes.reached is None else changes.reached)]

    @cached_property
    def _has_forms(self) -> bool:
        return any(True for _ in web_forms(self._catalog))
