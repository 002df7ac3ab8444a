"""Texts side by side, of which everybody sees one: the pages say that there is nothing to compare."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse

from experiments.procedure.arranging import complete_procedure
from experiments.study.lifecycle import save_details, save_procedure
from experiments.study.opening import opening_warnings
from experiments.study_files.description import store_description
from experiments.study_files.toml import read_toml

pytestmark = pytest.mark.both

EXAMPLE = Path(__file__).resolve().parents[4] / "experiments" / "examples" / "system-ratings" / "study.toml"
NOTHING = "there is nothing to compare"


@pytest.fixture
def study(researcher):
    study = store_description(read_toml(EXAMPLE), user=researcher, owner=researcher, origin="example")
    return save_procedure(study, complete_procedure({"conditions": "one"}), researcher)


def show(study, presentation, researcher):
    save_details(study, {"settings": {**study.settings, "presentation": presentation}}, researcher)
    study.refresh_from_db()
    return [str(warning) for warning in opening_warnings(study) if NOTHING in str(warning)]


def test_side_by_side_with_one_condition_each_is_worth_knowing(study, researcher):
    assert len(show(study, "side-by-side", researcher)) == 1
    assert show(study, "one", researcher) == []


def test_side_by_side_with_every_condition_is_as_it_should_be(study, researcher):
    save_procedure(study, complete_procedure({"conditions": "all"}), researcher)
    study.refresh_from_db()
    assert show(study, "side-by-side", researcher) == []


def test_both_pages_say_it(client, study, researcher):
    show(study, "side-by-side", researcher)
    client.force_login(researcher)
    for page in ("procedure", "open"):
        assert NOTHING in client.get(reverse(f"study:{page}", args=[study.slug])).text


def test_a_single_condition_leaves_nothing_to_warn_of(study, researcher):
    study.conditions.exclude(position=0).delete()
    assert show(study, "side-by-side", researcher) == []
