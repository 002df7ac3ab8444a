"""The table of a task, and its versions.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

from ..asking import UNSET, Asking, Unset
from ..files import Download, File
from ..tables import Rows
from .shapes import Design, MaterialsDifference, MaterialsVersion


class OfMaterials(Asking):
    """The table of a task, and its versions."""

    def get_materials(
        self,
        slug: str,
        *,
        part: str | Unset = UNSET,
        excel: bool | Unset = UNSET,
    ) -> Download:
        """Read the materials.

        As a table that can be stored again. Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            part: The task, or pool of tasks, by its name; the first one if left out.
            excel: `true`: with a byte order mark and guarded cells, for spreadsheets.
        """
        return self._file(
            "get_materials",
            {"slug": slug},
            query={"part": part, "excel": excel},
        )

    def put_materials(
        self,
        slug: str,
        file: File,
        *,
        part: str | Unset = UNSET,
        repair: bool | Unset = UNSET,
        incomplete: bool | Unset = UNSET,
        accept: bool | Unset = UNSET,
        note: str | Unset = UNSET,
        content_type: str | None = None,
        if_match: str | None = None,
    ) -> Design:
        """Replace the materials of a draft.

        The table is read as on the page: columns are recognised, lists are made. It becomes a version. Scopes: `read`,
        `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            part: The task, or pool of tasks, by its name; the first one if left out.
            repair: Take out what cannot be seen, mend letters that were encoded twice.
            incomplete: Texts are missing on purpose.
            accept: Store it although it may not be read as it was meant.
            note: Shown in the list of versions.
            file: A path, or the bytes.
            if_match: An ETag, or `*`; by itself the one that this client read last.
        """
        found: Design = self._json(
            "put_materials",
            {"slug": slug},
            query={"part": part, "repair": repair, "incomplete": incomplete, "accept": accept, "note": note},
            file=file,
            content_type=content_type,
            if_match=if_match,
        )
        return found

    def check_materials(
        self,
        slug: str,
        file: File,
        *,
        part: str | Unset = UNSET,
        repair: bool | Unset = UNSET,
        incomplete: bool | Unset = UNSET,
        accept: bool | Unset = UNSET,
        content_type: str | None = None,
    ) -> Design:
        """Check a table without storing it.

        Scopes: `read`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            part: The task, or pool of tasks, by its name; the first one if left out.
            repair: Take out what cannot be seen, mend letters that were encoded twice.
            incomplete: Texts are missing on purpose.
            accept: Store it although it may not be read as it was meant.
            file: A path, or the bytes.
        """
        found: Design = self._json(
            "check_materials",
            {"slug": slug},
            query={"part": part, "repair": repair, "incomplete": incomplete, "accept": accept},
            file=file,
            content_type=content_type,
        )
        return found

    def list_materials_versions(
        self,
        slug: str,
        *,
        part: str | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> Rows[MaterialsVersion]:
        """List the versions of the materials.

        Every change of the materials is kept as a version, up to a bound; the newest comes first. Scopes: `read`. For
        members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            part: The task, or pool of tasks, by its name; the first one if left out.
            limit: Rows of a page; 50 unless told.
            cursor: Where the page begins: `next_cursor` of the page before.
        """
        return self._rows(
            "list_materials_versions",
            {"slug": slug},
            query={"part": part, "limit": limit, "cursor": cursor},
        )

    def get_materials_version(
        self,
        slug: str,
        version: str,
        *,
        part: str | Unset = UNSET,
    ) -> MaterialsVersion:
        """Read what is known of a version.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            version: The number of the version.
            part: The task, or pool of tasks, by its name; the first one if left out.
        """
        found: MaterialsVersion = self._json(
            "get_materials_version",
            {"slug": slug, "version": version},
            query={"part": part},
        )
        return found

    def get_materials_version_table(
        self,
        slug: str,
        version: str,
        *,
        part: str | Unset = UNSET,
        excel: bool | Unset = UNSET,
    ) -> Download:
        """Read the materials of a version.

        As a table that can be stored again. Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            version: The number of the version.
            part: The task, or pool of tasks, by its name; the first one if left out.
            excel: `true`: with a byte order mark and guarded cells, for spreadsheets.
        """
        return self._file(
            "get_materials_version_table",
            {"slug": slug, "version": version},
            query={"part": part, "excel": excel},
        )

    def get_materials_difference(
        self,
        slug: str,
        version: str,
        *,
        part: str | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        since: int | Unset = UNSET,
    ) -> MaterialsDifference:
        """Compare a version with another.

        By item, condition and column: texts that were added, removed or changed. Scopes: `read`. For members of the
        study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            version: The number of the version.
            part: The task, or pool of tasks, by its name; the first one if left out.
            limit: Rows of a page; 50 unless told.
            cursor: Where the page begins: `next_cursor` of the page before.
            since: A version; the one kept before if left out.
        """
        found: MaterialsDifference = self._json(
            "get_materials_difference",
            {"slug": slug, "version": version},
            query={"part": part, "limit": limit, "cursor": cursor, "since": since},
        )
        return found

    def restore_materials_version(
        self,
        slug: str,
        version: str,
        *,
        note: str | Unset = UNSET,
        part: str | Unset = UNSET,
        if_match: str | None = None,
    ) -> MaterialsVersion:
        """Go back to a version of the materials.

        The materials of a draft become those of the version again, as a new version; none is removed. If-Match names
        the ETag of the materials. Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            version: The number of the version.
            part: The task, or pool of tasks, by its name; the first one if left out.
            if_match: An ETag, or `*`; by itself the one that this client read last.
        """
        found: MaterialsVersion = self._json(
            "restore_materials_version",
            {"slug": slug, "version": version},
            query={"part": part},
            body={"note": note},
            if_match=if_match,
        )
        return found
