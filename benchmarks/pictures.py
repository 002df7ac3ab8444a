"""Measure picture loading over a slow connection: start of the first trial, and trials that wait for a picture.

One participant in Chromium rates pictures of noise, 18 kB each, half a second for each. A proxy cuts a share of the
requests half-way and lets so many bytes through a second. Reported: seconds from the first page of the
session to the first picture, and how long trials waited.
"""

from __future__ import annotations

import argparse
import json
import platform as machine
import statistics
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from benchmarks import needs
from tests.browser.media.picture_study import PoorLine, begin, rate_all, waits_of, write_picture_study
from tests.browser.platform import ROOT, Platform

SECONDS_TO_FIRST = 10
# A wait that nobody notices: the page shows nothing of it either.
UNNOTICED_MS = 150


def measured(*, pictures: int, cut: float, kilobytes: int, seconds_each: float) -> dict[str, Any]:
    """Return what one participant met."""
    with tempfile.TemporaryDirectory() as name:
        laboratory = Platform(Path(name) / "platform")
        study = write_picture_study(Path(name) / "study", slug="pictures", pictures=pictures)
        size = sum(path.stat().st_size for path in (study.parent / "media").iterdir())
        laboratory.manage("create_study", str(study), "--owner", "researcher", "--open")
        laboratory.start()
        line = PoorLine(laboratory.port, cut=cut, bytes_per_second=kilobytes * 1_000)
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=needs.chromium(), args=["--no-sandbox"])
                page = browser.new_page()
                begin(page, f"http://127.0.0.1:{line.port}/s/pictures/")
                to_first = rate_all(page, pictures, seconds_each=seconds_each)
                waits = waits_of(page)
                browser.close()
        finally:
            line.stop()
            laboratory.stop()
    return {
        "pictures": pictures,
        "megabytes": size / 1e6,
        "cut": line.cuts,
        "requests": line.media,
        "seconds_to_first": to_first,
        "wait_ms_median": statistics.median(waits),
        "wait_ms_first": waits[0],
        "wait_ms_longest_of_others": max(waits[1:], default=0.0),
        "trials_that_waited": sum(wait > UNNOTICED_MS for wait in waits[1:]),
    }


def table(outcome: dict[str, Any]) -> str:
    """Return the numbers as a page."""
    rows = "\n".join(f"| {name.replace('_', ' ')} | {value:.4g} |" for name, value in outcome["measured"].items())
    return f"""# Pictures over a poor line

{outcome["at"]}; {100 * outcome["share_cut"]:g} % of the requests for pictures cut, {outcome["kilobytes"]} kB/s.

| | |
|---|---|
{rows}
"""


def main() -> None:
    """Measure, write the numbers, and fail where the first picture is late or a later one has to be waited for."""
    parser = argparse.ArgumentParser(description="Pictures over a line that is slow and cuts requests.")
    parser.add_argument("--pictures", type=int, default=560)
    parser.add_argument("--cut", type=float, default=0.05, help="share of requests that are cut")
    parser.add_argument("--kilobytes", type=int, default=400, help="a second")
    parser.add_argument("--seconds-each", type=float, default=0.5, help="how long every picture is looked at")
    parser.add_argument("--results", type=Path, default=ROOT / "benchmarks" / "results", help="where the numbers go")
    options = parser.parse_args()
    needs.or_exit(*needs.PICTURES)
    outcome = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": machine.python_version(),
        "share_cut": options.cut,
        "kilobytes": options.kilobytes,
        "measured": measured(
            pictures=options.pictures, cut=options.cut, kilobytes=options.kilobytes, seconds_each=options.seconds_each
        ),
    }
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / "pictures.json").write_text(json.dumps(outcome, indent=2) + "\n", encoding="utf-8")
    (options.results / "pictures.md").write_text(table(outcome), encoding="utf-8")
    print(table(outcome))
    met = outcome["measured"]
    if met["seconds_to_first"] > SECONDS_TO_FIRST or met["trials_that_waited"]:
        sys.exit("A trial had to wait.")


if __name__ == "__main__":
    main()
