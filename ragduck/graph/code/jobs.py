"""Find what runs by itself: hosted and Windows services, jobs of schedulers, functions that a trigger starts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ragduck.facts import FileFacts, MemberFact
from ragduck.graph.code.nodes import file_key
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.declarations import family_of

WINDOWS = "OnStart"  # of a service of Windows, whose constructor may start a timer
_EXECUTE = ("Execute", "ExecuteAsync")
# What a host or a scheduler calls of classes that derive from these
ENTRIES: Mapping[str, tuple[str, ...]] = {
    "BackgroundService": ("ExecuteAsync",),
    "IHostedService": ("StartAsync",),
    "IHostedLifecycleService": ("StartAsync", "StartingAsync", "StartedAsync"),
    "ServiceBase": (WINDOWS,),
    "ServiceControl": ("Start",),  # of Topshelf
    "IJob": _EXECUTE,  # of Quartz, FluentScheduler and others
    "IInterruptableJob": _EXECUTE,
    "IStatefulJob": _EXECUTE,
    "QuartzJobBean": ("ExecuteInternal",),  # of Spring
    "IInvocable": ("Invoke",),  # of Coravel
    **dict.fromkeys(  # of ABP and ASP.NET Boilerplate
        ("BackgroundJob", "AsyncBackgroundJob", "IBackgroundJob", "IAsyncBackgroundJob"), _EXECUTE
    ),
    **dict.fromkeys(
        ("PeriodicBackgroundWorkerBase", "AsyncPeriodicBackgroundWorkerBase"), ("DoWork", "DoWorkAsync")
    ),
    "BackgroundWorkerBase": ("Start", "StartAsync"),
    "HangfireBackgroundWorkerBase": ("DoWorkAsync",),
    "QuartzBackgroundWorkerBase": _EXECUTE,
    "IBackgroundTask": ("Sweep", "DoWorkAsync"),  # of Orchard and Orchard Core
    "SchedulerClient": ("DoWork",),  # of DotNetNuke
    "RecurringHostedServiceBase": ("PerformExecuteAsync",),  # of Umbraco
    "IRecurringBackgroundJob": ("RunJobAsync",),
    "IScheduleTask": _EXECUTE,  # of nopCommerce, for its plugins
}
# What heirs of an own base override for something else than their work
IDLE = re.compile(
    r"Stop(?:Async)?|OnStop|Dispose(?:Async)?|ToString|Equals|GetHashCode|Configure\w*|Init(?:ialize)?"
)
# Interfaces of the system itself with one method, which what runs their tasks calls
OWN = re.compile(r"I\w{0,60}?(?:Schedul|Background|Recurring|Periodic)\w{0,60}?(?:Job|Task)|IJob|ITask")
OWN_BASE = re.compile(
    r"\w{0,60}?JobBase|BaseJob|\w{0,60}?(?:Schedul|Background|Recurring|Periodic)\w{0,60}?(?:Job|Task)(?:Base)?"
)
WORK = ("Run", "RunAsync", "Execute", "ExecuteAsync", "DoWork", "DoWorkAsync")  # of such abstract classes
PACKAGE = ".dtsx"  # of Integration Services
REQUESTED = frozenset(("HttpTrigger", "SignalRTrigger"))


def started_in(file: FileFacts) -> Iterator[str]:
    """Yield the keys of what something else than a request starts in a file, or of the file that is started."""
    if is_running(file):
        yield from (one.key for one in file.members if is_triggered(one))
    elif file.path.lower().endswith(PACKAGE):
        yield file_key(file.path)


def is_running(file: FileFacts) -> bool:
    """Say whether a file is one of C# or Visual Basic, and no test."""
    return file.file_class != "test" and family_of(file.language) == "csharp"


def is_job(catalog: Catalog, info: TypeInfo) -> bool:
    """Say whether a host or a scheduler makes objects of a class and has them work."""
    return any(True for _ in entries(catalog, info))


