"""What is suggested for designs that are no full factorial: by experiment, and what can be estimated."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from analysis.papers.design import materials_blocks
from analysis.studies.design import experiments_of_task
from analysis.studies.power_of_design import parameters_of
from analysis.views.asking import means_do_not_apply, suggestions
from experiments.formats.csvtext import csv_text
from experiments.materials import design_from, read_table, store_design
from experiments.models import Study
from experiments.paradigms import paradigm_named
from tests.analysis.recalls import user_named

pytestmark = pytest.mark.django_db


def study_of(
    header: tuple[str, ...], rows: list[tuple[Any, ...]], paradigm: str = "magnitude-estimation", **options: Any
) -> Study:
    study = Study.objects.create(  # type: ignore[misc]  # the paradigm is a property, which its task keeps
        slug="designs", title="Designs", paradigm=paradigm, owner=user_named("owner")
    )
    table = read_table(csv_text(header, rows).encode())
    store_design(study, design_from(table, paradigm_named(paradigm), **options))
    study.refresh_from_db()
    return study


def two_experiments() -> Study:
    rows = [(f"r{n}", "rel", level, "", f"{n} {level}") for n in range(4) for level in ("s", "o")]
    rows += [(f"a{n}", "agr", "", level, f"{n} {level}") for n in range(4) for level in ("pl", "sg")]
    return study_of(("item", "item_set", "extraction", "number", "text"), rows)


def test_each_experiment_has_its_own_analyses() -> None:
    study = two_experiments()
    asked = [each for each in suggestions(study) if each.method == "lmm"]
    assert [(each.title.split(":")[0], each.params["where"]) for each in asked] == [
        ("rel", "item_set='rel'"),
        ("agr", "item_set='agr'"),
    ]
    assert "~ extraction +" in asked[0].params["formula"]
    assert "~ number +" in asked[1].params["formula"]
    f2 = [each for each in suggestions(study) if each.params.get("unit") == "item" and each.method == "rm-anova"]
    assert [each.params["within"] for each in f2] == ["extraction", "number"]
    assert not means_do_not_apply(study)


def test_an_analysis_that_is_about_no_factor_is_offered_once() -> None:
    titles = [each.title for each in suggestions(two_experiments())]
    assert len(titles) == len(set(titles))


def test_pairs_of_conditions_have_mixed_models_alone() -> None:
    cells = list(product(("x", "y"), ("u", "v")))
    chosen = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)]
    rows = [(f"i{n}", *cells[c], f"{n} {c}") for n in range(12) for c in chosen[n % 6]]
    study = study_of(("item", "a", "b", "text"), rows)
    offered = suggestions(study)
    assert {"rm-anova", "min-f", "tukey", "friedman"}.isdisjoint(each.method for each in offered)
    (model,) = [each for each in offered if each.method == "lmm"]
    assert model.params["formula"].split(" ~ ")[1] == "a*b + (1 + a*b || participant) + (1 + a + b || item)"
    assert means_do_not_apply(study)
    said = " ".join(getattr(block, "text", "") for block in materials_blocks(study))
    assert "every item had 2 of the 4 conditions (efficiency factor 0.667" in said
    assert "Latin square" not in said


def test_a_cell_that_no_item_has_leaves_effects_that_can_be_estimated() -> None:
    cells = [("x", "u"), ("x", "v"), ("y", "u")]
    rows = [(f"i{n}", a, b, f"{n} {a} {b}") for n in range(6) for a, b in cells]
    study = study_of(("item", "a", "b", "text"), rows)
    (model,) = [each for each in suggestions(study) if each.method == "lmm"]
    assert " ~ a + b + (1 + a + b || participant) + (1 + a + b || item)" in model.params["formula"]


def test_a_factor_between_items_is_between_in_f2() -> None:
    rows = [(f"i{n}", "lr"[n % 2], level, f"{n} {level}") for n in range(8) for level in ("u", "v")]
    study = study_of(("item", "side", "b", "text"), rows, factors=["side", "b"])
    (experiment,) = experiments_of_task(study)
    assert not experiment.design.is_incomplete
    assert experiment.design.between_items == {"side"}
    f2 = [each.params for each in suggestions(study) if each.params.get("unit") == "item" and each.method == "rm-anova"]
    assert [(each["within"], each["between"]) for each in f2] == [("b", "side")]
    assert parameters_of(study)["between_items"] == "side"


@pytest.mark.parametrize("paradigm", ["self-paced-reading", "maze"])
def test_lengths_that_are_the_same_everywhere_are_no_covariate(paradigm: str) -> None:
    header = ("item", "clause", "critical_region", "text", "distractors")
    texts = {"subject": "The {0} that saw it {1} home.", "object": "The {0} that it saw {1} home."}

    def rows(verbs: tuple[str, ...]) -> list[tuple[Any, ...]]:
        return [
            (animal, clause, 6, text.format(animal, verb), "x-x-x a b c d e f" if paradigm == "maze" else "")
            for animal, verb in zip(("badger", "otter"), verbs, strict=True)
            for clause, text in texts.items()
        ]

    def formulas(study: Study) -> dict[str, str]:
        asked = [one for one in suggestions(study) if one.method == "lmm"]
        return {str(one.params.get("where", "whole")).partition(" and ")[0]: one.params["formula"] for one in asked}

    study = study_of(header, rows(("went", "came")), paradigm)
    same = formulas(study)
    assert " + characters" not in same["from_critical = 0"]
    assert " + characters" not in same["from_critical = 1"]
    assert " + words" not in same.get("whole", "")
    study.delete()
    other = formulas(study_of(header, rows(("went", "wandered")), paradigm))
    assert " + characters" in other["from_critical = 0"]
    assert " + characters" not in other["from_critical = 1"]
