"""Everything that leaves as a file.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

from typing import Literal

from ..asking import UNSET, Asking, Unset
from ..files import Download
from ..tables import Rows
from .shapes import Archive, File, Score


class OfExports(Asking):
    """Everything that leaves as a file."""

    def list_exports(
        self,
        slug: str,
    ) -> Rows[File]:
        """List the files of the export.

        Scopes: `read`, `data`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        return self._rows("list_exports", {"slug": slug})

    def get_everything(
        self,
        slug: str,
        *,
        format: Literal["flat", "psych-ds", "bids", "croissant", "psychling-101", "spss"] | Unset = UNSET,
        excel: bool | Unset = UNSET,
    ) -> Download:
        """Download everything as one archive.

        Data, codebook, reports and manifest. Of a large study it has to be asked for first. Scopes: `read`, `data`. For
        members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            format: `flat` unless told.
            excel: `true`: CSV for spreadsheets.
        """
        return self._file(
            "get_everything",
            {"slug": slug},
            query={"format": format, "excel": excel},
        )

    def get_export(
        self,
        slug: str,
        name: str,
        *,
        excel: bool | Unset = UNSET,
        since: str | Unset = UNSET,
    ) -> Download:
        """Download one file of the export.

        Streamed, byte for byte what the page and `export_data` give. With `since`, the sessions that ended since an
        earlier export, each of them in exactly one export of the chain. Scopes: `read`, `data`. For members of the
        study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            name: The name of the file or of the source.
            excel: `true`: with a byte order mark and guarded cells, for spreadsheets.
            since: The header Lectern-Cursor of an earlier export: only sessions that ended since then; empty for all.
        """
        return self._file(
            "get_export",
            {"slug": slug, "name": name},
            query={"excel": excel, "since": since},
        )

    def create_archive(
        self,
        slug: str,
        *,
        format: Literal["flat", "psych-ds", "bids", "croissant", "psychling-101", "spss"] | Unset = UNSET,
        excel: bool | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Archive:
        """Ask for an archive of a large study.

        Scopes: `read`, `data`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            idempotency_key: A key of your own; by itself a random one.
        """
        found: Archive = self._json(
            "create_archive",
            {"slug": slug},
            body={"format": format, "excel": excel},
            key=idempotency_key,
        )
        return found

    def list_archives(
        self,
        slug: str,
    ) -> Rows[Archive]:
        """List the archives that you asked for.

        Scopes: `read`, `data`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        return self._rows("list_archives", {"slug": slug})

    def get_archive(
        self,
        slug: str,
        archive: int | str,
    ) -> Archive:
        """See how far an archive is.

        Scopes: `read`, `data`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            archive: The number of the archive.
        """
        found: Archive = self._json("get_archive", {"slug": slug, "archive": archive})
        return found

    def download_archive(
        self,
        slug: str,
        archive: int | str,
    ) -> Download:
        """Download an archive that is ready.

        Scopes: `read`, `data`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            archive: The number of the archive.
        """
        return self._file("download_archive", {"slug": slug, "archive": archive})

    def get_payment_list(
        self,
        slug: str,
    ) -> Download:
        """Download the list of people to pay.

        Recruitment ids with outcome, code and times, without pseudonyms. Scopes: `read`, `data`, `identities`. For the
        owner of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        return self._file("get_payment_list", {"slug": slug})

    def list_scores(
        self,
        slug: str,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> Rows[Score]:
        """List the scores of texts.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            limit: Rows of a page; 50 unless told.
            cursor: Where the page begins: `next_cursor` of the page before.
        """
        return self._rows(
            "list_scores",
            {"slug": slug},
            query={"limit": limit, "cursor": cursor},
        )
