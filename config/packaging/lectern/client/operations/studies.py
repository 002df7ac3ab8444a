"""Studies as a whole.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ..asking import UNSET, Asking, Unset
from ..files import Download, File
from ..tables import Rows
from .shapes import Readiness, Study, Verdict


class OfStudies(Asking):
    """Studies as a whole."""

    def list_studies(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        status: Literal["draft", "open", "closed"] | Unset = UNSET,
        archived: bool | Unset = UNSET,
        search: str | Unset = UNSET,
    ) -> Rows[Study]:
        """List studies.

        Scopes: `read`.

        Args:
            limit: Rows of a page; 50 unless told.
            cursor: Where the page begins: `next_cursor` of the page before.
            status: Only studies in this state.
            archived: `true`: only those in the archive; `false`: only the others.
            search: A part of the title, the address or a tag.
        """
        return self._rows(
            "list_studies",
            {},
            query={"limit": limit, "cursor": cursor, "status": status, "archived": archived, "search": search},
        )

    def create_study(
        self,
        *,
        slug: str | Unset = UNSET,
        title: str | Unset = UNSET,
        paradigm: str | Unset = UNSET,
        language: str | Unset = UNSET,
        study: Mapping[str, Any] | Unset = UNSET,
        tables: Mapping[str, str] | Unset = UNSET,
        repair: bool | Unset = UNSET,
        accept: bool | Unset = UNSET,
        file: File | None = None,
        materials: File | None = None,
        content_type: str | None = None,
        idempotency_key: str | None = None,
    ) -> Study:
        """Make a study.

        Of a study file as JSON, of an archive as the body, of a form with the study file (`file`) and its table
        (`materials`), or an empty draft of one paradigm. Scopes: `read`, `write`. For people who make studies.

        Args:
            slug: Its address; of a study file: another one than it says.
            study: The keys of a study file, as TOML has them; dates as texts.
            tables: The tables that the study file names, such as materials.csv, as CSV by their names.
            repair: Take out what cannot be seen, mend letters that were encoded twice.
            accept: Store it although its table may not be read as it was meant.
            file: A path, or the bytes.
            idempotency_key: A key of your own; by itself a random one.
        """
        found: Study = self._json(
            "create_study",
            {},
            body={
                "slug": slug,
                "title": title,
                "paradigm": paradigm,
                "language": language,
                "study": study,
                "tables": tables,
                "repair": repair,
                "accept": accept,
            },
            file=file,
            content_type=content_type,
            files={"materials": materials},
            key=idempotency_key,
        )
        return found

    def validate_study(
        self,
        *,
        slug: str | Unset = UNSET,
        title: str | Unset = UNSET,
        paradigm: str | Unset = UNSET,
        language: str | Unset = UNSET,
        study: Mapping[str, Any] | Unset = UNSET,
        tables: Mapping[str, str] | Unset = UNSET,
        repair: bool | Unset = UNSET,
        accept: bool | Unset = UNSET,
        file: File | None = None,
        materials: File | None = None,
        content_type: str | None = None,
    ) -> Verdict:
        """Check a study without storing it.

        Takes what making a study takes. The answer is 200 also where there are faults. Scopes: `read`. For people who
        make studies.

        Args:
            slug: Its address; of a study file: another one than it says.
            study: The keys of a study file, as TOML has them; dates as texts.
            tables: The tables that the study file names, such as materials.csv, as CSV by their names.
            repair: Take out what cannot be seen, mend letters that were encoded twice.
            accept: Store it although its table may not be read as it was meant.
            file: A path, or the bytes.
        """
        found: Verdict = self._json(
            "validate_study",
            {},
            body={
                "slug": slug,
                "title": title,
                "paradigm": paradigm,
                "language": language,
                "study": study,
                "tables": tables,
                "repair": repair,
                "accept": accept,
            },
            file=file,
            content_type=content_type,
            files={"materials": materials},
        )
        return found

    def get_study(
        self,
        slug: str,
    ) -> Study:
        """Read a study.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        found: Study = self._json("get_study", {"slug": slug})
        return found

    def change_study(
        self,
        slug: str,
        *,
        new_slug: str | Unset = UNSET,
        title: str | Unset = UNSET,
        description: str | Unset = UNSET,
        tags: str | Unset = UNSET,
        language: str | Unset = UNSET,
        responsible: str | Unset = UNSET,
        contact: str | Unset = UNSET,
        estimated_minutes: int | Unset | None = UNSET,
        data_protection_note: str | Unset = UNSET,
        retention_until: str | Unset | None = UNSET,
        erases_itself: bool | Unset = UNSET,
        notice: str | Unset = UNSET,
        quota: int | Unset | None = UNSET,
        if_match: str | None = None,
    ) -> Study:
        """Change fields of a study.

        Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            new_slug: Of a draft.
            language: Of a draft.
            erases_itself: For the owner: erase everybody on that day.
            if_match: An ETag, or `*`; by itself the one that this client read last.
        """
        found: Study = self._json(
            "change_study",
            {"slug": slug},
            body={
                "slug": new_slug,
                "title": title,
                "description": description,
                "tags": tags,
                "language": language,
                "responsible": responsible,
                "contact": contact,
                "estimated_minutes": estimated_minutes,
                "data_protection_note": data_protection_note,
                "retention_until": retention_until,
                "erases_itself": erases_itself,
                "notice": notice,
                "quota": quota,
            },
            if_match=if_match,
        )
        return found

    def delete_study(
        self,
        slug: str,
        *,
        if_match: str | None = None,
    ) -> None:
        """Delete a draft.

        Only a study that was never opened. Scopes: `read`, `write`. For the owner of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            if_match: An ETag, or `*`; by itself the one that this client read last.
        """
        self._nothing(
            "delete_study",
            {"slug": slug},
            if_match=if_match,
        )

    def get_readiness(
        self,
        slug: str,
    ) -> Readiness:
        """Say what opening asks of a study.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        found: Readiness = self._json("get_readiness", {"slug": slug})
        return found

    def get_study_file(
        self,
        slug: str,
    ) -> Download:
        """Download a study as a file.

        Without people and data; the same bytes as the page and `export_study` give. Scopes: `read`. For members of the
        study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        return self._file("get_study_file", {"slug": slug})
