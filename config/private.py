"""Create private files and folders, readable only by their owner, for the platform's own data."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def private_folder(folder: Path) -> Path:
    """Create the folder if necessary, and restrict it to its owner.

    Raises ImproperlyConfigured where it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise unusable(folder, error) from error
    _withhold(folder)
    return folder


def unusable(folder: Path, error: OSError) -> ImproperlyConfigured:
    """Return what to say of a folder in which the platform cannot keep what it needs."""
    return ImproperlyConfigured(
        f"The folder {folder} cannot be used for the platform's data: {error.strerror}. Name another one by VAR_DIR."
    )


def private_file(file: Path) -> Path:
    """Create an empty file if its folder exists and the file does not, and restrict it to its owner.

    SQLite gives a database's auxiliary files the same permissions.
    """
    with contextlib.suppress(OSError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    _withhold(file)
    return file


def _withhold(path: Path) -> None:
    # Somebody else's folder stays as its owner wants it.
    with contextlib.suppress(OSError):
        mode = path.stat().st_mode
        if mode & 0o077:
            path.chmod(mode & 0o700)
