"""Agreement against Krippendorff's canonical data and psych::cohen.kappa of R."""

import numpy as np
import pandas as pd
import pytest

from analysis.methods.codes.agreement import METHOD
from analysis.methods.registry import run
from analysis.methods.report import BadInput

# Krippendorff (2011), "Computing Krippendorff's alpha-reliability": four observers, twelve units, values missing
CANONICAL = {
    "A": "1 2 3 3 2 1 4 1 2 . . .",
    "B": "1 2 3 3 2 2 4 1 2 5 . 3",
    "C": ". 3 3 3 2 3 4 2 2 5 1 .",
    "D": "1 2 3 3 2 4 4 1 2 5 1 .",
}
FIRST = [1, 1, 2, 3, 3, 2, 1, 2, 3, 3, 1, 2, 2, 2, 1, 3, 1, 1, 2, 3]
SECOND = [1, 2, 2, 3, 3, 2, 1, 2, 1, 3, 1, 2, 3, 2, 1, 3, 1, 2, 2, 3]


def long(**coders):
    return pd.DataFrame(
        [
            {"unit": f"u{unit}", "coder": coder, "code": str(value)}
            for coder, values in coders.items()
            for unit, value in enumerate(values)
            if value != "."
        ]
    )


def canonical():
    return long(**{coder: values.split() for coder, values in CANONICAL.items()})


def table(frame, name="agreement", **parameters):
    return run(METHOD, frame, parameters).table(name).frame()


