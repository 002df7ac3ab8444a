"""Loading code without looking for garbage in it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Load what a process needs: nothing of it is garbage, and it is never looked at again.

    Looking for garbage among modules, classes and functions again and again takes up to two fifths of the processor
    time of a short command, and a fifth of an export.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
