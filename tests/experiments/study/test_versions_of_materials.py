"""Every change of materials is kept as a version, within bounds, and can be gone back to while the study is a draft."""

from dataclasses import replace

import pytest

from experiments.materials import design_from, design_of, materials_csv, store_design
from experiments.materials.versions.written import written
from experiments.models import MaterialsContent, MaterialsVersion, Study
from experiments.study.lifecycle import (
    FrozenStudy,
    LifecycleRefusal,
    copy_study,
    delete_draft,
    open_study,
    save_column,
    save_design,
    save_details,
)
from experiments.study.parts import copy_part, remove_part
from experiments.study.versions import kept
from experiments.study.versions.going_back import go_back, version_numbered
from experiments.study.versions.kept import design_of_version, versions_of

pytestmark = pytest.mark.both


def with_text(design, text, item=0):
    """Return the design with another first text of an item."""
    one = design.items[item]
    other = replace(one, stimuli=(replace(one.stimuli[0], text=text), *one.stimuli[1:]))
    return replace(design, items=(*design.items[:item], other, *design.items[item + 1 :]))


def kinds(study):
    return list(versions_of(study).order_by("number").values_list("kind", flat=True))


def test_every_change_is_a_version_and_the_same_is_none(ready, design, researcher):
    save_design(ready, design, researcher)
    save_design(ready, with_text(design, "Another."), researcher, detail="second.csv", note="  One\n sentence ")
    stimulus = ready.items.first().stimuli.first()
    save_column(ready, "question", {stimulus.pk: "Why?"}, researcher)
    assert kinds(ready) == ["stored", "stored", "column"]
    second = version_numbered(ready, 2)
    assert (second.detail, second.note, second.created_by) == ("second.csv", "One sentence", researcher)
    assert (second.change["changed"], second.change["added"], second.change["columns"]) == (1, 0, {"text": 1})
    assert version_numbered(ready, 3).change["columns"] == {"question": 1}
    for version in versions_of(ready)[:1]:
        assert design_of_version(version) == replace(design_of(ready), lists=())


def test_what_is_written_is_what_reading_gives(ready, design):
    """The version is made of the design that was stored, without reading it again."""
    stored = design_of(Study.objects.get(pk=ready.pk))
    assert versions_of(ready).select_related("content").get().content.digest == written(stored).digest


def test_going_back_is_a_new_version_with_the_same_content_stored_once(ready, design, researcher):
    first = materials_csv(design_of(ready))
    save_design(ready, with_text(design, "Another."), researcher)
    made = go_back(ready, 1, researcher, note="Better before")
    assert (made.number, made.kind, made.detail, made.note) == (3, "back", "1", "Better before")
    assert materials_csv(design_of(Study.objects.get(pk=ready.pk))) == first
    assert MaterialsContent.objects.filter(part=ready.task).count() == 2
    assert ready.lists.count() == 4
    assert ready.audit_entries.first().action == "materials restored"
    with pytest.raises(LifecycleRefusal, match="already those of version 1"):
        go_back(ready, 1, researcher)
    with pytest.raises(LookupError):
        go_back(ready, 9, researcher)
    assert versions_of(ready).count() == 3


def test_the_mapping_goes_back_too(ready, design, researcher):
    save_design(ready, replace(design, reading={"columns": {"Satz": "text"}}), researcher)
    assert kinds(ready) == ["stored", "stored"]
    assert version_numbered(ready, 2).change["mapping"] == 1
    go_back(ready, 1, researcher)
    assert Study.objects.get(pk=ready.pk).task.reading == {}


def test_other_paradigms_read_earlier_materials_again_or_refuse_them(ready, design, researcher):
    save_design(ready, with_text(design, "Another."), researcher)
    save_details(ready, {"paradigm": "rating", "settings": {}}, researcher)
    study = Study.objects.get(pk=ready.pk)
    assert go_back(study, 1, researcher).paradigm == "rating"
    save_details(study, {"paradigm": "comparison", "settings": {}}, researcher)
    study = Study.objects.get(pk=ready.pk)
    with pytest.raises(LifecycleRefusal):
        go_back(study, 2, researcher)
    assert versions_of(study).count() == 3


def test_an_opened_study_keeps_the_version_with_which_it_opened(ready, design, researcher, monkeypatch):
    save_design(ready, with_text(design, "Another."), researcher)
    open_study(ready, researcher)
    assert [bool(one.opened_at) for one in versions_of(ready).order_by("number")] == [False, True]
    with pytest.raises(FrozenStudy):
        go_back(ready, 1, researcher)
    MaterialsVersion.objects.filter(part=ready.task, number=1).update(opened_at="2026-01-01T00:00Z")
    monkeypatch.setattr(kept, "MOST_VERSIONS", 1)
    kept._prune(ready.task)
    assert versions_of(ready).count() == 2


def test_old_versions_give_way_those_with_a_note_last(ready, design, researcher, monkeypatch):
    monkeypatch.setattr(kept, "MOST_VERSIONS", 3)
    for number in range(2, 6):
        save_design(ready, with_text(design, f"Number {number}."), researcher, note="Keep" if number == 2 else "")
    assert list(versions_of(ready).order_by("number").values_list("number", flat=True)) == [2, 4, 5]
    assert MaterialsContent.objects.filter(part=ready.task).count() == 3
    monkeypatch.setattr(kept, "MOST_BYTES", 1)
    save_design(ready, with_text(design, "Number 6."), researcher)
    assert list(versions_of(ready).values_list("number", flat=True)) == [6]


def test_materials_of_earlier_releases_are_kept_before_they_change(draft, design, researcher):
    store_design(draft, design)
    assert kinds(draft) == []
    save_design(draft, with_text(design, "Another."), researcher)
    assert kinds(draft) == ["found", "stored"]
    assert version_numbered(draft, 1).created_by is None


def test_copies_begin_with_the_current_version(ready, design, researcher):
    save_design(ready, with_text(design, "Another."), researcher)
    copy = copy_study(ready, "causal-2", researcher)
    assert kinds(copy) == ["copied"]
    assert version_numbered(copy, 1).content.digest == version_numbered(ready, 2).content.digest
    part = copy_part(copy, ready.task, "second", researcher)
    assert [one.kind for one in versions_of(part)] == ["copied"]
    remove_part(copy, "second", researcher)
    delete_draft(copy, researcher)
    assert set(MaterialsVersion.objects.values_list("part", flat=True)) == {ready.task.pk}
    assert MaterialsContent.objects.count() == 2


def test_a_change_that_is_refused_leaves_no_version(ready, table_from, rows_of, paradigm, researcher, monkeypatch):
    def fails(*_given, **_how):
        raise RuntimeError

    monkeypatch.setattr("experiments.study.editing.record", fails)
    with pytest.raises(RuntimeError):
        save_design(ready, design_from(table_from(rows_of(n_items=8)), paradigm), researcher)
    assert versions_of(ready).count() == 1
