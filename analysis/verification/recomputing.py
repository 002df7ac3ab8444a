"""Compute a report of an archive again, in a process with limits on time and memory.

An archive is from anywhere, and its parameters may ask for anything: a formula without end, a million data sets.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.data.analyse_file import read_file, rows_of_part
from analysis.data.frames import frame_from
from analysis.methods import registry
from analysis.methods.declarations import FileOnDisk, Method, TextFile
from analysis.methods.report import BadInput, Report
from analysis.methods.sequential.boundaries import Look
from analysis.methods.sequential.decided import MadeLook, stopped_report
from experiments.rules.sequential import SequentialPlan

if sys.platform != "win32":
    import resource

SECONDS = 600
MEGABYTES = 4_096


@dataclass(frozen=True)
class Asked:
    """What is to be computed: a method with the parameters of its report, on a CSV file: one as the platform writes it,
    or one that was given by its path and is read as `analyse` does.

    `part` is the task that the report names, `rows_of_part` the one whose rows alone count; `look` is what the report
    of a sequential plan says besides; `files` are texts of files by the name under which the report names them.
    """

    method: str
    params: Mapping[str, Any]
    data: bytes | Path
    part: str = ""
    rows_of_part: str = ""
    look: Mapping[str, Any] | None = None
    files: Sequence[TextFile | FileOnDisk] = ()


class NotComputed(ValueError):
    """A report could not be computed again; the message says why, and `is_of_limits` whether it took too much."""

    def __init__(self, message: str, *, is_of_limits: bool = False) -> None:
        super().__init__(message)
        self.is_of_limits = is_of_limits


def recomputed(asked: Asked, *, seconds: int = SECONDS, megabytes: int = MEGABYTES) -> dict[str, Any]:
    """Return the report as plain values. Raises NotComputed where its method refuses, or it takes too much."""
    context: Any = multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_compute_and_send, args=(asked, there, seconds, megabytes))
    process.start()
    there.close()
    try:
        if not here.poll(seconds):
            raise NotComputed(f"it takes more than {seconds} seconds; --seconds allows more.", is_of_limits=True)
        kind, said = here.recv()
    except (EOFError, OSError) as error:
        said = f"it takes more than {megabytes} MB or {seconds} seconds of the processor."
        raise NotComputed(said, is_of_limits=True) from error
    finally:
        process.kill()
        process.join()
        here.close()
    if kind != "done":
        raise NotComputed(said, is_of_limits=kind == "memory")
    found: dict[str, Any] = json.loads(said)
    return found


def _compute_and_send(asked: Asked, parent: Connection, seconds: int, megabytes: int) -> None:
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 1024**2,) * 2)
    try:
        # Through the text of report.json, so that both are read from the same form.
        answer = ("done", json.dumps(computed(asked).as_dict(), allow_nan=False))
    except BadInput as refusal:
        answer = ("refused", str(refusal))
    except MemoryError:
        answer = ("memory", f"it takes more than {megabytes} MB.")
    except Exception as error:  # noqa: BLE001 - whatever an altered archive brings about, the parent has to say it
        answer = ("refused", f"Its method ends with {type(error).__name__} on what the archive gives it.")
    parent.send(answer)
    parent.close()


def computed(asked: Asked) -> Report:
    """Return the report of what is asked. Raises BadInput."""
    method = registry.method_named(asked.method)
    frame = read_file(asked.data).frame if isinstance(asked.data, Path) else frame_from(asked.data)
    if asked.rows_of_part:
        frame = rows_of_part(frame, asked.rows_of_part)
    if asked.look is not None:
        frame = rows_of_people(frame, asked.look["participants"])
    report = registry.run(method, frame, with_files(method, asked.params, asked.files))
    if asked.look is not None:
        report = _of_look(report, asked.look)
    return replace(report, part=asked.part)


def rows_of_people(frame: pd.DataFrame, people: Sequence[str]) -> pd.DataFrame:
    """Return the rows of these people, as a look of a sequential plan has them.

    >>> rows_of_people(pd.DataFrame({"participant": ["a", "b"], "rt": ["1", "2"]}), ["b"]).values.tolist()
    [['b', '2']]
    """
    kept: pd.DataFrame = frame[frame["participant"].isin(set(people))]
    return frame_from(kept.to_csv(index=False, lineterminator="\r\n").encode("utf-8"))


def with_files(method: Method, params: Mapping[str, Any], files: Sequence[TextFile | FileOnDisk]) -> dict[str, Any]:
    """Return the parameters of a report with the files that it names by their hash. Raises BadInput without one.

    No file is ever read by a name that stands in an archive.
    """
    found = dict(params)
    for parameter in method.parameters:
        if parameter.kind == "file" and found.get(parameter.name):
            named = str(found[parameter.name])
            given = file_named(named, files)
            if given is None:
                raise BadInput(f"The file {named} is missing.")
            found[parameter.name] = replace(given, name=named.partition(_HASH)[0])
    return found


_HASH = " (SHA-256 "


def file_named(named: str, files: Sequence[TextFile | FileOnDisk]) -> TextFile | FileOnDisk | None:
    """Return the file with the hash that a report names, whatever it is called; None where there is none.

    >>> file_named("toy.arpa (SHA-256 ba7816bf8f01…)", [TextFile("other.arpa", "abc")]).name
    'other.arpa'
    """
    return next((file for file in files if str(file).partition(_HASH)[2] == named.partition(_HASH)[2]), None)


def _of_look(report: Report, look: Mapping[str, Any]) -> Report:
    made = [MadeLook(Look(**one["look"]), one["people"], one["p"], one["decision"]) for one in look["made"]]
    plan = SequentialPlan.of(look["sequential"])
    return stopped_report(report, plan=plan, made=made, found=look["found"], ended_early=look["ended_early"])
