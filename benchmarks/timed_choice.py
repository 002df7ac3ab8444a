"""Check whether the suggested analyses of timed choice recover the effects of its simulated participants.

    python -m benchmarks.timed_choice [--simulations 200] [--participants 24] [--seed 1] [--results FOLDER]

Every simulation lets virtual participants take part in an example (planned as sessions are, measured as exports are),
trims by the rules of the plan, and runs the suggested mixed models. Printed, and written into
timed_choice.md, are for every effect, its true size on the
scale of the model, the mean estimate, the bias, and how often the 95 % interval holds the truth.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django
import pandas as pd

django.setup()

from analysis.methods.registry import method_named  # noqa: E402
from experiments.paradigms import paradigm_named  # noqa: E402
from experiments.paradigms.timed_choice.simulation import simulated_log_odds, simulated_slowing  # noqa: E402
from experiments.procedure.arranging import complete_procedure  # noqa: E402
from experiments.procedure.sessions import StudySnapshot, plan_session  # noqa: E402
from experiments.rules.exclusion_checks import SeenTrial  # noqa: E402
from experiments.rules.exclusion_rules import described, judge  # noqa: E402
from experiments.study_files import read_toml  # noqa: E402
from experiments.study_files.examples import example_studies  # noqa: E402
from tests.conformance.paradigm_sessions import shown_on_list  # noqa: E402

CHOICE = paradigm_named("timed-choice")
RESULTS = Path(__file__).resolve().parent / "results"
RULES = [{"rule": "fast-trial", "ms": 200}, {"rule": "outlying-sd", "k": 3.0}]


@dataclass(frozen=True)
class Effect:
    """The difference between two levels of a factor, first minus second, in the example of this name."""

    example: str
    factor: str
    levels: tuple[str, str]

    @property
    def label(self) -> str:
        return f"{self.factor}: {' − '.join(self.levels)}"

    def true(self, method: str) -> float:
        """Return the true difference: of log milliseconds, or of log odds for `glmm`."""
        effect = simulated_log_odds if method == "glmm" else simulated_slowing
        first, second = ({self.factor: level} for level in self.levels)
        return effect(first) - effect(second)


EFFECTS = (
    Effect("lexical-decision", "frequency", ("high", "low")),
    Effect("masked-priming", "prime_type", ("identity", "unrelated")),
)


def snapshots(example: str) -> list[StudySnapshot]:
    """Return what a session on each list of an example needs."""
    path = next(each.path for each in example_studies() if each.slug == example)
    described = read_toml(path)
    if described.design is None:
        raise LookupError(f"{example} has no materials.")
    return [
        StudySnapshot(
            paradigm=CHOICE,
            language="en",
            settings=CHOICE.complete_settings(described.settings),
            procedure=complete_procedure(described.procedure),
            questions=[],
            instructions="",
            stimuli=shown_on_list(described.design, index),
        )
        for index in range(len(described.design.lists))
    ]


def rows_of(snapshot: StudySnapshot, *, participant: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield one row for every trial of one session, with the columns of `trials.csv` that the analyses use."""
    stimuli = {stimulus.stimulus_id: stimulus for stimulus in snapshot.stimuli}
    mind = CHOICE.virtual_participant(random.Random(f"{seed} {participant}"), snapshot.settings)
    # Mappings alternate as the assignment of a study has them do.
    for position, plan in enumerate(plan_session(snapshot, seed=2 * seed + participant % 2)):
        stimulus = stimuli.get(plan.stimulus_id or 0)
        if stimulus is None or plan.phase != "main":
            continue
        params = {**plan.params, **plan.private}
        levels: Mapping[str, str] = stimulus.levels
        payload = mind.respond(plan.plugin, params, levels=levels, item=stimulus.item, carried={})
        yield {
            "participant": f"P{participant:03d}",
            "item": stimulus.item,
            "position": position,
            "is_filler": stimulus.is_filler,
            "condition": stimulus.condition or "",
            **levels,
            **CHOICE.measure(params, payload, []),
            "rt_ms": payload["rt_ms"],
        }


