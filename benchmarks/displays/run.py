"""Compare mechanisms that show a text for a time, against the pixels of a screen: `python -m benchmarks displays`.

The clock of the platform, opacity animated by the compositor, and a canvas drawn by a worker show the same texts in
turn, in one page of Chromium, quiet and with a busy main thread. Needs what `pixels` needs. Writes
benchmarks/results/displays.json and displays.md.
"""

from __future__ import annotations

import argparse
import http.server
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks import needs
from benchmarks.pixels.matching import INK, WIDEST_LOOK_MS, pictures
from benchmarks.pixels.screen import Screen, Seen, browser, screen
from tests.browser.platform import ROOT

HERE = Path(__file__).resolve().parent
RESULTS = ROOT / "benchmarks" / "results"
# As the page names them.
MECHANISMS = {
    "clock": "the platform's clock: drawn by the main thread",
    "compositor": "opacity animated, frame loop beside it",
    "compositor-alone": "opacity animated, no frame loop",
    "worker": "canvas of a worker, frame loop beside it",
    "worker-alone": "canvas of a worker, no frame loop",
}
SENTENCE, WORDS = ["Harvests suffered greatly."], ["Bridges", "flourished", "although", "strangers"]
DISPLAYS = ((SENTENCE, 500), (SENTENCE, 100), (WORDS, 500))
FRAME_MS = 1000 / 60
# As frontend/src/timing/edges.ts has it.
HELD_BACK = 1.5


def plan_of(repetitions: int, chance: random.Random) -> list[dict[str, Any]]:
    """Return trials of all mechanisms in turn: single displays of 500 and 100 ms, and words of 500 ms each."""
    return [
        {"mechanism": mechanism, "texts": texts, "duration": duration}
        for _ in range(repetitions)
        for mechanism in chance.sample(list(MECHANISMS), len(MECHANISMS))
        for texts, duration in DISPLAYS
    ]


class Served:
    """The page, isolated as the platform's are, and what it tells."""

    def __init__(self, page: Path) -> None:
        told: list[dict[str, Any]] = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *arguments: Any) -> None:
                super().__init__(*arguments, directory=str(page))

            def end_headers(self) -> None:
                self.send_header("Cross-Origin-Opener-Policy", "same-origin")
                self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
                super().end_headers()

            def do_POST(self) -> None:
                note = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                told.append(note | {"ahead_ms": (time.time() - time.monotonic()) * 1000})
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.told = told
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def address(self, plan: dict[str, Any]) -> str:
        """Return where a browser finds the page with a plan."""
        return f"http://127.0.0.1:{self.server.server_port}/?{urllib.parse.urlencode({'plan': json.dumps(plan)})}"

    def wait_for(self, run: str, name: str, *, seconds: float) -> dict[str, Any]:
        """Return what a run has told of something. Raises TimeoutError."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for note in list(self.told):
                if note["run"] == run and name in note:
                    return note
            time.sleep(0.1)
        raise TimeoutError(f"The page did not tell its {name} within {seconds:.0f} s.")


def measure(
    served: Served, shown: Screen, folder: Path, *, load: str, run: str, trials: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return one row for each display of a page, and one for each trial whose changes do not fit its texts."""
    address = served.address({"run": run, "busy": load == "busy", "trials": trials})
    watcher = shown.watcher(seed=1)
    try:
        with browser("chromium", address, on=shown, folder=folder):
            page = served.wait_for(run, "rectangle", seconds=60)
            watcher.tell("R", *page["rectangle"])
            ended = served.wait_for(run, "trials", seconds=60 + 6 * len(trials))
    finally:
        seen = watcher.stop()
    offset = page["origin_ms"] - page["ahead_ms"]
    return [{"load": load, **row} for trial in ended["trials"] for row in rows_of(trial, seen, offset=offset)]


