"""Settings, procedure, plan.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..asking import UNSET, Asking, Unset
from .shapes import Plan, Settings


class OfSettings(Asking):
    """Settings, procedure, plan."""

    def get_settings(
        self,
        slug: str,
        *,
        part: str | Unset = UNSET,
    ) -> Settings:
        """Read settings and procedure.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            part: The task, or pool of tasks, by its name; the first one if left out.
        """
        found: Settings = self._json(
            "get_settings",
            {"slug": slug},
            query={"part": part},
        )
        return found

    def change_settings(
        self,
        slug: str,
        *,
        settings: Mapping[str, Any] | Unset = UNSET,
        procedure: Mapping[str, Any] | Unset = UNSET,
        part: str | Unset = UNSET,
        if_match: str | None = None,
    ) -> Settings:
        """Change settings and procedure.

        Of a draft; while a study is open, what follows the last page and coming back may still change. Scopes: `read`,
        `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            part: The task, or pool of tasks, by its name; the first one if left out.
            if_match: An ETag, or `*`; by itself the one that this client read last.
        """
        found: Settings = self._json(
            "change_settings",
            {"slug": slug},
            query={"part": part},
            body={"settings": settings, "procedure": procedure},
            if_match=if_match,
        )
        return found

    def get_plan(
        self,
        slug: str,
    ) -> Plan:
        """Read the plan.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        found: Plan = self._json("get_plan", {"slug": slug})
        return found

    def put_plan(
        self,
        slug: str,
        *,
        hypotheses: str | Unset = UNSET,
        exclusion_rules: Sequence[Any] | Unset = UNSET,
        analyses: Sequence[Any] | Unset = UNSET,
        if_match: str | None = None,
    ) -> Plan:
        """Replace the plan of a draft.

        Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            if_match: An ETag, or `*`; by itself the one that this client read last.
        """
        found: Plan = self._json(
            "put_plan",
            {"slug": slug},
            body={"hypotheses": hypotheses, "exclusion_rules": exclusion_rules, "analyses": analyses},
            if_match=if_match,
        )
        return found
