"""The page of regions proposes cuts, takes what somebody corrects, and says what to install where nothing proposes."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from experiments.materials import design_from, materials_csv, read_table, segmentation
from experiments.materials.segmentation import CHINESE, EXTRA, LIBRARIES, Library
from experiments.materials.store import design_of
from experiments.models import Stimulus
from experiments.paradigms import paradigm_named
from experiments.study.lifecycle import create_study, save_design
from experiments.study.opening import opening_faults
from experiments.views.materials import regions

pytestmark = pytest.mark.django_db
TEXTS = ["面包师看见了客人。", "客人被面包师看见了。", "护士认识职员。", "职员被护士认识。"]
NEEDED = "without spaces between words"


@pytest.fixture
def study(researcher):
    study = create_study(
        slug="zh", title="Chinese", paradigm="self-paced-reading", language="zh", user=researcher, owner=researcher
    )
    rows = "".join(f"{number // 2},{'ab'[number % 2]},{text}\n" for number, text in enumerate(TEXTS))
    table = read_table(f"item,condition,text\n{rows}".encode())
    save_design(study, design_from(table, paradigm_named(study.paradigm)), researcher)
    return study


@pytest.fixture
def library(monkeypatch):
    """Let another library cut Chinese texts, after every second character, in this process."""

    def install(package: str) -> None:
        one = LIBRARIES[CHINESE]
        fake = Library(one.language, one.name, package, one.unit, lambda: lambda text: re.findall("..?", text))
        monkeypatch.setitem(segmentation.LIBRARIES, CHINESE, fake)
        monkeypatch.setattr(regions, "read_in_child", lambda _name, *given: segmentation.proposed_cuts(*given))

    return install


def stored(study):
    return [one.extra.get("regions", "") for one in Stimulus.objects.filter(item__part__study=study).order_by("pk")]


def fields_of(response):
    return {row.name: row.cut for row in response.context["rows"]} | {"shown": response.context["shown"]}


def test_what_is_proposed_is_stored_when_somebody_has_looked_at_it(owner, study, library):
    library("json")
    address = reverse("study:regions", args=["zh"])
    assert address in owner.get(reverse("study:materials", args=["zh"])).text
    assert any(NEEDED in str(fault) for fault in opening_faults(study))
    page = owner.get(address)
    fields = fields_of(page)
    assert [row.cut for row in page.context["rows"]][2] == "护士 | 认识 | 职员。"
    assert stored(study) == [""] * 4, "looking stores nothing"
    corrected = next(name for name in fields if name.startswith("cut-"))
    done = owner.post(address, {**fields, corrected: "面包师|看见了 | 客人。"})
    assert done.status_code == 302
    assert stored(study)[0] == "面包师|看见了 | 客人。"
    assert stored(study)[2] == "护士 | 认识 | 职员。"
    assert not any(NEEDED in str(fault) for fault in opening_faults(study))
    again = owner.get(address)
    assert not any(row.is_proposed for row in again.context["rows"])
    assert "面包师|看见了 | 客人。" in materials_csv(design_of(study)), "the study file says what people saw"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("面包师 | 看见 | 客人。", "the same text"),
        ("面包师看见了客人 | 。", "has no word"),
        ("面包师 | 看见了客人。面包师", "the same text"),
    ],
)
def test_what_is_not_the_text_is_refused_and_kept_in_its_field(owner, study, library, typed, said):
    library("json")
    address = reverse("study:regions", args=["zh"])
    fields = fields_of(owner.get(address))
    first = next(name for name in fields if name.startswith("cut-"))
    refused = owner.post(address, {**fields, first: typed})
    assert refused.status_code == 422
    assert said in refused.text
    assert typed in refused.text
    assert stored(study) == [""] * 4


def test_whoever_comes_second_overwrites_nothing(owner, study, library):
    library("json")
    address = reverse("study:regions", args=["zh"])
    fields = fields_of(owner.get(address))
    assert owner.post(address, fields).status_code == 302
    first = next(name for name in fields if name.startswith("cut-"))
    late = owner.post(address, {**fields, first: "面包师看见了 | 客人。"})
    assert late.status_code == 409
    assert stored(study)[0] != "面包师看见了 | 客人。"


def test_without_a_library_the_page_asks_and_names_what_to_install(owner, study, library):
    library("no_such_package")
    page = owner.get(reverse("study:regions", args=["zh"]))
    assert EXTRA in page.text
    assert [row.cut for row in page.context["rows"]] == [""] * 4
    assert owner.post(reverse("study:regions", args=["zh"]), fields_of(page)).status_code == 302
    assert stored(study) == [""] * 4


def test_a_study_whose_texts_have_spaces_has_no_such_button(owner, study):
    Stimulus.objects.filter(item__part__study=study).update(text="He left early.")
    assert reverse("study:regions", args=["zh"]) not in owner.get(reverse("study:materials", args=["zh"])).text
    assert "No text needs regions" in owner.get(reverse("study:regions", args=["zh"])).text


def test_many_texts_are_shown_page_by_page(owner, study, library, monkeypatch):
    library("json")
    monkeypatch.setattr(regions, "AT_ONCE", 3)
    address = reverse("study:regions", args=["zh"])
    done = owner.post(address, fields_of(owner.get(address)))
    assert done["Location"].endswith("?page=2")
    assert [bool(cut) for cut in stored(study)] == [True, True, True, False]
