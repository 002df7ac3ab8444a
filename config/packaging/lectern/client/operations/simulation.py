"""Simulated participants.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

from ..asking import UNSET, Asking, Unset
from .shapes import Preview, Removed, Simulation


class OfSimulation(Asking):
    """Simulated participants."""

    def simulate(
        self,
        slug: str,
        *,
        participants: int,
        seed: int | Unset = UNSET,
        dropout: float | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Simulation:
        """Simulate participants.

        Of an open study. They take part through the real interface and are marked as simulated. Scopes: `read`,
        `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            seed: The same seed, the same answers.
            dropout: Share that stops half-way.
            idempotency_key: A key of your own; by itself a random one.
        """
        found: Simulation = self._json(
            "simulate",
            {"slug": slug},
            body={"participants": participants, "seed": seed, "dropout": dropout},
            key=idempotency_key,
        )
        return found

    def preview_simulation(
        self,
        slug: str,
        *,
        participants: int | Unset = UNSET,
        seed: int | Unset = UNSET,
    ) -> Preview:
        """Simulate participants, store nothing.

        Also of a draft: nobody takes part, nothing is stored or counted. It takes some seconds. Scopes: `read`. For
        members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            seed: The same seed, the same answers.
        """
        found: Preview = self._json(
            "preview_simulation",
            {"slug": slug},
            body={"participants": participants, "seed": seed},
        )
        return found

    def get_simulation(
        self,
        slug: str,
    ) -> Simulation:
        """See how far a simulation is.

        Scopes: `read`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        found: Simulation = self._json("get_simulation", {"slug": slug})
        return found

    def cancel_simulation(
        self,
        slug: str,
    ) -> Simulation:
        """Stop a simulation.

        Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        found: Simulation = self._json(
            "cancel_simulation",
            {"slug": slug},
            body={},
        )
        return found

    def remove_simulated(
        self,
        slug: str,
    ) -> Removed:
        """Remove simulated participants.

        Scopes: `read`, `write`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        found: Removed = self._json(
            "remove_simulated",
            {"slug": slug},
            body={},
        )
        return found
