"""A network that loses, repeats and reorders, and a browser with an outbox that gets everything through."""

from __future__ import annotations

import random
from typing import Any

from experiments.models import Study
from participants.content import RESULT_FIELDS, content_hash
from tests.participants.studies import Browser, result_for

LOST_REQUEST = 0.2
LOST_ANSWER = 0.2


class OutboxBrowser(Browser):
    """Keeps every entry until it is acknowledged. `ledger` holds what was acknowledged: position to hash."""

    def __init__(self, study: Study, *, seed: int, **options: Any) -> None:
        super().__init__(study, seed=seed, **options)
        self.rng = random.Random(f"network {seed}")
        self.ledger: dict[int, str] = {}
        self.sent_hashes: dict[int, str] = {}
        self.pending: list[dict[str, Any]] = []
        self.delayed: list[list[dict[str, Any]]] = []

    def deliver(self, call: Any) -> Any:
        """Make a request until an answer comes back; each try may be lost on the way there or on the way back."""
        while True:
            if self.rng.random() < LOST_REQUEST:
                continue
            answer = call()
            if self.rng.random() < LOST_ANSWER:
                continue
            for _ in range(self.rng.choice((0, 0, 1, 2))):
                call()
            return answer

    def begin(self) -> None:
        assert self.deliver(self.start).status_code in {200, 201}
        assert self.deliver(self.open).status_code == 200

    def answer(self, position: int) -> None:
        """Put the result of a trial into the outbox, with the event batches that it announces first."""
        batches = self.rng.choice((0, 0, 0, 2))
        entry = result_for(self.trials[position], number=self.rng.randint(1, 99), event_batches=batches)
        self.sent_hashes[position] = content_hash({name: entry[name] for name in RESULT_FIELDS})
        self.pending += [
            {"kind": "events", "sequence": position, "batch": batch, "events": [{"at_ms": self.rng.random()}]}
            for batch in range(batches)
        ]
        self.pending.append(entry)

    def flush(self) -> None:
        """Send what waits until all of it is acknowledged; requests overtake each other and arrive late."""
        while self.pending:
            self.rng.shuffle(self.pending)
            batch = self.pending[: self.rng.randint(1, 6)]
            if self.rng.random() < LOST_REQUEST:
                # Not lost but held up: it arrives after later ones, and nobody waits for its answer.
                self.delayed.append(batch)
                continue
            answer = self.send(*batch)
            assert answer.status_code == 200, answer.content
            if self.rng.random() < LOST_ANSWER:
                continue
            self.acknowledge(batch, answer.json()["results"])
        for late in self.delayed:
            assert self.send(*late).status_code == 200
        self.delayed.clear()

    def acknowledge(self, batch: list[dict[str, Any]], results: list[dict[str, Any]]) -> None:
        assert len(results) == len(batch)
        for entry, result in zip(batch, results, strict=True):
            assert result["status"] in {"stored", "duplicate"}
            if entry["kind"] == "result":
                self.ledger[entry["sequence"]] = result["hash"]
            self.pending.remove(entry)
