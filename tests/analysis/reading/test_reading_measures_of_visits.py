"""Reading measures against their rules, applied visit by visit, and against published values."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.methods.reading.method import METHOD
from analysis.methods.registry import run
from analysis.methods.report import BadInput
from tests import needs

pytestmark = pytest.mark.slow

PUBLISHED = needs.SHARED / "data" / "motr"


def visits_of(places, durations=None, **columns):
    durations = durations or [100.0 * (index + 1) for index in range(len(places))]
    ends = np.cumsum(durations)
    made = {"participant": "P1", "text": "T1", "aoi": places, "enter_ms": ends - durations, "leave_ms": ends}
    return pd.DataFrame({**made, **columns})


def table(frame, name="aoi", **parameters):
    return run(METHOD, frame, parameters).table(name).frame()


def by_the_rules(places, durations):
    """The definitions of the documentation, written as slowly and as plainly as possible."""
    found = {}
    for place in range(1, max(places) + 1):
        mine = [k for k, a in enumerate(places) if a == place]
        entry = [k for k in mine if all(a < place for a in places[:k])]
        measured = dict.fromkeys(
            ("first_duration", "total_duration", "first_pass", "gaze_duration", "right_bounded", "go_past")
        )
        if mine:
            measured["first_duration"] = durations[mine[0]]
            measured["total_duration"] = sum(durations[k] for k in mine)
        bounded = [k for k in mine if all(a <= place for a in places[:k])]
        if bounded:
            measured["right_bounded"] = sum(durations[k] for k in bounded)
        if entry:
            k = entry[0]
            run_end = next((j for j in range(k, len(places)) if places[j] != place), len(places))
            past = next((j for j in range(k, len(places)) if places[j] > place), len(places))
            measured["gaze_duration"] = durations[k]
            measured["first_pass"] = sum(durations[k:run_end])
            measured["go_past"] = sum(durations[k:past])
        found[place] = measured
    return found


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=14), st.integers(0, 2**32 - 1))
def test_every_duration_follows_its_rule_for_any_path(places, seed):
    durations = np.random.default_rng(seed).integers(1, 900, len(places)).astype(float).tolist()
    expected = by_the_rules(places, durations)
    computed = table(visits_of(places, durations), aois=5).set_index("aoi")
    for place, measured in expected.items():
        for name, value in measured.items():
            assert computed.loc[place, name] == (value if value is not None else pytest.approx(np.nan, nan_ok=True))


@needs.shared("data/motr")
@pytest.mark.parametrize("unvisited_is", [0.0])
def test_the_measures_equal_the_published_ones_value_for_value(unvisited_is):
    published = pd.read_csv(PUBLISHED / "measures_published_160_4000.csv", dtype={"participant": str, "text": str})
    seen = pd.read_csv(PUBLISHED / "visits.csv", dtype=str)
    length = published.groupby(["participant", "text"])["aoi"].max().add(1).rename("length").reset_index()
    computed = table(seen.merge(length), min_ms=160, max_ms=4000, aois="length")
    both = published.merge(computed, on=["participant", "text", "aoi"], suffixes=("", "_ours"))
    assert len(both) == len(published) == 2472
    for measure in (
        "first_duration",
        "total_duration",
        "gaze_duration",
        "right_bounded",
        "go_past",
        "first_pass_visited",
        "first_pass_regression",
    ):
        ours = both[f"{measure}_ours"].astype(float)
        assert (ours.fillna(unvisited_is) == both[measure]).all(), measure
        assert not ((both["total_duration"] == 0) & (ours == 0) & (measure != "first_pass_visited")).any()


def test_what_was_not_visited_is_empty_and_not_zero():
    row = table(visits_of([1, 3])).set_index("aoi").loc[2]
    assert row["visited"] == 0
    assert row["visits"] == 0
    assert pd.isna(row["total_duration"])
    assert pd.isna(row["regression_in"])


def test_an_area_skipped_at_first_has_a_total_but_no_first_pass():
    row = table(visits_of([1, 3, 2])).set_index("aoi").loc[2]
    assert row["total_duration"] == 300
    assert pd.isna(row["first_pass"])
    assert pd.isna(row["rereading"])
    assert row["first_pass_visited"] == 0
    assert row["regression_in"] == 1


def test_first_pass_goes_on_over_a_gap_on_no_area_but_gaze_duration_is_one_visit():
    row = table(visits_of([1, 1, 2])).set_index("aoi").loc[1]
    assert (row["gaze_duration"], row["first_pass"], row["visits"]) == (100, 300, 2)


def test_text_measures_of_a_small_path():
    row = table(visits_of([1, 2, 1, 3, 2], words=[10, 20, 10, 30, 20]), name="text").iloc[0]
    assert row["total_time"] == 1500
    assert row["first_pass_time"] == 1000
    assert row["first_pass_share"] == pytest.approx(2 / 3)
    assert row["transitions"] == 4
    assert row["path_log"] == pytest.approx(np.log(5))
    assert row["regressions"] == 2
    assert row["words"] == 60
    assert row["pace"] == 25
    assert row["speed"] == 0.04
    assert row["words_per_minute"] == 2400


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 3), min_size=1, max_size=10), st.integers(0, 2**32 - 1))
def test_every_measure_of_a_text_follows_its_rule_for_any_path(places, seed):
    durations = np.random.default_rng(seed).integers(1, 900, len(places)).astype(float).tolist()
    row = table(visits_of(places, durations), name="text", aois=3).iloc[0]
    changes = [k for k in range(1, len(places)) if places[k] != places[k - 1]]
    assert row["total_time"] == sum(durations)
    assert row["transitions"] == len(changes)
    assert row["regressions"] == sum(places[k] < places[k - 1] for k in changes)
    if set(places) == {1, 2, 3}:
        last_new = max(places.index(place) for place in (1, 2, 3))
        left = next((k for k in changes if k > last_new), len(places))
        assert row["first_pass_time"] == sum(durations[:left])
        assert row["first_pass_share"] == pytest.approx(sum(durations[:left]) / sum(durations))
    else:
        assert pd.isna(row["first_pass_time"])


def test_first_pass_time_of_a_path_that_ends_in_a_new_area_is_all_of_it():
    row = table(visits_of([1, 2, 1, 3]), name="text").iloc[0]
    assert (row["first_pass_time"], row["total_time"], row["first_pass_share"]) == (1000, 1000, 1)


def test_first_pass_time_is_empty_where_an_area_was_never_visited():
    report = run(METHOD, visits_of([1, 2]), {"aois": 3})
    row = report.table("text").frame().iloc[0]
    assert row["first_pass_time"] is None
    assert row["total_time"] == 300
    assert any("not every AOI was visited" in warning for warning in report.warnings)


def test_limits_on_duration_are_strict():
    frame = visits_of([1, 2, 3, 4], durations=[160.0, 161.0, 3999.0, 4000.0])
    assert table(frame, min_ms=160, max_ms=4000)["visited"].tolist() == [0, 1, 1, 0]


def test_standard_scores_are_within_participant_and_within_text():
    parts = [
        visits_of([1, 2], durations=[float(a), float(b)], participant=who, text=what)
        for who, what, a, b in (
            ("P1", "T1", 100, 300),
            ("P1", "T2", 200, 500),
            ("P1", "T3", 400, 100),
            ("P2", "T1", 150, 350),
            ("P2", "T2", 250, 550),
            ("P2", "T3", 600, 300),
        )
    ]
    shuffled = pd.concat(parts, ignore_index=True).sample(frac=1, random_state=1)
    found = table(shuffled, name="text", wide=True).set_index(["participant", "text"])
    total = found["total_time"].astype(float)
    one = total.loc["P1"]
    assert found.loc[("P1", "T2"), "time_z"] == pytest.approx((700 - one.mean()) / one.std(ddof=1))
    first = total.xs("T1", level="text")
    assert found.loc[("P1", "T1"), "time_z2"] == pytest.approx((400 - first.mean()) / first.std(ddof=1))
    sentence = found["time_2"].astype(float).xs("T3", level="text")
    assert found.loc[("P2", "T3"), "time_2_z2"] == pytest.approx((300 - sentence.mean()) / sentence.std(ddof=1))


def test_a_table_of_means_shows_the_spread_over_participants():
    frame = pd.concat(
        [
            visits_of([1], durations=[duration], participant=who, text=what, condition="gold")
            for who, what, duration in (("P1", "T1", 100.0), ("P1", "T2", 300.0), ("P2", "T1", 500.0))
        ]
    )
    found = table(frame, name="conditions").set_index("measure").loc["total_time"]
    assert found["mean"] == pytest.approx(300)
    assert found["sd_participants"] == pytest.approx(np.std([200, 500], ddof=1))


def test_a_row_without_times_declares_an_area():
    frame = pd.concat([visits_of([1, 2]), pd.DataFrame([{"participant": "P1", "text": "T1", "aoi": 3}])])
    assert table(frame)["visited"].tolist() == [1, 1, 0]


def test_areas_may_have_names_in_their_order():
    found = table(visits_of(["S1", "S2", "S10"]))
    assert found["aoi"].tolist() == ["S1", "S2", "S10"]
    assert found["first_pass_visited"].tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("frame", "parameters", "message"),
    [
        (visits_of([1]).assign(leave_ms=-5.0), {}, "leaves its AOI before it is entered"),
        (visits_of([1, 2]).assign(leave_ms=[None, 300.0]), {}, "has only one of"),
        (visits_of([1]), {"min_ms": 500}, "No visit is left"),
        (visits_of([1]), {"min_ms": 500, "max_ms": 200}, "must be above min_ms"),
        (visits_of([1, 5]), {"aois": 3}, "has AOI 5, but aois says"),
        (visits_of(list(range(1, 15))), {"wide": "true"}, "too many to stand side by side"),
        (visits_of([1]), {"aois": "many"}, "There is no column 'many'"),
        (visits_of([1]).drop(columns="text"), {}, "tells one reading from the next"),
        (visits_of([1]).drop(columns="participant"), {}, "no column 'participant'"),
        (visits_of([1, 1], words=[3, 4]), {}, "two numbers of words"),
        (visits_of([1], words=[0]), {}, "above 0"),
        (visits_of([None]), {}, "No row has both"),
        (visits_of([1, 2], text=["T1", None]).assign(aoi=["a", "b"]), {"aois": 2}, "only where AOIs are numbered"),
    ],
)
def test_data_that_cannot_be_read_are_refused_in_words(frame, parameters, message):
    with pytest.raises(BadInput, match=message):
        run(METHOD, frame, parameters)


def test_visits_that_overlap_are_pointed_out():
    frame = visits_of([1, 2]).assign(enter_ms=[0.0, 50.0])
    assert any("began before" in warning for warning in run(METHOD, frame, {}).warnings)


def test_columns_that_are_called_like_measures_hide_none_of_them():
    """Exports and own tables hold `aois`, `visits` or `time`; the measures must be those of the visits."""
    plain = table(visits_of([1, 2, 1, 3]), "text", aois=3)
    frame = visits_of([1, 2, 1, 3], aois=3, visits="many", time="noon", total_time=7, age=30)
    report = run(METHOD, frame, {"aois": "aois"})
    measured = report.table("text").frame()
    assert measured[plain.columns].equals(plain)
    assert measured["age"].tolist() == [30]
    assert any("visits, time and total_time of the data" in warning for warning in report.warnings)
    silent = run(METHOD, visits_of([1, 2, 3], aois=3), {})
    assert not any("called like" in warning for warning in silent.warnings)
    assert silent.table("text").frame()["aois"].tolist() == [3]


def test_a_condition_that_is_called_like_a_measure_is_refused():
    with pytest.raises(BadInput, match="speed is called like a measure of reading"):
        run(METHOD, visits_of([1, 2], speed="fast"), {"condition": "speed"})
