# SPDX-License-Identifier: MIT
"""NumPy when it is needed, and several threads for large arrays."""

from __future__ import annotations

import os
import threading
from types import ModuleType
from typing import Callable, List, Optional, Tuple

# A thread takes this many things at a time, so that Ctrl-C need not wait for all of them.
_MOST = 1 << 18
# Fewer are not worth a second thread.
_LEAST = 1 << 13


def numpy() -> ModuleType:
    """NumPy. Single positions do without it, so it is loaded with the first array."""
    try:
        import numpy as module
    except ImportError as error:
        raise ImportError("arrays need NumPy: pip install numpy (Debian: python3-numpy)") from error
    return module


def processors() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def in_parts(count: int, threads: Optional[int], call: Callable[[int, int], None]) -> None:
    """Calls ``call(begin, end)`` for all parts of ``range(count)``, in several threads.

    ``call`` has to release the GIL. The exception of the first part that failed is raised. Threads are started for each
    call and end with it, so that a process may fork at any other time.
    """
    if threads is None:
        threads = processors()
    elif threads < 1:
        raise ValueError("threads: a number from 1")
    size = min(_MOST, max(_LEAST, -(-count // threads)))
    parts = [(begin, min(begin + size, count)) for begin in range(0, count, size)]
    if threads == 1 or len(parts) <= 1:
        for begin, end in parts:
            call(begin, end)
        return
    failures: List[Tuple[int, BaseException]] = []
    lock = threading.Lock()
    waiting = iter(parts)
    stopped = False

    def work() -> None:
        while True:
            with lock:
                part = None if failures or stopped else next(waiting, None)
            if part is None:
                return
            try:
                call(*part)
            except BaseException as error:  # handed to the thread that waits
                with lock:
                    failures.append((part[0], error))

    helpers = [threading.Thread(target=work, daemon=True) for _ in range(min(threads, len(parts)) - 1)]
    for helper in helpers:
        helper.start()
    try:
        work()
    finally:
        # Also after Ctrl-C: nobody may write into the arrays when this has returned.
        stopped = True
        for helper in helpers:
            helper.join()
    if failures:
        raise min(failures, key=lambda failure: failure[0])[1]
