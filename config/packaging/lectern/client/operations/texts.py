"""What participants read.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..asking import UNSET, Asking, Unset
from ..tables import Rows
from .shapes import Text


class OfTexts(Asking):
    """What participants read."""

    def list_texts(
        self,
        slug: str,
    ) -> Rows[Text]:
        """Read all texts.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        return self._rows("list_texts", {"slug": slug})

    def get_text(
        self,
        slug: str,
        kind: str,
        *,
        part: str | Unset = UNSET,
    ) -> Text:
        """Read a text.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            kind: `welcome`, `consent`, `instructions` or `debriefing`.
            part: The task, or pool of tasks, by its name; the first one if left out.
        """
        found: Text = self._json(
            "get_text",
            {"slug": slug, "kind": kind},
            query={"part": part},
        )
        return found

    def put_text(
        self,
        slug: str,
        kind: str,
        *,
        body: str,
        markup: Literal["plain", "markdown"] | Unset = UNSET,
        required_boxes: Sequence[str] | Unset = UNSET,
        optional_boxes: Sequence[str] | Unset = UNSET,
        part: str | Unset = UNSET,
        if_match: str | None = None,
    ) -> Text:
        """Store a text as a new version.

        Also while the study is open, but for instructions, which are part of what is measured. Scopes: `read`, `write`.
        For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            kind: `welcome`, `consent`, `instructions` or `debriefing`.
            part: The task, or pool of tasks, by its name; the first one if left out.
            if_match: An ETag, or `*`; by itself the one that this client read last.
        """
        found: Text = self._json(
            "put_text",
            {"slug": slug, "kind": kind},
            query={"part": part},
            body={"body": body, "markup": markup, "required_boxes": required_boxes, "optional_boxes": optional_boxes},
            if_match=if_match,
        )
        return found
