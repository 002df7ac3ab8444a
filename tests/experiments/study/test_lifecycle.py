"""A study is a draft, then open, then closed; opening freezes its design, and every change is on record."""

import pytest
from django.core.exceptions import ValidationError

from experiments.materials import design_of
from experiments.models import AuditEntry, Item, Study, StudyText
from experiments.procedure.texts import current_text
from experiments.study.lifecycle import (
    FrozenStudy,
    LifecycleRefusal,
    NotReady,
    close_study,
    copy_study,
    create_study,
    delete_draft,
    open_study,
    opening_faults,
    opening_warnings,
    pause,
    resume,
    save_design,
    save_details,
    save_procedure,
    save_questions,
    save_text,
)

pytestmark = [pytest.mark.both, pytest.mark.slow]

AGE = {"name": "age", "label": "How old are you?", "kind": "number"}


def actions(study):
    return [entry.action for entry in AuditEntry.objects.filter(study_slug=study.slug).order_by("pk")]


def test_a_new_study_has_default_texts_and_a_consent_with_boxes(draft):
    assert {text.kind for text in draft.texts.all()} == {"welcome", "consent", "instructions", "debriefing"}
    assert len(current_text(draft, "consent").required_boxes) == 3
    assert (draft.settings, draft.procedure) == ({}, {})
    assert actions(draft) == ["created"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"slug": "Not a slug"}, "lower-case"),
        ({"slug": "new"}, "The platform itself uses"),
        ({"paradigm": "telepathy"}, "There is no paradigm 'telepathy'"),
        ({"settings": {"modulus": "x"}}, "There is no such setting"),
        ({"procedure": {"leading_fillers": -1}}, "greater than or equal to 0"),
        ({"questions": [{"name": "Age"}]}, "the name becomes a column"),
        ({"contact": "nobody"}, "valid email"),
    ],
)
def test_a_study_that_is_not_well_formed_is_not_created(researcher, wrong, message):
    fields = {"slug": "fine", "title": "Fine", "paradigm": "magnitude-estimation", **wrong}
    with pytest.raises(ValidationError) as refusal:
        create_study(user=researcher, **fields)
    assert message in str(refusal.value)
    assert not Study.objects.exists()


def test_errors_of_the_model_belong_to_no_field_so_that_every_form_can_show_them(draft):
    draft.settings = {"break_every": "often"}
    with pytest.raises(ValidationError) as refusal:
        draft.full_clean()
    assert list(refusal.value.error_dict) == ["__all__"]


def test_everything_that_keeps_a_study_from_opening_is_said_at_once(draft, researcher):
    steps = {fault.step for fault in opening_faults(draft)}
    said = " ".join(str(fault) for fault in opening_faults(draft))
    assert steps == {"settings", "procedure", "materials"}
    for part in (
        "modulus sentence",
        "no materials",
        "responsible",
        "participants can write",
        "data-protection",
        "{minutes}",
    ):
        assert part in said
    with pytest.raises(NotReady) as refusal:
        open_study(draft, researcher)
    assert refusal.value.faults == opening_faults(draft)
    assert Study.objects.get().status == "draft"
    assert actions(draft) == ["created"]


def test_a_complete_study_has_no_faults_and_opens(ready, researcher):
    assert opening_faults(ready) == []
    study = open_study(ready, researcher)
    assert (study.status, study.is_frozen, study.opened_at is not None) == ("open", True, True)
    assert actions(ready)[-1] == "opened"


@pytest.mark.parametrize(
    ("kind", "body", "boxes", "said"),
    [
        ("consent", "", ["I agree."], "The consent is empty."),
        ("consent", "Text", [], "no box that must be ticked"),
        ("instructions", " ", None, "The instructions are empty."),
    ],
)
def test_a_study_with_an_empty_text_does_not_open(ready, researcher, kind, body, boxes, said):
    save_text(ready, kind, body, researcher, required_boxes=boxes)
    assert [said in str(fault) for fault in opening_faults(ready)] == [True]


def test_an_order_that_nothing_can_keep_is_an_opening_fault(ready, researcher):
    save_procedure(ready, {"leading_fillers": 3, "max_target_run": 1}, researcher)
    ready.refresh_from_db()
    said = [str(fault) for fault in opening_faults(ready)]
    assert len(said) == 2
    assert "The first 3 trials cannot be fillers, because there are only 2 fillers" in said[0]
    assert "At most 1 targets in a row is impossible" in said[1]


