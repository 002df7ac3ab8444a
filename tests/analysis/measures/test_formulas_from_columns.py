"""The formula of a mixed model is put together from columns, and read back into what was chosen."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.http import QueryDict
from django.urls import reverse

from analysis.methods.mixed.design.formula import parse
from analysis.methods.registry import method_named
from analysis.views.builder import INTERACTIONS, Built, built_by, built_from, factors_of, slopes_of
from analysis.views.forms import AnalysisForm
from tests.analysis.studies import add_participants, make_study
from tests.analysis.views.test_analysis_pages import logged_in, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    made = make_study(owner=person("owner"))
    add_participants(made, 4)
    return made


def offer_of(study, method="lmm"):
    return AnalysisForm(method=method_named(method), study=study).offer


CHOSEN = [
    Built("rating_z", False, ("marker", "order"), (), "all", {"participant": ("marker", "order"), "item": ("marker",)}),
    Built("rating_z", False, ("marker", "order"), (), "none", {"participant": ("marker", "order"), "item": ()}),
    Built("rt_ms", True, ("marker",), ("position",), "all", {"participant": ("marker",)}, True),
    Built("rt_ms", True, (), ("position",), "all", {"item": ()}),
    Built("rating_z", False, ("marker", "order", "genre"), (), "pairs", {"participant": ("marker", "order", "genre")}),
]


@pytest.mark.parametrize("built", CHOSEN, ids=lambda built: built.formula)
def test_what_is_chosen_becomes_text_and_text_becomes_what_was_chosen(study, built):
    found = built_from(built.formula, offer_of(study))
    assert found is not None
    assert found.formula == built.formula
    assert (found.factors, found.covariates, found.random) == (built.factors, built.covariates, built.random)


@pytest.mark.parametrize(
    "text",
    [
        "rating_z ~ marker:order + (1 | participant)",
        "rating_z ~ 0 + marker + (1 | participant)",
        "rating_z ~ marker + scale(position) + (1 | participant)",
        "rating_z ~ marker + (0 + marker | participant)",
        "rating_z ~ marker + (1 | participant:item)",
        "rating_z ~ marker + (1 | marker)",
        "marker ~ order + (1 | participant)",
        "rating_z ~ marker + (1 + order || participant) + (1 + marker | item)",
        "rating_z ~ ~ marker",
    ],
)
def test_what_cannot_be_chosen_is_left_as_it_is(study, text):
    assert built_from(text, offer_of(study)) is None


def test_another_order_of_terms_is_the_same_model(study):
    found = built_from("rating_z ~ order + marker + marker:order + (1 | item)", offer_of(study))
    assert found is not None
    assert found.interactions == "all"


def test_no_column_is_offered_twice_and_slopes_only_where_a_factor_varies(study):
    builder = AnalysisForm(method=method_named("lmm"), study=study).builder
    assert builder is not None
    fixed = [one.name for one in (*builder.measures(), *builder.factors(), *builder.covariates())]
    assert len(fixed) == len(set(fixed))
    assert "condition" not in fixed
    offer = builder.offer
    assert "native_language" in factors_of(offer)
    assert "native_language" not in slopes_of(offer, "participant")
    assert "native_language" in slopes_of(offer, "item")
    assert "genre" in slopes_of(offer, "participant")
    assert "genre" not in slopes_of(offer, "item")
    # Before there is a text, the factors of the design are chosen, with all slopes that they can have.
    assert builder.built.factors == ("marker", "order")
    assert builder.built.random == {"participant": ("marker", "order"), "item": ("marker", "order")}


def test_slopes_of_what_is_no_fixed_effect_and_names_from_outside_are_left_out(study):
    given = QueryDict(mutable=True)
    given["build_measure"] = "rating_z"
    given["build_interactions"] = "nonsense"
    given.setlist("build_factors", ["marker", "drop table"])
    given.setlist("build_units", ["participant", "password"])
    given.setlist("build_slopes_participant", ["marker", "order"])
    assert built_by(given, offer_of(study)).formula == "rating_z ~ marker + (1 + marker || participant)"
    given.setlist("build_covariates", ["position", "drop table"])
    assert built_by(given, offer_of(study)).formula == "rating_z ~ marker + position + (1 + marker || participant)"
    given["build_measure"] = "drop table"
    assert built_by(given, offer_of(study)).formula == ""
    assert INTERACTIONS[0] == "all"


@pytest.mark.parametrize("method", ["lmm", "glmm", "ordinal"])
@pytest.mark.parametrize("page", ["analysis:new", "analysis:plan_new"])
def test_the_page_writes_the_formula_and_runs_nothing(client, study, method, page):
    logged_in(client, study.owner)
    address = reverse(page, args=[study.slug, method])
    assert "Put the model together" in client.get(address).text
    given = {
        "build": "1", "build_measure": "rating_z", "build_factors": ["marker", "order"], "build_units": ["participant"],
        "build_slopes_participant": ["order"], "formula": "what stood there before",
    }  # fmt: skip
    answer = client.post(address, given)
    assert answer.status_code == 200
    written = re.search(r'name="formula"[^>]*value="([^"]*)"|value="([^"]*)"[^>]*name="formula"', answer.text)
    assert written
    text = unescape(written[1] or written[2])
    assert text == "rating_z ~ marker*order + (1 + order || participant)"
    assert parse(text).response.column == "rating_z"
    assert not study.analysis_runs.exists()
