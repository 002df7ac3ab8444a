"""Pages of versions: the list, the difference of any two, the files, and the way back after asking."""

import time
from dataclasses import replace

import pytest
from django.urls import reverse

from experiments.materials import design_of
from experiments.materials.shapes import Design, DesignCondition, DesignFactor, DesignItem, DesignStimulus
from experiments.materials.versions.written import written
from experiments.models import MaterialsContent, MaterialsVersion, Study
from experiments.study.lifecycle import open_study, save_design

pytestmark = pytest.mark.django_db


def page_of(client, study, name="materials_versions", *further, **query):
    return client.get(reverse(f"study:{name}", args=[study.slug, *further]), query)


@pytest.fixture
def changed(ready, design, researcher):
    """A study with two versions: a text of the first item changed, the last filler is gone, a new practice text."""
    first, *others = design.items
    texts = (replace(first.stimuli[0], text="Sentence 0 <b>because</b> ba."), *first.stimuli[1:])
    new = DesignItem("warm-up", (DesignStimulus("Warm up."),), is_practice=True)
    kept = [item for item in others if item.code != "filler1"]
    other = replace(design, items=(replace(first, stimuli=texts), *kept, new))
    save_design(ready, other, researcher, detail="new.csv", note="Shorter & better")
    return ready


def test_the_list_says_who_changed_what(changed, owner):
    page = page_of(owner, changed).content.decode()
    assert "1 text changed, 1 text added, 1 text removed" in page
    assert 'Table stored: <span class="break">new.csv</span>' in page
    assert "“Shorter &amp; better”" in page
    assert page.count("Go back</a>") == 1
    assert 'href="/admin/studies/causal/materials/versions/"' in page_of(owner, changed, "materials").content.decode()


def test_a_difference_marks_words_and_escapes_them(changed, owner):
    page = page_of(owner, changed, "materials_difference", before=1, after=2).content.decode()
    assert "&lt;b&gt;" in page
    assert "<b>because" not in page
    assert '<del><span class="sr-only">removed: </span>' in page
    for label in ("Changed (1)", "Added (1)", "Removed (1)"):
        assert label in page
    only = page_of(owner, changed, "materials_difference", before=1, after=2, change="removed").content.decode()
    assert "filler1" in only
    assert "warm-up" not in only
    none = page_of(owner, changed, "materials_difference", before=2, after=2).content.decode()
    assert "The two versions are the same." in none
    assert (
        "No text that differs"
        in page_of(owner, changed, "materials_difference", before=1, after=2, q="nowhere").content.decode()
    )


@pytest.mark.parametrize("query", [{}, {"before": 1}, {"before": "x", "after": 2}, {"before": 1, "after": 10**7}])
def test_versions_that_are_not_there_are_not_found(changed, owner, query):
    assert page_of(owner, changed, "materials_difference", **query).status_code == 404
    assert page_of(owner, changed, "materials_version_csv", 10**30).status_code == 404


def test_a_version_is_a_file_that_makes_the_same_materials(changed, owner):
    answer = page_of(owner, changed, "materials_version_csv", 1)
    assert answer["Content-Disposition"] == 'attachment; filename="causal-materials-version-1.csv"'
    assert "filler1,Filler 1." in answer.content.decode()
    assert (
        page_of(owner, changed, "materials_version_csv", 2).content
        == page_of(owner, changed, "download_materials").content
    )


def test_going_back_asks_first_and_removes_nothing(changed, owner):
    asked = page_of(owner, changed, "restore_materials", 1)
    assert "version 1 become the newest version, number 3" in asked.content.decode()
    assert "1 text changed, 1 text added, 1 text removed" in asked.content.decode()
    address = reverse("study:restore_materials", args=[changed.slug, 1])
    assert owner.post(address, {"current": 2}).status_code == 422
    owner.post(address, {"current": 1, "confirmed": "yes"})
    assert MaterialsVersion.objects.count() == 2
    owner.post(address, {"current": 2, "confirmed": "yes", "note": "Back"}, follow=True)
    assert list(MaterialsVersion.objects.order_by("number").values_list("number", "note")) == [
        (1, ""), (2, "Shorter & better"), (3, "Back"),
    ]  # fmt: skip
    assert "filler1" in [item.code for item in design_of(changed).items]


def test_an_opened_study_shows_versions_and_goes_back_to_none(changed, owner, researcher):
    open_study(changed, researcher)
    page = page_of(owner, changed).content.decode()
    assert "study opened" in page
    assert "Go back</a>" not in page
    assert page_of(owner, changed, "restore_materials", 1).status_code == 302
    owner.post(reverse("study:restore_materials", args=[changed.slug, 1]), {"current": 2, "confirmed": "yes"})
    assert MaterialsVersion.objects.count() == 2


def test_viewers_look_and_change_nothing(changed, client_of):
    viewer = client_of("viewer", changed)
    assert "Go back</a>" not in page_of(viewer, changed).content.decode()
    assert page_of(viewer, changed, "materials_difference", before=1, after=2).status_code == 200
    address = reverse("study:restore_materials", args=[changed.slug, 1])
    assert viewer.post(address, {"current": 2, "confirmed": "yes"}).status_code == 403


def test_thousands_of_items_are_compared_at_once(ready, owner):
    """Two versions of 5,000 items × 2 texts, in all of which a word differs: the page of the difference is quick."""
    part = Study.objects.get(pk=ready.pk).task
    for number in (2, 3):
        items = tuple(
            DesignItem(
                f"item{place}",
                tuple(
                    DesignStimulus(f"Sentence {place} has some words, among them {number}.", which, {"q": "Why?"})
                    for which in (0, 1)
                ),
                attributes={"genre": "news"},
            )
            for place in range(5_000)
        )
        conditions = tuple(DesignCondition(place, {"order": level}) for place, level in enumerate(("ab", "ba")))
        design = Design((DesignFactor("order", ("ab", "ba")),), conditions, items, ())
        one = written(design)
        content = MaterialsContent.objects.create(part=part, digest=one.digest, packed=one.packed, size=len(one.packed))
        MaterialsVersion.objects.create(
            part=part, number=number, content=content, kind="stored", n_items=5_000, n_texts=10_000, paradigm="rating"
        )
    began = time.process_time()
    page = page_of(owner, ready, "materials_difference", before=2, after=3, page=7).content.decode()
    # Under half a second on an idle machine; the bound leaves room for a busy one.
    assert time.process_time() - began < 2
    assert "10000 texts changed" in page or "10,000 texts changed" in page
    assert page.count("<ins>") == 25
