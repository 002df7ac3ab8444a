"""Sessions, exclusion, erasure.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

from typing import Literal

from ..asking import UNSET, Asking, Unset
from ..tables import Rows
from .shapes import Erased, ErasedAll, ErasedIdentities, Participant, Session


class OfParticipants(Asking):
    """Sessions, exclusion, erasure."""

    def list_sessions(
        self,
        slug: str,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        state: Literal["running", "finished", "dropped", "excluded", "ruled_out", "sent_away"] | Unset = UNSET,
        simulated: bool | Unset = UNSET,
    ) -> Rows[Session]:
        """List sessions.

        Scopes: `read`, `data`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            limit: Rows of a page; 50 unless told.
            cursor: Where the page begins: `next_cursor` of the page before.
            state: Where they are.
            simulated: `true`: simulated ones alone; `false`: people alone.
        """
        return self._rows(
            "list_sessions",
            {"slug": slug},
            query={"limit": limit, "cursor": cursor, "state": state, "simulated": simulated},
        )

    def list_participants(
        self,
        slug: str,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        state: Literal["running", "finished", "dropped", "excluded", "ruled_out", "sent_away"] | Unset = UNSET,
        simulated: bool | Unset = UNSET,
    ) -> Rows[Session]:
        """List participants.

        Everybody has one session in a study, so this is the list of sessions. Scopes: `read`, `data`. For members of
        the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            limit: Rows of a page; 50 unless told.
            cursor: Where the page begins: `next_cursor` of the page before.
            state: Where they are.
            simulated: `true`: simulated ones alone; `false`: people alone.
        """
        return self._rows(
            "list_participants",
            {"slug": slug},
            query={"limit": limit, "cursor": cursor, "state": state, "simulated": simulated},
        )

    def get_participant(
        self,
        slug: str,
        pseudonym: str,
    ) -> Participant:
        """Read a participant's session and its quality.

        Scopes: `read`, `data`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            pseudonym: The pseudonym of the participant, as exports have it.
        """
        found: Participant = self._json("get_participant", {"slug": slug, "pseudonym": pseudonym})
        return found

    def exclude_participant(
        self,
        slug: str,
        pseudonym: str,
        *,
        reason: str,
    ) -> Participant:
        """Exclude a participant.

        The data are kept; analyses leave them out, and exports name the reason. Scopes: `read`, `write`, `data`. For
        people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            pseudonym: The pseudonym of the participant, as exports have it.
            reason: Exports have it next to the data.
        """
        found: Participant = self._json(
            "exclude_participant",
            {"slug": slug, "pseudonym": pseudonym},
            body={"reason": reason},
        )
        return found

    def include_participant(
        self,
        slug: str,
        pseudonym: str,
    ) -> Participant:
        """Take an exclusion back.

        Scopes: `read`, `write`, `data`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            pseudonym: The pseudonym of the participant, as exports have it.
        """
        found: Participant = self._json(
            "include_participant",
            {"slug": slug, "pseudonym": pseudonym},
            body={},
        )
        return found

    def erase_participant(
        self,
        slug: str,
        pseudonym: str,
    ) -> Erased:
        """Erase a participant permanently.

        Do this when the person asks for it. The study remembers only that somebody withdrew. Scopes: `read`, `write`,
        `data`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            pseudonym: The pseudonym of the participant, as exports have it.
        """
        found: Erased = self._json(
            "erase_participant",
            {"slug": slug, "pseudonym": pseudonym},
            body={},
        )
        return found

    def erase_everybody(
        self,
        slug: str,
        *,
        confirm: str,
    ) -> ErasedAll:
        """Erase all participants permanently.

        Of a study that is not open, at the end of retention. Scopes: `read`, `write`, `data`. For the owner of the
        study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            confirm: The address of the study, so that nobody erases the wrong one.
        """
        found: ErasedAll = self._json(
            "erase_everybody",
            {"slug": slug},
            body={"confirm": confirm},
        )
        return found

    def erase_identities(
        self,
        slug: str,
        *,
        confirm: str,
    ) -> ErasedIdentities:
        """Erase all recruitment ids.

        When everybody has been paid. All answers stay, under their pseudonyms. Scopes: `read`, `write`, `identities`.
        For the owner of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            confirm: The address of the study, so that nobody erases the wrong one.
        """
        found: ErasedIdentities = self._json(
            "erase_identities",
            {"slug": slug},
            body={"confirm": confirm},
        )
        return found
