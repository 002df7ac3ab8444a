"""Generate the secret key of an embedded platform once, and store it next to its database."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from config.private import unusable


def secret_key(path: Path) -> str:
    """Return the key stored at `path`; create it (readable only by its owner) if there is none.

    Several processes may start at once: the one that creates the file wins, the others read it. Raises
    ImproperlyConfigured where it cannot be made.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise unusable(path.parent, error) from error
    key = secrets.token_urlsafe(64)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(key)
    return key
