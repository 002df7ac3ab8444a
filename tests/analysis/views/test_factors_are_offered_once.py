"""Forms know which factors are within and which between, and attributes of the materials are suggested."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from analysis.methods.registry import method_named
from analysis.models import AnalysisRun
from analysis.studies.asking import request_run
from analysis.studies.attributes import attributes_of, with_attribute
from analysis.studies.power_of_design import parameters_of
from analysis.views.asking import question_of_suggestion, suggestions
from analysis.views.forms import AnalysisForm
from experiments.models import Item, Stimulus, Study
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study
from tests.analysis.views.test_analysis_pages import logged_in, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    made = make_study(owner=person("owner"))
    add_participants(made, 8)
    return made


def offered(study: Study, method: str, name: str, unit: str = "participant") -> set[str]:
    """Return the columns that a field shows."""
    form = AnalysisForm(initial={"unit": unit}, method=method_named(method), study=study)
    boxes = re.findall(r"<input[^>]*>", str(form[name]))
    return {re.findall(r'value="([^"]*)"', box)[0] for box in boxes if "data-away" not in box}


@pytest.mark.parametrize(("unit", "within"), [("participant", {"marker", "order", "genre"}), ("item", None)])
@pytest.mark.parametrize("method", ["rm-anova", "equivalence", "bayes-factor"])
def test_no_factor_is_offered_both_within_and_between(study, method, unit, within):
    of_fields = [offered(study, method, name, unit) for name in ("within", "between")]
    assert of_fields[0].isdisjoint(of_fields[1])
    assert {"marker", "order"} <= of_fields[0]
    assert "condition" not in of_fields[0] | of_fields[1]
    if within is not None:
        assert of_fields[0] == within
        assert "native_language" in of_fields[1]
    else:
        assert "genre" in of_fields[1]
        assert "native_language" in of_fields[0]


def test_min_f_asks_for_each_kind_apart(study):
    fields = [offered(study, "min-f", name) for name in ("within", "between_participants", "between_items")]
    assert fields[0] == {"marker", "order"}
    assert fields[2] == {"genre"}
    assert "native_language" in fields[1]
    assert sum(map(len, fields)) == len(set().union(*fields))


def test_columns_are_named_in_words_and_by_kind_and_their_names_are_folded_away(client, study):
    logged_in(client, study.owner)
    page = client.get(reverse("analysis:new", args=[study.slug, "rm-anova"])).text
    assert '<option value="rating_z">Rating (z-score)</option>' in page
    assert '<optgroup label="Covariates">' in page
    assert re.search(r"<summary>Columns and their names in formulas</summary>.*<code>rating_z</code>", page, re.DOTALL)


def test_what_was_chosen_elsewhere_stays_offered(study):
    form = AnalysisForm(initial={"between": ["marker"]}, method=method_named("rm-anova"), study=study)
    (box,) = (box for box in re.findall(r"<input[^>]*>", str(form["between"])) if 'value="marker"' in box)
    assert "data-away" not in box


def test_an_attribute_of_items_is_suggested_with_a_slope_by_participant_and_none_by_item(study):
    (one,) = (one for one in suggestions(study) if one.with_attribute)
    assert question_of_suggestion(study, one) == (
        "Does the log rating depend on marker, order and genre? Linear mixed model"
    )
    assert one.params["formula"] == (
        "rating_log ~ marker*order + genre + (1 + marker*order + genre || participant) + (1 + marker*order || item)"
    )
    run = request_run(study, method=one.method, params=one.params, user=study.owner)
    execute(run.pk)
    assert AnalysisRun.objects.get().status == "done"


def test_an_attribute_of_texts_is_suggested_too_and_one_that_a_condition_determines_is_not(study):
    Item.objects.update(attributes={})
    for number, text in enumerate(Stimulus.objects.filter(condition__isnull=False).select_related("condition")):
        text.attributes = {"length": 10 + number % 7, "by": text.condition.levels["marker"]}
        text.save(update_fields=["attributes"])
    assert [one.column for one in attributes_of(study)] == ["length"]
    (one,) = (one for one in suggestions(study) if one.with_attribute)
    assert "+ length +" in one.params["formula"]


def test_ids_and_what_arranges_a_session_are_no_attributes_to_compare(study):
    for number, item in enumerate(Item.objects.all()):
        item.attributes = {"source": f"text {number}", "block": "ab"[number % 2]}
        item.save(update_fields=["attributes"])
    assert attributes_of(study) == []


def test_power_takes_an_attribute_as_a_factor_between_items(client, study):
    given = parameters_of(study, attribute="genre")
    assert given["design"] == "marker=2; order=2; genre=news,science"
    assert given["between_items"] == "genre"
    logged_in(client, study.owner)
    address = reverse("analysis:new", args=[study.slug, "power"])
    page = client.get(f"{address}?from=design")
    assert "with=genre" in page.text
    assert [field.name for field in page.context["form"].main_fields()] == [
        "design", "effect", "sds", "n_participants", "n_items",
    ]  # fmt: skip
    form = client.get(f"{address}?from=design&with=genre").context["form"]
    begun = {field.name: field.value() for field in form if field.value() not in (None, False)}
    stated = {"effect": "genre=0.4", "sds": "participant=0.3; item=0.2; residual=0.5", "simulations": "20"}
    answer = client.post(address, {**begun, **stated, "n_participants": "8,16"})
    assert answer.status_code == 302, answer.context["form"].errors
    run = AnalysisRun.objects.get()
    execute(run.pk)
    run.refresh_from_db()
    assert (run.status, run.error) == ("done", "")


def test_a_formula_without_random_effects_gets_the_attribute_alone():
    assert with_attribute("z ~ a", "genre") == "z ~ a + genre"
