"""Summarise results as numbers and as Markdown pages, and update the table in the documentation. Pure but for
`put_into`.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.pixels.cells import KINDS
from experiments.paradigms.pieces.displays import is_off

FRAME_MS = 1000 / 60
LABELS = {kind.name: kind.label for kind in KINDS}
BROWSERS = {"chromium": "Chromium", "firefox": "Firefox ESR"}
LOADS = {"quiet": "quiet", "busy": "main thread busy 45 of 97 ms"}

Row = dict[str, Any]

NOTES = """\
- The truth is the frame buffer: a program looked every 0.4 ms at the place of the stimulus in the memory that the X
  server Xvfb draws into, and pressed keys through the X server (XTEST). Both are on one clock; no browser, debugger or
  driver is asked. What a cable, a screen and a keyboard add is not in these numbers; it is the same for both systems.
- Lectern is the whole platform: its server, its run page, its studies. The only addition is a script that keeps the
  main thread busy where that is asked for, and tells once where the stimulus stands. jsPsych is plain jsPsych with
  html-keyboard-response, on the same server, in the same session, in random order.
- Xvfb has no screen that ticks: a frame is there when the processor has drawn it, some milliseconds earlier or later
  within its 60th of a second. Displays are therefore less exact here than on a screen, for both systems.
- *Off* is a display that was shown for more than half a frame (8.3 ms) longer or shorter than it should have been. The
  platform flags a display that its own record says is off, or doubtful. jsPsych records nothing about displays.
- *Within its bound* are reaction times whose error is not larger than the `onset_error_ms` of the trial.
- *Unknown* are trials around which the screen was not looked at for more than 2 ms, or in which no change was found.
- The first sentence of each page is left out for both.
"""


def summary(rows: Sequence[Row]) -> list[Row]:
    """Return one row for each cell, with every error."""
    cells: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        cells.setdefault((row["browser"], row["load"], row["kind"], row["system"]), []).append(row)
    return [
        {**dict(zip(("browser", "load", "kind", "system"), key, strict=True)), **_cell(key[2], found)}
        for key, found in cells.items()
    ]


def _cell(kind: str, found: list[Row]) -> Row:
    name = "error_ms" if kind == "rt" else "off_ms"
    known = [row for row in found if row[name] is not None]
    errors = [row[name] for row in known]
    values: Row = {
        "trials": len(known),
        "unknown": len(found) - len(known),
        "mean": statistics.fmean(errors) if errors else None,
        "sd": statistics.stdev(errors) if len(errors) > 1 else None,
        "median": statistics.median(errors) if errors else None,
        "errors": [round(error, 2) for error in errors],
    }
    if kind == "rt":
        bounds = [(abs(row[name]), row["onset_error_ms"]) for row in known if row.get("onset_error_ms") is not None]
        within = sum(error <= bound for error, bound in bounds)
        return {**values, "with_bound": len(bounds), "within_bound": within}
    off = [abs(error) > FRAME_MS / 2 for error in errors]
    flags = [is_flagged(row) for row in known]
    return {
        **values,
        "off": sum(off),
        "flagged": sum(flags),
        "off_unflagged": sum(wrong and not flag for wrong, flag in zip(off, flags, strict=True)),
    }


def is_flagged(row: Row) -> bool:
    """Return whether the platform flags a display, as it is exported."""
    if row["system"] != "lectern":
        return False
    said = {name.removeprefix("said_"): value for name, value in row.items() if name.startswith("said_")}
    return is_off(said, intended_ms=row["intended_ms"])


def tables(cells: Sequence[Row]) -> str:
    """Return the two tables, with the systems side by side."""
    of = {(cell["browser"], cell["load"], cell["kind"], cell["system"]): cell for cell in cells}
    conditions = list(dict.fromkeys((cell["browser"], cell["load"], cell["kind"]) for cell in cells))
    reactions = [
        "| reaction time: recorded − true | Lectern | within its bound | jsPsych |",
        "|---|---:|---:|---:|",
    ]
    displays = [
        "| display | Lectern within half a frame | off | flagged | off and not flagged | jsPsych within half a frame |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for browser, load, kind in conditions:
        ours, theirs = (of.get((browser, load, kind, system)) for system in ("lectern", "jspsych"))
        name = f"{BROWSERS[browser]}, {LOADS[load]}"
        if kind == "rt":
            bound = f"{ours['within_bound']} of {ours['with_bound']}" if ours else "–"
            reactions.append(f"| {name} | {_mean(ours)} | {bound} | {_mean(theirs)} |")
            continue
        own = ("–",) * 4
        if ours:
            own = (_within(ours), str(ours["off"]), str(ours["flagged"]), str(ours["off_unflagged"]))
        displays.append(f"| {name}: {LABELS[kind]} | {' | '.join(own)} | {_within(theirs)} |")
    return "\n".join([*reactions, "", *displays])


def _mean(cell: Row | None) -> str:
    if cell is None or cell["sd"] is None:
        return "–"
    return f"{cell['mean']:+.2f} ± {cell['sd']:.2f} ms (n {cell['trials']})".replace("-", "−")


def _within(cell: Row | None) -> str:
    return "–" if cell is None else f"{cell['trials'] - cell['off']} of {cell['trials']}"


def circumstances(facts: Row) -> str:
    """Return the line that says what the numbers were measured on."""
    return (
        f"{facts['date']} · {facts['system']}, {facts['processor']}, {facts['cores']} cores · load "
        f"{facts['load_before']} before, {facts['load_after']} after, of which the measurement itself is about 1; "
        f"{facts['steal_per_cent']} % of the processor taken by the host; priority {facts['priority']} · "
        f"{', '.join(facts['browsers'])} · jsPsych {facts['jspsych']} · longest time between two looks "
        f"{facts['longest_gap_ms']:.1f} ms · {facts['minutes']} minutes, seed {facts['seed']}"
    )


def markdown(results: Row) -> str:
    """Return the page for pixels.md."""
    unknown = sum(cell["unknown"] for cell in results["cells"])
    return "\n".join(
        [
            "# Timing against the pixels of the screen", "", circumstances(results["facts"]), "",
            tables(results["cells"]), "", f"{unknown} trials and displays are unknown.", "", NOTES,
        ]
    )  # fmt: skip


def put_into(path: Path, results: Row) -> None:
    """Replace the text between the marks of a document. Raises ValueError if it has none."""
    text = path.read_text(encoding="utf-8")
    block = f"<!-- pixels -->\n{tables(results['cells'])}\n\n{circumstances(results['facts'])}\n<!-- end of pixels -->"
    text, n_found = re.subn(r"(?s)<!-- pixels -->.*?<!-- end of pixels -->", lambda _found: block, text)
    if n_found != 1:
        raise ValueError(f"{path} has no place for the table.")
    path.write_text(text, encoding="utf-8")
