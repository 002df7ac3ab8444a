"""Run a management command for `manage.py` and `lectern`: prepare the process, run, turn errors into sentences."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

INTERRUPTED = 130


def carry_out(arguments: Sequence[str]) -> None:
    """Run a command, given the program name and its arguments, as in `sys.argv`.

    An interruption from the keyboard, settings that cannot be used and a database that cannot be read end the process
    with a sentence; `--traceback` shows where.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # NumPy and SciPy each have their own thread pool for linear algebra; switching between them costs more than it
    # saves.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from django.core.exceptions import ImproperlyConfigured
    from django.db.utils import OperationalError, ProgrammingError

    from experiments.loading import loading
    from experiments.started_by import command_on_the_data

    try:
        with loading():
            import django
            from django.core.management import execute_from_command_line

            django.setup()
        execute_from_command_line(list(arguments))
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        sys.exit(INTERRUPTED)
    except LookupError as fault:
        from experiments.paradigms import UnknownParadigm

        if not isinstance(fault, UnknownParadigm) or "--traceback" in arguments:
            raise
        sys.exit(str(fault))
    except (ImproperlyConfigured, OperationalError, ProgrammingError) as fault:
        if "--traceback" in arguments:
            raise
        if isinstance(fault, ImproperlyConfigured):
            sys.exit(str(fault))
        reason = " ".join(str(fault).split()).rstrip(".?")
        sys.exit(
            f"The database that DATABASE_URL names cannot be used: {reason}. Where it is new or of an older version, "
            f"bring it up to date: {command_on_the_data('migrate')}."
        )
