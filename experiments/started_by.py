"""Commands as people have to type them here: for `lectern` from the wheel, or for `manage.py` in a clone.

Whatever names a command to its reader at run time asks this module, so that the line works when it is copied. The
wheel says how it was started in two environment variables, which child processes inherit.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

# Set by `config/packaging/lectern/command.py`, which is copied into the wheel and imports nothing of the platform.
PROGRAM, DATA = "LECTERN_PROGRAM", "LECTERN_DATA"
FOLDER = Path(__file__).resolve().parents[1]


def is_installed() -> bool:
    """Return whether the platform runs from the wheel, by `lectern`, and not from a clone."""
    return bool(os.environ.get(PROGRAM))


def command(*words: str) -> str:
    """Return the line that runs a command, without the place of the data, for commands and pages that need none.

    >>> import os; os.environ["LECTERN_PROGRAM"] = "lectern"
    >>> command("analyse", "rm-anova", "--data", "my table.csv")
    "lectern analyse rm-anova --data 'my table.csv'"
    >>> del os.environ["LECTERN_PROGRAM"]
    """
    return f"{os.environ.get(PROGRAM) or _in_a_clone()} {shlex.join(words)}"


def command_on_the_data(*words: str) -> str:
    """Return the line that runs a command on the data of this platform. It may name a folder of the machine.

    Do not show it to participants or to people who are not logged in.

    >>> import os; os.environ |= {"LECTERN_PROGRAM": "lectern", "LECTERN_DATA": "/srv/my data"}
    >>> command_on_the_data("migrate")
    "lectern --data '/srv/my data' migrate"
    >>> del os.environ["LECTERN_PROGRAM"], os.environ["LECTERN_DATA"]
    """
    folder = os.environ.get(DATA, "")
    return command(*(("--data", folder) if folder and is_installed() else ()), *words)


def _in_a_clone() -> str:
    """Return `python manage.py`, with the Python of the clone's own environment where it is used without `activate`."""
    own = FOLDER / ".venv"
    if "VIRTUAL_ENV" in os.environ or Path(sys.prefix) != own:
        return "python manage.py"
    return rf"{own.name}\Scripts\python manage.py" if sys.platform == "win32" else f"{own.name}/bin/python manage.py"