@pytest.mark.parametrize(
    ("metric", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_of_the_canonical_data(metric, expected):
    row = table(canonical(), metric=metric).iloc[0]
    assert round(row["alpha"], 3) == expected
    assert row["n"] == 11


def test_kappa_and_its_interval_equal_cohen_kappa_of_r():
    # psych::cohen.kappa(cbind(a, b))$confid, unweighted
    row = table(long(x=FIRST, y=SECOND)).iloc[0]
    assert row["kappa"] == pytest.approx(0.699248120301, abs=1e-12)
    assert row["kappa_low"] == pytest.approx(0.436126437282, abs=1e-12)
    assert row["kappa_high"] == pytest.approx(0.96236980332, abs=1e-12)
    assert row["raw"] == 0.8


def test_each_code_is_compared_by_whether_it_was_given():
    found = table(long(x=["0", "2+3", "3", "4"], y=["0", "3, 2", "3+4", "3"])).set_index("code")
    assert list(found.index) == ["all", "0", "2", "3", "4"]
    assert found["raw"].tolist() == [0.5, 1.0, 1.0, 0.75, 0.5]
    assert found.loc["4", "kappa"] == pytest.approx((0.5 - (0.25 * 0.25 + 0.75 * 0.75)) / (1 - 0.625))


def test_columns_of_zero_and_one_give_the_same_as_a_column_of_codes():
    sets = long(x=["0", "2+3", "3", "4"], y=["0", "3+2", "3+4", "3"])
    wide = sets.drop(columns="code")
    for code in "0234":
        wide[f"code_{code}"] = sets["code"].str.contains(code).astype(int)
    by_columns = table(wide, code="code_0,code_2,code_3,code_4")
    numbers = ["n", "raw", "kappa", "alpha"]
    pd.testing.assert_frame_equal(by_columns[numbers], table(sets)[numbers])


def test_kappa_of_several_coders_is_the_mean_over_pairs_and_says_so():
    report = run(METHOD, canonical(), {})
    pairs = report.table("pairs").frame()
    overall = pairs[pairs["code"] == "all"]
    assert len(overall) == 6
    assert report.table("agreement").frame()["kappa"][0] == pytest.approx(overall["kappa"].mean())
    assert any("averaged over 6 pairs" in note for note in report.notes)


def test_everyone_saying_the_same_leaves_kappa_undefined_in_words():
    report = run(METHOD, long(x=["0", "0", "0"], y=["0", "0", "0"]), {})
    row = report.table("agreement").frame().iloc[0]
    assert row["raw"] == 1
    assert row["kappa"] is None
    assert row["alpha"] is None
    assert any("not defined: every coder gave the same value" in warning for warning in report.warnings)
    assert "κ not defined" in report.sentences[0]


def test_units_of_one_coder_only_do_not_count():
    report = run(METHOD, long(x=["0", "1", "0", "1"], y=["0", "1", ".", "."]), {})
    assert report.table("agreement").frame()["n"][0] == 2
    assert any("2 units coded by one coder only" in note for note in report.notes)


def test_the_order_of_rows_does_not_matter():
    shuffled = canonical().sample(frac=1, random_state=7)
    pd.testing.assert_frame_equal(table(shuffled), table(canonical()))


def test_a_unit_may_be_named_by_several_columns():
    frame = pd.concat([canonical().assign(item="a"), canonical().assign(item="b")])
    assert table(frame, unit="unit,item")["n"][0] == 22


@pytest.mark.parametrize(
    ("frame", "parameters", "message"),
    [
        (long(x=["0", "1"]), {}, "names only one coder"),
        (pd.concat([long(x=["0"], y=["0"])] * 2), {}, "more than once"),
        (long(x=["0", "."], y=[".", "1"]), {}, "No unit was coded by two coders"),
        (long(x=["a", "b"], y=["a", "b"]), {"metric": "ordinal"}, "must hold numbers"),
        (long(x=[-1, 2], y=[1, 2]), {"metric": "ratio"}, "0 and above"),
        (long(x=["0"], y=["0"]).drop(columns="coder"), {}, "coder is missing"),
        (long(x=[""], y=[""]), {}, "No row has a unit"),
        (long(x=["0"], y=["0"]), {"metric": "cosine"}, "none of nominal"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_words(frame, parameters, message):
    with pytest.raises(BadInput, match=message):
        run(METHOD, frame, parameters)


def test_a_large_set_is_quick():
    random = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "unit": np.repeat(np.arange(20_000), 3).astype(str),
            "coder": np.tile(["a", "b", "c"], 20_000),
            "code": random.choice(["0", "1", "2+3", "3"], 60_000),
        }
    )
    assert abs(table(frame)["alpha"][0]) < 0.02


def test_codes_that_are_rare_are_named_in_the_plural():
    made = [
        {"unit": f"U{unit}", "coder": coder, "code": {0: "5", 1: "6"}.get(unit, "0" if unit % 2 else "1")}
        for unit in range(60)
        for coder in ("a", "b")
    ]
    warnings = run(METHOD, pd.DataFrame(made), {}).warnings
    assert any(warning.startswith("Codes 5 and 6 were given in fewer than 5 % of the codings") for warning in warnings)
    one = pd.DataFrame(made).query("code != '6'")
    assert any(warning.startswith("Code 5 was given") for warning in run(METHOD, one, {}).warnings)


def test_a_code_of_several_words_is_read_as_several_codes_and_that_is_said():
    report = run(METHOD, long(A=["main clause", "side clause", "side clause"], B=["main clause"] * 3), {})
    assert any("'main clause' in column 'code' was read as clause and main" in warning for warning in report.warnings)
    joined = run(METHOD, long(A=["main_clause", "2 3", "x y"], B=["main_clause", "3 2", "x"]), {})
    assert not any("Blanks" in warning for warning in joined.warnings)
    assert joined.table("agreement").frame()["code"].tolist()[0] == "all"


def test_an_interval_without_width_is_not_taken_for_certainty():
    """As in psych::cohen.kappa of R, the asymptotic variance is 0 where coders always agree or one never varies."""
    perfect = run(METHOD, long(A=[1, 2, 1, 2, 1], B=[1, 2, 1, 2, 1]), {})
    flat = run(METHOD, long(A=[1, 2, 1, 2, 1], B=[1, 1, 1, 1, 1]), {})
    for report, kappa in ((perfect, 1), (flat, 0)):
        row = report.table("agreement").frame().iloc[0]
        assert row["kappa"] == pytest.approx(kappa, abs=1e-7)
        assert row[["kappa_low", "kappa_high"]].isna().all()
        assert "CI" not in report.sentences[0]
        assert any("κ of all codings has no interval" in warning for warning in report.warnings)
    usual = run(METHOD, long(A=FIRST, B=SECOND), {})
    assert not any("no interval" in warning for warning in usual.warnings)


def test_pairs_that_share_few_units_are_warned_of_with_their_number():
    frame = long(x=FIRST, y=SECOND, z=[*FIRST[:2], *["."] * 18])
    (warning,) = [text for text in run(METHOD, frame, {}).warnings if "same weight" in text and "all codings" in text]
    assert "from 2 to 20 units" in warning
    full = run(METHOD, long(x=FIRST, y=SECOND, z=FIRST), {})
    assert not [text for text in full.warnings if "same weight" in text]
