"""Settings that are seldom changed stand in folds on the page Procedure, and are saved with the others."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from experiments.models import Study
from experiments.paradigms import PARADIGMS
from experiments.paradigms.base import Paradigm
from experiments.rules.procedure import DEFAULT_PROCEDURE
from experiments.study_files.examples import example_studies
from experiments.study_files.toml import create_from_toml
from experiments.views.folds import section

NAMES = ("forward_mask_ms", "prime_ms", "iti_ms", "signal")


@pytest.fixture
def study(db: None) -> Study:
    user = get_user_model().objects.create_superuser("ada", "ada@example.org", "secret-for-tests")
    path = next(example.path for example in example_studies() if example.slug == "masked-priming")
    return create_from_toml(path, user=user, owner=user)


@pytest.fixture
def client(study: Study) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.get(username="ada"))
    return client


def address(study: Study) -> str:
    return reverse("study:procedure", args=[study.slug])


def folds(page: str) -> list[str]:
    return re.findall(r'(?s)<details class="fold".*?</details>', page)


def filled(study: Study, **changes: Any) -> dict[str, Any]:
    given = {**DEFAULT_PROCEDURE, **study.procedure, **study.settings, **changes, "action": "save"}
    return {name: value for name, value in given.items() if value is not False and value is not None}


def test_what_is_usual_stands_above_the_folds(study: Study, client: Client) -> None:
    page = client.get(address(study)).content.decode()
    masks, feedback, further = folds(page)[:3]
    assert 'name="prime_ms"' in masks
    assert 'name="iti_ms"' in feedback
    assert 'name="signal"' in further
    above = page.split('<details class="fold"')[0]
    assert 'name="answers"' in above
    assert 'name="prime_ms"' not in above
    assert page.count('name="prime_ms"') == 1


def test_settings_in_folds_are_saved(study: Study, client: Client) -> None:
    answer = client.post(address(study), filled(study, prime_ms="33", answers="nonword | k\r\nword | d"))
    assert answer.status_code == 302, answer.content.decode()[:3000]
    study.refresh_from_db()
    assert study.settings["prime_ms"] == 33
    assert study.settings["answers"] == "nonword | k\nword | d"


def test_a_fold_with_something_to_correct_is_open(study: Study, client: Client) -> None:
    answer = client.post(address(study), filled(study, signal="noise"))
    assert answer.status_code == 422
    further = folds(answer.content.decode())[2]
    assert further.startswith('<details class="fold" open')
    assert "not one of the answers" in further


def test_what_is_not_as_by_default_is_open_and_the_rest_says_in_a_line_what_is_set(
    study: Study, client: Client
) -> None:
    masks, feedback, further = folds(client.get(address(study)).content.decode())[:3]
    assert study.settings["prime_ms"] == 50
    assert masks.startswith('<details class="fold" open')
    study.settings = {}
    study.save()
    masks, feedback, further = folds(client.get(address(study)).content.decode())[:3]
    assert not any(fold.startswith('<details class="fold" open') for fold in (masks, feedback, further))
    (line,) = re.findall(r'(?s)<span class="fold-says">(.*?)</span>', masks)
    assert "Forward mask: # · Forward mask in milliseconds: 0 · Prime: none · Prime in milliseconds: 0" in line


# As many settings one sees at once.
FEW = 3


@pytest.mark.parametrize("paradigm", PARADIGMS, ids=lambda paradigm: paradigm.slug)
def test_every_paradigm_folds_fields_that_it_has_and_shows_some(paradigm: Paradigm) -> None:
    form = paradigm.settings_form()
    made = section("", form, list(form.fields))
    assert made.fields
    assert made.folds or len(form.fields) <= FEW, "many settings at once are more than one can see"
    names = [field.name for group in (made.fields, *(fold.fields for fold in made.folds)) for field in group]
    assert sorted(names) == sorted(form.fields), "each stands once"
    assert not any(fold.is_open for fold in made.folds), "nothing differs from the defaults"
