"""Tell whether an expression is a set of entities, and of which: `_db.Orders`, `context.Set<Order>()`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragduck.facts import Call, Choice, Expression, FileFacts, Member, Mentions, Name, Typed
from ragduck.graph.code import roles
from ragduck.graph.entities.hibernate import opens_library
from ragduck.graph.entities.linq_operations import ENDS, OPENS_SESSION, SESSION_QUERY, SESSIONS, SET_CALLS
from ragduck.graph.entities.model import EntityModel
from ragduck.graph.entities.sets import SET_TYPES, held_type, is_context
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.chains import function_name, inward, receiver_of
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.listed_members import names_by_written_type

KNOWN = 0.95
ONLY_NAME = 0.6
_HOLDS_SET = re.compile(rf"\b(?:{'|'.join(sorted(SET_TYPES))})<")
_LIKE_CONTEXT = re.compile(r"(?:context|ctx|db|database)$", re.IGNORECASE)
_EXTERNAL_CONTEXTS = ("DbContext", "DataContext", "DataConnection", "ObjectContext")


class Held(NamedTuple):
    """What a set holds, and how sure that is."""

    ref: TypeRef
    confidence: float = KNOWN
    context: str = (
        ""  # key of the context that the set is of, where contexts keep the entity in several tables
    )


class SetReader:
    """Know the sets of a snapshot by name, to ask for types only where it may be worth it."""

    def __init__(self, catalog: Catalog, model: EntityModel) -> None:
        self._catalog = catalog
        self._model = model
        self._names = frozenset(_names_of_sets(catalog))
        self._contexts = {
            one.context.key
            for sets in model.declarations.sets.values()
            for one in sets
            if is_context(one.context, catalog=catalog)
        }
        self._by_name: dict[str, set[str]] = {}
        self._entities: dict[str, TypeInfo] = model.declarations.entities
        for sets in model.declarations.sets.values():
            for one in sets:
                self._by_name.setdefault(one.name, set()).add(one.entity.key)

    @property
    def told(self) -> object:
        """What answers depend on beside types: names of sets, and what those of contexts hold."""
        by_name = sorted((name, *sorted(keys)) for name, keys in self._by_name.items())
        return sorted(self._names), sorted(self._contexts), by_name, sorted(self._entities)

    def may_be_set(self, expression: Expression | None) -> bool:
        """Say whether it is worth asking what an expression holds: told by its last name alone."""
        if isinstance(expression, Call):
            name = function_name(expression)
            return name in self._names or name in SET_CALLS
        if isinstance(expression, (Name, Member)):
            return expression.name in self._names
        if isinstance(expression, Choice):
            return any(self.may_be_set(one) for one in expression.options[:4] if not isinstance(one, Choice))
        return isinstance(expression, Typed) and held_type(expression.type) is not None

    def may_be_among(self, named: Mentions) -> bool:
        """Say whether anything that a file names may be a set."""
        names = (*named.called, *named.read)
        if not (self._names.isdisjoint(names) and SET_CALLS.isdisjoint(names)):
            return True
        return any(held_type(written) is not None for written in named.typed)

    def held(self, expression: Expression | None, evaluator: Evaluator) -> Held | None:
        """Return what the set holds that an expression is; None for what is no set."""
        found = self._held(expression, evaluator)
        if found is None or not self._model.has_several(found.ref.info):
            return found
        if isinstance(expression, Call):
            owner = receiver_of(expression)
        else:
            owner = expression.receiver if isinstance(expression, Member) else None
        is_own = owner is None and isinstance(expression, (Name, Call))
        context = self.context_of(owner or Name("this"), found.ref, evaluator) if owner or is_own else ""
        return found._replace(context=context)

    def context_of(self, expression: Expression | None, entity: TypeRef, evaluator: Evaluator) -> str:
        """Return the key of the context that an expression is, or stands for, where it has a table of its own."""
        if expression is None or not self._model.has_several(entity.info):
            return ""
        ref = evaluator.bound(evaluator.type_of(expression))
        return self._model.context_like(ref.info, entity=entity.info) if ref is not None else ""

    def _held(self, expression: Expression | None, evaluator: Evaluator) -> Held | None:
        if isinstance(expression, Call):
            name = function_name(expression)
            if name in SET_CALLS and len(expression.type_arguments) == 1:
                return Held(evaluator.resolve(expression.type_arguments[0]))
            return self._by_type(expression, evaluator) if name in self._names else None
        if isinstance(expression, (Name, Member)) and expression.name in self._names:
            return self._by_type(expression, evaluator) or self._by_only_name(expression, evaluator)
        if isinstance(expression, Typed):
            written = held_type(expression.type)
            return Held(evaluator.resolve(written)) if written else None
        if isinstance(expression, Choice):
            found = (self.held(option, evaluator) for option in expression.options[:4])
            return next((one for one in found if one is not None), None)
        return None

    def held_at_root(self, expression: Expression, evaluator: Evaluator) -> tuple[Held, Expression] | None:
        """Return the set that a query is made over, and the part of the query that is next to it."""
        above = expression
        for one in inward(expression):
            if isinstance(one, Call) and function_name(one) in ENDS:
                return None
            found = self.held(one, evaluator)
            if found is not None:
                return found, above
            if isinstance(one, Call):
                above = one
        return None

    def is_context(self, expression: Expression | None, evaluator: Evaluator) -> bool:
        """Say whether an expression is a database context, or a session of NHibernate."""
        if expression is None:
            return False
        if isinstance(expression, Call) and function_name(expression) in OPENS_SESSION:
            return True
        ref = evaluator.bound(evaluator.type_of(expression))
        if ref is None:
            return False
        if ref.info is None:
            is_session = ref.name in SESSIONS and opens_library(self._catalog, evaluator.file)
            return is_session or ref.name.endswith(_EXTERNAL_CONTEXTS)
        return ref.info.key in self._contexts or roles.is_context(self._catalog, ref.info)

    def is_query(self, expression: Expression, evaluator: Evaluator) -> bool:
        """Say whether an expression is the query `session.Query<Order>()`."""
        return (
            isinstance(expression, Call)
            and function_name(expression) == SESSION_QUERY
            and not expression.arguments
            and len(expression.type_arguments) == 1
            and self.is_context(receiver_of(expression), evaluator)
        )

    def _by_type(self, expression: Expression, evaluator: Evaluator) -> Held | None:
        ref = evaluator.type_of(expression)
        if ref is None or ref.info is not None or ref.name not in SET_TYPES or not ref.arguments:
            return None
        return Held(ref.arguments[0])

    def _by_only_name(self, expression: Name | Member, evaluator: Evaluator) -> Held | None:
        """Trust a name that only one set has, on something that is called a context but of unknown type."""
        keys = self._by_name.get(expression.name, set())
        if len(keys) != 1 or not isinstance(expression, Member):
            return None
        receiver = expression.receiver
        name = receiver.name if isinstance(receiver, (Name, Member, Typed)) else ""
        if not _LIKE_CONTEXT.search(name) or evaluator.type_of(receiver) is not None:
            return None
        info = self._entities[next(iter(keys))]
        return Held(TypeRef(info.name, info), ONLY_NAME)


def _names_of_sets(catalog: Catalog) -> Iterator[str]:
    """Yield the names of all members that hold or hand out a set, of whatever type."""
    for written, names in catalog.once(names_by_written_type):
        if _HOLDS_SET.search(written):
            yield from names


def files_with_code(catalog: Catalog) -> Iterator[FileFacts]:
    """Yield the files whose statements may use sets."""
    for file in catalog.files.values():
        if family_of(file.language) == "csharp" and file.file_class != "generated":
            yield file


def entry_of(expression: Expression | None) -> Call | None:
    """Return the call `context.Entry(order)` that a chain goes through."""
    for one in inward(expression) if expression is not None else ():
        if isinstance(one, Call) and function_name(one) == "Entry" and receiver_of(one) is not None:
            return one
    return None


def told_sets(expression: Expression | None) -> Iterator[str]:
    """Yield what the sets hold that a value may be, as written: `_db.Set<Order>()`, `DbSet<Order> set`."""
    if isinstance(expression, Call):
        yield from expression.type_arguments if is_set_call(expression) else ()
    elif isinstance(expression, Typed):
        held = held_type(expression.type)
        yield from (held,) if held is not None else ()
    elif isinstance(expression, Choice):
        for option in expression.options[:4]:
            yield from told_sets(option) if not isinstance(option, Choice) else ()


def is_set_call(expression: Expression | None) -> bool:
    """Say whether an expression is `context.Set<Order>()`."""
    return (
        isinstance(expression, Call)
        and len(expression.type_arguments) == 1
        and function_name(expression) in SET_CALLS
    )
