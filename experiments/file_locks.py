"""A lock on an open file that the operating system takes back however the process ends, on every system."""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    # Others cannot read a byte that is locked there, so it is one where no file has any.
    _PLACE = 1 << 30

    def openable(folder: Path) -> int:
        """Open what stands for a folder: Windows opens no folders, so it is a file in it."""
        return os.open(folder / "writers.lock", os.O_RDWR | os.O_CREAT | os.O_NOINHERIT, 0o600)

    def try_lock(descriptor: int) -> bool:
        """Take the lock if nobody has it, and return whether this process has it now."""
        os.lseek(descriptor, _PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        """Let the next one have it."""
        os.lseek(descriptor, _PLACE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def openable(folder: Path) -> int:
        """Open a folder itself, so that there is no file that somebody else might own."""
        return os.open(folder, os.O_RDONLY | os.O_CLOEXEC)

    def try_lock(descriptor: int) -> bool:
        """Take the lock if nobody has it, and return whether this process has it now."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        """Let the next one have it."""
        fcntl.flock(descriptor, fcntl.LOCK_UN)
