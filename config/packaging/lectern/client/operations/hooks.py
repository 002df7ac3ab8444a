"""Where events are sent.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..asking import UNSET, Asking, Unset
from ..tables import Rows
from .shapes import Delivery, Hook, HookWithSecret, SentAgain


class OfHooks(Asking):
    """Where events are sent."""

    def list_hooks(
        self,
        slug: str,
    ) -> Rows[Hook]:
        """List hooks.

        Scopes: `read`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        return self._rows("list_hooks", {"slug": slug})

    def create_hook(
        self,
        slug: str,
        *,
        address: str,
        events: Sequence[str],
        idempotency_key: str | None = None,
    ) -> HookWithSecret:
        """Add a hook.

        Its secret is in this answer alone. What happened before is not sent. Scopes: `read`, `write`, `data`. For
        people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            address: The https:// address of your program.
            events: The kinds of events, such as `session.completed`.
            idempotency_key: A key of your own; by itself a random one.
        """
        found: HookWithSecret = self._json(
            "create_hook",
            {"slug": slug},
            body={"address": address, "events": events},
            key=idempotency_key,
        )
        return found

    def get_hook(
        self,
        slug: str,
        hook: int | str,
    ) -> Hook:
        """Read a hook.

        Scopes: `read`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            hook: The number of the hook.
        """
        found: Hook = self._json("get_hook", {"slug": slug, "hook": hook})
        return found

    def change_hook(
        self,
        slug: str,
        hook: int | str,
        *,
        is_active: bool | Unset = UNSET,
        events: Sequence[str] | Unset = UNSET,
        if_match: str | None = None,
    ) -> Hook:
        """Change a hook.

        Choose its events, or switch it on or off. Scopes: `read`, `write`, `data`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            hook: The number of the hook.
            is_active: `false` switches it off; what happens meanwhile is not sent.
            events: All kinds of events that are sent from now on.
            if_match: An ETag, or `*`; by itself the one that this client read last.
        """
        found: Hook = self._json(
            "change_hook",
            {"slug": slug, "hook": hook},
            body={"is_active": is_active, "events": events},
            if_match=if_match,
        )
        return found

    def delete_hook(
        self,
        slug: str,
        hook: int | str,
        *,
        if_match: str | None = None,
    ) -> None:
        """Delete a hook.

        What waits is not sent. Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            hook: The number of the hook.
            if_match: An ETag, or `*`; by itself the one that this client read last.
        """
        self._nothing(
            "delete_hook",
            {"slug": slug, "hook": hook},
            if_match=if_match,
        )

    def rotate_hook_secret(
        self,
        slug: str,
        hook: int | str,
        *,
        idempotency_key: str | None = None,
    ) -> HookWithSecret:
        """Make a new secret.

        It is in this answer alone. For 24 hours the old and the new secret both sign. Scopes: `read`, `write`, `data`.
        For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            hook: The number of the hook.
            idempotency_key: A key of your own; by itself a random one.
        """
        found: HookWithSecret = self._json(
            "rotate_hook_secret",
            {"slug": slug, "hook": hook},
            body={},
            key=idempotency_key,
        )
        return found

    def send_test_event(
        self,
        slug: str,
        hook: int | str,
    ) -> Hook:
        """Send a test.

        Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            hook: The number of the hook.
        """
        found: Hook = self._json(
            "send_test_event",
            {"slug": slug, "hook": hook},
            body={},
        )
        return found

    def list_deliveries(
        self,
        slug: str,
        hook: int | str,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        state: Literal["waiting", "sent", "given-up"] | Unset = UNSET,
    ) -> Rows[Delivery]:
        """List deliveries.

        Of the last 30 days, the latest first. Scopes: `read`, `data`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            hook: The number of the hook.
            limit: Rows of a page; 50 unless told.
            cursor: Where the page begins: `next_cursor` of the page before.
            state: Only those in this state.
        """
        return self._rows(
            "list_deliveries",
            {"slug": slug, "hook": hook},
            query={"limit": limit, "cursor": cursor, "state": state},
        )

    def replay_deliveries(
        self,
        slug: str,
        hook: int | str,
        *,
        delivery: str | Unset = UNSET,
    ) -> SentAgain:
        """Send events again.

        One, or all that were given up. Scopes: `read`, `write`, `data`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            hook: The number of the hook.
            delivery: The id of an event that was delivered or given up; left out: all that were given up.
        """
        found: SentAgain = self._json(
            "replay_deliveries",
            {"slug": slug, "hook": hook},
            body={"delivery": delivery},
        )
        return found
