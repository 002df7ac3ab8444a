"""Process in which uploads are read: it loads the readers once and answers every question in a process forked for it.

`child.py DESCRIPTOR` serves the socket with this number until the web process closes it, or asks nothing for some
minutes. `child.py` alone reads one question from standard input and writes the answer: where the system cannot fork,
one such process reads one file.
"""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import signal
import socket
import sys
from pathlib import Path

if sys.platform != "win32":
    import resource

ROOT = Path(__file__).resolve().parents[2]
# In place of the folder of this file, whose names are not for the top.
sys.path[0] = str(ROOT)

from experiments.loading import loading  # noqa: E402

# Loaded before anything is asked; a reader of another module loads it by itself.
READERS = (
    "experiments.uploads.materials",
    "experiments.uploads.tables",
    "experiments.study_files.uploaded",
    "experiments.other_tools.carrying",
    "experiments.media.checking",
    "experiments.questionnaire.table",
    "experiments.rules.wording.files",
    "openpyxl",
)
# Participants' answers come first on a busy processor.
NICE = 10
PID_BYTES = 8
# As long after the last upload, the memory is given back.
IDLE_SECONDS = 300


def main() -> None:
    """Answer what is asked: on a socket, or once."""
    if len(sys.argv) > 1:
        serve(socket.socket(fileno=int(sys.argv[1])))
        return
    question = sys.stdin.buffer.read()
    # Nothing that is printed on the way may come between.
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with loading():
        _set_up()
    answer.write(answer_to(question))
    answer.close()


def serve(questions: socket.socket) -> None:
    """Fork a process for every socket that arrives; it says its number, reads the question and answers it."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system takes the ended ones away
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with loading():
        _set_up()
        for module in READERS:
            importlib.import_module(module)
    gc.collect()
    gc.freeze()
    questions.settimeout(IDLE_SECONDS)
    while True:
        try:
            _message, descriptors, _flags, _address = socket.recv_fds(questions, 1, 1)
        except TimeoutError:
            return
        if not descriptors:
            return
        with socket.socket(fileno=descriptors[0]) as asked:
            if os.fork():
                continue
            try:
                questions.close()
                os.nice(NICE)
                asked.sendall(os.getpid().to_bytes(PID_BYTES, "big"))
                with asked.makefile("rb") as stream:
                    question = stream.read()
                asked.sendall(answer_to(question))
            finally:  # nothing of what the process was before goes on in a fork
                os._exit(0)


def answer_to(question: bytes) -> bytes:
    """Return what a function of `experiments` returns or raises; a process that needs too much ends."""
    function, arguments, language, seconds, megabytes = pickle.loads(question)  # noqa: S301 - from the web process
    module, _, name = function.partition(":")
    if not module.startswith("experiments."):
        os._exit(1)
    with loading():
        read = getattr(importlib.import_module(module), name)
    from django.utils import translation

    translation.activate(language or "en-gb")
    _limit(seconds, megabytes)
    try:
        outcome = ("returned", read(*arguments))
        return pickle.dumps(outcome)
    except (MemoryError, RecursionError):
        os._exit(1)
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent has to know
        on_purpose = type(error).__module__.startswith("experiments.")
        return pickle.dumps(("raised", error) if on_purpose else ("broke", f"{type(error).__name__}: {error}"[:500]))


def _set_up() -> None:
    import django
    from django.conf import settings

    settings.configure(
        INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "experiments"],
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        LANGUAGE_CODE="en-gb",
        LOCALE_PATHS=[ROOT / "config" / "locale"],
        # The texts of the interface, by which a study's own wording is checked.
        FRONTEND_DIST=ROOT / "frontend" / "dist",
        USE_TZ=True,
    )
    django.setup()


def _limit(seconds: int, megabytes: int) -> None:
    """Limit this process to this much additional CPU time (seconds) and memory.

    Windows has no such limits: there the parent ends what takes too long, and nothing bounds the memory.
    """
    if sys.platform != "win32":
        used = resource.getrusage(resource.RUSAGE_SELF)
        end = int(used.ru_utime + used.ru_stime) + seconds + 1
        resource.setrlimit(resource.RLIMIT_CPU, (end, end))
        statm = Path("/proc/self/statm")
        pages = int(statm.read_text(encoding="ascii").split()[0]) if statm.exists() else 0
        room = pages * resource.getpagesize() + megabytes * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (room, room))
        # A file of any size on the disk is none of its business.
        resource.setrlimit(resource.RLIMIT_FSIZE, (16 * 1024 * 1024, 16 * 1024 * 1024))


if __name__ == "__main__":
    main()
