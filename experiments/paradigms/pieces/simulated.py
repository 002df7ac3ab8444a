"""Base class of simulated participants in all paradigms."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from experiments.paradigms.base import VirtualParticipant
from experiments.paradigms.pieces.media import SOUND_RESPONSES, simulated_sound_check, simulated_sound_check_ms
from experiments.paradigms.pieces.shared_pages import SHARED_RESPONSES, simulated_answer, simulated_page_ms


class SimulatedParticipant(VirtualParticipant):
    """A simulated participant: handles shared pages and sound checks; subclasses answer the trials."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def answer(self, params: Mapping[str, Any], levels: Mapping[str, str], item: str) -> dict[str, Any]:
        """Return the payload for one trial; `params` includes values carried over from earlier trials."""
        raise NotImplementedError

    def answer_ms(self, payload: Mapping[str, Any]) -> float:
        """Return the time from onset to submission that goes with a payload of `answer`, in milliseconds."""
        raise NotImplementedError

    def respond(
        self,
        plugin: str,
        params: Mapping[str, Any],
        *,
        levels: Mapping[str, str],
        item: str,
        carried: Mapping[str, Any],
    ) -> dict[str, Any]:
        if plugin in SHARED_RESPONSES:
            return simulated_answer(plugin, params, self.rng)
        if plugin in SOUND_RESPONSES:
            return simulated_sound_check(params, self.rng)
        return self.answer({**params, **carried}, levels, item)

    def response_ms(self, plugin: str, payload: Mapping[str, Any]) -> float:
        if plugin in SHARED_RESPONSES:
            return simulated_page_ms(plugin, payload, self.rng)
        if plugin in SOUND_RESPONSES:
            return simulated_sound_check_ms(payload, self.rng)
        return self.answer_ms(payload)
