"""Write the results as a Markdown page."""

from __future__ import annotations

from typing import Any

LIMITS = """\
## What this does and does not show

- The truth is the moment at which the compositor presented the frame (end of Chrome's pipeline report) and the time
  stamp of the input event. Chromium ran headless with software compositing and a 60 Hz timer in place of a display, so
  what a screen, a graphics card and a keyboard add is not in these numbers; it is the same for both systems.
- Keys came through the debugging protocol and not from a keyboard: the operating system's latency is not in them.
- Element Timing and the trace both take the compositor's presentation time. Their agreement shows that the platform
  attaches that time to the right stimulus and loses none of it on the way; it does not test the compositor itself, for
  which a photo diode is needed.
- jsPsych records whole milliseconds from the moment its code ran; that rounding is part of its error here.
- The main thread was blocked for 45 of every 97 ms in the busy condition.
- Durations are counted in ticks of the 60 Hz timer, since a display changes at its ticks only. The last column has the
  bare swaps, which without a display follow as soon as the processor is done: text takes longer than an empty page.
- "Exact" displays were shown within half a frame of the intended duration. "Missed" are displays off by more than that
  which the system did not flag itself; jsPsych flags none. The first two of each page are left out for both.
- The frame clock, used where a browser has no Element Timing, takes the tick after the drawing frame. That is when a
  display would change; the swap of a headless browser comes some milliseconds earlier: hence its negative error.
- The load average says what else this machine did: above the number of its cores, "quiet" means the page and not the
  machine, and frames come late for both systems.
- The keys are pressed by a script that does not look. Where the machine holds a frame back for so long that the answer
  comes before it is presented, no onset precedes the answer: the platform then takes the frame clock and records that
  with the trial. `clocks` in timing.json shows in which rows this happened; such a trial dominates its row.
- "Unknown" counts what is left out because the trace does not hold the frame, or not when it was shown.
- Machines are shared and noisy: the ratio within this run is the result, not the milliseconds.
"""

REACTION_HEAD = "| load | system | trials | unknown | mean ± sd | median | mean absolute | largest | ratio to jsPsych |"
DISPLAY_HEAD = (
    "| durations | system | displays | exact | mean ± sd | largest | flagged | missed | at the swap: mean ± sd |"
)


def markdown(results: dict[str, Any]) -> str:
    """Return the page for timing.md."""
    facts = results["machine"]
    load = f"load {facts['load_average']} before, {facts['load_average_after']} after"
    machine = f"{facts['system']}, {facts['processor']}, {facts['cores']} cores, {load}"
    peer = f"jsPsych {facts['jspsych']}, html-keyboard-response {facts['html_keyboard_response']}"
    lines = ["# Timing against the compositor", ""]
    lines += [f"{facts['date']} · {machine} · Chromium {facts['chromium']} headless · {peer} · seed {results['seed']}"]
    lines += ["", "## Reaction times: recorded minus true, in ms", ""]
    lines += [REACTION_HEAD, "|---|---|---:|---:|---:|---:|---:|---:|---:|"]
    lines += [_reaction_line(row) for row in results["reaction_times"]]
    lines += ["", "## Displays: shown minus intended duration, in ms", ""]
    lines += [DISPLAY_HEAD, "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|"]
    lines += [_display_line(row) for row in results["displays"]]
    return "\n".join([*lines, "", LIMITS])


def _reaction_line(row: dict[str, Any]) -> str:
    return _line(
        [
            row["load"],
            row["label"],
            row["trials"],
            row["without_truth"],
            _mean_and_sd(row),
            f"{row['median']:+.2f}",
            f"{row['mean_absolute']:.2f}",
            f"{row['largest']:.2f}",
            f"{row['ratio_to_jspsych']:.3f}",
        ]
    )


def _display_line(row: dict[str, Any]) -> str:
    return _line(
        [
            row["durations"],
            row["label"],
            row["displays"],
            row["without_truth"],
            row["exact"],
            _mean_and_sd(row),
            f"{row['largest']:.2f}",
            row["flagged"],
            row["missed_unflagged"],
            _mean_and_sd(row["swap"]),
        ]
    )


def _mean_and_sd(row: dict[str, Any]) -> str:
    return f"{row['mean']:+.2f} ± {row['sd']:.2f}"


def _line(cells: list[Any]) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"
