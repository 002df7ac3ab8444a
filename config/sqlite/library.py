"""Choose the SQLite library: the interpreter's, or a newer one if that version can lose committed data.

SQLite up to 3.51.2 has a fault ("WAL-reset"): a checkpoint that overlaps with another connection's commit can skip
pages of the log, and with them a transaction that was reported as committed. Python brings whatever SQLite its system
has, mostly one with the fault; the package `pysqlite3` brings its own. The whole process uses one of the two, since two
copies of SQLite in one process take each other's locks away.
"""

from __future__ import annotations

import sqlite3
import sys

_FIXED = (3, 51, 3)
# Branches into which the fix was taken: from this release on, until the next minor version.
_FIXED_BRANCHES = ((3, 44, 6), (3, 50, 7))

Version = tuple[int, ...]


def has_fix(version: Version) -> bool:
    """Return whether this version of SQLite keeps what it committed when a checkpoint overlaps with a commit.

    >>> has_fix((3, 40, 1)), has_fix((3, 44, 6)), has_fix((3, 45, 0)), has_fix((3, 51, 3))
    (False, True, False, True)
    """
    return version >= _FIXED or any(fixed <= version < (3, fixed[1] + 1) for fixed in _FIXED_BRANCHES)


def use_fixed_library() -> None:
    """Make `import sqlite3` return a fixed SQLite, if the interpreter's has the fault and a fixed one is installed."""
    if has_fix(sqlite3.sqlite_version_info):
        return
    try:
        import pysqlite3
        from pysqlite3 import dbapi2
    except ImportError:
        return
    if has_fix(dbapi2.sqlite_version_info):
        sys.modules["sqlite3"], sys.modules["sqlite3.dbapi2"] = pysqlite3, dbapi2


def fault(version: Version) -> str:
    """Return a sentence about a SQLite without the fix, for the platform's operator; empty if there is no fault.

    >>> fault((3, 53, 0))
    ''
    """
    if has_fix(version):
        return ""
    return (
        f"SQLite {'.'.join(map(str, version))} can lose what was committed (fixed in 3.51.3). Lectern keeps its own "
        "writers apart, so that this cannot happen between them; other programs that write to the database could still "
        "meet it. Install `pysqlite3`, which brings a newer SQLite, or use PostgreSQL."
    )