def rows_of(trial: dict[str, Any], seen: Seen, *, offset: float) -> list[dict[str, Any]]:
    """Return what the screen showed of one trial: the texts in turn, and then the blank.

    `true_ms` is None where the truth is not certain: looks too far apart, or more or fewer changes than texts.
    """
    within = [
        change for change in pictures(seen.changes) if trial["began"] + offset < change.time < trial["ended"] + offset
    ]
    first = next((index for index, change in enumerate(within) if change.ink >= INK), len(within))
    changes = within[first:]
    due = trial["due"]
    facts = {"mechanism": trial["mechanism"], "intended_ms": trial["duration"], "texts": len(due) - 1}
    if len(changes) != len(due):
        return [{**facts, "true_ms": None}]
    rows = []
    for index, (on, off) in enumerate(pairwise(changes)):
        widest = max(change.after - change.before for change in (on, off))
        record = trial["records"][index] if trial["records"] else {}
        edges = due[index : index + 2]
        rows.append(
            {
                **facts,
                "true_ms": off.time - on.time if widest <= WIDEST_LOOK_MS else None,
                "late_ms": on.time - offset - edges[0],
                "recorded_ms": record.get("measured_ms", edges[1] - edges[0]),
                "flagged": record.get("flagged", held_back(trial["frames"], edges)),
                "reports": len(trial["painted"]),
            }
        )
    return rows


def held_back(frames: list[float], edges: list[float]) -> bool:
    """Return whether a frame was held back within two frames of an edge: all that a page can know without reports.

    >>> held_back([0.0, 16.7, 33.3, 83.3], [-5.0]), held_back([0.0, 16.7, 33.3, 83.3], [66.7])
    (False, True)
    """
    near = 2 * FRAME_MS
    gaps = [(before, after) for before, after in pairwise(frames) if after - before > HELD_BACK * FRAME_MS]
    return any(before - near < edge < after + near for before, after in gaps for edge in edges)


