"""How a study is going, in numbers alone.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

from typing import Literal

from ..asking import UNSET, Asking, Unset
from .shapes import Flow, Watch


class OfWatching(Asking):
    """How a study is going, in numbers alone."""

    def get_flow(
        self,
        slug: str,
        *,
        of: Literal["real", "simulated"] | Unset = UNSET,
    ) -> Flow:
        """Read the flow of participants.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            of: Sessions of people or simulated ones; of people, unless there are only simulated ones.
        """
        found: Flow = self._json(
            "get_flow",
            {"slug": slug},
            query={"of": of},
        )
        return found

    def get_watch(
        self,
        slug: str,
        *,
        of: Literal["real", "simulated"] | Unset = UNSET,
    ) -> Watch:
        """Read how the study is going.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            of: Sessions of people or simulated ones; of people, unless there are only simulated ones.
        """
        found: Watch = self._json(
            "get_watch",
            {"slug": slug},
            query={"of": of},
        )
        return found
