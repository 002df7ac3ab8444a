"""Ids that begin anew in every group are named first by every model and joined as the remark says; true ids are not."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.methods import registry, splitting
from analysis.methods.report import BadInput, Report
from analysis.methods.rows.anew import begun_anew
from analysis.methods.rows.design import read
from analysis.methods.rows.remarks import Importance
from tests import needs

WRITE = "(1 | group:participant)"
GIVE = "participant=group:participant"


def answers(
    seed: int = 1, *, people: int = 12, items: int = 12, anew: bool = True, prefix: str = "", slope: float = 0.0
) -> pd.DataFrame:
    """Return answers of two groups without a difference: of other people under the same ids, or of the same people."""
    random = np.random.default_rng(seed)
    of_people = random.normal(0, 0.8, (2, people)) if anew else np.tile(random.normal(0, 0.8, people), (2, 1))
    of_people += random.normal(0, slope, (2, people))
    of_items = random.normal(0, 0.5, items)
    lines = []
    for group, person, item in product(range(2), range(people), range(items)):
        y = of_people[group, person] + of_items[item] + random.normal()
        lines.append(
            {
                "group": "ab"[group],
                "participant": f"{prefix}{person + 1}",
                "item": f"{item + 1}",
                "order": ("first", "second")[(person + item) % 2],
                "y": round(2000 + 300 * y, 1),
                "right": str(int(y > 0)),
                "answer": str(int(np.digitize(y, (-1, 0, 1))) + 1),
                "region": str(item % 2),
            }
        )
    return pd.DataFrame(lines)


def run(method: str, frame: pd.DataFrame, **given: Any) -> Report:
    return registry.run(registry.method_named(method), frame, given)


FORMULA = "~ group + (1 | participant) + (1 + group | item)"
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "lmm": (WRITE, {"formula": f"y {FORMULA}"}),
    "glmm": (WRITE, {"formula": "right ~ group + (1 | participant) + (1 | item)"}),
    "ordinal": (WRITE, {"formula": "answer ~ group + (1 | participant)", "nominal": False}),
    "regions": (WRITE, {"formula": "y ~ group + (1 | participant)", "region": "region"}),
    "logistic": (GIVE, {"outcome": "right", "blocks": "group", "folds": 2}),
    "tukey": (GIVE, {"dv": "y", "within": ["order"]}),
    "power": (
        GIVE,
        {"dv": "y", "within": ["group"], "simulations": 20, "n_participants": "12", "n_items": "12"},
    ),
}


@pytest.mark.parametrize("method", CALLS)
def test_every_model_names_them_first_and_is_content_with_the_ids_joined(method: str) -> None:
    words, given = CALLS[method]
    frame = answers()
    report = run(method, frame, **given)
    assert words in report.warnings[0]
    assert "Check one: if participant 1 of 'a' is another one than that of 'b'" in report.warnings[0]
    if "formula" in given:
        given = {**given, "formula": given["formula"].replace("(1 | participant)", WRITE)}
    else:
        given = {**given, "participant": "group:participant"}
        if method == "power":
            given |= {"within": [], "between_participants": "group"}
    advised = run(method, frame, **given)
    assert not [said for said in advised.warnings if "begin anew" in said]
    assert "24 " in advised.design


def test_preference_names_them_by_columns_that_are_no_part_of_it() -> None:
    random = np.random.default_rng(3)
    lines = [
        {
            "list": at,
            "participant": f"{p}",
            "item": f"{i}",
            "a": "plain",
            "b": "dense",
            "choice": random.choice(["a", "b"]),
        }
        for at, p, i in product(("l1", "l2"), range(1, 7), range(1, 9))
    ]
    frame = pd.DataFrame(lines)
    report = run("preference", frame, a="a", b="b", choice="choice", random="participant", bootstrap=50)
    assert "participant=list:participant" in report.warnings[0]
    advised = run(
        "preference", frame, a="a", b="b", choice="choice", random="participant", bootstrap=50,
        participant="list:participant",
    )  # fmt: skip
    assert not [said for said in advised.warnings if "begin anew" in said]
    assert advised.design == "12 participants × 8 items, each pair once."


def test_items_that_begin_anew_in_every_type_are_named_as_items() -> None:
    frame = answers().rename(columns={"group": "type", "participant": "item", "item": "participant"})
    report = run("lmm", frame, formula="y ~ type + (1 + type | participant) + (1 | item)")
    assert "(1 | type:item)" in report.warnings[0]


def test_a_refusal_of_a_factor_between_people_names_the_joined_ids_which_work() -> None:
    frame = answers()
    for method, given in (
        ("rm-anova", {"dv": "y", "between": ["group"]}),
        ("power", {"dv": "y", "between_participants": "group", "simulations": 20, "n_participants": "12"}),
    ):
        with pytest.raises(BadInput, match="participant=group:participant"):
            run(method, frame, **given)
        assert "24 participants" in run(method, frame, **given, participant="group:participant").design


@pytest.mark.parametrize(
    "frame",
    [
        answers(anew=False),
        answers(anew=False, slope=0.3),
        answers(prefix="x7f").assign(
            participant=lambda one: one["participant"].map(lambda p: f"{int(p[3:]) * 7919 % 99991:05}q")
        ),
        answers(anew=False).assign(group=lambda one: one["group"].map({"a": "load", "b": "none"})),
    ],
    ids=["the same people", "who differ in the effect", "ids that are no numbers", "levels of another name"],
)
def test_people_who_saw_every_item_at_both_levels_are_told_nothing(frame: pd.DataFrame) -> None:
    report = run("lmm", frame, formula=f"y {FORMULA}")
    assert not [said for said in report.warnings if "begin anew" in said]


def test_trials_that_are_numbered_through_are_those_of_one_person() -> None:
    frame = answers()
    through = frame.assign(trial=frame.groupby("participant").cumcount().astype(str))
    anew = frame.assign(trial=frame.groupby(["group", "participant"]).cumcount().astype(str))
    told = [run("lmm", one, formula=f"y {FORMULA}").warnings[0] for one in (through, anew)]
    assert "begin anew" not in told[0]
    assert "trial begins anew at each" in told[1]


def test_a_slope_says_whose_rows_they_are() -> None:
    report = run("lmm", answers(), formula="y ~ group + (1 + group | participant) + (1 + group | item)")
    assert not [said for said in report.warnings if "begin anew" in said]


def test_a_latin_square_has_nothing_to_ask() -> None:
    frame = answers(anew=False)
    square = frame[(frame["group"] == "a") == (frame["order"] == "first")]
    report = run("lmm", square, formula="y ~ group + (1 | participant) + (1 | item)")
    assert not [said for said in report.warnings if "begin anew" in said]
    assert report.design == "group: within participants and items; 12 participants × 12 items, each pair once."


def test_items_that_lists_rotate_through_conditions_have_nothing_to_ask() -> None:
    """In every list an item is in another condition; a large effect makes its means unlike from list to list."""
    random = np.random.default_rng(8)
    of_items, of_people = random.normal(0, 0.2, 16), random.normal(0, 0.5, 24)
    lines = [
        {
            "participant": f"{person + 1}",
            "list": str(person % 2),
            "item": f"{item + 1}",
            "cond": "ab"[(person + item) % 2],
            "y": of_people[person] + of_items[item] + 3.0 * ((person + item) % 2) + random.normal(),
        }
        for person, item in product(range(24), range(16))
    ]
    for formula in ("y ~ cond * list + (1 | participant) + (1 | item)", "y ~ cond + (1 | participant) + (1 | item)"):
        report = run("lmm", pd.DataFrame(lines), formula=formula)
        assert not [said for said in report.warnings if "begin anew" in said]


def test_people_that_begin_anew_in_every_list_of_a_latin_square_are_named() -> None:
    random = np.random.default_rng(9)
    of_people, of_items = random.normal(0, 0.8, (2, 12)), random.normal(0, 0.4, 16)
    lines = [
        {
            "participant": f"s{person + 1:02}",
            "list": str(at),
            "item": f"{item + 1}",
            "cond": "ab"[(at + item) % 2],
            "y": of_people[at, person] + of_items[item] + random.normal(),
        }
        for at, person, item in product(range(2), range(12), range(16))
    ]
    report = run("lmm", pd.DataFrame(lines), formula="y ~ cond + (1 + cond | participant) + (1 + cond | item)")
    assert "(1 | list:participant)" in report.warnings[0]


def test_joined_ids_reach_a_power_analysis_in_parts() -> None:
    given = {**CALLS["power"][1], "within": [], "between_participants": "group", "participant": "group:participant"}
    method = registry.method_named("power")
    begun, parts = splitting.begin(method, answers(), given)
    report = splitting.finish(method, begun, [splitting.compute(method, begun, part) for part in parts])
    assert report.as_dict() == run("power", answers(), **given).as_dict()


@pytest.mark.parametrize("method", ["lmm", "power", "rm-anova", "preference", "glmm"])
def test_the_examples_of_methods_are_told_nothing(method: str) -> None:
    example = registry.method_named(method).example
    assert example is not None
    frame, given = example()
    assert not [said for said in run(method, frame, **given).warnings if "begin anew" in said]


@needs.shared("data/rankme")
@pytest.mark.parametrize(
    ("file", "units", "factors", "measure"),
    [
        ("rankme/rankme_long.csv", ("participant", "item"), ["system", "method", "dimension", "setup"], "rating"),
        ("simplicity_da/simplicity_DA_ratings.csv", ("rater_id", "sent_id"), ["sys_name"], "simplicity"),
    ],
)
def test_real_designs_are_told_nothing(file: str, units: tuple[str, str], factors: list[str], measure: str) -> None:
    frame = pd.read_csv(needs.SHARED / "data" / file, dtype=str, keep_default_na=False)
    design = read(frame, units=dict(zip(units, units, strict=True)), factors=factors, measured=[measure])
    assert begun_anew(frame, design, measure=measure, in_formula=True) == []


def test_the_remark_is_the_gravest() -> None:
    frame = answers()
    design = read(frame, units={"participant": "participant", "item": "item"}, factors=["group"], measured=["y"])
    (said,) = begun_anew(frame, design, measure="y")
    assert getattr(said, "importance", None) is Importance.UNITS


def test_attributes_that_stay_the_same_at_every_level_are_those_of_one_person() -> None:
    """People of the same ages in both groups are the same; what follows from the number of an id says nothing."""
    frame = answers()
    ages = np.random.default_rng(6).integers(19, 34, 12)
    number = frame["participant"].astype(int)
    of_one = frame.assign(age=ages[number - 1].astype(str))
    assert "begin anew" not in run("lmm", of_one, formula=f"y {FORMULA}").warnings[0]
    for attribute in (number.map("s{:02}".format), (number % 5).astype(str), (number // 3).astype(str)):
        told = run("lmm", frame.assign(code=attribute), formula=f"y {FORMULA}").warnings[0]
        assert WRITE in told


def test_versions_of_an_item_that_have_little_in_common_are_versions() -> None:
    frame = answers().rename(columns={"group": "system", "participant": "item", "item": "participant"})
    report = run("lmm", frame, formula="y ~ system + (1 + system | participant) + (1 | item)")
    assert not [said for said in report.warnings if "begin anew" in said]
