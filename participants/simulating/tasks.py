"""Celery tasks of simulations. A task only wakes up a worker; progress is stored in the database."""

from __future__ import annotations

from django.conf import settings
from django.utils.module_loading import import_string

from participants.simulating.carrying_out import carry_out_some
from participants.watching.simulations import waiting

app = import_string(settings.TASKS_APPLICATION)


@app.task(name="participants.simulate_some")
def simulate_some(simulation_id: int) -> bool:
    """Let simulated participants take part for some seconds; returns False where there was nothing to do."""
    return carry_out_some(simulation_id)


@app.task(name="participants.sweep_simulations")
def sweep_simulations() -> int:
    """Wake a worker up for every simulation that nobody is at; returns how many there are."""
    found = waiting()
    for simulation_id in found:
        simulate_some.delay(simulation_id)
    return len(found)
