import ctypes
import os
import time

from django.apps import AppConfig

from analysis.methods import catalogue, registry
from analysis.methods.declarations import Method, Split
from analysis.methods.report import Report
from analysis.methods.splitting import whole


def slow(frame, *, progress):
    for step in range(20):
        progress(step / 20, "taking its time")
        time.sleep(0.1)
    return registry.method_named("normalise").function(frame, dv="rating", progress=progress)


def hang(frame, *, progress):
    while True:
        time.sleep(1)


def devour(frame, *, progress):
    return Report(method="devour", params={}, tables=(), notes=(str(len(bytearray(16 * 1024**3))),))


def crash(frame, *, progress):
    ctypes.string_at(0)


def leave(frame, *, progress):
    os._exit(7)


def step(prepared, params, part, progress):
    # Long enough for a test to see a part under way, and to kill who computes it.
    for tick in range(20):
        progress(tick / 20, f"step {part}")
        time.sleep(0.1)
    return part**2


STEPS = Split(
    prepare=lambda frame, params, progress: {"rows": len(frame)},
    parts=lambda prepared, params: [1, 2, 3, 4, 5],
    compute_part=step,
    combine=lambda prepared, params, results: Report(
        method="steps", params={}, tables=(), notes=(f"{prepared['rows']} rows: {results}",)
    ),
)


def steps(frame, *, progress):
    return whole(STEPS, frame, {}, progress=progress)


class PoisonConfig(AppConfig):
    name = "tests.analysis.poison"
    label = "poison"

    def ready(self):
        catalogue.ADDED |= {
            function.__name__: Method(
                slug=function.__name__,
                label=function.__name__,
                summary="For tests.",
                function=function,
                parameters=(),
                split=STEPS if function is steps else None,
            )
            for function in (slow, hang, devour, crash, leave, steps)
        }
