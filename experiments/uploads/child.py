"""Child process of `experiments.uploads.reading`: read one file within the limits and print the answer."""

from __future__ import annotations

import importlib
import os
import pickle
import sys
from pathlib import Path

if sys.platform != "win32":
    import resource

ROOT = Path(__file__).resolve().parents[2]
# In place of the folder of this file, whose names are not for the top.
sys.path[0] = str(ROOT)

from experiments.loading import loading  # noqa: E402


def main() -> None:
    """Read the question from standard input, do what it asks, write the answer."""
    function, arguments, language, seconds, megabytes = pickle.loads(sys.stdin.buffer.read())  # noqa: S301
    # Nothing that is printed on the way may come between.
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    module, _, name = function.partition(":")
    if not module.startswith("experiments."):
        raise ValueError(f"{module} is not for reading files.")
    with loading():
        _set_up()
        read = getattr(importlib.import_module(module), name)
    from django.utils import translation

    translation.activate(language or "en-gb")
    _limit(seconds, megabytes)
    try:
        outcome = ("returned", read(*arguments))
    except (MemoryError, RecursionError):
        os._exit(1)
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent has to know
        on_purpose = type(error).__module__.startswith("experiments.")
        outcome = ("raised", error) if on_purpose else ("broke", f"{type(error).__name__}: {error}"[:500])
    answer.write(pickle.dumps(outcome))
    answer.close()


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
