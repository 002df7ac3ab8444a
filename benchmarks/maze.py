"""Check whether the suggested analyses of a Maze study recover the effects of its simulated participants.

    python -m benchmarks maze -- --studies 100 --logistic 40

Plans studies of the example `maze-agents`, has virtual participants read them, and fits the suggested mixed models of
the critical region: bias of the effect and coverage of its 95 % interval, for log times and for errors.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from pathlib import Path
from statistics import fmean, stdev

import pandas as pd

EXAMPLE = Path(__file__).resolve().parent.parent / "experiments" / "examples" / "maze-agents" / "study.toml"
RESULTS = Path(__file__).resolve().parent / "results"


def main() -> None:
    """Simulate, fit, print and write the results."""
    parser = argparse.ArgumentParser(description="Effects of virtual participants of the Maze task, found again.")
    parser.add_argument("--studies", type=int, default=16)
    parser.add_argument("--logistic", type=int, default=6, help="studies whose errors are analysed too")
    parser.add_argument("--participants", type=int, default=24)
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder where the numbers go")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from analysis.methods.generalised.binary import glmm
    from analysis.methods.mixed.method import lmm
    from experiments.paradigms.maze.simulation import simulated_errors, simulated_slowing
    from experiments.paradigms.maze.suggestions import suggested_mazes

    begun = time.monotonic()
    times, after, errors = (suggested_mazes(["fit"])[place].params for place in range(3))
    slowing, erring = (effect({"fit": "typical"}) - effect({"fit": "atypical"})
                       for effect in (simulated_slowing, simulated_errors))  # fmt: skip
    found: dict[str, list[tuple[float, float, float]]] = {"log time": [], "log time, next region": [], "log odds": []}
    for seed in range(options.studies):
        frame = study(seed, participants=options.participants)
        found["log time"].append(effect_of(lmm(frame, **times).table("fixed").lines()))
        found["log time, next region"].append(effect_of(lmm(frame, **after).table("fixed").lines()))
        if seed < options.logistic:
            found["log odds"].append(effect_of(glmm(frame, **errors).table("fixed").lines()))
    # Right choices are modelled, wrong ones have the effect.
    truths = {"log time": slowing, "log time, next region": slowing / 10, "log odds": -erring}
    summary = {name: summed(found[name], truth=truth) for name, truth in truths.items() if found[name]}
    result = {"participants": options.participants, "effects": summary, "seconds": round(time.monotonic() - begun)}
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / "maze.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=2))


def study(seed: int, *, participants: int) -> pd.DataFrame:
    """Return the table `regions` of a study whose participants were drawn from this seed."""
    from experiments.paradigms import paradigm_named
    from experiments.paradigms.base import ShownStimulus
    from experiments.study_files.toml import read_toml

    paradigm, design = paradigm_named("maze"), read_toml(EXAMPLE).design
    if design is None:
        raise LookupError(f"{EXAMPLE} has no materials.")
    settings = paradigm.complete_settings({"after_error": "redo", "break_every": 0})
    lines = []
    for person in range(participants):
        rng = random.Random(f"{seed} {person}")
        mind = paradigm.virtual_participant(rng, settings)
        shown, levels = [], []
        for number, item in enumerate(item for item in design.items if item.is_target):
            one = item.stimuli[(number + person) % 2]
            levels.append(dict(design.conditions[one.condition or 0].levels))
            shown.append(ShownStimulus(number, one.text, extra=one.extra, item=item.code, condition=levels[-1]["fit"]))
        for plan, own, stimulus in zip(paradigm.timeline(shown, settings, rng), levels, shown, strict=True):
            answer = mind.respond("maze", plan.params, levels=own, item=stimulus.item, carried={})
            rows = paradigm.long_rows("regions", plan.params, answer, [])
            lines += [{"participant": f"P{person}", "item": stimulus.item, **own, **row} for row in rows]
    return pd.DataFrame(lines)


def effect_of(lines: list[dict[str, float]]) -> tuple[float, float, float]:
    """Return estimate and interval of the effect of `fit`."""
    line = next(line for line in lines if str(line["term"]).startswith("fit"))
    return line["estimate"], line["ci_low"], line["ci_high"]


def summed(found: list[tuple[float, float, float]], *, truth: float) -> dict[str, float]:
    """Return bias, its standard error, and the share of intervals that hold the truth."""
    estimates = [one[0] for one in found]
    return {
        "truth": round(truth, 4),
        "studies": len(found),
        "mean estimate": round(fmean(estimates), 4),
        "bias": round(fmean(estimates) - truth, 4),
        "standard error of the bias": round(stdev(estimates) / len(estimates) ** 0.5, 4) if len(estimates) > 1 else 0.0,
        "coverage": round(fmean(low <= truth <= high for _, low, high in found), 3),
    }


if __name__ == "__main__":
    main()
