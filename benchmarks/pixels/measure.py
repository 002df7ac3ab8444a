"""Run one cell: show its page in a browser, watch the screen, bring together what was recorded and what was seen."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

from benchmarks.pixels.cells import Cell
from benchmarks.pixels.matching import Recorded, displays_with_truth, reactions_with_truth
from benchmarks.pixels.screen import SIZE, Screen, Seen, browser
from benchmarks.pixels.sessions import (
    create_study,
    is_complete,
    peer_address,
    start_address,
    stored,
    told,
    wait_for,
)
from tests.browser.platform import ROOT, Platform

HERE = Path(__file__).resolve().parent
# Instructions are turned over by the same keys, wherever on the screen they are.
ANYWHERE = (100, 60, SIZE[0] - 200, SIZE[1] - 120)
MARGIN = 4
SETTLED_MS = 300
PAGES_MS = (350, 450)
SECONDS_TO_STIMULUS = 60


def build_peer(folder: Path) -> None:
    """Build the peer's page into a folder."""
    vite = ROOT / "frontend" / "node_modules" / ".bin" / "vite"
    command = [str(vite), "build", "--config", str(HERE / "vite.config.mjs"), "--outDir", str(folder)]
    subprocess.run([*command, "--logLevel", "warn"], check=True, cwd=HERE)


def measure(
    cell: Cell, *, run: str, platform: Platform, screen: Screen, chance: random.Random, pictures: Path
) -> list[dict[str, Any]]:
    """Return one row for every trial or display of a cell, the first of the page left out.

    Raises TimeoutError where the page does not come up or does not end; a picture of the screen is then in `pictures`.
    """
    slug = f"pixels-{run}"
    if cell.system == "lectern":
        create_study(platform, cell, slug=slug)
        address = start_address(platform, slug=slug, run=run, busy=cell.load == "busy")
    else:
        address = peer_address(platform, cell, run=run)
    watcher = screen.watcher(seed=chance.randrange(1, 2**31))
    folder = platform.folder / f"browser-{run}"
    folder.mkdir()
    seconds = 60 + 6 * cell.sentences
    try:
        picture = pictures / f"{run}-{cell.browser}-{cell.system}-{cell.kind.name}.png"
        with browser(cell.browser, address, on=screen, folder=folder), screen.pictured_on_timeout(picture):
            watcher.tell("R", *ANYWHERE)
            watcher.tell("I", *PAGES_MS)
            what = f"{cell.browser}, {cell.system}, {cell.kind.label}, {cell.load}"
            page = wait_for(
                lambda: told(platform, run, "rectangle"),
                seconds=SECONDS_TO_STIMULUS,
                saying=f"No stimulus came up within {SECONDS_TO_STIMULUS} seconds: {what}.",
            )
            x, y, width, height = page["rectangle"]
            watcher.tell("R", x - MARGIN, y + MARGIN, width + 2 * MARGIN, max(8, height - 2 * MARGIN))
            watcher.tell("I", *cell.kind.idle_ms)
            if cell.system == "lectern":
                wait_for(
                    lambda: is_complete(platform, slug),
                    seconds=seconds,
                    saying=f"The session did not end within {seconds} seconds: {what}.",
                )
                records = lectern_records(cell, stored(platform, slug))
            else:
                ended = wait_for(
                    lambda: told(platform, run, "trials"),
                    seconds=seconds,
                    saying=f"jsPsych did not end within {seconds} seconds: {what}.",
                )
                records = jspsych_records(cell, ended["trials"])
    finally:
        seen = watcher.stop()
        shutil.rmtree(folder / "profile", ignore_errors=True)
    # The page's clock starts at its time origin, which is told by the clock of the day.
    offset = page["origin_ms"] - (page["real_ms"] - page["monotonic_ms"])
    facts = {
        "browser": cell.browser, "load": cell.load, "kind": cell.kind.name, "system": cell.system,
        "agent": page["agent"], "isolated": page["isolated"], "longest_gap": seen.longest_gap,
    }  # fmt: skip
    # Before the place of the stimulus was known nothing was watched.
    watched = [record for record in records if record.onset + offset > page["monotonic_ms"] + SETTLED_MS]
    return [{**facts, **row} for row in matched(cell, watched, seen, offset=offset)]


def matched(cell: Cell, records: list[Recorded], seen: Seen, *, offset: float) -> list[dict[str, Any]]:
    """Return the records with what the screen showed."""
    if cell.kind.name == "rt":
        return reactions_with_truth(records, seen, offset=offset)
    return displays_with_truth(records, seen, offset=offset)


def lectern_records(cell: Cell, results: list[dict[str, Any]]) -> list[Recorded]:
    """Return what the platform stored, without the first sentence."""
    found = []
    for result in results[1:]:
        if cell.kind.name == "rt":
            onset, rt = result["onset_ms"], result["rt_ms"]
            facts = {"clock": result["clock"], "onset_error_ms": result.get("onset_error_ms")}
            found.append(Recorded(onset=onset, offset=onset + rt, value=rt, flagged=False, facts=facts))
            continue
        for shown in displays_of(cell, result):
            found.append(
                Recorded(
                    onset=shown["shown_ms"],
                    offset=shown["gone_ms"],
                    value=shown["measured_ms"],
                    flagged=shown["flagged"],
                    intended=cell.kind.display_ms,
                    facts={**shown, "onset_error_ms": result.get("onset_error_ms")},
                )
            )
    return found


def displays_of(cell: Cell, result: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the displays of a trial that are measured: all, or its prime."""
    displays: list[dict[str, Any]] = result["payload"]["displays"]
    if not cell.kind.is_prime:
        return displays
    planned = result["params"]["displays"]
    return [shown for plan, shown in zip(planned, displays, strict=True) if plan["kind"] == "prime"]


def jspsych_records(cell: Cell, trials: list[dict[str, Any]]) -> list[Recorded]:
    """Return what jsPsych recorded, without the first sentence."""
    wanted = [trial for trial in trials if trial["kind"] == ("rt" if cell.kind.name == "rt" else "display")]
    return [
        Recorded(
            onset=trial["began"] if trial["rt"] is None else trial["ended"] - trial["rt"],
            offset=trial["ended"],
            value=trial["rt"],
            flagged=False,
            intended=trial["intended"],
            facts={},
        )
        for trial in wanted[cell.kind.displays :]
    ]
