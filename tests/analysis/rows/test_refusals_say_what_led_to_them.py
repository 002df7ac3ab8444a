"""A refusal names what may have led to it: one person alone, one letter written in two ways, names that hold signs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.methods.registry import method_named, run
from analysis.methods.report import BadInput
from analysis.methods.rows.read_as import levels_alike

ODD = "Direction (left=1,right=2)"
SLOPES = "(1 + marker || participant) + (1 + marker || item)"
ALONE = [
    ("lmm", {"formula": f"z ~ marker + {SLOPES}"}),
    ("ordinal", {"formula": f"rating ~ marker + {SLOPES}", "tests": "f"}),
    ("glmm", {"formula": f"code ~ marker + {SLOPES}"}),
    ("rm-anova", {"dv": "z", "within": "marker"}),
    ("rm-anova", {"dv": "z", "within": "marker", "unit": "item"}),
    ("min-f", {"dv": "z", "within": "marker"}),
    ("tukey", {"dv": "z", "within": "marker"}),
    ("friedman", {"dv": "z", "within": "marker"}),
    ("equivalence", {"dv": "z", "within": "marker", "bound": "0.2"}),
    ("bayes-factor", {"dv": "z", "within": "marker"}),
]


def trials(people: int = 1) -> pd.DataFrame:
    random = np.random.default_rng(4)
    who, what = np.indices((people, 16)).reshape(2, -1)
    return pd.DataFrame(
        {
            "participant": [f"P{one}" for one in who],
            "item": [f"I{one}" for one in what],
            "marker": np.array(["because", "cause"])[(who + what) % 2],
            "z": random.normal(size=len(who)).round(3),
            "rating": random.integers(1, 6, len(who)),
            "code": random.integers(0, 2, len(who)),
        }
    ).astype(str)


def refusal(method: str, frame: pd.DataFrame, given: dict[str, Any]) -> str:
    with pytest.raises(BadInput) as refused:
        run(method_named(method), frame, given)
    return str(refused.value)


@pytest.mark.parametrize(("method", "given"), ALONE)
def test_the_first_participant_leads_to_no_other_analysis_but_to_waiting(method: str, given: dict[str, Any]) -> None:
    said = "There are rows of one participant only ('P0'), and this analysis needs several. Run it when more people"
    assert refusal(method, trials(), given).startswith(said)
    simulated = trials(people=3).assign(simulated=lambda one: (one["participant"] != "P0").map(str).str.lower())
    assert refusal(method, simulated, given).startswith(said)


def test_two_spellings_of_one_letter_are_named_in_a_refusal_by_their_code_points() -> None:
    frame = trials(people=4).assign(marker=lambda one: one["marker"].map({"because": "caf\u00e9", "cause": "b"}))
    frame.loc[frame["participant"] == "P0", "marker"] = frame["marker"].str.replace("\u00e9", "e\u0301")
    said = refusal("rm-anova", frame, {"dv": "z", "within": "marker"})
    assert "(U+0065 U+0301)" in said
    assert "(U+00E9)" in said


def test_ids_that_a_double_cannot_tell_apart_and_two_zeros_are_not_taken_for_one() -> None:
    ids = [str(20_240_000_000_000_000 + number) for number in range(4)]
    assert levels_alike(pd.DataFrame({"participant": ids}), ["participant"]) == []
    assert levels_alike(pd.DataFrame({"q": ["-0.0", "0.0", "1.5"]}), ["q"]) == []
    assert levels_alike(pd.DataFrame({"item": ["1", "1.0", "2"]}), ["item"])


def test_a_column_whose_name_holds_signs_can_be_named_everywhere_and_refusals_say_how() -> None:
    frame = trials(people=6).rename(columns={"marker": ODD}).assign(group=lambda one: one["code"])
    given: dict[str, Any] = {"dv": "z", "within": ODD}
    whole = run(method_named("rm-anova"), frame, given).table("anova")
    for text in (f'"{ODD}"', f"`{ODD}`", [ODD]):
        assert run(method_named("rm-anova"), frame, {**given, "within": text}).table("anova") == whole
    said = refusal("rm-anova", frame, {"dv": "z", "within": f"{ODD},group"})
    assert said.endswith(f'A name that holds signs or spaces is written `{ODD}` in a formula, and "{ODD}" elsewhere.')
    formula = f"z ~ `{ODD}` + (1 | participant)"
    run(method_named("lmm"), frame, {"formula": formula, "levels": f'"{ODD}"=cause,because', "means": ODD})
    run(
        method_named("rm-anova"),
        frame,
        {**given, "where": f'"{ODD}"!="x"', "contrasts": f'"{ODD}": because=1, cause=-1'},
    )


def test_a_text_predictor_of_one_value_is_refused_by_logistic_in_a_sentence() -> None:
    frame = trials(people=4).assign(k="const")
    said = refusal("logistic", frame, {"outcome": "code", "blocks": "k"})
    assert said.startswith("'k' has the same value in every row ('const')")
