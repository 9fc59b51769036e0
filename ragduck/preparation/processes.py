"""Call functions in processes that stay for the next call, and end with this one.

What imports nothing else can begin them at once: to import what they need takes them a while.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing import parent_process
from threading import Thread, local
from typing import ParamSpec, TypeVar

from ragduck.errors import RagduckError
from ragduck.garbage import collected_seldom
from ragduck.own_process import ONE_THREAD, SMALL_PAGES

TYING = "ragduck.preparation.tying_ahead"
IDLE_SECONDS = 10  # workers of one prepare serve the next, then end
LEAN = {**SMALL_PAGES, **ONE_THREAD}
# What is freed goes back at once: the allocator of C would keep it once a block was large
LEANEST = {**LEAN, "MALLOC_MMAP_THRESHOLD_": "262144"}
PARENT_SECONDS = 1.0  # between looks at whether the parent is still there

_local = local()  # as pools are those of a thread

Given = ParamSpec("Given")
Result = TypeVar("Result")


def count_of(processes: int | None) -> int:
    """Return how many processes share the work: as many as asked for, else one per core, two at least."""
    return processes or max(2, _usable_cores())


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _pool(count: int) -> Executor:
    """Return processes that do not import the caller's script, as those of multiprocessing would."""
    from loky import get_reusable_executor

    # loky replaces workers that grew, which is how memory stays bounded: nobody needs to hear of it. A thread of its
    # own warns, which no catch_warnings around a call reaches.
    warnings.filterwarnings("ignore", message="A worker (was restarted|stopped) while some jobs were given")
    warnings.filterwarnings("ignore", message="Trying to resize an executor with running jobs")
    # A pool that was ended is told so once more when it is replaced: without ``kill_workers``, to let its processes
    # live, should none of them have been killed by then.
    pool: Executor = get_reusable_executor(
        max_workers=count,
        timeout=IDLE_SECONDS,
        kill_workers=True,
        initializer=_begin_process,
        initargs=(os.getpid(),),
        env=LEAN,
    )
    return pool


def wake(processes: int | None) -> None:
    """Begin one process, if there may be one beside this: to import what ties facts takes it a third of a second."""
    if count_of(processes) > 1:
        with suppress(*ended()):
            begun(1, _import_module, TYING)


@contextmanager
def woken(processes: int | None, *, is_wanted: bool) -> Iterator[None]:
    """Have one process woken if it ``is_wanted``; an error ends it, as this one would wait for it to import."""
    if not is_wanted or count_of(processes) < 2:
        yield
        return
    wake(processes)
    try:
        yield
    except BaseException:
        end_processes()
        raise


def _import_module(name: str) -> None:
    import_module(name)


def begun(
    count: int, call: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs
) -> Future[Result]:
    """Call a function of a module in one of ``count`` processes that stay for the next call."""
    if count > 1 and not all(each.done() for each in _aside()):
        end_processes()  # a pool that gets larger waits for all that is under way, without end for what hangs
    with _interrupts_held():
        try:
            future: Future[Result] = _pool(count).submit(call, *args, **kwargs)
        except ended():  # just now: the next ones are new
            future = _pool(count).submit(call, *args, **kwargs)
    return future


def begun_aside(call: Callable[Given, object], *args: Given.args, **kwargs: Given.kwargs) -> None:
    """Call a function in one process that stays for the next call; it is ended where more are wanted first."""
    under_way = [each for each in _aside() if not each.done()]
    _local.aside = [*under_way, begun(1, call, *args, **kwargs)]


def _aside() -> list[Future[object]]:
    aside: list[Future[object]] = getattr(_local, "aside", [])
    return aside


def ended() -> tuple[type[Exception], ...]:
    """Return what a future raises whose process died, or was killed with one that hung."""
    from loky.process_executor import ShutdownExecutorError

    return BrokenProcessPool, ShutdownExecutorError


def in_own_process(call: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs) -> Result:
    """Call a function of a module in a process that ends with it, and so gives back all its memory.

    What is large it gives back as soon as it is let go. Raises RagduckError when the process is ended from outside.
    """
    from loky import ProcessPoolExecutor

    pool = ProcessPoolExecutor(1, initializer=_begin_process, initargs=(os.getpid(),), env=LEANEST)
    try:
        with _interrupts_held():
            future: Future[Result] = pool.submit(call, *args, **kwargs)
        result = future.result()
    except BrokenProcessPool as error:
        raise RagduckError(
            "the process that ties the code together was ended, likely for want of memory",
            hint="free memory, then run the same command again",
        ) from error
    finally:
        pool.shutdown(wait=True, kill_workers=True)  # at once, also when Ctrl-C ends the waiting
    return result


def end_processes() -> None:
    """Kill the processes that parse: one of them hangs, or nobody waits for them any more."""
    from loky import get_reusable_executor

    # With reuse "auto" and other settings than those of _pool, loky would wait for what hangs.
    get_reusable_executor(reuse=True).shutdown(wait=False, kill_workers=True)
    _local.aside = []


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Start processes that no Ctrl-C reaches, not even while they still import what they need."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which would let interrupts through again when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_process(parent: int) -> None:
    """Leave Ctrl-C to the main process, which ends the workers, and end with it when it is killed.

    A worker would wait for ever to hand its result to a pipe whose other end it holds itself.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collected_seldom()
    atexit.register(gc.freeze)  # its end is waited for, and needs no last look for circles
    Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process when its parent has ended; on Windows by a handle, as the parent's number stays."""
    known = parent_process()
    if os.name == "nt" and known is not None:
        known.join()
    else:
        while os.getppid() == parent:
            time.sleep(PARENT_SECONDS)
    os._exit(1)
