"""Pictures, sounds, videos.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

from ..asking import UNSET, Asking, Unset
from ..files import Download, File
from ..tables import Rows
from .shapes import Media, StoredMedia


class OfMedia(Asking):
    """Pictures, sounds, videos."""

    def list_media(
        self,
        slug: str,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> Rows[Media]:
        """List pictures, sounds and videos.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            limit: Rows of a page; 50 unless told.
            cursor: Where the page begins: `next_cursor` of the page before.
        """
        return self._rows(
            "list_media",
            {"slug": slug},
            query={"limit": limit, "cursor": cursor},
        )

    def add_media(
        self,
        slug: str,
        file: File,
        *,
        licence: str | Unset = UNSET,
        content_type: str | None = None,
        idempotency_key: str | None = None,
    ) -> StoredMedia:
        """Store the files of a ZIP archive.

        Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            licence: Author and licence; it goes with every export.
            file: A path, or the bytes.
            idempotency_key: A key of your own; by itself a random one.
        """
        found: StoredMedia = self._json(
            "add_media",
            {"slug": slug},
            query={"licence": licence},
            file=file,
            content_type=content_type,
            key=idempotency_key,
        )
        return found

    def get_media(
        self,
        slug: str,
        name: str,
    ) -> Download:
        """Download a file.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            name: The name of the file or of the source.
        """
        return self._file("get_media", {"slug": slug, "name": name})

    def put_media(
        self,
        slug: str,
        name: str,
        file: File,
        *,
        licence: str | Unset = UNSET,
        content_type: str | None = None,
    ) -> StoredMedia:
        """Store one file.

        What the file is, is told by its content. Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            name: The name of the file or of the source.
            licence: Author and licence; it goes with every export.
            file: A path, or the bytes.
        """
        found: StoredMedia = self._json(
            "put_media",
            {"slug": slug, "name": name},
            query={"licence": licence},
            file=file,
            content_type=content_type,
        )
        return found

    def delete_media(
        self,
        slug: str,
        name: str,
    ) -> None:
        """Remove a file of a draft.

        Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            name: The name of the file or of the source.
        """
        self._nothing("delete_media", {"slug": slug, "name": name})
