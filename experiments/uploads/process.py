"""Put questions to the process in which uploads are read (`child.py`), and end what does not answer in time.

The process has only the reading functions: no database, no key, no settings. It is started with an upload, and ends
with the web process or some minutes after the last upload.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from experiments.started_by import DATA, PROGRAM

# What it says names commands as they are named here. Python does not start on Windows without SYSTEMROOT.
PASSED_ON = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "TEMP", "VIRTUAL_ENV", PROGRAM, DATA)
# By its path: as a module it would load its package first, and with it the models, before settings are there.
CHILD = Path(__file__).with_name("child.py")
PID_BYTES = 8
AT_ONCE = 1 << 16
FORKS = hasattr(os, "fork") and hasattr(socket, "send_fds")


@dataclass
class _Reader:
    """The process that forks; `of` is the web process that started it."""

    of: int
    process: subprocess.Popen[bytes]
    asked: socket.socket


_starting = threading.Lock()
_reader: _Reader | None = None


def answer_to(question: bytes, *, wait_seconds: float) -> bytes:
    """Return the answer to a pickled question; empty where the process ended, or was ended, without one."""
    if not FORKS:
        return _answer_of_a_new_process(question, wait_seconds=wait_seconds)
    ends = time.monotonic() + wait_seconds
    for _attempt in range(2):
        with _handed_over() as ours:
            try:
                said = _received(ours, PID_BYTES, ends=ends)
            except OSError:
                return b""
            if said:
                return _asked(ours, question, int.from_bytes(said, "big"), ends=ends)
        # It ended as it was asked; another one is started.
    return b""


def _asked(ours: socket.socket, question: bytes, pid: int, *, ends: float) -> bytes:
    """Return what the fork with this number answers."""
    try:
        _set_timeout(ours, ends)
        ours.sendall(question)
        ours.shutdown(socket.SHUT_WR)
        return _received(ours, sys.maxsize, ends=ends)
    except TimeoutError:
        # It has not closed its socket, so its number is still its own.
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
    return b""


def _handed_over() -> socket.socket:
    """Return one end of a connection whose other end the process has got; start the process if it is not running."""
    global _reader
    ours, theirs = socket.socketpair()
    with theirs, _starting:
        for _attempt in range(2):
            # That of the process from which this one was forked belongs to that one.
            if _reader is None or _reader.of != os.getpid():
                _reader = _started()
            try:
                socket.send_fds(_reader.asked, [b"?"], [theirs.fileno()])
            except OSError:  # it has ended
                _reader.asked.close()
                _reader.process.wait()
                _reader = None
            else:
                return ours
    ours.close()
    raise ChildProcessError("The process that reads uploads does not start.")


def _started() -> _Reader:
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, str(CHILD), str(theirs.fileno())],
            env=_environment(), pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    return _Reader(os.getpid(), process, ours)


def _environment() -> dict[str, str]:
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    return {**environment, "OPENBLAS_NUM_THREADS": "1"}


def _received(connection: socket.socket, most: int, *, ends: float) -> bytes:
    parts: list[bytes] = []
    while most > 0:
        _set_timeout(connection, ends)
        part = connection.recv(min(most, AT_ONCE))
        if not part:
            break
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def _set_timeout(connection: socket.socket, ends: float) -> None:
    left = ends - time.monotonic()
    if left <= 0:
        raise TimeoutError
    connection.settimeout(left)


def _answer_of_a_new_process(question: bytes, *, wait_seconds: float) -> bytes:
    child = subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, str(CHILD)], env=_environment(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        answered, _errors = child.communicate(question, timeout=wait_seconds)
    except subprocess.TimeoutExpired:
        answered = b""
    finally:
        if child.poll() is None:
            child.kill()
            child.communicate()
    return b"" if child.returncode else answered