def summary(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one row for each load, display and mechanism; displays without a certain truth are counted apart."""
    groups: dict[tuple[str, int, int, int], list[dict[str, Any]]] = defaultdict(list)
    names = list(MECHANISMS)
    for row in rows:
        groups[row["load"], row["texts"], row["intended_ms"], names.index(row["mechanism"])].append(row)
    found = []
    for (load, texts, intended, mechanism), displays in sorted(groups.items()):
        known = [row for row in displays if row["true_ms"] is not None]
        errors = [row["true_ms"] - intended for row in known]
        bad = [abs(error) > FRAME_MS / 2 for error in errors]
        found.append(
            {
                "load": load,
                "texts": texts,
                "intended_ms": intended,
                "mechanism": names[mechanism],
                "displays": len(known),
                "uncertain": len(displays) - len(known),
                "off": sum(bad),
                "flagged": sum(row["flagged"] for row in known),
                "off_not_flagged": sum(off and not row["flagged"] for off, row in zip(bad, known, strict=True)),
                "error_mean": statistics.mean(errors) if errors else None,
                "error_sd": statistics.stdev(errors) if len(errors) > 1 else None,
                "worst": max(errors, key=abs) if errors else None,
                "record_error_mean_absolute": statistics.mean(abs(row["recorded_ms"] - row["true_ms"]) for row in known)
                if known
                else None,
                "reports": sum(row["reports"] for row in known),
                "errors": [round(error, 2) for error in errors],
            }
        )
    return found


def markdown(results: dict[str, Any]) -> str:
    """Return the page for displays.md."""
    facts = results["facts"]
    lines = [
        "# Mechanisms that show a text for a time, against pixels",
        "",
        f"{facts['date']} · {facts['cores']} cores, load {facts['load_before']} before, {facts['load_after']} after, "
        f"priority {facts['priority']} · {facts['browser']} · seed {facts['seed']}",
        "",
        "| main thread | display | mechanism | within half a frame | off by, mean ± sd | worst | flagged "
        "| off and not flagged | record off by | uncertain |",
        "|---|---|---|" + "---:|" * 7,
    ]
    for row in results["displays"]:
        cells = [
            row["load"],
            f"{row['intended_ms']} ms" if row["texts"] == 1 else f"{row['texts']} words, {row['intended_ms']} ms each",
            MECHANISMS[row["mechanism"]],
            f"{row['displays'] - row['off']} of {row['displays']}",
            f"{milliseconds(row['error_mean'], sign='+')} ± {milliseconds(row['error_sd'])}",
            milliseconds(row["worst"], sign="+"),
            row["flagged"],
            row["off_not_flagged"],
            milliseconds(row["record_error_mean_absolute"]),
            row["uncertain"],
        ]
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    reports = sum(row["reports"] for row in results["displays"])
    notes = [
        "Times are in ms. *Off* is the true duration minus the intended one.",
        "*Flagged*: by the clock's own rule. Without reports, where frames of whoever watches over the display (the "
        "main thread's loop, the worker's) were held back near its ends; beside an animation alone nobody watches.",
        "*Record off by*: mean distance of the recorded duration from the true one. The clock records what was "
        "reported, the worker the time between two of its frames; of an animation there is only what was planned.",
        f"Animated texts that Element Timing reported: {reports}.",
        "*Uncertain*: the change fell between two looks more than 2 ms apart, or there was not one picture for each "
        "text.",
    ]
    return "\n".join([*lines, "", *(f"- {note}" for note in notes), ""])


def milliseconds(value: float | None, *, sign: str = "") -> str:
    """Return a time with a decimal, or a dash.

    >>> milliseconds(-1.26), milliseconds(1.26, sign="+"), milliseconds(None)
    ('−1.3', '+1.3', '–')
    """
    return "–" if value is None else format(value, f"{sign}.1f").replace("-", "−")


def run(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Build the page, and measure all rounds."""
    vite = ROOT / "frontend" / "node_modules" / ".bin" / "vite"
    if not vite.exists():
        sys.exit("frontend/node_modules is missing: run `npm ci` in frontend/ first.")
    chance = random.Random(options.seed)
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="displays-") as name:
        folder = Path(name)
        command = [str(vite), "build", "--config", str(HERE / "vite.config.mjs"), "--outDir", str(folder / "page")]
        subprocess.run([*command, "--logLevel", "warn"], check=True, cwd=HERE)
        served = Served(folder / "page")
        with screen(folder) as shown:
            for number in range(options.rounds):
                for load in chance.sample(("quiet", "busy"), 2):
                    trials = plan_of(options.repetitions, chance)
                    rows += measure(served, shown, folder, load=load, run=f"{number}-{load}", trials=trials)
                    print(f"round {number + 1} of {options.rounds}, {load}", flush=True)
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=4, help="of every mechanism and display in a round")
    parser.add_argument("--rounds", type=int, default=3, help="each with a quiet page and a busy one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, default=RESULTS)
    options = parser.parse_args(arguments)
    needs.or_exit(*needs.DISPLAYS)
    load_before = os.getloadavg()[0]
    displays = summary(run(options))
    nice = os.nice(0)
    facts = {
        "date": datetime.now(UTC).date().isoformat(),
        "cores": os.cpu_count(),
        "load_before": round(load_before, 2),
        "load_after": round(os.getloadavg()[0], 2),
        "priority": "normal" if nice == 0 else f"nice {nice}",
        "browser": version(),
        "seed": options.seed,
    }
    results = {"facts": facts, "displays": displays}
    options.results.mkdir(parents=True, exist_ok=True)
    written = json.dumps(results, indent=1, ensure_ascii=False) + "\n"
    (options.results / "displays.json").write_text(written, encoding="utf-8")
    (options.results / "displays.md").write_text(markdown(results), encoding="utf-8")
    print(markdown(results))
    return 0


def version() -> str:
    """Return the browser as it names itself."""
    named = subprocess.run([str(needs.chromium()), "--version"], capture_output=True, text=True, check=True).stdout
    return " ".join(named.split()[:2])


if __name__ == "__main__":
    sys.exit(main())
