"""Convert tabular results: jsPsych, lab.js, OpenSesame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.conversion.table import Converted, Row, cell, first_of, renamed

_PARTICIPANT = (
    "participant", "participant_id", "subject", "subject_id", "subject_nr", "subj", "prolific_pid",
    "url.PROLIFIC_PID", "workerid", "sona_id", "run_id", "jatosworkerid", "jatosstudyresultid", "observation",
)  # fmt: skip
_ITEM = ("item", "item_id", "itemid", "stim_id", "stimulus_id")
_CONDITION = ("condition", "cond")
_LIST = ("list", "group", "list_id")


@dataclass(frozen=True)
class Tool:
    """How a tool's table is known, and which of its columns are which; `needs` must all be there."""

    name: str
    needs: tuple[str, ...]
    names: Mapping[str, tuple[str, ...]]
    kept: str = ""
    note: str = ""


TOOLS = (
    Tool(
        "jsPsych",
        ("trial_type", "trial_index"),
        {
            "position": ("trial_index",),
            "rt_ms": ("rt",),
            "response": ("response",),
            "correct": ("correct",),
            "text": ("stimulus",),
            "elapsed_ms": ("time_elapsed",),
        },
    ),
    Tool(
        "lab.js",
        ("sender", "ended_on"),
        {
            "label": ("sender",),
            "trial": ("sender_id",),
            "rt_ms": ("duration",),
            "response": ("response",),
            "correct": ("correct",),
            "elapsed_ms": ("time_end",),
        },
        note="rt_ms is the duration of a screen; where `ended_on` is not `response` nobody responded.",
    ),
    Tool(
        "OpenSesame",
        ("response_time", "response"),
        {
            "position": ("count_trial_sequence", "live_row_block_loop", "live_row"),
            "rt_ms": ("response_time",),
            "response": ("response",),
            "correct": ("correct",),
        },
    ),
)
_OPENSESAME_MARKS = ("subject_nr", "opensesame_version", "count_trial_sequence", "experiment_file")


def recognised(columns: Sequence[str]) -> Tool | None:
    """Return the tool that writes tables with these columns, or None."""
    for tool in TOOLS:
        if all(name in columns for name in tool.needs) and (
            tool.name != "OpenSesame" or any(mark in columns for mark in _OPENSESAME_MARKS)
        ):
            return tool
    return None


def convert(tool: Tool, rows: Sequence[Mapping[str, Any]], *, who: str = "") -> Converted:
    """Return the rows under the platform's names. `who` is the participant where the file does not say it."""
    flat = [flattened(row) for row in rows]
    columns = list(dict.fromkeys(name for row in flat for name in row))
    candidates = {**tool.names, "participant": _PARTICIPANT, "item": _ITEM, "condition": _CONDITION, "list": _LIST}
    names = {found: ours for ours, theirs in candidates.items() if (found := first_of(columns, theirs)) is not None}
    sources: dict[str, str] = {}
    out = [renamed(row, names, sources) for row in flat]
    notes = [tool.note] if tool.note else []
    if "participant" not in sources:
        for row in out:
            row["participant"] = who or "1"
        notes.append("The file names no participant; all of its rows belong to one.")
    else:
        _spread(out)
    if sources.get("position") == "trial_index":
        for row in out:
            index = row.get("position")
            row["position"] = index + 1 if isinstance(index, int) else None
    return Converted(tool.name, out, sources=sources, notes=notes)


def _spread(rows: list[Row]) -> None:
    """Give every row the participant where only some rows name one and all agree."""
    named = {row.get("participant") for row in rows} - {None}
    if len(named) == 1:
        only = named.pop()
        for row in rows:
            row["participant"] = only


def flattened(row: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return an object with its inner objects as columns of their own; lists become text.

    >>> flattened({"rt": 512, "response": {"Q0": "yes", "Q1": None}, "keys": ["a", "b"]})
    {'rt': 512, 'response_Q0': 'yes', 'response_Q1': None, 'keys': 'a, b'}
    """
    out: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            out |= flattened(value, f"{prefix}{name}_")
        elif isinstance(value, list | tuple):
            out[f"{prefix}{name}"] = ", ".join(str(cell(entry)) for entry in value)
        else:
            out[f"{prefix}{name}"] = value
    return out
