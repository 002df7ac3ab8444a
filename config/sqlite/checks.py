"""What `manage.py check` says about the SQLite in use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core import checks
from django.db import connections
from django.db.backends.sqlite3.base import DatabaseWrapper

from config.sqlite.library import fault


@checks.register(checks.Tags.compatibility)
def sqlite_keeps_what_it_commits(app_configs: Any = None, **options: Any) -> Sequence[checks.CheckMessage]:
    """Warn where a database is an SQLite file and this SQLite has the fault of the log."""
    if not any(connection.vendor == "sqlite" for connection in connections.all()):
        return []
    sentence = fault(DatabaseWrapper.Database.sqlite_version_info)
    return [checks.Warning(sentence, id="lectern.W001")] if sentence else []
