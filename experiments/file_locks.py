"""Lock a file on every operating system; the lock is released however the process ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    # On Windows others cannot read a locked byte, so the byte lies beyond the end of any file.
    _PLACE = 1 << 30

    def openable(folder: Path) -> int:
        """Open a lock file inside the folder: Windows cannot open folders."""
        return os.open(folder / "writers.lock", os.O_RDWR | os.O_CREAT | os.O_NOINHERIT, 0o600)

    def try_lock(descriptor: int) -> bool:
        """Try to take the lock without waiting. Return whether this process now holds it."""
        os.lseek(descriptor, _PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        """Release the lock."""
        os.lseek(descriptor, _PLACE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def openable(folder: Path) -> int:
        """Open the folder itself, so that no lock file is needed that another account might own."""
        return os.open(folder, os.O_RDONLY | os.O_CLOEXEC)

    def try_lock(descriptor: int) -> bool:
        """Try to take the lock without waiting. Return whether this process now holds it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        """Release the lock."""
        fcntl.flock(descriptor, fcntl.LOCK_UN)
