"""Find the entities that a method loads, changes and saves: `order.Status = Paid; db.SaveChanges();`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ragduck.facts import (
    AccessFact,
    Call,
    CallFact,
    Expression,
    FileFacts,
    Member,
    Mentions,
    Name,
    StatementFacts,
    Typed,
    UseFact,
)
from ragduck.graph.code.senders import called
from ragduck.graph.entities.builders import element_type
from ragduck.graph.entities.linq_foreign import ForeignRepositories
from ragduck.graph.entities.linq_operations import COPIES
from ragduck.graph.entities.linq_saving import Savers
from ragduck.graph.entities.linq_sets import Held, SetReader
from ragduck.graph.entities.linq_setters import ParameterSetters
from ragduck.graph.entities.model import EntityModel
from ragduck.graph.entities.saved_around import makers, saves_around
from ragduck.graph.file_rows import FileRows
from ragduck.graph.types.catalog import TypeInfo, TypeRef
from ragduck.graph.types.chains import function_name, inward
from ragduck.graph.types.expressions import Evaluator

TRACKED = 0.6
GIVEN = 0.5  # by a caller, who may have loaded it
_NOTIFICATIONS = frozenset(("PropertyChanged", "PropertyChanging"))  # events of foreign base classes


class Tracking:
    """Know which objects a context keeps track of, and which methods of entities change them."""

    def __init__(
        self, model: EntityModel, sets: SetReader, repositories: ForeignRepositories, *, rows: FileRows
    ) -> None:
        self.savers = Savers(model.catalog)
        self._catalog = model.catalog
        self._model = model
        self._sets = sets
        self._repositories = repositories
        self._rows = rows

    @property
    def told(self) -> object:
        """What saves changes, and which methods change or make entities."""
        changing = self.setters.told, sorted(self._setters), sorted(self._makers)
        return self.savers.told, self.is_saved_around, *changing

    @cached_property
    def setters(self) -> ParameterSetters:
        """Return the methods that change an entity which they are given."""
        return ParameterSetters(self._catalog, self._model.mappings.keys(), keeps=self.keeps)

    @cached_property
    def is_saved_around(self) -> bool:
        """Say whether changes are saved around the code that makes them."""
        return saves_around(self._catalog, self.savers)

    def is_setter(self, name: str) -> bool:
        """Say whether methods of some entity that have this name set its properties."""
        return name in self._names

    def changes_itself(self, info: TypeInfo | None, name: str) -> bool:
        """Say whether a method of an entity sets properties of it."""
        return info is not None and any(
            member.key in self._setters for member in self._catalog.members(info, name)
        )

    def keeps(self, info: TypeInfo | None, name: str) -> bool:
        """Say whether what is set may go to a table: no event that somebody subscribes to."""
        members = self._catalog.members(info, name) if info is not None else []
        return name not in _NOTIFICATIONS and all(one.element_type != "event" for one in members)

    def is_entity(self, ref: TypeRef | None) -> bool:
        """Say whether a type has a table."""
        return ref is not None and ref.info is not None and ref.info.key in self._model.mappings

    def held(self, expression: Expression, evaluator: Evaluator) -> Held | None:
        """Return what an expression holds that is a set."""
        return self._sets.held(expression, evaluator)

    def loads(self, expression: Expression, evaluator: Evaluator) -> bool:
        """Say whether a call hands out entities: of a repository, or of another method of the snapshot."""
        if not isinstance(expression, Call) or not self._hands_out_entities(expression, evaluator):
            return False
        if called(expression, evaluator) is not None:
            return True
        return any(not is_write for is_write, _ in self._repositories.uses(expression, evaluator))

    def makes(self, expression: Expression, evaluator: Evaluator) -> bool:
        """Say whether a method hands out what it has made, or what no context keeps track of."""
        found = called(expression, evaluator) if isinstance(expression, Call) else None
        return found is not None and any(member.key in self._makers for member in found.members)

    @cached_property
    def _makers(self) -> frozenset[str]:
        entities = {one.key: one.name for one in self._model.mapped_entities()}
        return frozenset(makers(self._catalog, entities, rows=self._rows))

    def _hands_out_entities(self, call: Call, evaluator: Evaluator) -> bool:
        ref = evaluator.type_of(call)
        return ref is not None and self.is_entity(element_type(ref))

    @cached_property
    def _setters(self) -> frozenset[str]:
        files: dict[str, FileFacts] = {}
        for entity in self._model.mapped_entities():
            for info in (entity, *(ref.info for ref in self._catalog.ancestors(entity))):
                files |= {file.path: file for file in info.files} if info is not None else {}
        return frozenset(
            access.source for file in files.values() for access in file.accesses if _sets_own(access)
        )

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(_member_name(source) for source in self._setters)


class _Local(NamedTuple):
    """A local of one declaration."""

    source: str
    name: str


class TrackedReader:
    """Find the entities that the declarations of one file change and save."""

    def __init__(
        self,
        statements: StatementFacts,
        tracking: Tracking,
        *,
        within: Callable[[str], Evaluator],
        named: Mentions,
    ) -> None:
        self._statements = statements
        self._tracking = tracking
        self._within = within
        self._made_in: dict[str, dict[str, int]] = {}
        may_save = tracking.savers.may_save(named.called)
        self.saving = tracking.savers.sources(statements, within) if may_save else frozenset()

    def entity(self, expression: Expression, fact: AccessFact | CallFact) -> Held | None:
        """Return the entity that is changed, if its context tracks it and the same declaration saves.

        Where a system saves around its code, what a declaration has loaded itself will be saved, too.
        """
        if not self.may_save(fact.source):
            return None
        evaluator = self._within(fact.source)
        held = self._tracked(expression, fact, evaluator=evaluator)
        if held is None or fact.source in self.saving:
            return held
        is_loaded = held.confidence > GIVEN and evaluator.file.file_class != "test"
        return held._replace(confidence=GIVEN) if is_loaded else None

    @property
    def may_save_some(self) -> bool:
        """Whether what any declaration of the file changes may be saved."""
        return bool(self.saving) or self._tracking.is_saved_around

    def may_save(self, source: str) -> bool:
        """Say whether what a declaration changes may be saved, by itself or around it."""
        return source in self.saving or self._tracking.is_saved_around

    def _tracked(
        self, expression: Expression, fact: AccessFact | CallFact, *, evaluator: Evaluator
    ) -> Held | None:
        for one in inward(expression):
            if isinstance(one, Call) and function_name(one) in COPIES:
                return None
            held = self._tracking.held(one, evaluator)
            if held is not None:
                ref = evaluator.type_of(expression)
                is_kept = ref is not None and (ref.info is None or self._tracking.is_entity(ref))
                return Held(ref, TRACKED, held.context) if ref is not None and is_kept else None
            confidence = self._confidence(one, fact, evaluator=evaluator)
            if confidence:
                ref = evaluator.type_of(expression)
                is_kept = self._tracking.is_entity(ref) and not self._is_made(one, fact, evaluator=evaluator)
                return Held(ref, confidence) if ref is not None and is_kept else None
        return None

    def _confidence(
        self, expression: Expression, fact: AccessFact | CallFact, *, evaluator: Evaluator
    ) -> float:
        """Say how sure it is that an entity is tracked which comes from no set of the method; 0 if it is not."""
        if evaluator.file.file_class == "test":
            return 0
        if not isinstance(expression, Typed):
            return TRACKED if self._loads(expression, fact.source, evaluator=evaluator) else 0
        ref = evaluator.type_of(expression)
        if ref is None or not self._tracking.is_entity(element_type(ref)):
            return 0
        results = self._results[_Local(fact.source, expression.name)] if expression.name else ()
        if not results:
            return GIVEN
        if any(function_name(one) in COPIES for one in results):
            return 0
        is_loaded = any(
            self._tracking.held(part, evaluator) is not None
            or self._loads(part, fact.source, evaluator=evaluator)
            for one in results
            for part in inward(one)
        )
        return TRACKED if is_loaded else 0

    def _loads(self, expression: Expression, source: str, *, evaluator: Evaluator) -> bool:
        """Say whether a call hands out entities; where it is saved elsewhere, also that it has not made them."""
        if not self._tracking.loads(expression, evaluator):
            return False
        return source in self.saving or not self._tracking.makes(expression, evaluator)

    def _is_made(self, root: Expression, fact: AccessFact | CallFact, *, evaluator: Evaluator) -> bool:
        """Say whether the declaration has made such an entity before, which may be the one that is changed."""
        ref = evaluator.type_of(root)
        info = element_type(ref).info if ref is not None else None
        if info is None:
            return False
        return self._first_made(fact.source, evaluator).get(info.key, fact.line + 1) <= fact.line

    def _first_made(self, source: str, evaluator: Evaluator) -> Mapping[str, int]:
        """Return the first line on which a declaration makes an object, by the type's key."""
        known = self._made_in.get(source)
        if known is None:
            known = self._made_in[source] = {}
            for use in self._made.get(source, ()):
                info = evaluator.resolve(use.type).info
                if info is not None:
                    known[info.key] = min(use.line, known.get(info.key, use.line))
        return known

    @cached_property
    def _results(self) -> defaultdict[_Local, list[Call]]:
        """Return the calls whose results locals hold."""
        found: defaultdict[_Local, list[Call]] = defaultdict(list)
        for fact in self._statements.calls:
            if fact.assigned_to:
                found[_Local(fact.source, fact.assigned_to)].append(fact.call)
        return found

    @cached_property
    def _made(self) -> Mapping[str, Sequence[UseFact]]:
        """Return what each declaration makes with `new`."""
        found: defaultdict[str, list[UseFact]] = defaultdict(list)
        for use in self._statements.uses:
            if use.how == "new":
                found[use.source].append(use)
        return found


def _sets_own(access: AccessFact) -> bool:
    expression = access.expression
    if isinstance(expression, Member):
        expression = expression.receiver
        return access.is_write and isinstance(expression, Name) and expression.name == "this"
    return access.is_write and isinstance(expression, Name) and access.source.endswith("|METHOD")


def _member_name(key: str) -> str:
    return key.rpartition("|")[0].rpartition(".")[2]
