"""Say where Lectern's ratio to a peer got worse by more than a fifth since the results that are committed.

    python -m benchmarks.compared [--since HEAD] [--results FOLDER]

Compared are the ratios that benchmarks state in JSON: of R's seconds to Lectern's, of results taken a second to bare
inserts, of errors of timing to those of jsPsych. A ratio is about one run on one machine, so it can be compared with
that of another day where seconds cannot. `make release` runs it after the benchmarks.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
WORSE = 0.2
# What tells the rows of a file apart, as far as a row has it.
NAMES = ("database", "processes", "participants", "method", "case", "system", "load", "displays_of")


@dataclass(frozen=True)
class Ratio:
    """A ratio that benchmarks state: what it is of, and whether more of it is better."""

    of: str
    more_is_better: bool = True


RATIOS = {
    "r_over_lectern": Ratio("R's seconds to Lectern's"),
    "ratio_to_bare": Ratio("results a second to bare inserts"),
    "ratio_to_jspsych": Ratio("errors to those of jsPsych", more_is_better=False),
}


def ratios_in(found: Any, *, within: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str, float]]:
    """Find the ratios in what a JSON file holds: names of the row, name of the ratio, value.

    >>> list(ratios_in({"rows": [{"case": "lmm", "r_over_lectern": 8.4, "r_seconds": 4.2, "lectern_seconds": 0.5}]}))
    [(('lmm',), 'r_over_lectern', 8.4)]
    """
    if isinstance(found, list):
        for row in found:
            yield from ratios_in(row, within=within)
    elif isinstance(found, dict):
        # The load of a machine is a number, that of a page a word.
        names = [str(found[name]) for name in NAMES if isinstance(found.get(name), str | int)]
        within = (*within, *names)
        for name in RATIOS.keys() & found.keys():
            value = value_of(name, found)
            if value is not None:
                yield within, name, value
        for value in found.values():
            yield from ratios_in(value, within=within)


def value_of(name: str, row: Mapping[str, Any]) -> float | None:
    """Return a ratio from the seconds of its row, which are less rounded, where it has them; None for none.

    Where R did not come to an end, it is the ratio that R had reached by then.
    """
    if name == "r_over_lectern" and "lectern_seconds" in row:
        seconds = row["limit"] if row["r_seconds"] is None else row["r_seconds"]
        return float(seconds / row["lectern_seconds"])
    return None if row[name] is None else float(row[name])


def committed(revision: str) -> dict[str, Any]:
    """Return what the JSON files of benchmarks/results hold in a revision, by name of the file."""
    folder = RESULTS.relative_to(ROOT).as_posix()
    listed = _git("ls-tree", "--name-only", revision, f"{folder}/").split()
    paths = [path for path in listed if path.endswith(".json")]
    return {Path(path).name: json.loads(_git("show", f"{revision}:{path}")) for path in paths}


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def compared(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each ratio that got worse by more than a fifth or is gone, and each file that is as it was.

    >>> compared({"mixed.json": [{"case": "lmm", "r_over_lectern": 9.0}]},
    ...          {"mixed.json": [{"case": "lmm", "r_over_lectern": 6.0}]})
    ["mixed.json, lmm: R's seconds to Lectern's are 6, were 9."]
    """
    sentences = []
    for file, old in before.items():
        earlier = {(names, name): value for names, name, value in ratios_in(old)}
        if not earlier:
            continue
        new = after.get(file)
        if new == old:
            sentences.append(f"{file}: the same as committed; it was not measured anew.")
            continue
        later = {(names, name): value for names, name, value in ratios_in(new)}
        for (names, name), value in earlier.items():
            said = f"{', '.join((file, *names))}: {RATIOS[name].of}"
            measured = later.get((names, name))
            if measured is None:
                sentences.append(f"{said} are gone, were {value:.3g}.")
            elif is_worse(value, measured, RATIOS[name]):
                sentences.append(f"{said} are {measured:.3g}, were {value:.3g}.")
    return sentences


def is_worse(before: float, after: float, ratio: Ratio) -> bool:
    """Say whether a ratio got worse by more than a fifth of what it was.

    >>> [is_worse(10, after, RATIOS["r_over_lectern"]) for after in (12, 8.1, 7.9)]
    [False, False, True]
    >>> [is_worse(0.10, after, RATIOS["ratio_to_jspsych"]) for after in (0.05, 0.12, 0.13)]
    [False, False, True]
    """
    return after < (1 - WORSE) * before if ratio.more_is_better else after > (1 + WORSE) * before


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description="Say where a ratio to a peer got worse by more than a fifth.")
    parser.add_argument("--since", default="HEAD", help="the revision whose results are compared with")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the new numbers are")
    options = parser.parse_args()
    after = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in options.results.glob("*.json")}
    sentences = compared(committed(options.since), after)
    print("\n".join(sentences) or f"No ratio to a peer is worse by more than a fifth than at {options.since}.")


if __name__ == "__main__":
    main()