def is_entered(catalog: Catalog, info: TypeInfo) -> bool:
    """Say whether a host or a scheduler calls methods of a class, if it has them, or of one that derives from it."""
    return bool(_called(catalog, info))


def is_own_of_jobs(info: TypeInfo) -> bool:
    """Say whether a type is called like an own interface or base of jobs, whose methods say what is called."""
    return (OWN if info.is_interface else OWN_BASE).fullmatch(info.name) is not None


def entries(catalog: Catalog, info: TypeInfo) -> Iterator[MemberFact]:
    """Yield the methods that a host or a scheduler calls of a class.

    Where a base of the system's own is called, which leaves to its heirs what they do, they begin with that.
    """
    declared = info.declarations[0]
    is_class = declared.element_type in ("class", "record") and "abstract" not in declared.modifiers
    if not is_class or info.is_test or family_of(info.language) != "csharp":
        return
    names = _called(catalog, info)
    if not names:
        return
    own = [one for name in names for one in _methods(info, name)]
    if own and WINDOWS in names:
        own += [one for one in _methods(info, info.name) if one.element_type == "constructor"]
    found = own + [one for one in _overriding(catalog, info) if one not in own]
    yield from found or _inherited(catalog, info, names)


def _called(catalog: Catalog, info: TypeInfo) -> tuple[str, ...]:
    """Return the names of the methods that are called; a base that is declared here is the system's own."""
    found: dict[str, None] = {}
    for ref in catalog.ancestors(info):
        found.update(dict.fromkeys(ENTRIES.get(ref.name, ()) if ref.info is None else _asked_for(ref.info)))
    return tuple(found)


def _asked_for(info: TypeInfo) -> tuple[str, ...]:
    """Return the method of an own interface or abstract class for jobs; that of an `ITask` takes nothing."""
    if not info.is_interface:
        is_base = OWN_BASE.fullmatch(info.name) is not None
        left_open = ((name, one) for name in WORK for one in info.members.get(name, ()) if is_base)
        return tuple(name for name, one in left_open if "abstract" in one.modifiers)
    if not OWN.fullmatch(info.name):
        return ()
    methods = [one for members in info.members.values() for one in members if one.kind == "METHOD"]
    is_one = len(methods) == 1 and not (info.name == "ITask" and methods[0].parameters)
    return (methods[0].name,) if is_one else ()


def _methods(info: TypeInfo, name: str) -> list[MemberFact]:
    """Return the methods of a name, those that implement an interface explicitly before others."""
    found = info.explicit.get(name) or info.members.get(name) or ()
    return [one for one in found if one.kind == "METHOD"]


def _overriding(catalog: Catalog, info: TypeInfo) -> Iterator[MemberFact]:
    """Yield the methods that override those of a base of the system's own that is called."""
    bases = [
        ref.info for ref in catalog.ancestors(info) if ref.info is not None and not ref.info.is_interface
    ]
    called = [base for base in bases if _called(catalog, base)]
    for name, members in info.members.items() if called else ():
        if not IDLE.fullmatch(name) and any(_methods(base, name) for base in called):
            yield from (one for one in members if one.kind == "METHOD" and "override" in one.modifiers)


def _inherited(catalog: Catalog, info: TypeInfo, names: tuple[str, ...]) -> Iterator[MemberFact]:
    for name in names:
        for ref in catalog.inherited(info):
            found = _methods(ref.info, name) if ref.info is not None and not ref.info.is_interface else []
            if found:
                yield from found
                break


def is_triggered(member: MemberFact) -> bool:
    """Say whether a timer, a queue or the like starts a function, and no request: `[TimerTrigger("0 0 3 * * *")]`."""
    marks = {mark.name.rpartition(".")[2] for one in member.parameters for mark in one.triggers}
    return member.kind == "METHOD" and bool(marks) and marks.isdisjoint(REQUESTED)
