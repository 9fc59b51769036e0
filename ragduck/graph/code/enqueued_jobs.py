"""Find the methods that schedulers are given to call: `RecurringJob.AddOrUpdate<Cleaner>(one => one.Clean(), …)`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ragduck.facts import Call, Expression, FileFacts, Lambda, LambdaParameter, Member, Name
from ragduck.graph.code.implementations import Implementations, implementing, to_implement
from ragduck.graph.code.jobs import is_running
from ragduck.graph.types import libraries
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import function_name, receiver_of
from ragduck.graph.types.declarations import TypeRef
from ragduck.graph.types.expressions import Evaluator, Evaluators
from ragduck.graph.types.findings import Found

ENQUEUES = frozenset(
    ("AddOrUpdate", "Enqueue", "Schedule", "ContinueJobWith", "ContinueWith", "AddOrUpdateManuallyTriggered")
)
CLIENTS = frozenset(
    (
        *("RecurringJob", "RecurringJobManager", "IRecurringJobManager", "IRecurringJobManagerV2"),
        *("BackgroundJob", "BackgroundJobClient", "IBackgroundJobClient", "IBackgroundJobClientV2"),
    )
)
STARTED = "WhenStarted"  # of Topshelf


def enqueued_keys(catalog: Catalog, implementations: Implementations) -> Iterator[str]:
    """Yield the keys of the methods that Hangfire calls later, and by which services of Topshelf start."""
    for file in catalog.files_calling(ENQUEUES | {STARTED}, tests=False):
        if is_running(file):
            yield from catalog.watch.all_in(file, partial(enqueued_in, catalog, file, implementations))


def enqueued_in(catalog: Catalog, file: FileFacts, implementations: Implementations) -> Iterator[str]:
    """Yield the keys of the methods that are handed over in a file to be called later."""
    evaluators = Evaluators(catalog, file)
    for fact in file.calls:
        name = function_name(fact.call)
        if name not in ENQUEUES and name != STARTED:
            continue
        evaluator = evaluators.within(fact.source)
        handed = _type_handed(fact.call, evaluator)
        is_one = _is_of_topshelf(fact.call) if name == STARTED else _is_of_hangfire(fact.call, evaluator)
        given = [one.value for one in fact.call.arguments if isinstance(one.value, Lambda)] if is_one else []
        for work in given[:1]:  # another one tells when
            found, receiver = _called_in(work.result, handed, evaluator)
            yield from _behind(found, receiver, evaluator, implementations)


def _is_of_hangfire(call: Call, evaluator: Evaluator) -> bool:
    receiver = receiver_of(call)
    if isinstance(receiver, (Name, Member)) and receiver.name in CLIENTS:
        return evaluator.catalog.opens(evaluator.file, libraries.HANGFIRE) or isinstance(receiver, Member)
    ref = evaluator.type_of(receiver) if receiver is not None else None
    return ref is not None and ref.info is None and ref.name in CLIENTS


def _is_of_topshelf(call: Call) -> bool:
    """Say whether a call is that of `Service<Mill>(s => s.WhenStarted(mill => mill.Start()))`."""
    receiver = receiver_of(call)
    return isinstance(receiver, LambdaParameter) and function_name(receiver.call) == "Service"


def _type_handed(call: Call, evaluator: Evaluator) -> TypeRef | None:
    receiver = receiver_of(call)
    outer = receiver.call if isinstance(receiver, LambdaParameter) else call
    written = call.type_arguments or outer.type_arguments
    return evaluator.resolve(written[0]) if len(written) == 1 else None


def _called_in(
    result: Expression, handed: TypeRef | None, evaluator: Evaluator
) -> tuple[Found | None, TypeRef | None]:
    """Return the method whose call a lambda returns, and the type on which it is called."""
    if not isinstance(result, Call):
        return None, None
    function = result.function
    count = len(result.arguments)
    if isinstance(function, Name):
        return evaluator.root(function).found, None
    if not isinstance(function, Member):
        return None, None
    receiver = evaluator.type_from(handed, function.receiver)
    return evaluator.find(receiver, function.name, count=count), receiver


def _behind(
    found: Found | None, receiver: TypeRef | None, evaluator: Evaluator, implementations: Implementations
) -> Iterator[str]:
    """Yield the keys of the methods that run where one is called: those that implement it, if it is open."""
    if found is None or not found.is_method:
        return
    member = found.members[0]
    declaring = found.declaring.info
    meant = to_implement(evaluator.catalog, found.declaring, receiver=receiver)
    chosen = implementations.of(meant, near=evaluator.file) if declaring is not None else ()
    keys = [
        one.key for choice in chosen for one in implementing(evaluator.catalog, choice.info, member=member)
    ]
    is_open = declaring is not None and (declaring.is_interface or "abstract" in member.modifiers)
    yield from (keys if keys and is_open else [member.key])
