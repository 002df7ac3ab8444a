"""The command `lectern`: everything that `manage.py` does, from any folder, with the data in the user's data folder.

    lectern [--data FOLDER] COMMAND …        lectern demo --data FOLDER        lectern run --data FOLDER

This file is copied into the wheel beside the application folder `app`, whose names (`config`, `analysis`, …) are known
to this process and its children alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

APP = Path(__file__).resolve().parent / "app"
# These two serve. `analyse` has a --data of its own, a table, so before other commands alone it is the folder.
SERVING = ("demo", "run")


def main() -> None:
    """Prepare this process and its children, then hand over to Django."""
    data, arguments = data_folder_of(sys.argv[1:])
    if data is not None:
        os.environ["VAR_DIR"] = os.environ["LECTERN_DATA"] = str(Path(data).expanduser().resolve())
    elif not os.environ.get("VAR_DIR"):
        os.environ["VAR_DIR"] = str(users_data_folder(sys.platform, os.environ, Path.home()))
    # What pages and messages say has to be typed (`experiments/started_by.py`).
    os.environ["LECTERN_PROGRAM"] = "python -m lectern" if Path(sys.argv[0]).name == "__main__.py" else "lectern"
    sys.path.insert(0, str(APP))
    # Children find the application folder as this process does: the worker, the server, the processes of analyses.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(APP), os.environ.get("PYTHONPATH", "")]))
    from config.command import carry_out

    carry_out(["lectern", *arguments])


def data_folder_of(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the folder that the arguments name, if any, and the arguments without it.

    >>> data_folder_of(["--data", "here", "analyse", "--data", "table.csv"])
    ('here', ['analyse', '--data', 'table.csv'])
    >>> data_folder_of(["demo", "--port", "8001", "--data=there"])
    ('there', ['demo', '--port', '8001'])
    >>> data_folder_of(["analyse", "--data", "table.csv"])
    (None, ['analyse', '--data', 'table.csv'])
    """
    rest, data = list(arguments), None
    at = 0
    while at < len(rest) and (at == 0 or rest[0] in SERVING):
        name, equals, value = rest[at].partition("=")
        if name != "--data":
            at += 1
            continue
        if not equals and at + 1 == len(rest):
            raise SystemExit("--data needs a folder: lectern --data FOLDER demo")
        data = value if equals else rest[at + 1]
        del rest[at : at + (1 if equals else 2)]
    return data, rest


def users_data_folder(system: str, environment: Mapping[str, str], home: Path) -> Path:
    """Return the folder for data of programs, as the operating system wants it, and in it the one of Lectern."""
    if system == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Lectern"
    if system == "darwin":
        return home / "Library" / "Application Support" / "Lectern"
    # The specification of XDG: a relative path counts as none.
    named = Path(environment.get("XDG_DATA_HOME", ""))
    return (named if named.is_absolute() else home / ".local" / "share") / "lectern"
