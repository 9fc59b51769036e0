"""Find the classes that sessions of NHibernate are asked for or given: they have tables, whatever maps them.

Conventions may map them, which stand in no file: a table has the name of its class then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ragduck.facts import Call, TypeOf
from ragduck.graph.entities.builders import element_type
from ragduck.graph.entities.closed_types import arguments_of, may_be_entity
from ragduck.graph.entities.hibernate import opens_library
from ragduck.graph.entities.linq_operations import OPENS_SESSION, SESSION_QUERY, SESSIONS
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.chains import function_name, receiver_of
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluator, Evaluators

_ASKED = frozenset((SESSION_QUERY, "QueryOver", "CreateCriteria", "Get", "Load"))
_GIVEN = frozenset(("Save", "SaveOrUpdate", "Persist"))


def classes_of_sessions(catalog: Catalog) -> Iterator[TypeInfo]:
    """Yield the classes that sessions are told to read and write, also through generic types around them."""
    generic: defaultdict[str, set[str]] = defaultdict(set)
    for file in catalog.files_calling(_ASKED | _GIVEN):
        if family_of(file.language) != "csharp" or not opens_library(catalog, file):
            continue
        within = Evaluators(catalog, file).within
        for fact in file.statements.unpacked().calls:
            if function_name(fact.call) not in _ASKED | _GIVEN:
                continue
            evaluator = within(fact.source)
            for ref in _told(fact.call, evaluator):
                owner = evaluator.owner
                if ref.info is not None and may_be_entity(ref.info):
                    yield ref.info
                elif owner is not None and ref.name in owner.type_parameters:
                    generic[owner.key].add(ref.name)
    yield from arguments_of(generic, catalog)


def _told(call: Call, evaluator: Evaluator) -> Iterator[TypeRef]:
    """Yield the types that a session is asked for by name, or given an object of."""
    name, values = function_name(call), [one.value for one in call.arguments]
    named = [one.type for one in values if isinstance(one, TypeOf)]
    if name in _ASKED:
        written = [*call.type_arguments, *named] if name != SESSION_QUERY or not values else []
        refs = [evaluator.resolve(one) for one in written[:1]]
    else:
        told = (evaluator.type_of(one) for one in values[:1])
        refs = [element_type(ref) for ref in told if ref is not None]
    if refs and _is_session(call, evaluator):
        yield from refs


def _is_session(call: Call, evaluator: Evaluator) -> bool:
    receiver = receiver_of(call)
    if receiver is None:
        return False
    if isinstance(receiver, Call) and function_name(receiver) in OPENS_SESSION:
        return True
    ref = evaluator.bound(evaluator.type_of(receiver))
    return ref is not None and ref.info is None and ref.name in SESSIONS
