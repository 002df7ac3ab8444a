"""Every analysis that a recall study suggests exists and names parameters and columns that are there."""

import json
import random
from itertools import product
from pathlib import Path

import pandas as pd
import pytest
from django.conf import settings

from analysis.computing.parameters import checked_params
from analysis.methods.registry import method_named, run
from experiments.paradigms import paradigm_named
from experiments.study_files import create_from_toml

EXAMPLE = Path(settings.BASE_DIR) / "experiments" / "examples" / "sentence-recall" / "study.toml"
SUGGESTED = paradigm_named("sentence-recall").suggested_analyses(["formulation"])


@pytest.mark.django_db
def test_suggested_analyses_fit_the_tables_of_the_study():
    study = create_from_toml(EXAMPLE, user=None, owner=None)
    for suggestion in SUGGESTED:
        checked_params(study, method=suggestion.method, params=suggestion.params, table=suggestion.table)


def test_mixed_models_come_first_and_what_else_the_paper_has_in_its_order():
    assert [(each.method, each.table) for each in SUGGESTED] == [
        ("glmm", "codings"),
        ("lmm", "trials"),
        ("agreement", "codings"),
        ("incidence", "codings"),
        ("correlation", "pairs"),
        ("correlation", "pairs"),
        ("proportions", "codings"),
        ("proportions", "codings"),
        ("rm-anova", "trials"),
        ("rm-anova", "trials"),
        ("min-f", "trials"),
    ]
    assert len({each.title for each in SUGGESTED}) == len(SUGGESTED)


@pytest.mark.parametrize("suggestion", SUGGESTED, ids=lambda suggestion: suggestion.title)
def test_suggested_analyses_run_on_tables_of_that_shape(suggestion):
    report = run(method_named(suggestion.method), tables()[suggestion.table], suggestion.params)
    assert report.sentences
    assert report.tables


def tables():
    """Codings of two coders and final ones, scores, and pairs, as text cells like those of the exported files."""
    rng = random.Random(1)
    trials, codings = [], []
    for person, item in product(range(8), range(8)):
        level = ("because", "cause")[(person + item) % 2]
        codes = rng.choice(["0", "0", "1", "3", "3;4", "2;4"] if level == "because" else ["0", "0", "0", "1", "3", "4"])
        place = {"participant": f"P{person}", "position": str(item), "item": f"i{item}", "formulation": level}
        given = {f"code_{code}": str(int(code in codes.split(";"))) for code in "0123456"}
        trials.append({**place, "phase": "main", "is_filler": "false", **given, "score": str(rng.random())})
        for coder, role in (("coder-1", "coder"), ("coder-2", "coder"), ("final", "final")):
            other = codes if coder != "coder-2" or rng.random() < 0.8 else "2"
            codings.append({**place, "is_filler": "false", "coder": coder, "role": role, "codes": other, **given})
    pairs = [
        {"item": f"i{n}", "difference_z": str(rng.gauss(0, 1)), "difference_score": str(rng.random()), "words": str(n)}
        for n in range(8, 24)
    ]
    frames = {"trials": trials, "codings": codings, "pairs": pairs}
    return {name: pd.DataFrame(rows, dtype=str) for name, rows in frames.items()}


def test_without_factors_only_codings_are_analysed():
    suggested = paradigm_named("sentence-recall").suggested_analyses([])
    assert [each.method for each in suggested] == ["agreement", "incidence", "proportions"]


MARKERS, ORDERS = ("because", "because-of", "cause-verb", "cause-noun"), ("cause-effect", "effect-cause")
ORACLE = json.loads(
    (Path(settings.BASE_DIR) / "tests" / "oracles" / "garbled_clauses.json").read_text(encoding="utf-8")
)