def test_a_design_with_holes_in_the_database_does_not_open(ready):
    item = Item.objects.filter(part__study=ready).first()
    item.stimuli.first().delete()
    said = " ".join(str(fault) for fault in opening_faults(ready))
    assert "have no text in some conditions" in said
    assert "does not show every item once" in said


def test_opening_is_warned_about_quotas_that_do_not_fill_all_lists(ready, researcher):
    save_details(ready, {"quota": 10}, researcher)
    ready.refresh_from_db()
    assert any("10 does not fill 4 lists equally" in str(warning) for warning in opening_warnings(ready))


def test_the_life_of_a_study_and_its_record(ready, researcher):
    open_study(ready, researcher)
    assert pause(ready, researcher).is_paused
    assert not resume(ready, researcher).is_paused
    closed = close_study(ready, researcher)
    assert (closed.status, closed.closed_at is not None) == ("closed", True)
    again = open_study(ready, researcher)
    assert (again.status, again.closed_at) == ("open", None)
    assert actions(ready)[-5:] == ["opened", "paused", "resumed", "closed", "opened again"]
    assert set(AuditEntry.objects.values_list("user__username", flat=True)) == {"ada"}


@pytest.mark.parametrize("step", [close_study, pause, resume])
def test_a_draft_can_be_neither_closed_nor_paused(draft, researcher, step):
    with pytest.raises(LifecycleRefusal, match="Only an open study"):
        step(draft, researcher)


def test_an_open_study_is_not_opened_twice(ready, researcher):
    open_study(ready, researcher)
    with pytest.raises(LifecycleRefusal, match="already open"):
        open_study(ready, researcher)


@pytest.mark.parametrize(
    "change",
    [
        lambda study, design, user: save_design(study, design, user),
        lambda study, design, user: save_details(study, {"settings": {"modulus_text": "Another."}}, user),
        lambda study, design, user: save_details(study, {"slug": "another"}, user),
        lambda study, design, user: save_details(study, {"seed": 99}, user),
        lambda study, design, user: save_questions(study, [AGE], user),
        lambda study, design, user: save_procedure(study, {"leading_fillers": 1}, user),
        lambda study, design, user: save_text(study, "instructions", "Other instructions.", user),
        lambda study, design, user: delete_draft(study, user),
    ],
)
@pytest.mark.parametrize("closed", [False, True])
def test_nothing_that_shapes_the_data_changes_once_a_study_was_opened(ready, design, researcher, change, closed):
    open_study(ready, researcher)
    if closed:
        close_study(ready, researcher)
    before = (Study.objects.values().get(), list(StudyText.objects.values()), actions(ready))
    with pytest.raises(FrozenStudy, match="Duplicate the study"):
        change(ready, design, researcher)
    assert (Study.objects.values().get(), list(StudyText.objects.values()), actions(ready)) == before


def test_the_check_looks_at_the_stored_state_and_not_at_an_old_copy_in_memory(ready, design, researcher):
    stale = Study.objects.get(pk=ready.pk)
    open_study(ready, researcher)
    assert not stale.is_frozen
    with pytest.raises(FrozenStudy):
        save_design(stale, design, researcher)


def test_links_and_notes_of_an_open_study_can_change(ready, researcher):
    open_study(ready, researcher)
    save_procedure(ready, {**ready.procedure, "completion_code": "ABC", "stale_after_minutes": 60}, researcher)
    save_details(ready, {"description": "Second wave.", "quota": 8}, researcher)
    study = Study.objects.get()
    assert (study.procedure["completion_code"], study.description, study.quota) == ("ABC", "Second wave.", 8)


def test_a_text_gets_a_new_version_only_where_something_changed(draft, researcher):
    first = current_text(draft, "consent")
    assert save_text(draft, "consent", first.body + "\n", researcher) == first
    second = save_text(draft, "consent", "Corrected.", researcher)
    third = save_text(draft, "consent", "Corrected.", researcher, optional_boxes=["I may be written to."])
    assert (second.version, third.version) == (2, 3)
    assert (second.required_boxes, third.required_boxes) == (first.required_boxes, first.required_boxes)
    assert current_text(draft, "consent") == third
    assert StudyText.objects.get(pk=first.pk).body == first.body


