"""Saving: no way leads past the rule, nothing is lost by two windows, and every state can be had back."""

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from analysis.coding import queues
from analysis.coding.refusals import CodingRefusal
from analysis.coding.saving import MOST_SECONDS, last_saved, save, undo
from analysis.coding.scheme import save_scheme, scheme_of
from analysis.models import Coding
from experiments.models import AuditEntry
from experiments.paradigms.base import DefaultErrorCode
from experiments.rules.error_codes import faults_of
from tests.analysis.recalls import add_recalls, make_coder, make_recall_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def queue():
    study = make_recall_study()
    add_recalls(study, 2)
    return make_coder(study)


@pytest.fixture
def name(queue):
    return queues.next_item(queue).recall_id


def refusal(call, *args, **kwargs):
    with pytest.raises(CodingRefusal) as refused:
        call(*args, **kwargs)
    return refused.value.code


@hypothesis_settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from([*"0123456", "7", "", " 3", "33"]), max_size=7))
def test_only_codings_that_keep_the_rule_are_stored(queue, name, codes):
    given_codes = [code.strip() for code in codes]
    scheme = scheme_of(queue.study)
    if faults_of(given_codes, scheme):
        assert refusal(save, queue, name, codes) == "rule"
    else:
        save(queue, name, codes)
    for coding in Coding.objects.all():
        assert faults_of(coding.codes, scheme) == []


@pytest.mark.parametrize("codes", ["0", None, {"0": 1}, [0], [["0"]], [None], 3, [True]])
def test_what_is_no_list_of_codes_is_refused(queue, name, codes):
    assert refusal(save, queue, name, codes) == "rule"
    assert not Coding.objects.exists()


def test_codes_are_stored_in_the_order_of_the_scheme(queue, name):
    assert save(queue, name, ["4", "2", "4"]).codes == ["2", "4"]


def test_time_adds_up_and_notes_are_kept(queue, name):
    save(queue, name, ["0"], seconds=4.5)
    coding = save(queue, name, ["0"], note=" spelling \r\n", seconds=2)
    assert (coding.seconds, coding.note) == (6.5, "spelling")


@pytest.mark.parametrize("seconds", [-5, float("nan"), float("inf"), "7", None, True])
def test_what_is_no_time_counts_nothing(queue, name, seconds):
    assert save(queue, name, ["0"], seconds=seconds).seconds == 0


def test_a_page_left_open_counts_for_half_an_hour(queue, name):
    assert save(queue, name, ["0"], seconds=1e9).seconds == MOST_SECONDS


@pytest.mark.parametrize("note", ["\x00", "a" * 2001, "\ud800", 5])
def test_a_note_that_cannot_be_kept_is_refused(queue, name, note):
    assert refusal(save, queue, name, ["0"], note=note) == "rule"


def test_a_second_window_does_not_write_over_the_first(queue, name):
    save(queue, name, ["0"], revision=0)
    assert refusal(save, queue, name, ["3"], revision=0) == "changed"
    assert save(queue, name, ["3"], revision=1).codes == ["3"]
    assert refusal(undo, queue, name, revision=1) == "changed"


def test_the_same_codes_again_are_no_change(queue, name):
    save(queue, name, ["3", "4"])
    assert save(queue, name, ["4", "3"], seconds=1).revision == 1


def test_undo_goes_back_state_by_state_until_nothing_is_coded(queue, name):
    save(queue, name, ["0"], note="sure")
    save(queue, name, ["3"])
    save(queue, name, ["3", "4"])
    assert undo(queue, name).codes == ["3"]
    restored = undo(queue, name)
    assert (restored.codes, restored.note) == (["0"], "sure")
    assert undo(queue, name) is None
    assert not queues.item(queue, name).is_coded
    assert refusal(undo, queue, name) == "nothing"
    details = list(AuditEntry.objects.filter(action="coding undone").order_by("pk").values_list("detail", flat=True))
    assert details[0] == f"coder-1, {name}: 3;4 → 3"
    assert details[-1].endswith("0 → not coded")


def test_a_restored_state_counts_as_a_change_for_other_windows(queue, name):
    save(queue, name, ["0"])
    seen = save(queue, name, ["3"]).revision
    undo(queue, name)
    assert refusal(save, queue, name, ["4"], revision=seen) == "changed"


def test_the_recall_saved_last_can_be_found_again(queue):
    first, second = queues.items(queue, count=2)
    assert last_saved(queue) is None
    save(queue, first.recall_id, ["0"])
    save(queue, second.recall_id, ["0"])
    assert last_saved(queue) == second.recall_id
    save(queue, first.recall_id, ["3"])
    assert last_saved(queue) == first.recall_id


def test_nobody_codes_what_is_not_in_their_queue(queue):
    other = make_recall_study("elsewhere")
    add_recalls(other, 1)
    foreign = queues.next_item(make_coder(other, "ben")).recall_id
    assert refusal(save, queue, foreign, ["0"]) == "unknown"


def changed(scheme, place, **fields):
    entries = [DefaultErrorCode(e.code, e.description, e.weight, e.is_exclusive) for e in scheme]
    old = entries[place]
    values = {"code": old.code, "description": old.description, "weight": old.weight, "is_exclusive": old.is_exclusive}
    entries[place] = DefaultErrorCode(**{**values, **fields})
    return entries


def test_before_coding_a_scheme_may_change_altogether(queue):
    new = [DefaultErrorCode("a", "fine", 1, True), DefaultErrorCode("b", "not", 0, False)]
    assert [entry.code for entry in save_scheme(queue.study, new, user=queue.coder)] == ["a", "b"]
    assert AuditEntry.objects.filter(action="codes changed").count() == 1


def test_after_coding_weights_and_words_may_change_and_codes_be_added(queue, name):
    save(queue, name, ["0"])
    scheme = scheme_of(queue.study)
    new = [*changed(scheme, 0, weight=0.75, description="Right."), DefaultErrorCode("7", "more", 0, False)]
    saved = save_scheme(queue.study, new, user=queue.coder)
    assert (saved[0].weight, saved[0].description, saved[-1].code) == (0.75, "Right.", "7")
    assert "0.5 → 0.75" in AuditEntry.objects.get(action="codes changed").detail


@pytest.mark.parametrize("fields", [{"code": "9"}, {"is_exclusive": False}])
def test_after_coding_no_code_changes_its_name_or_kind(queue, name, fields):
    save(queue, name, ["0"])
    with pytest.raises(CodingRefusal) as refused:
        save_scheme(queue.study, changed(scheme_of(queue.study), 0, **fields), user=queue.coder)
    assert refused.value.faults[0].setting == f"error_codes.1.{next(iter(fields))}"
    assert scheme_of(queue.study)[0].is_exclusive


def test_after_coding_no_code_goes_away(queue, name):
    save(queue, name, ["0"])
    with pytest.raises(CodingRefusal, match="cannot rename or move"):
        save_scheme(queue.study, scheme_of(queue.study)[:-1], user=queue.coder)
