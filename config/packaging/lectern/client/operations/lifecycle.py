"""Opening, pausing, closing, copying.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

from ..asking import Asking
from .shapes import Study


class OfLifecycle(Asking):
    """Opening, pausing, closing, copying."""

    def open_study(
        self,
        slug: str,
    ) -> Study:
        """Open a study, or open it again.

        Opening locks materials, design, order and instructions permanently. Scopes: `read`, `write`. For people who may
        edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        found: Study = self._json(
            "open_study",
            {"slug": slug},
            body={},
        )
        return found

    def pause_study(
        self,
        slug: str,
    ) -> Study:
        """Pause a study.

        Nobody can start; people who have started can finish. Scopes: `read`, `write`. For people who may edit the
        study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        found: Study = self._json(
            "pause_study",
            {"slug": slug},
            body={},
        )
        return found

    def resume_study(
        self,
        slug: str,
    ) -> Study:
        """Let people start again.

        Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        found: Study = self._json(
            "resume_study",
            {"slug": slug},
            body={},
        )
        return found

    def close_study(
        self,
        slug: str,
    ) -> Study:
        """Close a study.

        Nobody can start or come back. Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        found: Study = self._json(
            "close_study",
            {"slug": slug},
            body={},
        )
        return found

    def archive_study(
        self,
        slug: str,
    ) -> Study:
        """Put a study into the archive.

        It is hidden in lists; nothing else changes. Scopes: `read`, `write`. For the owner of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        found: Study = self._json(
            "archive_study",
            {"slug": slug},
            body={},
        )
        return found

    def unarchive_study(
        self,
        slug: str,
    ) -> Study:
        """Bring a study back from the archive.

        Scopes: `read`, `write`. For the owner of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        found: Study = self._json(
            "unarchive_study",
            {"slug": slug},
            body={},
        )
        return found

    def copy_study(
        self,
        slug: str,
        *,
        new_slug: str,
        idempotency_key: str | None = None,
    ) -> Study:
        """Copy a study.

        A draft with the same design, settings and texts, without participants and data, which is yours. Scopes: `read`,
        `write`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            new_slug: The address of the copy.
            idempotency_key: A key of your own; by itself a random one.
        """
        found: Study = self._json(
            "copy_study",
            {"slug": slug},
            body={"slug": new_slug},
            key=idempotency_key,
        )
        return found