def test_the_consent_of_an_open_study_can_be_corrected_as_a_new_version(ready, researcher):
    open_study(ready, researcher)
    assert save_text(ready, "consent", "Corrected.", researcher).version == 2
    assert actions(ready)[-1] == "text changed"


def test_a_new_contact_makes_a_new_consent_version_where_the_consent_names_it(ready, researcher):
    open_study(ready, researcher)
    save_details(ready, {"contact": "new@example.org"}, researcher)
    assert current_text(ready, "consent").version == 2
    save_details(ready, {"description": "Nothing participants read."}, researcher)
    assert current_text(ready, "consent").version == 2
    assert "'ada@example.org' → 'new@example.org'" in AuditEntry.objects.filter(action="details changed")[1].detail


def test_a_text_with_a_nul_character_is_refused(draft, researcher):
    with pytest.raises(LifecycleRefusal, match="NUL"):
        save_text(draft, "welcome", "a\x00b", researcher)


def test_a_copy_is_a_draft_one_version_on_with_the_same_texts_and_design(ready, researcher, other_researcher):
    save_text(ready, "welcome", "Our own welcome.", researcher)
    open_study(ready, researcher)
    copy = copy_study(ready, "causal-2", other_researcher)
    assert (copy.status, copy.version, copy.copied_from, copy.owner) == ("draft", 2, ready, other_researcher)
    assert (copy.settings, copy.contact, copy.opened_at) == (ready.settings, ready.contact, None)
    assert current_text(copy, "welcome").body == "Our own welcome."
    assert (current_text(copy, "welcome").version, copy.texts.count()) == (1, 4)
    assert design_of(copy) == design_of(ready)
    assert opening_faults(copy) == []
    assert actions(copy) == ["created"]
    assert actions(ready)[-1] == "copied"


def test_a_draft_with_faults_can_be_copied_and_the_copy_says_them(ready, researcher):
    missing = {"title": "", "method": "rm-anova", "params": {"dv": "rating"}, "table": "trials", "part": "gone"}
    Study.objects.filter(pk=ready.pk).update(plan={"exclusion_rules": [], "hypotheses": "", "analyses": [missing]})
    copy = copy_study(Study.objects.get(pk=ready.pk), "causal-2", researcher)
    faults = [str(fault) for fault in opening_faults(copy)]
    assert any("gone" in fault for fault in faults), faults
    assert faults == [str(fault) for fault in opening_faults(Study.objects.get(pk=ready.pk))]


def test_a_copy_needs_an_address_of_its_own(ready, researcher):
    with pytest.raises(ValidationError, match="already exists"):
        copy_study(ready, ready.slug, researcher)


def test_a_deleted_draft_is_gone_but_its_deletion_stays_on_record(ready, researcher):
    delete_draft(ready, researcher)
    assert not Study.objects.exists()
    assert not Item.objects.exists()
    entry = AuditEntry.objects.get(action="deleted")
    assert (entry.study, entry.study_slug, entry.user) == (None, "causal", researcher)


def test_lists_follow_when_item_sets_are_taken_apart(draft, table_from, researcher, paradigm):
    from experiments.materials import design_from

    rows = [(f"i{i}", f"{i} {m}", m, "AB"[i % 2]) for i in range(4) for m in ("x", "y")]
    save_design(draft, design_from(table_from(rows, ("item", "text", "marker", "item_set")), paradigm), researcher)
    assert draft.lists.count() == 2
    save_procedure(draft, {"item_sets": "apart"}, researcher)
    assert [stimulus_list.name for stimulus_list in draft.lists.all()] == ["A-1", "A-2", "B-1", "B-2"]
    save_procedure(draft, {"item_sets": "together"}, researcher)
    assert [stimulus_list.name for stimulus_list in draft.lists.all()] == ["1", "2"]


def test_questions_are_stored_with_all_their_keys_and_refused_with_all_faults(draft, researcher):
    save_questions(draft, [AGE], researcher)
    draft.refresh_from_db()
    assert draft.questions == [{**AGE, "choices": [], "required": False, "help": ""}]
    with pytest.raises(LifecycleRefusal) as refusal:
        save_questions(draft, [AGE, {**AGE, "kind": "choice", "label": ""}], researcher)
    for part in ("same name", "label is empty", "at least two choices"):
        assert part in str(refusal.value)
