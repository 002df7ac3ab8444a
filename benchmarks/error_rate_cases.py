"""Cases of the error-rate simulation: every mixed model that a paradigm suggests, and some others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from analysis.methods.mixed.design.contrast_choice import AUTOMATIC
from analysis.methods.mixed.design.matrices import BY_COLUMN
from analysis.methods.mixed.random_effects.reduction import KEEP_MAXIMAL, PARSIMONIOUS
from experiments.design.mixed_formulas import mixed_formula
from experiments.paradigms import PARADIGMS
from experiments.paradigms.base import Paradigm

MIXED = ("lmm", "glmm", "ordinal")
PEOPLE = ITEMS = 24
Factors = Mapping[str, tuple[str, ...]]
TWO_BY_TWO: Factors = {"marker": ("because", "cause"), "order": ("ab", "ba")}
TWO: Factors = {"marker": TWO_BY_TWO["marker"]}
THREE: Factors = {"condition": ("gold", "lin", "sem")}
FOUR_BY_TWO: Factors = {"marker": ("because", "because-of", "cause-noun", "cause-verb"), "order": ("ab", "ba")}
DESIGNS = (TWO_BY_TWO, THREE)
# Few people rate every output of three systems.
SYSTEMS: dict[str, Any] = {"participants": 12, "items": 20, "assignment": "full"}
# The main design of the platform has eight conditions; twelve trials each take a larger study.
LARGER = FOUR_BY_TWO
# Timed choices and those of a Maze are right far more often than recalls.
SHARE_RIGHT = 0.9
# The question with a scale among those of `settings_with_questions`.
SCALE = "clarity"


@dataclass(frozen=True)
class Case:
    """One analysis of one design.

    `spherical` says whether the contrasts of an effect share a variance in the data, `share` how many answers of the
    middle person to the middle item are a success where answers are yes or no. `data` names what is measured where the
    method does not say it (see `error_rate_models`), `assignment` whether everybody sees an item once
    (`latin-square`) or in every condition (`full`).
    """

    name: str
    method: str
    params: Mapping[str, Any]
    factors: Factors
    participants: int = PEOPLE
    items: int = ITEMS
    spherical: bool = True
    share: float = 0.5
    data: str = ""
    assignment: str = "latin-square"

    @property
    def kind(self) -> str:
        """Return what is measured: that of the method, if nothing else is named."""
        return self.data or self.method

    @property
    def response(self) -> str:
        """Return the column of the measure."""
        params = {name: str(value) for name, value in self.params.items()}
        named = next((params[name] for name in ("dv", "success", "answer") if params.get(name)), "")
        return named or params["formula"].partition("~")[0].strip()

    @property
    def simulation(self) -> tuple[Any, ...]:
        """Return what the counts follow from: cases that have it in common have the same data and the same model."""
        params = dict(self.params)
        effects = str(params.pop("formula", "")).partition("~")[2].strip()
        for name in ("where", "dv", "nominal"):
            params.pop(name, None)
        given = str(sorted(params.items()))
        return self.method, effects, given, str(self.factors), self.design, self.spherical, self.share, self.kind

    @property
    def design(self) -> str:
        """Return the numbers of levels and of people and items."""
        levels = " × ".join(str(len(values)) for values in self.factors.values())
        every = ", each item in all conditions" if self.assignment == "full" else ""
        return f"{levels}; {self.participants} people, {self.items} items{every}"

    @property
    def key(self) -> str:
        """Return a name that no other case has."""
        return f"{self.name} | {self.design}"


def suggested() -> Iterator[Case]:
    """Yield every mixed model that a paradigm suggests for a design, models that are the same only once."""
    for paradigm in PARADIGMS:
        for factors in DESIGNS:
            yield from _of(paradigm, factors)
        if paradigm.slug == "magnitude-estimation":
            yield from _of(paradigm, LARGER, participants=32, items=32)
        if paradigm.slug == "rating":
            yield from _of(paradigm, THREE, **SYSTEMS)
    for factors in (TWO, THREE):
        formula = mixed_formula("choice", tuple(factors))
        yield Case("Answers of three categories", "multinomial", {"formula": formula}, factors, data="categories")


def _of(paradigm: Paradigm, factors: Factors, **size: Any) -> Iterator[Case]:
    offered = paradigm.suggestions(factors, settings_with_questions(), has_fillers=True)
    alike: dict[str, list[Any]] = {}
    for suggestion in offered:
        if suggestion.method in MIXED:
            alike.setdefault(f"{suggestion.method} {suggestion.params['formula']}", []).append(suggestion)
    for same in alike.values():
        titles = "; ".join(str(suggestion.title) for suggestion in same)
        params = dict(same[0].params)
        share = SHARE_RIGHT if str(params["formula"]).startswith("correct ") else 0.5
        name = f"{paradigm.label}: {titles}"
        is_scale = str(params["formula"]).startswith(f"{SCALE} ")
        yield Case(name, same[0].method, params, factors, share=share, data="ordinal" if is_scale else "", **size)


def settings_with_questions() -> dict[str, Any]:
    """Return settings with a question of every kind, where a paradigm asks questions."""
    question = {"text": "How good is it?", "labels": [], "required": True}
    kinds = (("fluency", "magnitude", 0), (SCALE, "scale", 5), ("liking", "slider", 0))
    asked = [{"name": name, "kind": kind, "points": points, **question} for name, kind, points in kinds]
    return {"ratings": asked, "questions": asked}


def companions() -> Iterator[Case]:
    """Yield the tests that stand beside the suggested models, on ratings and on reading times."""
    sizes: list[tuple[Factors, dict[str, Any]]] = [(TWO_BY_TWO, {}), (THREE, {}), (THREE, SYSTEMS)]
    for factors, size in sizes:
        for of, dv, kind in (("ratings", SCALE, "ordinal"), ("times", "rt_ms", "lmm")):
            about: dict[str, Any] = {"dv": dv, "within": ",".join(factors)}
            asked = [
                ("ANOVA of {} by participants (F1)", "rm-anova", {"unit": "participant"}),
                ("ANOVA of {} by items (F2)", "rm-anova", {"unit": "item"}),
                ("minF′ of {}", "min-f", {}),
                ("Tukey's comparisons of {} over participants", "tukey", {"unit": "participant"}),
                ("Friedman's test of {} over participants", "friedman", {"unit": "participant"}),
            ]
            for name, method, more in asked:
                yield Case(name.format(of), method, {**about, **more}, factors, data=kind, **size)
    recalled = {"where": "role=final"}
    two = TWO
    grouped = {"success": "code_0", "group": "marker", **recalled}
    yield Case("Proportions of recalls by condition (z)", "proportions", grouped, two, data="glmm")
    paired = {"success": "code_3,code_4", **recalled}
    yield Case(
        "Proportions of two codes of the same recalls (McNemar)", "proportions", paired, two, data="pairs of codes"
    )
    for factors in (two, THREE):
        counted = {"answer": "choice", "group": next(iter(factors))}
        yield Case("Counts of three categories (χ²)", "contingency", counted, factors, data="categories")
        chosen = {"a": "a", "b": "b", "choice": "choice", "side": "side"}
        for random in ("participant,item", "participant"):
            params = {**chosen, "random": random}
            yield Case(f"Worths of conditions, random={random}", "preference", params, factors, data="choices")
    formula = "choice ~ side + (1 + side || participant) + (1 + side || item)"
    model = {"formula": formula, "positive": "a", "contrasts": "sum", "tests": "f"}
    yield Case("Mixed logistic model of choices", "glmm", model, two, data="choices")


def others() -> Iterator[Case]:
    """Yield what is not suggested, on the data of the first case."""
    formula = mixed_formula("rating_log", tuple(TWO_BY_TWO))
    columns = {"formula": formula, "uncorrelated": BY_COLUMN}
    maximal = formula.replace("||", "|")
    bare = "rating_log ~ marker*order + (1 | participant) + (1 | item)"
    yield Case("`||` by column, treatment contrasts", "lmm", {**columns, "contrasts": "treatment"}, TWO_BY_TWO)
    yield Case("`||` by column, sum contrasts", "lmm", {**columns, "contrasts": "sum"}, TWO_BY_TWO)
    yield Case("all correlations (`|`)", "lmm", {"formula": maximal, "contrasts": AUTOMATIC}, TWO_BY_TWO)
    for how in (PARSIMONIOUS, KEEP_MAXIMAL):
        chosen = {"formula": maximal, "contrasts": AUTOMATIC, "reduce": how}
        yield Case(f"`reduce={how}`, beginning with all correlations (`|`)", "lmm", chosen, TWO_BY_TWO)
    yield Case("intercepts only", "lmm", {"formula": bare}, TWO_BY_TWO)
    by_code, by_rating = mixed_formula("code_0", tuple(TWO_BY_TWO)), mixed_formula("clarity", tuple(TWO_BY_TWO))
    yield Case("glmm with Wald tests", "glmm", {"formula": by_code, "where": "role=final"}, TWO_BY_TWO)
    for how in (PARSIMONIOUS, KEEP_MAXIMAL):
        chosen = {"formula": by_code.replace("||", "|"), "where": "role=final", "tests": "f", "reduce": how}
        yield Case(
            f"glmm with F tests, `reduce={how}`, beginning with all correlations (`|`)", "glmm", chosen, TWO_BY_TWO
        )
    rated = {"formula": by_rating, "nominal": "false"}
    yield Case("ordinal (Wald tests)", "ordinal", rated, TWO_BY_TWO)
    yield Case("ordinal with F tests", "ordinal", {**rated, "tests": "f"}, TWO_BY_TWO)
    for factors in (THREE, {"marker": FOUR_BY_TWO["marker"]}):
        by_term = mixed_formula("rating_log", tuple(factors))
        uneven = "people and items differ in one level only: "
        yield Case(uneven + "`||` as suggested", "lmm", {"formula": by_term}, factors, spherical=False)
        correlated = {"formula": by_term.replace("||", "|")}
        yield Case(uneven + "all correlations (`|`)", "lmm", correlated, factors, spherical=False)
