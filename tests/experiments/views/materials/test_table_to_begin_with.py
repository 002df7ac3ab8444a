"""The table that the page of the materials offers to begin with has the paradigm's columns and is understood."""

from __future__ import annotations

import csv
import io

import pytest
from django.urls import reverse

from experiments.models import Study
from experiments.paradigms import PARADIGMS

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("paradigm", [each.slug for each in PARADIGMS])
def test_every_paradigm_offers_its_columns_and_takes_them_back(django_user_model, client, paradigm):
    user = django_user_model.objects.create_user("ada", is_staff=True)
    study = Study.objects.create(  # type: ignore[misc]  # the paradigm is a property, which its task keeps
        slug="new", title="New", paradigm=paradigm, owner=user
    )
    client.force_login(user)
    assert reverse("study:template_of_materials", args=["new"]) in client.get("/admin/studies/new/materials/").text
    content = client.get(reverse("study:template_of_materials", args=[study.slug])).content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(content)))
    declared = [column.name for column in next(each for each in PARADIGMS if each.slug == paradigm).stimulus_columns]
    assert list(rows[0])[5:] == declared
    filled = content
    for number in range(4):
        filled = filled.replace("…", f"The {'kettle' * (number + 1)} boiled over.", 1)
    answer = client.post("/admin/studies/new/materials/check/", {"pasted": filled})
    faults = [str(fault) for fault in answer.context.get("faults") or []]
    assert not [fault for fault in faults if "column" in fault.lower()], faults