def simulated(example: list[StudySnapshot], *, participants: int, seed: int) -> pd.DataFrame:
    """Return the trials of a simulated study, with `excluded` as the rules of a plan have it."""
    lines = []
    for participant in range(participants):
        snapshot = example[participant // 2 % len(example)]
        rows = list(rows_of(snapshot, participant=participant, seed=seed))
        seen = [
            SeenTrial(row["position"], row["rt_ms"], 0, False, not row["is_filler"], correct=row["correct"])
            for row in rows
        ]
        cut = judge(RULES, seen).trials
        lines += [
            {**row, "excluded": row["position"] in cut, "exclusion_reason": cut.get(row["position"], "")}
            for row in rows
        ]
    return pd.DataFrame(lines)


@dataclass(frozen=True)
class Found:
    """What one analysis found of an effect, as the difference of its two levels, and the truth."""

    effect: str
    analysis: str
    true: float
    estimate: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        return self.low <= self.true <= self.high


def found_in(frame: pd.DataFrame, effect: Effect, settings: Mapping[str, Any]) -> Iterator[Found]:
    """Yield what the suggested mixed models of log times and of accuracy find of an effect.

    With sum contrasts the coefficient of two levels is half of their difference, the first level counting +1.
    """
    for suggested in CHOICE.suggested_analyses_of([effect.factor], settings):
        if suggested.method not in ("lmm", "glmm") or "inverse_rt" in suggested.params["formula"]:
            continue
        report = method_named(suggested.method).function(frame, **suggested.params)
        fixed = report.table("fixed").frame().set_index("term")
        term = next(name for name in fixed.index if str(name).startswith(effect.factor))
        estimate, low, high = (2 * float(fixed.loc[term, name]) for name in ("estimate", "ci_low", "ci_high"))
        yield Found(effect.label, suggested.method, effect.true(suggested.method), estimate, low, high)


def recovery(*, simulations: int, participants: int, seed: int) -> list[Found]:
    """Return what the analyses of this many simulated studies found."""
    found = []
    for effect in EFFECTS:
        example = snapshots(effect.example)
        for number in range(simulations):
            frame = simulated(example, participants=participants, seed=1_000_003 * seed + number)
            found += list(found_in(frame, effect, example[0].settings))
    return found


def table(found: list[Found]) -> str:
    """Return bias and coverage as a table."""
    lines = [
        "| effect | analysis | true | mean estimate | bias | coverage of 95 % intervals | studies |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for effect, analysis in dict.fromkeys((each.effect, each.analysis) for each in found):
        own = [each for each in found if (each.effect, each.analysis) == (effect, analysis)]
        mean = sum(each.estimate for each in own) / len(own)
        covered = 100 * sum(each.holds for each in own) / len(own)
        lines.append(
            f"| {effect} | `{analysis}` | {own[0].true:.3f} | {mean:.3f} | {mean - own[0].true:+.4f} | {covered:.1f} % "
            f"| {len(own)} |"
        )
    return "\n".join(lines)


def circumstances(options: argparse.Namespace) -> str:
    """Return the line that says what was simulated."""
    rules = " and ".join(described(rule) for rule in RULES)
    return (
        f"{options.simulations} studies of each example with {options.participants} participants, seed {options.seed}; "
        f"left out were trials {rules}. Differences of log milliseconds (`lmm`) and of log odds (`glmm`)."
    )


def main() -> int:
    """Simulate, analyse, print."""
    parser = argparse.ArgumentParser(description="Bias and coverage of the suggested analyses of timed choice.")
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--participants", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, default=RESULTS)
    options = parser.parse_args()
    text = table(recovery(simulations=options.simulations, participants=options.participants, seed=options.seed))
    print(text)
    options.results.mkdir(parents=True, exist_ok=True)
    page = f"# Effects of simulated participants of timed choice, found again\n\n{circumstances(options)}\n\n{text}\n"
    (options.results / "timed_choice.md").write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
