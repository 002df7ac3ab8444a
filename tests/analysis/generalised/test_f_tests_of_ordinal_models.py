"""F tests of ordinal: the code of glmm, with the thresholds of a cumulative model.

Reference: with two categories `glmm` (which is compared with glmmTMB), with more the restricted likelihood written out
here with dense matrices and differences, its thresholds counted from the lowest one.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special, stats

from analysis.methods.error_rates.recorded import percent_of
from analysis.methods.generalised.binary import METHOD as GLMM
from analysis.methods.generalised.estimates import restricted
from analysis.methods.generalised.fitting.optimise import Search
from analysis.methods.generalised.ordinal import METHOD
from analysis.methods.registry import run
from analysis.methods.report import BadInput

pytestmark = pytest.mark.slow

ORACLE = json.loads((Path(__file__).resolve().parents[2] / "oracles" / "mixed_restricted.json").read_text())
BINARY = pd.DataFrame(ORACLE["data"])
SLOPES = "rating ~ order + (1 + order || participant) + (1 | item)"
PEOPLE, ITEMS = 12, 14


def ratings(*, people=PEOPLE, items=ITEMS, categories=4, effect=0.8, seed=5):
    """Every person sees every item, in one order each."""
    random = np.random.default_rng(seed)
    person, item = (part.ravel() for part in np.meshgrid(np.arange(people), np.arange(items), indexing="ij"))
    second = (person + item) % 2
    latent = random.normal(0, 1.0, people)[person] + random.normal(0, 0.8, items)[item]
    latent += second * (effect + random.normal(0, 1.0, people)[person]) + random.logistic(size=len(person))
    edges = np.linspace(-1.2, 2.2, categories - 1)
    return pd.DataFrame(
        {
            "participant": [f"P{p:02d}" for p in person],
            "item": [f"I{i:02d}" for i in item],
            "order": np.array(["ab", "ba"])[second],
            "rating": np.digitize(latent, edges) + 1,
        }
    )


def anova(frame, method=METHOD, **given):
    given = {"formula": SLOPES, "tests": "f", **({"nominal": "false"} if method is METHOD else {}), **given}
    return run(method, frame, given).table("anova").frame().set_index("effect")


def close(one, other, *, rel=1e-5):
    """F, its degrees of freedom and p of one table are those of another; a few digits of df2 hang on differences."""
    assert list(one.index) == list(other.index)
    for name in ("df", "df2", "f", "p"):
        mine, theirs = (table[name].astype(float).to_numpy() for table in (one, other))
        assert mine == pytest.approx(theirs, rel=rel * 20 if name == "df2" else rel), name


@pytest.mark.parametrize("name", list(ORACLE["cases"]))
def test_with_two_categories_they_are_those_of_glmm(name):
    formula = f"correct ~ {ORACLE['cases'][name]['terms']}"
    close(anova(BINARY, formula=formula), anova(BINARY, GLMM, formula=formula))


class Dense:
    """−2 restricted log likelihood of `SLOPES` over three standard deviations and the distances of thresholds."""

    def __init__(self, frame):
        person, item = (pd.get_dummies(frame[name]).to_numpy(float) for name in ("participant", "item"))
        half = np.where(frame["order"] == "ba", 0.5, -0.5)
        self.owners = np.repeat([0, 1, 2], [person.shape[1], person.shape[1], item.shape[1]])
        self.columns = np.hstack([person, person * half[:, None], item, np.ones((len(frame), 1)), half[:, None]])
        self.place = frame["rating"].to_numpy() - 1

    def at(self, sds, steps):
        """Return the criterion, the effect of order and its variance at these parameters."""
        edges = np.concatenate([[-np.inf, 0.0], np.cumsum(steps), [np.inf]])
        precise = np.diag(np.concatenate([1 / np.asarray(sds)[self.owners] ** 2, [0.0, 0.0]]))
        b = np.zeros(self.columns.shape[1])
        for _ in range(100):
            eta = self.columns @ b
            upper, lower = special.expit(edges[self.place + 1] - eta), special.expit(edges[self.place] - eta)
            weight = upper * (1 - upper) + lower * (1 - lower)
            curved = (self.columns.T * weight) @ self.columns + precise
            step = np.linalg.solve(curved, self.columns.T @ (upper + lower - 1) - precise @ b)
            b = b + step / max(1.0, np.abs(step).max())
            if np.abs(step).max() < 1e-12:
                break
        value = -2 * np.log(upper - lower).sum() + b @ precise @ b + np.linalg.slogdet(curved)[1]
        return value + 2 * np.log(np.asarray(sds))[self.owners].sum(), b[-1], np.linalg.inv(curved)[-1, -1]

    def test(self):
        """Return F, df2 and p of the effect of order."""

        def criterion(x):
            return self.at(x[:3], x[3:])[0] if (x > 0.01).all() else np.inf

        x = optimize.minimize(
            criterion, [1.0, 1.0, 0.8, 1.5, 1.5], method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-10}
        ).x
        size, h = len(x), 2e-3
        moves = np.eye(size) * h
        hessian = np.array([[self._second(criterion, x, a, b) for b in moves] for a in moves]) / (4 * h**2)
        ends = [[self.at((x + s * a)[:3], (x + s * a)[3:])[1:] for s in (1, -1)] for a in moves]
        turns, slopes = (np.array([(up[k] - down[k]) / (2 * h) for up, down in ends]) for k in (0, 1))
        _, effect, variance = self.at(x[:3], x[3:])
        variance += turns[3:] @ (2 * np.linalg.inv(hessian[3:, 3:])) @ turns[3:]
        df = 2 * variance**2 / (slopes @ (2 * np.linalg.inv(hessian)) @ slopes)
        f = effect**2 / variance
        return f, df, stats.f.sf(f, 1, df)

    def _second(self, criterion, x, a, b):
        return criterion(x + a + b) - criterion(x + a - b) - criterion(x - a + b) + criterion(x - a - b)


def test_with_four_categories_they_follow_from_the_restricted_likelihood_written_out():
    frame = ratings()
    found = anova(frame).loc["order"]
    f, df, p = Dense(frame).test()
    assert found["f"] == pytest.approx(f, rel=1e-4)
    assert found["df2"] == pytest.approx(df, rel=5e-3)
    assert found["p"] == pytest.approx(p, rel=5e-3)


def test_in_a_large_sample_f_is_the_chi_square_of_wald_by_its_degrees_of_freedom():
    frame = ratings(people=150, items=12, effect=0.5)
    formula = "rating ~ order + item + (1 | participant)"
    by_f, wald = anova(frame, formula=formula), anova(frame, formula=formula, tests="wald")
    assert (by_f["df2"].astype(float) > 300).all()
    together = (by_f["f"] * by_f["df"]).astype(float)
    assert together.to_numpy() == pytest.approx(wald["chi2"].astype(float).to_numpy(), rel=0.03)
    assert list(by_f["df"]) == list(wald["df"]) == [1, 11]


def test_they_are_more_careful_than_wald_tests():
    frame = ratings()
    assert float(anova(frame).loc["order", "p"]) > float(anova(frame, tests="wald").loc["order", "p"])


@cache
def first():
    return anova(ratings())


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"order": {"ab": "second", "ba": "first"}}, id="levels renamed and so turned round"),
        pytest.param({"rating": {1: 4, 2: 3, 3: 2, 4: 1}}, id="scale turned round"),
        pytest.param({"rating": {1: 1, 2: 5, 3: 6, 4: 30}}, id="other numbers in the same order"),
        pytest.param({"participant": {f"P{p:02d}": f"Q{PEOPLE - p:02d}" for p in range(PEOPLE)}}, id="people renamed"),
    ],
)
def test_other_names_change_no_test(changed):
    close(anova(ratings().replace(changed)), first())


def test_other_rows_first_and_other_contrasts_change_no_test():
    close(anova(ratings().sample(frac=1, random_state=1)), first())
    close(anova(ratings(), contrasts="treatment"), first())
    close(anova(ratings(), contrasts="helmert"), first())
    close(anova(ratings(), levels="order=ba,ab"), first())


def test_the_table_the_sentences_and_the_notes_say_what_was_done():
    found = run(METHOD, ratings(), {"formula": SLOPES, "tests": "f"})
    assert [column.name for column in found.table("anova").columns] == ["effect", "df", "chi2", "p", "test", "df2", "f"]
    assert found.table("anova").frame()["test"].tolist() == ["F"]
    assert found.sentences[0].startswith("order: F(1, ")
    assert any("restricted likelihood" in note and "mean of the thresholds" in note for note in found.notes)


def test_wald_tests_with_slopes_of_few_people_are_warned_of_and_f_tests_are_not():
    def warned(**given):
        given = {"formula": SLOPES, "nominal": "false", **given}
        return any(
            percent_of("ordinal with slopes, tests=wald") in one and "tests=f" in one
            for one in run(METHOD, ratings(), given).warnings
        )

    assert warned()
    assert not warned(tests="f")
    assert not warned(formula="rating ~ order + (1 | participant) + (1 | item)")


def test_wald_is_the_default_and_its_table_is_what_it_was():
    table = run(METHOD, ratings(), {"formula": SLOPES}).table("anova")
    assert [column.name for column in table.columns] == ["effect", "df", "chi2", "p", "test"]
    assert table.frame()["test"].tolist() == ["Wald"]


@pytest.mark.parametrize("random", [" + (1 | participant)", ""])
def test_likelihood_ratios_are_those_of_the_comparison_with_a_smaller_model(random):
    given = {"formula": f"rating ~ order{random}", "compare": f"rating ~ 1{random}", "tests": "likelihood-ratio"}
    report = run(METHOD, ratings(), given)
    line, against = report.table("anova").frame().iloc[0], report.table("comparison").frame().dropna().iloc[-1]
    assert line["test"] == "likelihood ratio"
    assert (line["df"], line["chi2"], line["p"]) == pytest.approx((against["df"], against["chi2"], against["p"]))


def test_without_random_terms_likelihood_ratios_take_their_place_and_a_warning_says_so():
    given = {"formula": "rating ~ order", "tests": "f"}
    report = run(METHOD, ratings(), given)
    ratio = run(METHOD, ratings(), {**given, "tests": "likelihood-ratio"}).table("anova")
    assert report.table("anova").rows == ratio.rows
    assert any(warning.startswith("tests=f: ") and "likelihood ratio" in warning for warning in report.warnings)
    assert not any("restricted likelihood" in note for note in report.notes)


@pytest.mark.parametrize("method", [METHOD, GLMM])
def test_where_no_optimum_is_found_there_is_a_sentence(method, monkeypatch):
    class Lost(Search):
        def hessian(self, x, slope=None):
            return None

    monkeypatch.setattr(restricted, "Search", Lost)
    frame = ratings().assign(rating=lambda data: (data["rating"] > 2).astype(int))
    with pytest.raises(BadInput, match=r"no optimum that could be found.*tests=likelihood-ratio"):
        anova(frame, method)


def test_tests_of_another_name_are_refused():
    with pytest.raises(BadInput, match="likelihood-ratio"):
        anova(ratings(), tests="exact")


@pytest.mark.parametrize("method", [GLMM, METHOD], ids=["glmm", "ordinal"])
def test_without_any_variance_an_f_test_is_the_wald_test_and_no_effect_goes_untested(method):
    # Everybody and every item has the same sum of answers, so that no variance is left between them.
    person, place = (part.ravel() for part in np.meshgrid(np.arange(12), np.arange(12), indexing="ij"))
    turned = (person + place) % 12
    frame = pd.DataFrame(
        {
            "participant": [f"P{p:02d}" for p in person],
            "item": [f"I{i:02d}" for i in place],
            "three": np.array(["a", "b", "c"])[turned % 3],
            "two": np.array(["x", "y"])[turned // 6],
            "answer": np.isin(turned, [0, 3, 6, 1, 4, 2]).astype(int),
        }
    )
    for effect, df in (("three", 2), ("two", 1)):
        formula = f"answer ~ {effect} + (1 | participant) + (1 | item)"
        more = {"nominal": "false"} if method is METHOD else {}
        report = run(method, frame, {"formula": formula, "tests": "f", **more})
        line = report.table("anova").frame().set_index("effect").loc[effect]
        assert (line["test"], line["df"]) == ("Wald", df)
        assert line["p"] == pytest.approx(stats.chi2.sf(line["chi2"], df))
        assert 0 < line["p"] < 0.1
        assert "cannot be tested" not in " ".join(report.sentences)
