"""The results as a page to read."""

from __future__ import annotations

from typing import Any

LIMITS = """\
## What this does and does not show

- The truth is the moment at which the compositor presented the frame (end of Chrome's pipeline report) and the time stamp
  of the input event. Chromium ran headless with software compositing and a 60 Hz timer in place of a display, so what a
  screen, a graphics card and a keyboard add is not in these numbers; it is the same for both systems.
- Keys came through the debugging protocol and not from a keyboard, so the latency of the operating system is not in them.
- Element Timing and the trace both take the compositor's presentation time. Their agreement shows that the platform attaches
  that time to the right stimulus and loses none of it on the way; it does not test the compositor against a photo diode.
- jsPsych records whole milliseconds from the moment its code ran; that rounding is part of its error here.
- The main thread was blocked for 45 of every 97 ms in the busy condition.
- "Exact" displays were presented within half a frame of the intended duration. "Missed" are displays off by more than that
  which the system did not flag itself; jsPsych flags none.
- Machines are shared and noisy: the ratio within this run is the result, not the milliseconds.
"""


def markdown(results: dict[str, Any]) -> str:
    """Return the page for timing.md."""
    facts = results["machine"]
    lines = [
        "# Timing against the compositor",
        "",
        f"{facts['date']} · {facts['system']}, {facts['processor']}, {facts['cores']} cores, load {facts['load_average']} · "
        f"Chromium {facts['chromium']} headless · jsPsych {facts['jspsych']}, html-keyboard-response "
        f"{facts['html_keyboard_response']} · seed {results['seed']}",
        "",
        "## Reaction times: recorded minus true, in ms",
        "",
        "| load | system | trials | mean ± sd | median | mean absolute | largest | ratio to jsPsych |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in results["reaction_times"]:
        lines.append(
            f"| {row['load']} | {row['label']} | {row['trials']} | {row['mean']:+.2f} ± {row['sd']:.2f} "
            f"| {row['median']:+.2f} | {row['mean_absolute']:.2f} | {row['largest']:.2f} | {row['ratio_to_jspsych']:.3f} |"
        )
    lines += [
        "",
        "## Displays: presented minus intended duration, in ms",
        "",
        "| durations | system | displays | exact | mean | sd | largest | flagged | missed, not flagged |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in results["displays"]:
        lines.append(
            f"| {row['durations']} | {row['label']} | {row['displays']} | {row['exact']} | {row['mean']:+.2f} "
            f"| {row['sd']:.2f} | {row['largest']:.2f} | {row['flagged']} | {row['missed_unflagged']} |"
        )
    return "\n".join([*lines, "", LIMITS])
