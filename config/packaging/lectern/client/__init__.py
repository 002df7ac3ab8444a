"""Studies, participants, exports and analyses of a Lectern platform from Python; the standard library is enough.

    from lectern.client import Lectern

    lab = Lectern("https://lectern.example.org", token)
    lab.list_sessions("my-study", state="finished").table()

Every operation of the API is a method of its name. Data frames come where pandas is installed, else lists of dicts.
"""

from __future__ import annotations

import os

from .files import Download
from .problems import Problem
from .sending import Connection
from .tables import Rows, table_of
from .waiting import Waiting

__all__ = ["Download", "Lectern", "Problem", "Rows", "table_of"]
SECONDS = 60.0


class Lectern(Waiting):
    """A platform, asked with a personal token. Without arguments they are read from LECTERN_URL and LECTERN_TOKEN.

    Every method raises `Problem`, whose text says what happened and what to do. Reading, and creating with its random
    key, are tried again for three minutes at most where the connection breaks or the platform is busy; nothing else is.
    Changes send the ETag of what was read last, so that they overwrite nothing that somebody else stored meanwhile.
    `timeout` is for how many seconds an answer may stay away. `allow_http` lets the token travel readable.

    >>> Lectern("https://lectern.example.org", "lectern_pat_0")
    <Lectern at lectern.example.org>
    """

    def __init__(
        self,
        address: str | None = None,
        token: str | None = None,
        *,
        timeout: float = SECONDS,
        allow_http: bool = False,
    ) -> None:
        self._connection = Connection(
            os.environ.get("LECTERN_URL", "") if address is None else address,
            os.environ.get("LECTERN_TOKEN", "").strip() if token is None else token,
            timeout=timeout,
            allow_http=allow_http,
        )
        self._etags: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"<Lectern at {self._connection.host}>"