def recalls():
    """Final codes of 20 people and 32 items, made by the rule of `tests/oracles/garbled_clauses.R`."""
    rows = []
    for person, item in product(range(20), range(32)):
        marker, order = MARKERS[(person + item) % 4], ORDERS[(person + item) // 4 % 2]
        harder = 4 if marker.startswith("because") else 2
        late = 5 if marker == "because" else 0
        second_is_cause = order == "effect-cause"
        effect = (7 * person + 3 * item + person * item) % 29 < harder + (0 if second_is_cause else late)
        cause = (5 * person + 11 * item + 3) % 31 < harder + (late if second_is_cause else 0)
        codes = {"code_3": str(effect).lower(), "code_4": str(cause).lower()}
        place = {"participant": f"P{person}", "item": f"i{item}", "marker": marker, "order": order}
        rows.append({**place, **codes, "role": "final"})
    return pd.DataFrame(rows, dtype=str)


def suggested_of_the_paper():
    return paradigm_named("sentence-recall").suggestions({"marker": MARKERS, "order": ORDERS}, {}, has_fillers=False)


def test_h3_is_suggested_as_the_paper_has_it():
    """Row 32: one of two codes, because and because of against cause as verb and noun. Oracle: `prop.test` of R."""
    h3 = next(each for each in suggested_of_the_paper() if each.title.startswith("H3"))
    report = run(method_named(h3.method), recalls(), h3.params)
    (line,) = report.table("ztest").frame().to_dict("records")
    assert [line["successes_a"], line["successes_b"]] == ORACLE["h3"]["x"]
    assert (line["z"], line["p"]) == (pytest.approx(ORACLE["h3"]["z"]), pytest.approx(ORACLE["h3"]["p"]))


def test_h4_is_suggested_within_because_with_mcnemar_beside_it():
    """Row 33: the second clause against the first, whichever is the cause. Oracle: R, as above and `binom.test`."""
    h4 = next(each for each in suggested_of_the_paper() if each.title.startswith("H4"))
    report = run(method_named(h4.method), recalls(), h4.params)
    (line,) = report.table("ztest").frame().to_dict("records")
    assert [line["successes_a"], line["successes_b"]] == ORACLE["h4"]["x"]
    assert (line["a"], line["n_a"]) == ("second_clause", ORACLE["h4"]["n"][0])
    assert (line["z"], line["p"]) == (pytest.approx(ORACLE["h4"]["z"]), pytest.approx(ORACLE["h4"]["p"]))
    (pairs,) = report.table("mcnemar").frame().to_dict("records")
    assert [pairs["only_a"], pairs["only_b"]] == ORACLE["h4"]["only"]
    assert pairs["p"] == pytest.approx(ORACLE["h4"]["mcnemar"])


@pytest.mark.parametrize(
    ("levels", "titles"),
    [
        ({"marker": ("because", "cause")}, ["H3"]),
        ({"order": ("ab", "ba"), "marker": ("because of", "cause (noun)", "because")}, ["H3", "H4"]),
        ({"marker": ("so", "thus")}, ["Clause B"]),
        ({"marker": ("because", "so")}, ["Clause B"]),
        ({"marker": ("because", "cause"), "order": ("ab", "ba", "b")}, ["H3"]),
    ],
)
def test_what_is_suggested_on_clauses_hangs_on_the_levels(levels, titles):
    suggested = paradigm_named("sentence-recall").suggestions(levels, {}, has_fillers=False)
    found = [each.title for each in suggested if "clause" in each.title.casefold()]
    assert [title[: len(wanted)] for title, wanted in zip(found, titles, strict=True)] == titles


def test_the_conjunction_is_because_and_not_because_of():
    levels = {"marker": ("because of", "because", "cause (verb)"), "order": ("b-a", "a-b")}
    suggested = paradigm_named("sentence-recall").suggestions(levels, {}, has_fillers=False)
    (h4,) = [one for one in suggested if one.title.startswith("H4")]
    assert h4.params["where"] == "role=final and 'marker'='because'"
    assert h4.params["derive"].startswith('first_clause = if(order = "a-b", code_4, code_3);')
