"""Sources, quotas, personal links.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ..asking import UNSET, Asking, Unset
from .shapes import Criteria, PersonalLinks, Quota, Source, Sources


class OfRecruitment(Asking):
    """Sources, quotas, personal links."""

    def list_sources(
        self,
        slug: str,
    ) -> Sources:
        """List sources.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        found: Sources = self._json("list_sources", {"slug": slug})
        return found

    def create_source(
        self,
        slug: str,
        *,
        kind: Literal["prolific", "sona", "mturk", "link", "other"],
        idempotency_key: str | None = None,
    ) -> Source:
        """Add a source.

        Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            idempotency_key: A key of your own; by itself a random one.
        """
        found: Source = self._json(
            "create_source",
            {"slug": slug},
            body={"kind": kind},
            key=idempotency_key,
        )
        return found

    def get_source(
        self,
        slug: str,
        name: str,
    ) -> Source:
        """Read a source.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            name: The name of the file or of the source.
        """
        found: Source = self._json("get_source", {"slug": slug, "name": name})
        return found

    def change_source(
        self,
        slug: str,
        name: str,
        *,
        new_name: str | Unset = UNSET,
        parameters: Sequence[str] | Unset = UNSET,
        outcomes: Mapping[str, Any] | Unset = UNSET,
        id_only: bool | Unset = UNSET,
        if_match: str | None = None,
    ) -> Source:
        """Change a source.

        Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            name: The name of the file or of the source.
            if_match: An ETag, or `*`; by itself the one that this client read last.
        """
        found: Source = self._json(
            "change_source",
            {"slug": slug, "name": name},
            body={"name": new_name, "parameters": parameters, "outcomes": outcomes, "id_only": id_only},
            if_match=if_match,
        )
        return found

    def delete_source(
        self,
        slug: str,
        name: str,
        *,
        if_match: str | None = None,
    ) -> None:
        """Remove a source from a draft.

        Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            name: The name of the file or of the source.
            if_match: An ETag, or `*`; by itself the one that this client read last.
        """
        self._nothing(
            "delete_source",
            {"slug": slug, "name": name},
            if_match=if_match,
        )

    def get_criteria(
        self,
        slug: str,
    ) -> Criteria:
        """Read the quotas by criterion.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        found: Criteria = self._json("get_criteria", {"slug": slug})
        return found

    def put_criteria(
        self,
        slug: str,
        *,
        criteria: Sequence[Mapping[str, Any]],
        if_match: str | None = None,
    ) -> Criteria:
        """Replace the quotas by criterion.

        Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            if_match: An ETag, or `*`; by itself the one that this client read last.
        """
        found: Criteria = self._json(
            "put_criteria",
            {"slug": slug},
            body={"criteria": criteria},
            if_match=if_match,
        )
        return found

    def get_quota(
        self,
        slug: str,
    ) -> Quota:
        """Read the quota.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        found: Quota = self._json("get_quota", {"slug": slug})
        return found

    def put_quota(
        self,
        slug: str,
        *,
        quota: int | None,
        if_match: str | None = None,
    ) -> Quota:
        """Change the quota.

        Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            quota: Null for no limit.
            if_match: An ETag, or `*`; by itself the one that this client read last.
        """
        found: Quota = self._json(
            "put_quota",
            {"slug": slug},
            body={"quota": quota},
            if_match=if_match,
        )
        return found

    def create_personal_links(
        self,
        slug: str,
        *,
        number: int,
        idempotency_key: str | None = None,
    ) -> PersonalLinks:
        """Make personal links.

        Each is good for one person. The platform keeps none of them. Scopes: `read`, `write`. For people who may edit
        the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            idempotency_key: A key of your own; by itself a random one.
        """
        found: PersonalLinks = self._json(
            "create_personal_links",
            {"slug": slug},
            body={"number": number},
            key=idempotency_key,
        )
        return found
