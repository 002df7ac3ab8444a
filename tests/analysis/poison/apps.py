import ctypes
import os
import time

from django.apps import AppConfig

from analysis.methods import catalogue
from analysis.methods.registry import Method
from analysis.methods.report import Report


def slow(frame, *, progress):
    for step in range(20):
        progress(step / 20, "taking its time")
        time.sleep(0.1)
    return catalogue.ANALYSES[0].function(frame, dv="rating", progress=progress)


def hang(frame, *, progress):
    while True:
        time.sleep(1)


def devour(frame, *, progress):
    return Report(method="devour", params={}, tables=(), notes=(str(len(bytearray(16 * 1024**3))),))


def crash(frame, *, progress):
    ctypes.string_at(0)


def leave(frame, *, progress):
    os._exit(7)


class PoisonConfig(AppConfig):
    name = "tests.analysis.poison"
    label = "poison"

    def ready(self):
        catalogue.ANALYSES += tuple(
            Method(
                slug=function.__name__, label=function.__name__, summary="For tests.", function=function, parameters=()
            )
            for function in (slow, hang, devour, crash, leave)
        )
