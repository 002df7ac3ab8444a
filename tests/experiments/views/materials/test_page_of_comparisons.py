"""What researchers see of a comparison study: which conditions meet in which list, and how efficient that is."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from analysis.papers.design import together_sentence
from experiments.materials.lists import shown_together
from experiments.study.lifecycle import save_details
from experiments.study_files import create_from_toml

EXAMPLE = Path(settings.BASE_DIR) / "experiments" / "examples" / "simplified-sentences" / "study.toml"


@pytest.fixture
def study(researcher):
    return create_from_toml(EXAMPLE, user=researcher, owner=researcher)


def page_of(owner, study, name="design"):
    answer = owner.get(reverse(f"study:{name}", args=[study.slug]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_page_of_the_design_says_pairs_lists_and_efficiency(owner, study):
    page = page_of(owner, study)
    assert "3 pairs of 3 conditions." in page
    assert "Efficiency factor 0.750" in page
    assert "Over all 6 lists, every item appears equally often in each of them at each place." in page
    assert '<th scope="row" title="bridge">bridge</th><td class="nowrap">AB</td><td class="nowrap">BC</td>' in page
    assert "nothing rotates" not in page


def test_an_adaptive_study_says_when_its_pairs_are_chosen(owner, study, researcher):
    changed = save_details(study, {"settings": {**study.settings, "design": "adaptive"}}, researcher)
    page = page_of(owner, changed)
    assert "Adaptive: when a session begins, the platform chooses the pairs" in page


@pytest.mark.parametrize("name", ["materials", "procedure", "preview", "open"])
def test_the_other_pages_of_the_study_can_be_read(owner, study, name):
    page_of(owner, study, name)


def test_a_table_with_one_text_for_each_item_is_refused_on_the_page_of_materials(owner, study):
    address = reverse("study:check_materials", args=[study.slug])
    answer = owner.post(address, {"pasted": "item,text\none,First text.\ntwo,Second text.\n"})
    assert answer.status_code == 422
    assert "Every item has only one text, so there is nothing to compare it with." in answer.content.decode()


def test_a_practice_text_without_a_rival_is_refused_by_name(owner, study):
    table = "item,text,system,is_practice\none,A.,x,false\none,B.,y,false\ntry,C.,,true\n"
    answer = owner.post(reverse("study:check_materials", args=[study.slug]), {"pasted": table})
    assert answer.status_code == 422
    assert "Item try has no text to compare with" in answer.content.decode()


def test_a_manuscript_says_what_was_compared(study):
    together = shown_together(study)
    assert together is not None
    said = together_sentence(together)
    assert "2 were compared at a time: every participant compared every item once, 6 lists sharing all 3 pairs" in said
